// SPDX-License-Identifier: MIT

#include "open/apart_parts.h"

#include "base/message.h"
#include "events/locate.h"
#include "open/warnings.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// Parts from which on runs of their own are worth while.
enum { APART_FEWEST = 4 };

// ---------------------------------------------------------------------------
// Rows
// ---------------------------------------------------------------------------

static bool apart_fill(Apart *a, const ApartPart *p, double t)
{
    const ApartModel *m = p->model;
    if (run_values(p->run, t, m->y) != 0)
        return false;
    for (uint32_t i = 0; i < m->output_count; i++) {
        const uint32_t variable = model_output_variables(m->model)[i]->index;
        const uint32_t output = a->output_of[p->part->variables[variable]];
        a->row.y[output] = m->y[i];
        if (!a->row.is_all_fresh)
            a->row.fresh[a->row.fresh_count++] = output;
    }
    return true;
}

// A variable in the row, or a parameter.
static double apart_read(const void *user, const FlatVariable *v)
{
    const Apart *a = user;
    const uint32_t output = a->output_of[v->index], parameter = a->parameter_of[v->index];
    if (output != UINT32_MAX || parameter != UINT32_MAX)
        return output != UINT32_MAX ? a->row.y[output] : a->parameters[parameter];
    return FLAT_TYPE(v)->kind == FLAT_TYPE_REAL ? v->value.real : (double)v->value.integer;
}

static void apart_observe(Apart *a, double t)
{
    for (uint32_t i = 0; i < a->separation->observer_count; i++) {
        const Separation *s = a->separation;
        a->row.y[a->output_of[s->observers[i].variable]] =
            separate_evaluate(s->observers[i].value, t, apart_read, a);
    }
}

// The parts that it reads have their outputs in every row.
static void apart_want(Apart *a, const FlatExpression *e)
{
    const uint32_t part =
        e->kind == FLAT_VARIABLE ? a->separation->part_of[e->variable->index] : UINT32_MAX;
    if (part != UINT32_MAX)
        a->parts[part].is_wanted = true;
    for (uint32_t i = 0; i < e->count; i++)
        apart_want(a, e->operands[i]);
}

// A row of the whole.
static SaltusStatus apart_row(Apart *a, SaltusRowKind kind, double t)
{
    SaltusRun *run = a->run;
    if (run->options.record == SALTUS_RECORD_NOTHING)
        return SALTUS_OK;
    const bool is_event = kind == SALTUS_ROW_BEFORE_EVENT || kind == SALTUS_ROW_AFTER_EVENT;
    a->row.fresh_count = 0;
    a->row.is_all_fresh = !is_event || a->row.wanted_count == a->count;
    bool is_fine = true;
    for (uint32_t k = 0; k < a->count && is_fine && a->row.is_all_fresh; k++)
        is_fine = apart_fill(a, &a->parts[k], t);
    for (uint32_t k = 0; k < a->row.wanted_count && is_fine && !a->row.is_all_fresh; k++)
        is_fine = apart_fill(a, &a->parts[a->row.wanted[k]], t);
    for (uint32_t k = 0; k < a->turn.group_count && is_fine && !a->row.is_all_fresh; k++)
        if (!a->parts[a->turn.group[k]].is_wanted)
            is_fine = apart_fill(a, &a->parts[a->turn.group[k]], t);
    if (!is_fine)
        return run_fail(run, SALTUS_ERROR_EVALUATION, "outputs could not be evaluated");
    if (a->row.is_all_fresh || a->row.has_wanted_observer)
        apart_observe(a, t);
    const SaltusRow row = {.t = t,
                           .mode = a->modes.now,
                           .kind = kind,
                           .y_count = run->active->mode->output_count,
                           .y = a->row.y};
    if (run->options.row && run->options.row(run->options.user, &row) != 0)
        a->is_interrupted = true;
    return SALTUS_OK;
}

// Rows at multiples of the output interval up to t.
static SaltusStatus apart_intervals(Apart *a, double t)
{
    const SaltusOptions *o = &a->options;
    SaltusStatus status = SALTUS_OK;
    if (!(o->record & SALTUS_RECORD_INTERVALS))
        return status;
    for (; status == SALTUS_OK; a->row.output_index++) {
        const double next = o->start_time + o->output_interval * (double)a->row.output_index;
        if (next > t)
            break;
        if (next > o->start_time)
            status = apart_row(a, SALTUS_ROW_INTERVAL, next);
    }
    return status;
}

