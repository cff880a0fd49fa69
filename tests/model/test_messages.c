// SPDX-License-Identifier: MIT
//
// What is said about models that are wrong or incomplete: the place in the user's own text, what it
// is about, and what would be right.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/trial.h"

#include <stdio.h>
#include <string.h>

static void assert_says(const char *text, const char *part)
{
    if (!text || !strstr(text, part))
        fail_msg("\"%s\" does not say \"%s\"", text ? text : "", part);
}

static void assert_not_says(const char *text, const char *part)
{
    if (text && strstr(text, part))
        fail_msg("\"%s\" says \"%s\"", text, part);
}

// Section 8.6 of the specification: the start value where there is no other one, with a message.
static void parameters_without_values(void **state)
{
    (void)state;
    Trial *t = trial_text("model M\n"
                          "  type Colour = enumeration(red, green);\n"
                          "  model Part\n"
                          "    parameter Real k;\n"
                          "  end Part;\n"
                          "  parameter Real tau;\n"
                          "  parameter Real T(start = 2);\n"
                          "  parameter Real list[3];\n"
                          "  parameter Boolean on;\n"
                          "  parameter Colour colour;\n"
                          "  parameter Real sought(fixed = false);\n"
                          "  Part part;\n"
                          "  Real x(start = 1, fixed = true);\n"
                          "  Real y = part.k + list[2] + (if on then 1 else 0) + tau;\n"
                          "  Real z = if colour == Colour.red then 1 else 2;\n"
                          "initial equation\n"
                          "  sought = 3;\n"
                          "equation\n"
                          "  der(x) = -sought * x / T;\n"
                          "end M;\n");
    const char *messages = trial_messages(t);
    assert_true(trial_is_model(t));
    assert_says(messages, ":6:18: warning: the parameter tau has no value: 0 is taken; "
                          "'tau = ...' gives it one\n");
    assert_says(messages, ":7:18: warning: the parameter T has no value, only a start value: that "
                          "is taken; 'T = ...' gives it one\n");
    assert_says(messages, ":8:18: warning: the parameter list has no value: 0 is taken; "
                          "'list = ...' gives it one\n");
    assert_null(strstr(strstr(messages, "parameter list has") + 1, "parameter list has"));
    assert_says(messages, "the parameter on has no value: false is taken");
    assert_says(messages, "the parameter colour has no value: red is taken");
    assert_says(messages, "the parameter part.k has no value: 0 is taken; 'part(k = ...)' gives it "
                          "one\n");
    assert_not_says(messages, "sought");
    trial_end(t);
}

// Section 10.6.13: no Real becomes an Integer by itself. x is known without the last equation.
static void integers_of_reals(void **state)
{
    (void)state;
    trial_expect_refusal("model M\n"
                         "  Integer v;\n"
                         "  Real x(start = 1, fixed = true);\n"
                         "equation\n"
                         "  der(x) = -x;\n"
                         "  v = 2.0 * x;\n"
                         "end M;\n",
                         ":6:3: error: v is Integer and cannot get the Real value of the right "
                         "side; integer(...) makes a whole number of it\n");
    trial_expect_refusal("model M\n"
                         "  Integer v;\n"
                         "  Real x = 3;\n"
                         "equation\n"
                         "  2.0 * x = v;\n"
                         "end M;\n",
                         ":5:3: error: v is Integer and cannot get the Real value of the left");
    // another equation gives v its value, this one x
    Trial *t = trial_run_text("model M\n"
                              "  Integer v = integer(4 * time);\n"
                              "  Real x;\n"
                              "equation\n"
                              "  v = 2.0 * x;\n"
                              "end M;\n",
                              0.9);
    trial_assert_value(t, "x", 1.5, 0.0);
    trial_end(t);
}

#define PARTS                                                                                      \
    "  connector Pin Real v(unit = \"V\"); flow Real i; end Pin;\n"                                \
    "  partial model Two Pin p, n; Real v = p.v - n.v; equation p.i + n.i = 0; end Two;\n"         \
    "  model Resistor extends Two; equation v = 2 * p.i; end Resistor;\n"                          \
    "  model Source extends Two; equation v = 5; end Source;\n"                                    \
    "  model Diode extends Two; Real s; Boolean on = s > 0;\n"                                     \
    "  equation v = if on then 0 else s; p.i = if on then s else 0; end Diode;\n"                  \
    "  model Ground Pin p; equation p.v = 0; end Ground;\n"

