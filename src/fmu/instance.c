// SPDX-License-Identifier: MIT

#include "fmu/instance.h"

#include "base/error.h"
#include "base/named.h"
#include "fmi/description_write.h"
#include "fmu/built_in.h"
#include "fmu/exchange.h"
#include "fmu/journal.h"
#include "fmu/location.h"
#include "modes/model_parts.h"
#include "open/embed.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------
// Messages
// ---------------------------------------------------------------------------

static const char *const category_names[] = {
#define CATEGORY_NAME(name, what) name,
    FMU_LOG_CATEGORIES(CATEGORY_NAME)
#undef CATEGORY_NAME
};

FmuStatus fmu_say(const Fmu *fmu, FmuStatus status, unsigned category, const char *format, ...)
{
    char *message = NULL;
    enum { CATEGORIES = sizeof category_names / sizeof *category_names };
    int index = 0;
    if (!(fmu->categories & category) || !fmu->log)
        return status;
    while (index + 1 < CATEGORIES && category >> (index + 1))
        index++;
    va_list arguments;
    va_start(arguments, format);
    message_set_arguments(&message, format, arguments);
    va_end(arguments);
    fmu->log(fmu, status, category_names[index], message_text(message));
    free(message);
    return status;
}

void fmu_set_logging(Fmu *fmu, bool is_on, size_t count, const char *const *categories)
{
    fmu->categories = is_on && count == 0 ? LOG_ALL : 0;
    for (size_t i = 0; i < count && is_on; i++)
        for (size_t k = 0; k < sizeof category_names / sizeof *category_names; k++)
            if (categories[i] && strcmp(categories[i], category_names[k]) == 0)
                fmu->categories |= 1U << k;
}

FmuStatus fmu_refuse(const Fmu *fmu, const char *function, const char *why)
{
    return fmu_say(fmu, FMU_ERROR, LOG_ERRORS, "%s: %s", function, why);
}

FmuStatus fmu_fail(Fmu *fmu, const char *message)
{
    fmu->state.phase = PHASE_FAILED;
    return fmu_say(fmu, FMU_ERROR, LOG_ERRORS, "%s", message);
}

// ---------------------------------------------------------------------------
// Making
// ---------------------------------------------------------------------------

// The names of a model, sorted; NULL: out of memory.
static NamedNumber *sort_names(const SaltusModel *model, int count,
                               const char *(*name)(const SaltusModel *, int))
{
    NamedNumber *names = calloc((size_t)count + 1, sizeof *names);
    for (int i = 0; names && i < count; i++)
        names[i] = (NamedNumber){name(model, i), i};
    if (names)
        named_sort(names, (size_t)count);
    return names;
}

// What each value reference is in the model. False: one is not there.
static bool fmu_find_items(Fmu *fmu)
{
    const FmuManifest *m = &fmu->manifest;
    const int variables = saltus_model_variable_count(fmu->model);
    const int parameters = saltus_model_parameter_count(fmu->model);
    NamedNumber *by_variable = sort_names(fmu->model, variables, saltus_model_variable_name);
    NamedNumber *by_parameter = sort_names(fmu->model, parameters, saltus_model_parameter_name);
    const char *missing = by_variable && by_parameter ? NULL : "memory";
    for (int i = 0; i < m->item_count && !missing; i++) {
        const Item *item = &m->items[i];
        const bool is_parameter = item->kind == ITEM_PARAMETER || item->kind == ITEM_FIXED;
        fmu->index[i] = is_parameter ? named_find(by_parameter, (size_t)parameters, item->text)
                                     : named_find(by_variable, (size_t)variables, item->text);
        fmu->input[i] =
            item->kind == ITEM_INPUT ? saltus_model_find_input(fmu->model, item->text) : -1;
        if (item->kind <= ITEM_INPUT &&
            (fmu->index[i] < 0 || (item->kind == ITEM_INPUT && fmu->input[i] < 0)))
            missing = item->text;
    }
    free(by_variable);
    free(by_parameter);
    if (missing)
        fmu_say(fmu, FMU_ERROR, LOG_ERRORS, "the model has no %s", missing);
    return !missing;
}

