// SPDX-License-Identifier: MIT
//
// What a Model and its modes consist of: for the files of this folder only.
//
// A Model is what all modes share: the graph, the equations with their guards, parameters, the
// layout of the memory. It does not change, but for the cache of its modes, which any thread may
// ask. A Mode is made when it is met, does not change afterwards, and may be forgotten when nobody
// uses it, to be made again (modes.c). If the model has independent parts (parts.h), each of them
// has its modes, which are what is analysed; the modes of the whole, which the engine knows, join
// one of each.

#ifndef SALTUS_MODES_MODEL_PARTS_H
#define SALTUS_MODES_MODEL_PARTS_H

#include "modes/analyse.h"
#include "modes/evaluation.h"
#include "modes/impulse.h"
#include "modes/machine.h"
#include "modes/model.h"
#include "modes/parameters.h"
#include "modes/program.h"

#include <pthread.h>
#include <stdatomic.h>

// What the programs of a mode compute besides the unknowns.
typedef enum ModelEntry {
    MODEL_EVENTS,      // event functions, one for each hold of kind HOLD_CROSSING
    MODEL_RATES,       // their derivatives along the flow, if has_rates
    MODEL_SIZES,       // sums of the absolute values of what they consist of
    MODEL_TIMES,       // of each hold of kind HOLD_TIME: a, b, d in (a time + b) / d
    MODEL_DISCRETE,    // what discrete variables are now
    MODEL_ACTIONS,     // condition and value of each action
    MODEL_ASSERTIONS,  // which assertions are violated
    MODEL_LEFT,        // values of the continuous variables whose left limits are asked for
    MODEL_OUTPUTS,     // all variables
    MODEL_SAMPLES,     // start, interval of samples; time, longest time of delays; points, values
    MODEL_HOLDS,       // of each hold: what is held, literally, and what it rounds, or 0
    MODEL_CHOICES,     // the branches of if-equations that are choices of the mode
    MODEL_TRANSITIONS, // conditions of transitions from active states
    MODEL_PIVOTS,      // of the state selection, if they can degrade
    MODEL_ENTRY_COUNT,
    // of the initialization only
    MODEL_SURPLUS = MODEL_ENTRY_COUNT, // rows that must be zero, too; then what each is the sum of,
                                       // then what its rounding is relative to
    MODEL_GUESSES,                     // start values of what may be iterated for
    MODEL_INITIAL,                     // initial values of discrete variables, as given
    MODEL_START_ENTRY_COUNT,
} ModelEntry;

// What is computed from left limits alone, without solving anything: of a model.
typedef enum FrozenEntry {
    FROZEN_STARTS,   // start values of discrete variables, then of those with left limits
    FROZEN_HOLDS,    // what is held, literally
    FROZEN_BRANCHES, // of all if-equations
    FROZEN_DISCRETE, // discrete variables without start values that equations define
    FROZEN_ENTRY_COUNT,
} FrozenEntry;

// The same of a mode that has states of machines.
typedef enum EntryKind { ENTRY_DISCRETE, ENTRY_ACTIONS, ENTRY_KIND_COUNT } EntryKind;

typedef enum HoldKind {
    HOLD_CROSSING, // has an event function
    HOLD_TIME,     // changes at a time that is known
    HOLD_LITERAL,  // looked at in events only
} HoldKind;

enum { HOLD_TIME_SIZE = 3 }; // numbers of MODEL_TIMES for each

typedef struct ModelHold {
    HoldKind kind;
    Operator op;
    HoldNumber number; // in the vector of held values: the same in all modes
    EventNumber index; // of its event function, or among those of its kind
    bool is_muted;     // an equation of the mode makes its event function zero
    bool is_below;     // see GatheredSurface
    bool is_ideal; // it is the sign of the parameter of an ideal switch: where that is zero, the
                   // equations are the same on both sides
    bool may_idle; // nothing depends on it where another condition says so
    HoldNumber surface; // the number of the first hold with its event function, or the negative
    const char *text;
    Span span;
} ModelHold;

