// SPDX-License-Identifier: MIT
//
// saltus simulate: runs a model, writes its results, says what it did in one line.

#include "base/number.h"
#include "cli/csv.h"
#include "cli/model.h"
#include "model/model.h"

#include <errno.h>
#include <fnmatch.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

typedef struct SimulateCommand {
    double start_time, stop_time, relative_tolerance, absolute_tolerance, step, output_interval,
        event_tolerance; // NAN: not given
    const char *solver, *locate, *output, *events;
    OptionList parameters, variables;
    int zeno, record, colour;
    bool stats;
} SimulateCommand;

#define NUMBER(option, member, text)                                                               \
    {                                                                                              \
        .name = option, .kind = OPTION_NUMBER, .value = "NUMBER", .help = text,                    \
        .offset = offsetof(SimulateCommand, member)                                                \
    }

static const Option simulate_options[] = {
    NUMBER("start-time", start_time, "begin there (default: experiment annotation, or 0)"),
    NUMBER("stop-time", stop_time, "end there (default: experiment annotation, or 1)"),
    NUMBER("relative-tolerance", relative_tolerance, "default: experiment annotation, or 1e-6"),
    NUMBER("absolute-tolerance", absolute_tolerance, "default: a thousandth of the relative one"),
    {.name = "solver",
     .kind = OPTION_TEXT,
     .value = "NAME",
     .help = "auto, euler, heun, rk4, dopri5, dop853, rodas, cvode, adams",
     .offset = offsetof(SimulateCommand, solver)},
    NUMBER("step", step, "step of euler, heun, rk4 (default: the output interval); others: first"),
    NUMBER("output-interval", output_interval, "time between rows (default: 500 of them)"),
    {.name = "record",
     .kind = OPTION_CHOICE,
     .choices = {"intervals", "steps", "events"},
     .help = "which rows to write; there are always two at an event",
     .offset = offsetof(SimulateCommand, record)},
    {.name = "locate",
     .kind = OPTION_TEXT,
     .value = "NAME",
     .help = "brent, bisection, secant, tangent, quadratic, henon, sundials",
     .offset = offsetof(SimulateCommand, locate)},
    NUMBER("event-tolerance", event_tolerance, "locate events this well (default: best)"),
    {.name = "parameter",
     .letter = 'p',
     .kind = OPTION_LIST,
     .value = "NAME=VALUE",
     .help = "give a parameter another value; may be repeated",
     .offset = offsetof(SimulateCommand, parameters)},
    {.name = "output",
     .letter = 'o',
     .kind = OPTION_TEXT,
     .value = "FILE.csv",
     .help = "trajectory (default: standard output)",
     .offset = offsetof(SimulateCommand, output)},
    {.name = "events",
     .kind = OPTION_TEXT,
     .value = "FILE.csv",
     .help = "event log",
     .offset = offsetof(SimulateCommand, events)},
    {.name = "variables",
     .kind = OPTION_LIST,
     .value = "GLOB",
     .help = "only variables that match; may be repeated",
     .offset = offsetof(SimulateCommand, variables)},
    {.name = "zeno",
     .kind = OPTION_CHOICE,
     .choices = {"stop", "error", "continue"},
     .help = "where events accumulate",
     .offset = offsetof(SimulateCommand, zeno)},
    {.name = "stats",
     .kind = OPTION_FLAG,
     .help = "print all counters",
     .offset = offsetof(SimulateCommand, stats)},
    {.name = "color",
     .kind = OPTION_CHOICE,
     .choices = {"auto", "always", "never"},
     .help = "colours in messages (auto: on a terminal)",
     .offset = offsetof(SimulateCommand, colour)},
};

static const OptionTable simulate_table = {
    .command = "simulate",
    .synopsis = "[options] FILE... [MODEL]",
    .description =
        "Simulate a model. The trajectory goes to standard output or to a file, as CSV.\n"
        "Exit status: 0 fine, 1 the run failed (what was computed is written), 2 wrong\n"
        "usage, 3 errors in the model, 130 interrupted (likewise).",
    .options = simulate_options,
    .count = sizeof simulate_options / sizeof *simulate_options,
};

// The signal handler's only way to say anything.
static volatile sig_atomic_t is_interrupted;

static void interrupt(int number)
{
    (void)number;
    is_interrupted = 1;
}

