// SPDX-License-Identifier: MIT
//
// Eigenvalues of a pencil, b A x = a B x, and eigenvectors of triangular matrices, from both sides:
// dggev, dggevx, dhgeqz, dtrevc, dgeevx. The QZ algorithm of Moler and Stewart (1973; Golub, Van
// Loan, section 7.7), in complex numbers, with one shift and rotations: A = Q S Z', B = Q P Z', S
// and P triangular. Zeros of P are infinite eigenvalues: they are moved to the end and split off.

#include "external/matrix.h"

#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PENCIL_STEPS = 60 }; // for each eigenvalue

typedef struct Pencil {
    uint32_t n;
    double complex *s, *p, *q, *z;
} Pencil;

// [c s; -s' c]
typedef struct PencilTurn {
    double c;
    double complex s;
} PencilTurn;

// That makes (x y)' (r 0)'.
static PencilTurn pencil_turn(double complex x, double complex y)
{
    const double length = cabs(x), size = hypot(length, cabs(y));
    if (size == 0.0)
        return (PencilTurn){1.0, 0.0};
    const double complex phase = length > 0.0 ? x / length : 1.0;
    return (PencilTurn){length / size, phase * conj(y) / size};
}

// Rows i and i + 1 of m, from a column on.
static void pencil_rows(uint32_t n, double complex *m, uint32_t from, uint32_t i, PencilTurn t)
{
    for (uint32_t k = from; k < n; k++) {
        const double complex x = m[i * n + k], y = m[(i + 1) * n + k];
        m[i * n + k] = t.c * x + t.s * y;
        m[(i + 1) * n + k] = -conj(t.s) * x + t.c * y;
    }
}

// Columns i + 1 and i of m, in so many rows.
static void pencil_columns(uint32_t n, double complex *m, uint32_t rows, uint32_t i, PencilTurn t)
{
    for (uint32_t k = 0; k < rows; k++) {
        const double complex x = m[k * n + i + 1], y = m[k * n + i];
        m[k * n + i + 1] = t.c * x + t.s * y;
        m[k * n + i] = -conj(t.s) * x + t.c * y;
    }
}

// Rows i and i + 1 of S, P from a column on; Q goes along.
static void pencil_left(const Pencil *e, uint32_t from, uint32_t i, PencilTurn t)
{
    pencil_rows(e->n, e->s, from, i, t);
    pencil_rows(e->n, e->p, from, i, t);
    for (uint32_t k = 0; k < e->n; k++) {
        double complex *row = e->q + k * e->n;
        const double complex x = row[i], y = row[i + 1];
        row[i] = t.c * x + conj(t.s) * y;
        row[i + 1] = -t.s * x + t.c * y;
    }
}

// Columns i + 1 and i of the first rows of S and of P; Z goes along.
static void pencil_right(const Pencil *e, uint32_t s_rows, uint32_t p_rows, uint32_t i,
                         PencilTurn t)
{
    pencil_columns(e->n, e->s, s_rows, i, t);
    pencil_columns(e->n, e->p, p_rows, i, t);
    pencil_columns(e->n, e->z, e->n, i, t);
}

// S to Hessenberg form, P to triangular form.
static void pencil_reduce(const Pencil *e)
{
    const uint32_t n = e->n;
    for (uint32_t k = 0; k + 1 < n; k++)
        for (uint32_t i = n - 1; i-- > k;) {
            pencil_left(e, 0, i, pencil_turn(e->p[i * n + k], e->p[(i + 1) * n + k]));
            e->p[(i + 1) * n + k] = 0.0;
        }
    for (uint32_t k = 0; k + 2 < n; k++)
        for (uint32_t i = n - 1; i-- > k + 1;) {
            pencil_left(e, k, i, pencil_turn(e->s[i * n + k], e->s[(i + 1) * n + k]));
            e->s[(i + 1) * n + k] = 0.0;
            pencil_right(e, n, i + 2, i,
                         pencil_turn(e->p[(i + 1) * n + i + 1], e->p[(i + 1) * n + i]));
            e->p[(i + 1) * n + i] = 0.0;
        }
}

static double pencil_norm(uint32_t n, const double complex *m)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < n * n; i++)
        sum += creal(m[i] * conj(m[i]));
    return sqrt(sum);
}

