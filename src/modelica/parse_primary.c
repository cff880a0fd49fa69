// SPDX-License-Identifier: MIT
//
// Section A.2.7 of the specification, first half: names, subscripts, calls, primaries.

#include "modelica/parse.h"

// ---------------------------------------------------------------------------
// Names and references
// ---------------------------------------------------------------------------

// A reference's parts grow on the stack; here they go behind its head.
static Reference *new_reference(Parser *p, size_t mark, bool is_global, uint32_t begin)
{
    size_t bytes = p->stack_size - mark;
    Reference *r = arena_allocate(p->arena, sizeof(Reference) + bytes);
    r->span = parse_span_from(p, begin);
    r->is_global = is_global;
    r->count = (uint32_t)(bytes / sizeof(ReferencePart));
    memcpy(r->parts, p->stack + mark, bytes);
    p->stack_size = mark;
    return r;
}

static Reference *keyword_reference(Parser *p, const Name *name)
{
    size_t mark = p->stack_size;
    ReferencePart part = {.name = name, .span = p->token.span};
    uint32_t begin = p->token.span.begin;
    parse_advance(p);
    PARSE_PUSH(p, part);
    return new_reference(p, mark, false, begin);
}

// The parts of a name or reference, onto the stack.
static void parse_parts(Parser *p, const char *what, bool has_subscripts)
{
    do {
        ReferencePart part = {0};
        part.name = parse_identifier(p, what, &part.span);
        if (has_subscripts && parse_at(p, TOKEN_LEFT_BRACKET))
            part.subscripts = parse_array_subscripts(p, &part.subscript_count);
        PARSE_PUSH(p, part);
        // "A.*" and "A.{x}" of imports are not part of the name.
        if (!parse_at(p, TOKEN_DOT) || parse_peek(p) == TOKEN_TIMES ||
            parse_peek(p) == TOKEN_LEFT_BRACE)
            break;
        parse_advance(p);
    } while (!p->is_recovering);
}

// name :
//    IDENT { "." IDENT }
Reference *parse_name(Parser *p, const char *what)
{
    size_t mark = p->stack_size;
    uint32_t begin = p->token.span.begin;
    parse_parts(p, what, false);
    return new_reference(p, mark, false, begin);
}

// type-specifier :
//    ["."] name
Reference *parse_type_specifier(Parser *p, const char *what)
{
    size_t mark = p->stack_size;
    uint32_t begin = p->token.span.begin;
    bool is_global = parse_accept(p, TOKEN_DOT);
    parse_parts(p, what, false);
    return new_reference(p, mark, is_global, begin);
}

// component-reference :
//    [ "." ] IDENT [ array-subscripts ] { "." IDENT [ array-subscripts ] }
Reference *parse_component_reference(Parser *p, const char *what)
{
    size_t mark = p->stack_size;
    uint32_t begin = p->token.span.begin;
    bool is_global = parse_accept(p, TOKEN_DOT);
    parse_parts(p, what, true);
    return new_reference(p, mark, is_global, begin);
}

// subscript :
//    ":" | expression
static Expression *parse_subscript(Parser *p)
{
    uint32_t begin = p->token.span.begin;
    if (parse_accept(p, TOKEN_COLON))
        return node_new(p, EXPRESSION_COLON, begin);
    return parse_expression(p);
}

// array-subscripts :
//    "[" subscript { "," subscript } "]"
Expression **parse_array_subscripts(Parser *p, uint32_t *count)
{
    size_t mark = p->stack_size;
    uint32_t begin = p->token.span.begin;
    parse_expect(p, TOKEN_LEFT_BRACKET, "before the subscripts");
    p->subscript_depth++;
    do {
        Expression *subscript = parse_subscript(p);
        PARSE_PUSH(p, subscript);
    } while (parse_accept(p, TOKEN_COMMA));
    p->subscript_depth--;
    parse_expect_closing(p, TOKEN_RIGHT_BRACKET, "behind the subscripts", begin);
    return PARSE_TAKE(p, mark, Expression *, count);
}

// ---------------------------------------------------------------------------
// Calls
// ---------------------------------------------------------------------------

static Expression *parse_function_argument(Parser *p);

