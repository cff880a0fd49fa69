// SPDX-License-Identifier: MIT
//
// Statistics of a sample: moments, quantiles, and how much of the variance each axis makes.

#ifndef SALTUS_STUDIES_STATISTICS_H
#define SALTUS_STUDIES_STATISTICS_H

#include <stddef.h>

enum { STATISTICS_QUANTILES = 5 };
extern const double statistics_levels[STATISTICS_QUANTILES]; // 0.05, 0.25, 0.5, 0.75, 0.95

typedef struct SampleSummary {
    size_t count, missing; // values that are numbers, and those that are not
    double mean, deviation, minimum, maximum;
    double quantiles[STATISTICS_QUANTILES]; // with linear interpolation between values
} SampleSummary;

// Sorts the values. What cannot be told (the deviation of one value) is NaN.
SampleSummary statistics_summarize(double *values, size_t count);

// Sobol's indices of one axis: the part of the variance that it makes alone, and that it takes part
// in (A. Saltelli et al., Comput. Phys. Commun. 181, 2010: table 2, b and f). Results of the points
// of the samples A and B, and of A with this axis from B, each with `stride` between points. Points
// with a missing value are left out.
void statistics_indices(const double *a, const double *b, const double *mixed, size_t count,
                        size_t stride, double indices[2]);

#endif
