// SPDX-License-Identifier: MIT
//
// Samples: see sampling.h.

#include "studies/sampling.h"

#include "base/message.h"

#include <stdio.h>

enum { MOST_POINTS = 100000000 };

// splitmix64 (G. L. Steele, D. Lea, C. H. Flood: Fast splittable pseudorandom number generators).
static uint64_t random_next(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

static double random_part(uint64_t *state)
{
    return (double)(random_next(state) >> 11) * 0x1p-53;
}

static uint64_t sampling_state(uint64_t seed, size_t axis)
{
    return seed ^ (axis + 1) * UINT64_C(0xD1B54A32D192ED03);
}

// Random, or a Latin hypercube.
static void sample_axis(SweepSample sample, size_t stride, size_t count, uint64_t state,
                        double *parts)
{
    for (size_t i = 0; i < count; i++)
        parts[i * stride] = (double)i;
    // Fisher-Yates over the strata
    for (size_t i = count; sample == SWEEP_HYPERCUBE && i > 1; i--) {
        const size_t k = (size_t)(random_part(&state) * (double)i);
        const double kept = parts[(i - 1) * stride];
        parts[(i - 1) * stride] = parts[k * stride];
        parts[k * stride] = kept;
    }
    for (size_t i = 0; i < count; i++) {
        const double part = random_part(&state), stratum = parts[i * stride];
        parts[i * stride] = sample == SWEEP_HYPERCUBE ? (stratum + part) / (double)count : part;
    }
}

// ---------------------------------------------------------------------------
// Sobol's sequence
// ---------------------------------------------------------------------------

// Primitive polynomials (degree and inner coefficients) and initial direction numbers by S. Joe and
// F. Y. Kuo (Constructing Sobol sequences with better two-dimensional projections, SIAM J. Sci.
// Comput. 30, 2008), for the dimensions from the second on. The first is van der Corput's sequence.
static const struct {
    int degree;
    unsigned coefficients;
    unsigned char m[7];
} sobol_directions[SAMPLING_MOST_AXES - 1] = {
    {1, 0, {1}},
    {2, 1, {1, 3}},
    {3, 1, {1, 3, 1}},
    {3, 2, {1, 1, 1}},
    {4, 1, {1, 1, 3, 3}},
    {4, 4, {1, 3, 5, 13}},
    {5, 2, {1, 1, 5, 5, 17}},
    {5, 4, {1, 1, 5, 5, 5}},
    {5, 7, {1, 1, 7, 11, 19}},
    {5, 11, {1, 1, 5, 1, 1}},
    {5, 13, {1, 1, 1, 3, 11}},
    {5, 14, {1, 3, 5, 5, 31}},
    {6, 1, {1, 3, 3, 9, 7, 49}},
    {6, 13, {1, 1, 1, 15, 21, 21}},
    {6, 16, {1, 3, 1, 13, 27, 49}},
    {6, 19, {1, 1, 1, 15, 7, 5}},
    {6, 22, {1, 3, 1, 15, 13, 25}},
    {6, 25, {1, 1, 5, 5, 19, 61}},
    {7, 1, {1, 3, 7, 11, 23, 15, 103}},
    {7, 4, {1, 3, 7, 13, 13, 15, 69}},
};

enum { SOBOL_BITS = 52 };

static void sobol_prepare(size_t dimension, uint64_t v[SOBOL_BITS])
{
    if (dimension == 0) {
        for (int i = 0; i < SOBOL_BITS; i++)
            v[i] = UINT64_C(1) << (SOBOL_BITS - 1 - i);
        return;
    }
    const int s = sobol_directions[dimension - 1].degree;
    const unsigned a = sobol_directions[dimension - 1].coefficients;
    for (int i = 0; i < SOBOL_BITS; i++) {
        if (i < s) {
            v[i] = (uint64_t)sobol_directions[dimension - 1].m[i] << (SOBOL_BITS - 1 - i);
            continue;
        }
        v[i] = v[i - s] ^ v[i - s] >> s;
        for (int k = 1; k < s; k++)
            if (a >> (s - 1 - k) & 1)
                v[i] ^= v[i - k];
    }
}

// By Gray's code, one bit per point (I. A. Antonov, V. M. Saleev). The shift by the seed keeps all
// of the stratification; half a unit of the last place keeps the ends out.
static void sobol_axis(size_t dimension, size_t stride, size_t count, uint64_t seed, double *parts)
{
    uint64_t v[SOBOL_BITS], state = sampling_state(seed, dimension);
    const uint64_t shift = random_next(&state) >> (64 - SOBOL_BITS);
    uint64_t x = 0;
    sobol_prepare(dimension, v);
    for (size_t i = 0; i < count; i++) {
        parts[i * stride] = ((double)(x ^ shift) + 0.5) * 0x1p-52;
        int bit = 0;
        while (i >> bit & 1)
            bit++;
        x ^= v[bit];
    }
}

// ---------------------------------------------------------------------------
// All kinds
// ---------------------------------------------------------------------------

size_t sampling_points(SweepSample sample, size_t axis_count, size_t count, char **message)
{
    const size_t parts = sample == SWEEP_INDICES ? axis_count + 2 : 1;
    const size_t dimensions = sample == SWEEP_INDICES ? 2 * axis_count
                              : sample == SWEEP_SOBOL ? axis_count
                                                      : 0;
    if (dimensions > SAMPLING_MOST_AXES) {
        message_set(message,
                    "Sobol's sequence has %d dimensions here, not the %zu that are needed: "
                    "lhs or random have any number",
                    SAMPLING_MOST_AXES, dimensions);
        return 0;
    }
    if (count > MOST_POINTS / parts) {
        message_set(message, "the sample has too many points");
        return 0;
    }
    return count * parts;
}

// Parts of A and B by one sequence of twice as many dimensions; then columns are exchanged.
static void sample_indices(size_t axis_count, size_t count, uint64_t seed, double *parts)
{
    const size_t n = count / (axis_count + 2), stride = axis_count;
    double *a = parts, *b = parts + n * stride;
    for (size_t k = 0; k < axis_count; k++) {
        sobol_axis(k, stride, n, seed, a + k);
        sobol_axis(axis_count + k, stride, n, seed, b + k);
    }
    for (size_t k = 0; k < axis_count; k++) {
        double *mixed = parts + (k + 2) * n * stride;
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < axis_count; j++)
                mixed[i * stride + j] = (j == k ? b : a)[i * stride + j];
    }
}

void sampling_fill(SweepSample sample, const Axis *axes, size_t axis_count, size_t count,
                   uint64_t seed, double *values)
{
    if (sample == SWEEP_INDICES)
        sample_indices(axis_count, count, seed, values);
    for (size_t k = 0; k < axis_count; k++) {
        if (sample == SWEEP_SOBOL)
            sobol_axis(k, axis_count, count, seed, values + k);
        else if (sample != SWEEP_INDICES)
            sample_axis(sample, axis_count, count, sampling_state(seed, k), values + k);
        for (size_t i = 0; i < count; i++)
            values[i * axis_count + k] = axis_sample(&axes[k], values[i * axis_count + k]);
    }
}
