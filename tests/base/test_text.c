// SPDX-License-Identifier: MIT

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/names.h"
#include "base/text.h"

#include <stdio.h>

static void builder_grows(void **state)
{
    (void)state;
    Arena *arena = arena_create(NULL);
    StringBuilder b = builder_create(arena);
    assert_string_equal(builder_string(&b).text, "");
    for (int i = 0; i < 1000; i++)
        builder_append_format(&b, "%d,", i);
    builder_append_character(&b, 'x');
    builder_append_repeated(&b, '-', 3);
    builder_append(&b, "", 0);
    String s = builder_string(&b);
    assert_int_equal(s.length, 10 * 2 + 90 * 3 + 900 * 4 + 4);
    assert_int_equal(strlen(s.text), s.length);
    assert_string_equal(s.text + s.length - 8, "999,x---");
    arena_destroy(arena);
}

static void strings_compare(void **state)
{
    (void)state;
    String none = {0};
    assert_true(string_equal(none, none));
    assert_false(string_equal(none, string_from("")));
    assert_true(string_equal(string_from("ab"), (String){"abc", 2}));
    assert_false(string_equal(string_from("ab"), string_from("ac")));
}

static void assert_json(const char *text, size_t length, const char *expected)
{
    Arena *arena = arena_create(NULL);
    StringBuilder b = builder_create(arena);
    builder_append_json(&b, text, length);
    assert_string_equal(builder_string(&b).text, expected);
    arena_destroy(arena);
}

static void json_is_escaped(void **state)
{
    (void)state;
    assert_json("a\"b\\c", 5, "\"a\\\"b\\\\c\"");
    assert_json("\n\t\x01\x7f", 4, "\"\\n\\t\\u0001\\u007f\"");
    assert_json("\xC3\xBC", 2, "\"\xC3\xBC\"");
    assert_json("\xFC!", 2, "\"\xEF\xBF\xBD!\"");
    assert_json("a\0b", 3, "\"a\\u0000b\"");
}

static void xml_is_escaped(void **state)
{
    (void)state;
    Arena *arena = arena_create(NULL);
    StringBuilder b = builder_create(arena);
    static const char text[] = "<a b=\"&\">\n\x01\xFC\xC3\xBC\xEF\xBF\xBF";
    text_escape_xml(&b, text, sizeof text - 1);
    assert_string_equal(builder_string(&b).text,
                        "&lt;a b=&quot;&amp;&quot;&gt;\n\xEF\xBF\xBD\xEF\xBF\xBD\xC3\xBC"
                        "\xEF\xBF\xBD");
    arena_destroy(arena);
}

static void quotes_are_escaped(void **state)
{
    (void)state;
    Arena *arena = arena_create(NULL);
    StringBuilder b = builder_create(arena);
    builder_append_quoted(&b, "a\"b\\c\n...", 6);
    assert_string_equal(builder_string(&b).text, "\"a\\\"b\\\\c\n\"");
    arena_destroy(arena);
}

