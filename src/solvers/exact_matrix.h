// SPDX-License-Identifier: MIT
//
// The matrices E(s) = exp(s M) - 1 of a linear mode, for the times s = h 2^l: see exact.c.

#ifndef SALTUS_SOLVERS_EXACT_MATRIX_H
#define SALTUS_SOLVERS_EXACT_MATRIX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// Levels l. |M| h = 1/64, and for the last one that is made from the power series 1/2.
enum { EXACT_LEVELS = 28, EXACT_LEAST_LEVEL = 5 };
static const double exact_first = 0.015625;
// Terms of the power series of a matrix: sixteen are enough.
enum { EXACT_TERMS = 18 };
// With |M| s below this, E is made from its power series. Steps that are so short can always be
// told by five samples.
static const double exact_short = 0.5;

typedef struct ExactSet {
    int n; // of y
    double *coefficients;
    double *scale;  // y in units of these, powers of two
    double *matrix; // M, column by column
    double *levels; // E(h), E(2 h), ...
    double *making; // 2 n, while one of them is made
    uint32_t made;  // which of them are, bits
    double norm;    // |M|
    double step;    // h
    double begin;   // the step to be tried first after a reset, as it was learnt; 0: it was not
    long used;      // when; below 0: the matrix is none
} ExactSet;

// M is there: what else belongs to it. False: its numbers are not finite, or too large.
bool exact_prepare(ExactSet *set);
// E of a level.
void exact_make_level(ExactSet *set, int level);
// to = m y
void exact_product(int n, const double *m, const double *y, double *to);

// ---------------------------------------------------------------------------
// Products
// ---------------------------------------------------------------------------

#define EXACT_INLINE static inline __attribute__((always_inline))

// Systems up to this size have code of their own, in which the compiler knows the size.
enum { EXACT_FIXED = 8 };

#define EXACT_BY_SIZE(n, call)                                                                     \
    switch (n) {                                                                                   \
    case 1:                                                                                        \
        call(1);                                                                                   \
        return;                                                                                    \
    case 2:                                                                                        \
        call(2);                                                                                   \
        return;                                                                                    \
    case 3:                                                                                        \
        call(3);                                                                                   \
        return;                                                                                    \
    case 4:                                                                                        \
        call(4);                                                                                   \
        return;                                                                                    \
    case 5:                                                                                        \
        call(5);                                                                                   \
        return;                                                                                    \
    case 6:                                                                                        \
        call(6);                                                                                   \
        return;                                                                                    \
    case 7:                                                                                        \
        call(7);                                                                                   \
        return;                                                                                    \
    case EXACT_FIXED:                                                                              \
        call(EXACT_FIXED);                                                                         \
        return;                                                                                    \
    default:                                                                                       \
        call(n);                                                                                   \
    }

// Two components at once: each of them is computed as it would be alone.
typedef double ExactPair __attribute__((vector_size(2 * sizeof(double))));
typedef int64_t ExactPairBits __attribute__((vector_size(2 * sizeof(int64_t))));

EXACT_INLINE ExactPair exact_pair(const double *from)
{
    ExactPair pair;
    memcpy(&pair, from, sizeof pair);
    return pair;
}

// The last one of an odd number is a pair with itself.
EXACT_INLINE ExactPair exact_pair_or_one(const double *from, bool is_pair)
{
    return is_pair ? exact_pair(from) : (ExactPair){*from, *from};
}

// As real_larger.
EXACT_INLINE ExactPair exact_pair_larger(ExactPair a, ExactPair b)
{
    const ExactPairBits is_a = a > b;
    return (ExactPair)((is_a & (ExactPairBits)a) | (~is_a & (ExactPairBits)b));
}

EXACT_INLINE ExactPair exact_pair_size(ExactPair pair)
{
    return (ExactPair)((ExactPairBits)pair & INT64_MAX);
}

// Four, on machines that have such vectors: see KERNEL_MACHINE.
typedef double ExactQuad __attribute__((vector_size(4 * sizeof(double))));

// Components i, i + 1, ... of m y, as many as two pairs or a quad have. Sums are formed in the
// order of the columns, whatever the size.
EXACT_INLINE void exact_multiply_four(int n, const double *m, const double *y, double *to, int i)
{
    ExactPair low = exact_pair(m + i) * y[0], high = exact_pair(m + i + 2) * y[0];
    for (int j = 1; j < n; j++) {
        low += exact_pair(m + j * n + i) * y[j];
        high += exact_pair(m + j * n + i + 2) * y[j];
    }
    memcpy(to + i, &low, sizeof low);
    memcpy(to + i + 2, &high, sizeof high);
}

EXACT_INLINE void exact_multiply_quad(int n, const double *m, const double *y, double *to, int i)
{
    ExactQuad sum, column;
    memcpy(&sum, m + i, sizeof sum);
    sum *= y[0];
    for (int j = 1; j < n; j++) {
        memcpy(&column, m + j * n + i, sizeof column);
        sum += column * y[j];
    }
    memcpy(to + i, &sum, sizeof sum);
}

// to = m y. is_wide: with quads.
EXACT_INLINE void exact_multiply(int n, const double *restrict m, const double *restrict y,
                                 double *restrict to, bool is_wide)
{
    int i = 0;
    for (; is_wide && i + 3 < n; i += 4)
        exact_multiply_quad(n, m, y, to, i);
    for (; n > EXACT_FIXED && i + 3 < n; i += 4)
        exact_multiply_four(n, m, y, to, i);
    for (; i + 1 < n; i += 2) {
        ExactPair sum = exact_pair(m + i) * y[0];
        for (int j = 1; j < n; j++)
            sum += exact_pair(m + j * n + i) * y[j];
        memcpy(to + i, &sum, sizeof sum);
    }
    if (n % 2) {
        to[n - 1] = m[n - 1] * y[0];
        for (int j = 1; j < n; j++)
            to[n - 1] += m[j * n + n - 1] * y[j];
    }
}

// ---------------------------------------------------------------------------
// Levels
// ---------------------------------------------------------------------------

static inline double exact_width(const ExactSet *set, int level)
{
    return set->step * (double)(1 << level);
}

EXACT_INLINE const double *exact_level(ExactSet *set, int level)
{
    if (!(set->made >> level & 1u))
        exact_make_level(set, level);
    return set->levels + (size_t)level * (size_t)set->n * (size_t)set->n;
}

#endif
