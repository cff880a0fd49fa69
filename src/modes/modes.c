// SPDX-License-Identifier: MIT
//
// The modes of a model: made when they are first met, kept, found again.
//
// A model of one part has one list of them. Otherwise each part has its modes, all in one list;
// what the engine knows are combinations of these, which are made without any analysis and found by
// hashing.

#include "modes/model_parts.h"

#include <stdlib.h>

// ---------------------------------------------------------------------------
// Lists
// ---------------------------------------------------------------------------

static bool has_choices(const Model *m, const Mode *mode, const uint32_t *choices)
{
    for (uint32_t k = 0; k < m->choice_count; k++)
        if (mode->choices[k] != GATHER_ANY && mode->choices[k] != choices[k])
            return false;
    return true;
}

static Mode *find_mode(const Model *m, uint32_t part, const uint32_t *choices)
{
    for (uint32_t i = 0; i < m->modes.count; i++) {
        Mode *mode = m->modes.items[i];
        if (mode->part == part && !mode->is_variant && !mode->slides &&
            has_choices(m, mode, choices))
            return mode;
    }
    return NULL;
}

// A new mode, which is not in the list yet.
static Mode *new_mode(Model *m, struct ModeList *list, uint32_t part, Diagnostics *diagnostics)
{
    if (list->count == list->room) {
        const uint32_t room = list->room ? 2 * list->room : 8;
        list->items = arena_grow(m->arena, list->items, list->room * sizeof *list->items,
                                 room * sizeof *list->items);
        list->room = room;
    }
    Mode *mode = ARENA_NEW(m->arena, Mode);
    *mode = (Mode){.model = m, .number = list->count, .part = part, .diagnostics = diagnostics};
    return mode;
}

static const uint32_t *copy_choices(Model *m, const uint32_t *choices)
{
    uint32_t *copy = ARENA_ARRAY(m->arena, m->choice_count, uint32_t);
    if (m->choice_count)
        memcpy(copy, choices, m->choice_count * sizeof *copy);
    return copy;
}

static Diagnostics *own_messages(Model *m, Diagnostics *diagnostics)
{
    return diagnostics ? diagnostics : diagnostics_create(m->arena, m->diagnostics->sources);
}

// ---------------------------------------------------------------------------
// Modes that are analysed
// ---------------------------------------------------------------------------

// With the mutex held. diagnostics: of a new one; NULL: its own. part: PARTS_ALL if there is one
// part only.
static Mode *provide_mode(Model *m, uint32_t part, const uint32_t *choices, bool with_start,
                          Diagnostics *diagnostics)
{
    Mode *mode = find_mode(m, part, choices);
    if (mode && (mode->is_broken || !with_start || mode->start))
        return mode;
    if (!mode) {
        mode = new_mode(m, &m->modes, part, own_messages(m, diagnostics));
        mode->choices = copy_choices(m, choices);
        mode->is_broken = !mode_make(mode, with_start);
        mode->name = part == 0 ? "common" : mode_name(m, mode->choices, NULL, 0);
        m->modes.items[m->modes.count++] = mode;
    } else if (!mode_add_start(mode)) {
        mode->is_broken = true;
    }
    return mode;
}

static bool has_states(const Mode *m, const Mode *like, const uint32_t *state_orders)
{
    if (m->is_broken || m->part != like->part || m->name != like->name)
        return false;
    const uint32_t count = m->structure->signature->variable_count;
    return memcmp(m->structure->state_orders, state_orders, count * sizeof *state_orders) == 0;
}

static Mode *provide_variant(Model *m, const Mode *like, const uint32_t *state_orders)
{
    for (uint32_t i = 0; i < m->modes.count; i++)
        if (has_states(m->modes.items[i], like, state_orders))
            return m->modes.items[i];
    Mode *mode = new_mode(m, &m->modes, like->part, own_messages(m, NULL));
    mode->choices = like->choices;
    mode->slides = like->slides;
    mode->is_variant = true;
    mode->is_broken = !mode_make_variant(mode, like, state_orders);
    mode->name = like->name;
    m->modes.items[m->modes.count++] = mode;
    return mode;
}

// Whether a relation is among those that slide, and a matter of a part.
static bool slides_in(const Model *m, uint32_t part, const bool *slides, uint32_t hold)
{
    return slides[hold] && (part == PARTS_ALL || m->assembly->parts->of_hold[hold] == part);
}

