// SPDX-License-Identifier: MIT
//
// Heun's method of order 2, the embedded solution is Euler's.

#include "solvers/method.h"

static const Tableau tableau = {
    .order = 2,
    .stages = 2,
    .all_stages = 3,
    .error_order = 1,
    .dense_order = 2,
    .dense_terms = 2,
    .c = {0.0, 1.0, 1.0},
    .a = {{0.0}, {1.0}, {1.0 / 2, 1.0 / 2}},
    .error = {-1.0 / 2, 1.0 / 2},
};

METHOD_FIXED(HEUN, 2, 2)
