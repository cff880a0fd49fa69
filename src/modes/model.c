// SPDX-License-Identifier: MIT
//
// Making a Model: what all modes share, and the first one.

#include "modes/mode_maker.h"

#include "base/combination.h"
#include "equations/print.h"
#include "equations/walk.h"
#include "flatten/pack.h"
#include "modes/frozen.h"
#include "modes/methods.h"
#include "modes/split.h"
#include "modes/zeros.h"

#include <math.h>
#include <stdlib.h>

typedef struct Maker {
    Arena *arena;
    Dag *dag;
    Assembly *a;
    Diagnostics *diagnostics;
    Model *model;
    const uint32_t *first; // choices of the mode that was made first
    bool is_never_run;     // see model_look
    bool is_whole;         // see model_create_whole
} Maker;

// ---------------------------------------------------------------------------
// Memory
// ---------------------------------------------------------------------------

static MemoryPlace model_place_of(const Maker *k, GraphVariable variable)
{
    return variable == DAG_NONE ? CODE_NONE : k->model->places[variable].index;
}

static void add_discrete(Maker *k, const AssembledDefinition *d, ModelDiscrete *list,
                         uint32_t *numbers)
{
    Model *m = k->model;
    const GraphVariable variable = d->variable;
    const DagVariable *v = &k->dag->variables[variable];
    if (numbers[model_place_of(k, variable)] != CODE_NONE)
        return;
    numbers[model_place_of(k, variable)] = m->defined.count;
    list[m->defined.count] = (ModelDiscrete){
        .name = v->name,
        .place = model_place_of(k, variable),
        .left = model_place_of(k, v->pre),
        .number = m->defined.count,
        .is_plain = v->role == DAG_PLAIN,
        .is_real = v->type == DAG_REAL,
        .guard = v->origin == DAG_NONE ? d->guard : m->flat->variables[v->origin]->guard};
    m->defined.count++;
}

// ---------------------------------------------------------------------------
// Outputs among the discrete variables
// ---------------------------------------------------------------------------

// The variable itself, or the one whose left limit it is.
static GraphVariable model_unlimited(const Dag *dag, GraphVariable variable)
{
    const DagVariable *v = &dag->variables[variable];
    return v->role == DAG_PRE ? v->of : variable;
}

// Marks the variables that occur in the nodes, or whose left limits do.
static void mark_used(Maker *k, bool *is_used, const Node *nodes, uint32_t count)
{
    DagMemo *memo = memo_take(k->dag);
    walk_variables(memo, WALK_ALL, nodes, count);
    for (uint32_t i = 0; i < memo->count; i++)
        is_used[model_unlimited(k->dag, memo->list[i])] = true;
    memo_give(memo);
}

// Likewise in the definitions of other variables. Of those that read a node, one is known, or that
// there are several (DAG_NONE): so each node is visited once, however many share it.
static void mark_used_by_definitions(Maker *k, bool *is_used)
{
    const Assembly *a = k->a;
    DagMemo *order = memo_take(k->dag), *reader = memo_take(k->dag);
#define READ(node, by)                                                                             \
    memo_set(reader, node,                                                                         \
             memo_has(reader, node) && memo_get(reader, node) != (by) ? DAG_NONE : (by))
    for (uint32_t i = 0; i < a->defined.count; i++) {
        walk_order(order, &a->defined.items[i].value, 1);
        READ(a->defined.items[i].value, a->defined.items[i].variable);
    }
    for (uint32_t i = order->count; i-- > 0;) {
        const Node node = order->list[i];
        const uint32_t by = memo_get(reader, node);
        for (uint32_t o = 0; o < dag_operand_count(k->dag, node); o++)
            READ(dag_operand(k->dag, node, o), by);
        if (dag_get(k->dag, node)->kind == DAG_VARIABLE) {
            const uint32_t v = model_unlimited(k->dag, dag_get(k->dag, node)->number);
            is_used[v] |= v != by;
        }
    }
#undef READ
    memo_give(reader);
    memo_give(order);
}

static void mark_used_by_modes(Maker *k, bool *is_used)
{
    const FlatModel *flat = k->a->flat;
    for (uint32_t i = 0; i < flat->conditional_count; i++)
        if (k->a->switches.branches[i] != NODE_NONE)
            mark_used(k, is_used, &k->a->switches.branches[i], 1);
    for (uint32_t i = 0; i < flat->machine_count; i++)
        mark_used(k, is_used, k->a->switches.transitions[i], flat->machines[i]->transition_count);
}

