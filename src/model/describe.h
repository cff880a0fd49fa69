// SPDX-License-Identifier: MIT
//
// What a model consists of, for people and programs that look at it: see outline.h for the
// structures themselves.

#ifndef SALTUS_MODEL_DESCRIBE_H
#define SALTUS_MODEL_DESCRIBE_H

#include "model/model.h"
#include "structure/structure.h"

// One mode. What it points to lives as long as the model.
typedef struct ModeDescription {
    const char *name;
    const Structure *structure; // NULL: the mode is structurally singular
} ModeDescription;

// The modes that are known so far, from 0 on; the initial one is the first.
uint32_t describe_mode_count(const Model *model);
ModeDescription describe_mode(const Model *model, uint32_t number);

#endif
