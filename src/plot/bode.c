// SPDX-License-Identifier: MIT

#include "plot/bode.h"

#include "numerics/dense.h"

#include <math.h>
#include <stdlib.h>

static const double two_pi = 6.283185307179586;

// ---------------------------------------------------------------------------
// Frequencies
// ---------------------------------------------------------------------------

static int bode_compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double *bode_frequencies(Arena *arena, const SaltusLinearization *l, size_t *count)
{
    enum { EVEN = 300, NEAR = 40 };
    const int n = l->state_count;
    double *f = ARENA_ARRAY(arena, EVEN + (size_t)n * (2 * NEAR + 1), double);
    double low = INFINITY, high = 0.0;
    for (int i = 0; i < n; i++)
        if (l->eigenvalues[i].frequency > 0.0) {
            low = fmin(low, l->eigenvalues[i].frequency);
            high = fmax(high, l->eigenvalues[i].frequency);
        }
    if (high == 0.0) // only integrators, or no states
        low = high = 1.0 / two_pi;
    low *= 0.1;
    high *= 10.0;
    *count = 0;
    for (int k = 0; k < EVEN; k++)
        f[(*count)++] = low * pow(high / low, k / (EVEN - 1.0));
    // The peak of a resonance is as wide as its real part.
    for (int i = 0; i < n; i++)
        for (int k = -NEAR; k <= NEAR && l->eigenvalues[i].imaginary > 0.0; k++) {
            const double width =
                fmax(fabs(l->eigenvalues[i].real), 1e-6 * fabs(l->eigenvalues[i].imaginary));
            const double near = (l->eigenvalues[i].imaginary + 0.25 * k * width) / two_pi;
            if (near > low && near < high)
                f[(*count)++] = near;
        }
    qsort(f, *count, sizeof *f, bode_compare);
    return f;
}

// ---------------------------------------------------------------------------
// The response
// ---------------------------------------------------------------------------

// (j w - A) (p + j q) = b, that is -A p - w q = b, w p - A q = 0. x: p, then q. False: j w is an
// eigenvalue.
static bool bode_solve(const SaltusLinearization *l, int input, double w, double *m, int *pivot,
                       double *x)
{
    const size_t n = (size_t)l->state_count;
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++) {
            const double a = l->a[i * n + j], s = i == j ? w : 0.0;
            m[j * 2 * n + i] = m[(j + n) * 2 * n + i + n] = -a;
            m[j * 2 * n + i + n] = s;
            m[(j + n) * 2 * n + i] = -s;
        }
    for (size_t i = 0; i < n; i++) {
        x[i] = l->b[i * (size_t)l->input_count + (size_t)input];
        x[i + n] = 0.0;
    }
    if (n == 0)
        return true;
    if (dense_factor(2 * l->state_count, m, pivot) != 0)
        return false;
    dense_solve(2 * l->state_count, m, pivot, x);
    return true;
}

void bode_response(Arena *arena, const SaltusLinearization *l, int input, int output,
                   const double *frequencies, size_t count, double *gain, double *phase)
{
    const size_t n = (size_t)l->state_count;
    double *m = ARENA_ARRAY(arena, 4 * n * n + 1, double);
    double *x = ARENA_ARRAY(arena, 2 * n + 1, double), last = NAN;
    int *pivot = ARENA_ARRAY(arena, 2 * n + 1, int);
    for (size_t k = 0; k < count; k++) {
        gain[k] = phase[k] = NAN;
        if (!bode_solve(l, input, two_pi * frequencies[k], m, pivot, x))
            continue;
        double real = l->d[output * l->input_count + input], imaginary = 0.0;
        for (size_t i = 0; i < n; i++) {
            real += l->c[(size_t)output * n + i] * x[i];
            imaginary += l->c[(size_t)output * n + i] * x[i + n];
        }
        const double size = hypot(real, imaginary);
        if (!(size > 0.0) || isinf(size))
            continue;
        gain[k] = 20.0 * log10(size);
        phase[k] = atan2(imaginary, real) * (360.0 / two_pi);
        if (!isnan(last))
            phase[k] -= 360.0 * round((phase[k] - last) / 360.0);
        last = phase[k];
    }
}

// ---------------------------------------------------------------------------
// The figure
// ---------------------------------------------------------------------------

PlotFigure bode_figure(Arena *arena, const SaltusLinearization *l)
{
    const size_t pairs = (size_t)l->input_count * (size_t)l->output_count;
    size_t count;
    const double *f = bode_frequencies(arena, l, &count);
    PlotCurve *gains = ARENA_ARRAY(arena, pairs, PlotCurve);
    PlotCurve *phases = ARENA_ARRAY(arena, pairs, PlotCurve);
    for (size_t k = 0; k < pairs; k++) {
        const int input = (int)(k % (size_t)l->input_count);
        const int output = (int)(k / (size_t)l->input_count);
        double *gain = ARENA_ARRAY(arena, count, double);
        double *phase = ARENA_ARRAY(arena, count, double);
        bode_response(arena, l, input, output, f, count, gain, phase);
        StringBuilder label = builder_create(arena);
        builder_append_format(&label, "%s / %s", l->output_names[output], l->input_names[input]);
        gains[k] =
            (PlotCurve){.label = builder_string(&label).text, .x = f, .y = gain, .count = count};
        phases[k] = (PlotCurve){.x = f, .y = phase, .count = count};
    }
    const PlotAxis frequency = {.label = "frequency", .unit = "Hz", .scale = PLOT_LOGARITHMIC};
    PlotPanel *panels = ARENA_ARRAY(arena, 2, PlotPanel);
    panels[0] = (PlotPanel){.x = frequency,
                            .y = {.label = pairs == 1 ? gains[0].label : "gain", .unit = "dB"},
                            .curves = gains,
                            .curve_count = pairs,
                            .is_time = true};
    panels[1] = (PlotPanel){.x = frequency,
                            .y = {.label = "phase", .unit = "deg"},
                            .curves = phases,
                            .curve_count = pairs,
                            .is_time = true};
    return (PlotFigure){.panels = panels, .panel_count = 2};
}
