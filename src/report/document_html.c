// SPDX-License-Identifier: MIT
//
// A document as one HTML page that needs nothing else (but the frames of pictures that move, which
// are files beside it).

#include "report/document_parts.h"

#include "plot/svg.h"
#include "report/code.h"
#include "report/formula.h"

#include <string.h>

// Tables with more rows and listings with more lines are folded: they are there, but not in the
// way.
enum { HTML_ROWS_MOST = 16, HTML_LINES_MOST = 24 };

static const char style[] =
    ":root{--ink:#1a1a1a;--soft:#555;--paper:#fff;--tint:#f4f6f8;--line:#ddd;--accent:#0072b2;"
    "--keyword:#0b5394;--string:#8a3b00;--comment:#5f6b73}\n"
    "@media(prefers-color-scheme:dark){:root{--ink:#e6e6e6;--soft:#aaa;--paper:#16191c;"
    "--tint:#20252a;--line:#3a4148;--accent:#56b4e9;--keyword:#7cc4f5;--string:#e8a87c;"
    "--comment:#98a4ad}}\n"
    "html{scroll-behavior:smooth}body{font:16px/1.55 'DejaVu Sans',system-ui,sans-serif;"
    "max-width:60rem;margin:2rem auto;padding:0 1rem;color:var(--ink);background:var(--paper)}\n"
    "a{color:var(--accent)}h1{font-size:1.7rem;line-height:1.2}"
    "h2{margin-top:3rem;border-bottom:2px solid var(--accent)}h3{margin-top:2.2rem}\n"
    ".subtitle,.made{color:var(--soft)}.made{font-size:.85rem}.top{float:right;font-size:.8rem;"
    "font-weight:normal;text-decoration:none}\n"
    "nav{columns:2;column-gap:2rem;font-size:.9rem}nav ul{margin:0;padding:0;list-style:none}"
    "nav li{break-inside:avoid}nav li.part{margin-top:.6rem;break-after:avoid}"
    "nav li.task{padding-left:1rem}@media(max-width:40rem){nav{columns:1}}\n"
    ".abstract{background:var(--tint);padding:.8rem 1.2rem;border-left:4px solid var(--accent)}\n"
    ".scroll{overflow-x:auto}table{border-collapse:collapse;font-size:.82rem;margin:.5rem 0}\n"
    "th,td{padding:.15rem .6rem;text-align:left;border-bottom:1px solid var(--line)}\n"
    "th{border-bottom:2px solid var(--soft);vertical-align:bottom}"
    "td{font-variant-numeric:tabular-nums}td.n,th.n{text-align:right;white-space:nowrap}"
    "td.s{white-space:nowrap}\n"
    "figure{margin:1.5rem 0}figcaption,summary{font-size:.88rem;color:var(--soft)}"
    "figcaption b,summary b{color:var(--ink)}summary{cursor:pointer}\n"
    ".picture{overflow-x:auto;background:#fff}.picture svg{width:100%;min-width:40rem;height:auto;"
    "display:block}.narrow{max-width:36rem}.small{max-width:24rem}"
    ".narrow,.small{margin:auto}.narrow svg{min-width:24rem}.small "
    "svg{min-width:0}iframe{width:100%;height:34rem;border:1px solid var(--line);background:#fff}\n"
    "math{font-size:1.12em}.equation{display:flex;align-items:center;overflow-x:auto}.equation "
    "math{flex:1}"
    ".equation span{margin-left:1rem}\n"
    "pre{background:var(--tint);padding:.8rem;overflow-x:auto;font-size:.8rem;line-height:1.35}"
    "code{font-family:'DejaVu Sans Mono',monospace;font-size:.9em;overflow-wrap:anywhere}"
    "pre code{overflow-wrap:normal}.k{color:var(--keyword);font-weight:bold}"
    ".t{color:var(--string)}.c{color:var(--comment);font-style:italic}\n"
    ".sources li{font-size:.9rem;margin:.3rem 0}\n";

