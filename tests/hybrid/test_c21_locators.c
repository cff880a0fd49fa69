// SPDX-License-Identifier: MIT
//
// The systems of C21 and C7 with every solver and every locator: the same events in the same order,
// at times that agree to what the tolerance allows, and logged with the class that they were meant
// to have.

#include "models/bouncing_ball.h"
#include "models/constrained_pendulum.h"
#include "models/dynamic_contact.h"
#include "models/rlc_shockley.h"
#include "models/rlc_shortcut.h"
#include "models/rotating_pendulum.h"
#include "support/hybrid.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

typedef SaltusStatus (*Create)(SaltusSystem **system, SaltusError *error);

static SaltusStatus create_by_voltage(SaltusSystem **system, SaltusError *error)
{
    return rlc_shockley_create(SHOCKLEY_VOLTAGE, system, error);
}

static SaltusStatus create_by_current(SaltusSystem **system, SaltusError *error)
{
    return rlc_shockley_create(SHOCKLEY_CURRENT, system, error);
}

typedef struct Case {
    const char *name;
    Create create;
    const double *parameters;
    double stop_time;
    double step; // of rk4: a hundredth, at most, of the fastest time constant or period
    int events;
} Case;

// Published numbers of events, or those of all solvers with tight tolerances. The ball is stopped
// after 36 bounces, well between two events, so that no tolerance moves one over the end.
static const Case cases[] = {
    {"ball", bouncing_ball_create, ball_without_drag, 26.50, 1e-2, 71},
    {"ball with drag", bouncing_ball_create, ball_with_drag, 25.015, 1e-2, 71},
    {"dynamic contact", dynamic_contact_create, contact_parameters, 4.323, 4e-5, 38},
    {"switched contact", dynamic_contact_create_switched, contact_parameters, 4.323, 4e-5, 38},
    {"shortcut up", rlc_shortcut_create, rlc_parameters, 45e-6, 5e-9, 14},
    {"shortcut down", rlc_shortcut_create, rlc_parameters_down, 45.5e-6, 5e-9, 13},
    {"Shockley u_D, R1 = 1e3", create_by_voltage, shockley_weak, 45.5e-6, 5e-9, 13},
    {"Shockley i_D, R1 = 1e3", create_by_current, shockley_weak, 45.5e-6, 5e-9, 13},
    {"Shockley u_D, R1 = 10", create_by_voltage, shockley_strong, 45.5e-6, 5e-9, 13},
    {"Shockley i_D, R1 = 10", create_by_current, shockley_strong, 45.5e-6, 5e-9, 13},
    {"rotating pendulum", rotating_pendulum_create, pendulum_parameters, 10.0, 2e-3, 8},
    {"constrained pendulum (a)", constrained_pendulum_create, pin_case_a, 10.0, 2e-3, 8},
    {"constrained pendulum (b)", constrained_pendulum_create, pin_case_b, 10.0, 2e-3, 7},
};
enum { CASES = sizeof cases / sizeof cases[0], MOST_EVENTS = 80 };

typedef struct Story {
    int count;
    double times[MOST_EVENTS];
    int events[MOST_EVENTS]; // which one fired
} Story;

static SaltusMethod method_with(SaltusSolver solver, SaltusLocate locate, double tolerance)
{
    SaltusMethod method = saltus_default_method();
    method.solver = solver;
    method.locate = locate;
    method.relative_tolerance = tolerance;
    method.absolute_tolerance = 1e-3 * tolerance;
    return method;
}

// What the fired events are meant to change is what the log says.
static void check_classes(const SaltusSystem *system, const SaltusLogEntry *entry)
{
    unsigned meant = 0;
    for (int k = 0; k < entry->fired_count; k++)
        meant |= saltus_system_mode(system, entry->from)->events[entry->fired[k].event].classes;
    assert_int_equal(entry->classes, meant);
}

static void tell(const Case *this, const SaltusMethod *method, Story *story)
{
    Hybrid hybrid = {0};
    SaltusOptions options = saltus_default_options();
    options.method = *method;
    options.parameters = this->parameters;
    options.record = SALTUS_RECORD_NOTHING;
    assert_int_equal(this->create(&hybrid.system, &hybrid.error), SALTUS_OK);
    assert_int_equal(saltus_run_create(hybrid.system, &options, &hybrid.run, &hybrid.error),
                     SALTUS_OK);
    if (saltus_run_advance(hybrid.run, this->stop_time) < 0)
        fail_msg("%s, %s, %s: %s", this->name, saltus_solver_name(method->solver),
                 saltus_locate_name(method->locate), saltus_run_error(hybrid.run)->message);
    story->count = (int)saltus_run_event_count(hybrid.run);
    for (int i = 0; i < story->count && i < MOST_EVENTS; i++) {
        SaltusLogEntry entry = saltus_run_event(hybrid.run, i);
        check_classes(hybrid.system, &entry);
        assert_int_equal(entry.fired_count, 1);
        assert_true(entry.bracket <= fmax(method->event_tolerance, 1e-15 * this->stop_time));
        story->times[i] = entry.t;
        story->events[i] = entry.fired[0].event;
    }
    hybrid_end(&hybrid);
}