// Start values that can be set, and parameters that were set when the FMU was made.
static SaltusSetting *fmu_own_settings(const FmuManifest *m, int *count, char **names)
{
    size_t room = 1;
    for (int i = 0; i < m->item_count; i++)
        room += m->items[i].kind == ITEM_START ? strlen(m->items[i].text) + sizeof ".start" : 0;
    SaltusSetting *settings =
        calloc((size_t)m->item_count + (size_t)m->set_count + 1, sizeof *settings);
    char *text = *names = malloc(room);
    *count = 0;
    for (int i = 0; settings && text && i < m->set_count; i++)
        settings[(*count)++] = (SaltusSetting){m->sets[i].text, m->sets[i].value};
    for (int i = 0; settings && text && i < m->item_count; i++) {
        if (m->items[i].kind != ITEM_START)
            continue;
        settings[(*count)++] = (SaltusSetting){text, m->items[i].value};
        text += sprintf(text, "%s.start", m->items[i].text) + 1;
    }
    return settings;
}

// "resources/modelica" and the files in it.
static bool fmu_open_model(Fmu *fmu, const char *resources)
{
    const FmuManifest *m = &fmu->manifest;
    SaltusModelDef def = saltus_default_model();
    const size_t room = strlen(resources) + 2;
    char **files = calloc((size_t)m->file_count + 1, sizeof *files);
    char *library = malloc(room + sizeof "modelica"), *names = NULL;
    SaltusSetting *settings = fmu_own_settings(m, &def.setting_count, &names);
    bool is_fine = files && library && settings && names;
    for (int i = 0; i < m->file_count && is_fine; i++) {
        files[i] = malloc(room + strlen(m->files[i]));
        is_fine = files[i];
        if (is_fine)
            sprintf(files[i], "%s/%s", resources, m->files[i]);
    }
    if (is_fine) {
        sprintf(library, "%s/modelica", resources);
        def.file_count = m->file_count;
        def.files = (const char *const *)files;
        def.name = m->model;
        def.modification = m->modification;
        def.settings = settings;
        def.library_path = library;
        def.live_inputs = true;
        const SaltusStatus status = embed_create(&def, NULL, &fmu->model);
        is_fine = status == SALTUS_OK;
        if (!is_fine)
            fmu_say(fmu, FMU_ERROR, LOG_ERRORS, "%s",
                    fmu->model ? saltus_model_messages(fmu->model) : saltus_status_text(status));
    }
    for (int i = 0; files && i < m->file_count; i++)
        free(files[i]);
    free(files);
    free(library);
    free(names);
    free(settings);
    return is_fine;
}

// The modes that came with the FMU are run as compiled code, all others interpreted. Even if there
// are none, this keeps the instructions of all modes, for exact derivatives.
static void fmu_find_modes(Fmu *fmu)
{
    fmu->modes = location_modes();
    const NativeOptions options = {.cache = fmu->modes ? fmu->modes : "/nowhere",
                                   .store = NATIVE_SEALED,
                                   .built_in = fmu_built_in};
    model_set_backend(embed_model(fmu->model), BACKEND_C, &options);
}

static bool fmu_allocate(Fmu *fmu)
{
    const size_t items = (size_t)fmu->manifest.item_count + 1;
    fmu->index = calloc(items, sizeof *fmu->index);
    fmu->input = calloc(items, sizeof *fmu->input);
    fmu->state.given = calloc(items, sizeof *fmu->state.given);
    fmu->assignments = calloc(items, sizeof *fmu->assignments);
    for (int i = 0; i < fmu->manifest.item_count; i++) {
        fmu->state_count += fmu->manifest.items[i].kind == ITEM_DERIVATIVE;
        fmu->clock_count += fmu->manifest.items[i].kind == ITEM_CLOCK;
    }
    fmu->has_ticked = calloc((size_t)fmu->clock_count + 1, sizeof *fmu->has_ticked);
    fmu->clocks = calloc((size_t)fmu->clock_count + 1, sizeof *fmu->clocks);
    for (int i = 0, k = 0; fmu->clocks && i < fmu->manifest.item_count; i++)
        if (fmu->manifest.items[i].kind == ITEM_CLOCK)
            fmu->clocks[k++] = (uint32_t)i;
    fmu->state.x = calloc((size_t)fmu->state_count + 1, sizeof *fmu->state.x);
    fmu->y = calloc((size_t)saltus_model_variable_count(fmu->model) + 1, sizeof *fmu->y);
    return fmu->index && fmu->input && fmu->state.given && fmu->assignments && fmu->state.x &&
           fmu->y && fmu->has_ticked && fmu->clocks;
}