static void document_html_refer(const Document *d, StringBuilder *out, const char *id,
                                size_t length)
{
    const Piece *piece = document_find(d, DOCUMENT_PRINT, id, length);
    if (!piece) { // a picture that only the note has, or a task that was not run
        builder_append_text(out, "(not in this report)");
        return;
    }
    builder_append_format(out, "<a href=\"#%s\">", piece->id);
    if (piece->kind == PIECE_EQUATION)
        builder_append_format(out, "(%d)</a>", piece->number);
    else if (piece->kind == PIECE_SOURCE)
        builder_append_format(out, "[%d]</a>", piece->number);
    else
        builder_append_format(out, "%s %d</a>", piece->kind == PIECE_TABLE ? "Table" : "Figure",
                              piece->number);
}

static void document_html_emit(const Document *d, StringBuilder *out, Markup markup,
                               const char *text, size_t length)
{
    static const char *const tags[] = {NULL, "code", "em", "sub", "sup", NULL, NULL, NULL};
    if (markup == MARKUP_FORMULA) {
        formula_mathml(out, text, length, false);
    } else if (markup == MARKUP_REFERENCE || markup == MARKUP_CITATION) {
        document_html_refer(d, out, text, length);
    } else {
        if (tags[markup])
            builder_append_format(out, "<%s>", tags[markup]);
        svg_escape(out, text, length);
        if (tags[markup])
            builder_append_format(out, "</%s>", tags[markup]);
    }
}

static void document_html_append(const Document *d, StringBuilder *out, const char *before,
                                 const char *text, const char *after)
{
    builder_append_text(out, before);
    document_markup(d, out, text, document_html_emit);
    builder_append_text(out, after);
}

// ---------------------------------------------------------------------------
// Tables
// ---------------------------------------------------------------------------

// A number of a column, filled up with blanks of a digit's width so that the decimal points stand
// below each other.
static void document_html_append_number(StringBuilder *out, NumberText number, int decimals)
{
    if (number.is_negative)
        builder_append_text(out, "−");
    builder_append(out, number.mantissa, number.mantissa_length);
    if (number.exponent)
        builder_append_format(out, "·10<sup>%s%d</sup>", number.exponent < 0 ? "−" : "",
                              number.exponent < 0 ? -number.exponent : number.exponent);
    if (number.exponent || number.rest_length) // not comparable digit by digit
        decimals = number.decimals;
    svg_escape(out, number.rest, number.rest_length);
    if (decimals > 0 && number.decimals == 0)
        builder_append_text(out, "\u2008");
    for (int i = number.decimals; i < decimals; i++)
        builder_append_text(out, "\u2007");
}

static void document_html_append_cell(const Document *d, StringBuilder *out, const DocumentTable *t,
                                      size_t row, size_t column, int decimals)
{
    enum { SHORT = 28 };
    const char *cell = t->cells[row * t->column_count + column];
    NumberText number;
    if (document_number(cell, &number)) {
        builder_append_text(out, "<td class=\"n\">");
        document_html_append_number(out, number, decimals);
        builder_append_text(out, "</td>");
        return;
    }
    document_html_append(d, out, strlen(cell) <= SHORT ? "<td class=\"s\">" : "<td>", cell,
                         "</td>");
}

// Digits behind the point that the numbers of a column have; -1: it is no column of numbers.
static int document_html_decimals(const DocumentTable *t, size_t column)
{
    int most = -1;
    for (size_t r = 0; r < t->row_count; r++) {
        NumberText number;
        const char *cell = t->cells[r * t->column_count + column];
        if (document_number(cell, &number))
            most = number.decimals > most ? number.decimals : most;
        else if (*cell)
            return -1;
    }
    return most;
}

static void document_html_append_caption(const Document *d, StringBuilder *out, const Piece *piece,
                                         const char *kind)
{
    builder_append_format(out, "<b>%s %d.</b> ", kind, piece->number);
    document_markup(d, out, piece->text, document_html_emit);
}

