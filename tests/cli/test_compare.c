// SPDX-License-Identifier: MIT
//
// saltus compare as a user meets it: methods on a model, and two results.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/command.h"
#include "results/table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// x = exp(-t) sin t; an event at each zero of x.
static const char spiral[] = "model Spiral\n"
                             "  parameter Real d = 1;\n"
                             "  Real x(start = 0, fixed = true);\n"
                             "  Real v(start = 1, fixed = true);\n"
                             "  Integer n(start = 0, fixed = true);\n"
                             "equation\n"
                             "  der(x) = v;\n"
                             "  der(v) = -2 * d * v - (1 + d ^ 2) * x;\n"
                             "  when x < 0 then\n"
                             "    n = pre(n) + 1;\n"
                             "  end when;\n"
                             "  annotation(experiment(StopTime = 5));\n"
                             "end Spiral;\n";

static Table *parse(const char *text)
{
    char *message = NULL;
    Table *table = table_parse(text, strlen(text), "table", &message);
    if (!table)
        fail_msg("%s", message_text(message));
    return table;
}

static double number(const Table *table, const char *column, size_t row)
{
    const TableColumn *c = table_column(table, column);
    if (!c)
        fail_msg("no column %s", column);
    return c ? c->values[row] : NAN;
}

// Tighter tolerances come nearer to the reference, whose event is at pi.
static void methods(void **state)
{
    (void)state;
    command_write("spiral.mo", spiral);
    command_expect("compare spiral.mo -q --solver dopri5,rodas --locate brent,bisection "
                   "--relative-tolerance 1e-4,1e-8 --observe 'zero = time_of(x < 0)' -o c.csv "
                   "--events e.csv",
                   0, "");
    Table *table = parse(command_read("c.csv"));
    assert_int_equal(table->row_count, 9);
    for (size_t i = 0; i < 8; i += 2) {
        assert_true(number(table, "end_deviation", i + 1) < number(table, "end_deviation", i));
        assert_true(number(table, "zero_deviation", i + 1) < 1e-6);
        assert_true(number(table, "evaluations", i + 1) > number(table, "evaluations", i));
        assert_true(number(table, "relative_time", i) >= 1.0);
        assert_true(number(table, "same_events", i) == 1.0);
    }
    assert_string_equal(table_word(table_column(table, "solver"), 4), "rodas");
    assert_string_equal(table_word(table_column(table, "locate"), 2), "bisection");
    assert_string_equal(table_word(table_column(table, "status"), 8), "reference");
    table_destroy(table);
    table = parse(command_read("e.csv"));
    assert_int_equal(table->row_count, 1);
    // the reference has a tolerance of 1e-12, and the event is located to rounding
    assert_true(fabs(number(table, "reference", 0) - acos(-1.0)) < 1e-9);
    assert_true(fabs(number(table, "rodas/brent/0.0001", 0) - acos(-1.0)) < 1e-2);
    table_destroy(table);
}

static void text(void **state)
{
    (void)state;
    command_expect("compare spiral.mo -q --solver rk4,cvode -p d=0.5 2>/dev/null", 0,
                   "tolerance  solver  locate  events");
    command_expect("compare spiral.mo -q --solver rk4,cvode -p d=0.5 2>/dev/null", 0,
                   "1e-12  dop853  brent");
}

static void mistakes(void **state)
{
    (void)state;
    static const CommandMistake cases[] = {
        {"spiral.mo --solver dopri6", 2, "'dopri6' is no solver"},
        {"spiral.mo --locate newton", 2, "'newton' is no locator"},
        {"spiral.mo --relative-tolerance 1e-4,x", 2, "'x' is no tolerance"},
        {"spiral.mo --relative-tolerance 0", 2, "'0' is no tolerance"},
        {"spiral.mo --reference best", 2, "--reference is SOLVER:TOLERANCE"},
        {"spiral.mo --repeat 0", 2, "--repeat is a whole number"},
        {"spiral.mo --repeat 1001", 2, "--repeat is a whole number"},
        {"spiral.mo --repeat 1.5", 2, "--repeat is a whole number"},
        {"spiral.mo -p e=1", 2, "there is no parameter 'e'"},
        {"spiral.mo -p d=1,2", 2, "-p needs one value here"},
        {"spiral.mo -o t.txt", 2, "should end in"},
        {"spiral.mo --observe y", 2, "there is no variable 'y'"},
        {"none.mo", 2, "cannot read"},
        {"a.csv none.csv", 2, "cannot read 'none.csv'"},
        {"a.csv broken.csv", 2, "broken.csv"},
        {"a.csv a.csv --variables nothing", 2, "no variable matches"},
        {"a.csv a.csv --tolerance -1", 2, "tolerances are not negative"},
        {"a.csv a.csv -o t.mat", 2, "should end with .csv or .json"},
        {"a.csv a.csv -o nowhere/t.csv", 2, "cannot write 'nowhere/t.csv'"},
        {"a.csv", 2, "'a.csv' is a result: it needs another one"},
    };
    command_write("broken.csv", "time,x\n0\n");
    command_expect_all("compare", cases, sizeof cases / sizeof *cases);
}

static void results(void **state)
{
    (void)state;
    command_expect("simulate spiral.mo -q -o a.csv", 0, "");
    command_expect("simulate spiral.mo -q --solver rodas -o b.mat", 0, "");
    command_expect("simulate spiral.mo -q -p d=1.01 -o c.csv", 0, "");
    command_expect("compare a.csv b.mat", 0, "same\n");
    command_expect("compare a.csv a.csv --tolerance 0 --time-tolerance 0", 0, "same\n");
    command_expect("compare a.csv c.csv", 1, "x: different, largest deviation");
    command_expect("compare a.csv c.csv --tolerance 0.1 --time-tolerance 0.05", 0, "same\n");
    command_expect("compare a.csv c.csv -q --variables n --time-tolerance 0.05", 0, "");
    command_write("d.csv", "time,x,extra\n0,0,1\n5,0,1\n");
    command_expect("compare a.csv d.csv", 1, "extra: only in one of them");
    command_expect("compare a.csv d.csv -o -", 1, "\nextra,missing,nan,nan,nan\n");
    command_expect("compare a.csv c.csv -o verdict.json", 1, "");
    command_expect("compare a.csv a.csv -o same.csv", 0, "");
}

// The column of the active mode has a name of its own, whatever the model calls its variables.
static void variable_called_mode(void **state)
{
    (void)state;
    command_write("mode.mo", "model M Real mode = time, x = 2 * time; end M;");
    command_expect("simulate mode.mo -q -o mode.csv", 0, "");
    command_expect("simulate mode.mo -q -o mode.mat", 0, "");
    assert_int_equal(strncmp(command_read("mode.csv"), "time,mode,x,active mode\n", 24), 0);
    command_expect("compare mode.csv mode.mat", 0, "active mode: same");
}

int main(int argc, char **argv)
{
    (void)argc;
    command_find(argv[0]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(methods),  cmocka_unit_test(text),
        cmocka_unit_test(results),  cmocka_unit_test(variable_called_mode),
        cmocka_unit_test(mistakes),
    };
    return cmocka_run_group_tests(tests, command_make_folder, command_remove_folder);
}
