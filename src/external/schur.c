// SPDX-License-Identifier: MIT
//
// LAPACK, continued: Hessenberg and real Schur forms, their order, Sylvester's equations, least
// squares with constraints (Golub, Van Loan: Matrix Computations, sections 6.2, 7.4 to 7.6).
// Matrices are in row-major order; leading dimensions and working memory are not needed.

#include "external/functions.h"
#include "external/matrix.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { SCHUR_STEPS = 60 };

// ---------------------------------------------------------------------------
// Reflections
// ---------------------------------------------------------------------------

// I - tau v v' from the left on rows `first` to `first` + count - 1 of a, columns from `from` on;
// v[0] is 1, the others stand `stride` apart.
static void schur_from_left(uint32_t columns, double *a, uint32_t first, uint32_t count,
                            const double *v, size_t stride, double tau, uint32_t from)
{
    for (uint32_t j = from; tau != 0.0 && j < columns; j++) {
        double dot = a[first * columns + j];
        for (uint32_t i = 1; i < count; i++)
            dot += v[i * stride] * a[(first + i) * columns + j];
        a[first * columns + j] -= tau * dot;
        for (uint32_t i = 1; i < count; i++)
            a[(first + i) * columns + j] -= tau * dot * v[i * stride];
    }
}

// The same from the right on columns, of the first `rows` rows.
static void schur_from_right(uint32_t columns, double *a, uint32_t first, uint32_t count,
                             const double *v, size_t stride, double tau, uint32_t rows)
{
    for (uint32_t r = 0; tau != 0.0 && r < rows; r++) {
        double *row = a + r * columns + first, dot = row[0];
        for (uint32_t i = 1; i < count; i++)
            dot += v[i * stride] * row[i];
        row[0] -= tau * dot;
        for (uint32_t i = 1; i < count; i++)
            row[i] -= tau * dot * v[i * stride];
    }
}

// The reflection that maps x to (beta, 0, ...): v replaces x but for v[0], which is beta then.
static double schur_reflection(uint32_t count, double *x, size_t stride)
{
    double rest = 0.0;
    for (uint32_t i = 1; i < count; i++)
        rest += x[i * stride] * x[i * stride];
    if (rest == 0.0)
        return 0.0;
    const double alpha = x[0], beta = -copysign(sqrt(alpha * alpha + rest), alpha);
    for (uint32_t i = 1; i < count; i++)
        x[i * stride] /= alpha - beta;
    x[0] = beta;
    return (beta - alpha) / beta;
}

// A to Hessenberg form in the rows and columns from low to high; the vectors stand below its
// subdiagonal.
static void schur_hessenberg(uint32_t n, double *a, uint32_t low, uint32_t high, double *tau)
{
    for (uint32_t k = 0; k + 1 < n; k++) {
        tau[k] = 0.0;
        if (k < low || k + 1 >= high)
            continue;
        const uint32_t count = high - k;
        double *x = a + (k + 1) * n + k;
        tau[k] = schur_reflection(count, x, n);
        schur_from_left(n, a, k + 1, count, x, n, tau[k], k + 1);
        schur_from_right(n, a, k + 1, count, x, n, tau[k], high + 1);
    }
}

// Q of the Hessenberg form, in q; `a` has the vectors.
static void schur_accumulate(uint32_t n, const double *a, const double *tau, double *q)
{
    for (uint32_t i = 0; i < n * n; i++)
        q[i] = i % (n + 1) == 0;
    for (uint32_t k = n; k-- > 0;)
        if (k + 2 < n)
            schur_from_left(n, q, k + 1, n - 1 - k, a + (k + 1) * n + k, n, tau[k], 0);
}

// ilo and ihi of LAPACK, from 0 on; false after a message.
static bool schur_range(ExternalCall *call, uint32_t n, double ilo, double ihi, uint32_t *low,
                        uint32_t *high)
{
    if (n > 0 && !(ilo >= 1.0 && ilo <= ihi && ihi <= n))
        return external_fail(call, "rows %.15g to %.15g are not in the matrix", ilo, ihi);
    *low = n ? (uint32_t)ilo - 1 : 0;
    *high = n ? (uint32_t)ihi - 1 : 0;
    return true;
}

