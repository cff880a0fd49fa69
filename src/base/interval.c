// SPDX-License-Identifier: MIT

#include "base/interval.h"

#include "base/real.h"

#include <float.h>

static const double units_of_library = 8.0, units_of_rounding = 1.0;

static const Interval interval_all = {-INFINITY, INFINITY};

// Between two computed results, widened by units in the last place.
static Interval interval_widen(double low, double high, double units)
{
    if (!(low <= high)) // also NaN
        return interval_all;
    if (low == INFINITY) // an overflow, which need not be one
        low = DBL_MAX;
    if (high == -INFINITY)
        high = -DBL_MAX;
    const double by = units * DBL_EPSILON, least = units * DBL_TRUE_MIN;
    return (Interval){low - by * fabs(low) - least, high + by * fabs(high) + least};
}

// What has no rounding is not widened.
static double interval_units(Operator op)
{
    const unsigned traits = operator_info(op)->traits;
    if (traits & OPERATOR_JUMPS)
        return 0.0;
    if (traits & OPERATOR_COSTLY || op == OPERATOR_COSH)
        return units_of_library;
    return traits & OPERATOR_BOUNDED ? 0.0 : units_of_rounding;
}

static Interval interval_hull(Interval a, Interval b)
{
    return (Interval){fmin(a.low, b.low), fmax(a.high, b.high)};
}

static bool interval_has_zero(Interval x)
{
    return x.low <= 0.0 && x.high >= 0.0;
}

static Interval interval_size(Interval x)
{
    if (interval_has_zero(x))
        return (Interval){0.0, fmax(-x.low, x.high)};
    return x.low > 0.0 ? x : (Interval){-x.high, -x.low};
}

// The ends come from these ends of the operands. A root begins at zero: what rounding makes of it
// below is none of it.
static Interval interval_monotone(Operator op, Interval low, Interval high)
{
    if (op == OPERATOR_SQRT && high.low >= 0.0 && low.low < 0.0)
        low.low = 0.0;
    return interval_widen(operator_apply(op, low.low, low.high, 0.0),
                          operator_apply(op, high.low, high.high, 0.0), interval_units(op));
}

// Between the results at the four corners; NaN: nothing is known.
static Interval interval_corners(Operator op, Interval a, Interval b)
{
    const double x[] = {a.low, a.low, a.high, a.high}, y[] = {b.low, b.high, b.low, b.high};
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < 4; i++) {
        const double value = operator_apply(op, x[i], y[i], 0.0);
        if (isnan(value))
            return interval_all;
        low = fmin(low, value);
        high = fmax(high, value);
    }
    return interval_widen(low, high, interval_units(op));
}

static Interval interval_quotient(Interval a, Interval b)
{
    return interval_has_zero(b) ? interval_all : interval_corners(OPERATOR_DIVIDE, a, b);
}

// ---------------------------------------------------------------------------
// Waves
// ---------------------------------------------------------------------------

// Whether one of the places first + k period may lie inside. How far that is off by rounding is in
// proportion to the ends; what is not certain counts as inside.
static bool interval_meets(Interval x, double first, double period)
{
    const double off = 8.0 * DBL_EPSILON * (fmax(fabs(x.low), fabs(x.high)) + period);
    const double next = first + ceil((x.low - off - first) / period) * period;
    return !(next > x.high + off);
}

// extreme: where it is 1; half a period later it is -1.
static Interval interval_wave(Operator op, Interval a, double extreme)
{
    if (!interval_is_finite(a) || a.high - a.low >= 2.0 * REAL_PI)
        return (Interval){-1.0, 1.0};
    const double from = operator_apply(op, a.low, 0.0, 0.0);
    const double to = operator_apply(op, a.high, 0.0, 0.0);
    Interval y = interval_widen(fmin(from, to), fmax(from, to), units_of_library);
    if (y.high > 1.0 || interval_meets(a, extreme, 2.0 * REAL_PI))
        y.high = 1.0;
    if (y.low < -1.0 || interval_meets(a, extreme + REAL_PI, 2.0 * REAL_PI))
        y.low = -1.0;
    return y;
}

static Interval interval_tangent(Interval a)
{
    if (!interval_is_finite(a) || a.high - a.low >= REAL_PI ||
        interval_meets(a, 0.5 * REAL_PI, REAL_PI))
        return interval_all;
    return interval_monotone(OPERATOR_TAN, interval_of(a.low), interval_of(a.high));
}

// Across the half line to the left the angle jumps; elsewhere, the corners are the extremes.
static Interval interval_angle(Interval y, Interval x, bool *jumps)
{
    if (x.low <= 0.0 && interval_has_zero(y)) {
        *jumps = true;
        return interval_widen(-REAL_PI, REAL_PI, units_of_library);
    }
    return interval_corners(OPERATOR_ATAN2, y, x);
}

// ---------------------------------------------------------------------------
// Powers, remainders
// ---------------------------------------------------------------------------

