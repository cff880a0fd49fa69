// SPDX-License-Identifier: MIT
//
// ModelicaFFT_: the Fourier transform of a real signal, by the method of Cooley and Tukey (An
// algorithm for the machine calculation of complex Fourier series, Math. Comput. 19, 1965): a
// transform of n = p m points is m of p points and p of m.

#include "external/functions.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>

static uint32_t fourier_factor(uint32_t n)
{
    for (uint32_t p = 2; p * p <= n; p++)
        if (n % p == 0)
            return p;
    return n;
}

// out[k] = sum over j of in[j * stride] exp(-2 pi i j k / n). roots: exp(-2 pi i j / all).
static void fourier_transform(uint32_t n, const double *in, size_t stride, double complex *out,
                              double complex *work, const double complex *roots, uint32_t all)
{
    if (n == 1) {
        *out = *in;
        return;
    }
    const uint32_t p = fourier_factor(n), m = n / p, step = all / n;
    for (uint32_t r = 0; r < p; r++)
        fourier_transform(m, in + r * stride, stride * p, out + (size_t)r * m, work, roots, all);
    for (uint32_t k = 0; k < n; k++) {
        double re = 0.0, im = 0.0;
        for (uint32_t r = 0; r < p; r++) {
            const double complex w = roots[(uint64_t)r * k % n * step];
            const double complex x = out[(size_t)r * m + k % m];
            re += creal(w) * creal(x) - cimag(w) * cimag(x);
            im += creal(w) * cimag(x) + cimag(w) * creal(x);
        }
        work[k] = re + im * I;
    }
    memcpy(out, work, n * sizeof *out);
}

// rawRealFFT(u, nu, work, nwork, amplitudes, phases) > info: 0, or 1 if the number of points is
// odd. As in the Modelica library, all are divided by the number of amplitudes n/2 + 1, where the
// amplitude of a cosine would have n/2; phases in rad.
bool fourier_real(ExternalCall *call)
{
    enum { MOST_POINTS = 1 << 24 };
    const uint32_t n = call->arguments[0].count, half = n / 2 + 1;
    const double pi = 3.14159265358979323846;
    if (n < 2 || n % 2 != 0) {
        external_set(call, 6, 1.0);
        return true;
    }
    if (call->arguments[4].count != half || call->arguments[5].count != half || n > MOST_POINTS)
        return external_fail(call, "%u points have %u amplitudes and phases", n, half);
    double complex *numbers = malloc(3 * (size_t)n * sizeof *numbers);
    if (!numbers)
        return external_fail(call, "there is no memory left");
    double complex *roots = numbers + 2 * (size_t)n;
    for (uint32_t j = 0; j < n; j++) {
        const double angle = -2.0 * pi * j / n;
        roots[j] = cos(angle) + sin(angle) * I;
    }
    fourier_transform(n, call->arguments[0].numbers, 1, numbers, numbers + n, roots, n);
    for (uint32_t k = 0; k < half; k++) {
        call->arguments[4].numbers[k] = cabs(numbers[k]) / half;
        call->arguments[5].numbers[k] = carg(numbers[k]);
    }
    free(numbers);
    external_set(call, 6, 0.0);
    return true;
}
