// SPDX-License-Identifier: MIT
//
// Union-find with signs, path compression by halving: variable v is sign * target; a variable that
// is its own target is the root of its class and may have a value. A cycle with a negative sign
// (a = b, a = -b) makes the class zero. At last every variable gets its root as target, and its
// kind: so the table is made in place.

#include "equations/alias.h"

#include <string.h>

typedef struct AliasFinder {
    Dag *dag;
    Alias *aliases;
    const int *ranks;
    uint32_t count;
} AliasFinder;

static uint32_t equations_alias_find(AliasFinder *f, uint32_t v, int8_t *sign)
{
    Alias *a = f->aliases;
    *sign = 1;
    while (a[v].target != v) {
        const uint32_t target = a[v].target;
        a[v].sign = (int8_t)(a[v].sign * a[target].sign);
        a[v].target = a[target].target;
        *sign = (int8_t)(*sign * a[v].sign);
        v = a[v].target;
    }
    return v;
}

static Node signed_node(Dag *dag, Node node, int sign)
{
    return sign < 0 ? dag_negate(dag, node) : node;
}

// What an equation with a value says of a class that has one: nothing new, or a contradiction that
// can be seen (values with parameters may agree at run time, so they are kept as an equation).
static AliasUse compare_values(const Dag *dag, Node a, Node b)
{
    if (a == b)
        return ALIAS_REDUNDANT;
    if (dag_is_number(dag, a) && dag_is_number(dag, b))
        return dag_get(dag, a)->value == dag_get(dag, b)->value ? ALIAS_REDUNDANT
                                                                : ALIAS_CONTRADICTION;
    return ALIAS_KEPT;
}

static AliasUse alias_set_value(AliasFinder *f, uint32_t v, Node value)
{
    int8_t sign;
    Alias *root = &f->aliases[equations_alias_find(f, v, &sign)];
    value = signed_node(f->dag, value, sign);
    if (root->value != NODE_NONE)
        return compare_values(f->dag, root->value, value);
    root->value = value;
    return ALIAS_USED;
}

// a = sign * b
static AliasUse alias_unite(AliasFinder *f, uint32_t a, uint32_t b, int8_t sign)
{
    int8_t sign_a, sign_b;
    uint32_t root = equations_alias_find(f, a, &sign_a),
             other = equations_alias_find(f, b, &sign_b);
    sign = (int8_t)(sign * sign_a * sign_b); // root = sign * other
    if (root == other) {
        if (sign > 0)
            return ALIAS_REDUNDANT;
        return alias_set_value(f, root, f->dag->zero);
    }
    Alias *c = f->aliases;
    if (f->ranks[other] > f->ranks[root] || (other < root && f->ranks[other] == f->ranks[root])) {
        const uint32_t swapped = root;
        root = other;
        other = swapped;
    }
    if (c[root].value != NODE_NONE && c[other].value != NODE_NONE) {
        const AliasUse use =
            compare_values(f->dag, c[root].value, signed_node(f->dag, c[other].value, sign));
        if (use != ALIAS_REDUNDANT)
            return use;
    } else if (c[other].value != NODE_NONE) {
        c[root].value = signed_node(f->dag, c[other].value, sign);
    }
    c[other].target = root;
    c[other].sign = sign;
    return ALIAS_USED;
}

// ---------------------------------------------------------------------------
// Equations
// ---------------------------------------------------------------------------

static bool can_be_alias(const AliasFinder *f, uint32_t v)
{
    const DagVariable *variable = &f->dag->variables[v];
    return v < f->count && f->ranks[v] >= 0 && variable->role != DAG_DERIVATIVE &&
           variable->role != DAG_TIME && variable->variability >= DAG_DISCRETE;
}

// Recognises +-v.
static bool is_signed_variable(const AliasFinder *f, Node e, uint32_t *variable, int8_t *sign)
{
    const DagNode *n = dag_get(f->dag, e);
    *sign = 1;
    if (dag_is_operation(f->dag, e, OPERATOR_NEGATE)) {
        *sign = -1;
        n = dag_get(f->dag, n->operands[0]);
    }
    if (n->kind != DAG_VARIABLE || !can_be_alias(f, n->number))
        return false;
    *variable = n->number;
    return true;
}

static bool same_type(const AliasFinder *f, uint32_t a, uint32_t b)
{
    const DagVariable *x = &f->dag->variables[a], *y = &f->dag->variables[b];
    return x->type == y->type && x->variability == y->variability;
}

static AliasUse use_sides(AliasFinder *f, Node left, Node right)
{
    uint32_t a, b;
    int8_t sign_a, sign_b;
    if (!is_signed_variable(f, left, &a, &sign_a))
        return ALIAS_KEPT;
    if (is_signed_variable(f, right, &b, &sign_b)) {
        if (!same_type(f, a, b))
            return ALIAS_KEPT;
        return alias_unite(f, a, b, (int8_t)(sign_a * sign_b));
    }
    const DagNode *n = dag_get(f->dag, right);
    if (n->variability > DAG_PARAMETER || n->facts & DAG_CALLS)
        return ALIAS_KEPT;
    return alias_set_value(f, a, signed_node(f->dag, right, sign_a));
}