// The eigenvalue of the last two rows and columns up to `high` that is nearer to the last one.
static double complex pencil_shift(const Pencil *e, uint32_t high, int step)
{
    const uint32_t n = e->n, k = high - 1;
    const double complex *s = e->s, *p = e->p;
    const double complex p11 = p[k * n + k], p22 = p[high * n + high];
    const double complex u = p[k * n + high] / p22;
    const double complex a = s[k * n + k] / p11, c = s[high * n + k] / p11;
    const double complex b = s[k * n + high] / p22 - u * a, d = s[high * n + high] / p22 - u * c;
    if (step % 10 == 9) // an exceptional one
        return d + cabs(c);
    const double complex half = 0.5 * (a - d), root = csqrt(half * half + b * c);
    return cabs(half + root) < cabs(half - root) ? d + half + root : d + half - root;
}

// One step on rows and columns low to high.
static void pencil_step(const Pencil *e, uint32_t low, uint32_t high, int step)
{
    const uint32_t n = e->n;
    const double complex shift = pencil_shift(e, high, step);
    double complex x = e->s[low * n + low] - shift * e->p[low * n + low];
    double complex y = e->s[(low + 1) * n + low];
    for (uint32_t j = low; j < high; j++) {
        if (j > low) {
            x = e->s[j * n + j - 1];
            y = e->s[(j + 1) * n + j - 1];
        }
        pencil_left(e, j > low ? j - 1 : low, j, pencil_turn(x, y));
        if (j > low)
            e->s[(j + 1) * n + j - 1] = 0.0;
        const PencilTurn t = pencil_turn(e->p[(j + 1) * n + j + 1], e->p[(j + 1) * n + j]);
        pencil_right(e, j + 3 <= high + 1 ? j + 3 : high + 1, j + 2, j, t);
        e->p[(j + 1) * n + j] = 0.0;
    }
}

// P[j, j] is zero; it goes to P[high, high].
static void pencil_chase(const Pencil *e, uint32_t j, uint32_t high)
{
    const uint32_t n = e->n;
    for (; j < high; j++) {
        pencil_left(e, j - 1, j, pencil_turn(e->p[j * n + j + 1], e->p[(j + 1) * n + j + 1]));
        e->p[(j + 1) * n + j + 1] = 0.0;
        pencil_right(e, j + 2, j, j - 1,
                     pencil_turn(e->s[(j + 1) * n + j], e->s[(j + 1) * n + j - 1]));
        e->s[(j + 1) * n + j - 1] = 0.0;
    }
}

// What splits off at `high`, or a zero of P that is moved; *low: where the block begins that is
// left. False: nothing of this kind.
static bool pencil_split(const Pencil *e, uint32_t *high, uint32_t *low, double s_least,
                         double p_least)
{
    const uint32_t n = e->n, h = *high;
    double complex *s = e->s, *p = e->p;
    if (cabs(s[h * n + h - 1]) <= s_least) {
        s[h * n + h - 1] = 0.0;
        --*high;
        return true;
    }
    if (cabs(p[h * n + h]) <= p_least) {
        p[h * n + h] = 0.0;
        pencil_right(e, h + 1, h, h - 1, pencil_turn(s[h * n + h], s[h * n + h - 1]));
        s[h * n + h - 1] = 0.0;
        --*high;
        return true;
    }
    for (uint32_t j = h; j-- > 0;) {
        const bool is_first = j == 0 || cabs(s[j * n + j - 1]) <= s_least;
        if (is_first && j > 0)
            s[j * n + j - 1] = 0.0;
        if (cabs(p[j * n + j]) <= p_least) {
            p[j * n + j] = 0.0;
            if (is_first) {
                pencil_left(e, j, j, pencil_turn(s[j * n + j], s[(j + 1) * n + j]));
                s[(j + 1) * n + j] = 0.0;
            } else {
                pencil_chase(e, j, h);
            }
            return true;
        }
        if (is_first) {
            *low = j;
            return false;
        }
    }
    return false;
}

