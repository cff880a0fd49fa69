// SPDX-License-Identifier: MIT
//
// The solver ida: SUNDIALS IDA, variable-order, variable-coefficient BDF for 0 = F(t, y, y') with
// y = (x, z). It takes all forms of a mode: of an ODE and a semi-explicit DAE F = (x' - f, g).
//
// K. E. Brenan, S. L. Campbell, L. R. Petzold: Numerical Solution of Initial-Value Problems in
// Differential-Algebraic Equations, SIAM 1996, chapter 5.
//
// A restart needs x' (and z) that satisfy F = 0. They are f where f is given. Of a fully implicit
// mode they are found here by Newton's iteration for (x', z) with x fixed, in the matrix
//
//     M = (F_x' + F_x / alpha, F_z)
//
// which is IDA's own matrix F_y + alpha F_y' with the columns of x divided by alpha. alpha is
// far above the fastest rate of the equations, so the iteration contracts by their quotient; and
// M is regular also where F_x' is not, as in C y' = f(t, y) with singular C and y consistent.

#include "solvers/sundials_common.h"

#include "base/memory.h"
#include <float.h>
#include <ida/ida.h>
#include <math.h>
#include <string.h>
#include <sunnonlinsol/sunnonlinsol_newton.h>

typedef struct Ida {
    Sundials sundials;
    N_Vector differential; // 1: differential, 0: algebraic
    N_Vector residual;     // work of the restart
    N_Vector correction;
    SUNNonlinearSolver newton; // with our convergence test; NULL: IDA's own
    double first_correction;   // norm of the first correction of the present iteration
} Ida;

// ---------------------------------------------------------------------------
// Callbacks
// ---------------------------------------------------------------------------

