// SPDX-License-Identifier: MIT
//
// saltus animate: runs a model, and draws its diagram along the run.

#include "cli/draw_machine.h"
#include "cli/model.h"
#include "cli/progress.h"
#include "cli/settings.h"
#include "drawing/page.h"
#include "flatten/flatten.h"
#include "plot/request.h"
#include "results/atomic.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef enum AnimateFormat {
    ANIMATE_HTML,
    ANIMATE_SVG,
    ANIMATE_GIF,
    ANIMATE_FORMATS
} AnimateFormat;

typedef struct AnimateCommand {
    Settings settings;
    const char *output;
    OptionList parameters, starts, plots;
    double frames, seconds, width; // NAN: not given
    bool quiet;
    ModelOptions model;

    // What becomes of them.
    const LoadedDef *def;
    const Loaded *loaded;
    AnimateFormat format;
    const Recording *recording;
    Arena *arena;
    Film *film;
    const char *panels[5]; // by default
    size_t panel_count;
} AnimateCommand;

#define NUMBER(option, member, text)                                                               \
    {                                                                                              \
        .name = option, .kind = OPTION_NUMBER, .value = "NUMBER", .help = text,                    \
        .offset = offsetof(AnimateCommand, member)                                                 \
    }

static const Option animate_options[] = {
    {.name = "output",
     .letter = 'o',
     .kind = OPTION_TEXT,
     .value = "FILE",
     .help = "FILE.html, .svg or .gif (default: the model's name.html)",
     .offset = offsetof(AnimateCommand, output)},
    {.name = "plot",
     .kind = OPTION_LIST,
     .value = "PANEL",
     .help = "curves beside the picture, see saltus plot; may be repeated",
     .offset = offsetof(AnimateCommand, plots)},
    NUMBER("seconds", seconds, "duration (as the run if that is 2 to 30 s, else 10)"),
    NUMBER("frames", frames, "number of frames; events add two each (400; .svg: 120)"),
    NUMBER("width", width, "width of a GIF in pixels (480)"),
    NUMBER("start-time", settings.start_time, "when the run begins (annotation, or 0)"),
    NUMBER("stop-time", settings.stop_time, "when it ends (experiment annotation, or 1)"),
    NUMBER("relative-tolerance", settings.relative_tolerance, "(experiment annotation, or 1e-6)"),
    {.name = "solver",
     .kind = OPTION_TEXT,
     .value = "NAME",
     .words = settings_solver_names,
     .help = "method",
     .offset = offsetof(AnimateCommand, settings.solver)},
    MODEL_SETTING_OPTIONS(AnimateCommand, parameters, starts),
    MODEL_QUIET_OPTION(AnimateCommand, quiet),
    MODEL_OPTIONS(AnimateCommand, model),
};

const OptionTable animate_table = {
    .command = "animate",
    .synopsis = "[options] FILE... [MODEL]",
    .description =
        "Run a model and draw its diagram along the run, with DynamicSelect in its\n"
        "graphical annotations (Modelica specification, chapter 18) evaluated in time.\n"
        "An HTML page has the picture, curves, the state chart and a time line with the\n"
        "events, and needs nothing else; SVG moves by itself in a browser, GIF anywhere.\n"
        "Exit status: 0 fine, 1 the run failed, 2 wrong usage, 3 errors in the model,\n"
        "4 stopped early where events accumulate, 130 interrupted. What was computed is\n"
        "drawn in any case.",
    .options = animate_options,
    .count = sizeof animate_options / sizeof *animate_options,
    .examples = "saltus animate Ball.mo -o ball.html\n"
                "saltus animate Pendulum.mo --plot x,y --stop-time 3 -o pendulum.html\n"
                "saltus animate Circuit.mo --seconds 8 -o circuit.gif\n",
};

// ---------------------------------------------------------------------------
// The run
// ---------------------------------------------------------------------------

static bool animate_format(const char *path, AnimateFormat *format)
{
    static const char *const ends[ANIMATE_FORMATS] = {".html", ".svg", ".gif"};
    const size_t length = strlen(path);
    for (int i = 0; i < ANIMATE_FORMATS; i++) {
        const size_t end = strlen(ends[i]);
        if (length > end && strcmp(path + length - end, ends[i]) == 0) {
            *format = (AnimateFormat)i;
            return true;
        }
    }
    return false;
}

static size_t animate_frames(const AnimateCommand *a)
{
    const double usual = a->format == ANIMATE_SVG ? 120.0 : 400.0;
    return (size_t)settings_given(a->frames, NAN, usual);
}

static int animate_progress(void *user, double t, double stop_time)
{
    (void)user;
    (void)t;
    (void)stop_time;
    return progress_is_interrupted();
}

// A run that ends early is drawn as far as it came.
static void animate_say_early(const Recording *r, const SaltusError *error)
{
    const double end = r->table.columns[0].values[r->table.row_count - 1];
    fprintf(stderr, "saltus animate: the run ended at t = %.6g s: %s\n", end,
            r->status == SALTUS_ZENO          ? "events accumulate"
            : r->status == SALTUS_INTERRUPTED ? "interrupted"
                                              : error->message);
}

