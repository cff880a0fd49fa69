// SPDX-License-Identifier: MIT
//
// Explicit solvers with algebraic variables: solved for in every stage with residuals, delivered
// with the derivatives by a joint evaluation.
//
// The problem: x' = -z + s, with z + z^3 = x + x^3, so z = x, and s = cos t + sin t, so
// x = sin t from x(0) = 0.

#include "support/integrate.h"
#include "support/smooth.h"
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const SolverKind *const kinds[] = {&solver_EULER, &solver_HEUN, &solver_RK4, &solver_DOPRI5,
                                          &solver_DOP853};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static int rhs(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    (void)c, (void)x;
    dx[0] = -z[0] + cos(t) + sin(t);
    return 0;
}

static int residual(const SaltusContext *c, double t, const double *x, const double *z, double *g)
{
    (void)c, (void)t;
    g[0] = z[0] + z[0] * z[0] * z[0] - (x[0] + x[0] * x[0] * x[0]);
    return 0;
}

static long z_asked;

static int evaluate(const SaltusContext *c, double t, const double *x, const double *z_guess,
                    const SaltusValues *out)
{
    (void)z_guess;
    if (out->z) {
        out->z[0] = x[0];
        z_asked++;
    }
    return out->dx ? rhs(c, t, x, x, out->dx) : 0;
}

static SaltusModeDef mode_of(bool joint)
{
    static const double start[2] = {0.0, 0.0};
    SaltusModeDef mode = saltus_default_mode();
    mode.state_count = mode.algebraic_count = 1;
    mode.start = start;
    if (joint) {
        mode.evaluate = evaluate;
    } else {
        mode.rhs = rhs;
        mode.algebraic = residual;
    }
    return mode;
}

static SaltusMethod equal_steps(const SolverKind *kind, double step)
{
    SaltusMethod method = method_of(kind->id, 1e10, 1e10, step);
    method.max_step = step;
    return method;
}

// How well z = x is solved for: up to rounding.
static const double solved = 1e-13;

static void test_order_is_kept(void **state)
{
    (void)state;
    for (int joint = 0; joint < 2; joint++) {
        for (int k = 0; k < KINDS - 1; k++) { // dop853 is at rounding too soon
            double errors[3];
            for (int i = 0; i < 3; i++) {
                SaltusModeDef mode = mode_of(joint);
                SaltusMethod method = equal_steps(kinds[k], 1.0 / (16 << i));
                double end[2];
                method.relative_tolerance = method.absolute_tolerance = 1e-9;
                integrate(&mode, &method, 0.0, 2.0, end);
                errors[i] = fabs(end[0] - sin(2.0));
                assert_true(fabs(end[1] - end[0]) < solved);
            }
            assert_true(fabs(observed_order(errors, 3) - kinds[k]->order) < 0.1);
        }
    }
}

static void test_accuracy(void **state)
{
    (void)state;
    for (int joint = 0; joint < 2; joint++) {
        for (int k = 3; k < KINDS; k++) {
            SaltusModeDef mode = mode_of(joint);
            SaltusMethod method = method_of(kinds[k]->id, 1e-7, 1e-7, 0.0);
            double end[2];
            SaltusStatistics statistics = integrate(&mode, &method, 0.0, 10.0, end);
            // x' = -x + ... contracts errors; each step adds at most the tolerance.
            double bound = 1e-7 * (double)statistics.steps;
            assert_true(fabs(end[0] - sin(10.0)) < bound);
            assert_true(fabs(end[1] - end[0]) < solved);
        }
    }
}

