// SPDX-License-Identifier: MIT
//
// LAPACK, continued: eigenvalues, singular values, orthogonal factors, norms. Matrices are in
// row-major order; leading dimensions and working memory are not needed.

#include "external/functions.h"
#include "external/matrix.h"

#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { SPECTRAL_LARGEST = 500, SPECTRAL_SWEEPS = 60, SPECTRAL_STEPS = 60 };

bool spectral_matrix(ExternalCall *call, uint32_t index, uint32_t *rows, uint32_t *columns)
{
    const ExternalArgument *a = &call->arguments[index];
    *rows = a->rank == 2 ? a->dims[0] : 0;
    *columns = a->rank == 2 ? a->dims[1] : 0;
    return (a->rank == 2 && *rows <= SPECTRAL_LARGEST && *columns <= SPECTRAL_LARGEST) ||
           external_fail(call, "this is no matrix, or has more than %d rows or columns",
                         SPECTRAL_LARGEST);
}

bool spectral_no_memory(ExternalCall *call)
{
    return external_fail(call, "there is no memory left");
}

// ---------------------------------------------------------------------------
// Singular values: one-sided Jacobi (Golub, Van Loan: Matrix Computations, section 8.6.3)
// ---------------------------------------------------------------------------

// The columns i and k of the n rows of w become orthogonal; v goes along. False: they were, up to
// rounding: their own, and that of all squares, which columns that ought to be zero consist of.
static bool spectral_rotate(uint32_t n, uint32_t columns, double *w, double *v, uint32_t i,
                            uint32_t k, double squares)
{
    static const double rounding = 8.0 * DBL_EPSILON;
    double ii = 0.0, kk = 0.0, ik = 0.0;
    for (uint32_t r = 0; r < n; r++) {
        ii += w[r * columns + i] * w[r * columns + i];
        kk += w[r * columns + k] * w[r * columns + k];
        ik += w[r * columns + i] * w[r * columns + k];
    }
    if (fabs(ik) <= rounding * sqrt(ii * kk) + rounding * rounding * squares)
        return false;
    const double zeta = (kk - ii) / (2.0 * ik);
    const double t = copysign(1.0, zeta) / (fabs(zeta) + sqrt(1.0 + zeta * zeta));
    const double c = 1.0 / sqrt(1.0 + t * t), s = c * t;
    for (uint32_t r = 0; r < n + columns; r++) {
        double *row = r < n ? w + r * columns : v + (r - n) * columns;
        const double x = row[i];
        row[i] = c * x - s * row[k];
        row[k] = s * x + c * row[k];
    }
    return true;
}

// Columns from `first` on that complete the orthonormal ones before them, from unit vectors.
static void spectral_complete(uint32_t n, double *u, uint32_t first)
{
    for (uint32_t k = first; k < n; k++) {
        double best = -1.0;
        uint32_t place = 0;
        for (uint32_t i = 0; i < n; i++) { // the unit vector that is least in their span
            double rest = 1.0;
            for (uint32_t j = 0; j < k; j++)
                rest -= u[i * n + j] * u[i * n + j];
            if (rest > best) {
                best = rest;
                place = i;
            }
        }
        for (uint32_t i = 0; i < n; i++)
            u[i * n + k] = i == place;
        for (int again = 0; again < 2; again++) {
            for (uint32_t j = 0; j < k; j++) {
                double dot = 0.0;
                for (uint32_t i = 0; i < n; i++)
                    dot += u[i * n + j] * u[i * n + k];
                for (uint32_t i = 0; i < n; i++)
                    u[i * n + k] -= dot * u[i * n + j];
            }
            double norm = 0.0;
            for (uint32_t i = 0; i < n; i++)
                norm += u[i * n + k] * u[i * n + k];
            for (uint32_t i = 0; i < n; i++)
                u[i * n + k] /= sqrt(norm);
        }
    }
}

