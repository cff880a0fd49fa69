// SPDX-License-Identifier: MIT

#include "solvers/runge_kutta.h"

#include "base/inline.h"
#include "solvers/control.h"
#include "solvers/kernel.h"
#include "solvers/solver.h"
#include <float.h>
#include <math.h>
#include <string.h>

typedef struct RungeKutta {
    Solver solver;
    const Tableau *tableau;
    const Kernel *kernel;
    Control control; // adaptive ones

    // Fixed step: the grid.
    double grid_start, grid_step;
    double grid_passed; // grid points passed since grid_start

    double *k;       // stages of the last step, all_stages * nx
    double *x_stage; // nx: scratch of the stages for the dense output
    double *z_stage; // nz
    double *r;       // terms of the dense output, dense_terms * nx
    bool has_r;
    double *closing; // stages of a closing step, stages * nx
    double *work;    // 2 nx + nz
    size_t doubles;  // in all of these, from k on

    // Adaptive ones look for stiffness.
    int stiff_check;            // steps until the next look; 0: never
    int suspicions, acquittals; // looks that said stiff, and that did not since
    double rate; // the largest eigenvalue, where the solution came to rest; 0: unknown

    double *z_inner; // what stages are given as z: z_stage with residuals, else NULL
    double *z_end;   // what the evaluation at the end of a step is given: z_stage, NULL if nz = 0
} RungeKutta;

// Fractions of a step below which a rest of it is not worth a step of its own.
static const double grid_slack = 1e-9;
// From any step down to the shortest, or by 1e-60 where t is 0.
enum { MOST_TRIES = 100 };

static RungeKutta *runge_kutta_self(Solver *solver)
{
    return (RungeKutta *)solver;
}

// ---------------------------------------------------------------------------
// Create, destroy, reset, copy
// ---------------------------------------------------------------------------

Solver *runge_kutta_create_fixed(const SolverKind *kind, Problem *problem,
                                 const SaltusMethod *method)
{
    const Tableau *tableau = kind->tableau;
    size_t nx = (size_t)problem->nx, nz = (size_t)problem->nz;
    size_t k = (size_t)tableau->all_stages * nx, r = (size_t)tableau->dense_terms * nx;
    const size_t closing = (size_t)tableau->stages * nx;
    const size_t doubles = k + nx + nz + r + closing + (2 * nx + nz);
    double *block = NULL;
    Solver *solver = solver_allocate(kind, problem, method, sizeof(RungeKutta), doubles, &block);
    if (!solver)
        return NULL;
    RungeKutta *rk = runge_kutta_self(solver);
    rk->tableau = tableau;
    rk->kernel = &kind->kernels[kernel_place(problem->nx)];
    rk->k = block;
    rk->x_stage = rk->k + k;
    rk->z_stage = rk->x_stage + nx;
    rk->r = rk->z_stage + nz;
    rk->closing = rk->r + r;
    rk->work = rk->closing + closing;
    rk->doubles = doubles;
    rk->z_inner = problem->form == PROBLEM_SEMI_EXPLICIT ? rk->z_stage : NULL;
    rk->z_end = problem->nz > 0 ? rk->z_stage : NULL;
    solver->dx = rk->k + (size_t)tableau->stages * nx;
    return solver;
}

// x' at (t, x) of the solver, into dx.
static int runge_kutta_evaluate_end(RungeKutta *rk)
{
    Solver *s = &rk->solver;
    return kernel_evaluate(s->problem, s->t, s->x, rk->z_inner ? s->z : NULL, s->dx);
}

static int reset_state(RungeKutta *rk, double t, const double *x, const double *z, const double *dx)
{
    Solver *s = &rk->solver;
    if (s->problem->form == PROBLEM_IMPLICIT)
        return problem_fail(s->problem, SALTUS_ERROR_SOLVER, SALTUS_ERROR_SOLVER,
                            "an explicit solver with implicit equations", NULL, t);
    solver_place(s, t, x, z);
    rk->has_r = false;
    if (!dx)
        return problem_status(s->problem, runge_kutta_evaluate_end(rk));
    real_copy(s->dx, dx, s->problem->nx);
    return 0;
}