static void document_html_append_table(const Document *d, StringBuilder *out, const Piece *piece)
{
    const DocumentTable *t = &piece->table;
    const bool is_folded = t->row_count > HTML_ROWS_MOST;
    builder_append_format(out, "<figure id=\"%s\">%s", piece->id,
                          is_folded ? "<details><summary>" : "<figcaption>");
    document_html_append_caption(d, out, piece, "Table");
    if (is_folded)
        builder_append_format(out, " (%zu rows)", t->row_count);
    builder_append_format(out, " <a href=\"%s.csv\">CSV</a>", piece->id);
    builder_append_text(out, is_folded ? "</summary>" : "</figcaption>");
    builder_append_text(out, "\n<div class=\"scroll\"><table><tr>");
    for (size_t c = 0; c < t->column_count; c++)
        document_html_append(d, out,
                             document_html_decimals(t, c) >= 0 ? "<th class=\"n\">" : "<th>",
                             t->columns[c], "</th>");
    builder_append_text(out, "</tr>\n");
    for (size_t r = 0; r < t->row_count; r++) {
        builder_append_text(out, "<tr>");
        for (size_t c = 0; c < t->column_count; c++)
            document_html_append_cell(d, out, t, r, c, document_html_decimals(t, c));
        builder_append_text(out, "</tr>\n");
    }
    builder_append_text(out, "</table></div>");
    builder_append_text(out, is_folded ? "</details></figure>\n" : "</figure>\n");
}

// ---------------------------------------------------------------------------
// The other pieces
// ---------------------------------------------------------------------------

static void document_html_append_listing(const Document *d, StringBuilder *out, const Piece *piece)
{
    size_t lines = 0;
    for (size_t i = 0; i < piece->body.length; i++)
        lines += piece->body.text[i] == '\n';
    const bool is_folded = lines > HTML_LINES_MOST;
    builder_append_text(out, is_folded ? "<figure><details><summary>" : "<figure><figcaption>");
    document_html_append(d, out, "<b>Listing.</b> ", piece->text, "");
    if (is_folded)
        builder_append_format(out, " (%zu lines)", lines);
    builder_append_text(out, is_folded ? "</summary>" : "</figcaption>");
    builder_append_text(out, "<pre><code>");
    code_html(out, piece->body);
    builder_append_text(out, is_folded ? "</code></pre></details></figure>\n"
                                       : "</code></pre></figure>\n");
}

static void document_html_append_figure(const Document *d, StringBuilder *out, const Piece *piece)
{
    builder_append_format(out, "<figure id=\"%s\"><div class=\"%s\">", piece->id,
                          piece->is_small  ? "picture small"
                          : piece->is_wide ? "picture"
                                           : "picture narrow");
    // What stands before the element (<?xml ...?>) belongs to a file of its own.
    const char *svg = piece->body.text ? strstr(piece->body.text, "<svg") : NULL;
    builder_append_text(out, svg ? svg : "");
    builder_append_text(out, "</div><figcaption>");
    document_html_append_caption(d, out, piece, "Figure");
    if (piece->data.length)
        builder_append_format(out, " <a href=\"%s.csv\">CSV</a>", piece->id);
    builder_append_text(out, "</figcaption></figure>\n");
}

static void document_html_append_piece(const Document *d, StringBuilder *out, const Piece *piece,
                                       int number)
{
    switch (piece->kind) {
    case PIECE_HEADING:
        builder_append_format(out, "<h%d id=\"s%d\">", piece->level + 1, number);
        document_html_append(d, out, "", piece->text,
                             " <a class=\"top\" href=\"#contents\">contents</a>");
        builder_append_format(out, "</h%d>\n", piece->level + 1);
        break;
    case PIECE_TEXT:
        document_html_append(d, out, "<p>", piece->text, "</p>\n");
        break;
    case PIECE_ITEM:
        document_html_append(d, out, "<li>", piece->text, "</li>\n");
        break;
    case PIECE_LISTING:
        document_html_append_listing(d, out, piece);
        break;
    case PIECE_TABLE:
        document_html_append_table(d, out, piece);
        break;
    case PIECE_FIGURE:
        document_html_append_figure(d, out, piece);
        break;
    case PIECE_EQUATION:
        builder_append_format(out, "<div class=\"equation\" id=\"%s\">", piece->id);
        formula_mathml(out, piece->text, strlen(piece->text), true);
        builder_append_format(out, "<span>(%d)</span></div>\n", piece->number);
        break;
    case PIECE_FRAME:
        builder_append_format(out,
                              "<figure id=\"%s\"><iframe src=\"%s.html\" loading=\"lazy\" "
                              "title=\"animation\"></iframe><figcaption>",
                              piece->id, piece->id);
        document_html_append(d, out, "<b>Animation.</b> ", piece->text, "");
        builder_append_format(out,
                              " <a href=\"%s.html\">On a page of its own</a>"
                              "</figcaption></figure>\n",
                              piece->id);
        break;
    case PIECE_SOURCE:
        break;
    }
}

