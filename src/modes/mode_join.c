// SPDX-License-Identifier: MIT
//
// Modes of models that have several parts: one mode of each, their tables one after the other.
//
// What always holds: the tables of part k follow those of part k - 1, in the same order within, so
// that an index of the whole is that of the part and what came before it (Program.joined.parts, and
// running sums here). What is not numbered by the part is the same in all: places in the memory,
// conditions (`held`), choices. Each of those belongs to one part; arrays over all conditions are
// therefore joined by "or". The parts share no unknowns, so the matrix has their blocks on its
// diagonal and nothing beside them.
//
// Nothing is analysed again: the cost is that of copying the tables.

#include "modes/enclosure.h"

#include "modes/sparsity.h"

// ---------------------------------------------------------------------------
// Programs
// ---------------------------------------------------------------------------

static const Program *join_flows(Mode *m)
{
    Arena *arena = m->arena;
    const Program **programs = ARENA_ARRAY(arena, m->parts.count, const Program *);
    const uint32_t **outputs = ARENA_ARRAY(arena, m->parts.count, const uint32_t *);
    for (uint32_t k = 0; k < m->parts.count; k++) {
        programs[k] = m->parts.modes[k]->flow;
        outputs[k] = m->parts.modes[k]->parts.outputs;
    }
    Program *all = program_join(arena, programs, m->parts.count, MODEL_ENTRY_COUNT);
    program_scatter(all, MODEL_OUTPUTS, outputs, m->model->observer, m->model->observed);
    return all;
}

// They are linear if all parts are.
static void join_affines(Mode *m)
{
    const Affine **affines = ARENA_ARRAY(m->arena, m->parts.count, const Affine *);
    for (uint32_t k = 0; k < m->parts.count; k++) {
        const ModeEvaluation *e = &m->parts.modes[k]->evaluation;
        if (!e->affines) {
            m->evaluation.nonlinear = e->nonlinear;
            return;
        }
        affines[k] = e->affines[0];
    }
    evaluation_set_affines(&m->evaluation, affines, m->parts.count);
}

static const Program *join_entry_programs(Mode *m)
{
    Arena *arena = m->arena;
    const Program **programs = ARENA_ARRAY(arena, m->parts.count, const Program *);
    for (uint32_t k = 0; k < m->parts.count; k++) {
        programs[k] = m->parts.modes[k]->entry;
        if (!programs[k])
            return NULL;
    }
    return program_join(arena, programs, m->parts.count, ENTRY_KIND_COUNT);
}

// ---------------------------------------------------------------------------
// Tables
// ---------------------------------------------------------------------------

static void count(Mode *m)
{
    m->conditions.has_rates = true;
    for (uint32_t k = 0; k < m->parts.count; k++) {
        const Mode *part = m->parts.modes[k];
        m->states.count += part->states.count;
        m->conditions.hold_count += part->conditions.hold_count;
        m->conditions.event_count += part->conditions.event_count;
        m->conditions.time_count += part->conditions.time_count;
        m->memory.discrete_count += part->memory.discrete_count;
        m->memory.left_count += part->memory.left_count;
        m->memory.read_count += part->memory.read_count;
        m->actions.gathered.count += part->actions.gathered.count;
        m->actions.assertions.count += part->actions.assertions.count;
        m->switches.branch_count += part->switches.branch_count;
        m->switches.transition_count += part->switches.transition_count;
        m->jump.pivot_count += part->jump.pivot_count;
        m->most_values += part->most_values;
        m->conditions.has_rates = m->conditions.has_rates && part->conditions.has_rates;
    }
    const uint32_t outputs = m->model->outputs.count;
    m->most_values = m->most_values > outputs ? m->most_values : outputs;
}

// Appends an array of a part to the same of the whole.
#define APPEND(to, from, size) (size ? (void)memcpy(to, from, (size) * sizeof *(to)) : (void)0)

static void join_states(Mode *m)
{
    Arena *arena = m->arena;
    const uint32_t states = m->states.count, guesses = m->flow->guesses.count;
    GraphVariable *variables = ARENA_ARRAY(arena, states, GraphVariable);
    MemoryPlace *lefts = ARENA_ARRAY(arena, states, MemoryPlace);
    uint32_t *guess_lefts = ARENA_ARRAY(arena, guesses, uint32_t);
    const char **names = ARENA_ARRAY(arena, states, const char *);
    const char **guess_names = ARENA_ARRAY(arena, guesses, const char *);
    double *nominals = ARENA_ARRAY(arena, states + guesses, double);
    for (uint32_t k = 0; k < m->parts.count; k++) {
        const Mode *part = m->parts.modes[k];
        const uint32_t x = m->flow->joined.parts[k].state, z = m->flow->joined.parts[k].guess;
        const uint32_t part_guesses = part->flow->guesses.count;
        APPEND(variables + x, part->states.variables, part->states.count);
        APPEND(lefts + x, part->states.lefts, part->states.count);
        APPEND(names + x, part->states.names, part->states.count);
        APPEND(nominals + x, part->states.nominals, part->states.count);
        APPEND(guess_lefts + z, part->states.guess_lefts, part_guesses);
        APPEND(guess_names + z, part->states.guess_names, part_guesses);
        APPEND(nominals + states + z, part->states.nominals + part->states.count, part_guesses);
    }
    m->states.variables = variables;
    m->states.lefts = lefts;
    m->states.names = names;
    m->states.guess_lefts = guess_lefts;
    m->states.guess_names = guess_names;
    m->states.nominals = nominals;
}

