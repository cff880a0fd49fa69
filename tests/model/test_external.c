// SPDX-License-Identifier: MIT
//
// External functions and objects in models: tables that see parameters, their events and
// derivatives, Strings at compile time, compiled code beside interpreted code, failures.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "code/cache.h"
#include "external/external.h"
#include "external/random.h"
#include "model/trial.h"

#include <math.h>
#include <stdio.h>

// Of values that are computed in a few operations, or that no solver touches.
static const double rounding = 1e-12;

#define TABLE_1D                                                                                   \
    "  class Curve\n"                                                                              \
    "    extends ExternalObject;\n"                                                                \
    "    function constructor\n"                                                                   \
    "      input Real table[:, :];\n"                                                              \
    "      input Integer smoothness = 1;\n"                                                        \
    "      input Integer extrapolation = 2;\n"                                                     \
    "      output Curve curve;\n"                                                                  \
    "      external \"C\" curve = ModelicaStandardTables_CombiTable1D_init2(\"NoName\", "          \
    "\"NoName\", table, size(table, 1), size(table, 2), {2}, 1, smoothness, extrapolation, "       \
    "false);\n"                                                                                    \
    "    end constructor;\n"                                                                       \
    "    function destructor\n"                                                                    \
    "      input Curve curve;\n"                                                                   \
    "      external \"C\" ModelicaStandardTables_CombiTable1D_close(curve);\n"                     \
    "    end destructor;\n"                                                                        \
    "  end Curve;\n"                                                                               \
    "  pure function value\n"                                                                      \
    "    input Curve curve;\n"                                                                     \
    "    input Real u;\n"                                                                          \
    "    output Real y;\n"                                                                         \
    "    external \"C\" y = ModelicaStandardTables_CombiTable1D_getValue(curve, 1, u);\n"          \
    "    annotation(derivative = slope);\n"                                                        \
    "  end value;\n"                                                                               \
    "  pure function slope\n"                                                                      \
    "    input Curve curve;\n"                                                                     \
    "    input Real u;\n"                                                                          \
    "    input Real du;\n"                                                                         \
    "    output Real dy;\n"                                                                        \
    "    external \"C\" dy = ModelicaStandardTables_CombiTable1D_getDerValue(curve, 1, u, du);\n"  \
    "  end slope;\n"

#define TABLE_TIME                                                                                 \
    "  class Course\n"                                                                             \
    "    extends ExternalObject;\n"                                                                \
    "    function constructor\n"                                                                   \
    "      input Real table[:, :];\n"                                                              \
    "      input Integer smoothness;\n"                                                            \
    "      input Integer extrapolation;\n"                                                         \
    "      output Course course;\n"                                                                \
    "      external \"C\" course = ModelicaStandardTables_CombiTimeTable_init2(\"NoName\", "       \
    "\"NoName\", table, size(table, 1), size(table, 2), 0.0, {2}, 1, smoothness, extrapolation, "  \
    "0.0, 1, false);\n"                                                                            \
    "    end constructor;\n"                                                                       \
    "    function destructor\n"                                                                    \
    "      input Course course;\n"                                                                 \
    "      external \"C\" ModelicaStandardTables_CombiTimeTable_close(course);\n"                  \
    "    end destructor;\n"                                                                        \
    "  end Course;\n"                                                                              \
    "  pure function at\n"                                                                         \
    "    input Course course;\n"                                                                   \
    "    input Real t;\n"                                                                          \
    "    input Real next;\n"                                                                       \
    "    input Real last;\n"                                                                       \
    "    output Real y;\n"                                                                         \
    "    external \"C\" y = ModelicaStandardTables_CombiTimeTable_getValue(course, 1, t, next, "   \
    "last);\n"                                                                                     \
    "  end at;\n"                                                                                  \
    "  pure function next\n"                                                                       \
    "    input Course course;\n"                                                                   \
    "    input Real t;\n"                                                                          \
    "    output Real y;\n"                                                                         \
    "    external \"C\" y = ModelicaStandardTables_CombiTimeTable_nextTimeEvent(course, t);\n"     \
    "  end next;\n"

