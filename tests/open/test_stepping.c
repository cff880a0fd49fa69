// SPDX-License-Identifier: MIT
//
// Runs that go on step by step, with inputs, parameters and states that are set from outside.
// Everything is compared with closed forms; the bounds follow from the tolerance 1e-10.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <saltus/saltus.h>
#include <string.h>
#include <unistd.h>

static const double accuracy = 1e-8;

static void check_near(double value, double expected, double bound)
{
    if (!(fabs(value - expected) <= bound))
        fail_msg("%.17g is not %.17g", value, expected);
}

static SaltusModel *open_text(const char *text)
{
    SaltusModelDef def = saltus_default_model();
    SaltusModel *model;
    def.text = text;
    def.live_inputs = true;
    const SaltusStatus status = saltus_model_create(&def, &model);
    if (status != SALTUS_OK && model)
        print_error("%s", saltus_model_messages(model));
    assert_int_equal(status, SALTUS_OK);
    return model;
}

typedef struct Stepper {
    SaltusModel *model;
    SaltusSystem *system;
    SaltusRun *run;
} Stepper;

static Stepper begin(const char *text, const SaltusSetting *settings, int count)
{
    Stepper s = {.model = open_text(text)};
    SaltusError error;
    assert_int_equal(saltus_model_system(s.model, settings, count, &s.system, &error), SALTUS_OK);
    SaltusOptions options = saltus_model_options(s.model, NULL);
    options.method.relative_tolerance = 1e-10;
    options.method.absolute_tolerance = 1e-12;
    assert_int_equal(saltus_run_create(s.system, &options, &s.run, &error), SALTUS_OK);
    return s;
}

static void end(Stepper *s)
{
    saltus_run_destroy(s->run);
    saltus_system_destroy(s->system);
    saltus_model_destroy(s->model);
}

static double value_in(const Stepper *s, const SaltusRun *run, const char *name)
{
    double y[64];
    const int index = saltus_model_find_variable(s->model, name);
    assert_true(index >= 0 && saltus_model_variable_count(s->model) <= 64);
    assert_int_equal(saltus_run_outputs(run, y), 0);
    return y[index];
}

static double value_of(const Stepper *s, const char *name)
{
    return value_in(s, s->run, name);
}

static void advance(Stepper *s, double t)
{
    assert_int_equal(saltus_run_advance(s->run, t), SALTUS_OK);
}

static SaltusStatus set(Stepper *s, SaltusTarget target, const char *name, double value,
                        double rate)
{
    const int index = target == SALTUS_TARGET_INPUT ? saltus_model_find_input(s->model, name)
                      : target == SALTUS_TARGET_PARAMETER
                          ? saltus_model_find_parameter(s->model, name)
                          : saltus_model_find_variable(s->model, name);
    const SaltusAssignment a = {target, index, value, {rate}};
    return saltus_model_set(s->model, s->run, &a, 1, NULL);
}

static void test_input_is_held(void **state)
{
    (void)state;
    const SaltusSetting start = {"u", 2.0};
    Stepper s = begin("model M input Real u; Real x(start = 0, fixed = true);"
                      " equation der(x) = u - x; end M;",
                      &start, 1);
    assert_int_equal(saltus_model_input_count(s.model), 1);
    assert_string_equal(saltus_model_input_name(s.model, 0), "u");
    advance(&s, 1.0);
    const double first = 2.0 * (1.0 - exp(-1.0));
    check_near(value_of(&s, "x"), first, accuracy);
    assert_int_equal(set(&s, SALTUS_TARGET_INPUT, "u", -1.0, 0.0), SALTUS_OK);
    check_near(value_of(&s, "u"), -1.0, 0.0);
    advance(&s, 3.0);
    check_near(value_of(&s, "x"), -1.0 + (first + 1.0) * exp(-2.0), accuracy);
    // The log has it, as an input that changed.
    assert_int_equal(saltus_run_event_count(s.run), 1);
    const SaltusLogEntry entry = saltus_run_event(s.run, 0);
    assert_int_equal(entry.occasion, SALTUS_AT_REQUEST);
    assert_int_equal(entry.classes, SALTUS_SE_I);
    assert_int_equal(entry.change_count, 1);
    assert_string_equal(entry.changes[0].name, "u.value");
    end(&s);
}

