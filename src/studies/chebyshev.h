// SPDX-License-Identifier: MIT
//
// Polynomials on an interval as sums of Chebyshev polynomials, c_0 T_0(s) + c_1 T_1(s) + ... with s
// in [-1, 1]: through values at the zeros of T_9 or T_27 (those of the first are among those of the
// second), with their extrema, zeros and integrals (L. N. Trefethen: Approximation Theory and
// Approximation Practice, chapters 3, 4, 18, 19).

#ifndef SALTUS_STUDIES_CHEBYSHEV_H
#define SALTUS_STUDIES_CHEBYSHEV_H

#include <stdbool.h>

enum { CHEBYSHEV_FEW = 9, CHEBYSHEV_MANY = 27, CHEBYSHEV_TABLE = 4 * CHEBYSHEV_MANY };

typedef struct Chebyshev {
    int count; // of coefficients
    double c[CHEBYSHEV_MANY];
} Chebyshev;

// cos(j pi / 54), from which nodes and coefficients come.
void chebyshev_prepare(double table[CHEBYSHEV_TABLE]);

// The node i of `count` (9 or 27), ascending. Node i of 9 is node 3 i + 1 of 27.
double chebyshev_node(const double table[CHEBYSHEV_TABLE], int count, int i);

// The polynomial with these values at the nodes.
void chebyshev_fit(Chebyshev *f, const double table[CHEBYSHEV_TABLE], int count,
                   const double *values);
// Whether its last coefficients are below the noise: more nodes would change nothing.
bool chebyshev_is_resolved(const Chebyshev *f, double noise);
// Adds a straight line, so that it has these values at -1 and 1.
void chebyshev_meet(Chebyshev *f, double left, double right);

double chebyshev_value(const Chebyshev *f, double s);
double chebyshev_integral(const Chebyshev *f, double from, double to);
// No value is larger than this, none smaller than its negative (Chebyshev polynomials are at most
// 1).
double chebyshev_bound(const Chebyshev *f);

// Places inside (-1, 1) where the derivative changes its sign, ascending; returns how many.
int chebyshev_extrema(const Chebyshev *f, double extrema[CHEBYSHEV_MANY]);
// The zero between a and b, where its values have different signs.
double chebyshev_root(const Chebyshev *f, double a, double b);

#endif
