// SPDX-License-Identifier: MIT
//
// Sweeps: see sweep.h.

#include "studies/sweep.h"

#include "studies/spill.h"

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
    Spill spills[3]; // what these are in
    size_t touched;  // points since memory was relieved
    bool has_messages;
    Journal *journal;

    pthread_mutex_t lock; // of all below
    pthread_cond_t changed;
    size_t next, done, failed;
    unsigned working;
    size_t *returned; // points that were taken, but not run
    size_t returned_count, returned_room;
    bool is_broken; // the journal cannot be written, or no memory
    bool is_interrupted;
    char message[SWEEP_MESSAGE];
};

// ---------------------------------------------------------------------------
// Points
// ---------------------------------------------------------------------------

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
    if (d->sample == SWEEP_GIVEN) {
        snprintf(message, SWEEP_MESSAGE, "there are no points");
        return d->sample_count;
    }
    if (d->sample != SWEEP_GRID)
        return sampling_points(d->sample, d->axis_count, d->sample_count, message);
    size_t count = 1;
    for (size_t i = 0; i < d->axis_count; i++) {
        if (d->axes[i].count == 0) {
            snprintf(message, SWEEP_MESSAGE,
                     "how many values of %.60s? %.60s=%g:%g:11 has 11 of them, and --sample "
                     "random:100 draws 100 from an interval or a distribution",
                     d->axes[i].name, d->axes[i].name, d->axes[i].lower, d->axes[i].upper);
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
    s->spills[0] = spill_create(count * results, sizeof *s->results);
    s->spills[1] = spill_create(count, sizeof *s->points);
    s->results = s->spills[0].memory;
    s->points = s->spills[1].memory;
    if (def->sample != SWEEP_GRID)
        s->spills[2] = spill_create(count * def->axis_count + 1, sizeof *s->values);
    s->values = s->spills[2].memory;
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->changed, NULL);
    if (!s->results || !s->points || (def->sample != SWEEP_GRID && !s->values)) {
        sweep_destroy(s);
        return NULL;
    }
    if (def->sample == SWEEP_GIVEN && def->axis_count)
        memcpy(s->values, def->points, count * def->axis_count * sizeof *s->values);
    else if (s->values)
        sampling_fill(def->sample, def->axes, def->axis_count, count, def->seed, s->values);
    message[0] = '\0';
    return s;
}

// So that memory does not grow with the number of points, they leave it again after so many.
static void sweep_touch(Sweep *s)
{
    enum { MOST_TOUCHED = 1 << 16 };
    if (++s->touched < MOST_TOUCHED)
        return;
    s->touched = 0;
    for (size_t i = 0; i < sizeof s->spills / sizeof *s->spills; i++)
        spill_relieve(&s->spills[i]);
}

