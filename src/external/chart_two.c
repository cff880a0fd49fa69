// SPDX-License-Identifier: MIT
//
// Tables of two variables: see chart.h. The first column is u1, the first row u2; the element at
// both is not used. Cubic pieces are those of Akima (1974): in each rectangle the polynomial of
// degree three in either variable that has the values, slopes and twists of its corners.

#include "external/chart.h"

#include <math.h>
#include <stdlib.h>

static double chart_u1(const Chart *t, uint32_t i)
{
    return t->values[(size_t)(i + 1) * t->columns];
}
static double chart_z(const Chart *t, uint32_t i, uint32_t j)
{
    return t->values[(size_t)(i + 1) * t->columns + j + 1];
}

// ---------------------------------------------------------------------------
// Preparation
// ---------------------------------------------------------------------------

// By u1 at the point `at` of u2, or by u2 at that of u1.
static ChartSecants chart_along(const Chart *t, bool is_second, uint32_t at)
{
    const size_t columns = t->columns;
    return is_second ? (ChartSecants){.x = t->values + 1,
                                      .y = t->values + (at + 1) * columns + 1,
                                      .x_stride = 1,
                                      .y_stride = 1,
                                      .count = t->columns - 1}
                     : (ChartSecants){.x = t->values + columns,
                                      .y = t->values + columns + at + 1,
                                      .x_stride = columns,
                                      .y_stride = columns,
                                      .count = t->rows - 1};
}

// The weights of the secants before and after point i; equal ones where both would be zero.
static void chart_weights(const ChartSecants *s, int64_t i, double w[2])
{
    w[0] = fabs(chart_secant(s, i + 1) - chart_secant(s, i));
    w[1] = fabs(chart_secant(s, i - 1) - chart_secant(s, i - 2));
    const double sum = w[0] + w[1];
    w[0] = sum == 0.0 ? 0.5 : w[0] / sum;
    w[1] = sum == 0.0 ? 0.5 : w[1] / sum;
}

// The secant i by u1 of the secants k by u2, each continued beyond the ends.
static double chart_mixed(const Chart *t, int64_t i, int64_t k)
{
    const int64_t last = (int64_t)t->rows - 3;
    if (last < 0)
        return 0.0;
    if (i < 0)
        return last == 0
                   ? chart_mixed(t, 0, k)
                   : (double)(1 - i) * chart_mixed(t, 0, k) + (double)i * chart_mixed(t, 1, k);
    if (i > last)
        return last == 0 ? chart_mixed(t, 0, k)
                         : (double)(1 + i - last) * chart_mixed(t, last, k) -
                               (double)(i - last) * chart_mixed(t, last - 1, k);
    const uint32_t row = (uint32_t)i;
    const ChartSecants a = chart_along(t, true, row), b = chart_along(t, true, row + 1);
    return (chart_secant(&b, k) - chart_secant(&a, k)) / (chart_u1(t, row + 1) - chart_u1(t, row));
}

// Slopes by u1, by u2, and the twist at point i, j: means by the weights of both directions.
static void chart_corner(const Chart *t, uint32_t i, uint32_t j, double slopes[3])
{
    const ChartSecants along1 = chart_along(t, false, j), along2 = chart_along(t, true, i);
    double w1[2], w2[2];
    chart_weights(&along1, i, w1);
    chart_weights(&along2, j, w2);
    slopes[0] = w1[0] * chart_secant(&along1, (int64_t)i - 1) + w1[1] * chart_secant(&along1, i);
    slopes[1] = w2[0] * chart_secant(&along2, (int64_t)j - 1) + w2[1] * chart_secant(&along2, j);
    slopes[2] = 0.0;
    for (int a = 0; a < 2; a++)
        for (int b = 0; b < 2; b++)
            slopes[2] += w1[a] * w2[b] * chart_mixed(t, (int64_t)i - 1 + a, (int64_t)j - 1 + b);
}

static bool chart_increases(ExternalCall *call, const Chart *t, bool is_second)
{
    const ChartSecants s = chart_along(t, is_second, 0);
    for (uint32_t k = 1; k < s.count; k++) {
        const double before = s.x[(k - 1) * s.x_stride], x = s.x[k * s.x_stride];
        if (!(x > before))
            return external_fail(call, "the first %s of %s must increase, but %.15g follows %.15g",
                                 is_second ? "row" : "column", t->name, x, before);
    }
    return true;
}

