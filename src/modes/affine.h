// SPDX-License-Identifier: MIT
//
// Modes whose equations are linear with constant coefficients between events, and whose inputs are
// functions of time of which the derivatives lead to no new ones: t^k, exp(a t), sin(w t + p), and
// products of such. For the solver exact:
//     x' = A x + B w(t),   w' = W w.
//
// Every equation that the derivatives of the states follow from is taken as a row, a sum of
// coefficients times states, signals w and other unknowns. The coefficients depend on nothing but
// parameters and what changes at events only. So they are computed when the solver starts, and the
// unknowns are eliminated then, block after block, which leaves A and B.

#ifndef SALTUS_MODES_AFFINE_H
#define SALTUS_MODES_AFFINE_H

#include "modes/program.h"

// Unknowns from `first` on. Solved: their rows are zero; else each row is its unknown, in order.
typedef struct AffineBlock {
    uint32_t first, size;
    bool is_solved;
} AffineBlock;

// An element of W.
typedef struct AffineRate {
    uint32_t row, column;
} AffineRate;

typedef struct Affine {
    const Program *program; // one entry: coefficients, then signals
    uint32_t state_count, signal_count, unknown_count;
    uint32_t term_count, rate_count, block_count, number_count, coefficient_count;
    const uint16_t *columns; // of the terms of rows: states, then signals, then unknowns
    const uint16_t *sources; // of terms, then of rates: a number, or behind these a coefficient
    const double *numbers;   // what they are multiplied by, if that is known now
    const uint16_t *ends;    // by unknown: where the terms of its row end
    const AffineBlock *blocks;
    const AffineRate *rates;
    const uint32_t *derivatives; // of the states: columns
    uint32_t widest;             // unknowns of the largest block
} Affine;

// Modes of more states are not looked at.
enum { AFFINE_MOST_STATES = 200 };

// In the arena of the graph. NULL: the equations are not like that; *why says which one, for
// people, in that arena.
const Affine *affine_find(Dag *dag, const Solution *solution, const CodePlace *places,
                          Diagnostics *diagnostics, const char **why);
const Affine *affine_keep(const Affine *affine, const Keeper *keeper);

typedef struct AffineScratch AffineScratch;

AffineScratch *affine_scratch(const Affine *affine); // NULL: out of memory
void affine_scratch_free(AffineScratch *scratch);    // NULL is allowed
// The coefficients, then the signals; false: an evaluation failed.
bool affine_coefficients(const Affine *affine, AffineScratch *scratch, const ProgramInputs *inputs,
                         double *values);
// Puts A, B and W into a matrix of n columns of n numbers: the states from `state`, the signals
// from `signal` on. False: a block has no inverse.
bool affine_matrix(const Affine *affine, AffineScratch *scratch, const double *coefficients,
                   size_t n, size_t state, size_t signal, double *matrix);

#endif
