// SPDX-License-Identifier: MIT
//
// Section A.2.7 of the specification, second half: operators by their precedence.

#include "modelica/parse.h"

// The operator of a token at a level of precedence, or -1. What C writes is reported and taken.
static int operator_at(Parser *p, int precedence)
{
    static const struct {
        uint8_t op, precedence;
    } table[TOKEN_KIND_COUNT] = {
        [TOKEN_OR] = {SYNTAX_OR, 1},
        [TOKEN_C_OR] = {SYNTAX_OR, 1},
        [TOKEN_AND] = {SYNTAX_AND, 2},
        [TOKEN_C_AND] = {SYNTAX_AND, 2},
        [TOKEN_NOT] = {SYNTAX_NOT, 3},
        [TOKEN_C_NOT] = {SYNTAX_NOT, 3},
        [TOKEN_LESS] = {SYNTAX_LESS, 4},
        [TOKEN_LESS_EQUAL] = {SYNTAX_LESS_EQUAL, 4},
        [TOKEN_GREATER] = {SYNTAX_GREATER, 4},
        [TOKEN_GREATER_EQUAL] = {SYNTAX_GREATER_EQUAL, 4},
        [TOKEN_EQUAL] = {SYNTAX_EQUAL, 4},
        [TOKEN_NOT_EQUAL] = {SYNTAX_NOT_EQUAL, 4},
        [TOKEN_C_NOT_EQUAL] = {SYNTAX_NOT_EQUAL, 4},
        [TOKEN_PLUS] = {SYNTAX_ADD, 5},
        [TOKEN_MINUS] = {SYNTAX_SUBTRACT, 5},
        [TOKEN_DOT_PLUS] = {SYNTAX_ELEMENTWISE_ADD, 5},
        [TOKEN_DOT_MINUS] = {SYNTAX_ELEMENTWISE_SUBTRACT, 5},
        [TOKEN_TIMES] = {SYNTAX_MULTIPLY, 6},
        [TOKEN_DIVIDE] = {SYNTAX_DIVIDE, 6},
        [TOKEN_DOT_TIMES] = {SYNTAX_ELEMENTWISE_MULTIPLY, 6},
        [TOKEN_DOT_DIVIDE] = {SYNTAX_ELEMENTWISE_DIVIDE, 6},
        [TOKEN_POWER] = {SYNTAX_POWER, 7},
        [TOKEN_DOT_POWER] = {SYNTAX_ELEMENTWISE_POWER, 7},
    };
    TokenKind kind = p->token.kind;
    if (table[kind].precedence != precedence || p->is_recovering)
        return -1;
    if (kind >= TOKEN_C_NOT_EQUAL && kind <= TOKEN_C_NOT)
        parse_complain(p, p->token.span, "Modelica writes '%s' for '%s'",
                       syntax_operator_text((SyntaxOperator)table[kind].op), token_text(kind));
    return table[kind].op;
}

// factor :
//    primary [ ( "^" | ".^" ) primary ]
static Expression *parse_factor(Parser *p)
{
    uint32_t begin = p->token.span.begin;
    Expression *left = parse_primary(p);
    for (int op, n = 0; (op = operator_at(p, 7)) >= 0; n++) {
        if (n > 0)
            parse_complain(p, p->token.span,
                           "powers need parentheses: a^(b^c) and (a^b)^c are different");
        parse_advance(p);
        left = node_binary(p, (SyntaxOperator)op, left, parse_primary(p), begin);
    }
    return left;
}

// term :
//    factor { mul-operator factor }
//
// mul-operator :
//    "*" | "/" | ".*" | "./"
static Expression *parse_term(Parser *p)
{
    uint32_t begin = p->token.span.begin;
    Expression *left = parse_factor(p);
    for (int op; (op = operator_at(p, 6)) >= 0;) {
        parse_advance(p);
        left = node_binary(p, (SyntaxOperator)op, left, parse_factor(p), begin);
    }
    return left;
}

// arithmetic-expression :
//    [ add-operator ] term { add-operator term }
//
// add-operator :
//    "+" | "-" | ".+" | ".-"
static Expression *parse_arithmetic_expression(Parser *p)
{
    uint32_t begin = p->token.span.begin;
    int sign = operator_at(p, 5);
    if (sign >= 0)
        parse_advance(p);
    Expression *left = parse_term(p);
    if (sign >= 0)
        left = node_unary(p, (SyntaxOperator)sign, left, begin);
    for (int op; (op = operator_at(p, 5)) >= 0;) {
        parse_advance(p);
        left = node_binary(p, (SyntaxOperator)op, left, parse_term(p), begin);
    }
    return left;
}