// A variable that nothing but itself depends on, a counter say, only records.
static void find_outputs(Maker *k, ModelDiscrete *discrete)
{
    const Assembly *a = k->a;
    bool *is_used = ARENA_ARRAY(k->arena, k->dag->variable_count, bool);
    for (uint32_t i = 0; i < a->equations.count; i++)
        mark_used(k, is_used, (Node[]){a->equations.items[i].left, a->equations.items[i].right}, 2);
    mark_used_by_definitions(k, is_used);
    for (uint32_t i = 0; i < a->actions.count; i++) {
        mark_used(k, is_used, &a->actions.items[i].condition, 1);
        if (a->actions.items[i].kind == ACTION_REINIT)
            mark_used(k, is_used, &a->actions.items[i].value, 1);
    }
    for (uint32_t i = 0; i < a->assertions.count; i++)
        mark_used(k, is_used, &a->assertions.items[i].condition, 1);
    mark_used(k, is_used, a->held.operands, k->dag->hold_count);
    mark_used_by_modes(k, is_used);
    for (uint32_t i = 0; i < a->defined.count; i++) {
        const uint32_t v = a->defined.items[i].variable;
        discrete[k->model->defined.at[model_place_of(k, v)]].is_output = !is_used[v];
    }
}

// Every variable that changes at events only, and every left limit, has a place. The first one is
// always zero.
static void lay_out_memory(Maker *k)
{
    Model *m = k->model;
    m->place_count = k->dag->variable_count;
    m->places = ARENA_ARRAY(k->arena, m->place_count, CodePlace);
    m->sizes.memory = 1;
    for (uint32_t v = 0; v < m->place_count; v++) {
        const DagVariable *variable = &k->dag->variables[v];
        m->places[v] = (CodePlace){CODE_NONE, 0};
        if (variable->role != DAG_LOCAL &&
            (variable->variability == DAG_DISCRETE || variable->role == DAG_PRE))
            m->places[v] = (CodePlace){PROGRAM_MEMORY, m->sizes.memory++};
    }
    m->places[DAG_TIME_VARIABLE] = (CodePlace){PROGRAM_TIME, 0};
    uint32_t *origins = ARENA_ARRAY(k->arena, m->place_count, uint32_t);
    for (uint32_t v = 0; v < m->place_count; v++)
        origins[v] = k->dag->variables[v].origin;
    m->origins = origins;
    m->sizes.held = k->dag->hold_count;
    const char **texts = ARENA_ARRAY(k->arena, m->sizes.held, const char *);
    for (uint32_t h = 0; h < m->sizes.held; h++) {
        m->places[k->a->held.variables[h]] = (CodePlace){PROGRAM_HELD, h};
        texts[h] = k->dag->variables[k->a->held.variables[h]].name;
    }
    m->hold_texts = texts;
    ModelDiscrete *discrete = ARENA_ARRAY(k->arena, k->a->defined.count, ModelDiscrete);
    uint32_t *numbers = ARENA_ARRAY(k->arena, m->sizes.memory, uint32_t);
    for (uint32_t i = 0; i < m->sizes.memory; i++)
        numbers[i] = CODE_NONE;
    for (uint32_t i = 0; i < k->a->defined.count; i++)
        add_discrete(k, &k->a->defined.items[i], discrete, numbers);
    m->defined.items = discrete;
    m->defined.at = numbers;
    find_outputs(k, discrete);
    m->initial_place = model_place_of(k, convert_initial(k->a->translation));
    m->terminal_place = model_place_of(k, convert_terminal(k->a->translation));
}

