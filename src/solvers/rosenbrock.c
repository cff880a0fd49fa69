// SPDX-License-Identifier: MIT
//
// What holds between calls:
// - `f` = (x', g) at t, and so `dx`; `f_old`, `jacobian` and `f_time` belong to t_old: a closing
//   step from there costs a factorization and the stages.
// - `stages` are those of the last accepted step, for its dense output, which runs from y_old to
//   y as it is now, even if that was projected.
// - y = (x, z) and y_old lie in one piece, so n unknowns can be read through x.

#include "solvers/rosenbrock.h"

#include "numerics/factors.h"
#include "solvers/control.h"
#include "solvers/jacobian.h"
#include "solvers/solver.h"
#include <float.h>
#include <math.h>
#include <string.h>

typedef struct Rosenbrock {
    Solver solver;
    const RosenbrockTableau *tableau;
    Control control;
    Jacobian *differentiator;
    Factors matrix; // M / (h gamma) - jacobian
    int n;
    double time_span; // step size f_time was found for; 0: none
    bool has_jacobian;
    bool has_dense;

    double *f, *f_old;    // n, (f, g) at t and t_old
    double *f_time;       // n
    double *jacobian;     // as the differentiator stores it
    double *y_new;        // nx + nz, argument of the stages, then the end of a try
    double *stages;       // stages * n
    double *other_stages; // the same for a closing step
    double *dense;        // dense terms * n
    double *work;         // 2 nx + nz
    size_t doubles;       // in all of these, from f on
} Rosenbrock;

// Rejections in a row after which the algebraic variables at the beginning of the step are suspect.
enum { SUSPECT = 4 };

// f_time is found anew when the step has become so much smaller than the one it was found for.
static const double time_span_shrink = 0.1;

static Rosenbrock *rosenbrock_self(Solver *solver)
{
    return (Rosenbrock *)solver;
}

// ---------------------------------------------------------------------------
// Create, destroy, reset, copy
// ---------------------------------------------------------------------------

static void rosenbrock_lay_out(Rosenbrock *r, double *block)
{
    const Problem *problem = r->solver.problem;
    size_t n = (size_t)r->n, all = (size_t)problem->nx + (size_t)problem->nz;
    const size_t stages = (size_t)r->tableau->stages;
    r->f = block;
    r->f_old = r->f + n;
    r->f_time = r->f_old + n;
    r->jacobian = r->f_time + n;
    r->y_new = r->jacobian + r->matrix.value_count;
    r->stages = r->y_new + all;
    r->other_stages = r->stages + stages * n;
    r->dense = r->other_stages + stages * n;
    r->work = r->dense + ROSENBROCK_DENSE_TERMS * n;
    r->solver.dx = r->f;
}

static void rosenbrock_destroy(Solver *solver)
{
    if (!solver)
        return;
    Rosenbrock *r = rosenbrock_self(solver);
    factors_destroy(&r->matrix);
    jacobian_destroy(r->differentiator);
    solver_free(solver);
}

// The Jacobian and the matrix; sparse where that pays.
static bool create_matrices(Problem *problem, Jacobian **differentiator, Factors *matrix)
{
    if (problem->form == PROBLEM_IMPLICIT) // is refused at reset
        return true;
    const SaltusSparsity *sparsity = problem->mode->hints.sparsity;
    const bool is_sparse = sparsity && sparse_pays(problem->n, sparsity->column_start[problem->n]);
    Jacobian *j = jacobian_create(problem, is_sparse ? JACOBIAN_SPARSE : JACOBIAN_DENSE);
    if (!j)
        return false;
    *differentiator = j;
    if (factors_create(matrix, problem->n, j->column_start, j->rows, problem->allocator))
        return true;
    jacobian_destroy(j);
    return false;
}

