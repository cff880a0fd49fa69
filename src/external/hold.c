// SPDX-License-Identifier: MIT
//
// See hold.h. Everything is under one lock: impure functions are called at events, not in the
// stepping loop.

#include "external/hold.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

// More messages are counted, not kept.
enum { HOLD_MOST_MESSAGES = 10000 };

// A call at the present time of its run.
typedef struct HeldCall {
    struct HeldCall *next;
    const ExternalSite *site;
    uint64_t pass;    // the last one that it was made in
    bool is_stale;    // a call before it was made again
    char *text;       // it printed; NULL: nothing
    double numbers[]; // results, then inputs
} HeldCall;

typedef struct HoldRun {
    struct HoldRun *next;
    pthread_t thread;
    double time;
    uint64_t pass;
    HeldCall *calls; // in their order
} HoldRun;

struct Hold {
    pthread_mutex_t lock;
    HoldRun *runs;
    ExternalMessage *texts;
    uint32_t count, room;
    uint32_t taken; // see store_take_message
};

Hold *hold_create(void)
{
    Hold *hold = calloc(1, sizeof *hold);
    if (hold && pthread_mutex_init(&hold->lock, NULL) != 0) {
        free(hold);
        return NULL;
    }
    return hold;
}

// ---------------------------------------------------------------------------
// Texts
// ---------------------------------------------------------------------------

// Takes the text. A warning, and a text of before the run, is said once.
static void hold_add(Hold *hold, double time, bool is_warning, char *text)
{
    bool is_known = !text || hold->count >= HOLD_MOST_MESSAGES;
    for (uint32_t i = 0; !is_known && (is_warning || isnan(time)) && i < hold->count; i++)
        is_known = hold->texts[i].is_warning == is_warning &&
                   (is_warning || isnan(hold->texts[i].time)) &&
                   strcmp(hold->texts[i].text, text) == 0;
    if (!is_known && hold->count == hold->room) {
        const uint32_t room = hold->room ? 2 * hold->room : 16;
        ExternalMessage *texts = realloc(hold->texts, room * sizeof *texts);
        is_known = !texts;
        hold->texts = texts ? texts : hold->texts;
        hold->room = texts ? room : hold->room;
    }
    if (is_known)
        free(text);
    else
        hold->texts[hold->count++] = (ExternalMessage){time, is_warning, text};
}

static char *hold_copy(const char *text)
{
    const size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    return copy ? memcpy(copy, text, size) : NULL;
}

// The instant is over.
static void hold_release(Hold *hold, HoldRun *run)
{
    while (run->calls) {
        HeldCall *call = run->calls;
        run->calls = call->next;
        hold_add(hold, run->time, false, call->text);
        free(call);
    }
}

void hold_say(Hold *hold, double time, bool is_warning, const char *text)
{
    pthread_mutex_lock(&hold->lock);
    hold_add(hold, time, is_warning, hold_copy(text));
    pthread_mutex_unlock(&hold->lock);
}

bool hold_next(Hold *hold, uint32_t *index, ExternalMessage *message)
{
    pthread_mutex_lock(&hold->lock);
    for (HoldRun *run = hold->runs; run; run = run->next)
        if (pthread_equal(run->thread, pthread_self()))
            hold_release(hold, run);
    const bool is_there = *index < hold->count;
    if (is_there)
        *message = hold->texts[(*index)++];
    pthread_mutex_unlock(&hold->lock);
    return is_there;
}

bool hold_take(Hold *hold, ExternalMessage *message)
{
    return hold_next(hold, &hold->taken, message);
}

// ---------------------------------------------------------------------------
// Calls
// ---------------------------------------------------------------------------

// That of this thread; NULL: no memory.
static HoldRun *hold_run(Hold *hold)
{
    HoldRun *run = hold->runs;
    while (run && !pthread_equal(run->thread, pthread_self()))
        run = run->next;
    if (run)
        return run;
    run = calloc(1, sizeof *run);
    if (!run)
        return NULL;
    run->thread = pthread_self();
    run->time = NAN;
    run->next = hold->runs;
    return hold->runs = run;
}

void hold_begin(Hold *hold)
{
    pthread_mutex_lock(&hold->lock);
    HoldRun *run = hold_run(hold);
    if (run) {
        hold_release(hold, run);
        run->time = NAN;
    }
    pthread_mutex_unlock(&hold->lock);
}

