// SPDX-License-Identifier: MIT
//
// Tables of time and of one variable: see chart.h.

#include "external/chart.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

void chart_free(Chart *table)
{
    if (!table)
        return;
    free(table->name);
    free(table->values);
    free(table->selected);
    free(table->slopes);
    free(table->instants);
    free(table);
}

bool chart_equal(const Chart *a, const Chart *b)
{
    return a->kind == b->kind && a->smoothness == b->smoothness &&
           a->extrapolation == b->extrapolation && a->events == b->events && a->start == b->start &&
           a->shift == b->shift && a->rows == b->rows && a->columns == b->columns &&
           a->selected_count == b->selected_count && strcmp(a->name, b->name) == 0 &&
           memcmp(a->values, b->values, (size_t)a->rows * a->columns * sizeof(double)) == 0 &&
           (!a->selected_count ||
            memcmp(a->selected, b->selected, a->selected_count * sizeof *a->selected) == 0);
}

static double chart_x(const Chart *t, uint32_t row)
{
    return t->values[(size_t)row * t->columns];
}

static double chart_y(const Chart *t, uint32_t row, uint32_t column)
{
    return t->values[(size_t)row * t->columns + t->selected[column]];
}

// ---------------------------------------------------------------------------
// Slopes
// ---------------------------------------------------------------------------

double chart_secant(const ChartSecants *s, int64_t i)
{
    const int64_t last = (int64_t)s->count - 2;
    if (last < 0)
        return 0.0;
    if (i < 0)
        return last == 0 ? chart_secant(s, 0)
                         : (double)(1 - i) * chart_secant(s, 0) + (double)i * chart_secant(s, 1);
    if (i > last)
        return last == 0 ? chart_secant(s, 0)
                         : (double)(1 + i - last) * chart_secant(s, last) -
                               (double)(i - last) * chart_secant(s, last - 1);
    const size_t k = (size_t)i;
    return (s->y[(k + 1) * s->y_stride] - s->y[k * s->y_stride]) /
           (s->x[(k + 1) * s->x_stride] - s->x[k * s->x_stride]);
}

static double chart_width(const ChartSecants *s, uint32_t i)
{
    return s->x[(i + 1) * s->x_stride] - s->x[i * s->x_stride];
}

// A mean of the secants beside point i, each weighted by how little those of the other side differ.
static double chart_akima(const ChartSecants *s, int64_t i, bool is_modified)
{
    const double a = chart_secant(s, i - 2), b = chart_secant(s, i - 1), c = chart_secant(s, i),
                 d = chart_secant(s, i + 1);
    double left = fabs(d - c), right = fabs(b - a);
    if (is_modified) {
        left += fabs(d + c) / 2.0;
        right += fabs(b + a) / 2.0;
    }
    if (left + right == 0.0)
        return is_modified ? 0.0 : (b + c) / 2.0;
    return (left * b + right * c) / (left + right);
}

// The slope of the parabola through the three points at an end, unless it would overshoot.
static double chart_end(double h0, double h1, double d0, double d1)
{
    const double slope = ((2.0 * h0 + h1) * d0 - h0 * d1) / (h0 + h1);
    if (slope * d0 <= 0.0)
        return 0.0;
    return fabs(slope) > 3.0 * fabs(d0) ? 3.0 * d0 : slope; // d1 has another sign then
}

// The same, with Steffen's bound.
static double chart_steffen_end(double h0, double h1, double d0, double d1)
{
    const double slope = d0 * (1.0 + h0 / (h0 + h1)) - d1 * h0 / (h0 + h1);
    if (slope * d0 <= 0.0)
        return 0.0;
    return fabs(slope) > 2.0 * fabs(d0) ? 2.0 * d0 : slope;
}

static double chart_monotone(const ChartSecants *s, uint32_t i, bool is_steffen)
{
    const uint32_t last = s->count - 1;
    double (*const end)(double, double, double, double) =
        is_steffen ? chart_steffen_end : chart_end;
    if (last == 1)
        return chart_secant(s, 0);
    if (i == 0)
        return end(chart_width(s, 0), chart_width(s, 1), chart_secant(s, 0), chart_secant(s, 1));
    if (i == last)
        return end(chart_width(s, last - 1), chart_width(s, last - 2), chart_secant(s, last - 1),
                   chart_secant(s, last - 2));
    const double h0 = chart_width(s, i - 1), h1 = chart_width(s, i);
    const double d0 = chart_secant(s, i - 1), d1 = chart_secant(s, i);
    if (d0 * d1 <= 0.0)
        return 0.0;
    if (!is_steffen) // a weighted harmonic mean
        return 3.0 * (h0 + h1) / ((2.0 * h1 + h0) / d0 + (h1 + 2.0 * h0) / d1);
    const double p = (d0 * h1 + d1 * h0) / (h0 + h1);
    return copysign(2.0, d0) * fmin(fmin(fabs(d0), fabs(d1)), 0.5 * fabs(p));
}