static void fmu_clear(FmuState *state, int item_count)
{
    if (state->given)
        memset(state->given, 0, (size_t)item_count * sizeof *state->given);
    state->phase = PHASE_INSTANTIATED;
    state->start_time = state->stop_time = state->tolerance = NAN;
    state->has_pending = false;
    journal_release(state->journal);
    state->journal = NULL;
    state->journal_count = 0;
    state->is_unwritten = false;
}

Fmu *fmu_create(const char *name, const char *token, const char *location, FmuLog *log, void *user,
                void *environment, unsigned categories)
{
    Fmu *fmu = calloc(1, sizeof *fmu);
    char *message = NULL;
    if (!fmu)
        return NULL;
    char *resources = location_folder(location);
    *fmu = (Fmu){.log = log,
                 .user = user,
                 .environment = environment,
                 .categories = categories | LOG_ERRORS}; // why there is no instance
    fmu->name = strdup(name ? name : "");
    bool is_fine = fmu->name && resources;
    if (!resources)
        fmu_say(fmu, FMU_ERROR, LOG_ERRORS,
                "the resources of the FMU are in no folder that can be read: '%s'",
                location ? location : "");
    if (is_fine && !manifest_read(&fmu->manifest, resources, &message)) {
        fmu_say(fmu, FMU_ERROR, LOG_ERRORS, "%s", message_text(message));
        free(message);
        is_fine = false;
    }
    if (is_fine && (!token || !fmu->manifest.token || strcmp(token, fmu->manifest.token) != 0)) {
        fmu_say(fmu, FMU_ERROR, LOG_ERRORS, "the token '%s' is not that of the FMU",
                token ? token : "");
        is_fine = false;
    }
    is_fine = is_fine && fmu_open_model(fmu, resources) && fmu_allocate(fmu) && fmu_find_items(fmu);
    free(resources);
    fmu_clear(&fmu->state, fmu->manifest.item_count);
    fmu->categories = categories;
    fmu->told = -INFINITY;
    if (is_fine) {
        fmu_find_modes(fmu);
        fmu->has_past = embed_model(fmu->model)->delay_count > 0;
    }
    if (is_fine)
        return fmu;
    fmu_destroy(fmu);
    return NULL;
}

static void release_system(FmuSystem *system)
{
    if (!system || --system->users > 0)
        return;
    saltus_system_destroy(system->system);
    free(system);
}

static void drop_run(FmuState *state)
{
    if (state->run)
        saltus_run_destroy(state->run);
    release_system(state->system);
    state->run = NULL;
    state->system = NULL;
}

void fmu_destroy(Fmu *fmu)
{
    if (!fmu)
        return;
    drop_run(&fmu->state);
    journal_release(fmu->state.journal);
    saltus_model_destroy(fmu->model);
    free(fmu->modes);
    manifest_free(&fmu->manifest);
    exchange_destroy(fmu);
    free(fmu->state.given);
    free(fmu->state.x);
    free(fmu->assignments);
    free(fmu->index);
    free(fmu->input);
    free(fmu->y);
    free(fmu->has_ticked);
    free(fmu->clocks);
    free(fmu->name);
    free(fmu);
}

// ---------------------------------------------------------------------------
// The run
// ---------------------------------------------------------------------------

void fmu_end_ticks(Fmu *fmu)
{
    memset(fmu->has_ticked, 0, (size_t)fmu->clock_count * sizeof *fmu->has_ticked);
}

// What ticks at an event: samples that are due, clocks whose counters change.
static void fmu_note_ticks(Fmu *fmu, const SaltusLogEntry *entry)
{
    if (fmu->clock_count == 0 || entry->occasion & SALTUS_AT_REQUEST)
        return;
    fmu->tick_time = entry->t;
    for (int k = 0; k < fmu->clock_count; k++) {
        const Item *clock = &fmu->manifest.items[fmu->clocks[k]];
        bool ticks = false;
        for (int i = 0; i < entry->time_count && !ticks; i++)
            ticks = entry->time_ids[i] == clock->value;
        for (int i = 0; i < entry->change_count && !ticks && clock->value < 0.0; i++)
            ticks = strcmp(entry->changes[i].name, clock->text) == 0;
        fmu->has_ticked[k] = ticks;
    }
}

