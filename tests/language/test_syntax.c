// SPDX-License-Identifier: MIT
//
// Language tests: every .mo file below tests/language/syntax says in its own comments what is
// expected of it:
//
//   // expect error: LINE:COLUMN text      an error there, whose message contains the text
//   // expect warning: LINE:COLUMN text
//   // expect note: LINE:COLUMN text       a note of any error or warning
//
// All errors and warnings must be expected, in this order. A file without expected errors must
// also survive the round trip: printed, it parses to an equal tree with as many comments, and
// printing that gives the same text. The models of the repository make the same round trip.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "modelica/equality.h"
#include "modelica/parser.h"
#include "modelica/printer.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

typedef struct Expectation {
    unsigned line, column;
    const char *text;
    size_t length;
} Expectation;

enum { MOST_EXPECTATIONS = 64 };

typedef struct Expectations {
    Expectation items[MOST_EXPECTATIONS];
    size_t count;
} Expectations;

// Collects "// expect KIND: LINE:COLUMN text" from anywhere in a file, even behind a syntax error.
// Zero bytes within the file are no end.
static void find_expectations(const SourceFile *file, const char *kind, Expectations *found)
{
    char head[32];
    int head_length = snprintf(head, sizeof head, "// expect %s: ", kind);
    found->count = 0;
    for (const char *s = file->text; s < file->text + file->length; s++) {
        if (strncmp(s, head, (size_t)head_length) != 0)
            continue;
        Expectation *e = &found->items[found->count];
        int read = 0;
        if (found->count == MOST_EXPECTATIONS ||
            sscanf(s + head_length, "%u:%u %n", &e->line, &e->column, &read) < 2)
            fail_msg("bad expectation: %.60s", s);
        e->text = s + head_length + read;
        e->length = strcspn(e->text, "\r\n");
        found->count++;
    }
}

static bool is_as_expected(const Compilation *c, const Diagnostic *d, const Expectation *e)
{
    SourcePlace at = sources_locate(c->sources, d->span.begin);
    char *text = strndup(e->text, e->length);
    bool is_found = strstr(d->message, text) != NULL;
    free(text);
    return is_found && at.line == e->line && at.column == e->column;
}

static unsigned files, failures;

static void report(const char *path, const Compilation *c, const char *what)
{
    StringBuilder out = builder_create(c->arena);
    diagnostics_render_text(c->diagnostics, false, &out);
    fprintf(stderr, "%s: %s\n%s\n", path, what, builder_string(&out).text);
    failures++;
}

static bool compare_severity(const char *path, const Compilation *c, const SourceFile *file,
                             Severity severity, const char *kind)
{
    Expectations expected;
    find_expectations(file, kind, &expected);
    size_t i = 0;
    for (const Diagnostic *d = c->diagnostics->first; d; d = d->next) {
        if (d->severity != severity)
            continue;
        if (i == expected.count || !is_as_expected(c, d, &expected.items[i])) {
            report(path, c, "has a diagnostic that is not expected");
            return false;
        }
        i++;
    }
    if (i < expected.count) {
        report(path, c, "lacks an expected diagnostic");
        return false;
    }
    return true;
}

static bool has_note(const Compilation *c, const Expectation *expected)
{
    for (const Diagnostic *d = c->diagnostics->first; d; d = d->next)
        for (const Diagnostic *note = d->notes; note; note = note->next)
            if (is_as_expected(c, note, expected))
                return true;
    return false;
}

static bool compare_notes(const char *path, const Compilation *c, const SourceFile *file)
{
    Expectations expected;
    find_expectations(file, "note", &expected);
    for (size_t i = 0; i < expected.count; i++)
        if (!has_note(c, &expected.items[i])) {
            report(path, c, "lacks an expected note");
            return false;
        }
    return true;
}

static void round_trip(const char *path, Compilation *c, const StoredDefinition *first)
{
    StringBuilder text = builder_create(c->arena), again = builder_create(c->arena);
    printer_print(&text, first);
    const SourceFile *file;
    String printed = builder_string(&text);
    assert_int_equal(sources_add(c->sources, "printed", printed.text, printed.length, &file),
                     SOURCE_OK);
    StoredDefinition *second = parser_parse(c, file);
    printer_print(&again, second);
    if (c->diagnostics->error_count)
        report(path, c, "does not parse when printed");
    else if (!definition_equal(first, second))
        report(path, c, "parses to another tree when printed");
    else if (!string_equal(printed, builder_string(&again)))
        report(path, c, "is printed differently the second time");
    else if (first->comment_count != second->comment_count)
        report(path, c, "loses or gains comments when printed");
}

static void check_file(const char *path)
{
    Compilation *c = compilation_create(NULL);
    const SourceFile *file;
    assert_non_null(c);
    assert_int_equal(sources_read(c->sources, path, &file), SOURCE_OK);
    StoredDefinition *definition = parser_parse(c, file);
    files++;
    bool is_fine = compare_severity(path, c, file, SEVERITY_ERROR, "error") &&
                   compare_severity(path, c, file, SEVERITY_WARNING, "warning") &&
                   compare_notes(path, c, file);
    if (is_fine && c->diagnostics->error_count == 0)
        round_trip(path, c, definition);
    compilation_destroy(c);
}

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

static void check_folder(const char *folder)
{
    DIR *directory = opendir(folder);
    if (!directory)
        return;
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        if (entry->d_name[0] == '.')
            continue;
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        struct stat status;
        assert_int_equal(stat(path, &status), 0);
        if (S_ISDIR(status.st_mode))
            check_folder(path);
        else if (ends_with(path, ".mo"))
            check_file(path);
    }
    closedir(directory);
}

static void syntax_files_are_as_they_say(void **state)
{
    (void)state;
    files = failures = 0;
    check_folder(SALTUS_SOURCE_DIR "/tests/language/syntax");
    assert_int_equal(failures, 0);
    assert_true(files >= 100); // the folder was found
}

// Models and benchmarks hold no expectations: they must parse and survive.
static void models_of_the_repository_survive(void **state)
{
    (void)state;
    failures = 0;
    check_folder(SALTUS_SOURCE_DIR "/models");
    check_folder(SALTUS_SOURCE_DIR "/benchmarks");
    assert_int_equal(failures, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(syntax_files_are_as_they_say),
        cmocka_unit_test(models_of_the_repository_survive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
