// SPDX-License-Identifier: MIT
//
// What cvode, adams and ida have in common: limits, dense output, restarts, failures, statistics.

#include "support/integrate.h"
#include "support/smooth.h"
#include "support/stiff.h"
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const SaltusSolver solvers[] = {SALTUS_SOLVER_CVODE, SALTUS_SOLVER_ADAMS, SALTUS_SOLVER_IDA};
enum { SOLVERS = sizeof solvers / sizeof solvers[0] };

static SaltusModeDef mode_of(const char *name, int states, const double *start, SaltusRhs rhs)
{
    SaltusModeDef mode = saltus_default_mode();
    mode.name = name;
    mode.state_count = states;
    mode.start = start;
    mode.rhs = rhs;
    return mode;
}

// ---------------------------------------------------------------------------
// Accuracy and dense output
// ---------------------------------------------------------------------------

// The error follows the tolerance over six orders of magnitude. It grows by the steps (up to some
// hundreds) and by the problem's own sensitivity (about 10 over this interval): 1000 tolerances.
static void error_follows_tolerance(void **state)
{
    (void)state;
    SaltusModeDef mode = smooth_mode();
    for (int s = 0; s < SOLVERS; s++) {
        double last = INFINITY;
        for (double tolerance = 1e-4; tolerance > 5e-11; tolerance *= 1e-2) {
            SaltusMethod method = method_of(solvers[s], tolerance, tolerance, 0.0);
            double x[2];
            integrate(&mode, &method, SMOOTH_START, 2.0, x);
            double error = smooth_error(2.0, x);
            assert_true(error < 1000.0 * tolerance);
            assert_true(error < 0.3 * last);
            last = error;
        }
    }
}

// Inside the steps the dense output is as good as the steps (its order is the method's), it
// meets them at their ends, and x' is the derivative there.
static void dense_output(void **state)
{
    (void)state;
    SaltusModeDef mode = smooth_mode();
    for (int s = 0; s < SOLVERS; s++) {
        const double tolerance = 1e-7;
        SaltusMethod method = method_of(solvers[s], tolerance, tolerance, 0.0);
        Integration it;
        assert_int_equal(integration_begin(&it, &mode, &method, SMOOTH_START), 0);
        Solver *solver = it.solver;
        while (solver->t < 2.0) {
            assert_int_equal(integration_step(&it, 2.0), 0);
            double x[2], f[2];
            for (int i = 0; i <= 4; i++) {
                double t = solver->t_old + 0.25 * i * (solver->t - solver->t_old);
                assert_int_equal(solver->kind->interpolate(solver, t, x, NULL), 0);
                assert_true(smooth_error(t, x) < 1000.0 * tolerance);
                if (i == 0)
                    assert_memory_equal(x, solver->x_old, sizeof x);
                if (i == 4)
                    assert_memory_equal(x, solver->x, sizeof x);
            }
            // The corrector's rest divided by the step, which is above 1e-3 here.
            smooth_function(NULL, solver->t, solver->x, f);
            for (int i = 0; i < 2; i++)
                assert_true(fabs(solver->dx[i] - f[i]) < 1e4 * tolerance * (1.0 + fabs(f[i])));
        }
        integration_end(&it);
    }
}

// ---------------------------------------------------------------------------
// Limits
// ---------------------------------------------------------------------------

static int oscillator_rhs(const SaltusContext *c, double t, const double *x, const double *z,
                          double *dx)
{
    (void)c, (void)t, (void)z;
    dx[0] = x[1];
    dx[1] = -x[0];
    return 0;
}

static const double oscillator_start[] = {0.0, 1.0};