// x' = u with u = 1 + 2 s + 3 s^2/2 + 4 s^3/6 from t = 0.5 on.
static void test_input_goes_on(void **state)
{
    (void)state;
    Stepper s = begin("model M input Real u; Real x(start = 0, fixed = true);"
                      " equation der(x) = u; end M;",
                      NULL, 0);
    advance(&s, 0.5);
    const SaltusAssignment a = {SALTUS_TARGET_INPUT, 0, 1.0, {2.0, 3.0, 4.0}};
    assert_int_equal(saltus_model_set(s.model, s.run, &a, 1, NULL), SALTUS_OK);
    advance(&s, 2.5);
    check_near(value_of(&s, "u"), 1.0 + 4.0 + 6.0 + 32.0 / 6.0, accuracy);
    check_near(value_of(&s, "x"), 2.0 + 4.0 + 4.0 + 64.0 / 24.0, accuracy);
    end(&s);
}

// A relation of an input has its event where the input crosses, inside an advance.
static void test_input_crosses(void **state)
{
    (void)state;
    Stepper s = begin("model M input Real u; discrete Real at(start = -1, fixed = true);"
                      " Integer n(start = 0, fixed = true);"
                      " equation when u > 1 then at = time; n = pre(n) + 1; end when; end M;",
                      NULL, 0);
    advance(&s, 0.25);
    assert_int_equal(set(&s, SALTUS_TARGET_INPUT, "u", 0.0, 2.0), SALTUS_OK); // 1 at t = 0.75
    advance(&s, 1.0);
    check_near(value_of(&s, "at"), 0.75, 1e-12);
    assert_int_equal(set(&s, SALTUS_TARGET_INPUT, "u", 0.0, 0.0), SALTUS_OK);
    check_near(value_of(&s, "n"), 1.0, 0.0);
    assert_int_equal(set(&s, SALTUS_TARGET_INPUT, "u", 5.0, 0.0), SALTUS_OK); // it jumps over
    check_near(value_of(&s, "at"), 1.0, 0.0);
    check_near(value_of(&s, "n"), 2.0, 0.0);
    end(&s);
}

static void test_discrete_inputs(void **state)
{
    (void)state;
    Stepper s = begin("model M input Boolean on; input Integer k(start = 2);"
                      " Real x(start = 0, fixed = true); Integer rises(start = 0, fixed = true);"
                      " Integer changes(start = 0, fixed = true);"
                      " equation der(x) = if on then k else 0;"
                      " when on then rises = pre(rises) + 1; end when;"
                      " when change(k) then changes = pre(changes) + 1; end when; end M;",
                      NULL, 0);
    advance(&s, 1.0);
    check_near(value_of(&s, "x"), 0.0, 0.0);
    assert_int_equal(set(&s, SALTUS_TARGET_INPUT, "on", 1.0, 0.0), SALTUS_OK);
    check_near(value_of(&s, "rises"), 1.0, 0.0);
    advance(&s, 2.0);
    check_near(value_of(&s, "x"), 2.0, accuracy);
    assert_int_equal(set(&s, SALTUS_TARGET_INPUT, "k", 5.0, 0.0), SALTUS_OK);
    advance(&s, 3.0);
    check_near(value_of(&s, "x"), 7.0, accuracy);
    assert_int_equal(set(&s, SALTUS_TARGET_INPUT, "on", 0.0, 0.0), SALTUS_OK);
    advance(&s, 4.0);
    assert_int_equal(set(&s, SALTUS_TARGET_INPUT, "on", 1.0, 0.0), SALTUS_OK);
    check_near(value_of(&s, "rises"), 2.0, 0.0);
    check_near(value_of(&s, "changes"), 1.0, 0.0);
    check_near(value_of(&s, "x"), 7.0, accuracy);
    // What is no value of the type is refused, and so is a rate.
    assert_int_equal(set(&s, SALTUS_TARGET_INPUT, "on", 2.0, 0.0), SALTUS_ERROR_ARGUMENT);
    assert_int_equal(set(&s, SALTUS_TARGET_INPUT, "k", 2.5, 0.0), SALTUS_ERROR_ARGUMENT);
    assert_int_equal(set(&s, SALTUS_TARGET_INPUT, "k", 2.0, 1.0), SALTUS_ERROR_ARGUMENT);
    advance(&s, 5.0); // it can go on
    check_near(value_of(&s, "x"), 12.0, accuracy);
    end(&s);
}