static Solver *rosenbrock_create(Problem *problem, const SaltusMethod *method)
{
    const RosenbrockTableau *tableau = &rosenbrock_rodas5p;
    size_t n = (size_t)problem->n, nx = (size_t)problem->nx, nz = (size_t)problem->nz;
    const size_t stages = (size_t)tableau->stages;
    Jacobian *differentiator = NULL;
    Factors matrix = {0};
    if (!create_matrices(problem, &differentiator, &matrix))
        return NULL;
    const size_t doubles = 3 * n + (size_t)matrix.value_count + (nx + nz) + 2 * stages * n +
                           ROSENBROCK_DENSE_TERMS * n + (2 * nx + nz);
    double *block = NULL;
    Solver *solver =
        solver_allocate(&solver_RODAS, problem, method, sizeof(Rosenbrock), doubles, &block);
    if (!solver) {
        factors_destroy(&matrix);
        jacobian_destroy(differentiator);
        return NULL;
    }
    Rosenbrock *r = rosenbrock_self(solver);
    r->differentiator = differentiator;
    r->matrix = matrix;
    r->tableau = tableau;
    r->n = problem->n;
    r->doubles = doubles;
    rosenbrock_lay_out(r, block);
    r->control = control_new(tableau->error_order + 1, 0.0, method);
    r->control.is_predictive = true;
    return solver;
}

// (f, g) at (t, y) into f. With a joint evaluation the algebraic variables come along.
static int rosenbrock_evaluate_end(Rosenbrock *r, double t, double *y)
{
    Problem *problem = r->solver.problem;
    int nx = problem->nx, nz = problem->nz;
    int code;
    if (problem->form == PROBLEM_SEMI_EXPLICIT)
        code = problem_full(problem, t, y, y + nx, r->f, r->f + nx);
    else
        code = problem_rhs(problem, t, y, nz > 0 ? y + nx : NULL, r->f);
    if (code == 0)
        code = problem_check(problem, r->f, r->n, 0, "the right-hand side", t);
    return code != 0 ? code : problem_check(problem, y, nx + nz, 0, "the step", t);
}

static int rosenbrock_reset(Solver *solver, double t, const double *x, const double *z,
                            const double *dx, double rosenbrock_step)
{
    Rosenbrock *r = rosenbrock_self(solver);
    Problem *problem = solver->problem;
    if (problem->form == PROBLEM_IMPLICIT)
        return problem_fail(problem, SALTUS_ERROR_SOLVER, SALTUS_ERROR_SOLVER,
                            "rodas with implicit equations", NULL, t);
    solver_place(solver, t, x, z);
    control_reset(&r->control, &solver->method, rosenbrock_step);
    solver->step_next = r->control.step;
    r->has_jacobian = r->has_dense = false;
    r->time_span = 0.0;
    if (!dx || problem->form != PROBLEM_ODE)
        return problem_status(problem, rosenbrock_evaluate_end(r, t, solver->x));
    real_copy(r->f, dx, problem->nx);
    return 0;
}

static int rosenbrock_state_changed(Solver *solver)
{
    Rosenbrock *r = rosenbrock_self(solver);
    return problem_status(solver->problem, rosenbrock_evaluate_end(r, solver->t, solver->x));
}

static int copy_solver(Solver *to, const Solver *from)
{
    Rosenbrock *r = rosenbrock_self(to);
    const Rosenbrock *source = (const Rosenbrock *)from;
    solver_copy_common(to, from);
    memcpy(r->f, source->f, source->doubles * sizeof *r->f);
    r->control = source->control;
    r->time_span = source->time_span;
    r->has_jacobian = source->has_jacobian;
    r->has_dense = source->has_dense;
    return 0;
}

static bool rosenbrock_carry(Solver *solver, Carrier *c)
{
    Rosenbrock *r = rosenbrock_self(solver);
    solver_carry_common(solver, c);
    carry(c, r->f, r->doubles * sizeof *r->f);
    CARRY(c, r->control);
    CARRY(c, r->time_span);
    CARRY(c, r->has_jacobian);
    CARRY(c, r->has_dense);
    return true;
}

// ---------------------------------------------------------------------------
// A step of given size
// ---------------------------------------------------------------------------

