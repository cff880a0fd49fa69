// SPDX-License-Identifier: MIT
//
// Integers of models: exact in 64 bits, or an error that says where; in equations, in functions and
// before the run, interpreted and compiled.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "code/cache.h"
#include "model/trial.h"

#include <math.h>
#include <stdio.h>

static Cache cache;

static int open_cache(void **state)
{
    (void)state;
    return cache_open(&cache, "/dev/null/none") ? 0 : -1; // one of its own, in a temporary folder
}

static int close_cache(void **state)
{
    (void)state;
    cache_close(&cache);
    return 0;
}

static const BackendChoice backends[] = {BACKEND_INTERPRET, BACKEND_C};

// A model, run with one of the backends.
static Trial *run_with(BackendChoice backend, const char *text, double stop_time)
{
    Trial *t = trial_text(text);
    if (!trial_is_model(t))
        fail_msg("%s", trial_messages(t));
    const NativeOptions options = {.cache = cache.folder};
    trial_backend(t, backend, &options);
    if (trial_run(t, stop_time) < 0)
        fail_msg("%s", trial_error(t));
    return t;
}

// ---- a generator of random numbers --------------------------------------------------------------

// s' = (1103515245 s + 12345) mod (2^31 - 1): the product has up to 61 bits.
static int64_t next_random(int64_t s)
{
    return (INT64_C(1103515245) * s + 12345) % INT64_C(2147483647);
}

static void a_generator_is_exact(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        Trial *t = run_with(backends[k],
                            "model Generator\n"
                            "  Integer s(start = 12345, fixed = true);\n"
                            "equation\n"
                            "  when sample(1, 1) then\n"
                            "    s = mod(1103515245*pre(s) + 12345, 2147483647);\n"
                            "  end when;\n"
                            "end Generator;\n",
                            1000.5);
        int64_t s = 12345;
        long row = 0;
        for (int step = 1; step <= 1000; step++) {
            s = next_random(s);
            while (saltus_run_row(trial_get_run(t), row).t < step + 0.25)
                row++;
            assert_true(trial_value_at(t, "s", row) == (double)s);
        }
        trial_end(t);
    }
}

static const char in_a_function[] = "model Generated\n"
                                    "  function generate\n"
                                    "    input Integer n;\n"
                                    "    output Integer s = 12345;\n"
                                    "  algorithm\n"
                                    "    for i in 1:n loop\n"
                                    "      s := mod(1103515245*s + 12345, 2147483647);\n"
                                    "    end for;\n"
                                    "  end generate;\n"
                                    "  constant Integer before = generate(1000);\n"
                                    "  parameter Integer n = 1000;\n"
                                    "  parameter Integer set = generate(n);\n"
                                    "  Integer running = generate(integer(time) + n);\n"
                                    "  Real known = before;\n"
                                    "  Real x(start = 0, fixed = true);\n"
                                    "equation\n"
                                    "  der(x) = 1;\n"
                                    "end Generated;\n";

// In a function that is evaluated before the run, for a parameter, and during the run.
static void functions_are_exact(void **state)
{
    (void)state;
    int64_t s = 12345;
    for (int step = 0; step < 1000; step++)
        s = next_random(s);
    for (int k = 0; k < 2; k++) {
        Trial *t = run_with(backends[k], in_a_function, 1.5);
        assert_true(trial_value(t, "known") == (double)s);
        assert_true(trial_value_at(t, "running", 0) == (double)s);
        assert_true(trial_value(t, "running") == (double)next_random(s));
        trial_end(t);
    }
}

