// SPDX-License-Identifier: MIT
//
// LAPACK functions as a model calls them. What they return is put into the equation that defines
// it: the rest is rounding, a few units of 1e-16 times the sizes of the matrices (below 10) and of
// their sums. And what the functions around them need: loops whose rounds have slices of different
// sizes, texts that follow from a Boolean, calls with constants before the run, constant tables.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/trial.h"

#include <math.h>
#include <stdio.h>

static const double rounding = 1e-12;

#define SIZE "protected Integer n = size(A, 1); Real work[20*size(A, 1)]; Integer lwork = 20*n; "

static const char *const lapack[] = {
    "function rest input Real A[:, :]; output Real e = sum(abs(A)); algorithm end rest; "
    "function hessenberg input Real A[:, size(A, 1)]; output Real H[size(A, 1), size(A, 1)] = A; "
    "output Real tau[size(A, 1) - 1]; output Integer info; " SIZE
    "external \"FORTRAN 77\" dgehrd(n, 1, n, H, n, tau, work, lwork, info); end hessenberg; "
    "function basis input Real A[:, size(A, 1)]; input Real tau[:]; "
    "output Real Q[size(A, 1), size(A, 1)] = A; output Integer info; " SIZE
    "external \"FORTRAN 77\" dorghr(n, 1, n, Q, n, tau, work, lwork, info); end basis; "
    "function apply input Real C[:, :]; input Real A[:, :]; input Real tau[:]; input String side; "
    "input String trans; output Real D[size(C, 1), size(C, 2)] = C; output Integer info; "
    "protected Integer m = size(C, 1); Integer k = size(C, 2); Real work[9]; "
    "external \"FORTRAN 77\" dormhr(side, trans, m, k, 1, m, A, m, tau, D, m, work, 9, info); "
    "end apply; "
    "function schur input Real A[:, size(A, 1)]; output Real T[size(A, 1), size(A, 1)] = A; "
    "output Real Z[size(A, 1), size(A, 1)]; output Real wr[size(A, 1)]; "
    "output Real wi[size(A, 1)]; output Integer info; " SIZE
    "Integer dummy[1] = {0}; Integer sdim = 0; Boolean b[size(A, 1)]; "
    "external \"FORTRAN 77\" dgees(\"V\", \"N\", dummy, n, T, n, sdim, wr, wi, Z, n, work, lwork, "
    "b, info); end schur; "
    "function values input Real A[:, size(A, 1)]; output Real wr[size(A, 1)]; "
    "output Real wi[size(A, 1)]; output Integer info; " SIZE
    "Real H[size(A, 1), size(A, 1)] = A; Real Z[size(A, 1), size(A, 1)] = A; "
    "external \"FORTRAN 77\" dhseqr(\"E\", \"N\", n, 1, n, H, n, wr, wi, Z, n, work, lwork, info); "
    "end values; "
    "function order input Boolean s[:]; input Real A[:, :]; input Real Q[:, :]; "
    "output Real T[size(A, 1), size(A, 1)] = A; output Real Z[size(A, 1), size(A, 1)] = Q; "
    "output Real wr[size(A, 1)]; output Real wi[size(A, 1)]; output Integer m; output Real c; "
    "output Real sep; output Integer info; " SIZE "Integer iwork[9]; "
    "external \"FORTRAN 77\" dtrsen(\"E\", \"V\", s, n, T, n, Z, n, wr, wi, m, c, sep, work, "
    "lwork, "
    "iwork, 9, info); end order; ",
    "function sylvester input Real A[:, :]; input Real B[:, :]; input Real C[:, :]; "
    "input Boolean ta; input Boolean tb; input Integer sign; "
    "output Real X[size(C, 1), size(C, 2)] = C; output Real scale; output Integer info; "
    "protected String a = if ta then \"T\" else \"N\"; String b = if tb then \"T\" else \"N\"; "
    "Integer m = size(C, 1); Integer k = size(C, 2); "
    "external \"FORTRAN 77\" dtrsyl(a, b, sign, m, k, A, m, B, k, X, m, scale, info); "
    "end sylvester; "
    "function condition input Real A[:, :]; input Real norm; output Real r; output Integer info; "
    "protected Integer n = size(A, 1); Integer p[size(A, 1)]; Real w[20]; "
    "external \"FORTRAN 77\" dgecon(\"1\", n, A, n, norm, r, w, p, info); end condition; "
    "function solve input Real A[:, size(A, 1)]; input Real B[size(A, 1), :]; input Boolean t; "
    "output Real X[size(B, 1), size(B, 2)]; output Real r; output Integer info; " SIZE
    "String s = if t then \"T\" else \"N\"; Real C[size(A, 1), size(A, 1)] = A; "
    "Real F[size(A, 1), size(A, 1)]; Integer p[size(A, 1)]; Real D[size(B, 1), size(B, 2)] = B; "
    "Real e1[9]; Real e2[9]; Real e3[size(B, 2)]; Real e4[size(B, 2)]; Integer k = size(B, 2); "
    "Integer iw[size(A, 1)]; "
    "external \"FORTRAN 77\" dgesvx(\"N\", s, n, k, C, n, F, n, p, \" \", e1, e2, D, n, X, n, r, "
    "e3, e4, work, iw, info); end solve; "
    "function bands input Real A[:, :]; input Real b[:]; input Integer l; input Integer u; "
    "output Real x[size(b, 1)] = b; output Integer info; protected Integer p[size(b, 1)]; "
    "Integer n = size(b, 1); Integer rows = size(A, 1); "
    "external \"FORTRAN 77\" dgbsv(n, l, u, 1, A, rows, p, x, n, info); end bands; "
    "function triangle input Real A[:, :]; input Real B[:, :]; input String side; "
    "input String uplo; input String trans; input String diag; "
    "output Real X[size(B, 1), size(B, 2)] = B; "
    "protected Integer m = size(B, 1); Integer k = size(B, 2); Integer a = size(A, 1); "
    "external \"FORTRAN 77\" dtrsm(side, uplo, trans, diag, m, k, 2.0, A, a, X, m); end triangle; "
    "function constrained input Real A[:, :]; input Real c[:]; input Real B[:, :]; "
    "input Real d[:]; output Real x[size(A, 2)]; output Integer info; "
    "protected Real C[size(A, 1), size(A, 2)] = A; Real D[size(B, 1), size(B, 2)] = B; "
    "Real e[size(c, 1)] = c; Real g[size(d, 1)] = d; Integer m = size(A, 1); "
    "Integer n = size(A, 2); Integer p = size(B, 1); Real work[99]; "
    "external \"FORTRAN 77\" dgglse(m, n, p, C, m, D, p, e, g, x, work, 99, info); "
    "end constrained; "
    "function least input Real A[:, :]; input Real b[:]; "
    "output Real x[max(size(A, 1), size(A, 2))] = cat(1, b, zeros(max(size(A, 1), size(A, 2)) - "
    "size(b, 1))); output Integer info; protected Real C[size(A, 1), size(A, 2)] = A; "
    "Integer m = size(A, 1); Integer n = size(A, 2); Integer k = max(m, n); Real work[99]; "
    "external \"FORTRAN 77\" dgels(\"N\", m, n, 1, C, m, x, k, work, 99, info); end least; "};

