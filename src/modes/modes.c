// SPDX-License-Identifier: MIT
//
// The modes of a model: made when they are met, found again, forgotten when they were not met for
// long, and made again.
//
// A model of one part has one list of them. Otherwise each part has its modes, all in one list;
// what the engine knows are combinations of these, which are made without any analysis and found by
// hashing. Of a mode that was forgotten its number remains, with what it takes to make it again.
//
// What always holds: a mode stays while the engine or another mode uses it, and until the end of
// every instant that had begun when it was given out.

#include "modes/model_parts.h"

#include <assert.h>
#include <stdlib.h>

// Modes that nobody uses are forgotten, those first that were not met for the longest time, while
// there are more than so many of them and they take more than so many bytes.
enum { MOST_MODES = 16, MOST_BYTES = 64 << 20 };

// What stays of a mode.
typedef struct ModeRecord {
    Mode *mode;                   // NULL: forgotten
    PartNumber part;              // see Mode
    const uint32_t *key;          // its choices; of a combination: the numbers of the parts' modes
    const uint32_t *state_orders; // of a variant: its states; NULL: it is none
    uint32_t order_count;
    uint32_t like;            // of a variant: the number of the mode that was there before
    const bool *slides;       // see Mode
    const char *sliding_name; // of a mode in which something slides; NULL: the choices say it
    bool is_broken;
    bool is_decided; // what of the choices is structural, see Mode
    bool was_used;   // a run has been in it
    double seconds;  // that it took to make it, all times together
} ModeRecord;

// Modes in the order in which they were first made.
typedef struct ModeList {
    ModeRecord *records;
    uint32_t count, room;
    uint32_t key_count;
    uint32_t *table;       // by a hash of part and key: 1 + a number, or 0; plain modes only
    uint32_t table_room;   // a power of two, or 0
    Mode *newest, *oldest; // those that are there, in the order in which they were last met
} ModeList;

struct ModeCache {
    pthread_mutex_t mutex;
    ModeList analysed, joined; // what the engine knows is the latter if there are several parts
    const Mode **part_modes;   // to work in, one per part
    uint32_t *part_numbers;    // likewise
    Mode *unfinished;          // the mode that is being made; NULL: none
    uint32_t present;          // modes that are there
    size_t bytes;              // that they take
    uint32_t most_modes;
    size_t most_bytes;
    pthread_mutex_t instants_mutex;
    ModelInstant *instants; // in progress
    uint64_t clock;         // counts them
    bool was_compiled;      // a mode that was forgotten
    // What the equations of a mode have left open: the first note that was found; NULL: none.
    char *note;
    double note_time;
};

bool modes_create(Model *m)
{
    ModeCache *c = ARENA_NEW(m->arena, ModeCache);
    c->most_modes = MOST_MODES;
    c->most_bytes = MOST_BYTES;
    m->modes = c;
    return pthread_mutex_init(&c->mutex, NULL) == 0 &&
           pthread_mutex_init(&c->instants_mutex, NULL) == 0;
}

pthread_mutex_t *modes_mutex(const Model *m)
{
    return &m->modes->mutex;
}

static bool has_parts(const Model *m)
{
    return m->assembly->parts->count > 1;
}

// What the engine knows.
static ModeList *known_list(const Model *m)
{
    return has_parts(m) ? &m->modes->joined : &m->modes->analysed;
}

static ModeList *list_of(const Model *m, const Mode *mode)
{
    return mode->parts.number == PARTS_ALL && has_parts(m) ? &m->modes->joined
                                                           : &m->modes->analysed;
}

// ---------------------------------------------------------------------------
// Instants
// ---------------------------------------------------------------------------

void model_begin_instant(const Model *m, ModelInstant *instant)
{
    ModeCache *c = m->modes;
    pthread_mutex_lock(&c->instants_mutex);
    *instant = (ModelInstant){.began = ++c->clock, .next = c->instants};
    c->instants = instant;
    pthread_mutex_unlock(&c->instants_mutex);
}

void model_end_instant(const Model *m, ModelInstant *instant)
{
    ModeCache *c = m->modes;
    pthread_mutex_lock(&c->instants_mutex);
    ModelInstant **link = &c->instants;
    while (*link != instant)
        link = &(*link)->next;
    *link = instant->next;
    pthread_mutex_unlock(&c->instants_mutex);
}

static uint64_t modes_now(ModeCache *c)
{
    pthread_mutex_lock(&c->instants_mutex);
    const uint64_t clock = c->clock;
    pthread_mutex_unlock(&c->instants_mutex);
    return clock;
}

