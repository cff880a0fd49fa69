// SPDX-License-Identifier: MIT
//
// Maximum matchings of rows with columns, and what to say where there is no perfect one.
//
// J. E. Hopcroft, R. M. Karp: An n^(5/2) algorithm for maximum matchings in bipartite graphs,
// SIAM J. Comput. 2 (1973); start: R. M. Karp, M. Sipser: Maximum matchings in sparse random
// graphs, FOCS 1981, which is exact on forests.
// A. L. Dulmage, N. S. Mendelsohn: Coverings of bipartite graphs, Canad. J. Math. 10 (1958).
//
// What always holds: column_of[r] == c if and only if row_of[c] == r. Extending a matching never
// leaves a row or a column alone that had a partner.

#ifndef SALTUS_STRUCTURE_MATCHING_H
#define SALTUS_STRUCTURE_MATCHING_H

#include "structure/graph.h"

#include <stdbool.h>

typedef struct Matching {
    uint32_t *column_of; // GRAPH_NONE: the row is alone
    uint32_t *row_of;
    uint32_t size;
} Matching;

Matching matching_empty(Arena *arena, uint32_t row_count, uint32_t column_count);

// Extends `m` to a maximum matching. O(edges * sqrt(rows)), in practice a few passes.
void matching_maximum(Arena *arena, const Graph *graph, Matching *m);

// Extends `m` so that as many of the given rows as possible have a partner, besides those that
// have one already. Called for classes of rows, the most important first, this is the greedy
// algorithm of the transversal matroid (J. Edmonds, D. R. Fulkerson, J. Res. NBS 69B, 1965): no
// matching has more rows of the first class, and then of the second, and so on.
void matching_extend(Arena *arena, const Graph *graph, const uint32_t *rows, uint32_t count,
                     Matching *m);

// The parts of Dulmage and Mendelsohn, the same for every maximum matching.
typedef enum MatchingPart {
    MATCHING_SQUARE, // as many rows as columns, all matched
    MATCHING_OVER,   // more rows than columns: any of these rows may be the one that is too much
    MATCHING_UNDER,  // more columns than rows: any of these columns may be the one left open
} MatchingPart;

typedef struct MatchingParts {
    uint8_t *of_row, *of_column; // MatchingPart
    uint32_t surplus_rows;       // rows without a column
    uint32_t surplus_columns;
} MatchingParts;

// `m` must be maximum. O(edges).
MatchingParts matching_parts(Arena *arena, const Graph *graph, const Matching *m);

#endif