// dgehrd(n, ilo, ihi, A, lda, tau, work, lwork, info)
bool schur_dgehrd(ExternalCall *call)
{
    uint32_t n, columns, low = 0, high = 0;
    if (!spectral_matrix(call, 3, &n, &columns) ||
        !schur_range(call, n, external_number(call, 1), external_number(call, 2), &low, &high))
        return false;
    if (n != columns || call->arguments[5].count + 1 < n)
        return external_fail(call, "the matrix is not square, or there is too little room");
    schur_hessenberg(n, call->arguments[3].numbers, low, high, call->arguments[5].numbers);
    external_set(call, 8, 0.0);
    return true;
}

// dorghr(n, ilo, ihi, A, lda, tau, work, lwork, info): A has the vectors and becomes Q.
bool schur_dorghr(ExternalCall *call)
{
    uint32_t n, columns;
    if (!spectral_matrix(call, 3, &n, &columns))
        return false;
    if (n != columns || call->arguments[5].count + 1 < n)
        return external_fail(call, "the matrix is not square, or there are too few factors");
    double *vectors = malloc(((size_t)n * n + 1) * sizeof *vectors);
    if (!vectors)
        return spectral_no_memory(call);
    memcpy(vectors, call->arguments[3].numbers, (size_t)n * n * sizeof *vectors);
    schur_accumulate(n, vectors, call->arguments[5].numbers, call->arguments[3].numbers);
    free(vectors);
    external_set(call, 8, 0.0);
    return true;
}

// Q C, Q' C, C Q or C Q' with Q = H1 H2 ..., whose vectors begin `shift` below the diagonal of A.
static bool schur_apply(ExternalCall *call, uint32_t vectors, uint32_t factors, uint32_t product,
                        uint32_t shift)
{
    const bool is_left = external_text(call, 0)[0] == 'L';
    const bool is_transposed = external_text(call, 1)[0] == 'T';
    uint32_t m, n, rows, columns;
    if (!spectral_matrix(call, product, &m, &n) || !spectral_matrix(call, vectors, &rows, &columns))
        return false;
    const uint32_t order = is_left ? m : n;
    const uint32_t all = order > shift ? order - shift : 0;
    const uint32_t count = columns < all ? columns : all;
    if (rows != order || call->arguments[factors].count < count)
        return external_fail(call, "the reflections have another size than the matrix");
    const double *a = call->arguments[vectors].numbers, *tau = call->arguments[factors].numbers;
    double *c = call->arguments[product].numbers;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t k = is_left == is_transposed ? i : count - 1 - i;
        const double *v = a + (size_t)(k + shift) * columns + k;
        if (is_left)
            schur_from_left(n, c, k + shift, order - k - shift, v, columns, tau[k], 0);
        else
            schur_from_right(n, c, k + shift, order - k - shift, v, columns, tau[k], m);
    }
    return true;
}

// dormqr(side, trans, m, n, k, A, lda, tau, C, ldc, work, lwork, info)
bool schur_dormqr(ExternalCall *call)
{
    external_set(call, 12, 0.0);
    return schur_apply(call, 5, 7, 8, 0);
}

// dormhr(side, trans, m, n, ilo, ihi, A, lda, tau, C, ldc, work, lwork, info)
bool schur_dormhr(ExternalCall *call)
{
    external_set(call, 13, 0.0);
    return schur_apply(call, 6, 8, 9, 1);
}

// ---------------------------------------------------------------------------
// The real Schur form: Francis' steps with two shifts
// ---------------------------------------------------------------------------

