// SPDX-License-Identifier: MIT
//
// Expressions to instructions: order, guarded blocks, values.
//
// The nodes are first put in an order, operands first. Each gets a *level*: 0, and one more with
// every guarded if-expression on the way to it from below. Then, users first, each gets the
// *region* it is computed in: the region tree has the unconditional code as its root and two
// children for every *group* of guarded if-expressions, its branches. A node goes to the lowest
// common ancestor of the regions it is used in; one that contains a call of a user's function goes
// to each of them instead.
//
// If-expressions with one condition, in one region and of one level make a group. Since they have
// one level, none of them needs another; so a region can be written level by level: first the
// groups of a level, then its other nodes.

#include "code/body.h"
#include "equations/print.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// Both sides of an if-expression are computed if they have at most so many operations together.
enum { CHEAP = 12 };

enum {
    FLAG_COSTLY =
        1 << 0,          // contains what one would not compute without need, or what may be invalid
    FLAG_CALLS = 1 << 1, // contains what must not be executed without need
    FLAG_GUARDED = 1 << 2, // an if-expression with guarded sides
};

typedef struct Placement { // a node in a region
    uint32_t region;
    uint32_t value;
} Placement;

// Of one node: in the order in which it was used, then by the first places of the regions.
typedef struct Placements {
    Placement *items;
    uint32_t count, room;
} Placements;

typedef struct ExpressItem { // of a region: a node, or a group
    uint32_t level;
    bool is_group;
    uint32_t number; // place in the order, or group
} ExpressItem;

typedef struct Region {
    uint32_t parent, depth;
    uint32_t user;        // the node that was last known to be used in it, and one
    uint32_t first, size; // once all are there: in a preorder, its place, and how many are inside
    ExpressItem *items;
    uint32_t count, room;
} Region;

typedef struct Group {
    uint32_t region, level;
    Node condition;
    uint32_t then, otherwise; // regions
    uint32_t *members;        // places in the order
    uint32_t count, room;
    uint32_t next; // in its hash chain
} Group;

typedef struct Plan {
    Expressing *e;
    Dag *dag;
    Arena *arena;   // of the plan, which goes when the code is there
    DagMemo *order; // node -> place
    uint32_t count;
    uint32_t *levels;
    uint8_t *flags, *costs;
    bool *wholes; // whether its value is a whole number
    Placements *placements;
    Region *regions;
    Group *groups;
    uint32_t region_count, region_room, group_count, group_room;
    uint32_t chains[256]; // hash chains of groups
} Plan;

// ---------------------------------------------------------------------------
// Operands, as the code sees them
// ---------------------------------------------------------------------------

// x^n is made of smaller powers, which are nodes of their own, so that x^2, x^3 and x^4 share.
static uint32_t power_edges(Dag *dag, Node node, Node edges[2])
{
    const Node x = dag_get(dag, node)->operands[0];
    const int n = dag_get(dag, node)->power, half = n / 2;
    edges[0] = edges[1] = x;
    if (n < 0 && n != -1)
        edges[0] = dag_power(dag, dag_divide(dag, dag->one, x), dag_real(dag, -n));
    else if (n > 2 && n % 2 == 0)
        edges[0] = edges[1] = dag_power(dag, x, dag_real(dag, half));
    else if (n > 2)
        edges[0] = dag_power(dag, x, dag_real(dag, n - 1));
    return n == 0 ? 0 : n < 0 || n == 1 ? 1 : 2;
}

static uint32_t edge_count(const Plan *p, Node node)
{
    const DagNode *n = dag_get(p->dag, node);
    Node edges[2];
    switch ((DagKind)n->kind) {
    case DAG_VARIABLE:
        return p->e->definitions && memo_has(p->e->definitions, n->number);
    case DAG_HOLD:
        return p->e->is_held ? 0 : 1;
    case DAG_INTEGER_POWER:
        return power_edges(p->dag, node, edges);
    default:
        return dag_operand_count(p->dag, node);
    }
}

static Node edge(const Plan *p, Node node, uint32_t k)
{
    const DagNode *n = dag_get(p->dag, node);
    Node edges[2];
    switch ((DagKind)n->kind) {
    case DAG_VARIABLE:
        return memo_get(p->e->definitions, n->number);
    case DAG_INTEGER_POWER:
        power_edges(p->dag, node, edges);
        return k == 0 ? edges[0] : edges[1];
    default:
        return dag_operand(p->dag, node, k);
    }
}

// ---------------------------------------------------------------------------
// Order
// ---------------------------------------------------------------------------

static void fail_with_name(Plan *p, const char *format, uint32_t variable)
{
    StringBuilder b = builder_create(p->e->module->arena);
    builder_append_format(&b, format, p->dag->variables[variable].name);
    p->e->reason = builder_string(&b).text;
}