Interval interval_power(Interval x, int n)
{
    if (n < 0)
        return interval_power(interval_quotient(interval_of(1.0), x), -n);
    if (n % 2 == 0)
        x = interval_size(x);
    // As many multiplications as there may be, each with its rounding.
    return interval_widen(operator_power(x.low, n), operator_power(x.high, n),
                          units_of_rounding * (1.0 + n));
}

static Interval interval_general_power(Interval a, Interval b)
{
    const double n = b.low;
    if (a.low > 0.0 || (a.low >= 0.0 && b.low > 0.0))
        return interval_corners(OPERATOR_POWER, a, b);
    if (b.low != b.high || n != floor(n) || (n < 0.0 && interval_has_zero(a)))
        return interval_all;
    if (fmod(n, 2.0) == 0.0)
        a = interval_size(a);
    const Interval y = {pow(a.low, n), pow(a.high, n)};
    return interval_widen(fmin(y.low, y.high), fmax(y.low, y.high), units_of_library);
}

static Interval interval_round_quotient(Operator op, Interval a, Interval b)
{
    Interval q = interval_quotient(a, b);
    q.low = op == OPERATOR_MOD ? floor(q.low) : trunc(q.low);
    q.high = op == OPERATOR_MOD ? floor(q.high) : trunc(q.high);
    return q;
}

static Interval interval_remainder(Operator op, Interval a, Interval b, bool *jumps)
{
    const Interval q = interval_round_quotient(op, a, b);
    const double most = fmax(fabs(b.low), fabs(b.high));
    if (q.low == q.high) {
        bool ignored = false;
        const Interval whole = interval_apply(OPERATOR_MULTIPLY, q, b, b, &ignored);
        return interval_apply(OPERATOR_SUBTRACT, a, whole, whole, &ignored);
    }
    *jumps = true;
    return interval_widen(-most, most, units_of_library);
}

// ---------------------------------------------------------------------------
// All of them
// ---------------------------------------------------------------------------

static Interval interval_equal(Operator op, Interval a, Interval b)
{
    const double if_equal = op == OPERATOR_EQUAL;
    if (a.high < b.low || b.high < a.low)
        return interval_of(1.0 - if_equal);
    const bool is_one = a.low == a.high && b.low == b.high; // a.low <= b.high, b.low <= a.high
    return is_one ? interval_of(if_equal) : (Interval){0.0, 1.0};
}

static Interval interval_choice(Interval a, Interval b, Interval c, bool *jumps)
{
    if (!interval_has_zero(a))
        return b;
    if (a.low == a.high)
        return c;
    *jumps = true;
    return interval_hull(b, c);
}

static Interval interval_find(Operator op, Interval a, Interval b, Interval c, bool *jumps)
{
    const Interval low = {a.low, b.low}, high = {a.high, b.high};
    switch (operator_info(op)->bounds) {
    case OPERATOR_BOUNDS_NONE:
        break;
    case OPERATOR_BOUNDS_UP:
        return interval_monotone(op, low, high);
    case OPERATOR_BOUNDS_DOWN:
        return interval_monotone(op, high, low);
    case OPERATOR_BOUNDS_UP_DOWN:
        return interval_monotone(op, (Interval){a.low, b.high}, (Interval){a.high, b.low});
    case OPERATOR_BOUNDS_DOWN_UP:
        return interval_monotone(op, (Interval){a.high, b.low}, (Interval){a.low, b.high});
    case OPERATOR_BOUNDS_EVEN:
        a = interval_size(a);
        b = interval_size(b);
        return interval_monotone(op, (Interval){a.low, b.low}, (Interval){a.high, b.high});
    case OPERATOR_BOUNDS_PRODUCT:
        return interval_corners(op, a, b);
    case OPERATOR_BOUNDS_QUOTIENT:
        return interval_quotient(a, b);
    case OPERATOR_BOUNDS_WHOLE_QUOTIENT:
        return interval_round_quotient(op, a, b);
    case OPERATOR_BOUNDS_REMAINDER:
        return interval_remainder(op, a, b, jumps);
    case OPERATOR_BOUNDS_POWER:
        return interval_general_power(a, b);
    case OPERATOR_BOUNDS_SINE:
        return interval_wave(op, a, 0.5 * REAL_PI);
    case OPERATOR_BOUNDS_COSINE:
        return interval_wave(op, a, 0.0);
    case OPERATOR_BOUNDS_TANGENT:
        return interval_tangent(a);
    case OPERATOR_BOUNDS_ANGLE:
        return interval_angle(a, b, jumps);
    case OPERATOR_BOUNDS_EQUAL:
    case OPERATOR_BOUNDS_NOT_EQUAL:
        return interval_equal(op, a, b);
    case OPERATOR_BOUNDS_CHOICE:
        return interval_choice(a, b, c, jumps);
    }
    return interval_all;
}

Interval interval_apply(Operator op, Interval a, Interval b, Interval c, bool *jumps)
{
    const Interval y = interval_find(op, a, b, c, jumps);
    const bool is_one = y.low == y.high;
    *jumps |= !is_one && operator_info(op)->traits & OPERATOR_JUMPS;
    return y;
}
