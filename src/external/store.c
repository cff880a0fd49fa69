// SPDX-License-Identifier: MIT
//
// The store: see external.h. Numbers of objects are given out in order, from 1 on; they are looked
// up without a lock, for a table is in its place before its number is known to anybody.

#include "base/message.h"
#include "base/source.h"
#include "external/chart.h"
#include "external/external.h"
#include "external/foreign.h"
#include "external/hold.h"
#include "external/random.h"

#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Chunk k has 2^k places, so that they never move.
enum { STORE_CHUNKS = 24 };

struct ExternalStore {
    Arena *arena; // of sites
    const ExternalSite *sites;
    pthread_mutex_t lock;
    Chart **chunks[STORE_CHUNKS];
    _Atomic uint32_t count;
    RandomState random;
    Hold *hold;
    ExternalGuest *guest;   // NULL: none
    const Sources *sources; // NULL: not confined
    const char *path;
    bool allows_foreign;
    Foreign *foreign;
};

ExternalStore *store_create(void)
{
    ExternalStore *store = calloc(1, sizeof *store);
    if (!store)
        return NULL;
    store->arena = arena_create(NULL);
    store->hold = hold_create();
    if (!store->arena || !store->hold || pthread_mutex_init(&store->lock, NULL) != 0) {
        hold_destroy(store->hold);
        arena_destroy(store->arena);
        free(store);
        return NULL;
    }
    return store;
}

void store_confine(ExternalStore *store, const Sources *sources, const char *path)
{
    store->sources = sources;
    store->path = path;
}

void store_allow_foreign(ExternalStore *store)
{
    store->allows_foreign = true;
}

bool store_allows_foreign(const ExternalStore *store)
{
    return store && store->allows_foreign;
}

Foreign **store_foreign(ExternalStore *store)
{
    return &store->foreign;
}

// Whether a file, by its real name, is in a folder or below.
static bool store_is_below(const char *file, const char *folder, size_t length)
{
    char name[PATH_MAX], real[PATH_MAX];
    if (length >= sizeof name)
        return false;
    snprintf(name, sizeof name, "%.*s", (int)length, folder);
    if (!realpath(length ? name : ".", real))
        return false;
    const size_t end = strlen(real);
    return strncmp(file, real, end) == 0 && (file[end] == '/' || end == 1);
}

bool store_may_read(const ExternalStore *store, const char *file)
{
    char real[PATH_MAX];
    if (!store || !store->sources)
        return true; // not confined
    if (!realpath(file, real))
        return false;
    bool may = store_is_below(real, ".", 1);
    for (size_t i = 0; i < sources_count(store->sources) && !may; i++) {
        const char *name = sources_file(store->sources, i)->name, *slash = strrchr(name, '/');
        may = slash && store_is_below(real, name, slash == name ? 1 : (size_t)(slash - name));
    }
    for (const char *rest = store->path; rest && *rest && !may;) {
        const size_t length = strcspn(rest, ":");
        may = length > 0 && store_is_below(real, rest, length);
        rest += length + (rest[length] == ':');
    }
    return may;
}

// Object number n, from 1 on, is at place n - 2^k of chunk k, the highest bit of n.
static Chart **store_place(const ExternalStore *store, uint32_t number)
{
    uint32_t k = 0;
    while (number >> (k + 1))
        k++;
    return store->chunks[k] ? &store->chunks[k][number - (1u << k)] : NULL;
}

void store_destroy(ExternalStore *store)
{
    if (!store)
        return;
    if (store->guest)
        store->guest->destroy(store->guest);
    for (uint32_t n = 1; n <= store->count; n++)
        chart_free(*store_place(store, n));
    for (uint32_t k = 0; k < STORE_CHUNKS; k++)
        free(store->chunks[k]);
    for (const ExternalSite *site = store->sites; site; site = site->before)
        free(*site->message);
    foreign_free(store->foreign);
    hold_destroy(store->hold);
    arena_destroy(store->arena);
    pthread_mutex_destroy(&store->lock);
    free(store);
}

static uint32_t intern_locked(ExternalStore *store, Chart *table)
{
    for (uint32_t n = 1; n <= store->count; n++)
        if (chart_equal(*store_place(store, n), table)) {
            chart_free(table);
            return n;
        }
    const uint32_t number = store->count + 1;
    uint32_t k = 0;
    while (number >> (k + 1))
        k++;
    if (k < STORE_CHUNKS && !store->chunks[k])
        store->chunks[k] = calloc((size_t)1 << k, sizeof(Chart *));
    if (k >= STORE_CHUNKS || !store->chunks[k]) {
        chart_free(table);
        return 0;
    }
    *store_place(store, number) = table;
    store->count = number;
    return number;
}

double store_intern(ExternalStore *store, Chart *table)
{
    pthread_mutex_lock(&store->lock);
    const uint32_t number = intern_locked(store, table);
    pthread_mutex_unlock(&store->lock);
    return number;
}

const Chart *store_table(const ExternalStore *store, double number)
{
    return number >= 1.0 && number <= store->count ? *store_place(store, (uint32_t)number) : NULL;
}

// ---------------------------------------------------------------------------
// Sites
// ---------------------------------------------------------------------------

