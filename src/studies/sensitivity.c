// SPDX-License-Identifier: MIT
//
// The run is interrupted after each event, so that copies of it can be made, and goes on from where
// it is; the rows that this makes are left out, and those behind an event wait until it has been
// followed.

#include "studies/sensitivity.h"

#include "base/error.h"
#include "base/real.h"
#include "modes/model_parts.h"
#include "studies/sensitivity_parts.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

void sensitivity_lose(Sensitivity *z, double t, const char *format, ...)
{
    va_list arguments;
    if (z->loss.is_there)
        return;
    z->loss.is_there = true;
    z->loss.time = t;
    va_start(arguments, format);
    message_set_arguments(&z->loss.text, format, arguments);
    va_end(arguments);
}

static void sensitivity_lose_twice(Sensitivity *z)
{
    sensitivity_lose(z, z->run->t,
                     z->event.occasion & SALTUS_AT_LIMIT
                         ? "events accumulate"
                         : "two events at one instant, one after the other");
}

// ---------------------------------------------------------------------------
// Callbacks of the run
// ---------------------------------------------------------------------------

static bool sensitivity_is_here(const Sensitivity *z)
{
    return !z->loss.is_there && z->run && z->bench &&
           z->run->active->index == z->bench->active->index;
}

static void hand_row(Sensitivity *z, const SaltusRow *row)
{
    const SaltusOptions *o = &z->def.options;
    z->handed.row = row;
    if (o->row && o->record != SALTUS_RECORD_NOTHING && o->row(o->user, row) != 0)
        z->is_stopped = true;
    z->handed.row = NULL;
}

static void hand_kept(Sensitivity *z, SensitivityRow *kept)
{
    if (kept->is_there)
        hand_row(z, &kept->row);
    kept->is_there = false;
}

static void keep_row(Sensitivity *z, SensitivityRow *kept, const SaltusRow *row)
{
    const size_t x = (size_t)row->x_count, a = (size_t)row->z_count, y = (size_t)row->y_count;
    if (kept->room < x + a + y) {
        double *grown = memory_resize(z->pool.allocator, kept->values, x + a + y, sizeof *grown);
        if (!grown) {
            z->is_out_of_memory = true;
            return;
        }
        kept->values = grown;
        kept->room = x + a + y;
    }
    kept->row = *row;
    kept->row.x = memcpy(kept->values, row->x, x * sizeof(double));
    kept->row.z = kept->values + x;
    kept->row.y = kept->values + x + a;
    if (a)
        memcpy(kept->values + x, row->z, a * sizeof(double));
    memcpy(kept->values + x + a, row->y, y * sizeof(double));
    kept->is_there = true;
}

static int sensitivity_take_row(void *user, const SaltusRow *row)
{
    Sensitivity *z = user;
    const bool is_first = !z->run;
    if (!is_first && z->after.is_there) { // a second event at once
        if (row->kind == SALTUS_ROW_AFTER_EVENT)
            sensitivity_lose_twice(z);
        if (z->loss.is_there)
            hand_kept(z, &z->after);
    }
    const bool is_behind = !is_first && row->kind == SALTUS_ROW_AFTER_EVENT;
    if (row->kind == SALTUS_ROW_END)
        keep_row(z, &z->last, row);
    else if (is_first || is_behind)
        keep_row(z, &z->after, row);
    else
        hand_row(z, row);
    z->pending += is_behind;
    return is_behind || z->is_stopped || z->is_out_of_memory; // the event is to be followed
}

static int sensitivity_take_piece(void *user, const SaltusPiece *piece)
{
    Sensitivity *z = user;
    const SaltusOptions *o = &z->def.options;
    if (sensitivity_is_here(z)) {
        const SaltusRun *run = z->run;
        const RunInstance *from = run->active;
        const size_t count = (size_t)from->mode->state_count * z->def.count;
        z->cursor.t = z->main.t;
        z->cursor.step = z->main.step;
        memcpy(z->cursor.s, z->main.s, count * sizeof(double));
        z->piece.half = 0.5 * (piece->to - piece->from);
        if (saltus_piece_values(piece, piece->to - z->piece.half, z->piece.x_middle, NULL, NULL) !=
                0 ||
            saltus_piece_values(piece, piece->to, z->piece.x_end, z->piece.z_end, NULL) != 0)
            sensitivity_lose(z, piece->from, "the run cannot be evaluated inside a step");
        memcpy(z->bench->active->armed, from->armed,
               (size_t)from->mode->event_count * sizeof *from->armed);
        sensitivity_follow(z, &z->main, piece->to);
    }
    if (o->piece && o->piece(o->user, piece) != 0)
        z->is_stopped = true;
    return z->is_stopped;
}

