// SPDX-License-Identifier: MIT
//
// Square systems whose matrix may have no inverse: solutions of least norm (rank.h), after rows and
// columns have been scaled so that their largest entries are about one. So neither the units of
// the equations nor those of the unknowns decide about the rank.

#ifndef SALTUS_NUMERICS_RANKED_H
#define SALTUS_NUMERICS_RANKED_H

#include <saltus/saltus.h>

enum { RANKED_LARGEST = 1000 }; // unknowns: it is dense, and O(n^3) at every solution

typedef struct Ranked Ranked;

// NULL: out of memory.
Ranked *ranked_create(int n, const SaltusAllocator *allocator);
void ranked_destroy(Ranked *ranked); // NULL is allowed

// Takes a matrix, by columns: dense, or with a pattern if column_start is not NULL. Returns its
// rank; -1: it is not finite.
int ranked_set(Ranked *ranked, const double *values, const int *column_start, const int *rows);

// b becomes the shortest of the x that minimise |A x - b|, in the units of the scaled system.
void ranked_solve(Ranked *ranked, double *b);

// Whether the solutions of A x = b differ in x_j.
bool ranked_is_open(const Ranked *ranked, int j);

// How many independent solutions A x = 0 has, and one of them.
int ranked_nullity(const Ranked *ranked);
void ranked_null(const Ranked *ranked, int k, double *x);

#endif
