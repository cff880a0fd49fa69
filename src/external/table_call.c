// SPDX-License-Identifier: MIT
//
// ModelicaStandardTables_: tables made and asked by their arguments in C.

#include "external/functions.h"
#include "external/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// ---- constructors -------------------------------------------------------------------------------

static bool table_is_given(const char *text)
{
    while (*text == ' ')
        text++;
    return *text && strcmp(text, "NoName") != 0;
}

static char *table_name(const char *file, const char *name)
{
    const size_t size = strlen(file) + strlen(name) + 40;
    char *text = malloc(size);
    if (text && table_is_given(file))
        snprintf(text, size, "table '%s' of '%s'", name, file);
    else if (text)
        snprintf(text, size, "the table");
    return text;
}

// The values: from a file, if one is given, or argument 2. `options`: of files, where arguments
// "delimiter, header lines" begin, or 0.
static bool table_load(ExternalCall *call, Table *t, uint32_t options)
{
    const char *file = external_text(call, 0), *name = external_text(call, 1);
    const ExternalArgument *given = &call->arguments[2];
    if (table_is_given(file))
        return table_read(call, file, name, options ? external_text(call, options) : ",",
                          options ? (uint32_t)external_number(call, options + 1) : 0, &t->values,
                          &t->rows, &t->columns);
    if (table_is_given(name))
        return external_fail(call, "table '%s' has no file: tables of C code are not supported",
                             name);
    if (given->rank != 2 || given->count == 0)
        return external_fail(call, "the table is empty");
    t->rows = given->dims[0];
    t->columns = given->dims[1];
    t->values = malloc((size_t)given->count * sizeof *t->values);
    if (!t->values)
        return external_fail(call, "there is no memory left");
    memcpy(t->values, given->numbers, (size_t)given->count * sizeof *t->values);
    for (uint32_t i = 0; i < given->count; i++)
        t->values[i] += 0.0; // no negative zeros: equal tables have equal bits
    return true;
}

static bool table_select(ExternalCall *call, Table *t, const ExternalArgument *columns)
{
    t->selected = malloc(((size_t)columns->count + 1) * sizeof *t->selected);
    if (!t->selected)
        return external_fail(call, "there is no memory left");
    t->selected_count = columns->count;
    for (uint32_t i = 0; i < columns->count; i++) {
        if (!(columns->numbers[i] >= 1.0 && columns->numbers[i] <= 1e6))
            return external_fail(call, "%s has no column %.15g", t->name, columns->numbers[i]);
        t->selected[i] = (uint32_t)columns->numbers[i] - 1;
    }
    return true;
}

static bool table_options(ExternalCall *call, Table *t, uint32_t smoothness, uint32_t extrapolation)
{
    const double s = external_number(call, smoothness), e = external_number(call, extrapolation);
    if (!(s >= TABLE_LINEAR && s <= TABLE_MAKIMA) || !(e >= TABLE_HOLD && e <= TABLE_NONE))
        return external_fail(call, "%s has an unknown smoothness or extrapolation", t->name);
    t->smoothness = (TableSmoothness)(int)s;
    t->extrapolation = (TableExtrapolation)(int)e;
    return true;
}

// Where a constructor has its arguments; 0: it does not have it.
typedef struct TableLayout {
    TableKind kind;
    uint32_t columns, smoothness, extrapolation, options;
} TableLayout;

static bool table_fill(ExternalCall *call, Table *t, const TableLayout *at)
{
    t->kind = at->kind;
    t->events = TABLE_EVENTS_NEVER;
    t->name = table_name(external_text(call, 0), external_text(call, 1));
    if (!t->name)
        return external_fail(call, "there is no memory left");
    if (!table_load(call, t, at->options) ||
        !table_options(call, t, at->smoothness, at->extrapolation) ||
        (at->columns && !table_select(call, t, &call->arguments[at->columns])))
        return false;
    if (at->kind == TABLE_TIME) {
        t->start = external_number(call, 5);
        t->shift = external_number(call, 10);
        t->events = (TableEvents)(int)external_number(call, 11);
    }
    return at->kind == TABLE_TWO ? table_prepare_two(call, t) : table_prepare(call, t);
}

static bool table_init(ExternalCall *call, const TableLayout *at)
{
    Table *t = calloc(1, sizeof *t);
    if (!t)
        return external_fail(call, "there is no memory left");
    if (!table_fill(call, t, at)) {
        table_free(t);
        return false;
    }
    const double number = store_intern(call->store, t);
    external_set(call, call->count - 1, number);
    return number > 0.0 || external_fail(call, "there are too many tables");
}

// init3 ends with the delimiter and the header lines, init2 without them.
static uint32_t table_last_options(const ExternalCall *call, uint32_t count_of_init3)
{
    return call->count == count_of_init3 ? count_of_init3 - 3 : 0;
}