// The derivatives at (t_old, y_old) that a step h needs, unless they are known.
static int rosenbrock_differentiate(Rosenbrock *r, double h)
{
    Solver *s = &r->solver;
    int code = 0;
    if (!r->has_jacobian) {
        code = jacobian_evaluate(r->differentiator, s->t_old, s->x_old, s->z_old, r->f_old, h,
                                 r->jacobian);
        r->has_jacobian = code == 0;
    }
    if (code == 0 && !(h >= time_span_shrink * r->time_span && r->time_span > 0.0)) {
        code =
            jacobian_time(r->differentiator, s->t_old, s->x_old, s->z_old, r->f_old, h, r->f_time);
        r->time_span = code == 0 ? h : 0.0;
    }
    return code;
}

// M / (h gamma) - F_y
static int rosenbrock_factor(Rosenbrock *r, double h)
{
    Problem *problem = r->solver.problem;
    int n = r->n, nx = problem->nx;
    Factors *matrix = &r->matrix;
    for (int i = 0; i < matrix->value_count; i++)
        matrix->values[i] = -r->jacobian[i];
    const double diagonal = 1.0 / (h * r->tableau->gamma);
    for (int i = 0; i < nx; i++)
        matrix->values[matrix->sparse ? r->differentiator->diagonal[i] : i * (n + 1)] += diagonal;
    problem->statistics->factorizations++;
    const int singular = factors_factor(matrix);
    if (!singular)
        return 0;
    if (singular < 0)
        return problem_fail(problem, SALTUS_ERROR_MEMORY, SALTUS_ERROR_MEMORY,
                            "the factorization of a sparse matrix", NULL, r->solver.t_old);
    const int v = singular - 1;
    const char *name =
        v < nx ? problem->mode->state_names[v] : problem->mode->algebraic_names[v - nx];
    return problem_fail(problem, 1, SALTUS_ERROR_SINGULAR, "the matrix of a step", name,
                        r->solver.t_old);
}

// sum += scale sum_j weight_j stage_j for j < count, of the first `rows` of n components. Four
// stages per pass: with few components the passes are what takes time.
static inline __attribute__((always_inline)) void
add_stages_of(int n, int rows, const double *weight, int count, double scale,
              const double *restrict stages, double *restrict sum)
{
    int j = 0;
    for (; j + 4 <= count; j += 4) {
        double w0 = scale * weight[j], w1 = scale * weight[j + 1];
        double w2 = scale * weight[j + 2], w3 = scale * weight[j + 3];
        const double *u0 = stages + j * n, *u1 = u0 + n, *u2 = u1 + n, *u3 = u2 + n;
        for (int i = 0; i < rows; i++)
            sum[i] += (w0 * u0[i] + w1 * u1[i]) + (w2 * u2[i] + w3 * u3[i]);
    }
    for (; j < count; j++) {
        const double w = scale * weight[j];
        const double *u = stages + j * n;
        for (int i = 0; i < rows; i++)
            sum[i] += w * u[i];
    }
}

// The same with the size known to the compiler.
static void add_stages(int n, int rows, const double *weight, int count, double scale,
                       const double *stages, double *sum)
{
#define ROSENBROCK_SIZE(size)                                                                      \
    case size:                                                                                     \
        add_stages_of(size, size, weight, count, scale, stages, sum);                              \
        return;
    switch (rows == n ? n : 0) {
        ROSENBROCK_SIZE(1)
        ROSENBROCK_SIZE(2)
        ROSENBROCK_SIZE(3)
        ROSENBROCK_SIZE(4)
    default:
        add_stages_of(n, rows, weight, count, scale, stages, sum);
    }
#undef ROSENBROCK_SIZE
}

// y_new becomes the argument of stage i > 0. For i = tableau->stages it is the end of the step.
static void advance_argument(Rosenbrock *r, int i, const double *stages)
{
    const int n = r->n;
    if (i < r->tableau->chained) {
        real_copy(r->y_new, r->solver.x_old, n);
        add_stages(n, n, r->tableau->a[i], i, 1.0, stages, r->y_new);
        return;
    }
    const double *before = stages + (i - 1) * n;
    for (int k = 0; k < n; k++)
        r->y_new[k] += before[k];
}

