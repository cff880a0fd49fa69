// SPDX-License-Identifier: MIT
//
// Studies of the public interface: sweeps, solutions and linearizations of a model by names. See
// saltus.h. The model is the caller's; only the observations are compiled, each time.

#include "base/error.h"
#include "open/embed.h"
#include "studies/linearize.h"
#include "studies/ridders.h"
#include "studies/solve.h"
#include "studies/sweep.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

SaltusStudyDef saltus_default_study(const SaltusModel *m)
{
    SaltusStudyDef def = {0};
    def.options = saltus_model_options(m, &def.stop_time);
    return def;
}

// ---------------------------------------------------------------------------
// A study
// ---------------------------------------------------------------------------

typedef struct EmbeddedStudy {
    const SaltusModel *model;
    const SaltusStudyDef *def;
    Study *study;
    ParameterValue *fixed;
    Axis *axes;
    size_t axis_count;
    atomic_bool stops;
    pthread_t caller; // whose thread is the only one that calls back
    struct timespec last;
    long runs; // as far as it is known
    SaltusError *error;
} EmbeddedStudy;

// Asks the caller whether to go on.
static void embedded_ask(EmbeddedStudy *s, double fraction)
{
    timespec_get(&s->last, TIME_UTC);
    if (s->def->progress && s->def->progress(s->def->user, fraction, s->runs) != 0)
        atomic_store(&s->stops, true);
}

// In a run of the caller's own thread: twenty times a second.
static void embedded_tick(void *user)
{
    EmbeddedStudy *s = user;
    struct timespec now;
    if (!s->def->progress || !pthread_equal(pthread_self(), s->caller))
        return;
    timespec_get(&now, TIME_UTC);
    const double passed =
        (double)(now.tv_sec - s->last.tv_sec) + 1e-9 * (double)(now.tv_nsec - s->last.tv_nsec);
    if (passed > 0.05 || passed < 0.0)
        embedded_ask(s, NAN);
}

static SaltusStatus embedded_fail(const EmbeddedStudy *s, SaltusStatus status, const char *text)
{
    error_set(s->error, status, "%s", text);
    return status;
}

static SaltusStatus embedded_fail_observations(const EmbeddedStudy *s)
{
    jmp_buf exhaustion;
    Compilation *c = study_compilation(s->study);
    jmp_buf *before = arena_on_exhaustion(c->arena, &exhaustion);
    if (setjmp(exhaustion) == 0) {
        StringBuilder out = builder_create(c->arena);
        diagnostics_render_text(c->diagnostics, false, &out);
        embedded_fail(s, SALTUS_ERROR_ARGUMENT, builder_string(&out).text);
    } else {
        embedded_fail(s, SALTUS_ERROR_ARGUMENT, "the observations have errors");
    }
    arena_on_exhaustion(c->arena, before);
    return SALTUS_ERROR_ARGUMENT;
}

static SaltusStatus embedded_read_fixed(EmbeddedStudy *s)
{
    s->fixed = calloc((size_t)s->def->fixed_count + 1, sizeof *s->fixed);
    if (!s->fixed)
        return embedded_fail(s, SALTUS_ERROR_MEMORY, "out of memory");
    const int count = s->def->fixed_count;
    const SaltusStatus status =
        embed_read_settings(s->model, s->def->fixed, count, s->fixed, s->error);
    return status == SALTUS_OK ? embed_check_values(s->model, s->fixed, count, s->error) : status;
}

