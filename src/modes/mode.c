// SPDX-License-Identifier: MIT
//
// Making a mode of a part of the model, which may be all of it. In this order:
//
//   mode_find_equations   equations whose guards hold, their structure, states, blocks
//   mode_set_entries      what events and outputs ask for, as lists of nodes: the entries
//   make_flow             the program that solves the blocks and computes the entries
//   make_impulse          the restart into the mode, if something can jump in it
//   make_entry            what is computed where a state of a machine is entered
//   mode_make_start       the initialization, if a run might begin in the mode
//
// Invariant: all of it is made in the workshop's arena and graph, which go when the mode is there.
// What stays is copied into one block (mode_keep); only where states may have to be chosen anew,
// the analysis stays, too. A mode that cannot be made is broken: its diagnostics say why, and its
// choices and suspects stay for the search.

#include "modes/enclosure.h"

#include "equations/print.h"
#include "modes/sparsity.h"

#include <time.h>

// ---------------------------------------------------------------------------
// Entries
// ---------------------------------------------------------------------------

void mode_set_entry(ModeMaker *k, ModelEntry entry, const char *name, const Node *nodes,
                    uint32_t count)
{
    k->entries[entry] = (ProgramEntry){.name = name, .nodes = nodes, .count = count};
    k->entries[entry].is_direct = entry == MODEL_EVENTS || entry == MODEL_OUTPUTS;
    if (count > k->mode->most_values)
        k->mode->most_values = count;
}

static void set_hold_entries(ModeMaker *k)
{
    Mode *m = k->mode;
    const Holds *h = &k->holds;
    mode_set_entry(k, MODEL_EVENTS, "events", h->events, m->conditions.event_count);
    mode_set_entry(k, MODEL_RATES, "rates", NULL, 0);
    mode_set_entry(k, MODEL_SIZES, "sizes", h->sizes, m->conditions.event_count);
    mode_set_entry(k, MODEL_TIMES, "times", h->times, HOLD_TIME_SIZE * m->conditions.time_count);
    mode_set_entry(k, MODEL_HOLDS, "holds", h->literals, 2 * m->conditions.hold_count);
    // All at once, see settle_room_of.
    if (m->most_values < 3 * m->conditions.event_count + 2 * m->conditions.hold_count)
        m->most_values = 3 * m->conditions.event_count + 2 * m->conditions.hold_count;
}

static void set_discrete_entry(ModeMaker *k)
{
    const Gathered *g = &k->gathered;
    ModelDiscrete *discrete = ARENA_ARRAY(k->arena, g->discrete_count, ModelDiscrete);
    Node *now = ARENA_ARRAY(k->arena, g->discrete_count, Node);
    for (uint32_t i = 0; i < g->discrete_count; i++) {
        const uint32_t v = g->discrete[i].variable;
        now[i] = dag_reference(k->dag, v);
        discrete[i] = k->model->defined.items[k->model->defined.at[k->places[v].index]];
    }
    k->mode->memory.discrete = discrete;
    k->mode->memory.discrete_count = g->discrete_count;
    mode_set_entry(k, MODEL_DISCRETE, "discrete", now, g->discrete_count);
    k->entries[MODEL_DISCRETE].definitions = g->discrete;
    k->entries[MODEL_DISCRETE].definition_count = g->discrete_count;
}

static void set_action_entries(ModeMaker *k)
{
    const GatheredActions *a = &k->gathered.actions, *checks = &k->gathered.assertions;
    Node *actions = ARENA_ARRAY(k->arena, 2 * a->count, Node);
    Node *assertions = ARENA_ARRAY(k->arena, checks->count, Node);
    for (uint32_t i = 0; i < a->count; i++) {
        actions[2 * i] = a->items[i].condition;
        actions[2 * i + 1] = a->items[i].kind == ACTION_REINIT ? a->items[i].value : k->dag->zero;
    }
    for (uint32_t i = 0; i < checks->count; i++)
        assertions[i] = checks->items[i].condition;
    mode_set_entry(k, MODEL_ACTIONS, "actions", actions, 2 * a->count);
    mode_set_entry(k, MODEL_ASSERTIONS, "assertions", assertions, checks->count);
    k->mode->actions.gathered = *a;
    k->mode->actions.assertions = *checks;
}