// w (m by n, m >= n) = U diag(s) V', s falling; U is m by m. False: it did not converge.
static bool spectral_decompose(uint32_t m, uint32_t n, double *w, double *s, double *u, double *v)
{
    bool is_moving = true;
    double squares = 0.0;
    for (uint32_t i = 0; i < n * n; i++)
        v[i] = i % (n + 1) == 0;
    for (uint32_t i = 0; i < m * n; i++)
        squares += w[i] * w[i];
    for (int sweep = 0; is_moving && sweep < SPECTRAL_SWEEPS; sweep++) {
        is_moving = false;
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t k = i + 1; k < n; k++)
                is_moving |= spectral_rotate(m, n, w, v, i, k, squares);
    }
    for (uint32_t k = 0; k < n; k++) {
        double sum = 0.0;
        for (uint32_t i = 0; i < m; i++)
            sum += w[i * n + k] * w[i * n + k];
        s[k] = sqrt(sum);
    }
    for (uint32_t k = 0; k < n; k++) { // by selection
        uint32_t largest = k;
        for (uint32_t i = k + 1; i < n; i++)
            if (s[i] > s[largest])
                largest = i;
        const double x = s[k];
        s[k] = s[largest];
        s[largest] = x;
        for (uint32_t r = 0; largest != k && r < m + n; r++) {
            double *row = r < m ? w + r * n : v + (r - m) * n;
            const double y = row[k];
            row[k] = row[largest];
            row[largest] = y;
        }
    }
    uint32_t rank = 0;
    while (rank < n && s[rank] > DBL_EPSILON * s[0] * m)
        rank++;
    for (uint32_t i = 0; i < m; i++)
        for (uint32_t k = 0; k < rank; k++)
            u[i * m + k] = w[i * n + k] / s[k];
    spectral_complete(m, u, rank);
    return !is_moving;
}

// A = U diag(sigma) VT; without vectors U and VT stay. `first`: the place of A.
static bool spectral_singular(ExternalCall *call, uint32_t first, bool has_vectors, uint32_t info)
{
    uint32_t rows, columns;
    if (!spectral_matrix(call, first, &rows, &columns))
        return false;
    const uint32_t m = rows > columns ? rows : columns, n = rows > columns ? columns : rows;
    const ExternalArgument *sigma = &call->arguments[first + 2], *u = sigma + 1, *vt = sigma + 3;
    if (sigma->count < n ||
        (has_vectors && (u->count < rows * rows || vt->count < columns * columns)))
        return external_fail(call, "there is too little room for the singular values or vectors");
    double *w = malloc(((size_t)m * n + (size_t)m * m + (size_t)n * n + n + 1) * sizeof *w);
    if (!w)
        return spectral_no_memory(call);
    double *left = w + m * n, *right = left + m * m, *s = right + n * n;
    const double *a = call->arguments[first].numbers;
    for (uint32_t i = 0; i < m; i++)
        for (uint32_t k = 0; k < n; k++)
            w[i * n + k] = rows >= columns ? a[i * columns + k] : a[k * columns + i];
    const bool is_fine = spectral_decompose(m, n, w, s, left, right);
    for (uint32_t k = 0; k < n; k++)
        sigma->numbers[k] = s[k];
    for (uint32_t i = 0; has_vectors && i < rows; i++)
        for (uint32_t k = 0; k < rows; k++)
            u->numbers[i * rows + k] = (rows >= columns ? left : right)[i * rows + k];
    for (uint32_t i = 0; has_vectors && i < columns; i++)
        for (uint32_t k = 0; k < columns; k++)
            vt->numbers[i * columns + k] = (rows >= columns ? right : left)[k * columns + i];
    external_set(call, info, is_fine ? 0.0 : 1.0);
    free(w);
    return true;
}

// dgesvd(jobu, jobvt, m, n, A, lda, sigma, U, ldu, VT, ldvt, work, lwork, info)
bool spectral_dgesvd(ExternalCall *call)
{
    const char left = external_text(call, 0)[0], right = external_text(call, 1)[0];
    if (left != right || (left != 'A' && left != 'N'))
        return external_fail(call, "only all singular vectors, or none, are computed");
    return spectral_singular(call, 4, left == 'A', 13);
}

// dgesdd(job, m, n, A, lda, sigma, U, ldu, VT, ldvt, work, lwork, iwork, info)
bool spectral_dgesdd(ExternalCall *call)
{
    const char job = external_text(call, 0)[0];
    if (job != 'A' && job != 'N')
        return external_fail(call, "only all singular vectors, or none, are computed");
    return spectral_singular(call, 3, job == 'A', 13);
}