void chart_slopes(ChartSmoothness smoothness, uint32_t count, const double *x, size_t x_stride,
                  const double *y, size_t y_stride, double *slopes, size_t slope_stride)
{
    const ChartSecants s = {x, y, x_stride, y_stride, count};
    for (uint32_t i = 0; i < count; i++) {
        double *slope = &slopes[i * slope_stride];
        if (count < 2)
            *slope = 0.0;
        else if (smoothness == CHART_AKIMA || smoothness == CHART_MAKIMA)
            *slope = chart_akima(&s, i, smoothness == CHART_MAKIMA);
        else
            *slope = chart_monotone(&s, i, smoothness == CHART_STEFFEN);
    }
}

// ---------------------------------------------------------------------------
// Preparation
// ---------------------------------------------------------------------------

static bool chart_is_cubic(const Chart *t)
{
    return t->smoothness != CHART_LINEAR && t->smoothness != CHART_CONSTANT;
}

static bool chart_check(ExternalCall *call, const Chart *t)
{
    if (t->rows < 1 || t->columns < 2)
        return external_fail(call, "%s has %u rows and %u columns: it needs at least 1 and 2",
                             t->name, t->rows, t->columns);
    for (size_t i = 0; i < (size_t)t->rows * t->columns; i++)
        if (!isfinite(t->values[i]))
            return external_fail(call, "%s has a value that is not a number, in row %zu", t->name,
                                 i / t->columns + 1);
    for (uint32_t i = 0; i < t->selected_count; i++)
        if (t->selected[i] >= t->columns)
            return external_fail(call, "%s has no column %u", t->name, t->selected[i] + 1);
    const bool may_repeat = t->kind == CHART_TIME && !chart_is_cubic(t);
    for (uint32_t i = 1; i < t->rows; i++)
        if (!(chart_x(t, i) > chart_x(t, i - 1)) &&
            !(may_repeat && chart_x(t, i) == chart_x(t, i - 1)))
            return external_fail(call,
                                 "the first column of %s must increase, but row %u is %.15g after "
                                 "%.15g",
                                 t->name, i + 1, chart_x(t, i), chart_x(t, i - 1));
    return true;
}

static bool chart_jumps(const Chart *t, uint32_t first, uint32_t last)
{
    for (uint32_t c = 0; c < t->selected_count; c++)
        if (chart_y(t, first, c) != chart_y(t, last, c))
            return true;
    return false;
}

static bool chart_has_event(const Chart *t, uint32_t left, uint32_t right)
{
    if (t->events == CHART_EVENTS_ALWAYS)
        return true;
    if (t->extrapolation == CHART_PERIODIC && (left == 0 || right + 1 == t->rows))
        return true;
    if (t->smoothness == CHART_CONSTANT)
        return left > 0 && chart_jumps(t, left - 1, right);
    return chart_jumps(t, left, right);
}

static bool chart_find_events(ExternalCall *call, Chart *t)
{
    if (t->events == CHART_EVENTS_NEVER)
        return true;
    t->instants = malloc(t->rows * sizeof *t->instants);
    if (!t->instants)
        return external_fail(call, "there is no memory left");
    for (uint32_t left = 0, right; left < t->rows; left = right + 1) {
        right = left;
        while (right + 1 < t->rows && chart_x(t, right + 1) == chart_x(t, left))
            right++;
        if (chart_has_event(t, left, right)) {
            const uint32_t k = t->instant_count++;
            t->instants[k].at = chart_x(t, left);
            t->instants[k].left = left;
            t->instants[k].right = right;
        }
    }
    return true;
}

bool chart_prepare(ExternalCall *call, Chart *t)
{
    if (!chart_check(call, t))
        return false;
    if (t->rows <= 2 && chart_is_cubic(t)) // a line
        t->smoothness = CHART_LINEAR;
    if (t->kind == CHART_TIME && !chart_find_events(call, t))
        return false;
    if (!chart_is_cubic(t))
        return true;
    t->slopes = malloc(((size_t)t->rows * t->selected_count + 1) * sizeof *t->slopes);
    if (!t->slopes)
        return external_fail(call, "there is no memory left");
    for (uint32_t c = 0; c < t->selected_count; c++)
        chart_slopes(t->smoothness, t->rows, t->values, t->columns, t->values + t->selected[c],
                     t->columns, t->slopes + (size_t)c * t->rows, 1);
    return true;
}

