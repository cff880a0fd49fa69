// SPDX-License-Identifier: MIT
//
// The laboratory: see lab.h.

#include "report/lab.h"

#include "flatten/flatten.h"
#include "modes/model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

// A model as it was compiled, with one shape.
typedef struct LabModel {
    struct LabModel *next;
    char *key; // file, model, shape
    Compilation *compilation;
    const FlatModel *flat;
    const Model *model; // NULL: it has errors
} LabModel;

struct Lab {
    Arena *arena;
    const char *folder;
    const LabValue *overrides;
    size_t override_count;
    LabModel *models;
    StringBuilder messages;
};

Lab *lab_create(const char *folder, const LabValue *overrides, size_t count)
{
    Arena *arena = arena_create(NULL);
    Lab *lab = arena ? ARENA_NEW(arena, Lab) : NULL;
    if (!lab) {
        arena_destroy(arena);
        return NULL;
    }
    *lab = (Lab){.arena = arena,
                 .folder = folder,
                 .overrides = overrides,
                 .override_count = count,
                 .messages = builder_create(arena)};
    return lab;
}

void lab_destroy(Lab *lab)
{
    if (!lab)
        return;
    for (LabModel *m = lab->models; m; m = m->next) {
        if (m->model)
            model_release(m->model);
        compilation_destroy(m->compilation);
    }
    arena_destroy(lab->arena);
}

const char *lab_messages(const Lab *lab)
{
    return builder_string(&lab->messages).text;
}

static const char *join(Arena *arena, const char *format, const char *a, const char *b,
                        const char *c)
{
    StringBuilder text = builder_create(arena);
    builder_append_format(&text, format, a, b, c);
    return builder_string(&text).text;
}

// ---------------------------------------------------------------------------
// Models
// ---------------------------------------------------------------------------

static void compile(Lab *lab, LabModel *m, const LabSetup *setup)
{
    m->compilation = compilation_create(NULL);
    if (!m->compilation)
        return;
    const char *path = join(lab->arena, "%s/%s%s", lab->folder, setup->file, "");
    FlattenOptions options = flatten_default_options();
    options.modification = setup->shape;
    m->flat = flatten_files(m->compilation, 1, &path, setup->model, &options);
    if (m->flat)
        m->model = model_create(m->compilation->arena, m->flat, m->compilation->diagnostics);
    if (!m->model)
        diagnostics_render_text(m->compilation->diagnostics, false, &lab->messages);
}

static const LabModel *find_model(Lab *lab, const LabSetup *setup)
{
    const char *key =
        join(lab->arena, "%s %s %s", setup->file, setup->model, setup->shape ? setup->shape : "");
    for (const LabModel *m = lab->models; m; m = m->next)
        if (strcmp(m->key, key) == 0)
            return m;
    LabModel *m = ARENA_NEW(lab->arena, LabModel);
    m->key = arena_copy_text(lab->arena, key, strlen(key));
    m->next = lab->models;
    lab->models = m;
    compile(lab, m, setup);
    return m;
}

static const LabValue *find_value(const LabValue *values, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(values[i].name, name) == 0)
            return &values[i];
    return NULL;
}

// An override for the parameter of a model of `file`: by its name, or as "Ball.mu" for Ball.mo.
static const LabValue *find_override(const Lab *lab, const char *file, const char *name)
{
    const size_t stem = strcspn(file, ".");
    for (size_t i = 0; i < lab->override_count; i++) {
        const char *own = lab->overrides[i].name;
        if (strcmp(own, name) == 0 || (strncmp(own, file, stem) == 0 && own[stem] == '.' &&
                                       strcmp(own + stem + 1, name) == 0))
            return &lab->overrides[i];
    }
    return NULL;
}

