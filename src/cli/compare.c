// SPDX-License-Identifier: MIT
//
// saltus compare: one model by several methods, or two result files.

#include "cli/compare.h"

#include "base/message.h"
#include "base/number.h"

#include <math.h>
#include <stdlib.h>

static const Option compare_options[] = {
    {.name = "solver",
     .kind = OPTION_TEXT,
     .value = "NAMES",
     .help = "methods to compare: dopri5,cvode",
     .offset = offsetof(CompareCommand, solver_list)},
    {.name = "locate",
     .kind = OPTION_TEXT,
     .value = "NAMES",
     .help = "locators to compare: brent,henon",
     .offset = offsetof(CompareCommand, locator_list)},
    {.name = "relative-tolerance",
     .kind = OPTION_TEXT,
     .value = "NUMBERS",
     .help = "tolerances to compare: 1e-4,1e-8",
     .offset = offsetof(CompareCommand, tolerance_list)},
    {.name = "reference",
     .kind = OPTION_TEXT,
     .value = "NAME:NUMBER",
     .help = "method and tolerance to trust (dop853:1e-12)",
     .offset = offsetof(CompareCommand, reference_text)},
    {.name = "observe",
     .kind = OPTION_LIST,
     .value = "NAME=EXPR",
     .help = "a column and its deviation; may be repeated",
     .offset = offsetof(CompareCommand, observations)},
    {.name = "parameter",
     .letter = 'p',
     .kind = OPTION_LIST,
     .value = "NAME=VALUE",
     .help = "another value of a parameter",
     .offset = offsetof(CompareCommand, parameters)},
    {.name = "output",
     .letter = 'o',
     .kind = OPTION_TEXT,
     .value = "FILE",
     .help = "table: " TABLE_ENDINGS "- (default: text on stdout)",
     .offset = offsetof(CompareCommand, output)},
    {.name = "events",
     .kind = OPTION_TEXT,
     .value = "FILE",
     .help = "times of all events by all methods, likewise",
     .offset = offsetof(CompareCommand, events)},
    {.name = "repeat",
     .kind = OPTION_NUMBER,
     .value = "NUMBER",
     .help = "runs of each, of which the fastest counts (3)",
     .offset = offsetof(CompareCommand, repeat)},
    {.name = "tolerance",
     .kind = OPTION_NUMBER,
     .value = "NUMBER",
     .help = "for results: relative to the largest value (1e-4)",
     .offset = offsetof(CompareCommand, tolerance)},
    {.name = "time-tolerance",
     .kind = OPTION_NUMBER,
     .value = "NUMBER",
     .help = "for results: relative to the whole time (1e-6)",
     .offset = offsetof(CompareCommand, time_tolerance)},
    {.name = "variables",
     .kind = OPTION_LIST,
     .value = "GLOB",
     .help = "for results: only variables that match",
     .offset = offsetof(CompareCommand, variables)},
    STUDY_OPTIONS(CompareCommand),
};

const OptionTable compare_table = {
    .command = "compare",
    .synopsis = "[options] FILE... [MODEL]  or  [options] RESULT RESULT",
    .description =
        "Run a model with all combinations of methods and compare with a reference\n"
        "run; or compare two results. Exit status: 0 fine, or the same; 1 a run failed,\n"
        "or different; 2 an error; 3 errors in the model.",
    .options = compare_options,
    .count = sizeof compare_options / sizeof *compare_options,
    .examples = "saltus compare Ball.mo --solver dopri5,rodas --relative-tolerance 1e-4,1e-8\n"
                "saltus compare old.csv new.csv --tolerance 1e-3\n",
};

// ---------------------------------------------------------------------------
// Methods
// ---------------------------------------------------------------------------

static bool is_number(const char *text, double *value)
{
    return number_read(text, strlen(text), value) && *value > 0.0 && isfinite(*value);
}

// One list of words, with what to do for each.
typedef bool CompareRead(CompareCommand *s, const char *part);

// words: the ones that there are; NULL: numbers above zero.
static ExitStatus compare_read_list(CompareCommand *s, const char *list, const char *what,
                                    const char *const *words, CompareRead *read)
{
    char part[64], there[300] = "";
    while (study_next_part(&list, part)) {
        if (read(s, part))
            continue;
        for (size_t i = 0; words && words[i]; i++)
            snprintf(there + strlen(there), sizeof there - strlen(there), "%s%s",
                     i ? ", " : "; there are ", words[i]);
        return options_complain(&compare_table, "'%s' is no %s%s", part, what,
                                words ? there : ": a number above zero");
    }
    return EXIT_FINE;
}