// ---------------------------------------------------------------------------
// Values
// ---------------------------------------------------------------------------

// The last of the rows [low, high) with an abscissa not above x, or the first of them.
static uint32_t chart_row(const Chart *t, double x, uint32_t low, uint32_t high)
{
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (chart_x(t, middle) <= x)
            low = middle;
        else
            high = middle;
    }
    return low;
}

// The polynomial of the rows i and i + 1.
static void chart_piece(const Chart *t, uint32_t c, uint32_t i, double x, double y[3])
{
    const double h = chart_x(t, i + 1) - chart_x(t, i), v = x - chart_x(t, i);
    const double y0 = chart_y(t, i, c), d = h > 0.0 ? (chart_y(t, i + 1, c) - y0) / h : 0.0;
    y[0] = y0;
    y[1] = y[2] = 0.0;
    if (t->smoothness == CHART_CONSTANT)
        return;
    if (t->smoothness == CHART_LINEAR) {
        y[0] = y0 + d * v;
        y[1] = d;
        return;
    }
    const double *slopes = t->slopes + (size_t)c * t->rows;
    const double s0 = slopes[i], s1 = slopes[i + 1];
    const double c2 = (3.0 * d - 2.0 * s0 - s1) / h, c3 = (s0 + s1 - 2.0 * d) / (h * h);
    y[0] = y0 + v * (s0 + v * (c2 + v * c3));
    y[1] = s0 + v * (2.0 * c2 + 3.0 * v * c3);
    y[2] = 2.0 * c2 + 6.0 * v * c3;
}

// Beyond the first or the last row.
static bool chart_beyond(ExternalCall *call, const Chart *t, uint32_t c, double x, bool is_right,
                         double y[3])
{
    const uint32_t end = is_right ? t->rows - 1 : 0;
    const double distance = x - chart_x(t, end);
    if (t->extrapolation == CHART_NONE && t->rows > 1 && distance != 0.0)
        return external_fail(call, "%s is defined from %.15g to %.15g, but is asked for %.15g",
                             t->name, chart_x(t, 0), chart_x(t, t->rows - 1), x);
    double slope = 0.0;
    if (t->extrapolation == CHART_LAST_TWO && t->rows > 1) {
        const uint32_t i = is_right ? end - 1 : 0;
        const double h = chart_x(t, i + 1) - chart_x(t, i);
        slope = chart_is_cubic(t) ? t->slopes[(size_t)c * t->rows + end]
                : h > 0.0         ? (chart_y(t, i + 1, c) - chart_y(t, i, c)) / h
                                  : 0.0;
    }
    y[0] = chart_y(t, end, c) + slope * distance;
    y[1] = slope;
    y[2] = 0.0;
    return true;
}

static bool chart_column(ExternalCall *call, const Chart *t, uint32_t column)
{
    return column < t->selected_count ||
           external_fail(call, "%s has %u columns, but is asked for number %u", t->name,
                         t->selected_count, column + 1);
}

// x in the first period, [first, last); *cycle: how many periods were taken off.
static double chart_fold(const Chart *t, double x, double *cycle)
{
    const double first = chart_x(t, 0), period = chart_x(t, t->rows - 1) - first;
    *cycle = period > 0.0 ? floor((x - first) / period) : 0.0;
    return x - *cycle * period;
}

bool chart_value(ExternalCall *call, const Chart *t, uint32_t column, double u, double y[3])
{
    const uint32_t last = t->rows - 1;
    if (!chart_column(call, t, column))
        return false;
    if (isnan(u))
        return external_fail(call, "%s is asked for what is not a number", t->name);
    if (last == 0)
        return chart_beyond(call, t, column, u, false, y);
    double x = u, cycle;
    if (t->extrapolation == CHART_PERIODIC && (u < chart_x(t, 0) || u > chart_x(t, last)))
        x = chart_fold(t, u, &cycle);
    if (x < chart_x(t, 0) || x > chart_x(t, last) ||
        (x == chart_x(t, last) && t->smoothness == CHART_CONSTANT))
        return chart_beyond(call, t, column, x, x >= chart_x(t, last), y);
    chart_piece(t, column, chart_row(t, x, 0, last), x, y);
    return true;
}

