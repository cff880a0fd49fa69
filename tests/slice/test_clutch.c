// SPDX-License-Identifier: MIT
//
// The ideal clutch (Benveniste, Caillaud, Malandain 2020): two inertias that are one while it is
// engaged. J1 w1' = t1 - tau, J2 w2' = t2 + tau; engaged: w1 = w2, else tau = 0. Engaging raises
// the index from 1 to 2 and leaves one state of two; what tau does in that instant is an
// impulse. The drive t1 is switched off above a speed: an if-expression that needs no mode.

#include "slice/slice.h"
#include "support/hybrid.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { W1, W2, TAU };
enum { ENGAGED, SLOW };
enum { J1, J2, T1, T2, LIMIT };

static const double p[] = {[J1] = 0.7, [J2] = 2.1, [T1] = 3.0, [T2] = -0.4, [LIMIT] = 8.0};
static const Variable variables[] = {{"w1", 1.0}, {"w2", -5.0}, {"tau", 0.0}};
static const double times[] = {1.0, 3.0};

static const Equation equations[] = {
    {0, 0, SUB(MUL(PAR(J1), DER(VAR(W1))), SUB(IF(SLOW, PAR(T1), NUM(0)), VAR(TAU))),
     "J1 der(w1) = t1 - tau"},
    {0, 0, SUB(MUL(PAR(J2), DER(VAR(W2))), ADD(PAR(T2), VAR(TAU))), "J2 der(w2) = t2 + tau"},
    {1u << ENGAGED, 0, SUB(VAR(W1), VAR(W2)), "w1 = w2"},
    {0, 1u << ENGAGED, VAR(TAU), "tau = 0"},
};

static const Flag flags[] = {
    [ENGAGED] = {.name = "engaged", .times = times, .time_count = 2},
    [SLOW] = {.name = "slow",
              .stay = SUB(PAR(LIMIT), VAR(W1)),
              .stay_text = "w1 < limit",
              .set = true},
};

static const Model clutch = {.name = "clutch",
                             .variables = variables,
                             .variable_count = 3,
                             .equations = equations,
                             .equation_count = 4,
                             .flags = flags,
                             .flag_count = 2,
                             .parameters = p,
                             .parameter_count = 5};

// The speeds at t, piece by piece: free, joined, free, free without drive.
static void closed_form(double t, bool after, double w[3])
{
    double joined = p[J1] + p[J2];
    double momentum = p[J1] * 1.0 + p[J2] * -5.0;
    double at_1 = (momentum + p[T1] + p[T2]) / joined; // momentum is kept
    double at_3 = at_1 + 2.0 * (p[T1] + p[T2]) / joined;
    double off = 3.0 + (p[LIMIT] - at_3) * p[J1] / p[T1];
    w[TAU] = 0.0;
    if (t < 1.0 || (t == 1.0 && !after)) {
        w[W1] = 1.0 + t * p[T1] / p[J1];
        w[W2] = -5.0 + t * p[T2] / p[J2];
    } else if (t < 3.0 || (t == 3.0 && !after)) {
        w[W1] = w[W2] = at_1 + (t - 1.0) * (p[T1] + p[T2]) / joined;
        w[TAU] = p[T1] - p[J1] * (p[T1] + p[T2]) / joined;
    } else {
        w[W1] = at_3 + (fmin(t, off) - 3.0) * p[T1] / p[J1];
        w[W2] = at_3 + (t - 3.0) * p[T2] / p[J2];
    }
}

// Every piece is linear in time: the solver is exact up to rounding in some tens of steps.
static void test_values(void **state)
{
    (void)state;
    SaltusMethod method = saltus_default_method();
    Simulation s = simulation_run(&clutch, &method, 6.0);
    assert_int_equal(s.status, SALTUS_OK);
    bool after = false;
    for (long i = 0; i < saltus_run_row_count(s.run); i++) {
        SaltusRow row = saltus_run_row(s.run, i);
        double w[3];
        after = row.kind == SALTUS_ROW_AFTER_EVENT;
        closed_form(row.t, after, w);
        for (int k = 0; k < 3; k++)
            assert_close(row.y[k], w[k], 1e-12);
    }
    simulation_end(&s);
}