// What was given out before is not known to any instant in progress.
static uint64_t oldest_instant(ModeCache *c)
{
    pthread_mutex_lock(&c->instants_mutex);
    uint64_t oldest = c->clock + 1;
    for (const ModelInstant *i = c->instants; i; i = i->next)
        oldest = i->began < oldest ? i->began : oldest;
    pthread_mutex_unlock(&c->instants_mutex);
    return oldest;
}

// ---------------------------------------------------------------------------
// Lists
// ---------------------------------------------------------------------------

static uint32_t modes_hash_of(PartNumber part, const uint32_t *key, uint32_t count)
{
    uint64_t hash = 0xcbf29ce484222325u ^ part; // FNV-1a
    for (uint32_t k = 0; k < count; k++)
        hash = (hash ^ key[k]) * 0x100000001b3u;
    return (uint32_t)(hash ^ hash >> 32);
}

// The place in the table of a key, or the one where it would be put.
static uint32_t *modes_place_of(const ModeList *l, PartNumber part, const uint32_t *key)
{
    const uint32_t mask = l->table_room - 1;
    uint32_t place = modes_hash_of(part, key, l->key_count) & mask;
    for (; l->table[place] != 0; place = (place + 1) & mask) {
        const ModeRecord *r = &l->records[l->table[place] - 1];
        if (r->part == part &&
            (l->key_count == 0 || memcmp(r->key, key, l->key_count * sizeof *key) == 0))
            break;
    }
    return &l->table[place];
}

// At most half full.
static void modes_grow_table(const Model *m, ModeList *l)
{
    if (2 * (l->count + 1) <= l->table_room)
        return;
    const uint32_t room = l->table_room ? 2 * l->table_room : 64;
    l->table = ARENA_ARRAY(m->arena, room, uint32_t);
    l->table_room = room;
    for (uint32_t i = 0; i < l->count; i++)
        if (!l->records[i].state_orders && !l->records[i].slides)
            *modes_place_of(l, l->records[i].part, l->records[i].key) = i + 1;
}

static const uint32_t *modes_copy_numbers(Arena *arena, const uint32_t *from, uint32_t count)
{
    uint32_t *copy = ARENA_ARRAY(arena, count, uint32_t);
    if (count)
        memcpy(copy, from, count * sizeof *copy);
    return copy;
}

// The number of a new record.
static ModeNumber add_record(const Model *m, ModeList *l, PartNumber part, const uint32_t *key)
{
    ARENA_ROOM(m->arena, l->records, l->count, l->room);
    l->records[l->count] =
        (ModeRecord){.part = part, .key = modes_copy_numbers(m->arena, key, l->key_count)};
    return l->count++;
}

// The number of the mode of a key, which has one from now on.
static ModeNumber modes_number_of(const Model *m, ModeList *l, PartNumber part, const uint32_t *key)
{
    modes_grow_table(m, l);
    const uint32_t known = *modes_place_of(l, part, key);
    if (known)
        return known - 1;
    const uint32_t number = add_record(m, l, part, key);
    *modes_place_of(l, part, key) = number + 1;
    return number;
}

static void modes_link_newest(ModeList *l, Mode *mode)
{
    mode->use.newer = NULL;
    mode->use.older = l->newest;
    *(l->newest ? &l->newest->use.newer : &l->oldest) = mode;
    l->newest = mode;
}

static void unlink_mode(ModeList *l, Mode *mode)
{
    *(mode->use.newer ? &mode->use.newer->use.older : &l->newest) = mode->use.older;
    *(mode->use.older ? &mode->use.older->use.newer : &l->oldest) = mode->use.newer;
}

static size_t modes_size_of(const Mode *mode)
{
    return mode->arena->taken + (mode->analysis ? mode->analysis->taken : 0) +
           (mode->watch && mode->watch->arena ? mode->watch->arena->taken : 0);
}

// ---------------------------------------------------------------------------
// Forgetting
// ---------------------------------------------------------------------------

// A mode is handed out as const; its place in the cache, and who uses it, are the cache's own.
static Mode *cached(const Mode *mode)
{
    Mode *own = list_of(mode->model, mode)->records[mode->number].mode;
    assert(own == mode);
    return own;
}

static void use_others(const Mode *mode, int by)
{
    for (uint32_t k = 0; k < mode->parts.count && mode->parts.count > 1; k++)
        cached(mode->parts.modes[k])->use.count += by;
    if (mode->like)
        cached(mode->like)->use.count += by;
}

