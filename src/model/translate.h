// SPDX-License-Identifier: MIT
//
// Expressions of the flat model as nodes of the graph.
//
// What always holds: every scalar of the flat model that is a number has one variable in the graph;
// constants have become numbers. What triggers events is held; what cannot be translated is
// reported, once, and counts as zero.

#ifndef SALTUS_MODEL_TRANSLATE_H
#define SALTUS_MODEL_TRANSLATE_H

#include "base/diagnostics.h"
#include "equations/dag.h"
#include "flatten/flat.h"

// sample(start, interval): a variable that is true at the instants start + k interval.
typedef struct TranslatedSample {
    Node start, interval;
    uint32_t variable;
    Span span;
} TranslatedSample;

typedef struct Translation {
    Dag *dag;
    const FlatModel *flat;
    Diagnostics *diagnostics;
    uint32_t *variables;        // of the graph, by the index in the flat model; DAG_NONE: none
    uint32_t initial, terminal; // variables of initial() and terminal(); DAG_NONE: not used
    TranslatedSample *samples;
    uint32_t sample_count, sample_room;
} Translation;

// With variables for all of the flat model's.
Translation *translate_begin(Dag *dag, const FlatModel *flat, Diagnostics *diagnostics);
Node translate(Translation *t, const FlatExpression *e);
// The graph's variable of a flat variable.
static inline uint32_t translate_variable(const Translation *t, const FlatVariable *v)
{
    return t->variables[v->index];
}
// Whether its value is fixed during a run: a parameter, or an input that nobody sets.
bool translate_is_given(const FlatVariable *v);

#endif
