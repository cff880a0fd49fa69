// SPDX-License-Identifier: MIT
//
// The text ends with a zero byte, so looking at the next byte needs no check of the end; a zero
// byte before the end is an unexpected character like others. Each byte is looked at a bounded
// number of times.

#include "modelica/lexer.h"

#include "base/number.h"

enum { MOST_ERRORS = 50, MOST_WARNINGS = 50, LONGEST_MESSAGE = 300 };

const char *token_text(TokenKind kind)
{
    static const char *const texts[] = {"end of file",
                                        "identifier",
                                        "number",
                                        "number",
                                        "string",
#define X(name, text) text,
                                        LEXER_SYMBOL_LIST(X) LEXER_KEYWORD_LIST(X)
#undef X
    };
    return texts[kind];
}

// ---------------------------------------------------------------------------
// Characters
// ---------------------------------------------------------------------------

enum {
    LETTER = 1, // and underscore
    DIGIT = 2,
    SPACE = 4,  // without line breaks
    STRING = 8, // stands for itself in a string
};

// clang-format off
#define S STRING
#define L (LETTER | STRING)
#define D (DIGIT | STRING)
#define W (SPACE | STRING)
static const uint8_t classes[256] = {
    0, S, S, S, S, S, S, S, S, W, S, W, W, 0, S, S, // tab, vertical tab, form feed
    S, S, S, S, S, S, S, S, S, S, S, S, S, S, S, S,
    W, S, 0, S, S, S, S, S, S, S, S, S, S, S, S, S, // not '"'
    D, D, D, D, D, D, D, D, D, D, S, S, S, S, S, S,
    S, L, L, L, L, L, L, L, L, L, L, L, L, L, L, L,
    L, L, L, L, L, L, L, L, L, L, L, S, 0, S, S, L, // not backslash
    S, L, L, L, L, L, L, L, L, L, L, L, L, L, L, L,
    L, L, L, L, L, L, L, L, L, L, L, S, S, S, S, S,
};
#undef S
#undef L
#undef D
#undef W
// clang-format on

static bool has_class(char c, unsigned which)
{
    return (classes[(unsigned char)c] & which) != 0;
}

static uint32_t position(const Lexer *lexer, const char *at)
{
    return lexer->file->base + (uint32_t)(at - lexer->file->text);
}

static Span span_from(const Lexer *lexer, const char *begin, const char *end)
{
    return (Span){position(lexer, begin), position(lexer, end)};
}

// ---------------------------------------------------------------------------
// Errors
// ---------------------------------------------------------------------------

void lexer_stop(Lexer *lexer)
{
    lexer->is_stopped = true;
    lexer->cursor = lexer->end;
}

// An identifier may have a million letters; a message must not.
static String cut_message(String text)
{
    if (text.length > LONGEST_MESSAGE) {
        text.length = LONGEST_MESSAGE;
        while (((unsigned char)text.text[text.length] & 0xC0) == 0x80)
            text.length--;
    }
    return text;
}

Diagnostic *lexer_error(Lexer *lexer, Span span, const char *format, ...)
{
    Diagnostics *d = lexer->compilation->diagnostics;
    if (lexer->is_silent || lexer->is_stopped)
        return ARENA_NEW(d->arena, Diagnostic); // not part of the list
    va_list arguments;
    va_start(arguments, format);
    StringBuilder message = builder_create(d->arena);
    builder_append_formatted(&message, format, arguments);
    va_end(arguments);
    String text = cut_message(builder_string(&message));
    Diagnostic *diagnostic = diagnostics_error(d, span, "%.*s", STRING_ARGUMENTS(text));
    if (++lexer->error_count == MOST_ERRORS) {
        diagnostics_note(d, diagnostic, (Span){0}, "too many errors, the rest of '%s' is not read",
                         lexer->file->name);
        lexer_stop(lexer);
    }
    return diagnostic;
}

void lexer_warning(Lexer *lexer, Span span, const char *text)
{
    if (!lexer->is_silent && lexer->warning_count++ < MOST_WARNINGS)
        diagnostics_warning(lexer->compilation->diagnostics, span, "%s", text);
}

static void lexer_note(Lexer *lexer, Diagnostic *of, const char *text)
{
    diagnostics_note(lexer->compilation->diagnostics, of, of->span, "%s", text);
}