// The stages of a step from (t_old, y_old) to t_new; its end in y_new. Checked: an equation without
// a finite value is named; behind the matrix all components would be without.
static int make_stages(Rosenbrock *r, double t_new, double *stages, bool is_checked)
{
    const RosenbrockTableau *tableau = r->tableau;
    Problem *problem = r->solver.problem;
    int n = r->n, nx = problem->nx;
    double t_old = r->solver.t_old, h = t_new - t_old, *y = r->y_new;
    problem_watch_again(problem);
    real_copy(stages, r->f_old, n);
    for (int i = 0; i < tableau->stages; i++) {
        double *stage = stages + i * n;
        if (i > 0) {
            advance_argument(r, i, stages);
            const double t = tableau->time[i] == 1.0 ? t_new : t_old + tableau->time[i] * h;
            int code = problem_full(problem, t, y, y + nx, stage, stage + nx);
            if (code == 0 && is_checked)
                code = problem_check(problem, stage, n, 0, "the right-hand side", t);
            if (code != 0)
                return code;
            add_stages(n, nx, tableau->c[i], i, 1.0 / h, stages, stage);
        }
        for (int k = 0; k < n && tableau->slope[i] != 0.0; k++)
            stage[k] += tableau->slope[i] * h * r->f_time[k];
        factors_solve(&r->matrix, stage);
    }
    advance_argument(r, tableau->stages, stages);
    return 0;
}

// ---------------------------------------------------------------------------
// The dense output
// ---------------------------------------------------------------------------

static void rosenbrock_prepare_dense(Rosenbrock *r)
{
    const RosenbrockTableau *tableau = r->tableau;
    memset(r->dense, 0, (size_t)(ROSENBROCK_DENSE_TERMS * r->n) * sizeof *r->dense);
    for (int k = 0; k < ROSENBROCK_DENSE_TERMS; k++)
        add_stages(r->n, r->n, tableau->dense[k], tableau->stages, 1.0, r->stages,
                   r->dense + k * r->n);
    r->has_dense = true;
}

// y(q) of unknowns `first` to `last` - 1 of a step that ends in y_end
static void dense_value(const Rosenbrock *r, const double *y_end, double q, int first, int last,
                        double *y)
{
    const double *y_old = r->solver.x_old;
    const double *d1 = r->dense, *d2 = d1 + r->n, *d3 = d2 + r->n;
    const double p = 1.0 - q;
    for (int i = first; i < last; i++)
        y[i - first] = p * y_old[i] + q * (y_end[i] + p * (d1[i] + q * (d2[i] + q * d3[i])));
}

// Makes the error of a try that of the dense output in its middle, if that is larger. It follows
// from the defect: with y = u + e, where u is the dense output, M e' - F_y e = F(u) - M u'. Of e
// that decays much faster than the step, (M / (h gamma) - F_y) e is the same as the left side; of
// other e it is as large.
static int rosenbrock_look_inside(Rosenbrock *r, double t_new, double *error)
{
    Solver *s = &r->solver;
    Problem *problem = s->problem;
    const int n = r->n, nx = problem->nx;
    const double h = t_new - s->t_old, *d2 = r->dense + n, *d3 = d2 + n;
    double *y = r->work, *e = r->other_stages;
    rosenbrock_prepare_dense(r);
    real_copy(y, r->y_new, nx + problem->nz);
    dense_value(r, r->y_new, 0.5, 0, n, y);
    const int code = problem_full(problem, s->t_old + 0.5 * h, y, y + nx, e, e + nx);
    if (code != 0)
        return code;
    for (int i = 0; i < nx; i++)
        e[i] -= (r->y_new[i] - s->x_old[i] + 0.25 * (d2[i] + d3[i])) / h;
    factors_solve(&r->matrix, e);
    *error = real_larger(*error, control_norm(problem, n, s->x_old, r->y_new, e));
    return 0;
}

// ---------------------------------------------------------------------------
// Steps
// ---------------------------------------------------------------------------

static void rosenbrock_begin_step(Rosenbrock *r)
{
    solver_begin_step(&r->solver);
    real_copy(r->f_old, r->f, r->n);
    r->has_jacobian = r->has_dense = false;
    r->time_span = 0.0;
}

