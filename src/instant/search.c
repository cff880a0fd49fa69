// SPDX-License-Identifier: MIT

#include "instant/search.h"

#include "base/combination.h"
#include "base/message.h"
#include "flatten/print.h"
#include "instant/system.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Candidates of one strategy; links of a cascade; if-equations that take another branch at once;
// and so many if-equations may all be in question where nothing else is known.
enum { MOST_CANDIDATES = 512, MOST_LINKS = 64, MOST_TURNED = 6, MOST_IN_QUESTION = 24 };

typedef struct Seeker {
    Search *search;
    const Model *model;
    uint32_t count;  // choices
    Choice *choices; // of the present candidate
    uint32_t *wanted;
    uint32_t *tried; // choices of all candidates of the strategy
    uint32_t tried_count;
    bool *is_suspect;
    bool is_broken; // the last candidate
    bool is_flowing, is_strict, is_thorough;
    bool is_open, is_denied; // one of the candidates
    Ending ending;
} Seeker;

// ---------------------------------------------------------------------------
// Candidates
// ---------------------------------------------------------------------------

static void copy_choices(const Seeker *k, uint32_t *to, const uint32_t *from)
{
    memcpy(to, from, k->count * sizeof *to);
}

static bool was_tried(const Seeker *k)
{
    for (uint32_t i = 0; i < k->tried_count; i++) {
        const uint32_t *tried = k->tried + (size_t)i * k->count;
        uint32_t c = 0;
        while (c < k->count && (tried[c] == GATHER_ANY || tried[c] == k->choices[c]))
            c++;
        if (c == k->count)
            return true;
    }
    return false;
}

static void note_tried(Seeker *k, const Choice *choices)
{
    copy_choices(k, k->tried + (size_t)k->tried_count++ * k->count, choices);
}

static void instant_search_begin(Seeker *k, Ending ending)
{
    k->ending = ending;
    k->tried_count = 0;
    copy_choices(k, k->choices, k->search->first);
    if (k->search->present)
        note_tried(k, k->search->present);
}

static Verdict search_judge(Seeker *k, bool is_first, bool is_asked, bool *is_unsettled)
{
    Candidate candidate = {.choices = k->choices,
                           .ending = k->ending,
                           .is_first = is_first,
                           .is_asked = is_asked,
                           .is_flowing = k->is_flowing,
                           .is_strict = k->is_strict,
                           .is_thorough = k->is_thorough,
                           .wanted = k->wanted,
                           .is_suspect = k->is_suspect};
    copy_choices(k, k->wanted, k->choices);
    const Verdict verdict = k->search->judge(k->search->user, &candidate);
    for (uint32_t i = 0; i < k->count && verdict == VERDICT_OTHER; i++)
        k->search->is_turned[i] |= k->wanted[i] != k->choices[i];
    k->is_broken = candidate.is_broken;
    k->is_open |= candidate.is_open;
    k->is_denied |= candidate.is_denied;
    *is_unsettled = candidate.is_unsettled;
    return verdict;
}

void search_suspect(const Mode *mode, Candidate *candidate)
{
    const uint32_t n = mode->model->sizes.choices;
    candidate->is_broken = true;
    for (uint32_t i = 0; i < n && mode->is_suspect; i++)
        candidate->is_suspect[i] |= mode->is_suspect[i];
    for (uint32_t k = 0; k < mode->parts.count && mode->parts.count > 1; k++)
        search_suspect(mode->parts.modes[k], candidate);
}

static bool is_end(Verdict verdict)
{
    return verdict == VERDICT_ACCEPTED || verdict == VERDICT_OVER;
}

// ---------------------------------------------------------------------------
// Strategies
// ---------------------------------------------------------------------------

// What the conditions ask for, again and again.
static Verdict search_follow(Seeker *k)
{
    Verdict verdict = VERDICT_OTHER;
    bool ignored = false, is_asked = false;
    while (verdict == VERDICT_OTHER && !was_tried(k) && k->tried_count < MOST_CANDIDATES) {
        note_tried(k, k->choices);
        verdict = search_judge(k, false, is_asked, &ignored);
        is_asked = true;
        if (verdict == VERDICT_OTHER)
            copy_choices(k, k->choices, k->wanted);
    }
    return verdict;
}

