// SPDX-License-Identifier: MIT
//
// The equations of one mode: those whose guards hold, without aliases. Of all parts of the model,
// or of one of them (parts.h), which says nothing about the choices of the others.
//
// A mode is a vector of choices: the active state of each machine, then the active branch of each
// if-equation. An if-equation whose branches have one structure (branches.h) stays in as a switched
// equation, whatever its branch: it is no choice of the mode, and neither is what is not there.
//
// What always holds: variables of states that are not active, and shared ones that no active state
// defines, stand in no equation; their left limits do, and their derivatives are zero. Whether a
// state is active is a constant.

#ifndef SALTUS_MODES_GATHER_H
#define SALTUS_MODES_GATHER_H

#include "equations/alias.h"
#include "modes/parts.h"

#define GATHER_ANY UINT32_MAX

// Actions of the assembly that are there, with their numbers.
typedef struct GatheredActions {
    AssembledAction *items;
    uint32_t *numbers;
    uint32_t count;
} GatheredActions;

// What slides, see sliding.h: relations with one event function. In place of their values is an
// unknown, 1 where the function is positive, 0 where it is negative.
typedef struct GatheredSurface {
    GraphVariable variable; // the unknown, of the graph
    HoldNumber hold;        // the number of what ends it
    Node function;          // that is zero; of no use once the mode is made
    uint32_t count;
    HoldNumber *members; // numbers of the relations
    bool *is_below;      // of each: it holds where the function is negative
} GatheredSurface;

typedef struct Gathered {
    Assembly *assembly;
    Diagnostics *diagnostics;
    PartNumber part; // or PARTS_ALL
    Choice *choices; // by machine, then by conditional; GATHER_ANY: none
    uint32_t choice_count;
    AssembledEquations equations, initial_equations;
    DagTerm *discrete; // one for each variable
    AssembledInitial *initial_values;
    uint32_t initial_count;
    uint32_t discrete_count;
    GatheredActions actions, assertions;
    Node *branches;     // by conditional: the number of its branch; NODE_NONE: it is no choice
    Node **transitions; // by machine: NODE_NONE for those from states that are not active
    AliasTable aliases;
    DagMemo *map;         // all replacements
    DagMemo *mapped;      // what nodes became by them
    bool *is_unknown;     // by variable of the graph: continuous variables that are not suspended
    uint32_t known_count; // variables of the graph that is_unknown is about
    GraphVariable *continuous; // variables that remain, plain ones
    uint32_t continuous_count;
    const bool *slides; // by hold: it slides; NULL: none does
    GatheredSurface *surfaces;
    uint32_t surface_count;
} Gathered;

// False after errors. Of the choices, those that do not matter become GATHER_ANY: what is
// structural is decided here, once for each mode of a part.
bool gather(Assembly *assembly, PartNumber part, const uint32_t *choices, Diagnostics *diagnostics,
            Gathered *gathered);
// The same of choices that are such a result, of one part or of all parts together: nothing is
// decided anew, for what a part does not take for a choice has no branch to begin with in the
// whole. slides: relations that slide, by hold; NULL: none does. See sliding.h.
bool gather_decided(Assembly *assembly, PartNumber part, const uint32_t *choices,
                    const bool *slides, Diagnostics *diagnostics, Gathered *gathered);
// The same of all parts with homotopy on its way from the simplified to the actual equations.
bool gather_continued(Assembly *assembly, const uint32_t *choices, Diagnostics *diagnostics,
                      Gathered *gathered);
// Gives back what it needs of the graph; it can be read on.
void gather_end(Gathered *gathered);

// Whether something is gathered, by the parts of such things.
static inline bool gather_has(const Gathered *g, const uint32_t *parts, uint32_t number)
{
    return g->part == PARTS_ALL || parts[number] == g->part;
}
// Likewise a variable of the graph.
static inline bool gather_has_variable(const Gathered *g, GraphVariable variable)
{
    return g->part == PARTS_ALL ||
           parts_of_variable(g->assembly->parts, g->assembly->dag, variable) == g->part;
}

// What a node of the assembly is in this mode.
Node gather_node(const Gathered *g, Node node);
// What a variable of the graph is.
Node gather_value(const Gathered *g, GraphVariable variable);

#endif
