// SPDX-License-Identifier: MIT
//
// Modes: values carried over by name between modes of different dimension, entry actions, modes
// that are left as soon as they are entered, modes without states, of every form, with their own
// method; changes at accepted steps; projection.

#include "support/hybrid.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static SaltusSystemDef system_of(int count, const SaltusModeDef *modes)
{
    SaltusSystemDef def = hybrid_system(count, modes);
    return def;
}

// x_i' = i + 1
static int counting_rhs(const SaltusContext *c, double t, const double *x, const double *z,
                        double *dx)
{
    (void)t, (void)x, (void)z;
    const int *count = c->data;
    for (int i = 0; i < *count; i++)
        dx[i] = i + 1.0;
    return 0;
}

static int time_is_1(const SaltusContext *c, double t, const double *x, const double *z, double *h)
{
    UNUSED_ARGUMENTS;
    h[0] = t - 1.0;
    return 0;
}

static void switch_to_1(SaltusEvent *event)
{
    saltus_switch_mode(event, 1);
}

static const double nought[] = {0.0}, half[] = {0.5}, unit[] = {1.0, 0.0};
static const int counts[] = {0, 1, 2, 3, 4};
static const SaltusEventDef at_1 = {.name = "one", .condition = "time >= 1", .action = switch_to_1};

static SaltusModeDef counting_mode(const char *name, int states, const double *start)
{
    SaltusModeDef mode = hybrid_mode(name, states, start, counting_rhs, 0, NULL, NULL);
    mode.data = &counts[states];
    return mode;
}

// ---------------------------------------------------------------------------
// What is a jump
// ---------------------------------------------------------------------------

static double moved_by;

static void enter_moved(SaltusEvent *event)
{
    event->x[0] = event->left.x[0] + moved_by;
}

// A state that goes on in another structure has jumped (SE-X) if it moved by more than the
// tolerances: what a projection onto the constraints of the new mode rounds is none. x is 1 at the
// change: 1e-6 of it and 1e-9.
static void test_jumps(void **state)
{
    (void)state;
    static const double moves[] = {0.0, 1e-9, 0.9e-6, 1.2e-6, 0.1};
    for (int k = 0; k < 5; k++) {
        SaltusModeDef modes[] = {counting_mode("one", 2, (double[]){0.0, 0.0}),
                                 counting_mode("other", 1, NULL)};
        modes[0].events = &at_1;
        modes[0].event_count = 1;
        modes[0].event_functions = time_is_1;
        modes[1].enter = enter_moved;
        moved_by = moves[k];
        SaltusSystemDef def = hybrid_system(2, modes);
        Hybrid hybrid = hybrid_begin(&def, NULL);
        assert_int_equal(saltus_run_advance(hybrid.run, 2.0), SALTUS_OK);
        SaltusLogEntry entry = saltus_run_event(hybrid.run, 0);
        assert_int_equal(entry.classes, SALTUS_SE_S | (k < 3 ? 0 : SALTUS_SE_X));
        hybrid_end(&hybrid);
    }
}

// ---------------------------------------------------------------------------
// Values carried over by name
// ---------------------------------------------------------------------------

static void enter_second(SaltusEvent *event)
{
    assert_int_equal(event->mode, 1);
    assert_int_equal(event->left.mode, 0);
    assert_close(event->x[0], 13.0, 1e-12);      // c
    assert_close(event->x[1], 11.0, 1e-12);      // a
    assert_true(isnan(event->x[2]));             // d is new
    assert_close(event->left.x[1], 12.0, 1e-12); // b is not there any more, but was
    event->x[2] = event->left.x[1] + 0.5;
}

