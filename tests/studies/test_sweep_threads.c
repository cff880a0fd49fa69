// SPDX-License-Identifier: MIT
//
// Sweeps, which are made by threads: axes, samples, points in order with the same bits for any
// number of threads, failures, the journal.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "studies/sweep.h"
#include "support/hybrid.h"
#include "trial.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static Axis read_axis(const StudyTrial *t, const char *text)
{
    Axis axis;
    char *message = NULL;
    if (!axis_read(t->study, text, &axis, &message))
        fail_msg("%s", message);
    return axis;
}

static void test_axes(void **state)
{
    (void)state;
    const char *none[] = {"x", NULL};
    StudyTrial t = study_trial(study_ball, 1.0, 1e-6, none);
    Axis axis = read_axis(&t, "mu=0.5,0.25,-1e-3");
    assert_int_equal(axis.count, 3);
    assert_true(axis_value(&axis, 1) == 0.25 && axis_value(&axis, 2) == -1e-3);
    assert_true(axis_sample(&axis, 0.999) == -1e-3 && axis_sample(&axis, 0.0) == 0.5);
    axis_free(&axis);
    axis = read_axis(&t, "g=1:3:5");
    assert_int_equal(axis.count, 5);
    assert_true(axis_value(&axis, 0) == 1.0 && axis_value(&axis, 3) == 2.5);
    axis_free(&axis);
    axis = read_axis(&t, "g=1e4:1e8:log:30");
    assert_true(axis_value(&axis, 0) == 1e4 && axis_value(&axis, 29) == 1e8);
    for (size_t i = 1; i < 30; i++) // pow is accurate to a few units in the last place
        assert_close(axis_value(&axis, i) / axis_value(&axis, i - 1), pow(10.0, 4.0 / 29.0), 1e-13);
    axis_free(&axis);
    // whose quotient, product or difference is no number
    axis = read_axis(&t, "g=1e-300:1e300:log:5");
    for (size_t i = 0; i < 5; i++) // logarithms up to 690: 1e-13 of the value
        assert_close(axis_value(&axis, i) / pow(10.0, 150.0 * (double)i - 300.0), 1.0, 5e-13);
    axis_free(&axis);
    axis = read_axis(&t, "g=-1e-200:-1e-180:log:3");
    assert_close(axis_value(&axis, 1) / -1e-190, 1.0, 1e-13);
    axis_free(&axis);
    axis = read_axis(&t, "g=-1e308:1e308:5");
    assert_true(axis_value(&axis, 1) == -0.5e308 && axis_value(&axis, 2) == 0.0);
    axis_free(&axis);
    axis = read_axis(&t, "g=2:8:log");
    assert_int_equal(axis.count, 0);
    assert_close(axis_sample(&axis, 0.5), 4.0, 1e-14);
    axis_free(&axis);
    study_trial_end(&t);
}

static void test_wrong_axes(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"mu", "NAME=VALUES is needed"},
        {"mu=", "NAME=VALUES is needed"},
        {"=1", "NAME=VALUES is needed"},
        {"mü=1", "did you mean 'mu'?"},
        {"nothing=1", "there is no parameter 'nothing'"},
        {"mu=1,,2", "'' is no value for mu"},
        {"mu=a", "'a' is no value for mu"},
        {"mu=0:x:3", "'x' is no value for mu"},
        {"mu=0:1:0", "'0' is no number of values"},
        {"mu=0:1:2.5", "'2.5' is no number of values"},
        {"mu=0:1:log:5", "cannot reach or cross zero"},
        {"mu=-1:1:log:5", "cannot reach or cross zero"},
        {"mu=0:1:lin:5:6", "too many parts"},
        {"mu=0:1:5:6", "too many parts"},
        {"mu=0:1:1", "a range of one value"},
        {"mu=1e999", "is no value for mu"},
        {"mu=0:1:99999999999", "is no number of values"},
    };
    const char *none[] = {"x", NULL};
    StudyTrial t = study_trial(study_ball, 1.0, 1e-6, none);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Axis axis;
        char *message = NULL;
        assert_false(axis_read(t.study, cases[i].text, &axis, &message));
        assert_contains(message, cases[i].message);
        free(message);
        axis_free(&axis);
    }
    study_trial_end(&t);
}

typedef struct SweepTrial {
    StudyTrial study;
    Axis axes[40];
    SweepDef def;
    Sweep *sweep;
    char *message;
} SweepTrial;

static void begin(SweepTrial *s, const char *model, double stop_time, const char *const *observed,
                  const char *const *axes)
{
    *s = (SweepTrial){.study = study_trial(model, stop_time, 1e-8, observed)};
    if (!study_observations(s->study.study))
        fail_msg("%s", study_trial_messages(&s->study));
    for (; axes[s->def.axis_count]; s->def.axis_count++)
        s->axes[s->def.axis_count] = read_axis(&s->study, axes[s->def.axis_count]);
    s->def.study = s->study.study;
    s->def.axes = s->axes;
    s->def.key = "key";
}

