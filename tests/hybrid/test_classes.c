// SPDX-License-Identifier: MIT
//
// The classes of state events: SE-P, SE-I, SE-X, SE-F, SE-S, SE-O, SE-A, each alone and several
// at once. The log says what an action really changed, whatever it was meant to change, and every
// change has its effect on what follows.

#include "support/hybrid.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

// ---------------------------------------------------------------------------
// x' = p u s, y' = 1 with s = 1 or, if the client memory says so, -1. At x = 1 something happens.
// ---------------------------------------------------------------------------

typedef struct Memory {
    int turned;
} Memory;

static int rhs(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    (void)t, (void)x, (void)z;
    const Memory *memory = c->memory;
    dx[0] = c->p[0] * c->u[0] * (memory->turned ? -1.0 : 1.0);
    dx[1] = 1.0;
    return 0;
}

// The same states, another right-hand side.
static int doubled_rhs(const SaltusContext *c, double t, const double *x, const double *z,
                       double *dx)
{
    (void)c, (void)t, (void)x, (void)z;
    dx[0] = 2.0;
    dx[1] = 1.0;
    return 0;
}

static int single_rhs(const SaltusContext *c, double t, const double *x, const double *z,
                      double *dx)
{
    UNUSED_ARGUMENTS;
    dx[0] = 3.0;
    return 0;
}

static int reached(const SaltusContext *c, double t, const double *x, const double *z, double *h)
{
    UNUSED_ARGUMENTS;
    h[0] = x[0] - 1.0;
    return 0;
}

enum { DRIVEN, DOUBLED, SINGLE, MODES };

static const char *const state_names[] = {"x", "y"};
static const double start[2] = {0.0, 0.0};

// A run with this action, up to t = 2; x = 1 is reached at t = 1.
static Hybrid run_with(SaltusAction action, const SaltusOptions *options)
{
    static SaltusEventDef event;
    event = (SaltusEventDef){.name = "reached",
                             .condition = "x >= 1",
                             .direction = SALTUS_RISING,
                             .classes = SALTUS_SE_O, // a lie
                             .action = action};
    SaltusModeDef modes[MODES];
    modes[DRIVEN] = hybrid_mode("driven", 2, start, rhs, 1, &event, reached);
    modes[DOUBLED] = hybrid_mode("doubled", 2, NULL, doubled_rhs, 0, NULL, NULL);
    modes[SINGLE] = hybrid_mode("single", 1, NULL, single_rhs, 0, NULL, NULL);
    for (int i = 0; i < MODES; i++)
        modes[i].state_names = state_names;
    SaltusSystemDef def = hybrid_system(MODES, modes);
    def.parameter_count = 2;
    def.parameter_names = (const char *[]){"gain", "unused"};
    def.parameters = (double[]){0.5, 7.0};
    def.input_count = 1;
    def.input_names = (const char *[]){"throttle"};
    def.inputs = (double[]){2.0};
    def.memory.size = sizeof(Memory);
    Hybrid hybrid = hybrid_begin(&def, options);
    assert_int_equal(saltus_run_advance(hybrid.run, 2.0), SALTUS_OK);
    assert_int_equal(saltus_run_event_count(hybrid.run), 1);
    SaltusLogEntry entry = saltus_run_event(hybrid.run, 0);
    assert_close(entry.t, 1.0, 1e-14);
    assert_int_equal(entry.occasion, SALTUS_AT_CROSSING);
    assert_int_equal(entry.from, DRIVEN);
    assert_int_equal(entry.fired_count, 1);
    assert_int_equal(entry.fired[0].event, 0);
    assert_int_equal(entry.fired[0].direction, 1);
    return hybrid;
}

static const SaltusChange *find_change(SaltusLogEntry entry, const char *name)
{
    for (int i = 0; i < entry.change_count; i++) {
        if (strcmp(entry.changes[i].name, name) == 0)
            return &entry.changes[i];
    }
    fail_msg("the log has no change of %s", name);
    return NULL;
}

static void assert_change(const SaltusRun *run, const char *name, double before, double after)
{
    const SaltusChange *change = find_change(saltus_run_event(run, 0), name);
    assert_close(change->before, before, 1e-13);
    assert_close(change->after, after, 1e-13);
}

