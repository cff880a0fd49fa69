// SPDX-License-Identifier: MIT
//
// A run of a model by runs of its independent parts (flatten/separate.h), each with its own steps
// and events: an event of one of n parts costs what it costs in a model of that part alone.
//
//   Apart *a = apart_create(&(ApartDef){...});   // NULL: the model is run as a whole
//   status = apart_run(a, stop_time, &run, &error);
//   ...
//   saltus_run_destroy(run);
//   apart_destroy(a);
//
// What always holds: each part has looked ahead for what it does next, a step or an event, and the
// one that comes first is done first; so what a row shows at its time, the others have in the steps
// that they have taken and not accepted yet. Events that are as near to each other as time can be
// resolved are one.
//
// The run that is handed out has the time, the log, the counters (sums, but for those of events)
// and the error of all parts; of the parts' states it knows nothing, so it cannot go on.

#ifndef SALTUS_OPEN_APART_H
#define SALTUS_OPEN_APART_H

#include "open/loaded.h"

typedef struct Apart Apart;

typedef struct ApartDef {
    const Loaded *loaded;
    const SaltusSystem *system; // of the whole
    const double *parameters;   // of the whole
    const SaltusOptions *options;
    BackendChoice backend;
    // The outputs, by number, that rows must have at events of parts that others belong to; NULL:
    // all. At other times they have all of them.
    const bool *is_wanted;
    uint32_t fewest; // parts, for it to be worth while; 0: as usual
} ApartDef;

// NULL also if the options are about one run: fixed steps, rows at steps, pieces.
Apart *apart_create(const ApartDef *def);
void apart_destroy(Apart *apart); // NULL is allowed

// Starts all parts and advances them. *run is NULL if a part could not start.
SaltusStatus apart_run(Apart *apart, double stop_time, SaltusRun **run, SaltusError *error);

// The name of a mode of the whole, as its rows and its log number them; for a LogSource.
const char *apart_mode(const void *apart, int mode);
int apart_now(const Apart *apart); // the one it is in
// "dopri5", or "exact in 3 of 5 parts, else dopri5", at the end.
const char *apart_solver(const Apart *apart, char *text, size_t size);
// Whether the code of any of its models is compiled; see model_is_compiled.
bool apart_is_compiled(const Apart *apart, const char **reason);
// The outputs that the row in progress has, by number; NULL: all of them.
const uint32_t *apart_fresh(const Apart *apart, uint32_t *count);
// See warnings_next.
bool apart_next_warning(const Apart *apart, uint32_t *index, double *time, Arena *arena,
                        const char **message);

#endif