static Trial *run_with(const char *model)
{
    static char text[20000];
    const int length = snprintf(text, sizeof text, "%s%s%s", lapack[0], lapack[1], model);
    assert_true(length > 0 && (size_t)length < sizeof text);
    return trial_run_text(text, 1.0);
}

// The matrix grows with time, so that nothing is known before the run. It has a conjugate pair and
// two real eigenvalues.
#define A4                                                                                         \
    "Real A[4, 4] = (1 + time)/2*{{1, 2, 3, 4}, {-2, 1, 0.5, 7}, {0.3, -4, 2, 1}, {5, 6, -7, "     \
    "-3}}; "

// H = Q' A Q with zeros below the subdiagonal; Q' C by the reflections is that of the product.
static void test_hessenberg(void **state)
{
    (void)state;
    Trial *t = run_with("model M " A4
                        "Real V[4, 4]; Real tau[3]; Real H[4, 4]; Real Q[4, 4]; Real D[4, 2]; "
                        "Real E[2, 4]; constant Real C[4, 2] = {{1, 2}, {3, 4}, {5, 6}, {7, 8}}; "
                        "Integer i, j, k, l; Real e, f, g, h; equation "
                        "(V, tau, i) = hessenberg(A); (Q, j) = basis(V, tau); "
                        "H = {{if r > s + 1 then 0 else V[r, s] for s in 1:4} for r in 1:4}; "
                        "(D, k) = apply(C, V, tau, \"L\", \"T\"); "
                        "(E, l) = apply(transpose(C), V, tau, \"R\", \"N\"); "
                        "e = rest(A - Q*H*transpose(Q)); "
                        "f = rest(transpose(Q)*Q - identity(4)); "
                        "g = rest(D - transpose(Q)*C); h = rest(E - transpose(C)*Q); "
                        "end M;");
    const char *const names[] = {"i", "j", "k", "l", "e", "f", "g", "h"};
    for (int i = 0; i < 8; i++)
        ASSERT_VALUE(t, names[i], 0.0);
    trial_end(t);
}

