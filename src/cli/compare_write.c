// SPDX-License-Identifier: MIT
//
// The tables of saltus compare: as text, or as a file.

#include "base/message.h"
#include "cli/compare.h"

#include <math.h>
#include <stdlib.h>

typedef struct CompareWriteGrid {
    struct {
        char name[160];
        const char *format; // of numbers; NULL: words
    } * columns;
    size_t column_count;
    double *numbers;    // rows by columns
    const char **words; // likewise, NULL in columns of numbers
    size_t row_count;
} CompareWriteGrid;

static bool grid_create(CompareWriteGrid *g, size_t columns, size_t rows)
{
    *g = (CompareWriteGrid){.columns = calloc(columns, sizeof *g->columns),
                            .numbers = calloc(columns * (rows + 1), sizeof *g->numbers),
                            .words = calloc(columns * (rows + 1), sizeof *g->words),
                            .row_count = rows};
    return g->columns && g->numbers && g->words;
}

static void compare_write_grid_free(CompareWriteGrid *g)
{
    free(g->columns);
    free(g->numbers);
    free(g->words);
}

static void compare_write_add_column(CompareWriteGrid *g, const char *name, const char *format)
{
    snprintf(g->columns[g->column_count].name, sizeof g->columns->name, "%s", name);
    g->columns[g->column_count++].format = format;
}

// ---------------------------------------------------------------------------
// Out
// ---------------------------------------------------------------------------

static void cell_text(const CompareWriteGrid *g, size_t columns, size_t row, size_t column,
                      char text[80])
{
    const size_t k = row * columns + column;
    if (!g->columns[column].format)
        snprintf(text, 80, "%s", g->words[k] ? g->words[k] : "");
    else if (isnan(g->numbers[k]))
        snprintf(text, 80, "-");
    else
        snprintf(text, 80, g->columns[column].format, g->numbers[k]);
}

static void print_cell(const char *text, int width, bool is_last, bool is_left)
{
    printf(is_left ? "%-*s" : "%*s", is_last && is_left ? 0 : width, text);
    fputs(is_last ? "\n" : "  ", stdout);
}

static void grid_print(const CompareWriteGrid *g, size_t columns)
{
    int *widths = calloc(columns, sizeof *widths);
    char text[80];
    for (size_t c = 0; widths && c < columns; c++) {
        widths[c] = (int)strlen(g->columns[c].name);
        for (size_t r = 0; r < g->row_count; r++) {
            cell_text(g, columns, r, c, text);
            widths[c] = (int)strlen(text) > widths[c] ? (int)strlen(text) : widths[c];
        }
    }
    for (size_t c = 0; widths && c < columns; c++)
        print_cell(g->columns[c].name, widths[c], c + 1 == columns, !g->columns[c].format);
    for (size_t r = 0; widths && r < g->row_count; r++)
        for (size_t c = 0; c < columns; c++) {
            cell_text(g, columns, r, c, text);
            print_cell(text, widths[c], c + 1 == columns, !g->columns[c].format);
        }
    free(widths);
}

// The first column of a file must have numbers.
static bool grid_write(const CompareWriteGrid *g, size_t columns, const char *path,
                       const char *title)
{
    char message[ATOMIC_MESSAGE] = "out of memory";
    TableFormat format = TABLE_CSV;
    bool is_written = false;
    if (!atomic_is_stream(path))
        table_format(path, &format);
    TableHeading *headings = calloc(columns, sizeof *headings);
    const char **words = calloc(columns, sizeof *words);
    for (size_t c = 0; headings && c < columns; c++)
        headings[c] = (TableHeading){.name = g->columns[c].name,
                                     .kind = !g->columns[c].format ? TABLE_WORDS : TABLE_NUMBERS};
    const WriterDef def = {.path = path,
                           .format = format,
                           .title = title,
                           .column_count = columns,
                           .columns = headings};
    Writer *writer = headings && words ? writer_create(&def, message) : NULL;
    for (size_t r = 0; writer && r < g->row_count; r++) {
        size_t count = 0;
        for (size_t c = 0; c < columns; c++)
            if (!g->columns[c].format)
                words[count++] = g->words[r * columns + c] ? g->words[r * columns + c] : "";
        writer_row(writer, g->numbers + r * columns, words);
    }
    if (writer)
        is_written = writer_close(writer, message);
    if (!is_written)
        fprintf(stderr, "saltus compare: %s\n", message);
    free(headings);
    free(words);
    return is_written;
}

// ---------------------------------------------------------------------------
// Methods
// ---------------------------------------------------------------------------

static size_t count_observed(const CompareState *s)
{
    const Observations *o = study_observations(s->files.study);
    size_t count = 0;
    for (size_t i = 0; i < observations_count(o); i++)
        count += observations_length(o, i) > 0 ? (size_t)observations_length(o, i) : 0;
    return count;
}

