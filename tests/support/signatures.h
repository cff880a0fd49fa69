// SPDX-License-Identifier: MIT
//
// Signatures in a few lines, for the tests of the structural analysis.
//
// An equation is a text of terms with spaces between them; what it means does not matter, only
// which derivatives occur and how:
//     x''      with the coefficient 1            x=-2.5   with a number as coefficient
//     x:p      with a parameter as coefficient   x:l      linear      x:n  linear, never zero
//     x~       nonlinear                         x~n      the same, its derivative is never zero
//     x*y'     a product of two                  @u'      an input
// A variable that is not declared is declared where it occurs first. A declaration is a name and
// attributes: "x start fixed prefer nominal=10".

#ifndef SALTUS_TESTS_SUPPORT_SIGNATURES_H
#define SALTUS_TESTS_SUPPORT_SIGNATURES_H

#include "structure/signature.h"

// Both lists end with NULL; `declarations` may be NULL.
const Signature *signatures_make(Arena *arena, const char *const *declarations,
                                 const char *const *equations);

// The number of the variable; fails the running test if there is none.
uint32_t signatures_variable(const Signature *s, const char *name);

// A ladder of n cells R, C with all quantities of the components as variables: 4 n + 1 equations.
const Signature *signatures_ladder(Arena *arena, uint32_t n);

// Random numbers that are the same everywhere (xorshift64*).
typedef struct Random {
    uint64_t state;
} Random;

uint32_t random_below(Random *random, uint32_t limit);
// Between -1 and 1.
double random_number(Random *random);

#endif
