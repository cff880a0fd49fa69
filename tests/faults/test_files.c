// SPDX-License-Identifier: MIT
//
// Files that cannot be written, or are not what they should be: full disks, folders that are
// read-only, pipes that are closed, caches of somebody else, compilers that fail or hang.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/command.h"
#include "support/sanitized.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char ball[] = "model Ball\n"
                           "  parameter Real e = 0.8;\n"
                           "  Real h(start = 1, fixed = true), v(start = 0, fixed = true);\n"
                           "equation\n"
                           "  der(h) = v;\n"
                           "  der(v) = -9.81;\n"
                           "  when h <= 0 then reinit(v, -e * pre(v)); end when;\n"
                           "end Ball;\n";

// Expects a status and a text of a line of the shell.
static void expect(const char *line, int status, const char *expected)
{
    const CommandOutcome *outcome = command_shell(line);
    if (outcome->status != status || !strstr(outcome->text, expected))
        fail_msg("%s: status %d, '%.2000s'", line, outcome->status, outcome->text);
}

static int prepare(void **state)
{
    (void)state;
    if (command_make_folder(NULL))
        return -1;
    command_write("ball.mo", ball);
    return command_run("simulate ball.mo -q --backend=interpret -o old.csv")->status;
}

static void full_disks(void **state)
{
    (void)state;
    expect("\"$SALTUS\" simulate ball.mo -o /dev/full 2>&1", 1, "No space left on device");
    expect("\"$SALTUS\" simulate ball.mo -q >/dev/full", 1, "");
    expect("\"$SALTUS\" flatten ball.mo 2>&1 >/dev/full", 1, "No space left on device");
    expect("\"$SALTUS\" check ball.mo 2>/dev/full", 0, "");
    // a file that may not grow: nothing is left of it, or the old one stays
    expect(
        "(ulimit -f 2; \"$SALTUS\" animate ball.mo -o a.html 2>&1); s=$?; ls a.html* 2>&1; exit $s",
        1, "cannot write 'a.html': File too large");
    expect("(ulimit -f 2; \"$SALTUS\" plot old.csv h -o p.svg 2>&1); s=$?; ls p.svg*; exit $s", 1,
           "cannot write 'p.svg': File too large");
    assert_int_equal(command_shell("ls a.html* p.svg* 2>/dev/null | grep .")->status, 1);
    expect("cp old.csv was.csv; (ulimit -f 8; \"$SALTUS\" simulate ball.mo -q -o old.csv "
           "--output-interval=1e-5 2>&1); s=$?; cmp old.csv was.csv && ls *.part 2>&1; exit $s",
           1, "too large");
}

static void places_that_cannot_be_written(void **state)
{
    (void)state;
    expect("\"$SALTUS\" simulate ball.mo -o nowhere/o.csv 2>&1", 2, "cannot write 'nowhere/o.csv'");
    if (geteuid() != 0) // nothing is read-only to root
        expect("mkdir locked; chmod 500 locked; \"$SALTUS\" simulate ball.mo -o locked/o.csv 2>&1",
               2, "Permission denied");
    expect("mkdir folder.csv; \"$SALTUS\" simulate ball.mo -o folder.csv 2>&1", 2, "directory");
}

static void closed_pipes(void **state)
{
    (void)state;
    // by signal, as other programs, or with a status: but it ends
    expect("(ulimit -t 20; \"$SALTUS\" simulate ball.mo -q --output-interval=1e-6; echo $? >s) | "
           "head -c 1 >/dev/null; s=$(cat s); [ $s = 1 ] || [ $s = 141 ] && echo fine",
           0, "fine");
    expect("\"$SALTUS\" simulate ball.mo -q >&-; echo $?", 0, "1");
    expect("\"$SALTUS\" simulate ball.mo -q -o o.csv >&- 2>&- </dev/null; echo $?", 0, "0");
}

