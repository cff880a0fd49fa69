// SPDX-License-Identifier: MIT
//
// Step size control without a solver: starting step, PI control, limits, giving up.

#include "solvers/control.h"

#include "support/integrate.h"
#include "support/smooth.h"
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static Integration scene;
static SaltusMethod method;

static int set_up(void **state)
{
    (void)state;
    SaltusModeDef mode = smooth_mode();
    method = method_of(SALTUS_SOLVER_DOPRI5, 1e-6, 1e-9, 0.0);
    return integration_begin(&scene, &mode, &method, SMOOTH_START);
}

static int tear_down(void **state)
{
    (void)state;
    integration_end(&scene);
    return 0;
}

static Control control_with_step(double step)
{
    Control control = control_new(5, 0.04, &method);
    control_reset(&control, &method, step);
    return control;
}

static void test_first_step_is_the_given_one(void **state)
{
    (void)state;
    Control control = control_new(5, 0.04, &method);
    assert_true(control.step == 0.0);
    control_reset(&control, &method, 0.25);
    assert_true(control.step == 0.25);
    SaltusMethod own = method;
    own.step = 0.125;
    control_reset(&control, &own, 0.0);
    assert_true(control.step == 0.125);
    own.max_step = 0.0625;
    control_reset(&control, &own, 0.25);
    assert_true(control.step == 0.0625);
}

static void test_norm_and_worst(void **state)
{
    (void)state;
    double x[2] = {1.0, -2.0}, x_new[2] = {-3.0, 1.0}, error[2] = {3e-6, -8e-6};
    double a = 3e-6 / (1e-9 + 1e-6 * 3.0), b = 8e-6 / (1e-9 + 1e-6 * 2.0);
    double norm = control_norm(scene.problem, 2, x, x_new, error);
    assert_true(fabs(norm - sqrt((a * a + b * b) / 2.0)) < 1e-14);
    assert_int_equal(control_worst(scene.problem, 2, x, x_new, error), 1);
    assert_true(control_norm(scene.problem, 0, x, x_new, error) == 0.0);
    assert_true(isnan(control_norm(scene.problem, 2, x, (double[]){1.0, INFINITY}, error)));
}

// A first step of dopri5 is sensible if its error is below the tolerance but not far below.
static void test_starting_step(void **state)
{
    (void)state;
    for (double tolerance = 1e-3; tolerance > 1e-13; tolerance *= 1e-2) {
        SaltusModeDef mode = smooth_mode();
        SaltusMethod m = method_of(SALTUS_SOLVER_DOPRI5, tolerance, tolerance, 0.0);
        Integration it;
        assert_int_equal(integration_begin(&it, &mode, &m, SMOOTH_START), 0);
        assert_int_equal(integration_step(&it, 10.0), 0);
        assert_int_equal(it.statistics.rejected_steps, 0);
        double first = it.solver->t - SMOOTH_START;
        assert_true(it.solver->step_next < 9.0 * first); // by less than the bound of growth
        integration_end(&it);
    }
}

static long evaluations_beyond;
static double evaluation_limit;

static int rhs_with_limit(const SaltusContext *c, double t, const double *x, const double *z,
                          double *dx)
{
    (void)c, (void)x, (void)z;
    if (t > evaluation_limit)
        evaluations_beyond++;
    dx[0] = 1e-3;
    dx[1] = 1e-3 * t;
    return 0;
}

// Found close to a limit, the first step is as long as without it, and nothing is evaluated
// beyond the limit.
static void test_starting_step_near_limit(void **state)
{
    (void)state;
    SaltusModeDef mode = smooth_mode();
    mode.rhs = rhs_with_limit;
    Integration it;
    double next[2];
    for (int i = 0; i < 2; i++) {
        evaluation_limit = i == 0 ? 1000.0 : SMOOTH_START + 1e-9;
        evaluations_beyond = 0;
        assert_int_equal(integration_begin(&it, &mode, &method, SMOOTH_START), 0);
        Control control = control_new(5, 0.04, &method);
        double work[4];
        assert_int_equal(control_start(&control, it.problem, 5, SMOOTH_START, it.solver->x, NULL,
                                       it.solver->dx, evaluation_limit, work),
                         0);
        next[i] = control.step;
        assert_int_equal(evaluations_beyond, 0);
        integration_end(&it);
    }
    assert_true(next[0] > 1e-3);
    assert_true(fabs(next[1] - next[0]) < 1e-2 * next[0]);
}

static int failing_rhs(const SaltusContext *c, double t, const double *x, const double *z,
                       double *dx)
{
    (void)c, (void)x, (void)z;
    dx[0] = dx[1] = 1.0;
    return t > SMOOTH_START ? -1 : 0;
}