static SaltusStatus embedded_open(EmbeddedStudy *s)
{
    const SaltusStudyDef *d = s->def;
    if (!s->model || !d || !embed_model(s->model) || d->fixed_count < 0 ||
        d->observation_count < 0 || d->jobs < 0)
        return embedded_fail(s, SALTUS_ERROR_ARGUMENT, "no model, or a wrong definition");
    if (!(d->stop_time >= d->options.start_time) || isinf(d->stop_time))
        return embedded_fail(s, SALTUS_ERROR_ARGUMENT, "the stop time is before the start time");
    s->caller = pthread_self();
    s->study = study_create(&(StudyDef){.loaded = s->model->loaded,
                                        .observation_count = (size_t)d->observation_count,
                                        .observations = d->observations,
                                        .options = d->options,
                                        .stop_time = d->stop_time,
                                        .stops = &s->stops,
                                        .tick = embedded_tick,
                                        .user = s});
    if (!s->study)
        return embedded_fail(s, SALTUS_ERROR_MEMORY, "out of memory");
    return study_observations(s->study) ? embedded_read_fixed(s) : embedded_fail_observations(s);
}

static void embedded_close(EmbeddedStudy *s)
{
    study_destroy(s->study);
    free(s->fixed);
    free(s->axes);
}

// A parameter that is varied. Each but for those that are fixed may be varied once.
static SaltusStatus embedded_add_axis(EmbeddedStudy *s, const char *name)
{
    const SaltusSetting setting = {name, 0.0};
    ParameterValue value;
    const SaltusStatus status = embed_read_settings(s->model, &setting, 1, &value, s->error);
    if (status != SALTUS_OK)
        return status;
    for (size_t i = 0; i < s->axis_count; i++)
        if (s->axes[i].parameter == value.number)
            return error_set(s->error, SALTUS_ERROR_ARGUMENT, "%s is given twice", name);
    for (int i = 0; i < s->def->fixed_count; i++)
        if (s->fixed[i].number == value.number)
            return error_set(s->error, SALTUS_ERROR_ARGUMENT, "%s is varied and fixed", name);
    const Parameters p = model_list_parameters(s->model->loaded->model);
    s->axes[s->axis_count++] =
        (Axis){.name = (char *)(uintptr_t)p.names[value.number],
               .parameter = value.number,
               .is_whole = FLAT_TYPE(p.flat[value.number])->kind != FLAT_TYPE_REAL};
    return SALTUS_OK;
}

// ---------------------------------------------------------------------------
// Sweeps
// ---------------------------------------------------------------------------

typedef struct EmbeddedSweep {
    SaltusSweep shown;
    double *results;
    SaltusStatus *statuses;
    const char **messages;
    int *lengths;
} EmbeddedSweep;

static void embedded_sweep_progress(void *user, size_t done, size_t failed, size_t total)
{
    EmbeddedStudy *s = user;
    (void)failed;
    s->runs = (long)done;
    embedded_ask(s, (double)done / (double)total);
}

void saltus_sweep_destroy(SaltusSweep *sweep)
{
    EmbeddedSweep *e = (EmbeddedSweep *)sweep;
    for (long i = 0; e && e->messages && i < sweep->point_count; i++)
        free((char *)(uintptr_t)e->messages[i]);
    if (!e)
        return;
    free(e->results);
    free(e->statuses);
    free(e->messages);
    free(e->lengths);
    free(e);
}

static char *embedded_copy(const char *text)
{
    char *copy = malloc(strlen(text) + 1);
    if (copy)
        memcpy(copy, text, strlen(text) + 1);
    return copy;
}

