// SPDX-License-Identifier: MIT
//
// The states of a mode are chosen by the pivots of an elimination of the constraints' Jacobian at
// one point (structure/selection.h). As the solution moves, these pivots may go to zero, and with
// them the determinant of the matrix by which the other variables are found: a pendulum with the
// state x has y from x^2 + y^2 = L^2, and loses it where y = 0. So at each accepted step the entry
// MODEL_PIVOTS gives the coefficients of now, and selection_improve the states that an elimination
// would choose with them. The present states go if they are less than `poor_selection` times as
// good as those: the factor keeps two selections from taking turns.
//
// The mode that takes over is a variant: it has the same equations, choices and event functions, so
// every value that it begins with is one that the mode before has just computed (reselect_value).

#include "instant/reselect.h"

#include <stdlib.h>

// States are chosen anew where their pivots are this much smaller than the best ones.
static const double poor_selection = 0.5;

static void make_selector(const Mode *m, ModelScratch *s)
{
    const Signature *signature = m->structure->signature;
    s->jacobian = ARENA_ARRAY(s->arena, signature_entry_count(signature), double);
    s->orders = ARENA_ARRAY(s->arena, signature->variable_count, uint32_t);
    s->selector = selection_selector(s->arena, m->structure->plan);
}

// The states that are best at these pivots, in s->orders. False: the present ones are good enough.
static bool find_better(const Mode *m, ModelScratch *s, const double *pivots)
{
    if (!s->selector)
        make_selector(m, s);
    for (uint32_t i = 0; i < m->jump.pivot_count; i++)
        s->jacobian[m->jump.pivot_entries[i]] = pivots[i];
    memcpy(s->orders, m->structure->state_orders,
           m->structure->signature->variable_count * sizeof *s->orders);
    return selection_improve(s->selector, s->jacobian, poor_selection, s->orders);
}

// The same; false also without memory.
static bool try_better(const Mode *m, ModelScratch *s, const double *pivots)
{
    jmp_buf exhaustion;
    volatile bool is_found = false;
    if (!s->arena)
        s->arena = arena_create(NULL);
    if (!s->arena)
        return false;
    arena_on_exhaustion(s->arena, &exhaustion);
    if (setjmp(exhaustion) == 0)
        is_found = find_better(m, s, pivots);
    arena_on_exhaustion(s->arena, NULL);
    return is_found;
}

static const Mode *select_states(const Mode *m, ModelScratch *s, const double *pivots)
{
    const Mode *better = try_better(m, s, pivots) ? model_variant(m, s->orders) : m;
    return better && !better->is_broken ? better : m;
}

const Mode *reselect_part(const Mode *m, const double *pivots)
{
    ModelScratch *s = m->jump.pivot_count ? mode_take_scratch(m) : NULL;
    if (!s)
        return m;
    const Mode *better = select_states(m, s, pivots);
    mode_give_scratch(m, s);
    return better;
}

const Mode *reselect_mode(const Mode *m, ModelScratch *s, const double *pivots)
{
    if (m->jump.pivot_count == 0)
        return m;
    if (m->parts.count == 1)
        return select_states(m, s, pivots);
    const Mode **parts = calloc(m->parts.count, sizeof *parts);
    const Mode *better = NULL;
    for (uint32_t k = 0; parts && k < m->parts.count; k++) {
        parts[k] = reselect_part(m->parts.modes[k], pivots);
        pivots += m->parts.modes[k]->jump.pivot_count;
    }
    if (parts)
        better = model_join(m->model, parts);
    free(parts);
    return better ? better : m;
}

double reselect_value(const Mode *m, const ProgramScratch *scratch, const double *x, uint32_t v)
{
    const StateNumber state = program_state(m->flow, v);
    if (state != CODE_NONE)
        return x[state];
    const UnknownPlace place = program_place(m->flow, v);
    return place == CODE_NONE ? 0.0 : scratch->w[place];
}

static void take_over(SaltusEvent *event, const Mode *from, const ProgramScratch *scratch,
                      const Mode *to)
{
    const uint32_t guesses = to->flow->guesses.count, all = to->states.count + guesses;
    double *values = calloc(all + 1u, sizeof *values);
    if (!values) {
        saltus_fail(event, "out of memory");
        return;
    }
    for (uint32_t i = 0; i < to->states.count; i++)
        values[i] = reselect_value(from, scratch, event->x, to->states.variables[i]);
    for (uint32_t i = 0; i < guesses; i++)
        values[to->states.count + i] =
            reselect_value(from, scratch, event->x, to->flow->guesses.variables[i]);
    if (saltus_switch_mode(event, (int)to->number) == SALTUS_OK) {
        memcpy(event->x, values, to->states.count * sizeof *values);
        memcpy(event->z, values + to->states.count, guesses * sizeof *values);
    }
    free(values);
}

// The mode with the best states at a point; itself where it cannot be computed.
static const Mode *reselect_at(const Mode *m, ModelScratch *s, const ProgramInputs *inputs,
                               const double *z)
{
    if (program_solve(m->flow, s->program, inputs, PROGRAM_ALL, z, NULL) != PROGRAM_FINE ||
        program_evaluate(m->flow, s->program, inputs, MODEL_PIVOTS, s->values) != PROGRAM_FINE)
        return m;
    return reselect_mode(m, s, s->values);
}

bool reselect_is_due(const SaltusContext *c, double t, const double *x, const double *z)
{
    const Mode *m = c->data;
    ModelScratch *s = m->jump.pivot_count ? mode_take_scratch(m) : NULL;
    if (!s)
        return false;
    ModelInstant instant;
    const ModelMemory memory = model_memory(m->model, c->memory);
    const ProgramInputs inputs = frozen_inputs(&memory, t, x, c->p);
    model_begin_instant(m->model, &instant);
    const bool is_due = reselect_at(m, s, &inputs, z) != m;
    model_end_instant(m->model, &instant);
    mode_give_scratch(m, s);
    return is_due;
}

void reselect_accepted(SaltusEvent *event)
{
    const Mode *m = event->data;
    if (m->jump.pivot_count == 0)
        return;
    ModelScratch *s = mode_take_scratch(m);
    if (!s) {
        saltus_fail(event, "out of memory");
        return;
    }
    const ModelMemory memory = model_memory(m->model, event->memory);
    const ProgramInputs inputs = frozen_inputs(&memory, event->t, event->x, event->p);
    const Mode *better = reselect_at(m, s, &inputs, event->z);
    if (better != m)
        take_over(event, m, s->program, better);
    mode_give_scratch(m, s);
}