// x' = y(t) with the triangle 0, k, 0 at 0, 1, 2: its area is k. dy is its slope.
static const char triangle[] = "model M\n" TABLE_1D "  parameter Real k = 2;\n"
                               "  parameter Curve curve = Curve([0, 0; 1, k; 2, 0]);\n"
                               "  Real x(start = 0, fixed = true);\n"
                               "  Real y = value(curve, time);\n"
                               "  Real dy = der(y);\n"
                               "equation\n"
                               "  der(x) = y;\n"
                               "end M;\n";

static void test_parameter(void **state)
{
    (void)state;
    Trial *t = trial_text(triangle);
    assert_true(trial_is_model(t));
    trial_parameter(t, "k", 5.0);
    assert_int_equal(trial_run(t, 1.5), SALTUS_OK);
    ASSERT_VALUE(t, "y", 2.5);
    ASSERT_VALUE(t, "dy", -5.0);
    // No event says where the kink is: the error of a step across it is controlled, at 1e-6.
    trial_assert_value(t, "x", 2.5 + 1.875, 1e-4);
    trial_end(t);
}

// The table is solved for its input, by Newton's method: y(u) = v with y = u^2 at the points.
static void test_newton(void **state)
{
    (void)state;
    Trial *t = trial_run_text("model M\n" TABLE_1D
                              "  parameter Curve curve = Curve([0, 0; 1, 1; 2, 4; 3, 9; 4, 16], "
                              "2);\n"
                              "  Real u(start = 1.5);\n"
                              "equation\n"
                              "  value(curve, u) = 2 + time;\n"
                              "end M;\n",
                              4.0);
    trial_assert_value(t, "u", sqrt(6.0), 1e-9);
    trial_end(t);
}

// Index reduction: the table says where a mass is, and der(der(s)) is its acceleration. Akima's
// pieces of s = t^2 are exact.
static void test_index(void **state)
{
    (void)state;
    Trial *t = trial_run_text("model M\n" TABLE_1D
                              "  parameter Curve curve = Curve([0, 0; 1, 1; 2, 4; 3, 9; 4, 16], "
                              "2);\n"
                              "  Real s = value(curve, time);\n"
                              "  Real v = der(s);\n"
                              "  Real a = der(v);\n"
                              "end M;\n",
                              2.5);
    ASSERT_VALUE(t, "s", 6.25);
    ASSERT_VALUE(t, "v", 5.0);
    ASSERT_VALUE(t, "a", 2.0);
    trial_end(t);
}

// A staircase 1, 3, 2 at 0, 1, 2 and again from 3 on: events at 1, 2, 3, ...; its integral is
// exact.
static const char staircase[] =
    "model M\n" TABLE_TIME "  parameter Course course = Course([0, 1; 1, 3; 2, 2; 3, 2], 3, "
    "3);\n"
    "  discrete Real event(start = 0, fixed = true);\n"
    "  Real x(start = 0, fixed = true);\n"
    "  Real y = at(course, time, event, pre(event));\n"
    "equation\n"
    "  when {time >= pre(event), initial()} then\n"
    "    event = next(course, time);\n"
    "  end when;\n"
    "  der(x) = y;\n"
    "end M;\n";

static void test_time_events(void **state)
{
    (void)state;
    Trial *t = trial_run_text(staircase, 7.5);
    ASSERT_VALUE(t, "y", 3.0);
    ASSERT_VALUE(t, "event", 8.0);
    ASSERT_VALUE(t, "x", 2 * 6.0 + 1.0 + 1.5); // constant between events: no error of the method
    trial_end(t);
}

static void assert_same_backends(const char *text, const char *name, double stop_time)
{
    double values[2] = {0.0, 0.0};
    Cache cache;
    assert_true(cache_open(&cache, "/dev/null/none"));
    const NativeOptions options = {.cache = cache.folder};
    bool is_compiled = false;
    for (int i = 0; i < 2; i++) {
        Trial *t = trial_text(text);
        trial_backend(t, i ? BACKEND_C : BACKEND_INTERPRET, &options);
        assert_int_equal(trial_run(t, stop_time), SALTUS_OK);
        values[i] = trial_value(t, name);
        is_compiled = trial_is_compiled(t);
        trial_end(t);
    }
    cache_close(&cache);
    if (!is_compiled)
        skip();
    assert_memory_equal(&values[0], &values[1], sizeof values[0]);
}