static void test_by_name(void **state)
{
    (void)state;
    SaltusModeDef modes[2] = {counting_mode("first", 3, (double[]){10.0, 10.0, 10.0}),
                              counting_mode("second", 3, NULL)};
    modes[0].state_names = (const char *[]){"a", "b", "c"};
    modes[0].event_count = 1;
    modes[0].events = &at_1;
    modes[0].event_functions = time_is_1;
    modes[1].state_names = (const char *[]){"c", "a", "d"};
    modes[1].enter = enter_second;
    SaltusSystemDef def = system_of(2, modes);
    Hybrid hybrid = hybrid_begin(&def, NULL);
    assert_int_equal(saltus_run_advance(hybrid.run, 2.0), SALTUS_OK);
    const double *x = saltus_run_states(hybrid.run);
    assert_close(x[0], 13.0 + 1.0, 1e-12);
    assert_close(x[1], 11.0 + 2.0, 1e-12);
    assert_close(x[2], 12.5 + 3.0, 1e-12);
    SaltusLogEntry entry = saltus_run_event(hybrid.run, 0);
    assert_int_equal(entry.classes, SALTUS_SE_S);
    assert_int_equal(entry.change_count, 2); // d appears, b disappears; a and c go on
    assert_string_equal(entry.changes[0].name, "d");
    assert_true(isnan(entry.changes[0].before));
    assert_close(entry.changes[0].after, 12.5, 1e-12);
    assert_string_equal(entry.changes[1].name, "b");
    assert_true(isnan(entry.changes[1].after));
    hybrid_end(&hybrid);
}

// v = 2 x while guided, an unknown of the equations; then it is free, a state of its own.
static int guided_rhs(const SaltusContext *c, double t, const double *x, const double *z,
                      double *dx)
{
    (void)c, (void)t, (void)x;
    dx[0] = z[0];
    return 0;
}

static int guide(const SaltusContext *c, double t, const double *x, const double *z, double *g)
{
    (void)c, (void)t;
    g[0] = z[0] - 2.0 * x[0];
    return 0;
}

static int free_rhs(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    UNUSED_ARGUMENTS;
    dx[0] = x[1];
    dx[1] = 0.0;
    return 0;
}

static void test_algebraic_becomes_state(void **state)
{
    (void)state;
    SaltusModeDef modes[2];
    modes[0] = hybrid_mode("guided", 1, (double[]){1.0, 0.0}, guided_rhs, 1, &at_1, time_is_1);
    modes[0].algebraic_count = 1;
    modes[0].algebraic = guide;
    modes[0].state_names = (const char *[]){"x"};
    modes[0].algebraic_names = (const char *[]){"v"};
    modes[1] = hybrid_mode("free", 2, NULL, free_rhs, 0, NULL, NULL);
    modes[1].state_names = (const char *[]){"x", "v"};
    SaltusSystemDef def = system_of(2, modes);
    Hybrid hybrid = hybrid_begin(&def, NULL);
    assert_int_equal(saltus_run_advance(hybrid.run, 2.0), SALTUS_OK);
    // x = exp(2 t), then v = 2 exp(2) for one more second; tolerance 1e-6 relative.
    assert_close(saltus_run_states(hybrid.run)[0], 3.0 * exp(2.0), 1e-4);
    assert_close(saltus_run_states(hybrid.run)[1], 2.0 * exp(2.0), 1e-4);
    hybrid_end(&hybrid);
}

// On the way through a mode that does not have it, a value is lost: reported, not guessed.
static int always_positive(const SaltusContext *c, double t, const double *x, const double *z,
                           double *h)
{
    UNUSED_ARGUMENTS;
    h[0] = 1.0;
    return 0;
}

static void switch_to_2(SaltusEvent *event)
{
    saltus_switch_mode(event, 2);
}

static const SaltusEventDef leave_at_once = {.name = "leave",
                                             .condition = "always",
                                             .direction = SALTUS_RISING,
                                             .at_entry = true,
                                             .action = switch_to_2};

static void restore_b(SaltusEvent *event)
{
    event->x[0] = event->left.x[1]; // left limits are those of the mode at the beginning
}

static void test_through_a_smaller_mode(void **state)
{
    (void)state;
    SaltusModeDef modes[3] = {counting_mode("first", 2, (double[]){10.0, 10.0}),
                              counting_mode("between", 1, NULL), counting_mode("last", 2, NULL)};
    modes[0].state_names = modes[2].state_names = (const char *[]){"a", "b"};
    modes[1].state_names = (const char *[]){"a"};
    modes[0].event_count = modes[1].event_count = 1;
    modes[0].events = &at_1;
    modes[0].event_functions = time_is_1;
    modes[1].events = &leave_at_once;
    modes[1].event_functions = always_positive;
    SaltusSystemDef def = system_of(3, modes);
    Hybrid hybrid = hybrid_begin(&def, NULL);
    assert_int_equal(saltus_run_advance(hybrid.run, 2.0), SALTUS_ERROR_UNDETERMINED);
    assert_contains(saltus_run_error(hybrid.run)->message, "mode last");
    assert_contains(saltus_run_error(hybrid.run)->message, "undetermined: b");
    // The failed event is undone: the run stands before it.
    assert_int_equal(saltus_run_mode(hybrid.run), 0);
    assert_close(saltus_run_states(hybrid.run)[1], 12.0, 1e-12);
    hybrid_end(&hybrid);
    modes[2].enter = restore_b;
    modes[2].state_names = (const char *[]){"b", "a"};
    hybrid = hybrid_begin(&def, NULL);
    assert_int_equal(saltus_run_advance(hybrid.run, 2.0), SALTUS_OK);
    assert_close(saltus_run_states(hybrid.run)[0], 13.0, 1e-12);
    assert_close(saltus_run_states(hybrid.run)[1], 13.0, 1e-12);
    hybrid_end(&hybrid);
}

