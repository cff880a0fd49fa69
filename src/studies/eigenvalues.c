// SPDX-License-Identifier: MIT
//
// Eigenvalues of a real matrix by the QR algorithm: the matrix is balanced (Parlett and Reinsch,
// Numerische Mathematik 13, 1969), made upper Hessenberg by Householder reflections, and then
// deflated by double steps of Francis, which keep a pair of complex shifts real (Golub and Van
// Loan, Matrix Computations, sections 7.4 and 7.5). All of it by similarity transformations: what
// is rounded is small beside the norm of the balanced matrix.
//
// Matrices are stored by rows: a[i * n + j].

#include "studies/linearize.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

typedef struct Eigenproblem {
    int n;
    int low, high; // the rows and columns that are to be iterated, both included
    double *a;
    double *real, *imaginary; // of what is found so far
    double *v;                // a Householder vector
} Eigenproblem;

static double *eigen_at(const Eigenproblem *e, int i, int j)
{
    return &e->a[(size_t)i * (size_t)e->n + (size_t)j];
}

static void eigen_found_one(Eigenproblem *e, int at)
{
    e->real[at] = *eigen_at(e, at, at);
    e->imaginary[at] = 0.0;
}

static void eigen_swap(double *a, double *b)
{
    const double c = *a;
    *a = *b;
    *b = c;
}

// ---------------------------------------------------------------------------
// Balancing
// ---------------------------------------------------------------------------

// A row whose elements beside the diagonal are zero goes to the end, a column to the beginning:
// their eigenvalues stand on the diagonal, unrounded. What is left of a triangle is nothing.
static bool eigen_isolate(Eigenproblem *e)
{
    for (int i = e->low; i <= e->high; i++) {
        bool is_row = true, is_column = true;
        for (int j = e->low; j <= e->high; j++) {
            is_row = is_row && (j == i || *eigen_at(e, i, j) == 0.0);
            is_column = is_column && (j == i || *eigen_at(e, j, i) == 0.0);
        }
        if (!is_row && !is_column)
            continue;
        const int to = is_row ? e->high-- : e->low++;
        for (int j = 0; j < e->n; j++)
            eigen_swap(eigen_at(e, i, j), eigen_at(e, to, j));
        for (int j = 0; j < e->n; j++)
            eigen_swap(eigen_at(e, j, i), eigen_at(e, j, to));
        eigen_found_one(e, to);
        return true;
    }
    return false;
}

// Rows and columns become of like size, by powers of two, which round nothing: what is computed
// next has errors of the size of the norm.
static void eigen_balance(const Eigenproblem *e)
{
    bool has_changed = true;
    for (int round = 0; has_changed && round < 100; round++) {
        has_changed = false;
        for (int i = e->low; i <= e->high; i++) {
            double row = 0.0, column = 0.0;
            for (int j = e->low; j <= e->high; j++) {
                row += j != i ? fabs(*eigen_at(e, i, j)) : 0.0;
                column += j != i ? fabs(*eigen_at(e, j, i)) : 0.0;
            }
            if (row == 0.0 || column == 0.0 || !isfinite(row) || !isfinite(column))
                continue;
            int exponent; // column * 2^exponent and row / 2^exponent are nearest to each other
            frexp(sqrt(row) / sqrt(column), &exponent);
            const double by = ldexp(1.0, exponent - 1);
            if (column * by + row / by >= 0.95 * (column + row))
                continue;
            has_changed = true;
            for (int j = e->low; j <= e->high; j++) {
                *eigen_at(e, i, j) /= by;
                *eigen_at(e, j, i) *= by;
            }
        }
    }
}

// ---------------------------------------------------------------------------
// Reflections
// ---------------------------------------------------------------------------

// v, such that (I - 2 v v'/v'v) x is a multiple of the first unit vector, in place of x. Returns
// 2/v'v, 0 if x is one already. With the sign that cancels nothing, and scaled: no overflow.
static double eigen_reflector(int count, double *x)
{
    double largest = 0.0, sum = 0.0;
    for (int i = 1; i < count; i++)
        largest = fmax(largest, fabs(x[i]));
    if (largest == 0.0)
        return 0.0;
    largest = fmax(largest, fabs(x[0]));
    for (int i = 0; i < count; i++) {
        x[i] /= largest;
        sum += x[i] * x[i];
    }
    const double norm = sqrt(sum);
    const double square = 2.0 * (sum + fabs(x[0]) * norm); // of v
    x[0] += copysign(norm, x[0]);
    return 2.0 / square;
}