// The largest eigenvalue that was known may be over after an event: h' = -sqrt(h) has one without
// bound as the tank runs empty, and none behind. A difference tells.
static void runge_kutta_doubt_rate(RungeKutta *rk)
{
    static const double small = 1e-7, far = 1e-3;
    Solver *s = &rk->solver;
    Problem *problem = s->problem;
    const int nx = problem->nx;
    double *x = rk->work, *dx = x + nx, *z = dx + nx, rate = 0.0;
    for (int i = 0; i < nx; i++)
        x[i] = s->x[i] + small * (fabs(s->x[i]) + problem->mode->nominal[i]);
    real_copy(z, s->z, problem->nz);
    if (problem_rhs(problem, s->t, x, rk->z_inner ? z : NULL, dx) != 0)
        return;
    for (int i = 0; i < nx; i++)
        rate = real_larger(rate, fabs(dx[i] - s->dx[i]) / fabs(x[i] - s->x[i]));
    if (rate < far * rk->rate)
        rk->rate = 0.0;
}

int runge_kutta_reset_adaptive(Solver *solver, double t, const double *x, const double *z,
                               const double *dx, double step)
{
    RungeKutta *rk = runge_kutta_self(solver);
    control_reset(&rk->control, &solver->method, step);
    solver->step_next = rk->control.step;
    const int code = reset_state(rk, t, x, z, dx);
    if (code == 0 && rk->rate > 0.0)
        runge_kutta_doubt_rate(rk);
    return code;
}

int runge_kutta_reset_fixed(Solver *solver, double t, const double *x, const double *z,
                            const double *dx, double step)
{
    (void)step;
    RungeKutta *rk = runge_kutta_self(solver);
    const SaltusMethod *method = &solver->method;
    if (!(method->step > 0.0))
        return problem_fail(solver->problem, SALTUS_ERROR_ARGUMENT, SALTUS_ERROR_ARGUMENT,
                            "a fixed-step solver without a step", NULL, t);
    rk->grid_start = t;
    rk->grid_passed = 0.0;
    rk->grid_step = method->step;
    if (method->max_step > 0.0 && method->max_step < method->step)
        rk->grid_step = method->max_step;
    solver->step_next = rk->grid_step;
    return reset_state(rk, t, x, z, dx);
}

int runge_kutta_state_changed(Solver *solver)
{
    RungeKutta *rk = runge_kutta_self(solver);
    rk->has_r = false;
    return problem_status(solver->problem, runge_kutta_evaluate_end(rk));
}

int runge_kutta_copy(Solver *to, const Solver *from)
{
    RungeKutta *rk = runge_kutta_self(to);
    const RungeKutta *source = (const RungeKutta *)from;
    solver_copy_common(to, from);
    memcpy(rk->k, source->k, source->doubles * sizeof *rk->k);
    rk->has_r = source->has_r;
    rk->control = source->control;
    rk->grid_start = source->grid_start;
    rk->grid_step = source->grid_step;
    rk->grid_passed = source->grid_passed;
    rk->stiff_check = source->stiff_check;
    rk->suspicions = source->suspicions;
    rk->acquittals = source->acquittals;
    rk->rate = source->rate;
    return 0;
}

bool runge_kutta_carry(Solver *solver, Carrier *c)
{
    RungeKutta *rk = runge_kutta_self(solver);
    solver_carry_common(solver, c);
    carry(c, rk->k, rk->doubles * sizeof *rk->k);
    CARRY(c, rk->has_r);
    CARRY(c, rk->control);
    CARRY(c, rk->grid_start);
    CARRY(c, rk->grid_step);
    CARRY(c, rk->grid_passed);
    CARRY(c, rk->stiff_check);
    CARRY(c, rk->suspicions);
    CARRY(c, rk->acquittals);
    CARRY(c, rk->rate);
    return true;
}

// ---------------------------------------------------------------------------
// Steps
// ---------------------------------------------------------------------------

static void runge_kutta_begin_step(RungeKutta *rk)
{
    Solver *s = &rk->solver;
    solver_begin_step(s);
    rk->has_r = false;
}