static void set_value_entries(ModeMaker *k)
{
    const Model *model = k->model;
    Node *outputs = ARENA_ARRAY(k->arena, model->outputs.count, Node);
    uint32_t *numbers = ARENA_ARRAY(k->arena, model->outputs.count, uint32_t), count = 0;
    for (uint32_t i = 0; i < model->outputs.count; i++) {
        if (!gather_has_variable(&k->gathered, model->outputs.nodes[i]))
            continue;
        outputs[count] = gather_value(&k->gathered, model->outputs.nodes[i]);
        numbers[count++] = i;
    }
    k->mode->parts.outputs = numbers;
    mode_set_entry(k, MODEL_OUTPUTS, "outputs", outputs, count);
    // They are a matter of all parts, and of time alone.
    const uint32_t sample_count =
        k->gathered.part == PARTS_ALL || k->gathered.part == 0 ? model->samples.count : 0;
    const uint32_t delay_count =
        k->gathered.part == PARTS_ALL || k->gathered.part == 0 ? model->delay_count : 0;
    uint32_t count_of_all = sample_count + delay_count;
    for (uint32_t i = 0; i < delay_count; i++)
        count_of_all += convert_delay(k->a->translation, i)->point_count;
    Node *samples = ARENA_ARRAY(k->arena, 2 * count_of_all, Node);
    Node *profile = samples + 2 * (sample_count + delay_count);
    for (uint32_t i = 0; i < sample_count; i++) {
        samples[2 * i] = convert_sample(k->a->translation, i)->start;
        samples[2 * i + 1] = convert_sample(k->a->translation, i)->interval;
    }
    for (uint32_t i = 0; i < delay_count; i++) {
        const ConvertDelay *delay = convert_delay(k->a->translation, i);
        samples[2 * (sample_count + i)] = delay->is_variable ? delay->longest : delay->time;
        samples[2 * (sample_count + i) + 1] = delay->longest;
        for (uint32_t j = 0; j < 2 * delay->point_count; j++)
            *profile++ = delay->profile[j];
    }
    mode_set_entry(k, MODEL_SAMPLES, "samples", samples, 2 * count_of_all);
}

static void note_solved(const ModeMaker *k, DagMemo *solved)
{
    const Solution *flow = k->analysis.flow;
    memo_set(solved, DAG_TIME_VARIABLE, 0);
    for (uint32_t i = 0; i < flow->state_count; i++) {
        memo_set(solved, flow->states[i].variable, 0);
        memo_set(solved, flow->states[i].derivative, 0);
    }
    for (uint32_t b = 0; b < flow->block_count; b++) {
        const SolutionBlock *block = &flow->blocks[b];
        for (uint32_t i = 0; i < block->definition_count; i++)
            memo_set(solved, block->definitions[i].variable, 0);
        for (uint32_t i = 0; i < block->unknown_count; i++)
            memo_set(solved, block->unknowns[i], 0);
    }
}

// Whether the mode computes a variable: not if it is suspended; a derivative need not be there.
static bool is_computed(const ModeMaker *k, const DagMemo *solved, GraphVariable variable,
                        Node node)
{
    const DagVariable *v = &k->dag->variables[variable];
    if (v->role == DAG_PLAIN && variable < k->gathered.known_count &&
        !k->gathered.is_unknown[variable])
        return false;
    if (v->role == DAG_DERIVATIVE && dag_is_zero(k->dag, node))
        return false;
    bool is_there = true;
    DagMemo *memo = memo_take(k->dag);
    walk_variables(memo, WALK_ALL, &node, 1);
    for (uint32_t i = 0; i < memo->count; i++)
        is_there = is_there && (k->dag->variables[memo->list[i]].variability != DAG_CONTINUOUS ||
                                memo_has(solved, memo->list[i]));
    memo_give(memo);
    return is_there;
}