static void test_starting_step_fails_for_good(void **state)
{
    (void)state;
    SaltusModeDef mode = smooth_mode();
    mode.rhs = failing_rhs;
    Integration it;
    assert_int_equal(integration_begin(&it, &mode, &method, SMOOTH_START), 0);
    assert_int_equal(integration_step(&it, 10.0), SALTUS_ERROR_EVALUATION);
    assert_true(it.solver->t == SMOOTH_START);
    integration_end(&it);
}

static double failing_from;

static int failing_later(const SaltusContext *c, double t, const double *x, const double *z,
                         double *dx)
{
    (void)c, (void)x, (void)z;
    dx[0] = dx[1] = 1e-3;
    return t > failing_from ? 1 : 0;
}

// Where the first probe fails recoverably, a shorter one does; where all do, the shortest that was
// tried is the first step, and the solver has to find out.
static void test_starting_step_with_failures(void **state)
{
    (void)state;
    SaltusModeDef mode = smooth_mode();
    mode.rhs = failing_later;
    static const double reach[2] = {1e-3, 0.0};
    for (int i = 0; i < 2; i++) {
        Integration it;
        failing_from = INFINITY;
        assert_int_equal(integration_begin(&it, &mode, &method, SMOOTH_START), 0);
        failing_from = SMOOTH_START + reach[i];
        Control control = control_new(5, 0.04, &method);
        double work[4];
        assert_int_equal(control_start(&control, it.problem, 5, SMOOTH_START, it.solver->x, NULL,
                                       it.solver->dx, INFINITY, work),
                         0);
        if (i == 0)
            assert_true(control.step > 1e-3);
        else
            assert_true(control.step > 0.0 && control.step < 1e-3);
        integration_end(&it);
    }
}

static void test_targets(void **state)
{
    (void)state;
    Control control = control_with_step(0.125);
    assert_true(control_target(&control, 1.0, 2.0) == 1.125);
    assert_false(control.is_cut);
    // Stretched to the limit, up to a tenth.
    assert_true(control_target(&control, 1.0, 1.135) == 1.135);
    assert_false(control.is_cut);
    // Beyond that two equal steps.
    assert_true(control_target(&control, 1.0, 1.1875) == 1.09375);
    assert_true(control.is_cut);
    assert_true(control_target(&control, 1.0, 1.0 + 1e-12) == 1.0 + 1e-12);
    assert_true(control.is_cut);
    // Never shorter than the resolution of time.
    control.step = 1e-20;
    assert_true(control_target(&control, 1.0, 2.0) - 1.0 >= 15 * DBL_EPSILON);
}

static void test_targets_with_max_step(void **state)
{
    (void)state;
    SaltusMethod limited = method;
    limited.max_step = 0.1;
    Control control = control_new(5, 0.04, &limited);
    control_reset(&control, &limited, 5.0);
    double t = 0.0, shortest = 1.0;
    int steps = 0;
    for (double next; t < 1.05; t = next, steps++) {
        next = control_target(&control, t, 1.05);
        assert_true(next - t <= 0.1 * (1.0 + 2e-9));
        shortest = fmin(shortest, next - t);
    }
    assert_true(t == 1.05);
    assert_int_equal(steps, 11);
    assert_true(shortest > 0.04);
}

// factor = 0.9 error^-(1/5 - 0.75 beta) old^beta, bounded by 0.2 and 10
static double expected_factor(double error, double old)
{
    double factor = 0.9 * pow(error, -(0.2 - 0.75 * 0.04)) * pow(old, 0.04);
    return fmin(fmax(factor, 0.2), 10.0);
}

static void test_acceptance(void **state)
{
    (void)state;
    Control control = control_with_step(0.125);
    static const double errors[] = {0.5, 1.0, 0.01, 1e-3, 1e-12, 0.0, 0.9};
    double old = 1e-4, t = 0.0;
    long steps = scene.statistics.steps;
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++) {
        double t_new = control_target(&control, t, INFINITY), h = t_new - t;
        assert_int_equal(control_judge(&control, scene.problem, t, t_new, errors[i]),
                         CONTROL_ACCEPTED);
        double expected = h * (errors[i] > 0.0 ? expected_factor(errors[i], old) : 10.0);
        assert_true(fabs(control.step - expected) < 1e-13 * expected);
        old = fmax(errors[i], 1e-4);
        t = t_new;
    }
    assert_int_equal(scene.statistics.steps - steps, 7);
}

