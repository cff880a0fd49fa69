// SPDX-License-Identifier: MIT
//
// Jumps that the equations make at an event, in models of a few lines: right by a closed form, or
// refused by name, with an explicit, a Rosenbrock and a multistep solver.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/trial.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const SaltusSolver solvers[] = {SALTUS_SOLVER_DOPRI5, SALTUS_SOLVER_RODAS,
                                       SALTUS_SOLVER_IDA};
enum { SOLVERS = 3 };

// What some hundred operations with numbers around 1 may lose.
static const double rounding = 1e-12;

typedef struct Expected {
    const char *name;
    double value;
} Expected;

// The values just after the last event, with each solver, and that there is one.
static void expect_after(const char *text, double stop_time, double bound, const Expected *expected,
                         int count)
{
    for (int k = 0; k < SOLVERS; k++) {
        Trial *t = trial_text(text);
        if (!trial_is_model(t))
            fail_msg("%s", trial_messages(t));
        trial_options(t)->method.solver = solvers[k];
        trial_options(t)->method.relative_tolerance = 1e-9;
        trial_options(t)->method.absolute_tolerance = 1e-12;
        if (trial_run(t, stop_time) != SALTUS_OK)
            fail_msg("%s", trial_error(t));
        const SaltusRun *r = trial_get_run(t);
        long row = saltus_run_row_count(r) - 1;
        while (row > 0 && saltus_run_row(r, row).kind != SALTUS_ROW_AFTER_EVENT)
            row--;
        assert_true(row > 0);
        for (int i = 0; i < count; i++) {
            const double value = trial_value_at(t, expected[i].name, row), e = expected[i].value;
            if (!(fabs(value - e) <= bound * (1.0 + fabs(e))))
                fail_msg("solver %d: %s = %.17g, not %.17g", k, expected[i].name, value, e);
        }
        trial_end(t);
    }
}

#define EXPECT_AFTER(text, stop_time, bound, ...)                                                  \
    do {                                                                                           \
        const Expected list_[] = {__VA_ARGS__};                                                    \
        expect_after(text, stop_time, bound, list_, (int)(sizeof list_ / sizeof list_[0]));        \
    } while (0)

// ---------------------------------------------------------------------------
// A constraint has another value after an event
// ---------------------------------------------------------------------------

// Two inertias of 1 and 3 whose speeds differ by 0, then by 2: 1 (w1 - 3) + 3 (w2 - 3) = 0. As an
// expression, an if-equation, a discrete variable; w1, then w2 is the state.
static void offset_that_steps(void **state)
{
    (void)state;
    static const char *const constraints[] = {
        "Real d = if time < 1 then 0 else 2; equation w1 = w2 + d;",
        "equation if time < 1 then w1 = w2; else w1 = w2 + 2; end if;",
        "discrete Real d(start = 0, fixed = true); equation w1 = w2 + d; "
        "when time > 1 then d = 2; end when;"};
    static const char *const selections[] = {
        "Real w1(start = 3, fixed = true), w2, t;",
        "Real w1, w2(start = 3, fixed = true, stateSelect = StateSelect.always), t;"};
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 2; i++) {
            char text[512];
            snprintf(text, sizeof text, "model M %s %s der(w1) = -t; 3*der(w2) = t; end M;",
                     selections[i], constraints[k]);
            EXPECT_AFTER(text, 2.0, rounding, {"w1", 4.5}, {"w2", 2.5});
        }
}

// Capacitors of 1 and 3 in series on a source that steps from 0 to 12: the charge that flows is the
// same. A differential whose third shaft steps: w1 + w2 = 2 w3, and 1 w1 = 4 w2 is the torque.
static void sources_that_step(void **state)
{
    (void)state;
    EXPECT_AFTER("model M Real u1(start = 0, fixed = true), u2, i; "
                 "Real E = if time < 1 then 0 else 12; "
                 "equation der(u1) = i; 3*der(u2) = i; u1 + u2 = E; end M;",
                 2.0, rounding, {"u1", 9.0}, {"u2", 3.0});
    EXPECT_AFTER("model M Real w1(start = 0, fixed = true), w2, t; "
                 "Real w3 = if time < 1 then 0 else 10; "
                 "equation der(w1) = t; 4*der(w2) = t; w1 + w2 = 2*w3; end M;",
                 2.0, rounding, {"w1", 16.0}, {"w2", 4.0});
    // What follows from the derivative of something that steps: the impulse response.
    EXPECT_AFTER("model M Real y = if time < 1 then 0 else 3, f(start = 0, fixed = true); "
                 "equation 0.5*der(f) = der(y) - f; end M;",
                 1.0, rounding, {"y", 3.0}, {"f", 6.0});
}

// Two gears as branches of an if-equation: J1 D1 = -P, J2 D2 = 2 P, w1 = 2 w2. With the speeds a
// and b before, w2 = (2 J1 a + J2 b) / (4 J1 + J2).
static void gear_that_is_shifted(void **state)
{
    (void)state;
    const double w1 = 300.0 + (10.0 - 5.0 / 3.5) / (0.2 + 1.5 / 12.25), w2 = w1 / 3.5;
    const double after = (2.0 * 0.2 * w1 + 1.5 * w2) / (4.0 * 0.2 + 1.5);
    EXPECT_AFTER(
        "model M Real w1(start = 300, fixed = true), w2, t1, t2; Boolean second = time > 1; "
        "equation 0.2*der(w1) = 10 - t1; 1.5*der(w2) = t2 - 5; "
        "if second then w1 = 2*w2; t2 = 2*t1; else w1 = 3.5*w2; t2 = 3.5*t1; end if; end M;",
        2.0, rounding, {"w1", 2.0 * after}, {"w2", after});
}

