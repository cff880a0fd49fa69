// SPDX-License-Identifier: MIT
//
// Exported FMUs in model exchange, integrated here by the classical Runge-Kutta method with events
// found by halving: compared with closed forms.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/message.h"
#include "unpacked.h"

#include "fmi/export.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 8 };

static void check_near(double value, double expected, double bound)
{
    if (!(fabs(value - expected) <= bound))
        fail_msg("%.17g is not %.17g", value, expected);
}

static void log_nothing(void *environment, Fmi2String instance, Fmi2Status status,
                        Fmi2String category, Fmi2String message, ...)
{
    (void)environment, (void)instance, (void)status, (void)category, (void)message;
}

// An importer.
typedef struct Importer {
    Unpacked u;
    const Fmi2Table *f;
    Fmi2Component c;
    size_t states, indicators;
    double t, x[MOST], h[MOST], next_time;
    void (*input)(struct Importer *importer, double t); // before each evaluation; NULL: none
    Fmi2Reference input_reference;
    int state_events, time_events, step_events;
    double event_times[64];
    bool states_changed; // by the last update
} Importer;

static void derivatives(Importer *i, double t, const double *x, double *dx)
{
    assert_int_equal(i->f->SetTime(i->c, t), FMI2_OK);
    assert_int_equal(i->f->SetContinuousStates(i->c, x, i->states), FMI2_OK);
    if (i->input)
        i->input(i, t);
    assert_int_equal(i->f->GetDerivatives(i->c, dx, i->states), FMI2_OK);
}

// From where the importer is, over a step.
static void runge_kutta(Importer *i, double step, double *x)
{
    static const double c[] = {0.0, 0.5, 0.5, 1.0}, b[] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    double k[4][MOST], at[MOST];
    for (int s = 0; s < 4; s++) {
        for (size_t n = 0; n < i->states; n++)
            at[n] = i->x[n] + (s > 0 ? c[s] * step * k[s - 1][n] : 0.0);
        derivatives(i, i->t + c[s] * step, at, k[s]);
    }
    for (size_t n = 0; n < i->states; n++) {
        x[n] = i->x[n];
        for (int s = 0; s < 4; s++)
            x[n] += b[s] * step * k[s][n];
    }
}

static bool changes_sign(Importer *i, double t, const double *x)
{
    double h[MOST];
    assert_int_equal(i->f->SetTime(i->c, t), FMI2_OK);
    assert_int_equal(i->f->SetContinuousStates(i->c, x, i->states), FMI2_OK);
    if (i->input)
        i->input(i, t);
    assert_int_equal(i->f->GetEventIndicators(i->c, h, i->indicators), FMI2_OK);
    bool is_other = false;
    for (size_t n = 0; n < i->indicators; n++)
        is_other |= (h[n] > 0.0) != (i->h[n] > 0.0);
    return is_other;
}

static void update(Importer *i)
{
    Fmi2EventInfo info = {.new_discrete_states_needed = 1};
    while (info.new_discrete_states_needed)
        assert_int_equal(i->f->NewDiscreteStates(i->c, &info), FMI2_OK);
    i->next_time = info.next_event_time_defined ? info.next_event_time : INFINITY;
    i->states_changed = info.states_changed;
    assert_int_equal(i->f->EnterContinuousTimeMode(i->c), FMI2_OK);
    assert_int_equal(i->f->GetContinuousStates(i->c, i->x, i->states), FMI2_OK);
    assert_int_equal(i->f->GetEventIndicators(i->c, i->h, i->indicators), FMI2_OK);
}

static void begin(Importer *i, const char *file, size_t states, size_t indicators)
{
    static const Fmi2Callbacks callbacks = {.logger = log_nothing};
    unpacked_create(&i->u, file, NULL, 2, true);
    i->f = &i->u.binary.fmi2;
    i->states = states;
    i->indicators = indicators;
    char expected[64];
    snprintf(expected, sizeof expected, "numberOfEventIndicators=\"%zu\"", indicators);
    assert_non_null(strstr(i->u.description, expected));
    i->c =
        i->f->Instantiate("test", FMI2_MODEL_EXCHANGE, i->u.token, i->u.location, &callbacks, 0, 0);
    assert_non_null(i->c);
    assert_int_equal(i->f->SetupExperiment(i->c, 0, 0.0, 0.0, 0, 0.0), FMI2_OK);
    assert_int_equal(i->f->EnterInitializationMode(i->c), FMI2_OK);
    assert_int_equal(i->f->ExitInitializationMode(i->c), FMI2_OK);
    update(i);
}

static void end(Importer *i)
{
    assert_int_equal(i->f->Terminate(i->c), FMI2_OK);
    i->f->FreeInstance(i->c);
    unpacked_end(&i->u);
}

