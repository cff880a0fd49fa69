// SPDX-License-Identifier: MIT
//
// What the files of a loaded model share.

#ifndef SALTUS_OPEN_LOADED_PARTS_H
#define SALTUS_OPEN_LOADED_PARTS_H

#include "open/loaded.h"

#include <pthread.h>

typedef struct LoadedParts {
    LoadedDef def;              // in the arena
    FlattenSetting *next_shape; // what the next round is to be flattened with
    uint32_t next_count;
    const char **given_names; // as many as are given
    Loaded *before;           // the round before; NULL: this is the first
    pthread_mutex_t lock;     // of the variants
    Loaded *variants;         // in a list by `next`
    Loaded *next;             // of a variant
    ParameterValue *values;   // of a variant: those that shape it
    uint32_t value_count;
} LoadedParts;

// Finds what each setting is: given to runs, or of the shape. False: one is refused, or there is
// more to the shape than the model was flattened with.
bool settings_judge(Loaded *loaded);
// The numbers of the given parameters, once there is a model.
void settings_number(Loaded *loaded);

#endif
