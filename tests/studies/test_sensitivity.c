// SPDX-License-Identifier: MIT
//
// Sensitivities through events: against closed forms, and against differences of runs over four
// points, whose error is that of the runs, 1e-12 of their values times what the events make of it,
// over the distance of 1e-3 of the parameter: 1e-8 of the derivative is safe.

#include "studies/sensitivity.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 4 }; // parameters

// A model, what it is differentiated by, and the last row of its run.
typedef struct Derived {
    Loaded *loaded;
    SaltusSystem *system;
    SaltusRun *run;
    Sensitivity *sensitivity;
    uint32_t by[MOST], count;
    double *p, *values, *derivatives;
    double t;
    SaltusStatus status;
    void (*seen)(struct Derived *d, const SaltusRow *row); // each row; NULL: nobody
    int events, index;
    double worst;
} Derived;

static double *numbers_of(Derived *d)
{
    return calloc((size_t)MOST * (model_output_count(d->loaded->model) + 1u), sizeof(double));
}

static int derived_row(void *user, const SaltusRow *row)
{
    Derived *d = user;
    const size_t outputs = model_output_count(d->loaded->model);
    d->t = row->t;
    memcpy(d->values, row->y, outputs * sizeof(double));
    for (uint32_t k = 0; d->sensitivity && k < d->count; k++)
        memcpy(d->derivatives + k * outputs, sensitivity_row(d->sensitivity, k),
               outputs * sizeof(double));
    d->events += row->kind == SALTUS_ROW_BEFORE_EVENT;
    if (d->seen)
        d->seen(d, row);
    return 0;
}

static Derived *derived_open(const char *text, const char *const *names)
{
    Derived *d = calloc(1, sizeof *d);
    while (names[d->count])
        d->count++;
    const LoadedDef def = {.text = text, .varied_count = d->count, .varied = names};
    d->loaded = loaded_create(&def);
    if (!d->loaded->model)
        fail_msg("%s", loaded_first_error(d->loaded));
    for (uint32_t k = 0; k < d->count; k++) {
        const char *message = NULL;
        if (!loaded_find_parameter(d->loaded, d->loaded->compilation->arena, names[k], &d->by[k],
                                   &message))
            fail_msg("%s", message);
    }
    d->p = calloc(model_list_parameters(d->loaded->model).count + 1u, sizeof *d->p);
    d->values = numbers_of(d);
    d->derivatives = numbers_of(d);
    return d;
}

static void derived_close(Derived *d)
{
    sensitivity_destroy(d->sensitivity);
    saltus_run_destroy(d->run);
    saltus_system_destroy(d->system);
    loaded_destroy(d->loaded);
    free(d->p);
    free(d->values);
    free(d->derivatives);
    free(d);
}

static SaltusOptions derived_options(Derived *d, double tolerance)
{
    SaltusOptions options = saltus_default_options();
    options.method.relative_tolerance = tolerance;
    options.method.absolute_tolerance = 1e-3 * tolerance;
    options.row = derived_row;
    options.record = SALTUS_RECORD_EVENTS;
    options.user = d;
    return options;
}

static void derived_run(Derived *d, double stop_time, double tolerance)
{
    SaltusError error;
    assert_int_equal(loaded_parameters(d->loaded, NULL, 0, d->p, &error), SALTUS_OK);
    assert_int_equal(model_system(d->loaded->model, d->p, &d->system, &error), SALTUS_OK);
    const SensitivityDef def = {.loaded = d->loaded,
                                .p = d->p,
                                .count = d->count,
                                .by = d->by,
                                .options = derived_options(d, tolerance),
                                .stop_time = stop_time};
    d->sensitivity = sensitivity_create(&def, &error);
    if (!d->sensitivity)
        fail_msg("%s", error.message);
    d->status = sensitivity_run(d->sensitivity, d->system, &d->run, &error);
    if (d->status < 0)
        fail_msg("%s", error.message);
}

