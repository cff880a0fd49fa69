// SPDX-License-Identifier: MIT
//
// The parts of a flat model that have nothing to do with each other, each as a flat model of its
// own: nothing connects them, no equation, when clause, algorithm, assertion or initial equation.
// Parameters do not connect, nor do equations that only observe. So each of them can be run by
// itself.
//
// Parts that are the same but for their names and the values of their parameters share a model:
// that of the first of them. Whatever changes nothing in time but by algebra is one part, together.
//
// (modes/parts.h has the parts of a model that is run as a whole: discrete variables do not connect
// those.)

#ifndef SALTUS_FLATTEN_SEPARATE_H
#define SALTUS_FLATTEN_SEPARATE_H

#include "base/arena.h"
#include "flatten/flat.h"

typedef struct SeparatePart {
    uint32_t model; // among the models
    // Numbers in the whole of the variables of that model; parameters are the last. Start values of
    // states are parameters of it, too, as far as they follow from parameters by operators: number
    // of the state + variable_count.
    const uint32_t *variables;
    uint32_t count;
} SeparatePart;

typedef struct Separation {
    uint32_t count; // of parts
    const SeparatePart *parts;
    uint32_t model_count;
    const FlatModel *const *models;
    uint32_t observer_count;
    // Variables that only observe several parts, a sum over all of them for example.
    struct {
        uint32_t variable; // its number in the whole
        // From variables of the parts, observers before it, parameters and time: FLAT_REAL,
        // FLAT_INTEGER, FLAT_VARIABLE, and operators on Reals, also TO_REAL and NO_EVENT.
        const FlatExpression *value;
    } * observers;
    const uint32_t *part_of; // by variable, among `parts`; UINT32_MAX: of none, or a parameter
} Separation;

// The value of such an expression, or of the start value of a state that is a parameter.
typedef double SeparateRead(const void *user, const FlatVariable *variable);
double separate_evaluate(const FlatExpression *e, double t, SeparateRead *read, const void *user);

// NULL: there are fewer parts, or something is in the model that is about all of them, or that
// cannot be taken apart: state machines, terminal(), impure functions, external objects, Strings.
// `values` has those of parameters, by number of the variable; NAN: unknown.
const Separation *separate_find(Arena *arena, const FlatModel *flat, const double *values,
                                uint32_t fewest);

#endif