// named-argument :
//    IDENT "=" function-argument
static void parse_named_argument(Parser *p)
{
    NamedExpression named = {0};
    named.name = parse_identifier(p, "the name of an argument", &named.span);
    parse_expect(p, TOKEN_EQUALS, "behind the name of the argument");
    named.value = parse_function_argument(p);
    PARSE_PUSH(p, named);
}

// named-arguments :
//    named-argument [ "," named-arguments ]
static NamedExpression *parse_named_arguments(Parser *p, uint32_t *count)
{
    size_t mark = p->stack_size;
    do {
        if (parse_at(p, TOKEN_IDENTIFIER) && parse_peek(p) != TOKEN_EQUALS)
            parse_fail(p, p->token.span, "behind named arguments all others need a name, too");
        parse_named_argument(p);
    } while (parse_accept_separator(p));
    return PARSE_TAKE(p, mark, NamedExpression, count);
}

// function-partial-application :
//    function type-specifier "(" [ named-arguments ] ")"
static Expression *parse_function_partial_application(Parser *p)
{
    uint32_t begin = p->token.span.begin;
    parse_advance(p);
    Reference *function = parse_type_specifier(p, "the name of a function");
    parse_expect(p, TOKEN_LEFT_PARENTHESIS, "behind the name of the function");
    uint32_t count = 0;
    NamedExpression *named = NULL;
    if (!parse_at(p, TOKEN_RIGHT_PARENTHESIS))
        named = parse_named_arguments(p, &count);
    parse_expect(p, TOKEN_RIGHT_PARENTHESIS, "behind the arguments");
    Expression *e = node_new(p, EXPRESSION_PARTIAL, begin);
    e->partial.function = function;
    e->partial.named = named;
    e->partial.named_count = count;
    node_raise_above_named(e, named, count);
    return node_limit_height(p, e);
}

// function-argument :
//    function-partial-application | expression
static Expression *parse_function_argument(Parser *p)
{
    if (!parse_at(p, TOKEN_FUNCTION))
        return parse_expression(p);
    if (!parse_enter(p)) {
        parse_leave(p);
        return node_error(p);
    }
    Expression *e = parse_function_partial_application(p);
    parse_leave(p);
    return e;
}

static Expression *new_comprehension(Parser *p, Reference *function, Expression *body,
                                     uint32_t begin)
{
    uint32_t count;
    NamedExpression *iterators = parse_for_indices(p, &count);
    Expression *e = node_new(p, EXPRESSION_COMPREHENSION, begin);
    e->comprehension.function = function;
    e->comprehension.body = body;
    e->comprehension.iterators = iterators;
    e->comprehension.iterator_count = count;
    node_raise_above(e, body);
    node_raise_above_named(e, iterators, count);
    return node_limit_height(p, e);
}

static bool is_at_named_argument(Parser *p)
{
    return parse_at(p, TOKEN_IDENTIFIER) && parse_peek(p) == TOKEN_EQUALS;
}

// function-arguments :
//    expression [ "," function-arguments-non-first | for for-indices ]
//    | function-partial-application [ "," function-arguments-non-first ]
//    | named-arguments
//
// function-arguments-non-first :
//    function-argument [ "," function-arguments-non-first ]
//    | named-arguments
static Expression *parse_function_arguments(Parser *p, Reference *function, uint32_t begin)
{
    size_t mark = p->stack_size;
    uint32_t count = 0, named_count = 0;
    Expression **arguments = NULL;
    NamedExpression *named = NULL;
    if (!parse_at(p, TOKEN_RIGHT_PARENTHESIS)) {
        bool is_named = false;
        do {
            is_named = is_at_named_argument(p);
            if (is_named)
                break;
            Expression *argument = parse_function_argument(p);
            if (p->stack_size == mark && parse_accept(p, TOKEN_FOR))
                return new_comprehension(p, function, argument, begin);
            PARSE_PUSH(p, argument);
        } while (parse_accept_separator(p));
        arguments = PARSE_TAKE(p, mark, Expression *, &count);
        if (is_named)
            named = parse_named_arguments(p, &named_count);
    }
    Expression *e = node_new(p, EXPRESSION_CALL, begin);
    e->call.function = function;
    e->call.arguments = arguments;
    e->call.count = count;
    e->call.named = named;
    e->call.named_count = named_count;
    node_raise_above_all(e, arguments, count);
    node_raise_above_named(e, named, named_count);
    return e;
}

