// SPDX-License-Identifier: MIT
//
// Right-hand sides written by hand, that of models and of generated code are compared with:
//
//   pendulum   2 states, one sine; parameter g / l
//   rlc        3 states: an inductor and a resistor in series with a capacitor, which a diode
//              (Shockley) with a series capacitor discharges; a sinusoidal source. Parameters
//              L, R, C, C2, saturation current, thermal voltage, amplitude, frequency
//   chain      400 states: 200 pendulums with springs between neighbours and damping; parameters
//              stiffness and damping. Angles first, then velocities

#ifndef SALTUS_BENCHMARKS_SUPPORT_BY_HAND_H
#define SALTUS_BENCHMARKS_SUPPORT_BY_HAND_H

#include <saltus/saltus.h>

enum { BY_HAND_PENDULUMS = 200 };

int by_hand_pendulum(const SaltusContext *c, double t, const double *x, const double *z,
                     double *dx);
int by_hand_rlc(const SaltusContext *c, double t, const double *x, const double *z, double *dx);
int by_hand_chain(const SaltusContext *c, double t, const double *x, const double *z, double *dx);

#endif
