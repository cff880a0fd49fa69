// SPDX-License-Identifier: MIT
//
// Event functions as SUNDIALS's own root finding sees them (locator `sundials`).
//
// SUNDIALS takes an exact zero for a root, refuses to go on where a function stays zero, and
// switches a function off that is zero at the start, for longer than it should: one that was off
// at a restart is off for the first step after the next restart too. So SUNDIALS never sees a
// zero after the start: there zero has the sign that the function had before, and a function
// crosses when it is truly beyond zero. A further function that no mode knows, zero at the start
// and positive ever after, makes it look just behind the start each time and switch all on.
//
// `sign` is the sign of each event function at the last point a step ended at: 0 where it has
// been zero ever since the restart.

#ifndef SALTUS_SOLVERS_SUNDIALS_ROOTS_H
#define SALTUS_SOLVERS_SUNDIALS_ROOTS_H

#include "solvers/problem.h"

typedef struct SundialsRoots {
    bool is_wanted; // the locator is `sundials` and the mode has event functions
    int count;      // of the mode's event functions; SUNDIALS has one more
    double *values;
    double *following; // values just behind the end of a step
    double *behind;    // x and z there
    int *found;        // count + 1
    signed char *sign;
    long calls;      // since the restart
    long step_calls; // since the step began
} SundialsRoots;

// False: out of memory (destroy all the same).
bool sundials_roots_create(SundialsRoots *roots, const Problem *problem,
                           const SaltusMethod *method);
void sundials_roots_destroy(SundialsRoots *roots, const Problem *problem);

void sundials_roots_restart(SundialsRoots *roots);

// What SUNDIALS is told about the event functions at (t, x, z); out: count + 1 values.
int sundials_roots_evaluate(SundialsRoots *roots, Problem *problem, double t, const double *x,
                            const double *z, double *out);

// After a step to (t, x, z) without a root, dx = x': the signs there. A function that is exactly
// zero there has crossed if it is beyond zero just behind, a small part of `step` further along
// the tangent. Sets `direction` of those and *any if there are some.
int sundials_roots_step(SundialsRoots *roots, Problem *problem, double t, const double *x,
                        const double *z, const double *dx, double step, signed char *direction,
                        bool *any);

// After a root, `found` filled: the same. A crossing that was already told is left out.
int sundials_roots_root(SundialsRoots *roots, Problem *problem, double t, const double *x,
                        const double *z, signed char *direction, bool *any);

#endif
