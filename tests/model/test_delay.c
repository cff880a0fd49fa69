// SPDX-License-Identifier: MIT
//
// delay(expr, delayTime), section 3.7.4.1 of the Modelica specification, against closed forms.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/trial.h"

#include <math.h>

static const double rounding = 1e-13;

// der(x) = -x(t - 1), x = 1 before: by the method of steps the sum of (-1)^k (t - k + 1)^k / k!
// over all k with t - k + 1 >= 0.
static const char *const steps_text = "model M\n"
                                      "  Real x(start = 1, fixed = true);\n"
                                      "equation\n"
                                      "  der(x) = -delay(x, 1);\n"
                                      "end M;\n";

static double method_of_steps(double t)
{
    double sum = 0.0, factorial = 1.0;
    for (int k = 0; t - k + 1 >= 0.0; k++) {
        factorial *= k ? k : 1;
        sum += (k % 2 ? -1.0 : 1.0) * pow(t - k + 1, k) / factorial;
    }
    return sum;
}

// The largest error of x in all rows.
static double error_of_steps(const Trial *t)
{
    double error = 0.0;
    for (long i = 0; i < saltus_run_row_count(trial_get_run(t)); i++)
        error = fmax(error, fabs(trial_value_at(t, "x", i) -
                                 method_of_steps(saltus_run_row(trial_get_run(t), i).t)));
    return error;
}

static void the_method_of_steps(void **state)
{
    static const SaltusSolver solvers[] = {SALTUS_SOLVER_RK4, SALTUS_SOLVER_DOPRI5,
                                           SALTUS_SOLVER_DOP853, SALTUS_SOLVER_RODAS};
    (void)state;
    for (size_t i = 0; i < sizeof solvers / sizeof *solvers; i++) {
        Trial *t = trial_text(steps_text);
        SaltusOptions *o = trial_options(t);
        o->method.solver = solvers[i];
        o->method.step = 0.01;
        o->method.relative_tolerance = 1e-9;
        o->method.absolute_tolerance = 1e-12;
        if (trial_run(t, 5.0) != SALTUS_OK)
            fail_msg("%s", trial_error(t));
        // Up to t = 4 a polynomial of degree five in each interval: a step that led over one of
        // their ends would err by more than 1e-8 (a jump of x''' by 1, h = 0.01 and more).
        assert_true(error_of_steps(t) < 1e-10);
        trial_end(t);
    }
}

static void the_method_of_steps_with_several_steps(void **state)
{
    static const SaltusSolver solvers[] = {SALTUS_SOLVER_CVODE, SALTUS_SOLVER_IDA};
    (void)state;
    for (size_t i = 0; i < sizeof solvers / sizeof *solvers; i++) {
        Trial *t = trial_text(steps_text);
        trial_options(t)->method.solver = solvers[i];
        trial_options(t)->method.relative_tolerance = 1e-8;
        trial_options(t)->method.absolute_tolerance = 1e-11;
        if (trial_run(t, 5.0) != SALTUS_OK)
            fail_msg("%s", trial_error(t));
        // The usual ratio of global errors to the tolerance.
        assert_true(error_of_steps(t) < 100 * 1e-8);
        trial_end(t);
    }
}

// No states, so that nothing but the history says how fine it has to be.
static void a_pure_transport(void **state)
{
    (void)state;
    Trial *t = trial_text("model M\n"
                          "  Real y = delay(sin(40*time), 0.5);\n"
                          "  Real e = y - (if time < 0.5 then 0 else sin(40*(time - 0.5)));\n"
                          "end M;\n");
    trial_options(t)->record = SALTUS_RECORD_INTERVALS;
    trial_options(t)->output_interval = 0.003;
    trial_options(t)->method.relative_tolerance = 1e-6;
    assert_int_equal(trial_run(t, 3.0), SALTUS_OK);
    // A tenth of the tolerance at the points that are looked at; elsewhere not much more.
    for (long i = 0; i < saltus_run_row_count(trial_get_run(t)); i++)
        assert_true(fabs(trial_value_at(t, "e", i)) < 3e-7);
    trial_end(t);
}

