// SPDX-License-Identifier: MIT
//
// What a Model consists of: for the files of this folder only.

#ifndef SALTUS_MODEL_MODEL_PARTS_H
#define SALTUS_MODEL_MODEL_PARTS_H

#include "model/analyse.h"
#include "model/evaluation.h"
#include "model/model.h"
#include "model/parameters.h"
#include "model/program.h"

// What the programs of a model compute besides the unknowns.
typedef enum ModelEntry {
    MODEL_EVENTS,     // event functions, one for each hold of kind HOLD_CROSSING
    MODEL_RATES,      // their derivatives along the flow, if has_rates
    MODEL_TIMES,      // of each hold of kind HOLD_TIME: a and b in a time + b
    MODEL_DISCRETE,   // what discrete variables are now
    MODEL_ACTIONS,    // condition and value of each action
    MODEL_ASSERTIONS, // which assertions are violated
    MODEL_LEFT,       // values of the continuous variables whose left limits are asked for
    MODEL_OUTPUTS,    // all variables
    MODEL_SAMPLES,    // start and interval of each sample
    MODEL_HOLDS,      // what is held, literally; then what each of them rounds, or 0
    MODEL_STARTS,     // start values of the discrete variables
    MODEL_ENTRY_COUNT,
    // of the initialization only
    MODEL_SURPLUS = MODEL_ENTRY_COUNT, // rows that must be zero, too
    MODEL_GUESSES,                     // start values of what may be iterated for
    MODEL_START_ENTRY_COUNT,
} ModelEntry;

typedef enum HoldKind {
    HOLD_CROSSING, // has an event function
    HOLD_TIME,     // changes at a time that is known
    HOLD_LITERAL,  // looked at in events only
} HoldKind;

typedef struct ModelHold {
    HoldKind kind;
    Operator op;
    uint32_t number; // in the vector of held values
    uint32_t index;  // of its event function, or among those of its kind
    const char *text;
    Span span;
} ModelHold;

// A discrete variable, or the condition of a when clause.
typedef struct ModelDiscrete {
    const char *name;
    uint32_t place; // in the memory
    uint32_t left;  // place of its left limit, or CODE_NONE
    bool is_plain;  // a variable of the model
} ModelDiscrete;

typedef struct ModelScratch ModelScratch;

struct Model {
    const FlatModel *flat;
    Assembly *assembly;
    Analysis analysis;
    const Parameters *parameters;
    const Program *flow, *start;
    Evaluation evaluation; // of the flow
    Backend *backend;

    uint32_t state_count;
    const char *const *state_names;
    const uint32_t *states;       // variables
    const uint32_t *start_places; // of states, then guesses of the flow: in w of the start
    const char *const *guess_names;
    const uint32_t *guess_steps;    // of the start: where MODEL_GUESSES has each of its guesses
    const double *nominals;         // of states, then guesses
    const SaltusSparsity *sparsity; // of the derivatives of the states by these; NULL: dense

    uint32_t output_count;
    const char *const *output_names;
    const FlatVariable *const *outputs;

    const ModelHold *holds;
    const SaltusEventDef *events; // of the holds of kind HOLD_CROSSING
    uint32_t hold_count, event_count, time_count;
    bool has_rates; // the event functions can be differentiated
    const ModelDiscrete *discrete;
    uint32_t discrete_count;
    const uint32_t *left_places; // in the memory, of MODEL_LEFT
    uint32_t left_count;
    const uint32_t *sample_places;
    uint32_t sample_count;
    const uint32_t *action_states;          // of reinit: the state, or UINT32_MAX
    uint32_t initial_place, terminal_place; // CODE_NONE: not used

    uint32_t memory_count; // the vector PROGRAM_MEMORY
    uint32_t held_count;   // the vector PROGRAM_HELD
    uint32_t most_values;  // of any entry
    struct ModelSpare *spare;
};

// A run's client memory: doubles, in this order.
typedef struct ModelMemory {
    double *m;      // memory_count
    double *held;   // held_count
    double *ticks;  // sample_count: how often each sample was true
    double *warned; // one per assertion: the time at which it was first violated, or NAN
    double *logged; // discrete_count: values as the event log knows them
} ModelMemory;

ModelMemory model_memory(const Model *model, const void *memory);
size_t model_memory_size(const Model *model);

// Working memory for one evaluation at a time; NULL: none left.
struct ModelScratch {
    ProgramScratch *program;
    double *values, *more; // most_values each
};
ModelScratch *model_take_scratch(const Model *model);
void model_give_scratch(const Model *model, ModelScratch *scratch);

#endif
