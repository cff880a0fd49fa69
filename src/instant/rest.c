// SPDX-License-Identifier: MIT

#include "instant/rest.h"

#include "base/message.h"
#include "instant/sliding.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_ITERATIONS = 100 };

// Relations that are zero have their values at zero, and no sign.
static bool take_zeros(SaltusEvent *event, Settling *s, signed char *signs)
{
    Point *p = &s->point;
    const Mode *m = p->mode;
    double *h = p->values, *bounds = p->more;
    if (!point_solve(p) || !conditions_zeros(p, h, bounds))
        return false;
    for (uint32_t i = 0; i < m->conditions.hold_count; i++) {
        const ModelHold *hold = &m->conditions.holds[i];
        if (hold->kind != HOLD_CROSSING || hold->is_muted)
            continue;
        signs[hold->index] = event->sign[hold->index];
        if (fabs(h[hold->index]) > bounds[hold->index] || !conditions_is_relation(hold))
            continue;
        signs[hold->index] = 0;
        p->memory.held[hold->number] =
            hold->op == OPERATOR_LESS_EQUAL || hold->op == OPERATOR_GREATER_EQUAL;
        if (saltus_set_zero(event, (int)hold->index, bounds[hold->index]) != SALTUS_OK)
            return false;
    }
    return true;
}

// A relation that the last event left as it is at zero had no time to turn back before the next
// one: it does so now. Whether it did.
static bool turn_back(const SaltusEvent *event, const Mode *m, double *held)
{
    for (uint32_t i = 0; i < m->conditions.hold_count; i++) {
        const ModelHold *hold = &m->conditions.holds[i];
        if (hold->kind != HOLD_CROSSING || (int)hold->index != event->event)
            continue;
        const double at_zero =
            hold->op == OPERATOR_LESS_EQUAL || hold->op == OPERATOR_GREATER_EQUAL;
        const bool turns = at_zero != 0.0 && held[hold->number] == at_zero;
        held[hold->number] = turns ? 0.0 : held[hold->number];
        return turns;
    }
    return false;
}

// The engine has signs of its own, of before: so the iterations are made here, as long as the mode
// stays.
static void rest_iterate(SaltusEvent *event, const Mode *m, const signed char *signs)
{
    bool goes_on = true;
    for (int i = 0; i < MOST_ITERATIONS && goes_on && event->data == m; i++) {
        SaltusEvent here = *event;
        here.sign = signs;
        here.iteration = i;
        goes_on = update_event(&here) & SALTUS_AGAIN;
    }
}

// What holds at zero; *is_other: another mode does.
static bool meet_limit(SaltusEvent *event, const Mode *m, signed char *signs, bool *is_other)
{
    const ModelMemory memory = model_memory(m->model, event->memory);
    Settling s = {0};
    const bool is_fine = point_open(&s.point, m, &memory, event->t, event->x, event->z, event->p) &&
                         point_solve(&s.point) && sliding_enter_limit(event, &s, is_other) &&
                         (*is_other || sliding_leave_limit(event, &s, is_other)) &&
                         (*is_other || take_zeros(event, &s, signs));
    if (!is_fine)
        saltus_fail(event, message_text(s.point.message));
    point_close(&s.point);
    return is_fine;
}

void rest_at_limit(SaltusEvent *event)
{
    const Mode *m = event->data;
    bool is_other = false;
    signed char *signs = calloc(m->conditions.event_count + 1u, sizeof *signs);
    if (!signs) {
        saltus_fail(event, "out of memory");
        return;
    }
    if (turn_back(event, m, model_memory(m->model, event->memory).held))
        rest_iterate(event, m, signs);
    if (event->data == m && meet_limit(event, m, signs, &is_other) && !is_other)
        rest_iterate(event, m, signs);
    // If it does not stay.
    saltus_advise(event, "the model has no equations in which it rests there");
    free(signs);
}
