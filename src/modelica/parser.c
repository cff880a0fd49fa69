// SPDX-License-Identifier: MIT
//
// The parser's entry, its tokens, and what it does about errors.

#include "modelica/parser.h"

#include "external/external.h"
#include "modelica/parse.h"

// ---------------------------------------------------------------------------
// Compilation
// ---------------------------------------------------------------------------

static Compilation *create_parts(Arena *arena)
{
    Compilation *c = ARENA_NEW(arena, Compilation);
    c->arena = arena;
    c->sources = sources_create(arena);
    c->names = names_create(arena);
    c->diagnostics = diagnostics_create(arena, c->sources);
    lexer_mark_keywords(c->names);
    return c;
}

Compilation *compilation_create(const SaltusAllocator *allocator)
{
    Arena *arena = arena_create(allocator);
    if (!arena)
        return NULL;
    jmp_buf exhaustion;
    arena_on_exhaustion(arena, &exhaustion);
    if (setjmp(exhaustion) != 0) {
        arena_destroy(arena);
        return NULL;
    }
    Compilation *c = create_parts(arena);
    arena_on_exhaustion(arena, NULL);
    c->externals = store_create();
    if (c->externals)
        return c;
    arena_destroy(arena);
    return NULL;
}

void compilation_destroy(Compilation *compilation)
{
    if (!compilation)
        return;
    store_destroy(compilation->externals);
    arena_destroy(compilation->arena);
}

// ---------------------------------------------------------------------------
// Tokens
// ---------------------------------------------------------------------------

void parse_advance(Parser *p)
{
    p->last_end = p->token.span.end;
    p->last_had_error = p->token.has_error;
    if (p->has_ahead) {
        p->token = p->ahead;
        p->has_ahead = false;
    } else {
        p->token = lexer_next(&p->lexer);
    }
}

TokenKind parse_peek(Parser *p)
{
    if (!p->has_ahead) {
        p->ahead = lexer_next(&p->lexer);
        p->has_ahead = true;
    }
    return p->ahead.kind;
}

const char *parse_found(Parser *p)
{
    if (p->is_recovering)
        return ""; // nobody will see it
    StringBuilder text = builder_create(p->arena);
    String source = sources_text(p->compilation->sources, p->token.span);
    TokenKind kind = p->token.kind;
    if (kind == TOKEN_END_OF_FILE)
        builder_append_text(&text, "the end of the file");
    else if (token_is_keyword(kind))
        builder_append_format(&text, "keyword '%s'", token_text(kind));
    else if (kind == TOKEN_STRING)
        builder_append_text(&text, "a string");
    else if (kind == TOKEN_IDENTIFIER)
        builder_append_format(&text, "identifier '%.*s'", STRING_ARGUMENTS(source));
    else if (kind == TOKEN_INTEGER || kind == TOKEN_REAL)
        builder_append_format(&text, "number %.*s", STRING_ARGUMENTS(source));
    else
        builder_append_format(&text, "'%s'", token_text(kind));
    return builder_string(&text).text;
}

bool parse_expect(Parser *p, TokenKind kind, const char *where)
{
    if (parse_accept(p, kind))
        return true;
    parse_fail(p, p->token.span, "expected '%s' %s, found %s", token_text(kind), where,
               parse_found(p));
    return false;
}

void parse_expect_closing(Parser *p, TokenKind kind, const char *where, uint32_t opened)
{
    if (parse_accept(p, kind))
        return;
    Diagnostic *error = parse_fail(p, p->token.span, "expected '%s' %s, found %s", token_text(kind),
                                   where, parse_found(p));
    const Sources *sources = p->compilation->sources;
    if (error && sources_locate(sources, opened).line != sources_locate(sources, p->last_end).line)
        parse_note(p, error, (Span){opened, opened + 1}, "what is to be closed begins here");
}

bool parse_accept_separator(Parser *p)
{
    if (parse_accept(p, TOKEN_COMMA))
        return true;
    if (!parse_at(p, TOKEN_SEMICOLON))
        return false;
    TokenKind next = parse_peek(p);
    if (p->ahead.begins_line || next == TOKEN_END_OF_FILE)
        return false;
    parse_complain(p, p->token.span, "arguments are separated by ',', not ';'");
    parse_advance(p);
    return true;
}

