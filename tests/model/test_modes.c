// SPDX-License-Identifier: MIT
//
// Structural if-equations: modes of other states and other index, the restart in them. Values are
// compared with closed forms.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/trial.h"

#include <math.h>
#include <stdio.h>

#define ASSERT_NEAR(actual, expected, bound)                                                       \
    do {                                                                                           \
        const double a_ = (actual), e_ = (expected);                                               \
        if (!(fabs(a_ - e_) <= (bound)))                                                           \
            fail_msg("%s = %.17g, not %.17g", #actual, a_, e_);                                    \
    } while (0)

static Trial *run(const char *file, double tolerance, double stop_time)
{
    char path[256];
    snprintf(path, sizeof path, "modes/%s", file);
    Trial *t = trial_file(path, NULL);
    trial_options(t)->method.relative_tolerance = tolerance;
    trial_options(t)->method.absolute_tolerance = tolerance;
    const SaltusStatus status = trial_run(t, stop_time);
    if (status != SALTUS_OK)
        fail_msg("%s: %s", file, trial_error(t));
    return t;
}

// The last row before the first event, and the first one after it.
static long row_of(const Trial *t, SaltusRowKind kind)
{
    for (long i = 0; i < saltus_run_row_count(trial_get_run(t)); i++)
        if (saltus_run_row(trial_get_run(t), i).kind == kind)
            return i;
    fail_msg("no such row");
    return 0;
}

// Linear equations: the solver makes no error but rounding.
static void a_state_ends(void **state)
{
    (void)state;
    Trial *t = run("StateThatEnds.mo", 1e-6, 1.0);
    ASSERT_NEAR(trial_value_at(t, "x", row_of(t, SALTUS_ROW_BEFORE_EVENT)), 5.0, 1e-13);
    assert_true(trial_value_at(t, "x", row_of(t, SALTUS_ROW_AFTER_EVENT)) == -5.0);
    assert_true(trial_value(t, "x") == -5.0);
    const SaltusLogEntry e = saltus_run_event(trial_get_run(t), 0);
    assert_true(e.t == 0.5);
    assert_true(e.classes & SALTUS_SE_S);
    trial_end(t);
}

// It starts from its left limit, though it was no state before.
static void a_state_begins(void **state)
{
    (void)state;
    Trial *t = run("StateThatBegins.mo", 1e-6, 2.0);
    ASSERT_NEAR(trial_value_at(t, "b", row_of(t, SALTUS_ROW_AFTER_EVENT)), 3.0, 1e-13);
    ASSERT_NEAR(trial_value(t, "b"), 2.0, 1e-13);
    trial_end(t);
}

// J1 w1 + J2 w2 is the same before and after.
static void angular_momentum(void **state)
{
    (void)state;
    Trial *t = run("IdealClutch.mo", 1e-6, 3.0);
    const long after = row_of(t, SALTUS_ROW_AFTER_EVENT);
    assert_true(trial_value_at(t, "w1", after) == trial_value_at(t, "w2", after));
    ASSERT_NEAR(trial_value_at(t, "w1", after) + 3.0 * trial_value_at(t, "w2", after), 16.0, 1e-12);
    ASSERT_NEAR(trial_value(t, "w1"), 4.0, 1e-12);
    ASSERT_NEAR(trial_value(t, "w2"), 4.0, 1e-12);
    trial_end(t);
}

// v = E (1 - exp(-t / RC)) reaches Vmax at t = -RC log(1 - Vmax / E); then v = E Rd / (R + Rd).
static void destroyed_capacitor(void **state)
{
    (void)state;
    Trial *t = run("DestroyedCapacitor.mo", 1e-10, 2.0);
    // The error of v at 1e-10, through its slope of 4 V/s, with a margin of 10.
    ASSERT_NEAR(saltus_run_event(trial_get_run(t), 0).t, -log(1.0 - 0.6), 1e-9);
    ASSERT_NEAR(trial_value(t, "v"), 10.0 * 0.01 / 1.01, 1e-14);
    ASSERT_NEAR(trial_value(t, "i"), 10.0 / 1.01, 1e-13);
    trial_end(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_state_ends),
        cmocka_unit_test(a_state_begins),
        cmocka_unit_test(angular_momentum),
        cmocka_unit_test(destroyed_capacitor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
