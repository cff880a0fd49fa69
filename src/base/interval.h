// SPDX-License-Identifier: MIT
//
// Bounds of operators and functions, by the column "bounds" of operator_table.h: if the operands
// lie in intervals, the result lies in this one (R. E. Moore: Interval Analysis, 1966).
//
// What always holds: the interval has in it what real numbers would give and what
// operator_apply computes with rounding, for all operands inside. Results are therefore widened
// outwards: by a unit in the last place where the operation is rounded correctly (half a unit is
// needed), by eight for functions of the C library, which are off by less than five (glibc manual,
// section "Known Maximum Errors in Math Functions"). The infinite interval says nothing.

#ifndef SALTUS_BASE_INTERVAL_H
#define SALTUS_BASE_INTERVAL_H

#include "base/operator.h"

#include <stdbool.h>

typedef struct Interval {
    double low, high;
} Interval;

static inline Interval interval_of(double value)
{
    return (Interval){value, value};
}

static inline bool interval_is_finite(Interval x)
{
    return x.low > -INFINITY && x.high < INFINITY;
}

// *jumps is set if the result may jump while the operands move inside of their intervals.
Interval interval_apply(Operator op, Interval a, Interval b, Interval c, bool *jumps);
// x^n as operator_power has it.
Interval interval_power(Interval x, int n);

#endif