static int fmu_logged(void *user, const SaltusLogEntry *entry)
{
    Fmu *fmu = user;
    char classes[SALTUS_CLASSES_TEXT_SIZE];
    fmu_note_ticks(fmu, entry);
    if (entry->occasion & (SALTUS_AT_START | SALTUS_AT_REQUEST))
        return 0;
    fmu->event_count++;
    if (fmu->categories & LOG_EVENTS) {
        const SaltusSystem *system = fmu->state.system ? fmu->state.system->system : NULL;
        const SaltusModeDef *mode = system ? saltus_system_mode(system, entry->to) : NULL;
        fmu_say(fmu, FMU_OK, LOG_EVENTS, "event at t = %.17g, %s, then in mode %s", entry->t,
                saltus_classes_text(entry->classes, classes), mode ? mode->name : "?");
    }
    return fmu->stops_at_events;
}

static int fmu_progress(void *user, double t, double stop_time)
{
    Fmu *fmu = user;
    if (fmu->is_repeating)
        return t >= fmu->early_time;
    if (!fmu->intermediate || !(t < stop_time))
        return 0;
    fmu->has_y = false;
    return fmu->intermediate(fmu, t);
}

SaltusOptions fmu_options(Fmu *fmu)
{
    const FmuState *s = &fmu->state;
    double stop_time;
    SaltusOptions o = saltus_model_options(fmu->model, &stop_time);
    if (!isnan(s->start_time)) {
        stop_time += s->start_time - o.start_time;
        o.start_time = s->start_time;
    }
    if (!isnan(s->stop_time) && s->stop_time > o.start_time)
        stop_time = s->stop_time;
    o.method.max_step = (stop_time - o.start_time) / 50.0;
    if (s->tolerance > 0.0) {
        o.method.relative_tolerance = s->tolerance;
        o.method.absolute_tolerance = 1e-3 * s->tolerance;
    }
    o.record = SALTUS_RECORD_NOTHING;
    o.logged = fmu_logged;
    o.progress = fmu->intermediate || fmu->is_repeating ? fmu_progress : NULL;
    o.user = fmu;
    return o;
}

// "x.start" of a start value that was given; names end with the settings.
static int fmu_given_settings(Fmu *fmu, SaltusSetting *settings, char **names)
{
    const FmuManifest *m = &fmu->manifest;
    int count = 0;
    for (int i = 0; i < m->item_count; i++) {
        if (!fmu->state.given[i].is_given)
            continue;
        const char *name = m->items[i].text;
        if (m->items[i].kind == ITEM_START) {
            names[count] = malloc(strlen(name) + sizeof ".start");
            if (!names[count])
                return -1;
            sprintf(names[count], "%s.start", name);
            name = names[count];
        }
        settings[count++] = (SaltusSetting){name, fmu->state.given[i].value};
    }
    return count;
}

static FmuStatus fmu_fail_by(Fmu *fmu, SaltusError *error)
{
    const FmuStatus status = fmu_fail(fmu, error->message);
    saltus_error_clear(error);
    return status;
}

static SaltusStatus fmu_make_system(Fmu *fmu, SaltusSystem **system, SaltusError *error)
{
    const size_t room = (size_t)fmu->manifest.item_count + 1;
    SaltusSetting *settings = calloc(room, sizeof *settings);
    char **names = calloc(room, sizeof *names);
    const int count = settings && names ? fmu_given_settings(fmu, settings, names) : -1;
    SaltusStatus status = SALTUS_ERROR_MEMORY;
    if (count >= 0)
        status = saltus_model_system(fmu->model, settings, count, system, error);
    else
        error_set(error, status, "out of memory");
    for (size_t i = 0; names && i < room; i++)
        free(names[i]);
    free(names);
    free(settings);
    return status;
}

FmuStatus fmu_open_system(Fmu *fmu)
{
    FmuState *s = &fmu->state;
    SaltusError error;
    s->system = calloc(1, sizeof *s->system);
    if (!s->system)
        return fmu_fail(fmu, "out of memory");
    s->system->users = 1;
    if (fmu_make_system(fmu, &s->system->system, &error) != SALTUS_OK) {
        free(s->system);
        s->system = NULL;
        return fmu_fail_by(fmu, &error);
    }
    return FMU_OK;
}