bool chart_prepare_two(ExternalCall *call, Chart *t)
{
    if (t->rows < 2 || t->columns < 2)
        return external_fail(call, "%s has %u rows and %u columns: it needs at least 2 and 2",
                             t->name, t->rows, t->columns);
    for (size_t i = 1; i < (size_t)t->rows * t->columns; i++)
        if (!isfinite(t->values[i]))
            return external_fail(call, "%s has a value that is not a number, in row %zu", t->name,
                                 i / t->columns + 1);
    if (!chart_increases(call, t, false) || !chart_increases(call, t, true))
        return false;
    if (t->smoothness > CHART_CONSTANT)
        return external_fail(call,
                             "%s has two variables: its smoothness can be LinearSegments, "
                             "ContinuousDerivative or ConstantSegments",
                             t->name);
    if (t->smoothness != CHART_AKIMA)
        return true;
    const uint32_t n1 = t->rows - 1, n2 = t->columns - 1;
    t->slopes = malloc(3 * (size_t)n1 * n2 * sizeof *t->slopes);
    if (!t->slopes)
        return external_fail(call, "there is no memory left");
    for (uint32_t i = 0; i < n1; i++)
        for (uint32_t j = 0; j < n2; j++)
            chart_corner(t, i, j, t->slopes + 3 * ((size_t)i * n2 + j));
    return true;
}

// ---------------------------------------------------------------------------
// Values
// ---------------------------------------------------------------------------

// Where a coordinate is: between points `at` and `at` + 1 (or on the only one), at v of the width h
// from the first; beyond the ends `beyond` is the distance from the nearest point, and v is there.
typedef struct ChartSpan {
    uint32_t at, next;
    double v, h, beyond;
} ChartSpan;

static bool chart_find_span(ExternalCall *call, const Chart *t, bool is_second, double u,
                            ChartSpan *s)
{
    const ChartSecants along = chart_along(t, is_second, 0);
    const double *x = along.x;
    const size_t stride = along.x_stride;
    const uint32_t last = along.count - 1;
    const double low = x[0], high = x[last * stride];
    *s = (ChartSpan){0};
    if (isnan(u))
        return external_fail(call, "%s is asked for what is not a number", t->name);
    if (last == 0)
        return true; // constant in this direction
    if (t->extrapolation == CHART_PERIODIC && (u < low || u > high))
        u -= floor((u - low) / (high - low)) * (high - low);
    if (t->extrapolation == CHART_NONE && (u < low || u > high))
        return external_fail(call, "%s is defined for u%d from %.15g to %.15g, not for %.15g",
                             t->name, is_second ? 2 : 1, low, high, u);
    s->beyond = u < low ? u - low : u > high ? u - high : 0.0;
    u -= s->beyond;
    uint32_t end = last;
    while (end - s->at > 1) {
        const uint32_t middle = s->at + (end - s->at) / 2;
        if (x[middle * stride] <= u)
            s->at = middle;
        else
            end = middle;
    }
    s->next = s->at + 1;
    s->v = u >= high ? high - x[s->at * stride] : u - x[s->at * stride];
    s->h = x[s->next * stride] - x[s->at * stride];
    return true;
}

// The basis of values and slopes of a cubic at both ends, and its derivatives.
static void chart_basis(const ChartSpan *s, double b[3][4])
{
    const double h = s->h, q = h > 0.0 ? s->v / h : 0.0, g = h > 0.0 ? h : 1.0;
    const double rows[3][4] = {
        {1.0 + q * q * (2.0 * q - 3.0), q * (1.0 - q) * (1.0 - q) * h, q * q * (3.0 - 2.0 * q),
         q * q * (q - 1.0) * h},
        {6.0 * q * (q - 1.0) / g, 1.0 + q * (3.0 * q - 4.0), 6.0 * q * (1.0 - q) / g,
         q * (3.0 * q - 2.0)},
        {(12.0 * q - 6.0) / (g * g), (6.0 * q - 4.0) / g, (6.0 - 12.0 * q) / (g * g),
         (6.0 * q - 2.0) / g},
    };
    memcpy(b, rows, sizeof rows);
    if (!(h > 0.0)) // there is one point only
        memset(&b[1], 0, 2 * sizeof b[1]);
}

