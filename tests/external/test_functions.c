// SPDX-License-Identifier: MIT
//
// External functions by their names: Strings, random numbers, LAPACK, the Fourier transform, and
// what always holds in their table.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "external/functions.h"
#include "external/hand.h"
#include "external/random.h"
#include "support/hybrid.h"

#include <math.h>
#include <stdio.h>

static const ExternalInfo table[] = {
#define X(name, signature, function) {#name, signature, function, NULL},
    EXTERNAL_LIST(X)
#undef X
        {NULL, NULL, NULL, NULL},
};

static void test_table(void **state)
{
    (void)state;
    for (const ExternalInfo *i = table; i->name; i++) {
        assert_non_null(external_find(i->name));
        for (const ExternalInfo *j = table; j < i; j++)
            assert_string_not_equal(i->name, j->name);
        assert_in_range(external_argument_count(i->signature), 1, EXTERNAL_MOST_ARGUMENTS);
        for (const char *s = i->signature; *s; s++)
            assert_true(strchr("risoRIS&>", *s) || (s == i->signature && strchr("!?", *s)));
        assert_null(external_refusal(i->name));
    }
    assert_null(external_find("system"));
    assert_non_null(external_refusal("system"));
}

// The manual lists them all: each by its name, or by what follows the prefix of its row.
static void test_manual(void **state)
{
    (void)state;
    static char manual[1 << 16];
    FILE *file = fopen(SALTUS_SOURCE_DIR "/docs/external.md", "r");
    assert_non_null(file);
    manual[fread(manual, 1, sizeof manual - 1, file)] = 0;
    fclose(file);
    for (const ExternalInfo *i = table; i->name; i++) {
        char quoted[100];
        const char *tail = i->name;
        snprintf(quoted, sizeof quoted, "`%s`", tail);
        while (!strstr(manual, quoted) && strchr(tail, '_')) {
            tail = strchr(tail, '_') + 1;
            snprintf(quoted, sizeof quoted, "`%s`", tail);
        }
        if (!strstr(manual, quoted))
            fail_msg("docs/external.md does not list %s", i->name);
    }
}

// ---- Strings ------------------------------------------------------------------------------------

static const char *substring(Arena *arena, const char *from, double start, double end)
{
    hand_begin(arena);
    hand_text(from);
    hand_number(start);
    hand_number(end);
    hand_text("");
    assert_true(hand_run("ModelicaStrings_substring"));
    return hand.texts[3][0];
}

static double of_text(const char *name, const char *value)
{
    hand_begin(NULL);
    hand_text(value);
    hand_number(0.0);
    assert_true(hand_run(name));
    return hand.numbers[1][0];
}

static double compared(const char *a, const char *b, bool is_exact)
{
    hand_begin(NULL);
    hand_text(a);
    hand_text(b);
    hand_number(is_exact);
    hand_number(0.0);
    assert_true(hand_run("ModelicaStrings_compare"));
    return hand.numbers[3][0];
}

static void test_strings(void **state)
{
    (void)state;
    Arena *arena = arena_create(NULL);
    assert_close(of_text("ModelicaStrings_length", "four"), 4.0, 0.0);
    assert_string_equal(substring(arena, "This is line 111", 9, 12), "line");
    assert_string_equal(substring(arena, "This is line 111", 9, 0), "");
    assert_string_equal(substring(arena, "abc", 3, 9), "c");
    assert_string_equal(substring(arena, "abc", 4, 9), "");
    assert_string_equal(substring(arena, "abc", 2, -1), "b");
    assert_string_equal(substring(arena, "abc", -2, 1), "a");
    assert_close(compared("abc", "abd", true), 1.0, 0.0);
    assert_close(compared("abc", "abc", true), 2.0, 0.0);
    assert_close(compared("b", "abc", true), 3.0, 0.0);
    assert_close(compared("ab", "abc", true), 1.0, 0.0);
    assert_close(compared("ABC", "abc", false), 2.0, 0.0);
    assert_close(compared("ABC", "abc", true), 1.0, 0.0);
    // the examples in the documentation of the Modelica library
    assert_close(of_text("ModelicaStrings_hashString", "this is a test"), 1827717433.0, 0.0);
    assert_close(of_text("ModelicaStrings_hashString", "Controller.noise1"), -1025762750.0, 0.0);
    arena_destroy(arena);
}

