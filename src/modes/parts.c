// SPDX-License-Identifier: MIT

#include "modes/parts.h"

#include "base/sets.h"
#include "equations/alias.h"
#include "equations/walk.h"
#include "modes/sliding.h"

const Parts parts_none = {.count = 1};

// Elements of the union-find: variables of the graph, choices, holds, equations, actions,
// assertions, one after the other.
typedef struct PartsFinder {
    const Assembly *a;
    Dag *dag;
    uint32_t *parent;
    uint32_t choices, holds, equations, actions, assertions, count; // first element, and all
    DagMemo *hold_of;                                               // variable -> hold
    DagMemo *joined, *joined_holds; // node -> one of the elements below it, which are joined
    DagMemo *marked;                // nodes whose holds are marked
    bool *is_always_held;
    const Node *constants;
    Observer *observers;
    uint32_t observer_count;
    bool *is_observer; // by equation
} PartsFinder;

static void parts_begin(PartsFinder *f)
{
    const Assembly *a = f->a;
    f->choices = f->dag->variable_count;
    f->holds = f->choices + a->flat->machine_count + a->flat->conditional_count;
    f->equations = f->holds + f->dag->hold_count;
    f->actions = f->equations + a->equations.count;
    f->assertions = f->actions + a->actions.count;
    f->count = f->assertions + a->assertions.count;
    f->parent = ARENA_ARRAY(f->dag->arena, f->count, uint32_t);
    for (uint32_t i = 0; i < f->count; i++)
        f->parent[i] = i;
    f->is_always_held = ARENA_ARRAY(f->dag->arena, f->dag->hold_count, bool);
    f->hold_of = memo_take(f->dag);
    f->joined = memo_take(f->dag);
    f->joined_holds = memo_take(f->dag);
    f->marked = memo_take(f->dag);
    for (uint32_t h = 0; h < f->dag->hold_count; h++)
        memo_set(f->hold_of, a->held.variables[h], h);
}

// ---------------------------------------------------------------------------
// What belongs together
// ---------------------------------------------------------------------------

static uint32_t parts_choice_of(const PartsFinder *f, const FlatGuard *guard)
{
    return f->choices + (guard->state ? guard->state->machine->index
                                      : f->a->flat->machine_count + guard->conditional->index);
}

static void join_guard(PartsFinder *f, uint32_t element, const FlatGuard *guard)
{
    for (; guard; guard = guard->outer)
        sets_join(f->parent, element, parts_choice_of(f, guard));
}

// What is to be done about an element and a node that it reads.
typedef void Visit(PartsFinder *f, uint32_t element, const FlatGuard *guard, Node node);

// The element that a variable makes a reader belong to; PARTS_NONE: none.
typedef uint32_t ElementOf(const PartsFinder *f, GraphVariable variable);

static uint32_t element_of_variable(const PartsFinder *f, GraphVariable variable)
{
    const DagVariable *v = &f->dag->variables[variable];
    const bool is_joined = v->variability == DAG_CONTINUOUS && v->role != DAG_TIME &&
                           v->role != DAG_LOCAL && f->constants[variable] == NODE_NONE;
    return is_joined ? dag_plain_variable(f->dag, variable) : PARTS_NONE;
}

static uint32_t element_of_hold(const PartsFinder *f, GraphVariable variable)
{
    const bool is_joined =
        memo_has(f->hold_of, variable) && !f->is_always_held[memo_get(f->hold_of, variable)];
    return is_joined ? f->holds + memo_get(f->hold_of, variable) : PARTS_NONE;
}

// All that a node reads belongs together: so one element stands for them, and a node that many
// read is walked once.
static void join_below(PartsFinder *f, DagMemo *joined, ElementOf *element_of, uint32_t element,
                       Node node)
{
    DagMemo *order = memo_take(f->dag);
    walk_order_beyond(order, WALK_ALL, joined, &node, 1);
    for (uint32_t i = 0; i < order->count; i++) {
        const DagNode *n = dag_get(f->dag, order->list[i]);
        uint32_t own = n->kind == DAG_VARIABLE ? element_of(f, n->number) : PARTS_NONE;
        for (uint32_t k = 0; k < dag_operand_count(f->dag, order->list[i]); k++) {
            const uint32_t other = memo_get(joined, dag_operand(f->dag, order->list[i], k));
            if (own != PARTS_NONE && other != PARTS_NONE)
                sets_join(f->parent, own, other);
            own = own != PARTS_NONE ? own : other;
        }
        memo_set(joined, order->list[i], own);
    }
    memo_give(order);
    if (memo_get(joined, node) != PARTS_NONE)
        sets_join(f->parent, element, memo_get(joined, node));
}

