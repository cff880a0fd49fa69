// SPDX-License-Identifier: MIT
//
// Tearing of algebraic blocks: some variables are guessed, then the others follow one by one from
// equations that can be solved for them, and as many equations are left to correct the guess.
//
// H. Elmqvist, M. Otter: Methods for tearing systems of equations in object-oriented modeling, ESM
// 1994; F. E. Cellier, E. Kofman: Continuous System Simulation, section 7.4 (the heuristic). To
// find the fewest variables is NP-hard; this is greedy with a bounded look ahead.
//
// A long walk from one guess amplifies its error: u_k+1 = 3 u_k - u_k-1 does so by 2.6 in every
// step. Where the bound of this growth exceeds TEARING_GROWTH, another variable is torn.
//
// O(edges * log rows).

#ifndef SALTUS_STRUCTURE_TEARING_H
#define SALTUS_STRUCTURE_TEARING_H

#include "structure/graph.h"

#include <stdbool.h>

#define TEARING_GROWTH 1000.0

// Pairs of a row and a column: the first `solved` in the order in which they are solved, each row
// for its column; then the residual rows beside the torn columns.
typedef struct Tearing {
    uint32_t solved;
    const uint32_t *rows, *columns;
} Tearing;

// graph: as many rows as columns. is_solvable[edge]: the row can be solved for the column safely.
// weights: two for each edge, the least and the largest size of the coefficient in comparison to
// others of its row; NULL: 1. If more than `most` columns had to be torn it does not pay: then
// nothing is solved, and each row stands beside the column of its number.
Tearing tearing_find(Arena *arena, const Graph *graph, const bool *is_solvable,
                     const double *weights, uint32_t most);

#endif
