// SPDX-License-Identifier: MIT
//
// From the equations of a mode to formulas, in this order:
//
//   system      equations and variables with what is known of them, and the signature: which
//               variable is in which equation, with how many derivatives
//   structure   Pantelides and Pryce: offsets, states, blocks, tearing (structure/offsets.c); if
//               there is none, constraints that follow from others are replaced (redundant.h), and
//               if that does not help, the diagnosis names what there is too much of
//   flow        each block solved for its unknowns (structure/solution.h)
//   initial     what determines a start: initial equations, start values by their rank
//   start       the same equations, solved together with these
//
// A structure is found for generic numbers: where those of the model make a block singular, the
// run finds it (modes/program_stage.c), or other states are selected.

#ifndef SALTUS_MODES_ANALYSE_H
#define SALTUS_MODES_ANALYSE_H

#include "modes/gather.h"
#include "structure/initial.h"
#include "structure/solution.h"

typedef struct Analysis {
    Assembly *assembly;
    Diagnostics *diagnostics;
    Arena *arena;    // of what follows up to `flow`; of a large mode, one of its own
    Arena *formulas; // likewise of `flow`
    System system;
    const Signature *signature;
    const Structure *structure;
    const Solution *flow;
    const Initial *initial; // NULL: not asked for yet
    const Solution *start;
    const bool *is_suspect; // by choice, of a singular system: its equations are to blame; or NULL
    uint32_t surplus;       // of a singular system: so many equations and variables too many
} Analysis;

// Looks at all attributes that an analysis asks for once: the functions that they call belong to
// the model, not to the mode that first needs them.
void analyse_attributes(const Assembly *assembly);
// The nominal value of a variable, by the parameters as they are bound in the text; 0: none is
// given, or it is not known.
double analyse_nominal(const Assembly *assembly, const FlatVariable *variable);

// False after errors. state_orders: see structure_with_states; NULL: states are chosen by
// structure.
bool analyse(const Gathered *gathered, const uint32_t *state_orders, Analysis *analysis);
// The initialization, of which `initial` keeps the surplus only. False after errors.
bool analyse_start(Analysis *analysis);

// Of a large mode, when `flow` is not needed any more; when nothing up to it is.
void analyse_end_flow(Analysis *analysis);
void analyse_end(Analysis *analysis);

// Of the equations as they are gathered, before aliases are removed.
const Signature *analyse_signature(const Gathered *gathered);

// What must be zero of an initial equation or a start value.
Node analyse_initial_row(const Analysis *analysis, const InitialRow *row);
// Whether the model asks for all of these states by stateSelect = prefer or always.
bool analyse_are_asked_for(const Analysis *analysis, const uint32_t *states, uint32_t count);
// Nominal values, one per variable of the graph; 0: not given.
const double *analyse_nominals(const Analysis *analysis);

#endif