const Name *parse_identifier(Parser *p, const char *what, Span *span)
{
    Token token = p->token;
    *span = token.span;
    if (parse_accept(p, TOKEN_IDENTIFIER))
        return token.name;
    // A keyword at the beginning of a line more likely begins something else.
    if (!p->is_recovering && token_is_keyword(token.kind) && !token.begins_line) {
        Diagnostic *error = parse_complain(p, token.span, "expected %s, but '%s' is a keyword",
                                           what, token_text(token.kind));
        parse_note(p, error, token.span, "quoted it is an identifier: '%s' with the quotes",
                   token_text(token.kind));
        parse_advance(p);
        return token.name;
    }
    parse_fail_expected(p, what);
    *span = (Span){p->last_end, p->last_end};
    return NULL;
}

// ---------------------------------------------------------------------------
// Errors
// ---------------------------------------------------------------------------

static Diagnostic *parser_report(Parser *p, Span span, const char *format, va_list arguments)
{
    StringBuilder message = builder_create(p->arena);
    builder_append_formatted(&message, format, arguments);
    if (p->token.kind == TOKEN_END_OF_FILE && span.begin == p->token.span.begin)
        span = (Span){p->last_end, p->last_end}; // behind the last line that has something
    return lexer_error(&p->lexer, span, "%s", builder_string(&message).text);
}

Diagnostic *parse_fail(Parser *p, Span span, const char *format, ...)
{
    if (p->is_recovering)
        return NULL;
    p->is_recovering = true;
    p->error_bracket_depth = p->bracket_depth;
    if (p->token.has_error || p->last_had_error)
        return NULL; // the lexer's message about it is enough
    va_list arguments;
    va_start(arguments, format);
    Diagnostic *error = parser_report(p, span, format, arguments);
    va_end(arguments);
    return error;
}

Diagnostic *parse_complain(Parser *p, Span span, const char *format, ...)
{
    if (p->is_recovering)
        return NULL;
    va_list arguments;
    va_start(arguments, format);
    Diagnostic *error = parser_report(p, span, format, arguments);
    va_end(arguments);
    return error;
}

void parse_note(Parser *p, Diagnostic *of, Span span, const char *format, ...)
{
    if (!of)
        return;
    va_list arguments;
    va_start(arguments, format);
    StringBuilder message = builder_create(p->arena);
    builder_append_formatted(&message, format, arguments);
    va_end(arguments);
    diagnostics_note(p->compilation->diagnostics, of, span, "%s", builder_string(&message).text);
}

void parse_fail_expected(Parser *p, const char *what)
{
    if (!p->is_recovering)
        parse_fail(p, p->token.span, "expected %s, found %s", what, parse_found(p));
}

bool parse_enter(Parser *p)
{
    p->depth++;
    if (p->depth <= SYNTAX_DEPTH_MAXIMUM)
        return true;
    parse_fail(p, p->token.span, "this is nested more than %d levels deep", SYNTAX_DEPTH_MAXIMUM);
    lexer_stop(&p->lexer);
    p->token.kind = TOKEN_END_OF_FILE;
    p->has_ahead = false;
    return false;
}

// ---------------------------------------------------------------------------
// Recovery
// ---------------------------------------------------------------------------

static bool begins_block(TokenKind kind)
{
    return kind == TOKEN_IF || kind == TOKEN_FOR || kind == TOKEN_WHEN || kind == TOKEN_WHILE;
}

static bool closes(const Opened *opened, const Token *what)
{
    if (opened->kind != TOKEN_IDENTIFIER)
        return what->kind == opened->kind;
    return (what->kind == TOKEN_IDENTIFIER || token_is_keyword(what->kind)) &&
           what->name == opened->name;
}

static bool closes_any(const Opened *opened, const Token *what)
{
    for (; opened; opened = opened->outer)
        if (closes(opened, what))
            return true;
    return false;
}

