// SPDX-License-Identifier: MIT
//
// The evaluations of a mode, as the engine calls them: its equations as a program, with working
// memory that belongs to the run.
//
// Without unknowns that are iterated for, the mode is given by a right-hand side, event functions
// and outputs, which the engine can call with the least ceremony; else by joint evaluation.

#ifndef SALTUS_MODES_EVALUATION_H
#define SALTUS_MODES_EVALUATION_H

#include "modes/affine.h"

#include <saltus/saltus.h>

// What is evaluated; numbers of entries of the program.
typedef struct ModeEvaluation {
    const Program *program;
    const Backend *backend;
    uint32_t events, rates, outputs;
    bool has_rates;
    const SaltusSparsity
        *sparsity;         // in whose order the slopes of the program are; NULL: by columns
    uint32_t memory_count; // the client memory of a run begins with the vector PROGRAM_MEMORY of so
                           // many doubles, then has PROGRAM_HELD
    // Of each part of the program, if all of them are linear; NULL: they are not.
    const Affine *const *affines;
    uint32_t affine_count;
    const char *nonlinear; // why they are not
    SaltusLinear linear;
} ModeEvaluation;

// The callbacks of a mode, except work.create, which has to find the evaluation and return
// evaluation_work for it. The counts of states, events, outputs are set already.
void evaluation_define(const ModeEvaluation *evaluation, SaltusModeDef *mode);
// Says what the parts are; the program is there.
void evaluation_set_affines(ModeEvaluation *evaluation, const Affine *const *affines,
                            uint32_t count);
void *evaluation_work(const ModeEvaluation *evaluation, const SaltusContext *c);
const ModeEvaluation *evaluation_of_work(const void *work);
// With the numbers of the last failure.
const ProgramScratch *evaluation_scratch(const void *work);

#endif
