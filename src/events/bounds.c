// SPDX-License-Identifier: MIT

#include "events/bounds.h"

#include "base/real.h"
#include "events/locate.h"
#include <math.h>

// Halvings of the step: a step of 1e9 s to the resolution of time where that is 1e-25 s.
enum { DEEPEST_HALVING = 128 };
// Halvings where bounds are infinite: a pole, or where the function is not defined.
enum { DEEPEST_INFINITE = 12 };
// Bounds so many times as wide as those at one point are rounding.
static const double times_rounding = 4.0;

static SaltusBounds bounds_between(BoundsScan *scan, double from, double to)
{
    SaltusBounds b;
    scan->evaluations++;
    scan->bounds(scan->user, scan->event, from, to, &b);
    return b;
}

// The sign that bounds have; 0: either. From the sign that zero counts as, zero is not beyond it.
static int bounds_sign(const BoundsScan *scan, const SaltusBounds *b)
{
    const bool is_zero_old = scan->at_zero == scan->sign;
    if (b->low > 0.0 || (is_zero_old && scan->sign > 0 && b->low >= 0.0))
        return 1;
    return b->high < 0.0 || (is_zero_old && scan->sign < 0 && b->high <= 0.0) ? -1 : 0;
}

// Also by the value in the middle and the slopes. *width: of the bounds there, the rounding; where
// the function may jump they are wider than that, which says nothing.
static SaltusBounds bounds_narrow(BoundsScan *scan, double from, double to, SaltusBounds b,
                                  double *width)
{
    const double middle = from + 0.5 * (to - from), half = real_larger(to - middle, middle - from);
    const SaltusBounds m = bounds_between(scan, middle, middle);
    const double reach = half * real_larger(fabs(b.slope_low), fabs(b.slope_high));
    *width = m.slope_high - m.slope_low < INFINITY ? m.high - m.low : 0.0;
    if (m.low - reach > b.low)
        b.low = m.low - reach;
    if (m.high + reach < b.high)
        b.high = m.high + reach;
    return b;
}

static bool bounds_have_slope(const SaltusBounds *b)
{
    return b->slope_low > 0.0 || b->slope_high < 0.0;
}

// A crossing whose direction counts; else the sign is another one from b on.
static bool bounds_cross(BoundsScan *scan, double b)
{
    scan->b = b;
    if (scan->direction == SALTUS_BOTH || (int)scan->direction == -scan->sign)
        return true;
    scan->sign = -scan->sign;
    scan->a = b;
    return false;
}

// What is true at the end of an interval in which there is at most one crossing. True: it counts.
static bool bounds_end(BoundsScan *scan, double b)
{
    const SaltusBounds at = bounds_between(scan, b, b);
    const int sign = bounds_sign(scan, &at);
    if (sign == scan->sign)
        scan->a = b;
    return sign == -scan->sign && bounds_cross(scan, b);
}

typedef enum BoundsPart { BOUNDS_DONE, BOUNDS_FOUND, BOUNDS_HALVE, BOUNDS_GIVE_UP } BoundsPart;

// Whether it would take too many evaluations, at the pace so far: a function that is zero
// throughout, say, but the difference of two others as far as bounds can tell.
static bool bounds_are_too_many(const BoundsScan *scan, double from)
{
    const double done = (from - scan->begin) / (scan->end - scan->begin);
    return scan->evaluations >= MOST_BOUNDS ||
           (scan->evaluations >= BOUNDS_TO_JUDGE && done * MOST_BOUNDS < scan->evaluations);
}

// One interval, after `depth` halvings.
static BoundsPart bounds_look(BoundsScan *scan, double from, double to, int depth)
{
    SaltusBounds b = bounds_between(scan, from, to);
    if (bounds_sign(scan, &b) == scan->sign) {
        scan->a = to;
        return BOUNDS_DONE;
    }
    if (bounds_have_slope(&b))
        return bounds_end(scan, to) ? BOUNDS_FOUND : BOUNDS_DONE;
    double width = 0.0;
    b = bounds_narrow(scan, from, to, b, &width);
    if (bounds_sign(scan, &b) == scan->sign) {
        scan->a = to;
        return BOUNDS_DONE;
    }
    const bool is_infinite = !(b.high - b.low < INFINITY); // also NaN
    const bool is_rounding = !is_infinite && b.high - b.low <= times_rounding * width;
    if (is_rounding || to - from <= locate_resolution(to) || depth >= DEEPEST_HALVING)
        return bounds_end(scan, to) ? BOUNDS_FOUND : BOUNDS_DONE;
    const bool is_lost = is_infinite && depth >= DEEPEST_INFINITE;
    return is_lost || bounds_are_too_many(scan, from) ? BOUNDS_GIVE_UP : BOUNDS_HALVE;
}