// What was left behind by a process that is gone is removed; by one that is there, not.
static void left_behind(void **state)
{
    (void)state;
    expect("sh -c 'echo $$' >gone; p=$(cat gone); touch -d '2 minutes ago' o.csv.$p-0.part "
           "o.csv.$$-0.part; touch o.csv.$p-1.part; touch -d '2 minutes ago' o.csv.x-0.part; "
           "\"$SALTUS\" simulate ball.mo -q -o o.csv && ls *.part | wc -l; "
           "ls o.csv.$p-0.part 2>&1; rm *.part",
           0, "3\n");
}

static void killed_while_writing(void **state)
{
    (void)state;
    // the file is the old or the new one, never a part of it
    expect("\"$SALTUS\" simulate ball.mo -q --output-interval=1e-5 -o new.csv; n=0; "
           "for d in 0 0.01 0.02 0.03 0.05 0.08 0.1 0.12 0.15 0.2 0.3 0.5; do cp old.csv k.csv; "
           "\"$SALTUS\" simulate ball.mo -q --output-interval=1e-5 -o k.csv & sleep $d; "
           "kill -9 $! 2>/dev/null; wait $! 2>/dev/null; "
           "cmp -s k.csv old.csv || cmp -s k.csv new.csv || n=$((n+1)); done; echo broken: $n",
           0, "broken: 0");
}

// ---------------------------------------------------------------------------
// The cache and the compiler
// ---------------------------------------------------------------------------

#define COMPILED "XDG_CACHE_HOME=$PWD/cache \"$SALTUS\" simulate ball.mo --backend=c -o c.csv 2>&1"

static void caches(void **state)
{
    (void)state;
    expect("mkdir -p cache; " COMPILED " && cmp c.csv old.csv && ls cache/saltus/*.so", 0,
           "compiled");
    // truncated, changed, writable by others, a link: not loaded, made anew
    expect("f=$(ls cache/saltus/*.so); truncate -s 100 $f; " COMPILED " && cmp c.csv old.csv", 0,
           "compiled");
    expect("f=$(ls cache/saltus/*.so); printf x | dd of=$f bs=1 seek=5000 conv=notrunc "
           "2>/dev/null; " COMPILED " && cmp c.csv old.csv",
           0, "compiled");
    expect("f=$(ls cache/saltus/*.so); chmod 777 $f; " COMPILED " && stat -c %a $f", 0, "700");
    expect("f=$(ls cache/saltus/*.so); cp $f other; ln -sf $PWD/other $f; " COMPILED
           " && test ! -h $f && echo replaced",
           0, "replaced");
    // a folder that others may write is not used at all
    expect("chmod 777 cache/saltus; rm cache/saltus/*; " COMPILED
           "; ls cache/saltus | wc -l; chmod 700 cache/saltus",
           0, "0\n");
    expect("rm -rf cache; touch cache; " COMPILED "; rm cache", 0, "compiled");
}

static void two_processes(void **state)
{
    (void)state;
    expect("rm -rf cache; mkdir cache; for i in 1 2 3 4; do XDG_CACHE_HOME=$PWD/cache \"$SALTUS\" "
           "simulate ball.mo -q --backend=c -o c$i.csv & done; wait; "
           "for i in 1 2 3 4; do cmp c$i.csv old.csv; done; ls cache/saltus | grep -c -e source-",
           1, "0");
}

