// SPDX-License-Identifier: MIT
//
// Section A.2.6 of the specification, first half: equations.

#include "modelica/parse.h"

static Equation *parse_some_equation(Parser *p);

// What begins no element, but an equation or statement.
static bool is_at_misplaced_equation(Parser *p)
{
    switch (p->token.kind) {
    case TOKEN_DER:
    case TOKEN_IF:
    case TOKEN_FOR:
    case TOKEN_WHEN:
    case TOKEN_WHILE:
    case TOKEN_CONNECT:
        return true;
    case TOKEN_IDENTIFIER: {
        TokenKind next = parse_peek(p);
        return next == TOKEN_EQUALS || next == TOKEN_ASSIGN || next == TOKEN_LEFT_PARENTHESIS;
    }
    default:
        return false;
    }
}

bool parse_misplaced_equation(Parser *p, bool is_reported)
{
    if (p->is_recovering || !is_at_misplaced_equation(p))
        return false;
    if (is_reported) {
        Diagnostic *error =
            parse_complain(p, p->token.span, "expected a declaration, found %s", parse_found(p));
        parse_note(p, error, p->token.span,
                   "equations stand behind the keyword 'equation', statements behind 'algorithm'");
    }
    if (p->token.kind == TOKEN_WHILE || (p->has_ahead && p->ahead.kind == TOKEN_ASSIGN))
        parse_statement(p);
    else
        parse_some_equation(p);
    parse_semicolon(p, "the equation");
    return true;
}

// { some-equation ";" }
Equation **parse_equations(Parser *p, uint32_t *count)
{
    size_t mark = p->stack_size;
    uint32_t begin;
    while (parse_section_goes_on(p, &begin)) {
        Equation *equation = parse_some_equation(p);
        PARSE_PUSH(p, equation);
        parse_semicolon(p, "the equation");
        parse_ensure_progress(p, begin);
    }
    return PARSE_TAKE(p, mark, Equation *, count);
}

// for-equation :
//    for for-indices loop
//      { some-equation ";" }
//    end for
static void parse_for_equation(Parser *p, Equation *equation)
{
    Opened opened;
    parse_open(p, &opened, TOKEN_FOR, NULL, p->token.span);
    equation->kind = EQUATION_FOR;
    parse_advance(p);
    equation->loop.iterators = parse_for_indices(p, &equation->loop.iterator_count);
    parse_header_end(p, TOKEN_LOOP, "behind the iterators");
    equation->loop.equations = parse_equations(p, &equation->loop.count);
    parse_close(p);
}

// connect-equation :
//    connect "(" component-reference "," component-reference ")"
Equation *parse_connect_equation(Parser *p)
{
    Equation *equation = ARENA_NEW(p->arena, Equation);
    uint32_t begin = p->token.span.begin;
    equation->kind = EQUATION_CONNECT;
    parse_advance(p);
    parse_expect(p, TOKEN_LEFT_PARENTHESIS, "behind 'connect'");
    equation->connect.from = parse_component_reference(p, "the name of a connector");
    parse_expect(p, TOKEN_COMMA, "between the two connectors");
    equation->connect.to = parse_component_reference(p, "the name of a connector");
    parse_expect(p, TOKEN_RIGHT_PARENTHESIS, "behind the two connectors");
    equation->span = parse_span_from(p, begin);
    return equation;
}

static bool is_call(const Expression *e)
{
    return e->kind == EXPRESSION_CALL ||
           (e->kind == EXPRESSION_COMPREHENSION && e->comprehension.function != NULL);
}

// Where the operator of a binary expression stands: between its operands.
static Span find_operator(Parser *p, const Expression *e)
{
    Span between = {e->binary.left->span.end, e->binary.right->span.begin};
    String text = sources_text(p->compilation->sources, between);
    const char *op = syntax_operator_text(e->binary.op);
    for (uint32_t i = 0; i + 1 < text.length; i++)
        if (strncmp(text.text + i, op, strlen(op)) == 0)
            return (Span){between.begin + i, between.begin + i + (uint32_t)strlen(op)};
    return e->span;
}

