// SPDX-License-Identifier: MIT
//
// The description of the FMU that a model becomes, and the list by which the library inside the FMU
// finds each value reference again (`resources/model.txt`; fmu/manifest.h reads it).

#ifndef SALTUS_FMI_DESCRIBE_H
#define SALTUS_FMI_DESCRIBE_H

#include "fmi/description.h"
#include "open/loaded.h"

// In the arena of the compilation. `manifest` gets a line for each value reference:
//   variable NAME      y of the run
//   start NUMBER NAME  the same, whose start value can be set before the run
//   parameter NAME     can be set at any time
//   fixed NAME         a parameter that cannot be set
//   input NAME         can be set at any time
//   state NAME         of model exchange, that is no variable of the flat model
//   derivative NUMBER NAME  of a state, and the value reference of that; these lines are in the
//                      order of the states
//   indicator NUMBER   an event function, likewise
//   clock NUMBER NAME  a sample, by its number among the time events; -1: a clock, by its counter
//   constant NUMBER
//   string TEXT
//   time
// Without has_starts no start value can be set; without states (NULL) there is no model exchange.
// NULL: the parameters have no values, for the reason in `message`.
// The states and event functions of all modes: see states.h.
typedef struct DescribeStates {
    Arena *arena;
    uint32_t count, room;
    const char **names;
    uint32_t part_count;
    uint32_t *most_events; // by part: of any of its modes in which nothing slides
    uint32_t *surfaces;    // by part: that may slide
    bool *is_counted;      // by hold: among the surfaces
    uint32_t indicator_count;
} DescribeStates;

FmuDescription *describe_model(const Loaded *loaded, int version, bool has_starts,
                               const DescribeStates *states, StringBuilder *manifest,
                               char **message);

#endif
