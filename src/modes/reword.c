// SPDX-License-Identifier: MIT

#include "modes/reword.h"

#include "modes/split.h"

enum { MOST_TERMS = 64, LEAVES = 2, ALL_LEAVES = 3 };

// An equation as what its terms are in each branch of its choice: factor times an expression.
typedef struct Reworder {
    Arena *arena;
    const FlatModel *flat;
    FlatExpression *condition; // of the choice: the first branch is that with which it holds
    double factors[LEAVES][MOST_TERMS];
    FlatExpression *terms[LEAVES][MOST_TERMS];
    uint32_t counts[LEAVES];
    bool is_known;   // it has a choice, and not too many terms
    bool *is_always; // by variable: there is an equation that has it in all branches
    uint32_t *seen;  // by variable: branches of the present equation that have it, bit by bit
    uint32_t *list, list_count; // those that have been seen
} Reworder;

// ---------------------------------------------------------------------------
// Expressions
// ---------------------------------------------------------------------------

static FlatExpression *reword_node(const Reworder *r, const FlatExpression *like, FlatKind kind,
                                   uint32_t count)
{
    FlatExpression *e = ARENA_NEW(r->arena, FlatExpression);
    *e =
        (FlatExpression){.kind = (uint8_t)kind,
                         .variability = FLAT_CONTINUOUS,
                         .count = count,
                         .span = like->span,
                         .type = &flat_type_real,
                         .operands = count ? ARENA_ARRAY(r->arena, count, FlatExpression *) : NULL};
    return e;
}

static FlatExpression *reword_number(const Reworder *r, const FlatExpression *like, double value)
{
    FlatExpression *e = reword_node(r, like, FLAT_REAL, 0);
    e->variability = FLAT_CONSTANT;
    e->real = value;
    return e;
}

static FlatExpression *reword_binary(const Reworder *r, Operation op, FlatExpression *a,
                                     FlatExpression *b)
{
    FlatExpression *e = reword_node(r, a, FLAT_OPERATION, 2);
    e->operation = op;
    e->relation = FLAT_NO_RELATION;
    e->operands[0] = a;
    e->operands[1] = b;
    if (op == OPERATION_LESS)
        e->type = &flat_type_boolean;
    return e;
}

static bool reword_is(const FlatExpression *e, Operation op)
{
    return e->kind == FLAT_OPERATION && e->operation == op;
}

static bool reword_is_number(const FlatExpression *e)
{
    return e->kind == FLAT_REAL;
}

// ---------------------------------------------------------------------------
// Choices
// ---------------------------------------------------------------------------

static bool reword_is_choice(const FlatExpression *e)
{
    if (e->is_silent || e->rank != 0 || e->type != &flat_type_real ||
        e->variability != FLAT_CONTINUOUS)
        return false;
    if (e->kind == FLAT_IF)
        return e->count == 3;
    return (e->count == 2 &&
            (reword_is(e, OPERATION_MINIMUM) || reword_is(e, OPERATION_MAXIMUM))) ||
           reword_is(e, OPERATION_ABS) || reword_is(e, OPERATION_SEMI_LINEAR);
}

// Operands in which a choice stays a term; false: there are none.
static bool reword_is_open(const FlatExpression *e, uint32_t i)
{
    if (e->kind != FLAT_OPERATION || e->rank != 0)
        return false;
    switch ((Operation)e->operation) {
    case OPERATION_ADD:
    case OPERATION_SUBTRACT:
    case OPERATION_NEGATE:
        return true;
    case OPERATION_MULTIPLY:
        return e->count == 2 && reword_is_number(e->operands[1 - i]);
    case OPERATION_DIVIDE:
        return i == 0 && reword_is_number(e->operands[1]);
    case OPERATION_SMOOTH:
        return i == 1;
    default:
        return false;
    }
}

static FlatExpression *reword_find(FlatExpression *e)
{
    FlatExpression *found = reword_is_choice(e) ? e : NULL;
    for (uint32_t i = 0; i < e->count && !found; i++)
        if (reword_is_open(e, i))
            found = reword_find(e->operands[i]);
    return found;
}

static bool reword_has_choice(const FlatEquation *e)
{
    return e->kind != FLAT_EQUATION_CALL && e->left->rank == 0 &&
           e->left->type == &flat_type_real && (reword_find(e->left) || reword_find(e->right));
}

