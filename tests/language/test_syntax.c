// SPDX-License-Identifier: MIT
//
// Syntax tests: every .mo file below tests/language/syntax says in its own comments what is
// expected of it (see support/language.h). A file without expected errors must also survive the
// round trip: printed, it parses to an equal tree with as many comments, and printing that gives
// the same text. The models of the repository make the same round trip.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "modelica/parser.h"
#include "support/language.h"
#include "support/printer.h"

static void round_trip(LanguageRun *run, const char *path, Compilation *c,
                       const StoredDefinition *first)
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
        language_report(run, path, c, "does not parse when printed");
    else if (!definition_equal(first, second))
        language_report(run, path, c, "parses to another tree when printed");
    else if (!string_equal(printed, builder_string(&again)))
        language_report(run, path, c, "is printed differently the second time");
    else if (first->comment_count != second->comment_count)
        language_report(run, path, c, "loses or gains comments when printed");
}

static void check_file(LanguageRun *run, const char *path)
{
    Compilation *c = compilation_create(NULL);
    const SourceFile *file;
    assert_non_null(c);
    assert_int_equal(sources_read(c->sources, path, &file), SOURCE_OK);
    StoredDefinition *definition = parser_parse(c, file);
    run->files++;
    if (language_compare(run, path, c, file) && c->diagnostics->error_count == 0)
        round_trip(run, path, c, definition);
    compilation_destroy(c);
}

static void syntax_files_are_as_they_say(void **state)
{
    (void)state;
    LanguageRun run = {0};
    language_folder(&run, SALTUS_SOURCE_DIR "/tests/language/syntax", check_file);
    assert_int_equal(run.failures, 0);
    assert_true(run.files >= 100); // the folder was found
}

// Models and benchmarks hold no expectations: they must parse and survive.
static void models_of_the_repository_survive(void **state)
{
    (void)state;
    LanguageRun run = {0};
    language_folder(&run, SALTUS_SOURCE_DIR "/models", check_file);
    language_folder(&run, SALTUS_SOURCE_DIR "/benchmarks", check_file);
    assert_int_equal(run.failures, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(syntax_files_are_as_they_say),
        cmocka_unit_test(models_of_the_repository_survive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
