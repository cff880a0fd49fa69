// SPDX-License-Identifier: MIT

#include "kernel/whole.h"

#include "instant/system.h"
#include "kernel/whole_call.inc"
#include "modes/model_parts.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef int (*WholeFunction)(WholeCall *call, int *sizes);

enum { WHOLE_ROOM = 8192, WHOLE_MOST_ROOM = 1 << 24 };
// The function for one solver.
typedef struct WholeCode {
    KernelCode *code;
    WholeFunction function; // NULL: there is none
    int sizes[WHOLE_SIZES], event_size;
} WholeCode;

typedef struct WholeRuns {
    const Model *model;
    pthread_mutex_t mutex;
    WholeCode *codes[SALTUS_SOLVER_EXACT + 1][2]; // by solver, and whether others solve exactly
    const char *reason;
} WholeRuns;

// ---------------------------------------------------------------------------
// Functions
// ---------------------------------------------------------------------------

// Those that were met and those that may follow, while they are few.
static uint32_t whole_modes(const Model *model, uint32_t *numbers)
{
    if (!model_has_modes(model))
        return 0;
    if (model_part_count(model) == 1)
        model_explore(model, KERNEL_MOST_MODES);
    const uint32_t used = model_used_modes(model, numbers, KERNEL_MOST_MODES);
    uint32_t count = used < KERNEL_MOST_MODES ? used : KERNEL_MOST_MODES;
    const uint32_t all = model_part_count(model) == 1 ? model_mode_count(model) : 0;
    for (uint32_t number = 0; number < all && count < KERNEL_MOST_MODES; number++) {
        bool is_there = false;
        for (uint32_t k = 0; k < count; k++)
            is_there |= numbers[k] == number;
        if (!is_there)
            numbers[count++] = number;
    }
    return count;
}

static void whole_make(WholeRuns *w, WholeCode *c, SaltusSolver solver, bool has_exact)
{
    uint32_t numbers[KERNEL_MOST_MODES];
    KernelDef def = {.model = w->model,
                     .method = {.solver = solver, .relative_tolerance = 1.0},
                     .native = &w->model->backend->options,
                     .lanes = 1,
                     .is_whole = true,
                     .has_exact = has_exact};
    def.modes = numbers;
    def.mode_count = whole_modes(w->model, numbers);
    c->code = kernel_create(&def, KERNEL_CPU);
    w->reason = c->code ? kernel_reason(c->code) : "out of memory";
    if (w->reason[0])
        return;
    const CodeFunction entry = kernel_entry(c->code);
    memcpy(&c->function, &entry, sizeof c->function);
    c->event_size = c->function(NULL, c->sizes);
}

// The function for the solver; NULL: there is none.
static const WholeCode *whole_code(WholeRuns *w, const SaltusStretch *s)
{
    const SaltusSolver solver = s->solver;
    const bool has_exact = s->method->solver == SALTUS_SOLVER_AUTO && solver != SALTUS_SOLVER_EXACT;
    const bool is_known = solver == SALTUS_SOLVER_DOPRI5 || solver == SALTUS_SOLVER_DOP853 ||
                          solver == SALTUS_SOLVER_RODAS || solver == SALTUS_SOLVER_EXACT;
    WholeCode **place = &w->codes[solver][has_exact];
    pthread_mutex_lock(&w->mutex);
    if (!is_known)
        w->reason = "the solver is none of dopri5, dop853, rodas and exact";
    else if (!*place && (*place = calloc(1, sizeof **place)))
        whole_make(w, *place, solver, has_exact);
    const WholeCode *c = *place;
    pthread_mutex_unlock(&w->mutex);
    return c && c->function ? c : NULL;
}

static long whole_mode_number(const WholeCode *c, uint32_t number)
{
    for (unsigned k = 0; k < kernel_mode_count(c->code); k++)
        if (kernel_mode(c->code, k) == number)
            return k;
    return -1;
}

// ---------------------------------------------------------------------------
// Events that were made
// ---------------------------------------------------------------------------

// An event's record, and where its parts begin.
typedef struct WholeParts {
    const WholeCode *code;
    const double *record;
    const double *fired, *x_left, *z_left, *m_left, *held_left;
    const double *x, *z, *m, *held, *machine, *sign, *noise;
} WholeParts;

