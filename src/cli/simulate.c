// SPDX-License-Identifier: MIT
//
// saltus simulate: runs a model, writes its results, says what it did in one line.

#include "cli/simulate.h"
#include "base/message.h"
#include "cli/watch.h"
#include "kernel/whole.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define NUMBER(option, member, text)                                                               \
    {                                                                                              \
        .name = option, .kind = OPTION_NUMBER, .value = "NUMBER", .help = text,                    \
        .offset = offsetof(SimulateCommand, member)                                                \
    }

static const Option simulate_options[] = {
    NUMBER("start-time", settings.start_time, "when the run begins (annotation, or 0)"),
    NUMBER("stop-time", settings.stop_time, "when it ends (experiment annotation, or 1)"),
    NUMBER("relative-tolerance", settings.relative_tolerance, "(experiment annotation, or 1e-6)"),
    NUMBER("absolute-tolerance", settings.absolute_tolerance, "(a thousandth of the relative one)"),
    {.name = "solver",
     .kind = OPTION_TEXT,
     .value = "NAME",
     .words = settings_solver_names,
     .help = "integration method",
     .offset = offsetof(SimulateCommand, settings.solver)},
    NUMBER("step", settings.step, "step of euler, heun, rk4; otherwise the first"),
    NUMBER("maximum-step", settings.maximum_step, "largest step (a 50th of the run)"),
    NUMBER("output-interval", output_interval, "time between rows (a 500th of the run)"),
    {.name = "record",
     .kind = OPTION_CHOICE,
     .choices = {"intervals", "steps", "events"},
     .help = "which rows to write",
     .offset = offsetof(SimulateCommand, record)},
    {.name = "locate",
     .kind = OPTION_TEXT,
     .value = "NAME",
     .words = settings_locator_names,
     .help = "how events are located",
     .offset = offsetof(SimulateCommand, settings.locate)},
    NUMBER("event-tolerance", settings.event_tolerance,
           "accuracy of event times (the best possible)"),
    MODEL_SETTING_OPTIONS(SimulateCommand, parameters, starts),
    INPUTS_OPTIONS(SimulateCommand, input, interpolate),
    {.name = "output",
     .letter = 'o',
     .kind = OPTION_TEXT,
     .value = "FILE",
     .help = "trajectory: " TABLE_ENDINGS "or - (stdout)",
     .offset = offsetof(SimulateCommand, output)},
    {.name = "events",
     .kind = OPTION_TEXT,
     .value = "FILE",
     .help = "event log: .csv, .json, or -",
     .offset = offsetof(SimulateCommand, events)},
    {.name = "manifest",
     .kind = OPTION_TEXT,
     .value = "FILE.json",
     .help = "how the results were made, units of columns",
     .offset = offsetof(SimulateCommand, manifest)},
    {.name = "show",
     .kind = OPTION_CHOICE,
     .choices = {"auto", "plot", "table"},
     .help = "without -o (auto: plot on a terminal)",
     .offset = offsetof(SimulateCommand, show)},
    {.name = "variables",
     .kind = OPTION_LIST,
     .value = "GLOB",
     .help = "only variables that match; may be repeated",
     .offset = offsetof(SimulateCommand, variables)},
    {.name = "sensitivity",
     .kind = OPTION_LIST,
     .value = "NAME",
     .help = "add derivatives by a parameter or x.start",
     .offset = offsetof(SimulateCommand, sensitivities)},
    {.name = "plot",
     .kind = OPTION_LIST,
     .value = "PANEL",
     .help = "draw: -o FILE.svg, .png, .pdf, or the terminal",
     .offset = offsetof(SimulateCommand, plots)},
    {.name = "zeno",
     .kind = OPTION_CHOICE,
     .choices = {"stop", "error", "continue"},
     .help = "if events accumulate",
     .offset = offsetof(SimulateCommand, settings.zeno)},
    {.name = "max-events",
     .kind = OPTION_NUMBER,
     .value = "COUNT",
     .help = "fail after this many events",
     .offset = offsetof(SimulateCommand, max_events)},
    MODEL_BACKEND_OPTION(SimulateCommand, backend),
    {.name = "together",
     .kind = OPTION_FLAG,
     .help = "one solver for all independent parts",
     .offset = offsetof(SimulateCommand, together)},
    {.name = "realtime",
     .kind = OPTION_FLAG,
     .help = "fixed steps, with events at the ends of steps",
     .offset = offsetof(SimulateCommand, realtime)},
    {.name = "pace",
     .kind = OPTION_FLAG,
     .help = "the same, no faster than real time",
     .offset = offsetof(SimulateCommand, pace)},
    {.name = "stats",
     .kind = OPTION_FLAG,
     .help = "print all counters",
     .offset = offsetof(SimulateCommand, stats)},
    {.name = "json",
     .kind = OPTION_FLAG,
     .help = "end values, events, counters on stdout",
     .offset = offsetof(SimulateCommand, json)},
    {.name = "interface",
     .kind = OPTION_CHOICE,
     .choices = {"auto", "cs", "me", "se"},
     .help = "how an FMU is run (auto: cs, if it offers it)",
     .offset = offsetof(SimulateCommand, interface)},
    MODEL_QUIET_OPTION(SimulateCommand, quiet),
    MODEL_OPTIONS(SimulateCommand, model),
};

