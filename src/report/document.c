// SPDX-License-Identifier: MIT
//
// The pieces of a document and its files: see document.h.

#include "report/document_parts.h"

#include "base/message.h"
#include "results/writer.h"

#include <ctype.h>
#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

extern char **environ;

Document *document_create(Arena *arena, const char *title, const char *subtitle)
{
    Document *d = ARENA_NEW(arena, Document);
    *d = (Document){.arena = arena,
                    .title = title,
                    .subtitle = subtitle,
                    .abstract = "",
                    .authors = "",
                    .made_with = "",
                    .keywords = ""};
    return d;
}

void document_abstract(Document *d, const char *text)
{
    d->abstract = text;
}

void document_authors(Document *d, const char *authors, const char *made_with)
{
    d->authors = arena_copy_text(d->arena, authors, strlen(authors));
    d->made_with = arena_copy_text(d->arena, made_with, strlen(made_with));
}

void document_keywords(Document *d, const char *keywords)
{
    d->keywords = keywords;
}

// Numbers are those of the page; the note's are counted by LaTeX.
static int document_next_number(const Document *d, PieceKind kind)
{
    int number = 1;
    for (const Piece *piece = d->first; piece; piece = piece->next)
        number += piece->kind == kind && piece->place != DOCUMENT_PRINT;
    return number;
}

static Piece *document_add(Document *d, PieceKind kind, DocumentPlace place)
{
    Piece *piece = ARENA_NEW(d->arena, Piece);
    piece->number = document_next_number(d, kind);
    piece->kind = kind;
    piece->place = place;
    if (d->last)
        d->last->next = piece;
    else
        d->first = piece;
    d->last = piece;
    return piece;
}

static const char *document_format_text(Document *d, const char *format, va_list arguments)
{
    StringBuilder text = builder_create(d->arena);
    builder_append_formatted(&text, format, arguments);
    return builder_string(&text).text;
}

void document_heading(Document *d, DocumentPlace place, int level, const char *title)
{
    Piece *piece = document_add(d, PIECE_HEADING, place);
    piece->level = level;
    piece->text = arena_copy_text(d->arena, title, strlen(title));
}

void document_text(Document *d, DocumentPlace place, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    document_add(d, PIECE_TEXT, place)->text = document_format_text(d, format, arguments);
    va_end(arguments);
}

void document_item(Document *d, DocumentPlace place, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    document_add(d, PIECE_ITEM, place)->text = document_format_text(d, format, arguments);
    va_end(arguments);
}

const char *document_format(Document *d, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *text = document_format_text(d, format, arguments);
    va_end(arguments);
    return text;
}

void document_equation(Document *d, DocumentPlace place, const char *id, const char *latex)
{
    Piece *piece = document_add(d, PIECE_EQUATION, place);
    piece->id = id;
    piece->text = arena_copy_text(d->arena, latex, strlen(latex));
}

void document_source(Document *d, const char *key, const char *text, const char *url)
{
    Piece *piece = document_add(d, PIECE_SOURCE, DOCUMENT_BOTH);
    piece->id = key;
    piece->text = text;
    piece->url = url;
}

void document_listing(Document *d, DocumentPlace place, const char *caption, String text)
{
    Piece *piece = document_add(d, PIECE_LISTING, place);
    piece->text = arena_copy_text(d->arena, caption, strlen(caption));
    piece->body = text;
}

void document_table(Document *d, DocumentPlace place, const DocumentTable *table)
{
    Piece *piece = document_add(d, PIECE_TABLE, place);
    const size_t count = table->row_count * table->column_count;
    const char **cells = ARENA_ARRAY(d->arena, count, const char *);
    for (size_t i = 0; i < count; i++)
        cells[i] = table->cells[i] ? table->cells[i] : "";
    const char **columns = ARENA_ARRAY(d->arena, table->column_count, const char *);
    memcpy(columns, table->columns, table->column_count * sizeof *columns);
    piece->table = *table;
    piece->table.cells = cells;
    piece->table.columns = columns;
    piece->id = table->id;
    piece->text = table->caption;
    piece->is_wide = table->is_wide;
}

// ---------------------------------------------------------------------------
// Figures
// ---------------------------------------------------------------------------

static void append_csv_text(StringBuilder *out, const char *text)
{
    builder_append_character(out, '"');
    for (; *text; text++) {
        builder_append_character(out, *text);
        if (*text == '"')
            builder_append_character(out, '"');
    }
    builder_append_character(out, '"');
}

