// SPDX-License-Identifier: MIT
//
// Models whose parts have nothing to do with each other: each has its own modes, restarts and
// states, whatever the others do.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/trial.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Polynomials of a degree that the method integrates without error, events to their bracket.
static const double rounding = 1e-12;

static Trial *run_parts(const char *text, double stop_time, uint32_t parts)
{
    Trial *t = trial_run_text(text, stop_time);
    assert_int_equal(model_part_count(trial_model(t)), parts);
    return t;
}

// ---------------------------------------------------------------------------
// Numbers of modes
// ---------------------------------------------------------------------------

// The time in which sin(w t) was positive.
static double time_on(double w, double t)
{
    const double pi = 3.14159265358979323846, half = pi / w;
    const double waves = floor(t / (2.0 * half)), rest = t - 2.0 * half * waves;
    return waves * half + fmin(rest, half);
}

// Twenty switches: 41 modes are analysed, two for each and one of what they have in common, though
// the run goes through hundreds of combinations. The equation of the total connects nothing.
static void switches_do_not_multiply(void **state)
{
    (void)state;
    Trial *t = trial_file("modes/Switches.mo", NULL);
    assert_int_equal(model_part_count(trial_model(t)), 21);
    assert_int_equal(trial_run(t, 20.0), SALTUS_OK);
    assert_int_equal(model_mode_count(trial_model(t)), 41);
    assert_true(model_combination_count(trial_model(t)) > 500);
    double total = 0.0;
    for (int k = 1; k <= 20; k++) {
        char name[32];
        const double q = 5.0 * time_on(1.0 + 0.0371 * k * k, 20.0);
        snprintf(name, sizeof name, "c[%d].q", k);
        // as many events as half waves, each located to 1e-12 and more
        trial_assert_value(t, name, q, 1e-10);
        total += q;
    }
    trial_assert_value(t, "total", total, 1e-10);
    trial_end(t);
}

// An equation that only observes connects nothing; with a condition on what it says it does.
static void feedback_connects(void **state)
{
    (void)state;
    const char *const switches =
        "Real a(start = 0, fixed = true), b(start = 0, fixed = true), u, v, s; "
        "equation der(a) = u; der(b) = v; s = a + b; "
        "if time > 1 then u = 1; else a = 0; end if; "
        "if %s then v = 2; else b = 0; end if; ";
    char text[600], body[500];
    snprintf(body, sizeof body, switches, "time > 2");
    snprintf(text, sizeof text, "model M %s end M;", body);
    Trial *t = run_parts(text, 3.0, 3);
    ASSERT_VALUE(t, "s", 4.0);
    trial_end(t);
    snprintf(body, sizeof body, switches, "time > 2 and s > -1");
    snprintf(text, sizeof text, "model M %s end M;", body);
    t = run_parts(text, 3.0, 1);
    ASSERT_VALUE(t, "s", 4.0);
    trial_end(t);
}

// ---------------------------------------------------------------------------
// Restarts
// ---------------------------------------------------------------------------

// Two clutches: each keeps its own angular momentum, at its own time or at one and the same.
static void clutches(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        char text[900];
        snprintf(text, sizeof text,
                 "model M model Clutch parameter Real at, j1, j2, s1, s2; "
                 "Real w1(start = s1, fixed = true), w2(start = s2, fixed = true), tau; "
                 "equation j1*der(w1) = tau; j2*der(w2) = -tau; "
                 "if time >= at then w1 = w2; else tau = 0; end if; end Clutch; "
                 "Clutch a(at = 1, j1 = 1, j2 = 3, s1 = 4, s2 = 0), "
                 "b(at = %d, j1 = 2, j2 = 2, s1 = 1, s2 = -3); end M;",
                 k + 1);
        Trial *t = run_parts(text, 1.5, 3);
        ASSERT_VALUE(t, "a.w1", 1.0);
        ASSERT_VALUE(t, "a.w2", 1.0);
        ASSERT_VALUE(t, "b.w1", k ? 1.0 : -1.0);
        ASSERT_VALUE(t, "b.w2", k ? -3.0 : -1.0);
        assert_int_equal(trial_run(t, 3.0), SALTUS_OK);
        ASSERT_VALUE(t, "b.w1", -1.0);
        assert_int_equal(saltus_run_statistics(trial_get_run(t)).mode_changes, k + 1);
        trial_end(t);
    }
}

