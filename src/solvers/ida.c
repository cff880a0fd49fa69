// SPDX-License-Identifier: MIT
//
// The solver ida: SUNDIALS IDA, variable-order, variable-coefficient BDF for 0 = F(t, y, y') with
// y = (x, z). It takes all forms of a mode: of an ODE and a semi-explicit DAE F = (x' - f, g).
//
// K. E. Brenan, S. L. Campbell, L. R. Petzold: Numerical Solution of Initial-Value Problems in
// Differential-Algebraic Equations, SIAM 1996, chapter 5.
//
// A restart needs x' (and z) that satisfy F = 0. x' is f where f is given. Of a fully implicit mode
// they are found here by two very short steps of the implicit Euler method at standing time,
//
//     F(t, y, alpha (y - y_previous)) = 0
//
// the first of which brings z, and states that algebraic equations tie together, to where they
// belong; the second one's difference quotient is x'. The matrix of both is IDA's own,
// F_y + alpha F_y', which is regular also where F_x' is not, as in C y' = f(t, y) with singular C.
// The steps become shorter until what they move the states by is not seen.

#include "solvers/sundials_common.h"

#include <float.h>
#include <ida/ida.h>
#include <math.h>
#include <string.h>
#include <sunnonlinsol/sunnonlinsol_newton.h>

typedef struct Ida {
    Sundials sundials;
    N_Vector differential; // 1: differential, 0: algebraic
    N_Vector residual;     // work of the restart, like the next three
    N_Vector correction;
    N_Vector simplified;
    N_Vector start;
    SUNNonlinearSolver newton;
    SUNNonlinSolConvTestFn test; // of its convergence
    double first_correction;     // norm of the first correction of the present iteration
} Ida;

// ---------------------------------------------------------------------------
// Callbacks
// ---------------------------------------------------------------------------

static int ida_evaluate_residual(sunrealtype t, N_Vector y, N_Vector dy, N_Vector residual,
                                 void *user)
{
    Ida *ida = user;
    Sundials *s = &ida->sundials;
    Problem *problem = s->base.problem;
    const double *x = sundials_data(y);
    double *out = sundials_data(residual);
    if (t != problem->watch.t)
        problem_watch_again(problem);
    int code = problem_residual(problem, t, x, x + problem->nx, sundials_data(dy), out);
    if (code == 0)
        code = problem_check(problem, out, problem->n, 0, "the residual", t);
    return sundials_note(s, code);
}

// The matrix F_y + alpha F_y'.
static int evaluate_matrix(sunrealtype t, sunrealtype alpha, N_Vector y, N_Vector dy,
                           N_Vector residual, SUNMatrix matrix, void *user, N_Vector work1,
                           N_Vector work2, N_Vector work3)
{
    (void)residual;
    (void)matrix;
    (void)work1;
    (void)work2;
    (void)work3;
    Ida *ida = user;
    Sundials *s = &ida->sundials;
    const double *x = sundials_data(y);
    sundials_linear_restore_pattern(&s->linear);
    int code =
        jacobian_implicit(s->linear.jacobian, t, x, x + s->base.problem->nx, sundials_data(dy),
                          alpha, 1.0 / alpha, sundials_linear_values(&s->linear));
    return sundials_note(s, code);
}

// z is solved for where that can be done, see suppress_algebraics.
static int ida_evaluate_roots(sunrealtype t, N_Vector y, N_Vector dy, sunrealtype *h, void *user)
{
    (void)dy;
    Ida *ida = user;
    Sundials *s = &ida->sundials;
    Problem *problem = s->base.problem;
    const double *x = sundials_data(y);
    int code = 0;
    if (s->n > problem->nx) {
        memcpy(s->z_work, x + problem->nx, (size_t)problem->nz * sizeof *x);
        code = problem_algebraics(problem, t, x, s->z_work);
    }
    if (code == 0)
        code = sundials_roots_evaluate(&s->roots, problem, t, x, s->z_work, h);
    return sundials_note(s, code);
}