// z at the ends of a step, inside it, and at the end of a closing step.
static void test_algebraics_everywhere(void **state)
{
    (void)state;
    for (int joint = 0; joint < 2; joint++) {
        for (int k = 0; k < KINDS; k++) {
            SaltusModeDef mode = mode_of(joint);
            SaltusMethod method = method_of(kinds[k]->id, 1e-8, 1e-8, 0.1);
            Integration it;
            assert_int_equal(integration_begin(&it, &mode, &method, 0.0), 0);
            for (int i = 0; i < 5; i++) {
                const Solver *s = it.solver;
                double z_before = s->z[0], x, z = 99.0;
                assert_int_equal(integration_step(&it, 10.0), 0);
                assert_true(s->z_old[0] == z_before);
                assert_true(fabs(s->z[0] - s->x[0]) < solved);
                double middle = 0.5 * (s->t_old + s->t);
                assert_int_equal(kinds[k]->interpolate(it.solver, middle, &x, &z), 0);
                assert_true(fabs(z - x) < solved);
                assert_int_equal(kinds[k]->interpolate(it.solver, s->t, &x, &z), 0);
                assert_true(x == s->x[0] && z == s->z[0]);
                assert_int_equal(kinds[k]->interpolate(it.solver, s->t_old, &x, &z), 0);
                assert_true(x == s->x_old[0] && z == s->z_old[0]);
                assert_int_equal(kinds[k]->closing_step(it.solver, middle, &x, &z), 0);
                assert_true(fabs(z - x) < solved);
                assert_int_equal(kinds[k]->closing_step(it.solver, s->t, &x, &z), 0);
                assert_true(x == s->x[0] && z == s->z[0]);
                assert_int_equal(kinds[k]->closing_step(it.solver, middle, &x, NULL), 0);
            }
            integration_end(&it);
        }
    }
}

// A joint evaluation is asked for z once per step, at its end, together with the derivatives.
static void test_joint_evaluation_costs_nothing_more(void **state)
{
    (void)state;
    static const long per_step[KINDS] = {1, 2, 4, 6, 12};
    for (int k = 0; k < KINDS; k++) {
        SaltusModeDef mode = mode_of(true);
        SaltusMethod method = equal_steps(kinds[k], 0.1);
        Integration it;
        assert_int_equal(integration_begin(&it, &mode, &method, 0.0), 0);
        long before = it.statistics.f_evaluations;
        z_asked = 0;
        for (int i = 0; i < 5; i++)
            assert_int_equal(integration_step(&it, 10.0), 0);
        assert_int_equal(it.statistics.f_evaluations - before, 5 * per_step[k]);
        assert_int_equal(z_asked, 5);
        integration_end(&it);
    }
}

static int joint_with_nan(const SaltusContext *c, double t, const double *x, const double *z_guess,
                          const SaltusValues *out)
{
    int code = evaluate(c, t, x, z_guess, out);
    if (out->z && t >= 0.5)
        out->z[0] = NAN;
    return code;
}

static void test_algebraics_not_finite(void **state)
{
    (void)state;
    SaltusModeDef mode = mode_of(true);
    mode.evaluate = joint_with_nan;
    SaltusMethod method = method_of(SALTUS_SOLVER_DOPRI5, 1e-6, 1e-6, 0.1);
    Integration it;
    assert_int_equal(integration_begin(&it, &mode, &method, 0.0), 0);
    assert_int_equal(integration_run(&it, 1.0), SALTUS_ERROR_EVALUATION);
    assert_string_equal(it.problem->failure.variable, "z0");
    assert_true(it.solver->t < 0.5 && it.solver->t > 0.49);
    integration_end(&it);
}

static void test_copy_with_algebraics(void **state)
{
    (void)state;
    for (int k = 0; k < KINDS; k++) {
        SaltusModeDef mode = mode_of(false);
        SaltusMethod method = method_of(kinds[k]->id, 1e-6, 1e-6, 0.1);
        Integration a, b;
        assert_int_equal(integration_begin(&a, &mode, &method, 0.0), 0);
        assert_int_equal(integration_begin(&b, &mode, &method, 1.0), 0);
        for (int i = 0; i < 3; i++)
            assert_int_equal(integration_step(&a, 10.0), 0);
        assert_int_equal(kinds[k]->copy(b.solver, a.solver), 0);
        assert_int_equal(integration_run(&a, 2.0), 0);
        assert_int_equal(integration_run(&b, 2.0), 0);
        assert_true(a.solver->x[0] == b.solver->x[0] && a.solver->z[0] == b.solver->z[0]);
        integration_end(&a);
        integration_end(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order_is_kept),
        cmocka_unit_test(test_accuracy),
        cmocka_unit_test(test_algebraics_everywhere),
        cmocka_unit_test(test_joint_evaluation_costs_nothing_more),
        cmocka_unit_test(test_algebraics_not_finite),
        cmocka_unit_test(test_copy_with_algebraics),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