const OptionTable simulate_table = {
    .command = "simulate",
    .synopsis = "[options] FILE... [MODEL]",
    .description =
        "Run a model (by default the last of the files). Exit status: 0 fine, 1 failed,\n"
        "2 usage, 3 wrong model, 4 stopped early (limit, --zeno), 130 interrupted.",
    .options = simulate_options,
    .count = sizeof simulate_options / sizeof *simulate_options,
    .examples = "saltus simulate Ball.mo -p e=0.7 -o ball.mat --events bounces.csv\n"
                "saltus simulate Ball.mo --plot h --plot v -o ball.svg\n",
};

// ---------------------------------------------------------------------------
// Settings
// ---------------------------------------------------------------------------

static int row_out(void *user, const SaltusRow *row)
{
    watch_lock();
    output_row(user, row);
    watch_unlock();
    return 0;
}

static int event_out(void *user, const SaltusLogEntry *entry)
{
    watch_lock();
    output_event(user, entry);
    watch_unlock();
    return 0;
}

// Waits until as much real time has passed as model time, or counts that it is later already.
static void keep_pace(Simulation *s, double t)
{
    const double due = s->pace.begin + (t - s->options.start_time), now = progress_clock();
    s->pace.steps++;
    if (now > due) {
        s->pace.overruns++;
        s->pace.worst = fmax(s->pace.worst, now - due);
        return;
    }
    const struct timespec until = {(time_t)due, (long)(1e9 * (due - floor(due)))};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
}

// Steps that were rejected, or begun again though there was no event.
static long count_vain(const SaltusStatistics *st)
{
    return st->rejected_steps + st->restarts - st->events - st->time_events;
}

enum { CREEPING_STEPS = 5000, CREEPING_WINDOWS = 20 };

// How many steps the run needs at the pace of the last hundred thousand of a solver that chose
// them; 0: not known. Called every CREEPING_STEPS.
static double steps_to_go(Simulation *s, double t)
{
    if (!s->run || settings_is_fixed_step(saltus_run_solver(s->run)))
        s->creeping.windows = 0;
    if (s->creeping.windows++ == 0)
        s->creeping.windows_from = s->creeping.from;
    if (s->creeping.windows < CREEPING_WINDOWS)
        return 0.0;
    s->creeping.windows = 0;
    const double gone = t - s->creeping.windows_from;
    return (double)CREEPING_WINDOWS * CREEPING_STEPS * (s->stop_time - t) / gone;
}