// IDA estimates the convergence of its iteration from that of earlier steps and accepts a single
// correction on the strength of it. In algebraic equations that are strongly nonlinear the
// estimate is wrong, what is left unsolved looks like an error of the step, and steps fail
// whatever their size; or, outside the error test, grows from step to step with the predictor (a
// diode, with its current as unknown). Here the contraction is always observed: the transistor
// amplifier takes 3 to 24 times fewer steps (relative tolerance 1e-6, 1e-8).
static int observe_contraction(SUNNonlinearSolver solver, N_Vector sum, N_Vector correction,
                               sunrealtype tolerance, N_Vector weights, void *memory)
{
    (void)sum;
    void *user;
    int iteration;
    IDAGetUserData(memory, &user);
    SUNNonlinSolGetCurIter(solver, &iteration);
    Ida *ida = user;
    const double norm = N_VWrmsNorm(correction, weights);
    if (iteration == 0) {
        ida->first_correction = norm;
        return norm <= 1e-4 * tolerance ? SUN_NLS_SUCCESS : SUN_NLS_CONTINUE;
    }
    const double rate = pow(norm / ida->first_correction, 1.0 / iteration);
    if (!(rate <= 0.9))
        return SUN_NLS_CONV_RECVR;
    return norm * rate / (1.0 - rate) <= tolerance ? SUN_NLS_SUCCESS : SUN_NLS_CONTINUE;
}

static int ida_test_convergence(SUNNonlinearSolver solver, N_Vector sum, N_Vector correction,
                                sunrealtype tolerance, N_Vector weights, void *memory)
{
    void *user;
    IDAGetUserData(memory, &user);
    Ida *ida = user;
    sundials_look_at_correction(&ida->sundials, sum, weights);
    return ida->test(solver, sum, correction, tolerance, weights, memory);
}

// IDA sets its own test at each restart.
static int ida_set_test(SUNNonlinearSolver solver, SUNNonlinSolConvTestFn test, void *memory)
{
    void *user;
    IDAGetUserData(memory, &user);
    Ida *ida = user;
    ida->test = ida->sundials.base.problem->form == PROBLEM_ODE ? test : observe_contraction;
    return SUNNonlinSolSetConvTestFn_Newton(solver, ida_test_convergence, memory);
}

// ---------------------------------------------------------------------------
// The package
// ---------------------------------------------------------------------------

static int ida_advance(Sundials *s, double t_out, double *t, bool one_step)
{
    return IDASolve(s->memory, t_out, t, s->y, s->dy, one_step ? IDA_ONE_STEP : IDA_NORMAL);
}

// The first step has order 1: its error is half of x'' step^2, with x'' from a difference along
// x'. IDA itself looks at x' only and begins with a thousandth of the way, if that is less: it
// takes 10 steps of doubling more.
static double choose_first_step(Sundials *s, double t_limit)
{
    Solver *base = &s->base;
    Problem *problem = base->problem;
    const int nx = problem->nx;
    if (problem->form == PROBLEM_IMPLICIT || nx == 0)
        return 0.0;
    double *x = sundials_data(s->dense), *dx = sundials_data(((Ida *)s)->residual);
    double way = t_limit - base->t, rate = sundials_norm(problem, nx, base->x, base->dx);
    const double size = sundials_norm(problem, nx, base->x, base->x);
    double probe = fmin(1e-2 * way, 1e-2 * size / fmax(rate, DBL_MIN));
    probe = fmax(probe, 1e-6 * way);
    for (int i = 0; i < nx; i++)
        x[i] = base->x[i] + probe * base->dx[i];
    memcpy(s->z_work, base->z, (size_t)problem->nz * sizeof *base->z);
    if (problem_rhs(problem, base->t + probe, x, s->z_work, dx) != 0)
        return 0.0;
    for (int i = 0; i < nx; i++)
        dx[i] = (dx[i] - base->dx[i]) / probe;
    const double curvature = sundials_norm(problem, nx, base->x, dx);
    const double step = 0.5 * sqrt(2.0 / fmax(curvature, DBL_MIN));
    return isfinite(curvature) ? fmin(step, way) : 0.0;
}

static const SundialsCode ida_codes[] = {
    {IDA_TOO_MUCH_ACC, SALTUS_ERROR_STEP_SIZE, "the error test (more accuracy than a double has)"},
    {IDA_ERR_FAIL, SALTUS_ERROR_STEP_SIZE, "the error test"},
    {IDA_CONV_FAIL, SALTUS_ERROR_NEWTON, "the equation of the corrector"},
    {IDA_NLS_FAIL, SALTUS_ERROR_NEWTON, "the equation of the corrector"},
    {IDA_LSETUP_FAIL, SALTUS_ERROR_SINGULAR, "the iteration matrix"},
    {IDA_LSOLVE_FAIL, SALTUS_ERROR_SINGULAR, "the iteration matrix"},
    {IDA_RES_FAIL, SALTUS_ERROR_EVALUATION, "the residual"},
    {IDA_REP_RES_ERR, SALTUS_ERROR_EVALUATION, "the residual"},
    {IDA_FIRST_RES_FAIL, SALTUS_ERROR_EVALUATION, "the residual"},
    {IDA_RTFUNC_FAIL, SALTUS_ERROR_EVALUATION, "the event functions"},
    {IDA_ILL_INPUT, SALTUS_ERROR_SOLVER, "the tolerance (of a variable that is zero?)"},
    {IDA_MEM_FAIL, SALTUS_ERROR_MEMORY, "an allocation of IDA"},
    {0, SALTUS_ERROR_SOLVER, "IDA"},
};

