// SPDX-License-Identifier: MIT
//
// A problem is what a solver integrates: the equations of one mode of one run,
// whatever form they were given in, with counting and checking of evaluations.
//
// Every evaluation returns 0, a positive number (recoverable: try a smaller
// step) or a negative one (the run ends); `failure` says what failed.
// A problem allocates when it is created and never again.

#ifndef SALTUS_SOLVERS_PROBLEM_H
#define SALTUS_SOLVERS_PROBLEM_H

#include <saltus/saltus.h>
#include <stdint.h>
#include <string.h>

// Evaluations hardly ever fail. The compiler has to be told, for it takes a number as rarely zero,
// and would neither unroll nor vectorise what follows on several checks.
#if defined(__GNUC__)
#define PROBLEM_RARELY(condition) __builtin_expect((condition), 0)
#else
#define PROBLEM_RARELY(condition) (condition)
#endif

typedef enum ProblemForm {
    PROBLEM_ODE, // x' = f(t, x); algebraic variables, if any, are solved for by `evaluate`
    PROBLEM_SEMI_EXPLICIT, // x' = f(t, x, z), 0 = g(t, x, z)
    PROBLEM_IMPLICIT,      // 0 = F(t, x, z, x')
} ProblemForm;

// What failed last, for messages.
typedef struct ProblemFailure {
    SaltusStatus status;  // SALTUS_ERROR_EVALUATION, _NEWTON or _SINGULAR
    const char *what;     // "the right-hand side", ...
    const char *variable; // the component that is not finite, or NULL
    double t;
    bool is_recoverable; // a smaller step may help
    int code;            // what the evaluation returned
} ProblemFailure;

typedef struct ProblemNewton ProblemNewton; // solves g(t, x, z) = 0 for z

typedef struct Problem {
    const SaltusModeDef *mode;
    const SaltusContext *context;
    SaltusStatistics *statistics;
    const SaltusAllocator *allocator;
    ProblemForm form;
    int nx;                 // differential states
    int nz;                 // algebraic variables
    int n;                  // unknowns of an implicit solver: nx, or nx + nz with residuals
    double relative;        // relative tolerance
    double *absolute;       // absolute tolerances, nx + nz
    double *z_guess;        // last accepted algebraic variables, nz (joint evaluation starts there)
    bool is_plain;          // ODE given by `rhs`: evaluations need no ceremony
    SaltusSolver preferred; // by auto, after a contest (hybrid/contest.h); auto: there was none
    bool is_entered;        // it was not integrated just before: no habits are known of it
    bool is_unwatched;      // nobody looks into the step that is taken next: its end is what counts
    bool no_matrix; // the mode is linear, but cannot be solved exactly now: exact found it so
    ProblemNewton *newton;
    double *work; // 4 (nx + nz) doubles of scratch, used by the functions below only
    ProblemFailure failure;
    // Where the solution of joint evaluations jumps inside of a step: see problem_watch.
    struct {
        bool is_on, has_failed; // an evaluation in this step
        double begin;           // z_guess belongs to it
        double *slope;          // of z in the last step
        double reach;           // how far it leads, from the end of that step
        double *x, *z;          // the evaluation farthest from z_guess of those that went elsewhere
        double t;               // its time
        double distance;        // and how far z_guess was, relative to the values; 0: none was far
        double *seen;           // scratch, nz
    } watch;
} Problem;

Problem *problem_create(const SaltusModeDef *mode, const SaltusContext *context,
                        const SaltusMethod *method, SaltusStatistics *statistics,
                        const SaltusAllocator *allocator);
void problem_destroy(Problem *problem);
// How large algebraic variable i is that has the values a and b. (A nominal value that nobody gave
// is 1, whatever the variable is; what is below a billionth of it may be rounding.)
double problem_solution_size(const Problem *problem, int i, double a, double b);
// What its values may differ by and be those of one solution: a thousandth, or the errors that it
// has where it is an unknown of the solver.
double problem_solution_error(const Problem *problem, int i, double a, double b);

// From now on joint evaluations are watched: a step, which may be the try of one, begins at t.
void problem_watch(Problem *problem, double t);
// The same for the next try of that step.
static inline void problem_watch_again(Problem *problem)
{
    problem->watch.distance = 0.0;
}
// Looks at a solution z that belongs to (t, x) in a step that is watched.
void problem_watch_point(Problem *problem, double t, const double *x, const double *z);
// New tolerances (SE-A).
void problem_set_tolerances(Problem *problem, const SaltusMethod *method);

// Notes a failure: returns code.
int problem_fail(Problem *problem, int code, SaltusStatus status, const char *what,
                 const char *variable, double t);

// Notes the first of values that are not all finite: returns 1. values[i] belongs to variable
// `first` + i, states first, then algebraic variables.
int problem_find_infinite(Problem *problem, const double *values, int first, const char *what,
                          double t);