// From S = A, P = B. False: it did not converge.
static bool pencil_schur(const Pencil *e)
{
    const uint32_t n = e->n;
    for (uint32_t i = 0; i < n * n; i++)
        e->q[i] = e->z[i] = i % (n + 1) == 0;
    const double s_least = DBL_EPSILON * fmax(pencil_norm(n, e->s), DBL_MIN / DBL_EPSILON);
    const double p_least = DBL_EPSILON * fmax(pencil_norm(n, e->p), DBL_MIN / DBL_EPSILON);
    pencil_reduce(e);
    uint32_t high = n ? n - 1 : 0, low = 0, splits = 0;
    for (int step = 0; high > 0 && step < PENCIL_STEPS && splits < 4 * n * n + 4;) {
        const uint32_t before = high;
        if (!pencil_split(e, &high, &low, s_least, p_least))
            pencil_step(e, low, high, step++);
        else
            splits++;
        if (high < before)
            step = 0;
    }
    return high == 0;
}

// x: the vector of eigenvalue k, in the basis of S and P, from the right or the left (its
// conjugate transpose times b S - a P is zero).
static void pencil_vector(const Pencil *e, uint32_t k, bool is_left, double complex *x)
{
    const uint32_t n = e->n;
    const double complex a = e->s[k * n + k], b = e->p[k * n + k];
    const double least = DBL_EPSILON * (cabs(b) * pencil_norm(n, e->s) +
                                        cabs(a) * pencil_norm(n, e->p) + DBL_MIN / DBL_EPSILON);
    memset(x, 0, n * sizeof *x);
    x[k] = 1.0;
    const uint32_t count = is_left ? n - 1 - k : k;
    for (uint32_t step = 1; step <= count; step++) {
        const uint32_t i = is_left ? k + step : k - step;
        double complex sum = 0.0, pivot = b * e->s[i * n + i] - a * e->p[i * n + i];
        for (uint32_t j = is_left ? k : i + 1; j < (is_left ? i : k + 1); j++) {
            const uint32_t at = is_left ? j * n + i : i * n + j;
            const double complex m = b * e->s[at] - a * e->p[at];
            sum -= (is_left ? conj(m) : m) * x[j];
        }
        if (cabs(pivot) < least)
            pivot = least;
        x[i] = sum / (is_left ? conj(pivot) : pivot);
    }
}

// y = basis * x
static void pencil_transform(uint32_t n, const double complex *basis, const double complex *x,
                             double complex *y)
{
    for (uint32_t i = 0; i < n; i++) {
        y[i] = 0.0;
        for (uint32_t j = 0; j < n; j++)
            y[i] += basis[i * n + j] * x[j];
    }
}

// How LAPACK scales vectors: the largest |re| + |im| is 1; or the length, and the largest element
// is real, as that of a vector that is real.
static void pencil_scale(uint32_t n, double complex *y, bool by_length, bool is_real)
{
    double most = 0.0, best = 0.0, sum = 0.0;
    double complex largest = 1.0;
    for (uint32_t i = 0; i < n; i++) {
        most = fmax(most, fabs(creal(y[i])) + fabs(cimag(y[i])));
        sum += creal(y[i] * conj(y[i]));
        if (cabs(y[i]) > best * (1.0 + 1e-9)) {
            best = cabs(y[i]);
            largest = y[i];
        }
    }
    if (best == 0.0)
        return;
    for (uint32_t i = 0; i < n; i++)
        y[i] *= by_length ? conj(largest) / (best * sqrt(sum))
                : is_real ? conj(largest) / (best * best)
                          : 1.0 / most;
}

static void pencil_put(uint32_t n, const double complex *y, uint32_t column, bool is_pair,
                       double *to)
{
    for (uint32_t i = 0; i < n; i++) {
        to[i * n + column] = creal(y[i]);
        if (is_pair)
            to[i * n + column + 1] = cimag(y[i]);
    }
}

// Where results go; NULL: they are not wanted.
typedef struct PencilResults {
    double *alpha_real, *alpha_imaginary, *beta, *left, *right;
    double *condition;   // of each eigenvalue
    bool by_length;      // see pencil_scale
    const double *scale; // of the basis, that vectors are given back in
} PencilResults;

// The vectors of eigenvalue k, in column `at`, and its condition. work: 3 n.
static void pencil_write_vectors(const Pencil *e, uint32_t k, uint32_t at, bool is_pair,
                                 const PencilResults *r, double complex *work)
{
    const uint32_t n = e->n;
    double complex *x = work, *right = x + n, *left = right + n;
    pencil_vector(e, k, false, x);
    pencil_transform(n, e->z, x, right);
    for (uint32_t i = 0; r->scale && i < n; i++)
        right[i] *= r->scale[i];
    pencil_scale(n, right, r->by_length, !is_pair);
    pencil_vector(e, k, true, x);
    pencil_transform(n, e->q, x, left);
    for (uint32_t i = 0; r->scale && i < n; i++)
        left[i] /= r->scale[i];
    pencil_scale(n, left, r->by_length, !is_pair);
    if (r->right)
        pencil_put(n, right, at, is_pair, r->right);
    if (r->left)
        pencil_put(n, left, at, is_pair, r->left);
}

