// SPDX-License-Identifier: MIT
//
// Sweeps, solutions, linearizations and signals of the public interface. A ball that falls from
// height h on a floor hits it at sqrt(2 h / g); a spring and a lag have closed forms, too.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <saltus/saltus.h>
#include <string.h>

static void check_close(double value, double expected, double bound)
{
    if (!(fabs(value - expected) <= bound))
        fail_msg("%.17g is not %.17g", value, expected);
}

static SaltusModel *translate(const char *text)
{
    SaltusModelDef def = saltus_default_model();
    SaltusModel *model;
    def.text = text;
    def.live_inputs = true;
    assert_int_equal(saltus_model_create(&def, &model), SALTUS_OK);
    return model;
}

static const char ball[] = "model Ball parameter Real g = 9.81, c = 0.8, top = 1;"
                           " parameter Integer n = 1;"
                           " Real h(start = top, fixed = true), v(start = 0, fixed = true);"
                           " equation der(h) = v; der(v) = -g;"
                           " when h <= 0 then reinit(v, -c * pre(v)); end when;"
                           " annotation(experiment(StopTime = 2, Tolerance = 1e-9)); end Ball;";

static void test_sweep(void **state)
{
    (void)state;
    SaltusModel *m = translate(ball);
    SaltusStudyDef def = saltus_default_study(m);
    const char *const observations[] = {"time_of(h <= 0)", "time_of(h <= 0, 1:2)"};
    const char *const names[] = {"top", "c"};
    const SaltusSetting fixed = {"g", 2.0};
    double values[20];
    for (int i = 0; i < 10; i++) {
        values[2 * i] = 0.1 + 0.1 * i;
        values[2 * i + 1] = 0.5;
    }
    def.observations = observations;
    def.observation_count = 2;
    def.fixed = &fixed;
    def.fixed_count = 1;
    def.stop_time = 1.95;
    SaltusSweep *sweeps[2];
    for (int i = 0; i < 2; i++) {
        def.jobs = i ? 4 : 1;
        assert_int_equal(saltus_model_sweep(m, &def, names, 2, values, 10, &sweeps[i], NULL),
                         SALTUS_OK);
    }
    assert_int_equal(sweeps[0]->point_count, 10);
    assert_int_equal(sweeps[0]->result_count, 3);
    assert_int_equal(sweeps[0]->lengths[1], 2);
    assert_memory_equal(sweeps[0]->results, sweeps[1]->results, 30 * sizeof(double));
    for (int i = 0; i < 10; i++) {
        const double first = sqrt(2.0 * values[2 * i] / 2.0), *row = sweeps[0]->results + 3 * i;
        assert_true(sweeps[0]->statuses[i] >= 0); // from low heights it comes to rest
        check_close(row[0], first, 1e-12);
        check_close(row[1], first, 1e-12);
        if (2.0 * first < def.stop_time)
            check_close(row[2], 2.0 * first, 1e-12);
        else
            assert_true(isnan(row[2]) && sweeps[0]->messages[i][0]);
    }
    saltus_sweep_destroy(sweeps[0]);
    saltus_sweep_destroy(sweeps[1]);
    saltus_model_destroy(m);
}

static void refuse(const SaltusModel *m, const SaltusStudyDef *def, const char *name, double value,
                   const char *why)
{
    SaltusSweep *sweep;
    SaltusError error;
    assert_int_equal(saltus_model_sweep(m, def, &name, 1, &value, 1, &sweep, &error),
                     SALTUS_ERROR_ARGUMENT);
    assert_null(sweep);
    if (!strstr(error.message, why))
        fail_msg("'%s' does not say '%s'", error.message, why);
    saltus_error_clear(&error);
}

static int stop_at_once(void *user, double fraction, long runs)
{
    (void)fraction, (void)runs;
    ++*(int *)user;
    return 1;
}

