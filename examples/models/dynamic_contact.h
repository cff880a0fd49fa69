// SPDX-License-Identifier: MIT
//
// The ball with dynamic contact (ARGESIM C21, case study 1). States: x, the height of the bottom
// of the undeformed ball; v; w, the deformation. The true bottom is y = x + w.
//     flight    x' = v,   v' = -g - beta v |v|,   w' = -(k/d) w
//     contact   x' = v,   v' = -g - k x - d v,    w' = -v       (so that y stays zero)
// Event C, y falls through zero: contact. Event F, the contact force f_c = -k x - d v falls
// through zero: flight. There y = y' = 0: the flight starts tangentially, event C has a double
// root at its start. Recorded (SE-O): the height of each flight, the largest w of each contact.

#ifndef MODELS_DYNAMIC_CONTACT_H
#define MODELS_DYNAMIC_CONTACT_H

#include <saltus/saltus.h>

enum { CONTACT_X, CONTACT_V, CONTACT_W };
enum {
    CONTACT_G,
    CONTACT_BETA,
    CONTACT_K,
    CONTACT_D,
    CONTACT_DRAG, // 1: drag also in contact, as one of the published solutions has it
    CONTACT_ON,   // in the variant with one mode: 1 in contact
    CONTACT_PARAMETERS,
};
enum { CONTACT_FLIGHT, CONTACT_CONTACT };  // modes
enum { CONTACT_EVENT_C, CONTACT_EVENT_M }; // event functions of the flight
enum { CONTACT_EVENT_F, CONTACT_EVENT_W }; // event functions of the contact

// g = 9.81, beta = 0.002, k = 1e6, d = 500, no drag in contact.
extern const double contact_parameters[CONTACT_PARAMETERS];

// As a hybrid decomposition: two modes with the same states (SE-F).
SaltusStatus dynamic_contact_create(SaltusSystem **system, SaltusError *error);

// As switching parts: one mode, whose equations contain the parameter CONTACT_ON (SE-P). Its
// event functions are C, F, M, W in this order.
SaltusStatus dynamic_contact_create_switched(SaltusSystem **system, SaltusError *error);

#endif