// The run with what was given so far, at its start time.
static FmuStatus fmu_start(Fmu *fmu)
{
    FmuState *s = &fmu->state;
    SaltusError error;
    const FmuStatus opened = fmu_open_system(fmu);
    if (opened != FMU_OK)
        return opened;
    const SaltusOptions options = fmu_options(fmu);
    fmu_end_ticks(fmu);
    const SaltusStatus status = saltus_run_create(s->system->system, &options, &s->run, &error);
    if (status < 0 || !s->run)
        return fmu_fail_by(fmu, &error);
    saltus_error_clear(&error);
    bool has_rates = false;
    for (int i = 0; i < fmu->manifest.item_count; i++) {
        const double *rates = s->given[i].rates;
        s->given[i].is_pending = rates[0] != 0.0 || rates[1] != 0.0 || rates[2] != 0.0;
        has_rates |= s->given[i].is_pending;
    }
    s->has_pending = has_rates;
    fmu->has_y = false;
    return FMU_OK;
}

// What was given since the last time, as one event.
static FmuStatus fmu_assign(Fmu *fmu)
{
    FmuState *s = &fmu->state;
    int count = 0;
    for (int i = 0; i < fmu->manifest.item_count; i++) {
        Given *given = &s->given[i];
        if (!given->is_pending)
            continue;
        given->is_pending = false;
        const bool is_input = fmu->manifest.items[i].kind == ITEM_INPUT;
        SaltusAssignment *a = &fmu->assignments[count++];
        *a = (SaltusAssignment){.target = is_input ? SALTUS_TARGET_INPUT : SALTUS_TARGET_PARAMETER,
                                .index = is_input ? fmu->input[i] : fmu->index[i],
                                .value = given->value};
        memcpy(a->rates, given->rates, sizeof a->rates);
        given->is_moving = a->rates[0] != 0.0 || a->rates[1] != 0.0 || a->rates[2] != 0.0;
        memset(given->rates, 0, sizeof given->rates); // of the next time that it is set
    }
    s->has_pending = false;
    fmu->has_y = false;
    SaltusError error = {0};
    const SaltusStatus status =
        count ? saltus_model_set(fmu->model, s->run, fmu->assignments, count, &error) : SALTUS_OK;
    const FmuStatus said = status == SALTUS_ERROR_ARGUMENT // refused before anything changed
                               ? fmu_say(fmu, FMU_ERROR, LOG_ERRORS, "%s", error.message)
                               : status < 0 ? fmu_fail(fmu, error.message) : FMU_OK;
    saltus_error_clear(&error);
    return said;
}

FmuStatus fmu_settle(Fmu *fmu)
{
    FmuState *s = &fmu->state;
    if (s->phase == PHASE_FAILED)
        return FMU_ERROR;
    if (s->phase < PHASE_RUNNING && s->has_pending) {
        drop_run(s);
        s->has_pending = false;
    }
    if (!s->run) {
        const FmuStatus status = fmu_start(fmu);
        if (status != FMU_OK)
            return status;
    }
    return s->has_pending ? fmu_assign(fmu) : FMU_OK;
}

FmuStatus fmu_reset(Fmu *fmu)
{
    exchange_destroy(fmu);
    drop_run(&fmu->state);
    fmu_clear(&fmu->state, fmu->manifest.item_count);
    fmu->has_y = false;
    fmu->told = -INFINITY;
    return FMU_OK;
}

FmuStatus fmu_set_experiment(Fmu *fmu, double tolerance, double start_time, double stop_time)
{
    FmuState *s = &fmu->state;
    if (s->phase != PHASE_INSTANTIATED)
        return fmu_refuse(fmu, "set the experiment", "the instance is initialized");
    s->tolerance = tolerance;
    s->start_time = start_time;
    s->stop_time = stop_time;
    s->has_pending = true; // a run that was looked at may have begun elsewhere
    return FMU_OK;
}

FmuStatus fmu_enter_initialization(Fmu *fmu)
{
    if (fmu->state.phase != PHASE_INSTANTIATED)
        return fmu_refuse(fmu, "EnterInitializationMode", "the instance is initialized");
    fmu->state.phase = PHASE_INITIALIZING;
    return FMU_OK;
}