// ---------------------------------------------------------------------------
// Events
// ---------------------------------------------------------------------------

// A part records a row, at an event: so does the whole, once.
static int apart_part_row(void *user, const SaltusRow *row)
{
    ApartPart *p = user;
    Apart *a = p->apart;
    if (a->is_starting)
        return 0;
    if (row->kind == SALTUS_ROW_BEFORE_EVENT && !a->now.has_before) {
        a->now.has_before = true;
        a->now.status = apart_row(a, SALTUS_ROW_BEFORE_EVENT, row->t);
    }
    a->now.has_after |= row->kind == SALTUS_ROW_AFTER_EVENT;
    return 0;
}

static bool apart_is_logged_time(Log *log, int id)
{
    for (long i = log->items[log->item_count].times; i < log->time_count; i++)
        if (log->times[i] == id)
            return true;
    return false;
}

static int apart_event_number(const ApartPart *p, const SaltusFired *fired)
{
    if (fired->mode == 0)
        return p->events[fired->event];
    const SaltusModeDef *mode = saltus_system_use_mode(p->model->system, fired->mode);
    if (!mode)
        return -1;
    const char *own = apart_text(p, apart_event_text(mode, fired->event));
    const int number = named_find(p->apart->events, p->apart->event_count, own);
    saltus_system_leave_mode(p->model->system, fired->mode);
    return number;
}

// A name that lives as long as the log.
static const char *apart_log_name(const ApartPart *p, const char *name)
{
    return log_name(&p->apart->run->log, apart_text(p, name));
}

static void apart_log_changes(const ApartPart *p, const SaltusLogEntry *entry)
{
    Log *log = &p->apart->run->log;
    for (int i = 0; i < entry->change_count; i++) {
        const SaltusChange *c = &entry->changes[i];
        const char *name = apart_log_name(p, c->name);
        if (name)
            log_change(log, name, c->before, c->after);
        log->is_out_of_memory |= !name;
    }
    for (int i = 0; i < entry->record_count; i++)
        log_record(log, apart_text(p, entry->records[i].name), entry->records[i].after);
    if (entry->note)
        log_note(log, apart_text(p, entry->note));
}

// An event of a part becomes one of the whole, or joins the one in progress.
static int apart_logged(void *user, const SaltusLogEntry *entry)
{
    const ApartPart *p = user;
    Apart *a = p->apart;
    Log *log = &a->run->log;
    if (!a->now.is_open && !log_open(log, entry->t, a->modes.now)) {
        log->is_out_of_memory = true;
        return 0;
    }
    SaltusLogEntry *own = log_entry(log);
    a->now.is_open = true;
    own->bracket = fmax(own->bracket, entry->bracket);
    own->occasion |= entry->occasion;
    const bool is_idle = entry->classes == SALTUS_SE_O && entry->change_count == 0 &&
                         entry->record_count == 0; // then its only effect is to be logged
    own->classes |= is_idle ? 0 : entry->classes;
    own->iterations = own->iterations > entry->iterations ? own->iterations : entry->iterations;
    for (int i = 0; i < entry->fired_count; i++) {
        const int number = apart_event_number(p, &entry->fired[i]);
        if (number >= 0)
            log_fired(log, (SaltusFired){.mode = a->run->active->index,
                                         .event = number,
                                         .direction = entry->fired[i].direction});
    }
    for (int i = 0; i < entry->time_count; i++) {
        const int id = p->times[entry->time_ids[i]];
        if (apart_is_logged_time(log, id))
            continue;
        log_time(log, id);
        a->run->statistics.time_events++;
    }
    apart_log_changes(p, entry);
    return 0;
}

// The end of an event of the whole: the row after it, its entry of the log.
static SaltusStatus apart_close(Apart *a, double t)
{
    SaltusRun *run = a->run;
    SaltusStatus status = a->now.status;
    if (status == SALTUS_OK && a->now.has_after)
        status = apart_row(a, SALTUS_ROW_AFTER_EVENT, t);
    if (a->now.is_open) {
        SaltusLogEntry *entry = log_entry(&run->log);
        entry->to = a->modes.now;
        run->statistics.mode_changes += entry->from != entry->to;
        entry->classes = entry->classes ? entry->classes : SALTUS_SE_O;
        log_close(&run->log);
        if (run->log.is_out_of_memory)
            status = run_fail(run, SALTUS_ERROR_MEMORY, "out of memory for the event log");
        else if (run->options.logged) {
            const SaltusLogEntry read = log_read(&run->log, run->log.item_count - 1);
            a->is_interrupted |= run->options.logged(run->options.user, &read) != 0;
            log_clear(&run->log);
        }
    }
    run->statistics.events += a->now.has_crossing;
    a->now.is_open = a->now.has_before = a->now.has_after = a->now.has_crossing = false;
    return status;
}

