// SPDX-License-Identifier: MIT
//
// What is wrong with a structurally singular system, in the words of the model: the connected
// parts with more equations than variables, and those with more variables than equations.
//
// The parts are those of Dulmage and Mendelsohn (matching.h): the same for every maximum matching,
// so they say what the model says and not what the algorithm happened to do.

#ifndef SALTUS_STRUCTURE_DIAGNOSIS_H
#define SALTUS_STRUCTURE_DIAGNOSIS_H

#include "base/diagnostics.h"
#include "structure/signature.h"

typedef struct DiagnosisPart {
    bool is_over;     // too many equations; else too many variables
    uint32_t surplus; // so many too many
    uint32_t equation_count, variable_count;
    const uint32_t *equations, *variables; // ascending
} DiagnosisPart;

typedef struct Diagnosis {
    uint32_t count; // 0: the system is structurally regular
    const DiagnosisPart *parts;
} Diagnosis;

Diagnosis diagnosis_find(Arena *arena, const Signature *s);

// An error for each part, with notes: the equations and variables in question.
void diagnosis_report(const Signature *s, const Diagnosis *diagnosis, Diagnostics *diagnostics);

#endif
