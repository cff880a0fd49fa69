// SPDX-License-Identifier: MIT

#include "modes/assemble.h"

#include "equations/print.h"
#include "equations/walk.h"
#include "flatten/collections.h"
#include "flatten/ground.h"
#include "flatten/print.h"
#include "flatten/walk.h"
#include "modes/assemble_when.h"
#include "modes/deciding.h"
#include "modes/parts.h"
#include "modes/sliding.h"

#define ASSEMBLE_PUSH(a, array, count, room, item)                                                 \
    do {                                                                                           \
        if ((count) == (room)) {                                                                   \
            const uint32_t grown = arena_more_room(room, 16);                                      \
            (array) = arena_regrow((a)->dag->arena, (array), (room) * sizeof *(array),             \
                                   grown * sizeof *(array));                                       \
            (room) = grown;                                                                        \
        }                                                                                          \
        (array)[(count)++] = (item);                                                               \
    } while (0)

void assemble_define(Assembly *a, GraphVariable variable, Node value)
{
    const AssembledDefinition d = {variable, value, a->here.guard};
    ASSEMBLE_PUSH(a, a->defined.items, a->defined.count, a->defined.room, d);
}

void assemble_action(Assembly *a, const AssembledAction *action)
{
    AssembledAction guarded = *action;
    guarded.guard = a->here.guard;
    ASSEMBLE_PUSH(a, a->actions.items, a->actions.count, a->actions.room, guarded);
}

void assemble_assertion(Assembly *a, const AssembledAction *assertion)
{
    ASSEMBLE_PUSH(a, a->assertions.items, a->assertions.count, a->assertions.room, *assertion);
}

static void assemble_add_equation(Assembly *a, AssembledEquations *to, Node left, Node right,
                                  Span span)
{
    const AssembledEquation e = {
        left,         right,        span,         a->here.guard, a->here.component,
        a->here.open, a->here.tick, a->here.slope};
    ASSEMBLE_PUSH(a, to->items, to->count, to->room, e);
}

void assemble_undirected(Assembly *a, const AssembledEquation *like, Node left, Node right)
{
    AssembledEquation e = *like;
    e.left = left;
    e.right = right;
    ASSEMBLE_PUSH(a, a->undirected.items, a->undirected.count, a->undirected.room, e);
}

void assemble_equation(Assembly *a, Node left, Node right, Span span)
{
    assemble_add_equation(a, &a->equations, left, right, span);
}

void assemble_initial_equation(Assembly *a, Node left, Node right, Span span)
{
    assemble_add_equation(a, &a->initial_equations, left, right, span);
}

void assemble_undirected_initial(Assembly *a, Node left, Node right, Span span)
{
    assemble_add_equation(a, &a->undirected_initial, left, right, span);
}

// ---------------------------------------------------------------------------
// Guards
// ---------------------------------------------------------------------------

// Two branches of one if-equation, or two states of one machine: never both.
bool assemble_exclude(const FlatGuard *a, const FlatGuard *b)
{
    for (; a; a = a->outer)
        for (const FlatGuard *g = b; g; g = g->outer) {
            if (a->state && g->state && a->state->machine == g->state->machine &&
                a->state != g->state)
                return true;
            if (!a->state && !g->state && a->conditional == g->conditional &&
                a->branch != g->branch)
                return true;
        }
    return false;
}

Node assemble_guard(const Assembly *a, const FlatGuard *guard)
{
    Node all = a->dag->truth;
    for (; guard; guard = guard->outer)
        if (!guard->state)
            all = dag_binary(a->dag, OPERATOR_AND,
                             a->switches.conditions[guard->conditional->index][guard->branch], all);
    return all;
}

// ---------------------------------------------------------------------------
// Equations
// ---------------------------------------------------------------------------

static void add_sides(Assembly *a, AssembledEquations *to, Node left, Node right, Span span)
{
    if (to == &a->initial_equations)
        assemble_initial(a, left, right, span);
    else
        assemble_add_equation(a, assemble_is_undirected(a, left, right) ? &a->undirected : to, left,
                              right, span);
}

static void add_results(Assembly *a, AssembledEquations *to, const FlatEquation *e)
{
    uint32_t count;
    const DagEquation *sides =
        convert_results(a->translation, e->right, e->target_count, e->targets, &count);
    for (uint32_t i = 0; i < count; i++)
        add_sides(a, to, sides[i].left, sides[i].right, e->origin.span);
}