// NULL: out of memory.
static EmbeddedSweep *embedded_results(const EmbeddedStudy *s, Sweep *sweep)
{
    const Observations *o = study_observations(s->study);
    const size_t count = sweep_count(sweep), width = sweep_result_count(sweep);
    EmbeddedSweep *e = calloc(1, sizeof *e);
    if (!e)
        return NULL;
    e->shown = (SaltusSweep){.point_count = (long)count, .result_count = (int)width};
    e->shown.results = e->results = calloc(count * width + 1, sizeof *e->results);
    e->shown.statuses = e->statuses = calloc(count + 1, sizeof *e->statuses);
    e->shown.messages = e->messages = calloc(count + 1, sizeof *e->messages);
    e->shown.lengths = e->lengths = calloc(observations_count(o) + 1, sizeof *e->lengths);
    bool is_fine = e->results && e->statuses && e->messages && e->lengths;
    for (size_t i = 0; is_fine && i < observations_count(o); i++)
        e->lengths[i] = (int)observations_length(o, i);
    for (size_t i = 0; is_fine && i < count; i++) {
        const JournalRecord point = sweep_point(sweep, i);
        memcpy(e->results + i * width, point.values, width * sizeof *e->results);
        e->statuses[i] = (SaltusStatus)point.status;
        e->messages[i] = embedded_copy(point.message);
        is_fine = e->messages[i];
    }
    if (is_fine)
        return e;
    saltus_sweep_destroy(&e->shown);
    return NULL;
}

static SaltusStatus embedded_sweep(EmbeddedStudy *s, const SweepDef *def, SaltusSweep **result)
{
    char *message = NULL;
    Sweep *sweep = sweep_create(def, &message);
    const SweepStatus status = sweep ? sweep_run(sweep, &message) : SWEEP_FAILED;
    EmbeddedSweep *e = status == SWEEP_FINISHED ? embedded_results(s, sweep) : NULL;
    sweep_destroy(sweep);
    *result = e ? &e->shown : NULL;
    const SaltusStatus end =
        e                             ? SALTUS_OK
        : status == SWEEP_INTERRUPTED ? embedded_fail(s, SALTUS_INTERRUPTED, "interrupted")
        : status == SWEEP_FAILED ? embedded_fail(s, SALTUS_ERROR_ARGUMENT, message_text(message))
                                 : embedded_fail(s, SALTUS_ERROR_MEMORY, "out of memory");
    free(message);
    return end;
}

// Points with the values of the fixed parameters behind the others. NULL: out of memory.
static double *embedded_points(const EmbeddedStudy *s, const double *values, size_t width,
                               size_t count)
{
    const size_t fixed = (size_t)s->def->fixed_count, all = width + fixed;
    double *points = calloc(count * all + 1, sizeof *points);
    for (size_t i = 0; points && i < count; i++) {
        for (size_t k = 0; k < width; k++)
            points[i * all + k] = values[i * width + k];
        for (size_t k = 0; k < fixed; k++)
            points[i * all + width + k] = s->fixed[k].value;
    }
    return points;
}

static SaltusStatus embedded_check_points(const EmbeddedStudy *s, const double *values,
                                          size_t count)
{
    const Parameters p = model_list_parameters(s->model->loaded->model);
    for (size_t k = 0; k < s->axis_count; k++)
        for (size_t i = 0; i < count; i++)
            if (!loaded_is_value(p.flat[s->axes[k].parameter], values[i * s->axis_count + k]))
                return error_set(s->error, SALTUS_ERROR_ARGUMENT,
                                 "one of the values is none that %s can have", s->axes[k].name);
    return SALTUS_OK;
}

