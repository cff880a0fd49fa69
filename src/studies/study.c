// SPDX-License-Identifier: MIT
//
// Studies: see study.h.

#include "studies/study.h"

#include "base/memory.h"
#include "base/number.h"
#include "flatten/flatten.h"
#include "studies/vary.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

// A compiled model, with the values of the parameters that shape it.
typedef struct Variant Variant;
struct Variant {
    char *modification; // NULL: none
    Compilation *compilation;
    const FlatModel *flat;
    const Model *model;
    SaltusSystem *system;
    Observations *observations;
    Variant *next;
};

struct Study {
    StudyDef def; // its texts are in the pool
    MemoryPool pool;
    SaltusAllocator allocator;
    Variant *base;
    pthread_mutex_t lock; // of the list of variants
};

struct StudyRunner {
    Study *study;
    const Variant *variant; // of the observer and the last run
    Observer *observer;
    double *parameters;
    SaltusRun *run;
    bool is_blind; // not observing
};

// ---------------------------------------------------------------------------
// Variants
// ---------------------------------------------------------------------------

static const char *time_event(const void *model, int id)
{
    return model_time_event(model, id);
}

static void variant_destroy(Variant *v)
{
    if (!v)
        return;
    if (v->system)
        saltus_system_destroy(v->system);
    if (v->model)
        model_release(v->model);
    compilation_destroy(v->compilation);
    free(v->modification);
    free(v);
}

static bool make_system(Variant *v)
{
    const ModelParameters p = model_list_parameters(v->model);
    double *values = calloc(p.count + 1, sizeof *values);
    SaltusError error = {0};
    const bool is_fine = values && model_parameters(v->model, NULL, 0, values) &&
                         model_system(v->model, values, &v->system, &error) == SALTUS_OK;
    if (!is_fine)
        diagnostics_error(v->compilation->diagnostics, (Span){0}, "the model cannot be run: %s",
                          error.message[0] ? error.message : "its parameters have no values");
    free(values);
    return is_fine;
}

static void observe(Variant *v, const StudyDef *def)
{
    const ModelParameters p = model_list_parameters(v->model);
    const ObserveNames names = {.variable_count = model_output_count(v->model),
                                .variables = model_output_names(v->model),
                                .parameter_count = p.count,
                                .parameters = p.names,
                                .time_event = time_event,
                                .user = v->model};
    v->observations =
        observations_create(v->compilation, &names, def->observation_count, def->observations);
}

// NULL: out of memory. After errors its system or observations are NULL.
static Variant *variant_create(const StudyDef *def, const char *modification)
{
    Variant *v = calloc(1, sizeof *v);
    if (!v)
        return NULL;
    v->compilation = compilation_create(NULL);
    if (modification) {
        const size_t size = strlen(modification) + 1;
        v->modification = malloc(size);
        if (v->modification)
            memcpy(v->modification, modification, size);
    }
    if (!v->compilation || (modification && !v->modification)) {
        variant_destroy(v);
        return NULL;
    }
    FlattenOptions options = flatten_default_options();
    options.modification = v->modification;
    FlatModel *flat =
        flatten_files(v->compilation, def->file_count, def->files, def->model, &options);
    for (size_t i = 0; flat && i < def->varied_count; i++)
        vary(v->compilation->arena, flat, def->varied[i]);
    v->flat = flat;
    if (v->flat)
        v->model = model_create(v->compilation->arena, v->flat, v->compilation->diagnostics);
    if (v->model && make_system(v))
        observe(v, def);
    return v;
}

