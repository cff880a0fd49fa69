// SPDX-License-Identifier: MIT
//
// Section A.2.6 of the specification, second half: statements.

#include "modelica/parse.h"

// { statement ";" }
Statement **parse_statements(Parser *p, uint32_t *count)
{
    size_t mark = p->stack_size;
    uint32_t begin;
    while (parse_section_goes_on(p, &begin)) {
        Statement *statement = parse_statement(p);
        PARSE_PUSH(p, statement);
        parse_semicolon(p, "the statement");
        parse_ensure_progress(p, begin);
    }
    return PARSE_TAKE(p, mark, Statement *, count);
}

// for-statement :
//    for for-indices loop
//      { statement ";" }
//    end for
static void parse_for_statement(Parser *p, Statement *statement)
{
    Opened opened;
    parse_open(p, &opened, TOKEN_FOR, NULL, p->token.span);
    statement->kind = STATEMENT_FOR;
    parse_advance(p);
    statement->loop.iterators = parse_for_indices(p, &statement->loop.iterator_count);
    parse_header_end(p, TOKEN_LOOP, "behind the iterators");
    statement->loop.statements = parse_statements(p, &statement->loop.count);
    parse_close(p);
}

// while-statement :
//    while expression loop
//      { statement ";" }
//    end while
static void parse_while_statement(Parser *p, Statement *statement)
{
    Opened opened;
    parse_open(p, &opened, TOKEN_WHILE, NULL, p->token.span);
    statement->kind = STATEMENT_WHILE;
    parse_advance(p);
    statement->while_loop.condition = parse_condition(p);
    parse_header_end(p, TOKEN_LOOP, "behind the condition");
    statement->while_loop.statements = parse_statements(p, &statement->while_loop.count);
    parse_close(p);
}

// ":=", or '=' with a complaint; false if there is neither.
static bool accept_assign(Parser *p)
{
    if (parse_at(p, TOKEN_EQUALS) || parse_at(p, TOKEN_EQUAL))
        parse_complain(p, p->token.span, "an assignment is written with ':=', not '%s'",
                       token_text(p->token.kind));
    else if (!parse_at(p, TOKEN_ASSIGN))
        return false;
    parse_advance(p);
    return true;
}

// statement-or-procedure :
//    component-reference ( ":=" expression | function-call-args )
static void parse_statement_or_procedure(Parser *p, Statement *statement)
{
    Reference *reference = parse_component_reference(p, "a statement");
    if (accept_assign(p)) {
        statement->kind = STATEMENT_ASSIGNMENT;
        statement->assignment.target = reference;
        statement->assignment.value = parse_expression(p);
        return;
    }
    statement->kind = STATEMENT_CALL;
    if (parse_at(p, TOKEN_LEFT_PARENTHESIS)) {
        statement->call = parse_function_call_args(p, reference);
        if (parse_at(p, TOKEN_ASSIGN) || parse_at(p, TOKEN_EQUALS))
            parse_fail(p, statement->call->span, "the result of a call cannot be assigned to");
    } else {
        const bool is_step = parse_at(p, TOKEN_PLUS) || parse_at(p, TOKEN_MINUS);
        Diagnostic *error = parse_fail(
            p, p->token.span, "expected ':=' or '(' in the statement, found %s", parse_found(p));
        if (is_step)
            parse_note(p, error, p->token.span, "an assignment in full is 'n := n + 1'");
        statement->call = node_error(p);
    }
}

static void check_targets(Parser *p, Expression *const *targets, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (targets[i] && targets[i]->kind != EXPRESSION_REFERENCE &&
            targets[i]->kind != EXPRESSION_ERROR)
            parse_complain(p, targets[i]->span,
                           "an output is assigned to a variable, "
                           "not to an expression");
}

// "(" output-expression-list ")" ":=" component-reference function-call-args
static void parse_call_assignment(Parser *p, Statement *statement)
{
    size_t mark = p->stack_size;
    uint32_t count;
    parse_advance(p);
    parse_output_expression_list(p);
    Expression **targets = PARSE_TAKE(p, mark, Expression *, &count);
    parse_expect(p, TOKEN_RIGHT_PARENTHESIS, "to match '('");
    check_targets(p, targets, count);
    if (!accept_assign(p))
        parse_fail(p, p->token.span, "expected ':=' behind the outputs, found %s", parse_found(p));
    Reference *function = parse_component_reference(p, "the name of a function");
    statement->kind = STATEMENT_CALL_ASSIGNMENT;
    statement->call_assignment.targets = targets;
    statement->call_assignment.count = count;
    statement->call_assignment.call = parse_function_call_args(p, function);
}

// The alternatives of `statement`, without its description.
static void parse_statement_itself(Parser *p, Statement *statement)
{
    switch (p->token.kind) {
    case TOKEN_LEFT_PARENTHESIS:
        parse_call_assignment(p, statement);
        break;
    case TOKEN_BREAK:
        parse_advance(p);
        statement->kind = STATEMENT_BREAK;
        break;
    case TOKEN_RETURN:
        parse_advance(p);
        statement->kind = STATEMENT_RETURN;
        break;
    case TOKEN_IF:
        statement->kind = STATEMENT_IF;
        statement->branches.items = parse_if(p, true, &statement->branches.count);
        break;
    case TOKEN_FOR:
        parse_for_statement(p, statement);
        break;
    case TOKEN_WHILE:
        parse_while_statement(p, statement);
        break;
    case TOKEN_WHEN:
        statement->kind = STATEMENT_WHEN;
        statement->branches.items = parse_when(p, true, &statement->branches.count);
        break;
    case TOKEN_CONNECT:
        parse_fail(p, p->token.span, "'connect' is an equation and cannot stand in an algorithm");
        break;
    case TOKEN_DER:
        parse_fail(p, p->token.span,
                   "a derivative cannot be assigned to; "
                   "it needs an equation, der(x) = ...");
        break;
    default:
        parse_statement_or_procedure(p, statement);
        break;
    }
}

// statement :
//    ( statement-or-procedure
//      | "(" output-expression-list ")" ":="
//        component-reference function-call-args
//      | break
//      | return
//      | if-statement
//      | for-statement
//      | while-statement
//      | when-statement
//    )
//    description
Statement *parse_statement(Parser *p)
{
    Statement *statement = ARENA_NEW(p->arena, Statement);
    uint32_t begin = p->token.span.begin;
    statement->kind = STATEMENT_BREAK;
    if (parse_enter(p) && !p->is_recovering)
        parse_statement_itself(p, statement);
    parse_leave(p);
    statement->description = parse_description(p);
    statement->span = parse_span_from(p, begin);
    return statement;
}
