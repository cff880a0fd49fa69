// SPDX-License-Identifier: MIT
//
// What a mode holds between events: relations and what jumps, each with the event function that
// tells when it changes, or the time (Modelica specification, sections 3.7.2 and 8.5).
//
//   a > b, a <= b, ...                    h = a - b, whose sign is the relation
//   floor, ceil, integer, div, mod, rem   h = sin(pi x), zero where x is whole
//   either, of a time + b                 no function: the next time is known
//
// What always holds: a relation and its negation, or two with the same function up to its sign, are
// one event; a hold that the mode does not reach has none; each function comes with its size, the
// sum of the sizes of its terms, which says what counts as zero in it.

#ifndef SALTUS_MODES_HOLDS_H
#define SALTUS_MODES_HOLDS_H

#include "modes/model_parts.h"

typedef struct Holds {
    const ModelHold *items;
    const bool *is_live, *is_muted; // by number
    const SaltusEventDef *definitions;
    uint32_t count, event_count, time_count;
    const Node *events, *sizes, *times, *literals; // see ModelEntry
} Holds;

// Upper bounds of what values are the sums of, |a| + |b| for a - b, so that their rounding is
// relative to it.
const Node *holds_sizes(const Gathered *gathered, const Node *nodes, uint32_t count);
// By number: those that the choices of the mode depend on, also through discrete variables.
const bool *holds_decisive(const Gathered *gathered);
// Those that occur in what was gathered.
Holds holds_find(const Gathered *gathered);

#endif