// The place of a call of this pass: the first of its site that the pass has not met.
static HeldCall *hold_find(HoldRun *run, const ExternalSite *site, uint32_t numbers, bool *is_new)
{
    HeldCall **end = &run->calls;
    for (; *end; end = &(*end)->next)
        if ((*end)->site == site && (*end)->pass != run->pass)
            break;
    *is_new = !*end;
    if (!*end) {
        *end = calloc(1, sizeof **end + numbers * sizeof(double));
        if (*end)
            (*end)->site = site;
    }
    if (*end)
        (*end)->pass = run->pass;
    return *end;
}

// All numbers that a call writes, from or to what is held; the value is how many there are.
static uint32_t hold_copy_results(const ExternalSite *site, const ExternalCall *call, double *held,
                                  bool is_given)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < call->count; i++) {
        bool is_written;
        external_letter(site->info->signature, i, &is_written);
        const ExternalArgument *a = &call->arguments[i];
        if (!is_written || !a->numbers)
            continue;
        if (held && is_given)
            memcpy(a->numbers, held + count, a->count * sizeof *held);
        else if (held)
            memcpy(held + count, a->numbers, a->count * sizeof *held);
        count += a->count;
    }
    return count;
}

// All numbers that a call is given, to what is held; the value is how many there are.
static uint32_t hold_copy_inputs(const ExternalSite *site, const ExternalCall *call, double *held,
                                 bool *is_other)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < call->count; i++) {
        bool is_written;
        external_letter(site->info->signature, i, &is_written);
        const ExternalArgument *a = &call->arguments[i];
        if (is_written || !a->numbers)
            continue;
        if (held) {
            *is_other |= memcmp(held + count, a->numbers, a->count * sizeof *held) != 0;
            memcpy(held + count, a->numbers, a->count * sizeof *held);
        }
        count += a->count;
    }
    return count;
}

// What was held is of no use if an unknown that it was called with has another value by now. Nor is
// what was called after it: it may have used what this call left behind (the seed of a generator).
static bool hold_is_stale(HeldCall *held, const ExternalCall *call, uint32_t results)
{
    bool is_stale = held->is_stale;
    held->is_stale = false;
    hold_copy_inputs(held->site, call, held->numbers + results, &is_stale);
    for (HeldCall *after = held->next; is_stale && after; after = after->next)
        after->is_stale = true;
    return is_stale;
}

bool hold_call(Hold *hold, const ExternalSite *site, ExternalCall *call, ExternalMoment *moment)
{
    const double time = moment->time && *moment->time ? **moment->time : NAN;
    pthread_mutex_lock(&hold->lock);
    HoldRun *run = hold_run(hold);
    if (run && time != run->time) {
        hold_release(hold, run);
        run->time = time;
    }
    if (run && moment->calls++ == 0)
        run->pass++;
    bool is_new = false;
    const uint32_t results = hold_copy_results(site, call, NULL, false);
    const uint32_t numbers = results + hold_copy_inputs(site, call, NULL, NULL);
    HeldCall *held = run ? hold_find(run, site, numbers, &is_new) : NULL;
    pthread_mutex_unlock(&hold->lock);
    if (!held)
        return external_fail(call, "there is no memory left");
    // The list is of this thread alone; another one only reads who it belongs to.
    const bool is_stale = hold_is_stale(held, call, results);
    if (!is_new && !is_stale && !external_prints(site->info)) {
        hold_copy_results(site, call, held->numbers, true);
        return true;
    }
    char *text = NULL;
    call->printed = &text;
    const bool is_fine = site->info->function(call);
    call->printed = NULL;
    free(held->text);
    held->text = text;
    hold_copy_results(site, call, held->numbers, false);
    if (!is_fine)
        held->site = NULL; // it is tried again
    return is_fine;
}

void hold_destroy(Hold *hold)
{
    if (!hold)
        return;
    for (HoldRun *run = hold->runs, *next; run; run = next) {
        next = run->next;
        hold_release(hold, run);
        free(run);
    }
    for (uint32_t i = 0; i < hold->count; i++)
        free((char *)(uintptr_t)hold->texts[i].text);
    free(hold->texts);
    pthread_mutex_destroy(&hold->lock);
    free(hold);
}
