// SPDX-License-Identifier: MIT

#include "modes/holds.h"

#include "equations/derive.h"
#include "equations/linear.h"
#include "equations/print.h"
#include "modes/sliding.h"
#include "modes/terms.h"

typedef struct HoldsFinder {
    const Gathered *g;
    Arena *arena;
    Dag *dag;
    Holds found;
    Node *events, *times;
    bool *is_live;
    DagMemo *roots;     // a list: what is computed in the mode, with the operands of what it holds
    DagMemo *residuals; // what equations of the mode make zero
    DagMemo *functions; // event functions of relations: numbers of their first holds
    // What reads discrete variables: equations, and behind them definitions of others.
    uint32_t *first_reader; // by variable of the graph: its last, or DAG_NONE
    uint32_t *next_reader, *readers;
    DagMemo *parameters;          // of ideal switches: u = if s < 0 then s else 0
    struct HoldRoots *hold_roots; // NULL: not looked for
    DagMemo *numbers;             // of holds, by their variables; NULL: likewise
} HoldsFinder;

// ---------------------------------------------------------------------------
// Which ones
// ---------------------------------------------------------------------------

static void push_equations(DagMemo *roots, const AssembledEquations *list)
{
    for (uint32_t i = 0; i < list->count; i++) {
        memo_push(roots, list->items[i].left);
        memo_push(roots, list->items[i].right);
    }
}

static void push_actions(DagMemo *roots, const GatheredActions *actions)
{
    for (uint32_t i = 0; i < actions->count; i++) {
        memo_push(roots, actions->items[i].condition);
        if (actions->items[i].kind == ACTION_REINIT)
            memo_push(roots, actions->items[i].value);
    }
}

static void push_roots(const HoldsFinder *k)
{
    const Gathered *g = k->g;
    const FlatModel *flat = g->assembly->flat;
    push_equations(k->roots, &g->equations);
    push_equations(k->roots, &g->initial_equations);
    for (uint32_t i = 0; i < g->discrete_count; i++)
        memo_push(k->roots, g->discrete[i].value);
    push_actions(k->roots, &g->actions);
    push_actions(k->roots, &g->assertions);
    for (uint32_t i = 0; i < flat->conditional_count; i++)
        if (g->branches[i] != NODE_NONE)
            memo_push(k->roots, g->branches[i]);
    for (uint32_t i = 0; i < flat->machine_count; i++)
        for (uint32_t t = 0; t < flat->machines[i]->transition_count; t++)
            if (g->transitions[i][t] != NODE_NONE)
                memo_push(k->roots, g->transitions[i][t]);
}

// Other parts may read what this one holds.
static void push_foreign(const HoldsFinder *k)
{
    const Assembly *a = k->g->assembly;
    for (uint32_t h = 0; h < k->dag->hold_count && k->g->part != PARTS_ALL; h++) {
        const Node reference = dag_reference(k->dag, a->held.variables[h]);
        if (a->parts->is_always_held[h] && a->parts->of_hold[h] == k->g->part)
            memo_push(k->roots, reference);
    }
}

// Relations that slide, and what ends that.
static void push_surfaces(const HoldsFinder *k)
{
    const Assembly *a = k->g->assembly;
    for (uint32_t i = 0; i < k->g->surface_count; i++) {
        const GatheredSurface *surface = &k->g->surfaces[i];
        Node reference = dag_reference(k->dag, a->held.variables[surface->hold]);
        memo_push(k->roots, reference);
        for (uint32_t m = 0; m < surface->count; m++) {
            reference = dag_reference(k->dag, a->held.variables[surface->members[m]]);
            memo_push(k->roots, reference);
        }
    }
}

// A hold is there if its variable is reached; then so is what stands in its operand. Each is a
// matter of one part only.
static void find_live(HoldsFinder *k)
{
    const Assembly *a = k->g->assembly;
    const uint32_t most = k->dag->hold_count;
    DagMemo *memo = memo_take(k->dag);
    k->roots = memo_take(k->dag);
    push_roots(k);
    push_foreign(k);
    push_surfaces(k);
    walk_order(memo, k->roots->list, k->roots->count);
    k->is_live = ARENA_ARRAY(k->arena, most, bool);
    for (bool has_grown = true; has_grown;) {
        has_grown = false;
        for (uint32_t h = 0; h < most; h++) {
            const Node reference = dag_reference(k->dag, a->held.variables[h]);
            if (k->is_live[h] || !memo_has(memo, reference) ||
                !gather_has(k->g, a->parts->of_hold, h))
                continue;
            k->is_live[h] = has_grown = true;
            const Node operand = gather_node(k->g, a->held.operands[h]);
            walk_order(memo, &operand, 1);
            memo_push(k->roots, operand);
        }
    }
    memo_give(memo);
}