const ExternalSite *store_site(ExternalStore *store, const ExternalSite *site)
{
    pthread_mutex_lock(&store->lock);
    Arena *arena = store->arena;
    ExternalSite *kept = ARENA_NEW(arena, ExternalSite);
    ExternalArgument *arguments = ARENA_ARRAY(arena, site->count + 1, ExternalArgument);
    char **message = ARENA_NEW(arena, char *);
    bool is_fine = kept && arguments && message;
    for (uint32_t i = 0; is_fine && i < site->count; i++) {
        const ExternalArgument *from = &site->arguments[i];
        arguments[i] = *from;
        uint32_t *dims = ARENA_ARRAY(arena, from->rank + 1u, uint32_t);
        const char **texts =
            from->texts ? ARENA_ARRAY(arena, from->count + 1u, const char *) : NULL;
        is_fine = dims && (!from->texts || texts);
        for (uint32_t k = 0; is_fine && k < from->rank; k++)
            dims[k] = from->dims[k];
        for (uint32_t k = 0; is_fine && texts && k < from->count; k++)
            texts[k] = arena_copy_text(arena, from->texts[k], strlen(from->texts[k]));
        arguments[i].dims = dims;
        arguments[i].texts = texts;
    }
    if (is_fine) {
        *kept = (ExternalSite){site->info, store, arguments, site->count, message, store->sites};
        store->sites = kept;
    }
    pthread_mutex_unlock(&store->lock);
    return is_fine ? kept : NULL;
}

// Real, Integer, Boolean: see external.h.
static int template_part(char kind, const char *format, double x, char *text, size_t size)
{
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#endif
    return kind == 'r'   ? snprintf(text, size, format, x)
           : kind == 'i' ? snprintf(text, size, format, (long long)x)
           : kind == 'b' ? snprintf(text, size, format, x != 0.0 ? "true" : "false")
                         : snprintf(text, size, "%s", format);
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
}

// How many characters the String has; as many of them as fit are written, and a zero.
static size_t store_put_together(const ExternalArgument *parts, const double *numbers, char *text,
                                 size_t size)
{
    size_t length = 0;
    text[0] = 0;
    for (uint32_t i = 0; i < parts->count; i++) {
        const char *part = parts->texts[i];
        const bool has_room = length < size;
        const int more =
            template_part(part[0], part + 1, numbers[i], has_room ? text + length : NULL,
                          has_room ? size - length : 0);
        length += more > 0 ? (size_t)more : 0;
    }
    return length;
}

static int site_fail(const ExternalSite *site, const char *message)
{
    pthread_mutex_lock(&site->store->lock);
    message_set(site->message, "%s", message);
    pthread_mutex_unlock(&site->store->lock);
    return 1;
}

int external_call_site(const ExternalSite *site, double *const *numbers, ExternalMoment *moment)
{
    ExternalArgument arguments[EXTERNAL_MOST_ARGUMENTS];
    char usual[EXTERNAL_USUAL_TEXT], *longer = NULL; // one String can be put together in the run
    const char *text = usual;
    for (uint32_t i = 0; i < site->count; i++) {
        arguments[i] = site->arguments[i];
        arguments[i].numbers = arguments[i].texts ? NULL : numbers[i];
        if (!arguments[i].texts || !numbers[i])
            continue;
        const ExternalArgument *parts = &site->arguments[i];
        const size_t length = store_put_together(parts, numbers[i], usual, sizeof usual);
        if (length >= sizeof usual) {
            text = longer = malloc(length + 1);
            if (!longer)
                return site_fail(site, "out of memory");
            store_put_together(parts, numbers[i], longer, length + 1);
        }
        arguments[i].texts = &text;
        arguments[i].count = 1;
    }
    ExternalCall call = {.store = site->store, .arguments = arguments, .count = site->count};
    const bool is_fine = external_is_impure(site->info)
                             ? hold_call(site->store->hold, site, &call, moment)
                             : site->info->function(&call);
    free(longer);
    const int status = is_fine ? 0 : site_fail(site, message_text(call.message));
    free(call.message);
    return status;
}

void external_site_message(const ExternalSite *site, char **message)
{
    pthread_mutex_lock(&site->store->lock);
    message_set(message, "%s", message_text(*site->message));
    pthread_mutex_unlock(&site->store->lock);
}

bool store_next_message(ExternalStore *store, uint32_t *index, ExternalMessage *message)
{
    return hold_next(store->hold, index, message);
}

bool store_take_message(ExternalStore *store, ExternalMessage *message)
{
    return hold_take(store->hold, message);
}

void store_say(ExternalStore *store, double time, bool is_warning, const char *text)
{
    hold_say(store->hold, time, is_warning, text);
}

void store_begin(ExternalStore *store)
{
    if (store)
        hold_begin(store->hold);
    if (store && store->guest)
        store->guest->begin(store->guest->user);
}

void store_invite(ExternalStore *store, ExternalGuest *guest)
{
    store->guest = guest;
}

ExternalGuest *store_guest(const ExternalStore *store)
{
    return store ? store->guest : NULL;
}

void store_accepted(const ExternalStore *store, double time)
{
    if (store && store->guest)
        store->guest->accepted(store->guest->user, time);
}

void store_random(ExternalStore *store, void (*use)(RandomState *, void *), void *data)
{
    pthread_mutex_lock(&store->lock);
    use(&store->random, data);
    pthread_mutex_unlock(&store->lock);
}
