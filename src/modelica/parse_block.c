// SPDX-License-Identifier: MIT
//
// Section A.2.6 of the specification: what equations and statements share, that is where they
// stand: sections, and the branches of if and when.

#include "modelica/parse.h"

// No equation or statement can begin here.
static bool parse_ends_section(Parser *p)
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

// An `end if`, `else` (...) outside of everything it could belong to: reports and skips it.
static bool parse_stray_branch(Parser *p)
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

bool parse_section_goes_on(Parser *p, uint32_t *begin)
{
    do
        *begin = p->token.span.begin;
    while (parse_stray_branch(p));
    parse_correct_section(p);
    return !parse_ends_section(p);
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

// { some-equation ";" } | { statement ";" }, of a section that begins at `begin`
static void parse_section_body(Parser *p, Section *section, uint32_t begin)
{
    if (section->is_algorithm)
        section->statements = parse_statements(p, &section->count);
    else
        section->equations = parse_equations(p, &section->count);
    section->span = parse_span_from(p, begin);
}

// equation-section :
//    [ initial ] equation { some-equation ";" }
//
// algorithm-section :
//    [ initial ] algorithm { statement ";" }
Section *parse_section(Parser *p)
{
    Section *section = ARENA_NEW(p->arena, Section);
    uint32_t begin = p->token.span.begin;
    section->is_initial = parse_accept(p, TOKEN_INITIAL);
    section->is_algorithm = p->token.kind == TOKEN_ALGORITHM;
    parse_advance(p);
    parse_section_body(p, section, begin);
    return section;
}

// From `if`, `elseif`, `else`, `when` or `elsewhen` on:
//    [ expression then ] ( { some-equation ";" } | { statement ";" } )
static void parse_branch(Parser *p, bool is_algorithm, bool has_condition)
{
    Section branch = {.is_algorithm = is_algorithm};
    uint32_t begin = p->token.span.begin;
    parse_advance(p);
    if (has_condition) {
        branch.condition = parse_condition(p);
        parse_header_end(p, TOKEN_THEN, "behind the condition");
    }
    parse_section_body(p, &branch, begin);
    PARSE_PUSH(p, branch);
}

// if-equation, and if-statement with statements:
//    if expression then
//      { some-equation ";" }
//    { elseif expression then
//      { some-equation ";" }
//    }
//    [ else
//      { some-equation ";" }
//    ]
//    end if
Section *parse_if(Parser *p, bool is_algorithm, uint32_t *count)
{
    size_t mark = p->stack_size;
    Opened opened;
    parse_open(p, &opened, TOKEN_IF, NULL, p->token.span);
    do
        parse_branch(p, is_algorithm, true);
    while (parse_at(p, TOKEN_ELSEIF));
    if (parse_at(p, TOKEN_ELSE)) {
        if (parse_peek(p) == TOKEN_IF && !p->ahead.begins_line)
            opened.else_if = span_join(p->token.span, p->ahead.span);
        parse_branch(p, is_algorithm, false);
    }
    Section *branches = PARSE_TAKE(p, mark, Section, count);
    parse_close(p);
    return branches;
}

// when-equation, and when-statement with statements:
//    when expression then
//      { some-equation ";" }
//    { elsewhen expression then
//      { some-equation ";" }
//    }
//    end when
Section *parse_when(Parser *p, bool is_algorithm, uint32_t *count)
{
    size_t mark = p->stack_size;
    Opened opened;
    parse_open(p, &opened, TOKEN_WHEN, NULL, p->token.span);
    do
        parse_branch(p, is_algorithm, true);
    while (parse_at(p, TOKEN_ELSEWHEN));
    Section *branches = PARSE_TAKE(p, mark, Section, count);
    parse_close(p);
    return branches;
}
