// SPDX-License-Identifier: MIT
//
// Section A.2.6 of the specification, first half: equations.

#include "modelica/parse.h"

// ---------------------------------------------------------------------------
// What equations and statements share
// ---------------------------------------------------------------------------

bool parse_ends_section(Parser *p)
{
    switch (p->token.kind) {
    case TOKEN_END_OF_FILE:
    case TOKEN_END:
    case TOKEN_ELSE:
    case TOKEN_ELSEIF:
    case TOKEN_ELSEWHEN:
    case TOKEN_EQUATION:
    case TOKEN_ALGORITHM:
    case TOKEN_PUBLIC:
    case TOKEN_PROTECTED:
    case TOKEN_EXTERNAL:
    case TOKEN_ANNOTATION:
        return true;
    case TOKEN_INITIAL: {
        TokenKind next = parse_peek(p);
        return next == TOKEN_EQUATION || next == TOKEN_ALGORITHM;
    }
    default:
        return false;
    }
}

bool parse_stray_branch(Parser *p)
{
    bool is_within_block = p->opened && p->opened->kind != TOKEN_IDENTIFIER;
    if (is_within_block || p->is_recovering)
        return false;
    if (p->token.kind == TOKEN_END)
        return parse_stray_end(p);
    if (p->token.kind != TOKEN_ELSE && p->token.kind != TOKEN_ELSEIF &&
        p->token.kind != TOKEN_ELSEWHEN)
        return false;
    bool is_else = p->token.kind == TOKEN_ELSE;
    if (p->lexer.error_count == 0) // else its `if` may just have been skipped
        parse_complain(p, p->token.span, "'%s' without '%s'", token_text(p->token.kind),
                       p->token.kind == TOKEN_ELSEWHEN ? "when" : "if");
    parse_advance(p);
    if (!is_else) {
        parse_expression(p);
        parse_header_end(p, TOKEN_THEN, "behind the condition");
    }
    return true;
}

void parse_header_end(Parser *p, TokenKind kind, const char *where)
{
    if (parse_expect(p, kind, where))
        return;
    while (p->token.kind != TOKEN_SEMICOLON && p->token.kind != TOKEN_EQUALS &&
           p->token.kind != TOKEN_ASSIGN && !parse_ends_section(p)) {
        bool is_found = p->token.kind == kind;
        parse_advance(p);
        if (is_found) {
            p->is_recovering = false;
            return;
        }
    }
}

// ---------------------------------------------------------------------------
// Equations
// ---------------------------------------------------------------------------

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
static Equation **parse_equations(Parser *p, uint32_t *count)
{
    size_t mark = p->stack_size;
    for (;;) {
        uint32_t before = p->token.span.begin;
        if (parse_stray_branch(p))
            continue;
        if (parse_ends_section(p))
            break;
        Equation *equation = parse_some_equation(p);
        PARSE_PUSH(p, equation);
        parse_semicolon(p, "the equation");
        parse_ensure_progress(p, before);
    }
    return PARSE_TAKE(p, mark, Equation *, count);
}

// equation-section :
//    [ initial ] equation { some-equation ";" }
Section *parse_equation_section(Parser *p)
{
    Section *section = ARENA_NEW(p->arena, Section);
    uint32_t begin = p->token.span.begin;
    section->is_initial = parse_accept(p, TOKEN_INITIAL);
    parse_advance(p);
    section->equations = parse_equations(p, &section->count);
    section->span = parse_span_from(p, begin);
    return section;
}

// From behind `if`, `elseif`, `when` or `elsewhen`: expression then { some-equation ";" }
static void parse_branch(Parser *p, bool has_condition)
{
    EquationBranch branch = {0};
    uint32_t begin = p->token.span.begin;
    parse_advance(p);
    if (has_condition) {
        branch.condition = parse_condition(p);
        parse_header_end(p, TOKEN_THEN, "behind the condition");
    }
    branch.equations = parse_equations(p, &branch.count);
    branch.span = parse_span_from(p, begin);
    PARSE_PUSH(p, branch);
}

// if-equation :
//    if expression then
//      { some-equation ";" }
//    { elseif expression then
//      { some-equation ";" }
//    }
//    [ else
//      { some-equation ";" }
//    ]
//    end if
static void parse_if_equation(Parser *p, Equation *equation)
{
    size_t mark = p->stack_size;
    Opened opened;
    parse_open(p, &opened, TOKEN_IF, NULL, p->token.span);
    equation->kind = EQUATION_IF;
    do
        parse_branch(p, true);
    while (parse_at(p, TOKEN_ELSEIF));
    if (parse_at(p, TOKEN_ELSE)) {
        if (parse_peek(p) == TOKEN_IF && !p->ahead.begins_line)
            opened.else_if = span_join(p->token.span, p->ahead.span);
        parse_branch(p, false);
    }
    equation->branches.items = PARSE_TAKE(p, mark, EquationBranch, &equation->branches.count);
    parse_close(p);
}

// when-equation :
//    when expression then
//      { some-equation ";" }
//    { elsewhen expression then
//      { some-equation ";" }
//    }
//    end when
static void parse_when_equation(Parser *p, Equation *equation)
{
    size_t mark = p->stack_size;
    Opened opened;
    parse_open(p, &opened, TOKEN_WHEN, NULL, p->token.span);
    equation->kind = EQUATION_WHEN;
    do
        parse_branch(p, true);
    while (parse_at(p, TOKEN_ELSEWHEN));
    equation->branches.items = PARSE_TAKE(p, mark, EquationBranch, &equation->branches.count);
    parse_close(p);
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
    parse_fail(p, p->token.span, "expected '=' in the equation, found %s", parse_found(p));
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
Equation *parse_some_equation(Parser *p)
{
    Equation *equation = ARENA_NEW(p->arena, Equation);
    uint32_t begin = p->token.span.begin;
    if (!parse_enter(p) || p->is_recovering) {
        equation->call = node_error(p);
        equation->kind = EQUATION_CALL;
    } else if (parse_at(p, TOKEN_IF)) {
        parse_if_equation(p, equation);
    } else if (parse_at(p, TOKEN_WHEN)) {
        parse_when_equation(p, equation);
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