SaltusStatus saltus_model_sweep(const SaltusModel *m, const SaltusStudyDef *def,
                                const char *const *parameters, int parameter_count,
                                const double *values, long point_count, SaltusSweep **sweep,
                                SaltusError *error)
{
    EmbeddedStudy s = {.model = m, .def = def, .error = error};
    *sweep = NULL;
    atomic_init(&s.stops, false);
    if (parameter_count < 0 || point_count < 1 || (parameter_count > 0 && !values))
        return embedded_fail(&s, SALTUS_ERROR_ARGUMENT, "there are no points");
    SaltusStatus status = embedded_open(&s);
    if (status == SALTUS_OK) {
        s.axes = calloc((size_t)parameter_count + (size_t)def->fixed_count + 1, sizeof *s.axes);
        status = s.axes ? SALTUS_OK : embedded_fail(&s, SALTUS_ERROR_MEMORY, "out of memory");
    }
    for (int i = 0; i < parameter_count && status == SALTUS_OK; i++)
        status = embedded_add_axis(&s, parameters[i]);
    if (status == SALTUS_OK)
        status = embedded_check_points(&s, values, (size_t)point_count);
    if (status == SALTUS_OK) {
        double *points = embedded_points(&s, values, (size_t)parameter_count, (size_t)point_count);
        for (int i = 0; i < def->fixed_count; i++)
            s.axes[s.axis_count++] = (Axis){.parameter = s.fixed[i].number};
        const SweepDef sweep_def = {.study = s.study,
                                    .axis_count = s.axis_count,
                                    .axes = s.axes,
                                    .sample = SWEEP_GIVEN,
                                    .sample_count = (size_t)point_count,
                                    .points = points,
                                    .jobs = (unsigned)def->jobs,
                                    .progress = embedded_sweep_progress,
                                    .user = &s};
        status = points ? embedded_sweep(&s, &sweep_def, sweep)
                        : embedded_fail(&s, SALTUS_ERROR_MEMORY, "out of memory");
        free(points);
    }
    embedded_close(&s);
    return status;
}

// ---------------------------------------------------------------------------
// Solutions
// ---------------------------------------------------------------------------

typedef struct EmbeddedSolutions {
    SaltusSolutions shown;
    SolveResult result;
    SaltusSolution *items;
} EmbeddedSolutions;

static void embedded_solve_progress(void *user, double fraction, long runs)
{
    EmbeddedStudy *s = user;
    s->runs = runs;
    embedded_ask(s, fraction);
}

static SaltusStatus embedded_read_unknowns(EmbeddedStudy *s, const SaltusSolveDef *d)
{
    if (d->unknown_count < 1 || d->unknown_count > SOLVE_MOST_UNKNOWNS)
        return embedded_fail(s, SALTUS_ERROR_ARGUMENT, "there may be 1 to 16 unknowns");
    s->axes = calloc((size_t)d->unknown_count, sizeof *s->axes);
    SaltusStatus status =
        s->axes ? SALTUS_OK : embedded_fail(s, SALTUS_ERROR_MEMORY, "out of memory");
    for (int i = 0; i < d->unknown_count && status == SALTUS_OK; i++) {
        const SaltusUnknown *u = &d->unknowns[i];
        status = embedded_add_axis(s, u->name);
        if (status != SALTUS_OK)
            return status;
        Axis *axis = &s->axes[s->axis_count - 1];
        axis->lower = fmin(u->lower, u->upper);
        axis->upper = fmax(u->lower, u->upper);
        axis->is_logarithmic = u->is_logarithmic;
        if (axis->is_whole)
            status = error_set(s->error, SALTUS_ERROR_ARGUMENT,
                               "%s has whole numbers only: make a sweep", u->name);
        else if (!(axis->lower < axis->upper) || !isfinite(axis->upper - axis->lower))
            status = error_set(s->error, SALTUS_ERROR_ARGUMENT, "%s is to be sought in an interval",
                               u->name);
        else if (u->is_logarithmic && !(axis->lower * axis->upper > 0.0))
            status = error_set(s->error, SALTUS_ERROR_ARGUMENT,
                               "the logarithmic interval of %s must not contain zero", u->name);
    }
    return status;
}

// The model's own values, where they lie in the interval, otherwise its middle.
static void embedded_guess(const EmbeddedStudy *s, const SaltusSolveDef *d, double *guesses)
{
    const Model *model = s->model->loaded->model;
    double *p = calloc(model_list_parameters(model).count + 1u, sizeof *p);
    const bool is_known = p && model_parameters(model, s->fixed, (uint32_t)s->def->fixed_count, p);
    for (int i = 0; i < d->unknown_count; i++) {
        const Axis *axis = &s->axes[i];
        guesses[i] = d->unknowns[i].guess;
        if (isnan(guesses[i]) && is_known)
            guesses[i] = p[axis->parameter];
        if (!(guesses[i] > axis->lower && guesses[i] < axis->upper))
            guesses[i] = axis_sample(axis, 0.5);
    }
    free(p);
}

