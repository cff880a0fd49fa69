// SPDX-License-Identifier: MIT
//
// The files that saltus simulate writes: trajectory, event log, manifest.

#include "base/message.h"
#include "cli/simulate.h"
#include "modes/drift.h"
#include "results/log_write.h"
#include "results/manifest.h"

#include <math.h>
#include <stdlib.h>

// ---------------------------------------------------------------------------
// Columns
// ---------------------------------------------------------------------------

static bool simulate_output_is_chosen(const OptionList *patterns, const char *name)
{
    return patterns->count == 0 || options_match(patterns, name);
}

static bool check_patterns(const Simulation *s)
{
    enum { SHOWN = 5 };
    const OptionList *patterns = &s->command->variables;
    const size_t count = model_output_count(s->model);
    const char *const *names = model_output_names(s->model);
    for (size_t i = 0; i < patterns->count; i++) {
        size_t k = 0;
        while (k < count && !text_matches(patterns->items[i], names[k]))
            k++;
        if (k < count)
            continue;
        const char *nearest = text_nearest(patterns->items[i], names, count);
        char *there = NULL;
        message_set(&there, "%s", "");
        for (size_t n = 0; !nearest && n < count && n < SHOWN + 1; n++)
            message_add(&there, "%s%s", n ? ", " : "; there are ", n == SHOWN ? "..." : names[n]);
        options_complain(&simulate_table, "no variable matches '%s'%s%s%s%s", patterns->items[i],
                         nearest ? "; did you mean '" : "", nearest ? nearest : "",
                         nearest ? "'?" : "", message_text(there));
        free(there);
        return false;
    }
    return true;
}

static TableHeading heading_of(Arena *arena, const FlatVariable *v)
{
    const String description = v->component->declared->description;
    TableHeading heading = {.name = v->name,
                            .unit = v->attributes->unit,
                            .is_boolean = v->reference.type->kind == FLAT_TYPE_BOOLEAN};
    if (heading.unit && !*heading.unit)
        heading.unit = NULL;
    if (description.text && description.length)
        heading.description = arena_copy_text(arena, description.text, description.length);
    return heading;
}

// Columns of derivatives: of all variables by the first parameter, then by the others.
static void make_derived_columns(Simulation *s)
{
    Output *o = &s->output;
    Arena *arena = s->compilation->arena;
    for (size_t i = 0; i < o->count; i++)
        if (FLAT_TYPE(model_output_variables(s->model)[o->places[i]])->kind == FLAT_TYPE_REAL)
            o->derived[o->derived_count++] = i;
    for (size_t k = 0; k < s->command->sensitivities.count; k++)
        for (size_t i = 0; i < o->derived_count; i++) {
            const char *name = o->headings[o->derived[i] + 1].name,
                       *by = s->command->sensitivities.items[k];
            StringBuilder heading = builder_create(arena), what = builder_create(arena);
            builder_append_format(&heading, "d(%s)/d(%s)", name, by);
            builder_append_format(&what, "derivative of %s by %s", name, by);
            o->headings[o->column_count++] = (TableHeading){
                .name = builder_string(&heading).text, .description = builder_string(&what).text};
        }
}

const char *output_mode_name(const Output *o)
{
    for (size_t i = 1; i <= o->count; i++)
        if (strcmp(o->headings[i].name, "mode") == 0)
            return "active mode";
    return "mode";
}

static bool simulate_output_make_columns(Simulation *s)
{
    Output *o = &s->output;
    const uint32_t count = model_output_count(s->model);
    const size_t columns = (1 + s->command->sensitivities.count) * count + 2u;
    o->headings = calloc(columns, sizeof *o->headings);
    o->places = calloc(count + 1u, sizeof *o->places);
    o->derived = calloc(count + 1u, sizeof *o->derived);
    o->values = calloc(columns, sizeof *o->values);
    if (!o->headings || !o->places || !o->derived || !o->values)
        return false;
    o->headings[0] = (TableHeading){.name = "time", .unit = "s"};
    for (uint32_t i = 0; i < count; i++) {
        const FlatVariable *v = model_output_variables(s->model)[i];
        if (!simulate_output_is_chosen(&s->command->variables, v->name))
            continue;
        o->places[o->count++] = i;
        o->headings[o->count] = heading_of(s->compilation->arena, v);
    }
    o->column_count = o->count + 1;
    make_derived_columns(s);
    o->headings[o->column_count++] = (TableHeading){
        .name = output_mode_name(o), .description = "active mode", .kind = TABLE_WORDS};
    return true;
}