static SweepStatus run(SweepTrial *s)
{
    sweep_destroy(s->sweep);
    s->sweep = sweep_create(&s->def, &s->message);
    if (!s->sweep)
        fail_msg("%s", s->message);
    return sweep_run(s->sweep, &s->message);
}

static void end(SweepTrial *s)
{
    sweep_destroy(s->sweep);
    for (size_t i = 0; i < s->def.axis_count; i++)
        axis_free(&s->axes[i]);
    free(s->message);
    study_trial_end(&s->study);
}

// The ball comes to rest at sqrt(2 x0/g) (1 + mu)/(1 - mu). The guard stops when the interval is
// below 1024 units in the last place of time; what is left is at most that much by 1 - mu.
static void test_zeno_time(void **state)
{
    (void)state;
    const char *observed[] = {"time", "time_of(x <= 0, 3)", NULL};
    const char *axes[] = {"mu=0.3:0.9:7", "x0=1,10", NULL};
    SweepTrial s;
    begin(&s, study_ball, 60.0, observed, axes);
    assert_int_equal(run(&s), SWEEP_FINISHED);
    assert_int_equal(sweep_count(s.sweep), 14);
    for (size_t i = 0; i < 14; i++) {
        const JournalRecord p = sweep_point(s.sweep, i);
        const double mu = sweep_value(s.sweep, i, 0), x0 = sweep_value(s.sweep, i, 1);
        assert_true(x0 == (i % 2 ? 10.0 : 1.0)); // the last axis is the fastest
        assert_int_equal(p.status, SALTUS_ZENO);
        const double first = sqrt(2.0 * x0 / 9.81);
        const double last = first * (1.0 + mu) / (1.0 - mu);
        assert_close(p.values[0], last, 1024.0 * 0x1p-52 * last / (1.0 - mu));
        assert_close(p.values[1], first * (1.0 + 2.0 * mu + 2.0 * mu * mu), 1e-11);
    }
    end(&s);
}

// Any number of threads gives the same bits in the same order.
static void test_threads(void **state)
{
    (void)state;
    const char *observed[] = {"x", "maximum(x * v)", "time_of(falling(v), 1:3)", NULL};
    const char *axes[] = {"mu=0.5:0.8:6", "g=5:15:log:5", NULL};
    double *first = NULL;
    for (unsigned jobs = 1; jobs <= 7; jobs += 3) {
        SweepTrial s;
        begin(&s, study_ball, 1.0, observed, axes);
        s.def.jobs = jobs;
        assert_int_equal(run(&s), SWEEP_FINISHED);
        const size_t size = 30 * sweep_result_count(s.sweep) * sizeof(double);
        const double *results = sweep_point(s.sweep, 0).values;
        if (!first) {
            first = malloc(size);
            assert_non_null(first);
            memcpy(first, results, size);
        }
        assert_memory_equal(first, results, size);
        end(&s);
    }
    free(first);
}

// Modes are made when a run first enters them, by whichever thread that is: x is differentiated
// until p, and given afterwards.
static void test_threads_and_modes(void **state)
{
    (void)state;
    const char *model = "model Ends\n"
                        "  parameter Real p = 0.5;\n"
                        "  Real x(start = 0, fixed = true);\n"
                        "equation\n"
                        "  if time < p then der(x) = 10; else x = -5; end if;\n"
                        "end Ends;\n";
    const char *observed[] = {"x", "maximum(x)", "time_of(transition())", NULL};
    const char *axes[] = {"p=0.1:0.9:24", NULL};
    SweepTrial s;
    begin(&s, model, 1.0, observed, axes);
    s.def.jobs = 6;
    assert_int_equal(run(&s), SWEEP_FINISHED);
    for (size_t i = 0; i < 24; i++) {
        const JournalRecord point = sweep_point(s.sweep, i);
        const double p = sweep_value(s.sweep, i, 0);
        if (point.status < 0)
            fail_msg("%s", point.message);
        assert_true(point.values[0] == -5.0);
        assert_close(point.values[1], 10.0 * p, 1e-9);
        assert_close(point.values[2], p, 1e-15);
    }
    end(&s);
}

