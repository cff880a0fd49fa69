// SPDX-License-Identifier: MIT
//
// The laboratory: see lab.h.

#include "report/lab.h"

#include "open/loaded.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

// A model of a file, opened once.
typedef struct LabModel {
    struct LabModel *next;
    const char *file, *model;
    Loaded *loaded; // NULL: no memory
} LabModel;

struct Lab {
    Arena *arena;
    jmp_buf *exhausted;
    const char *folder;
    const SaltusSetting *overrides;
    size_t override_count;
    bool *is_used; // of each override: a model has such a parameter
    LabModel *models;
    StringBuilder messages;
};

Lab *lab_create(jmp_buf *exhausted, const char *folder, const SaltusSetting *overrides,
                size_t count)
{
    Arena *arena = arena_create(NULL);
    if (arena)
        arena_on_exhaustion(arena, exhausted);
    Lab *lab = arena ? ARENA_NEW(arena, Lab) : NULL;
    if (!lab) {
        arena_destroy(arena);
        return NULL;
    }
    *lab = (Lab){.arena = arena,
                 .exhausted = exhausted,
                 .folder = folder,
                 .overrides = overrides,
                 .override_count = count,
                 .is_used = ARENA_ARRAY(arena, count + 1, bool),
                 .messages = builder_create(arena)};
    memset(lab->is_used, 0, (count + 1) * sizeof *lab->is_used);
    return lab;
}

void lab_destroy(Lab *lab)
{
    if (!lab)
        return;
    for (LabModel *m = lab->models; m; m = m->next)
        loaded_destroy(m->loaded);
    arena_destroy(lab->arena);
}

const char *lab_messages(const Lab *lab)
{
    return builder_string(&lab->messages).text;
}

static const char *lab_join(Arena *arena, const char *format, const char *a, const char *b,
                            const char *c)
{
    StringBuilder text = builder_create(arena);
    builder_append_format(&text, format, a, b, c);
    return builder_string(&text).text;
}

// ---------------------------------------------------------------------------
// Models
// ---------------------------------------------------------------------------

// The model as it is; NULL: it has errors.
static const Loaded *lab_find_model(Lab *lab, const LabSetup *setup)
{
    LabModel *m = lab->models;
    while (m && (strcmp(m->file, setup->file) != 0 || strcmp(m->model, setup->model) != 0))
        m = m->next;
    if (!m) {
        m = ARENA_NEW(lab->arena, LabModel);
        m->file = arena_copy_text(lab->arena, setup->file, strlen(setup->file));
        m->model = arena_copy_text(lab->arena, setup->model, strlen(setup->model));
        const char *path = lab_join(lab->arena, "%s/%s%s", lab->folder, setup->file, "");
        m->loaded = loaded_create(&(LoadedDef){.file_count = 1, .files = &path, .model = m->model});
        m->next = lab->models;
        lab->models = m;
        if (m->loaded && !m->loaded->model)
            diagnostics_render_text(m->loaded->compilation->diagnostics, false, &lab->messages);
    }
    return m->loaded && m->loaded->model ? m->loaded : NULL;
}

static const SaltusSetting *find_value(const SaltusSetting *values, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(values[i].name, name) == 0)
            return &values[i];
    return NULL;
}

// An override for the parameter of a model of `file`: by its name, or as "Ball.mu" for Ball.mo.
static const SaltusSetting *find_override(const Lab *lab, const char *file, const char *name)
{
    const size_t stem = strcspn(file, ".");
    for (size_t i = 0; i < lab->override_count; i++) {
        const char *own = lab->overrides[i].name;
        if (strcmp(own, name) == 0 || (strncmp(own, file, stem) == 0 && own[stem] == '.' &&
                                       strcmp(own + stem + 1, name) == 0))
            return lab->is_used[i] = true, &lab->overrides[i];
    }
    return NULL;
}

const char *lab_unused_override(const Lab *lab)
{
    for (size_t i = 0; i < lab->override_count; i++)
        if (!lab->is_used[i])
            return lab->overrides[i].name;
    return NULL;
}

