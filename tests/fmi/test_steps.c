// SPDX-License-Identifier: MIT
//
// Exported FMUs in co-simulation, loaded as any importer does. A step of an FMU is a step of the
// engine, so all variables have the bits of a run with the same communication points; events and
// inputs are compared with closed forms.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unpacked.h"

#include <math.h>
#include <saltus/saltus.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void check_near(double value, double expected, double bound)
{
    if (!(fabs(value - expected) <= bound))
        fail_msg("%.17g is not %.17g", value, expected);
}

static void log_2(void *environment, Fmi2String instance, Fmi2Status status, Fmi2String category,
                  Fmi2String message, ...)
{
    (void)instance, (void)status, (void)category, (void)message;
    if (environment)
        ++*(int *)environment;
}

static const Fmi2Callbacks callbacks_2 = {.logger = log_2};

static Fmi2Component instantiate_2(const Unpacked *u, Fmi2Type type)
{
    Fmi2Component c =
        u->binary.fmi2.Instantiate("test", type, u->token, u->location, &callbacks_2, 0, 0);
    assert_non_null(c);
    return c;
}

static void initialize_2(const Unpacked *u, Fmi2Component c, double tolerance)
{
    const Fmi2Table *f = &u->binary.fmi2;
    assert_int_equal(f->SetupExperiment(c, tolerance > 0.0, tolerance, 0.0, 0, 0.0), FMI2_OK);
    assert_int_equal(f->EnterInitializationMode(c), FMI2_OK);
    assert_int_equal(f->ExitInitializationMode(c), FMI2_OK);
}

static double get_2(const Unpacked *u, Fmi2Component c, const char *name)
{
    const Fmi2Reference vr = unpacked_reference(u, name);
    double value;
    assert_int_equal(u->binary.fmi2.GetReal(c, &vr, 1, &value), FMI2_OK);
    return value;
}

static Fmi2Status set_2(const Unpacked *u, Fmi2Component c, const char *name, double value)
{
    const Fmi2Reference vr = unpacked_reference(u, name);
    return u->binary.fmi2.SetReal(c, &vr, 1, &value);
}

static double get_3(const Unpacked *u, Fmi3Instance i, const char *name)
{
    const Fmi3Reference vr = unpacked_reference(u, name);
    double value;
    assert_int_equal(u->binary.fmi3.GetFloat64(i, &vr, 1, &value, 1), FMI3_OK);
    return value;
}

// ---------------------------------------------------------------------------
// All variables of many models
// ---------------------------------------------------------------------------

// The same model without an FMU.
typedef struct Direct {
    SaltusModel *model;
    SaltusSystem *system;
    SaltusRun *run;
    double stop_time;
    double *y;
} Direct;

static void direct_begin(Direct *d, const char *file, const char *name)
{
    char path[512];
    SaltusModelDef def = saltus_default_model();
    SaltusError error;
    snprintf(path, sizeof path, "%s/models/%s", SALTUS_SOURCE_DIR, file);
    const char *const files[] = {path};
    def.file_count = 1;
    def.files = files;
    def.name = name;
    def.library_path = SALTUS_SOURCE_DIR "/models";
    assert_int_equal(saltus_model_create(&def, &d->model), SALTUS_OK);
    assert_int_equal(saltus_model_system(d->model, NULL, 0, &d->system, &error), SALTUS_OK);
    SaltusOptions o = saltus_model_options(d->model, &d->stop_time);
    o.record = SALTUS_RECORD_NOTHING;
    assert_int_equal(saltus_run_create(d->system, &o, &d->run, &error), SALTUS_OK);
    d->y = calloc((size_t)saltus_model_variable_count(d->model) + 1, sizeof *d->y);
}

static void direct_end(Direct *d)
{
    free(d->y);
    saltus_run_destroy(d->run);
    saltus_system_destroy(d->system);
    saltus_model_destroy(d->model);
}

enum { STEPS = 40 };

// Six of them change their structure; the last ones have time events and clocks.
static const struct {
    const char *file, *model;
} models[] = {
    {"modes/CupAndBall.mo", NULL},      {"modes/IdealClutch.mo", NULL},
    {"modes/PendulumMachine.mo", NULL}, {"modes/BreakingRope.mo", NULL},
    {"modes/RLDC2.mo", NULL},           {"examples/StickSlip.mo", NULL},
    {"examples/BouncingBall.mo", NULL}, {"examples/BridgeRectifier.mo", NULL},
    {"examples/CartPendulum.mo", NULL}, {"examples/Thermostat.mo", NULL},
    {"examples/SampledServo.mo", NULL}, {"examples/TrafficLight.mo", NULL},
};

// NaN where both are.
static void check_same(const char *file, const char *name, double value, double expected)
{
    if (memcmp(&value, &expected, sizeof value) != 0 && !(value == expected) &&
        !(isnan(value) && isnan(expected)))
        fail_msg("%s: %s is %.17g, not %.17g", file, name, value, expected);
}

