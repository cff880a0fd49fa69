// SPDX-License-Identifier: MIT
//
// saltus simulate as a user meets it: exit status, CSV, options.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/command.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const CommandOutcome *run(const char *arguments, const char *redirection)
{
    char line[1000];
    snprintf(line, sizeof line, "simulate %s %s", arguments, redirection);
    return command_run(line);
}

static void assert_run(const CommandOutcome *outcome, int status, const char *expected)
{
    if (!strstr(outcome->text, expected))
        fail_msg("'%s'  '%s'", outcome->text, expected);
    assert_int_equal(outcome->status, status);
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
    command_write("decay.mo", "model Decay parameter Real k = 1; parameter Real k2 = 2 * k; "
                              "Real x(start = 1, fixed = true); Real y = k2 * x; "
                              "equation der(x) = -k * x; end Decay;");
    const CommandOutcome *o = run("decay.mo --output-interval 0.5", "2>/dev/null");
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

// Energy that a method of first order gains: by (1 + h^2) in each step of an oscillation, so that
// after 100 steps of 0.01 it has (1.0001^100 - 1)/2 too much. What an event changes is no drift:
// the reference begins anew there, so only what comes behind the reset counts.
static void invariants_are_watched(void **state)
{
    (void)state;
    command_write("energy.mo", "model Energy Real x(start = 1, fixed = true), "
                               "v(start = 0, fixed = true); Real e = (x^2 + v^2) / 2 "
                               "annotation(__Saltus(invariant = true)); Real other = x; equation "
                               "der(x) = v; der(v) = -x; when time >= 1 then reinit(x, 10); "
                               "reinit(v, 0); end when; end Energy;");
    const CommandOutcome *o =
        run("energy.mo --stats --solver euler --step 0.01", "2>&1 >/dev/null");
    const char *line = strstr(o->text, "  drift of the invariant e (");
    assert_non_null(line);
    while (line > o->text && line[-1] != '\n')
        line--;
    const double expected = 0.5 * (pow(1.0001, 100.0) - 1.0);
    assert_true(fabs(strtod(line, NULL) - expected) < 1e-3 * expected); // three digits are printed
    assert_null(strstr(o->text, "invariant other"));
    o = run("energy.mo --json --solver euler --step 0.01", "2>/dev/null");
    const char *drift = strstr(o->text, "\"drift\":{\"e\":");
    assert_non_null(drift);
    assert_true(fabs(strtod(drift + 13, NULL) - expected) < 1e-9);
    assert_null(strstr(run("decay.mo --json", "2>/dev/null")->text, "\"drift\""));
}

// A pendulum whose rope is cut: its length is a constraint of one mode only, in which the equations
// are solved with it, so that rounding is all that they leave over: a few units of 1e-16 beside 1,
// and of 1e10 times that where both sides have that factor. In the other mode the mass falls far.
static void constraints_are_watched(void **state)
{
    (void)state;
    command_write("rope.mo", "model Rope Real x(start = 1, fixed = true), y(start = 0), vx, "
                             "vy(start = 0, fixed = true), f; parameter Real k = 1; "
                             "Boolean cut = time >= 0.7; equation der(x) = vx; der(y) = vy; "
                             "der(vx) = -f * x; der(vy) = -f * y - 9.81; "
                             "if cut then f = 0; else k * (x^2 + y^2) = k; end if; "
                             "annotation(experiment(StopTime = 3)); end Rope;");
    for (int i = 0; i < 2; i++) {
        const double size = i ? 1e10 : 1.0;
        const CommandOutcome *o =
            run(i ? "rope.mo --stats -p k=1e10" : "rope.mo --stats", "2>&1 >rope.csv");
        const char *line =
            strstr(o->text, "  drift of the constraint k * (x^2 + y^2) = k, at t = ");
        assert_non_null(line);
        assert_true(strtod(line + strlen("  drift of the constraint k * (x^2 + y^2) = k, at t = "),
                           NULL) <= 0.7);
        while (line > o->text && line[-1] != '\n')
            line--;
        const double drift = strtod(line, NULL);
        assert_true(drift > 0.0 && drift < 1e-13 * size);
    }
    const CommandOutcome *o = run("rope.mo --json --stats", "2>/dev/null");
    assert_non_null(strstr(o->text, "\"constraints\":[{\"equation\":\"k * (x^2 + y^2) = k\","));
    assert_null(strstr(run("decay.mo --stats", "2>&1 >/dev/null")->text, "constraint"));
}

// A condition with a comma is one field of the log, others stand as they are.
static void log_is_quoted(void **state)
{
    (void)state;
    command_write("quoted.mo", "model Q Real x(start = 0, fixed = true); Integer n(start = 0, "
                               "fixed = true); equation der(x) = 2; when max(x, 0.5) >= 1 then "
                               "n = pre(n) + 1; end when; end Q;");
    assert_int_equal(run("quoted.mo -q -o q.csv --events=qe.csv", "2>&1")->status, 0);
    const char *log = command_read("qe.csv");
    assert_non_null(log);
    assert_non_null(strstr(log, ",SE-O,\"max(x, 0.5) >= 1.0\",default,default,n:0->1,\n"));
}

// Between its waves nothing moves: a step as long as the solver likes would miss every other one.
static void long_steps(void **state)
{
    (void)state;
    command_write("waves.mo", "model Waves Real x(start = 0, fixed = true); equation der(x) = if "
                              "sin(8 * atan(1) * time) > 0.5 then 1 else 0; "
                              "annotation(experiment(StopTime = 10)); end Waves;");
    // a third of the time; dopri5 is exact for lines
    assert_true(fabs(last_value(run("waves.mo", "2>/dev/null")->text) - 10.0 / 3.0) < 1e-12);
    const CommandOutcome *o = run("waves.mo --maximum-step 1e-3 --stop-time 1", "2>&1 >/dev/null");
    int steps = 0;
    assert_int_equal(sscanf(o->text, "Waves: t = 1, %d steps", &steps), 1);
    assert_true(steps >= 1000);
}

static void event_log(void **state)
{
    (void)state;
    command_write("ball.mo",
                  "model Ball Real h(start = 1, fixed = true), v(start = 0, fixed = true); "
                  "equation der(h) = v; der(v) = -9.81; when h <= 0 then reinit(v, -0.8 * pre(v)); "
                  "end when; end Ball;");
    assert_run(run("ball.mo -o ball.csv --events events.csv --record=events", "2>&1"), 0,
               "1 state and 0 time events");
    const char *text = command_read("events.csv");
    assert_non_null(text);
    assert_ptr_equal(strstr(text, "time,class,condition,from,to,changes,note\n0.4515236409857"),
                     text);
    assert_non_null(strstr(text, ",h <= 0.0,default,default,v:-4.42944691807"));
    assert_non_null(command_read("ball.csv"));
    assert_null(command_read("ball.csv.part"));
}

// The classes are what an event really changed; the relation of a when clause alone is nothing.
// x is zero at the start and leaves it at once: what follows from that is in the log, too. Where
// nothing follows, nothing is.
static void event_at_start(void **state)
{
    (void)state;
    command_write("kick.mo",
                  "model Kick Real x(start = 0, fixed = true), v(start = 1, fixed = true); "
                  "equation der(x) = v; der(v) = 0; "
                  "when x > 0 then reinit(v, 5); end when; end Kick;");
    assert_run(run("kick.mo -q -o /dev/null --events -", "2>&1"), 0,
               "changes,note\n0,SE-X,x > 0.0,default,default,v:1->5,\n");
    command_write("calm.mo", "model Calm Real x(start = 0, fixed = true); Real y = if x > 0 then x "
                             "else 0; equation der(x) = 1; end Calm;");
    const CommandOutcome *calm = run("calm.mo -q -o /dev/null --events -", "2>&1");
    assert_int_equal(calm->status, 0);
    assert_string_equal(calm->text, "time,class,condition,from,to,changes,note\n");
}

static void event_classes(void **state)
{
    (void)state;
    static const struct {
        const char *text, *expected;
    } cases[] = {
        {"when x > 0.5 then reinit(x, 0); end when;", ",SE-X,x > 0.5,"},
        {"when x > 0.5 then reinit(x, 0); n = pre(n) + 1; end when;", ",SE-X+SE-O,x > 0.5,"},
        {"when x > 0.5 then n = pre(n) + 1; end when;", ",SE-O,x > 0.5,default,default,n:0->1"},
        {"when sample(0.5, 1) then n = 2; end when;", ",SE-O,\"sample(0.5, 1.0)\","},
        {"when x > 0.5 then k = 2; end when;", ",SE-P,x > 0.5,default,default,k:1->2"},
        {"y = if x > 0.5 then 1 else 2;", ",SE-O,x > 0.5,"},
        {"f = if x > 0.5 then 2 else 1;", ",SE-F,x > 0.5,"},
        {"f = if time > 0.5 then 2 else 1;", ",SE-I,time > 0.5,"},
        {"f = if time > 0.5 then 2 else 1; when time > 0.5 then n = 1; end when;",
         ",SE-I+SE-O,time > 0.5,"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const bool has_f = strstr(cases[i].text, "f = "), has_y = strstr(cases[i].text, "y = "),
                   has_k = strstr(cases[i].text, "k = "), has_n = strstr(cases[i].text, "n = ");
        char text[1000];
        snprintf(
            text, sizeof text,
            "model C Real x(start = 0, fixed = true); %s Real y; discrete Real k(start = 1, "
            "fixed = true); Integer n(start = 0, fixed = true); equation der(x) = f * k; %s%s%s "
            "%s end C;",
            has_f ? "Real f;" : "constant Real f = 1;", has_y ? "" : "y = x; ",
            has_k ? "" : "when time > 9 then k = 3; end when; ",
            has_n ? "" : "when time > 8 then n = 7; end when;", cases[i].text);
        command_write("classes.mo", text);
        assert_run(run("classes.mo -q --events - --stop-time 0.7", "2>&1"), 0, cases[i].expected);
    }
}

static void failures(void **state)
{
    (void)state;
    command_write("bad.mo", "model Bad Real x; equation x = y; end Bad;");
    assert_run(run("bad.mo", "2>&1"), 3, "error");
    command_write("twice.mo",
                  "model Twice Real x, y; equation x + y = 1; 2 * x + 2 * y = sin(time) + y - y; "
                  "x = time; end Twice;");
    assert_run(run("twice.mo", "2>&1"), 3, "error");
    command_write("limit.mo", "model Limit Real x(start = 0, fixed = true); equation der(x) = 1; "
                              "assert(x < 0.5, \"too far\"); end Limit;");
    const CommandOutcome *o = run("limit.mo -o limit.csv", "2>&1");
    assert_run(o, 1, "too far");
    assert_non_null(strstr(command_read("limit.csv"), "\n0,0,default\n")); // what was computed
    command_write("end.mo", "model End Real x(start = 0, fixed = true); equation der(x) = 1; "
                            "when x > 0.5 then terminate(\"enough\"); end when; end End;");
    assert_run(run("end.mo", "2>&1 >/dev/null"), 0, "t = 0.5: enough");
    assert_run(run("decay.mo -p q=1", "2>&1"), 2, "there is no parameter 'q'");
    assert_run(run("decay.mo --solver magic", "2>&1"), 2,
               "'magic' is no value for --solver, which is one of auto, euler");
    assert_run(run("decay.mo --stop-time=x", "2>&1"), 2, "'x' is no number");
    assert_run(run("decay.mo --variables nothing", "2>&1"), 2, "no variable matches");
    assert_run(run("decay.mo --solver rk4 --step 0", "2>&1"), 2, "--step=0 must be positive");
    assert_run(run("decay.mo --step -1", "2>&1"), 2, "--step=-1 must not be negative");
    assert_run(run("decay.mo --relative-tolerance 0", "2>&1"), 2, "must be positive");
    assert_run(run("decay.mo --output-interval 0", "2>&1"), 2, "must be positive");
    assert_run(run("decay.mo --output-interval 1e-300", "2>&1"), 2, "makes 1e+300 rows");
    assert_run(run("decay.mo --stop-time 0 -q", "2>&1"), 0, "time,x,y,mode\n0,1,2,default\n");
}

// ---------------------------------------------------------------------------
// Results
// ---------------------------------------------------------------------------

static void result_files(void **state)
{
    (void)state;
    command_write("units.mo", "model Units parameter Real k(unit = \"1/s\") = 2 \"rate\"; "
                              "parameter Integer n = 3; Real a[n](each unit = \"m\"); "
                              "Real x(start = 1, fixed = true, unit = \"V\") \"voltage\"; "
                              "equation der(x) = -k * x; for i in 1:n loop a[i] = i * x; end for; "
                              "end Units;");
    assert_run(run("units.mo -q -o units.mat --manifest m.json", "2>&1"), 0, "");
    assert_run(run("units.mo -q -o units.json --record events", "2>&1"), 0, "");
    const char *text = command_read("units.json");
    assert_non_null(text);
    assert_non_null(strstr(text, "{\"name\":\"x\",\"unit\":\"V\",\"description\":\"voltage\""));
    assert_non_null(strstr(text, "{\"name\":\"k\",\"unit\":\"1/s\",\"description\":\"rate\","
                                 "\"value\":2}"));
    assert_non_null(strstr(text, "{\"name\":\"n\",\"value\":3}"));
    text = command_read("m.json");
    assert_non_null(text);
    assert_non_null(strstr(text, "\"command\":[\"simulate\",\"units.mo\",\"-q\",\"-o\","
                                 "\"units.mat\",\"--manifest\",\"m.json\"]"));
    assert_non_null(strstr(text, "{\"file\":\"units.mat\",\"columns\":["));
    assert_non_null(strstr(text, "{\"name\":\"x\",\"unit\":\"V\",\"description\":\"voltage\"}"));
    // Only what was asked for is there.
    assert_int_equal(command_shell("ls | grep -c manifest")->status, 1);
    assert_run(run("units.mo --manifest no/where.json", "2>&1"), 2, "cannot write 'no/where.json");
    // The same run gives the same bytes.
    assert_run(run("units.mo -q -o again.mat && cmp again.mat units.mat", "2>&1"), 0, "");

    assert_run(run("units.mo -o units.txt", "2>&1"), 2,
               "must end in one of .csv, .mat, .json, or be -");
    assert_run(run("units.mo -o no/where.csv", "2>&1"), 2,
               "cannot write 'no/where.csv': No such file or directory");
    assert_run(run("units.mo -o u.csv --events no/where.csv", "2>&1"), 2, "cannot write 'no/where");
    assert_null(command_read("u.csv")); // nothing was run
    assert_run(run("units.mo --json -o -", "2>&1"), 2, "both want standard output");
    assert_run(run("units.mo -o a.csv --events a.csv", "2>&1"), 2, "are the same file");
    assert_run(run("units.mo --variables 'a[2]' --record events -o -", "2>/dev/null"), 0,
               "time,a[2],mode\n0,2,default\n");
    assert_run(run("units.mo --variables x --variables b", "2>&1"), 2, "no variable matches 'b'");
}

// d = a + 5 = 7 and c = d + 7 = 14 are known after the initialization.
static void found_parameters(void **state)
{
    (void)state;
    command_write("found.mo", "model Found parameter Real a = 2, c = d + 7, d(fixed = false); "
                              "Real v = c; initial equation d = a + 5; end Found;");
    assert_run(run("found.mo -q -o found.json --record events", "2>&1"), 0, "");
    const char *text = command_read("found.json");
    assert_non_null(strstr(text, "{\"name\":\"c\",\"value\":14}"));
    assert_non_null(strstr(text, "{\"name\":\"d\",\"value\":7}"));
}

// y = sqrt(0.6 - t) is not a number after 0.6; what was computed is written all the same.
static void values_that_are_not_finite(void **state)
{
    (void)state;
    command_write("wild.mo", "model Wild Real x(start = 1, fixed = true), y = sqrt(x - 0.4); "
                             "equation der(x) = -1; end Wild;");
    assert_run(run("wild.mo -o wild.csv --output-interval 0.25", "2>&1"), 1,
               "error: y is not finite at t = 0.75");
    assert_non_null(strstr(command_read("wild.csv"), "\n0.5,0.5"));
    assert_run(run("wild.mo --json", "2>/dev/null"), 1, "\"message\":\"y is not finite");
    assert_run(run("wild.mo --stop-time 0.4 -o /dev/null", "2>&1"), 0, "Wild: t = 0.4");
    command_write("pole.mo", "model Pole Real y = 1 / (time - 0.5); end Pole;");
    assert_run(run("pole.mo -o /dev/null --output-interval 0.25", "2>&1"), 1,
               "error: y is not finite at t = 0.5");
    command_write("parts.mo", "model Parts parameter Real q = 0, p = 1 / q; Real x = time; end "
                              "Parts;");
    assert_run(run("parts.mo -o /dev/null", "2>&1"), 0,
               "warning: the parameter p is not finite: inf");
    assert_run(run("parts.mo -p q=2 --json", "2>&1"), 0, "\"warnings\":[]");
    // A member that nobody assigned has no value; neither has a parameter that would take for ever.
    command_write("open.mo", "model Open record R Real a, b; end R; function f input Real u; "
                             "output R r; algorithm r.a := u; end f; R r = f(time); end Open;");
    assert_run(run("open.mo -o /dev/null", "2>&1"), 1, "error: r.b is not finite at t = 0");
    command_write("fib.mo", "function fib input Integer n; output Integer y; algorithm "
                            "y := if n < 2 then n else fib(n - 1) + fib(n - 2); end fib; "
                            "model Fib parameter Integer k = fib(70); Real x = k; end Fib;");
    assert_run(run("fib.mo -o /dev/null", "2>&1"), 1,
               "error: the parameter k has no value: in function fib: it calls itself");
}

// A device is written to, never replaced.
static void devices(void **state)
{
    (void)state;
    assert_run(run("decay.mo -o /dev/null --events /dev/null", "2>&1"), 0, "Decay: t = 1");
    assert_int_equal(mkfifo(command_path("pipe"), 0600), 0);
    assert_run(run("decay.mo -q -o pipe & cat pipe; wait", ""), 0, "time,x,y,mode\n0,1,2");
    assert_int_equal(access("/dev/full", W_OK), 0);
    const CommandOutcome *o = run("decay.mo -o /dev/full", "2>&1");
    assert_run(o, 1, "cannot write '/dev/full': No space left on device");
}

// No room in the middle of a file: a message, and the file from before stays.
static void no_room(void **state)
{
    (void)state;
    command_write("kept.csv", "before");
    assert_run(command_shell("(ulimit -f 8; \"$SALTUS\" simulate decay.mo --output-interval 1e-4 "
                             "-o kept.csv 2>&1)"),
               1, "kept.csv': File too large");
    assert_string_equal(command_read("kept.csv"), "before");
    assert_int_equal(command_shell("ls | grep -q part")->status, 1); // nothing half written is left
}

static void json_report(void **state)
{
    (void)state;
    const CommandOutcome *o = run("ball.mo --json", "2>/dev/null");
    assert_run(o, 0,
               "{\"schema\":\"saltus-run\",\"version\":1,\n\"model\":\"Ball\",\n"
               "\"status\":\"finished\",\n\"message\":null");
    assert_non_null(strstr(o->text, "\"events\":[\n{\"time\":0.4515236409857"));
    assert_non_null(strstr(o->text, "\"conditions\":[\"h <= 0.0\"],\"from\":\"default\""));
    assert_non_null(strstr(o->text, "\"end\":{\"h\":"));
    assert_null(strstr(o->text, "time,h,v")); // no trajectory
    assert_run(run("limit.mo --json", "2>/dev/null"), 1, "\"status\":\"error\",\n\"message\":\"");
    assert_run(run("bad.mo --json", "2>/dev/null"), 3, "\"status\":\"model\",\"diagnostics\":[{");
    assert_run(run("ball.mo --events - --record events", "2>/dev/null"), 0,
               "time,class,condition,from,to,changes,note\n0.45");
    assert_run(run("ball.mo -q --events e.json -o /dev/null && cat e.json", "2>&1"), 0,
               "{\"schema\":\"saltus-events\",\"version\":1,\"model\":\"Ball\"");
    assert_string_equal(run("ball.mo -q -o /dev/null", "2>&1")->text, "");
}

// ---------------------------------------------------------------------------
// Parameters and start values that change the model
// ---------------------------------------------------------------------------

static void overrides(void **state)
{
    (void)state;
    // n is the size of an array: the model is flattened again.
    assert_run(run("units.mo -p n=2 --record events", "2>/dev/null"), 0,
               "time,a[1],a[2],x,mode\n0,1,2,1,default\n");
    assert_run(run("units.mo -p 'k=2*0.5' --start x=3 --record events", "2>/dev/null"), 0,
               "time,a[1],a[2],a[3],x,mode\n0,3,6,9,3,default\n");
    const CommandOutcome *o = run("decay.mo --start x=2 -p k=3", "2>/dev/null");
    assert_true(fabs(last_value(o->text) - 2.0 * exp(-3.0)) < 1e-5); // ten times the tolerance
    // A parameter without a value gets one.
    command_write("open.mo", "model Open parameter Integer n; Real x[n]; equation "
                             "for i in 1:n loop x[i] = i; end for; end Open;");
    assert_run(run("open.mo", "2>&1"), 3, "error");
    assert_run(run("open.mo -p n=2 --record events", "2>&1"), 0, "time,x[1],x[2],mode\n0,1,2,");
    // Literals of enumerations, Strings; elements that are there only with another size.
    command_write(
        "kinds.mo",
        "package Kinds type Shape = enumeration(round, square); model R parameter Real k = 1; "
        "Real v = k; end R; model M parameter Integer n = 1; parameter Shape s = Shape.round; "
        "parameter String name = \"a\"; constant Real c = 1; R r[n]; "
        "Real x(start = 1, fixed = true), y[2](start = {1, 2}, each fixed = true); "
        "Real area = if s == Shape.round then 3 else 4; Boolean is_b = name == \"b\"; "
        "equation der(x) = 0; der(y) = zeros(2); end M; end Kinds;");
    assert_run(run("kinds.mo Kinds.M -p s=square -p name=b --record events", "2>/dev/null"), 0,
               "time,r[1].v,x,y[1],y[2],area,is_b,mode\n0,1,1,1,2,4,1,");
    assert_run(run("kinds.mo Kinds.M -p s=Kinds.Shape.square --start 'y[2]=5' -p x.start=7 "
                   "--record events",
                   "2>/dev/null"),
               0, "area,is_b,mode\n0,1,7,1,5,4,0,");
    assert_run(
        run("kinds.mo Kinds.M -p n=2 -p 'r[2].k=5' --start x=3 --record events", "2>/dev/null"), 0,
        "time,r[1].v,r[2].v,x,y[1],y[2],area,is_b,mode\n0,1,5,3,1,2,3,0,");
    assert_run(run("kinds.mo Kinds.M -p 'r[2].k=5'", "2>&1"), 2, "no parameter 'r[2].k'");
    assert_run(run("kinds.mo Kinds.M -p s=oval", "2>&1"), 2,
               "'oval' is no value for s: round, square");
    assert_run(run("kinds.mo Kinds.M -p c=2", "2>&1"), 2, "c is a constant");
    command_write("final.mo", "model Final final parameter Real k = 1; Real x = k; end Final;");
    assert_run(run("final.mo -p k=2", "2>&1"), 2, "k is final");
    // what other tools call it, and what is no model
    assert_run(run("decay.mo --override k=2", "2>&1"), 2, "did you mean '--parameter'?");
    assert_run(run("decay.mo --tolerance 1e-3", "2>&1"), 2, "'--relative-tolerance'?");
    assert_run(run("decay.mo --stop 3", "2>&1"), 2, "did you mean '--stop-time'?");
    assert_run(run("decay.mo -stop-time 3", "2>&1"), 2, "did you mean '--stop-time'?");
    assert_run(run("decay.mo k=3", "2>&1"), 2, "-p k=3 sets a parameter");
    assert_run(run("decay.mo -o decay.csv", "2>&1"), 0, "");
    assert_run(run("decay.csv", "2>&1"), 2, "'decay.csv' is a result; models are in files");
    // a parameter without a value in the model: a warning, unless it is given one
    command_write("bare.mo", "model Bare\n  parameter Real tau;\n  Real x = tau;\nend Bare;\n");
    assert_run(run("bare.mo --record events", "2>&1"), 0,
               "bare.mo:2:18: warning: the parameter tau has no value: 0 is taken; 'tau = ...'");
    // also where this zero shapes the model: an equation would be divided by it
    command_write("lag.mo", "model Lag\n  parameter Real tau;\n  Real x(start = 1);\n"
                            "equation\n  tau*der(x) = -x;\nend Lag;\n");
    assert_run(run("lag.mo --record events", "2>&1"), 0,
               "lag.mo:2:18: warning: the parameter tau has no value: 0 is taken; 'tau = ...'");
    assert_null(strstr(run("lag.mo -p tau=0 --record events", "2>&1")->text, "has no value"));
    // where a value that is not finite comes from, and with what
    command_write("zero.mo", "model Zero\n  parameter Real k = 3, tau = 0;\n"
                             "  Real x(start = 1, fixed = true);\nequation\n"
                             "  der(x) = -k * x / tau;\nend Zero;\n");
    assert_run(run("zero.mo", "2>&1"), 1, "the right-hand side of x is not finite at the start");
    assert_run(run("zero.mo", "2>&1"), 1,
               "zero.mo:5:3: note: this is the equation of der(x); with k = 3, tau = 0\n"
               "    5 |   der(x) = -k * x / tau;\n");
    assert_null(strstr(run("bare.mo -p tau=2 --record events", "2>&1")->text, "warning"));
    assert_run(run("decay.mo -p x=2", "2>&1"), 2, "x is no parameter");
    assert_run(run("decay.mo --start k=2", "2>&1"), 2, "k is a parameter");
    assert_run(run("decay.mo -p k", "2>&1"), 2, "-p needs NAME=VALUE, not 'k'");
    assert_run(run("decay.mo -p k=", "2>&1"), 2, "-p needs NAME=VALUE");
    assert_run(run("decay.mo -p k=1 -p k=2", "2>&1"), 2, "k is given twice");
    assert_run(run("decay.mo -p kk=1", "2>&1"), 2, "did you mean 'k'?");
    assert_run(run("decay.mo -p 'k=2 +'", "2>&1"), 3, "options:1:");
    assert_run(run("decay.mo -p 'k=true'", "2>&1"), 3, "error");
}

// ---------------------------------------------------------------------------
// Time on the wall
// ---------------------------------------------------------------------------

static void realtime(void **state)
{
    (void)state;
    // The bounce at 0.4515 s is seen at the end of its step.
    assert_run(run("ball.mo --realtime --step 0.01 --events - -q", ""), 0, "\n0.46");
    assert_run(run("ball.mo --realtime --solver dopri5", "2>&1"), 2,
               "--realtime needs fixed steps");
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    assert_run(run("ball.mo --pace --step 0.01 --stop-time 0.3 -o /dev/null", "2>&1"), 0,
               "pace: 30 steps, ");
    clock_gettime(CLOCK_MONOTONIC, &end);
    const double passed =
        (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
    assert_true(passed >= 0.3);
}

// Ctrl-C: what was computed is there, and the status says so.
static void interrupt(void **state)
{
    (void)state;
    command_write("long.mo", "model Long Real x(start = 0, fixed = true); equation "
                             "der(x) = cos(time); end Long;");
    const CommandOutcome *o =
        run("long.mo --stop-time 9e7 --output-interval 1 -q -o long.csv --events "
            "long_events.csv --manifest long.json & "
            "while ! test -s $(ls long.csv.*.part 2>/dev/null || echo .no); do sleep 0.01; done; "
            "kill -INT $!; wait $!",
            "2>&1");
    assert_int_equal(o->status, 130);
    const char *text = command_read("long.csv");
    assert_non_null(text);
    assert_non_null(strstr(text, "time,x,mode\n0,0,default\n1,"));
    assert_non_null(command_read("long_events.csv"));
    text = command_read("long.json");
    assert_non_null(text);
    assert_non_null(strstr(text, "\"status\":\"interrupted\""));
}

// Without -o: rows into a pipe, a table or curves where they are asked for, and on a terminal.
static void shown(void **state)
{
    (void)state;
    command_write("shown.mo", "model Shown Real x(start = 1, fixed = true, unit = \"m\"); "
                              "Integer n(start = 0, fixed = true); equation der(x) = -1; "
                              "when x < 0.5 then n = 1; end when; end Shown;");
    assert_run(run("shown.mo -q", ""), 0, "time,x,n,mode\n0,1,0,default\n");
    assert_string_equal(run("shown.mo -q --show table", "2>&1")->text,
                        "variable        start        least         most          end\n"
                        "x (m)               1            0            1            0\n"
                        "n                   0            0            1            1\n");
    const char *text = command_shell("LC_ALL=C.UTF-8 \"$SALTUS\" simulate shown.mo -q "
                                     "--show=plot --plot x 2>&1")
                           ->text;
    assert_int_equal(strncmp(text, "x (m)\n         1 ┤", 18), 0);
    assert_non_null(strstr(text, "▴"));
    assert_null(strstr(text, "variable"));
    assert_run(run("shown.mo --show=plot -o x.csv", "2>&1"), 2, "without -o");
    assert_run(run("shown.mo --show=plot --json", "2>&1"), 2, "without --json");
    assert_run(run("shown.mo --plot x", "2>&1"), 2, "or a terminal");
    assert_run(run("shown.mo --show=plot --plot z", "2>&1"), 2, "has no variable 'z'");
    if (system("command -v script >/dev/null 2>&1") != 0)
        return;
    text = command_shell("LC_ALL=C script -qec '\"$SALTUS\" simulate shown.mo' /dev/null")->text;
    assert_non_null(strstr(text, "variable        start"));
    assert_non_null(strstr(text, "-o FILE.csv writes all"));
    assert_null(strstr(text, "time,x,n,mode"));
    text = command_shell("script -qec '\"$SALTUS\" simulate shown.mo -o -' /dev/null")->text;
    assert_non_null(strstr(text, "time,x,n,mode"));
}

// A run that ends before its time says so with a status of its own, and what can be done.
static void accumulation(void **state)
{
    (void)state;
    command_write("ball.mo",
                  "model Ball Real h(start = 1, fixed = true), v(start = 0, fixed = true); "
                  "equation der(h) = v; der(v) = -9.81; "
                  "when h <= 0 then reinit(v, -0.5 * pre(v)); end when; end Ball;");
    // sqrt(2 / 9.81) (1 + 2 (0.5 + 0.25 + ...)) = 1.354571
    const CommandOutcome *o = run("ball.mo --stop-time 3 -o /dev/null", "2>&1");
    assert_run(o, 4, "accumulate at t = 1.3545");
    assert_run(o, 4, "--zeno=continue");
    assert_run(run("ball.mo --stop-time 3 --zeno=error -o /dev/null", "2>&1"), 1, "accumulate at");
    assert_run(run("ball.mo --stop-time 1.3 -o /dev/null", "2>&1"), 0, "");
}

// A bar on a terminal, after half a second; nothing in a pipe.
static void progress_bar(void **state)
{
    (void)state;
    const char *paced = "decay.mo --pace --step 0.01 --stop-time 0.8 -o paced.csv";
    assert_null(strstr(run(paced, "2>&1")->text, "[#"));
    if (system("command -v script >/dev/null 2>&1") != 0)
        skip();
    char line[1000];
    snprintf(line, sizeof line,
             "TERM=vt100 script -qec '\"$SALTUS\" simulate %s' typescript >/dev/null", paced);
    assert_int_equal(command_shell(line)->status, 0);
    const char *text = command_read("typescript");
    assert_non_null(text);
    assert_non_null(strstr(text, "Decay [#"));
    assert_non_null(strstr(text, "t = 0."));
}

// Inputs from files. x' = u - x with a ramp, a jump, steps; bounds: ten times the tolerance.
static void inputs(void **state)
{
    (void)state;
    command_write("lag.mo", "model Lag type Gear = enumeration(low, high); input Real u; "
                            "input Boolean on(start = true); input Gear gear; "
                            "Real x(start = 0, fixed = true); equation der(x) = if on then "
                            "(if gear == Gear.high then 2 else 1) * (u - x) else 0; end Lag;");
    command_write("ramp.csv", "time,u,other\n0,0,7\n1,1,7\n1,5,8\n");
    const CommandOutcome *o = run("lag.mo --input ramp.csv --variables x --record events -q "
                                  "--stop-time 2 --relative-tolerance 1e-9",
                                  "");
    assert_run(o, 0, "time,x,mode\n0,0,default\n1,0.367879441");
    assert_true(fabs(last_value(o->text) - (5.0 + (exp(-1.0) - 5.0) * exp(-1.0))) < 1e-8);
    o = run("lag.mo --input ramp.csv --interpolate steps --variables x -q --stop-time 2 "
            "--relative-tolerance 1e-9",
            "");
    assert_true(fabs(last_value(o->text) - 5.0 * (1.0 - exp(-1.0))) < 1e-8);
    // Cubics with the slopes 0, 3/2, 4 (Fritsch and Butland), then a jump and a straight line.
    command_write("curve.csv", "time,u\n0,0\n1,1\n2,4\n2,0\n3,1\n");
    o = run("lag.mo --input curve.csv --interpolate smooth --variables u -q --stop-time 2.5 "
            "--output-interval 0.5",
            "");
    assert_run(o, 0, "\n0.5,0.3125,default\n");
    assert_run(o, 0, "\n1.5,2.1875,default\n");
    assert_run(o, 0, "\n2.5,0.5,default\n");
    o = run("lag.mo --input curve.csv --interpolate smooth --variables u -q --start-time 0.5 "
            "--stop-time 1 --record events",
            "");
    assert_run(o, 0, "\n0.5,0.3125,default\n1,1,default\n");
    // Words; what is not Real changes in steps.
    command_write("words.csv", "time,u,on,gear\n0,1,true,low\n0.5,1,false,high\n1,1,true,high\n");
    o = run("lag.mo --input words.csv --variables x -q --stop-time 2 --relative-tolerance 1e-9",
            "");
    assert_true(fabs(last_value(o->text) - (1.0 - exp(-0.5 - 2.0))) < 1e-8);
    command_write("on.csv", "time,on\n0,true\n");
    o = run("lag.mo --input on.csv --start u=9 --variables u -q --stop-time 0", "");
    assert_run(o, 0, "\n0,9,default\n");
    // Two rows where an input jumps, before and after.
    o = run("lag.mo --input ramp.csv --variables u --record events --stop-time 2", "2>/dev/null");
    assert_run(o, 0, "time,u,mode\n0,0,default\n1,1,default\n1,5,default\n2,5,default\n");
    o = run("lag.mo --input ramp.csv", "2>&1 >/dev/null");
    assert_run(o, 0, "warning: ramp.csv has no column for the input on, which stays 1");
}

static void wrong_inputs(void **state)
{
    (void)state;
    command_write("other.csv", "time,v\n0,1\n");
    assert_run(run("lag.mo --input other.csv", "2>&1"), 2, "the inputs are u, on, gear");
    command_write("hole.csv", "time,u\n0,1\n1,\n");
    assert_run(run("lag.mo --input hole.csv", "2>&1"), 2,
               "hole.csv: 'nan' is no value for the input u, in row 2");
    command_write("word.csv", "time,gear\n0,middle\n");
    assert_run(run("lag.mo --input word.csv", "2>&1"), 2,
               "'middle' is no value for the input gear");
    command_write("twice.csv", "time,u,u\n0,1,2\n1,3,4\n");
    assert_run(run("lag.mo --input twice.csv", "2>&1"), 2,
               "twice.csv: several columns are called u");
    command_write("back.csv", "time,u\n1,1\n0,2\n");
    assert_run(run("lag.mo --input back.csv", "2>&1"), 2, "times that do not fall");
    command_write("far.csv", "time,u\n-1e308,1\n1e308,2\n");
    assert_run(run("lag.mo --input far.csv", "2>&1"), 2, "far.csv: the times are too far apart");
    assert_run(run("lag.mo --input nothing.csv", "2>&1"), 2, "nothing.csv");
    assert_run(run("decay.mo --input ramp.csv", "2>&1"), 2, "Decay has no inputs");
}

int main(int argc, char **argv)
{
    (void)argc;
    command_find(argv[0]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trajectory),
        cmocka_unit_test(invariants_are_watched),
        cmocka_unit_test(constraints_are_watched),
        cmocka_unit_test(log_is_quoted),
        cmocka_unit_test(long_steps),
        cmocka_unit_test(event_log),
        cmocka_unit_test(event_classes),
        cmocka_unit_test(event_at_start),
        cmocka_unit_test(failures),
        cmocka_unit_test(result_files),
        cmocka_unit_test(devices),
        cmocka_unit_test(no_room),
        cmocka_unit_test(json_report),
        cmocka_unit_test(overrides),
        cmocka_unit_test(realtime),
        cmocka_unit_test(interrupt),
        cmocka_unit_test(progress_bar),
        cmocka_unit_test(found_parameters),
        cmocka_unit_test(values_that_are_not_finite),
        cmocka_unit_test(shown),
        cmocka_unit_test(accumulation),
        cmocka_unit_test(inputs),
        cmocka_unit_test(wrong_inputs),
    };
    return cmocka_run_group_tests(tests, command_make_folder, command_remove_folder);
}
