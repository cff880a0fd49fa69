// SPDX-License-Identifier: MIT
//
// Three forms of a mode, one set of questions. With x states, z algebraic variables:
//
//                   problem_rhs         problem_full      problem_residual
//   ODE             f(t, x)             f                 x' - f
//   joint           evaluate solves for z and returns f   x' - f
//   semi-explicit   Newton for z, f     f and g           (x' - f, g)
//   implicit        none                none              F(t, x, z, x')
//
// What always holds: each evaluation is counted where it is made, and nowhere else; whoever returns
// other than zero has written `failure`. No evaluation changes z_guess (who accepts a step or
// handles an event does), so that its result does not depend on those before it: a step that is
// tried again gives the same bits.

#include "solvers/problem.h"

#include "base/memory.h"
#include "base/real.h"
#include "solvers/algebraic.h"
#include <float.h>
#include <math.h>
#include <string.h>

// ---------------------------------------------------------------------------
// Create and destroy
// ---------------------------------------------------------------------------

static ProblemForm form_of(const SaltusModeDef *mode)
{
    if (mode->residual)
        return PROBLEM_IMPLICIT;
    return mode->algebraic ? PROBLEM_SEMI_EXPLICIT : PROBLEM_ODE;
}

void problem_set_tolerances(Problem *problem, const SaltusMethod *method)
{
    const double *own = problem->mode->absolute_tolerance, *nominal = problem->mode->nominal;
    problem->relative = method->relative_tolerance;
    for (int i = 0; i < problem->nx + problem->nz; i++)
        problem->absolute[i] = own ? own[i] : method->absolute_tolerance * nominal[i];
}

Problem *problem_create(const SaltusModeDef *mode, const SaltusContext *context,
                        const SaltusMethod *method, SaltusStatistics *statistics,
                        const SaltusAllocator *allocator)
{
    Problem *problem = MEMORY_NEW(allocator, 1, Problem);
    if (!problem)
        return NULL;
    problem->mode = mode;
    problem->context = context;
    problem->statistics = statistics;
    problem->allocator = allocator;
    problem->form = form_of(mode);
    problem->nx = mode->state_count;
    problem->nz = mode->algebraic_count;
    problem->n = problem->nx + (problem->form == PROBLEM_ODE ? 0 : problem->nz);
    problem->is_plain = problem->form == PROBLEM_ODE && !mode->evaluate;
    const size_t all = (size_t)problem->nx + (size_t)problem->nz;
    problem->absolute = MEMORY_NEW(allocator, all, double);
    problem->z_guess = MEMORY_NEW(allocator, problem->nz, double);
    problem->work = MEMORY_NEW(allocator, 4 * all + 2 * (size_t)mode->event_count, double);
    problem->watch.x = MEMORY_NEW(allocator, all + 2 * (size_t)problem->nz, double);
    bool is_complete = problem->absolute && problem->z_guess && problem->work && problem->watch.x;
    if (is_complete) {
        problem->watch.z = problem->watch.x + problem->nx;
        problem->watch.seen = problem->watch.z + problem->nz;
        problem->watch.slope = problem->watch.seen + problem->nz;
    }
    if (is_complete && problem->form == PROBLEM_SEMI_EXPLICIT) {
        problem->newton = algebraic_create(problem);
        is_complete = problem->newton != NULL;
    }
    if (!is_complete) {
        problem_destroy(problem);
        return NULL;
    }
    problem_set_tolerances(problem, method);
    return problem;
}

void problem_destroy(Problem *problem)
{
    if (!problem)
        return;
    const SaltusAllocator *a = problem->allocator;
    algebraic_destroy(problem->newton);
    memory_free(a, problem->absolute);
    memory_free(a, problem->z_guess);
    memory_free(a, problem->work);
    memory_free(a, problem->watch.x);
    memory_free(a, problem);
}

// ---------------------------------------------------------------------------
// Failures
// ---------------------------------------------------------------------------

int problem_fail(Problem *problem, int code, SaltusStatus status, const char *what,
                 const char *variable, double t)
{
    problem->failure = (ProblemFailure){.status = status,
                                        .what = what,
                                        .variable = variable,
                                        .t = t,
                                        .is_recoverable = code > 0,
                                        .code = code};
    return code;
}

int problem_find_infinite(Problem *problem, const double *values, int first, const char *what,
                          double t)
{
    int index = first;
    for (; isfinite(*values); values++)
        index++;
    const char *name = index < problem->nx ? problem->mode->state_names[index]
                                           : problem->mode->algebraic_names[index - problem->nx];
    return problem_fail(problem, 1, SALTUS_ERROR_EVALUATION, what, name, t);
}

static int evaluation_failed(Problem *problem, int code, const char *what, double t)
{
    return problem_fail(problem, code, SALTUS_ERROR_EVALUATION, what, NULL, t);
}

// ---------------------------------------------------------------------------
// Equations
// ---------------------------------------------------------------------------

