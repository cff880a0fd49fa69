// SPDX-License-Identifier: MIT
//
// saltus simulate as a user meets it: exit status, CSV, options.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <libgen.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char command[4096];
static char folder[] = "/tmp/saltus-simulate-XXXXXX";

typedef struct Outcome {
    int status;
    char text[65536];
} Outcome;

// Runs `saltus simulate ARGUMENTS` in the test's folder; static, since it is large.
static const Outcome *run(const char *arguments, const char *redirection)
{
    static Outcome outcome;
    char line[8192];
    snprintf(line, sizeof line, "cd '%s' && '%s' simulate %s %s", folder, command, arguments,
             redirection);
    FILE *pipe = popen(line, "r");
    assert_non_null(pipe);
    outcome.text[fread(outcome.text, 1, sizeof outcome.text - 1, pipe)] = '\0';
    outcome.status = WEXITSTATUS(pclose(pipe));
    return &outcome;
}

static void assert_run(const Outcome *outcome, int status, const char *expected)
{
    if (!strstr(outcome->text, expected))
        fail_msg("'%s' lacks '%s'", outcome->text, expected);
    assert_int_equal(outcome->status, status);
}

static void write_file(const char *name, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static const char *read_file(const char *name)
{
    static char text[65536];
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    if (!file)
        return NULL;
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

// x' = -k x has x(1) = exp(-k).
static double last_value(const char *csv)
{
    const char *line = strrchr(csv, '\n');
    while (line > csv && line[-1] != '\n')
        line--;
    double t = 0.0, x = 0.0;
    assert_int_equal(sscanf(line, "%lf,%lf", &t, &x), 2);
    return x;
}

static void trajectory(void **state)
{
    (void)state;
    write_file("decay.mo", "model Decay parameter Real k = 1; parameter Real k2 = 2 * k; "
                           "Real x(start = 1, fixed = true); Real y = k2 * x; "
                           "equation der(x) = -k * x; end Decay;");
    const Outcome *o = run("decay.mo --output-interval 0.5", "2>/dev/null");
    assert_run(o, 0, "time,x,y,mode\n0,1,2,default\n0.5,");
    assert_true(fabs(last_value(o->text) - exp(-1.0)) < 1e-5); // ten times the tolerance
    o = run("decay.mo -p k=3 --stop-time=2", "2>/dev/null");
    assert_true(fabs(last_value(o->text) - exp(-6.0)) < 1e-5);
    o = run("decay.mo -p k=3 --variables 'y' --record events", "2>/dev/null");
    assert_run(o, 0, "time,y,mode\n0,6,default\n1,"); // k2 follows k
    assert_run(run("decay.mo", "2>&1 >/dev/null"), 0, "Decay: t = 1, ");
    assert_run(run("decay.mo --stats --solver rk4 --step 0.01", "2>&1 >/dev/null"), 0,
               "       100  accepted steps");
}

static void event_log(void **state)
{
    (void)state;
    write_file("ball.mo",
               "model Ball Real h(start = 1, fixed = true), v(start = 0, fixed = true); "
               "equation der(h) = v; der(v) = -9.81; when h <= 0 then reinit(v, -0.8 * pre(v)); "
               "end when; end Ball;");
    assert_run(run("ball.mo -o ball.csv --events events.csv --record=events", "2>&1"), 0,
               "1 state and 0 time events");
    const char *text = read_file("events.csv");
    assert_non_null(text);
    assert_ptr_equal(strstr(text, "time,class,condition,from,to,changes\n0.4515236409857"), text);
    assert_non_null(strstr(text, ",h <= 0.0,default,default,v:-4.42944691807"));
    assert_non_null(read_file("ball.csv"));
    assert_null(read_file("ball.csv.part"));
}

static void failures(void **state)
{
    (void)state;
    write_file("bad.mo", "model Bad Real x; equation x = y; end Bad;");
    assert_run(run("bad.mo", "2>&1"), 3, "error");
    write_file("twice.mo",
               "model Twice Real x, y; equation x + y = 1; 2 * x + 2 * y = sin(time) + y - y; "
               "x = time; end Twice;");
    assert_run(run("twice.mo", "2>&1"), 3, "error");
    write_file("limit.mo", "model Limit Real x(start = 0, fixed = true); equation der(x) = 1; "
                           "assert(x < 0.5, \"too far\"); end Limit;");
    const Outcome *o = run("limit.mo -o limit.csv", "2>&1");
    assert_run(o, 1, "too far");
    assert_non_null(strstr(read_file("limit.csv"), "\n0,0,default\n")); // what was computed
    write_file("end.mo", "model End Real x(start = 0, fixed = true); equation der(x) = 1; "
                         "when x > 0.5 then terminate(\"enough\"); end when; end End;");
    assert_run(run("end.mo", "2>&1 >/dev/null"), 0, "t = 0.5: enough");
    assert_run(run("decay.mo -p q=1", "2>&1"), 2, "there is no parameter 'q'");
    assert_run(run("decay.mo --solver magic", "2>&1"), 2, "there is no solver 'magic'");
    assert_run(run("decay.mo --stop-time=x", "2>&1"), 2, "'x' is no number");
    assert_run(run("decay.mo --variables nothing", "2>&1"), 2, "no variable matches");
}

static int setup(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    char line[256];
    snprintf(line, sizeof line, "rm -r '%s'", folder);
    return system(line);
}

int main(int argc, char **argv)
{
    (void)argc;
    char program[2048];
    if (!realpath(argv[0], program))
        return 1;
    snprintf(command, sizeof command, "%s/../../saltus", dirname(program));
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trajectory),
        cmocka_unit_test(event_log),
        cmocka_unit_test(failures),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
