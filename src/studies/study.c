// SPDX-License-Identifier: MIT
//
// Studies: see study.h.

#include "studies/study.h"

#include "base/message.h"
#include "studies/sensitivity.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

// A variant of the model, as runs need it.
typedef struct StudyVariant StudyVariant;
struct StudyVariant {
    const Loaded *loaded;
    SaltusSystem *system;       // NULL: it cannot be run
    Observations *observations; // NULL: likewise, or they have errors
    char *message;              // why it cannot be run; NULL: it can, or there is no memory
    StudyVariant *next;
};

struct Study {
    StudyDef def; // its texts are in the arena of the model
    const Loaded *loaded;
    const EmbeddedSignals *inputs;
    Loaded *own;              // the same, to be destroyed; NULL: it is not the study's
    Compilation *compilation; // of the observations: the model's, or the study's own
    StudyVariant *variants;   // that of the model itself is the last one
    StudyVariant *base;
    pthread_mutex_t lock; // of the list of variants
};

// What a run has where data were measured.
typedef struct Trace {
    double *values;           // as the data, column by column
    double *variables;        // of a mode: outputs, states, algebraic variables
    size_t room;              // of them
    int *places;              // of the columns among them; -1: the mode has no such variable
    int mode;                 // that the places belong to; -1: none
    size_t next;              // row
    double *derivatives;      // of the values, by parameter; NULL: none
    Sensitivity *sensitivity; // of the run that goes on; NULL: none
    uint32_t derived;         // by how many parameters
} Trace;

struct StudyRunner {
    Study *study;
    const StudyVariant *variant; // of the observer and the last run
    RunObserver *observer;
    double *parameters;
    ParameterValue *given; // what inputs begin with, then what a run is given
    uint32_t given_room;
    SaltusRun *run;
    char *message; // of the last run
    bool is_blind; // not observing
    uint32_t *by;  // parameters by which is differentiated
    uint32_t by_count;
    double *end_rates;   // of the last run, by parameter, then by output; NULL: none
    double *event_rates; // by parameter, then by event
    long event_count;
    int output_count;
    double *parameter_rates; // by parameter, then by parameter of the model
    Trace trace;
};

// ---------------------------------------------------------------------------
// Variants
// ---------------------------------------------------------------------------

static const char *time_event(const void *model, int id)
{
    return model_time_event(model, id);
}

static void study_variant_destroy(StudyVariant *v)
{
    if (v && v->system)
        saltus_system_destroy(v->system);
    if (v)
        free(v->message);
    free(v);
}

static void study_observe(const Study *study, StudyVariant *v)
{
    const StudyDef *def = &study->def;
    Compilation *compilation = study->own ? v->loaded->compilation : study->compilation;
    const Model *model = v->loaded->model;
    const Parameters p = model_list_parameters(model);
    const ObserveNames names = {.variable_count = model_output_count(model),
                                .variables = model_output_names(model),
                                .parameter_count = p.count,
                                .parameters = p.names,
                                .time_event = time_event,
                                .user = model};
    v->observations =
        observations_create(compilation, &names, def->observation_count, def->observations);
}

// NULL: out of memory.
static StudyVariant *study_variant_create(const Study *study, const Loaded *loaded)
{
    Compilation *compilation = study->own ? loaded->compilation : study->compilation;
    StudyVariant *v = calloc(1, sizeof *v);
    SaltusError error = {0};
    if (!v)
        return NULL;
    v->loaded = loaded;
    if (!loaded->model || loaded->refusal) {
        message_set(&v->message, "%s", loaded_first_error(loaded));
        return v;
    }
    if (loaded_system(loaded, NULL, 0, &v->system, &error) == SALTUS_OK)
        study_observe(study, v);
    else
        diagnostics_error(compilation->diagnostics, (Span){0}, "the model cannot be run: %s",
                          error.message);
    saltus_error_clear(&error);
    for (const Diagnostic *d = compilation->diagnostics->first; d && !v->observations; d = d->next)
        if (d->severity == SEVERITY_ERROR && !v->message)
            message_set(&v->message, "%s", d->message);
    return v;
}

