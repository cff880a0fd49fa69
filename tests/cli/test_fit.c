// SPDX-License-Identifier: MIT
//
// saltus fit as a user meets it, against linear regression and closed forms.

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

enum { ROWS = 21 };

static const char fall[] = "model Fall\n"
                           "  parameter Real g = 8, x0 = 1, v0 = 0;\n"
                           "  Real x(start = x0, fixed = true);\n"
                           "  Real v(start = v0, fixed = true);\n"
                           "equation\n"
                           "  der(x) = v;\n"
                           "  der(v) = -g;\n"
                           "end Fall;\n";

static const char ball[] = "model Ball\n"
                           "  parameter Real mu = 0.8;\n"
                           "  Real x(start = 1, fixed = true), v(start = 0, fixed = true);\n"
                           "equation\n"
                           "  der(x) = v;\n"
                           "  der(v) = -8;\n"
                           "  when x <= 0 then\n"
                           "    reinit(v, -mu * pre(v));\n"
                           "  end when;\n"
                           "end Ball;\n";

// The value and the standard error of the row that ends with the name.
static void find_row(const char *text, const char *name, double *value, double *error)
{
    char ending[40];
    snprintf(ending, sizeof ending, ",%s\n", name);
    const char *end = strstr(text, ending);
    assert_non_null(end);
    while (end > text && end[-1] != '\n')
        end--;
    char *next;
    *value = strtod(end, &next);
    *error = strtod(next + 1, NULL);
}

// Runs are as exact as the help says, unless another tolerance is given.
static void usual_tolerance(void **state)
{
    (void)state;
    command_write("swing.mo", "model Swing parameter Real w = 1; Real x(start = 1, fixed = true), "
                              "v(start = 0, fixed = true); equation der(x) = v; "
                              "der(v) = -w^2*sin(x); end Swing;");
    command_write("swing.csv", "time,x\n0,1\n1,0.4\n2,-0.5\n3,-1\n");
    static const char fit[] = "fit swing.mo -q -d swing.csv -u w=0.5:2 -o";
    char line[200];
    snprintf(line, sizeof line, "%s a.csv", fit);
    command_expect(line, 0, "");
    snprintf(line, sizeof line, "%s b.csv --relative-tolerance 1e-9", fit);
    command_expect(line, 0, "");
    snprintf(line, sizeof line, "%s c.csv --relative-tolerance 1e-6", fit);
    command_expect(line, 0, "");
    assert_string_equal(
        command_shell("cmp -s a.csv b.csv && echo same; cmp -s a.csv c.csv || echo other")->text,
        "same\nother\n");
}

// What cannot be compared is told, not fitted or left without a word; 1e200 squared is beyond all
// numbers.
static void measured_nonsense(void **state)
{
    (void)state;
    command_write("fall.mo", fall);
    command_write("infinite.csv", "time,x\n0,1\n0.5,\n1,inf\n");
    command_expect("fit fall.mo --data infinite.csv -u g=1:9 2>&1", 2,
                   "infinite.csv: x is infinite in row 3");
    command_expect("fit fall.mo --data infinite.csv -m x=x -u g=1:9 2>&1", 2,
                   "infinite.csv: x is infinite in row 3");
    command_write("twice.csv", "time,x,x\n0,1,2\n1,3,4\n");
    command_expect("fit fall.mo --data twice.csv -u g=1:9 2>&1", 2, "several columns are called x");
    command_write("giant.csv", "time,x\n0,1\n0.5,-1e200\n1,1e200\n");
    command_expect("fit fall.mo --data giant.csv -u g=1:9 2>&1", 1,
                   "error: the sum of squares is not finite");
    command_write("one.csv", "time,x\n1,2\n");
    command_expect("fit fall.mo --data one.csv -u g=1:9 2>&1", 0,
                   "root mean square of 1 residuals 1.5,");
}