// Left limits of variables that the mode has, at the end of each iteration.
static void set_left_entry(ModeMaker *k)
{
    const Model *model = k->model;
    Node *nodes = ARENA_ARRAY(k->arena, model->left.count, Node);
    uint32_t *places = ARENA_ARRAY(k->arena, model->left.count, uint32_t), count = 0;
    DagMemo *solved = memo_take(k->dag);
    note_solved(k, solved);
    for (uint32_t i = 0; i < model->left.count; i++) {
        const uint32_t v = model->left.items[i].variable;
        if (!gather_has_variable(&k->gathered, v))
            continue;
        const Node node = gather_value(&k->gathered, v);
        if (!is_computed(k, solved, v, node))
            continue;
        nodes[count] = node;
        places[count++] = model->left.items[i].place;
    }
    memo_give(solved);
    k->mode->memory.lefts = places;
    k->mode->memory.left_count = count;
    mode_set_entry(k, MODEL_LEFT, "left", nodes, count);
}

static void set_choice_entries(ModeMaker *k)
{
    const Gathered *g = &k->gathered;
    const FlatModel *flat = k->a->flat;
    Mode *m = k->mode;
    Node *branches = ARENA_ARRAY(k->arena, flat->conditional_count, Node);
    uint32_t *numbers = ARENA_ARRAY(k->arena, flat->conditional_count, uint32_t);
    for (uint32_t i = 0; i < flat->conditional_count; i++) {
        if (g->branches[i] == NODE_NONE)
            continue;
        numbers[m->switches.branch_count] = i;
        branches[m->switches.branch_count++] = g->branches[i];
    }
    const MachineTables *tables = k->model->machines;
    Node *conditions = ARENA_ARRAY(k->arena, tables->transition_count, Node);
    uint32_t *transitions = ARENA_ARRAY(k->arena, tables->transition_count, uint32_t);
    for (uint32_t t = 0; t < tables->transition_count; t++) {
        const FlatTransition *transition = tables->transitions[t].flat;
        const FlatMachine *machine = transition->from->machine;
        const Node condition = g->transitions[machine->index][transition - machine->transitions];
        if (condition == NODE_NONE)
            continue;
        transitions[m->switches.transition_count] = t;
        conditions[m->switches.transition_count++] = condition;
    }
    m->switches.branches = numbers;
    m->switches.transitions = transitions;
    mode_set_entry(k, MODEL_CHOICES, "choices", branches, m->switches.branch_count);
    mode_set_entry(k, MODEL_TRANSITIONS, "transitions", conditions, m->switches.transition_count);
}

static bool can_degrade(const Structure *s)
{
    for (uint32_t i = 0; i < s->plan->group_count; i++)
        if (s->plan->groups[i].is_free && !s->plan->groups[i].is_constant)
            return true;
    return false;
}

static void set_pivot_entry(ModeMaker *k)
{
    const Solution *flow = k->analysis.flow;
    const uint32_t count = can_degrade(k->analysis.structure) ? flow->pivot_count : 0;
    Node *nodes = ARENA_ARRAY(k->arena, count, Node);
    uint32_t *entries = ARENA_ARRAY(k->arena, count, uint32_t);
    for (uint32_t i = 0; i < count; i++) {
        nodes[i] = flow->pivots[i].coefficient;
        entries[i] = flow->pivots[i].entry;
    }
    k->mode->jump.pivot_entries = entries;
    k->mode->jump.pivot_count = count;
    mode_set_entry(k, MODEL_PIVOTS, "pivots", nodes, count);
}

// ---------------------------------------------------------------------------
// Programs
// ---------------------------------------------------------------------------

static MemoryPlace left_place(const ModeMaker *k, GraphVariable variable)
{
    const uint32_t pre = k->dag->variables[variable].pre;
    return pre < k->model->place_count ? k->places[pre].index : CODE_NONE;
}

static void find_states(ModeMaker *k)
{
    Mode *m = k->mode;
    const Solution *flow = k->analysis.flow;
    uint32_t *states = ARENA_ARRAY(k->arena, flow->state_count, uint32_t);
    MemoryPlace *lefts = ARENA_ARRAY(k->arena, flow->state_count, MemoryPlace);
    const char **names = ARENA_ARRAY(k->arena, flow->state_count, const char *);
    for (uint32_t i = 0; i < flow->state_count; i++) {
        states[i] = flow->states[i].variable;
        names[i] = k->dag->variables[states[i]].name;
        lefts[i] = left_place(k, states[i]);
    }
    m->states.count = flow->state_count;
    m->states.variables = states;
    m->states.names = names;
    m->states.lefts = lefts;
}