// ---------------------------------------------------------------------------
// Cascades at one instant
// ---------------------------------------------------------------------------

// Mode k is left at once for mode k + 1; every entry and action notes itself.
static char trace[64];

static void next_mode(SaltusEvent *event)
{
    strcat(trace, (const char[]){(char)('0' + event->mode), '>', '\0'});
    assert_int_equal(event->iteration > 0, event->mode > 0);
    assert_int_equal(event->left.mode, 0);
    saltus_switch_mode(event, event->mode + 1);
}

static void note_entry(SaltusEvent *event)
{
    strcat(trace, (const char[]){(char)('0' + event->mode), ' ', '\0'});
}

static void test_cascade(void **state)
{
    (void)state;
    enum { COUNT = 6 };
    SaltusModeDef modes[COUNT];
    SaltusEventDef first = at_1, others = leave_at_once;
    first.action = others.action = next_mode;
    for (int i = 0; i < COUNT; i++) {
        static const char *const mode_names[COUNT] = {"a", "b", "c", "d", "e", "f"};
        modes[i] = counting_mode(mode_names[i], 1, nought);
        modes[i].enter = note_entry;
        modes[i].event_count = i < COUNT - 1;
        modes[i].events = i == 0 ? &first : &others;
        modes[i].event_functions = i == 0 ? time_is_1 : always_positive;
    }
    SaltusSystemDef def = system_of(COUNT, modes);
    trace[0] = '\0';
    Hybrid hybrid = hybrid_begin(&def, NULL);
    assert_int_equal(saltus_run_advance(hybrid.run, 2.0), SALTUS_OK);
    assert_string_equal(trace, "0>1 1>2 2>3 3>4 4>5 ");
    assert_int_equal(saltus_run_event_count(hybrid.run), 1); // one instant, one event
    SaltusLogEntry entry = saltus_run_event(hybrid.run, 0);
    assert_int_equal(entry.from, 0);
    assert_int_equal(entry.to, COUNT - 1);
    assert_int_equal(entry.iterations, COUNT - 1);
    assert_int_equal(entry.classes, SALTUS_SE_F);
    // Which conditions fired, of which modes, in this order.
    assert_int_equal(entry.fired_count, COUNT - 1);
    for (int i = 0; i < COUNT - 1; i++) {
        assert_int_equal(entry.fired[i].mode, i);
        assert_int_equal(entry.fired[i].event, 0);
        assert_int_equal(entry.fired[i].direction, 1);
    }
    assert_int_equal(saltus_run_statistics(hybrid.run).modes_entered, COUNT);
    assert_int_equal(saltus_run_statistics(hybrid.run).mode_changes, 1);
    assert_close(saltus_run_states(hybrid.run)[0], 2.0, 1e-12);
    hybrid_end(&hybrid);
}

// An action that moves the state over another event function's zero: both are in the log.
static int two_levels(const SaltusContext *c, double t, const double *x, const double *z, double *h)
{
    UNUSED_ARGUMENTS;
    h[0] = x[0] - 1.0;
    h[1] = x[0] - 5.0;
    return 0;
}

static void jump_to_6(SaltusEvent *event)
{
    event->x[0] = 6.0;
}

static void note_jump(SaltusEvent *event)
{
    assert_int_equal(event->iteration, 1);
    assert_int_equal(event->occasion, SALTUS_AT_CROSSING);
    saltus_record(event, "jumped", event->x[0]);
}

