// SPDX-License-Identifier: MIT
//
// Detection of crossings inside a step: single, double and triple roots, roots between the
// samples, touching, arming, noise, barriers, directions; and thousands of random polynomials
// whose roots are known.

#include "events/detect.h"
#include "support/hybrid.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

// ---------------------------------------------------------------------------
// A step whose event functions are given as functions of time
// ---------------------------------------------------------------------------

enum { MOST = 4 };

typedef double (*Function)(const double *data, double t);

typedef struct Step {
    Function functions[MOST];
    const double *data[MOST];
    SaltusEventDef events[MOST];
    Armed armed[MOST];
    int count;
    int cells;
    double t0, t1, resolution;
    double fails_from; // samples at and after this time fail
    int evaluations;
    double h0[MOST], h1[MOST];
    DetectStep what;
    MemoryPool pool;
    SaltusAllocator allocator;
    Detector detector;
} Step;

static double value(const Step *step, int i, double t)
{
    return step->functions[i](step->data[i], t);
}

static int sample(void *user, int count, const double *times, double *h)
{
    Step *step = user;
    for (int k = 0; k < count; k++) {
        step->evaluations++;
        if (times[k] >= step->fails_from)
            return 7;
        for (int i = 0; i < step->count; i++)
            h[k * step->count + i] = value(step, i, times[k]);
    }
    return 0;
}

// One function over [0, 1], armed with its sign at 0, all crossings wanted.
static Step step_of(Function function, const double *data)
{
    Step step = {.count = 1, .cells = 4, .t1 = 1.0, .fails_from = INFINITY};
    step.functions[0] = function;
    step.data[0] = data;
    double h = function(data, 0.0);
    step.armed[0].sign = (signed char)((h > 0.0) - (h < 0.0));
    return step;
}

static int scan(Step *step)
{
    step->allocator = memory_default();
    step->pool = (MemoryPool){.allocator = &step->allocator};
    SaltusModeDef mode = {.event_count = step->count, .events = step->events};
    assert_true(detector_create(&step->detector, &step->pool, &mode, step->cells));
    for (int i = 0; i < step->count; i++) {
        step->h0[i] = value(step, i, step->t0);
        step->h1[i] = value(step, i, step->t1);
    }
    step->what = (DetectStep){.t0 = step->t0,
                              .t1 = step->t1,
                              .h0 = step->h0,
                              .h1 = step->h1,
                              .resolution = step->resolution,
                              .reach = step->resolution};
    step->evaluations = 0;
    return detector_scan(&step->detector, step->armed, &step->what, sample, step);
}

static void end(Step *step)
{
    memory_pool_free(&step->pool);
}

// The only crossing: brackets this root, into this sign.
static void assert_crossing(const Step *step, double root, int direction)
{
    assert_int_equal(step->detector.crossing_count, 1);
    Crossing c = step->detector.crossings[0];
    assert_int_equal(c.direction, direction);
    assert_true(c.a < c.b);
    assert_true(c.a >= step->t0 && c.b <= step->t1);
    assert_true(c.h_b * direction >= 0.0);
    assert_true(c.a <= root && root <= c.b);
}

static void check_one(Function function, const double *data, double root, int direction)
{
    Step step = step_of(function, data);
    assert_int_equal(scan(&step), 0);
    assert_crossing(&step, root, direction);
    end(&step);
}

static void check_none(Function function, const double *data)
{
    Step step = step_of(function, data);
    assert_int_equal(scan(&step), 0);
    assert_int_equal(step.detector.crossing_count, 0);
    end(&step);
}

// data: how many roots, then the roots; h = product of (t - root)
static double product(const double *data, double t)
{
    double h = 1.0;
    for (int i = 1; i <= (int)data[0]; i++)
        h *= t - data[i];
    return h;
}

// data: place, depth; h = (t - place)^2 - depth
static double dip(const double *data, double t)
{
    return (t - data[0]) * (t - data[0]) - data[1];
}

static double minus_dip(const double *data, double t)
{
    return -dip(data, t);
}

// ---------------------------------------------------------------------------
// Roots
// ---------------------------------------------------------------------------

static void test_single_roots(void **state)
{
    (void)state;
    for (int i = 1; i < 200; i++) {
        double root = i / 200.0;
        check_one(product, (double[]){1, root}, root, 1);
    }
    check_none(product, (double[]){1, 1.001});
    check_none(product, (double[]){1, -0.001});
    check_one(product, (double[]){1, 1.0}, 1.0, 1); // at the very end
}

// Two roots closer than the samples: the first one counts.
static void test_double_crossings(void **state)
{
    (void)state;
    const double widths[] = {0.2, 0.1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6};
    for (size_t k = 0; k < sizeof widths / sizeof widths[0]; k++) {
        for (int i = 1; i < 50; i++) {
            double first = 0.0123 + 0.76 * i / 50.0;
            check_one(product, (double[]){2, first, first + widths[k]}, first, -1);
        }
    }
}