static void note_reads(const ModeMaker *k, EntryNumber entry, bool *is_read)
{
    const CodeBody *body = k->mode->flow->module->entries[entry];
    for (uint32_t i = 0; i < body->value_count; i++) {
        const CodeValue *value = &body->values[i];
        if (value->kind != CODE_INPUT)
            continue;
        if (value->vector == PROGRAM_MEMORY)
            is_read[value->index] = true;
        else if (value->vector == PROGRAM_HELD)
            is_read[k->model->sizes.memory + value->index] = true;
    }
}

// What the engine's evaluations read of what events change.
static void find_read_places(ModeMaker *k)
{
    Mode *m = k->mode;
    const Program *flow = m->flow;
    const uint32_t all = k->model->sizes.memory + k->model->sizes.held;
    bool *is_read = ARENA_ARRAY(k->arena, all, bool);
    uint32_t *places = ARENA_ARRAY(k->arena, all, uint32_t);
    if (flow->flow != CODE_NONE)
        note_reads(k, flow->flow, is_read);
    note_reads(k, flow->entries[MODEL_EVENTS], is_read);
    note_reads(k, flow->entries[MODEL_RATES], is_read);
    for (uint32_t i = 0; i < flow->stage_count; i++)
        if (flow->stages[i].level <= PROGRAM_RATES || flow->stages[i].level <= flow->guesses.level)
            note_reads(k, flow->stages[i].entry, is_read);
    for (uint32_t i = 0; i < all; i++)
        if (is_read[i])
            places[m->memory.read_count++] = i;
    m->memory.reads = places;
}

Arena *mode_aside(const ModeMaker *k)
{
    enum { LARGE_ANALYSIS = 4 << 20 };
    return arena_used(k->arena) > LARGE_ANALYSIS ? arena_scratch(k->arena) : k->arena;
}

const Program *mode_keep_aside(const ModeMaker *k, const Program *program, Arena *aside,
                               ArenaMark mark)
{
    if (aside == k->arena)
        return program;
    memo_give_back(k->dag);
    const Keeper keeper = {.to = k->mode->arena, .from = k->arena, .given = aside};
    const Program *kept = mode_keep_program(k->mode, program, &keeper);
    arena_release(aside, mark);
    return kept;
}

static bool make_flow(ModeMaker *k)
{
    Mode *m = k->mode;
    m->conditions.has_rates =
        rates_find(k->dag, k->analysis.flow, k->holds.events, m->conditions.event_count, &k->rates);
    k->nominals = analyse_nominals(&k->analysis); // of the rates, too
    m->states.sparsity = sparsity_find(k->dag, k->analysis.flow);
    // Of several parts no part has the whole of it.
    const FlowSlopes slopes = m->parts.number == PARTS_ALL
                                  ? slopes_find(k->dag, k->analysis.flow, m->states.sparsity)
                                  : (FlowSlopes){0};
    if (m->conditions.has_rates) // which the start does not know
        mode_set_entry(k, MODEL_RATES, "rates", k->rates.nodes, m->conditions.event_count);
    memo_give_back(k->dag);
    Arena *aside = mode_aside(k);
    const ArenaMark mark = arena_mark(aside);
    CodePlace *places = model_copy_places(k->model, aside);
    for (uint32_t i = 0; i < m->states.count; i++)
        places[m->states.variables[i]] = (CodePlace){PROGRAM_STATES, i};
    m->flow = program_create(&(ProgramDef){.dag = k->dag,
                                           .arena = aside,
                                           .places = places,
                                           .nominals = k->nominals,
                                           .solution = k->analysis.flow,
                                           .events = k->holds.events,
                                           .event_count = m->conditions.event_count,
                                           .rates = m->conditions.has_rates ? &k->rates : NULL,
                                           .slopes = slopes.count ? &slopes : NULL,
                                           .is_never_run = k->a->is_never_run,
                                           .entries = k->entries,
                                           .entry_count = MODEL_ENTRY_COUNT},
                             k->diagnostics);
    mode_set_entry(k, MODEL_RATES, "rates", NULL, 0);
    bool *is_flow = ARENA_ARRAY(k->arena, k->model->sizes.held, bool);
    for (uint32_t h = 0; m->flow && h < k->model->sizes.held; h++)
        is_flow[h] = m->flow->needs[k->a->held.variables[h]] == PROGRAM_FLOW;
    m->conditions.is_flow = is_flow;
    if (m->flow)
        find_read_places(k);
    m->flow = mode_keep_aside(k, m->flow, aside, mark);
    return m->flow != NULL;
}