static void compare_write_name_columns(const CompareState *s, CompareWriteGrid *g)
{
    const Observations *o = study_observations(s->files.study);
    compare_write_add_column(g, "tolerance", "%.0e");
    compare_write_add_column(g, "solver", NULL);
    compare_write_add_column(g, "locate", NULL);
    compare_write_add_column(g, "events", "%.0f");
    compare_write_add_column(g, "same_events", "%.0f");
    compare_write_add_column(g, "event_deviation", "%.1e");
    compare_write_add_column(g, "end_deviation", "%.1e");
    for (size_t i = 0; i < observations_count(o); i++)
        for (long k = 1; k <= observations_length(o, i); k++) {
            char name[160];
            message_write(name, sizeof name, observations_length(o, i) > 1 ? "%s[%ld]" : "%s",
                          observations_name(o, i), k);
            compare_write_add_column(g, name, "%.10g");
            snprintf(name + strlen(name), sizeof name - strlen(name), "_deviation");
            compare_write_add_column(g, name, "%.1e");
        }
    compare_write_add_column(g, "steps", "%.0f");
    compare_write_add_column(g, "evaluations", "%.0f");
    compare_write_add_column(g, "event_evaluations", "%.0f");
    compare_write_add_column(g, "relative_time", "%.2f");
    compare_write_add_column(g, "status", NULL);
}

static void compare_write_fill_row(const CompareState *s, const ComparisonRun *run, size_t observed,
                                   double *numbers, const char **words)
{
    const ComparisonRun *r = &s->reference;
    size_t k = 0, variable;
    double fastest = INFINITY;
    for (size_t i = 0; i < s->run_count; i++)
        fastest = s->runs[i].status >= 0 ? fmin(fastest, s->runs[i].seconds) : fastest;
    numbers[k++] = settings_is_fixed_step(run->solver) ? NAN : run->method.relative_tolerance;
    words[k++] = saltus_solver_name(run->status < 0 ? run->method.solver : run->solver);
    words[k++] = saltus_locate_name(run->method.locate);
    numbers[k++] = (double)run->sequence.count;
    numbers[k++] = (double)comparison_common(run, r);
    numbers[k++] = comparison_event_deviation(run, r);
    numbers[k++] = comparison_end_deviation(run, r, run->method.absolute_tolerance, &variable);
    for (size_t i = 0; i < observed; i++) {
        const double value = i < run->observed_count ? run->observed[i] : NAN;
        numbers[k++] = value;
        numbers[k++] = i < r->observed_count ? fabs(value - r->observed[i]) : NAN;
    }
    numbers[k++] = (double)run->statistics.steps;
    numbers[k++] = (double)run->statistics.f_evaluations;
    numbers[k++] = (double)run->statistics.h_evaluations;
    numbers[k++] = run == r ? NAN : run->seconds / fastest;
    words[k++] = run == r && run->status >= 0 ? "reference" : study_status_text(run->status);
}

static bool write_methods(const CompareState *s)
{
    CompareWriteGrid g;
    const size_t observed = count_observed(s), columns = 12 + 2 * observed;
    bool is_written = false;
    if (grid_create(&g, columns, s->run_count + 1)) {
        compare_write_name_columns(s, &g);
        for (size_t i = 0; i <= s->run_count; i++)
            compare_write_fill_row(s, i < s->run_count ? &s->runs[i] : &s->reference, observed,
                                   g.numbers + i * columns, g.words + i * columns);
        is_written = true;
        if (s->command->output)
            is_written =
                grid_write(&g, columns, s->command->output, study_flat(s->files.study)->name);
        else
            grid_print(&g, columns);
    }
    compare_write_grid_free(&g);
    return is_written;
}

// ---------------------------------------------------------------------------
// Events
// ---------------------------------------------------------------------------

static void name_runs(const CompareState *s, CompareWriteGrid *g)
{
    compare_write_add_column(g, "event", "%.0f");
    compare_write_add_column(g, "reference", "%.17g");
    for (size_t i = 0; i < s->run_count; i++) {
        const SaltusMethod *m = &s->runs[i].method;
        char name[160];
        snprintf(name, sizeof name, "%s/%s/%g", saltus_solver_name(m->solver),
                 saltus_locate_name(m->locate), m->relative_tolerance);
        compare_write_add_column(g, name, "%.17g");
    }
}

static double event_time(const ComparisonRun *run, size_t index)
{
    return index < run->sequence.count ? run->events[index] : NAN;
}

static bool compare_write_write_events(const CompareState *s)
{
    CompareWriteGrid g;
    const size_t columns = 2 + s->run_count;
    size_t rows = s->reference.sequence.count;
    bool is_written = false;
    for (size_t i = 0; i < s->run_count; i++)
        rows = s->runs[i].sequence.count > rows ? s->runs[i].sequence.count : rows;
    if (grid_create(&g, columns, rows)) {
        name_runs(s, &g);
        for (size_t r = 0; r < rows; r++) {
            g.numbers[r * columns] = (double)(r + 1);
            g.numbers[r * columns + 1] = event_time(&s->reference, r);
            for (size_t i = 0; i < s->run_count; i++)
                g.numbers[r * columns + 2 + i] = event_time(&s->runs[i], r);
        }
        is_written = grid_write(&g, columns, s->command->events, study_flat(s->files.study)->name);
    }
    compare_write_grid_free(&g);
    return is_written;
}

bool compare_write(const CompareState *s)
{
    return write_methods(s) && (!s->command->events || compare_write_write_events(s));
}
