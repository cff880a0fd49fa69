// SPDX-License-Identifier: MIT

#include "instant/choice.h"

#include "base/message.h"
#include "instant/memory.h"
#include "instant/settle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ASKED = 8, MOST_ROUNDS = 10 };

typedef struct Choosing {
    SaltusEvent *event;
    const Mode *m;
    const ModelMemory *taken;
    Settling s;    // on a copy of the memory and of the guesses
    double *held;  // of the round before
    double *h;     // event functions, and what each must not exceed to be zero
    double *sizes; //
    Choice *choices;
    signed char *course;
} Choosing;

// ---------------------------------------------------------------------------
// One other candidate
// ---------------------------------------------------------------------------

static void choice_restore(Choosing *c)
{
    memory_copy(c->m->model, c->taken, &c->s.point.memory);
    for (uint32_t i = 0; i < c->m->flow->guesses.count; i++)
        c->s.point.guesses[i] = c->event->z[i];
}

// Discrete variables as they follow; *changed if one does.
static bool choice_discrete(Choosing *c, bool *changed)
{
    Point *p = &c->s.point;
    if (!point_evaluate(p, MODEL_DISCRETE, p->values))
        return false;
    for (uint32_t i = 0; i < c->m->memory.discrete_count; i++) {
        double *value = &p->memory.m[c->m->memory.discrete[i].place];
        *changed |= *value != p->values[i];
        *value = p->values[i];
    }
    return true;
}

// Everything follows from the condition `number`, which keeps the value that it has. True: it has
// come to rest, and that value agrees with the rest.
static bool choice_follow(Choosing *c, uint32_t number)
{
    double *held = c->s.point.memory.held;
    const size_t size = c->m->model->sizes.held * sizeof *held;
    const double kept = held[number];
    for (int round = 0; round < MOST_ROUNDS; round++) {
        bool ignored = false, changed = false;
        memcpy(c->held, held, size);
        if (!point_solve(&c->s.point) || !settle_conditions(&c->s, &ignored))
            return false;
        const bool agrees = held[number] == kept;
        held[number] = kept;
        if (!choice_discrete(c, &changed))
            return false;
        if (!changed && memcmp(c->held, held, size) == 0)
            return agrees;
    }
    return false;
}

// What is zero here must go, by the flow, to the side that it is taken to be on. Conditions that
// differ from what was taken must not stay zero: they would mean nothing.
static bool choice_lasts(Choosing *c)
{
    Point *p = &c->s.point;
    if (!conditions_zeros(p, c->h, c->sizes) || !conditions_course(p, c->course))
        return false;
    for (uint32_t i = 0; i < c->m->conditions.hold_count; i++) {
        const ModelHold *hold = &c->m->conditions.holds[i];
        const double held = p->memory.held[hold->number];
        const bool is_same = held == c->taken->held[hold->number];
        if (hold->kind != HOLD_CROSSING || !conditions_is_relation(hold) || hold->is_muted ||
            fabs(c->h[hold->index]) > c->sizes[hold->index])
            continue;
        const Side course = c->course[hold->index];
        if (course == SIDE_ZERO ? !is_same : held != conditions_value(hold, course, 0.0))
            return false;
    }
    return true;
}

static bool choice_is_here(Choosing *c)
{
    Point *p = &c->s.point;
    return point_evaluate(p, MODEL_CHOICES, p->values) &&
           !settle_wanted(c->m, p->values, c->choices);
}

// ---------------------------------------------------------------------------
// All that are asked
// ---------------------------------------------------------------------------

static bool choice_is_asked(const Choosing *c, const ModelHold *hold)
{
    const ModelMemory left = model_memory(c->m->model, c->event->left.memory);
    return hold->kind == HOLD_CROSSING && conditions_is_relation(hold) && !hold->is_muted &&
           !hold->may_idle &&
           (c->event->occasion & SALTUS_AT_START ||
            left.held[hold->number] != c->taken->held[hold->number]);
}

// Whether what was taken lasts: a condition at zero that the flow turns at once (h <= 0 where a
// ball has just bounced) is decided by it.
static bool choice_is_open(Choosing *c)
{
    choice_restore(c);
    return point_solve(&c->s.point) && choice_lasts(c);
}

static bool choice_find(Choosing *c)
{
    int asked = 0;
    if (!choice_is_open(c))
        return false;
    for (uint32_t i = 0; i < c->m->conditions.hold_count && asked < MOST_ASKED; i++) {
        const ModelHold *hold = &c->m->conditions.holds[i];
        if (!choice_is_asked(c, hold))
            continue;
        asked++;
        choice_restore(c);
        double *held = &c->s.point.memory.held[hold->number];
        *held = *held == 0.0;
        if (choice_follow(c, hold->number) && choice_lasts(c) && choice_is_here(c))
            return true;
    }
    return false;
}

// "choice: a > 0 is true, b > 0 is false; the opposite agrees, too"
static void choice_note(const Choosing *c)
{
    char *text = NULL;
    message_set(&text, "%s", "");
    const double *other = c->s.point.memory.held, *taken = c->taken->held;
    bool is_first = true;
    for (uint32_t i = 0; i < c->m->conditions.hold_count; i++) {
        const ModelHold *hold = &c->m->conditions.holds[i];
        if (!conditions_is_relation(hold) || other[hold->number] == taken[hold->number])
            continue;
        message_add(&text, "%s %s is %s", is_first ? "choice:" : ",", hold->text,
                    taken[hold->number] != 0.0 ? "true" : "false");
        is_first = false;
    }
    message_add(&text, "; the opposite agrees, too");
    if (text) // there is memory for it
        saltus_note(c->event, text);
    free(text);
}

static bool choice_open(Choosing *c, void *block, double *room)
{
    const Mode *m = c->m;
    const ModelMemory memory = model_memory(m->model, block);
    double *z = room;
    c->held = z + m->flow->guesses.count;
    c->h = c->held + m->model->sizes.held;
    c->sizes = c->h + m->conditions.event_count;
    c->choices = (uint32_t *)(void *)(c->sizes + m->conditions.event_count);
    c->course = (signed char *)(void *)(c->choices + m->model->sizes.choices);
    memcpy(c->choices, m->switches.choices, m->model->sizes.choices * sizeof *c->choices);
    if (!point_open(&c->s.point, m, &memory, c->event->t, c->event->x, z, c->event->p))
        return false;
    c->s.point.accuracy = point_accuracy_at(c->event, c->taken);
    return true;
}

void choice_look(SaltusEvent *event, const ModelMemory *memory)
{
    const Mode *m = event->data;
    // Where no event function depends on conditions, they follow from the states alone.
    if (!saltus_notes_are_wanted(event) || !m->plain.moves_events)
        return;
    const size_t size = model_memory_size(m->model);
    const size_t doubles =
        (size_t)m->flow->guesses.count + m->model->sizes.held + 2 * m->conditions.event_count;
    void *block = malloc(size);
    double *room = malloc(doubles * sizeof *room + m->model->sizes.choices * sizeof(uint32_t) +
                          m->conditions.event_count + 1u);
    Choosing c = {.event = event, .m = m, .taken = memory};
    if (block && room) {
        memcpy(block, event->memory, size);
        if (choice_open(&c, block, room)) {
            if (choice_find(&c))
                choice_note(&c);
            point_close(&c.s.point);
        }
    }
    free(block);
    free(room);
}
