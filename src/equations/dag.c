// SPDX-License-Identifier: MIT
//
// The graph's storage: nodes, variables, functions, and the hash table that makes equal nodes one.
// The constructors that simplify are in simplify.c.

#include "equations/dag.h"

#include "base/text.h"
#include "equations/intern.h"

#include <string.h>

enum { FIRST_ROOM = 64 };

// Room for one more item. No pointer to an item outlives the making of another one.
#define GROW(arena, array, count, room)                                                            \
    do {                                                                                           \
        if ((count) == (room)) {                                                                   \
            const uint32_t grown = arena_more_room(room, FIRST_ROOM);                              \
            (array) =                                                                              \
                arena_regrow((arena), (array), (room) * sizeof *(array), grown * sizeof *(array)); \
            (room) = grown;                                                                        \
        }                                                                                          \
    } while (0)

// ---------------------------------------------------------------------------
// Hashing
// ---------------------------------------------------------------------------

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0x9E3779B97F4A7C15u;
    return hash ^ hash >> 29;
}

static bool commutes(const DagNode *n)
{
    return n->kind == DAG_OPERATION && operator_info(n->op)->traits & OPERATOR_COMMUTES;
}

// A hold gets its number only when it is new: its operand alone identifies it. An operation's text
// does not make it another one.
static uint32_t key_number(const DagNode *n)
{
    return n->kind == DAG_NUMBER || n->kind == DAG_HOLD || n->kind == DAG_OPERATION ? 0 : n->number;
}

static uint32_t hash_node(const Dag *dag, const DagNode *n)
{
    uint64_t hash = mix((uint64_t)n->kind << 16 | (uint64_t)n->op << 8 | n->type,
                        (uint64_t)key_number(n) << 8 | (uint8_t)n->power);
    if (n->kind == DAG_NUMBER) {
        uint64_t bits;
        memcpy(&bits, &n->value, sizeof bits);
        hash = mix(hash, bits);
    } else if (n->kind == DAG_CALL) {
        for (uint32_t i = 0; i < n->length; i++)
            hash = mix(hash, dag->lists[n->first + i]);
    } else if (commutes(n)) {
        const Node a = n->operands[0], b = n->operands[1];
        hash = mix(hash, a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a);
    } else {
        for (uint32_t i = 0; i < n->count; i++)
            hash = mix(hash, n->operands[i]);
    }
    return (uint32_t)(hash >> 32);
}

static bool same_operands(const Dag *dag, const DagNode *a, const DagNode *b)
{
    if (a->kind == DAG_NUMBER)
        return memcmp(&a->value, &b->value, sizeof a->value) == 0;
    if (a->kind == DAG_CALL)
        return a->length == b->length &&
               (a->length == 0 || memcmp(&dag->lists[a->first], &dag->lists[b->first],
                                         a->length * sizeof(Node)) == 0);
    if (a->count != b->count)
        return false;
    if (commutes(a) && a->operands[0] == b->operands[1] && a->operands[1] == b->operands[0])
        return true;
    return memcmp(a->operands, b->operands, a->count * sizeof(Node)) == 0;
}

static bool same_node(const Dag *dag, const DagNode *a, const DagNode *b)
{
    return a->kind == b->kind && a->op == b->op && a->type == b->type &&
           key_number(a) == key_number(b) && a->power == b->power && same_operands(dag, a, b);
}

// At most three quarters of the table are taken.
static bool is_too_full(uint64_t nodes, uint64_t slots)
{
    return 4 * nodes > 3 * slots;
}

// Without a table no node is known any more; the next one that is interned makes another.
static void dag_drop_table(Dag *dag)
{
    uint32_t *const table = dag->table;
    dag->table = NULL;
    if (table)
        arena_regrow(dag->home, table, (dag->table_mask + 1) * sizeof *table, 0);
}