// A Latin hypercube has one point in each stratum of each axis; the seed decides which.
static void test_samples(void **state)
{
    (void)state;
    const char *observed[] = {"x", NULL};
    const char *axes[] = {"mu=0:1", "g=1:100:log", NULL};
    SweepTrial s;
    begin(&s, study_ball, 0.1, observed, axes);
    s.def.sample = SWEEP_HYPERCUBE;
    s.def.sample_count = 16;
    s.def.seed = 7;
    s.sweep = sweep_create(&s.def, &s.message);
    unsigned seen[2] = {0, 0};
    for (size_t i = 0; i < 16; i++) {
        seen[0] |= 1u << (unsigned)(16.0 * sweep_value(s.sweep, i, 0));
        seen[1] |= 1u << (unsigned)(16.0 * log10(sweep_value(s.sweep, i, 1)) / 2.0);
    }
    assert_int_equal(seen[0], 0xffff);
    assert_int_equal(seen[1], 0xffff);
    const double value = sweep_value(s.sweep, 3, 0);
    sweep_destroy(s.sweep);
    s.sweep = sweep_create(&s.def, &s.message);
    assert_true(sweep_value(s.sweep, 3, 0) == value);
    sweep_destroy(s.sweep);
    s.def.seed = 8;
    s.sweep = sweep_create(&s.def, &s.message);
    assert_true(sweep_value(s.sweep, 3, 0) != value);
    sweep_destroy(s.sweep);
    s.def.sample = SWEEP_RANDOM;
    s.def.sample_count = 1000;
    s.sweep = sweep_create(&s.def, &s.message);
    double sum = 0.0;
    for (size_t i = 0; i < 1000; i++)
        sum += sweep_value(s.sweep, i, 0) / 1000.0;
    assert_close(sum, 0.5, 5.0 * sqrt(1.0 / 12.0 / 1000.0)); // five standard deviations
    end(&s);
}

// 1/(time - p) has a pole inside the run for p < 1: these points fail, the others go on.
static void test_failures(void **state)
{
    (void)state;
    const char *model = "model Pole\n"
                        "  parameter Real p = 2;\n"
                        "  Real x(start = 0, fixed = true);\n"
                        "equation\n"
                        "  der(x) = if time < p then 1 else sqrt(-1 - x ^ 2);\n"
                        "end Pole;\n";
    const char *observed[] = {"x", "time_of(x > 5)", NULL};
    const char *axes[] = {"p=0.5,1.5,0.7,3", NULL};
    SweepTrial s;
    begin(&s, model, 1.0, observed, axes);
    assert_int_equal(run(&s), SWEEP_FINISHED);
    for (size_t i = 0; i < 4; i++) {
        const JournalRecord p = sweep_point(s.sweep, i);
        assert_true(p.count > 0);
        if (i % 2 == 0) {
            assert_true(p.status < 0);
            assert_contains(p.message, "t = ");
            const bool is_missing = isnan(p.values[0]);
            assert_true(is_missing);
        } else {
            assert_int_equal(p.status, SALTUS_OK);
            assert_close(p.values[0], 1.0, 1e-9);
            assert_string_equal(p.message, "'x > 5' never happened");
        }
    }
    end(&s);
}

// A parameter that shapes the model: one compilation for each of its values.
static void test_structural_parameters(void **state)
{
    (void)state;
    const char *model = "model Chain\n"
                        "  parameter Integer n = 2;\n"
                        "  Real x[n](each start = 1, each fixed = true);\n"
                        "  Real last = x[n];\n"
                        "equation\n"
                        "  for i in 1:n loop der(x[i]) = -i * x[i]; end for;\n"
                        "end Chain;\n";
    const char *observed[] = {"last", NULL};
    const char *axes[] = {"n=1:4:4", NULL};
    SweepTrial s;
    begin(&s, model, 1.0, observed, axes);
    s.def.jobs = 3;
    assert_int_equal(run(&s), SWEEP_FINISHED);
    for (size_t i = 0; i < 4; i++)
        assert_close(sweep_point(s.sweep, i).values[0], exp(-(double)(i + 1)), 1e-7);
    end(&s);
}

// Two of them, and so many more that their names fill pages: none is left out.
static void test_many_structural_parameters(void **state)
{
    (void)state;
    enum { COUNT = 40 };
    static char model[COUNT * 300], axes_text[COUNT][120];
    const char *axes[COUNT + 1] = {0};
    size_t length = (size_t)sprintf(model, "model Many\n");
    for (int i = 0; i < COUNT; i++) {
        const char *name = "a_name_that_is_as_long_as_those_of_parts_of_parts_of_parts_are";
        length += (size_t)sprintf(model + length,
                                  "parameter Integer %s%d = 1; Real x%d[%s%d] = fill(%d, %s%d);\n",
                                  name, i, i, name, i, i + 1, name, i);
        sprintf(axes_text[i], "%s%d=2", name, i);
        axes[i] = axes_text[i];
    }
    axes[1] = "a_name_that_is_as_long_as_those_of_parts_of_parts_of_parts_are1=1,2,3";
    length += (size_t)sprintf(model + length, "Real total = ");
    for (int i = 0; i < COUNT; i++)
        length += (size_t)sprintf(model + length, "%ssum(x%d)", i ? " + " : "", i);
    sprintf(model + length, ";\nend Many;\n");
    const char *observed[] = {"total", NULL};
    SweepTrial s;
    begin(&s, model, 1.0, observed, axes);
    assert_int_equal(run(&s), SWEEP_FINISHED);
    // 2 (1 + 2 + ... + 40), and of the second one, which counts twofold, one less, as much, one
    // more.
    for (size_t i = 0; i < 3; i++)
        assert_true(sweep_point(s.sweep, i).values[0] ==
                    COUNT * (COUNT + 1) + 2.0 * ((double)i - 1.0));
    end(&s);
}