static bool is_known_constant(const FlatVariable *v)
{
    return v->kind <= FLAT_PARAMETER && v->is_evaluated && FLAT_TYPE(v)->kind != FLAT_TYPE_STRING;
}

// Parameters with the values of the run, and what was known before.
static bool make_constants(Simulation *s)
{
    Output *o = &s->output;
    const Parameters p = model_list_parameters(s->model);
    const FlatModel *flat = s->flat;
    const OptionList *patterns = &s->command->variables;
    o->constants = calloc(p.count + flat->variable_count + 1u, sizeof *o->constants);
    bool *is_listed = calloc(flat->variable_count + 1u, sizeof *is_listed);
    if (!o->constants || !is_listed) {
        free(is_listed);
        return false;
    }
    for (uint32_t i = 0; i < p.count; i++) {
        is_listed[p.flat[i]->index] = true;
        if (simulate_output_is_chosen(patterns, p.names[i]))
            o->constants[o->constant_count++] =
                (TableConstant){heading_of(s->compilation->arena, p.flat[i]), s->parameters[i]};
    }
    for (uint32_t i = 0; i < flat->variable_count; i++) {
        const FlatVariable *v = flat->variables[i];
        if (is_listed[v->index] || !is_known_constant(v) ||
            !simulate_output_is_chosen(patterns, v->name))
            continue;
        o->constants[o->constant_count++] = (TableConstant){
            heading_of(s->compilation->arena, v),
            FLAT_TYPE(v)->kind == FLAT_TYPE_REAL ? v->value.real : (double)v->value.integer};
    }
    free(is_listed);
    return true;
}

// Parameters that the initialization has found, and what depends on them.
static void update_constants(Simulation *s)
{
    const Parameters p = model_list_parameters(s->model);
    const double *values = s->run ? saltus_run_parameters(s->run) : NULL;
    size_t k = 0;
    for (uint32_t i = 0; i < p.count && values; i++)
        if (simulate_output_is_chosen(&s->command->variables, p.names[i]))
            s->output.constants[k++].value = values[i];
}

// ---------------------------------------------------------------------------
// Files
// ---------------------------------------------------------------------------

static bool simulate_output_is_standard(const char *path)
{
    return path && atomic_is_standard(path);
}

// By the name; a device or a pipe gets CSV.
static bool choose_format(const char *path, bool is_table, TableFormat *format)
{
    *format = TABLE_CSV;
    if (atomic_is_stream(path))
        return true;
    const bool is_format = table_format(path, format);
    if (is_format && (is_table || *format == TABLE_CSV || *format == TABLE_JSON))
        return true;
    options_complain(&simulate_table, "'%s': the name must %s", path,
                     is_table ? "end in one of " TABLE_ENDINGS "or be -"
                              : "end in .csv or .json, or be -");
    return false;
}

static bool check_files(const SimulateCommand *c)
{
    const char *wrong = NULL;
    if (simulate_output_is_standard(c->output) && c->json)
        wrong = "--json and --output=- both want standard output";
    else if (simulate_output_is_standard(c->events) && c->json)
        wrong = "--json and --events=- both want standard output";
    else if (simulate_output_is_standard(c->events) && simulate_output_is_standard(c->output))
        wrong = "--output=- and --events=- both want standard output";
    if (wrong)
        options_complain(&simulate_table, "%s", wrong);
    return !wrong;
}

static bool open_trajectory(Simulation *s)
{
    const SimulateCommand *c = s->command;
    Output *o = &s->output;
    // Standard output takes one thing: the trajectory, unless something else was asked for.
    if (!c->output && (c->json || simulate_output_is_standard(c->events)))
        return true;
    const bool is_plotted = c->plots.count > 0 || plotting_is_shown(c);
    WriterDef def = {.path = c->output,
                     .title = s->flat->name,
                     .column_count = o->column_count,
                     .columns = o->headings,
                     .constant_count = o->constant_count,
                     .constants = o->constants};
    char *message = NULL;
    def.format = TABLE_MAT;
    if (is_plotted ? !plotting_open(s, &def.path) : !choose_format(c->output, true, &def.format))
        return false;
    o->writer = writer_create(&def, &message);
    if (!o->writer)
        options_complain_of(&simulate_table, message);
    return o->writer != NULL;
}