// to_go: how many more there will be; 0: that is not what is wrong.
static void say_creeping(Simulation *s, double from, double t, long vain, double to_go,
                         bool has_events)
{
    progress_end(&s->progress);
    fprintf(stderr, "saltus: warning: %d steps have come from t = %.10g to %.10g only",
            CREEPING_STEPS, from, t);
    if (vain > 0)
        fprintf(stderr, ", and %ld more were in vain", vain);
    if (to_go > 0.0)
        fprintf(stderr, "; at this pace, %.1e are needed up to t = %.10g", to_go, s->stop_time);
    fputs(has_events ? ": most of them lead to an event (--events lists them)\n"
                     : ": something jumps or has a kink there that no event announces (an if in a "
                       "function or in noEvent, external data), grows beyond bounds, oscillates, "
                       "or is stiff for this solver\n",
          stderr);
}

// Steps that come to nothing, or of which every other one is in vain, or very many: said once, for
// the run may take very long.
static void look_for_creeping(Simulation *s, double t)
{
    static const double least = 1e-6, most_vain = 0.8; // of the run; of the steps
    static const double most_steps = 1e7;
    if (s->creeping.steps < 0 || ++s->creeping.steps < CREEPING_STEPS)
        return;
    const SaltusStatistics st = s->run ? saltus_run_statistics(s->run) : (SaltusStatistics){0};
    const long vain = count_vain(&st) - s->creeping.vain;
    const long events = st.events + st.time_events - s->creeping.events;
    const double from = s->creeping.from, to_go = steps_to_go(s, t);
    const bool is_slow = t - from < least * (s->stop_time - s->options.start_time);
    const bool is_vain = (double)vain > most_vain * CREEPING_STEPS, is_long = to_go > most_steps;
    s->creeping.steps = 0;
    s->creeping.from = t;
    s->creeping.events += events;
    s->creeping.vain += vain;
    if (s->command->quiet || (!is_long && !is_slow && !is_vain))
        return;
    s->creeping.steps = -1;
    say_creeping(s, from, t, vain, is_long ? to_go : 0.0, events > CREEPING_STEPS / 2);
}

static int simulate_progress(void *user, double t, double stop_time)
{
    Simulation *s = user;
    s->reached = t;
    (void)stop_time; // with --input that of the next row
    look_for_creeping(s, t);
    if (s->command->pace)
        keep_pace(s, t);
    if (s->progress.is_shown) {
        char note[40];
        snprintf(note, sizeof note, "t = %.4g", t);
        const double span = s->stop_time - s->options.start_time;
        progress_show(&s->progress, (t - s->options.start_time) / span, note);
    }
    // There is no use in going on when the disk is full.
    return progress_is_interrupted() || (s->output.writer && !writer_is_fine(s->output.writer));
}

static bool set_realtime(const SimulateCommand *c, SaltusOptions *o)
{
    if (!c->realtime && !c->pace)
        return true;
    if (o->method.solver == SALTUS_SOLVER_AUTO)
        o->method.solver = SALTUS_SOLVER_RK4;
    o->backstep = SALTUS_NO_BACKSTEP;
    if (settings_is_fixed_step(o->method.solver))
        return true;
    options_complain(&simulate_table, "--realtime needs fixed steps: euler, heun or rk4, not %s",
                     saltus_solver_name(o->method.solver));
    return false;
}

// What the engine would refuse, too, by the names that options have.
static bool simulate_check_numbers(const Settings *c, const SaltusMethod *method)
{
    const struct {
        const char *name;
        double value;
        bool may_be_zero;
    } numbers[] = {
        {"relative-tolerance", c->relative_tolerance, false},
        {"absolute-tolerance", c->absolute_tolerance, true},
        {"step", c->step, !settings_is_fixed_step(method->solver)},
        {"maximum-step", c->maximum_step, true},
        {"event-tolerance", c->event_tolerance, true},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        const double value = numbers[i].value;
        if (isnan(value) || value > 0.0 || (value == 0.0 && numbers[i].may_be_zero))
            continue;
        options_complain(&simulate_table, "--%s=%g must %s", numbers[i].name, value,
                         numbers[i].may_be_zero ? "not be negative" : "be positive");
        return false;
    }
    return true;
}

