// SPDX-License-Identifier: MIT

#include "modes/methods.h"

#include <math.h>

// What annotations can change.
enum { KEPT_SOLVER, KEPT_LOCATE, KEPT_RELATIVE, KEPT_ABSOLUTE, KEPT_STEP, KEPT_COUNT };

uint32_t methods_memory(const FlatModel *flat)
{
    bool has_any = flat->experiment.method != NULL;
    for (uint32_t i = 0; i < flat->machine_count; i++)
        for (uint32_t k = 0; k < flat->machines[i]->state_count; k++)
            has_any |= flat->machines[i]->states[k]->method != NULL;
    return has_any ? KEPT_COUNT : 0;
}

static bool modes_methods_check(const FlatMethod *m, Diagnostics *diagnostics)
{
    SaltusSolver solver;
    SaltusLocate locate;
    const size_t errors = diagnostics->error_count;
    if (m && m->solver && !saltus_solver_from_name(m->solver, &solver))
        diagnostics_error(diagnostics, m->span, "there is no solver '%s'", m->solver);
    if (m && m->locate && !saltus_locate_from_name(m->locate, &locate))
        diagnostics_error(diagnostics, m->span, "there is no locator '%s'", m->locate);
    if (m && (m->relative_tolerance <= 0.0 || m->absolute_tolerance < 0.0 || m->max_step < 0.0))
        diagnostics_error(diagnostics, m->span, "tolerances and steps must be positive");
    return diagnostics->error_count == errors;
}

bool methods_check(const FlatModel *flat, Diagnostics *diagnostics)
{
    bool is_fine = modes_methods_check(flat->experiment.method, diagnostics);
    for (uint32_t i = 0; i < flat->machine_count; i++)
        for (uint32_t k = 0; k < flat->machines[i]->state_count; k++)
            is_fine =
                modes_methods_check(flat->machines[i]->states[k]->method, diagnostics) && is_fine;
    return is_fine;
}

void methods_start(const SaltusEvent *event, const Model *model)
{
    double *kept = model_memory(model, event->memory).method;
    if (methods_memory(model->flat) == 0)
        return;
    kept[KEPT_SOLVER] = event->method->solver;
    kept[KEPT_LOCATE] = event->method->locate;
    kept[KEPT_RELATIVE] = event->method->relative_tolerance;
    kept[KEPT_ABSOLUTE] = event->method->absolute_tolerance;
    kept[KEPT_STEP] = event->method->max_step;
}

static void methods_apply(const FlatMethod *m, SaltusMethod *method)
{
    if (!m)
        return;
    if (m->solver)
        saltus_solver_from_name(m->solver, &method->solver);
    if (m->locate)
        saltus_locate_from_name(m->locate, &method->locate);
    if (!isnan(m->relative_tolerance)) {
        // the absolute one keeps its ratio unless it is given, too
        method->absolute_tolerance *= m->relative_tolerance / method->relative_tolerance;
        method->relative_tolerance = m->relative_tolerance;
    }
    if (!isnan(m->absolute_tolerance))
        method->absolute_tolerance = m->absolute_tolerance;
    if (!isnan(m->max_step))
        method->max_step = m->max_step;
}

void methods_enter(SaltusEvent *event, const Mode *mode)
{
    const Model *model = mode->model;
    const MachineTables *tables = model->machines;
    const double *kept = model_memory(model, event->memory).method;
    if (methods_memory(model->flat) == 0)
        return;
    SaltusMethod method = *event->method;
    method.solver = (SaltusSolver)kept[KEPT_SOLVER];
    method.locate = (SaltusLocate)kept[KEPT_LOCATE];
    method.relative_tolerance = kept[KEPT_RELATIVE];
    method.absolute_tolerance = kept[KEPT_ABSOLUTE];
    method.max_step = kept[KEPT_STEP];
    methods_apply(model->flat->experiment.method, &method);
    for (uint32_t i = 0; i < tables->machine_count; i++) { // outer ones first
        const FlatMachine *machine = tables->machines[i].flat;
        const uint32_t state = mode->switches.choices[machine->index];
        if (state != GATHER_ANY)
            methods_apply(machine->states[state]->method, &method);
    }
    *event->method = method;
}