static bool open_events(Simulation *s)
{
    TableFormat format;
    if (!s->command->events)
        return true;
    if (!choose_format(s->command->events, false, &format))
        return false;
    char *message = NULL;
    if (atomic_open(&s->output.events, s->command->events, &message))
        return true;
    options_complain_of(&simulate_table, message);
    return false;
}

// Whether it can be written is known before the run.
static bool simulate_output_check_manifest(const SimulateCommand *c)
{
    AtomicFile file;
    char *message = NULL;
    if (!c->manifest)
        return true;
    if (!atomic_open(&file, c->manifest, &message)) {
        options_complain_of(&simulate_table, message);
        return false;
    }
    atomic_discard(&file);
    return true;
}

static bool find_invariants(Simulation *s)
{
    Output *o = &s->output;
    const uint32_t count = model_output_count(s->model);
    o->invariants = calloc(count + 1u, sizeof *o->invariants);
    for (uint32_t i = 0; o->invariants && i < count; i++)
        if (model_output_variables(s->model)[i]->is_invariant) {
            o->invariants[o->invariant_count].place = i;
            o->invariants[o->invariant_count++].begin = NAN;
        }
    return o->invariants != NULL;
}

static bool find_limits(Simulation *s)
{
    Output *o = &s->output;
    o->limits = calloc(o->count + 1, sizeof *o->limits);
    for (size_t i = 0; o->limits && i < o->count; i++) {
        const FlatAttributes *a = model_output_variables(s->model)[o->places[i]]->attributes;
        const double least = a ? flat_literal(a->minimum) : NAN;
        const double most = a ? flat_literal(a->maximum) : NAN;
        if (isfinite(least) || isfinite(most)) {
            o->limits[o->limit_count].column = i;
            const double nominal = flat_literal(a->nominal);
            o->limits[o->limit_count].nominal = isnan(nominal) ? 1.0 : fabs(nominal);
            o->limits[o->limit_count].least = least;
            o->limits[o->limit_count++].most = most;
        }
    }
    return o->limits != NULL;
}

bool output_open(Simulation *s)
{
    s->output.last_row = NAN;
    if (!plotting_check(s->command) || !check_files(s->command) || !check_patterns(s))
        return false;
    if (!simulate_output_make_columns(s) || !make_constants(s) || !find_invariants(s) ||
        !find_limits(s)) {
        fputs("saltus simulate: out of memory\n", stderr);
        return false;
    }
    return simulate_output_check_manifest(s->command) && open_trajectory(s) && open_events(s);
}

// Parts that run by themselves have no row of the whole, and the first one comes before there is a
// run.
static void watch_constraints(Simulation *s, const SaltusRow *row)
{
    Output *o = &s->output;
    if (!s->command->stats || !s->run || s->apart || o->is_unwatched)
        return;
    o->watch = o->watch ? o->watch : drift_create(s->model);
    if (o->watch && drift_row(o->watch, row, saltus_run_parameters(s->run)))
        return;
    fputs("saltus: warning: the drift of constraints is not watched: out of memory\n", stderr);
    o->is_unwatched = true;
}

// sqrt(x) below zero, 1 / x at zero: an error of the model (section 3.7.3 of the specification).
static void look_for_wild(Simulation *s, const SaltusRow *row)
{
    Output *o = &s->output;
    uint32_t count = (uint32_t)row->y_count;
    const uint32_t *fresh = s->apart ? apart_fresh(s->apart, &count) : NULL;
    count = fresh ? count : (uint32_t)row->y_count;
    for (uint32_t k = 0; k < count && !o->wild; k++) {
        const uint32_t i = fresh ? fresh[k] : k;
        if (!isfinite(row->y[i])) {
            o->wild = model_output_names(s->model)[i];
            o->wild_time = row->t;
        }
    }
}

static void look_for_drift(Output *o, const SaltusRow *row)
{
    for (size_t i = 0; i < o->invariant_count; i++) {
        const double y = row->y[o->invariants[i].place];
        if (isnan(o->invariants[i].begin) || row->kind == SALTUS_ROW_AFTER_EVENT)
            o->invariants[i].begin = y;
        const double drift = fabs(y - o->invariants[i].begin);
        if (drift > o->invariants[i].drift) {
            o->invariants[i].drift = drift;
            o->invariants[i].time = row->t;
        }
    }
}

