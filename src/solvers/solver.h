// SPDX-License-Identifier: MIT
//
// What all integrators have in common: create, reset, step, destroy, and dense
// output over the last step.
//
// After a step, [t_old, t] is the last accepted step, with x_old, z_old and x, z
// at its ends. Dense output is valid on it until the next step or reset. A step
// allocates nothing.

#ifndef SALTUS_SOLVERS_SOLVER_H
#define SALTUS_SOLVERS_SOLVER_H

#include "base/carrier.h"
#include "base/real.h"
#include "solvers/kernel.h"
#include "solvers/problem.h"
#include "solvers/tableau.h"
#include <saltus/saltus.h>

typedef struct Solver Solver;

// What a solver can do; bits.
enum {
    SOLVER_FIXED_STEP = 1 << 0, // steps of method.step
    SOLVER_ONE_STEP = 1 << 1,   // has a closing step, keeps no history
    SOLVER_DAE = 1 << 2,        // integrates semi-explicit DAE without solving for z in each stage
    SOLVER_IMPLICIT = 1 << 3,   // integrates 0 = F(t, x, z, x')
    SOLVER_ROOTS = 1 << 4,      // can locate events by itself (locator sundials)
};

typedef struct SolverKind {
    SaltusSolver id;
    int order;       // of the method
    int dense_order; // of the dense output
    unsigned traits;
    const Tableau *tableau; // of an explicit Runge-Kutta method, with its kernels; NULL: it is none
    const Kernel *kernels;

    // Allocates everything for the problem. NULL: out of memory.
    Solver *(*create)(Problem *problem, const SaltusMethod *method);
    void (*destroy)(Solver *solver);

    // A new initial value. z is consistent with x; dx: x' there, NULL if it is not known.
    // step: first step to try, 0 = the solver's own choice. Forgets all history. 0 or a
    // SaltusStatus below zero.
    int (*reset)(Solver *solver, double t, const double *x, const double *z, const double *dx,
                 double step);

    // One accepted step, not beyond t_limit (> t); a step that would end just before
    // t_limit ends exactly there. 0, or a SaltusStatus below zero (problem->failure says more).
    int (*step)(Solver *solver, double t_limit);

    // x (and z, if not NULL) at a time of the last step. With explicit solvers of
    // a problem with algebraic variables z is solved for.
    int (*interpolate)(Solver *solver, double t, double *x, double *z);

    // x at `count` times inside the last step, one after the other. NULL: one by one only.
    int (*sample)(Solver *solver, int count, const double *times, double *x);

    // One step of the method from t_old to t (t_old < t <= this->t), without disturbing the
    // last step: x and z at t, of the method's order. One-step solvers only.
    int (*closing_step)(Solver *solver, double t, double *x, double *z);

    // x, z at t were changed from outside (a projection): go on from them, keep the step size.
    int (*state_changed)(Solver *solver);

    // Makes `to` (same kind, same dimensions) continue exactly like `from`. NULL: cannot.
    int (*copy)(Solver *to, const Solver *from);
    // What that copies, into bytes or back (base/carrier.h); false: out of memory. NULL likewise.
    bool (*carry)(Solver *solver, Carrier *carrier);
} SolverKind;

struct Solver {
    const SolverKind *kind;
    Problem *problem;
    SaltusMethod method;
    double t_old, t;
    double *x_old, *z_old, *x, *z;
    double *dx;       // x' at t if the solver knows it after step and reset, else NULL
    double step_next; // the step it would try next, not cut by a limit
    bool seems_stiff; // its steps are limited by stability, not by the tolerance
    // The variable whose error made the last step be tried so often that the solution must have a
    // jump or a kink in it; NULL: none.
    const char *abrupt;
    int cells; // of the last step that are looked at for events: they suit its dense output
    // With SOLVER_ROOTS and locator sundials: the step ended at a root.
    bool is_at_root;
    signed char *root_direction; // per event function: -1, 0, +1
};

// The kind that implements `id`; NULL for auto.
const SolverKind *solver_kind(SaltusSolver id);

// Cells of a step of this kind that are looked at for events, if the solver does not say less.
static inline int solver_cells(const SolverKind *kind)
{
    return kind->dense_order > 4 ? kind->dense_order + 1 : 4;
}

// Field by field.
bool method_equal(const SaltusMethod *a, const SaltusMethod *b);

// What auto stands for with this problem.
SaltusSolver solver_choose(const Problem *problem, const SaltusMethod *method);
// The one for stiff ODE of this size.
SaltusSolver solver_choose_stiff(const Problem *problem);

// Allocates the common part: `size` bytes (at least sizeof(Solver)), t and the four
// vectors, `extra` further doubles at *extra_out. NULL: out of memory.
Solver *solver_allocate(const SolverKind *kind, Problem *problem, const SaltusMethod *method,
                        size_t size, size_t extra, double **extra_out);
void solver_free(Solver *solver);

// For the kinds: what they do alike with the common part.

// Both ends of the last step at (t, x, z).
void solver_place(Solver *solver, double t, const double *x, const double *z);
// The method, the last step and the size of the next.
void solver_copy_common(Solver *to, const Solver *from);
void solver_carry_common(Solver *solver, Carrier *carrier);
// At an end of the last step: x, and z if it is not NULL, there. False: t is between.
bool solver_at_end(const Solver *solver, double t, double *x, double *z);

// The last step begins where it ended. x and z lie in one piece, as do x_old and z_old.
static inline void solver_begin_step(Solver *s)
{
    s->t_old = s->t;
    s->abrupt = NULL;
    real_copy(s->x_old, s->x, s->problem->nx + s->problem->nz);
}

// The kinds: solver_EULER, ...; one for each line of the public header's list.
#define SOLVER_DECLARE(NAME, text, what) extern const SolverKind solver_##NAME;
SALTUS_SOLVER_KINDS(SOLVER_DECLARE)
#undef SOLVER_DECLARE

#endif