// Fields of records beside Reals and Booleans, in arrays, as arguments and as results.
static void fields_of_records_are_exact(void **state)
{
    (void)state;
    int64_t s = 12345;
    for (int step = 0; step < 1000; step++)
        s = next_random(s);
    for (int k = 0; k < 2; k++) {
        Trial *t = run_with(backends[k],
                            "model Fields\n"
                            "  record State\n"
                            "    Real u;\n"
                            "    Integer s;\n"
                            "    Boolean odd;\n"
                            "  end State;\n"
                            "  function next\n"
                            "    input State a;\n"
                            "    output State b;\n"
                            "  algorithm\n"
                            "    b := a;\n"
                            "    b.s := mod(1103515245*a.s + 12345, 2147483647);\n"
                            "    b.u := b.s/2147483647;\n"
                            "    b.odd := mod(b.s, 2) == 1;\n"
                            "  end next;\n"
                            "  function many\n"
                            "    input Integer n;\n"
                            "    output State b;\n"
                            "  protected\n"
                            "    State a[2];\n"
                            "    Integer k = 1;\n"
                            "  algorithm\n"
                            "    a[1] := State(0, 12345, true);\n"
                            "    a[2] := State(0, 0, false);\n"
                            "    for i in 1:n loop\n"
                            "      a[3 - k] := next(a[k]);\n"
                            "      k := 3 - k;\n"
                            "    end for;\n"
                            "    b := a[k];\n"
                            "  end many;\n"
                            "  State last = many(999 + integer(time));\n"
                            "  Integer after = mod(1103515245*last.s + 12345, 2147483647);\n"
                            "  State further = next(last);\n"
                            "end Fields;\n",
                            0.5);
        assert_true(trial_value(t, "after") == (double)s);
        assert_true(trial_value(t, "further.u") == (double)s / 2147483647.0);
        trial_end(t);
    }
}

// ---- the specification's signs ------------------------------------------------------------------

// Section 3.7.2: div truncates, mod(x, y) = x - floor(x/y)*y, rem(x, y) = x - div(x, y)*y.
static void quotients_have_their_signs(void **state)
{
    (void)state;
    static const struct {
        int x, y, div, mod, rem;
    } table[] = {
        {7, 3, 2, 1, 1}, {-7, 3, -2, 2, -1}, {7, -3, -2, -2, 1}, {-7, -3, 2, -1, -1},
        {6, 3, 2, 0, 0}, {-6, 3, -2, 0, 0},  {6, -3, -2, 0, 0},  {0, -3, 0, 0, 0},
        {2, 5, 0, 2, 2}, {-2, 5, 0, 3, -2},  {2, -5, 0, -3, 2},  {-2, -5, 0, -2, -2},
        {9, 1, 9, 0, 0}, {9, -1, -9, 0, 0},
    };
    for (size_t i = 0; i < 2 * sizeof table / sizeof *table; i++) {
        const size_t row = i / 2;
        char text[600];
        snprintf(text, sizeof text,
                 "model Signs\n"
                 "  parameter Integer x = %d, y = %d;\n"
                 "  Integer d, m, r;\n"
                 "  constant Integer c[3] = {div(%d, %d), mod(%d, %d), rem(%d, %d)};\n"
                 "  Integer known[3] = c;\n"
                 "equation\n"
                 "  d = div(x, y);\n"
                 "  m = mod(x, y);\n"
                 "  r = rem(x, y);\n"
                 "end Signs;\n",
                 table[row].x, table[row].y, table[row].x, table[row].y, table[row].x, table[row].y,
                 table[row].x, table[row].y);
        Trial *t = run_with(backends[i % 2], text, 0.1);
        assert_true(trial_value(t, "d") == table[row].div);
        assert_true(trial_value(t, "m") == table[row].mod);
        assert_true(trial_value(t, "r") == table[row].rem);
        assert_true(trial_value(t, "known[1]") == table[row].div);
        assert_true(trial_value(t, "known[2]") == table[row].mod);
        assert_true(trial_value(t, "known[3]") == table[row].rem);
        trial_end(t);
    }
}

// ---- what mixes with what -----------------------------------------------------------------------

// i*(2^53 - 1) and i*(2^53 - 2) are one double from i = 3 on. Divisions and powers of Integers are
// Real; what is compared with a Real is rounded.
static void types_mix_as_the_language_says(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        Trial *t = run_with(backends[k],
                            "model Mixed\n"
                            "  parameter Integer i = 1001;\n"
                            "  Boolean exact = i*9007199254740991 > i*9007199254740990;\n"
                            "  Boolean equal = i*9007199254740991 == i*9007199254740990;\n"
                            "  Real quotient = i/2, power = i^2, sum = i + 0.25;\n"
                            "  Real rounded = i*9007199254740991;\n"
                            "  Integer smallest = mod(min(i*9007199254740991, "
                            "i*9007199254740990), 1000003);\n"
                            "  Integer literal = mod(i + 9223372036854774806, 1000003);\n"
                            "end Mixed;\n",
                            0.1);
        assert_true(trial_value(t, "exact") == 1.0);
        assert_true(trial_value(t, "equal") == 0.0);
        assert_true(trial_value(t, "quotient") == 500.5);
        assert_true(trial_value(t, "power") == 1002001.0);
        assert_true(trial_value(t, "sum") == 1001.25);
        assert_true(trial_value(t, "rounded") == (double)(1001 * INT64_C(9007199254740991)));
        assert_true(trial_value(t, "smallest") ==
                    (double)(1001 * INT64_C(9007199254740990) % 1000003));
        assert_true(trial_value(t, "literal") == (double)(INT64_MAX % 1000003));
        trial_end(t);
    }
}

