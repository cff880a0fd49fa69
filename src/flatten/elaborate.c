// SPDX-License-Identifier: MIT
//
// Expressions, case by case: see elaborate.h. One function for each kind of the syntax tree; what
// it makes is checked and typed by build.h, so that here is only what depends on the syntax. After
// a message the result has no type, and everything made of it is silent: a mistake is told once.

#include "flatten/elaborate.h"

#include "flatten/builtin.h"
#include "flatten/evaluate.h"
#include "flatten/function.h"
#include "flatten/iterator.h"
#include "flatten/lookup.h"
#include "flatten/overload.h"

// ---------------------------------------------------------------------------
// Operators
// ---------------------------------------------------------------------------

// false and ..., true or ...: the right operand does not matter, and may be senseless.
static bool is_decided(SyntaxOperator op, const FlatExpression *left)
{
    return left->kind == FLAT_BOOLEAN && !expression_is_none(left) && !left->rank &&
           ((op == SYNTAX_AND && !left->boolean) || (op == SYNTAX_OR && left->boolean));
}

// A sum of n terms is n deep to the left: a loop, not a recursion, goes down there.
static FlatExpression *elaborate_binary(Flattener *f, Scope *s, const Expression *e)
{
    uint32_t depth = 0;
    const Expression *leaf = e;
    for (; leaf->kind == EXPRESSION_BINARY; leaf = leaf->binary.left)
        depth++;
    const Expression **spine = ARENA_ARRAY(f->passing, depth, const Expression *);
    uint32_t at = depth;
    for (leaf = e; leaf->kind == EXPRESSION_BINARY; leaf = leaf->binary.left)
        spine[--at] = leaf;
    FlatExpression *left = elaborate(f, s, leaf);
    for (uint32_t i = 0; i < depth; i++) {
        const Expression *node = spine[i];
        if (is_decided(node->binary.op, left))
            continue;
        FlatExpression *right = elaborate(f, s, node->binary.right);
        const Operation op = operation_of_syntax(node->binary.op);
        left = overload_concerns(left) || overload_concerns(right)
                   ? overload_binary(f, s, op, left, right, node->span)
                   : build_binary(f, op, left, right, node->span);
    }
    return left;
}

static FlatExpression *elaborate_unary(Flattener *f, Scope *s, const Expression *e)
{
    FlatExpression *operand = elaborate(f, s, e->unary.operand);
    const bool is_minus =
        e->unary.op == SYNTAX_SUBTRACT || e->unary.op == SYNTAX_ELEMENTWISE_SUBTRACT;
    const Operation op = e->unary.op == SYNTAX_NOT ? OPERATION_NOT
                         : is_minus                ? OPERATION_NEGATE
                                                   : OPERATION_ADD;
    return overload_concerns(operand) ? overload_unary(f, s, op, operand, e->span)
                                      : build_unary(f, op, operand, e->span);
}

// ---------------------------------------------------------------------------
// If
// ---------------------------------------------------------------------------

static bool shapes_differ(uint32_t count, FlatExpression **operands)
{
    const FlatExpression *last = operands[count - 1];
    for (uint32_t i = 1; i + 1 < count; i += 2)
        if (!expression_is_none(operands[i]) && !expression_same_shape(operands[i], last))
            return true;
    return false;
}

bool elaborate_is_settled(const FlatExpression *e)
{
    if (e->kind == FLAT_VARIABLE)
        return e->variable->is_structural;
    bool result = expression_is_literal(e) || e->kind == FLAT_OPERATION;
    for (uint32_t i = 0; result && i < e->count; i++)
        result = elaborate_is_settled(e->operands[i]);
    return result;
}

// `if k == n then 0 else x[k + 1]`: what is not chosen need not exist.
static FlatExpression *settle(Flattener *f, FlatExpression *condition)
{
    const bool is_fixed =
        condition->variability <= FLAT_PARAMETER && elaborate_is_settled(condition);
    FlatExpression *known = is_fixed ? evaluate(f, condition, NULL) : NULL;
    return known ? known : condition;
}