static void find_left_limits(Maker *k)
{
    Model *m = k->model;
    uint32_t most = 0;
    for (uint32_t v = 0; v < m->place_count; v++)
        most += k->dag->variables[v].role == DAG_PRE;
    ProgramPlace *lefts = ARENA_ARRAY(k->arena, most, ProgramPlace);
    for (uint32_t v = 0; v < m->place_count; v++) {
        const DagVariable *variable = &k->dag->variables[v];
        if (variable->role == DAG_PRE &&
            k->dag->variables[variable->of].variability == DAG_CONTINUOUS)
            lefts[m->left.count++] = (ProgramPlace){variable->of, m->places[v].index};
    }
    const char **names = ARENA_ARRAY(k->arena, m->left.count, const char *);
    for (uint32_t i = 0; i < m->left.count; i++)
        names[i] = k->dag->variables[lefts[i].variable].name;
    m->left.items = lefts;
    m->left.names = names;
    m->samples.count = convert_sample_count(k->a->translation);
    uint32_t *samples = ARENA_ARRAY(k->arena, m->samples.count, uint32_t);
    for (uint32_t i = 0; i < m->samples.count; i++)
        samples[i] = model_place_of(k, convert_sample(k->a->translation, i)->variable);
    m->samples.places = samples;
    const char **texts = ARENA_ARRAY(k->arena, m->samples.count, const char *);
    for (uint32_t i = 0; i < m->samples.count; i++) {
        StringBuilder text = builder_create(k->arena);
        builder_append_text(&text, "sample(");
        print_node(k->dag, convert_sample(k->a->translation, i)->start, &text);
        builder_append_text(&text, ", ");
        print_node(k->dag, convert_sample(k->a->translation, i)->interval, &text);
        builder_append_character(&text, ')');
        texts[i] = builder_string(&text).text;
    }
    m->samples.texts = texts;
}

static void list_delays(Maker *k)
{
    Model *m = k->model;
    m->delay_count = convert_delay_count(k->a->translation);
    ModelDelay *delays = ARENA_ARRAY(k->arena, m->delay_count, ModelDelay);
    for (uint32_t i = 0; i < m->delay_count; i++) {
        const ConvertDelay *d = convert_delay(k->a->translation, i);
        delays[i] = (ModelDelay){.left = model_place_of(k, k->dag->variables[d->observed].pre),
                                 .handle = model_place_of(k, d->handle),
                                 .start = model_place_of(k, d->start),
                                 .is_variable = d->is_variable,
                                 .is_discrete =
                                     !d->is_variable &&
                                     dag_get(k->dag, d->expression)->variability < DAG_CONTINUOUS,
                                 .is_transport = d->kind == CONVERT_TRANSPORT,
                                 .is_transported = d->kind == CONVERT_TRANSPORTED,
                                 .front = d->kind == CONVERT_TRANSPORTED ? d->front : CODE_NONE,
                                 .beyond = CODE_NONE,
                                 .point_count = d->point_count,
                                 .text = d->text,
                                 .span = d->span};
        if (delays[i].front != CODE_NONE)
            delays[i].beyond = model_place_of(k, d->beyond);
    }
    m->delays = delays;
}

static void list_outputs(Maker *k)
{
    Model *m = k->model;
    const uint32_t most = k->a->flat->variable_count;
    const char **names = ARENA_ARRAY(k->arena, most, const char *);
    const FlatVariable **flat = ARENA_ARRAY(k->arena, most, const FlatVariable *);
    GraphVariable *variables = ARENA_ARRAY(k->arena, most, GraphVariable);
    for (uint32_t i = 0; i < most; i++) {
        const FlatVariable *v = k->a->flat->variables[i];
        const GraphVariable variable = translate_variable(k->a->translation, v);
        const bool is_text = FLAT_TYPE(v)->kind == FLAT_TYPE_STRING; // results are numbers
        if (variable == DAG_NONE || v->kind <= FLAT_PARAMETER || is_text)
            continue;
        variables[m->outputs.count] = variable;
        names[m->outputs.count] = v->name;
        flat[m->outputs.count++] = v;
    }
    m->outputs.names = names;
    m->outputs.variables = flat;
    m->outputs.nodes = variables;
}

// ---------------------------------------------------------------------------
// What left limits determine
// ---------------------------------------------------------------------------

static ProgramEntry frozen_starts(Maker *k)
{
    const Model *m = k->model;
    const uint32_t count = m->defined.count + (k->a->has_modes ? m->left.count : 0);
    Node *nodes = ARENA_ARRAY(k->arena, count, Node);
    for (uint32_t i = 0; i < k->a->defined.count; i++) {
        const uint32_t v = k->a->defined.items[i].variable;
        nodes[m->defined.at[model_place_of(k, v)]] = analyse_start_value(k->a, v);
    }
    for (uint32_t i = m->defined.count; i < count; i++)
        nodes[i] = analyse_start_value(k->a, m->left.items[i - m->defined.count].variable);
    return (ProgramEntry){.name = "starts", .nodes = nodes, .count = count};
}