// |y' A x, y' B x| / (|x| |y|) in the basis of S and P; with P = I, |y' x| / (|x| |y|).
static double pencil_condition(const Pencil *e, uint32_t k, bool is_pencil, double complex *work)
{
    const uint32_t n = e->n;
    double complex *x = work, *y = x + n, a = 0.0, b = 0.0;
    double xx = 0.0, yy = 0.0;
    pencil_vector(e, k, false, x);
    pencil_vector(e, k, true, y);
    for (uint32_t i = 0; i < n; i++) {
        xx += creal(x[i] * conj(x[i]));
        yy += creal(y[i] * conj(y[i]));
        for (uint32_t j = i; j < n; j++) {
            a += conj(y[i]) * e->s[i * n + j] * x[j];
            b += conj(y[i]) * e->p[i * n + j] * x[j];
        }
    }
    return (is_pencil ? hypot(cabs(a), cabs(b)) : cabs(b)) / sqrt(xx * yy);
}

// Of a conjugate pair the one with the positive imaginary part comes first.
static bool pencil_write(const Pencil *e, const PencilResults *r, bool is_pencil)
{
    const uint32_t n = e->n;
    double complex *work = malloc((3 * (size_t)n + 1) * sizeof *work);
    bool *is_done = calloc(n + 1, sizeof *is_done);
    const bool is_fine = work && is_done;
    for (uint32_t k = 0, at = 0; is_fine && k < n; k++) {
        const double complex a = e->s[k * n + k], b = e->p[k * n + k];
        const double complex turned = a * conj(b); // b is real and not negative then
        if (is_done[k])
            continue;
        uint32_t other = n; // its conjugate
        double nearest = INFINITY;
        for (uint32_t i = k + 1; i < n && fabs(cimag(turned)) > 1e-12 * cabs(a) * cabs(b); i++) {
            const double complex c = e->s[i * n + i], d = e->p[i * n + i];
            const double size = hypot(cabs(c), cabs(d));
            const double far = cabs(conj(a) * d - c * conj(b)) / (size > 0.0 ? size : 1.0);
            if (!is_done[i] && far < nearest) {
                nearest = far;
                other = i;
            }
        }
        const bool is_pair = other < n;
        const uint32_t chosen = is_pair && cimag(turned) < 0.0 ? other : k;
        const double complex c = e->s[chosen * n + chosen], d = e->p[chosen * n + chosen];
        const double complex alpha = cabs(d) > 0.0 ? c * conj(d) / cabs(d) : cabs(c);
        is_done[k] = true;
        if (is_pair)
            is_done[other] = true;
        pencil_write_vectors(e, chosen, at, is_pair, r, work);
        const double condition = r->condition ? pencil_condition(e, chosen, is_pencil, work) : 0.0;
        for (uint32_t i = 0; i < (is_pair ? 2u : 1u); i++, at++) {
            r->alpha_real[at] = creal(alpha);
            r->alpha_imaginary[at] = is_pair ? (i ? -1.0 : 1.0) * fabs(cimag(alpha)) : 0.0;
            if (r->beta)
                r->beta[at] = cabs(d);
            if (r->condition)
                r->condition[at] = condition;
        }
    }
    free(work);
    free(is_done);
    return is_fine;
}

// The matrices of arguments a and b: b < 0 for one matrix, whose P is I.
static bool pencil_open(ExternalCall *call, uint32_t a, int b, Pencil *e)
{
    uint32_t columns, other_rows, other_columns;
    *e = (Pencil){0};
    if (!spectral_matrix(call, a, &e->n, &columns))
        return false;
    const uint32_t n = e->n, all = n * n;
    if (b >= 0 && !spectral_matrix(call, (uint32_t)b, &other_rows, &other_columns))
        return false;
    if (n != columns || (b >= 0 && (other_rows != n || other_columns != n)))
        return external_fail(call, "the matrices are not square, or of different sizes");
    e->s = malloc((4 * (size_t)all + 1) * sizeof *e->s);
    if (!e->s)
        return spectral_no_memory(call);
    e->p = e->s + all;
    e->q = e->p + all;
    e->z = e->q + all;
    for (uint32_t i = 0; i < all; i++) {
        e->s[i] = call->arguments[a].numbers[i];
        e->p[i] = b >= 0 ? call->arguments[b].numbers[i] : i % (n + 1) == 0;
    }
    return true;
}

