// SPDX-License-Identifier: MIT
//
// Ridders' method: the derivative of a vector of functions of one variable, by central differences
// over steps that are halved, extrapolated to the step zero as a polynomial in its square. Every
// function takes the entry of the tableau whose estimated error is smallest.

#ifndef SALTUS_STUDIES_RIDDERS_H
#define SALTUS_STUDIES_RIDDERS_H

#include <stdbool.h>

// The functions at `from` + `by`; *step is by how much the variable really moved. 0, or they cannot
// be evaluated there.
typedef int (*RiddersFunctions)(void *user, double from, double by, double *values, double *step);

typedef struct Ridders Ridders;

Ridders *ridders_create(int count); // of functions; NULL: out of memory
void ridders_destroy(Ridders *ridders);

// `step`: where it begins; it shrinks by itself where the functions cannot be evaluated, or are too
// curved. *error: the largest estimate, relative to the derivative or to what rounding allows.
// False: they cannot be evaluated near `from`.
bool ridders_derive(Ridders *ridders, RiddersFunctions functions, void *user, double from,
                    double step, double *derivative, double *error);

#endif
