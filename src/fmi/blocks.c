// SPDX-License-Identifier: MIT

#include "fmi/blocks.h"

#include "base/message.h"
#include "fmi/block_text.h"
#include "fmi/import_parts.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

// A component in a run.
typedef struct BlockInstance {
    struct BlockInstance *next;
    pthread_t thread;
    char *name;
    ImportedFmu *import;
    bool has_begun;
    bool wants_event; // after a step, which a block cannot have
    uint32_t parameter_count, input_count;
    double *parameters, *inputs; // that the FMU has
    double start, time;          // where it is
    double number,
        least_number;  // of events, of model exchange: the last, and the first with this state
    double event_time; // of the last one
    double flow_time;  // where its flow was computed last
    // FMU states that were kept, before the last event, and what was left for that; and the number
    // of events before them.
    struct {
        void *state;                 // NULL: none
        double number, least_number; // it is the same from the least one on
    } kept[2];
} BlockInstance;

typedef struct BlockGuest {
    pthread_mutex_t lock;
    BlockInstance *first;
} BlockGuest;

// ---------------------------------------------------------------------------
// Text
// ---------------------------------------------------------------------------

// NULL: the message says why, and is to be freed.
static const char *blocks_make_text(Arena *arena, const char *path, bool is_whole, char **message)
{
    char real[PATH_MAX];
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    const char *name = arena_copy_text(arena, base, strlen(base) - (sizeof ".fmu" - 1));
    ImportedFmu *import = import_open(path, message);
    if (!import)
        return NULL;
    if (!realpath(path, real)) {
        message_set(message, "it has no path");
        import_close(import);
        return NULL;
    }
    if (!import->description->cosimulation && !import->description->exchange) {
        message_set(message, "it has scheduled execution only, which no block can have");
        import_close(import);
        return NULL;
    }
    StringBuilder out = builder_create(arena);
    import_exchange_count(import);
    const ImportParts *p = import->parts;
    is_whole = is_whole || block_shows_locals(import->description);
    const bool is_fine = block_write(&out, import->description, real, name, is_whole,
                                     p->state_count, p->indicator_count, message);
    import_close(import);
    return is_fine ? builder_string(&out).text : NULL;
}

static const char *blocks_text(void *user, Arena *arena, const char *path, bool is_whole,
                               const char **message)
{
    (void)user;
    char *why = NULL;
    const char *text = blocks_make_text(arena, path, is_whole, &why);
    if (!text)
        *message = arena_copy_text(arena, message_text(why), strlen(message_text(why)));
    free(why);
    return text;
}

// ---------------------------------------------------------------------------
// Instances
// ---------------------------------------------------------------------------

static void block_forget(BlockInstance *b)
{
    for (int i = 0; i < 2; i++)
        import_forget(b->import, &b->kept[i].state);
}

static void block_free(BlockInstance *b)
{
    if (b->import)
        block_forget(b);
    import_close(b->import);
    free(b->parameters);
    free(b->inputs);
    free(b->name);
    free(b);
}

static void blocks_begin(void *user)
{
    BlockGuest *blocks = user;
    pthread_mutex_lock(&blocks->lock);
    for (BlockInstance *b = blocks->first; b; b = b->next)
        if (pthread_equal(b->thread, pthread_self()))
            b->has_begun = false;
    pthread_mutex_unlock(&blocks->lock);
}

// The last evaluation of a step that is accepted is one of its event functions or outputs, at its
// end or at a point of its dense output: there the FMU is told.
static void blocks_accepted(void *user, double time)
{
    BlockGuest *blocks = user;
    pthread_mutex_lock(&blocks->lock);
    BlockInstance *b = blocks->first;
    pthread_mutex_unlock(&blocks->lock);
    for (; b; b = b->next) {
        if (!pthread_equal(b->thread, pthread_self()) || !b->has_begun || !(b->flow_time <= time))
            continue;
        bool wants_event = false, has_ended = false;
        b->wants_event |=
            import_exchange_completed(b->import, &wants_event, &has_ended) != 0 || wants_event;
    }
}

static void blocks_destroy(ExternalGuest *guest)
{
    BlockGuest *blocks = guest->user;
    for (BlockInstance *b = blocks->first, *next; b; b = next) {
        next = b->next;
        block_free(b);
    }
    pthread_mutex_destroy(&blocks->lock);
    free(blocks);
    free(guest);
}

// The FMU "path", with its outputs; or "path*", with all of its variables.
static ImportedFmu *block_open(const char *file, char **message)
{
    char path[PATH_MAX];
    const size_t length = strlen(file), is_whole = length > 0 && file[length - 1] == '*';
    snprintf(path, sizeof path, "%.*s", (int)(length - is_whole), file);
    ImportedFmu *import = import_open(path, message);
    if (!import || is_whole || import_only_outputs(import))
        return import;
    message_set(message, "out of memory");
    import_close(import);
    return NULL;
}