// A discrete variable, or the condition of a when clause.
typedef struct ModelDiscrete {
    const char *name;
    MemoryPlace place; // in the memory
    MemoryPlace left;  // place of its left limit, or CODE_NONE
    uint32_t number;
    bool is_plain; // a variable of the model
    bool is_real;
    bool is_output;         // nothing but itself depends on it
    const FlatGuard *guard; // of a when clause's condition: the clause's; else the variable's
} ModelDiscrete;

// What is delayed: places in the memory of its left limit, its history, its value at the start.
typedef struct ModelDelay {
    MemoryPlace left, handle, start;
    bool is_variable; // its time changes during the run; what is known of it before is the longest
    bool is_discrete; // it changes at events only: `start` is what it is by now
    // Of spatialDistribution: its position, and the two signals after it, which come in at its
    // ends.
    bool is_transport, is_transported;
    uint32_t front, beyond; // see ConvertDelay; CODE_NONE: none
    uint32_t point_count;   // of its initial profile
    const char *text;
    Span span;
} ModelDelay;

// A discrete variable, or a parameter, whose initial value the model gives.
typedef struct ModelInitial {
    const char *name;
    MemoryPlace place, left; // left CODE_NONE: it is a parameter, place in p
    Span span;
    bool is_left_limit; // that is what is given
    uint32_t row;       // of MODEL_SURPLUS, if it is a Real that must be this, too; else CODE_NONE
} ModelInitial;

typedef struct ModelScratch ModelScratch;
typedef struct ModelWarm ModelWarm;
typedef struct Continuation Continuation;
typedef struct Mode Mode;

// What events of a mode need not look at, found when the mode is made: see instant/plain.h.
typedef struct ModePlain {
    bool is_plain;      // there is nothing but relations, discrete variables and when clauses
    bool needs_unknown; // anything that an event asks for is solved for, or may fail
    bool moves_unknown; // the unknowns depend on discrete variables or conditions
    bool moves_events;  // likewise the event functions
    bool moves_rates;   // likewise their derivatives along the flow: a surface may attract
    bool has_literals;  // there are conditions that are looked at in events only
} ModePlain;

// Its relations and other conditions that are held between events.
typedef struct ModeConditions {
    const ModelHold *holds;
    uint32_t hold_count, event_count, time_count;
    const bool *is_live;                // by number of the hold: it is one of them
    const bool *is_muted;               // likewise: and a constraint makes it zero
    const bool *is_flow;                // likewise: derivatives of the states depend on it
    const bool *is_decisive;            // likewise: a choice of the mode depends on it
    const SaltusEventDef *events;       // of the holds of kind HOLD_CROSSING
    const struct Enclosure *enclosures; // of each event function, see enclosure.h; NULL: of none
    bool has_rates;                     // the event functions can be differentiated
} ModeConditions;

// See drift.h.
typedef struct ModeWatch {
    Arena *arena;           // that it is in; NULL: it stays as long as the model
    const Program *program; // of its outputs: what each leaves over, then what that is the sum of
    const char *const *texts;
    uint32_t count;
} ModeWatch;

struct Mode {
    const struct Model *model;
    Arena *arena;         // what is kept of it
    Arena *analysis;      // the structure is in it; NULL: there is none
    ModeNumber number;    // for the engine; of a mode of a part: among the modes of all parts
    uint32_t most_values; // of any entry of the flow
    const char *name;
    double seconds; // that it took to make it
    Diagnostics *diagnostics;
    bool is_broken;         // it cannot be entered: the diagnostics say why
    uint32_t surplus;       // of a broken one: so many equations and variables too many
    const bool *is_suspect; // of a broken one, by choice: its equations are to blame; NULL: unknown
    const Mode *like; // of a variant: what was there before with the same choices (reselect.h)

    const Structure *structure;     // NULL: nobody asked for it; see mode_analyse
    const ModeWatch *watch;         // its constraints; NULL: nobody asked for them
    const Program *flow, *entry;    // entry: NULL if it is not needed yet, or never
    ModeEvaluation evaluation;      // of the flow
    ModePlain plain;                // what its events can be spared
    _Atomic(ModelScratch *) *spare; // that nobody uses; NULL there: none