// Curves one below the other: panel,curve,x,y; maps: panel,x,y,z.
static String figure_data(Arena *arena, const PlotFigure *figure)
{
    StringBuilder out = builder_create(arena);
    builder_append_text(&out, "panel,curve,x,y,z\n");
    for (size_t p = 0; p < figure->panel_count; p++) {
        const PlotPanel *panel = &figure->panels[p];
        for (size_t c = 0; c < panel->curve_count; c++) {
            const PlotCurve *curve = &panel->curves[c];
            for (size_t i = 0; i < curve->count; i++) {
                builder_append_format(&out, "%zu,", p + 1);
                append_csv_text(&out, curve->label ? curve->label : "");
                builder_append_format(&out, ",%.17g,%.17g,\n", curve->x[i], curve->y[i]);
            }
        }
        const PlotMap *map = panel->map;
        for (size_t i = 0; map && i < map->y_count; i++)
            for (size_t k = 0; k < map->x_count; k++)
                builder_append_format(&out, "%zu,,%.17g,%.17g,%.17g\n", p + 1, map->x[k], map->y[i],
                                      map->z[i * map->x_count + k]);
    }
    return builder_string(&out);
}

void document_figure(Document *d, DocumentPlace place, const char *id, const char *caption,
                     PlotFigure *figure)
{
    Piece *piece = document_add(d, PIECE_FIGURE, place);
    figure->id = id;
    piece->id = id;
    piece->text = arena_copy_text(d->arena, caption, strlen(caption));
    piece->body = plot_svg(d->arena, figure);
    piece->data = figure_data(d->arena, figure);
    piece->is_wide = !(figure->width > 0.0) || figure->width > PLOT_COLUMN_WIDTH;
}

void document_picture(Document *d, DocumentPlace place, const char *id, const char *caption,
                      String svg, bool is_small)
{
    Piece *piece = document_add(d, PIECE_FIGURE, place);
    piece->is_small = is_small;
    piece->id = id;
    piece->text = arena_copy_text(d->arena, caption, strlen(caption));
    piece->body = svg;
}

void document_frame(Document *d, const char *id, const char *caption)
{
    Piece *piece = document_add(d, PIECE_FRAME, DOCUMENT_PAGE);
    piece->id = id;
    piece->text = arena_copy_text(d->arena, caption, strlen(caption));
}

// Whether a text from here on mentions the piece.
static bool document_is_cited(const Piece *from, const char *id)
{
    const size_t length = strlen(id);
    for (; from; from = from->next)
        for (const char *at = from->text ? strstr(from->text, "[#") : NULL; at;
             at = strstr(at + 2, "[#"))
            if (strncmp(at + 2, id, length) == 0 && at[2 + length] == ']')
                return true;
    return false;
}

// The pieces of a section that its texts do not mention, as a sentence; "": none.
static const char *document_mentions(Document *d, const Piece *section, DocumentPlace absent)
{
    StringBuilder text = builder_create(d->arena);
    size_t count = 0, done = 0;
    for (int pass = 0; pass < 2; pass++)
        for (const Piece *piece = section; piece; piece = piece->next) {
            const bool is_one = (piece->kind == PIECE_FIGURE || piece->kind == PIECE_TABLE) &&
                                piece->place != absent && !document_is_cited(section, piece->id);
            count += is_one && pass == 0;
            if (!is_one || pass == 0)
                continue;
            done++;
            builder_append_format(&text, "%s[#%s]",
                                  done == 1       ? "See "
                                  : done == count ? " and "
                                                  : ", ",
                                  piece->id);
        }
    if (!count)
        return "";
    builder_append_character(&text, '.');
    return builder_string(&text).text;
}

static const char *document_join(Document *d, const char *text, const char *more)
{
    return document_format(d, "%s%s%s", text, *text && *more ? " " : "", more);
}

static void document_insert(Document *d, Piece *behind, DocumentPlace place, const char *text)
{
    if (!*text)
        return;
    Piece *piece = ARENA_NEW(d->arena, Piece);
    *piece = (Piece){.kind = PIECE_TEXT, .place = place, .next = behind->next, .text = text};
    behind->next = piece;
    if (d->last == behind)
        d->last = piece;
}

