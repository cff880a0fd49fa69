// SPDX-License-Identifier: MIT
//
// Modes are those that can follow from the first ones by one branch or transition after another; of
// a model with parts, each part has its own. What a run meets beyond these is refused by the FMU.

#include "fmi/states.h"

#include "base/message.h"
#include "modes/model_parts.h"

#include <stdio.h>

// A model with more modes in a part is explored no further.
enum { STATES_MOST_MODES = 500 };

typedef struct StatesPart {
    const Mode *first; // whose states the others must have; NULL: none was found yet
    uint32_t most_events;
} StatesPart;

static bool states_is_among(const Mode *mode, const char *name)
{
    bool is_found = false;
    for (uint32_t i = 0; i < mode->state_count && !is_found; i++)
        is_found = strcmp(mode->state_names[i], name) == 0;
    return is_found;
}

static void states_append(StringBuilder *out, const Mode *mode)
{
    for (uint32_t i = 0; i < mode->state_count && out->length < 90; i++)
        builder_append_format(out, "%s%s", i ? ", " : "", mode->state_names[i]);
    if (mode->state_count == 0)
        builder_append_text(out, "none");
}

// Two modes whose states differ.
static void states_refuse(Arena *arena, const Mode *a, const Mode *b, char message[512])
{
    StringBuilder of_a = builder_create(arena), of_b = builder_create(arena);
    states_append(&of_a, a);
    states_append(&of_b, b);
    message_write(message, 512,
                  "model exchange needs the same states in all modes: mode '%s' has %s, mode "
                  "'%s' has %s. Co-simulation has no such need",
                  a->name, builder_string(&of_a).text, b->name, builder_string(&of_b).text);
}

static bool states_compare(Arena *arena, StatesPart *part, const Mode *mode, char message[512])
{
    if (!part->first)
        part->first = mode;
    bool is_same = mode->state_count == part->first->state_count;
    for (uint32_t i = 0; i < mode->state_count && is_same; i++)
        is_same = states_is_among(part->first, mode->state_names[i]);
    if (!is_same)
        states_refuse(arena, part->first, mode, message);
    part->most_events =
        part->most_events > mode->event_count ? part->most_events : mode->event_count;
    return is_same;
}

bool states_find(const Loaded *l, DescribeStates *states, char message[512])
{
    const Model *m = l->model;
    Arena *arena = l->compilation->arena;
    if (m->delay_count > 0) {
        snprintf(message, 512, "%s",
                 "model exchange cannot have delay() or spatialDistribution(): they need the past "
                 "of a run");
        return false;
    }
    model_explore(m, STATES_MOST_MODES);
    const uint32_t mode_count = model_mode_count(m), part_count = model_part_count(m);
    StatesPart *parts = ARENA_ARRAY(arena, part_count + 1u, StatesPart);
    const Mode *changing = NULL;
    uint32_t state_count = 0;
    for (uint32_t i = 0; i < mode_count; i++) {
        const Mode *mode = model_analysed(m, i);
        if (!mode || mode->is_broken || mode->slides || mode->like)
            continue;
        if (!states_compare(arena, &parts[mode->part < part_count ? mode->part : part_count], mode,
                            message))
            return false;
        if (mode->pivot_count > 0)
            changing = mode;
    }
    if (changing) {
        message_write(message, 512,
                      "model exchange needs states that stay: mode '%s' may choose others of its "
                      "variables on the way. Co-simulation has no such need",
                      changing->name);
        return false;
    }
    *states = (DescribeStates){0};
    for (uint32_t p = 0; p <= part_count; p++)
        state_count += parts[p].first ? parts[p].first->state_count : 0;
    const char **names = ARENA_ARRAY(arena, state_count + 1u, const char *);
    for (uint32_t p = 0; p <= part_count; p++) {
        for (uint32_t i = 0; parts[p].first && i < parts[p].first->state_count; i++)
            names[states->count++] = parts[p].first->state_names[i];
        states->indicator_count += parts[p].most_events;
    }
    states->names = names;
    return true;
}
