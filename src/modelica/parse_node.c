// SPDX-License-Identifier: MIT
//
// The nodes of expressions, and the bound on the height of their trees.

#include "modelica/parse.h"

// A leaf that reaches from `begin` to the last token.
Expression *node_new(Parser *p, ExpressionKind kind, uint32_t begin)
{
    Expression *e = ARENA_NEW(p->arena, Expression);
    e->kind = kind;
    e->height = 1;
    e->span = parse_span_from(p, begin);
    return e;
}

void node_raise_above(Expression *e, const Expression *child)
{
    if (child && child->height >= e->height)
        e->height = child->height + 1;
}

void node_raise_above_all(Expression *e, Expression *const *children, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        node_raise_above(e, children[i]);
}

void node_raise_above_named(Expression *e, const NamedExpression *named, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        node_raise_above(e, named[i].value);
}

void node_raise_above_subscripts(Expression *e, const Reference *reference)
{
    for (uint32_t i = 0; reference && i < reference->count; i++)
        node_raise_above_all(e, reference->parts[i].subscripts,
                             reference->parts[i].subscript_count);
}

Expression *node_error(Parser *p)
{
    return node_new(p, EXPRESSION_ERROR, p->last_end);
}

// Every node above others passes through here: trees stay so low that recursion is safe.
Expression *node_limit_height(Parser *p, Expression *e)
{
    if (e->height <= EXPRESSION_HEIGHT_MAXIMUM)
        return e;
    parse_fail(p, e->span, "this expression has more than %d operators in a row",
               EXPRESSION_HEIGHT_MAXIMUM);
    return node_error(p);
}

Expression *node_binary(Parser *p, SyntaxOperator op, Expression *left, Expression *right,
                        uint32_t begin)
{
    Expression *e = node_new(p, EXPRESSION_BINARY, begin);
    e->binary.op = op;
    e->binary.left = left;
    e->binary.right = right;
    node_raise_above(e, left);
    node_raise_above(e, right);
    return node_limit_height(p, e);
}

Expression *node_unary(Parser *p, SyntaxOperator op, Expression *operand, uint32_t begin)
{
    Expression *e = node_new(p, EXPRESSION_UNARY, begin);
    e->unary.op = op;
    e->unary.operand = operand;
    node_raise_above(e, operand);
    return node_limit_height(p, e);
}