// The circle goes from `first` to the top of the stack. A variable of the model says most.
static void fail_with_circle(Plan *p, const DagMemo *stack, Node first)
{
    uint32_t found = DAG_TIME_VARIABLE;
    for (uint32_t i = stack->count; i > 0; i -= 2) {
        const Node node = stack->list[i - 2];
        const DagNode *n = dag_get(p->dag, node);
        if (n->kind == DAG_VARIABLE &&
            (found == DAG_TIME_VARIABLE || p->dag->variables[n->number].role == DAG_PLAIN))
            found = n->number;
        if (node == first)
            break;
    }
    fail_with_name(p, "the definition of %s needs itself", found);
}

// What the order has of a node that is on the stack.
static const uint32_t waiting = UINT32_MAX;

static bool express_is_ordered(const Plan *p, Node node)
{
    return memo_has(p->order, node) && memo_get(p->order, node) != waiting;
}

static void express_wait(Plan *p, DagMemo *stack, Node node)
{
    memo_set(p->order, node, waiting);
    memo_push(stack, node);
    memo_push(stack, 0);
}

// Depth first, as walk_order, along the edges; a circle can only be one of definitions.
static bool make_order(Plan *p, const Node *nodes, uint32_t count)
{
    DagMemo *stack = memo_take(p->dag); // its list: nodes and their next edges by turns
    bool is_fine = true;
    for (uint32_t i = 0; i < count && is_fine; i++) {
        if (!memo_has(p->order, nodes[i]))
            express_wait(p, stack, nodes[i]);
        while (stack->count && is_fine) {
            const Node node = stack->list[stack->count - 2];
            const uint32_t edges = edge_count(p, node);
            uint32_t next = stack->list[stack->count - 1];
            while (next < edges && express_is_ordered(p, edge(p, node, next)))
                next++;
            stack->list[stack->count - 1] = next;
            if (next == edges) {
                stack->count -= 2;
                memo_set(p->order, node, p->order->count);
                memo_push(p->order, node);
            } else if (memo_has(p->order, edge(p, node, next))) {
                fail_with_circle(p, stack, edge(p, node, next));
                is_fine = false;
            } else {
                express_wait(p, stack, edge(p, node, next));
            }
        }
    }
    memo_give(stack);
    return is_fine;
}

// ---------------------------------------------------------------------------
// Whole numbers
// ---------------------------------------------------------------------------
//
// An Integer is computed as a whole number where it is the result of arithmetic; what is read from
// a place is a double until it meets a whole number. Relations between doubles are exact as they
// are.

static bool express_is_whole(const Plan *p, Node node)
{
    return p->wholes[memo_get(p->order, node)];
}

static bool has_whole_operand(const Plan *p, Node node)
{
    for (uint32_t k = 0; k < edge_count(p, node); k++)
        if (express_is_whole(p, edge(p, node, k)))
            return true;
    return false;
}

// The operation on whole numbers that a node is; WHOLE_COUNT: it is one on doubles.
static WholeOperator whole_operation(const Plan *p, Node node)
{
    const WholeOperator op = dag_whole(p->dag, node);
    switch (op) {
    case WHOLE_ADD:
    case WHOLE_SUBTRACT:
    case WHOLE_MULTIPLY:
    case WHOLE_DIV:
    case WHOLE_MOD:
    case WHOLE_REM:
    case WHOLE_INTEGER:
    case WHOLE_COUNT:
        return op;
    default:
        return has_whole_operand(p, node) ? op : WHOLE_COUNT;
    }
}

// Variables and calls are stored.
static bool gives_whole(const Plan *p, Node node)
{
    const DagNode *n = dag_get(p->dag, node);
    if (n->type != DAG_INTEGER)
        return false;
    if (dag_is_operation(p->dag, node, OPERATOR_IF))
        return dag_get(p->dag, n->operands[1])->type == DAG_INTEGER &&
               (express_is_whole(p, n->operands[1]) || express_is_whole(p, n->operands[2]));
    if (n->kind == DAG_HOLD)
        return has_whole_operand(p, node);
    const WholeOperator op = whole_operation(p, node);
    return op != WHOLE_COUNT && whole_info(op)->gives_whole;
}

// A local of a function may have no value, which is seen where it becomes a whole number.
static bool express_may_fail(const Plan *p, Node node)
{
    return whole_operation(p, node) != WHOLE_COUNT &&
           (dag_fails(p->dag, node) || p->e->locals != NULL);
}

// ---------------------------------------------------------------------------
// Levels and flags
// ---------------------------------------------------------------------------

