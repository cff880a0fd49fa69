// SPDX-License-Identifier: MIT
//
// saltus linearize: the matrices and eigenvalues of the active mode at a time or an event.

#include "cli/model.h"
#include "cli/progress.h"
#include "modes/event_table.h"
#include "modes/model.h"
#include "plot/bode.h"
#include "plot/convert.h"
#include "results/atomic.h"
#include "results/linearize_write.h"
#include "studies/ridders.h"

#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct LinearizeCommand {
    double at, stop_time, relative_tolerance; // NAN: not given
    const char *event, *output;
    OptionList settings, starts, input_names, output_globs;
    bool json;
    ModelOptions options;

    // What becomes of them.
    const FlatModel *flat;
    const Model *model;
    const Loaded *loaded;
    double *parameters;
    SaltusSystem *system;
    SaltusRun *run;
    SaltusLinearInput *inputs;
    double *directions; // of the inputs, in the space of the parameters
    int *outputs;
    int input_count, output_count;
    uint32_t moved; // the parameter that a difference is made of
} LinearizeCommand;

static const Option linearize_options[] = {
    {.name = "at",
     .kind = OPTION_NUMBER,
     .value = "TIME",
     .help = "linearize at this time (default: at the start)",
     .offset = offsetof(LinearizeCommand, at)},
    {.name = "at-event",
     .kind = OPTION_TEXT,
     .value = "NAME[:N]",
     .help = "just after the N-th event of a condition, \"h <= 0\"",
     .offset = offsetof(LinearizeCommand, event)},
    {.name = "stop-time",
     .kind = OPTION_NUMBER,
     .value = "NUMBER",
     .help = "end of the search for the event (annotation, or 1)",
     .offset = offsetof(LinearizeCommand, stop_time)},
    {.name = "relative-tolerance",
     .kind = OPTION_NUMBER,
     .value = "NUMBER",
     .help = "of the run up to the point (1e-9)",
     .offset = offsetof(LinearizeCommand, relative_tolerance)},
    MODEL_SETTING_OPTIONS(LinearizeCommand, settings, starts),
    {.name = "input",
     .letter = 'i',
     .kind = OPTION_LIST,
     .value = "NAME",
     .help = "input or parameter for B and D (default: all inputs)",
     .offset = offsetof(LinearizeCommand, input_names)},
    {.name = "variables",
     .kind = OPTION_LIST,
     .value = "GLOB",
     .help = "outputs for C and D (default: the model's outputs)",
     .offset = offsetof(LinearizeCommand, output_globs)},
    {.name = "output",
     .letter = 'o',
     .kind = OPTION_TEXT,
     .value = "FILE",
     .help = "FILE.json, .csv or .mat (default: text on stdout); FILE.svg, .png or .pdf: a Bode "
             "diagram",
     .offset = offsetof(LinearizeCommand, output)},
    {.name = "json",
     .kind = OPTION_FLAG,
     .help = "print JSON",
     .offset = offsetof(LinearizeCommand, json)},
    MODEL_OPTIONS(LinearizeCommand, options),
};

const OptionTable linearize_table = {
    .command = "linearize",
    .synopsis = "[options] FILE... [MODEL]",
    .description = "Linearize the active mode at a time or just after an event: A, B, C, D,\n"
                   "eigenvalues, frequency and damping.\n"
                   "Exit status: 0 fine, 1 the run failed, 2 wrong usage, 3 errors in the model.",
    .options = linearize_options,
    .count = sizeof linearize_options / sizeof *linearize_options,
    .examples = "saltus linearize Motor.mo --at 2\n"
                "saltus linearize Ball.mo --at-event 'h <= 0:3' --variables h -o ball.json\n"
                "saltus linearize Motor.mo --input u --variables w -o bode.svg\n"
                "saltus linearize Circuit.mo -p R=20 --input R\n",
};

// ---------------------------------------------------------------------------
// Inputs and outputs
// ---------------------------------------------------------------------------

