// SPDX-License-Identifier: MIT
//
// A Model: everything that the engine needs to simulate a flat model, with all its modes.
//
//   const Model *m = model_create(arena, flat, diagnostics);      // NULL after errors
//   model_parameters(m, given, count, p);                         // values of all parameters
//   model_system(m, p, &system, &error);                          // for saltus_run_create
//   ...
//   model_release(m);
//
// A mode is made when it is first met, by any run, and kept. It is named by what is active: states
// of machines, conditions of structural if-equations ("D1.off, not D2.off"); the only mode of a
// model is "default". Parts of the model that have nothing to do with each other have their own
// modes, which are what is analysed; the modes that a run goes through are combinations of them.
//
// What always holds: it lives in the arena of its compilation; a mode does not change once it is
// made, and a model may be shared by runs in several threads. All that changes in a run is in the
// engine's states and in its client memory.

#ifndef SALTUS_MODES_MODEL_H
#define SALTUS_MODES_MODEL_H

#include "base/diagnostics.h"
#include "flatten/flat.h"
#include "modes/backend.h"
#include "modes/indices.h"

#include <saltus/saltus.h>

typedef struct Model Model;

// NULL after errors.
const Model *model_create(Arena *arena, const FlatModel *flat, Diagnostics *diagnostics);
// The same as one whole even if it has independent parts, unless there are many: for those who need
// the equations of a mode in one program.
const Model *model_create_whole(Arena *arena, const FlatModel *flat, Diagnostics *diagnostics);
// The same of a model that will not be run: it has the same messages, and lacks what only runs
// need.
const Model *model_look(Arena *arena, const FlatModel *flat, Diagnostics *diagnostics);
// Frees what is not in the arena.
void model_release(const Model *model);

// ---------------------------------------------------------------------------
// Parameters
// ---------------------------------------------------------------------------

typedef struct Parameters {
    uint32_t count;
    const FlatVariable *const *flat; // in the order of the vector p
    const char *const *names;
    const unsigned *classes;       // see SaltusSystemDef; NULL: there are no live inputs
    const uint32_t *order;         // of evaluation
    const struct Program *program; // the values of those that are computed
    const uint32_t *entries;       // by parameter: its entry there; CODE_NONE: it is a number
    const double *numbers;         // which is this one
} Parameters;

Parameters model_list_parameters(const Model *model);

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

// Values of all parameters after some of a run were changed: of those that `is_set` says the ones
// in `p`, of all others what their bindings make of these, unless something else gave them the
// value that they have in `before`. On entry `p` is `before` with what was set.
SaltusStatus model_follow_parameters(const Model *model, const bool *is_set, const double *before,
                                     double *p, SaltusError *error);

// ---------------------------------------------------------------------------
// The system
// ---------------------------------------------------------------------------

// The system for the engine, with these parameters. The model must outlive it. Its outputs are all
// variables of the flat model that are numbers and no parameters, in their order.
SaltusStatus model_system(const Model *model, const double *parameters, SaltusSystem **system,
                          SaltusError *error);
// How the equations are run from now on; a new model interprets them. To be said before runs are
// made. The texts of the options must outlive the model.
void model_set_backend(const Model *model, BackendChoice choice, const NativeOptions *options);
// Whether compiled code is in use; if not, *reason says why, or is "".
bool model_is_compiled(const Model *model, const char **reason);

// The model that a run is of: one of several variants.
const Model *model_of_run(const SaltusRun *run);

typedef struct ModelAssignment {
    bool is_state;   // an output that is a state of the active mode; else a parameter
    uint32_t number; // of the output or the parameter
    double value;
} ModelAssignment;

// Sets parameters and states of a run now, as one event. What cannot be set is refused before
// anything changes: then the status is SALTUS_ERROR_ARGUMENT, and the message, to be freed, says
// why. For other errors it stays NULL: they are the run's. Whether a value suits the type is not
// looked at.
SaltusStatus model_assign(SaltusRun *run, const ModelAssignment *items, uint32_t count,
                          char **message);

uint32_t model_output_count(const Model *model);
const char *const *model_output_names(const Model *model);
const FlatVariable *const *model_output_variables(const Model *model);
// What a time event of the system is, in words.
const char *model_time_event(const Model *model, int id);
uint32_t model_time_event_count(const Model *model); // ids are below it

// ---------------------------------------------------------------------------
// Modes
// ---------------------------------------------------------------------------

struct Structure; // see structure.h

// If the model has independent parts, these are modes of the parts: the model is in one of each.
typedef struct ModelMode {
    const char *name;
    PartNumber part;
    const struct Structure *structure; // NULL: it is structurally singular
    const Diagnostics *messages;       // why it cannot be entered, and warnings
    bool is_broken;                    // it cannot be entered
    bool slides;                       // conditions slide in it, see sliding.h
    double seconds;                    // that it took to make it: analysis and code
} ModelMode;

// Modes are numbered in the order in which they were first met; the first of each part is the one
// in which a run with the parameters' own values begins.
uint32_t model_mode_count(const Model *model);
uint32_t model_part_count(const Model *model);
// How many modes the whole model has been in, or was tried in, by all runs.
uint32_t model_combination_count(const Model *model);
// The first of those that runs have been in, as the engine numbers them; returns how many there
// are.
uint32_t model_used_modes(const Model *model, uint32_t *numbers, uint32_t room);
// The mode stays as long as the model, with its structure.
ModelMode model_mode_info(const Model *model, ModeNumber mode);
// The same without structure and messages, which cost an analysis; the name is in the arena.
ModelMode model_mode_summary(const Model *model, ModeNumber mode, Arena *arena);
// Modes that no run uses are forgotten, and made again when they are met again, while there are
// more than so many of them and they take more than so many bytes. To be said before runs are made.
void model_limit_modes(const Model *model, uint32_t most_modes, size_t most_bytes);
// Makes, without running, the modes that transitions and other branches of if-equations lead to
// from those that were met, until there are `most` of them or no more.
void model_explore(const Model *model, uint32_t most);
// Makes, of each of those, the modes in which one of its conditions slides.
void model_explore_sliding(const Model *model, uint32_t most);
// Whether `to` can follow `from` by one transition, or by one if-equation that takes another
// branch.
bool model_mode_follows(const Model *model, uint32_t from, uint32_t to);

// Whether a run can be in more than one mode.
bool model_has_modes(const Model *model);
// The same, apart from modes in which something slides.
bool model_changes_structure(const Model *model);

// Whether terminal() is used; then model_terminal is to be handed to saltus_run_apply at the end,
// which loaded_finish does.
bool model_has_terminal(const Model *model);
void model_terminal(SaltusEvent *event);

// The assertions of level warning that were violated, and what singular equations left open in this
// or another run of the model: the next one from *index on. False: none. arena: of messages that
// are put together.
bool model_next_warning(const Model *model, const SaltusRun *run, uint32_t *index, double *time,
                        Arena *arena, const char **message);
// Where its functions print; NULL: they do not.
struct ExternalStore *model_externals(const Model *model);

#endif