static void same_bits_2(void **state)
{
    (void)state;
    for (size_t m = 0; m < sizeof models / sizeof *models; m++) {
        Unpacked u;
        Direct d;
        unpacked_create(&u, models[m].file, models[m].model, 2, false);
        direct_begin(&d, models[m].file, models[m].model);
        Fmi2Component c = instantiate_2(&u, FMI2_CO_SIMULATION);
        initialize_2(&u, c, 0.0);
        const int count = saltus_model_variable_count(d.model);
        Fmi2Reference *references = calloc((size_t)count + 1, sizeof *references);
        double *values = calloc((size_t)count + 1, sizeof *values);
        for (int i = 0; i < count; i++)
            references[i] = unpacked_reference(&u, saltus_model_variable_name(d.model, i));
        for (int k = 0; k <= STEPS; k++) {
            assert_int_equal(saltus_run_outputs(d.run, d.y), 0);
            assert_int_equal(u.binary.fmi2.GetReal(c, references, (size_t)count, values), FMI2_OK);
            for (int i = 0; i < count; i++)
                check_same(models[m].file, saltus_model_variable_name(d.model, i), values[i],
                           d.y[i]);
            const double t = saltus_run_time(d.run), step = d.stop_time / STEPS;
            const SaltusStatus status = saltus_run_advance(d.run, t + step);
            assert_true(status >= 0);
            assert_int_equal(u.binary.fmi2.DoStep(c, t, step, 1), FMI2_OK);
        }
        assert_int_equal(u.binary.fmi2.Terminate(c), FMI2_OK);
        u.binary.fmi2.FreeInstance(c);
        free(references);
        free(values);
        direct_end(&d);
        unpacked_end(&u);
    }
}

static void same_bits_3(void **state)
{
    (void)state;
    for (size_t m = 0; m < 6; m++) {
        Unpacked u;
        Direct d;
        unpacked_create(&u, models[m].file, models[m].model, 3, false);
        direct_begin(&d, models[m].file, models[m].model);
        const Fmi3Table *f = &u.binary.fmi3;
        Fmi3Instance i = f->InstantiateCoSimulation("test", u.token, u.resources, false, false,
                                                    false, false, NULL, 0, NULL, NULL, NULL);
        assert_non_null(i);
        assert_int_equal(f->EnterInitializationMode(i, false, 0.0, 0.0, false, 0.0), FMI3_OK);
        assert_int_equal(f->ExitInitializationMode(i), FMI3_OK);
        for (int k = 0; k < STEPS; k++) {
            bool needs_event, terminate, is_early;
            double last;
            const double t = saltus_run_time(d.run), step = d.stop_time / STEPS;
            assert_true(saltus_run_advance(d.run, t + step) >= 0);
            assert_int_equal(
                f->DoStep(i, t, step, true, &needs_event, &terminate, &is_early, &last), FMI3_OK);
            assert_false(is_early || needs_event || terminate);
            assert_true(last == t + step);
        }
        // Of aliases the first is among the variables, so not all of these have references.
        assert_int_equal(saltus_run_outputs(d.run, d.y), 0);
        int found = 0;
        for (int v = 0; v < saltus_model_variable_count(d.model); v++) {
            const char *name = saltus_model_variable_name(d.model, v);
            char pattern[200];
            snprintf(pattern, sizeof pattern, "name=\"%s\" valueReference=\"", name);
            if (!strstr(u.description, pattern))
                continue;
            check_same(models[m].file, name, get_3(&u, i, name), d.y[v]);
            found++;
        }
        assert_true(found > 0);
        f->FreeInstance(i);
        direct_end(&d);
        unpacked_end(&u);
    }
}

// Communication points that are one rounding behind time events, as 27 times 2e-5 is behind 5.4e-4:
// the last step is at the resolution of time, and nothing crosses in it.
static void points_beside_time_events(void **state)
{
    (void)state;
    for (int n = 500; n <= 1000; n *= 2) {
        Direct d;
        direct_begin(&d, "examples/BuckConverter.mo", NULL);
        double t = 0.0;
        for (int k = 0; k < n; k++) {
            t += d.stop_time / n;
            if (saltus_run_advance(d.run, t) < 0)
                fail_msg("%s", saltus_run_error(d.run)->message);
        }
        const SaltusStatistics counts = saltus_run_statistics(d.run);
        assert_int_equal(counts.events, 0);
        assert_in_range(counts.time_events, 400, 401);
        direct_end(&d);
    }
}

// ---------------------------------------------------------------------------
// Events inside of steps
// ---------------------------------------------------------------------------

// The fall is a parabola, which the method solves without an error: t_1 = sqrt(2 h / g), then
// intervals that shrink by c.
static void early_return(void **state)
{
    (void)state;
    Unpacked u;
    unpacked_create(&u, "examples/BouncingBall.mo", NULL, 3, false);
    const Fmi3Table *f = &u.binary.fmi3;
    Fmi3Instance i = f->InstantiateCoSimulation("ball", u.token, u.resources, false, false, true,
                                                true, NULL, 0, NULL, NULL, NULL);
    assert_non_null(i);
    assert_int_equal(f->EnterInitializationMode(i, false, 0.0, 0.0, true, 2.0), FMI3_OK);
    assert_int_equal(f->ExitInitializationMode(i), FMI3_OK);
    double t = 0.0, bounce = sqrt(2.0 / 9.81), flight = 2.0 * bounce * 0.8;
    int bounces = 0;
    while (t < 2.0) {
        bool needs_event, terminate, is_early, again, nominals, states, has_next;
        double last, next;
        assert_int_equal(f->DoStep(i, t, 2.0 - t, true, &needs_event, &terminate, &is_early, &last),
                         FMI3_OK);
        assert_true(is_early == (last < 2.0));
        assert_true(needs_event == is_early);
        t = last;
        if (!needs_event)
            break;
        check_near(t, bounce, 1e-14);
        bounce += flight;
        flight *= 0.8;
        bounces++;
        assert_int_equal(f->EnterEventMode(i), FMI3_OK);
        assert_int_equal(
            f->UpdateDiscreteStates(i, &again, &terminate, &nominals, &states, &has_next, &next),
            FMI3_OK);
        assert_false(again || terminate || has_next);
        assert_int_equal(f->EnterStepMode(i), FMI3_OK);
    }
    assert_int_equal(bounces, 3);
    assert_true(bounce > 2.0);
    f->FreeInstance(i);
    unpacked_end(&u);
}