static void test_touching(void **state)
{
    (void)state;
    for (int i = 1; i < 20; i++) {
        double place = 0.05 * i + 0.0137;
        check_none(dip, (double[]){place, -1e-6}); // stays above
        check_none(minus_dip, (double[]){place, -1e-6});
        if (place + 1e-4 < 1.0) {
            check_one(dip, (double[]){place, 1e-8}, place - 1e-4, -1); // goes below by 1e-8
            check_one(minus_dip, (double[]){place, 1e-8}, place - 1e-4, 1);
        }
    }
}

static void test_triple_crossings(void **state)
{
    (void)state;
    check_one(product, (double[]){3, 0.2, 0.5, 0.8}, 0.2, 1);
    check_one(product, (double[]){3, 0.41, 0.45, 0.49}, 0.41, 1);
    check_one(product, (double[]){3, 0.5, 0.501, 0.502}, 0.5, 1);
    check_one(product, (double[]){3, 0.5, 0.5, 0.5}, 0.5, 1); // a triple root
    check_one(product, (double[]){3, 0.3, 0.3, 0.7}, 0.7, 1); // touches, then crosses
}

// ---------------------------------------------------------------------------
// Random polynomials
// ---------------------------------------------------------------------------

static uint64_t seed = 42;

static double uniform(double low, double high)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(seed >> 11) * 0x1p-53;
}

// Up to four roots in [-0.5, 1.5], not closer than 1e-3 to each other and to the ends.
static int random_roots(double *data)
{
    int count = 1 + (int)uniform(0.0, 4.0);
    data[0] = count;
    for (int i = 1; i <= count;) {
        data[i] = uniform(-0.5, 1.5);
        bool apart = fabs(data[i]) > 1e-3 && fabs(data[i] - 1.0) > 1e-3;
        for (int k = 1; k < i; k++)
            apart = apart && fabs(data[i] - data[k]) > 1e-3;
        i += apart;
    }
    return count;
}

// With the cells of every solver's dense output.
static void test_random_polynomials(void **state)
{
    (void)state;
    const int cells[] = {4, 5, 6, 8, 13};
    for (int n = 0; n < 5000; n++) {
        double data[5];
        int count = random_roots(data);
        for (size_t k = 0; k < sizeof cells / sizeof cells[0]; k++) {
            for (int wanted = SALTUS_FALLING; wanted <= SALTUS_RISING; wanted++) {
                Step step = step_of(product, data);
                step.cells = cells[k];
                step.events[0].direction = (SaltusDirection)wanted;
                assert_int_equal(scan(&step), 0);
                double first = INFINITY;
                int direction = 0;
                for (int i = 1; i <= count; i++) {
                    double r = data[i];
                    int into = product(data, r + 1e-6) > 0.0 ? 1 : -1;
                    if (r > 0.0 && r < first && r < 1.0 && (wanted == 0 || wanted == into)) {
                        first = r;
                        direction = into;
                    }
                }
                if (isinf(first))
                    assert_int_equal(step.detector.crossing_count, 0);
                else
                    assert_crossing(&step, first, direction);
                end(&step);
            }
        }
    }
}

// ---------------------------------------------------------------------------
// Arming, noise, plateaus
// ---------------------------------------------------------------------------

// Zero at the left end: the sign it was armed with counts.
static void test_armed_signs(void **state)
{
    (void)state;
    const double data[] = {2, 0.0, 0.6}; // t (t - 0.6): falls first
    Step step = step_of(product, data);
    step.armed[0] = (Armed){.sign = -1, .noise = 1e-14};
    assert_int_equal(scan(&step), 0);
    assert_crossing(&step, 0.6, 1);
    end(&step);
    // Beyond zero by rounding, armed with the other sign, which it takes: no crossing.
    const double rises[] = {1, 1e-15};
    step = step_of(product, rises);
    step.armed[0] = (Armed){.sign = 1, .noise = 1e-14};
    assert_int_equal(scan(&step), 0);
    assert_int_equal(step.detector.crossing_count, 0);
    end(&step);
}

static double always_zero(const double *data, double t)
{
    (void)data, (void)t;
    return 0.0;
}

// + until 0.3, zero until 0.6, then -
static double plateau(const double *data, double t)
{
    (void)data;
    return t < 0.3 ? 0.3 - t : t > 0.6 ? 0.6 - t : 0.0;
}

static void test_without_sign(void **state)
{
    (void)state;
    Step step = step_of(always_zero, NULL);
    assert_int_equal(step.armed[0].sign, 0);
    assert_int_equal(scan(&step), 0);
    assert_int_equal(step.detector.crossing_count, 0);
    end(&step);
    // One that has no sign yet takes the first it shows; only the next one is a crossing.
    const double data[] = {2, 0.0, 0.6};
    step = step_of(product, data);
    step.armed[0] = (Armed){.sign = 0, .noise = 1e-3};
    assert_int_equal(scan(&step), 0);
    assert_crossing(&step, 0.6, 1);
    end(&step);
}

static void test_plateau(void **state)
{
    (void)state;
    Step step = step_of(plateau, NULL);
    assert_int_equal(scan(&step), 0);
    assert_int_equal(step.detector.crossing_count, 1);
    Crossing c = step.detector.crossings[0];
    assert_int_equal(c.direction, -1);
    assert_true(c.a <= 0.3 && c.b >= 0.3); // it reaches zero there
    end(&step);
}