static bool event_keep(Sensitivity *z, const SaltusLogEntry *entry)
{
    SaltusFired *fired = memory_resize(z->pool.allocator, z->event.fired,
                                       (size_t)entry->fired_count + 1, sizeof *fired);
    if (fired)
        z->event.fired = fired;
    int *ids = memory_resize(z->pool.allocator, z->event.time_ids, (size_t)entry->time_count + 1,
                             sizeof *ids);
    if (ids)
        z->event.time_ids = ids;
    if (!fired || !ids)
        return false;
    for (int i = 0; i < entry->fired_count; i++)
        fired[i] = entry->fired[i];
    for (int i = 0; i < entry->time_count; i++)
        ids[i] = entry->time_ids[i];
    z->event.t = entry->t;
    z->event.occasion = entry->occasion;
    z->event.has_effect = (entry->classes & ~(unsigned)SALTUS_SE_O) != 0 || entry->change_count > 0;
    z->event.from = entry->from;
    z->event.to = entry->to;
    z->event.fired_count = entry->fired_count;
    z->event.time_count = entry->time_count;
    z->piece.bracket = entry->bracket;
    return true;
}

static int sensitivity_take_event(void *user, const SaltusLogEntry *entry)
{
    Sensitivity *z = user;
    const SaltusOptions *o = &z->def.options;
    if (!event_keep(z, entry))
        z->is_out_of_memory = true;
    if (o->logged(o->user, entry) != 0)
        z->is_stopped = true;
    return z->is_stopped || z->is_out_of_memory;
}

static int sensitivity_take_step(void *user, double t, double stop_time)
{
    Sensitivity *z = user;
    const SaltusOptions *o = &z->def.options;
    if (o->progress && o->progress(o->user, t, stop_time) != 0)
        z->is_stopped = true;
    z->is_reselected = z->pending == 0 && !z->loss.is_there && z->bench &&
                       z->run->active->index != z->bench->active->index;
    return z->is_stopped || z->is_reselected;
}

// ---------------------------------------------------------------------------
// The run
// ---------------------------------------------------------------------------

// What the run was interrupted for.
static void sensitivity_catch_up(Sensitivity *z)
{
    const long logged = saltus_run_event_count(z->run);
    if (z->pending > 0 && !z->def.options.logged) {
        const SaltusLogEntry entry = saltus_run_event(z->run, logged - 1);
        if (!event_keep(z, &entry))
            z->is_out_of_memory = true;
    }
    if (z->outside.assigned_count > 0 && !z->is_out_of_memory)
        sensitivity_assign(z);
    else if (z->pending > 0 && !z->is_out_of_memory)
        sensitivity_jump(z);
    else if (z->is_reselected)
        sensitivity_reselect(z);
    hand_kept(z, &z->after);
}

static bool sensitivity_goes_on(const Sensitivity *z, SaltusStatus status)
{
    return status == SALTUS_INTERRUPTED && !z->is_stopped && !z->is_out_of_memory;
}

static SaltusStatus sensitivity_advance_to(Sensitivity *z, double t)
{
    SaltusStatus status;
    do {
        z->last.is_there = false;
        status = saltus_run_advance(z->run, t);
        sensitivity_catch_up(z);
    } while (sensitivity_goes_on(z, status));
    hand_kept(z, &z->last);
    return status;
}

// Inputs that change now.
static SaltusStatus sensitivity_set(Sensitivity *z, double t, SaltusError *error)
{
    const EmbeddedSignals *in = &z->outside.inputs;
    z->outside.assigned_count =
        signals_due(in->signals, z->outside.places, in->count, t, z->outside.assigned);
    if (z->outside.assigned_count == 0)
        return SALTUS_OK;
    const SaltusStatus status =
        saltus_model_set(in->model, z->run, z->outside.assigned, z->outside.assigned_count, error);
    if (status >= 0)
        sensitivity_catch_up(z);
    z->outside.assigned_count = 0;
    return sensitivity_goes_on(z, status) ? SALTUS_OK : status;
}