static bool mode_is_compiled(const Mode *mode)
{
    return !mode->is_broken && mode->flow && !mode->flow->joined.parts &&
           atomic_load(&mode->flow->code->functions) != NULL;
}

// What the equations of a program have left open stays known when its mode goes.
static void remember_note(ModeCache *c, const Program *p)
{
    if (!c->note && p)
        program_note(p, &c->note, &c->note_time);
}

// Of a part its equations, of the whole its start. (Of a broken mode nothing may be there.)
static void remember_notes(const Model *m, const Mode *mode)
{
    const bool is_joined = list_of(m, mode) == &m->modes->joined;
    if (!mode->is_broken)
        remember_note(m->modes, is_joined ? mode->start.program : mode->flow);
}

static void modes_forget_one(const Model *m, Mode *mode)
{
    ModeCache *c = m->modes;
    ModeList *l = list_of(m, mode);
    unlink_mode(l, mode);
    l->records[mode->number].mode = NULL;
    c->present--;
    c->bytes -= mode->use.bytes;
    c->was_compiled |= mode_is_compiled(mode);
    remember_notes(m, mode);
    use_others(mode, -1);
    mode_release(mode);
}

// The oldest one of a list that nobody uses.
static Mode *oldest_unused(const ModeList *l, uint64_t instant)
{
    Mode *mode = l->oldest;
    while (mode && (mode->use.count > 0 || mode->use.stays || mode->use.given_out >= instant))
        mode = mode->use.newer;
    return mode;
}

// Combinations first: they use others, and are made again without analysis.
static void forget_some(const Model *m)
{
    ModeCache *c = m->modes;
    const uint64_t instant = oldest_instant(c);
    Mode *mode;
    while (c->present > c->most_modes && c->bytes > c->most_bytes &&
           ((mode = oldest_unused(&c->joined, instant)) ||
            (mode = oldest_unused(&c->analysed, instant))))
        modes_forget_one(m, mode);
}

void model_limit_modes(const Model *m, uint32_t most_modes, size_t most_bytes)
{
    m->modes->most_modes = most_modes;
    m->modes->most_bytes = most_bytes;
}

// As many of the size of the first one as there may be, within reason.
int model_most_modes(const Model *m)
{
    enum { MOST = 256 };
    const ModeCache *c = m->modes;
    size_t most = c->most_bytes / known_list(m)->records[0].mode->use.bytes;
    most = most < c->most_modes ? c->most_modes : most;
    return most < 1 ? 1 : most > MOST ? MOST : (int)most;
}

// ---------------------------------------------------------------------------
// Making
// ---------------------------------------------------------------------------

static Mode *new_mode(const Model *m, PartNumber part, Diagnostics *diagnostics)
{
    Arena *arena = arena_create(&m->arena->allocator);
    Mode *mode = arena ? ARENA_NEW(arena, Mode) : NULL;
    if (!mode) {
        arena_destroy(arena);
        return arena_exhausted(m->arena);
    }
    *mode = (Mode){.model = m, .arena = arena, .parts.number = part};
    m->modes->unfinished = mode; // it is released if memory runs out from here on
    arena_set_maximum(arena, m->arena->maximum);
    arena_on_exhaustion(arena, m->arena->exhaustion);
    mode->diagnostics =
        diagnostics ? diagnostics : diagnostics_create(arena, m->diagnostics->sources);
    return mode;
}

// The mode is there from now on.
static Mode *add_mode(const Model *m, Mode *mode, ModeNumber number)
{
    ModeCache *c = m->modes;
    ModeList *l = list_of(m, mode);
    ModeRecord *r = &l->records[number];
    mode->number = number;
    mode->use.bytes = modes_size_of(mode);
    mode->use.given_out = modes_now(c);
    mode->use.stays = number == 0; // the first one answers questions about the model
    r->mode = mode;
    r->is_broken = mode->is_broken;
    r->is_decided = mode->switches.are_decided;
    r->seconds += mode->seconds;
    c->unfinished = NULL;
    c->present++;
    c->bytes += mode->use.bytes;
    arena_on_exhaustion(mode->arena, NULL);
    modes_link_newest(l, mode);
    use_others(mode, 1);
    mode->use.count++;
    forget_some(m);
    mode->use.count--;
    return mode;
}

static Mode *give_out(const Model *m, Mode *mode)
{
    ModeList *l = list_of(m, mode);
    mode->use.given_out = modes_now(m->modes);
    if (l->newest != mode) {
        unlink_mode(l, mode);
        modes_link_newest(l, mode);
    }
    return mode;
}