// ---------------------------------------------------------------------------
// The heap
// ---------------------------------------------------------------------------

static double apart_key(const Apart *a, uint32_t place)
{
    return a->parts[a->turn.heap[place]].run->next.t;
}

static void apart_swap(Apart *a, uint32_t i, uint32_t k)
{
    const uint32_t part = a->turn.heap[i];
    a->turn.heap[i] = a->turn.heap[k];
    a->turn.heap[k] = part;
}

static void apart_push(Apart *a, uint32_t part)
{
    uint32_t i = a->turn.heap_count++;
    a->turn.heap[i] = part;
    for (; i > 0 && apart_key(a, i) < apart_key(a, (i - 1) / 2); i = (i - 1) / 2)
        apart_swap(a, i, (i - 1) / 2);
}

static uint32_t apart_pop(Apart *a)
{
    const uint32_t part = a->turn.heap[0];
    a->turn.heap[0] = a->turn.heap[--a->turn.heap_count];
    for (uint32_t i = 0;;) {
        uint32_t least = i;
        for (uint32_t k = 2 * i + 1; k <= 2 * i + 2 && k < a->turn.heap_count; k++)
            if (apart_key(a, k) < apart_key(a, least))
                least = k;
        if (least == i)
            return part;
        apart_swap(a, i, least);
        i = least;
    }
}

// ---------------------------------------------------------------------------
// The run
// ---------------------------------------------------------------------------

// What a part's run says is what the run of the whole says.
static SaltusStatus apart_take_error(Apart *a, const ApartPart *p, const SaltusError *from,
                                     SaltusStatus status)
{
    SaltusError *to = &a->run->error;
    char *said = NULL;
    message_set(&said, "%s", apart_text(p, from->message));
    run_forget_error(a->run, from->time);
    *to = *from;
    to->memory = NULL;
    to->message = message_text(said);
    a->run->said = said;
    to->status = status;
    to->mode = to->event = -1;
    if (from->variable) {
        const char *name = apart_text(p, from->variable);
        to->variable = NULL;
        for (uint32_t i = 0; i < p->part->count && !to->variable; i++)
            if (strcmp(apart_name(a, p->part->variables[i]), name) == 0)
                to->variable = apart_name(a, p->part->variables[i]);
    }
    return status;
}

// Does what the parts of the group do next.
static SaltusStatus apart_go(Apart *a)
{
    SaltusStatus stopped = SALTUS_OK;
    for (uint32_t i = 0; i < a->turn.group_count; i++) {
        const ApartPart *p = &a->parts[a->turn.group[i]];
        const long events = p->run->statistics.events;
        const SaltusStatus status = run_go(p->run);
        a->now.has_crossing |= p->run->statistics.events > events;
        a->progress.done++;
        apart_see_mode(a, &a->parts[a->turn.group[i]]);
        if (status != SALTUS_OK && (stopped == SALTUS_OK || status < 0))
            stopped = apart_take_error(a, p, &p->run->error, status);
        if (status < 0)
            return stopped;
    }
    return stopped;
}

// Looks ahead with the parts of the group. (Where no step succeeds, there may be an event at once.)
static SaltusStatus apart_look(Apart *a)
{
    SaltusStatus status = SALTUS_OK;
    for (uint32_t i = 0; i < a->turn.group_count && status == SALTUS_OK; i++) {
        const ApartPart *p = &a->parts[a->turn.group[i]];
        const long events = p->run->statistics.events;
        status = run_look(p->run);
        a->now.has_crossing |= p->run->statistics.events > events;
        apart_see_mode(a, &a->parts[a->turn.group[i]]);
        if (status != SALTUS_OK)
            apart_take_error(a, p, &p->run->error, status);
        else if (p->run->next.kind > RUN_NEXT_DONE)
            apart_push(a, a->turn.group[i]);
    }
    const SaltusStatus closed =
        a->now.is_open || a->now.has_after ? apart_close(a, a->run->t) : SALTUS_OK;
    a->turn.group_count = 0;
    return status != SALTUS_OK ? status : closed;
}

