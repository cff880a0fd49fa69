// SPDX-License-Identifier: MIT
//
// Kernels: against closed forms, against the ordinary run, and what they leave to it.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kernel/cuda.h"
#include "studies/sweep.h"
#include "studies/sweep_kernel.h"
#include "support/sanitized.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

// A study of one text, and its sweep over two axes.
typedef struct Fixture {
    Study *study;
    Axis axes[2];
    size_t axis_count;
    SweepDef def;
    Sweep *sweep;
} Fixture;

// text: a model, or the name of one of `file`.
static void begin_file(Fixture *f, const char *file, const char *text, const char *const axes[2],
                       const char *const *observations, size_t count, double stop_time)
{
    *f = (Fixture){0};
    SaltusOptions options = saltus_default_options();
    options.method.solver = SALTUS_SOLVER_RODAS;
    options.method.relative_tolerance = 1e-8;
    options.method.absolute_tolerance = 1e-11;
    options.method.max_step = stop_time / 50.0;
    const StudyDef def = {.load = {.file_count = file != NULL,
                                   .files = &file,
                                   .model = file ? text : NULL,
                                   .text = file ? NULL : text},
                          .observation_count = count,
                          .observations = observations,
                          .options = options,
                          .stop_time = stop_time};
    char *message = NULL;
    f->study = study_create(&def);
    assert_non_null(f->study);
    assert_non_null(study_observations(f->study));
    for (; f->axis_count < 2 && axes[f->axis_count]; f->axis_count++)
        assert_true(axis_read(f->study, axes[f->axis_count], &f->axes[f->axis_count], &message));
}

static void begin(Fixture *f, const char *text, const char *const axes[2],
                  const char *const *observations, size_t count, double stop_time)
{
    begin_file(f, NULL, text, axes, observations, count, stop_time);
}

static void use_solver(Fixture *f, SaltusSolver solver)
{
    double stop_time;
    SaltusOptions options = *study_options(f->study, &stop_time);
    options.method.solver = solver;
    study_set_options(f->study, &options, stop_time);
}

static void run(Fixture *f, SweepDevice device, double checked)
{
    char *message = NULL;
    f->def = (SweepDef){.study = f->study,
                        .axes = f->axes,
                        .axis_count = f->axis_count,
                        .device = device,
                        .checked = checked,
                        .jobs = 2};
    f->sweep = sweep_create(&f->def, &message);
    assert_non_null(f->sweep);
    assert_int_equal(sweep_run(f->sweep, &message), SWEEP_FINISHED);
}

static void end(Fixture *f)
{
    sweep_destroy(f->sweep);
    for (size_t i = 0; i < f->axis_count; i++)
        axis_free(&f->axes[i]);
    study_destroy(f->study);
}

static const char ball[] = "model Ball\n"
                           "  parameter Real g = 9.81, c = 0.8;\n"
                           "  Real h(start = 1, fixed = true), v(start = 0, fixed = true);\n"
                           "  Integer bounces(start = 0, fixed = true);\n"
                           "equation\n"
                           "  der(h) = v;\n"
                           "  der(v) = -g;\n"
                           "  when h <= 0 then\n"
                           "    reinit(v, -c * pre(v));\n"
                           "    bounces = pre(bounces) + 1;\n"
                           "  end when;\n"
                           "end Ball;\n";

// Bounces are at t1 (1 + 2c + 2c^2 + ...), t1 = sqrt(2 / g); with speeds c^n sqrt(2 g) after them.
static void test_closed_form(void **state)
{
    (void)state;
    Fixture f;
    begin(&f, ball, (const char *const[]){"c=0.6:0.9:7", "g=2:10:6"},
          (const char *const[]){"bounces", "count(event(\"h <= 0*\"))",
                                "time_of(event(\"h <= 0*\"), 2)", "after(v, event(\"h <= 0*\"), 2)",
                                "before(v, event(\"h <= 0*\"), 2)", "2 * g"},
          6, 1.7);
    run(&f, SWEEP_CPU, 0.0);
    const SweepKernelReport r = sweep_kernel_report(f.sweep);
    assert_string_equal(r.reason, "");
    assert_int_equal(r.finished, 42); // 1.7 s is before all accumulation points but that of 0.6
    for (size_t i = 0; i < sweep_count(f.sweep); i++) {
        const double c = sweep_value(f.sweep, i, 0), g = sweep_value(f.sweep, i, 1);
        const double first = sqrt(2.0 / g), speed = sqrt(2.0 * g);
        double t = first, bounces = 0.0;
        for (double power = c; t < 1.7; power *= c, bounces++)
            t += 2.0 * power * first;
        const JournalRecord p = sweep_point(f.sweep, i);
        assert_int_equal(p.status, SALTUS_OK);
        assert_true(p.values[0] == bounces);
        assert_true(p.values[1] == bounces);
        // Rodas5P is exact for parabolas: what is left is the location, a few units of t, and v.
        if (bounces >= 2.0) {
            assert_true(fabs(p.values[2] - first * (1.0 + 2.0 * c)) < 1e-10);
            assert_true(fabs(p.values[3] - c * c * speed) < 1e-8);
            assert_true(fabs(p.values[4] + c * speed) < 1e-8);
        } else {
            assert_true(isnan(p.values[2]));
            assert_string_equal(p.message, "'event(\"h <= 0*\")' happened 1 time only");
        }
        assert_true(p.values[5] == 2.0 * g);
    }
    end(&f);
}