// ---------------------------------------------------------------------------
// Time
// ---------------------------------------------------------------------------

// The event that is nearest to x.
static uint32_t chart_nearest(const Chart *t, double x)
{
    uint32_t k = 0;
    while (k + 1 < t->instant_count &&
           fabs(t->instants[k + 1].at - x) <= fabs(t->instants[k].at - x))
        k++;
    return k;
}

// Without events: as a function of one variable that is continuous from the right.
static bool chart_plain(ExternalCall *call, const Chart *t, uint32_t column, double x, double y[3])
{
    const uint32_t last = t->rows - 1;
    double cycle;
    if (t->extrapolation == CHART_PERIODIC)
        x = chart_fold(t, x, &cycle);
    if (last == 0 || x < chart_x(t, 0) || x >= chart_x(t, last))
        return chart_beyond(call, t, column, x, x >= chart_x(t, last), y);
    chart_piece(t, column, chart_row(t, x, 0, last), x, y);
    return true;
}

// Between two events, the rows [low, high].
static bool chart_between(ExternalCall *call, const Chart *t, uint32_t column, double x,
                          uint32_t low, uint32_t high, double y[3])
{
    if (high == 0 || (low == 0 && x < chart_x(t, 0)))
        return chart_beyond(call, t, column, x, false, y);
    if (low + 1 >= t->rows || (high + 1 == t->rows && low == high))
        return chart_beyond(call, t, column, x, true, y);
    chart_piece(t, column, chart_row(t, x, low, high), x, y);
    return true;
}

bool chart_value_at(ExternalCall *call, const Chart *t, uint32_t column, double time, double next,
                    double y[3])
{
    if (!chart_column(call, t, column))
        return false;
    y[0] = y[1] = y[2] = 0.0;
    if (isnan(time))
        return external_fail(call, "%s is asked for what is not a number", t->name);
    if (time < t->start || (time == t->start && next == t->start))
        return true;
    double x = time - t->shift;
    if (t->instant_count == 0 || t->rows < 2)
        return chart_plain(call, t, column, x, y);
    const double last = t->instants[t->instant_count - 1].at;
    const uint32_t right = t->instants[t->instant_count - 1].right;
    if (!(next < DBL_MAX)) { // all are over
        if (t->extrapolation == CHART_PERIODIC || x < last - 1e-6 * fabs(last))
            return chart_plain(call, t, column, x, y);
        x = fmax(x, last);
        if (right + 1 == t->rows || x >= chart_x(t, t->rows - 1))
            return chart_beyond(call, t, column, x, true, y);
        return chart_between(call, t, column, x, right, t->rows - 1, y);
    }
    const double period = chart_x(t, t->rows - 1) - chart_x(t, 0);
    double n = next - t->shift, cycle = 0.0;
    if (t->extrapolation == CHART_PERIODIC)
        n = chart_fold(t, n, &cycle);
    uint32_t k = chart_nearest(t, n);
    if (!(fabs(t->instants[k].at - n) <= 1e-6 * period)) // it is no event of this table
        return chart_plain(call, t, column, x, y);
    if (t->extrapolation == CHART_PERIODIC) {
        if (k == 0) { // the end of the period before
            k = t->instant_count - 1;
            cycle -= 1.0;
        }
        x -= cycle * period;
    }
    return chart_between(call, t, column, x, k ? t->instants[k - 1].right : 0, t->instants[k].left,
                         y);
}

// Whether an event is later than t by more than rounding.
static bool chart_is_later(double event, double t)
{
    return event - t > 8.0 * DBL_EPSILON * fmax(fabs(event), fabs(t));
}

double chart_next_event(const Chart *t, double time)
{
    if (time < t->start)
        return t->start;
    if (t->instant_count == 0 || t->rows < 2)
        return DBL_MAX;
    const bool is_periodic = t->extrapolation == CHART_PERIODIC;
    const double period = chart_x(t, t->rows - 1) - chart_x(t, 0);
    double cycle = 0.0;
    if (is_periodic && period > 0.0)
        chart_fold(t, time - t->shift, &cycle);
    // The last event of a period is the first of the next one.
    const uint32_t count = is_periodic ? t->instant_count - 1 : t->instant_count;
    for (int c = -1; c <= (is_periodic ? 2 : -1); c++)
        for (uint32_t k = 0; k < count; k++) {
            const double at =
                t->instants[k].at + t->shift + (is_periodic ? (cycle + c) * period : 0.0);
            if (chart_is_later(at, time))
                return at;
        }
    return DBL_MAX;
}