// A ball bounces at the instant in which another one comes to rest on a floor: each change is in
// the log once.
static void bounce_and_rest_at_once(void **state)
{
    (void)state;
    Trial *t = trial_run_text(
        "model M Real x(start = 1, fixed = true), v(start = 0, fixed = true), f; "
        "Boolean rests(start = false, fixed = true); "
        "Real h(start = 1, fixed = true), u(start = 0, fixed = true); "
        "equation der(x) = v; der(v) = f - 2; rests = if pre(rests) then f > 0 else x <= 0; "
        "if rests then x = 0; else f = 0; end if; "
        "der(h) = u; der(u) = -2; when h <= 0 then reinit(u, -pre(u)); end when; end M;",
        2.0);
    ASSERT_VALUE(t, "x", 0.0);
    ASSERT_VALUE(t, "h", 1.0);
    const SaltusRun *r = trial_get_run(t);
    assert_int_equal(saltus_run_event_count(r), 1);
    const SaltusLogEntry event = saltus_run_event(r, 0);
    assert_true(fabs(event.t - 1.0) <= rounding);
    for (int i = 0; i < event.change_count; i++)
        for (int k = 0; k < i; k++)
            assert_string_not_equal(event.changes[i].name, event.changes[k].name);
    trial_end(t);
}

// An elastic impact is over in its instant, also for parts that ask whether there is one, through
// discrete variables: y does not become 5. The ball bounces at 1 and 2.8.
static void impacts_of_other_parts_are_over(void **state)
{
    (void)state;
    Trial *t = run_parts(
        "model M Real x(start = 1, fixed = true), v(start = 0, fixed = true), f; "
        "Real y(start = 0, fixed = true), g; Integer n(start = 0, fixed = true); "
        "Boolean hit = x <= 0, late = hit and time > 0; equation der(x) = v; der(v) = f - 2; "
        "if time < 10 then f = 0; else v = 0; end if; "
        "when hit then reinit(v, -0.9*pre(v)); n = pre(n) + 1; end when; "
        "der(y) = g; if late then y = 5; else g = 1; end if; end M;",
        3.0, 3);
    ASSERT_VALUE(t, "n", 2.0);
    ASSERT_VALUE(t, "y", 3.0);
    assert_int_equal(saltus_run_statistics(trial_get_run(t)).mode_changes, 0);
    trial_end(t);
}

// One part bounces by reinit at the instant in which the other loses its state.
static void one_part_jumps_while_another_changes(void **state)
{
    (void)state;
    Trial *t = run_parts("model M Real x(start = 1, fixed = true), v(start = -1, fixed = true), f; "
                         "Real y(start = 0, fixed = true), z(start = 0, fixed = true), g; "
                         "equation der(x) = v; der(v) = f; "
                         "if time < 5 then f = 0; else v = 0; end if; "
                         "when x <= 0 then reinit(v, -2*pre(v)); end when; "
                         "der(y) = g; der(z) = 1; if z < 1 then g = 2; else y = 7; end if; end M;",
                         2.0, 3);
    ASSERT_VALUE(t, "x", 2.0);
    ASSERT_VALUE(t, "v", 2.0);
    ASSERT_VALUE(t, "y", 7.0);
    ASSERT_VALUE(t, "z", 2.0);
    trial_end(t);
}

// ---------------------------------------------------------------------------
// What parts know of each other
// ---------------------------------------------------------------------------

