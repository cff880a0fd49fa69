// SPDX-License-Identifier: MIT
//
// What an Impulse consists of: for impulse*.c only.

#ifndef SALTUS_MODES_IMPULSE_PARTS_H
#define SALTUS_MODES_IMPULSE_PARTS_H

#include "modes/impulse.h"

// A part of the jump with the entries of the program that evaluate it.
typedef struct ImpulsePart {
    const JumpPart *jump;
    const uint32_t *places;               // of columns, in x; CODE_NONE: an impulse
    uint32_t constraint_count;            // rows; they come first
    uint32_t slope_count;                 // entries of constraints; they come first
    uint32_t residuals, slopes, balances; // entries of the program; the last two: coefficients
    uint32_t first_coefficient;           // in scratch->frozen: those of the balances
    uint32_t first_column;                // in scratch->jumps
} ImpulsePart;

struct ImpulseScratch {
    ProgramScratch *program;
    double *left;    // x as it was
    double *missing; // by x: 1: it had no value
    double *frozen;  // coefficients of the balances at the left limits, by part
    double *past;    // the same with conditions and discrete variables as they were
    double *now;     // the same later, of one part, or of events
    double *jumps;   // D_j, by part
    double *rests;   // by part: 1: nothing in it moves
    // of the part that is solved
    double *residuals, *slopes;
    double *matrix, *right, *step, *freedom, *work, *row_scale, *column_scale, *before;
    int *order, *unknown, *extra; // columns: the number of V_j or impulse, of D_j apart from V_j
    int *acting; // columns that reinit fixed: the balance in which the impulse acts; -1: all
};

static inline bool impulse_is_fixed(const ImpulseCall *c, uint32_t place)
{
    return c->is_fixed && place != CODE_NONE && c->is_fixed[place];
}

// value + nominal value of what stands at a place of x
double impulse_size(const ImpulseCall *c, uint32_t place);
// Evaluates the constraints: s->residuals, s->slopes. False: failed.
bool impulse_constraints(ImpulseCall *c, const ImpulsePart *part);
// Whether they hold, after that, up to rounding.
bool impulse_holds(const ImpulseCall *c, const ImpulsePart *part);
// Moves positions so that the constraints hold.
ImpulseStatus impulse_project(ImpulseCall *c, const ImpulsePart *part);
// Finds the jump; s->frozen has the coefficients.
ImpulseStatus impulse_jump(ImpulseCall *c, const ImpulsePart *part);
// The balance in which an impulse acts that moves the velocity of this column; CODE_NONE: it cannot
// be said. s->frozen has the coefficients.
uint32_t impulse_conjugate(const ImpulseCall *c, const ImpulsePart *part, uint32_t column);
// Sets the message; returns the status.
ImpulseStatus impulse_report(ImpulseCall *c, ImpulseStatus status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
