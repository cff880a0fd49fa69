// SPDX-License-Identifier: MIT
//
// Runs on the way to a solution, and results.

#include "base/message.h"
#include "studies/solve_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void search_fail(SolveSearch *s, SaltusStatus status, const char *format, ...)
{
    if (s->result->status != SALTUS_OK)
        return; // the first one counts
    va_list arguments;
    va_start(arguments, format);
    message_set_arguments(&s->result->message, format, arguments);
    va_end(arguments);
    s->result->status = status;
}

static size_t count_residuals(const SolveDef *def)
{
    size_t count = 0;
    for (size_t i = 0; i < def->target_count; i++) {
        const long length = observations_length(study_observations(def->study), i);
        count += length > 0 ? (size_t)length : 0;
    }
    const size_t measured = def->data ? def->data->row_count * def->data->column_count : 0;
    for (size_t i = 0; i < measured; i++)
        count += isnan(def->data->values[i]) ? 0 : 1;
    return count;
}

bool search_begin(SolveSearch *s, const SolveDef *def, SolveResult *result)
{
    *result = (SolveResult){0};
    *s = (SolveSearch){.def = def, .result = result, .residual_count = count_residuals(def)};
    s->runner = study_runner(def->study);
    s->values = calloc(def->unknown_count + def->fixed_count + 1, sizeof *s->values);
    s->residuals = calloc(s->residual_count + 1, sizeof *s->residuals);
    const Observations *o = study_observations(def->study);
    for (size_t i = 0; i < observations_count(o); i++)
        if (observations_length(o, i) == OBSERVE_EVERY) {
            search_fail(s, SALTUS_ERROR_ARGUMENT,
                        "%s has as many values as there are occurrences; a range is needed, "
                        "1:10 instead of \"every\"",
                        observations_name(o, i));
            return false;
        }
    if (s->runner && s->values && s->residuals)
        return true;
    search_fail(s, SALTUS_ERROR_MEMORY, "out of memory");
    return false;
}

void search_end(SolveSearch *s)
{
    study_runner_destroy(s->runner);
    free(s->values);
    free(s->residuals);
    free(s->reason);
}

static void set_values(SolveSearch *s, const double *unknowns)
{
    const SolveDef *d = s->def;
    for (size_t i = 0; i < d->fixed_count; i++)
        s->values[i] = d->fixed[i];
    for (size_t i = 0; i < d->unknown_count; i++)
        s->values[d->fixed_count + i] = (ParameterValue){d->unknowns[i].parameter, unknowns[i]};
}

// Of the run from the data.
static bool take_differences(SolveSearch *s, size_t *k)
{
    const StudyData *data = s->def->data;
    const double *traced = study_traced(s->runner);
    for (size_t i = 0; data && i < data->row_count * data->column_count; i++) {
        if (isnan(data->values[i]))
            continue;
        const size_t column = i / data->row_count, row = i % data->row_count;
        s->residuals[*k] = (traced[i] - data->values[i]) / s->def->scales[column];
        if (isnan(s->residuals[(*k)++])) {
            message_set(&s->reason, "the run has no value of %s at t = %.10g",
                        data->variables[column], data->times[row]);
            return false;
        }
    }
    return true;
}

static bool take_residuals(SolveSearch *s)
{
    size_t k = 0;
    bool are_numbers = true;
    for (size_t i = 0; i < s->def->target_count; i++) {
        const ObserveResult r = study_result(s->runner, i);
        for (size_t j = 0; j < r.count; j++, k++) {
            s->residuals[k] = r.values[j];
            are_numbers &= !isnan(r.values[j]);
        }
        if (r.reason[0] && !s->reason)
            message_set(&s->reason, "%s", r.reason);
    }
    return take_differences(s, &k) && are_numbers;
}

bool search_run(SolveSearch *s, const double *unknowns)
{
    StudyOutcome outcome;
    free(s->reason);
    s->reason = NULL;
    s->is_observed = false;
    for (size_t i = 0; i < s->residual_count; i++)
        s->residuals[i] = NAN;
    if (s->is_broken)
        return false;
    set_values(s, unknowns);
    s->result->runs++;
    if (s->def->progress)
        s->def->progress(s->def->user, NAN, s->result->runs);
    study_run(s->runner, s->values, (uint32_t)(s->def->fixed_count + s->def->unknown_count),
              &outcome);
    if (outcome.status == SALTUS_INTERRUPTED) {
        s->is_broken = true;
        search_fail(s, SALTUS_INTERRUPTED, "interrupted");
        return false;
    }
    s->is_observed = outcome.status >= 0 && outcome.is_observed;
    if (s->is_observed)
        return take_residuals(s);
    message_set(&s->reason, "the run failed: %s", outcome.message);
    return false;
}