static bool pencil_has_room(ExternalCall *call, uint32_t n, uint32_t values, uint32_t value_count,
                            uint32_t left, uint32_t right)
{
    bool is_fine = call->arguments[left].count >= n * n && call->arguments[right].count >= n * n;
    for (uint32_t i = 0; i < value_count; i++)
        is_fine = is_fine && call->arguments[values + i].count >= n;
    return is_fine || external_fail(call, "there is too little room for the results");
}

// Q S Q' = A, as a pencil with P = I.
static bool pencil_of_matrix(Pencil *e)
{
    const bool is_fine = spectral_schur(e->n, e->s, e->q);
    memcpy(e->z, e->q, (size_t)e->n * e->n * sizeof *e->z);
    return is_fine;
}

// dggev(jobvl, jobvr, n, A, lda, B, ldb, alphar, alphai, beta, VL, ldvl, VR, ldvr, work, lwork,
// info)
bool pencil_dggev(ExternalCall *call)
{
    const ExternalArgument *g = call->arguments;
    const bool has_left = external_text(call, 0)[0] == 'V',
               has_right = external_text(call, 1)[0] == 'V';
    Pencil e;
    if (!pencil_open(call, 3, 5, &e))
        return false;
    if (external_number(call, 2) != e.n) {
        free(e.s);
        return external_fail(call, "only whole matrices are computed");
    }
    bool is_done = pencil_has_room(call, e.n, 7, 3, has_left ? 10 : 3, has_right ? 12 : 3);
    if (is_done) {
        external_set(call, 16, pencil_schur(&e) ? 0.0 : 1.0);
        is_done = pencil_write(&e,
                               &(PencilResults){.alpha_real = g[7].numbers,
                                                .alpha_imaginary = g[8].numbers,
                                                .beta = g[9].numbers,
                                                .left = has_left ? g[10].numbers : NULL,
                                                .right = has_right ? g[12].numbers : NULL},
                               true) ||
                  spectral_no_memory(call);
    }
    free(e.s);
    return is_done;
}

static double pencil_one_norm(uint32_t n, const double *a)
{
    double most = 0.0;
    for (uint32_t j = 0; j < n; j++) {
        double sum = 0.0;
        for (uint32_t i = 0; i < n; i++)
            sum += fabs(a[i * n + j]);
        most = fmax(most, sum);
    }
    return most;
}

// dggevx(balanc, jobvl, jobvr, sense, n, A, lda, B, ldb, alphar, alphai, beta, VL, ldvl, VR, ldvr,
// ilo, ihi, lscale, rscale, abnrm, bbnrm, rconde, rcondv, work, lwork, iwork, bwork, info). Nothing
// is balanced: the scales are 1. Conditions of vectors are not computed: they are not a number.
bool pencil_dggevx(ExternalCall *call)
{
    const ExternalArgument *g = call->arguments;
    const char sense = external_text(call, 3)[0];
    const bool has_left = external_text(call, 1)[0] == 'V',
               has_right = external_text(call, 2)[0] == 'V';
    Pencil e;
    if (!pencil_open(call, 5, 7, &e))
        return false;
    bool is_done = pencil_has_room(call, e.n, 9, 3, has_left ? 12 : 5, has_right ? 14 : 5) &&
                   pencil_has_room(call, e.n, 18, 2, 5, 5) &&
                   (sense == 'N' || pencil_has_room(call, e.n, 22, 2, 5, 5));
    if (is_done) {
        external_set(call, 28, pencil_schur(&e) ? 0.0 : 1.0);
        external_set(call, 16, 1.0);
        external_set(call, 17, e.n);
        external_set(call, 20, pencil_one_norm(e.n, g[5].numbers));
        external_set(call, 21, pencil_one_norm(e.n, g[7].numbers));
        for (uint32_t i = 0; i < e.n; i++)
            g[18].numbers[i] = g[19].numbers[i] = 1.0;
        for (uint32_t i = 0; i < e.n && (sense == 'V' || sense == 'B'); i++)
            g[23].numbers[i] = NAN;
        const bool has_conditions = sense == 'E' || sense == 'B';
        is_done = pencil_write(&e,
                               &(PencilResults){.alpha_real = g[9].numbers,
                                                .alpha_imaginary = g[10].numbers,
                                                .beta = g[11].numbers,
                                                .left = has_left ? g[12].numbers : NULL,
                                                .right = has_right ? g[14].numbers : NULL,
                                                .condition = has_conditions ? g[22].numbers : NULL},
                               true) ||
                  spectral_no_memory(call);
    }
    free(e.s);
    return is_done;
}