static bool find_impulse_states(ModeMaker *k)
{
    Mode *m = k->mode;
    const Impulse *impulse = m->jump.impulse;
    uint32_t *places = ARENA_ARRAY(k->arena, m->states.count, uint32_t);
    for (uint32_t i = 0; i < m->states.count; i++)
        while (places[i] < impulse->count &&
               impulse->variables[places[i]] != m->states.variables[i])
            places[i]++;
    m->jump.states = places;
    return true;
}

// The pivots from the vector of the restart, to choose states before anything is solved with them.
static bool make_chooser(ModeMaker *k)
{
    Mode *m = k->mode;
    if (m->jump.pivot_count == 0)
        return true;
    CodePlace *places = model_copy_places(k->model, k->arena);
    for (uint32_t i = 0; i < m->jump.impulse->count; i++)
        places[m->jump.impulse->variables[i]] = (CodePlace){PROGRAM_STATES, i};
    DagMemo *memo = memo_take(k->dag);
    walk_variables(memo, WALK_ALL, k->entries[MODEL_PIVOTS].nodes, m->jump.pivot_count);
    bool is_known = true;
    for (uint32_t i = 0; i < memo->count; i++)
        is_known = is_known && places[memo->list[i]].vector != CODE_NONE;
    memo_give(memo);
    if (is_known)
        m->jump.chooser = program_create(&(ProgramDef){.dag = k->dag,
                                                       .places = places,
                                                       .is_never_run = k->a->is_never_run,
                                                       .entries = &k->entries[MODEL_PIVOTS],
                                                       .entry_count = 1},
                                         k->diagnostics);
    return !is_known || m->jump.chooser;
}

// Whether an equation is differentiated.
static bool has_constraint(const Structure *s)
{
    for (uint32_t i = 0; i < s->signature->equation_count; i++)
        if (s->offsets->c[i] > 0)
            return true;
    return false;
}

// Whether constraints can ask for a jump in a model that has one mode only.
static bool can_jump(const ModeMaker *k)
{
    const Solution *flow = k->analysis.flow;
    bool has_reinit = false;
    for (uint32_t i = 0; i < k->mode->actions.gathered.count; i++)
        has_reinit |= k->mode->actions.gathered.items[i].kind == ACTION_REINIT;
    return k->mode->parts.has_constraints && (has_reinit || impulse_is_switched(flow));
}

// The consistent restart, and where its vector has the states.
static bool make_impulse(ModeMaker *k)
{
    Mode *m = k->mode;
    // Without modes, for the choice of states where a sliding mode begins or ends.
    const bool has_choice = k->a->sliding.count > 0 && m->jump.pivot_count > 0;
    if (!k->a->has_modes && !has_choice && !can_jump(k))
        return true;
    if (k->base) {
        m->jump.impulse = k->base->jump.impulse;
        m->jump.lefts = k->base->jump.lefts;
        m->jump.chooser = k->base->jump.chooser;
        return find_impulse_states(k);
    }
    k->nominals = analyse_nominals(&k->analysis);
    m->jump.impulse = impulse_create(&(ImpulseDef){.flow = k->analysis.flow,
                                                   .places = model_copy_places(k->model, k->arena),
                                                   .nominals = k->nominals,
                                                   .variable_count = k->dag->variable_count,
                                                   .events = k->holds.events,
                                                   .event_count = m->conditions.event_count,
                                                   .is_never_run = k->a->is_never_run},
                                     k->diagnostics);
    if (!m->jump.impulse)
        return false;
    const Impulse *impulse = m->jump.impulse;
    const uint32_t all = impulse->count + impulse->guess_count;
    MemoryPlace *lefts = ARENA_ARRAY(k->arena, all, MemoryPlace);
    for (uint32_t i = 0; i < all; i++)
        lefts[i] = left_place(k, i < impulse->count ? impulse->variables[i]
                                                    : impulse->guesses[i - impulse->count]);
    m->jump.lefts = lefts;
    return find_impulse_states(k) && make_chooser(k);
}

