// SPDX-License-Identifier: MIT
//
// What constraints leave over in a run. A constraint is an equation without derivatives that the
// index reduction differentiates: the length of a pendulum. Since the equations are solved at every
// point with it, it does not drift; what is looked at here, outside of the run, shows that.
//
//   Drifts *watch = drift_create(model);
//   drift_row(watch, row, saltus_run_parameters(run));     // for each row of a run
//   const Drift *drifts = drift_end(watch, &count);
//
// The first row of a mode costs an analysis of it, if there are constraints.

#ifndef SALTUS_MODES_DRIFT_H
#define SALTUS_MODES_DRIFT_H

#include "modes/model.h"

typedef struct Drifts Drifts;

typedef struct Drift {
    const char *text; // of the constraint, as long as the watch
    double value;     // the largest difference of its sides so far
    double relative;  // the same beside what they are the sums of
    double time;      // when that was
} Drift;

Drifts *drift_create(const Model *model); // NULL: out of memory
void drift_destroy(Drifts *watch);        // NULL is allowed
// False: out of memory.
bool drift_row(Drifts *watch, const SaltusRow *row, const double *parameters);
// When the run is over: by what they leave over relatively, the most first. Constraints of the same
// text are one.
const Drift *drift_end(Drifts *watch, size_t *count);

#endif