static void look_for_excess(Output *o)
{
    for (size_t i = 0; i < o->limit_count; i++) {
        const double y = o->values[o->limits[i].column + 1];
        const double excess = fmax(o->limits[i].least - y, y - o->limits[i].most);
        if (!(excess > o->limits[i].excess))
            continue;
        if (o->limits[i].excess == 0.0)
            o->limits[i].since = o->values[0];
        o->limits[i].excess = excess;
        o->limits[i].value = y;
    }
}

// What may be an error of the method is none of the model.
const char *output_excess(const Simulation *s, Arena *arena, double *since)
{
    static const double errors = 100.0; // of steps, so many tolerances of which may add up
    const Output *o = &s->output;
    size_t count = 0, first = 0;
    for (size_t i = 0; i < o->limit_count; i++) {
        const bool is_low = o->limits[i].value < o->limits[i].least;
        const double limit = is_low ? o->limits[i].least : o->limits[i].most;
        const double size = fmax(o->limits[i].nominal, fabs(limit));
        if (o->limits[i].excess <= errors * s->options.method.relative_tolerance * size)
            continue;
        first = count++ == 0 ? i : first;
    }
    if (count == 0)
        return NULL;
    StringBuilder b = builder_create(arena);
    const bool is_low = o->limits[first].value < o->limits[first].least;
    *since = o->limits[first].since;
    builder_append_format(
        &b, "%s is %s than its '%s', %.6g: it comes to %.6g%s",
        model_output_names(s->model)[o->places[o->limits[first].column]], is_low ? "less" : "more",
        is_low ? "min" : "max", is_low ? o->limits[first].least : o->limits[first].most,
        o->limits[first].value, count > 1 ? " (and other variables are beyond their limits)" : "");
    return builder_string(&b).text;
}

void output_judge(Simulation *s)
{
    if (!s->output.wild || s->status < 0 || s->status == SALTUS_INTERRUPTED)
        return;
    s->status = SALTUS_ERROR_EVALUATION;
    message_set(&s->message,
                "%s is not finite at t = %.10g; the run went on, as nothing that is integrated "
                "depends on it",
                s->output.wild, s->output.wild_time);
}

void output_row(Simulation *s, const SaltusRow *row)
{
    Output *o = &s->output;
    // The end has a row of its own only if nothing else happened then.
    if (row->kind == SALTUS_ROW_END && row->t == o->last_row)
        return;
    // Where an input is set the run has come to an end for a moment: that row is the one before.
    if (s->inputs && row->kind == SALTUS_ROW_BEFORE_EVENT && row->t == o->last_row &&
        o->last_kind != SALTUS_ROW_AFTER_EVENT)
        return;
    o->last_row = row->t;
    o->last_kind = row->kind;
    look_for_wild(s, row);
    look_for_drift(o, row);
    watch_constraints(s, row);
    const SaltusModeDef *mode = s->apart ? NULL : saltus_system_use_mode(s->system, row->mode);
    const char *name = s->apart             ? apart_mode(s->apart, row->mode)
                       : mode && mode->name ? mode->name
                                            : "";
    o->values[0] = row->t;
    for (size_t i = 0; i < o->count; i++)
        o->values[i + 1] = row->y[o->places[i]];
    look_for_excess(o);
    size_t column = o->count + 1;
    for (uint32_t k = 0; s->sensitivity && k < s->command->sensitivities.count; k++) {
        const double *derivatives = sensitivity_row(s->sensitivity, k);
        for (size_t i = 0; i < o->derived_count; i++)
            o->values[column++] = derivatives[o->places[o->derived[i]]];
    }
    if (o->writer)
        writer_row(o->writer, o->values, &name);
    if (mode)
        saltus_system_leave_mode(s->system, row->mode);
}

// ---------------------------------------------------------------------------
// Events
// ---------------------------------------------------------------------------

static bool is_json(const Simulation *s)
{
    TableFormat format;
    return choose_format(s->command->events, false, &format) && format == TABLE_JSON;
}

static void begin_events(Simulation *s)
{
    FILE *stream = s->output.events.stream;
    if (is_json(s)) {
        fputs("{\"schema\":\"saltus-events\",\"version\":1,\"model\":", stream);
        writer_json_string(stream, s->flat->name);
        fputs(",\n\"events\":", stream);
    } else {
        log_write_csv_heading(stream);
    }
}