// ---------------------------------------------------------------------------
// Eigenvalues: a complex Schur form by QR steps (Golub, Van Loan, section 7.5)
// ---------------------------------------------------------------------------

// Columns i and k of the first `rows` rows of a, turned by c and s.
static void spectral_turn_columns(uint32_t n, double complex *a, uint32_t rows, uint32_t i,
                                  double c, double complex s)
{
    for (uint32_t r = 0; r < rows; r++) {
        const double complex x = a[r * n + i], y = a[r * n + i + 1];
        a[r * n + i] = c * x + s * y;
        a[r * n + i + 1] = -conj(s) * x + c * y;
    }
}

// To Hessenberg form by rotations of neighbouring rows, from below; q goes along.
static void spectral_givens(uint32_t n, double complex *t, double complex *q, uint32_t from,
                            uint32_t i, double complex x, double complex y, uint32_t rows)
{
    const double size = sqrt(creal(x * conj(x)) + creal(y * conj(y)));
    if (size == 0.0)
        return;
    // [c s; -s' c] (x y)' = (r 0)', c real
    const double length = cabs(x);
    const double complex phase = length > 0.0 ? x / length : 1.0;
    const double c = length / size;
    const double complex s = phase * conj(y) / size;
    for (uint32_t k = from; k < n; k++) {
        const double complex a = t[i * n + k], b = t[(i + 1) * n + k];
        t[i * n + k] = c * a + s * b;
        t[(i + 1) * n + k] = -conj(s) * a + c * b;
    }
    spectral_turn_columns(n, t, rows, i, c, conj(s));
    spectral_turn_columns(n, q, n, i, c, conj(s));
}

// One QR step on the rows and columns low to high, with a shift: the rotations are those of a
// chase.
static void spectral_step(uint32_t n, double complex *t, double complex *q, uint32_t low,
                          uint32_t high, int step)
{
    const double complex a = t[(high - 1) * n + high - 1], b = t[(high - 1) * n + high];
    const double complex c = t[high * n + high - 1], d = t[high * n + high];
    const double complex half = 0.5 * (a - d), root = csqrt(half * half + b * c);
    double complex shift =
        cabs(half + root) < cabs(half - root) ? d + half + root : d + half - root;
    if (step % 10 == 9) // an exceptional one
        shift = d + cabs(c);
    double complex x = t[low * n + low] - shift, y = t[(low + 1) * n + low];
    for (uint32_t i = low; i < high; i++) {
        const uint32_t rows = i + 3 <= high + 1 ? i + 3 : high + 1;
        spectral_givens(n, t, q, i > low ? i - 1 : low, i, x, y, rows);
        if (i > low)
            t[(i + 1) * n + i - 1] = 0.0;
        if (i + 2 <= high) {
            x = t[(i + 1) * n + i];
            y = t[(i + 2) * n + i];
        }
    }
}

bool spectral_schur(uint32_t n, double complex *t, double complex *q)
{
    for (uint32_t i = 0; i < n * n; i++)
        q[i] = i % (n + 1) == 0;
    for (uint32_t k = 0; k + 2 < n; k++)
        for (uint32_t i = n - 2; i > k; i--) {
            spectral_givens(n, t, q, k, i, t[i * n + k], t[(i + 1) * n + k], n);
            t[(i + 1) * n + k] = 0.0;
        }
    uint32_t high = n ? n - 1 : 0;
    for (int step = 0; high > 0 && step < SPECTRAL_STEPS;) {
        uint32_t low = high;
        while (low > 0) {
            const double size = cabs(t[(low - 1) * n + low - 1]) + cabs(t[low * n + low]);
            if (cabs(t[low * n + low - 1]) <= DBL_EPSILON * (size > 0.0 ? size : 1.0))
                break;
            low--;
        }
        if (low > 0)
            t[low * n + low - 1] = 0.0;
        if (low == high) {
            high--;
            step = 0;
            continue;
        }
        spectral_step(n, t, q, low, high, step++);
    }
    return high == 0;
}