// Over the whole run: of the speed, which jumps, of the height, which has kinks, and of what is
// made of them. A flight with the speed u takes 2 u / g and has the integral 2/3 u^3 / g^2.
static void test_extrema(void **state)
{
    (void)state;
    static const double stop = 1.7;
    Fixture f;
    begin(&f, ball, (const char *const[]){"c=0.7:0.9:5", "g=2:10:6"},
          (const char *const[]){"maximum(v)", "time_of_maximum(v)", "minimum(v)", "integral(h)",
                                "integral(abs(v))", "at(h, 0.9)", "minimum(-abs(v - 1) - h)",
                                "maximum(g * h^2 + time)"},
          8, stop);
    run(&f, SWEEP_CPU, 0.0);
    assert_string_equal(sweep_kernel_report(f.sweep).reason, "");
    assert_int_equal(sweep_kernel_report(f.sweep).finished, 30);
    for (size_t i = 0; i < sweep_count(f.sweep); i++) {
        const double c = sweep_value(f.sweep, i, 0), g = sweep_value(f.sweep, i, 1);
        const double first = sqrt(2.0 / g), *r = sweep_point(f.sweep, i).values;
        const double last = stop < first ? stop : first;
        double begin_time = first, u = sqrt(2.0 * g) * c, at = 1.0 - 0.5 * g * 0.9 * 0.9;
        double integral = last - g * last * last * last / 6.0, path = 0.5 * g * last * last;
        for (; begin_time < stop; u *= c) {
            const double rest = fmin(stop - begin_time, 2.0 * u / g), apex = 0.5 * u * u / g;
            const double height = u * rest - 0.5 * g * rest * rest;
            integral += 0.5 * u * rest * rest - g * rest * rest * rest / 6.0;
            path += rest < u / g ? height : 2.0 * apex - height;
            if (begin_time <= 0.9 && 0.9 <= begin_time + rest)
                at = u * (0.9 - begin_time) - 0.5 * g * (0.9 - begin_time) * (0.9 - begin_time);
            begin_time += 2.0 * u / g;
        }
        // The steps are exact: what is left is the location of the bounces; a maximum is left once
        // no value can be better by 1e-11, in a time of sqrt(1e-11).
        assert_true(fabs(r[0] - c * sqrt(2.0 * g)) < 1e-9);
        assert_true(fabs(r[1] - first) < 1e-9);
        assert_true(fabs(r[2] + sqrt(2.0 * g)) < 1e-9);
        assert_true(fabs(r[3] - integral) < 1e-9);
        assert_true(fabs(r[4] - path) < 1e-9);
        assert_true(fabs(r[5] - at) < 1e-9);
        // At the start, or just before the first bounce; g h^2 falls faster than time rises.
        assert_true(fabs(r[6] + fmax(2.0, sqrt(2.0 * g) + 1.0)) < 1e-9);
        assert_true(r[7] >= g - 1e-9);
    }
    end(&f);
}

// A maximum inside of a step, and kinks that no step knows of: of x = e^(-d t) cos(w t) with x' =
// -d x - w y, y' = w x - d y.
static void test_smooth_extrema(void **state)
{
    (void)state;
    Fixture f;
    begin(&f,
          "model Spiral\n"
          "  parameter Real d = 0.1, w = 3;\n"
          "  Real x(start = 1, fixed = true), y(start = 0, fixed = true);\n"
          "equation\n"
          "  der(x) = -d * x - w * y;\n"
          "  der(y) = w * x - d * y;\n"
          "end Spiral;\n",
          (const char *const[]){"d=0.05:0.5:4", "w=3:9:3"},
          (const char *const[]){"minimum(x)", "time_of_minimum(x)", "maximum(x * y)", "integral(x)",
                                "integral(max(x, 0))", "maximum(abs(y))",
                                "integral(x, from = 0.31, to = 1.23)",
                                "maximum(x, from = 0.1, to = 0.2)", "minimum(x, from = 3)"},
          9, 2.0);
    run(&f, SWEEP_CPU, 0.0);
    assert_int_equal(sweep_kernel_report(f.sweep).finished, 12);
    for (size_t i = 0; i < 12; i++) {
        const double d = sweep_value(f.sweep, i, 0), w = sweep_value(f.sweep, i, 1);
        const double *r = sweep_point(f.sweep, i).values, pi = acos(-1.0);
        // w tan(w t) = -d; the product is e^(-2 d t) sin(2 w t) / 2: w cot(2 w t) = d.
        const double low = (pi - atan(d / w)) / w, high = atan(w / d) / (2.0 * w);
        // The integral of e^(-d t) cos(w t) from 0 to t.
        double whole = 0.0, positive = 0.0, before = 0.0;
        const double size = d * d + w * w;
        for (int k = 0;; k++) {
            const double t = fmin(2.0, (k + 0.5) * pi / w);
            const double until = (d + exp(-d * t) * (w * sin(w * t) - d * cos(w * t))) / size;
            positive += k % 2 == 0 ? until - before : 0.0;
            whole = before = until;
            if (t == 2.0)
                break;
        }
        assert_true(fabs(r[0] - exp(-d * low) * cos(w * low)) < 1e-7); // ten times the tolerance
        assert_true(fabs(r[1] - low) < 1e-4);                          // its root
        assert_true(fabs(r[2] - 0.5 * exp(-2.0 * d * high) * sin(2.0 * w * high)) < 1e-7);
        assert_true(fabs(r[3] - whole) < 1e-7);
        assert_true(fabs(r[4] - positive) < 1e-7);
        assert_true(fabs(r[5] - exp(-d * atan(w / d) / w) * sin(atan(w / d))) < 1e-7);
        double part = 0.0;
        for (int k = 0; k < 2; k++) {
            const double t = k ? 1.23 : 0.31, sign = k ? 1.0 : -1.0;
            part += sign * (exp(-d * t) * (w * sin(w * t) - d * cos(w * t))) / size;
        }
        assert_true(fabs(r[6] - part) < 1e-7);
        assert_true(fabs(r[7] - exp(-d * 0.1) * cos(w * 0.1)) < 1e-7); // it falls there
        assert_true(isnan(r[8]));
    }
    end(&f);
}