// flow = 0 of a connector that nothing is connected to; NULL: the equation is none of these.
static const FlatVariable *open_flow(const FlatEquation *e)
{
    const bool is_open = e->kind == FLAT_EQUATION_CONNECTION && e->left->kind == FLAT_VARIABLE &&
                         e->left->variable->is_flow && e->right->kind == FLAT_REAL;
    return is_open ? e->left->variable : NULL;
}

static void collect_equations(Assembly *a, AssembledEquations *to, uint32_t count,
                              FlatEquation *const *equations)
{
    for (uint32_t i = 0; i < count; i++) {
        const FlatEquation *e = equations[i];
        if (assemble_is_in_initial_if(e))
            continue;
        a->here.guard = e->guard;
        a->here.component = e->origin.component;
        a->here.open = open_flow(e);
        a->here.tick = e->tick ? translate(a->translation, &e->tick->reference) : NODE_NONE;
        a->here.slope = e->slope ? translate_variable(a->translation, e->slope) : DAG_NONE;
        convert_be_silent(a->translation, e->tick != NULL);
        if (e->kind == FLAT_EQUATION_CALL)
            add_results(a, to, e);
        else
            add_sides(a, to, translate(a->translation, e->left),
                      translate(a->translation, e->right), e->origin.span);
    }
    convert_be_silent(a->translation, false);
    a->here.tick = NODE_NONE;
    a->here.slope = DAG_NONE;
    a->here.guard = NULL;
    a->here.component = NULL;
    a->here.open = NULL;
}

// Conditions of the branches, and the number of the one that holds.
static void collect_conditional(Assembly *a, const FlatIf *conditional)
{
    const uint32_t i = conditional->index, count = conditional->count;
    if (conditional->is_initial)
        assemble_initial_if(a, conditional);
    a->switches.conditions[i] = ARENA_ARRAY(a->dag->arena, count, Node);
    for (uint32_t b = 0; b < count; b++)
        a->switches.conditions[i][b] = conditional->conditions[b]
                                           ? translate(a->translation, conditional->conditions[b])
                                           : a->dag->truth;
    // Without `else`, the branch after the last one is empty.
    Node number = dag_integer(a->dag, conditional->conditions[count - 1] ? count : count - 1);
    for (uint32_t b = count; b-- > 0;)
        number = dag_if(a->dag, a->switches.conditions[i][b], dag_integer(a->dag, b), number);
    a->switches.branches[i] = number;
}

static void collect_conditionals(Assembly *a)
{
    const FlatModel *flat = a->flat;
    a->switches.conditions = ARENA_ARRAY(a->dag->arena, flat->conditional_count, Node *);
    a->switches.branches = ARENA_ARRAY(a->dag->arena, flat->conditional_count, Node);
    for (uint32_t i = 0; i < flat->conditional_count; i++)
        collect_conditional(a, flat->conditionals[i]);
}

static uint32_t *state_list(const Assembly *a)
{
    uint32_t *list = ARENA_ARRAY(a->dag->arena, a->states.count, uint32_t);
    for (uint32_t i = 0; i < a->states.count; i++)
        list[i] = DAG_NONE;
    return list;
}

static void collect_states(Assembly *a)
{
    const FlatModel *flat = a->flat;
    for (uint32_t i = 0; i < flat->machine_count; i++)
        a->states.count += flat->machines[i]->state_count;
    a->states.active = state_list(a);
    a->states.since = state_list(a);
    a->states.ticks = state_list(a);
    a->states.entering = state_list(a);
    for (uint32_t i = 0; i < flat->machine_count; i++)
        for (uint32_t k = 0; k < flat->machines[i]->state_count; k++) {
            const FlatState *state = flat->machines[i]->states[k];
            const uint32_t number = assemble_state(flat, state);
            a->states.active[number] = convert_active(a->translation, state);
            a->states.since[number] = convert_state_time(a->translation, state);
            a->states.ticks[number] = convert_state_ticks(a->translation, state);
            a->states.entering[number] =
                dag_add_variable(a->dag, "entering", DAG_AUXILIARY, DAG_BOOLEAN, DAG_DISCRETE);
        }
}