// function-call-args :
//    "(" [ function-arguments ] ")"
Expression *parse_function_call_args(Parser *p, Reference *function)
{
    uint32_t begin = function->span.begin, opened = p->token.span.begin;
    parse_expect(p, TOKEN_LEFT_PARENTHESIS, "before the arguments");
    // `end` refers to the array whose subscript contains it, also through a call.
    Expression *e = parse_function_arguments(p, function, begin);
    parse_expect_closing(p, TOKEN_RIGHT_PARENTHESIS, "behind the arguments", opened);
    e->span = parse_span_from(p, begin);
    node_raise_above_subscripts(e, function);
    return node_limit_height(p, e);
}

// for-index :
//    IDENT [ in expression ]
static void parse_for_index(Parser *p)
{
    NamedExpression iterator = {0};
    iterator.name = parse_identifier(p, "the name of an iterator", &iterator.span);
    if (parse_at(p, TOKEN_EQUALS)) {
        parse_complain(p, p->token.span, "the range of an iterator stands behind 'in', not '='");
        parse_advance(p);
        iterator.value = parse_expression(p);
    } else if (parse_accept(p, TOKEN_IN)) {
        iterator.value = parse_expression(p);
    }
    PARSE_PUSH(p, iterator);
}

// for-indices :
//    for-index { "," for-index }
NamedExpression *parse_for_indices(Parser *p, uint32_t *count)
{
    size_t mark = p->stack_size;
    do
        parse_for_index(p);
    while (parse_accept(p, TOKEN_COMMA));
    return PARSE_TAKE(p, mark, NamedExpression, count);
}

// ---------------------------------------------------------------------------
// Primaries
// ---------------------------------------------------------------------------

// expression-list :
//    expression { "," expression }
Expression **parse_expression_list(Parser *p, uint32_t *count)
{
    size_t mark = p->stack_size;
    do {
        Expression *e = parse_expression(p);
        PARSE_PUSH(p, e);
    } while (parse_accept(p, TOKEN_COMMA));
    return PARSE_TAKE(p, mark, Expression *, count);
}

// output-expression-list :
//    [ expression ] { "," [ expression ] }
size_t parse_output_expression_list(Parser *p)
{
    size_t count = 0;
    if (parse_at(p, TOKEN_RIGHT_PARENTHESIS))
        return 0;
    do {
        bool is_empty = parse_at(p, TOKEN_COMMA) || parse_at(p, TOKEN_RIGHT_PARENTHESIS);
        Expression *e = is_empty ? NULL : parse_expression(p);
        PARSE_PUSH(p, e);
        count++;
    } while (parse_accept(p, TOKEN_COMMA));
    return count;
}

static Expression *new_items(Parser *p, ExpressionKind kind, size_t mark, uint32_t begin)
{
    uint32_t count;
    Expression **items = PARSE_TAKE(p, mark, Expression *, &count);
    Expression *e = node_new(p, kind, begin);
    e->array.items = items;
    e->array.count = count;
    node_raise_above_all(e, items, count);
    return node_limit_height(p, e);
}

// What may follow a parenthesis: [ array-subscripts | "." IDENT ]
static Expression *parse_parenthesis_suffix(Parser *p, Expression *base, uint32_t begin)
{
    if (parse_at(p, TOKEN_LEFT_BRACKET)) {
        uint32_t count;
        Expression **subscripts = parse_array_subscripts(p, &count);
        Expression *e = node_new(p, EXPRESSION_SUBSCRIPTED, begin);
        e->subscripted.base = base;
        e->subscripted.subscripts = subscripts;
        e->subscripted.count = count;
        node_raise_above(e, base);
        node_raise_above_all(e, subscripts, count);
        return node_limit_height(p, e);
    }
    if (parse_accept(p, TOKEN_DOT)) {
        Span span;
        const Name *name = parse_identifier(p, "the name of a member", &span);
        Expression *e = node_new(p, EXPRESSION_MEMBER, begin);
        e->member.base = base;
        e->member.name = name;
        e->member.name_span = span;
        node_raise_above(e, base);
        return node_limit_height(p, e);
    }
    return base;
}