// Explicit methods: e^(-d t) cos(w t) once more, and bounces that are exact.
static void expect_explicit(SaltusSolver solver)
{
    static const char text[] = "model Both\n"
                               "  parameter Real d = 0.1, c = 0.8;\n"
                               "  Real x(start = 1, fixed = true), y(start = 0, fixed = true);\n"
                               "  Real h(start = 1, fixed = true), v(start = 0, fixed = true);\n"
                               "equation\n"
                               "  der(x) = -d * x - 5 * y;\n"
                               "  der(y) = 5 * x - d * y;\n"
                               "  der(h) = v;\n"
                               "  der(v) = -2;\n"
                               "  when h <= 0 then reinit(v, -c * pre(v)); end when;\n"
                               "end Both;\n";
    static const char *const watch[] = {"x", "y", "v", "count(event(\"h*\"))", "minimum(x)"};
    Fixture f;
    begin(&f, text, (const char *const[]){"d=0.05:0.5:4", "c=0.7:0.9:3"}, watch, 5, 3.5);
    const double stop = 3.5;
    use_solver(&f, solver);
    run(&f, SWEEP_CPU, 0.0);
    assert_string_equal(sweep_kernel_report(f.sweep).reason, "");
    assert_int_equal(sweep_kernel_report(f.sweep).finished, 12);
    for (size_t i = 0; i < 12; i++) {
        const double d = sweep_value(f.sweep, i, 0), c = sweep_value(f.sweep, i, 1);
        const double *r = sweep_point(f.sweep, i).values;
        const double low = (acos(-1.0) - atan(d / 5.0)) / 5.0;
        // Bounces at 1 (the speed is 2 then) and 1 + 2 c.
        const double bounces = 1.0 + (1.0 + 2.0 * c < 3.5) + (1.0 + 2.0 * c + 2.0 * c * c < 3.5);
        const double since = bounces == 2.0 ? 2.5 - 2.0 * c : 2.5 - 2.0 * c - 2.0 * c * c;
        assert_true(fabs(r[0] - exp(-d * stop) * cos(5.0 * stop)) < 1e-6); // many steps of 1e-8
        assert_true(fabs(r[1] - exp(-d * stop) * sin(5.0 * stop)) < 1e-6);
        assert_true(r[3] == bounces);
        if (bounces == 2.0)
            assert_true(fabs(r[2] - (2.0 * c * c - 2.0 * since)) < 1e-9);
        assert_true(fabs(r[4] - exp(-d * low) * cos(5.0 * low)) < 1e-6);
    }
    end(&f);
}

static void test_dopri5(void **state)
{
    (void)state;
    expect_explicit(SALTUS_SOLVER_DOPRI5);
}

static void test_dop853(void **state)
{
    (void)state;
    expect_explicit(SALTUS_SOLVER_DOP853);
}

