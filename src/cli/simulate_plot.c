// SPDX-License-Identifier: MIT
//
// saltus simulate --plot, --show: the trajectory goes to a temporary file, and from there into a
// picture or the terminal.

#include "cli/simulate.h"
#include "plot/convert.h"
#include "plot/derived.h"
#include "plot/request.h"
#include "plot/terminal.h"

#include <errno.h>
#include <setjmp.h>
#include <stdlib.h>
#include <unistd.h>

#define TRAJECTORY "/run.mat"

enum { SHOW_AUTO, SHOW_PLOT, SHOW_TABLE };

bool plotting_is_shown(const SimulateCommand *c)
{
    const bool is_taken = c->json || (c->events && atomic_is_standard(c->events));
    return !c->output && !is_taken && (c->show != SHOW_AUTO || isatty(STDOUT_FILENO));
}

bool plotting_check(const SimulateCommand *c)
{
    ConvertFormat format;
    const bool is_picture = c->output && convert_format(c->output, &format);
    if (c->show != SHOW_AUTO && !plotting_is_shown(c)) {
        options_complain(&simulate_table, "--show wants standard output for itself, without %s",
                         c->output ? "-o"
                         : c->json ? "--json"
                                   : "--events=-");
        return false;
    }
    if (is_picture == (c->plots.count > 0) || plotting_is_shown(c))
        return true;
    if (is_picture)
        options_complain(&simulate_table, "'%s' needs --plot: which variables to draw", c->output);
    else
        options_complain(&simulate_table, "--plot needs -o FILE.svg, .png or .pdf, or a terminal");
    return false;
}

static PlotRequest request_of(const Simulation *s, const Table *const *table,
                              const char *const *name)
{
    const TableColumn *mode = table_column(*table, "mode");
    return (PlotRequest){.tables = table,
                         .names = name,
                         .table_count = 1,
                         .panels = s->command->plots.items,
                         .panel_count = s->command->plots.count,
                         .has_phases = mode && mode->word_count > 1};
}

// Makes the figure, and with is_final the picture. False after a message.
static bool simulate_plot_draw(const Simulation *s, Arena *arena, const Table *table, bool is_final)
{
    const char *const name = s->flat->name;
    char *message = NULL;
    PlotFigure figure;
    jmp_buf exhaustion;
    if (setjmp(exhaustion) != 0) {
        fputs("saltus simulate: out of memory\n", stderr);
        return false;
    }
    arena_on_exhaustion(arena, &exhaustion);
    PlotRequest request = request_of(s, &table, &name);
    if (!derived_columns(arena, &request, &message) ||
        !plot_request(arena, &request, &figure, &message)) {
        options_complain_of(&simulate_table, message);
        return false;
    }
    if (!is_final)
        return true;
    const String svg = plot_svg(arena, &figure);
    if (svg.text && convert_write(s->command->output, svg, 300.0, &message))
        return true;
    fprintf(stderr, "saltus simulate: %s\n", message_text(message));
    free(message);
    return false;
}

// Whether there are such variables, before anything is run: a figure without rows.
static bool simulate_plot_check_names(const Simulation *s)
{
    const Output *o = &s->output;
    Arena *arena = arena_create(NULL);
    TableColumn *columns = calloc(o->count + 2, sizeof *columns);
    bool is_fine = arena && columns;
    if (!is_fine)
        fputs("saltus simulate: out of memory\n", stderr);
    for (size_t i = 0; is_fine && i < o->count + 2; i++)
        columns[i].heading = o->headings[i];
    const Table table = {.column_count = o->count + 2,
                         .constant_count = o->constant_count,
                         .columns = columns,
                         .constants = o->constants,
                         .allocator = memory_default()};
    is_fine = is_fine && simulate_plot_draw(s, arena, &table, false);
    arena_destroy(arena);
    free(columns);
    return is_fine;
}

bool plotting_open(Simulation *s, const char **path)
{
    const char *start = getenv("TMPDIR");
    if (s->command->plots.count && !simulate_plot_check_names(s))
        return false;
    const size_t room =
        strlen(start && *start ? start : "/tmp") + sizeof "/saltus-XXXXXX" TRAJECTORY;
    char *folder = malloc(room);
    if (folder)
        snprintf(folder, room, "%s/saltus-XXXXXX", start && *start ? start : "/tmp");
    if (!folder || !mkdtemp(folder)) {
        fprintf(stderr, "saltus simulate: cannot make a temporary folder: %s\n", strerror(errno));
        free(folder);
        return false;
    }
    s->output.plot_folder = folder;
    s->output.plot_file = malloc(room);
    if (!s->output.plot_file) {
        fputs("saltus simulate: out of memory\n", stderr);
        return false;
    }
    snprintf(s->output.plot_file, room, "%s" TRAJECTORY, folder);
    *path = s->output.plot_file;
    return true;
}

static bool simulate_plot_show(const Simulation *s, Arena *arena, const Table *table)
{
    enum { MOST_NAMES = 64 };
    const char *names[MOST_NAMES];
    jmp_buf exhaustion;
    if (setjmp(exhaustion) != 0) {
        fputs("saltus simulate: out of memory\n", stderr);
        return false;
    }
    arena_on_exhaustion(arena, &exhaustion);
    char *message = NULL;
    const char *const name = s->flat->name;
    PlotRequest request = request_of(s, &table, &name);
    if (!derived_columns(arena, &request, &message)) {
        options_complain_of(&simulate_table, message);
        return false;
    }
    table = request.tables[0];
    const size_t count = terminal_names(arena, table, s->command->plots.items,
                                        s->command->plots.count, names, MOST_NAMES);
    const bool is_plain = s->command->show == SHOW_TABLE || !terminal_is_unicode();
    fputs(terminal_draw(arena, table, names, count, terminal_width(), is_plain).text, stdout);
    if (s->command->show == SHOW_AUTO && !s->command->quiet)
        printf("%s-o FILE.csv writes all %zu rows, --plot NAME -o FILE.svg draws a picture.\n",
               count && !is_plain ? "" : "\n", table->row_count);
    return fflush(stdout) == 0;
}

// What the file does not say of its columns.
static void name_booleans(const Simulation *s, Table *table)
{
    const Output *o = &s->output;
    for (size_t i = 0, k = 0; i < table->column_count; i++) { // in the same order
        TableHeading *heading = &table->columns[i].heading;
        while (k <= o->count && strcmp(o->headings[k].name, heading->name) != 0)
            k++;
        heading->is_boolean = k <= o->count && o->headings[k].is_boolean;
    }
}

bool plotting_draw(const Simulation *s)
{
    char *message = NULL;
    Arena *arena = arena_create(NULL);
    Table *table = arena ? table_read(s->output.plot_file, &message) : NULL;
    if (table)
        name_booleans(s, table);
    const bool is_drawn =
        table && (plotting_is_shown(s->command) ? simulate_plot_show(s, arena, table)
                                                : simulate_plot_draw(s, arena, table, true));
    if (!table)
        fprintf(stderr, "saltus simulate: %s\n", message_text(message));
    free(message);
    table_destroy(table);
    arena_destroy(arena);
    return is_drawn;
}

void plotting_free(Output *o)
{
    if (o->plot_file)
        unlink(o->plot_file);
    if (o->plot_folder)
        rmdir(o->plot_folder);
    free(o->plot_file);
    free(o->plot_folder);
}
