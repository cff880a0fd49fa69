// SPDX-License-Identifier: MIT
//
// Forward sensitivities of a run through its events: how all variables change with parameters and
// start values, at every row.
//
// Between events the sensitivities S = dx/dq of the states follow S' = f_x S + f_q along the run
// (sensitivity_flow.c). At an event that a zero of h marks, its time moves by
//
//   dt = -(h_x S + h_q) / (h_x f + h_t)
//
// and what the instant makes of the states, R, by its derivative along the surface:
//
//   S+ = dR (S- + f- dt) - f+ dt
//
// (Donde and Hiskens 2006; the saltation matrix), also where the mode that follows has other
// states. R is the whole instant with all its iterations (sensitivity_event.c). Discrete variables
// and times of time events have sensitivities, too, which are constant between events. Where an
// input is set from outside, the time of the instant does not depend on anything: dt = 0.
//
// All derivatives are differences of the model's functions over four points, whose error is about
// 1e-10 of them where the functions are smooth; of formulas there are none: an instant is none.
//
// Where derivatives do not exist, at a grazing event, two events at once, an accumulation point,
// they are NaN from there on, and sensitivity_loss says why.
//
// The run is the same, bit for bit, as without.

#ifndef SALTUS_STUDIES_SENSITIVITY_H
#define SALTUS_STUDIES_SENSITIVITY_H

#include "open/embed.h"

typedef struct Sensitivity Sensitivity;

typedef struct SensitivityDef {
    const Loaded *loaded; // or a variant
    const double *p;      // all parameters of the run
    uint32_t value_count; // those that were given to it, see loaded_parameters
    const ParameterValue *values;
    uint32_t count;        // by how many of them is differentiated
    const uint32_t *by;    // these; they are Real
    SaltusOptions options; // of the run; its callbacks may ask for sensitivities
    double stop_time;
    const EmbeddedSignals *inputs; // that follow signals, and begin as p says; NULL: none
} SensitivityDef;

// NULL: the error says why. The definition's arrays and the model must outlive it.
Sensitivity *sensitivity_create(const SensitivityDef *def, SaltusError *error);
void sensitivity_destroy(Sensitivity *sensitivity); // NULL is allowed; not the run

// As loaded_run.
SaltusStatus sensitivity_run(Sensitivity *sensitivity, const SaltusSystem *system, SaltusRun **run,
                             SaltusError *error);

// In the callback for a row: the derivatives of all outputs of the model by parameter `k` there;
// valid until it is asked again. NULL: out of memory.
const double *sensitivity_row(Sensitivity *sensitivity, uint32_t k);
// In the callback for a piece: the same at any time of it, in the order of time.
const double *sensitivity_at(Sensitivity *sensitivity, const SaltusPiece *piece, double t,
                             uint32_t k);
// How the times of the run's events change with parameter `k`; 0 for those of the start.
uint32_t sensitivity_event_count(const Sensitivity *sensitivity);
double sensitivity_event_time(const Sensitivity *sensitivity, uint32_t event, uint32_t k);

// Why there are none any more, and since when; NULL: there are.
const char *sensitivity_loss(const Sensitivity *sensitivity, double *time);

#endif
