// SPDX-License-Identifier: MIT
//
// The heat equation on a square with m * m cells, cooled on its rim, heated where a cubic sink
// lets it: a sparse, stiff problem of any size, in every form a mode can have.
//
//   u' = m^2 / 100 (u_left + u_right + u_below + u_above - 4 u) - u^3 + sin t / 10

#ifndef SALTUS_TESTS_SUPPORT_HEAT_H
#define SALTUS_TESTS_SUPPORT_HEAT_H

#include <saltus/saltus.h>

typedef enum HeatForm {
    HEAT_ODE,
    HEAT_SEMI_EXPLICIT, // with z = u^3, one of each cell
    HEAT_IMPLICIT,      // 0 = (1 + u^2) (u' - f)
} HeatForm;

typedef struct Heat {
    int m;
    SaltusModeDef mode;
    SaltusSparsity sparsity;
    double *start;
    int *column_start;
    int *rows;
} Heat;

// `heat` must not move. sparse: the mode tells its sparsity.
void heat_create(Heat *heat, int m, HeatForm form, bool sparse);
void heat_destroy(Heat *heat);

#endif
