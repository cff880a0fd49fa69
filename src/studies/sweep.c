// SPDX-License-Identifier: MIT
//
// Sweeps: see sweep.h.

#include "studies/sweep.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { MOST_NUMBERS = 100000000, MOST_JOBS = 256 };

typedef struct Result {
    bool is_done;
    SaltusStatus status;
    char *message; // NULL: ""
} Result;

struct Sweep {
    const SweepDef *def;
    size_t count, result_count, resumed;
    double *values; // of a sample: points by axes
    double *results;
    Result *points;
    Journal *journal;

    pthread_mutex_t lock; // of all below
    pthread_cond_t changed;
    size_t next, done, failed;
    unsigned working;
    bool is_broken; // the journal cannot be written, or no memory
    bool is_interrupted;
    char message[SWEEP_MESSAGE];
};

// ---------------------------------------------------------------------------
// Points
// ---------------------------------------------------------------------------

// splitmix64 (G. L. Steele, D. Lea, C. H. Flood: Fast splittable pseudorandom number generators).
static uint64_t random_next(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

static double random_part(uint64_t *state)
{
    return (double)(random_next(state) >> 11) * 0x1p-53;
}

static void sample_axis(Sweep *s, size_t axis)
{
    const SweepDef *d = s->def;
    uint64_t state = d->seed ^ (axis + 1) * UINT64_C(0xD1B54A32D192ED03);
    double *value = s->values + axis;
    for (size_t i = 0; i < s->count; i++)
        value[i * d->axis_count] = (double)i;
    // Fisher-Yates over the strata
    for (size_t i = s->count; d->sample == SWEEP_HYPERCUBE && i > 1; i--) {
        const size_t k = (size_t)(random_part(&state) * (double)i);
        const double kept = value[(i - 1) * d->axis_count];
        value[(i - 1) * d->axis_count] = value[k * d->axis_count];
        value[k * d->axis_count] = kept;
    }
    for (size_t i = 0; i < s->count; i++) {
        const double part = random_part(&state);
        const double stratum = value[i * d->axis_count];
        value[i * d->axis_count] =
            axis_sample(&d->axes[axis],
                        d->sample == SWEEP_HYPERCUBE ? (stratum + part) / (double)s->count : part);
    }
}

double sweep_value(const Sweep *s, size_t point, size_t axis)
{
    const SweepDef *d = s->def;
    if (s->values)
        return s->values[point * d->axis_count + axis];
    for (size_t i = d->axis_count - 1; i > axis; i--)
        point /= d->axes[i].count;
    return axis_value(&d->axes[axis], point % d->axes[axis].count);
}

// 0: too many
static size_t count_points(const SweepDef *d, char message[SWEEP_MESSAGE])
{
    if (d->sample != SWEEP_GRID) {
        snprintf(message, SWEEP_MESSAGE, "there are no points");
        return d->sample_count;
    }
    size_t count = 1;
    for (size_t i = 0; i < d->axis_count; i++) {
        if (d->axes[i].count == 0) {
            snprintf(message, SWEEP_MESSAGE,
                     "how many values of %.60s? %.60s=%g:%g:11 has 11 of them", d->axes[i].name,
                     d->axes[i].name, d->axes[i].lower, d->axes[i].upper);
            return 0;
        }
        count = d->axes[i].count > MOST_NUMBERS / count ? 0 : count * d->axes[i].count;
        if (count == 0) {
            snprintf(message, SWEEP_MESSAGE, "the grid has too many points");
            return 0;
        }
    }
    return count;
}

static size_t count_results(const Observations *o, char message[SWEEP_MESSAGE])
{
    size_t count = 0;
    for (size_t i = 0; i < observations_count(o); i++) {
        const long length = observations_length(o, i);
        if (length == OBSERVE_EVERY) {
            snprintf(message, SWEEP_MESSAGE,
                     "%.100s has as many values as there are occurrences; a table needs a range, "
                     "1:10 instead of \"every\"",
                     observations_name(o, i));
            return 0;
        }
        count += (size_t)length;
    }
    if (count == 0)
        snprintf(message, SWEEP_MESSAGE, "nothing is observed: --observe NAME=EXPR says what");
    return count;
}

Sweep *sweep_create(const SweepDef *def, char message[SWEEP_MESSAGE])
{
    const size_t count = count_points(def, message);
    const size_t results = count_results(study_observations(def->study), message);
    if (count == 0 || results == 0)
        return NULL;
    Sweep *s = calloc(1, sizeof *s);
    snprintf(message, SWEEP_MESSAGE, "out of memory for %zu points", count);
    if (!s || count > MOST_NUMBERS / (results + def->axis_count)) {
        free(s);
        return NULL;
    }
    s->def = def;
    s->count = count;
    s->result_count = results;
    s->results = calloc(count * results, sizeof *s->results);
    s->points = calloc(count, sizeof *s->points);
    if (def->sample != SWEEP_GRID)
        s->values = calloc(count * def->axis_count + 1, sizeof *s->values);
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->changed, NULL);
    if (!s->results || !s->points || (def->sample != SWEEP_GRID && !s->values)) {
        sweep_destroy(s);
        return NULL;
    }
    if (def->sample == SWEEP_GIVEN && def->axis_count)
        memcpy(s->values, def->points, count * def->axis_count * sizeof *s->values);
    for (size_t i = 0; s->values && def->sample != SWEEP_GIVEN && i < def->axis_count; i++)
        sample_axis(s, i);
    message[0] = '\0';
    return s;
}

