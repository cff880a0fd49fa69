// SPDX-License-Identifier: MIT
//
// What all one-step solvers do alike: limits, dense output, closing steps, changes from outside,
// copies, no allocation. What is their own: test_runge_kutta.c, test_rosenbrock.c; failing
// evaluations: test_rejection.c.

#include "support/integrate.h"
#include "support/smooth.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const SolverKind *const kinds[] = {&solver_EULER,  &solver_HEUN,   &solver_RK4,
                                          &solver_DOPRI5, &solver_DOP853, &solver_RODAS};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static bool is_fixed(const SolverKind *kind)
{
    return kind->traits & SOLVER_FIXED_STEP;
}

// The smooth problem with a solver in the middle of its way, a few steps after the start.
static void begin_smooth(Integration *it, const SolverKind *kind)
{
    SaltusModeDef mode = smooth_mode_with_jacobian();
    SaltusMethod method = method_of(kind->id, 1e-6, 1e-9, is_fixed(kind) ? 0.05 : 0.0);
    assert_int_equal(integration_begin(it, &mode, &method, SMOOTH_START), 0);
    for (int i = 0; i < 3; i++)
        assert_int_equal(integration_step(it, 10.0), 0);
}

// ---------------------------------------------------------------------------
// Limits
// ---------------------------------------------------------------------------

static void test_ends_exactly_at_limits(void **state)
{
    (void)state;
    for (int k = 0; k < KINDS; k++) {
        Integration it;
        begin_smooth(&it, kinds[k]);
        for (int i = 0; i < 20; i++) {
            double limit = it.solver->t + 0.037 * (i + 1);
            double whole = it.solver->step_next, start = it.solver->t;
            while (it.solver->t < limit) {
                assert_int_equal(integration_step(&it, limit), 0);
                assert_true(it.solver->t <= limit);
            }
            assert_true(it.solver->t == limit);
            // No splinters: the last step is no short rest, unless everything was.
            if (!is_fixed(kinds[k]))
                assert_true(it.solver->t - it.solver->t_old > 0.02 * fmin(whole, limit - start));
        }
        integration_end(&it);
    }
}

static void test_cut_step_does_not_shrink_the_next(void **state)
{
    (void)state;
    for (int k = 0; k < KINDS; k++) {
        Integration it;
        begin_smooth(&it, kinds[k]);
        double next = it.solver->step_next;
        assert_int_equal(integration_step(&it, it.solver->t + 1e-7), 0);
        assert_true(it.solver->step_next == next);
        integration_end(&it);
    }
}

// ---------------------------------------------------------------------------
// Dense output and closing steps
// ---------------------------------------------------------------------------

static void test_interpolation_at_the_ends(void **state)
{
    (void)state;
    for (int k = 0; k < KINDS; k++) {
        Integration it;
        begin_smooth(&it, kinds[k]);
        const Solver *s = it.solver;
        double x[2];
        assert_int_equal(kinds[k]->interpolate(it.solver, s->t_old, x, NULL), 0);
        assert_memory_equal(x, s->x_old, sizeof x);
        assert_int_equal(kinds[k]->interpolate(it.solver, s->t, x, NULL), 0);
        assert_memory_equal(x, s->x, sizeof x);
        // Continuous at the ends up to rounding.
        double h = s->t - s->t_old;
        assert_int_equal(kinds[k]->interpolate(it.solver, s->t - 1e-12 * h, x, NULL), 0);
        assert_true(fabs(x[0] - s->x[0]) < 1e-11 && fabs(x[1] - s->x[1]) < 1e-11);
        assert_int_equal(kinds[k]->interpolate(it.solver, s->t_old + 1e-12 * h, x, NULL), 0);
        assert_true(fabs(x[0] - s->x_old[0]) < 1e-11 && fabs(x[1] - s->x_old[1]) < 1e-11);
        integration_end(&it);
    }
}