static void mode_join_join_holds(Mode *m)
{
    Arena *arena = m->arena;
    const uint32_t held = m->model->sizes.held;
    ModelHold *holds = ARENA_ARRAY(arena, m->conditions.hold_count, ModelHold), *next = holds;
    SaltusEventDef *events = ARENA_ARRAY(arena, m->conditions.event_count, SaltusEventDef);
    Enclosure *enclosures = ARENA_ARRAY(arena, m->conditions.event_count, Enclosure);
    bool *is_live = ARENA_ARRAY(arena, held, bool), *is_muted = ARENA_ARRAY(arena, held, bool);
    bool *is_flow = ARENA_ARRAY(arena, held, bool), *is_decisive = ARENA_ARRAY(arena, held, bool);
    uint32_t event = 0, time = 0;
    for (uint32_t k = 0; k < m->parts.count; k++) {
        const Mode *part = m->parts.modes[k];
        for (uint32_t i = 0; i < part->conditions.hold_count; i++, next++) {
            *next = part->conditions.holds[i];
            next->index += next->kind == HOLD_CROSSING ? event : next->kind == HOLD_TIME ? time : 0;
        }
        APPEND(events + event, part->conditions.events, part->conditions.event_count);
        if (part->conditions.enclosures) {
            APPEND(enclosures + event, part->conditions.enclosures, part->conditions.event_count);
            m->conditions.enclosures = enclosures;
        }
        for (uint32_t h = 0; h < held; h++) {
            is_live[h] |= part->conditions.is_live[h];
            is_muted[h] |= part->conditions.is_muted[h];
            is_flow[h] |= part->conditions.is_flow[h];
            is_decisive[h] |= part->conditions.is_decisive[h];
        }
        event += part->conditions.event_count;
        time += part->conditions.time_count;
    }
    m->conditions.holds = holds;
    m->conditions.events = events;
    m->conditions.is_live = is_live;
    m->conditions.is_muted = is_muted;
    m->conditions.is_flow = is_flow;
    m->conditions.is_decisive = is_decisive;
}

static void append_actions(GatheredActions *to, uint32_t at, const GatheredActions *from)
{
    APPEND(to->items + at, from->items, from->count);
    APPEND(to->numbers + at, from->numbers, from->count);
}

static void join_actions(Mode *m)
{
    Arena *arena = m->arena;
    const uint32_t actions = m->actions.gathered.count, assertions = m->actions.assertions.count;
    m->actions.gathered.items = ARENA_ARRAY(arena, actions, AssembledAction);
    m->actions.gathered.numbers = ARENA_ARRAY(arena, actions, uint32_t);
    m->actions.assertions.items = ARENA_ARRAY(arena, assertions, AssembledAction);
    m->actions.assertions.numbers = ARENA_ARRAY(arena, assertions, uint32_t);
    StateNumber *states = ARENA_ARRAY(arena, actions, StateNumber);
    MemoryPlace *lefts = ARENA_ARRAY(arena, actions, MemoryPlace);
    const char **names = ARENA_ARRAY(arena, actions, const char *);
    uint32_t action = 0, assertion = 0;
    for (uint32_t k = 0; k < m->parts.count; k++) {
        const Mode *part = m->parts.modes[k];
        append_actions(&m->actions.gathered, action, &part->actions.gathered);
        append_actions(&m->actions.assertions, assertion, &part->actions.assertions);
        APPEND(lefts + action, part->actions.lefts, part->actions.gathered.count);
        APPEND(names + action, part->actions.names, part->actions.gathered.count);
        for (uint32_t i = 0; i < part->actions.gathered.count; i++)
            states[action + i] = part->actions.states[i] == CODE_NONE
                                     ? CODE_NONE
                                     : part->actions.states[i] + m->flow->joined.parts[k].state;
        action += part->actions.gathered.count;
        assertion += part->actions.assertions.count;
    }
    m->actions.states = states;
    m->actions.lefts = lefts;
    m->actions.names = names;
}