// s < 0 of s, of -s and of 2 s: one condition for max(0, s) and min(0, -s). *is_opposite: it holds
// where f does not.
static FlatExpression *reword_sign(const Reworder *r, FlatExpression *f, bool *is_opposite)
{
    for (;; f = f->operands[0]) {
        if (reword_is(f, OPERATION_NEGATE))
            *is_opposite = !*is_opposite;
        else
            break;
    }
    return reword_binary(r, OPERATION_LESS, f, reword_number(r, f, 0.0));
}

// The condition of a choice, and what it is if that holds, and if not.
static FlatExpression *reword_take(const Reworder *r, FlatExpression *e, FlatExpression *values[2])
{
    FlatExpression *a = e->operands[0], *b = e->count > 1 ? e->operands[1] : NULL, *condition;
    bool is_opposite = false;
    if (e->kind == FLAT_IF) {
        values[0] = b;
        values[1] = e->operands[2];
        return a;
    }
    if (reword_is(e, OPERATION_ABS) || reword_is(e, OPERATION_SEMI_LINEAR)) {
        const bool is_abs = reword_is(e, OPERATION_ABS);
        condition = reword_sign(r, a, &is_opposite);
        values[0] = reword_binary(r, OPERATION_MULTIPLY,
                                  is_abs ? reword_number(r, e, -1.0) : e->operands[2], a);
        values[1] = is_abs ? a : reword_binary(r, OPERATION_MULTIPLY, b, a);
    } else {
        const bool is_zero[] = {reword_is_number(a) && a->real == 0.0,
                                reword_is_number(b) && b->real == 0.0};
        const bool is_least = reword_is(e, OPERATION_MINIMUM);
        values[0] = is_least ? a : b; // if a < b
        values[1] = is_least ? b : a;
        is_opposite = is_zero[0];
        condition = is_zero[0]   ? reword_sign(r, b, &is_opposite)
                    : is_zero[1] ? reword_sign(r, a, &is_opposite)
                                 : reword_binary(r, OPERATION_LESS, a, b);
    }
    if (is_opposite) {
        FlatExpression *first = values[0];
        values[0] = values[1];
        values[1] = first;
    }
    return condition;
}

// ---------------------------------------------------------------------------
// Terms
// ---------------------------------------------------------------------------

static void reword_add_term(Reworder *r, int leaf, double factor, FlatExpression *term)
{
    double *factors = r->factors[leaf];
    FlatExpression **terms = r->terms[leaf];
    const bool is_number = reword_is_number(term);
    if (is_number && term->real == 0.0)
        return;
    for (uint32_t i = 0; i < r->counts[leaf]; i++)
        if (split_is_equal(terms[i], term)) {
            factors[i] += factor;
            return;
        }
    if (r->counts[leaf] == MOST_TERMS) {
        r->is_known = false;
        return;
    }
    factors[r->counts[leaf]] = factor;
    terms[r->counts[leaf]++] = term;
}

// The terms of an expression in one branch of the choice; another choice is a term.
static void reword_add_terms(Reworder *r, int leaf, double factor, FlatExpression *e)
{
    FlatExpression *values[2];
    if (reword_is_choice(e)) {
        FlatExpression *condition = reword_take(r, e, values);
        if (!r->condition)
            r->condition = condition;
        if (split_is_same(condition, r->condition, false))
            reword_add_terms(r, leaf, factor, values[leaf]);
        else if (split_is_same(condition, r->condition, true))
            reword_add_terms(r, leaf, factor, values[1 - leaf]);
        else
            reword_add_term(r, leaf, factor, e);
        return;
    }
    bool is_sum = false;
    for (uint32_t i = 0; i < e->count; i++) {
        if (!reword_is_open(e, i))
            continue;
        const Operation op = (Operation)e->operation;
        const double by = op == OPERATION_MULTIPLY ? e->operands[1 - i]->real
                          : op == OPERATION_DIVIDE ? 1.0 / e->operands[1]->real
                          : op == OPERATION_NEGATE || (op == OPERATION_SUBTRACT && i == 1) ? -1.0
                                                                                           : 1.0;
        reword_add_terms(r, leaf, factor * by, e->operands[i]);
        is_sum = true;
        if (op == OPERATION_MULTIPLY)
            break;
    }
    if (!is_sum)
        reword_add_term(r, leaf, factor, e);
}

