// SPDX-License-Identifier: MIT
//
// Eigenvalues of a real matrix with LAPACK: balancing, Hessenberg form, QR steps. These are the
// steps of its driver dgeev up to order 75 (then that takes many shifts at once), called one by one
// because dgeev needs the run time library of Fortran, and these do not.

#include "studies/linearize.h"

#include <math.h>
#include <stdlib.h>

// Fortran: every argument by reference, the lengths of characters at the end.
extern void dgebal_(const char *job, const int *n, double *a, const int *lda, int *low, int *high,
                    double *scale, int *info, size_t job_length);
extern void dgehrd_(const int *n, const int *low, const int *high, double *a, const int *lda,
                    double *tau, double *work, const int *lwork, int *info);
extern void dlahqr_(const int *want_t, const int *want_z, const int *n, const int *low,
                    const int *high, double *h, const int *ldh, double *real, double *imaginary,
                    const int *first, const int *last, double *z, const int *ldz, int *info);

// LAPACK calls this for wrong arguments, which do not occur here; its own prints and stops. (The
// documentation of LAPACK provides for its replacement.)
void xerbla_(const char *name, const int *argument, size_t name_length);
void xerbla_(const char *name, const int *argument, size_t name_length)
{
    (void)name, (void)argument, (void)name_length;
}

static int compare(const void *a, const void *b)
{
    const SaltusEigenvalue *p = a, *q = b;
    if (p->real != q->real)
        return p->real < q->real ? 1 : -1;
    return (p->imaginary < q->imaginary) - (p->imaginary > q->imaginary);
}

static void describe(int n, const double *real, const double *imaginary,
                     SaltusEigenvalue *eigenvalues)
{
    static const double two_pi = 6.283185307179586;
    for (int i = 0; i < n; i++) {
        const double size = hypot(real[i], imaginary[i]);
        // without the sign of a zero
        eigenvalues[i] = (SaltusEigenvalue){real[i] + 0.0, imaginary[i] + 0.0, size / two_pi,
                                            size > 0.0 ? 0.0 - real[i] / size : NAN};
    }
    qsort(eigenvalues, (size_t)n, sizeof *eigenvalues, compare);
}

// The room of all arrays of one call.
typedef struct Workspace {
    double *h, *real, *imaginary, *scale, *tau, *work;
    int lwork;
} Workspace;

static bool run_lapack(int n, Workspace *w)
{
    const int no = 0, one = 1;
    int low, high, info = 0;
    double none = 0.0;
    dgebal_("B", &n, w->h, &n, &low, &high, w->scale, &info, 1);
    if (info == 0)
        dgehrd_(&n, &low, &high, w->h, &n, w->tau, w->work, &w->lwork, &info);
    if (info != 0)
        return false;
    // What balancing has isolated stands on the diagonal.
    for (int i = 0; i < n; i++)
        if (i + 1 < low || i + 1 > high) {
            w->real[i] = w->h[(size_t)i * (size_t)n + (size_t)i];
            w->imaginary[i] = 0.0;
        }
    dlahqr_(&no, &no, &n, &low, &high, w->h, &n, w->real, w->imaginary, &one, &one, &none, &one,
            &info);
    return info == 0;
}

bool linearize_eigenvalues(int n, const double *a, SaltusEigenvalue *eigenvalues)
{
    enum { BLOCK = 32 };
    const size_t size = (size_t)n;
    for (size_t i = 0; i < size * size; i++)
        if (!isfinite(a[i]))
            return false;
    if (n == 0)
        return true;
    double *room = malloc((size * size + (4 + BLOCK) * size) * sizeof *room);
    if (!room)
        return false;
    Workspace w = {.h = room, .real = room + size * size, .lwork = BLOCK * n};
    w.imaginary = w.real + size;
    w.scale = w.imaginary + size;
    w.tau = w.scale + size;
    w.work = w.tau + size;
    // Rows as columns: the transposed matrix has the same eigenvalues.
    for (size_t i = 0; i < size * size; i++)
        room[i] = a[i];
    const bool is_fine = run_lapack(n, &w);
    if (is_fine)
        describe(n, w.real, w.imaginary, eigenvalues);
    free(room);
    return is_fine;
}