static const SundialsPackage ida_package = {
    .advance = ida_advance,
    .choose_first_step = choose_first_step,
    .interpolate = IDAGetDky,
    .set_stop_time = IDASetStopTime,
    .set_first_step = IDASetInitStep,
    .set_root_direction = IDASetRootDirection,
    .root_info = IDAGetRootInfo,
    .integrator_statistics = IDAGetIntegratorStats,
    .iteration_statistics = IDAGetNonlinSolvStats,
    .step_failures = IDAGetNumStepSolveFails,
    .error_failures = IDAGetNumErrTestFails,
    .linear_flag = IDAGetLastLinFlag,
    .free = IDAFree,
    .codes = ida_codes,
};

// ---------------------------------------------------------------------------
// Create and destroy
// ---------------------------------------------------------------------------

static void ida_destroy(Solver *solver)
{
    if (!solver)
        return;
    Ida *ida = (Ida *)solver;
    // IDA holds on to the iteration, and that to the context.
    if (ida->sundials.memory)
        IDAFree(&ida->sundials.memory);
    if (ida->newton)
        SUNNonlinSolFree(ida->newton);
    N_Vector vectors[] = {ida->differential, ida->residual, ida->correction, ida->simplified,
                          ida->start};
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
        if (vectors[i])
            N_VDestroy(vectors[i]);
    }
    sundials_destroy(solver);
}

static bool create_vectors(Ida *ida)
{
    Sundials *s = &ida->sundials;
    ida->differential = N_VNew_Serial(s->n, s->context);
    ida->residual = N_VNew_Serial(s->n, s->context);
    ida->correction = N_VNew_Serial(s->n, s->context);
    ida->simplified = N_VNew_Serial(s->n, s->context);
    ida->start = N_VNew_Serial(s->n, s->context);
    if (!ida->differential || !ida->residual || !ida->correction || !ida->simplified || !ida->start)
        return false;
    for (int i = 0; i < s->n; i++)
        sundials_data(ida->differential)[i] = i < s->base.problem->nx ? 1.0 : 0.0;
    return true;
}

static bool ida_attach_newton(Ida *ida)
{
    Sundials *s = &ida->sundials;
    ida->newton = SUNNonlinSol_Newton(s->y, s->context);
    if (!ida->newton)
        return false;
    ida->newton->ops->setctestfn = ida_set_test;
    return IDASetNonlinearSolver(s->memory, ida->newton) == IDA_SUCCESS;
}

// The algebraic variables of a semi-explicit problem are left out of the error test: they follow
// from the states, and their Newton iteration's rest would be taken for an error of the step.
// The amplifier takes 6 times fewer steps (at 1e-6; 33 times at 1e-8) for the same accuracy.
// Since they may change faster than the steps show, they are solved for inside a step. In a
// fully implicit problem that cannot be done, so there they stay in the test.
static bool suppress_algebraics(Ida *ida)
{
    void *memory = ida->sundials.memory;
    return IDASetId(memory, ida->differential) == IDA_SUCCESS &&
           IDASetSuppressAlg(memory, SUNTRUE) == IDA_SUCCESS;
}