static uint8_t own_flags(const Plan *p, Node node)
{
    const DagNode *n = dag_get(p->dag, node);
    if (n->kind == DAG_CALL || (n->kind == DAG_ELEMENT && !dag_is_number(p->dag, n->operands[0])))
        return FLAG_CALLS | FLAG_COSTLY;
    if (n->kind == DAG_OPERATION && express_may_fail(p, node))
        return FLAG_CALLS | FLAG_COSTLY;
    if (n->kind == DAG_OPERATION &&
        operator_info(n->op)->traits & (OPERATOR_COSTLY | OPERATOR_PARTIAL))
        return FLAG_COSTLY;
    return 0;
}

static void classify(Plan *p, uint32_t i)
{
    const Node node = p->order->list[i];
    uint32_t cost = edge_count(p, node) > 0, level = 0;
    p->wholes[i] = gives_whole(p, node);
    uint8_t flags = own_flags(p, node);
    for (uint32_t k = 0; k < edge_count(p, node); k++) {
        const uint32_t operand = memo_get(p->order, edge(p, node, k));
        level = p->levels[operand] > level ? p->levels[operand] : level;
        flags |= p->flags[operand] & (FLAG_COSTLY | FLAG_CALLS);
        cost += p->costs[operand];
    }
    if (dag_get(p->dag, node)->kind == DAG_VARIABLE) { // defined for itself, not for a branch
        cost = 0;
        flags = 0;
    }
    if (dag_is_operation(p->dag, node, OPERATOR_IF)) {
        const uint32_t then = memo_get(p->order, edge(p, node, 1));
        const uint32_t otherwise = memo_get(p->order, edge(p, node, 2));
        if ((p->flags[then] | p->flags[otherwise]) & FLAG_COSTLY ||
            p->costs[then] + p->costs[otherwise] > CHEAP) {
            flags |= FLAG_GUARDED;
            level++;
        }
    }
    p->levels[i] = level;
    p->flags[i] = flags;
    p->costs[i] = (uint8_t)(cost > 100 ? 100 : cost);
}

// ---------------------------------------------------------------------------
// Regions
// ---------------------------------------------------------------------------

static uint32_t add_region(Plan *p, uint32_t parent)
{
    BODY_GROW(p->arena, p->regions, p->region_count, p->region_room);
    const uint32_t depth = p->region_count ? p->regions[parent].depth + 1 : 0;
    p->regions[p->region_count] = (Region){.parent = parent, .depth = depth};
    return p->region_count++;
}

static uint32_t common_ancestor(const Plan *p, uint32_t a, uint32_t b)
{
    while (a != b) {
        if (p->regions[a].depth >= p->regions[b].depth)
            a = p->regions[a].parent;
        else
            b = p->regions[b].parent;
    }
    return a;
}

static void express_add_item(Plan *p, uint32_t region, ExpressItem item)
{
    Region *r = &p->regions[region];
    BODY_GROW(p->arena, r->items, r->count, r->room);
    r->items[r->count++] = item;
}

static uint32_t group_for(Plan *p, uint32_t region, Node condition, uint32_t level)
{
    uint32_t *chain = &p->chains[(condition * 31 + region * 7 + level) % 256];
    for (uint32_t g = *chain; g != CODE_NONE; g = p->groups[g].next)
        // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): a chain has groups that there are
        if (p->groups[g].region == region && p->groups[g].condition == condition &&
            p->groups[g].level == level)
            return g;
    const uint32_t then = add_region(p, region), otherwise = add_region(p, region);
    BODY_GROW(p->arena, p->groups, p->group_count, p->group_room);
    p->groups[p->group_count] = (Group){.region = region,
                                        .level = level,
                                        .condition = condition,
                                        .then = then,
                                        .otherwise = otherwise,
                                        .next = *chain};
    express_add_item(p, region, (ExpressItem){level, true, p->group_count});
    return *chain = p->group_count++;
}

// Numbers, inputs and locals need no instructions: they are at the root.
static bool express_is_free(const Plan *p, Node node)
{
    const DagKind kind = (DagKind)dag_get(p->dag, node)->kind;
    return edge_count(p, node) == 0 && kind != DAG_CALL;
}

static void use(Plan *p, Node node, uint32_t region)
{
    const uint32_t i = memo_get(p->order, node);
    Placements *list = &p->placements[i];
    if (express_is_free(p, node))
        region = 0;
    if (list->count && !(p->flags[i] & FLAG_CALLS)) {
        list->items[0].region = common_ancestor(p, list->items[0].region, region);
        return;
    }
    if (list->count == list->room) {
        const uint32_t room = list->room ? 2 * list->room : 1;
        list->items = arena_grow(p->arena, list->items, list->room * sizeof *list->items,
                                 room * sizeof *list->items);
        list->room = room;
    }
    list->items[list->count++] = (Placement){region, CODE_NONE};
}