// The derivative of an input that a constraint contains: a cart that is moved by hand.
static void test_input_is_differentiated(void **state)
{
    (void)state;
    Stepper s = begin("model M input Real s; Real v; Real p(start = 0, fixed = true);"
                      " equation v = der(s); der(p) = v * v; end M;",
                      NULL, 0);
    const SaltusAssignment a = {SALTUS_TARGET_INPUT, 0, 0.0, {3.0, -2.0, 0.0}};
    assert_int_equal(saltus_model_set(s.model, s.run, &a, 1, NULL), SALTUS_OK);
    check_near(value_of(&s, "v"), 3.0, 1e-12);
    advance(&s, 1.0);
    check_near(value_of(&s, "v"), 1.0, 1e-12);
    check_near(value_of(&s, "p"), 9.0 - 6.0 + 4.0 / 3.0, accuracy); // (3 - 2 t)^2
    end(&s);
}

static void test_parameter(void **state)
{
    (void)state;
    Stepper s = begin("model M parameter Real k = 1; parameter Real twice = 2 * k;"
                      " parameter Integer n = 2; Real y[n] = fill(k, n); Boolean high = k > 3;"
                      " Integer rises(start = 0, fixed = true); Real x(start = 0, fixed = true);"
                      " equation der(x) = if high then 10 else twice;"
                      " when high then rises = pre(rises) + 1; end when; end M;",
                      NULL, 0);
    advance(&s, 1.0);
    check_near(value_of(&s, "x"), 2.0, accuracy);
    assert_int_equal(set(&s, SALTUS_TARGET_PARAMETER, "k", 1.5, 0.0), SALTUS_OK);
    advance(&s, 2.0);
    check_near(value_of(&s, "x"), 5.0, accuracy);
    assert_int_equal(set(&s, SALTUS_TARGET_PARAMETER, "k", 4.0, 0.0), SALTUS_OK);
    check_near(value_of(&s, "high"), 1.0, 0.0);
    check_near(value_of(&s, "rises"), 1.0, 0.0);
    advance(&s, 3.0);
    check_near(value_of(&s, "x"), 15.0, accuracy);
    // What was set by itself does not follow any more.
    assert_int_equal(set(&s, SALTUS_TARGET_PARAMETER, "twice", 7.0, 0.0), SALTUS_OK);
    assert_int_equal(set(&s, SALTUS_TARGET_PARAMETER, "k", 2.0, 0.0), SALTUS_OK);
    advance(&s, 4.0);
    check_near(value_of(&s, "x"), 22.0, accuracy);
    // The size of an array cannot change any more.
    SaltusError error;
    const SaltusAssignment a = {
        SALTUS_TARGET_PARAMETER, saltus_model_find_parameter(s.model, "n"), 3.0, {0.0}};
    assert_int_equal(saltus_model_set(s.model, s.run, &a, 1, &error), SALTUS_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "n shapes the model"));
    saltus_error_clear(&error);
    end(&s);
}

static void test_state(void **state)
{
    (void)state;
    Stepper s = begin("model M Real h(start = 1, fixed = true); Real v(start = 0, fixed = true);"
                      " Real e = v * v / 2; equation der(h) = v; der(v) = -10;"
                      " when h < 0 then reinit(v, -pre(v)); end when; end M;",
                      NULL, 0);
    advance(&s, 0.1);
    assert_int_equal(set(&s, SALTUS_TARGET_STATE, "v", 4.0, 0.0), SALTUS_OK);
    check_near(value_of(&s, "e"), 8.0, 1e-12);
    advance(&s, 0.3);
    check_near(value_of(&s, "h"), 0.95 + 0.8 - 0.2, accuracy);
    // Below the floor: the condition becomes true there and then.
    const SaltusAssignment both[] = {
        {SALTUS_TARGET_STATE, saltus_model_find_variable(s.model, "h"), -0.1, {0.0}},
        {SALTUS_TARGET_STATE, saltus_model_find_variable(s.model, "v"), -2.0, {0.0}}};
    assert_int_equal(saltus_model_set(s.model, s.run, both, 2, NULL), SALTUS_OK);
    check_near(value_of(&s, "v"), 2.0, 1e-12);
    assert_int_equal(set(&s, SALTUS_TARGET_STATE, "e", 1.0, 0.0), SALTUS_ERROR_ARGUMENT);
    assert_int_equal(set(&s, SALTUS_TARGET_STATE, "h", NAN, 0.0), SALTUS_ERROR_ARGUMENT);
    end(&s);
}