static bool ida_configure(Ida *ida)
{
    Sundials *s = &ida->sundials;
    Problem *problem = s->base.problem;
    s->memory = IDACreate(s->context);
    if (!s->memory)
        return false;
    bool is_good = IDASetErrHandlerFn(s->memory, sundials_drop_message, NULL) == IDA_SUCCESS &&
                   IDAInit(s->memory, ida_evaluate_residual, 0.0, s->y, s->dy) == IDA_SUCCESS &&
                   IDASetUserData(s->memory, ida) == IDA_SUCCESS &&
                   IDASVtolerances(s->memory, problem->relative, s->absolute) == IDA_SUCCESS &&
                   IDASetMaxNumSteps(s->memory, -1) == IDA_SUCCESS &&
                   IDASetMaxErrTestFails(s->memory, SUNDIALS_MAX_FAILURES) == IDA_SUCCESS &&
                   IDASetMaxConvFails(s->memory, SUNDIALS_MAX_FAILURES) == IDA_SUCCESS &&
                   IDASetMaxStep(s->memory, s->base.method.max_step) == IDA_SUCCESS;
    if (is_good && problem->form == PROBLEM_SEMI_EXPLICIT)
        is_good = suppress_algebraics(ida);
    is_good = is_good && ida_attach_newton(ida);
    if (is_good && s->roots.is_wanted)
        is_good = IDARootInit(s->memory, s->roots.count + 1, ida_evaluate_roots) == IDA_SUCCESS &&
                  sundials_set_directions(s);
    return is_good && sundials_linear_create(&s->linear, problem, s->y, false, s->context) &&
           IDASetLinearSolver(s->memory, s->linear.solver, s->linear.matrix) == IDA_SUCCESS &&
           IDASetJacFn(s->memory, evaluate_matrix) == IDA_SUCCESS;
}

// Without unknowns there is no matrix either, which IDA insists on: cvode walks as well.
static Solver *ida_create(Problem *problem, const SaltusMethod *method)
{
    if (problem->n == 0)
        return solver_CVODE.create(problem, method);
    Sundials *s =
        sundials_create(&solver_IDA, &ida_package, problem, method, sizeof(Ida), problem->n);
    if (!s)
        return NULL;
    Ida *ida = (Ida *)s;
    if (create_vectors(ida) && ida_configure(ida))
        return &s->base;
    ida_destroy(&s->base);
    return NULL;
}

// ---------------------------------------------------------------------------
// Consistent derivatives of a fully implicit mode
// ---------------------------------------------------------------------------

// Movements are measured in the tolerance. What is below `ida_negligible` is not seen; what is
// below `acceptable` is the error that an algebraic equation between states is fulfilled with after
// steps and at located events.
static const double ida_negligible = 1e-3, unseen = 1e-6, acceptable = 10.0;
static const double alpha_first = 1e6;

enum { MAX_ATTEMPTS = 8, MAX_ITERATIONS = 40, MAX_REFINEMENTS = 4 };

// y' = alpha (y - previous) of the states, with `previous` in s->dense, and F there.
static int evaluate_euler(Ida *ida, double alpha)
{
    Sundials *s = &ida->sundials;
    const double *previous = sundials_data(s->dense);
    for (int i = 0; i < s->base.problem->nx; i++)
        s->base.dx[i] = alpha * (s->base.x[i] - previous[i]);
    return ida_evaluate_residual(s->base.t, s->y, s->dy, ida->residual, ida);
}

// The matrix at the present point, factored. 0, or a status with problem->failure set.
static int factor_euler(Ida *ida, double alpha)
{
    Sundials *s = &ida->sundials;
    Problem *problem = s->base.problem;
    problem->statistics->newton_iterations++;
    problem->statistics->factorizations++;
    const double t = s->base.t;
    if (evaluate_matrix(t, alpha, s->y, s->dy, NULL, NULL, ida, NULL, NULL, NULL) != 0)
        return (int)problem->failure.status;
    if (SUNLinSolSetup(s->linear.solver, s->linear.matrix) == 0)
        return 0;
    problem_fail(problem, 1, SALTUS_ERROR_SINGULAR, "the matrix of the consistent derivatives",
                 NULL, t);
    return SALTUS_ERROR_SINGULAR;
}

// correction = M^-1 F; returns its norm, in the tolerance at the point the iteration left.
static double solve_euler(Ida *ida, N_Vector correction)
{
    Sundials *s = &ida->sundials;
    if (SUNLinSolSolve(s->linear.solver, s->linear.matrix, correction, ida->residual, 0.0) != 0)
        return INFINITY;
    return sundials_norm(s->base.problem, s->n, sundials_data(ida->start),
                         sundials_data(correction));
}

// y = start - damping * correction
static void move_euler(Ida *ida, double damping)
{
    Sundials *s = &ida->sundials;
    N_VLinearSum(1.0, ida->start, -damping, ida->correction, s->y);
}

// Whether a correction is rounding, or so small that it is not seen in x'.
static bool is_rounding(const Ida *ida)
{
    const Sundials *s = &ida->sundials;
    const double *delta = sundials_data(ida->correction), *previous = sundials_data(s->dense);
    const double *nominal = s->base.problem->mode->nominal, *y = s->base.x;
    for (int i = 0; i < s->n; i++) {
        const double scale = fmax(fabs(y[i]), nominal[i]);
        if (!(fabs(delta[i]) <= 1e-8 * fabs(y[i] - previous[i]) + 4.0 * DBL_EPSILON * scale))
            return false;
    }
    return true;
}

