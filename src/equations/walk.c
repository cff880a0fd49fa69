// SPDX-License-Identifier: MIT

#include "equations/walk.h"

#include <stdlib.h>

enum { FIRST_ROOM = 64, LARGE_ROOM = 4096 }; // powers of 2
// The table of a few keys beyond: slots, of which at most half are taken. It grows as long as it is
// small beside an array of all nodes: one equation of a large model may have very many terms.
enum { FEW_BITS = 10, FEW_KEY = 0, FEW_STAMP = 1, FEW_VALUE = 2, FEW_WORDS = 3, FEW_PART = 8 };

// ---------------------------------------------------------------------------
// Memos
// ---------------------------------------------------------------------------

// Bytes of a value and its stamp.
static const size_t memo_place = sizeof(uint32_t) + sizeof(uint16_t);

static size_t few_slots(uint8_t bits)
{
    return (size_t)1 << bits;
}

static size_t few_size(uint8_t bits)
{
    return sizeof(uint32_t) * FEW_WORDS * few_slots(bits);
}

DagMemo *memo_take(Dag *dag)
{
    DagMemo *memo = dag->free_memos;
    if (memo)
        dag->free_memos = memo->next;
    else
        memo = ARENA_NEW(dag->arena, DagMemo);
    if (!memo->arena)
        memo->arena = dag->arena;
    memo->dag = dag;
    memo_clear(memo);
    return memo;
}

void memo_give(DagMemo *memo)
{
    memo->next = memo->dag->free_memos;
    memo->dag->free_memos = memo;
}

void memo_clear(DagMemo *memo)
{
    memo->count = memo->few_count = 0;
    if (++memo->stamp == 0) { // after 65,536 times: old stamps would be new ones
        if (memo->room)
            memset(memo->stamps, 0, memo->room * sizeof *memo->stamps);
        if (memo->few)
            memset(memo->few, 0, few_size(memo->few_bits));
        memo->stamp = 1;
    }
}

// A large table is given back; a small one stays.
static void memo_drop_few(DagMemo *memo)
{
    memo->few = arena_regrow(memo->arena, memo->few, few_size(memo->few_bits), 0);
    if (!memo->few)
        memo->few_bits = 0;
}

void memo_empty(DagMemo *memo)
{
    memo_clear(memo);
    memo->values = arena_regrow(memo->arena, memo->values, memo->room * memo_place, 0);
    memo->list = arena_regrow(memo->arena, memo->list, memo->list_room * sizeof(uint32_t), 0);
    memo_drop_few(memo);
    if (!memo->values)
        memo->room = 0;
    if (!memo->list)
        memo->list_room = 0;
}

void memo_give_back(Dag *dag)
{
    for (DagMemo *memo = dag->free_memos; memo; memo = memo->next)
        memo_empty(memo);
}

// The slot of a key: its own, or the one that it would get.
static uint32_t *memo_slot(const DagMemo *memo, uint32_t key)
{
    uint32_t slot = (key * 2654435761u) >> (32 - memo->few_bits); // Fibonacci hashing
    uint32_t *at = memo->few + (size_t)FEW_WORDS * slot;
    while (at[FEW_STAMP] == memo->stamp && at[FEW_KEY] != key) {
        slot = (slot + 1) & (uint32_t)(few_slots(memo->few_bits) - 1);
        at = memo->few + (size_t)FEW_WORDS * slot;
    }
    return at;
}

bool memo_has_among_few(const DagMemo *memo, uint32_t key)
{
    return memo_slot(memo, key)[FEW_STAMP] == memo->stamp;
}

uint32_t memo_get_among_few(const DagMemo *memo, uint32_t key)
{
    return memo_slot(memo, key)[FEW_VALUE];
}

static void memo_make_few(DagMemo *memo, uint8_t bits)
{
    memo->few = arena_regrow(memo->arena, NULL, 0, few_size(bits));
    memo->few_bits = bits;
    memo->few_count = 0;
}

