// SPDX-License-Identifier: MIT
//
// Consistent initialization as a problem of its own: every derivative v_j^(o), o <= d_j, is an
// unknown, and so are free parameters; every f_i^(p), p <= c_i, is an equation. To these come the
// initial equations and the fixed start values. What then is open is taken from start values that
// are not fixed.
//
// C. C. Pantelides: The consistent initialization of differential-algebraic systems, SIAM J. Sci.
// Stat. Comput. 9 (1988): the degrees of freedom are those of offsets.h, but not any set of as
// many variables may be given; which may is a matter of matching.
//
// Equations of the model are never given up. Of the others those come first that stand first in
// InitialKind; what cannot be satisfied any more is surplus, to be checked at the solution.

#ifndef SALTUS_STRUCTURE_INITIAL_H
#define SALTUS_STRUCTURE_INITIAL_H

#include "base/keep.h"
#include "structure/diagnosis.h"
#include "structure/structure.h"

typedef enum InitialKind {
    INITIAL_MODEL,    // f_i^(order), i = number
    INITIAL_EQUATION, // initial equation `number`
    INITIAL_FIXED,    // v_j = start, j = number
    INITIAL_START,    // the same, though it is not fixed
    INITIAL_ZERO,     // v_j^(order) = 0 (or the default start): there is no start value
    INITIAL_PARAMETER // input `number` has its start value
} InitialKind;

typedef struct InitialRow {
    InitialKind kind;
    uint32_t number, order;
    uint32_t unknown; // of the last four kinds: whose start value it is
} InitialRow;

typedef struct Initial {
    // All unknowns and all rows that must hold, to look at what is wrong; then the square system
    // that is solved, and its blocks. Their variables are `unknowns`; nothing is differentiated.
    const Signature *complete, *square;
    const Structure *structure;             // NULL: something is open
    const SignatureSymbol *unknowns;        // inputs: free parameters
    const InitialRow *rows, *complete_rows; // the equations of `square` and of `complete`
    const InitialRow *surplus; // initial equations and fixed starts that follow, or contradict
    const InitialRow *assumed; // rows of the last three kinds
    const uint32_t *open;      // unknowns that nothing determines
    uint32_t unknown_count, row_count, surplus_count, assumed_count, open_count;
} Initial;

// equations: the initial equations, a signature with the variables and inputs of the structure's
// and equations of its own; NULL: none.
const Initial *initial_create(Arena *arena, const Structure *structure, const Signature *equations);

// What is kept of it when it goes: the surplus, and the equations of these rows. NULL: NULL.
const Initial *initial_keep(const Initial *initial, const Keeper *keeper);

// Warnings for what is assumed and what is surplus, errors for what is open.
void initial_report(const Initial *initial, Diagnostics *diagnostics);

#endif
