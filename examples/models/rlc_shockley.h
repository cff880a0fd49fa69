// SPDX-License-Identifier: MIT
//
// The RLC circuit with a Shockley diode (ARGESIM C21, case study 2), orientation `up`: source
// u0 = -sin(2 pi f t), R1, L in series, then the branch R2, C, and the diode in parallel to it.
//     C u_C' = i + i_D,   L i' = u0 - R1 i - R2 (i + i_D) - u_C,   u_D = -R2 (i + i_D) - u_C
//     locking      i_D = 0                          while u_D < 0
//     conducting   i_D = I_S (exp(u_D/U_T) - 1)     while u_D > 0
// Conducting is a differential-algebraic system of index 1, with u_D or i_D as its algebraic
// unknown; locking has none. So both events are SE-S.

#ifndef MODELS_RLC_SHOCKLEY_H
#define MODELS_RLC_SHOCKLEY_H

#include <saltus/saltus.h>

enum { SHOCKLEY_I, SHOCKLEY_UC };
enum {
    SHOCKLEY_R1,
    SHOCKLEY_R2,
    SHOCKLEY_L,
    SHOCKLEY_C,
    SHOCKLEY_F,
    SHOCKLEY_IS,
    SHOCKLEY_UT,
    SHOCKLEY_PARAMETERS,
};
enum { SHOCKLEY_LOCKING, SHOCKLEY_CONDUCTING };
typedef enum ShockleyUnknown { SHOCKLEY_VOLTAGE, SHOCKLEY_CURRENT } ShockleyUnknown;

// R1 = 1e3 (the diode hardly conducts), or 10 (it matters); R2 = 20, L = 25.3e-6, C = 100e-9,
// f = 0.15e6, I_S = 1e-8, U_T = 26e-3.
extern const double shockley_weak[SHOCKLEY_PARAMETERS];
extern const double shockley_strong[SHOCKLEY_PARAMETERS];

SaltusStatus rlc_shockley_create(ShockleyUnknown unknown, SaltusSystem **system,
                                 SaltusError *error);

// The voltage of the diode.
double rlc_shockley_voltage(ShockleyUnknown unknown, int mode, const double *p, const double *x,
                            const double *z);

#endif