// Another mode by an input: a mass that hangs on a rope is let go.
static void test_mode_by_input(void **state)
{
    (void)state;
    Stepper s = begin("model M input Boolean cut; Real h(start = 5); Real v; Real f;"
                      " equation der(h) = v; der(v) = f - 10;"
                      " if cut then f = 0; else h = 5; end if; end M;",
                      NULL, 0);
    advance(&s, 1.0);
    check_near(value_of(&s, "f"), 10.0, 1e-9);
    assert_int_equal(set(&s, SALTUS_TARGET_INPUT, "cut", 1.0, 0.0), SALTUS_OK);
    advance(&s, 1.5);
    check_near(value_of(&s, "h"), 5.0 - 1.25, accuracy);
    assert_int_equal(saltus_run_event(s.run, 0).classes & SALTUS_SE_S, SALTUS_SE_S);
    end(&s);
}

// A checkpoint goes on with the inputs that it had.
static void test_checkpoint(void **state)
{
    (void)state;
    Stepper s = begin("model M input Real u; Real x(start = 0, fixed = true);"
                      " equation der(x) = u; end M;",
                      NULL, 0);
    SaltusRun *copy;
    assert_int_equal(set(&s, SALTUS_TARGET_INPUT, "u", 1.0, 2.0), SALTUS_OK);
    advance(&s, 1.0);
    assert_int_equal(saltus_run_copy(s.run, &copy, NULL), SALTUS_OK);
    assert_int_equal(set(&s, SALTUS_TARGET_INPUT, "u", 0.0, 0.0), SALTUS_OK);
    advance(&s, 2.0);
    check_near(value_of(&s, "x"), 2.0, accuracy);
    assert_int_equal(saltus_run_advance(copy, 2.0), SALTUS_OK);
    check_near(value_in(&s, copy, "x"), 6.0, accuracy); // t + t^2
    saltus_run_destroy(copy);
    end(&s);
}

static void test_next_time_event(void **state)
{
    (void)state;
    Stepper s = begin("model M Integer n(start = 0, fixed = true);"
                      " equation when sample(0.5, 0.25) then n = pre(n) + 1; end when; end M;",
                      NULL, 0);
    check_near(saltus_run_next_time_event(s.run), 0.5, 0.0);
    advance(&s, 0.6);
    check_near(saltus_run_next_time_event(s.run), 0.75, 0.0);
    end(&s);
}

// What is scheduled depends on the interval of a sample.
static void test_sample_stays(void **state)
{
    (void)state;
    Stepper s = begin("model M parameter Real T = 0.1, k = 1; Integer n(start = 0, fixed = true);"
                      " Real x(start = 0, fixed = true); equation der(x) = k;"
                      " when sample(0, 2 * T) then n = pre(n) + 1; end when; end M;",
                      NULL, 0);
    advance(&s, 0.5);
    assert_int_equal(set(&s, SALTUS_TARGET_PARAMETER, "T", 0.05, 0.0), SALTUS_ERROR_ARGUMENT);
    assert_int_equal(set(&s, SALTUS_TARGET_PARAMETER, "k", 3.0, 0.0), SALTUS_OK);
    advance(&s, 1.0);
    check_near(value_of(&s, "x"), 2.0, accuracy);
    check_near(value_of(&s, "n"), 6.0, 0.0);
    end(&s);
}

