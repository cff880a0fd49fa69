// SPDX-License-Identifier: MIT

#include "instant/support.h"

#include <math.h>
#include <stdlib.h>

static void support_turn(const Settling *s, const ModelHold *hold)
{
    double *held = &s->point.memory.held[hold->number];
    *held = *held == 0.0;
}

// By hold: whether it is zero and stays so. NULL: failed.
static bool *support_find_resting(Settling *s)
{
    Point *p = &s->point;
    const ModeConditions *c = &p->mode->conditions;
    bool *rests = calloc(c->hold_count + c->event_count, sizeof *rests);
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

// True: a relation that stays zero takes the place of the one that is missing. *is_decided: there
// is one that could do so, but it has its side.
static bool support_replace(Settling *s, const bool *rests, bool *is_decided)
{
    const ModeConditions *c = &s->point.mode->conditions;
    for (uint32_t i = 0; i < c->hold_count; i++) {
        const ModelHold *hold = &c->holds[i];
        if (hold->kind != HOLD_CROSSING || hold->is_muted || !conditions_is_relation(hold) ||
            !c->is_decisive[hold->number])
            continue;
        support_turn(s, hold);
        const bool is_own = settle_asks(s);
        if (is_own && rests[i])
            return true;
        *is_decided |= is_own;
        support_turn(s, hold);
    }
    return false;
}

bool support_is_there(Settling *s)
{
    const ModeConditions *c = &s->point.mode->conditions;
    bool *rests = NULL, is_decided = false;
    for (uint32_t i = 0; i < c->hold_count && !is_decided; i++) {
        const ModelHold *hold = &c->holds[i];
        if (!c->is_decisive[hold->number] || !conditions_is_denied(hold, s->point.memory.held))
            continue;
        rests = rests ? rests : support_find_resting(s);
        if (!rests)
            break;
        bool is_against = false;
        support_turn(s, hold);
        if (settle_asks(s) || support_replace(s, rests, &is_against))
            continue;
        is_decided = is_against;
        if (!is_decided)
            support_turn(s, hold);
        settle_asks(s);
    }
    free(rests);
    return !is_decided;
}