static bool is_used_around(const Plan *p, uint32_t region, uint32_t user)
{
    while (region != 0) {
        region = p->regions[region].parent;
        if (p->regions[region].user == user)
            return true;
    }
    return false;
}

// Of the regions that a node is used in, those that are in no other one, each once.
static void place_outermost(Plan *p, uint32_t i)
{
    Placements *list = &p->placements[i];
    const uint32_t user = i + 1;
    uint32_t count = 0;
    for (uint32_t k = 0; k < list->count; k++) {
        Region *r = &p->regions[list->items[k].region];
        if (r->user == user)
            continue;
        r->user = user;
        list->items[count++] = list->items[k];
    }
    list->count = count;
    count = 0;
    for (uint32_t k = 0; k < list->count; k++)
        if (!is_used_around(p, list->items[k].region, user))
            list->items[count++] = list->items[k];
    list->count = count;
}

static void place_guarded(Plan *p, uint32_t i, uint32_t region)
{
    const Node node = p->order->list[i];
    const Node condition = edge(p, node, 0);
    const uint32_t g = group_for(p, region, condition, p->levels[i]);
    Group *group = &p->groups[g];
    BODY_GROW(p->arena, group->members, group->count, group->room);
    group->members[group->count++] = i;
    use(p, condition, region);
    use(p, edge(p, node, 1), p->groups[g].then);
    use(p, edge(p, node, 2), p->groups[g].otherwise);
}

// A region comes after its parent, so one sweep backwards and one forwards number them.
static void number_regions(Plan *p)
{
    for (uint32_t k = p->region_count; k-- > 0;) {
        Region *r = &p->regions[k];
        r->size++;
        if (k > 0)
            p->regions[r->parent].size += r->size;
    }
    uint32_t *next = ARENA_ARRAY(p->arena, p->region_count, uint32_t);
    for (uint32_t k = 0; k < p->region_count; k++) {
        Region *r = &p->regions[k];
        r->first = k > 0 ? next[r->parent] : 0;
        next[k] = r->first + 1;
        if (k > 0)
            next[r->parent] += r->size;
    }
}

static int compare_first_places(const void *a, const void *b)
{
    const Placement *x = a, *y = b;
    return x->value < y->value ? -1 : x->value > y->value;
}

// By the places of their regions in the preorder; they have no values yet.
static void sort_placements(const Plan *p, Placements *list)
{
    if (list->count < 2)
        return;
    for (uint32_t k = 0; k < list->count; k++)
        list->items[k].value = p->regions[list->items[k].region].first;
    qsort(list->items, list->count, sizeof *list->items, compare_first_places);
    for (uint32_t k = 0; k < list->count; k++)
        list->items[k].value = CODE_NONE;
}

static void express_place_all(Plan *p)
{
    for (uint32_t i = p->count; i-- > 0;) {
        const Node node = p->order->list[i];
        if (p->placements[i].count > 1)
            place_outermost(p, i);
        for (uint32_t at = p->placements[i].count; at-- > 0;) {
            const uint32_t region = p->placements[i].items[at].region;
            if (p->flags[i] & FLAG_GUARDED) {
                place_guarded(p, i, region);
                continue;
            }
            express_add_item(p, region, (ExpressItem){p->levels[i], false, i});
            for (uint32_t k = 0; k < edge_count(p, node); k++)
                use(p, edge(p, node, k), region);
        }
    }
    number_regions(p);
    for (uint32_t i = 0; i < p->count; i++)
        sort_placements(p, &p->placements[i]);
}

// ---------------------------------------------------------------------------
// Values
// ---------------------------------------------------------------------------

// Where a node was placed such that `region` sees it.
static Placement *placement_for(const Plan *p, Node node, uint32_t region)
{
    const Placements *list = &p->placements[memo_get(p->order, node)];
    const uint32_t place = p->regions[region].first;
    uint32_t low = 0, high = list->count; // it is the last one that does not begin behind it
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (p->regions[list->items[middle].region].first <= place)
            low = middle;
        else
            high = middle;
    }
    return &list->items[low];
}

static uint32_t value_for(const Plan *p, Node node, uint32_t region)
{
    return placement_for(p, node, region)->value;
}

static void express_set_value(Plan *p, uint32_t i, uint32_t region, uint32_t value)
{
    placement_for(p, p->order->list[i], region)->value = value;
}

static const char no_value[] = "there is no value for %s";

static uint32_t input_value(Plan *p, uint32_t vector, uint32_t index, const char *name)
{
    return body_value(
        p->e->module, p->e->body,
        (CodeValue){.kind = CODE_INPUT, .vector = (uint16_t)vector, .index = index, .name = name});
}

