// SPDX-License-Identifier: MIT
//
// What the one-step solvers do when an evaluation fails, yields NaN, or the error cannot be made
// small: smaller steps, then a status and what failed where.

#include "support/integrate.h"
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static const SolverKind *const kinds[] = {&solver_EULER,  &solver_HEUN,   &solver_RK4,
                                          &solver_DOPRI5, &solver_DOP853, &solver_RODAS};
enum { KINDS = sizeof kinds / sizeof kinds[0], ADAPTIVE = 3 };

// A tank that runs empty: x' = -sqrt(x), x = (1 - t / 2)^2, defined up to t = 2.
static int tank_that_fails(const SaltusContext *c, double t, const double *x, const double *z,
                           double *dx)
{
    (void)c, (void)t, (void)z;
    if (x[0] < 0.0)
        return 1;
    dx[0] = -sqrt(x[0]);
    return 0;
}

static int tank_with_nan(const SaltusContext *c, double t, const double *x, const double *z,
                         double *dx)
{
    (void)c, (void)t, (void)z;
    dx[0] = -sqrt(x[0]);
    return 0;
}

static const SaltusRhs tanks[] = {tank_that_fails, tank_with_nan};

static SaltusModeDef mode_with(SaltusRhs rhs)
{
    static const double start[1] = {1.0};
    static const char *const names[1] = {"level"};
    SaltusModeDef mode = saltus_default_mode();
    mode.state_count = 1;
    mode.state_names = names;
    mode.start = start;
    mode.rhs = rhs;
    return mode;
}

// A first step far beyond the domain is taken back until it stays inside.
static void test_steps_into_failure_are_taken_back(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        for (int k = ADAPTIVE; k < KINDS; k++) {
            SaltusModeDef mode = mode_with(tanks[i]);
            SaltusMethod method = method_of(kinds[k]->id, 1e-8, 1e-8, 50.0);
            Integration it;
            assert_int_equal(integration_begin(&it, &mode, &method, 0.0), 0);
            assert_int_equal(integration_run(&it, 1.5), 0);
            assert_true(it.statistics.rejected_steps > 0);
            // x' contracts errors; so they are at most the tolerance in each step.
            double exact = 0.0625;
            assert_true(fabs(it.solver->x[0] - exact) < 1e-8 * (double)it.statistics.steps);
            integration_end(&it);
        }
    }
}

// A fixed step that fails is divided: a whole one leaves the domain with all three methods.
static void test_fixed_step_is_divided(void **state)
{
    (void)state;
    for (int k = 0; k < ADAPTIVE; k++) {
        SaltusModeDef mode = mode_with(tank_that_fails);
        SaltusMethod method = method_of(kinds[k]->id, 1e-8, 1e-8, 1.5);
        Integration it;
        assert_int_equal(integration_begin(&it, &mode, &method, 0.0), 0);
        assert_int_equal(integration_step(&it, 10.0), 0);
        assert_true(it.solver->t < 1.5);
        assert_true(it.statistics.rejected_steps > 0);
        assert_int_equal(it.statistics.steps, 1);
        assert_true(it.solver->step_next == 1.5);
        integration_end(&it);
    }
}

// Where the domain ends, the run ends, with the evaluation as the reason.
static void test_end_of_domain(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < KINDS; k++) {
            SaltusModeDef mode = mode_with(tanks[i]);
            SaltusMethod method = method_of(kinds[k]->id, 1e-8, 1e-8, k < ADAPTIVE ? 0.01 : 0.0);
            Integration it;
            assert_int_equal(integration_begin(&it, &mode, &method, 0.0), 0);
            assert_int_equal(integration_run(&it, 3.0), SALTUS_ERROR_EVALUATION);
            const ProblemFailure *failure = &it.problem->failure;
            assert_int_equal(failure->status, SALTUS_ERROR_EVALUATION);
            assert_string_equal(failure->what, "the right-hand side");
            if (i == 1)
                assert_string_equal(failure->variable, "level");
            // As far as the domain reaches: with errors e of x, to 2 - 2 sqrt(e).
            double reached = k == 0 ? 0.3 : 0.05;
            assert_true(fabs(it.solver->t - 2.0) < reached);
            assert_true(fabs(failure->t - it.solver->t) < 1e-9);
            // The solver still stands where its last step ended.
            assert_true(it.solver->x[0] >= 0.0);
            assert_true(it.solver->dx[0] == -sqrt(it.solver->x[0]));
            assert_true(it.solver->t_old == it.solver->t);
            integration_end(&it);
        }
    }
}