// A = Z T Z'. The eigenvalues of the first four are those of the characteristic polynomial; the
// second matrix has the eigenvalues 1, 1 and i, -i, the third one three that are equal. Those of
// the last are 1 - 1e10 and 1 + 1e10: what is below its diagonal is small beside what is above it,
// and yet not to be left out.
static void test_schur(void **state)
{
    (void)state;
    Trial *t = run_with(
        "model M " A4 "Real T[4, 4]; Real Z[4, 4]; Real wr[4]; Real wi[4]; Real e, f, trace, det; "
        "Integer info, i2, i3; Real vr[4]; Real vi[4]; Real zr[3]; Real zi[3]; Real gr[2]; "
        "Real gi[2]; Integer i4; Real g = gr[1]*gr[2]*1e-20; "
        "equation (T, Z, wr, wi, info) = schur(A); "
        "e = rest(A - Z*T*transpose(Z)); "
        "f = rest(transpose(Z)*Z - identity(4)) + rest({{T[3, 1], T[4, 1], T[4, 2]}}); trace = "
        "sum(wr); "

        "det = (wr[1]^2 + wi[1]^2)*(wr[3]*wr[4] + wi[3]^2); "
        "(vr, vi, i2) = values((1 + time)/2*{{0, 1, 5, 2}, {-1, 0, 3, 4}, {0, 0, 1, 7}, "
        "{0, 0, 0, 1}}); "
        "(zr, zi, i3) = values((1 + time)/2*{{2, 1, 0}, {0, 2, 1}, {0, 0, 2}}); (gr, gi, i4) = "
        "values((1 + time)/2*{{1, 1e20}, {1, 1}}); end M;");
    ASSERT_VALUE(t, "info", 0.0);
    ASSERT_VALUE(t, "e", 0.0);
    ASSERT_VALUE(t, "f", 0.0);
    ASSERT_VALUE(t, "trace", 1.0);
    ASSERT_VALUE(t, "det", 753.0);
    ASSERT_VALUE(t, "vr[1]", 0.0);
    ASSERT_VALUE(t, "vi[1]", 1.0);
    ASSERT_VALUE(t, "vi[2]", -1.0);
    ASSERT_VALUE(t, "vr[3]", 1.0);
    ASSERT_VALUE(t, "vr[4]", 1.0);
    ASSERT_VALUE(t, "zr[1]", 2.0);
    ASSERT_VALUE(t, "zr[3]", 2.0);
    ASSERT_VALUE(t, "g", -1.0);
    ASSERT_VALUE(t, "gi[1]", 0.0);
    trial_end(t);
}

// The selected eigenvalues come first, a pair of them past a single one and past another pair; what
// the matrix is stays. c of {{1, 3}, {0, 2}} with 1 first is 1/sqrt(1 + 9): R = -3.
static void test_order(void **state)
{
    (void)state;
    Trial *t = run_with(
        "model M Real T[5, 5]; Real Z[5, 5]; Real wr[5]; Real wi[5]; Integer m, info, m2, i2; "
        "Real c, sep, e, f, c2, s2; Real T2[2, 2]; Real Z2[2, 2]; Real r2[2]; Real j2[2]; "
        "Real A[5, 5] = (1 + time)/2*{{1, 2, 3, 4, 5}, {0, -3, 1, 2, 6}, {0, -4, -3, 7, 1}, "
        "{0, 0, 0, 2, 5}, {0, 0, 0, -1, 2}}; equation "
        "(T, Z, wr, wi, m, c, sep, info) = order({false, false, false, true, true}, A, "
        "identity(5)); e = rest(A - Z*T*transpose(Z)); "
        "f = rest(transpose(Z)*Z - identity(5)); "
        "(T2, Z2, r2, j2, m2, c2, s2, i2) = order({true, false}, (1 + time)/2*{{1, 3}, {0, 2}}, "
        "identity(2)); end M;");
    ASSERT_VALUE(t, "info", 0.0);
    ASSERT_VALUE(t, "m", 2.0);
    ASSERT_VALUE(t, "wr[1]", 2.0);
    ASSERT_VALUE(t, "wi[1]", sqrt(5.0));
    ASSERT_VALUE(t, "wi[2]", -sqrt(5.0));
    ASSERT_VALUE(t, "wr[3]", 1.0);
    ASSERT_VALUE(t, "wr[4]", -3.0);
    ASSERT_VALUE(t, "wi[4]", 2.0);
    ASSERT_VALUE(t, "e", 0.0);
    ASSERT_VALUE(t, "f", 0.0);
    ASSERT_VALUE(t, "c2", 1.0 / sqrt(10.0));
    trial_end(t);
}