static void assert_scanned(const char *name, const char *from, double start, double next,
                           double value)
{
    hand_begin(NULL);
    hand_text(from);
    hand_number(start);
    hand_number(0.0); // signs are allowed
    hand_number(0.0);
    hand_number(0.0);
    assert_true(hand_run(name));
    assert_close(hand.numbers[3][0], next, 0.0);
    assert_close(hand.numbers[4][0], value, 0.0);
}

static void test_scanning(void **state)
{
    (void)state;
    assert_scanned("ModelicaStrings_scanReal", "  -1.5e2 x", 1, 9, -150.0);
    assert_scanned("ModelicaStrings_scanReal", "a = .25;", 4, 8, 0.25);
    assert_scanned("ModelicaStrings_scanReal", "2e", 1, 2, 2.0);
    assert_scanned("ModelicaStrings_scanReal", "x", 1, 1, 0.0);
    assert_scanned("ModelicaStrings_scanReal", "0x10", 1, 2, 0.0);
    assert_scanned("ModelicaStrings_scanInteger", " +42,", 1, 5, 42.0);
    assert_scanned("ModelicaStrings_scanInteger", "123.4", 1, 1, 0.0);
    assert_scanned("ModelicaStrings_scanInteger", "99999999999", 1, 1, 0.0);
    hand_begin(NULL);
    hand_text("  x");
    hand_number(1.0);
    hand_number(0.0);
    assert_true(hand_run("ModelicaStrings_skipWhiteSpace"));
    assert_close(hand.numbers[2][0], 3.0, 0.0);
}

static void test_tokens(void **state)
{
    (void)state;
    Arena *arena = arena_create(NULL);
    hand_begin(arena);
    hand_text(" \"a b\" c");
    hand_number(1.0);
    hand_number(0.0);
    hand_text("");
    assert_true(hand_run("ModelicaStrings_scanString"));
    assert_close(hand.numbers[2][0], 7.0, 0.0);
    assert_string_equal(hand.texts[3][0], "a b");
    hand_begin(arena);
    hand_text(" k_1+2");
    hand_number(1.0);
    hand_number(0.0);
    hand_text("");
    assert_true(hand_run("ModelicaStrings_scanIdentifier"));
    assert_close(hand.numbers[2][0], 5.0, 0.0);
    assert_string_equal(hand.texts[3][0], "k_1");
    arena_destroy(arena);
}

// ---- random numbers -----------------------------------------------------------------------------

// The first numbers by the recurrences, with whole numbers of any size (computed by Python): seeds
// 614657 and 30020, ten numbers of xorshift64* thrown away, the state of the others filled by it.
static void test_random(void **state)
{
    (void)state;
    uint64_t x = UINT64_C(30020) << 32 | 614657;
    for (int i = 0; i < 10; i++)
        random_64star(&x);
    RandomState wide = {0};
    wide.words[0] = x;
    for (int i = 1; i < RANDOM_WORDS; i++) {
        wide.words[i] = wide.words[i - 1];
        random_64star(&wide.words[i]);
    }
    wide.place = 13;
    uint64_t two[] = {wide.words[0], wide.words[1]};
    assert_close(random_unit(random_64star(&x)), 0.31359251787761722, 0.0);
    assert_close(random_unit(random_64star(&x)), 0.51103450342260148, 0.0);
    assert_close(random_unit(random_128plus(two)), 0.46115405725007419, 0.0);
    assert_close(random_unit(random_128plus(two)), 0.031701476952007923, 0.0);
    assert_close(random_unit(random_1024star(&wide)), 0.31155928686346324, 0.0);
    assert_close(random_unit(random_1024star(&wide)), 0.059952099583051865, 0.0);
    assert_close(random_unit(0), 0.5, 0.0);
    assert_close(random_unit(UINT64_C(1) << 63), 0.0, 0.0);
    assert_close(random_unit(UINT64_MAX), 0.5, 1e-18);
}

// By the function, whose state is in Integers: negative halves, too.
static void test_random_halves(void **state)
{
    (void)state;
    uint64_t x = UINT64_C(0xfedcba9876543210);
    hand_begin(NULL);
    hand_array(2, 0, (const double[]){(double)0x76543210, (double)0xfedcba98 - 4294967296.0});
    hand_array(2, 0, NULL);
    hand_number(0.0);
    assert_true(hand_run("ModelicaRandom_xorshift64star"));
    assert_close(hand.numbers[2][0], random_unit(random_64star(&x)), 0.0);
    assert_close(hand.numbers[1][0], (int32_t)(uint32_t)x, 0.0);
    assert_close(hand.numbers[1][1], (int32_t)(uint32_t)(x >> 32), 0.0);
}

