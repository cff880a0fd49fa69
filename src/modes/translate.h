// SPDX-License-Identifier: MIT
//
// Expressions of the flat model as nodes of the graph, for those who assemble a model: see
// equations/convert.h for what becomes of what. What cannot be converted is reported, and counts as
// zero.

#ifndef SALTUS_MODES_TRANSLATE_H
#define SALTUS_MODES_TRANSLATE_H

#include "equations/convert.h"

typedef Convert Translation;

static inline Translation *translate_begin(Dag *dag, const FlatModel *flat,
                                           Diagnostics *diagnostics)
{
    return convert_create(dag, flat, diagnostics);
}

static inline Node translate(Translation *t, const FlatExpression *e)
{
    const Node node = convert_expression(t, e);
    return node == NODE_NONE ? convert_zero(t) : node;
}

// The graph's variable of a flat variable; DAG_NONE: it has none.
static inline uint32_t translate_variable(const Translation *t, const FlatVariable *v)
{
    return convert_variable(t, v);
}

#endif
