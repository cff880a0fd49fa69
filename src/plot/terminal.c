// SPDX-License-Identifier: MIT

#include "plot/terminal.h"

#include "plot/request.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum {
    LABEL = 11,     // columns left of a curve
    PANEL_ROWS = 6, // lines of a panel
    DEFAULT_PANELS = 3,
    MOST_PANELS = 8,
    TABLE_ROWS = 12,
    DOTS_X = 2, // of a Braille character
    DOTS_Y = 4,
};

// What is drawn: the plane of dots, and how values become places in it.
typedef struct TerminalPanel {
    const Table *table;
    size_t width; // characters
    double from, to;
    double least, most;   // of the variable
    unsigned char *cells; // PANEL_ROWS * width: the dots of each character
} TerminalPanel;

bool terminal_is_unicode(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = getenv(names[i]);
        if (!value || !*value)
            continue;
        const char *dot = strchr(value, '.');
        return dot &&
               (strncasecmp(dot + 1, "UTF-8", 5) == 0 || strncasecmp(dot + 1, "utf8", 4) == 0);
    }
    return false;
}

size_t terminal_width(void)
{
    struct winsize size = {0};
    if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return 80;
    return size.ws_col < 40 ? 40 : size.ws_col > 100 ? 100 : size.ws_col;
}

// ---------------------------------------------------------------------------
// Columns of the table
// ---------------------------------------------------------------------------

// Zero instead of a value that is nothing but rounding beside the others: 0, not -1.2e-16.
static double terminal_round(double value, double least, double most)
{
    return fabs(value) < 1e-12 * (most - least) ? 0.0 : value;
}

// The finite values of a column; false: there are none.
static bool terminal_range(const Table *table, const TableColumn *column, double *least,
                           double *most)
{
    *least = INFINITY;
    *most = -INFINITY;
    for (size_t i = 0; i < table->row_count; i++) {
        const double value = column->values[i];
        if (!isfinite(value))
            continue;
        *least = fmin(*least, value);
        *most = fmax(*most, value);
    }
    return *least <= *most;
}

static bool terminal_is_same(const Table *table, const TableColumn *a, const TableColumn *b)
{
    for (size_t i = 0; i < table->row_count; i++)
        if (!(a->values[i] == b->values[i] || (isnan(a->values[i]) && isnan(b->values[i]))))
            return false;
    return true;
}

// The first columns that change and are not another name of one that is there.
static size_t terminal_choose(const Table *table, const TableColumn **chosen)
{
    size_t count = 0;
    double least, most;
    for (size_t i = 1; i < table->column_count && count < DEFAULT_PANELS; i++) {
        const TableColumn *column = &table->columns[i];
        if (column->heading.kind != TABLE_NUMBERS ||
            !terminal_range(table, column, &least, &most) || least == most)
            continue;
        bool is_new = true;
        for (size_t k = 0; k < count && is_new; k++)
            is_new = !terminal_is_same(table, chosen[k], column);
        if (is_new)
            chosen[count++] = column;
    }
    return count;
}

size_t terminal_names(Arena *arena, const Table *table, const char *const *panels,
                      size_t panel_count, const char **names, size_t room)
{
    size_t count = 0;
    for (size_t i = 0; i < panel_count; i++)
        for (const char *panel = panels[i]; *panel;) {
            const char *end = request_part_end(panel, ','), *colon = request_part_end(panel, ':');
            const size_t length = table_column(table, panel)
                                      ? strlen(panel)
                                      : (size_t)((colon < end ? colon : end) - panel);
            const char *pattern = arena_copy_text(arena, panel, length);
            for (size_t k = 1; k < table->column_count && count < room; k++) {
                const char *name = table->columns[k].heading.name;
                if (text_matches(pattern, name))
                    names[count++] = name;
            }
            panel += length + (panel[length] != '\0');
        }
    return count;
}

static size_t terminal_columns(const Table *table, const char *const *names, size_t name_count,
                               const TableColumn **chosen)
{
    size_t count = 0;
    if (name_count == 0)
        return terminal_choose(table, chosen);
    for (size_t i = 0; i < name_count && count < MOST_PANELS; i++) {
        const TableColumn *column = table_column(table, names[i]);
        if (column && column->heading.kind == TABLE_NUMBERS)
            chosen[count++] = column;
    }
    return count;
}

// ---------------------------------------------------------------------------
// Curves
// ---------------------------------------------------------------------------

static double terminal_x(const TerminalPanel *p, double t)
{
    const double dots = (double)(p->width * DOTS_X - 1);
    return p->to > p->from ? (t - p->from) / (p->to - p->from) * dots : 0.0;
}

// From the upper edge.
static double terminal_y(const TerminalPanel *p, double value)
{
    const double dots = PANEL_ROWS * DOTS_Y - 1;
    return p->most > p->least ? (p->most - value) / (p->most - p->least) * dots : dots / 2.0;
}