static double solve_search_value_of(const SolveSearch *s)
{
    double sum = 0.0;
    if (s->residual_count == 1)
        return s->residuals[0];
    for (size_t i = 0; i < s->residual_count; i++)
        sum += s->residuals[i] * s->residuals[i];
    return sqrt(sum);
}

// Observations of a run that failed are missing.
static bool observe_item(SolveSearch *s, SolveItem *item)
{
    const Observations *o = study_observations(s->def->study);
    size_t count = 0;
    for (size_t i = 0; i < observations_count(o); i++)
        count += (size_t)observations_length(o, i);
    item->observed = calloc(count + 1, sizeof *item->observed);
    if (!item->observed)
        return false;
    for (size_t i = 0; i < observations_count(o); i++)
        for (size_t k = 0; k < (size_t)observations_length(o, i); k++)
            item->observed[item->observed_count++] =
                s->is_observed ? study_result(s->runner, i).values[k] : NAN;
    return true;
}

static bool trace_item(const SolveSearch *s, SolveItem *item)
{
    const StudyData *data = s->def->data;
    if (!data)
        return true;
    const size_t count = data->row_count * data->column_count;
    item->traced = calloc(count + 1, sizeof *item->traced);
    if (item->traced)
        memcpy(item->traced, study_traced(s->runner), count * sizeof *item->traced);
    return item->traced != NULL;
}

SolveItem *search_add(SolveSearch *s, SolveKind kind, const double *unknowns)
{
    SolveResult *r = s->result;
    if (r->count == r->room) {
        const size_t room = 2 * r->room + 8;
        SolveItem *items = realloc(r->items, room * sizeof *items);
        if (!items) {
            search_fail(s, SALTUS_ERROR_MEMORY, "out of memory");
            return NULL;
        }
        r->items = items;
        r->room = room;
    }
    SolveItem *item = &r->items[r->count];
    *item = (SolveItem){.kind = kind, .value = NAN, .left = NAN, .right = NAN};
    for (size_t i = 0; i < s->def->unknown_count; i++)
        item->unknowns[i] = unknowns[i];
    search_run(s, unknowns);
    item->value = solve_search_value_of(s);
    item->residual_count = s->residual_count;
    for (size_t i = 0; i < SOLVE_MOST_UNKNOWNS * SOLVE_MOST_UNKNOWNS; i++)
        item->covariance[i] = NAN;
    if (s->is_broken || !observe_item(s, item) || !trace_item(s, item)) {
        search_fail(s, SALTUS_ERROR_MEMORY, "out of memory");
        return NULL;
    }
    r->count++;
    return item;
}

// ---------------------------------------------------------------------------
// Events on both sides
// ---------------------------------------------------------------------------

void search_explain(SolveSearch *s, double left, double right, char **note)
{
    Sequence a = {0}, b = {0};
    char *on_left = NULL, *on_right = NULL;
    search_run(s, &left);
    const bool has_left = sequence_take(s->runner, &a);
    search_run(s, &right);
    if (has_left && sequence_take(s->runner, &b) && !sequence_equal(&a, &b)) {
        const size_t i = sequence_difference(&a, &b);
        if (!study_event_text(s->runner, (long)i, &on_right))
            message_set(&on_right, "no event");
        search_run(s, &left);
        if (!study_event_text(s->runner, (long)i, &on_left))
            message_set(&on_left, "no event");
        message_set(note, "event %zu is '%s' below and '%s' above", i + 1, message_text(on_left),
                    message_text(on_right));
    }
    free(on_left);
    free(on_right);
    sequence_free(&a);
    sequence_free(&b);
}

void solve_free(SolveResult *result)
{
    for (size_t i = 0; i < result->count; i++) {
        free(result->items[i].observed);
        free(result->items[i].traced);
        free(result->items[i].note);
    }
    free(result->items);
    free(result->message);
    *result = (SolveResult){0};
}
