// SPDX-License-Identifier: MIT
//
// Every allocation of a command fails in turn, alone and with all after it. The command ends by
// itself, with a message if not well, and a result that it says is fine is the right one. By
// default every eleventh one is tried; SALTUS_FAULTS=1 in the environment tries all. A command that
// does not end is known by the processor time that it takes, on a busy machine, too.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/command.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char ball[] = "model Ball\n"
                           "  parameter Real e = 0.8;\n"
                           "  Real h(start = 1, fixed = true), v(start = 0, fixed = true), y, f;\n"
                           "  Integer n(start = 0, fixed = true);\n"
                           "equation\n"
                           "  der(h) = v;\n"
                           "  der(v) = -9.81;\n"
                           "  y = h * h + sin(y / 3);\n"
                           "  if v > 0 then f = h; else f + h = 0; end if;\n"
                           "  when h <= 0 then reinit(v, -e * pre(v)); n = pre(n) + 1; end when;\n"
                           "end Ball;\n";

// What interposes malloc, compiled here: it is no part of the build. Sanitizers have their own.
static int prepare(void **state)
{
    (void)state;
    if (command_make_folder(NULL))
        return -1;
    command_write("ball.mo", ball);
    command_run("simulate ball.mo -q -o b.csv");
    command_write("m.csv", "time,h\n0,1\n0.1,0.95\n0.2,0.80\n0.4,0.2\n0.6,0.3\n0.8,0.4\n");
    return command_shell("cc -shared -fPIC -O1 -o starve.so " SALTUS_SOURCE_DIR
                         "/tests/faults/preload/starve.c")
        ->status;
}

static bool is_sanitized(void)
{
    return command_shell("ldd \"$SALTUS\" | grep -q -e asan -e tsan")->status == 0 ||
           command_shell("grep -q __asan_init \"$SALTUS\"")->status == 0;
}

// `out`: the file that it writes, or standard output as such. Points of a sweep may fail.
static void starve(const char *arguments, const char *out)
{
    char line[1000];
    if (is_sanitized())
        skip();
    snprintf(line, sizeof line,
             "rm -f %s *.journal; STARVE_COUNT=count LD_PRELOAD=./starve.so \"$SALTUS\" %s "
             ">stdout 2>/dev/null && cp %s good",
             out, arguments, out);
    assert_int_equal(command_shell(line)->status, 0);
    const char *count = command_read("count");
    assert_non_null(count);
    // Every eleventh, but of many (solve has 18,000) only some: each is a process of its own.
    const int some = 1 + atoi(count) / 200, sampling = some > 11 ? some : 11;
    snprintf(line, sizeof line,
             "for on in '' STARVE_ON=1; do for i in $(seq 1 %d %d); do rm -f %s *.journal;"
             "(ulimit -t 20; env $on STARVE_AT=$i LD_PRELOAD=./starve.so \"$SALTUS\" %s "
             ">stdout 2>err); "
             "s=$?; if [ $s -gt 4 ]; then echo \"$on $i: status $s\"; "
             "elif [ $s -gt 0 ] && [ ! -s err ]; then echo \"$on $i: $s without a message\"; "
             "elif [ $s = 0 ] && ! cmp -s %s good && ! grep -q -e 'out of memory' -e ,failed, %s "
             "err; then "
             "echo \"$on $i: wrong\"; fi; done; done",
             getenv("SALTUS_FAULTS") ? 1 : sampling, atoi(count), out, arguments, out, out);
    const CommandOutcome *outcome = command_shell(line);
    if (outcome->text[0])
        fail_msg("saltus %s: %s", arguments, outcome->text);
}

static void check(void **state)
{
    (void)state;
    starve("check ball.mo", "stdout");
    starve("flatten ball.mo", "stdout");
    starve("structure ball.mo", "stdout");
    starve("events ball.mo", "stdout");
}

static void simulate(void **state)
{
    (void)state;
    starve("simulate ball.mo -o o.csv", "o.csv");
    starve("simulate ball.mo -o o.mat --events e.json", "e.json");
}

static void sweep(void **state)
{
    (void)state;
    starve("sweep ball.mo -p e=0.5,0.6 --observe h -j 1 -o s.csv", "s.csv");
}

static void solve(void **state)
{
    (void)state;
    starve("solve ball.mo -u e=0.5:0.9 -t 'h = 0.3' -o r.csv", "r.csv");
    // Without memory for sensitivities there are differences, with other roundings: no bytes.
    starve("fit ball.mo --data m.csv -u e=0.5:0.9 -o r.csv", "stdout");
    starve("linearize ball.mo -o l.json", "l.json");
}

// The time of a run beside that of the fastest is another one each time.
static void compare(void **state)
{
    (void)state;
    starve("compare b.csv b.csv", "stdout");
    starve("compare ball.mo --solver=dopri5,rodas --repeat=1 --events=e.csv -o c.csv 2>err && "
           "cut -d, -f1-10,12 c.csv | sed 's/$/,/'",
           "stdout");
}

static void benchmark(void **state)
{
    (void)state;
    starve("benchmark c5 S --models=" SALTUS_SOURCE_DIR "/benchmarks/c5 -o report 2>err "
           ">report.log && cat report/results.csv",
           "stdout");
}

