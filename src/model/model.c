// SPDX-License-Identifier: MIT
//
// Making a Model: memory layout, holds, programs.

#include "model/model_parts.h"

#include "equations/linear.h"
#include "equations/print.h"
#include "model/sparsity.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

// One scratch that nobody uses, kept for the next evaluation.
struct ModelSpare {
    _Atomic(ModelScratch *) scratch;
};

typedef struct Maker {
    Arena *arena;
    Dag *dag;
    Assembly *a;
    Diagnostics *diagnostics;
    Model *model;
    ProgramDef flow, start;
    CodePlace *places; // of what both programs know
    Node *event_nodes, *time_nodes, *hold_nodes;
    uint32_t *left_variables;
    uint32_t *guess_variables; // of the start, that may be iterated for
    uint32_t guess_variable_count;
    Rates rates; // of the event functions
    ProgramEntry entries[MODEL_START_ENTRY_COUNT];
} Maker;

// ---------------------------------------------------------------------------
// Holds
// ---------------------------------------------------------------------------

static void push_roots(Maker *k, DagMemo *memo)
{
    const Assembly *a = k->a;
    for (uint32_t i = 0; i < a->equations.count; i++)
        walk_order(memo, (Node[]){a->equations.items[i].left, a->equations.items[i].right}, 2);
    for (uint32_t i = 0; i < a->initial_equations.count; i++)
        walk_order(
            memo, (Node[]){a->initial_equations.items[i].left, a->initial_equations.items[i].right},
            2);
    for (uint32_t i = 0; i < a->discrete_count; i++)
        walk_order(memo, &a->discrete[i].value, 1);
    for (uint32_t i = 0; i < a->action_count; i++) {
        walk_order(memo, &a->actions[i].condition, 1);
        if (a->actions[i].kind == ACTION_REINIT)
            walk_order(memo, &a->actions[i].value, 1);
    }
    for (uint32_t i = 0; i < a->assertion_count; i++)
        walk_order(memo, &a->assertions[i].condition, 1);
}

static bool is_order_relation(Operator op)
{
    return op == OPERATOR_LESS || op == OPERATOR_LESS_EQUAL || op == OPERATOR_GREATER ||
           op == OPERATOR_GREATER_EQUAL;
}

// a time + b, where a and b change at events only.
static bool is_time_relation(Maker *k, Node difference, Node *a, Node *b)
{
    DagMemo *set = memo_take(k->dag);
    memo_set(set, DAG_TIME_VARIABLE, 0);
    LinearForm form;
    const bool is_linear = linear_extract(k->dag, difference, set, &form) && form.count == 1;
    memo_give(set);
    if (!is_linear || dag_get(k->dag, form.terms[0].coefficient)->variability == DAG_CONTINUOUS ||
        dag_get(k->dag, form.rest)->variability == DAG_CONTINUOUS)
        return false;
    *a = form.terms[0].coefficient;
    *b = form.rest;
    return true;
}

// What is rounded by floor, ceil, integer or div.
static Node rounded(Maker *k, const DagNode *n)
{
    return n->op == OPERATOR_DIV ? dag_divide(k->dag, n->operands[0], n->operands[1])
                                 : n->operands[0];
}

static Node limit(Dag *dag, Operator relation, Node x, Node bound)
{
    return dag_if(dag, dag_binary(dag, relation, x, bound), bound, x);
}

// The event function of what jumps at whole numbers is sin(pi x): it is smooth, its sign tells even
// from odd. Further away than half a number from where the value `held` is right, x stays where the
// sign is the other one: else a long step over two numbers would look like one over none.
static Node whole_number_function(Maker *k, Operator op, Node x, Node held)
{
    Dag *dag = k->dag;
    const Node zero = dag->zero, one = dag_real(dag, 1.0), half = dag_real(dag, 0.5);
    Node below = zero, above = one; // the value is right from held - below to held + above
    if (op == OPERATOR_CEIL) {
        below = one;
        above = zero;
    } else if (op == OPERATOR_DIV) {
        below = dag_if(dag, dag_binary(dag, OPERATOR_GREATER, held, zero), zero, one);
        above = dag_if(dag, dag_binary(dag, OPERATOR_LESS, held, zero), zero, one);
    }
    const Node low = dag_subtract(dag, held, dag_add(dag, below, half));
    const Node high = dag_add(dag, held, dag_add(dag, above, half));
    x = limit(dag, OPERATOR_LESS, limit(dag, OPERATOR_GREATER, x, high), low);
    const Node pi = dag_real(dag, 3.14159265358979323846);
    return dag_unary(dag, OPERATOR_SIN, dag_multiply(dag, pi, x));
}

