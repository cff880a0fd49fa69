// SPDX-License-Identifier: MIT
//
// A document as LaTeX: two columns, in the form of a journal's benchmark note. Needs nothing but
// the packages that every installation has. Nothing floats: what is wider than a column ends the
// columns, stands where it is spoken of, and the columns begin again below it.

#include "report/document_parts.h"

#include <stdint.h>
#include <string.h>

static const char preamble[] =
    "\\documentclass[10pt,a4paper]{article}\n"
    "\\usepackage[utf8]{inputenc}\n\\usepackage[T1]{fontenc}\n"
    "\\usepackage[margin=18mm,columnsep=6mm]{geometry}\n"
    "\\usepackage{graphicx}\n\\usepackage{amsmath}\n\\usepackage{textcomp}\n\\usepackage{array}\n"
    "\\usepackage{multicol}\n\\usepackage{longtable}\n"
    "\\setlength{\\multicolsep}{7pt plus 3pt}\\setlength{\\LTcapwidth}{\\textwidth}"
    "\\setlength{\\abovecaptionskip}{2pt}\\setlength{\\belowcaptionskip}{2pt}\n"
    "\\setlength{\\tabcolsep}{3pt}\n\\setlength{\\parindent}{1em}\\raggedbottom\\raggedcolumns\n"
    "\\emergencystretch=2em\\widowpenalty=10000\\clubpenalty=10000\n"
    "\\makeatletter\\renewcommand{\\section}{\\@startsection{section}{1}{0pt}{1.6ex plus .4ex}"
    "{.6ex}{\\large\\bfseries\\raggedright}}\n"
    "\\renewcommand{\\subsection}{\\@startsection{subsection}{2}{0pt}"
    "{1.2ex plus .3ex}{.4ex}{\\normalsize\\bfseries\\raggedright}}\n"
    "\\newcommand{\\here}[1]{\\def\\@captype{#1}}\\makeatother\n";

// Characters beyond Latin 1 that the texts use, and how LaTeX sets them.
static const struct {
    const char *utf8;
    const char *latex;
} characters[] = {
    {"α", "\\alpha"},
    {"β", "\\beta"},
    {"γ", "\\gamma"},
    {"δ", "\\delta"},
    {"ε", "\\varepsilon"},
    {"λ", "\\lambda"},
    {"μ", "\\mu"},
    {"π", "\\pi"},
    {"ρ", "\\rho"},
    {"σ", "\\sigma"},
    {"τ", "\\tau"},
    {"φ", "\\varphi"},
    {"ω", "\\omega"},
    {"Δ", "\\Delta"},
    {"Ω", "\\Omega"},
    {"≤", "\\le"},
    {"≥", "\\ge"},
    {"≠", "\\ne"},
    {"≈", "\\approx"},
    {"∞", "\\infty"},
    {"→", "\\to"},
    {"↔", "\\leftrightarrow"},
    {"−", "-"},
    {"·", "\\cdot"},
    {"×", "\\times"},
    {"±", "\\pm"},
    {"√", "\\surd"},
    {"²", "{}^2"},
    {"³", "{}^3"},
    {"⁴", "{}^4"},
    {"°", "{}^\\circ"},
    {"∈", "\\in"},
    {"ẋ", "\\dot x"},
    {"ẏ", "\\dot y"},
    {"∂", "\\partial"},
    {"µ", "\\mu"},
    {"½", "\\tfrac12"},
    {"⁻", "{}^-"},
    {"¹", "{}^1"},
};

// The character of the list that begins here; SIZE_MAX: none.
static size_t find_character(const char *text, size_t length)
{
    for (size_t i = 0; i < sizeof characters / sizeof *characters; i++) {
        const size_t n = strlen(characters[i].utf8);
        if (n <= length && strncmp(text, characters[i].utf8, n) == 0)
            return i;
    }
    return SIZE_MAX;
}

static void document_latex_escape(StringBuilder *out, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        const size_t special = find_character(text + i, length - i);
        const char c = text[i];
        if (special != SIZE_MAX) {
            builder_append_format(out, "\\ensuremath{%s}", characters[special].latex);
            i += strlen(characters[special].utf8) - 1;
        } else if (strchr("&%$#_{}", c)) {
            builder_append_format(out, "\\%c", c);
        } else if (c == '\\') {
            builder_append_text(out, "\\textbackslash{}");
        } else if (c == '~' || c == '^') {
            builder_append_format(out, "\\%c{}", c);
        } else if (c == '<' || c == '>' || c == '|') {
            builder_append_format(out, "\\ensuremath{%c}", c);
        } else if (c == '"') {
            builder_append_text(out, "\\textquotedbl{}");
        } else {
            builder_append_character(out, c);
        }
    }
}