    // Which independent part it is of, or of which parts it consists.
    struct {
        PartNumber number;        // PARTS_ALL: of the whole model
        const Mode *const *modes; // of each part its mode; of one part only: the mode itself
        uint32_t count;
        const Mode *own;         // itself, if it is one part
        const uint32_t *outputs; // of a part: the numbers of its outputs
        bool has_own_states;     // of a part: the model asks for all of its states
        bool has_constraints;    // of a part: equations are differentiated
    } parts;
    // What it was made for, and what may lead out of it.
    struct {
        const Choice *choices;    // see gather.h
        const uint32_t *branches; // if-equations, of MODEL_CHOICES
        uint32_t branch_count;
        const uint32_t *transitions; // numbers in the tables of machines, of MODEL_TRANSITIONS
        uint32_t transition_count;
        const bool *slides; // by hold: it slides; NULL: none does
        const GatheredSurface *surfaces;
        uint32_t surface_count;
        bool are_decided; // the choices: those that are not structural are GATHER_ANY
    } switches;
    // Its states, and what its nonlinear blocks iterate for.
    struct {
        uint32_t count;
        const char *const *names;
        const GraphVariable *variables;
        const MemoryPlace *lefts; // places of their left limits, or CODE_NONE
        const char *const *guess_names;
        const MemoryPlace *guess_lefts; // likewise of the guesses of the flow
        const double *nominals;         // of states, then guesses
        const SaltusSparsity *sparsity; // of the derivatives of the states by these; NULL: dense
    } states;
    // Its initialization.
    struct {
        const Program *program; // NULL: it is not needed yet, or never
        const Initial *initial; // NULL: not made yet
        const ModelInitial *values;
        uint32_t value_count;
        uint32_t row_count;          // of MODEL_SURPLUS: those of `initial`, then those of `values`
        const UnknownPlace *places;  // of states, then guesses of the flow: in w
        const uint32_t *guess_steps; // where MODEL_GUESSES has each of its guesses
        const UnknownPlace *found_places; // of parameters: in w
        const uint32_t *found;            // and in p, or behind it in the memory
        uint32_t found_count;
        const struct Continuation *continuation; // NULL: there is none
        uint32_t most_values;                    // of any entry
    } start;
    ModeConditions conditions;
    // What of the memory it defines and reads.
    struct {
        const ModelDiscrete *discrete; // that it defines
        uint32_t discrete_count;
        const MemoryPlace *lefts; // places of MODEL_LEFT
        uint32_t left_count;
        const MemoryPlace *reads; // places, what is held behind the memory: what derivatives, event
        uint32_t read_count;      // functions and their rates read
    } memory;
    // What it does at events.
    struct {
        GatheredActions gathered, assertions;
        const StateNumber *states; // of reinit: the state, or UINT32_MAX
        const MemoryPlace *lefts;  // of reinit: the place of the variable's left limit
        const uint32_t *jumps;     // of a part, of reinit: where the vector of the impulse has the
                                   // variable, if constraints contain it, or UINT32_MAX
        const char *const *names;  // of reinit: the variable
    } actions;
    // What may jump in it by the equations, and how its states are chosen then.
    struct {
        const Impulse *impulse;   // NULL: nothing can jump
        const MemoryPlace *lefts; // of its vector: places of left limits, or CODE_NONE
        const uint32_t *states;   // where its vector has the states
        const Program *chooser;   // computes the pivots from it; NULL: it does not determine them
        const uint32_t *pivot_entries; // of the signature, of MODEL_PIVOTS
        uint32_t pivot_count;          // 0: the states never have to change
        bool may_happen;               // of a part: constraints may jump while the mode stays
    } jump;
    // What the cache knows of it, guarded by its mutex.
    struct {
        Mode *newer, *older; // among those that are there
        size_t bytes;        // that it takes
        int count;           // of uses by the engine, and by other modes
        bool stays;          // it is not forgotten
        uint64_t given_out;  // when, counted in instants
    } use;
};