static void join_variables(PartsFinder *f, uint32_t element, const FlatGuard *guard, Node node)
{
    (void)guard;
    if (element >= f->equations && element < f->actions && f->is_observer[element - f->equations])
        return;
    join_below(f, f->joined, element_of_variable, element, node);
}

static void mark_holds(PartsFinder *f, uint32_t element, const FlatGuard *guard, Node node)
{
    (void)element;
    if (guard)
        return;
    const uint32_t first = f->marked->count;
    walk_order(f->marked, &node, 1);
    for (uint32_t i = first; i < f->marked->count; i++) {
        const DagNode *n = dag_get(f->dag, f->marked->list[i]);
        if (n->kind == DAG_VARIABLE && memo_has(f->hold_of, n->number))
            f->is_always_held[memo_get(f->hold_of, n->number)] = true;
    }
}

static void parts_join_holds(PartsFinder *f, uint32_t element, const FlatGuard *guard, Node node)
{
    if (guard)
        join_below(f, f->joined_holds, element_of_hold, element, node);
}

static void visit_actions(PartsFinder *f, Visit *visit, const AssembledAction *actions,
                          uint32_t count, uint32_t first)
{
    for (uint32_t i = 0; i < count; i++) {
        visit(f, first + i, actions[i].guard, actions[i].condition);
        if (actions[i].kind == ACTION_REINIT)
            visit(f, first + i, actions[i].guard, actions[i].value);
    }
}

static void visit_choices(PartsFinder *f, Visit *visit)
{
    const Assembly *a = f->a;
    const FlatModel *flat = a->flat;
    for (uint32_t i = 0; i < flat->machine_count; i++)
        for (uint32_t t = 0; t < flat->machines[i]->transition_count; t++)
            visit(f, f->choices + i, flat->machines[i]->transitions[t].from->guard,
                  a->switches.transitions[i][t]);
    for (uint32_t i = 0; i < flat->conditional_count; i++)
        if (a->switches.branches[i] != NODE_NONE)
            visit(f, f->choices + flat->machine_count + i, flat->conditionals[i]->guard,
                  a->switches.branches[i]);
}

static void visit_all(PartsFinder *f, Visit *visit)
{
    const Assembly *a = f->a;
    for (uint32_t i = 0; i < a->equations.count; i++) {
        const AssembledEquation *e = &a->equations.items[i];
        visit(f, f->equations + i, e->guard, e->left);
        visit(f, f->equations + i, e->guard, e->right);
    }
    for (uint32_t i = 0; i < a->defined.count; i++)
        visit(f, a->defined.items[i].variable, a->defined.items[i].guard,
              a->defined.items[i].value);
    visit_actions(f, visit, a->actions.items, a->actions.count, f->actions);
    visit_actions(f, visit, a->assertions.items, a->assertions.count, f->assertions);
    visit_choices(f, visit);
}

static void join_guards(PartsFinder *f)
{
    const Assembly *a = f->a;
    const FlatModel *flat = a->flat;
    for (uint32_t v = 0; v < f->choices; v++)
        if (f->dag->variables[v].origin != DAG_NONE && f->dag->variables[v].role == DAG_PLAIN)
            join_guard(f, v, flat->variables[f->dag->variables[v].origin]->guard);
    for (uint32_t i = 0; i < flat->sharings.count; i++) {
        const uint32_t v = translate_variable(a->translation, flat->sharings.items[i]->variable);
        if (v != DAG_NONE)
            join_guard(f, v, flat->sharings.items[i]->guard);
    }
    for (uint32_t i = 0; i < a->equations.count; i++)
        join_guard(f, f->equations + i, a->equations.items[i].guard);
    for (uint32_t i = 0; i < a->defined.count; i++)
        join_guard(f, a->defined.items[i].variable, a->defined.items[i].guard);
    for (uint32_t i = 0; i < a->actions.count; i++) {
        join_guard(f, f->actions + i, a->actions.items[i].guard);
        if (a->actions.items[i].kind == ACTION_REINIT)
            sets_join(f->parent, f->actions + i,
                      dag_plain_variable(f->dag, a->actions.items[i].variable));
    }
    for (uint32_t i = 0; i < a->assertions.count; i++)
        join_guard(f, f->assertions + i, a->assertions.items[i].guard);
    for (uint32_t i = 0; i < flat->machine_count; i++)
        join_guard(f, f->choices + i, flat->machines[i]->guard);
    for (uint32_t i = 0; i < flat->conditional_count; i++)
        join_guard(f, f->choices + flat->machine_count + i, flat->conditionals[i]->guard);
}