// The same with discrete variables going on; it ends where they change no more.
static Verdict cascade(Seeker *k)
{
    Verdict verdict = VERDICT_OTHER;
    for (int link = 0; link < MOST_LINKS; link++) {
        bool is_unsettled = false;
        verdict = search_judge(k, link == 0, link > 0, &is_unsettled);
        if (verdict == VERDICT_IMPOSSIBLE || verdict == VERDICT_OVER ||
            (verdict == VERDICT_ACCEPTED && !is_unsettled))
            return verdict;
        copy_choices(k, k->choices, k->wanted);
    }
    return VERDICT_OTHER;
}

// The if-equations in question; all of them if nothing is known and they are few.
static uint32_t list_in_question(const Seeker *k, bool all, uint32_t *list)
{
    uint32_t count = 0;
    for (uint32_t i = k->model->flat->machine_count; i < k->count; i++)
        if (all || k->is_suspect[i] || k->search->is_turned[i])
            list[count++] = i;
    return count;
}

// Another branch of each of those that are turned: from the last one on; false: that was the last.
static bool turn_further(const Seeker *k, const uint32_t *list, const uint32_t *turned,
                         uint32_t size, uint32_t *by)
{
    for (uint32_t n = size; n-- > 0;) {
        if (++by[n] < model_branch_count(k->model, list[turned[n]]))
            return true;
        by[n] = 1;
    }
    return false;
}

// All candidates that differ from the first one in `size` of the list.
static Verdict turn_some(Seeker *k, const uint32_t *list, uint32_t count, uint32_t size)
{
    uint32_t turned[MOST_TURNED], by[MOST_TURNED];
    for (uint32_t n = 0; n < size; n++)
        turned[n] = n;
    do {
        for (uint32_t n = 0; n < size; n++)
            by[n] = 1;
        do {
            copy_choices(k, k->choices, k->search->first);
            for (uint32_t n = 0; n < size; n++) {
                const uint32_t c = list[turned[n]];
                k->choices[c] = (k->choices[c] + by[n]) % model_branch_count(k->model, c);
            }
            const Verdict verdict = search_follow(k);
            if (is_end(verdict) || k->tried_count >= MOST_CANDIDATES)
                return verdict;
        } while (turn_further(k, list, turned, size, by));
    } while (combination_next(turned, size, count));
    return VERDICT_OTHER;
}

static Verdict turn_all(Seeker *k, bool all, uint32_t *list)
{
    for (uint32_t size = 1; size <= MOST_TURNED && k->tried_count < MOST_CANDIDATES; size++) {
        const uint32_t count = list_in_question(k, all, list); // more may have come
        if (size > count)
            break;
        const Verdict verdict = turn_some(k, list, count, size);
        if (is_end(verdict))
            return verdict;
    }
    return VERDICT_OTHER;
}

static Verdict turn(Seeker *k, Ending ending, uint32_t *list)
{
    const uint32_t all = k->count - k->model->flat->machine_count;
    instant_search_begin(k, ending);
    note_tried(k, k->search->first);
    const Verdict verdict = turn_all(k, false, list);
    if (is_end(verdict) || all > MOST_IN_QUESTION)
        return verdict;
    return turn_all(k, true, list);
}

// ---------------------------------------------------------------------------
// The whole
// ---------------------------------------------------------------------------

static Verdict follow_first(Seeker *k)
{
    Verdict verdict = VERDICT_OTHER;
    for (int pass = 0; pass == 0 || (pass == 1 && k->is_denied && !is_end(verdict)); pass++) {
        instant_search_begin(k, ENDING_NONE);
        k->is_strict = pass == 0;
        verdict = search_follow(k);
    }
    k->is_strict = false;
    return verdict;
}