typedef struct Watch {
    const Unpacked *u;
    Fmi3Instance instance;
    int calls;
    double latest, stop_at, h;
} Watch;

static void watch(void *environment, double time, bool are_inputs_requested, bool can_be_read,
                  bool is_step_finished, bool can_return_early, bool *is_return_requested,
                  double *return_time)
{
    Watch *w = environment;
    (void)are_inputs_requested, (void)is_step_finished;
    assert_true(can_be_read && can_return_early);
    assert_true(time > w->latest);
    w->latest = time;
    w->calls++;
    w->h = get_3(w->u, w->instance, "h");
    *is_return_requested = time >= w->stop_at;
    *return_time = time;
}

// h = 1 - g t^2 / 2 until the first bounce, at every accepted step.
static void intermediate_update(void **state)
{
    (void)state;
    Unpacked u;
    unpacked_create(&u, "examples/BouncingBall.mo", NULL, 3, false);
    const Fmi3Table *f = &u.binary.fmi3;
    Watch w = {.u = &u, .stop_at = 0.2};
    const Fmi3Reference h = unpacked_reference(&u, "h");
    w.instance = f->InstantiateCoSimulation("ball", u.token, u.resources, false, false, false, true,
                                            &h, 1, &w, NULL, watch);
    assert_non_null(w.instance);
    assert_int_equal(f->EnterInitializationMode(w.instance, false, 0.0, 0.0, true, 2.0), FMI3_OK);
    assert_int_equal(f->ExitInitializationMode(w.instance), FMI3_OK);
    bool needs_event, terminate, is_early;
    double last;
    assert_int_equal(
        f->DoStep(w.instance, 0.0, 0.4, true, &needs_event, &terminate, &is_early, &last), FMI3_OK);
    assert_true(w.calls > 0 && is_early && last == w.latest && last >= 0.2 && last < 0.4);
    check_near(w.h, 1.0 - 9.81 * last * last / 2.0, 1e-14);
    f->FreeInstance(w.instance);
    unpacked_end(&u);
}

// ---------------------------------------------------------------------------
// Values that are set
// ---------------------------------------------------------------------------

