// SPDX-License-Identifier: MIT
//
// Model exchange: the importer integrates. The states, derivatives and event functions are those of
// the run's active mode, at a time and states that the importer sets; an event moves the run there.

#ifndef SALTUS_FMU_EXCHANGE_H
#define SALTUS_FMU_EXCHANGE_H

#include "fmu/instance.h"

typedef struct ExchangeInfo {
    bool has_ended, states_changed;
    double next_time; // of a time event; infinite: none
} ExchangeInfo;

// How many there are in the active mode; NULL: not wanted.
FmuStatus exchange_counts(Fmu *fmu, size_t *states, size_t *indicators);

FmuStatus exchange_enter_event_mode(Fmu *fmu);
FmuStatus exchange_update(Fmu *fmu, ExchangeInfo *info);
FmuStatus exchange_enter_continuous(Fmu *fmu);
FmuStatus exchange_completed(Fmu *fmu);
FmuStatus exchange_set_time(Fmu *fmu, double time);
FmuStatus exchange_set_states(Fmu *fmu, const double *x, size_t count);
FmuStatus exchange_derivatives(Fmu *fmu, double *dx, size_t count);
FmuStatus exchange_indicators(Fmu *fmu, double *h, size_t count);
FmuStatus exchange_states(Fmu *fmu, double *x, size_t count);
FmuStatus exchange_nominals(Fmu *fmu, double *nominals, size_t count);

#endif