// By discrete variable what defines it in this mode; of a variable of another part, whose mode is
// not known here, what defines it in any of the modes of that part.
static void walk_discrete(const Gathered *g, DagMemo *memo)
{
    const Assembly *a = g->assembly;
    for (uint32_t i = 0; i < g->discrete_count; i++)
        if (memo_has(memo, dag_reference(a->dag, g->discrete[i].variable)))
            walk_order(memo, &g->discrete[i].value, 1);
    for (uint32_t i = 0; i < a->defined.count; i++)
        if (!gather_has_variable(g, a->defined.items[i].variable) &&
            memo_has(memo, dag_reference(a->dag, a->defined.items[i].variable)))
            walk_order(memo, &a->defined.items[i].value, 1);
}

const bool *holds_decisive(const Gathered *g)
{
    const Assembly *a = g->assembly;
    Dag *dag = a->dag;
    DagMemo *memo = memo_take(dag);
    bool *is_decisive = ARENA_ARRAY(dag->arena, dag->hold_count, bool);
    for (uint32_t i = 0; i < a->flat->conditional_count; i++)
        if (g->branches[i] != NODE_NONE)
            walk_order(memo, &g->branches[i], 1);
    for (uint32_t before = 0; before != memo->count;) {
        before = memo->count;
        walk_discrete(g, memo);
    }
    for (uint32_t h = 0; h < dag->hold_count; h++)
        is_decisive[h] = memo_has(memo, dag_reference(dag, a->held.variables[h]));
    memo_give(memo);
    return is_decisive;
}

// ---------------------------------------------------------------------------
// Event functions
// ---------------------------------------------------------------------------

static bool is_order_relation(Operator op)
{
    return op == OPERATOR_LESS || op == OPERATOR_LESS_EQUAL || op == OPERATOR_GREATER ||
           op == OPERATOR_GREATER_EQUAL;
}

// e is a time + b, where a and b change at events only.
static bool is_affine_of_time(HoldsFinder *k, Node e, Node *a, Node *b)
{
    DagMemo *set = memo_take(k->dag);
    memo_set(set, DAG_TIME_VARIABLE, 0);
    LinearForm form;
    const bool is_linear = linear_extract(k->dag, k->dag->arena, e, set, &form) && form.count == 1;
    memo_give(set);
    if (!is_linear || dag_get(k->dag, form.terms[0].value)->variability == DAG_CONTINUOUS ||
        dag_get(k->dag, form.rest)->variability == DAG_CONTINUOUS)
        return false;
    *a = form.terms[0].value;
    *b = form.rest;
    return true;
}

// The sign of a relation's event function that means what the relation is where both sides are
// equal.
static int sign_at_zero(Operator op)
{
    switch (op) {
    case OPERATOR_LESS:
    case OPERATOR_GREATER_EQUAL:
        return 1;
    case OPERATOR_GREATER:
    case OPERATOR_LESS_EQUAL:
        return -1;
    default:
        return 0;
    }
}

// What is rounded by floor, ceil, integer or div.
static Node holds_rounded(HoldsFinder *k, const DagNode *n)
{
    return n->op == OPERATOR_DIV ? dag_divide(k->dag, n->operands[0], n->operands[1])
                                 : n->operands[0];
}

static Node limit(Dag *dag, Operator relation, Node x, Node bound)
{
    return dag_if(dag, dag_binary(dag, relation, x, bound), bound, x);
}

