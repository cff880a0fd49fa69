// SPDX-License-Identifier: MIT

#include "solvers/tableau.h"

#include "solvers/tableaux.h"
#include <stddef.h>

const Tableau *tableau_of(SaltusSolver solver)
{
    switch (solver) {
    case SALTUS_SOLVER_EULER:
        return &tableau_euler;
    case SALTUS_SOLVER_HEUN:
        return &tableau_heun;
    case SALTUS_SOLVER_RK4:
        return &tableau_rk4;
    case SALTUS_SOLVER_DOPRI5:
        return &tableau_dopri5;
    case SALTUS_SOLVER_DOP853:
        return &tableau_dop853;
    default:
        return NULL;
    }
}
