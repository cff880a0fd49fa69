// SPDX-License-Identifier: MIT
//
// LAPACK: factors of a matrix and what is solved with them, by Gaussian elimination with partial
// pivoting (Golub, Van Loan: Matrix Computations, section 3.4). Matrices are in row-major order;
// leading dimensions and working memory, which the functions have as arguments, are not needed.

#include "external/functions.h"
#include "external/matrix.h"
#include "numerics/rank.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

// Rows and columns of a matrix that is solved with in O(n^3).
enum { ALGEBRA_LARGEST = 2000 };

static void algebra_swap(double *a, uint32_t i, uint32_t k, uint32_t columns)
{
    for (uint32_t j = 0; i != k && j < columns; j++) {
        const double x = a[(size_t)i * columns + j];
        a[(size_t)i * columns + j] = a[(size_t)k * columns + j];
        a[(size_t)k * columns + j] = x;
    }
}

uint32_t algebra_factor(uint32_t rows, uint32_t columns, double *a, double *pivots)
{
    uint32_t singular = 0;
    for (uint32_t k = 0; k < rows && k < columns; k++) {
        uint32_t largest = k;
        for (uint32_t i = k + 1; i < rows; i++)
            if (fabs(a[(size_t)i * columns + k]) > fabs(a[(size_t)largest * columns + k]))
                largest = i;
        pivots[k] = largest + 1;
        algebra_swap(a, k, largest, columns);
        const double pivot = a[(size_t)k * columns + k];
        if (pivot == 0.0) {
            singular = singular ? singular : k + 1;
            continue;
        }
        for (uint32_t i = k + 1; i < rows; i++) {
            const double factor = a[(size_t)i * columns + k] /= pivot;
            for (uint32_t j = k + 1; j < columns; j++)
                a[(size_t)i * columns + j] -= factor * a[(size_t)k * columns + j];
        }
    }
    return singular;
}

void algebra_solve(uint32_t n, const double *lu, const double *pivots, uint32_t columns, double *b)
{
    for (uint32_t k = 0; k < n; k++)
        algebra_swap(b, k, (uint32_t)pivots[k] - 1, columns);
    for (uint32_t j = 0; j < columns; j++) {
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t k = 0; k < i; k++)
                b[(size_t)i * columns + j] -= lu[(size_t)i * n + k] * b[(size_t)k * columns + j];
        for (uint32_t i = n; i-- > 0;) {
            for (uint32_t k = i + 1; k < n; k++)
                b[(size_t)i * columns + j] -= lu[(size_t)i * n + k] * b[(size_t)k * columns + j];
            b[(size_t)i * columns + j] /= lu[(size_t)i * n + i];
        }
    }
}

// Whether an argument is a matrix of n rows and columns, and others have n rows.
static bool algebra_is_square(ExternalCall *call, uint32_t matrix, uint32_t pivots, uint32_t right,
                              uint32_t *n)
{
    const ExternalArgument *a = &call->arguments[matrix], *b = &call->arguments[right];
    *n = a->rank == 2 ? a->dims[0] : 0;
    return (a->rank == 2 && a->dims[1] == *n && call->arguments[pivots].count == *n &&
            b->dims[0] == *n) ||
           external_fail(call, "the matrix is not square, or has another size than the right side");
}

static bool algebra_has_pivots(ExternalCall *call, uint32_t index, uint32_t n)
{
    for (uint32_t k = 0; k < n; k++) {
        const double pivot = call->arguments[index].numbers[k];
        if (!(pivot >= 1.0 && pivot <= n))
            return external_fail(call, "pivot %.15g is not between 1 and %u", pivot, n);
    }
    return true;
}

static uint32_t algebra_columns(const ExternalArgument *a)
{
    return a->rank == 2 ? a->dims[1] : 1;
}

// dgesv(n, nrhs, A, lda, pivots, B, ldb, info)
bool algebra_dgesv(ExternalCall *call)
{
    uint32_t n;
    if (!algebra_is_square(call, 2, 4, 5, &n))
        return false;
    double *a = call->arguments[2].numbers, *pivots = call->arguments[4].numbers;
    const uint32_t info = algebra_factor(n, n, a, pivots);
    if (info == 0)
        algebra_solve(n, a, pivots, algebra_columns(&call->arguments[5]),
                      call->arguments[5].numbers);
    external_set(call, 7, info);
    return true;
}