void sweep_destroy(Sweep *s)
{
    if (!s)
        return;
    journal_close(s->journal, false);
    for (size_t i = 0; s->has_messages && i < s->count; i++) {
        free(s->points[i].message);
        sweep_touch(s);
    }
    for (size_t i = 0; i < sizeof s->spills / sizeof *s->spills; i++)
        spill_free(&s->spills[i]);
    free(s->returned);
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
    sweep_touch(s);
    if (r->index >= s->count || s->points[r->index].is_done)
        return false;
    Result *point = &s->points[r->index];
    if (r->message[0]) {
        point->message = malloc(strlen(r->message) + 1);
        if (!point->message)
            return false;
        memcpy(point->message, r->message, strlen(r->message) + 1);
        s->has_messages = true;
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

void sweep_break_off(Sweep *s, const char *message)
{
    pthread_mutex_lock(&s->lock);
    if (!s->is_broken)
        snprintf(s->message, sizeof s->message, "%s", message);
    s->is_broken = true;
    pthread_mutex_unlock(&s->lock);
}

// Whether all is done that is to be done; the lock is held.
static bool sweep_has_ended(const Sweep *s)
{
    return s->done == s->count || s->is_broken || s->is_interrupted;
}

static void sweep_look_for_interruption(Sweep *s)
{
    const bool stops =
        (s->def->is_interrupted && s->def->is_interrupted()) || study_is_interrupted(s->def->study);
    pthread_mutex_lock(&s->lock);
    s->is_interrupted |= stops;
    pthread_mutex_unlock(&s->lock);
}

bool sweep_is_over(Sweep *s)
{
    sweep_look_for_interruption(s);
    pthread_mutex_lock(&s->lock);
    const bool is_over = sweep_has_ended(s);
    pthread_mutex_unlock(&s->lock);
    return is_over;
}

bool sweep_take(Sweep *s, size_t *index)
{
    sweep_look_for_interruption(s);
    pthread_mutex_lock(&s->lock);
    bool is_there = false;
    while (s->returned_count > 0 && !is_there) {
        *index = s->returned[--s->returned_count];
        is_there = !s->points[*index].is_done;
    }
    while (s->next < s->count && s->points[s->next].is_done)
        s->next++;
    if (!is_there && s->next < s->count) {
        *index = s->next++;
        is_there = true;
    }
    is_there = is_there && !sweep_has_ended(s);
    pthread_mutex_unlock(&s->lock);
    return is_there;
}

void sweep_give_back(Sweep *s, size_t index)
{
    pthread_mutex_lock(&s->lock);
    bool is_fine = true;
    if (!s->points[index].is_done && s->returned_count == s->returned_room) {
        const size_t room = 2 * s->returned_room + 16;
        size_t *grown = realloc(s->returned, room * sizeof *grown);
        is_fine = grown != NULL;
        s->returned = grown ? grown : s->returned;
        s->returned_room = grown ? room : s->returned_room;
    }
    if (is_fine && !s->points[index].is_done)
        s->returned[s->returned_count++] = index;
    pthread_mutex_unlock(&s->lock);
    if (!is_fine)
        sweep_break_off(s, "out of memory");
}

void sweep_put(Sweep *s, const JournalRecord *record)
{
    char message[JOURNAL_MESSAGE];
    pthread_mutex_lock(&s->lock);
    if (record->index < s->count && s->points[record->index].is_done) {
        pthread_mutex_unlock(&s->lock); // somebody else was faster
        return;
    }
    bool is_fine = keep(s, record);
    if (!is_fine)
        snprintf(message, sizeof message, "out of memory");
    else if (s->journal)
        is_fine = journal_add(s->journal, record, message);
    pthread_mutex_unlock(&s->lock);
    if (!is_fine)
        sweep_break_off(s, message);
}

struct SweepHand {
    StudyRunner *runner;
    ParameterValue *values;
    double *results;
    StudyOutcome outcome;
};

SweepHand *sweep_hand(Sweep *s)
{
    SweepHand *h = calloc(1, sizeof *h);
    if (!h)
        return NULL;
    h->runner = study_runner(s->def->study);
    h->values = calloc(s->def->axis_count + 1, sizeof *h->values);
    h->results = calloc(s->result_count, sizeof *h->results);
    if (h->runner && h->values && h->results)
        return h;
    sweep_hand_free(h);
    return NULL;
}

void sweep_hand_free(SweepHand *h)
{
    if (!h)
        return;
    study_runner_destroy(h->runner);
    free(h->values);
    free(h->results);
    free(h);
}

JournalRecord sweep_run_point(Sweep *s, SweepHand *h, size_t index)
{
    const char *message = "";
    for (size_t i = 0; i < s->def->axis_count; i++)
        h->values[i] = (ParameterValue){s->def->axes[i].parameter, sweep_value(s, index, i)};
    study_run(h->runner, h->values, (uint32_t)s->def->axis_count, &h->outcome);
    if (h->outcome.status != SALTUS_INTERRUPTED)
        sweep_gather(s, h->runner, &h->outcome, h->results, &message);
    return (JournalRecord){index, (int)h->outcome.status, s->result_count, h->results, message};
}

static void *work(void *sweep)
{
    enum { PAUSE = 1000000 }; // nanoseconds, while others may give something back
    Sweep *s = sweep;
    SweepHand *hand = sweep_hand(s);
    size_t index;
    if (!hand)
        sweep_break_off(s, "out of memory");
    while (hand && !sweep_is_over(s)) {
        if (sweep_take(s, &index)) {
            const JournalRecord record = sweep_run_point(s, hand, index);
            if (record.status != SALTUS_INTERRUPTED) // sweep_take sees it, too
                sweep_put(s, &record);
        } else if (!s->def->crew) {
            break;
        } else {
            nanosleep(&(struct timespec){.tv_nsec = PAUSE}, NULL);
        }
    }
    sweep_hand_free(hand);
    pthread_mutex_lock(&s->lock);
    s->working--;
    pthread_cond_signal(&s->changed);
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

static unsigned count_jobs(const Sweep *s)
{
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    size_t jobs = s->def->jobs                      ? s->def->jobs
                  : processors > 0 && !s->def->crew ? (size_t)processors
                                                    : 1;
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
        sweep_break_off(s, "no thread could be started");
    if (s->def->crew)
        s->def->crew->work(s->def->crew->user, s);
    wait(s);
    for (unsigned i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
}

SweepStatus sweep_run(Sweep *s, char message[SWEEP_MESSAGE])
{
    const SweepDef *d = s->def;
    message[0] = '\0';
    if (d->crew && !d->crew->leads) {
        if (d->crew->meet(d->crew->user))
            d->crew->work(d->crew->user, s);
        return SWEEP_FINISHED;
    }
    if (d->journal) {
        s->journal =
            journal_open(d->journal, d->key, d->is_resumed, s->result_count, keep_read, s, message);
        if (!s->journal)
            return SWEEP_FAILED;
    }
    s->resumed = s->done;
    if (d->crew && !d->crew->meet(d->crew->user))
        return SWEEP_FAILED;
    if (s->done < s->count)
        run_threads(s);
    snprintf(message, SWEEP_MESSAGE, "%s", s->message);
    return s->is_broken ? SWEEP_FAILED : s->is_interrupted ? SWEEP_INTERRUPTED : SWEEP_FINISHED;
}

size_t sweep_count(const Sweep *s)
{
    return s->count;
}

size_t sweep_left(Sweep *s)
{
    pthread_mutex_lock(&s->lock);
    const size_t left = s->count - s->done;
    pthread_mutex_unlock(&s->lock);
    return left;
}

void sweep_show_progress(Sweep *s)
{
    pthread_mutex_lock(&s->lock);
    report_progress(s);
    pthread_mutex_unlock(&s->lock);
}

size_t sweep_resumed(const Sweep *s)
{
    return s->resumed;
}

size_t sweep_result_count(const Sweep *s)
{
    return s->result_count;
}

SweepPoint sweep_point(Sweep *s, size_t point)
{
    sweep_touch(s);
    const Result *r = &s->points[point];
    return (SweepPoint){.is_done = r->is_done,
                        .status = r->status,
                        .message = r->message ? r->message : "",
                        .results = s->results + point * s->result_count};
}
