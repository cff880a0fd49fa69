// SPDX-License-Identifier: MIT
//
// What follows from the memory of a run alone, without solving anything: start values, conditions
// and branches by left limits, which states of machines are active.

#ifndef SALTUS_MODES_FROZEN_H
#define SALTUS_MODES_FROZEN_H

#include "modes/model_parts.h"

ProgramInputs frozen_inputs(const ModelMemory *memory, double t, const double *x, const double *p);

// The values of an entry; to be freed. NULL: a function failed, or there is no memory.
double *frozen_values(const Model *model, const ModelMemory *memory, double t, const double *p,
                      FrozenEntry entry);
// Sets the memory to start values, and the choices to those that follow from them. False: a
// function failed, or there is no memory; *why says what; NULL: nobody asks.
bool frozen_start(const Model *model, double t, const double *p, void *memory, Choice *choices,
                  char **why);

// Whether states are active, since when, and for how long, as variables of the model.
void frozen_show_states(const Model *model, ModelMemory *memory);
// The states of the machines as choices; a suspended machine counts as in its initial state.
void frozen_show_choices(const Model *model, const double *machines, Choice *choices);

#endif
