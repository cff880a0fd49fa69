// SPDX-License-Identifier: MIT
//
// Long runs, many models, runs that are cut in two: nothing drifts, nothing piles up. With
// SALTUS_LONG=1 in the environment 1e7 events, 1e8 steps, 10,000 models, 1e6 runs by 8 threads.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/trial.h"
#include "support/sanitized.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

// Of this process, in MB; 0: not known here.
static double resident(void)
{
    if (IS_SANITIZED)
        return 0.0;
    FILE *file = fopen("/proc/self/statm", "r");
    long pages = 0;
    if (!file || fscanf(file, "%*s %ld", &pages) != 1)
        pages = 0;
    if (file)
        fclose(file);
    return (double)pages * (double)sysconf(_SC_PAGESIZE) / 1e6;
}

static int forget(void *user, const SaltusLogEntry *entry)
{
    (void)user, (void)entry;
    return 0;
}

// The k-th sample is at k times the interval, rounded once, after a million of them as after
// one (else the run fails); their number does not show in the memory of a run that records nothing.
static void samples_do_not_drift(void **state)
{
    (void)state;
    Trial *t = trial_text("model M Integer n(start = 0, fixed = true); equation "
                          "when sample(0, 0.1) then n = pre(n) + 1; "
                          "assert(time == pre(n)*0.1, \"it drifts\"); end when; end M;");
    trial_options(t)->record = SALTUS_RECORD_NOTHING;
    trial_options(t)->logged = forget;
    assert_int_equal(trial_run(t, 1e3 + 0.05), SALTUS_OK);
    const double before = resident();
    assert_int_equal(trial_run(t, 1e5 + 0.05), SALTUS_OK);
    assert_true(resident() - before < 1.0);
    assert_int_equal(saltus_run_statistics(trial_get_run(t)).time_events, 1000001);
    trial_end(t);
}

static bool is_long(void)
{
    return getenv("SALTUS_LONG") != NULL;
}

// A saw tooth of period 1, whose events fall on whole numbers, found as zeros; the sum of their
// times is that of the numbers, exactly below 2^53, so none is lost, doubled or moved.
static void events_leave_nothing_behind(void **state)
{
    (void)state;
    const double count = is_long() ? 1e7 : 1e5;
    Trial *t = trial_text("model M Real x(start = 0, fixed = true), s(start = 0, fixed = true); "
                          "Integer n(start = 0, fixed = true); equation der(x) = 1; der(s) = 0; "
                          "when x >= 1 then reinit(x, 0); n = pre(n) + 1; "
                          "reinit(s, s + floor(time + 0.5)); end when; end M;");
    trial_options(t)->record = SALTUS_RECORD_NOTHING;
    trial_options(t)->logged = forget;
    assert_int_equal(trial_run(t, 1000.5), SALTUS_OK);
    const double before = resident();
    assert_int_equal(trial_run(t, count + 0.5), SALTUS_OK);
    assert_true(resident() - before < 1.0);
    const SaltusRun *run = trial_get_run(t);
    assert_int_equal(saltus_run_statistics(run).events, (long)count);
    const double sum =
        saltus_run_states(run)[0] > 1.0 ? saltus_run_states(run)[0] : saltus_run_states(run)[1];
    assert_true(sum == 0.5 * count * (count + 1.0));
    trial_end(t);
}

// An oscillation of many steps of one size: as much memory at the end as at the beginning.
static void steps_leave_nothing_behind(void **state)
{
    (void)state;
    const double stop = is_long() ? 1e5 : 1e2;
    Trial *t = trial_text("model M Real x(start = 1, fixed = true), v(start = 0, fixed = true); "
                          "equation der(x) = v; der(v) = -x; end M;");
    trial_options(t)->record = SALTUS_RECORD_NOTHING;
    trial_options(t)->method.solver = SALTUS_SOLVER_RK4;
    trial_options(t)->method.step = 1e-3;
    assert_int_equal(trial_run(t, 1.0), SALTUS_OK);
    const double before = resident();
    assert_int_equal(trial_run(t, stop), SALTUS_OK);
    assert_true(resident() - before < 1.0);
    trial_end(t);
}

// A constraint of index 3 holds at the end of a long run as at its beginning, for it is solved, not
// integrated: 300 swings and more, a few roundings.
static void constraints_do_not_drift(void **state)
{
    (void)state;
    Trial *t = trial_example("CartesianPendulum.mo", NULL);
    assert_int_equal(trial_run(t, 400.0), SALTUS_OK);
    const double x = trial_value(t, "x"), y = trial_value(t, "y");
    const double vx = trial_value(t, "vx"), vy = trial_value(t, "vy");
    assert_true(fabs(x * x + y * y - 1.0) <= 1e-12);
    assert_true(fabs(x * vx + y * vy) <= 1e-11); // and what follows from it for the speed
    trial_end(t);
}

