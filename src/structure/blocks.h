// SPDX-License-Identifier: MIT
//
// Block lower triangular order: the strongly connected components of "row r needs the variable that
// row q is solved for", in an order in which every block comes after those it needs.
//
// R. E. Tarjan: Depth-first search and linear graph algorithms, SIAM J. Comput. 1 (1972);
// I. S. Duff, J. K. Reid: An implementation of Tarjan's algorithm for the block triangularization
// of a matrix, ACM TOMS 4 (1978). O(rows + edges), without recursion.
//
// The blocks are the same for every perfect matching; the order depends on that of the rows only.

#ifndef SALTUS_STRUCTURE_BLOCKS_H
#define SALTUS_STRUCTURE_BLOCKS_H

#include "structure/matching.h"

typedef struct Blocks {
    uint32_t count;
    const uint32_t *start; // count + 1
    const uint32_t *rows;  // of block b: rows[start[b]] ..., ascending
    const uint32_t *of_row;
} Blocks;

// `m` must be perfect for the rows; columns without a row are known.
Blocks blocks_find(Arena *arena, const Graph *graph, const Matching *m);

#endif