// All parameters as functions of one of them, for those that follow from it.
static int parameters_moved(void *user, double from, double by, double *values, double *step)
{
    LinearizeCommand *s = user;
    const ParameterValue moved = {s->moved, from + by};
    *step = (from + by) - from;
    return loaded_parameters(s->loaded, &moved, 1, values, NULL) == SALTUS_OK ? 0 : 1;
}

static bool add_input(LinearizeCommand *s, const Parameters *p, uint32_t number)
{
    double *direction = s->directions + (size_t)s->input_count * p->count, error;
    const double value = s->parameters[number];
    s->moved = number;
    Ridders *ridders = ridders_create((int)p->count);
    const bool is_fine =
        ridders && ridders_derive(ridders, parameters_moved, s, value,
                                  1e-3 * fmax(fabs(value), 1e-3), direction, &error);
    ridders_destroy(ridders);
    s->inputs[s->input_count++] =
        (SaltusLinearInput){.name = p->names[number], .direction = direction, .value = value};
    if (!is_fine)
        fprintf(stderr, "saltus linearize: %s cannot be changed a little\n", p->names[number]);
    return is_fine;
}

static bool linearize_find_input(LinearizeCommand *s, const Parameters *p, const char *name,
                                 uint32_t *number)
{
    for (*number = 0; *number < p->count; ++*number)
        if (strcmp(p->names[*number], name) == 0)
            break;
    if (*number == p->count) {
        const char *nearest = text_nearest(name, p->names, p->count);
        options_complain(&linearize_table, "there is no input or parameter '%s'%s%s%s", name,
                         nearest ? "; did you mean '" : "", nearest ? nearest : "",
                         nearest ? "'?" : "");
        return false;
    }
    if (FLAT_TYPE(p->flat[*number])->kind == FLAT_TYPE_REAL)
        return true;
    options_complain(&linearize_table, "%s is not Real: nothing can be differentiated by it", name);
    (void)s;
    return false;
}

static bool choose_inputs(LinearizeCommand *s)
{
    const Parameters p = model_list_parameters(s->model);
    const OptionList *names = &s->input_names;
    s->inputs = calloc(p.count + names->count + 1, sizeof *s->inputs);
    s->directions = calloc((p.count + names->count) * (size_t)p.count + 1, sizeof *s->directions);
    if (!s->inputs || !s->directions) {
        fputs("saltus linearize: out of memory\n", stderr);
        return false;
    }
    for (size_t i = 0; i < names->count; i++) {
        uint32_t number;
        if (!linearize_find_input(s, &p, names->items[i], &number) || !add_input(s, &p, number))
            return false;
    }
    for (uint32_t i = 0; i < p.count && names->count == 0; i++)
        if (p.flat[i]->direction == FLAT_INPUT && FLAT_TYPE(p.flat[i])->kind == FLAT_TYPE_REAL &&
            !add_input(s, &p, i))
            return false;
    return true;
}

static bool linearize_is_output(const LinearizeCommand *s, const FlatVariable *v)
{
    const OptionList *globs = &s->output_globs;
    return globs->count == 0 ? v->direction == FLAT_OUTPUT : options_match(globs, v->name);
}

static bool choose_outputs(LinearizeCommand *s)
{
    const uint32_t count = model_output_count(s->model);
    const OptionList *globs = &s->output_globs;
    s->outputs = calloc(count + 1u, sizeof *s->outputs);
    if (!s->outputs)
        fputs("saltus linearize: out of memory\n", stderr);
    for (uint32_t i = 0; s->outputs && i < count; i++)
        if (linearize_is_output(s, model_output_variables(s->model)[i]))
            s->outputs[s->output_count++] = (int)i;
    if (s->outputs && globs->count && s->output_count == 0) {
        const char *nearest = text_nearest(globs->items[0], model_output_names(s->model), count);
        options_complain(&linearize_table, "no variable matches '%s'%s%s%s", globs->items[0],
                         nearest ? "; did you mean '" : "", nearest ? nearest : "",
                         nearest ? "'?" : "");
        return false;
    }
    return s->outputs != NULL;
}

// ---------------------------------------------------------------------------
// The point
// ---------------------------------------------------------------------------

