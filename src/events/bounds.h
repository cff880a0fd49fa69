// SPDX-License-Identifier: MIT
//
// Detection by proof: the first crossing of an event function of which bounds are known on any
// interval of time, also on one that is as long as the step.
//
// An interval is clear if the bounds have the known sign; they are those of the function, and, by
// the mean value theorem, those of h(m) + h' (t - m) with m in the middle. Where the slope has one
// sign, the ends tell. All else is halved, from the left to the right. So a crossing is missed only
// where the function does not leave its rounding between two of them. It ends: halving stops where
// bounds are no wider than the rounding of the value in the middle, or an interval is as short as
// the resolution of time; and after MOST_BOUNDS evaluations, or where bounds stay infinite
// (BOUNDS_UNKNOWN: the samples must do), and as soon as it is clear that these will not be enough.

#ifndef SALTUS_EVENTS_BOUNDS_H
#define SALTUS_EVENTS_BOUNDS_H

#include "events/detect.h"

// For one function and step; a clear step needs one or two, a crossing some twenty. After so many
// it can be judged whether that will do.
enum { MOST_BOUNDS = 100000, BOUNDS_TO_JUDGE = 2000 };

typedef enum BoundsVerdict {
    BOUNDS_CLEAR,
    BOUNDS_CROSSED, // between a and b, where the signs are certain, or the ends of the step
    BOUNDS_UNKNOWN,
} BoundsVerdict;

typedef struct BoundsScan {
    DetectBounds bounds;
    void *user;
    int event;
    int sign; // that it has at a, -1 or +1; afterwards: before the crossing
    SaltusDirection direction;
    int at_zero;    // see SaltusEventDef
    double noise;   // of the function, as far as it is known
    double handled; // see Armed
    double a;       // where the scan begins, then where it is sure of the sign
    double b;       // behind the crossing
    double begin, end;
    int evaluations;
} BoundsScan;

BoundsVerdict bounds_scan(BoundsScan *scan);

#endif