// The values of all parameters; NULL: a name is wrong, or they cannot be computed.
static double *evaluate_parameters(const Lab *lab, const LabModel *m, const LabSetup *setup,
                                   LabRun *run)
{
    const ModelParameters p = model_list_parameters(m->model);
    ParameterValue *given = ARENA_ARRAY(run->arena, p.count, ParameterValue);
    uint32_t count = 0;
    size_t used = 0;
    for (uint32_t i = 0; i < p.count; i++) {
        const LabValue *own = find_value(setup->values, setup->value_count, p.names[i]);
        const LabValue *other = own ? own : find_override(lab, setup->file, p.names[i]);
        if (other && !p.flat[i]->is_final)
            given[count++] = (ParameterValue){i, other->value};
        used += own != NULL;
    }
    if (used < setup->value_count) {
        run->message = "a parameter that is given does not exist";
        return NULL;
    }
    double *values = ARENA_ARRAY(run->arena, p.count + 1u, double);
    if (model_parameters(m->model, given, count, values))
        return values;
    run->message = "the parameters cannot be evaluated";
    return NULL;
}

double lab_parameter(Lab *lab, const LabSetup *setup, const char *name)
{
    const LabModel *m = find_model(lab, setup);
    LabRun run = {.arena = lab->arena};
    const double *values = m->model ? evaluate_parameters(lab, m, setup, &run) : NULL;
    if (!values)
        return NAN;
    const ModelParameters p = model_list_parameters(m->model);
    for (uint32_t i = 0; i < p.count; i++)
        if (strcmp(p.names[i], name) == 0)
            return values[i];
    return NAN;
}

// ---------------------------------------------------------------------------
// Rows and events
// ---------------------------------------------------------------------------

typedef struct Recorder {
    LabRun *run;
    const SaltusSystem *system;
} Recorder;

static void *grow(Arena *arena, void *old, size_t count, size_t room, size_t size)
{
    void *grown = arena_array(arena, room, size);
    if (count)
        memcpy(grown, old, count * size);
    return grown;
}

static void grow_rows(LabRun *run)
{
    const size_t n = run->row_count, room = 2 * run->row_room + 256;
    run->time = grow(run->arena, run->time, n, room, sizeof *run->time);
    run->modes = grow(run->arena, run->modes, n, room, sizeof *run->modes);
    run->kinds = grow(run->arena, run->kinds, n, room, sizeof *run->kinds);
    for (size_t i = 0; i < run->column_count; i++)
        run->columns[i].values = grow(run->arena, run->columns[i].values, n, room, sizeof(double));
    run->row_room = room;
}

static const char *mode_name(const SaltusSystem *system, int mode)
{
    const SaltusModeDef *def = saltus_system_mode(system, mode);
    return def && def->name ? def->name : "";
}

static int record_row(void *user, const SaltusRow *row)
{
    const Recorder *recorder = user;
    LabRun *run = recorder->run;
    if (run->row_count == run->row_room)
        grow_rows(run);
    const size_t k = run->row_count++;
    run->time[k] = row->t;
    run->modes[k] = mode_name(recorder->system, row->mode);
    run->kinds[k] = row->kind;
    for (size_t i = 0; i < run->column_count; i++)
        run->columns[i].values[k] = (int)i < row->y_count ? row->y[i] : NAN;
    return 0;
}

static void name_condition(StringBuilder *text, const LabModel *m, const SaltusSystem *system,
                           const SaltusLogEntry *entry)
{
    for (int i = 0; i < entry->fired_count; i++) {
        const SaltusModeDef *mode = saltus_system_mode(system, entry->fired[i].mode);
        const char *condition = mode ? mode->events[entry->fired[i].event].condition : "?";
        const String before = builder_string(text);
        if (strstr(before.text, condition))
            continue;
        builder_append_text(text, before.length ? "; " : "");
        builder_append_text(text, condition);
    }
    for (int i = 0; i < entry->time_count; i++) {
        builder_append_text(text, text->length ? "; " : "");
        builder_append_text(text, model_time_event(m->model, entry->time_ids[i]));
    }
}