static int stop_after_event(void *user, const SaltusRow *row)
{
    (void)user;
    return row->kind == SALTUS_ROW_AFTER_EVENT;
}

static int look_for_interrupt(void *user, double t, double stop_time)
{
    (void)user, (void)t, (void)stop_time;
    return progress_is_interrupted();
}

// The next character of a condition that matters: no blanks, and no ".0" of a whole number, so that
// "h<=0" is "h <= 0.0". Zero at the end.
static char next_of(const char **text, const char *end)
{
    const char *s = *text;
    const bool is_digit = s < end && *s >= '0' && *s <= '9';
    if (s == end)
        return '\0';
    *text = s + 1;
    if (is_digit && end - s >= 3 && s[1] == '.' && s[2] == '0' &&
        (end - s == 3 || s[3] < '0' || s[3] > '9'))
        *text += 2;
    while (*text < end && **text == ' ')
        ++*text;
    return *s;
}

static bool linearize_is_same(const char *condition, const char *name, size_t length)
{
    const char *condition_end = condition + strlen(condition), *name_end = name + length;
    char a, b;
    while (*name == ' ')
        name++;
    do {
        a = next_of(&condition, condition_end);
        b = next_of(&name, name_end);
    } while (a == b && a);
    return a == b;
}

// Whether the last event has the condition.
static bool has_condition(const LinearizeCommand *s, const char *name, size_t length)
{
    const SaltusLogEntry e = saltus_run_event(s->run, saltus_run_event_count(s->run) - 1);
    for (int i = 0; i < e.fired_count; i++) {
        const SaltusModeDef *mode = saltus_system_mode(s->system, e.fired[i].mode);
        const SaltusEventDef *def = mode ? &mode->events[e.fired[i].event] : NULL;
        if (def && ((def->condition && linearize_is_same(def->condition, name, length)) ||
                    (def->name && linearize_is_same(def->name, name, length))))
            return true;
    }
    for (int i = 0; i < e.time_count; i++)
        if (linearize_is_same(model_time_event(s->model, e.time_ids[i]), name, length))
            return true;
    return false;
}

// Splits NAME[:N].
static size_t read_event(const char *text, long *number)
{
    const char *colon = strrchr(text, ':');
    char *end = NULL;
    *number = 1;
    if (!colon || !colon[1])
        return strlen(text);
    const long n = strtol(colon + 1, &end, 10);
    if (*end || n < 1)
        return strlen(text);
    *number = n;
    return (size_t)(colon - text);
}

static ExitStatus say_why(SaltusStatus status, const char *message)
{
    if (status == SALTUS_INTERRUPTED && progress_is_interrupted())
        return EXIT_INTERRUPTED;
    fprintf(stderr, "saltus linearize: %s\n", message);
    return EXIT_RUN_FAILED;
}

// The same by an error, which is taken.
static ExitStatus linearize_say(SaltusStatus status, SaltusError *error)
{
    const ExitStatus end = say_why(status, error->message);
    saltus_error_clear(error);
    return end;
}

static bool is_listed(const char *const *names, uint32_t count, const char *condition)
{
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(names[i], condition) == 0)
            return true;
    return false;
}

// The model's conditions, if the wanted one is none of them: the nearest, and some of the others.
static void say_conditions(const LinearizeCommand *s, Arena *arena, const char *text, size_t length)
{
    enum { SHOWN = 12 };
    uint32_t row_count, count = 0;
    const EventRow *rows = event_table_create(arena, s->flat, s->model, &row_count);
    const char **names = ARENA_ARRAY(arena, row_count + 1, const char *);
    for (uint32_t i = 0; i < row_count; i++) {
        if (linearize_is_same(rows[i].condition, text, length)) {
            fputs("; --stop-time makes the run longer", stderr);
            return;
        }
        if (!is_listed(names, count, rows[i].condition))
            names[count++] = rows[i].condition;
    }
    if (count == 0) {
        fputs("; the model has no conditions", stderr);
        return;
    }
    const char *nearest = text_nearest(arena_copy_text(arena, text, length), names, count);
    if (nearest)
        fprintf(stderr, "; did you mean '%s'?", nearest);
    fputs(nearest ? " The model's conditions:" : "; the model's conditions:", stderr);
    for (uint32_t i = 0; i < count && i < SHOWN; i++)
        fprintf(stderr, "%s '%s'", i ? "," : "", names[i]);
    fputs(count > SHOWN ? ", ...; saltus events lists them all" : "", stderr);
}