// "(" output-expression-list ")" [ array-subscripts | "." IDENT ]
static Expression *parse_parenthesis(Parser *p)
{
    size_t mark = p->stack_size;
    uint32_t begin = p->token.span.begin;
    parse_advance(p);
    size_t count = parse_output_expression_list(p);
    parse_expect_closing(p, TOKEN_RIGHT_PARENTHESIS, "to match '('", begin);
    Expression *only = NULL;
    if (count == 1) {
        memcpy(&only, p->stack + mark, sizeof only);
        p->stack_size = mark;
    } else {
        only = new_items(p, EXPRESSION_TUPLE, mark, begin);
    }
    return parse_parenthesis_suffix(p, only, begin);
}

// "[" expression-list { ";" expression-list } "]"
static Expression *parse_matrix(Parser *p)
{
    size_t mark = p->stack_size;
    uint32_t begin = p->token.span.begin, height = 0;
    parse_advance(p);
    p->bracket_depth++;
    do {
        MatrixRow row;
        row.items = parse_expression_list(p, &row.count);
        for (uint32_t i = 0; i < row.count; i++)
            height = row.items[i]->height > height ? row.items[i]->height : height;
        PARSE_PUSH(p, row);
    } while (parse_accept(p, TOKEN_SEMICOLON));
    parse_expect_closing(p, TOKEN_RIGHT_BRACKET, "to match '['", begin);
    p->bracket_depth--;
    uint32_t count;
    MatrixRow *rows = PARSE_TAKE(p, mark, MatrixRow, &count);
    Expression *e = node_new(p, EXPRESSION_MATRIX, begin);
    e->matrix.rows = rows;
    e->matrix.count = count;
    e->height = height + 1;
    return node_limit_height(p, e);
}

// "{" array-arguments "}"
//
// array-arguments :
//    expression [ "," array-arguments-non-first | for for-indices ]
//
// array-arguments-non-first :
//    expression [ "," array-arguments-non-first ]
//
// Annotations of real libraries contain {}, which the grammar does not have.
static Expression *parse_array_arguments(Parser *p)
{
    size_t mark = p->stack_size;
    uint32_t begin = p->token.span.begin;
    parse_advance(p);
    if (parse_at(p, TOKEN_RIGHT_BRACE)) {
        if (!p->is_in_annotation)
            parse_complain(p, span_join((Span){begin, begin}, p->token.span),
                           "an array constructor needs an element; "
                           "an array without any is fill(0.0, 0)");
        parse_advance(p);
        return new_items(p, EXPRESSION_ARRAY, mark, begin);
    }
    do {
        Expression *item = parse_expression(p);
        if (p->stack_size == mark && parse_accept(p, TOKEN_FOR)) {
            Expression *e = new_comprehension(p, NULL, item, begin);
            parse_expect_closing(p, TOKEN_RIGHT_BRACE, "to match '{'", begin);
            e->span = parse_span_from(p, begin);
            return e;
        }
        PARSE_PUSH(p, item);
    } while (parse_accept(p, TOKEN_COMMA));
    parse_expect_closing(p, TOKEN_RIGHT_BRACE, "to match '{'", begin);
    return new_items(p, EXPRESSION_ARRAY, mark, begin);
}

static Expression *parse_reference_or_call(Parser *p)
{
    uint32_t begin = p->token.span.begin;
    Reference *reference = parse_component_reference(p, "an identifier");
    if (parse_at(p, TOKEN_LEFT_PARENTHESIS))
        return parse_function_call_args(p, reference);
    Expression *e = node_new(p, EXPRESSION_REFERENCE, begin);
    e->reference = reference;
    node_raise_above_subscripts(e, reference);
    return node_limit_height(p, e);
}

static Expression *parse_literal(Parser *p)
{
    Token token = p->token;
    parse_advance(p);
    Expression *e = node_new(p, EXPRESSION_BOOLEAN, token.span.begin);
    switch (token.kind) {
    case TOKEN_INTEGER:
        e->kind = EXPRESSION_INTEGER;
        e->integer = token.integer;
        break;
    case TOKEN_REAL:
        e->kind = EXPRESSION_REAL;
        e->real = token.real;
        break;
    case TOKEN_STRING:
        e->kind = EXPRESSION_STRING;
        e->string = token.string;
        break;
    default:
        e->boolean = token.kind == TOKEN_TRUE;
        break;
    }
    return e;
}