// ---- LAPACK -------------------------------------------------------------------------------------

static const double matrix[] = {0, 2, 1, 1, 1, -1, 2, 0, 3}; // its determinant is -12

// A x = b for x = 1, 2, 3
static void test_dgesv(void **state)
{
    (void)state;
    hand_begin(NULL);
    hand_number(3);
    hand_number(1);
    hand_array(3, 3, matrix);
    hand_number(3);
    hand_array(3, 0, NULL);
    hand_array(3, 0, (const double[]){7, 0, 11});
    hand_number(3);
    hand_number(-1);
    assert_true(hand_run("dgesv"));
    assert_close(hand.numbers[7][0], 0.0, 0.0);
    for (int i = 0; i < 3; i++)
        assert_close(hand.numbers[5][i], i + 1, 1e-14);
}

static void test_inverse(void **state)
{
    (void)state;
    hand_begin(NULL);
    hand_number(3);
    hand_number(3);
    hand_array(3, 3, matrix);
    hand_number(3);
    hand_array(3, 0, NULL);
    hand_number(-1);
    assert_true(hand_run("dgetrf"));
    assert_close(hand.numbers[5][0], 0.0, 0.0);
    double lu[9], pivots[3];
    memcpy(lu, hand.numbers[2], sizeof lu);
    memcpy(pivots, hand.numbers[4], sizeof pivots);
    hand_begin(NULL);
    hand_number(3);
    hand_array(3, 3, lu);
    hand_number(3);
    hand_array(3, 0, pivots);
    hand_array(9, 0, NULL);
    hand_number(9);
    hand_number(-1);
    assert_true(hand_run("dgetri"));
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double sum = 0.0;
            for (int k = 0; k < 3; k++)
                sum += matrix[3 * i + k] * hand.numbers[1][3 * k + j];
            assert_close(sum, i == j, 1e-14);
        }
}

static void test_singular(void **state)
{
    (void)state;
    hand_begin(NULL);
    hand_number(2);
    hand_number(1);
    hand_array(2, 2, (const double[]){1, 2, 2, 4});
    hand_number(2);
    hand_array(2, 0, NULL);
    hand_array(2, 0, (const double[]){1, 1});
    hand_number(2);
    hand_number(0);
    assert_true(hand_run("dgesv"));
    assert_close(hand.numbers[7][0], 2.0, 0.0);
}

// Three equations, rank 1: x is the multiple of the row that is nearest, so with A = u v' it is
// (u.b) / (u.u) v / (v.v).
static void test_dgelsy(void **state)
{
    (void)state;
    static const double u[] = {1.0, 2.0, -1.0}, v[] = {3.0, -1.0}, b[] = {1.0, 4.0, 2.0};
    double a[6];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 2; j++)
            a[2 * i + j] = u[i] * v[j];
    hand_begin(NULL);
    hand_number(3);
    hand_number(2);
    hand_number(1);
    hand_array(3, 2, a);
    hand_number(3);
    hand_array(3, 0, b);
    hand_number(3);
    hand_array(2, 0, NULL);
    hand_number(1e-12);
    hand_number(-1);
    hand_array(10, 0, NULL);
    hand_number(10);
    hand_number(-1);
    assert_true(hand_run("dgelsy"));
    assert_close(hand.numbers[9][0], 1.0, 0.0);
    assert_close(hand.numbers[12][0], 0.0, 0.0);
    for (int j = 0; j < 2; j++)
        assert_close(hand.numbers[5][j], 7.0 / 6.0 * v[j] / 10.0, 1e-14);
}

// Of a matrix that is made of its factor; and one that is not positive definite from row 2 on.
static void test_dpotrf(void **state)
{
    (void)state;
    static const double l[3][3] = {{2.0, 0.0, 0.0}, {-1.0, 3.0, 0.0}, {0.5, 4.0, 1.5}};
    for (int is_upper = 0; is_upper < 2; is_upper++) {
        double a[9] = {0};
        for (int i = 0; i < 9; i++)
            for (int k = 0; k < 3; k++)
                a[i] += l[i / 3][k] * l[i % 3][k];
        for (int try = 0; try < 2; try++) {
            a[4] = try ? -a[4] : a[4];
            hand_begin(NULL);
            hand_text(is_upper ? "U" : "L");
            hand_number(3);
            hand_array(3, 3, a);
            hand_number(3);
            hand_number(-1);
            assert_true(hand_run("dpotrf"));
            assert_close(hand.numbers[4][0], try ? 2.0 : 0.0, 0.0);
            for (int i = 0; i < 3 && !try; i++)
                for (int j = 0; j <= i; j++)
                    assert_close(hand.numbers[2][is_upper ? 3 * j + i : 3 * i + j], l[i][j], 1e-14);
        }
    }
}