// NULL: out of memory.
static EmbeddedSolutions *embedded_solutions(const SolveResult *r)
{
    EmbeddedSolutions *e = calloc(1, sizeof *e);
    SaltusSolution *items = calloc(r->count + 1, sizeof *items);
    if (!e || !items) {
        free(e);
        free(items);
        return NULL;
    }
    e->result = *r;
    e->items = items;
    for (size_t i = 0; i < r->count; i++) {
        const SolveItem *item = &e->result.items[i];
        items[i] = (SaltusSolution){.found = (SaltusFound)item->kind,
                                    .unknowns = item->unknowns,
                                    .value = item->value,
                                    .left = item->left,
                                    .right = item->right,
                                    .width = item->width,
                                    .note = item->note ? item->note : "",
                                    .results = item->observed,
                                    .result_count = (int)item->observed_count};
    }
    e->shown = (SaltusSolutions){.count = (long)r->count,
                                 .runs = r->runs,
                                 .items = items,
                                 .message = e->result.message ? e->result.message : ""};
    return e;
}

void saltus_solutions_destroy(SaltusSolutions *solutions)
{
    EmbeddedSolutions *e = (EmbeddedSolutions *)solutions;
    if (!e)
        return;
    solve_free(&e->result);
    free(e->items);
    free(e);
}

static SaltusStatus embedded_check_solve(const EmbeddedStudy *s, const SaltusSolveDef *d,
                                         long residuals)
{
    const char *wrong = NULL;
    const bool is_one = d->unknown_count == 1;
    if (d->target_count < 0 || d->target_count > s->def->observation_count)
        wrong = "targets are the first of the observations";
    else if ((d->seek == SALTUS_SEEK_ALL || d->seek == SALTUS_SEEK_BOUNDARY) && !is_one)
        wrong = "all roots and boundaries are sought over one unknown";
    else if ((d->seek == SALTUS_SEEK_ALL || d->seek == SALTUS_SEEK_MINIMUM) && residuals != 1)
        wrong = "one target is needed, with one value";
    else if (d->seek == SALTUS_SEEK_ROOT && residuals < d->unknown_count)
        wrong = "there are fewer targets than unknowns";
    else if (d->points < 0)
        wrong = "the number of intervals is negative";
    return wrong ? embedded_fail(s, SALTUS_ERROR_ARGUMENT, wrong) : SALTUS_OK;
}

static SaltusStatus embedded_solve(EmbeddedStudy *s, const SaltusSolveDef *d,
                                   SaltusSolutions **solutions)
{
    double guesses[SOLVE_MOST_UNKNOWNS];
    long residuals = 0;
    for (int i = 0; i < d->target_count && i < s->def->observation_count; i++)
        residuals += observations_length(study_observations(s->study), (size_t)i);
    const SaltusStatus status = embedded_check_solve(s, d, residuals);
    if (status != SALTUS_OK)
        return status;
    embedded_guess(s, d, guesses);
    const SolveDef def = {.study = s->study,
                          .unknown_count = (size_t)d->unknown_count,
                          .unknowns = s->axes,
                          .guesses = guesses,
                          .fixed_count = (size_t)s->def->fixed_count,
                          .fixed = s->fixed,
                          .target_count = (size_t)d->target_count,
                          .points = d->points > 0 ? (size_t)d->points : 64,
                          .jobs = (unsigned)s->def->jobs,
                          .progress = embedded_solve_progress,
                          .user = s};
    SolveResult r = d->seek == SALTUS_SEEK_BOUNDARY           ? solve_boundaries(&def)
                    : d->seek == SALTUS_SEEK_MINIMUM          ? solve_minimum(&def)
                    : d->seek == SALTUS_SEEK_ALL              ? solve_all(&def)
                    : d->unknown_count == 1 && residuals == 1 ? solve_root(&def)
                                                              : solve_system(&def);
    EmbeddedSolutions *e = r.status == SALTUS_OK ? embedded_solutions(&r) : NULL;
    const SaltusStatus result = r.status != SALTUS_OK
                                    ? embedded_fail(s, r.status, message_text(r.message))
                                : e ? SALTUS_OK
                                    : embedded_fail(s, SALTUS_ERROR_MEMORY, "out of memory");
    if (!e)
        solve_free(&r);
    *solutions = e ? &e->shown : NULL;
    return result;
}