static void dag_grow_table(Dag *dag)
{
    uint32_t size = 4 * FIRST_ROOM;
    while (is_too_full(dag->node_count + 1u, size))
        size *= 2;
    dag_drop_table(dag);
    dag->table = arena_regrow(dag->home, NULL, 0, size * sizeof *dag->table);
    dag->table_mask = size - 1;
    for (Node i = 0; i < dag->node_count; i++) {
        uint32_t slot = hash_node(dag, &dag->nodes[i]) & dag->table_mask;
        while (dag->table[slot])
            slot = (slot + 1) & dag->table_mask;
        dag->table[slot] = i + 1;
    }
}

static Node dag_add_node(Dag *dag, const DagNode *node)
{
    GROW(dag->home, dag->nodes, dag->node_count, dag->room.nodes);
    dag->nodes[dag->node_count] = *node;
    return dag->node_count++;
}

static Node intern(Dag *dag, const DagNode *node)
{
    if (!dag->table || is_too_full(dag->node_count + 1u, dag->table_mask + UINT64_C(1)))
        dag_grow_table(dag);
    uint32_t slot = hash_node(dag, node) & dag->table_mask;
    for (; dag->table[slot]; slot = (slot + 1) & dag->table_mask)
        if (same_node(dag, &dag->nodes[dag->table[slot] - 1], node))
            return dag->table[slot] - 1;
    dag->table[slot] = dag->node_count + 1;
    return dag_add_node(dag, node);
}

// ---------------------------------------------------------------------------
// What follows from the operands
// ---------------------------------------------------------------------------

DagType intern_type(const Dag *dag, Operator op, const Node *operands)
{
    const OperatorInfo *info = operator_info(op);
    switch (operator_result(op)) {
    case 'I':
        return DAG_INTEGER;
    case 'B':
        return DAG_BOOLEAN;
    case 'T':
        return dag->nodes[operands[info->count - 1]].type;
    case 'N':
        for (uint32_t i = 1; i < info->count; i++)
            if (dag->nodes[operands[i]].type != dag->nodes[operands[0]].type)
                return DAG_REAL;
        return dag->nodes[operands[0]].type;
    default:
        return DAG_REAL;
    }
}

static void infer_from_operands(const Dag *dag, DagNode *n, const Node *operands, uint32_t count)
{
    uint8_t facts = DAG_FINITE | DAG_TAME;
    for (uint32_t i = 0; i < count; i++) {
        const DagNode *operand = &dag->nodes[operands[i]];
        if (operand->variability > n->variability)
            n->variability = operand->variability;
        facts &= operand->facts | (uint8_t) ~(DAG_FINITE | DAG_TAME);
        facts |= operand->facts & (DAG_CALLS | DAG_FAILS);
    }
    n->facts = facts;
}

// ---------------------------------------------------------------------------
// Integers
// ---------------------------------------------------------------------------

static bool dag_is_integer(const Dag *dag, Node node)
{
    return dag->nodes[node].type == DAG_INTEGER;
}

WholeOperator dag_whole(const Dag *dag, Node node)
{
    const DagNode *n = &dag->nodes[node];
    const WholeOperator op = n->kind == DAG_OPERATION ? operator_info(n->op)->whole : WHOLE_NONE;
    if (op == WHOLE_INTEGER || op == WHOLE_NONE)
        return op;
    for (uint32_t k = 0; k < n->count; k++)
        if (!dag_is_integer(dag, n->operands[k]))
            return WHOLE_NONE;
    return op;
}

int dag_bits(const Dag *dag, Node node)
{
    const DagNode *n = &dag->nodes[node];
    int bits = WHOLE_STORED_BITS;
    if (n->kind == DAG_NUMBER)
        frexp(n->value, &bits);
    else if (n->kind == DAG_OPERATION)
        bits = n->power;
    else if (n->kind == DAG_HOLD)
        bits = dag_bits(dag, n->operands[0]);
    return bits;
}

static bool may_be_zero(const Dag *dag, Node node)
{
    return dag->nodes[node].kind != DAG_NUMBER || dag->nodes[node].value == 0.0;
}