static void test_rejection(void **state)
{
    (void)state;
    Control control = control_with_step(0.125);
    long rejected = scene.statistics.rejected_steps;
    double t_new = control_target(&control, 1.0, 2.0);
    assert_int_equal(control_judge(&control, scene.problem, 1.0, t_new, 32.0), CONTROL_REJECTED);
    assert_true(fabs(control.step - 0.125 * 0.9 * pow(32.0, -0.17)) < 1e-15);
    double again = control.step;
    t_new = control_target(&control, 1.0, 2.0);
    assert_int_equal(control_judge(&control, scene.problem, 1.0, t_new, 1e30), CONTROL_REJECTED);
    assert_true(fabs(control.step - 0.2 * again) < 1e-15);
    again = control.step;
    t_new = control_target(&control, 1.0, 2.0);
    assert_int_equal(control_judge(&control, scene.problem, 1.0, t_new, NAN), CONTROL_REJECTED);
    assert_true(fabs(control.step - 0.25 * again) < 1e-15);
    assert_int_equal(scene.statistics.rejected_steps - rejected, 3);
    // The step after a rejection does not grow.
    t_new = control_target(&control, 1.0, 2.0);
    assert_int_equal(control_judge(&control, scene.problem, 1.0, t_new, 1e-6), CONTROL_ACCEPTED);
    assert_true(control.step <= t_new - 1.0);
    // The one after that does.
    double t = t_new;
    t_new = control_target(&control, t, 2.0);
    assert_int_equal(control_judge(&control, scene.problem, t, t_new, 1e-6), CONTROL_ACCEPTED);
    assert_true(control.step > 2.0 * (t_new - t));
}

// A step cut by a limit changes neither the next step nor the memory of the control.
static void test_cut_steps(void **state)
{
    (void)state;
    Control control = control_with_step(0.125);
    control.log_error = log(0.5);
    double t_new = control_target(&control, 1.0, 1.0 + 1e-6);
    assert_int_equal(control_judge(&control, scene.problem, 1.0, t_new, 1e-14), CONTROL_ACCEPTED);
    assert_true(control.step == 0.125);
    assert_true(control.log_error == log(0.5));
    // A cut step whose error asks for a longer one than before may lengthen it.
    t_new = control_target(&control, 1.0, 1.0625);
    assert_int_equal(control_judge(&control, scene.problem, 1.0, t_new, 1e-14), CONTROL_ACCEPTED);
    assert_true(control.step > 0.5);
}

static void test_giving_up(void **state)
{
    (void)state;
    Control control = control_with_step(0.125);
    int tries = 0;
    ControlVerdict verdict = CONTROL_REJECTED;
    for (; verdict == CONTROL_REJECTED; tries++)
        verdict =
            control_judge(&control, scene.problem, 1.0, control_target(&control, 1.0, 2.0), 1e9);
    assert_int_equal(verdict, CONTROL_TOO_SMALL);
    assert_in_range(tries, 19, 22); // 5^-20 is 1e-14
    assert_int_equal(control_give_up(&control, scene.problem, "v", 1.0), SALTUS_ERROR_STEP_SIZE);
    assert_int_equal(scene.problem->failure.status, SALTUS_ERROR_STEP_SIZE);
    assert_string_equal(scene.problem->failure.variable, "v");
    assert_true(scene.problem->failure.t == 1.0);

    // At t = 0 there is no resolution of time: the number of tries ends it. The status is that
    // of the failing evaluation.
    control = control_with_step(0.125);
    problem_fail(scene.problem, 1, SALTUS_ERROR_NEWTON, "the algebraic equations", NULL, 0.1);
    verdict = CONTROL_REJECTED;
    for (tries = 0; verdict == CONTROL_REJECTED; tries++)
        verdict =
            control_judge(&control, scene.problem, 0.0, control_target(&control, 0.0, 2.0), NAN);
    assert_int_equal(tries, 100);
    assert_int_equal(control_give_up(&control, scene.problem, "v", 0.0), SALTUS_ERROR_NEWTON);
    assert_string_equal(scene.problem->failure.what, "the algebraic equations");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_first_step_is_the_given_one),
        cmocka_unit_test(test_norm_and_worst),
        cmocka_unit_test(test_starting_step),
        cmocka_unit_test(test_starting_step_near_limit),
        cmocka_unit_test(test_starting_step_fails_for_good),
        cmocka_unit_test(test_starting_step_with_failures),
        cmocka_unit_test(test_targets),
        cmocka_unit_test(test_targets_with_max_step),
        cmocka_unit_test(test_acceptance),
        cmocka_unit_test(test_rejection),
        cmocka_unit_test(test_cut_steps),
        cmocka_unit_test(test_giving_up),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