// A file of its own, to be removed.
static void write_model(char path[64], const char *text)
{
    snprintf(path, 64, "/tmp/saltus-fmu-test-%ld.mo", (long)getpid());
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static const char lag_text[] = "model Lag\n"
                               "  parameter Real T = 2;\n"
                               "  final parameter Real rate = 1 / T;\n"
                               "  input Real u(start = 0);\n"
                               "  input Boolean hold(start = false);\n"
                               "  output Real y(start = 1, fixed = true);\n"
                               "  Real w = u;\n"
                               "equation\n"
                               "  der(y) = if hold then 0 else rate * (u - y);\n"
                               "end Lag;\n";

// y' = (u - y) / T: y = u + (y0 - u) exp(-t / T). Bounds are a thousand times the tolerance 1e-10.
static void inputs(void **state)
{
    (void)state;
    Unpacked u;
    char path[64];
    write_model(path, lag_text);
    unpacked_create(&u, path, NULL, 2, false);
    remove(path);
    const Fmi2Table *f = &u.binary.fmi2;
    Fmi2Component c = instantiate_2(&u, FMI2_CO_SIMULATION);
    assert_int_equal(set_2(&u, c, "T", 0.5), FMI2_OK);
    assert_int_equal(set_2(&u, c, "y", 3.0), FMI2_OK);
    assert_int_equal(set_2(&u, c, "u", 1.0), FMI2_OK);
    initialize_2(&u, c, 1e-10);
    check_near(get_2(&u, c, "y"), 3.0, 0.0);
    check_near(get_2(&u, c, "rate"), 2.0, 0.0);
    assert_int_equal(f->DoStep(c, 0.0, 1.0, 1), FMI2_OK);
    double y = 1.0 + 2.0 * exp(-2.0);
    check_near(get_2(&u, c, "y"), y, 1e-7);
    // What depends on an input directly follows without a step.
    assert_int_equal(set_2(&u, c, "u", -1.0), FMI2_OK);
    check_near(get_2(&u, c, "w"), -1.0, 0.0);
    assert_int_equal(f->DoStep(c, 1.0, 1.0, 1), FMI2_OK);
    y = -1.0 + (y + 1.0) * exp(-2.0);
    check_near(get_2(&u, c, "y"), y, 1e-7);
    // A ramp u = -1 + 3 s: y - u + 3 T decays.
    const Fmi2Reference vr = unpacked_reference(&u, "u");
    const int order = 1;
    const double slope = 3.0;
    assert_int_equal(set_2(&u, c, "u", -1.0), FMI2_OK);
    assert_int_equal(f->SetRealInputDerivatives(c, &vr, 1, &order, &slope), FMI2_OK);
    assert_int_equal(f->DoStep(c, 2.0, 1.0, 1), FMI2_OK);
    y = 2.0 - 1.5 + (y + 1.0 + 1.5) * exp(-2.0);
    check_near(get_2(&u, c, "w"), 2.0, 1e-12);
    check_near(get_2(&u, c, "y"), y, 1e-7);
    // A parameter in the run, and what depends on it; a Boolean input.
    assert_int_equal(set_2(&u, c, "u", 0.0), FMI2_OK);
    assert_int_equal(set_2(&u, c, "T", 4.0), FMI2_OK);
    assert_int_equal(f->DoStep(c, 3.0, 1.0, 1), FMI2_OK);
    y *= exp(-0.25);
    check_near(get_2(&u, c, "rate"), 0.25, 0.0);
    check_near(get_2(&u, c, "y"), y, 1e-7);
    const Fmi2Reference hold = unpacked_reference(&u, "hold");
    const Fmi2Boolean yes = 1;
    assert_int_equal(f->SetBoolean(c, &hold, 1, &yes), FMI2_OK);
    assert_int_equal(f->DoStep(c, 4.0, 1.0, 1), FMI2_OK);
    check_near(get_2(&u, c, "y"), y, 1e-7);
    // All of it again.
    assert_int_equal(f->Reset(c), FMI2_OK);
    initialize_2(&u, c, 1e-10);
    assert_int_equal(f->DoStep(c, 0.0, 1.0, 1), FMI2_OK);
    check_near(get_2(&u, c, "y"), exp(-0.5), 1e-7);
    f->FreeInstance(c);
    unpacked_end(&u);
}

static void refusals(void **state)
{
    (void)state;
    Unpacked u;
    unpacked_create(&u, "examples/BouncingBall.mo", NULL, 2, false);
    const Fmi2Table *f = &u.binary.fmi2;
    int messages = 0;
    const Fmi2Callbacks counting = {.logger = log_2, .environment = &messages};
    assert_null(f->Instantiate("x", FMI2_CO_SIMULATION, "another", u.location, &counting, 0, 1));
    assert_int_equal(messages, 1);
    assert_null(
        f->Instantiate("x", FMI2_CO_SIMULATION, u.token, "file:///nowhere", &counting, 0, 1));
    assert_int_equal(messages, 2);
    Fmi2Component c = f->Instantiate("x", FMI2_CO_SIMULATION, u.token, u.location, &counting, 0, 1);
    assert_non_null(c);
    assert_int_equal(f->DoStep(c, 0.0, 1.0, 1), FMI2_ERROR);
    assert_int_equal(f->ExitInitializationMode(c), FMI2_ERROR);
    initialize_2(&u, c, 0.0);
    assert_int_equal(set_2(&u, c, "h", 2.0), FMI2_ERROR); // the initialization is over
    const int before = messages;
    const Fmi2Reference nowhere = 1000000;
    double value = 0.0;
    assert_int_equal(f->GetReal(c, &nowhere, 1, &value), FMI2_ERROR);
    assert_int_equal(f->SetReal(c, &nowhere, 1, &value), FMI2_ERROR);
    assert_int_equal(f->DoStep(c, 1.0, 1.0, 1), FMI2_ERROR); // it is at 0
    assert_int_equal(messages, before + 3);
    assert_int_equal(f->DoStep(c, 0.0, 1.0, 1), FMI2_OK); // nothing of that did harm
    f->FreeInstance(c);
    unpacked_end(&u);
}

// ---------------------------------------------------------------------------
// States that are kept
// ---------------------------------------------------------------------------

// From a kept state everything happens again, with the same bits, in another mode, too.
static void kept_states(void **state)
{
    (void)state;
    Unpacked u;
    unpacked_create(&u, "modes/CupAndBall.mo", NULL, 2, false);
    const Fmi2Table *f = &u.binary.fmi2;
    Fmi2Component c = instantiate_2(&u, FMI2_CO_SIMULATION);
    Fmi2Component other = instantiate_2(&u, FMI2_CO_SIMULATION);
    Fmi2State kept = NULL;
    double first[20];
    initialize_2(&u, c, 0.0);
    initialize_2(&u, other, 0.0);
    assert_int_equal(f->DoStep(c, 0.0, 0.5, 1), FMI2_OK);
    assert_int_equal(f->DoStep(other, 0.0, 0.25, 1), FMI2_OK);
    assert_int_equal(f->GetFMUstate(c, &kept), FMI2_OK);
    for (int round = 0; round < 3; round++) {
        for (int k = 0; k < 20; k++) {
            assert_int_equal(f->DoStep(c, 0.5 + 0.0625 * k, 0.0625, 0), FMI2_OK);
            const double x = get_2(&u, c, "x");
            if (round == 0)
                first[k] = x;
            assert_true(x == first[k]);
        }
        assert_int_equal(f->SetFMUstate(c, kept), FMI2_OK);
        check_near(get_2(&u, c, "time"), 0.5, 0.0);
    }
    // A state that was kept may be written over, and outlives a reset.
    assert_int_equal(f->DoStep(c, 0.5, 0.25, 1), FMI2_OK);
    assert_int_equal(f->GetFMUstate(c, &kept), FMI2_OK);
    const double x = get_2(&u, c, "x");
    assert_int_equal(f->Reset(c), FMI2_OK);
    initialize_2(&u, c, 0.0);
    check_near(get_2(&u, c, "time"), 0.0, 0.0);
    assert_int_equal(f->SetFMUstate(c, kept), FMI2_OK);
    assert_true(get_2(&u, c, "x") == x);
    check_near(get_2(&u, other, "time"), 0.25, 0.0);
    assert_int_equal(f->FreeFMUstate(c, &kept), FMI2_OK);
    assert_null(kept);
    f->FreeInstance(c);
    f->FreeInstance(other);
    unpacked_end(&u);
}

// What an importer leaves out, a state, a category, the name of the instance, is refused or
// ignored.
static void what_is_left_out(void **state)
{
    (void)state;
    Unpacked u;
    unpacked_create(&u, "modes/CupAndBall.mo", NULL, 2, false);
    const Fmi2Table *f = &u.binary.fmi2;
    Fmi2Component c = instantiate_2(&u, FMI2_CO_SIMULATION);
    const Fmi2String categories[] = {NULL, "logStatusError"};
    size_t size = 1;
    char byte;
    initialize_2(&u, c, 0.0);
    assert_int_equal(f->SetDebugLogging(c, 1, 2, categories), FMI2_OK);
    assert_int_equal(f->SetFMUstate(c, NULL), FMI2_ERROR);
    assert_int_equal(f->SerializedFMUstateSize(c, NULL, &size), FMI2_ERROR);
    assert_int_equal(size, 0);
    assert_int_equal(f->SerializeFMUstate(c, NULL, &byte, 1), FMI2_ERROR);
    assert_int_equal(f->DoStep(c, 0.0, 0.5, 1), FMI2_OK);
    f->FreeInstance(c);
    f->FreeInstance(NULL);
    unpacked_end(&u);
}

// ---------------------------------------------------------------------------
// States as bytes
// ---------------------------------------------------------------------------

// All Reals of the description, by their references.
static int read_all(const Unpacked *u, void *c, int version, double *values)
{
    int count = 0;
    double value;
    for (unsigned vr = 0; vr < 200; vr++) {
        const bool is_fine = version == 3
                                 ? u->binary.fmi3.GetFloat64(c, &vr, 1, &value, 1) == FMI3_OK
                                 : u->binary.fmi2.GetReal(c, &vr, 1, &value) == FMI2_OK;
        if (is_fine)
            values[count++] = value;
    }
    return count;
}

static void step_all(const Unpacked *u, void *c, int version, int from, int to)
{
    bool needs_event, has_ended, is_early;
    double last;
    for (int k = from; k < to; k++) {
        if (version == 3)
            assert_int_equal(u->binary.fmi3.DoStep(c, 0.125 * k, 0.125, false, &needs_event,
                                                   &has_ended, &is_early, &last),
                             FMI3_OK);
        else
            assert_int_equal(u->binary.fmi2.DoStep(c, 0.125 * k, 0.125, 0), FMI2_OK);
    }
}

static void *make(const Unpacked *u, int version, bool is_initialized)
{
    if (version == 3) {
        Fmi3Instance i = u->binary.fmi3.InstantiateCoSimulation(
            "test", u->token, u->resources, false, false, false, false, NULL, 0, NULL, NULL, NULL);
        assert_non_null(i);
        if (is_initialized) {
            assert_int_equal(u->binary.fmi3.EnterInitializationMode(i, true, 1e-8, 0.0, false, 0.0),
                             FMI3_OK);
            assert_int_equal(u->binary.fmi3.ExitInitializationMode(i), FMI3_OK);
        }
        return i;
    }
    Fmi2Component c = instantiate_2(u, FMI2_CO_SIMULATION);
    if (is_initialized)
        initialize_2(u, c, 1e-8);
    return c;
}

// The bytes of the state that the instance is in; to be freed.
static char *take_bytes(const Unpacked *u, void *c, int version, size_t *size)
{
    void *kept = NULL;
    char *bytes = NULL;
    if (version == 3) {
        const Fmi3Table *f = &u->binary.fmi3;
        assert_int_equal(f->GetFMUState(c, &kept), FMI3_OK);
        assert_int_equal(f->SerializedFMUStateSize(c, kept, size), FMI3_OK);
        assert_non_null(bytes = malloc(*size));
        assert_int_equal(f->SerializeFMUState(c, kept, (uint8_t *)bytes, *size), FMI3_OK);
        assert_int_equal(f->FreeFMUState(c, &kept), FMI3_OK);
        return bytes;
    }
    const Fmi2Table *f = &u->binary.fmi2;
    assert_int_equal(f->GetFMUstate(c, &kept), FMI2_OK);
    assert_int_equal(f->SerializedFMUstateSize(c, kept, size), FMI2_OK);
    assert_non_null(bytes = malloc(*size));
    assert_int_equal(f->SerializeFMUstate(c, kept, bytes, *size), FMI2_OK);
    assert_int_equal(f->FreeFMUstate(c, &kept), FMI2_OK);
    return bytes;
}

static void put_bytes(const Unpacked *u, void *c, int version, const char *bytes, size_t size)
{
    void *kept = NULL;
    if (version == 3) {
        const Fmi3Table *f = &u->binary.fmi3;
        assert_int_equal(f->DeserializeFMUState(c, (const uint8_t *)bytes, size, &kept), FMI3_OK);
        assert_int_equal(f->SetFMUState(c, kept), FMI3_OK);
        assert_int_equal(f->FreeFMUState(c, &kept), FMI3_OK);
        return;
    }
    const Fmi2Table *f = &u->binary.fmi2;
    assert_int_equal(f->DeSerializeFMUstate(c, bytes, size, &kept), FMI2_OK);
    assert_int_equal(f->SetFMUstate(c, kept), FMI2_OK);
    assert_int_equal(f->FreeFMUstate(c, &kept), FMI2_OK);
}

// Written in the midst of a run, read by an instance that has done nothing yet: it goes on with the
// same bits. Read by one that is elsewhere, it leaves that where it is until it is set.
static void check_bytes(const char *file, const char *model, int version, bool has_past)
{
    enum { BEFORE = 9, AFTER = 16, MOST_VALUES = 200 };
    Unpacked u;
    static double expected[MOST_VALUES], found[MOST_VALUES];
    size_t size, again;
    unpacked_create(&u, file, model, version, false);
    void *a = make(&u, version, true), *b = make(&u, version, false);
    step_all(&u, a, version, 0, BEFORE);
    char *bytes = take_bytes(&u, a, version, &size);
    step_all(&u, a, version, BEFORE, AFTER);
    const int count = read_all(&u, a, version, expected);
    put_bytes(&u, b, version, bytes, size);
    step_all(&u, b, version, BEFORE, AFTER);
    assert_int_equal(read_all(&u, b, version, found), count);
    for (int k = 0; k < count; k++)
        check_same(file, "a variable", found[k], expected[k]);
    // Bytes of what was read from bytes, after more steps.
    char *more = take_bytes(&u, b, version, &again);
    if (has_past)
        assert_true(again > size);
    put_bytes(&u, a, version, bytes, size);
    put_bytes(&u, a, version, more, again);
    assert_int_equal(read_all(&u, a, version, found), count);
    for (int k = 0; k < count; k++)
        check_same(file, "a variable", found[k], expected[k]);
    free(bytes);
    free(more);
    if (version == 3) {
        u.binary.fmi3.FreeInstance(a);
        u.binary.fmi3.FreeInstance(b);
    } else {
        u.binary.fmi2.FreeInstance(a);
        u.binary.fmi2.FreeInstance(b);
    }
    unpacked_end(&u);
}

static void states_as_bytes(void **state)
{
    (void)state;
    for (size_t m = 0; m < sizeof models / sizeof *models; m++)
        check_bytes(models[m].file, models[m].model, m % 2 ? 3 : 2, false);
}

// A delay has a past: the bytes are what was done. States that are chosen anew on the way, and a
// relation that slides, are in the bytes of the mode; an if-equation that needs no mode is not.
static void bytes_of_other_models(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool has_past;
    } cases[] = {
        {"model M Real x(start = 1, fixed = true); equation der(x) = -delay(x, 0.3); end M;", true},
        {"model M Real x(start = 0.6, fixed = true), y(start = 0.8); equation x^2 + y^2 = 1; "
         "x*der(y) - y*der(x) = 4; end M;",
         false},
        {"model M Real x(start = 0.3, fixed = true), y(start = 0, fixed = true); equation "
         "der(x) = if x > 0 then -1 else 1; der(y) = x + cos(time); end M;",
         false},
        {"model M Real x(start = 1, fixed = true), y; equation der(x) = y - sin(time); "
         "if x > 0.5 then y = -x; else y = x - 1; end if; end M;",
         false},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char path[64];
        snprintf(path, sizeof path, "/tmp/saltus-fmu-bytes-%ld.mo", (long)getpid());
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        fputs(cases[k].text, file);
        assert_int_equal(fclose(file), 0);
        check_bytes(path, "M", 2, cases[k].has_past);
        remove(path);
    }
}