static bool has_slides(const Model *m, const Mode *mode, const Mode *like, const bool *slides)
{
    if (mode->part != like->part || mode->is_variant ||
        (m->choice_count &&
         memcmp(mode->choices, like->choices, m->choice_count * sizeof *like->choices) != 0))
        return false;
    for (uint32_t h = 0; h < m->held_count; h++)
        if ((mode->slides && mode->slides[h]) != slides_in(m, like->part, slides, h))
            return false;
    return true;
}

// The mode of a part.
static Mode *provide_sliding(Model *m, const Mode *like, const bool *slides)
{
    for (uint32_t i = 0; i < m->modes.count; i++)
        if (has_slides(m, m->modes.items[i], like, slides))
            return m->modes.items[i];
    Mode *mode = new_mode(m, &m->modes, like->part, own_messages(m, NULL));
    bool *own = ARENA_ARRAY(m->arena, m->held_count, bool);
    for (uint32_t h = 0; h < m->held_count; h++)
        own[h] = slides_in(m, like->part, slides, h);
    mode->choices = like->choices;
    mode->slides = own;
    mode->is_broken = !mode_make(mode, false);
    mode->name = mode_name(m, mode->choices, mode->surfaces, mode->surface_count);
    m->modes.items[m->modes.count++] = mode;
    return mode;
}

// ---------------------------------------------------------------------------
// Combinations
// ---------------------------------------------------------------------------

static uint32_t hash_of(const Mode *const *parts, uint32_t count)
{
    uint64_t hash = 0xcbf29ce484222325u; // FNV-1a over the numbers
    for (uint32_t k = 0; k < count; k++)
        hash = (hash ^ parts[k]->number) * 0x100000001b3u;
    return (uint32_t)(hash ^ hash >> 32);
}

// The place in the table of the combination, or the one where it would be put.
static uint32_t *place_of(const Model *m, const Mode *const *parts, uint32_t count)
{
    const uint32_t mask = m->table_room - 1;
    uint32_t place = hash_of(parts, count) & mask;
    while (m->joined_table[place] != 0 && memcmp(m->joined.items[m->joined_table[place] - 1]->parts,
                                                 parts, count * sizeof(Mode *)) != 0)
        place = (place + 1) & mask;
    return &m->joined_table[place];
}

// At most half full.
static void grow_table(Model *m)
{
    if (2 * (m->joined.count + 1) <= m->table_room)
        return;
    const uint32_t room = m->table_room ? 2 * m->table_room : 64;
    m->joined_table = ARENA_ARRAY(m->arena, room, uint32_t);
    m->table_room = room;
    for (uint32_t i = 0; i < m->joined.count; i++) {
        const Mode *mode = m->joined.items[i];
        *place_of(m, mode->parts, mode->part_count) = i + 1;
    }
}

static Mode *provide_joined(Model *m, const Mode *const *parts, Diagnostics *diagnostics)
{
    const uint32_t count = m->assembly->parts->count;
    grow_table(m);
    uint32_t *place = place_of(m, parts, count);
    if (*place != 0)
        return m->joined.items[*place - 1];
    Mode *mode = new_mode(m, &m->joined, PARTS_ALL, diagnostics);
    const Mode **copy = ARENA_ARRAY(m->arena, count, const Mode *);
    memcpy(copy, parts, count * sizeof *copy);
    mode->parts = copy;
    mode->part_count = count;
    mode_join(mode);
    m->joined.items[m->joined.count++] = mode;
    *place = m->joined.count;
    return mode;
}

static Mode *combine(Model *m, const uint32_t *choices, bool with_start, Diagnostics *diagnostics)
{
    const uint32_t count = m->assembly->parts->count;
    for (uint32_t k = 0; k < count; k++)
        m->part_modes[k] = provide_mode(m, k, choices, false, diagnostics);
    Mode *mode = provide_joined(m, m->part_modes, diagnostics);
    if (!with_start || mode->is_broken || mode->start)
        return mode;
    mode->diagnostics = own_messages(m, diagnostics);
    mode->is_broken = !mode_add_start(mode);
    return mode;
}