// sin(pi x), and exactly zero at whole numbers: with r the nearest one, (-1)^r sin(pi (x - r)).
// (The sign is a choice: as a sum of large numbers it would count as known less well than the
// sine.)
static Node sine_of_whole(Dag *dag, Node x)
{
    const Node half = dag_real(dag, 0.5);
    const Node nearest = dag_unary(dag, OPERATOR_FLOOR, dag_add(dag, x, half));
    const Node even = dag_unary(dag, OPERATOR_FLOOR, dag_multiply(dag, half, nearest));
    const Node is_even =
        dag_binary(dag, OPERATOR_GREATER_EQUAL, even, dag_multiply(dag, half, nearest));
    const Node sign = dag_if(dag, is_even, dag->one, dag_real(dag, -1.0));
    const Node pi = dag_real(dag, 3.14159265358979323846);
    const Node angle = dag_multiply(dag, pi, dag_subtract(dag, x, nearest));
    return dag_multiply(dag, sign, dag_unary(dag, OPERATOR_SIN, angle));
}

// The event function of what jumps at whole numbers is sin(pi x): it is smooth, its sign tells even
// from odd. Further away than half a number from where the value `held` is right, x stays where the
// sign is the other one: else a long step over two numbers would look like one over none.
static Node whole_number_function(HoldsFinder *k, Operator op, Node x, Node held)
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
    return sine_of_whole(dag, x);
}

// ---------------------------------------------------------------------------
// Relations that do not matter
// ---------------------------------------------------------------------------

// More roots and holds than this are not looked at.
enum { MOST_ROOTS = 16, MOST_GUARDS = 16 };

// Of each hold, by number: the roots that it occurs in.
typedef struct HoldRoots {
    Node items[MOST_ROOTS];
    uint32_t count; // one more than there is room: too many, or other parts read it
} HoldRoots;

// Which hold a variable stands for is in k->numbers afterwards.
static void find_roots(HoldsFinder *k)
{
    const Assembly *a = k->g->assembly;
    DagMemo *variables = memo_take(k->dag);
    k->hold_roots = ARENA_ARRAY(k->arena, k->dag->hold_count, HoldRoots);
    k->numbers = memo_take(k->dag);
    for (uint32_t h = 0; h < k->dag->hold_count; h++)
        memo_set(k->numbers, a->held.variables[h], h);
    for (uint32_t i = 0; i < k->roots->count; i++) {
        const Node root = k->roots->list[i];
        memo_clear(variables);
        walk_variables(variables, WALK_ALL, &root, 1);
        for (uint32_t j = 0; j < variables->count; j++) {
            const uint32_t v = variables->list[j];
            HoldRoots *r = memo_has(k->numbers, v) ? &k->hold_roots[memo_get(k->numbers, v)] : NULL;
            if (r && root == dag_reference(k->dag, v))
                r->count = MOST_ROOTS + 1;
            else if (r && r->count < MOST_ROOTS)
                r->items[r->count++] = root;
            else if (r)
                r->count = MOST_ROOTS + 1;
        }
    }
    memo_give(variables);
}

// Whether nothing depends on the variable where another one has this value.
static bool is_idle_where(const HoldsFinder *k, uint32_t variable, const HoldRoots *r,
                          uint32_t other, Node value)
{
    bool is_idle = true;
    DagMemo *map = memo_take(k->dag);
    memo_set(map, other, value);
    for (uint32_t i = 0; i < r->count && is_idle; i++)
        is_idle = !walk_depends_on(k->dag, walk_substitute(k->dag, r->items[i], map), variable);
    memo_give(map);
    return is_idle;
}

// Whether a relation, or another hold, always has a value.
static bool holds_is_tame(const HoldsFinder *k, uint32_t number)
{
    const DagNode *n = dag_get(k->dag, k->g->assembly->held.operands[number]);
    bool is_tame = n->kind == DAG_OPERATION;
    for (uint32_t i = 0; i < n->count && is_tame; i++)
        is_tame = dag_get(k->dag, n->operands[i])->facts & DAG_TAME;
    return is_tame;
}

// What a discrete Boolean is defined as, with Booleans that it uses as they are defined; a variable
// of its own is what it is.
static Node holds_definition(const HoldsFinder *k, Node reference)
{
    enum { DEEPEST = 8 };
    const Gathered *g = k->g;
    Node definition = reference;
    bool is_open = true;
    DagMemo *map = memo_take(k->dag), *variables = memo_take(k->dag);
    for (int depth = 0; depth < DEEPEST && is_open; depth++) {
        memo_clear(map);
        memo_clear(variables);
        walk_variables(variables, WALK_ALL, &definition, 1);
        for (uint32_t j = 0; j < variables->count; j++)
            for (uint32_t i = 0; i < g->discrete_count; i++)
                if (g->discrete[i].variable == variables->list[j] &&
                    dag_get(k->dag, g->discrete[i].value)->type == DAG_BOOLEAN)
                    memo_set(map, g->discrete[i].variable, g->discrete[i].value);
        is_open = map->count > 0;
        definition = walk_substitute(k->dag, definition, map);
    }
    memo_give(variables);
    memo_give(map);
    return definition;
}