LogSource simulate_log(const Simulation *s)
{
    LogSource source = {.system = s->system, .run = s->run};
    if (s->apart) {
        source.mode_name = apart_mode;
        source.mode_user = s->apart;
    }
    return source;
}

void output_event(Simulation *s, const SaltusLogEntry *entry)
{
    Output *o = &s->output;
    if (!o->events.stream)
        return;
    const LogSource source = simulate_log(s);
    const long number = o->event_count++;
    if (number == 0)
        begin_events(s);
    if (is_json(s))
        log_write_json_entry(o->events.stream, &source, entry, number);
    else
        log_write_csv_entry(o->events.stream, &source, entry);
}

// ---------------------------------------------------------------------------
// The end
// ---------------------------------------------------------------------------

static bool simulate_output_write_events(Simulation *s)
{
    Output *o = &s->output;
    if (!o->events.stream)
        return true;
    const bool has_begun = s->run || s->status == SALTUS_INTERRUPTED;
    // With --json the run has kept them.
    for (long i = 0; s->run && i < saltus_run_event_count(s->run); i++) {
        const SaltusLogEntry entry = saltus_run_event(s->run, i);
        output_event(s, &entry);
    }
    if (has_begun && o->event_count == 0)
        begin_events(s);
    if (has_begun && is_json(s)) {
        log_write_json_end(o->events.stream, o->event_count);
        fputs("}\n", o->events.stream);
    }
    char *message = NULL;
    if (atomic_commit(&o->events, &message))
        return true;
    fprintf(stderr, "saltus simulate: %s\n", message_text(message));
    free(message);
    return false;
}

static bool simulate_output_write_manifest(const Simulation *s)
{
    enum { MOST_TEXTS = 10000 };
    if (!s->command->manifest)
        return true;
    const Sources *sources = s->compilation->sources;
    const SaltusMethod *m = &s->options.method;
    const NamedSetting settings[] = {
        {"startTime", NULL, s->options.start_time},
        {"stopTime", NULL, s->stop_time},
        {"solver", saltus_solver_name(s->run ? saltus_run_solver(s->run) : m->solver), 0.0},
        {"relativeTolerance", NULL, m->relative_tolerance},
        {"absoluteTolerance", NULL, m->absolute_tolerance},
        {"step", NULL, m->step},
        {"outputInterval", NULL, s->options.output_interval},
        {"locate", saltus_locate_name(m->locate), 0.0},
        {"eventTolerance", NULL, m->event_tolerance},
    };
    Manifest manifest = {.path = s->command->manifest,
                         .table = s->command->output,
                         .columns = s->output.headings,
                         .column_count = s->output.column_count,
                         .log = s->command->events,
                         .command = s->command->words,
                         .command_count = s->command->word_count,
                         .model = s->flat->name,
                         .settings = settings,
                         .setting_count = sizeof settings / sizeof *settings,
                         .status = report_status(s->status)};
    const SourceFile **texts = calloc(sources_count(sources) + 1, sizeof *texts);
    for (size_t i = 0; texts && i < sources_count(sources) && i < MOST_TEXTS; i++)
        texts[manifest.text_count++] = sources_file(sources, i);
    manifest.texts = texts;
    char *message = NULL;
    const bool is_written = manifest_write(&manifest, &message);
    if (!is_written)
        fprintf(stderr, "saltus simulate: %s\n", message_text(message));
    free(message);
    free(texts);
    return is_written;
}

bool output_close(Simulation *s)
{
    Output *o = &s->output;
    char *message = NULL;
    bool is_fine = true;
    if (o->constants)
        update_constants(s);
    if (o->writer && !writer_close(o->writer, &message)) {
        fprintf(stderr, "saltus simulate: %s\n", message_text(message));
        free(message);
        is_fine = false;
    } else if (o->writer && o->plot_file) {
        is_fine = plotting_draw(s);
    }
    o->writer = NULL;
    is_fine = simulate_output_write_events(s) && is_fine;
    return simulate_output_write_manifest(s) && is_fine;
}

void output_free(Output *o)
{
    plotting_free(o);
    if (o->writer)
        writer_discard(o->writer);
    if (o->events.stream)
        atomic_discard(&o->events);
    free(o->headings);
    free(o->places);
    free(o->derived);
    free(o->values);
    free(o->constants);
    free(o->invariants);
    drift_destroy(o->watch);
    free(o->limits);
}