// Steps of dop853 are long: a fast wave crosses zero several times in one, and in others it only
// comes near. x = sin(w t) is beyond a in the middle of each half wave if a < 1.
static void test_long_steps(void **state)
{
    (void)state;
    static const double stop = 20.0;
    static const char text[] = "model Wave\n"
                               "  parameter Real w = 5, a = 0.9;\n"
                               "  Real x(start = 0, fixed = true), y(start = 1, fixed = true);\n"
                               "equation\n"
                               "  der(x) = w * y;\n"
                               "  der(y) = -w * x;\n"
                               "  when x >= a then end when;\n"
                               "  when x * y^3 <= -0.3247 then end when;\n"
                               "end Wave;\n";
    static const char *const watch[] = {"count(event(\"x >= a*\"))", "count(event(\"x*y*\"))",
                                        "time_of(event(\"x >= a*\"), 5)"};
    Fixture f;
    begin(&f, text, (const char *const[]){"w=3:9:7", "a=0.9,0.999,0.99999,1.00001,1.1"}, watch, 3,
          stop);
    use_solver(&f, SALTUS_SOLVER_DOP853);
    double end_time;
    SaltusOptions options = *study_options(f.study, &end_time);
    options.method.max_step = 0.0; // as long as they like
    study_set_options(f.study, &options, end_time);
    run(&f, SWEEP_CPU, 0.0);
    assert_string_equal(sweep_kernel_report(f.sweep).reason, "");
    assert_int_equal(sweep_kernel_report(f.sweep).finished, 35);
    for (size_t i = 0; i < 35; i++) {
        const double w = sweep_value(f.sweep, i, 0), a = sweep_value(f.sweep, i, 1);
        const double *r = sweep_point(f.sweep, i).values, pi = acos(-1.0);
        double up = 0.0, down = 0.0;
        for (int k = 0; a < 1.0 && k < 40; k++) {
            up += (asin(a) + 2.0 * pi * k) / w < stop;
            down += (pi - asin(a) + 2.0 * pi * k) / w < stop;
        }
        assert_true(r[0] == up + down);
        // sin u cos^3 u is 0.32476 where sin u = 1/2: it is there twice in a wave, each time for
        // an angle of 0.012 or so, in and out.
        double near = 0.0;
        for (int k = 0; k < 80; k++)
            near += 2.0 * (w * stop > pi * k + 5.0 * pi / 6.0 + 0.02);
        assert_true(fabs(r[1] - near) <= 1.0); // one may be at the end
        if (a < 1.0)
            assert_true(fabs(r[2] - (asin(a) + 4.0 * pi) / w) < 1e-6 / sqrt(1.0 - a * a));
    }
    end(&f);
}

// A sampled controller and a load that comes at a time: x' = -k x + u + l has a closed form
// between.
static void test_samples(void **state)
{
    (void)state;
    Fixture f;
    begin(&f,
          "model Sampled\n"
          "  parameter Real k = 2, t1 = 0.55;\n"
          "  Real x(start = 1, fixed = true);\n"
          "  discrete Real u(start = 0, fixed = true);\n"
          "  Integer n(start = 0, fixed = true);\n"
          "equation\n"
          "  der(x) = -k * x + u + (if time >= t1 then 1 else 0);\n"
          "  when sample(0, 0.1) then\n"
          "    u = 1 - 0.5 * x;\n"
          "    n = pre(n) + 1;\n"
          "  end when;\n"
          "end Sampled;\n",
          (const char *const[]){"k=1:3:5", "t1=0.23:0.9:4"},
          (const char *const[]){"x", "n", "count(event(\"sample*\"))", "count(event())",
                                "time_of(event(\"time*\"), 1)", "integral(u)", "maximum(u)"},
          7, 0.95);
    run(&f, SWEEP_CPU, 0.0);
    assert_string_equal(sweep_kernel_report(f.sweep).reason, "");
    assert_int_equal(sweep_kernel_report(f.sweep).finished, 20);
    for (size_t i = 0; i < 20; i++) {
        const double k = sweep_value(f.sweep, i, 0), t1 = sweep_value(f.sweep, i, 1);
        const double *r = sweep_point(f.sweep, i).values;
        double x = 1.0, integral = 0.0, most = 0.0;
        for (int n = 0; n < 10; n++) {
            const double from = 0.1 * n, to = fmin(from + 0.1, 0.95), u = 1.0 - 0.5 * x;
            const double cut = fmin(fmax(t1, from), to);
            x = u / k + (x - u / k) * exp(-k * (cut - from));
            x = (u + 1.0) / k + (x - (u + 1.0) / k) * exp(-k * (to - cut));
            integral += u * (to - from);
            most = fmax(most, u);
        }
        assert_true(fabs(r[0] - x) < 1e-7); // ten times the tolerance
        assert_true(r[1] == 10.0);
        assert_true(r[2] == 9.0); // that of the start is not an event of its own
        assert_true(r[3] == (t1 == 0.9 ? 9.0 : 10.0) || fabs(t1 - 0.9) < 1e-12);
        assert_true(r[4] == t1);
        assert_true(fabs(r[5] - integral) < 1e-7);
        assert_true(fabs(r[6] - most) < 1e-7);
    }
    end(&f);
}

