// SPDX-License-Identifier: MIT
//
// Section A.2.5 of the specification: modifications; and what decorates everything: descriptions
// and annotations.

#include "modelica/parse.h"

// modification-expression :
//    expression
//    | break
static void parse_modification_expression(Parser *p, Modification *m)
{
    if (parse_accept(p, TOKEN_BREAK))
        m->is_break = true;
    else
        m->value = parse_expression(p);
}

// modification :
//    class-modification [ "=" modification-expression ]
//    | "=" modification-expression
//    | ":=" modification-expression
//
// The last form is deprecated, but old libraries have it.
Modification *parse_modification(Parser *p)
{
    uint32_t begin = p->token.span.begin;
    Modification *m = NULL;
    if (parse_at(p, TOKEN_LEFT_PARENTHESIS))
        m = parse_class_modification(p);
    bool is_value =
        parse_at(p, TOKEN_EQUALS) || parse_at(p, TOKEN_EQUAL) || (parse_at(p, TOKEN_ASSIGN) && !m);
    if (!is_value)
        return m;
    if (!m)
        m = ARENA_NEW(p->arena, Modification);
    if (parse_at(p, TOKEN_EQUAL))
        parse_complain(p, p->token.span, "a value is given with '=', not '=='");
    m->is_assignment = p->token.kind == TOKEN_ASSIGN;
    parse_advance(p);
    parse_modification_expression(p, m);
    m->span = parse_span_from(p, begin);
    return m;
}

// element-modification :
//    name [ modification ] description-string
static void parse_element_modification(Parser *p, Argument *a)
{
    a->kind = ARGUMENT_MODIFICATION;
    a->name = parse_name(p, "the name of what is modified");
    if (parse_at(p, TOKEN_LEFT_BRACKET))
        parse_fail(p, p->token.span,
                   "the name in a modifier cannot have subscripts; "
                   "give a value to the whole array");
    a->modification = parse_modification(p);
    uint32_t begin = p->token.span.begin;
    String text = parse_description_string(p);
    if (text.text) {
        a->description = ARENA_NEW(p->arena, Description);
        a->description->text = text;
        a->description->span = parse_span_from(p, begin);
    }
}

// element-modification-or-replaceable :
//    [ each ] [ final ] ( element-modification | element-replaceable )
//
// argument :
//    element-modification-or-replaceable
//    | element-redeclaration
static void parse_argument(Parser *p, Argument *a)
{
    if (parse_at(p, TOKEN_IDENTIFIER)) {
        parse_element_modification(p, a);
        return;
    }
    if (parse_redeclaration_prefixes(p, a))
        a->kind = ARGUMENT_ELEMENT;
    else
        parse_element_modification(p, a);
}

// inheritance-modification :
//    break ( connect-equation | IDENT )
static void parse_inheritance_modification(Parser *p, Argument *a)
{
    parse_advance(p);
    if (parse_at(p, TOKEN_CONNECT)) {
        Equation *connect = parse_connect_equation(p);
        a->kind = ARGUMENT_BREAK_CONNECT;
        a->from = connect->connect.from;
        a->to = connect->connect.to;
    } else {
        a->kind = ARGUMENT_BREAK_COMPONENT;
        a->name = parse_name(p, "the name of a component or 'connect'");
        if (a->name->count > 1)
            parse_complain(p, a->name->span,
                           "'break' takes a component of the class itself, "
                           "not of one of its components");
    }
}

static void parse_argument_or_inheritance_modification(Parser *p, bool is_extends)
{
    Argument *a = ARENA_NEW(p->arena, Argument);
    uint32_t begin = p->token.span.begin;
    if (parse_at(p, TOKEN_BREAK)) {
        if (!is_extends)
            parse_complain(p, p->token.span,
                           "'break' removes something inherited; "
                           "it stands only in the modifiers of 'extends'");
        parse_inheritance_modification(p, a);
    } else {
        parse_argument(p, a);
    }
    a->span = parse_span_from(p, begin);
    PARSE_PUSH(p, a);
}

// argument-list :
//    argument { "," argument }
//
// argument-or-inheritance-modification-list :
//    ( argument | inheritance-modification ) { "," ( argument | inheritance-modification ) }
static void parse_argument_list(Parser *p, Modification *m, bool is_extends)
{
    size_t mark = p->stack_size;
    do
        parse_argument_or_inheritance_modification(p, is_extends);
    while (parse_accept_separator(p));
    m->arguments = PARSE_TAKE(p, mark, Argument *, &m->count);
}

static Modification *parse_arguments_in_parentheses(Parser *p, bool is_extends)
{
    Modification *m = ARENA_NEW(p->arena, Modification);
    uint32_t begin = p->token.span.begin;
    m->has_arguments = true;
    if (parse_enter(p)) {
        parse_expect(p, TOKEN_LEFT_PARENTHESIS, "before the modifiers");
        if (!parse_at(p, TOKEN_RIGHT_PARENTHESIS))
            parse_argument_list(p, m, is_extends);
        parse_expect_closing(p, TOKEN_RIGHT_PARENTHESIS, "behind the modifiers", begin);
    }
    parse_leave(p);
    m->span = parse_span_from(p, begin);
    return m;
}

// class-modification :
//    "(" [ argument-list ] ")"
Modification *parse_class_modification(Parser *p)
{
    return parse_arguments_in_parentheses(p, false);
}

// class-or-inheritance-modification :
//    "(" [ argument-or-inheritance-modification-list ] ")"
Modification *parse_class_or_inheritance_modification(Parser *p)
{
    return parse_arguments_in_parentheses(p, true);
}

// annotation-clause :
//    annotation class-modification
Modification *parse_annotation_clause(Parser *p)
{
    bool was_in_annotation = p->is_in_annotation;
    parse_advance(p);
    p->is_in_annotation = true;
    Modification *m = parse_class_modification(p);
    p->is_in_annotation = was_in_annotation;
    return m;
}

// description-string :
//    [ STRING { "+" STRING } ]
String parse_description_string(Parser *p)
{
    String first = {0};
    if (!parse_at(p, TOKEN_STRING))
        return first;
    first = p->token.string;
    parse_advance(p);
    if (!parse_at(p, TOKEN_PLUS))
        return first;
    StringBuilder text = builder_create(p->arena);
    builder_append(&text, first.text, first.length);
    while (parse_accept(p, TOKEN_PLUS)) {
        if (!parse_at(p, TOKEN_STRING)) {
            parse_fail_expected(p, "a string behind '+' in the description");
            break;
        }
        builder_append(&text, p->token.string.text, p->token.string.length);
        parse_advance(p);
    }
    return builder_string(&text);
}

// description :
//    description-string [ annotation-clause ]
Description *parse_description(Parser *p)
{
    if (!parse_at(p, TOKEN_STRING) && !parse_at(p, TOKEN_ANNOTATION))
        return NULL;
    // An annotation on a new line behind something that lacks its ';' is still taken: that is how
    // most of them are written.
    Description *d = ARENA_NEW(p->arena, Description);
    uint32_t begin = p->token.span.begin;
    d->text = parse_description_string(p);
    if (parse_at(p, TOKEN_ANNOTATION))
        d->annotation = parse_annotation_clause(p);
    d->span = parse_span_from(p, begin);
    return d;
}
