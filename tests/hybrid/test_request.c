// SPDX-License-Identifier: MIT
//
// Actions that are asked for from outside, with an argument; what the log says of parameters that
// are inputs; the user of a copy's callbacks.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <saltus/saltus.h>
#include <stdlib.h>
#include <string.h>

// x' = p[0] + p[1] (t - p[2])
static int rhs(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    (void)x, (void)z;
    dx[0] = c->p[0] + c->p[1] * (t - c->p[2]);
    return 0;
}

static void schedule(SaltusEvent *event)
{
    saltus_schedule(event, 7, 3.0);
    assert_null(event->argument);
}

static SaltusSystem *make(SaltusEventUpdate update)
{
    static const char *const names[] = {"value", "rate", "since", "k"};
    static const unsigned classes[] = {SALTUS_SE_I, SALTUS_SE_I | SALTUS_UNLOGGED,
                                       SALTUS_SE_I | SALTUS_UNLOGGED, SALTUS_SE_P};
    static const double parameters[4], start[1];
    SaltusModeDef mode = saltus_default_mode();
    mode.name = "only";
    mode.state_count = 1;
    mode.start = start;
    mode.rhs = rhs;
    SaltusSystemDef def = saltus_default_system();
    def.modes = &mode;
    def.mode_count = 1;
    def.parameter_count = 4;
    def.parameter_names = names;
    def.parameters = parameters;
    def.parameter_classes = classes;
    def.start = schedule;
    def.event_update = update;
    SaltusSystem *system;
    assert_int_equal(saltus_system_create(&def, &system, NULL), SALTUS_OK);
    return system;
}

static SaltusRun *begin(const SaltusSystem *system)
{
    const SaltusOptions options = saltus_default_options();
    SaltusRun *run;
    assert_int_equal(saltus_run_create(system, &options, &run, NULL), SALTUS_OK);
    return run;
}

static void set_input(SaltusEvent *event)
{
    const double *values = event->argument;
    event->p[0] = values[0];
    event->p[1] = values[1];
    event->p[2] = event->t;
}

static void set_parameter(SaltusEvent *event)
{
    event->p[3] = *(const double *)event->argument;
}

static void test_argument(void **state)
{
    (void)state;
    SaltusSystem *system = make(NULL);
    SaltusRun *run = begin(system);
    double values[] = {2.0, 1.0}, k = 5.0;
    assert_int_equal(saltus_run_advance(run, 1.0), SALTUS_OK);
    assert_int_equal(saltus_run_request(run, set_input, values), SALTUS_OK);
    assert_int_equal(saltus_run_request(run, set_parameter, &k), SALTUS_OK);
    assert_true(saltus_run_next_time_event(run) == 3.0);
    assert_int_equal(saltus_run_advance(run, 3.0), SALTUS_OK);
    assert_true(fabs(saltus_run_states(run)[0] - 6.0) < 1e-9); // 2 s + s^2 / 2
    assert_true(isinf(saltus_run_next_time_event(run)));
    const SaltusLogEntry input = saltus_run_event(run, 0), parameter = saltus_run_event(run, 1);
    assert_int_equal(input.classes, SALTUS_SE_I);
    assert_int_equal(input.change_count, 1); // how it goes on is not listed
    assert_string_equal(input.changes[0].name, "value");
    assert_int_equal(parameter.classes, SALTUS_SE_P);
    // Only the rate: the solver has to know of it though nothing is listed.
    values[1] = 0.0;
    assert_int_equal(saltus_run_request(run, set_input, values), SALTUS_OK);
    assert_int_equal(saltus_run_advance(run, 4.0), SALTUS_OK);
    assert_true(fabs(saltus_run_states(run)[0] - 8.0) < 1e-9);
    saltus_run_destroy(run);
    saltus_system_destroy(system);
}

static unsigned note_update(SaltusEvent *event)
{
    if (event->argument)
        *(double *)event->argument += 1000.0 * (event->iteration + 1);
    return SALTUS_NOTHING_CHANGED;
}

// A client with an update of its own is called after the action.
static void test_update_follows(void **state)
{
    (void)state;
    SaltusSystem *system = make(note_update);
    SaltusRun *run = begin(system);
    double k = 5.0;
    assert_int_equal(saltus_run_request(run, set_parameter, &k), SALTUS_OK);
    assert_true(saltus_run_parameters(run)[3] == 5.0);
    assert_true(k == 2005.0); // once, in the second iteration
    saltus_run_destroy(run);
    saltus_system_destroy(system);
}

static int count_steps(void *user, double t, double stop_time)
{
    (void)t, (void)stop_time;
    ++*(int *)user;
    return 0;
}

static void test_user_of_a_copy(void **state)
{
    (void)state;
    SaltusSystem *system = make(NULL);
    SaltusOptions options = saltus_default_options();
    int first = 0, second = 0;
    SaltusRun *run, *copy;
    options.progress = count_steps;
    options.user = &first;
    assert_int_equal(saltus_run_create(system, &options, &run, NULL), SALTUS_OK);
    assert_int_equal(saltus_run_copy(run, &copy, NULL), SALTUS_OK);
    saltus_run_set_user(copy, &second);
    assert_int_equal(saltus_run_advance(copy, 1.0), SALTUS_OK);
    assert_true(first == 0 && second > 0);
    saltus_run_destroy(copy);
    saltus_run_destroy(run);
    saltus_system_destroy(system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_argument),
        cmocka_unit_test(test_update_follows),
        cmocka_unit_test(test_user_of_a_copy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