// Everything about one run.
typedef struct Simulation {
    const SimulateCommand *command;
    const FlatModel *flat;
    const Model *model;
    SaltusSystem *system;
    SaltusRun *run;
    SaltusOptions options;
    double stop_time;
    double *parameters;
    bool *chosen; // columns; NULL: all
    CsvFile csv;
    double last_row; // its time
} Simulation;

// ---------------------------------------------------------------------------
// Settings
// ---------------------------------------------------------------------------

static double given(double option, double experiment, double otherwise)
{
    return !isnan(option) ? option : !isnan(experiment) ? experiment : otherwise;
}

static bool choose_method(const SimulateCommand *c, SaltusMethod *method)
{
    if (c->solver && !saltus_solver_from_name(c->solver, &method->solver)) {
        options_complain(&simulate_table, "there is no solver '%s'", c->solver);
        return false;
    }
    if (c->locate && !saltus_locate_from_name(c->locate, &method->locate)) {
        options_complain(&simulate_table, "there is no locator '%s'", c->locate);
        return false;
    }
    return true;
}

static int row_out(void *user, const SaltusRow *row)
{
    Simulation *s = user;
    // The end has a row of its own only if nothing else happened then.
    if (row->kind == SALTUS_ROW_END && row->t == s->last_row)
        return 0;
    s->last_row = row->t;
    const SaltusModeDef *mode = saltus_system_mode(s->system, row->mode);
    csv_row(s->csv.stream, row, s->chosen, mode ? mode->name : "");
    return 0;
}

static int progress(void *user, double t, double stop_time)
{
    (void)user, (void)t, (void)stop_time;
    return is_interrupted;
}

static bool set_options(Simulation *s)
{
    static const unsigned records[] = {SALTUS_RECORD_INTERVALS, SALTUS_RECORD_STEPS,
                                       SALTUS_RECORD_EVENTS};
    const SimulateCommand *c = s->command;
    const FlatExperiment *e = &s->flat->experiment;
    SaltusOptions *o = &s->options;
    *o = saltus_default_options();
    s->last_row = NAN;
    o->start_time = given(c->start_time, e->start_time, 0.0);
    s->stop_time = given(c->stop_time, e->stop_time, o->start_time + 1.0);
    o->method.relative_tolerance = given(c->relative_tolerance, e->tolerance, 1e-6);
    o->method.absolute_tolerance =
        given(c->absolute_tolerance, NAN, 1e-3 * o->method.relative_tolerance);
    o->output_interval =
        given(c->output_interval, e->interval, (s->stop_time - o->start_time) / 500.0);
    o->method.event_tolerance = given(c->event_tolerance, NAN, 0.0);
    o->record = records[c->record];
    o->zeno = (SaltusZeno)c->zeno;
    o->row = row_out;
    o->progress = progress;
    o->user = s;
    if (!choose_method(c, &o->method))
        return false;
    const bool is_fixed = o->method.solver == SALTUS_SOLVER_EULER ||
                          o->method.solver == SALTUS_SOLVER_HEUN ||
                          o->method.solver == SALTUS_SOLVER_RK4;
    o->method.step = given(c->step, is_fixed ? o->output_interval : NAN, 0.0);
    if (!(s->stop_time >= o->start_time)) {
        options_complain(&simulate_table, "the stop time is before the start time");
        return false;
    }
    if (!(o->output_interval > 0.0))
        o->record = SALTUS_RECORD_STEPS;
    return true;
}

// ---------------------------------------------------------------------------
// Parameters
// ---------------------------------------------------------------------------

static bool read_value(const FlatVariable *v, const char *text, double *value)
{
    const bool is_negative = text[0] == '-';
    if (FLAT_TYPE(v)->kind == FLAT_TYPE_BOOLEAN && strcmp(text, "true") == 0)
        *value = 1.0;
    else if (FLAT_TYPE(v)->kind == FLAT_TYPE_BOOLEAN && strcmp(text, "false") == 0)
        *value = 0.0;
    else if (!number_read(text + is_negative, strlen(text + is_negative), value))
        return false;
    else if (is_negative)
        *value = -*value;
    return FLAT_TYPE(v)->kind == FLAT_TYPE_REAL || *value == floor(*value);
}

static uint32_t find_parameter(const ModelParameters *p, const char *name)
{
    for (uint32_t i = 0; i < p->count; i++)
        if (strcmp(p->names[i], name) == 0)
            return i;
    return UINT32_MAX;
}