// Discrete variables and actions from left limits alone, for what happens when a state of a machine
// is entered.
static bool make_entry(ModeMaker *k)
{
    if (k->a->flat->machine_count == 0)
        return true;
    CodePlace *places = model_copy_places(k->model, k->arena);
    for (uint32_t v = 0; v < k->dag->variable_count; v++) {
        const DagVariable *variable = &k->dag->variables[v];
        if (variable->variability != DAG_CONTINUOUS || v == DAG_TIME_VARIABLE)
            continue;
        const MemoryPlace place = left_place(k, v);
        // What has no left limit is zero: the first place of the memory.
        places[v] = (CodePlace){PROGRAM_MEMORY, place == CODE_NONE ? 0 : place};
    }
    const ProgramEntry entries[ENTRY_KIND_COUNT] = {
        [ENTRY_DISCRETE] = k->entries[MODEL_DISCRETE], [ENTRY_ACTIONS] = k->entries[MODEL_ACTIONS]};
    k->mode->entry = program_create(&(ProgramDef){.dag = k->dag,
                                                  .places = places,
                                                  .is_never_run = k->a->is_never_run,
                                                  .entries = entries,
                                                  .entry_count = ENTRY_KIND_COUNT},
                                    k->diagnostics);
    return k->mode->entry != NULL;
}

// Where the engine's vectors are in those of the programs.
static void connect_flow(ModeMaker *k)
{
    Mode *m = k->mode;
    const uint32_t guesses = m->flow->guesses.count;
    double *nominals = ARENA_ARRAY(k->arena, m->states.count + guesses, double);
    MemoryPlace *lefts = ARENA_ARRAY(k->arena, guesses, MemoryPlace);
    const char **names = ARENA_ARRAY(k->arena, guesses, const char *);
    for (uint32_t i = 0; i < m->states.count; i++)
        nominals[i] =
            k->nominals[m->states.variables[i]] > 0.0 ? k->nominals[m->states.variables[i]] : 1.0;
    for (uint32_t i = 0; i < guesses; i++) {
        const uint32_t v = m->flow->guesses.variables[i];
        nominals[m->states.count + i] = m->flow->nominals[m->flow->guesses.places[i]];
        names[i] = k->dag->variables[v].name;
        lefts[i] = left_place(k, v);
    }
    m->evaluation = (ModeEvaluation){.program = m->flow,
                                     .backend = k->model->backend,
                                     .events = MODEL_EVENTS,
                                     .rates = MODEL_RATES,
                                     .outputs = MODEL_OUTPUTS,
                                     .has_rates = m->conditions.has_rates,
                                     .sparsity = m->states.sparsity,
                                     .memory_count = k->model->sizes.memory};
    m->states.nominals = nominals;
    m->states.guess_names = names;
    m->states.guess_lefts = lefts;
}

// Whether the solver exact can be used.
static void find_affine(ModeMaker *k)
{
    Mode *m = k->mode;
    if (k->a->is_never_run)
        return;
    const Affine **affines = ARENA_ARRAY(k->arena, 1, const Affine *);
    const bool is_small = k->analysis.flow->state_count <= AFFINE_MOST_STATES;
    const CodePlace *places = is_small ? model_copy_places(k->model, k->arena) : NULL;
    affines[0] =
        affine_find(k->dag, k->analysis.flow, places, k->diagnostics, &m->evaluation.nonlinear);
    if (affines[0])
        evaluation_set_affines(&m->evaluation, affines, 1);
}

// Where the vector of the impulse has a variable that impulses move.
static uint32_t find_velocity(const Mode *m, GraphVariable variable)
{
    for (uint32_t i = 0; m->jump.impulse && i < m->jump.impulse->count; i++)
        if (m->jump.impulse->variables[i] == variable && m->jump.impulse->is_velocity[i])
            return i;
    return CODE_NONE;
}

