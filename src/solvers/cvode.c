// SPDX-License-Identifier: MIT
//
// The solvers cvode and adams: SUNDIALS CVODE, variable-order BDF and variable-order
// Adams-Moulton.
//
// A. C. Hindmarsh and others: SUNDIALS: Suite of Nonlinear and Differential/Algebraic Equation
// Solvers, ACM TOMS 31 (2005).
//
// CVODE integrates x' = f(t, x); algebraic variables are solved for in each evaluation.

#include "solvers/sundials_common.h"

#include "base/memory.h"
#include <cvode/cvode.h>
#include <string.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>
#include <sunnonlinsol/sunnonlinsol_newton.h>

// adams iterates like cvode, with Newton, for up to this many states, by fixed points beyond. With
// two states Newton needs the same time, a third fewer evaluations, and a quarter to a half of
// the steps where the problem is mildly stiff; with 28 (Pleiades) it needs a quarter more time
// and a tenth more evaluations.
enum { ADAMS_NEWTON_UP_TO = 10 };

typedef struct Cvode {
    Sundials sundials;
    SUNNonlinearSolver iteration; // Newton or fixed points
    SUNNonlinSolConvTestFn test;  // CVODE's own of its convergence
    double *jacobian;             // with Newton: df/dx as last evaluated
    bool is_first_known;          // dx holds f at the initial point, which CVODE asks for first
} Cvode;

// ---------------------------------------------------------------------------
// Callbacks
// ---------------------------------------------------------------------------

static int evaluate_rhs(sunrealtype t, N_Vector y, N_Vector dy, void *user)
{
    Cvode *cvode = user;
    Sundials *s = &cvode->sundials;
    Problem *problem = s->base.problem;
    size_t nx = (size_t)problem->nx, nz = (size_t)problem->nz;
    double *dx = sundials_data(dy);
    if (nx == 0) {
        dx[0] = 0.0;
        return 0;
    }
    if (cvode->is_first_known) {
        cvode->is_first_known = false;
        if (t == s->base.t) {
            memcpy(dx, s->base.dx, nx * sizeof *dx);
            return sundials_note(s, 0);
        }
    }
    if (t != problem->watch.t)
        problem_watch_again(problem);
    int code = problem_rhs(problem, t, sundials_data(y), s->z_work, dx);
    if (code == 0)
        code = problem_check(problem, dx, problem->nx, 0, "the right-hand side", t);
    if (code != 0 && nz > 0)
        memcpy(s->z_work, s->base.z, nz * sizeof *s->z_work);
    return sundials_note(s, code);
}

// The matrix I - gamma df/dx; df/dx is evaluated only where the old one no longer serves.
static int evaluate_system(sunrealtype t, N_Vector y, N_Vector f, SUNMatrix matrix, booleantype ok,
                           booleantype *current, sunrealtype gamma, void *user, N_Vector work1,
                           N_Vector work2, N_Vector work3)
{
    (void)matrix;
    (void)work1;
    (void)work2;
    (void)work3;
    Cvode *cvode = user;
    Sundials *s = &cvode->sundials;
    Jacobian *jacobian = s->linear.jacobian;
    *current = !ok;
    if (!ok) {
        const double *x = sundials_data(y);
        const int code = s->base.problem->form == PROBLEM_SEMI_EXPLICIT
                             ? jacobian_reduced(jacobian, t, x, s->z_work, gamma, cvode->jacobian)
                             : jacobian_evaluate(jacobian, t, x, s->base.z, sundials_data(f), gamma,
                                                 cvode->jacobian);
        if (sundials_note(s, code) != 0)
            return code;
    }
    sundials_linear_shift(&s->linear, gamma, cvode->jacobian);
    return 0;
}

static int cvode_evaluate_roots(sunrealtype t, N_Vector y, sunrealtype *h, void *user)
{
    Cvode *cvode = user;
    Sundials *s = &cvode->sundials;
    Problem *problem = s->base.problem;
    const double *x = sundials_data(y);
    int code =
        problem->form == PROBLEM_SEMI_EXPLICIT ? problem_algebraics(problem, t, x, s->z_work) : 0;
    if (code == 0)
        code = sundials_roots_evaluate(&s->roots, problem, t, x, s->z_work, h);
    return sundials_note(s, code);
}

// CVODE's own test, and a look at the correction of the step.
static int cvode_test_convergence(SUNNonlinearSolver solver, N_Vector correction, N_Vector last,
                                  sunrealtype tolerance, N_Vector weights, void *memory)
{
    void *user;
    CVodeGetUserData(memory, &user);
    Cvode *cvode = user;
    sundials_look_at_correction(&cvode->sundials, correction, weights);
    return cvode->test(solver, correction, last, tolerance, weights, memory);
}

