// SPDX-License-Identifier: MIT
//
// saltus benchmark: parameters that no model has are not set in silence.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/command.h"

#include <string.h>

static void parameters(void **state)
{
    (void)state;
    command_expect("benchmark c21 -p Ball.mu=0.8 -o right B2 2>&1", 0, "right/index.html");
    command_expect("benchmark c21 -p mu=0.8 -o right B2 2>&1", 0, "right/index.html");
    // Wrong everywhere: refused at once, with a proposal. Wrong for this task: found out by it.
    command_expect("benchmark c21 -p Ball.foo=3 -o wrong B2 2>&1", 2,
                   "no model has a parameter 'Ball.foo'\n");
    command_expect("benchmark c21 -p Ball.Mu=0.8 -o wrong B2 2>&1", 2,
                   "no model has a parameter 'Ball.Mu'; did you mean 'Ball.mu'?");
    command_expect("benchmark c21 -p Circuit.R1=8 -o wrong B2 2>&1", 1,
                   "no model of these tasks has a parameter 'Circuit.R1': it was not set");
}

static void mistakes(void **state)
{
    (void)state;
    static const CommandMistake cases[] = {
        {"", 2, "no benchmark given"},
        {"c22", 2, "there is no benchmark 'c22'"},
        {"c21 B22", 2, "c21 has no task 'B22'"},
        {"c21 -p mu", 2, "mu"},
    };
    command_expect_all("benchmark", cases, sizeof cases / sizeof *cases);
}

// A task takes seconds; a signal does not wait for its end, and then there is no report. It is sent
// when the command is there to catch it, as a bit of its mask says.
static void interrupted(void **state)
{
    (void)state;
    const CommandOutcome *outcome =
        command_shell("\"$SALTUS\" benchmark c21 -o stopped 2>&1 & "
                      "until grep -qs '^SigCgt:.*[2367abef]$' /proc/$!/status; do sleep 0.01; "
                      "done; sleep 0.5; "
                      "kill -INT $!; wait $!; echo status $?; ls stopped/index.html");
    assert_non_null(strstr(outcome->text, "saltus benchmark: interrupted"));
    assert_non_null(strstr(outcome->text, "status 130"));
    assert_int_not_equal(outcome->status, 0); // of ls
}

// What is wiped there is wiped by spaces: escape sequences would be shown, not carried out.
static void on_a_terminal(void **state)
{
    (void)state;
    if (command_shell("command -v script >/dev/null")->status != 0)
        skip();
    const CommandOutcome *outcome = command_shell(
        "script -qec '\"$SALTUS\" benchmark c21 -o shown B2' /dev/null | tr '\\r' '\\n'");
    assert_non_null(strstr(outcome->text, "%] B2  Until"));
    assert_non_null(strstr(outcome->text, "shown/index.html"));
    assert_null(strstr(outcome->text, "?["));
}

int main(int argc, char **argv)
{
    (void)argc;
    command_find(argv[0]);
    const struct CMUnitTest tests[] = {cmocka_unit_test(parameters), cmocka_unit_test(mistakes),
                                       cmocka_unit_test(interrupted),
                                       cmocka_unit_test(on_a_terminal)};
    return cmocka_run_group_tests(tests, command_make_folder, command_remove_folder);
}