static void say_missing_event(const LinearizeCommand *s, const char *text, size_t length,
                              long count, long wanted)
{
    Arena *arena = arena_create(NULL);
    fprintf(stderr, "saltus linearize: '%.*s' happens %ld times until t = %.10g, not %ld",
            (int)length, text, count, saltus_run_time(s->run), wanted);
    if (arena && count == 0)
        say_conditions(s, arena, text, length);
    fputc('\n', stderr);
    arena_destroy(arena);
}

static ExitStatus advance_to_event(LinearizeCommand *s, double stop_time)
{
    const char *text = s->event;
    long wanted, seen = 0, count = 0;
    const size_t length = read_event(text, &wanted);
    for (;;) {
        const SaltusStatus status = saltus_run_advance(s->run, stop_time);
        if (status < 0 || progress_is_interrupted())
            return say_why(status, saltus_run_error(s->run)->message);
        const bool is_new = saltus_run_event_count(s->run) > seen;
        seen = saltus_run_event_count(s->run);
        if (is_new && has_condition(s, text, length) && ++count == wanted)
            return EXIT_FINE;
        if (status != SALTUS_INTERRUPTED)
            break;
    }
    say_missing_event(s, text, length, count, wanted);
    return EXIT_RUN_FAILED;
}

static ExitStatus advance_to_time(LinearizeCommand *s, double time)
{
    const SaltusStatus status =
        time > saltus_run_time(s->run) ? saltus_run_advance(s->run, time) : SALTUS_OK;
    if (status == SALTUS_OK)
        return EXIT_FINE;
    return say_why(status, saltus_run_error(s->run)->message);
}

static ExitStatus make_run(LinearizeCommand *s)
{
    const FlatExperiment e = loaded_experiment(s->loaded);
    SaltusOptions o = saltus_default_options();
    o.start_time = e.start_time;
    o.method.relative_tolerance = isnan(s->relative_tolerance) ? 1e-9 : s->relative_tolerance;
    o.method.absolute_tolerance = 1e-3 * o.method.relative_tolerance;
    o.record = SALTUS_RECORD_EVENTS;
    o.progress = look_for_interrupt;
    if (s->event)
        o.row = stop_after_event;
    if (s->at < o.start_time)
        return options_complain(&linearize_table, "--at is before the start, t = %.10g",
                                o.start_time);
    SaltusError error = {0};
    SaltusStatus status = model_system(s->model, s->parameters, &s->system, &error);
    if (status == SALTUS_OK)
        status = saltus_run_create(s->system, &o, &s->run, &error);
    if (status < 0)
        return linearize_say(status, &error);
    saltus_error_clear(&error);
    const double stop = isnan(s->stop_time) ? e.stop_time : s->stop_time;
    return s->event ? advance_to_event(s, stop)
                    : advance_to_time(s, isnan(s->at) ? o.start_time : s->at);
}

// ---------------------------------------------------------------------------
// The command
// ---------------------------------------------------------------------------

// A Bode diagram.
static ExitStatus linearize_draw(const char *path, const SaltusLinearization *l)
{
    if (l->input_count == 0 || l->output_count == 0)
        return options_complain(
            &linearize_table, "a Bode diagram needs an input and an output: --input, --variables");
    char *message = NULL;
    Arena *arena = arena_create(NULL);
    jmp_buf exhaustion;
    bool is_drawn = false;
    if (arena && setjmp(exhaustion) == 0) {
        arena_on_exhaustion(arena, &exhaustion);
        const PlotFigure figure = bode_figure(arena, l);
        const String svg = plot_svg(arena, &figure);
        is_drawn = svg.text && convert_write(path, svg, 300.0, &message);
    }
    arena_destroy(arena);
    if (!is_drawn)
        fprintf(stderr, "saltus linearize: %s\n", message_text(message));
    free(message);
    return is_drawn ? EXIT_FINE : EXIT_RUN_FAILED;
}