static void test_jump_over_a_zero(void **state)
{
    (void)state;
    SaltusEventDef events[2] = {{.name = "low", .action = jump_to_6},
                                {.name = "high", .action = note_jump}};
    SaltusModeDef mode = counting_mode("rise", 1, (double[]){0.0});
    mode.event_count = 2;
    mode.events = events;
    mode.event_functions = two_levels;
    Hybrid hybrid = hybrid_begin_mode(&mode, NULL);
    assert_int_equal(saltus_run_advance(hybrid.run, 2.0), SALTUS_OK);
    assert_int_equal(saltus_run_event_count(hybrid.run), 1);
    SaltusLogEntry entry = saltus_run_event(hybrid.run, 0);
    assert_int_equal(entry.fired_count, 2);
    assert_int_equal(entry.fired[0].event, 0);
    assert_int_equal(entry.fired[1].event, 1);
    assert_int_equal(entry.record_count, 1);
    assert_int_equal(entry.classes, SALTUS_SE_X | SALTUS_SE_O);
    hybrid_end(&hybrid);
}

// Two modes that hand over to each other at every zero of sin(t), into event functions that
// are zero there: each is armed by the flow.
static int sine(const SaltusContext *c, double t, const double *x, const double *z, double *h)
{
    (void)c, (void)t, (void)z;
    h[0] = sin(x[0]);
    return 0;
}

static void other_mode(SaltusEvent *event)
{
    saltus_switch_mode(event, 1 - event->mode);
}

static void test_handing_over_on_a_zero(void **state)
{
    (void)state;
    const double pi = 3.14159265358979323846;
    SaltusEventDef event = {.name = "half turn", .action = other_mode};
    SaltusModeDef modes[2];
    for (int i = 0; i < 2; i++) {
        modes[i] = counting_mode(i == 0 ? "even" : "odd", 1, half);
        modes[i].event_count = 1;
        modes[i].events = &event;
        modes[i].event_functions = sine;
    }
    SaltusSystemDef def = system_of(2, modes);
    SaltusOptions options = saltus_default_options();
    options.method.max_step = 1.0; // a clock knows nothing of the sine
    Hybrid hybrid = hybrid_begin(&def, &options);
    assert_int_equal(saltus_run_advance(hybrid.run, 100.0), SALTUS_OK);
    assert_int_equal(saltus_run_event_count(hybrid.run), 31); // 100.5 / pi = 31.99
    for (int k = 0; k < 31; k++) {
        SaltusLogEntry entry = saltus_run_event(hybrid.run, k);
        assert_close(entry.t, (k + 1) * pi - 0.5, 1e-12); // sums of up to 100: rounding
        assert_int_equal(entry.from, k % 2);
        assert_int_equal(entry.to, 1 - k % 2);
    }
    hybrid_end(&hybrid);
}

// ---------------------------------------------------------------------------
// Forms of modes
// ---------------------------------------------------------------------------

// A mode without states: only time passes in it.
static void test_without_states(void **state)
{
    (void)state;
    const SaltusSolver solvers[] = {SALTUS_SOLVER_AUTO,  SALTUS_SOLVER_EULER, SALTUS_SOLVER_DOP853,
                                    SALTUS_SOLVER_RODAS, SALTUS_SOLVER_CVODE, SALTUS_SOLVER_ADAMS,
                                    SALTUS_SOLVER_IDA};
    for (size_t s = 0; s < sizeof solvers / sizeof solvers[0]; s++) {
        SaltusModeDef modes[2];
        modes[0] = saltus_default_mode();
        modes[0].name = "waiting";
        modes[0].event_count = 1;
        modes[0].events = &at_1;
        modes[0].event_functions = time_is_1;
        modes[1] = counting_mode("moving", 1, NULL);
        modes[1].enter = jump_to_6;
        SaltusSystemDef def = system_of(2, modes);
        SaltusOptions options = saltus_default_options();
        options.method.solver = solvers[s];
        options.method.step = solvers[s] == SALTUS_SOLVER_EULER ? 0.25 : 0.0;
        Hybrid hybrid = hybrid_begin(&def, &options);
        assert_int_equal(saltus_run_advance(hybrid.run, 2.0), SALTUS_OK);
        assert_int_equal(saltus_run_event_count(hybrid.run), 1);
        assert_close(saltus_run_event(hybrid.run, 0).t, 1.0, 1e-12);
        assert_close(saltus_run_states(hybrid.run)[0], 7.0, 1e-9);
        assert_int_equal(saltus_run_row(hybrid.run, 0).x_count, 0);
        hybrid_end(&hybrid);
    }
}