static double tiny(const double *data, double t)
{
    return data[0] * sin(20.0 * t);
}

static void test_noise(void **state)
{
    (void)state;
    const double size = 1e-15;
    Step step = step_of(tiny, &size);
    step.armed[0] = (Armed){.sign = 1, .noise = 2e-15};
    assert_int_equal(scan(&step), 0);
    assert_int_equal(step.detector.crossing_count, 0);
    end(&step);
    Armed armed = {.sign = 1, .noise = 0.5};
    assert_int_equal(detect_sign(&armed, -0.4), 1);
    assert_int_equal(detect_sign(&armed, -0.6), -1);
    assert_int_equal(detect_sign(&armed, 0.6), 1);
    armed.sign = 0;
    assert_int_equal(detect_sign(&armed, 0.4), 0);
    assert_int_equal(detect_sign(&armed, 0.6), 1);
}

// ---------------------------------------------------------------------------
// Barriers, order, muted functions, failures, cost
// ---------------------------------------------------------------------------

static void test_barrier(void **state)
{
    (void)state;
    const double data[] = {1, 1.0 + 1e-15};
    Step step = step_of(product, data);
    assert_int_equal(scan(&step), 0);
    assert_int_equal(step.detector.crossing_count, 0); // it will be seen in the next step
    end(&step);
    step.resolution = 4e-16;
    assert_int_equal(scan(&step), 0);
    assert_int_equal(step.detector.crossing_count, 0);
    end(&step);
    step.resolution = 4e-15;
    assert_int_equal(scan(&step), 0);
    assert_int_equal(step.detector.crossing_count, 1);
    assert_true(step.detector.crossings[0].b == 1.0);
    assert_true(step.detector.crossings[0].h_b == 0.0);
    end(&step);
    const double away[] = {1, 1e-15 - 1.0}; // leaves zero behind, far
    step = step_of(product, away);
    step.resolution = 4e-15;
    assert_int_equal(scan(&step), 0);
    assert_int_equal(step.detector.crossing_count, 0);
    end(&step);
}

static void test_order_and_muted(void **state)
{
    (void)state;
    const double late[] = {1, 0.9}, early[] = {1, 0.1}, middle[] = {1, 0.5}, muted[] = {1, 0.3};
    Step step = step_of(product, late);
    step.count = 4;
    const double *data[] = {late, early, middle, muted};
    for (int i = 0; i < 4; i++) {
        step.functions[i] = product;
        step.data[i] = data[i];
        step.armed[i].sign = -1;
    }
    step.events[3].is_muted = true;
    assert_int_equal(scan(&step), 0);
    assert_int_equal(step.detector.crossing_count, 3);
    assert_int_equal(step.detector.crossings[0].event, 1);
    assert_int_equal(step.detector.crossings[1].event, 2);
    assert_int_equal(step.detector.crossings[2].event, 0);
    end(&step);
}

static void test_failures(void **state)
{
    (void)state;
    const double data[] = {0.3, 1e-8};
    Step step = step_of(dip, data);
    step.fails_from = 0.6; // a sample
    assert_int_equal(scan(&step), 7);
    end(&step);
    step = step_of(dip, data);
    step.cells = 4;
    double place[] = {0.9, 1e-8};
    step.data[0] = place;
    step.fails_from = 0.8; // only when the last cell is halved
    assert_int_equal(scan(&step), 7);
    end(&step);
}

// Functions that are far from zero cost the samples, and one more when they are met; grazing ones
// are bounded.
static double far(const double *data, double t)
{
    (void)data;
    return 2.0 + sin(3.0 * t);
}

static double wild(const double *data, double t)
{
    (void)data;
    return 1e-9 + fabs(sin(1e4 * t)); // never below, nearly zero 3000 times
}

static void test_cost(void **state)
{
    (void)state;
    Step step = step_of(far, NULL);
    assert_int_equal(scan(&step), 0);
    assert_int_equal(step.evaluations, 4);
    step.evaluations = 0;
    assert_int_equal(detector_scan(&step.detector, step.armed, &step.what, sample, &step), 0);
    assert_int_equal(step.evaluations, 3);
    end(&step);
    step = step_of(wild, NULL);
    assert_int_equal(scan(&step), 0);
    assert_int_equal(step.detector.crossing_count, 0);
    assert_true(step.evaluations <= 403);
    end(&step);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_single_roots),
        cmocka_unit_test(test_double_crossings),
        cmocka_unit_test(test_touching),
        cmocka_unit_test(test_triple_crossings),
        cmocka_unit_test(test_random_polynomials),
        cmocka_unit_test(test_armed_signs),
        cmocka_unit_test(test_without_sign),
        cmocka_unit_test(test_plateau),
        cmocka_unit_test(test_noise),
        cmocka_unit_test(test_barrier),
        cmocka_unit_test(test_order_and_muted),
        cmocka_unit_test(test_failures),
        cmocka_unit_test(test_cost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