static ExitStatus write_out(const LinearizeCommand *s, const SaltusLinearization *l,
                            TableFormat format)
{
    AtomicFile file;
    ConvertFormat picture;
    if (s->output && convert_format(s->output, &picture))
        return linearize_draw(s->output, l);
    char *message = NULL;
    if (!atomic_open(&file, s->output, &message))
        return options_complain_of(&linearize_table, message);
    if (s->output || s->json)
        linearize_write(l, s->json ? TABLE_JSON : format, s->flat->name, file.stream);
    else
        linearize_write_text(l, file.stream);
    if (atomic_commit(&file, &message))
        return EXIT_FINE;
    fprintf(stderr, "saltus linearize: %s\n", message_text(message));
    free(message);
    return EXIT_RUN_FAILED;
}

static ExitStatus linearize_point(LinearizeCommand *s, TableFormat format)
{
    ExitStatus status = choose_inputs(s) && choose_outputs(s) ? make_run(s) : EXIT_USAGE;
    if (status != EXIT_FINE)
        return status;
    SaltusError error;
    const SaltusLinearizeDef def = {s->input_count, s->inputs, s->output_count, s->outputs};
    SaltusLinearization *l;
    if (saltus_linearize(s->run, &def, &l, &error) < 0)
        return linearize_say(error.status, &error);
    // The analysis ends here: terminal() becomes true.
    const SaltusStatus last = loaded_finish(s->loaded, s->run, SALTUS_OK);
    status = last < 0 ? say_why(last, saltus_run_error(s->run)->message) : write_out(s, l, format);
    saltus_linearization_destroy(l);
    return status;
}

static ExitStatus linearize_model(LinearizeCommand *s)
{
    const Parameters p = model_list_parameters(s->model);
    TableFormat format = TABLE_CSV;
    ConvertFormat picture;
    if (s->output && strcmp(s->output, "-") != 0 && !convert_format(s->output, &picture) &&
        !(table_format(s->output, &format) && linearize_has_format(format)))
        return options_complain(&linearize_table,
                                "'%s': the name must end in .json, .csv, .mat, or .svg, .png, .pdf",
                                s->output);
    SaltusError error = {.message = "out of memory"};
    ExitStatus status = EXIT_RUN_FAILED;
    s->parameters = calloc(p.count + 1u, sizeof *s->parameters);
    if (s->parameters && loaded_parameters(s->loaded, NULL, 0, s->parameters, &error) == SALTUS_OK)
        status = linearize_point(s, format);
    else
        linearize_say(SALTUS_ERROR_ARGUMENT, &error);
    if (s->run)
        saltus_run_destroy(s->run);
    if (s->system)
        saltus_system_destroy(s->system);
    free(s->parameters);
    free(s->inputs);
    free(s->directions);
    free(s->outputs);
    return status;
}

static ExitStatus linearize_loaded(const void *user, const Loaded *l)
{
    LinearizeCommand s = *(const LinearizeCommand *)user;
    model_print_messages(l->compilation, &s.options);
    if (!l->model)
        return EXIT_MODEL_WRONG;
    s.loaded = l;
    s.flat = l->flat;
    s.model = l->model;
    return linearize_model(&s);
}

ExitStatus linearize_run_command(int argc, char **argv)
{
    LinearizeCommand command = {.at = NAN, .stop_time = NAN, .relative_tolerance = NAN};
    ExitStatus status;
    if (!options_parse(&linearize_table, &argc, argv, &command, &status))
        return status;
    if (!isnan(command.at) && command.event)
        return options_complain(&linearize_table, "--at or --at-event, not both");
    ModelArguments arguments;
    status = EXIT_USAGE;
    progress_catch_interrupt();
    if (model_arguments(&linearize_table, argc, argv, &command.options, &command.settings,
                        &command.starts, &arguments))
        status = model_open(&linearize_table, &arguments, linearize_loaded, &command);
    model_arguments_free(&arguments);
    return status;
}