// The rest of a sum of products: a - b c, the largest element, for n rows and columns.
static double product_rest(uint32_t rows, uint32_t inner, uint32_t columns, const double *a,
                           const double *b, const double *c)
{
    double most = 0.0;
    for (uint32_t i = 0; i < rows; i++)
        for (uint32_t j = 0; j < columns; j++) {
            double sum = a[i * columns + j];
            for (uint32_t k = 0; k < inner; k++)
                sum -= b[i * inner + k] * c[k * columns + j];
            most = fmax(most, fabs(sum));
        }
    return most;
}

static void eigenvalues_of(uint32_t n, const double *a)
{
    hand_begin(NULL);
    hand_text("N");
    hand_text("V");
    hand_number(n);
    hand_array(n, n, a);
    hand_number(n);
    hand_array(n, 0, NULL);
    hand_array(n, 0, NULL);
    hand_array(1, 1, NULL);
    hand_number(1);
    hand_array(n, n, NULL);
    hand_number(n);
    hand_array(12 * n, 0, NULL);
    hand_number(12 * n);
    hand_number(-1);
    assert_true(hand_run("dgeev"));
    assert_close(hand.numbers[13][0], 0.0, 0.0);
}

// (x - 1)(x - 2)(x - 4) = x^3 - 7 x^2 + 14 x - 8, as a companion matrix, whose vectors are
// (x^2, x, 1); a rotation has the values i, -i and the vector (1, i)/sqrt(2).
static void test_dgeev(void **state)
{
    (void)state;
    eigenvalues_of(3, (double[]){7.0, -14.0, 8.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0});
    double product = 1.0, sum = 0.0;
    for (int k = 0; k < 3; k++) {
        const double x = hand.numbers[5][k], *v = hand.numbers[9];
        assert_close((x - 1.0) * (x - 2.0) * (x - 4.0), 0.0, 1e-12);
        assert_close(hand.numbers[6][k], 0.0, 0.0);
        assert_close(v[k], x * v[3 + k], 1e-13);
        assert_close(v[3 + k], x * v[6 + k], 1e-13);
        assert_close(v[k] * v[k] + v[3 + k] * v[3 + k] + v[6 + k] * v[6 + k], 1.0, 1e-14);
        product *= x;
        sum += x;
    }
    assert_close(product, 8.0, 1e-12);
    assert_close(sum, 7.0, 1e-13);
    eigenvalues_of(3, (double[]){0.0, 3.0, 0.0, -3.0, 0.0, 0.0, 0.0, 0.0, 2.0});
    int at = hand.numbers[6][0] > 0.0 ? 0 : 1; // the pair stands together, +i first
    assert_close(hand.numbers[6][at], 3.0, 1e-14);
    assert_close(hand.numbers[6][at + 1], -3.0, 1e-14);
    assert_close(hand.numbers[5][at], 0.0, 1e-14);
    const double *v = hand.numbers[9];
    const double re[] = {v[at], v[3 + at]}, im[] = {v[at + 1], v[4 + at]};
    // A v = 3 i v: 3 v2 = 3 i v1
    assert_close(re[1], -im[0], 1e-14);
    assert_close(im[1], re[0], 1e-14);
    // Two pairs, +-3 i and +-5 i: each stands together, whichever comes first.
    eigenvalues_of(4, (double[]){0.0, 3.0, 0.0, 0.0, -3.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 5.0, 0.0,
                                 0.0, -5.0, 0.0});
    assert_close(hand.numbers[6][0] + hand.numbers[6][2], 8.0, 1e-13);
    assert_close(hand.numbers[6][0] * hand.numbers[6][2], 15.0, 1e-13);
    for (int k = 0; k < 4; k += 2)
        assert_close(hand.numbers[6][k + 1], -hand.numbers[6][k], 1e-13);
}