// dhgeqz("E", "N", "N", n, ilo, ihi, H, ldh, T, ldt, alphar, alphai, beta, Q, ldq, Z, ldz, work,
// lwork, info). The matrices may be full, and the whole of them is meant.
bool pencil_dhgeqz(ExternalCall *call)
{
    const ExternalArgument *g = call->arguments;
    Pencil e;
    if (external_text(call, 0)[0] != 'E' || external_text(call, 1)[0] != 'N' ||
        external_text(call, 2)[0] != 'N')
        return external_fail(call, "only eigenvalues are computed (\"E\", \"N\", \"N\")");
    if (!pencil_open(call, 6, 8, &e))
        return false;
    bool is_done = pencil_has_room(call, e.n, 10, 3, 6, 6);
    if (is_done) {
        external_set(call, 19, pencil_schur(&e) ? 0.0 : 1.0);
        is_done = pencil_write(&e,
                               &(PencilResults){.alpha_real = g[10].numbers,
                                                .alpha_imaginary = g[11].numbers,
                                                .beta = g[12].numbers},
                               true) ||
                  spectral_no_memory(call);
    }
    free(e.s);
    return is_done;
}

// Powers of two that make rows and columns of about the same size (Parlett, Reinsch 1969). a
// becomes D^-1 a D.
static void pencil_balance(uint32_t n, double *a, double *scale)
{
    for (uint32_t i = 0; i < n; i++)
        scale[i] = 1.0;
    for (bool is_changed = true; is_changed;) {
        is_changed = false;
        for (uint32_t i = 0; i < n; i++) {
            double column = 0.0, row = 0.0, f = 1.0;
            for (uint32_t j = 0; j < n; j++) {
                column += j == i ? 0.0 : fabs(a[j * n + i]);
                row += j == i ? 0.0 : fabs(a[i * n + j]);
            }
            if (column == 0.0 || row == 0.0 || !isfinite(column) || !isfinite(row))
                continue;
            const double sum = column + row;
            for (; column < row / 2.0 && f < 0x1p500; column *= 4.0)
                f *= 2.0;
            for (; column >= row * 2.0 && f > 0x1p-500; column /= 4.0)
                f /= 2.0;
            if (f == 1.0 || (column + row) / f >= 0.95 * sum)
                continue;
            is_changed = true;
            scale[i] *= f;
            for (uint32_t j = 0; j < n; j++) {
                a[i * n + j] /= f;
                a[j * n + i] *= f;
            }
        }
    }
}