static void join_others(Mode *m)
{
    Arena *arena = m->arena;
    ModelDiscrete *discrete = ARENA_ARRAY(arena, m->memory.discrete_count, ModelDiscrete);
    MemoryPlace *lefts = ARENA_ARRAY(arena, m->memory.left_count, MemoryPlace);
    uint32_t *branches = ARENA_ARRAY(arena, m->switches.branch_count, uint32_t);
    uint32_t *transitions = ARENA_ARRAY(arena, m->switches.transition_count, uint32_t);
    uint32_t *reads = ARENA_ARRAY(arena, m->memory.read_count, uint32_t);
    m->memory.discrete = discrete;
    m->memory.lefts = lefts;
    m->memory.reads = reads;
    m->switches.branches = branches;
    m->switches.transitions = transitions;
    for (uint32_t k = 0; k < m->parts.count; k++) {
        const Mode *part = m->parts.modes[k];
        APPEND(discrete, part->memory.discrete, part->memory.discrete_count);
        APPEND(lefts, part->memory.lefts, part->memory.left_count);
        APPEND(reads, part->memory.reads, part->memory.read_count);
        APPEND(branches, part->switches.branches, part->switches.branch_count);
        APPEND(transitions, part->switches.transitions, part->switches.transition_count);
        discrete += part->memory.discrete_count;
        lefts += part->memory.left_count;
        reads += part->memory.read_count;
        branches += part->switches.branch_count;
        transitions += part->switches.transition_count;
    }
}

static void join_surfaces(Mode *m)
{
    Arena *arena = m->arena;
    const uint32_t held = m->model->sizes.held;
    uint32_t count = 0;
    for (uint32_t k = 0; k < m->parts.count; k++)
        count += m->parts.modes[k]->switches.surface_count;
    if (count == 0)
        return;
    bool *slides = ARENA_ARRAY(arena, held, bool);
    GatheredSurface *surfaces = ARENA_ARRAY(arena, count, GatheredSurface);
    for (uint32_t k = 0; k < m->parts.count; k++) {
        const Mode *part = m->parts.modes[k];
        APPEND(surfaces + m->switches.surface_count, part->switches.surfaces,
               part->switches.surface_count);
        m->switches.surface_count += part->switches.surface_count;
        for (uint32_t h = 0; h < held && part->switches.slides; h++)
            slides[h] |= part->switches.slides[h];
    }
    m->switches.slides = slides;
    m->switches.surfaces = surfaces;
}

// ---------------------------------------------------------------------------
// Sparsity
// ---------------------------------------------------------------------------

static double entries_of(const Mode *part)
{
    return part->states.sparsity ? part->states.sparsity->column_start[part->states.count]
                                 : (double)part->states.count * part->states.count;
}

// Blocks on the diagonal, dense where a part is.
static void join_sparsity(Mode *m)
{
    Arena *arena = m->arena;
    double entries = 0.0;
    for (uint32_t k = 0; k < m->parts.count; k++)
        entries += entries_of(m->parts.modes[k]);
    if (!sparsity_pays(m->states.count, entries))
        return;
    int *starts = ARENA_ARRAY(arena, m->states.count + 1u, int);
    int *rows = ARENA_ARRAY(arena, (uint32_t)entries, int), column = 0, filled = 0;
    for (uint32_t k = 0; k < m->parts.count; k++) {
        const Mode *part = m->parts.modes[k];
        const SaltusSparsity *own = part->states.sparsity;
        const int n = (int)part->states.count, first = (int)m->flow->joined.parts[k].state;
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
    m->states.sparsity = sparsity;
}

// ---------------------------------------------------------------------------
// The whole
// ---------------------------------------------------------------------------

// A mode is broken if one of its parts is, whose messages it has then.
static bool join_broken(Mode *m)
{
    for (uint32_t k = 0; k < m->parts.count && !m->is_broken; k++) {
        m->is_broken = m->parts.modes[k]->is_broken;
        if (m->is_broken)
            m->diagnostics = m->parts.modes[k]->diagnostics;
    }
    return m->is_broken;
}

void mode_join(Mode *m)
{
    const Model *model = m->model;
    Choice *choices = ARENA_ARRAY(m->arena, model->sizes.choices, Choice);
    for (uint32_t i = 0; i < model->sizes.choices; i++)
        choices[i] = m->parts.modes[model->assembly->parts->of_choice[i]]->switches.choices[i];
    m->switches.choices = choices;
    m->switches.are_decided = true;
    m->parts.number = PARTS_ALL;
    join_surfaces(m);
    m->name = mode_name(model, m->arena, choices, m->switches.surfaces, m->switches.surface_count);
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
                                     .has_rates = m->conditions.has_rates,
                                     .memory_count = model->sizes.memory};
    join_affines(m);
    m->plain = mode_find_plain(m);
}

void mode_join_entries(ModeMaker *k, const ProgramEntry *const *parts)
{
    const Mode *m = k->mode;
    for (uint32_t e = 0; e < MODEL_ENTRY_COUNT; e++) {
        uint32_t nodes = 0, definitions = 0;
        for (uint32_t i = 0; i < m->parts.count; i++) {
            nodes += parts[i][e].count;
            definitions += parts[i][e].definition_count;
        }
        Node *all = ARENA_ARRAY(k->arena, nodes, Node), *node = all;
        DagTerm *list = ARENA_ARRAY(k->arena, definitions, DagTerm);
        DagTerm *definition = list;
        for (uint32_t i = 0; i < m->parts.count; i++) {
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