// The bound on the size of an operation of type Integer if nothing were too large.
static int free_bits(const Dag *dag, const DagNode *n)
{
    const uint32_t last = n->count - 1u;
    const int b = dag_bits(dag, n->operands[last]);
    const int a = last ? dag_bits(dag, n->operands[last - 1]) : b;
    if (n->op == OPERATOR_IF)
        return a > b ? a : b;
    return whole_bits(operator_info(n->op)->whole, a, b);
}

static bool node_fails(const Dag *dag, const DagNode *n)
{
    const bool divides = n->op == OPERATOR_DIV || n->op == OPERATOR_MOD || n->op == OPERATOR_REM;
    return n->op == OPERATOR_INTEGER || free_bits(dag, n) > WHOLE_MOST_BITS ||
           (divides && may_be_zero(dag, n->operands[1]));
}

bool dag_fails(const Dag *dag, Node node)
{
    const DagNode *n = &dag->nodes[node];
    return n->kind == DAG_OPERATION && n->type == DAG_INTEGER && node_fails(dag, n);
}

static void infer_bits(const Dag *dag, DagNode *n)
{
    const int bits = free_bits(dag, n);
    n->power = (int8_t)(bits > WHOLE_MOST_BITS ? WHOLE_MOST_BITS : bits);
    if (node_fails(dag, n))
        n->facts = (uint8_t)((n->facts | DAG_FAILS) & ~(DAG_FINITE | DAG_TAME));
}

void dag_note(Dag *dag, Node node, Span span)
{
    DagNode *n = &dag->nodes[node];
    if (n->kind != DAG_OPERATION || n->type != DAG_INTEGER || n->number || !span_is_known(span))
        return;
    GROW(dag->home, dag->spans, dag->span_count, dag->room.spans);
    dag->spans[dag->span_count++] = span;
    n->number = dag->span_count;
}

Span dag_span(const Dag *dag, Node node)
{
    const DagNode *n = &dag->nodes[node];
    return n->kind == DAG_OPERATION && n->number ? dag->spans[n->number - 1] : (Span){0};
}

// ---------------------------------------------------------------------------
// Nodes
// ---------------------------------------------------------------------------

Node intern_number(Dag *dag, DagType type, double value)
{
    DagNode n = {.kind = DAG_NUMBER, .type = (uint8_t)type, .value = value};
    n.facts = isfinite(value) ? DAG_FINITE | DAG_TAME : 0;
    return intern(dag, &n);
}

static bool is_polynomial(Operator op)
{
    return op == OPERATOR_ADD || op == OPERATOR_SUBTRACT || op == OPERATOR_MULTIPLY;
}

Node intern_operation(Dag *dag, Operator op, Node a, Node b, Node c)
{
    const OperatorInfo *info = operator_info(op);
    DagNode n = {.kind = DAG_OPERATION, .op = (uint8_t)op, .count = info->count};
    const Node operands[3] = {a, b, c};
    memcpy(n.operands, operands, info->count * sizeof(Node));
    infer_from_operands(dag, &n, n.operands, n.count);
    n.type = (uint8_t)intern_type(dag, op, n.operands);
    if (n.type == DAG_BOOLEAN)
        n.facts |= DAG_FINITE | DAG_TAME;
    else if (!(info->traits & OPERATOR_BOUNDED))
        n.facts &= (uint8_t) ~(is_polynomial(op) ? DAG_FINITE : DAG_FINITE | DAG_TAME);
    if (n.type == DAG_INTEGER)
        infer_bits(dag, &n);
    return intern(dag, &n);
}

Node intern_power(Dag *dag, Node base, int power)
{
    DagNode n = {.kind = DAG_INTEGER_POWER, .count = 1, .power = (int8_t)power};
    n.operands[0] = base;
    infer_from_operands(dag, &n, &base, 1);
    n.facts &= (uint8_t) ~(power > 0 ? DAG_FINITE : DAG_FINITE | DAG_TAME);
    return intern(dag, &n);
}