static bool read_parameter(const ModelParameters *p, const char *text, ParameterValue *value)
{
    const char *equals = strchr(text, '=');
    char name[256];
    snprintf(name, sizeof name, "%.*s", (int)(equals ? equals - text : 0), text);
    value->number = equals ? find_parameter(p, name) : UINT32_MAX;
    if (!equals) {
        options_complain(&simulate_table, "-p needs NAME=VALUE, not '%s'", text);
    } else if (value->number == UINT32_MAX) {
        const char *nearest = text_nearest(name, p->names, p->count);
        options_complain(&simulate_table, "there is no parameter '%s'%s%s%s", name,
                         nearest ? "; did you mean '" : "", nearest ? nearest : "",
                         nearest ? "'?" : "");
    } else if (p->flat[value->number]->is_final) {
        options_complain(&simulate_table, "%s is final: it cannot be changed", name);
    } else if (p->flat[value->number]->is_structural) {
        options_complain(&simulate_table, "%s shapes the model: change it in the text", name);
    } else if (!read_value(p->flat[value->number], equals + 1, &value->value)) {
        options_complain(&simulate_table, "'%s' is no value for %s", equals + 1, name);
    } else {
        return true;
    }
    return false;
}

static ExitStatus set_parameters(Simulation *s)
{
    const ModelParameters p = model_list_parameters(s->model);
    const OptionList *list = &s->command->parameters;
    ParameterValue values[OPTION_LIST_LENGTH];
    for (size_t i = 0; i < list->count; i++)
        if (!read_parameter(&p, list->items[i], &values[i]))
            return EXIT_USAGE;
    s->parameters = calloc(p.count + 1u, sizeof *s->parameters);
    SaltusError error = {.status = SALTUS_ERROR_MEMORY, .message = "out of memory"};
    if (s->parameters && model_find_parameters(s->model, values, (uint32_t)list->count,
                                               s->parameters, &error) == SALTUS_OK)
        return EXIT_FINE;
    fprintf(stderr, "saltus: error: %s\n", error.message);
    return EXIT_RUN_FAILED;
}

static bool choose_columns(Simulation *s)
{
    const OptionList *globs = &s->command->variables;
    if (globs->count == 0)
        return true;
    s->chosen = calloc(model_output_count(s->model) + 1u, sizeof *s->chosen);
    bool any = false;
    for (uint32_t i = 0; s->chosen && i < model_output_count(s->model); i++)
        for (size_t k = 0; k < globs->count; k++)
            if (fnmatch(globs->items[k], model_output_names(s->model)[i], 0) == 0)
                any = s->chosen[i] = true;
    if (!any)
        options_complain(&simulate_table, "no variable matches '%s'", globs->items[0]);
    return any;
}

// ---------------------------------------------------------------------------
// The run
// ---------------------------------------------------------------------------

static const char *time_name(const void *user, int id)
{
    return model_time_event(user, id);
}

static void print_statistics(const Simulation *s, double seconds)
{
    const SaltusStatistics st = saltus_run_statistics(s->run);
    fprintf(stderr,
            "%s: t = %.10g, %ld steps, %ld evaluations, %ld state and %ld time events, %s, "
            "%.3g ms\n",
            s->flat->name, saltus_run_time(s->run), st.steps, st.f_evaluations, st.events,
            st.time_events, saltus_solver_name(saltus_run_solver(s->run)), 1e3 * seconds);
    if (!s->command->stats)
        return;
#define PRINT(name, what) fprintf(stderr, "%10ld  %s\n", st.name, what);
    SALTUS_STATISTICS_LIST(PRINT)
#undef PRINT
}

static void print_warnings(const Simulation *s)
{
    uint32_t index = 0;
    double t;
    const char *message;
    while (model_next_warning(s->model, s->run, &index, &t, &message))
        fprintf(stderr, "saltus: warning: from t = %.10g on: %s\n", t, message);
}

static ExitStatus end_status(SaltusStatus status, const SaltusError *error)
{
    if (status == SALTUS_OK)
        return EXIT_FINE;
    const char *how = status < 0                     ? "error"
                      : status == SALTUS_ZENO        ? "warning: stopped"
                      : status == SALTUS_INTERRUPTED ? "interrupted"
                                                     : "stopped";
    fprintf(stderr, "saltus: %s: %s\n", how, error->message); // the message says where
    return status < 0                     ? EXIT_RUN_FAILED
           : status == SALTUS_INTERRUPTED ? EXIT_INTERRUPTED
                                          : EXIT_FINE;
}

