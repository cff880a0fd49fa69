// SPDX-License-Identifier: MIT
//
// Samples, distributions and statistics, against what defines them.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "numerics/normal.h"
#include "studies/sampling.h"
#include "studies/statistics.h"
#include "support/hybrid.h"

#include <math.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;

// Phi(quantile(p)) = p. The relative error of p is that of x times x^2 (log Phi is about -x^2/2).
static void quantiles_of_the_normal(void **state)
{
    (void)state;
    static const double levels[] = {1e-300, 1e-30, 1e-12, 1e-6, 0.01, 0.3, 0.5};
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        const double x = normal_quantile(levels[i]);
        assert_close(0.5 * erfc(-x / sqrt(2.0)) / levels[i], 1.0, 1e-15 * (4.0 + x * x));
    }
    assert_close(normal_quantile(0.975), 1.959963984540054, 1e-14); // of every table
    assert_close(normal_quantile(0.3), -normal_quantile(0.7), 1e-15);
    assert_true(isinf(normal_quantile(0.0)) && isinf(normal_quantile(1.0)));
    assert_true(isnan(normal_quantile(-0.1)));
}

// The first 2^m points of each dimension have one in each of the 2^m equal intervals; those of the
// first two together one in each of the 2^m rectangles 2^-j by 2^(j - m).
static void sobol_is_stratified(void **state)
{
    (void)state;
    enum { BITS = 9, COUNT = 1 << BITS };
    Axis axes[SAMPLING_MOST_AXES];
    for (size_t k = 0; k < SAMPLING_MOST_AXES; k++)
        axes[k] = (Axis){.lower = 0.0, .upper = 1.0};
    double *values = calloc(COUNT * SAMPLING_MOST_AXES, sizeof *values);
    assert_non_null(values);
    sampling_fill(SWEEP_SOBOL, axes, SAMPLING_MOST_AXES, COUNT, 42, values);
    for (size_t k = 0; k < SAMPLING_MOST_AXES; k++) {
        bool has[COUNT] = {false};
        for (size_t i = 0; i < COUNT; i++) {
            const size_t place = (size_t)(values[i * SAMPLING_MOST_AXES + k] * COUNT);
            assert_false(has[place]);
            has[place] = true;
        }
    }
    for (int j = 0; j <= BITS; j++) {
        bool has[COUNT] = {false};
        for (size_t i = 0; i < COUNT; i++) {
            const double *x = values + i * SAMPLING_MOST_AXES;
            const size_t column = (size_t)(x[0] * (double)(1 << j)),
                         row = (size_t)(x[1] * (double)(1 << (BITS - j)));
            const size_t place = column << (BITS - j) | row;
            assert_false(has[place]);
            has[place] = true;
        }
    }
    free(values);
}

// Moments of the distributions from their quantiles at the middles of n equal strata, which is the
// midpoint rule: its error is 1/n where the density is bounded, and worse by a logarithm in tails.
static void distributions(void **state)
{
    (void)state;
    static const struct {
        Axis axis;
        double mean, deviation;
    } cases[] = {
        {{.law = AXIS_NORMAL, .law_parameters = {5.0, 0.5}}, 5.0, 0.5},
        {{.law = AXIS_EXPONENTIAL, .law_parameters = {2.0}}, 2.0, 2.0},
        {{.law = AXIS_TRIANGULAR, .law_parameters = {0.0, 1.0, 3.0}}, 4.0 / 3.0, 0.62360956},
        // exp(s^2/2) and its deviation with s = log(2)
        {{.law = AXIS_LOGNORMAL, .law_parameters = {1.0, 2.0}}, 1.27152, 0.998759},
    };
    enum { POINTS = 20000 };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        double mean = 0.0, squares = 0.0;
        for (int i = 0; i < POINTS; i++) {
            const double x = axis_sample(&cases[c].axis, (i + 0.5) / POINTS);
            mean += x / POINTS;
            squares += x * x / POINTS;
        }
        assert_close(mean, cases[c].mean, 1e-3 * cases[c].mean);
        assert_close(sqrt(squares - mean * mean), cases[c].deviation, 4e-3 * cases[c].deviation);
    }
}

