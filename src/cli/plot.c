// SPDX-License-Identifier: MIT
//
// saltus plot: curves, portraits and maps from result files.

#include "base/number.h"
#include "cli/options.h"
#include "plot/convert.h"
#include "plot/derived.h"
#include "plot/request.h"
#include "plot/terminal.h"
#include "results/manifest.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct PlotCommand {
    const char *output, *window, *zoom, *log, *size, *title, *map, *manifest;
    OptionList labels, ranges;
    int scale;
    double dpi;
    bool phases, equal, points, dots, histogram;

    // Everything that is read, and the arena for the rest.
    Arena *arena;
    Table **tables;
    const char **names;
    size_t table_count;
    Table *events;
} PlotCommand;

#define TEXT_OPTION(option_name, option_letter, value_name, member, text)                          \
    {                                                                                              \
        .name = option_name, .letter = option_letter, .kind = OPTION_TEXT, .value = value_name,    \
        .help = text, .offset = offsetof(PlotCommand, member)                                      \
    }
#define READ_OPTION(option_name, option_letter, value_name, member, text)                          \
    {                                                                                              \
        .name = option_name, .letter = option_letter, .kind = OPTION_TEXT, .value = value_name,    \
        .help = text, .offset = offsetof(PlotCommand, member), .is_read = true                     \
    }
#define FLAG_OPTION(member, text)                                                                  \
    {                                                                                              \
        .name = #member, .kind = OPTION_FLAG, .help = text,                                        \
        .offset = offsetof(PlotCommand, member)                                                    \
    }

static const Option plot_options[] = {
    TEXT_OPTION("output", 'o', "FILE", output,
                "FILE.svg, .png, .pdf (default: the terminal, or SVG)"),
    TEXT_OPTION("window", 'w', "T0:T1", window, "show only this period"),
    TEXT_OPTION("zoom", 'z', "T0:T1", zoom, "show this period enlarged beside the whole"),
    {.name = "log",
     .kind = OPTION_CHOICE,
     .choices = {"none", "x", "y", "xy"},
     .help = "logarithmic axes",
     .offset = offsetof(PlotCommand, scale)},
    READ_OPTION("events", 'e', "FILE.csv", log, "mark the events of an event log"),
    FLAG_OPTION(phases, "shade the phases: stretches of one mode"),
    FLAG_OPTION(equal, "portraits with equal scales"),
    FLAG_OPTION(points, "symbols at the points"),
    FLAG_OPTION(dots, "dots of one colour instead of curves"),
    FLAG_OPTION(histogram, "how often values occur, instead of the values"),
    TEXT_OPTION("map", 'm', "Z:X,Y", map, "heat map of Z over X and Y, from a sweep"),
    READ_OPTION("manifest", 0, "FILE", manifest, "units (manifest.json beside a CSV file)"),
    {.name = "label",
     .kind = OPTION_LIST,
     .value = "NAME=TEXT",
     .help = "another label, with its unit: 'time=age (d)'; may be repeated",
     .offset = offsetof(PlotCommand, labels)},
    {.name = "range",
     .kind = OPTION_LIST,
     .value = "NAME=A:B",
     .help = "axis of a variable from A to B; may be repeated",
     .offset = offsetof(PlotCommand, ranges)},
    TEXT_OPTION("title", 't', "TEXT", title, "title"),
    TEXT_OPTION("size", 's', "WxH", size, "millimetres: 174 (default), 84, 120x90"),
    {.name = "dpi",
     .kind = OPTION_NUMBER,
     .value = "N",
     .help = "resolution of PNG (default: 300)",
     .offset = offsetof(PlotCommand, dpi)},
};

const OptionTable plot_table = {
    .command = "plot",
    .synopsis = "[options] RESULT... VARIABLE...",
    .description = "Draw variables of result files (.csv, .mat). Each argument is a panel:\n"
                   "  x         over time              x,y      both in one panel\n"
                   "  'ball.*'  all that match         y:x      y over x, a portrait\n"
                   "  'a.x-b.x' an expression          'sqrt(x^2+y^2)'\n"
                   "Several results are drawn into the same panels.",
    .examples = "saltus plot ball.csv x v --events events.csv -o ball.svg\n"
                "saltus plot pendulum.mat y:x --equal --size 84 -o path.pdf\n"
                "saltus plot sweep.csv --map restitution:k,d -o map.png\n",
    .options = plot_options,
    .count = sizeof plot_options / sizeof *plot_options,
};