static uint32_t express_variable_value(Plan *p, uint32_t variable)
{
    const CodeLayout *layout = &p->e->module->layout;
    if (p->e->locals && memo_has(p->e->locals, variable))
        return memo_get(p->e->locals, variable);
    if (variable >= layout->place_count || layout->places[variable].vector == CODE_NONE) {
        fail_with_name(p, no_value, variable);
        return body_constant(p->e->module, p->e->body, NAN);
    }
    return input_value(p, layout->places[variable].vector, layout->places[variable].index,
                       p->dag->variables[variable].name);
}

// ---------------------------------------------------------------------------
// Whole values
// ---------------------------------------------------------------------------

// "Integer overflow in 3*pre(i): ...", where the expression is short enough to be read.
static uint32_t whole_place(Plan *p, Node node, const char *what, const char *why)
{
    if (p->e->is_guess)
        return CODE_TOLERATED;
    StringBuilder text = builder_create(p->e->module->arena);
    builder_append_text(&text, what);
    if (p->costs[memo_get(p->order, node)] <= CHEAP) {
        // A hold is no part of the node that it holds; without it, this would be in noEvent.
        const bool is_bare = dag_is_operation(p->dag, node, OPERATOR_INTEGER);
        builder_append_text(&text, is_bare ? " in integer(" : " in ");
        print_node(p->dag, is_bare ? dag_operand(p->dag, node, 0) : node, &text);
        builder_append_text(&text, is_bare ? ")" : "");
    }
    builder_append_format(&text, "%s%s", *why ? ": " : "", why);
    const Span span = dag_span(p->dag, node);
    return body_place(p->e->module, CODE_FAILED_WHOLE, p->e->locals ? p->e->body->name : NULL,
                      builder_string(&text).text, span_is_known(span) ? span : p->e->span);
}

static uint32_t apply_whole(Plan *p, WholeOperator op, uint32_t a, uint32_t b, uint32_t place)
{
    const uint32_t value =
        body_operation(p->e->module, p->e->body, CODE_FIRST_WHOLE + op, a, b, place);
    p->e->body->values[value].is_whole = whole_info(op)->gives_whole;
    return value;
}

// The value of a node as a whole number.
static uint32_t express_taken(Plan *p, Node node, uint32_t value)
{
    CodeBody *body = p->e->body;
    if (body->values[value].is_whole)
        return value;
    if (body->values[value].kind == CODE_CONSTANT) {
        const double bits = body_bits((int64_t)body->values[value].number);
        return body_value(p->e->module, body,
                          (CodeValue){.kind = CODE_CONSTANT, .is_whole = true, .number = bits});
    }
    const uint32_t place =
        whole_place(p, node, "no Integer", "it has no value, or one beyond 2^53");
    return apply_whole(p, WHOLE_TAKEN, value, CODE_NONE, place);
}

// As a double for an operation on Reals, rounded if need be.
static uint32_t express_rounded(Plan *p, uint32_t value)
{
    return p->e->body->values[value].is_whole
               ? apply_whole(p, WHOLE_TO_REAL, value, CODE_NONE, CODE_NONE)
               : value;
}

// The text of an if-expression that the compiler made is that of the side which may be too large.
static Node culprit(const Plan *p, Node node)
{
    while (dag_is_operation(p->dag, node, OPERATOR_IF) && !span_is_known(dag_span(p->dag, node))) {
        const Node then = dag_operand(p->dag, node, 1), otherwise = dag_operand(p->dag, node, 2);
        node = dag_bits(p->dag, then) >= dag_bits(p->dag, otherwise) ? then : otherwise;
    }
    return node;
}

// As a double for a place, exactly.
static uint32_t stored(Plan *p, Node node, uint32_t value)
{
    if (!p->e->body->values[value].is_whole)
        return value;
    if (dag_bits(p->dag, node) <= WHOLE_STORED_BITS)
        return apply_whole(p, WHOLE_STORED, value, CODE_NONE, CODE_NONE);
    const uint32_t place = whole_place(p, culprit(p, node), "Integer overflow",
                                       "a variable cannot hold more than 2^53");
    return apply_whole(p, WHOLE_STORED, value, CODE_NONE, place);
}

static uint32_t whole_result(Plan *p, Node node, WholeOperator op, uint32_t *operands)
{
    const DagNode *n = dag_get(p->dag, node);
    const bool divides = op == WHOLE_DIV || op == WHOLE_MOD || op == WHOLE_REM;
    for (uint32_t k = 0; k < n->count; k++)
        operands[k] = whole_info(op)->takes_whole ? express_taken(p, n->operands[k], operands[k])
                                                  : express_rounded(p, operands[k]);
    uint32_t place = CODE_NONE;
    if (dag_fails(p->dag, node))
        place = divides ? whole_place(p, node, "division by zero", "")
                        : whole_place(p, node, "Integer overflow", "the result is beyond 64 bits");
    return apply_whole(p, op, operands[0], n->count > 1 ? operands[1] : CODE_NONE, place);
}

