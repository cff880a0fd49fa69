// SPDX-License-Identifier: MIT
//
// What is at hand while a mode is made: for the files that make modes only.

#ifndef SALTUS_MODES_MODE_MAKER_H
#define SALTUS_MODES_MODE_MAKER_H

#include "modes/holds.h"

typedef struct ModeMaker {
    Arena *arena;
    Dag *dag;
    Assembly *a;
    Diagnostics *diagnostics;
    const Model *model;
    Mode *mode;
    Gathered gathered;
    Analysis analysis;
    const Mode *base;             // of a variant
    const uint32_t *state_orders; // of a variant
    Holds holds;
    CodePlace *places;         // of what all programs of the mode know
    uint32_t *guess_variables; // of the start, that may be iterated for
    uint32_t guess_variable_count;
    const double *nominals;
    Rates rates; // of the event functions
    ProgramEntry entries[MODEL_START_ENTRY_COUNT];
} ModeMaker;

ModeMaker mode_maker(Mode *mode);

// The equations of one part, or of all, and their analysis. False after errors.
bool mode_find_equations(ModeMaker *k, PartNumber part);
// What the programs of a mode compute, from its equations.
void mode_set_entries(ModeMaker *k);
void mode_set_entry(ModeMaker *k, ModelEntry entry, const char *name, const Node *nodes,
                    uint32_t count);

// The initialization, from the equations of all parts and the entries of the mode.
bool mode_make_start(ModeMaker *k);
// The entries of a mode of several parts: those of one part after those of the other.
void mode_join_entries(ModeMaker *k, const ProgramEntry *const *parts);

// The arena in which modes are made, and with it the graph, whose new nodes go with the arena when
// it is closed. See workshop.c.
void workshop_open(const Model *model);
// keep: the arena stays, for the caller to destroy. NULL: it stays as long as the model.
Arena *workshop_close(const Model *model, bool keep);

#endif