const Mode *modes_first(Model *m, const uint32_t *choices, Diagnostics *diagnostics)
{
    const uint32_t count = m->assembly->parts->count;
    m->part_modes = ARENA_ARRAY(m->arena, count, const Mode *);
    return count > 1 ? combine(m, choices, true, diagnostics)
                     : provide_mode(m, PARTS_ALL, choices, true, diagnostics);
}

// ---------------------------------------------------------------------------
// For runs
// ---------------------------------------------------------------------------

// What is asked for under the mutex, where memory may run out.
typedef struct Wish {
    const Mode *like; // the variant of it
    const uint32_t *state_orders;
    const Mode *base; // or the one like this in which these slide
    const bool *slides;
    const Mode *const *parts; // or the mode that consists of these
    const uint32_t *choices;  // or the mode of these choices
    uint32_t part;            // of this part
    bool with_start;
} Wish;

static Mode *combine_sliding(Model *m, const Mode *base, const bool *slides)
{
    if (base->part_count == 1)
        return provide_sliding(m, base, slides);
    for (uint32_t k = 0; k < base->part_count; k++)
        m->part_modes[k] = provide_sliding(m, base->parts[k], slides);
    return provide_joined(m, m->part_modes, NULL);
}

static Mode *grant(Model *m, const Wish *w)
{
    if (w->base)
        return combine_sliding(m, w->base, w->slides);
    if (w->like)
        return provide_variant(m, w->like, w->state_orders);
    if (w->parts)
        return provide_joined(m, w->parts, NULL);
    return w->part == PARTS_ALL && m->assembly->parts->count > 1
               ? combine(m, w->choices, w->with_start, NULL)
               : provide_mode(m, w->part, w->choices, w->with_start, NULL);
}

static const Mode *ask(const Model *model, const Wish *wish)
{
    Model *m = (Model *)(uintptr_t)model;
    jmp_buf exhaustion;
    Mode *volatile mode = NULL;
    pthread_mutex_lock(&m->mutex);
    jmp_buf *before = arena_on_exhaustion(m->arena, &exhaustion);
    if (setjmp(exhaustion) == 0)
        mode = grant(m, wish);
    else
        mode = NULL;
    arena_on_exhaustion(m->arena, before);
    pthread_mutex_unlock(&m->mutex);
    return mode;
}

const Mode *model_mode(const Model *model, const uint32_t *choices, bool with_start)
{
    return ask(model, &(Wish){.choices = choices, .with_start = with_start, .part = PARTS_ALL});
}

const Mode *model_variant(const Mode *like, const uint32_t *state_orders)
{
    return ask(like->model, &(Wish){.like = like, .state_orders = state_orders});
}

const Mode *model_sliding(const Mode *mode, const bool *slides)
{
    return ask(mode->model, &(Wish){.base = mode, .slides = slides});
}

const Mode *model_join(const Model *model, const Mode *const *parts)
{
    return model->assembly->parts->count > 1 ? ask(model, &(Wish){.parts = parts}) : parts[0];
}

static const Mode *item_of(const Model *model, const struct ModeList *list, uint32_t number)
{
    Model *m = (Model *)(uintptr_t)model;
    pthread_mutex_lock(&m->mutex);
    const Mode *mode = number < list->count ? list->items[number] : NULL;
    pthread_mutex_unlock(&m->mutex);
    return mode;
}

const Mode *model_mode_of(const Model *m, uint32_t number)
{
    return item_of(m, m->assembly->parts->count > 1 ? &m->joined : &m->modes, number);
}

const Mode *model_analysed(const Model *m, uint32_t number)
{
    return item_of(m, &m->modes, number);
}

void modes_release(Model *m)
{
    for (uint32_t i = 0; i < m->joined.count; i++)
        mode_release(m->joined.items[i]);
    for (uint32_t i = 0; i < m->modes.count; i++)
        mode_release(m->modes.items[i]);
}

void modes_forget(Model *m)
{
    modes_release(m);
    m->modes = m->joined = (struct ModeList){0};
    m->joined_table = NULL;
    m->table_room = 0;
}

// ---------------------------------------------------------------------------
// Questions about modes
// ---------------------------------------------------------------------------

static uint32_t count_of(const Model *model, const struct ModeList *list)
{
    Model *m = (Model *)(uintptr_t)model;
    pthread_mutex_lock(&m->mutex);
    const uint32_t count = list->count;
    pthread_mutex_unlock(&m->mutex);
    return count;
}