static void classify_hold(Maker *k, ModelHold *hold, const DagHold *from, Node *argument)
{
    Model *m = k->model;
    const DagNode n = *dag_get(k->dag, from->operand);
    hold->op = (Operator)n.op;
    hold->kind = HOLD_LITERAL;
    if (n.kind != DAG_OPERATION)
        return;
    if (is_order_relation(hold->op)) {
        Node a, b;
        const Node difference = dag_subtract(k->dag, n.operands[0], n.operands[1]);
        if (is_time_relation(k, difference, &a, &b)) {
            hold->kind = HOLD_TIME;
            k->time_nodes[2 * m->time_count] = a;
            k->time_nodes[2 * m->time_count + 1] = b;
            hold->index = m->time_count++;
            return;
        }
        k->event_nodes[m->event_count] = difference;
    } else if (hold->op == OPERATOR_FLOOR || hold->op == OPERATOR_INTEGER ||
               hold->op == OPERATOR_CEIL || hold->op == OPERATOR_DIV) {
        *argument = rounded(k, &n);
        k->event_nodes[m->event_count] = whole_number_function(k, hold->op, *argument, from->node);
    } else {
        return;
    }
    hold->kind = HOLD_CROSSING;
    hold->index = m->event_count++;
}

static void find_holds(Maker *k)
{
    Model *m = k->model;
    DagMemo *memo = memo_take(k->dag);
    push_roots(k, memo);
    const uint32_t most = k->dag->hold_count;
    ModelHold *holds = ARENA_ARRAY(k->arena, most, ModelHold);
    k->event_nodes = ARENA_ARRAY(k->arena, most, Node);
    k->time_nodes = ARENA_ARRAY(k->arena, 2 * most, Node);
    k->hold_nodes = ARENA_ARRAY(k->arena, 2 * most, Node);
    Node *arguments = ARENA_ARRAY(k->arena, most, Node);
    for (uint32_t h = 0; h < most; h++) {
        const DagHold from = k->dag->holds[h];
        if (!memo_has(memo, from.node))
            continue;
        ModelHold *hold = &holds[m->hold_count];
        Node *argument = &arguments[m->hold_count];
        *argument = k->dag->zero;
        k->hold_nodes[m->hold_count++] = from.operand;
        hold->number = h;
        hold->text = print_text(k->dag, from.node);
        hold->span = from.span;
        classify_hold(k, hold, &from, argument);
    }
    for (uint32_t i = 0; i < m->hold_count; i++)
        k->hold_nodes[m->hold_count + i] = arguments[i];
    memo_give(memo);
    m->holds = holds;
    m->held_count = most;
    SaltusEventDef *events = ARENA_ARRAY(k->arena, m->event_count, SaltusEventDef);
    for (uint32_t i = 0; i < m->hold_count; i++)
        if (holds[i].kind == HOLD_CROSSING)
            events[holds[i].index] =
                (SaltusEventDef){.name = holds[i].text, .condition = holds[i].text};
    m->events = events;
}

// ---------------------------------------------------------------------------
// Memory
// ---------------------------------------------------------------------------

static uint32_t place_of(const Maker *k, uint32_t variable)
{
    return variable == DAG_NONE ? CODE_NONE : k->places[variable].index;
}

