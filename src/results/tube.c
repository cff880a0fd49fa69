// SPDX-License-Identifier: MIT
//
// Tubes: see tube.h.

#include "results/tube.h"

#include <math.h>
#include <string.h>

// A curve: rows of a table, ascending in time; two with the same time are a jump.
typedef struct Curve {
    const double *t, *values;
    size_t count;
} Curve;

static double tube_interpolate(const Curve *c, size_t i, double t)
{
    const double width = c->t[i + 1] - c->t[i];
    const double part = width > 0.0 ? (t - c->t[i]) / width : 0.0;
    return c->values[i] + part * (c->values[i + 1] - c->values[i]);
}

// The least and the largest value in [from, to]; *next: the first row that is not before `from`,
// which the next call, with a later one, begins from. False: the curve has nothing there.
static bool range_of(const Curve *c, double from, double to, size_t *next, double *low,
                     double *high)
{
    *low = INFINITY;
    *high = -INFINITY;
    while (*next < c->count && c->t[*next] < from)
        ++*next;
    if (*next > 0 && *next < c->count) {
        const double v = tube_interpolate(c, *next - 1, from);
        *low = fmin(*low, v);
        *high = fmax(*high, v);
    }
    size_t i = *next;
    for (; i < c->count && c->t[i] <= to; i++) {
        *low = fmin(*low, c->values[i]);
        *high = fmax(*high, c->values[i]);
    }
    if (i > 0 && i < c->count) {
        const double v = tube_interpolate(c, i - 1, fmax(to, c->t[i - 1]));
        *low = fmin(*low, v);
        *high = fmax(*high, v);
    }
    return *low <= *high;
}

// Values of one curve against the tube of the other.
static void tube_check(const Curve *c, const Curve *around, double time, TubeColumn *column)
{
    size_t next = 0;
    for (size_t i = 0; i < c->count; i++) {
        double low, high;
        if (isnan(c->values[i]))
            continue; // nothing was there: where the other has something, it is looked at then
        const bool is_there = range_of(around, c->t[i] - time, c->t[i] + time, &next, &low, &high);
        const double v = c->values[i];
        const double distance = !is_there  ? INFINITY
                                : v > high ? v - high
                                : v < low  ? low - v
                                           : 0.0;
        if (distance > column->deviation || isnan(column->at)) {
            column->deviation = distance;
            column->at = c->t[i];
        }
    }
}

static double tube_largest(const Curve *c)
{
    double most = 0.0;
    for (size_t i = 0; i < c->count; i++)
        if (isfinite(c->values[i]))
            most = fmax(most, fabs(c->values[i]));
    return most;
}

// Words: in each row, one that the other table has within the width in time.
static void check_words(const Table *a, const TableColumn *x, const Table *b, const TableColumn *y,
                        double time, TubeColumn *column)
{
    size_t first = 0;
    for (size_t i = 0; i < a->row_count; i++) {
        const double t = a->columns[0].values[i];
        bool is_there = false;
        while (first < b->row_count && b->columns[0].values[first] < t - time)
            first++;
        // The last one before holds until then.
        for (size_t k = first > 0 ? first - 1 : 0;
             k < b->row_count && !is_there && (k < first || b->columns[0].values[k] <= t + time);
             k++)
            is_there = strcmp(table_word(x, i), table_word(y, k)) == 0;
        if (!is_there && column->deviation == 0.0) {
            column->deviation = INFINITY;
            column->at = t;
        }
    }
}

TubeColumn tube_compare(const Table *a, const Table *b, size_t index, double relative,
                        double absolute, double time)
{
    const TableColumn *x = &a->columns[index], *y = table_column(b, x->heading.name);
    TubeColumn column = {.name = x->heading.name, .at = NAN};
    if (!y || y->heading.kind != x->heading.kind) {
        column.is_missing = true;
        return column;
    }
    if (x->heading.kind == TABLE_WORDS) {
        check_words(a, x, b, y, time, &column);
        check_words(b, y, a, x, time, &column);
    } else {
        const Curve c = {a->columns[0].values, x->values, a->row_count};
        const Curve d = {b->columns[0].values, y->values, b->row_count};
        column.allowed = absolute + relative * fmax(tube_largest(&c), tube_largest(&d));
        tube_check(&c, &d, time, &column);
        tube_check(&d, &c, time, &column);
    }
    column.is_same = column.deviation <= column.allowed;
    return column;
}
