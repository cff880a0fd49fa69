// SPDX-License-Identifier: MIT
//
// The rotating pendulum with free flight (ARGESIM C21, case study 3), on a rope of length l, angle
// phi from the top:
//     swinging   phi'' = -(k/m) phi' + (g/l) sin phi,   rope force F = m l phi'^2 - m g cos phi
//     falling    m x'' = -k x',   m y'' = -m g - k y'
// Event F, the rope force falls through zero: from (phi, omega) to (x, y, vx, vy) (SE-S). Event S,
// x^2 + y^2 - l^2 rises through zero: back; the tangential velocity is kept, the radial one lost.
// That function has a triple zero at the start of the fall.
// Recorded (SE-O): turning points, and where the forerunner's stop criterion
// sin^2 phi + 10 phi'^4 - sin^2(pi/10) changes its sign. The first turning point within pi/10 of
// the rest position ends the run.

#ifndef MODELS_ROTATING_PENDULUM_H
#define MODELS_ROTATING_PENDULUM_H

#include <saltus/saltus.h>

enum { PENDULUM_PHI, PENDULUM_OMEGA };                     // states while swinging
enum { PENDULUM_X, PENDULUM_Y, PENDULUM_VX, PENDULUM_VY }; // states while falling
enum { PENDULUM_M, PENDULUM_K, PENDULUM_L, PENDULUM_G, PENDULUM_PARAMETERS };
enum { PENDULUM_SWINGING, PENDULUM_FALLING };                 // modes
enum { PENDULUM_EVENT_F, PENDULUM_TURN, PENDULUM_CRITERION }; // event functions while swinging

extern const double pendulum_parameters[PENDULUM_PARAMETERS]; // 1.5, 0.9, 1, 9.81

SaltusStatus rotating_pendulum_create(SaltusSystem **system, SaltusError *error);

#endif