SaltusStatus saltus_model_solve(const SaltusModel *m, const SaltusStudyDef *def,
                                const SaltusSolveDef *solve, SaltusSolutions **solutions,
                                SaltusError *error)
{
    EmbeddedStudy s = {.model = m, .def = def, .error = error};
    *solutions = NULL;
    atomic_init(&s.stops, false);
    if (!solve || (solve->unknown_count > 0 && !solve->unknowns))
        return embedded_fail(&s, SALTUS_ERROR_ARGUMENT, "nothing is sought");
    SaltusStatus status = embedded_open(&s);
    if (status == SALTUS_OK)
        status = embedded_read_unknowns(&s, solve);
    if (status == SALTUS_OK)
        status = embedded_solve(&s, solve, solutions);
    embedded_close(&s);
    return status;
}

// ---------------------------------------------------------------------------
// Linearizations
// ---------------------------------------------------------------------------

typedef struct EmbeddedLinear {
    const SaltusModel *model;
    const Model *own; // of the run
    const double *p;  // of the run
    bool *is_set;
    double *directions;
    SaltusLinearInput *inputs;
    int input_count;
    int *outputs;
    int output_count;
    uint32_t moved;
    SaltusError *error;
} EmbeddedLinear;

// All parameters as functions of one of them, for those that follow from it.
static int embedded_moved(void *user, double from, double by, double *values, double *step)
{
    const EmbeddedLinear *l = user;
    const uint32_t count = model_list_parameters(l->own).count;
    memcpy(values, l->p, count * sizeof *values);
    values[l->moved] = from + by;
    *step = (from + by) - from;
    memset(l->is_set, 0, count * sizeof *l->is_set);
    l->is_set[l->moved] = true;
    return model_follow_parameters(l->own, l->is_set, l->p, values, NULL) == SALTUS_OK ? 0 : 1;
}

static SaltusStatus embedded_add_input(EmbeddedLinear *l, const char *name, uint32_t number)
{
    const Parameters p = model_list_parameters(l->own);
    double *direction = l->directions + (size_t)l->input_count * p.count, ignored;
    const double value = l->p[number];
    if (FLAT_TYPE(p.flat[number])->kind != FLAT_TYPE_REAL || p.flat[number]->is_structural)
        return error_set(l->error, SALTUS_ERROR_ARGUMENT,
                         "nothing can be differentiated by %s: it is not Real, or shapes the "
                         "model",
                         name);
    l->moved = number;
    if (p.flat[number]->live) {
        direction[number] = 1.0;
    } else {
        Ridders *ridders = ridders_create((int)p.count);
        const bool is_fine =
            ridders && ridders_derive(ridders, embedded_moved, l, value,
                                      1e-3 * fmax(fabs(value), 1e-3), direction, &ignored);
        ridders_destroy(ridders);
        if (!is_fine)
            return error_set(l->error, SALTUS_ERROR_ARGUMENT, "%s cannot be changed a little",
                             name);
    }
    l->inputs[l->input_count++] =
        (SaltusLinearInput){.name = name, .direction = direction, .value = value};
    return SALTUS_OK;
}