static void compilers(void **state)
{
    (void)state;
    command_shell("mkdir -p none fails hangs; printf '#!/bin/sh\\nexit 1\\n' >fails/cc; "
                  "printf '#!/bin/sh\\nsleep 100\\n' >hangs/cc; chmod +x */cc; rm -rf cache");
#define WITH(folder) "XDG_CACHE_HOME=$PWD/cache PATH=$PWD/" folder " \"$SALTUS\" simulate ball.mo "
    expect(WITH("none") "--backend=c -o c.csv 2>&1; cmp c.csv old.csv", 0,
           "interpreted: there is no C compiler");
    expect(WITH("fails") "--backend=c -o c.csv 2>&1; cmp c.csv old.csv", 0,
           "interpreted: the compiler failed");
    // one that hangs: its version is not waited for without end, and neither is it itself
    expect("PATH=$PWD/hangs:$PATH XDG_CACHE_HOME=$PWD/cache \"$SALTUS\" simulate ball.mo "
           "--backend=c --max-time=7 -o c.csv 2>&1; echo $?",
           0, "--max-time=7 is over");
    // external functions cannot do without one
    command_write("twice.mo",
                  "model Twice function twice input Real x; output Real y; external "
                  "annotation(Include = \"static double twice(double x) { return 2 * x; "
                  "}\"); end twice; Real x = twice(time); end Twice;");
    expect("PATH=$PWD/none \"$SALTUS\" simulate twice.mo --allow-external 2>&1", 3,
           "there is no C compiler");
    expect("PATH=$PWD/fails \"$SALTUS\" simulate twice.mo --allow-external 2>&1", 3,
           "the C compiler failed");
    expect("PATH=$PWD/hangs:$PATH \"$SALTUS\" simulate twice.mo --allow-external --max-time=1 2>&1",
           4, "--max-time=1 is over");
}

// Whoever stops the command stops the compiler that it waits for, and what that has started.
static void nothing_stays_behind(void **state)
{
    (void)state;
    command_shell("mkdir -p asleep; rm -rf cache; "
                  "printf '#!/bin/sh\nsleep 1234567 & echo $! >\"$SLEEPER\"; wait\n' "
                  ">asleep/cc; chmod +x asleep/cc");
    // KILL leaves the command no time for anything: the compiler notices (base/process).
    static const char *const signals[] = {"TERM", "INT", "HUP", "KILL"};
    // The first wait is for the compiler's version, a twin of which is kept for the second.
    static const char *const commands[] = {"simulate ball.mo --backend=c -o c.csv",
                                           "simulate twice.mo --allow-external -o c.csv",
                                           "simulate ball.mo --backend=c -o c.csv --max-time=1"};
    for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < sizeof signals / sizeof *signals; k++) {
            char line[1000];
            snprintf(
                line, sizeof line,
                "rm -f sleeper; SLEEPER=$PWD/sleeper PATH=$PWD/asleep:$PATH "
                "XDG_CACHE_HOME=$PWD/cache python3 -c 'import os, signal, sys; "
                "[signal.signal(s, signal.SIG_DFL) for s in (1, 2, 15)]; "
                "os.execv(sys.argv[1], sys.argv[1:])' \"$SALTUS\" %s >/dev/null 2>&1 & "
                "while ! test -s sleeper; do sleep 0.01; done; kill -%s $!; wait $!; "
                "for i in $(seq 100); do grep -qs '^State:.[^ZX]' /proc/$(cat sleeper)/status || "
                "break; sleep 0.05; done; "
                "grep -s '^State:.[^ZX]' /proc/$(cat sleeper)/status || echo gone",
                commands[i], signals[k]);
            expect(line, 0, "gone");
        }
}

// Killed as early as can be, just before the compiler is tied to it, the command leaves none
// behind. The compiler would say that it has been there.
static void nothing_stays_behind_unborn(void **state)
{
    (void)state;
    if (IS_SANITIZED)
        skip();
    expect("cc -shared -fPIC -O1 -o orphan.so " SALTUS_SOURCE_DIR
           "/tests/faults/preload/orphan.c -ldl; rm -rf cache sleeper; "
           "SLEEPER=$PWD/sleeper PATH=$PWD/asleep:$PATH XDG_CACHE_HOME=$PWD/cache "
           "LD_PRELOAD=$PWD/orphan.so \"$SALTUS\" simulate ball.mo --backend=c -o c.csv "
           ">/dev/null 2>&1; echo $?; sleep 1; "
           "for i in $(seq 100); do grep -qs '^State:.[^ZX]' /proc/$(cat sleeper)/status || "
           "break; sleep 0.05; done 2>/dev/null; "
           "grep -s '^State:.[^ZX]' /proc/$(cat sleeper)/status || echo gone",
           0, "137\ngone");
}

