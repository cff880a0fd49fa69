// SPDX-License-Identifier: MIT
//
// The annotation 'inverse' of functions: equations are solved by it, without iteration, with the
// results of Newton's method and closed forms; what is no inverse is found out.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/trial.h"
#include "structure/structure.h"

#include <math.h>

// Explicit solutions only round.
static const double rounding = 1e-13;

// f with an inverse, plain without: p exp(x) + 1
#define EXPONENTIAL                                                                                \
    "function f input Real x; input Real p; output Real y; algorithm y := p * exp(x) + 1; "        \
    "annotation(inverse(x = g(y, p))); end f; "                                                    \
    "function g input Real y; input Real p; output Real x; algorithm x := log((y - 1) / p); "      \
    "end g; "                                                                                      \
    "function plain input Real x; input Real p; output Real y; algorithm y := p * exp(x) + 1; "    \
    "end plain; "

// The number of unknowns that are guessed.
static uint32_t guesses(const Trial *t)
{
    const Structure *s = model_mode_info(trial_model(t), 0).structure;
    uint32_t count = 0;
    assert_non_null(s);
    for (uint32_t k = 0; k < s->block_count; k++)
        count += structure_torn(&s->blocks[k]);
    return count;
}

// On either side, inside sums and products, of a variable, a parameter and a number.
static void solves_without_iteration(void **state)
{
    (void)state;
    Trial *t = trial_run_text(
        "model M " EXPONENTIAL "parameter Real p = 2; Real a, b, c, d, s(start = 3, fixed = true); "
        "equation der(s) = 1; s = f(a, p); f(b, s) = 5 + s; 1 - 3 * f(c + 1, p) / s = -s; "
        "0 = f(d, 1) - s; end M;",
        1.0);
    assert_int_equal(guesses(t), 0);
    ASSERT_VALUE(t, "a", log(3.0 / 2.0));
    ASSERT_VALUE(t, "b", log(8.0 / 4.0));
    ASSERT_VALUE(t, "c", log((20.0 / 3.0 - 1.0) / 2.0) - 1.0);
    ASSERT_VALUE(t, "d", log(3.0));
    trial_end(t);
}

// The same equations by Newton's method: all along the run the results agree.
static void agrees_with_newton(void **state)
{
    (void)state;
    Trial *t = trial_run_text(
        "model M " EXPONENTIAL
        "parameter Real p = 2; Real a, b, x, y, s(start = 1.5, fixed = true); "
        "equation der(s) = 1 + 5 * cos(6 * s) ^ 2 + a; s = f(a, p); s = plain(b, p); "
        "f(x, s) = 5 + sin(a); plain(y, s) = 5 + sin(b); end M;",
        1.0);
    assert_int_equal(guesses(t), 2);
    for (long row = 0; row < saltus_run_row_count(trial_get_run(t)); row++) {
        // Newton's method stops when only rounding is left, or at a hundredth of the relative
        // tolerance, 1e-8.
        assert_true(fabs(trial_value_at(t, "a", row) - trial_value_at(t, "b", row)) < 1e-8);
        assert_true(fabs(trial_value_at(t, "x", row) - trial_value_at(t, "y", row)) < 1e-8);
    }
    trial_end(t);
}

// An inverse that is an iteration has no derivative of its own (this one is piecewise constant in
// y); that of the implicit equation leads Henon's method to the event x = 1 at s = 2.
static void iterations_have_derivatives(void **state)
{
    (void)state;
    Trial *t = trial_text(
        "model M function f input Real x; input Real p; output Real y; algorithm "
        "y := p * x + x ^ 3; annotation(inverse(x = g(y, p))); end f; "
        "function g input Real y; input Real p; output Real x; "
        "protected Real a, b; algorithm a := -10; b := 10; "
        "while b - a > 1e-15 * (1 + abs(a)) loop x := (a + b) / 2; "
        "if x == a or x == b then break; end if; "
        "if p * x + x ^ 3 > y then b := x; else a := x; end if; end while; end g; "
        "Real x, s(start = 0, fixed = true), q(start = 0, fixed = true); discrete Real at; "
        "equation der(s) = 2 + cos(s); der(q) = 1; s = f(x, 1); "
        "when x > 1 then at = s; end when; end M;");
    assert_true(trial_is_model(t));
    trial_options(t)->method.locate = SALTUS_LOCATE_HENON;
    assert_int_equal(trial_run(t, 1.0), SALTUS_OK);
    assert_int_equal(guesses(t), 0);
    trial_assert_value(t, "at", 2.0, 1e-9); // the tolerance of the location
    assert_int_equal(saltus_run_statistics(trial_get_run(t)).fallbacks, 0);
    trial_end(t);
}

// Inputs that are arrays or left to their defaults, an inverse with its arguments in another order,
// and two inverses of one function.
static void arguments_of_inverses(void **state)
{
    (void)state;
    Trial *t = trial_run_text(
        "model M function f input Real c[:]; input Real x; input Real k; output Real y; algorithm "
        "y := c[1] + c[2] * x ^ 3 + k; annotation(inverse(x = g(k, y, c), k = h(y = y, x = x, "
        "c = c))); end f; "
        "function g input Real k; input Real y; input Real c[:]; input Integer n = 3; "
        "output Real x; algorithm x := ((y - c[1] - k) / c[2]) ^ (1 / n); end g; "
        "function h input Real x; input Real y; input Real c[:]; output Real k; "
        "algorithm k := y - c[1] - c[2] * x ^ 3; end h; "
        "Real a(start = 1), b; equation 20 + time = f({3, 2}, a, 1); "
        "time = f({time, 2}, time, b); end M;",
        1.0);
    assert_int_equal(guesses(t), 0);
    ASSERT_VALUE(t, "a", cbrt(8.5));
    ASSERT_VALUE(t, "b", -2.0);
    trial_end(t);
}