// Rows and columns i, i + 1 are turned; z goes along (NULL: there is none).
static void schur_turn(uint32_t n, double *t, double *z, uint32_t i, double c, double s)
{
    for (uint32_t j = 0; j < n; j++) {
        const double x = t[i * n + j], y = t[(i + 1) * n + j];
        t[i * n + j] = c * x + s * y;
        t[(i + 1) * n + j] = c * y - s * x;
    }
    for (uint32_t r = 0; r < 2 * n; r++) {
        double *row = r < n ? t + r * n : z ? z + (r - n) * n : NULL;
        if (!row)
            break;
        const double x = row[i], y = row[i + 1];
        row[i] = c * x + s * y;
        row[i + 1] = c * y - s * x;
    }
}

// The block of rows i, i + 1 becomes a triangle if its eigenvalues are real; else its diagonal
// elements become equal.
static void schur_standardise(uint32_t n, double *t, double *z, uint32_t i)
{
    const double a = t[i * n + i], b = t[i * n + i + 1];
    const double c = t[(i + 1) * n + i], d = t[(i + 1) * n + i + 1];
    const double half = 0.5 * (a - d), square = half * half + b * c;
    if (c == 0.0)
        return;
    if (square >= 0.0) { // the first column of the turn is the eigenvector (x, c)
        const double x = half + copysign(sqrt(square), half), size = hypot(x, c);
        schur_turn(n, t, z, i, x / size, c / size);
        t[(i + 1) * n + i] = 0.0;
        return;
    }
    const double angle = 0.5 * atan2(d - a, b + c); // (a - d) cos 2w + (b + c) sin 2w = 0
    schur_turn(n, t, z, i, cos(angle), sin(angle));
    const double mean = 0.5 * (t[i * n + i] + t[(i + 1) * n + i + 1]);
    t[i * n + i] = t[(i + 1) * n + i + 1] = mean;
}

// One step on the rows and columns low to high, which are three or more (algorithm 7.5.1).
static void schur_step(uint32_t n, double *t, double *z, uint32_t low, uint32_t high, int step)
{
#define T(i, k) t[(i)*n + (k)]
    double sum = T(high - 1, high - 1) + T(high, high);
    double product = T(high - 1, high - 1) * T(high, high) - T(high - 1, high) * T(high, high - 1);
    if (step % 10 == 9) { // an exceptional one
        sum = 1.5 * (fabs(T(high, high - 1)) + fabs(T(high - 1, high - 2)));
        product = sum * sum / 2.25;
    }
    double x[3] = {T(low, low) * (T(low, low) - sum) + T(low, low + 1) * T(low + 1, low) + product,
                   T(low + 1, low) * (T(low, low) + T(low + 1, low + 1) - sum),
                   T(low + 1, low) * T(low + 2, low + 1)};
    for (uint32_t k = low; k < high; k++) {
        const uint32_t count = k + 2 <= high ? 3 : 2;
        if (k > low)
            for (uint32_t i = 0; i < count; i++)
                x[i] = T(k + i, k - 1);
        const double tau = schur_reflection(count, x, 1);
        schur_from_left(n, t, k, count, x, 1, tau, k > low ? k - 1 : low);
        schur_from_right(n, t, k, count, x, 1, tau, k + 4 <= high + 1 ? k + 4 : high + 1);
        if (z)
            schur_from_right(n, z, k, count, x, 1, tau, n);
        for (uint32_t i = 1; k > low && i < count; i++)
            T(k + i, k - 1) = 0.0;
    }
#undef T
}

// H, in Hessenberg form, becomes T; z becomes z Q (NULL: there is none). 0, or how many rows from
// above are not done.
static uint32_t schur_iterate(uint32_t n, double *t, double *z)
{
    uint32_t end = n; // rows from here on are done
    for (int step = 0; end > 0;) {
        uint32_t low = end - 1;
        for (; low > 0; low--) {
            const double size = fabs(t[(low - 1) * n + low - 1]) + fabs(t[low * n + low]);
            if (fabs(t[low * n + low - 1]) <= DBL_EPSILON * (size > 0.0 ? size : 1.0))
                break;
        }
        if (low > 0)
            t[low * n + low - 1] = 0.0;
        if (end - low > 2) {
            if (step++ == SCHUR_STEPS)
                return end;
            schur_step(n, t, z, low, end - 1, step);
            continue;
        }
        if (end - low == 2)
            schur_standardise(n, t, z, low);
        end = low;
        step = 0;
    }
    return 0;
}

