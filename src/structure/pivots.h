// SPDX-License-Identifier: MIT
//
// Chooses a column for every row of a sparse matrix with more columns than rows, so that the
// square matrix of the chosen columns is far from singular: Gaussian elimination by rows with
// column pivoting, where columns may be wanted more or less.
//
// In exact arithmetic, and if only the ranks counted, the chosen columns are the leading ones of
// the echelon form with the columns in the order of their ranks, whatever the order of the rows:
// the greedy optimum of the linear matroid. So the rows may come in the order that keeps the
// matrix sparse (fewest entries first: H. M. Markowitz, Management Sci. 3, 1957), or serves the
// entries that can be trusted.

#ifndef SALTUS_STRUCTURE_PIVOTS_H
#define SALTUS_STRUCTURE_PIVOTS_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

#define PIVOTS_CLOSED UINT8_MAX

typedef struct PivotsMatrix {
    uint32_t row_count, column_count;
    const uint32_t *start;   // row_count + 1
    const uint32_t *columns; // of each entry
    const double *values;
    // How far an entry can be trusted not to vanish: 0 is best; NULL: all alike. Rows come in the
    // order of the number of their best entries, so that a row with one of them gets it.
    const uint8_t *doubts;
    // Columns of a low rank are chosen first. A column is chosen for its `rank` if its pivot is
    // `worth` of the largest in the row, and among those for the least doubt, then for its `taste`
    // if it is `equal` of the largest of them; then comes its size, then the number of rows it
    // occurs in, or the other way round. rank PIVOTS_CLOSED: the column must not be chosen.
    const uint8_t *rank, *taste;
    double worth, equal;
    bool is_sparsity_first;
} PivotsMatrix;

typedef struct Pivots Pivots; // working memory, which grows to what is needed and is kept

Pivots *pivots_create(Arena *arena);

// picked[r] becomes the column of row r. Returns the logarithm (base 2) of the absolute value of
// the determinant of the chosen columns; -INFINITY: the rows depend on each other.
double pivots_pick(Pivots *p, const PivotsMatrix *matrix, uint32_t *picked);

// Rows whose weighted sum is zero; the last of them is the one that the others make superfluous.
typedef struct PivotsDependence {
    uint32_t count;
    const uint32_t *rows;
    const double *weights; // of the last row: 1
} PivotsDependence;

// All that there are, one for each superfluous row; ranks do not count. In the arena.
uint32_t pivots_dependences(Pivots *p, const PivotsMatrix *matrix, PivotsDependence **found);

#endif
