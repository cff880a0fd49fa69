// SPDX-License-Identifier: MIT
//
// Model exchange: the importer integrates the states of all modes. Derivatives and event functions
// are those of the run's active mode, at a time and states that the importer sets; an event moves
// the run there.

#ifndef SALTUS_FMU_EXCHANGE_H
#define SALTUS_FMU_EXCHANGE_H

#include "fmu/instance.h"

typedef struct ExchangeInfo {
    bool has_ended, states_changed, nominals_changed;
    double next_time; // of a time event; infinite: none
} ExchangeInfo;

// The initialization is over; with_states: the importer is where the run is.
FmuStatus exchange_begin(Fmu *fmu, bool with_states);
void exchange_destroy(Fmu *fmu);
// The states of the run's active mode are found in the description; with_states: and the values of
// all of them taken over. An error: the mode has others.
FmuStatus exchange_adopt(Fmu *fmu, bool with_states);
// All variables where the importer is.
FmuStatus exchange_look(Fmu *fmu);
// A state, its derivative, or an event function.
FmuStatus exchange_get(Fmu *fmu, const Item *item, double *value);
// A continuous input takes effect at once; everything else waits for the next event.
FmuStatus exchange_set_input(Fmu *fmu, uint32_t reference);

// Where the importer is, or of co-simulation the run: the time, and the states in the order of the
// active mode.
const double *exchange_point(const Fmu *fmu, double *time);
// The parameter that has the value of a continuous input; -1: there is none.
int exchange_find_value(const Fmu *fmu, const char *input);

// The variable that a derivative of the description is that of; -1: it is none.
int exchange_variable(const Fmu *fmu, const Item *derivative);

// How many there are in the description; NULL: not wanted.
FmuStatus exchange_counts(Fmu *fmu, size_t *states, size_t *indicators);

FmuStatus exchange_enter_event_mode(Fmu *fmu);
FmuStatus exchange_update(Fmu *fmu, ExchangeInfo *info);
FmuStatus exchange_enter_continuous(Fmu *fmu);
// *wants_event: an event is to follow, in which the mode takes other states.
FmuStatus exchange_completed(Fmu *fmu, bool *wants_event);
FmuStatus exchange_set_time(Fmu *fmu, double time);
FmuStatus exchange_set_states(Fmu *fmu, const double *x, size_t count);
FmuStatus exchange_derivatives(Fmu *fmu, double *dx, size_t count);
FmuStatus exchange_indicators(Fmu *fmu, double *h, size_t count);
FmuStatus exchange_states(Fmu *fmu, double *x, size_t count);
FmuStatus exchange_nominals(Fmu *fmu, double *nominals, size_t count);

#endif