// P A P for the reflector v on `count` rows and columns from `start` on; only columns from `left`
// on and rows up to `bottom` are not zero or wanted.
static void eigen_reflect(const Eigenproblem *e, int start, int count, double factor, int left,
                          int right, int top, int bottom)
{
    const double *v = e->v;
    for (int j = left; j <= right; j++) {
        double sum = 0.0;
        for (int i = 0; i < count; i++)
            sum += v[i] * *eigen_at(e, start + i, j);
        sum *= factor;
        for (int i = 0; i < count; i++)
            *eigen_at(e, start + i, j) -= sum * v[i];
    }
    for (int i = top; i <= bottom; i++) {
        double *row = eigen_at(e, i, start);
        double sum = 0.0;
        for (int j = 0; j < count; j++)
            sum += row[j] * v[j];
        sum *= factor;
        for (int j = 0; j < count; j++)
            row[j] -= sum * v[j];
    }
}

static void eigen_to_hessenberg(const Eigenproblem *e)
{
    for (int k = e->low; k + 2 <= e->high; k++) {
        const int count = e->high - k;
        for (int i = 0; i < count; i++)
            e->v[i] = *eigen_at(e, k + 1 + i, k);
        const double factor = eigen_reflector(count, e->v);
        if (factor != 0.0)
            eigen_reflect(e, k + 1, count, factor, k, e->high, e->low, e->high);
        for (int i = k + 2; i <= e->high; i++)
            *eigen_at(e, i, k) = 0.0; // up to rounding it is
    }
}

// ---------------------------------------------------------------------------
// QR steps
// ---------------------------------------------------------------------------

// The first row of the block that ends at `last` and that nothing connects to the rows above. An
// element below the diagonal that rounding could have made is none.
static int eigen_deflate(const Eigenproblem *e, int last, double norm)
{
    int first = last;
    for (; first > e->low; first--) {
        double *below = eigen_at(e, first, first - 1);
        double size = fabs(*eigen_at(e, first - 1, first - 1)) + fabs(*eigen_at(e, first, first));
        if (size == 0.0)
            size = norm;
        if (fabs(*below) <= DBL_EPSILON * size) {
            *below = 0.0;
            break;
        }
    }
    return first;
}

// Of [a b; c d]: m +- sqrt(p^2 + bc), with the larger one first and the other one from their
// product, where nothing cancels.
static void eigen_found_two(Eigenproblem *e, int at)
{
    const double a = *eigen_at(e, at, at), b = *eigen_at(e, at, at + 1);
    const double c = *eigen_at(e, at + 1, at), d = *eigen_at(e, at + 1, at + 1);
    const double p = 0.5 * (a - d), scale = fmax(fabs(p), fmax(fabs(b), fabs(c)));
    const double q = scale > 0.0 ? p / scale * p + b / scale * c : 0.0; // divided by the scale
    const double root = sqrt(fabs(q)) * sqrt(scale);
    if (q >= 0.0) {
        const double z = p + copysign(root, p); // of the eigenvalue nearer to a, from d
        e->real[at] = d + z;
        e->real[at + 1] = z != 0.0 ? d - b / z * c : d;
        e->imaginary[at] = e->imaginary[at + 1] = 0.0;
    } else {
        e->real[at] = e->real[at + 1] = d + p;
        e->imaginary[at] = root;
        e->imaginary[at + 1] = -root;
    }
}

// One double step with shifts of the given sum and product: the first column of
// (H - s1)(H - s2) is reflected, then the bulge that this makes is chased down.
static void eigen_step(const Eigenproblem *e, int first, int last, double sum, double product)
{
    const double a = *eigen_at(e, first, first), b = *eigen_at(e, first, first + 1);
    const double c = *eigen_at(e, first + 1, first), d = *eigen_at(e, first + 1, first + 1);
    e->v[0] = ((a - sum) * a + product) / c + b; // all divided by c, which is not zero
    e->v[1] = a + d - sum;
    e->v[2] = *eigen_at(e, first + 2, first + 1);
    for (int k = first; k < last; k++) {
        const int count = k + 2 <= last ? 3 : 2;
        for (int i = 0; k > first && i < count; i++)
            e->v[i] = *eigen_at(e, k + i, k - 1);
        const double factor = eigen_reflector(count, e->v);
        const int left = k > first ? k - 1 : first;
        const int bottom = k + 3 <= last ? k + 3 : last;
        if (factor != 0.0)
            eigen_reflect(e, k, count, factor, left, last, first, bottom);
        for (int i = 1; k > first && i < count; i++)
            *eigen_at(e, k + i, k - 1) = 0.0;
    }
}