uint32_t assemble_state(const FlatModel *flat, const FlatState *state)
{
    uint32_t first = 0;
    for (uint32_t i = 0; i < state->machine->index; i++)
        first += flat->machines[i]->state_count;
    return first + state->index;
}

static void collect_transitions(Assembly *a)
{
    const FlatModel *flat = a->flat;
    a->switches.transitions = ARENA_ARRAY(a->dag->arena, flat->machine_count, Node *);
    for (uint32_t i = 0; i < flat->machine_count; i++) {
        const FlatMachine *m = flat->machines[i];
        a->switches.transitions[i] = ARENA_ARRAY(a->dag->arena, m->transition_count, Node);
        for (uint32_t k = 0; k < m->transition_count; k++)
            a->switches.transitions[i][k] = translate(a->translation, m->transitions[k].condition);
    }
}

static void collect_assertions(Assembly *a)
{
    for (uint32_t i = 0; i < a->flat->assertion_count; i++) {
        const FlatAssertion *f = a->flat->assertions[i];
        AssembledAction action = {.kind = f->condition ? ACTION_ASSERT : ACTION_TERMINATE,
                                  .condition = a->dag->truth,
                                  .level = f->level,
                                  .span = f->origin.span,
                                  .guard = f->guard};
        if (f->condition)
            action.condition =
                dag_unary(a->dag, OPERATOR_NOT, translate(a->translation, f->condition));
        assemble_message_add(a, assemble_message(a, &action, f->message), assemble_assertion);
    }
}

// ---------------------------------------------------------------------------
// Start values
// ---------------------------------------------------------------------------

Node analyse_start_value(Assembly *a, GraphVariable variable)
{
    const uint32_t origin = a->dag->variables[variable].origin;
    const FlatVariable *flat = origin == DAG_NONE ? NULL : a->flat->variables[origin];
    if (!flat || !flat->attributes->start) // zero, false, "", or the first literal (section 4.8)
        return dag_real(a->dag, flat && FLAT_TYPE(flat)->kind == FLAT_TYPE_ENUMERATION ? 1.0 : 0.0);
    return a->starts && a->starts[origin] != NODE_NONE
               ? a->starts[origin]
               : translate(a->translation, flat->attributes->start);
}

static void collect_starts(Assembly *a)
{
    Node *starts = ARENA_ARRAY(a->dag->arena, a->flat->variable_count, Node);
    for (uint32_t i = 0; i < a->flat->variable_count; i++) {
        const FlatVariable *v = a->flat->variables[i];
        const bool has_one = v->kind > FLAT_PARAMETER && v->attributes->start &&
                             translate_variable(a->translation, v) != DAG_NONE;
        starts[i] = has_one ? translate(a->translation, v->attributes->start) : NODE_NONE;
    }
    a->starts = starts;
}

// ---------------------------------------------------------------------------
// Holds
// ---------------------------------------------------------------------------

typedef struct Release {
    Assembly *a;
    DagMemo *order; // nodes that were looked at
    DagMemo *done;  // what they became
    DagMemo *operands;
    uint32_t next; // of the order
} Release;

static Node released(Release *r, Node node)
{
    Dag *dag = r->a->dag;
    const DagNode *n = dag_get(dag, node);
    if (n->kind == DAG_HOLD)
        return dag_reference(dag, r->a->held.variables[n->number]);
    const uint32_t count = dag_operand_count(dag, node);
    bool is_same = true;
    r->operands->count = 0;
    for (uint32_t i = 0; i < count; i++) {
        const Node old = dag_operand(dag, node, i), new = memo_get(r->done, old);
        is_same = is_same && old == new;
        memo_push(r->operands, new);
    }
    return is_same ? node : dag_rebuild(dag, node, r->operands->list);
}

// The node without holds. What a hold is about is released with it: its operand comes first.
static Node assemble_release(Release *r, Node node)
{
    if (node == NODE_NONE)
        return node;
    walk_order(r->order, &node, 1);
    for (; r->next < r->order->count; r->next++)
        memo_set(r->done, r->order->list[r->next], released(r, r->order->list[r->next]));
    return memo_get(r->done, node);
}

