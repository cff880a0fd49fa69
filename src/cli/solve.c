// SPDX-License-Identifier: MIT
//
// saltus solve: parameters for which a run has a wanted result.

#include "cli/solve.h"
#include "cli/grid.h"

#include <math.h>
#include <stdlib.h>

static const Option solve_options[] = {
    SOLVE_UNKNOWN_OPTION,
    {.name = "target",
     .letter = 't',
     .kind = OPTION_LIST,
     .value = "EXPR=VALUE",
     .help = "wanted result; may be repeated (more targets than unknowns: least squares)",
     .offset = offsetof(SolveCommand, targets)},
    {.name = "minimize",
     .kind = OPTION_TEXT,
     .value = "EXPR",
     .help = "what is to be minimized",
     .offset = offsetof(SolveCommand, minimize)},
    {.name = "boundary",
     .kind = OPTION_TEXT,
     .value = "EXPR",
     .help = "find where its value changes; 'events': where the events change",
     .offset = offsetof(SolveCommand, boundary)},
    {.name = "all",
     .letter = 'a',
     .kind = OPTION_FLAG,
     .help = "all roots in the interval",
     .offset = offsetof(SolveCommand, all)},
    {.name = "points",
     .kind = OPTION_NUMBER,
     .value = "NUMBER",
     .help = "intervals to search for all roots and boundaries (64)",
     .offset = offsetof(SolveCommand, points)},
    {.name = "observe",
     .kind = OPTION_LIST,
     .value = "NAME=EXPR",
     .help = "a further column; may be repeated",
     .offset = offsetof(SolveCommand, observation_list)},
    SOLVE_PARAMETER_OPTION,
    {.name = "output",
     .letter = 'o',
     .kind = OPTION_TEXT,
     .value = "FILE",
     .help = "table: " TABLE_ENDINGS "- (default)",
     .offset = offsetof(SolveCommand, output)},
    STUDY_JOBS_OPTION(SolveCommand),
    STUDY_METHOD_OPTIONS(SolveCommand, "(experiment annotation, or 1e-6)"),
    STUDY_OPTIONS(SolveCommand),
};

const OptionTable solve_table = {
    .command = "solve",
    .synopsis = "[options] FILE... [MODEL]",
    .description =
        "Find parameters for which a run has a wanted result. Exit status: 0 found, 1 not\n"
        "found (the message says why), 2 wrong usage, 3 errors in the model, 130\n"
        "interrupted.",
    .options = solve_options,
    .count = sizeof solve_options / sizeof *solve_options,
    .examples = "saltus solve Ball.mo -u x0=1:100 -t 'time_of(x <= 0, 3) = 5'\n"
                "saltus solve Ball.mo -u v0=-9:9 -t 'maximum(x) = 12' --all\n"
                "saltus solve Rope.mo -u gamma=-25:-5 --boundary 'count(event())'\n",
};

// ---------------------------------------------------------------------------
// Targets
// ---------------------------------------------------------------------------

// The '=' of EXPR = VALUE: outside of parentheses and texts, and no '==', '<=' or '>='.
static const char *solve_find_equals(const char *text)
{
    int depth = 0;
    bool is_text = false;
    for (const char *c = text; *c; c++) {
        is_text ^= *c == '"';
        depth += is_text ? 0 : (*c == '(' || *c == '{') - (*c == ')' || *c == '}');
        if (*c != '=' || is_text || depth > 0)
            continue;
        const bool is_relation = (c > text && strchr("=<>", c[-1])) || c[1] == '=';
        if (!is_relation)
            return c;
    }
    return NULL;
}

// (EXPR) - (VALUE), as an observation called EXPR - VALUE. "" if it has no name.
static ExitStatus make_target(SolveCommand *s, const char *text)
{
    const char *equals = solve_find_equals(text);
    if (!equals || equals == text || !equals[1])
        return options_complain(s->table, "a target is EXPR = VALUE, not '%s'", text);
    const size_t room = 2 * strlen(text) + 40;
    char *target = malloc(room);
    if (!target)
        return options_out_of_memory(s->table);
    const int length = (int)(equals - text);
    snprintf(target, room, "%.*s - (%s)", length, text, equals + 1);
    s->observations[s->observation_count++] = target;
    s->texts[s->target_count++] = target;
    return EXIT_FINE;
}

