// SPDX-License-Identifier: MIT
//
// Modes of models that have several parts: one mode of each, their tables one after the other.

#include "modes/enclosure.h"

#include "modes/sparsity.h"

// ---------------------------------------------------------------------------
// Programs
// ---------------------------------------------------------------------------

static const Program *join_flows(Mode *m)
{
    Arena *arena = m->arena;
    const Program **programs = ARENA_ARRAY(arena, m->part_count, const Program *);
    const uint32_t **outputs = ARENA_ARRAY(arena, m->part_count, const uint32_t *);
    for (uint32_t k = 0; k < m->part_count; k++) {
        programs[k] = m->parts[k]->flow;
        outputs[k] = m->parts[k]->outputs;
    }
    const ProgramScatter scatter = {MODEL_OUTPUTS, outputs, m->model->observer, m->model->observed};
    return program_join(arena, programs, m->part_count, MODEL_ENTRY_COUNT, &scatter);
}

// They are linear if all parts are.
static void join_affines(Mode *m)
{
    const Affine **affines = ARENA_ARRAY(m->arena, m->part_count, const Affine *);
    for (uint32_t k = 0; k < m->part_count; k++) {
        const ModeEvaluation *e = &m->parts[k]->evaluation;
        if (!e->affines) {
            m->evaluation.nonlinear = e->nonlinear;
            return;
        }
        affines[k] = e->affines[0];
    }
    evaluation_set_affines(&m->evaluation, affines, m->part_count);
}

static const Program *join_entry_programs(Mode *m)
{
    Arena *arena = m->arena;
    const Program **programs = ARENA_ARRAY(arena, m->part_count, const Program *);
    for (uint32_t k = 0; k < m->part_count; k++) {
        programs[k] = m->parts[k]->entry;
        if (!programs[k])
            return NULL;
    }
    return program_join(arena, programs, m->part_count, ENTRY_ENTRY_COUNT, NULL);
}

// ---------------------------------------------------------------------------
// Tables
// ---------------------------------------------------------------------------

static void count(Mode *m)
{
    m->has_rates = true;
    for (uint32_t k = 0; k < m->part_count; k++) {
        const Mode *part = m->parts[k];
        m->state_count += part->state_count;
        m->hold_count += part->hold_count;
        m->event_count += part->event_count;
        m->time_count += part->time_count;
        m->discrete_count += part->discrete_count;
        m->left_count += part->left_count;
        m->read_count += part->read_count;
        m->actions.count += part->actions.count;
        m->assertions.count += part->assertions.count;
        m->branch_count += part->branch_count;
        m->transition_count += part->transition_count;
        m->pivot_count += part->pivot_count;
        m->most_values += part->most_values;
        m->has_rates = m->has_rates && part->has_rates;
    }
    const uint32_t outputs = m->model->output_count;
    m->most_values = m->most_values > outputs ? m->most_values : outputs;
}

// Appends an array of a part to the same of the whole.
#define APPEND(to, from, size) (size ? (void)memcpy(to, from, (size) * sizeof *(to)) : (void)0)

static void join_states(Mode *m)
{
    Arena *arena = m->arena;
    const uint32_t states = m->state_count, guesses = m->flow->guess_count;
    uint32_t *variables = ARENA_ARRAY(arena, states, uint32_t);
    uint32_t *lefts = ARENA_ARRAY(arena, states, uint32_t);
    uint32_t *guess_lefts = ARENA_ARRAY(arena, guesses, uint32_t);
    const char **names = ARENA_ARRAY(arena, states, const char *);
    const char **guess_names = ARENA_ARRAY(arena, guesses, const char *);
    double *nominals = ARENA_ARRAY(arena, states + guesses, double);
    for (uint32_t k = 0; k < m->part_count; k++) {
        const Mode *part = m->parts[k];
        const uint32_t x = m->flow->parts[k].state, z = m->flow->parts[k].guess;
        const uint32_t part_guesses = part->flow->guess_count;
        APPEND(variables + x, part->states, part->state_count);
        APPEND(lefts + x, part->state_lefts, part->state_count);
        APPEND(names + x, part->state_names, part->state_count);
        APPEND(nominals + x, part->nominals, part->state_count);
        APPEND(guess_lefts + z, part->guess_lefts, part_guesses);
        APPEND(guess_names + z, part->guess_names, part_guesses);
        APPEND(nominals + states + z, part->nominals + part->state_count, part_guesses);
    }
    m->states = variables;
    m->state_lefts = lefts;
    m->state_names = names;
    m->guess_lefts = guess_lefts;
    m->guess_names = guess_names;
    m->nominals = nominals;
}