// ---------------------------------------------------------------------------
// Instructions
// ---------------------------------------------------------------------------

// A division by a power of two is a multiplication, exactly.
static bool has_exact_reciprocal(double x)
{
    int exponent;
    return fabs(frexp(x, &exponent)) == 0.5 && exponent > -1020 && exponent < 1020;
}

static uint32_t express_operation(Plan *p, const DagNode *n, const uint32_t *operands,
                                  bool express_is_whole)
{
    CodeBody *body = p->e->body;
    if (n->op == OPERATOR_DIVIDE && body->values[operands[1]].kind == CODE_CONSTANT &&
        has_exact_reciprocal(body->values[operands[1]].number)) {
        const uint32_t factor =
            body_constant(p->e->module, body, 1.0 / body->values[operands[1]].number);
        return body_operation(p->e->module, body, OPERATOR_MULTIPLY, operands[0], factor,
                              CODE_NONE);
    }
    const uint32_t value = body_operation(p->e->module, body, n->op, operands[0],
                                          n->count > 1 ? operands[1] : CODE_NONE,
                                          n->count > 2 ? operands[2] : CODE_NONE);
    body->values[value].is_whole = express_is_whole; // an if-expression
    return value;
}

static uint32_t express_power(Plan *p, int n, const uint32_t *operands)
{
    CodeModule *m = p->e->module;
    if (n == 0)
        return body_constant(m, p->e->body, 1.0);
    if (n == -1)
        return body_operation(m, p->e->body, OPERATOR_DIVIDE, body_constant(m, p->e->body, 1.0),
                              operands[0], CODE_NONE);
    if (n < 0 || n == 1)
        return operands[0];
    return body_operation(m, p->e->body, OPERATOR_MULTIPLY, operands[0], operands[1], CODE_NONE);
}

static void push_list(Plan *p, uint32_t item)
{
    CodeBody *body = p->e->body;
    BODY_GROW(p->e->module->arena, body->lists, body->list_count, body->list_room);
    body->lists[body->list_count++] = item;
}

// A call's value is where its list begins; results that are used get temporaries there later.
static uint32_t express_call(Plan *p, Node node, uint32_t region)
{
    const uint32_t function = dag_get(p->dag, node)->number;
    const uint32_t list = p->e->body->list_count;
    push_list(p, function_number(p->e->module, function));
    DagMemo *arguments = memo_take(p->dag); // storing one may append instructions, not to the list
    for (uint32_t k = 0; k < dag_operand_count(p->dag, node); k++) {
        const Node argument = dag_operand(p->dag, node, k);
        memo_push(arguments, stored(p, argument, value_for(p, argument, region)));
    }
    for (uint32_t k = 0; k < arguments->count; k++)
        push_list(p, arguments->list[k]);
    memo_give(arguments);
    for (uint32_t k = 0; k < p->dag->functions[function].output_count; k++)
        push_list(p, CODE_NONE);
    body_append(p->e->module, p->e->body, (CodeInstruction){.op = CODE_CALL, .a = list});
    return list;
}

static uint32_t call_result(Plan *p, const DagNode *n, uint32_t list)
{
    const uint32_t function = dag_get(p->dag, n->operands[0])->number;
    const uint32_t at = list + 1 + p->dag->functions[function].input_count + n->number;
    // Two nodes may be one result: as it is, and as the field of a record.
    if (p->e->body->lists[at] == CODE_NONE) {
        const uint32_t value = body_temporary(p->e->module, p->e->body);
        p->e->body->lists[at] = value;
    }
    return p->e->body->lists[at];
}

static uint32_t express_element(Plan *p, const DagNode *n, uint32_t index)
{
    CodeModule *m = p->e->module;
    if (!memo_has(p->e->locals, n->number)) // a table, which is read for the first time
        memo_set(p->e->locals, n->number, body_array(m, p->e->body, n->number));
    const uint32_t array = memo_get(p->e->locals, n->number);
    const uint32_t place = body_place(m, CODE_FAILED_SUBSCRIPT, p->e->body->name,
                                      p->dag->variables[n->number].name, p->e->span);
    const uint32_t value = body_temporary(m, p->e->body);
    body_append(m, p->e->body,
                (CodeInstruction){.op = CODE_READ, .d = value, .a = index, .b = array, .c = place});
    return value;
}

// A temporary that is a variable carries its name.
static void name_value(Plan *p, uint32_t value, uint32_t variable)
{
    CodeValue *v = &p->e->body->values[value];
    if (v->kind == CODE_TEMPORARY && !v->name)
        v->name = p->dag->variables[variable].name;
}