static ExitStatus make_observations(SolveCommand *s)
{
    if (s->table != &solve_table)
        return fit_make_observations(s);
    const int kinds = (s->targets.count > 0) + (s->minimize != NULL) + (s->boundary != NULL);
    if (kinds != 1)
        return options_complain(s->table, "%s",
                                kinds ? "only one of --target, --minimize and "
                                        "--boundary can be given"
                                      : "what is wanted? --target says it, or "
                                        "--minimize, or --boundary");
    for (size_t i = 0; i < s->targets.count; i++) {
        const ExitStatus status = make_target(s, s->targets.items[i]);
        if (status != EXIT_FINE)
            return status;
    }
    if (s->minimize)
        s->observations[s->observation_count++] = s->minimize;
    if (s->boundary && strcmp(s->boundary, "events") != 0)
        s->observations[s->observation_count++] = s->boundary;
    s->target_count = s->observation_count;
    for (size_t i = 0; i < s->observation_list.count; i++)
        s->observations[s->observation_count++] = s->observation_list.items[i];
    if (s->observation_count == 0)
        s->observations[s->observation_count++] = "events = count(event())";
    return EXIT_FINE;
}

// ---------------------------------------------------------------------------
// Unknowns
// ---------------------------------------------------------------------------

static ExitStatus read_unknowns(SolveCommand *s)
{
    const OptionList *list = &s->unknown_list;
    char *message = NULL;
    if (list->count == 0 || list->count > SOLVE_MOST_UNKNOWNS)
        return options_complain(s->table,
                                list->count ? "more than %d unknowns"
                                            : "which parameter is sought? "
                                              "--unknown NAME=A:B says it (1 to %d)",
                                SOLVE_MOST_UNKNOWNS);
    for (size_t i = 0; i < list->count; i++) {
        Axis *u = &s->unknowns[s->unknown_count++];
        if (!axis_read(s->run.study, list->items[i], u, &message))
            return options_complain_of(s->table, message);
        if (u->list || u->count > 0 || u->lower == u->upper)
            return options_complain(s->table,
                                    "an unknown is sought in an interval, %s=A:B, not '%s'",
                                    u->name, list->items[i]);
        if (u->is_whole)
            return options_complain(s->table, "%s has whole numbers only: use sweep", u->name);
        if (u->lower > u->upper) {
            const double kept = u->lower;
            u->lower = u->upper;
            u->upper = kept;
        }
        for (size_t k = 0; k < i; k++)
            if (s->unknowns[k].parameter == u->parameter)
                return options_complain(s->table, "%s is given twice", u->name);
        s->guesses[i] = NAN;
    }
    return EXIT_FINE;
}

// Values of other parameters, and guesses of unknowns.
static ExitStatus solve_read_parameters(SolveCommand *s)
{
    const OptionList *list = &s->parameters;
    char *message = NULL;
    for (size_t i = 0; i < list->count; i++) {
        Axis axis;
        const bool is_read = axis_read(s->run.study, list->items[i], &axis, &message);
        const uint32_t number = axis.parameter;
        const double value = axis.lower;
        const bool is_one = is_read && axis.count == 1;
        axis_free(&axis);
        if (!is_read)
            return options_complain_of(s->table, message);
        if (!is_one)
            return options_complain(s->table, "-p needs one value here, not '%s'", list->items[i]);
        bool is_unknown = false;
        for (size_t k = 0; k < s->unknown_count; k++)
            if (s->unknowns[k].parameter == number) {
                s->guesses[k] = value;
                is_unknown = true;
            }
        if (!is_unknown)
            s->fixed[s->def.fixed_count++] = (ParameterValue){number, value};
    }
    return EXIT_FINE;
}

// The model's own values, where they lie in the interval, otherwise its middle.
static void guess(SolveCommand *s)
{
    const Model *model = study_model(s->run.study);
    const Parameters p = model_list_parameters(model);
    double *values = calloc(p.count + 1, sizeof *values);
    const bool is_known =
        values && model_parameters(model, s->fixed, (uint32_t)s->def.fixed_count, values);
    for (size_t i = 0; i < s->unknown_count; i++) {
        const Axis *u = &s->unknowns[i];
        if (isnan(s->guesses[i]))
            s->guesses[i] = is_known ? values[u->parameter] : NAN;
        if (!(s->guesses[i] > u->lower && s->guesses[i] < u->upper))
            s->guesses[i] = axis_sample(u, 0.5);
    }
    free(values);
}

