// SPDX-License-Identifier: MIT

#include "instant/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void support_turn(const Settling *s, const ModelHold *hold)
{
    double *held = &s->point.memory.held[hold->number];
    *held = *held == 0.0;
}

// Which conditions are zero and stay so, for the values with which the question for support began.
// It takes long to find out, and mostly nobody asks.
typedef struct SupportRest {
    double *begun; // discrete variables, then what is held
    bool *rests;   // by hold; NULL: not known yet
    bool has_failed;
} SupportRest;

static void support_swap(const Settling *s, double *other)
{
    const Model *model = s->point.mode->model;
    double *const parts[] = {s->point.memory.m, s->point.memory.held};
    const uint32_t counts[] = {model->sizes.memory, model->sizes.held};
    for (size_t k = 0; k < 2; other += counts[k], k++)
        for (uint32_t i = 0; i < counts[k]; i++) {
            const double value = parts[k][i];
            parts[k][i] = other[i];
            other[i] = value;
        }
}

static bool support_begin(Settling *s, SupportRest *r)
{
    const Model *model = s->point.mode->model;
    const size_t memory = model->sizes.memory, held = model->sizes.held;
    if (!r->begun) {
        r->begun = malloc((memory + held + 1) * sizeof *r->begun);
        if (!r->begun || !point_solve(&s->point))
            return false;
        memcpy(r->begun, s->point.memory.m, memory * sizeof *r->begun);
        memcpy(r->begun + memory, s->point.memory.held, held * sizeof *r->begun);
    }
    return true;
}

// By hold. NULL: failed.
static bool *support_find_resting(Settling *s)
{
    Point *p = &s->point;
    const ModeConditions *c = &p->mode->conditions;
    bool *rests = calloc(c->hold_count + 1u, sizeof *rests);
    double *h = calloc(2 * (size_t)c->event_count + 1u, sizeof *h), *bounds = h + c->event_count;
    signed char *course = calloc(c->event_count + 1u, sizeof *course);
    const bool is_fine = rests && h && course && point_solve(p) && conditions_zeros(p, h, bounds) &&
                         conditions_course(p, course);
    for (uint32_t i = 0; i < c->hold_count && is_fine; i++) {
        const uint32_t k = c->holds[i].index;
        rests[i] =
            c->holds[i].kind == HOLD_CROSSING && course[k] == SIDE_ZERO && fabs(h[k]) <= bounds[k];
    }
    free(h);
    free(course);
    if (is_fine)
        return rests;
    free(rests);
    return NULL;
}

static bool support_rests(Settling *s, SupportRest *r, uint32_t hold)
{
    if (!r->rests && !r->has_failed) {
        support_swap(s, r->begun);
        r->rests = support_find_resting(s);
        support_swap(s, r->begun);
        r->has_failed = !r->rests;
    }
    return r->rests && r->rests[hold];
}

// True: a relation that stays zero takes the place of the one that is missing. *is_decided: there
// is one that could do so, but it has its side.
static bool support_replace(Settling *s, SupportRest *r, bool *is_decided)
{
    const ModeConditions *c = &s->point.mode->conditions;
    for (uint32_t i = 0; i < c->hold_count; i++) {
        const ModelHold *hold = &c->holds[i];
        if (hold->kind != HOLD_CROSSING || hold->is_muted || !conditions_is_relation(hold) ||
            !c->is_decisive[hold->number])
            continue;
        support_turn(s, hold);
        const bool is_own = settle_asks(s);
        if (is_own && support_rests(s, r, i))
            return true;
        *is_decided |= is_own;
        support_turn(s, hold);
    }
    return false;
}

bool support_is_there(Settling *s)
{
    const ModeConditions *c = &s->point.mode->conditions;
    SupportRest r = {0};
    bool is_decided = false;
    for (uint32_t i = 0; i < c->hold_count && !is_decided; i++) {
        const ModelHold *hold = &c->holds[i];
        if (!c->is_decisive[hold->number] || !conditions_is_denied(hold, s->point.memory.held))
            continue;
        if (!support_begin(s, &r))
            break;
        bool is_against = false;
        support_turn(s, hold);
        const bool is_there = settle_asks(s) || support_replace(s, &r, &is_against);
        if (r.has_failed) {
            support_swap(s, r.begun);
            break;
        }
        if (is_there)
            continue;
        is_decided = is_against;
        if (!is_decided)
            support_turn(s, hold);
        settle_asks(s);
    }
    free(r.begun);
    free(r.rests);
    return !is_decided;
}