// Whether left limits alone say what it is; `known` has that of the nodes below.
static bool is_frozen(Maker *k, const CodePlace *places, DagMemo *known, Node node)
{
    DagMemo *order = memo_take(k->dag);
    walk_order_beyond(order, WALK_UNHELD, known, &node, 1);
    for (uint32_t i = 0; i < order->count; i++) {
        const DagNode *n = dag_get(k->dag, order->list[i]);
        bool result = true;
        if (n->kind == DAG_VARIABLE) {
            const DagRole role = k->dag->variables[n->number].role;
            result = n->number < k->model->place_count && places[n->number].vector != CODE_NONE &&
                     role != DAG_PRE && role != DAG_INITIAL && role != DAG_SAMPLE;
        }
        if (n->kind != DAG_HOLD)
            for (uint32_t o = 0; o < dag_operand_count(k->dag, order->list[i]); o++)
                result = result && memo_get(known, dag_operand(k->dag, order->list[i], o));
        memo_set(known, order->list[i], result);
    }
    memo_give(order);
    return memo_get(known, node);
}

// Of each discrete variable what defines it, if that is computed from left limits alone; else the
// variable itself.
static ProgramEntry frozen_discrete(Maker *k, const CodePlace *places)
{
    const Model *m = k->model;
    Node *nodes = ARENA_ARRAY(k->arena, m->defined.count, Node);
    DagMemo *known = memo_take(k->dag);
    for (uint32_t i = 0; i < k->a->defined.count; i++) {
        const AssembledDefinition *d = &k->a->defined.items[i];
        const uint32_t origin = k->dag->variables[d->variable].origin;
        const bool has_start =
            origin != DAG_NONE && m->flat->variables[origin]->attributes->start != NULL;
        const bool is_defined = !d->guard && !has_start && is_frozen(k, places, known, d->value);
        nodes[m->defined.at[model_place_of(k, d->variable)]] =
            is_defined ? d->value : dag_reference(k->dag, d->variable);
    }
    memo_give(known);
    return (ProgramEntry){
        .name = "discrete", .nodes = nodes, .count = k->a->has_modes ? m->defined.count : 0};
}

// What is held, by left limits; in a model without modes, where few variables have them, by start
// values: they say which branch of abs(x) = 1 is meant.
static ProgramEntry frozen_holds(Maker *k, const CodePlace *places)
{
    const Model *m = k->model;
    Node *nodes = ARENA_ARRAY(k->arena, m->sizes.held, Node);
    DagMemo *map = memo_take(k->dag);
    for (uint32_t v = 0; v < m->place_count && !k->a->has_modes; v++)
        if (k->dag->variables[v].variability == DAG_CONTINUOUS && v != DAG_TIME_VARIABLE &&
            places[v].vector == CODE_NONE)
            memo_set(map, v, analyse_start_value(k->a, v));
    for (uint32_t h = 0; h < m->sizes.held; h++)
        nodes[h] = walk_substitute(k->dag, k->a->held.operands[h], map);
    memo_give(map);
    return (ProgramEntry){.name = "holds", .nodes = nodes, .count = m->sizes.held};
}

static bool make_frozen(Maker *k)
{
    Model *m = k->model;
    Arena *aside = arena_scratch(k->arena);
    const ArenaMark mark = arena_mark(aside);
    CodePlace *places = ARENA_ARRAY(aside, m->place_count, CodePlace);
    memcpy(places, m->places, m->place_count * sizeof *places);
    for (uint32_t i = 0; i < m->left.count; i++)
        places[m->left.items[i].variable] = (CodePlace){PROGRAM_MEMORY, m->left.items[i].place};
    for (uint32_t i = 0; i < k->a->sliding.count; i++) // nothing slides: the first place is zero
        places[k->a->sliding.first + i] = (CodePlace){PROGRAM_MEMORY, 0};
    const ProgramEntry entries[FROZEN_ENTRY_COUNT] = {
        [FROZEN_STARTS] = frozen_starts(k),
        [FROZEN_HOLDS] = frozen_holds(k, places),
        [FROZEN_BRANCHES] = {.name = "branches",
                             .nodes = k->a->switches.branches,
                             .count = k->a->flat->conditional_count},
        [FROZEN_DISCRETE] = frozen_discrete(k, places)};
    ProgramEntry all[FROZEN_ENTRY_COUNT];
    for (int i = 0; i < FROZEN_ENTRY_COUNT; i++) {
        all[i] = entries[i];
        all[i].is_guess = i != FROZEN_STARTS;
    }
    m->frozen = program_create_in(
        k->arena,
        &(ProgramDef){
            .dag = k->dag, .places = places, .entries = all, .entry_count = FROZEN_ENTRY_COUNT},
        k->diagnostics);
    arena_release(aside, mark);
    for (int i = 0; i < FROZEN_ENTRY_COUNT; i++)
        if (entries[i].count > m->frozen_most)
            m->frozen_most = entries[i].count;
    return m->frozen != NULL;
}