// After it has changed.
static void weigh(const Model *m, Mode *mode)
{
    m->modes->bytes += modes_size_of(mode) - mode->use.bytes;
    mode->use.bytes = modes_size_of(mode);
}

static void abandon(const Model *m)
{
    ModeCache *c = m->modes;
    if (c->unfinished)
        mode_release(c->unfinished);
    c->unfinished = NULL;
    workshop_abandon(m);
}

static Mode *provide_number(const Model *m, ModeList *l, ModeNumber number);

// ---------------------------------------------------------------------------
// Modes that are analysed
// ---------------------------------------------------------------------------

static bool has_choices(const Model *m, const Mode *mode, const Choice *choices)
{
    for (uint32_t k = 0; k < m->sizes.choices; k++)
        if (mode->switches.choices[k] != GATHER_ANY && mode->switches.choices[k] != choices[k])
            return false;
    return true;
}

static Mode *modes_find_mode(const Model *m, PartNumber part, const Choice *choices)
{
    for (Mode *mode = m->modes->analysed.newest; mode; mode = mode->use.older)
        if (mode->parts.number == part && !mode->like && !mode->switches.slides &&
            has_choices(m, mode, choices))
            return mode;
    return NULL;
}

// are_decided: see Mode.
static Mode *make_mode(const Model *m, PartNumber part, const uint32_t *choices, bool are_decided,
                       bool with_start, Diagnostics *diagnostics)
{
    Mode *mode = new_mode(m, part, diagnostics);
    mode->switches.choices = modes_copy_numbers(mode->arena, choices, m->sizes.choices);
    mode->switches.are_decided = are_decided;
    mode->is_broken = !mode_make(mode, with_start);
    mode->name = part == 0 ? "common" : mode_name(m, mode->arena, mode->switches.choices, NULL, 0);
    return add_mode(m, mode, modes_number_of(m, &m->modes->analysed, part, mode->switches.choices));
}

// With the mutex held. diagnostics: of a new one; NULL: its own. part: PARTS_ALL if there is one
// part only.
static Mode *provide_mode(const Model *m, PartNumber part, const uint32_t *choices, bool with_start,
                          Diagnostics *diagnostics)
{
    Mode *mode = modes_find_mode(m, part, choices);
    if (!mode)
        return make_mode(m, part, choices, false, with_start, diagnostics);
    if (with_start && !mode->is_broken && !mode->start.program) {
        mode->is_broken = !mode_add_start(mode);
        weigh(m, mode);
    }
    return give_out(m, mode);
}

static Mode *make_variant(const Model *m, const Mode *like, ModeNumber number)
{
    const ModeRecord *r = &m->modes->analysed.records[number];
    Mode *mode = new_mode(m, like->parts.number, NULL);
    mode->switches.choices =
        modes_copy_numbers(mode->arena, like->switches.choices, m->sizes.choices);
    mode->switches.are_decided = true;
    mode->switches.slides = r->slides;
    mode->like = like;
    mode->is_broken = !mode_make_variant(mode, like, r->state_orders);
    mode->name = arena_copy_text(mode->arena, like->name, strlen(like->name));
    return add_mode(m, mode, number);
}

static bool has_states(const uint32_t *a, const uint32_t *b, uint32_t count)
{
    return memcmp(a, b, count * sizeof *a) == 0;
}

static Mode *provide_variant(const Model *m, const Mode *of, const uint32_t *state_orders)
{
    ModeList *l = &m->modes->analysed;
    const Mode *like = of->like ? of->like : of;
    const uint32_t count = like->structure->signature->variable_count;
    if (has_states(like->structure->state_orders, state_orders, count))
        return give_out(m, l->records[like->number].mode);
    for (uint32_t i = 0; i < l->count; i++) {
        const ModeRecord *r = &l->records[i];
        if (r->state_orders && r->like == like->number && !r->is_broken &&
            has_states(r->state_orders, state_orders, count))
            return provide_number(m, l, i);
    }
    const uint32_t number = add_record(m, l, like->parts.number, like->switches.choices);
    l->records[number].like = like->number;
    l->records[number].slides = l->records[like->number].slides;
    l->records[number].sliding_name = l->records[like->number].sliding_name;
    l->records[number].order_count = count;
    l->records[number].state_orders = modes_copy_numbers(m->arena, state_orders, count);
    return make_variant(m, like, number);
}

