// SPDX-License-Identifier: MIT
//
// Language tests of the flattener: every .mo file below tests/language, except those of the syntax,
// says in its own comments what is expected of it (see support/language.h), and
//
//   // model: NAME         the model to be flattened; without it, the last one of the file
//   // path: FOLDER        where libraries are found, relative to the file
//   // expect flat:        the flat model, in the comment lines that follow
//   // model A ...
//
// A file without expected errors must expect a flat model. What is printed must parse again and,
// if the model has no state machine, flatten to the same text.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "flatten/flatten.h"
#include "flatten/print.h"
#include "support/language.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>

// The rest of the line after a comment that begins with `head`; NULL: there is none.
static const char *find_line(const SourceFile *file, const char *head)
{
    const char *found = strstr(file->text, head);
    return found ? found + strlen(head) : NULL;
}

static const char *find_word(Compilation *c, const SourceFile *file, const char *head)
{
    const char *word = find_line(file, head);
    return word ? arena_copy_text(c->arena, word, strcspn(word, "\r\n")) : NULL;
}

// The comment lines after "// expect flat:", without their marks.
static const char *expected_flat(Compilation *c, const SourceFile *file)
{
    const char *line = find_line(file, "// expect flat:");
    if (!line)
        return NULL;
    StringBuilder out = builder_create(c->arena);
    line += strcspn(line, "\n");
    while (*line == '\n' && strncmp(line + 1, "//", 2) == 0) {
        line += 3 + (line[3] == ' ');
        const size_t length = strcspn(line, "\n");
        builder_append(&out, line, length);
        builder_append_character(&out, '\n');
        line += length;
    }
    return builder_string(&out).text;
}

static const char *library_path(Compilation *c, const SourceFile *file, const char *path)
{
    const char *folder = find_word(c, file, "// path: ");
    if (!folder)
        return NULL;
    StringBuilder out = builder_create(c->arena);
    builder_append(&out, path, (size_t)(strrchr(path, '/') + 1 - path));
    builder_append_text(&out, folder);
    return builder_string(&out).text;
}

static void compare_texts(LanguageRun *run, const char *path, const Compilation *c,
                          const char *text, const char *expected, const char *what)
{
    if (strcmp(text, expected) == 0)
        return;
    language_report(run, path, c, what);
    fprintf(stderr, "expected:\n%s\nis:\n%s\n", expected, text);
}

// Flattening a flat model changes nothing.
static void flatten_again(LanguageRun *run, const char *path, const char *text, bool has_machines)
{
    Compilation *c = compilation_create(NULL);
    const SourceFile *file;
    assert_non_null(c);
    if (has_machines) {
        assert_int_equal(sources_add(c->sources, "flat", text, strlen(text), &file), SOURCE_OK);
        parser_parse(c, file);
        if (c->diagnostics->error_count)
            language_report(run, path, c, "does not parse when it is flat");
    } else {
        FlattenOptions options = flatten_default_options();
        options.library_path = NULL;
        options.text = text;
        const FlatModel *again = flatten_files(c, 0, NULL, NULL, &options);
        StringBuilder out = builder_create(c->arena);
        if (again) {
            flat_print(&out, again);
            compare_texts(run, path, c, builder_string(&out).text, text,
                          "changes when it is flattened again");
        } else {
            language_report(run, path, c, "cannot be flattened again");
        }
    }
    compilation_destroy(c);
}

static void check_file(LanguageRun *run, const char *path)
{
    if (strstr(path, "/language/syntax/"))
        return;
    Compilation *c = compilation_create(NULL), *comments = compilation_create(NULL);
    const SourceFile *file;
    assert_true(c && comments);
    assert_int_equal(sources_read(comments->sources, path, &file), SOURCE_OK);
    run->files++;
    FlattenOptions options = flatten_default_options();
    options.library_path = library_path(comments, file, path);
    const FlatModel *model =
        flatten_files(c, 1, &path, find_word(comments, file, "// model: "), &options);
    const char *expected = expected_flat(comments, file);
    if (language_compare(run, path, c, file)) {
        StringBuilder out = builder_create(c->arena);
        if (model)
            flat_print(&out, model);
        const char *text = builder_string(&out).text;
        if (model && expected)
            compare_texts(run, path, c, text, expected, "gives another flat model");
        else if (model || expected)
            language_report(run, path, c,
                            model ? "has no expected flat model" : "gives no flat model");
        if (model)
            flatten_again(run, path, text, model->machine_count > 0);
    }
    compilation_destroy(comments);
    compilation_destroy(c);
}

static void files_are_as_they_say(void **state)
{
    (void)state;
    LanguageRun run = {0};
    const char *only = getenv("SALTUS_LANGUAGE_FOLDER"); // to look at a part of them
    language_folder(&run, only ? only : SALTUS_SOURCE_DIR "/tests/language", check_file);
    assert_int_equal(run.failures, 0);
    assert_true(only || run.files >= 200); // the folders were found
}

// A folder with a file package.mo is taken for a library: its files would not be looked at.
static void folders_are_no_packages(void **state)
{
    (void)state;
    glob_t found;
    assert_int_equal(glob(SALTUS_SOURCE_DIR "/tests/language/*/package.mo", 0, NULL, &found),
                     GLOB_NOMATCH);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(files_are_as_they_say),
                                       cmocka_unit_test(folders_are_no_packages)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