static int fatal_after_one(const SaltusContext *c, double t, const double *x, const double *z,
                           double *dx)
{
    (void)c, (void)x, (void)z;
    dx[0] = 1.0;
    return t > 1.0 ? -5 : 0;
}

static void test_fatal_failure_ends_at_once(void **state)
{
    (void)state;
    for (int k = 0; k < KINDS; k++) {
        SaltusModeDef mode = mode_with(fatal_after_one);
        SaltusMethod method = method_of(kinds[k]->id, 1e-8, 1e-8, 0.3);
        Integration it;
        assert_int_equal(integration_begin(&it, &mode, &method, 0.0), 0);
        assert_int_equal(integration_run(&it, 3.0), SALTUS_ERROR_EVALUATION);
        assert_int_equal(it.statistics.rejected_steps, 0);
        assert_true(it.solver->t <= 1.0 && it.solver->x[0] <= 2.0 + 1e-12);
        assert_true(it.problem->failure.t > 1.0);
        integration_end(&it);
    }
}

static int failing_everywhere(const SaltusContext *c, double t, const double *x, const double *z,
                              double *dx)
{
    (void)c, (void)t, (void)x, (void)z, (void)dx;
    return 1;
}

static void test_failure_at_reset(void **state)
{
    (void)state;
    for (int k = 0; k < KINDS; k++) {
        SaltusModeDef mode = mode_with(failing_everywhere);
        SaltusMethod method = method_of(kinds[k]->id, 1e-8, 1e-8, 0.3);
        Integration it;
        assert_int_equal(integration_begin(&it, &mode, &method, 0.0), SALTUS_ERROR_EVALUATION);
        integration_end(&it);
    }
}

// x' = x^2 from 1 is infinite at t = 1.
static int blow_up(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    (void)c, (void)t, (void)z;
    dx[0] = x[0] * x[0];
    return 0;
}

static void test_step_size_becomes_too_small(void **state)
{
    (void)state;
    for (int k = ADAPTIVE; k < KINDS; k++) {
        SaltusModeDef mode = mode_with(blow_up);
        SaltusMethod method = method_of(kinds[k]->id, 1e-8, 1e-8, 0.0);
        Integration it;
        assert_int_equal(integration_begin(&it, &mode, &method, 0.0), 0);
        assert_int_equal(integration_run(&it, 3.0), SALTUS_ERROR_STEP_SIZE);
        assert_int_equal(it.problem->failure.status, SALTUS_ERROR_STEP_SIZE);
        assert_string_equal(it.problem->failure.variable, "level");
        // The error of the time of the pole is that of 1 / x, about the tolerance per step.
        assert_true(fabs(it.solver->t - 1.0) < 1e-8 * (double)it.statistics.steps);
        integration_end(&it);
    }
}

// Without error estimate the values overflow. The step is divided until it cannot be.
static void test_fixed_step_overflow(void **state)
{
    (void)state;
    for (int k = 0; k < ADAPTIVE; k++) {
        SaltusModeDef mode = mode_with(blow_up);
        SaltusMethod method = method_of(kinds[k]->id, 1e-8, 1e-8, 0.05);
        Integration it;
        assert_int_equal(integration_begin(&it, &mode, &method, 0.0), 0);
        assert_int_equal(integration_run(&it, 3.0), SALTUS_ERROR_EVALUATION);
        assert_true(it.solver->t > 0.9 && it.solver->t < 1.6);
        assert_true(isfinite(it.solver->x[0]));
        integration_end(&it);
    }
}

// x = 1 + 1e306 t cannot be represented beyond t = 180, though x' can.
static int steep(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    (void)c, (void)t, (void)x, (void)z;
    dx[0] = 1e306;
    return 0;
}

