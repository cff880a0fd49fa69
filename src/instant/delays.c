// SPDX-License-Identifier: MIT

#include "instant/delays.h"

#include "base/history.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/profile.h"
#include "modes/frozen.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SAMPLES = 9 }; // of a step: its eighths

// Of the shortest delay.
static const double longest_step = 0.5;

// Where no position will be.
static const double no_front = 1e300;

typedef struct Delays {
    SaltusAllocator allocator;
    History *histories;
    Profile *profiles; // of positions
    double *times;     // of each delay
    double shortest;   // of these
    double *work;      // of recording
    size_t room;       // of it
    bool has[SAMPLES]; // sampled values, of the present piece
} Delays;

// ---------------------------------------------------------------------------
// The memory
// ---------------------------------------------------------------------------

static void delays_free(Delays *d, uint32_t count)
{
    const SaltusAllocator a = d->allocator;
    for (uint32_t i = 0; d->histories && i < count; i++)
        history_free(&d->histories[i]);
    for (uint32_t i = 0; d->profiles && i < count; i++)
        profile_free(&d->profiles[i]);
    memory_free(&a, d->histories);
    memory_free(&a, d->profiles);
    memory_free(&a, d->times);
    memory_free(&a, d->work);
    memory_free(&a, d);
}

static void delays_bind(const Model *m, const ModelMemory *memory, Delays *d)
{
    *memory->delays = d;
    for (uint32_t i = 0; i < m->delay_count; i++)
        memory->m[m->delays[i].handle] = history_handle(&d->histories[i]);
    for (uint32_t i = 0; i < m->delay_count; i++)
        for (uint32_t k = 0; m->delays[i].is_transport && k < 2; k++) {
            const ModelDelay *end = &m->delays[i + 1 + k];
            memory->m[end->handle] = profile_handle(&d->profiles[i], k == 1, false);
            if (end->front != CODE_NONE)
                memory->m[end->beyond] = profile_handle(&d->profiles[i], k == 1, true);
        }
}

static int delays_create(void *user, void *bytes)
{
    const Model *m = user;
    const ModelMemory memory = model_memory(m, bytes);
    const SaltusAllocator a = memory_default();
    Delays *d = MEMORY_NEW(&a, 1, Delays);
    if (!d)
        return 1;
    *d = (Delays){.allocator = a,
                  .histories = MEMORY_NEW(&a, m->delay_count, History),
                  .profiles = MEMORY_NEW(&a, m->delay_count, Profile),
                  .times = MEMORY_NEW(&a, m->delay_count, double)};
    if (!d->histories || !d->profiles || !d->times) {
        delays_free(d, 0);
        return 1;
    }
    for (uint32_t i = 0; i < m->delay_count; i++) {
        d->histories[i].allocator = d->profiles[i].allocator = a;
        history_begin(&d->histories[i], 0.0, 0.0, INFINITY, 0.0, 0.0);
        profile_begin(&d->profiles[i], 0.0, 1, (double[]){0.0, 0.0}, 0.0, 0.0);
    }
    delays_bind(m, &memory, d);
    for (uint32_t i = 0; i < m->delay_count; i++) // no front, wherever the start will be
        for (uint32_t k = 0; m->delays[i].is_transport && k < 2; k++)
            memory.m[m->delays[i + 1 + k].start] = k ? -no_front : no_front;
    return 0;
}

static int delays_copy(void *user, void *to, const void *from)
{
    const Model *m = user;
    const ModelMemory target = model_memory(m, to), source = model_memory(m, from);
    Delays *d = *target.delays;
    const Delays *other = *source.delays;
    memcpy(to, from, model_memory_size(m));
    delays_bind(m, &target, d);
    memcpy(d->times, other->times, m->delay_count * sizeof *d->times);
    d->shortest = other->shortest;
    for (uint32_t i = 0; i < m->delay_count; i++)
        if (!history_copy(&d->histories[i], &other->histories[i]) ||
            !profile_copy(&d->profiles[i], &other->profiles[i]))
            return 1;
    return 0;
}

static void delays_destroy(void *user, void *bytes)
{
    const Model *m = user;
    delays_free(*model_memory(m, bytes).delays, m->delay_count);
}

// Which front comes next at each end: after steps, and when one has arrived. True: one has.
static bool delays_find_fronts(const Model *m, const ModelMemory *memory)
{
    bool has_any = false;
    for (uint32_t i = 0; i < m->delay_count; i++)
        for (uint32_t k = 0; m->delays[i].is_transport && k < 2; k++) {
            const ModelDelay *end = &m->delays[i + 1 + k];
            if (end->front == CODE_NONE)
                continue;
            const bool has_arrived = memory->held[end->front] != 0.0;
            memory->m[end->start] =
                profile_find_front(&(*memory->delays)->profiles[i], k == 1, has_arrived);
            has_any |= has_arrived;
        }
    return has_any;
}

// ---------------------------------------------------------------------------
// Recording
// ---------------------------------------------------------------------------