// What a name like "endif" is meant to end; NULL: it is none.
static const char *parse_joined_end(const Expression *e)
{
    static const char *const kinds[] = {"if", "for", "when", "while"};
    if (e->kind != EXPRESSION_REFERENCE || e->reference->count != 1)
        return NULL;
    const char *text = e->reference->parts[0].name->text;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strncmp(text, "end", 3) == 0 && strcmp(text + 3, kinds[i]) == 0)
            return kinds[i];
    return NULL;
}

// The left side is read, but no '=' follows and it is no call.
static void report_no_equation(Parser *p, Equation *equation, const Expression *left)
{
    if (p->is_recovering)
        return;
    if (left->kind == EXPRESSION_BINARY && left->binary.op == SYNTAX_EQUAL) {
        parse_complain(p, find_operator(p, left), "an equation is written with '='; '==' compares");
        equation->kind = EQUATION_EQUALITY;
        equation->equality.left = left->binary.left;
        equation->equality.right = left->binary.right;
        return;
    }
    const bool is_declaration = left->kind == EXPRESSION_REFERENCE &&
                                parse_at(p, TOKEN_IDENTIFIER) && !p->token.begins_line;
    const char *end = parse_joined_end(left);
    if (end) {
        parse_fail(p, left->span, "'%s' is written as two words, 'end %s'",
                   left->reference->parts[0].name->text, end);
        return;
    }
    Diagnostic *error =
        parse_fail(p, p->token.span, "expected '=' in the equation, found %s", parse_found(p));
    if (is_declaration)
        parse_note(p, error, left->span, "declarations stand before 'equation'");
}

// equation-or-procedure :
//    simple-expression "=" expression
//    | component-reference function-call-args
static void parse_equation_or_procedure(Parser *p, Equation *equation)
{
    Expression *left = parse_simple_expression(p);
    if (parse_at(p, TOKEN_ASSIGN))
        parse_complain(p, p->token.span,
                       "an equation is written with '='; "
                       "':=' assigns, in an algorithm");
    if (parse_at(p, TOKEN_EQUALS) || parse_at(p, TOKEN_ASSIGN)) {
        parse_advance(p);
        equation->kind = EQUATION_EQUALITY;
        equation->equality.left = left;
        equation->equality.right = parse_expression(p);
    } else {
        equation->kind = EQUATION_CALL;
        equation->call = left;
        if (!is_call(left))
            report_no_equation(p, equation, left);
    }
}

// some-equation :
//    ( equation-or-procedure
//      | if-equation
//      | for-equation
//      | connect-equation
//      | when-equation
//    )
//    description
static Equation *parse_some_equation(Parser *p)
{
    Equation *equation = ARENA_NEW(p->arena, Equation);
    uint32_t begin = p->token.span.begin;
    if (!parse_enter(p) || p->is_recovering) {
        equation->call = node_error(p);
        equation->kind = EQUATION_CALL;
    } else if (parse_at(p, TOKEN_IF)) {
        equation->kind = EQUATION_IF;
        equation->branches.items = parse_if(p, false, &equation->branches.count);
    } else if (parse_at(p, TOKEN_WHEN)) {
        equation->kind = EQUATION_WHEN;
        equation->branches.items = parse_when(p, false, &equation->branches.count);
    } else if (parse_at(p, TOKEN_FOR)) {
        parse_for_equation(p, equation);
    } else if (parse_at(p, TOKEN_CONNECT)) {
        equation = parse_connect_equation(p);
    } else {
        if (parse_at(p, TOKEN_WHILE) || parse_at(p, TOKEN_BREAK) || parse_at(p, TOKEN_RETURN))
            parse_fail(p, p->token.span, "'%s' is a statement and stands only in an algorithm",
                       token_text(p->token.kind));
        parse_equation_or_procedure(p, equation);
    }
    parse_leave(p);
    equation->description = parse_description(p);
    equation->span = parse_span_from(p, begin);
    return equation;
}