// dgesv(n, nrhs, LU, lda, pivots, X, ldb, info, dA, dB): since A X = B, the derivative of X is the
// solution of A dX = dB - dA X. That of the factors is not computed: whoever uses it gets no
// number.
bool algebra_dgesv_forward(ExternalCall *call)
{
    uint32_t n;
    if (!algebra_is_square(call, 2, 4, 5, &n))
        return false;
    const double *x = call->arguments[5].numbers;
    double *da = call->arguments[8].numbers, *db = call->arguments[9].numbers;
    const uint32_t columns = algebra_columns(&call->arguments[5]);
    if (external_number(call, 7) == 0.0) {
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t j = 0; j < columns; j++)
                for (uint32_t k = 0; k < n; k++)
                    db[(size_t)i * columns + j] -=
                        da[(size_t)i * n + k] * x[(size_t)k * columns + j];
        algebra_solve(n, call->arguments[2].numbers, call->arguments[4].numbers, columns, db);
    }
    for (uint32_t i = 0; i < n * n; i++)
        da[i] = NAN;
    return true;
}

// dgetrf(m, n, A, lda, pivots, info)
bool algebra_dgetrf(ExternalCall *call)
{
    const ExternalArgument *a = &call->arguments[2];
    const uint32_t least = a->rank != 2 ? 0 : a->dims[0] < a->dims[1] ? a->dims[0] : a->dims[1];
    if (a->rank != 2 || call->arguments[4].count < least)
        return external_fail(call, "there are too few pivots");
    external_set(call, 5,
                 algebra_factor(a->dims[0], a->dims[1], a->numbers, call->arguments[4].numbers));
    return true;
}

// dgetrs("N", n, nrhs, LU, lda, pivots, B, ldb, info)
bool algebra_dgetrs(ExternalCall *call)
{
    uint32_t n;
    if (strcmp(external_text(call, 0), "N") != 0)
        return external_fail(call, "only systems that are not transposed are solved");
    if (!algebra_is_square(call, 3, 5, 6, &n) || !algebra_has_pivots(call, 5, n))
        return false;
    algebra_solve(n, call->arguments[3].numbers, call->arguments[5].numbers,
                  algebra_columns(&call->arguments[6]), call->arguments[6].numbers);
    external_set(call, 8, 0.0);
    return true;
}

// dgetri(n, LU, lda, pivots, work, lwork, info): column by column of the unit matrix in `work`.
bool algebra_dgetri(ExternalCall *call)
{
    uint32_t n;
    if (!algebra_is_square(call, 1, 3, 1, &n) || !algebra_has_pivots(call, 3, n))
        return false;
    double *lu = call->arguments[1].numbers;
    for (uint32_t i = 0; i < n; i++)
        if (lu[(size_t)i * n + i] == 0.0) {
            external_set(call, 6, i + 1);
            return true;
        }
    double *inverse = calloc((size_t)n * n + 1, sizeof *inverse);
    if (!inverse)
        return external_fail(call, "there is no memory left");
    for (uint32_t i = 0; i < n; i++)
        inverse[(size_t)i * n + i] = 1.0;
    algebra_solve(n, lu, call->arguments[3].numbers, n, inverse);
    memcpy(lu, inverse, (size_t)n * n * sizeof *lu);
    free(inverse);
    external_set(call, 6, 0.0);
    return true;
}

// dgelsy(m, n, nrhs, A, lda, X, ldx, jpvt, rcond, rank, work, lwork, info): the shortest of the x
// that minimise |A x - b|, by columns of X, whose first m rows are b and whose first n become x.
// Pivots below rcond times the first count as zero.
bool algebra_dgelsy(ExternalCall *call)
{
    const ExternalArgument *a = &call->arguments[3], *b = &call->arguments[5];
    const uint32_t m = a->rank == 2 ? a->dims[0] : 0, n = a->rank == 2 ? a->dims[1] : 0;
    const uint32_t columns = algebra_columns(b);
    if (a->rank != 2 || b->dims[0] < m || b->dims[0] < n || m > ALGEBRA_LARGEST ||
        n > ALGEBRA_LARGEST)
        return external_fail(call, "the right side has too few rows, or the matrix is too large");
    const size_t work = rank_work((int)m, (int)n), size = (size_t)m * n;
    double *memory = malloc((size + m + n + work + 1) * sizeof *memory);
    int *order = malloc((n + 1) * sizeof *order);
    int rank = 0;
    for (uint32_t j = 0; memory && order && j < columns; j++) {
        double *side = memory + size, *x = side + m;
        for (uint32_t i = 0; i < m; i++) {
            side[i] = b->numbers[(size_t)i * columns + j];
            for (uint32_t k = 0; k < n; k++)
                memory[(size_t)k * m + i] = a->numbers[(size_t)i * n + k];
        }
        rank = rank_solve((int)m, (int)n, memory, side, external_number(call, 8), x, NULL, x + n,
                          order);
        for (uint32_t k = 0; k < n; k++)
            b->numbers[(size_t)k * columns + j] = x[k];
    }
    const bool is_fine = memory && order;
    free(memory);
    free(order);
    external_set(call, 9, rank);
    external_set(call, 12, 0.0);
    return is_fine || external_fail(call, "there is no memory left");
}

