// SPDX-License-Identifier: MIT
//
// Documents in their two forms: markup, characters that are special, tables, figures, files.

#include "report/code.h"
#include "report/document_parts.h"
#include "report/findings.h"
#include "report/formula.h"

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
    assert_non_null(strstr(latex, "\\title{\\bfseries A \\& B\\\\"));
    arena_destroy(arena);
}

// Numbers as programs print them, formulas, references and sources, in both forms.
static void numbers_and_references(void **state)
{
    (void)state;
    Arena *arena = arena_create(NULL);
    Document *d = begin(arena);
    static const char *const columns[] = {"x"}, *const cells[] = {"-1.50e-10", "2.25", "-3"};
    document_source(d, "key", "Somebody: *Something*.", "https://example.org");
    document_equation(d, DOCUMENT_BOTH, "law", "\\dot{x} = \\frac{a_1}{2}");
    document_table(d, DOCUMENT_BOTH, &(DocumentTable){"T", "Rows", columns, 1, cells, 3, false});
    document_text(d, DOCUMENT_BOTH,
                  "within 9.8e-13 s of -2, x-1, e1e2, $y^2$: [#law], [#T], [@key]");
    const char *html = document_html(d, arena).text, *latex = document_latex(d, arena).text;
    assert_non_null(strstr(html, "<p>within 9.8·10<sup>−13</sup> s of −2, x-1, e1e2, "
                                 "<math><mrow><msup><mi>y</mi><mrow><mn>2</mn></mrow></msup></mrow>"
                                 "</math>: <a href=\"#law\">(1)</a>, <a href=\"#T\">Table 1</a>, "
                                 "<a href=\"#key\">[1]</a></p>"));
    assert_non_null(strstr(html, "<mfrac><mrow><mrow><msub><mi>a</mi><mrow><mn>1</mn></mrow></msub>"
                                 "</mrow></mrow><mrow><mrow><mn>2</mn></mrow></mrow></mfrac>"));
    assert_non_null(strstr(html, "<td class=\"n\">−1.50·10<sup>−10</sup></td>"));
    // Decimal points stand below each other: a blank point and two blank digits.
    assert_non_null(strstr(html, "<td class=\"n\">−3\u2008\u2007\u2007</td>"));
    assert_non_null(strstr(html, "<li id=\"key\">Somebody: <em>Something</em>. <a"));
    assert_non_null(strstr(latex, "\\begin{equation}\\label{law}\\dot{x} = \\frac{a_1}{2}"));
    assert_non_null(strstr(latex, "$y^2$: (\\ref{law}), Table~\\ref{T}, \\cite{key}"));
    assert_non_null(strstr(latex, "$-1.50\\cdot10^{-10}$"));
    assert_non_null(strstr(latex, "\\bibitem{key} Somebody: \\emph{Something}."));
    arena_destroy(arena);
}

// What no text mentions is mentioned at the end of the last one, in each form what it has. In print
// a wide piece stands between the columns, where it was given.
static void pieces_in_place(void **state)
{
    (void)state;
    Arena *arena = arena_create(NULL);
    Document *d = begin(arena);
    static const char *const columns[] = {"`x`"}, *const cells[] = {"`a.very.long`"};
    document_heading(d, DOCUMENT_BOTH, 1, "Ball");
    document_text(d, DOCUMENT_BOTH, "It bounces.");
    document_table(d, DOCUMENT_BOTH, &(DocumentTable){"W", "Wide", columns, 1, cells, 1, true});
    document_table(d, DOCUMENT_PAGE, &(DocumentTable){"P", "Page", columns, 1, cells, 1, false});
    document_end_section(d);
    document_heading(d, DOCUMENT_BOTH, 1, "Next");
    const char *html = document_html(d, arena).text, *latex = document_latex(d, arena).text;
    assert_non_null(strstr(html, "<p>It bounces. See <a href=\"#W\">Table 1</a> and "
                                 "<a href=\"#P\">Table 2</a>.</p>"));
    assert_null(strstr(strstr(html, "It bounces.") + 1, "It bounces."));
    assert_non_null(strstr(latex, "\nIt bounces. See Table~\\ref{W}.\n\n\\end{multicols}\n"
                                  "\\par\\medskip\\noindent\\begin{minipage}{\\textwidth}"
                                  "\\here{table}"));
    assert_non_null(strstr(latex, "\\texttt{a.\\allowbreak{}very.\\allowbreak{}long}"));
    assert_non_null(strstr(latex, "\\begin{multicols}{2}\n\\section{Next}"));
    assert_null(strstr(latex, "table*"));
    arena_destroy(arena);
}

