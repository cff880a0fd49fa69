// SPDX-License-Identifier: MIT
//
// No allocation inside the stepping loop: counted through the hooks, and at malloc itself, which
// the linker wraps for this test, so that SUNDIALS is counted, too. Only logs and trajectories
// grow, by doubling.

#include "support/hybrid.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// ---------------------------------------------------------------------------
// malloc, wrapped
// ---------------------------------------------------------------------------

static long allocations; // calls of malloc, calloc, realloc

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);

void *__wrap_malloc(size_t size)
{
    allocations++;
    return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    allocations++;
    return __real_calloc(count, size);
}

void *__wrap_realloc(void *block, size_t size)
{
    allocations++;
    return __real_realloc(block, size);
}

// The hooks count by themselves; they use what is not wrapped.
static long hooked;

static void *reallocate(void *user, void *block, size_t size)
{
    (void)user;
    if (size == 0) {
        free(block);
        return NULL;
    }
    hooked++;
    return __real_realloc(block, size);
}

static long count_all(void)
{
    return allocations + hooked;
}

static void test_the_counters(void **state)
{
    (void)state;
    long before = count_all();
    void *volatile block = malloc(8);
    block = realloc(block, 16);
    free(block);
    void *volatile other = calloc(2, 8);
    free(other);
    free(reallocate(NULL, NULL, 8));
    assert_int_equal(count_all() - before, 4);
}

// ---------------------------------------------------------------------------
// Systems
// ---------------------------------------------------------------------------

// A chain of oscillators: stiff enough to make the implicit solvers work.
enum { CHAIN = 6 };

static int chain_rhs(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    (void)c, (void)t, (void)z;
    for (int i = 0; i < CHAIN; i++) {
        double left = i > 0 ? x[i - 1] : 0.0, right = i < CHAIN - 1 ? x[i + 1] : 0.0;
        dx[i] = x[CHAIN + i];
        dx[CHAIN + i] = left - 2.0 * x[i] + right - 0.1 * x[i] * x[i] * x[i] - 0.2 * x[CHAIN + i];
    }
    return 0;
}

static int chain_events(const SaltusContext *c, double t, const double *x, const double *z,
                        double *h)
{
    (void)c, (void)t, (void)z;
    h[0] = x[0] - 100.0; // never
    return 0;
}

static int residual(const SaltusContext *c, double t, const double *x, const double *z,
                    const double *dx, double *r)
{
    chain_rhs(c, t, x, z, r);
    for (int i = 0; i < 2 * CHAIN; i++)
        r[i] = dx[i] - r[i];
    return 0;
}

static int force_rhs(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    (void)c, (void)t;
    dx[0] = x[1];
    dx[1] = z[0];
    return 0;
}

static int force(const SaltusContext *c, double t, const double *x, const double *z, double *g)
{
    (void)c, (void)t;
    g[0] = z[0] + 0.1 * z[0] * z[0] * z[0] + x[0];
    return 0;
}

static const double chain_start[2 * CHAIN] = {1.0, 0.0, -1.0};
static const double force_start[3] = {1.0, 0.0, -1.0};
static const SaltusEventDef never = {.name = "never"};

static SaltusModeDef chain_mode(void)
{
    return hybrid_mode("chain", 2 * CHAIN, chain_start, chain_rhs, 1, &never, chain_events);
}

static Hybrid begin(const SaltusModeDef *modes, int count, const SaltusOptions *options)
{
    SaltusSystemDef def = hybrid_system(count, modes);
    def.allocator = (SaltusAllocator){.reallocate = reallocate};
    return hybrid_begin(&def, options);
}

// Ten thousand steps without a single allocation.
static void check_steps(const SaltusModeDef *mode, SaltusSolver solver)
{
    SaltusOptions options = saltus_default_options();
    options.method.solver = solver;
    options.method.step = solver <= SALTUS_SOLVER_RK4 ? 0.01 : 0.0;
    options.method.max_step = 0.1;
    options.record = SALTUS_RECORD_NOTHING;
    Hybrid hybrid = begin(mode, 1, &options);
    assert_int_equal(saltus_run_advance(hybrid.run, 1.0), SALTUS_OK); // first steps may be special
    long steps = saltus_run_statistics(hybrid.run).steps, before = count_all();
    for (double t = 100.0; saltus_run_statistics(hybrid.run).steps < steps + 10000; t += 100.0)
        assert_int_equal(saltus_run_advance(hybrid.run, t), SALTUS_OK);
    if (count_all() != before)
        fail_msg("%s: %ld allocations", saltus_solver_name(solver), count_all() - before);
    hybrid_end(&hybrid);
}

static void test_steps(void **state)
{
    (void)state;
    for (int solver = SALTUS_SOLVER_EULER; solver <= SALTUS_SOLVER_IDA; solver++) {
        SaltusModeDef mode = chain_mode();
        check_steps(&mode, (SaltusSolver)solver);
    }
}