static uint32_t make_value(Plan *p, Node node, uint32_t region)
{
    const DagNode n = *dag_get(p->dag, node);
    uint32_t operands[3] = {0};
    const uint32_t edges = n.kind == DAG_CALL ? 0 : edge_count(p, node);
    for (uint32_t k = 0; k < edges; k++)
        operands[k] = value_for(p, edge(p, node, k), region);
    const WholeOperator whole = whole_operation(p, node);
    if (whole != WHOLE_COUNT)
        return whole_result(p, node, whole, operands);
    if (n.kind == DAG_ELEMENT)
        operands[0] = stored(p, n.operands[0], operands[0]);
    else if (n.kind != DAG_VARIABLE && n.kind != DAG_HOLD && n.kind != DAG_RESULT)
        for (uint32_t k = 0; k < edges; k++)
            operands[k] = k > 0 && express_is_whole(p, node)
                              ? express_taken(p, n.operands[k], operands[k])
                              : express_rounded(p, operands[k]);
    switch ((DagKind)n.kind) {
    case DAG_NUMBER:
        return body_constant(p->e->module, p->e->body, n.value);
    case DAG_VARIABLE:
        if (!edges)
            return express_variable_value(p, n.number);
        operands[0] = stored(p, edge(p, node, 0), operands[0]);
        name_value(p, operands[0], n.number);
        return operands[0];
    case DAG_OPERATION:
        return express_operation(p, &n, operands, express_is_whole(p, node));
    case DAG_INTEGER_POWER:
        return express_power(p, n.power, operands);
    case DAG_HOLD:
        return edges ? operands[0] : input_value(p, p->e->module->layout.held, n.number, "held");
    case DAG_CALL:
        return express_call(p, node, region);
    case DAG_RESULT:
        return call_result(p, &n, operands[0]);
    case DAG_ELEMENT:
        return express_element(p, &n, operands[0]);
    }
    return 0;
}

// ---------------------------------------------------------------------------
// Writing
// ---------------------------------------------------------------------------