// A mistaken interval must not fill the disk.
static bool check_interval(Simulation *s)
{
    static const double most_rows = 1e8;
    SaltusOptions *o = &s->options;
    const double rows = (s->stop_time - o->start_time) / o->output_interval;
    if (s->stop_time == o->start_time) {
        o->record = SALTUS_RECORD_STEPS;
        return true;
    }
    if (o->output_interval > 0.0 && (s->command->record != 0 || rows <= most_rows))
        return true;
    if (o->output_interval > 0.0)
        options_complain(&simulate_table, "the output interval %g makes %.3g rows",
                         o->output_interval, rows);
    else
        options_complain(&simulate_table, "the output interval %g must be positive",
                         o->output_interval);
    return false;
}

static bool simulate_set_options(Simulation *s)
{
    static const unsigned records[] = {SALTUS_RECORD_INTERVALS, SALTUS_RECORD_STEPS,
                                       SALTUS_RECORD_EVENTS};
    const SimulateCommand *c = s->command;
    const FlatExperiment e = loaded_experiment(s->loaded);
    SaltusOptions *o = &s->options;
    *o = saltus_default_options();
    settings_apply(&c->settings, &e, o, &s->stop_time);
    const double span = s->stop_time - o->start_time;
    o->output_interval = settings_given(c->output_interval, e.interval, span / 500.0);
    o->record = records[c->record];
    o->row = row_out;
    o->logged = c->json ? NULL : event_out; // the report has all of them at the end
    o->notes = c->json || c->events;
    o->progress = simulate_progress;
    o->user = s;
    o->max_events = c->max_events < 1e18 ? (long)c->max_events : 0;
    if (!set_realtime(c, o) || !simulate_check_numbers(&c->settings, &o->method))
        return false;
    settings_apply_steps(&c->settings, span, o->output_interval, &o->method);
    if (!(c->max_events >= 0.0) || c->max_events != floor(c->max_events)) {
        options_complain(&simulate_table, "--max-events=%g must be a whole number", c->max_events);
        return false;
    }
    if (!(s->stop_time >= o->start_time)) {
        options_complain(&simulate_table, "the stop time is before the start time");
        return false;
    }
    return check_interval(s);
}

// ---------------------------------------------------------------------------
// The run
// ---------------------------------------------------------------------------

static ExitStatus set_parameters(Simulation *s)
{
    SaltusError error = {.status = SALTUS_ERROR_MEMORY, .message = "out of memory"};
    s->parameters = calloc(model_list_parameters(s->model).count + 1u, sizeof *s->parameters);
    if (s->parameters && loaded_parameters(s->loaded, NULL, 0, s->parameters, &error) == SALTUS_OK)
        return EXIT_FINE;
    fprintf(stderr, "saltus: error: %s\n", error.message);
    saltus_error_clear(&error);
    return EXIT_RUN_FAILED;
}

// The parameters by which is differentiated, by name.
static bool simulate_find_sensitivities(Simulation *s)
{
    const OptionList *names = &s->command->sensitivities;
    const char *message = NULL;
    const bool is_fixed = s->command->realtime || s->command->pace;
    if (names->count && is_fixed) {
        options_complain(&simulate_table, "--sensitivity and --realtime do not go together");
        return false;
    }
    s->by = calloc(names->count + 1, sizeof *s->by);
    size_t wrong = 0;
    for (size_t i = 0; s->by && !message && i < names->count; i++) {
        wrong = i;
        Arena *arena = s->compilation->arena;
        if (!loaded_find_parameter(s->loaded, arena, names->items[i], &s->by[i], &message))
            continue;
        const FlatVariable *v = model_list_parameters(s->model).flat[s->by[i]];
        if (FLAT_TYPE(v)->kind != FLAT_TYPE_REAL || v->is_structural)
            message = v->is_structural ? "nothing can be differentiated by what shapes the model"
                                       : "nothing can be differentiated by what is not Real";
    }
    if (!s->by)
        options_complain(&simulate_table, "out of memory");
    else if (message)
        options_complain(&simulate_table, "--sensitivity=%s: %s", names->items[wrong], message);
    return s->by && !message;
}