// Whether the graph has something else in place of what the model says: floor(x / y) for mod.
static bool assemble_is_rewritten(const FlatExpression *e)
{
    if (e->kind == FLAT_OPERATION &&
        (e->operation == OPERATION_MOD || e->operation == OPERATION_REM))
        return true;
    for (uint32_t i = 0; i < e->count; i++)
        if (e->operands[i] && assemble_is_rewritten(e->operands[i]))
            return true;
    return false;
}

// "timeInState(s)" for the difference that it has become.
static const char *assemble_name_times(Arena *arena, const char *text)
{
    static const char difference[] = "time - timeOfEntry(";
    StringBuilder out = builder_create(arena);
    const char *found;
    while ((found = strstr(text, difference)) != NULL) {
        builder_append(&out, text, (size_t)(found - text));
        builder_append_text(&out, "timeInState(");
        text = found + sizeof difference - 1;
    }
    builder_append_text(&out, text);
    return builder_string(&out).text;
}

// A condition as people know it: as the model has it, without the quotes of flat names.
static const char *assemble_hold_text(Assembly *a, const DagHold *hold)
{
    const FlatExpression *e =
        hold->flat != DAG_NONE ? a->flat->relations.items[hold->flat].expression : NULL;
    if (!e || !assemble_is_rewritten(e))
        return assemble_name_times(a->dag->arena, print_text(a->dag, hold->node));
    StringBuilder quoted = builder_create(a->dag->arena), out = builder_create(a->dag->arena);
    flat_print_expression(&quoted, e);
    for (const char *c = builder_string(&quoted).text; *c; c++)
        if (*c != '\'')
            builder_append_character(&out, *c);
    return builder_string(&out).text;
}

static void make_hold_variables(Assembly *a)
{
    Dag *dag = a->dag;
    a->held.variables = ARENA_ARRAY(dag->arena, dag->hold_count, uint32_t);
    a->held.operands = ARENA_ARRAY(dag->arena, dag->hold_count, Node);
    for (uint32_t h = 0; h < dag->hold_count; h++)
        a->held.variables[h] =
            dag_add_variable(dag, assemble_hold_text(a, &dag->holds[h]), DAG_AUXILIARY,
                             (DagType)dag_get(dag, dag->holds[h].node)->type, DAG_DISCRETE);
}

static void release_equations(Release *r, AssembledEquations *list)
{
    for (uint32_t i = 0; i < list->count; i++) {
        list->items[i].left = assemble_release(r, list->items[i].left);
        list->items[i].right = assemble_release(r, list->items[i].right);
    }
}

static void release_actions(Release *r, AssembledAction *actions, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        actions[i].condition = assemble_release(r, actions[i].condition);
        if (actions[i].kind == ACTION_REINIT)
            actions[i].value = assemble_release(r, actions[i].value);
    }
}

static void release_choices(Release *r)
{
    Assembly *a = r->a;
    for (uint32_t i = 0; i < a->flat->conditional_count; i++) {
        for (uint32_t b = 0; b < a->flat->conditionals[i]->count; b++)
            a->switches.conditions[i][b] = assemble_release(r, a->switches.conditions[i][b]);
        a->switches.branches[i] = assemble_release(r, a->switches.branches[i]);
    }
    for (uint32_t i = 0; i < a->flat->machine_count; i++)
        for (uint32_t k = 0; k < a->flat->machines[i]->transition_count; k++)
            a->switches.transitions[i][k] = assemble_release(r, a->switches.transitions[i][k]);
    for (uint32_t i = 0; i < a->flat->variable_count; i++)
        a->starts[i] = assemble_release(r, a->starts[i]);
}

static void release_holds(Assembly *a)
{
    make_hold_variables(a);
    Release r = {.a = a,
                 .order = memo_take(a->dag),
                 .done = memo_take(a->dag),
                 .operands = memo_take(a->dag)};
    release_equations(&r, &a->equations);
    release_equations(&r, &a->initial_equations);
    for (uint32_t i = 0; i < a->defined.count; i++)
        a->defined.items[i].value = assemble_release(&r, a->defined.items[i].value);
    for (uint32_t i = 0; i < a->given.count; i++)
        a->given.items[i].value = assemble_release(&r, a->given.items[i].value);
    release_actions(&r, a->actions.items, a->actions.count);
    release_actions(&r, a->assertions.items, a->assertions.count);
    release_choices(&r);
    for (uint32_t h = 0; h < a->dag->hold_count; h++)
        a->held.operands[h] = assemble_release(&r, a->dag->holds[h].operand);
    memo_give(r.operands);
    memo_give(r.done);
    memo_give(r.order);
}

