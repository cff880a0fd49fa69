// SPDX-License-Identifier: MIT
//
// What is transported through a pipe, for spatialDistribution (Modelica specification, section
// 3.7.4.2): dz/dt + v dz/dy = 0 for y from 0 to 1, v = dx/dt.
//
// Along y = x(t) + s, z does not change: it is a function of the *mark* s alone. While x rises,
// what comes in at y = 0 gets the mark -x; while it falls, what comes in at y = 1 gets 1 - x. So
// the profile is a row of polynomials in s, as those of base/history.h, which grows on one side and
// is cut on the other. Nothing is smeared, however often the direction changes.
//
// Equations read it through one of its two ends, by the operator of histories. What was not
// recorded yet is NAN, so that no step is taken that reads it. A *front* is a mark where z jumps,
// or one of its first derivatives after an event. Each end knows the next one that will leave
// there: the reader sees z as it is before it, or, when it has arrived, beyond it, whatever the
// rounding of the mark.

#ifndef SALTUS_BASE_PROFILE_H
#define SALTUS_BASE_PROFILE_H

#include "base/history.h"

typedef struct ProfilePiece {
    HistoryPiece polynomial;
    double low, high; // what is left of it
    bool is_front;    // there is one at `low`
} ProfilePiece;

typedef struct ProfileEnd {
    double (*at)(const History *end, double mark, double order); // first, as of a History
    const struct Profile *profile;
    double origin; // what values are counted from
    bool is_right, is_beyond;
} ProfileEnd;

enum { PROFILE_ENDS = 4 }; // left, right, and the same beyond their fronts

typedef struct Profile {
    SaltusAllocator allocator;
    ProfilePiece *pieces; // by rising marks
    size_t room, first, count;
    double relative, absolute, size; // tolerances, and the largest value so far
    double x;                        // the last position
    double fronts[2];                // the next at the left and the right end; infinite: none
    double passed[2];                // and the last that has left there
    bool is_interrupted;             // there was an event since the last piece
    ProfileEnd ends[PROFILE_ENDS];
} Profile;

enum { PROFILE_X, PROFILE_LEFT, PROFILE_RIGHT, PROFILE_SIGNALS };

// x, and what would come in at the left and at the right, at a time of the last step.
typedef bool (*ProfileSample)(void *data, double t, int eighth, double signals[PROFILE_SIGNALS]);

// Linear between `count` points, which rise from 0 to 1; two at one place: a jump.
bool profile_begin(Profile *profile, double x, size_t count, const double *points_and_values,
                   double relative, double absolute);
bool profile_record(Profile *profile, double from, double to, ProfileSample sample, void *data);
double profile_handle(const Profile *profile, bool is_right, bool is_beyond);
// The mark of the next front at an end, or one that is out of reach. It is looked for anew, unless
// it has arrived.
double profile_find_front(Profile *profile, bool is_right, bool has_arrived);
bool profile_copy(Profile *to, const Profile *from);
void profile_free(Profile *profile);

#endif
