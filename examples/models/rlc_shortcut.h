// SPDX-License-Identifier: MIT
//
// The RLC circuit with a shortcut diode (ARGESIM C21, case study 2): source u0 = -sin(2 pi f t),
// R1, L in series, then the branch R2, C, and the diode in parallel to that branch. States: i, the
// current of the source; u_C. With s = R2 i + u_C and the orientation `up` of the diode:
//     locking      C u_C' = i,         L i' = u0 - R1 i - s,   u_D = -s   (s > 0)
//     conducting   C u_C' = -u_C/R2,   L i' = u0 - R1 i,       u_D = 0,   i_D = -s/R2   (s < 0)
// `down` is the same with the other sign of s. Conduction ends when i_D changes its sign, locking
// when u_D does: both where s = 0. The run starts there, with s = s' = 0.

#ifndef MODELS_RLC_SHORTCUT_H
#define MODELS_RLC_SHORTCUT_H

#include <saltus/saltus.h>

enum { RLC_I, RLC_UC };
enum { RLC_R1, RLC_R2, RLC_L, RLC_C, RLC_F, RLC_ORIENTATION, RLC_PARAMETERS };
enum { RLC_LOCKING, RLC_CONDUCTING };
enum { RLC_UP = 1, RLC_DOWN = -1 }; // orientations

// R1 = 1e3, R2 = 20, L = 25.3e-6, C = 100e-9, f = 0.15e6, up.
extern const double rlc_parameters[RLC_PARAMETERS];
extern const double rlc_parameters_down[RLC_PARAMETERS];

SaltusStatus rlc_shortcut_create(SaltusSystem **system, SaltusError *error);

// The voltage of the diode.
double rlc_shortcut_voltage(int mode, const double *p, const double *x);

#endif
