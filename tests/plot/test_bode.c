// SPDX-License-Identifier: MIT
//
// Frequency responses against closed forms.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "plot/bode.h"

#include <math.h>

static const double pi = 3.141592653589793;

// x'' + 2 z x' + x = u, y = x: G = 1 / (1 - w^2 + 2 j z w).
static void oscillator(void **state)
{
    (void)state;
    enum { COUNT = 5 };
    const double z = 0.05, a[] = {0, 1, -1, -2 * z}, b[] = {0, 1}, c[] = {1, 0}, d[] = {0};
    const SaltusLinearization l = {
        .state_count = 2, .input_count = 1, .output_count = 1, .a = a, .b = b, .c = c, .d = d};
    const double w[COUNT] = {0.01, 0.9, 1.0, 1.1, 100.0};
    double f[COUNT], gain[COUNT], phase[COUNT];
    for (int i = 0; i < COUNT; i++)
        f[i] = w[i] / (2.0 * pi);
    Arena *arena = arena_create(NULL);
    bode_response(arena, &l, 0, 0, f, COUNT, gain, phase);
    for (int i = 0; i < COUNT; i++) {
        const double real = 1.0 - w[i] * w[i], imaginary = 2.0 * z * w[i];
        assert_true(fabs(gain[i] + 20.0 * log10(hypot(real, imaginary))) < 1e-9);
        assert_true(fabs(phase[i] + atan2(imaginary, real) * 180.0 / pi) < 1e-9);
    }
    arena_destroy(arena);
}

// Four integrators: the phase is -360 degrees, without a jump from -180 to 180; a delay of the
// second input, D = 2, and nothing from the third.
static void phases_and_pairs(void **state)
{
    (void)state;
    enum { COUNT = 3 };
    const double a[] = {-1, 0, 0, 0, 1, -1, 0, 0, 0, 1, -1, 0, 0, 0, 1, -1};
    const double b[] = {1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, c[] = {0, 0, 0, 1}, d[] = {0, 2, 0};
    const SaltusLinearization l = {
        .state_count = 4, .input_count = 3, .output_count = 1, .a = a, .b = b, .c = c, .d = d};
    const double f[COUNT] = {1e-4, 1.0 / (2.0 * pi), 1e3};
    double gain[COUNT], phase[COUNT];
    Arena *arena = arena_create(NULL);
    bode_response(arena, &l, 0, 0, f, COUNT, gain, phase); // 1 / (1 + s)^4
    assert_true(fabs(gain[1] + 80.0 * log10(sqrt(2.0))) < 1e-9);
    assert_true(fabs(phase[1] + 180.0) < 1e-9);
    assert_true(fabs(phase[2] + 4.0 * atan(2e3 * pi) * 180.0 / pi) < 1e-6);
    bode_response(arena, &l, 1, 0, f, COUNT, gain, phase);
    assert_true(fabs(gain[0] - 20.0 * log10(2.0)) < 1e-12 && phase[0] == 0.0);
    bode_response(arena, &l, 2, 0, f, COUNT, gain, phase);
    assert_true(isnan(gain[0]) && isnan(phase[0])); // nothing to draw
    arena_destroy(arena);
}

// Without states the response is D, each output's row for its inputs.
static void rows_of_d(void **state)
{
    (void)state;
    const double d[] = {1, 10, 100, -1000, 1e4, 1e5};
    const SaltusLinearization l = {.input_count = 2, .output_count = 3, .d = d};
    const double f = 1.0;
    Arena *arena = arena_create(NULL);
    for (int output = 0; output < 3; output++)
        for (int input = 0; input < 2; input++) {
            const int place = 2 * output + input;
            double gain, phase;
            bode_response(arena, &l, input, output, &f, 1, &gain, &phase);
            assert_true(fabs(gain - 20.0 * place) < 1e-12);
            assert_true(phase == (place == 3 ? 180.0 : 0.0));
        }
    arena_destroy(arena);
}

// From a tenth of 1/(2 pi) to ten times 100/(2 pi), rising, and the peak of width 1e-3 is met.
static void frequencies(void **state)
{
    (void)state;
    const SaltusEigenvalue e[] = {{-1.0, 0.0, 1.0 / (2.0 * pi), 1.0},
                                  {-0.001, 100.0, 100.0 / (2.0 * pi), 1e-5},
                                  {-0.001, -100.0, 100.0 / (2.0 * pi), 1e-5}};
    const SaltusLinearization l = {.state_count = 3, .eigenvalues = e};
    Arena *arena = arena_create(NULL);
    size_t count, close = 0;
    const double *f = bode_frequencies(arena, &l, &count);
    assert_true(fabs(f[0] * 2.0 * pi - 0.1) < 1e-12);
    assert_true(fabs(f[count - 1] * 2.0 * pi - 1000.0) < 1e-9);
    for (size_t i = 0; i < count; i++) {
        assert_true(i == 0 || f[i] >= f[i - 1]);
        close += fabs(f[i] * 2.0 * pi - 100.0) <= 0.001;
    }
    assert_true(close >= 7);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(oscillator),
        cmocka_unit_test(phases_and_pairs),
        cmocka_unit_test(rows_of_d),
        cmocka_unit_test(frequencies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