// Says which variable is not finite first, as `simulate` does; the command does not end well then.
static void animate_judge(Recording *r)
{
    const Table *table = &r->table;
    const double *time = table->columns[0].values;
    for (size_t row = 0; row < table->row_count && r->status >= 0; row++)
        for (size_t i = 1; i < table->column_count && r->status >= 0; i++) {
            const TableColumn *column = &table->columns[i];
            if (column->words || isfinite(column->values[row]))
                continue;
            r->status = SALTUS_ERROR_EVALUATION;
            fprintf(stderr, "saltus animate: error: %s is not finite at t = %.10g\n",
                    column->heading.name, time[row]);
        }
}

static ExitStatus animate_record(AnimateCommand *a)
{
    const FlatExperiment e = loaded_experiment(a->loaded);
    SaltusOptions o = saltus_default_options();
    SaltusError error = {0};
    double stop_time;
    settings_apply(&a->settings, &e, &o, &stop_time);
    const double span = stop_time - o.start_time;
    if (!(span > 0.0))
        return options_complain(&animate_table, "the stop time must be after the start time");
    o.output_interval = span / (double)animate_frames(a);
    o.record = SALTUS_RECORD_INTERVALS;
    settings_apply_steps(&a->settings, span, o.output_interval, &o.method);
    o.progress = animate_progress;
    progress_catch_interrupt();
    model_set_backend(a->loaded->model, BACKEND_AUTO, NULL);
    Recording *recording = recording_create(a->arena, a->loaded, &o, stop_time, &error);
    a->recording = recording;
    if (!recording)
        fprintf(stderr, "saltus animate: error: %s\n", error.message);
    else if (a->recording->status < 0 || a->recording->status == SALTUS_ZENO ||
             a->recording->status == SALTUS_INTERRUPTED)
        animate_say_early(a->recording, &error);
    else
        animate_judge(recording);
    saltus_error_clear(&error);
    if (a->recording && a->recording->left_out)
        fprintf(stderr, "saltus animate: %zu rows of events are left out, there are too many\n",
                a->recording->left_out);
    return a->recording ? EXIT_FINE : EXIT_RUN_FAILED;
}

// ---------------------------------------------------------------------------
// The picture
// ---------------------------------------------------------------------------

static bool animate_is_asked(const DrawingStage *stage, const TableColumn *column)
{
    for (uint32_t k = 0; k < stage->columns.capacity; k++)
        if (stage->columns.entries[k].key &&
            stage->columns.entries[k].value == (const void *)column)
            return true;
    return false;
}

// Curves of what the picture asks for; if that is little, of states, too.
static void animate_choose_panels(AnimateCommand *a, const DrawingStage *stage)
{
    enum { MOST = 4, FEW = 2 };
    const Table *table = &a->recording->table;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 1; i + 1 < table->column_count; i++) {
            const TableColumn *column = &table->columns[i];
            const bool is_asked = animate_is_asked(stage, column);
            const FlatVariable *v = model_output_variables(a->loaded->model)[i - 1];
            if ((pass == 0 && is_asked && a->panel_count < MOST) ||
                (pass == 1 && !is_asked && v->is_differentiated && a->panel_count < FEW))
                a->panels[a->panel_count++] = column->heading.name;
        }
}

static void animate_shoot(Flattener *f, Instance *top, void *user)
{
    AnimateCommand *a = user;
    DrawingStage stage = stage_create(f, &a->recording->table);
    const Scene *scene = scene_create(&stage, top, false);
    a->film = film_create(&stage, scene, a->recording, a->arena, animate_frames(a));
    if (!isnan(a->seconds))
        a->film->seconds = a->seconds;
    animate_choose_panels(a, &stage);
}

static bool animate_draw(AnimateCommand *a)
{
    Compilation *compilation = loaded_compilation(a->def);
    if (!compilation) {
        fputs("saltus animate: out of memory\n", stderr);
        return false;
    }
    FlattenOptions options = flatten_default_options();
    if (a->def->library_path)
        options.library_path = a->def->library_path;
    options.check_units = false; // the run has said it
    options.setting_count = a->loaded->shape_count;
    options.settings = a->loaded->shape;
    const bool has_machines = a->loaded->flat->machine_count > 0;
    const bool is_drawn = flatten_visit(compilation, a->def->file_count, a->def->files,
                                        a->def->model, &options, has_machines, animate_shoot, a);
    if (!a->quiet || !is_drawn)
        model_print_messages(compilation, &a->model);
    compilation_destroy(compilation);
    if (a->film && has_machines)
        a->film->chart =
            machine_svg(a->arena, a->loaded->flat, a->loaded->compilation->sources, NULL, NULL);
    return is_drawn && a->film;
}

// ---------------------------------------------------------------------------
// The file
// ---------------------------------------------------------------------------