static void collect_changes(LabRun *run, LabEvent *event, const SaltusLogEntry *entry)
{
    LabChange *changes = ARENA_ARRAY(run->arena, entry->change_count, LabChange);
    for (int i = 0; i < entry->change_count; i++) {
        const SaltusChange *c = &entry->changes[i];
        changes[i] =
            (LabChange){arena_copy_text(run->arena, c->name, strlen(c->name)), c->before, c->after};
    }
    event->changes = changes;
    event->change_count = (size_t)entry->change_count;
}

static void collect_events(LabRun *run, const LabModel *m, const SaltusSystem *system,
                           const SaltusRun *engine)
{
    const long count = saltus_run_event_count(engine);
    size_t row = 0;
    run->events = ARENA_ARRAY(run->arena, count, LabEvent);
    run->event_count = (size_t)count;
    for (long i = 0; i < count; i++) {
        const SaltusLogEntry entry = saltus_run_event(engine, i);
        LabEvent *event = &run->events[i];
        StringBuilder condition = builder_create(run->arena);
        name_condition(&condition, m, system, &entry);
        *event = (LabEvent){.t = entry.t,
                            .classes = entry.classes,
                            .condition = builder_string(&condition).text,
                            .from = mode_name(system, entry.from),
                            .to = mode_name(system, entry.to),
                            .iterations = entry.iterations};
        collect_changes(run, event, &entry);
        while (row < run->row_count &&
               !(run->kinds[row] == SALTUS_ROW_BEFORE_EVENT && run->time[row] >= entry.t))
            row++;
        event->row = row + 1 < run->row_count && run->time[row] == entry.t ? row++ : SIZE_MAX;
    }
}

// ---------------------------------------------------------------------------
// Runs
// ---------------------------------------------------------------------------

SaltusMethod lab_method(SaltusSolver solver, double relative, double absolute)
{
    SaltusMethod method = saltus_default_method();
    method.solver = solver;
    method.relative_tolerance = relative;
    method.absolute_tolerance = absolute > 0.0 ? absolute : 1e-3 * relative;
    return method;
}

static SaltusOptions make_options(const LabSetup *setup, const FlatExperiment *e)
{
    SaltusOptions o = saltus_default_options();
    o.start_time = isnan(e->start_time) ? 0.0 : e->start_time;
    if (setup->method.relative_tolerance > 0.0)
        o.method = setup->method;
    else if (!isnan(e->tolerance))
        o.method = lab_method(SALTUS_SOLVER_AUTO, e->tolerance, 0.0);
    o.record = setup->is_silent        ? SALTUS_RECORD_EVENTS
               : setup->interval > 0.0 ? SALTUS_RECORD_INTERVALS
                                       : SALTUS_RECORD_STEPS;
    o.output_interval = setup->interval > 0.0 ? setup->interval : 0.0;
    o.backstep = setup->backstep;
    o.zeno = setup->zeno;
    o.max_events = setup->max_events;
    o.row = record_row;
    return o;
}

static void name_columns(LabRun *run, const LabModel *m)
{
    run->column_count = model_output_count(m->model);
    run->columns = ARENA_ARRAY(run->arena, run->column_count, LabColumn);
    uint32_t v = 0; // outputs have the order of the variables
    for (size_t i = 0; i < run->column_count; i++) {
        run->columns[i].name = model_output_names(m->model)[i];
        while (v < m->flat->variable_count &&
               strcmp(m->flat->variables[v]->name, run->columns[i].name) != 0)
            v++;
        if (v < m->flat->variable_count)
            run->columns[i].unit = m->flat->variables[v]->attributes->unit;
    }
}

