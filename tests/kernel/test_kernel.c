// SPDX-License-Identifier: MIT
//
// Kernels: against closed forms, against the ordinary run, and what they leave to it.

#define _DEFAULT_SOURCE // mkstemps

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "studies/sweep.h"
#include "studies/sweep_kernel.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
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
    char message[AXIS_MESSAGE];
    f->study = study_create(&def);
    assert_non_null(f->study);
    assert_non_null(study_observations(f->study));
    for (; f->axis_count < 2 && axes[f->axis_count]; f->axis_count++)
        assert_true(axis_read(f->study, axes[f->axis_count], &f->axes[f->axis_count], message));
}

static void begin(Fixture *f, const char *text, const char *const axes[2],
                  const char *const *observations, size_t count, double stop_time)
{
    begin_file(f, NULL, text, axes, observations, count, stop_time);
}

static void run(Fixture *f, SweepDevice device, double checked)
{
    char message[SWEEP_MESSAGE];
    f->def = (SweepDef){.study = f->study,
                        .axes = f->axes,
                        .axis_count = f->axis_count,
                        .device = device,
                        .checked = checked,
                        .jobs = 2};
    f->sweep = sweep_create(&f->def, message);
    assert_non_null(f->sweep);
    assert_int_equal(sweep_run(f->sweep, message), SWEEP_FINISHED);
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
        const SweepPoint p = sweep_point(f.sweep, i);
        assert_int_equal(p.status, SALTUS_OK);
        assert_true(p.results[0] == bounces);
        assert_true(p.results[1] == bounces);
        // Rodas5P is exact for parabolas: what is left is the location, a few units of t, and v.
        if (bounces >= 2.0) {
            assert_true(fabs(p.results[2] - first * (1.0 + 2.0 * c)) < 1e-10);
            assert_true(fabs(p.results[3] - c * c * speed) < 1e-8);
            assert_true(fabs(p.results[4] + c * speed) < 1e-8);
        } else {
            assert_true(isnan(p.results[2]));
            assert_string_equal(p.message, "'event(\"h <= 0*\")' happened 1 time only");
        }
        assert_true(p.results[5] == 2.0 * g);
    }
    end(&f);
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
        const double *a = sweep_point(usual.sweep, i).results;
        const double *b = sweep_point(kernel.sweep, i).results;
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
                             const char *const watch[3], double stop_time, double size)
{
    Fixture usual, kernel;
    begin_file(&usual, file, model, axes, watch, 3, stop_time);
    begin_file(&kernel, file, model, axes, watch, 3, stop_time);
    run(&usual, SWEEP_RUNS, 0.0);
    run(&kernel, SWEEP_CPU, 0.0);
    assert_string_equal(sweep_kernel_report(kernel.sweep).reason, "");
    assert_int_equal(sweep_kernel_report(kernel.sweep).aside, 0);
    double events = 0.0;
    for (size_t i = 0; i < sweep_count(usual.sweep); i++) {
        const double *a = sweep_point(usual.sweep, i).results;
        const double *b = sweep_point(kernel.sweep, i).results;
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
                     (const char *const[]){"count(event(\"F*\"))", "phi", "omega"}, 6.0, 10.0);
}

static void test_circuit(void **state)
{
    (void)state;
    expect_agreement(SALTUS_SOURCE_DIR "/benchmarks/c21/Circuit.mo", "Circuit.ShortcutMatrix",
                     (const char *const[]){"R1=10:1000:log:3", "R2=10:40:2"},
                     (const char *const[]){"count(event(\"h > 0*\"))", "u_C", "i"}, 100e-6, 1.0);
}