static void test_sweep_that_is_wrong(void **state)
{
    (void)state;
    SaltusModel *m = translate(ball);
    SaltusStudyDef def = saltus_default_study(m);
    const char *observation = "maximum(hh)";
    def.observations = &observation;
    def.observation_count = 1;
    refuse(m, &def, "c", 0.5, "there is no variable 'hh'; did you mean 'h'?");
    observation = "h";
    refuse(m, &def, "cc", 0.5, "there is no parameter 'cc'");
    refuse(m, &def, "c", NAN, "that c can have");
    refuse(m, &def, "n", 1.5, "that n can have");
    const SaltusSetting fixed = {"c", 0.5};
    def.fixed = &fixed;
    def.fixed_count = 1;
    refuse(m, &def, "c", 0.5, "varied and fixed");
    // It can be interrupted.
    const char *const name = "g";
    double values[200];
    int calls = 0;
    SaltusSweep *sweep;
    for (int i = 0; i < 200; i++)
        values[i] = 1.0 + i;
    def.stop_time = 1e6; // accumulating events end it earlier
    def.options.zeno = SALTUS_ZENO_CONTINUE;
    def.progress = stop_at_once;
    def.user = &calls;
    assert_int_equal(saltus_model_sweep(m, &def, &name, 1, values, 200, &sweep, NULL),
                     SALTUS_INTERRUPTED);
    assert_true(calls > 0);
    saltus_model_destroy(m);
}

static void test_solve(void **state)
{
    (void)state;
    SaltusModel *m = translate(ball);
    SaltusStudyDef def = saltus_default_study(m);
    const char *const observations[] = {"time_of(h <= 0) - 0.6", "v"};
    const SaltusUnknown unknown = {"top", 0.5, 4.0, NAN, false};
    const SaltusSolveDef solve = {
        .seek = SALTUS_SEEK_ROOT, .unknown_count = 1, .unknowns = &unknown, .target_count = 1};
    SaltusSolutions *found;
    def.observations = observations;
    def.observation_count = 2;
    assert_int_equal(saltus_model_solve(m, &def, &solve, &found, NULL), SALTUS_OK);
    assert_int_equal(found->count, 1);
    assert_int_equal(found->items[0].found, SALTUS_FOUND_ROOT);
    check_close(found->items[0].unknowns[0], 9.81 * 0.36 / 2.0, 1e-9);
    assert_int_equal(found->items[0].result_count, 2);
    assert_true(found->runs > 1);
    saltus_solutions_destroy(found);
    SaltusError error;
    SaltusSolveDef wrong = solve;
    wrong.unknown_count = 0;
    assert_int_equal(saltus_model_solve(m, &def, &wrong, &found, &error), SALTUS_ERROR_ARGUMENT);
    saltus_error_clear(&error);
    wrong = solve;
    wrong.target_count = 0;
    assert_int_equal(saltus_model_solve(m, &def, &wrong, &found, &error), SALTUS_ERROR_ARGUMENT);
    saltus_error_clear(&error);
    const SaltusUnknown whole = {"n", 0.5, 4.0, NAN, false};
    wrong = solve;
    wrong.unknowns = &whole;
    assert_int_equal(saltus_model_solve(m, &def, &wrong, &found, &error), SALTUS_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "whole numbers"));
    saltus_error_clear(&error);
    saltus_model_destroy(m);
}

static SaltusRun *begin(const SaltusModel *m, SaltusSystem **system)
{
    SaltusRun *run;
    SaltusOptions options = saltus_model_options(m, NULL);
    options.method.relative_tolerance = 1e-10;
    options.method.absolute_tolerance = 1e-12;
    assert_int_equal(saltus_model_system(m, NULL, 0, system, NULL), SALTUS_OK);
    assert_int_equal(saltus_run_create(*system, &options, &run, NULL), SALTUS_OK);
    return run;
}