FmuStatus fmu_initialize(Fmu *fmu)
{
    const FmuState *s = &fmu->state;
    if (s->phase != PHASE_INITIALIZING)
        return fmu_refuse(fmu, "ExitInitializationMode", "the instance is not in that mode");
    const double experiment[] = {s->start_time, s->stop_time, s->tolerance};
    journal_add(fmu, JOURNAL_INITIALIZE, 0, 0, 3, experiment);
    const FmuStatus status = fmu_settle(fmu);
    if (status != FMU_OK)
        return status;
    fmu->state.phase = PHASE_RUNNING;
    return fmu->is_exchange ? exchange_begin(fmu, true) : FMU_OK;
}

FmuStatus fmu_terminate(Fmu *fmu)
{
    FmuState *s = &fmu->state;
    SaltusStatus status = SALTUS_OK;
    journal_add(fmu, JOURNAL_TERMINATE, 0, 0, 0, NULL);
    if (s->phase == PHASE_RUNNING && s->run && !fmu->is_exchange) {
        status = saltus_model_finish(fmu->model, s->run);
        fmu->has_y = false;
    }
    if (status < 0)
        return fmu_fail(fmu, saltus_run_error(s->run)->message);
    if (s->phase != PHASE_FAILED)
        s->phase = PHASE_TERMINATED;
    return FMU_OK;
}

// ---------------------------------------------------------------------------
// Values
// ---------------------------------------------------------------------------

// All variables now. Inside a step (from the intermediate callback) nothing is settled.
static FmuStatus fmu_look(Fmu *fmu)
{
    FmuState *s = &fmu->state;
    const bool is_settled = s->run && (!s->has_pending || fmu->exchange);
    if (!is_settled && s->phase != PHASE_TERMINATED) {
        journal_add(fmu, JOURNAL_SETTLE, 0, 0, 0, NULL);
        const FmuStatus status = fmu_settle(fmu);
        if (status != FMU_OK)
            return status;
    }
    if (fmu->has_y)
        return FMU_OK;
    if (fmu->exchange && s->phase == PHASE_RUNNING)
        return exchange_look(fmu);
    if (!s->run || saltus_run_outputs(s->run, fmu->y) != 0)
        return fmu_refuse(fmu, "get", "the variables could not be computed");
    fmu->has_y = true;
    return FMU_OK;
}

FmuStatus fmu_get(Fmu *fmu, uint32_t reference, double *value)
{
    *value = NAN;
    if (reference >= (uint32_t)fmu->manifest.item_count)
        return fmu_refuse(fmu, "get", "there is no such value reference");
    const Item *item = &fmu->manifest.items[reference];
    if (item->kind == ITEM_STRING || item->kind == ITEM_CLOCK)
        return fmu_refuse(fmu, "get", "a String or a Clock is no number");
    if (item->kind == ITEM_CONSTANT) {
        *value = item->value;
        return FMU_OK;
    }
    const FmuStatus status = fmu_look(fmu);
    if (status != FMU_OK)
        return status;
    const int index = fmu->index[reference];
    switch (item->kind) {
    case ITEM_PARAMETER:
    case ITEM_FIXED:
        *value = saltus_run_parameters(fmu->state.run)[index];
        break;
    case ITEM_TIME:
        *value = fmu->exchange ? fmu->state.time : saltus_run_time(fmu->state.run);
        break;
    case ITEM_STATE:
    case ITEM_DERIVATIVE:
    case ITEM_INDICATOR:
        return exchange_get(fmu, item, value);
    default:
        *value = fmu->y[index];
    }
    return FMU_OK;
}

FmuStatus fmu_get_clock(const Fmu *fmu, uint32_t reference, bool *value)
{
    *value = false;
    if (reference >= (uint32_t)fmu->manifest.item_count ||
        fmu->manifest.items[reference].kind != ITEM_CLOCK)
        return fmu_refuse(fmu, "get", "there is no Clock with this value reference");
    const bool is_there = fmu->state.run && fmu->tick_time == saltus_run_time(fmu->state.run);
    for (int k = 0; k < fmu->clock_count && is_there; k++)
        if (fmu->clocks[k] == reference)
            *value = fmu->has_ticked[k];
    return FMU_OK;
}

FmuStatus fmu_get_text(Fmu *fmu, uint32_t reference, const char **value)
{
    if (reference >= (uint32_t)fmu->manifest.item_count ||
        fmu->manifest.items[reference].kind != ITEM_STRING)
        return fmu_refuse(fmu, "get", "there is no String with this value reference");
    *value = fmu->manifest.items[reference].text;
    return FMU_OK;
}