// The same as it is literally, and not as it is held.
static Node holds_literally(const HoldsFinder *k, Node definition)
{
    const Assembly *a = k->g->assembly;
    DagMemo *map = memo_take(k->dag), *variables = memo_take(k->dag);
    walk_variables(variables, WALK_ALL, &definition, 1);
    for (uint32_t j = 0; j < variables->count; j++) {
        const uint32_t v = variables->list[j];
        if (memo_has(k->numbers, v))
            memo_set(map, v, gather_node(k->g, a->held.operands[memo_get(k->numbers, v)]));
    }
    const Node literal = walk_substitute(k->dag, definition, map);
    memo_give(variables);
    memo_give(map);
    return literal;
}

// Whether a condition, or a variable, can guard a relation: one that may itself have no value has
// to come before it, as else two of them could keep each other from being computed for ever.
static bool holds_may_guard(const HoldsFinder *k, const DagNode *n, bool is_before)
{
    if (n->kind != DAG_VARIABLE || n->type != DAG_BOOLEAN)
        return false;
    return is_before || !memo_has(k->numbers, n->number) ||
           holds_is_tame(k, memo_get(k->numbers, n->number));
}

// A relation that may have no value, sqrt(x) > 1, may stand behind others that hold where it has
// none: `if x <= 0 then ... elseif sqrt(x) > 1 then ...`, `x > 0 and sqrt(x) > 1`; also as Boolean
// variables: `b = x > 0; b and sqrt(x) > 1`. Where one of these says so by its held value, or also
// by what it is literally (*now), the relation is not computed. NODE_NONE: no such one.
static Node find_idle(HoldsFinder *k, uint32_t h, Node *now)
{
    const uint32_t variable = k->g->assembly->held.variables[h];
    if (!k->hold_roots)
        find_roots(k);
    const HoldRoots *r = &k->hold_roots[h];
    if (r->count > MOST_ROOTS)
        return NODE_NONE;
    Node idle = NODE_NONE;
    uint32_t looked_at = 0;
    bool is_before = true;
    DagMemo *order = memo_take(k->dag);
    walk_order(order, r->items, r->count); // from left to right
    for (uint32_t i = 0; i < order->count && looked_at < MOST_GUARDS; i++) {
        Node held = order->list[i];
        const DagNode n = *dag_get(k->dag, held);
        is_before = is_before && !(n.kind == DAG_VARIABLE && n.number == variable);
        if (n.number == variable || !holds_may_guard(k, &n, is_before))
            continue;
        looked_at++;
        // (While an event is settled, a variable may not have followed its conditions yet.)
        const bool is_negative = is_idle_where(k, variable, r, n.number, k->dag->falsehood);
        if (!is_negative && !is_idle_where(k, variable, r, n.number, k->dag->truth))
            continue;
        Node definition = holds_definition(k, held);
        if (walk_depends_on(k->dag, definition, variable))
            definition = held;
        Node literal = holds_literally(k, definition);
        if (is_negative) {
            held = dag_unary(k->dag, OPERATOR_NOT, held);
            literal = dag_unary(k->dag, OPERATOR_NOT, literal);
            definition = dag_unary(k->dag, OPERATOR_NOT, definition);
        }
        if (definition != held)
            held = dag_binary(k->dag, OPERATOR_OR, held, definition);
        *now = idle == NODE_NONE ? literal : dag_binary(k->dag, OPERATOR_OR, *now, literal);
        idle = idle == NODE_NONE ? held : dag_binary(k->dag, OPERATOR_OR, idle, held);
    }
    memo_give(order);
    return idle;
}

