// SPDX-License-Identifier: MIT
//
// A nonlinear, nonautonomous problem with a closed solution, for the tests of orders:
//
//   x1' =  2 t x1 log x2,   x1 = exp(sin t^2)
//   x2' = -2 t x2 log x1,   x2 = exp(cos t^2)

#ifndef SALTUS_TESTS_SUPPORT_SMOOTH_H
#define SALTUS_TESTS_SUPPORT_SMOOTH_H

#include <saltus/saltus.h>

// Starts at t = 0.5, not at 0 where derivatives vanish.
#define SMOOTH_START 0.5
SaltusModeDef smooth_mode(void);
// Differences in the Jacobian would hide the order of implicit methods at the end.
SaltusModeDef smooth_mode_with_jacobian(void);
void smooth_solution(double t, double x[2]);
// The larger of the two errors of x at t.
double smooth_error(double t, const double x[2]);

// Derivatives of the problem, as a free function (user is not used).
int smooth_function(void *user, double t, const double *x, double *dx);

// How fast errors fall when steps are halved: the observed order of the last of `count` errors
// at steps h, h / 2, h / 4, ..., by a straight line through the last three.
double observed_order(const double *errors, int count);

#endif