// What the log says of the only event.
static void assert_logged(const SaltusRun *run, unsigned classes, int to, int changes)
{
    SaltusLogEntry entry = saltus_run_event(run, 0);
    char text[SALTUS_CLASSES_TEXT_SIZE], expected[SALTUS_CLASSES_TEXT_SIZE];
    assert_string_equal(saltus_classes_text(entry.classes, text),
                        saltus_classes_text(classes, expected));
    assert_int_equal(entry.to, to);
    assert_int_equal(entry.change_count, changes);
}

static void assert_end(const SaltusRun *run, double x)
{
    assert_close(saltus_run_states(run)[0], x, 1e-12); // all is linear in t: rounding only
}

// ---------------------------------------------------------------------------
// Each class alone
// ---------------------------------------------------------------------------

static void change_parameter(SaltusEvent *event)
{
    event->p[0] = 2.0;
}

static void test_parameters(void **state)
{
    (void)state;
    Hybrid hybrid = run_with(change_parameter, NULL);
    assert_logged(hybrid.run, SALTUS_SE_P, DRIVEN, 1);
    assert_change(hybrid.run, "gain", 0.5, 2.0);
    assert_end(hybrid.run, 1.0 + 4.0);
    assert_true(saltus_run_parameters(hybrid.run)[0] == 2.0);
    hybrid_end(&hybrid);
}

static void change_input(SaltusEvent *event)
{
    event->u[0] = -2.0;
}

static void test_inputs(void **state)
{
    (void)state;
    Hybrid hybrid = run_with(change_input, NULL);
    assert_logged(hybrid.run, SALTUS_SE_I, DRIVEN, 1);
    assert_change(hybrid.run, "throttle", 2.0, -2.0);
    assert_end(hybrid.run, 1.0 - 1.0);
    assert_true(saltus_run_inputs(hybrid.run)[0] == -2.0);
    hybrid_end(&hybrid);
}

static void change_state(SaltusEvent *event)
{
    event->x[1] = -5.0;
}

static void test_states(void **state)
{
    (void)state;
    Hybrid hybrid = run_with(change_state, NULL);
    assert_logged(hybrid.run, SALTUS_SE_X, DRIVEN, 1);
    assert_change(hybrid.run, "y", 1.0, -5.0);
    assert_end(hybrid.run, 2.0);
    assert_close(saltus_run_states(hybrid.run)[1], -4.0, 1e-12);
    hybrid_end(&hybrid);
}

static void change_memory(SaltusEvent *event)
{
    Memory *memory = event->memory;
    memory->turned = 1;
}

static void test_right_hand_side_by_memory(void **state)
{
    (void)state;
    Hybrid hybrid = run_with(change_memory, NULL);
    assert_logged(hybrid.run, SALTUS_SE_F, DRIVEN, 0);
    assert_end(hybrid.run, 1.0 - 1.0);
    const Memory *memory = saltus_run_memory(hybrid.run);
    assert_int_equal(memory->turned, 1);
    hybrid_end(&hybrid);
}

static void change_rhs(SaltusEvent *event)
{
    assert_int_equal(saltus_switch_mode(event, DOUBLED), SALTUS_OK);
    assert_int_equal(event->mode, DOUBLED);
    assert_int_equal(event->left.mode, DRIVEN);
}

static void test_right_hand_side_by_mode(void **state)
{
    (void)state;
    Hybrid hybrid = run_with(change_rhs, NULL);
    assert_logged(hybrid.run, SALTUS_SE_F, DOUBLED, 0);
    assert_end(hybrid.run, 1.0 + 2.0);
    assert_int_equal(saltus_run_mode(hybrid.run), DOUBLED);
    assert_int_equal(saltus_run_statistics(hybrid.run).mode_changes, 1);
    assert_int_equal(saltus_run_statistics(hybrid.run).modes_entered, 2);
    hybrid_end(&hybrid);
}

static void change_structure(SaltusEvent *event)
{
    saltus_switch_mode(event, SINGLE);
}

static void test_structure(void **state)
{
    (void)state;
    Hybrid hybrid = run_with(change_structure, NULL);
    assert_logged(hybrid.run, SALTUS_SE_S, SINGLE, 1);
    const SaltusChange *gone = find_change(saltus_run_event(hybrid.run, 0), "y");
    assert_close(gone->before, 1.0, 1e-13);
    assert_true(isnan(gone->after));
    assert_end(hybrid.run, 1.0 + 3.0);
    SaltusRow last = saltus_run_row(hybrid.run, saltus_run_row_count(hybrid.run) - 1);
    assert_int_equal(last.x_count, 1);
    assert_int_equal(last.mode, SINGLE);
    hybrid_end(&hybrid);
}

