// SPDX-License-Identifier: MIT
//
// Strings and enumerations as variables of a model.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/trial.h"

#include <stdio.h>

// Discrete values are exact.
static const double rounding = 0.0;

// A String that a when clause assigns, one that an equation determines, and left limits.
static void test_variables(void **state)
{
    (void)state;
    static const BackendChoice backends[] = {BACKEND_INTERPRET, BACKEND_C};
    const NativeOptions options = {0};
    for (size_t i = 0; i < sizeof backends / sizeof *backends; i++) {
        Trial *t = trial_text("model M\n"
                              "  String s(start = \"begin\", fixed = true), u;\n"
                              "  String t = if time > 0.5 then \"late\" else \"early\";\n"
                              "  Integer n(start = 0, fixed = true);\n"
                              "  Boolean late = t == \"late\", begun = s <> \"begin\";\n"
                              "  Boolean was = pre(s) == \"begin\", none = pre(u) == \"\";\n"
                              "equation\n"
                              "  when time > 0.3 then\n"
                              "    s = \"after\";\n"
                              "    u = s;\n"
                              "    n = if pre(s) == \"begin\" and u == \"after\" then 1 else 2;\n"
                              "  end when;\n"
                              "end M;\n");
        trial_backend(t, backends[i], &options);
        assert_int_equal(trial_run(t, 0.2), SALTUS_OK);
        ASSERT_VALUE(t, "late", 0.0);
        ASSERT_VALUE(t, "begun", 0.0);
        ASSERT_VALUE(t, "was", 1.0);
        ASSERT_VALUE(t, "none", 1.0);
        assert_int_equal(trial_run(t, 1.0), SALTUS_OK);
        ASSERT_VALUE(t, "late", 1.0);
        ASSERT_VALUE(t, "begun", 1.0);
        ASSERT_VALUE(t, "was", 0.0);
        ASSERT_VALUE(t, "none", 0.0);
        ASSERT_VALUE(t, "n", 1.0);
        trial_end(t);
    }
}

// String(e) of what changes at events is a choice between texts.
static void test_texts_of_values(void **state)
{
    (void)state;
    Trial *t = trial_run_text("model M\n"
                              "  type E = enumeration(low, middle, high);\n"
                              "  E e = if time < 0.3 then E.low elseif time < 0.6 then E.middle "
                              "else E.high;\n"
                              "  Boolean a = String(e) == \"low\";\n"
                              "  Boolean b = String(e) == \"high\";\n"
                              "  Boolean c = String(time > 0.5) == \"true\";\n"
                              "  Boolean d = String(e) == \"middle\";\n"
                              "equation\n"
                              "  assert(String(E.low) == \"low\", \"the text of a literal\");\n"
                              "end M;\n",
                              1.0);
    ASSERT_VALUE(t, "b", 1.0);
    ASSERT_VALUE(t, "c", 1.0);
    ASSERT_VALUE(t, "d", 0.0);
    ASSERT_VALUE(t, "a", 0.0);
    assert_true(trial_value_at(t, "a", 0) == 1.0);
    assert_true(trial_value_at(t, "b", 0) == 0.0);
    assert_true(trial_value_at(t, "c", 0) == 0.0);
    assert_true(trial_value_at(t, "d", 0) == 0.0);
    trial_end(t);
}

// Without a start value an enumeration begins with its first literal.
// A text of parameters is known before the run; with another value it is another text.
static void test_texts_of_parameters(void **state)
{
    (void)state;
    for (int is_changed = 0; is_changed < 2; is_changed++) {
        char text[400];
        snprintf(text, sizeof text,
                 "model M parameter Real p = %s; parameter Integer n = 3; String t; "
                 "String s = \"p = \" + String(p) + \", \" + String(n); Boolean a, b, c; "
                 "equation t = String(p); a = s == \"p = 2.5, 3\"; b = t == \"2.5\"; "
                 "c = s == \"p = 12.25, 3\"; end M;",
                 is_changed ? "12.25" : "2.5");
        Trial *t = trial_run_text(text, 1.0);
        ASSERT_VALUE(t, "a", !is_changed);
        ASSERT_VALUE(t, "b", !is_changed);
        ASSERT_VALUE(t, "c", is_changed);
        trial_end(t);
    }
}

static void test_first_literal(void **state)
{
    (void)state;
    Trial *t = trial_run_text("model M\n"
                              "  type E = enumeration(a, b, c);\n"
                              "  E e, f = pre(e);\n"
                              "equation\n"
                              "  when time > 0.5 then\n"
                              "    e = E.c;\n"
                              "  end when;\n"
                              "end M;\n",
                              0.4);
    ASSERT_VALUE(t, "e", 1.0);
    ASSERT_VALUE(t, "f", 1.0);
    assert_int_equal(trial_run(t, 1.0), SALTUS_OK);
    ASSERT_VALUE(t, "e", 3.0);
    trial_end(t);
}