// A call: the operands are copied. A call of an impure function is always a new node.
static Node intern_call(Dag *dag, uint32_t function, uint32_t count, const Node *arguments)
{
    // The operands go to the end of the list; they are dropped again if the call exists.
    const uint32_t first = dag->list_count;
    for (uint32_t i = 0; i < count; i++) {
        const Node argument = arguments[i]; // may point into the list
        GROW(dag->home, dag->lists, dag->list_count, dag->room.lists);
        dag->lists[dag->list_count++] = argument;
    }
    DagNode n = {.kind = DAG_CALL, .type = DAG_TUPLE, .number = function};
    infer_from_operands(dag, &n, count ? &dag->lists[first] : NULL, count);
    n.facts = (uint8_t)(DAG_CALLS | (n.facts & DAG_FAILS));
    n.first = first;
    n.length = count;
    if (dag->functions[function].is_impure) {
        n.variability = DAG_CONTINUOUS;
        return dag_add_node(dag, &n);
    }
    const uint32_t before = dag->node_count;
    const Node node = intern(dag, &n);
    if (dag->node_count == before)
        dag->list_count = first;
    return node;
}

// ---------------------------------------------------------------------------
// Variables and functions
// ---------------------------------------------------------------------------

Dag *dag_create(Arena *arena)
{
    Dag *dag = ARENA_NEW(arena, Dag);
    dag->arena = dag->home = arena;
    dag_add_variable(dag, "time", DAG_TIME, DAG_REAL, DAG_CONTINUOUS);
    dag->zero = dag_real(dag, 0.0);
    dag->one = dag_real(dag, 1.0);
    dag->two = dag_real(dag, 2.0);
    dag->minus_one = dag_real(dag, -1.0);
    dag->truth = dag_boolean(dag, true);
    dag->falsehood = dag_boolean(dag, false);
    return dag;
}

uint32_t dag_add_variable(Dag *dag, const char *name, DagRole role, DagType type,
                          DagVariability variability)
{
    GROW(dag->home, dag->variables, dag->variable_count, dag->room.variables);
    const uint32_t index = dag->variable_count++;
    DagNode n = {.kind = DAG_VARIABLE,
                 .type = (uint8_t)type,
                 .variability = (uint8_t)variability,
                 .number = index,
                 .facts = role == DAG_LOCAL ? 0 : DAG_FINITE | DAG_TAME};
    dag->variables[index] =
        (DagVariable){.name = name ? arena_copy_text(dag->arena, name, strlen(name)) : NULL,
                      .role = (uint8_t)role,
                      .type = (uint8_t)type,
                      .variability = (uint8_t)variability,
                      .of = DAG_NONE,
                      .derivative = DAG_NONE,
                      .pre = DAG_NONE,
                      .origin = DAG_NONE};
    const Node node = intern(dag, &n);
    dag->variables[index].node = node;
    return index;
}

static const char *wrapped_name(Dag *dag, const char *operator, const char * name)
{
    StringBuilder b = builder_create(dag->arena);
    builder_append_format(&b, "%s(%s)", operator, name);
    return builder_string(&b).text;
}

uint32_t dag_derivative_variable(Dag *dag, uint32_t variable)
{
    const DagVariable *v = &dag->variables[variable];
    if (v->derivative != DAG_NONE)
        return v->derivative;
    const uint32_t derivative = dag_add_variable(dag, wrapped_name(dag, "der", v->name),
                                                 DAG_DERIVATIVE, DAG_REAL, DAG_CONTINUOUS);
    dag->variables[derivative].of = variable;
    dag->variables[variable].derivative = derivative;
    return derivative;
}

uint32_t dag_pre_variable(Dag *dag, uint32_t variable)
{
    const DagVariable *v = &dag->variables[variable];
    if (v->pre != DAG_NONE)
        return v->pre;
    const uint32_t pre =
        dag_add_variable(dag, wrapped_name(dag, "pre", v->name), DAG_PRE, v->type, DAG_DISCRETE);
    dag->variables[pre].of = variable;
    dag->variables[variable].pre = pre;
    return pre;
}