static void test_backends(void **state)
{
    (void)state;
    assert_same_backends(triangle, "x", 1.7);
    assert_same_backends(staircase, "x", 7.3);
}

static void test_failure(void **state)
{
    (void)state;
    trial_expect_error("model M\n" TABLE_1D "  parameter Curve curve = Curve([0, 0; 1, 1], 1, 4);\n"
                       "  Real y = value(curve, time);\n"
                       "end M;\n",
                       2.0, "in function M.value");
    trial_expect_error("model M\n" TABLE_1D "  parameter Curve curve = Curve([0, 0; 1, 1], 1, 4);\n"
                       "  Real y = value(curve, time);\n"
                       "end M;\n",
                       2.0, "the table is defined from 0 to 1, but is asked for");
    // by parameters, before the run
    Trial *t = trial_text("model M\n" TABLE_1D "  parameter Real a = 1;\n"
                          "  parameter Curve curve = Curve([0, 0; a, 1]);\n"
                          "  Real y = value(curve, time);\n"
                          "end M;\n");
    double p[8];
    SaltusError error = {0};
    const Parameters list = model_list_parameters(trial_model(t));
    assert_int_equal(list.count, 2);
    const ParameterValue bad = {0, -1.0};
    assert_int_equal(model_find_parameters(trial_model(t), NULL, 0, p, &error), SALTUS_OK);
    assert_int_not_equal(model_find_parameters(trial_model(t), &bad, 1, p, &error), SALTUS_OK);
    assert_non_null(strstr(error.message, "the first column of the table must increase, but row 2 "
                                          "is -1 after 0"));
    saltus_error_clear(&error);
    trial_end(t);
}

static void test_strings(void **state)
{
    (void)state;
    Trial *t =
        trial_run_text("model M\n"
                       "  pure function length\n"
                       "    input String s;\n"
                       "    output Integer n;\n"
                       "    external \"C\" n = ModelicaStrings_length(s);\n"
                       "  end length;\n"
                       "  pure function substring\n"
                       "    input String s;\n"
                       "    input Integer from;\n"
                       "    input Integer to;\n"
                       "    output String part;\n"
                       "    external \"C\" part = ModelicaStrings_substring(s, from, to);\n"
                       "  end substring;\n"
                       "  function isYes\n"
                       "    input String s;\n"
                       "    output Boolean y;\n"
                       "  algorithm\n"
                       "    y := length(s) > 2 and substring(s, 1, 3) == \"yes\";\n"
                       "  end isYes;\n"
                       "  parameter String group = \"Dy11\";\n"
                       "  parameter Integer n = length(group);\n"
                       "  Real v[n] = ones(n);\n"
                       "  Real y = if substring(group, 2, 2) == \"y\" then 3 else 4;\n"
                       "  Real z = if isYes(\"yesterday\") and not isYes(\"no\") then 1 else 0;\n"
                       "end M;\n",
                       1.0);
    ASSERT_VALUE(t, "v[4]", 1.0);
    ASSERT_VALUE(t, "y", 3.0);
    ASSERT_VALUE(t, "z", 1.0);
    trial_end(t);
}

// The state of xorshift64* runs through a when clause; by hand: the state is 1 at first.
static void test_random(void **state)
{
    (void)state;
    Trial *t =
        trial_run_text("model M\n"
                       "  pure function random\n"
                       "    input Integer before[2];\n"
                       "    output Real r;\n"
                       "    output Integer after[2];\n"
                       "    external \"C\" ModelicaRandom_xorshift64star(before, after, r);\n"
                       "  end random;\n"
                       "  discrete Real r(start = 0, fixed = true);\n"
                       "  Integer s[2](start = {1, 0}, each fixed = true);\n"
                       "equation\n"
                       "  when time > 0.5 then\n"
                       "    (r, s) = random(pre(s));\n"
                       "  end when;\n"
                       "end M;\n",
                       1.0);
    // x = 1: x >> 12 is 0; x << 25 gives 2^25 + 1; x >> 27 is 0; times 2685821657736338717
    uint64_t x = (UINT64_C(1) << 25 | 1) * UINT64_C(2685821657736338717);
    ASSERT_VALUE(t, "s[1]", (double)(int32_t)(uint32_t)x);
    ASSERT_VALUE(t, "s[2]", (double)(int32_t)(uint32_t)(x >> 32));
    ASSERT_VALUE(t, "r", (double)(int64_t)x * 0x1p-64 + 0.5);
    trial_end(t);
}

