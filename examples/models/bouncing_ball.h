// SPDX-License-Identifier: MIT
//
// The bouncing ball with event contact (ARGESIM C21, case study 1):
//     x' = v,   v' = -g - beta v |v|
// Event B, x falls through zero: v becomes -mu v (SE-X). Event M, v falls through zero: the
// height is recorded (SE-O). One mode, two states; bounces accumulate at a finite time.

#ifndef MODELS_BOUNCING_BALL_H
#define MODELS_BOUNCING_BALL_H

#include <saltus/saltus.h>

enum { BALL_X, BALL_V };                              // states
enum { BALL_G, BALL_MU, BALL_BETA, BALL_PARAMETERS }; // parameters
enum { BALL_BOUNCE, BALL_APEX };                      // event functions

extern const double ball_start[2];                      // x = 10 m, v = 0
extern const double ball_without_drag[BALL_PARAMETERS]; // g = 9.81, mu = 0.9, beta = 0
extern const double ball_with_drag[BALL_PARAMETERS];    // beta = 0.002 1/m

SaltusStatus bouncing_ball_create(SaltusSystem **system, SaltusError *error);

// Closed form: times of the first `count` bounces, and the heights of the flights after them
// (either may be NULL). Returns the time at which the bounces accumulate.
double bouncing_ball_exact(const double *p, int count, double *times, double *heights);

#endif