static WholeParts whole_parts(const WholeCode *c, const double *record)
{
    const int *size = c->sizes;
    WholeParts p = {.code = c, .record = record, .fired = record + WHOLE_HEAD};
    p.x_left = p.fired + 3 * WHOLE_FIRED;
    p.z_left = p.x_left + size[WHOLE_N];
    p.m_left = p.z_left + size[WHOLE_NZ];
    p.held_left = p.m_left + size[WHOLE_NM];
    p.x = p.held_left + size[WHOLE_NE];
    p.z = p.x + size[WHOLE_N];
    p.m = p.z + size[WHOLE_NZ];
    p.held = p.m + size[WHOLE_NM];
    p.machine = p.held + size[WHOLE_NE];
    p.sign = p.machine + size[WHOLE_NMEMORY];
    p.noise = p.sign + size[WHOLE_NH];
    return p;
}

static void whole_put_memory(const Model *model, ModelMemory *memory, const WholeParts *p)
{
    memcpy(memory->m, p->m, model->sizes.memory * sizeof *p->m);
    memcpy(memory->held, p->held, model->sizes.held * sizeof *p->held);
    machine_unpack(model->machines, p->machine, memory->machines);
    for (uint32_t i = 0; i < model->left.count; i++)
        memory->begun[i] = p->m_left[model->left.items[i].place];
    *memory->armed_steps = *memory->armings = 0.0;
    *memory->goes_on = false;
    memset(memory->is_released, 0, model->sizes.held * sizeof *memory->is_released);
    if (memory->is_fixed)
        memset(memory->is_fixed, 0, model->sizes.memory * sizeof *memory->is_fixed);
}

static unsigned whole_replay(SaltusEvent *event)
{
    const WholeParts *p = event->argument;
    const Model *model = event->user;
    const int to = (int)kernel_mode(p->code->code, (unsigned)p->record[3]);
    if (to != event->mode && saltus_switch_mode(event, to) != SALTUS_OK)
        return SALTUS_NOTHING_CHANGED;
    const Mode *m = event->data;
    ModelMemory memory = model_memory(model, event->memory);
    memcpy(event->x, p->x, m->states.count * sizeof *p->x);
    if (m->flow->guesses.count)
        memcpy(event->z, p->z, m->flow->guesses.count * sizeof *p->z);
    whole_put_memory(model, &memory, p);
    return update_end(event, &memory, NULL, false);
}

static void whole_show_fired(SaltusStretch *s, const WholeParts *p, SaltusFired *fired)
{
    s->t = p->record[1];
    s->iterations = (int)p->record[4];
    s->fired_count = (int)p->record[5];
    s->crossing_count = (int)p->record[6];
    for (int i = 0; i < s->fired_count; i++)
        fired[i] = (SaltusFired){.mode = (int)kernel_mode(p->code->code, (unsigned)p->fired[3 * i]),
                                 .event = (int)p->fired[3 * i + 1],
                                 .direction = (int)p->fired[3 * i + 2]};
    s->fired = fired;
}

// Which numbers of a record the log is told of, in the order of update_end; how many. The record is
// that of any event: it is only measured.
enum { WHOLE_NOTED = 96 };

static int whole_noted(const Mode *m, const WholeCode *c, const double *record, SaltusNoted *to)
{
    const Model *model = m->model;
    const WholeParts p = whole_parts(c, record);
    const int x_left = (int)(p.x_left - record), x = (int)(p.x - record);
    const int m_left = (int)(p.m_left - record), now = (int)(p.m - record);
    const int held_left = (int)(p.held_left - record), held = (int)(p.held - record);
    if (model->defined.count + m->states.count + m->conditions.hold_count > WHOLE_NOTED)
        return -1;
    int count = 0;
    for (uint32_t i = 0; i < model->defined.count; i++) {
        const ModelDiscrete *d = &model->defined.items[i];
        if (d->is_plain)
            to[count++] = (SaltusNoted){.name = d->name,
                                        .before = m_left + (int)d->place,
                                        .after = now + (int)d->place,
                                        .classes = d->is_output ? SALTUS_SE_O : SALTUS_SE_P};
    }
    for (uint32_t i = 0; i < m->states.count; i++)
        to[count++] = (SaltusNoted){.name = m->states.names[i],
                                    .before = x_left + (int)i,
                                    .after = x + (int)i,
                                    .classes = SALTUS_SE_X,
                                    .is_state = true};
    for (uint32_t i = 0; i < m->conditions.hold_count; i++) {
        const ModelHold *hold = &m->conditions.holds[i];
        if (m->conditions.is_flow[hold->number])
            to[count++] =
                (SaltusNoted){.before = held_left + (int)hold->number,
                              .after = held + (int)hold->number,
                              .classes = hold->kind == HOLD_TIME ? SALTUS_SE_I : SALTUS_SE_F};
    }
    return count;
}

