// SPDX-License-Identifier: MIT
//
// The texts of assertions and of terminate(): with the values that variables have at that time.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/arena.h"
#include "code/cache.h"
#include "model/trial.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// The first warning of a run, and its time.
static void expect_warning(const char *text, double stop_time, double at, const char *expected)
{
    Trial *t = trial_run_text(text, stop_time);
    uint32_t index = 0;
    double time = 0.0;
    const char *message = NULL;
    Arena *arena = arena_create(NULL);
    assert_true(
        model_next_warning(trial_model(t), trial_get_run(t), &index, &time, arena, &message));
    assert_string_equal(message, expected);
    assert_true(fabs(time - at) < 1e-9);
    arena_destroy(arena);
    trial_end(t);
}

// Also after the run went on, with other values: x(t) = 1 - t, z(t) = 2 t.
static void values_at_the_first_violation(void **state)
{
    (void)state;
    expect_warning("model M type E = enumeration(low, high); parameter Real lim = 0.25; "
                   "Real x(start = 1, fixed = true), z(start = 0, fixed = true); "
                   "E e = if x > 0.5 then E.high else E.low; Boolean b = z > 1; "
                   "Integer n(start = 3, fixed = true); equation der(x) = -1; der(z) = 2; "
                   "when sample(0.1, 0.1) then n = pre(n) + 1; end when; "
                   "assert(x > lim, \"x \" + String(x) + \" below \" + String(lim) + \" at \" + "
                   "String(time) + \": \" + String(1000*z, significantDigits = 3) + \" \" + "
                   "String(e) + \" \" + String(b) + \" \" + String(n, minimumLength = 4, "
                   "leftJustified = false) + \" \" + String(x + 1, format = \".2f\") + \" \" + "
                   "String(der(x)), AssertionLevel.warning); end M;",
                   1.0, 0.75, "x 0.25 below 0.25 at 0.75: 1.5e+03 low true   10 1.25 -1");
}

// Parts of a model that nothing else connects; a state that is left; a condition of time alone.
static void values_of_other_parts(void **state)
{
    (void)state;
    expect_warning("model M Real x(start = 1, fixed = true), y(start = 0, fixed = true); "
                   "equation der(x) = -1; der(y) = y + 1; "
                   "assert(time < 0.5, \"x = \" + String(x), AssertionLevel.warning); end M;",
                   1.0, 0.5, "x = 0.5");
    expect_warning("model M Real x(start = 1, fixed = true), y; "
                   "equation der(x) = -1; if x > 0.4 then y = 2*x; else y = 7; end if; "
                   "assert(y < 5, \"y = \" + String(y) + \", x = \" + String(x), "
                   "AssertionLevel.warning); end M;",
                   1.0, 0.6, "y = 7, x = 0.4");
}

// What triggers events elsewhere triggers none here: 1 - t passes ten tenths.
static void messages_trigger_no_events(void **state)
{
    (void)state;
    Trial *t = trial_run_text("model M Real x(start = 1, fixed = true); equation der(x) = -1; "
                              "assert(x > -2, \"at \" + String(floor(10*x)) + \" \" + "
                              "String(if x > 0.5 then 1 else 2)); end M;",
                              1.0);
    assert_int_equal(saltus_run_statistics(trial_get_run(t)).events, 0);
    assert_int_equal(saltus_run_statistics(trial_get_run(t)).time_events, 0);
    trial_end(t);
}

// A warning of a when clause is none the less one.
static void warnings_of_when_clauses(void **state)
{
    (void)state;
    expect_warning("model M Real x(start = 1, fixed = true); equation der(x) = -1; "
                   "when x < 0.5 then assert(x > 0.7, \"low: \" + String(x), "
                   "AssertionLevel.warning); end when; end M;",
                   1.5, 0.5, "low: 0.5");
}

// Inside functions, at the start, in a run, and by compiled code.
static void values_in_functions(void **state)
{
    (void)state;
    static const char text[] =
        "model M record R Real T; Integer n; Boolean b; end R; "
        "function f input R r; output Real y; algorithm y := 0; for i in 1:2 loop "
        "assert(r.T < 400, \"T = \" + String(r.T) + \" (\" + String(r.n + i) + \", \" + "
        "String(r.b) + "
        "\", \" + String(r.T - 300, format = \"8.2f\") + \") is beyond 100 %\"); y := y + r.T; end "
        "for; "
        "end f; parameter Real T0 = 300; Real T, z; "
        "equation T = if time < 0.1 then T0 else 425; z = f(R(T, 3, true)); end M;";
    static const char message[] = "T = 425 (4, true,   125.00) is beyond 100 %";
    trial_expect_error(text, 1.0, message);
    Trial *t = trial_text(text);
    trial_parameter(t, "T0", 450.0);
    assert_int_not_equal(trial_run(t, 1.0), SALTUS_OK);
    assert_non_null(strstr(trial_error(t), "T = 450 (4, true,   150.00) is beyond 100 %"));
    trial_end(t);
    t = trial_text(text);
    Cache cache;
    assert_true(cache_open(&cache, "/dev/null/none")); // one of its own, in a temporary folder
    const NativeOptions options = {.cache = cache.folder};
    trial_backend(t, BACKEND_C, &options);
    assert_int_not_equal(trial_run(t, 1.0), SALTUS_OK);
    assert_non_null(strstr(trial_error(t), message));
    trial_end(t);
    cache_close(&cache);
}