// Within the first step, of order 1, the dense output is the cubic through both ends with the
// slopes x1' = x2, x2' = -x1 there, up to rounding; a line would be off by its bend, h^2/8.
static void first_step_bends(void **state)
{
    (void)state;
    SaltusModeDef mode = mode_of("oscillator", 2, oscillator_start, oscillator_rhs);
    for (int s = 0; s < SOLVERS; s++) {
        SaltusMethod method = method_of(solvers[s], 1e-3, 1e-3, 0.0);
        Integration it;
        assert_int_equal(integration_begin(&it, &mode, &method, 0.0), 0);
        assert_int_equal(integration_step(&it, 10.0), 0);
        const double h = it.solver->t, *end = it.solver->x;
        double middle[2];
        assert_true(h * h / 8.0 > 2e-13); // a hundred times the bound
        assert_int_equal(it.solver->kind->interpolate(it.solver, 0.5 * h, middle, NULL), 0);
        assert_true(fabs(middle[0] - 0.5 * end[0] - h / 8.0 * (1.0 - end[1])) < 2e-15);
        assert_true(fabs(middle[1] - 0.5 * (1.0 + end[1]) - h / 8.0 * end[0]) < 2e-15);
        integration_end(&it);
    }
}

// Every limit is met to the bit: many, irregular ones, neighbouring numbers among them, and
// limits that come just after the start.
static void limits_are_met_exactly(void **state)
{
    (void)state;
    SaltusModeDef mode = mode_of("oscillator", 2, oscillator_start, oscillator_rhs);
    for (int s = 0; s < SOLVERS; s++) {
        SaltusMethod method = method_of(solvers[s], 1e-8, 1e-8, 0.0);
        Integration it;
        assert_int_equal(integration_begin(&it, &mode, &method, 0.0), 0);
        for (int i = 1; i <= 300; i++) {
            double limit = i % 3 == 0 ? nextafter(it.solver->t, 100.0) : 0.01 * i + 1e-3 * sin(i);
            assert_int_equal(integration_run(&it, limit), 0);
            assert_true(it.solver->t == limit);
            // 1000 tolerances, as above.
            assert_true(fabs(it.solver->x[0] - sin(limit)) < 1e-5);
        }
        // The first step is one rounding long.
        double x[2] = {it.solver->x[0], it.solver->x[1]}, t = it.solver->t;
        assert_int_equal(it.solver->kind->reset(it.solver, t, x, NULL, NULL, 0.0), 0);
        assert_int_equal(integration_step(&it, nextafter(t, 100.0)), 0);
        assert_true(it.solver->t == nextafter(t, 100.0));
        assert_int_equal(integration_run(&it, 4.0), 0);
        assert_true(fabs(it.solver->x[0] - sin(4.0)) < 1e-5);
        integration_end(&it);
    }
}

// A limit just behind the end of the next step makes no tiny step: the steps on the way to limits
// that are 1.01 of the natural step apart stay above a quarter of it.
static void no_tiny_steps_before_limits(void **state)
{
    (void)state;
    SaltusModeDef mode = mode_of("oscillator", 2, oscillator_start, oscillator_rhs);
    for (int s = 0; s < SOLVERS; s++) {
        SaltusMethod method = method_of(solvers[s], 1e-6, 1e-6, 0.0);
        Integration it;
        assert_int_equal(integration_begin(&it, &mode, &method, 0.0), 0);
        assert_int_equal(integration_run(&it, 10.0), 0);
        for (int i = 0; i < 20; i++) {
            double natural = it.solver->step_next;
            double limit = it.solver->t + 1.01 * natural;
            while (it.solver->t < limit) {
                assert_int_equal(integration_step(&it, limit), 0);
                assert_true(it.solver->t - it.solver->t_old > 0.25 * natural);
            }
        }
        integration_end(&it);
    }
}

static void longest_and_first_step(void **state)
{
    (void)state;
    SaltusModeDef mode = mode_of("oscillator", 2, oscillator_start, oscillator_rhs);
    for (int s = 0; s < SOLVERS; s++) {
        SaltusMethod method = method_of(solvers[s], 1e-3, 1e-3, 0.0);
        method.max_step = 0.01;
        Integration it;
        assert_int_equal(integration_begin(&it, &mode, &method, 0.0), 0);
        while (it.solver->t < 1.0) {
            assert_int_equal(integration_step(&it, 1.0), 0);
            assert_true(it.solver->t - it.solver->t_old <= 0.01 * (1.0 + 1e-9));
        }
        assert_int_equal(it.solver->kind->reset(it.solver, 0.0, oscillator_start, NULL, NULL, 1e-5),
                         0);
        assert_int_equal(integration_step(&it, 1.0), 0);
        assert_true(fabs(it.solver->t - 1e-5) < 1e-15);
        integration_end(&it);
    }
}

