// SPDX-License-Identifier: MIT
//
// Modes are those that can follow from the first ones by one branch or transition after another; of
// a model with parts, each part has its own. Where a mode may choose its states anew on the way
// (structure/selection.h), it is asked what it would choose for many values of its pivots.

#include "fmi/states.h"

#include "base/message.h"
#include "modes/model_parts.h"
#include "structure/outline.h"

#include <math.h>

// A part with more modes is explored no further: every variable that is differentiated may be a
// state then.
enum { STATES_MOST_MODES = 500, STATES_TRIALS = 64 };

static void states_add(DescribeStates *f, const char *name)
{
    for (uint32_t i = 0; i < f->count; i++)
        if (strcmp(f->names[i], name) == 0)
            return;
    ARENA_PUSH(f->arena, f->names, f->count, f->room,
               arena_copy_text(f->arena, name, strlen(name)));
}

// A size between 1/32 and 32 with either sign, by a linear congruence (Knuth, MMIX).
static double states_value(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    const int exponent = (int)(*seed >> 40) % 11 - 5;
    const double size = 1.0 + (double)(*seed >> 44) / (double)(1u << 20);
    return ldexp(*seed >> 63 ? size : -size, exponent);
}

static void states_add_orders(DescribeStates *f, const Signature *s, const uint32_t *orders)
{
    for (uint32_t j = 0; j < s->variable_count; j++)
        for (uint32_t o = 0; o < orders[j]; o++) {
            StringBuilder name = builder_create(f->arena);
            outline_derivative(&name, s->variables[j].name, o);
            states_add(f, builder_string(&name).text);
        }
}

// What the mode would choose: coefficients that are numbers are what they are.
static void states_add_choices(DescribeStates *f, const Structure *structure)
{
    const Signature *s = structure->signature;
    const uint32_t count = signature_entry_count(s);
    double *values = ARENA_ARRAY(f->arena, count + 1u, double);
    uint32_t *orders = ARENA_ARRAY(f->arena, s->variable_count + 1u, uint32_t);
    Selector *selector = selection_selector(f->arena, structure->plan);
    uint64_t seed = 1;
    for (int trial = 0; trial < STATES_TRIALS; trial++) {
        for (uint32_t e = 0; e < count; e++)
            values[e] =
                s->entries[e].kind == SIGNATURE_NUMBER ? s->entries[e].value : states_value(&seed);
        if (selection_make(selector, values, orders))
            states_add_orders(f, s, orders);
    }
}

// A sliding mode has one event function more for each surface, where it ends; which of them slide
// together is known only when it happens.
static void states_add_surfaces(DescribeStates *f, const Mode *mode, uint32_t part)
{
    for (uint32_t i = 0; i < mode->conditions.hold_count; i++) {
        const ModelHold *hold = &mode->conditions.holds[i];
        if (hold->surface != hold->number || !mode->switches.slides[hold->number] ||
            f->is_counted[hold->number])
            continue;
        f->is_counted[hold->number] = true;
        f->surfaces[part]++;
    }
}

static void states_add_mode(DescribeStates *f, const Model *m, uint32_t number)
{
    const Mode *mode = model_analysed(m, number);
    if (!mode || mode->is_broken)
        return;
    for (uint32_t i = 0; i < mode->states.count; i++)
        states_add(f, mode->states.names[i]);
    const uint32_t part = mode->parts.number < f->part_count ? mode->parts.number : f->part_count;
    if (mode->switches.slides)
        states_add_surfaces(f, mode, part);
    else if (mode->conditions.event_count > f->most_events[part])
        f->most_events[part] = mode->conditions.event_count;
    const Structure *structure =
        mode->jump.pivot_count ? model_mode_info(m, number).structure : NULL;
    if (structure)
        states_add_choices(f, structure);
}

static uint32_t states_order(const char *name)
{
    uint32_t order = 0;
    for (; strncmp(name, "der(", 4) == 0; name += 4)
        order++;
    return order;
}

// Derivatives behind what they are the derivatives of: see describe_exchange.
static const char **states_sort(const DescribeStates *f)
{
    const char **names = ARENA_ARRAY(f->arena, f->count + 1u, const char *);
    for (uint32_t order = 0, count = 0; count < f->count; order++)
        for (uint32_t i = 0; i < f->count; i++)
            if (states_order(f->names[i]) == order)
                names[count++] = f->names[i];
    return names;
}

bool states_find(const Loaded *l, DescribeStates *states, char **message)
{
    const Model *m = l->model;
    Arena *arena = l->compilation->arena;
    if (m->delay_count > 0)
        return message_set(
            message, "%s",
            "model exchange cannot have delay() or spatialDistribution(): they need the past "
            "of a run");
    model_explore(m, STATES_MOST_MODES);
    model_explore_sliding(m, STATES_MOST_MODES);
    const uint32_t mode_count = model_mode_count(m), part_count = model_part_count(m);
    *states = (DescribeStates){.arena = arena,
                               .part_count = part_count,
                               .most_events = ARENA_ARRAY(arena, part_count + 1u, uint32_t),
                               .surfaces = ARENA_ARRAY(arena, part_count + 1u, uint32_t),
                               .is_counted = ARENA_ARRAY(arena, m->sizes.held + 1u, bool)};
    for (uint32_t i = 0; i < mode_count; i++)
        states_add_mode(states, m, i);
    for (uint32_t i = 0; mode_count >= STATES_MOST_MODES && i < m->outputs.count; i++)
        if (m->outputs.variables[i]->is_differentiated)
            states_add(states, m->outputs.names[i]);
    states->names = states_sort(states);
    for (uint32_t p = 0; p <= part_count; p++)
        states->indicator_count += states->most_events[p] + states->surfaces[p];
    return true;
}
