// SPDX-License-Identifier: MIT
//
// The lexer: text to tokens, one at a time (section A.1 of the specification). White space is
// skipped, comments are kept aside. Errors in a token are reported and repaired here, so a parser
// sees good tokens only.

#ifndef SALTUS_MODELICA_LEXER_H
#define SALTUS_MODELICA_LEXER_H

#include "modelica/parser.h"

// X(NAME, text)
#define LEXER_SYMBOL_LIST(X)                                                                       \
    X(SEMICOLON, ";")                                                                              \
    X(COMMA, ",")                                                                                  \
    X(DOT, ".")                                                                                    \
    X(COLON, ":")                                                                                  \
    X(LEFT_PARENTHESIS, "(")                                                                       \
    X(RIGHT_PARENTHESIS, ")")                                                                      \
    X(LEFT_BRACKET, "[")                                                                           \
    X(RIGHT_BRACKET, "]")                                                                          \
    X(LEFT_BRACE, "{")                                                                             \
    X(RIGHT_BRACE, "}")                                                                            \
    X(EQUALS, "=")                                                                                 \
    X(ASSIGN, ":=")                                                                                \
    X(LESS, "<")                                                                                   \
    X(LESS_EQUAL, "<=")                                                                            \
    X(GREATER, ">")                                                                                \
    X(GREATER_EQUAL, ">=")                                                                         \
    X(EQUAL, "==")                                                                                 \
    X(NOT_EQUAL, "<>")                                                                             \
    X(PLUS, "+")                                                                                   \
    X(MINUS, "-")                                                                                  \
    X(TIMES, "*")                                                                                  \
    X(DIVIDE, "/")                                                                                 \
    X(POWER, "^")                                                                                  \
    X(DOT_PLUS, ".+")                                                                              \
    X(DOT_MINUS, ".-")                                                                             \
    X(DOT_TIMES, ".*")                                                                             \
    X(DOT_DIVIDE, "./")                                                                            \
    X(DOT_POWER, ".^")                                                                             \
    /* Not Modelica, but what people write who think of C. */                                      \
    X(C_NOT_EQUAL, "!=")                                                                           \
    X(C_AND, "&&")                                                                                 \
    X(C_OR, "||")                                                                                  \
    X(C_NOT, "!")

#define LEXER_KEYWORD_LIST(X)                                                                      \
    X(ALGORITHM, "algorithm")                                                                      \
    X(AND, "and")                                                                                  \
    X(ANNOTATION, "annotation")                                                                    \
    X(BLOCK, "block")                                                                              \
    X(BREAK, "break")                                                                              \
    X(CLASS, "class")                                                                              \
    X(CONNECT, "connect")                                                                          \
    X(CONNECTOR, "connector")                                                                      \
    X(CONSTANT, "constant")                                                                        \
    X(CONSTRAINEDBY, "constrainedby")                                                              \
    X(DER, "der")                                                                                  \
    X(DISCRETE, "discrete")                                                                        \
    X(EACH, "each")                                                                                \
    X(ELSE, "else")                                                                                \
    X(ELSEIF, "elseif")                                                                            \
    X(ELSEWHEN, "elsewhen")                                                                        \
    X(ENCAPSULATED, "encapsulated")                                                                \
    X(END, "end")                                                                                  \
    X(ENUMERATION, "enumeration")                                                                  \
    X(EQUATION, "equation")                                                                        \
    X(EXPANDABLE, "expandable")                                                                    \
    X(EXTENDS, "extends")                                                                          \
    X(EXTERNAL, "external")                                                                        \
    X(FALSE, "false")                                                                              \
    X(FINAL, "final")                                                                              \
    X(FLOW, "flow")                                                                                \
    X(FOR, "for")                                                                                  \
    X(FUNCTION, "function")                                                                        \
    X(IF, "if")                                                                                    \
    X(IMPORT, "import")                                                                            \
    X(IMPURE, "impure")                                                                            \
    X(IN, "in")                                                                                    \
    X(INITIAL, "initial")                                                                          \
    X(INNER, "inner")                                                                              \
    X(INPUT, "input")                                                                              \
    X(LOOP, "loop")                                                                                \
    X(MODEL, "model")                                                                              \
    X(NOT, "not")                                                                                  \
    X(OPERATOR, "operator")                                                                        \
    X(OR, "or")                                                                                    \
    X(OUTER, "outer")                                                                              \
    X(OUTPUT, "output")                                                                            \
    X(PACKAGE, "package")                                                                          \
    X(PARAMETER, "parameter")                                                                      \
    X(PARTIAL, "partial")                                                                          \
    X(PROTECTED, "protected")                                                                      \
    X(PUBLIC, "public")                                                                            \
    X(PURE, "pure")                                                                                \
    X(RECORD, "record")                                                                            \
    X(REDECLARE, "redeclare")                                                                      \
    X(REPLACEABLE, "replaceable")                                                                  \
    X(RETURN, "return")                                                                            \
    X(STREAM, "stream")                                                                            \
    X(THEN, "then")                                                                                \
    X(TRUE, "true")                                                                                \
    X(TYPE, "type")                                                                                \
    X(WHEN, "when")                                                                                \
    X(WHILE, "while")                                                                              \
    X(WITHIN, "within")

typedef enum TokenKind {
    TOKEN_END_OF_FILE,
    TOKEN_IDENTIFIER, // .name
    TOKEN_INTEGER,    // .integer
    TOKEN_REAL,       // .real
    TOKEN_STRING,     // .string, decoded
#define X(name, text) TOKEN_##name,
    LEXER_SYMBOL_LIST(X) LEXER_KEYWORD_LIST(X)
#undef X
        TOKEN_KIND_COUNT,
    TOKEN_FIRST_KEYWORD = TOKEN_ALGORITHM,
} TokenKind;

typedef struct Token {
    TokenKind kind;
    bool begins_line; // there is a line break between the token before and this one
    bool has_error;   // something was wrong with it, or between the token before and it
    Span span;
    union {
        const Name *name; // also of keywords
        int64_t integer;
        double real;
        String string;
    };
} Token;

typedef struct Lexer {
    Compilation *compilation;
    const SourceFile *file;
    const char *cursor;
    const char *end;
    bool is_silent;    // looking ahead: reports nothing, keeps no comments
    bool is_stopped;   // gave up: only the end of the file follows, errors are swallowed
    bool has_bad_utf8; // reported already
    unsigned error_count;
    unsigned warning_count;
    Span *comments;
    uint32_t comment_count;
    uint32_t comment_capacity;
} Lexer;

// Once per table of names, before anything is read.
void lexer_mark_keywords(Names *names);
// Begins at the start of the file.
void lexer_start(Lexer *lexer, Compilation *compilation, const SourceFile *file);
Token lexer_next(Lexer *lexer);

// Reports an error of the file. After too many the lexer stops. The result is never NULL.
Diagnostic *lexer_error(Lexer *lexer, Span span, const char *format, ...) TEXT_FORMAT(3, 4);
// Reports a warning, unless there were many already.
void lexer_warning(Lexer *lexer, Span span, const char *text);
// Everything that follows is the end of the file and needs no more errors.
void lexer_stop(Lexer *lexer);

// The text of a symbol or keyword; what the others are called ("identifier").
const char *token_text(TokenKind kind);

static inline bool token_is_keyword(TokenKind kind)
{
    return kind >= TOKEN_FIRST_KEYWORD && kind < TOKEN_KIND_COUNT;
}

#endif
