// SPDX-License-Identifier: MIT
//
// The consistent restart of a mode in numbers: from the left limits of what the mode knows below
// its highest derivatives to their right limits. jump.h has the equations; this solves them.
//
//   const Impulse *impulse = impulse_create(&def, diagnostics);   // once per mode
//   ImpulseScratch *scratch = impulse_scratch(impulse);
//   x[k] = left limit of impulse->variables[k], or a value that reset or reinit gave it; NAN: none
//   given.fixed[k] = reinit gave it
//   status = impulse_solve(impulse, scratch, &given, x, impulses, &report);
//   x[k] is the right limit of impulse->variables[k].
//
// What always holds: what no constraint moves keeps its bits. Constraints that hold already move
// nothing, whether the jump would be unique or not. What reinit fixed is kept; what acted on it
// from outside is unknown, so that the equation with its highest derivative says nothing about the
// jump of others, or, where the left limit is unknown, or the equation cannot be told from others
// that contain it, none of them does. What had no value takes the one that constraints and the left
// limits of others give it, if nothing else has to jump then. What is left open is reported, and
// never guessed. An Impulse is immutable and may be shared by threads.

#ifndef SALTUS_MODES_IMPULSE_H
#define SALTUS_MODES_IMPULSE_H

#include "modes/program.h"
#include "structure/jump.h"

typedef struct ImpulseDef {
    const Solution *flow;    // of the mode
    const CodePlace *places; // of what the mode is given: parameters, memory, time; see ProgramDef
    const double *nominals;  // see ProgramDef
    uint32_t variable_count; // of the graph: so many places and nominal values there are
    const Node *events;      // expressions whose impulses are of interest: the event functions of
    uint32_t event_count;    // conditions that a candidate mode is judged by
    bool is_never_run;       // see ProgramDef
} ImpulseDef;

typedef struct Impulse {
    const Jump *jump;
    const System *system; // names and texts
    const Program *program;
    // The vector x: all v_j^(o), o < d_j, by variable, then order; then guesses for algebraic
    // variables that have to be iterated for.
    const GraphVariable *variables, *guesses; // of the graph
    const char *const *names;
    const Span *spans; // of their declarations
    const double *nominals;
    const bool *is_position; // of x: a constraint determines it, and no finite impulse moves it
    const bool *is_velocity; // of x: constraints contain it, and impulses move it
    bool is_switched;        // constraints contain what changes at events
    bool is_conditional;     // they do, or coefficients of balances do
    uint32_t count, guess_count;
    const struct ImpulsePart *parts;
    uint32_t event_entry, term_count;
    uint32_t most_rows, most_columns, most_entries, coefficient_count, column_count;
} Impulse;

// What is needed to use it. See impulse_keep.c.
const Impulse *impulse_keep(const Impulse *impulse, const Keeper *keeper); // or NULL
// Whether constraints contain what changes at events.
bool impulse_is_switched(const Solution *flow);
// NULL after errors.
const Impulse *impulse_create(const ImpulseDef *def, Diagnostics *diagnostics);

typedef struct ImpulseScratch ImpulseScratch;
ImpulseScratch *impulse_scratch(const Impulse *impulse); // NULL: no memory
void impulse_scratch_free(ImpulseScratch *scratch);

typedef enum ImpulseStatus {
    IMPULSE_FINE,
    IMPULSE_OPEN,          // something is not determined
    IMPULSE_CONTRADICTION, // the constraints cannot hold all at once, or not with what reinit says
    IMPULSE_POSITION,      // a position would have to jump
    IMPULSE_DISCONTINUOUS, // an impulse meets a coefficient that jumps, or a nonlinear equation
    IMPULSE_FAILED,        // a function failed, or the equations could not be solved
} ImpulseStatus;

// One solution: what is given, and what is said of it.
typedef struct ImpulseCall {
    const Impulse *impulse;
    ImpulseScratch *s;
    ProgramInputs inputs;     // as for the mode's other programs; PROGRAM_STATES becomes x
    ProgramInputs before;     // the same with conditions and discrete variables as they were
    const bool *is_fixed;     // of x: reinit has given it; may be NULL
    const double *fixed_left; // of what is fixed: its left limits; NULL: they are not known
    double tolerance; // positions may be projected so far, relative to value plus nominal value
    double least;     // the same of jumps: what is less has no impulse
    double *x;        // left limits, then right limits
    bool has_moved;   // x is not what it was
    char *message;    // why it failed, in names of the model; to be freed; NULL: no memory
    Span span;        // what it is about; nowhere if there is no such place
} ImpulseCall;

// Whether a constraint has another value at x by what changed from `before` to `inputs`.
bool impulse_is_due(ImpulseCall *call);
// impulses[k] (may be NULL) of each event expression: 0 if it stays finite, of those that are not
// unique the ones of least norm in the scale of the equations, NAN if it has none that is defined.
// After a failure x is as it was.
ImpulseStatus impulse_solve(ImpulseCall *call, double *impulses);

#endif
