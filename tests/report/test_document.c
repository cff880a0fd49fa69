// SPDX-License-Identifier: MIT
//
// Documents in their two forms: markup, characters that are special, tables, figures, files.

#include "report/document_parts.h"
#include "report/findings.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static Document *begin(Arena *arena)
{
    return document_create(arena, "A & B", "sub_title");
}

static void markup_and_escapes(void **state)
{
    (void)state;
    Arena *arena = arena_create(NULL);
    Document *d = begin(arena);
    document_text(d, DOCUMENT_BOTH, "a < b & `x_1 <= 0`, *so*, t_{m}, 10^{-6}, 50%% of β, 2 * 3");
    const char *html = document_html(d, arena).text, *latex = document_latex(d, arena).text;
    assert_non_null(strstr(html, "<p>a &lt; b &amp; <code>x_1 &lt;= 0</code>, <em>so</em>, "
                                 "t<sub>m</sub>, 10<sup>-6</sup>, 50% of β, 2 * 3</p>"));
    assert_non_null(strstr(latex, "a \\ensuremath{<} b \\& \\texttt{x\\_1 \\ensuremath{<}= 0}, "
                                  "\\emph{so}, t\\textsubscript{m}, 10\\textsuperscript{-6}, 50\\% "
                                  "of \\ensuremath{\\beta}, 2 * 3"));
    assert_non_null(strstr(latex, "\\title{\\bfseries A \\& B}"));
    arena_destroy(arena);
}

static void places(void **state)
{
    (void)state;
    Arena *arena = arena_create(NULL);
    Document *d = begin(arena);
    document_text(d, DOCUMENT_PAGE, "only-page");
    document_text(d, DOCUMENT_PRINT, "only-print");
    document_item(d, DOCUMENT_BOTH, "one");
    document_item(d, DOCUMENT_BOTH, "two");
    document_heading(d, DOCUMENT_BOTH, 2, "After");
    const char *html = document_html(d, arena).text, *latex = document_latex(d, arena).text;
    assert_non_null(strstr(html, "only-page"));
    assert_null(strstr(html, "only-print"));
    assert_null(strstr(latex, "only-page"));
    assert_non_null(strstr(latex, "only-print"));
    assert_non_null(strstr(html, "<ul>\n<li>one</li>\n<li>two</li>\n</ul>\n<h3"));
    assert_non_null(strstr(latex, "\\item one\n\\item two\n\\end{itemize}\n\\subsection{After}"));
    arena_destroy(arena);
}

static bool has_file(const char *folder, const char *name, const char *content)
{
    char path[256], text[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    if (!file)
        return false;
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return strstr(text, content) != NULL;
}

static void files(void **state)
{
    (void)state;
    char folder[] = "/tmp/saltus-document-XXXXXX", message[512] = "", command[64];
    assert_non_null(mkdtemp(folder));
    Arena *arena = arena_create(NULL);
    Document *d = begin(arena);
    static const char *const columns[] = {"n_{1}", "what"};
    static const char *const cells[] = {"1", "`a`, \"b\"", "2", NULL};
    document_table(d, DOCUMENT_BOTH,
                   &(DocumentTable){.id = "T.one",
                                    .caption = "A table",
                                    .columns = columns,
                                    .column_count = 2,
                                    .cells = cells,
                                    .row_count = 2});
    const double x[] = {0.0, 1.0}, y[] = {1.0, NAN};
    const PlotCurve curve = {.label = "y", .x = x, .y = y, .count = 2};
    const PlotPanel panel = {.curves = &curve, .curve_count = 1};
    document_figure(d, DOCUMENT_PAGE, "F.one", "A figure",
                    &(PlotFigure){.panels = &panel, .panel_count = 1});
    assert_true(document_write(d, folder, message));
    assert_string_equal(message, "");
    assert_true(
        has_file(folder, "T.one.csv", "\"n1\",\"what\"\n\"1\",\"a, \"\"b\"\"\"\n\"2\",\"\""));
    assert_true(has_file(folder, "F.one.csv", "1,\"y\",0,1,\n"));
    assert_true(has_file(folder, "F.one.svg", "<svg"));
    assert_true(has_file(folder, "index.html", "<!DOCTYPE html>"));
    assert_true(has_file(folder, "report.tex", "\\documentclass"));
    assert_false(document_write(d, "/nowhere/at/all", message));
    assert_non_null(strstr(message, "/nowhere/at/all"));
    arena_destroy(arena);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    assert_int_equal(system(command), 0);
}

static void findings_that_fail(void **state)
{
    (void)state;
    Arena *arena = arena_create(NULL);
    Findings f = findings_create(arena);
    findings_note(&f, 1.0, "s", "N.%d", 1);
    findings_check(&f, 1.0, "s", 1.5, 0.6, "exact", "A.%s", "near");
    assert_int_equal(findings_failed(&f), 0);
    findings_check(&f, 1.0, "s", 1.5, 0.4, "exact", "A.far");
    assert_int_equal(findings_failed(&f), 1);
    findings_check(&f, NAN, "s", 1.5, 0.4, "exact", "A.missing");
    findings_check(&f, 1.5, "s", NAN, 0.4, "exact", "A.without");
    assert_int_equal(findings_failed(&f), 3);
    findings_check(&f, 1.0, "s", 9.0, NAN, "for comparison", "A.compared");
    assert_int_equal(findings_failed(&f), 3);
    assert_string_equal(f.items[1].key, "A.near");
    Document *d = begin(arena);
    findings_table(&f, d, DOCUMENT_BOTH, "A.", "A.results", "Numbers");
    const char *html = document_html(d, arena).text;
    assert_non_null(strstr(html, "<code>A.near</code>"));
    assert_null(strstr(html, "N.1"));
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(markup_and_escapes),
        cmocka_unit_test(places),
        cmocka_unit_test(files),
        cmocka_unit_test(findings_that_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
