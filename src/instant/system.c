// SPDX-License-Identifier: MIT
//
// A Model as a system of the engine: evaluation, definition.

#include "instant/system.h"

#include "base/message.h"
#include "instant/delays.h"

#include "instant/plain.h"
#include "instant/reselect.h"
#include "instant/rest.h"
#include "modes/enclosure.h"
#include "modes/evaluation.h"
#include "modes/failure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void system_explain(const Model *m, const Program *p, const ProgramScratch *scratch, char **message)
{
    failure_explain(p, m->diagnostics->sources, scratch, message);
}

static int instant_system_explain(const SaltusContext *c, int code, SaltusMessage *message)
{
    const Mode *mode = c->data;
    char *text = NULL;
    const bool is_unsolved =
        failure_text(mode->flow, mode->model->diagnostics->sources,
                     c->work ? evaluation_scratch(c->work) : NULL, code, &text);
    if (!text || *text)
        saltus_say(message, "%s", message_text(text));
    free(text);
    return is_unsolved;
}

bool system_fail(SaltusEvent *event, const char *format, ...)
{
    char *message = NULL;
    va_list arguments;
    va_start(arguments, format);
    message_set_arguments(&message, format, arguments);
    va_end(arguments);
    saltus_fail(event, message_text(message));
    free(message);
    return false;
}

void system_complain(const Mode *mode, char **message)
{
    message_set(message, "mode %s cannot be entered", mode->name);
    for (const Diagnostic *d = mode->diagnostics->first; d; d = d->next) {
        if (d->severity != SEVERITY_ERROR)
            continue;
        const SourcePlace place = sources_locate(mode->model->diagnostics->sources, d->span.begin);
        message_add(message, ": line %u: %s", place.line, d->message);
        break;
    }
}

static void *create_work(const SaltusContext *c)
{
    const Mode *m = c->data;
    return evaluation_work(&m->evaluation, c);
}

// Assertions whose conditions trigger no events are looked at after every step; so are the pivots
// of the states.
static void accepted(SaltusEvent *event)
{
    const Mode *m = event->data;
    delays_schedule(event);
    store_accepted(m->model->flat->externals, event->t);
    if (m->jump.pivot_count) {
        ModelInstant instant;
        model_begin_instant(m->model, &instant);
        reselect_accepted(event);
        model_end_instant(m->model, &instant);
        m = event->data;
    }
    if (m->actions.assertions.count == 0)
        return;
    ModelScratch *s = mode_take_scratch(m);
    if (!s) {
        saltus_fail(event, "out of memory");
        return;
    }
    const ModelMemory memory = model_memory(m->model, event->memory);
    const ProgramInputs inputs = frozen_inputs(&memory, event->t, event->x, event->p);
    if (program_solve(m->flow, s->program, &inputs, PROGRAM_ALL, event->z, NULL) == PROGRAM_FINE &&
        program_evaluate(m->flow, s->program, &inputs, MODEL_ASSERTIONS, s->values) == PROGRAM_FINE)
        update_assert(event, m, s->values);
    mode_give_scratch(m, s);
}

// ---------------------------------------------------------------------------
// Instants
// ---------------------------------------------------------------------------

// The modes that are tried stay until it is over.
static unsigned event_update(SaltusEvent *event)
{
    unsigned answer;
    if (plain_event(event, &answer))
        return answer;
    ModelInstant instant;
    model_begin_instant(event->user, &instant);
    answer = update_event(event);
    model_end_instant(event->user, &instant);
    return answer;
}

static void system_start(SaltusEvent *event)
{
    ModelInstant instant;
    model_begin_instant(event->user, &instant);
    start_run(event);
    model_end_instant(event->user, &instant);
}

static void accumulated(SaltusEvent *event)
{
    ModelInstant instant;
    model_begin_instant(event->user, &instant);
    rest_at_limit(event);
    model_end_instant(event->user, &instant);
}

// ---------------------------------------------------------------------------
// Definition
// ---------------------------------------------------------------------------

static void system_release(void *user, const void *data)
{
    (void)user;
    model_leave_mode(data);
}

static int instant_system_provide(void *user, int number, SaltusModeDef *def,
                                  SaltusMessage *message)
{
    const Model *model = user;
    const Mode *m = model_use_mode(model, (uint32_t)number);
    if (!m || m->is_broken) {
        char *why = NULL;
        if (m) {
            system_complain(m, &why);
            model_leave_mode(m);
        }
        saltus_say(message, "%s", m ? message_text(why) : "there is no such mode");
        free(why);
        return 1;
    }
    def->name = m->name;
    def->data = m;
    def->state_count = (int)m->states.count;
    def->algebraic_count = (int)m->flow->guesses.count;
    def->state_names = m->states.names;
    def->algebraic_names = m->states.guess_names;
    def->nominal = m->states.nominals;
    def->hints.sparsity = m->states.sparsity;
    def->event_count = (int)m->conditions.event_count;
    def->events = m->conditions.events;
    def->event_bounds = m->conditions.enclosures ? enclosure_bounds : NULL;
    def->output_count = (int)model->outputs.count;
    def->output_names = model->outputs.names;
    def->work.create = create_work;
    def->ignores_steps = m->jump.pivot_count == 0 && m->actions.assertions.count == 0 &&
                         model->delay_count == 0 && !store_guest(model->flat->externals);
    evaluation_define(&m->evaluation, def);
    return 0;
}

