// SPDX-License-Identifier: MIT
//
// Clocked equations as definitions: at the ticks of their clock they hold, between ticks what they
// determine keeps its value: v = if tick then e else pre(v).
//
// Equations that determine several variables together are solved by the continuous equations of
// the model (see settle.c: rounds of solving them, then the discrete variables). For each v of such
// a loop there is an algebraic unknown z, and the equations are about z:
//
//   0 = if ticked then residual(z, k) else z - start(v)
//   v = if tick then z else pre(v)
//
// where k are what the residual needs from elsewhere, taken at the tick, so that z stays as it is
// between ticks; before the first one there is nothing to be solved.

#ifndef SALTUS_MODES_ASSEMBLE_CLOCK_H
#define SALTUS_MODES_ASSEMBLE_CLOCK_H

#include "modes/assemble_match.h"

typedef struct ClockedEquation {
    const AssembledEquation *equation;
    GraphVariable variable; // that it determines
    Node value;             // NODE_NONE: it cannot be solved for it exactly
} ClockedEquation;

void assemble_clocked(Assembly *a, const ClockedEquation *equations, uint32_t count);
// The value that left = right gives the variable, if that is a quotient by a number or a parameter;
// NODE_NONE: it is not.
Node assemble_clocked_linear(Assembly *a, const AssembledEquation *equation,
                             GraphVariable variable);

#endif
