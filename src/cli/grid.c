// SPDX-License-Identifier: MIT

#include "cli/grid.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool grid_create(Grid *g, size_t columns, size_t rows)
{
    *g = (Grid){.headings = calloc(columns + 1, sizeof *g->headings),
                .names = calloc(columns + 1, sizeof *g->names),
                .formats = calloc(columns + 1, sizeof *g->formats),
                .width = columns,
                .row_count = rows,
                .numbers = calloc(columns * (rows + 1) + 1, sizeof *g->numbers),
                .words = calloc(columns * (rows + 1) + 1, sizeof *g->words)};
    g->is_full = !g->headings || !g->names || !g->formats || !g->numbers || !g->words;
    return !g->is_full;
}

void grid_free(Grid *g)
{
    for (size_t i = 0; i < g->column_count; i++)
        free(g->names[i]);
    free(g->headings);
    free(g->names);
    free(g->formats);
    free(g->numbers);
    free(g->words);
}

void grid_add_column(Grid *g, const char *format, const char *name, ...)
{
    va_list arguments, again;
    va_start(arguments, name);
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, name, arguments);
    char *made = length < 0 || g->column_count >= g->width ? NULL : malloc((size_t)length + 1);
    if (made) {
        vsnprintf(made, (size_t)length + 1, name, again);
        g->names[g->column_count] = made;
        g->formats[g->column_count] = format;
        g->headings[g->column_count++] =
            (TableHeading){.name = made, .kind = format ? TABLE_NUMBERS : TABLE_WORDS};
    }
    g->is_full |= !made;
    va_end(again);
    va_end(arguments);
}

void grid_add_columns(Grid *g, const char *format, const char *name, long count)
{
    for (long k = 1; k <= count; k++)
        grid_add_column(g, format, count > 1 ? "%s[%ld]" : "%s", name, k);
}

enum { GRID_NUMBER = 80 }; // characters of a number

// Words as they are, numbers in the room that is given.
static const char *grid_cell(const Grid *g, size_t row, size_t column, char number[GRID_NUMBER])
{
    const size_t k = row * g->width + column;
    if (!g->formats[column])
        return g->words[k] ? g->words[k] : "";
    if (isnan(g->numbers[k]))
        return "-";
    snprintf(number, GRID_NUMBER, g->formats[column], g->numbers[k]);
    return number;
}

static void grid_print_cell(const char *text, int width, bool is_last, bool is_left)
{
    printf(is_left ? "%-*s" : "%*s", is_last && is_left ? 0 : width, text);
    fputs(is_last ? "\n" : "  ", stdout);
}

void grid_print(const Grid *g)
{
    const size_t columns = g->column_count;
    int *widths = calloc(columns, sizeof *widths);
    char number[GRID_NUMBER];
    for (size_t c = 0; widths && c < columns; c++) {
        widths[c] = (int)strlen(g->names[c]);
        for (size_t r = 0; r < g->row_count; r++) {
            const int length = (int)strlen(grid_cell(g, r, c, number));
            widths[c] = length > widths[c] ? length : widths[c];
        }
    }
    for (size_t c = 0; widths && c < columns; c++)
        grid_print_cell(g->names[c], widths[c], c + 1 == columns, !g->formats[c]);
    for (size_t r = 0; widths && r < g->row_count; r++)
        for (size_t c = 0; c < columns; c++)
            grid_print_cell(grid_cell(g, r, c, number), widths[c], c + 1 == columns,
                            !g->formats[c]);
    free(widths);
}

bool grid_write(const Grid *g, const char *path, const char *title, const char *command)
{
    char *message = NULL;
    TableFormat format = TABLE_CSV;
    bool is_written = false;
    if (!atomic_is_stream(path))
        table_format(path, &format);
    const char **words = calloc(g->width + 1, sizeof *words);
    const WriterDef def = {.path = path,
                           .format = format,
                           .title = title,
                           .column_count = g->column_count,
                           .columns = g->headings};
    Writer *writer = words && !g->is_full ? writer_create(&def, &message) : NULL;
    for (size_t r = 0; writer && r < g->row_count; r++) {
        size_t count = 0;
        for (size_t c = 0; c < g->column_count; c++)
            if (!g->formats[c])
                words[count++] = g->words[r * g->width + c] ? g->words[r * g->width + c] : "";
        writer_row(writer, g->numbers + r * g->width, words);
    }
    if (writer)
        is_written = writer_close(writer, &message);
    if (!is_written)
        fprintf(stderr, "saltus %s: %s\n", command, message_text(message));
    free(message);
    free(words);
    return is_written;
}