// The variant for the structural parameters among the values. NULL: out of memory.
static const StudyVariant *study_find_variant(Study *study, const ParameterValue *values,
                                              uint32_t count)
{
    const Loaded *loaded = loaded_variant(study->loaded, values, count);
    if (!loaded || loaded == study->loaded)
        return loaded ? study->base : NULL;
    pthread_mutex_lock(&study->lock);
    StudyVariant *v = study->variants;
    while (v && v->loaded != loaded)
        v = v->next;
    if (!v && (v = study_variant_create(study, loaded)) != NULL) {
        v->next = study->variants;
        study->variants = v;
    }
    pthread_mutex_unlock(&study->lock);
    return v;
}

// ---------------------------------------------------------------------------
// Studies
// ---------------------------------------------------------------------------

static bool copy_def(Study *study, const StudyDef *def)
{
    Arena *arena = study->compilation->arena;
    const char **observations = ARENA_ARRAY(arena, def->observation_count + 1, const char *);
    study->def = *def;
    study->def.load = (LoadedDef){0}; // the loaded model has its own
    study->def.loaded = NULL;
    study->def.observations = observations;
    for (size_t i = 0; observations && i < def->observation_count; i++) {
        const char *text = def->observations[i];
        if (!(observations[i] = arena_copy_text(arena, text, strlen(text))))
            return false;
    }
    return observations;
}

static bool study_begin(Study *study, const StudyDef *def)
{
    if (!def->loaded)
        study->own = loaded_create(&def->load);
    study->loaded = def->loaded ? def->loaded : study->own;
    if (!study->loaded)
        return false;
    study->compilation = study->own ? study->own->compilation : compilation_create(NULL);
    if (!study->compilation || !copy_def(study, def))
        return false;
    study->base = study->variants = study_variant_create(study, study->loaded);
    return study->base && pthread_mutex_init(&study->lock, NULL) == 0;
}

static void study_end(Study *study)
{
    for (StudyVariant *v = study->variants; v;) {
        StudyVariant *next = v->next;
        study_variant_destroy(v);
        v = next;
    }
    if (study->own)
        loaded_destroy(study->own);
    else if (study->compilation)
        compilation_destroy(study->compilation);
    free(study);
}

Study *study_create(const StudyDef *def)
{
    Study *study = calloc(1, sizeof *study);
    if (!study || study_begin(study, def))
        return study;
    study_end(study);
    return NULL;
}

void study_destroy(Study *study)
{
    if (!study)
        return;
    pthread_mutex_destroy(&study->lock);
    study_end(study);
}

const Loaded *study_loaded(const Study *study)
{
    return study->loaded;
}

const Model *study_model(const Study *study)
{
    return study->base->system ? study->loaded->model : NULL;
}

const FlatModel *study_flat(const Study *study)
{
    return study->loaded->flat;
}

Compilation *study_compilation(const Study *study)
{
    return study->compilation;
}

const Observations *study_observations(const Study *study)
{
    return study->base->observations;
}

bool study_is_interrupted(const Study *study)
{
    return (study->def.is_interrupted && study->def.is_interrupted()) ||
           (study->def.stops && atomic_load(study->def.stops));
}

const SaltusOptions *study_options(const Study *study, double *stop_time)
{
    *stop_time = study->def.stop_time;
    return &study->def.options;
}

void study_set_options(Study *study, const SaltusOptions *options, double stop_time)
{
    study->def.options = *options;
    study->def.stop_time = stop_time;
}

void study_set_inputs(Study *study, const EmbeddedSignals *inputs)
{
    study->inputs = inputs;
}