static FlatExpression *elaborate_if(Flattener *f, Scope *s, const Expression *e)
{
    const uint32_t branches = e->conditional.count;
    FlatExpression **operands = ARENA_ARRAY(f->passing, 2 * branches + 1, FlatExpression *);
    uint32_t count = 0;
    bool is_decided_now = false;
    for (uint32_t i = 0; i < branches && !is_decided_now; i++) {
        const IfBranch *branch = &e->conditional.branches[i];
        FlatExpression *condition = elaborate_condition(f, s, branch->condition);
        if (expression_is_none(condition))
            return condition;
        condition = settle(f, condition);
        if (condition->kind == FLAT_BOOLEAN && !condition->boolean)
            continue;
        is_decided_now = condition->kind == FLAT_BOOLEAN;
        if (!is_decided_now)
            operands[count++] = condition;
        operands[count++] = elaborate(f, s, branch->value);
    }
    if (!is_decided_now)
        operands[count++] = elaborate(f, s, e->conditional.otherwise);
    // A parameter may choose between arrays of different sizes: then it is structural.
    if (!s->function && shapes_differ(count, operands)) {
        for (uint32_t i = 0; i + 1 < count; i += 2) {
            FlatExpression *known =
                operands[i]->variability <= FLAT_PARAMETER ? evaluate(f, operands[i], NULL) : NULL;
            operands[i] = known ? known : operands[i];
        }
    }
    return build_if(f, count, operands, e->span);
}

// ---------------------------------------------------------------------------
// Arrays
// ---------------------------------------------------------------------------

static FlatExpression *elaborate_array(Flattener *f, Scope *s, const Expression *e)
{
    FlatExpression **items = ARENA_ARRAY(f->passing, e->array.count + 1, FlatExpression *);
    bool is_none = false;
    for (uint32_t i = 0; i < e->array.count; i++) {
        items[i] = elaborate(f, s, e->array.items[i]);
        is_none = is_none || expression_is_none(items[i]);
    }
    return is_none ? build_none(f, e->span) : build_array(f, e->array.count, items, e->span);
}

// [a, b; c, d]: all parts get as many dimensions as the one that has most, at least two; rows are
// joined along the second, then all along the first (section 10.4.2).
static FlatExpression *elaborate_matrix(Flattener *f, Scope *s, const Expression *e)
{
    FlatExpression ***parts = ARENA_ARRAY(f->passing, e->matrix.count, FlatExpression **);
    uint32_t rank = 2;
    for (uint32_t i = 0; i < e->matrix.count; i++) {
        const MatrixRow *row = &e->matrix.rows[i];
        parts[i] = ARENA_ARRAY(f->passing, row->count, FlatExpression *);
        for (uint32_t k = 0; k < row->count; k++) {
            parts[i][k] = elaborate(f, s, row->items[k]);
            if (expression_is_none(parts[i][k]))
                return parts[i][k];
            rank = parts[i][k]->rank > rank ? parts[i][k]->rank : rank;
        }
    }
    FlatExpression **rows = ARENA_ARRAY(f->passing, e->matrix.count, FlatExpression *);
    for (uint32_t i = 0; i < e->matrix.count; i++) {
        const uint32_t count = e->matrix.rows[i].count;
        for (uint32_t k = 0; k < count; k++)
            parts[i][k] = build_promoted(f, parts[i][k], rank);
        rows[i] = build_cat(f, 2, count, parts[i], e->span);
        if (expression_is_none(rows[i]))
            return rows[i];
    }
    return build_cat(f, 1, e->matrix.count, rows, e->span);
}

static FlatExpression *elaborate_range(Flattener *f, Scope *s, const Expression *e)
{
    FlatExpression *start = elaborate(f, s, e->range.start);
    FlatExpression *step = e->range.step ? elaborate(f, s, e->range.step) : NULL;
    return build_range(f, start, step, elaborate(f, s, e->range.stop), e->span);
}

static FlatExpression *elaborate_subscripted(Flattener *f, Scope *s, const Expression *e)
{
    FlatExpression *base = elaborate(f, s, e->subscripted.base);
    if (expression_is_none(base))
        return base;
    FlatExpression **sizes = ARENA_ARRAY(f->passing, base->rank + 1u, FlatExpression *);
    for (uint32_t k = 0; k < base->rank; k++) {
        FlatExpression *pair[] = {base, build_integer(f, k + 1, e->span)};
        sizes[k] = build_call(f, OPERATION_SIZE, 2, pair, e->span);
    }
    FlatExpression **subscripts = elaborate_subscripts(
        f, s, e->subscripted.count, e->subscripted.subscripts, base->rank, sizes);
    return build_subscripted(f, base, e->subscripted.count, subscripts, e->span);
}

static FlatExpression *elaborate_end(Flattener *f, const Scope *s, const Expression *e)
{
    if (s->end) {
        // The size may stand in many subscripts: its own span is the declaration's.
        if (s->end->kind == FLAT_INTEGER)
            return build_integer(f, s->end->integer, e->span);
        return s->end;
    }
    report_error(f, e->span, "'end' can only be used in the subscripts of an array");
    return build_none(f, e->span);
}

