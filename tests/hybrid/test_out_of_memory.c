// SPDX-License-Identifier: MIT
//
// Out of memory at every possible place: the allocation hooks fail at the n-th allocation, for
// n = 1, 2, ... until nothing fails any more. Each time: no crash, SALTUS_ERROR_MEMORY with a
// message, the results so far, and nothing that is not given back.

#include "base/error.h"
#include "support/hybrid.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// ---------------------------------------------------------------------------
// Hooks that count and fail
// ---------------------------------------------------------------------------

typedef struct Heap {
    long calls;    // that may fail: new blocks and growth
    long fail_at;  // 0: never
    bool for_good; // all later ones fail, too
    long blocks;   // in use
    bool failed;
} Heap;

static void *reallocate(void *user, void *block, size_t size)
{
    Heap *heap = user;
    if (size == 0) {
        heap->blocks -= block != NULL;
        free(block);
        return NULL;
    }
    heap->calls++;
    if (heap->calls == heap->fail_at || (heap->failed && heap->for_good)) {
        heap->failed = true;
        return NULL;
    }
    void *grown = realloc(block, size);
    assert_non_null(grown);
    heap->blocks += block == NULL;
    return grown;
}

// ---------------------------------------------------------------------------
// A system that uses everything: provider, algebraic unknowns, sparsity, events, records, time
// events, changes of mode and method
// ---------------------------------------------------------------------------

static int flight_rhs(const SaltusContext *c, double t, const double *x, const double *z,
                      double *dx)
{
    (void)c, (void)t, (void)z;
    dx[0] = x[1];
    dx[1] = -9.81;
    return 0;
}

static int contact_rhs(const SaltusContext *c, double t, const double *x, const double *z,
                       double *dx)
{
    (void)c, (void)t;
    dx[0] = x[1];
    dx[1] = z[0] - 9.81;
    dx[2] = x[0];
    return 0;
}

static int contact_force(const SaltusContext *c, double t, const double *x, const double *z,
                         double *g)
{
    (void)c, (void)t;
    g[0] = z[0] + 1000.0 * x[0];
    return 0;
}

static int height(const SaltusContext *c, double t, const double *x, const double *z, double *h)
{
    UNUSED_ARGUMENTS;
    h[0] = x[0];
    h[1] = x[1];
    return 0;
}

static int energy(const SaltusContext *c, double t, const double *x, const double *z, double *y)
{
    UNUSED_ARGUMENTS;
    y[0] = 9.81 * x[0] + 0.5 * x[1] * x[1];
    return 0;
}

static void touch(SaltusEvent *event)
{
    saltus_record(event, "impact", event->x[1]);
    if (saltus_switch_mode(event, 1) != SALTUS_OK)
        return;
    event->x[2] = 0.0;
    event->p[0] += 1.0;
    for (int id = 0; id < 12; id++)
        saltus_schedule(event, id, event->t + 0.01);
}

static void lift(SaltusEvent *event)
{
    saltus_switch_mode(event, 0);
}

static void tick(SaltusEvent *event)
{
    event->method->relative_tolerance = 1e-7; // a new solver, once
}

static const SaltusEventDef flight_events[] = {
    {.name = "touch", .direction = SALTUS_FALLING, .action = touch}, {.name = "apex"}};
static const SaltusEventDef contact_events[] = {
    {.name = "lift", .direction = SALTUS_RISING, .action = lift}, {.name = "deepest"}};
static const char *const names[] = {"x", "v", "w"};

static int provide(void *user, int mode, SaltusModeDef *def, SaltusMessage *message)
{
    (void)user, (void)mode, (void)message;
    static const int column_start[] = {0, 2, 3, 3, 5}, rows[] = {2, 3, 0, 1, 3};
    static const SaltusSparsity sparsity = {column_start, rows};
    *def = hybrid_mode("contact", 3, NULL, contact_rhs, 2, contact_events, height);
    def->algebraic_count = 1;
    def->algebraic = contact_force;
    def->state_names = names;
    def->hints.sparsity = &sparsity;
    return 0;
}

static SaltusSystemDef ball_system(SaltusModeDef *mode, Heap *heap)
{
    static const double start[] = {0.1, 0.0}, parameter = 0.0;
    static const double nominal[] = {0.1, 1.0}, tolerance[] = {1e-9, 1e-8};
    *mode = hybrid_mode("flight", 2, start, flight_rhs, 2, flight_events, height);
    mode->state_names = names;
    mode->output_count = 1;
    mode->outputs = energy;
    mode->nominal = nominal;
    mode->absolute_tolerance = tolerance;
    SaltusSystemDef def = hybrid_system(1, mode);
    def.provider = provide;
    def.parameter_count = 1;
    def.parameters = &parameter;
    def.memory.size = 16;
    def.time_action = tick;
    def.allocator = (SaltusAllocator){.reallocate = reallocate, .user = heap};
    return def;
}

