// SPDX-License-Identifier: MIT
//
// Oracles for expressions and functions: evaluation by walking the graph and the statements
// directly, recursively; random expressions; models built by hand.

#ifndef SALTUS_TESTS_SUPPORT_GRAPH_H
#define SALTUS_TESTS_SUPPORT_GRAPH_H

#include "equations/dag.h"
#include "equations/procedure.h"

// The values of all variables of the graph; arrays of functions have theirs in `arrays`.
typedef struct GraphValues {
    double *scalars;
    double **arrays;
    const double *held; // NULL: holds are computed
    bool has_one_zero;  // -0.0 becomes +0.0, and what divides by it becomes NaN
    bool failed;        // an assertion, a subscript out of bounds
    long steps;         // of loops so far
} GraphValues;

// Zeroed, in the arena of the graph; has room for variables added later up to `extra`.
GraphValues graph_values(const Dag *dag, uint32_t extra);
double graph_evaluate(const Dag *dag, Node node, GraphValues *values);
// All results of a call of a function.
bool graph_call(const Dag *dag, uint32_t function, const double *arguments, double *results);

// A function with loops and assignments as a Modelica function; in the arena of the graph.
const char *graph_function_text(const Dag *dag, uint32_t function);

// A generator that gives the same numbers everywhere.
typedef struct GraphRandom {
    uint64_t state;
} GraphRandom;

uint32_t graph_random(GraphRandom *r, uint32_t below);
// In [low, high).
double graph_random_real(GraphRandom *r, double low, double high);
// Among them zeros of both signs, infinities, NaN, subnormal, huge and small whole numbers.
double graph_random_special(GraphRandom *r);
// A Real expression in the first `variables` variables of the graph after time, and time.
Node graph_random_expression(Dag *dag, GraphRandom *r, uint32_t variables, int depth);
// The same without functions that have kinks, jumps or poles near 1: differentiable for variables
// between 0.5 and 1.5.
Node graph_random_smooth(Dag *dag, GraphRandom *r, uint32_t variables, int depth);

#endif