static void values_in_errors(void **state)
{
    (void)state;
    trial_expect_error("model M Real x(start = 1, fixed = true); equation der(x) = -2; "
                       "assert(x > 0.5, \"x became \" + String(x)); end M;",
                       1.0, "is violated: x became 0.5");
    trial_expect_error("model M Real x(start = 1, fixed = true); Integer n(start = 0); "
                       "equation der(x) = -1; algorithm when sample(0.25, 0.25) then n := n + 1; "
                       "assert(n < 3, \"n is \" + String(n) + \" at \" + String(x)); end when; "
                       "end M;",
                       1.0, "n is 3 at 0.25");
    // The values where the statement stands, not those at the end of the algorithm.
    trial_expect_error("model M Real x(start = 1, fixed = true), y; equation der(x) = -1; "
                       "algorithm y := x; assert(y > 0.5, \"y is \" + String(y)); y := 10*x; "
                       "end M;",
                       1.0, "y is 0.5");
    // At the start.
    trial_expect_error("model M parameter Real p = 3; equation assert(p < 2, \"p is \" + "
                       "String(p)); end M;",
                       1.0, "p is 3");
}

static void values_in_terminate(void **state)
{
    (void)state;
    Trial *t = trial_text("model M Real x(start = 1, fixed = true), y(start = 2, fixed = true); "
                          "equation der(x) = -1; der(y) = 1; when x < 0.5 then reinit(y, 9); "
                          "terminate(\"ends at \" + String(x) + \" and \" + String(y)); end when; "
                          "end M;");
    assert_true(trial_is_model(t));
    assert_int_equal(trial_run(t, 1.0), SALTUS_TERMINATED);
    assert_non_null(strstr(trial_error(t), "ends at 0.5 and "));
    trial_end(t);
}

// What cannot be computed in a run stands as it is written; a message is no reason to refuse.
static void others_as_written(void **state)
{
    (void)state;
    trial_expect_error("model M function f input Real u; output String s; algorithm s := "
                       "if u > 1 then \"a\" else \"b\"; end f; Real x(start = 1, fixed = true); "
                       "Integer w = 3; equation der(x) = -2; "
                       "assert(x > 0.5, \"x: \" + f(x) + \", \" + String(x, minimumLength = w)); "
                       "end M;",
                       1.0, "x: f(x), String(x, minimumLength = w)");
}

// |x| is no less than zero in an assertion, though rounding leaves x = -1e-19 on the side of zero
// that it came from.
static void magnitudes_in_assertions(void **state)
{
    (void)state;
    Trial *t = trial_run_text("model M Real y(start = 1, fixed = true), x, z = 0; equation "
                              "der(y) = -100*y; x = if time < 0.5 then y else -1e-19; "
                              "assert(abs(abs(x) + abs(z) - max(abs(x), abs(z))) <= 1e-60, "
                              "\"two flows\"); end M;",
                              1.0);
    trial_end(t);
    trial_expect_error("model M Real x = time - 0.5; equation assert(abs(x) + 1 < 1.25, \"far\"); "
                       "end M;",
                       1.0, "far");
}

// What failed and why, with a long name between them.
static void long_names_in_errors(void **state)
{
    enum { LENGTH = 600 };
    (void)state;
    char name[LENGTH + 1], text[3 * LENGTH + 400];
    memset(name, 'f', LENGTH);
    name[LENGTH] = '\0';
    snprintf(text, sizeof text,
             "model M function %s input Real u; output Real y; algorithm assert(u < 0.5, "
             "\"too large\"); y := u; end %s; Real x(start = 0, fixed = true); equation "
             "der(x) = 1 + %s(time); end M;",
             name, name, name);
    char expected[LENGTH + 20];
    snprintf(expected, sizeof expected, "in function M.%s (", name);
    trial_expect_error(text, 1.0, expected);
    trial_expect_error(text, 1.0, ", line 1): too large");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(magnitudes_in_assertions), cmocka_unit_test(values_at_the_first_violation),
        cmocka_unit_test(values_of_other_parts),    cmocka_unit_test(messages_trigger_no_events),
        cmocka_unit_test(values_in_errors),         cmocka_unit_test(warnings_of_when_clauses),
        cmocka_unit_test(values_in_functions),      cmocka_unit_test(values_in_terminate),
        cmocka_unit_test(others_as_written),        cmocka_unit_test(long_names_in_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
