// SPDX-License-Identifier: MIT
//
// The Model of a mode: everything that the engine needs to simulate it, made from the flat model.
//
//   const Model *m = model_create(arena, flat, diagnostics);      // NULL after errors
//   model_parameters(m, given, count, p);                         // values of all parameters
//   model_system(m, p, &system, &error);                          // for saltus_run_create
//   ...
//   model_release(m);
//
// What always holds: it lives in the arena of its compilation; it does not change once it is made,
// and may be shared by runs in several threads. All that changes in a run is in the engine's states
// and in its client memory. For now a model has one mode: what needs several is refused.

#ifndef SALTUS_MODEL_MODEL_H
#define SALTUS_MODEL_MODEL_H

#include "base/diagnostics.h"
#include "flatten/flat.h"
#include "model/backend.h"

#include <saltus/saltus.h>

typedef struct Model Model;

// NULL after errors.
const Model *model_create(Arena *arena, const FlatModel *flat, Diagnostics *diagnostics);
// Frees what is not in the arena.
void model_release(const Model *model);

// ---- parameters ---------------------------------------------------------------------------------

typedef struct ModelParameters {
    uint32_t count;
    const char *const *names;
    const FlatVariable *const *flat;
} ModelParameters;

ModelParameters model_list_parameters(const Model *model);

typedef struct ParameterValue {
    uint32_t number;
    double value;
} ParameterValue;

// All values, with those given in place of their bindings, and what depends on them. Fails if a
// function does, or without memory; `error` may be NULL.
SaltusStatus model_find_parameters(const Model *model, const ParameterValue *given, uint32_t count,
                                   double *p, SaltusError *error);
static inline bool model_parameters(const Model *model, const ParameterValue *given, uint32_t count,
                                    double *p)
{
    return model_find_parameters(model, given, count, p, NULL) == SALTUS_OK;
}

// ---- the system ---------------------------------------------------------------------------------

// The system for the engine, with these parameters. The model must outlive it. Its outputs are all
// variables of the flat model that are numbers and no parameters, in their order.
SaltusStatus model_system(const Model *model, const double *parameters, SaltusSystem **system,
                          SaltusError *error);
// How the equations are run from now on; a new model interprets them. To be said before runs are
// made. The texts of the options must outlive the model.
void model_set_backend(const Model *model, BackendChoice choice, const NativeOptions *options);
// Whether compiled code is in use; if not, *reason says why, or is "".
bool model_is_compiled(const Model *model, const char **reason);

uint32_t model_output_count(const Model *model);
const char *const *model_output_names(const Model *model);
const FlatVariable *const *model_output_variables(const Model *model);
// What a time event of the system is, in words.
const char *model_time_event(const Model *model, int id);

// Whether terminal() is used; then model_terminal is to be handed to saltus_run_apply at the end.
bool model_has_terminal(const Model *model);
void model_terminal(SaltusEvent *event);

// The assertions of level warning that were violated: the next one from *index on. False: none.
bool model_next_warning(const Model *model, const SaltusRun *run, uint32_t *index, double *time,
                        const char **message);

#endif