static void chart_cubic(const Chart *t, const ChartSpan *a, const ChartSpan *b, ChartPoint *p)
{
    double f[3][4], g[3][4], sums[3][3] = {{0.0}};
    const uint32_t n2 = t->columns - 1;
    chart_basis(a, f);
    chart_basis(b, g);
    for (int i = 0; i < 4; i++) // value and slope before, value and slope after
        for (int j = 0; j < 4; j++) {
            const uint32_t row = i < 2 ? a->at : a->next, column = j < 2 ? b->at : b->next;
            const double *slopes = t->slopes + 3 * ((size_t)row * n2 + column);
            const double corner = i % 2 == 0 ? (j % 2 == 0 ? chart_z(t, row, column) : slopes[1])
                                             : (j % 2 == 0 ? slopes[0] : slopes[2]);
            for (int k = 0; k < 3; k++)
                for (int l = 0; l < 3; l++)
                    sums[k][l] += f[k][i] * g[l][j] * corner;
        }
    *p = (ChartPoint){sums[0][0], sums[1][0], sums[0][1], sums[2][0],
                      sums[1][1], sums[0][2], sums[2][1], sums[1][2]};
}

static void chart_bilinear(const Chart *t, const ChartSpan *a, const ChartSpan *b, ChartPoint *p)
{
    const double z00 = chart_z(t, a->at, b->at), z01 = chart_z(t, a->at, b->next);
    const double z10 = chart_z(t, a->next, b->at), z11 = chart_z(t, a->next, b->next);
    const double h1 = a->h > 0.0 ? a->h : 1.0, h2 = b->h > 0.0 ? b->h : 1.0;
    const double d1 = (z10 - z00) / h1, d2 = (z01 - z00) / h2;
    const double d12 = ((z11 - z01) - (z10 - z00)) / (h1 * h2);
    *p = (ChartPoint){.y = z00 + d1 * a->v + d2 * b->v + d12 * a->v * b->v,
                      .y1 = d1 + d12 * b->v,
                      .y2 = d2 + d12 * a->v,
                      .y12 = d12};
}

bool chart_surface(ExternalCall *call, const Chart *t, double u1, double u2, ChartPoint *p)
{
    ChartSpan a, b;
    if (!chart_find_span(call, t, false, u1, &a) || !chart_find_span(call, t, true, u2, &b))
        return false;
    const bool continues = t->extrapolation == CHART_LAST_TWO;
    if (t->smoothness == CHART_CONSTANT) {
        const uint32_t i = a.h > 0.0 && a.v >= a.h ? a.next : a.at;
        const uint32_t j = b.h > 0.0 && b.v >= b.h ? b.next : b.at;
        if (!(continues && (a.beyond != 0.0 || b.beyond != 0.0))) {
            *p = (ChartPoint){.y = chart_z(t, i, j)};
            return true;
        }
    }
    if (t->smoothness == CHART_AKIMA)
        chart_cubic(t, &a, &b, p);
    else
        chart_bilinear(t, &a, &b, p);
    if (a.beyond == 0.0 && b.beyond == 0.0)
        return true;
    // Beyond the ends it is linear in the direction that leads there, or held.
    const ChartPoint q = *p;
    const double x = continues ? a.beyond : 0.0, y = continues ? b.beyond : 0.0;
    const bool holds1 = !continues && a.beyond != 0.0, holds2 = !continues && b.beyond != 0.0;
    p->y = q.y + q.y1 * x + q.y2 * y + q.y12 * x * y;
    p->y1 = holds1 ? 0.0 : q.y1 + q.y12 * y;
    p->y2 = holds2 ? 0.0 : q.y2 + q.y12 * x;
    p->y12 = holds1 || holds2 ? 0.0 : q.y12;
    p->y11 = a.beyond != 0.0 ? 0.0 : q.y11 + q.y112 * y;
    p->y22 = b.beyond != 0.0 ? 0.0 : q.y22 + q.y122 * x;
    return true;
}
