// SPDX-License-Identifier: MIT
//
// Working memory of modes. Each keeps one that nobody uses for the next evaluation; but of modes
// that are made of several parts there may be very many, so that of these only a few do.

#include "modes/model_parts.h"

#include <stdlib.h>

// Those used last. At an event the mode that is left and the candidates for the next one take
// turns.
enum { WARM_MODES = 8 };

struct ModelWarm {
    pthread_mutex_t mutex;
    const Mode *modes[WARM_MODES];
    uint32_t next;
};

static void free_scratch(ModelScratch *s)
{
    if (!s)
        return;
    program_scratch_free(s->program);
    arena_destroy(s->arena);
    free(s);
}

void mode_provide_spare(Mode *m)
{
    if (!m->spare)
        m->spare = arena_allocate(m->arena, sizeof *m->spare);
}

bool model_provide_warm(Model *m)
{
    m->warm = ARENA_NEW(m->arena, ModelWarm);
    return pthread_mutex_init(&m->warm->mutex, NULL) == 0;
}

void model_release_warm(const Model *m)
{
    pthread_mutex_destroy(&m->warm->mutex);
}

static void free_spare(const Mode *m)
{
    if (m && m->spare)
        free_scratch(atomic_exchange(m->spare, NULL));
}

ModelScratch *mode_take_scratch(const Mode *m)
{
    ModelScratch *s = atomic_exchange(m->spare, NULL);
    if (s)
        return s;
    s = calloc(1, sizeof *s + sizeof(double) *
                                  (2 * ((size_t)m->most_values + 1u) + m->conditions.hold_count +
                                   m->memory.discrete_count + m->memory.read_count));
    if (!s)
        return NULL;
    s->values = (double *)(void *)(s + 1);
    s->more = s->values + m->most_values;
    s->before = s->more + m->most_values;
    s->program = program_scratch(m->flow);
    if (s->program)
        return s;
    free(s);
    return NULL;
}

static void warm(const Mode *m)
{
    ModelWarm *w = m->model->warm;
    bool is_there = false;
    pthread_mutex_lock(&w->mutex);
    for (uint32_t i = 0; i < WARM_MODES; i++)
        is_there |= w->modes[i] == m;
    if (!is_there) {
        free_spare(w->modes[w->next]);
        w->modes[w->next] = m;
        w->next = (w->next + 1) % WARM_MODES;
    }
    pthread_mutex_unlock(&w->mutex);
}

void mode_give_scratch(const Mode *m, ModelScratch *s)
{
    ModelScratch *none = NULL;
    if (!atomic_compare_exchange_strong(m->spare, &none, s))
        free_scratch(s);
    if (m->parts.count > 1)
        warm(m);
}

static void cool(const Mode *m)
{
    ModelWarm *w = m->model->warm;
    pthread_mutex_lock(&w->mutex);
    for (uint32_t i = 0; i < WARM_MODES; i++)
        if (w->modes[i] == m)
            w->modes[i] = NULL;
    pthread_mutex_unlock(&w->mutex);
}

void mode_release(const Mode *m)
{
    if (m->parts.count > 1)
        cool(m);
    program_release(m->flow);
    free_spare(m);
    arena_destroy(m->analysis);
    arena_destroy(m->watch ? m->watch->arena : NULL);
    arena_destroy(m->arena);
}