// A run of another shape: the same names.
// A warning once it is due, at the time of its event; what a function prints, once.
static void test_warnings_and_prints(void **state)
{
    (void)state;
    Stepper s = begin("model M impure function say input String text; input String file = \"\";"
                      " external \"C\" ModelicaInternal_print(text, file); end say;"
                      " Real x(start = 0, fixed = true); equation der(x) = 1;"
                      " when x > 0.25 then say(\"a quarter\"); end when;"
                      " assert(x < 0.5, \"too far\", AssertionLevel.warning); end M;",
                      NULL, 0);
    double time = 0.0;
    bool is_warning = true;
    char text[80];
    assert_int_equal(saltus_run_advance(s.run, 0.4), SALTUS_OK);
    assert_int_equal(saltus_model_warning(s.model, s.run, 0, &time, text, sizeof text), 0);
    assert_string_equal(saltus_model_printed(s.model, s.run, &time, &is_warning), "a quarter");
    assert_false(is_warning);
    check_near(time, 0.25, accuracy);
    assert_null(saltus_model_printed(s.model, s.run, &time, &is_warning));
    assert_int_equal(saltus_run_advance(s.run, 1.0), SALTUS_OK);
    const size_t length = saltus_model_warning(s.model, s.run, 0, &time, text, sizeof text);
    assert_int_equal(length, strlen(text));
    assert_non_null(strstr(text, "too far"));
    check_near(time, 0.5, accuracy);
    assert_int_equal(saltus_model_warning(s.model, s.run, 0, &time, NULL, 0), length);
    assert_int_equal(saltus_model_warning(s.model, s.run, 1, &time, text, sizeof text), 0);
    assert_null(saltus_model_printed(s.model, s.run, &time, &is_warning));
    end(&s);
}

// A value that nothing integrated depends on does not end a run, but it is told.
static void test_not_finite(void **state)
{
    (void)state;
    Stepper s = begin("model M Real x(start = 0, fixed = true), y = sqrt(0.5 - x);"
                      " equation der(x) = 1; end M;",
                      NULL, 0);
    double time = 0.0;
    char text[80] = "";
    assert_int_equal(saltus_run_advance(s.run, 0.25), SALTUS_OK);
    assert_int_equal(saltus_model_warning(s.model, s.run, 0, &time, text, sizeof text), 0);
    assert_int_equal(saltus_run_advance(s.run, 1.0), SALTUS_OK);
    assert_int_equal(saltus_model_warning(s.model, s.run, 0, &time, text, sizeof text), 15);
    assert_string_equal(text, "y is not finite");
    assert_true(time > 0.5 && time <= 1.0);
    assert_int_equal(saltus_model_warning(s.model, s.run, 1, &time, text, sizeof text), 0);
    end(&s);
}

static void test_variant(void **state)
{
    (void)state;
    const SaltusSetting size = {"n", 3.0};
    Stepper s = begin("model M parameter Integer n = 1; input Real u; Real x[n](each start = 0,"
                      " each fixed = true); Real last = x[n]; equation for i in 1:n loop"
                      " der(x[i]) = i * u; end for; end M;",
                      &size, 1);
    assert_int_equal(set(&s, SALTUS_TARGET_INPUT, "u", 2.0, 0.0), SALTUS_OK);
    advance(&s, 1.0);
    double y[64];
    assert_int_equal(saltus_run_outputs(s.run, y), 0);
    const SaltusModeDef *mode = saltus_system_mode(s.system, saltus_run_mode(s.run));
    int last = 0;
    while (last < mode->output_count && strcmp(mode->output_names[last], "last") != 0)
        last++;
    check_near(y[last], 6.0, accuracy);
    end(&s);
}

