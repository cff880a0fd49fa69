// SPDX-License-Identifier: MIT

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/source.h"

#include <errno.h>

static const SourceFile *add(Sources *sources, const char *name, const char *text)
{
    const SourceFile *file = NULL;
    assert_int_equal(sources_add(sources, name, text, strlen(text), &file), SOURCE_OK);
    return file;
}

static void assert_place(const Sources *sources, uint32_t position, const SourceFile *file,
                         unsigned line, unsigned column)
{
    SourcePlace at = sources_locate(sources, position);
    assert_ptr_equal(at.file, file);
    assert_int_equal(at.line, line);
    assert_int_equal(at.column, column);
}

static void positions_find_their_file(void **state)
{
    (void)state;
    Arena *arena = arena_create(NULL);
    Sources *sources = sources_create(arena);
    const SourceFile *files[20];
    for (int i = 0; i < 20; i++)
        files[i] = add(sources, "f", i % 3 == 0 ? "" : "abc\nd");
    assert_int_equal(sources_count(sources), 20);
    for (int i = 0; i < 20; i++) {
        assert_ptr_equal(sources_file(sources, (size_t)i), files[i]);
        assert_place(sources, files[i]->base, files[i], 1, 1);
        assert_ptr_equal(sources_find(sources, files[i]->base + files[i]->length), files[i]);
    }
    assert_place(sources, files[1]->base + 4, files[1], 2, 1);
    assert_null(sources_find(sources, 0));
    assert_null(sources_locate(sources, 0).file);
    assert_null(sources_find(sources, UINT32_MAX));
    arena_destroy(arena);
}

static void lines_end_in_three_ways(void **state)
{
    (void)state;
    Arena *arena = arena_create(NULL);
    Sources *sources = sources_create(arena);
    const SourceFile *file = add(sources, "f", "a\nb\r\nc\rd\n\r\n");
    assert_int_equal(file->line_count, 6);
    static const char *const lines[] = {"a", "b", "c", "d", "", ""};
    for (uint32_t i = 0; i < 6; i++)
        assert_true(string_equal(source_line(file, i + 1), string_from(lines[i])));
    assert_place(sources, file->base + 5, file, 3, 1);
    assert_place(sources, file->base + file->length, file, 6, 1);
    arena_destroy(arena);
}

static void columns_count_characters(void **state)
{
    (void)state;
    Arena *arena = arena_create(NULL);
    Sources *sources = sources_create(arena);
    const SourceFile *file = add(sources, "f",
                                 "\tGr\xC3\xBC\xC3\x9F"
                                 "e\n");
    assert_place(sources, file->base + 1, file, 1, 2);
    assert_place(sources, file->base + 7, file, 1, 6);
    const SourceFile *marked = add(sources, "g", "\xEF\xBB\xBFmodel");
    assert_place(sources, marked->base, marked, 1, 1);
    assert_place(sources, marked->base + 3, marked, 1, 1);
    assert_place(sources, marked->base + 4, marked, 1, 2);
    assert_true(string_equal(source_line(marked, 1), string_from("model")));
    arena_destroy(arena);
}

static void spans_give_their_text(void **state)
{
    (void)state;
    Arena *arena = arena_create(NULL);
    Sources *sources = sources_create(arena);
    add(sources, "f", "first");
    const SourceFile *file = add(sources, "g", "second");
    Span span = {file->base + 1, file->base + 3};
    assert_true(string_equal(sources_text(sources, span), string_from("ec")));
    assert_null(sources_text(sources, (Span){0, 0}).text);
    assert_null(sources_text(sources, (Span){file->base, file->base + 100}).text);
    assert_true(span_is_known(span));
    assert_false(span_is_known((Span){0, 0}));
    arena_destroy(arena);
}

static void files_are_read(void **state)
{
    (void)state;
    Arena *arena = arena_create(NULL);
    Sources *sources = sources_create(arena);
    const SourceFile *file;
    assert_int_equal(sources_read(sources, SALTUS_SOURCE_DIR "/LICENSE", &file), SOURCE_OK);
    assert_int_equal(strlen(file->text), file->length);
    assert_int_equal(sources_read(sources, "/does/not/exist", &file), SOURCE_UNREADABLE);
    assert_int_equal(errno, ENOENT);
    assert_int_equal(sources_read(sources, SALTUS_SOURCE_DIR, &file), SOURCE_UNREADABLE);
    assert_int_equal(errno, EISDIR);
    arena_set_maximum(arena, 1);
    char large[40000] = {0};
    assert_int_equal(sources_add(sources, "f", large, sizeof large, &file), SOURCE_NO_MEMORY);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(positions_find_their_file),
        cmocka_unit_test(lines_end_in_three_ways),
        cmocka_unit_test(columns_count_characters),
        cmocka_unit_test(spans_give_their_text),
        cmocka_unit_test(files_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
