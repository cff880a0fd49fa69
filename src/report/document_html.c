// SPDX-License-Identifier: MIT
//
// A document as one HTML page that needs nothing else.

#include "report/document_parts.h"

static const char style[] =
    "body{font:16px/1.5 'DejaVu Sans',system-ui,sans-serif;max-width:60rem;margin:2rem auto;"
    "padding:0 1rem;color:#1a1a1a}\n"
    "h1{font-size:1.7rem;line-height:1.2}h2{margin-top:3rem;border-bottom:2px solid #0072b2}\n"
    "h3{margin-top:2rem}.subtitle{color:#555}nav{columns:2;font-size:.9rem}\n"
    ".abstract{background:#f4f6f8;padding:.8rem 1.2rem;border-left:4px solid #0072b2}\n"
    "table{border-collapse:collapse;font-size:.82rem;margin:.5rem 0}\n"
    "th,td{padding:.15rem .6rem;text-align:left;border-bottom:1px solid #ddd}\n"
    "th{border-bottom:2px solid #555}td{font-variant-numeric:tabular-nums}\n"
    "figure{margin:1.5rem 0;overflow-x:auto}figcaption{font-size:.88rem;color:#333}\n"
    "svg{max-width:100%;height:auto}pre{background:#f4f6f8;padding:.8rem;overflow-x:auto;"
    "font-size:.8rem;line-height:1.35}code{font-family:'DejaVu Sans Mono',monospace;"
    "font-size:.9em}\n";

static void document_html_escape(StringBuilder *out, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        const char c = text[i];
        if (c == '&')
            builder_append_text(out, "&amp;");
        else if (c == '<')
            builder_append_text(out, "&lt;");
        else if (c == '>')
            builder_append_text(out, "&gt;");
        else
            builder_append_character(out, c);
    }
}

static void document_html_emit(StringBuilder *out, Markup markup, const char *text, size_t length)
{
    static const char *const tags[] = {NULL, "code", "em", "sub", "sup"};
    if (tags[markup])
        builder_append_format(out, "<%s>", tags[markup]);
    document_html_escape(out, text, length);
    if (tags[markup])
        builder_append_format(out, "</%s>", tags[markup]);
}

static void document_html_append(StringBuilder *out, const char *before, const char *text,
                                 const char *after)
{
    builder_append_text(out, before);
    document_markup(out, text, document_html_emit);
    builder_append_text(out, after);
}

static void document_html_append_table(StringBuilder *out, const Piece *piece)
{
    const DocumentTable *t = &piece->table;
    builder_append_format(out, "<figure id=\"%s\">", piece->id);
    document_html_append(out, "<figcaption>", t->caption, "</figcaption>\n<table><tr>");
    for (size_t c = 0; c < t->column_count; c++)
        document_html_append(out, "<th>", t->columns[c], "</th>");
    builder_append_text(out, "</tr>\n");
    for (size_t r = 0; r < t->row_count; r++) {
        builder_append_text(out, "<tr>");
        for (size_t c = 0; c < t->column_count; c++)
            document_html_append(out, "<td>", t->cells[r * t->column_count + c], "</td>");
        builder_append_text(out, "</tr>\n");
    }
    builder_append_format(out, "</table><a href=\"%s.csv\">CSV</a></figure>\n", piece->id);
}

static void document_html_append_piece(StringBuilder *out, const Piece *piece, int number)
{
    switch (piece->kind) {
    case PIECE_HEADING:
        builder_append_format(out, "<h%d id=\"s%d\">", piece->level + 1, number);
        document_html_append(out, "", piece->text, "");
        builder_append_format(out, "</h%d>\n", piece->level + 1);
        break;
    case PIECE_TEXT:
        document_html_append(out, "<p>", piece->text, "</p>\n");
        break;
    case PIECE_ITEM:
        document_html_append(out, "<li>", piece->text, "</li>\n");
        break;
    case PIECE_LISTING:
        document_html_append(out, "<figure><figcaption>", piece->text, "</figcaption><pre><code>");
        document_html_escape(out, piece->body.text ? piece->body.text : "", piece->body.length);
        builder_append_text(out, "</code></pre></figure>\n");
        break;
    case PIECE_TABLE:
        document_html_append_table(out, piece);
        break;
    case PIECE_FIGURE:
        builder_append_format(out, "<figure id=\"%s\">", piece->id);
        builder_append(out, piece->body.text, piece->body.length);
        document_html_append(out, "<figcaption>", piece->text, "");
        builder_append_format(out, " <a href=\"%s.csv\">CSV</a></figcaption></figure>\n",
                              piece->id);
        break;
    }
}

static void append_contents(StringBuilder *out, const Document *d)
{
    int number = 0;
    builder_append_text(out, "<nav><ul>\n");
    for (const Piece *piece = d->first; piece; piece = piece->next) {
        number++;
        if (piece->kind != PIECE_HEADING || piece->place == DOCUMENT_PRINT)
            continue;
        builder_append_format(out, "<li><a href=\"#s%d\">", number);
        document_html_append(out, piece->level == 1 ? "<strong>" : "", piece->text,
                             piece->level == 1 ? "</strong></a></li>\n" : "</a></li>\n");
    }
    builder_append_text(out, "</ul></nav>\n");
}

String document_html(const Document *d, Arena *arena)
{
    StringBuilder out = builder_create(arena);
    builder_append_text(&out, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                              "<meta name=\"viewport\" content=\"width=device-width\">\n");
    document_html_append(&out, "<title>", d->title, "</title>\n<style>\n");
    builder_append_text(&out, style);
    document_html_append(&out, "</style></head><body>\n<h1>", d->title, "</h1>\n");
    document_html_append(&out, "<p class=\"subtitle\">", d->subtitle, "</p>\n");
    document_html_append(&out, "<p class=\"abstract\">", d->abstract, "</p>\n");
    append_contents(&out, d);
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
        document_html_append_piece(&out, piece, number);
    }
    builder_append_text(&out, in_list ? "</ul>\n</body></html>\n" : "</body></html>\n");
    return builder_string(&out);
}
