// SPDX-License-Identifier: MIT
//
// Many runs of one shared system in several threads, with modes that come from a provider: each
// mode is provided exactly once, and every run has the same bits as when it runs alone.

#include "support/hybrid.h"
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { THREADS = 4, RUNS_PER_THREAD = 12, RUNS = THREADS * RUNS_PER_THREAD, MODES = 8 };

// ---------------------------------------------------------------------------
// Mode k is an oscillator of frequency k + 1 with an algebraic force; at each zero of the
// displacement the next mode is entered.
// ---------------------------------------------------------------------------

typedef struct Provision {
    int calls[MODES]; // changed under the system's lock only
    double frequency[MODES];
} Provision;

static int rhs(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    (void)c, (void)t;
    dx[0] = x[1];
    dx[1] = z[0];
    return 0;
}

static int force(const SaltusContext *c, double t, const double *x, const double *z, double *g)
{
    (void)t;
    const double *frequency = c->data;
    g[0] = z[0] + 0.01 * z[0] * z[0] * z[0] + *frequency * c->p[0] * x[0];
    return 0;
}

static int crossing(const SaltusContext *c, double t, const double *x, const double *z, double *h)
{
    UNUSED_ARGUMENTS;
    h[0] = x[0];
    return 0;
}

static void next_mode(SaltusEvent *event)
{
    int *count = event->memory;
    ++*count;
    saltus_record(event, "v", event->x[1]);
    assert_int_equal(saltus_switch_mode(event, (event->mode + 1) % MODES), SALTUS_OK);
}

static const SaltusEventDef zero = {.name = "zero", .action = next_mode};
static const char *const names[] = {"x", "v"};
static const double start[] = {1.0, 0.0, 0.0};

static int provide(void *user, int mode, SaltusModeDef *def, SaltusMessage *message)
{
    Provision *provision = user;
    char name[32]; // copied after the return, so it must not live here
    static const char *const mode_names[MODES] = {"m0", "m1", "m2", "m3", "m4", "m5", "m6", "m7"};
    snprintf(name, sizeof name, "%d", mode);
    if (mode >= MODES) {
        saltus_say(message, "there is no mode %s", name);
        return 1;
    }
    provision->calls[mode]++;
    provision->frequency[mode] = mode + 1.0;
    def->name = mode_names[mode];
    def->data = &provision->frequency[mode];
    def->state_count = 2;
    def->algebraic_count = 1;
    def->state_names = names;
    def->start = start;
    def->rhs = rhs;
    def->algebraic = force;
    def->event_count = 1;
    def->events = &zero;
    def->event_functions = crossing;
    return 0;
}

// ---------------------------------------------------------------------------
// Runs
// ---------------------------------------------------------------------------

// What is compared.
typedef struct Outcome {
    SaltusStatus status;
    double x[2], z;
    double last_event;
    long events;
    int mode;
    SaltusStatistics statistics;
} Outcome;

static const SaltusSolver solvers[] = {SALTUS_SOLVER_DOPRI5, SALTUS_SOLVER_RODAS,
                                       SALTUS_SOLVER_CVODE,  SALTUS_SOLVER_IDA,
                                       SALTUS_SOLVER_DOP853, SALTUS_SOLVER_ADAMS};
enum { SOLVERS = sizeof solvers / sizeof solvers[0] };

// Run number i of the system: its own parameter, solver, and a copy half way.
static Outcome run_one(const SaltusSystem *system, int i)
{
    Outcome outcome;
    memset(&outcome, 0, sizeof outcome); // also what lies between the members
    SaltusOptions options = saltus_default_options();
    double parameter = 1.0 + 0.1 * i;
    options.parameters = &parameter;
    options.method.solver = solvers[i % SOLVERS];
    SaltusRun *run = NULL, *copy = NULL;
    outcome.status = saltus_run_create(system, &options, &run, NULL);
    if (outcome.status == SALTUS_OK)
        outcome.status = saltus_run_advance(run, 3.0);
    if (outcome.status == SALTUS_OK)
        outcome.status = saltus_run_copy(run, &copy, NULL);
    saltus_run_destroy(run);
    if (outcome.status == SALTUS_OK)
        outcome.status = saltus_run_advance(copy, 20.0);
    if (outcome.status == SALTUS_OK) {
        memcpy(outcome.x, saltus_run_states(copy), sizeof outcome.x);
        outcome.z = saltus_run_algebraics(copy)[0];
        outcome.events = saltus_run_event_count(copy);
        outcome.last_event = saltus_run_event(copy, outcome.events - 1).t;
        outcome.mode = saltus_run_mode(copy);
        outcome.statistics = saltus_run_statistics(copy);
    }
    saltus_run_destroy(copy);
    return outcome;
}