static double nudge;

static void change_structure_and_nudge(SaltusEvent *event)
{
    saltus_switch_mode(event, SINGLE);
    event->x[0] += nudge;
}

// What a projection onto the constraints of the new mode rounds, below the tolerances, is a change
// but no jump: x = 1 moves by a tenth of them, and by ten times as much.
static void test_structure_with_projection(void **state)
{
    (void)state;
    const SaltusOptions options = saltus_default_options();
    const SaltusMethod *method = &options.method;
    const double bound = method->relative_tolerance + method->absolute_tolerance;
    nudge = 0.1 * bound;
    Hybrid hybrid = run_with(change_structure_and_nudge, &options);
    assert_logged(hybrid.run, SALTUS_SE_S, SINGLE, 2);
    hybrid_end(&hybrid);
    nudge = 10.0 * bound;
    hybrid = run_with(change_structure_and_nudge, &options);
    assert_logged(hybrid.run, SALTUS_SE_S | SALTUS_SE_X, SINGLE, 2);
    hybrid_end(&hybrid);
}

static void make_output(SaltusEvent *event)
{
    char name[] = "speed"; // copied
    saltus_record(event, name, 3.0);
    name[0] = 'X';
    saltus_record(event, "empty", NAN);
}

static void test_outputs(void **state)
{
    (void)state;
    Hybrid hybrid = run_with(make_output, NULL);
    assert_logged(hybrid.run, SALTUS_SE_O, DRIVEN, 0);
    SaltusLogEntry entry = saltus_run_event(hybrid.run, 0);
    assert_int_equal(entry.record_count, 2);
    assert_string_equal(entry.records[0].name, "speed");
    assert_true(entry.records[0].after == 3.0);
    assert_string_equal(entry.records[1].name, "empty");
    assert_true(isnan(entry.records[1].after));
    assert_int_equal(saltus_run_statistics(hybrid.run).restarts, 1); // only the beginning
    assert_end(hybrid.run, 2.0);
    hybrid_end(&hybrid);
}

static void change_nothing(SaltusEvent *event)
{
    event->x[0] *= 1.0;
    event->p[0] += 0.0;
}

static void test_nothing(void **state)
{
    (void)state;
    const SaltusAction actions[] = {change_nothing, NULL};
    for (int i = 0; i < 2; i++) {
        Hybrid hybrid = run_with(actions[i], NULL);
        assert_logged(hybrid.run, SALTUS_SE_O, DRIVEN, 0); // its only effect: the log
        assert_int_equal(saltus_run_statistics(hybrid.run).restarts, 1);
        hybrid_end(&hybrid);
    }
}

static void change_algorithm(SaltusEvent *event)
{
    event->method->solver = SALTUS_SOLVER_EULER;
    event->method->step = 0.125;
}

static void test_algorithm(void **state)
{
    (void)state;
    Hybrid hybrid = run_with(change_algorithm, NULL);
    assert_logged(hybrid.run, SALTUS_SE_A, DRIVEN, 0);
    assert_int_equal(saltus_run_solver(hybrid.run), SALTUS_SOLVER_EULER);
    long last = saltus_run_row_count(hybrid.run) - 1;
    // Steps of an eighth from the event on: the row of the end, of the last step, of the one
    // before.
    assert_close(saltus_run_row(hybrid.run, last).t - saltus_run_row(hybrid.run, last - 2).t, 0.125,
                 1e-9);
    assert_end(hybrid.run, 2.0);
    hybrid_end(&hybrid);
}

// Tolerances, locator and step size are the algorithm, too; the solver need not change.
static void change_tolerance(SaltusEvent *event)
{
    event->method->relative_tolerance = 1e-3;
}

static void change_locator(SaltusEvent *event)
{
    event->method->locate = SALTUS_LOCATE_BISECTION;
}

static void change_max_step(SaltusEvent *event)
{
    event->method->max_step = 0.01;
}

