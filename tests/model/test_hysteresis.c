// SPDX-License-Identifier: MIT
//
// Algebraic equations with several solutions, whose branches end in folds: an amplifier with
// positive feedback, driven by u = A sin(2 pi t). Its output switches down where the upper branch
// ends, up half a period later, and not where steps happen to end. The times are known; all solvers
// have to find them.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/trial.h"

#include <math.h>

// V, G, k, A of the models below.
static const double limit = 15.0, gain = 1000.0, part = 0.4, amplitude = 10.0;

#define PARAMETERS                                                                                 \
    "parameter Real V = 15, G = 1000, k = 0.4, A = 10; Real u = A*sin(2*pi*time), "                \
    "z(start = 15); constant Real pi = 2*asin(1.0); "

// With a kink: z = V until G (k V - u) = V.
static const char kinked[] =
    "model M " PARAMETERS "Real d; equation d = k*z - u; "
    "z = if noEvent(G*d > V) then V else if noEvent(G*d < -V) then -V else G*d; end M;";
// Smooth, and with a state behind it.
static const char smooth[] = "model M " PARAMETERS "Real x(start = 0, fixed = true); "
                             "equation z = V*tanh(G*(k*z - u)/V); der(x) = z - x; end M;";

static double time_of(double u)
{
    return asin(u / amplitude) / (2.0 * acos(-1.0));
}

static double kinked_time(void)
{
    return time_of(part * limit - limit / gain);
}

// The branch ends where dz/dz = 1: G k (1 - (z/V)^2) = 1.
static double smooth_time(void)
{
    const double z = limit * sqrt(1.0 - 1.0 / (gain * part));
    return time_of(part * z - limit / gain * atanh(z / limit));
}

static void run_with(const char *text, SaltusSolver solver, double switching)
{
    Trial *t = trial_text(text);
    trial_options(t)->method.solver = solver;
    trial_options(t)->method.step =
        solver == SALTUS_SOLVER_EULER || solver == SALTUS_SOLVER_HEUN || solver == SALTUS_SOLVER_RK4
            ? 0.01
            : 0.0;
    trial_options(t)->method.max_step = 0.02; // without states nothing else limits the steps
    if (trial_run(t, 1.0) != SALTUS_OK)
        fail_msg("solver %d: %s", (int)solver, trial_error(t));
    const SaltusRun *run = trial_get_run(t);
    if (saltus_run_event_count(run) != 2)
        fail_msg("solver %d: %ld events", (int)solver, saltus_run_event_count(run));
    for (int k = 0; k < 2; k++) {
        const SaltusLogEntry entry = saltus_run_event(run, k);
        // the relative tolerance of 1e-6
        assert_true(fabs(entry.t - (switching + 0.5 * k)) < 1e-6);
        assert_int_equal(entry.change_count, 1);
    }
    // No row is on a branch that is over, or not there yet.
    const long rows = saltus_run_row_count(run);
    for (long row = 0; row < rows; row++) {
        const double time = saltus_run_row(run, row).t, z = trial_value_at(t, "z", row);
        const bool is_up = time < switching || time > switching + 0.5;
        if (fabs(time - switching) > 1e-6 && fabs(time - switching - 0.5) > 1e-6)
            assert_true(is_up ? z > 0.9 * limit : z < -0.9 * limit);
    }
    trial_end(t);
}

static void all_solvers(const char *text, double switching)
{
    static const SaltusSolver solvers[] = {
        SALTUS_SOLVER_EULER,  SALTUS_SOLVER_HEUN,   SALTUS_SOLVER_RK4,
        SALTUS_SOLVER_DOPRI5, SALTUS_SOLVER_DOP853, SALTUS_SOLVER_RODAS,
        SALTUS_SOLVER_CVODE,  SALTUS_SOLVER_ADAMS,  SALTUS_SOLVER_IDA};
    for (size_t i = 0; i < sizeof solvers / sizeof *solvers; i++)
        run_with(text, solvers[i], switching);
}

static void limits_with_kinks(void **state)
{
    (void)state;
    all_solvers(kinked, kinked_time());
}

static void smooth_limits(void **state)
{
    (void)state;
    all_solvers(smooth, smooth_time());
}

// A steep function without hysteresis has one branch only: no events, however long the steps.
static void one_branch(void **state)
{
    (void)state;
    Trial *t = trial_run_text(
        "model M " PARAMETERS "equation z + 0.1*z^3 = V*tanh(G*(-k*z - u)/V); end M;", 1.0);
    assert_int_equal(saltus_run_event_count(trial_get_run(t)), 0);
    trial_end(t);
}

// A Schmitt trigger whose unknown is a current, far below its nominal value of 1, driven by a ramp
// from 5 V to -5 V: at both ends there is one solution, so that neither tells of the other branch,
// and without states nothing makes the steps short but their limit. The output falls where the
// input is zero: (u/R1 + v/R2) / (1/R1 + 1/R2) = v/G with v = 15.
static void long_steps_small_currents(void **state)
{
    (void)state;
    Trial *t = trial_text(
        "model M parameter Real V = 15, G = 15000, R1 = 1000, R2 = 15000; "
        "Real u = 5 - 10*time, i, p, z; equation p = u - R1*i; p - z = R2*i; "
        "z = if noEvent(G*p > V) then V else if noEvent(G*p < -V) then -V else G*p; end M;");
    trial_options(t)->method.max_step = 0.3;
    assert_int_equal(trial_run(t, 1.0), SALTUS_OK);
    const SaltusRun *run = trial_get_run(t);
    assert_int_equal(saltus_run_event_count(run), 1);
    const double u = 1000.0 * (15.0 / 15000.0 * (1.0 / 1000.0 + 1.0 / 15000.0) - 15.0 / 15000.0);
    // the relative tolerance of 1e-6
    assert_true(fabs(saltus_run_event(run, 0).t - (5.0 - u) / 10.0) < 1e-6);
    trial_end(t);
}

// The same with negative feedback: an amplifier that is at its limits most of the time.
static void amplifier_at_its_limits(void **state)
{
    (void)state;
    Trial *t = trial_run_text(
        "model M parameter Real V = 15, G = 15000, R1 = 1000, R2 = 10000; "
        "Real u = 5 - 10*time, i, n, z; equation n = u - R1*i; n - z = R2*i; "
        "z = if noEvent(-G*n > V) then V else if noEvent(-G*n < -V) then -V else -G*n; end M;",
        1.0);
    const SaltusRun *run = trial_get_run(t);
    assert_int_equal(saltus_run_event_count(run), 0);
    for (long row = 0; row < saltus_run_row_count(run); row++) {
        const double u = 5.0 - 10.0 * saltus_run_row(run, row).t;
        // n (1/R1 + 1/R2) = u/R1 + z/R2, z = -G n
        const double inside = -u / 1000.0 / (1.1e-3 / 15000.0 + 1e-4);
        const double z = fmin(15.0, fmax(-15.0, inside));
        assert_true(fabs(trial_value_at(t, "z", row) - z) < 1e-9); // Newton goes on to rounding
    }
    trial_end(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limits_with_kinks),
        cmocka_unit_test(smooth_limits),
        cmocka_unit_test(one_branch),
        cmocka_unit_test(long_steps_small_currents),
        cmocka_unit_test(amplifier_at_its_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