static size_t output_of(const Derived *d, const char *name)
{
    const uint32_t count = model_output_count(d->loaded->model);
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(model_output_names(d->loaded->model)[i], name) == 0)
            return i;
    fail_msg("there is no variable %s", name);
    return 0;
}

static double derived_value(const Derived *d, const char *name)
{
    return d->values[output_of(d, name)];
}

static double derivative_of(const Derived *d, const char *name, uint32_t k)
{
    return d->derivatives[k * (size_t)model_output_count(d->loaded->model) + output_of(d, name)];
}

static void derived_near(double actual, double expected, double tolerance)
{
    if (!(fabs(actual - expected) <= tolerance * (1 + fabs(expected))))
        fail_msg("%.15g instead of %.15g", actual, expected);
}

static void expect_loss(const char *text, const char *by, double stop_time, double time,
                        const char *why)
{
    Derived *d = derived_open(text, (const char *[]){by, NULL});
    derived_run(d, stop_time, 1e-9);
    double t;
    const char *loss = sensitivity_loss(d->sensitivity, &t);
    if (!loss || !strstr(loss, why))
        fail_msg("%s instead of %s", loss ? loss : "nothing", why);
    derived_near(t, time, 1e-4);
    assert_true(isnan(d->derivatives[0]));
    derived_close(d);
}

// ---------------------------------------------------------------------------
// Differences of runs
// ---------------------------------------------------------------------------

static void run_plainly(Derived *d, uint32_t k, double value, double stop_time, double *to)
{
    const ParameterValue moved = {d->by[k], value};
    Derived other = {.loaded = d->loaded, .values = to, .count = 0};
    SaltusError error;
    SaltusSystem *system;
    SaltusRun *run;
    const SaltusOptions options = derived_options(&other, 1e-12);
    assert_int_equal(loaded_system(d->loaded, &moved, 1, &system, &error), SALTUS_OK);
    if (loaded_run(d->loaded, system, &options, stop_time, &run, &error) < 0)
        fail_msg("%s", error.message);
    saltus_run_destroy(run);
    saltus_system_destroy(system);
}

// All derivatives at the end, of values that are not larger than `most`.
static void compare_with_differences(Derived *d, double stop_time, double tolerance)
{
    const size_t outputs = model_output_count(d->loaded->model);
    double *values[4];
    for (int i = 0; i < 4; i++)
        values[i] = numbers_of(d);
    for (uint32_t k = 0; k < d->count; k++) {
        const double value = d->p[d->by[k]], step = 1e-3 * fabs(value);
        const double steps[] = {-2, -1, 1, 2};
        for (int i = 0; i < 4; i++)
            run_plainly(d, k, value + steps[i] * step, stop_time, values[i]);
        for (size_t i = 0; i < outputs; i++) {
            const double difference =
                (8 * (values[2][i] - values[1][i]) - (values[3][i] - values[0][i])) / (12 * step);
            const double found = d->derivatives[k * outputs + i];
            if (!(fabs(found - difference) <= tolerance * (fabs(difference) + 1 / fabs(value))))
                fail_msg("%s by parameter %u: %.15g instead of %.15g",
                         model_output_names(d->loaded->model)[i], k, found, difference);
        }
    }
    for (int i = 0; i < 4; i++)
        free(values[i]);
}

static void check_against_differences(const char *text, const char *const *names, double stop_time,
                                      int events, double tolerance)
{
    Derived *d = derived_open(text, names);
    derived_run(d, stop_time, 1e-10);
    double t;
    const char *loss = sensitivity_loss(d->sensitivity, &t);
    if (loss)
        fail_msg("%s", loss);
    assert_int_equal(d->events, events);
    compare_with_differences(d, stop_time, tolerance);
    derived_close(d);
}

// ---------------------------------------------------------------------------
// The ball: all in closed form
// ---------------------------------------------------------------------------