// Time events that are rounding apart, or at the same time as others, and a thermostat between
// them: as many events as in the ordinary run.
static void test_times(void **state)
{
    (void)state;
    enum { COUNT = 7 };
    static const char text[] =
        "model Thermostat\n"
        "  parameter Real T = 0.25, k = 0.6;\n"
        "  Real x(start = 15, fixed = true);\n"
        "  Boolean on(start = true, fixed = true);\n"
        "  Integer switches(start = 0, fixed = true);\n"
        "  discrete Real y(start = 0, fixed = true), next(start = 0.3, fixed = true);\n"
        "equation\n"
        "  der(x) = -k * (x - 10 - 2 * sin(time)) + (if on then 12 else 0);\n"
        "  when x >= 21 then on = false; elsewhen x <= 18 then on = true; end when;\n"
        "  when change(on) then switches = pre(switches) + 1; end when;\n"
        "  when {sample(0.1, T), time >= pre(next)} then\n"
        "    y = x;\n"
        "    next = if time >= pre(next) then pre(next) + 0.7 else pre(next);\n"
        "  end when;\n"
        "end Thermostat;\n";
    static const char *const axes[] = {"k=0.4:1:4", "T=0.2:0.3:5"};
    static const char *const watch[] = {"switches",
                                        "count(event())",
                                        "count(event(\"sample*\"))",
                                        "count(event(\"time*\"))",
                                        "next",
                                        "y",
                                        "integral(y)"};
    Fixture usual, kernel;
    begin(&usual, text, axes, watch, COUNT, 12.0);
    begin(&kernel, text, axes, watch, COUNT, 12.0);
    run(&usual, SWEEP_RUNS, 0.0);
    run(&kernel, SWEEP_CPU, 0.0);
    assert_true(sweep_kernel_report(kernel.sweep).finished >= 15);
    for (size_t i = 0; i < 20; i++) {
        const double *a = sweep_point(usual.sweep, i).values;
        const double *b = sweep_point(kernel.sweep, i).values;
        for (int k = 0; k < 5; k++)
            assert_true(a[k] == b[k]);
        for (int k = 5; k < COUNT; k++) // some forty events of 1e-8 each
            assert_true(fabs(a[k] - b[k]) < 1e-6 * fabs(a[k]));
    }
    end(&usual);
    end(&kernel);
}

static const char contact[] =
    "model Contact\n"
    "  parameter Real g = 9.81, k = 1e6, d = 500;\n"
    "  Real x(start = 10, fixed = true), v(start = 0, fixed = true), w(start = 0, fixed = true);\n"
    "  Real y = x + w, f = -k * x - d * v;\n"
    "  Boolean contact(start = false, fixed = true);\n"
    "  Integer contacts(start = 0, fixed = true);\n"
    "equation\n"
    "  der(x) = v;\n"
    "  der(v) = if contact then f - g else -0.002 * v * noEvent(abs(v)) - g;\n"
    "  der(w) = if contact then -v else -(k / d) * w;\n"
    "  when y <= 0 then contact = true; elsewhen f <= 0 then contact = false; end when;\n"
    "  when contact then contacts = pre(contacts) + 1; end when;\n"
    "end Contact;\n";

static const char *const contact_axes[] = {"k=1e4:1e8:log:6", "d=50:5000:log:6"};
static const char *const contact_watch[] = {
    "contacts", "count(event(\"y*\"))", "count(event(\"f*\"))", "time_of(event(\"f*\"), 2)", "x"};

// The stiff contact, a double root at each lift-off, an event function that rests at zero: the same
// numbers of events as the ordinary run at all points, times and values within the tolerance.
static void test_agreement(void **state)
{
    (void)state;
    Fixture usual, kernel;
    begin(&usual, contact, contact_axes, contact_watch, 5, 4.0);
    begin(&kernel, contact, contact_axes, contact_watch, 5, 4.0);
    run(&usual, SWEEP_RUNS, 0.0);
    run(&kernel, SWEEP_CPU, 0.1);
    const SweepKernelReport r = sweep_kernel_report(kernel.sweep);
    assert_false(r.is_distrusted);
    assert_int_equal(r.finished + r.checked, 36);
    assert_true(r.checked >= 4);
    for (size_t i = 0; i < 36; i++) {
        const double *a = sweep_point(usual.sweep, i).values;
        const double *b = sweep_point(kernel.sweep, i).values;
        for (int k = 0; k < 3; k++)
            assert_true(a[k] == b[k]);
        // Errors of 1e-8 in each contact, some twenty of them, of speeds of 14 m/s.
        assert_true(isnan(a[3]) ? isnan(b[3]) : fabs(a[3] - b[3]) < 1e-7);
        assert_true(fabs(a[4] - b[4]) < 1e-5);
    }
    end(&usual);
    end(&kernel);
}

// Two models of C21: a rope that becomes loose, where the length has a triple root, and taut again;
// a diode whose voltage begins with a double root. All points by the kernel, none set aside, the
// same numbers of events as the ordinary run.
static void expect_agreement(const char *file, const char *model, const char *const axes[2],
                             const char *const watch[3], double stop_time, double size,
                             SaltusSolver solver)
{
    Fixture usual, kernel;
    begin_file(&usual, file, model, axes, watch, 3, stop_time);
    begin_file(&kernel, file, model, axes, watch, 3, stop_time);
    use_solver(&usual, solver);
    use_solver(&kernel, solver);
    run(&usual, SWEEP_RUNS, 0.0);
    run(&kernel, SWEEP_CPU, 0.0);
    assert_string_equal(sweep_kernel_report(kernel.sweep).reason, "");
    assert_int_equal(sweep_kernel_report(kernel.sweep).aside, 0);
    double events = 0.0;
    for (size_t i = 0; i < sweep_count(usual.sweep); i++) {
        const double *a = sweep_point(usual.sweep, i).values;
        const double *b = sweep_point(kernel.sweep, i).values;
        assert_true(a[0] == b[0]);
        events += a[0];
        for (int k = 1; k < 3; k++) // a thousand times the tolerance: many events in each run
            assert_true(fabs(a[k] - b[k]) < 1e-5 * size);
    }
    assert_true(events >= 0.5 * (double)sweep_count(usual.sweep)); // there is something to compare
    end(&usual);
    end(&kernel);
}