// Whether it may be set now; else the reason is said.
static FmuStatus fmu_check_set(const Fmu *fmu, uint32_t reference)
{
    if (reference >= (uint32_t)fmu->manifest.item_count)
        return fmu_refuse(fmu, "set", "there is no such value reference");
    const Item *item = &fmu->manifest.items[reference];
    const FmuPhase phase = fmu->state.phase;
    if (phase >= PHASE_TERMINATED)
        return fmu_refuse(fmu, "set", "the simulation has ended");
    if (item->kind == ITEM_INPUT || item->kind == ITEM_PARAMETER ||
        (item->kind == ITEM_START && phase < PHASE_RUNNING))
        return FMU_OK;
    return fmu_say(fmu, FMU_ERROR, LOG_ERRORS, "set: %s cannot be set%s", item->text,
                   item->kind == ITEM_START ? " after the initialization" : "");
}

FmuStatus fmu_set(Fmu *fmu, uint32_t reference, double value)
{
    const FmuStatus status = fmu_check_set(fmu, reference);
    if (status != FMU_OK)
        return status;
    Given *given = &fmu->state.given[reference];
    if (given->is_given && given->value == value && !given->is_pending && !given->is_moving)
        return FMU_OK; // it has this value
    journal_add(fmu, JOURNAL_SET, reference, 0, 1, &value);
    given->value = value;
    given->is_given = given->is_pending = true;
    fmu->state.has_pending = true;
    return fmu->exchange ? exchange_set_input(fmu, reference) : FMU_OK;
}

FmuStatus fmu_set_rate(Fmu *fmu, uint32_t reference, int order, double value)
{
    const FmuStatus status = fmu_check_set(fmu, reference);
    if (status != FMU_OK)
        return status;
    if (fmu->manifest.items[reference].kind != ITEM_INPUT || order < 1 || order > 3)
        return fmu_refuse(fmu, "set", "derivatives are of inputs, of order 1 to 3");
    Given *given = &fmu->state.given[reference];
    if (!given->is_given) {
        const FmuStatus got = fmu_get(fmu, reference, &given->value);
        if (got != FMU_OK)
            return got;
    }
    journal_add(fmu, JOURNAL_RATE, reference, order, 1, &value);
    given->rates[order - 1] = value;
    given->is_given = given->is_pending = true;
    fmu->state.has_pending = true;
    return FMU_OK;
}

// ---------------------------------------------------------------------------
// Steps
// ---------------------------------------------------------------------------

// Says a warning of the model that is new; false: there is none of this number.
static bool fmu_tell_warning(const Fmu *fmu, int number)
{
    const SaltusRun *run = fmu->state.run;
    double time;
    const size_t length = saltus_model_warning(fmu->model, run, number, &time, NULL, 0);
    char *text = length > 0 && time > fmu->told ? malloc(length + 1) : NULL;
    if (text) {
        saltus_model_warning(fmu->model, run, number, &time, text, length + 1);
        fmu_say(fmu, FMU_WARNING, LOG_WARNINGS, "from t = %.10g on: %s", time, text);
    }
    free(text);
    return length > 0;
}

// What the model warns of since the last time, and what it printed.
static void fmu_tell(Fmu *fmu)
{
    const SaltusRun *run = fmu->state.run;
    double time;
    bool is_warning;
    const char *printed;
    if (!fmu->log || !fmu->categories)
        return;
    for (int i = 0; fmu_tell_warning(fmu, i); i++)
        continue;
    while ((printed = saltus_model_printed(fmu->model, run, &time, &is_warning)))
        fmu_say(fmu, is_warning ? FMU_WARNING : FMU_OK, is_warning ? LOG_WARNINGS : LOG_EVENTS,
                "%s", printed);
    fmu->told = saltus_run_time(run);
}

static FmuStatus fmu_judge(Fmu *fmu, SaltusStatus status, double target, FmuStep *done)
{
    const SaltusRun *run = fmu->state.run;
    fmu_tell(fmu);
    done->time = saltus_run_time(run);
    done->had_event = fmu->event_count > 0;
    done->is_early = done->time < target;
    if (status < 0)
        return fmu_fail(fmu, saltus_run_error(run)->message);
    done->has_ended = status == SALTUS_TERMINATED || status == SALTUS_ZENO;
    if (done->has_ended)
        fmu_say(fmu, FMU_WARNING, LOG_WARNINGS, "%s", saltus_run_error(run)->message);
    return FMU_OK;
}

