// SPDX-License-Identifier: MIT
//
// Sweeps: see sweep.h.

#include "studies/sweep.h"
#include "base/message.h"
#include "studies/sweep_kernel.h"

#include "studies/spill.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { MOST_NUMBERS = 100000000, MOST_JOBS = 256 };

struct Sweep {
    const SweepDef *def;
    size_t count, result_count, resumed;
    double *values; // of a sample: points by axes
    double *results;
    struct {
        bool is_done;
        bool is_new; // it met a mode that the kernel does not have
        SaltusStatus status;
        char *message; // NULL: ""
    } * points;
    Spill spills[3]; // what these are in
    size_t touched;  // points since memory was relieved
    bool has_messages;
    Journal *journal;
    SweepKernel *kernel; // NULL: none
    SweepKernelReport report;
    size_t fresh; // points that were left because they met a new mode

    pthread_mutex_t lock; // of all below
    pthread_cond_t changed;
    size_t next, done, failed;
    unsigned working;
    size_t *returned; // points that were taken, but not run
    size_t returned_count, returned_room;
    bool is_broken; // the journal cannot be written, or no memory
    bool is_interrupted;
    char *message;
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
static size_t count_points(const SweepDef *d, char **message)
{
    if (d->sample == SWEEP_GIVEN) {
        if (d->sample_count == 0)
            message_set(message, "there are no points");
        return d->sample_count;
    }
    if (d->sample != SWEEP_GRID)
        return sampling_points(d->sample, d->axis_count, d->sample_count, message);
    size_t count = 1;
    for (size_t i = 0; i < d->axis_count; i++) {
        if (d->axes[i].count == 0) {
            message_set(message,
                        "how many values of %s? %s=%g:%g:11 has 11 of them, and --sample "
                        "random:100 draws 100 from an interval or a distribution",
                        d->axes[i].name, d->axes[i].name, d->axes[i].lower, d->axes[i].upper);
            return 0;
        }
        count = d->axes[i].count > MOST_NUMBERS / count ? 0 : count * d->axes[i].count;
        if (count == 0) {
            message_set(message, "the grid has too many points");
            return 0;
        }
    }
    return count;
}

static size_t count_results(const Observations *o, char **message)
{
    size_t count = 0;
    for (size_t i = 0; i < observations_count(o); i++) {
        const long length = observations_length(o, i);
        if (length == OBSERVE_EVERY) {
            message_set(message,
                        "%s has as many values as there are occurrences; a table needs a range, "
                        "1:10 instead of \"every\"",
                        observations_name(o, i));
            return 0;
        }
        count += (size_t)length;
    }
    if (count == 0)
        message_set(message, "nothing is observed: --observe NAME=EXPR says what");
    return count;
}

Sweep *sweep_create(const SweepDef *def, char **message)
{
    const size_t count = count_points(def, message);
    const size_t results = count_results(study_observations(def->study), message);
    if (count == 0 || results == 0)
        return NULL;
    Sweep *s = count > MOST_NUMBERS / (results + def->axis_count) ? NULL : calloc(1, sizeof *s);
    if (!s) {
        message_set(message, "out of memory for %zu points", count);
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
        message_set(message, "out of memory for %zu points", count);
        sweep_destroy(s);
        return NULL;
    }
    if (def->sample == SWEEP_GIVEN && def->axis_count)
        memcpy(s->values, def->points, count * def->axis_count * sizeof *s->values);
    else if (s->values)
        sampling_fill(def->sample, def->axes, def->axis_count, count, def->seed, s->values);
    return s;
}

// So that memory does not grow with the number of points, they leave it again after so many.
enum { MOST_TOUCHED = 1 << 16 };

static void sweep_touch(Sweep *s)
{
    if (++s->touched < MOST_TOUCHED)
        return;
    s->touched = 0;
    for (size_t i = 0; i < sizeof s->spills / sizeof *s->spills; i++)
        spill_relieve(&s->spills[i]);
}

// The same of points that are far from each other: the system brings in what is around each.
static void sweep_touch_far(Sweep *s)
{
    s->touched += MOST_TOUCHED / 64;
    sweep_touch(s);
}

void sweep_destroy(Sweep *s)
{
    if (!s)
        return;
    journal_close(s->journal, false);
    sweep_kernel_destroy(s->kernel);
    for (size_t i = 0; s->points && s->has_messages && i < s->count; i++) {
        free(s->points[i].message);
        sweep_touch(s);
    }
    for (size_t i = 0; i < sizeof s->spills / sizeof *s->spills; i++)
        spill_free(&s->spills[i]);
    free(s->returned);
    free(s->message);
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
    if (r->message[0]) {
        char *message = malloc(strlen(r->message) + 1);
        if (!message)
            return false;
        memcpy(message, r->message, strlen(r->message) + 1);
        s->points[r->index].message = message;
        s->has_messages = true;
    }
    memcpy(s->results + r->index * s->result_count, r->values, s->result_count * sizeof *r->values);
    s->points[r->index].status = (SaltusStatus)r->status;
    s->points[r->index].is_done = true;
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
        message_set(&s->message, "%s", message);
    s->is_broken = true;
    pthread_mutex_unlock(&s->lock);
}

// Whether all is done that is to be done; the lock is held.
static bool sweep_has_ended(const Sweep *s)
{
    return s->done == s->count || s->is_broken || s->is_interrupted;
}

static bool sweep_is_asked_to_end(const Sweep *s)
{
    return (s->def->is_interrupted && s->def->is_interrupted()) ||
           study_is_interrupted(s->def->study);
}

static void sweep_look_for_interruption(Sweep *s)
{
    const bool stops = sweep_is_asked_to_end(s);
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
        if (grown) {
            s->returned = grown;
            s->returned_room = room;
        }
    }
    if (is_fine && !s->points[index].is_done)
        s->returned[s->returned_count++] = index;
    pthread_mutex_unlock(&s->lock);
    if (!is_fine)
        sweep_break_off(s, "out of memory");
}