// ---------------------------------------------------------------------------
// Where it crosses
// ---------------------------------------------------------------------------

// One step of the interval Newton method (R. E. Moore, 1966): the zero is at m - h(m) / h'. False:
// that does not halve the interval.
static bool bounds_newton(BoundsScan *scan, double *a, double *b)
{
    const SaltusBounds all = bounds_between(scan, *a, *b);
    const double middle = *a + 0.5 * (*b - *a), resolution = locate_resolution(*b);
    const SaltusBounds m = bounds_between(scan, middle, middle);
    if (!bounds_have_slope(&all))
        return false;
    const double q[] = {m.low / all.slope_low, m.low / all.slope_high, m.high / all.slope_low,
                        m.high / all.slope_high};
    double least = q[0], most = q[0];
    for (int i = 1; i < 4; i++) {
        least = real_smaller(least, q[i]);
        most = real_larger(most, q[i]);
    }
    const double from = real_larger(*a, middle - most - resolution);
    const double to = real_smaller(*b, middle - least + resolution);
    if (!(to > from && to - from < 0.5 * (*b - *a))) // none: it has crossed before a, by rounding
        return false;
    *a = from;
    *b = to;
    return true;
}

// Whether the function has this sign, and is beyond its noise.
static bool bounds_are_beyond(BoundsScan *scan, double t, int sign)
{
    const SaltusBounds at = bounds_between(scan, t, t);
    return sign > 0 ? at.low > scan->noise : at.high < -scan->noise;
}

// A crossing between points that are close to it, but where the signs are still certain: so the
// locator sees a function that changes by little more than its rounding.
static void bounds_tighten(BoundsScan *scan)
{
    double a = scan->a, b = scan->b;
    while (bounds_newton(scan, &a, &b))
        continue;
    const double width = real_larger(b - a, locate_resolution(b));
    for (double by = width; a > scan->a && !bounds_are_beyond(scan, a, scan->sign); by *= 2.0)
        a = real_larger(scan->a, a - by);
    for (double by = width; b < scan->b && !bounds_are_beyond(scan, b, -scan->sign); by *= 2.0)
        b = real_smaller(scan->b, b + by);
    scan->a = a;
    scan->b = b;
}

// A crossing just where the scan begins may be the root that was handled there, as long as the
// function is as small as that: then it has crossed where it is larger. False: not before the end.
static bool bounds_leave_handled(BoundsScan *scan)
{
    double by = real_larger(scan->b - scan->a, locate_resolution(scan->b));
    for (;; by *= 2.0) {
        const SaltusBounds at = bounds_between(scan, scan->b, scan->b);
        if (at.low > scan->handled || at.high < -scan->handled)
            return true;
        if (scan->b >= scan->end)
            return false;
        scan->a = scan->b;
        scan->b = real_smaller(scan->end, scan->b + by);
    }
}

static BoundsVerdict bounds_found(BoundsScan *scan, double begin)
{
    const bool is_first = scan->a == begin;
    bounds_tighten(scan);
    return !is_first || scan->handled == 0.0 || bounds_leave_handled(scan) ? BOUNDS_CROSSED
                                                                           : BOUNDS_CLEAR;
}

// From the left to the right: the right halves wait.
BoundsVerdict bounds_scan(BoundsScan *scan)
{
    const double begin = scan->begin = scan->a;
    double ends[DEEPEST_HALVING + 2], from = begin;
    int depths[DEEPEST_HALVING + 2], waiting = 1;
    ends[0] = scan->end;
    depths[0] = 0;
    while (waiting > 0) {
        const double to = ends[waiting - 1];
        const int depth = depths[waiting - 1];
        switch (bounds_look(scan, from, to, depth)) {
        case BOUNDS_FOUND:
            return bounds_found(scan, begin);
        case BOUNDS_GIVE_UP:
            return BOUNDS_UNKNOWN;
        case BOUNDS_DONE:
            from = to;
            waiting--;
            break;
        case BOUNDS_HALVE:
            depths[waiting - 1] = depths[waiting] = depth + 1;
            ends[waiting++] = from + 0.5 * (to - from);
            break;
        }
    }
    return BOUNDS_CLEAR;
}
