// SPDX-License-Identifier: MIT
//
// Conditions, discrete variables and algebraic variables that agree with each other, at one point
// of a mode: of the active one at an event, of one that might become active, or of the start. This
// is the one place where they are solved for together.
//
// The sign that the engine gives a relation of the active mode counts as long as its event function
// has the value that the sign is about; what discrete variables moved is looked at literally. In a
// mode that might become active there are no signs yet: what is zero keeps the value it has; if it
// has none, or was zero by a constraint of the mode before, it takes the one that its derivative
// along the flow leads to. At the start conditions are what they are literally, and what is zero
// goes where the flow leads it if that is asked for.

#ifndef SALTUS_INSTANT_SETTLE_H
#define SALTUS_INSTANT_SETTLE_H

#include "instant/conditions.h"

typedef struct Settling Settling;

struct Settling {
    Point point;
    const signed char *signs; // of event functions; NULL: it is not the active mode
    const double *impulses;   // of a mode that might become active; may be NULL
    const Mode *before;       // of a mode that might become active: the active one
    bool is_start;
    bool by_course;    // what is zero goes where the flow leads it, all of it
    bool is_exact;     // of the start: what stays zero is so exactly
    bool *is_released; // of a mode that might become active, by hold: it is decided where what was
                       // zero goes
    bool by_held;      // it begins with what is held, and not with discrete variables
    bool goes_on;      // each round begins with the solution of the one before
    bool is_lasting;   // what is zero must be where the flow leads it
    bool is_staying;   // the conditions must ask for the mode
    bool is_unsigned;  // what the engine says of zeros does not count any more
    bool is_brief;     // only rounds: combinations of conditions are not searched
    bool has_held_changed;
    bool has_circled;      // conditions went in circles
    bool is_complementary; // they were found as a linear complementarity problem: some may be zero
    // Of the start: left limits that initial equations give. False: failed. NULL: there are none.
    bool (*update_lefts)(Settling *self, bool *changed);
    bool *is_restless;     // by number of the hold: it changed in circles; NULL: there were none
    unsigned char *turns;  // the same: how often it changed, up to two; NULL: nobody asks
    double *noise;         // of event functions, measured; NULL: not needed so far
    const char *wild;      // a discrete variable whose value is no number; NULL: none
    const ModelHold *lost; // a whole part of what is too large for it; NULL: none
};

// False, after a message, if there are no values that agree.
bool settle(Settling *s);

// The same where each value that agrees here ends at once, the flow leads from one to the other and
// back: the nearest combination that agrees and that the flow does not lead away from. A comparator
// with feedback jumps from one of its limits to the other where the values between come to an end.
// False: there is none; all is as it was.
bool settle_lasting(Settling *s);

// One round of it: conditions all together, then discrete variables. False: failed.
bool settle_round(Settling *s, bool is_first, bool *changed);

// The choices of a mode with the branches that it asks for, from the values of MODEL_CHOICES. True
// if they are not its own.
bool settle_wanted(const Mode *mode, const double *values, Choice *choices);
// Where no values agree: the choices that conditions ask for as they go in circles. The first round
// that does not ask for this mode counts; if there is none, the combination of restless conditions
// that is nearest to the last round. From what is held; false: there is none.
bool settle_asked(Settling *s, Choice *choices);
// Only the first round that does not ask for this mode; conditions and discrete variables are as it
// leaves them.
bool settle_first_asked(Settling *s, Choice *choices);

// Discrete variables as they follow from what is held; whether the mode is asked for then.
bool settle_asks(Settling *s);

// Conditions once, from the values that the point has. False: failed.
bool settle_conditions(Settling *s, bool *changed);

// After reinit: conditions of the active mode that the event has turned, that are zero and that the
// flow would turn back, are as they were before the event. So an elastic impact does not enter the
// mode of the contact.
bool settle_release(Settling *s, const double *left_held);

// At a point that is solved: what stays zero may have either value, and keeps the one it has; so
// does what the flow leads there. Whatever sign it had before. released: by hold.
bool settle_keep_zeros(Point *p, bool *released);

// Those conditions of the point, by hold, that stay zero there and that a choice of the mode
// depends on: they may have either value, unless the event itself has turned them (left_held: what
// they were before). After settle. Returns how many there are; false in *is_fine: failed.
uint32_t settle_free(Settling *s, const double *left_held, uint32_t *numbers, bool *is_fine);
// Sets of them that take the other value, the smallest first: the one after this, first after 0; 0
// after the last.
uint32_t settle_next_set(uint32_t set, uint32_t count);
void settle_turn(double *held, const uint32_t *numbers, uint32_t set);

#endif
