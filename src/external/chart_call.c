// SPDX-License-Identifier: MIT
//
// ModelicaStandardTables_: tables made and asked by their arguments in C.

#include "external/chart.h"
#include "external/functions.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// ---------------------------------------------------------------------------
// Constructors
// ---------------------------------------------------------------------------

static bool chart_is_given(const char *text)
{
    while (*text == ' ')
        text++;
    return *text && strcmp(text, "NoName") != 0;
}

static char *chart_name(const char *file, const char *name)
{
    const size_t size = strlen(file) + strlen(name) + 40;
    char *text = malloc(size);
    if (text && chart_is_given(file))
        snprintf(text, size, "table '%s' of '%s'", name, file);
    else if (text)
        snprintf(text, size, "the table");
    return text;
}

// The values: from a file, if one is given, or argument 2. `options`: of files, where arguments
// "delimiter, header lines" begin, or 0.
static bool chart_load(ExternalCall *call, Chart *t, uint32_t options)
{
    const char *file = external_text(call, 0), *name = external_text(call, 1);
    const ExternalArgument *given = &call->arguments[2];
    if (chart_is_given(file))
        return chart_read(call, file, name, options ? external_text(call, options) : ",",
                          options ? (uint32_t)external_number(call, options + 1) : 0, &t->values,
                          &t->rows, &t->columns);
    if (chart_is_given(name))
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

static bool chart_select(ExternalCall *call, Chart *t, const ExternalArgument *columns)
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

static bool chart_options(ExternalCall *call, Chart *t, uint32_t smoothness)
{
    const double s = external_number(call, smoothness), e = external_number(call, smoothness + 1);
    if (!(s >= CHART_LINEAR && s <= CHART_MAKIMA) || !(e >= CHART_HOLD && e <= CHART_NONE))
        return external_fail(call, "%s has an unknown smoothness or extrapolation", t->name);
    t->smoothness = (ChartSmoothness)(int)s;
    t->extrapolation = (ChartExtrapolation)(int)e;
    return true;
}

// The constructors differ in where the smoothness stands. Before it are the columns, but not with
// two inputs; init3 ends with the delimiter and the header lines, init2 without them.
static bool chart_fill(ExternalCall *call, Chart *t, ChartKind kind, uint32_t smoothness)
{
    const uint32_t count_of_init3 = smoothness + (kind == CHART_TIME ? 8 : 6);
    t->kind = kind;
    t->events = CHART_EVENTS_NEVER;
    t->name = chart_name(external_text(call, 0), external_text(call, 1));
    if (!t->name)
        return external_fail(call, "there is no memory left");
    if (!chart_load(call, t, call->count == count_of_init3 ? count_of_init3 - 3 : 0) ||
        !chart_options(call, t, smoothness) ||
        (kind != CHART_TWO && !chart_select(call, t, &call->arguments[smoothness - 2])))
        return false;
    if (kind == CHART_TIME) {
        t->start = external_number(call, 5);
        t->shift = external_number(call, 10);
        t->events = (ChartEvents)(int)external_number(call, 11);
    }
    return kind == CHART_TWO ? chart_prepare_two(call, t) : chart_prepare(call, t);
}

static bool chart_init(ExternalCall *call, ChartKind kind, uint32_t smoothness)
{
    Chart *t = calloc(1, sizeof *t);
    if (!t)
        return external_fail(call, "there is no memory left");
    if (!chart_fill(call, t, kind, smoothness)) {
        chart_free(t);
        return false;
    }
    const double number = store_intern(call->store, t);
    external_set(call, call->count - 1, number);
    return number > 0.0 || external_fail(call, "there are too many tables");
}

bool chart_time_init(ExternalCall *call)
{
    return chart_init(call, CHART_TIME, 8);
}

bool chart_one_init(ExternalCall *call)
{
    return chart_init(call, CHART_ONE, 7);
}

bool chart_two_init(ExternalCall *call)
{
    return chart_init(call, CHART_TWO, 5);
}

bool chart_close(ExternalCall *call)
{
    (void)call; // equal tables are one, which ends with the model
    return true;
}

// ---------------------------------------------------------------------------
// Values
// ---------------------------------------------------------------------------

// Argument 0, of the right kind; NULL after a message.
static const Chart *chart_of(ExternalCall *call, bool is_surface)
{
    const Chart *t = store_table(call->store, external_number(call, 0));
    if (t && (t->kind == CHART_TWO) == is_surface)
        return t;
    external_fail(call, "there is no table yet");
    return NULL;
}

static uint32_t chart_column_number(const ExternalCall *call)
{
    const double column = external_number(call, 1);
    return column >= 1.0 && column <= 1e6 ? (uint32_t)column - 1 : UINT32_MAX;
}

static bool chart_give(ExternalCall *call, double value)
{
    external_set(call, call->count - 1, value);
    return true;
}

static bool chart_time_ask(ExternalCall *call, double y[3])
{
    const Chart *t = chart_of(call, false);
    return t && chart_value_at(call, t, chart_column_number(call), external_number(call, 2),
                               external_number(call, 3), y);
}

bool chart_time_value(ExternalCall *call)
{
    double y[3];
    return chart_time_ask(call, y) && chart_give(call, y[0]);
}

// y'(t) dt: what the library calls the derivative, and the tangent of the value
bool chart_time_derivative(ExternalCall *call)
{
    double y[3];
    return chart_time_ask(call, y) && chart_give(call, y[1] * external_number(call, 5));
}

bool chart_time_second(ExternalCall *call)
{
    double y[3];
    const double d = external_number(call, 5);
    return chart_time_ask(call, y) &&
           chart_give(call, y[2] * d * d + y[1] * external_number(call, 6));
}

// The derivative of y'(t) d: y''(t) d dt + y'(t) dd
bool chart_time_forward_2(ExternalCall *call)
{
    double y[3];
    return chart_time_ask(call, y) &&
           chart_give(call, y[2] * external_number(call, 5) * external_number(call, 6) +
                                y[1] * external_number(call, 9));
}

bool chart_time_event(ExternalCall *call)
{
    const Chart *t = chart_of(call, false);
    return t && chart_give(call, chart_next_event(t, external_number(call, 1)));
}

static bool chart_one_ask(ExternalCall *call, double y[3])
{
    const Chart *t = chart_of(call, false);
    return t && chart_value(call, t, chart_column_number(call), external_number(call, 2), y);
}

bool chart_one_value(ExternalCall *call)
{
    double y[3];
    return chart_one_ask(call, y) && chart_give(call, y[0]);
}

bool chart_one_derivative(ExternalCall *call)
{
    double y[3];
    return chart_one_ask(call, y) && chart_give(call, y[1] * external_number(call, 3));
}

bool chart_one_second(ExternalCall *call)
{
    double y[3];
    const double d = external_number(call, 3);
    return chart_one_ask(call, y) &&
           chart_give(call, y[2] * d * d + y[1] * external_number(call, 4));
}

// The derivative of y'(u) d
bool chart_one_forward(ExternalCall *call)
{
    double y[3];
    return chart_one_ask(call, y) &&
           chart_give(call, y[2] * external_number(call, 3) * external_number(call, 4) +
                                y[1] * external_number(call, 5));
}

static bool chart_two_ask(ExternalCall *call, ChartPoint *p)
{
    const Chart *t = chart_of(call, true);
    return t && chart_surface(call, t, external_number(call, 1), external_number(call, 2), p);
}

bool chart_two_value(ExternalCall *call)
{
    ChartPoint p;
    return chart_two_ask(call, &p) && chart_give(call, p.y);
}

bool chart_two_derivative(ExternalCall *call)
{
    ChartPoint p;
    return chart_two_ask(call, &p) &&
           chart_give(call, p.y1 * external_number(call, 3) + p.y2 * external_number(call, 4));
}

bool chart_two_second(ExternalCall *call)
{
    ChartPoint p;
    const double a = external_number(call, 3), b = external_number(call, 4);
    return chart_two_ask(call, &p) &&
           chart_give(call, p.y11 * a * a + 2.0 * p.y12 * a * b + p.y22 * b * b +
                                p.y1 * external_number(call, 5) + p.y2 * external_number(call, 6));
}

// The derivative of y1 d1 + y2 d2
bool chart_two_forward(ExternalCall *call)
{
    ChartPoint p;
    const double d1 = external_number(call, 3), d2 = external_number(call, 4);
    const double a = external_number(call, 5), b = external_number(call, 6);
    return chart_two_ask(call, &p) &&
           chart_give(call, p.y11 * d1 * a + p.y12 * (d1 * b + d2 * a) + p.y22 * d2 * b +
                                p.y1 * external_number(call, 7) + p.y2 * external_number(call, 8));
}

bool chart_minimum(ExternalCall *call)
{
    const Chart *t = chart_of(call, false);
    return t && chart_give(call, t->values[0]);
}

bool chart_maximum(ExternalCall *call)
{
    const Chart *t = chart_of(call, false);
    return t && chart_give(call, t->values[(size_t)(t->rows - 1) * t->columns]);
}

static bool chart_two_corner(ExternalCall *call, bool is_last)
{
    const Chart *t = chart_of(call, true);
    if (!t || call->arguments[1].count != 2)
        return t && external_fail(call, "a table of two variables has two of them");
    call->arguments[1].numbers[0] = t->values[(size_t)(is_last ? t->rows - 1 : 1) * t->columns];
    call->arguments[1].numbers[1] = t->values[is_last ? t->columns - 1 : 1];
    return true;
}

bool chart_two_minimum(ExternalCall *call)
{
    return chart_two_corner(call, false);
}

bool chart_two_maximum(ExternalCall *call)
{
    return chart_two_corner(call, true);
}