// Every variable that changes at events only, and every left limit, has a place.
static void lay_out_memory(Maker *k)
{
    Model *m = k->model;
    for (uint32_t v = 0; v < k->dag->variable_count; v++) {
        const DagVariable *variable = &k->dag->variables[v];
        if (variable->role != DAG_LOCAL && variable->variability == DAG_DISCRETE)
            k->places[v] = (CodePlace){PROGRAM_MEMORY, m->memory_count++};
        else if (variable->role == DAG_PRE)
            k->places[v] = (CodePlace){PROGRAM_MEMORY, m->memory_count++};
    }
    ModelDiscrete *discrete = ARENA_ARRAY(k->arena, k->a->discrete_count, ModelDiscrete);
    for (uint32_t i = 0; i < k->a->discrete_count; i++) {
        const uint32_t v = k->a->discrete[i].variable;
        const DagVariable *variable = &k->dag->variables[v];
        discrete[i] = (ModelDiscrete){.name = variable->name,
                                      .place = place_of(k, v),
                                      .left = place_of(k, variable->pre),
                                      .is_plain = variable->role == DAG_PLAIN};
    }
    m->discrete = discrete;
    m->discrete_count = k->a->discrete_count;
    m->initial_place = place_of(k, convert_initial(k->a->translation));
    m->terminal_place = place_of(k, convert_terminal(k->a->translation));
}

static void find_left_limits(Maker *k)
{
    Model *m = k->model;
    uint32_t *places = ARENA_ARRAY(k->arena, k->dag->variable_count, uint32_t);
    k->left_variables = ARENA_ARRAY(k->arena, k->dag->variable_count, uint32_t);
    for (uint32_t v = 0; v < k->dag->variable_count; v++) {
        const DagVariable *variable = &k->dag->variables[v];
        if (variable->role != DAG_PRE ||
            k->dag->variables[variable->of].variability != DAG_CONTINUOUS)
            continue;
        places[m->left_count] = k->places[v].index;
        k->left_variables[m->left_count++] = variable->of;
    }
    m->left_places = places;
    m->sample_count = convert_sample_count(k->a->translation);
    uint32_t *samples = ARENA_ARRAY(k->arena, m->sample_count, uint32_t);
    for (uint32_t i = 0; i < m->sample_count; i++)
        samples[i] = place_of(k, convert_sample(k->a->translation, i)->variable);
    m->sample_places = samples;
}

// ---------------------------------------------------------------------------
// Entries
// ---------------------------------------------------------------------------

static void set_entry(Maker *k, ModelEntry entry, const char *name, const Node *nodes,
                      uint32_t count)
{
    k->entries[entry] = (ProgramEntry){.name = name, .nodes = nodes, .count = count};
    k->entries[entry].is_direct = entry == MODEL_EVENTS || entry == MODEL_OUTPUTS;
    if (count > k->model->most_values)
        k->model->most_values = count;
}

static void set_discrete_entries(Maker *k)
{
    const Assembly *a = k->a;
    Node *now = ARENA_ARRAY(k->arena, a->discrete_count, Node);
    Node *starts = ARENA_ARRAY(k->arena, a->discrete_count, Node);
    for (uint32_t i = 0; i < a->discrete_count; i++) {
        now[i] = dag_reference(k->dag, a->discrete[i].variable);
        starts[i] = analyse_start_value(k->a, a->discrete[i].variable);
    }
    set_entry(k, MODEL_DISCRETE, "discrete", now, a->discrete_count);
    k->entries[MODEL_DISCRETE].definitions = a->discrete;
    k->entries[MODEL_DISCRETE].definition_count = a->discrete_count;
    set_entry(k, MODEL_STARTS, "starts", starts, a->discrete_count);
}

static void set_action_entries(Maker *k)
{
    const Assembly *a = k->a;
    Node *actions = ARENA_ARRAY(k->arena, 2 * a->action_count, Node);
    Node *assertions = ARENA_ARRAY(k->arena, a->assertion_count, Node);
    for (uint32_t i = 0; i < a->action_count; i++) {
        actions[2 * i] = a->actions[i].condition;
        actions[2 * i + 1] =
            a->actions[i].kind == ACTION_REINIT ? a->actions[i].value : k->dag->zero;
    }
    for (uint32_t i = 0; i < a->assertion_count; i++)
        assertions[i] = a->assertions[i].condition;
    set_entry(k, MODEL_ACTIONS, "actions", actions, 2 * a->action_count);
    set_entry(k, MODEL_ASSERTIONS, "assertions", assertions, a->assertion_count);
}

