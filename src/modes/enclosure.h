// SPDX-License-Identifier: MIT
//
// Bounds of the event functions that depend on time alone between events, on intervals of time:
// proofs that they do not cross zero there (events/bounds.h).
//
// An event function is one of time alone if all that it needs is computed from time, parameters,
// and what changes at events only, by the operators of base/operator_table.h, in not too many
// steps. It is put together from the definitions of the mode, and differentiated.

#ifndef SALTUS_MODES_ENCLOSURE_H
#define SALTUS_MODES_ENCLOSURE_H

#include "modes/mode_maker.h"

typedef enum EnclosureKind {
    ENCLOSURE_NUMBER,
    ENCLOSURE_TIME,
    ENCLOSURE_INPUT, // of vector a, at b
    ENCLOSURE_OPERATION,
    ENCLOSURE_POWER, // a ^ power
} EnclosureKind;

typedef struct EnclosureStep {
    uint8_t kind, op;
    int8_t power;
    uint8_t a, b, c;  // earlier steps
    bool is_constant; // between events: computed as the run does it, without bounds
    uint16_t vector;
    uint32_t index;
    double number;
} EnclosureStep;

// Steps whose last one is the function, at `value`, then those that its slope needs besides.
typedef struct Enclosure {
    const EnclosureStep *steps; // NULL: it is not a function of time alone
    uint32_t count;
    uint8_t value, slope;
    bool has_slope;
} Enclosure;

// Of all event functions of the mode that is made, marked as such in its events.
void enclosure_find(ModeMaker *k);
const Enclosure *enclosure_keep(const Enclosure *enclosures, uint32_t count, const Keeper *keeper);
// For the engine: SaltusEventBounds, with a Mode as data.
void enclosure_bounds(const SaltusContext *c, int event, double from, double to,
                      SaltusBounds *bounds);

#endif