static bool read_solver(CompareCommand *s, const char *part)
{
    return s->solver_count < COMPARE_MOST_METHODS &&
           saltus_solver_from_name(part, &s->solvers[s->solver_count++]);
}

static bool read_locator(CompareCommand *s, const char *part)
{
    return s->locator_count < COMPARE_MOST_METHODS &&
           saltus_locate_from_name(part, &s->locators[s->locator_count++]);
}

static bool read_tolerance(CompareCommand *s, const char *part)
{
    return s->tolerance_count < COMPARE_MOST_METHODS &&
           is_number(part, &s->tolerances[s->tolerance_count++]);
}

static ExitStatus read_reference(CompareCommand *s)
{
    const char *text = s->reference_text, *colon = strchr(text, ':');
    char name[64];
    SaltusMethod *m = &s->reference.method;
    *m = s->run.options.method;
    snprintf(name, sizeof name, "%.*s", colon ? (int)(colon - text) : 63, text);
    m->relative_tolerance = 1e-12;
    if (!saltus_solver_from_name(name, &m->solver) ||
        (colon && !is_number(colon + 1, &m->relative_tolerance)))
        return options_complain(&compare_table, "--reference is SOLVER:TOLERANCE, not '%s'", text);
    m->absolute_tolerance = 1e-3 * m->relative_tolerance;
    m->locate = SALTUS_LOCATE_BRENT;
    return EXIT_FINE;
}

static ExitStatus compare_read_methods(CompareCommand *s)
{
    const SaltusMethod *m = &s->run.options.method;
    ExitStatus status =
        compare_read_list(s, s->solver_list, "solver", settings_solver_names, read_solver);
    if (status == EXIT_FINE)
        status =
            compare_read_list(s, s->locator_list, "locator", settings_locator_names, read_locator);
    if (status == EXIT_FINE)
        status = compare_read_list(s, s->tolerance_list, "tolerance", NULL, read_tolerance);
    if (!s->solver_count)
        s->solvers[s->solver_count++] = m->solver;
    if (!s->locator_count)
        s->locators[s->locator_count++] = m->locate;
    if (!s->tolerance_count)
        s->tolerances[s->tolerance_count++] = m->relative_tolerance;
    return status == EXIT_FINE ? read_reference(s) : status;
}

static SaltusMethod compare_method_of(const CompareCommand *s, size_t solver, size_t locator,
                                      size_t tolerance)
{
    const Settings *settings = &s->run.settings;
    SaltusMethod m = s->run.options.method;
    m.solver = s->solvers[solver];
    m.locate = s->locators[locator];
    m.relative_tolerance = s->tolerances[tolerance];
    m.absolute_tolerance =
        settings_given(settings->absolute_tolerance, NAN, 1e-3 * m.relative_tolerance);
    const double span = s->run.stop_time - s->run.options.start_time;
    settings_apply_steps(settings, span, span / 500.0, &m);
    return m;
}

// The fixed-step solvers have no tolerance: one run of each.
static bool add_runs(CompareCommand *s)
{
    s->runs = calloc(s->solver_count * s->locator_count * s->tolerance_count, sizeof *s->runs);
    for (size_t i = 0; s->runs && i < s->solver_count; i++)
        for (size_t j = 0; j < s->locator_count; j++)
            for (size_t k = 0; k < s->tolerance_count; k++)
                if (k == 0 || !settings_is_fixed_step(s->solvers[i]))
                    s->runs[s->run_count++].method = compare_method_of(s, i, j, k);
    if (!s->runs)
        fputs("saltus compare: out of memory\n", stderr);
    return s->runs != NULL;
}

static ExitStatus compare_read_parameters(CompareCommand *s)
{
    const OptionList *list = &s->parameters;
    for (size_t i = 0; i < list->count; i++) {
        Axis axis;
        char *message = NULL;
        const bool is_read = axis_read(s->run.study, list->items[i], &axis, &message);
        const bool is_one = is_read && axis.count == 1;
        s->values[s->value_count++] = (ParameterValue){axis.parameter, axis.lower};
        axis_free(&axis);
        if (!is_read)
            return options_complain_of(&compare_table, message);
        if (!is_one)
            return options_complain(&compare_table, "-p needs one value here");
    }
    return EXIT_FINE;
}

// ---------------------------------------------------------------------------
// Runs
// ---------------------------------------------------------------------------