static const char ball[] = "model Ball\n"
                           "  parameter Real e = 0.7, g = 9.81, h0 = 1;\n"
                           "  Real h(start = h0, fixed = true), v(start = 0, fixed = true);\n"
                           "  discrete Real top(start = h0, fixed = true);\n"
                           "equation\n"
                           "  der(h) = v;\n"
                           "  der(v) = -g;\n"
                           "  when h <= 0 then\n"
                           "    reinit(v, -e * pre(v));\n"
                           "    top = (e * pre(v)) ^ 2 / (2 * g);\n"
                           "  end when;\n"
                           "end Ball;\n";

// After bounce k: the height that follows is h0 e^2k.
static void see_bounce(Derived *d, const SaltusRow *row)
{
    const double e = 0.7, g = 9.81, h0 = 1;
    if (row->kind != SALTUS_ROW_AFTER_EVENT)
        return;
    const int k = ++d->index;
    derived_near(derivative_of(d, "top", 0), 2 * k * h0 * pow(e, 2 * k - 1), 1e-9);
    derived_near(derivative_of(d, "top", 1), 0, 1e-9);
    derived_near(derivative_of(d, "top", 2), pow(e, 2 * k), 1e-9);
    // dh = -v dt, with v after the bounce, because the ball is at h = 0 at the time of the bounce
    const double v = pow(e, k) * sqrt(2 * g * h0), fall = sqrt(2 * h0 / g);
    double sum = 1, slope = 0; // t_k = fall (1 + 2 sum of e^i, i < k)
    for (int i = 1; i < k; i++) {
        sum += 2 * pow(e, i);
        slope += 2 * i * pow(e, i - 1);
    }
    const double dt[] = {fall * slope, -fall * sum / (2 * g), fall * sum / (2 * h0)};
    for (uint32_t q = 0; q < 3; q++)
        derived_near(derivative_of(d, "h", q), -v * dt[q], 1e-9);
}

static void test_ball(void **state)
{
    (void)state;
    const double e = 0.7, g = 9.81, h0 = 1, fall = sqrt(2 * h0 / g);
    Derived *d = derived_open(ball, (const char *[]){"e", "g", "h0", NULL});
    d->seen = see_bounce;
    derived_run(d, 2.4, 1e-9);
    double t;
    assert_null(sensitivity_loss(d->sensitivity, &t));
    assert_int_equal(sensitivity_event_count(d->sensitivity), d->index);
    assert_true(d->index >= 7);
    double sum = 1, slope = 0;
    for (int k = 1; k <= d->index; k++) {
        const uint32_t at = (uint32_t)k - 1;
        derived_near(sensitivity_event_time(d->sensitivity, at, 0), fall * slope, 1e-9);
        derived_near(sensitivity_event_time(d->sensitivity, at, 1), -fall * sum / (2 * g), 1e-9);
        derived_near(sensitivity_event_time(d->sensitivity, at, 2), fall * sum / (2 * h0), 1e-9);
        sum += 2 * pow(e, k);
        slope += 2 * k * pow(e, k - 1);
    }
    derived_close(d);
}

// ---------------------------------------------------------------------------
// A switched circuit in closed form
// ---------------------------------------------------------------------------

// The current rises to I, then the coil discharges: i = I exp(-R (t - T) / L) with
// T = -L / R log(1 - I R / V). With L in units of `scale`, so is all time.
static void check_switch(double scale)
{
    const double R = 2, L = 0.5 * scale, V = 10, I = 3, t = scale;
    char model[400];
    snprintf(model, sizeof model,
             "model Coil\n"
             "  parameter Real R = 2, L = %.17g, V = 10, I = 3;\n"
             "  Real i(start = 0, fixed = true);\n"
             "  Boolean off(start = false, fixed = true);\n"
             "equation\n"
             "  L * der(i) + R * i = if off then 0 else V;\n"
             "  when i > I then\n"
             "    off = true;\n"
             "  end when;\n"
             "end Coil;\n",
             L);
    Derived *d = derived_open(model, (const char *[]){"R", "L", "V", "I", NULL});
    derived_run(d, t, 1e-10);
    double lost;
    assert_null(sensitivity_loss(d->sensitivity, &lost));
    assert_int_equal(sensitivity_event_count(d->sensitivity), 1);
    const double q = 1 - I * R / V, T = -L / R * log(q), i = I * exp(-R * (t - T) / L);
    const double TR = L / (R * R) * log(q) + L / R * I / (V * q), TL = -log(q) / R,
                 TV = -L / R * I * R / (V * V * q), TI = L / (V * q);
    const double dT[] = {TR, TL, TV, TI};
    for (uint32_t k = 0; k < 4; k++)
        derived_near(sensitivity_event_time(d->sensitivity, 0, k) / dT[k], 1, 1e-8);
    derived_near(derived_value(d, "i"), i, 1e-9);
    derived_near(derivative_of(d, "i", 0), i * (-(t - T) / L + R / L * TR), 1e-8);
    derived_near(scale * derivative_of(d, "i", 1), i * (R * (t - T) / (L * L) + R / L * TL) * scale,
                 1e-8);
    derived_near(derivative_of(d, "i", 2), i * R / L * TV, 1e-8);
    derived_near(derivative_of(d, "i", 3), i / I + i * R / L * TI, 1e-8);
    derived_close(d);
}