// Its event function is on the side of the value that it keeps; so is that value, literally.
static void rest_while_idle(HoldsFinder *k, ModelHold *hold, Node held, Node *literal)
{
    Node *function = &k->events[hold->index];
    const bool may_fail = !(dag_get(k->dag, *function)->facts & DAG_TAME);
    Node now = NODE_NONE, idle = NODE_NONE;
    if (may_fail && is_order_relation(hold->op))
        idle = find_idle(k, hold->number, &now);
    if (idle == NODE_NONE)
        return;
    const bool is_less = hold->op == OPERATOR_LESS || hold->op == OPERATOR_LESS_EQUAL;
    const Node above = dag_real(k->dag, 1.0), below = dag_real(k->dag, -1.0);
    const Node side = dag_if(k->dag, held, is_less ? below : above, is_less ? above : below);
    *function = dag_if(k->dag, idle, side, *function);
    *literal = dag_if(k->dag, dag_binary(k->dag, OPERATOR_OR, idle, now), held, *literal);
    hold->may_idle = true;
}

// Relations with one event function, up to its sign.
static void find_surface(HoldsFinder *k, ModelHold *hold, Node operand)
{
    Node function, negative;
    const int side = sliding_side(k->dag, operand, &function, &negative);
    if (!memo_has(k->functions, function) && !memo_has(k->functions, negative))
        memo_set(k->functions, function, hold->number);
    const bool is_same = memo_has(k->functions, function);
    hold->surface = memo_get(k->functions, is_same ? function : negative);
    hold->is_below = (side < 0) == is_same;
}

// ---------------------------------------------------------------------------
// Ideal switches
// ---------------------------------------------------------------------------

static void note_readers(HoldsFinder *k)
{
    const Gathered *g = k->g;
    const uint32_t equations = g->equations.count, items = equations + g->discrete_count;
    const uint32_t variables = k->dag->variable_count;
    uint32_t count = 0, room = 0;
    DagMemo *memo = memo_take(k->dag);
    k->first_reader = ARENA_ARRAY(k->arena, variables, uint32_t);
    for (uint32_t v = 0; v < variables; v++)
        k->first_reader[v] = DAG_NONE;
    for (uint32_t i = 0; i < items; i++) {
        const Node roots[] = {i < equations ? g->equations.items[i].left
                                            : g->discrete[i - equations].value,
                              i < equations ? g->equations.items[i].right : k->dag->zero};
        memo_clear(memo);
        walk_variables(memo, WALK_ALL, roots, 2);
        for (uint32_t n = 0; n < memo->count; n++) {
            const uint32_t v = memo->list[n];
            if (k->dag->variables[v].variability != DAG_DISCRETE)
                continue;
            if (count == room) {
                const size_t size = room * sizeof *k->readers;
                room = 2 * room + 16;
                k->readers = arena_grow(k->arena, k->readers, size, room * sizeof *k->readers);
                k->next_reader =
                    arena_grow(k->arena, k->next_reader, size, room * sizeof *k->next_reader);
            }
            k->readers[count] = i;
            k->next_reader[count] = k->first_reader[v];
            k->first_reader[v] = count++;
        }
    }
    memo_give(memo);
}

static bool holds_has(const HoldsFinder *k, Node e, GraphVariable variable)
{
    WalkOccurrence *list;
    const uint32_t count = walk_occurrences(k->dag, k->dag->arena, e, NULL, &list);
    for (uint32_t i = 0; i < count; i++)
        if (list[i].variable == variable)
            return true;
    return false;
}

// An equation with the relation as it is on either side. False: where the variable is zero, these
// are not the same. *is_partial becomes true if the variable stands on one side only.
static bool holds_is_continuous(HoldsFinder *k, const AssembledEquation *e, GraphVariable variable,
                                DagMemo *const sides[2], bool *is_partial)
{
    Node here[2];
    bool has[2];
    DagMemo *zero = memo_take(k->dag);
    memo_set(zero, variable, k->dag->zero);
    for (int i = 0; i < 2; i++) {
        const Node one = walk_substitute(k->dag, dag_subtract(k->dag, e->left, e->right), sides[i]);
        has[i] = holds_has(k, one, variable);
        here[i] = walk_drop_zeros(k->dag, walk_substitute(k->dag, one, zero));
    }
    memo_give(zero);
    *is_partial |= has[0] != has[1];
    return here[0] == here[1];
}

