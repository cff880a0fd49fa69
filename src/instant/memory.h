// SPDX-License-Identifier: MIT
//
// What happens to a run's memory at an instant.

#ifndef SALTUS_INSTANT_MEMORY_H
#define SALTUS_INSTANT_MEMORY_H

#include "modes/model_parts.h"

// Variables, left limits and conditions.
void memory_copy(const Model *model, const ModelMemory *from, ModelMemory *to);
// The iteration ends: left limits of discrete variables follow them. True if one was another.
bool memory_shift(const Model *model, ModelMemory *memory);
// Whether one is another.
bool memory_is_unsettled(const Model *model, const ModelMemory *memory);
// Samples are true in one iteration only: one that is asks for another iteration (specification,
// section 3.7.5).
bool memory_has_sample(const Model *model, const ModelMemory *memory);
void memory_end_samples(const Model *model, ModelMemory *memory);

#endif
