// SPDX-License-Identifier: MIT
//
// Checkpoints: a run that is stopped at any of its events, copied and continued, and its copy,
// both do what the uninterrupted run does: with the same bits for one-step solvers, within the
// tolerance for the SUNDIALS solvers, which restart. And runs in many small advances.

#include "support/hybrid.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

// ---------------------------------------------------------------------------
// A ball with air drag and wind: bounces on the floor, every third time falls into a soft spot,
// a mode with one more state and an algebraic unknown
// ---------------------------------------------------------------------------

enum { FLIGHT, SOFT };

typedef struct Memory {
    int bounces;
    double energy; // of the last impact
} Memory;

// Not copied with a run: where to stop.
typedef struct Watch {
    int stop_at; // the number of the event to stop at, 0: none
    int count;
} Watch;

static int flight_rhs(const SaltusContext *c, double t, const double *x, const double *z,
                      double *dx)
{
    (void)t, (void)z;
    double relative = x[1] - c->u[0];
    dx[0] = x[1];
    dx[1] = -9.81 - 0.05 * relative * fabs(relative);
    return 0;
}

static int flight_events(const SaltusContext *c, double t, const double *x, const double *z,
                         double *h)
{
    UNUSED_ARGUMENTS;
    h[0] = x[0];       // floor
    h[1] = x[1];       // apex: only observed
    h[2] = x[0] - 0.3; // a level: only observed
    return 0;
}

// The spring force solves z + z^3 / 4 = -k x.
static int soft_rhs(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    (void)c, (void)t;
    dx[0] = x[1];
    dx[1] = -9.81 + z[0];
    dx[2] = x[1] * x[1];
    return 0;
}

static int soft_force(const SaltusContext *c, double t, const double *x, const double *z, double *g)
{
    (void)c, (void)t;
    g[0] = z[0] + 0.25e-4 * z[0] * z[0] * z[0] + 200.0 * x[0];
    return 0;
}

static int soft_events(const SaltusContext *c, double t, const double *x, const double *z,
                       double *h)
{
    UNUSED_ARGUMENTS;
    h[0] = x[0];
    return 0;
}

static void watch(SaltusEvent *event)
{
    Watch *w = event->user;
    if (++w->count == w->stop_at)
        saltus_stop(event, "checkpoint");
}

static void bounce(SaltusEvent *event)
{
    Memory *memory = event->memory;
    watch(event);
    memory->bounces++;
    memory->energy = 0.5 * event->x[1] * event->x[1];
    event->p[0] *= 0.99;
    if (memory->bounces % 3 == 0) {
        double speed = event->x[1];
        assert_int_equal(saltus_switch_mode(event, SOFT), SALTUS_OK);
        event->x[1] = speed;
        event->x[2] = 0.0;
    } else {
        event->x[1] *= -event->p[0];
    }
}

static void observe(SaltusEvent *event)
{
    watch(event);
    saltus_record(event, "x", event->x[0]);
}

static void lift_off(SaltusEvent *event)
{
    watch(event);
    assert_int_equal(saltus_switch_mode(event, FLIGHT), SALTUS_OK);
}

static void begin(SaltusEvent *event)
{
    saltus_schedule(event, 1, 0.31);
}

static void turn_wind(SaltusEvent *event)
{
    watch(event);
    event->u[0] = event->u[0] > 0.0 ? -1.0 : 1.0;
    saltus_schedule(event, 1, event->t + 0.31);
}

static const SaltusEventDef flight_defs[] = {
    {.name = "floor", .direction = SALTUS_FALLING, .action = bounce},
    {.name = "apex", .direction = SALTUS_FALLING, .action = observe},
    {.name = "level", .action = observe},
};
static const SaltusEventDef soft_defs[] = {
    {.name = "lift off", .direction = SALTUS_RISING, .action = lift_off}};

static Hybrid begin_ball(const SaltusOptions *options, Watch *w)
{
    SaltusModeDef modes[2];
    modes[FLIGHT] =
        hybrid_mode("flight", 2, (double[]){1.0, 0.0}, flight_rhs, 3, flight_defs, flight_events);
    modes[SOFT] = hybrid_mode("soft", 3, NULL, soft_rhs, 1, soft_defs, soft_events);
    modes[SOFT].algebraic_count = 1;
    modes[SOFT].algebraic = soft_force;
    modes[FLIGHT].state_names = (const char *[]){"x", "v"};
    modes[SOFT].state_names = (const char *[]){"x", "v", "path"};
    SaltusSystemDef def = hybrid_system(2, modes);
    def.parameter_count = 1;
    def.parameters = (double[]){0.9};
    def.input_count = 1;
    def.inputs = (double[]){0.0};
    def.memory.size = sizeof(Memory);
    def.start = begin;
    def.time_action = turn_wind;
    def.user = w;
    return hybrid_begin(&def, options);
}