// One damped Newton correction, accepted if the next one with the same matrix is smaller (natural
// monotonicity test; P. Deuflhard: Newton Methods for Nonlinear Problems, 2004, section 3.3).
static int correct_euler(Ida *ida, double alpha, bool *converged)
{
    Sundials *s = &ida->sundials;
    Problem *problem = s->base.problem;
    const int status = factor_euler(ida, alpha);
    if (status != 0)
        return status;
    N_VScale(1.0, s->y, ida->start);
    const double norm = solve_euler(ida, ida->correction);
    for (double damping = 1.0; isfinite(norm) && damping >= 1.0 / 1024.0; damping *= 0.5) {
        move_euler(ida, damping);
        const int code = evaluate_euler(ida, alpha);
        if (code < 0)
            return (int)problem->failure.status;
        const double next = code == 0 ? solve_euler(ida, ida->simplified) : INFINITY;
        *converged = code == 0 && damping == 1.0 &&
                     (is_rounding(ida) || (norm <= unseen && next > 0.3 * norm));
        if (*converged || next <= (1.0 - 0.5 * damping) * norm)
            return 0;
    }
    problem->statistics->newton_failures++;
    problem_fail(problem, 1, SALTUS_ERROR_NEWTON, "the consistent derivatives", NULL, s->base.t);
    return SALTUS_ERROR_NEWTON;
}

// A step of the implicit Euler method, 1 / alpha long, from y to y, with the time standing still.
static int euler_step(Ida *ida, double alpha)
{
    Sundials *s = &ida->sundials;
    Problem *problem = s->base.problem;
    N_VScale(1.0, s->y, s->dense);
    if (evaluate_euler(ida, alpha) != 0)
        return (int)problem->failure.status;
    for (int i = 0; i < MAX_ITERATIONS; i++) {
        bool has_converged = false;
        const int status = correct_euler(ida, alpha, &has_converged);
        if (status != 0 || has_converged)
            return status;
    }
    problem->statistics->newton_failures++;
    problem_fail(problem, 1, SALTUS_ERROR_NEWTON, "the consistent derivatives", NULL, s->base.t);
    return SALTUS_ERROR_NEWTON;
}

// Two steps from the given values; *moved: by how much the second one moved the states.
static int two_steps(Ida *ida, double alpha, double *moved)
{
    Sundials *s = &ida->sundials;
    Solver *base = &s->base;
    const int nx = base->problem->nx;
    memcpy(base->x, base->x_old, (size_t)s->n * sizeof(double));
    memset(base->dx, 0, (size_t)s->n * sizeof(double));
    int status = euler_step(ida, alpha);
    if (status == 0)
        status = euler_step(ida, alpha);
    if (status == 0)
        *moved = sundials_distance(base->problem, nx, sundials_data(s->dense), base->x);
    return status;
}

// The quotient x' has the rounding of y times alpha. With y where it is now and the last matrix,
// x' and z are improved directly, as long as that contracts (it does not where rates are above
// alpha, whose motion the steps have passed over).
static void refine_derivatives(Ida *ida, double alpha)
{
    Sundials *s = &ida->sundials;
    const double *delta = sundials_data(ida->correction);
    double last = INFINITY;
    N_VScale(1.0, s->y, ida->start);
    N_VScale(1.0, s->dy, s->dense);
    for (int i = 0; i < MAX_REFINEMENTS; i++) {
        const int code = ida_evaluate_residual(s->base.t, s->y, s->dy, ida->residual, ida);
        const double norm = code == 0 ? solve_euler(ida, ida->correction) : INFINITY;
        if (!(norm < 0.3 * last)) {
            if (i == 1) {
                N_VScale(1.0, ida->start, s->y);
                N_VScale(1.0, s->dense, s->dy);
            }
            return;
        }
        last = norm;
        for (int k = 0; k < s->n; k++) {
            if (k < s->base.problem->nx)
                s->base.dx[k] -= alpha * delta[k];
            else
                s->base.x[k] -= delta[k];
        }
    }
}