static void test_pendulum(void **state)
{
    (void)state;
    expect_agreement(SALTUS_SOURCE_DIR "/benchmarks/c21/Pendulum.mo", "Pendulum.MaximalStateSpace",
                     (const char *const[]){"omega0=5:12:4", "k=0.05:0.4:3"},
                     (const char *const[]){"count(event(\"F*\"))", "phi", "omega"}, 6.0, 10.0,
                     SALTUS_SOLVER_RODAS);
    expect_agreement(SALTUS_SOURCE_DIR "/benchmarks/c21/Pendulum.mo", "Pendulum.MaximalStateSpace",
                     (const char *const[]){"omega0=5:12:4", "k=0.05:0.4:3"},
                     (const char *const[]){"count(event(\"F*\"))", "phi", "omega"}, 6.0, 10.0,
                     SALTUS_SOLVER_DOP853);
}

static void test_circuit(void **state)
{
    (void)state;
    expect_agreement(SALTUS_SOURCE_DIR "/benchmarks/c21/Circuit.mo", "Circuit.ShortcutMatrix",
                     (const char *const[]){"R1=10:1000:log:3", "R2=10:40:2"},
                     (const char *const[]){"count(event(\"h > 0*\"))", "u_C", "i"}, 100e-6, 1.0,
                     SALTUS_SOLVER_RODAS);
}

// As many as are asked for are run both ways, also if they are more than a kernel is given at once.
static void test_checked(void **state)
{
    (void)state;
    Fixture f;
    begin(&f, ball, (const char *const[]){"c=0.6:0.9:50", "g=2:5:50"},
          (const char *const[]){"bounces"}, 1, 0.95);
    run(&f, SWEEP_CPU, 1.0);
    assert_int_equal(sweep_kernel_report(f.sweep).checked, 2500);
    assert_false(sweep_kernel_report(f.sweep).is_distrusted);
    end(&f);
}

// The text for the GPU is CUDA: where there is nvcc, it compiles it.
static void test_cuda(void **state)
{
    (void)state;
    Fixture f;
    if (!cuda_is_there())
        skip();
    begin(&f, contact, contact_axes,
          (const char *const[]){"contacts", "maximum(v)", "integral(abs(v))", "at(x, 1.5)"}, 4,
          4.0);
    const int status = cuda_compile(sweep_kernel_create(f.study, f.axes, 2, KERNEL_GPU));
    end(&f);
    assert_int_equal(status, 0);
}

// Lanes do not know of each other: any number of them gives the same trajectories, up to the order
// in which sums are rounded.
static void test_lanes(void **state)
{
    (void)state;
    enum { COUNT = 20, RESULTS = 2 };
    static const unsigned lanes[] = {1, 2, 4};
    double axes[COUNT], results[3][COUNT * RESULTS];
    int status[3][COUNT];
    Fixture f;
    begin(&f, ball, (const char *const[]){"c=0.6:0.9:7", NULL}, (const char *const[]){"h", "v"}, 2,
          1.0);
    const Parameters names = model_list_parameters(study_model(f.study));
    const uint32_t number = f.axes[0].parameter, slots[] = {0, 1};
    double *p = calloc(names.count, sizeof *p);
    assert_non_null(p);
    assert_true(model_parameters(study_model(f.study), NULL, 0, p));
    for (int i = 0; i < COUNT; i++)
        axes[i] = 0.5 + 0.02 * i;
    for (int k = 0; k < 3; k++) {
        const KernelDef def = {.model = study_model(f.study),
                               .parameters = p,
                               .axes = &number,
                               .axis_count = 1,
                               .method = {.solver = SALTUS_SOLVER_RODAS,
                                          .relative_tolerance = 1e-8,
                                          .absolute_tolerance = 1e-11},
                               .stop_time = 1.0,
                               .slots = slots,
                               .slot_count = 2,
                               .lanes = lanes[k]};
        KernelCode *kernel = kernel_create(&def, KERNEL_CPU);
        assert_non_null(kernel);
        assert_string_equal(kernel_reason(kernel), "");
        assert_true(kernel_run(kernel, axes, COUNT, results[k], status[k]));
        kernel_destroy(kernel);
        for (int i = 0; i < COUNT; i++) {
            assert_int_equal(status[k][i], 0);
            for (int j = 0; j < RESULTS; j++)
                assert_true(fabs(results[k][i * RESULTS + j] - results[0][i * RESULTS + j]) <
                            1e-10);
        }
    }
    free(p);
    end(&f);
}

