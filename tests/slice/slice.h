// SPDX-License-Identifier: MIT
//
// A client of the engine as a compiler of models will be one: guarded equations in, a
// hybrid system out. A mode is the set of flags that its equations depend on together with
// its selection of states; its number says both, so that nobody has to keep a table of modes.
// A mode is analysed when it is first entered.

#ifndef SALTUS_TESTS_SLICE_SLICE_H
#define SALTUS_TESTS_SLICE_SLICE_H

#include "slice/structure.h"
#include <saltus/saltus.h>

enum { FLAGS = 4 };

// A discrete choice. While set it stays set as long as `stay` is positive, while clear it is set
// when `begin` becomes positive (NULL: `stay` again); or it turns over at given times. A flag
// that guards equations needs both, one that stands in expressions only has just `stay`.
typedef struct Flag {
    const char *name;
    const Expr *stay, *begin;
    const char *stay_text, *begin_text;
    int time_count;
    const double *times;
    bool set; // at the start; a guess where there are relations
} Flag;

// When a flag's `begin` becomes positive: the variable takes the value, made from left limits.
typedef struct Reinit {
    int flag, variable;
    const Expr *value;
} Reinit;

typedef struct Model {
    const char *name;
    int variable_count, equation_count, flag_count, reinit_count, parameter_count;
    const Variable *variables;
    const Equation *equations;
    const Flag *flags;
    const Reinit *reinits;
    const double *parameters;
} Model;

// Client memory.
typedef struct SliceMemory {
    unsigned flags; // frozen between events
    long updates;   // calls of the event update
    long ticks;     // those that changed a flag
    long rejected;  // candidates that the search turned down
    Point right;    // right limits, for the mode that is being entered
} SliceMemory;

typedef struct Slice Slice;

// Event function 2 f is `stay` of flag f, 2 f + 1 its `begin`. Outputs are all variables.
Slice *slice_create(const Model *model);
void slice_destroy(Slice *slice);
const SaltusSystem *slice_system(const Slice *slice);
// What is known of a mode that was entered.
const Structure *slice_structure(const Slice *slice, int mode);

// A run of a model from 0 to `stop`, or to where it fails.
typedef struct Simulation {
    Slice *slice;
    SaltusRun *run; // NULL: it could not even start
    SaltusStatus status;
    SaltusError error;
} Simulation;

Simulation simulation_run(const Model *model, const SaltusMethod *method, double stop);
void simulation_end(Simulation *s);
// The default method with both tolerances like this.
SaltusMethod simulation_method(double tolerance);

#endif