static int compare_items(const void *a, const void *b)
{
    const ExpressItem *x = a, *y = b;
    if (x->level != y->level)
        return x->level < y->level ? -1 : 1;
    if (x->is_group != y->is_group)
        return x->is_group ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

static void write_region(Plan *p, uint32_t region);

static void express_append(Plan *p, uint32_t op, uint32_t d, uint32_t a)
{
    body_append(p->e->module, p->e->body, (CodeInstruction){.op = op, .d = d, .a = a});
}

// An operand of an if-expression, as the kind of number that it is.
static uint32_t side_value(Plan *p, Node node, uint32_t k, uint32_t region)
{
    const Node side = edge(p, node, k);
    const uint32_t value = value_for(p, side, region);
    return k > 0 && express_is_whole(p, node) ? express_taken(p, side, value)
                                              : express_rounded(p, value);
}

// The sides turned out to be computed elsewhere.
static void write_selections(Plan *p, const Group *g)
{
    for (uint32_t i = g->count; i-- > 0;) { // they were found last first
        const Node node = p->order->list[g->members[i]];
        uint32_t operands[3];
        for (uint32_t k = 0; k < 3; k++)
            operands[k] = side_value(p, node, k,
                                     k == 0   ? g->region
                                     : k == 1 ? g->then
                                              : g->otherwise);
        express_set_value(
            p, g->members[i], g->region,
            express_operation(p, dag_get(p->dag, node), operands, express_is_whole(p, node)));
    }
}

static void write_group(Plan *p, uint32_t number)
{
    assert(p->groups && number < p->group_count);
    const Group g = p->groups[number];
    if (p->regions[g.then].count == 0 && p->regions[g.otherwise].count == 0) {
        write_selections(p, &g);
        return;
    }
    express_append(p, CODE_GUARD, CODE_NONE, value_for(p, g.condition, g.region));
    write_region(p, g.then);
    for (uint32_t i = g.count; i-- > 0;) {
        const Node node = p->order->list[g.members[i]];
        const uint32_t side = side_value(p, node, 1, g.then);
        const uint32_t value = body_temporary(p->e->module, p->e->body);
        p->e->body->values[value].is_whole = express_is_whole(p, node);
        express_append(p, CODE_COPY, value, side);
        express_set_value(p, g.members[i], g.region, value);
    }
    express_append(p, CODE_ELSE, CODE_NONE, CODE_NONE);
    write_region(p, g.otherwise);
    for (uint32_t i = g.count; i-- > 0;) {
        const Node node = p->order->list[g.members[i]];
        express_append(p, CODE_COPY, value_for(p, node, g.region),
                       side_value(p, node, 2, g.otherwise));
    }
    express_append(p, CODE_END, CODE_NONE, CODE_NONE);
}

static void write_region(Plan *p, uint32_t region)
{
    const Region r = p->regions[region];
    if (r.count)
        qsort(r.items, r.count, sizeof *r.items, compare_items);
    for (uint32_t i = 0; i < r.count; i++) {
        if (r.items[i].is_group)
            write_group(p, r.items[i].number);
        else
            express_set_value(p, r.items[i].number, region,
                              make_value(p, p->order->list[r.items[i].number], region));
    }
}

// A copy at the end of a branch is not needed if what it copies was made in that branch for nothing
// else: then it is made in place.
static void coalesce_copies(Plan *p, uint32_t first)
{
    CodeBody *body = p->e->body;
    DagMemo *uses = memo_take(p->dag), *made = memo_take(p->dag);
    for (uint32_t i = first; i < body->instruction_count; i++) {
        const CodeInstruction *in = &body->instructions[i];
        const uint32_t *operands[] = {&in->a, &in->b, &in->c};
        const uint32_t count = body_operands(in);
        assert(count <= 3);
        for (uint32_t k = 0; k < count; k++)
            memo_set(uses, *operands[k],
                     memo_has(uses, *operands[k]) ? memo_get(uses, *operands[k]) + 1 : 1);
        if (in->op == CODE_CALL) // arguments and results stay where they are
            for (uint32_t k = 1; k < body_list_length(p->e->module, body, in->a); k++)
                if (body->lists[in->a + k] != CODE_NONE)
                    memo_set(uses, body->lists[in->a + k], 2);
    }
    uint32_t kept = first, block = 0;
    for (uint32_t i = first; i < body->instruction_count; i++) {
        CodeInstruction in = body->instructions[i];
        if (in.op == CODE_COPY && memo_has(made, in.a) && memo_get(made, in.a) >= block &&
            memo_has(uses, in.a) && memo_get(uses, in.a) == 1) {
            body->instructions[memo_get(made, in.a)].d = in.d;
            continue;
        }
        if (in.op == CODE_GUARD || in.op == CODE_ELSE || in.op == CODE_END)
            block = kept + 1;
        if (body_writes(&in) && in.op != CODE_COPY)
            memo_set(made, in.d, kept);
        body->instructions[kept++] = in;
    }
    body->instruction_count = kept;
    memo_give(made);
    memo_give(uses);
}

bool express_can(Expressing *e, const Node *nodes, uint32_t count)
{
    Dag *dag = e->module->dag;
    const CodeLayout *layout = &e->module->layout;
    Plan p = {.e = e, .dag = dag, .order = memo_take(dag)};
    e->reason = NULL;
    const bool is_ordered = make_order(&p, nodes, count);
    for (uint32_t i = 0; i < p.order->count && is_ordered && !e->reason; i++) {
        const DagNode *n = dag_get(dag, p.order->list[i]);
        if (n->kind == DAG_VARIABLE && !memo_has(e->definitions, n->number) &&
            (n->number >= layout->place_count || layout->places[n->number].vector == CODE_NONE))
            fail_with_name(&p, no_value, n->number);
        if (n->kind == DAG_CALL && !dag->functions[n->number].procedure)
            e->reason = function_without_algorithm(e->module, dag->functions[n->number].name);
    }
    memo_give(p.order);
    return !e->reason;
}

bool express(Expressing *e, const Node *nodes, uint32_t count, uint32_t *values)
{
    Dag *dag = e->module->dag;
    Arena *scratch = arena_scratch(e->module->arena);
    const ArenaMark mark = arena_mark(scratch);
    Plan p = {.e = e, .dag = dag, .arena = scratch, .order = memo_take(dag)};
    memset(p.chains, 0xFF, sizeof p.chains);
    e->reason = NULL;
    bool is_fine = make_order(&p, nodes, count);
    const uint32_t first = e->body->instruction_count;
    if (is_fine) {
        p.count = p.order->count;
        p.levels = ARENA_ARRAY(p.arena, p.count, uint32_t);
        p.flags = ARENA_ARRAY(p.arena, p.count, uint8_t);
        p.costs = ARENA_ARRAY(p.arena, p.count, uint8_t);
        p.wholes = ARENA_ARRAY(p.arena, p.count, bool);
        p.placements = ARENA_ARRAY(p.arena, p.count, Placements);
        for (uint32_t i = 0; i < p.count; i++)
            classify(&p, i);
        add_region(&p, 0);
        for (uint32_t i = 0; i < count; i++)
            use(&p, nodes[i], 0);
        express_place_all(&p);
        write_region(&p, 0);
        for (uint32_t i = 0; i < count; i++)
            values[i] = stored(&p, nodes[i], value_for(&p, nodes[i], 0));
        coalesce_copies(&p, first);
        is_fine = !e->reason;
    }
    memo_give(p.order);
    arena_release(scratch, mark);
    return is_fine;
}