static void document_latex_refer(const Document *d, StringBuilder *out, const char *id,
                                 size_t length)
{
    const Piece *piece = document_find(d, DOCUMENT_PAGE, id, length);
    if (!piece) {
        builder_append_text(out, "the report's page");
        return;
    }
    const char *before = piece->kind == PIECE_EQUATION ? "("
                         : piece->kind == PIECE_TABLE  ? "Table~"
                                                       : "Figure~";
    builder_append_format(out, "%s\\ref{%s}%s", before, piece->id,
                          piece->kind == PIECE_EQUATION ? ")" : "");
}

// Up to where code may be broken: behind a dot, comma or bracket.
static size_t document_latex_part(const char *text, size_t length)
{
    for (size_t i = 1; i + 1 < length; i++)
        if (strchr(".,[", text[i]) && text[i + 1] != ' ')
            return i + 1;
    return length;
}

static void document_latex_emit(const Document *d, StringBuilder *out, Markup markup,
                                const char *text, size_t length)
{
    static const char *const open[] = {"", "\\texttt{", "\\emph{", "\\textsubscript{",
                                       "\\textsuperscript{"};
    if (markup == MARKUP_FORMULA) {
        builder_append_format(out, "$%.*s$", (int)length, text);
        return;
    }
    if (markup == MARKUP_CITATION) {
        builder_append_format(out, "\\cite{%.*s}", (int)length, text);
        return;
    }
    if (markup == MARKUP_REFERENCE) {
        document_latex_refer(d, out, text, length);
        return;
    }
    builder_append_text(out, open[markup]);
    // The name of a variable may be longer than a line has room for: it breaks at its dots.
    for (const size_t step = markup == MARKUP_CODE ? 0 : length; length > 0;) {
        const size_t part = step ? step : document_latex_part(text, length);
        document_latex_escape(out, text, part);
        if (part < length)
            builder_append_text(out, "\\allowbreak{}");
        text += part, length -= part;
    }
    builder_append_text(out, *open[markup] ? "}" : "");
}

static void document_latex_append(const Document *d, StringBuilder *out, const char *before,
                                  const char *text, const char *after)
{
    builder_append_text(out, before);
    document_markup(d, out, text, document_latex_emit);
    builder_append_text(out, after);
}

// Letters outside ASCII do not pass through verbatim text in every installation: program text is
// set line by line instead.
static void append_listing(const Document *d, StringBuilder *out, const Piece *piece)
{
    const char *text = piece->body.text ? piece->body.text : "";
    document_latex_append(d, out, "\\par\\smallskip\\noindent{\\small\\emph{", piece->text, "}}\n");
    builder_append_text(out, "{\\par\\noindent\\scriptsize\\ttfamily\\raggedright\n");
    while (*text) {
        const size_t length = strcspn(text, "\n"), blanks = strspn(text, " ");
        // A line that is too long goes on below, further to the right than it began.
        const size_t indent = blanks < length ? blanks : 0;
        builder_append_format(out,
                              "\\par\\hangindent=%zuem\\hangafter=1\\noindent\\hspace*{%.1fem}",
                              indent / 2 + 2, 0.5 * (double)indent);
        if (blanks < length)
            document_latex_escape(out, text + blanks, length - blanks);
        builder_append_text(out, "\n");
        text += length + (text[length] == '\n');
    }
    builder_append_text(out, "}\\smallskip\n\n");
}

// How long a cell is, in characters of usual width: those of code and of headings are wider, a
// power of ten is written out.
static size_t cell_length(const char *cell, bool is_heading)
{
    NumberText number;
    const size_t length = utf8_count(cell, strlen(cell));
    if (document_number(cell, &number))
        return number.is_negative + number.mantissa_length + (number.exponent ? 5 : 0) +
               number.rest_length;
    return is_heading || cell[0] == '`' ? length * 6 / 5 : length;
}

static size_t column_length(const DocumentTable *t, size_t column)
{
    size_t longest = cell_length(t->columns[column], true);
    for (size_t r = 0; r < t->row_count; r++) {
        const size_t length = cell_length(t->cells[r * t->column_count + column], false);
        longest = length > longest ? length : longest;
    }
    return longest;
}