// dpotrf("U" or "L", n, A, lda, info): A = U' U or L L' in the triangle that is named (Golub, Van
// Loan, section 4.2); the other one stays. info: the first pivot that is not positive.
bool algebra_dpotrf(ExternalCall *call)
{
    const ExternalArgument *a = &call->arguments[2];
    const uint32_t n = a->rank == 2 ? a->dims[0] : 0;
    if (a->rank != 2 || a->dims[1] != n)
        return external_fail(call, "the matrix is not square");
    // Element i, j of L, or j, i of U.
    const bool is_upper = strcmp(external_text(call, 0), "U") == 0;
    const size_t down = is_upper ? 1 : n, right = is_upper ? n : 1;
    double *l = a->numbers;
    uint32_t info = 0;
    for (uint32_t j = 0; j < n && !info; j++) {
        for (uint32_t i = j; i < n && !info; i++) {
            double sum = l[i * down + j * right];
            for (uint32_t k = 0; k < j; k++)
                sum -= l[i * down + k * right] * l[j * down + k * right];
            if (i == j && !(sum > 0.0))
                info = j + 1;
            else
                l[i * down + j * right] = i == j ? sqrt(sum) : sum / l[j * down + j * right];
        }
    }
    external_set(call, 4, info);
    return true;
}

// ---------------------------------------------------------------------------
// Condition numbers, bands, triangles
// ---------------------------------------------------------------------------

// The largest sum of sizes in a column, or in a row.
static double algebra_norm(uint32_t n, const double *a, bool is_by_row)
{
    double most = 0.0;
    for (uint32_t i = 0; i < n; i++) {
        double sum = 0.0;
        for (uint32_t j = 0; j < n; j++)
            sum += fabs(a[is_by_row ? (size_t)i * n + j : (size_t)j * n + i]);
        most = fmax(most, sum);
    }
    return most;
}

// 1 / (norm of A, norm of its inverse), by the inverse of L U: rows that were exchanged change
// neither norm of it. LAPACK estimates this; here it is exact. False: no memory.
static bool algebra_condition(uint32_t n, const double *lu, double norm, bool is_by_row,
                              double *result)
{
    double *inverse = calloc((size_t)n * n + n + 1, sizeof *inverse);
    *result = n ? 0.0 : 1.0;
    if (!inverse)
        return false;
    double *pivots = inverse + (size_t)n * n;
    bool is_singular = false;
    for (uint32_t i = 0; i < n; i++) {
        inverse[(size_t)i * n + i] = 1.0;
        pivots[i] = i + 1;
        is_singular |= lu[(size_t)i * n + i] == 0.0;
    }
    if (n && !is_singular) {
        algebra_solve(n, lu, pivots, n, inverse);
        *result = 1.0 / (norm * algebra_norm(n, inverse, is_by_row));
    }
    free(inverse);
    return true;
}

// dgecon("1" or "I", n, LU, lda, anorm, rcond, work, iwork, info)
bool algebra_dgecon(ExternalCall *call)
{
    const ExternalArgument *a = &call->arguments[2];
    double condition;
    if (a->rank != 2 || a->dims[0] != a->dims[1] || a->dims[0] > ALGEBRA_LARGEST)
        return external_fail(call, "the matrix is not square, or too large");
    if (!algebra_condition(a->dims[0], a->numbers, external_number(call, 4),
                           external_text(call, 0)[0] == 'I', &condition))
        return external_fail(call, "there is no memory left");
    external_set(call, 5, condition);
    external_set(call, 8, 0.0);
    return true;
}

