// SPDX-License-Identifier: MIT
//
// The modes of a model that are known, for people and programs: a list of them, the graph of what
// can follow what. The structure of one mode is printed by outline.h.

#ifndef SALTUS_MODES_DESCRIBE_H
#define SALTUS_MODES_DESCRIBE_H

#include "modes/model.h"
#include "structure/structure.h"

// The modes in the order in which they are described: part by part, without a common part that has
// nothing but conditions, and without those in which conditions slide.
uint32_t *describe_order(const Model *model, Arena *arena, uint32_t *count);

// One line per mode: number, name, states, index, the modes that can follow.
void describe_text(const Model *model, StringBuilder *out);
// One line per mode in which a condition slides. See model_explore_sliding.
void describe_sliding(const Model *model, StringBuilder *out);
// "modes": an array of objects with name, structure, follows, seconds, messages; without a line
// break at the end.
void describe_json(const Model *model, StringBuilder *out);
// The graph of the modes for Graphviz, and as a picture.
void describe_dot(const Model *model, StringBuilder *out);
void describe_svg(const Model *model, StringBuilder *out);

// What another choice means, by the modes that are known: SALTUS_SE_S if the states are others,
// else SALTUS_SE_F. Both of an if-equation by its number in the flat model, and of a transition.
unsigned describe_conditional(const Model *model, uint32_t conditional);
unsigned describe_transition(const Model *model, const FlatTransition *transition);

// The condition of a relation of the flat model as the event log has it; NULL: the model has none.
const char *describe_relation(const Model *model, uint32_t relation);

// The number of the mode of this name; UINT32_MAX: there is none.
uint32_t describe_find(const Model *model, const char *name);

#endif