static void memo_set_among_few(DagMemo *memo, uint32_t key, uint32_t value)
{
    uint32_t *at = memo_slot(memo, key);
    memo->few_count += at[FEW_STAMP] != memo->stamp;
    at[FEW_KEY] = key;
    at[FEW_STAMP] = memo->stamp;
    at[FEW_VALUE] = value;
}

// Whether there is room for one more, which may be made.
static bool memo_has_few(DagMemo *memo)
{
    if (!memo->few)
        memo_make_few(memo, FEW_BITS);
    const uint8_t bits = memo->few_bits;
    if (memo->few_count < few_slots(bits) / 2)
        return true;
    if (2 * few_slots(bits) > memo->dag->node_count / FEW_PART)
        return false;
    uint32_t *before = memo->few;
    memo_make_few(memo, (uint8_t)(bits + 1));
    for (size_t k = 0; k < few_slots(bits); k++) {
        const uint32_t *at = before + FEW_WORDS * k;
        if (at[FEW_STAMP] == memo->stamp)
            memo_set_among_few(memo, at[FEW_KEY], at[FEW_VALUE]);
    }
    arena_regrow(memo->arena, before, few_size(bits), 0);
    return true;
}

// The largest of the keys that it has, and `key`.
static uint32_t memo_largest(const DagMemo *memo, uint32_t key)
{
    for (size_t k = 0; memo->few_count && k < few_slots(memo->few_bits); k++) {
        const uint32_t *at = memo->few + FEW_WORDS * k;
        if (at[FEW_STAMP] == memo->stamp && at[FEW_KEY] > key)
            key = at[FEW_KEY];
    }
    return key;
}

// Those that are among few get their places, all of which are there.
static void memo_move_few(DagMemo *memo)
{
    for (size_t k = 0; memo->few_count && k < few_slots(memo->few_bits); k++) {
        uint32_t *at = memo->few + FEW_WORDS * k;
        if (at[FEW_STAMP] != memo->stamp)
            continue;
        memo->stamps[at[FEW_KEY]] = memo->stamp;
        memo->values[at[FEW_KEY]] = at[FEW_VALUE];
        at[FEW_STAMP] = 0;
        memo->few_count--;
    }
    memo_drop_few(memo);
}

// One block: the values, then the stamps.
static void memo_set_room(DagMemo *memo, uint32_t room)
{
    const uint32_t before = memo->room;
    memo->values = arena_regrow(memo->arena, memo->values, before * memo_place, room * memo_place);
    memo->stamps = (uint16_t *)(memo->values + room);
    if (before)
        memmove(memo->stamps, memo->values + before, before * sizeof *memo->stamps);
    memset(memo->stamps + before, 0, (room - before) * sizeof *memo->stamps);
    memo->room = room;
}

static void memo_grow(DagMemo *memo, uint32_t key)
{
    if (key < LARGE_ROOM) {
        uint32_t room = memo->room ? memo->room : FIRST_ROOM;
        while (room <= key)
            room *= 2;
        memo_set_room(memo, room);
        return;
    }
    // Of a large graph all numbers will come, and a part more.
    const Dag *dag = memo->dag;
    const uint32_t all = key < dag->variable_count ? dag->variable_count : dag->node_count;
    const uint32_t largest = memo_largest(memo, key);
    memo_set_room(memo, (all > largest ? all : largest + 1) / 8 * 9 + 8);
    memo_move_few(memo);
}

void memo_set(DagMemo *memo, uint32_t key, uint32_t value)
{
    if (key >= memo->room && key >= LARGE_ROOM && memo_has_few(memo)) {
        memo_set_among_few(memo, key, value);
        return;
    }
    if (key >= memo->room)
        memo_grow(memo, key);
    memo->stamps[key] = memo->stamp;
    memo->values[key] = value;
}