static void runge_kutta_accept_step(RungeKutta *rk, double t_new)
{
    Solver *s = &rk->solver;
    s->t = t_new;
    real_copy(s->z, rk->z_stage, s->problem->nz);
}

// After a try that failed: the solver stays where the step began.
static int runge_kutta_abandon_step(RungeKutta *rk, int status)
{
    real_copy(rk->solver.dx, rk->k, rk->solver.problem->nx);
    real_copy(rk->solver.x, rk->solver.x_old, rk->solver.problem->nx);
    return status;
}

// The stages of a try to t_new, and x_new in the solver's x. dx: x' where the step begins, which is
// in k[0] after the first try.
ALWAYS_INLINE int try_stages(RungeKutta *rk, double t_new, const double *dx)
{
    Solver *s = &rk->solver;
    problem_watch_again(s->problem);
    real_copy(rk->z_stage, s->z_old, s->problem->nz);
    return rk->kernel->stages(s->problem, s->t_old, t_new, s->x_old, dx, rk->z_inner, rk->k, s->x);
}

// The derivative at the end of a try, into dx.
ALWAYS_INLINE int try_end(RungeKutta *rk, double t_new)
{
    Solver *s = &rk->solver;
    int code = kernel_evaluate(s->problem, t_new, s->x, rk->z_end, s->dx);
    if (code == 0 && s->problem->nz > 0)
        code = problem_check(s->problem, rk->z_stage, s->problem->nz, s->problem->nx,
                             "the algebraic variables", t_new);
    return code;
}

// The derivative there, for the error estimate: of many values, the estimate is finite only if they
// are.
ALWAYS_INLINE int try_end_for_error(RungeKutta *rk, double t_new)
{
    Solver *s = &rk->solver;
    if (s->problem->nx < PROBLEM_MANY || s->problem->nz > 0)
        return try_end(rk, t_new);
    return problem_rhs(s->problem, t_new, s->x, NULL, s->dx);
}

static double try_error(RungeKutta *rk, double t_new, bool has_end)
{
    Solver *s = &rk->solver;
    const int nx = s->problem->nx;
    const double error = rk->kernel->error(s->problem, t_new - s->t_old, s->x_old, s->x, rk->k);
    if (isfinite(error))
        return error;
    int code = has_end ? problem_check(s->problem, s->dx, nx, 0, "the right-hand side", t_new) : 0;
    if (code == 0)
        code = problem_check(s->problem, s->x, nx, 0, "the step", t_new);
    return code == 0 ? DBL_MAX : NAN;
}

// A try to t_new. Where the error estimate does not need the derivative at the end, that is
// evaluated only if the estimate is small enough.
ALWAYS_INLINE int try_adaptive(RungeKutta *rk, double t_new, const double *dx, double *error)
{
    const bool end_first = rk->tableau->error[rk->tableau->stages] != 0.0;
    int code = try_stages(rk, t_new, dx);
    if (code == 0 && end_first)
        code = try_end_for_error(rk, t_new);
    if (code == 0)
        *error = try_error(rk, t_new, end_first);
    if (code == 0 && !end_first && *error <= 1.0)
        code = try_end(rk, t_new);
    if (code > 0)
        *error = NAN;
    return code < 0 ? code : 0;
}

// The state whose error is largest, for messages.
static const char *worst_state(const RungeKutta *rk, double h)
{
    const Solver *s = &rk->solver;
    double *error = rk->work;
    const int nx = s->problem->nx;
    for (int i = 0; i < nx; i++) {
        error[i] = 0.0;
        for (int j = 0; j <= rk->tableau->stages; j++)
            error[i] += h * rk->tableau->error[j] * rk->k[j * nx + i];
    }
    const int worst = control_worst(s->problem, nx, s->x_old, s->x, error);
    return nx > 0 ? s->problem->mode->state_names[worst] : NULL;
}

