// SPDX-License-Identifier: MIT
//
// Kutta's classical method.

#include "solvers/method.h"

static const Tableau tableau = {
    .order = 4,
    .stages = 4,
    .all_stages = 5,
    .dense_order = 3,
    .dense_terms = 3,
    .c = {0.0, 1.0 / 2, 1.0 / 2, 1.0, 1.0},
    .a = {{0.0}, {1.0 / 2}, {0.0, 1.0 / 2}, {0.0, 0.0, 1.0}, {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}},
};

METHOD_FIXED(RK4, 4, 3)
