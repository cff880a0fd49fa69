// SPDX-License-Identifier: MIT
//
// Expressions of columns: their values, units, and what is wrong with them.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "plot/derived.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static Arena *arena;
static Table *table;

static int open_table(void **state)
{
    (void)state;
    static const char text[] = "time,x,y,a.b[1],der(x),'p-q',mode\n"
                               "0,3,4,2,-1,10,one\n"
                               "1,-5,12,3,0.5,20,two\n";
    char *message = NULL;
    arena = arena_create(NULL);
    table = table_parse(text, strlen(text), "run.csv", &message);
    if (table)
        table->columns[1].heading.unit = table->columns[2].heading.unit = "m";
    return arena && table ? 0 : -1;
}

static int close_table(void **state)
{
    (void)state;
    table_destroy(table);
    arena_destroy(arena);
    return 0;
}

// The table with the columns of the panels; NULL: the message says why.
static const Table *derive(const char *const *panels, size_t count, char **message)
{
    const Table *tables[] = {table};
    const char *names[] = {"run"};
    PlotRequest request = {
        .tables = tables, .names = names, .table_count = 1, .panels = panels, .panel_count = count};
    return derived_columns(arena, &request, message) ? request.tables[0] : NULL;
}

static void expect(const char *text, double first, double second, const char *unit)
{
    char *message = NULL;
    const Table *wider = derive(&text, 1, &message);
    assert_null(message);
    assert_non_null(wider);
    const TableColumn *column = table_column(wider, text);
    assert_non_null(column);
    assert_true(fabs(column->values[0] - first) <= 1e-14 * fabs(first));
    assert_true(fabs(column->values[1] - second) <= 1e-14 * fabs(second));
    if (unit)
        assert_string_equal(column->heading.unit, unit);
    else
        assert_null(column->heading.unit);
}

static void values(void **state)
{
    (void)state;
    expect("x-y", -1.0, -17.0, "m");
    expect("sqrt(x^2 + y^2)", 5.0, 13.0, NULL);
    expect("2*x", 6.0, -10.0, "m");
    expect("x/2+1", 2.5, -1.5, "m");
    expect("-x^2", -9.0, -25.0, NULL);
    expect("x-y-y", -5.0, -29.0, "m");
    expect("12/y/x", 1.0, -0.2, NULL);
    expect("a.b[1]*time", 0.0, 3.0, NULL);
    expect("abs(x)", 3.0, 5.0, "m");
    expect("max(x, y)-(1)", 3.0, 11.0, NULL);
    expect("abs(der(x))", 1.0, 0.5, NULL);
    expect("'p-q'+1.5e0", 11.5, 21.5, NULL);
    expect("2^-x", 0.125, 32.0, NULL);
}

// Names and patterns that match are none.
static void no_expressions(void **state)
{
    (void)state;
    const char *panels[] = {"x", "*", "x,y", "'p-q'", "der(x)", "y:x", "z"};
    char *message = NULL;
    const Table *wider = derive(panels, 7, &message);
    assert_non_null(wider);
    assert_int_equal(wider->column_count, table->column_count);
}

static void portraits(void **state)
{
    (void)state;
    const char *panel = "x+y:max(x,y),x";
    char *message = NULL;
    const Table *wider = derive(&panel, 1, &message);
    assert_non_null(wider);
    assert_int_equal(wider->column_count, table->column_count + 2);
    assert_true(table_column(wider, "x+y")->values[1] == 7.0);
    assert_true(table_column(wider, "max(x,y)")->values[1] == 12.0);
}

static void mistakes(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"x+z", "run has no variable 'z' in 'x+z'"},
        {"x+mode", "no variable 'mode'"}, // words
        {"x-", "missing at the end"},
        {"x+*y", "missing before '*y'"},
        {"(x+y", "')' is missing behind '(x+y'"},
        {"sin(x", "')' is missing"},
        {"foo(x)", "no function 'foo'"},
        {"sin(x, y)", "no function 'sin'"},
        {"max(x, y, y)", "no function 'max'"},
        {"x+y)", "not understood: ')'"},
        {"x+1 2", "not understood: '2'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *message = NULL;
        assert_null(derive(&cases[i][0], 1, &message));
        if (!strstr(message, cases[i][1]))
            fail_msg("'%s': %s", cases[i][0], message);
        free(message);
    }
    // However deep.
    char deep[1002], *message = NULL;
    memset(deep, '(', sizeof deep);
    deep[1000] = 'x';
    deep[1001] = '\0';
    const char *panel = deep;
    assert_null(derive(&panel, 1, &message));
    free(message);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values),
        cmocka_unit_test(no_expressions),
        cmocka_unit_test(portraits),
        cmocka_unit_test(mistakes),
    };
    return cmocka_run_group_tests(tests, open_table, close_table);
}
