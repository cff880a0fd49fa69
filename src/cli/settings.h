// SPDX-License-Identifier: MIT
//
// Settings of a run that commands share: times, tolerances, methods; as options give them, and what
// they mean together with the model's experiment annotation.

#ifndef SALTUS_CLI_SETTINGS_H
#define SALTUS_CLI_SETTINGS_H

#include "cli/options.h"
#include "flatten/flat.h"

#include <saltus/saltus.h>

typedef struct Settings {
    double start_time, stop_time, relative_tolerance, absolute_tolerance, step, maximum_step,
        event_tolerance;         // NAN: not given
    const char *solver, *locate; // words of the lists below; NULL: not given
    int zeno;                    // SaltusZeno
} Settings;

extern const char *const settings_solver_names[], *const settings_locator_names[];

Settings settings_default(void);

// The option, or what the experiment annotation has, or else; NAN: not given.
double settings_given(double option, double experiment, double otherwise);

// Everything but the steps.
void settings_apply(const Settings *settings, const FlatExperiment *experiment,
                    SaltusOptions *options, double *stop_time);
// Steps of a run over `span`, by the solver that was chosen; fixed_step: where --step is not given.
void settings_apply_steps(const Settings *settings, double span, double fixed_step,
                          SaltusMethod *method);

// Whether the solver has fixed steps.
bool settings_is_fixed_step(SaltusSolver solver);

#endif