// Integer parameters that depend on one that the initialization finds.
static void test_found_integer(void **state)
{
    (void)state;
    Trial *t = trial_run_text("model M\n"
                              "  final parameter Integer seed(fixed = false);\n"
                              "  parameter Boolean use = true;\n"
                              "  parameter Integer actual = if use then 2*seed else 0;\n"
                              "  Real y = actual*time;\n"
                              "initial equation\n"
                              "  seed = 21;\n"
                              "end M;\n",
                              1.0);
    ASSERT_VALUE(t, "y", 42.0);
    trial_end(t);
}

// A slice that moves, and an error whose message is not known before the run.
static void test_functions(void **state)
{
    (void)state;
    static const char text[] = "model M\n"
                               "  function error\n"
                               "    input String s;\n"
                               "  algorithm\n"
                               "    assert(false, s);\n"
                               "  end error;\n"
                               "  function pairs\n"
                               "    input Real x[6];\n"
                               "    output Real y;\n"
                               "  algorithm\n"
                               "    y := 0;\n"
                               "    for i in 2:2:6 loop\n"
                               "      y := y*10 + sum(x[i-1:i]);\n"
                               "    end for;\n"
                               "    if y > 1000 then\n"
                               "      error(\"too large: \" + String(y));\n"
                               "    end if;\n"
                               "  end pairs;\n"
                               "  Real y = pairs({1, 2, 0, 1, time, 1});\n"
                               "end M;\n";
    Trial *t = trial_run_text(text, 3.0);
    ASSERT_VALUE(t, "y", 314.0);
    trial_end(t);
    trial_expect_error(text, 800.0, "too large: ");
}

#define LINEAR                                                                                     \
    "function solve input Real A[:, size(A, 1)], b[size(A, 1)]; output Real x[size(A, 1)] = b; "   \
    "output Integer info; protected Integer n = size(A, 1), one = 1, p[size(A, 1)]; "              \
    "Real LU[size(A, 1), size(A, 1)] = A; "                                                        \
    "external \"FORTRAN 77\" dgesv(n, one, LU, n, p, x, n, info); end solve; "                     \
    "function f input Real u; output Real y; protected Real x[2]; Integer info; "                  \
    "algorithm (x, info) := solve([1, 3; 2, u], {1, u}); y := x[1]; end f; "

// 2 x1 + u x2 = u and x1 + 3 x2 = 1 (exchanged): x1 = 2 u / (6 - u), whose derivative by u is
// 12 / (6 - u)^2; u occurs in the matrix and on the right.
static void test_linear_derivative(void **state)
{
    (void)state;
    Trial *t = trial_run_text("model M " LINEAR "function g = der(f, u); "
                              "Real d = g(time), y(start = 1.5); equation f(y) + y = 1 + time; "
                              "end M;",
                              2.0);
    ASSERT_VALUE(t, "d", 0.75);
    ASSERT_VALUE(t, "y", 2.0);
    trial_end(t);
}

// ---- impure functions ---------------------------------------------------------------------------