static void terminal_dot(TerminalPanel *p, double x, double y)
{
    static const unsigned char bits[DOTS_Y][DOTS_X] = {
        {0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    // A value in the middle of two dots goes to one of them, whatever the last digits of the run
    // are.
    static const double rounding = 1e-7;
    const long column = lround(x + rounding), row = lround(y + rounding);
    if (column < 0 || row < 0 || column >= (long)(p->width * DOTS_X) || row >= PANEL_ROWS * DOTS_Y)
        return;
    p->cells[(size_t)(row / DOTS_Y) * p->width + (size_t)(column / DOTS_X)] |=
        bits[row % DOTS_Y][column % DOTS_X];
}

// A line of dots, as dense as the coarser of its two directions needs.
static void terminal_line(TerminalPanel *p, double x0, double y0, double x1, double y1)
{
    const double length = ceil(fmax(fabs(x1 - x0), fabs(y1 - y0)));
    const long count = length < 1.0 ? 1 : (long)length;
    for (long i = 0; i <= count; i++) {
        const double s = (double)i / (double)count;
        terminal_dot(p, x0 + s * (x1 - x0), y0 + s * (y1 - y0));
    }
}

// Two rows of one time are a jump, which is not drawn; what is not finite is a gap.
static void terminal_curve(TerminalPanel *p, const TableColumn *column)
{
    const double *time = p->table->columns[0].values, *values = column->values;
    for (size_t i = 0; i < p->table->row_count; i++) {
        if (!isfinite(values[i]))
            continue;
        const double x = terminal_x(p, time[i]), y = terminal_y(p, values[i]);
        terminal_dot(p, x, y);
        if (i > 0 && isfinite(values[i - 1]) && time[i - 1] != time[i])
            terminal_line(p, terminal_x(p, time[i - 1]), terminal_y(p, values[i - 1]), x, y);
    }
}

// U+2800 and the dots, in UTF-8.
static void terminal_put_cell(StringBuilder *out, unsigned char dots)
{
    const char text[] = {(char)0xE2, (char)(0xA0 | dots >> 6), (char)(0x80 | (dots & 0x3F))};
    if (dots)
        builder_append(out, text, sizeof text);
    else
        builder_append_character(out, ' ');
}

static void terminal_panel(TerminalPanel *p, const TableColumn *column, StringBuilder *out)
{
    const TableHeading *h = &column->heading;
    terminal_range(p->table, column, &p->least, &p->most);
    memset(p->cells, 0, PANEL_ROWS * p->width);
    terminal_curve(p, column);
    builder_append_format(out, "%s%s%s%s%s%s\n", h->name, h->unit ? " (" : "",
                          h->unit ? h->unit : "", h->unit ? ")" : "", h->description ? ": " : "",
                          h->description ? h->description : "");
    for (size_t row = 0; row < PANEL_ROWS; row++) {
        const bool is_edge = row == 0 || row == PANEL_ROWS - 1;
        size_t end = p->width;
        if (is_edge)
            builder_append_format(out, "%*.4g ┤", LABEL - 1,
                                  terminal_round(row == 0 ? p->most : p->least, p->least, p->most));
        else
            builder_append_format(out, "%*s │", LABEL - 1, "");
        while (end > 0 && p->cells[row * p->width + end - 1] == 0)
            end--;
        for (size_t i = 0; i < end; i++)
            terminal_put_cell(out, p->cells[row * p->width + i]);
        builder_append_character(out, '\n');
    }
}

// ---------------------------------------------------------------------------
// Time, events, phases
// ---------------------------------------------------------------------------

static size_t terminal_place(const TerminalPanel *p, double t)
{
    const double x = floor(terminal_x(p, t) / DOTS_X);
    return x < 0.0 ? 0 : x >= (double)p->width ? p->width - 1 : (size_t)x;
}

static void terminal_axis(const TerminalPanel *p, StringBuilder *out)
{
    const char *unit = p->table->columns[0].heading.unit;
    char from[32], to[64];
    snprintf(from, sizeof from, "%.4g", p->from);
    snprintf(to, sizeof to, "%.4g%s%.20s", p->to, unit ? " " : "", unit ? unit : "");
    builder_append_format(out, "%*s └", LABEL - 1, "");
    for (size_t i = 0; i < p->width; i++)
        builder_append_text(out, "─");
    const int gap = (int)p->width - (int)strlen(from) - (int)strlen(to);
    builder_append_format(out, "\n%*s%s%*s%s\n", LABEL + 1, "", from, gap > 1 ? gap : 1, "", to);
}

// A mark below each event: two rows of one time.
static void terminal_events(const TerminalPanel *p, StringBuilder *out)
{
    const double *time = p->table->columns[0].values;
    bool *marks = ARENA_ARRAY(out->arena, p->width, bool);
    size_t end = 0;
    memset(marks, 0, p->width * sizeof *marks);
    for (size_t i = 1; i < p->table->row_count; i++)
        if (time[i] == time[i - 1]) {
            const size_t place = terminal_place(p, time[i]);
            marks[place] = true;
            end = place + 1 > end ? place + 1 : end;
        }
    if (end == 0)
        return;
    builder_append_format(out, "%*s ", LABEL, "events");
    for (size_t i = 0; i < end; i++)
        builder_append_text(out, marks[i] ? "▴" : " ");
    builder_append_character(out, '\n');
}

// The mode that is active at the end of each column; words are numbered.
static void terminal_phases(const TerminalPanel *p, StringBuilder *out)
{
    const TableColumn *mode = table_column(p->table, "mode");
    if (!mode || mode->heading.kind != TABLE_WORDS || mode->word_count < 2)
        return;
    double *active = ARENA_ARRAY(out->arena, p->width, double);
    for (size_t i = 0; i < p->width; i++)
        active[i] = -1.0;
    for (size_t i = 0; i < p->table->row_count; i++)
        active[terminal_place(p, p->table->columns[0].values[i])] = mode->values[i];
    for (size_t i = 1; i < p->width; i++)
        active[i] = active[i] < 0.0 ? active[i - 1] : active[i];
    builder_append_format(out, "%*s ", LABEL, "mode");
    for (size_t i = 0; i < p->width;) {
        size_t end = i + 1;
        while (end < p->width && active[end] == active[i])
            end++;
        const char *word = active[i] >= 0.0 ? mode->words[(size_t)active[i]] : "";
        const size_t room = end - i - 1, length = strlen(word);
        builder_append_text(out, "│");
        if (length <= room)
            builder_append_format(out, "%s%*s", word, (int)(room - length), "");
        else if (room > 0)
            builder_append_format(out, "%.*s…", (int)room - 1, word);
        i = end;
    }
    builder_append_character(out, '\n');
}

// ---------------------------------------------------------------------------
// The table
// ---------------------------------------------------------------------------

static size_t terminal_name_width(const Table *table, size_t count)
{
    size_t width = strlen("variable");
    for (size_t i = 1; i <= count; i++) {
        const TableHeading *h = &table->columns[i].heading;
        const size_t length = strlen(h->name) + (h->unit ? strlen(h->unit) + 3 : 0);
        width = length > width ? length : width;
    }
    return width < 36 ? width : 36;
}

static void terminal_values(const Table *table, StringBuilder *out)
{
    size_t count = 0;
    while (1 + count < table->column_count &&
           table->columns[1 + count].heading.kind == TABLE_NUMBERS)
        count++;
    const size_t shown = count > TABLE_ROWS + 1 ? TABLE_ROWS : count;
    const int width = (int)terminal_name_width(table, shown);
    builder_append_format(out, "%-*s %12s %12s %12s %12s\n", width, "variable", "start", "least",
                          "most", "end");
    for (size_t i = 1; i <= shown && table->row_count; i++) {
        const TableColumn *c = &table->columns[i];
        const size_t begin = out->length;
        double least = NAN, most = NAN;
        if (!terminal_range(table, c, &least, &most))
            least = most = NAN;
        builder_append_format(out, "%s%s%s%s", c->heading.name, c->heading.unit ? " (" : "",
                              c->heading.unit ? c->heading.unit : "", c->heading.unit ? ")" : "");
        const size_t used = out->length - begin;
        builder_append_format(out, "%*s %12.6g %12.6g %12.6g %12.6g\n",
                              used < (size_t)width ? width - (int)used : 0, "",
                              terminal_round(c->values[0], least, most),
                              terminal_round(least, least, most), terminal_round(most, least, most),
                              terminal_round(c->values[table->row_count - 1], least, most));
    }
    if (shown < count)
        builder_append_format(out, "and %zu variables more\n", count - shown);
}

String terminal_draw(Arena *arena, const Table *table, const char *const *names, size_t name_count,
                     size_t width, bool is_plain)
{
    StringBuilder out = builder_create(arena);
    const TableColumn *columns[MOST_PANELS];
    TerminalPanel panel = {.table = table, .width = (width < 40 ? 40 : width) - LABEL - 2};
    const size_t count = is_plain ? 0 : terminal_columns(table, names, name_count, columns);
    if (count > 0 && table->row_count > 1) {
        panel.cells = ARENA_ARRAY(arena, PANEL_ROWS * panel.width, unsigned char);
        panel.from = table->columns[0].values[0];
        panel.to = table->columns[0].values[table->row_count - 1];
        for (size_t i = 0; i < count; i++)
            terminal_panel(&panel, columns[i], &out);
        terminal_axis(&panel, &out);
        terminal_events(&panel, &out);
        terminal_phases(&panel, &out);
        builder_append_character(&out, '\n');
    }
    if (name_count == 0 || is_plain)
        terminal_values(table, &out);
    return builder_string(&out);
}