// dgesvx("N", trans, n, nrhs, A, lda, AF, ldaf, pivots, equed, R, C, B, ldb, X, ldx, rcond, ferr,
// berr, work, iwork, info): the bounds of errors are not computed, and are no numbers.
bool algebra_dgesvx(ExternalCall *call)
{
    const ExternalArgument *a = &call->arguments[4], *b = &call->arguments[12];
    const ExternalArgument *x = &call->arguments[14];
    uint32_t n;
    if (external_text(call, 0)[0] != 'N')
        return external_fail(call, "matrices that are factored or scaled before are not supported");
    if (!algebra_is_square(call, 4, 8, 12, &n))
        return false;
    if (call->arguments[6].count != a->count || x->count != b->count || n > ALGEBRA_LARGEST)
        return external_fail(call, "there is too little room, or the matrix is too large");
    const bool is_transposed = external_text(call, 1)[0] != 'N';
    double *lu = call->arguments[6].numbers, condition = 0.0;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++)
            lu[(size_t)i * n + j] =
                a->numbers[is_transposed ? (size_t)j * n + i : (size_t)i * n + j];
    uint32_t info = algebra_factor(n, n, lu, call->arguments[8].numbers);
    if (info == 0) {
        memcpy(x->numbers, b->numbers, b->count * sizeof *x->numbers);
        algebra_solve(n, lu, call->arguments[8].numbers, algebra_columns(x), x->numbers);
        if (!algebra_condition(n, lu, algebra_norm(n, a->numbers, is_transposed), false,
                               &condition))
            return external_fail(call, "there is no memory left");
        info = condition < DBL_EPSILON / 2.0 ? n + 1 : 0;
    }
    for (uint32_t k = 17; k < 19; k++)
        for (uint32_t i = 0; i < call->arguments[k].count; i++)
            call->arguments[k].numbers[i] = NAN;
    external_set(call, 16, condition);
    external_set(call, 21, info);
    return true;
}

// dgbsv(n, lower, upper, nrhs, A, lda, pivots, B, ldb, info): element i, j of the matrix stands in
// row lower + upper + i - j of column j (both from 0 on). It is solved as a full one.
bool algebra_dgbsv(ExternalCall *call)
{
    const ExternalArgument *a = &call->arguments[4], *b = &call->arguments[7];
    const double size = external_number(call, 0);
    const double below = external_number(call, 1), above = external_number(call, 2);
    if (!(size >= 0.0 && size <= ALGEBRA_LARGEST && below >= 0.0 && below <= size && above >= 0.0 &&
          above <= size))
        return external_fail(call, "the matrix is too large, or has more bands than rows");
    const uint32_t n = (uint32_t)size, lower = (uint32_t)below, upper = (uint32_t)above;
    if (a->rank != 2 || a->dims[0] < 2 * lower + upper + 1 || a->dims[1] != n ||
        call->arguments[6].count < n || b->dims[0] != n)
        return external_fail(call, "the bands have another size than the right side");
    double *full = calloc((size_t)n * n + 1, sizeof *full);
    if (!full)
        return external_fail(call, "there is no memory left");
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = i > lower ? i - lower : 0; j < n && j <= i + upper; j++)
            full[(size_t)i * n + j] = a->numbers[(size_t)(lower + upper + i - j) * n + j];
    const uint32_t info = algebra_factor(n, n, full, call->arguments[6].numbers);
    if (info == 0)
        algebra_solve(n, full, call->arguments[6].numbers, algebra_columns(b), b->numbers);
    free(full);
    external_set(call, 9, info);
    return true;
}

// dtrsm(side, uplo, trans, diag, m, n, alpha, A, lda, B, ldb): op(A) X = alpha B, or X op(A) =
// alpha B, in place. X op(A) is (op(A)' X')'.
bool algebra_dtrsm(ExternalCall *call)
{
    const bool is_right = external_text(call, 0)[0] == 'R';
    const bool is_upper = external_text(call, 1)[0] == 'U';
    const bool is_transposed = (external_text(call, 2)[0] != 'N') != is_right;
    const bool is_unit = external_text(call, 3)[0] == 'U';
    const ExternalArgument *a = &call->arguments[7], *b = &call->arguments[9];
    const uint32_t n = b->rank == 2 ? b->dims[is_right ? 1 : 0] : 0;
    if (a->rank != 2 || b->rank != 2 || a->dims[0] != n || a->dims[1] != n)
        return external_fail(call, "the triangle has another size than the right side");
    const uint32_t sides = b->dims[is_right ? 0 : 1];
    const size_t step = is_right ? 1 : sides, next = is_right ? n : 1;
    const bool is_forward = is_upper == is_transposed; // op(A) is lower
    for (uint32_t s = 0; s < sides; s++)
        for (uint32_t r = 0; r < n; r++) {
            const uint32_t i = is_forward ? r : n - 1 - r;
            double sum = external_number(call, 6) * b->numbers[s * next + i * step];
            for (uint32_t q = 0; q < r; q++) {
                const uint32_t k = is_forward ? q : n - 1 - q;
                sum -= a->numbers[is_transposed ? (size_t)k * n + i : (size_t)i * n + k] *
                       b->numbers[s * next + k * step];
            }
            b->numbers[s * next + i * step] = is_unit ? sum : sum / a->numbers[(size_t)i * n + i];
        }
    return true;
}
