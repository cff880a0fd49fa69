// SPDX-License-Identifier: MIT
//
// saltus sweep as a user meets it: tables, messages, killed at random moments and resumed.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/command.h"

#include <libgen.h>
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char program[4096];

static const char ball[] = "model Ball\n"
                           "  parameter Real g(unit = \"m/s2\") = 9.81;\n"
                           "  parameter Real mu = 0.8;\n"
                           "  parameter Real x0(unit = \"m\") = 1;\n"
                           "  final parameter Real e = mu ^ 2;\n"
                           "  Real x(start = x0, fixed = true);\n"
                           "  Real v(start = 0, fixed = true);\n"
                           "equation\n"
                           "  der(x) = v;\n"
                           "  der(v) = -g;\n"
                           "  when x <= 0 then\n"
                           "    reinit(v, -mu * pre(v));\n"
                           "  end when;\n"
                           "  annotation(experiment(StopTime = 0.25));\n"
                           "end Ball;\n";

static void tables(void **state)
{
    (void)state;
    command_write("ball.mo", ball);
    // x = x0 - g t^2/2
    const char *grid = "sweep ball.mo -q -p g=8,16 -p x0=1:2:2 --observe "
                       "'end = floor(1e6 * x + 0.5) / 1e6' --observe 't = time_of(x < 0.7)'";
    command_expect(grid, 0, "g,x0,end,t,status,message\n8,1,0.75,nan");
    command_expect(grid, 0, "\n8,2,1.75,nan,finished,'x < 0.7' never happened\n16,1,0.5,");
    command_expect(grid, 0, ",0.19364916731037"); // sqrt(2 0.3/16)
    // start values: x = x.start + v.start t - g t^2/2 at t = 1/4
    command_expect("sweep ball.mo -q -p g=8 -p x.start=1,3 -p v.start=0:1:2 --observe "
                   "'end = floor(1e6 * x + 0.5) / 1e6'",
                   0,
                   "g,x.start,v.start,end,status,message\n8,1,0,0.75,finished,\n8,1,1,1,finished,\n"
                   "8,3,0,2.75,finished,\n8,3,1,3,finished,\n");
    // what is varied is no parameter without a value
    command_write("bare.mo", "model Bare parameter Real k; Real x = k; end Bare;");
    // A value of many digits is that value, and no part of it; what is too long is refused.
    char line[1000];
    snprintf(line, sizeof line, "sweep bare.mo -q -p k=0.%0100de101,2 --observe x 2>&1", 1);
    command_expect(line, 0, "k,x,status,message\n10,10,finished,\n2,2,");
    snprintf(line, sizeof line, "sweep bare.mo -q -p k=0.%0500de501,2 --observe x 2>&1", 1);
    command_expect(line, 2, "is no value for k");
    command_expect("sweep bare.mo -p k=1,2 --observe x 2>&1", 0, "k,x,status,message\n1,1,");
    assert_null(strstr(command_run("sweep bare.mo -p k=1,2 --observe x 2>&1")->text, "warning"));
    command_expect("sweep ball.mo -q -p g=8 --observe x -o t.json", 0, "");
    assert_non_null(strstr(command_read("t.json"), "\"x\""));
    command_expect("sweep ball.mo -q -p g=8 --observe x -o t.mat", 0, "");
    assert_non_null(command_read("t.mat"));
    command_expect("sweep ball.mo -p mu=0:1 --sample lhs:5 --seed 3 --observe x -o t.csv "
                   "--manifest t-manifest.json 2>&1",
                   0, "Ball: 5 points, 0 failed");
    assert_non_null(strstr(command_read("t-manifest.json"), "\"seed\":3"));
}