uint32_t dag_plain_variable(const Dag *dag, uint32_t v)
{
    while (dag->variables[v].role == DAG_DERIVATIVE || dag->variables[v].role == DAG_PRE)
        v = dag->variables[v].of;
    return v;
}

uint32_t dag_add_local(Dag *dag, const char *name, DagType type, uint32_t size)
{
    const uint32_t local = dag_add_variable(dag, name, DAG_LOCAL, type, DAG_CONTINUOUS);
    dag->variables[local].size = size;
    return local;
}

uint32_t dag_table(Dag *dag, const char *name, DagType type, uint32_t size, const double *numbers)
{
    for (uint32_t v = dag->variable_count; v-- > 0;) { // the one that was made last is likely it
        const DagVariable *other = &dag->variables[v];
        if (other->table && other->size == size && other->type == type &&
            strcmp(other->name, name) == 0 &&
            memcmp(other->table, numbers, size * sizeof *numbers) == 0)
            return v;
    }
    double *table = ARENA_ARRAY(dag->arena, size, double);
    memcpy(table, numbers, size * sizeof *numbers);
    const uint32_t local = dag_add_local(dag, name, type, size);
    dag->variables[local].table = table;
    return local;
}

uint32_t dag_add_function(Dag *dag, const DagFunction *function)
{
    GROW(dag->arena, dag->functions, dag->function_count, dag->room.functions);
    dag->functions[dag->function_count] = *function;
    dag->functions[dag->function_count].differentiated = DAG_NONE;
    return dag->function_count++;
}

// ---------------------------------------------------------------------------
// Work that is taken back
// ---------------------------------------------------------------------------

// Functions change, for what is found out about them is noted: they are copied.
static void copy_functions(Dag *dag, Arena *to)
{
    const DagFunction *from = dag->functions;
    const size_t size = dag->function_count * sizeof *from;
    dag->functions = arena_regrow(to, NULL, 0, size);
    dag->room.functions = dag->function_count;
    if (size)
        memcpy(dag->functions, from, size);
}

void dag_fork(Dag *dag, Arena *work, Dag *before)
{
    *before = *dag;
    dag->arena = work;
    dag->free_memos = NULL;
    memset(dag->inlines, 0, sizeof dag->inlines);
    copy_functions(dag, work);
    for (uint32_t i = 0; i < dag->function_count; i++) { // what is found about inverses is noted
        DagFunction *f = &dag->functions[i];
        DagFunctionInverse *inverses = ARENA_ARRAY(work, f->inverse_count, DagFunctionInverse);
        if (f->inverse_count)
            memcpy(inverses, f->inverses, f->inverse_count * sizeof *inverses);
        f->inverses = inverses;
    }
}

// Nodes that came last go first, so that no other one has been put behind them.
static void forget_nodes(Dag *dag, uint32_t count)
{
    for (Node i = dag->node_count; i-- > count && dag->table;) {
        uint32_t slot = hash_node(dag, &dag->nodes[i]) & dag->table_mask;
        while (dag->table[slot] && dag->table[slot] != i + 1)
            slot = (slot + 1) & dag->table_mask;
        if (dag->table[slot])
            dag->table[slot] = 0;
        else // it was not yet there when memory ran out
            dag_drop_table(dag);
    }
    dag->node_count = count;
}

// Where more room is left than arrays get, it is given back: a quarter more of large ones, which
// the system moves without copying them, twice as much of others.
static bool has_room_to_spare(uint32_t had, uint32_t room)
{
    enum { LARGE_ROOM = 1 << 16 };
    return had > (room < LARGE_ROOM ? 2 * (uint64_t)room : room + (uint64_t)room / 4);
}

#define TRIM(dag, array, count, rooms)                                                             \
    do {                                                                                           \
        const uint32_t room = (dag)->count + (dag)->count / 8 + FIRST_ROOM;                        \
        if (has_room_to_spare((dag)->rooms, room)) {                                               \
            (dag)->array =                                                                         \
                arena_regrow((dag)->home, (dag)->array, (dag)->rooms * sizeof *(dag)->array,       \
                             room * sizeof *(dag)->array);                                         \
            (dag)->rooms = room;                                                                   \
        }                                                                                          \
    } while (0)