static void set_output_entry(Maker *k)
{
    Model *m = k->model;
    const uint32_t most = k->a->flat->variable_count;
    Node *nodes = ARENA_ARRAY(k->arena, most, Node);
    const char **names = ARENA_ARRAY(k->arena, most, const char *);
    const FlatVariable **flat = ARENA_ARRAY(k->arena, most, const FlatVariable *);
    for (uint32_t i = 0; i < most; i++) {
        const FlatVariable *v = k->a->flat->variables[i];
        const uint32_t variable = translate_variable(k->a->translation, v);
        if (variable == DAG_NONE || v->kind <= FLAT_PARAMETER)
            continue;
        nodes[m->output_count] = assemble_value(k->a, variable);
        names[m->output_count] = v->name;
        flat[m->output_count++] = v;
    }
    m->output_names = names;
    m->outputs = flat;
    set_entry(k, MODEL_OUTPUTS, "outputs", nodes, m->output_count);
}

static void set_start_entries(Maker *k)
{
    const Initial *initial = k->model->analysis.initial;
    Node *surplus = ARENA_ARRAY(k->arena, initial->surplus_count, Node);
    for (uint32_t i = 0; i < initial->surplus_count; i++)
        surplus[i] = analyse_initial_row(&k->model->analysis, &initial->surplus[i]);
    uint32_t count = 0;
    const Solution *start = k->model->analysis.start;
    for (uint32_t b = 0; b < start->block_count; b++)
        count += start->blocks[b].unknown_count;
    Node *guesses = ARENA_ARRAY(k->arena, count, Node);
    k->guess_variables = ARENA_ARRAY(k->arena, count, uint32_t);
    count = 0;
    for (uint32_t b = 0; b < start->block_count; b++)
        for (uint32_t i = 0; i < start->blocks[b].unknown_count; i++) {
            k->guess_variables[count] = start->blocks[b].unknowns[i];
            guesses[count] = analyse_start_value(k->a, k->guess_variables[count]);
            count++;
        }
    k->guess_variable_count = count;
    set_entry(k, MODEL_SURPLUS, "surplus", surplus, initial->surplus_count);
    set_entry(k, MODEL_GUESSES, "guesses", guesses, count);
}

static void set_entries(Maker *k)
{
    Model *m = k->model;
    Node *left = ARENA_ARRAY(k->arena, m->left_count, Node);
    Node *samples = ARENA_ARRAY(k->arena, 2 * m->sample_count, Node);
    for (uint32_t i = 0; i < m->left_count; i++)
        left[i] = dag_reference(k->dag, k->left_variables[i]);
    for (uint32_t i = 0; i < m->sample_count; i++) {
        samples[2 * i] = convert_sample(k->a->translation, i)->start;
        samples[2 * i + 1] = convert_sample(k->a->translation, i)->interval;
    }
    set_entry(k, MODEL_EVENTS, "events", k->event_nodes, m->event_count);
    set_entry(k, MODEL_RATES, "rates", NULL, 0);
    set_entry(k, MODEL_TIMES, "times", k->time_nodes, 2 * m->time_count);
    set_entry(k, MODEL_LEFT, "left", left, m->left_count);
    set_entry(k, MODEL_SAMPLES, "samples", samples, 2 * m->sample_count);
    set_entry(k, MODEL_HOLDS, "holds", k->hold_nodes, 2 * m->hold_count);
    k->entries[MODEL_HOLDS].is_literal = true;
    if (m->most_values < m->event_count + 2 * m->hold_count) // both at once, see update.c
        m->most_values = m->event_count + 2 * m->hold_count;
    set_discrete_entries(k);
    set_action_entries(k);
    set_output_entry(k);
    set_start_entries(k);
}

// ---------------------------------------------------------------------------
// Programs
// ---------------------------------------------------------------------------

static void find_states(Maker *k)
{
    Model *m = k->model;
    const Solution *flow = m->analysis.flow;
    uint32_t *states = ARENA_ARRAY(k->arena, flow->state_count, uint32_t);
    const char **names = ARENA_ARRAY(k->arena, flow->state_count, const char *);
    for (uint32_t i = 0; i < flow->state_count; i++) {
        states[i] = flow->states[i].variable;
        names[i] = k->dag->variables[states[i]].name;
    }
    m->state_count = flow->state_count;
    m->states = states;
    m->state_names = names;
}