// However long the run was.
static void bytes_do_not_grow(void **state)
{
    (void)state;
    Unpacked u;
    size_t size[2];
    unpacked_create(&u, "examples/SampledServo.mo", NULL, 2, false);
    void *c = make(&u, 2, true);
    step_all(&u, c, 2, 0, 40);
    free(take_bytes(&u, c, 2, &size[0]));
    step_all(&u, c, 2, 40, 2000);
    free(take_bytes(&u, c, 2, &size[1]));
    assert_int_equal(size[0], size[1]);
    u.binary.fmi2.FreeInstance(c);
    unpacked_end(&u);
}

// What was set and has not taken effect yet, and inputs with rates, are in the bytes; damaged bytes
// are refused, whatever is wrong with them. The same of a model with a past.
static void check_bytes_of_inputs(const char *text)
{
    Unpacked u;
    char path[64];
    write_model(path, text);
    unpacked_create(&u, path, NULL, 2, false);
    remove(path);
    const Fmi2Table *f = &u.binary.fmi2;
    Fmi2Component a = instantiate_2(&u, FMI2_CO_SIMULATION);
    Fmi2Component b = instantiate_2(&u, FMI2_CO_SIMULATION);
    assert_int_equal(set_2(&u, a, "T", 0.5), FMI2_OK);
    initialize_2(&u, a, 1e-8);
    assert_int_equal(set_2(&u, a, "u", 1.0), FMI2_OK);
    const Fmi2Reference vr = unpacked_reference(&u, "u");
    const int order = 1;
    const double rate = 0.25;
    assert_int_equal(f->SetRealInputDerivatives(a, &vr, 1, &order, &rate), FMI2_OK);
    assert_int_equal(f->DoStep(a, 0.0, 0.5, 0), FMI2_OK);
    assert_int_equal(set_2(&u, a, "u", -2.0), FMI2_OK);
    size_t size;
    char *bytes = take_bytes(&u, a, 2, &size);
    put_bytes(&u, b, 2, bytes, size);
    assert_int_equal(f->DoStep(a, 0.5, 0.5, 0), FMI2_OK);
    assert_int_equal(f->DoStep(b, 0.5, 0.5, 0), FMI2_OK);
    check_near(get_2(&u, b, "y"), get_2(&u, a, "y"), 0.0);
    check_near(get_2(&u, b, "u"), -2.0, 0.0);
    void *kept = NULL;
    for (size_t k = 0; k < size; k++) { // each length
        assert_int_equal(f->DeSerializeFMUstate(b, bytes, k, &kept), FMI2_ERROR);
        assert_null(kept);
    }
    for (size_t k = 0; k < size; k++) { // each byte
        bytes[k] = (char)(bytes[k] ^ 0x55);
        const bool is_padding = k >= 52 && k < 56; // after the token
        if (!is_padding)
            assert_int_equal(f->DeSerializeFMUstate(b, bytes, size, &kept), FMI2_ERROR);
        assert_null(kept);
        bytes[k] = (char)(bytes[k] ^ 0x55);
    }
    check_near(get_2(&u, b, "y"), get_2(&u, a, "y"), 0.0); // it is where it was
    free(bytes);
    f->FreeInstance(a);
    f->FreeInstance(b);
    unpacked_end(&u);
}