// A jump arrives as a jump, at its time: between two rows of one event.
static void jumps_arrive(void **state)
{
    (void)state;
    Trial *t = trial_run_text("model M\n"
                              "  Real u = if time < 1 then 2 else if time < 1.1 then 7 else -1;\n"
                              "  Real y = delay(u, 0.75);\n"
                              "  Integer n(start = 0, fixed = true);\n"
                              "  Integer k = integer(delay(n, 0.3));\n"
                              "equation\n"
                              "  when sample(0.5, 0.5) then n = pre(n) + 1; end when;\n"
                              "end M;\n",
                              2.0);
    for (long i = 0; i < saltus_run_row_count(trial_get_run(t)); i++) {
        const SaltusRow row = saltus_run_row(trial_get_run(t), i);
        const double y = trial_value_at(t, "y", i), k = trial_value_at(t, "k", i);
        if (row.t < 1.75 - 1e-9 || row.t > 1.85 + 1e-9)
            assert_float_equal(y, row.t < 1.8 ? 2.0 : -1.0, rounding);
        if (row.t > 1.75 + 1e-9 && row.t < 1.85 - 1e-9)
            assert_float_equal(y, 7.0, rounding);
        if (fabs(row.t - 0.8) > 1e-9 && fabs(row.t - 1.3) > 1e-9 && fabs(row.t - 1.8) > 1e-9)
            assert_float_equal(k, floor((row.t - 0.3) / 0.5 + 1e-12 < 0 ? 0 : (row.t - 0.3) / 0.5),
                               rounding);
    }
    trial_end(t);
}

// At the start it is the expression itself, so it is solved for: y = 3 - y / 2. Then it is known.
static void loops_are_solved_at_the_start_only(void **state)
{
    (void)state;
    Trial *t = trial_run_text("model M\n"
                              "  Real y = 3 - 0.5*delay(y, 1);\n"
                              "  Real w = time + 0.5*delay(w, 0.25);\n"
                              "end M;\n",
                              3.0);
    // w(3) = 3 + (2.75 + (2.5 + ...) / 2) / 2, down to w(0) = 0
    double w = 0.0;
    for (int k = 1; k <= 12; k++)
        w = 0.25 * k + 0.5 * w;
    trial_assert_value(t, "y", 2.0, 1e-12);
    trial_assert_value(t, "w", w, 1e-7); // ten times the history's part of the tolerance
    assert_int_equal(saltus_run_statistics(trial_get_run(t)).newton_iterations, 0);
    trial_end(t);
}

// The history goes on in another mode, in which x is no state, and jumps with it.
static void modes_have_one_past(void **state)
{
    (void)state;
    static const char *const text = "model M\n"
                                    "  Real x(start = 0, fixed = true), y = delay(x, 0.3);\n"
                                    "equation\n"
                                    "  if time < 1 then\n"
                                    "    der(x) = 1;\n"
                                    "  else\n"
                                    "    x = 5 - time;\n"
                                    "  end if;\n"
                                    "end M;\n";
    Trial *t = trial_run_text(text, 1.2);
    trial_assert_value(t, "y", 0.9, 1e-9);
    trial_run(t, 2.0);
    trial_assert_value(t, "y", 3.3, 1e-9);
    trial_end(t);
}

// Index reduction differentiates what was delayed: v = der(delay(x)) = delay(der(x)).
static void a_delayed_value_is_differentiated(void **state)
{
    (void)state;
    Trial *t = trial_text("model M\n"
                          "  Real x(start = 0, fixed = true), s, v, y = delay(x, 0.5);\n"
                          "equation\n"
                          "  der(x) = cos(time);\n"
                          "  s = y;\n"
                          "  der(s) = v;\n"
                          "end M;\n");
    trial_options(t)->method.relative_tolerance = 1e-9;
    assert_int_equal(trial_run(t, 2.0), SALTUS_OK);
    trial_assert_value(t, "s", sin(1.5), 1e-8);
    trial_assert_value(t, "v", cos(1.5), 1e-6); // the slope of a polynomial has one order less
    trial_end(t);
}

static void a_copy_has_its_own_past(void **state)
{
    (void)state;
    Trial *t = trial_run_text(steps_text, 2.3);
    SaltusRun *run = (SaltusRun *)(uintptr_t)trial_get_run(t), *copy = NULL;
    assert_int_equal(saltus_run_copy(run, &copy, NULL), SALTUS_OK);
    assert_int_equal(saltus_run_advance(run, 5.0), SALTUS_OK);
    const double x = saltus_run_states(run)[0];
    // The original is far ahead; what the copy reads is what was when it was made.
    assert_int_equal(saltus_run_advance(copy, 5.0), SALTUS_OK);
    assert_true(saltus_run_states(copy)[0] == x);
    saltus_run_destroy(copy);
    trial_end(t);
}

static void both_backends_agree(void **state)
{
    (void)state;
    double x[2];
    for (int i = 0; i < 2; i++) {
        Trial *t = trial_text(steps_text);
        trial_backend(t, i ? BACKEND_C : BACKEND_INTERPRET, NULL);
        assert_int_equal(trial_run(t, 5.0), SALTUS_OK);
        x[i] = saltus_run_states(trial_get_run(t))[0];
        trial_end(t);
    }
    assert_true(x[0] == x[1]);
}

