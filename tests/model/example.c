// SPDX-License-Identifier: MIT

#include "model/example.h"

#include <stdio.h>

static Trial *run(const char *file, const char *model, double stop_time, SaltusStatus expected)
{
    Trial *t = trial_example(file, model);
    trial_options(t)->method.relative_tolerance = EXAMPLE_TOLERANCE;
    trial_options(t)->method.absolute_tolerance = 1e-3 * EXAMPLE_TOLERANCE;
    if (trial_run(t, stop_time) != expected)
        fail_msg("%s: %s", file, trial_error(t));
    return t;
}

Trial *example_run_to(const char *name, double stop_time, SaltusStatus expected)
{
    char file[128];
    snprintf(file, sizeof file, "%s.mo", name);
    return run(file, NULL, stop_time, expected);
}

Trial *example_run_mode(const char *file, const char *model, double stop_time)
{
    char path[128];
    snprintf(path, sizeof path, "../modes/%s", file);
    return run(path, model, stop_time, SALTUS_OK);
}

Trial *example_run(const char *name, double stop_time)
{
    return example_run_to(name, stop_time, SALTUS_OK);
}

double example_change(const Trial *trial, const char *variable, int n)
{
    const SaltusRun *made = trial_get_run(trial);
    double before = trial_value_at(trial, variable, 0);
    for (long row = 1; row < saltus_run_row_count(made); row++) {
        const double now = trial_value_at(trial, variable, row);
        if (now != before && n-- == 0)
            return saltus_run_row(made, row).t;
        before = now;
    }
    return NAN;
}