static void reword_find_terms(Reworder *r, const FlatEquation *e)
{
    r->condition = NULL;
    r->is_known = true;
    for (int leaf = 0; leaf < LEAVES; leaf++) {
        r->counts[leaf] = 0;
        reword_add_terms(r, leaf, 1.0, e->left);
        reword_add_terms(r, leaf, -1.0, e->right);
    }
}

static FlatExpression *reword_sum(const Reworder *r, FlatExpression *sum, double factor,
                                  FlatExpression *term)
{
    if (factor == 0.0)
        return sum;
    if (factor == -1.0 && sum)
        return reword_binary(r, OPERATION_SUBTRACT, sum, term);
    if (factor != 1.0)
        term = reword_binary(r, OPERATION_MULTIPLY, reword_number(r, term, factor), term);
    return sum ? reword_binary(r, OPERATION_ADD, sum, term) : term;
}

// What is there in both branches; it is taken out of them.
static FlatExpression *reword_common(Reworder *r, const FlatExpression *like)
{
    FlatExpression *sum = NULL;
    for (uint32_t i = 0; i < r->counts[0]; i++)
        for (uint32_t k = 0; k < r->counts[1]; k++) {
            if (r->factors[0][i] != r->factors[1][k] ||
                !split_is_equal(r->terms[0][i], r->terms[1][k]))
                continue;
            sum = reword_sum(r, sum, r->factors[0][i], r->terms[0][i]);
            r->factors[0][i] = r->factors[1][k] = 0.0;
        }
    return sum ? sum : reword_number(r, like, 0.0);
}

// The rest of a branch, on the other side.
static FlatExpression *reword_rest(const Reworder *r, int leaf, const FlatExpression *like)
{
    FlatExpression *sum = NULL;
    for (uint32_t i = 0; i < r->counts[leaf]; i++)
        sum = reword_sum(r, sum, -r->factors[leaf][i], r->terms[leaf][i]);
    return sum ? sum : reword_number(r, like, 0.0);
}

// ---------------------------------------------------------------------------
// Unknowns
// ---------------------------------------------------------------------------

// (What conditions contain is not what the equation can be solved for.)
static void reword_see(Reworder *r, const FlatExpression *e, uint32_t leaves)
{
    if (e->type == &flat_type_boolean)
        return;
    if (e->kind == FLAT_VARIABLE && e->variability == FLAT_CONTINUOUS) {
        const uint32_t v = e->variable->index;
        if (r->seen[v] == 0)
            r->list[r->list_count++] = v;
        r->seen[v] |= leaves;
    }
    for (uint32_t i = 0; i < e->count; i++)
        reword_see(r, e->operands[i], leaves);
}

// Which unknowns an equation has in which of its branches.
static void reword_see_equation(Reworder *r, const FlatEquation *e)
{
    for (uint32_t i = 0; i < r->list_count; i++)
        r->seen[r->list[i]] = 0;
    r->list_count = 0;
    if (!reword_has_choice(e)) {
        r->is_known = false;
        for (uint32_t i = 0; e->kind == FLAT_EQUATION_CALL && i < e->target_count; i++)
            if (e->targets[i])
                reword_see(r, e->targets[i], ALL_LEAVES);
        if (e->kind != FLAT_EQUATION_CALL)
            reword_see(r, e->left, ALL_LEAVES);
        reword_see(r, e->right, ALL_LEAVES);
        return;
    }
    reword_find_terms(r, e);
    for (int leaf = 0; leaf < LEAVES; leaf++)
        for (uint32_t i = 0; i < r->counts[leaf]; i++)
            if (r->factors[leaf][i] != 0.0)
                reword_see(r, r->terms[leaf][i], 1u << leaf);
}

static void reword_find_always(Reworder *r)
{
    const FlatModel *flat = r->flat;
    for (uint32_t i = 0; i < flat->algorithm_count; i++)
        for (uint32_t k = 0; k < flat->algorithms[i]->defined_count; k++)
            r->is_always[flat->algorithms[i]->defined[k]->index] = true;
    for (uint32_t i = 0; i < flat->equation_count; i++) {
        reword_see_equation(r, flat->equations[i]);
        for (uint32_t k = 0; k < r->list_count; k++)
            r->is_always[r->list[k]] |= r->seen[r->list[k]] == ALL_LEAVES;
    }
}

static bool reword_mentions(const FlatExpression *e, uint32_t variable)
{
    bool result = e->kind == FLAT_VARIABLE && e->variable->index == variable;
    for (uint32_t i = 0; i < e->count && !result; i++)
        result = reword_mentions(e->operands[i], variable);
    return result;
}