// A stiff equation of time: x = sin(t) + e^(-k t) is what an exact Jacobian finds in few steps.
static void test_time(void **state)
{
    (void)state;
    Fixture f;
    begin(&f,
          "model Stiff\n"
          "  parameter Real k = 1e4;\n"
          "  Real x(start = 1, fixed = true), y(start = 1, fixed = true);\n"
          "equation\n"
          "  der(x) = -k * (x - sin(time)) + cos(time);\n"
          "  der(y) = -y * exp(log(y)) * sqrt(4) / tan(atan(2));\n" // y' = -y^2
          "end Stiff;\n",
          (const char *const[]){"k=1:1e6:log:7", NULL}, (const char *const[]){"x", "y"}, 2, 2.0);
    run(&f, SWEEP_CPU, 0.0);
    assert_int_equal(sweep_kernel_report(f.sweep).finished, 7);
    for (size_t i = 0; i < 7; i++) {
        const JournalRecord p = sweep_point(f.sweep, i);
        const double x = sin(2.0) + exp(-2.0 * sweep_value(f.sweep, i, 0));
        assert_true(fabs(p.values[0] - x) < 1e-7); // ten times the tolerance
        assert_true(fabs(p.values[1] - 1.0 / 3.0) < 1e-7);
    }
    end(&f);
}

// Accumulating bounces are for the ordinary run, which says so.
static void test_zeno(void **state)
{
    (void)state;
    Fixture usual, kernel;
    static const char *const axes[] = {"c=0.3:0.8:6", NULL};
    static const char *const watch[] = {"bounces"};
    begin(&usual, ball, axes, watch, 1, 2.0);
    begin(&kernel, ball, axes, watch, 1, 2.0);
    run(&usual, SWEEP_RUNS, 0.0);
    run(&kernel, SWEEP_CPU, 0.0);
    const SweepKernelReport r = sweep_kernel_report(kernel.sweep);
    size_t accumulating = 0;
    for (size_t i = 0; i < 6; i++) {
        const JournalRecord a = sweep_point(usual.sweep, i), b = sweep_point(kernel.sweep, i);
        assert_int_equal(a.status, b.status);
        assert_true(a.values[0] == b.values[0]);
        accumulating += a.status == SALTUS_ZENO;
    }
    assert_true(accumulating >= 2);
    assert_int_equal(r.aside, accumulating);
    assert_non_null(r.first_aside);
    end(&usual);
    end(&kernel);
}

// What the kernel cannot hold is run as usual, with the same bits, and the reason is said.
static void expect_reason(const char *text, const char *axis, const char *watch, const char *reason)
{
    Fixture usual, kernel;
    const char *const axes[] = {axis, NULL};
    begin(&usual, text, axes, &watch, 1, 1.0);
    begin(&kernel, text, axes, &watch, 1, 1.0);
    run(&usual, SWEEP_RUNS, 0.0);
    run(&kernel, SWEEP_CPU, 0.0);
    assert_string_equal(sweep_kernel_report(kernel.sweep).reason, reason);
    for (size_t i = 0; i < sweep_count(usual.sweep); i++)
        assert_memory_equal(sweep_point(usual.sweep, i).values, sweep_point(kernel.sweep, i).values,
                            sizeof(double));
    end(&usual);
    end(&kernel);
}

static void test_reasons(void **state)
{
    (void)state;
    expect_reason("model M parameter Real p = 1; Real x(start = 1, fixed = true); equation der(x) "
                  "= -p * delay(x, 0.1); end M;",
                  "p=1:2:3", "x", "it has delays or terminal()");
    expect_reason("model M parameter Real p = 1; Real x(start = 1, fixed = true), y; equation if x "
                  "> 5 then der(x) = -p; y = 1; else der(x) = 1; der(y) = p; end if; end M;",
                  "p=1:2:3", "x", "its structure may change, and did not in any run of a sample");
    expect_reason("model M parameter Real p = 1; Real x(start = 1, fixed = true); equation der(x) "
                  "= -p * x; assert(x > 0, \"positive\"); end M;",
                  "p=1:2:3", "x", "it has assertions");
    expect_reason("model M parameter Real p = 1; Real x(start = 1, fixed = true); equation der(x) "
                  "= -p * x; end M;",
                  "p=1:2:3", "duration(x > 0.5)", "it observes durations");
    expect_reason("model M parameter Real p = 1; Real x(start = 1, fixed = true); equation der(x) "
                  "= -p * x; end M;",
                  "p=1:2:3", "maximum(x, from = 0.1 * p)",
                  "it observes a part of the run between times that are not written as numbers");
    expect_reason("model M parameter Real p = 1; Real x(start = 1, fixed = true); equation der(x) "
                  "= -p * x; end M;",
                  "p=1:2:3", "time_of(x < 0.5)",
                  "it observes conditions that are not written as event(\"...\")");
}