static void test_linearize(void **state)
{
    (void)state;
    SaltusModel *m = translate("model Spring parameter Real k = 4, w = k / 2; input Real f;"
                               " Real s(start = 1, fixed = true), v(start = 0, fixed = true);"
                               " output Real a; equation der(s) = v; der(v) = a;"
                               " a = f - 2 * w * s; end Spring;");
    SaltusSystem *system;
    SaltusRun *run = begin(m, &system);
    SaltusLinearization *l;
    assert_int_equal(saltus_model_linearize(m, run, NULL, 0, NULL, 0, &l, NULL), SALTUS_OK);
    assert_int_equal(l->input_count, 1);
    assert_string_equal(l->input_names[0], "f");
    assert_string_equal(l->output_names[0], "a");
    const double a[] = {0.0, 1.0, -4.0, 0.0}, b[] = {0.0, 1.0}, c[] = {-4.0, 0.0};
    for (int i = 0; i < 4; i++)
        check_close(l->a[i], a[i], 1e-9);
    for (int i = 0; i < 2; i++) {
        check_close(l->b[i], b[i], 1e-9);
        check_close(l->c[i], c[i], 1e-9);
    }
    check_close(l->d[0], 1.0, 1e-9);
    saltus_linearization_destroy(l);
    // By a parameter, with what follows from it.
    const char *const k = "k", *const s = "s", *const nothing = "q";
    assert_int_equal(saltus_model_linearize(m, run, &k, 1, &s, 1, &l, NULL), SALTUS_OK);
    check_close(l->b[1], -1.0, 1e-7);
    saltus_linearization_destroy(l);
    SaltusError error;
    assert_int_equal(saltus_model_linearize(m, run, &nothing, 1, NULL, 0, &l, &error),
                     SALTUS_ERROR_ARGUMENT);
    saltus_error_clear(&error);
    saltus_run_destroy(run);
    saltus_system_destroy(system);
    saltus_model_destroy(m);
}

// x' = u: the integral of the signal.
static void test_signals(void **state)
{
    (void)state;
    SaltusModel *m = translate("model M input Real u; Real x(start = 0, fixed = true);"
                               " equation der(x) = u; end M;");
    SaltusSystem *system;
    SaltusRun *run = begin(m, &system);
    const double times[] = {1.0, 2.0, 2.0, 3.0};
    const double values[] = {0.0, 2.0, 0.0, 0.0, // a ramp from 0 to 2
                             9.0, 9.0, 9.0, 9.0, // of two at one time the last counts
                             5.0, 0.0, 0.0, 0.0, // a step
                             0.0, 0.0, 0.0, 6.0};
    const SaltusSignal signal = {0, 4, times, values};
    SaltusError error;
    double y[8];
    assert_int_equal(saltus_model_advance(m, run, &signal, 1, 2.5, &error), SALTUS_OK);
    assert_int_equal(saltus_model_advance(m, run, &signal, 1, 4.0, &error), SALTUS_OK);
    assert_int_equal(saltus_run_outputs(run, y), 0);
    check_close(y[saltus_model_find_variable(m, "x")], 1.0 + 5.0 + 0.25, 1e-9);
    assert_int_equal(saltus_run_event_count(run), 3);
    char text[8];
    const SaltusLogEntry entry = saltus_run_event(run, 0);
    assert_int_equal(saltus_model_event_text(m, run, &entry, text, sizeof text), 0);
    const double falling[] = {2.0, 1.0};
    const SaltusSignal wrong = {0, 2, falling, values};
    assert_int_equal(saltus_model_advance(m, run, &wrong, 1, 5.0, &error), SALTUS_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "times of u"));
    saltus_error_clear(&error);
    saltus_run_destroy(run);
    saltus_system_destroy(system);
    saltus_model_destroy(m);
}

static void test_event_text(void **state)
{
    (void)state;
    SaltusModel *m = translate(ball);
    SaltusSystem *system;
    SaltusRun *run = begin(m, &system);
    char text[64], shorter[5];
    assert_int_equal(saltus_run_advance(run, 0.5), SALTUS_OK);
    const SaltusLogEntry entry = saltus_run_event(run, 0);
    const size_t length = saltus_model_event_text(m, run, &entry, text, sizeof text);
    assert_string_equal(text, "h <= 0.0 falling");
    assert_int_equal(length, strlen(text));
    assert_int_equal(saltus_model_event_text(m, run, &entry, shorter, sizeof shorter), length);
    assert_string_equal(shorter, "h <=");
    assert_int_equal(saltus_model_event_text(m, run, &entry, NULL, 0), length);
    saltus_run_destroy(run);
    saltus_system_destroy(system);
    double p[8];
    const SaltusSetting setting = {"g", 3.0};
    assert_int_equal(saltus_model_parameters(m, &setting, 1, p, NULL), SALTUS_OK);
    check_close(p[saltus_model_find_parameter(m, "g")], 3.0, 0.0);
    check_close(p[saltus_model_find_parameter(m, "c")], 0.8, 0.0);
    saltus_model_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sweep),   cmocka_unit_test(test_sweep_that_is_wrong),
        cmocka_unit_test(test_solve),   cmocka_unit_test(test_linearize),
        cmocka_unit_test(test_signals), cmocka_unit_test(test_event_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