static void rosenbrock_accept_step(Rosenbrock *r, double t_new)
{
    Solver *s = &r->solver;
    s->t = t_new;
    real_copy(s->x, r->y_new, s->problem->nx + s->problem->nz);
    s->step_next = r->control.step;
}

// The solver stays where the step began.
static int rosenbrock_abandon_step(Rosenbrock *r, int status)
{
    real_copy(r->f, r->f_old, r->n);
    return status;
}

// No whole step was accepted since the start or the last event.
static bool rosenbrock_is_fresh(const Rosenbrock *r)
{
    return r->control.last_step == 0.0;
}

static const double *rosenbrock_error_of(const Rosenbrock *r)
{
    return r->stages + (r->tableau->stages - 1) * r->n;
}

// A try to t_new. NAN as its error: something failed that a smaller step may avoid.
static int attempt(Rosenbrock *r, double t_new, double *error)
{
    Solver *s = &r->solver;
    const double h = t_new - s->t_old;
    *error = NAN;
    int code = rosenbrock_differentiate(r, h);
    if (code == 0)
        code = rosenbrock_factor(r, h);
    if (code == 0)
        code = make_stages(r, t_new, r->stages, false);
    if (code == 0) {
        *error = control_norm(s->problem, r->n, s->x_old, r->y_new, rosenbrock_error_of(r));
        if (!isfinite(*error)) {
            code = make_stages(r, t_new, r->stages, true);
            if (code == 0)
                code = problem_check(s->problem, r->y_new, r->n, 0, "the step", t_new);
            *error = code == 0 ? DBL_MAX : NAN;
        }
    }
    // Behind an event a step may lead over a transient that it does not see: its end and its error
    // estimate are right, for the method damps, but what lies between is not.
    if (code == 0 && *error <= 1.0 && rosenbrock_is_fresh(r))
        code = rosenbrock_look_inside(r, t_new, error);
    if (code == 0 && *error <= 1.0)
        code = rosenbrock_evaluate_end(r, t_new, r->y_new);
    if (code > 0)
        *error = NAN;
    return code < 0 ? code : 0;
}

// The algebraic variables of an accepted step are wrong by the tolerance. Where the equations are
// so nonlinear that this alone is the error of the next step, a smaller step does not help: they
// are solved for.
static int make_consistent(Rosenbrock *r)
{
    Solver *s = &r->solver;
    int code = problem_algebraics(s->problem, s->t_old, s->x_old, s->z_old);
    if (code != 0)
        return code < 0 ? code : 0;
    code = rosenbrock_evaluate_end(r, s->t_old, s->x_old);
    real_copy(s->z, s->z_old, s->problem->nz);
    real_copy(r->f_old, r->f, r->n);
    r->has_jacobian = false;
    r->time_span = 0.0;
    return code;
}

// The variable whose error is largest, for messages.
static const char *worst_variable(const Rosenbrock *r)
{
    const Problem *problem = r->solver.problem;
    const int v = control_worst(problem, r->n, r->solver.x_old, r->y_new, rosenbrock_error_of(r));
    return v < problem->nx ? problem->mode->state_names[v]
                           : problem->mode->algebraic_names[v - problem->nx];
}

static int rosenbrock_choose_step(Rosenbrock *r, double t_limit)
{
    Solver *s = &r->solver;
    const double *z = s->problem->form == PROBLEM_SEMI_EXPLICIT ? s->z_old : NULL;
    return control_start(&r->control, s->problem, r->tableau->order, s->t_old, s->x_old, z,
                         r->f_old, t_limit, r->work);
}

// A first step that is too long, twice, says nothing about the right one: a transient is over long
// before such a step ends.
static int rosenbrock_shorten_first(Rosenbrock *r, double t_limit)
{
    const double shrunk = r->control.step;
    const int code = rosenbrock_choose_step(r, t_limit);
    r->control.step = real_smaller(r->control.step, shrunk);
    return code;
}