// Only algebraic unknowns: z = t^2, an event where z = 0.49.
static int square(const SaltusContext *c, double t, const double *x, const double *z, double *g)
{
    (void)c, (void)x;
    g[0] = z[0] - t * t;
    return 0;
}

static int z_level(const SaltusContext *c, double t, const double *x, const double *z, double *h)
{
    (void)c, (void)t, (void)x;
    h[0] = z[0] - 0.49;
    return 0;
}

static void test_only_algebraic(void **state)
{
    (void)state;
    const SaltusSolver solvers[] = {SALTUS_SOLVER_AUTO, SALTUS_SOLVER_DOPRI5, SALTUS_SOLVER_RODAS,
                                    SALTUS_SOLVER_IDA};
    for (size_t s = 0; s < sizeof solvers / sizeof solvers[0]; s++) {
        SaltusModeDef mode = saltus_default_mode();
        SaltusEventDef event = {.name = "level"};
        mode.name = "formula";
        mode.algebraic_count = 1;
        mode.algebraic = square;
        mode.event_count = 1;
        mode.events = &event;
        mode.event_functions = z_level;
        SaltusOptions options = saltus_default_options();
        options.method.solver = solvers[s];
        Hybrid hybrid = hybrid_begin_mode(&mode, &options);
        SaltusStatus status = saltus_run_advance(hybrid.run, 2.0);
        if (status != SALTUS_OK)
            fail_msg("%s: %s", saltus_solver_name(solvers[s]),
                     saltus_run_error(hybrid.run)->message);
        assert_int_equal(saltus_run_event_count(hybrid.run), 1);
        assert_close(saltus_run_event(hybrid.run, 0).t, 0.7, 1e-6);
        assert_close(saltus_run_algebraics(hybrid.run)[0], 4.0, 1e-6);
        hybrid_end(&hybrid);
    }
}

// From one state, explicit, to three, given by a residual, where event functions are zero at
// entry; with every locator that goes with ida.
static int residual(const SaltusContext *c, double t, const double *x, const double *z,
                    const double *dx, double *r)
{
    (void)c, (void)t, (void)z;
    r[0] = dx[0] - x[1];
    r[1] = dx[1] + x[0];
    r[2] = dx[2] - 1.0;
    return 0;
}

static int swing(const SaltusContext *c, double t, const double *x, const double *z, double *h)
{
    (void)c, (void)t, (void)z;
    h[0] = x[0];       // sin t: zero at entry, rising
    h[1] = x[2] - 0.5; // half a second after
    return 0;
}

static void enter_swing(SaltusEvent *event)
{
    event->x[0] = 0.0;
    event->x[1] = 1.0;
    event->x[2] = 0.0;
}

static void test_residual_mode(void **state)
{
    (void)state;
    for (int locate = SALTUS_LOCATE_BRENT; locate <= SALTUS_LOCATE_SUNDIALS; locate++) {
        SaltusModeDef modes[2];
        SaltusEventDef events[2] = {{.name = "zero"}, {.name = "half"}};
        SaltusMethod ida = saltus_default_method();
        ida.locate = (SaltusLocate)locate;
        ida.relative_tolerance = 1e-8;
        modes[0] = counting_mode("clock", 1, (double[]){0.0});
        modes[0].event_count = 1;
        modes[0].events = &at_1;
        modes[0].event_functions = time_is_1;
        modes[1] = hybrid_mode("swing", 3, NULL, NULL, 2, events, swing);
        modes[1].state_names = (const char *[]){"s", "v", "w"};
        modes[1].residual = residual;
        modes[1].enter = enter_swing;
        modes[1].method = &ida; // holds while the mode is active
        SaltusSystemDef def = system_of(2, modes);
        Hybrid hybrid = hybrid_begin(&def, NULL);
        SaltusStatus status = saltus_run_advance(hybrid.run, 5.0);
        if (status != SALTUS_OK)
            fail_msg("%s: %s", saltus_locate_name((SaltusLocate)locate),
                     saltus_run_error(hybrid.run)->message);
        assert_int_equal(saltus_run_solver(hybrid.run), SALTUS_SOLVER_IDA);
        double times[8];
        assert_int_equal(hybrid_times(hybrid.run, 1, times, 8), 1);
        assert_close(times[0], 1.5, 1e-6);
        // The event functions of both modes are counted: t = 1 in the first, then at pi.
        assert_int_equal(hybrid_times(hybrid.run, 0, times, 8), 2);
        assert_close(times[1], 1.0 + 3.14159265358979, 1e-5);
        hybrid_end(&hybrid);
    }
}

