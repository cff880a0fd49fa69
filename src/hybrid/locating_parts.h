// SPDX-License-Identifier: MIT
//
// What the files of locating share: see run.h.

#ifndef SALTUS_HYBRID_LOCATING_PARTS_H
#define SALTUS_HYBRID_LOCATING_PARTS_H

#include "events/locate.h"
#include "hybrid/run.h"

// One event function on the dense output.
typedef struct LocatingSearch {
    SaltusRun *run;
    int event;
} LocatingSearch;

// For locate_refine, of a LocatingSearch.
int locating_look_at(void *search, double t, double *h, double *dh);
// The rounding of the event functions at t, of a run.
int locating_noise(void *run, double t, double *noise);
// The state at t: by a closing step, or from the dense output of multistep solvers. Where it can be
// evaluated (0), the active instance has it, with its event functions.
int locating_close(SaltusRun *run, double t);
// A lower bound of |h'| at the zero t of a crossing, from its ends: that of a function without
// inflection, of which one chord is steeper and one flatter.
double locating_least_slope(const Crossing *crossing, double t);

// --- locating_henon.c ---

// The event by a change of variable; false: fall back.
bool locating_by_henon(SaltusRun *run, const Crossing *crossing, double *t);

#endif