// relation :
//    arithmetic-expression [ relational-operator arithmetic-expression ]
//
// relational-operator :
//    "<" | "<=" | ">" | ">=" | "==" | "<>"
static Expression *parse_relation(Parser *p)
{
    uint32_t begin = p->token.span.begin;
    Expression *left = parse_arithmetic_expression(p);
    for (int op, n = 0; (op = operator_at(p, 4)) >= 0; n++) {
        if (n > 0)
            parse_complain(p, p->token.span,
                           "relations cannot follow each other; "
                           "a < b < c is a < b and b < c");
        parse_advance(p);
        left = node_binary(p, (SyntaxOperator)op, left, parse_arithmetic_expression(p), begin);
    }
    return left;
}

// logical-factor :
//    [ not ] relation
static Expression *parse_logical_factor(Parser *p)
{
    uint32_t begin = p->token.span.begin;
    if (operator_at(p, 3) < 0)
        return parse_relation(p);
    parse_advance(p);
    return node_unary(p, SYNTAX_NOT, parse_relation(p), begin);
}

// logical-term :
//    logical-factor { and logical-factor }
static Expression *parse_logical_term(Parser *p)
{
    uint32_t begin = p->token.span.begin;
    Expression *left = parse_logical_factor(p);
    while (operator_at(p, 2) >= 0) {
        parse_advance(p);
        left = node_binary(p, SYNTAX_AND, left, parse_logical_factor(p), begin);
    }
    return left;
}

// logical-expression :
//    logical-term { or logical-term }
static Expression *parse_logical_expression(Parser *p)
{
    uint32_t begin = p->token.span.begin;
    Expression *left = parse_logical_term(p);
    while (operator_at(p, 1) >= 0) {
        parse_advance(p);
        left = node_binary(p, SYNTAX_OR, left, parse_logical_term(p), begin);
    }
    return left;
}

// simple-expression :
//    logical-expression [ ":" logical-expression [ ":" logical-expression ] ]
Expression *parse_simple_expression(Parser *p)
{
    uint32_t begin = p->token.span.begin;
    Expression *first = parse_logical_expression(p);
    if (!parse_accept(p, TOKEN_COLON))
        return first;
    Expression *second = parse_logical_expression(p);
    Expression *third = parse_accept(p, TOKEN_COLON) ? parse_logical_expression(p) : NULL;
    Expression *e = node_new(p, EXPRESSION_RANGE, begin);
    e->range.start = first;
    e->range.step = third ? second : NULL;
    e->range.stop = third ? third : second;
    node_raise_above(e, first);
    node_raise_above(e, second);
    node_raise_above(e, third);
    return node_limit_height(p, e);
}

// if expression then expression { elseif expression then expression } else expression
static Expression *parse_if_expression(Parser *p)
{
    size_t mark = p->stack_size;
    uint32_t begin = p->token.span.begin, height = 0, count;
    do {
        parse_advance(p);
        IfBranch branch;
        branch.condition = parse_condition(p);
        parse_expect(p, TOKEN_THEN, "behind the condition");
        branch.value = parse_expression(p);
        height = branch.condition->height > height ? branch.condition->height : height;
        height = branch.value->height > height ? branch.value->height : height;
        PARSE_PUSH(p, branch);
    } while (parse_at(p, TOKEN_ELSEIF));
    IfBranch *branches = PARSE_TAKE(p, mark, IfBranch, &count);
    parse_expect(p, TOKEN_ELSE, "in the if-expression, which needs a value for every case");
    Expression *otherwise = parse_expression(p);
    Expression *e = node_new(p, EXPRESSION_IF, begin);
    e->conditional.branches = branches;
    e->conditional.count = count;
    e->conditional.otherwise = otherwise;
    e->height = height + 1;
    node_raise_above(e, otherwise);
    return node_limit_height(p, e);
}

// expression :
//    simple-expression
//    | if expression then expression
//      { elseif expression then expression }
//      else expression
Expression *parse_expression(Parser *p)
{
    if (!parse_at(p, TOKEN_IF))
        return parse_simple_expression(p);
    Expression *e = parse_enter(p) ? parse_if_expression(p) : node_error(p);
    parse_leave(p);
    return e;
}

Expression *parse_condition(Parser *p)
{
    uint32_t begin = p->token.span.begin;
    Expression *e = parse_expression(p);
    if (!parse_at(p, TOKEN_EQUALS) && !parse_at(p, TOKEN_ASSIGN))
        return e;
    parse_complain(p, p->token.span, "a condition compares with '==', not '%s'",
                   token_text(p->token.kind));
    parse_advance(p);
    return node_binary(p, SYNTAX_EQUAL, e, parse_expression(p), begin);
}