// ---------------------------------------------------------------------------
// The whole
// ---------------------------------------------------------------------------

// Which choices make a difference in the mode that these lead to. What is wrong with it is said
// when it is made.
static const bool *find_choices(Maker *k, const Choice *choices)
{
    const Model *m = k->model;
    bool *is_choice = ARENA_ARRAY(k->arena, m->sizes.choices, bool);
    Gathered g;
    if (m->sizes.choices == 0)
        return is_choice;
    workshop_open(m);
    gather(k->a, PARTS_ALL, choices, diagnostics_create(k->dag->arena, k->diagnostics->sources),
           &g);
    for (uint32_t i = 0; i < m->sizes.choices; i++)
        is_choice[i] = g.choices[i] != GATHER_ANY;
    gather_end(&g);
    workshop_close(m, false);
    return is_choice;
}

CodePlace *model_copy_places(const Model *m, Arena *arena)
{
    const uint32_t count = m->assembly->dag->variable_count;
    CodePlace *places = ARENA_ARRAY(arena, count, CodePlace);
    memcpy(places, m->places, m->place_count * sizeof *places);
    for (uint32_t v = m->place_count; v < count; v++)
        places[v] = (CodePlace){CODE_NONE, 0};
    return places;
}

// What observes several parts, from the outputs of these.
static bool make_observer(Maker *k)
{
    Model *m = k->model;
    const Observer *observers = k->a->parts->observers;
    const uint32_t count = k->a->parts->observer_count;
    if (count == 0)
        return true;
    CodePlace *places = model_copy_places(m, k->dag->arena);
    Node *nodes = ARENA_ARRAY(k->arena, count, Node);
    uint32_t *numbers = ARENA_ARRAY(k->arena, count, uint32_t);
    for (uint32_t i = 0; i < m->outputs.count; i++)
        if (k->dag->variables[m->outputs.nodes[i]].variability == DAG_CONTINUOUS)
            places[m->outputs.nodes[i]] = (CodePlace){PROGRAM_STATES, i};
    for (uint32_t i = 0; i < count; i++) {
        nodes[i] = observers[i].value;
        numbers[i] = places[observers[i].variable].index;
    }
    const ProgramEntry entry = {.name = "observed", .nodes = nodes, .count = count};
    m->observer = program_create(
        &(ProgramDef){.dag = k->dag, .places = places, .entries = &entry, .entry_count = 1},
        k->diagnostics);
    m->observed = numbers;
    return m->observer != NULL;
}

static const Mode *make_modes(Maker *k, const uint32_t *choices, const Parts *parts)
{
    k->a->parts = parts;
    return make_observer(k) ? modes_first(k->model, choices, k->diagnostics) : NULL;
}

// The same, unless it is seen while the mode is made that states may have to be chosen anew, of
// what has nothing to do with each other: such choices must not multiply either.
static const Mode *make_separated(Maker *k, const uint32_t *choices, const Parts **parts,
                                  const bool *is_choice)
{
    PartsReasons reasons = {.is_choice = is_choice ? is_choice : find_choices(k, choices)};
    const DiagnosticsMark mark = diagnostics_mark(k->diagnostics);
    k->a->separation = k->is_whole ? NULL : &reasons;
    const Mode *mode = make_modes(k, choices, *parts);
    k->a->separation = NULL;
    if (!reasons.variable_count)
        return mode;
    diagnostics_rewind(k->diagnostics, mark);
    modes_forget(k->model);
    *parts = parts_find(k->a, &reasons);
    return make_modes(k, choices, *parts);
}

// The if-equations that make a mode impossible.
static uint32_t list_suspects(const Model *m, const Mode *mode, uint32_t *list)
{
    uint32_t count = 0;
    for (uint32_t i = m->flat->machine_count; i < m->sizes.choices; i++) {
        bool is_suspect = mode->is_suspect && mode->is_suspect[i];
        for (uint32_t n = 0; n < mode->parts.count && mode->parts.count > 1; n++)
            is_suspect |= mode->parts.modes[n]->is_suspect && mode->parts.modes[n]->is_suspect[i];
        if (is_suspect)
            list[count++] = i;
    }
    return count;
}