static void test_own_method(void **state)
{
    (void)state;
    SaltusMethod own = saltus_default_method();
    own.solver = SALTUS_SOLVER_RK4;
    own.step = 0.25;
    SaltusModeDef modes[2] = {counting_mode("first", 1, (double[]){0.0}),
                              counting_mode("second", 1, NULL)};
    modes[0].event_count = 1;
    modes[0].events = &at_1;
    modes[0].event_functions = time_is_1;
    modes[1].method = &own;
    SaltusSystemDef def = system_of(2, modes);
    Hybrid hybrid = hybrid_begin(&def, NULL);
    assert_int_equal(saltus_run_solver(hybrid.run), SALTUS_SOLVER_DOPRI5);
    assert_int_equal(saltus_run_advance(hybrid.run, 2.0), SALTUS_OK);
    assert_int_equal(saltus_run_solver(hybrid.run), SALTUS_SOLVER_RK4);
    assert_int_equal(saltus_run_event(hybrid.run, 0).classes, SALTUS_SE_F); // the run's is the same
    int steps = 0;
    for (long i = 0; i < saltus_run_row_count(hybrid.run); i++) {
        SaltusRow row = saltus_run_row(hybrid.run, i);
        steps += row.mode == 1 && row.kind == SALTUS_ROW_STEP;
    }
    assert_int_equal(steps, 4);
    hybrid_end(&hybrid);
}

// ---------------------------------------------------------------------------
// The start action, accepted steps, projection
// ---------------------------------------------------------------------------

static void start_in_1(SaltusEvent *event)
{
    assert_int_equal(event->occasion, SALTUS_AT_START);
    assert_true(event->x[0] == 0.5);
    event->x[0] = 0.25;
    saltus_switch_mode(event, 1);
    assert_true(event->x[0] == 9.0); // where a run begins, start values hold
    assert_true(event->x[1] == 8.0);
}

static void test_start_in_another_mode(void **state)
{
    (void)state;
    SaltusModeDef modes[2] = {counting_mode("first", 1, (double[]){0.5}),
                              counting_mode("second", 2, (double[]){9.0, 8.0})};
    modes[0].state_names = modes[1].state_names = (const char *[]){"a", "b"};
    SaltusSystemDef def = system_of(2, modes);
    def.start = start_in_1;
    Hybrid hybrid = hybrid_begin(&def, NULL);
    assert_int_equal(saltus_run_mode(hybrid.run), 1);
    assert_int_equal(saltus_run_event_count(hybrid.run), 0); // the beginning is no event
    assert_int_equal(saltus_run_advance(hybrid.run, 1.0), SALTUS_OK);
    assert_close(saltus_run_states(hybrid.run)[0], 10.0, 1e-12);
    assert_close(saltus_run_states(hybrid.run)[1], 10.0, 1e-12);
    hybrid_end(&hybrid);
}

// Switches at an accepted step to the same equations with the states in another order.
typedef struct Steps {
    int calls;
    double step_before; // the step size at the change
} Steps;

static int harmonic(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    (void)t, (void)z;
    const int *position = c->data; // of the displacement
    dx[*position] = x[1 - *position];
    dx[1 - *position] = -x[*position];
    return 0;
}

static void reorder(SaltusEvent *event)
{
    Steps *steps = event->user;
    assert_int_equal(event->occasion, SALTUS_AT_STEP);
    if (++steps->calls == 20)
        saltus_switch_mode(event, 1);
}

