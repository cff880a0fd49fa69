// SPDX-License-Identifier: MIT
//
// The larger and the smaller of two numbers in one instruction, where fmax and fmin are calls:
// they promise more. Where a or b is not a number, the answer is b.

#ifndef SALTUS_BASE_REAL_H
#define SALTUS_BASE_REAL_H

static inline double real_larger(double a, double b)
{
    return a > b ? a : b;
}

static inline double real_smaller(double a, double b)
{
    return a < b ? a : b;
}

#endif