static void test_adaptive_overflow(void **state)
{
    (void)state;
    for (int k = ADAPTIVE; k < KINDS; k++) {
        SaltusModeDef mode = mode_with(steep);
        SaltusMethod method = method_of(kinds[k]->id, 1e-8, 1e-8, 1e-3);
        Integration it;
        assert_int_equal(integration_begin(&it, &mode, &method, 0.0), 0);
        assert_int_equal(integration_run(&it, 300.0), SALTUS_ERROR_EVALUATION);
        assert_string_equal(it.problem->failure.variable, "level");
        assert_true(it.solver->t > 179.0 && it.solver->t < 179.77);
        assert_true(isfinite(it.solver->x[0]));
        integration_end(&it);
    }
}

// dop853 looks at the end of a step only after the error test; a failure there counts too.
static int failing_at_grid_points(const SaltusContext *c, double t, const double *x,
                                  const double *z, double *dx)
{
    (void)c, (void)x, (void)z;
    static const double forbidden = 0.5;
    dx[0] = 1.0;
    return t == forbidden ? 1 : 0;
}

static void test_failure_at_the_end_of_a_step(void **state)
{
    (void)state;
    for (int k = 0; k < KINDS; k++) {
        SaltusModeDef mode = mode_with(failing_at_grid_points);
        SaltusMethod method = method_of(kinds[k]->id, 1e-8, 1e-8, 0.5);
        Integration it;
        assert_int_equal(integration_begin(&it, &mode, &method, 0.0), 0);
        assert_int_equal(integration_step(&it, 2.0), 0);
        assert_int_equal(it.statistics.rejected_steps, 1);
        assert_true(fabs(it.solver->t - 0.125) < 1e-15);
        // Rodas solves a linear system in each of its eight stages: a division and a sum more.
        const double bound = kinds[k]->id == SALTUS_SOLVER_RODAS ? 16.0 * DBL_EPSILON : 1e-15;
        assert_true(fabs(it.solver->x[0] - 1.125) <= bound);
        integration_end(&it);
    }
}

// Closing steps and dense output report what failed, and leave the step as it was.
static bool failing_now;

static int failing_on_demand(const SaltusContext *c, double t, const double *x, const double *z,
                             double *dx)
{
    (void)c, (void)x, (void)z;
    dx[0] = t;
    return failing_now ? 1 : 0;
}

static void test_failure_between_the_ends(void **state)
{
    (void)state;
    for (int k = 1; k < KINDS; k++) { // a closing step of euler evaluates nothing
        SaltusModeDef mode = mode_with(failing_on_demand);
        SaltusMethod method = method_of(kinds[k]->id, 1e-8, 1e-8, 0.5);
        Integration it;
        failing_now = false;
        assert_int_equal(integration_begin(&it, &mode, &method, 0.0), 0);
        assert_int_equal(integration_step(&it, 2.0), 0);
        failing_now = true;
        double x;
        assert_int_equal(kinds[k]->closing_step(it.solver, 0.125, &x, NULL),
                         SALTUS_ERROR_EVALUATION);
        int dense = kinds[k] == &solver_DOP853 ? SALTUS_ERROR_EVALUATION : 0;
        assert_int_equal(kinds[k]->interpolate(it.solver, 0.125, &x, NULL), dense);
        assert_int_equal(kinds[k]->state_changed(it.solver), SALTUS_ERROR_EVALUATION);
        failing_now = false;
        assert_int_equal(kinds[k]->state_changed(it.solver), 0);
        assert_int_equal(kinds[k]->interpolate(it.solver, 0.125, &x, NULL), 0);
        // x = 1 + t^2 / 2
        assert_true(fabs(x - 1.0078125) < 1e-14);
        integration_end(&it);
    }
}

static int implicit_residual(const SaltusContext *c, double t, const double *x, const double *z,
                             const double *dx, double *residual)
{
    (void)c, (void)t, (void)x, (void)z;
    residual[0] = dx[0] - 1.0;
    return 0;
}

static void test_implicit_equations_are_refused(void **state)
{
    (void)state;
    SaltusModeDef mode = mode_with(NULL);
    mode.residual = implicit_residual;
    for (int k = ADAPTIVE; k < KINDS; k++) {
        SaltusMethod method = method_of(kinds[k]->id, 1e-8, 1e-8, 0.0);
        Integration it;
        assert_int_equal(integration_begin(&it, &mode, &method, 0.0), SALTUS_ERROR_SOLVER);
        integration_end(&it);
    }
}

