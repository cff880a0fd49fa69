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

// Adds the terms of a difference.
static void reword_add_difference(Reworder *r, int leaf, FlatExpression *one, FlatExpression *other)
{
    reword_add_terms(r, leaf, 1.0, one);
    reword_add_terms(r, leaf, -1.0, other);
}

// The factor of a term; 0: it is not there.
static double reword_factor(const Reworder *r, int leaf, const FlatExpression *term)
{
    for (uint32_t i = 0; i < r->counts[leaf]; i++)
        if (split_is_equal(r->terms[leaf][i], term))
            return r->factors[leaf][i];
    return 0.0;
}

// Whether the terms of one leaf are those of the other, all times the same.
static bool reword_is_multiple(const Reworder *r)
{
    double times = 0.0;
    for (int leaf = 0; leaf < LEAVES; leaf++)
        for (uint32_t i = 0; i < r->counts[leaf]; i++) {
            const FlatExpression *term = r->terms[leaf][i];
            const double one = reword_factor(r, 0, term), other = reword_factor(r, 1, term);
            if (times == 0.0 && other != 0.0)
                times = one / other;
            if (one != times * other)
                return false;
        }
    return times != 0.0;
}

static bool reword_is_relation(const FlatExpression *e)
{
    return e->kind == FLAT_OPERATION && e->operation >= OPERATION_LESS &&
           e->operation <= OPERATION_GREATER_EQUAL && e->operands[0]->type == &flat_type_real;
}

bool reword_is_complementary(Arena *arena, const FlatExpression *relation, FlatExpression *one,
                             FlatExpression *other)
{
    Reworder r = {.arena = arena, .is_known = true};
    if (!reword_is_relation(relation))
        return false;
    reword_add_difference(&r, 0, one, other);
    reword_add_difference(&r, 1, relation->operands[0], relation->operands[1]);
    return r.is_known && reword_is_multiple(&r);
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
// Branches of equality
// ---------------------------------------------------------------------------

// Whether two strict relations leave nothing but equality: s > 0 and s < 0.
static bool reword_are_strict(const FlatExpression *a, const FlatExpression *b)
{
    if (!reword_is_relation(a) || !reword_is_relation(b) ||
        (!reword_is(a, OPERATION_LESS) && !reword_is(a, OPERATION_GREATER)) ||
        (!reword_is(b, OPERATION_LESS) && !reword_is(b, OPERATION_GREATER)))
        return false;
    const uint32_t other = a->operation == b->operation;
    return split_is_equal(a->operands[0], b->operands[other]) &&
           split_is_equal(a->operands[1], b->operands[1 - other]);
}

// Whether two sides are the same, or differ by a multiple of what a relation compares.
static bool reword_meets(const Reworder *r, const FlatExpression *relation, FlatExpression *one,
                         FlatExpression *other)
{
    return split_is_equal(one, other) || reword_is_complementary(r->arena, relation, one, other);
}

// Whether the equations of a branch are those of the branch of equality, where what the relation
// compares is equal; in whatever order.
static bool reword_meet(const Reworder *r, const FlatExpression *relation,
                        FlatEquation *const *branch, uint32_t count, FlatEquation **equal,
                        uint32_t equal_count)
{
    bool is_fine = count == equal_count;
    for (uint32_t i = 0; i < count && is_fine; i++) {
        uint32_t k = i;
        while (k < count && !(reword_meets(r, relation, branch[i]->left, equal[k]->left) &&
                              reword_meets(r, relation, branch[i]->right, equal[k]->right)))
            k++;
        is_fine = k < count;
        if (is_fine) {
            FlatEquation *const found = equal[k];
            equal[k] = equal[i];
            equal[i] = found;
        }
    }
    return is_fine;
}

// if s > 0 then a elseif s < 0 then b else c, where c is what a or b is at s = 0, without it.
static FlatExpression *reword_without_equality(const Reworder *r, FlatExpression *e)
{
    FlatExpression *copy = e;
    for (uint32_t i = 0; i < e->count; i++) {
        FlatExpression *operand = reword_without_equality(r, e->operands[i]);
        if (operand == e->operands[i])
            continue;
        if (copy == e) {
            copy = ARENA_NEW(r->arena, FlatExpression);
            *copy = *e;
            copy->operands = ARENA_ARRAY(r->arena, e->count, FlatExpression *);
            memcpy(copy->operands, e->operands, e->count * sizeof *e->operands);
        }
        copy->operands[i] = operand;
    }
    FlatExpression **o = copy->operands;
    if (copy->kind != FLAT_IF || copy->count != 5 || copy->rank != 0 ||
        copy->type != &flat_type_real || !reword_are_strict(o[0], o[2]))
        return copy;
    const bool is_second = reword_meets(r, o[0], o[3], o[4]);
    if (!is_second && !reword_meets(r, o[0], o[1], o[4]))
        return copy;
    FlatExpression *two = reword_node(r, copy, FLAT_IF, 3);
    FlatExpression **const operands = two->operands;
    *two = *copy;
    two->count = 3;
    two->operands = operands;
    operands[0] = is_second ? o[0] : o[2];
    operands[1] = is_second ? o[1] : o[3];
    operands[2] = is_second ? o[3] : o[1];
    return two;
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

// The i-th equation with these sides; `copy` is made when the first ones are others.
static void reword_set_sides(const Reworder *r, FlatModel **copy, uint32_t i, FlatExpression *left,
                             FlatExpression *right)
{
    const FlatEquation *e = r->flat->equations[i];
    if (left == e->left && right == e->right)
        return;
    *copy = *copy ? *copy : reword_copy(r->arena, r->flat);
    (*copy)->equations[i] = ARENA_NEW(r->arena, FlatEquation);
    *(*copy)->equations[i] = *e;
    (*copy)->equations[i]->left = left;
    (*copy)->equations[i]->right = right;
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
        reword_set_sides(&r, &copy, i, reword_open_gates(&r, gates, e->left),
                         reword_open_gates(&r, gates, e->right));
    }
    return copy ? copy : flat;
}

// ---------------------------------------------------------------------------
// If-equations with a branch of equality
// ---------------------------------------------------------------------------

static bool reword_is_around(const FlatGuard *guard, const FlatIf *c)
{
    for (; guard; guard = guard->outer)
        if (!guard->state && guard->conditional == c)
            return true;
    return false;
}

// Whether nothing but plain equations stands in its branches.
static bool reword_has_equations_only(const FlatModel *flat, const FlatIf *c)
{
    bool is_fine = !c->is_initial;
    for (uint32_t i = 0; i < flat->equation_count && is_fine; i++) {
        const FlatEquation *e = flat->equations[i];
        is_fine = !reword_is_around(e->guard, c) ||
                  (e->kind != FLAT_EQUATION_CALL && e->guard->conditional == c && !e->guard->state);
    }
    for (uint32_t i = 0; i < flat->conditional_count && is_fine; i++)
        is_fine = !reword_is_around(flat->conditionals[i]->guard, c);
    for (uint32_t i = 0; i < flat->when_count && is_fine; i++)
        is_fine = !reword_is_around(flat->whens[i]->guard, c);
    for (uint32_t i = 0; i < flat->algorithm_count && is_fine; i++)
        is_fine = !reword_is_around(flat->algorithms[i]->guard, c);
    for (uint32_t i = 0; i < flat->assertion_count && is_fine; i++)
        is_fine = !reword_is_around(flat->assertions[i]->guard, c);
    return is_fine;
}

static uint32_t reword_list_branch(const FlatModel *flat, const FlatIf *c, uint32_t branch,
                                   FlatEquation **list)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < flat->equation_count; i++) {
        const FlatGuard *guard = flat->equations[i]->guard;
        if (guard && !guard->state && guard->conditional == c && guard->branch == branch)
            list[count++] = flat->equations[i];
    }
    return count;
}