// The variant for the structural parameters among the values. NULL: out of memory.
static const Variant *find_variant(Study *study, const ParameterValue *values, uint32_t count)
{
    const ModelParameters p = model_list_parameters(study->base->model);
    char text[4000] = "";
    size_t length = 0;
    for (uint32_t i = 0; i < count; i++) {
        const FlatVariable *flat = p.flat[values[i].number];
        if (!flat->is_structural || length > 2000)
            continue;
        char number[NUMBER_LENGTH];
        const FlatTypeKind kind = FLAT_TYPE(flat)->kind;
        if (kind == FLAT_TYPE_BOOLEAN)
            snprintf(number, sizeof number, "%s", values[i].value != 0.0 ? "true" : "false");
        else if (kind == FLAT_TYPE_REAL)
            number_write(values[i].value, number);
        else
            snprintf(number, sizeof number, "%.0f", values[i].value);
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%.200s = %s",
                                   length ? ", " : "(", p.names[values[i].number], number);
    }
    if (length == 0)
        return study->base;
    const char *given = study->def.modification; // "(...)", to which this is added
    snprintf(text + length, sizeof text - length, "%s%.*s)", given ? ", " : "",
             given ? (int)strlen(given) - 2 : 0, given ? given + 1 : "");
    pthread_mutex_lock(&study->lock);
    Variant *v = study->base->next;
    while (v && strcmp(v->modification, text) != 0)
        v = v->next;
    if (!v && (v = variant_create(&study->def, text)) != NULL) {
        v->next = study->base->next;
        study->base->next = v;
    }
    pthread_mutex_unlock(&study->lock);
    return v;
}

// ---------------------------------------------------------------------------
// Studies
// ---------------------------------------------------------------------------

static const char *const *copy_texts(MemoryPool *pool, const char *const *texts, size_t count)
{
    const char **copies = MEMORY_POOL_NEW(pool, count + 1, const char *);
    for (size_t i = 0; copies && i < count; i++)
        if (!(copies[i] = memory_pool_text(pool, texts[i])))
            return NULL;
    return copies;
}

static bool copy_def(Study *study, const StudyDef *def)
{
    StudyDef *d = &study->def;
    study->allocator = memory_default();
    study->pool.allocator = &study->allocator;
    *d = *def;
    d->files = copy_texts(&study->pool, def->files, def->file_count);
    d->varied = copy_texts(&study->pool, def->varied, def->varied_count);
    d->observations = copy_texts(&study->pool, def->observations, def->observation_count);
    d->model = memory_pool_text(&study->pool, def->model);
    d->modification = memory_pool_text(&study->pool, def->modification);
    return d->files && d->varied && d->observations && !d->model == !def->model &&
           !d->modification == !def->modification;
}

Study *study_create(const StudyDef *def)
{
    Study *study = calloc(1, sizeof *study);
    if (!study)
        return NULL;
    if (copy_def(study, def))
        study->base = variant_create(&study->def, study->def.modification);
    if (!study->base || pthread_mutex_init(&study->lock, NULL) != 0) {
        variant_destroy(study->base);
        memory_pool_free(&study->pool);
        free(study);
        return NULL;
    }
    return study;
}

void study_destroy(Study *study)
{
    if (!study)
        return;
    for (Variant *v = study->base; v;) {
        Variant *next = v->next;
        variant_destroy(v);
        v = next;
    }
    pthread_mutex_destroy(&study->lock);
    memory_pool_free(&study->pool);
    free(study);
}

const Model *study_model(const Study *study)
{
    return study->base->system ? study->base->model : NULL;
}

const FlatModel *study_flat(const Study *study)
{
    return study->base->flat;
}

Compilation *study_compilation(const Study *study)
{
    return study->base->compilation;
}

const Observations *study_observations(const Study *study)
{
    return study->base->observations;
}

void study_set_options(Study *study, const SaltusOptions *options, double stop_time)
{
    study->def.options = *options;
    study->def.stop_time = stop_time;
}

// ---------------------------------------------------------------------------
// Parameters
// ---------------------------------------------------------------------------

static bool is_variable(const FlatModel *flat, const char *name)
{
    for (uint32_t i = 0; i < flat->variable_count; i++)
        if (strcmp(flat->variables[i]->name, name) == 0)
            return flat->variables[i]->kind > FLAT_PARAMETER;
    return false;
}