// The largest width so that all columns fit into a line if none is wider.
static size_t widest_column(const DocumentTable *t, size_t room)
{
    size_t width = 200;
    for (; width > 6; width--) {
        size_t all = 0;
        for (size_t c = 0; c < t->column_count; c++) {
            const size_t length = column_length(t, c);
            all += (length < width ? length : width) + 2;
        }
        if (all <= room)
            break;
    }
    return width;
}

// Columns as wide as their text; the cells of those that are too wide have several lines.
static void append_columns(StringBuilder *out, const DocumentTable *t, bool is_wide)
{
    const size_t room = is_wide ? 116 : 54; // characters of a line
    const size_t width = widest_column(t, room);
    for (size_t c = 0; c < t->column_count; c++) {
        if (column_length(t, c) <= width)
            builder_append_character(out, 'l');
        else
            builder_append_format(out, ">{\\raggedright\\arraybackslash}p{%.3f\\linewidth}",
                                  (double)width / (double)room);
    }
}

// A table that does not fit into a column is set over both.
static bool document_latex_is_wide(const Piece *piece)
{
    enum { COLUMN_ROOM = 72 };
    size_t all = 0;
    for (size_t c = 0; c < piece->table.column_count; c++)
        all += column_length(&piece->table, c) + 2;
    return piece->is_wide || all > COLUMN_ROOM;
}

// Between the columns of text, or in one of them.
static void document_latex_open(StringBuilder *out, const char *kind, bool is_wide)
{
    builder_append_format(out,
                          "\\par\\medskip\\noindent\\begin{minipage}{%s}\\here{%s}\\centering\n",
                          is_wide ? "\\textwidth" : "\\columnwidth", kind);
}

static void document_latex_close(StringBuilder *out)
{
    builder_append_text(out, "\\end{minipage}\\par\\medskip\n\n");
}

static void document_latex_append_cell(const Document *d, StringBuilder *out, const char *before,
                                       const char *cell)
{
    NumberText number;
    if (!document_number(cell, &number)) {
        document_latex_append(d, out, before, cell, "");
        return;
    }
    builder_append_format(out, "%s$%s%.*s", before, number.is_negative ? "-" : "",
                          (int)number.mantissa_length, number.mantissa);
    if (number.exponent)
        builder_append_format(out, "\\cdot10^{%d}", number.exponent);
    builder_append_text(out, "$");
    document_latex_escape(out, number.rest, number.rest_length);
}

// A table that would not fit into what is left of a page goes on on the next one.
static void document_latex_append_table(const Document *d, StringBuilder *out, const Piece *piece)
{
    enum { ROWS_TOGETHER = 24 };
    const DocumentTable *t = &piece->table;
    const bool is_wide = document_latex_is_wide(piece),
               is_long = is_wide && t->row_count > ROWS_TOGETHER;
    if (is_long)
        builder_append_text(out, "{\\footnotesize\\begin{longtable}{");
    else
        document_latex_open(out, "table", is_wide);
    if (!is_long)
        document_latex_append(d, out, "\\footnotesize\n\\caption{", t->caption,
                              "}\\smallskip\n\\begin{tabular}{");
    append_columns(out, t, is_wide);
    builder_append_text(out, "}");
    if (is_long)
        document_latex_append(d, out, "\\caption{", t->caption, "}");
    builder_append_format(out, "%s%s%s\\hline\n", is_long ? "\\label{" : "",
                          is_long ? piece->id : "", is_long ? "}\\\\" : "");
    for (size_t c = 0; c < t->column_count; c++)
        document_latex_append(d, out, c ? " & \\textbf{" : "\\rule{0pt}{2.6ex}\\textbf{",
                              t->columns[c], "}");
    builder_append_format(out, "\\\\\\hline\\noalign{\\smallskip}%s\n", is_long ? "\\endhead" : "");
    for (size_t r = 0; r < t->row_count; r++) {
        for (size_t c = 0; c < t->column_count; c++)
            document_latex_append_cell(d, out, c ? " & " : "", t->cells[r * t->column_count + c]);
        builder_append_text(out, "\\\\\n");
    }
    if (is_long) {
        builder_append_text(out, "\\hline\\end{longtable}}\n\n");
        return;
    }
    builder_append_format(out, "\\hline\\end{tabular}\\label{%s}", piece->id);
    document_latex_close(out);
}

