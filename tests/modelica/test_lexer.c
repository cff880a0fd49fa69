// SPDX-License-Identifier: MIT

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "modelica/lexer.h"

typedef struct Fixture {
    Compilation *compilation;
    const SourceFile *file;
    Lexer lexer;
} Fixture;

static Fixture start_with(const char *text, size_t length)
{
    Fixture f = {.compilation = compilation_create(NULL)};
    assert_non_null(f.compilation);
    assert_int_equal(sources_add(f.compilation->sources, "t", text, length, &f.file), SOURCE_OK);
    lexer_start(&f.lexer, f.compilation, f.file);
    return f;
}

static Fixture start(const char *text)
{
    return start_with(text, strlen(text));
}

static void finish(Fixture *f)
{
    assert_int_equal(lexer_next(&f->lexer).kind, TOKEN_END_OF_FILE);
    assert_int_equal(lexer_next(&f->lexer).kind, TOKEN_END_OF_FILE);
    assert_int_equal(f->compilation->diagnostics->error_count, 0);
    compilation_destroy(f->compilation);
}

static void assert_kinds(const char *text, const TokenKind *kinds)
{
    Fixture f = start(text);
    for (; *kinds != TOKEN_END_OF_FILE; kinds++)
        assert_string_equal(token_text(lexer_next(&f.lexer).kind), token_text(*kinds));
    finish(&f);
}

#define ASSERT_KINDS(text, ...)                                                                    \
    assert_kinds(text, (const TokenKind[]){__VA_ARGS__, TOKEN_END_OF_FILE})

// Every symbol and keyword is recognised by its text.
static void texts_give_their_tokens(void **state)
{
    (void)state;
    for (int kind = TOKEN_SEMICOLON; kind < TOKEN_KIND_COUNT; kind++)
        ASSERT_KINDS(token_text((TokenKind)kind), (TokenKind)kind);
}

static void longest_token_wins(void **state)
{
    (void)state;
    ASSERT_KINDS("<=>=<><", TOKEN_LESS_EQUAL, TOKEN_GREATER_EQUAL, TOKEN_NOT_EQUAL, TOKEN_LESS);
    ASSERT_KINDS("===:=:", TOKEN_EQUAL, TOKEN_EQUALS, TOKEN_ASSIGN, TOKEN_COLON);
    ASSERT_KINDS("1.*2", TOKEN_REAL, TOKEN_TIMES, TOKEN_INTEGER);
    ASSERT_KINDS("a.*b", TOKEN_IDENTIFIER, TOKEN_DOT_TIMES, TOKEN_IDENTIFIER);
    ASSERT_KINDS("a.b", TOKEN_IDENTIFIER, TOKEN_DOT, TOKEN_IDENTIFIER);
    ASSERT_KINDS("x.5", TOKEN_IDENTIFIER, TOKEN_REAL);
    ASSERT_KINDS("1..5", TOKEN_REAL, TOKEN_REAL);
    ASSERT_KINDS("3:end", TOKEN_INTEGER, TOKEN_COLON, TOKEN_END);
    ASSERT_KINDS("endif", TOKEN_IDENTIFIER);
    ASSERT_KINDS("1then", TOKEN_INTEGER, TOKEN_THEN);
    ASSERT_KINDS("-1", TOKEN_MINUS, TOKEN_INTEGER);
    ASSERT_KINDS("a/b", TOKEN_IDENTIFIER, TOKEN_DIVIDE, TOKEN_IDENTIFIER);
}

static void numbers_have_values(void **state)
{
    (void)state;
    Fixture f = start("0 42 9223372036854775807 1.5 1e3 .25E-2");
    assert_int_equal(lexer_next(&f.lexer).integer, 0);
    assert_int_equal(lexer_next(&f.lexer).integer, 42);
    assert_true(lexer_next(&f.lexer).integer == INT64_MAX);
    assert_true(lexer_next(&f.lexer).real == 1.5);
    assert_true(lexer_next(&f.lexer).real == 1000);
    assert_true(lexer_next(&f.lexer).real == .25e-2);
    finish(&f);
}

static void strings_are_decoded(void **state)
{
    (void)state;
    Fixture f = start("\"plain\" \"\\\"\\\\\\n\\t\\?\\'\" \"a\r\nb\rc\nd\" \"\"");
    Token plain = lexer_next(&f.lexer);
    assert_true(string_equal(plain.string, string_from("plain")));
    // Without anything to decode it is the source itself.
    assert_ptr_equal(plain.string.text, f.file->text + 1);
    assert_true(string_equal(lexer_next(&f.lexer).string, string_from("\"\\\n\t?'")));
    assert_true(string_equal(lexer_next(&f.lexer).string, string_from("a\nb\nc\nd")));
    assert_true(string_equal(lexer_next(&f.lexer).string, string_from("")));
    finish(&f);
}

