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
// recorded yet is NAN, so that no step is taken that reads it.

#ifndef SALTUS_BASE_PROFILE_H
#define SALTUS_BASE_PROFILE_H

#include "base/history.h"

typedef struct ProfilePiece {
    HistoryPiece polynomial;
    double low, high; // what is left of it
} ProfilePiece;

typedef struct ProfileEnd {
    double (*at)(const History *end, double mark, double order); // first, as of a History
    const struct Profile *profile;
    double origin; // what values are counted from
    bool is_right;
} ProfileEnd;

typedef struct Profile {
    SaltusAllocator allocator;
    ProfilePiece *pieces; // by rising marks
    size_t room, first, count;
    double relative, absolute, size; // tolerances, and the largest value so far
    ProfileEnd ends[2];
} Profile;

enum { PROFILE_X, PROFILE_LEFT, PROFILE_RIGHT, PROFILE_SIGNALS };

// x, and what would come in at the left and at the right, at a time of the last step.
typedef bool (*ProfileSample)(void *data, double t, int eighth, double signals[PROFILE_SIGNALS]);

// Linear between `count` points, which rise from 0 to 1; two at one place: a jump.
bool profile_begin(Profile *profile, double x, size_t count, const double *points_and_values,
                   double relative, double absolute);
bool profile_record(Profile *profile, double from, double to, ProfileSample sample, void *data);
double profile_handle(const Profile *profile, bool is_right);
bool profile_copy(Profile *to, const Profile *from);
void profile_free(Profile *profile);

#endif