// Whether a relation is among those that slide, and a matter of a part.
static bool slides_in(const Model *m, PartNumber part, const bool *slides, HoldNumber hold)
{
    return slides[hold] && (part == PARTS_ALL || m->assembly->parts->of_hold[hold] == part);
}

static bool has_slides(const Model *m, const ModeRecord *r, const Mode *like, const bool *slides)
{
    if (r->part != like->parts.number || r->state_orders ||
        (m->sizes.choices && memcmp(r->key, like->switches.choices,
                                    m->sizes.choices * sizeof *like->switches.choices) != 0))
        return false;
    for (uint32_t h = 0; h < m->sizes.held; h++)
        if ((r->slides && r->slides[h]) != slides_in(m, like->parts.number, slides, h))
            return false;
    return true;
}

// A sliding mode as its record says.
static Mode *make_sliding(const Model *m, ModeNumber number)
{
    const ModeRecord r = m->modes->analysed.records[number];
    Mode *mode = new_mode(m, r.part, NULL);
    mode->switches.choices = modes_copy_numbers(mode->arena, r.key, m->sizes.choices);
    mode->switches.are_decided = true;
    mode->switches.slides = r.slides;
    mode->is_broken = !mode_make(mode, false);
    mode->name = mode_name(m, mode->arena, mode->switches.choices, mode->switches.surfaces,
                           mode->switches.surface_count);
    if (!r.sliding_name)
        m->modes->analysed.records[number].sliding_name =
            arena_copy_text(m->arena, mode->name, strlen(mode->name));
    return add_mode(m, mode, number);
}

// The mode of a part.
static Mode *provide_sliding(const Model *m, const Mode *like, const bool *slides)
{
    ModeList *l = &m->modes->analysed;
    for (uint32_t i = 0; i < l->count; i++)
        if (has_slides(m, &l->records[i], like, slides))
            return provide_number(m, l, i);
    bool *own = ARENA_ARRAY(m->arena, m->sizes.held, bool);
    for (uint32_t h = 0; h < m->sizes.held; h++)
        own[h] = slides_in(m, like->parts.number, slides, h);
    const uint32_t number = add_record(m, l, like->parts.number, like->switches.choices);
    l->records[number].slides = own;
    return make_sliding(m, number);
}

// ---------------------------------------------------------------------------
// Combinations
// ---------------------------------------------------------------------------

static Mode *make_joined(const Model *m, const Mode *const *parts, ModeNumber number,
                         Diagnostics *diagnostics)
{
    const uint32_t count = m->assembly->parts->count;
    Mode *mode = new_mode(m, PARTS_ALL, diagnostics);
    const Mode **copy = ARENA_ARRAY(mode->arena, count, const Mode *);
    memcpy(copy, parts, count * sizeof *copy);
    mode->parts.modes = copy;
    mode->parts.count = count;
    mode_join(mode);
    return add_mode(m, mode, number);
}

static Mode *provide_joined(const Model *m, const Mode *const *parts, Diagnostics *diagnostics)
{
    ModeList *l = &m->modes->joined;
    uint32_t *key = m->modes->part_numbers;
    for (uint32_t k = 0; k < l->key_count; k++)
        key[k] = parts[k]->number;
    const uint32_t number = modes_number_of(m, l, PARTS_ALL, key);
    Mode *mode = l->records[number].mode;
    return mode ? give_out(m, mode) : make_joined(m, parts, number, diagnostics);
}

static Mode *combine(const Model *m, const uint32_t *choices, bool with_start,
                     Diagnostics *diagnostics)
{
    ModeCache *c = m->modes;
    const uint32_t count = m->assembly->parts->count;
    for (uint32_t k = 0; k < count; k++) {
        Mode *part = provide_mode(m, k, choices, false, diagnostics);
        part->use.count++; // while the others are made
        c->part_modes[k] = part;
    }
    Mode *mode = provide_joined(m, c->part_modes, diagnostics);
    for (uint32_t k = 0; k < count; k++)
        cached(c->part_modes[k])->use.count--;
    if (!with_start || mode->is_broken || mode->start.program)
        return mode;
    mode->diagnostics =
        diagnostics ? diagnostics : diagnostics_create(mode->arena, m->diagnostics->sources);
    mode->is_broken = !mode_add_start(mode);
    weigh(m, mode);
    return mode;
}