static void test_algebraic_steps(void **state)
{
    (void)state;
    for (int solver = SALTUS_SOLVER_EULER; solver <= SALTUS_SOLVER_IDA; solver++) {
        SaltusModeDef mode = hybrid_mode("force", 2, force_start, force_rhs, 0, NULL, NULL);
        mode.algebraic_count = 1;
        mode.algebraic = force;
        check_steps(&mode, (SaltusSolver)solver);
    }
}

static void test_residual_steps(void **state)
{
    (void)state;
    SaltusModeDef mode = chain_mode();
    mode.rhs = NULL;
    mode.residual = residual;
    check_steps(&mode, SALTUS_SOLVER_IDA);
}

// ---------------------------------------------------------------------------
// Events
// ---------------------------------------------------------------------------

static int flight_rhs(const SaltusContext *c, double t, const double *x, const double *z,
                      double *dx)
{
    UNUSED_ARGUMENTS;
    dx[0] = x[1];
    dx[1] = -9.81;
    return 0;
}

static int spring_rhs(const SaltusContext *c, double t, const double *x, const double *z,
                      double *dx)
{
    UNUSED_ARGUMENTS;
    dx[0] = x[1];
    dx[1] = -9.81 - 1e4 * x[0];
    dx[2] = 1.0;
    return 0;
}

static int height(const SaltusContext *c, double t, const double *x, const double *z, double *h)
{
    UNUSED_ARGUMENTS;
    h[0] = x[0];
    return 0;
}

static void bounce(SaltusEvent *event)
{
    event->x[1] = -event->x[1];
}

static void touch(SaltusEvent *event)
{
    saltus_switch_mode(event, 1);
    event->x[2] = 0.0;
}

static void lift(SaltusEvent *event)
{
    saltus_switch_mode(event, 0);
}

static const char *const names[] = {"x", "v", "contact"};
static const double drop[] = {0.05, 0.0};

// Doublings that a log of so many entries needs after `before` of them, in each of its arrays.
static long doublings(long before, long after)
{
    long count = 0;
    for (long capacity = 64; capacity < after; capacity *= 2)
        count += capacity >= before;
    return count;
}

// Allocations over many events once all modes have been visited: the log's growth at most.
static void check_events(const SaltusModeDef *modes, int count, SaltusSolver solver,
                         SaltusLocate locate, double end)
{
    SaltusOptions options = saltus_default_options();
    options.method.solver = solver;
    options.method.locate = locate;
    options.method.step = solver <= SALTUS_SOLVER_RK4 ? 0.001 : 0.0;
    options.record = SALTUS_RECORD_NOTHING;
    Hybrid hybrid = begin(modes, count, &options);
    assert_int_equal(saltus_run_advance(hybrid.run, 1.0), SALTUS_OK);
    long events = saltus_run_event_count(hybrid.run), before = count_all();
    assert_true(events >= 4);
    assert_int_equal(saltus_run_advance(hybrid.run, end), SALTUS_OK);
    long after = saltus_run_event_count(hybrid.run);
    assert_true(after > events + 100);
    // Entries, fired, and up to three changes per event.
    long allowed = doublings(events, after) * 2 + doublings(3 * events, 3 * after);
    if (count_all() - before > allowed)
        fail_msg("%s, %s: %ld allocations in %ld events, allowed %ld", saltus_solver_name(solver),
                 saltus_locate_name(locate), count_all() - before, after - events, allowed);
    hybrid_end(&hybrid);
}

static void test_bounces(void **state)
{
    (void)state;
    SaltusEventDef event = {.name = "bounce", .direction = SALTUS_FALLING, .action = bounce};
    SaltusModeDef mode = hybrid_mode("flight", 2, drop, flight_rhs, 1, &event, height);
    for (int solver = SALTUS_SOLVER_EULER; solver <= SALTUS_SOLVER_IDA; solver++) {
        int last = solver >= SALTUS_SOLVER_CVODE ? SALTUS_LOCATE_SUNDIALS : SALTUS_LOCATE_HENON;
        for (int locate = SALTUS_LOCATE_BRENT; locate <= last; locate++)
            check_events(&mode, 1, (SaltusSolver)solver, (SaltusLocate)locate, 60.0);
    }
}

static void test_two_modes(void **state)
{
    (void)state;
    SaltusEventDef falling = {.name = "touch", .direction = SALTUS_FALLING, .action = touch};
    SaltusEventDef rising = {.name = "lift", .direction = SALTUS_RISING, .action = lift};
    SaltusModeDef modes[2] = {hybrid_mode("flight", 2, drop, flight_rhs, 1, &falling, height),
                              hybrid_mode("contact", 3, NULL, spring_rhs, 1, &rising, height)};
    modes[0].state_names = modes[1].state_names = names;
    for (int solver = SALTUS_SOLVER_RK4; solver <= SALTUS_SOLVER_IDA; solver++)
        check_events(modes, 2, (SaltusSolver)solver, SALTUS_LOCATE_BRENT, 40.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_counters),    cmocka_unit_test(test_steps),
        cmocka_unit_test(test_algebraic_steps), cmocka_unit_test(test_residual_steps),
        cmocka_unit_test(test_bounces),         cmocka_unit_test(test_two_modes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
