// SPDX-License-Identifier: MIT
//
// Rounding is tried out by moving all variables a little at once, to either side by the bits of a
// pattern; what cancels in one pattern adds up in another.

#ifndef SALTUS_NUMERICS_DISTURBANCE_H
#define SALTUS_NUMERICS_DISTURBANCE_H

// By how many uncertainties variable i is moved: 1 to 1.5, and no two the same, for what is
// symmetric in a model, like the flow between two equal tanks, would cancel in every pattern.
// (Multiples of the golden ratio, without their whole parts, keep away from each other.)
static inline double disturbance(unsigned pattern, int i)
{
    const double multiple = 0.6180339887498949 * i, size = 1.0 + 0.5 * (multiple - (int)multiple);
    return (pattern >> (i % 16)) & 1u ? size : -size;
}

#endif
