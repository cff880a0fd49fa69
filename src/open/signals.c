// SPDX-License-Identifier: MIT
//
// Runs of a model whose inputs follow signals, and their events in words: see saltus/model.h.

#include "open/embed.h"

#include "base/error.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// ---------------------------------------------------------------------------
// Signals
// ---------------------------------------------------------------------------

static SaltusStatus signals_check(const SaltusModel *m, const SaltusSignal *signals, int count,
                                  SaltusError *error)
{
    for (int i = 0; i < count; i++) {
        const SaltusSignal *s = &signals[i];
        const char *name = saltus_model_input_name(m, s->input);
        if (!name)
            return error_set(error, SALTUS_ERROR_ARGUMENT,
                             "a signal is for an input that is not there");
        for (long k = 0; k < s->count; k++) {
            if (!isfinite(s->times[k]) || (k > 0 && s->times[k] < s->times[k - 1]))
                return error_set(error, SALTUS_ERROR_ARGUMENT,
                                 "the times of %s are not ascending numbers", name);
            for (int j = 0; j < 4; j++)
                if (!isfinite(s->values[4 * k + j]))
                    return error_set(error, SALTUS_ERROR_ARGUMENT, "a value of %s is no number",
                                     name);
        }
    }
    return SALTUS_OK;
}

long signals_after(const SaltusSignal *s, double t)
{
    long low = 0, high = s->count;
    while (low < high) {
        const long middle = low + (high - low) / 2;
        if (s->times[middle] > t)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

double signals_value(const SaltusSignal *s, long piece, double t)
{
    const double *v = s->values + 4 * (piece < 0 ? 0 : piece);
    const double h = piece < 0 ? 0.0 : t - s->times[piece];
    return v[0] + h * (v[1] + h * (v[2] / 2.0 + h * v[3] / 6.0));
}

double signals_next(const SaltusSignal *signals, const long *next, int count, double stop_time)
{
    double t = stop_time;
    for (int i = 0; i < count; i++)
        if (next[i] < signals[i].count)
            t = fmin(t, signals[i].times[next[i]]);
    return t;
}

int signals_due(const SaltusSignal *signals, long *next, int count, double t, SaltusAssignment *due)
{
    int changed = 0;
    for (int i = 0; i < count; i++) {
        const SaltusSignal *s = &signals[i];
        if (next[i] >= s->count || s->times[next[i]] > t)
            continue;
        while (next[i] < s->count && s->times[next[i]] <= t)
            next[i]++;
        const double *v = s->values + 4 * (next[i] - 1);
        due[changed++] =
            (SaltusAssignment){SALTUS_TARGET_INPUT, s->input, v[0], {v[1], v[2], v[3]}};
    }
    return changed;
}

static SaltusStatus signals_follow(const SaltusModel *m, SaltusRun *run,
                                   const SaltusSignal *signals, long *next, int count,
                                   double stop_time, SaltusAssignment *room, SaltusError *error)
{
    for (int i = 0; i < count; i++)
        next[i] = signals_after(&signals[i], saltus_run_time(run));
    for (;;) {
        const double t = signals_next(signals, next, count, stop_time);
        SaltusStatus status = saltus_run_advance(run, t);
        error_copy(error, saltus_run_error(run));
        const int due = status == SALTUS_OK ? signals_due(signals, next, count, t, room) : 0;
        if (due > 0)
            status = saltus_model_set(m, run, room, due, error);
        if (status != SALTUS_OK || t >= stop_time)
            return status;
    }
}

SaltusStatus saltus_model_advance(const SaltusModel *m, SaltusRun *run, const SaltusSignal *signals,
                                  int count, double stop_time, SaltusError *error)
{
    if (!m || !run || count < 0 || (count > 0 && !signals) || !embed_model(m))
        return error_set(error, SALTUS_ERROR_ARGUMENT, "no model, run or signals");
    SaltusStatus status = signals_check(m, signals, count, error);
    if (status != SALTUS_OK)
        return status;
    long *next = calloc((size_t)count + 1, sizeof *next);
    SaltusAssignment *room = calloc((size_t)count + 1, sizeof *room);
    status = next && room ? signals_follow(m, run, signals, next, count, stop_time, room, error)
                          : error_set(error, SALTUS_ERROR_MEMORY, "out of memory");
    free(next);
    free(room);
    return status;
}

SaltusStatus signals_run(const EmbeddedSignals *in, const Loaded *loaded,
                         const SaltusSystem *system, const SaltusOptions *options, double stop_time,
                         SaltusRun **run, SaltusError *error)
{
    if (!in)
        return loaded_run(loaded, system, options, stop_time, run, error);
    SaltusStatus status = saltus_run_create(system, options, run, error);
    if (*run && status == SALTUS_OK)
        status = saltus_model_advance(in->model, *run, in->signals, in->count, stop_time, error);
    return loaded_finish(loaded, *run, status);
}

// ---------------------------------------------------------------------------
// Events in words
// ---------------------------------------------------------------------------

static void signals_take(void *user, const char *text, int direction)
{
    char **words = user;
    message_add(words, "%s%s%s", **words ? "; " : "", text,
                direction > 0   ? " rising"
                : direction < 0 ? " falling"
                                : "");
}

size_t saltus_model_event_text(const SaltusModel *m, const SaltusRun *run,
                               const SaltusLogEntry *entry, char *text, size_t size)
{
    (void)m;
    char *words = NULL;
    message_set(&words, "%s", "");
    const LogSource source = {.system = saltus_run_system(run), .run = run};
    log_conditions(&source, entry, signals_take, &words);
    const int length = snprintf(text, size, "%s", words ? words : "");
    free(words);
    return (size_t)length;
}
