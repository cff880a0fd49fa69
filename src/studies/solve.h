// SPDX-License-Identifier: MIT
//
// Parameters for which runs have a wanted result: roots by bracketing, systems and least squares by
// Levenberg and Marquardt's method, minima, and the boundaries between intervals in which something
// holds.
//
// The first `target_count` observations of the study are what shall be zero (or smallest, or is
// looked at for boundaries); the others are only reported for what is found.
//
// What always holds: a place where the target jumps over zero is reported as a jump, with what
// changes in the sequence of events there, never as a root.

#ifndef SALTUS_STUDIES_SOLVE_H
#define SALTUS_STUDIES_SOLVE_H

#include "studies/axis.h"

enum { SOLVE_MOST_UNKNOWNS = 16 };

typedef struct SolveDef {
    Study *study;
    size_t unknown_count;  // 1 to SOLVE_MOST_UNKNOWNS
    const Axis *unknowns;  // their intervals
    const double *guesses; // of systems and minima of several unknowns: where to begin
    size_t starts;         // of systems: so many places to begin at, of which the best end counts
    size_t fixed_count;
    const ParameterValue *fixed; // further parameters
    size_t target_count;         // of observations
    // The study's data, whose residuals (run - measured)/scale are wanted to be zero, too; NULL:
    // none. A scale per column.
    const StudyData *data;
    const double *scales;
    size_t points; // intervals that are looked at for all roots and boundaries
    unsigned jobs; // threads for that; 0: as many as there are processors
    bool (*is_interrupted)(void);
    // Before and between runs; fraction of a search on a grid: 0 to 1, else NAN. NULL: not wanted.
    void (*progress)(void *user, double fraction, long runs);
    void *user;
} SolveDef;

typedef enum SolveKind {
    SOLVE_ROOT,
    SOLVE_JUMP,     // the target changes its sign by a jump
    SOLVE_MINIMUM,  // of the target, or of the sum of squares
    SOLVE_BOUNDARY, // the value of the target is another one from here on
} SolveKind;

typedef struct SolveItem {
    SolveKind kind;
    double unknowns[SOLVE_MOST_UNKNOWNS];
    double value; // of the target; of several: the root of the sum of their squares
    // Least squares: the covariance of the unknowns, row by row, if the residuals are independent
    // and equally distributed: s^2 (J'J)^-1 with s^2 the sum of squares over its degrees of
    // freedom. NaN: not known.
    double covariance[SOLVE_MOST_UNKNOWNS * SOLVE_MOST_UNKNOWNS];
    size_t residual_count;
    double left, right; // jump, boundary: the target just below and just above
    double width;       // of the bracket
    char *note;         // what changes at a jump or a boundary; NULL: not known
    double *observed;   // values of all observations, one after the other
    size_t observed_count;
    double
        *traced; // what its run has where data were measured, in their order; NULL: there are none
} SolveItem;

typedef struct SolveResult {
    SolveItem *items; // ascending
    size_t count, room;
    long runs;
    SaltusStatus status; // below zero: it failed; SALTUS_INTERRUPTED
    char *message;       // why it failed, or why nothing was found; NULL: it did not
} SolveResult;

// The root of one target in the interval of one unknown.
SolveResult solve_root(const SolveDef *def);
// All of them that a search on a grid sees, and the jumps.
SolveResult solve_all(const SolveDef *def);
// Places where the value of the target changes; several targets: where any does; no target: where
// the sequence of events does.
SolveResult solve_boundaries(const SolveDef *def);
// As many unknowns as targets, or fewer: then the sum of their squares is smallest.
SolveResult solve_system(const SolveDef *def);
// The smallest value of one target.
SolveResult solve_minimum(const SolveDef *def);

void solve_free(SolveResult *result);

#endif