// What would fail is not evaluated where it does not decide.
static void conditions_guard(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        Trial *t = run_with(backends[k],
                            "model Guarded\n"
                            "  Integer i(start = 3, fixed = true);\n"
                            "  Boolean divides = i <> 0 and mod(12, i) == 0;\n"
                            "  Boolean either = i == 0 or rem(12, i) == 1;\n"
                            "  Integer rest = if i > 0 then mod(12, i) else -1;\n"
                            "equation\n"
                            "  when sample(1, 1) then\n"
                            "    i = pre(i) - 1;\n"
                            "  end when;\n"
                            "end Guarded;\n",
                            3.5);
        assert_true(trial_value(t, "i") == 0.0);
        assert_true(trial_value(t, "divides") == 0.0);
        assert_true(trial_value(t, "either") == 1.0);
        assert_true(trial_value(t, "rest") == -1.0);
        trial_end(t);
    }
}

// A converter of 20 bits: x = (x0 + 10) exp(t/10) - 10 passes each step of 1e-6, and each is an
// event. The whole part at the end is that of the closed form, which is 0.13 steps away from the
// next one; the tolerance of 1e-6 of the run allows 1e-9 here, as the derivative hardly changes.
static void small_steps_are_followed(void **state)
{
    (void)state;
    const double end = (10.0 + 0.31234567) * exp(0.1 * 1e-4) - 10.0;
    Trial *t = trial_run_text("model Converter\n"
                              "  Real x(start = 0.31234567, fixed = true), rest;\n"
                              "  Integer i;\n"
                              "equation\n"
                              "  der(x) = 1 + 0.1*x;\n"
                              "  i = integer(x*1e6);\n"
                              "  rest = mod(x, 1e-6);\n"
                              "end Converter;\n",
                              1e-4);
    assert_true(trial_value(t, "i") == floor(end * 1e6));
    trial_assert_value(t, "rest", end - 1e-6 * floor(end * 1e6), 1e-9);
    trial_end(t);
}

// Beyond 1e9 a step of one is smaller than what is known of the number: events would be lost.
static void steps_too_small_are_refused(void **state)
{
    (void)state;
    static const char *const forms[] = {"integer(x*1e12)", "mod(x*1e20, 1)", "floor(x/1e-14)"};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        char text[200];
        snprintf(text, sizeof text,
                 "model Small\n  Real x(start = 1, fixed = true), y;\nequation\n  der(x) = 1;\n"
                 "  y = %s;\nend Small;\n",
                 forms[i]);
        trial_expect_error(text, 1.0, "cannot be followed: its argument is beyond 1e+09");
        trial_expect_error(text, 1.0, "line 5)");
    }
}

// Guesses of what is not known yet, here n = 0, do not end a run.
static void guesses_may_divide_by_zero(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        Trial *t = run_with(backends[k],
                            "model Guess\n"
                            "  Integer n, r;\n"
                            "  Real x(start = 1, fixed = true), y;\n"
                            "equation\n"
                            "  n = integer(x) + 2;\n"
                            "  r = mod(100, n);\n"
                            "  der(x) = if r > 0 then 1 else 2;\n"
                            "  if r == 1 then\n"
                            "    y = x;\n"
                            "  else\n"
                            "    der(y) = 1;\n"
                            "  end if;\n"
                            "end Guess;\n",
                            0.5);
        assert_true(trial_value(t, "n") == 3.0 && trial_value(t, "r") == 1.0);
        trial_assert_value(t, "y", 1.5, 1e-12); // y = x = 1 + t
        trial_end(t);
    }
}

// ---- errors -------------------------------------------------------------------------------------

// The message has these words, and the line.
static void expect_error(const char *text, double stop_time, const char *words, int line)
{
    char place[32];
    snprintf(place, sizeof place, ", line %d)", line);
    trial_expect_error(text, stop_time, words);
    trial_expect_error(text, stop_time, place);
}