// ---------------------------------------------------------------------------
// Results
// ---------------------------------------------------------------------------

static const char *solve_kind_text(SolveKind kind)
{
    static const char *const texts[] = {"root", "jump", "minimum", "boundary"};
    return texts[kind];
}

// Columns: unknowns, value, boundaries: left, right; observations; kind, note. *first: where the
// observations begin among the results.
static bool solve_make_columns(const SolveCommand *s, Grid *g, size_t *first)
{
    const Observations *o = study_observations(s->run.study);
    size_t count = s->unknown_count + 8;
    for (size_t i = 0; i < observations_count(o); i++)
        count += (size_t)observations_length(o, i);
    if (!grid_create(g, count, s->result.count))
        return false;
    for (size_t i = 0; i < s->unknown_count; i++)
        grid_add_column(g, "%g", "%s", s->unknowns[i].name);
    grid_add_column(g, "%g", "%s", s->minimize ? "minimum" : s->boundary ? "width" : "miss");
    grid_add_column(g, "%g", "below");
    grid_add_column(g, "%g", "above");
    for (size_t i = 0; i < observations_count(o); i++) {
        if (i < s->target_count)
            *first += (size_t)observations_length(o, i);
        else
            grid_add_columns(g, "%g", observations_name(o, i), observations_length(o, i));
    }
    grid_add_column(g, NULL, "kind");
    grid_add_column(g, NULL, "note");
    return true;
}

static bool solve_write_table(const SolveCommand *s)
{
    Grid g;
    size_t first = 0;
    solve_make_columns(s, &g, &first);
    for (size_t r = 0; !g.is_full && r < s->result.count; r++) {
        const SolveItem *item = &s->result.items[r];
        double *values = g.numbers + r * g.width;
        memcpy(values, item->unknowns, s->unknown_count * sizeof *values);
        values += s->unknown_count;
        *values++ = item->kind == SOLVE_BOUNDARY ? item->width : item->value;
        *values++ = item->left;
        *values++ = item->right;
        for (size_t i = first; i < item->observed_count; i++)
            *values++ = item->observed[i];
        const char **words = g.words + r * g.width + g.column_count;
        words[-2] = solve_kind_text(item->kind);
        words[-1] = item->note ? item->note : "";
    }
    const bool is_written =
        grid_write(&g, s->output, study_flat(s->run.study)->name, s->table->command);
    grid_free(&g);
    return is_written;
}

// ---------------------------------------------------------------------------
// The command
// ---------------------------------------------------------------------------

// What was not what was wanted.
static void report_jumps(const SolveCommand *s)
{
    for (size_t i = 0; i < s->result.count; i++) {
        const SolveItem *item = &s->result.items[i];
        if (item->kind == SOLVE_JUMP)
            fprintf(stderr,
                    "saltus: warning: no root at %s = %.10g: there the target jumps from %.6g to "
                    "%.6g%s%s\n",
                    s->unknowns[0].name, item->unknowns[0], item->left, item->right,
                    item->note ? "; " : "", item->note ? item->note : "");
    }
}

static ExitStatus solve_report(const SolveCommand *s)
{
    const SolveResult *r = &s->result;
    size_t wanted = 0;
    for (size_t i = 0; i < r->count; i++)
        wanted += r->items[i].kind != SOLVE_JUMP;
    report_jumps(s);
    if (r->message || r->status < 0)
        fprintf(stderr, "saltus: %s: %s\n",
                r->status == SALTUS_INTERRUPTED ? "error"
                : r->status < 0 || wanted == 0  ? "error"
                                                : "warning",
                message_text(r->message));
    if (!s->run.quiet)
        fprintf(stderr, "%s: %zu found, %ld runs\n", study_flat(s->run.study)->name, wanted,
                r->runs);
    const bool is_written = r->count == 0 || solve_write_table(s);
    if (r->status == SALTUS_INTERRUPTED)
        return EXIT_INTERRUPTED;
    const bool is_solved = r->status >= 0 && wanted > 0 && is_written &&
                           !(s->targets.count > 0 && r->message && !s->all);
    return is_solved ? EXIT_FINE : EXIT_RUN_FAILED;
}

static void solve_show(void *user, double fraction, long runs)
{
    SolveCommand *s = user;
    char note[40];
    snprintf(note, sizeof note, "%ld run%s", runs, runs == 1 ? "" : "s");
    progress_show(&s->progress, fraction, note);
}