static void singular_values_of(uint32_t rows, uint32_t columns, const double *a)
{
    hand_begin(NULL);
    hand_text("A");
    hand_text("A");
    hand_number(rows);
    hand_number(columns);
    hand_array(rows, columns, a);
    hand_number(rows);
    hand_array(rows < columns ? rows : columns, 0, NULL);
    hand_array(rows, rows, NULL);
    hand_number(rows);
    hand_array(columns, columns, NULL);
    hand_number(columns);
    hand_array(40, 0, NULL);
    hand_number(40);
    hand_number(-1);
    assert_true(hand_run("dgesvd"));
    assert_close(hand.numbers[13][0], 0.0, 0.0);
}

// A = U diag(s) V' with orthogonal U and V, s falling; also of a wide matrix, and of one of rank 1:
// u v' has the value |u| |v|.
static void test_dgesvd(void **state)
{
    (void)state;
    static const double tall[] = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 9.0};
    static const double one[] = {2.0, 4.0, 4.0, 1.0, 2.0, 2.0, 2.0, 4.0, 4.0};
    const double *const all[] = {tall, tall, one};
    static const uint32_t sizes[][2] = {{4, 2}, {2, 4}, {3, 3}};
    for (int try = 0; try < 3; try++) {
        const uint32_t m = sizes[try][0], n = sizes[try][1];
        singular_values_of(m, n, all[try]);
        double identity[16], transposed[16];
        const double *u = hand.numbers[7];
        for (uint32_t i = 0; i < m; i++)
            for (uint32_t k = 0; k < m; k++) {
                identity[i * m + k] = i == k;
                transposed[k * m + i] = u[i * m + k];
            }
        double full[16] = {0};
        for (uint32_t i = 0; i < m; i++)
            for (uint32_t k = 0; k < n && k < m; k++)
                full[i * n + k] = u[i * m + k] * hand.numbers[6][k];
        assert_close(product_rest(m, n, n, all[try], full, hand.numbers[9]), 0.0, 1e-13);
        assert_close(product_rest(m, m, m, identity, transposed, u), 0.0, 1e-14);
        assert_true(hand.numbers[6][0] >= hand.numbers[6][1]);
    }
    assert_close(hand.numbers[6][0], 9.0, 1e-13); // |(2, 1, 2)| |(1, 2, 2)|
    assert_close(hand.numbers[6][1], 0.0, 1e-13);
}

// A P = Q R, the longest column first, and Q' Q = 1.
static void test_orthogonal_factors(void **state)
{
    (void)state;
    static const double a[] = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 9.0};
    static const double turned[] = {2.0, 1.0, 4.0, 3.0, 6.0, 5.0, 9.0, 7.0};
    double factors[8], tau[2];
    hand_begin(NULL);
    hand_number(4);
    hand_number(2);
    hand_array(4, 2, a);
    hand_number(4);
    hand_array(2, 0, NULL);
    hand_array(2, 0, NULL);
    hand_array(9, 0, NULL);
    hand_number(9);
    hand_number(-1);
    assert_true(hand_run("dgeqp3"));
    assert_close(hand.numbers[4][0], 2.0, 0.0);
    assert_close(hand.numbers[4][1], 1.0, 0.0);
    memcpy(factors, hand.numbers[2], sizeof factors);
    memcpy(tau, hand.numbers[5], sizeof tau);
    hand_begin(NULL);
    hand_number(4);
    hand_number(2);
    hand_number(2);
    hand_array(4, 2, factors);
    hand_number(4);
    hand_array(2, 0, tau);
    hand_array(9, 0, NULL);
    hand_number(9);
    hand_number(-1);
    assert_true(hand_run("dorgqr"));
    const double r[] = {factors[0], factors[1], 0.0, factors[3]}, *q = hand.numbers[3];
    assert_close(product_rest(4, 2, 2, turned, q, r), 0.0, 1e-14);
    double transposed[8];
    for (int i = 0; i < 8; i++)
        transposed[(i % 2) * 4 + i / 2] = q[i];
    assert_close(product_rest(2, 4, 2, (double[]){1.0, 0.0, 0.0, 1.0}, transposed, q), 0.0, 1e-15);
}

