// SPDX-License-Identifier: MIT
//
// Messages say names and paths as a whole, however long these are.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEEP = 5, PART = 250, NAME = 600 };

static char deep[DEEP * (PART + 1) + 1]; // a folder that is not there, in others of that kind
static char there[sizeof deep + 3];      // one that is: "in/", and the same
static char name[NAME + 1];              // of a variable that is not there
static char expected[sizeof there + sizeof name + 400];

static int set_up(void **state)
{
    if (command_make_folder(state) != 0)
        return -1;
    for (int i = 0; i < DEEP; i++) {
        memset(deep + i * (PART + 1), 'a' + i, PART);
        deep[i * (PART + 1) + PART] = i + 1 < DEEP ? '/' : '\0';
    }
    snprintf(there, sizeof there, "in/%s", deep);
    for (int i = 0; i < NAME; i++)
        name[i] = (char)('a' + i % 26);
    command_write("ball.mo", "model Ball parameter Real g = 9.81; input Real u = 0;\n"
                             "Real h(start = 1, fixed = true), v(start = 0, fixed = true);\n"
                             "equation der(h) = v; der(v) = u - g;\n"
                             "when h <= 0 then reinit(v, -0.5*pre(v)); end when;\n"
                             "annotation(experiment(StopTime = 0.5)); end Ball;\n");
    return command_run("simulate ball.mo -o ball.csv -q")->status;
}

// "saltus ARGUMENTS", with %s for the folder or the name, prints the text with it.
static void expect_whole(const char *arguments, const char *text, const char *long_name)
{
    char line[sizeof expected];
    snprintf(line, sizeof line, arguments, long_name);
    snprintf(expected, sizeof expected, text, long_name);
    strcat(line, " 2>&1");
    if (!strstr(command_run(line)->text, expected))
        fail_msg("saltus %.60s: %.3000s", arguments, command_run(line)->text);
}

static void paths_test(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "simulate ball.mo -o %s/r.csv",
        "simulate ball.mo -o r.csv --events %s/r.csv",
        "simulate ball.mo -o r.csv --manifest %s/r.csv",
        "solve ball.mo -u g=1:20 -t 'h=0.5' -o %s/r.csv",
        "compare ball.mo --solver rk4,dopri5 -o %s/r.csv",
        "linearize ball.mo -o %s/r.csv",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        expect_whole(lines[i], "cannot write '%s/r.csv': No such file or directory\n", deep);
    expect_whole("sweep ball.mo -p g=1:2:3 --observe h -o %s/r.csv",
                 "cannot write '%s/r.csv.journal': No such file", deep);
    expect_whole("plot ball.csv h -o %s/r.svg", "cannot write '%s/r.svg': No such file", deep);
    expect_whole("structure ball.mo --svg %s/r.svg", "cannot write '%s/r.svg': No such file", deep);
    expect_whole("compare ball.csv %s/r.csv", "cannot read '%s/r.csv': No such file", deep);
    expect_whole("simulate ball.mo --input %s/r.csv", "cannot read '%s/r.csv': No such file", deep);
}

// Files of models and FMUs, also those that are there.
static void fmus_test(void **state)
{
    (void)state;
    char line[2 * sizeof there + 200];
    snprintf(line, sizeof line, "mkdir -p %s && echo no archive >%s/x.fmu", there, there);
    assert_int_equal(command_shell(line)->status, 0);
    expect_whole("fmu ball.mo -o %s/x.fmu", "cannot write '%s/x.fmu': No such file", deep);
    expect_whole("simulate --allow-external %s/x.fmu", "cannot read '%s/x.fmu'", deep);
    expect_whole("simulate --allow-external %s/x.fmu",
                 "cannot unpack '%s/x.fmu': it is no ZIP archive\n", there);
    expect_whole("check ball.mo %s/x.fmu --allow-external",
                 "as a block: cannot unpack '%s/x.fmu': it is no ZIP archive\n", there);
    expect_whole("convert %s/x.mo", "cannot read '%s/x.mo': No such file", deep);
    assert_int_equal(command_run("fmu ball.mo -o ball.fmu -q")->status, 0);
    expect_whole("simulate --allow-external ball.fmu -p %s=1", "the FMU has no variable %s\n",
                 name);
    expect_whole("simulate --allow-external ball.fmu -p g=%s", "'%s' is no value for g\n", name);
    expect_whole("simulate --allow-external ball.fmu -o %s/r.csv",
                 "cannot write '%s/r.csv': No such file", deep);
}