// The limits of table 3-7 of the Unicode standard.
static void utf8_is_checked(void **state)
{
    (void)state;
    assert_int_equal(utf8_length("a", 1), 1);
    assert_int_equal(utf8_length("\xC2\x80", 2), 2);
    assert_int_equal(utf8_length("\xE0\xA0\x80", 3), 3);
    assert_int_equal(utf8_length("\xED\x9F\xBF", 3), 3);
    assert_int_equal(utf8_length("\xF0\x90\x80\x80", 4), 4);
    assert_int_equal(utf8_length("\xF4\x8F\xBF\xBF", 4), 4);
    static const char *const bad[] = {"\x80",
                                      "\xC1\xBF",
                                      "\xE0\x9F\xBF",
                                      "\xED\xA0\x80",
                                      "\xF0\x8F\xBF\xBF",
                                      "\xF4\x90\x80\x80",
                                      "\xF5\x80\x80\x80",
                                      "\xC3",
                                      "\xE2\x82"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(utf8_length(bad[i], strlen(bad[i])), 0);
    assert_int_equal(utf8_length("", 0), 0);
    assert_int_equal(utf8_count("Gr\xC3\xBC\xC3\x9F"
                                "e \xE4\xB8\x96",
                                11),
                     7);
    assert_int_equal(utf8_count("\xFC\xFC", 2), 2);
    assert_int_equal(utf8_prefix("a\xC3\xBC\xE4\xB8\x96z", 7, 3), 6);
    assert_int_equal(utf8_prefix("a\xFCz", 3, 2), 2);
    assert_int_equal(utf8_prefix("az", 2, 9), 2);
    assert_int_equal(utf8_prefix("az", 2, 0), 0);
}

static void patterns_match(void **state)
{
    (void)state;
    assert_true(text_matches("a.*", "a.b") && text_matches("*", "") && text_matches("a?c", "abc"));
    assert_true(text_matches("*b*d", "abcbxd") && text_matches("x[1]", "x[1]"));
    assert_true(text_matches("x[*]", "x[12]") && text_matches("x[[]*", "x[12]"));
    assert_true(text_matches("a*b", "a*b") && text_matches("a?b", "a?b"));
    assert_false(text_matches("a", "ab") || text_matches("ab", "a") || text_matches("?", ""));
    assert_false(text_matches("x[*]", "x1") || text_matches("*b", "abc"));
}

static void nearest_word_is_found(void **state)
{
    (void)state;
    static const char *const words[] = {"simulate", "check", "flatten", "plot"};
    assert_string_equal(text_nearest("chekc", words, 4), "check");
    assert_string_equal(text_nearest("simulat", words, 4), "simulate");
    assert_string_equal(text_nearest("flaten", words, 4), "flatten");
    assert_string_equal(text_nearest("plto", words, 4), "plot");
    assert_null(text_nearest("benchmark", words, 4));
    // The beginning of a name, unless it is that of two, or one slip away from another.
    const char *const begun[] = {"simulate", "fit", "solve", "sort"};
    assert_string_equal(text_nearest("sim", begun, 4), "simulate");
    assert_string_equal(text_nearest("sor", begun, 4), "sort");
    assert_null(text_nearest("simu", (const char *const[]){"simulate", "simulator"}, 2));
    assert_null(text_nearest("x", words, 4));
    // Words of up to 64 letters are compared.
    char given[66], meant[66];
    for (int length = 64; length <= 65; length++) {
        memset(given, 'a', sizeof given);
        memset(meant, 'a', sizeof meant);
        given[length] = meant[length] = '\0';
        given[40] = 'b';
        const char *const one[] = {meant};
        assert_ptr_equal(text_nearest(given, one, 1), length == 64 ? meant : NULL);
    }
    const char *const letters[] = {"a", "R"};
    assert_string_equal(text_nearest("r", letters, 2), "R");
    assert_null(text_nearest("c", letters, 2));
    assert_null(text_nearest("", words, 4));
    assert_null(text_nearest("check", words, 0));
}

static void equal_names_are_one(void **state)
{
    (void)state;
    Arena *arena = arena_create(NULL);
    Names *names = names_create(arena);
    const Name *first[2000];
    char text[32];
    for (int i = 0; i < 2000; i++) {
        snprintf(text, sizeof text, "name%d", i);
        first[i] = names_intern_text(names, text);
        assert_string_equal(first[i]->text, text);
    }
    for (int i = 0; i < 2000; i++) {
        int length = snprintf(text, sizeof text, "name%d and more", i) - 9;
        assert_ptr_equal(names_intern(names, text, (size_t)length), first[i]);
        assert_ptr_equal(names_find(names, text, (size_t)length), first[i]);
    }
    assert_null(names_find(names, "other", 5));
    assert_int_equal(first[7]->mark, 0);
    names_mark(names, "name7", 42);
    assert_int_equal(first[7]->mark, 42);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(builder_grows),         cmocka_unit_test(strings_compare),
        cmocka_unit_test(json_is_escaped),       cmocka_unit_test(xml_is_escaped),
        cmocka_unit_test(quotes_are_escaped),    cmocka_unit_test(utf8_is_checked),
        cmocka_unit_test(nearest_word_is_found), cmocka_unit_test(patterns_match),
        cmocka_unit_test(equal_names_are_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