// Whether an equation is good for none of its unknowns in both branches, or for one that is in
// branches only and decides about them. What split.h does by itself is none.
static bool reword_is_ideal(Reworder *r, const FlatEquation *e)
{
    uint32_t leaves = 0;
    bool has_common = false, has_open = false;
    reword_see_equation(r, e);
    if (!r->is_known)
        return false;
    for (uint32_t k = 0; k < r->list_count; k++) {
        const uint32_t v = r->list[k];
        leaves |= r->seen[v];
        has_common |= r->seen[v] == ALL_LEAVES && r->flat->variables[v]->direction != FLAT_INPUT;
        has_open |=
            r->seen[v] != ALL_LEAVES && !r->is_always[v] && reword_mentions(r->condition, v);
    }
    const bool is_plain = e->left->kind == FLAT_IF || e->right->kind == FLAT_IF;
    const bool is_alone =
        e->left->variability <= FLAT_PARAMETER || e->right->variability <= FLAT_PARAMETER;
    return leaves == ALL_LEAVES && (!has_common || has_open) &&
           !(is_plain && (has_common || is_alone));
}

// With a list of equations of its own.
static FlatModel *reword_copy(Arena *arena, const FlatModel *flat)
{
    FlatModel *copy = ARENA_NEW(arena, FlatModel);
    *copy = *flat;
    copy->equations = ARENA_ARRAY(arena, flat->equation_count, FlatEquation *);
    memcpy(copy->equations, flat->equations, flat->equation_count * sizeof *copy->equations);
    return copy;
}

static FlatEquation *reword_equation(Reworder *r, const FlatEquation *e)
{
    FlatEquation *copy = ARENA_NEW(r->arena, FlatEquation);
    FlatExpression *choice = reword_node(r, e->right, FLAT_IF, 3);
    *copy = *e;
    copy->left = reword_common(r, e->left);
    choice->operands[0] = r->condition;
    for (int leaf = 0; leaf < LEAVES; leaf++)
        choice->operands[1 + leaf] = reword_rest(r, leaf, e->right);
    copy->right = choice;
    return copy;
}

// ---------------------------------------------------------------------------
// Gates
// ---------------------------------------------------------------------------

static bool reword_number_of(const FlatExpression *e, double *value)
{
    *value = e->kind == FLAT_INTEGER ? (double)e->integer : e->real;
    return e->kind == FLAT_INTEGER || reword_is_number(e);
}

// By variable: the right-hand side of g = if c then 1 else 0, with whatever numbers; NULL: there is
// none at all.
static FlatExpression **reword_find_gates(Arena *arena, const FlatModel *flat)
{
    FlatExpression **gates = NULL;
    double ignored;
    for (uint32_t i = 0; i < flat->equation_count; i++) {
        const FlatEquation *e = flat->equations[i];
        if (e->kind == FLAT_EQUATION_CALL || e->guard || e->left->kind != FLAT_VARIABLE ||
            e->right->kind != FLAT_IF || e->right->count != 3 || e->right->is_silent ||
            !reword_number_of(e->right->operands[1], &ignored) ||
            !reword_number_of(e->right->operands[2], &ignored))
            continue;
        if (!gates)
            gates = ARENA_ARRAY(arena, flat->variable_count + 1u, FlatExpression *);
        gates[e->left->variable->index] = e->right;
    }
    return gates;
}

// The two numbers of a gate, or of a number and a gate, 1 - g; NULL: it is something else.
static const FlatExpression *reword_gate(FlatExpression *const *gates, const FlatExpression *e,
                                         double values[LEAVES])
{
    const FlatExpression *gate = NULL;
    if (e->kind == FLAT_VARIABLE) {
        gate = gates[e->variable->index];
        for (int leaf = 0; leaf < LEAVES && gate; leaf++)
            reword_number_of(gate->operands[1 + leaf], &values[leaf]);
        return gate;
    }
    if (reword_is(e, OPERATION_TO_REAL))
        return reword_gate(gates, e->operands[0], values);
    if (!reword_is(e, OPERATION_NEGATE) && !reword_is(e, OPERATION_ADD) &&
        !reword_is(e, OPERATION_SUBTRACT))
        return NULL;
    double number = 0.0;
    for (uint32_t i = 0; i < e->count && e->count <= 2 && !gate; i++) {
        const bool is_minus =
            reword_is(e, OPERATION_NEGATE) || (reword_is(e, OPERATION_SUBTRACT) && i == 1);
        const bool is_known = e->count == 1 || reword_number_of(e->operands[1 - i], &number);
        gate = is_known ? reword_gate(gates, e->operands[i], values) : NULL;
        const double sign = reword_is(e, OPERATION_SUBTRACT) && i == 0 ? -1.0 : 1.0;
        for (int leaf = 0; leaf < LEAVES && gate; leaf++)
            values[leaf] = sign * number + (is_minus ? -values[leaf] : values[leaf]);
    }
    return gate;
}