static atomic_int questions;

static bool stop_soon(void)
{
    return atomic_fetch_add(&questions, 1) > 15;
}

// Interrupted again and again, with a journal that was cut off in the middle of a line, the sweep
// ends with the same results; nothing is run twice.
static void test_journal(void **state)
{
    (void)state;
    const char *observed[] = {"x", "time_of(x <= 0, 1:2)", "sqrt(-x - 10)", NULL};
    const char *axes[] = {"mu=0.5:0.8:40", NULL};
    SweepTrial s;
    begin(&s, study_ball, 1.0, observed, axes);
    assert_int_equal(run(&s), SWEEP_FINISHED);
    const size_t size = 40 * sweep_result_count(s.sweep) * sizeof(double);
    double *whole = malloc(size);
    assert_non_null(whole);
    memcpy(whole, sweep_point(s.sweep, 0).values, size);

    char path[80];
    snprintf(path, sizeof path, "%s/journal", s.study.folder);
    s.def.journal = path;
    s.def.is_interrupted = stop_soon;
    SweepStatus status = SWEEP_INTERRUPTED;
    size_t before = 0;
    int parts = 0;
    for (; parts < 100 && status == SWEEP_INTERRUPTED; parts++) {
        atomic_store(&questions, 0);
        s.def.is_resumed = parts > 0;
        s.def.jobs = (unsigned)parts % 3 + 1;
        status = run(&s);
        assert_true(sweep_resumed(s.sweep) <= before + 40 && sweep_resumed(s.sweep) + 1 >= before);
        before = 0;
        for (size_t i = 0; i < 40; i++)
            before += sweep_point(s.sweep, i).count > 0;
        if (status == SWEEP_INTERRUPTED && parts == 1) { // lose the end of the last line
            FILE *file = fopen(path, "r+");
            assert_non_null(file);
            fseek(file, 0, SEEK_END);
            assert_int_equal(ftruncate(fileno(file), ftell(file) - 5), 0);
            fclose(file);
        }
    }
    assert_int_equal(status, SWEEP_FINISHED);
    assert_true(parts > 1);
    assert_memory_equal(whole, sweep_point(s.sweep, 0).values, size);
    free(whole);

    // Without --resume it is left alone; with it, it must be of the same sweep.
    sweep_destroy(s.sweep);
    s.sweep = NULL;
    s.def.is_interrupted = NULL;
    s.def.is_resumed = false;
    assert_int_equal(run(&s), SWEEP_FAILED);
    assert_contains(s.message, "--resume");
    s.def.is_resumed = true;
    s.def.key = "another";
    assert_int_equal(run(&s), SWEEP_FAILED);
    assert_contains(s.message, "another sweep");
    s.def.key = "key";
    assert_int_equal(run(&s), SWEEP_FINISHED);
    assert_int_equal(sweep_resumed(s.sweep), 40);
    sweep_forget_journal(s.sweep);
    assert_int_not_equal(access(path, F_OK), 0);
    end(&s);
}

static void test_refusals(void **state)
{
    (void)state;
    const char *observed[] = {"time_of(x <= 0, \"every\")", NULL};
    const char *axes[] = {"mu=0.5:0.8", NULL};
    SweepTrial s;
    begin(&s, study_ball, 1.0, observed, axes);
    assert_null(sweep_create(&s.def, &s.message));
    assert_contains(s.message, "a table needs a range");
    end(&s);
    const char *plain[] = {"x", NULL};
    begin(&s, study_ball, 1.0, plain, axes);
    assert_null(sweep_create(&s.def, &s.message));
    assert_contains(s.message, "how many values of mu?");
    end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_axes),
        cmocka_unit_test(test_wrong_axes),
        cmocka_unit_test(test_zeno_time),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_threads_and_modes),
        cmocka_unit_test(test_samples),
        cmocka_unit_test(test_failures),
        cmocka_unit_test(test_structural_parameters),
        cmocka_unit_test(test_many_structural_parameters),
        cmocka_unit_test(test_journal),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