// In place of what was made and said before.
static const Mode *make_again(Maker *k, const Choice *choices, const Parts *parts,
                              DiagnosticsMark mark)
{
    modes_forget(k->model);
    diagnostics_rewind(k->diagnostics, mark);
    return make_modes(k, choices, parts);
}

static uint32_t surplus_of(const Mode *mode)
{
    uint32_t sum = mode->surplus;
    for (uint32_t n = 0; n < mode->parts.count && mode->parts.count > 1; n++)
        sum += mode->parts.modes[n]->surplus;
    return sum;
}

// From a broken mode to others, each of which differs from the one before in one of the
// if-equations to blame and has fewer equations and variables too many: a bridge of diodes that all
// conduct. The choices are those of the last one, which is broken, too, if there is no way on.
static const Mode *descend(Maker *k, Choice *choices, const Parts *parts, const Mode *mode,
                           DiagnosticsMark mark)
{
    const Model *m = k->model;
    uint32_t *list = ARENA_ARRAY(k->arena, m->sizes.choices, uint32_t);
    uint32_t count = list_suspects(m, mode, list), least = surplus_of(mode);
    for (uint32_t i = 0; i < count && mode && mode->is_broken; i++) {
        const Choice before = choices[list[i]], branches = model_branch_count(m, list[i]);
        for (uint32_t by = 1; by < branches; by++) {
            choices[list[i]] = (before + by) % branches;
            mode = make_again(k, choices, parts, mark);
            if (!mode || !mode->is_broken || surplus_of(mode) < least)
                break;
            choices[list[i]] = before;
        }
        if (!mode || choices[list[i]] == before)
            continue;
        least = surplus_of(mode);
        count = list_suspects(m, mode, list);
        i = UINT32_MAX; // from the first one again
    }
    return mode;
}

// A mode that start values ask for may be impossible, while the run will find another one to begin
// with: a bridge whose diodes all block, on a coil. One that differs in few of the if-equations to
// blame, or that a descent leads to.
static const Mode *find_possible(Maker *k, uint32_t *choices, const Parts *parts,
                                 const Mode *broken, DiagnosticsMark mark)
{
    enum { MOST_TRIES = 256 };
    const Model *m = k->model;
    uint32_t *list = ARENA_ARRAY(k->arena, m->sizes.choices, uint32_t), tries = 0;
    const uint32_t count = list_suspects(m, broken, list);
    for (uint32_t size = 1; size <= 3 && size <= count; size++) {
        uint32_t turned[3] = {0, 1, 2};
        do {
            for (uint32_t n = 0; n < size; n++)
                choices[list[turned[n]]] =
                    (choices[list[turned[n]]] + 1) % model_branch_count(m, list[turned[n]]);
            const Mode *mode = make_again(k, choices, parts, mark);
            if (!mode || !mode->is_broken)
                return mode;
            for (uint32_t n = 0; n < size; n++) {
                const uint32_t branches = model_branch_count(m, list[turned[n]]);
                choices[list[turned[n]]] = (choices[list[turned[n]]] + branches - 1) % branches;
            }
        } while (combination_next(turned, size, count) && ++tries < MOST_TRIES);
    }
    Choice *other = ARENA_ARRAY(k->arena, m->sizes.choices, Choice);
    memcpy(other, choices, m->sizes.choices * sizeof *other);
    const Mode *mode = make_again(k, choices, parts, mark);
    if (mode && mode->is_broken)
        mode = descend(k, other, parts, mode, mark);
    if (mode && !mode->is_broken)
        memcpy(choices, other, m->sizes.choices * sizeof *other);
    else if (mode)
        mode = make_again(k, choices, parts, mark); // what is wrong with the first one is said
    return mode;
}

// The mode in which a run with the parameters' own values would probably begin: what is wrong with
// it is an error of the model.
static bool make_first_mode(Maker *k)
{
    enum { MOST_WHOLE_PARTS = 5 }; // their modes multiply
    Model *m = k->model;
    Choice *choices = ARENA_ARRAY(k->arena, m->sizes.choices, Choice);
    double *p = ARENA_ARRAY(k->arena, m->parameters->count + 1u, double);
    double *memory = ARENA_ARRAY(k->arena, model_memory_size(m) / sizeof(double) + 1u, double);
    if (parameters_evaluate(m->parameters, k->diagnostics->sources, NULL, 0, p, NULL) !=
            SALTUS_OK ||
        !frozen_start(m, 0.0, p, memory, choices, NULL))
        memset(choices, 0, m->sizes.choices * sizeof *choices);
    const bool *is_choice = m->sizes.choices > 1 ? find_choices(k, choices) : NULL;
    const Parts *parts =
        is_choice ? parts_find(k->a, &(PartsReasons){.is_choice = is_choice}) : &parts_none;
    if (k->is_whole && parts->count <= MOST_WHOLE_PARTS)
        parts = &parts_none;
    const DiagnosticsMark mark = diagnostics_mark(k->diagnostics);
    const Mode *mode = make_separated(k, choices, &parts, is_choice);
    if (mode && mode->is_broken)
        mode = find_possible(k, choices, parts, mode, mark);
    k->first = choices;
    return mode && !mode->is_broken;
}