// The variable that a function is, or the negative of; DAG_NONE: it is something else.
static GraphVariable holds_variable(const HoldsFinder *k, Node function)
{
    const DagNode *n = dag_get(k->dag, function);
    if (n->kind == DAG_OPERATION && n->op == OPERATOR_NEGATE)
        n = dag_get(k->dag, n->operands[0]);
    return n->kind == DAG_VARIABLE && n->variability == DAG_CONTINUOUS ? n->number : DAG_NONE;
}

// Whether the equations on both sides of a relation are the same where its function, a variable, is
// zero. Notes the variable if one of them lacks it on one side. (Followed through so many discrete
// variables and what reads them.)
static bool holds_may_be_ideal(HoldsFinder *k, GraphVariable held, GraphVariable variable)
{
    enum { MOST_VARIABLES = 8, MOST_READERS = 64 };
    const Gathered *g = k->g;
    GraphVariable list[MOST_VARIABLES] = {held};
    uint32_t equations[MOST_READERS], count = 0, variables = 1, readers = 0;
    DagMemo *const sides[2] = {memo_take(k->dag), memo_take(k->dag)};
    bool is_ideal = true, is_partial = false;
    for (int i = 0; i < 2; i++)
        memo_set(sides[i], held, dag_boolean(k->dag, i == 1));
    for (uint32_t v = 0; v < variables && is_ideal; v++)
        for (uint32_t r = k->first_reader[list[v]]; r != DAG_NONE; r = k->next_reader[r]) {
            is_ideal = ++readers <= MOST_READERS && variables < MOST_VARIABLES;
            if (!is_ideal)
                break;
            if (k->readers[r] < g->equations.count) {
                equations[count++] = k->readers[r];
                continue;
            }
            const DagTerm *d = &g->discrete[k->readers[r] - g->equations.count];
            if (memo_has(sides[0], d->variable))
                continue;
            for (int i = 0; i < 2; i++)
                memo_set(sides[i], d->variable, walk_substitute(k->dag, d->value, sides[i]));
            list[variables++] = d->variable;
        }
    for (uint32_t i = 0; i < count && is_ideal; i++)
        is_ideal =
            holds_is_continuous(k, &g->equations.items[equations[i]], variable, sides, &is_partial);
    memo_give(sides[1]);
    memo_give(sides[0]);
    if (is_ideal && is_partial)
        memo_set(k->parameters, variable, 0);
    return is_ideal;
}

// Whether it decides about an ideal switch that stays inside this mode.
static bool holds_is_switch(const HoldsFinder *k, const ModelHold *hold)
{
    const Assembly *a = k->g->assembly;
    const uint32_t conditional =
        hold->number < a->deciding.hold_count ? a->deciding.of_hold[hold->number] : DAG_NONE;
    return conditional != DAG_NONE && k->g->branches[conditional] == NODE_NONE;
}

// Of a condition that time decides about: (a time + b) / divisor crosses zero, or is rounded. A
// divisor is kept apart, so that mod(time, T) changes at whole multiples of T.
static bool is_timed(HoldsFinder *k, ModelHold *hold, Node e)
{
    Holds *m = &k->found;
    Node divisor = k->dag->one, *form = &k->times[HOLD_TIME_SIZE * m->time_count];
    const bool is_negative = dag_is_operation(k->dag, e, OPERATOR_NEGATE);
    const Node quotient = is_negative ? dag_get(k->dag, e)->operands[0] : e;
    if (!is_order_relation(hold->op) && dag_is_operation(k->dag, quotient, OPERATOR_DIVIDE)) {
        const DagNode n = *dag_get(k->dag, quotient);
        const bool is_fixed = dag_get(k->dag, n.operands[1])->variability < DAG_CONTINUOUS;
        divisor = is_fixed ? n.operands[1] : divisor;
        e = !is_fixed ? e : is_negative ? dag_negate(k->dag, n.operands[0]) : n.operands[0];
    }
    if (!is_affine_of_time(k, e, &form[0], &form[1]))
        return false;
    form[2] = divisor;
    hold->kind = HOLD_TIME;
    hold->index = m->time_count++;
    return true;
}