static void test_accepted_steps(void **state)
{
    (void)state;
    const SaltusSolver solvers[] = {SALTUS_SOLVER_DOPRI5, SALTUS_SOLVER_DOP853, SALTUS_SOLVER_RODAS,
                                    SALTUS_SOLVER_CVODE};
    for (size_t s = 0; s < sizeof solvers / sizeof solvers[0]; s++) {
        Steps steps = {0};
        SaltusModeDef modes[2];
        for (int i = 0; i < 2; i++) {
            modes[i] = hybrid_mode(i == 0 ? "xv" : "vx", 2, unit, harmonic, 0, NULL, NULL);
            modes[i].data = &counts[i];
        }
        modes[0].state_names = (const char *[]){"x", "v"};
        modes[1].state_names = (const char *[]){"v", "x"};
        SaltusSystemDef def = system_of(2, modes);
        def.user = &steps;
        def.accepted = reorder;
        SaltusOptions options = saltus_default_options();
        options.method.solver = solvers[s];
        Hybrid hybrid = hybrid_begin(&def, &options);
        assert_int_equal(saltus_run_advance(hybrid.run, 20.0), SALTUS_OK);
        SaltusStatistics statistics = saltus_run_statistics(hybrid.run);
        assert_int_equal(steps.calls, statistics.steps);
        assert_int_equal(statistics.reselections, 1);
        assert_int_equal(statistics.mode_changes, 0);
        assert_int_equal(saltus_run_event_count(hybrid.run), 0);
        assert_int_equal(saltus_run_mode(hybrid.run), 1);
        assert_close(saltus_run_states(hybrid.run)[1], cos(20.0), 1e-3);
        if (solvers[s] != SALTUS_SOLVER_CVODE) {
            // One-step solvers go on with the step size they had.
            double before = 0.0, after = 0.0;
            for (long i = 1; i < saltus_run_row_count(hybrid.run); i++) {
                SaltusRow row = saltus_run_row(hybrid.run, i);
                double step = row.t - saltus_run_row(hybrid.run, i - 1).t;
                if (row.mode == 0)
                    before = step;
                else if (after == 0.0)
                    after = step;
            }
            assert_true(after > 0.5 * before);
        }
        hybrid_end(&hybrid);
    }
}

// Parameters and states changed at an accepted step have their effect at once.
static int scaled(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    (void)t, (void)x, (void)z;
    dx[0] = c->p[0];
    return 0;
}

static void double_after_half(SaltusEvent *event)
{
    if (event->t >= 0.5 && event->p[0] == 1.0) {
        event->p[0] = 2.0;
        saltus_schedule(event, 1, 0.75);
    }
}

static void stop_at_step(SaltusEvent *event)
{
    saltus_stop(event, "by the clock");
}

static void test_changes_at_accepted_steps(void **state)
{
    (void)state;
    SaltusModeDef mode = hybrid_mode("ramp", 1, (double[]){0.0}, scaled, 0, NULL, NULL);
    SaltusSystemDef def = system_of(1, &mode);
    def.parameter_count = 1;
    def.parameters = (double[]){1.0};
    def.accepted = double_after_half;
    def.time_action = stop_at_step;
    SaltusOptions options = saltus_default_options();
    options.method.solver = SALTUS_SOLVER_HEUN;
    options.method.step = 0.125;
    Hybrid hybrid = hybrid_begin(&def, &options);
    assert_int_equal(saltus_run_advance(hybrid.run, 1.0), SALTUS_TERMINATED);
    assert_true(saltus_run_time(hybrid.run) == 0.75);
    assert_close(saltus_run_states(hybrid.run)[0], 0.5 + 0.5, 1e-15);
    assert_int_equal(saltus_run_advance(hybrid.run, 1.0), SALTUS_OK);
    assert_close(saltus_run_states(hybrid.run)[0], 1.5, 1e-15);
    hybrid_end(&hybrid);
    def.accepted = stop_at_step;
    hybrid = hybrid_begin(&def, &options);
    for (int i = 1; i <= 8; i++) {
        assert_int_equal(saltus_run_advance(hybrid.run, 1.0), SALTUS_TERMINATED);
        assert_close(saltus_run_time(hybrid.run), 0.125 * i, 1e-15);
    }
    assert_int_equal(saltus_run_advance(hybrid.run, 1.0), SALTUS_OK);
    hybrid_end(&hybrid);
}

// An accepted callback that fails ends the run where the step ended.
static void fail_at_step(SaltusEvent *event)
{
    event->x[0] = NAN;
    if (event->t >= 0.5)
        saltus_fail(event, "no more");
    event->x[0] = event->left.x[0];
}

static void lose_the_state(SaltusEvent *event)
{
    if (event->t >= 0.5)
        event->x[0] = NAN;
}