// What has been got out of a run that may have failed.
static void read_everything(const SaltusRun *run)
{
    double sum = 0.0;
    for (long i = 0; i < saltus_run_row_count(run); i++) {
        SaltusRow row = saltus_run_row(run, i);
        for (int k = 0; k < row.x_count; k++)
            sum += row.x[k];
        for (int k = 0; k < row.y_count; k++)
            sum += row.y[k];
    }
    for (long i = 0; i < saltus_run_event_count(run); i++) {
        SaltusLogEntry entry = saltus_run_event(run, i);
        for (int k = 0; k < entry.record_count; k++)
            sum += entry.records[k].after + (double)strlen(entry.records[k].name);
        for (int k = 0; k < entry.change_count; k++)
            sum += (double)strlen(entry.changes[k].name);
        for (int k = 0; k < entry.fired_count; k++)
            sum += entry.fired[k].event;
        for (int k = 0; k < entry.time_count; k++)
            sum += entry.time_ids[k];
    }
    sum += saltus_run_time(run) + saltus_run_states(run)[0] + saltus_run_parameters(run)[0];
    sum += saltus_run_mode(run) + (int)saltus_run_solver(run);
    assert_true(isfinite(sum));
}

static void assert_memory(const SaltusError *error, const Heap *heap)
{
    assert_true(heap->failed);
    assert_int_equal(error->status, SALTUS_ERROR_MEMORY);
    assert_contains(error->message, "out of memory");
}

// The whole life of a system; true if nothing failed.
static bool live(Heap *heap, SaltusSolver solver, unsigned record)
{
    SaltusModeDef mode;
    SaltusSystemDef def = ball_system(&mode, heap);
    SaltusSystem *system = NULL;
    SaltusRun *run = NULL, *copy = NULL;
    SaltusError error;
    SaltusStatus status = saltus_system_create(&def, &system, &error);
    if (status != SALTUS_OK) {
        assert_memory(&error, heap);
        saltus_error_clear(&error);
        assert_null(system);
        return false;
    }
    SaltusOptions options = saltus_default_options();
    options.method.solver = solver;
    options.record = record;
    status = saltus_run_create(system, &options, &run, &error);
    if (status != SALTUS_OK) {
        assert_memory(&error, heap);
        saltus_error_clear(&error);
        assert_null(run);
        saltus_system_destroy(system);
        return false;
    }
    status = saltus_run_advance(run, 0.5);
    if (status == SALTUS_OK) {
        status = saltus_run_copy(run, &copy, &error);
        if (status == SALTUS_OK) {
            status = saltus_run_advance(copy, 1.0);
            read_everything(copy);
            error_copy(&error, saltus_run_error(copy));
            saltus_run_destroy(copy);
        } else {
            assert_null(copy);
        }
    } else {
        error_copy(&error, saltus_run_error(run));
        assert_contains(error.message, "mode ");
        assert_int_equal(saltus_run_advance(run, 1.0), status); // stays where it is
    }
    read_everything(run);
    if (status != SALTUS_OK)
        assert_memory(&error, heap);
    saltus_error_clear(&error);
    saltus_run_destroy(run);
    saltus_system_destroy(system);
    return status == SALTUS_OK;
}

static void check_every_place(SaltusSolver solver, unsigned record)
{
    for (int for_good = 0; for_good < 2; for_good++) {
        long n = 1;
        for (;; n++) {
            Heap heap = {.fail_at = n, .for_good = for_good};
            bool fine = live(&heap, solver, record);
            assert_int_equal(heap.blocks, 0); // all is given back
            assert_true(fine == !heap.failed);
            if (fine)
                break;
        }
        assert_true(n > 100);
    }
}

static void test_dopri5(void **state)
{
    (void)state;
    check_every_place(SALTUS_SOLVER_DOPRI5, SALTUS_RECORD_STEPS);
}

static void test_rodas(void **state)
{
    (void)state;
    check_every_place(SALTUS_SOLVER_RODAS, SALTUS_RECORD_EVENTS);
}

static void test_auto(void **state)
{
    (void)state;
    check_every_place(SALTUS_SOLVER_AUTO, SALTUS_RECORD_STEPS);
}

static void test_cvode(void **state)
{
    (void)state;
    check_every_place(SALTUS_SOLVER_CVODE, SALTUS_RECORD_NOTHING);
}