// A file that is to be written is none that is read, and none of the others that are: one of two
// would be lost. Whatever leads to it, a link, another folder's name; it need not be there yet.
static void nothing_is_overwritten(void **state)
{
    (void)state;
    command_write("keep.mo",
                  "model Keep input Real u; parameter Real k = 1; "
                  "Real x(start = 1, fixed = true); equation der(x) = u - k*x; end Keep;");
    command_write("Named.mo", "model Named parameter Real k = 1; Real x(start = 1, fixed = true); "
                              "equation der(x) = -k*x; end Named;");
    command_write("keep.csv", "time,u,x\n0,0,1\n1,0,0.5\n");
    command_shell("ln -sf keep.csv link.csv; cat keep.mo keep.csv Named.mo >before");
    static const CommandMistake cases[] = {
        {"simulate keep.mo -o new.csv --manifest new.csv", 2,
         "--output and --manifest are the same"},
        {"simulate keep.mo -o new.json --events ./new.json", 2,
         "--output and --events are the same"},
        {"simulate keep.mo --input keep.csv -o link.csv", 2, "--output and --input are the same"},
        {"simulate keep.mo --input link.csv --events keep.csv", 2,
         "--events and --input are the same"},
        {"fit keep.mo --data keep.csv -u k=0.5:2 --curve keep.csv", 2,
         "--curve and --data are the"},
        {"sweep keep.mo -p k=1 --observe x -o t.csv --statistics \"$PWD/t.csv\"", 2,
         "are the same"},
        {"compare keep.csv link.csv -o keep.csv", 2, "--output is 'keep.csv', which is read"},
        {"structure keep.mo --svg keep.mo", 2, "--svg is 'keep.mo', which is read"},
        {"fmu keep.mo -o keep.mo", 2, "--output is 'keep.mo', which is read"},
        {"simulate Named -o n.csv --manifest Named.mo", 2,
         "--manifest is 'Named.mo', which is read"},
        {"sweep Named -p k=1 --observe x -o n.csv --manifest Named.mo", 2,
         "--manifest is 'Named.mo', which is read"},
        {"sweep Named -p k=1 --observe x -o n.csv --device=cpu --keep-source=./Named.mo", 2,
         "--keep-source is 'Named.mo', which is read"},
        {"sweep Named -p k=1 --observe x -o n.csv --device=cpu --keep-source=no/n.c", 1,
         "cannot write 'no/n.c': No such"},
        {"fmu keep.mo -o other.mo", 2, "'other.mo': the name must end in .fmu"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char line[300];
        snprintf(line, sizeof line, "%s 2>&1", cases[i].arguments);
        command_expect(line, cases[i].status, cases[i].expected);
    }
    assert_int_equal(command_shell("cat keep.mo keep.csv Named.mo | cmp - before")->status, 0);
    assert_int_not_equal(command_shell("ls new.* t.csv other.mo")->status, 0);
    command_expect("simulate keep.mo -o /dev/null --events /dev/null 2>&1", 0, "");
}

int main(int argc, char **argv)
{
    (void)argc;
    command_find(argv[0]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_overwritten),
        cmocka_unit_test(full_disks),
        cmocka_unit_test(places_that_cannot_be_written),
        cmocka_unit_test(closed_pipes),
        cmocka_unit_test(left_behind),
        cmocka_unit_test(killed_while_writing),
        cmocka_unit_test(caches),
        cmocka_unit_test(two_processes),
        cmocka_unit_test(compilers),
        cmocka_unit_test(nothing_stays_behind),
        cmocka_unit_test(nothing_stays_behind_unborn),
    };
    return cmocka_run_group_tests(tests, prepare, command_remove_folder);
}