// The text for the GPU is CUDA: where there is nvcc, it compiles it.
static void test_cuda(void **state)
{
    (void)state;
    Fixture f;
    char path[] = "/tmp/saltus-kernel-XXXXXX.cu", command[200];
    if (system("command -v nvcc >/dev/null 2>&1") != 0)
        skip();
    begin(&f, contact, contact_axes, contact_watch, 5, 4.0);
    SweepKernel *kernel = sweep_kernel_create(f.study, f.axes, 2, KERNEL_GPU);
    assert_non_null(kernel);
    const String text = kernel_source(sweep_kernel_code(kernel));
    const int descriptor = mkstemps(path, 3);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    assert_non_null(file);
    assert_int_equal(fwrite(text.text, 1, text.length, file), text.length);
    assert_int_equal(fclose(file), 0);
    snprintf(command, sizeof command, "nvcc --ptx -w -o /dev/null %s", path);
    const int status = system(command);
    unlink(path);
    sweep_kernel_destroy(kernel);
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
    const ModelParameters names = model_list_parameters(study_model(f.study));
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
        const SweepPoint p = sweep_point(f.sweep, i);
        const double x = sin(2.0) + exp(-2.0 * sweep_value(f.sweep, i, 0));
        assert_true(fabs(p.results[0] - x) < 1e-7); // ten times the tolerance
        assert_true(fabs(p.results[1] - 1.0 / 3.0) < 1e-7);
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
        const SweepPoint a = sweep_point(usual.sweep, i), b = sweep_point(kernel.sweep, i);
        assert_int_equal(a.status, b.status);
        assert_true(a.results[0] == b.results[0]);
        accumulating += a.status == SALTUS_ZENO;
    }
    assert_true(accumulating >= 2);
    assert_int_equal(r.aside, accumulating);
    assert_string_not_equal(r.first_aside, "");
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
        assert_memory_equal(sweep_point(usual.sweep, i).results,
                            sweep_point(kernel.sweep, i).results, sizeof(double));
    end(&usual);
    end(&kernel);
}

static void test_reasons(void **state)
{
    (void)state;
    expect_reason(
        "model M parameter Real p = 1; Real x(start = 1, fixed = true); discrete Real "
        "d(start = 0, fixed = true); equation der(x) = -p * x; when sample(0, 0.1) then d "
        "= x; end when; end M;",
        "p=1:2:3", "d", "it has samples, delays or terminal()");
    expect_reason("model M parameter Real p = 1; Real x(start = 1, fixed = true); equation der(x) "
                  "= if time < 0.5 then -p else p; end M;",
                  "p=1:2:3", "x", "it has conditions of time");
    expect_reason("model M parameter Real p = 1; Real x(start = 1, fixed = true), y; equation "
                  "der(x) = -y; y + exp(y) = p * x; end M;",
                  "p=1:2:3", "x", "it has equations that have to be solved together");
    expect_reason("model M parameter Real p = 1; Real x(start = 1, fixed = true), y; equation if x "
                  "> 0.5 then der(x) = -p; y = 1; else x = 0.5; der(y) = 1; end if; end M;",
                  "p=1:2:3", "x", "its structure changes");
    expect_reason("model M parameter Real p = 1; Real x(start = 1, fixed = true); equation der(x) "
                  "= -p * x; assert(x > 0, \"positive\"); end M;",
                  "p=1:2:3", "x", "it has assertions");
    expect_reason("model M parameter Real p = 1; Real x(start = 1, fixed = true); equation der(x) "
                  "= -p * x; end M;",
                  "p=1:2:3", "maximum(x)",
                  "it observes extrema, integrals, durations or values at a time");
    expect_reason("model M parameter Real p = 1; Real x(start = 1, fixed = true); equation der(x) "
                  "= -p * x; end M;",
                  "p=1:2:3", "time_of(x < 0.5)",
                  "it observes conditions that are not written as event(\"...\")");
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
        assert_true(sweep_point(usual.sweep, i).results[0] ==
                    sweep_point(kernel.sweep, i).results[0]);
    end(&usual);
    end(&kernel);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_closed_form), cmocka_unit_test(test_agreement),
        cmocka_unit_test(test_lanes),       cmocka_unit_test(test_time),
        cmocka_unit_test(test_zeno),        cmocka_unit_test(test_reasons),
        cmocka_unit_test(test_decay),       cmocka_unit_test(test_pendulum),
        cmocka_unit_test(test_circuit),     cmocka_unit_test(test_cuda),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
