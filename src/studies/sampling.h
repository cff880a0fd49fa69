// SPDX-License-Identifier: MIT
//
// Points of a sample: which values the axes of a study take together.
//
// What always holds: a point depends on the kind, the axes, the seed and its own number, not on who
// computes it.

#ifndef SALTUS_STUDIES_SAMPLING_H
#define SALTUS_STUDIES_SAMPLING_H

#include "studies/axis.h"

typedef enum SweepSample {
    SWEEP_GRID,      // all combinations
    SWEEP_RANDOM,    // independent, distributed as each axis says
    SWEEP_HYPERCUBE, // Latin hypercube: each of the strata of an axis once
    SWEEP_SOBOL,     // Sobol's sequence, shifted by the seed
    // For Sobol's indices: two independent samples A and B of n points, then for each axis A with
    // the column of this axis from B; n (axes + 2) points, one after the other.
    SWEEP_INDICES,
    SWEEP_GIVEN, // the points themselves are given
} SweepSample;

enum { SAMPLING_MOST_AXES = 21 }; // of Sobol's sequence

// How many points; 0: not so many, the message says why.
size_t sampling_points(SweepSample sample, size_t axis_count, size_t count, char **message);
// The values, point by point. `count` is what sampling_points returned.
void sampling_fill(SweepSample sample, const Axis *axes, size_t axis_count, size_t count,
                   uint64_t seed, double *values);

#endif