// 0 = a + b, 0 = a - b and the like
static AliasUse use_zero(AliasFinder *f, Node sum)
{
    const DagNode n = *dag_get(f->dag, sum);
    if (n.kind != DAG_OPERATION)
        return ALIAS_KEPT;
    if (n.op == OPERATOR_NEGATE)
        return use_zero(f, n.operands[0]);
    if (n.op != OPERATOR_ADD && n.op != OPERATOR_SUBTRACT)
        return ALIAS_KEPT;
    const Node a = n.operands[0];
    const Node b = n.op == OPERATOR_ADD ? dag_negate(f->dag, n.operands[1]) : n.operands[1];
    const AliasUse use = use_sides(f, a, b);
    return use != ALIAS_KEPT ? use : use_sides(f, b, a);
}

static AliasUse use_equation(AliasFinder *f, Node left, Node right)
{
    if (left == right)
        return ALIAS_REDUNDANT;
    AliasUse use = use_sides(f, left, right);
    if (use == ALIAS_KEPT)
        use = use_sides(f, right, left);
    if (use == ALIAS_KEPT && dag_is_zero(f->dag, left))
        use = use_zero(f, right);
    if (use == ALIAS_KEPT && dag_is_zero(f->dag, right))
        use = use_zero(f, left);
    return use;
}

// ---------------------------------------------------------------------------
// The table
// ---------------------------------------------------------------------------

// Of a variable whose target is its root.
static Alias alias_of(const AliasFinder *f, uint32_t v)
{
    const int8_t sign = f->aliases[v].sign;
    const uint32_t root = f->aliases[v].target;
    const Node value = f->aliases[root].value;
    if (value != NODE_NONE)
        return (Alias){ALIAS_VALUE, 1, DAG_NONE, signed_node(f->dag, value, sign)};
    if (root == v)
        return (Alias){ALIAS_NONE, 1, v, NODE_NONE};
    return (Alias){ALIAS_VARIABLE, sign, root, NODE_NONE};
}

// The derivatives of aliases are aliases, those of constants zero. A derivative has a larger number
// than what it is the derivative of, so that one is known.
static Alias alias_of_derivative(Dag *dag, const Alias *of, uint32_t v)
{
    if (of->kind == ALIAS_VALUE)
        return (Alias){ALIAS_VALUE, 1, DAG_NONE, dag->zero};
    if (of->kind == ALIAS_VARIABLE)
        return (Alias){ALIAS_VARIABLE, of->sign, dag_derivative_variable(dag, of->target),
                       NODE_NONE};
    return (Alias){ALIAS_NONE, 1, v, NODE_NONE};
}

static void make_table(AliasFinder *f, AliasTable *table)
{
    Dag *dag = f->dag;
    for (uint32_t v = 0; v < f->count; v++) {
        int8_t sign;
        const uint32_t root = equations_alias_find(f, v, &sign);
        f->aliases[v].target = root;
        f->aliases[v].sign = sign;
    }
    for (uint32_t v = 0; v < f->count; v++) {
        const DagVariable *variable = &dag->variables[v];
        f->aliases[v] = variable->role == DAG_DERIVATIVE
                            ? alias_of_derivative(dag, &f->aliases[variable->of], v)
                            : alias_of(f, v);
    }
    table->aliases = f->aliases;
    table->variable_count = f->count;
}

AliasTable alias_find(Dag *dag, uint32_t count, const DagEquation *equations, const int *ranks)
{
    AliasTable table = {.uses = ARENA_ARRAY(dag->arena, count, AliasUse)};
    AliasFinder f = {dag, ARENA_ARRAY(dag->arena, dag->variable_count, Alias), ranks,
                     dag->variable_count};
    for (uint32_t v = 0; v < f.count; v++)
        f.aliases[v] = (Alias){.sign = 1, .target = v, .value = NODE_NONE};
    for (uint32_t i = 0; i < count; i++) {
        table.uses[i] = use_equation(&f, equations[i].left, equations[i].right);
        table.used_count += table.uses[i] == ALIAS_USED;
    }
    make_table(&f, &table);
    return table;
}

void alias_map(Dag *dag, const AliasTable *table, DagMemo *map)
{
    for (uint32_t v = 0; v < table->variable_count; v++) {
        const Alias *a = &table->aliases[v];
        if (a->kind == ALIAS_VALUE)
            memo_set(map, v, a->value);
        else if (a->kind == ALIAS_VARIABLE)
            memo_set(map, v, signed_node(dag, dag_reference(dag, a->target), a->sign));
    }
}
