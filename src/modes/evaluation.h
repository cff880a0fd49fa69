// SPDX-License-Identifier: MIT
//
// The evaluations of a mode, as the engine calls them: its equations as a program, with working
// memory that belongs to the run.
//
// Without unknowns that are iterated for, the mode is given by a right-hand side, event functions
// and outputs, which the engine can call with the least ceremony; else by joint evaluation.

#ifndef SALTUS_MODES_EVALUATION_H
#define SALTUS_MODES_EVALUATION_H

#include "modes/program.h"

#include <saltus/saltus.h>

// What is evaluated; numbers of entries of the program.
typedef struct ModeEvaluation {
    const Program *program;
    const Backend *backend;
    uint32_t events, rates, outputs;
    bool has_rates;
    uint32_t memory_count; // the client memory of a run begins with the vector PROGRAM_MEMORY of so
                           // many doubles, then has PROGRAM_HELD
} ModeEvaluation;

// The callbacks of a mode, except work_create, which has to find the evaluation and return
// evaluation_work for it. The counts of states, events, outputs are set already.
void evaluation_define(const ModeEvaluation *evaluation, SaltusModeDef *mode);
void *evaluation_work(const ModeEvaluation *evaluation, const SaltusContext *c);

#endif