// x = x0 + v0 t - 4 t^2 is linear in its parameters: the textbook's regression line of
// y = x + 4 t^2 over t, with its standard errors. The model's parabola is exact up to rounding; its
// derivatives are exact for differences, too; the search ends where the sum of squares does not
// change any more, which is the square root of the rounding: 1e-8 of the size of the interval, 10.
static void regression(void **state)
{
    (void)state;
    char text[2000] = "time,height,note\n";
    double t[ROWS], y[ROWS], mean_t = 0.0, mean_y = 0.0, s_tt = 0.0, s_ty = 0.0, squares = 0.0;
    for (int i = 0; i < ROWS; i++) {
        t[i] = 0.05 * i;
        const double noise = 0.01 * sin(17.0 * i * i);
        y[i] = 2.0 + 3.0 * t[i] + noise;
        sprintf(text + strlen(text), "%.17g,%.17g,a\n", t[i], y[i] - 4.0 * t[i] * t[i]);
        mean_t += t[i] / ROWS;
        mean_y += y[i] / ROWS;
    }
    for (int i = 0; i < ROWS; i++) {
        s_tt += (t[i] - mean_t) * (t[i] - mean_t);
        s_ty += (t[i] - mean_t) * (y[i] - mean_y);
    }
    const double slope = s_ty / s_tt, offset = mean_y - slope * mean_t;
    for (int i = 0; i < ROWS; i++)
        squares += pow(y[i] - offset - slope * t[i], 2.0);
    const double s2 = squares / (ROWS - 2);
    command_write("fall.mo", fall);
    command_write("fall.csv", text);
    const CommandOutcome *o = command_expect(
        "fit fall.mo -q -d fall.csv -u x0=-5:5 -u v0=0:10 -m x=height --curve curve.csv", 0,
        "value,standard error,correlation with x0,correlation with v0,name\n");
    double value, error;
    find_row(o->text, "x0", &value, &error);
    assert_true(fabs(value - offset) < 1e-7);
    assert_true(fabs(error - sqrt(s2 * (1.0 / ROWS + mean_t * mean_t / s_tt))) < 1e-6 * error);
    find_row(o->text, "v0", &value, &error);
    assert_true(fabs(value - slope) < 1e-7);
    assert_true(fabs(error - sqrt(s2 / s_tt)) < 1e-6 * error);
    assert_non_null(strstr(command_read("curve.csv"), "time,x,x.measured\n0,"));
}

// Through three bounces: the ball hits the floor at t = 1/2 with speed 4, then flies for mu, mu^2
// seconds. Values that were not measured are left out.
static void through_events(void **state)
{
    (void)state;
    const double mu = 0.7;
    char text[4000] = "time,x\n";
    for (int i = 0; i <= 40; i++) {
        const double time = 0.04 * i;
        double start = 0.5, speed = 4.0 * mu, x = 1.0 - 4.0 * time * time;
        for (; time > start; start += speed / 4.0, speed *= mu)
            x = speed * (time - start) - 4.0 * (time - start) * (time - start);
        if (i == 7)
            sprintf(text + strlen(text), "%.17g,\n", time);
        else
            sprintf(text + strlen(text), "%.17g,%.17g\n", time, x);
    }
    command_write("ball.mo", ball);
    command_write("ball.csv", text);
    const CommandOutcome *o = command_expect("fit ball.mo -d ball.csv -u mu=0.5:0.9 2>&1", 0,
                                             "root mean square of 40 residuals");
    double value, error;
    find_row(o->text, "mu", &value, &error);
    assert_true(fabs(value - mu) < 1e-9);
}

// From p = 3, where the arc tangent is flat, the first step leads to the end of the interval, where
// there is no run: a shorter one is taken, and so on to p = 1. The data have no error: the
// residuals become zero.
static void beyond_what_runs(void **state)
{
    (void)state;
    command_write("far.mo", "model Far parameter Real p = 3; parameter Real q = 2; Real y;\n"
                            "equation y = atan(10*(p - 1)) + q*time; assert(p > 0.2, \"small\");\n"
                            "annotation(experiment(StopTime = 2)); end Far;\n");
    command_write("far.csv", "time,y\n0,0\n1,1\n2,2\n");
    double value, error;
    const CommandOutcome *o =
        command_expect("fit far.mo -q -d far.csv -u p=0:4 -u q=0:4", 0, ",p\n");
    find_row(o->text, "p", &value, &error);
    assert_true(fabs(value - 1.0) < 1e-9);
}