// The initialization is about all parts at once.
static void mark_initial_holds(PartsFinder *f)
{
    const Assembly *a = f->a;
    for (uint32_t i = 0; i < a->initial_equations.count; i++) {
        mark_holds(f, 0, NULL, a->initial_equations.items[i].left);
        mark_holds(f, 0, NULL, a->initial_equations.items[i].right);
    }
    for (uint32_t i = 0; i < a->given.count; i++)
        mark_holds(f, 0, NULL, a->given.items[i].value);
}

// A hold is always there if what reads it is, also another hold; else it belongs with that.
static void find_holds(PartsFinder *f)
{
    const Node *operands = f->a->held.operands;
    const uint32_t count = f->dag->hold_count;
    bool *is_done = ARENA_ARRAY(f->dag->arena, count, bool);
    visit_all(f, mark_holds);
    mark_initial_holds(f);
    for (bool has_grown = true; has_grown;) {
        has_grown = false;
        for (uint32_t h = 0; h < count; h++) {
            if (!f->is_always_held[h] || is_done[h])
                continue;
            is_done[h] = has_grown = true;
            mark_holds(f, 0, NULL, operands[h]);
        }
    }
    static const FlatGuard any = {0};
    visit_all(f, parts_join_holds);
    for (uint32_t h = 0; h < count; h++) {
        join_variables(f, f->holds + h, NULL, operands[h]);
        if (!f->is_always_held[h])
            parts_join_holds(f, f->holds + h, &any, operands[h]);
        if (f->a->sliding.variables[h] != DAG_NONE) { // which stand in no equation yet
            sets_join(f->parent, f->holds + h, f->a->sliding.variables[h]);
            sets_join(f->parent, f->holds + h, f->holds + f->a->sliding.ends[h]);
        }
    }
}

// ---------------------------------------------------------------------------
// What does not connect
// ---------------------------------------------------------------------------

// Variables that equations which are always there make constant.
static const Node *find_constants(const Assembly *a)
{
    Dag *dag = a->dag;
    const FlatModel *flat = a->flat;
    DagEquation *equations = ARENA_ARRAY(dag->arena, a->equations.count, DagEquation);
    int *ranks = ARENA_ARRAY(dag->arena, dag->variable_count, int);
    uint32_t count = 0;
    for (uint32_t i = 0; i < a->equations.count; i++)
        if (!a->equations.items[i].guard)
            equations[count++] =
                (DagEquation){a->equations.items[i].left, a->equations.items[i].right};
    for (uint32_t v = 0; v < dag->variable_count; v++) {
        const DagVariable *variable = &dag->variables[v];
        const FlatVariable *own =
            variable->origin == DAG_NONE ? NULL : flat->variables[variable->origin];
        const bool is_open = variable->variability == DAG_CONTINUOUS &&
                             variable->role == DAG_PLAIN && own && !own->guard && !own->is_shared;
        ranks[v] = is_open ? 0 : -1;
    }
    const AliasTable table = alias_find(dag, count, equations, ranks);
    Node *constants = ARENA_ARRAY(dag->arena, dag->variable_count, Node);
    for (uint32_t v = 0; v < dag->variable_count; v++)
        constants[v] = v < table.variable_count && table.aliases[v].kind == ALIAS_VALUE
                           ? table.aliases[v].value
                           : NODE_NONE;
    return constants;
}

static void find_observers(PartsFinder *f)
{
    f->observers = observers_find(f->a, f->constants, &f->observer_count);
    f->is_observer = ARENA_ARRAY(f->dag->arena, f->a->equations.count, bool);
    for (uint32_t i = 0; i < f->observer_count; i++)
        f->is_observer[f->observers[i].equation] = true;
}

