// SPDX-License-Identifier: MIT

#include "solvers/sundials_common.h"

#include "base/memory.h"
#include "solvers/control.h"
#include <float.h>
#include <math.h>
#include <string.h>

// What CVode and IDASolve return when all went well.
enum { ADVANCED = 0, STOPPED = 1, ROOT = 2 };

// Steps below the resolution of time after which the integrator has come to a standstill.
enum { MAX_STANDSTILL = 10 };

// ---------------------------------------------------------------------------
// Create and destroy
// ---------------------------------------------------------------------------

void sundials_drop_message(int code, const char *module, const char *function, char *message,
                           void *user)
{
    (void)code;
    (void)module;
    (void)function;
    (void)message;
    (void)user;
}

Sundials *sundials_create(const SolverKind *kind, const SundialsPackage *package, Problem *problem,
                          const SaltusMethod *method, size_t size, int n)
{
    double *extra = NULL;
    const int length = n > 0 ? n : 1;
    const size_t count = 2 * (size_t)length + (size_t)problem->nz + (size_t)problem->nx;
    Solver *solver = solver_allocate(kind, problem, method, size, count, &extra);
    if (!solver)
        return NULL;
    Sundials *s = (Sundials *)solver;
    s->package = package;
    s->n = n;
    s->base.dx = extra;
    s->z_work = extra + 2 * length;
    s->first_dx = s->z_work + problem->nz;
    s->nothing[1] = 1.0;
    if (SUNContext_Create(NULL, &s->context) == 0) {
        s->y = N_VMake_Serial(length, n > 0 ? s->base.x : &s->nothing[0], s->context);
        s->dy = N_VMake_Serial(length, s->base.dx, s->context);
        s->dense = N_VMake_Serial(length, extra + length, s->context);
        s->absolute =
            N_VMake_Serial(length, n > 0 ? problem->absolute : &s->nothing[1], s->context);
    }
    const bool is_complete = s->y && s->dy && s->dense && s->absolute &&
                             sundials_roots_create(&s->roots, problem, method);
    if (is_complete)
        return s;
    sundials_destroy(&s->base);
    return NULL;
}

static void destroy_vector(N_Vector v)
{
    if (v)
        N_VDestroy(v);
}

void sundials_destroy(Solver *solver)
{
    if (!solver)
        return;
    Sundials *s = (Sundials *)solver;
    if (s->memory)
        s->package->free(&s->memory);
    sundials_linear_destroy(&s->linear);
    sundials_roots_destroy(&s->roots, solver->problem);
    destroy_vector(s->y);
    destroy_vector(s->dy);
    destroy_vector(s->dense);
    destroy_vector(s->absolute);
    if (s->context)
        SUNContext_Free(&s->context);
    solver_free(solver);
}

bool sundials_set_directions(Sundials *s)
{
    const SaltusEventDef *events = s->base.problem->mode->events;
    for (int i = 0; i < s->roots.count; i++)
        s->roots.found[i] = (int)events[i].direction;
    s->roots.found[s->roots.count] = 0;
    return s->package->set_root_direction(s->memory, s->roots.found) == 0;
}

// ---------------------------------------------------------------------------
// Restart
// ---------------------------------------------------------------------------

static void sundials_common_copy(double *to, const double *from, int count)
{
    if (count > 0)
        memmove(to, from, (size_t)count * sizeof *to);
}

void sundials_restart(Sundials *s, double t, const double *x, const double *z, double step)
{
    Solver *base = &s->base;
    solver_place(base, t, x, z);
    sundials_common_copy(s->z_work, z, base->problem->nz);
    s->t_internal = t;
    base->is_at_root = false;
    s->first_step = step > 0.0 ? step : base->method.step;
    base->step_next = s->first_step;
    s->is_fresh = true;
    s->is_in_trouble = false;
    s->counted = (SaltusStatistics){0};
    s->error_failures = 0;
    s->worst = -1;
    sundials_roots_restart(&s->roots);
}