static void test_closing_step(void **state)
{
    (void)state;
    for (int k = 0; k < KINDS; k++) {
        Integration it;
        begin_smooth(&it, kinds[k]);
        Solver *s = it.solver;
        double before[INTEGRATION_SAMPLES][2], after[INTEGRATION_SAMPLES][2], x[2], fresh[2], dx[2];
        integration_sample(s, before);
        memcpy(dx, s->dx, sizeof dx);
        for (int i = 1; i <= 4; i++) {
            double t = s->t_old + i / 5.0 * (s->t - s->t_old);
            assert_int_equal(kinds[k]->closing_step(s, t, x, NULL), 0);
            const SaltusModeDef mode = smooth_mode_with_jacobian();
            integration_fresh_step(&mode, s, t, fresh);
            // rodas has its d/dt by differences over another step.
            const double bound = kinds[k] == &solver_RODAS ? 1e-12 : 0.0;
            assert_true(fabs(x[0] - fresh[0]) <= bound && fabs(x[1] - fresh[1]) <= bound);
        }
        // A closing step to the end is the step itself.
        assert_int_equal(kinds[k]->closing_step(s, s->t, x, NULL), 0);
        assert_memory_equal(x, s->x, sizeof x);
        integration_sample(s, after);
        assert_memory_equal(before, after, sizeof before);
        assert_memory_equal(dx, s->dx, sizeof dx);
        assert_int_equal(it.statistics.closing_steps, 5);
        integration_end(&it);
    }
}

// Neither the dense output, asked for afterwards, nor the next step notice a closing step.
static void test_closing_step_leaves_no_trace(void **state)
{
    (void)state;
    for (int k = 0; k < KINDS; k++) {
        Integration a, b;
        begin_smooth(&a, kinds[k]);
        begin_smooth(&b, kinds[k]);
        double x[2], first[INTEGRATION_SAMPLES][2], second[INTEGRATION_SAMPLES][2];
        assert_int_equal(kinds[k]->closing_step(a.solver, a.solver->t_old + 1e-3, x, NULL), 0);
        integration_sample(a.solver, first);
        integration_sample(b.solver, second);
        assert_memory_equal(first, second, sizeof first);
        assert_int_equal(integration_step(&a, 10.0), 0);
        assert_int_equal(integration_step(&b, 10.0), 0);
        assert_true(a.solver->t == b.solver->t);
        assert_memory_equal(a.solver->x, b.solver->x, 2 * sizeof(double));
        integration_end(&a);
        integration_end(&b);
    }
}

// ---------------------------------------------------------------------------
// Changes from outside, copies, memory
// ---------------------------------------------------------------------------

static void test_state_changed(void **state)
{
    (void)state;
    for (int k = 0; k < KINDS; k++) {
        Integration it;
        begin_smooth(&it, kinds[k]);
        Solver *s = it.solver;
        double next = s->step_next, x[2], dx[2];
        s->x[0] += 1e-4;
        assert_int_equal(kinds[k]->state_changed(s), 0);
        smooth_function(NULL, s->t, s->x, dx);
        assert_memory_equal(s->dx, dx, sizeof dx);
        assert_true(s->step_next == next);
        assert_int_equal(kinds[k]->interpolate(s, s->t, x, NULL), 0);
        assert_memory_equal(x, s->x, sizeof x);
        double near = s->t - 1e-9 * (s->t - s->t_old);
        assert_int_equal(kinds[k]->interpolate(s, near, x, NULL), 0);
        assert_true(fabs(x[0] - s->x[0]) < 1e-8);
        // It goes on from there like a solver that starts there.
        double t = s->t + 1e-3, fresh[2];
        assert_int_equal(integration_step(&it, t), 0);
        const SaltusModeDef mode = smooth_mode_with_jacobian();
        integration_fresh_step(&mode, s, t, fresh);
        assert_memory_equal(s->x, fresh, sizeof fresh);
        integration_end(&it);
    }
}