// ---------------------------------------------------------------------------
// Derivatives that only events look at
// ---------------------------------------------------------------------------

static void look_at(DagMemo *seen, Node node)
{
    if (node != NODE_NONE)
        walk_order(seen, &node, 1);
}

static void look_at_actions(DagMemo *seen, const AssembledAction *actions, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        look_at(seen, actions[i].condition);
        if (actions[i].kind == ACTION_REINIT)
            look_at(seen, actions[i].value);
    }
}

static void look_at_events(const Assembly *a, DagMemo *seen)
{
    for (uint32_t i = 0; i < a->defined.count; i++)
        look_at(seen, a->defined.items[i].value);
    look_at_actions(seen, a->actions.items, a->actions.count);
    look_at_actions(seen, a->assertions.items, a->assertions.count);
    for (uint32_t i = 0; i < a->flat->conditional_count; i++)
        look_at(seen, a->switches.branches[i]);
    for (uint32_t i = 0; i < a->flat->machine_count; i++)
        for (uint32_t k = 0; k < a->flat->machines[i]->transition_count; k++)
            look_at(seen, a->switches.transitions[i][k]);
    for (uint32_t h = 0; h < a->dag->hold_count; h++)
        look_at(seen, a->held.operands[h]);
}

// `when der(y) < 0` of a y that no equation differentiates: der(y) is made an unknown by an
// equation of its own, d = der(y).
static void provide_derivatives(Assembly *a)
{
    Dag *dag = a->dag;
    DagMemo *continuous = memo_take(dag), *events = memo_take(dag);
    for (uint32_t i = 0; i < a->equations.count; i++) {
        look_at(continuous, a->equations.items[i].left);
        look_at(continuous, a->equations.items[i].right);
    }
    look_at_events(a, events);
    const uint32_t count = dag->variable_count;
    for (uint32_t v = 0; v < count; v++) {
        const Node node =
            dag->variables[v].role == DAG_DERIVATIVE ? dag->variables[v].node : NODE_NONE;
        if (node == NODE_NONE || !memo_has(events, node) || memo_has(continuous, node))
            continue;
        const uint32_t d =
            dag_add_variable(dag, dag->variables[v].name, DAG_PLAIN, DAG_REAL, DAG_CONTINUOUS);
        const uint32_t origin = dag->variables[dag_plain_variable(dag, v)].origin;
        assemble_equation(a, dag_reference(dag, d), dag_reference(dag, v),
                          origin == DAG_NONE ? a->flat->span
                                             : a->flat->variables[origin]->reference.span);
    }
    memo_give(events);
    memo_give(continuous);
}

// ---------------------------------------------------------------------------
// The whole
// ---------------------------------------------------------------------------

// Left limits of all that may be suspended, or become a state.
static void make_left_limits(Assembly *a)
{
    const uint32_t count = a->dag->variable_count;
    for (uint32_t v = 0; v < count && a->has_modes; v++) {
        const DagVariable variable = a->dag->variables[v];
        if (variable.variability == DAG_CONTINUOUS &&
            (variable.role == DAG_PLAIN || variable.role == DAG_DERIVATIVE))
            dag_pre_variable(a->dag, v);
    }
    for (uint32_t i = 0; i < a->defined.count; i++)
        if (a->defined.items[i].guard)
            dag_pre_variable(a->dag, a->defined.items[i].variable);
}

// What is delayed must be there in all modes: its history has no gaps.
static bool is_always_there(const Assembly *a, const ConvertDelay *delay)
{
    bool is_fine = true;
    DagMemo *memo = memo_take(a->dag);
    walk_variables(memo, WALK_ALL, &delay->expression, 1);
    for (uint32_t i = 0; i < memo->count && is_fine; i++) {
        const uint32_t plain = dag_plain_variable(a->dag, memo->list[i]);
        const uint32_t origin = a->dag->variables[plain].origin;
        if (origin == DAG_NONE || !a->flat->variables[origin]->guard)
            continue;
        diagnostics_error(a->diagnostics, delay->span,
                          "'%s' of %s is not supported: it is a variable of a state, which has "
                          "no past while the state is not active",
                          delay->kind == CONVERT_DELAY ? "delay" : "spatialDistribution",
                          a->dag->variables[plain].name);
        is_fine = false;
    }
    memo_give(memo);
    return is_fine;
}

