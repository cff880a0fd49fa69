// SPDX-License-Identifier: MIT
//
// The constrained pendulum (ARGESIM C7): phi from the rest position, a pin at phi_p = -pi/12 at the
// distance l_p below the suspension shortens the rope:
//     phi'' = -(g/r) sin phi - (d/m) phi',   r = l, or l - l_p beyond the pin
// Event, phi - phi_p crosses zero: r changes, r phi' does not (SE-P + SE-X).

#ifndef MODELS_CONSTRAINED_PENDULUM_H
#define MODELS_CONSTRAINED_PENDULUM_H

#include <saltus/saltus.h>

enum { PIN_PHI, PIN_OMEGA };
enum {
    PIN_M,
    PIN_G,
    PIN_D,
    PIN_L,     // free length
    PIN_LP,    // distance of the pin
    PIN_PHI_P, // its angle
    PIN_PHI_0, // start, at rest
    PIN_R,     // length now; set at the start and by the events
    PIN_PARAMETERS,
};

extern const double pin_case_a[PIN_PARAMETERS]; // d = 0.2, phi_0 = pi/6
extern const double pin_case_b[PIN_PARAMETERS]; // d = 0.1, phi_0 = -pi/6

SaltusStatus constrained_pendulum_create(SaltusSystem **system, SaltusError *error);

#endif