static void classify_hold(HoldsFinder *k, ModelHold *hold, Node operand, Node held, Node *argument)
{
    Holds *m = &k->found;
    const DagNode n = *dag_get(k->dag, operand);
    bool slides = false; // (of a relation, the residuals tell)
    hold->op = (Operator)n.op;
    hold->kind = HOLD_LITERAL;
    if (n.kind != DAG_OPERATION)
        return;
    if (is_order_relation(hold->op)) {
        const Node difference = dag_subtract(k->dag, n.operands[0], n.operands[1]);
        if (is_timed(k, hold, difference) ||
            dag_get(k->dag, difference)->variability < DAG_CONTINUOUS)
            return;
        k->events[m->event_count] = difference;
        const GraphVariable variable = holds_variable(k, difference);
        if (variable != DAG_NONE && holds_is_switch(k, hold))
            memo_set(k->parameters, variable, 0);
        hold->is_ideal =
            holds_is_switch(k, hold) ||
            (variable != DAG_NONE &&
             holds_may_be_ideal(k, k->g->assembly->held.variables[hold->number], variable));
        find_surface(k, hold, operand);
    } else if (hold->op == OPERATOR_FLOOR || hold->op == OPERATOR_INTEGER ||
               hold->op == OPERATOR_CEIL || hold->op == OPERATOR_DIV) {
        const Node rounded = holds_rounded(k, &n);
        if (is_timed(k, hold, rounded))
            return;
        *argument = rounded;
        k->events[m->event_count] = whole_number_function(k, hold->op, *argument, held);
        slides = k->g->slides && k->g->slides[hold->number];
    } else {
        return;
    }
    hold->kind = HOLD_CROSSING;
    hold->is_muted = slides || memo_has(k->residuals, k->events[m->event_count]);
    hold->index = m->event_count++;
}

// ---------------------------------------------------------------------------
// Sizes
// ---------------------------------------------------------------------------

// What a variable is of the size of. It may be the difference of larger ones that are not known
// here, as a current is that of potentials: so its nominal value counts, too.
static Node holds_variable_size(const Gathered *g, Node node)
{
    Dag *dag = g->assembly->dag;
    const uint32_t number = dag_get(dag, node)->number;
    const DagVariable *v = &dag->variables[number];
    if (v->variability < DAG_CONTINUOUS || number == DAG_TIME_VARIABLE)
        return dag_unary(dag, OPERATOR_ABS, node);
    const Assembly *a = g->assembly;
    const double nominal =
        v->origin == DAG_NONE ? 0.0 : analyse_nominal(a, a->flat->variables[v->origin]);
    return dag_add(dag, dag_unary(dag, OPERATOR_ABS, node),
                   dag_real(dag, nominal > 0.0 ? nominal : 1.0));
}

// |f(x)| + |f'(x)| size(x): sin(w t) is zero at a wave's end only as far as w t is known.
static Node function_size(Dag *dag, Node node, Node argument)
{
    const Node slope = derive_scaled(dag, node, 0, argument);
    return dag_add(dag, dag_unary(dag, OPERATOR_ABS, node), dag_unary(dag, OPERATOR_ABS, slope));
}

static Node holds_size_of(const Gathered *g, const DagMemo *sizes, Node node)
{
    Dag *dag = g->assembly->dag;
    const DagNode n = *dag_get(dag, node);
    const Node a = n.kind != DAG_CALL && n.count > 0 ? memo_get(sizes, n.operands[0]) : NODE_NONE;
    if (n.type != DAG_REAL) // what jumps
        return node;
    if (n.kind == DAG_OPERATION && operator_info(n.op)->size == OPERATOR_SIZE_SLOPE)
        return function_size(dag, node, a);
    if (n.kind == DAG_VARIABLE)
        return holds_variable_size(g, node);
    return terms_size(dag, sizes, node);
}

const Node *holds_sizes(const Gathered *g, const Node *nodes, uint32_t count)
{
    Dag *dag = g->assembly->dag;
    Node *sizes = ARENA_ARRAY(dag->arena, count, Node);
    DagMemo *order = memo_take(dag), *done = memo_take(dag);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t from = order->count;
        walk_order(order, &nodes[i], 1);
        for (uint32_t j = from; j < order->count; j++)
            memo_set(done, order->list[j], holds_size_of(g, done, order->list[j]));
        sizes[i] = memo_get(done, nodes[i]);
    }
    memo_give(done);
    memo_give(order);
    return sizes;
}