static void overflow_names_the_equation(void **state)
{
    (void)state;
    expect_error("model Product\n"
                 "  Integer s(start = 12345678, fixed = true);\n"
                 "equation\n"
                 "  when sample(1, 1) then\n"
                 "    s = mod(pre(s)*pre(s)*pre(s), 1000);\n"
                 "  end when;\n"
                 "end Product;\n",
                 1.5, "Integer overflow in pre(s) * pre(s) * pre(s): the result is beyond 64 bits",
                 5);
    expect_error("model Counter\n"
                 "  Integer n(start = 9007199254740991, fixed = true);\n"
                 "equation\n"
                 "  when sample(1, 1) then\n"
                 "    n = pre(n) + 1;\n"
                 "  end when;\n"
                 "end Counter;\n",
                 1.5, "Integer overflow in pre(n) + 1: a variable cannot hold more than 2^53", 5);
    expect_error("model Local\n"
                 "  function f\n"
                 "    input Integer n;\n"
                 "    output Integer y = 1;\n"
                 "  algorithm\n"
                 "    for i in 1:n loop\n"
                 "      y := 3*y;\n"
                 "    end for;\n"
                 "  end f;\n"
                 "  Integer y = f(integer(time) + 33);\n"
                 "end Local;\n",
                 1.5, "Integer overflow in 3 * y", 7);
    expect_error("model Large\n"
                 "  Real x(start = 1, fixed = true);\n"
                 "  Integer i;\n"
                 "equation\n"
                 "  der(x) = 0;\n"
                 "  i = mod(integer(x*1e19), 10);\n"
                 "end Large;\n",
                 1.0, "Integer overflow in integer(x * 1e19)", 6);
}

// A literal that is no double is not rounded to one.
static void literals_are_exact_or_refused(void **state)
{
    (void)state;
    expect_error("model Literal\n"
                 "  Integer k = if time < 0.5 then 0 else\n"
                 "    9007199254740993;\n"
                 "end Literal;\n",
                 1.0, "Integer overflow in 9007199254740993: a variable cannot hold more than 2^53",
                 3);
    Trial *t = run_with(BACKEND_INTERPRET,
                        "model Difference\n"
                        "  constant Integer n = 9007199254740993;\n"
                        "  parameter Integer m = 1;\n"
                        "  Integer k = n - 9007199254740992*m;\n"
                        "end Difference;\n",
                        0.1);
    assert_true(trial_value(t, "k") == 1.0);
    trial_end(t);
}

static void division_by_zero_names_the_equation(void **state)
{
    (void)state;
    expect_error("model Rest\n"
                 "  Integer n(start = 2, fixed = true), r;\n"
                 "equation\n"
                 "  r = mod(100, n);\n"
                 "  when sample(1, 1) then\n"
                 "    n = pre(n) - 1;\n"
                 "  end when;\n"
                 "end Rest;\n",
                 2.5, "division by zero in mod(100, n)", 4);
}

// Before the run: the same limits, errors of the compilation.
static void errors_before_the_run(void **state)
{
    (void)state;
    trial_expect_refusal("model M\n"
                         "  constant Integer n = 3037000500*3037000500;\n"
                         "  Real x[n];\n"
                         "end M;\n",
                         "the result is too large for an Integer");
    trial_expect_refusal("model M\n"
                         "  constant Integer n = mod(5, 0);\n"
                         "  Real x[n];\n"
                         "end M;\n",
                         "division by zero");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_generator_is_exact),
        cmocka_unit_test(functions_are_exact),
        cmocka_unit_test(fields_of_records_are_exact),
        cmocka_unit_test(quotients_have_their_signs),
        cmocka_unit_test(types_mix_as_the_language_says),
        cmocka_unit_test(conditions_guard),
        cmocka_unit_test(small_steps_are_followed),
        cmocka_unit_test(steps_too_small_are_refused),
        cmocka_unit_test(guesses_may_divide_by_zero),
        cmocka_unit_test(overflow_names_the_equation),
        cmocka_unit_test(literals_are_exact_or_refused),
        cmocka_unit_test(division_by_zero_names_the_equation),
        cmocka_unit_test(errors_before_the_run),
    };
    return cmocka_run_group_tests(tests, open_cache, close_cache);
}