static SaltusStatus sensitivity_advance(Sensitivity *z, SaltusError *error)
{
    const EmbeddedSignals *in = &z->outside.inputs;
    for (int i = 0; i < in->count; i++)
        z->outside.places[i] = signals_after(&in->signals[i], saltus_run_time(z->run));
    for (;;) {
        const double t = signals_next(in->signals, z->outside.places, in->count, z->def.stop_time);
        SaltusStatus status = sensitivity_advance_to(z, t);
        saltus_error_clear(error);
        error_copy(error, saltus_run_error(z->run));
        if (status == SALTUS_OK)
            status = sensitivity_set(z, t, error);
        if (status != SALTUS_OK || t >= z->def.stop_time)
            return status;
    }
}

SaltusStatus sensitivity_run(Sensitivity *z, const SaltusSystem *system, SaltusRun **run,
                             SaltusError *error)
{
    SaltusOptions options = z->def.options;
    options.row = sensitivity_take_row;
    options.piece = sensitivity_take_piece;
    options.logged = options.logged ? sensitivity_take_event : NULL; // else the run keeps them
    options.record |= SALTUS_RECORD_EVENTS;
    options.progress = sensitivity_take_step;
    options.user = z;
    *run = NULL;
    SaltusStatus status = loaded_begin(z->def.loaded, system, &options, run, error);
    z->run = *run;
    if (z->run && status == SALTUS_OK) {
        sensitivity_start(z, system);
        hand_kept(z, &z->after);
        status = sensitivity_advance(z, error);
        status = loaded_finish(z->def.loaded, z->run, status);
        sensitivity_catch_up(z);
        hand_kept(z, &z->last);
        if (error->status == SALTUS_OK) {
            saltus_error_clear(error);
            error_copy(error, saltus_run_error(z->run));
        }
        saltus_run_set_user(z->run, NULL);
        z->run->options = z->def.options; // its callbacks were ours
        z->run->options.parameters = z->run->options.inputs = NULL;
    }
    if (z->is_out_of_memory) {
        status = SALTUS_ERROR_MEMORY;
        saltus_error_clear(error);
        error_set(error, status, "out of memory");
    }
    return status;
}

// ---------------------------------------------------------------------------
// Questions
// ---------------------------------------------------------------------------

// The derivatives of the outputs where the track is; x, z: the run there.
static const double *sensitivity_derive_outputs(Sensitivity *z, const SensitivityTrack *track,
                                                const double *x, const double *guess, uint32_t k)
{
    const SensitivityDirection d = sensitivity_direction(z, track, k);
    sensitivity_place(z, track->t, x, guess);
    if (!z->loss.is_there &&
        !sensitivity_derive(z, SENSITIVITY_OUTPUTS, &d, z->counts.outputs, z->work.outputs))
        sensitivity_lose(z, track->t, "the outputs cannot be evaluated near the run");
    return z->work.outputs;
}

static const double *no_outputs(const Sensitivity *z)
{
    for (uint32_t i = 0; i < z->counts.outputs; i++)
        z->work.outputs[i] = NAN;
    return z->work.outputs;
}

// The track that is at the time, or goes there.
static const SensitivityTrack *sensitivity_track(Sensitivity *z, double t)
{
    if (t == z->main.t)
        return &z->main;
    if (t > z->main.t && z->cursor.t < z->main.t) { // rows may come before their piece
        const size_t count = (size_t)z->bench->active->mode->state_count * z->def.count;
        z->cursor.t = z->main.t;
        memcpy(z->cursor.s, z->main.s, count * sizeof(double));
    }
    if (t > z->cursor.t)
        sensitivity_follow(z, &z->cursor, t);
    return &z->cursor;
}

const double *sensitivity_row(Sensitivity *z, uint32_t k)
{
    const SaltusRow *row = z->handed.row;
    if (!row || z->loss.is_there || !z->bench || row->mode != z->bench->active->index)
        return no_outputs(z);
    const SensitivityTrack *track = sensitivity_track(z, row->t);
    const double *found = sensitivity_derive_outputs(z, track, row->x, row->z, k);
    return z->loss.is_there ? no_outputs(z) : found;
}