// At the start, too: x follows from what y is then.
static void at_the_start(void **state)
{
    (void)state;
    Trial *t = trial_run_text("model M " EXPONENTIAL "Real x, y; initial equation y = 3; "
                              "equation der(x) = 0; y = f(x, 2); end M;",
                              1.0);
    ASSERT_VALUE(t, "x", 0.0);
    ASSERT_VALUE(t, "y", 3.0);
    trial_end(t);
}

// Where the unknown occurs twice, the inverse does not help; nor in larger blocks.
static void where_it_does_not_fit(void **state)
{
    (void)state;
    Trial *t = trial_run_text("model M " EXPONENTIAL
                              "Real x(start = 1), y(start = 1), u(start = 1), z(start = 1); "
                              "equation f(x, 1) + x = 2 + time; f(y, y) = 1 + time; "
                              "u = f(z, 1); z + u = 1 + time; end M;",
                              1.0);
    const double x = trial_value(t, "x"), y = trial_value(t, "y"), z = trial_value(t, "z");
    assert_true(guesses(t) >= 3);
    // the tolerance of Newton's method, times the slope of the equations
    assert_true(fabs(exp(x) + 1.0 + x - 3.0) < 1e-8);
    assert_true(fabs(y * exp(y) - 1.0) < 1e-8);
    assert_true(fabs(z + exp(z) + 1.0 - 2.0) < 1e-8);
    trial_end(t);
}

// What g gives is put into f.
static void wrong_inverses_are_found_out(void **state)
{
    (void)state;
    trial_expect_error("model M\nfunction f input Real x; output Real y; algorithm y := 2 * x;\n"
                       "annotation(inverse(x = g(y))); end f;\n"
                       "function g input Real y; output Real x; algorithm x := y / 3; end g;\n"
                       "Real x; equation f(x) = 1 + time; end M;",
                       1.0, "line 3): what the annotation 'inverse' gives does not satisfy");
    // sqrt(-1) is no number.
    trial_expect_error("model M\nfunction f input Real x; output Real y; algorithm y := x ^ 2;\n"
                       "annotation(inverse(x = g(y))); end f;\n"
                       "function g input Real y; output Real x; algorithm x := sqrt(y); end g;\n"
                       "Real x; equation f(x) = -1 - time; end M;",
                       1.0, "line 3): what the annotation 'inverse' gives does not satisfy");
}

#define SQUARE(start)                                                                              \
    "model M function f input Real x; input Real p; output Real y; algorithm y := p * x ^ 2; "     \
    "annotation(inverse(x = g(y, p))); end f; function g input Real y; input Real p; "             \
    "output Real x; algorithm x := sqrt(y / p); end g; "                                           \
    "Real x(start = " start "); equation 8 = f(x - 1, 2 + 0 * time); end M;"

// Newton's method would find the solution near the start value, x = 1 - 2 instead of 1 + 2.
static void start_on_another_branch(void **state)
{
    (void)state;
    trial_expect_error(SQUARE("-1.5"), 1.0, "the start value lies on another branch");
    const char *const others[] = {SQUARE("3"), SQUARE("70"), SQUARE("1"), SQUARE("1e300")};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        Trial *t = trial_run_text(others[i], 1.0);
        assert_int_equal(guesses(t), 0);
        ASSERT_VALUE(t, "x", 3.0);
        trial_end(t);
    }
}

// Zero is found although no relative precision is left there; a steep function is inverted although
// its values are far apart.
static void precision_of_inverses(void **state)
{
    (void)state;
    Trial *t = trial_run_text(
        "model M function f input Real x; output Real y; algorithm y := x + sin(x); "
        "annotation(inverse(x = g(y))); end f; "
        "function g input Real y; output Real x; algorithm x := y / 2 + 1e-15; "
        "for i in 1:20 loop x := x - (x + sin(x) - y) / (1 + cos(x)); end for; "
        "x := x + 1e-15; end g; "
        "function steep input Real x; output Real y; algorithm y := tan(x); "
        "annotation(inverse(x = flat(y))); end steep; "
        "function flat input Real y; output Real x; algorithm x := atan(y); end flat; "
        "Real a, b; equation f(a) = 0 * time; steep(b) = 1e12; end M;",
        1.0);
    assert_int_equal(guesses(t), 0);
    ASSERT_VALUE(t, "a", 0.0);
    ASSERT_VALUE(t, "b", atan(1e12));
    trial_end(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solves_without_iteration),
        cmocka_unit_test(agrees_with_newton),
        cmocka_unit_test(iterations_have_derivatives),
        cmocka_unit_test(arguments_of_inverses),
        cmocka_unit_test(at_the_start),
        cmocka_unit_test(where_it_does_not_fit),
        cmocka_unit_test(wrong_inverses_are_found_out),
        cmocka_unit_test(start_on_another_branch),
        cmocka_unit_test(precision_of_inverses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