// op(A) X + sign X op(B) = C for all eight kinds; A and B have blocks of one and two rows.
static void test_sylvester(void **state)
{
    (void)state;
    for (int kind = 0; kind < 8; kind++) {
        char model[2000];
        snprintf(model, sizeof model,
                 "model M Real A[3, 3] = (1 + time)/2*{{4, 1, 2}, {0, 1, 3}, {0, -2, 1}}; "
                 "Real B[3, 3] = (1 + time)/2*{{0.5, 2, 1}, {-3, 0.5, 4}, {0, 0, 7}}; "
                 "constant Real C[3, 3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 10}}; Real X[3, 3]; "
                 "Real s, e; Integer info; equation "
                 "(X, s, info) = sylvester(A, B, C, %s, %s, %d); "
                 "e = rest(%s*X + (%d)*X*%s - C); end M;",
                 kind & 1 ? "true" : "false", kind & 2 ? "true" : "false", kind & 4 ? -1 : 1,
                 kind & 1 ? "transpose(A)" : "A", kind & 4 ? -1 : 1,
                 kind & 2 ? "transpose(B)" : "B");
        Trial *t = run_with(model);
        ASSERT_VALUE(t, "e", 0.0);
        ASSERT_VALUE(t, "s", 1.0);
        trial_end(t);
    }
}

// The inverse of {{2, 1}, {0, 4}} is {{0.5, -0.125}, {0, 0.25}}: 1/(5*0.5).
static void test_condition(void **state)
{
    (void)state;
    Trial *t = run_with("model M Real r, q, r2; Integer i, j, k; Real X[2, 1]; Real Y[2, 1]; "
                        "Real A[2, 2] = (1 + time)/2*{{2, 1}, {0, 4}}; equation "
                        "(r, i) = condition(A, 5); (X, q, j) = solve(A, {{4}, {8}}, false); "
                        "(Y, r2, k) = solve(A, {{4}, {8}}, true); end M;");
    ASSERT_VALUE(t, "r", 0.4);
    ASSERT_VALUE(t, "q", 0.4);
    ASSERT_VALUE(t, "X[1,1]", 1.0);
    ASSERT_VALUE(t, "X[2,1]", 2.0);
    ASSERT_VALUE(t, "Y[1,1]", 2.0);
    ASSERT_VALUE(t, "Y[2,1]", 1.5);
    // of the transposed matrix, whose columns are the rows: 1/(4*0.625)
    ASSERT_VALUE(t, "r2", 0.4);
    trial_end(t);
}

// {{0, 1, 0}, {2, 3, 4}, {0, 5, 6}} in bands, with a pivot of zero, for x = 1, 2, 3.
static void test_bands(void **state)
{
    (void)state;
    Trial *t =
        run_with("model M Real x[3]; Integer i; equation (x, i) = bands("
                 "{{0, 0, 0}, {0, 1, 4}, {0, 3, 6}, {2, 5, 0}}, (1 + time)/2*{2, 20, 28}, 1, 1); "
                 "end M;");
    for (int i = 1; i <= 3; i++) {
        char name[] = "x[1]";
        name[2] = (char)('0' + i);
        ASSERT_VALUE(t, name, i);
    }
    trial_end(t);
}

static void test_triangles(void **state)
{
    (void)state;
    for (int kind = 0; kind < 16; kind++) {
        char model[2000];
        const char *side = kind & 1 ? "R" : "L", *uplo = kind & 2 ? "U" : "L";
        const char *trans = kind & 4 ? "T" : "N", *diag = kind & 8 ? "U" : "N";
        // what is in the other half of A is not read
        const char *meant = kind & 2 ? (kind & 8 ? "{{1, 3}, {0, 1}}" : "{{2, 3}, {0, 4}}")
                                     : (kind & 8 ? "{{1, 0}, {5, 1}}" : "{{2, 0}, {5, 4}}");
        snprintf(model, sizeof model,
                 "model M Real A[2, 2] = (1 + time)/2*{{2, 3}, {5, 4}}; constant Real B[2, 2] = "
                 "{{1, 2}, "
                 "{3, 5}}; Real T[2, 2] = %s(%s); Real X[2, 2]; Real e; equation "
                 "X = triangle(A, B, \"%s\", \"%s\", \"%s\", \"%s\"); "
                 "e = rest(%s - 2*B); end M;",
                 kind & 4 ? "transpose" : "", meant, side, uplo, trans, diag,
                 kind & 1 ? "X*T" : "T*X");
        Trial *t = run_with(model);
        ASSERT_VALUE(t, "e", 0.0);
        trial_end(t);
    }
}

// min |x - c| on the plane x1 + x2 + x3 = 6 is c moved along (1, 1, 1); least squares are where the
// rest is orthogonal to the columns, the shortest solution is a combination of the rows.
static void test_least_squares(void **state)
{
    (void)state;
    Trial *t = run_with(
        "model M Real x[3]; Integer i, j, k; Real y[3]; Real z[3]; Real e, f, g; "
        "constant Real A[3, 2] = {{1, 2}, {3, 4}, {5, 7}}; "
        "constant Real W[2, 3] = {{1, 2, 2}, {0, 3, 4}}; equation "
        "(x, i) = constrained((1 + time)/2*identity(3), {1, 2, 6}, {{1, 1, 1}}, {6}); "
        "(y, j) = least((1 + time)/2*A, {1, 0, 2}); (z, k) = least((1 + time)/2*W, {9, 25}); "
        "e = rest(matrix(transpose(A)*(A*y[1:2] - {1, 0, 2}))); f = rest(matrix(W*z - {9, 25})); "
        "g = 2*z[1] + (-4)*z[2] + 3*z[3]; end M;"); // (2, -4, 3) is the cross product of the rows
    ASSERT_VALUE(t, "x[1]", 0.0);
    ASSERT_VALUE(t, "x[2]", 1.0);
    ASSERT_VALUE(t, "x[3]", 5.0);
    ASSERT_VALUE(t, "e", 0.0);
    ASSERT_VALUE(t, "f", 0.0);
    ASSERT_VALUE(t, "g", 0.0);
    trial_end(t);
}