FmuStatus fmu_step(Fmu *fmu, double time, double step, FmuStep *done)
{
    *done = (FmuStep){.time = time};
    if (fmu->state.phase != PHASE_RUNNING)
        return fmu_refuse(fmu, "DoStep", "the instance is not in step mode");
    if (fmu->state.has_pending) {
        const FmuStatus status = fmu_settle(fmu);
        if (status != FMU_OK)
            return status;
    }
    const double now = saltus_run_time(fmu->state.run), target = time + step;
    if (!(fabs(time - now) <= 1e-9 * fmax(fabs(now), fabs(step))) || !(step >= 0.0))
        return fmu_say(fmu, FMU_ERROR, LOG_ERRORS,
                       "DoStep: a step of %g from t = %.17g, but the instance is at t = %.17g",
                       step, time, now);
    fmu->event_count = 0;
    fmu->has_y = false;
    fmu_end_ticks(fmu);
    const SaltusStatus status =
        target > now ? saltus_run_advance(fmu->state.run, target) : SALTUS_OK;
    const FmuStatus judged = fmu_judge(fmu, status, target, done);
    const double numbers[] = {time, step, done->time, fmu->stops_at_events};
    journal_add(fmu, JOURNAL_STEP, 0, 0, 4, numbers);
    return judged;
}

// ---------------------------------------------------------------------------
// Kept states
// ---------------------------------------------------------------------------

// A copy of what changes; `to` has room for what is given.
static FmuStatus fmu_copy_state(Fmu *fmu, const FmuState *from, FmuState *to)
{
    SaltusRun *run = NULL;
    SaltusError error = {.message = "out of memory"};
    if (from->run && saltus_run_copy(from->run, &run, &error) != SALTUS_OK) {
        fmu_say(fmu, FMU_ERROR, LOG_ERRORS, "the state cannot be copied: %s", error.message);
        saltus_error_clear(&error);
        return FMU_ERROR;
    }
    if (from->system)
        from->system->users++;
    drop_run(to);
    journal_release(to->journal);
    Given *given = to->given;
    double *x = to->x;
    memcpy(given, from->given, (size_t)fmu->manifest.item_count * sizeof *given);
    memcpy(x, from->x, (size_t)fmu->state_count * sizeof *x);
    *to = *from;
    to->given = given;
    to->x = x;
    to->run = run;
    journal_share(to->journal);
    return FMU_OK;
}

FmuStatus fmu_keep(Fmu *fmu, FmuState **kept)
{
    FmuState *state = *kept;
    if (!state) {
        state = calloc(1, sizeof *state);
        if (state)
            state->given = calloc((size_t)fmu->manifest.item_count + 1, sizeof *state->given);
        if (state)
            state->x = calloc((size_t)fmu->state_count + 1, sizeof *state->x);
        if (!state || !state->given || !state->x) {
            if (state)
                free(state->given), free(state->x);
            free(state);
            return fmu_refuse(fmu, "GetFMUState", "out of memory");
        }
    }
    const FmuStatus status = fmu_copy_state(fmu, &fmu->state, state);
    if (status != FMU_OK && !*kept)
        fmu_forget(fmu, state);
    else
        *kept = state;
    return status;
}

FmuStatus fmu_restore(Fmu *fmu, const FmuState *kept)
{
    if (!kept)
        return fmu_refuse(fmu, "SetFMUState", "there is no state");
    fmu->has_y = false;
    fmu_end_ticks(fmu);
    const FmuStatus status = fmu_copy_state(fmu, kept, &fmu->state);
    if (status != FMU_OK)
        return status;
    journal_add(fmu, JOURNAL_RESTORE, 0, 0, 0, NULL);
    if (!fmu->is_exchange || fmu->state.phase != PHASE_RUNNING)
        return FMU_OK;
    return fmu->exchange ? exchange_adopt(fmu, false) : exchange_begin(fmu, false);
}

void fmu_forget(Fmu *fmu, FmuState *kept)
{
    (void)fmu;
    if (!kept)
        return;
    drop_run(kept);
    journal_release(kept->journal);
    free(kept->given);
    free(kept->x);
    free(kept);
}