// The last paragraph goes on with what it should have mentioned. Where page and print have
// different pieces, there is a paragraph for each of them.
void document_end_section(Document *d)
{
    Piece *section = NULL, *last = NULL;
    for (Piece *piece = d->first; piece; piece = piece->next) {
        if (piece->kind == PIECE_HEADING)
            section = piece, last = NULL;
        else if (piece->kind == PIECE_TEXT && piece->place == DOCUMENT_BOTH)
            last = piece;
    }
    if (!section)
        return;
    const char *page = document_mentions(d, section, DOCUMENT_PRINT),
               *print = document_mentions(d, section, DOCUMENT_PAGE);
    if (!*page && !*print)
        return;
    document_insert(d, last ? last : section, DOCUMENT_PRINT,
                    document_join(d, last ? last->text : "", print));
    if (last)
        *last = (Piece){.kind = PIECE_TEXT,
                        .place = DOCUMENT_PAGE,
                        .next = last->next,
                        .text = document_join(d, last->text, page)};
    else
        document_insert(d, section, DOCUMENT_PAGE, page);
}

const Piece *document_find(const Document *d, DocumentPlace absent, const char *id, size_t length)
{
    for (const Piece *piece = d->first; piece; piece = piece->next)
        if (piece->id && piece->place != absent && strlen(piece->id) == length &&
            strncmp(piece->id, id, length) == 0)
            return piece;
    return NULL;
}

// ---------------------------------------------------------------------------
// Markup
// ---------------------------------------------------------------------------

// Numbers as they are printed by programs, in the middle of a text: 9.8e-13 becomes a power of ten,
// a hyphen before a digit a minus. Returns the length of what was given out, what stood before it
// included; 0: there is no such number here.
static size_t document_emit_number(const Document *d, StringBuilder *out, const char *begin,
                                   const char *plain, const char *text, MarkupEmit *emit)
{
    if (!d) // a file for programs
        return 0;
    const char before = text > begin ? text[-1] : ' ';
    const bool is_minus = *text == '-' && isdigit((unsigned char)text[1]) && strchr(" ([=", before);
    const char *mantissa = text + is_minus;
    if (!isdigit((unsigned char)*mantissa) ||
        (!is_minus &&
         (isalnum((unsigned char)before) || strchr("._", before) || (unsigned char)before >= 0x80)))
        return 0;
    size_t length = strspn(mantissa, "0123456789.");
    const size_t digits = length;
    const char *exponent = mantissa + length + 1;
    const bool has_exponent =
        mantissa[length] == 'e' &&
        (isdigit((unsigned char)*exponent) ||
         (strchr("+-", *exponent) && *exponent && isdigit((unsigned char)exponent[1])));
    if (!is_minus && !has_exponent)
        return 0;
    if (text > plain)
        emit(d, out, MARKUP_PLAIN, plain, (size_t)(text - plain));
    if (is_minus)
        emit(d, out, MARKUP_PLAIN, "−", strlen("−"));
    emit(d, out, MARKUP_PLAIN, mantissa, digits);
    if (has_exponent) {
        char power[24], *end;
        const long value = strtol(exponent, &end, 10);
        snprintf(power, sizeof power, "%s%ld", value < 0 ? "−" : "", labs(value));
        if (value) {
            emit(d, out, MARKUP_PLAIN, "·10", strlen("·10"));
            emit(d, out, MARKUP_SUPERSCRIPT, power, strlen(power));
        }
        length = (size_t)(end - mantissa);
    }
    return length + is_minus;
}

void document_markup(const Document *d, StringBuilder *out, const char *text, MarkupEmit *emit)
{
    static const struct {
        const char *open, *close;
        Markup markup;
    } marks[] = {{"`", "`", MARKUP_CODE},       {"*", "*", MARKUP_EMPHASIS},
                 {"_{", "}", MARKUP_SUBSCRIPT}, {"^{", "}", MARKUP_SUPERSCRIPT},
                 {"$", "$", MARKUP_FORMULA},    {"[#", "]", MARKUP_REFERENCE},
                 {"[@", "]", MARKUP_CITATION}};
    const char *plain = text, *const begin = text;
    while (*text) {
        const size_t number = document_emit_number(d, out, begin, plain, text, emit);
        if (number) {
            plain = text += number;
            continue;
        }
        size_t k = 0;
        const char *end = NULL;
        for (; k < sizeof marks / sizeof *marks && !end; k++)
            if (strncmp(text, marks[k].open, strlen(marks[k].open)) == 0)
                end = strstr(text + strlen(marks[k].open), marks[k].close);
        // A star with blanks around it is a star.
        if (!end || (*text == '*' && (text[1] == ' ' || end == text + 1))) {
            text++;
            continue;
        }
        k--;
        if (text > plain)
            emit(d, out, MARKUP_PLAIN, plain, (size_t)(text - plain));
        text += strlen(marks[k].open);
        emit(d, out, marks[k].markup, text, (size_t)(end - text));
        plain = text = end + strlen(marks[k].close);
    }
    if (text > plain)
        emit(d, out, MARKUP_PLAIN, plain, (size_t)(text - plain));
}