// What the setup gives, and the overrides; NULL, with a message: a name is wrong.
static ParameterValue *collect_values(const Lab *lab, const Loaded *l, const LabSetup *setup,
                                      LabRun *run, uint32_t *count)
{
    const Parameters p = model_list_parameters(l->model);
    ParameterValue *given = ARENA_ARRAY(run->arena, p.count + 1u, ParameterValue);
    size_t used = 0;
    *count = 0;
    for (uint32_t i = 0; i < p.count; i++) {
        const SaltusSetting *own = find_value(setup->values, setup->value_count, p.names[i]);
        const SaltusSetting *other = own ? own : find_override(lab, setup->file, p.names[i]);
        if (other && !p.flat[i]->is_final)
            given[(*count)++] = (ParameterValue){i, other->value};
        used += own != NULL;
    }
    if (used == setup->value_count)
        return given;
    run->message = "a parameter that is given does not exist";
    return NULL;
}

// The variant for these values; NULL, with a message: there is none.
static const Loaded *lab_find_variant(const Loaded *l, const ParameterValue *values, uint32_t count,
                                      LabRun *run)
{
    const Loaded *v = loaded_variant(l, values, count);
    if (v && v->model)
        return v;
    run->message = "the model cannot be compiled with these parameters";
    return NULL;
}

double lab_parameter(Lab *lab, const LabSetup *setup, const char *name)
{
    const Loaded *l = lab_find_model(lab, setup);
    LabRun run = {.arena = lab->arena};
    uint32_t count;
    const ParameterValue *values = l ? collect_values(lab, l, setup, &run, &count) : NULL;
    const Loaded *v = values ? lab_find_variant(l, values, count, &run) : NULL;
    if (!v)
        return NAN;
    const Parameters p = model_list_parameters(v->model);
    double *all = ARENA_ARRAY(lab->arena, p.count + 1u, double);
    if (loaded_parameters(v, values, count, all, NULL) != SALTUS_OK)
        return NAN;
    for (uint32_t i = 0; i < p.count; i++)
        if (strcmp(p.names[i], name) == 0)
            return all[i];
    return NAN;
}

// ---------------------------------------------------------------------------
// Rows and events
// ---------------------------------------------------------------------------

static void *lab_grow(Arena *arena, void *old, size_t count, size_t room, size_t size)
{
    void *grown = arena_array(arena, room, size);
    if (count)
        memcpy(grown, old, count * size);
    return grown;
}

static void grow_rows(LabRun *run)
{
    const size_t n = run->row_count, room = 2 * run->row_room + 256;
    run->time = lab_grow(run->arena, run->time, n, room, sizeof *run->time);
    run->modes = lab_grow(run->arena, run->modes, n, room, sizeof *run->modes);
    run->kinds = lab_grow(run->arena, run->kinds, n, room, sizeof *run->kinds);
    for (size_t i = 0; i < run->column_count; i++)
        run->columns[i].values =
            lab_grow(run->arena, run->columns[i].values, n, room, sizeof(double));
    run->row_room = room;
}

static const char *mode_name(const SaltusSystem *system, int mode)
{
    const SaltusModeDef *def = saltus_system_mode(system, mode);
    return def && def->name ? def->name : "";
}

static int record_row(void *user, const SaltusRow *row)
{
    LabRun *run = user;
    if (run->row_count == run->row_room)
        grow_rows(run);
    const size_t k = run->row_count++;
    run->time[k] = row->t;
    run->modes[k] = mode_name(run->system, row->mode);
    run->kinds[k] = row->kind;
    for (size_t i = 0; i < run->column_count; i++)
        run->columns[i].values[k] = (int)i < row->y_count ? row->y[i] : NAN;
    return 0;
}

static void lab_append_fired(void *user, const char *text, int direction)
{
    StringBuilder *out = user;
    (void)direction;
    builder_append_text(out, out->length ? "; " : "");
    builder_append_text(out, text);
}

static void collect_changes(LabRun *run, LabEvent *event, const SaltusLogEntry *entry)
{
    SaltusChange *changes = ARENA_ARRAY(run->arena, entry->change_count, SaltusChange);
    for (int i = 0; i < entry->change_count; i++) {
        const SaltusChange *c = &entry->changes[i];
        changes[i] = (SaltusChange){arena_copy_text(run->arena, c->name, strlen(c->name)),
                                    c->before, c->after};
    }
    event->changes = changes;
    event->change_count = (size_t)entry->change_count;
}