// The eigenvector of diagonal element k, in x: back substitution, then back to the basis of A, with
// its length 1 and its largest element real.
static void spectral_vector(uint32_t n, const double complex *t, const double complex *q,
                            uint32_t k, double complex *x, double complex *y)
{
    double most = 0.0, sum = 0.0;
    double complex largest = 1.0;
    for (uint32_t i = 0; i < n; i++)
        most = fmax(most, cabs(t[i * n + i]));
    x[k] = 1.0;
    for (uint32_t i = k; i-- > 0;) {
        double complex side = 0.0, pivot = t[i * n + i] - t[k * n + k];
        for (uint32_t j = i + 1; j <= k; j++)
            side -= t[i * n + j] * x[j];
        if (cabs(pivot) < DBL_EPSILON * fmax(most, DBL_MIN))
            pivot = DBL_EPSILON * fmax(most, DBL_MIN);
        x[i] = side / pivot;
    }
    double best = 0.0;
    for (uint32_t i = 0; i < n; i++) {
        y[i] = 0.0;
        for (uint32_t j = 0; j <= k; j++)
            y[i] += q[i * n + j] * x[j];
        sum += creal(y[i] * conj(y[i]));
        if (cabs(y[i]) > best * (1.0 + 1e-9)) {
            best = cabs(y[i]);
            largest = y[i];
        }
    }
    for (uint32_t i = 0; i < n; i++)
        y[i] *= conj(largest) / (best * sqrt(sum));
}

// dgeev("N", jobvr, n, A, lda, wr, wi, VL, ldvl, VR, ldvr, work, lwork, info). Of a conjugate pair
// the one with the positive imaginary part comes first, and its vector is columns k, k + 1.
bool spectral_dgeev(ExternalCall *call)
{
    uint32_t n, columns;
    const bool has_vectors = external_text(call, 1)[0] == 'V';
    const ExternalArgument *wr = &call->arguments[5], *wi = wr + 1, *vr = wr + 4;
    if (external_text(call, 0)[0] != 'N')
        return external_fail(call, "left eigenvectors are not computed");
    if (!spectral_matrix(call, 3, &n, &columns))
        return false;
    if (n != columns || wr->count < n || wi->count < n || (has_vectors && vr->count < n * n))
        return external_fail(call, "the matrix is not square, or there is too little room");
    double complex *t = malloc(((size_t)2 * n * n + 2 * n + 1) * sizeof *t);
    bool *is_done = calloc(n + 1, sizeof *is_done);
    if (!t || !is_done) {
        free(t);
        free(is_done);
        return spectral_no_memory(call);
    }
    double complex *q = t + n * n, *x = q + n * n, *y = x + n;
    double size = 0.0;
    for (uint32_t i = 0; i < n * n; i++) {
        t[i] = call->arguments[3].numbers[i];
        size = fmax(size, cabs(t[i]));
    }
    const bool is_fine = spectral_schur(n, t, q);
    uint32_t at = 0;
    for (uint32_t k = 0; k < n; k++) {
        const double complex value = t[k * n + k];
        if (is_done[k])
            continue;
        uint32_t other = n; // its conjugate
        for (uint32_t i = k + 1; i < n && fabs(cimag(value)) > 1e-12 * size; i++)
            if (!is_done[i] && (other == n || cabs(t[i * n + i] - conj(value)) <
                                                  cabs(t[other * n + other] - conj(value))))
                other = i;
        const uint32_t chosen = other < n && cimag(value) < 0.0 ? other : k;
        is_done[k] = true;
        wr->numbers[at] = creal(t[chosen * n + chosen]);
        wi->numbers[at] = other < n ? fabs(cimag(t[chosen * n + chosen])) : 0.0;
        if (has_vectors)
            spectral_vector(n, t, q, chosen, x, y);
        for (uint32_t i = 0; has_vectors && i < n; i++) {
            vr->numbers[i * n + at] = creal(y[i]);
            if (other < n)
                vr->numbers[i * n + at + 1] = cimag(y[i]);
        }
        if (other < n) {
            is_done[other] = true;
            wr->numbers[at + 1] = wr->numbers[at];
            wi->numbers[at + 1] = -wi->numbers[at];
            at++;
        }
        at++;
    }
    external_set(call, 13, is_fine ? 0.0 : 1.0);
    free(t);
    free(is_done);
    return true;
}