static void test_switch(void **state)
{
    (void)state;
    check_switch(1.0);
    check_switch(1e-9);
    check_switch(1e-12);
    check_switch(1e6);
}

// A diode and an RLC circuit: conducting or not, by the sign of a path parameter.
static void test_diode(void **state)
{
    (void)state;
    check_against_differences(
        "model Diode\n"
        "  parameter Real R = 1, L = 0.1, C = 0.01, w = 5, load = 20;\n"
        "  Real u(start = 0.3, fixed = true), i(start = 0, fixed = true), s;\n"
        "  Boolean off = s < 0;\n"
        "equation\n"
        "  L * der(i) = 10 * sin(w * time) - R * i - u;\n"
        "  C * der(u) = (if off then 0 else s) - u / load;\n"
        "  i - u / 5 = s * (if off then 0.5 else 1);\n"
        "end Diode;\n",
        (const char *[]){"R", "C", "w", "u.start", NULL}, 2, 4, 1e-7);
}

// ---------------------------------------------------------------------------
// Modes with other states
// ---------------------------------------------------------------------------

// A mass on a rope that can be slack: index 3 while it is taut, where the states are others.
static void test_rope(void **state)
{
    (void)state;
    check_against_differences("model Rope\n"
                              "  parameter Real l = 1, g = 9.81, k = 0.6, w = 15;\n"
                              "  constant Real a = 0.785398163397448;\n"
                              "  Real x(start = l * sin(a), fixed = true), y(start = l * cos(a));\n"
                              "  Real vx(start = l * w * cos(a), fixed = true), vy, F;\n"
                              "  Boolean taut(start = true, fixed = true);\n"
                              "equation\n"
                              "  der(x) = vx;\n"
                              "  der(y) = vy;\n"
                              "  der(vx) = -k * vx - F * x / l;\n"
                              "  der(vy) = -k * vy - F * y / l - g;\n"
                              "  if taut then\n"
                              "    x ^ 2 + y ^ 2 = l ^ 2;\n"
                              "  else\n"
                              "    F = 0;\n"
                              "  end if;\n"
                              "  when F < 0 then\n"
                              "    taut = false;\n"
                              "  elsewhen x ^ 2 + y ^ 2 > l ^ 2 then\n"
                              "    taut = true;\n"
                              "  end when;\n"
                              "end Rope;\n",
                              (const char *[]){"l", "g", "k", "w", NULL}, 2.5, 2, 1e-6);
}

static void test_contact(void **state)
{
    (void)state;
    check_against_differences("model Contact\n"
                              "  parameter Real k = 1e4, d = 50, g = 9.81, h0 = 1;\n"
                              "  Real h(start = h0, fixed = true), v(start = 0, fixed = true);\n"
                              "  Real f = -k * h - d * v;\n"
                              "equation\n"
                              "  der(h) = v;\n"
                              "  der(v) = -g + (if h < 0 and f > 0 then f else 0);\n"
                              "end Contact;\n",
                              (const char *[]){"k", "d", "g", "h0", NULL}, 0.9, 4, 1e-6);
}