const double *sensitivity_at(Sensitivity *z, const SaltusPiece *piece, double t, uint32_t k)
{
    if (!sensitivity_is_here(z) ||
        saltus_piece_values(piece, t, z->handed.x, z->handed.z, NULL) != 0)
        return no_outputs(z);
    const SensitivityTrack *track = sensitivity_track(z, t);
    const double *found = sensitivity_derive_outputs(z, track, z->handed.x, z->handed.z, k);
    return z->loss.is_there ? no_outputs(z) : found;
}

uint32_t sensitivity_event_count(const Sensitivity *z)
{
    return z->times.count;
}

double sensitivity_event_time(const Sensitivity *z, uint32_t event, uint32_t k)
{
    return event < z->times.count ? z->times.items[(size_t)event * z->def.count + k] : NAN;
}

const char *sensitivity_loss(const Sensitivity *z, double *time)
{
    *time = z->loss.time;
    return z->loss.is_there ? message_text(z->loss.text) : NULL;
}

// ---------------------------------------------------------------------------
// Creation
// ---------------------------------------------------------------------------

static const char *sensitivity_refusal(const SensitivityDef *def)
{
    const Model *m = def->loaded->model;
    for (uint32_t k = 0; k < def->count; k++)
        if (FLAT_TYPE(m->parameters->flat[def->by[k]])->kind != FLAT_TYPE_REAL)
            return "a parameter is not Real: nothing can be differentiated by it";
    if (m->delay_count > 0)
        return "models with delays have no sensitivities yet";
    if (def->options.backstep != SALTUS_BACKSTEP)
        return "sensitivities need events that are located";
    return NULL;
}

Sensitivity *sensitivity_create(const SensitivityDef *def, SaltusError *error)
{
    const SaltusAllocator *a = &def->loaded->model->arena->allocator;
    const char *refusal = sensitivity_refusal(def);
    Sensitivity *z = refusal ? NULL : MEMORY_NEW(a, 1, Sensitivity);
    if (!z) {
        error_set(error, refusal ? SALTUS_ERROR_ARGUMENT : SALTUS_ERROR_MEMORY, "%s",
                  refusal ? refusal : "out of memory");
        return NULL;
    }
    z->def = *def;
    z->model = def->loaded->model;
    z->pool.allocator = z->mode_pool.allocator = a;
    z->counts.parameters = z->model->parameters->count;
    z->counts.memory = z->model->sizes.memory;
    z->counts.outputs = z->model->outputs.count;
    z->p = MEMORY_POOL_NEW(&z->pool, z->counts.parameters + 1u, double);
    z->m = MEMORY_POOL_NEW(&z->pool, z->counts.memory + 1u, double);
    z->work.outputs = MEMORY_POOL_NEW(&z->pool, z->counts.outputs + 1u, double);
    z->memory = MEMORY_POOL_NEW(&z->pool, (size_t)z->counts.memory * def->count + 1, double);
    z->direction = MEMORY_POOL_NEW(&z->pool, (size_t)z->counts.parameters * def->count + 1, double);
    if (def->inputs)
        z->outside.inputs = *def->inputs;
    const size_t given = def->value_count + z->outside.inputs.value_count,
                 signals = (size_t)z->outside.inputs.count;
    z->given = MEMORY_POOL_NEW(&z->pool, given + 1u, ParameterValue);
    z->outside.places = MEMORY_POOL_NEW(&z->pool, signals + 1, long);
    z->outside.assigned = MEMORY_POOL_NEW(&z->pool, signals + 1, SaltusAssignment);
    if (z->given && z->outside.places && z->outside.assigned && z->p && z->m && z->work.outputs &&
        z->memory && z->direction)
        return z;
    sensitivity_destroy(z);
    return NULL;
}

void sensitivity_destroy(Sensitivity *z)
{
    if (!z)
        return;
    const SaltusAllocator *a = z->pool.allocator;
    saltus_run_destroy(z->bench);
    free(z->loss.text);
    memory_free(a, z->after.values);
    memory_free(a, z->last.values);
    memory_free(a, z->event.fired);
    memory_free(a, z->event.time_ids);
    memory_free(a, z->times.scheduled);
    memory_free(a, z->times.items);
    memory_pool_free(&z->mode_pool);
    memory_pool_free(&z->pool);
    memory_free(a, z);
}