static void mode_join_join_holds(Mode *m)
{
    Arena *arena = m->arena;
    const uint32_t held = m->model->held_count;
    ModelHold *holds = ARENA_ARRAY(arena, m->hold_count, ModelHold), *next = holds;
    SaltusEventDef *events = ARENA_ARRAY(arena, m->event_count, SaltusEventDef);
    Enclosure *enclosures = ARENA_ARRAY(arena, m->event_count, Enclosure);
    bool *is_live = ARENA_ARRAY(arena, held, bool), *is_flow = ARENA_ARRAY(arena, held, bool);
    bool *is_decisive = ARENA_ARRAY(arena, held, bool);
    uint32_t event = 0, time = 0;
    for (uint32_t k = 0; k < m->part_count; k++) {
        const Mode *part = m->parts[k];
        for (uint32_t i = 0; i < part->hold_count; i++, next++) {
            *next = part->holds[i];
            next->index += next->kind == HOLD_CROSSING ? event : next->kind == HOLD_TIME ? time : 0;
        }
        APPEND(events + event, part->events, part->event_count);
        if (part->enclosures) {
            APPEND(enclosures + event, part->enclosures, part->event_count);
            m->enclosures = enclosures;
        }
        for (uint32_t h = 0; h < held; h++) {
            is_live[h] |= part->is_live[h];
            is_flow[h] |= part->is_flow[h];
            is_decisive[h] |= part->is_decisive[h];
        }
        event += part->event_count;
        time += part->time_count;
    }
    m->holds = holds;
    m->events = events;
    m->is_live = is_live;
    m->is_flow = is_flow;
    m->is_decisive = is_decisive;
}

static void append_actions(GatheredActions *to, uint32_t at, const GatheredActions *from)
{
    APPEND(to->items + at, from->items, from->count);
    APPEND(to->numbers + at, from->numbers, from->count);
}

static void join_actions(Mode *m)
{
    Arena *arena = m->arena;
    const uint32_t actions = m->actions.count, assertions = m->assertions.count;
    m->actions.items = ARENA_ARRAY(arena, actions, AssembledAction);
    m->actions.numbers = ARENA_ARRAY(arena, actions, uint32_t);
    m->assertions.items = ARENA_ARRAY(arena, assertions, AssembledAction);
    m->assertions.numbers = ARENA_ARRAY(arena, assertions, uint32_t);
    uint32_t *states = ARENA_ARRAY(arena, actions, uint32_t);
    uint32_t *lefts = ARENA_ARRAY(arena, actions, uint32_t);
    const char **names = ARENA_ARRAY(arena, actions, const char *);
    uint32_t action = 0, assertion = 0;
    for (uint32_t k = 0; k < m->part_count; k++) {
        const Mode *part = m->parts[k];
        append_actions(&m->actions, action, &part->actions);
        append_actions(&m->assertions, assertion, &part->assertions);
        APPEND(lefts + action, part->action_lefts, part->actions.count);
        APPEND(names + action, part->reinit_names, part->actions.count);
        for (uint32_t i = 0; i < part->actions.count; i++)
            states[action + i] = part->action_states[i] == CODE_NONE
                                     ? CODE_NONE
                                     : part->action_states[i] + m->flow->parts[k].state;
        action += part->actions.count;
        assertion += part->assertions.count;
    }
    m->action_states = states;
    m->action_lefts = lefts;
    m->reinit_names = names;
}

static void join_others(Mode *m)
{
    Arena *arena = m->arena;
    ModelDiscrete *discrete = ARENA_ARRAY(arena, m->discrete_count, ModelDiscrete);
    uint32_t *lefts = ARENA_ARRAY(arena, m->left_count, uint32_t);
    uint32_t *branches = ARENA_ARRAY(arena, m->branch_count, uint32_t);
    uint32_t *transitions = ARENA_ARRAY(arena, m->transition_count, uint32_t);
    uint32_t *reads = ARENA_ARRAY(arena, m->read_count, uint32_t);
    m->discrete = discrete;
    m->left_places = lefts;
    m->read_places = reads;
    m->branches = branches;
    m->transitions = transitions;
    for (uint32_t k = 0; k < m->part_count; k++) {
        const Mode *part = m->parts[k];
        APPEND(discrete, part->discrete, part->discrete_count);
        APPEND(lefts, part->left_places, part->left_count);
        APPEND(reads, part->read_places, part->read_count);
        APPEND(branches, part->branches, part->branch_count);
        APPEND(transitions, part->transitions, part->transition_count);
        discrete += part->discrete_count;
        lefts += part->left_count;
        reads += part->read_count;
        branches += part->branch_count;
        transitions += part->transition_count;
    }
}

