// SPDX-License-Identifier: MIT
//
// What ends a command from outside: signals and limits, wherever it is. The runs here would take
// minutes. What they take is measured in processor time: machines have other things to do.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/command.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

// One evaluation takes a quarter of a second, a step several: nothing looks at signals for so long.
static const char slow[] =
    "function slow input Real x; output Real y; protected Integer i; algorithm\n"
    "  y := x; i := 0;\n"
    "  while i < 9000000 loop i := i + 1; y := sin(y) + 1e-3; end while;\n"
    "end slow;\n"
    "model Slow parameter Real p = 1; Real x(start = 1, fixed = true);\n"
    "equation der(x) = -p * slow(x); annotation(experiment(StopTime = 100)); end Slow;\n";

static const char tick[] = "model Tick discrete Real n(start = 0, fixed = true);\n"
                           "equation when sample(0, 0.01) then n = pre(n) + 1; end when;\n"
                           "annotation(experiment(StopTime = 1)); end Tick;\n";

// Processor time of the commands so far.
static double watch_test_time(void)
{
    struct rusage used;
    getrusage(RUSAGE_CHILDREN, &used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

// The status and the text of a line, which ends long before the run would. Without sanitizers it
// takes less than a second.
static const CommandOutcome *ends_early(const char *line)
{
    const double begin = watch_test_time();
    const CommandOutcome *outcome = command_shell(line);
    assert_true(watch_test_time() - begin < 10.0);
    return outcome;
}

static void signals(void **state)
{
    (void)state;
    command_write("slow.mo", slow);
    static const char *const names[] = {"INT", "TERM", "HUP", "XCPU"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char line[400];
        snprintf(line, sizeof line,
                 "\"$SALTUS\" simulate slow.mo --backend=interpret -o slow.csv --events slow.json "
                 "--manifest slow.csv.manifest.json 2>&1 & "
                 "while ! ls slow.csv.*.part >/dev/null 2>&1; do sleep 0.01; done; sleep 0.3; "
                 "kill -%s $!; wait $!",
                 names[i]);
        const CommandOutcome *outcome = ends_early(line);
        assert_int_equal(outcome->status, 130);
        assert_non_null(strstr(outcome->text, "saltus: interrupted: "));
        // the files are there, with what was computed
        assert_non_null(strstr(command_read("slow.csv"), "time,x,mode\n"));
        assert_non_null(strstr(command_read("slow.json"), "\"events\":[]}"));
        assert_non_null(strstr(command_read("slow.csv.manifest.json"), "\"interrupted\""));
        assert_int_equal(command_shell("ls *.part 2>&1")->status, 2);
    }
}

static void times(void **state)
{
    (void)state;
    command_write("slow.mo", slow);
    // on a busy machine the time may be over before the run begins
    const CommandOutcome *outcome = NULL;
    double limit = 0.25;
    do {
        char line[200], expected[100];
        limit *= 2.0;
        snprintf(line, sizeof line,
                 "\"$SALTUS\" simulate slow.mo --backend=interpret -q -o slow.csv "
                 "--max-time=%g 2>&1",
                 limit);
        snprintf(expected, sizeof expected, "--max-time=%g is over", limit);
        outcome = ends_early(line);
        assert_int_equal(outcome->status, 4);
        assert_non_null(strstr(outcome->text, expected));
    } while (!strstr(outcome->text, "the start of the run") && limit < 60.0);
    assert_non_null(strstr(outcome->text, "the start of the run"));
    char line[200];
    snprintf(line, sizeof line,
             "\"$SALTUS\" simulate slow.mo --backend=interpret --json --max-time=%g 2>&1",
             4.0 * limit);
    outcome = ends_early(line);
    assert_int_equal(outcome->status, 4);
    assert_non_null(strstr(outcome->text, "\"status\":\"interrupted\""));
    snprintf(line, sizeof line,
             "\"$SALTUS\" sweep slow.mo -p p=1:2:9 --observe x -o s.csv --max-time=%g 2>&1",
             4.0 * limit);
    outcome = ends_early(line);
    assert_int_equal(outcome->status, 4);
    assert_non_null(strstr(outcome->text, " is over"));
    assert_non_null(strstr(outcome->text, "--resume goes on"));
}

static void memory(void **state)
{
    (void)state;
    // 3e6 parameters
    command_write("large.mo", "model Large parameter Real p[3000000] = zeros(3000000); Real x = "
                              "p[1]; end Large;");
    const CommandOutcome *outcome = ends_early("\"$SALTUS\" check large.mo --max-memory=60 2>&1");
    assert_int_equal(outcome->status, 4);
    assert_non_null(strstr(outcome->text, "--max-memory=60 is used up, while the model was read"));
}

// What is large is given back by a process that ends after the command. It holds no pipe (the shell
// here reads one to its end) and is gone soon.
static void large_memory(void **state)
{
    (void)state;
    command_write("wide.mo", "model Wide Real x[800, 800]; equation for i in 1:800 loop "
                             "for j in 1:800 loop x[i, j] = i + j; end for; end for; end Wide;");
    const CommandOutcome *outcome = ends_early(
        "cp \"$SALTUS\" wide; (./wide check wide.mo --max-memory=300; echo status $?) 2>&1 | cat; "
        "left() { for p in /proc/[0-9]*/exe; do [ \"$(readlink $p)\" = \"$PWD/wide\" ] && return; "
        "done; false; }; n=0; while left && [ $n -lt 200 ]; do sleep 0.1; n=$((n + 1)); done; "
        "left && echo left behind; rm wide");
    assert_non_null(strstr(outcome->text, "--max-memory=300 is used up, while the model was read"));
    assert_non_null(strstr(outcome->text, "status 4\n"));
    assert_null(strstr(outcome->text, "left behind"));
}

// Files beside the model count: who waits for a pipe that nobody writes ends at the limit.
static void other_files(void **state)
{
    (void)state;
    command_write("tick.mo", tick);
    command_write("a.csv", "time,n\n0,1\n1,2\n");
    command_shell("mkfifo pipe.csv");
    static const char *const lines[] = {
        "fit tick.mo --data pipe.csv -u n.start=0:1", "compare a.csv pipe.csv",
        "simulate tick.mo --input pipe.csv", "draw tick.mo --run pipe.csv -o d.svg"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char line[200];
        snprintf(line, sizeof line, "timeout 60 \"$SALTUS\" %s --max-time=0.3 2>&1", lines[i]);
        const CommandOutcome *outcome = ends_early(line);
        assert_int_equal(outcome->status, 4);
        assert_non_null(strstr(outcome->text, "--max-time=0.3 is over"));
    }
    command_expect("compare a.csv a.csv --max-time=-1 2>&1", 2, "--max-time=-1 must not be");
}

static void events(void **state)
{
    (void)state;
    command_write("tick.mo", tick);
    command_expect("simulate tick.mo --max-events=1000 -o tick.csv 2>&1", 0, "Tick");
    command_expect("simulate tick.mo --max-events=10 -o tick.csv 2>&1", 1, "more than 10 events");
    command_expect("simulate tick.mo --max-events=10 -o tick.csv 2>&1", 1, "t = 0.1");
}

// Steps by which the stop time cannot be reached in anybody's life are an error with the name of
// what asks for them. As many are fine if the run is as short.
static void crowds(void **state)
{
    (void)state;
    command_write(
        "crowd.mo",
        "model Sampled discrete Real n(start = 0, fixed = true); parameter Real T = 1e-20;\n"
        "equation when sample(0, T) then n = pre(n) + 1; end when; end Sampled;\n"
        "model Late discrete Real n(start = 0, fixed = true);\n"
        "equation when sample(0.5, 3e-16) then n = pre(n) + 1; end when; end Late;\n"
        "model Clocked Real n(start = 0); equation\n"
        "when Clock(1e-20) then n = previous(n) + 1; end when; end Clocked;\n"
        "model Steps Real y = floor(time * 1e20); end Steps;\n"
        "model Delayed Real y = delay(sin(time), 1e-20); end Delayed;\n"
        "model Two Sampled a(T = 0.1), b; end Two;\n");
    static const struct {
        const char *model, *expected;
    } rows[] = {
        {"Sampled", "they end at time events, the last one: sample(0.0, T)"},
        {"Late", "they end at time events, the last one: sample(0.5, 3e-16)"},
        {"Clocked", "clock 1"},
        {"Steps", "floor(time * 1e20)"},
        {"Delayed", "100000 steps have led from t = 5e-21 to 5.00005e-16 only"},
        {"Two", "sample(0.0, b.T)"},
        {"Two --together", "sample(0.0, b.T)"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char line[100];
        snprintf(line, sizeof line, "simulate crowd.mo %s -o crowd.csv 2>&1", rows[i].model);
        const CommandOutcome *outcome =
            command_expect(line, 1, "there would be more than 1e13 of them");
        assert_non_null(strstr(outcome->text, rows[i].expected));
    }
    // x = 1 / (1 - t): its waves do not accumulate geometrically.
    command_write("pole.mo", "model Pole Real x(start = 1, fixed = true); Boolean b = sin(x) > 0; "
                             "equation der(x) = x^2; end Pole;");
    command_expect("simulate pole.mo --stop-time=3 --solver=dopri5 -o crowd.csv 2>&1", 1,
                   "x grows beyond all bounds: from ");
    // Parts that run by themselves, with more steps than are looked at together.
    command_write("swings.mo",
                  "model Swings Real x[5](start = {1, 2, 1.5, 0.5, 0.1}, each fixed = true), "
                  "v[5](each start = 0, each fixed = true); equation der(x) = v; "
                  "der(v) = {-sin(x[i]) for i in 1:5}; end Swings;");
    command_expect("simulate swings.mo --stop-time=20000 -o crowd.csv 2>&1", 0,
                   "Swings: t = 20000");
    command_expect("sweep crowd.mo Sampled -p T=1e-20 --stop-time=1.5e-15 --observe n 2>&1", 0,
                   ",150001,finished");
    command_expect("sweep crowd.mo Sampled -p T=1e-20,0.25 --observe n 2>&1", 0, "0.25,5,finished");
}

// A limit that is none is not taken for none.
static void wrong_limits(void **state)
{
    (void)state;
    command_write("tick.mo", tick);
    command_expect("simulate tick.mo --max-time=-1 2>&1", 2, "--max-time=-1 must not be negative");
    command_expect("check tick.mo --max-memory=-5 2>&1", 2, "--max-memory=-5 must not be negative");
    command_expect("simulate tick.mo --max-events=0.5 2>&1", 2, "must be a whole number");
    command_expect("simulate tick.mo --max-events=-1 2>&1", 2, "must be a whole number");
}

// Functions that do not end: bounds on calls, in the interpreter and in compiled code.
static void calls(void **state)
{
    (void)state;
    command_write("fib.mo", "function fib input Real n; output Real y; algorithm\n"
                            "  if n <= 1 then y := n; else y := fib(n - 1) + fib(n - 2); end if;\n"
                            "end fib;\n"
                            "model Fib Real x = fib(60 + time); end Fib;\n"
                            "model Known parameter Real p = fib(60); Real x = p; end Known;\n"
                            "model Fine Real x = fib(20 + 0 * time); end Fine;\n");
    const char *expected = "in function fib: it calls itself, or is called in a loop, which does "
                           "not end (10000000 repetitions)";
    command_expect("simulate fib.mo Fib --backend=interpret -o fib.csv 2>&1", 1, expected);
    command_expect("simulate fib.mo Fib --backend=c -o fib.csv 2>&1", 1, expected);
    command_expect("simulate fib.mo Known -o fib.csv 2>&1", 1, expected);
    command_expect("simulate fib.mo Fine --json -q", 0, "\"x\":6765");
}

int main(int argc, char **argv)
{
    (void)argc;
    command_find(argv[0]);
    signal(SIGHUP, SIG_DFL); // under nohup the command would go on, as it should
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(signals),      cmocka_unit_test(times),        cmocka_unit_test(memory),
        cmocka_unit_test(large_memory), cmocka_unit_test(other_files),  cmocka_unit_test(events),
        cmocka_unit_test(calls),        cmocka_unit_test(wrong_limits), cmocka_unit_test(crowds),
    };
    return cmocka_run_group_tests(tests, command_make_folder, command_remove_folder);
}
