// SPDX-License-Identifier: MIT
//
// Polynomials on an interval: see chebyshev.h.

#include "studies/chebyshev.h"

#include "numerics/root.h"

#include <math.h>

void chebyshev_prepare(double table[CHEBYSHEV_TABLE])
{
    const double pi = 3.14159265358979323846;
    for (int j = 0; j < CHEBYSHEV_TABLE; j++)
        table[j] = cos(j * pi / (2 * CHEBYSHEV_MANY));
}

// cos(k (2 i + 1) pi / (2 count))
static double cosine(const double table[CHEBYSHEV_TABLE], int count, int k, int i)
{
    return table[k * (2 * i + 1) * (CHEBYSHEV_MANY / count) % CHEBYSHEV_TABLE];
}

double chebyshev_node(const double table[CHEBYSHEV_TABLE], int count, int i)
{
    return cosine(table, count, 1, count - 1 - i);
}

// c_k = 2 / n sum f(s_i) T_k(s_i), half of it for k = 0
void chebyshev_fit(Chebyshev *f, const double table[CHEBYSHEV_TABLE], int count,
                   const double *values)
{
    f->count = count;
    for (int k = 0; k < count; k++) {
        double sum = 0.0;
        for (int i = 0; i < count; i++)
            sum += values[count - 1 - i] * cosine(table, count, k, i);
        f->c[k] = sum * (k == 0 ? 1.0 : 2.0) / count;
    }
}

bool chebyshev_is_resolved(const Chebyshev *f, double noise)
{
    const int last = f->count - 1;
    return fabs(f->c[last]) <= noise && fabs(f->c[last - 1]) <= noise;
}

void chebyshev_meet(Chebyshev *f, double left, double right)
{
    const double at_left = left - chebyshev_value(f, -1.0);
    const double at_right = right - chebyshev_value(f, 1.0);
    f->c[0] += 0.5 * (at_left + at_right);
    f->c[1] += 0.5 * (at_right - at_left);
}

// Clenshaw's recurrence
double chebyshev_value(const Chebyshev *f, double s)
{
    double b1 = 0.0, b2 = 0.0;
    for (int k = f->count - 1; k > 0; k--) {
        const double b = f->c[k] + 2.0 * s * b1 - b2;
        b2 = b1;
        b1 = b;
    }
    return f->c[0] + s * b1 - b2;
}

// The integral of T_k is T_{k+1} / (2 k + 2) - T_{k-1} / (2 k - 2) for k > 1.
double chebyshev_integral(const Chebyshev *f, double from, double to)
{
    double sum = 0.0;
    double theta[2] = {acos(from), acos(to)};
    for (int k = 0; k < f->count; k++) {
        double value[2];
        for (int i = 0; i < 2; i++) {
            const double s = i == 0 ? from : to;
            value[i] =
                k == 0 ? s
                : k == 1
                    ? 0.5 * s * s
                    : 0.5 * (cos((k + 1) * theta[i]) / (k + 1) - cos((k - 1) * theta[i]) / (k - 1));
        }
        sum += f->c[k] * (value[1] - value[0]);
    }
    return sum;
}

double chebyshev_bound(const Chebyshev *f)
{
    double sum = 0.0;
    for (int k = 0; k < f->count; k++)
        sum += fabs(f->c[k]);
    return sum;
}

// d_{k-1} = d_{k+1} + 2 k c_k, half of it for k = 1
static Chebyshev chebyshev_derivative(const Chebyshev *f)
{
    Chebyshev d = {.count = f->count};
    for (int k = f->count - 1; k > 0; k--)
        d.c[k - 1] = (k + 1 < f->count ? d.c[k + 1] : 0.0) + 2.0 * k * f->c[k];
    d.c[0] *= 0.5;
    return d;
}

static double chebyshev_value_of(void *f, double s)
{
    return chebyshev_value(f, s);
}

double chebyshev_root(const Chebyshev *f, double a, double b)
{
    Chebyshev copy = *f;
    const double root = root_find(chebyshev_value_of, &copy, a, b, 0.0);
    return root >= a ? root : b; // rounding may take the change of sign at an end away
}

int chebyshev_extrema(const Chebyshev *f, double extrema[CHEBYSHEV_MANY])
{
    enum { DENSITY = 3 }; // places looked at, per coefficient
    const double pi = 3.14159265358979323846;
    const Chebyshev d = chebyshev_derivative(f);
    const int places = DENSITY * f->count;
    int count = 0;
    double a = -1.0, d_a = chebyshev_value(&d, a);
    for (int i = 1; i <= places && count < CHEBYSHEV_MANY; i++) {
        const double b = i == places ? 1.0 : -cos(pi * i / places);
        const double d_b = chebyshev_value(&d, b);
        if (d_a * d_b < 0.0)
            extrema[count++] = chebyshev_root(&d, a, b);
        else if (d_b == 0.0 && i < places)
            extrema[count++] = b;
        if (d_b != 0.0) {
            a = b;
            d_a = d_b;
        }
    }
    return count;
}
