// SPDX-License-Identifier: MIT
//
// What the solvers cvode, adams and ida have in common: stepping, dense output, roots, statistics
// and failures of a SUNDIALS integrator.
//
// Every solver has its own SUNContext, so solvers share nothing and may run in any threads.
// SUNDIALS prints nothing: its messages go to a function that drops them, and what failed is in
// problem->failure. The vectors wrap the solver's own arrays: y is x, followed by z where the
// problem has residuals (solver_allocate puts them side by side). Where there are no unknowns at
// all the integrator is given one that never changes, so that it walks, and looks for roots.
//
// t_limit is SUNDIALS's stop time. Where the next step would leave a short rest before it, the
// stop time is set halfway, because a tiny step costs many to recover from (CVODE grows steps by
// at most 10, IDA by 2).

#ifndef SALTUS_SOLVERS_SUNDIALS_COMMON_H
#define SALTUS_SOLVERS_SUNDIALS_COMMON_H

#include "solvers/solver.h"
#include "solvers/sundials_linear.h"
#include "solvers/sundials_roots.h"
#include <nvector/nvector_serial.h>
#include <sundials/sundials_config.h>
#include <sundials/sundials_context.h>

#if SUNDIALS_VERSION_MAJOR != 6
#error "Saltus is written for SUNDIALS 6; later ones report errors through another interface"
#endif
#ifndef SUNDIALS_DOUBLE_PRECISION
#error "Saltus needs SUNDIALS in double precision"
#endif

typedef struct Sundials Sundials;

// Failures of the error test, and of the iteration, after which a step is given up. SUNDIALS's own
// limits, 7 and 10, are too low where a solution suddenly speeds up by many orders of magnitude
// (the oregonator does, at 1e-4).
enum { SUNDIALS_MAX_FAILURES = 30 };

// What a return code of the integrator means; the list ends with code 0.
typedef struct SundialsCode {
    int code;
    SaltusStatus status;
    const char *what;
} SundialsCode;

// CVODE and IDA differ in the names of their functions only.
typedef struct SundialsPackage {
    // Advances to t_out or by one step; what CVode and IDASolve return.
    int (*advance)(Sundials *s, double t_out, double *t, bool one_step);
    // The first step towards t_limit, 0: the integrator's own choice. NULL: always that.
    double (*choose_first_step)(Sundials *s, double t_limit);
    int (*interpolate)(void *memory, sunrealtype t, int derivative, N_Vector out);
    int (*set_stop_time)(void *memory, sunrealtype t);
    int (*set_first_step)(void *memory, sunrealtype step);
    int (*set_root_direction)(void *memory, int *direction);
    int (*root_info)(void *memory, int *found);
    int (*integrator_statistics)(void *memory, long *steps, long *evaluations, long *setups,
                                 long *error_failures, int *last_order, int *order,
                                 sunrealtype *first_step, sunrealtype *last_step, sunrealtype *step,
                                 sunrealtype *t);
    int (*iteration_statistics)(void *memory, long *iterations, long *failures);
    int (*step_failures)(void *memory, long *failures);
    int (*error_failures)(void *memory, long *failures);
    int (*linear_flag)(void *memory, long *flag);
    void (*free)(void **memory);
    const SundialsCode *codes;
} SundialsPackage;

struct Sundials {
    Solver base;
    const SundialsPackage *package;
    SUNContext context;
    void *memory;      // of the integrator
    int n;             // its unknowns: nx, or nx + nz where z is among them
    double nothing[2]; // y and its tolerance where there are no unknowns: y' = 0
    N_Vector y;
    N_Vector dy;       // y' at t
    N_Vector absolute; // tolerances
    N_Vector dense;    // y somewhere
    SundialsLinear linear;
    SundialsRoots roots;
    double *z_work;      // algebraic variables of the last evaluation, the guess of the next
    double *first_dx;    // x' at the beginning of the last step, if that was the first one
    double t_internal;   // the end of the integrator's last step; beyond t after a root inside it
    bool is_fresh;       // no step since the restart
    bool is_first;       // one step since then
    bool is_in_trouble;  // the last evaluation failed, problem->failure says how
    bool was_in_trouble; // one of the present step did
    double first_step;   // asked for at the restart, 0: none
    long error_failures; // of all steps before the present one
    int worst;           // the unknown whose error was the largest in the try that failed thirdly
    SaltusStatistics counted; // by SUNDIALS, and in the statistics already
};

// Allocates the common part with the vectors of n unknowns, everything but the integrator's
// memory and the linear solver. NULL: out of memory. For a partial solver sundials_destroy is
// enough.
Sundials *sundials_create(const SolverKind *kind, const SundialsPackage *package, Problem *problem,
                          const SaltusMethod *method, size_t size, int n);
void sundials_destroy(Solver *solver);

// Tells the integrator which crossings count, once its root finding is initialized.
bool sundials_set_directions(Sundials *s);

// New initial values into the solver's arrays; the integrator has to be initialized after.
void sundials_restart(Sundials *s, double t, const double *x, const double *z, double step);

int sundials_step(Solver *solver, double t_limit);
int sundials_interpolate(Solver *solver, double t, double *x, double *z);

// After an evaluation with `code`: remembers whether it failed. Returns code.
int sundials_note(Sundials *s, int code);

// The status that belongs to a negative return code of the integrator, with problem->failure set.
SaltusStatus sundials_failure(Sundials *s, int code);

// At each iteration of a try of a step: the correction of what was predicted, which the error is a
// multiple of, with the weights of the error test.
void sundials_look_at_correction(Sundials *s, N_Vector correction, N_Vector weights);

// Root mean square of n components of v, in the tolerance at y: what SUNDIALS measures errors by.
double sundials_norm(const Problem *problem, int n, const double *y, const double *v);
// The same of v = to - from, at `from`.
double sundials_distance(const Problem *problem, int n, const double *from, const double *to);

// Takes SUNDIALS's messages and drops them.
void sundials_drop_message(int code, const char *module, const char *function, char *message,
                           void *user);

static inline double *sundials_data(N_Vector v)
{
    return N_VGetArrayPointer(v);
}

#endif