// NULL after a failure.
static BlockInstance *block_create(ExternalCall *call, uint32_t parameters, uint32_t inputs)
{
    char *message = NULL;
    const char *name = external_text(call, 1);
    BlockInstance *b = calloc(1, sizeof *b);
    if (!b)
        return external_fail(call, "out of memory"), NULL;
    *b = (BlockInstance){
        .thread = pthread_self(), .parameter_count = parameters, .input_count = inputs};
    b->name = strdup(name);
    b->parameters = calloc(parameters + 1u, sizeof *b->parameters);
    b->inputs = calloc(inputs + 1u, sizeof *b->inputs);
    b->import = block_open(external_text(call, 0), &message);
    const bool has_memory = b->name && b->parameters && b->inputs;
    if (!b->import)
        external_fail(call, "%s: %s", name, message_text(message));
    else if (!has_memory)
        external_fail(call, "out of memory");
    else
        return import_exchange_count(b->import), b;
    free(message);
    block_free(b);
    return NULL;
}

// The component that a call is of: its parameters and inputs are the arguments `given` and the
// one after it.
static BlockInstance *block_find(BlockGuest *blocks, ExternalCall *call, uint32_t given)
{
    const char *name = external_text(call, 1);
    pthread_mutex_lock(&blocks->lock);
    BlockInstance *b = blocks->first;
    while (b && !(pthread_equal(b->thread, pthread_self()) && strcmp(b->name, name) == 0))
        b = b->next;
    pthread_mutex_unlock(&blocks->lock);
    if (b)
        return b;
    b = block_create(call, call->arguments[given].count, call->arguments[given + 1].count);
    if (!b)
        return NULL;
    pthread_mutex_lock(&blocks->lock);
    b->next = blocks->first;
    blocks->first = b;
    pthread_mutex_unlock(&blocks->lock);
    return b;
}

static bool block_fail(ExternalCall *call, const BlockInstance *b, const char *what)
{
    char *message = NULL;
    message_set(&message, "the FMU of %s: %s", b->name, what);
    import_add_said(b->import->parts, &message);
    external_fail(call, "%s", message_text(message));
    free(message);
    return false;
}

// ---------------------------------------------------------------------------
// Values
// ---------------------------------------------------------------------------

// Sets the variables of a role that are not what they were.
static bool block_set(BlockInstance *b, ExternalCall *call, BlockRole role, const double *values)
{
    const FmuDescription *d = b->import->description;
    double *own = role == BLOCK_INPUT ? b->inputs : b->parameters;
    for (uint32_t i = 0, k = 0; i < d->variable_count; i++) {
        const FmuVariable *v = &d->variables[i];
        if (block_role(v) != role)
            continue;
        const bool is_same = memcmp(own + k, values + k, v->size * sizeof *own) == 0;
        if (!is_same && import_set_numbers(b->import, v, values + k) > FMI2_WARNING) {
            char *what = NULL;
            message_set(&what, "it refuses a value of %s", v->name);
            block_fail(call, b, message_text(what));
            free(what);
            return false;
        }
        memcpy(own + k, values + k, v->size * sizeof *own);
        k += v->size;
    }
    return true;
}

// The initialization at a time with these parameters and inputs.
static bool block_begin(BlockInstance *b, ExternalCall *call, double time, const double *p,
                        const double *u)
{
    const FmuDescription *d = b->import->description;
    ImportSetting *settings = calloc(d->variable_count + 1u, sizeof *settings);
    ImportDef def = {.is_exchange = block_is_exchange(d),
                     .start_time = time,
                     .stop_time = INFINITY,
                     .options = saltus_default_options(),
                     .settings = settings};
    char *message = NULL;
    uint32_t parameter = 0, input = 0;
    if (d->tolerance > 0.0)
        def.options.method.relative_tolerance = d->tolerance;
    for (uint32_t i = 0; settings && i < d->variable_count; i++) {
        const FmuVariable *v = &d->variables[i];
        const BlockRole role = block_role(v);
        if (role != BLOCK_PARAMETER && role != BLOCK_INPUT)
            continue;
        settings[def.setting_count++] =
            (ImportSetting){v->name, NULL, role == BLOCK_INPUT ? u + input : p + parameter};
        *(role == BLOCK_INPUT ? &input : &parameter) += v->size;
    }
    if (b->has_begun || b->kept[0].state || b->kept[1].state)
        block_forget(b);
    b->has_begun = settings && import_begin(b->import, &def, &message);
    free(settings);
    memcpy(b->parameters, p, b->parameter_count * sizeof *p);
    memcpy(b->inputs, u, b->input_count * sizeof *u);
    b->start = b->time = time;
    b->number = b->least_number = 0.0;
    b->kept[0].number = b->kept[1].number = NAN;
    b->event_time = b->flow_time = NAN;
    b->wants_event = false;
    if (!b->has_begun)
        external_fail(call, "the FMU of %s: %s", b->name, message_text(message));
    free(message);
    return b->has_begun;
}