const Mode *modes_first(const Model *m, const uint32_t *choices, Diagnostics *diagnostics)
{
    ModeCache *c = m->modes;
    const uint32_t count = m->assembly->parts->count;
    c->part_modes = ARENA_ARRAY(m->arena, count, const Mode *);
    c->part_numbers = ARENA_ARRAY(m->arena, count, uint32_t);
    c->analysed.key_count = m->sizes.choices;
    c->joined.key_count = count;
    return has_parts(m) ? combine(m, choices, true, diagnostics)
                        : provide_mode(m, PARTS_ALL, choices, true, diagnostics);
}

// What no choice was made about: the first branch, the initial state.
static void complete(const Model *m, const uint32_t *from, uint32_t *to)
{
    for (uint32_t i = 0; i < m->sizes.choices; i++)
        to[i] = from[i] == GATHER_ANY ? 0 : from[i];
}

// A mode that was forgotten is made again as it was made first.
static Mode *provide_number(const Model *m, ModeList *l, ModeNumber number)
{
    const ModeRecord r = l->records[number];
    if (r.mode)
        return give_out(m, r.mode);
    if (r.state_orders)
        return make_variant(m, provide_number(m, l, r.like), number);
    if (r.slides)
        return make_sliding(m, number);
    ModeCache *c = m->modes;
    if (l == &c->analysed)
        return make_mode(m, r.part, r.key, r.is_decided, false, NULL);
    for (uint32_t k = 0; k < l->key_count; k++) {
        Mode *part = provide_number(m, &c->analysed, r.key[k]);
        part->use.count++;
        c->part_modes[k] = part;
    }
    Mode *mode = make_joined(m, c->part_modes, number, NULL);
    for (uint32_t k = 0; k < l->key_count; k++)
        cached(mode->parts.modes[k])->use.count--;
    return mode;
}

// ---------------------------------------------------------------------------
// For runs
// ---------------------------------------------------------------------------

// What is asked for under the mutex, where memory may run out.
typedef struct ModeRequest {
    const Mode *like; // the variant of it
    const uint32_t *state_orders;
    const Mode *base; // or the one like this in which these slide
    const bool *slides;
    const Mode *const *parts; // or the mode that consists of these
    const Choice *choices;    // or the mode of these choices
    PartNumber part;          // of this part
    bool with_start;
    ModeList *list; // or the one of this number of the list
    uint32_t number;
    bool is_used, stays, has_structure, is_watched; // what is to be done with it then
} ModeRequest;

static Mode *combine_sliding(const Model *m, const Mode *base, const bool *slides)
{
    if (base->parts.count == 1)
        return provide_sliding(m, base, slides);
    const Mode **parts = m->modes->part_modes;
    for (uint32_t k = 0; k < base->parts.count; k++) {
        Mode *part = provide_sliding(m, base->parts.modes[k], slides);
        part->use.count++; // while the others are made
        parts[k] = part;
    }
    Mode *mode = provide_joined(m, parts, NULL);
    for (uint32_t k = 0; k < base->parts.count; k++)
        cached(parts[k])->use.count--;
    return mode;
}

static Mode *provide_requested(const Model *m, const ModeRequest *r)
{
    if (r->list)
        return r->number < r->list->count ? provide_number(m, r->list, r->number) : NULL;
    if (r->base)
        return combine_sliding(m, r->base, r->slides);
    if (r->like)
        return provide_variant(m, r->like, r->state_orders);
    if (r->parts)
        return provide_joined(m, r->parts, NULL);
    return r->part == PARTS_ALL && has_parts(m)
               ? combine(m, r->choices, r->with_start, NULL)
               : provide_mode(m, r->part, r->choices, r->with_start, NULL);
}

static const Mode *request_mode(const Model *m, const ModeRequest *r)
{
    ModeCache *c = m->modes;
    jmp_buf exhaustion;
    Mode *volatile mode = NULL;
    pthread_mutex_lock(&c->mutex);
    jmp_buf *before = arena_on_exhaustion(m->arena, &exhaustion);
    if (setjmp(exhaustion) == 0) {
        mode = provide_requested(m, r);
        if (mode && r->has_structure && !mode->structure) {
            mode_analyse(mode);
            weigh(m, mode);
        }
        if (mode && r->is_watched && !mode->watch) {
            mode_watch(mode);
            weigh(m, mode);
        }
    } else {
        mode = NULL;
        abandon(m);
    }
    if (mode) {
        mode->use.count += r->is_used;
        list_of(m, mode)->records[mode->number].was_used |= r->is_used;
        mode->use.stays |= r->stays;
    }
    arena_on_exhaustion(m->arena, before);
    pthread_mutex_unlock(&c->mutex);
    return mode;
}