// Browsers guess the form of an operator from its place in the row, and align no column: both are
// said. A sign has no operand before it, a bar closes what a bar has opened.
static void operators(void **state)
{
    (void)state;
    static const struct {
        const char *latex, *mathml;
    } cases[] = {
        {"-x", "<mo form=\"prefix\">−</mo><mi>x</mi>"},
        {"a = -x", "<mo>=</mo><mo form=\"prefix\">−</mo>"},
        {"a - x", "<mi>a</mi><mo>−</mo><mi>x</mi>"},
        {"\\mu^2 - 1", "</msup><mo>−</mo><mn>1</mn>"},
        {"v|v|.", "<mo form=\"prefix\" stretchy=\"false\">|</mo><mi>v</mi>"
                  "<mo form=\"postfix\" stretchy=\"false\">|</mo>"},
        {"\\left(x\\right)", "<mo form=\"prefix\" stretchy=\"true\">(</mo><mi>x</mi>"
                             "<mo form=\"postfix\" stretchy=\"true\">)</mo>"},
        {"v := 1", "<mo>≔</mo>"},
        {"g/b", "<mo lspace=\"0\" rspace=\"0\">/</mo>"},
        {"\\begin{aligned}a &= 1 \\\\ b &= 2\\end{aligned}",
         "<mtr><mtd style=\"text-align:right;padding-right:0\"><mrow><mi>b</mi></mrow></mtd>"
         "<mtd style=\"text-align:left;padding-left:0\">"},
    };
    Arena *arena = arena_create(NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        StringBuilder out = builder_create(arena);
        formula_mathml(&out, cases[i].latex, strlen(cases[i].latex), false);
        if (!strstr(builder_string(&out).text, cases[i].mathml))
            fail_msg("%s: %s", cases[i].latex, builder_string(&out).text);
    }
    arena_destroy(arena);
}

// Whatever stands in a formula, the reader comes to its end and everything that is opened is
// closed.
static void odd_formulas(void **state)
{
    (void)state;
    static const char *const texts[] = {"{",
                                        "}",
                                        "\\",
                                        "x_",
                                        "^",
                                        "\\frac",
                                        "\\frac{a",
                                        "\\begin{cases",
                                        "\\begin{aligned} a & b \\\\",
                                        "\\unknown{x}",
                                        "a < b & c",
                                        "\\left( \\sqrt{x} \\right)"};
    Arena *arena = arena_create(NULL);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        StringBuilder out = builder_create(arena);
        formula_mathml(&out, texts[i], strlen(texts[i]), false);
        int depth = 0;
        for (const char *at = strchr(out.text, '<'); at; at = strchr(at + 1, '<')) {
            const char *end = strchr(at, '>');
            assert_non_null(end);
            depth += at[1] == '/' ? -1 : end[-1] == '/' ? 0 : 1;
            assert_true(depth >= 0);
        }
        assert_int_equal(depth, 0);
    }
    StringBuilder deep = builder_create(arena), out = builder_create(arena);
    for (int i = 0; i < 100000; i++)
        builder_append_character(&deep, '{');
    formula_mathml(&out, deep.text, deep.length, true);
    assert_non_null(out.text);
    arena_destroy(arena);
}

static void marked_code(void **state)
{
    (void)state;
    Arena *arena = arena_create(NULL);
    StringBuilder out = builder_create(arena);
    const char *text = "model M \"a < b\" // end\n  x = if_1 /* when */; \xC3\xA4";
    code_html(&out, (String){(char *)(uintptr_t)text, strlen(text)});
    assert_string_equal(
        out.text, "<span class=\"k\">model</span> M <span class=\"t\">&quot;a &lt; b&quot;</span> "
                  "<span class=\"c\">// end</span>\n  x = if_1 "
                  "<span class=\"c\">/* when */</span>; \xC3\xA4");
    arena_destroy(arena);
}

// In print a line stands as far to the right as it begins; blanks alone are an empty line.
static void listings(void **state)
{
    (void)state;
    Arena *arena = arena_create(NULL);
    Document *d = begin(arena);
    const char *text = "if a_b\n    c;\n  \nend";
    document_listing(d, DOCUMENT_BOTH, "Text", (String){(char *)(uintptr_t)text, strlen(text)});
    const char *latex = document_latex(d, arena).text;
    assert_non_null(strstr(latex,
                           "{\\par\\noindent\\scriptsize\\ttfamily\\raggedright\n"
                           "\\par\\hangindent=2em\\hangafter=1\\noindent\\hspace*{0.0em}"
                           "if a\\_b\n"
                           "\\par\\hangindent=4em\\hangafter=1\\noindent\\hspace*{2.0em}c;\n"
                           "\\par\\hangindent=2em\\hangafter=1\\noindent\\hspace*{0.0em}\n"
                           "\\par\\hangindent=2em\\hangafter=1\\noindent\\hspace*{0.0em}end\n"
                           "}"));
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
    char folder[] = "/tmp/saltus-document-XXXXXX", *message = NULL, command[64];
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
    assert_true(document_write(d, folder, &message));
    assert_null(message);
    assert_true(
        has_file(folder, "T.one.csv", "\"n1\",\"what\"\n\"1\",\"a, \"\"b\"\"\"\n\"2\",\"\""));
    assert_true(has_file(folder, "F.one.csv", "1,\"y\",0,1,\n"));
    assert_true(has_file(folder, "F.one.svg", "<svg"));
    assert_true(has_file(folder, "index.html", "<!DOCTYPE html>"));
    assert_true(has_file(folder, "report.tex", "\\documentclass"));
    assert_false(document_write(d, "/nowhere/at/all", &message));
    assert_non_null(strstr(message, "/nowhere/at/all"));
    free(message);
    arena_destroy(arena);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    assert_int_equal(system(command), 0);
}

static void findings_that_fail(void **state)
{
    (void)state;
    Arena *arena = arena_create(NULL);
    Findings f = findings_create(arena);
    findings_add(&f, (Finding){"N.1", 1.0, "s", .reference = NAN, .bound = NAN});
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
        cmocka_unit_test(numbers_and_references),
        cmocka_unit_test(pieces_in_place),
        cmocka_unit_test(operators),
        cmocka_unit_test(odd_formulas),
        cmocka_unit_test(marked_code),
        cmocka_unit_test(listings),
        cmocka_unit_test(places),
        cmocka_unit_test(files),
        cmocka_unit_test(findings_that_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