static bool simulate_create_sensitivity(Simulation *s, SaltusError *error)
{
    const SensitivityDef def = {.loaded = s->loaded,
                                .p = s->parameters,
                                .count = (uint32_t)s->command->sensitivities.count,
                                .by = s->by,
                                .options = s->options,
                                .stop_time = s->stop_time,
                                .inputs = inputs_signals(s->inputs)};
    s->sensitivity = sensitivity_create(&def, error);
    return s->sensitivity != NULL;
}

// Whether parts of the model run by themselves.
static bool take_apart(Simulation *s)
{
    bool *is_wanted = calloc(model_output_count(s->model) + 1u, sizeof *is_wanted);
    for (size_t i = 0; is_wanted && i < s->output.count; i++)
        is_wanted[s->output.places[i]] = true;
    for (size_t i = 0; is_wanted && i < s->output.invariant_count; i++)
        is_wanted[s->output.invariants[i].place] = true;
    const ApartDef def = {.loaded = s->loaded,
                          .system = s->system,
                          .parameters = s->parameters,
                          .options = &s->options,
                          .backend = model_backend(s->command->backend),
                          .is_wanted = is_wanted};
    s->apart = is_wanted && !s->command->together ? apart_create(&def) : NULL;
    free(is_wanted);
    return s->apart;
}

static SaltusStatus simulate_run_system(Simulation *s, SaltusError *error)
{
    if (s->command->sensitivities.count == 0 && !s->inputs && take_apart(s))
        return apart_run(s->apart, s->stop_time, &s->run, error);
    if (s->command->sensitivities.count == 0)
        return signals_run(inputs_signals(s->inputs), s->loaded, s->system, &s->options,
                           s->stop_time, &s->run, error);
    if (!simulate_create_sensitivity(s, error))
        return error->status;
    return sensitivity_run(s->sensitivity, s->system, &s->run, error);
}

static SaltusStatus simulate_advance(Simulation *s)
{
    SaltusError error = {0};
    SaltusStatus status = model_system(s->model, s->parameters, &s->system, &error);
    if (status == SALTUS_OK)
        status = simulate_run_system(s, &error);
    watch_end();
    if (status != SALTUS_OK) {
        const char *limit = status == SALTUS_INTERRUPTED ? watch_reason() : NULL;
        message_set(&s->message, "%s%s%s", limit ? limit : "", limit ? ": " : "", error.message);
        s->variable = error.variable;
    }
    saltus_error_clear(&error);
    return status;
}

static ExitStatus end_status(const Simulation *s, bool is_written)
{
    if (!is_written)
        return EXIT_RUN_FAILED;
    if (s->status == SALTUS_INTERRUPTED)
        return watch_reason() ? EXIT_STOPPED : EXIT_INTERRUPTED;
    // What the engine refuses before a run exists was given by options.
    if (s->status == SALTUS_ERROR_ARGUMENT && !s->run)
        return EXIT_USAGE;
    return s->status < 0 ? EXIT_RUN_FAILED : s->status == SALTUS_ZENO ? EXIT_STOPPED : EXIT_FINE;
}

// The end of a run that does not come to an end itself: the other thread is in the midst of it, so
// that nothing of the run is looked at.
static void simulate_give_up(void *user, const char *reason)
{
    Simulation s = *(const Simulation *)user;
    s.message = NULL; // what is there may be written just now
    const double t = s.reached;
    progress_end(&s.progress);
    s.run = NULL;
    s.status = SALTUS_INTERRUPTED;
    s.seconds = progress_clock() - s.pace.begin;
    if (isnan(t))
        message_set(&s.message, "%s: at the start of the run", reason);
    else
        message_set(&s.message, "%s: in a step from t = %.10g", reason, t);
    fprintf(stderr, "saltus: %s\n", message_text(s.message));
    if (s.command->json && s.output.events.stream)
        atomic_discard(&s.output.events); // the run has them
    output_close(&s);
    if (s.command->json)
        report_json(&s);
}