// Whether the log has what discrete variables are before an event.
static bool whole_is_logged(const Model *model, const double *logged, const WholeParts *p)
{
    for (uint32_t i = 0; i < model->defined.count; i++)
        if (logged[i] != p->m_left[model->defined.items[i].place])
            return false;
    return true;
}

// Those from `at` on that are events of this mode alone, up to the last event, which is put.
static long whole_alike(const WholeCode *c, const double *at, const double *last)
{
    long count = 0;
    for (; at < last && at[0] == WHOLE_RECORD_EVENT && at[2] == at[3]; at += c->event_size, count++)
        for (int i = 0; i < (int)at[5]; i++)
            if (at[WHOLE_HEAD + 3 * i] != at[2])
                return count;
    return count;
}

// As many as can be. The first one that was not noted.
static const double *whole_note(SaltusStretch *s, const WholeCode *c, const double *at,
                                const double *end)
{
    const Mode *m = s->data;
    ModelMemory memory = model_memory(m->model, s->memory);
    const WholeParts first = whole_parts(c, at);
    SaltusNoted numbers[WHOLE_NOTED];
    SaltusNotes notes = {.records = at,
                         .count = whole_alike(c, at, end - c->event_size),
                         .size = c->event_size,
                         .t = 1,
                         .iterations = 4,
                         .fired_count = 5,
                         .crossing_count = 6,
                         .fired = WHOLE_HEAD + 1,
                         .fired_size = 3,
                         .signs = (int)(first.sign - at),
                         .numbers = numbers};
    if (notes.count == 0 || !whole_is_logged(m->model, memory.logged, &first) ||
        (notes.number_count = whole_noted(m, c, at, numbers)) < 0)
        return at;
    const long count = saltus_stretch_note(s, &notes);
    if (count == 0)
        return at;
    at += count * c->event_size;
    const WholeParts p = whole_parts(c, at - c->event_size);
    whole_put_memory(m->model, &memory, &p);
    for (uint32_t i = 0; i < m->model->defined.count; i++)
        memory.logged[i] = p.m[m->model->defined.items[i].place];
    return at;
}

// One that changes the mode asks for it.
static SaltusStatus whole_replay_event(SaltusStretch *s, const WholeCode *c, const double *record)
{
    const Mode *m = s->data;
    WholeParts p = whole_parts(c, record);
    SaltusFired fired[WHOLE_FIRED];
    ModelInstant instant;
    const bool is_change = record[2] != record[3];
    memcpy(s->x, p.x_left, m->states.count * sizeof *s->x);
    if (m->flow->guesses.count)
        memcpy(s->z, p.z_left, m->flow->guesses.count * sizeof *s->z);
    whole_show_fired(s, &p, fired);
    if (is_change)
        model_begin_instant(m->model, &instant);
    const Model *model = m->model;
    const SaltusStatus status = saltus_stretch_event(s, &p);
    if (is_change)
        model_end_instant(model, &instant);
    if (status == SALTUS_INTERRUPTED)
        return status;
    const Mode *now = s->data;
    for (uint32_t i = 0; i < now->conditions.event_count; i++) {
        s->sign[i] = (signed char)p.sign[i];
        s->noise[i] = p.noise[i];
    }
    return status;
}

// ---------------------------------------------------------------------------
// A stretch
// ---------------------------------------------------------------------------

