// SPDX-License-Identifier: MIT
//
// Jumps that equations make while the mode stays: a constraint that has another value after an
// event than before. A gear ratio changes, the voltage of a source steps, an imposed motion begins;
// or reinit gives a velocity a value that other constraints do not fit to. What is known below the
// highest derivatives then goes from its left limits to right limits by the restart of the mode
// (impulse.h), the same as where a mode is entered, so that it does not matter which of it are
// states.
//
//   Jumps j;
//   jumps_begin(&j, event, &settling)   // once the values of the iteration's beginning are solved
//   settle(...)
//   jumps_follow(&j)                    // settled again, where something has jumped
//   jumps_note(&j); ... states are reinitialised ...; jumps_reinit(&j, actions)
//   jumps_end(&j)
//
// What always holds: nothing moves unless a constraint has another value, or reinit moved what one
// contains. Conditions and discrete variables are those that agree with the values after the jump;
// if there are none, or if a condition that the jump turns decides about the jump itself, the run
// fails with a message.

#ifndef SALTUS_INSTANT_JUMPS_H
#define SALTUS_INSTANT_JUMPS_H

#include "instant/settle.h"

// Positions are projected this far, at least, relative to value plus nominal value.
#define JUMPS_TOLERANCE 1e-8

typedef struct Jumps {
    SaltusEvent *event;
    Settling *s;
    double *left;    // vectors of the restarts of all parts; NULL: nothing can jump here
    double *begun;   // values of MODEL_LEFT when the iteration began
    ModelMemory was; // discrete variables and conditions at that time
    void *block;
    bool *is_left; // by part: its conditions ask for another mode
    bool has_jumped;
} Jumps;

// False, here and below: the run has failed.
bool jumps_begin(Jumps *j, SaltusEvent *event, Settling *s);
void jumps_end(Jumps *j);

// After settle: the jump of the parts whose constraints ask for one, and whose if-equations do not
// ask for another mode. (Where a transition of a machine fires, the iteration ends in the mode that
// is left first.)
bool jumps_follow(Jumps *j);

// Where another mode is entered: the left limits that it starts from. Constraints of this mode that
// have changed with the conditions that end it count no more. False: they are not known here.
bool jumps_leave(const Jumps *j);

// Before states are reinitialised: what all variables are.
void jumps_note(Jumps *j);
// Afterwards: what is reinitialised is kept, all other constraints hold. Also of velocities that
// are not states; jumps_can_reinit says which. actions: values of MODEL_ACTIONS. impulses: those of
// the mode's event functions, as impulse_solve says; a rope that a reinit would make push has a
// negative one.
bool jumps_reinit(Jumps *j, const double *actions, double *impulses);
bool jumps_can_reinit(const Mode *mode, uint32_t action);

#endif