static bool block_is_other(const BlockInstance *b, const double *p, const double *u)
{
    return memcmp(b->parameters, p, b->parameter_count * sizeof *p) != 0 ||
           memcmp(b->inputs, u, b->input_count * sizeof *u) != 0;
}

static bool block_get(BlockInstance *b, ExternalCall *call, double *y)
{
    return import_get_values(b->import, y) || block_fail(call, b, "it has no values");
}

// ---------------------------------------------------------------------------
// Co-simulation
// ---------------------------------------------------------------------------

static bool block_step(BlockInstance *b, ExternalCall *call)
{
    const double time = external_number(call, 2);
    const double *p = call->arguments[3].numbers, *u = call->arguments[4].numbers;
    if (!b->has_begun || (time == b->start && block_is_other(b, p, u))) {
        if (!block_begin(b, call, time, p, u))
            return false;
    } else if (time < b->time || (time == b->time && block_is_other(b, p, u))) {
        return external_fail(call,
                             "the FMU of %s is at t = %.12g already, and cannot go back: a copy "
                             "of its run cannot be continued",
                             b->name, b->time);
    } else if (time > b->time) {
        double reached = b->time;
        if (!block_set(b, call, BLOCK_PARAMETER, p) || !block_set(b, call, BLOCK_INPUT, u))
            return false;
        const SaltusStatus status = import_step(b->import, &reached, time - b->time);
        if (status != SALTUS_OK)
            return block_fail(call, b,
                              status == SALTUS_TERMINATED ? "it ended the simulation"
                                                          : "its step failed");
        b->time = time;
    }
    return block_get(b, call, call->arguments[5].numbers);
}

// ---------------------------------------------------------------------------
// Model exchange
// ---------------------------------------------------------------------------

static void block_next(const BlockInstance *b, double *next)
{
    const double time = b->import->parts->next_time;
    *next = isfinite(time) ? time : DBL_MAX;
}

static bool block_begin_exchange(BlockInstance *b, ExternalCall *call)
{
    double *found = call->arguments[5].numbers;
    if (!block_begin(b, call, external_number(call, 2), call->arguments[3].numbers,
                     call->arguments[4].numbers))
        return false;
    if (import_exchange_begin(b->import, found) != 0)
        return block_fail(call, b, "it has no states");
    block_next(b, found + call->arguments[5].count - 1);
    return true;
}

// To the discrete states that it has after so many events.
static bool block_go(BlockInstance *b, ExternalCall *call, double number)
{
    if (number >= b->least_number && number <= b->number)
        return true;
    for (int i = 0; i < 2; i++) {
        const double last = b->kept[i].number, least = b->kept[i].least_number;
        if (!(number >= least && number <= last))
            continue;
        if (!import_keep(b->import, &b->kept[1 - i].state) ||
            !import_restore(b->import, b->kept[i].state))
            return block_fail(call, b, "it cannot keep its state");
        b->kept[1 - i].number = b->number;
        b->kept[1 - i].least_number = b->least_number;
        b->number = last;
        b->least_number = least;
        return true;
    }
    return block_fail(call, b, "it cannot go back before an event");
}

static bool block_compute(BlockInstance *b, ExternalCall *call, double time, const double *x,
                          const double *p, const double *u, double *flow)
{
    const ImportParts *parts = b->import->parts;
    if (!block_set(b, call, BLOCK_PARAMETER, p) || !block_set(b, call, BLOCK_INPUT, u))
        return false;
    if (import_exchange_flow(b->import, time, x, flow, flow + parts->state_count) != 0)
        return block_fail(call, b, "it has no derivatives");
    return block_get(b, call, flow + parts->state_count + parts->indicator_count);
}

static bool block_flow(BlockInstance *b, ExternalCall *call)
{
    ExternalArgument *a = call->arguments;
    if (!block_go(b, call, a[2].numbers[0]))
        return false;
    b->flow_time = a[3].numbers[0];
    return block_compute(b, call, a[3].numbers[0], a[4].numbers, a[5].numbers, a[6].numbers,
                         a[7].numbers);
}

// Time, states, parameters and inputs moved along a direction, each vector at its place.
static void block_move(const ExternalArgument *a, double by, double *moved)
{
    for (uint32_t i = 3; i <= 6; i++)
        for (uint32_t k = 0; k < a[i].count; k++)
            *moved++ = a[i].numbers[k] + by * a[i + 6].numbers[k];
}

