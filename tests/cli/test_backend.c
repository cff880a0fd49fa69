// SPDX-License-Identifier: MIT
//
// --backend of the commands that make many runs: what they find is the same, compiled or not.

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

// Not linear, with events.
static const char model[] = "model Bounce\n"
                            "  parameter Real g = 9.81, c = 0.1;\n"
                            "  Real x(start = 1, fixed = true);\n"
                            "  Real v(start = 0, fixed = true);\n"
                            "equation\n"
                            "  der(x) = v;\n"
                            "  der(v) = -g - c * v * abs(v);\n"
                            "  when x < 0 then\n"
                            "    reinit(v, -0.8 * pre(v));\n"
                            "  end when;\n"
                            "  annotation(experiment(StopTime = 2));\n"
                            "end Bounce;\n";

static const char *const studies[] = {
    "sweep b.mo -j1 -p g=5:15:5 --observe 'end = x' --observe 'top = maximum(x)' -o out.csv",
    "solve b.mo -j1 -u g=5:15 -t 'minimum(v) = -4' -o out.csv",
    "compare b.mo --solver dopri5 --relative-tolerance 1e-6 --observe 'end = x' -o out.csv",
};
enum { STUDIES = sizeof studies / sizeof *studies, LONGEST = 4000 };

// The rows that a study writes with this backend, and a cache of its own. Times differ in any case.
static int study_runs(int study, const char *backend, char rows[LONGEST], char said[LONGEST])
{
    char line[LONGEST];
    snprintf(line, sizeof line,
             "rm -rf cache out.csv; XDG_CACHE_HOME=\"$PWD/cache\" \"$SALTUS\" %s --backend=%s 2>&1",
             studies[study], backend);
    command_write("b.mo", model);
    const CommandOutcome *o = command_shell(line);
    snprintf(said, LONGEST, "%.*s", LONGEST - 1, o->text);
    const int status = o->status;
    const char *text = command_read("out.csv");
    snprintf(rows, LONGEST, "%s", text ? text : "");
    return status;
}

static bool has_compiled(void)
{
    return strstr(command_shell("find cache -name '*.so' 2>/dev/null")->text, ".so");
}

// Interpreted and compiled, with the same bits.
static void same_results(void **state)
{
    (void)state;
    static char rows[3][LONGEST], said[LONGEST];
    for (int i = 0; i < STUDIES; i++) {
        assert_int_equal(study_runs(i, "interpret", rows[0], said), 0);
        assert_false(has_compiled());
        assert_int_equal(study_runs(i, "c", rows[1], said), 0);
        assert_null(strstr(said, "warning"));
        assert_true(has_compiled());
        assert_int_equal(study_runs(i, "auto", rows[2], said), 0);
        if (strncmp(studies[i], "compare", 7) == 0)
            continue; // it writes how long runs take
        assert_string_equal(rows[0], rows[1]);
        assert_string_equal(rows[0], rows[2]);
    }
}

// The whole model as one function: the same up to the tolerance.
static void whole(void **state)
{
    (void)state;
    static char rows[2][LONGEST], said[LONGEST];
    assert_int_equal(study_runs(1, "interpret", rows[0], said), 0);
    assert_int_equal(study_runs(1, "whole", rows[1], said), 0);
    assert_null(strstr(said, "warning"));
    const double a = strtod(strchr(rows[0], '\n') + 1, NULL),
                 b = strtod(strchr(rows[1], '\n') + 1, NULL);
    assert_true(a > 5.0 && a < 15.0);
    assert_true(a - b < 1e-4 && b - a < 1e-4); // 100 tolerances, for some bounces
}

// Without a compiler, who asked for it is told so.
static void no_compiler(void **state)
{
    (void)state;
    command_write("b.mo", model);
    static const char *const said = "warning: the equations are interpreted";
    for (int i = 0; i < STUDIES; i++)
        for (int asks = 0; asks < 2; asks++) {
            char line[LONGEST];
            snprintf(line, sizeof line,
                     "XDG_CACHE_HOME=\"$PWD/none\" PATH=/nowhere \"$SALTUS\" %s %s 2>&1",
                     studies[i], asks ? "--backend=c" : "");
            const CommandOutcome *o = command_shell(line);
            assert_int_equal(o->status, 0);
            if (!strstr(o->text, said) != !asks)
                fail_msg("%s: %s", line, o->text);
        }
}

static void backend_words(void **state)
{
    (void)state;
    command_write("b.mo", model);
    for (int i = 0; i < STUDIES; i++) {
        char line[LONGEST];
        snprintf(line, sizeof line, "%s --backend=fast 2>&1", studies[i]);
        command_expect(line, 2, "interpret");
    }
}

int main(int argc, char **argv)
{
    (void)argc;
    command_find(argv[0]);
    const bool has_compiler = system("cc --version > /dev/null 2>&1") == 0;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(backend_words),
        cmocka_unit_test(no_compiler),
        cmocka_unit_test(same_results),
        cmocka_unit_test(whole),
    };
    const struct CMUnitTest few[] = {cmocka_unit_test(backend_words),
                                     cmocka_unit_test(no_compiler)};
    return has_compiler ? cmocka_run_group_tests(tests, command_make_folder, command_remove_folder)
                        : cmocka_run_group_tests(few, command_make_folder, command_remove_folder);
}