static void observed(void **state)
{
    (void)state;
    command_expect("fit ball.mo -q -d ball.csv -u mu=0.5:0.9 --observe 'bounces = count(x <= 0)'",
                   0, ",bounces\n");
    command_expect("fit ball.mo -d ball.csv -u mu=0.5:0.6 2>&1", 0,
                   "mu is at the end of its interval, 0.5:0.6");
}

// x = cos(5 t) from a first guess of 2: the sum of squares has a minimum at every few waves. Its
// residuals hang together, and several starts find the right one. What is fitted well, noise or
// not, has no warning.
static void far_starts(void **state)
{
    (void)state;
    char text[4000] = "time,x\n", noisy[4000] = "time,x\n";
    for (int i = 0; i <= 60; i++) {
        sprintf(text + strlen(text), "%.17g,%.17g\n", 0.1 * i, cos(0.5 * i));
        sprintf(noisy + strlen(noisy), "%.17g,%.17g\n", 0.1 * i,
                cos(0.5 * i) + 0.3 * sin(17.0 * i * i));
    }
    command_write("wave.csv", text);
    command_write("noisy.csv", noisy);
    command_write("wave.mo", "model Wave\n"
                             "  parameter Real w = 2;\n"
                             "  Real x(start = 1, fixed = true), y(start = 0, fixed = true);\n"
                             "equation\n"
                             "  der(x) = -w * y;\n"
                             "  der(y) = w * x;\n"
                             "end Wave;\n");
    double value, error;
    const CommandOutcome *o = command_expect("fit wave.mo -d wave.csv -u w=1:10 2>&1", 0,
                                             "x does not follow the measured values");
    find_row(o->text, "w", &value, &error);
    assert_true(fabs(value - 5.0) > 1.0);
    o = command_expect("fit wave.mo -d wave.csv -u w=1:10 --starts 12 2>&1", 0, "residuals");
    assert_null(strstr(o->text, "warning"));
    find_row(o->text, "w", &value, &error);
    assert_true(fabs(value - 5.0) < 1e-7);
    // 61 values with an error of 0.2, whose sum of squares of times is 1.1e3: 0.006.
    o = command_expect("fit wave.mo -d noisy.csv -u w=1:10 -p w=4.9 2>&1", 0, "residuals");
    assert_null(strstr(o->text, "warning"));
    find_row(o->text, "w", &value, &error);
    assert_true(fabs(value - 5.0) < 0.03 && error > 0.003 && error < 0.03);
}

static void mistakes(void **state)
{
    (void)state;
    static const CommandMistake mistakes[] = {
        {"ball.mo -u mu=0.5:0.9", 2, "what was measured? --data FILE says it"},
        {"ball.mo -d ball.csv", 2, "which parameter is sought?"},
        {"ball.mo -d none.csv -u mu=0:1", 2, "none.csv"},
        {"ball.mo -d ball.csv -u mu=0:1 --starts 0", 2, "--starts is a whole number from 1"},
        {"ball.mo -d ball.csv -u mu=0:1 -m x=y", 2, "ball.csv has no column of numbers 'y'"},
        {"ball.mo -d ball.csv -u mu=0:1 -m y=x", 2, "there is no variable 'y'"},
        {"ball.mo -d ball.csv -u mu=0:1 -m x", 2, "--match is VARIABLE=COLUMN"},
        {"ball.mo -d ball.csv -u mu=0:1 -m x=x:0", 2, "SIGMA is a number above zero"},
        {"ball.mo -d back.csv -u mu=0:1 2>&1", 2,
         "the times in the first column must rise; row 2 has 0"},
    };
    command_write("back.csv", "time,x\n1,2\n0,3\n");
    command_expect_all("fit", mistakes, sizeof mistakes / sizeof *mistakes);
}

int main(int argc, char **argv)
{
    (void)argc;
    command_find(argv[0]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(usual_tolerance),  cmocka_unit_test(measured_nonsense),
        cmocka_unit_test(regression),       cmocka_unit_test(through_events),
        cmocka_unit_test(beyond_what_runs), cmocka_unit_test(observed),
        cmocka_unit_test(far_starts),       cmocka_unit_test(mistakes),
    };
    return cmocka_run_group_tests(tests, command_make_folder, command_remove_folder);
}
