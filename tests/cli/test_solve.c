// SPDX-License-Identifier: MIT
//
// saltus solve as a user meets it.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/command.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char fall[] = "model Fall\n"
                           "  parameter Real g = 8, x0 = 1, v0 = 0;\n"
                           "  parameter Integer n = 1;\n"
                           "  Real x(start = x0, fixed = true);\n"
                           "  Real v(start = v0, fixed = true);\n"
                           "equation\n"
                           "  der(x) = v;\n"
                           "  der(v) = -g;\n"
                           "end Fall;\n";

static double first_number(const char *text)
{
    const char *line = strchr(text, '\n');
    assert_non_null(line);
    return strtod(line + 1, NULL);
}

// On the floor after one second: x0 = g/2 - v0; thrown up to 9: v0 = +-sqrt(2 g (9 - x0)).
static void roots(void **state)
{
    (void)state;
    command_write("fall.mo", fall);
    const CommandOutcome *o = command_expect(
        "solve fall.mo -q -u x0=1:100 -t 'x = 0' -p v0=1 --observe 'top = maximum(x)'", 0,
        "x0,miss,below,above,top,kind,note\n");
    assert_true(fabs(first_number(o->text) - 3.0) < 1e-12);
    o = command_expect("solve fall.mo -q -u v0=0:20 -t 'maximum(x) = 9' --stop-time 3", 0, "root");
    assert_true(fabs(first_number(o->text) - sqrt(16.0 * 8.0)) < 1e-10);
    command_expect("solve fall.mo -u v0=-20:20 -t 'time_of(x < 0) = 0.5' --all 2>&1", 0,
                   "Fall: 1 found");
    o = command_expect("solve fall.mo -q -u x0=0:9 -u v0=0:9 -t 'x = 1' -t 'maximum(x) = 2'", 0,
                       "root");
    // x0 + v0 = 5 and x0 + v0^2/16 = 2: v0 = 8 - 4 = 4, x0 = 1.
    assert_true(fabs(first_number(o->text) - 1.0) < 1e-7);
    command_expect("solve fall.mo -q -u v0=0:9 --minimize '(x + 1)^2' -o r.json", 0, "");
    assert_non_null(strstr(command_read("r.json"), "\"minimum\""));
}

// Names of columns are whole, however long: these two differ at their ends alone.
static void long_names(void **state)
{
    (void)state;
    enum { TERMS = 40 };
    command_write("fall.mo", fall);
    char sum[TERMS * 4 + 1] = "", line[1000], columns[1000];
    for (int i = 0; i < TERMS; i++)
        strcat(sum, "x + ");
    snprintf(line, sizeof line,
             "solve fall.mo -q -u x0=1:100 -t 'x = 0' --observe '%s1' --observe '%s2'", sum, sum);
    snprintf(columns, sizeof columns, "x0,miss,below,above,%s1,%s2,kind,note\n", sum, sum);
    command_expect(line, 0, columns);
}

// Where a variable begins, which here is an expression of a parameter otherwise: x = x0 - 4 + v0.
static void start_values(void **state)
{
    (void)state;
    const CommandOutcome *o =
        command_expect("solve fall.mo -q -u x.start=1:100 -p v.start=1 -t 'x = 0' --observe 'x0'",
                       0, "x.start,miss,below,above,x0,kind,note\n");
    assert_true(fabs(first_number(o->text) - 3.0) < 1e-12);
    command_expect("solve fall.mo -u x=1:100 -t 'x = 0' 2>&1", 2,
                   "x is no parameter; where it begins is x.start");
    command_expect("solve fall.mo -u y.start=1:100 -t 'x = 0' 2>&1", 2, "there is no variable 'y'");
}

static void nothing_found(void **state)
{
    (void)state;
    command_expect("solve fall.mo -u x0=1:2 -t 'x = 70' 2>&1", 1, "does not change its sign");
    command_expect("solve fall.mo -u x0=1:2 -t 'x = 70' --all 2>&1", 1, "no change of sign");
    command_expect("solve fall.mo -u x0=1:2 -t 'time_of(x < -70) = 1' 2>&1", 1,
                   "'x < -70' never happened");
    command_expect("solve fall.mo -u x0=1:3 -t 'floor(x0) = 1.5' 2>&1", 1,
                   "there the target jumps");
    command_expect("solve fall.mo -u x0=1:3 --boundary events 2>&1", 1, "nothing changes");
    command_expect("solve fall.mo -u x0=1:3 -u v0=1:2 -t 'x = 90' -t 'v = 90' 2>&1", 1,
                   "no solution was found");
}

static void mistakes(void **state)
{
    (void)state;
    static const struct {
        const char *arguments, *message;
    } cases[] = {
        {"-u x0=1:2", "what is wanted?"},
        {"-t 'x = 1'", "which parameter is sought?"},
        {"-u x0=1:2 -t x", "a target is EXPR = VALUE"},
        {"-u x0=1:2 -t 'x <= 1'", "a target is EXPR = VALUE"},
        {"-u x0=1:2 -t 'y = 1'", "there is no variable 'y'"},
        {"-u y0=1:2 -t 'x = 1'", "did you mean"},
        {"-u x0=1 -t 'x = 1'", "an unknown is sought in an interval"},
        {"-u x0=1:2:5 -t 'x = 1'", "an unknown is sought in an interval"},
        {"-u x0=1:1 -t 'x = 1'", "an unknown is sought in an interval"},
        {"-u n=1:3 -t 'x = 1'", "whole numbers only"},
        {"-u x0=1:2 -u x0=1:2 -t 'x = 1' -t 'v = 2'", "x0 is given twice"},
        {"-u x0=1:2 -u v0=1:2 -t 'x = 1'", "2 unknowns need as many targets"},
        {"-u x0=1:2 -u v0=1:2 -t 'x = 1' --all", "search one unknown"},
        {"-u x0=1:2 -t 'x = 1' --minimize x", "only one of"},
        {"-u x0=1:2 -t 'x = 1' --points 0", "--points is a whole number"},
        {"-u x0=1:2 -t 'x = 1' -p v0=1,2", "-p needs one value here"},
        {"-u x0=1:2 -t 'x = 1' -o t.txt", "should end in"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char arguments[400];
        snprintf(arguments, sizeof arguments, "solve fall.mo %s 2>&1", cases[i].arguments);
        command_expect(arguments, 2, cases[i].message);
    }
    command_expect("solve fall.mo -u x0=1:2 -t 'count(v < 0, \"every\") = 1' 2>&1", 2,
                   "count takes");
    command_expect("solve fall.mo -u x0=1:2 -t 'time_of(v < 0, \"every\") = 1' 2>&1", 1,
                   "a range is needed");
}

int main(int argc, char **argv)
{
    (void)argc;
    command_find(argv[0]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(roots),        cmocka_unit_test(long_names),
        cmocka_unit_test(start_values), cmocka_unit_test(nothing_found),
        cmocka_unit_test(mistakes),
    };
    return cmocka_run_group_tests(tests, command_make_folder, command_remove_folder);
}