// The branch, of the first two, that is what the third is where they are equal; else 2.
static uint32_t reword_equal_branch(const Reworder *r, const FlatIf *c)
{
    enum { BRANCHES = 3 };
    const FlatModel *flat = r->flat;
    if (c->count != BRANCHES || c->conditions[2] ||
        !reword_are_strict(c->conditions[0], c->conditions[1]) ||
        !reword_has_equations_only(flat, c))
        return BRANCHES - 1;
    FlatEquation **lists[BRANCHES];
    uint32_t counts[BRANCHES];
    for (uint32_t b = 0; b < BRANCHES; b++) {
        lists[b] = ARENA_ARRAY(r->arena, flat->equation_count + 1u, FlatEquation *);
        counts[b] = reword_list_branch(flat, c, b, lists[b]);
    }
    for (uint32_t b = 2; b-- > 0;)
        if (reword_meet(r, c->conditions[0], lists[b], counts[b], lists[2], counts[2]))
            return b;
    return BRANCHES - 1;
}

// Its equations are taken over to one with two branches, or dropped.
static void reword_drop_branch(const Reworder *r, FlatModel *flat, FlatIf *c, uint32_t equal)
{
    FlatIf *two = ARENA_NEW(r->arena, FlatIf);
    uint32_t kept = 0;
    *two = *c;
    two->count = 2;
    two->conditions = ARENA_ARRAY(r->arena, 2, FlatExpression *);
    two->conditions[0] = c->conditions[1 - equal];
    flat->conditionals[c->index] = two;
    for (uint32_t i = 0; i < flat->equation_count; i++) {
        FlatEquation *e = flat->equations[i];
        const FlatGuard *guard = e->guard;
        if (guard && !guard->state && guard->conditional == c) {
            if (guard->branch == 2)
                continue;
            FlatEquation *copy = ARENA_NEW(r->arena, FlatEquation);
            FlatGuard *other = ARENA_NEW(r->arena, FlatGuard);
            *copy = *e;
            *other = *guard;
            other->conditional = two;
            other->branch = guard->branch == equal;
            copy->guard = other;
            e = copy;
        }
        flat->equations[kept++] = e;
    }
    flat->equation_count = kept;
}

static const FlatModel *reword_equalities(Arena *arena, const FlatModel *flat)
{
    Reworder r = {.arena = arena, .flat = flat};
    FlatModel *copy = NULL;
    for (uint32_t i = 0; i < flat->equation_count; i++) {
        const FlatEquation *e = flat->equations[i];
        if (e->kind == FLAT_EQUATION_CALL)
            continue;
        reword_set_sides(&r, &copy, i, reword_without_equality(&r, e->left),
                         reword_without_equality(&r, e->right));
    }
    for (uint32_t i = 0; i < flat->conditional_count; i++) {
        r.flat = copy ? copy : flat;
        const uint32_t equal = reword_equal_branch(&r, r.flat->conditionals[i]);
        if (equal == 2)
            continue;
        copy = copy ? copy : reword_copy(arena, flat);
        if (copy->conditionals == flat->conditionals) {
            copy->conditionals = ARENA_ARRAY(arena, flat->conditional_count, FlatIf *);
            memcpy(copy->conditionals, flat->conditionals,
                   flat->conditional_count * sizeof *copy->conditionals);
        }
        reword_drop_branch(&r, copy, copy->conditionals[i], equal);
    }
    return copy ? copy : flat;
}

const FlatModel *reword_choices(Arena *arena, const FlatModel *given)
{
    const FlatModel *flat = reword_gates(arena, reword_equalities(arena, given));
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