// ---------------------------------------------------------------------------
// Many states: what is not finite is seen where the next stage reads it
// ---------------------------------------------------------------------------

enum { MANY = 40, ODD = 17 };

// One tank among states that rest.
static int tank_among_many(const SaltusContext *c, double t, const double *x, const double *z,
                           double *dx)
{
    (void)c, (void)t, (void)z;
    for (int i = 0; i < MANY; i++)
        dx[i] = 0.0;
    dx[ODD] = -sqrt(x[ODD]);
    return 0;
}

// Infinite at one instant, whatever the states are.
static int flash_among_many(const SaltusContext *c, double t, const double *x, const double *z,
                            double *dx)
{
    (void)c, (void)x, (void)z;
    for (int i = 0; i < MANY; i++)
        dx[i] = 1.0;
    if (t == 0.2)
        dx[ODD] = INFINITY;
    return 0;
}

static SaltusModeDef mode_of_many(SaltusRhs rhs)
{
    static double start[MANY];
    static const char *names[MANY];
    static char texts[MANY][8];
    for (int i = 0; i < MANY; i++) {
        start[i] = 1.0;
        snprintf(texts[i], sizeof texts[i], "x%d", i);
        names[i] = i == ODD ? "odd" : texts[i];
    }
    SaltusModeDef mode = saltus_default_mode();
    mode.state_count = MANY;
    mode.state_names = names;
    mode.start = start;
    mode.rhs = rhs;
    return mode;
}

static void test_the_one_of_many_is_named(void **state)
{
    (void)state;
    for (int k = 0; k < KINDS; k++) {
        SaltusModeDef mode = mode_of_many(tank_among_many);
        SaltusMethod method = method_of(kinds[k]->id, 1e-8, 1e-8, k < ADAPTIVE ? 0.01 : 0.0);
        Integration it;
        assert_int_equal(integration_begin(&it, &mode, &method, 0.0), 0);
        assert_int_equal(integration_run(&it, 3.0), SALTUS_ERROR_EVALUATION);
        assert_string_equal(it.problem->failure.what, "the right-hand side");
        assert_string_equal(it.problem->failure.variable, "odd");
        assert_true(fabs(it.solver->t - 2.0) < (k == 0 ? 0.3 : 0.05)); // as of one tank alone
        integration_end(&it);
    }
}

// The second stage of dopri5 (t = 0.2 of a first step of 1) counts neither in its result nor in its
// error, and no other stage reads the states: nothing but the check sees it.
static void test_a_stage_that_counts_nowhere_is_checked(void **state)
{
    (void)state;
    SaltusModeDef mode = mode_of_many(flash_among_many);
    SaltusMethod method = method_of(SALTUS_SOLVER_DOPRI5, 1e-8, 1e-8, 1.0);
    Integration it;
    assert_int_equal(integration_begin(&it, &mode, &method, 0.0), 0);
    assert_int_equal(integration_run(&it, 1.0), 0);
    assert_true(it.statistics.rejected_steps > 0);
    for (int i = 0; i < MANY; i++) // x' = 1: exact but for rounding
        assert_true(fabs(it.solver->x[i] - 2.0) < 1e-14);
    integration_end(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steps_into_failure_are_taken_back),
        cmocka_unit_test(test_fixed_step_is_divided),
        cmocka_unit_test(test_end_of_domain),
        cmocka_unit_test(test_fatal_failure_ends_at_once),
        cmocka_unit_test(test_failure_at_reset),
        cmocka_unit_test(test_step_size_becomes_too_small),
        cmocka_unit_test(test_fixed_step_overflow),
        cmocka_unit_test(test_adaptive_overflow),
        cmocka_unit_test(test_failure_at_the_end_of_a_step),
        cmocka_unit_test(test_failure_between_the_ends),
        cmocka_unit_test(test_implicit_equations_are_refused),
        cmocka_unit_test(test_the_one_of_many_is_named),
        cmocka_unit_test(test_a_stage_that_counts_nowhere_is_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