// Dry friction stops a body: from then on it slides along v = 0, where it has come to
// v0^2 / (2 mu g).
static void test_sliding(void **state)
{
    (void)state;
    Derived *d = derived_open("model Friction\n"
                              "  parameter Real mu = 0.5, v0 = 2;\n"
                              "  Real x(start = 0, fixed = true), v(start = v0, fixed = true);\n"
                              "equation\n"
                              "  der(x) = v;\n"
                              "  der(v) = if v > 0 then -mu * 9.81 else mu * 9.81;\n"
                              "end Friction;\n",
                              (const char *[]){"mu", "v0", NULL});
    derived_run(d, 1, 1e-9);
    derived_near(derivative_of(d, "x", 0), -4 / (2 * 0.25 * 9.81), 1e-8);
    derived_near(derivative_of(d, "x", 1), 2 / (0.5 * 9.81), 1e-8);
    derived_near(derivative_of(d, "v", 0), 0, 1e-12);
    derived_close(d);
}

// ---------------------------------------------------------------------------
// Time events, discrete variables, parameters that the initialization finds
// ---------------------------------------------------------------------------

static void test_samples(void **state)
{
    (void)state;
    check_against_differences("model Sampled\n"
                              "  parameter Real K = 0.8, T = 0.3, a = 1.2;\n"
                              "  Real x(start = 1, fixed = true);\n"
                              "  discrete Real u(start = 0, fixed = true);\n"
                              "equation\n"
                              "  der(x) = a * x * (1 - x / 5) + u;\n"
                              "  when sample(T, T) then\n"
                              "    u = 0.3 * pre(u) - K * x ^ 2;\n"
                              "  end when;\n"
                              "end Sampled;\n",
                              (const char *[]){"K", "T", "a", "x.start", NULL}, 2, 6, 1e-8);
}

// x = exp(-T) exp(k (t - T)) after T; it reaches 2 at T + (log 2 + T) / k.
static void test_times(void **state)
{
    (void)state;
    const double T = 0.5, k = 2;
    Derived *d = derived_open("model Timed\n"
                              "  parameter Real T = 0.5, k = 2;\n"
                              "  Real x(start = 1, fixed = true);\n"
                              "  discrete Real reached(start = 0, fixed = true);\n"
                              "equation\n"
                              "  der(x) = if time < T then -x else k * x;\n"
                              "  when x > 2 then\n"
                              "    reached = time;\n"
                              "  end when;\n"
                              "end Timed;\n",
                              (const char *[]){"T", "k", NULL});
    derived_run(d, 1.5, 1e-10);
    const double x = exp(-T) * exp(k * (1.5 - T));
    derived_near(derivative_of(d, "x", 0), -(1 + k) * x, 1e-8);
    derived_near(derivative_of(d, "x", 1), (1.5 - T) * x, 1e-8);
    derived_near(derivative_of(d, "reached", 0), 1 + 1 / k, 1e-8);
    derived_near(derivative_of(d, "reached", 1), -(log(2) + T) / (k * k), 1e-8);
    derived_close(d);
}

// x' = 1 - x for a part d of each period T, then -x: x(t) is the sum of exp(-(t - off)) -
// exp(-(t - on)), where on = k T and off = (k + d) T. Whether a copy nearby has reached the end of
// a pulse must not depend on rounding, for any d.
static void test_pulses(void **state)
{
    (void)state;
    static const double parts[] = {0.37, 0.4, 0.111, 0.5, 0.9};
    const double T = 0.1, stop = 3.07;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const double part = parts[i];
        char text[512];
        snprintf(text, sizeof text,
                 "model Pulses\n"
                 "  parameter Real d = %.17g, T = 0.1;\n"
                 "  Real x(start = 0, fixed = true);\n"
                 "equation\n"
                 "  der(x) = (if mod(time, T) < d * T then 1 else 0) - x;\n"
                 "end Pulses;\n",
                 part);
        Derived *d = derived_open(text, (const char *[]){"d", "T", NULL});
        double by_part = 0.0, by_period = 0.0;
        for (int k = 0; k < 31; k++) {
            const double on = k * T, off = (k + part) * T;
            by_period -= k * exp(on - stop);
            if (off < stop) {
                by_part += T * exp(off - stop);
                by_period += (k + part) * exp(off - stop);
            }
        }
        derived_run(d, stop, 1e-10);
        derived_near(derivative_of(d, "x", 0), by_part, 1e-8);
        derived_near(derivative_of(d, "x", 1), by_period, 1e-8);
        derived_close(d);
    }
}