static bool connect_actions(ModeMaker *k)
{
    Mode *m = k->mode;
    StateNumber *states = ARENA_ARRAY(k->arena, m->actions.gathered.count, StateNumber);
    MemoryPlace *lefts = ARENA_ARRAY(k->arena, m->actions.gathered.count, MemoryPlace);
    uint32_t *jumps = ARENA_ARRAY(k->arena, m->actions.gathered.count, uint32_t);
    const char **names = ARENA_ARRAY(k->arena, m->actions.gathered.count, const char *);
    bool is_fine = true;
    m->jump.may_happen = m->jump.impulse && m->jump.impulse->is_switched;
    m->parts.has_own_states =
        analyse_are_asked_for(&k->analysis, m->states.variables, m->states.count);
    for (uint32_t i = 0; i < m->actions.gathered.count; i++) {
        const AssembledAction *action = &m->actions.gathered.items[i];
        states[i] = lefts[i] = jumps[i] = CODE_NONE;
        if (action->kind != ACTION_REINIT)
            continue;
        states[i] = program_state(m->flow, action->variable);
        lefts[i] = left_place(k, action->variable);
        names[i] = k->dag->variables[action->variable].name;
        jumps[i] = find_velocity(m, action->variable);
        m->jump.may_happen |= m->jump.impulse && (jumps[i] != CODE_NONE || states[i] != CODE_NONE);
        if (states[i] == CODE_NONE && jumps[i] == CODE_NONE && !k->a->has_modes &&
            !m->switches.slides) {
            diagnostics_error(k->diagnostics, action->span,
                              "%s is reinitialised, but it is not a state: other equations "
                              "determine it",
                              k->dag->variables[action->variable].name);
            is_fine = false;
        }
    }
    m->actions.states = states;
    m->actions.lefts = lefts;
    m->actions.jumps = jumps;
    m->actions.names = names;
    return is_fine;
}

bool mode_find_equations(ModeMaker *k, PartNumber part)
{
    Mode *m = k->mode;
    const bool is_gathered =
        m->switches.are_decided
            ? gather_decided(k->a, part, m->switches.choices, m->switches.slides, k->diagnostics,
                             &k->gathered)
            : gather(k->a, part, m->switches.choices, k->diagnostics, &k->gathered);
    const bool is_fine = is_gathered && analyse(&k->gathered, k->state_orders, &k->analysis);
    m->is_suspect = k->analysis.is_suspect;
    m->surplus = k->analysis.surplus;
    return is_fine;
}

static void set_surfaces(ModeMaker *k)
{
    k->mode->switches.surfaces = k->gathered.surfaces;
    k->mode->switches.surface_count = k->gathered.surface_count;
}

void mode_set_entries(ModeMaker *k)
{
    Mode *m = k->mode;
    k->holds = holds_find(&k->gathered);
    m->conditions.holds = k->holds.items;
    m->conditions.is_live = k->holds.is_live;
    m->conditions.is_muted = k->holds.is_muted;
    m->conditions.is_decisive = holds_decisive(&k->gathered);
    m->conditions.events = k->holds.definitions;
    m->conditions.hold_count = k->holds.count;
    m->conditions.event_count = k->holds.event_count;
    m->conditions.time_count = k->holds.time_count;
    set_hold_entries(k);
    set_discrete_entry(k);
    set_action_entries(k);
    set_value_entries(k);
    set_left_entry(k);
    set_choice_entries(k);
    set_pivot_entry(k);
}

// One variable of each group among which states may be chosen anew, if more parts follow from it.
// The mode need not be made then: others will be, one for each part.
static bool mode_asks_for_parts(const ModeMaker *k)
{
    PartsReasons *reasons = k->a->separation;
    const Structure *s = k->analysis.structure;
    if (!reasons || (k->mode->parts.number != PARTS_ALL && k->mode->parts.number != 0) ||
        !can_degrade(s))
        return false;
    GraphVariable *variables = ARENA_ARRAY(k->model->arena, s->plan->group_count, GraphVariable);
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->plan->group_count; i++) {
        const SelectionGroup *group = &s->plan->groups[i];
        if (group->is_free && !group->is_constant)
            variables[count++] = s->signature->variables[group->variables[0]].origin;
    }
    PartsReasons all = *reasons;
    all.variables = variables;
    all.variable_count = count;
    if (parts_find(k->a, &all)->count <= k->a->parts->count)
        return false;
    *reasons = all;
    return true;
}