bool table_time_init(ExternalCall *call)
{
    const TableLayout at = {TABLE_TIME, 6, 8, 9, table_last_options(call, 16)};
    return table_init(call, &at);
}

bool table_one_init(ExternalCall *call)
{
    const TableLayout at = {TABLE_ONE, 5, 7, 8, table_last_options(call, 13)};
    return table_init(call, &at);
}

bool table_two_init(ExternalCall *call)
{
    const TableLayout at = {TABLE_TWO, 0, 5, 6, table_last_options(call, 11)};
    return table_init(call, &at);
}

bool table_close(ExternalCall *call)
{
    (void)call; // equal tables are one, which ends with the model
    return true;
}

// ---- values -------------------------------------------------------------------------------------

// Argument 0, of the right kind; NULL after a message.
static const Table *table_of(ExternalCall *call, bool is_surface)
{
    const Table *t = store_table(call->store, external_number(call, 0));
    if (t && (t->kind == TABLE_TWO) == is_surface)
        return t;
    external_fail(call, "there is no table yet");
    return NULL;
}

static uint32_t table_column_number(const ExternalCall *call)
{
    const double column = external_number(call, 1);
    return column >= 1.0 && column <= 1e6 ? (uint32_t)column - 1 : UINT32_MAX;
}

static bool table_give(ExternalCall *call, double value)
{
    external_set(call, call->count - 1, value);
    return true;
}

static bool table_time_ask(ExternalCall *call, double y[3])
{
    const Table *t = table_of(call, false);
    return t && table_value_at(call, t, table_column_number(call), external_number(call, 2),
                               external_number(call, 3), y);
}

bool table_time_value(ExternalCall *call)
{
    double y[3];
    return table_time_ask(call, y) && table_give(call, y[0]);
}

bool table_time_derivative(ExternalCall *call)
{
    double y[3];
    return table_time_ask(call, y) && table_give(call, y[1] * external_number(call, 5));
}

bool table_time_second(ExternalCall *call)
{
    double y[3];
    const double d = external_number(call, 5);
    return table_time_ask(call, y) &&
           table_give(call, y[2] * d * d + y[1] * external_number(call, 6));
}

bool table_time_event(ExternalCall *call)
{
    const Table *t = table_of(call, false);
    return t && table_give(call, table_next_event(t, external_number(call, 1)));
}

static bool table_one_ask(ExternalCall *call, double y[3])
{
    const Table *t = table_of(call, false);
    return t && table_value(call, t, table_column_number(call), external_number(call, 2), y);
}

bool table_one_value(ExternalCall *call)
{
    double y[3];
    return table_one_ask(call, y) && table_give(call, y[0]);
}

bool table_one_derivative(ExternalCall *call)
{
    double y[3];
    return table_one_ask(call, y) && table_give(call, y[1] * external_number(call, 3));
}

bool table_one_second(ExternalCall *call)
{
    double y[3];
    const double d = external_number(call, 3);
    return table_one_ask(call, y) &&
           table_give(call, y[2] * d * d + y[1] * external_number(call, 4));
}

static bool table_two_ask(ExternalCall *call, TablePoint *p)
{
    const Table *t = table_of(call, true);
    return t && table_surface(call, t, external_number(call, 1), external_number(call, 2), p);
}

bool table_two_value(ExternalCall *call)
{
    TablePoint p;
    return table_two_ask(call, &p) && table_give(call, p.y);
}

bool table_two_derivative(ExternalCall *call)
{
    TablePoint p;
    return table_two_ask(call, &p) &&
           table_give(call, p.y1 * external_number(call, 3) + p.y2 * external_number(call, 4));
}

bool table_two_second(ExternalCall *call)
{
    TablePoint p;
    const double a = external_number(call, 3), b = external_number(call, 4);
    return table_two_ask(call, &p) &&
           table_give(call, p.y11 * a * a + 2.0 * p.y12 * a * b + p.y22 * b * b +
                                p.y1 * external_number(call, 5) + p.y2 * external_number(call, 6));
}

bool table_minimum(ExternalCall *call)
{
    const Table *t = table_of(call, false);
    return t && table_give(call, t->values[0]);
}

bool table_maximum(ExternalCall *call)
{
    const Table *t = table_of(call, false);
    return t && table_give(call, t->values[(size_t)(t->rows - 1) * t->columns]);
}

static bool table_two_corner(ExternalCall *call, bool is_last)
{
    const Table *t = table_of(call, true);
    if (!t || call->arguments[1].count != 2)
        return t && external_fail(call, "a table of two variables has two of them");
    call->arguments[1].numbers[0] = t->values[(size_t)(is_last ? t->rows - 1 : 1) * t->columns];
    call->arguments[1].numbers[1] = t->values[is_last ? t->columns - 1 : 1];
    return true;
}

bool table_two_minimum(ExternalCall *call)
{
    return table_two_corner(call, false);
}

bool table_two_maximum(ExternalCall *call)
{
    return table_two_corner(call, true);
}