static Verdict seek_once(Seeker *k, uint32_t *list)
{
    Verdict verdict = follow_first(k);
    // What is asked for cannot be at all: other values of discrete variables do not help.
    const bool is_alone = verdict == VERDICT_IMPOSSIBLE && k->is_broken &&
                          k->tried_count <= (k->search->present ? 2u : 1u);
    if (!is_end(verdict) && !is_alone) {
        instant_search_begin(k, ENDING_LEFT);
        verdict = search_follow(k);
    }
    if (!is_end(verdict) && !is_alone) {
        instant_search_begin(k, ENDING_CASCADE);
        verdict = cascade(k);
    }
    if (!is_end(verdict))
        verdict = turn(k, ENDING_NONE, list);
    if (!is_end(verdict) && !is_alone)
        verdict = turn(k, ENDING_LEFT, list);
    return verdict;
}

static Verdict follow_flow(Seeker *k)
{
    if (!k->search->is_late)
        return VERDICT_OTHER;
    instant_search_begin(k, ENDING_NONE);
    k->is_flowing = true;
    const Verdict verdict = search_follow(k);
    k->is_flowing = false;
    return verdict;
}

static Verdict seek(Seeker *k, uint32_t *list)
{
    Verdict verdict = follow_flow(k);
    if (!is_end(verdict))
        verdict = seek_once(k, list);
    if (is_end(verdict) || !k->is_open)
        return verdict;
    k->is_thorough = true;
    return seek_once(k, list);
}

Verdict search_mode(Search *s)
{
    const uint32_t n = s->model->sizes.choices;
    Seeker k = {.search = s, .model = s->model, .count = n};
    uint32_t *block = calloc((size_t)n * (MOST_CANDIDATES + 6) + 1u, sizeof *block);
    bool *flags = calloc(n + 1u, sizeof *flags);
    s->is_turned = calloc(n + 1u, sizeof *s->is_turned);
    Verdict verdict = VERDICT_OVER;
    if (block && flags && s->is_turned) {
        k.choices = block;
        k.wanted = block + n;
        k.tried = block + 3 * (size_t)n;
        k.is_suspect = flags;
        verdict = seek(&k, block + 2 * (size_t)n);
        s->ending = k.ending;
    } else {
        free(s->is_turned);
        s->is_turned = NULL;
    }
    free(block);
    free(flags);
    return verdict;
}

// "d1: 'on' (line 11)"
static void search_describe_choice(const Model *m, const FlatIf *c, char **text)
{
    const SourcePlace place = sources_locate(m->diagnostics->sources, c->span.begin);
    const String condition = sources_text(m->diagnostics->sources, c->conditions[0]->span);
    const int shown = condition.length < 80 ? (int)condition.length : 80;
    Arena *arena = arena_create(NULL);
    StringBuilder name = builder_create(arena);
    if (c->component && c->component->parent)
        flat_component_name(&name, c->component);
    message_add(text, "%.*s%s'%.*s' (line %u)", (int)name.length, name.text ? name.text : "",
                name.length ? ": " : "", shown, condition.text, place.line);
    arena_destroy(arena);
}

void search_describe(const Search *s, char **text)
{
    const Model *m = s->model;
    const FlatModel *flat = m->flat;
    message_set(text, s->is_turned ? "no combination of" : "out of memory");
    if (!s->is_turned)
        return;
    uint32_t shown = 0;
    bool is_any = false;
    for (uint32_t i = flat->machine_count; i < m->sizes.choices; i++)
        is_any |= s->is_turned[i];
    for (uint32_t i = flat->machine_count; i < m->sizes.choices && shown <= SYSTEM_SHOWN; i++) {
        if (is_any && !s->is_turned[i])
            continue;
        message_add(text, "%s ", shown ? "," : "");
        if (shown++ < SYSTEM_SHOWN)
            search_describe_choice(m, flat->conditionals[i - flat->machine_count], text);
        else
            message_add(text, "...");
    }
    message_add(text, " agrees with the equations that belong to it");
}