// Rows and events, in their order. False: the run pauses, where the last one of them is.
static bool whole_read(SaltusStretch *s, const WholeCode *c, const WholeCall *call)
{
    const double *const end = call->records + call->used;
    for (const double *at = call->records; at < end;) {
        SaltusStatus status = SALTUS_OK;
        if (s->rows.has_only_log)
            at = whole_note(s, c, at, end);
        if (at[0] == WHOLE_RECORD_EVENT) {
            s->begun = at[1];
            status = whole_replay_event(s, c, at);
            at += c->event_size;
        } else {
            status = saltus_stretch_row(
                s, at[0] == WHOLE_ROW_STEP ? SALTUS_ROW_STEP : SALTUS_ROW_INTERVAL, at[1], at + 2);
            at += 2 + c->sizes[WHOLE_N];
        }
        if (status != SALTUS_OK)
            return false;
    }
    return true;
}

static void whole_count(SaltusStretch *s, const WholeCode *c, const WholeCall *call)
{
    SaltusStatistics *count = &s->statistics;
    const long tries = call->done.steps + call->done.rejected + call->done.closings;
    const bool is_implicit = s->solver == SALTUS_SOLVER_RODAS;
    const bool is_exact = s->solver == SALTUS_SOLVER_EXACT;
    const int stages = is_exact ? 1 : s->solver == SALTUS_SOLVER_DOPRI5 ? 7 : is_implicit ? 8 : 16;
    (void)c;
    count->steps += call->done.steps;
    count->stretch_steps += call->done.steps;
    count->exact_steps += is_exact ? call->done.steps : 0;
    count->rejected_steps += call->done.rejected;
    count->closing_steps += call->done.closings;
    count->restarts += call->done.events;
    count->f_evaluations += stages * tries;
    count->jacobians += is_implicit ? tries : 0;
    count->factorizations += is_implicit ? tries : 0;
}

// What is in the records has happened; then where it ended.
static SaltusStretchEnd whole_leave(SaltusStretch *s, const WholeCode *c, WholeCall *call, int end)
{
    if (!whole_read(s, c, call))
        return SALTUS_STRETCH_PAUSED;
    const Mode *m = s->data;
    s->t = call->t;
    s->step = call->step;
    s->rows.index = call->rows.index;
    memcpy(s->x, call->x, m->states.count * sizeof *s->x);
    memcpy(s->x_old, call->x_old, m->states.count * sizeof *s->x_old);
    if (m->flow->guesses.count)
        memcpy(s->z, call->z, m->flow->guesses.count * sizeof *s->z);
    if (end == WHOLE_STIFF)
        s->solver = SALTUS_SOLVER_RODAS;
    s->fired_count = 0;
    for (uint32_t i = 0; i < m->conditions.event_count; i++) {
        s->sign[i] = call->sign[i];
        s->noise[i] = call->noise[i];
        if (end == WHOLE_EVENT && call->fired[i] != 0)
            s->fired[s->fired_count++] =
                (SaltusFired){.mode = s->mode, .event = (int)i, .direction = call->fired[i]};
    }
    return end == WHOLE_EVENT    ? SALTUS_STRETCH_EVENT
           : end == WHOLE_PAUSED ? SALTUS_STRETCH_PAUSED
                                 : SALTUS_STRETCH_REFUSED;
}

static SaltusStretchEnd whole_call(SaltusStretch *s, const WholeCode *c, WholeCall *call)
{
    const Mode *m = s->data;
    const ModelMemory memory = model_memory(m->model, s->memory);
    call->m = memory.m;
    call->held = memory.held;
    machine_pack(m->model->machines, memory.machines, call->machine);
    memcpy(call->x, s->x, m->states.count * sizeof *s->x);
    if (m->flow->guesses.count)
        memcpy(call->z, s->z, m->flow->guesses.count * sizeof *s->z);
    memcpy(call->sign, s->sign, m->conditions.event_count);
    memcpy(call->noise, s->noise, m->conditions.event_count * sizeof *s->noise);
    const int end = c->function(call, NULL);
    whole_count(s, c, call);
    return whole_leave(s, c, call, end);
}