// The modes of a model that are there, guarded by a mutex. See modes.c.
typedef struct ModeCache ModeCache;

// An instant in progress: the modes that it is given stay until it ends.
typedef struct ModelInstant {
    uint64_t began;
    struct ModelInstant *next;
} ModelInstant;

struct Model {
    Arena *arena;
    const FlatModel *flat;
    Assembly *assembly;
    Diagnostics *diagnostics;
    const Parameters *parameters;
    Backend *backend;
    CodePlace *places; // of what is known in all modes
    uint32_t place_count;
    const Program *observer;  // what observes several parts, from the outputs; NULL: nothing does
    const uint32_t *observed; // numbers of outputs
    const Program *frozen;
    uint32_t frozen_most; // values of its largest entry
    const ModelDelay *delays;
    uint32_t delay_count;
    MemoryPlace initial_place, terminal_place; // CODE_NONE: not used
    const MachineTables *machines;
    const uint32_t *origins; // by variable of the graph: its number in the flat model, or DAG_NONE
    const char *const *hold_texts;

    bool has_first; // the first mode is there, and others may be
    ModeCache *modes;
    ModelWarm *warm;
    struct Workshop *workshop; // where modes are made, with the cache's mutex held; see workshop.c

    // All variables that a run can record.
    struct {
        uint32_t count;
        const char *const *names;
        const FlatVariable *const *variables;
        const uint32_t *nodes;
    } outputs;
    // Continuous variables, or derivatives, whose left limit has a place in the memory.
    struct {
        const ProgramPlace *items;
        const char *const *names;
        uint32_t count;
    } left;
    // Of each sample: its place in the memory and its text.
    struct {
        const MemoryPlace *places;
        const char *const *texts; // "sample(0.0, period)"
        uint32_t count;
    } samples;
    // Discrete variables, and conditions of when clauses.
    struct {
        const ModelDiscrete *items;
        uint32_t count;
        const uint32_t *at; // by place in the memory: its number, or CODE_NONE
    } defined;
    // Sizes of a run's vectors.
    struct {
        uint32_t choices;
        uint32_t memory; // the vector PROGRAM_MEMORY
        uint32_t held;   // the vector PROGRAM_HELD
        uint32_t method; // see methods_memory
    } sizes;
};

// A run's client memory, in this order.
typedef struct ModelMemory {
    double *m;           // `memory` of Model.sizes
    double *held;        // `held` of Model.sizes
    double *ticks;       // sample_count: how often each sample was true
    double *warned;      // one per assertion and action: the time at which it was first violated or
                         // done, or NAN; of a number in its message: what it was then
    double *logged;      // discrete_count: values as the event log knows them
    double *machines;    // what the steps of machines remember
    double *method;      // of the start, see methods.h
    double *begun;       // left_count: left limits when the event began
    double *armings;     // one: iterations of this event that arming has caused
    double *armed_steps; // one: transitions in this event that arming has caused
    struct Delays **delays; // one: the past of what is delayed, see instant/delays.h
    // flags, behind the doubles
    bool *is_released; // as `held`: reinit has ended what the event decreed
    bool *goes_on;     // one: the iteration goes on in the mode that was just entered
    bool *is_fixed; // of several modes, by place: reinit gave the variable its value in this event
} ModelMemory;

// Places of all variables of the graph, also of those that were made since; to be changed.
CodePlace *model_copy_places(const Model *model, Arena *arena);

ModelMemory model_memory(const Model *model, const void *memory);
uint32_t model_warning_count(const Model *model);
size_t model_memory_size(const Model *model);

void model_begin_instant(const Model *model, ModelInstant *instant);
void model_end_instant(const Model *model, ModelInstant *instant);