static void test_copy_goes_on_with_the_same_bits(void **state)
{
    (void)state;
    for (int k = 0; k < KINDS; k++) {
        SaltusModeDef mode = smooth_mode_with_jacobian();
        SaltusMethod method = method_of(kinds[k]->id, 1e-3, 1e-3, 0.3);
        Integration a, b;
        begin_smooth(&a, kinds[k]);
        assert_int_equal(integration_begin(&b, &mode, &method, 0.0), 0);
        problem_set_tolerances(b.problem, &a.solver->method);
        assert_int_equal(kinds[k]->copy(b.solver, a.solver), 0);
        double first[INTEGRATION_SAMPLES][2], second[INTEGRATION_SAMPLES][2];
        double middle = 0.5 * (a.solver->t_old + a.solver->t);
        integration_sample(a.solver, first);
        integration_sample(b.solver, second);
        assert_memory_equal(first, second, sizeof first);
        assert_int_equal(kinds[k]->closing_step(a.solver, middle, first[0], NULL), 0);
        assert_int_equal(kinds[k]->closing_step(b.solver, middle, second[0], NULL), 0);
        assert_memory_equal(first, second, sizeof first);
        long steps = a.statistics.steps;
        b.statistics = a.statistics;
        assert_int_equal(integration_run(&a, 3.0), 0);
        assert_int_equal(integration_run(&b, 3.0), 0);
        assert_memory_equal(a.solver->x, b.solver->x, 2 * sizeof(double));
        assert_true(a.solver->step_next == b.solver->step_next);
        assert_memory_equal(&a.statistics, &b.statistics, sizeof a.statistics);
        assert_true(a.statistics.steps > steps + 3);
        integration_end(&a);
        integration_end(&b);
    }
}

static void test_no_allocation(void **state)
{
    (void)state;
    for (int k = 0; k < KINDS; k++) {
        Integration it;
        begin_smooth(&it, kinds[k]);
        IntegrationRation ration;
        integration_ration(&it, &ration);
        for (int i = 0; i < 10; i++) {
            double x[2];
            assert_int_equal(integration_step(&it, 10.0), 0);
            double middle = 0.5 * (it.solver->t_old + it.solver->t);
            assert_int_equal(kinds[k]->interpolate(it.solver, middle, x, NULL), 0);
            assert_int_equal(kinds[k]->closing_step(it.solver, middle, x, NULL), 0);
            assert_int_equal(kinds[k]->state_changed(it.solver), 0);
        }
        assert_int_equal(kinds[k]->reset(it.solver, 1.0, it.solver->x, it.solver->z, NULL, 0.0), 0);
        assert_int_equal(ration.calls, 0);
        integration_ration_end(&it, &ration);
        integration_end(&it);
    }
}

// Whichever allocation fails, nothing is left behind (the sanitizers would say so).
static void test_out_of_memory(void **state)
{
    (void)state;
    for (int k = 0; k < KINDS; k++) {
        Integration it;
        begin_smooth(&it, kinds[k]);
        IntegrationRation ration;
        integration_ration(&it, &ration);
        Solver *solver = NULL;
        int failures = 0;
        for (; !solver; failures++) {
            ration.allowed = failures;
            solver = kinds[k]->create(it.problem, &it.solver->method);
        }
        assert_true(failures > 3); // three allocations at least
        kinds[k]->destroy(solver);
        integration_ration_end(&it, &ration);
        integration_end(&it);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ends_exactly_at_limits),
        cmocka_unit_test(test_cut_step_does_not_shrink_the_next),
        cmocka_unit_test(test_interpolation_at_the_ends),
        cmocka_unit_test(test_closing_step),
        cmocka_unit_test(test_closing_step_leaves_no_trace),
        cmocka_unit_test(test_state_changed),
        cmocka_unit_test(test_copy_goes_on_with_the_same_bits),
        cmocka_unit_test(test_no_allocation),
        cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