// The same with a ratio that jumps in two equations: the torque's impulse meets a factor that jumps
// with it. Whatever the state is.
static void ratio_that_jumps(void **state)
{
    (void)state;
    static const char *const selections[] = {
        "Real w1(start = 3, fixed = true), w2",
        "Real w1, w2(start = 1, fixed = true, stateSelect = StateSelect.always)"};
    for (int k = 0; k < 2; k++) {
        char text[512];
        snprintf(text, sizeof text,
                 "model M %s, t; Real i = if time < 1 then 3 else 1.5; "
                 "equation der(w1) = -t; 2*der(w2) = i*t; w1 = i*w2; end M;",
                 selections[k]);
        trial_expect_error(
            text, 2.0,
            "in the equation 2.0 * der(w2) = i * t, t makes an impulse just when its "
            "factor changes from 3 to 1.5");
    }
}

// A pendulum in Cartesian coordinates whose pivot begins to move at 0.5: relative to the pivot the
// bob keeps its tangential speed, and loses the radial one. The tangent is (-y, x).
static void pivot_that_begins_to_move(void **state)
{
    (void)state;
    for (int k = 0; k < SOLVERS; k++) {
        Trial *t = trial_text(
            "model M Real px = if time < 1 then 0 else 0.5*(time - 1); "
            "Real x(start = 0.6, fixed = true), y(start = -0.8), u(start = 0, fixed = true), v, l; "
            "equation der(x) = u; der(y) = v; der(u) = -l*(x - px); der(v) = -l*y - 9.81; "
            "(x - px)^2 + y^2 = 1; end M;");
        trial_options(t)->method.solver = solvers[k];
        trial_options(t)->method.relative_tolerance = 1e-9;
        assert_int_equal(trial_run(t, 2.0), SALTUS_OK);
        const SaltusRun *r = trial_get_run(t);
        long row = 0;
        while (saltus_run_row(r, row).kind != SALTUS_ROW_AFTER_EVENT ||
               saltus_run_row(r, row).t < 0.5)
            row++;
        const double x = trial_value_at(t, "x", row - 1), y = trial_value_at(t, "y", row - 1);
        const double u = trial_value_at(t, "u", row - 1), v = trial_value_at(t, "v", row - 1);
        const double s = -y * (u - 0.5) + x * v;
        if (!(fabs(trial_value_at(t, "u", row) - (0.5 - s * y)) <= 1e-9))
            fail_msg("u = %.17g, not %.17g", trial_value_at(t, "u", row), 0.5 - s * y);
        assert_true(fabs(trial_value_at(t, "v", row) - s * x) <= 1e-9);
        trial_end(t);
    }
}

// No finite impulse makes a rod shorter.
static void rod_that_gets_shorter(void **state)
{
    (void)state;
    trial_expect_error(
        "model M Real l = if time < 1 then 1 else 0.8; "
        "Real x(start = 0.6, fixed = true), y(start = -0.8), u(start = 0, fixed = true), v, f; "
        "equation der(x) = u; der(y) = v; der(u) = -f*x; der(v) = -f*y - 9.81; x^2 + y^2 = l^2; "
        "end M;",
        2.0, "would have to jump from 1 to 0.8");
}

// A condition on what jumps is that of the value after the jump: 2.5, where keeping w1 would
// give 1.
static void conditions_after_a_jump(void **state)
{
    (void)state;
    EXPECT_AFTER(
        "model M Real w1(start = 3, fixed = true), w2, t; Integer n(start = 0, fixed = true); "
        "Real d = if time < 1 then 0 else 2; "
        "equation der(w1) = -t; 3*der(w2) = t; w1 = w2 + d; "
        "when w2 < 2 then n = 1; elsewhen w2 < 2.75 then n = 2; end when; end M;",
        2.0, rounding, {"w2", 2.5}, {"n", 2.0});
}

// ---------------------------------------------------------------------------
// Conditions that the jump turns
// ---------------------------------------------------------------------------

// A body falls obliquely on a rough floor and stays on it. The impulse of friction stops it before
// the impulse of the floor is over: to slide on backwards would be wrong.
#define LANDING(speed)                                                                             \
    "model M Real y(start = 1, fixed = true), u(start = " speed ", fixed = true), "                \
    "v(start = -2, fixed = true), N, F; Boolean c(start = false, fixed = true); "                  \
    "equation der(y) = v; der(u) = F; der(v) = N - 9.81; "                                         \
    "F = if u > 0 then -0.3*N else 0.3*N; "                                                        \
    "if c then y = 0; else N = 0; end if; when y < 0 then c = true; end when; end M;"

static void friction_that_turns(void **state)
{
    (void)state;
    trial_expect_error(LANDING("1"), 0.4, "N makes an impulse just when its factor changes");
    // Fast enough, it goes on sliding: u = 3 - 0.3 v.
    const double v = sqrt(4.0 + 2.0 * 9.81);
    EXPECT_AFTER(LANDING("3"), 0.3, 1e-9, {"u", 3.0 - 0.3 * v}, {"v", 0.0});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(offset_that_steps),         cmocka_unit_test(sources_that_step),
        cmocka_unit_test(gear_that_is_shifted),      cmocka_unit_test(ratio_that_jumps),
        cmocka_unit_test(pivot_that_begins_to_move), cmocka_unit_test(rod_that_gets_shorter),
        cmocka_unit_test(conditions_after_a_jump),   cmocka_unit_test(friction_that_turns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