// The eigenvalues of the blocks, of a pair the one with the positive imaginary part first.
static void schur_values(uint32_t n, const double *t, double *wr, double *wi)
{
    for (uint32_t i = 0; i < n; i++) {
        const double below = i + 1 < n ? t[(i + 1) * n + i] : 0.0;
        wr[i] = t[i * n + i];
        wi[i] = 0.0;
        if (below == 0.0)
            continue;
        wi[i] = sqrt(fabs(below)) * sqrt(fabs(t[i * n + i + 1]));
        wr[i + 1] = wr[i];
        wi[i + 1] = -wi[i];
        i++;
    }
}

static void schur_clear_below(uint32_t n, double *t)
{
    for (uint32_t i = 2; i < n; i++)
        for (uint32_t j = 0; j + 1 < i; j++)
            t[i * n + j] = 0.0;
}

bool schur_form(uint32_t n, double *t, double *z, uint32_t *failed)
{
    double *tau = calloc(n + 1, sizeof *tau);
    if (!tau)
        return false;
    if (n)
        schur_hessenberg(n, t, 0, n - 1, tau);
    if (z)
        schur_accumulate(n, t, tau, z);
    free(tau);
    schur_clear_below(n, t);
    *failed = schur_iterate(n, t, z);
    return true;
}

// dgees("V", "N", select, n, A, lda, sdim, wr, wi, Z, ldz, work, lwork, bwork, info)
bool schur_dgees(ExternalCall *call)
{
    uint32_t n, columns;
    const ExternalArgument *wr = &call->arguments[7], *wi = wr + 1, *z = wr + 2;
    if (external_text(call, 1)[0] != 'N')
        return external_fail(call, "eigenvalues are not sorted");
    if (!spectral_matrix(call, 4, &n, &columns))
        return false;
    const bool has_vectors = external_text(call, 0)[0] == 'V';
    if (n != columns || wr->count < n || wi->count < n || (has_vectors && z->count < n * n))
        return external_fail(call, "the matrix is not square, or there is too little room");
    double *t = call->arguments[4].numbers;
    uint32_t failed;
    if (!schur_form(n, t, has_vectors ? z->numbers : NULL, &failed))
        return spectral_no_memory(call);
    external_set(call, 14, failed);
    schur_values(n, t, wr->numbers, wi->numbers);
    external_set(call, 6, 0.0);
    return true;
}

// dhseqr(job, compz, n, ilo, ihi, H, ldh, wr, wi, Z, ldz, work, lwork, info)
bool schur_dhseqr(ExternalCall *call)
{
    uint32_t n, columns;
    const char basis = external_text(call, 1)[0];
    const ExternalArgument *wr = &call->arguments[7], *wi = wr + 1, *z = wr + 2;
    if (!spectral_matrix(call, 5, &n, &columns))
        return false;
    if (n != columns || wr->count < n || wi->count < n || (basis != 'N' && z->count != n * n))
        return external_fail(call, "the matrix is not square, or there is too little room");
    for (uint32_t i = 0; basis == 'I' && i < n * n; i++)
        z->numbers[i] = i % (n + 1) == 0;
    double *t = call->arguments[5].numbers;
    schur_clear_below(n, t);
    external_set(call, 13, schur_iterate(n, t, basis == 'N' ? NULL : z->numbers));
    schur_values(n, t, wr->numbers, wi->numbers);
    return true;
}

// ---------------------------------------------------------------------------
// Sylvester's equation
// ---------------------------------------------------------------------------

// op(A) and op(B) of op(A) X + sign X op(B) = C.
typedef struct SchurSylvester {
    uint32_t m, n;
    const double *a, *b;
    size_t a_row, a_column, b_row, b_column; // how far apart elements are
    double sign;
    double *x; // C, becomes X
} SchurSylvester;