// ---------------------------------------------------------------------------
// Restarts
// ---------------------------------------------------------------------------

// A restart forgets everything: the second time is the first time, to the bit.
static void restart_forgets(void **state)
{
    (void)state;
    StiffProblem problem = stiff_hires();
    for (int s = 0; s < SOLVERS; s++) {
        SaltusMethod method = method_of(solvers[s], 1e-5, 1e-8, 0.0);
        double first[8];
        Integration it;
        assert_int_equal(integration_begin(&it, &problem.mode, &method, 0.0), 0);
        assert_int_equal(integration_run(&it, 5.0), 0);
        memcpy(first, it.solver->x, sizeof first);
        long steps = it.statistics.steps;
        int status = it.solver->kind->reset(it.solver, 0.0, problem.mode.start, NULL, NULL, 0.0);
        assert_int_equal(status, 0);
        assert_true(it.solver->t == 0.0 && it.solver->t_old == 0.0);
        assert_int_equal(integration_run(&it, 5.0), 0);
        assert_memory_equal(it.solver->x, first, sizeof first);
        assert_int_equal(it.statistics.steps, 2 * steps);
        integration_end(&it);
    }
}

// A projection onto the circle, done after each step, keeps the radius to rounding and does not
// force restarts; the phase stays as good as it was.
static void projection(void **state)
{
    (void)state;
    SaltusModeDef mode = mode_of("oscillator", 2, oscillator_start, oscillator_rhs);
    for (int s = 0; s < SOLVERS; s++) {
        SaltusMethod method = method_of(solvers[s], 1e-6, 1e-6, 0.0);
        SaltusStatistics free_run = integrate(&mode, &method, 0.0, 50.0, NULL);
        Integration it;
        assert_int_equal(integration_begin(&it, &mode, &method, 0.0), 0);
        while (it.solver->t < 50.0) {
            assert_int_equal(integration_step(&it, 50.0), 0);
            double *x = it.solver->x, radius = hypot(x[0], x[1]);
            x[0] /= radius;
            x[1] /= radius;
            assert_int_equal(it.solver->kind->state_changed(it.solver), 0);
            assert_true(fabs(hypot(it.solver->x[0], it.solver->x[1]) - 1.0) < 4.0 * DBL_EPSILON);
        }
        assert_true(fabs(atan2(it.solver->x[0], it.solver->x[1]) - atan2(sin(50.0), cos(50.0))) <
                    1e-3);
        // A restart for each projection would take some 20 steps for one.
        assert_true(it.statistics.steps < 2 * free_run.steps);
        integration_end(&it);
    }
}

// A change that is more than a projection is a restart from there.
static void changed_states(void **state)
{
    (void)state;
    SaltusModeDef mode = mode_of("oscillator", 2, oscillator_start, oscillator_rhs);
    for (int s = 0; s < SOLVERS; s++) {
        SaltusMethod method = method_of(solvers[s], 1e-8, 1e-8, 0.0);
        Integration it;
        assert_int_equal(integration_begin(&it, &mode, &method, 0.0), 0);
        assert_int_equal(integration_run(&it, 1.0), 0);
        it.solver->x[0] = 3.0;
        it.solver->x[1] = 4.0;
        assert_int_equal(it.solver->kind->state_changed(it.solver), 0);
        assert_int_equal(integration_run(&it, 2.0), 0);
        assert_true(fabs(it.solver->x[0] - (3.0 * cos(1.0) + 4.0 * sin(1.0))) < 1e-5);
        integration_end(&it);
    }
}

// ---------------------------------------------------------------------------
// Algebraic variables solved for inside an evaluation
// ---------------------------------------------------------------------------

// x' = z, z = -x
static int decay(const SaltusContext *c, double t, const double *x, const double *z_guess,
                 const SaltusValues *out)
{
    (void)c, (void)t, (void)z_guess;
    if (out->z)
        out->z[0] = -x[0];
    if (out->dx)
        out->dx[0] = -x[0];
    return 0;
}