static SaltusOptions options_of(SaltusSolver solver)
{
    SaltusOptions options = saltus_default_options();
    options.method.solver = solver;
    options.method.step = solver == SALTUS_SOLVER_RK4 ? 0.01 : 0.0;
    options.method.relative_tolerance = 1e-8;
    options.method.absolute_tolerance = 1e-10;
    options.record = SALTUS_RECORD_INTERVALS;
    options.output_interval = 0.07;
    return options;
}

static const double end_time = 4.0;

// ---------------------------------------------------------------------------
// Comparisons
// ---------------------------------------------------------------------------

// The last rows of the trajectories on the grid, from the end backwards, differ by at most this.
static void assert_same_rows(const SaltusRun *a, const SaltusRun *b, double from, double bound)
{
    long i = saltus_run_row_count(a) - 1, j = saltus_run_row_count(b) - 1;
    int compared = 0;
    for (;; i--, j--) {
        while (i >= 0 && saltus_run_row(a, i).kind != SALTUS_ROW_INTERVAL)
            i--;
        while (j >= 0 && saltus_run_row(b, j).kind != SALTUS_ROW_INTERVAL)
            j--;
        if (i < 0 || j < 0 || saltus_run_row(a, i).t <= from)
            break;
        SaltusRow r = saltus_run_row(a, i), s = saltus_run_row(b, j);
        assert_true(r.t == s.t);
        assert_int_equal(r.mode, s.mode);
        for (int k = 0; k < r.x_count; k++)
            assert_close(s.x[k], r.x[k], bound);
        for (int k = 0; k < r.z_count; k++)
            assert_close(s.z[k], r.z[k], 200.0 * bound);
        compared++;
    }
    assert_true(compared == (int)((end_time - from) / 0.07) ||
                compared == (int)((end_time - from) / 0.07) + 1);
}

// The events of b are the last ones of a.
static void assert_same_events(const SaltusRun *a, const SaltusRun *b, double bound)
{
    long count = saltus_run_event_count(b), shift = saltus_run_event_count(a) - count;
    assert_true(shift >= 0);
    for (long i = 0; i < count; i++) {
        SaltusLogEntry e = saltus_run_event(a, i + shift), f = saltus_run_event(b, i);
        assert_close(f.t, e.t, bound);
        assert_int_equal(e.classes, f.classes);
        assert_int_equal(e.from, f.from);
        assert_int_equal(e.to, f.to);
        assert_int_equal(e.fired_count, f.fired_count);
        for (int k = 0; k < e.fired_count; k++)
            assert_int_equal(e.fired[k].event, f.fired[k].event);
    }
}

static void assert_same_end(const SaltusRun *a, const SaltusRun *b, double bound)
{
    assert_true(saltus_run_time(a) == saltus_run_time(b));
    assert_int_equal(saltus_run_mode(a), saltus_run_mode(b));
    for (int k = 0; k < 2; k++)
        assert_close(saltus_run_states(b)[k], saltus_run_states(a)[k], bound);
    assert_true(saltus_run_parameters(a)[0] == saltus_run_parameters(b)[0]);
    assert_true(saltus_run_inputs(a)[0] == saltus_run_inputs(b)[0]);
    const Memory *m = saltus_run_memory(a), *n = saltus_run_memory(b);
    assert_int_equal(m->bounces, n->bounces);
    assert_close(n->energy, m->energy, 10.0 * bound);
}

// ---------------------------------------------------------------------------
// Copies at every event
// ---------------------------------------------------------------------------