void dag_restore(Dag *dag, const Dag *before)
{
    if (dag->table && dag->table_mask != before->table_mask)
        dag_drop_table(dag);
    forget_nodes(dag, before->node_count);
    for (uint32_t v = before->variable_count; v < dag->variable_count; v++) {
        const DagVariable *variable = &dag->variables[v];
        DagVariable *of = variable->of < v ? &dag->variables[variable->of] : NULL;
        if (of && of->derivative == v)
            of->derivative = DAG_NONE;
        if (of && of->pre == v)
            of->pre = DAG_NONE;
    }
    dag->list_count = before->list_count;
    dag->variable_count = before->variable_count;
    dag->hold_count = before->hold_count;
    dag->text_count = before->text_count;
    dag->span_count = before->span_count;
    dag->functions = before->functions;
    dag->function_count = before->function_count;
    dag->room.functions = before->room.functions;
    dag->arena = before->arena;
    dag->free_memos = before->free_memos;
    memcpy(dag->inlines, before->inlines, sizeof dag->inlines);
}

// Whether nothing but derivatives, left limits and nodes were added.
static bool can_rewind(const Dag *dag, const Dag *before)
{
    bool can = dag->function_count == before->function_count &&
               dag->hold_count == before->hold_count && dag->text_count == before->text_count;
    for (uint32_t v = before->variable_count; v < dag->variable_count && can; v++)
        can = dag->variables[v].role == DAG_DERIVATIVE || dag->variables[v].role == DAG_PRE;
    return can;
}

bool dag_rewind(Dag *dag, const Dag *before)
{
    if (!can_rewind(dag, before)) {
        const Dag fork = *dag;
        copy_functions(dag, before->arena);
        arena_regrow(fork.arena, fork.functions, fork.room.functions * sizeof *fork.functions, 0);
        arena_regrow(before->arena, before->functions,
                     before->room.functions * sizeof *before->functions, 0);
        dag->arena = before->arena;
        dag->free_memos = before->free_memos;
        memcpy(dag->inlines, before->inlines, sizeof dag->inlines);
        return false;
    }
    // In the order in which they were made they get the same numbers.
    const uint32_t first = before->variable_count, count = dag->variable_count - first;
    DagVariable *added = ARENA_ARRAY(dag->arena, count, DagVariable);
    if (count)
        memcpy(added, &dag->variables[first], count * sizeof *added);
    dag_restore(dag, before);
    TRIM(dag, nodes, node_count, room.nodes);
    TRIM(dag, lists, list_count, room.lists);
    TRIM(dag, spans, span_count, room.spans);
    for (uint32_t v = 0; v < count; v++) {
        if (added[v].role == DAG_DERIVATIVE)
            dag_derivative_variable(dag, added[v].of);
        else
            dag_pre_variable(dag, added[v].of);
    }
    return true;
}

// ---------------------------------------------------------------------------
// Nodes without rules
// ---------------------------------------------------------------------------

Node dag_reference(Dag *dag, uint32_t variable)
{
    return dag->variables[variable].node;
}

Node dag_time(Dag *dag)
{
    return dag->variables[DAG_TIME_VARIABLE].node;
}

Node dag_real(Dag *dag, double value)
{
    return intern_number(dag, DAG_REAL, value == 0.0 ? 0.0 : isnan(value) ? NAN : value);
}

// A large one is high 2^32 + low, which is not folded.
Node dag_integer(Dag *dag, int64_t value)
{
    if (value >= -WHOLE_MOST_STORED && value <= WHOLE_MOST_STORED)
        return intern_number(dag, DAG_INTEGER, (double)value);
    const int64_t unit = INT64_C(1) << 32;
    return dag_add(dag, dag_multiply(dag, dag_integer(dag, value / unit), dag_integer(dag, unit)),
                   dag_integer(dag, value % unit));
}

