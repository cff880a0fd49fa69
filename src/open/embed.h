// SPDX-License-Identifier: MIT
//
// A SaltusModel of the public interface, as the library sees it.

#ifndef SALTUS_OPEN_EMBED_H
#define SALTUS_OPEN_EMBED_H

#include "flatten/live.h"
#include "open/loaded.h"

// Numbers of the parameters of a live input; UINT32_MAX: it has none of this kind.
typedef struct EmbeddedInput {
    const char *name;
    uint32_t numbers[LIVE_COUNT];
} EmbeddedInput;

struct SaltusModel {
    SaltusAllocator allocator;
    Loaded *loaded;
    const char *messages;
    EmbeddedInput *inputs;
    int input_count;
};

// NULL: it has errors, or settings that are wrong.
static inline const Model *embed_model(const SaltusModel *m)
{
    return m->loaded->refusal ? NULL : m->loaded->model;
}

// As saltus_model_create. enable_whole: see LoadedDef.
SaltusStatus embed_create(const SaltusModelDef *def, EnableWhole *enable_whole,
                          SaltusModel **model);
// Finds the live inputs of the loaded model. False: out of memory.
bool embed_list_inputs(SaltusModel *m);

// Numbers and values of settings. Their names are those of parameters or live inputs.
SaltusStatus embed_read_settings(const SaltusModel *m, const SaltusSetting *settings, int count,
                                 ParameterValue *values, SaltusError *error);

// Whether these are values that the parameters can have.
SaltusStatus embed_check_values(const SaltusModel *m, const ParameterValue *values, int count,
                                SaltusError *error);

// Inputs that follow signals (see saltus_model_advance), and what they begin with.
typedef struct EmbeddedSignals {
    const SaltusModel *model;
    const SaltusSignal *signals;
    int count;
    const ParameterValue *values;
    uint32_t value_count;
} EmbeddedSignals;

// As loaded_run, with inputs; NULL: without.
SaltusStatus signals_run(const EmbeddedSignals *inputs, const Loaded *loaded,
                         const SaltusSystem *system, const SaltusOptions *options, double stop_time,
                         SaltusRun **run, SaltusError *error);

// The first place of a signal whose time is later than t.
long signals_after(const SaltusSignal *signal, double t);
// The time of the next place of any of them, and `stop_time` at the latest; next: by signal, its
// next place.
double signals_next(const SaltusSignal *signals, const long *next, int count, double stop_time);
// What changes at t: of each signal the last place with this time. How many there are; `next` goes
// on.
int signals_due(const SaltusSignal *signals, long *next, int count, double t,
                SaltusAssignment *due);
// What it is at t by one of its pieces; before the first, -1, as there.
double signals_value(const SaltusSignal *signal, long piece, double t);

#endif