static void test_failures_at_accepted_steps(void **state)
{
    (void)state;
    const SaltusAction actions[] = {fail_at_step, lose_the_state};
    const SaltusStatus expected[] = {SALTUS_ERROR_ACTION, SALTUS_ERROR_UNDETERMINED};
    for (int i = 0; i < 2; i++) {
        SaltusModeDef mode = counting_mode("count", 1, (double[]){0.0});
        SaltusSystemDef def = system_of(1, &mode);
        def.accepted = actions[i];
        SaltusOptions options = saltus_default_options();
        options.method.max_step = 0.125;
        Hybrid hybrid = hybrid_begin(&def, &options);
        assert_int_equal(saltus_run_advance(hybrid.run, 1.0), expected[i]);
        assert_contains(saltus_run_error(hybrid.run)->message, "mode count");
        assert_close(saltus_run_states(hybrid.run)[0], saltus_run_time(hybrid.run), 1e-12);
        hybrid_end(&hybrid);
    }
}

// The energy of the harmonic oscillator as an invariant.
static int project_on_circle(const SaltusContext *c, double t, double *x, double *z)
{
    (void)c, (void)t, (void)z;
    double r = hypot(x[0], x[1]);
    x[0] /= r;
    x[1] /= r;
    return 0;
}

static int project_fails(const SaltusContext *c, double t, double *x, double *z)
{
    (void)c, (void)x, (void)z;
    return t > 1.0 ? -1 : 0;
}

static void test_projection(void **state)
{
    (void)state;
    const SaltusSolver solvers[] = {SALTUS_SOLVER_RK4,   SALTUS_SOLVER_DOPRI5, SALTUS_SOLVER_DOP853,
                                    SALTUS_SOLVER_RODAS, SALTUS_SOLVER_CVODE,  SALTUS_SOLVER_ADAMS,
                                    SALTUS_SOLVER_IDA};
    for (size_t s = 0; s < sizeof solvers / sizeof solvers[0]; s++) {
        SaltusModeDef mode =
            hybrid_mode("circle", 2, (double[]){1.0, 0.0}, harmonic, 0, NULL, NULL);
        mode.data = &counts[0];
        mode.project = project_on_circle;
        SaltusOptions options = saltus_default_options();
        options.method.solver = solvers[s];
        options.method.step = solvers[s] == SALTUS_SOLVER_RK4 ? 0.1 : 0.0;
        options.method.relative_tolerance = 1e-4;
        Hybrid hybrid = hybrid_begin_mode(&mode, &options);
        assert_int_equal(saltus_run_advance(hybrid.run, 30.0), SALTUS_OK);
        for (long i = 0; i < saltus_run_row_count(hybrid.run); i++) {
            SaltusRow row = saltus_run_row(hybrid.run, i);
            assert_close(hypot(row.x[0], row.x[1]), 1.0, 4e-16);
        }
        // The phase is what remains of the error; 1e-4 per unit of time.
        assert_close(saltus_run_states(hybrid.run)[0], cos(30.0), 3e-2);
        hybrid_end(&hybrid);
        mode.project = project_fails;
        hybrid = hybrid_begin_mode(&mode, &options);
        assert_int_equal(saltus_run_advance(hybrid.run, 30.0), SALTUS_ERROR_EVALUATION);
        assert_contains(saltus_run_error(hybrid.run)->message, "projection");
        assert_true(saltus_run_time(hybrid.run) <= 1.0); // where the last good step ended
        assert_close(saltus_run_states(hybrid.run)[0], cos(saltus_run_time(hybrid.run)), 1e-3);
        hybrid_end(&hybrid);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_jumps),
        cmocka_unit_test(test_by_name),
        cmocka_unit_test(test_algebraic_becomes_state),
        cmocka_unit_test(test_through_a_smaller_mode),
        cmocka_unit_test(test_cascade),
        cmocka_unit_test(test_jump_over_a_zero),
        cmocka_unit_test(test_handing_over_on_a_zero),
        cmocka_unit_test(test_without_states),
        cmocka_unit_test(test_only_algebraic),
        cmocka_unit_test(test_residual_mode),
        cmocka_unit_test(test_own_method),
        cmocka_unit_test(test_start_in_another_mode),
        cmocka_unit_test(test_accepted_steps),
        cmocka_unit_test(test_changes_at_accepted_steps),
        cmocka_unit_test(test_failures_at_accepted_steps),
        cmocka_unit_test(test_projection),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