// The block of i rows by j columns at r, c: with the ones that are known, by Kronecker's product.
// False: it has no unique solution.
static bool schur_sylvester_block(const SchurSylvester *s, const uint32_t r[2], const uint32_t c[2],
                                  const bool *is_known)
{
    double matrix[16] = {0.0}, side[4], pivots[4];
    const uint32_t columns = c[1] - c[0], count = (r[1] - r[0]) * columns;
    for (uint32_t e = 0; e < count; e++) {
        const uint32_t i = r[0] + e / columns, j = c[0] + e % columns;
        side[e] = s->x[i * s->n + j];
        for (uint32_t k = 0; k < s->m; k++) {
            const double factor = s->a[i * s->a_row + k * s->a_column];
            if (k >= r[0] && k < r[1])
                matrix[e * count + (k - r[0]) * columns + e % columns] += factor;
            else if (is_known[k * s->n + j])
                side[e] -= factor * s->x[k * s->n + j];
        }
        for (uint32_t k = 0; k < s->n; k++) {
            const double factor = s->sign * s->b[k * s->b_row + j * s->b_column];
            if (k >= c[0] && k < c[1])
                matrix[e * count + e / columns * columns + k - c[0]] += factor;
            else if (is_known[i * s->n + k])
                side[e] -= factor * s->x[i * s->n + k];
        }
    }
    if (algebra_factor(count, count, matrix, pivots) != 0)
        return false;
    algebra_solve(count, matrix, pivots, 1, side);
    for (uint32_t e = 0; e < count; e++)
        s->x[(r[0] + e / columns) * s->n + c[0] + e % columns] = side[e];
    return true;
}

// The block of a quasi-triangle that begins or ends at a row: from the left if it is lower.
static void schur_block(uint32_t n, const double *t, uint32_t done, bool is_forward,
                        uint32_t block[2])
{
    if (is_forward) {
        const bool is_pair = done + 1 < n && t[(done + 1) * n + done] != 0.0;
        block[0] = done;
        block[1] = done + (is_pair ? 2 : 1);
    } else {
        const uint32_t end = n - done;
        const bool is_pair = end > 1 && t[(end - 1) * n + end - 2] != 0.0;
        block[0] = end - (is_pair ? 2 : 1);
        block[1] = end;
    }
}

// A and B are upper quasi-triangles, transposed or not. False: a block has no unique solution.
static bool schur_sylvester(uint32_t m, uint32_t n, const double *a, bool is_a_transposed,
                            const double *b, bool is_b_transposed, double sign, double *x,
                            bool *is_known)
{
    const SchurSylvester s = {m,
                              n,
                              a,
                              b,
                              is_a_transposed ? 1 : m,
                              is_a_transposed ? m : 1,
                              is_b_transposed ? 1 : n,
                              is_b_transposed ? n : 1,
                              sign,
                              x};
    uint32_t r[2], c[2];
    bool is_fine = true;
    for (uint32_t down = 0; down < m && is_fine; down += r[1] - r[0]) {
        schur_block(m, a, down, is_a_transposed, r);
        for (uint32_t right = 0; right < n && is_fine; right += c[1] - c[0]) {
            schur_block(n, b, right, !is_b_transposed, c);
            is_fine = schur_sylvester_block(&s, r, c, is_known);
            for (uint32_t i = r[0]; i < r[1]; i++)
                for (uint32_t j = c[0]; j < c[1]; j++)
                    is_known[i * n + j] = true;
        }
    }
    return is_fine;
}

// dtrsyl(trana, tranb, isgn, m, n, A, lda, B, ldb, C, ldc, scale, info)
bool schur_dtrsyl(ExternalCall *call)
{
    uint32_t m, n, rows, columns, more;
    if (!spectral_matrix(call, 5, &m, &rows) || !spectral_matrix(call, 7, &n, &columns))
        return false;
    if (m != rows || n != columns || !spectral_matrix(call, 9, &rows, &more) || rows != m ||
        more != n)
        return external_fail(call, "the matrices have sizes that do not go together");
    bool *is_known = calloc((size_t)m * n + 1, sizeof *is_known);
    if (!is_known)
        return spectral_no_memory(call);
    const bool is_fine =
        schur_sylvester(m, n, call->arguments[5].numbers, external_text(call, 0)[0] != 'N',
                        call->arguments[7].numbers, external_text(call, 1)[0] != 'N',
                        external_number(call, 2), call->arguments[9].numbers, is_known);
    free(is_known);
    external_set(call, 11, 1.0);
    external_set(call, 12, 0.0);
    return is_fine || external_fail(call, "the equation has no unique solution: an eigenvalue of A "
                                          "is one of -B, or of B");
}