static ExitStatus advance(Simulation *s)
{
    SaltusError error = {0};
    SaltusStatus status = model_system(s->model, s->parameters, &s->system, &error);
    if (status == SALTUS_OK)
        status = saltus_run_create(s->system, &s->options, &s->run, &error);
    if (status < 0)
        return end_status(status, &error);
    if (status == SALTUS_OK)
        status = saltus_run_advance(s->run, s->stop_time);
    if (status >= 0 && status != SALTUS_INTERRUPTED && model_has_terminal(s->model)) {
        const SaltusStatus last = saltus_run_apply(s->run, model_terminal);
        status = last < 0 ? last : status;
    }
    return end_status(status, saltus_run_error(s->run));
}

static bool write_events(const Simulation *s)
{
    CsvFile file;
    if (!s->command->events || !s->run)
        return true;
    const bool is_open = csv_open(&file, s->command->events);
    if (is_open)
        csv_events(file.stream, s->system, s->run, time_name, s->model);
    return csv_close(&file) && is_open;
}

static ExitStatus run_and_write(Simulation *s)
{
    struct timespec begin, end;
    if (!csv_open(&s->csv, s->command->output)) {
        options_complain(&simulate_table, "cannot write '%s': %s", s->command->output,
                         strerror(errno));
        csv_close(&s->csv);
        return EXIT_USAGE;
    }
    csv_header(s->csv.stream, (int)model_output_count(s->model), model_output_names(s->model),
               s->chosen);
    signal(SIGINT, interrupt);
    timespec_get(&begin, TIME_UTC);
    ExitStatus status = advance(s);
    timespec_get(&end, TIME_UTC);
    const bool is_written = csv_close(&s->csv) && write_events(s);
    if (!is_written) {
        fputs("saltus simulate: the results could not be written\n", stderr);
        status = EXIT_RUN_FAILED;
    }
    if (s->run) {
        print_warnings(s);
        print_statistics(s, (double)(end.tv_sec - begin.tv_sec) +
                                1e-9 * (double)(end.tv_nsec - begin.tv_nsec));
    }
    return status;
}

static ExitStatus simulate_model(const SimulateCommand *command, const FlatModel *flat,
                                 const Model *model)
{
    Simulation s = {.command = command, .flat = flat, .model = model};
    ExitStatus status = set_options(&s) && choose_columns(&s) ? EXIT_FINE : EXIT_USAGE;
    if (status == EXIT_FINE)
        status = set_parameters(&s);
    if (status == EXIT_FINE)
        status = run_and_write(&s);
    if (s.run)
        saltus_run_destroy(s.run);
    if (s.system)
        saltus_system_destroy(s.system);
    free(s.parameters);
    free(s.chosen);
    return status;
}

static ExitStatus simulate_files(Compilation *compilation, const SimulateCommand *command,
                                 const ModelArguments *arguments)
{
    bool is_readable;
    const FlatModel *flat = model_read(compilation, arguments, &is_readable);
    const Model *model =
        flat ? model_create(compilation->arena, flat, compilation->diagnostics) : NULL;
    model_print_messages(compilation, (ColourChoice)command->colour);
    if (!is_readable)
        return EXIT_USAGE;
    if (!model)
        return EXIT_MODEL_WRONG;
    const ExitStatus status = simulate_model(command, flat, model);
    model_release(model);
    return status;
}

ExitStatus simulate_run(int argc, char **argv)
{
    SimulateCommand command = {.start_time = NAN,
                               .stop_time = NAN,
                               .relative_tolerance = NAN,
                               .absolute_tolerance = NAN,
                               .step = NAN,
                               .output_interval = NAN,
                               .event_tolerance = NAN};
    ExitStatus status;
    if (!options_parse(&simulate_table, &argc, argv, &command, &status))
        return status;
    ModelArguments arguments;
    status = EXIT_USAGE;
    if (model_arguments(&simulate_table, argc, argv, &arguments)) {
        Compilation *compilation = compilation_create(NULL);
        if (compilation)
            status = simulate_files(compilation, &command, &arguments);
        else
            fputs("saltus simulate: out of memory\n", stderr);
        compilation_destroy(compilation);
    }
    model_arguments_free(&arguments);
    return status;
}