// dgeevx(balanc, jobvl, jobvr, sense, n, A, lda, wr, wi, VL, ldvl, VR, ldvr, ilo, ihi, scale,
// abnrm, rconde, rcondv, work, lwork, iwork, info). A becomes its real Schur form. It is balanced
// by scaling alone.
bool pencil_dgeevx(ExternalCall *call)
{
    const ExternalArgument *g = call->arguments;
    const char balance = external_text(call, 0)[0], sense = external_text(call, 3)[0];
    const bool has_left = external_text(call, 1)[0] == 'V',
               has_right = external_text(call, 2)[0] == 'V';
    uint32_t n, columns;
    if (sense == 'V' || sense == 'B')
        return external_fail(call, "conditions of eigenvectors are not computed");
    if (!spectral_matrix(call, 5, &n, &columns))
        return false;
    if (n != columns || g[15].count < n || (sense == 'E' && g[17].count < n))
        return external_fail(call, "the matrix is not square, or there is too little room");
    double *scale = g[15].numbers;
    for (uint32_t i = 0; i < n; i++)
        scale[i] = 1.0;
    if (balance == 'S' || balance == 'B')
        pencil_balance(n, g[5].numbers, scale);
    external_set(call, 13, 1.0);
    external_set(call, 14, n);
    external_set(call, 16, pencil_one_norm(n, g[5].numbers));
    Pencil e;
    if (!pencil_open(call, 5, -1, &e))
        return false;
    bool is_done = pencil_has_room(call, n, 7, 2, has_left ? 9 : 5, has_right ? 11 : 5);
    if (is_done) {
        const bool is_fine = pencil_of_matrix(&e);
        uint32_t failed = 0;
        is_done = pencil_write(&e,
                               &(PencilResults){.alpha_real = g[7].numbers,
                                                .alpha_imaginary = g[8].numbers,
                                                .left = has_left ? g[9].numbers : NULL,
                                                .right = has_right ? g[11].numbers : NULL,
                                                .condition = sense == 'E' ? g[17].numbers : NULL,
                                                .by_length = true,
                                                .scale = scale},
                               false) &&
                  schur_form(n, g[5].numbers, NULL, &failed);
        external_set(call, 22, is_fine && !failed ? 0.0 : 1.0);
        is_done = is_done || spectral_no_memory(call);
    }
    free(e.s);
    return is_done;
}

// The phase that dtrevc gives the vector of a pair at rows j, j + 1.
static double complex pencil_phase(const double *t, uint32_t n, uint32_t j, bool is_left,
                                   const double complex *x)
{
    const bool is_upper = fabs(t[j * n + j + 1]) >= fabs(t[(j + 1) * n + j]);
    return is_upper == is_left ? conj(x[j + 1]) * I : conj(x[j]);
}

// The vectors from one side, into the first columns of `to`, which has the basis if it is 'B'.
static void pencil_vectors(const Pencil *e, const double *t, bool is_left, char many,
                           const double *select, double complex *work, double *to)
{
    const uint32_t n = e->n;
    double complex *x = work, *y = x + n, *basis = y + n;
    uint32_t at = 0;
    for (uint32_t i = 0; i < n * n; i++)
        basis[i] = many == 'B' ? to[i] : i % (n + 1) == 0;
    for (uint32_t k = 0, size; k < n; k += size) {
        size = k + 1 < n && t[(k + 1) * n + k] != 0.0 ? 2 : 1;
        if (many == 'S' && select[k] == 0.0 && !(size == 2 && select[k + 1] != 0.0))
            continue;
        const bool is_second = size == 2 && cimag(e->s[k * n + k]) < 0.0;
        pencil_vector(e, is_second ? k + 1 : k, is_left, x);
        pencil_transform(n, e->q, x, y); // in the basis of T
        const double complex phase = size == 2 ? pencil_phase(t, n, k, is_left, y) : conj(y[k]);
        for (uint32_t i = 0; i < n; i++)
            y[i] *= phase;
        pencil_transform(n, basis, y, x);
        pencil_scale(n, x, false, false);
        pencil_put(n, x, at, size == 2, to);
        at += size;
    }
}

// dtrevc(side, howmny, select, n, T, ldt, VL, ldvl, VR, ldvr, mm, m, work, info)
bool pencil_dtrevc(ExternalCall *call)
{
    const ExternalArgument *g = call->arguments;
    const char side = external_text(call, 0)[0], many = external_text(call, 1)[0];
    Pencil e;
    if (!pencil_open(call, 4, -1, &e))
        return false;
    const uint32_t n = e.n;
    double complex *work = malloc(((size_t)n * n + 2 * n + 1) * sizeof *work);
    const bool has_room =
        (work || spectral_no_memory(call)) &&
        pencil_has_room(call, n, 2, many == 'S', side == 'R' ? 4 : 6, side == 'L' ? 4 : 8);
    const bool is_done = work && has_room;
    if (is_done) {
        external_set(call, 13, pencil_of_matrix(&e) ? 0.0 : 1.0);
        if (side != 'R')
            pencil_vectors(&e, g[4].numbers, true, many, g[2].numbers, work, g[6].numbers);
        if (side != 'L')
            pencil_vectors(&e, g[4].numbers, false, many, g[2].numbers, work, g[8].numbers);
    }
    free(work);
    free(e.s);
    return is_done;
}