// As many models as somebody opens in a day.
static void models_leave_nothing_behind(void **state)
{
    (void)state;
    double before = 0.0;
    for (int i = 0; i < (is_long() ? 10000 : 600); i++) {
        Trial *t = trial_run_text("model M Real x(start = 1, fixed = true), y; equation "
                                  "der(x) = -y; if x > 0.5 then y = x; else y = x^2; end if; "
                                  "when x < 0.3 then reinit(x, 0.9); end when; end M;",
                                  2.0);
        trial_end(t);
        if (i == 100)
            before = resident();
    }
    assert_true(resident() - before < 2.0);
}

// Runs of one system, made, run and freed by a thread.
typedef struct Rower {
    const SaltusSystem *system;
    SaltusOptions options;
    long events; // of each
    int count, failed;
    double last; // the end of all of them
} Rower;

static void *row_on(void *argument)
{
    Rower *r = argument;
    for (int i = 0; i < r->count; i++) {
        SaltusRun *run = NULL;
        SaltusError error;
        if (saltus_run_create(r->system, &r->options, &run, &error) != SALTUS_OK ||
            saltus_run_advance(run, 4.0) != SALTUS_OK ||
            saltus_run_statistics(run).events != r->events ||
            (i > 0 && saltus_run_states(run)[0] != r->last))
            r->failed++;
        r->last = run ? saltus_run_states(run)[0] : NAN;
        saltus_run_destroy(run);
    }
    return NULL;
}

static void row(Rower *rowers, int threads, int count)
{
    pthread_t ids[8];
    for (int i = 0; i < threads; i++) {
        rowers[i].count = count / threads;
        assert_int_equal(pthread_create(&ids[i], NULL, row_on, &rowers[i]), 0);
    }
    for (int i = 0; i < threads; i++)
        pthread_join(ids[i], NULL);
}

// As many runs as a sweep has, at once: each ends with the same bits, in the memory of the first
// ones.
static void runs_of_threads_leave_nothing_behind(void **state)
{
    (void)state;
    enum { THREADS = 8 };
    Trial *t = trial_text("model M Real x(start = 1, fixed = true), y; equation "
                          "der(x) = -y; if x > 0.5 then y = x; else y = x^2; end if; "
                          "when x < 0.3 then reinit(x, 0.9); end when; end M;");
    assert_int_equal(trial_run(t, 4.0), SALTUS_OK); // which makes the system
    Rower rowers[THREADS];
    for (int i = 0; i < THREADS; i++)
        rowers[i] = (Rower){.system = saltus_run_system(trial_get_run(t)),
                            .options = saltus_default_options(),
                            .events = saltus_run_statistics(trial_get_run(t)).events};
    assert_true(rowers[0].events > 1);
    row(rowers, THREADS, 800);
    const double before = resident();
    row(rowers, THREADS, is_long() ? 1000000 : 2400);
    assert_true(resident() - before < 2.0);
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(rowers[i].failed, 0);
        assert_true(rowers[i].last == saltus_run_states(trial_get_run(t))[0]);
    }
    trial_end(t);
}

// A run that goes on from half way has the end of the whole one, to what a restart of the steps
// costs, and the same events.
static void cut_runs_agree(void **state)
{
    (void)state;
    static const char *const files[] = {"BouncingBall.mo", "CartesianPendulum.mo", "DryFriction.mo",
                                        "Thermostat.mo"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        Trial *whole = trial_example(files[i], NULL), *cut = trial_example(files[i], NULL);
        trial_options(whole)->method.relative_tolerance = 1e-9;
        trial_options(cut)->method.relative_tolerance = 1e-9;
        const double stop = trial_stop_time(whole);
        assert_int_equal(trial_run(whole, stop), SALTUS_OK);
        assert_int_equal(trial_run(cut, 0.4142 * stop), SALTUS_OK);
        assert_int_equal(trial_run(cut, stop), SALTUS_OK);
        const SaltusRun *a = trial_get_run(whole), *b = trial_get_run(cut);
        assert_int_equal(saltus_run_event_count(a), saltus_run_event_count(b));
        assert_int_equal(saltus_run_mode(a), saltus_run_mode(b));
        const SaltusModeDef *mode = saltus_system_mode(saltus_run_system(a), saltus_run_mode(a));
        for (int k = 0; k < mode->state_count; k++) {
            const double x = saltus_run_states(a)[k], y = saltus_run_states(b)[k];
            assert_true(fabs(x - y) <= 1e-6 * (1.0 + fabs(x)));
        }
        trial_end(cut);
        trial_end(whole);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_do_not_drift),
        cmocka_unit_test(events_leave_nothing_behind),
        cmocka_unit_test(steps_leave_nothing_behind),
        cmocka_unit_test(constraints_do_not_drift),
        cmocka_unit_test(models_leave_nothing_behind),
        cmocka_unit_test(runs_of_threads_leave_nothing_behind),
        cmocka_unit_test(cut_runs_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