// Of parameters with their own bindings, for decisions that are better with than without them.
static void find_own_values(Maker *k)
{
    const Model *m = k->model;
    double *own = ARENA_ARRAY(k->arena, m->parameters->count, double);
    double *values = ARENA_ARRAY(k->arena, k->dag->variable_count, double);
    if (parameters_evaluate(m->parameters, k->diagnostics->sources, NULL, 0, own, NULL) !=
        SALTUS_OK)
        return;
    parameters_drop_rounding(m->parameters, k->diagnostics->sources, own);
    for (uint32_t v = 0; v < k->dag->variable_count; v++) {
        const CodePlace *place = v < m->place_count ? &m->places[v] : NULL;
        values[v] = place && place->vector == PROGRAM_PARAMETERS ? own[place->index] : NAN;
    }
    for (uint32_t i = 0; i < k->a->free.count; i++)
        values[k->a->free.parameters[i]] = NAN;
    k->a->known.values = values;
    k->a->known.count = k->dag->variable_count;
}

static bool model_make(Maker *k)
{
    Model *m = k->model;
    const FlatModel *flat = k->a->flat;
    m->sizes.choices = flat->machine_count + flat->conditional_count;
    m->machines = machine_tables(k->arena, flat);
    lay_out_memory(k);
    find_left_limits(k);
    list_delays(k);
    list_outputs(k);
    analyse_attributes(k->a);
    m->parameters = parameters_create(k->a, m->places);
    if (m->parameters)
        find_own_values(k);
    m->has_first = m->parameters && methods_check(flat, k->diagnostics) && make_frozen(k) &&
                   make_first_mode(k);
    return m->has_first;
}

static Model *modes_model_create(Arena *arena, const FlatModel *given, Diagnostics *diagnostics)
{
    // Nothing reads the equations once they are in the graph; if split, they stay, being in parts
    // of others.
    Arena *equations = given->packed ? arena_child(arena) : NULL;
    FlatModel *whole = ARENA_NEW(arena, FlatModel);
    *whole = *flat_unpack(equations, given);
    const FlatModel *flat = split_choices(arena, whole);
    Assembly *a = assemble(arena, flat, diagnostics);
    if (equations && flat == whole) {
        *whole = *given;
        arena_destroy(equations);
    }
    if (!a)
        return NULL;
    Model *m = ARENA_NEW(arena, Model);
    *m = (Model){.arena = arena,
                 .flat = flat,
                 .assembly = a,
                 .diagnostics = diagnostics,
                 .sizes.method = methods_memory(flat)};
    if (!modes_create(m) || !model_provide_warm(m))
        return NULL;
    m->backend = ARENA_NEW(arena, Backend);
    *m->backend =
        (Backend){.choice = BACKEND_INTERPRET, .title = flat->name, .graph = modes_mutex(m)};
    model_provide_workshop(m);
    return m;
}

static bool make_whole(Arena *arena, const FlatModel *flat, Diagnostics *diagnostics,
                       bool has_zeros, Maker *k)
{
    const size_t errors = diagnostics->error_count;
    const bool is_never_run = k->is_never_run, is_whole = k->is_whole;
    *k = (Maker){.arena = arena,
                 .diagnostics = diagnostics,
                 .is_never_run = is_never_run,
                 .is_whole = is_whole};
    k->model = modes_model_create(arena, flat, diagnostics);
    if (!k->model)
        return false;
    k->a = k->model->assembly;
    k->a->has_zeros = has_zeros;
    k->a->is_never_run = is_never_run;
    k->dag = k->a->dag;
    return model_make(k) && diagnostics->error_count == errors;
}

