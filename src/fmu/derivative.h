// SPDX-License-Identifier: MIT
//
// Directional and adjoint derivatives of an instance where it is, in its active mode: of
// derivatives, event functions and variables, by states and continuous inputs. Exact, forward
// through the equations (modes/tangent.h); where these call users' functions, or have no unique
// solution, by Ridders' method (studies/ridders.h), whose extrapolated differences have about
// twelve digits of smooth functions.

#ifndef SALTUS_FMU_DERIVATIVE_H
#define SALTUS_FMU_DERIVATIVE_H

#include "fmu/instance.h"

typedef struct DerivativeDef {
    const uint32_t *unknowns, *knowns; // value references
    size_t unknown_count, known_count;
} DerivativeDef;

// sensitivity = J seed, with a number for each unknown.
FmuStatus derivative_directional(Fmu *fmu, const DerivativeDef *def, const double *seed,
                                 double *sensitivity);
// sensitivity = J' seed, with a number for each known.
FmuStatus derivative_adjoint(Fmu *fmu, const DerivativeDef *def, const double *seed,
                             double *sensitivity);

// The derivatives of all variables as time goes on from a point of the run's active mode, inputs at
// rest; dx: those of its states. False: they cannot be computed.
bool derivative_along(const Fmu *fmu, double t, const double *x, const double *dx, double *slopes);

#endif