uint32_t model_mode_count(const Model *m)
{
    return count_of(m, &m->modes);
}

uint32_t model_part_count(const Model *m)
{
    return m->assembly->parts->count;
}

uint32_t model_combination_count(const Model *m)
{
    return count_of(m, m->assembly->parts->count > 1 ? &m->joined : &m->modes);
}

ModelMode model_mode_info(const Model *model, uint32_t number)
{
    const Mode *m = model_analysed(model, number);
    return (ModelMode){.name = m->name,
                       .part = m->part == PARTS_ALL ? 0 : m->part,
                       .structure = m->structure,
                       .messages = m->diagnostics,
                       .is_broken = m->is_broken,
                       .slides = m->slides != NULL,
                       .seconds = m->seconds};
}

uint32_t model_branch_count(const Model *m, uint32_t choice)
{
    const FlatModel *flat = m->flat;
    if (choice < flat->machine_count)
        return flat->machines[choice]->state_count;
    const FlatIf *c = flat->conditionals[choice - flat->machine_count];
    return c->count + (c->conditions[c->count - 1] ? 1 : 0);
}

// Whether a machine can go from one state to another.
static bool is_possible(const Model *m, uint32_t choice, uint32_t from, uint32_t to)
{
    if (choice >= m->flat->machine_count)
        return true;
    const FlatMachine *machine = m->flat->machines[choice];
    for (uint32_t i = 0; i < machine->transition_count; i++)
        if (machine->transitions[i].from->index == from && machine->transitions[i].to->index == to)
            return true;
    return false;
}

// What no choice was made about: the first branch, the initial state.
static void complete(const Model *m, const uint32_t *from, uint32_t *to)
{
    for (uint32_t i = 0; i < m->choice_count; i++)
        to[i] = from[i] == GATHER_ANY ? 0 : from[i];
}

void model_explore(const Model *m, uint32_t most)
{
    uint32_t *choices = calloc(m->choice_count + 1u, sizeof *choices);
    for (uint32_t n = 0; choices && n < model_mode_count(m); n++) {
        const Mode *mode = model_analysed(m, n);
        for (uint32_t i = 0; i < m->choice_count; i++)
            for (uint32_t b = 0; b < model_branch_count(m, i) && model_mode_count(m) < most; b++) {
                const uint32_t own = mode->choices[i];
                if (own == GATHER_ANY || own == b || !is_possible(m, i, own, b))
                    continue;
                complete(m, mode->choices, choices);
                choices[i] = b;
                ask(m, &(Wish){.choices = choices, .part = mode->part});
            }
    }
    free(choices);
}

// Whether it has an event function of its own that may slide.
static bool begins_surface(const Model *m, const ModelHold *hold)
{
    return hold->kind == HOLD_CROSSING && !hold->is_muted && hold->surface == hold->number &&
           m->assembly->slides[hold->number].variable != DAG_NONE;
}

void model_explore_sliding(const Model *m, uint32_t most)
{
    bool *slides = calloc(m->held_count + 1u, sizeof *slides);
    const uint32_t count = model_mode_count(m);
    for (uint32_t n = 0; slides && n < count; n++) {
        const Mode *mode = model_analysed(m, n);
        if (mode->is_broken || mode->is_variant || mode->slides)
            continue;
        for (uint32_t i = 0; i < mode->hold_count && model_mode_count(m) < most; i++) {
            if (!begins_surface(m, &mode->holds[i]))
                continue;
            for (uint32_t k = 0; k < mode->hold_count; k++)
                slides[mode->holds[k].number] = mode->holds[k].surface == mode->holds[i].number;
            ask(m, &(Wish){.base = mode, .slides = slides});
        }
        memset(slides, 0, m->held_count * sizeof *slides);
    }
    free(slides);
}

bool model_mode_follows(const Model *m, uint32_t from, uint32_t to)
{
    const Mode *a = model_analysed(m, from), *b = model_analysed(m, to);
    uint32_t different = 0;
    if (a->part != b->part)
        return false;
    for (uint32_t i = 0; i < m->choice_count; i++) {
        const uint32_t x = a->choices[i], y = b->choices[i];
        if (x == GATHER_ANY || y == GATHER_ANY || x == y)
            continue;
        if (!is_possible(m, i, x, y))
            return false;
        different++;
    }
    return different == 1;
}