// Products of a variable with a gate that it decides about itself, and that is zero in a branch,
// s*(1 - g) with g = if s > 0 then 1 else 0, as s*(if s > 0 then 0 else 1).
static FlatExpression *reword_open_gates(const Reworder *r, FlatExpression *const *gates,
                                         FlatExpression *e)
{
    FlatExpression *copy = e;
    const bool is_product = reword_is(e, OPERATION_MULTIPLY) && e->count == 2 && e->rank == 0 &&
                            e->type == &flat_type_real;
    for (uint32_t i = 0; i < e->count; i++) {
        double values[LEAVES];
        const FlatExpression *gate = is_product && e->operands[1 - i]->kind == FLAT_VARIABLE
                                         ? reword_gate(gates, e->operands[i], values)
                                         : NULL;
        FlatExpression *operand = e->operands[i];
        if (gate && (values[0] == 0.0 || values[1] == 0.0) &&
            reword_mentions(gate->operands[0], e->operands[1 - i]->variable->index)) {
            operand = reword_node(r, e->operands[i], FLAT_IF, 3);
            operand->operands[0] = gate->operands[0];
            for (int leaf = 0; leaf < LEAVES; leaf++)
                operand->operands[1 + leaf] = reword_number(r, e, values[leaf]);
        } else {
            operand = reword_open_gates(r, gates, operand);
        }
        if (operand == e->operands[i])
            continue;
        if (copy == e) {
            copy = reword_node(r, e, FLAT_OPERATION, e->count);
            FlatExpression **const operands = copy->operands;
            memcpy(operands, e->operands, e->count * sizeof *operands);
            *copy = *e;
            copy->operands = operands;
        }
        copy->operands[i] = operand;
    }
    return copy;
}

static const FlatModel *reword_gates(Arena *arena, const FlatModel *flat)
{
    const Reworder r = {.arena = arena, .flat = flat};
    FlatExpression *const *gates = reword_find_gates(arena, flat);
    FlatModel *copy = NULL;
    for (uint32_t i = 0; i < flat->equation_count && gates; i++) {
        const FlatEquation *e = flat->equations[i];
        if (e->kind == FLAT_EQUATION_CALL)
            continue;
        FlatExpression *left = reword_open_gates(&r, gates, e->left);
        FlatExpression *right = reword_open_gates(&r, gates, e->right);
        if (left == e->left && right == e->right)
            continue;
        copy = copy ? copy : reword_copy(arena, flat);
        copy->equations[i] = ARENA_NEW(arena, FlatEquation);
        *copy->equations[i] = *e;
        copy->equations[i]->left = left;
        copy->equations[i]->right = right;
    }
    return copy ? copy : flat;
}

const FlatModel *reword_choices(Arena *arena, const FlatModel *given)
{
    const FlatModel *flat = reword_gates(arena, given);
    Reworder r = {.arena = arena, .flat = flat};
    uint32_t i = 0;
    while (i < flat->equation_count && !reword_has_choice(flat->equations[i]))
        i++;
    if (i == flat->equation_count)
        return flat;
    r.is_always = ARENA_ARRAY(arena, flat->variable_count + 1u, bool);
    r.seen = ARENA_ARRAY(arena, flat->variable_count + 1u, uint32_t);
    r.list = ARENA_ARRAY(arena, flat->variable_count + 1u, uint32_t);
    reword_find_always(&r);
    FlatModel *copy = NULL;
    for (; i < flat->equation_count; i++) {
        if (!reword_is_ideal(&r, flat->equations[i]))
            continue;
        copy = copy ? copy : reword_copy(arena, flat);
        copy->equations[i] = reword_equation(&r, flat->equations[i]);
    }
    return copy ? copy : flat;
}