// ---- pencils ------------------------------------------------------------------------------------

#define VECTORS "Real L[size(A, 1), size(A, 1)]; output Real R[size(A, 1), size(A, 1)]; "
#define VALUES "output Real a[size(A, 1)]; output Real b[size(A, 1)]; output Real c[size(A, 1)]; "

// b_k A x - (a_k + i b_k) B x from both sides, for all k: a pair's vectors are columns k and k + 1.
static const char *const pencils[] = {
    "function rests input Real A[:, :]; input Real B[:, :]; input Real a[:]; input Real b[:]; "
    "input Real c[:]; input Real V[:, :]; output Real e = 0; protected Integer n = size(A, 1); "
    "Integer k = 1; Real x[size(A, 1)]; Real y[size(A, 1)]; algorithm while k <= n loop "
    "x := V[:, k]; y := if b[k] == 0 then zeros(n) else V[:, min(k + 1, n)]; "
    "e := e + sum(abs(c[k]*(A*x) - a[k]*(B*x) + b[k]*(B*y))) "
    "+ sum(abs(c[k]*(A*y) - a[k]*(B*y) - b[k]*(B*x))) + (if sum(abs(x)) > 0.1 then 0 else 1); "
    "k := k + (if b[k] == 0 then 1 else 2); end while; end rests; "
    "function pencil input Real A[:, size(A, 1)]; input Real B[size(A, 1), size(A, 1)]; " VALUES
    "output " VECTORS "output Integer info; protected Real C[size(A, 1), size(A, 1)] = A; "
    "Real D[size(A, 1), size(A, 1)] = B; Integer n = size(A, 1); Real w[99]; "
    "external \"FORTRAN 77\" dggev(\"V\", \"V\", n, C, n, D, n, a, b, c, L, n, R, n, w, 99, info); "
    "end pencil; "
    "function expert input Real A[:, size(A, 1)]; input Real B[size(A, 1), size(A, 1)]; " VALUES
    "output " VECTORS "output Real s[size(A, 1)]; output Integer info; "
    "protected Integer n = size(A, 1); Integer lo, hi; Real l[size(A, 1)]; Real r[size(A, 1)]; "
    "Real an, bn; Real v[size(A, 1)]; Real w[99]; Integer iw[9]; Integer bw[9]; "
    "external \"FORTRAN 77\" dggevx(\"B\", \"V\", \"V\", \"E\", n, A, n, B, n, a, b, c, L, n, R, "
    "n, "
    "lo, hi, l, r, an, bn, s, v, w, 99, iw, bw, info); end expert; ",
    "function quick input Real A[:, size(A, 1)]; input Real B[size(A, 1), size(A, 1)]; " VALUES
    "output Integer info; protected Real C[size(A, 1), size(A, 1)] = A; "
    "Real D[size(A, 1), size(A, 1)] = B; Integer n = size(A, 1); Real Q[1, 1]; Real w[99]; "
    "external \"FORTRAN 77\" dhgeqz(\"E\", \"N\", \"N\", n, 1, n, C, n, D, n, a, b, c, Q, 1, Q, 1, "
    "w, "
    "99, info); end quick; "
    "function one input Real A[:, size(A, 1)]; output Real a[size(A, 1)]; "
    "output Real b[size(A, 1)]; output " VECTORS
    "output Real S[size(A, 1), size(A, 1)] = A; output Real s[size(A, 1)]; output Integer info; "
    "protected Integer n = size(A, 1); Integer lo, hi; Real d[size(A, 1)]; Real an; "
    "Real v[size(A, 1)]; Real w[99]; Integer iw[1]; "
    "external \"FORTRAN 77\" dgeevx(\"B\", \"V\", \"V\", \"E\", n, S, n, a, b, L, n, R, n, lo, hi, "
    "d, "
    "an, s, v, w, 99, iw, info); end one; "
    "function back input Real T[:, size(T, 1)]; input Real Q[size(T, 1), size(T, 1)]; "
    "input String many; output Real L[size(T, 1), size(T, 1)] = Q; "
    "output Real R[size(T, 1), size(T, 1)] = Q; output Integer info; "
    "protected Integer n = size(T, 1); Boolean k[size(T, 1)]; Real w[99]; "
    "external \"FORTRAN 77\" dtrevc(\"B\", many, k, n, T, n, L, n, R, n, n, n, w, info); "
    "end back; "};