// sin a + 7 sin^2 b + 0.1 c^4 sin a over [-pi, pi]^3 (T. Ishigami, T. Homma, 1990): the parts of
// the variance are known. The estimators' errors are about 1/n^0.9 for Sobol's points, n = 4096.
static void indices_of_ishigami(void **state)
{
    (void)state;
    enum { BASE = 4096, AXES = 3, COUNT = BASE * (AXES + 2) };
    const double p4 = pow(pi, 4.0), p8 = p4 * p4;
    const double d1 = 0.1 * p4 / 5.0 + 0.01 * p8 / 50.0 + 0.5, d2 = 49.0 / 8.0,
                 d13 = 0.01 * p8 * (1.0 / 18.0 - 1.0 / 50.0), all = d1 + d2 + d13;
    const double first[AXES] = {d1 / all, d2 / all, 0.0},
                 total[AXES] = {(d1 + d13) / all, d2 / all, d13 / all};
    const Axis axis = {.lower = -pi, .upper = pi}, axes[AXES] = {axis, axis, axis};
    char *message = NULL;
    assert_int_equal(sampling_points(SWEEP_INDICES, AXES, BASE, &message), COUNT);
    double *values = calloc((COUNT + 1) * AXES, sizeof *values), *f = calloc(COUNT, sizeof *f);
    assert_true(values && f);
    values[COUNT * AXES] = 77.0; // behind the last point, nothing is written
    sampling_fill(SWEEP_INDICES, axes, AXES, COUNT, 1, values);
    assert_true(values[COUNT * AXES] == 77.0);
    for (size_t i = 0; i < COUNT; i++) {
        const double *x = values + i * AXES;
        f[i] = sin(x[0]) + 7.0 * pow(sin(x[1]), 2.0) + 0.1 * pow(x[2], 4.0) * sin(x[0]);
    }
    f[7] = NAN; // a point that failed is left out
    for (size_t k = 0; k < AXES; k++) {
        double indices[2];
        statistics_indices(f, f + BASE, f + (2 + k) * BASE, BASE, 1, indices);
        assert_close(indices[0], first[k], 0.005);
        assert_close(indices[1], total[k], 0.005);
    }
    free(values);
    free(f);
}

static void summaries(void **state)
{
    (void)state;
    double values[] = {5.0, NAN, 1.0, 3.0, 2.0, 4.0};
    const SampleSummary s = statistics_summarize(values, 6);
    assert_int_equal(s.count, 5);
    assert_int_equal(s.missing, 1);
    assert_close(s.mean, 3.0, 1e-15);
    assert_close(s.deviation, sqrt(2.5), 1e-15);
    assert_close(s.minimum, 1.0, 0.0);
    assert_close(s.maximum, 5.0, 0.0);
    assert_close(s.quantiles[0], 1.2, 1e-15);
    assert_close(s.quantiles[2], 3.0, 1e-15);
    double none[] = {NAN};
    assert_true(isnan(statistics_summarize(none, 1).mean));
}

static void too_many(void **state)
{
    (void)state;
    char *message = NULL;
    assert_int_equal(sampling_points(SWEEP_SOBOL, 22, 10, &message), 0);
    assert_non_null(strstr(message, "21 dimensions"));
    assert_int_equal(sampling_points(SWEEP_INDICES, 11, 10, &message), 0);
    assert_int_equal(sampling_points(SWEEP_HYPERCUBE, 40, 10, &message), 10);
    free(message);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantiles_of_the_normal),
        cmocka_unit_test(sobol_is_stratified),
        cmocka_unit_test(distributions),
        cmocka_unit_test(indices_of_ishigami),
        cmocka_unit_test(summaries),
        cmocka_unit_test(too_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
