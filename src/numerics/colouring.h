// SPDX-License-Identifier: MIT
//
// Colours the columns of a sparse matrix so that no two columns of one colour have a
// row in common: then one difference yields all columns of a colour.
//
// A. R. Curtis, M. J. D. Powell, J. K. Reid: On the estimation of sparse Jacobian matrices,
// IMA J. Appl. Math. 13 (1974). Greedy, columns with most rows first; O(sum over the rows
// of the square of their lengths).

#ifndef SALTUS_NUMERICS_COLOURING_H
#define SALTUS_NUMERICS_COLOURING_H

#include <saltus/saltus.h>

// Colours 0, 1, ... of the n columns into `colour`. Returns their number, or -1: out of memory.
int colouring_columns(int n, const SaltusSparsity *sparsity, const SaltusAllocator *allocator,
                      int *colour);

#endif