// ---------------------------------------------------------------------------
// Failures
// ---------------------------------------------------------------------------

int sundials_note(Sundials *s, int code)
{
    s->is_in_trouble = code != 0;
    s->was_in_trouble = s->was_in_trouble || s->is_in_trouble;
    return code;
}

static const char *name_of_unknown(const Sundials *s, int i)
{
    const Problem *problem = s->base.problem;
    if (i < 0 || i >= s->n)
        return NULL;
    return i < problem->nx ? problem->mode->state_names[i]
                           : problem->mode->algebraic_names[i - problem->nx];
}

// The third failure of a step is what smooth solutions hardly ever have, see control_is_abrupt.
enum { ABRUPT = 3 };

void sundials_look_at_correction(Sundials *s, N_Vector correction, N_Vector weights)
{
    long failures = 0;
    s->package->error_failures(s->memory, &failures);
    if (failures - s->error_failures != ABRUPT - 1)
        return;
    const double *c = sundials_data(correction), *w = sundials_data(weights);
    int worst = 0;
    for (int i = 1; i < s->n; i++)
        if (fabs(c[i] * w[i]) > fabs(c[worst] * w[worst]))
            worst = i;
    s->worst = worst;
}

// The column in which the elimination of a dense matrix met a zero pivot.
static const char *singular_variable(const Sundials *s, long flag)
{
    return s->linear.is_sparse || flag > s->n ? NULL : name_of_unknown(s, (int)flag - 1);
}

SaltusStatus sundials_failure(Sundials *s, int code)
{
    Problem *problem = s->base.problem;
    // Steps that stand still: they were made so small because evaluations failed ahead, or errors.
    if (s->is_in_trouble || (code >= 0 && s->was_in_trouble))
        return problem->failure.status;
    if (code >= 0) {
        const int fastest = control_worst(problem, problem->nx, s->base.x, s->base.x, s->base.dx);
        problem_fail(problem, -1, SALTUS_ERROR_STEP_SIZE, "the error test",
                     name_of_unknown(s, fastest), s->base.t);
        return SALTUS_ERROR_STEP_SIZE;
    }
    long flag = 0;
    if (s->linear.solver)
        s->package->linear_flag(s->memory, &flag);
    const SundialsCode *entry = s->package->codes;
    while (entry->code != code && entry->code != 0)
        entry++;
    SaltusStatus status = entry->status;
    const char *what = entry->what;
    const char *variable = status == SALTUS_ERROR_STEP_SIZE ? name_of_unknown(s, s->worst) : NULL;
    if (flag != 0 && status == SALTUS_ERROR_NEWTON) {
        status = SALTUS_ERROR_SINGULAR;
        what = "the iteration matrix";
        variable = singular_variable(s, flag);
    }
    problem_fail(problem, -1, status, what, variable, s->base.t);
    return status;
}

// ---------------------------------------------------------------------------
// Step
// ---------------------------------------------------------------------------

// Two times that are the same for the integrator.
static bool same_time(double a, double b)
{
    return fabs(a - b) <= 100.0 * DBL_EPSILON * fmax(fabs(a), fabs(b));
}

// Where the integrator has to stop: t_limit or, if the next step would leave a short rest, the
// middle.
static double stop_time(const Sundials *s, double t_limit)
{
    double rest = t_limit - s->t_internal, step = s->base.step_next;
    const bool short_rest = !s->is_fresh && step < rest && rest < 1.5 * step;
    return short_rest ? s->t_internal + 0.5 * rest : t_limit;
}

// Sets the first step after a restart. The integrators' own choice follows from the distance to
// the time they are given, and they refuse one of a few roundings: then the distance is the step.
// Returns the time to give.
static double first_target(Sundials *s, double t_limit)
{
    double t = s->base.t, step = s->first_step;
    const bool is_tiny = same_time(t, t_limit);
    if (is_tiny)
        step = t_limit - t;
    else if (step == 0.0 && s->package->choose_first_step)
        step = s->package->choose_first_step(s, t_limit);
    s->package->set_first_step(s->memory, step);
    return is_tiny ? t + 1.0 + fabs(t) : t_limit;
}

