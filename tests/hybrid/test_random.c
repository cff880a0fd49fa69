// SPDX-License-Identifier: MIT
//
// Random hybrid systems: linear modes of different dimension, event functions of the states and of
// time, actions of every kind. All locators and all solvers must see the same events in the
// same order; logs and rows must be consistent in themselves.

#include "support/hybrid.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

// ---------------------------------------------------------------------------
// Random systems
// ---------------------------------------------------------------------------

enum { MODES = 4, STATES = 3, EVENTS = 3, SYSTEMS = 120, COMPARED = 12 };

typedef enum Deed { NOTHING, RECORD, TURN, SHIFT, PARAMETER, SWITCH, DEEDS } Deed;

// h = offset + sway sin t + weight x
typedef struct Watched {
    double weight[STATES], offset, sway, size;
    SaltusDirection direction;
    Deed deed;
    int target;
} Watched;

// x' = a x + p b
typedef struct Linear {
    int states, events;
    double a[STATES][STATES], b[STATES];
    Watched watched[EVENTS];
} Linear;

typedef struct Random {
    int modes;
    Linear mode[MODES];
    double start[STATES];
} Random;

static uint64_t seed;

static double uniform(double low, double high)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(seed >> 11) * 0x1p-53;
}

static int any(int below)
{
    return (int)uniform(0.0, below);
}

static void make_watched(Watched *w, const Linear *mode, int modes)
{
    for (int j = 0; j < mode->states; j++)
        w->weight[j] = uniform(-1.0, 1.0);
    w->offset = uniform(-1.0, 1.0);
    w->sway = any(2) ? uniform(0.0, 2.0) : 0.0;
    w->size = uniform(-1.0, 1.0);
    w->direction = (SaltusDirection)(any(3) - 1);
    w->deed = (Deed)any(DEEDS);
    w->target = any(modes);
}

static Random make_random(int number)
{
    Random r;
    memset(&r, 0, sizeof r);
    seed = 12345u + 7919u * (uint64_t)number;
    for (int i = 0; i < 10; i++)
        uniform(0.0, 1.0);
    r.modes = 1 + any(MODES);
    for (int k = 0; k < r.modes; k++) {
        Linear *mode = &r.mode[k];
        mode->states = any(8) == 0 ? 0 : 1 + any(STATES);
        mode->events = 1 + any(EVENTS);
        for (int i = 0; i < mode->states; i++) {
            mode->b[i] = uniform(-1.0, 1.0);
            for (int j = 0; j < mode->states; j++)
                mode->a[i][j] = uniform(-1.5, 1.5) - (i == j ? 0.8 : 0.0);
        }
        for (int i = 0; i < mode->events; i++)
            make_watched(&mode->watched[i], mode, r.modes);
    }
    for (int i = 0; i < STATES; i++)
        r.start[i] = uniform(-1.0, 1.0);
    return r;
}

// ---------------------------------------------------------------------------
// Their callbacks
// ---------------------------------------------------------------------------

static int rhs(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    (void)t, (void)z;
    const Linear *mode = c->data;
    for (int i = 0; i < mode->states; i++) {
        dx[i] = c->p[0] * mode->b[i];
        for (int j = 0; j < mode->states; j++)
            dx[i] += mode->a[i][j] * x[j];
    }
    return 0;
}

static int functions(const SaltusContext *c, double t, const double *x, const double *z, double *h)
{
    (void)z;
    const Linear *mode = c->data;
    for (int i = 0; i < mode->events; i++) {
        const Watched *w = &mode->watched[i];
        h[i] = w->offset + w->sway * sin(t);
        for (int j = 0; j < mode->states; j++)
            h[i] += w->weight[j] * x[j];
    }
    return 0;
}

// The states of the new mode follow from those of the old one, as many as there are.
static void switch_mode(SaltusEvent *event, const Random *r, const Watched *w)
{
    double old[STATES] = {0.0};
    memcpy(old, event->x, (size_t)r->mode[event->mode].states * sizeof(double));
    assert_int_equal(saltus_switch_mode(event, w->target), SALTUS_OK);
    for (int i = 0; i < r->mode[w->target].states; i++)
        event->x[i] = 0.9 * old[i] + 0.1 * w->size;
}

static void act(SaltusEvent *event)
{
    const Random *r = event->user;
    const Linear *mode = &r->mode[event->mode];
    const Watched *w = &mode->watched[event->event];
    if (w->deed == RECORD)
        saltus_record(event, "t", event->t);
    else if (w->deed == PARAMETER)
        event->p[0] = -event->p[0];
    else if (w->deed == SWITCH)
        switch_mode(event, r, w);
    else if (w->deed == TURN && mode->states > 0)
        event->x[0] *= -0.8;
    else if (w->deed == SHIFT && mode->states > 0)
        event->x[mode->states - 1] += w->size;
}

// ---------------------------------------------------------------------------
// Runs
// ---------------------------------------------------------------------------

typedef struct Seen {
    double t;
    int from, to;
} Seen;

typedef struct Outcome {
    SaltusStatus status;
    int count;
    Seen seen[COMPARED];
} Outcome;