// One piece of a run.
typedef struct DelayPiece {
    const SaltusContext *c;
    const SaltusPiece *piece;
    const Model *model;
    const Mode *mode;
    Delays *delays;
    ModelScratch *scratch;
    double *x, *z;
    double *values; // of all delays, at SAMPLES + 1 times
    uint32_t delay; // that is recorded
} DelayPiece;

// All delayed variables at one time.
static bool sample_all(const DelayPiece *p, double t, double *values)
{
    const Mode *m = p->mode;
    const ModelMemory memory = model_memory(p->model, p->c->memory);
    if (saltus_piece_values(p->piece, t, p->x, p->z, NULL) != 0)
        return false;
    const ProgramInputs inputs = frozen_inputs(&memory, t, p->x, p->c->p);
    double *lefts = p->scratch->values;
    if (program_solve(m->flow, p->scratch->program, &inputs, PROGRAM_ALL, p->z, NULL) !=
            PROGRAM_FINE ||
        program_evaluate(m->flow, p->scratch->program, &inputs, MODEL_LEFT, lefts) != PROGRAM_FINE)
        return false;
    for (uint32_t i = 0; i < p->model->delay_count; i++)
        values[i] = NAN;
    for (uint32_t k = 0; k < m->memory.left_count; k++)
        for (uint32_t i = 0; i < p->model->delay_count; i++)
            if (p->model->delays[i].left == m->memory.lefts[k])
                values[i] = lefts[k];
    return true;
}

// The values of those from the present one on; NULL: they are not known.
static const double *sample_from(const DelayPiece *p, double t, int eighth)
{
    const int at = eighth < 0 ? SAMPLES : eighth;
    double *values = p->values + (size_t)at * p->model->delay_count;
    if (eighth < 0 || !p->delays->has[at]) {
        if (!sample_all(p, t, values))
            return NULL;
        if (eighth >= 0)
            p->delays->has[at] = true;
    }
    return values + p->delay;
}

static bool sample_one(void *data, double t, int eighth, double *value)
{
    const double *values = sample_from(data, t, eighth);
    if (values)
        *value = values[0];
    return values;
}

static bool sample_transport(void *data, double t, int eighth, double signals[PROFILE_SIGNALS])
{
    const double *values = sample_from(data, t, eighth);
    if (values)
        memcpy(signals, values, PROFILE_SIGNALS * sizeof *signals);
    return values;
}

static bool reserve_work(Delays *d, const Model *m, const Mode *mode)
{
    const size_t room =
        mode->states.count + mode->flow->guesses.count + (SAMPLES + 1) * (size_t)m->delay_count;
    if (room <= d->room)
        return true;
    double *grown = memory_resize(&d->allocator, d->work, room, sizeof *grown);
    if (!grown)
        return false;
    d->work = grown;
    d->room = room;
    return true;
}

static bool record_piece(DelayPiece *p, SaltusMessage *message)
{
    const Model *m = p->model;
    for (; p->delay < m->delay_count; p->delay++) {
        if (!m->delays[p->delay].is_variable &&
            p->piece->to - p->piece->from > p->delays->times[p->delay]) {
            saltus_say(message, "a step is longer than the delay in %s", m->delays[p->delay].text);
            return false;
        }
        const double from = p->piece->from, to = p->piece->to;
        const bool is_fine =
            m->delays[p->delay].is_transported ||
            (m->delays[p->delay].is_transport
                 ? profile_record(&p->delays->profiles[p->delay], from, to, sample_transport, p)
                 : history_record(&p->delays->histories[p->delay], from, to, sample_one, p));
        if (is_fine)
            continue;
        saltus_say(message, "what is delayed in %s is not known", m->delays[p->delay].text);
        return false;
    }
    return true;
}

static int delays_passed(const SaltusContext *c, const SaltusPiece *piece, SaltusMessage *message)
{
    const Model *m = c->user;
    const Mode *mode = c->data;
    Delays *d = *model_memory(m, c->memory).delays;
    DelayPiece p = {.c = c, .piece = piece, .model = m, .mode = mode, .delays = d};
    p.scratch = reserve_work(d, m, mode) ? mode_take_scratch(mode) : NULL;
    if (!p.scratch) {
        saltus_say(message, "out of memory");
        return 1;
    }
    p.x = d->work;
    p.z = p.x + mode->states.count;
    p.values = p.z + mode->flow->guesses.count;
    memset(d->has, 0, sizeof d->has);
    const bool is_fine = record_piece(&p, message);
    mode_give_scratch(mode, p.scratch);
    const ModelMemory memory = model_memory(m, c->memory);
    delays_find_fronts(m, &memory);
    return !is_fine;
}

void delays_define(const Model *m, SaltusSystemDef *def)
{
    if (m->delay_count == 0)
        return;
    def->memory.create = delays_create;
    def->memory.copy = delays_copy;
    def->memory.destroy = delays_destroy;
    def->passed = delays_passed;
}