// Every tenth step takes shifts that have nothing to do with the block: a permutation, for example,
// is its own next iterate with its own shifts.
static void eigen_shift(const Eigenproblem *e, int last, int step, double *sum, double *product)
{
    const double a = *eigen_at(e, last - 1, last - 1), b = *eigen_at(e, last - 1, last);
    const double c = *eigen_at(e, last, last - 1), d = *eigen_at(e, last, last);
    *sum = a + d;
    *product = a * d - b * c;
    if (step % 10 == 0) {
        const double size = fabs(c) + fabs(*eigen_at(e, last - 1, last - 2));
        *sum = 2.0 * d + 1.5 * size;
        *product = d * d + 1.5 * d * size + size * size;
    }
}

static bool eigen_iterate(Eigenproblem *e)
{
    enum { MOST_STEPS = 60 }; // for one eigenvalue; two are usual
    double norm = 0.0;
    for (int i = e->low; i <= e->high; i++)
        for (int j = e->low; j <= e->high; j++)
            norm = fmax(norm, fabs(*eigen_at(e, i, j)));
    int last = e->high, step = 0;
    while (last >= e->low) {
        const int first = eigen_deflate(e, last, norm);
        if (first >= last - 1) {
            if (first == last)
                eigen_found_one(e, first);
            else
                eigen_found_two(e, first);
            last = first - 1;
            step = 0;
            continue;
        }
        if (++step > MOST_STEPS)
            return false;
        double sum, product;
        eigen_shift(e, last, step, &sum, &product);
        eigen_step(e, first, last, sum, product);
    }
    return true;
}

// ---------------------------------------------------------------------------
// The whole
// ---------------------------------------------------------------------------

static int eigen_compare(const void *a, const void *b)
{
    const SaltusEigenvalue *p = a, *q = b;
    if (p->real != q->real)
        return p->real < q->real ? 1 : -1;
    return (p->imaginary < q->imaginary) - (p->imaginary > q->imaginary);
}

static void eigen_describe(const Eigenproblem *e, double scale, SaltusEigenvalue *eigenvalues)
{
    static const double two_pi = 6.283185307179586;
    for (int i = 0; i < e->n; i++) {
        const double real = e->real[i] * scale, imaginary = e->imaginary[i] * scale;
        const double size = hypot(real, imaginary);
        // without the sign of a zero
        eigenvalues[i] = (SaltusEigenvalue){real + 0.0, imaginary + 0.0, size / two_pi,
                                            size > 0.0 ? 0.0 - real / size : NAN};
    }
    qsort(eigenvalues, (size_t)e->n, sizeof *eigenvalues, eigen_compare);
}

bool linearize_eigenvalues(int n, const double *a, SaltusEigenvalue *eigenvalues)
{
    const size_t size = (size_t)n;
    double largest = 0.0;
    for (size_t i = 0; i < size * size; i++) {
        if (!isfinite(a[i]))
            return false;
        largest = fmax(largest, fabs(a[i]));
    }
    if (n == 0)
        return true;
    const size_t workspace = size < 3 ? 3 : size;
    double *room = calloc(size * size + 2 * size + workspace, sizeof *room);
    if (!room)
        return false;
    Eigenproblem e = {n,
                      0,
                      n - 1,
                      room,
                      room + size * size,
                      room + size * size + size,
                      room + size * size + 2 * size};
    // Numbers of about one, by a power of two: their squares neither overflow nor vanish.
    int exponent = 0;
    frexp(largest, &exponent);
    const double scale = ldexp(1.0, exponent < 1000 ? exponent : 1000);
    for (size_t i = 0; i < size * size; i++)
        room[i] = a[i] / scale;
    while (eigen_isolate(&e))
        continue;
    eigen_balance(&e);
    eigen_to_hessenberg(&e);
    const bool is_fine = eigen_iterate(&e);
    if (is_fine)
        eigen_describe(&e, scale, eigenvalues);
    free(room);
    return is_fine;
}