void sweep_destroy(Sweep *s)
{
    if (!s)
        return;
    journal_close(s->journal, false);
    for (size_t i = 0; s->points && i < s->count; i++)
        free(s->points[i].message);
    free(s->points);
    free(s->results);
    free(s->values);
    pthread_cond_destroy(&s->changed);
    pthread_mutex_destroy(&s->lock);
    free(s);
}

void sweep_forget_journal(Sweep *s)
{
    journal_close(s->journal, true);
    s->journal = NULL;
}

// ---------------------------------------------------------------------------
// Results
// ---------------------------------------------------------------------------

// Keeps a point. The lock is held, or no thread runs yet.
static bool keep(Sweep *s, const JournalRecord *r)
{
    if (r->index >= s->count || s->points[r->index].is_done)
        return false;
    Result *point = &s->points[r->index];
    if (r->message[0]) {
        point->message = malloc(strlen(r->message) + 1);
        if (!point->message)
            return false;
        memcpy(point->message, r->message, strlen(r->message) + 1);
    }
    memcpy(s->results + r->index * s->result_count, r->values, s->result_count * sizeof *r->values);
    point->status = (SaltusStatus)r->status;
    point->is_done = true;
    s->done++;
    s->failed += r->status < 0;
    return true;
}

static bool keep_read(void *sweep, const JournalRecord *record)
{
    return keep(sweep, record);
}

static void sweep_gather(const Sweep *s, const StudyRunner *runner, const StudyOutcome *outcome,
                         double *values, const char **message)
{
    const Observations *o = study_observations(s->def->study);
    size_t k = 0;
    *message = outcome->message;
    for (size_t i = 0; i < observations_count(o); i++) {
        const bool is_there = outcome->is_observed && outcome->status >= 0;
        const ObserveResult r = is_there ? study_result(runner, i) : (ObserveResult){0};
        for (size_t j = 0; j < (size_t)observations_length(o, i); j++)
            values[k++] = j < r.count ? r.values[j] : NAN;
        if (is_there && r.reason[0] && !(*message)[0])
            *message = r.reason;
    }
}

// ---------------------------------------------------------------------------
// Threads
// ---------------------------------------------------------------------------

static void break_off(Sweep *s, const char *message)
{
    pthread_mutex_lock(&s->lock);
    if (!s->is_broken)
        snprintf(s->message, sizeof s->message, "%s", message);
    s->is_broken = true;
    pthread_mutex_unlock(&s->lock);
}

// The next point that is not done; false: there is none.
static bool sweep_take(Sweep *s, size_t *index)
{
    const bool stops =
        (s->def->is_interrupted && s->def->is_interrupted()) || study_is_interrupted(s->def->study);
    pthread_mutex_lock(&s->lock);
    s->is_interrupted |= stops;
    while (s->next < s->count && s->points[s->next].is_done)
        s->next++;
    const bool is_there = s->next < s->count && !s->is_broken && !s->is_interrupted;
    *index = is_there ? s->next++ : 0;
    pthread_mutex_unlock(&s->lock);
    return is_there;
}