bool study_has_inputs(const Study *study)
{
    return study->inputs != NULL;
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

static void study_forget_rates(StudyRunner *r)
{
    free(r->end_rates);
    free(r->event_rates);
    free(r->parameter_rates);
    r->end_rates = r->event_rates = r->parameter_rates = NULL;
    r->event_count = 0;
}

void study_runner_destroy(StudyRunner *r)
{
    if (!r)
        return;
    forget_run(r);
    observer_destroy(r->observer);
    free(r->parameters);
    free(r->given);
    free(r->message);
    free(r->trace.values);
    free(r->trace.variables);
    free(r->trace.places);
    free(r->trace.derivatives);
    free(r->by);
    study_forget_rates(r);
    free(r);
}

// Where the variable is among those of a mode; -1: nowhere.
static int trace_place(const SaltusModeDef *mode, const char *name)
{
    const struct {
        const char *const *names;
        int count;
    } groups[] = {{mode->output_names, mode->output_count},
                  {mode->state_names, mode->state_count},
                  {mode->algebraic_names, mode->algebraic_count}};
    int place = 0;
    for (size_t k = 0; k < sizeof groups / sizeof *groups; k++)
        for (int i = 0; i < groups[k].count; i++, place++)
            if (groups[k].names && strcmp(groups[k].names[i], name) == 0)
                return place;
    return -1;
}

static bool trace_enter(Trace *t, const StudyData *data, const SaltusModeDef *mode, int index)
{
    const size_t room =
        (size_t)mode->output_count + (size_t)mode->state_count + (size_t)mode->algebraic_count + 1;
    if (room > t->room) {
        free(t->variables);
        t->variables = calloc(room, sizeof *t->variables);
        t->room = t->variables ? room : 0;
    }
    for (size_t i = 0; i < data->column_count; i++)
        t->places[i] = trace_place(mode, data->variables[i]);
    t->mode = index;
    return t->variables != NULL;
}

static void trace_derive(Trace *t, const StudyData *data, const SaltusPiece *p, int outputs)
{
    const size_t count = data->row_count * data->column_count;
    for (uint32_t k = 0; k < t->derived; k++) {
        const double *y = sensitivity_at(t->sensitivity, p, data->times[t->next], k);
        for (size_t i = 0; i < data->column_count; i++)
            t->derivatives[k * count + i * data->row_count + t->next] =
                t->places[i] >= 0 && t->places[i] < outputs ? y[t->places[i]] : NAN;
    }
}

// The rows of the data within a piece of the run.
static bool trace_piece(Trace *t, const StudyData *data, const SaltusPiece *p)
{
    const SaltusModeDef *mode = saltus_system_mode(saltus_run_system(p->run), p->mode);
    if (t->next < data->row_count && data->times[t->next] <= p->to && p->mode != t->mode &&
        (!mode || !trace_enter(t, data, mode, p->mode)))
        return false;
    for (; t->next < data->row_count && data->times[t->next] <= p->to; t->next++) {
        double *y = t->variables, *x = y + mode->output_count, *z = x + mode->state_count;
        if (data->times[t->next] < p->from)
            continue; // before the run began
        if (saltus_piece_values(p, data->times[t->next], x, z, y) != 0)
            return false;
        for (size_t i = 0; i < data->column_count; i++)
            t->values[i * data->row_count + t->next] =
                t->places[i] >= 0 ? t->variables[t->places[i]] : NAN;
        if (t->sensitivity)
            trace_derive(t, data, p, mode->output_count);
    }
    return true;
}

static bool trace_begin(Trace *t, const StudyData *data)
{
    const size_t count = data->row_count * data->column_count;
    if (!t->values) {
        t->values = calloc(count + 1, sizeof *t->values);
        t->places = calloc(data->column_count + 1, sizeof *t->places);
    }
    for (size_t i = 0; t->values && i < count; i++)
        t->values[i] = NAN;
    for (size_t i = 0; t->derivatives && i < count * t->derived; i++)
        t->derivatives[i] = NAN;
    t->mode = -1;
    t->next = 0;
    return t->values && t->places;
}

const double *study_traced(const StudyRunner *r)
{
    return r->trace.values;
}

bool study_set_derivatives(StudyRunner *r, const uint32_t *by, uint32_t count)
{
    const StudyData *data = r->study->def.data;
    free(r->trace.derivatives);
    free(r->by);
    r->trace.derivatives = NULL;
    r->by = NULL;
    r->by_count = r->trace.derived = 0;
    study_forget_rates(r);
    if (count == 0)
        return true;
    const size_t traced = data ? data->row_count * data->column_count : 0;
    r->by = calloc(count, sizeof *r->by);
    r->trace.derivatives = calloc(count * traced + 1, sizeof *r->trace.derivatives);
    if (!r->by || !r->trace.derivatives)
        return false;
    memcpy(r->by, by, count * sizeof *by);
    r->by_count = r->trace.derived = count;
    return true;
}

const double *study_traced_derivatives(const StudyRunner *r, uint32_t k)
{
    const StudyData *data = r->study->def.data;
    return data && r->trace.derivatives && k < r->by_count
               ? r->trace.derivatives + k * data->row_count * data->column_count
               : NULL;
}

static int study_piece(void *user, const SaltusPiece *p)
{
    StudyRunner *r = user;
    if (r->study->def.data && !trace_piece(&r->trace, r->study->def.data, p))
        return 1;
    return observer_piece(r->observer, p);
}

// ---------------------------------------------------------------------------
// Derivatives of results
// ---------------------------------------------------------------------------

// Those of the end. (What is not kept for lack of memory is not there.)
static int study_row(void *user, const SaltusRow *row)
{
    StudyRunner *r = user;
    const size_t count = (size_t)row->y_count;
    if (row->kind != SALTUS_ROW_END || !r->trace.sensitivity)
        return 0;
    r->output_count = row->y_count;
    free(r->end_rates);
    r->end_rates = calloc(r->by_count * count + 1, sizeof *r->end_rates);
    for (uint32_t k = 0; r->end_rates && k < r->by_count; k++) {
        const double *found = sensitivity_row(r->trace.sensitivity, k);
        for (size_t i = 0; i < count; i++)
            r->end_rates[k * count + i] = found ? found[i] : NAN;
    }
    return 0;
}

static void study_take_event_rates(StudyRunner *r)
{
    const Sensitivity *z = r->trace.sensitivity;
    const long count = z ? (long)sensitivity_event_count(z) : 0;
    r->event_rates = calloc(r->by_count * (size_t)count + 1, sizeof *r->event_rates);
    r->event_count = r->event_rates ? count : 0;
    for (uint32_t k = 0; k < r->by_count; k++)
        for (long i = 0; i < r->event_count; i++)
            r->event_rates[k * (size_t)count + (size_t)i] =
                sensitivity_event_time(z, (uint32_t)i, k);
}

// Parameters that are moved: themselves. What others do that depend on them is not known here.
static void study_take_parameter_rates(StudyRunner *r, const ParameterValue *values, uint32_t count)
{
    const size_t n = model_list_parameters(r->variant->loaded->model).count;
    double *moved = calloc(n + 1, sizeof *moved);
    ParameterValue *given = calloc(count + 1, sizeof *given);
    r->parameter_rates = calloc(r->by_count * n + 1, sizeof *r->parameter_rates);
    for (uint32_t k = 0; moved && given && r->parameter_rates && k < r->by_count; k++) {
        double *rates = r->parameter_rates + k * n;
        for (uint32_t i = 0; i < count; i++) {
            given[i] = values[i];
            if (given[i].number == r->by[k])
                given[i].value += 1e-6 * fmax(fabs(given[i].value), 1e-3);
        }
        const bool is_fine =
            loaded_parameters(r->variant->loaded, given, count, moved, NULL) == SALTUS_OK;
        for (size_t i = 0; i < n; i++)
            rates[i] = i == r->by[k] ? 1.0 : is_fine && moved[i] == r->parameters[i] ? 0.0 : NAN;
    }
    free(moved);
    free(given);
}

double study_result_derivative(const StudyRunner *r, size_t observation, size_t element, uint32_t k)
{
    if (!r->end_rates || !r->parameter_rates || k >= r->by_count)
        return NAN;
    const size_t n = model_list_parameters(r->variant->loaded->model).count;
    const ObserveRates rates = {.outputs = r->end_rates + (size_t)r->output_count * k,
                                .output_count = r->output_count,
                                .parameters = r->parameter_rates + n * k,
                                .events = r->event_rates + (size_t)r->event_count * k,
                                .event_count = r->event_count};
    return observer_derivative(r->observer, observation, element, &rates);
}

static int study_progress(void *user, double t, double stop_time)
{
    const StudyRunner *r = user;
    (void)t, (void)stop_time;
    if (r->study->def.tick)
        r->study->def.tick(r->study->def.user);
    return study_is_interrupted(r->study);
}

static SaltusStatus study_fail(StudyRunner *r, StudyOutcome *outcome, SaltusStatus status,
                               const char *message)
{
    message_set(&r->message, "%s", message);
    outcome->status = status;
    outcome->message = status == SALTUS_OK ? "" : message_text(r->message);
    return status;
}

static bool study_prepare(StudyRunner *r, const ParameterValue *values, uint32_t count,
                          StudyOutcome *outcome)
{
    const StudyVariant *v = study_find_variant(r->study, values, count);
    if (v && !v->observations) {
        study_fail(r, outcome, SALTUS_ERROR_ARGUMENT, message_text(v->message));
        return false;
    }
    if (v && v != r->study->base && r->study->inputs) {
        study_fail(r, outcome, SALTUS_ERROR_ARGUMENT,
                   "a parameter shapes the model: its inputs cannot come from a table");
        return false;
    }
    if (v && v != r->variant) {
        observer_destroy(r->observer);
        free(r->parameters);
        r->variant = NULL;
        r->observer = observer_create(v->observations);
        r->parameters =
            calloc(model_list_parameters(v->loaded->model).count + 1, sizeof *r->parameters);
    }
    const bool is_traced = !r->study->def.data || trace_begin(&r->trace, r->study->def.data);
    if (!v || !r->observer || !r->parameters || !is_traced) {
        study_fail(r, outcome, SALTUS_ERROR_MEMORY, "out of memory");
        return false;
    }
    r->variant = v;
    observer_reset(r->observer);
    SaltusError error = {0};
    const SaltusStatus status = loaded_parameters(v->loaded, values, count, r->parameters, &error);
    if (status != SALTUS_OK)
        study_fail(r, outcome, status, error.message);
    saltus_error_clear(&error);
    return status == SALTUS_OK;
}

// The run, with derivatives if they are asked for and the model has them. (A variant may number its
// parameters otherwise.)
static SaltusStatus study_start_run(StudyRunner *r, const ParameterValue *values, uint32_t count,
                                    const SaltusOptions *options, SaltusError *error)
{
    const StudyVariant *v = r->variant;
    const double stop_time = r->study->def.stop_time;
    const SensitivityDef def = {.loaded = v->loaded,
                                .p = r->parameters,
                                .value_count = count,
                                .values = values,
                                .count = r->by_count,
                                .by = r->by,
                                .options = *options,
                                .stop_time = stop_time,
                                .inputs = r->study->inputs};
    study_forget_rates(r);
    if (r->by_count && v == r->study->base)
        r->trace.sensitivity = sensitivity_create(&def, NULL);
    const SaltusStatus status =
        r->trace.sensitivity ? sensitivity_run(r->trace.sensitivity, v->system, &r->run, error)
                             : signals_run(r->study->inputs, v->loaded, v->system, options,
                                           stop_time, &r->run, error);
    if (r->trace.sensitivity && status >= 0) {
        study_take_event_rates(r);
        study_take_parameter_rates(r, values, count);
    }
    sensitivity_destroy(r->trace.sensitivity);
    r->trace.sensitivity = NULL;
    return status;
}

static void study_advance(StudyRunner *r, const ParameterValue *values, uint32_t count,
                          StudyOutcome *outcome)
{
    SaltusError error = {0};
    SaltusOptions options = r->study->def.options;
    options.parameters = r->parameters;
    options.record = r->by_count ? SALTUS_RECORD_EVENTS : SALTUS_RECORD_NOTHING;
    options.row = r->by_count ? study_row : NULL;
    options.piece = r->is_blind ? NULL : study_piece;
    options.progress = study_progress;
    options.user = r;
    const SaltusStatus status = study_start_run(r, values, count, &options, &error);
    study_fail(r, outcome, status, status == SALTUS_OK ? "" : error.message);
    saltus_error_clear(&error);
    if (status == SALTUS_INTERRUPTED && !study_is_interrupted(r->study)) // by what looks at it
        study_fail(r, outcome, SALTUS_ERROR_EVALUATION,
                   "out of memory for what is observed, or it could not be evaluated");
    if (!r->run)
        return;
    outcome->run = r->run;
    outcome->end_time = saltus_run_time(r->run);
    outcome->statistics = saltus_run_statistics(r->run);
    outcome->solver = saltus_run_solver(r->run);
}

// With what inputs begin with before them. False: out of memory.
static bool study_add_inputs(StudyRunner *r, const ParameterValue **values, uint32_t *count)
{
    const EmbeddedSignals *in = r->study->inputs;
    if (!in)
        return true;
    if (r->given_room < in->value_count + *count + 1) {
        free(r->given);
        r->given_room = in->value_count + *count + 1;
        r->given = calloc(r->given_room, sizeof *r->given);
    }
    if (!r->given) {
        r->given_room = 0;
        return false;
    }
    memcpy(r->given, in->values, in->value_count * sizeof *in->values);
    if (*count)
        memcpy(r->given + in->value_count, *values, *count * sizeof **values);
    *values = r->given;
    *count += in->value_count;
    return true;
}

void study_run(StudyRunner *r, const ParameterValue *values, uint32_t count, StudyOutcome *outcome)
{
    struct timespec begin, end;
    *outcome = (StudyOutcome){.end_time = NAN};
    forget_run(r);
    if (!study_add_inputs(r, &values, &count)) {
        study_fail(r, outcome, SALTUS_ERROR_MEMORY, "out of memory");
        return;
    }
    if (!study_prepare(r, values, count, outcome))
        return;
    timespec_get(&begin, TIME_UTC);
    study_advance(r, values, count, outcome);
    timespec_get(&end, TIME_UTC);
    outcome->seconds =
        (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
    if (!r->run || outcome->status == SALTUS_INTERRUPTED || r->is_blind)
        return;
    outcome->is_observed = observer_finish(r->observer, r->run);
    if (!outcome->is_observed && outcome->status >= 0)
        study_fail(r, outcome, SALTUS_ERROR_EVALUATION,
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

// ---------------------------------------------------------------------------
// Events in words
// ---------------------------------------------------------------------------

static void study_append(char **text, const char *separator, const char *more)
{
    if (*text)
        message_add(text, "%s%s", **text ? separator : "", more);
}

static void study_append_fired(void *user, const char *text, int direction)
{
    study_append(user, "; ", text);
    study_append(user, "", direction > 0 ? " rising" : direction < 0 ? " falling" : "");
}

// FNV-1a; where a piece ends counts, too.
static void study_hash(uint64_t *sum, const char *piece)
{
    do
        *sum = (*sum ^ (unsigned char)*piece) * UINT64_C(1099511628211);
    while (*piece++);
}

static void study_hash_fired(void *user, const char *text, int direction)
{
    study_hash(user, text);
    study_hash(user, direction > 0 ? "+" : direction < 0 ? "-" : "");
}

// The modes before and after an event; false: they are the same, or one is not known.
static bool study_change(const StudyRunner *r, const SaltusLogEntry *e, const char **from,
                         const char **to)
{
    const SaltusModeDef *before = saltus_system_mode(r->variant->system, e->from);
    const SaltusModeDef *after = saltus_system_mode(r->variant->system, e->to);
    *from = before ? before->name : NULL;
    *to = after ? after->name : NULL;
    return e->from != e->to && before && after;
}

bool study_event_hash(const StudyRunner *r, long index, uint64_t *hash)
{
    const char *from, *to;
    *hash = UINT64_C(14695981039346656037);
    if (!r->run || index < 0 || index >= saltus_run_event_count(r->run))
        return false;
    const LogSource source = {.system = r->variant->system, .run = r->run};
    const SaltusLogEntry e = saltus_run_event(r->run, index);
    log_conditions(&source, &e, study_hash_fired, hash);
    if (study_change(r, &e, &from, &to)) {
        study_hash(hash, from);
        study_hash(hash, to);
    }
    return true;
}

bool study_event_text(const StudyRunner *r, long index, char **text)
{
    const char *from, *to;
    message_set(text, "%s", "");
    if (!r->run || index < 0 || index >= saltus_run_event_count(r->run))
        return false;
    const LogSource source = {.system = r->variant->system, .run = r->run};
    const SaltusLogEntry e = saltus_run_event(r->run, index);
    log_conditions(&source, &e, study_append_fired, text);
    if (study_change(r, &e, &from, &to)) {
        study_append(text, ": ", from);
        study_append(text, " -> ", to);
    }
    return true;
}