// ---------------------------------------------------------------------------
// The dispatcher
// ---------------------------------------------------------------------------

static FlatExpression *elaborate_reject(Flattener *f, const Expression *e, const char *what)
{
    report_error(f, e->span, "%s", what);
    return build_none(f, e->span);
}

FlatExpression *elaborate(Flattener *f, Scope *s, const Expression *e)
{
    switch (e->kind) {
    case EXPRESSION_ERROR:
        return build_none(f, e->span);
    case EXPRESSION_REAL:
        return build_real(f, e->real, e->span);
    case EXPRESSION_INTEGER:
        return build_integer(f, e->integer, e->span);
    case EXPRESSION_BOOLEAN:
        return build_boolean(f, e->boolean, e->span);
    case EXPRESSION_STRING:
        return build_string(f, arena_copy_text(f->arena, e->string.text, e->string.length),
                            e->span);
    case EXPRESSION_REFERENCE:
        return elaborate_reference(f, s, e->reference);
    case EXPRESSION_CALL:
        return elaborate_call(f, s, e);
    case EXPRESSION_COMPREHENSION:
        return elaborate_comprehension(f, s, e);
    case EXPRESSION_PARTIAL:
        return elaborate_reject(
            f, e,
            "a function with bound inputs can only be an argument of a function that takes it");
    case EXPRESSION_UNARY:
        return elaborate_unary(f, s, e);
    case EXPRESSION_BINARY:
        return elaborate_binary(f, s, e);
    case EXPRESSION_IF:
        return elaborate_if(f, s, e);
    case EXPRESSION_RANGE:
        return elaborate_range(f, s, e);
    case EXPRESSION_ARRAY:
        return elaborate_array(f, s, e);
    case EXPRESSION_MATRIX:
        return elaborate_matrix(f, s, e);
    case EXPRESSION_TUPLE:
        return elaborate_reject(f, e,
                                "a list in parentheses can only stand left of a call's results");
    case EXPRESSION_SUBSCRIPTED:
        return elaborate_subscripted(f, s, e);
    case EXPRESSION_MEMBER:
        return build_member(f, elaborate(f, s, e->member.base), e->member.name,
                            e->member.name_span);
    case EXPRESSION_END:
        return elaborate_end(f, s, e);
    case EXPRESSION_COLON:
        return elaborate_reject(f, e, "':' can only be used as a subscript");
    }
    return build_none(f, e->span);
}

FlatExpression *elaborate_condition(Flattener *f, Scope *s, const Expression *e)
{
    return build_expect(f, elaborate(f, s, e), &flat_type_boolean, 0, NULL, "a condition");
}

FlatExpression *elaborate_when_condition(Flattener *f, Scope *s, const Expression *e)
{
    FlatExpression *condition = elaborate(f, s, e);
    if (!expression_is_none(condition) && condition->type->kind == FLAT_TYPE_CLOCK)
        return elaborate_reject(f, e, "a clocked 'when' cannot be used in an algorithm");
    if (expression_is_none(condition) || condition->rank != 1)
        return build_expect(f, condition, &flat_type_boolean, 0, NULL, "the condition of 'when'");
    return build_expect(f, condition, &flat_type_boolean, 1, condition->dims,
                        "the condition of 'when'");
}

// ---------------------------------------------------------------------------
// Sizes
// ---------------------------------------------------------------------------

static FlatExpression *type_size(Flattener *f, Scope *s, const Expression *e)
{
    Class *c = iterator_type(f, s, e);
    if (!c)
        return NULL;
    return build_integer(f, c->simple == PREDEFINED_BOOLEAN ? 2 : class_type(f, c)->count, e->span);
}

FlatExpression *elaborate_size(Flattener *f, Scope *s, const Expression *e, bool is_quiet)
{
    FlatExpression *size = type_size(f, s, e);
    if (size)
        return size;
    if (is_quiet && e->kind != EXPRESSION_INTEGER && !s->instance && !s->function) {
        // Sizes of a record's fields as seen from outside: only constants are known there.
        if (e->kind != EXPRESSION_REFERENCE)
            return NULL;
        const Found found = lookup_simple(f, s->class_, e->reference->parts[0].name);
        if (!found.member ||
            (found.member->is_component &&
             found.member->element->component->clause->variability != VARIABILITY_CONSTANT))
            return NULL;
    }
    size = elaborate(f, s, e);
    size = build_expect(f, size, &flat_type_integer, 0, NULL, "an array size");
    return expression_is_none(size) ? NULL : size;
}
