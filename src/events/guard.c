// SPDX-License-Identifier: MIT

#include "events/guard.h"

#include "base/real.h"
#include <float.h>
#include <math.h>

// Intervals shorter than this many units in the last place of t are near the resolution.
static const double near_units = 1024.0;

enum {
    SHRINKING_MANY = 8, // successive shrinking intervals that show a geometric sequence
    TINY_MANY = 64,     // successive tiny intervals that show chattering
    LOW_MANY = 3,       // crossings of nothing but rounding that show that there will be more
    CROWD = 2000,       // events that may not fall into ...
    COLLAPSE_MANY = 12, // shrinking intervals before one that falls out of the sequence
};
static const double crowd_part = 1e-7; // ... this part of the run
// ... or this part, if the function has not been larger than so many roundings.
static const double low_part = 1e-3, low_roundings = 256.0;

// A sequence has collapsed if an interval is this much shorter than the sequence asks for, where
// the sequence is this small a part of the run: what happens between the events has become smaller
// than the errors of the solver.
// Intervals that are the same but for less than a thousandth lead nowhere: they are those of
// a solver at its limit of stability, whose errors make a function touch zero every few steps.
static const double collapse_factor = 0.01, collapse_part = 1e-4, least_even = 0.999;

// Of the largest value of a function, what may be its rounding.
static const double rounding = 16.0 * DBL_EPSILON;

// A sequence of shrinking intervals is over after so many times the last of them.
static const double over = 4.0;

void guard_reset(Guard *guard, double t)
{
    *guard =
        (Guard){.last = t, .before = t, .before_that = t, .anchor = t, .largest = guard->largest};
}

static GuardFinding crowded(Guard *guard, double horizon)
{
    if (++guard->since_anchor < CROWD)
        return GUARD_FINE;
    const double part = (guard->last - guard->anchor) / horizon;
    const bool is_low =
        guard->highest > 0.0 && guard->highest <= low_roundings * rounding * guard->largest;
    guard->anchor = guard->last;
    guard->since_anchor = 0;
    guard->highest = 0.0;
    return part < crowd_part ? GUARD_DENSE : is_low && part < low_part ? GUARD_LOW : GUARD_FINE;
}

double guard_noise(const Guard *guard, double t)
{
    return guard->low >= LOW_MANY && !guard_is_due(guard, t) ? rounding * guard->largest : 0.0;
}

// How short an interval may be at t that is not near the resolution of time.
static inline double guard_near(double t)
{
    return near_units * DBL_EPSILON * real_larger(fabs(t), DBL_MIN);
}

static inline GuardFinding guard_find(Guard *guard, double t, double horizon)
{
    if (guard->peak > rounding * guard->largest)
        guard->low = 0;
    else if (guard->peak > 0.0)
        guard->low++;
    guard->highest = real_larger(guard->highest, guard->peak);
    guard->peak = 0.0;
    double interval_before = guard->last - guard->before, interval = t - guard->last;
    const bool has_collapsed = guard->shrinking >= COLLAPSE_MANY &&
                               interval_before < collapse_part * horizon &&
                               guard_ratio(guard) < least_even &&
                               interval < collapse_factor * guard_ratio(guard) * interval_before;
    if (has_collapsed)
        return GUARD_COLLAPSED; // the sequence before tells where it would have ended
    guard->before_that = guard->before;
    guard->before = guard->last;
    guard->last = t;
    const double near = guard_near(t);
    guard->shrinking = interval < interval_before ? guard->shrinking + 1 : 0;
    guard->tiny = interval <= near ? guard->tiny + 1 : 0;
    const GuardFinding crowd = crowded(guard, horizon);
    if (interval <= near && guard->shrinking >= SHRINKING_MANY)
        return GUARD_ZENO;
    if (guard->tiny >= TINY_MANY)
        return GUARD_CHATTERING;
    return crowd;
}

GuardFinding guard_note(Guard *guard, double t, double horizon)
{
    return guard_find(guard, t, horizon);
}

// The first events that are fine for a simple reason, so that there is nothing to find: nothing was
// seen of the function between them, the window of the crowd does not end, and each interval is
// longer than the resolution of time, and not much shorter than the one before.
static long guard_note_plain(Guard *guard, const double *t, int stride, long count)
{
    double before_that = guard->before_that, before = guard->before, last = guard->last;
    int shrinking = guard->shrinking;
    long plain = 0;
    if (guard->peak != 0.0)
        return 0;
    if (count >= CROWD - guard->since_anchor)
        count = CROWD - guard->since_anchor - 1;
    for (; plain < count; plain++, t += stride) {
        const double interval = *t - last, interval_before = last - before;
        if (!(interval > guard_near(*t) && interval >= collapse_factor * interval_before))
            break;
        shrinking = interval < interval_before ? shrinking + 1 : 0;
        before_that = before;
        before = last;
        last = *t;
    }
    if (plain == 0)
        return 0;
    guard->before_that = before_that;
    guard->before = before;
    guard->last = last;
    guard->shrinking = shrinking;
    guard->tiny = 0;
    guard->since_anchor += (int)plain;
    return plain;
}

long guard_note_fine(Guard *guard, const double *t, int stride, long count, double horizon)
{
    long fine = 0;
    while (fine < count) {
        fine += guard_note_plain(guard, t + fine * stride, stride, count - fine);
        Guard next = *guard;
        if (fine == count || guard_find(&next, t[fine * stride], horizon) != GUARD_FINE)
            break;
        *guard = next;
        fine++;
    }
    return fine;
}

bool guard_is_even(const Guard *guard)
{
    return fabs(guard_ratio(guard) - 1.0) <= 1.0 - least_even;
}

bool guard_is_due(const Guard *guard, double t)
{
    return guard->shrinking >= SHRINKING_MANY / 2 &&
           t - guard->last <= over * (guard->last - guard->before);
}

void guards_raise_noise(const Guard *guards, int count, double t, double *noise)
{
    for (int i = 0; i < count; i++)
        noise[i] = real_larger(noise[i], guard_noise(&guards[i], t));
}

bool guards_are_irregular(const Guard *guards, int count, double t)
{
    bool are_many = false;
    for (int i = 0; i < count; i++) {
        if (guard_is_due(&guards[i], t))
            return false;
        are_many = are_many || guards[i].since_anchor >= SHRINKING_MANY;
    }
    return are_many;
}

// With intervals d1, d2 the rest of the geometric sequence is d2^2 / (d1 - d2).
double guard_accumulation(const Guard *guard)
{
    double d1 = guard->before - guard->before_that, d2 = guard->last - guard->before;
    return d1 > d2 ? guard->last + d2 * d2 / (d1 - d2) : guard->last;
}

double guard_ratio(const Guard *guard)
{
    double d1 = guard->before - guard->before_that, d2 = guard->last - guard->before;
    return d1 > 0.0 ? d2 / d1 : 0.0;
}