// h |lambda| with the largest eigenvalue, from the last stage and the end of the step, which are at
// the same time: |f(Y) - f(x_new)| / |Y - x_new|. (Hairer, Wanner: Solving Ordinary Differential
// Equations II, section IV.2, and their code dopri5.) 0 where the points do not differ
// clearly, by so many times the squares of their rounding.
static double stiffness(const RungeKutta *rk, double clearly)
{
    const Solver *s = &rk->solver;
    const Problem *problem = s->problem;
    const Tableau *tableau = rk->tableau;
    const int nx = problem->nx, last = tableau->stages - 1;
    const double h = s->t - s->t_old;
    double numerator = 0.0, denominator = 0.0, noise = 0.0;
    for (int i = 0; i < nx; i++) {
        double y = s->x_old[i];
        for (int j = 0; j < last; j++)
            y += h * tableau->a[last][j] * rk->k[j * nx + i];
        const double scale = problem->absolute[i] + problem->relative * fabs(s->x[i]);
        const double df = (s->dx[i] - rk->k[last * nx + i]) / scale, dy = (s->x[i] - y) / scale;
        numerator += df * df;
        const double rounding = 64.0 * DBL_EPSILON * (fabs(s->x[i]) + fabs(h * s->dx[i])) / scale;
        denominator += dy * dy;
        noise += rounding * rounding;
    }
    return denominator > clearly * noise ? h * sqrt(numerator / denominator) : 0.0;
}

bool runge_kutta_is_limited(const Solver *solver)
{
    static const double near = 0.5;
    const RungeKutta *rk = (const RungeKutta *)solver;
    return stiffness(rk, 1.0) > near * rk->tableau->stability;
}

// Hairer's rule: stiff if 15 looks say so, with fewer than 6 that do not in between.
static void look_for_stiffness(RungeKutta *rk)
{
    // The period is odd: at the limit of stability, long and short steps like to alternate.
    enum { PERIOD = 33, MOST_SUSPICIONS = 15, ENOUGH_ACQUITTALS = 6 };
    rk->stiff_check = 1;
    if (stiffness(rk, 1.0) > rk->tableau->stability) {
        rk->acquittals = 0;
        rk->solver.seems_stiff = ++rk->suspicions >= MOST_SUSPICIONS;
    } else if (rk->suspicions == 0 || ++rk->acquittals >= ENOUGH_ACQUITTALS) {
        rk->suspicions = rk->acquittals = 0;
        rk->solver.seems_stiff = false;
        rk->stiff_check = PERIOD;
    }
}

// Where the solution rests, errors are small however long a step is, and beyond the limit of
// stability it would amplify rounding until they are as large as the tolerance, again and again.
// The next step stays below that limit, also where the eigenvalue is not real. It is known from
// when the solution moved more than by its rounding. A complex pair turns the difference of stage
// and end along an ellipse, on which |J u| / |u| may be anything; but J maps the ellipse to itself,
// |lambda| times larger, so that the mean of log |J u| - log |u| over all phases is log |lambda|.
static void runge_kutta_stay_stable(RungeKutta *rk, double error)
{
    static const double small_error = 1e-2, little = 0.1, inside = 0.8, clearly = 1e8, weight = 0.1;
    Solver *s = &rk->solver;
    const Problem *problem = s->problem;
    const double limit = inside * rk->tableau->stability, h = s->t - s->t_old;
    if (!(error < small_error) || limit == 0.0 ||
        h * control_norm(problem, problem->nx, s->x, s->x, s->dx) > little)
        return;
    const double rate = stiffness(rk, clearly) / h;
    if (rate > 0.0)
        rk->rate = rk->rate > 0.0 ? rk->rate * pow(rate / rk->rate, weight) : rate;
    if (rk->control.step * rk->rate > limit)
        rk->control.step = limit / rk->rate;
}