// No primary begins here. Mistakes whose meaning is plain: says what is wrong and goes on.
static Expression *parse_mistaken_primary(Parser *p)
{
    uint32_t begin = p->token.span.begin;
    switch (p->token.kind) {
    case TOKEN_PLUS:
    case TOKEN_MINUS: {
        SyntaxOperator sign = p->token.kind == TOKEN_PLUS ? SYNTAX_ADD : SYNTAX_SUBTRACT;
        parse_complain(p, p->token.span,
                       "a sign behind an operator needs parentheses, as in a * (-b)");
        parse_advance(p);
        return node_unary(p, sign, parse_primary(p), begin);
    }
    case TOKEN_NOT:
    case TOKEN_C_NOT:
        parse_complain(p, p->token.span, "'not' needs parentheses here, as in a == (not b)");
        parse_advance(p);
        return node_unary(p, SYNTAX_NOT, parse_primary(p), begin);
    case TOKEN_IF:
        if (p->token.begins_line)
            break;
        parse_complain(p, p->token.span, "an if-expression needs parentheses behind an operator");
        return parse_expression(p);
    case TOKEN_TIMES: {
        Diagnostic *error = parse_fail(p, p->token.span, "expected an expression, found '*'");
        parse_note(p, error, p->token.span, "the power of a to b is a^b");
        return node_error(p);
    }
    default:
        break;
    }
    parse_fail_expected(p, "an expression");
    return node_error(p);
}

// `end` closes something if a name or a keyword of a block follows it.
static bool is_at_end_subscript(Parser *p)
{
    if (p->subscript_depth == 0)
        return false;
    switch (parse_peek(p)) {
    case TOKEN_IDENTIFIER:
    case TOKEN_IF:
    case TOKEN_FOR:
    case TOKEN_WHEN:
    case TOKEN_WHILE:
        return false;
    default:
        return true;
    }
}

static Expression *parse_keyword_call(Parser *p, const Name *name)
{
    return parse_function_call_args(p, keyword_reference(p, name));
}

static Expression *parse_compound_primary(Parser *p)
{
    switch (p->token.kind) {
    case TOKEN_IDENTIFIER:
    case TOKEN_DOT:
        return parse_reference_or_call(p);
    case TOKEN_LEFT_PARENTHESIS:
        return parse_parenthesis(p);
    case TOKEN_LEFT_BRACKET:
        return parse_matrix(p);
    case TOKEN_LEFT_BRACE:
        return parse_array_arguments(p);
    case TOKEN_DER:
        return parse_keyword_call(p, p->der_name);
    case TOKEN_INITIAL:
        return parse_keyword_call(p, p->initial_name);
    case TOKEN_PURE:
        return parse_keyword_call(p, p->pure_name);
    default:
        return parse_mistaken_primary(p);
    }
}

// primary :
//    UNSIGNED-NUMBER
//    | STRING
//    | false
//    | true
//    | ( component-reference | der | initial | pure ) function-call-args
//    | component-reference
//    | "(" output-expression-list ")" [ ( array-subscripts | "." IDENT ) ]
//    | "[" expression-list { ";" expression-list } "]"
//    | "{" array-arguments "}"
//    | end
Expression *parse_primary(Parser *p)
{
    if (p->is_recovering)
        return node_error(p);
    switch (p->token.kind) {
    case TOKEN_INTEGER:
    case TOKEN_REAL:
    case TOKEN_STRING:
    case TOKEN_FALSE:
    case TOKEN_TRUE:
        return parse_literal(p);
    case TOKEN_END:
        if (is_at_end_subscript(p)) {
            uint32_t begin = p->token.span.begin;
            parse_advance(p);
            return node_new(p, EXPRESSION_END, begin);
        }
        break;
    default:
        break;
    }
    Expression *e = parse_enter(p) ? parse_compound_primary(p) : node_error(p);
    parse_leave(p);
    return e;
}