// ---------------------------------------------------------------------------
// The order of a Schur form
// ---------------------------------------------------------------------------

// Exchanges the blocks at `at`, of p and q rows: with A X - X C = B, the columns of (-X, I) span
// what belongs to the eigenvalues of C (Bai, Demmel 1993). False: they have one in common.
static bool schur_exchange(uint32_t n, double *t, double *z, uint32_t at, uint32_t p, uint32_t q)
{
    double a[4], c[4], x[8], basis[8] = {0.0}, tau[4];
    bool is_known[4] = {false};
    for (uint32_t i = 0; i < p; i++)
        for (uint32_t j = 0; j < p; j++)
            a[i * p + j] = t[(at + i) * n + at + j];
    for (uint32_t i = 0; i < q; i++)
        for (uint32_t j = 0; j < q; j++)
            c[i * q + j] = t[(at + p + i) * n + at + p + j];
    for (uint32_t i = 0; i < p; i++)
        for (uint32_t j = 0; j < q; j++)
            x[i * q + j] = t[(at + i) * n + at + p + j];
    if (!schur_sylvester(p, q, a, false, c, false, -1.0, x, is_known))
        return false;
    for (uint32_t i = 0; i < p + q; i++)
        for (uint32_t j = 0; j < q; j++)
            basis[i * q + j] = i < p ? -x[i * q + j] : i - p == j;
    spectral_factor(p + q, q, basis, tau, NULL);
    for (uint32_t k = 0; k < q; k++) {
        const double *v = basis + k * q + k;
        const uint32_t count = p + q - k;
        schur_from_left(n, t, at + k, count, v, q, tau[k], 0);
        schur_from_right(n, t, at + k, count, v, q, tau[k], n);
        if (z)
            schur_from_right(n, z, at + k, count, v, q, tau[k], n);
    }
    for (uint32_t i = q; i < p + q; i++)
        for (uint32_t j = 0; j < q; j++)
            t[(at + i) * n + at + j] = 0.0;
    if (q == 2)
        schur_standardise(n, t, z, at);
    if (p == 2)
        schur_standardise(n, t, z, at + q);
    return true;
}

static uint32_t schur_rows(uint32_t n, const double *t, uint32_t at)
{
    return at + 1 < n && t[(at + 1) * n + at] != 0.0 ? 2 : 1;
}

// The selected blocks come first; *count is how many rows they have. False: two of them cannot be
// exchanged.
static bool schur_sort(uint32_t n, double *t, double *z, const double *select, uint32_t *count)
{
    *count = 0;
    for (uint32_t at = 0, rows; at < n; at += rows) {
        rows = schur_rows(n, t, at);
        if (select[at] == 0.0 && (rows == 1 || select[at + 1] == 0.0))
            continue;
        for (uint32_t to = at; to > *count;) { // the one before it changes places with it
            const uint32_t before =
                to >= 2 && to - 2 >= *count && schur_rows(n, t, to - 2) == 2 ? 2 : 1;
            if (!schur_exchange(n, t, z, to - before, before, rows))
                return false;
            to -= before;
        }
        *count += rows;
    }
    return true;
}

