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
        fail_msg("%s", trial_error(t));
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limits_with_kinks),
        cmocka_unit_test(smooth_limits),
        cmocka_unit_test(one_branch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