static void collect_events(LabRun *run, const SaltusSystem *system, const SaltusRun *engine)
{
    const LogSource source = {.system = system, .run = engine};
    const long count = saltus_run_event_count(engine);
    size_t row = 0;
    run->events = ARENA_ARRAY(run->arena, count, LabEvent);
    run->event_count = (size_t)count;
    for (long i = 0; i < count; i++) {
        const SaltusLogEntry entry = saltus_run_event(engine, i);
        LabEvent *event = &run->events[i];
        StringBuilder condition = builder_create(run->arena);
        log_conditions(&source, &entry, lab_append_fired, &condition);
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
    o.start_time = e->start_time;
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

static void lab_name_columns(LabRun *run, const Model *model)
{
    run->column_count = model_output_count(model);
    run->columns = arena_array(run->arena, run->column_count, sizeof *run->columns);
    for (size_t i = 0; i < run->column_count; i++) {
        run->columns[i].name = model_output_names(model)[i];
        run->columns[i].unit = model_output_variables(model)[i]->attributes->unit;
    }
}

static double lab_now(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static SaltusStatus lab_advance(LabRun *run, const Loaded *l, const LabSetup *setup,
                                SaltusSystem *system, SaltusRun **engine, SaltusError *error)
{
    const FlatExperiment e = loaded_experiment(l);
    SaltusOptions options = make_options(setup, &e);
    run->system = system;
    options.user = run;
    const double stop = setup->stop_time > 0.0 ? setup->stop_time : e.stop_time;
    const double begin = lab_now();
    const SaltusStatus status = loaded_run(l, system, &options, stop, engine, error);
    run->seconds = lab_now() - begin;
    return status;
}

static void lab_linearize(LabRun *run, const SaltusRun *engine, SaltusError *error)
{
    SaltusLinearization *l = NULL;
    saltus_error_clear(error);
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

static void lab_perform(LabRun *run, const Loaded *l, const LabSetup *setup,
                        const ParameterValue *values, uint32_t count)
{
    SaltusSystem *system = NULL;
    SaltusRun *engine = NULL;
    SaltusError error = {0};
    lab_name_columns(run, l->model);
    run->status = loaded_system(l, values, count, &system, &error);
    if (run->status == SALTUS_OK)
        run->status = lab_advance(run, l, setup, system, &engine, &error);
    if (run->status == SALTUS_OK && setup->is_linearized)
        lab_linearize(run, engine, &error);
    run->message = arena_copy_text(run->arena, error.message, strlen(error.message));
    saltus_error_clear(&error);
    if (engine) {
        run->end = saltus_run_time(engine);
        run->statistics = saltus_run_statistics(engine);
        run->solver = saltus_solver_name(saltus_run_solver(engine));
        collect_events(run, system, engine);
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
    if (arena)
        arena_on_exhaustion(arena, lab->exhausted);
    LabRun *run = arena ? ARENA_NEW(arena, LabRun) : NULL;
    if (!run) {
        arena_destroy(arena);
        return NULL;
    }
    *run = (LabRun){.arena = arena, .status = SALTUS_ERROR_ARGUMENT, .end = NAN, .solver = ""};
    const Loaded *l = lab_find_model(lab, setup);
    if (!l) {
        run->message = lab_join(arena, "%s %s cannot be compiled%s", setup->file, setup->model, "");
        return run;
    }
    uint32_t count;
    const ParameterValue *values = collect_values(lab, l, setup, run, &count);
    const Loaded *v = values ? lab_find_variant(l, values, count, run) : NULL;
    if (v)
        lab_perform(run, v, setup, values, count);
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
            const SaltusChange *c = &run->events[i].changes[k];
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
    const char *path = lab_join(lab->arena, "%s/%s%s", lab->folder, file, "");
    if (sources_read(sources, path, &source) != SOURCE_OK)
        return (String){0};
    StringBuilder out = builder_create(lab->arena);
    size_t indent = SIZE_MAX; // of the class; SIZE_MAX: it has not begun
    bool is_annotation = false;
    for (uint32_t i = 0; i < source->line_count; i++) {
        const char *line = source->text + source->lines[i];
        const size_t length = strcspn(line, "\n");
        if (indent == SIZE_MAX && begins_class(line, length, name))
            indent = strspn(line, " ");
        if (indent == SIZE_MAX)
            continue;
        // A graphical annotation of the class, of several lines, is left out.
        const bool is_end = length > 0 && line[length - 1] == ';';
        if (strspn(line, " ") == indent + 2 && strncmp(line + indent + 2, "annotation(", 11) == 0)
            is_annotation = !is_end;
        if (is_annotation) {
            is_annotation = !is_end;
            continue;
        }
        const size_t skip = strspn(line, " ") < indent ? strspn(line, " ") : indent;
        builder_append(&out, line + (skip < length ? skip : length),
                       length - (skip < length ? skip : length));
        builder_append_character(&out, '\n');
        if (ends_class(line, length, name))
            return builder_string(&out);
    }
    return (String){0};
}