static bool mode_make_all(ModeMaker *k, bool with_start)
{
    Mode *m = k->mode;
    if (!mode_find_equations(k, m->parts.number) || mode_asks_for_parts(k))
        return false;
    memo_give_back(k->dag);
    k->places = k->model->places;
    m->switches.choices = k->gathered.choices;
    m->switches.are_decided = true;
    set_surfaces(k);
    m->structure = k->analysis.structure;
    m->parts.has_constraints = has_constraint(m->structure);
    find_states(k);
    mode_set_entries(k);
    memo_empty(k->gathered.mapped);
    if (!make_flow(k) || !make_impulse(k) || !make_entry(k))
        return false;
    connect_flow(k);
    enclosure_find(k);
    find_affine(k);
    if (!connect_actions(k) || (with_start && !mode_make_start(k)))
        return false;
    m->plain = mode_find_plain(m);
    return true;
}

ModeMaker mode_maker(Mode *m)
{
    const Model *model = m->model;
    return (ModeMaker){.arena = model->assembly->dag->arena,
                       .dag = model->assembly->dag,
                       .a = model->assembly,
                       .diagnostics = m->diagnostics,
                       .model = model,
                       .mode = m};
}

double mode_clock(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// How much it is, a first copy says; of a large mode most is kept already. The name comes later.
static void keep_in_one_block(ModeMaker *k, const Keeper *keeper)
{
    if (!arena_owns(k->arena, k->mode->flow)) {
        mode_keep(k->mode, keeper);
        return;
    }
    Mode *m = k->mode, probe = *m;
    Arena *scratch = arena_scratch(k->arena);
    const ArenaMark mark = arena_mark(scratch);
    arena_reserve(scratch, arena_used(k->arena) / 4); // in one block nothing is lost at ends
    const size_t before = arena_used(scratch);
    mode_keep(&probe, &(Keeper){.to = scratch, .from = k->arena});
    const size_t size = arena_used(scratch) - before;
    arena_release(scratch, mark);
    arena_reserve(m->arena, size + 64 * k->model->sizes.choices + 1024);
    mode_keep(m, keeper);
}

// What is needed of the analysis; all of it if the states may have to be chosen anew.
static void keep_mode(ModeMaker *k, bool is_fine)
{
    Mode *m = k->mode;
    if (is_fine && (m->jump.pivot_count || k->a->is_never_run)) {
        m->analysis = workshop_close(k->model, true);
        return;
    }
    const Keeper keeper = {.to = m->arena, .from = k->arena};
    m->structure = NULL;
    if (is_fine)
        keep_in_one_block(k, &keeper);
    else
        mode_keep_broken(m, &keeper);
    workshop_close(k->model, false);
}

static bool make_timed(Mode *m, bool with_start, const Mode *base, const uint32_t *state_orders)
{
    const double begin = mode_clock();
    workshop_open(m->model);
    ModeMaker k = mode_maker(m);
    k.base = base;
    k.state_orders = state_orders;
    const size_t errors = m->diagnostics->error_count;
    mode_provide_spare(m);
    m->parts.own = m;
    m->parts.modes = &m->parts.own;
    m->parts.count = 1;
    const bool is_fine = mode_make_all(&k, with_start) && m->diagnostics->error_count == errors;
    if (k.gathered.map)
        gather_end(&k.gathered);
    memo_give_back(k.dag);
    keep_mode(&k, is_fine);
    m->seconds += mode_clock() - begin;
    return is_fine;
}

void mode_analyse(Mode *m)
{
    Mode copy = *m;
    workshop_open(m->model);
    ModeMaker k = mode_maker(&copy);
    k.diagnostics = diagnostics_create(k.arena, m->diagnostics->sources);
    if (mode_find_equations(&k, m->parts.number))
        m->structure = k.analysis.structure;
    if (k.gathered.map)
        gather_end(&k.gathered);
    m->analysis = workshop_close(m->model, m->structure != NULL);
}

bool mode_make(Mode *m, bool with_start)
{
    return make_timed(m, with_start, NULL, NULL);
}

bool mode_make_variant(Mode *m, const Mode *base, const uint32_t *state_orders)
{
    return make_timed(m, false, base, state_orders);
}