static void mistakes(void **state)
{
    (void)state;
    static const CommandMistake cases[] = {
        {"ball.mo --observe x", 2, "which parameter is to be varied?"},
        {"ball.mo -p g=1", 2, "nothing is observed: --observe NAME=EXPR"},
        {"ball.mo -p x=1 --observe x", 2, "x is no parameter; where it begins is x.start"},
        {"ball.mo -p gg=1 --observe x", 2, "did you mean 'g'?"},
        {"ball.mo -p e=1 --observe x", 2, "e is final: it cannot be changed"},
        {"ball.mo -p g=1:2 --observe x", 2, "how many values of g?"},
        {"ball.mo -p g=1 -p g=2 --observe x", 2, "g is given twice"},
        {"ball.mo -p g=1 --observe 'x +'", 2, "observation:1:"},
        {"ball.mo -p g=1 --observe 'n = y'", 2, "there is no variable 'y'"},
        {"ball.mo -p g=1 --observe 'max(x)'", 2, "over the run it is maximum(x)"},
        {"ball.mo -p g=1 --observe 'e = final(x)'", 2, "a variable by itself is its value at"},
        {"ball.mo -p g=1 --observe 'value(x, 1)'", 2, "did you mean 'at(x, t)'?"},
        {"ball.mo -p g=1 --observe x --sample lhs", 2,
         "--sample is random:N, lhs:N, sobol:N or indices:N"},
        {"ball.mo -p g=1 --observe x --sample halton:5", 2,
         "--sample is random:N, lhs:N, sobol:N or indices:N"},
        {"ball.mo -p g=1 --observe x --jobs 1.5", 2, "--jobs is a whole number"},
        {"ball.mo -p g=1 --observe x --seed -1", 2, "--seed is a whole number"},
        {"ball.mo -p g=1 --observe x -o t.txt", 2,
         "should end in one of .csv, .mat, .json, or be -"},
        {"ball.mo -p g=1 --observe x --resume", 2, "--resume needs the file"},
        {"ball.mo -p g=1 --observe x -o none/t.csv", 2, "cannot write 'none/t.csv.journal'"},
        {"none.mo -p g=1 --observe x", 2, "cannot read 'none.mo'"},
        {"ball.mo None -p g=1 --observe x", 3, "None"},
        {"ball.mo -p g=1 --observe x --start x", 2, "--start needs NAME=VALUE"},
        {"ball.mo -p g=1 --observe x --stop-time -1", 2, "the stop time is before"},
    };
    command_expect_all("sweep", cases, sizeof cases / sizeof *cases);
}

// All points fail: status 1, and the reasons are in the table.
static void failures(void **state)
{
    (void)state;
    command_write("root.mo", "model Root parameter Real p = 1; Real x(start = 0, fixed = true); "
                             "equation der(x) = sqrt(p - 2 - x ^ 2); end Root;");
    command_expect("sweep root.mo -p p=0,1 --observe x 2>/dev/null", 1, "0,nan,failed,");
    command_expect("sweep root.mo -p p=0,3 --observe x 2>&1", 0, "Root: 2 points, 1 failed");
}

static char folder[4096];

// Starts the sweep and sends the signal after so long, but SIGINT not before there is something to
// keep; the exit status, or -1 if it was killed.
static int start_and_stop(long nanoseconds, int number, const char *points, bool is_resumed)
{
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        if (chdir(folder) == 0 && freopen("stderr.txt", "w", stderr))
            execl(program, "saltus", "sweep", "ball.mo", "-q", "-p", points, "--stop-time", "30",
                  "--observe", "end = time", "--observe", "m = maximum(v)", "-o", "killed.csv",
                  is_resumed ? "--resume" : "-q", (char *)NULL);
        _exit(127);
    }
    const struct timespec pause = {0, nanoseconds};
    do
        nanosleep(&pause, NULL);
    while (number == SIGINT && !command_read("killed.csv.journal"));
    kill(child, number);
    int status;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// Killed at random moments and resumed, the file is the same, byte for byte.
static void killed(void **state)
{
    (void)state;
    const CommandOutcome *where = command_run("--version > /dev/null; pwd");
    snprintf(folder, sizeof folder, "%.*s", (int)strcspn(where->text, "\n"), where->text);
    command_expect("sweep ball.mo -q -p mu=0.5:0.9:1000 --stop-time 30 --observe 'end = time' "
                   "--observe 'm = maximum(v)' -o whole.csv",
                   0, "");
    srand((unsigned)time(NULL));
    bool is_there = false;
    for (int i = 0; i < 5; i++) {
        start_and_stop(rand() % 300000000L, SIGKILL, "mu=0.5:0.9:1000", is_there);
        is_there = is_there || command_read("killed.csv.journal") != NULL;
    }
    command_expect("sweep ball.mo -q -p mu=0.5:0.9:1000 --stop-time 30 --observe 'end = time' "
                   "--observe 'm = maximum(v)' -o killed.csv --resume && cmp whole.csv killed.csv",
                   0, "");
    assert_null(command_read("killed.csv.journal"));
}