// Whether the `end` that is the current token closes something, rightly or not.
static bool is_closing(Parser *p)
{
    TokenKind next = parse_peek(p);
    if (p->token.begins_line && (next == TOKEN_IDENTIFIER || begins_block(next)))
        return true;
    return closes_any(p->opened, &p->ahead);
}

// Whether the current token begins or ends something whatever stood before it.
static bool is_landmark(Parser *p)
{
    switch (p->token.kind) {
    case TOKEN_EQUATION:
    case TOKEN_ALGORITHM:
    case TOKEN_PUBLIC:
    case TOKEN_PROTECTED:
        return true;
    case TOKEN_END: // but x[end]
        return is_closing(p);
    case TOKEN_INITIAL: { // but initial()
        TokenKind next = parse_peek(p);
        return next == TOKEN_EQUATION || next == TOKEN_ALGORITHM;
    }
    case TOKEN_CONNECT:
    case TOKEN_IF:
    case TOKEN_FOR:
    case TOKEN_WHEN:
    case TOKEN_WHILE:
    case TOKEN_ANNOTATION:
    case TOKEN_EXTENDS:
    case TOKEN_IMPORT:
    case TOKEN_PARAMETER:
    case TOKEN_CONSTANT:
        return p->token.begins_line;
    default:
        return p->token.begins_line && parse_begins_class(p);
    }
}

// Whether the ';' that is the current token stands within a matrix, [1, 2; 3, 4]: a ']' comes
// before anything that only stands between matrices. Looks not too far and not too often, so that
// its cost stays small whatever the text.
static bool is_within_matrix(Parser *p)
{
    enum { FAR = 200, OFTEN = 64 };
    if (++p->matrix_lookups > OFTEN)
        return false;
    Lexer lexer = p->lexer; // the lexer is behind the ';' unless a token was looked at already
    lexer.is_silent = true;
    Token token = p->has_ahead ? p->ahead : lexer_next(&lexer);
    for (int i = 0; i < FAR; i++, token = lexer_next(&lexer)) {
        switch (token.kind) {
        case TOKEN_RIGHT_BRACKET:
            return true;
        case TOKEN_END_OF_FILE:
        case TOKEN_EQUALS:
        case TOKEN_ASSIGN:
        case TOKEN_END:
        case TOKEN_LEFT_BRACKET:
            return false;
        default:
            break;
        }
    }
    return false;
}

void parse_synchronize(Parser *p)
{
    unsigned brackets = p->error_bracket_depth;
    for (bool is_first = true;; is_first = false) {
        TokenKind kind = p->token.kind;
        if (kind == TOKEN_END_OF_FILE)
            return; // recovering to the end: nothing more is worth a message
        if (kind == TOKEN_RIGHT_BRACKET && brackets > 0)
            brackets--;
        if (kind == TOKEN_SEMICOLON && (brackets == 0 || !is_within_matrix(p))) {
            parse_advance(p);
            break;
        }
        if (!is_first && is_landmark(p))
            break;
        if (is_first && (kind == TOKEN_END || p->token.begins_line) && is_landmark(p))
            break;
        parse_advance(p);
    }
    p->is_recovering = false;
}

void parse_ensure_progress(Parser *p, uint32_t before)
{
    if (p->token.span.begin != before || p->token.kind == TOKEN_END_OF_FILE)
        return;
    parse_advance(p);
    p->is_recovering = true;
    parse_synchronize(p);
}

// Whether a ';' is what is missing: the token begins a new line, and nothing could go on with it.
static bool is_semicolon_missing(Parser *p)
{
    TokenKind kind = p->token.kind;
    if (kind == TOKEN_END_OF_FILE || is_landmark(p))
        return true;
    if (kind == TOKEN_ELSE || kind == TOKEN_ELSEIF || kind == TOKEN_ELSEWHEN)
        return true;
    return p->token.begins_line && (kind == TOKEN_IDENTIFIER || token_is_keyword(kind));
}

// Descriptions in single quotes are identifiers.
static void note_quotes(Parser *p, Diagnostic *error)
{
    if (p->token.kind == TOKEN_IDENTIFIER && p->token.name->text[0] == '\'')
        parse_note(p, error, p->token.span, "a string stands in double quotes: \"text\"");
}