static int sundials_common_advance(Sundials *s, double t_limit, double *stop, double *t)
{
    // A root inside the last internal step was returned and the rest is longer than asked for.
    if (t_limit < s->t_internal) {
        *stop = t_limit;
        return s->package->advance(s, t_limit, t, false);
    }
    *stop = stop_time(s, t_limit);
    const double target = s->is_fresh ? first_target(s, t_limit) : t_limit;
    const int code = s->package->set_stop_time(s->memory, *stop);
    return code < 0 ? code : s->package->advance(s, target, t, true);
}

// Takes over what SUNDIALS counted, and the next step size: a step that is cut by a stop says
// nothing about it.
static void take_statistics(Sundials *s, int code, double stop)
{
    SaltusStatistics now = {0};
    long evaluations, error_failures, step_failures;
    int last_order, order;
    double first, last, next;
    s->package->integrator_statistics(s->memory, &now.steps, &evaluations, &now.factorizations,
                                      &error_failures, &last_order, &order, &first, &last, &next,
                                      &s->t_internal);
    s->package->iteration_statistics(s->memory, &now.newton_iterations, &now.newton_failures);
    s->package->step_failures(s->memory, &step_failures);
    now.rejected_steps = error_failures + step_failures;

    SaltusStatistics *statistics = s->base.problem->statistics;
    statistics->steps += now.steps - s->counted.steps;
    statistics->rejected_steps += now.rejected_steps - s->counted.rejected_steps;
    statistics->factorizations += now.factorizations - s->counted.factorizations;
    statistics->newton_iterations += now.newton_iterations - s->counted.newton_iterations;
    statistics->newton_failures += now.newton_failures - s->counted.newton_failures;
    s->counted = now;
    if (error_failures - s->error_failures >= ABRUPT)
        s->base.abrupt = name_of_unknown(s, s->worst);
    s->error_failures = error_failures;

    const bool is_cut = code == STOPPED || s->t_internal + 1.0001 * next >= stop;
    s->base.step_next = is_cut ? fmax(s->base.step_next, fmax(next, last)) : next;
}

// The algebraic variables of an accepted point where they are no unknowns of the integrator: from
// those of the last evaluation, or else of the last point.
static int solve_algebraics(Sundials *s)
{
    Solver *base = &s->base;
    Problem *problem = base->problem;
    if (problem->nz == 0 || s->n > problem->nx)
        return 0;
    sundials_common_copy(base->z, s->z_work, problem->nz);
    int code = problem_algebraics(problem, base->t, base->x, base->z);
    if (code > 0) {
        sundials_common_copy(base->z, base->z_old, problem->nz);
        code = problem_algebraics(problem, base->t, base->x, base->z);
    }
    return code;
}

static int look_at_roots(Sundials *s, bool root, bool after_root)
{
    Solver *base = &s->base;
    Problem *problem = base->problem;
    if (!root)
        return sundials_roots_step(&s->roots, problem, base->t, base->x, base->z, base->dx,
                                   base->step_next, base->root_direction, &base->is_at_root);
    // One evaluation at the end of the step, one at the old root, the others locate.
    problem->statistics->locator_iterations += s->roots.step_calls - 1 - (after_root ? 1 : 0);
    s->package->root_info(s->memory, s->roots.found);
    return sundials_roots_root(&s->roots, problem, base->t, base->x, base->z, base->root_direction,
                               &base->is_at_root);
}

// After the integrator returned at t: everything else the solver tells about that point.
static int complete_step(Sundials *s, int code, bool after_root)
{
    Solver *base = &s->base;
    int failed = solve_algebraics(s);
    sundials_common_copy(s->z_work, base->z, base->problem->nz);
    if (failed == 0 && s->roots.is_wanted)
        failed = look_at_roots(s, code == ROOT, after_root);
    return problem_status(base->problem, failed);
}