void sweep_put(Sweep *s, const JournalRecord *record)
{
    char *message = NULL;
    pthread_mutex_lock(&s->lock);
    if (record->index < s->count && s->points[record->index].is_done) {
        pthread_mutex_unlock(&s->lock); // somebody else was faster
        return;
    }
    bool is_fine = keep(s, record);
    if (is_fine && s->journal)
        is_fine = journal_add(s->journal, record, &message);
    pthread_mutex_unlock(&s->lock);
    if (!is_fine)
        sweep_break_off(s, message_text(message));
    free(message);
}

struct SweepHand {
    StudyRunner *runner;
    ParameterValue *values;
    double *results;
    StudyOutcome outcome;
    struct SweepBatch *batch; // for the kernel; NULL: none yet
};

static void hand_free_batch(SweepHand *h);

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
    hand_free_batch(h);
    free(h->values);
    free(h->results);
    free(h);
}

// What it points to is valid until the next one; the status is SALTUS_INTERRUPTED if it is none.
static JournalRecord sweep_run_point(Sweep *s, SweepHand *h, size_t index)
{
    const char *message = "";
    for (size_t i = 0; i < s->def->axis_count; i++)
        h->values[i] = (ParameterValue){s->def->axes[i].parameter, sweep_value(s, index, i)};
    study_run(h->runner, h->values, (uint32_t)s->def->axis_count, &h->outcome);
    if (h->outcome.status != SALTUS_INTERRUPTED)
        sweep_gather(s, h->runner, &h->outcome, h->results, &message);
    return (JournalRecord){index, (int)h->outcome.status, s->result_count, h->results, message};
}

static bool work_put(void *sweep, const JournalRecord *record)
{
    sweep_put(sweep, record);
    return true;
}

