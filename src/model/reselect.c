// SPDX-License-Identifier: MIT

#include "model/reselect.h"

#include <stdlib.h>

// States are chosen anew where their pivots are this much smaller than the best ones.
static const double poor_selection = 0.5;

// The states that are best at these pivots, in `orders`. False: the present ones are good enough.
static bool find_better(const Mode *m, Arena *arena, const double *pivots, uint32_t *orders)
{
    double *jacobian = ARENA_ARRAY(arena, signature_entry_count(m->structure->signature), double);
    for (uint32_t i = 0; i < m->pivot_count; i++)
        jacobian[m->pivot_entries[i]] = pivots[i];
    Selector *selector = selection_selector(arena, m->structure->plan);
    return selection_quality(selector, jacobian, m->structure->state_orders) < poor_selection &&
           selection_make(selector, jacobian, orders);
}

// The same; false also without memory.
static bool try_better(const Mode *m, Arena *arena, const double *pivots, uint32_t *orders)
{
    jmp_buf exhaustion;
    volatile bool is_found = false;
    arena_on_exhaustion(arena, &exhaustion);
    if (setjmp(exhaustion) == 0)
        is_found = find_better(m, arena, pivots, orders);
    return is_found;
}

const Mode *reselect_mode(const Mode *m, const double *pivots)
{
    if (m->pivot_count == 0)
        return m;
    Arena *arena = arena_create(NULL);
    uint32_t *orders = calloc(m->structure->signature->variable_count + 1u, sizeof *orders);
    const Mode *better = NULL;
    if (arena && orders && try_better(m, arena, pivots, orders))
        better = model_variant(m, orders);
    free(orders);
    arena_destroy(arena);
    return better && !better->is_broken ? better : m;
}

// What a variable is now: a state, or among the unknowns.
static double value_of(const Mode *m, const ProgramScratch *scratch, const double *x, uint32_t v)
{
    const uint32_t state = program_state(m->flow, v);
    if (state != CODE_NONE)
        return x[state];
    const uint32_t place = program_place(m->flow, v);
    return place == CODE_NONE ? 0.0 : scratch->w[place];
}

static void take_over(SaltusEvent *event, const Mode *from, const ProgramScratch *scratch,
                      const Mode *to)
{
    const uint32_t guesses = to->flow->guess_count, all = to->state_count + guesses;
    double *values = calloc(all + 1u, sizeof *values);
    if (!values) {
        saltus_fail(event, "out of memory");
        return;
    }
    for (uint32_t i = 0; i < to->state_count; i++)
        values[i] = value_of(from, scratch, event->x, to->states[i]);
    for (uint32_t i = 0; i < guesses; i++)
        values[to->state_count + i] =
            value_of(from, scratch, event->x, to->flow->unknowns[to->flow->guessed[i]]);
    if (saltus_switch_mode(event, (int)to->number) == SALTUS_OK) {
        memcpy(event->x, values, to->state_count * sizeof *values);
        memcpy(event->z, values + to->state_count, guesses * sizeof *values);
    }
    free(values);
}

void reselect_accepted(SaltusEvent *event)
{
    const Mode *m = event->data;
    if (m->pivot_count == 0)
        return;
    ModelScratch *s = mode_take_scratch(m);
    if (!s) {
        saltus_fail(event, "out of memory");
        return;
    }
    const ModelMemory memory = model_memory(m->model, event->memory);
    const ProgramInputs inputs = system_inputs(&memory, event->t, event->x, event->p);
    if (program_solve(m->flow, s->program, &inputs, PROGRAM_ALL, event->z, NULL) == PROGRAM_FINE &&
        program_evaluate(m->flow, s->program, &inputs, MODEL_PIVOTS, s->values) == PROGRAM_FINE) {
        const Mode *better = reselect_mode(m, s->values);
        if (better != m)
            take_over(event, m, s->program, better);
    }
    mode_give_scratch(m, s);
}
