// SPDX-License-Identifier: MIT
//
// Statistics: see statistics.h.

#include "studies/statistics.h"

#include <math.h>
#include <stdlib.h>

const double statistics_levels[STATISTICS_QUANTILES] = {0.05, 0.25, 0.5, 0.75, 0.95};

static int statistics_compare(const void *one, const void *other)
{
    const double a = *(const double *)one, b = *(const double *)other;
    return (a > b) - (a < b);
}

static double statistics_quantile(const double *sorted, size_t count, double level)
{
    const double place = level * (double)(count - 1), whole = floor(place);
    const size_t i = (size_t)whole;
    return i + 1 < count ? sorted[i] + (place - whole) * (sorted[i + 1] - sorted[i]) : sorted[i];
}

SampleSummary statistics_summarize(double *values, size_t count)
{
    SampleSummary s = {.mean = NAN, .deviation = NAN, .minimum = NAN, .maximum = NAN};
    for (size_t i = 0; i < count; i++)
        if (!isnan(values[i]))
            values[s.count++] = values[i];
    s.missing = count - s.count;
    for (size_t i = 0; i < STATISTICS_QUANTILES; i++)
        s.quantiles[i] = NAN;
    if (s.count == 0)
        return s;
    qsort(values, s.count, sizeof *values, statistics_compare);
    s.minimum = values[0];
    s.maximum = values[s.count - 1];
    s.mean = 0.0;
    for (size_t i = 0; i < s.count; i++)
        s.mean += (values[i] - s.mean) / (double)(i + 1);
    double squares = 0.0;
    for (size_t i = 0; i < s.count; i++)
        squares += (values[i] - s.mean) * (values[i] - s.mean);
    if (s.count > 1)
        s.deviation = sqrt(squares / (double)(s.count - 1));
    for (size_t i = 0; i < STATISTICS_QUANTILES; i++)
        s.quantiles[i] = statistics_quantile(values, s.count, statistics_levels[i]);
    return s;
}

void statistics_indices(const double *a, const double *b, const double *mixed, size_t count,
                        size_t stride, double indices[2])
{
    double mean = 0.0, variance = 0.0, first = 0.0, total = 0.0, used = 0.0;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < count; i++) {
            const double f = a[i * stride], g = b[i * stride], h = mixed[i * stride];
            if (isnan(f + g + h))
                continue;
            if (pass == 0) {
                used += 1.0;
                mean += f + g;
                continue;
            }
            const double m = mean / (2.0 * used);
            variance += (f - m) * (f - m) + (g - m) * (g - m);
            first += (g - m) * (h - f); // without the mean the estimator scatters less
            total += (f - h) * (f - h);
        }
    variance /= 2.0 * used;
    indices[0] = first / used / variance;
    indices[1] = 0.5 * total / used / variance;
}