// By the name of a live input or of a parameter.
static SaltusStatus embedded_find_input(EmbeddedLinear *l, const char *name)
{
    const Parameters p = model_list_parameters(l->own);
    for (uint32_t i = 0; i < p.count; i++) {
        size_t length;
        const bool is_live = live_part(p.flat[i], &length) == LIVE_VALUE;
        if (strcmp(is_live ? p.flat[i]->live->name : p.names[i], name) == 0)
            return embedded_add_input(l, is_live ? p.flat[i]->live->name : p.names[i], i);
    }
    return error_set(l->error, SALTUS_ERROR_ARGUMENT, "there is no input or parameter %s", name);
}

static SaltusStatus embedded_all_inputs(EmbeddedLinear *l)
{
    const Parameters p = model_list_parameters(l->own);
    SaltusStatus status = SALTUS_OK;
    for (uint32_t i = 0; i < p.count && status == SALTUS_OK; i++) {
        size_t length;
        if (live_part(p.flat[i], &length) == LIVE_VALUE &&
            FLAT_TYPE(p.flat[i])->kind == FLAT_TYPE_REAL)
            status = embedded_add_input(l, p.flat[i]->live->name, i);
    }
    return status;
}

static SaltusStatus embedded_find_output(EmbeddedLinear *l, const char *name)
{
    const uint32_t count = model_output_count(l->own);
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(model_output_names(l->own)[i], name) == 0) {
            l->outputs[l->output_count++] = (int)i;
            return SALTUS_OK;
        }
    return error_set(l->error, SALTUS_ERROR_ARGUMENT, "there is no variable %s", name);
}

static void embedded_all_outputs(EmbeddedLinear *l)
{
    for (uint32_t i = 0; i < model_output_count(l->own); i++)
        if (model_output_variables(l->own)[i]->direction == FLAT_OUTPUT)
            l->outputs[l->output_count++] = (int)i;
}

SaltusStatus saltus_model_linearize(const SaltusModel *m, const SaltusRun *run,
                                    const char *const *inputs, int input_count,
                                    const char *const *outputs, int output_count,
                                    SaltusLinearization **linearization, SaltusError *error)
{
    EmbeddedLinear l = {.model = m, .error = error};
    *linearization = NULL;
    if (!m || !run || !embed_model(m) || !(l.own = model_of_run(run)) || input_count < 0 ||
        output_count < 0)
        return error_set(error, SALTUS_ERROR_ARGUMENT, "no model or run");
    const size_t count = model_list_parameters(l.own).count;
    const size_t most = inputs ? (size_t)input_count : (size_t)m->input_count;
    l.p = saltus_run_parameters(run);
    l.is_set = calloc(count + 1, sizeof *l.is_set);
    l.directions = calloc(most * count + 1, sizeof *l.directions);
    l.inputs = calloc(most + 1, sizeof *l.inputs);
    l.outputs = calloc(model_output_count(l.own) + (size_t)output_count + 1, sizeof *l.outputs);
    SaltusStatus status = SALTUS_OK;
    if (!l.is_set || !l.directions || !l.inputs || !l.outputs) {
        status = SALTUS_ERROR_MEMORY;
        error_set(error, status, "out of memory");
    }
    for (int i = 0; inputs && i < input_count && status == SALTUS_OK; i++)
        status = embedded_find_input(&l, inputs[i]);
    if (!inputs && status == SALTUS_OK)
        status = embedded_all_inputs(&l);
    for (int i = 0; outputs && i < output_count && status == SALTUS_OK; i++)
        status = embedded_find_output(&l, outputs[i]);
    if (!outputs && status == SALTUS_OK)
        embedded_all_outputs(&l);
    if (status == SALTUS_OK)
        status = saltus_linearize(run,
                                  &(SaltusLinearizeDef){.input_count = l.input_count,
                                                        .inputs = l.inputs,
                                                        .output_count = l.output_count,
                                                        .outputs = l.outputs},
                                  linearization, error);
    free(l.is_set);
    free(l.directions);
    free(l.inputs);
    free(l.outputs);
    return status;
}
