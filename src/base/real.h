// SPDX-License-Identifier: MIT
//
// The larger and the smaller of two numbers in one instruction, where fmax and fmin are calls:
// they promise more. Where a or b is not a number, the answer is b. Copies and comparisons of
// vectors that are mostly short, so loops and not calls. And the number that C17 has no name for.

#ifndef SALTUS_BASE_REAL_H
#define SALTUS_BASE_REAL_H

#define REAL_PI 3.14159265358979323846

static inline double real_larger(double a, double b)
{
    return a > b ? a : b;
}

static inline double real_smaller(double a, double b)
{
    return a < b ? a : b;
}

static inline void real_copy(double *to, const double *from, int count)
{
    for (int i = 0; i < count; i++)
        to[i] = from[i];
}

#endif