static bool animate_figure(const AnimateCommand *a, PlotFigure *figure)
{
    const OptionList *plots = &a->plots;
    const Table *const table = &a->recording->table;
    const TableColumn *mode = &table->columns[table->column_count - 1];
    char *message = NULL;
    const PlotRequest request = {.tables = &table,
                                 .names = &table->title,
                                 .table_count = 1,
                                 .panels = plots->count ? plots->items : a->panels,
                                 .panel_count = plots->count ? plots->count : a->panel_count,
                                 .has_phases = mode->word_count > 1 && mode->word_count < 8,
                                 .width = 120.0};
    if (plot_request(a->arena, &request, figure, &message))
        return true;
    options_complain_of(&animate_table, message);
    return false;
}

static bool animate_page(const AnimateCommand *a, String *text)
{
    const FlatModel *flat = a->loaded->flat;
    PlotFigure figure;
    const bool has_figure = a->plots.count || a->panel_count;
    if (has_figure && !animate_figure(a, &figure))
        return false;
    a->film->figure = has_figure ? &figure : NULL;
    if (flat->description.text)
        a->film->description =
            arena_copy_text(a->arena, flat->description.text, flat->description.length);
    *text = page_html(a->film, a->arena);
    a->film->figure = NULL;
    return true;
}

static void animate_say(char *message)
{
    fprintf(stderr, "saltus animate: %s\n", message_text(message));
    free(message);
}

static ExitStatus animate_write(const AnimateCommand *a)
{
    char *message = NULL;
    String text = {0};
    AtomicFile file;
    if (a->format == ANIMATE_HTML && !animate_page(a, &text))
        return EXIT_USAGE;
    if (a->format != ANIMATE_HTML && a->film->element_count == 0 && !a->film->chart.text)
        return options_complain(&animate_table,
                                "%s has no diagram and no states: only an HTML page has curves",
                                a->loaded->flat->name);
    if (a->format == ANIMATE_SVG)
        text = film_svg(a->film, a->arena);
    if (a->format == ANIMATE_GIF)
        text =
            film_gif(a->film, a->arena, (unsigned)settings_given(a->width, NAN, 480.0), &message);
    if (!text.text) {
        animate_say(message);
        return EXIT_RUN_FAILED;
    }
    if (!atomic_open(&file, a->output, &message)) {
        animate_say(message);
        return EXIT_USAGE;
    }
    fwrite(text.text, 1, text.length, file.stream);
    if (!atomic_commit(&file, &message)) {
        animate_say(message);
        return EXIT_RUN_FAILED;
    }
    if (!a->quiet)
        fprintf(stderr, "%s: %zu frames, %zu event%s, %zu moving attribute%s\n", a->output,
                a->film->frame_count, a->recording->event_count,
                a->recording->event_count == 1 ? "" : "s", a->film->track_count,
                a->film->track_count == 1 ? "" : "s");
    const SaltusStatus status = a->recording->status;
    return status == SALTUS_INTERRUPTED ? EXIT_INTERRUPTED
           : status == SALTUS_ZENO      ? EXIT_STOPPED
           : status < 0                 ? EXIT_RUN_FAILED
                                        : EXIT_FINE;
}

static const char *animate_default_path(Arena *arena, const char *model)
{
    const char *dot = strrchr(model, '.');
    StringBuilder b = builder_create(arena);
    builder_append_format(&b, "%s.html", dot ? dot + 1 : model);
    return builder_string(&b).text;
}

static ExitStatus animate_loaded(const void *user, const Loaded *l)
{
    AnimateCommand a = *(const AnimateCommand *)user;
    a.loaded = l;
    a.arena = l->compilation->arena;
    if (!a.quiet || !l->model)
        model_print_messages(l->compilation, &a.model);
    if (!l->model)
        return EXIT_MODEL_WRONG;
    if (!a.output)
        a.output = animate_default_path(a.arena, l->flat->name);
    if (!animate_format(a.output, &a.format))
        return options_complain(&animate_table, "'%s': the name must end in .html, .svg or .gif",
                                a.output);
    const ExitStatus status = animate_record(&a);
    if (status != EXIT_FINE)
        return status;
    return animate_draw(&a) ? animate_write(&a) : EXIT_RUN_FAILED;
}

static bool animate_is_between(const char *option, double value, double least, double most)
{
    if (isnan(value) || (value >= least && value <= most))
        return true;
    options_complain(&animate_table, "--%s must be from %g to %g", option, least, most);
    return false;
}

ExitStatus animate_run(int argc, char **argv)
{
    AnimateCommand command = {
        .settings = settings_default(), .frames = NAN, .seconds = NAN, .width = NAN};
    ExitStatus status = EXIT_USAGE;
    ModelArguments arguments = {0};
    if (!options_parse(&animate_table, &argc, argv, &command, &status))
        return status;
    status = EXIT_USAGE;
    if (animate_is_between("frames", command.frames, 1.0, 5000.0) &&
        animate_is_between("seconds", command.seconds, 0.1, 3600.0) &&
        animate_is_between("width", command.width, 16.0, 2000.0) &&
        model_arguments(&animate_table, argc, argv, &command.model, &command.parameters,
                        &command.starts, &arguments)) {
        command.def = &arguments.def;
        status = model_open(&animate_table, &arguments, animate_loaded, &command);
    }
    model_arguments_free(&arguments);
    return status;
}