static Trial *run_pencil(const char *model)
{
    static char text[20000];
    const int length =
        snprintf(text, sizeof text, "%s%s%s%s", lapack[0], pencils[0], pencils[1], model);
    assert_true(length > 0 && (size_t)length < sizeof text);
    return trial_run_text(text, 1.0);
}

// 2 A and B = {{2, 0, 0}, {0, 0, 0}, {0, 0, 1}} in another basis: eigenvalues (3 + time)/2, one
// that is infinite, 4*(1 + time)/2. Each vector is put into its equation, from the left with the
// transposed matrices; of the transposed pencil the pair's imaginary part has the other sign.
static void test_pencil(void **state)
{
    (void)state;
    Trial *t = run_pencil(
        "model M Real U[3, 3] = {{1, 2, 0}, {0, 1, 3}, {1, 0, 2}}; "
        "Real W[3, 3] = {{2, 0, 1}, {1, 1, 0}, {0, 3, 1}}; "
        "Real A[3, 3] = U*diagonal({6, 5, 4*(1 + time)/2})*W; "
        "Real B[3, 3] = U*diagonal({2, 0, 1})*W; "
        "Real a[3]; Real b[3]; Real c[3]; Real L[3, 3]; Real R[3, 3]; Integer i, j, k; Real e, f; "
        "Real u[3]; Real v[3]; Real w[3]; Real X[3, 3]; Real Y[3, 3]; Real s[3]; Real g, h; "
        "Real q1[3]; Real q2[3]; Real q3[3]; Real sum1, product, infinite, d; equation "
        "(a, b, c, L, R, i) = pencil(A, B); e = rests(A, B, a, b, c, R); "
        "f = rests(transpose(A), transpose(B), a, -b, c, L); "
        "(u, v, w, X, Y, s, j) = expert(A, B); g = rests(A, B, u, v, w, Y); "
        "h = rests(transpose(A), transpose(B), u, -v, w, X); "
        "(q1, q2, q3, k) = quick(A, B); "
        "infinite = min(c); d = max(abs(a - q1)) + max(abs(c - q3)); "
        "sum1 = sum(if c[m] > 1e-9 then a[m]/c[m] else 0 for m in 1:3); "
        "product = product(if c[m] > 1e-9 then a[m]/c[m] else 1 for m in 1:3); end M;");
    const char *const zero[] = {"i", "j", "k", "e", "f", "g", "h", "infinite", "d"};
    for (int i = 0; i < 9; i++)
        ASSERT_VALUE(t, zero[i], 0.0);
    ASSERT_VALUE(t, "sum1", 7.0);
    ASSERT_VALUE(t, "product", 12.0);
    trial_end(t);
}

// A pair: A - z B is [cos - z, -sin; sin, cos - z] in another basis, and 7. Three zeros of B in a
// row have to be chased.
static void test_pencil_pair(void **state)
{
    (void)state;
    Trial *t = run_pencil(
        "model M Real U[3, 3] = {{1, 2, 0}, {0, 1, 3}, {1, 0, 2}}; "
        "Real W[3, 3] = {{2, 0, 1}, {1, 1, 0}, {0, 3, 1}}; "
        "Real A[3, 3] = U*{{cos(time), -sin(time), 0}, {sin(time), cos(time), 0}, {0, 0, 7}}*W; "
        "Real B[3, 3] = U*W; Real a[3]; Real b[3]; Real c[3]; Real L[3, 3]; Real R[3, 3]; "
        "Integer i, j; Real e, f, re, im, q, g, infinite; Real a2[5]; Real b2[5]; Real c2[5]; "
        "Real L2[5, 5]; Real R2[5, 5]; Real C[5, 5] = {{1 + time, 2, 3, 4, 5}, {2, 1, 0, 3, 1}, "
        "{0, 1, 4, 1, 2}, {1, 0, 2, 3, 1}, {3, 1, 0, 1, 2}}; "
        "constant Real D[5, 5] = {{2, 1, 1, 1, 1}, {0, 0, 1, 2, 1}, {0, 0, 0, 1, 3}, "
        "{0, 0, 0, 0, 1}, {0, 0, 0, 0, 1}}; equation "
        "(a, b, c, L, R, i) = pencil(A, B); e = rests(A, B, a, b, c, R); "
        "f = rests(transpose(A), transpose(B), a, -b, c, L); "
        "re = min(a[m]/c[m] for m in 1:3); im = max(b[m]/c[m] for m in 1:3); "
        "q = max(a[m]/c[m] for m in 1:3); "
        "(a2, b2, c2, L2, R2, j) = pencil(C, D); g = rests(C, D, a2, b2, c2, R2); "
        "infinite = min(c2); end M;");
    ASSERT_VALUE(t, "i", 0.0);
    ASSERT_VALUE(t, "j", 0.0);
    ASSERT_VALUE(t, "e", 0.0);
    ASSERT_VALUE(t, "f", 0.0);
    ASSERT_VALUE(t, "g", 0.0);
    ASSERT_VALUE(t, "infinite", 0.0);
    ASSERT_VALUE(t, "re", cos(1.0));
    ASSERT_VALUE(t, "im", sin(1.0));
    ASSERT_VALUE(t, "q", 7.0);
    trial_end(t);
}

