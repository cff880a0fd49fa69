// SPDX-License-Identifier: MIT
//
// What the files of solve share; for them only.

#ifndef SALTUS_STUDIES_SOLVE_PARTS_H
#define SALTUS_STUDIES_SOLVE_PARTS_H

#include "studies/sequence.h"
#include "studies/solve.h"

// Runs for unknowns, one after the other.
typedef struct SolveSearch {
    const SolveDef *def;
    StudyRunner *runner;
    ParameterValue *values;
    SolveResult *result;
    size_t residual_count;
    double *residuals; // of the last run
    bool is_observed;  // the last run has results
    bool is_broken;    // no memory, or interrupted: result->status says so
    char *reason;      // why the last run has no residuals; NULL: it has, or nothing is known
} SolveSearch;

bool search_begin(SolveSearch *search, const SolveDef *def, SolveResult *result);
void search_end(SolveSearch *search);
// A run; false: it has no residuals, or not all are numbers. Then search->reason says why.
bool search_run(SolveSearch *search, const double *unknowns);
// Adds a result with these unknowns, for which all is run and observed again. NULL: no memory.
SolveItem *search_add(SolveSearch *search, SolveKind kind, const double *unknowns);
// What is different in the events of the runs at the two places; note, to be freed, stays NULL if
// nothing is.
void search_explain(SolveSearch *search, double left, double right, char **note);
void search_fail(SolveSearch *search, SaltusStatus status, const char *format, ...)
    TEXT_FORMAT(3, 4);

#endif