Node dag_boolean(Dag *dag, bool value)
{
    return intern_number(dag, DAG_BOOLEAN, value ? 1.0 : 0.0);
}

Node dag_text(Dag *dag, const char *text)
{
    uint32_t number = 0;
    while (number < dag->text_count && strcmp(dag->texts[number], text) != 0)
        number++;
    if (number == dag->text_count) {
        GROW(dag->home, dag->texts, dag->text_count, dag->room.texts);
        dag->texts[dag->text_count++] = arena_copy_text(dag->arena, text, strlen(text));
    }
    return intern_number(dag, DAG_TEXT, number);
}

Node dag_hold(Dag *dag, Node operand)
{
    const DagNode *of = &dag->nodes[operand];
    if (of->kind == DAG_HOLD || of->variability < DAG_CONTINUOUS)
        return operand;
    DagNode n = {.kind = DAG_HOLD,
                 .type = of->type,
                 .variability = DAG_DISCRETE,
                 .facts = of->facts,
                 .count = 1,
                 .operands = {operand}};
    const uint32_t before = dag->node_count;
    const Node hold = intern(dag, &n);
    if (dag->node_count > before) {
        GROW(dag->home, dag->holds, dag->hold_count, dag->room.holds);
        dag->holds[dag->hold_count] = (DagHold){.node = hold, .operand = operand, .flat = DAG_NONE};
        dag->nodes[hold].number = dag->hold_count++;
    }
    return hold;
}

Node dag_call(Dag *dag, uint32_t function, uint32_t count, const Node *arguments)
{
    return intern_call(dag, function, count, arguments);
}

Node dag_result(Dag *dag, Node call, uint32_t number)
{
    const DagNode *of = &dag->nodes[call];
    DagNode n = {.kind = DAG_RESULT,
                 .type = (uint8_t)dag->functions[of->number].output_types[number],
                 .variability = of->variability,
                 .facts = DAG_CALLS,
                 .count = 1,
                 .number = number,
                 .operands = {call}};
    return intern(dag, &n);
}

Node dag_element(Dag *dag, uint32_t array, Node index)
{
    DagNode n = {.kind = DAG_ELEMENT,
                 .type = (uint8_t)dag->variables[array].type,
                 .variability = DAG_CONTINUOUS,
                 .facts = dag->nodes[index].facts & (DAG_CALLS | DAG_FAILS),
                 .count = 1,
                 .number = array,
                 .operands = {index}};
    return intern(dag, &n);
}

Node dag_field(Dag *dag, Node node, DagType type)
{
    DagNode n = dag->nodes[node];
    if ((n.kind != DAG_RESULT && n.kind != DAG_ELEMENT) || n.type == type)
        return node;
    n.type = (uint8_t)type;
    return intern(dag, &n);
}

static Node rebuild(Dag *dag, Node node, const Node *operands)
{
    const DagNode n = dag->nodes[node];
    switch ((DagKind)n.kind) {
    case DAG_NUMBER:
    case DAG_VARIABLE:
        return node;
    case DAG_OPERATION:
        if (n.count == 3)
            return dag_if(dag, operands[0], operands[1], operands[2]);
        return n.count == 2 ? dag_binary(dag, n.op, operands[0], operands[1])
                            : dag_unary(dag, n.op, operands[0]);
    case DAG_INTEGER_POWER:
        return dag_power(dag, operands[0], dag_real(dag, n.power));
    case DAG_HOLD:
        return dag_hold(dag, operands[0]);
    case DAG_CALL:
        return dag_call(dag, n.number, n.length, operands);
    case DAG_RESULT:
        return dag_field(dag, dag_result(dag, operands[0], n.number), n.type);
    case DAG_ELEMENT:
        return dag_field(dag, dag_element(dag, n.number, operands[0]), n.type);
    }
    return node;
}

Node dag_rebuild(Dag *dag, Node node, const Node *operands)
{
    const Node built = rebuild(dag, node, operands);
    dag_note(dag, built, dag_span(dag, node));
    return built;
}
