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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parameters_without_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
