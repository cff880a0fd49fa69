// SPDX-License-Identifier: MIT

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/diagnostics.h"

#include <stdlib.h>

typedef struct Fixture {
    Arena *arena;
    Sources *sources;
    Diagnostics *diagnostics;
    const SourceFile *file;
} Fixture;

static Fixture create(const char *text)
{
    Fixture f = {.arena = arena_create(NULL)};
    f.sources = sources_create(f.arena);
    f.diagnostics = diagnostics_create(f.arena, f.sources);
    assert_int_equal(sources_add(f.sources, "a.mo", text, strlen(text), &f.file), SOURCE_OK);
    return f;
}

static Span span(const Fixture *f, uint32_t begin, uint32_t end)
{
    return (Span){f->file->base + begin, f->file->base + end};
}

static void assert_text(const Fixture *f, const char *expected)
{
    StringBuilder out = builder_create(f->arena);
    diagnostics_render_text(f->diagnostics, false, &out);
    assert_string_equal(builder_string(&out).text, expected);
    arena_destroy(f->arena);
}

static void error_shows_its_line(void **state)
{
    (void)state;
    Fixture f = create("model A\n  Real x y;\nend A;\n");
    diagnostics_error(f.diagnostics, span(&f, 17, 18), "expected '%s'", ";");
    assert_int_equal(f.diagnostics->error_count, 1);
    assert_text(&f, "a.mo:2:10: error: expected ';'\n"
                    "    2 |   Real x y;\n"
                    "      |          ^\n");
}

static void notes_follow_their_error(void **state)
{
    (void)state;
    Fixture f = create("model A\nend B;\n");
    Diagnostic *e = diagnostics_error(f.diagnostics, span(&f, 12, 13), "wrong name");
    diagnostics_note(f.diagnostics, e, span(&f, 6, 7), "begins here");
    diagnostics_note(f.diagnostics, e, e->span, "same place");
    diagnostics_warning(f.diagnostics, (Span){0}, "nowhere");
    assert_int_equal(f.diagnostics->warning_count, 1);
    assert_text(&f, "a.mo:2:5: error: wrong name\n"
                    "    2 | end B;\n"
                    "      |     ^\n"
                    "a.mo:1:7: note: begins here\n"
                    "    1 | model A\n"
                    "      |       ^\n"
                    "a.mo:2:5: note: same place\n"
                    "saltus: warning: nowhere\n");
}

static void spans_are_underlined(void **state)
{
    (void)state;
    Fixture f = create("\tab\xC3\xBC"
                       "cd\nef");
    diagnostics_error(f.diagnostics, span(&f, 1, 6), "within");
    diagnostics_error(f.diagnostics, span(&f, 5, 9), "over lines");
    diagnostics_error(f.diagnostics, span(&f, 7, 7), "at the end");
    assert_text(&f, "a.mo:1:2: error: within\n"
                    "    1 |  ab\xC3\xBC"
                    "cd\n"
                    "      |  ^~~~\n"
                    "a.mo:1:5: error: over lines\n"
                    "    1 |  ab\xC3\xBC"
                    "cd\n"
                    "      |     ^~\n"
                    "a.mo:1:7: error: at the end\n"
                    "    1 |  ab\xC3\xBC"
                    "cd\n"
                    "      |       ^\n");
}

// Escape sequences in a file must not reach the terminal.
static void control_characters_are_hidden(void **state)
{
    (void)state;
    Fixture f = create("a\x1b[31mb\xFC");
    diagnostics_error(f.diagnostics, span(&f, 7, 8), "x");
    assert_text(&f, "a.mo:1:8: error: x\n"
                    "    1 | a?[31mb?\n"
                    "      |        ^\n");
}

static void long_lines_are_cut(void **state)
{
    (void)state;
    enum { LENGTH = 1000000 };
    char *text = malloc(LENGTH + 1);
    memset(text, 'x', LENGTH);
    text[LENGTH] = '\0';
    text[500000] = '!';
    Fixture f = create(text);
    free(text);
    diagnostics_error(f.diagnostics, span(&f, 500000, 900000), "long");
    StringBuilder out = builder_create(f.arena);
    diagnostics_render_text(f.diagnostics, false, &out);
    String s = builder_string(&out);
    assert_true(s.length < 600);
    const char *mark = strchr(s.text, '!'), *caret = strchr(s.text, '^');
    const char *line = strchr(s.text, '\n') + 1, *under = strchr(line, '\n') + 1;
    assert_int_equal(mark - line, caret - under);
    arena_destroy(f.arena);
}

static void colours_are_optional(void **state)
{
    (void)state;
    Fixture f = create("x");
    diagnostics_error(f.diagnostics, span(&f, 0, 1), "e");
    StringBuilder out = builder_create(f.arena);
    diagnostics_render_text(f.diagnostics, true, &out);
    assert_non_null(strstr(builder_string(&out).text, "\x1b[1;31merror:\x1b[0m e"));
    arena_destroy(f.arena);
}

static void json_has_places_and_notes(void **state)
{
    (void)state;
    Fixture f = create("model A\nend B;\n");
    Diagnostic *e = diagnostics_error(f.diagnostics, span(&f, 12, 13), "a \"b\"");
    diagnostics_note(f.diagnostics, e, span(&f, 6, 7), "n");
    diagnostics_out_of_memory(f.diagnostics);
    diagnostics_out_of_memory(f.diagnostics);
    StringBuilder out = builder_create(f.arena);
    diagnostics_render_json(f.diagnostics, &out);
    assert_string_equal(
        builder_string(&out).text,
        "[{\"severity\":\"error\",\"file\":\"a.mo\",\"line\":2,\"column\":5,\"endLine\":2,"
        "\"endColumn\":6,\"message\":\"a \\\"b\\\"\",\"notes\":[{\"severity\":\"note\","
        "\"file\":\"a.mo\",\"line\":1,\"column\":7,\"endLine\":1,\"endColumn\":8,"
        "\"message\":\"n\"}]},"
        "{\"severity\":\"error\",\"message\":\"out of memory\",\"notes\":[]}]");
    arena_destroy(f.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(error_shows_its_line),
        cmocka_unit_test(notes_follow_their_error),
        cmocka_unit_test(spans_are_underlined),
        cmocka_unit_test(control_characters_are_hidden),
        cmocka_unit_test(long_lines_are_cut),
        cmocka_unit_test(colours_are_optional),
        cmocka_unit_test(json_has_places_and_notes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