static void join_surfaces(Mode *m)
{
    Arena *arena = m->arena;
    const uint32_t held = m->model->held_count;
    uint32_t count = 0;
    for (uint32_t k = 0; k < m->part_count; k++)
        count += m->parts[k]->surface_count;
    if (count == 0)
        return;
    bool *slides = ARENA_ARRAY(arena, held, bool);
    ModelSurface *surfaces = ARENA_ARRAY(arena, count, ModelSurface);
    for (uint32_t k = 0; k < m->part_count; k++) {
        const Mode *part = m->parts[k];
        APPEND(surfaces + m->surface_count, part->surfaces, part->surface_count);
        m->surface_count += part->surface_count;
        for (uint32_t h = 0; h < held && part->slides; h++)
            slides[h] |= part->slides[h];
    }
    m->slides = slides;
    m->surfaces = surfaces;
}

// ---------------------------------------------------------------------------
// Sparsity
// ---------------------------------------------------------------------------

static double entries_of(const Mode *part)
{
    return part->sparsity ? part->sparsity->column_start[part->state_count]
                          : (double)part->state_count * part->state_count;
}

// Blocks on the diagonal, dense where a part is.
static void join_sparsity(Mode *m)
{
    Arena *arena = m->arena;
    double entries = 0.0;
    for (uint32_t k = 0; k < m->part_count; k++)
        entries += entries_of(m->parts[k]);
    if (!sparsity_pays(m->state_count, entries))
        return;
    int *starts = ARENA_ARRAY(arena, m->state_count + 1u, int);
    int *rows = ARENA_ARRAY(arena, (uint32_t)entries, int), column = 0, filled = 0;
    for (uint32_t k = 0; k < m->part_count; k++) {
        const Mode *part = m->parts[k];
        const SaltusSparsity *own = part->sparsity;
        const int n = (int)part->state_count, first = (int)m->flow->parts[k].state;
        for (int j = 0; j < n; j++) {
            const int begin = own ? own->column_start[j] : 0;
            const int end = own ? own->column_start[j + 1] : n;
            for (int i = begin; i < end; i++)
                rows[filled++] = first + (own ? own->rows[i] : i);
            starts[++column] = filled;
        }
    }
    SaltusSparsity *sparsity = ARENA_NEW(arena, SaltusSparsity);
    *sparsity = (SaltusSparsity){.column_start = starts, .rows = rows};
    m->sparsity = sparsity;
}

// ---------------------------------------------------------------------------
// The whole
// ---------------------------------------------------------------------------

// A mode is broken if one of its parts is, whose messages it has then.
static bool join_broken(Mode *m)
{
    for (uint32_t k = 0; k < m->part_count && !m->is_broken; k++) {
        m->is_broken = m->parts[k]->is_broken;
        if (m->is_broken)
            m->diagnostics = m->parts[k]->diagnostics;
    }
    return m->is_broken;
}

void mode_join(Mode *m)
{
    const Model *model = m->model;
    uint32_t *choices = ARENA_ARRAY(m->arena, model->choice_count, uint32_t);
    for (uint32_t i = 0; i < model->choice_count; i++)
        choices[i] = m->parts[model->assembly->parts->of_choice[i]]->choices[i];
    m->choices = choices;
    m->part = PARTS_ALL;
    join_surfaces(m);
    m->name = mode_name(model, m->arena, choices, m->surfaces, m->surface_count);
    if (join_broken(m))
        return;
    mode_provide_spare(m);
    count(m);
    m->flow = join_flows(m);
    m->entry = join_entry_programs(m);
    join_states(m);
    mode_join_join_holds(m);
    join_actions(m);
    join_others(m);
    join_sparsity(m);
    m->evaluation = (ModeEvaluation){.program = m->flow,
                                     .backend = model->backend,
                                     .events = MODEL_EVENTS,
                                     .rates = MODEL_RATES,
                                     .outputs = MODEL_OUTPUTS,
                                     .has_rates = m->has_rates,
                                     .memory_count = model->memory_count};
    join_affines(m);
    m->plain = mode_find_plain(m);
}

void mode_join_entries(ModeMaker *k, const ProgramEntry *const *parts)
{
    const Mode *m = k->mode;
    for (uint32_t e = 0; e < MODEL_ENTRY_COUNT; e++) {
        uint32_t nodes = 0, definitions = 0;
        for (uint32_t i = 0; i < m->part_count; i++) {
            nodes += parts[i][e].count;
            definitions += parts[i][e].definition_count;
        }
        Node *all = ARENA_ARRAY(k->arena, nodes, Node), *node = all;
        CodeDefinition *list = ARENA_ARRAY(k->arena, definitions, CodeDefinition);
        CodeDefinition *definition = list;
        for (uint32_t i = 0; i < m->part_count; i++) {
            const ProgramEntry *entry = &parts[i][e];
            APPEND(node, entry->nodes, entry->count);
            APPEND(definition, entry->definitions, entry->definition_count);
            node += entry->count;
            definition += entry->definition_count;
        }
        mode_set_entry(k, (ModelEntry)e, parts[0][e].name, all, nodes);
        k->entries[e].definitions = list;
        k->entries[e].definition_count = definitions;
    }
}