// A ball with a closed form, by all backends: compiled code computes the same bits, whole runs
// (where there is a compiler) have events of their own within rounding.
static void test_backends(void **state)
{
    (void)state;
    static const char text[] =
        "model Ball parameter Real e = 0.9; Real x(start = 10, fixed = true), v(start = 0, fixed = "
        "true); equation der(x) = v; der(v) = -9.81; when x <= 0 then reinit(v, -e * pre(v)); end "
        "when; end Ball;";
    const bool has_compiler = access("/usr/bin/cc", X_OK) == 0;
    double v[SALTUS_BACKEND_WHOLE + 1];
    for (int backend = SALTUS_BACKEND_INTERPRET; backend <= SALTUS_BACKEND_WHOLE; backend++) {
        SaltusModelDef def = saltus_default_model();
        Stepper s = {0};
        SaltusError error;
        def.text = text;
        def.backend = (SaltusBackend)backend;
        assert_int_equal(saltus_model_create(&def, &s.model), SALTUS_OK);
        assert_int_equal(saltus_model_system(s.model, NULL, 0, &s.system, &error), SALTUS_OK);
        SaltusOptions options = saltus_model_options(s.model, NULL);
        options.record = SALTUS_RECORD_EVENTS; // (rows at steps are the engine's)
        assert_int_equal(saltus_run_create(s.system, &options, &s.run, &error), SALTUS_OK);
        advance(&s, 10.0);
        double t = sqrt(20.0 / 9.81), flight = 2.0 * t;
        for (long i = 0; i < saltus_run_event_count(s.run); i++) {
            check_near(saltus_run_event(s.run, i).t, t, 1e-10);
            t += flight *= 0.9;
        }
        assert_true(t > 10.0); // there is none that is missing
        v[backend] = saltus_run_states(s.run)[1];
        const bool is_whole = saltus_run_statistics(s.run).stretch_steps > 0;
        assert_int_equal(is_whole, backend == SALTUS_BACKEND_WHOLE && has_compiler);
        end(&s);
    }
    assert_true(v[SALTUS_BACKEND_C] == v[SALTUS_BACKEND_INTERPRET]);
    check_near(v[SALTUS_BACKEND_WHOLE], v[SALTUS_BACKEND_INTERPRET], 1e-9);
}

static void test_wrong_backend(void **state)
{
    (void)state;
    SaltusModelDef def = saltus_default_model();
    SaltusModel *model;
    def.text = "model M Real x = time; end M;";
    def.backend = (SaltusBackend)(SALTUS_BACKEND_WHOLE + 1);
    assert_int_equal(saltus_model_create(&def, &model), SALTUS_ERROR_ARGUMENT);
    assert_null(model);
}

// Points of a sweep are runs as a whole, too.
static void test_sweep_as_a_whole(void **state)
{
    (void)state;
    SaltusModelDef def = saltus_default_model();
    def.text =
        "model Ball parameter Real e = 0.9; Real x(start = 10, fixed = true), v(start = 0, fixed = "
        "true); Integer n(start = 0, fixed = true); equation der(x) = v; der(v) = -9.81; when x <= "
        "0 then reinit(v, -e * pre(v)); n = pre(n) + 1; end when; end Ball;";
    def.backend = SALTUS_BACKEND_WHOLE;
    SaltusModel *model;
    assert_int_equal(saltus_model_create(&def, &model), SALTUS_OK);
    SaltusStudyDef study = saltus_default_study(model);
    static const char *const observations[] = {"x"}, *const names[] = {"e"};
    static const double values[] = {0.6, 0.7, 0.8, 0.9};
    SaltusSweep *sweep;
    SaltusError error;
    study.stop_time = 3.0;
    study.observation_count = 1;
    study.observations = observations;
    assert_int_equal(saltus_model_sweep(model, &study, names, 1, values, 4, &sweep, &error),
                     SALTUS_OK);
    for (int i = 0; i < 4; i++) {
        const double t = sqrt(20.0 / 9.81), left = 3.0 - t; // one bounce, at t
        check_near(sweep->results[i], (values[i] * t - 0.5 * left) * 9.81 * left, 1e-9);
    }
    saltus_sweep_destroy(sweep);
    saltus_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_input_is_held),
        cmocka_unit_test(test_input_goes_on),
        cmocka_unit_test(test_input_crosses),
        cmocka_unit_test(test_discrete_inputs),
        cmocka_unit_test(test_input_is_differentiated),
        cmocka_unit_test(test_parameter),
        cmocka_unit_test(test_state),
        cmocka_unit_test(test_mode_by_input),
        cmocka_unit_test(test_checkpoint),
        cmocka_unit_test(test_next_time_event),
        cmocka_unit_test(test_not_finite),
        cmocka_unit_test(test_variant),
        cmocka_unit_test(test_warnings_and_prints),
        cmocka_unit_test(test_sample_stays),
        cmocka_unit_test(test_backends),
        cmocka_unit_test(test_wrong_backend),
        cmocka_unit_test(test_sweep_as_a_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
