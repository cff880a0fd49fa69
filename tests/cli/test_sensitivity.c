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

// T x' = k u - x where u is a line from `a` at the beginning with the slope b.
static double lag_after(double x, double t, double a, double b, double lag, double k)
{
    return k * (a + b * (t - lag)) + (x - k * (a - b * lag)) * exp(-t / lag);
}

// A ramp that passes 0.5 after half a second, where x is doubled, then a step down and one up over
// 0.5 again, where it is doubled once more: none of these times depends on anything.
static double lag_end(double lag, double k)
{
    double x = lag_after(0.0, 0.5, 0.0, 1.0, lag, k);
    x = lag_after(2.0 * x, 0.5, 0.5, 1.0, lag, k);
    x = lag_after(x, 1.0, 0.2, 0.0, lag, k);
    return lag_after(2.0 * x, 1.0, 0.8, -0.1, lag, k);
}

// Inputs of a table: against the closed form, whose derivatives are differences of it, of second
// order with 1e-5 of its parameters.
static void inputs(void **state)
{
    (void)state;
    static const double lag = 0.5, k = 2.0, step = 1e-5;
    command_write("lag.mo", "model Lag\n"
                            "  input Real u;\n"
                            "  parameter Real T = 0.5, k = 2;\n"
                            "  Real x(start = 0, fixed = true);\n"
                            "  Integer n(start = 0, fixed = true);\n"
                            "equation\n"
                            "  T * der(x) = k * u - x;\n"
                            "  when u >= 0.5 then\n"
                            "    reinit(x, 2 * x);\n"
                            "    n = pre(n) + 1;\n"
                            "  end when;\n"
                            "end Lag;\n");
    command_write("u.csv", "time,u\n0,0\n1,1\n1,0.2\n2,0.2\n2,0.8\n3,0.7\n");
    const CommandOutcome *o = command_expect(
        "simulate lag.mo --input u.csv --stop-time 3 --sensitivity T --sensitivity k -q "
        "--solver dopri5 --relative-tolerance 1e-10 --variables x --variables n -o - | tail -n 1",
        0, "3,");
    double values[5];
    const char *at = o->text;
    for (int i = 0; i < 5; i++, at++)
        values[i] = strtod(at, (char **)&at);
    // time, x, n, x by T, x by k
    assert_true(values[2] == 2.0);
    assert_true(fabs(values[1] - lag_end(lag, k)) < 1e-8);
    const double by_lag = (lag_end(lag + step, k) - lag_end(lag - step, k)) / (2.0 * step);
    const double by_k = (lag_end(lag, k + step) - lag_end(lag, k - step)) / (2.0 * step);
    assert_true(fabs(values[3] - by_lag) < 1e-7);
    assert_true(fabs(values[4] - by_k) < 1e-7);
    // The run is the same as without.
    command_expect("simulate lag.mo --input u.csv --stop-time 3 -q --variables x -o plain.csv", 0,
                   "");
    command_expect("simulate lag.mo --input u.csv --stop-time 3 -q --variables x --sensitivity k "
                   "-o more.csv",
                   0, "");
    o = command_shell("cut -d, -f1,2 plain.csv >a; cut -d, -f1,2 more.csv >b; cmp a b && "
                      "echo same");
    assert_string_equal(o->text, "same\n");
    // Fits, roots and sweeps have them, too.
    command_expect("simulate lag.mo --input u.csv --stop-time 3 -q -p T=0.7 -p k=1.7 "
                   "--relative-tolerance 1e-10 --variables x --output-interval 0.1 -o all.csv",
                   0, "");
    command_shell("awk -F, '!seen[$1]++' all.csv > x.csv"); // the values just before events
    o = command_expect("fit lag.mo -d x.csv --input u.csv -u T=0.2:2 -u k=0.5:4 -m x=x -q", 0, "");
    assert_true(fabs(strtod(strchr(o->text, '\n') + 1, NULL) - 0.7) < 1e-7);
    o = command_expect("solve lag.mo --input u.csv --stop-time 3 -u k=0.5:4 -t x=1 -q", 0, "root");
    // x is proportional to k.
    assert_true(fabs(strtod(strchr(o->text, '\n') + 1, NULL) - k / lag_end(lag, k)) < 1e-5);
    o = command_expect("sweep lag.mo --input u.csv --stop-time 3 -p k=1:2:2 --observe x "
                       "--device cpu --relative-tolerance 1e-10 2>&1",
                       0, "all points were run as usual: inputs follow a table");
    assert_true(fabs(strtod(strstr(o->text, "\n2,") + 3, NULL) - lag_end(lag, k)) < 1e-7);
    command_expect("fit lag.mo -d x.csv --input x.csv -u T=0.2:2 2>&1", 2,
                   "saltus fit: x.csv: no column has the name of an input; the inputs are u");
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
        cmocka_unit_test(inputs),
        cmocka_unit_test(fits),
    };
    return cmocka_run_group_tests(tests, write_models, command_remove_folder);
}