bool study_find_parameter(const Study *study, const char *name, uint32_t *number, char message[200])
{
    const ModelParameters p = model_list_parameters(study->base->model);
    for (*number = 0; *number < p.count; ++*number)
        if (strcmp(p.names[*number], name) == 0)
            break;
    if (*number == p.count && is_variable(study->base->flat, name)) {
        snprintf(message, 200, "%.60s is no parameter; where it begins is %.60s.start", name, name);
        return false;
    }
    if (*number == p.count) {
        const char *nearest = text_nearest(name, p.names, p.count);
        snprintf(message, 200, "there is no parameter '%.60s'%s%.60s%s", name,
                 nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
        return false;
    }
    if (p.flat[*number]->is_final) {
        snprintf(message, 200, "%.100s is final: it cannot be changed", name);
        return false;
    }
    return true;
}

bool study_read_value(const Study *study, uint32_t number, const char *text, double *value)
{
    const ModelParameters p = model_list_parameters(study->base->model);
    const FlatTypeKind kind = FLAT_TYPE(p.flat[number])->kind;
    const bool is_negative = text[0] == '-';
    if (kind == FLAT_TYPE_BOOLEAN && strcmp(text, "true") == 0)
        *value = 1.0;
    else if (kind == FLAT_TYPE_BOOLEAN && strcmp(text, "false") == 0)
        *value = 0.0;
    else if (!number_read(text + is_negative, strlen(text + is_negative), value) || isinf(*value))
        return false;
    else if (is_negative)
        *value = -*value;
    return kind == FLAT_TYPE_REAL || *value == floor(*value);
}

// ---------------------------------------------------------------------------
// Runs
// ---------------------------------------------------------------------------

StudyRunner *study_runner(Study *study)
{
    StudyRunner *r = calloc(1, sizeof *r);
    if (r)
        r->study = study;
    return r;
}

static void forget_run(StudyRunner *r)
{
    if (r->run)
        saltus_run_destroy(r->run);
    r->run = NULL;
}

void study_runner_destroy(StudyRunner *r)
{
    if (!r)
        return;
    forget_run(r);
    observer_destroy(r->observer);
    free(r->parameters);
    free(r);
}

static int piece(void *user, const SaltusPiece *p)
{
    const StudyRunner *r = user;
    return observer_piece(r->observer, p);
}

static int progress(void *user, double t, double stop_time)
{
    const StudyRunner *r = user;
    (void)t, (void)stop_time;
    return r->study->def.is_interrupted && r->study->def.is_interrupted();
}

static SaltusStatus fail(StudyOutcome *outcome, SaltusStatus status, const char *message)
{
    outcome->status = status;
    snprintf(outcome->message, sizeof outcome->message, "%s", message);
    return status;
}

// Why a variant could not be made.
static const char *first_error(const Variant *v)
{
    for (const Diagnostic *d = v->compilation->diagnostics->first; d; d = d->next)
        if (d->severity == SEVERITY_ERROR)
            return d->message;
    return "the model cannot be compiled with these parameters";
}

static bool prepare(StudyRunner *r, const ParameterValue *values, uint32_t count,
                    StudyOutcome *outcome)
{
    const Variant *v = find_variant(r->study, values, count);
    if (v && !v->observations) {
        fail(outcome, SALTUS_ERROR_ARGUMENT, first_error(v));
        return false;
    }
    if (v && v != r->variant) {
        observer_destroy(r->observer);
        free(r->parameters);
        r->variant = NULL;
        r->observer = observer_create(v->observations);
        r->parameters = calloc(model_list_parameters(v->model).count + 1, sizeof *r->parameters);
    }
    if (!v || !r->observer || !r->parameters) {
        fail(outcome, SALTUS_ERROR_MEMORY, "out of memory");
        return false;
    }
    r->variant = v;
    observer_reset(r->observer);
    return true;
}

// The values as the variant numbers its parameters: those that shaped it have theirs already.
static bool set_parameters(StudyRunner *r, const ParameterValue *values, uint32_t count,
                           StudyOutcome *outcome)
{
    const ModelParameters base = model_list_parameters(r->study->base->model);
    const ModelParameters own = model_list_parameters(r->variant->model);
    ParameterValue *given = calloc(count + 1, sizeof *given);
    uint32_t given_count = 0;
    for (uint32_t i = 0; given && i < count; i++) {
        if (base.flat[values[i].number]->is_structural)
            continue;
        given[given_count] = values[i];
        if (r->variant != r->study->base)
            for (given[given_count].number = 0; given[given_count].number < own.count;
                 given[given_count].number++)
                if (strcmp(own.names[given[given_count].number], base.names[values[i].number]) == 0)
                    break;
        given_count += given[given_count].number < own.count;
    }
    const bool is_fine =
        given && model_parameters(r->variant->model, given, given_count, r->parameters);
    free(given);
    if (!is_fine)
        fail(outcome, SALTUS_ERROR_EVALUATION, "the parameters have no values: a function failed");
    return is_fine;
}

static void advance(StudyRunner *r, StudyOutcome *outcome)
{
    SaltusError error = {0};
    SaltusOptions options = r->study->def.options;
    options.parameters = r->parameters;
    options.record = SALTUS_RECORD_NOTHING;
    options.row = NULL;
    options.piece = r->is_blind ? NULL : piece;
    options.progress = progress;
    options.user = r;
    SaltusStatus status = saltus_run_create(r->variant->system, &options, &r->run, &error);
    if (status < 0) {
        fail(outcome, status, error.message);
        r->run = NULL;
        return;
    }
    if (status == SALTUS_OK)
        status = saltus_run_advance(r->run, r->study->def.stop_time);
    if (status >= 0 && status != SALTUS_INTERRUPTED && model_has_terminal(r->variant->model)) {
        const SaltusStatus last = saltus_run_apply(r->run, model_terminal);
        status = last < 0 ? last : status;
    }
    fail(outcome, status, status == SALTUS_OK ? "" : saltus_run_error(r->run)->message);
    outcome->run = r->run;
    outcome->end_time = saltus_run_time(r->run);
    outcome->statistics = saltus_run_statistics(r->run);
    outcome->solver = saltus_run_solver(r->run);
}

void study_run(StudyRunner *r, const ParameterValue *values, uint32_t count, StudyOutcome *outcome)
{
    struct timespec begin, end;
    *outcome = (StudyOutcome){.end_time = NAN};
    forget_run(r);
    if (!prepare(r, values, count, outcome) || !set_parameters(r, values, count, outcome))
        return;
    timespec_get(&begin, TIME_UTC);
    advance(r, outcome);
    timespec_get(&end, TIME_UTC);
    outcome->seconds =
        (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
    if (!r->run || outcome->status == SALTUS_INTERRUPTED || r->is_blind)
        return;
    outcome->is_observed = observer_finish(r->observer, r->run);
    if (!outcome->is_observed && outcome->status >= 0)
        fail(outcome, SALTUS_ERROR_EVALUATION,
             "the variables could not be evaluated for the "
             "observations");
}

void study_set_observing(StudyRunner *r, bool is_observing)
{
    r->is_blind = !is_observing;
}

ObserveResult study_result(const StudyRunner *r, size_t observation)
{
    return observer_result(r->observer, observation);
}

const SaltusSystem *study_system(const StudyRunner *r)
{
    return r->variant ? r->variant->system : NULL;
}

// ---------------------------------------------------------------------------
// Events in words
// ---------------------------------------------------------------------------

static void append(char text[200], const char *separator, const char *more)
{
    const size_t length = strlen(text);
    snprintf(text + length, 200 - length, "%s%s", length ? separator : "", more);
}

bool study_event_text(const StudyRunner *r, long index, char text[200])
{
    text[0] = '\0';
    if (!r->run || index < 0 || index >= saltus_run_event_count(r->run))
        return false;
    const SaltusLogEntry e = saltus_run_event(r->run, index);
    for (int i = 0; i < e.fired_count; i++) {
        bool is_repeated = false; // it fired in several iterations
        for (int k = 0; k < i; k++)
            is_repeated |=
                e.fired[k].mode == e.fired[i].mode && e.fired[k].event == e.fired[i].event;
        if (is_repeated)
            continue;
        const SaltusModeDef *mode = saltus_system_mode(r->variant->system, e.fired[i].mode);
        const SaltusEventDef *event = mode ? &mode->events[e.fired[i].event] : NULL;
        append(text, "; ", !event ? "?" : event->condition ? event->condition : event->name);
        append(text, "", e.fired[i].direction > 0 ? " rising" : " falling");
    }
    for (int i = 0; i < e.time_count; i++)
        append(text, "; ", model_time_event(r->variant->model, e.time_ids[i]));
    const SaltusModeDef *from = saltus_system_mode(r->variant->system, e.from);
    const SaltusModeDef *to = saltus_system_mode(r->variant->system, e.to);
    if (e.from != e.to && from && to) {
        append(text, ": ", from->name);
        append(text, " -> ", to->name);
    }
    return true;
}