static int rosenbrock_step(Solver *solver, double t_limit)
{
    Rosenbrock *r = rosenbrock_self(solver);
    Problem *problem = solver->problem;
    const double t = solver->t;
    rosenbrock_begin_step(r);
    if (r->control.step == 0.0) {
        const int code = rosenbrock_choose_step(r, t_limit);
        if (code < 0)
            return problem_status(problem, code);
    }
    double t_new, error;
    ControlVerdict verdict;
    int tries = 0;
    do {
        t_new = control_target(&r->control, t, t_limit);
        int code = 0;
        error = NAN;
        if (tries++ == SUSPECT && problem->form == PROBLEM_SEMI_EXPLICIT)
            code = make_consistent(r);
        if (code == 0)
            code = attempt(r, t_new, &error);
        if (code < 0)
            return rosenbrock_abandon_step(r, problem_status(problem, code));
        verdict = control_judge(&r->control, problem, t, t_new, error);
        if (control_is_abrupt(&r->control))
            solver->abrupt = worst_variable(r);
        if (verdict == CONTROL_REJECTED && tries == 2 && rosenbrock_is_fresh(r))
            code = rosenbrock_shorten_first(r, t_limit);
        if (code < 0)
            return rosenbrock_abandon_step(r, problem_status(problem, code));
    } while (verdict == CONTROL_REJECTED);
    if (verdict == CONTROL_TOO_SMALL) {
        const char *variable = r->control.is_failing ? NULL : worst_variable(r);
        return rosenbrock_abandon_step(r, control_give_up(&r->control, problem, variable, t));
    }
    rosenbrock_accept_step(r, t_new);
    return 0;
}

// ---------------------------------------------------------------------------
// Between the ends of the last step
// ---------------------------------------------------------------------------

static int rosenbrock_interpolate(Solver *solver, double t, double *x, double *z)
{
    Rosenbrock *r = rosenbrock_self(solver);
    Problem *problem = solver->problem;
    int nx = problem->nx, nz = problem->nz;
    if (solver_at_end(solver, t, x, z))
        return 0;
    if (!r->has_dense)
        rosenbrock_prepare_dense(r);
    const double q = (t - solver->t_old) / (solver->t - solver->t_old);
    dense_value(r, solver->x, q, 0, nx, x);
    if (!z || nz == 0)
        return 0;
    if (r->n > nx) {
        dense_value(r, solver->x, q, nx, r->n, z);
        return 0;
    }
    for (int i = 0; i < nz; i++)
        z[i] = solver->z_old[i] + q * (solver->z[i] - solver->z_old[i]);
    return problem_status(problem, problem_algebraics(problem, t, x, z));
}

static int closing_step(Solver *solver, double t, double *x, double *z)
{
    Rosenbrock *r = rosenbrock_self(solver);
    Problem *problem = solver->problem;
    int nx = problem->nx, nz = problem->nz;
    problem->statistics->closing_steps++;
    if (t == solver->t)
        return rosenbrock_interpolate(solver, t, x, z); // the last step itself
    int code = rosenbrock_factor(r, t - solver->t_old);
    if (code == 0)
        code = make_stages(r, t, r->other_stages, false);
    if (code == 0)
        code = problem_check(problem, r->y_new, r->n, 0, "the closing step", t);
    if (code != 0)
        return problem_status(problem, code);
    real_copy(x, r->y_new, nx);
    if (!z || nz == 0)
        return 0;
    if (r->n > nx) {
        real_copy(z, r->y_new + nx, nz);
        return 0;
    }
    real_copy(z, solver->z_old, nz);
    return problem_status(problem, problem_algebraics(problem, t, x, z));
}

const SolverKind solver_RODAS = {
    .id = SALTUS_SOLVER_RODAS,
    .order = 5,
    .dense_order = 4,
    .traits = SOLVER_ONE_STEP | SOLVER_DAE,
    .create = rosenbrock_create,
    .destroy = rosenbrock_destroy,
    .reset = rosenbrock_reset,
    .step = rosenbrock_step,
    .interpolate = rosenbrock_interpolate,
    .closing_step = closing_step,
    .state_changed = rosenbrock_state_changed,
    .copy = copy_solver,
    .carry = rosenbrock_carry,
};
