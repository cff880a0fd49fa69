// SPDX-License-Identifier: MIT
//
// The equations of one mode as expressions, and their signature: what connects the structural
// analysis with the graph of expressions.
//
// An entry is *partial* also where its coefficient is an if-expression that is zero on one side:
// 0 = if open then i else u. So one may ask, as branches.h does, whether a matching exists that no
// side of an if-expression breaks.

#ifndef SALTUS_STRUCTURE_SYSTEM_H
#define SALTUS_STRUCTURE_SYSTEM_H

#include "equations/dag.h"
#include "structure/signature.h"

typedef struct SystemEquation {
    Node left, right;
    SignatureEquation about;
} SystemEquation;

typedef struct System {
    Dag *dag;
    const SystemEquation *equations;
    const SystemEquation *initial;
    // `origin` is the variable of the graph. Of a variable, only what is not differentiated; its
    // derivatives are der(...) of the graph. Inputs: known functions of time, and free parameters.
    const SignatureVariable *variables, *inputs;
    uint32_t equation_count, initial_count, variable_count, input_count;
    const double *values; // of parameters, by variable of the graph; NAN: not known
    uint32_t value_count;
} System;

// Of the equations, or of the initial equations, in the same variables.
const Signature *system_signature(Arena *arena, const System *system);
const Signature *system_initial_signature(Arena *arena, const System *system);

// The variable of the graph that is v_j^(order), made if there is none.
uint32_t system_derivative(const System *system, uint32_t variable, uint32_t order);

#endif