static bool make_programs(Maker *k)
{
    Model *m = k->model;
    k->start.places = k->places;
    k->start.entries = k->entries;
    k->start.entry_count = MODEL_START_ENTRY_COUNT;
    k->start.dag = k->dag;
    k->start.solution = m->analysis.start;
    k->start.nominals = k->flow.nominals = analyse_nominals(&m->analysis);
    m->start = program_create(&k->start, k->diagnostics);
    CodePlace *places = ARENA_ARRAY(k->arena, k->dag->variable_count, CodePlace);
    memcpy(places, k->places, k->dag->variable_count * sizeof *places);
    for (uint32_t i = 0; i < m->state_count; i++)
        places[m->states[i]] = (CodePlace){PROGRAM_STATES, i};
    k->flow.places = places;
    k->flow.entries = k->entries;
    k->flow.entry_count = MODEL_ENTRY_COUNT;
    k->flow.dag = k->dag;
    k->flow.solution = m->analysis.flow;
    k->flow.events = k->event_nodes;
    k->flow.event_count = m->event_count;
    k->flow.rates = m->has_rates ? &k->rates : NULL;
    if (m->has_rates) // which the start does not know
        set_entry(k, MODEL_RATES, "rates", k->rates.nodes, m->event_count);
    m->flow = m->start ? program_create(&k->flow, k->diagnostics) : NULL;
    return m->flow != NULL;
}

// Where the engine's vectors are in those of the programs.
static void connect_programs(Maker *k)
{
    Model *m = k->model;
    const uint32_t guesses = m->flow->guess_count, all = m->state_count + guesses;
    uint32_t *starts = ARENA_ARRAY(k->arena, all, uint32_t);
    double *nominals = ARENA_ARRAY(k->arena, all, double);
    const char **names = ARENA_ARRAY(k->arena, guesses, const char *);
    for (uint32_t i = 0; i < m->state_count; i++) {
        starts[i] = program_place(m->start, m->states[i]);
        nominals[i] = k->flow.nominals[m->states[i]] > 0.0 ? k->flow.nominals[m->states[i]] : 1.0;
    }
    for (uint32_t i = 0; i < guesses; i++) {
        const uint32_t v = m->flow->unknowns[m->flow->guessed[i]];
        starts[m->state_count + i] = program_place(m->start, v);
        nominals[m->state_count + i] = m->flow->nominals[m->flow->guessed[i]];
        names[i] = k->dag->variables[v].name;
    }
    uint32_t *steps = ARENA_ARRAY(k->arena, m->start->guess_count, uint32_t);
    DagMemo *numbers = memo_take(k->dag);
    for (uint32_t i = k->guess_variable_count; i-- > 0;)
        memo_set(numbers, k->guess_variables[i], i);
    for (uint32_t i = 0; i < m->start->guess_count; i++)
        steps[i] = memo_get(numbers, m->start->unknowns[m->start->guessed[i]]);
    memo_give(numbers);
    m->sparsity = sparsity_find(k->dag, m->analysis.flow);
    m->evaluation = (Evaluation){.program = m->flow,
                                 .backend = m->backend,
                                 .events = MODEL_EVENTS,
                                 .rates = MODEL_RATES,
                                 .outputs = MODEL_OUTPUTS,
                                 .has_rates = m->has_rates,
                                 .memory_count = m->memory_count};
    m->start_places = starts;
    m->nominals = nominals;
    m->guess_names = names;
    m->guess_steps = steps;
}

static bool connect_actions(Maker *k)
{
    Model *m = k->model;
    uint32_t *states = ARENA_ARRAY(k->arena, k->a->action_count, uint32_t);
    bool is_fine = true;
    for (uint32_t i = 0; i < k->a->action_count; i++) {
        const AssembledAction *action = &k->a->actions[i];
        states[i] = UINT32_MAX;
        if (action->kind != ACTION_REINIT)
            continue;
        states[i] = program_state(m->flow, action->variable);
        if (states[i] == CODE_NONE) {
            diagnostics_error(k->diagnostics, action->span,
                              "%s is reinitialised, but it is not a state: other equations "
                              "determine it",
                              k->dag->variables[action->variable].name);
            is_fine = false;
        }
    }
    m->action_states = states;
    return is_fine;
}