// To be asked in an instant only.
// The mode of these choices, made if there is none; it may be broken. NULL: no memory. with_start:
// with the initialization.
const Mode *model_mode(const Model *model, const uint32_t *choices, bool with_start);
// The mode of one part, of the same choices, with these states.
const Mode *model_variant(const Mode *mode, const uint32_t *state_orders);
// The mode of the same choices in which these relations slide, by hold. It may be broken. NULL: no
// memory.
const Mode *model_sliding(const Mode *mode, const bool *slides);
// The mode of the whole that consists of these modes of its parts. NULL: no memory.
const Mode *model_join(const Model *model, const Mode *const *parts);
// The mode of a number that model_mode has given out.
const Mode *model_mode_of(const Model *model, ModeNumber number);
// How many modes a system may keep.
int model_most_modes(const Model *model);
// The same for the engine, until it is left.
const Mode *model_use_mode(const Model *model, ModeNumber number);
void model_leave_mode(const Mode *mode);
// A mode that was analysed, by its number as in model_mode_info. It stays as long as the model.
const Mode *model_analysed(const Model *model, ModeNumber number);
// The same with what its constraints leave over. NULL: no memory.
const Mode *model_watched(const Model *model, ModeNumber number);

// What the equations of a mode, or of a start, have left open, and when; NULL: nothing.
const char *model_note(const Model *model, double *time);

// How many there are to choose from: states of a machine, branches of an if-equation.
uint32_t model_branch_count(const Model *model, uint32_t choice);
// The mode in which a run with the parameters' own values would probably begin, with these choices,
// when the model is made.
const Mode *modes_first(const Model *model, const uint32_t *choices, Diagnostics *diagnostics);
// The cache. False: no mutex.
bool modes_create(Model *model);
void modes_release(const Model *model);
// Releases all modes; there are none afterwards.
void modes_forget(const Model *model);
pthread_mutex_t *modes_mutex(const Model *model);

// Copies what is kept of a mode that was made in the keeper's other arena; likewise of its start.
// See mode_keep.c.
void mode_keep(Mode *mode, const Keeper *keeper);
void mode_keep_start(Mode *mode, const Keeper *keeper);
// The program of its flow, or of its start.
const Program *mode_keep_program(const Mode *mode, const Program *program, const Keeper *keeper);
// The same of a mode that cannot be entered.
void mode_keep_broken(Mode *mode, const Keeper *keeper);
// Finds its structure once more, which stays then; the mutex is held.
void mode_analyse(Mode *mode);
void mode_watch(Mode *mode); // likewise its constraints
// Makes it, of its part; the mutex is held. See mode.c.
bool mode_make(Mode *mode, bool with_start);
// Another one of the same choices, with these states.
bool mode_make_variant(Mode *mode, const Mode *base, const uint32_t *state_orders);
// Adds the initialization to a mode of the whole model. See mode_start.c.
bool mode_add_start(Mode *mode);
// Makes a mode of the whole from those of its parts. See mode_join.c.
void mode_join(Mode *mode);
const char *mode_name(const Model *model, Arena *arena, const uint32_t *choices,
                      const GatheredSurface *surfaces, uint32_t surface_count);
// In seconds, for differences.
double mode_clock(void);

// Working memory for one evaluation at a time; NULL: none left.
struct ModelScratch {
    ProgramScratch *program;
    double *values, *more; // most_values each
    double *before;        // hold_count, discrete_count and read_count
    ModelMemory memory;    // of the run whose event was handled last
    // Of the state selection, made when it is first looked at; see reselect.c.
    Arena *arena;
    struct Selector *selector;
    double *jacobian;
    uint32_t *orders;
};
ModelScratch *mode_take_scratch(const Mode *mode);
void mode_give_scratch(const Mode *mode, ModelScratch *scratch);
void mode_release(const Mode *mode);
// What that needs of a mode, and of a model.
void mode_provide_spare(Mode *mode);
// Once all else of the mode is known.
ModePlain mode_find_plain(const Mode *mode);
void model_provide_workshop(Model *model);
void model_release_workshop(const Model *model);
// After memory ran out: closes it, and destroys the mode that was being made.
void workshop_abandon(const Model *model);
bool model_provide_warm(Model *model);
void model_release_warm(const Model *model);

#endif