static int evaluate_from(Problem *problem, double t, const double *x, const double *z_guess,
                         const SaltusValues *out)
{
    // NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): a mode without it has another form
    const int code = problem->mode->evaluate(problem->context, t, x, z_guess, out);
    return code == 0 ? 0 : evaluation_failed(problem, code, "the evaluation of the mode", t);
}

void problem_watch(Problem *problem, double t)
{
    problem->watch.is_on = problem->nz > 0;
    problem->watch.has_failed = false;
    problem->watch.begin = t;
    problem->watch.distance = 0.0;
}

double problem_solution_size(const Problem *problem, int i, double a, double b)
{
    static const double least = 1e-9;
    return real_larger(real_larger(fabs(a), fabs(b)),
                       least * problem->mode->nominal[problem->nx + i]);
}

double problem_solution_error(const Problem *problem, int i, double a, double b)
{
    static const double different = 1e-3, errors = 10.0;
    return real_larger(different * problem_solution_size(problem, i, a, b),
                       errors * problem->absolute[problem->nx + i]);
}

// Far is what is not the same solution and changes by a tenth of its value, or goes elsewhere than
// the slope leads, by a fifth of the change.
void problem_watch_point(Problem *problem, double t, const double *x, const double *z)
{
    static const double much = 0.1, part = 0.2;
    const double past = t - problem->watch.begin, way = past <= problem->watch.reach ? past : 0.0;
    double most = 0.0;
    for (int i = 0; i < problem->nz; i++) {
        const double guess = problem->z_guess[i], change = z[i] - guess, distance = fabs(change);
        if (distance > problem_solution_error(problem, i, z[i], guess) &&
            (distance > much * problem_solution_size(problem, i, z[i], guess) ||
             fabs(change - problem->watch.slope[i] * way) > part * distance))
            most = real_larger(most, distance / problem_solution_size(problem, i, guess, guess));
    }
    if (!(most > problem->watch.distance))
        return;
    problem->watch.distance = most;
    problem->watch.t = t;
    memcpy(problem->watch.x, x, (size_t)problem->nx * sizeof *x);
    memcpy(problem->watch.z, z, (size_t)problem->nz * sizeof *z);
}

static int evaluate_jointly(Problem *problem, double t, const double *x, const SaltusValues *out)
{
    if (!problem->watch.is_on)
        return evaluate_from(problem, t, x, problem->z_guess, out);
    SaltusValues watched = *out;
    if (!watched.z)
        watched.z = problem->watch.seen;
    const int code = evaluate_from(problem, t, x, problem->z_guess, &watched);
    if (code == 0)
        problem_watch_point(problem, t, x, watched.z);
    else
        problem->watch.has_failed = true;
    return code;
}

int problem_rhs_solving(Problem *problem, double t, const double *x, double *z, double *dx)
{
    if (problem->form == PROBLEM_IMPLICIT)
        return evaluation_failed(problem, 1, "the right-hand side of a mode given by a residual",
                                 t);
    if (problem->mode->evaluate) {
        problem->statistics->f_evaluations++;
        return evaluate_jointly(problem, t, x, &(SaltusValues){.dx = dx, .z = z});
    }
    if (problem->form == PROBLEM_SEMI_EXPLICIT) {
        const int code = algebraic_solve(problem->newton, t, x, z);
        if (code != 0)
            return code;
    }
    problem->statistics->f_evaluations++;
    const int code = problem->mode->rhs(problem->context, t, x, z, dx);
    return code == 0 ? 0 : evaluation_failed(problem, code, "the right-hand side", t);
}

int problem_algebraics(Problem *problem, double t, const double *x, double *z)
{
    if (problem->nz == 0 || problem->form == PROBLEM_IMPLICIT)
        return 0;
    if (problem->form == PROBLEM_SEMI_EXPLICIT)
        return algebraic_solve(problem->newton, t, x, z);
    problem->statistics->f_evaluations++;
    const int code = evaluate_jointly(problem, t, x, &(SaltusValues){.z = z});
    if (code <= 0)
        return code;
    // the caller's guess may be nearer; it is read before the solution is written
    problem->statistics->f_evaluations++;
    return evaluate_from(problem, t, x, z, &(SaltusValues){.z = z});
}

int problem_constraints(Problem *problem, double t, const double *x, const double *z, double *g)
{
    problem->statistics->g_evaluations++;
    const int code = problem->mode->algebraic(problem->context, t, x, z, g);
    return code == 0 ? 0 : evaluation_failed(problem, code, "the algebraic equations", t);
}

int problem_full(Problem *problem, double t, const double *x, const double *z, double *dx,
                 double *g)
{
    problem->statistics->f_evaluations++;
    if (problem->mode->evaluate)
        return evaluate_jointly(problem, t, x, &(SaltusValues){.dx = dx});
    const int code = problem->mode->rhs(problem->context, t, x, z, dx);
    if (code != 0)
        return evaluation_failed(problem, code, "the right-hand side", t);
    return problem->form == PROBLEM_SEMI_EXPLICIT ? problem_constraints(problem, t, x, z, g) : 0;
}