static void test_ida(void **state)
{
    (void)state;
    check_every_place(SALTUS_SOLVER_IDA, SALTUS_RECORD_EVENTS);
}

// A mode that could not be copied for lack of memory can be had by the next run.
static void test_provider_again(void **state)
{
    (void)state;
    bool failed_in_provider = false;
    for (long n = 1; !failed_in_provider; n++) {
        Heap heap = {.fail_at = 0};
        SaltusModeDef mode;
        SaltusSystemDef def = ball_system(&mode, &heap);
        SaltusSystem *system = NULL;
        SaltusRun *run = NULL, *next = NULL;
        SaltusOptions options = saltus_default_options();
        assert_int_equal(saltus_system_create(&def, &system, NULL), SALTUS_OK);
        assert_int_equal(saltus_run_create(system, &options, &run, NULL), SALTUS_OK);
        heap.fail_at = heap.calls + n;
        SaltusStatus status = saltus_run_advance(run, 0.5);
        assert_int_equal(status, SALTUS_ERROR_MEMORY); // n is smaller than what the mode needs
        failed_in_provider = saltus_system_mode(system, 1) == NULL && n > 3;
        assert_int_equal(saltus_run_create(system, &options, &next, NULL), SALTUS_OK);
        assert_int_equal(saltus_run_advance(next, 0.5), SALTUS_OK);
        assert_non_null(saltus_system_mode(system, 1));
        saltus_run_destroy(next);
        saltus_run_destroy(run);
        saltus_system_destroy(system);
        assert_int_equal(heap.blocks, 0);
    }
}

// A run that lets go of modes on its way, and its copy.
static int drift_rhs(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    (void)c, (void)t, (void)x, (void)z;
    dx[0] = 1.0;
    return 0;
}

static int drift_provide(void *user, int mode, SaltusModeDef *def, SaltusMessage *message)
{
    (void)user, (void)message;
    static char name[32];
    static const char *states[1] = {name};
    static const double start[1] = {0.0};
    snprintf(name, sizeof name, "drift%d", mode);
    def->name = name;
    def->state_count = 1;
    def->state_names = states; // nothing in common with any other mode
    def->start = start;
    def->rhs = drift_rhs;
    return 0;
}

static void drift_on(SaltusEvent *event)
{
    const double x = event->x[0];
    if (saltus_switch_mode(event, event->mode + 1) == SALTUS_OK)
        event->x[0] = x;
    saltus_schedule(event, 0, event->t + 1.0);
}

static void drift_start(SaltusEvent *event)
{
    saltus_schedule(event, 0, 1.0);
}

static SaltusStatus drift(SaltusSystem *system, SaltusRun **run, SaltusRun **copy)
{
    SaltusOptions options = saltus_default_options();
    options.record = SALTUS_RECORD_NOTHING;
    SaltusStatus status = saltus_run_create(system, &options, run, NULL);
    if (status == SALTUS_OK)
        status = saltus_run_advance(*run, 80.5);
    if (status == SALTUS_OK)
        status = saltus_run_copy(*run, copy, NULL);
    if (status == SALTUS_OK)
        status = saltus_run_advance(*copy, 90.5);
    return status;
}

static void test_many_modes(void **state)
{
    (void)state;
    SaltusStatus status = SALTUS_ERROR_MEMORY;
    // Modes need some 40 allocations each: every 13th is one at another place each time.
    for (long n = 13; status != SALTUS_OK; n += 13) {
        Heap heap = {.fail_at = n};
        SaltusSystemDef def = saltus_default_system();
        def.provider = drift_provide;
        def.start = drift_start;
        def.time_action = drift_on;
        def.allocator = (SaltusAllocator){.reallocate = reallocate, .user = &heap};
        SaltusSystem *system = NULL;
        SaltusRun *run = NULL, *copy = NULL;
        assert_int_equal(saltus_system_create(&def, &system, NULL), SALTUS_OK);
        status = drift(system, &run, &copy);
        assert_int_equal(status, heap.failed ? SALTUS_ERROR_MEMORY : SALTUS_OK);
        if (status == SALTUS_OK)
            assert_true(fabs(saltus_run_states(copy)[0] - 90.5) < 1e-12);
        saltus_run_destroy(copy);
        saltus_run_destroy(run);
        saltus_system_destroy(system);
        assert_int_equal(heap.blocks, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dopri5),     cmocka_unit_test(test_rodas),
        cmocka_unit_test(test_auto),       cmocka_unit_test(test_cvode),
        cmocka_unit_test(test_ida),        cmocka_unit_test(test_provider_again),
        cmocka_unit_test(test_many_modes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