// 1 / (norm of the projection onto what is selected): with A R - R C = B, 1 / sqrt(1 + |R|^2).
static bool schur_projection(uint32_t n, const double *t, uint32_t m, double *result)
{
    const uint32_t rest = n - m;
    double *a = malloc(((size_t)n * n + 1) * sizeof *a), sum = 1.0;
    bool *is_known = calloc((size_t)m * rest + 1, sizeof *is_known);
    const bool has_room = a && is_known;
    if (has_room) {
        double *c = a + m * m, *x = c + rest * rest;
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t j = 0; j < n; j++) {
                if (i < m && j < m)
                    a[i * m + j] = t[i * n + j];
                else if (i >= m && j >= m)
                    c[(i - m) * rest + j - m] = t[i * n + j];
                else if (i < m)
                    x[i * rest + j - m] = t[i * n + j];
            }
        if (!schur_sylvester(m, rest, a, false, c, false, -1.0, x, is_known))
            sum = INFINITY;
        for (uint32_t i = 0; i < m * rest; i++)
            sum += x[i] * x[i];
    }
    *result = 1.0 / sqrt(sum);
    free(a);
    free(is_known);
    return has_room;
}

// dtrsen(job, compq, select, n, T, ldt, Q, ldq, wr, wi, m, s, sep, work, lwork, iwork, liwork,
// info)
bool schur_dtrsen(ExternalCall *call)
{
    uint32_t n, columns, count;
    const char job = external_text(call, 0)[0];
    const bool has_vectors = external_text(call, 1)[0] == 'V';
    const ExternalArgument *wr = &call->arguments[8], *wi = wr + 1, *q = &call->arguments[6];
    if (job != 'N' && job != 'E')
        return external_fail(call, "how far eigenvalues are apart is not computed");
    if (!spectral_matrix(call, 4, &n, &columns))
        return false;
    if (n != columns || call->arguments[2].count < n || wr->count < n || wi->count < n ||
        (has_vectors && q->count != n * n))
        return external_fail(call, "the matrix is not square, or there is too little room");
    double *t = call->arguments[4].numbers, projection = 1.0;
    const bool is_fine =
        schur_sort(n, t, has_vectors ? q->numbers : NULL, call->arguments[2].numbers, &count);
    schur_values(n, t, wr->numbers, wi->numbers);
    if (job == 'E' && !schur_projection(n, t, count, &projection))
        return spectral_no_memory(call);
    external_set(call, 10, count);
    external_set(call, 11, projection);
    external_set(call, 12, NAN);
    external_set(call, 17, is_fine ? 0.0 : 1.0);
    return true;
}

// ---------------------------------------------------------------------------
// Least squares
// ---------------------------------------------------------------------------

// The x of n numbers with R x = b (or R' x = b), in place; R is the triangle in the first rows of
// a matrix of so many columns. False: a pivot vanishes.
static bool schur_triangle(uint32_t n, uint32_t columns, const double *r, bool is_transposed,
                           double *b)
{
    double most = 0.0;
    for (uint32_t i = 0; i < n; i++)
        most = fmax(most, fabs(r[i * columns + i]));
    for (uint32_t k = 0; k < n; k++) {
        const uint32_t i = is_transposed ? k : n - 1 - k;
        for (uint32_t h = 0; h < k; h++) {
            const uint32_t j = is_transposed ? h : n - 1 - h;
            b[i] -= (is_transposed ? r[j * columns + i] : r[i * columns + j]) * b[j];
        }
        if (fabs(r[i * columns + i]) <= DBL_EPSILON * most)
            return false;
        b[i] /= r[i * columns + i];
    }
    return true;
}

// Q' b or Q b of the factors, in place.
static void schur_orthogonal(uint32_t m, uint32_t n, const double *a, const double *tau,
                             bool is_transposed, double *b)
{
    const uint32_t count = m < n ? m : n;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t k = is_transposed ? i : count - 1 - i;
        schur_from_left(1, b, k, m - k, a + k * n + k, n, tau[k], 0);
    }
}