// Passes one character beyond ASCII; the first that is not UTF-8 is worth a warning.
static const char *pass_character(Lexer *lexer, const char *s)
{
    size_t length = utf8_length(s, (size_t)(lexer->end - s));
    if (length)
        return s + length;
    if (!lexer->has_bad_utf8 && !lexer->is_silent) {
        lexer->has_bad_utf8 = true;
        lexer_warning(lexer, span_from(lexer, s, s + 1), "the file is not encoded in UTF-8");
    }
    return s + 1;
}

// What stands in word processors and on slides where Modelica has something else.
static const char *suggestion(const char *s)
{
    static const struct {
        const char *character, *hint;
    } table[] = {
        {"\xE2\x80\x9C", "strings stand in straight quotes: \"text\""},
        {"\xE2\x80\x9D", "strings stand in straight quotes: \"text\""},
        {"\xE2\x80\x98", "quoted identifiers stand in straight quotes: 'x'"},
        {"\xE2\x80\x99", "quoted identifiers stand in straight quotes: 'x'"},
        {"\xE2\x88\x92", "the minus sign is '-'"},
        {"\xE2\x80\x93", "the minus sign is '-'"},
        {"\xC3\x97", "multiplication is '*'"},
        {"\xC2\xB7", "multiplication is '*'"},
        {"\xC2\xA0", "this is a space that does not break; write an ordinary one"},
        {"\xE2\x89\xA4", "less or equal is '<='"},
        {"\xE2\x89\xA5", "greater or equal is '>='"},
        {"\xE2\x89\xA0", "not equal is '<>'"},
        {"%", "the remainder is mod(a, b)"},
        {"&", "the conjunction is 'and'"},
        {"|", "the disjunction is 'or'"},
        {"#", "comments begin with '//'"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strncmp(s, table[i].character, strlen(table[i].character)) == 0)
            return table[i].hint;
    return NULL;
}

// Reports the character at s, passes it and all others of its kind that follow directly.
static const char *pass_unexpected(Lexer *lexer, const char *s)
{
    unsigned char c = (unsigned char)*s;
    size_t length = utf8_length(s, (size_t)(lexer->end - s));
    Span span = span_from(lexer, s, s + (length ? length : 1));
    Diagnostic *error;
    if (c < 0x20 || c == 0x7F)
        error = lexer_error(lexer, span, "unexpected control character (code %u)", c);
    else if (length == 0)
        error = lexer_error(lexer, span, "unexpected byte 0x%02X, which is not UTF-8", c);
    else
        error = lexer_error(lexer, span, "unexpected character '%.*s'", (int)length, s);
    const char *hint = suggestion(s);
    if (hint)
        lexer_note(lexer, error, hint);
    else if (c >= 0x80 && length)
        lexer_note(
            lexer, error,
            "beyond ASCII, characters stand only in strings and comments, not in identifiers");
    if (lexer->is_stopped)
        return lexer->end;
    const char *next = s + (length ? length : 1);
    if (c == '#') // a comment was meant
        while (next < lexer->end && *next != '\n' && *next != '\r')
            next++;
    if (c >= 0x80)
        while ((unsigned char)*next >= 0x80)
            next++;
    else
        while (next < lexer->end && *next == *s)
            next++;
    return next;
}

// ---------------------------------------------------------------------------
// White space and comments
// ---------------------------------------------------------------------------

static void keep_comment(Lexer *lexer, const char *begin, const char *end)
{
    if (lexer->is_silent)
        return;
    if (lexer->comment_count == lexer->comment_capacity) {
        uint32_t capacity = lexer->comment_capacity ? lexer->comment_capacity * 2 : 16;
        lexer->comments =
            arena_grow(lexer->compilation->arena, lexer->comments,
                       lexer->comment_capacity * sizeof(Span), capacity * sizeof(Span));
        lexer->comment_capacity = capacity;
    }
    lexer->comments[lexer->comment_count++] = span_from(lexer, begin, end);
}

static const char *pass_line_comment(Lexer *lexer, const char *s)
{
    const char *begin = s;
    while (s < lexer->end && *s != '\n' && *s != '\r')
        s = (unsigned char)*s < 0x80 ? s + 1 : pass_character(lexer, s);
    keep_comment(lexer, begin, s);
    return s;
}

static const char *pass_block_comment(Lexer *lexer, const char *s, bool *has_line_break)
{
    const char *begin = s;
    for (s += 2; s < lexer->end && !(s[0] == '*' && s[1] == '/');) {
        *has_line_break |= *s == '\n' || *s == '\r';
        s = (unsigned char)*s < 0x80 ? s + 1 : pass_character(lexer, s);
    }
    if (s < lexer->end) {
        keep_comment(lexer, begin, s + 2);
        return s + 2;
    }
    lexer_error(lexer, span_from(lexer, begin, begin + 2),
                "this comment has no end: '*/' is missing");
    lexer_stop(lexer);
    return lexer->end;
}

// Returns whether there was a line break.
static bool skip_blanks(Lexer *lexer)
{
    const char *s = lexer->cursor;
    bool has_line_break = false;
    for (;;) {
        while (has_class(*s, SPACE))
            s++;
        if (*s == '\n' || *s == '\r') {
            has_line_break = true;
            s++;
        } else if (s[0] == '/' && s[1] == '/') {
            s = pass_line_comment(lexer, s);
        } else if (s[0] == '/' && s[1] == '*') {
            s = pass_block_comment(lexer, s, &has_line_break);
        } else {
            break;
        }
    }
    lexer->cursor = s;
    return has_line_break;
}

// ---------------------------------------------------------------------------
// Identifiers, numbers, strings
// ---------------------------------------------------------------------------

// IDENT = NON-DIGIT { DIGIT | NON-DIGIT } | Q-IDENT
static void lex_identifier(Lexer *lexer, Token *token)
{
    const char *begin = lexer->cursor, *s = begin;
    uint32_t hash = names_hash_start();
    for (; has_class(*s, LETTER | DIGIT); s++)
        hash = names_hash_step(hash, (unsigned char)*s);
    token->name = names_intern_hashed(lexer->compilation->names, begin, (size_t)(s - begin), hash);
    token->kind = token->name->mark ? (TokenKind)token->name->mark : TOKEN_IDENTIFIER;
    lexer->cursor = s;
}

static bool is_escape(char c)
{
    return c != '\0' && strchr("'\"?\\abfnrtv", c) != NULL;
}

static void report_escape(Lexer *lexer, const char *s)
{
    size_t length = s + 1 < lexer->end ? utf8_length(s + 1, (size_t)(lexer->end - s - 1)) : 0;
    Diagnostic *error = lexer_error(lexer, span_from(lexer, s, s + 1 + length),
                                    "unknown escape sequence '%.*s'", (int)(1 + length), s);
    lexer_note(lexer, error, "a backslash itself is written '\\\\'");
}

// Q-IDENT = "'" { Q-CHAR | S-ESCAPE } "'"; the redundant escapes \? and \" are the bare characters.
static void lex_quoted_identifier(Lexer *lexer, Token *token)
{
    const char *begin = lexer->cursor, *s = begin + 1;
    StringBuilder text = builder_create(lexer->compilation->arena);
    builder_append_character(&text, '\'');
    while (*s != '\'') {
        if (s >= lexer->end || *s == '\n' || *s == '\r') {
            Diagnostic *error =
                lexer_error(lexer, span_from(lexer, begin, s),
                            "this quoted identifier has no end: a single quote is missing");
            if (begin > lexer->file->text && has_class(begin[-1], LETTER | DIGIT))
                lexer_note(lexer, error, "the derivative of x by time is der(x)");
            break;
        }
        if (s[0] == '\\' && is_escape(s[1])) {
            if (s[1] != '?' && s[1] != '"')
                builder_append_character(&text, '\\');
            builder_append_character(&text, s[1]);
            s += 2;
        } else if (s[0] == '\\') {
            report_escape(lexer, s++);
        } else if ((unsigned char)*s >= 0x80 || (unsigned char)*s < 0x20 || *s == 0x7F) {
            s = pass_unexpected(lexer, s);
        } else {
            builder_append_character(&text, *s++);
        }
    }
    s += *s == '\'' && s < lexer->end;
    builder_append_character(&text, '\'');
    String quoted = builder_string(&text);
    token->kind = TOKEN_IDENTIFIER;
    token->name = names_intern(lexer->compilation->names, quoted.text, quoted.length);
    lexer->cursor = lexer->is_stopped ? lexer->end : s;
}

// Digits, and what a Real has beyond them. Returns the end, sets *is_real.
static const char *scan_number(const char *s, bool *is_real)
{
    while (has_class(*s, DIGIT))
        s++;
    *is_real = *s == '.';
    if (*s == '.')
        for (s++; has_class(*s, DIGIT);)
            s++;
    if (*s == 'e' || *s == 'E') {
        const char *digits = s + 1 + (s[1] == '+' || s[1] == '-');
        if (has_class(*digits, DIGIT)) {
            *is_real = true;
            for (s = digits; has_class(*s, DIGIT);)
                s++;
        }
    }
    return s;
}

static void set_integer(Lexer *lexer, Token *token, const char *begin, const char *end)
{
    int64_t value = 0;
    for (const char *s = begin; s < end; s++) {
        int digit = *s - '0';
        if (value > (INT64_MAX - digit) / 10) {
            lexer_error(lexer, span_from(lexer, begin, end),
                        "this Integer is larger than %lld; a Real has a decimal point",
                        (long long)INT64_MAX);
            break;
        }
        value = value * 10 + digit;
    }
    token->kind = TOKEN_INTEGER;
    token->integer = value;
}

static void set_real(Lexer *lexer, Token *token, const char *begin, const char *end)
{
    token->kind = TOKEN_REAL;
    number_read(begin, (size_t)(end - begin), &token->real); // the form is right
    if (token->real - token->real != 0) {
        lexer_error(lexer, span_from(lexer, begin, end),
                    "this number is larger than the largest Real");
        token->real = 0;
    }
}

// A word that follows a number directly. `1then` is two tokens; everything else is a mistake,
// which is reported and passed.
static const char *pass_word_after_number(Lexer *lexer, const char *word)
{
    const char *s = word;
    while (has_class(*s, LETTER | DIGIT))
        s++;
    const Name *name = names_find(lexer->compilation->names, word, (size_t)(s - word));
    if (name && name->mark)
        return word;
    if (s - word == 1 && (*word == 'e' || *word == 'E'))
        lexer_error(lexer, span_from(lexer, word, s), "the exponent has no digits");
    else
        lexer_error(lexer, span_from(lexer, word, s),
                    "'%.*s' follows a number directly; multiplication needs '*'", (int)(s - word),
                    word);
    return s;
}

// UNSIGNED-INTEGER, UNSIGNED-REAL
static void lex_number(Lexer *lexer, Token *token)
{
    const char *begin = lexer->cursor;
    bool is_real;
    const char *s = scan_number(begin, &is_real);
    if (is_real)
        set_real(lexer, token, begin, s);
    else
        set_integer(lexer, token, begin, s);
    if (has_class(*s, LETTER))
        s = pass_word_after_number(lexer, s);
    lexer->cursor = lexer->is_stopped ? lexer->end : s;
}

// The end of the string that begins at `s` (behind the quote): its closing quote, or the end of
// the file. Sets *is_plain if its value is the text as it stands.
static const char *scan_string(Lexer *lexer, const char *s, bool *is_plain)
{
    *is_plain = true;
    for (;;) {
        while (has_class(*s, STRING))
            s++;
        if (*s == '"' || s >= lexer->end)
            return s;
        if ((unsigned char)*s >= 0x80) {
            s = pass_character(lexer, s);
        } else if (*s == '\\' && s + 1 < lexer->end && (unsigned char)s[1] < 0x80) {
            *is_plain = false;
            s += 2;
        } else { // a carriage return, a zero byte, or a backslash before none of the known
            *is_plain = false;
            s++;
        }
    }
}

static char escaped_character(char c)
{
    static const char from[] = "abfnrtv", to[] = "\a\b\f\n\r\t\v";
    const char *found = strchr(from, c);
    return found ? to[found - from] : c;
}

// Replaces escapes, and line breaks by '\n'.
static String decode_string(Lexer *lexer, const char *s, const char *end)
{
    char *text = arena_allocate(lexer->compilation->arena, (size_t)(end - s) + 1);
    size_t n = 0;
    for (; s < end; s++) {
        if (s[0] == '\\') {
            if (s + 1 < end && is_escape(s[1]))
                text[n++] = escaped_character(*++s);
            else
                report_escape(lexer, s);
        } else if (s[0] == '\r') {
            if (s[1] != '\n')
                text[n++] = '\n';
        } else if (s[0] == '\0') {
            lexer_error(lexer, span_from(lexer, s, s + 1), "a string cannot have a zero byte");
        } else {
            text[n++] = s[0];
        }
    }
    return (String){text, n};
}

// STRING = """ { S-CHAR | S-ESCAPE } """
static void lex_string(Lexer *lexer, Token *token)
{
    const char *begin = lexer->cursor;
    bool is_plain;
    const char *end = scan_string(lexer, begin + 1, &is_plain);
    token->kind = TOKEN_STRING;
    if (end >= lexer->end) {
        lexer_error(lexer, span_from(lexer, begin, begin + 1),
                    "this string has no end: a double quote is missing");
        token->string = (String){"", 0};
        lexer_stop(lexer);
        return;
    }
    token->string = is_plain ? (String){begin + 1, (size_t)(end - begin - 1)}
                             : decode_string(lexer, begin + 1, end);
    lexer->cursor = lexer->is_stopped ? lexer->end : end + 1;
}

// ---------------------------------------------------------------------------
// Tokens
// ---------------------------------------------------------------------------

// The longest symbol at s; TOKEN_END_OF_FILE if there is none.
static TokenKind symbol_at(const char *s, int *length)
{
    *length = 2;
    switch (s[0]) {
#define PAIR(second, kind)                                                                         \
    if (s[1] == (second))                                                                          \
        return kind;
    case ':':
        PAIR('=', TOKEN_ASSIGN)
        break;
    case '<':
        PAIR('=', TOKEN_LESS_EQUAL)
        PAIR('>', TOKEN_NOT_EQUAL)
        break;
    case '>':
        PAIR('=', TOKEN_GREATER_EQUAL)
        break;
    case '=':
        PAIR('=', TOKEN_EQUAL)
        break;
    case '!':
        PAIR('=', TOKEN_C_NOT_EQUAL)
        break;
    case '&':
        PAIR('&', TOKEN_C_AND)
        break;
    case '|':
        PAIR('|', TOKEN_C_OR)
        break;
    case '.':
        PAIR('+', TOKEN_DOT_PLUS)
        PAIR('-', TOKEN_DOT_MINUS)
        PAIR('*', TOKEN_DOT_TIMES)
        PAIR('/', TOKEN_DOT_DIVIDE)
        PAIR('^', TOKEN_DOT_POWER)
        break;
#undef PAIR
    default:
        break;
    }
    static const uint8_t single[128] = {
        [';'] = TOKEN_SEMICOLON,
        [','] = TOKEN_COMMA,
        ['.'] = TOKEN_DOT,
        [':'] = TOKEN_COLON,
        ['('] = TOKEN_LEFT_PARENTHESIS,
        [')'] = TOKEN_RIGHT_PARENTHESIS,
        ['['] = TOKEN_LEFT_BRACKET,
        [']'] = TOKEN_RIGHT_BRACKET,
        ['{'] = TOKEN_LEFT_BRACE,
        ['}'] = TOKEN_RIGHT_BRACE,
        ['='] = TOKEN_EQUALS,
        ['<'] = TOKEN_LESS,
        ['>'] = TOKEN_GREATER,
        ['+'] = TOKEN_PLUS,
        ['-'] = TOKEN_MINUS,
        ['*'] = TOKEN_TIMES,
        ['/'] = TOKEN_DIVIDE,
        ['^'] = TOKEN_POWER,
        ['!'] = TOKEN_C_NOT,
    };
    *length = 1;
    unsigned char c = (unsigned char)s[0];
    return c < 128 ? (TokenKind)single[c] : TOKEN_END_OF_FILE;
}

// Makes the token at the cursor; false if there was only an unexpected character.
static bool lex_token(Lexer *lexer, Token *token)
{
    const char *s = lexer->cursor;
    if (s >= lexer->end) {
        token->kind = TOKEN_END_OF_FILE;
    } else if (has_class(*s, LETTER)) {
        lex_identifier(lexer, token);
    } else if (has_class(*s, DIGIT) || (s[0] == '.' && has_class(s[1], DIGIT))) {
        lex_number(lexer, token);
    } else if (*s == '"') {
        lex_string(lexer, token);
    } else if (*s == '\'') {
        lex_quoted_identifier(lexer, token);
    } else {
        int length;
        token->kind = symbol_at(s, &length);
        if (token->kind == TOKEN_END_OF_FILE) {
            lexer->cursor = pass_unexpected(lexer, s);
            return false;
        }
        lexer->cursor = s + length;
    }
    return true;
}

Token lexer_next(Lexer *lexer)
{
    Token token = {0};
    const char *begin;
    unsigned errors_before = lexer->error_count;
    do {
        token.begins_line |= skip_blanks(lexer);
        begin = lexer->cursor;
    } while (!lex_token(lexer, &token));
    token.span = span_from(lexer, begin, lexer->cursor);
    token.has_error = lexer->error_count != errors_before;
    return token;
}

void lexer_mark_keywords(Names *names)
{
#define X(name, text) names_mark(names, text, TOKEN_##name);
    LEXER_KEYWORD_LIST(X)
#undef X
}

void lexer_start(Lexer *lexer, Compilation *compilation, const SourceFile *file)
{
    *lexer = (Lexer){.compilation = compilation,
                     .file = file,
                     .cursor = file->text,
                     .end = file->text + file->length};
    if (file->length >= 3 && memcmp(file->text, "\xEF\xBB\xBF", 3) == 0)
        lexer->cursor += 3;
}