// Conditions and discrete variables are for all; the states of machines, too.
static void parts_read_conditions_of_others(void **state)
{
    (void)state;
    Trial *t = run_parts(
        "model M Real x(start = 0, fixed = true), f; Real y(start = 0, fixed = true), g; "
        "Real z(start = 0, fixed = true), h; Boolean late = x > 2; Integer n(start = 0, fixed = "
        "true); "
        "equation der(x) = f; if x < 3 then f = 1; else x = 3; end if; "
        "der(y) = g; if x < 1 then g = 0; else y = 5; end if; "
        "der(z) = h; if late then h = 4; else z = 0; end if; "
        "when {x > 1, late} then n = pre(n) + 1; end when; end M;",
        4.0, 4);
    ASSERT_VALUE(t, "x", 3.0);
    ASSERT_VALUE(t, "y", 5.0);
    ASSERT_VALUE(t, "z", 8.0);
    ASSERT_VALUE(t, "n", 2.0);
    const SaltusRun *r = trial_get_run(t);
    assert_int_equal(saltus_run_event_count(r), 3);
    for (int k = 0; k < 3; k++)
        assert_true(fabs(saltus_run_event(r, k).t - (k + 1)) <= rounding);
    trial_end(t);
}

static void machines_read_each_other(void **state)
{
    (void)state;
    Trial *t = run_parts(
        "model M model S parameter Real slope; Real x(start = 0); equation der(x) = slope; end S; "
        "S a(slope = 1), b(slope = 2), c(slope = 3), d(slope = 4); Boolean isB = activeState(b); "
        "equation initialState(a); transition(a, b, a.x > 1); "
        "initialState(c); transition(c, d, isB and c.x > 6); end M;",
        4.0, 3);
    ASSERT_VALUE(t, "a.x", 1.0);
    ASSERT_VALUE(t, "b.x", 6.0);
    ASSERT_VALUE(t, "c.x", 6.0);
    ASSERT_VALUE(t, "d.x", 8.0);
    trial_end(t);
}

// A chain of discrete variables through parts, at the entry of a state: what comes first in it is
// not the only one to see that the state is active. b is entered at 1, where c.x = 1; f at 2.
static void entries_are_seen_by_others(void **state)
{
    (void)state;
    Trial *t = run_parts(
        "model M model S Real x(start = 0); equation der(x) = 1; end S; S a, b, c, d, e, f; "
        "Boolean isB = activeState(b), isLate = isB and e.x < 1.5; "
        "discrete Real at(start = 0, fixed = true), once(start = 0, fixed = true); "
        "equation initialState(a); transition(a, b, a.x > 1); "
        "initialState(c); transition(c, d, c.x > 3); "
        "initialState(e); transition(e, f, e.x > 2); "
        "when isB then at = c.x; end when; "
        "when isLate then once = pre(once) + c.x; end when; end M;",
        4.0, 4);
    ASSERT_VALUE(t, "at", 1.0);
    ASSERT_VALUE(t, "once", 1.0);
    trial_end(t);
}

// A condition that is there only in a state of one machine, about what is in a state of another:
// that is one part.
static void conditions_in_states_connect(void **state)
{
    (void)state;
    Trial *t = run_parts(
        "model M model S parameter Real slope; Real x(start = 0); equation der(x) = slope; end S; "
        "S a(slope = 1), b(slope = 2), c(slope = 3), d(slope = 4); "
        "equation initialState(a); transition(a, b, a.x > 1); "
        "initialState(c); transition(c, d, b.x > 2); end M;",
        4.0, 1);
    ASSERT_VALUE(t, "c.x", 6.0);
    ASSERT_VALUE(t, "d.x", 8.0);
    trial_end(t);
}