static ExitStatus choose_method(SolveCommand *s)
{
    const bool is_one = s->unknown_count == 1;
    size_t residuals = 0;
    for (size_t i = 0; i < s->target_count; i++) {
        const long length = observations_length(study_observations(s->run.study), i);
        residuals += length > 0 ? (size_t)length : 1;
    }
    if ((s->boundary || s->all) && !is_one)
        return options_complain(s->table, "--all and --boundary search one unknown");
    if (s->minimize && residuals != 1)
        return options_complain(s->table, "--minimize needs one value");
    if (s->all && residuals != 1)
        return options_complain(s->table, "--all needs one target");
    if (residuals < s->unknown_count && !s->boundary && !s->minimize && !s->data)
        return options_complain(s->table, "%zu unknowns need as many targets", s->unknown_count);
    s->progress = progress_begin(study_flat(s->run.study)->name, !s->run.quiet);
    s->result = s->data                    ? solve_system(&s->def)
                : s->boundary              ? solve_boundaries(&s->def)
                : s->minimize              ? solve_minimum(&s->def)
                : s->all                   ? solve_all(&s->def)
                : is_one && residuals == 1 ? solve_root(&s->def)
                                           : solve_system(&s->def);
    progress_end(&s->progress);
    return s->data ? fit_report(s) : solve_report(s);
}

static ExitStatus solve_search(SolveCommand *s)
{
    TableFormat format;
    if (!atomic_is_stream(s->output) && !table_format(s->output, &format))
        return options_complain(s->table, "'%s' should end in one of " TABLE_ENDINGS "or be -",
                                s->output);
    if (!(s->points >= 1.0 && s->points <= 1e6) || s->points != floor(s->points))
        return options_complain(s->table, "--points is a whole number from 1 to 1000000");
    if (!(s->starts >= 1.0 && s->starts <= 1e6) || s->starts != floor(s->starts))
        return options_complain(s->table, "--starts is a whole number from 1 to 1000000");
    if (!(s->jobs >= 0.0 && s->jobs <= 256.0) || s->jobs != floor(s->jobs))
        return options_complain(s->table, "--jobs is a whole number from 1 to 256");
    ExitStatus status = read_unknowns(s);
    if (status == EXIT_FINE)
        status = solve_read_parameters(s);
    if (status != EXIT_FINE)
        return status;
    guess(s);
    s->def.data = s->data ? &s->fit.measured : NULL;
    s->def.scales = s->fit.scales;
    s->def.study = s->run.study;
    s->def.unknown_count = s->unknown_count;
    s->def.unknowns = s->unknowns;
    s->def.guesses = s->guesses;
    s->def.fixed = s->fixed;
    s->def.target_count = s->target_count;
    s->def.points = (size_t)s->points;
    s->def.starts = (size_t)s->starts;
    s->def.jobs = (unsigned)s->jobs;
    s->def.is_interrupted = progress_is_interrupted;
    s->def.progress = solve_show;
    s->def.user = s;
    progress_catch_interrupt();
    return choose_method(s);
}

static void solve_close(SolveCommand *s)
{
    solve_free(&s->result);
    fit_free(s);
    for (size_t i = 0; i < s->unknown_count; i++)
        axis_free(&s->unknowns[i]);
    for (size_t i = 0; i < OPTION_LIST_LENGTH; i++)
        free(s->texts[i]);
    study_close(&s->run);
}

ExitStatus solve_run_with(const OptionTable *table, SolveCommand *s, int argc, char **argv)
{
    ExitStatus status = EXIT_RUN_FAILED;
    if (!options_parse(table, &argc, argv, s, &status))
        return status;
    s->table = table;
    s->run.varied[0] = &s->unknown_list;
    s->run.varied[1] = &s->parameters;
    status = model_watch(table, &s->run.model) ? make_observations(s) : EXIT_USAGE;
    if (status == EXIT_FINE)
        status = study_open(&s->run, table, argc, argv, s->observation_count, s->observations);
    if (status == EXIT_FINE && !options_spare(table, s, study_compilation(s->run.study)->sources))
        status = EXIT_USAGE;
    if (status == EXIT_FINE)
        status = solve_search(s);
    solve_close(s);
    return status;
}

ExitStatus solve_run_command(int argc, char **argv)
{
    SolveCommand command = {.run = study_default_options(), .points = 64.0, .starts = 1.0};
    return solve_run_with(&solve_table, &command, argc, argv);
}