void memo_push(DagMemo *memo, Node node)
{
    if (memo->count == memo->list_room) {
        const uint32_t room = arena_more_room(memo->list_room, FIRST_ROOM);
        memo->list = arena_regrow(memo->arena, memo->list, memo->list_room * sizeof(Node),
                                  room * sizeof(Node));
        memo->list_room = room;
    }
    memo->list[memo->count++] = node;
}

// ---------------------------------------------------------------------------
// What is reachable
// ---------------------------------------------------------------------------

static bool is_leaf(const Dag *dag, WalkReach reach, Node node)
{
    const DagNode *n = dag_get(dag, node);
    if (reach == WALK_ALL)
        return false;
    return n->kind == DAG_HOLD ||
           (reach == WALK_SMOOTH &&
            (n->type == DAG_INTEGER || n->type == DAG_BOOLEAN || n->type == DAG_TEXT));
}

// Depth first with a stack of its own: a node is pushed, with the number of its next operand, stays
// while its operands are visited, and goes to the list when they are all there.
void walk_order_beyond(DagMemo *memo, WalkReach reach, const DagMemo *known, const Node *roots,
                       uint32_t count)
{
    Dag *dag = memo->dag;
    DagMemo *stack = memo_take(dag); // its list: nodes and numbers by turns
#define IS_DONE(node) (memo_has(memo, node) || (known && memo_has(known, node)))
    for (uint32_t i = 0; i < count; i++) {
        if (!IS_DONE(roots[i])) {
            memo_push(stack, roots[i]);
            memo_push(stack, 0);
        }
        while (stack->count) {
            const Node node = stack->list[stack->count - 2];
            const uint32_t operands = is_leaf(dag, reach, node) ? 0 : dag_operand_count(dag, node);
            uint32_t next = stack->list[stack->count - 1];
            while (next < operands && IS_DONE(dag_operand(dag, node, next)))
                next++;
            stack->list[stack->count - 1] = next;
            if (next < operands) {
                memo_push(stack, dag_operand(dag, node, next));
                memo_push(stack, 0);
                continue;
            }
            stack->count -= 2;
            memo_set(memo, node, memo->count);
            memo_push(memo, node);
        }
    }
#undef IS_DONE
    memo_give(stack);
}

void walk_order(DagMemo *memo, const Node *roots, uint32_t count)
{
    walk_order_beyond(memo, WALK_ALL, NULL, roots, count);
}