// The initialization is one of all parts: x is what makes the sum of both 3.
static void initial_equations_connect_at_the_start_only(void **state)
{
    (void)state;
    Trial *t = run_parts("model M parameter Real k(fixed = false, start = 1); "
                         "Real x, y(start = 1, fixed = true), f, g; "
                         "equation der(x) = f; der(y) = g; "
                         "if time < 1 then f = k; else x = 0; end if; "
                         "if time < 2 then g = 1; else y = 0; end if; "
                         "initial equation x + y = 3; k*y = 2*x; end M;",
                         0.5, 3);
    ASSERT_VALUE(t, "x", 4.0);
    ASSERT_VALUE(t, "y", 1.5);
    assert_int_equal(trial_run(t, 3.0), SALTUS_OK);
    ASSERT_VALUE(t, "x", 0.0);
    ASSERT_VALUE(t, "y", 0.0);
    trial_end(t);
}

// A sampled controller in nobody's part.
static void samples(void **state)
{
    (void)state;
    Trial *t =
        run_parts("model M Real x(start = 0, fixed = true), y(start = 0, fixed = true), f, g; "
                  "Integer n(start = 0, fixed = true); equation der(x) = f; der(y) = g; "
                  "when sample(0.5, 1) then n = pre(n) + 1; end when; "
                  "if n < 2 then f = 1; else x = -1; end if; "
                  "if n < 3 then g = 1; else y = -2; end if; end M;",
                  2.0, 3);
    ASSERT_VALUE(t, "x", -1.0);
    ASSERT_VALUE(t, "y", 2.0);
    assert_int_equal(trial_run(t, 3.0), SALTUS_OK);
    ASSERT_VALUE(t, "y", -2.0);
    trial_end(t);
}

// Discrete variables of two parts change together, k to 1 and m to 0: no equation of a third one
// sees k + m = 2, which the function refuses.
static void discrete_variables_change_at_once(void **state)
{
    (void)state;
    Trial *t = run_parts(
        "model M function f input Real i; output Real y; "
        "algorithm assert(i < 1.5, \"not both\"); y := i; end f; "
        "Real x(start = 0, fixed = true), y(start = 0, fixed = true), z(start = 0, fixed = true); "
        "Real e, g, h; discrete Real k(start = 0, fixed = true), m(start = 1, fixed = true); "
        "equation der(x) = e; if time < 10 then e = 1; else x = 0; end if; "
        "der(y) = g; if time < 11 then g = 0; else y = 0; end if; "
        "der(z) = h; if time < 12 then h = f(k + m); else z = 0; end if; "
        "when time >= 1 then k = x; m = y + 1 - k; end when; end M;",
        2.0, 4);
    ASSERT_VALUE(t, "k", 1.0);
    ASSERT_VALUE(t, "m", 0.0);
    ASSERT_VALUE(t, "z", 2.0);
    trial_end(t);
}

// ---------------------------------------------------------------------------
// State selection, solvers
// ---------------------------------------------------------------------------

// Two pendulums in Cartesian coordinates, whose states are chosen anew again and again, until their
// ropes are cut. Each does what it does alone; both runs are off by 1e-10 per unit of time or so,
// which chaos does not enlarge: a pendulum is no chaos.
static const char pendulum[] =
    "model Pendulum parameter Real cut; Real x(start = 1), y(start = 0, fixed = true), "
    "vx(start = 0), vy(start = 0, fixed = true), lambda; "
    "equation der(x) = vx; der(y) = vy; der(vx) = -lambda*x; der(vy) = -lambda*y - 9.81; "
    "if time < cut then x^2 + y^2 = 1; else lambda = 0; end if; end Pendulum; ";

static Trial *swing(const char *rest, uint32_t parts)
{
    char text[1000];
    snprintf(text, sizeof text, "model M %s %s end M;", pendulum, rest);
    Trial *t = trial_text(text);
    assert_true(trial_is_model(t));
    assert_int_equal(model_part_count(trial_model(t)), parts);
    trial_options(t)->method.relative_tolerance = 1e-11;
    trial_options(t)->method.absolute_tolerance = 1e-12;
    if (trial_run(t, 3.0) != SALTUS_OK)
        fail_msg("%s", trial_error(t));
    return t;
}

