// SPDX-License-Identifier: MIT
//
// What is kept of a mode when its analysis goes: programs, tables, names. A mode is made in memory
// that is released afterwards (workshop.h); whatever it points to is copied, so that it owns all of
// it and can be dropped as a whole. A member that was forgotten here would point to what is gone:
// the sizes of the structs are asserted, so that a new one does not compile.

#include "modes/continuation.h"
#include "modes/enclosure.h"
#include "modes/model_parts.h"

#include <assert.h>

// A new member that points to something must be kept, too.
static_assert(sizeof(void *) != 8 ||
                  (sizeof(Mode) == 784 && sizeof(ModelHold) == 40 && sizeof(ModelInitial) == 32 &&
                   sizeof(AssembledAction) == 56 && sizeof(SaltusEventDef) == 64 &&
                   sizeof(GatheredSurface) == 32),
              "mode_keep must know all members");

static void keep_holds(Mode *m, const Keeper *k)
{
    const uint32_t held = m->model->sizes.held;
    ModelHold *holds = keep_array(k, m->conditions.holds, m->conditions.hold_count, sizeof *holds);
    for (uint32_t i = 0; i < m->conditions.hold_count; i++)
        holds[i].text = keep_text(k, holds[i].text);
    SaltusEventDef *events =
        keep_array(k, m->conditions.events, m->conditions.event_count, sizeof *events);
    for (uint32_t i = 0; i < m->conditions.event_count; i++) {
        events[i].name = keep_text(k, events[i].name);
        events[i].condition = keep_text(k, events[i].condition);
        events[i].place = keep_text(k, events[i].place);
    }
    m->conditions.holds = holds;
    m->conditions.events = events;
    m->conditions.enclosures =
        enclosure_keep(m->conditions.enclosures, m->conditions.event_count, k);
    KEEP(k, m->conditions.is_live, held);
    KEEP(k, m->conditions.is_muted, held);
    KEEP(k, m->conditions.is_flow, held);
    KEEP(k, m->conditions.is_decisive, held);
    KEEP(k, m->memory.reads, m->memory.read_count);
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

// One of many large modes is not worth the compiler's time, unless it is asked for. What the first
// mode is compiled for is not known yet; one whose states may be chosen anew keeps everything.
static bool may_compile(const Mode *m, const Program *flow)
{
    return !m->model->has_first || m->jump.pivot_count > 0 || backend_is_c(m->model->backend) ||
           program_length(flow) <= BACKEND_MOST_MODE_INSTRUCTIONS;
}

const Program *mode_keep_program(const Mode *m, const Program *p, const Keeper *k)
{
    const bool is_compiled = p && !p->is_start && may_compile(m, p);
    return program_keep(p, k,
                        PROGRAM_SEARCHED | (is_compiled ? PROGRAM_COMPILED : program_short_use(p)));
}

void mode_keep_start(Mode *m, const Keeper *k)
{
    if (!m->start.program || !arena_owns(k->from, m->start.places))
        return;
    m->start.initial = initial_keep(m->start.initial, k);
    ModelInitial *values = keep_array(k, m->start.values, m->start.value_count, sizeof *values);
    for (uint32_t i = 0; i < m->start.value_count; i++)
        values[i].name = keep_text(k, values[i].name);
    m->start.values = values;
    KEEP(k, m->start.found, m->start.found_count);
    KEEP(k, m->start.found_places, m->start.found_count);
    m->start.continuation = continuation_keep(m->start.continuation, k);
    KEEP(k, m->start.places, m->states.count + m->flow->guesses.count);
    KEEP(k, m->start.guess_steps, m->start.program->guesses.count);
    m->start.program = mode_keep_program(m, m->start.program, k);
}

static void keep_surfaces(Mode *m, const Keeper *k)
{
    GatheredSurface *surfaces =
        keep_array(k, m->switches.surfaces, m->switches.surface_count, sizeof *surfaces);
    for (uint32_t i = 0; i < m->switches.surface_count; i++) {
        KEEP(k, surfaces[i].members, surfaces[i].count);
        KEEP(k, surfaces[i].is_below, surfaces[i].count);
    }
    m->switches.surfaces = surfaces;
}

void mode_keep_broken(Mode *m, const Keeper *k)
{
    KEEP(k, m->switches.choices, m->model->sizes.choices);
    KEEP(k, m->is_suspect, m->model->sizes.choices);
    keep_surfaces(m, k);
    m->flow = m->start.program = m->entry = m->jump.chooser = NULL; // they go with the analysis
    m->jump.impulse = NULL;
    m->evaluation.program = NULL;
}

void mode_keep(Mode *m, const Keeper *k)
{
    const uint32_t guesses = m->flow->guesses.count;
    mode_keep_start(m, k);
    KEEP(k, m->switches.choices, m->model->sizes.choices);
    KEEP(k, m->switches.slides, m->model->sizes.held);
    keep_surfaces(m, k);
    m->is_suspect = NULL;
    KEEP(k, m->parts.outputs, m->flow->counts[MODEL_OUTPUTS]);
    KEEP(k, m->jump.lefts,
         m->jump.impulse ? m->jump.impulse->count + m->jump.impulse->guess_count : 0);
    KEEP(k, m->jump.states, m->states.count);
    if (m->jump.chooser && arena_owns(k->from, m->jump.chooser))
        m->jump.chooser = program_keep(m->jump.chooser, k, 0);
    m->jump.impulse = impulse_keep(m->jump.impulse, k);
    KEEP(k, m->jump.pivot_entries, m->jump.pivot_count);
    KEEP(k, m->states.variables, m->states.count);
    m->states.names = keep_texts(k, m->states.names, m->states.count);
    KEEP(k, m->states.lefts, m->states.count);
    KEEP(k, m->states.guess_lefts, guesses);
    m->states.guess_names = keep_texts(k, m->states.guess_names, guesses);
    KEEP(k, m->states.nominals, m->states.count + guesses);
    m->states.sparsity = keep_sparsity(m->states.sparsity, m->states.count, k);
    keep_holds(m, k);
    KEEP(k, m->memory.discrete, m->memory.discrete_count);
    KEEP(k, m->memory.lefts, m->memory.left_count);
    keep_actions(&m->actions.gathered, k);
    keep_actions(&m->actions.assertions, k);
    KEEP(k, m->actions.states, m->actions.gathered.count);
    KEEP(k, m->actions.lefts, m->actions.gathered.count);
    KEEP(k, m->actions.jumps, m->actions.gathered.count);
    m->actions.names = keep_texts(k, m->actions.names, m->actions.gathered.count);
    KEEP(k, m->switches.branches, m->switches.branch_count);
    KEEP(k, m->switches.transitions, m->switches.transition_count);
    m->entry = program_keep(m->entry, k, program_short_use(m->entry));
    m->flow = mode_keep_program(m, m->flow, k);
    m->evaluation.program = m->flow;
    m->evaluation.sparsity = m->states.sparsity;
    m->evaluation.nonlinear = keep_text(k, m->evaluation.nonlinear);
    if (!m->evaluation.affines)
        return;
    const Affine **affines = ARENA_ARRAY(k->to, 1, const Affine *);
    affines[0] = affine_keep(m->evaluation.affines[0], k);
    m->evaluation.affines = affines;
}