// dgeevx, and dtrevc of the Schur form, with and without its basis. The condition of the
// eigenvalues of {{1, 3}, {0, 2}} is 1/sqrt(10). What dtrevc gives of {{1, 2}, {-2, 1}} is (1, i):
// T12 and T21 are equal in size.
static void test_one_matrix(void **state)
{
    (void)state;
    Trial *t = run_pencil(
        "model M " A4 "Real a[4]; Real b[4]; Real L[4, 4]; Real R[4, 4]; Real S[4, 4]; Real s[4]; "
        "Real T[4, 4]; Real Z[4, 4]; Real wr[4]; Real wi[4]; Real VL[4, 4]; Real VR[4, 4]; "
        "Real TL[4, 4]; Real TR[4, 4]; Real PL[2, 2]; Real PR[2, 2]; "
        "Integer i, j, k, l, n, o; Real e, f, g, h, p, q, trace; "
        "Real a2[2]; Real b2[2]; Real L2[2, 2]; Real R2[2, 2]; Real S2[2, 2]; Real s2[2]; "
        "constant Real one4[4] = ones(4); constant Real E[4, 4] = identity(4); equation "
        "(a, b, L, R, S, s, i) = one(A); e = rests(A, E, a, b, one4, R); "
        "f = rests(transpose(A), E, a, -b, one4, L); "
        "trace = S[1, 1] + S[2, 2] + S[3, 3] + S[4, 4]; "
        "(T, Z, wr, wi, j) = schur(A); (VL, VR, k) = back(T, Z, \"B\"); "
        "g = rests(A, E, wr, wi, one4, VR); h = rests(transpose(A), E, wr, -wi, one4, VL); "
        "(TL, TR, l) = back(T, Z, \"A\"); p = rests(T, E, wr, wi, one4, TR); "
        "q = rests(transpose(T), E, wr, -wi, one4, TL); "
        "(a2, b2, L2, R2, S2, s2, n) = one((1 + time)/2*{{1, 3}, {0, 2}}); "
        "(PL, PR, o) = back((1 + time)/2*{{1, 2}, {-2, 1}}, identity(2), \"A\"); end M;");
    const char *const zero[] = {"i", "j", "k", "l", "n", "o", "e", "f", "g", "h", "p", "q"};
    for (int i = 0; i < 12; i++)
        ASSERT_VALUE(t, zero[i], 0.0);
    ASSERT_VALUE(t, "trace", 1.0);
    ASSERT_VALUE(t, "s2[1]", 1.0 / sqrt(10.0));
    ASSERT_VALUE(t, "s2[2]", 1.0 / sqrt(10.0));
    ASSERT_VALUE(t, "PR[1,1]", 1.0);
    ASSERT_VALUE(t, "PR[2,1]", 0.0);
    ASSERT_VALUE(t, "PR[1,2]", 0.0);
    ASSERT_VALUE(t, "PR[2,2]", 1.0);
    trial_end(t);
}

// Rows and columns of {{1, 2^60}, {2^30, 1}} become equal by powers of two: D = diag(2^15, 1) makes
// {{1, 2^45}, {2^45, 1}} of it, whose norm is 1 + 2^45.
static void test_balance(void **state)
{
    (void)state;
    Trial *t = trial_run_text(
        "function balance input Real A[2, 2]; output Real d[2]; output Real norm; protected "
        "Real S[2, 2] = A; Real a[2]; Real b[2]; Real L[2, 2]; Real R[2, 2]; Integer n = 2; "
        "Integer lo, hi; Real s[2]; Real v[2]; Real w[99]; Integer iw[1]; Integer info; "
        "external \"FORTRAN 77\" dgeevx(\"B\", \"V\", \"V\", \"E\", n, S, n, a, b, L, n, R, n, "
        "lo, hi, d, norm, s, v, w, 99, iw, info); end balance; "
        "model M Real d[2]; Real norm; equation "
        "(d, norm) = balance((1 + time)/2*{{1, 2^60}, {2^30, 1}}); end M;",
        1.0);
    ASSERT_VALUE(t, "d[1]", 0x1p15);
    ASSERT_VALUE(t, "d[2]", 1.0);
    ASSERT_VALUE(t, "norm", 1.0 + 0x1p45);
    trial_end(t);
}

