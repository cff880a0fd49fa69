// SPDX-License-Identifier: MIT
//
// Eigenvalues of a real matrix by LAPACK's dgeev: balancing, Hessenberg form, QR steps.

#include "studies/linearize.h"

#include <math.h>
#include <stdlib.h>

// Fortran: every argument by reference, the lengths of characters at the end.
extern void dgeev_(const char *left, const char *right, const int *n, double *a, const int *lda,
                   double *real, double *imaginary, double *vl, const int *ldvl, double *vr,
                   const int *ldvr, double *work, const int *lwork, int *info, size_t left_length,
                   size_t right_length);

static int compare(const void *a, const void *b)
{
    const Eigenvalue *p = a, *q = b;
    if (p->real != q->real)
        return p->real < q->real ? 1 : -1;
    return (p->imaginary < q->imaginary) - (p->imaginary > q->imaginary);
}

static void describe(int n, const double *real, const double *imaginary, Eigenvalue *eigenvalues)
{
    static const double two_pi = 6.283185307179586;
    for (int i = 0; i < n; i++) {
        const double size = hypot(real[i], imaginary[i]);
        eigenvalues[i] =
            (Eigenvalue){real[i], imaginary[i], size / two_pi, size > 0.0 ? -real[i] / size : NAN};
    }
    qsort(eigenvalues, (size_t)n, sizeof *eigenvalues, compare);
}

bool linearize_eigenvalues(int n, const double *a, Eigenvalue *eigenvalues)
{
    const size_t size = (size_t)n;
    for (size_t i = 0; i < size * size; i++)
        if (!isfinite(a[i]))
            return false;
    if (n == 0)
        return true;
    const int lwork = 16 * n, one = 1;
    double *room = malloc((size * size + 2 * size + (size_t)lwork) * sizeof *room);
    if (!room)
        return false;
    double *copy = room, *real = copy + size * size, *imaginary = real + size;
    double *work = imaginary + size;
    // Rows as columns: the transposed matrix has the same eigenvalues.
    for (size_t i = 0; i < size * size; i++)
        copy[i] = a[i];
    int info = 0;
    double none = 0.0;
    dgeev_("N", "N", &n, copy, &n, real, imaginary, &none, &one, &none, &one, work, &lwork, &info,
           1, 1);
    if (info == 0)
        describe(n, real, imaginary, eigenvalues);
    free(room);
    return info == 0;
}