static void test_other_algorithms(void **state)
{
    (void)state;
    const SaltusAction actions[] = {change_tolerance, change_locator, change_max_step};
    for (int i = 0; i < 3; i++) {
        Hybrid hybrid = run_with(actions[i], NULL);
        assert_logged(hybrid.run, SALTUS_SE_A, DRIVEN, 0);
        assert_end(hybrid.run, 2.0);
        if (actions[i] == change_max_step)
            assert_true(saltus_run_statistics(hybrid.run).steps >= 100);
        hybrid_end(&hybrid);
    }
}

// ---------------------------------------------------------------------------
// Several at once
// ---------------------------------------------------------------------------

static void change_everything_here(SaltusEvent *event)
{
    change_parameter(event);
    change_input(event);
    change_state(event);
    change_memory(event);
    make_output(event);
    change_tolerance(event);
}

static void test_everything_in_one_mode(void **state)
{
    (void)state;
    Hybrid hybrid = run_with(change_everything_here, NULL);
    assert_logged(hybrid.run,
                  SALTUS_SE_P | SALTUS_SE_I | SALTUS_SE_X | SALTUS_SE_F | SALTUS_SE_O | SALTUS_SE_A,
                  DRIVEN, 3);
    assert_end(hybrid.run, 1.0 + 4.0); // 2 * -2 * -1
    hybrid_end(&hybrid);
}

static void switch_and_change(SaltusEvent *event)
{
    change_parameter(event);
    saltus_switch_mode(event, DOUBLED);
    event->x[0] = 10.0;
}

static void test_mode_and_state(void **state)
{
    (void)state;
    Hybrid hybrid = run_with(switch_and_change, NULL);
    assert_logged(hybrid.run, SALTUS_SE_P | SALTUS_SE_X | SALTUS_SE_F, DOUBLED, 2);
    assert_change(hybrid.run, "x", 1.0, 10.0);
    assert_end(hybrid.run, 10.0 + 2.0);
    hybrid_end(&hybrid);
}

static void switch_structure_and_all(SaltusEvent *event)
{
    change_input(event);
    make_output(event);
    change_algorithm(event);
    saltus_switch_mode(event, SINGLE);
    event->x[0] = 4.0;
}

static void test_structure_and_all(void **state)
{
    (void)state;
    Hybrid hybrid = run_with(switch_structure_and_all, NULL);
    assert_logged(hybrid.run, SALTUS_SE_I | SALTUS_SE_X | SALTUS_SE_S | SALTUS_SE_O | SALTUS_SE_A,
                  SINGLE, 3);
    assert_change(hybrid.run, "x", 1.0, 4.0);
    assert_end(hybrid.run, 4.0 + 3.0);
    assert_int_equal(saltus_run_solver(hybrid.run), SALTUS_SOLVER_EULER);
    hybrid_end(&hybrid);
}

// There and back in one action is no change of the mode.
static void there_and_back(SaltusEvent *event)
{
    saltus_switch_mode(event, DOUBLED);
    saltus_switch_mode(event, DRIVEN);
}

// Into the mode itself: its values are kept.
static void self_switch(SaltusEvent *event)
{
    assert_int_equal(saltus_switch_mode(event, DRIVEN), SALTUS_OK);
}

static void test_there_and_back(void **state)
{
    (void)state;
    const SaltusAction actions[] = {there_and_back, self_switch};
    for (int i = 0; i < 2; i++) {
        Hybrid hybrid = run_with(actions[i], NULL);
        assert_logged(hybrid.run, SALTUS_SE_O, DRIVEN, 0);
        assert_int_equal(saltus_run_statistics(hybrid.run).mode_changes, 0);
        assert_end(hybrid.run, 2.0);
        hybrid_end(&hybrid);
    }
}

// ---------------------------------------------------------------------------
// Left limits, and what a run is asked to do from outside
// ---------------------------------------------------------------------------

static void look_left(SaltusEvent *event)
{
    assert_int_equal(event->iteration, 0);
    assert_int_equal(event->event, 0);
    assert_int_equal(event->sign[0], 1);
    event->x[0] = 0.0;
    event->p[0] = 1.0;
    event->u[0] = 1.0;
    change_memory(event);
    saltus_switch_mode(event, SINGLE);
    event->x[0] = -1.0;
    assert_int_equal(event->left.mode, DRIVEN);
    assert_close(event->left.x[0], 1.0, 1e-14);
    assert_close(event->left.x[1], 1.0, 1e-14);
    assert_true(event->left.dx[0] == 1.0);
    assert_true(event->left.dx[1] == 1.0);
    assert_true(event->left.p[0] == 0.5);
    assert_true(event->left.u[0] == 2.0);
    assert_int_equal(((const Memory *)event->left.memory)->turned, 0);
}