static const char delayed_text[] = "model Delayed\n"
                                   "  parameter Real T = 2;\n"
                                   "  input Real u(start = 0);\n"
                                   "  output Real y(start = 1, fixed = true);\n"
                                   "equation\n"
                                   "  der(y) = (u - delay(y, 0.2)) / T;\n"
                                   "end Delayed;\n";

static void bytes_of_inputs(void **state)
{
    (void)state;
    check_bytes_of_inputs(lag_text);
    check_bytes_of_inputs(delayed_text);
}

// What was set before the initialization, in either phase, and that a run has ended.
static void bytes_around_a_run(void **state)
{
    (void)state;
    Unpacked u;
    char path[64];
    write_model(path, delayed_text);
    unpacked_create(&u, path, NULL, 2, false);
    remove(path);
    const Fmi2Table *f = &u.binary.fmi2;
    Fmi2Component a = instantiate_2(&u, FMI2_CO_SIMULATION);
    Fmi2Component b = instantiate_2(&u, FMI2_CO_SIMULATION);
    size_t size;
    assert_int_equal(set_2(&u, a, "T", 0.5), FMI2_OK);
    char *bytes = take_bytes(&u, a, 2, &size);
    put_bytes(&u, b, 2, bytes, size);
    free(bytes);
    initialize_2(&u, b, 1e-8);
    assert_int_equal(f->DoStep(b, 0.0, 0.1, 0), FMI2_OK);
    // y' = -1/T while the past is y(0) = 1
    check_near(get_2(&u, b, "y"), 0.8, 1e-7);
    assert_int_equal(f->Reset(b), FMI2_OK);
    assert_int_equal(f->SetupExperiment(a, 1, 1e-8, 0.0, 0, 0.0), FMI2_OK);
    assert_int_equal(f->EnterInitializationMode(a), FMI2_OK);
    assert_int_equal(set_2(&u, a, "u", 1.0), FMI2_OK);
    bytes = take_bytes(&u, a, 2, &size);
    put_bytes(&u, b, 2, bytes, size);
    free(bytes);
    assert_int_equal(f->ExitInitializationMode(b), FMI2_OK);
    assert_int_equal(f->DoStep(b, 0.0, 0.1, 0), FMI2_OK);
    check_near(get_2(&u, b, "y"), 1.0, 1e-7);
    assert_int_equal(f->Terminate(b), FMI2_OK);
    bytes = take_bytes(&u, b, 2, &size);
    assert_int_equal(f->Reset(a), FMI2_OK);
    put_bytes(&u, a, 2, bytes, size);
    free(bytes);
    check_near(get_2(&u, a, "y"), get_2(&u, b, "y"), 0.0);
    assert_int_equal(f->DoStep(a, 0.1, 0.1, 0), FMI2_ERROR);
    f->FreeInstance(a);
    f->FreeInstance(b);
    unpacked_end(&u);
}

