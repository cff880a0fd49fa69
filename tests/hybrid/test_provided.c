// SPDX-License-Identifier: MIT
//
// What a client with provided modes relies on: the start chooses the mode, the event shows the
// mode's data and what was just left, changes in client memory can be logged, data is released.

#include "support/hybrid.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { FIRST = 10, PASSING = 11, LAST = 12, MODES = 3 };

// The data of a mode, and how often it was released.
typedef struct Data {
    double slope;
    int released;
} Data;

static Data all_data[MODES] = {{.slope = 1.0}, {.slope = 0.0}, {.slope = -2.0}};

static int evaluate(const SaltusContext *c, double t, const double *x, const double *z_guess,
                    const SaltusValues *out)
{
    (void)t, (void)z_guess;
    const Data *data = c->data;
    if (out->dx)
        out->dx[0] = data->slope;
    if (out->h)
        out->h[0] = x[0] - 1.0;
    if (out->z)
        out->z[0] = 2.0 * x[0];
    return 0;
}

static const SaltusEventDef one = {.name = "one", .direction = SALTUS_RISING};
static const double starts[2] = {0.25, 0.0};

static int provide(void *user, int mode, SaltusModeDef *def, SaltusMessage *message)
{
    (void)user, (void)message;
    if (mode < FIRST || mode >= FIRST + MODES)
        return 1;
    static const char *const names[MODES] = {"first", "passing", "last"};
    static const char *const x[] = {"x"}, *const y[] = {"y"};
    def->name = names[mode - FIRST];
    def->data = &all_data[mode - FIRST];
    def->state_count = 1;
    def->state_names = mode == LAST ? y : x;
    def->algebraic_count = 1;
    def->algebraic_names = mode == LAST ? x : y; // x and y change places
    def->start = starts;
    def->evaluate = evaluate;
    def->event_count = 1;
    def->events = &one;
    return 0;
}

static void release(void *user, const void *data)
{
    (void)user;
    for (int i = 0; i < MODES; i++)
        all_data[i].released += data == &all_data[i];
}

static void choose(SaltusEvent *event)
{
    assert_int_equal(event->mode, -1);
    saltus_switch_mode(event, FIRST);
    assert_ptr_equal(event->data, &all_data[0]);
    assert_true(event->x[0] == 0.25); // the mode's own start value
}

// From the first through the passing to the last mode, in one event.
static unsigned update(SaltusEvent *event)
{
    int *entries = event->memory;
    if (event->occasion & SALTUS_AT_ENTRY)
        (*entries)++;
    if (event->mode == FIRST && (event->occasion & SALTUS_AT_CROSSING)) {
        assert_int_equal(event->before.mode, -1);
        saltus_switch_mode(event, PASSING);
        event->x[0] = 7.0;
        return 0;
    }
    if (event->mode == PASSING) {
        saltus_switch_mode(event, LAST);
        assert_int_equal(event->before.mode, PASSING);
        assert_true(event->before.x[0] == 7.0);
        assert_int_equal(event->left.mode, FIRST);
        assert_ptr_equal(event->left.data, &all_data[0]);
        assert_ptr_equal(event->data, &all_data[2]);
        assert_true(event->x[0] == 14.0); // y, an algebraic variable before, is a state now
        saltus_log_change(event, "count", 0.0, 1.0, SALTUS_SE_P);
    }
    return 0;
}

static SaltusSystemDef definition(void)
{
    SaltusSystemDef def = saltus_default_system();
    def.provider = provide;
    def.release = release;
    def.initial_mode = -1;
    def.start = choose;
    def.event_update = update;
    def.memory.size = sizeof(int);
    return def;
}

static void test_chosen_at_start_and_released(void **state)
{
    (void)state;
    for (int i = 0; i < MODES; i++)
        all_data[i].released = 0;
    SaltusSystemDef def = definition();
    Hybrid hybrid = hybrid_begin(&def, NULL);
    assert_int_equal(saltus_run_mode(hybrid.run), FIRST);
    assert_int_equal(saltus_run_advance(hybrid.run, 1.0), SALTUS_OK);
    assert_int_equal(saltus_run_mode(hybrid.run), LAST);
    assert_int_equal(saltus_run_statistics(hybrid.run).modes_entered, MODES);
    // 14 at t = 0.75, then with slope -2
    assert_close(saltus_run_states(hybrid.run)[0], 13.5, 1e-14);
    // One look at each mode that was entered.
    assert_int_equal(*(const int *)saltus_run_memory(hybrid.run), 2);
    long count = saltus_run_event_count(hybrid.run);
    SaltusLogEntry entry = saltus_run_event(hybrid.run, count - 1);
    assert_close(entry.t, 0.75, 1e-15);
    assert_int_equal(entry.from, FIRST);
    assert_int_equal(entry.to, LAST);
    assert_int_equal(entry.classes, SALTUS_SE_S | SALTUS_SE_P);
    assert_string_equal(entry.changes[0].name, "count");
    hybrid_end(&hybrid);
    for (int i = 0; i < MODES; i++)
        assert_int_equal(all_data[i].released, 1);
}

static void choose_nothing(SaltusEvent *event)
{
    (void)event;
}

static void test_start_without_a_mode(void **state)
{
    (void)state;
    SaltusSystemDef def = definition();
    SaltusSystem *system = NULL;
    SaltusRun *run = NULL;
    SaltusError error;
    SaltusOptions options = saltus_default_options();
    def.start = choose_nothing;
    assert_int_equal(saltus_system_create(&def, &system, &error), SALTUS_OK);
    assert_int_equal(saltus_run_create(system, &options, &run, &error), SALTUS_ERROR_MODE);
    assert_contains(error.message, "start chose no mode");
    saltus_error_clear(&error);
    saltus_system_destroy(system);
    def.start = NULL;
    assert_int_equal(saltus_system_create(&def, &system, &error), SALTUS_ERROR_MODE);
    saltus_error_clear(&error);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chosen_at_start_and_released),
        cmocka_unit_test(test_start_without_a_mode),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