const Mode *model_mode(const Model *model, const uint32_t *choices, bool with_start)
{
    return request_mode(
        model, &(ModeRequest){.choices = choices, .with_start = with_start, .part = PARTS_ALL});
}

const Mode *model_variant(const Mode *like, const uint32_t *state_orders)
{
    return request_mode(like->model, &(ModeRequest){.like = like, .state_orders = state_orders});
}

const Mode *model_sliding(const Mode *mode, const bool *slides)
{
    return request_mode(mode->model, &(ModeRequest){.base = mode, .slides = slides});
}

const Mode *model_join(const Model *model, const Mode *const *parts)
{
    return has_parts(model) ? request_mode(model, &(ModeRequest){.parts = parts}) : parts[0];
}

const Mode *model_mode_of(const Model *m, ModeNumber number)
{
    return request_mode(m, &(ModeRequest){.list = known_list(m), .number = number});
}

const Mode *model_use_mode(const Model *m, ModeNumber number)
{
    return request_mode(m,
                        &(ModeRequest){.list = known_list(m), .number = number, .is_used = true});
}

void model_leave_mode(const Mode *mode)
{
    ModeCache *c = mode->model->modes;
    pthread_mutex_lock(&c->mutex);
    cached(mode)->use.count--;
    pthread_mutex_unlock(&c->mutex);
}

const Mode *model_analysed(const Model *m, ModeNumber number)
{
    return request_mode(
        m, &(ModeRequest){.list = &m->modes->analysed, .number = number, .stays = true});
}

const Mode *model_watched(const Model *m, ModeNumber number)
{
    return request_mode(
        m, &(ModeRequest){
               .list = &m->modes->analysed, .number = number, .stays = true, .is_watched = true});
}

// All of them go, whoever uses them: combinations and variants before what they use.
static void release_all(const Model *m)
{
    ModeCache *c = m->modes;
    abandon(m);
    while (c->joined.newest)
        modes_forget_one(m, c->joined.newest);
    for (int variants = 1; variants >= 0; variants--)
        for (Mode *mode = c->analysed.newest, *next; mode; mode = next) {
            next = mode->use.older;
            if (!variants || mode->like)
                modes_forget_one(m, mode);
        }
}

void modes_release(const Model *m)
{
    release_all(m);
    free(m->modes->note);
    pthread_mutex_destroy(&m->modes->mutex);
    pthread_mutex_destroy(&m->modes->instants_mutex);
}

void modes_forget(const Model *m)
{
    release_all(m);
    m->modes->analysed = m->modes->joined = (ModeList){0};
}

// ---------------------------------------------------------------------------
// Questions about modes
// ---------------------------------------------------------------------------

static uint32_t modes_count_of(const Model *m, const ModeList *list)
{
    pthread_mutex_lock(&m->modes->mutex);
    const uint32_t count = list->count;
    pthread_mutex_unlock(&m->modes->mutex);
    return count;
}

static ModeRecord record_of(const Model *m, ModeNumber number)
{
    pthread_mutex_lock(&m->modes->mutex);
    const ModeRecord record = m->modes->analysed.records[number];
    pthread_mutex_unlock(&m->modes->mutex);
    return record;
}

uint32_t model_mode_count(const Model *m)
{
    return modes_count_of(m, &m->modes->analysed);
}

uint32_t model_part_count(const Model *m)
{
    return m->assembly->parts->count;
}

uint32_t model_combination_count(const Model *m)
{
    return modes_count_of(m, known_list(m));
}

uint32_t model_used_modes(const Model *m, uint32_t *numbers, uint32_t room)
{
    const ModeList *l = known_list(m);
    uint32_t count = 0;
    pthread_mutex_lock(&m->modes->mutex);
    for (uint32_t i = 0; i < l->count; i++) {
        if (!l->records[i].was_used)
            continue;
        if (count < room)
            numbers[count] = i;
        count++;
    }
    pthread_mutex_unlock(&m->modes->mutex);
    return count;
}

bool model_is_compiled(const Model *m, const char **reason)
{
    ModeCache *c = m->modes;
    *reason = "";
    pthread_mutex_lock(&c->mutex);
    // The first mode may have been left for better states before anything was computed in it.
    bool is_compiled = c->was_compiled;
    for (const Mode *mode = c->analysed.newest; mode; mode = mode->use.older)
        is_compiled = is_compiled || mode_is_compiled(mode);
    if (!is_compiled)
        *reason = backend_reason(c->analysed.records[0].mode->flow->code);
    pthread_mutex_unlock(&c->mutex);
    return is_compiled;
}