static void test_left_limits(void **state)
{
    (void)state;
    Hybrid hybrid = run_with(look_left, NULL);
    assert_end(hybrid.run, -1.0 + 3.0);
    // Rows: as wide as their modes, before and after the event.
    int rows = 0;
    for (long i = 0; i < saltus_run_row_count(hybrid.run); i++) {
        SaltusRow row = saltus_run_row(hybrid.run, i);
        assert_int_equal(row.x_count, row.mode == SINGLE ? 1 : 2);
        if (row.kind == SALTUS_ROW_BEFORE_EVENT || row.kind == SALTUS_ROW_AFTER_EVENT)
            assert_int_equal(row.mode, rows++ == 0 ? DRIVEN : SINGLE);
    }
    assert_int_equal(rows, 2);
    hybrid_end(&hybrid);
}

static void turn_down(SaltusEvent *event)
{
    assert_int_equal(event->occasion, SALTUS_AT_REQUEST);
    assert_int_equal(event->event, -1);
    assert_int_equal(event->fired_count, 0);
    assert_true(event->t == 2.0);
    assert_close(event->left.x[0], 2.0, 1e-12);
    event->u[0] = 0.0;
    saltus_record(event, "applied", 1.0);
}

static void test_apply(void **state)
{
    (void)state;
    Hybrid hybrid = run_with(NULL, NULL);
    assert_int_equal(saltus_run_apply(hybrid.run, turn_down), SALTUS_OK);
    assert_int_equal(saltus_run_event_count(hybrid.run), 2);
    SaltusLogEntry entry = saltus_run_event(hybrid.run, 1);
    assert_int_equal(entry.occasion, SALTUS_AT_REQUEST);
    assert_int_equal(entry.classes, SALTUS_SE_I | SALTUS_SE_O);
    assert_int_equal(entry.fired_count, 0);
    assert_true(entry.t == 2.0);
    assert_int_equal(saltus_run_advance(hybrid.run, 5.0), SALTUS_OK);
    assert_end(hybrid.run, 2.0); // the throttle is closed
    assert_int_equal(saltus_run_apply(hybrid.run, NULL), SALTUS_ERROR_ARGUMENT);
    assert_int_equal(saltus_run_apply(NULL, turn_down), SALTUS_ERROR_ARGUMENT);
    hybrid_end(&hybrid);
}

// Parameters and inputs of a run of its own.
static void test_options_give_values(void **state)
{
    (void)state;
    SaltusOptions options = saltus_default_options();
    double parameters[] = {0.25, 0.0}, inputs[] = {4.0};
    options.parameters = parameters;
    options.inputs = inputs;
    Hybrid hybrid = run_with(change_nothing, &options);
    assert_true(saltus_run_parameters(hybrid.run)[0] == 0.25);
    assert_true(saltus_run_inputs(hybrid.run)[0] == 4.0);
    parameters[0] = inputs[0] = 1e9; // not ours any more
    assert_int_equal(saltus_run_advance(hybrid.run, 3.0), SALTUS_OK);
    assert_end(hybrid.run, 3.0);
    hybrid_end(&hybrid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parameters),
        cmocka_unit_test(test_inputs),
        cmocka_unit_test(test_states),
        cmocka_unit_test(test_right_hand_side_by_memory),
        cmocka_unit_test(test_right_hand_side_by_mode),
        cmocka_unit_test(test_structure),
        cmocka_unit_test(test_structure_with_projection),
        cmocka_unit_test(test_outputs),
        cmocka_unit_test(test_nothing),
        cmocka_unit_test(test_algorithm),
        cmocka_unit_test(test_other_algorithms),
        cmocka_unit_test(test_everything_in_one_mode),
        cmocka_unit_test(test_mode_and_state),
        cmocka_unit_test(test_structure_and_all),
        cmocka_unit_test(test_there_and_back),
        cmocka_unit_test(test_left_limits),
        cmocka_unit_test(test_apply),
        cmocka_unit_test(test_options_give_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