static SaltusStatus apart_check(Apart *a, long events_before)
{
    const SaltusOptions *o = &a->options;
    SaltusRun *run = a->run;
    const long events = run->statistics.events + run->statistics.time_events - events_before;
    if (o->max_events > 0 && events > o->max_events)
        return run_fail(run, SALTUS_ERROR_STEP_LIMIT, "more than %ld events", o->max_events);
    if (o->max_steps > 0 && a->progress.done > o->max_steps && run->t < run->stop_time)
        return run_fail(run, SALTUS_ERROR_STEP_LIMIT, "more than %ld steps", o->max_steps);
    if (a->progress.done - a->progress.reported >= a->count || run->t >= run->stop_time) {
        a->progress.reported = a->progress.done;
        if (o->progress && o->progress(o->user, run->t, run->stop_time) != 0)
            return run_fail(run, SALTUS_INTERRUPTED, "interrupted");
    }
    return a->is_interrupted
               ? run_fail(run, SALTUS_INTERRUPTED, "interrupted by the piece or row callback")
               : SALTUS_OK;
}

static int apart_compare_numbers(const void *x, const void *y)
{
    const uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return (a > b) - (a < b);
}

// The parts whose next steps or events come first, at the same time as far as time can be resolved:
// the last of theirs (see schedule_next).
static double apart_take_group(Apart *a)
{
    double t = apart_key(a, 0);
    const double end = t + locate_resolution(t);
    do {
        t = apart_key(a, 0);
        a->turn.group[a->turn.group_count++] = apart_pop(a);
    } while (a->turn.heap_count && apart_key(a, 0) <= end);
    if (a->turn.group_count > 1)
        qsort(a->turn.group, a->turn.group_count, sizeof *a->turn.group, apart_compare_numbers);
    return t;
}

static SaltusStatus apart_advance(Apart *a)
{
    SaltusRun *run = a->run;
    const long events = run->statistics.events + run->statistics.time_events;
    for (uint32_t k = 0; k < a->count; k++) {
        a->parts[k].run->stop_time = run->stop_time;
        a->turn.group[a->turn.group_count++] = k;
    }
    SaltusStatus status = apart_look(a);
    while (status == SALTUS_OK && a->turn.heap_count > 0) {
        const double t = apart_take_group(a);
        status = apart_intervals(a, t);
        if (status != SALTUS_OK)
            return status;
        run->t = t;
        status = apart_go(a);
        const SaltusStatus closed = apart_close(a, t);
        if (closed != SALTUS_OK && status >= 0)
            status = closed;
        if (status == SALTUS_OK)
            status = apart_look(a);
        if (status == SALTUS_OK)
            status = apart_check(a, events);
    }
    return status;
}

static void apart_set_parameters(const Apart *a, const ApartPart *p)
{
    const ApartModel *m = p->model;
    const Parameters own = model_list_parameters(m->model);
    for (uint32_t i = 0; i < own.count; i++) {
        const uint32_t variable = p->part->variables[own.flat[i]->index];
        const uint32_t count = a->flat->variable_count;
        if (variable >= count)
            m->p[i] = separate_evaluate(a->flat->variables[variable - count]->attributes->start,
                                        a->options.start_time, apart_read, a);
        else if (a->parameter_of[variable] != UINT32_MAX)
            m->p[i] = a->parameters[a->parameter_of[variable]];
    }
}

static SaltusStatus apart_start(Apart *a)
{
    SaltusOptions options = a->options;
    SaltusStatus stopped = SALTUS_OK;
    options.record = options.record ? SALTUS_RECORD_EVENTS : SALTUS_RECORD_NOTHING;
    options.row = apart_part_row;
    options.logged = apart_logged;
    options.progress = NULL;
    options.max_events = options.max_steps = 0;
    a->is_starting = true;
    for (uint32_t k = 0; k < a->count && stopped >= 0; k++) {
        ApartPart *p = &a->parts[k];
        SaltusError own = {0};
        apart_set_parameters(a, p);
        options.parameters = p->model->p;
        options.user = p;
        const SaltusStatus status = saltus_run_create(p->model->system, &options, &p->run, &own);
        if (status != SALTUS_OK && (stopped == SALTUS_OK || status < 0))
            stopped = apart_take_error(a, p, &own, status);
        saltus_error_clear(&own);
        if (p->run)
            apart_see_mode(a, p);
    }
    a->is_starting = false;
    return stopped;
}