// ---- what functions around them need ------------------------------------------------------------

// The sum of the upper triangle and of the strict lower one, by slices of all sizes, also none; in
// a loop that an input ends.
static void test_slices(void **state)
{
    (void)state;
    Trial *t = trial_run_text(
        "function f input Real A[:, :]; input Integer last = size(A, 1); output Real u = 0; "
        "output Real l = 0; protected Integer n = size(A, 1); algorithm "
        "for i in 1:last loop u := u + sum(A[i, i:n]); end for; "
        "for i in 2:2:last loop l := l + sum(A[i, 1:(i - 1)]); "
        "if l > 1e9 then l := 0; end if; end for; end f; "
        "model M Real u, l, v, w; equation "
        "(u, l) = f((1 + time)/2*{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}); "
        "(v, w) = f((1 + time)/2*{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}, 1); end M;",
        1.0);
    ASSERT_VALUE(t, "u", 26.0);
    ASSERT_VALUE(t, "l", 4.0);
    ASSERT_VALUE(t, "v", 6.0);
    ASSERT_VALUE(t, "w", 0.0);
    trial_end(t);
}

// A call with constants is made before the run, where sizes may change while it runs.
static void test_constant_call(void **state)
{
    (void)state;
    Trial *t = trial_run_text(
        "function shrink input Real x[:]; output Real y = 0; output Real z[2] = {0, 0}; "
        "protected Integer k = size(x, 1); algorithm while k > 0 loop y := y + sum(x[1:k]); "
        "z[1] := z[1] + max(x[1:k]); k := k - 1; end while; end shrink; "
        "model M parameter Real p = shrink({1, 2, 3}); parameter Real q[2] = both(2.0); "
        "Real y = time*p; function both input Real s; output Real z[2]; protected Real w; "
        "algorithm (w, z) := shrink({s, 2*s}); end both; Real u = q[1] + time; end M;",
        1.0);
    ASSERT_VALUE(t, "y", 10.0); // 6 + 3 + 1
    ASSERT_VALUE(t, "u", 7.0);  // 4 + 2, and the time
    trial_end(t);
    trial_expect_refusal("function shrink input Real x[:]; output Real y = 0; "
                         "protected Integer k = size(x, 1); algorithm while k > 0 loop "
                         "y := y + sum(x[1:k]); k := k - 1; end while; end shrink; "
                         "model M Real y = shrink({1, 2, time}); end M;",
                         "the size of this range must be known before the run");
}

// A constant array that a function reads by a subscript of the run; also in its derivative, which
// Newton's method needs for 2 x + table[k] x = 10 with k = 3, and beyond its bounds.
static void test_table(void **state)
{
    (void)state;
#define TABLE                                                                                      \
    "function f input Real x; input Integer k; output Real y; protected "                          \
    "constant Real c[:] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}; "                                       \
    "constant Integer d[2, 5] = {{1, 2, 3, 4, 5}, {6, 7, 8, 9, 10}}; Integer i; algorithm "        \
    "i := k; y := 2*x + c[i]*x^3 + d[2, i]; end f; "
    Trial *t =
        trial_run_text(TABLE "model M Integer k(start = 3, fixed = true); Real x(start = 1); "
                             "equation when time > 0.5 then k = 4; end when; "
                             "f(x, k) = 18 + time; end M;",
                       0.25);
    const double x = trial_value(t, "x"); // 2 x + 3 x^3 + 8 = 18.25
    assert_true(fabs(2.0 * x + 3.0 * x * x * x - 10.25) < 1e-9);
    trial_end(t);
    for (int backend = 0; backend < 2; backend++) {
        t = trial_text(TABLE "model M Real y; equation y = f(time, integer(4 + 0*time)); end M;");
        trial_backend(t, backend ? BACKEND_C : BACKEND_INTERPRET, NULL);
        assert_int_equal(trial_run(t, 1.0), SALTUS_OK);
        ASSERT_VALUE(t, "y", 2.0 + 4.0 + 9.0);
        trial_end(t);
    }
    trial_expect_error(TABLE "model M Real y; equation y = f(time, integer(20*time)); end M;", 1.0,
                       "subscript");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hessenberg), cmocka_unit_test(test_schur),
        cmocka_unit_test(test_order),      cmocka_unit_test(test_sylvester),
        cmocka_unit_test(test_condition),  cmocka_unit_test(test_bands),
        cmocka_unit_test(test_triangles),  cmocka_unit_test(test_least_squares),
        cmocka_unit_test(test_pencil),     cmocka_unit_test(test_pencil_pair),
        cmocka_unit_test(test_one_matrix), cmocka_unit_test(test_balance),
        cmocka_unit_test(test_slices),     cmocka_unit_test(test_constant_call),
        cmocka_unit_test(test_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