// ---------------------------------------------------------------------------
// Events
// ---------------------------------------------------------------------------

static bool delays_complain(const Model *m, uint32_t delay, const char *what, double value,
                            char **message)
{
    const SourcePlace place = sources_locate(m->diagnostics->sources, m->delays[delay].span.begin);
    message_set(message, "%s, line %u: the time of %s is %g: %s",
                place.file ? place.file->name : "the model", place.line, m->delays[delay].text,
                value, what);
    return false;
}

// The initial profile of spatialDistribution, around the position at the start.
static bool transport_start(SaltusEvent *event, uint32_t i, const double *profile, char **message)
{
    const Model *m = event->user;
    const ModelMemory memory = model_memory(m, event->memory);
    const ModelDelay *delay = &m->delays[i];
    const size_t count = delay->point_count;
    const SourcePlace place = sources_locate(m->diagnostics->sources, delay->span.begin);
    bool is_rising = profile[0] == 0.0 && profile[2 * (count - 1)] == 1.0;
    for (size_t k = 1; k < count; k++)
        is_rising &= profile[2 * k] >= profile[2 * (k - 1)];
    if (!is_rising)
        message_set(message, "%s, line %u: the points of %s do not rise from 0 to 1",
                    place.file ? place.file->name : "the model", place.line, delay->text);
    else if (!profile_begin(&(*memory.delays)->profiles[i], memory.m[delay->start], count, profile,
                            event->method->relative_tolerance, event->method->absolute_tolerance))
        message_set(message, "out of memory");
    else
        return true;
    return false;
}

bool delays_start(SaltusEvent *event, const double *samples, char **message)
{
    const Model *m = event->user;
    const ModelMemory memory = model_memory(m, event->memory);
    Delays *d = *memory.delays;
    if (m->delay_count == 0)
        return true;
    d->shortest = INFINITY;
    const double *profile = samples + 2 * (m->samples.count + m->delay_count);
    for (uint32_t i = 0; i < m->delay_count; i++) {
        const double *time = &samples[2 * (m->samples.count + i)];
        if (!(time[0] > 0.0) || !isfinite(time[0]))
            return delays_complain(m, i, "it must be positive", time[0], message);
        if (!(time[0] <= time[1]))
            return delays_complain(m, i, "it is longer than the longest that is allowed", time[0],
                                   message);
        d->times[i] = time[0];
        if (!m->delays[i].is_variable)
            d->shortest = fmin(d->shortest, time[0]);
        // The rows of a step are asked for when it was recorded.
        history_begin(&d->histories[i], event->t, memory.m[m->delays[i].start],
                      (1.0 + longest_step) * time[0], event->method->relative_tolerance,
                      event->method->absolute_tolerance);
        if (m->delays[i].is_variable)
            history_open(&d->histories[i]);
        if (m->delays[i].is_transport && !transport_start(event, i, profile, message))
            return false;
        profile += 2 * m->delays[i].point_count;
    }
    delays_find_fronts(m, &memory);
    delays_schedule(event);
    return true;
}

unsigned delays_update(SaltusEvent *event)
{
    const Model *m = event->user;
    const ModelMemory memory = model_memory(m, event->memory);
    Delays *d = m->delay_count ? *memory.delays : NULL;
    unsigned answer = SALTUS_NOTHING_CHANGED;
    for (uint32_t i = 0; i < m->delay_count; i++)
        d->histories[i].is_interrupted = d->profiles[i].is_interrupted = true;
    for (int k = 0; k < event->time_count; k++) {
        const int i = event->time_ids[k] - (int)(m->samples.count + m->sizes.held);
        if (i < 0 || i >= (int)m->delay_count)
            continue;
        history_pass_jump(&d->histories[i]);
        if (m->delays[i].is_discrete)
            memory.m[m->delays[i].start] = history_first(&d->histories[i]);
        answer |= SALTUS_INPUTS_CHANGED;
    }
    return answer;
}

unsigned delays_pass_fronts(SaltusEvent *event)
{
    const Model *m = event->user;
    const ModelMemory memory = model_memory(m, event->memory);
    return m->delay_count && delays_find_fronts(m, &memory) ? SALTUS_INPUTS_CHANGED
                                                            : SALTUS_NOTHING_CHANGED;
}

void delays_schedule(SaltusEvent *event)
{
    const Model *m = event->user;
    const Delays *d = m->delay_count ? *model_memory(m, event->memory).delays : NULL;
    for (uint32_t i = 0; i < m->delay_count; i++) {
        const int id = (int)(m->samples.count + m->sizes.held + i);
        const double jump = history_next_jump(&d->histories[i]);
        if (isfinite(jump))
            saltus_schedule(event, id, jump + d->times[i]);
    }
    if (d &&
        (event->method->max_step == 0.0 || event->method->max_step > longest_step * d->shortest))
        event->method->max_step = longest_step * d->shortest;
}