#define IMPURE                                                                                     \
    "  impure function draw\n"                                                                     \
    "    input Integer id;\n"                                                                      \
    "    output Real y;\n"                                                                         \
    "    external \"C\" y = ModelicaRandom_impureRandom_xorshift1024star(id);\n"                   \
    "  end draw;\n"                                                                                \
    "  impure function set\n"                                                                      \
    "    input Integer s[33];\n"                                                                   \
    "    input Integer id;\n"                                                                      \
    "    external \"C\" ModelicaRandom_setInternalState_xorshift1024star(s, size(s, 1), id);\n"    \
    "  end set;\n"                                                                                 \
    "  impure function begin\n"                                                                    \
    "    input Integer id;\n"                                                                      \
    "    output Integer same;\n"                                                                   \
    "  algorithm\n"                                                                                \
    "    set(1:33, id);\n"                                                                         \
    "    same := id;\n"                                                                            \
    "  end begin;\n"                                                                               \
    "  impure function print\n"                                                                    \
    "    input String string;\n"                                                                   \
    "    input String fileName = \"\";\n"                                                          \
    "    external \"C\" ModelicaInternal_print(string, fileName);\n"                               \
    "  end print;\n"

static const char impure_text[] =
    "model Drawn\n" IMPURE "  impure function three\n"
    "    input Integer id;\n"
    "    output Real y[3];\n"
    "  algorithm\n"
    "    for i in 1:3 loop\n"
    "      y[i] := draw(id);\n"
    "    end for;\n"
    "  end three;\n"
    "  parameter Integer id(fixed = false);\n"
    "  discrete Real r(start = 0, fixed = true), s(start = 0, fixed = true), y[3](each start = 0, "
    "each fixed = true);\n"
    "initial equation\n"
    "  id = begin(5);\n"
    "equation\n"
    "  when sample(0.1, 0.2) then\n"
    "    r = draw(id);\n"
    "    s = draw(id);\n"
    "    y = three(id);\n"
    "  end when;\n"
    "end Drawn;\n";

// Every call at an event draws one number, however often the event is iterated: five of them at
// each event, all different, and they are those of the recurrence.
static void check_drawn(BackendChoice backend)
{
    RandomState state = {.place = 33 % RANDOM_WORDS};
    for (uint64_t i = 0; i < RANDOM_WORDS; i++)
        state.words[i] = (2 * i + 1) | (2 * i + 2) << 32;
    Trial *trial = trial_text(impure_text);
    assert_string_equal(trial_messages(trial), "");
    trial_backend(trial, backend, NULL);
    for (int event = 0; event < 3; event++) {
        assert_true(trial_run(trial, 0.2 + 0.2 * event) >= 0);
        double left = 0.0, right = 0.0;
        static const char *const names[] = {"r", "s", "y[1]", "y[2]", "y[3]"};
        for (int i = 0; i < 5; i++) {
            const double x = trial_value(trial, names[i]);
            left += x * x;
            const double number = random_unit(random_1024star(&state));
            right += number * number;
        }
        // The order of equations is free: the same five in any order.
        assert_true(fabs(left - right) <= rounding);
        assert_true(trial_value(trial, "r") != trial_value(trial, "s"));
        assert_true(trial_value(trial, "y[1]") != trial_value(trial, "y[2]"));
    }
    trial_end(trial);
}

static void test_impure_is_held(void **state)
{
    (void)state;
    check_drawn(BACKEND_INTERPRET);
}

static void test_impure_is_held_compiled(void **state)
{
    (void)state;
    check_drawn(BACKEND_C);
}

// The generator begins with a seed that initial equations find: the numbers are those of the seed,
// not of the value that the unknown had while it was not known yet.
static void test_impure_has_inputs(void **state)
{
    (void)state;
    Trial *trial = trial_run_text("model Seeded\n" IMPURE "  impure function from\n"
                                  "    input Integer seed;\n"
                                  "    output Integer id = 5;\n"
                                  "  algorithm\n"
                                  "    set(seed:seed + 32, id);\n"
                                  "  end from;\n"
                                  "  parameter Integer seed(fixed = false), id(fixed = false);\n"
                                  "  discrete Real r;\n"
                                  "initial equation\n"
                                  "  seed = 1;\n"
                                  "  id = from(seed);\n"
                                  "equation\n"
                                  "  when {initial(), sample(2, 2)} then\n"
                                  "    r = draw(id);\n"
                                  "  end when;\n"
                                  "end Seeded;\n",
                                  1.0);
    RandomState generator = {.place = 33 % RANDOM_WORDS};
    for (uint64_t i = 0; i < RANDOM_WORDS; i++)
        generator.words[i] = (2 * i + 1) | (2 * i + 2) << 32;
    assert_true(trial_value(trial, "r") == random_unit(random_1024star(&generator)));
    trial_end(trial);
}