static ExitStatus run_and_write(Simulation *s)
{
    const SimulateCommand *c = s->command;
    if (!output_open(s))
        return EXIT_USAGE;
    // Rows on a terminal show the progress themselves.
    const bool has_rows = c->output && atomic_is_standard(c->output) && isatty(STDOUT_FILENO);
    const bool is_shown = !c->quiet && !has_rows;
    s->reached = NAN;
    s->creeping.from = s->options.start_time;
    s->progress = progress_begin(s->flat->name, is_shown);
    s->pace.begin = progress_clock();
    watch_begin(simulate_give_up, s);
    s->status = simulate_advance(s);
    output_judge(s);
    s->seconds = progress_clock() - s->pace.begin;
    progress_end(&s->progress);
    const bool is_written = output_close(s);
    report_text(s);
    if (c->json)
        report_json(s);
    return end_status(s, is_written && fflush(stdout) == 0);
}

// Reads the file of --input; the parameters then say how the inputs begin.
static bool simulate_open_inputs(Simulation *s)
{
    const SimulateCommand *c = s->command;
    if (!c->input)
        return true;
    s->inputs = inputs_create(&simulate_table, s->loaded, c->input, (InputsKind)c->interpolate,
                              s->options.start_time, c->quiet);
    const EmbeddedSignals *in = inputs_signals(s->inputs);
    for (uint32_t i = 0; in && i < in->value_count; i++)
        s->parameters[in->values[i].number] = in->values[i].value;
    return in != NULL;
}

static ExitStatus simulate_model(Simulation *s)
{
    ExitStatus status = simulate_set_options(s) ? set_parameters(s) : EXIT_USAGE;
    if (status == EXIT_FINE && !simulate_open_inputs(s))
        status = EXIT_USAGE;
    if (status == EXIT_FINE && !simulate_find_sensitivities(s))
        status = EXIT_USAGE;
    if (status == EXIT_FINE)
        status = run_and_write(s);
    sensitivity_destroy(s->sensitivity);
    if (s->run)
        saltus_run_destroy(s->run);
    apart_destroy(s->apart);
    if (s->system)
        saltus_system_destroy(s->system);
    inputs_destroy(s->inputs);
    output_free(&s->output);
    free(s->parameters);
    free(s->message);
    free(s->by);
    return status;
}

// ---------------------------------------------------------------------------
// The model
// ---------------------------------------------------------------------------

static ExitStatus simulate_loaded(const void *user, const Loaded *l)
{
    const SimulateCommand *command = user;
    if (!command->quiet || !l->model)
        model_print_messages(l->compilation, &command->model);
    if (!l->model && command->json)
        report_errors(l->compilation);
    if (!l->model)
        return EXIT_MODEL_WRONG;
    Simulation s = {.command = command,
                    .loaded = l,
                    .compilation = l->compilation,
                    .flat = l->flat,
                    .model = l->model};
    return simulate_model(&s);
}

ExitStatus simulate_run(int argc, char **argv)
{
    SimulateCommand command = {
        .settings = settings_default(), .output_interval = NAN, .word_count = (size_t)argc};
    ExitStatus status = EXIT_USAGE;
    const char **words = calloc((size_t)argc + 1, sizeof *words);
    for (int i = 0; words && i < argc; i++)
        words[i] = argv[i]; // reading the options moves them
    command.words = words;
    ModelArguments arguments = {0};
    if (!words)
        fputs("saltus simulate: out of memory\n", stderr);
    else if (!options_parse(&simulate_table, &argc, argv, &command, &status))
        ; // it was printed
    else if (simulate_is_fmu(argc, argv))
        status = simulate_fmu(&command, argv[1]);
    else if (command.interface != 0)
        status = options_complain(&simulate_table, "--interface is for FMUs alone");
    else if ((status = EXIT_USAGE,
              model_arguments(&simulate_table, argc, argv, &command.model, &command.parameters,
                              &command.starts, &arguments))) {
        arguments.def.has_live_inputs = command.input != NULL;
        arguments.def.backend = model_backend(command.backend);
        arguments.def.enable_whole = whole_enable;
        arguments.def.varied_count = command.sensitivities.count;
        arguments.def.varied = command.sensitivities.items;
        status = model_open(&simulate_table, &arguments, simulate_loaded, &command);
    }
    model_arguments_free(&arguments);
    free(words);
    return status;
}