void parse_semicolon(Parser *p, const char *what)
{
    if (parse_accept(p, TOKEN_SEMICOLON))
        return;
    if (!p->is_recovering && is_semicolon_missing(p)) {
        Span behind = {p->last_end, p->last_end};
        if (!p->last_had_error)
            parse_complain(p, behind, "missing ';' behind %s", what);
        return;
    }
    if (!p->is_recovering) {
        Diagnostic *error =
            parse_fail(p, p->token.span, "expected ';' behind %s, found %s", what, parse_found(p));
        note_quotes(p, error);
        if (p->token.kind == TOKEN_EQUALS && strcmp(what, "the equation") == 0)
            parse_note(p, error, p->token.span, "'==' compares two values: b = (x == y)");
        else if (p->token.kind == TOKEN_COMMA && parse_peek(p) == TOKEN_INTEGER)
            parse_note(p, error, p->token.span, "numbers have a decimal point: 2.5");
    }
    parse_synchronize(p);
}

// ---------------------------------------------------------------------------
// What is open
// ---------------------------------------------------------------------------

void parse_open(Parser *p, Opened *opened, TokenKind kind, const Name *name, Span span)
{
    *opened = (Opened){.kind = kind, .name = name, .span = span, .outer = p->opened};
    p->opened = opened;
}

// The `end ...` of something open, as text.
static const char *closing_text(Parser *p, const Opened *opened)
{
    StringBuilder text = builder_create(p->arena);
    builder_append_format(&text, "end %s",
                          opened->name ? opened->name->text : token_text(opened->kind));
    return builder_string(&text).text;
}

static void note_opened(Parser *p, Diagnostic *error, const Opened *opened)
{
    if (opened->kind != TOKEN_IDENTIFIER)
        parse_note(p, error, opened->span, "'%s' begins here", token_text(opened->kind));
    else
        parse_note(p, error, opened->span, "class '%s' begins here", opened->name->text);
    if (span_is_known(opened->else_if))
        parse_note(p, error, opened->else_if,
                   "'else if' begins another 'if'; one more branch is 'elseif'");
}

// The current token is no `end`, or an `end` of something else.
static void report_unclosed(Parser *p, const Opened *opened)
{
    Diagnostic *error;
    if (opened->kind == TOKEN_IDENTIFIER && !opened->name) {
        p->is_recovering = true; // that its name is missing was said already
        return;
    }
    if (p->token.kind == TOKEN_END) {
        String other = sources_text(p->compilation->sources, p->ahead.span);
        error = parse_fail(p, span_join(p->token.span, p->ahead.span),
                           "expected '%s' before 'end %.*s'", closing_text(p, opened),
                           STRING_ARGUMENTS(other));
    } else {
        error = parse_fail(p, p->token.span, "expected '%s', found %s", closing_text(p, opened),
                           parse_found(p));
    }
    note_opened(p, error, opened);
}

// At `end`, with another name or keyword behind it than expected.
static void close_wrongly(Parser *p, const Opened *opened)
{
    if (closes_any(opened->outer, &p->ahead)) {
        report_unclosed(p, opened); // and leave the `end` to the other
        return;
    }
    TokenKind kind = parse_peek(p);
    bool is_name = kind == TOKEN_IDENTIFIER || (token_is_keyword(kind) && !p->ahead.begins_line);
    parse_advance(p);
    Span span = is_name ? p->token.span : (Span){p->last_end, p->last_end};
    Diagnostic *error =
        parse_complain(p, span, "expected '%s', found %s", closing_text(p, opened), parse_found(p));
    note_opened(p, error, opened);
    if (is_name)
        parse_advance(p);
}