static void joint_evaluation(void **state)
{
    (void)state;
    static const double start[] = {1.0, 0.0};
    SaltusModeDef mode = mode_of("decay", 1, start, NULL);
    mode.algebraic_count = 1;
    mode.evaluate = decay;
    for (int s = 0; s < SOLVERS; s++) {
        SaltusMethod method = method_of(solvers[s], 1e-8, 1e-8, 0.0);
        Integration it;
        assert_int_equal(integration_begin(&it, &mode, &method, 0.0), 0);
        while (it.solver->t < 1.0) {
            assert_int_equal(integration_step(&it, 1.0), 0);
            assert_true(it.solver->z[0] == -it.solver->x[0]);
            double x, z, t = 0.5 * (it.solver->t_old + it.solver->t);
            assert_int_equal(it.solver->kind->interpolate(it.solver, t, &x, &z), 0);
            assert_true(z == -x && fabs(x - exp(-t)) < 1e-5);
        }
        integration_end(&it);
    }
}

// ---------------------------------------------------------------------------
// Failures
// ---------------------------------------------------------------------------

// A tank that runs out: x' = -sqrt(x) is not defined beyond x = 0.
static int tank_rhs(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    (void)c, (void)t, (void)z;
    dx[0] = -sqrt(x[0]); // NaN below zero
    return 0;
}

static int tank_rhs_refusing(const SaltusContext *c, double t, const double *x, const double *z,
                             double *dx)
{
    return x[0] < 0.0 ? 1 : tank_rhs(c, t, x, z, dx);
}

// From x = 1 it is empty at t = 2. Up to 1.99 trials beyond zero are taken back; past 2 there is
// no solution, and the run ends there with the reason.
static void values_that_are_not_finite(void **state)
{
    (void)state;
    static const double start[] = {1.0};
    for (int s = 0; s < SOLVERS; s++) {
        for (int refusing = 0; refusing < 2; refusing++) {
            SaltusModeDef mode = mode_of("tank", 1, start, refusing ? tank_rhs_refusing : tank_rhs);
            SaltusMethod method = method_of(solvers[s], 1e-6, 1e-9, 0.0);
            Integration it;
            assert_int_equal(integration_begin(&it, &mode, &method, 0.0), 0);
            assert_int_equal(integration_run(&it, 1.99), 0);
            assert_true(fabs(it.solver->x[0] - 0.005 * 0.005) < 1e-5);
            int status = integration_run(&it, 3.0);
            assert_int_equal(status, SALTUS_ERROR_EVALUATION);
            assert_int_equal(it.problem->failure.status, SALTUS_ERROR_EVALUATION);
            assert_non_null(it.problem->failure.what);
            // Where it ends the solver still has the last good state.
            assert_true(it.solver->t > 1.99 && it.solver->t < 2.001);
            assert_true(fabs(it.solver->x[0]) < 1e-4);
            integration_end(&it);
        }
    }
}

static int gives_up(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    (void)c, (void)x, (void)z;
    dx[0] = 1.0;
    return t > 0.5 ? -1 : 0;
}

static int never(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    (void)c, (void)t, (void)x, (void)z;
    dx[0] = NAN;
    return 0;
}

static void failures_that_end_the_run(void **state)
{
    (void)state;
    for (int s = 0; s < SOLVERS; s++) {
        SaltusModeDef mode = mode_of("gives up", 1, NULL, gives_up);
        SaltusMethod method = method_of(solvers[s], 1e-6, 1e-9, 0.0);
        Integration it;
        assert_int_equal(integration_begin(&it, &mode, &method, 0.0), 0);
        assert_int_equal(integration_run(&it, 1.0), SALTUS_ERROR_EVALUATION);
        assert_true(it.solver->t <= 0.5);
        assert_true(it.problem->failure.t > 0.5);
        integration_end(&it);

        mode = mode_of("never", 1, NULL, never);
        assert_int_equal(integration_begin(&it, &mode, &method, 0.0), SALTUS_ERROR_EVALUATION);
        assert_string_equal(it.problem->failure.variable, "x0");
        integration_end(&it);
    }
}