static void *work(void *sweep)
{
    enum { PAUSE = 1000000, MOST = 256 }; // nanoseconds, while others may give something back
    Sweep *s = sweep;
    SweepHand *hand = sweep_hand(s);
    size_t points[MOST];
    if (!hand)
        sweep_break_off(s, "out of memory");
    while (hand && !sweep_is_over(s)) {
        const size_t wanted = sweep_uses_kernel(s) ? MOST : 1;
        size_t count = 0;
        while (count < wanted && sweep_take(s, &points[count]))
            count++;
        if (count > 0) {
            sweep_run_points(s, hand, points, count, work_put, s);
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

// ---------------------------------------------------------------------------
// By a kernel
// ---------------------------------------------------------------------------

// Points that a kernel is given at once: memory does not grow with the sweep.
enum { BATCH_CPU = 1024, BATCH_GPU = 1 << 20 };

// Where a checked value may be: errors of two runs with the tolerance, which events, and instable
// models, enlarge.
static const double check_factor = 1e4;

// The first result that differs, or as many as there are.
static size_t find_difference(const Sweep *s, const double *a, const double *b)
{
    double stop_time;
    const SaltusMethod *m = &study_options(s->def->study, &stop_time)->method;
    for (size_t i = 0; i < s->result_count; i++) {
        const bool is_count = a[i] == floor(a[i]) && b[i] == floor(b[i]);
        const double size = fmax(fabs(a[i]), fabs(b[i]));
        const double bound = check_factor * (m->relative_tolerance * size + m->absolute_tolerance);
        if (isnan(a[i]) != isnan(b[i]) || (is_count && a[i] != b[i]) || fabs(a[i] - b[i]) > bound)
            return i;
    }
    return s->result_count;
}

typedef struct SweepBatch SweepBatch;
struct SweepBatch {
    Sweep *s;
    size_t *points;
    double *values, *results, *observed;
    int *status;
    size_t count, room;
    atomic_size_t next; // point that nobody works at
    size_t least, most; // points of a part
    unsigned jobs;
};

static bool batch_create(SweepBatch *b, Sweep *s, size_t room)
{
    *b = (SweepBatch){.s = s, .room = room};
    b->points = calloc(room, sizeof *b->points);
    b->values = calloc(room * s->def->axis_count + 1, sizeof *b->values);
    b->results = calloc(room * sweep_kernel_result_count(s->kernel) + 1, sizeof *b->results);
    b->observed = calloc(s->result_count, sizeof *b->observed);
    b->status = calloc(room, sizeof *b->status);
    return b->points && b->values && b->results && b->observed && b->status;
}

static void batch_free(SweepBatch *b)
{
    free(b->points);
    free(b->values);
    free(b->results);
    free(b->observed);
    free(b->status);
}

static void batch_add(SweepBatch *b, size_t point)
{
    const size_t axes = b->s->def->axis_count;
    for (size_t i = 0; i < axes; i++)
        b->values[b->count * axes + i] = sweep_value(b->s, point, i);
    b->points[b->count++] = point;
}

// The next part of the batch; 0: there is none. Parts become smaller towards the end, so that all
// threads end together (guided self-scheduling, Polychronopoulos and Kuck 1987).
static size_t batch_take(SweepBatch *b, size_t *first)
{
    size_t count;
    *first = atomic_load(&b->next);
    do {
        const size_t left = b->count - *first, share = left / (2 * (size_t)b->jobs);
        const size_t part = share < b->most ? share : b->most;
        count = part > b->least ? part : left < b->least ? left : b->least;
    } while (count > 0 && !atomic_compare_exchange_weak(&b->next, first, *first + count));
    return count;
}

// Parts of the batch, until there are none.
static void *batch_work(void *batch)
{
    SweepBatch *b = batch;
    const size_t axes = b->s->def->axis_count, results = sweep_kernel_result_count(b->s->kernel);
    for (size_t first, count;
         !sweep_is_asked_to_end(b->s) && (count = batch_take(b, &first)) > 0;) {
        sweep_kernel_run(b->s->kernel, b->values + first * axes, count,
                         b->results + first * results, b->status + first);
    }
    return NULL;
}

static void batch_run(SweepBatch *b)
{
    struct timespec begin, end;
    pthread_t threads[MOST_JOBS];
    const bool is_gpu = b->s->report.device[0] == 'g';
    unsigned started = 0;
    for (size_t i = 0; i < b->count; i++)
        b->status[i] = -1; // nothing is known yet
    b->jobs = is_gpu || count_jobs(b->s) == 0 ? 1 : count_jobs(b->s);
    b->least = is_gpu ? b->count : 8 * (size_t)b->s->report.lanes;
    b->least = b->least > 0 ? b->least : 1;
    b->most = is_gpu ? b->count : 512; // an interruption waits for no more
    atomic_store(&b->next, 0);
    timespec_get(&begin, TIME_UTC);
    for (; started + 1 < b->jobs && started * b->least < b->count; started++)
        if (pthread_create(&threads[started], NULL, batch_work, b) != 0)
            break;
    batch_work(b);
    for (unsigned i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    timespec_get(&end, TIME_UTC);
    b->s->report.seconds +=
        (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
}

// What the kernel has found of point i of the batch; false: it is left to the ordinary run.
static bool batch_read(SweepBatch *b, size_t i, const char **message)
{
    const Sweep *s = b->s;
    return b->status[i] == 0 &&
           sweep_kernel_read(s->kernel, b->values + i * s->def->axis_count,
                             b->results + i * sweep_kernel_result_count(s->kernel), b->observed,
                             message);
}

static void batch_keep(SweepBatch *b)
{
    Sweep *s = b->s;
    batch_run(b);
    for (size_t i = 0; i < b->count && !s->is_broken && !sweep_kernel_reason(s->kernel)[0]; i++) {
        const char *message;
        if (batch_read(b, i, &message)) {
            s->report.finished++;
            sweep_put(s, &(JournalRecord){b->points[i], SALTUS_OK, s->result_count, b->observed,
                                          message});
        } else {
            if (!s->report.first_aside)
                s->report.first_aside = kernel_status_text(b->status[i]);
            s->points[b->points[i]].is_new = b->status[i] == KERNEL_NEW_MODE;
            s->fresh += s->points[b->points[i]].is_new;
            s->report.aside++;
        }
    }
    b->count = 0;
}

static bool kernel_is_over(const Sweep *s)
{
    return s->is_broken || s->report.is_distrusted || sweep_is_asked_to_end(s);
}

// Runs the points of the batch both ways. False: one differs.
static bool batch_compare(SweepBatch *b, SweepHand *hand)
{
    Sweep *s = b->s;
    bool is_fine = true;
    batch_run(b);
    for (size_t i = 0; i < b->count && is_fine && !s->is_broken; i++) {
        const char *message;
        sweep_touch_far(s);
        if (study_is_interrupted(s->def->study) || s->points[b->points[i]].is_done)
            continue;
        const JournalRecord record = sweep_run_point(s, hand, b->points[i]);
        if (record.status != SALTUS_INTERRUPTED)
            sweep_put(s, &record);
        s->report.aside += b->status[i] != 0;
        if (!s->points[b->points[i]].is_done || !batch_read(b, i, &message))
            continue;
        s->report.checked++;
        const size_t k = find_difference(s, b->observed, hand->results);
        is_fine = s->points[b->points[i]].status == SALTUS_OK && k == s->result_count;
        if (!is_fine && k < s->result_count) {
            s->report.difference.point = b->points[i] + 1;
            s->report.difference.result = k + 1;
            s->report.difference.kernel = b->observed[k];
            s->report.difference.ordinary = hand->results[k];
        }
    }
    b->count = 0;
    return is_fine;
}

// The part of the points that is to be run both ways, spread over all of them. False: one differs.
static bool batch_check(SweepBatch *b)
{
    Sweep *s = b->s;
    SweepHand *hand = sweep_hand(s);
    const double part = fmin(fmax(s->def->checked, 0.0), 1.0);
    const size_t wanted = (size_t)ceil(part * (double)s->count);
    bool is_fine = hand != NULL;
    for (size_t i = 0; i < wanted && is_fine && !kernel_is_over(s); i++) {
        const size_t point = (size_t)(((double)i + 0.5) / (double)wanted * (double)s->count);
        sweep_touch_far(s);
        if (point < s->count && !s->points[point].is_done)
            batch_add(b, point);
        if (b->count == b->room)
            is_fine = batch_compare(b, hand);
    }
    is_fine = is_fine && batch_compare(b, hand);
    sweep_hand_free(hand);
    return is_fine;
}

// What a crew is given.
bool sweep_uses_kernel(const Sweep *s)
{
    return s->def->crew && s->kernel && !s->report.reason[0] && !s->report.is_distrusted;
}

void sweep_distrust_kernel(Sweep *s)
{
    s->report.is_distrusted = true;
}

void sweep_count_kernel(Sweep *s, double finished, double aside)
{
    pthread_mutex_lock(&s->lock);
    s->report.finished += (size_t)finished;
    s->report.aside += (size_t)aside;
    pthread_mutex_unlock(&s->lock);
}

static void hand_free_batch(SweepHand *h)
{
    if (h->batch)
        batch_free(h->batch);
    free(h->batch);
    h->batch = NULL;
}

// NULL: there is no kernel, or no memory for it.
static SweepBatch *hand_batch(SweepHand *h, Sweep *s)
{
    if (!sweep_uses_kernel(s))
        return NULL;
    if (!h->batch && (h->batch = calloc(1, sizeof *h->batch)) &&
        !batch_create(h->batch, s, BATCH_CPU))
        hand_free_batch(h);
    return h->batch;
}

bool sweep_run_points(Sweep *s, SweepHand *h, const size_t *points, size_t count, SweepPut put,
                      void *user)
{
    SweepBatch *b = hand_batch(h, s);
    bool is_fine = true;
    for (size_t first = 0, part; first < count && is_fine; first += part) {
        part = b && count - first > b->room ? b->room : count - first;
        for (size_t i = 0; b && i < part; i++)
            batch_add(b, points[first + i]);
        if (b)
            batch_run(b);
        for (size_t i = 0; i < part && is_fine; i++) {
            const char *message;
            const bool is_found = b && batch_read(b, i, &message);
            const JournalRecord record =
                is_found ? (JournalRecord){points[first + i], SALTUS_OK, s->result_count,
                                           b->observed, message}
                         : sweep_run_point(s, h, points[first + i]);
            if (b)
                sweep_count_kernel(s, is_found, !is_found);
            if (record.status != SALTUS_INTERRUPTED) // who hands out points sees it, too
                is_fine = put(user, &record);
        }
        if (b)
            b->count = 0;
    }
    return is_fine;
}

// All points that are not done, or those of them that met a new mode.
static void batch_points(SweepBatch *b, bool only_new)
{
    Sweep *s = b->s;
    for (size_t i = 0; i < s->count && !kernel_is_over(s); i++) {
        sweep_touch(s);
        if (!s->points[i].is_done && (!only_new || s->points[i].is_new))
            batch_add(b, i);
        if (b->count == b->room) {
            batch_keep(b);
            if (s->def->progress)
                s->def->progress(s->def->user, s->done, s->failed, s->count);
        }
    }
    if (b->count && !kernel_is_over(s))
        batch_keep(b);
    b->count = 0;
}

// The first of the points that met a new mode are run as usual, so that it is known. True: it is
// part of the kernel now, and the others can be run again.
static bool batch_meet(const SweepBatch *b)
{
    enum { MOST_MET = 4 };
    Sweep *s = b->s;
    SweepHand *hand = s->fresh ? sweep_hand(s) : NULL;
    for (size_t i = 0, met = 0; hand && i < s->count && met < MOST_MET && !kernel_is_over(s); i++) {
        if (s->points[i].is_done || !s->points[i].is_new)
            continue;
        const JournalRecord record = sweep_run_point(s, hand, i);
        if (record.status != SALTUS_INTERRUPTED)
            sweep_put(s, &record);
        s->fresh--;
        met++;
    }
    const bool is_renewed = hand && !kernel_is_over(s) && sweep_kernel_renew(s->kernel);
    sweep_hand_free(hand);
    return is_renewed;
}

static void report_kernel(Sweep *s)
{
    const KernelCode *code = sweep_kernel_code(s->kernel);
    s->report.lanes = code ? kernel_lanes(code) : 0;
    s->report.modes = code ? kernel_mode_count(code) : 0;
    s->report.source = code ? kernel_source(code).text : NULL;
    s->report.source_length = code ? kernel_source(code).length : 0;
    s->report.reason = sweep_kernel_reason(s->kernel);
}

static void run_kernel_points(Sweep *s)
{
    enum { MOST_RENEWALS = 8 };
    SweepBatch b;
    const size_t most =
        s->report.device[0] == 'g' ? BATCH_GPU : 4 * BATCH_CPU * (size_t)count_jobs(s);
    if (batch_create(&b, s, s->count < most ? s->count : most)) {
        s->report.is_distrusted = !batch_check(&b);
        batch_points(&b, false);
        for (int k = 0; k < MOST_RENEWALS && batch_meet(&b); k++) {
            s->report.aside -= s->fresh;
            s->fresh = 0;
            report_kernel(s);
            batch_points(&b, true);
        }
    }
    batch_free(&b);
}

// Of a crew, who leads has the kernel made and checked before the others need it: they find it in
// the cache.
static void run_kernel_check(Sweep *s)
{
    SweepBatch b;
    if (batch_create(&b, s, BATCH_CPU))
        s->report.is_distrusted = !batch_check(&b);
    batch_free(&b);
}

static void make_kernel(Sweep *s)
{
    const SweepDef *d = s->def;
    KernelDevice device = d->device == SWEEP_CPU ? KERNEL_CPU : KERNEL_GPU;
    s->kernel = sweep_kernel_create(d->study, d->axes, d->axis_count, device);
    if (s->kernel && device == KERNEL_GPU && !sweep_kernel_reason(s->kernel)[0])
        sweep_kernel_run(s->kernel, NULL, 0, NULL, NULL); // is it there?
    if (s->kernel && d->device == SWEEP_AUTO && sweep_kernel_reason(s->kernel)[0]) {
        sweep_kernel_destroy(s->kernel);
        device = KERNEL_CPU;
        s->kernel = sweep_kernel_create(d->study, d->axes, d->axis_count, device);
    }
    s->report.device = device == KERNEL_CPU ? "cpu" : "gpu";
    if (!s->kernel) {
        s->report.reason = "out of memory";
        return;
    }
    report_kernel(s);
}

SweepKernelReport sweep_kernel_report(const Sweep *s)
{
    return s->report;
}

SweepStatus sweep_run(Sweep *s, char **message)
{
    const SweepDef *d = s->def;
    if (d->crew && !d->crew->leads) {
        if (d->crew->meet(d->crew->user)) {
            if (d->device != SWEEP_RUNS)
                make_kernel(s);
            d->crew->work(d->crew->user, s);
        }
        return SWEEP_FINISHED;
    }
    if (d->journal) {
        s->journal =
            journal_open(d->journal, d->key, d->is_resumed, s->result_count, keep_read, s, message);
        if (!s->journal)
            return SWEEP_FAILED;
    }
    s->resumed = s->done;
    if (s->done < s->count && d->device != SWEEP_RUNS) {
        make_kernel(s);
        if (d->crew && count_jobs(s) > 1)
            s->report.reason = "a rank has several threads";
        else if (d->crew && sweep_uses_kernel(s))
            run_kernel_check(s);
    }
    if (d->crew && !d->crew->meet(d->crew->user))
        return SWEEP_FAILED;
    if (!d->crew && s->kernel && !s->report.reason[0])
        run_kernel_points(s);
    if (s->done < s->count && !s->is_broken)
        run_threads(s);
    if (s->is_broken)
        message_set(message, "%s", message_text(s->message));
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

JournalRecord sweep_point(Sweep *s, size_t point)
{
    sweep_touch(s);
    const char *message = s->points[point].message;
    return (JournalRecord){.index = point,
                           .status = (int)s->points[point].status,
                           .count = s->points[point].is_done ? s->result_count : 0,
                           .values = s->results + point * s->result_count,
                           .message = message ? message : ""};
}
