// SPDX-License-Identifier: MIT
//
// A Model as a system of the engine: evaluation, definition.

#include "model/system.h"

#include "model/failure.h"

#include <math.h>

ProgramInputs system_inputs(const Model *m, double t, const double *x, const double *p,
                            const void *memory)
{
    const ModelMemory mem = model_memory(m, memory);
    return (ProgramInputs){.time = t,
                           .vectors = {[PROGRAM_STATES] = x,
                                       [PROGRAM_PARAMETERS] = p,
                                       [PROGRAM_MEMORY] = mem.m,
                                       [PROGRAM_HELD] = mem.held}};
}

void system_explain(const Model *m, const Program *p, const ProgramScratch *scratch,
                    char message[512])
{
    failure_text(p, m->assembly->diagnostics->sources, scratch->code, message, 512);
}

static void explain(const SaltusContext *c, int code, char *text, size_t size)
{
    const Model *m = c->user;
    failure_text(m->flow, m->assembly->diagnostics->sources, code, text, size);
}

static void *create_work(const SaltusContext *c)
{
    const Model *m = c->user;
    return evaluation_work(&m->evaluation, c);
}

// Assertions whose conditions trigger no events are looked at after every step.
static void accepted(SaltusEvent *event)
{
    const Model *m = event->user;
    ModelScratch *s = model_take_scratch(m);
    if (!s) {
        saltus_fail(event, "out of memory");
        return;
    }
    const ProgramInputs inputs = system_inputs(m, event->t, event->x, event->p, event->memory);
    if (program_solve(m->flow, s->program, &inputs, PROGRAM_ALL, event->z, NULL) == PROGRAM_FINE &&
        program_evaluate(m->flow, s->program, &inputs, MODEL_ASSERTIONS, s->values) == PROGRAM_FINE)
        update_assert(event, m, s->values);
    model_give_scratch(m, s);
}

SaltusStatus model_system(const Model *m, const double *parameters, SaltusSystem **system,
                          SaltusError *error)
{
    SaltusModeDef mode = saltus_default_mode();
    mode.name = "default";
    mode.state_count = (int)m->state_count;
    mode.algebraic_count = (int)m->flow->guess_count;
    mode.state_names = m->state_names;
    mode.algebraic_names = m->guess_names;
    mode.nominal = m->nominals;
    mode.sparsity = m->sparsity;
    mode.event_count = (int)m->event_count;
    mode.events = m->events;
    mode.output_count = (int)m->output_count;
    mode.output_names = m->output_names;
    mode.work_create = create_work;
    evaluation_define(&m->evaluation, &mode);

    SaltusSystemDef def = saltus_default_system();
    def.name = m->flat->name;
    def.user = (void *)(uintptr_t)m;
    def.mode_count = 1;
    def.modes = &mode;
    def.parameter_count = (int)m->parameters->count;
    def.parameter_names = m->parameters->names;
    def.parameters = parameters;
    def.memory_size = model_memory_size(m);
    def.start = start_run;
    def.explain = explain;
    def.event_update = update_event;
    def.accepted = m->assembly->assertion_count ? accepted : NULL;
    return saltus_system_create(&def, system, error);
}

// ---------------------------------------------------------------------------
// Questions about a model
// ---------------------------------------------------------------------------

void model_set_backend(const Model *m, BackendChoice choice, const NativeOptions *options)
{
    m->backend->choice = choice;
    m->backend->options = options ? *options : (NativeOptions){0};
}

bool model_is_compiled(const Model *m, const char **reason)
{
    *reason = backend_reason(m->flow->code);
    return atomic_load(&m->flow->code->functions) != NULL;
}

ModelParameters model_list_parameters(const Model *m)
{
    return (ModelParameters){m->parameters->count, m->parameters->names, m->parameters->flat};
}

SaltusStatus model_find_parameters(const Model *m, const ParameterValue *given, uint32_t count,
                                   double *p, SaltusError *error)
{
    SaltusError ignored;
    return parameters_evaluate(m->parameters, m->assembly->diagnostics->sources, given, count, p,
                               error ? error : &ignored);
}

uint32_t model_output_count(const Model *m)
{
    return m->output_count;
}

const char *const *model_output_names(const Model *m)
{
    return m->output_names;
}

const FlatVariable *const *model_output_variables(const Model *m)
{
    return m->outputs;
}

const char *model_time_event(const Model *m, int id)
{
    if (id < (int)m->sample_count)
        return "sample";
    for (uint32_t i = 0; i < m->hold_count; i++)
        if (m->holds[i].kind == HOLD_TIME && system_time_id(m, &m->holds[i]) == id)
            return m->holds[i].text;
    return "time";
}

bool model_has_terminal(const Model *m)
{
    return m->terminal_place != CODE_NONE;
}

void model_terminal(SaltusEvent *event)
{
    enum { MOST_ITERATIONS = 100 };
    const Model *m = event->user;
    model_memory(m, event->memory).m[m->terminal_place] = 1.0;
    // The engine does not see that the memory changed, so the iterations are made here.
    for (int i = 0; i < MOST_ITERATIONS && update_event(event) & SALTUS_AGAIN; i++)
        continue;
}

bool model_next_warning(const Model *m, const SaltusRun *run, uint32_t *index, double *time,
                        const char **message)
{
    const Assembly *a = m->assembly;
    const ModelMemory memory = model_memory(m, saltus_run_memory(run));
    for (; *index < a->assertion_count; ++*index) {
        const AssembledAction *assertion = &a->assertions[*index];
        if (assertion->kind != ACTION_ASSERT || assertion->level != FLAT_LEVEL_WARNING ||
            isnan(memory.warned[*index]))
            continue;
        *time = memory.warned[*index];
        *message = assertion->message;
        ++*index;
        return true;
    }
    return false;
}