static int compare_numbers(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

void walk_variables(DagMemo *memo, WalkReach reach, const Node *roots, uint32_t count)
{
    walk_order_beyond(memo, reach, NULL, roots, count);
    uint32_t found = 0;
    for (uint32_t i = 0; i < memo->count; i++) {
        const DagNode *n = dag_get(memo->dag, memo->list[i]);
        if (n->kind == DAG_VARIABLE)
            memo->list[found++] = n->number;
    }
    memo_clear(memo);
    memo->count = found;
    if (found)
        qsort(memo->list, found, sizeof *memo->list, compare_numbers);
}

bool walk_depends(Dag *dag, Node node, const DagMemo *set)
{
    DagMemo *memo = memo_take(dag);
    walk_order(memo, &node, 1);
    bool depends = false;
    for (uint32_t i = 0; i < memo->count && !depends; i++) {
        const DagNode *n = dag_get(dag, memo->list[i]);
        depends = n->kind == DAG_VARIABLE && memo_has(set, n->number);
    }
    memo_give(memo);
    return depends;
}

bool walk_depends_on(Dag *dag, Node node, uint32_t variable)
{
    DagMemo *set = memo_take(dag);
    memo_set(set, variable, 0);
    const bool depends = walk_depends(dag, node, set);
    memo_give(set);
    return depends;
}

// ---------------------------------------------------------------------------
// Substitution
// ---------------------------------------------------------------------------

static Node rebuilt(Dag *dag, Node node, DagMemo *done, DagMemo *operands)
{
    const uint32_t count = dag_operand_count(dag, node);
    bool is_same = true;
    operands->count = 0;
    for (uint32_t i = 0; i < count; i++) {
        const Node old = dag_operand(dag, node, i);
        const Node new = memo_get(done, old);
        is_same = is_same && old == new;
        memo_push(operands, new);
    }
    return is_same ? node : dag_rebuild(dag, node, operands->list);
}

static void substitute_beyond(Dag *dag, const Node *roots, uint32_t count, const DagMemo *map,
                              DagMemo *done)
{
    DagMemo *order = memo_take(dag);
    DagMemo *operands = memo_take(dag);
    walk_order_beyond(order, WALK_ALL, done, roots, count);
    for (uint32_t i = 0; i < order->count; i++) {
        const Node node = order->list[i];
        const DagNode *n = dag_get(dag, node);
        if (n->kind == DAG_VARIABLE)
            memo_set(done, node, memo_has(map, n->number) ? memo_get(map, n->number) : node);
        else
            memo_set(done, node, rebuilt(dag, node, done, operands));
    }
    memo_give(operands);
    memo_give(order);
}

// In many roots, in place, sharing the work.
static void walk_substitute_all(Dag *dag, Node *roots, uint32_t count, const DagMemo *map)
{
    DagMemo *done = memo_take(dag);
    substitute_beyond(dag, roots, count, map, done);
    for (uint32_t i = 0; i < count; i++)
        roots[i] = memo_get(done, roots[i]);
    memo_give(done);
}

Node walk_substitute_more(Dag *dag, Node node, const DagMemo *map, DagMemo *done)
{
    substitute_beyond(dag, &node, 1, map, done);
    return memo_get(done, node);
}

Node walk_substitute(Dag *dag, Node node, const DagMemo *map)
{
    walk_substitute_all(dag, &node, 1, map);
    return node;
}

// ---------------------------------------------------------------------------
// Zeros
// ---------------------------------------------------------------------------

// What of x matters in 0 * x; NODE_NONE: nothing.
static Node wild_part(const Dag *dag, Node x)
{
    for (;;) {
        const DagNode *n = dag_get(dag, x);
        if (n->facts & DAG_TAME)
            return NODE_NONE;
        const bool is_sum =
            n->kind == DAG_OPERATION &&
            (n->op == OPERATOR_ADD || n->op == OPERATOR_SUBTRACT || n->op == OPERATOR_MULTIPLY);
        if (is_sum && dag_get(dag, n->operands[0])->facts & DAG_TAME)
            x = n->operands[1];
        else if (is_sum && dag_get(dag, n->operands[1])->facts & DAG_TAME)
            x = n->operands[0];
        else
            return x;
    }
}

static Node walk_without_zero(Dag *dag, Node node)
{
    if (!dag_is_operation(dag, node, OPERATOR_MULTIPLY) || dag_get(dag, node)->type != DAG_REAL)
        return node;
    for (uint32_t k = 0; k < 2; k++) {
        if (!dag_is_zero(dag, dag_operand(dag, node, k)))
            continue;
        const Node wild = wild_part(dag, dag_operand(dag, node, 1 - k));
        return wild == NODE_NONE ? dag->zero : dag_multiply(dag, dag->zero, wild);
    }
    return node;
}

Node walk_drop_zeros(Dag *dag, Node node)
{
    DagMemo *order = memo_take(dag);
    walk_order(order, &node, 1);
    bool is_same = true;
    for (uint32_t i = 0; i < order->count && is_same; i++)
        is_same = walk_without_zero(dag, order->list[i]) == order->list[i];
    if (!is_same) {
        DagMemo *done = memo_take(dag), *operands = memo_take(dag);
        for (uint32_t i = 0; i < order->count; i++)
            memo_set(done, order->list[i],
                     walk_without_zero(dag, rebuilt(dag, order->list[i], done, operands)));
        node = memo_get(done, node);
        memo_give(operands);
        memo_give(done);
    }
    memo_give(order);
    return node;
}