// min |c - A x| with B x = d by the null space of B (Golub, Van Loan, section 6.2): B' = Q (R, 0)',
// x = Q y; the first p of y follow from d, the others from A Q. 0; 1: the rows of B depend on each
// other; 2: A and B together leave x open.
static uint32_t schur_constrained(uint32_t m, uint32_t n, uint32_t p, double *a, const double *b,
                                  double *c, const double *d, double *x, double *work)
{
    double *bt = work, *tau = bt + n * p, *rest = tau + n, *rest_tau = rest + m * (n - p);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < p; j++)
            bt[i * p + j] = b[j * n + i];
    spectral_factor(n, p, bt, tau, NULL);
    memcpy(x, d, p * sizeof *x);
    if (!schur_triangle(p, p, bt, true, x))
        return 1;
    for (uint32_t i = 0; i < m; i++) { // the rows of A Q are those of A, turned
        schur_orthogonal(n, p, bt, tau, true, a + i * n);
        for (uint32_t j = 0; j < p; j++)
            c[i] -= a[i * n + j] * x[j];
        memcpy(rest + i * (n - p), a + i * n + p, (n - p) * sizeof *rest);
    }
    spectral_factor(m, n - p, rest, rest_tau, NULL);
    schur_orthogonal(m, n - p, rest, rest_tau, true, c);
    memcpy(x + p, c, (n - p) * sizeof *x);
    if (!schur_triangle(n - p, n - p, rest, false, x + p))
        return 2;
    schur_orthogonal(n, p, bt, tau, false, x);
    return 0;
}

// dgglse(m, n, p, A, lda, B, ldb, c, d, x, work, lwork, info)
bool schur_dgglse(ExternalCall *call)
{
    uint32_t m, n, p, columns;
    const ExternalArgument *c = &call->arguments[7], *d = c + 1, *x = c + 2;
    if (!spectral_matrix(call, 3, &m, &n) || !spectral_matrix(call, 5, &p, &columns))
        return false;
    if (columns != n || c->count < m || d->count < p || x->count < n || p > n || m + p < n)
        return external_fail(call, "there are more constraints than unknowns, too few equations, "
                                   "or sizes that do not go together");
    double *work = malloc(((size_t)n * p + m * (n - p) + 2 * n + 1) * sizeof *work);
    if (!work)
        return spectral_no_memory(call);
    external_set(call, 12,
                 schur_constrained(m, n, p, call->arguments[3].numbers, call->arguments[5].numbers,
                                   c->numbers, d->numbers, x->numbers, work));
    free(work);
    return true;
}

// dgels("N", m, n, nrhs, A, lda, B, ldb, work, lwork, info): of full rank. For m >= n the least
// squares, else the shortest solution.
bool schur_dgels(ExternalCall *call)
{
    uint32_t m, n;
    const ExternalArgument *b = &call->arguments[6];
    if (external_text(call, 0)[0] != 'N')
        return external_fail(call, "only systems that are not transposed are solved");
    if (!spectral_matrix(call, 4, &m, &n))
        return false;
    const uint32_t columns = b->rank == 2 ? b->dims[1] : 1, rows = m > n ? m : n;
    const uint32_t least = m < n ? m : n;
    if (b->dims[0] < rows)
        return external_fail(call, "the right side has too few rows");
    double *a = malloc(((size_t)m * n + least + rows + 1) * sizeof *a);
    if (!a)
        return spectral_no_memory(call);
    double *tau = a + m * n, *side = tau + least;
    for (uint32_t i = 0; i < m * n; i++) // transposed, if it is wide
        a[i] =
            m >= n ? call->arguments[4].numbers[i] : call->arguments[4].numbers[i % m * n + i / m];
    spectral_factor(rows, least, a, tau, NULL);
    bool is_fine = true;
    for (uint32_t j = 0; j < columns && is_fine; j++) {
        for (uint32_t i = 0; i < rows; i++)
            side[i] = i < m ? b->numbers[i * columns + j] : 0.0;
        if (m >= n)
            schur_orthogonal(rows, least, a, tau, true, side);
        is_fine = schur_triangle(least, least, a, m < n, side);
        if (m < n)
            schur_orthogonal(rows, least, a, tau, false, side);
        for (uint32_t i = 0; i < rows; i++)
            b->numbers[i * columns + j] = side[i];
    }
    free(a);
    external_set(call, 10, is_fine ? 0.0 : 1.0);
    return true;
}
