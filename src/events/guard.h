// SPDX-License-Identifier: MIT
//
// The guard against events that accumulate: Zeno behaviour (intervals between
// events shrink geometrically towards an accumulation point) and chattering
// (intervals are as short as the resolution of time, or very many events happen
// in a very short part of the run).
//
// The accumulation point is Aitken's extrapolation of the event times. The guard
// answers only when intervals approach the resolution of time, or fall out of their
// geometric sequence because they approach that of the solver, so that it never
// ends a run that could still go on in a meaningful way.

#ifndef SALTUS_EVENTS_GUARD_H
#define SALTUS_EVENTS_GUARD_H

#include <math.h>
#include <stdbool.h>

typedef enum GuardFinding {
    GUARD_FINE,
    GUARD_ZENO,       // intervals reached the resolution of time
    GUARD_COLLAPSED,  // they fell out of their sequence: what happens is smaller than errors
    GUARD_CHATTERING, // they follow each other at the resolution of time
    GUARD_DENSE,      // very many fall into a very short part of the run
    GUARD_LOW,        // very many, between which the function is little more than its rounding
} GuardFinding;

typedef struct Guard {
    double last, before, before_that; // times of the last events
    int shrinking;                    // successive intervals that became shorter
    int tiny;                         // successive intervals near the resolution of time
    double anchor;                    // time of the event `since_anchor` events ago
    int since_anchor;
    int direction;        // of the last event: for who notes it
    double largest, peak; // |h| that was seen: ever, and since the last event; 0: none
    int low;              // successive events with a peak that is only rounding of the largest
    double highest;       // peak since `anchor`
} Guard;

// Before the first event. The guard is zeroed.
void guard_reset(Guard *guard, double t);

// Notes an event; `horizon` is the length of the whole run.
GuardFinding guard_note(Guard *guard, double t, double horizon);
// The first ones of so many events that are fine, at t[0], t[stride], ...; how many.
long guard_note_fine(Guard *guard, const double *t, int stride, long count, double horizon);

// Notes a value of the event function: at the end of a step, or beside a crossing.
static inline void guard_watch(Guard *guard, double h)
{
    if (!(fabs(h) > guard->peak))
        return;
    guard->peak = fabs(h);
    guard->largest = guard->peak > guard->largest ? guard->peak : guard->largest;
}

// What is noise of the event function at t: more than 0 where it has crossed zero several times
// and was, between, never larger than the rounding of what it once was. That is what an iteration
// leaves of a flow through a closed valve.
double guard_noise(const Guard *guard, double t);
// Makes each noise at least that.
void guards_raise_noise(const Guard *guards, int count, double t, double *noise);

// Whether the last interval is like the one before.
bool guard_is_even(const Guard *guard);

// Whether the intervals shrink at t: the next event is due.
bool guard_is_due(const Guard *guard, double t);

// Whether many events have come and none of the functions is in such a sequence at t. What a ball
// that bounces ever lower does below its tolerance tells where it ends; crossings without order,
// down there, are noise.
bool guards_are_irregular(const Guard *guards, int count, double t);

// Aitken's estimate of the accumulation point, and the ratio of the last two intervals.
double guard_accumulation(const Guard *guard);
double guard_ratio(const Guard *guard);

#endif
