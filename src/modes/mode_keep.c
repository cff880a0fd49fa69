// SPDX-License-Identifier: MIT
//
// What is kept of a mode when its analysis goes: programs, tables, names.

#include "modes/continuation.h"
#include "modes/enclosure.h"
#include "modes/model_parts.h"

#include <assert.h>

// A new member that points to something must be kept, too.
static_assert(sizeof(void *) != 8 || (sizeof(Mode) == 752 && sizeof(ModelHold) == 40 &&
                                      sizeof(ModelInitial) == 32 && sizeof(AssembledAction) == 56 &&
                                      sizeof(SaltusEventDef) == 64 && sizeof(ModelSurface) == 32),
              "mode_keep must know all members");

static void keep_holds(Mode *m, const Keeper *k)
{
    const uint32_t held = m->model->held_count;
    ModelHold *holds = keep_array(k, m->holds, m->hold_count, sizeof *holds);
    for (uint32_t i = 0; i < m->hold_count; i++)
        holds[i].text = keep_text(k, holds[i].text);
    SaltusEventDef *events = keep_array(k, m->events, m->event_count, sizeof *events);
    for (uint32_t i = 0; i < m->event_count; i++) {
        events[i].name = keep_text(k, events[i].name);
        events[i].condition = keep_text(k, events[i].condition);
        events[i].place = keep_text(k, events[i].place);
    }
    m->holds = holds;
    m->events = events;
    m->enclosures = enclosure_keep(m->enclosures, m->event_count, k);
    KEEP(k, m->is_live, held);
    KEEP(k, m->is_flow, held);
    KEEP(k, m->is_decisive, held);
    KEEP(k, m->read_places, m->read_count);
}

static void keep_actions(GatheredActions *actions, const Keeper *k)
{
    KEEP(k, actions->items, actions->count);
    KEEP(k, actions->numbers, actions->count);
    for (uint32_t i = 0; i < actions->count; i++)
        actions->items[i].message = keep_text(k, actions->items[i].message);
}

static const SaltusSparsity *keep_sparsity(const SaltusSparsity *from, uint32_t columns,
                                           const Keeper *k)
{
    if (!from)
        return NULL;
    SaltusSparsity *sparsity = keep_array(k, from, 1, sizeof *from);
    KEEP(k, sparsity->rows, sparsity->column_start[columns]);
    KEEP(k, sparsity->column_start, columns + 1);
    return sparsity;
}

// Of the initial problem, what must hold besides: by row, its equation.
static const Initial *keep_initial(const Initial *from, const Keeper *k)
{
    if (!from)
        return NULL;
    Initial *initial = ARENA_NEW(k->to, Initial);
    Signature *complete = ARENA_NEW(k->to, Signature);
    SignatureEquation *equations = ARENA_ARRAY(k->to, from->surplus_count, SignatureEquation);
    initial->surplus = keep_array(k, from->surplus, from->surplus_count, sizeof *from->surplus);
    initial->surplus_count = from->surplus_count;
    initial->complete_rows = initial->surplus;
    for (uint32_t i = 0; i < from->surplus_count; i++) {
        const InitialRow *row = &from->surplus[i];
        uint32_t r = 0;
        while (from->complete_rows[r].kind != row->kind ||
               from->complete_rows[r].number != row->number ||
               from->complete_rows[r].order != row->order)
            r++;
        const SignatureEquation *about = &from->complete->equations[r];
        equations[i] = (SignatureEquation){.text = keep_text(k, about->text), .span = about->span};
    }
    complete->equations = equations;
    complete->equation_count = from->surplus_count;
    initial->complete = complete;
    return initial;
}

void mode_keep_start(Mode *m, const Keeper *k)
{
    if (!m->start || !arena_owns(k->from, m->start))
        return;
    m->initial = keep_initial(m->initial, k);
    ModelInitial *values = keep_array(k, m->initial_values, m->initial_count, sizeof *values);
    for (uint32_t i = 0; i < m->initial_count; i++)
        values[i].name = keep_text(k, values[i].name);
    m->initial_values = values;
    KEEP(k, m->found, m->found_count);
    KEEP(k, m->found_places, m->found_count);
    m->continuation = continuation_keep(m->continuation, k);
    KEEP(k, m->start_places, m->state_count + m->flow->guess_count);
    KEEP(k, m->guess_steps, m->start->guess_count);
    m->start = program_keep(m->start, k, PROGRAM_SEARCHED | program_short_use(m->start));
}