static bool run_all(CompareCommand *s)
{
    StudyRunner *runner = study_runner(s->run.study);
    Progress progress = progress_begin(study_flat(s->run.study)->name, !s->run.quiet);
    bool is_fine =
        runner && comparison_run(s->run.study, runner, s->values, (uint32_t)s->value_count,
                                 &s->run.options, s->run.stop_time, 1, &s->reference);
    for (size_t i = 0; is_fine && i < s->run_count && !progress_is_interrupted(); i++) {
        char note[80];
        snprintf(note, sizeof note, "%s", saltus_solver_name(s->runs[i].method.solver));
        progress_show(&progress, (double)i / (double)s->run_count, note);
        is_fine = comparison_run(s->run.study, runner, s->values, (uint32_t)s->value_count,
                                 &s->run.options, s->run.stop_time, (int)s->repeat, &s->runs[i]);
    }
    progress_end(&progress);
    study_runner_destroy(runner);
    if (!is_fine)
        fputs("saltus compare: out of memory\n", stderr);
    return is_fine;
}

static ExitStatus compare_report(const CompareCommand *s)
{
    size_t failed = 0;
    if (s->reference.status < 0)
        fprintf(stderr, "saltus: error: the reference run failed: %s\n",
                message_text(s->reference.message));
    for (size_t i = 0; i < s->run_count; i++)
        if (s->runs[i].status < 0) {
            failed++;
            fprintf(stderr, "saltus: warning: %s, %g: %s\n",
                    saltus_solver_name(s->runs[i].method.solver),
                    s->runs[i].method.relative_tolerance, message_text(s->runs[i].message));
        }
    const bool is_written = compare_write(s);
    return is_written && failed < s->run_count && s->reference.status >= 0 ? EXIT_FINE
                                                                           : EXIT_RUN_FAILED;
}

static ExitStatus compare_methods(CompareCommand *s, int argc, char **argv)
{
    ExitStatus status = study_open(&s->run, &compare_table, argc, argv, s->observations.count,
                                   s->observations.items);
    if (status == EXIT_FINE &&
        !options_spare(&compare_table, s, study_compilation(s->run.study)->sources))
        status = EXIT_USAGE;
    if (status == EXIT_FINE)
        status = compare_read_methods(s);
    if (status == EXIT_FINE)
        status = compare_read_parameters(s);
    if (status != EXIT_FINE)
        return status;
    if (!(s->repeat >= 1.0 && s->repeat <= 1000.0) || s->repeat != floor(s->repeat))
        return options_complain(&compare_table, "--repeat is a whole number from 1 to 1000");
    const char *paths[] = {s->output, s->events};
    for (int i = 0; i < 2; i++) {
        TableFormat format;
        if (!atomic_is_stream(paths[i]) && !table_format(paths[i], &format))
            return options_complain(&compare_table,
                                    "'%s' should end in one of " TABLE_ENDINGS "or be -", paths[i]);
    }
    progress_catch_interrupt();
    if (!add_runs(s) || !run_all(s))
        return EXIT_RUN_FAILED;
    return progress_is_interrupted() ? EXIT_INTERRUPTED : compare_report(s);
}

static bool compare_is_result(const char *path)
{
    TableFormat format;
    return table_format(path, &format);
}

ExitStatus compare_run_command(int argc, char **argv)
{
    StudyCommand run = study_default_options();
    run.backend = MODEL_INTERPRET; // so that all times are of the same kind
    ExitStatus status = EXIT_RUN_FAILED;
    CompareCommand *s = calloc(1, sizeof *s);
    if (!s)
        fputs("saltus compare: out of memory\n", stderr);
    else
        *s = (CompareCommand){.run = run,
                              .repeat = 3.0,
                              .tolerance = 1e-4,
                              .time_tolerance = 1e-6,
                              .reference_text = "dop853:1e-12"};
    if (s && options_parse(&compare_table, &argc, argv, s, &status)) {
        s->run.varied[0] = &s->parameters;
        if (!model_watch(&compare_table, &s->run.model))
            status = EXIT_USAGE;
        else if (argc == 3 && compare_is_result(argv[1]) && compare_is_result(argv[2]))
            status = compare_results(s, argv[1], argv[2]);
        else if (argc == 2 && compare_is_result(argv[1]))
            status = options_complain(
                &compare_table, "'%s' is a result: it needs another one to compare with", argv[1]);
        else
            status = compare_methods(s, argc, argv);
        comparison_free(&s->reference);
        for (size_t i = 0; i < s->run_count; i++)
            comparison_free(&s->runs[i]);
        free(s->runs);
        study_close(&s->run);
    }
    free(s);
    return status;
}