static void test_what_is_refused(void **state)
{
    (void)state;
    trial_expect_refusal("model M String s = if time > 0.5 then \"a\" else \"b\"; "
                         "Boolean b = s < \"b\"; end M;",
                         "a String that is not known before the run cannot be used");
    trial_expect_refusal("model M Boolean b = String(time) == \"1\"; end M;",
                         "a String that is not known before the run cannot be used");
}

// StateSelect.always of what has no derivative; never of what must be a state.
static void test_states_that_cannot_be(void **state)
{
    (void)state;
    trial_expect_refusal("model M Real v(stateSelect = StateSelect.always) = "
                         "if time < 0.1 then 1 else 5; end M;",
                         "it cannot be a state");
    trial_expect_refusal(
        "model M Real x(start = 1, fixed = true, stateSelect = StateSelect.never); "
        "equation der(x) = -x; end M;",
        "but must be a state");
    Trial *t = trial_run_text("model M Real x(start = 1, fixed = true), "
                              "y(stateSelect = StateSelect.never) = 2*x; "
                              "equation der(x) = -x; end M;",
                              0.5);
    trial_assert_value(t, "y", 1.2130613194252668, 1e-4); // 2 exp(-1/2), at the default tolerance
    trial_end(t);
}

// An output `[:]` is nothing at first and grows.
static void test_growing_output(void **state)
{
    (void)state;
    Trial *t = trial_run_text("model M\n"
                              "  function positive\n"
                              "    input Integer x[:];\n"
                              "    output Integer y[:];\n"
                              "  algorithm\n"
                              "    for i in 1:size(x, 1) loop\n"
                              "      if x[i] > 0 then\n"
                              "        y := cat(1, y, {x[i]});\n"
                              "      end if;\n"
                              "    end for;\n"
                              "  end positive;\n"
                              "  Integer a[:] = positive({-1, 4, 0, 7});\n"
                              "  Integer n = size(a, 1), none = size(positive({-1}), 1);\n"
                              "end M;\n",
                              0.1);
    ASSERT_VALUE(t, "n", 2.0);
    ASSERT_VALUE(t, "a[1]", 4.0);
    ASSERT_VALUE(t, "a[2]", 7.0);
    ASSERT_VALUE(t, "none", 0.0);
    trial_end(t);
}

// A parameter that is a text of others: what it is in this run.
static void parameters_in_messages(void **state)
{
    (void)state;
    Trial *t =
        trial_text("model M parameter Integer k = 3; parameter String s = \"k=\" + String(k); "
                   "parameter String r = s + \"!\"; Real x = time; equation "
                   "assert(time < 0.5, \"late: \" + r); end M;");
    trial_parameter(t, "k", 7.0);
    assert_true(trial_run(t, 1.0) < 0);
    assert_non_null(strstr(trial_error(t), "late: k=7!"));
    trial_end(t);
}

// An error of the library has the values that it shows as they are then: in a when clause, in a
// function, in an algorithm.
static void errors_show_values(void **state)
{
    (void)state;
#define ERROR                                                                                      \
    "function error input String string; external \"C\" ModelicaError(string); end error; "
    trial_expect_error("model M " ERROR "Real x(start = 0, fixed = true); equation der(x) = 1; "
                       "when x > 0.5 then error(\"x is \" + String(x)); end when; end M;",
                       1.0, "x is 0.5");
    trial_expect_error("model M " ERROR "function f input Real u; output Real y; algorithm "
                       "if u >= 0.5 then error(\"u is \" + String(2*u)); end if; y := u; end f; "
                       "Real x(start = 0, fixed = true); discrete Real y; equation der(x) = 1; "
                       "when x > 0.5 then y = f(0.5 + integer(x)); end when; end M;",
                       1.0, "u is 1");
    trial_expect_error("model M " ERROR "Real x(start = 0, fixed = true); Integer n(start = 0); "
                       "algorithm when sample(0.25, 0.25) then n := pre(n) + 1; if n > 2 then "
                       "error(string = \"n is \" + String(n)); end if; end when; "
                       "equation der(x) = 1; end M;",
                       1.0, "n is 3");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_show_values),   cmocka_unit_test(parameters_in_messages),
        cmocka_unit_test(test_variables),       cmocka_unit_test(test_texts_of_values),
        cmocka_unit_test(test_first_literal),   cmocka_unit_test(test_texts_of_parameters),
        cmocka_unit_test(test_what_is_refused), cmocka_unit_test(test_states_that_cannot_be),
        cmocka_unit_test(test_growing_output),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