static void compare(const Case *this, const SaltusMethod *method, const Story *reference,
                    double allowed)
{
    Story story;
    tell(this, method, &story);
    double most = 0.0;
    bool same = story.count == reference->count;
    for (int i = 0; i < story.count && same; i++) {
        same = story.events[i] == reference->events[i];
        most = fmax(most, fabs(story.times[i] - reference->times[i]));
    }
    if (!same || !(most <= allowed))
        fail_msg("%s, %s, %s, tolerance %g: %d events of %d, off by %g s, allowed %g s", this->name,
                 saltus_solver_name(method->solver), saltus_locate_name(method->locate),
                 method->relative_tolerance, story.count, reference->count, most, allowed);
}

// The references: dop853 with a tolerance of 1e-13, which is the closed form for the ball.
static Story references[CASES];

static int tell_references(void **state)
{
    (void)state;
    SaltusMethod method = method_with(SALTUS_SOLVER_DOP853, SALTUS_LOCATE_BRENT, 1e-13);
    for (int c = 0; c < CASES; c++) {
        tell(&cases[c], &method, &references[c]);
        if (references[c].count != cases[c].events)
            fail_msg("%s: %d events, expected %d", cases[c].name, references[c].count,
                     cases[c].events);
    }
    return 0;
}

// Some hundred steps, each of which may add its tolerance, to the time as to the states.
static double allowed_by(const Case *this, double tolerance)
{
    return 100.0 * tolerance * this->stop_time;
}

static void test_one_step_solvers(void **state)
{
    (void)state;
    static const SaltusSolver solvers[] = {SALTUS_SOLVER_DOPRI5, SALTUS_SOLVER_DOP853,
                                           SALTUS_SOLVER_RODAS};
    static const double tolerances[] = {1e-6, 1e-9};
    for (int c = 0; c < CASES; c++) {
        for (int k = 0; k < 3 * 2 * SALTUS_LOCATE_SUNDIALS; k++) {
            SaltusMethod method =
                method_with(solvers[k / 2 % 3], (SaltusLocate)(k / 6), tolerances[k % 2]);
            compare(&cases[c], &method, &references[c],
                    allowed_by(&cases[c], method.relative_tolerance));
        }
    }
}

static void test_fixed_step(void **state)
{
    (void)state;
    for (int c = 0; c < CASES; c++) {
        for (int k = 0; k < SALTUS_LOCATE_SUNDIALS; k++) {
            SaltusMethod method = method_with(SALTUS_SOLVER_RK4, (SaltusLocate)k, 1e-6);
            method.step = cases[c].step;
            compare(&cases[c], &method, &references[c], 1e-6 * cases[c].stop_time);
        }
    }
}

// Their events are where their dense output has them; the solvers' own root finding is one more
// locator.
static void test_multistep_solvers(void **state)
{
    (void)state;
    static const SaltusSolver solvers[] = {SALTUS_SOLVER_CVODE, SALTUS_SOLVER_ADAMS,
                                           SALTUS_SOLVER_IDA};
    static const SaltusLocate locators[] = {SALTUS_LOCATE_BRENT, SALTUS_LOCATE_HENON,
                                            SALTUS_LOCATE_SUNDIALS};
    for (int c = 0; c < CASES; c++) {
        for (int k = 0; k < 9; k++) {
            SaltusMethod method = method_with(solvers[k % 3], locators[k / 3], 1e-8);
            compare(&cases[c], &method, &references[c], allowed_by(&cases[c], 1e-8));
        }
    }
}

// Resolutions of time that are asked for, from nonsense to generous, and steps without a bound.
static void test_event_tolerances(void **state)
{
    (void)state;
    static const double tolerances[] = {1e-300, 1e-12, 1e-9};
    static const SaltusLocate locators[] = {SALTUS_LOCATE_BRENT, SALTUS_LOCATE_SECANT,
                                            SALTUS_LOCATE_HENON};
    for (int c = 0; c < CASES; c++) {
        for (int k = 0; k < 9; k++) {
            SaltusMethod method = method_with(SALTUS_SOLVER_DOPRI5, locators[k / 3], 1e-9);
            method.event_tolerance = tolerances[k % 3] * cases[c].stop_time;
            method.max_step = 1e9;
            // Each event late by the tolerance; the flights and contacts that follow amplify it.
            double late = 1e4 * method.event_tolerance;
            compare(&cases[c], &method, &references[c], allowed_by(&cases[c], 1e-9) + late);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_step_solvers),
        cmocka_unit_test(test_fixed_step),
        cmocka_unit_test(test_multistep_solvers),
        cmocka_unit_test(test_event_tolerances),
    };
    return cmocka_run_group_tests(tests, tell_references, NULL);
}