static void one_step(Importer *i, double step)
{
    double x[MOST];
    runge_kutta(i, step, x);
    const bool is_event = changes_sign(i, i->t + step, x);
    if (is_event) {
        double low = 0.0;
        while (step - low > 1e-15) {
            const double middle = 0.5 * (low + step);
            runge_kutta(i, middle, x);
            *(changes_sign(i, i->t + middle, x) ? &step : &low) = middle;
            if (0.5 * (low + step) <= low || 0.5 * (low + step) >= step)
                break;
        }
        runge_kutta(i, step, x);
        changes_sign(i, i->t + step, x);
    }
    i->t += step;
    memcpy(i->x, x, sizeof x);
    Fmi2Boolean enter, terminate;
    assert_int_equal(i->f->CompletedIntegratorStep(i->c, 1, &enter, &terminate), FMI2_OK);
    const bool is_time = i->t >= i->next_time;
    if (is_event)
        i->event_times[i->state_events++] = i->t;
    i->time_events += is_time;
    i->step_events += enter;
    if (is_event || is_time || enter) {
        assert_int_equal(i->f->EnterEventMode(i->c), FMI2_OK);
        update(i);
    } else {
        assert_int_equal(i->f->GetEventIndicators(i->c, i->h, i->indicators), FMI2_OK);
    }
}

static void integrate(Importer *i, double stop_time, double step)
{
    while (i->t < stop_time) {
        const double to = fmin(fmin(i->t + step, i->next_time), stop_time);
        one_step(i, to - i->t);
        if (fabs(i->t - to) < 1e-14)
            i->t = to;
    }
}

static double get(Importer *i, const char *name)
{
    const Fmi2Reference vr = unpacked_reference(&i->u, name);
    double value;
    assert_int_equal(i->f->GetReal(i->c, &vr, 1, &value), FMI2_OK);
    return value;
}

// Parabolas are solved without an error. t_1 = sqrt(2 h / g), intervals shrink by c = 0.8; the
// bound is that of halving, 1e-15 at each of three bounces, and some roundings.
static void bouncing_ball(void **state)
{
    (void)state;
    Importer i = {0};
    begin(&i, "examples/BouncingBall.mo", 2, 1);
    assert_int_equal(i.f->EnterEventMode(i.c), FMI2_OK);
    update(&i);
    assert_false(i.states_changed); // nothing has happened yet
    integrate(&i, 2.0, 0.01);
    assert_true(i.states_changed);
    double bounce = sqrt(2.0 / 9.81), flight = 1.6 * bounce;
    assert_int_equal(i.state_events, 3);
    for (int k = 0; k < 3; k++, flight *= 0.8) {
        check_near(i.event_times[k], bounce, 1e-13);
        bounce += flight;
    }
    check_near(get(&i, "bounces"), 3.0, 0.0);
    check_near(get(&i, "der(v)"), -9.81, 1e-14);
    check_near(get(&i, "der(h)"), get(&i, "v"), 0.0);
    check_near(get(&i, "time"), 2.0, 0.0);
    end(&i);
}

// The state in the midst of a flight, as bytes, and of an instance that has done nothing yet: the
// importer goes on with it as with the other, to the last bit.
static void bytes_of_a_flight(void **state)
{
    (void)state;
    Importer i = {0};
    static const Fmi2Callbacks callbacks = {.logger = log_nothing};
    begin(&i, "examples/BouncingBall.mo", 2, 1);
    integrate(&i, 1.5, 0.01);
    Fmi2State kept = NULL;
    size_t size;
    assert_int_equal(i.f->GetFMUstate(i.c, &kept), FMI2_OK);
    assert_int_equal(i.f->SerializedFMUstateSize(i.c, kept, &size), FMI2_OK);
    char *bytes = malloc(size);
    assert_non_null(bytes);
    assert_int_equal(i.f->SerializeFMUstate(i.c, kept, bytes, size), FMI2_OK);
    assert_int_equal(i.f->FreeFMUstate(i.c, &kept), FMI2_OK);
    Importer j = i;
    j.c = i.f->Instantiate("other", FMI2_MODEL_EXCHANGE, i.u.token, i.u.location, &callbacks, 0, 0);
    assert_non_null(j.c);
    assert_int_equal(j.f->DeSerializeFMUstate(j.c, bytes, size, &kept), FMI2_OK);
    assert_int_equal(j.f->SetFMUstate(j.c, kept), FMI2_OK);
    assert_int_equal(j.f->FreeFMUstate(j.c, &kept), FMI2_OK);
    integrate(&i, 3.0, 0.01);
    integrate(&j, 3.0, 0.01);
    assert_int_equal(j.state_events, i.state_events);
    assert_true(i.state_events > 5);
    assert_memory_equal(j.event_times, i.event_times, sizeof i.event_times);
    assert_memory_equal(j.x, i.x, 2 * sizeof *i.x);
    check_near(get(&j, "bounces"), get(&i, "bounces"), 0.0);
    j.f->FreeInstance(j.c);
    free(bytes);
    end(&i);
}

