// SPDX-License-Identifier: MIT
//
// saltus simulate --sensitivity as a user meets it, and what fits make of it. What the derivatives
// are is tested in studies/sensitivity.

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

#define BALL(name, more)                                                                           \
    "model " name "\n"                                                                             \
    "  parameter Real e = 0.7, g = 9.81;\n"                                                        \
    "  parameter Integer n = 1;\n"                                                                 \
    "  Real h(start = 1, fixed = true), v(start = 0, fixed = true);\n" more "equation\n"           \
    "  der(h) = v;\n"                                                                              \
    "  der(v) = -g * n;\n"                                                                         \
    "  when h <= 0 then\n"                                                                         \
    "    reinit(v, -e * pre(v));\n"                                                                \
    "  end when;\n"                                                                                \
    "end " name ";\n"

static int write_models(void **state)
{
    if (command_make_folder(state) != 0)
        return 1;
    command_write("ball.mo", BALL("Ball", ""));
    command_write("late.mo", BALL("Late", "  Real late = delay(h, 0.1);\n"));
    return 0;
}

static void columns(void **state)
{
    (void)state;
    command_expect("simulate ball.mo --stop-time 0.4 --sensitivity e --sensitivity h.start -q "
                   "--variables h -o -",
                   0, "time,h,d(h)/d(e),d(h)/d(h.start),mode\n");
    // The rest of the table is as without.
    command_expect("simulate ball.mo --stop-time 2 -q -o plain.csv", 0, "");
    command_expect("simulate ball.mo --stop-time 2 -q --sensitivity g -o more.csv", 0, "");
    const CommandOutcome *o = command_shell(
        "cut -d, -f1-3 plain.csv >a; cut -d, -f1-3 more.csv >b; cmp a b && echo same");
    assert_string_equal(o->text, "same\n");
    command_expect("plot more.csv 'd(h)/d(g)' -o more.svg", 0, "");
    command_expect("simulate ball.mo --stop-time 2 --sensitivity e --json -q", 0, "\"events\"");
}

static void mistakes(void **state)
{
    (void)state;
    static const CommandMistake mistakes[] = {
        {"ball.mo --sensitivity E", 2, "there is no parameter 'E'; did you mean 'e'?"},
        {"ball.mo --sensitivity n", 2, "nothing can be differentiated by what is not Real"},
        {"ball.mo --sensitivity e --realtime --step 0.01", 2,
         "--sensitivity and --realtime do not go together"},
        {"late.mo --sensitivity e -o x.csv", 2, "models with delays have no sensitivities yet"},
    };
    command_expect_all("simulate", mistakes, sizeof mistakes / sizeof *mistakes);
    command_expect("simulate ball.mo --stop-time 3 --sensitivity e -o x.csv 2>&1", 4,
                   "the events 'h <= 0.0'");
}

static long runs_of(const char *text)
{
    const char *end = strstr(text, " runs\n");
    assert_non_null(end);
    while (end > text && end[-1] != ' ')
        end--;
    return strtol(end, NULL, 10);
}

static double value_of(const char *text, const char *name)
{
    char ending[40];
    snprintf(ending, sizeof ending, ",%s\n", name);
    const char *end = strstr(text, ending);
    assert_non_null(end);
    while (end > text && end[-1] != '\n')
        end--;
    return strtod(end, NULL);
}

// With a delay, which has no sensitivities, the same fit takes pairs of runs: more of them, and
// ends at the same place, up to what the tolerance of the runs, 1e-9, makes of it.
static void fits(void **state)
{
    (void)state;
    const char *arguments = "-d data.csv -u e=0.5:0.9 -u g=9:11 -m h=h 2>&1";
    char line[200];
    command_expect("simulate ball.mo --stop-time 1.5 -p e=0.75 -p g=10 --output-interval 0.1 -q "
                   "--variables h -o all.csv",
                   0, "");
    // Without the rows at events, and with errors of measurement.
    command_shell("awk -F, 'NR == 1 {print \"time,h\"} NR > 1 && $1 * 10 == int($1 * 10) "
                  "{printf \"%s,%.17g\\n\", $1, $2 + 0.001 * sin(50 * $1)}' all.csv > data.csv");
    snprintf(line, sizeof line, "fit ball.mo %s", arguments);
    const CommandOutcome *o = command_expect(line, 0, "residuals");
    const long runs = runs_of(o->text);
    const double e = value_of(o->text, "e"), g = value_of(o->text, "g");
    snprintf(line, sizeof line, "fit late.mo %s", arguments);
    o = command_expect(line, 0, "residuals");
    assert_true(runs < runs_of(o->text));
    assert_true(fabs(value_of(o->text, "e") - e) < 1e-6);
    assert_true(fabs(value_of(o->text, "g") - g) < 1e-6);
    assert_true(fabs(e - 0.75) < 1e-2 && fabs(g - 10) < 0.1);
}

int main(int argc, char **argv)
{
    (void)argc;
    command_find(argv[0]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns),
        cmocka_unit_test(mistakes),
        cmocka_unit_test(fits),
    };
    return cmocka_run_group_tests(tests, write_models, command_remove_folder);
}