// x' = x^2 from 1 is infinite at t = 1.
static int blow_up_rhs(const SaltusContext *c, double t, const double *x, const double *z,
                       double *dx)
{
    (void)c, (void)t, (void)z;
    dx[0] = x[0] * x[0];
    return 0;
}

static void blow_up(void **state)
{
    (void)state;
    static const double start[] = {1.0};
    SaltusModeDef mode = mode_of("blow up", 1, start, blow_up_rhs);
    for (int s = 0; s < SOLVERS; s++) {
        SaltusMethod method = method_of(solvers[s], 1e-6, 1e-9, 0.0);
        Integration it;
        assert_int_equal(integration_begin(&it, &mode, &method, 0.0), 0);
        int status = integration_run(&it, 2.0);
        assert_true(status == SALTUS_ERROR_STEP_SIZE || status == SALTUS_ERROR_EVALUATION ||
                    status == SALTUS_ERROR_NEWTON);
        assert_true(fabs(it.solver->t - 1.0) < 1e-3);
        assert_true(it.statistics.steps < 100000);
        integration_end(&it);
    }
}

// Failures are reported, not printed.
static void nothing_is_printed(void **state)
{
    (void)state;
    FILE *file = tmpfile();
    assert_non_null(file);
    fflush(stderr);
    int kept = dup(STDERR_FILENO);
    assert_true(kept >= 0 && dup2(fileno(file), STDERR_FILENO) >= 0);
    for (int s = 0; s < SOLVERS; s++) {
        static const double start[] = {1.0};
        SaltusModeDef mode = mode_of("tank", 1, start, tank_rhs);
        SaltusMethod method = method_of(solvers[s], 1e-6, 1e-9, 0.0);
        Integration it;
        if (integration_begin(&it, &mode, &method, 0.0) == 0)
            integration_run(&it, 3.0);
        integration_end(&it);
    }
    fflush(stderr);
    long printed = lseek(STDERR_FILENO, 0, SEEK_END);
    assert_true(dup2(kept, STDERR_FILENO) >= 0);
    close(kept);
    fclose(file);
    assert_int_equal(printed, 0);
}

// ---------------------------------------------------------------------------
// Statistics
// ---------------------------------------------------------------------------

static long calls, calls_at_start;

static int counted_rhs(const SaltusContext *c, double t, const double *x, const double *z,
                       double *dx)
{
    calls++;
    calls_at_start += t == 0.0;
    return oscillator_rhs(c, t, x, z, dx);
}

static void statistics(void **state)
{
    (void)state;
    SaltusModeDef mode = mode_of("oscillator", 2, oscillator_start, counted_rhs);
    for (int s = 0; s < SOLVERS; s++) {
        SaltusMethod method = method_of(solvers[s], 1e-6, 1e-6, 0.0);
        Integration it;
        calls = calls_at_start = 0;
        long steps = 0;
        assert_int_equal(integration_begin(&it, &mode, &method, 0.0), 0);
        while (it.solver->t < 20.0) {
            assert_int_equal(integration_step(&it, 20.0), 0);
            assert_int_equal(it.statistics.steps, ++steps);
        }
        assert_int_equal(it.statistics.f_evaluations, calls);
        assert_int_equal(calls_at_start, 1);
        assert_true(it.statistics.newton_iterations >= steps);
        assert_true(it.statistics.jacobians > 0);
        assert_true(it.statistics.factorizations >= it.statistics.jacobians);
        assert_true(it.statistics.rejected_steps < steps);
        integration_end(&it);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(error_follows_tolerance),
        cmocka_unit_test(dense_output),
        cmocka_unit_test(first_step_bends),
        cmocka_unit_test(limits_are_met_exactly),
        cmocka_unit_test(no_tiny_steps_before_limits),
        cmocka_unit_test(longest_and_first_step),
        cmocka_unit_test(restart_forgets),
        cmocka_unit_test(projection),
        cmocka_unit_test(changed_states),
        cmocka_unit_test(joint_evaluation),
        cmocka_unit_test(values_that_are_not_finite),
        cmocka_unit_test(failures_that_end_the_run),
        cmocka_unit_test(blow_up),
        cmocka_unit_test(nothing_is_printed),
        cmocka_unit_test(statistics),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