static bool make(Maker *k)
{
    Model *m = k->model;
    if (!analyse(k->a, &m->analysis))
        return false;
    find_states(k);
    find_holds(k);
    m->has_rates = rates_find(k->dag, m->analysis.flow, k->event_nodes, m->event_count, &k->rates);
    k->places = ARENA_ARRAY(k->arena, k->dag->variable_count, CodePlace);
    for (uint32_t v = 0; v < k->dag->variable_count; v++)
        k->places[v] = (CodePlace){CODE_NONE, 0};
    k->places[DAG_TIME_VARIABLE] = (CodePlace){PROGRAM_TIME, 0};
    lay_out_memory(k);
    find_left_limits(k);
    m->parameters = parameters_create(k->a, k->places);
    if (!m->parameters)
        return false;
    set_entries(k);
    if (!make_programs(k))
        return false;
    connect_programs(k);
    return connect_actions(k);
}

static const Model *create(Arena *arena, const FlatModel *flat, Diagnostics *diagnostics)
{
    const size_t errors = diagnostics->error_count;
    Assembly *a = assemble(arena, flat, diagnostics);
    if (!a)
        return NULL;
    Model *m = ARENA_NEW(arena, Model);
    *m = (Model){.flat = flat, .assembly = a, .spare = ARENA_NEW(arena, struct ModelSpare)};
    m->backend = ARENA_NEW(arena, Backend);
    *m->backend = (Backend){.choice = BACKEND_INTERPRET, .title = flat->name};
    Maker k = {.arena = arena, .dag = a->dag, .a = a, .diagnostics = diagnostics, .model = m};
    return make(&k) && diagnostics->error_count == errors ? m : NULL;
}

const Model *model_create(Arena *arena, const FlatModel *flat, Diagnostics *diagnostics)
{
    jmp_buf exhaustion;
    const Model *volatile model = NULL;
    jmp_buf *before = arena_on_exhaustion(arena, &exhaustion);
    if (setjmp(exhaustion) == 0)
        model = create(arena, flat, diagnostics);
    else
        diagnostics_out_of_memory(diagnostics);
    arena_on_exhaustion(arena, before);
    return model;
}

// ---------------------------------------------------------------------------
// Memory of runs
// ---------------------------------------------------------------------------

size_t model_memory_size(const Model *m)
{
    return sizeof(double) * (m->memory_count + m->held_count + m->sample_count +
                             m->assembly->assertion_count + (size_t)m->discrete_count);
}

ModelMemory model_memory(const Model *m, const void *memory)
{
    double *next = (double *)(uintptr_t)memory;
    ModelMemory result = {.m = next};
    result.held = result.m + m->memory_count;
    result.ticks = result.held + m->held_count;
    result.warned = result.ticks + m->sample_count;
    result.logged = result.warned + m->assembly->assertion_count;
    return result;
}

// ---------------------------------------------------------------------------
// Scratch
// ---------------------------------------------------------------------------

static void free_scratch(ModelScratch *s)
{
    if (s)
        program_scratch_free(s->program);
    free(s);
}

ModelScratch *model_take_scratch(const Model *m)
{
    ModelScratch *s = atomic_exchange(&m->spare->scratch, NULL);
    if (s)
        return s;
    s = calloc(1, sizeof *s + 2 * sizeof(double) * m->most_values);
    if (!s)
        return NULL;
    s->values = (double *)(void *)(s + 1);
    s->more = s->values + m->most_values;
    s->program = program_scratch(m->flow);
    if (s->program)
        return s;
    free(s);
    return NULL;
}

void model_give_scratch(const Model *m, ModelScratch *s)
{
    ModelScratch *none = NULL;
    if (!atomic_compare_exchange_strong(&m->spare->scratch, &none, s))
        free_scratch(s);
}

void model_release(const Model *m)
{
    program_release(m->flow);
    free_scratch(atomic_exchange(&m->spare->scratch, NULL));
}