static void document_html_append_contents(const Document *d, StringBuilder *out)
{
    int number = 0;
    builder_append_text(out, "<nav id=\"contents\"><ul>\n");
    for (const Piece *piece = d->first; piece; piece = piece->next) {
        number++;
        if (piece->kind != PIECE_HEADING || piece->place == DOCUMENT_PRINT)
            continue;
        builder_append_format(out, "<li class=\"%s\"><a href=\"#s%d\">",
                              piece->level == 1 ? "part" : "task", number);
        document_html_append(d, out, piece->level == 1 ? "<strong>" : "", piece->text,
                             piece->level == 1 ? "</strong></a></li>\n" : "</a></li>\n");
    }
    builder_append_text(out, "</ul></nav>\n");
}

static void document_html_append_sources(const Document *d, StringBuilder *out)
{
    bool has_any = false;
    for (const Piece *piece = d->first; piece; piece = piece->next) {
        if (piece->kind != PIECE_SOURCE)
            continue;
        if (!has_any)
            builder_append_text(out, "<h2>References</h2>\n<ol class=\"sources\">\n");
        has_any = true;
        builder_append_format(out, "<li id=\"%s\">", piece->id);
        document_html_append(d, out, "", piece->text, "");
        if (piece->url)
            builder_append_format(out, " <a href=\"%s\">%s</a>", piece->url, piece->url);
        builder_append_text(out, "</li>\n");
    }
    builder_append_text(out, has_any ? "</ol>\n" : "");
}

static void document_html_append_front(const Document *d, StringBuilder *out)
{
    document_html_append(d, out, "<h1>", d->title, "</h1>\n");
    document_html_append(d, out, "<p class=\"subtitle\">", d->subtitle, "</p>\n");
    if (*d->authors)
        document_html_append(d, out, "<p>", d->authors, "</p>\n");
    if (*d->made_with)
        document_html_append(d, out, "<p class=\"made\">", d->made_with, "</p>\n");
    document_html_append(d, out, "<p class=\"abstract\">", d->abstract, "</p>\n");
    if (*d->keywords)
        document_html_append(d, out, "<p class=\"made\">Keywords: ", d->keywords, "</p>\n");
}

String document_html(const Document *d, Arena *arena)
{
    StringBuilder out = builder_create(arena);
    builder_append_text(&out, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                              "<meta name=\"viewport\" content=\"width=device-width\">\n");
    document_html_append(d, &out, "<title>", d->title, "</title>\n<style>\n");
    builder_append_text(&out, style);
    builder_append_text(&out, "</style></head><body>\n");
    document_html_append_front(d, &out);
    document_html_append_contents(d, &out);
    int number = 0;
    bool in_list = false;
    for (const Piece *piece = d->first; piece; piece = piece->next) {
        number++;
        if (piece->place == DOCUMENT_PRINT)
            continue;
        const bool is_item = piece->kind == PIECE_ITEM;
        if (is_item != in_list)
            builder_append_text(&out, is_item ? "<ul>\n" : "</ul>\n");
        in_list = is_item;
        document_html_append_piece(d, &out, piece, number);
    }
    builder_append_text(&out, in_list ? "</ul>\n" : "");
    document_html_append_sources(d, &out);
    builder_append_text(&out, "</body></html>\n");
    return builder_string(&out);
}