void parse_close(Parser *p)
{
    Opened *opened = p->opened;
    p->opened = opened->outer;
    if (p->is_recovering)
        return;
    if (p->token.kind != TOKEN_END) {
        report_unclosed(p, opened);
        return;
    }
    parse_peek(p);
    // A class whose own name is missing takes any, or none.
    bool is_nameless = opened->kind == TOKEN_IDENTIFIER && !opened->name;
    if (!closes(opened, &p->ahead) && !is_nameless) {
        close_wrongly(p, opened);
        return;
    }
    parse_advance(p);
    if (!is_nameless || p->token.kind == TOKEN_IDENTIFIER)
        parse_advance(p);
}

bool parse_stray_end(Parser *p)
{
    if (!parse_at(p, TOKEN_END) || !begins_block(parse_peek(p)))
        return false;
    Span span = span_join(p->token.span, p->ahead.span);
    // After an error its `if` may just have been skipped.
    if (p->lexer.error_count == 0)
        parse_complain(p, span, "'end %s' without '%s'", token_text(p->ahead.kind),
                       token_text(p->ahead.kind));
    parse_advance(p);
    parse_advance(p);
    parse_accept(p, TOKEN_SEMICOLON);
    return true;
}

// ---------------------------------------------------------------------------
// Lists
// ---------------------------------------------------------------------------

void parse_push(Parser *p, const void *item, size_t size)
{
    size_t needed = p->stack_size + size;
    if (needed > p->stack_capacity) {
        size_t capacity = p->stack_capacity ? p->stack_capacity * 2 : 4096;
        while (capacity < needed)
            capacity *= 2;
        p->stack = arena_grow(p->arena, p->stack, p->stack_capacity, capacity);
        p->stack_capacity = capacity;
    }
    memcpy(p->stack + p->stack_size, item, size);
    p->stack_size = needed;
}

void *parse_take(Parser *p, size_t mark, size_t item_size, uint32_t *count)
{
    size_t bytes = p->stack_size - mark;
    *count = (uint32_t)(bytes / item_size);
    if (bytes == 0)
        return NULL;
    void *items = arena_allocate(p->arena, bytes);
    memcpy(items, p->stack + mark, bytes);
    p->stack_size = mark;
    return items;
}

// ---------------------------------------------------------------------------
// Entry
// ---------------------------------------------------------------------------

static Parser *parser_start(Compilation *compilation, const SourceFile *file)
{
    Parser *p = ARENA_NEW(compilation->arena, Parser);
    p->compilation = compilation;
    p->arena = compilation->arena;
    p->der_name = names_intern_text(compilation->names, "der");
    p->initial_name = names_intern_text(compilation->names, "initial");
    p->pure_name = names_intern_text(compilation->names, "pure");
    lexer_start(&p->lexer, compilation, file);
    p->last_end = file->base;
    p->token = lexer_next(&p->lexer);
    return p;
}

static Expression *expression_alone(Parser *p)
{
    size_t errors = p->compilation->diagnostics->error_count;
    Expression *expression = parse_expression(p);
    if (!p->is_recovering && p->token.kind != TOKEN_END_OF_FILE)
        parse_fail_expected(p, "the end of the expression");
    return p->compilation->diagnostics->error_count == errors ? expression : NULL;
}

// Whichever of the two is not NULL; nothing if there is no memory.
static void parse_guarded(Compilation *compilation, const SourceFile *file,
                          StoredDefinition **definition, Expression **expression)
{
    Arena *arena = compilation->arena;
    jmp_buf exhaustion;
    jmp_buf *outer = arena_on_exhaustion(arena, &exhaustion);
    if (setjmp(exhaustion) == 0) {
        Parser *p = parser_start(compilation, file);
        if (expression)
            *expression = expression_alone(p);
        else
            *definition = parse_stored_definition(p);
        arena_on_exhaustion(arena, outer);
        return;
    }
    arena_on_exhaustion(arena, outer);
    diagnostics_out_of_memory(compilation->diagnostics);
}

StoredDefinition *parser_parse(Compilation *compilation, const SourceFile *file)
{
    StoredDefinition *definition = NULL;
    parse_guarded(compilation, file, &definition, NULL);
    return definition;
}

Expression *parser_parse_expression(Compilation *compilation, const SourceFile *file)
{
    Expression *expression = NULL;
    parse_guarded(compilation, file, NULL, &expression);
    return expression;
}