static int evaluate_residual(sunrealtype t, N_Vector y, N_Vector dy, N_Vector residual, void *user)
{
    Ida *ida = user;
    Sundials *s = &ida->sundials;
    Problem *problem = s->base.problem;
    const double *x = sundials_data(y);
    double *out = sundials_data(residual);
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
static int evaluate_roots(sunrealtype t, N_Vector y, N_Vector dy, sunrealtype *h, void *user)
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
// whatever their size. Here the contraction is always observed: the transistor amplifier takes
// 3 to 24 times fewer steps (relative tolerance 1e-6, 1e-8).
static int test_convergence(SUNNonlinearSolver solver, N_Vector y, N_Vector correction,
                            sunrealtype tolerance, N_Vector weights, void *memory)
{
    (void)y;
    void *user;
    int iteration;
    IDAGetUserData(memory, &user);
    SUNNonlinSolGetCurIter(solver, &iteration);
    Ida *ida = user;
    double norm = N_VWrmsNorm(correction, weights);
    if (iteration == 0) {
        ida->first_correction = norm;
        return norm <= 1e-4 * tolerance ? SUN_NLS_SUCCESS : SUN_NLS_CONTINUE;
    }
    double rate = pow(norm / ida->first_correction, 1.0 / iteration);
    if (!(rate <= 0.9))
        return SUN_NLS_CONV_RECVR;
    return norm * rate / (1.0 - rate) <= tolerance ? SUN_NLS_SUCCESS : SUN_NLS_CONTINUE;
}

// IDA sets its own test at each restart.
static int set_convergence_test(SUNNonlinearSolver solver, SUNNonlinSolConvTestFn test,
                                void *memory)
{
    (void)test;
    return SUNNonlinSolSetConvTestFn_Newton(solver, test_convergence, memory);
}

// ---------------------------------------------------------------------------
// The package
// ---------------------------------------------------------------------------

static int advance(Sundials *s, double t_out, double *t, bool one_step)
{
    return IDASolve(s->memory, t_out, t, s->y, s->dy, one_step ? IDA_ONE_STEP : IDA_NORMAL);
}

static const SundialsCode codes[] = {
    {IDA_TOO_MUCH_ACC, SALTUS_ERROR_STEP_SIZE, "the error test (more accuracy than a double has)"},
    {IDA_ERR_FAIL, SALTUS_ERROR_STEP_SIZE, "the error test"},
    {IDA_CONV_FAIL, SALTUS_ERROR_NEWTON, "the corrector iteration"},
    {IDA_NLS_FAIL, SALTUS_ERROR_NEWTON, "the corrector iteration"},
    {IDA_LSETUP_FAIL, SALTUS_ERROR_SINGULAR, "the iteration matrix"},
    {IDA_LSOLVE_FAIL, SALTUS_ERROR_SINGULAR, "the iteration matrix"},
    {IDA_RES_FAIL, SALTUS_ERROR_EVALUATION, "the residual"},
    {IDA_REP_RES_ERR, SALTUS_ERROR_EVALUATION, "the residual"},
    {IDA_FIRST_RES_FAIL, SALTUS_ERROR_EVALUATION, "the residual"},
    {IDA_RTFUNC_FAIL, SALTUS_ERROR_EVALUATION, "the event functions"},
    {IDA_ILL_INPUT, SALTUS_ERROR_SOLVER, "the tolerance of a variable that is zero"},
    {IDA_MEM_FAIL, SALTUS_ERROR_MEMORY, "an allocation of IDA"},
    {0, SALTUS_ERROR_SOLVER, "IDA"},
};

static const SundialsPackage package = {
    .advance = advance,
    .interpolate = IDAGetDky,
    .set_stop_time = IDASetStopTime,
    .set_first_step = IDASetInitStep,
    .set_root_direction = IDASetRootDirection,
    .root_info = IDAGetRootInfo,
    .integrator_statistics = IDAGetIntegratorStats,
    .iteration_statistics = IDAGetNonlinSolvStats,
    .step_failures = IDAGetNumStepSolveFails,
    .linear_flag = IDAGetLastLinFlag,
    .free = IDAFree,
    .codes = codes,
};

// ---------------------------------------------------------------------------
// Create and destroy
// ---------------------------------------------------------------------------

static void destroy(Solver *solver)
{
    if (!solver)
        return;
    Ida *ida = (Ida *)solver;
    // IDA holds on to the iteration, and that to the context.
    if (ida->sundials.memory)
        IDAFree(&ida->sundials.memory);
    if (ida->newton)
        SUNNonlinSolFree(ida->newton);
    N_Vector vectors[] = {ida->differential, ida->residual, ida->correction};
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
    if (!ida->differential || !ida->residual || !ida->correction)
        return false;
    for (int i = 0; i < s->n; i++)
        sundials_data(ida->differential)[i] = i < s->base.problem->nx ? 1.0 : 0.0;
    return true;
}

static bool attach_newton(Ida *ida)
{
    Sundials *s = &ida->sundials;
    ida->newton = SUNNonlinSol_Newton(s->y, s->context);
    if (!ida->newton)
        return false;
    ida->newton->ops->setctestfn = set_convergence_test;
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

static bool configure(Ida *ida)
{
    Sundials *s = &ida->sundials;
    Problem *problem = s->base.problem;
    s->memory = IDACreate(s->context);
    if (!s->memory)
        return false;
    bool good = IDASetErrHandlerFn(s->memory, sundials_drop_message, NULL) == IDA_SUCCESS &&
                IDAInit(s->memory, evaluate_residual, 0.0, s->y, s->dy) == IDA_SUCCESS &&
                IDASetUserData(s->memory, ida) == IDA_SUCCESS &&
                IDASVtolerances(s->memory, problem->relative, s->absolute) == IDA_SUCCESS &&
                IDASetMaxNumSteps(s->memory, -1) == IDA_SUCCESS &&
                IDASetMaxStep(s->memory, s->base.method.max_step) == IDA_SUCCESS;
    if (good && problem->form == PROBLEM_SEMI_EXPLICIT)
        good = suppress_algebraics(ida);
    if (good && problem->form == PROBLEM_IMPLICIT)
        good = attach_newton(ida);
    if (good && s->roots.wanted)
        good = IDARootInit(s->memory, s->roots.count + 1, evaluate_roots) == IDA_SUCCESS &&
               sundials_set_directions(s);
    return good && sundials_linear_create(&s->linear, problem, s->y, false, s->context) &&
           IDASetLinearSolver(s->memory, s->linear.solver, s->linear.matrix) == IDA_SUCCESS &&
           IDASetJacFn(s->memory, evaluate_matrix) == IDA_SUCCESS;
}

static Solver *create(Problem *problem, const SaltusMethod *method)
{
    Sundials *s = sundials_create(&solver_ida, &package, problem, method, sizeof(Ida), problem->n);
    if (!s)
        return NULL;
    Ida *ida = (Ida *)s;
    if (create_vectors(ida) && configure(ida))
        return &s->base;
    destroy(&s->base);
    return NULL;
}

// ---------------------------------------------------------------------------
// Consistent derivatives of a fully implicit mode
// ---------------------------------------------------------------------------

// alpha has to be well above the fastest rate, which is not known, but not more than that: it
// blows up the derivatives of states that an algebraic equation ties together and that fulfil it
// within the tolerance only. So it begins low and grows until the iteration contracts.
static const double alpha_first = 1e2, alpha_factor = 1e3;

enum { MAX_ATTEMPTS = 5, MAX_ITERATIONS = 12 };

typedef enum Verdict { CONVERGED, GO_ON, DIVERGED } Verdict;

// (x', z) += the correction; *size: how large that was, against `last`, the one before.
static Verdict apply_correction(Ida *ida, double alpha, double last, double *size)
{
    Sundials *s = &ida->sundials;
    const Problem *problem = s->base.problem;
    const double *delta = sundials_data(ida->correction), *nominal = problem->mode->nominal;
    double *y = s->base.x, *dx = s->base.dx;
    bool small = true;
    *size = 0.0;
    for (int i = 0; i < s->n; i++) {
        bool state = i < problem->nx;
        double *value = state ? &dx[i] : &y[i];
        double change = state ? alpha * delta[i] : delta[i];
        double scale = fmax(fabs(y[i]), nominal[i]) * (state ? alpha : 1.0);
        *value -= change;
        small = small && fabs(change) <= 1e-10 * fabs(*value) + 16.0 * DBL_EPSILON * scale;
        *size = fmax(*size, fabs(change) / scale);
    }
    if (small)
        return CONVERGED;
    return *size <= 0.3 * last ? GO_ON : DIVERGED;
}

// F -> residual, M^-1 F -> correction. 0, or a status with problem->failure set.
static int solve_correction(Ida *ida, double alpha)
{
    Sundials *s = &ida->sundials;
    Problem *problem = s->base.problem;
    double t = s->base.t;
    problem->statistics->newton_iterations++;
    problem->statistics->factorizations++;
    int code = evaluate_residual(t, s->y, s->dy, ida->residual, ida);
    if (code == 0)
        code = evaluate_matrix(t, alpha, s->y, s->dy, NULL, NULL, ida, NULL, NULL, NULL);
    if (code != 0)
        return (int)problem->failure.status;
    SUNLinearSolver solver = s->linear.solver;
    code = SUNLinSolSetup(solver, s->linear.matrix);
    if (code == 0)
        code = SUNLinSolSolve(solver, s->linear.matrix, ida->correction, ida->residual, 0.0);
    if (code == 0 && problem_check(problem, sundials_data(ida->correction), s->n, 0,
                                   "the consistent derivatives", t) == 0)
        return 0;
    problem_fail(problem, 1, SALTUS_ERROR_SINGULAR, "the matrix of the consistent derivatives",
                 NULL, t);
    return SALTUS_ERROR_SINGULAR;
}

static int iterate_derivatives(Ida *ida, double alpha)
{
    Sundials *s = &ida->sundials;
    Problem *problem = s->base.problem;
    double last = INFINITY;
    for (int i = 0; i < MAX_ITERATIONS; i++) {
        double size;
        int status = solve_correction(ida, alpha);
        if (status != 0)
            return status;
        Verdict verdict = apply_correction(ida, alpha, last, &size);
        if (verdict == CONVERGED)
            return 0;
        if (verdict == DIVERGED)
            break;
        last = size;
    }
    problem->statistics->newton_failures++;
    problem_fail(problem, 1, SALTUS_ERROR_NEWTON, "the consistent derivatives", NULL, s->base.t);
    return SALTUS_ERROR_NEWTON;
}

// x' and z with F(t, x, z, x') = 0; z is a guess.
static int find_derivatives(Ida *ida)
{
    Sundials *s = &ida->sundials;
    Problem *problem = s->base.problem;
    size_t n = (size_t)s->n, nz = (size_t)problem->nz;
    double alpha = alpha_first;
    int status = 0;
    for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++, alpha *= alpha_factor) {
        memset(s->base.dx, 0, n * sizeof *s->base.dx);
        memcpy(s->base.z, s->base.z_old, nz * sizeof *s->base.z);
        status = iterate_derivatives(ida, alpha);
        if (status == 0 || status == SALTUS_ERROR_EVALUATION)
            break;
    }
    memcpy(s->base.z_old, s->base.z, nz * sizeof *s->base.z);
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
    return code == 0 ? 0 : (int)problem->failure.status;
}

static int reset(Solver *solver, double t, const double *x, const double *z, double step)
{
    Ida *ida = (Ida *)solver;
    Sundials *s = &ida->sundials;
    sundials_restart(s, t, x, z, step);
    int status = solver->problem->form == PROBLEM_IMPLICIT ? find_derivatives(ida)
                                                           : explicit_derivatives(ida);
    if (status != 0)
        return status;
    int code = IDAReInit(s->memory, t, s->y, s->dy);
    if (code == IDA_SUCCESS)
        code = IDASVtolerances(s->memory, solver->problem->relative, s->absolute);
    return code == IDA_SUCCESS ? 0 : (int)sundials_failure(s, code);
}

// IDA gives no access to its history: a restart. It begins with order 1, for which the step
// size of before is far too long.
static int state_changed(Solver *solver)
{
    return reset(solver, solver->t, solver->x, solver->z, 0.0);
}

const SolverKind solver_ida = {
    .id = SALTUS_SOLVER_IDA,
    .order = 5,
    .dense_order = 5,
    .traits = SOLVER_DAE | SOLVER_IMPLICIT | SOLVER_ROOTS,
    .create = create,
    .destroy = destroy,
    .reset = reset,
    .step = sundials_step,
    .interpolate = sundials_interpolate,
    .state_changed = state_changed,
};