static void names_test(void **state)
{
    (void)state;
    expect_whole("plot ball.csv %s", "ball has no variable '%s'; it has u, ", name);
    expect_whole("plot ball.csv %s+h", "ball has no variable '%s", name);
    expect_whole("plot ball.csv --map %s:h,v", "ball has no column '%s'", name);
    expect_whole("sweep ball.mo -p g=%s --observe h", "'g=%s': '", name);
    expect_whole("solve ball.mo -u g=%s:1 -t 'h=0.5'", "'g=%s:1': '", name);
    expect_whole("simulate ball.mo --%s", "unknown option '--%s'\n", name);
}

// What ends a run is said as a whole, to people and programs.
static void runs_test(void **state)
{
    (void)state;
    enum { LONG = 3000 };
    static const struct {
        const char *text, *expected; // Q is the long name
    } runs[] = {
        {"Real Q(start = 0, fixed = true); equation der(Q) = 1; when time > 0.5 then reinit(Q, 1); "
         "end when; when time > 0.5 then reinit(Q, 2); end when;",
         "Q is reinitialised twice at one event"},
        {"Real x = time; equation assert(x < 0.5, \"Q\");", "is violated: Q"},
        {"Real x = time; equation when x > 0.5 then terminate(\"Q\"); end when;", ": Q"},
        {"Real Q(start = 1, fixed = true); equation der(Q) = -sqrt(Q - 0.5) - 1;",
         "the right-hand side of Q is not finite"},
        {"Real Q(start = 1, fixed = true); initial equation Q = 2; equation der(Q) = 1;",
         "Q (long.mo, line 1) contradicts the others by 1"},
        {"Real Q(start = 1); equation Q^2 = -1 - time;", "Q^2 = -1.0 - time"},
        {"Integer Q(start = 0, fixed = true); equation Q = if time < 0.5 then 0 else pre(Q) + 1;",
         "does not end: Q changes"},
    };
    static char name_of_run[LONG + 1], text[8 * LONG], said[2 * LONG];
    memset(name_of_run, 'q', LONG);
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        char *ends[] = {text, said};
        const char *from[] = {runs[i].text, runs[i].expected};
        for (int k = 0; k < 2; k++) {
            ends[k] += k ? 0 : sprintf(ends[k], "model M ");
            for (const char *c = from[k]; *c; c++)
                ends[k] +=
                    *c == 'Q' ? sprintf(ends[k], "%s", name_of_run) : sprintf(ends[k], "%c", *c);
        }
        strcpy(ends[0], " end M;\n");
        command_write("long.mo", text);
        const char *const lines[] = {"simulate long.mo --stop-time 1 2>&1 >/dev/null",
                                     "simulate long.mo --stop-time 1 --json 2>/dev/null"};
        for (int k = 0; k < 2; k++)
            if (!strstr(command_run(lines[k])->text, said))
                fail_msg("%s, line %d: %.7000s", runs[i].text, k, command_run(lines[k])->text);
    }
}

// What C code of the user's says, and what the compiler says of it.
static void external_test(void **state)
{
    (void)state;
    char text[8000];
    snprintf(text, sizeof text,
             "model Fails function f input Real u; output Real y; external \"C\" y = fails(u) "
             "annotation(Include = \"#include \\\"ModelicaUtilities.h\\\"\n"
             "double fails(double u) { if (u > 0.1) ModelicaError(\\\"%s\\\"); return u; }\"); "
             "end f; Real y = f(time); end Fails;\n",
             name);
    command_write("fails.mo", text);
    expect_whole("simulate fails.mo Fails --allow-external --stop-time 1",
                 "in function Fails.f (fails.mo, line 1): %s\n", name);
    size_t length = (size_t)snprintf(
        text, sizeof text,
        "model Wrong function f input Real u; output Real y; external \"C\" y = g(u) "
        "annotation(Include = \"double g(double u) { return u;\n");
    for (int i = 0; i < 40; i++)
        length += (size_t)snprintf(text + length, sizeof text - length,
                                   "  what_is_not_declared_at_all_number_%d;\n", i);
    snprintf(text + length, sizeof text - length, "}\"); end f; Real y = f(time); end Wrong;\n");
    command_write("wrong.mo", text);
    expect_whole("check wrong.mo Wrong --allow-external", "what_is_not_declared_at_all_number_39%s",
                 "");
}

int main(int argc, char **argv)
{
    (void)argc;
    const struct CMUnitTest tests[] = {cmocka_unit_test(paths_test), cmocka_unit_test(fmus_test),
                                       cmocka_unit_test(names_test), cmocka_unit_test(runs_test),
                                       cmocka_unit_test(external_test)};
    command_find(argv[0]);
    return cmocka_run_group_tests_name("long names", tests, set_up, command_remove_folder);
}