typedef struct Job {
    pthread_t thread;
    const SaltusSystem *system;
    int first;
    Outcome *outcomes;
} Job;

static void *work(void *user)
{
    Job *job = user;
    for (int i = 0; i < RUNS_PER_THREAD; i++)
        job->outcomes[job->first + i] = run_one(job->system, job->first + i);
    return NULL;
}

static SaltusSystem *make_system(Provision *provision)
{
    static const double one = 1.0;
    SaltusSystemDef def = saltus_default_system();
    def.provider = provide;
    def.user = provision;
    def.parameter_count = 1;
    def.parameters = &one;
    def.memory.size = sizeof(int);
    SaltusSystem *system = NULL;
    assert_int_equal(saltus_system_create(&def, &system, NULL), SALTUS_OK);
    return system;
}

static void test_same_bits(void **state)
{
    (void)state;
    static Outcome alone[RUNS], together[RUNS];
    Provision provision;
    memset(&provision, 0, sizeof provision);
    SaltusSystem *system = make_system(&provision);
    for (int i = 0; i < RUNS; i++) {
        alone[i] = run_one(system, i);
        assert_int_equal(alone[i].status, SALTUS_OK);
        assert_true(alone[i].events > MODES);
    }
    saltus_system_destroy(system);

    memset(&provision, 0, sizeof provision);
    system = make_system(&provision);
    Job jobs[THREADS];
    for (int k = 0; k < THREADS; k++) {
        jobs[k] = (Job){.system = system, .first = k * RUNS_PER_THREAD, .outcomes = together};
        assert_int_equal(pthread_create(&jobs[k].thread, NULL, work, &jobs[k]), 0);
    }
    for (int k = 0; k < THREADS; k++)
        assert_int_equal(pthread_join(jobs[k].thread, NULL), 0);
    for (int k = 0; k < MODES; k++) {
        assert_int_equal(provision.calls[k], 1);
        assert_non_null(saltus_system_mode(system, k));
    }
    for (int i = 0; i < RUNS; i++)
        assert_memory_equal(&alone[i], &together[i], sizeof alone[i]);
    saltus_system_destroy(system);
}

// One run handed from thread to thread.
typedef struct Relay {
    SaltusRun *run;
    double stop;
    SaltusStatus status;
} Relay;

static void *carry(void *user)
{
    Relay *relay = user;
    relay->status = saltus_run_advance(relay->run, relay->stop);
    return NULL;
}

static void test_relay(void **state)
{
    (void)state;
    Provision provision;
    memset(&provision, 0, sizeof provision);
    SaltusSystem *system = make_system(&provision);
    for (int s = 0; s < SOLVERS; s++) {
        SaltusOptions options = saltus_default_options();
        options.method.solver = solvers[s];
        Relay relay = {.run = NULL};
        SaltusRun *alone = NULL;
        assert_int_equal(saltus_run_create(system, &options, &relay.run, NULL), SALTUS_OK);
        assert_int_equal(saltus_run_create(system, &options, &alone, NULL), SALTUS_OK);
        for (int k = 1; k <= 4; k++) {
            pthread_t thread;
            relay.stop = k;
            assert_int_equal(saltus_run_advance(alone, k), SALTUS_OK);
            assert_int_equal(pthread_create(&thread, NULL, carry, &relay), 0);
            assert_int_equal(pthread_join(thread, NULL), 0);
            assert_int_equal(relay.status, SALTUS_OK);
        }
        assert_memory_equal(saltus_run_states(alone), saltus_run_states(relay.run),
                            2 * sizeof(double));
        saltus_run_destroy(alone);
        saltus_run_destroy(relay.run);
    }
    saltus_system_destroy(system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_bits),
        cmocka_unit_test(test_relay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
