// SPDX-License-Identifier: MIT
//
// State machines in models that are simulated: entry, reset and history, sharing, connectors,
// hierarchy, parallel machines, cascades. Linear equations, so that times and values are exact up
// to rounding; the event log is checked event by event.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/trial.h"

#include <math.h>
#include <string.h>

static const double rounding = 1e-12;

#define ASSERT_NEAR(actual, expected)                                                              \
    do {                                                                                           \
        const double a_ = (actual), e_ = (expected);                                               \
        if (!(fabs(a_ - e_) <= rounding * (1.0 + fabs(e_))))                                       \
            fail_msg("%s = %.17g, not %.17g", #actual, a_, e_);                                    \
    } while (0)

typedef struct Expected {
    double t;
    const char *to;
} Expected;

// The modes that the events lead to.
static void expect_trace(const Trial *t, const Expected *expected, long count)
{
    const SaltusRun *r = trial_get_run(t);
    assert_int_equal(saltus_run_event_count(r), count);
    for (long i = 0; i < count; i++) {
        const SaltusLogEntry e = saltus_run_event(r, i);
        ASSERT_NEAR(e.t, expected[i].t);
        assert_string_equal(trial_mode_name(t, e.to), expected[i].to);
    }
}

#define SHARED                                                                                     \
    "model Up outer output Real x; equation der(x) = 1; end Up; "                                  \
    "model Down outer output Real x; equation der(x) = -2; end Down; "

// x is continuous over transitions; the when clause acts once for each entry, not at the start.
static void sharing(void **state)
{
    (void)state;
    Trial *t = trial_run_text(
        SHARED "model M inner Real x(start = 0, fixed = true); Up up; Down down; "
               "Integer n(start = 0, fixed = true), k(start = 0, fixed = true); equation "
               "initialState(up); transition(up, down, x > 1); "
               "transition(down, up, x < 0); "
               "when activeState(down) then n = pre(n) + 1; end when; "
               "when activeState(up) then k = pre(k) + 1; end when; end M;",
        3.25);
    const Expected trace[] = {{1.0, "down"}, {1.5, "up"}, {2.5, "down"}, {3.0, "up"}};
    expect_trace(t, trace, 4);
    ASSERT_NEAR(trial_value(t, "x"), 0.25);
    ASSERT_NEAR(trial_value(t, "n"), 2.0);
    ASSERT_NEAR(trial_value(t, "k"), 2.0);
    trial_end(t);
}

// A sample that leads into a state is over there: the state that was left has seen it.
static void samples_end_on_leaving(void **state)
{
    (void)state;
    Trial *t = trial_run_text(
        SHARED "model M inner Real x(start = 0, fixed = true); Up up; Down down; "
               "Integer n(start = 0, fixed = true); equation "
               "initialState(up); transition(up, down, sample(1, 1)); "
               "transition(down, up, sample(1, 1)); "
               "when activeState(down) and sample(1, 1) then n = pre(n) + 1; end when; end M;",
        3.5);
    // One change at each sample, never two.
    const Expected trace[] = {{1.0, "down"}, {2.0, "up"}, {3.0, "down"}};
    expect_trace(t, trace, 3);
    // 1 up, 2 down, 1 up, 0.5 at -2.
    ASSERT_NEAR(trial_value(t, "x"), 1.0 - 2.0 + 1.0 - 1.0);
    // At t = 2 the state down is still active when the sample comes.
    ASSERT_NEAR(trial_value(t, "n"), 1.0);
    trial_end(t);
}

// With reset a state begins with its start values, without where it was left; suspended variables
// hold, algebraic ones too.
static void reset_and_history(void **state)
{
    (void)state;
    Trial *t =
        trial_run_text("model S parameter Real k = 1; Real y(start = 5); Real z = 2*y; equation "
                       "der(y) = k; end S; model M S a, b(k = -1, y(start = 10)); equation "
                       "initialState(a); transition(a, b, timeInState() > 1, reset = false); "
                       "transition(b, a, timeInState() > 0.5); end M;",
                       2.75);
    const Expected trace[] = {{1.0, "b"}, {1.5, "a"}, {2.5, "b"}};
    expect_trace(t, trace, 3);
    ASSERT_NEAR(trial_value(t, "a.y"), 6.0);
    ASSERT_NEAR(trial_value(t, "a.z"), 12.0);
    ASSERT_NEAR(trial_value(t, "b.y"), 9.25); // 10 - 0.5 - 0.25
    ASSERT_NEAR(trial_value(t, "b.z"), 18.5);
    trial_end(t);
}

// Discrete variables of a state that is reset begin anew: nothing of the last visit is left.
static void discrete_variables(void **state)
{
    (void)state;
    Trial *t = trial_run_text(
        "model A Real x(start = 1); Boolean low(start = false); Integer n(start = 0); "
        "equation der(x) = -1; low = pre(low) or x < 0.5; "
        "when low then n = pre(n) + 1; end when; end A; "
        "model M A a, b; Integer visits(start = 1, fixed = true); equation "
        "initialState(a); transition(a, b, a.x < 0.25); transition(b, a, b.x < 0.75); "
        "when activeState(a) then visits = pre(visits) + 1; end when; end M;",
        1.25);
    ASSERT_NEAR(trial_value(t, "visits"), 2.0);
    ASSERT_NEAR(trial_value(t, "a.x"), 0.75);
    ASSERT_NEAR(trial_value(t, "a.low"), 0.0);
    ASSERT_NEAR(trial_value(t, "a.n"), 0.0);
    assert_int_equal(trial_run(t, 1.6), SALTUS_OK);
    ASSERT_NEAR(trial_value(t, "a.low"), 1.0);
    ASSERT_NEAR(trial_value(t, "a.n"), 1.0);
    trial_end(t);
}

// A start expression with what a shared variable was just before.
static void start_expressions(void **state)
{
    (void)state;
    Trial *t = trial_run_text(
        "model A outer output Real v; equation der(v) = 3; end A; "
        "model B outer output Real v; Real y(start = 2*v); equation der(y) = 1; "
        "der(v) = y; end B; model M inner Real v(start = 1, fixed = true); A a; B b; "
        "equation initialState(a); transition(a, b, time > 2); end M;",
        3.0);
    ASSERT_NEAR(trial_value(t, "b.y"), 15.0); // 2 * 7 + 1
    ASSERT_NEAR(trial_value(t, "v"), 21.5);   // 7 + 14 + 1/2
    trial_end(t);
}

// The flow of the connector of a state that is not active counts as zero.
static void connectors(void **state)
{
    (void)state;
    Trial *t = trial_run_text(
        "connector Pin Real v; flow Real i; end Pin; model R parameter Real r = 1; Pin p; "
        "equation p.v = r*p.i; end R; model Source Pin p; equation p.v = 5; end Source; "
        "model M R a; R b(r = 10); Source s; equation initialState(a); "
        "transition(a, b, time > 1); connect(a.p, s.p); connect(b.p, s.p); end M;",
        2.0);
    ASSERT_NEAR(trial_value(t, "s.p.i"), -0.5);
    ASSERT_NEAR(trial_value(t, "b.p.i"), 0.5);
    ASSERT_NEAR(trial_value(t, "a.p.i"), 5.0); // as it was left
    trial_end(t);
}

// Outputs of states that are connected to one input; no active state says anything at last.
static void merged_outputs(void **state)
{
    (void)state;
    Trial *t = trial_run_text(
        "connector Out = output Real; connector In = input Real; "
        "block S parameter Real k = 1; Out y = k*time; end S; block Q end Q; "
        "block Sink In u; Real z = 2*u; end Sink; model M S a; S b(k = 2); Q c; Sink s; "
        "equation initialState(a); transition(a, b, time > 1); "
        "transition(b, c, time > 2); connect(a.y, s.u); connect(b.y, s.u); end M;",
        3.0);
    ASSERT_NEAR(trial_value(t, "s.u"), 4.0);
    ASSERT_NEAR(trial_value(t, "s.z"), 8.0);
    trial_end(t);
}

// A machine in a state, with history, beside another machine. From t = 1 on m is left as soon as
// it is entered.
static void hierarchy(void **state)
{
    (void)state;
    Trial *t = trial_run_text(
        "model A Real x(start = 0); equation der(x) = 1; end A; "
        "model B A p, q; equation initialState(p); transition(p, q, p.x > 0.3); "
        "transition(q, p, q.x > 0.2); end B; "
        "model M B m; A l, o1, o2; equation initialState(m); transition(m, l, time > 1); "
        "transition(l, m, l.x > 0.5, reset = false); initialState(o1); "
        "transition(o1, o2, o1.x > 0.7); transition(o2, o1, o2.x > 0.65); end M;",
        1.6);
    const Expected trace[] = {{0.3, "m.q, o1"}, {0.5, "m.p, o1"}, {0.7, "m.p, o2"},
                              {0.8, "m.q, o2"}, {1.0, "l, o2"},   {1.35, "l, o1"},
                              {1.5, "l, o1"}};
    expect_trace(t, trace, 7);
    trial_end(t);
}

// Delayed transitions fire one iteration later; the smallest priority fires.
static void delays_and_priorities(void **state)
{
    (void)state;
    Trial *t =
        trial_run_text("model S end S; model M S a, b, c; Real x(start = 0, fixed = true); "
                       "Boolean in_b = activeState(b); "
                       "Real y = if activeState(c) then 3 else if in_b then 2 else 1; equation "
                       "der(x) = y; initialState(a); transition(a, b, x > 1, immediate = false); "
                       "transition(b, c, x > 3, priority = 1); "
                       "transition(b, a, x > 2.5 and x > 3, priority = 2); end M;",
                       3.0);
    const Expected trace[] = {{1.0, "b"}, {1.75, "b"}, {2.0, "c"}};
    expect_trace(t, trace, 3);
    ASSERT_NEAR(trial_value(t, "x"), 6.0);
    trial_end(t);
}

// Only when the machine inside has come to its end.
static void synchronization(void **state)
{
    (void)state;
    Trial *t = trial_run_text(
        "model E end E; model Work E start, done; equation initialState(start); "
        "transition(start, done, timeInState() > 0.75); end Work; model M Work work; "
        "E idle; equation initialState(work); "
        "transition(work, idle, time > 0.5, synchronize = true); end M;",
        1.0);
    assert_string_equal(trial_mode_name(t, saltus_run_mode(trial_get_run(t))), "idle");
    ASSERT_NEAR(saltus_run_event(trial_get_run(t), 1).t, 0.75);
    trial_end(t);
}

// The annotation of a state's class holds while the state is active, and only then.
static void algorithms(void **state)
{
    (void)state;
    Trial *t = trial_run_text(
        "model A outer output Real x; equation der(x) = -1; end A; "
        "model B outer output Real x; equation der(x) = 1; "
        "annotation(__Saltus(solver = \"rodas\", relativeTolerance = 1e-8)); end B; "
        "model M inner Real x(start = 1, fixed = true); A a; B b; equation "
        "initialState(a); transition(a, b, x < 0.5); transition(b, a, x > 1); end M;",
        0.75);
    assert_int_equal(saltus_run_solver(trial_get_run(t)), SALTUS_SOLVER_RODAS);
    assert_int_equal(trial_run(t, 1.25), SALTUS_OK);
    assert_int_equal(saltus_run_solver(trial_get_run(t)), SALTUS_SOLVER_EXACT);
    assert_int_equal(saltus_run_event_count(trial_get_run(t)), 2);
    for (long i = 0; i < 2; i++)
        assert_true(saltus_run_event(trial_get_run(t), i).classes & SALTUS_SE_A);
    trial_end(t);
    t = trial_text("model A annotation(__Saltus(solver = \"rodaz\")); end A; model M A a, b; "
                   "equation initialState(a); transition(a, b, time > 1); end M;");
    assert_false(trial_is_model(t));
    assert_non_null(strstr(trial_messages(t), "there is no solver 'rodaz'"));
    trial_end(t);
}

static void endless_cascade(void **state)
{
    (void)state;
    Trial *t = trial_text("model S end S; model M S a, b, c; Real x(start = 0, fixed = true); "
                          "equation der(x) = 1; initialState(a); transition(a, b, x > 1); "
                          "transition(b, c, x > 0); transition(c, b, x > 0.5); end M;");
    assert_true(trial_run(t, 3.0) < 0);
    assert_non_null(strstr(trial_error(t), "b -> c -> b"));
    trial_end(t);
}

// The energy is kept except when the rope becomes taut; the radial part of the velocity is lost
// then.
static void pendulum(void **state)
{
    (void)state;
    Trial *t = trial_file("modes/PendulumMachine.mo", "PendulumMachine.TwoStates");
    trial_options(t)->method.relative_tolerance = 1e-10;
    trial_options(t)->method.absolute_tolerance = 1e-10;
    assert_int_equal(trial_run(t, 3.0), SALTUS_OK);
    const SaltusRun *r = trial_get_run(t);
    assert_int_equal(saltus_run_event_count(r), 4);
    for (long i = 1; i < saltus_run_row_count(r); i++) {
        const SaltusRow row = saltus_run_row(r, i);
        const double before = trial_value_at(t, "energy", i - 1);
        const double after = trial_value_at(t, "energy", i);
        const bool is_catch = row.kind == SALTUS_ROW_AFTER_EVENT &&
                              strcmp(trial_mode_name(t, row.mode), "swing") == 0;
        if (!is_catch) {
            // so many steps with a local error of the tolerance, in velocities up to 6
            assert_true(fabs(after - before) < 1e-8);
            continue;
        }
        const double x = trial_value_at(t, "fall.x", i), y = trial_value_at(t, "fall.y", i);
        const double radial =
            x * trial_value_at(t, "fall.vx", i) + y * trial_value_at(t, "fall.vy", i);
        ASSERT_NEAR(before - after, radial * radial / 2.0);
    }
    trial_end(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sharing),
        cmocka_unit_test(samples_end_on_leaving),
        cmocka_unit_test(reset_and_history),
        cmocka_unit_test(discrete_variables),
        cmocka_unit_test(start_expressions),
        cmocka_unit_test(connectors),
        cmocka_unit_test(merged_outputs),
        cmocka_unit_test(hierarchy),
        cmocka_unit_test(delays_and_priorities),
        cmocka_unit_test(synchronization),
        cmocka_unit_test(endless_cascade),
        cmocka_unit_test(algorithms),
        cmocka_unit_test(pendulum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