// What is delayed is a variable of its own; what it is at the start, it was before.
static void collect_delays(Assembly *a)
{
    for (uint32_t i = 0; i < convert_delay_count(a->translation); i++) {
        const ConvertDelay *delay = convert_delay(a->translation, i);
        const Node observed = dag_reference(a->dag, delay->observed);
        if (!is_always_there(a, delay))
            continue;
        assemble_equation(a, observed, delay->expression, delay->span);
        if (delay->kind != CONVERT_TRANSPORTED) // whose past is the initial profile
            assemble_initial_equation(a, dag_reference(a->dag, delay->start), observed,
                                      delay->span);
    }
}

static void assemble_collect(Assembly *a)
{
    const FlatModel *flat = a->flat;
    collect_states(a);
    for (uint32_t i = 0; i < flat->when_count; i++) {
        a->here.guard = flat->whens[i]->guard;
        assemble_when(a, flat->whens[i]);
    }
    for (uint32_t i = 0; i < flat->algorithm_count; i++) {
        a->here.guard = flat->algorithms[i]->guard;
        a->here.component = flat->algorithms[i]->origin.component;
        assemble_algorithm(a, flat->algorithms[i]);
    }
    for (uint32_t i = 0; i < flat->initial_algorithm_count; i++) {
        a->here.guard = flat->initial_algorithms[i]->guard;
        assemble_initial_algorithm(a, flat->initial_algorithms[i]);
    }
    a->here.guard = NULL;
    collect_equations(a, &a->equations, flat->equation_count, flat->equations);
    assemble_discrete(a);
    collect_equations(a, &a->initial_equations, flat->initial_equation_count,
                      flat->initial_equations);
    collect_conditionals(a);
    collect_transitions(a);
    collect_assertions(a);
    collect_starts(a);
    assemble_initial_discrete(a);
    collect_delays(a);
    assemble_free_parameters(a);
}

typedef struct HomotopySearch {
    Arena *arena;
    Map seen; // calls, which several results point to
    bool is_found;
} HomotopySearch;

static void look_for_homotopy(void *data, FlatExpression *e, const FlatComponent *component)
{
    HomotopySearch *search = data;
    if (search->is_found || (e->kind == FLAT_CALL && map_find(&search->seen, e)))
        return;
    if (e->kind == FLAT_CALL)
        map_set(search->arena, &search->seen, e, search);
    search->is_found = e->kind == FLAT_OPERATION && e->operation == OPERATION_HOMOTOPY;
    for (uint32_t i = 0; i < e->count; i++)
        look_for_homotopy(data, e->operands[i], component);
}

// The variable that leads from simplified to actual equations, if there are any.
static void make_lambda(Assembly *a)
{
    HomotopySearch search = {.arena = a->dag->arena};
    flat_walk(a->flat, look_for_homotopy, &search);
    a->lambda = search.is_found
                    ? dag_add_variable(a->dag, "lambda", DAG_LAMBDA, DAG_REAL, DAG_DISCRETE)
                    : DAG_NONE;
    convert_use_lambda(a->translation, a->lambda);
}

Assembly *assemble(Arena *arena, const FlatModel *flat, Diagnostics *diagnostics)
{
    Assembly *a = ARENA_NEW(arena, Assembly);
    *a = (Assembly){.dag = dag_create(arena),
                    .flat = flat,
                    .diagnostics = diagnostics,
                    .here.tick = NODE_NONE,
                    .here.slope = DAG_NONE,
                    .has_modes = flat->machine_count || flat->conditional_count,
                    .parts = &parts_none};
    a->translation = translate_begin(a->dag, flat, diagnostics);
    const size_t errors = diagnostics->error_count;
    make_lambda(a);
    assemble_collect(a);
    if (diagnostics->error_count > errors || !ground_check(arena, flat, diagnostics))
        return NULL;
    release_holds(a);
    provide_derivatives(a);
    make_left_limits(a);
    deciding_assemble(a);
    sliding_assemble(a);
    return a;
}