// ---------------------------------------------------------------------------
// Options
// ---------------------------------------------------------------------------

static bool plot_read_number(const char *text, size_t length, double *value)
{
    const bool is_negative = length > 0 && text[0] == '-';
    if (!number_read(text + is_negative, length - is_negative, value) || isinf(*value))
        return false;
    *value = is_negative ? -*value : *value;
    return true;
}

static bool read_span(const char *name, const char *text, Interval *span)
{
    if (!text)
        return true;
    const char *colon = strchr(text, ':');
    if (colon && plot_read_number(text, (size_t)(colon - text), &span->low) &&
        plot_read_number(colon + 1, strlen(colon + 1), &span->high) && span->low < span->high)
        return true;
    options_complain(&plot_table, "--%s needs T0:T1 with T0 < T1, not '%s'", name, text);
    return false;
}

static bool plot_read_size(const char *text, double *width, double *height)
{
    static const double least = 20.0, most = 2000.0;
    if (!text)
        return true;
    const char *x = strchr(text, 'x');
    const size_t length = x ? (size_t)(x - text) : strlen(text);
    if (plot_read_number(text, length, width) && *width >= least && *width <= most &&
        (!x ||
         (plot_read_number(x + 1, strlen(x + 1), height) && *height >= least && *height <= most)))
        return true;
    options_complain(&plot_table, "--size needs millimetres from 20 to 2000, W or WxH, not '%s'",
                     text);
    return false;
}

static bool plot_read_options(const PlotCommand *c, PlotRequest *r)
{
    ConvertFormat format;
    if (c->output && strcmp(c->output, "-") != 0 && !convert_format(c->output, &format)) {
        options_complain(&plot_table, "'%s': the name must end in .svg, .png or .pdf", c->output);
        return false;
    }
    if (!(c->dpi >= 10.0 && c->dpi <= 2400.0)) {
        options_complain(&plot_table, "--dpi must be from 10 to 2400");
        return false;
    }
    r->x_scale = c->scale & 1 ? PLOT_LOGARITHMIC : PLOT_LINEAR;
    r->y_scale = c->scale & 2 ? PLOT_LOGARITHMIC : PLOT_LINEAR;
    r->has_phases = c->phases;
    r->is_equal = c->equal;
    r->has_points = c->points;
    r->has_dots = c->dots;
    r->is_histogram = c->histogram;
    r->title = c->title;
    r->map = c->map;
    r->labels = c->labels.items;
    r->label_count = c->labels.count;
    r->ranges = c->ranges.items;
    r->range_count = c->ranges.count;
    return read_span("window", c->window, &r->window) && read_span("zoom", c->zoom, &r->zoom) &&
           plot_read_size(c->size, &r->width, &r->height);
}

// ---------------------------------------------------------------------------
// Files
// ---------------------------------------------------------------------------

static bool plot_is_result(const char *argument)
{
    TableFormat format;
    return table_format(argument, &format) || access(argument, R_OK) == 0;
}

// The file's name without folders and its end.
static const char *plot_short_name(Arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    return arena_copy_text(arena, name, dot && dot > name ? (size_t)(dot - name) : strlen(name));
}

static Table *read_table(const PlotCommand *command, const char *path)
{
    char *message = NULL;
    const size_t length = strlen(path);
    if (length > 3 && strcmp(path + length - 3, ".mo") == 0) {
        options_complain(
            &plot_table,
            "'%s' is a model, not a result; 'saltus simulate %s -o FILE.csv' makes one", path,
            path);
        return NULL;
    }
    Table *table = table_read(path, &message);
    if (table && command->manifest)
        manifest_describe_from(table, path, command->manifest);
    else if (!table)
        fprintf(stderr, "saltus plot: %s\n", message_text(message));
    free(message);
    return table;
}