// ---------------------------------------------------------------------------
// Q R by Householder's reflections (Golub, Van Loan, section 5.2)
// ---------------------------------------------------------------------------

void spectral_factor(uint32_t m, uint32_t n, double *a, double *tau, double *order)
{
    for (uint32_t j = 0; order && j < n; j++)
        order[j] = j + 1;
    for (uint32_t k = 0; k < n && k < m; k++) {
        double best = -1.0;
        uint32_t place = k;
        for (uint32_t j = k; order && j < n; j++) {
            double sum = 0.0;
            for (uint32_t i = k; i < m; i++)
                sum += a[i * n + j] * a[i * n + j];
            if (sum > best * (1.0 + 1e-14)) {
                best = sum;
                place = j;
            }
        }
        for (uint32_t i = 0; place != k && i <= m; i++) {
            double *row = i < m ? a + i * n : order;
            const double x = row[k];
            row[k] = row[place];
            row[place] = x;
        }
        double rest = 0.0;
        for (uint32_t i = k + 1; i < m; i++)
            rest += a[i * n + k] * a[i * n + k];
        tau[k] = 0.0;
        if (rest == 0.0)
            continue;
        const double alpha = a[k * n + k], beta = -copysign(sqrt(alpha * alpha + rest), alpha);
        tau[k] = (beta - alpha) / beta;
        for (uint32_t i = k + 1; i < m; i++)
            a[i * n + k] /= alpha - beta;
        a[k * n + k] = beta;
        for (uint32_t j = k + 1; j < n; j++) {
            double dot = a[k * n + j];
            for (uint32_t i = k + 1; i < m; i++)
                dot += a[i * n + k] * a[i * n + j];
            a[k * n + j] -= tau[k] * dot;
            for (uint32_t i = k + 1; i < m; i++)
                a[i * n + j] -= tau[k] * dot * a[i * n + k];
        }
    }
}

// dgeqp3(m, n, A, lda, order, tau, work, lwork, info)
bool spectral_dgeqp3(ExternalCall *call)
{
    uint32_t m, n;
    if (!spectral_matrix(call, 2, &m, &n))
        return false;
    if (call->arguments[4].count < n || call->arguments[5].count < (m < n ? m : n))
        return external_fail(call, "there is too little room for the order or the factors");
    for (uint32_t j = 0; j < n; j++)
        if (call->arguments[4].numbers[j] != 0.0)
            return external_fail(call, "columns that are to come first are not supported");
    spectral_factor(m, n, call->arguments[2].numbers, call->arguments[5].numbers,
                    call->arguments[4].numbers);
    external_set(call, 8, 0.0);
    return true;
}

// dgeqrf(m, n, A, lda, tau, work, lwork, info)
bool spectral_dgeqrf(ExternalCall *call)
{
    uint32_t m, n;
    if (!spectral_matrix(call, 2, &m, &n))
        return false;
    if (call->arguments[4].count < (m < n ? m : n))
        return external_fail(call, "there is too little room for the factors");
    spectral_factor(m, n, call->arguments[2].numbers, call->arguments[4].numbers, NULL);
    external_set(call, 7, 0.0);
    return true;
}

// dorgqr(m, n, k, Q, lda, tau, work, lwork, info): the first n columns of H1 ... Hk.
bool spectral_dorgqr(ExternalCall *call)
{
    uint32_t m, n;
    if (!spectral_matrix(call, 3, &m, &n))
        return false;
    const uint32_t k = (uint32_t)fmax(0.0, external_number(call, 2));
    if (n > m || k > n || call->arguments[5].count < k)
        return external_fail(call, "there are more columns than rows, or too few factors");
    double *q = call->arguments[3].numbers, *v = malloc(((size_t)m * n + 1) * sizeof *v);
    if (!v)
        return spectral_no_memory(call);
    memcpy(v, q, (size_t)m * n * sizeof *v);
    for (uint32_t i = 0; i < m * n; i++)
        q[i] = i / n == i % n;
    for (uint32_t h = k; h-- > 0;) {
        const double tau = call->arguments[5].numbers[h];
        for (uint32_t j = 0; j < n; j++) {
            double dot = q[h * n + j];
            for (uint32_t i = h + 1; i < m; i++)
                dot += v[i * n + h] * q[i * n + j];
            q[h * n + j] -= tau * dot;
            for (uint32_t i = h + 1; i < m; i++)
                q[i * n + j] -= tau * dot * v[i * n + h];
        }
    }
    free(v);
    external_set(call, 8, 0.0);
    return true;
}