int runge_kutta_step_adaptive(Solver *solver, double t_limit)
{
    RungeKutta *rk = runge_kutta_self(solver);
    Problem *problem = solver->problem;
    const double t = solver->t;
    runge_kutta_begin_step(rk);
    if (rk->control.step == 0.0) {
        const int code =
            control_start(&rk->control, problem, rk->tableau->order, t, solver->x,
                          rk->z_inner ? solver->z : NULL, solver->dx, t_limit, rk->work);
        if (code < 0)
            return problem_status(problem, code);
    }
    double t_new, error = NAN;
    for (const double *dx = solver->dx;; dx = rk->k) {
        t_new = control_target(&rk->control, t, t_limit);
        const int code = try_adaptive(rk, t_new, dx, &error);
        if (code < 0)
            return runge_kutta_abandon_step(rk, problem_status(problem, code));
        const ControlVerdict verdict = control_judge(&rk->control, problem, t, t_new, error);
        if (verdict == CONTROL_ACCEPTED)
            break;
        if (control_is_abrupt(&rk->control))
            solver->abrupt = worst_state(rk, t_new - t);
        if (verdict == CONTROL_TOO_SMALL) {
            const char *variable = rk->control.is_failing ? NULL : worst_state(rk, t_new - t);
            return runge_kutta_abandon_step(rk,
                                            control_give_up(&rk->control, problem, variable, t));
        }
    }
    runge_kutta_accept_step(rk, t_new);
    runge_kutta_stay_stable(rk, error);
    solver->step_next = rk->control.step;
    if (rk->stiff_check > 0 && --rk->stiff_check == 0)
        look_for_stiffness(rk);
    return 0;
}

// A step to t_new without error estimate.
static int try_fixed(RungeKutta *rk, double t_new, const double *dx)
{
    Problem *problem = rk->solver.problem;
    int code = try_stages(rk, t_new, dx);
    if (code == 0)
        code = problem_check(problem, rk->solver.x, problem->nx, 0, "the step", t_new);
    if (code == 0)
        code = try_end(rk, t_new);
    return code;
}

int runge_kutta_step_fixed(Solver *solver, double t_limit)
{
    RungeKutta *rk = runge_kutta_self(solver);
    Problem *problem = solver->problem;
    double t = solver->t, slack = grid_slack * rk->grid_step;
    const double next = rk->grid_start + (rk->grid_passed + 1.0) * rk->grid_step;
    double t_new = next >= t_limit - slack ? t_limit : next;
    runge_kutta_begin_step(rk);
    if (!(t_new > t))
        return problem_fail(problem, SALTUS_ERROR_STEP_SIZE, SALTUS_ERROR_STEP_SIZE,
                            "the fixed step (below the resolution of time)", NULL, t);
    int code = try_fixed(rk, t_new, solver->dx);
    for (int tries = 1; code > 0 && tries < MOST_TRIES; tries++) {
        problem->statistics->rejected_steps++;
        const double h = 0.25 * (t_new - t);
        if (h < control_shortest(t))
            break;
        t_new = t + h;
        code = try_fixed(rk, t_new, rk->k);
    }
    if (code != 0)
        return runge_kutta_abandon_step(rk, problem_status(problem, code));
    problem->statistics->steps++;
    runge_kutta_accept_step(rk, t_new);
    if (t_new >= next - slack)
        rk->grid_passed += 1.0;
    return 0;
}

// ---------------------------------------------------------------------------
// Between the ends of the last step
// ---------------------------------------------------------------------------

static int runge_kutta_prepare_dense(RungeKutta *rk)
{
    Solver *s = &rk->solver;
    if (rk->kernel->more_stages) {
        real_copy(rk->z_stage, s->z_old, s->problem->nz);
        const int code = rk->kernel->more_stages(s->problem, s->t_old, s->t, s->x_old, rk->z_inner,
                                                 rk->k, rk->x_stage);
        if (code != 0)
            return code;
    }
    rk->kernel->dense(s->problem->nx, s->t - s->t_old, s->x_old, s->x, rk->k, rk->r);
    rk->has_r = true;
    return 0;
}

int runge_kutta_sample(Solver *solver, int count, const double *times, double *x)
{
    RungeKutta *rk = runge_kutta_self(solver);
    const int code = rk->has_r ? 0 : runge_kutta_prepare_dense(rk);
    if (code != 0)
        return problem_status(solver->problem, code);
    rk->kernel->values(solver->problem->nx, solver->t_old, solver->t, solver->x_old, rk->r, count,
                       times, x);
    return 0;
}

static int interpolate_algebraics(const Solver *s, double t, double theta, const double *x,
                                  double *z)
{
    for (int i = 0; i < s->problem->nz; i++)
        z[i] = s->z_old[i] + theta * (s->z[i] - s->z_old[i]);
    return problem_algebraics(s->problem, t, x, z);
}