// terminate() in the model: the step is discarded, and says how far it came.
static void terminates(void **state)
{
    (void)state;
    Unpacked u;
    char path[64];
    write_model(path, "model Ending\n  Real x(start = 0, fixed = true);\nequation\n  der(x) = 1;\n"
                      "  when x > 0.3 then\n    terminate(\"far enough\");\n  end when;\n"
                      "end Ending;\n");
    unpacked_create(&u, path, NULL, 2, false);
    remove(path);
    const Fmi2Table *f = &u.binary.fmi2;
    Fmi2Component c = instantiate_2(&u, FMI2_CO_SIMULATION);
    initialize_2(&u, c, 0.0);
    assert_int_equal(f->DoStep(c, 0.0, 0.25, 1), FMI2_OK);
    assert_int_equal(f->DoStep(c, 0.25, 0.25, 1), FMI2_DISCARD);
    double last = 0.0;
    Fmi2Boolean has_ended = 0;
    assert_int_equal(f->GetRealStatus(c, FMI2_LAST_SUCCESSFUL_TIME, &last), FMI2_OK);
    assert_int_equal(f->GetBooleanStatus(c, FMI2_TERMINATED, &has_ended), FMI2_OK);
    check_near(last, 0.3, 1e-12);
    assert_int_equal(has_ended, 1);
    f->FreeInstance(c);
    unpacked_end(&u);
}