// ---------------------------------------------------------------------------
// Norms, bands
// ---------------------------------------------------------------------------

// dlange(norm, m, n, A, lda, work): 'M' the largest element, '1' or 'O' of columns, 'I' of rows,
// 'F' or 'E' the root of the sum of squares.
bool spectral_dlange(ExternalCall *call)
{
    uint32_t m, n;
    if (!spectral_matrix(call, 3, &m, &n))
        return false;
    const double *a = call->arguments[3].numbers;
    const char kind = external_text(call, 0)[0];
    double largest = 0.0, squares = 0.0;
    const bool by_columns = kind == '1' || kind == 'O' || kind == 'o';
    for (uint32_t i = 0; i < (by_columns ? n : m); i++) {
        double sum = 0.0;
        for (uint32_t k = 0; k < (by_columns ? m : n); k++) {
            const double x = fabs(by_columns ? a[k * n + i] : a[i * n + k]);
            sum = kind == 'M' || kind == 'm' ? fmax(sum, x) : sum + x;
            squares += x * x;
        }
        largest = fmax(largest, sum);
    }
    external_set(call, 6, strchr("FfEe", kind) && kind ? sqrt(squares) : largest);
    return true;
}

// dgtsv(n, nrhs, lower, diagonal, upper, X, ldb, info), by elimination with exchange of neighbours
bool spectral_dgtsv(ExternalCall *call)
{
    const ExternalArgument *x = &call->arguments[5];
    const uint32_t n = call->arguments[3].count, columns = x->rank == 2 ? x->dims[1] : 1;
    if (n == 0 || x->dims[0] != n || call->arguments[2].count + 1 < n ||
        call->arguments[4].count + 1 < n)
        return external_fail(call, "the diagonals or the right side have other sizes");
    double *l = call->arguments[2].numbers, *d = call->arguments[3].numbers;
    double *u = call->arguments[4].numbers, *b = x->numbers;
    double *second = calloc(n + 1, sizeof *second); // above the upper one
    uint32_t info = 0;
    if (!second)
        return spectral_no_memory(call);
    for (uint32_t i = 0; i + 1 < n; i++) {
        if (fabs(l[i]) > fabs(d[i])) { // exchange rows i and i + 1
            const double row[] = {d[i], u[i], second[i]};
            d[i] = l[i];
            u[i] = d[i + 1];
            second[i] = i + 2 < n ? u[i + 1] : 0.0;
            l[i] = row[0];
            d[i + 1] = row[1];
            if (i + 2 < n)
                u[i + 1] = row[2];
            for (uint32_t j = 0; j < columns; j++) {
                const double y = b[i * columns + j];
                b[i * columns + j] = b[(i + 1) * columns + j];
                b[(i + 1) * columns + j] = y;
            }
        }
        if (d[i] == 0.0)
            break;
        const double factor = l[i] / d[i];
        d[i + 1] -= factor * u[i];
        if (i + 2 < n)
            u[i + 1] -= factor * second[i];
        for (uint32_t j = 0; j < columns; j++)
            b[(i + 1) * columns + j] -= factor * b[i * columns + j];
    }
    for (uint32_t i = 0; i < n && !info; i++)
        info = d[i] == 0.0 ? i + 1 : 0;
    for (uint32_t i = n; !info && i-- > 0;)
        for (uint32_t j = 0; j < columns; j++) {
            if (i + 1 < n)
                b[i * columns + j] -= u[i] * b[(i + 1) * columns + j];
            if (i + 2 < n)
                b[i * columns + j] -= second[i] * b[(i + 2) * columns + j];
            b[i * columns + j] /= d[i];
        }
    free(second);
    external_set(call, 7, info);
    return true;
}