// Blocks of equations, linear and nonlinear, in derivatives, event functions and what is observed,
// and at the start.
static void test_blocks(void **state)
{
    (void)state;
    Fixture usual, kernel;
    static const char text[] = "model Blocks\n"
                               "  parameter Real p = 1;\n"
                               "  Real x(start = 1, fixed = true), y(start = 0.3), a, b;\n"
                               "  Integer n(start = 0, fixed = true);\n"
                               "equation\n"
                               "  der(x) = -y + sin(3 * time);\n"
                               "  y + exp(y) = p * x + 2;\n"
                               "  a + b = x;\n"
                               "  2 * a - p * b = y + time;\n"
                               "  when y > 0.25 then n = pre(n) + 1; end when;\n"
                               "end Blocks;\n";
    static const char *const axes[] = {"p=0.5:2:12", NULL};
    static const char *const watch[] = {"n", "x", "a", "maximum(y)", "integral(b)"};
    begin(&usual, text, axes, watch, 5, 6.0);
    begin(&kernel, text, axes, watch, 5, 6.0);
    run(&usual, SWEEP_RUNS, 0.0);
    run(&kernel, SWEEP_CPU, 0.0);
    assert_string_equal(sweep_kernel_report(kernel.sweep).reason, "");
    assert_int_equal(sweep_kernel_report(kernel.sweep).aside, 0);
    double events = 0.0;
    for (size_t i = 0; i < 12; i++) {
        const double *a = sweep_point(usual.sweep, i).values;
        const double *b = sweep_point(kernel.sweep, i).values;
        assert_true(a[0] == b[0]);
        events += a[0];
        for (int k = 1; k < 5; k++) // ten times the tolerance of values of 10
            assert_true(fabs(a[k] - b[k]) < 1e-6);
    }
    assert_true(events > 0.0);
    end(&usual);
    end(&kernel);
}

// Results of many points leave the memory again, also where points that are far from each other are
// checked: 600,000 points would take 14 MB. (Sanitizers keep what is freed.)
static void test_memory(void **state)
{
    (void)state;
    if (IS_SANITIZED)
        skip();
    Fixture f;
    struct rusage before, after;
    char *message = NULL;
    begin(&f,
          "model M parameter Real p = 1, q = 1; Real x(start = 1, fixed = true); equation der(x) = "
          "-p * x + q; end M;",
          (const char *const[]){"p=0.1:2:1000", "q=0:1:600"}, (const char *const[]){"x"}, 1, 0.01);
    f.def = (SweepDef){.study = f.study,
                       .axes = f.axes,
                       .axis_count = f.axis_count,
                       .device = SWEEP_CPU,
                       .checked = 1e-3,
                       .jobs = 1};
    f.sweep = sweep_create(&f.def, &message);
    assert_non_null(f.sweep);
    getrusage(RUSAGE_SELF, &before);
    assert_int_equal(sweep_run(f.sweep, &message), SWEEP_FINISHED);
    getrusage(RUSAGE_SELF, &after);
    assert_string_equal(sweep_kernel_report(f.sweep).reason, "");
    assert_true(after.ru_maxrss - before.ru_maxrss < 7000); // kB
    end(&f);
}

// A velocity that decays is zero up to the errors of the solver: whether it crosses zero again is
// the ordinary run's to say.
static void test_decay(void **state)
{
    (void)state;
    Fixture usual, kernel;
    static const char text[] = "model Decay\n"
                               "  parameter Real k = 100;\n"
                               "  Real x(start = 1, fixed = true), v(start = 0, fixed = true);\n"
                               "  Integer n(start = 0, fixed = true);\n"
                               "equation\n"
                               "  der(x) = v;\n"
                               "  der(v) = -k * x - 10 * v;\n"
                               "  when v > 0 then n = pre(n) + 1; end when;\n"
                               "end Decay;\n";
    static const char *const axes[] = {"k=10:1000:log:8", NULL};
    static const char *const watch[] = {"n"};
    begin(&usual, text, axes, watch, 1, 40.0);
    begin(&kernel, text, axes, watch, 1, 40.0);
    run(&usual, SWEEP_RUNS, 0.0);
    run(&kernel, SWEEP_CPU, 0.0);
    assert_true(sweep_kernel_report(kernel.sweep).aside > 0);
    for (size_t i = 0; i < 8; i++)
        assert_true(sweep_point(usual.sweep, i).values[0] ==
                    sweep_point(kernel.sweep, i).values[0]);
    end(&usual);
    end(&kernel);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_closed_form), cmocka_unit_test(test_agreement),
        cmocka_unit_test(test_extrema),     cmocka_unit_test(test_smooth_extrema),
        cmocka_unit_test(test_checked),     cmocka_unit_test(test_dopri5),
        cmocka_unit_test(test_dop853),      cmocka_unit_test(test_long_steps),
        cmocka_unit_test(test_samples),     cmocka_unit_test(test_times),
        cmocka_unit_test(test_lanes),       cmocka_unit_test(test_time),
        cmocka_unit_test(test_zeno),        cmocka_unit_test(test_reasons),
        cmocka_unit_test(test_decay),       cmocka_unit_test(test_pendulum),
        cmocka_unit_test(test_circuit),     cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_memory),      cmocka_unit_test(test_cuda),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