// The log is a chain of modes in order of time, the rows are in order and made of numbers.
static void check_run(const SaltusRun *run)
{
    double t = -1.0;
    int mode = -1;
    for (long i = 0; i < saltus_run_event_count(run); i++) {
        SaltusLogEntry entry = saltus_run_event(run, i);
        assert_true(entry.t >= t);
        assert_true(mode < 0 || entry.from == mode);
        t = entry.t;
        mode = entry.to;
    }
    assert_true(mode < 0 || mode == saltus_run_mode(run));
    t = -1.0;
    for (long i = 0; i < saltus_run_row_count(run); i++) {
        SaltusRow row = saltus_run_row(run, i);
        assert_true(row.t >= t);
        t = row.t;
        for (int k = 0; k < row.x_count; k++)
            assert_true(isfinite(row.x[k]));
    }
}

static Outcome run_random(const Random *r, const SaltusMethod *method)
{
    static const char *const names[MODES] = {"a", "b", "c", "d"};
    static const double one = 1.0;
    SaltusModeDef modes[MODES];
    SaltusEventDef events[MODES][EVENTS];
    for (int k = 0; k < r->modes; k++) {
        const Linear *mode = &r->mode[k];
        for (int i = 0; i < mode->events; i++)
            events[k][i] = (SaltusEventDef){
                .name = "event", .direction = mode->watched[i].direction, .action = act};
        modes[k] = hybrid_mode(names[k], mode->states, r->start, mode->states > 0 ? rhs : NULL,
                               mode->events, events[k], functions);
        modes[k].data = mode;
    }
    SaltusSystemDef def = hybrid_system(r->modes, modes);
    def.parameter_count = 1;
    def.parameters = &one;
    def.user = (void *)r;
    SaltusOptions options = saltus_default_options();
    options.method = *method;
    options.method.max_step = 0.5; // a slow mode says nothing about sin t
    options.max_events = 100;
    Hybrid hybrid = hybrid_begin(&def, &options);
    Outcome outcome = {.status = saltus_run_advance(hybrid.run, 20.0)};
    check_run(hybrid.run);
    outcome.count = (int)saltus_run_event_count(hybrid.run);
    for (int i = 0; i < outcome.count && i < COMPARED; i++) {
        SaltusLogEntry entry = saltus_run_event(hybrid.run, i);
        outcome.seen[i] = (Seen){.t = entry.t, .from = entry.from, .to = entry.to};
    }
    hybrid_end(&hybrid);
    return outcome;
}

// The first events are the same; all of them, and the end, where there are not more.
static void assert_same(int number, const char *what, const Outcome *a, const Outcome *b,
                        double bound)
{
    int count = a->count < COMPARED ? a->count : COMPARED;
    bool same = b->count >= count;
    if (a->count <= COMPARED)
        same = b->count == a->count && b->status == a->status;
    for (int i = 0; i < count && same; i++) // errors grow from event to event
        same = fabs(a->seen[i].t - b->seen[i].t) <= bound * (1.0 + i * i) &&
               a->seen[i].from == b->seen[i].from && a->seen[i].to == b->seen[i].to;
    if (!same)
        fail_msg("system %d, %s: %d events, status %d, not %d events, status %d", number, what,
                 b->count, b->status, a->count, a->status);
}

static SaltusMethod method_with(SaltusSolver solver, SaltusLocate locate, double tolerance)
{
    SaltusMethod method = saltus_default_method();
    method.solver = solver;
    method.locate = locate;
    method.relative_tolerance = tolerance;
    method.absolute_tolerance = 0.01 * tolerance;
    method.step = solver == SALTUS_SOLVER_RK4 ? 0.01 : 0.0;
    return method;
}

static void test_locators(void **state)
{
    (void)state;
    for (int n = 0; n < SYSTEMS; n++) {
        Random r = make_random(n);
        SaltusMethod method = method_with(SALTUS_SOLVER_DOP853, SALTUS_LOCATE_BRENT, 1e-11);
        Outcome expected = run_random(&r, &method);
        for (int locate = SALTUS_LOCATE_BISECTION; locate <= SALTUS_LOCATE_HENON; locate++) {
            method.locate = (SaltusLocate)locate;
            Outcome outcome = run_random(&r, &method);
            assert_same(n, saltus_locate_name(method.locate), &expected, &outcome, 1e-7);
        }
    }
}

static void test_solvers(void **state)
{
    (void)state;
    const struct {
        SaltusSolver solver;
        double tolerance, bound;
    } cases[] = {{SALTUS_SOLVER_DOPRI5, 1e-10, 1e-6},
                 {SALTUS_SOLVER_RODAS, 1e-9, 1e-5},
                 {SALTUS_SOLVER_RK4, 1e-9, 1e-5},
                 {SALTUS_SOLVER_CVODE, 1e-9, 1e-4},
                 {SALTUS_SOLVER_IDA, 1e-9, 1e-4}};
    for (int n = 0; n < SYSTEMS; n++) {
        Random r = make_random(n);
        SaltusMethod method = method_with(SALTUS_SOLVER_DOP853, SALTUS_LOCATE_BRENT, 1e-11);
        Outcome expected = run_random(&r, &method);
        for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
            method = method_with(cases[k].solver, SALTUS_LOCATE_BRENT, cases[k].tolerance);
            Outcome outcome = run_random(&r, &method);
            assert_same(n, saltus_solver_name(cases[k].solver), &expected, &outcome,
                        cases[k].bound);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_locators),
        cmocka_unit_test(test_solvers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