// The start: c follows from a by an initial equation, c^2 = a, and x' = -c x.
static void test_initialization(void **state)
{
    (void)state;
    Derived *d = derived_open("model Start\n"
                              "  parameter Real a = 4, b = 3 * a;\n"
                              "  parameter Real c(fixed = false, start = 1);\n"
                              "  Real x(start = b, fixed = true);\n"
                              "initial equation\n"
                              "  c ^ 2 = a;\n"
                              "equation\n"
                              "  der(x) = -c * x;\n"
                              "end Start;\n",
                              (const char *[]){"a", NULL});
    derived_run(d, 0.5, 1e-10);
    const double x = 12 * exp(-1);
    derived_near(derivative_of(d, "x", 0), x / 4 - 0.5 * x / (2 * 2), 1e-8);
    derived_close(d);
}

// Stiff equations: Van der Pol's.
static void test_stiff(void **state)
{
    (void)state;
    check_against_differences("model Stiff\n"
                              "  parameter Real mu = 50;\n"
                              "  Real x(start = 2, fixed = true), y(start = 0, fixed = true);\n"
                              "equation\n"
                              "  der(x) = y;\n"
                              "  der(y) = mu * (1 - x ^ 2) * y - x;\n"
                              "end Stiff;\n",
                              (const char *[]){"mu", NULL}, 60, 0, 1e-6);
}

// What an event does is differentiated until it is certain in the unit of the state: the state is
// as small as the parameter, and swings 48 times over it.
static void test_small_units(void **state)
{
    (void)state;
    Derived *d = derived_open("model Small\n"
                              "  parameter Real p = 1e-12;\n"
                              "  Real x(start = 0, fixed = true, nominal = 1e-12);\n"
                              "  Real y(start = 1, fixed = true);\n"
                              "equation\n"
                              "  der(x) = 0;\n"
                              "  der(y) = -1;\n"
                              "  when y < 0.5 then\n"
                              "    reinit(x, 1e-12 * sin(300e12 * p));\n"
                              "  end when;\n"
                              "end Small;\n",
                              (const char *[]){"p", NULL});
    derived_run(d, 1, 1e-9);
    derived_near(derivative_of(d, "x", 0), 300 * cos(300), 1e-8);
    derived_close(d);
    expect_loss("model Jump\n" // one branch or the other, nearby
                "  parameter Real p = 1e-12;\n"
                "  Real x(start = 0, fixed = true, nominal = 1e-12);\n"
                "  Real y(start = 1, fixed = true);\n"
                "equation\n"
                "  der(x) = 0;\n"
                "  der(y) = -1;\n"
                "  when y < 0.5 then\n"
                "    reinit(x, if noEvent(p > 1e-12 * (1 - 1e-9)) then p else 2 * p - 1.5e-12);\n"
                "  end when;\n"
                "end Jump;\n",
                "p", 1, 0.5, "depends on p in jumps");
}

// ---------------------------------------------------------------------------
// Where there are none
// ---------------------------------------------------------------------------