static const char *instant_system_time_name(const void *user, int id)
{
    return model_time_event(user, id);
}

SaltusStatus model_system(const Model *m, const double *parameters, SaltusSystem **system,
                          SaltusError *error)
{
    SaltusSystemDef def = saltus_default_system();
    def.name = m->flat->name;
    def.user = (void *)(uintptr_t)m;
    def.provider = instant_system_provide;
    def.initial_mode = -1;
    def.parameter_count = (int)m->parameters->count;
    def.parameter_names = m->parameters->names;
    def.parameters = parameters;
    def.parameter_classes = m->parameters->classes;
    def.memory.size = model_memory_size(m);
    def.start = system_start;
    def.explain = instant_system_explain;
    def.time_name = instant_system_time_name;
    def.event_update = event_update;
    def.accumulated = accumulated;
    def.release = system_release;
    def.most_modes = model_most_modes(m);
    def.allocator = m->arena->allocator;
    const bool may_reselect = m->assembly->has_modes || m->assembly->sliding.count > 0 ||
                              model_mode_of(m, 0)->jump.pivot_count > 0;
    const bool has_guest = store_guest(m->flat->externals) != NULL;
    def.accepted = m->assembly->assertions.count || may_reselect || m->delay_count || has_guest
                       ? accepted
                       : NULL;
    delays_define(m, &def);
    def.stretch = m->backend->stretch;
    def.replay = m->backend->replay;
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

Parameters model_list_parameters(const Model *m)
{
    return *m->parameters;
}

SaltusStatus model_find_parameters(const Model *m, const ParameterValue *given, uint32_t count,
                                   double *p, SaltusError *error)
{
    return parameters_evaluate(m->parameters, m->diagnostics->sources, given, count, p, error);
}

SaltusStatus model_follow_parameters(const Model *m, const bool *is_set, const double *before,
                                     double *p, SaltusError *error)
{
    return parameters_follow(m->parameters, m->diagnostics->sources, is_set, before, p, error);
}

uint32_t model_output_count(const Model *m)
{
    return m->outputs.count;
}

const char *const *model_output_names(const Model *m)
{
    return m->outputs.names;
}

const FlatVariable *const *model_output_variables(const Model *m)
{
    return m->outputs.variables;
}

const char *model_time_event(const Model *m, int id)
{
    if (id < (int)m->samples.count)
        return m->samples.texts[id];
    const HoldNumber hold = (uint32_t)id - m->samples.count;
    if (hold < m->sizes.held)
        return m->hold_texts[hold];
    const uint32_t delay = hold - m->sizes.held;
    return delay < m->delay_count ? m->delays[delay].text : "time";
}

uint32_t model_time_event_count(const Model *m)
{
    return m->samples.count + m->sizes.held + m->delay_count;
}

bool model_has_terminal(const Model *m)
{
    return m->terminal_place != CODE_NONE;
}

void model_terminal(SaltusEvent *event)
{
    enum { MOST_ITERATIONS = 100 };
    const Model *m = event->user;
    if (!model_has_terminal(m))
        return;
    model_memory(m, event->memory).m[m->terminal_place] = 1.0;
    // The engine does not see that the memory changed, so the iterations are made here.
    for (int i = 0; i < MOST_ITERATIONS && event_update(event) & SALTUS_AGAIN; i++)
        continue;
}

bool model_next_warning(const Model *m, const SaltusRun *run, uint32_t *index, double *time,
                        Arena *arena, const char **message)
{
    const Assembly *a = m->assembly;
    const ModelMemory memory = model_memory(m, saltus_run_memory(run));
    const uint32_t count = model_warning_count(m);
    for (; *index < count; ++*index) {
        const AssembledAction *assertion = *index < a->assertions.count
                                               ? &a->assertions.items[*index]
                                               : &a->actions.items[*index - a->assertions.count];
        if (assertion->kind != ACTION_ASSERT || assertion->level != FLAT_LEVEL_WARNING ||
            isnan(memory.warned[*index]))
            continue;
        *time = memory.warned[*index];
        *message = assemble_message_text(arena, assertion, &memory.warned[*index + 1]);
        ++*index;
        return true;
    }
    const char *note = *index == count ? model_note(m, time) : NULL;
    ++*index;
    if (note)
        *message = note;
    return note;
}

ExternalStore *model_externals(const Model *m)
{
    return m->flat->externals;
}