static void pendulums_select_their_states(void **state)
{
    (void)state;
    Trial *both = swing("Pendulum a(cut = 2.5), b(cut = 1.75); ", 3);
    Trial *a = swing("Pendulum a(cut = 2.5); ", 1), *b = swing("Pendulum b(cut = 1.75); ", 1);
    static const char *const names[] = {"x", "y", "vx", "vy"};
    for (int k = 0; k < 4; k++) {
        char name[16];
        snprintf(name, sizeof name, "a.%s", names[k]);
        trial_assert_value(both, name, trial_value(a, name), 1e-8);
        name[0] = 'b';
        trial_assert_value(both, name, trial_value(b, name), 1e-8);
    }
    trial_end(both);
    trial_end(a);
    trial_end(b);
}

// Without any choice: what their states are is a matter of each. Energy is kept.
static void selections_do_not_multiply(void **state)
{
    (void)state;
    Trial *t = trial_text(
        "model M model Pendulum parameter Real l; Real x(start = l), y(start = 0, fixed = true), "
        "vx(start = 0), vy(start = 0, fixed = true), f; Real e = (vx^2 + vy^2)/2 + 9.81*y; "
        "equation der(x) = vx; der(y) = vy; der(vx) = -f*x; der(vy) = -f*y - 9.81; "
        "x^2 + y^2 = l^2; end Pendulum; Pendulum p[8](l = {1 + 0.1*k for k in 1:8}); end M;");
    assert_int_equal(model_part_count(trial_model(t)), 9);
    trial_options(t)->method.relative_tolerance = 1e-10;
    trial_options(t)->method.absolute_tolerance = 1e-10;
    assert_int_equal(trial_run(t, 10.0), SALTUS_OK);
    assert_true(saltus_run_statistics(trial_get_run(t)).reselections > 50);
    assert_true(model_mode_count(trial_model(t)) <= 1 + 8 * 4); // x or y, vx or vy
    assert_true(model_combination_count(trial_model(t)) > 50);
    for (int k = 1; k <= 8; k++) {
        char name[32];
        snprintf(name, sizeof name, "p[%d].e", k);
        trial_assert_value(t, name, 0.0, 1e-6); // a thousand steps of 1e-10, velocities up to 6
    }
    trial_end(t);
}

// A pendulum beside two circuits with switches: it chooses its states when it has to, not when a
// switch turns, for which the log has no change of the structure then.
static void switches_leave_selections_alone(void **state)
{
    (void)state;
    Trial *t = run_parts(
        "model M Real x(start = 1), y(start = 0, fixed = true), vx, vy(start = 0, fixed = true), "
        "lambda; model Circuit parameter Real w; Real u, i, q(start = 0, fixed = true); "
        "equation u + 2*i = 10; der(q) = i; if sin(w*time) > 0 then u = 0; else i = 0; end if; "
        "end Circuit; Circuit a(w = 5), b(w = 7.3); "
        "equation der(x) = vx; der(y) = vy; der(vx) = -lambda*x; der(vy) = -lambda*y - 9.81; "
        "x^2 + y^2 = 1; end M;",
        5.0, 4);
    const SaltusRun *r = trial_get_run(t);
    assert_true(saltus_run_statistics(r).reselections > 0);
    // Both close at the start; 25 / pi and 36.5 / pi half waves end.
    assert_int_equal(saltus_run_event_count(r), 1 + 7 + 11);
    for (long i = 0; i < saltus_run_event_count(r); i++)
        assert_int_equal(saltus_run_event(r, i).classes, SALTUS_SE_F);
    trial_end(t);
}