// The counters, and what else the run of the whole is asked for.
static void apart_sum(Apart *a)
{
    SaltusStatistics *sum = &a->run->statistics;
    const SaltusStatistics counted = *sum;
    for (uint32_t k = 0; k < a->count; k++) {
        const SaltusRun *part = a->parts[k].run;
        if (!part)
            continue;
#define APART_ADD(name, what) sum->name += part->statistics.name;
        SALTUS_STATISTICS_LIST(APART_ADD)
#undef APART_ADD
        a->run->trouble.stiff_steps += part->trouble.stiff_steps;
        a->run->trouble.branch_changes += part->trouble.branch_changes;
        a->run->trouble.abrupt_steps += part->trouble.abrupt_steps;
        if (part->trouble.abrupt && !a->run->trouble.abrupt) {
            a->run->trouble.abrupt = part->trouble.abrupt;
            a->run->trouble.abrupt_time = part->trouble.abrupt_time;
        }
        a->run->trouble.unfollowed_steps += part->trouble.unfollowed_steps;
        if (part->trouble.unfollowed && !a->run->trouble.unfollowed) {
            a->run->trouble.unfollowed = part->trouble.unfollowed;
            a->run->trouble.unfollowed_time = part->trouble.unfollowed_time;
        }
        const bool is_exact = part->solver->kind->id == SALTUS_SOLVER_EXACT;
        const bool has_states = part->active->mode->state_count > 0;
        if (!a->run->solver || (has_states && (!is_exact || !a->sum.has_solver)))
            a->run->solver = part->solver;
        a->sum.has_solver |= has_states && !is_exact;
        a->sum.moving_count += has_states;
        a->sum.exact_count += has_states && is_exact;
    }
    sum->events = counted.events;
    sum->time_events = counted.time_events;
    sum->modes_entered = a->modes.count;
    sum->mode_changes = counted.mode_changes;
}

static SaltusStatus apart_run_all(Apart *a, double stop_time, SaltusRun **run)
{
    *run = NULL;
    a->run->stop_time = stop_time;
    SaltusStatus status = apart_start(a);
    if (status < 0)
        return status;
    *run = a->run;
    a->is_given = true;
    const SaltusStatus closed = apart_close(a, a->run->t);
    status = closed != SALTUS_OK ? closed : status;
    if (status >= 0) {
        const SaltusStatus recorded = apart_row(a, SALTUS_ROW_START, a->run->t);
        status = recorded != SALTUS_OK ? recorded : status;
    }
    if (status == SALTUS_OK)
        status = apart_advance(a);
    const SaltusError first = a->run->error;
    char *const said = a->run->said;
    a->run->said = NULL; // not freed by another error
    const SaltusStatus recorded = apart_row(a, SALTUS_ROW_END, a->run->t);
    if (status != SALTUS_OK) {
        free(a->run->said);
        a->run->said = said;
        a->run->error = first;
    } else {
        status = recorded;
    }
    apart_sum(a);
    return status;
}

SaltusStatus apart_run(Apart *a, double stop_time, SaltusRun **run, SaltusError *error)
{
    jmp_buf exhaustion;
    arena_on_exhaustion(a->modes.arena, &exhaustion);
    volatile SaltusStatus status = SALTUS_ERROR_MEMORY;
    if (setjmp(exhaustion) == 0) {
        status = apart_run_all(a, stop_time, run);
    } else {
        run_fail(a->run, SALTUS_ERROR_MEMORY, "out of memory");
        apart_sum(a);
    }
    arena_on_exhaustion(a->modes.arena, NULL);
    error_copy(error, &a->run->error);
    return status;
}

// ---------------------------------------------------------------------------
// Making it
// ---------------------------------------------------------------------------

// Whether one run after the other can do what the options ask for.
static bool apart_suits(const ApartDef *def)
{
    const SaltusOptions *o = def->options;
    const SaltusSolver solver = o->method.solver;
    const SolverKind *kind = solver_kind(solver); // NULL: auto
    const bool is_fixed = kind && (kind->traits & SOLVER_FIXED_STEP);
    return !is_fixed && solver != SALTUS_SOLVER_EXACT && !o->piece &&
           !(o->record & SALTUS_RECORD_STEPS) && o->backstep == SALTUS_BACKSTEP &&
           (o->row || o->record == SALTUS_RECORD_NOTHING) &&
           !model_changes_structure(def->loaded->model) && !model_has_terminal(def->loaded->model);
}