// The rows just before and after the event number `index`.
static void rows_at(const SaltusRun *run, long index, SaltusRow *before, SaltusRow *after)
{
    for (long i = 0; i < saltus_run_row_count(run); i++) {
        SaltusRow row = saltus_run_row(run, i);
        if (row.kind == SALTUS_ROW_BEFORE_EVENT && index-- == 0) {
            *before = row;
            *after = saltus_run_row(run, i + 1);
            return;
        }
    }
    fail_msg("there is no such event");
}

static void test_engaging(void **state)
{
    (void)state;
    SaltusMethod method = saltus_default_method();
    Simulation s = simulation_run(&clutch, &method, 6.0);
    SaltusLogEntry entry = saltus_run_event(s.run, 0);
    assert_true(entry.t == 1.0); // at this very time the right limit holds
    assert_int_equal(entry.occasion, SALTUS_AT_TIME);
    assert_int_equal(entry.classes,
                     SALTUS_SE_X | SALTUS_SE_S); // speeds jump, one is no state any more
    const Structure *free = slice_structure(s.slice, entry.from);
    const Structure *joined = slice_structure(s.slice, entry.to);
    assert_int_equal(free->state_count, 2);
    assert_int_equal(joined->state_count, 1);
    assert_int_equal(free->c[2], 0);   // tau = 0
    assert_int_equal(joined->c[2], 1); // w1 = w2 is differentiated: index 2
    // The impulse of tau takes from one inertia what it gives to the other.
    SaltusRow before, after;
    rows_at(s.run, 0, &before, &after);
    double kept = p[J1] * before.y[W1] + p[J2] * before.y[W2];
    assert_close(p[J1] * after.y[W1] + p[J2] * after.y[W2], kept, 1e-12);
    assert_true(fabs(after.y[W1] - before.y[W1]) > 1.0);
    // Both speeds are in the log with values, though only one is a state now.
    assert_int_equal(entry.change_count, 2);
    for (int i = 0; i < 2; i++)
        assert_close(entry.changes[i].after, after.y[W1], 1e-15);
    simulation_end(&s);
}

// Both speeds go on from their left limits, the one that was no state as well.
static void test_disengaging(void **state)
{
    (void)state;
    SaltusMethod method = saltus_default_method();
    Simulation s = simulation_run(&clutch, &method, 6.0);
    SaltusLogEntry entry = saltus_run_event(s.run, 1);
    assert_true(entry.t == 3.0);
    assert_int_equal(entry.change_count, 0);
    SaltusRow before, after;
    rows_at(s.run, 1, &before, &after);
    assert_int_equal(before.x_count, 1);
    assert_int_equal(after.x_count, 2);
    assert_memory_equal(before.y, after.y, 2 * sizeof(double));
    simulation_end(&s);
}

// The drive's switch has the same equations with the same structure on both sides.
static void test_if_expression_needs_no_mode(void **state)
{
    (void)state;
    SaltusMethod method = saltus_default_method();
    Simulation s = simulation_run(&clutch, &method, 6.0);
    assert_int_equal(saltus_run_event_count(s.run), 3);
    SaltusLogEntry entry = saltus_run_event(s.run, 2);
    assert_int_equal(entry.from, entry.to);
    assert_int_equal(entry.classes, SALTUS_SE_F);
    assert_int_equal(entry.fired[0].event, 2 * SLOW);
    // free, engaged, and the one before the start
    assert_int_equal(saltus_run_statistics(s.run).modes_entered, 3);
    // From there on w1 = limit: the relation stays zero, and that is no event.
    assert_close(saltus_run_states(s.run)[0], p[LIMIT], 1e-12);
    simulation_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_engaging),
        cmocka_unit_test(test_disengaging),
        cmocka_unit_test(test_if_expression_needs_no_mode),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