static void keep_surfaces(Mode *m, const Keeper *k)
{
    ModelSurface *surfaces = keep_array(k, m->surfaces, m->surface_count, sizeof *surfaces);
    for (uint32_t i = 0; i < m->surface_count; i++) {
        KEEP(k, surfaces[i].members, surfaces[i].count);
        KEEP(k, surfaces[i].is_below, surfaces[i].count);
    }
    m->surfaces = surfaces;
}

void mode_keep_broken(Mode *m, const Keeper *k)
{
    KEEP(k, m->choices, m->model->choice_count);
    KEEP(k, m->is_suspect, m->model->choice_count);
    keep_surfaces(m, k);
    m->flow = m->start = m->entry = m->chooser = NULL; // they go with the analysis
    m->impulse = NULL;
    m->evaluation.program = NULL;
}

// One of many large modes is not worth the compiler's time, unless it is asked for. What the first
// mode is compiled for is not known yet.
static bool may_compile(const Mode *m)
{
    return !m->model->has_first || m->model->backend->choice == BACKEND_C ||
           program_length(m->flow) <= BACKEND_MOST_MODE_INSTRUCTIONS;
}

void mode_keep(Mode *m, const Keeper *k)
{
    const uint32_t guesses = m->flow->guess_count;
    mode_keep_start(m, k);
    KEEP(k, m->choices, m->model->choice_count);
    KEEP(k, m->slides, m->model->held_count);
    keep_surfaces(m, k);
    m->is_suspect = NULL;
    KEEP(k, m->outputs, m->flow->counts[MODEL_OUTPUTS]);
    KEEP(k, m->impulse_lefts, m->impulse ? m->impulse->count + m->impulse->guess_count : 0);
    KEEP(k, m->impulse_states, m->state_count);
    if (m->chooser && arena_owns(k->from, m->chooser))
        m->chooser = program_keep(m->chooser, k, 0);
    m->impulse = impulse_keep(m->impulse, k);
    KEEP(k, m->pivot_entries, m->pivot_count);
    KEEP(k, m->states, m->state_count);
    m->state_names = keep_texts(k, m->state_names, m->state_count);
    KEEP(k, m->state_lefts, m->state_count);
    KEEP(k, m->guess_lefts, guesses);
    m->guess_names = keep_texts(k, m->guess_names, guesses);
    KEEP(k, m->nominals, m->state_count + guesses);
    m->sparsity = keep_sparsity(m->sparsity, m->state_count, k);
    keep_holds(m, k);
    KEEP(k, m->discrete, m->discrete_count);
    KEEP(k, m->left_places, m->left_count);
    keep_actions(&m->actions, k);
    keep_actions(&m->assertions, k);
    KEEP(k, m->action_states, m->actions.count);
    KEEP(k, m->action_lefts, m->actions.count);
    KEEP(k, m->action_jumps, m->actions.count);
    m->reinit_names = keep_texts(k, m->reinit_names, m->actions.count);
    KEEP(k, m->branches, m->branch_count);
    KEEP(k, m->transitions, m->transition_count);
    m->entry = program_keep(m->entry, k, program_short_use(m->entry));
    m->flow = program_keep(m->flow, k, PROGRAM_SEARCHED | (may_compile(m) ? PROGRAM_COMPILED : 0));
    m->evaluation.program = m->flow;
    m->evaluation.sparsity = m->sparsity;
    m->evaluation.nonlinear = keep_text(k, m->evaluation.nonlinear);
    if (!m->evaluation.affines)
        return;
    const Affine **affines = ARENA_ARRAY(k->to, 1, const Affine *);
    affines[0] = affine_keep(m->evaluation.affines[0], k);
    m->evaluation.affines = affines;
}