// With room for records; more, if not even one step has room.
static SaltusStretchEnd whole_stretch_in(SaltusStretch *s, const WholeCode *c, WholeCall *call,
                                         double *vectors)
{
    double records[WHOLE_ROOM];
    const int n = c->sizes[WHOLE_N] + 1, nz = c->sizes[WHOLE_NZ] + 1, nh = c->sizes[WHOLE_NH] + 1;
    call->x = vectors;
    call->x_old = vectors + n;
    call->z = vectors + 2 * n;
    call->noise = call->z + nz;
    call->machine = call->noise + nh;
    call->sign = (signed char *)(call->machine + c->sizes[WHOLE_NMEMORY]);
    call->fired = call->sign + nh;
    call->records = records;
    call->room = WHOLE_ROOM;
    const double begin = s->t;
    SaltusStretchEnd end = whole_call(s, c, call);
    for (long room = 8L * WHOLE_ROOM; end == SALTUS_STRETCH_PAUSED && s->t == begin &&
                                      s->status == SALTUS_OK && call->done.events == 0;
         room *= 8) {
        double *more = room <= WHOLE_MOST_ROOM ? malloc((size_t)room * sizeof *more) : NULL;
        if (!more)
            return SALTUS_STRETCH_REFUSED;
        call->records = more;
        call->room = room;
        call->used = call->done.steps = call->done.rejected = call->done.closings = 0;
        end = whole_call(s, c, call);
        free(more);
    }
    return end;
}

static SaltusStretchEnd whole_stretch(SaltusStretch *s)
{
    enum { FEW = 512 };
    const Mode *m = s->data;
    const WholeCode *c = s->method->event_tolerance > 0.0 || s->method->locate_iterations > 0
                             ? NULL
                             : whole_code(m->model->backend->whole, s);
    const long mode = c ? whole_mode_number(c, m->number) : -1;
    if (mode < 0 || 4 * c->event_size > WHOLE_ROOM)
        return SALTUS_STRETCH_REFUSED;
    double few[FEW], *vectors = few;
    const size_t need = 2 * (size_t)c->sizes[WHOLE_N] + (size_t)c->sizes[WHOLE_NZ] +
                        2 * (size_t)c->sizes[WHOLE_NH] + (size_t)c->sizes[WHOLE_NMEMORY] + 16;
    if (need > FEW && !(vectors = calloc(need, sizeof *vectors)))
        return SALTUS_STRETCH_REFUSED;
    if (vectors == few)
        memset(few, 0, need * sizeof *few);
    WholeCall call = {
        .t = s->t,
        .mode = mode,
        .step = s->step,
        .begun = s->begun,
        .p = s->p,
        .limit = s->limit,
        .horizon = s->horizon,
        .relative = s->method->relative_tolerance,
        .absolute = s->method->absolute_tolerance,
        .longest = s->method->max_step,
        .rows = {.first = s->rows.first, .interval = s->rows.interval, .index = s->rows.index},
        .has_steps = s->rows.has_steps,
        .has_last_step = s->rows.has_last_step,
        .most_steps = s->most_steps,
        .most_events = s->most_events};
    s->solver = kernel_solver(c->code);
    const SaltusStretchEnd end = whole_stretch_in(s, c, &call, vectors);
    if (vectors != few)
        free(vectors);
    return end;
}

// ---------------------------------------------------------------------------
// Models
// ---------------------------------------------------------------------------

static void whole_destroy(void *data)
{
    WholeRuns *w = data;
    for (int i = 0; i <= SALTUS_SOLVER_EXACT; i++)
        for (int k = 0; k < 2; k++) {
            if (w->codes[i][k])
                kernel_destroy(w->codes[i][k]->code);
            free(w->codes[i][k]);
        }
    pthread_mutex_destroy(&w->mutex);
    free(w);
}

bool whole_enable(const Model *model)
{
    Backend *backend = model->backend;
    if (backend->whole)
        return true;
    WholeRuns *w = calloc(1, sizeof *w);
    if (!w || pthread_mutex_init(&w->mutex, NULL) != 0) {
        free(w);
        return false;
    }
    w->model = model;
    w->reason = "";
    backend->whole = w;
    backend->whole_destroy = whole_destroy;
    backend->stretch = whole_stretch;
    backend->replay = whole_replay;
    return true;
}

const char *whole_reason(const Model *model)
{
    const WholeRuns *w = model->backend->whole;
    return w ? w->reason : "";
}