static int cvode_set_test(SUNNonlinearSolver solver, SUNNonlinSolConvTestFn test, void *memory)
{
    void *user;
    CVodeGetUserData(memory, &user);
    ((Cvode *)user)->test = test;
    return SUNNonlinSolGetType(solver) == SUNNONLINEARSOLVER_FIXEDPOINT
               ? SUNNonlinSolSetConvTestFn_FixedPoint(solver, cvode_test_convergence, memory)
               : SUNNonlinSolSetConvTestFn_Newton(solver, cvode_test_convergence, memory);
}

// ---------------------------------------------------------------------------
// The package
// ---------------------------------------------------------------------------

static int cvode_advance(Sundials *s, double t_out, double *t, bool one_step)
{
    const int code = CVode(s->memory, t_out, s->y, t, one_step ? CV_ONE_STEP : CV_NORMAL);
    if (code >= 0)
        CVodeGetDky(s->memory, *t, 1, s->dy);
    return code;
}

static const SundialsCode cvode_codes[] = {
    {CV_TOO_MUCH_ACC, SALTUS_ERROR_STEP_SIZE, "the error test (more accuracy than a double has)"},
    {CV_ERR_FAILURE, SALTUS_ERROR_STEP_SIZE, "the error test"},
    {CV_CONV_FAILURE, SALTUS_ERROR_NEWTON, "the equation of the corrector"},
    {CV_NLS_FAIL, SALTUS_ERROR_NEWTON, "the equation of the corrector"},
    {CV_LSETUP_FAIL, SALTUS_ERROR_SINGULAR, "the iteration matrix"},
    {CV_LSOLVE_FAIL, SALTUS_ERROR_SINGULAR, "the iteration matrix"},
    {CV_RHSFUNC_FAIL, SALTUS_ERROR_EVALUATION, "the right-hand side"},
    {CV_FIRST_RHSFUNC_ERR, SALTUS_ERROR_EVALUATION, "the right-hand side"},
    {CV_REPTD_RHSFUNC_ERR, SALTUS_ERROR_EVALUATION, "the right-hand side"},
    {CV_UNREC_RHSFUNC_ERR, SALTUS_ERROR_EVALUATION, "the right-hand side"},
    {CV_RTFUNC_FAIL, SALTUS_ERROR_EVALUATION, "the event functions"},
    {CV_ILL_INPUT, SALTUS_ERROR_SOLVER, "the tolerance (of a state that is zero?)"},
    {CV_MEM_FAIL, SALTUS_ERROR_MEMORY, "an allocation of CVODE"},
    {0, SALTUS_ERROR_SOLVER, "CVODE"},
};

static const SundialsPackage cvode_package = {
    .advance = cvode_advance,
    .interpolate = CVodeGetDky,
    .set_stop_time = CVodeSetStopTime,
    .set_first_step = CVodeSetInitStep,
    .set_root_direction = CVodeSetRootDirection,
    .root_info = CVodeGetRootInfo,
    .integrator_statistics = CVodeGetIntegratorStats,
    .iteration_statistics = CVodeGetNonlinSolvStats,
    .step_failures = CVodeGetNumStepSolveFails,
    .error_failures = CVodeGetNumErrTestFails,
    .linear_flag = CVodeGetLastLinFlag,
    .free = CVodeFree,
    .codes = cvode_codes,
};

// ---------------------------------------------------------------------------
// Create and destroy
// ---------------------------------------------------------------------------

static void cvode_destroy(Solver *solver)
{
    if (!solver)
        return;
    Cvode *cvode = (Cvode *)solver;
    const SaltusAllocator *a = solver->problem->allocator;
    double *jacobian = cvode->jacobian;
    SUNNonlinearSolver iteration = cvode->iteration;
    // CVODE holds on to the iteration, and that to the context.
    if (cvode->sundials.memory)
        CVodeFree(&cvode->sundials.memory);
    if (iteration)
        SUNNonlinSolFree(iteration);
    sundials_destroy(solver);
    memory_free(a, jacobian);
}

static bool attach_matrix(Cvode *cvode)
{
    Sundials *s = &cvode->sundials;
    Problem *problem = s->base.problem;
    if (!sundials_linear_create(&s->linear, problem, s->y, true, s->context))
        return false;
    cvode->jacobian = MEMORY_NEW(problem->allocator, s->linear.value_count, double);
    return cvode->jacobian &&
           CVodeSetLinearSolver(s->memory, s->linear.solver, s->linear.matrix) == CV_SUCCESS &&
           CVodeSetLinSysFn(s->memory, evaluate_system) == CV_SUCCESS;
}

static bool cvode_attach_iteration(Cvode *cvode, bool is_newton)
{
    Sundials *s = &cvode->sundials;
    cvode->iteration = is_newton ? SUNNonlinSol_Newton(s->y, s->context)
                                 : SUNNonlinSol_FixedPoint(s->y, 0, s->context);
    if (!cvode->iteration)
        return false;
    cvode->iteration->ops->setctestfn = cvode_set_test;
    return CVodeSetNonlinearSolver(s->memory, cvode->iteration) == CV_SUCCESS;
}