static void quoted_identifiers_are_normalised(void **state)
{
    (void)state;
    Fixture f = start("'x' x '\\?' '?' 'it\\'s' '\\\"' '\"'");
    const Name *quoted = lexer_next(&f.lexer).name, *bare = lexer_next(&f.lexer).name;
    assert_string_equal(quoted->text, "'x'");
    assert_ptr_not_equal(quoted, bare);
    const Name *escaped = lexer_next(&f.lexer).name;
    assert_ptr_equal(escaped, lexer_next(&f.lexer).name);
    assert_string_equal(lexer_next(&f.lexer).name->text, "'it\\'s'");
    escaped = lexer_next(&f.lexer).name;
    assert_ptr_equal(escaped, lexer_next(&f.lexer).name);
    finish(&f);
}

static void equal_identifiers_are_one_name(void **state)
{
    (void)state;
    Fixture f = start("abc abd abc");
    const Name *first = lexer_next(&f.lexer).name, *second = lexer_next(&f.lexer).name;
    assert_ptr_not_equal(first, second);
    assert_ptr_equal(lexer_next(&f.lexer).name, first);
    finish(&f);
}

static void tokens_know_their_place(void **state)
{
    (void)state;
    Fixture f = start("a b\n// c\n  d /*\n*/ e");
    static const bool begins[] = {false, false, true, true};
    static const char *const texts[] = {"a", "b", "d", "e"};
    for (int i = 0; i < 4; i++) {
        Token token = lexer_next(&f.lexer);
        assert_int_equal(token.begins_line, begins[i]);
        String text = sources_text(f.compilation->sources, token.span);
        assert_true(string_equal(text, string_from(texts[i])));
    }
    assert_int_equal(f.lexer.comment_count, 2);
    String comment = sources_text(f.compilation->sources, f.lexer.comments[0]);
    assert_true(string_equal(comment, string_from("// c")));
    comment = sources_text(f.compilation->sources, f.lexer.comments[1]);
    assert_true(string_equal(comment, string_from("/*\n*/")));
    finish(&f);
}

static void byte_order_mark_is_skipped(void **state)
{
    (void)state;
    ASSERT_KINDS("\xEF\xBB\xBFmodel", TOKEN_MODEL);
    ASSERT_KINDS("", TOKEN_END_OF_FILE);
    ASSERT_KINDS("\xEF\xBB\xBF", TOKEN_END_OF_FILE);
}

// Any prefix of this text, cut in the middle of whatever, ends quietly or with errors.
static void every_prefix_ends(void **state)
{
    (void)state;
    static const char text[] = "'a\\'b' \"c\\\"\\n\" /* d */ // e\n 1.5e-3 .^ \xC3\xBC :=";
    for (size_t length = 0; length < sizeof text; length++) {
        Fixture f = start_with(text, length);
        int tokens = 0;
        while (lexer_next(&f.lexer).kind != TOKEN_END_OF_FILE)
            tokens++;
        assert_in_range(tokens, 0, 8);
        compilation_destroy(f.compilation);
    }
}

// After many errors the rest of the file is not read, and the last error says so.
static void errors_are_limited(void **state)
{
    (void)state;
    char text[2001] = {0};
    for (int i = 0; i < 1000; i++)
        memcpy(text + 2 * i, i % 2 ? "@ " : "$ ", 2);
    Fixture f = start(text);
    assert_int_equal(lexer_next(&f.lexer).kind, TOKEN_END_OF_FILE);
    assert_int_equal(f.compilation->diagnostics->error_count, 50);
    const Diagnostic *note = f.compilation->diagnostics->last->notes;
    assert_non_null(strstr(note->message, "too many errors"));
    compilation_destroy(f.compilation);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_give_their_tokens),
        cmocka_unit_test(longest_token_wins),
        cmocka_unit_test(numbers_have_values),
        cmocka_unit_test(strings_are_decoded),
        cmocka_unit_test(quoted_identifiers_are_normalised),
        cmocka_unit_test(equal_identifiers_are_one_name),
        cmocka_unit_test(tokens_know_their_place),
        cmocka_unit_test(byte_order_mark_is_skipped),
        cmocka_unit_test(every_prefix_ends),
        cmocka_unit_test(errors_are_limited),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