// The states as given if they may stay; moved by the algebraic equations that tie them together if
// that is within the tolerance.
static int settle_states(Ida *ida, double alpha)
{
    Sundials *s = &ida->sundials;
    Solver *base = &s->base;
    const int nx = base->problem->nx;
    for (int i = 0; i < nx; i++)
        base->x[i] -= 2.0 * base->dx[i] / alpha;
    const double moved = sundials_distance(base->problem, nx, base->x_old, base->x);
    if (moved > acceptable) {
        problem_fail(base->problem, 1, SALTUS_ERROR_NEWTON,
                     "the algebraic equations between states", NULL, base->t);
        return SALTUS_ERROR_NEWTON;
    }
    if (moved <= ida_negligible)
        memcpy(base->x, base->x_old, (size_t)nx * sizeof(double));
    refine_derivatives(ida, alpha);
    memcpy(base->x_old, base->x, (size_t)s->n * sizeof(double));
    return 0;
}

// x' and z with F(t, x, z, x') = 0; z is a guess. A step that had to be much shorter than its
// movement asks for has only drowned a contradiction in rounding.
static int find_derivatives(Ida *ida)
{
    Problem *problem = ida->sundials.base.problem;
    double alpha = alpha_first, moved = 0.0;
    int status = 0;
    for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        status = two_steps(ida, alpha, &moved);
        if (status == 0 && moved <= ida_negligible) {
            if (alpha == alpha_first || moved > 1e-6 * ida_negligible)
                return settle_states(ida, alpha);
            break;
        }
        if (status == SALTUS_ERROR_EVALUATION)
            return status;
        alpha *= status == 0 ? fmax(2.0 * moved / ida_negligible, 10.0) : 1e3;
    }
    if (status == 0) {
        problem_fail(problem, 1, SALTUS_ERROR_NEWTON, "the consistent derivatives", NULL,
                     ida->sundials.base.t);
        status = SALTUS_ERROR_NEWTON;
    }
    return status;
}

// ---------------------------------------------------------------------------
// Restart and projection
// ---------------------------------------------------------------------------

// x' = f; z' is left to the first steps.
static int explicit_derivatives(Ida *ida)
{
    Sundials *s = &ida->sundials;
    Solver *base = &s->base;
    Problem *problem = base->problem;
    double *g = sundials_data(ida->residual);
    memset(base->dx, 0, (size_t)s->n * sizeof *base->dx);
    int code = problem_full(problem, base->t, base->x, base->z, base->dx, g);
    if (code == 0)
        code = problem_check(problem, base->dx, problem->nx, 0, "the right-hand side", base->t);
    return problem_status(problem, code);
}

static int ida_reset(Solver *solver, double t, const double *x, const double *z, const double *dx,
                     double step)
{
    (void)dx;
    Ida *ida = (Ida *)solver;
    Sundials *s = &ida->sundials;
    sundials_restart(s, t, x, z, step);
    const int status = solver->problem->form == PROBLEM_IMPLICIT ? find_derivatives(ida)
                                                                 : explicit_derivatives(ida);
    if (status != 0) {
        memcpy(solver->x, solver->x_old, (size_t)s->n * sizeof(double));
        return status;
    }
    int code = IDAReInit(s->memory, t, s->y, s->dy);
    if (code == IDA_SUCCESS)
        code = IDASVtolerances(s->memory, solver->problem->relative, s->absolute);
    return code == IDA_SUCCESS ? 0 : (int)sundials_failure(s, code);
}

// IDA gives no access to its history, and a restart at every step would cost 70 times the steps. So
// a projection stands in the solver's x while IDA goes on from where it was, until the two are
// so many tolerances apart. A restart then begins with order 1, for which the step size of before
// is far too long.
static const double acceptable_drift = 10.0;

static int ida_state_changed(Solver *solver)
{
    Sundials *s = (Sundials *)solver;
    const bool is_small = !s->is_fresh &&
                          IDAGetDky(s->memory, solver->t, 0, s->dense) == IDA_SUCCESS &&
                          sundials_distance(solver->problem, s->n, sundials_data(s->dense),
                                            solver->x) <= acceptable_drift;
    return is_small ? 0 : ida_reset(solver, solver->t, solver->x, solver->z, NULL, 0.0);
}

const SolverKind solver_IDA = {
    .id = SALTUS_SOLVER_IDA,
    .order = 5,
    .dense_order = 5,
    .traits = SOLVER_DAE | SOLVER_IMPLICIT | SOLVER_ROOTS,
    .create = ida_create,
    .destroy = ida_destroy,
    .reset = ida_reset,
    .step = sundials_step,
    .interpolate = sundials_interpolate,
    .state_changed = ida_state_changed,
};