int sundials_step(Solver *base, double t_limit)
{
    Sundials *s = (Sundials *)base;
    solver_begin_step(base);
    const bool is_after_root = base->is_at_root;
    base->is_at_root = false;
    s->is_in_trouble = s->was_in_trouble = false;
    s->roots.step_calls = 0;
    s->is_first = s->is_fresh;
    if (s->is_first)
        sundials_common_copy(s->first_dx, base->dx, base->problem->nx);

    double t = base->t, stop = t_limit;
    int code = ADVANCED;
    for (int tries = 0; tries < MAX_STANDSTILL && code >= 0 && t <= base->t_old; tries++) {
        code = sundials_common_advance(s, t_limit, &stop, &t);
        take_statistics(s, code, stop);
        s->is_fresh = false;
    }
    if (code < 0 || t <= base->t_old) {
        sundials_common_copy(base->x, base->x_old, base->problem->nx);
        sundials_common_copy(base->z, base->z_old, base->problem->nz);
        return (int)sundials_failure(s, code);
    }
    base->t = same_time(t, t_limit) ? t_limit : t;
    return complete_step(s, code, is_after_root);
}

// ---------------------------------------------------------------------------
// Dense output
// ---------------------------------------------------------------------------

// The first step after a restart is one of order 1: its dense output is a line, whose slope has the
// error of the step's end. Event functions that are zero after an event would leave it to either
// side. The cubic through both ends with the slopes there leaves it as the equations say.
static void sundials_first_inside(const Sundials *s, double t, double *x)
{
    const Solver *base = &s->base;
    const double step = base->t - base->t_old, part = (t - base->t_old) / step;
    const double rest = 1.0 - part;
    for (int i = 0; i < base->problem->nx; i++) {
        const double chord = base->x[i] - base->x_old[i];
        const double bend =
            rest * (step * s->first_dx[i] - chord) - part * (step * base->dx[i] - chord);
        x[i] = base->x_old[i] + part * (chord + rest * bend);
    }
}

// Between the ends. z is solved for where that can be done: integrators that have it among their
// unknowns guess it, all others begin on the line between the ends.
static int interpolate_inside(Sundials *s, double t, double *x, double *z)
{
    Solver *base = &s->base;
    Problem *problem = base->problem;
    int nx = problem->nx, nz = problem->nz;
    const double *y = sundials_data(s->dense);
    if (s->package->interpolate(s->memory, t, 0, s->dense) != 0)
        return problem_fail(problem, -1, SALTUS_ERROR_SOLVER, "the dense output", NULL, t);
    sundials_common_copy(x, y, nx);
    if (s->is_first)
        sundials_first_inside(s, t, x);
    if (!z || nz == 0)
        return 0;
    const double part = (t - base->t_old) / (base->t - base->t_old);
    for (int i = 0; i < nz; i++)
        z[i] = s->n > nx ? y[nx + i] : base->z_old[i] + part * (base->z[i] - base->z_old[i]);
    return problem_algebraics(problem, t, x, z);
}

int sundials_interpolate(Solver *base, double t, double *x, double *z)
{
    if (solver_at_end(base, t, x, z))
        return 0;
    return interpolate_inside((Sundials *)base, t, x, z);
}

// ---------------------------------------------------------------------------
// Norms
// ---------------------------------------------------------------------------

static double weighted(const Problem *problem, int i, double y, double v)
{
    return v / (problem->absolute[i] + problem->relative * fabs(y) + DBL_MIN);
}

double sundials_norm(const Problem *problem, int n, const double *y, const double *v)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        const double part = weighted(problem, i, y[i], v[i]);
        sum += part * part;
    }
    return n > 0 ? sqrt(sum / n) : 0.0;
}

double sundials_distance(const Problem *problem, int n, const double *from, const double *to)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        const double part = weighted(problem, i, from[i], to[i] - from[i]);
        sum += part * part;
    }
    return n > 0 ? sqrt(sum / n) : 0.0;
}