// What was printed, text by text: "time: text|" and "!text|" for warnings.
static void printed(Trial *trial, char *out, size_t size)
{
    ExternalMessage m;
    size_t length = 0;
    out[0] = 0;
    for (uint32_t i = 0; store_next_message(trial_externals(trial), &i, &m) && length < size;)
        length += (size_t)(m.is_warning ? snprintf(out + length, size - length, "!%s|", m.text)
                                        : snprintf(out + length, size - length, "%.3g: %s|", m.time,
                                                   m.text));
}

static const char print_model[] =
    "model Printed\n" IMPURE "  function tell\n"
    "    input Real t;\n"
    "    input Integer n;\n"
    "    output Boolean ok = true;\n"
    "  algorithm\n"
    "    print(\"n = \" + String(n) + \", \" + String(t > 0.3) + String(n, minimumLength = 3, "
    "leftJustified = false));\n"
    "  end tell;\n"
    "  Real x(start = 1, fixed = true);\n"
    "  Integer k(start = 0, fixed = true);\n"
    "equation\n"
    "  der(x) = -x;\n"
    "  when sample(0.1, 0.2) then\n"
    "    k = pre(k) + 1;\n"
    "    print(\"k = \" + String(k) + \", x = \" + String(x, significantDigits = 3));\n"
    "  end when;\n"
    "algorithm\n"
    "  when x < 0.7 then\n"
    "    tell(time, 3);\n"
    "    print(\"text\", \"file.txt\");\n"
    "  end when;\n"
    "end Printed;\n";

// exp(-0.1) = 0.905, exp(-0.3) = 0.741, exp(-0.5) = 0.607; 0.7 at 0.357.
static void test_print(void **state)
{
    (void)state;
    char text[1000];
    Trial *trial = trial_run_text(print_model, 0.6);
    printed(trial, text, sizeof text);
    const char *warning = "!a model does not write files: 'file.txt' is not written|";
    assert_non_null(strstr(text, warning));
    assert_null(strstr(strstr(text, warning) + 1, warning));
    assert_non_null(strstr(text, "0.1: k = 1, x = 0.905|0.3: k = 2, x = 0.741|"));
    assert_non_null(strstr(text, "0.357: n = 3, true  3|0.5: k = 3, x = 0.607|"));
    FILE *file = fopen("file.txt", "r");
    assert_null(file);
    trial_end(trial);
}

// Strings that are put together in the run have any length.
static void test_long_text(void **state)
{
    (void)state;
    enum { LENGTH = 3000 };
    char name[LENGTH + 1], text[LENGTH + 1000], expected[LENGTH + 100], found[LENGTH + 200];
    memset(name, 'n', LENGTH);
    name[LENGTH] = '\0';
    snprintf(text, sizeof text,
             "model Long\n" IMPURE "  Real x(start = 1, fixed = true);\n"
             "equation\n"
             "  der(x) = 1;\n"
             "  when time >= 0.5 then print(\"%s\" + String(x) + \"|end\"); end when;\n"
             "end Long;\n",
             name);
    snprintf(expected, sizeof expected, "0.5: %s1.5|end|", name);
    Trial *trial = trial_run_text(text, 1.0);
    printed(trial, found, sizeof found);
    assert_string_equal(found, expected);
    trial_end(trial);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parameter),
        cmocka_unit_test(test_newton),
        cmocka_unit_test(test_index),
        cmocka_unit_test(test_time_events),
        cmocka_unit_test(test_backends),
        cmocka_unit_test(test_failure),
        cmocka_unit_test(test_strings),
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_found_integer),
        cmocka_unit_test(test_functions),
        cmocka_unit_test(test_impure_is_held),
        cmocka_unit_test(test_impure_is_held_compiled),
        cmocka_unit_test(test_impure_has_inputs),
        cmocka_unit_test(test_print),
        cmocka_unit_test(test_long_text),
        cmocka_unit_test(test_linear_derivative),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