// Stops at event number k, copies, continues both.
static void check_copy_at(const SaltusRun *whole, SaltusSolver solver, int k, double bound)
{
    Watch w = {.stop_at = k};
    SaltusOptions options = options_of(solver);
    Hybrid hybrid = begin_ball(&options, &w);
    assert_int_equal(saltus_run_advance(hybrid.run, end_time), SALTUS_TERMINATED);
    double t = saltus_run_time(hybrid.run);
    SaltusStatistics before = saltus_run_statistics(hybrid.run);
    SaltusRun *copy = NULL, *second = NULL;
    assert_int_equal(saltus_run_copy(hybrid.run, &copy, NULL), SALTUS_OK);
    assert_int_equal(saltus_run_copy(copy, &second, NULL), SALTUS_OK);
    assert_int_equal(saltus_run_row_count(copy), 0); // without trajectory and log
    assert_int_equal(saltus_run_event_count(copy), 0);
    assert_true(saltus_run_time(copy) == t);
    SaltusStatistics after = saltus_run_statistics(copy);
    assert_memory_equal(&before, &after, sizeof before);

    assert_int_equal(saltus_run_advance(copy, end_time), SALTUS_OK);
    assert_int_equal(saltus_run_advance(hybrid.run, end_time), SALTUS_OK);
    // The original was only stopped: it goes on with the same bits whatever the solver.
    assert_same_end(whole, hybrid.run, 0.0);
    assert_same_events(whole, hybrid.run, 0.0);
    assert_same_rows(whole, hybrid.run, 0.0, 0.0);
    assert_same_end(whole, copy, bound);
    assert_same_events(whole, copy, bound);
    assert_same_rows(whole, copy, t, bound);
    saltus_run_destroy(copy);
    saltus_run_destroy(hybrid.run); // the copy of the copy outlives both
    hybrid.run = NULL;
    assert_int_equal(saltus_run_advance(second, end_time), SALTUS_OK);
    assert_same_end(whole, second, bound);
    assert_same_events(whole, second, bound);
    saltus_run_destroy(second);
    hybrid_end(&hybrid);
}

static void check_copies(SaltusSolver solver, double bound)
{
    Watch w = {.stop_at = 0};
    SaltusOptions options = options_of(solver);
    Hybrid whole = begin_ball(&options, &w);
    assert_int_equal(saltus_run_advance(whole.run, end_time), SALTUS_OK);
    int events = w.count;
    assert_true(events > 30);
    assert_true(saltus_run_statistics(whole.run).mode_changes >= 3);
    for (int k = 1; k <= events; k++)
        check_copy_at(whole.run, solver, k, bound);
    hybrid_end(&whole);
}

static void test_dopri5(void **state)
{
    (void)state;
    check_copies(SALTUS_SOLVER_DOPRI5, 0.0);
}

static void test_dop853(void **state)
{
    (void)state;
    check_copies(SALTUS_SOLVER_DOP853, 0.0);
}

static void test_rk4(void **state)
{
    (void)state;
    check_copies(SALTUS_SOLVER_RK4, 0.0);
}

static void test_rodas(void **state)
{
    (void)state;
    check_copies(SALTUS_SOLVER_RODAS, 0.0);
}

// The tolerance is 1e-8 per step; the impacts, a dozen of them, multiply errors of speed and time
// by not more than the restitution and the ratio of accelerations.
static void test_cvode(void **state)
{
    (void)state;
    check_copies(SALTUS_SOLVER_CVODE, 1e-4);
}

static void test_ida(void **state)
{
    (void)state;
    check_copies(SALTUS_SOLVER_IDA, 1e-4);
}

// ---------------------------------------------------------------------------
// Copies between events
// ---------------------------------------------------------------------------

// A copy at a stop time, and at the very beginning; what is done to one is not seen by the other.
static void add_energy(SaltusEvent *event)
{
    event->x[1] += 1.0;
    event->p[0] = 0.5;
    event->u[0] = 3.0;
    ((Memory *)event->memory)->bounces = 77;
    saltus_cancel(event, 1);
}

static void test_independence(void **state)
{
    (void)state;
    const SaltusSolver solvers[] = {SALTUS_SOLVER_DOPRI5, SALTUS_SOLVER_RODAS, SALTUS_SOLVER_CVODE};
    const double stops[] = {0.0, 0.25, 1.7};
    for (size_t s = 0; s < sizeof solvers / sizeof solvers[0]; s++) {
        for (size_t i = 0; i < sizeof stops / sizeof stops[0]; i++) {
            Watch w = {.stop_at = 0};
            SaltusOptions options = options_of(solvers[s]);
            Hybrid whole = begin_ball(&options, &w), hybrid = begin_ball(&options, &w);
            assert_int_equal(saltus_run_advance(whole.run, stops[i]), SALTUS_OK);
            assert_int_equal(saltus_run_advance(hybrid.run, stops[i]), SALTUS_OK);
            SaltusRun *copy = NULL;
            assert_int_equal(saltus_run_copy(hybrid.run, &copy, NULL), SALTUS_OK);
            assert_int_equal(saltus_run_apply(copy, add_energy), SALTUS_OK);
            assert_int_equal(saltus_run_advance(copy, end_time), SALTUS_OK);
            assert_int_equal(saltus_run_advance(whole.run, end_time), SALTUS_OK);
            assert_int_equal(saltus_run_advance(hybrid.run, end_time), SALTUS_OK);
            assert_same_end(whole.run, hybrid.run, 0.0);
            assert_same_events(whole.run, hybrid.run, 0.0);
            const Memory *memory = saltus_run_memory(copy);
            assert_true(memory->bounces > 77);
            assert_true(saltus_run_inputs(copy)[0] == 3.0);
            saltus_run_destroy(copy);
            hybrid_end(&hybrid);
            hybrid_end(&whole);
        }
    }
}