static void test_losses(void **state)
{
    (void)state;
    expect_loss("model Cubic\n" // crosses zero with the rate zero
                "  parameter Real a = 1;\n"
                "  Real y(start = 0, fixed = true), x(start = 1, fixed = true);\n"
                "  Integer n(start = 0, fixed = true);\n"
                "equation\n"
                "  der(x) = -3 * a * (1 - time) ^ 2;\n"
                "  der(y) = n;\n"
                "  when x <= 0 then\n"
                "    n = pre(n) + 1;\n"
                "  end when;\n"
                "end Cubic;\n",
                "a", 2, 1, "x <= 0.0 is grazing");
    expect_loss("model Twice\n"
                "  parameter Real a = 1;\n"
                "  Real x(start = 1, fixed = true), y(start = 1, fixed = true);\n"
                "  discrete Real u(start = 0, fixed = true);\n"
                "equation\n"
                "  der(x) = -a;\n"
                "  der(y) = -1;\n"
                "  when x <= 0 then\n"
                "    u = pre(u) + 1;\n"
                "  elsewhen y <= 0 then\n"
                "    u = pre(u) - 1;\n"
                "  end when;\n"
                "end Twice;\n",
                "a", 2, 1, "two events at once, x <= 0.0 and y <= 0.0");
    expect_loss("model Rest\n" // at rest, where bounces accumulate
                "  parameter Real e = 0.5;\n"
                "  Real h(start = 1, fixed = true), v(start = 0, fixed = true);\n"
                "equation\n"
                "  der(h) = v;\n"
                "  der(v) = if h <= 0 and v <= 0 then 0 else -9.81;\n"
                "  when h <= 0 then\n"
                "    reinit(v, -e * pre(v));\n"
                "  end when;\n"
                "end Rest;\n",
                "e", 3, 3 * sqrt(2 / 9.81), "accumulate");
    expect_loss("model Begin\n" // begins with one branch or the other
                "  parameter Real a = 1;\n"
                "  Real x;\n"
                "initial equation\n"
                "  x = if a <= 1 then 1 else 2;\n"
                "equation\n"
                "  der(x) = -x;\n"
                "end Begin;\n",
                "a", 1, 0, "begins otherwise");
}

static void test_refusals(void **state)
{
    (void)state;
    Derived *d = derived_open("model Late\n"
                              "  parameter Real a = 1;\n"
                              "  parameter Integer n = 2;\n"
                              "  Real x(start = 1, fixed = true);\n"
                              "equation\n"
                              "  der(x) = -a * delay(x, 0.1) * n;\n"
                              "end Late;\n",
                              (const char *[]){"a", "n", NULL});
    SensitivityDef def = {.loaded = d->loaded, .p = d->p, .count = 1, .by = d->by};
    def.options = derived_options(d, 1e-6);
    SaltusError error;
    assert_null(sensitivity_create(&def, &error));
    assert_non_null(strstr(error.message, "delays"));
    saltus_error_clear(&error);
    def.by = d->by + 1;
    assert_null(sensitivity_create(&def, &error));
    assert_non_null(strstr(error.message, "not Real"));
    saltus_error_clear(&error);
    derived_close(d);
}

// The run is the same as without, to the last bit.
static void test_same_run(void **state)
{
    (void)state;
    Derived *d = derived_open(ball, (const char *[]){"e", NULL});
    derived_run(d, 2.4, 1e-6);
    Derived plain = {.loaded = d->loaded, .values = numbers_of(d)};
    SaltusError error;
    SaltusRun *run;
    const SaltusOptions options = derived_options(&plain, 1e-6);
    assert_int_equal(loaded_run(d->loaded, d->system, &options, 2.4, &run, &error), SALTUS_OK);
    assert_true(plain.t == d->t && plain.events == d->events);
    assert_memory_equal(plain.values, d->values,
                        model_output_count(d->loaded->model) * sizeof(double));
    saltus_run_destroy(run);
    free(plain.values);
    derived_close(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ball),           cmocka_unit_test(test_switch),
        cmocka_unit_test(test_diode),          cmocka_unit_test(test_rope),
        cmocka_unit_test(test_contact),        cmocka_unit_test(test_sliding),
        cmocka_unit_test(test_samples),        cmocka_unit_test(test_times),
        cmocka_unit_test(test_initialization), cmocka_unit_test(test_stiff),
        cmocka_unit_test(test_losses),         cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_same_run),       cmocka_unit_test(test_small_units),
        cmocka_unit_test(test_pulses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