// Each circuit has its own level; what is not connected at all has one, too.
static void circuits_without_ground(void **state)
{
    (void)state;
    Trial *t = trial_text("model M\n" PARTS "  Source a, b; Resistor r, s, lonely; Diode d;\n"
                          "  Ground g;\n"
                          "equation\n"
                          "  connect(a.p, r.p); connect(r.n, d.p); connect(d.n, a.n);\n"
                          "  connect(b.p, s.p); connect(b.n, s.n); connect(b.n, g.p);\n"
                          "end M;\n");
    const char *messages = trial_messages(t);
    assert_false(trial_is_model(t));
    assert_says(messages, ":12:3: error: nothing determines the level of a.p.v, a.n.v, r.p.v, "
                          "r.n.v, d.p.v and d.n.v: the equations contain only their differences; "
                          "a ground is missing\n");
    assert_says(messages, "nothing determines the level of lonely.p.v and lonely.n.v: ");
    assert_not_says(messages, "follows from others");
    assert_not_says(messages, "b.p.v");
    trial_end(t);
}

// A potential that is given, in whatever way, is no error.
static void circuits_with_a_level(void **state)
{
    (void)state;
    const char *const levels[] = {"p.v = 1", "p.v^2 = 4 + time", "der(p.v) = 1 - p.v",
                                  "p.v = if time < 0.5 then 0 else 1"};
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        char text[2048];
        snprintf(text, sizeof text,
                 "model M\n" PARTS "  model Level Pin p(v(start = 1)); equation %s; end Level;\n"
                 "  Source a; Resistor r; Level level;\n"
                 "equation\n"
                 "  connect(a.p, r.p); connect(a.n, r.n); connect(level.p, a.n);\n"
                 "end M;\n",
                 levels[i]);
        trial_end(trial_run_text(text, 1.0));
    }
}

// Two sources side by side: the components are named, and the places are where they are declared.
static void short_circuits(void **state)
{
    (void)state;
    Trial *t = trial_text("model M\n" PARTS "  Source a;\n  Source b;\n  Ground g;\n"
                          "equation\n"
                          "  connect(a.p, b.p); connect(a.n, b.n); connect(a.n, g.p);\n"
                          "end M;\n");
    const char *messages = trial_messages(t);
    assert_false(trial_is_model(t));
    assert_says(messages, "too many equations: 2 equations of a and b for 1 variable, a.p.v\n");
    assert_says(messages, "note: b: ");
    trial_end(t);
}

// A current that has nowhere to go.
static void open_circuits(void **state)
{
    (void)state;
    Trial *t =
        trial_text("model M\n" PARTS
                   "  model Pump extends Two; parameter Real I = 1; equation p.i = I; end Pump;\n"
                   "  Pump a; Resistor r; Ground g;\n"
                   "equation\n"
                   "  connect(a.p, r.p); connect(r.n, g.p);\n"
                   "end M;\n");
    assert_false(trial_is_model(t));
    assert_says(trial_messages(t), "note: nothing is connected to a.n: its flow is zero\n");
    trial_end(t);
}

// Two equations that look as if they were two.
static void equations_that_repeat(void **state)
{
    (void)state;
    trial_expect_refusal("model M\n"
                         "  Real x, y;\n"
                         "equation\n"
                         "  x = y + 1;\n"
                         "  y = x - 1;\n"
                         "end M;\n",
                         ":5:3: error: the sum of x = y + 1.0 and y = x - 1.0 contains no unknown "
                         "variable: these equations say the same, or contradict each other\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parameters_without_values),
        cmocka_unit_test(integers_of_reals),
        cmocka_unit_test(circuits_without_ground),
        cmocka_unit_test(circuits_with_a_level),
        cmocka_unit_test(short_circuits),
        cmocka_unit_test(open_circuits),
        cmocka_unit_test(equations_that_repeat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
