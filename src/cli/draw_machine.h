// SPDX-License-Identifier: MIT
//
// State machines and the graph of a model's modes as pictures, with the path of a run.
//
// A machine: its states, with inner machines inside; transitions with priority and condition, by
// the text of the model; the initial state. The path: the column pairs `from`, `to` of an event
// log, whose words name the active states.

#ifndef SALTUS_CLI_DRAW_MACHINE_H
#define SALTUS_CLI_DRAW_MACHINE_H

#include "flatten/flat.h"
#include "modes/model.h"
#include "plot/diagram.h"
#include "results/table.h"

// All machines of a model. `events` NULL: no run. No string: the message says why.
String machine_svg(Arena *arena, const FlatModel *flat, const Sources *sources, const Table *events,
                   char **message);
// The modes that are known so far, or were met by the run, and how one follows another.
String machine_modes_svg(Arena *arena, const Model *model, const Table *events, char **message);

#endif