// Of a square one: the reflection 1 - tau v v' with v = (1, 1/2) and tau = 2/(v v) = 1.6, beside
// one that does nothing.
static void test_square_dorgqr(void **state)
{
    (void)state;
    hand_begin(NULL);
    hand_number(2);
    hand_number(2);
    hand_number(2);
    hand_array(2, 2, (double[]){0.0, 0.0, 0.5, 0.0});
    hand_number(2);
    hand_array(2, 0, (double[]){1.6, 0.0});
    hand_array(9, 0, NULL);
    hand_number(9);
    hand_number(-1);
    assert_true(hand_run("dorgqr"));
    static const double expected[] = {-0.6, -0.8, -0.8, 0.6};
    for (int i = 0; i < 4; i++)
        assert_close(hand.numbers[3][i], expected[i], 1e-15);
}

// Rows have to be exchanged: the first diagonal element is zero.
static void test_dgtsv(void **state)
{
    (void)state;
    static const double bands[] = {0.0, 4.0, 0.0, 1.0, 2.0, 5.0, 0.0, 1.0, 3.0};
    static const double b[] = {1.0, 2.0, 3.0};
    hand_begin(NULL);
    hand_number(3);
    hand_number(1);
    hand_array(2, 0, (double[]){1.0, 1.0});
    hand_array(3, 0, (double[]){0.0, 2.0, 3.0});
    hand_array(2, 0, (double[]){4.0, 5.0});
    hand_array(3, 0, b);
    hand_number(3);
    hand_number(-1);
    assert_true(hand_run("dgtsv"));
    assert_close(hand.numbers[7][0], 0.0, 0.0);
    assert_close(product_rest(3, 3, 1, b, bands, hand.numbers[5]), 0.0, 1e-14);
}

static void test_dlange(void **state)
{
    (void)state;
    static const struct {
        const char *kind;
        double value;
    } norms[] = {{"M", 4.0}, {"1", 6.0}, {"I", 7.0}, {"F", 5.4772255750516612}}; // sqrt(30)
    for (int k = 0; k < 4; k++) {
        hand_begin(NULL);
        hand_text(norms[k].kind);
        hand_number(2);
        hand_number(2);
        hand_array(2, 2, (double[]){1.0, -2.0, -3.0, 4.0});
        hand_number(2);
        hand_array(2, 0, NULL);
        hand_number(-1);
        assert_true(hand_run("dlange"));
        assert_close(hand.numbers[6][0], norms[k].value, 1e-15);
    }
}

// ---- Fourier ------------------------------------------------------------------------------------

// 3 + 2 cos(2 pi 4 t + 0.5) + cos(2 pi 7 t - 1) at 30 points, 2 * 3 * 5
static void test_fourier(void **state)
{
    (void)state;
    const double pi = 3.14159265358979323846;
    double u[30];
    for (int i = 0; i < 30; i++)
        u[i] = 3.0 + 2.0 * cos(2.0 * pi * 4 * i / 30.0 + 0.5) + cos(2.0 * pi * 7 * i / 30.0 - 1.0);
    hand_begin(NULL);
    hand_array(30, 0, u);
    hand_number(30);
    hand_array(1, 0, NULL);
    hand_number(1);
    hand_array(16, 0, NULL);
    hand_array(16, 0, NULL);
    hand_number(-1);
    assert_true(hand_run("ModelicaFFT_kiss_fftr"));
    assert_close(hand.numbers[6][0], 0.0, 0.0);
    for (int k = 0; k < 16; k++)
        assert_close(hand.numbers[4][k] * 16.0 / 15.0,
                     k == 0   ? 2.0 * 3.0
                     : k == 4 ? 2.0
                     : k == 7 ? 1.0
                              : 0.0,
                     1e-14);
    assert_close(hand.numbers[5][4], 0.5, 1e-13);
    assert_close(hand.numbers[5][7], -1.0, 1e-13);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),         cmocka_unit_test(test_manual),
        cmocka_unit_test(test_strings),       cmocka_unit_test(test_scanning),
        cmocka_unit_test(test_tokens),        cmocka_unit_test(test_random),
        cmocka_unit_test(test_random_halves), cmocka_unit_test(test_dgesv),
        cmocka_unit_test(test_dgelsy),        cmocka_unit_test(test_dpotrf),
        cmocka_unit_test(test_inverse),       cmocka_unit_test(test_singular),
        cmocka_unit_test(test_fourier),       cmocka_unit_test(test_dgeev),
        cmocka_unit_test(test_dgesvd),        cmocka_unit_test(test_orthogonal_factors),
        cmocka_unit_test(test_square_dorgqr), cmocka_unit_test(test_dgtsv),
        cmocka_unit_test(test_dlange),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