static void sweep_finish(Sweep *s, const JournalRecord *record)
{
    char message[JOURNAL_MESSAGE];
    pthread_mutex_lock(&s->lock);
    bool is_fine = keep(s, record);
    if (!is_fine)
        snprintf(message, sizeof message, "out of memory");
    else if (s->journal)
        is_fine = journal_add(s->journal, record, message);
    pthread_mutex_unlock(&s->lock);
    if (!is_fine)
        break_off(s, message);
}

static void run_point(Sweep *s, StudyRunner *runner, size_t index, ParameterValue *values,
                      double *results)
{
    StudyOutcome outcome;
    const char *message;
    for (size_t i = 0; i < s->def->axis_count; i++)
        values[i] = (ParameterValue){s->def->axes[i].parameter, sweep_value(s, index, i)};
    study_run(runner, values, (uint32_t)s->def->axis_count, &outcome);
    if (outcome.status == SALTUS_INTERRUPTED)
        return; // take() sees it, too
    sweep_gather(s, runner, &outcome, results, &message);
    sweep_finish(s,
                 &(JournalRecord){index, (int)outcome.status, s->result_count, results, message});
}

static void *work(void *sweep)
{
    Sweep *s = sweep;
    StudyRunner *runner = study_runner(s->def->study);
    ParameterValue *values = calloc(s->def->axis_count + 1, sizeof *values);
    double *results = calloc(s->result_count, sizeof *results);
    size_t index;
    if (!runner || !values || !results)
        break_off(s, "out of memory");
    else
        while (sweep_take(s, &index))
            run_point(s, runner, index, values, results);
    study_runner_destroy(runner);
    free(values);
    free(results);
    pthread_mutex_lock(&s->lock);
    s->working--;
    pthread_cond_signal(&s->changed);
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

static unsigned count_jobs(const Sweep *s)
{
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    size_t jobs = s->def->jobs ? s->def->jobs : processors > 0 ? (size_t)processors : 1;
    jobs = jobs < MOST_JOBS ? jobs : MOST_JOBS;
    return (unsigned)(jobs < s->count ? jobs : s->count);
}

// Not under the lock, which is held before and after.
static void report_progress(Sweep *s)
{
    const size_t done = s->done, failed = s->failed;
    if (!s->def->progress)
        return;
    pthread_mutex_unlock(&s->lock);
    s->def->progress(s->def->user, done, failed, s->count);
    pthread_mutex_lock(&s->lock);
}

// Waits for the threads and reports progress meanwhile, and at the end in any case.
static void wait(Sweep *s)
{
    enum { INTERVAL = 100000000 }; // nanoseconds
    pthread_mutex_lock(&s->lock);
    while (s->working > 0) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += INTERVAL;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&s->changed, &s->lock, &until);
        if (s->working > 0)
            report_progress(s);
    }
    report_progress(s);
    pthread_mutex_unlock(&s->lock);
}

static void run_threads(Sweep *s)
{
    pthread_t threads[MOST_JOBS];
    const unsigned jobs = count_jobs(s);
    unsigned started = 0;
    s->working = jobs;
    for (; started < jobs; started++)
        if (pthread_create(&threads[started], NULL, work, s) != 0)
            break;
    pthread_mutex_lock(&s->lock);
    s->working -= jobs - started;
    pthread_mutex_unlock(&s->lock);
    if (started == 0)
        break_off(s, "no thread could be started");
    wait(s);
    for (unsigned i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
}

SweepStatus sweep_run(Sweep *s, char message[SWEEP_MESSAGE])
{
    const SweepDef *d = s->def;
    if (d->journal) {
        s->journal =
            journal_open(d->journal, d->key, d->is_resumed, s->result_count, keep_read, s, message);
        if (!s->journal)
            return SWEEP_FAILED;
    }
    s->resumed = s->done;
    if (s->done < s->count)
        run_threads(s);
    snprintf(message, SWEEP_MESSAGE, "%s", s->message);
    return s->is_broken ? SWEEP_FAILED : s->is_interrupted ? SWEEP_INTERRUPTED : SWEEP_FINISHED;
}

size_t sweep_count(const Sweep *s)
{
    return s->count;
}

size_t sweep_resumed(const Sweep *s)
{
    return s->resumed;
}

size_t sweep_result_count(const Sweep *s)
{
    return s->result_count;
}

SweepPoint sweep_point(const Sweep *s, size_t point)
{
    const Result *r = &s->points[point];
    return (SweepPoint){.is_done = r->is_done,
                        .status = r->status,
                        .message = r->message ? r->message : "",
                        .results = s->results + point * s->result_count};
}