static void collect_notes(const Model *m, const ModeList *list)
{
    for (uint32_t i = 0; i < list->count && !m->modes->note; i++)
        if (list->records[i].mode)
            remember_notes(m, list->records[i].mode);
}

const char *model_note(const Model *m, double *time)
{
    ModeCache *c = m->modes;
    pthread_mutex_lock(&c->mutex);
    collect_notes(m, &c->analysed);
    collect_notes(m, &c->joined);
    const char *note = c->note; // does not change once it is there
    *time = c->note_time;
    pthread_mutex_unlock(&c->mutex);
    return note;
}

ModelMode model_mode_summary(const Model *m, ModeNumber number, Arena *arena)
{
    const ModeRecord r = record_of(m, number);
    const char *name = r.sliding_name ? r.sliding_name
                       : r.part == 0  ? "common"
                                      : mode_name(m, arena, r.key, NULL, 0);
    return (ModelMode){.name = name,
                       .part = r.part == PARTS_ALL ? 0 : r.part,
                       .is_broken = r.is_broken,
                       .slides = r.slides != NULL,
                       .seconds = r.seconds};
}

ModelMode model_mode_info(const Model *model, ModeNumber number)
{
    const Mode *m = request_mode(model, &(ModeRequest){.list = &model->modes->analysed,
                                                       .number = number,
                                                       .stays = true,
                                                       .has_structure = true});
    if (!m) {
        arena_exhausted(model->arena);
        return (ModelMode){.name = "out of memory", .is_broken = true};
    }
    return (ModelMode){.name = m->name,
                       .part = m->parts.number == PARTS_ALL ? 0 : m->parts.number,
                       .structure = m->structure,
                       .messages = m->diagnostics,
                       .is_broken = m->is_broken,
                       .slides = m->switches.slides != NULL,
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

void model_explore(const Model *m, uint32_t most)
{
    Choice *choices = calloc(m->sizes.choices + 1u, sizeof *choices);
    if (!choices)
        arena_exhausted(m->arena);
    for (uint32_t n = 0; choices && n < model_mode_count(m); n++) {
        const ModeRecord r = record_of(m, n);
        for (uint32_t i = 0; i < m->sizes.choices; i++)
            for (uint32_t b = 0; b < model_branch_count(m, i) && model_mode_count(m) < most; b++) {
                const uint32_t own = r.key[i];
                if (own == GATHER_ANY || own == b || !is_possible(m, i, own, b))
                    continue;
                complete(m, r.key, choices);
                choices[i] = b;
                request_mode(m, &(ModeRequest){.choices = choices, .part = r.part});
            }
    }
    free(choices);
}

// Whether it has an event function of its own that may slide.
static bool begins_surface(const Model *m, const ModelHold *hold)
{
    return hold->kind == HOLD_CROSSING && !hold->is_muted && hold->surface == hold->number &&
           m->assembly->sliding.variables[hold->number] != DAG_NONE;
}

void model_explore_sliding(const Model *m, uint32_t most)
{
    bool *slides = calloc(m->sizes.held + 1u, sizeof *slides);
    const uint32_t count = model_mode_count(m);
    if (!slides)
        arena_exhausted(m->arena);
    for (uint32_t n = 0; slides && n < count; n++) {
        const Mode *mode = model_analysed(m, n);
        if (mode->is_broken || mode->like || mode->switches.slides)
            continue;
        for (uint32_t i = 0; i < mode->conditions.hold_count && model_mode_count(m) < most; i++) {
            if (!begins_surface(m, &mode->conditions.holds[i]))
                continue;
            for (uint32_t k = 0; k < mode->conditions.hold_count; k++)
                slides[mode->conditions.holds[k].number] =
                    mode->conditions.holds[k].surface == mode->conditions.holds[i].number;
            request_mode(m, &(ModeRequest){.base = mode, .slides = slides});
        }
        memset(slides, 0, m->sizes.held * sizeof *slides);
    }
    free(slides);
}

bool model_mode_follows(const Model *m, uint32_t from, uint32_t to)
{
    const ModeRecord a = record_of(m, from), b = record_of(m, to);
    uint32_t different = 0;
    if (a.part != b.part)
        return false;
    for (uint32_t i = 0; i < m->sizes.choices; i++) {
        const uint32_t x = a.key[i], y = b.key[i];
        if (x == GATHER_ANY || y == GATHER_ANY || x == y)
            continue;
        if (!is_possible(m, i, x, y))
            return false;
        different++;
    }
    return different == 1;
}