static void apart_number_variables(Apart *a, double *values)
{
    const uint32_t count = a->flat->variable_count;
    const Parameters p = model_list_parameters(a->whole);
    uint32_t *parameters = ARENA_ARRAY(a->arena, count, uint32_t);
    uint32_t *outputs = ARENA_ARRAY(a->arena, count, uint32_t);
    for (uint32_t i = 0; i < count; i++) {
        parameters[i] = outputs[i] = UINT32_MAX;
        values[i] = NAN;
    }
    for (uint32_t i = 0; i < p.count; i++) {
        parameters[p.flat[i]->index] = i;
        values[p.flat[i]->index] = a->parameters[i];
    }
    for (uint32_t i = 0; i < model_output_count(a->whole); i++)
        outputs[model_output_variables(a->whole)[i]->index] = i;
    a->parameter_of = parameters;
    a->output_of = outputs;
}

static bool apart_make_model(Apart *a, ApartModel *m, const FlatModel *flat, BackendChoice backend)
{
    Diagnostics *ignored =
        diagnostics_create(a->arena, a->loaded->compilation->diagnostics->sources);
    m->model = model_create(a->arena, flat, ignored);
    if (!m->model)
        return false;
    model_set_backend(m->model, backend, NULL);
    m->parameter_count = model_list_parameters(m->model).count;
    m->output_count = model_output_count(m->model);
    m->p = ARENA_ARRAY(a->arena, m->parameter_count + 1u, double);
    m->y = ARENA_ARRAY(a->arena, m->output_count + 1u, double);
    if (!model_parameters(m->model, NULL, 0, m->p) ||
        model_system(m->model, m->p, &m->system, NULL) != SALTUS_OK)
        return false;
    m->mode = system_find_mode(m->system, 0, NULL); // until the end
    return m->mode;
}

static bool apart_make_part(Apart *a, ApartPart *p, const SeparatePart *part, const bool *is_wanted)
{
    ApartModel *m = &a->models[part->model];
    if (!m->first)
        m->first = part->variables;
    *p = (ApartPart){.apart = a, .part = part, .model = m, .is_wanted = !is_wanted};
    for (uint32_t i = 0; i < m->output_count; i++) {
        const uint32_t variable = model_output_variables(m->model)[i]->index;
        const uint32_t output = a->output_of[part->variables[variable]];
        if (output == UINT32_MAX)
            return false;
        p->is_wanted |= is_wanted && is_wanted[output];
    }
    return apart_number_events(a, p);
}

static bool apart_make(Apart *a, const ApartDef *def)
{
    double *values = ARENA_ARRAY(a->arena, a->flat->variable_count + 1u, double);
    apart_number_variables(a, values);
    const Separation *s = separate_find(a->arena, flat_unpack(a->arena, a->flat), values,
                                        def->fewest ? def->fewest : APART_FEWEST);
    if (!s)
        return false;
    a->separation = s;
    a->models = ARENA_ARRAY(a->arena, s->model_count, ApartModel);
    a->parts = ARENA_ARRAY(a->arena, s->count, ApartPart);
    a->turn.heap = ARENA_ARRAY(a->arena, s->count, uint32_t);
    a->turn.group = ARENA_ARRAY(a->arena, s->count, uint32_t);
    a->row.wanted = ARENA_ARRAY(a->arena, s->count, uint32_t);
    a->modes.elsewhere = ARENA_ARRAY(a->arena, s->count, uint32_t);
    a->row.fresh = ARENA_ARRAY(a->arena, model_output_count(a->whole) + 1u, uint32_t);
    a->row.y = ARENA_ARRAY(a->arena, model_output_count(a->whole) + 1u, double);
    a->run = run_allocate(def->system, def->options);
    if (a->run)
        a->run->active = instance_of(a->run, 0);
    if (!a->run || !a->run->active)
        return false;
    apart_list_texts(a, a->run->active->mode);
    a->modes.room = 1;
    a->modes.names = ARENA_ARRAY(a->modes.arena, a->modes.room, const char *);
    a->modes.names[a->modes.count++] = a->run->active->mode->name;
    for (; a->model_count < s->model_count; a->model_count++)
        if (!apart_make_model(a, &a->models[a->model_count], s->models[a->model_count],
                              def->backend)) {
            a->model_count++;
            return false;
        }
    for (; a->count < s->count; a->count++)
        if (!apart_make_part(a, &a->parts[a->count], &s->parts[a->count], def->is_wanted))
            return false;
    for (uint32_t i = 0; i < s->observer_count; i++) {
        const uint32_t output = a->output_of[s->observers[i].variable];
        if (output == UINT32_MAX)
            return false;
        a->row.has_wanted_observer |= !def->is_wanted || def->is_wanted[output];
    }
    for (uint32_t i = 0; i < s->observer_count && a->row.has_wanted_observer; i++)
        apart_want(a, s->observers[i].value);
    for (uint32_t k = 0; k < a->count; k++)
        if (a->parts[k].is_wanted)
            a->row.wanted[a->row.wanted_count++] = k;
    return true;
}