// Implicit methods, with the Jacobians of the parts on the diagonal; x' = -50 (x - cos t) and the
// like, against the closed form (lambda^2 cos t + lambda sin t - lambda^2 e^(-lambda t)) /
// (lambda^2 + 1) of x(0) = 0, which the switches do not touch before time 2.
static void implicit_methods(void **state)
{
    (void)state;
    static const SaltusSolver solvers[] = {SALTUS_SOLVER_CVODE, SALTUS_SOLVER_RODAS,
                                           SALTUS_SOLVER_DOPRI5};
    for (int k = 0; k < 3; k++) {
        Trial *t = trial_text("model M model Stiff parameter Real lambda; "
                              "Real x(start = 0, fixed = true), u; "
                              "equation der(x) = -lambda*(x - cos(time)) + u; "
                              "if time < 2 then u = 0; else x = 1; end if; end Stiff; "
                              "Stiff s[6](lambda = {10*k for k in 1:6}); end M;");
        assert_int_equal(model_part_count(trial_model(t)), 7);
        trial_options(t)->method.solver = solvers[k];
        trial_options(t)->method.relative_tolerance = 1e-9;
        trial_options(t)->method.absolute_tolerance = 1e-11;
        if (trial_run(t, 1.5) != SALTUS_OK)
            fail_msg("%s", trial_error(t));
        for (int i = 1; i <= 6; i++) {
            char name[32];
            const double l = 10.0 * i, time = 1.5;
            snprintf(name, sizeof name, "s[%d].x", i);
            trial_assert_value(
                t, name, (l * l * cos(time) + l * sin(time) - l * l * exp(-l * time)) / (l * l + 1),
                1e-7); // a hundred times the tolerance: errors of a hundred steps
        }
        assert_int_equal(trial_run(t, 3.0), SALTUS_OK);
        trial_assert_value(t, "s[3].x", 1.0, rounding);
        trial_end(t);
    }
}

// ---------------------------------------------------------------------------
// Failures
// ---------------------------------------------------------------------------

static void messages(void **state)
{
    (void)state;
    static const char function[] =
        "function f input Real x; output Real y; algorithm assert(x < 3, \"too large\"); y := x; "
        "end f; ";
    char text[700];
    snprintf(text, sizeof text,
             "model M %s Real x(start = 0, fixed = true), y(start = 0, fixed = true), u, v; "
             "equation der(x) = u; der(y) = v; "
             "if time < 1 then u = f(2*time); else x = 0; end if; "
             "if time < 2 then v = f(2*time); else y = 0; end if; end M;",
             function);
    trial_expect_error(text, 3.0, "too large");
    // what observes both
    snprintf(text, sizeof text,
             "model M %s Real x(start = 0, fixed = true), y(start = 0, fixed = true), u, v, s; "
             "equation der(x) = u; der(y) = v; s = f(x + y); "
             "if time < 5 then u = 1; else x = 0; end if; "
             "if time < 6 then v = 1; else y = 0; end if; end M;",
             function);
    trial_expect_error(text, 3.0, "too large");
    // a mode of one part that cannot be entered
    trial_expect_error("model M Real x(start = 0, fixed = true), y(start = 0, fixed = true), u, v; "
                       "equation der(x) = u; der(y) = v; "
                       "if time < 1 then u = 1; else x = 0; end if; "
                       "if time < 2 then v = 1; else x = 1; end if; end M;",
                       3.0, "cannot be entered");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(switches_do_not_multiply),
        cmocka_unit_test(feedback_connects),
        cmocka_unit_test(clutches),
        cmocka_unit_test(bounce_and_rest_at_once),
        cmocka_unit_test(impacts_of_other_parts_are_over),
        cmocka_unit_test(one_part_jumps_while_another_changes),
        cmocka_unit_test(parts_read_conditions_of_others),
        cmocka_unit_test(machines_read_each_other),
        cmocka_unit_test(entries_are_seen_by_others),
        cmocka_unit_test(conditions_in_states_connect),
        cmocka_unit_test(initial_equations_connect_at_the_start_only),
        cmocka_unit_test(samples),
        cmocka_unit_test(discrete_variables_change_at_once),
        cmocka_unit_test(pendulums_select_their_states),
        cmocka_unit_test(selections_do_not_multiply),
        cmocka_unit_test(switches_leave_selections_alone),
        cmocka_unit_test(implicit_methods),
        cmocka_unit_test(messages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