bool document_number(const char *cell, NumberText *number)
{
    enum { UNIT_MOST = 8 };
    *number = (NumberText){.is_negative = *cell == '-'};
    const char *at = cell + number->is_negative;
    number->mantissa = at;
    if (!isdigit((unsigned char)*at))
        return false;
    at += strspn(at, "0123456789");
    if (*at == '.') {
        number->decimals = (int)strspn(at + 1, "0123456789");
        at += 1 + number->decimals;
    }
    number->mantissa_length = (size_t)(at - number->mantissa);
    if (*at == 'e') {
        char *end;
        number->exponent = (int)strtol(at + 1, &end, 10);
        at = end;
    }
    number->rest = at;
    number->rest_length = strlen(at);
    // A unit may follow; anything longer is a text that begins with a number.
    return !*at || (*at == ' ' && number->rest_length <= UNIT_MOST && !strpbrk(at, "→,;`*$["));
}

// ---------------------------------------------------------------------------
// Files
// ---------------------------------------------------------------------------

static bool document_write_file(Arena *arena, const char *folder, const char *name,
                                const char *ending, String text, char **message)
{
    StringBuilder path = builder_create(arena);
    builder_append_format(&path, "%s/%s%s", folder, name, ending);
    AtomicFile file;
    if (!atomic_open(&file, builder_string(&path).text, message))
        return false;
    fwrite(text.text, 1, text.length, file.stream);
    return atomic_commit(&file, message);
}

static void emit_plain(const Document *d, StringBuilder *out, Markup markup, const char *text,
                       size_t length)
{
    (void)d, (void)markup;
    builder_append(out, text, length);
}

static String table_csv(Arena *arena, const DocumentTable *table)
{
    StringBuilder out = builder_create(arena);
    for (size_t r = 0; r <= table->row_count; r++)
        for (size_t c = 0; c < table->column_count; c++) {
            StringBuilder cell = builder_create(arena);
            document_markup(NULL, &cell,
                            r ? table->cells[(r - 1) * table->column_count + c] : table->columns[c],
                            emit_plain);
            append_csv_text(&out, builder_string(&cell).text);
            builder_append_character(&out, c + 1 < table->column_count ? ',' : '\n');
        }
    return builder_string(&out);
}

// The note's figures; without the program the note has to be compiled where it is.
static void make_pdf(Arena *arena, const char *folder, const char *id)
{
    StringBuilder a = builder_create(arena), b = builder_create(arena);
    builder_append_format(&a, "%s/%s.svg", folder, id);
    builder_append_format(&b, "%s/%s.pdf", folder, id);
    char *svg = a.text, *pdf = b.text;
    char *const arguments[] = {
        (char[]){"rsvg-convert"}, (char[]){"-f"}, (char[]){"pdf"}, (char[]){"-o"}, pdf, svg, NULL};
    pid_t child;
    int status;
    if (posix_spawnp(&child, arguments[0], NULL, NULL, arguments, environ) == 0)
        while (waitpid(child, &status, 0) < 0 && errno == EINTR)
            continue;
}

static bool write_piece(const Piece *piece, Arena *arena, const char *folder, char **message)
{
    if (piece->kind == PIECE_TABLE)
        return document_write_file(arena, folder, piece->id, ".csv",
                                   table_csv(arena, &piece->table), message);
    if (piece->kind != PIECE_FIGURE)
        return true;
    if ((piece->data.length &&
         !document_write_file(arena, folder, piece->id, ".csv", piece->data, message)) ||
        !document_write_file(arena, folder, piece->id, ".svg", piece->body, message))
        return false;
    if (piece->place != DOCUMENT_PAGE)
        make_pdf(arena, folder, piece->id);
    return true;
}

bool document_write(const Document *d, const char *folder, char **message)
{
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return message_set(message, "cannot make the folder '%s': %s", folder, strerror(errno));
    for (const Piece *piece = d->first; piece; piece = piece->next)
        if (!write_piece(piece, d->arena, folder, message))
            return false;
    return document_write_file(d->arena, folder, "index", ".html", document_html(d, d->arena),
                               message) &&
           document_write_file(d->arena, folder, "report", ".tex", document_latex(d, d->arena),
                               message);
}