// Ctrl-C keeps what is finished and says how to go on.
static void interrupted(void **state)
{
    (void)state;
    assert_int_equal(start_and_stop(400000000L, SIGINT, "mu=0.5:0.9:1000000", false), 130);
    assert_non_null(strstr(command_read("stderr.txt"), "points are kept; --resume goes on"));
    assert_non_null(command_read("killed.csv.journal"));
}

// Without a step of its own a fixed-step method takes a 500th of the time between start and stop:
// after a second of x' = -x Euler's rule is at (1 - 1/500)^500.
static void default_steps(void **state)
{
    (void)state;
    double x = 0.0;
    command_write("decay.mo", "model Decay\n  parameter Real k = 1;\n"
                              "  Real x(start = 1, fixed = true);\n"
                              "equation\n  der(x) = -k * x;\nend Decay;\n");
    const char *text = command_expect("sweep decay.mo -q -p k=1 --solver euler --start-time 10 "
                                      "--stop-time 11 --observe 'end = x'",
                                      0, "k,end,status,message\n1,")
                           ->text;
    assert_int_equal(sscanf(strchr(text, '\n') + 1, "1,%lf", &x), 1);
    assert_true(fabs(x - pow(1.0 - 1.0 / 500.0, 500.0)) < 1e-12);
}

// The second bounce is at t1 (1 + 2 mu), linear in mu: with mu normal(0.8, 0.02) it is normal, too.
// 1024 points of Sobol's sequence in one dimension: one in each stratum, all at the same place of
// it, so that the mean is off by at most half a stratum of all of the range, 7 deviations/2048.
static void statistics(void **state)
{
    (void)state;
    command_write("bounce.mo", "model Bounce\n"
                               "  parameter Real mu = 0.8;\n"
                               "  Real x(start = 1, fixed = true), v(start = 0, fixed = true);\n"
                               "equation\n"
                               "  der(x) = v;\n"
                               "  der(v) = -8;\n"
                               "  when x <= 0 then\n"
                               "    reinit(v, -mu * pre(v));\n"
                               "  end when;\n"
                               "end Bounce;\n");
    const CommandOutcome *o =
        command_expect("sweep bounce.mo -q -p 'mu=normal(0.8,0.02)' --sample sobol:1024 --observe "
                       "'t = time_of(x <= 0, 2)' --stop-time 2 -o runs.csv --statistics -",
                       0, "count,missing,mean,standard deviation,minimum,5 %");
    double count, missing, mean, deviation;
    assert_int_equal(
        sscanf(strchr(o->text, '\n') + 1, "%lf,%lf,%lf,%lf", &count, &missing, &mean, &deviation),
        4);
    assert_true(count == 1024.0 && missing == 0.0);
    assert_true(fabs(mean - 0.5 * 2.6) < 4e-3 * 0.02);
    assert_true(fabs(deviation - 0.02) < 4e-3 * 0.02);
    command_expect(
        "sweep bounce.mo -q -p mu=0.7:0.9 -p v.start=0:1 --sample indices:64 --observe x "
        "-o runs.csv --statistics -",
        0, "first index of mu,total index of mu,first index of v.start");
    command_expect("sweep bounce.mo -p 'mu=normal(0.8,-1)' --sample random:9 --observe x 2>&1", 2,
                   "normal takes (mean, standard deviation > 0)");
    command_expect("sweep bounce.mo -p 'mu=gauss(0.8,1)' --sample random:9 --observe x 2>&1", 2,
                   "there is no distribution 'gauss'");
    command_expect("sweep bounce.mo -p 'mu=normal(0.8,1)' --observe x 2>&1", 2,
                   "how many values of mu?");
}

int main(int argc, char **argv)
{
    (void)argc;
    command_find(argv[0]);
    char *path = realpath(argv[0], NULL);
    if (path)
        snprintf(program, sizeof program, "%s/../../saltus", dirname(path));
    free(path);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables),      cmocka_unit_test(mistakes),
        cmocka_unit_test(failures),    cmocka_unit_test(killed),
        cmocka_unit_test(interrupted), cmocka_unit_test(default_steps),
        cmocka_unit_test(statistics),
    };
    return cmocka_run_group_tests(tests, command_make_folder, command_remove_folder);
}