// Once more, as long as parameters are found that shape it because they are zero; as it was, if
// the equations are none for its variables then.
static bool make_without_zeros(const FlatModel *flat, DiagnosticsMark mark, Maker *k)
{
    enum { MOST_ROUNDS = 4 };
    bool is_fine = true;
    for (int round = 0; round < MOST_ROUNDS && is_fine; round++) {
        const bool *is_zero = zeros_find(k->model, k->arena, k->first);
        if (!is_zero)
            return true;
        zeros_fix(k->model, is_zero);
        model_release(k->model);
        k->model = NULL;
        diagnostics_rewind(k->diagnostics, mark);
        is_fine = make_whole(k->arena, flat, k->diagnostics, true, k);
        if (is_fine)
            continue;
        if (k->model)
            model_release(k->model);
        zeros_release(flat, is_zero);
        diagnostics_rewind(k->diagnostics, mark);
        return make_whole(k->arena, flat, k->diagnostics, round > 0, k);
    }
    return is_fine;
}

static const Model *model_create_or_look(Arena *arena, const FlatModel *flat,
                                         Diagnostics *diagnostics, bool is_never_run, bool is_whole)
{
    jmp_buf exhaustion;
    Maker *volatile k = NULL;
    volatile bool is_fine = false;
    jmp_buf *before = arena_on_exhaustion(arena, &exhaustion);
    const DiagnosticsMark mark = diagnostics_mark(diagnostics);
    if (setjmp(exhaustion) == 0) {
        k = ARENA_NEW(arena, Maker);
        k->is_never_run = is_never_run;
        k->is_whole = is_whole;
        is_fine =
            make_whole(arena, flat, diagnostics, false, k) && make_without_zeros(flat, mark, k);
    } else {
        diagnostics_out_of_memory(diagnostics);
        is_fine = false;
    }
    arena_on_exhaustion(arena, before);
    if (is_fine)
        return k->model;
    if (k && k->model)
        model_release(k->model);
    return NULL;
}

const Model *model_create(Arena *arena, const FlatModel *flat, Diagnostics *diagnostics)
{
    return model_create_or_look(arena, flat, diagnostics, false, false);
}

const Model *model_create_whole(Arena *arena, const FlatModel *flat, Diagnostics *diagnostics)
{
    return model_create_or_look(arena, flat, diagnostics, false, true);
}

const Model *model_look(Arena *arena, const FlatModel *flat, Diagnostics *diagnostics)
{
    return model_create_or_look(arena, flat, diagnostics, true, false);
}

void model_release(const Model *model)
{
    if (model->backend->whole)
        model->backend->whole_destroy(model->backend->whole);
    modes_release(model);
    model_release_workshop(model);
    model_release_warm(model);
}

// ---------------------------------------------------------------------------
// Memory of runs
// ---------------------------------------------------------------------------

uint32_t model_warning_count(const Model *m)
{
    return m->assembly->assertions.count + m->assembly->actions.count;
}

static size_t count_doubles(const Model *m)
{
    return m->sizes.memory + m->sizes.held + m->samples.count + model_warning_count(m) +
           (size_t)m->defined.count + m->machines->memory_count + m->sizes.method + m->left.count +
           3u;
}

size_t model_memory_size(const Model *m)
{
    const size_t flags = m->sizes.held + 1u + (m->assembly->has_modes ? m->sizes.memory : 0u);
    return sizeof(double) * count_doubles(m) + sizeof(bool) * flags;
}

ModelMemory model_memory(const Model *m, const void *memory)
{
    double *next = (double *)(uintptr_t)memory;
    ModelMemory result = {.m = next};
    result.held = result.m + m->sizes.memory;
    result.ticks = result.held + m->sizes.held;
    result.warned = result.ticks + m->samples.count;
    result.logged = result.warned + model_warning_count(m);
    result.machines = result.logged + m->defined.count;
    result.method = result.machines + m->machines->memory_count;
    result.begun = result.method + m->sizes.method;
    result.armings = result.begun + m->left.count;
    result.armed_steps = result.armings + 1;
    result.delays = (struct Delays **)(void *)(result.armed_steps + 1);
    result.is_released = (bool *)(result.delays + 1);
    result.goes_on = result.is_released + m->sizes.held;
    result.is_fixed = m->assembly->has_modes ? result.goes_on + 1 : NULL;
    return result;
}

bool model_has_modes(const Model *m)
{
    return m->assembly->has_modes || m->assembly->sliding.count > 0;
}

bool model_changes_structure(const Model *m)
{
    return m->assembly->has_modes;
}