static void append_figure(const Document *d, StringBuilder *out, const Piece *piece)
{
    document_latex_open(out, "figure", piece->is_wide);
    // graphicx takes the last dot for the ending; the braces protect those of the name.
    builder_append_format(out, "\\includegraphics[width=%s]{{%s}.pdf}\n",
                          piece->is_wide    ? "\\textwidth"
                          : piece->is_small ? ".6\\columnwidth"
                                            : "\\columnwidth",
                          piece->id);
    document_latex_append(d, out, "\\caption{", piece->text, "}");
    builder_append_format(out, "\\label{%s}", piece->id);
    document_latex_close(out);
}

static void document_latex_append_piece(const Document *d, StringBuilder *out, const Piece *piece)
{
    switch (piece->kind) {
    case PIECE_HEADING:
        document_latex_append(d, out, piece->level == 1 ? "\\section{" : "\\subsection{",
                              piece->text, "}\n");
        break;
    case PIECE_TEXT:
        document_latex_append(d, out, "", piece->text, "\n\n");
        break;
    case PIECE_ITEM:
        document_latex_append(d, out, "\\item ", piece->text, "\n");
        break;
    case PIECE_LISTING:
        append_listing(d, out, piece);
        break;
    case PIECE_TABLE:
        document_latex_append_table(d, out, piece);
        break;
    case PIECE_FIGURE:
        append_figure(d, out, piece);
        break;
    case PIECE_EQUATION:
        builder_append_format(out, "\\begin{equation}\\label{%s}%s\\end{equation}\n", piece->id,
                              piece->text);
        break;
    case PIECE_FRAME:
    case PIECE_SOURCE:
        break;
    }
}

static void document_latex_append_front(const Document *d, StringBuilder *out)
{
    document_latex_append(d, out, "\\title{\\bfseries ", d->title, "\\\\[1ex]\\large\\mdseries ");
    document_latex_append(d, out, "", d->subtitle, "}\n");
    document_latex_append(d, out, "\\author{", d->authors, "\\\\[.5ex]");
    document_latex_append(d, out, "\\parbox{.9\\textwidth}{\\centering\\footnotesize ",
                          d->made_with, "}}\n\\date{}\n\\begin{document}\n\\maketitle\n");
    document_latex_append(d, out, "\\begin{abstract}\\noindent ", d->abstract,
                          "\\end{abstract}\n\n");
    if (*d->keywords)
        document_latex_append(d, out, "\\noindent\\textbf{Keywords:} ", d->keywords, "\n\n");
}

static void document_latex_append_sources(const Document *d, StringBuilder *out)
{
    bool has_any = false;
    for (const Piece *piece = d->first; piece; piece = piece->next) {
        if (piece->kind != PIECE_SOURCE)
            continue;
        if (!has_any)
            builder_append_text(
                out,
                "\\begin{thebibliography}{9}\\small\\raggedright\\setlength{\\itemsep}{2pt}\n");
        has_any = true;
        builder_append_format(out, "\\bibitem{%s} ", piece->id);
        document_latex_append(d, out, "", piece->text, "");
        if (piece->url)
            builder_append_format(out, " \\texttt{%s}", piece->url);
        builder_append_text(out, "\n");
    }
    builder_append_text(out, has_any ? "\\end{thebibliography}\n" : "");
}

static bool document_latex_spans(const Piece *piece)
{
    return (piece->kind == PIECE_TABLE && document_latex_is_wide(piece)) ||
           (piece->kind == PIECE_FIGURE && piece->is_wide);
}

String document_latex(const Document *d, Arena *arena)
{
    StringBuilder out = builder_create(arena);
    builder_append_text(&out, preamble);
    document_latex_append_front(d, &out);
    bool in_list = false, in_columns = false;
    for (const Piece *piece = d->first; piece; piece = piece->next) {
        if (piece->place == DOCUMENT_PAGE || piece->kind == PIECE_SOURCE)
            continue;
        const bool is_item = piece->kind == PIECE_ITEM, spans = document_latex_spans(piece);
        if (in_list && !is_item)
            builder_append_text(&out, "\\end{itemize}\n");
        if (in_columns == spans)
            builder_append_text(&out, spans ? "\\end{multicols}\n" : "\\begin{multicols}{2}\n");
        if (is_item && !in_list)
            builder_append_text(&out, "\\begin{itemize}\\setlength{\\itemsep}{0pt}\n");
        in_list = is_item;
        in_columns = !spans;
        document_latex_append_piece(d, &out, piece);
    }
    builder_append_text(&out, in_list ? "\\end{itemize}\n" : "");
    builder_append_text(&out, in_columns ? "" : "\\begin{multicols}{2}\n");
    document_latex_append_sources(d, &out);
    builder_append_text(&out, "\\end{multicols}\n\\end{document}\n");
    return builder_string(&out);
}