static double now(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static SaltusStatus advance(LabRun *run, const LabModel *m, const LabSetup *setup,
                            SaltusSystem *system, SaltusRun **engine, SaltusError *error)
{
    const FlatExperiment *e = &m->flat->experiment;
    SaltusOptions options = make_options(setup, e);
    Recorder recorder = {run, system};
    options.user = &recorder;
    const double stop = setup->stop_time > 0.0 ? setup->stop_time
                        : isnan(e->stop_time)  ? options.start_time + 1.0
                                               : e->stop_time;
    const double begin = now();
    SaltusStatus status = saltus_run_create(system, &options, engine, error);
    if (status == SALTUS_OK)
        status = saltus_run_advance(*engine, stop);
    run->seconds = now() - begin;
    if (*engine)
        *error = *saltus_run_error(*engine);
    return status;
}

static void linearize(LabRun *run, const SaltusRun *engine, SaltusError *error)
{
    SaltusLinearization *l = NULL;
    saltus_linearize(engine, NULL, &l, error);
    if (!l) {
        run->status = SALTUS_ERROR_EVALUATION;
        return;
    }
    run->eigenvalue_count = (size_t)l->state_count;
    run->eigenvalues = ARENA_ARRAY(run->arena, l->state_count, SaltusEigenvalue);
    memcpy(run->eigenvalues, l->eigenvalues, run->eigenvalue_count * sizeof *l->eigenvalues);
    saltus_linearization_destroy(l);
}

static void perform(LabRun *run, const LabModel *m, const LabSetup *setup, const double *parameters)
{
    SaltusSystem *system = NULL;
    SaltusRun *engine = NULL;
    SaltusError error = {0};
    run->status = model_system(m->model, parameters, &system, &error);
    if (run->status == SALTUS_OK)
        run->status = advance(run, m, setup, system, &engine, &error);
    if (run->status == SALTUS_OK && setup->is_linearized)
        linearize(run, engine, &error);
    run->message = arena_copy_text(run->arena, error.message, strlen(error.message));
    if (engine) {
        run->end = saltus_run_time(engine);
        run->statistics = saltus_run_statistics(engine);
        run->solver = saltus_solver_name(saltus_run_solver(engine));
        collect_events(run, m, system, engine);
    }
    // Names of modes belong to the system.
    for (size_t i = 0; i < run->row_count; i++)
        run->modes[i] = i && strcmp(run->modes[i], run->modes[i - 1]) == 0
                            ? run->modes[i - 1]
                            : arena_copy_text(run->arena, run->modes[i], strlen(run->modes[i]));
    for (size_t i = 0; i < run->event_count; i++) {
        LabEvent *event = &run->events[i];
        event->from = arena_copy_text(run->arena, event->from, strlen(event->from));
        event->to = arena_copy_text(run->arena, event->to, strlen(event->to));
    }
    saltus_run_destroy(engine);
    saltus_system_destroy(system);
}

LabRun *lab_run(Lab *lab, const LabSetup *setup)
{
    Arena *arena = arena_create(NULL);
    LabRun *run = arena ? ARENA_NEW(arena, LabRun) : NULL;
    if (!run) {
        arena_destroy(arena);
        return NULL;
    }
    *run = (LabRun){.arena = arena, .status = SALTUS_ERROR_ARGUMENT, .end = NAN, .solver = ""};
    const LabModel *m = find_model(lab, setup);
    if (!m->model) {
        run->message = join(arena, "%s %s cannot be compiled%s", setup->file, setup->model, "");
        return run;
    }
    name_columns(run, m);
    const double *parameters = evaluate_parameters(lab, m, setup, run);
    if (parameters)
        perform(run, m, setup, parameters);
    return run;
}

void lab_run_free(LabRun *run)
{
    if (run)
        arena_destroy(run->arena);
}

// ---------------------------------------------------------------------------
// Questions
// ---------------------------------------------------------------------------

const double *lab_column(const LabRun *run, const char *name)
{
    for (size_t i = 0; i < run->column_count; i++)
        if (strcmp(run->columns[i].name, name) == 0)
            return run->columns[i].values;
    return NULL;
}

double lab_last(const LabRun *run, const char *name)
{
    const double *column = lab_column(run, name);
    return column && run->row_count ? column[run->row_count - 1] : NAN;
}

double lab_before(const LabRun *run, const LabEvent *event, const char *name)
{
    const double *column = lab_column(run, name);
    return column && event->row != SIZE_MAX ? column[event->row] : NAN;
}

double lab_after(const LabRun *run, const LabEvent *event, const char *name)
{
    const double *column = lab_column(run, name);
    return column && event->row != SIZE_MAX ? column[event->row + 1] : NAN;
}

size_t lab_changes(const LabRun *run, const char *name, double value, const LabEvent **events,
                   size_t most)
{
    size_t count = 0;
    for (size_t i = 0; i < run->event_count; i++)
        for (size_t k = 0; k < run->events[i].change_count; k++) {
            const LabChange *c = &run->events[i].changes[k];
            if (strcmp(c->name, name) != 0 || !(isnan(value) || c->after == value))
                continue;
            if (count < most)
                events[count] = &run->events[i];
            count++;
        }
    return count;
}

size_t lab_entries(const LabRun *run, const char *mode, const LabEvent **events, size_t most)
{
    size_t count = 0;
    for (size_t i = 0; i < run->event_count; i++) {
        const LabEvent *event = &run->events[i];
        if (strcmp(event->to, mode) != 0 || strcmp(event->from, mode) == 0)
            continue;
        if (count < most)
            events[count] = event;
        count++;
    }
    return count;
}

// ---------------------------------------------------------------------------
// Listings
// ---------------------------------------------------------------------------

// The line that begins the class: a class keyword, then the name.
static bool begins_class(const char *line, size_t length, const char *name)
{
    static const char *const keywords[] = {"model ", "type ", "function ", "record ", "package "};
    const size_t n = strlen(name);
    size_t i = 0;
    while (i < length && line[i] == ' ')
        i++;
    if (length - i > 8 && strncmp(line + i, "partial ", 8) == 0)
        i += 8;
    for (size_t k = 0; k < sizeof keywords / sizeof *keywords; k++) {
        const size_t m = strlen(keywords[k]);
        if (length - i >= m + n && strncmp(line + i, keywords[k], m) == 0 &&
            strncmp(line + i + m, name, n) == 0 &&
            (length - i == m + n || strchr(" (;=", line[i + m + n])))
            return true;
    }
    return false;
}

static bool ends_class(const char *line, size_t length, const char *name)
{
    char end[128];
    const int n = snprintf(end, sizeof end, "end %s;", name);
    size_t i = 0;
    while (i < length && line[i] == ' ')
        i++;
    return length - i == (size_t)n && strncmp(line + i, end, (size_t)n) == 0;
}

String lab_listing(Lab *lab, const char *file, const char *model)
{
    const char *dot = strrchr(model, '.'), *name = dot ? dot + 1 : model;
    const SourceFile *source;
    Sources *sources = sources_create(lab->arena);
    const char *path = join(lab->arena, "%s/%s%s", lab->folder, file, "");
    if (sources_read(sources, path, &source) != SOURCE_OK)
        return (String){0};
    StringBuilder out = builder_create(lab->arena);
    size_t indent = SIZE_MAX; // of the class; SIZE_MAX: it has not begun
    for (uint32_t i = 0; i < source->line_count; i++) {
        const char *line = source->text + source->lines[i];
        const size_t length = strcspn(line, "\n");
        if (indent == SIZE_MAX && begins_class(line, length, name))
            indent = strspn(line, " ");
        if (indent == SIZE_MAX)
            continue;
        const size_t skip = strspn(line, " ") < indent ? strspn(line, " ") : indent;
        builder_append(&out, line + (skip < length ? skip : length),
                       length - (skip < length ? skip : length));
        builder_append_character(&out, '\n');
        if (ends_class(line, length, name))
            return builder_string(&out);
    }
    return (String){0};
}
