// SPDX-License-Identifier: MIT
//
// Where modes are made: an arena that takes all of the analysis, nearly all of which goes with it
// when the mode is there, and the graph, which is then as it was before (dag_fork). So what a mode
// costs is what is kept of it, and modes do not depend on those that were made before.
//
// If memory runs out, the jump goes to where the model's own arena sends it.

#include "modes/mode_maker.h"

typedef struct Workshop {
    Arena *arena;     // NULL: closed
    Dag before;       // the graph when it was opened
    Arena **retained; // arenas that hold parts of the graph
    uint32_t retained_count, retained_room;
} Workshop;

void model_provide_workshop(Model *m)
{
    m->workshop = ARENA_NEW(m->arena, Workshop);
}

void model_release_workshop(const Model *m)
{
    workshop_abandon(m);
    Workshop *w = m->workshop;
    while (w->retained_count)
        arena_destroy(w->retained[--w->retained_count]);
}

void workshop_open(const Model *m)
{
    Workshop *w = m->workshop;
    w->arena = arena_create(&m->arena->allocator);
    if (!w->arena) {
        arena_exhausted(m->arena);
        return;
    }
    arena_set_maximum(w->arena, m->arena->maximum);
    arena_on_exhaustion(w->arena, m->arena->exhaustion);
    memo_give_back(m->assembly->dag); // the fork has memos of its own
    dag_fork(m->assembly->dag, w->arena, &w->before);
}

Arena *workshop_close(const Model *m, bool keep)
{
    Workshop *w = m->workshop;
    Arena *arena = w->arena;
    ARENA_ROOM(m->arena, w->retained, w->retained_count,
               w->retained_room); // nothing below can fail
    const bool is_free = dag_rewind(m->assembly->dag, &w->before);
    arena_on_exhaustion(arena, NULL);
    w->arena = NULL;
    if (is_free && keep)
        return arena;
    if (is_free)
        arena_destroy(arena);
    else
        w->retained[w->retained_count++] = arena;
    return NULL;
}

void workshop_abandon(const Model *m)
{
    Workshop *w = m->workshop;
    if (!w->arena)
        return;
    dag_restore(m->assembly->dag, &w->before);
    arena_destroy(w->arena);
    w->arena = NULL;
}
