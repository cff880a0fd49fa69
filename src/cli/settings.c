// SPDX-License-Identifier: MIT
//
// Settings of a run: see settings.h.

#include "cli/settings.h"

#include "solvers/solver.h"

#include <math.h>

#define NAME(name, text, what) text,
const char *const settings_solver_names[] = {SALTUS_SOLVER_LIST(NAME) NULL};
const char *const settings_locator_names[] = {SALTUS_LOCATE_LIST(NAME) NULL};
#undef NAME

Settings settings_default(void)
{
    return (Settings){.start_time = NAN,
                      .stop_time = NAN,
                      .relative_tolerance = NAN,
                      .absolute_tolerance = NAN,
                      .step = NAN,
                      .maximum_step = NAN,
                      .event_tolerance = NAN};
}

double settings_given(double option, double experiment, double otherwise)
{
    return !isnan(option) ? option : !isnan(experiment) ? experiment : otherwise;
}

void settings_apply(const Settings *s, const FlatExperiment *e, SaltusOptions *o, double *stop_time)
{
    SaltusMethod *method = &o->method;
    o->start_time = settings_given(s->start_time, e->start_time, 0.0);
    *stop_time = settings_given(s->stop_time, e->stop_time, o->start_time + 1.0);
    o->zeno = (SaltusZeno)s->zeno;
    method->relative_tolerance = settings_given(s->relative_tolerance, e->tolerance, 1e-6);
    method->absolute_tolerance =
        settings_given(s->absolute_tolerance, NAN, 1e-3 * method->relative_tolerance);
    method->event_tolerance = settings_given(s->event_tolerance, NAN, 0.0);
    // The names are words of the table: they exist.
    if (s->solver)
        saltus_solver_from_name(s->solver, &method->solver);
    if (s->locate)
        saltus_locate_from_name(s->locate, &method->locate);
}

void settings_apply_steps(const Settings *s, double span, double fixed_step, SaltusMethod *method)
{
    const bool is_fixed = settings_is_fixed_step(method->solver);
    method->step = settings_given(s->step, is_fixed ? fixed_step : NAN, 0.0);
    // Where nothing moves, steps would grow until they miss what depends on time alone.
    method->max_step = is_fixed ? 0.0 : settings_given(s->maximum_step, NAN, span / 50.0);
}

bool settings_is_fixed_step(SaltusSolver solver)
{
    const SolverKind *kind = solver_kind(solver); // NULL: auto
    return kind && (kind->traits & SOLVER_FIXED_STEP);
}