// The part of all that an observer reads; PARTS_NONE: there are several.
static PartNumber part_of_reads(PartsFinder *f, const PartNumber *of_variable, Node value)
{
    PartNumber part = PARTS_ALL;
    DagMemo *memo = memo_take(f->dag);
    walk_variables(memo, WALK_ALL, &value, 1);
    for (uint32_t i = 0; i < memo->count && part != PARTS_NONE; i++) {
        const uint32_t v = memo->list[i];
        if (f->dag->variables[v].variability != DAG_CONTINUOUS || v == DAG_TIME_VARIABLE ||
            f->constants[v] != NODE_NONE)
            continue;
        part = part == PARTS_ALL || part == of_variable[v] ? of_variable[v] : PARTS_NONE;
    }
    memo_give(memo);
    return part == PARTS_ALL ? 0 : part;
}

// Observers of one part belong to it. The others, in the order in which they can be computed, with
// values that read variables of parts only.
static void place_observers(PartsFinder *f, uint32_t *of_variable, uint32_t *of_equation,
                            Parts *parts)
{
    DagMemo *map = memo_take(f->dag);
    Observer *remaining = ARENA_ARRAY(f->dag->arena, f->observer_count, Observer);
    for (uint32_t i = f->observer_count; i-- > 0;) {
        Observer o = f->observers[i];
        const PartNumber part = part_of_reads(f, of_variable, o.value);
        of_variable[o.variable] = of_equation[o.equation] = part;
        if (part != PARTS_NONE)
            continue;
        o.value = walk_substitute(f->dag, o.value, map);
        memo_set(map, o.variable, o.value);
        remaining[parts->observer_count++] = o;
    }
    parts->observers = remaining;
    memo_give(map);
}

// ---------------------------------------------------------------------------
// Numbers
// ---------------------------------------------------------------------------

static void number_part(uint32_t *part, uint32_t *count)
{
    if (*part == 0)
        *part = (*count)++;
}

static uint32_t number_parts(PartsFinder *f, const PartsReasons *reasons, uint32_t *part_of_root)
{
    uint32_t count = 1;
    for (uint32_t i = f->choices; i < f->holds; i++)
        if (reasons->is_choice[i - f->choices])
            number_part(&part_of_root[sets_root(f->parent, i)], &count);
    for (uint32_t i = 0; i < reasons->variable_count; i++)
        number_part(
            &part_of_root[sets_root(f->parent, dag_plain_variable(f->dag, reasons->variables[i]))],
            &count);
    return count;
}

static uint32_t *list_parts(PartsFinder *f, const uint32_t *part_of_root, uint32_t first,
                            uint32_t end)
{
    uint32_t *parts = ARENA_ARRAY(f->dag->arena, end - first, uint32_t);
    for (uint32_t i = first; i < end; i++)
        parts[i - first] = part_of_root[sets_root(f->parent, i)];
    return parts;
}

const Parts *parts_find(const Assembly *a, const PartsReasons *reasons)
{
    enum { FEWEST_PARTS = 3 }; // part 0 and two others, else nothing multiplies
    PartsFinder f = {.a = a, .dag = a->dag, .constants = find_constants(a)};
    Parts *parts = ARENA_NEW(a->dag->arena, Parts);
    parts_begin(&f);
    find_observers(&f);
    join_guards(&f);
    visit_all(&f, join_variables);
    find_holds(&f);
    uint32_t *of = ARENA_ARRAY(a->dag->arena, f.count, uint32_t);
    const uint32_t count = number_parts(&f, reasons, of);
    uint32_t *of_variable = list_parts(&f, of, 0, f.choices);
    uint32_t *of_equation = list_parts(&f, of, f.equations, f.actions);
    *parts = (Parts){.count = count,
                     .of_variable = of_variable,
                     .variable_count = f.choices,
                     .of_choice = list_parts(&f, of, f.choices, f.holds),
                     .of_hold = list_parts(&f, of, f.holds, f.equations),
                     .of_equation = of_equation,
                     .of_action = list_parts(&f, of, f.actions, f.assertions),
                     .of_assertion = list_parts(&f, of, f.assertions, f.count),
                     .is_always_held = f.is_always_held,
                     .constants = f.constants};
    place_observers(&f, of_variable, of_equation, parts);
    memo_give(f.hold_of);
    memo_give(f.joined);
    memo_give(f.joined_holds);
    memo_give(f.marked);
    return parts->count < FEWEST_PARTS ? &parts_none : parts;
}

PartNumber parts_of_variable(const Parts *parts, const Dag *dag, GraphVariable variable)
{
    const uint32_t v = dag_plain_variable(dag, variable);
    return parts->count > 1 && v < parts->variable_count ? parts->of_variable[v] : 0;
}
