// SPDX-License-Identifier: MIT
//
// The zero of a function of one variable in a bracket, by Brent's method (R. P. Brent: Algorithms
// for Minimization without Derivatives, 1973, chapter 4): as safe as bisection, as fast as inverse
// quadratic interpolation where the function is smooth.

#ifndef SALTUS_NUMERICS_ROOT_H
#define SALTUS_NUMERICS_ROOT_H

#include <stdbool.h>

typedef double RootFunction(void *user, double x);

// f(a) and f(b) must have different signs (or one of them be zero), otherwise the result is NAN.
// The zero is found within `tolerance`, or as well as numbers can say for 0. A value that is not a
// number ends the search with NAN.
double root_find(RootFunction *f, void *user, double a, double b, double tolerance);

#endif