int runge_kutta_interpolate(Solver *solver, double t, double *x, double *z)
{
    const int nz = solver->problem->nz;
    if (solver_at_end(solver, t, x, z))
        return 0;
    int code = runge_kutta_sample(solver, 1, &t, x);
    if (code == 0 && z && nz > 0) {
        const double theta = (t - solver->t_old) / (solver->t - solver->t_old);
        code = problem_status(solver->problem, interpolate_algebraics(solver, t, theta, x, z));
    }
    return code;
}

int runge_kutta_closing_step(Solver *solver, double t, double *x, double *z)
{
    RungeKutta *rk = runge_kutta_self(solver);
    Problem *problem = solver->problem;
    problem->statistics->closing_steps++;
    if (t == solver->t)
        return runge_kutta_interpolate(solver, t, x, z); // the last step itself
    real_copy(rk->z_stage, solver->z_old, problem->nz);
    int code = rk->kernel->stages(problem, solver->t_old, t, solver->x_old, rk->k, rk->z_inner,
                                  rk->closing, x);
    if (code == 0)
        code = problem_check(problem, x, problem->nx, 0, "the closing step", t);
    if (code == 0 && z && problem->nz > 0) {
        real_copy(z, rk->z_stage, problem->nz);
        code = problem_algebraics(problem, t, x, z);
    }
    return problem_status(problem, code);
}

// The error estimate behaves like h^(error_order + 1) for one embedded solution, and like
// (h^(error_order + 1))^2 / h^(low_order + 1) for two (see method.h).
Solver *runge_kutta_create_adaptive(const SolverKind *kind, Problem *problem,
                                    const SaltusMethod *method)
{
    // Hairer's value for dopri5. For dop853 his code has 0, but with this a third to a half fewer
    // steps are rejected and no more evaluations needed (Arenstorf, Pleiades, pendulum).
    const double beta = 0.04;
    Solver *solver = runge_kutta_create_fixed(kind, problem, method);
    if (!solver)
        return NULL;
    const Tableau *tableau = runge_kutta_self(solver)->tableau;
    int order = tableau->error_order + 1;
    if (tableau->low_order > 0)
        order = 2 * order - (tableau->low_order + 1);
    runge_kutta_self(solver)->control = control_new(order, beta, method);
    runge_kutta_self(solver)->stiff_check = tableau->stability > 0.0 && problem->nx > 0;
    return solver;
}

// ---------------------------------------------------------------------------
// Steps outside of a solver
// ---------------------------------------------------------------------------

size_t runge_kutta_free_work(const Tableau *tableau, int n)
{
    return (size_t)(tableau->stages + 1) * (size_t)n;
}

// sum += h weight[j] k[j], j < count
static void add_weighted(int n, const double *weight, int count, double h, const double *k,
                         double *sum)
{
    for (int j = 0; j < count; j++) {
        if (weight[j] == 0.0)
            continue;
        for (int i = 0; i < n; i++)
            sum[i] += h * weight[j] * k[(size_t)j * (size_t)n + (size_t)i];
    }
}

int runge_kutta_free_step(const Tableau *tableau, RungeKuttaFunction function, void *user, int n,
                          double s, double h, const double *y, double *y_new, double *error,
                          double *work)
{
    double *k = work;
    const int stages = tableau->stages;
    const bool end_needed = error && tableau->error[stages] != 0.0;
    for (int i = 0; i < stages; i++) {
        real_copy(y_new, y, n);
        add_weighted(n, tableau->a[i], i, h, k, y_new);
        const int code = function(user, s + tableau->c[i] * h, y_new, k + (size_t)i * (size_t)n);
        if (code != 0)
            return code;
    }
    real_copy(y_new, y, n);
    add_weighted(n, tableau->a[stages], stages, h, k, y_new);
    if (end_needed) {
        const int code = function(user, s + h, y_new, k + (size_t)stages * (size_t)n);
        if (code != 0)
            return code;
    }
    if (error) {
        memset(error, 0, (size_t)n * sizeof *error);
        add_weighted(n, tableau->error, stages + 1, h, k, error);
    }
    return 0;
}