// With d = 0.5 + 0.3 sin(t), x = exp(t) is the solution of der(x) = exp(d) x(t - d); the derivative
// of sin(3 (t - d)) is 3 cos(3 (t - d)) (1 - 0.3 cos(t)).
static void a_time_that_changes(void **state)
{
    (void)state;
    static const SaltusSolver solvers[] = {SALTUS_SOLVER_DOPRI5, SALTUS_SOLVER_RODAS,
                                           SALTUS_SOLVER_CVODE};
    for (size_t i = 0; i < sizeof solvers / sizeof *solvers; i++) {
        Trial *t = trial_text("model M\n"
                              "  Real d = 0.5 + 0.3*sin(time), x(start = 1, fixed = true);\n"
                              "  Real y = delay(sin(3*time), d, 0.8), v = der(y);\n"
                              "equation\n"
                              "  der(x) = if time < d then exp(time) else exp(d)*delay(x, d, 1);\n"
                              "end M;\n");
        trial_options(t)->method.relative_tolerance = 1e-8;
        trial_options(t)->method.solver = solvers[i];
        assert_int_equal(trial_run(t, 3.0), SALTUS_OK);
        const double d = 0.5 + 0.3 * sin(3.0);
        trial_assert_value(t, "y", sin(3.0 * (3.0 - d)), 1e-8);
        trial_assert_value(t, "v", 3.0 * cos(3.0 * (3.0 - d)) * (1.0 - 0.3 * cos(3.0)), 1e-5);
        // a hundred times the tolerance: errors grow like the solution
        trial_assert_value(t, "x", exp(3.0), 1e-6 * exp(3.0));
        trial_end(t);
    }
}

// A step of height 1 at t = 1 arrives at t - d = 1, d = 0.2 + 0.1 t: t = 4/3. Its integral at 3 is
// 5/3. The solver's error control finds it, so the bound is a hundred times its tolerance.
static void a_jump_arrives_after_a_time_that_changes(void **state)
{
    (void)state;
    Trial *t = trial_run_text("model M\n"
                              "  Real x(start = 0, fixed = true);\n"
                              "equation\n"
                              "  der(x) = delay(if time > 1 then 1 else 0, 0.2 + 0.1*time, 1);\n"
                              "end M;\n",
                              3.0);
    trial_assert_value(t, "x", 5.0 / 3.0, 1e-4);
    trial_end(t);
}

static void wrong_delays_are_refused(void **state)
{
    (void)state;
    // Where the time vanishes nothing is known: steps cannot be shorter than it.
    trial_expect_error("model M\n Real x(start = 1, fixed = true);\nequation\n"
                       " der(x) = -delay(x, 1 - time, 1);\nend M;\n",
                       2.0, "the right-hand side of x is not finite");
    // Longer than the longest: what was then is not kept.
    trial_expect_error("model M\n Real x(start = 1, fixed = true);\nequation\n"
                       " der(x) = -delay(x, 0.1 + 0.5*time, 1);\nend M;\n",
                       20.0, "the right-hand side of x is not finite");
    trial_expect_error("model M\n parameter Real T = 0;\n Real y = delay(time, T);\nend M;\n", 1.0,
                       "line 3: the time of delay(time, T) is 0: it must be positive");
    trial_expect_error("model M\n parameter Real T = 2;\n Real y = delay(time, T, 1);\nend M;\n",
                       1.0, "is 2: it is longer than the longest");
    trial_expect_refusal("model M\n"
                         "  block A\n"
                         "    Real a(start = 0), d;\n"
                         "  equation\n"
                         "    der(a) = 1;\n"
                         "    d = delay(a, 0.1);\n"
                         "  end A;\n"
                         "  block C\n"
                         "  end C;\n"
                         "  A a;\n"
                         "  C c;\n"
                         "equation\n"
                         "  initialState(a);\n"
                         "  transition(a, c, time > 1);\n"
                         "end M;\n",
                         "'delay' of a.a is not supported");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_method_of_steps),
        cmocka_unit_test(the_method_of_steps_with_several_steps),
        cmocka_unit_test(a_pure_transport),
        cmocka_unit_test(jumps_arrive),
        cmocka_unit_test(loops_are_solved_at_the_start_only),
        cmocka_unit_test(modes_have_one_past),
        cmocka_unit_test(a_delayed_value_is_differentiated),
        cmocka_unit_test(a_copy_has_its_own_past),
        cmocka_unit_test(both_backends_agree),
        cmocka_unit_test(a_time_that_changes),
        cmocka_unit_test(a_jump_arrives_after_a_time_that_changes),
        cmocka_unit_test(wrong_delays_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