static bool cvode_configure(Cvode *cvode, int method)
{
    Sundials *s = &cvode->sundials;
    s->memory = CVodeCreate(method, s->context);
    if (!s->memory)
        return false;
    bool is_good =
        CVodeSetErrHandlerFn(s->memory, sundials_drop_message, NULL) == CV_SUCCESS &&
        CVodeInit(s->memory, evaluate_rhs, 0.0, s->y) == CV_SUCCESS &&
        CVodeSetUserData(s->memory, cvode) == CV_SUCCESS &&
        CVodeSVtolerances(s->memory, s->base.problem->relative, s->absolute) == CV_SUCCESS &&
        CVodeSetMaxNumSteps(s->memory, -1) == CV_SUCCESS &&
        CVodeSetMaxErrTestFails(s->memory, SUNDIALS_MAX_FAILURES) == CV_SUCCESS &&
        CVodeSetMaxConvFails(s->memory, SUNDIALS_MAX_FAILURES) == CV_SUCCESS &&
        CVodeSetMaxStep(s->memory, s->base.method.max_step) == CV_SUCCESS;
    if (is_good && s->roots.is_wanted)
        is_good =
            CVodeRootInit(s->memory, s->roots.count + 1, cvode_evaluate_roots) == CV_SUCCESS &&
            sundials_set_directions(s);
    const bool is_newton = s->n > 0 && (method == CV_BDF || s->n <= ADAMS_NEWTON_UP_TO);
    return is_good && cvode_attach_iteration(cvode, is_newton) &&
           (!is_newton || attach_matrix(cvode));
}

static Solver *cvode_create(const SolverKind *kind, int lmm, Problem *problem,
                            const SaltusMethod *method)
{
    Sundials *s =
        sundials_create(kind, &cvode_package, problem, method, sizeof(Cvode), problem->nx);
    if (!s)
        return NULL;
    if (cvode_configure((Cvode *)s, lmm))
        return &s->base;
    cvode_destroy(&s->base);
    return NULL;
}

static Solver *create_bdf(Problem *problem, const SaltusMethod *method)
{
    return cvode_create(&solver_CVODE, CV_BDF, problem, method);
}

static Solver *create_adams(Problem *problem, const SaltusMethod *method)
{
    return cvode_create(&solver_ADAMS, CV_ADAMS, problem, method);
}

// ---------------------------------------------------------------------------
// Restart and projection
// ---------------------------------------------------------------------------

static int cvode_reset(Solver *solver, double t, const double *x, const double *z, const double *dx,
                       double step)
{
    (void)dx;
    Cvode *cvode = (Cvode *)solver;
    Sundials *s = &cvode->sundials;
    sundials_restart(s, t, x, z, step);
    cvode->is_first_known = false;
    if (evaluate_rhs(t, s->y, s->dy, cvode) != 0)
        return (int)solver->problem->failure.status;
    cvode->is_first_known = true;
    int code = CVodeReInit(s->memory, t, s->y);
    if (code == CV_SUCCESS)
        code = CVodeSVtolerances(s->memory, solver->problem->relative, s->absolute);
    return code == CV_SUCCESS ? 0 : (int)sundials_failure(s, code);
}

// A projection moves the state by less than the tolerance. CVODE's own projection replaces the
// first column of the history and leaves the others; so does this, at no cost. Anything larger,
// or a point inside the last internal step, is a restart.
static int cvode_state_changed(Solver *solver)
{
    Cvode *cvode = (Cvode *)solver;
    Sundials *s = &cvode->sundials;
    double t, gamma, rl1;
    N_Vector history, y, f, slope;
    void *user;
    CVodeGetNonlinearSystemData(s->memory, &t, &history, &y, &f, &gamma, &rl1, &slope, &user);
    double *current = sundials_data(history);
    const int nx = solver->problem->nx;
    const bool is_small = !s->is_fresh && solver->t == s->t_internal &&
                          sundials_distance(solver->problem, nx, current, solver->x) <= 1.0;
    if (!is_small)
        return cvode_reset(solver, solver->t, solver->x, solver->z, NULL, 0.0);
    memcpy(current, solver->x, (size_t)nx * sizeof *current);
    return 0;
}

const SolverKind solver_CVODE = {
    .id = SALTUS_SOLVER_CVODE,
    .order = 5,
    .dense_order = 5,
    .traits = SOLVER_ROOTS,
    .create = create_bdf,
    .destroy = cvode_destroy,
    .reset = cvode_reset,
    .step = sundials_step,
    .interpolate = sundials_interpolate,
    .state_changed = cvode_state_changed,
};

const SolverKind solver_ADAMS = {
    .id = SALTUS_SOLVER_ADAMS,
    .order = 12,
    .dense_order = 12,
    .traits = SOLVER_ROOTS,
    .create = create_adams,
    .destroy = cvode_destroy,
    .reset = cvode_reset,
    .step = sundials_step,
    .interpolate = sundials_interpolate,
    .state_changed = cvode_state_changed,
};