// Each message with its category, one after the other.
static void log_texts(void *environment, Fmi2String instance, Fmi2Status status,
                      Fmi2String category, Fmi2String message, ...)
{
    (void)instance, (void)status;
    enum { ROOM = 2000 };
    char *texts = environment;
    va_list arguments;
    va_start(arguments, message);
    snprintf(texts + strlen(texts), ROOM - strlen(texts), "%s: ", category);
    vsnprintf(texts + strlen(texts), ROOM - strlen(texts), message, arguments);
    snprintf(texts + strlen(texts), ROOM - strlen(texts), "\n");
    va_end(arguments);
}

// What a model warns of and prints reaches the importer, once, in the step in which it happens.
static void tells(void **state)
{
    (void)state;
    Unpacked u;
    char path[64], model[2000], dots[601], texts[2000] = "";
    const Fmi2Callbacks callbacks = {.logger = log_texts, .environment = texts};
    const char *categories[] = {"logStatusWarning", "logEvents"};
    memset(dots, '.', sizeof dots - 1);
    dots[sizeof dots - 1] = '\0';
    snprintf(model, sizeof model,
             "model Telling\n  impure function say input String text;\n"
             "  input String file = \"\"; external \"C\"\n"
             "  ModelicaInternal_print(text, file); end say;\n"
             "  Real x(start = 0, fixed = true);\nequation\n  der(x) = 1;\n"
             "  when x > 0.3 then\n    say(\"a third\");\n  end when;\n"
             "  assert(x < 0.6, \"too%sfar\", AssertionLevel.warning);\nend Telling;\n",
             dots);
    write_model(path, model);
    unpacked_create(&u, path, NULL, 2, false);
    remove(path);
    const Fmi2Table *f = &u.binary.fmi2;
    Fmi2Component c =
        f->Instantiate("test", FMI2_CO_SIMULATION, u.token, u.location, &callbacks, 0, 0);
    assert_non_null(c);
    assert_int_equal(f->SetDebugLogging(c, 1, 2, categories), FMI2_OK);
    initialize_2(&u, c, 0.0);
    assert_int_equal(f->DoStep(c, 0.0, 0.25, 1), FMI2_OK);
    assert_null(strstr(texts, "a third"));
    assert_int_equal(f->DoStep(c, 0.25, 0.25, 1), FMI2_OK);
    assert_non_null(strstr(texts, "logEvents: a third\n"));
    assert_null(strstr(texts, "too"));
    assert_int_equal(f->DoStep(c, 0.5, 0.25, 1), FMI2_OK);
    const char *warning = strstr(texts, "logStatusWarning: from t = 0.6 on: ");
    assert_non_null(warning);
    assert_non_null(strstr(warning, "too.."));
    assert_non_null(strstr(warning, dots)); // any length
    assert_non_null(strstr(warning, "..far"));
    assert_int_equal(f->DoStep(c, 0.75, 0.25, 1), FMI2_OK);
    assert_null(strstr(warning + 1, "logStatusWarning"));
    assert_null(strstr(strstr(texts, "a third") + 1, "a third"));
    f->FreeInstance(c);
    unpacked_end(&u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_bits_2),
        cmocka_unit_test(same_bits_3),
        cmocka_unit_test(points_beside_time_events),
        cmocka_unit_test(early_return),
        cmocka_unit_test(intermediate_update),
        cmocka_unit_test(inputs),
        cmocka_unit_test(refusals),
        cmocka_unit_test(kept_states),
        cmocka_unit_test(what_is_left_out),
        cmocka_unit_test(states_as_bytes),
        cmocka_unit_test(bytes_of_other_models),
        cmocka_unit_test(bytes_do_not_grow),
        cmocka_unit_test(bytes_of_inputs),
        cmocka_unit_test(bytes_around_a_run),
        cmocka_unit_test(terminates),
        cmocka_unit_test(tells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
