// SPDX-License-Identifier: MIT
//
// The normal distribution: see normal.h.

#include "numerics/normal.h"

#include <float.h>
#include <math.h>

// For p <= 1/2. Newton's method for log Phi(x) = log p, which is concave and rising: from the left
// of the solution all steps come to it and none goes beyond. Phi(x) < exp(-x^2/2) for x < 0, so
// that -sqrt(-2 log p) is on the left.
static double lower_quantile(double p)
{
    const double root_half = 0.70710678118654752440, root_two_pi = 2.50662827463100050242;
    double x = -sqrt(-2.0 * log(p));
    for (int i = 0; i < 60; i++) {
        const double below = 0.5 * erfc(-x * root_half);
        const double density = exp(-0.5 * x * x) / root_two_pi;
        const double step = (log(below) - log(p)) * below / density;
        x -= step;
        if (!(fabs(step) > 2.0 * DBL_EPSILON * fabs(x)))
            break;
    }
    return x;
}

double normal_quantile(double p)
{
    if (!(p >= 0.0 && p <= 1.0))
        return NAN;
    if (p == 0.0 || p == 1.0)
        return p == 0.0 ? -INFINITY : INFINITY;
    return p <= 0.5 ? lower_quantile(p) : -lower_quantile(1.0 - p);
}