static void test_wrong_copies(void **state)
{
    (void)state;
    Watch w = {.stop_at = 0};
    SaltusOptions options = options_of(SALTUS_SOLVER_DOPRI5);
    Hybrid hybrid = begin_ball(&options, &w);
    SaltusRun *copy;
    SaltusError error;
    assert_int_equal(saltus_run_copy(NULL, &copy, &error), SALTUS_ERROR_ARGUMENT);
    saltus_error_clear(&error);
    assert_int_equal(saltus_run_copy(hybrid.run, NULL, &error), SALTUS_ERROR_ARGUMENT);
    assert_contains(error.message, "copy");
    saltus_error_clear(&error);
    hybrid_end(&hybrid);
}

// ---------------------------------------------------------------------------
// Many small advances
// ---------------------------------------------------------------------------

static const SaltusSolver solvers[] = {
    SALTUS_SOLVER_RK4,   SALTUS_SOLVER_DOPRI5, SALTUS_SOLVER_DOP853, SALTUS_SOLVER_RODAS,
    SALTUS_SOLVER_CVODE, SALTUS_SOLVER_ADAMS,  SALTUS_SOLVER_IDA};

// Steps end at each stop, so the bits differ, but not the events.
static void test_small_advances(void **state)
{
    (void)state;
    for (size_t s = 0; s < sizeof solvers / sizeof solvers[0]; s++) {
        Watch w = {.stop_at = 0};
        SaltusOptions options = options_of(solvers[s]);
        Hybrid whole = begin_ball(&options, &w), pieces = begin_ball(&options, &w);
        assert_int_equal(saltus_run_advance(whole.run, end_time), SALTUS_OK);
        for (int i = 1; i <= 1000; i++)
            assert_int_equal(saltus_run_advance(pieces.run, end_time * i / 1000.0), SALTUS_OK);
        assert_int_equal(saltus_run_event_count(whole.run), saltus_run_event_count(pieces.run));
        assert_same_events(whole.run, pieces.run, 1e-4);
        assert_same_rows(whole.run, pieces.run, 0.0, 1e-3);
        hybrid_end(&whole);
        hybrid_end(&pieces);
    }
}

// Advances by one unit in the last place, around an event.
static void test_smallest_advances(void **state)
{
    (void)state;
    for (size_t s = 0; s < sizeof solvers / sizeof solvers[0]; s++) {
        Watch w = {.stop_at = 0};
        SaltusOptions options = options_of(solvers[s]);
        Hybrid whole = begin_ball(&options, &w), pieces = begin_ball(&options, &w);
        assert_int_equal(saltus_run_advance(whole.run, 0.6), SALTUS_OK);
        double times[8];
        assert_int_equal(hybrid_times(whole.run, 0, times, 8), 1); // the floor
        double t = times[0];
        for (int i = 0; i < 10; i++)
            t = nextafter(t, 0.0);
        for (int i = 0; i < 20; i++, t = nextafter(t, 1.0)) {
            SaltusStatus status = saltus_run_advance(pieces.run, t);
            if (status != SALTUS_OK)
                fail_msg("%s: %s", saltus_solver_name(solvers[s]),
                         saltus_run_error(pieces.run)->message);
            assert_true(saltus_run_time(pieces.run) == t);
        }
        assert_int_equal(saltus_run_advance(pieces.run, 0.6), SALTUS_OK);
        assert_int_equal(hybrid_times(pieces.run, 0, times, 8), 1);
        assert_int_equal(saltus_run_event_count(whole.run), saltus_run_event_count(pieces.run));
        hybrid_end(&whole);
        hybrid_end(&pieces);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dopri5),
        cmocka_unit_test(test_dop853),
        cmocka_unit_test(test_rk4),
        cmocka_unit_test(test_rodas),
        cmocka_unit_test(test_cvode),
        cmocka_unit_test(test_ida),
        cmocka_unit_test(test_independence),
        cmocka_unit_test(test_wrong_copies),
        cmocka_unit_test(test_small_advances),
        cmocka_unit_test(test_smallest_advances),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
