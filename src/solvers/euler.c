// SPDX-License-Identifier: MIT
//
// Euler's method.

#include "solvers/method.h"

static const Tableau tableau = {
    .order = 1,
    .stages = 1,
    .all_stages = 2,
    .dense_order = 1,
    .dense_terms = 1,
    .c = {0.0, 1.0},
    .a = {{0.0}, {1.0}},
};

METHOD_FIXED(EULER, 1, 1)
