// SPDX-License-Identifier: MIT
//
// The coefficients of Rodas5P satisfy the order conditions, digit for digit.
//
// Hairer, Wanner II, section IV.7. In the untransformed form with k = h f + ..., weights b,
// alpha and Gamma, the condition of a rooted tree t is sum_i b_i Phi_i(t) = 1 / density(t). Phi
// of a node with one branch is (alpha + Gamma) Phi(branch), of a node with several the product of
// alpha Phi(branch), of a leaf 1. The transformation is U = Gamma k:
//   Gamma^-1 = I / gamma - c,  alpha = a Gamma,  b = m Gamma.

#include "solvers/rosenbrock.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { S = ROSENBROCK_STAGES };

static const RosenbrockTableau *const tableau = &rosenbrock_rodas5p;

// Coefficients of 16 digits reach 150 and cancel to numbers of order 1.
static const double rounding = 1e-13;

typedef struct Method {
    double gamma[S][S], alpha[S][S];
} Method;

static Method untransformed(void)
{
    Method m;
    memset(&m, 0, sizeof m);
    // (I / gamma - c) Gamma = I, row by row.
    for (int i = 0; i < S; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = i == j ? 1.0 : 0.0;
            for (int k = j; k < i; k++)
                sum += tableau->c[i][k] * m.gamma[k][j];
            m.gamma[i][j] = tableau->gamma * sum;
        }
    }
    double a[S] = {0.0};
    for (int i = 0; i < S; i++) {
        if (i < tableau->chained)
            memcpy(a, tableau->a[i], sizeof a);
        else
            a[i - 1] += 1.0;
        for (int j = 0; j < S; j++) {
            for (int k = 0; k < i; k++)
                m.alpha[i][j] += a[k] * m.gamma[k][j];
        }
    }
    return m;
}

// Weights of the U of the solution, of the embedded solution, of dense output at q.
static void solution_weights(double m[S])
{
    memcpy(m, tableau->a[tableau->chained - 1], S * sizeof *m);
    for (int j = tableau->chained - 1; j < S; j++)
        m[j] = 1.0;
}

static void embedded_weights(double m[S])
{
    solution_weights(m);
    m[S - 1] = 0.0;
}

static void dense_weights(double q, double m[S])
{
    solution_weights(m);
    for (int j = 0; j < S; j++) {
        const double(*d)[S] = tableau->dense;
        m[j] = q * (m[j] + (1.0 - q) * (d[0][j] + q * (d[1][j] + q * d[2][j])));
    }
}

// ---------------------------------------------------------------------------
// Trees: "(" branches ")"
// ---------------------------------------------------------------------------

static const char *const trees[] = {
    "()",         // 1
    "(())",       // 2
    "(()())",     // 3
    "((()))",     //
    "(()()())",   // 4
    "(()(()))",   //
    "((()()))",   //
    "(((())))",   //
    "(()()()())", // 5
    "(()()(()))", //
    "((())(()))", //
    "(()(()()))", //
    "(()((())))", //
    "((()()()))", //
    "((()(())))", //
    "(((()())))", //
    "((((()))))", //
};
enum { TREES = sizeof trees / sizeof trees[0] };

typedef struct Tree {
    int order;
    double density;
    double phi[S];
} Tree;

// Parses the tree at *text and moves on.
static Tree parse(const Method *m, const char **text)
{
    Tree tree = {.order = 1, .density = 1.0};
    double product[S], first[S];
    int branches = 0;
    for (int i = 0; i < S; i++)
        product[i] = first[i] = 1.0;
    ++*text;
    while (**text == '(') {
        Tree branch = parse(m, text);
        branches++;
        tree.order += branch.order;
        tree.density *= branch.density;
        for (int i = 0; i < S; i++) {
            double by_alpha = 0.0, by_gamma = 0.0;
            for (int j = 0; j < S; j++) {
                by_alpha += m->alpha[i][j] * branch.phi[j];
                by_gamma += m->gamma[i][j] * branch.phi[j];
            }
            product[i] *= by_alpha;
            first[i] = by_alpha + by_gamma;
        }
    }
    ++*text;
    tree.density *= tree.order;
    memcpy(tree.phi, branches == 1 ? first : product, sizeof tree.phi);
    return tree;
}

// The largest violation of conditions of exactly this order by a solution at q of the step.
static double violation(const double weights[S], int order, double q)
{
    Method m = untransformed();
    double worst = 0.0;
    for (int k = 0; k < TREES; k++) {
        const char *text = trees[k];
        Tree tree = parse(&m, &text);
        assert_true(*text == '\0');
        if (tree.order != order)
            continue;
        double sum = 0.0;
        for (int i = 0; i < S; i++) {
            for (int j = 0; j < S; j++)
                sum += weights[i] * m.gamma[i][j] * tree.phi[j];
        }
        worst = fmax(worst, fabs(sum - pow(q, order) / tree.density));
    }
    return worst;
}

static void test_order_of_solution(void **state)
{
    (void)state;
    double weights[S];
    solution_weights(weights);
    assert_int_equal(tableau->order, 5);
    for (int order = 1; order <= 5; order++)
        assert_true(violation(weights, order, 1.0) < rounding);
}

static void test_order_of_embedded_solution(void **state)
{
    (void)state;
    double weights[S];
    embedded_weights(weights);
    assert_int_equal(tableau->error_order, 4);
    for (int order = 1; order <= 4; order++)
        assert_true(violation(weights, order, 1.0) < rounding);
    assert_true(violation(weights, 5, 1.0) > 1e-4);
}

static void test_order_of_dense_output(void **state)
{
    (void)state;
    assert_int_equal(tableau->dense_order, 4);
    static const double places[] = {0.1, 0.3, 0.5, 0.8};
    for (int k = 0; k < 4; k++) {
        double weights[S];
        dense_weights(places[k], weights);
        for (int order = 1; order <= 4; order++)
            assert_true(violation(weights, order, places[k]) < rounding);
        assert_true(violation(weights, 5, places[k]) > 1e-4);
    }
}

// time_i = sum of alpha_ij, slope_i = sum of gamma_ij.
static void test_row_sums(void **state)
{
    (void)state;
    Method m = untransformed();
    for (int i = 0; i < S; i++) {
        double alpha = 0.0, gamma = 0.0;
        for (int j = 0; j < S; j++) {
            alpha += m.alpha[i][j];
            gamma += m.gamma[i][j];
        }
        assert_true(fabs(alpha - tableau->time[i]) < rounding);
        assert_true(fabs(gamma - tableau->slope[i]) < rounding);
    }
}

// Stiffly accurate: the last rows of alpha + Gamma are the weights, so R(infinity) = 0.
static void test_stiffly_accurate(void **state)
{
    (void)state;
    Method m = untransformed();
    double weights[S], embedded[S];
    solution_weights(weights);
    embedded_weights(embedded);
    for (int j = 0; j < S; j++) {
        double b = 0.0, b_embedded = 0.0;
        for (int i = 0; i < S; i++) {
            b += weights[i] * m.gamma[i][j];
            b_embedded += embedded[i] * m.gamma[i][j];
        }
        assert_true(fabs(m.alpha[S - 1][j] + m.gamma[S - 1][j] - b) < rounding);
        assert_true(fabs(m.alpha[S - 1][j] - b_embedded) < rounding);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order_of_solution),
        cmocka_unit_test(test_order_of_embedded_solution),
        cmocka_unit_test(test_order_of_dense_output),
        cmocka_unit_test(test_row_sums),
        cmocka_unit_test(test_stiffly_accurate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