static void draw(void **state)
{
    (void)state;
    starve("draw ball.mo --modes -o d.svg", "d.svg");
    starve("animate ball.mo -o a.html", "a.html");
}

// The archive is written here: minizip's writer, before, crashed where it got no memory. Compiled
// modes may be missing, the FMU interprets the equations then.
static void fmu(void **state)
{
    (void)state;
    starve("fmu ball.mo -o b.fmu 2>err && python3 -m zipfile -t b.fmu >unzipped && "
           "python3 -m zipfile -l b.fmu | grep -v -e /modes/",
           "stdout");
    starve("simulate b.fmu --allow-external -q --stop-time 0.5 -o o.csv", "o.csv");
}

// A compiler that gets no memory, as it inherits what denies it, is still there.
static void reasons(void **state)
{
    (void)state;
    if (is_sanitized())
        skip();
    assert_string_equal(
        command_shell(
            "for i in 20 60 100 $(seq 420 11 480); do STARVE_AT=$i LD_PRELOAD=./starve.so "
            "\"$SALTUS\" fmu ball.mo -o b.fmu 2>&1 | grep 'no C compiler' && "
            "echo at $i; done; true")
            ->text,
        "");
}

// A run that what looks at it has ended, for it has no memory, was not interrupted by anybody.
static void nobody_interrupts(void **state)
{
    (void)state;
    if (is_sanitized())
        skip();
    assert_string_equal(
        command_shell("for i in $(seq 240 340); do STARVE_AT=$i LD_PRELOAD=./starve.so "
                      "\"$SALTUS\" fit ball.mo --data m.csv -u e=0.5:0.9 -o r.csv 2>&1 | "
                      "grep interrupted && echo at $i; done; true")
            ->text,
        "");
}

static void describe(void **state)
{
    (void)state;
    starve("describe ball.mo", "stdout");
    starve("examples ball.mo", "stdout");
    starve("convert ball.mo", "stdout");
}

// Of two ranks either is without memory, in what Saltus itself takes. Who leads says so, and writes
// nothing wrong; the points of the other one are run, or the sweep ends.
static void mpi(void **state)
{
    (void)state;
    if (is_sanitized() || command_shell("[ -x \"$SALTUS-mpi\" ] && command -v mpirun")->status != 0)
        skip();
    command_write("rank",
                  "#!/bin/sh\n"
                  "if [ \"$OMPI_COMM_WORLD_RANK\" = \"$STARVED\" ]; then\n"
                  "    export STARVE_OWN=1 LD_PRELOAD=./starve.so\n"
                  "    [ -z \"$AT\" ] || export STARVE_AT=$AT\n"
                  "    [ -z \"$ON\" ] || export STARVE_ON=1\n"
                  "    [ -n \"$AT\" ] || export STARVE_COUNT=count\n"
                  "fi\n"
                  "exec \"$SALTUS-mpi\" sweep ball.mo -p e=0.5,0.6,0.7 --observe h -o m.out.csv\n");
    char line[1200];
    snprintf(
        line, sizeof line,
        "chmod +x rank; export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "
        "OMPI_MCA_plm=isolated OMPI_MCA_rmaps_base_oversubscribe=1\n"
        "\"$SALTUS\" sweep ball.mo -q -p e=0.5,0.6,0.7 --observe h -o good.csv\n"
        "for r in 0 1; do rm -f m.out.csv*; STARVED=$r mpirun -n 2 ./rank 2>err || cat err; "
        "n=$(cat count)\n"
        "  [ \"$n\" -gt 100 ] || echo \"only $n allocations\"\n"
        "  for on in '' 1; do for i in $(seq 7 %s $n); do rm -f m.out.csv*\n"
        "    STARVED=$r AT=$i ON=$on timeout 100 mpirun -n 2 ./rank 2>err; s=$?\n"
        "    if [ $s -gt 4 ]; then echo \"$r $on $i: status $s\"\n"
        "    elif [ $s -gt 0 ] && [ ! -s err ]; then echo \"$r $on $i: $s without a message\"\n"
        "    elif [ $s = 0 ] && ! cmp -s m.out.csv good.csv && "
        "! grep -q -e 'out of memory' -e ,failed, m.out.csv err; then echo \"$r $on $i: wrong\"\n"
        "    fi; done; done; done",
        getenv("SALTUS_FAULTS") ? "1" : "$((n / 6))");
    const CommandOutcome *outcome = command_shell(line);
    if (outcome->text[0])
        fail_msg("saltus-mpi: %s", outcome->text);
}

static void plot(void **state)
{
    (void)state;
    starve("plot b.csv h -o p.svg", "p.svg");
}

int main(int argc, char **argv)
{
    (void)argc;
    command_find(argv[0]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(check),    cmocka_unit_test(simulate),
        cmocka_unit_test(sweep),    cmocka_unit_test(plot),
        cmocka_unit_test(solve),    cmocka_unit_test(draw),
        cmocka_unit_test(describe), cmocka_unit_test(fmu),
        cmocka_unit_test(reasons),  cmocka_unit_test(nobody_interrupts),
        cmocka_unit_test(compare),  cmocka_unit_test(benchmark),
        cmocka_unit_test(mpi)};
    return cmocka_run_group_tests(tests, prepare, command_remove_folder);
}