int problem_residual(Problem *problem, double t, const double *x, const double *z, const double *dx,
                     double *residual)
{
    if (problem->form == PROBLEM_IMPLICIT) {
        problem->statistics->f_evaluations++;
        const int code = problem->mode->residual(problem->context, t, x, z, dx, residual);
        return code == 0 ? 0 : evaluation_failed(problem, code, "the residual", t);
    }
    const int code = problem_full(problem, t, x, z, residual, residual + problem->nx);
    for (int i = 0; i < problem->nx; i++)
        residual[i] = dx[i] - residual[i];
    return code;
}

// ---------------------------------------------------------------------------
// Event functions and outputs
// ---------------------------------------------------------------------------

int problem_events_jointly(Problem *problem, double t, const double *x, double *h)
{
    return evaluate_jointly(problem, t, x, &(SaltusValues){.h = h});
}

int problem_events_failed(Problem *problem, int code, double t)
{
    return problem->mode->evaluate ? code
                                   : evaluation_failed(problem, code, "the event functions", t);
}

const char problem_event_function[] = "the event function";

// Those that nobody looks at may be.
int problem_events_not_finite(Problem *problem, const double *h, double t)
{
    const SaltusModeDef *mode = problem->mode;
    for (int i = 0; i < mode->event_count; i++)
        if (!isfinite(h[i]) && !mode->events[i].is_muted)
            return problem_fail(problem, 1, SALTUS_ERROR_EVALUATION, problem_event_function,
                                mode->events[i].name, t);
    return 0;
}

// Not longer than the time itself: where nothing moves there is no other measure.
double problem_flow_time(const Problem *problem, double t, const double *x, const double *dx)
{
    const double *nominal = problem->mode->nominal;
    double rate = 0.0;
    for (int i = 0; i < problem->nx; i++)
        rate = real_larger(rate, fabs(dx[i]) / real_larger(fabs(x[i]), nominal[i]));
    const double longest = real_larger(fabs(t), 1.0);
    return rate * longest > 1.0 ? 1.0 / rate : longest;
}

int problem_events_ahead(Problem *problem, double t, const double *x, const double *z,
                         const double *dx, double delta, double *h)
{
    double *x_near = problem->work, *z_near = problem->work + problem->nx;
    for (int i = 0; i < problem->nx; i++)
        x_near[i] = x[i] + delta * dx[i];
    if (problem->form != PROBLEM_ODE) {
        memcpy(z_near, z, (size_t)problem->nz * sizeof *z);
        const int code = problem_algebraics(problem, t + delta, x_near, z_near);
        if (code != 0)
            return code;
    }
    return problem_events(problem, t + delta, x_near, z_near, h);
}

// dh/dt by a central difference along the tangent: the deviation of the flow from its tangent,
// x'' delta^2 / 2, is the same on both sides and cancels.
static int flow_by_difference(Problem *problem, double t, const double *x, const double *z,
                              const double *dx, double *dh)
{
    const int events = problem->mode->event_count;
    const double delta = cbrt(DBL_EPSILON) * problem_flow_time(problem, t, x, dx);
    double *behind = problem->work + 4 * (problem->nx + problem->nz);
    int code = problem_events_ahead(problem, t, x, z, dx, delta, dh);
    if (code == 0)
        code = problem_events_ahead(problem, t, x, z, dx, -delta, behind);
    const double width = (t + delta) - (t - delta);
    for (int i = 0; i < events && code == 0; i++)
        dh[i] = (dh[i] - behind[i]) / width;
    return code;
}

int problem_flow(Problem *problem, double t, const double *x, const double *z, const double *dx,
                 double *dh)
{
    const SaltusModeDef *mode = problem->mode;
    if (mode->event_count == 0)
        return 0;
    problem->statistics->flow_evaluations++;
    int code = 0;
    if (mode->evaluate && mode->has_flow)
        code = evaluate_jointly(problem, t, x, &(SaltusValues){.dh = dh});
    else if (mode->event_flow)
        code = mode->event_flow(problem->context, t, x, z, dx, dh);
    else
        return flow_by_difference(problem, t, x, z, dx, dh);
    if (code != 0)
        return evaluation_failed(problem, code, "the derivatives of the event functions", t);
    for (int i = 0; i < mode->event_count; i++) {
        if (!isfinite(dh[i]) && !mode->events[i].is_muted)
            return problem_fail(problem, 1, SALTUS_ERROR_EVALUATION,
                                "the derivative of the event function", mode->events[i].name, t);
    }
    return 0;
}

int problem_outputs(Problem *problem, double t, const double *x, const double *z, double *y)
{
    const SaltusModeDef *mode = problem->mode;
    if (mode->output_count == 0)
        return 0;
    if (mode->evaluate) {
        problem->statistics->f_evaluations++;
        return evaluate_from(problem, t, x, z, &(SaltusValues){.y = y});
    }
    const int code = mode->outputs(problem->context, t, x, z, y);
    return code == 0 ? 0 : evaluation_failed(problem, code, "the outputs", t);
}