// Takes the results from the front of the arguments; returns how many, or -1.
static int read_results(PlotCommand *p, int argc, char **argv)
{
    p->tables = calloc((size_t)argc + 1, sizeof(Table *));
    p->names = calloc((size_t)argc + 1, sizeof(char *));
    int count = 0;
    while (p->tables && p->names && count < argc && plot_is_result(argv[count])) {
        p->tables[count] = read_table(p, argv[count]);
        if (!p->tables[count])
            return -1;
        if (p->tables[count]->row_count == 0)
            fprintf(stderr, "saltus plot: warning: %s has no rows\n", argv[count]);
        p->names[count] = plot_short_name(p->arena, argv[count]);
        p->table_count = (size_t)++count;
    }
    if (!p->tables || !p->names)
        fputs("saltus plot: out of memory\n", stderr);
    else if (count == 0)
        options_complain(&plot_table, argc ? "there is no result file '%s'" : "no result file",
                         argc ? argv[0] : "");
    return count ? count : -1;
}

static void plot_free(PlotCommand *p)
{
    for (size_t i = 0; i < p->table_count; i++)
        table_destroy(p->tables[i]);
    table_destroy(p->events);
    free(p->tables);
    free(p->names);
    arena_destroy(p->arena);
}

// ---------------------------------------------------------------------------
// The command
// ---------------------------------------------------------------------------

// Curves of text, where SVG would be of no use to anybody.
static ExitStatus plot_show(PlotCommand *p, const PlotRequest *request)
{
    enum { MOST_NAMES = 64 };
    const char *names[MOST_NAMES];
    for (size_t i = 0; i < p->table_count; i++) {
        const Table *table = request->tables[i];
        const size_t count = terminal_names(p->arena, table, request->panels, request->panel_count,
                                            names, MOST_NAMES);
        fputs(terminal_draw(p->arena, table, names, count, terminal_width(), !terminal_is_unicode())
                  .text,
              stdout);
    }
    fputs("-o FILE.svg draws a picture.\n", stdout);
    return fflush(stdout) == 0 ? EXIT_FINE : EXIT_RUN_FAILED;
}

static ExitStatus plot_draw(PlotCommand *p, PlotRequest *request)
{
    char *message = NULL;
    PlotFigure figure;
    jmp_buf exhaustion;
    if (setjmp(exhaustion) != 0) {
        fputs("saltus plot: out of memory\n", stderr);
        return EXIT_RUN_FAILED;
    }
    arena_on_exhaustion(p->arena, &exhaustion);
    if (!derived_columns(p->arena, request, &message) ||
        !plot_request(p->arena, request, &figure, &message))
        return options_complain_of(&plot_table, message);
    if (!p->output && !p->map && isatty(STDOUT_FILENO))
        return plot_show(p, request);
    const String svg = plot_svg(p->arena, &figure);
    if (svg.text && convert_write(p->output, svg, p->dpi, &message))
        return EXIT_FINE;
    fprintf(stderr, "saltus plot: %s\n", message_text(message));
    free(message);
    return EXIT_RUN_FAILED;
}

static ExitStatus plot_files(PlotCommand *p, int argc, char **argv)
{
    PlotRequest request = {0};
    if (!plot_read_options(p, &request))
        return EXIT_USAGE;
    const int results = read_results(p, argc, argv);
    if (results < 0)
        return EXIT_USAGE;
    if (p->log && !(p->events = read_table(p, p->log)))
        return EXIT_USAGE;
    if (results == argc && !p->map)
        return options_complain(&plot_table, "no variable given");
    if (results < argc && p->map)
        return options_complain(&plot_table, "--map takes no further variables: '%s'",
                                argv[results]);
    request.tables = (const Table *const *)p->tables;
    request.names = p->names;
    request.table_count = p->table_count;
    request.panels = (const char *const *)(argv + results);
    request.panel_count = (size_t)(argc - results);
    request.events = p->events;
    return plot_draw(p, &request);
}

ExitStatus plot_run(int argc, char **argv)
{
    PlotCommand command = {.dpi = 300.0};
    ExitStatus status;
    if (!options_parse(&plot_table, &argc, argv, &command, &status))
        return status;
    command.arena = arena_create(NULL);
    if (command.arena) {
        status = plot_files(&command, argc - 1, argv + 1);
    } else {
        fputs("saltus plot: out of memory\n", stderr);
        status = EXIT_RUN_FAILED;
    }
    plot_free(&command);
    return status;
}
