// SPDX-License-Identifier: MIT

#include "instant/rest.h"

#include "instant/sliding.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_ITERATIONS = 100 };

// Relations that are zero have their values at zero, and no sign.
static bool take_zeros(SaltusEvent *event, Settling *s, signed char *signs)
{
    const Mode *m = s->mode;
    double *h = s->scratch->values, *bounds = s->scratch->more;
    if (!settle_zeros(s, h, bounds))
        return false;
    for (uint32_t i = 0; i < m->hold_count; i++) {
        const ModelHold *hold = &m->holds[i];
        if (hold->kind != HOLD_CROSSING || hold->is_muted)
            continue;
        signs[hold->index] = event->sign[hold->index];
        if (fabs(h[hold->index]) > bounds[hold->index] || settle_sign(hold, 1.0) == 0)
            continue;
        signs[hold->index] = 0;
        s->memory.held[hold->number] =
            hold->op == OPERATOR_LESS_EQUAL || hold->op == OPERATOR_GREATER_EQUAL;
        if (saltus_set_zero(event, (int)hold->index, bounds[hold->index]) != SALTUS_OK)
            return false;
    }
    return true;
}

void rest_at_limit(SaltusEvent *event)
{
    const Mode *m = event->data;
    const ModelMemory memory = model_memory(m->model, event->memory);
    Settling s = {.mode = m,
                  .scratch = mode_take_scratch(m),
                  .memory = memory,
                  .inputs = frozen_inputs(&memory, event->t, event->x, event->p),
                  .guesses = event->z};
    signed char *signs = calloc(m->event_count + 1u, sizeof *signs);
    bool is_other = false;
    const bool is_fine = s.scratch && signs && settle_solve(&s) &&
                         sliding_enter_limit(event, &s, &is_other) &&
                         (is_other || take_zeros(event, &s, signs));
    if (!is_fine)
        saltus_fail(event, s.message[0] ? s.message : "out of memory");
    if (s.scratch)
        mode_give_scratch(m, s.scratch);
    // The engine has signs of its own, of before: so the iterations are made here, as long as the
    // mode stays.
    bool goes_on = is_fine && !is_other;
    for (int i = 0; i < MOST_ITERATIONS && goes_on && event->data == m; i++) {
        SaltusEvent here = *event;
        here.sign = signs;
        here.iteration = i;
        goes_on = update_event(&here) & SALTUS_AGAIN;
    }
    // If it does not stay.
    saltus_advise(event, "the model has no equations in which it rests there");
    free(signs);
}
