// SPDX-License-Identifier: MIT
//
// The normal distribution.

#ifndef SALTUS_NUMERICS_NORMAL_H
#define SALTUS_NUMERICS_NORMAL_H

// The x that a standard normal variable is below of with the probability p: to a few units in the
// last place. p = 0: -infinity, p = 1: infinity.
double normal_quantile(double p);

#endif