// ---------------------------------------------------------------------------
// All
// ---------------------------------------------------------------------------

static bool has_live(const HoldsFinder *k)
{
    for (uint32_t h = 0; h < k->dag->hold_count; h++)
        if (k->is_live[h])
            return true;
    return false;
}

static void note_residuals(HoldsFinder *k)
{
    const AssembledEquations *list = &k->g->equations;
    for (uint32_t i = 0; i < list->count; i++) {
        const AssembledEquation *e = &list->items[i];
        memo_set(k->residuals, dag_subtract(k->dag, e->left, e->right), i);
        memo_set(k->residuals, dag_subtract(k->dag, e->right, e->left), i);
    }
}

static const char *holds_place_of(const HoldsFinder *k, Span span)
{
    if (!span_is_known(span))
        return NULL;
    StringBuilder text = builder_create(k->arena);
    const Diagnostics *diagnostics = k->g->assembly->diagnostics;
    builder_append_format(&text, "line %u", sources_locate(diagnostics->sources, span.begin).line);
    return builder_string(&text).text;
}

Holds holds_find(const Gathered *g)
{
    const Assembly *a = g->assembly;
    Dag *dag = a->dag;
    const uint32_t most = dag->hold_count;
    HoldsFinder k = {.g = g, .arena = dag->arena, .dag = dag};
    find_live(&k);
    k.residuals = memo_take(dag);
    if (has_live(&k)) {
        note_residuals(&k);
        note_readers(&k);
    }
    k.functions = memo_take(dag);
    k.parameters = memo_take(dag);
    ModelHold *holds = ARENA_ARRAY(dag->arena, most, ModelHold);
    Node *literals = ARENA_ARRAY(dag->arena, 2 * most, Node);
    k.events = ARENA_ARRAY(dag->arena, most, Node);
    k.times = ARENA_ARRAY(dag->arena, HOLD_TIME_SIZE * most, Node);
    for (uint32_t h = 0; h < most; h++) {
        if (!k.is_live[h])
            continue;
        const uint32_t i = k.found.count++;
        const Node operand = gather_node(g, a->held.operands[h]);
        holds[i] = (ModelHold){.number = h,
                               .surface = h,
                               .text = dag->variables[a->held.variables[h]].name,
                               .span = dag->holds[h].span};
        literals[2 * i] = operand;
        literals[2 * i + 1] = dag->zero;
        classify_hold(&k, &holds[i], operand, dag_reference(dag, a->held.variables[h]),
                      &literals[2 * i + 1]);
        if (holds[i].kind == HOLD_CROSSING && !holds[i].is_ideal)
            rest_while_idle(&k, &holds[i], dag_reference(dag, a->held.variables[h]),
                            &literals[2 * i]);
    }
    for (uint32_t i = 0; i < k.found.count; i++)
        holds[i].is_ideal = holds[i].is_ideal &&
                            (holds_is_switch(&k, &holds[i]) ||
                             memo_has(k.parameters, holds_variable(&k, k.events[holds[i].index])));
    SaltusEventDef *events = ARENA_ARRAY(dag->arena, k.found.event_count, SaltusEventDef);
    bool *is_muted = ARENA_ARRAY(dag->arena, dag->hold_count, bool);
    for (uint32_t i = 0; i < k.found.count; i++)
        is_muted[holds[i].number] = holds[i].is_muted;
    for (uint32_t i = 0; i < k.found.count; i++)
        if (holds[i].kind == HOLD_CROSSING)
            events[holds[i].index] = (SaltusEventDef){.name = holds[i].text,
                                                      .condition = holds[i].text,
                                                      .place = holds_place_of(&k, holds[i].span),
                                                      .at_zero = sign_at_zero(holds[i].op),
                                                      .is_muted = holds[i].is_muted};
    if (k.numbers)
        memo_give(k.numbers);
    memo_give(k.roots);
    memo_give(k.parameters);
    memo_give(k.functions);
    memo_give(k.residuals);
    k.found.items = holds;
    k.found.is_live = k.is_live;
    k.found.is_muted = is_muted;
    k.found.definitions = events;
    k.found.events = k.events;
    k.found.times = k.times;
    k.found.literals = literals;
    k.found.sizes = holds_sizes(g, k.events, k.found.event_count);
    return k.found;
}