// Symmetric differences: an FMU need not have derivatives, and those that it has are neither of
// time nor of parameters.
static bool block_forward(BlockInstance *b, ExternalCall *call)
{
    ExternalArgument *a = call->arguments;
    const uint32_t count = a[13].count, nx = a[4].count, np = a[5].count;
    double *moved = calloc(1u + nx + np + a[6].count + count, sizeof *moved), *flow;
    double size = 0.0, scale = 1.0; // of the direction, and of where it begins
    for (uint32_t i = 3; i <= 6; i++) {
        for (uint32_t k = 0; k < a[i].count; k++) {
            const double along = fabs(a[i + 6].numbers[k]);
            size = fmax(size, along);
            scale = along > 0.0 ? fmax(scale, fabs(a[i].numbers[k])) : scale;
        }
    }
    memset(a[13].numbers, 0, count * sizeof *a[13].numbers);
    if (!moved)
        return external_fail(call, "out of memory");
    const double by = size > 0.0 ? cbrt(DBL_EPSILON) * scale / size : 0.0;
    bool is_fine = block_go(b, call, a[2].numbers[0]);
    flow = moved + 1 + nx + np + a[6].count;
    for (int sign = 1; sign >= -1 && is_fine && size > 0.0; sign -= 2) {
        block_move(a, sign * by, moved);
        is_fine =
            block_compute(b, call, moved[0], moved + 1, moved + 1 + nx, moved + 1 + nx + np, flow);
        for (uint32_t i = 0; i < count; i++)
            a[13].numbers[i] += sign * flow[i] / (2.0 * by);
    }
    free(moved);
    return is_fine;
}

// An indicator that has another sign because of what the FMU did at this very instant is no news to
// it: it has settled, and a second event could be taken for another one of the same kind.
static bool block_has_settled(const BlockInstance *b, const ExternalCall *call)
{
    return external_number(call, 3) == b->event_time &&
           !block_is_other(b, call->arguments[5].numbers, call->arguments[6].numbers);
}

static bool block_event(BlockInstance *b, ExternalCall *call)
{
    const ImportParts *p = b->import->parts;
    const double number = external_number(call, 2), time = external_number(call, 3);
    double *found = call->arguments[7].numbers;
    if (!block_go(b, call, number))
        return false;
    memcpy(found, call->arguments[4].numbers, p->state_count * sizeof *found);
    if (block_has_settled(b, call)) {
        b->number = number + 1.0;
        block_next(b, found + call->arguments[7].count - 1);
        return true;
    }
    if (!block_set(b, call, BLOCK_PARAMETER, call->arguments[5].numbers) ||
        !block_set(b, call, BLOCK_INPUT, call->arguments[6].numbers))
        return false;
    b->kept[0].number = b->kept[1].number = NAN;
    if (b->import->description->can_keep_state && import_keep(b->import, &b->kept[0].state))
        b->kept[0].number = number, b->kept[0].least_number = b->least_number;
    if (import_exchange_event(b->import, time, found) != 0)
        return block_fail(call, b, "it failed in event mode");
    if (p->has_ended)
        return block_fail(call, b, "it ended the simulation");
    b->number = b->least_number = number + 1.0;
    b->event_time = time;
    block_next(b, found + call->arguments[7].count - 1);
    return true;
}

// ---------------------------------------------------------------------------
// Calls
// ---------------------------------------------------------------------------

static bool blocks_call(void *user, GuestFunction function, ExternalCall *call)
{
    BlockInstance *b =
        block_find(user, call, function == GUEST_STEP || function == GUEST_BEGIN ? 3 : 5);
    if (!b)
        return false;
    if (function >= GUEST_FLOW && !b->has_begun)
        return block_fail(call, b, "it has not begun");
    if (b->wants_event && function >= GUEST_FLOW)
        return block_fail(call, b, "it wants an event after a step, which a block cannot have");
    switch (function) {
    case GUEST_STEP:
        return block_step(b, call);
    case GUEST_BEGIN:
        return block_begin_exchange(b, call);
    case GUEST_FLOW:
        return block_flow(b, call);
    case GUEST_EVENT:
        return block_event(b, call);
    case GUEST_FLOW_FORWARD:
        return block_forward(b, call);
    }
    return false;
}

ExternalGuest *blocks_create(void)
{
    ExternalGuest *guest = calloc(1, sizeof *guest);
    BlockGuest *blocks = calloc(1, sizeof *blocks);
    if (!guest || !blocks || pthread_mutex_init(&blocks->lock, NULL) != 0) {
        free(guest);
        free(blocks);
        return NULL;
    }
    *guest = (ExternalGuest){.user = blocks,
                             .text = blocks_text,
                             .call = blocks_call,
                             .accepted = blocks_accepted,
                             .begin = blocks_begin,
                             .destroy = blocks_destroy};
    return guest;
}