// What a failed evaluation means outside of a step that could be made smaller.
static inline int problem_status(const Problem *problem, int code)
{
    return code == 0 ? 0 : problem->failure.status;
}

enum { PROBLEM_MANY = 16 };

// Of many values all are looked at, without leaving the loop: so it takes vectors. An exponent of
// ones carries into the sign.
static inline uint64_t problem_look(double value)
{
    const uint64_t exponent = 0x7FF0000000000000u, least = 0x0010000000000000u;
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (bits & exponent) + least;
}

static inline bool problem_is_finite(uint64_t looks)
{
    return !(looks >> 63);
}

// 0 if all values are finite, else 1, noting the first that is not: values[i] belongs to
// variable `first` + i.
static inline int problem_check(Problem *problem, const double *values, int count, int first,
                                const char *what, double t)
{
    if (count >= PROBLEM_MANY) {
        uint64_t all = 0;
        for (int i = 0; i < count; i++)
            all |= problem_look(values[i]);
        if (problem_is_finite(all))
            return 0;
    }
    double sum = count > 0 ? values[0] - values[0] : 0.0;
    for (int i = 1; i < count; i++)
        sum += values[i] - values[i]; // infinity - infinity is NaN
    return PROBLEM_RARELY(sum != 0.0) ? problem_find_infinite(problem, values, first, what, t) : 0;
}

// The rest of problem_rhs, out of line.
int problem_rhs_solving(Problem *problem, double t, const double *x, double *z, double *dx);

// x' at (t, x). With algebraic residuals, z is the guess that goes in and the
// solution that comes out; with a joint evaluation it is the solution, unless NULL;
// else z is not touched and may be NULL. Values that are not finite are left to the
// caller's error norm; problem_check names them.
static inline int problem_rhs(Problem *problem, double t, const double *x, double *z, double *dx)
{
    if (!problem->is_plain)
        return problem_rhs_solving(problem, t, x, z, dx);
    problem->statistics->f_evaluations++;
    int code = problem->mode->rhs(problem->context, t, x, z, dx);
    if (PROBLEM_RARELY(code != 0))
        problem_fail(problem, code, SALTUS_ERROR_EVALUATION, "the right-hand side", NULL, t);
    return code;
}

// The algebraic variables that belong to (t, x): z is guess in, solution out.
int problem_algebraics(Problem *problem, double t, const double *x, double *z);

// f and g of a semi-explicit problem at given z; of an ODE only f (g is not touched).
int problem_full(Problem *problem, double t, const double *x, const double *z, double *dx,
                 double *g);

// g of a semi-explicit problem alone.
int problem_constraints(Problem *problem, double t, const double *x, const double *z, double *g);

// F(t, x, z, x') of any form: of a semi-explicit one (x' - f, g).
int problem_residual(Problem *problem, double t, const double *x, const double *z, const double *dx,
                     double *residual);

// The rest of problem_events, out of line.
int problem_events_jointly(Problem *problem, double t, const double *x, double *h);
int problem_events_failed(Problem *problem, int code, double t);
int problem_events_not_finite(Problem *problem, const double *h, double t);
// What has failed then.
extern const char problem_event_function[];

// The same as problem_events, of a mode that has so many of them.
static inline int problem_events_of(Problem *problem, const SaltusModeDef *mode, int count,
                                    double t, const double *x, const double *z, double *h)
{
    problem->statistics->h_evaluations++;
    int code = mode->evaluate ? problem_events_jointly(problem, t, x, h)
                              : mode->event_functions(problem->context, t, x, z, h);
    if (PROBLEM_RARELY(code != 0))
        return problem_events_failed(problem, code, t);
    double sum = h[0] - h[0];
    for (int i = 1; i < count; i++)
        sum += h[i] - h[i]; // infinity - infinity is NaN
    return PROBLEM_RARELY(sum != 0.0) ? problem_events_not_finite(problem, h, t) : 0;
}

// Event functions at a point where z is already consistent with x (with a joint
// evaluation z is not used).
static inline int problem_events(Problem *problem, double t, const double *x, const double *z,
                                 double *h)
{
    const SaltusModeDef *mode = problem->mode;
    const int count = mode->event_count;
    return count == 0 ? 0 : problem_events_of(problem, mode, count, t, x, z, h);
}

// The time over which the flow, dx, changes the states by their own size.
double problem_flow_time(const Problem *problem, double t, const double *x, const double *dx);

// Event functions where the tangent from a consistent point, dx, leads in the time `delta`.
int problem_events_ahead(Problem *problem, double t, const double *x, const double *z,
                         const double *dx, double delta, double *h);

// Derivatives of all event functions along the flow: given, or by a difference
// along the flow. dx is x' at the point.
int problem_flow(Problem *problem, double t, const double *x, const double *z, const double *dx,
                 double *dh);

// Outputs at a consistent point.
int problem_outputs(Problem *problem, double t, const double *x, const double *z, double *y);

#endif