static void write_model(char path[64], const char *text)
{
    snprintf(path, 64, "/tmp/saltus-fmu-exchange-%ld.mo", (long)getpid());
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

// Which parameters an importer may set: none that is final, protected, found by the initial
// equations, or computed.
static void parameters(void **state)
{
    (void)state;
    static const char *const roles[][2] = {
        {"a", "\"parameter\" variability=\"tunable\""},
        {"b", "\"calculatedParameter\" variability=\"tunable\""},
        {"c", "\"calculatedParameter\" variability=\"tunable\""},
        {"d", "\"calculatedParameter\" variability=\"fixed\""},
        {"e", "\"calculatedParameter\" variability=\"tunable\""}};
    Unpacked u;
    char path[64], text[200];
    write_model(path,
                "model Parameters\n  parameter Real a = 1;\n"
                "  final parameter Real b = 2;\n  parameter Real d(fixed = false, start = 1);\n"
                "  parameter Real e = 2 * a;\n  Real x(start = 1, fixed = true);\nprotected\n"
                "  parameter Real c = 3;\ninitial equation\n  d^3 = a + 7;\nequation\n"
                "  der(x) = -a * b * c * d * e * x;\nend Parameters;\n");
    unpacked_create(&u, path, NULL, 2, true);
    remove(path);
    for (size_t k = 0; k < sizeof roles / sizeof *roles; k++) {
        snprintf(text, sizeof text, "name=\"%s\"", roles[k][0]);
        const char *found = strstr(u.description, text);
        assert_non_null(found);
        const char *end = strchr(found, '>');
        snprintf(text, sizeof text, "causality=%s", roles[k][1]);
        const char *role = strstr(found, text);
        if (!role || role > end)
            fail_msg("%.*s", (int)(end - found), found);
    }
    unpacked_end(&u);
}

// A table of u^2, which Akima's cubics are exactly: the derivative is 2 u. Strings, sizes and
// numbers that do not move are arguments, too; and a function that has no derivative, the time of
// the next point, does not move.
static void derivatives_of_tables(void **state)
{
    (void)state;
    Importer i = {0};
    char path[64];
    write_model(
        path, "model Tabled\n  class Curve extends ExternalObject;\n    function constructor\n"
              "      input Real table[:, :]; output Curve curve;\n"
              "      external \"C\" curve = ModelicaStandardTables_CombiTable1D_init2(\"NoName\", "
              "\"NoName\", table, size(table, 1), size(table, 2), {2}, 1, 2, 2, false);\n"
              "    end constructor;\n    function destructor\n      input Curve curve;\n"
              "      external \"C\" ModelicaStandardTables_CombiTable1D_close(curve);\n"
              "    end destructor;\n  end Curve;\n  pure function value\n    input Curve curve;\n"
              "    input Real u;\n    output Real y;\n"
              "    external \"C\" y = ModelicaStandardTables_CombiTable1D_getValue(curve, 1, u);\n"
              "  end value;\n  pure function top\n    input Curve curve;\n    output Real y;\n"
              "    external \"C\" y = ModelicaStandardTables_CombiTable1D_maximumAbscissa(curve);\n"
              "  end top;\n"
              "  Curve curve = Curve([0, 0; 1, 1; 2, 4; 3, 9; 4, 16]);\n"
              "  Real x(start = 1.5, fixed = true);\nequation\n"
              "  der(x) = -x * value(curve, 0.5 * x) + top(curve);\nend Tabled;\n");
    begin(&i, path, 1, 0);
    remove(path);
    const Fmi2Reference of = unpacked_reference(&i.u, "der(x)"), by = unpacked_reference(&i.u, "x");
    for (double x = 0.2; x < 7.0; x += 0.7) {
        const double seed = 3.0;
        double found, dx;
        derivatives(&i, 0.0, &x, &dx);
        check_near(dx, -0.25 * x * x * x + 4.0, 1e-12);
        assert_int_equal(i.f->GetDirectionalDerivative(i.c, &of, 1, &by, 1, &seed, &found),
                         FMI2_OK);
        check_near(found, -3.0 * 0.75 * x * x, 1e-11);
    }
    end(&i);
}

static void sine(Importer *i, double t)
{
    const double value = sin(t);
    assert_int_equal(i->f->SetReal(i->c, &i->input_reference, 1, &value), FMI2_OK);
}

// y' = u - y with u = sin t: y = (sin t - cos t + exp(-t)) / 2. A sample counts at 0, 0.5, ...;
// what depends on the input directly, u > 0.5, changes at pi/6 and 5 pi/6. Bounds: steps of 0.01
// with a method of order 4 leave 1e-10.
static void input_and_samples(void **state)
{
    (void)state;
    Importer i = {0};
    char path[64];
    write_model(path, "model Driven\n  input Real u(start = 0);\n"
                      "  output Real y(start = 0, fixed = true);\n  Boolean high;\n"
                      "  Integer count(start = 0, fixed = true);\nequation\n  der(y) = u - y;\n"
                      "  high = u > 0.5;\n  when sample(0, 0.5) then\n"
                      "    count = pre(count) + 1;\n  end when;\nend Driven;\n");
    begin(&i, path, 1, 1);
    remove(path);
    i.input_reference = unpacked_reference(&i.u, "u");
    i.input = sine;
    integrate(&i, 3.0, 0.01);
    check_near(i.x[0], (sin(3.0) - cos(3.0) + exp(-3.0)) / 2.0, 1e-9);
    check_near(get(&i, "y"), i.x[0], 0.0);
    assert_int_equal(i.state_events, 2);
    check_near(i.event_times[0], acos(-1.0) / 6.0, 1e-12);
    check_near(i.event_times[1], 5.0 * acos(-1.0) / 6.0, 1e-12);
    check_near(get(&i, "count"), 7.0, 0.0);
    check_near(get(&i, "u"), sin(3.0), 1e-15);
    end(&i);
}

// From a kept state everything happens again.
static void kept_states(void **state)
{
    (void)state;
    Importer i = {0};
    begin(&i, "examples/BouncingBall.mo", 2, 1);
    integrate(&i, 0.6, 0.01);
    Fmi2State kept = NULL;
    assert_int_equal(i.f->GetFMUstate(i.c, &kept), FMI2_OK);
    const Importer before = i;
    integrate(&i, 1.5, 0.01);
    const double h = i.x[0];
    assert_int_equal(i.f->SetFMUstate(i.c, kept), FMI2_OK);
    i.t = before.t;
    memcpy(i.x, before.x, sizeof i.x);
    memcpy(i.h, before.h, sizeof i.h);
    check_near(get(&i, "bounces"), 1.0, 0.0);
    integrate(&i, 1.5, 0.01);
    assert_true(i.x[0] == h);
    assert_int_equal(i.f->FreeFMUstate(i.c, &kept), FMI2_OK);
    end(&i);
}

static void refuse(const char *text, const char *expected)
{
    char path[64], *message = NULL;
    write_model(path, text);
    const char *const files[] = {path};
    const LoadedDef def = {.file_count = 1, .files = files};
    Loaded *loaded = loaded_create(&def);
    assert_non_null(loaded->model);
    const FmuExport wanted = {.path = "/tmp/saltus-never-written.fmu",
                              .library = SALTUS_FMU_LIBRARY,
                              .def = &def,
                              .version = 2,
                              .has_exchange = true};
    assert_false(export_fmu(loaded, &wanted, &message));
    if (!strstr(message_text(message), expected))
        fail_msg("%s", message_text(message));
    free(message);
    assert_int_not_equal(access(wanted.path, F_OK), 0);
    remove(path);
    loaded_destroy(loaded);
}

static void refusals(void **state)
{
    (void)state;
    refuse("model Late Real x(start = 1, fixed = true); equation der(x) = -delay(x, 1); end Late;",
           "model exchange cannot have delay()");
}

// Two inertias, J = 1 and 3, driven by cos(t) and 0.5, joined at t = 1 until 2: L = w1 + 3 w2 grows
// by sin(t) + t/2 all the time, and w1 = w2 = L/4 while they are joined.
static const char *const clutch_text =
    "model Clutch\n"
    "  Real w1(start = 1, fixed = true), w2(start = 5, fixed = true), a(start = 0, fixed = true);\n"
    "  Real tau;\n"
    "  Boolean locked = time >= 1 and time < 2;\n"
    "equation\n"
    "  der(w1) = cos(time) + tau;\n"
    "  3*der(w2) = 0.5 - tau;\n"
    "  der(a) = w1^2;\n"
    "  if locked then w1 = w2; else tau = 0; end if;\n"
    "end Clutch;\n";

static double clutch_momentum(double t)
{
    return 16.0 + sin(t) + 0.5 * t;
}

// The importer's states of the name, by the order of the description.
static size_t state_of(const Importer *i, const char *derivative)
{
    const char *at = i->u.description;
    for (size_t n = 0; (at = strstr(at, "name=\"der(")); n++, at += 5)
        if (strncmp(at + 6, derivative, strlen(derivative)) == 0)
            return n;
    fail_msg("there is no %s", derivative);
    return 0;
}

// Locked, the mode has one of the two as a state; the other one is integrated beside it. Bounds:
// steps of 0.01 with a method of order 4.
static void states_of_all_modes(void **state)
{
    (void)state;
    Importer i = {0};
    char path[64];
    write_model(path, clutch_text);
    begin(&i, path, 3, 0);
    remove(path);
    const size_t w1 = state_of(&i, "der(w1)"), w2 = state_of(&i, "der(w2)");
    integrate(&i, 0.999, 0.01);
    check_near(i.x[w1], 1.0 + sin(0.999), 1e-10);
    integrate(&i, 1.0, 0.01); // and the event there
    check_near(i.x[w1], clutch_momentum(1.0) / 4.0, 1e-10);
    check_near(i.x[w2], clutch_momentum(1.0) / 4.0, 1e-10);
    integrate(&i, 1.75, 0.01);
    const double expected = clutch_momentum(1.75) / 4.0;
    check_near(i.x[w1], expected, 1e-10);
    check_near(i.x[w2], expected, 1e-10);
    check_near(get(&i, "w1"), expected, 1e-10);
    check_near(get(&i, "w2"), expected, 1e-10);
    check_near(get(&i, "der(w1)"), (cos(1.75) + 0.5) / 4.0, 1e-13);
    check_near(get(&i, "der(w2)"), (cos(1.75) + 0.5) / 4.0, 1e-13);
    integrate(&i, 3.0, 0.01);
    const double opened = clutch_momentum(2.0) / 4.0;
    check_near(i.x[w1], opened + sin(3.0) - sin(2.0), 1e-10);
    check_near(i.x[w2], opened + 0.5 / 3.0, 1e-10);
    assert_int_equal(i.time_events, 2);
    end(&i);
}

// A block on another one, which rests from t = 0.5 on: v2 = 1 - 2 t; the upper one at v1 = 4 - t =
// 0. Either surface may slide, and the FMU has an indicator for the end of each, though no mode
// that is found before the run has both. Bound: steps of 0.01 with a method of order 4, of a
// parabola.
static void surfaces_that_slide_together(void **state)
{
    (void)state;
    Importer i = {0};
    char path[64];
    write_model(path, "model Blocks\n"
                      "  Real v1(start = 4, fixed = true), v2(start = 1, fixed = true);\n"
                      "  Real x(start = 0, fixed = true), f;\n"
                      "equation\n"
                      "  der(v1) = -f; der(v2) = f - 3*sign(v2); der(x) = v1;\n"
                      "  f = sign(v1 - v2);\n"
                      "end Blocks;\n");
    begin(&i, path, 3, 6);
    remove(path);
    integrate(&i, 3.0, 0.01);
    check_near(get(&i, "v1"), 1.0, 1e-12);
    check_near(get(&i, "v2"), 0.0, 1e-12);
    integrate(&i, 5.0, 0.01);
    check_near(get(&i, "v1"), 0.0, 1e-12);
    check_near(get(&i, "v2"), 0.0, 1e-12);
    check_near(get(&i, "x"), 8.0, 1e-12);
    end(&i);
}

// While w1 is no state of the mode, nothing depends on what the importer has for it, to the bit.
static void drift_does_not_matter(void **state)
{
    (void)state;
    double of[2];
    for (int k = 0; k < 2; k++) {
        Importer i = {0};
        char path[64];
        write_model(path, clutch_text);
        begin(&i, path, 3, 0);
        remove(path);
        integrate(&i, 1.5, 0.01);
        // Which of them is foreign: the one by which nothing has a derivative.
        const Fmi2Reference by[] = {unpacked_reference(&i.u, "w1"), unpacked_reference(&i.u, "w2")};
        const Fmi2Reference of_a = unpacked_reference(&i.u, "der(a)");
        double slopes[2], seed = 1.0;
        for (int n = 0; n < 2; n++)
            assert_int_equal(
                i.f->GetDirectionalDerivative(i.c, &of_a, 1, &by[n], 1, &seed, &slopes[n]),
                FMI2_OK);
        const int foreign = slopes[0] == 0.0 ? 0 : 1;
        check_near(slopes[foreign], 0.0, 0.0);
        check_near(slopes[1 - foreign], 2.0 * get(&i, "w1"), 1e-13);
        if (k)
            i.x[state_of(&i, foreign == 0 ? "der(w1)" : "der(w2)")] += 1.0;
        integrate(&i, 2.5, 0.01); // beyond the event that opens it
        of[k] = i.x[state_of(&i, "der(a)")] + 7.0 * get(&i, "w1") + 11.0 * get(&i, "w2");
        end(&i);
    }
    assert_true(of[0] == of[1]);
}

// Derivatives of what is no state of the mode: x^2 + y^2 = 1 with one of them as a state, which
// turns at 1 rad/s from x = 0.6, y = 0.8; x' = -y, y' = x. Bound: an extrapolated difference.
static void derivatives_of_foreign_states(void **state)
{
    (void)state;
    Importer i = {0};
    char path[64];
    write_model(path, "model Turning\n"
                      "  Real x(start = 0.6, fixed = true), y(start = 0.8);\n"
                      "equation\n"
                      "  x^2 + y^2 = 1;\n"
                      "  x*der(y) - y*der(x) = 1;\n"
                      "end Turning;\n");
    begin(&i, path, 2, 0);
    remove(path);
    const Fmi2Reference by[] = {unpacked_reference(&i.u, "x"), unpacked_reference(&i.u, "y")};
    const Fmi2Reference of[] = {unpacked_reference(&i.u, "der(x)"),
                                unpacked_reference(&i.u, "der(y)")};
    double found[2][2], seed = 1.0;
    for (int n = 0; n < 2; n++)
        assert_int_equal(i.f->GetDirectionalDerivative(i.c, of, 2, &by[n], 1, &seed, found[n]),
                         FMI2_OK);
    check_near(get(&i, "der(x)"), -0.8, 1e-15);
    check_near(get(&i, "der(y)"), 0.6, 1e-15);
    const int own = found[0][0] != 0.0 ? 0 : 1;
    const double x = own == 0 ? 0.6 : 0.8, y = own == 0 ? 0.8 : 0.6, sign = own == 0 ? 1.0 : -1.0;
    check_near(found[own][own], sign * x / y, 1e-14);
    check_near(found[own][1 - own], sign, 1e-10);
    check_near(found[1 - own][0], 0.0, 0.0);
    check_near(found[1 - own][1], 0.0, 0.0);
    // Once around: another state is chosen where its pivot is twice as large, |x| = 2 |y| or the
    // other way round, at the angles 153, 243 and 333 degrees.
    integrate(&i, 2.0 * acos(-1.0), 0.005);
    check_near(i.x[0], 0.6, 1e-9);
    check_near(i.x[1], 0.8, 1e-9);
    assert_int_equal(i.step_events, 3);
    end(&i);
}

// FMI 3.0 has the same behind other functions.
static void third_version(void **state)
{
    (void)state;
    Unpacked u;
    unpacked_create(&u, "examples/BouncingBall.mo", NULL, 3, true);
    const Fmi3Table *f = &u.binary.fmi3;
    Fmi3Instance i =
        f->InstantiateModelExchange("ball", u.token, u.resources, false, false, NULL, NULL);
    assert_non_null(i);
    assert_int_equal(f->EnterInitializationMode(i, false, 0.0, 0.0, false, 0.0), FMI3_OK);
    assert_int_equal(f->ExitInitializationMode(i), FMI3_OK);
    size_t states = 0, indicators = 0;
    assert_int_equal(f->GetNumberOfContinuousStates(i, &states), FMI3_OK);
    assert_int_equal(f->GetNumberOfEventIndicators(i, &indicators), FMI3_OK);
    assert_int_equal(states, 2);
    assert_int_equal(indicators, 1);
    bool again, terminate, nominals, changed, has_next;
    double next, x[2], dx[2], h;
    assert_int_equal(
        f->UpdateDiscreteStates(i, &again, &terminate, &nominals, &changed, &has_next, &next),
        FMI3_OK);
    assert_int_equal(f->EnterContinuousTimeMode(i), FMI3_OK);
    const double falling[] = {-1e-9, -4.0};
    assert_int_equal(f->SetTime(i, 0.4), FMI3_OK);
    assert_int_equal(f->SetContinuousStates(i, falling, 2), FMI3_OK);
    assert_int_equal(f->GetContinuousStateDerivatives(i, dx, 2), FMI3_OK);
    assert_true(dx[0] == -4.0 && dx[1] == -9.81);
    assert_int_equal(f->GetEventIndicators(i, &h, 1), FMI3_OK);
    const Fmi3Reference vr = unpacked_reference(&u, "'event indicator 1'");
    double same;
    assert_int_equal(f->GetFloat64(i, &vr, 1, &same, 1), FMI3_OK);
    assert_true(h == same);
    assert_int_equal(f->EnterEventMode(i), FMI3_OK);
    assert_int_equal(
        f->UpdateDiscreteStates(i, &again, &terminate, &nominals, &changed, &has_next, &next),
        FMI3_OK);
    assert_true(changed && !again && !terminate);
    assert_int_equal(f->GetContinuousStates(i, x, 2), FMI3_OK);
    check_near(x[1], 3.2, 1e-15);
    f->FreeInstance(i);
    unpacked_end(&u);
}

// y' = c cos(x) u, x' = y - x^2, z = x y, and an event function x - 0.5; y and an alias of it are
// one state. Bounds: they are exact up to rounding.
static void derivatives_are_right(void **state)
{
    (void)state;
    static const Fmi2Callbacks callbacks = {.logger = log_nothing};
    char path[64];
    write_model(path, "model Curved\n"
                      "  input Real u(start = 2);\n"
                      "  output Real first;\n"
                      "  output Real z;\n"
                      "  Real x(start = 0.25, fixed = true), y(start = 3, fixed = true);\n"
                      "  Boolean high = x > 0.5;\n"
                      "equation\n"
                      "  first = y;\n"
                      "  der(y) = 7*cos(x)*u;\n"
                      "  der(x) = y - x^2;\n"
                      "  z = x*y + 5*u;\n"
                      "end Curved;\n");
    Unpacked of[2];
    unpacked_create(&of[0], path, NULL, 2, true);
    unpacked_create(&of[1], path, NULL, 3, true);
    remove(path);
    const double x = 0.3, y = -1.5, input = 4.0;
    // Rows: der(y), der(x), z; columns: x, y, u.
    const double expected[3][3] = {
        {-7.0 * sin(x) * input, 0.0, 7.0 * cos(x)}, {-2.0 * x, 1.0, 0.0}, {y, x, 5.0}};
    const unsigned u0[] = {unpacked_reference(&of[0], "der(y)"),
                           unpacked_reference(&of[0], "der(x)"), unpacked_reference(&of[0], "z")};
    const unsigned k0[] = {unpacked_reference(&of[0], "x"), unpacked_reference(&of[0], "y"),
                           unpacked_reference(&of[0], "u")};
    const Fmi2Table *f = &of[0].binary.fmi2;
    assert_non_null(strstr(of[0].description, "providesDirectionalDerivative=\"true\""));
    Fmi2Component c =
        f->Instantiate("test", FMI2_MODEL_EXCHANGE, of[0].token, of[0].location, &callbacks, 0, 0);
    assert_non_null(c);
    assert_int_equal(f->SetupExperiment(c, 0, 0.0, 0.0, 0, 0.0), FMI2_OK);
    assert_int_equal(f->EnterInitializationMode(c), FMI2_OK);
    assert_int_equal(f->ExitInitializationMode(c), FMI2_OK);
    Fmi2EventInfo info;
    assert_int_equal(f->NewDiscreteStates(c, &info), FMI2_OK);
    assert_int_equal(f->EnterContinuousTimeMode(c), FMI2_OK);
    double at[2], now[2];
    assert_int_equal(f->GetContinuousStates(c, now, 2), FMI2_OK);
    const bool is_x_first = now[0] == 0.25;
    at[0] = is_x_first ? x : y;
    at[1] = is_x_first ? y : x;
    assert_int_equal(f->SetTime(c, 0.5), FMI2_OK);
    assert_int_equal(f->SetContinuousStates(c, at, 2), FMI2_OK);
    assert_int_equal(f->SetReal(c, &k0[2], 1, &input), FMI2_OK);
    for (int k = 0; k < 3; k++) {
        double seed[3] = {0.0}, found[3];
        seed[k] = 2.0;
        assert_int_equal(f->GetDirectionalDerivative(c, u0, 3, k0, 3, seed, found), FMI2_OK);
        for (int i = 0; i < 3; i++)
            check_near(found[i], 2.0 * expected[i][k], 1e-14);
    }
    const double all[] = {1.0, -2.0, 0.5};
    double found[3];
    assert_int_equal(f->GetDirectionalDerivative(c, u0, 3, k0, 3, all, found), FMI2_OK);
    for (int i = 0; i < 3; i++)
        check_near(found[i], expected[i][0] - 2.0 * expected[i][1] + 0.5 * expected[i][2], 1e-14);
    // Where it is has not changed.
    double dx[2];
    assert_int_equal(f->GetDerivatives(c, dx, 2), FMI2_OK);
    check_near(dx[is_x_first ? 0 : 1], y - x * x, 1e-15);
    // Not by an output that is no state, nor of what is not there.
    const unsigned wrong[] = {u0[2], 10000};
    for (int k = 0; k < 2; k++) {
        assert_int_equal(f->GetDirectionalDerivative(c, u0, 1, &wrong[k], 1, all, found),
                         FMI2_ERROR);
        if (k)
            assert_int_equal(f->GetDirectionalDerivative(c, &wrong[k], 1, k0, 1, all, found),
                             FMI2_ERROR);
    }
    f->FreeInstance(c);
    unpacked_end(&of[0]);

    // FMI 3.0, co-simulation, at the start: by the input; and J' seed.
    const Fmi3Table *g = &of[1].binary.fmi3;
    Fmi3Instance i = g->InstantiateCoSimulation("test", of[1].token, of[1].resources, false, false,
                                                false, false, NULL, 0, NULL, NULL, NULL);
    assert_non_null(i);
    assert_int_equal(g->EnterInitializationMode(i, false, 0.0, 0.0, false, 0.0), FMI3_OK);
    assert_int_equal(g->ExitInitializationMode(i), FMI3_OK);
    const unsigned u1[] = {unpacked_reference(&of[1], "z"), unpacked_reference(&of[1], "der(y)")};
    const unsigned k1[] = {unpacked_reference(&of[1], "u"), unpacked_reference(&of[1], "x")};
    const double seed[] = {1.0, 10.0};
    assert_int_equal(g->GetAdjointDerivative(i, u1, 2, k1, 2, seed, 2, found, 2), FMI3_OK);
    check_near(found[0], 5.0 + 10.0 * 7.0 * cos(0.25), 1e-13);
    check_near(found[1], 3.0 - 10.0 * 7.0 * sin(0.25) * 2.0, 1e-13);
    g->FreeInstance(i);
    unpacked_end(&of[1]);
}

// A nonlinear equation, a linear system whose matrix moves, a branch, and a part q that has nothing
// to do with the rest; s = sin(x), maybe by a function of the model. Bound: roundings.
static void derive_blocks(const char *function, const char *call)
{
    static const Fmi2Callbacks callbacks = {.logger = log_nothing};
    char path[64], text[2000];
    snprintf(text, sizeof text,
             "model Blocks\n%s"
             "  input Real u(start = 1.5);\n"
             "  Real x(start = 0.5, fixed = true), w(start = 0.75, fixed = true);\n"
             "  Real q(start = 2, fixed = true), r = q^2;\n"
             "  Real z(start = 0.4), a, b, s;\n"
             "  Integer n = if x > 0.1 then 3 else 4;\n"
             "equation\n"
             "  z + z^3 = x*u;\n"
             "  a + x*b = 1 + u;\n"
             "  a - 2*b = w;\n"
             "  s = %s;\n"
             "  der(x) = a - z;\n"
             "  der(w) = n*b + (if x > 0 then s else exp(s));\n"
             "  der(q) = 3 - r;\n"
             "end Blocks;\n",
             function, call);
    write_model(path, text);
    Unpacked of;
    unpacked_create(&of, path, NULL, 2, false);
    remove(path);
    const Fmi2Table *f = &of.binary.fmi2;
    Fmi2Component c =
        f->Instantiate("test", FMI2_CO_SIMULATION, of.token, of.location, &callbacks, 0, 0);
    assert_non_null(c);
    assert_int_equal(f->SetupExperiment(c, 0, 0.0, 0.0, 0, 0.0), FMI2_OK);
    assert_int_equal(f->EnterInitializationMode(c), FMI2_OK);
    assert_int_equal(f->ExitInitializationMode(c), FMI2_OK);
    const double x = 0.5, w = 0.75, u = 1.5, q = 2.0;
    double z = 0.5;
    for (int i = 0; i < 20; i++)
        z -= (z + z * z * z - x * u) / (1.0 + 3.0 * z * z);
    const double slope = 1.0 / (1.0 + 3.0 * z * z), b = (1.0 + u - w) / (2.0 + x);
    const char *const names[] = {"z", "b", "a", "s", "r"}, *const by[] = {"x", "w", "u", "q"};
    // b = (1 + u - w) / (2 + x), a = w + 2 b, s = sin(x)
    const double expected[5][4] = {
        {u * slope, 0.0, x * slope, 0.0},
        {-b / (2.0 + x), -1.0 / (2.0 + x), 1.0 / (2.0 + x), 0.0},
        {-2.0 * b / (2.0 + x), 1.0 - 2.0 / (2.0 + x), 2.0 / (2.0 + x), 0.0},
        {cos(x), 0.0, 0.0, 0.0},
        {0.0, 0.0, 0.0, 2.0 * q},
    };
    for (int k = 0; k < 4; k++) {
        Fmi2Reference unknowns[5], known = unpacked_reference(&of, by[k]);
        double found[5], seed = 1.0;
        for (int i = 0; i < 5; i++)
            unknowns[i] = unpacked_reference(&of, names[i]);
        assert_int_equal(f->GetDirectionalDerivative(c, unknowns, 5, &known, 1, &seed, found),
                         FMI2_OK);
        for (int i = 0; i < 5; i++)
            check_near(found[i], expected[i][k], 4e-15);
    }
    f->FreeInstance(c);
    unpacked_end(&of);
}

static void derivatives_of_blocks(void **state)
{
    (void)state;
    derive_blocks("", "sin(x)");
    derive_blocks("  function Sine\n"
                  "    input Real x;\n"
                  "    output Real y = x;\n"
                  "  protected\n"
                  "    Real term = x;\n"
                  "    Integer k = 1;\n"
                  "  algorithm\n"
                  "    while abs(term) > 1e-18 loop\n"
                  "      k := k + 2;\n"
                  "      term := -term*x^2/(k*(k - 1));\n"
                  "      y := y + term;\n"
                  "    end while;\n"
                  "  end Sine;\n",
                  "Sine(x)");
    // Arrays, calls of calls, branches, and what a loop leaves early: by Horner's rule.
    derive_blocks("  function Horner\n"
                  "    input Real c[:], x;\n"
                  "    output Real y = 0;\n"
                  "  algorithm\n"
                  "    for i in size(c, 1):-1:1 loop\n"
                  "      y := y*x + c[i];\n"
                  "    end for;\n"
                  "  end Horner;\n"
                  "  function Series\n"
                  "    input Real x;\n"
                  "    output Real y;\n"
                  "  protected\n"
                  "    Real c[12];\n"
                  "    Integer k = 0;\n"
                  "  algorithm\n"
                  "    while true loop\n"
                  "      k := k + 1;\n"
                  "      if k > 12 then break; end if;\n"
                  "      c[k] := if k == 1 then 1 else -c[k - 1]/((2*k - 2)*(2*k - 1));\n"
                  "    end while;\n"
                  "    y := x*Horner(c, x*x);\n"
                  "  end Series;\n",
                  "Series(x)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bouncing_ball),
        cmocka_unit_test(bytes_of_a_flight),
        cmocka_unit_test(parameters),
        cmocka_unit_test(derivatives_are_right),
        cmocka_unit_test(derivatives_of_blocks),
        cmocka_unit_test(derivatives_of_tables),
        cmocka_unit_test(derivatives_of_foreign_states),
        cmocka_unit_test(drift_does_not_matter),
        cmocka_unit_test(input_and_samples),
        cmocka_unit_test(kept_states),
        cmocka_unit_test(refusals),
        cmocka_unit_test(states_of_all_modes),
        cmocka_unit_test(surfaces_that_slide_together),
        cmocka_unit_test(third_version),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