Apart *apart_create(const ApartDef *def)
{
    const SaltusAllocator *allocator = &def->loaded->compilation->arena->allocator;
    Arena *arena = apart_suits(def) ? arena_create(allocator) : NULL;
    Arena *names = arena ? arena_create(allocator) : NULL;
    Apart *a = names ? ARENA_NEW(arena, Apart) : NULL;
    jmp_buf exhaustion;
    if (!a) {
        arena_destroy(names);
        arena_destroy(arena);
        return NULL;
    }
    *a = (Apart){.arena = arena,
                 .modes.arena = names,
                 .loaded = def->loaded,
                 .whole = def->loaded->model,
                 .flat = def->loaded->flat,
                 .system = def->system,
                 .parameters = def->parameters,
                 .options = *def->options};
    arena_on_exhaustion(arena, &exhaustion);
    arena_on_exhaustion(names, &exhaustion);
    volatile bool is_made = false;
    if (setjmp(exhaustion) == 0)
        is_made = apart_make(a, def);
    arena_on_exhaustion(arena, NULL);
    arena_on_exhaustion(names, NULL);
    if (is_made)
        return a;
    apart_destroy(a);
    return NULL;
}

void apart_destroy(Apart *a)
{
    if (!a)
        return;
    for (uint32_t k = 0; k < a->count; k++)
        saltus_run_destroy(a->parts[k].run);
    for (uint32_t k = 0; k < a->model_count; k++) {
        if (a->models[k].mode)
            saltus_system_leave_mode(a->models[k].system, 0);
        if (a->models[k].system)
            saltus_system_destroy(a->models[k].system);
        if (a->models[k].model)
            model_release(a->models[k].model);
    }
    if (!a->is_given)
        saltus_run_destroy(a->run);
    memory_free(&a->arena->allocator, a->text.bytes);
    arena_destroy(a->modes.arena);
    arena_destroy(a->arena);
}

// ---------------------------------------------------------------------------
// Questions
// ---------------------------------------------------------------------------

int apart_now(const Apart *a)
{
    return a->modes.now;
}

const char *apart_solver(const Apart *a, char *text, size_t size)
{
    const char *exact = saltus_solver_name(SALTUS_SOLVER_EXACT);
    const char *other = saltus_solver_name(a->run->solver->kind->id);
    if (a->sum.exact_count == 0 || a->sum.exact_count == a->sum.moving_count)
        return a->sum.exact_count ? exact : other;
    snprintf(text, size, "%s in %u of %u parts, else %s", exact, a->sum.exact_count,
             a->sum.moving_count, other);
    return text;
}

bool apart_is_compiled(const Apart *a, const char **reason)
{
    *reason = "";
    for (uint32_t k = 0; k < a->model_count; k++)
        if (model_is_compiled(a->models[k].model, reason))
            return true;
    return false;
}

const uint32_t *apart_fresh(const Apart *a, uint32_t *count)
{
    *count = a->row.fresh_count;
    return a->row.is_all_fresh ? NULL : a->row.fresh;
}

bool apart_next_warning(const Apart *a, uint32_t *index, double *time, Arena *arena,
                        const char **message)
{
    uint32_t skipped = 0;
    for (uint32_t k = 0; k < a->count; k++) {
        const ApartPart *p = &a->parts[k];
        uint32_t own = 0;
        while (p->run && warnings_next(p->model->model, p->run, &own, time, arena, message)) {
            if (skipped++ < *index)
                continue;
            const char *told = apart_text(p, *message);
            *message = arena_copy_text(arena, told, strlen(told));
            ++*index;
            return true;
        }
    }
    return false;
}
