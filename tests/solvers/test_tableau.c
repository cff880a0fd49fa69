// SPDX-License-Identifier: MIT
//
// The tableaux satisfy the order conditions of all rooted trees (Butcher; Hairer, Nørsett, Wanner
// I, II.2), the embedded and the dense solutions theirs (II.6), each up to its order and no
// further. This checks every digit that double precision holds.

#include "solvers/tableau.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

// A rooted tree: a root with the trees `children` (indices) hanging from it.
typedef struct Tree {
    int order;
    int child_count;
    int children[8];
    double gamma; // density: order times the densities of the children
} Tree;

enum { HIGHEST = 9, MOST_TREES = 1 + 1 + 2 + 4 + 9 + 20 + 48 + 115 + 286 };

static Tree trees[MOST_TREES];
static int first_of_order[HIGHEST + 2]; // trees of order p: from here to first_of_order[p + 1]
static int tree_count;

// Completes the children of `partial` with trees of index at most `largest`, `left` nodes.
static void grow(const Tree *partial, int largest, int left)
{
    if (left == 0) {
        assert_true(tree_count < MOST_TREES);
        trees[tree_count++] = *partial;
        return;
    }
    for (int i = largest; i >= 0; i--) {
        if (trees[i].order > left)
            continue;
        Tree next = *partial;
        next.children[next.child_count++] = i;
        next.gamma *= trees[i].gamma;
        grow(&next, i, left - trees[i].order);
    }
}

static int grow_trees(void **state)
{
    (void)state;
    static const int counts[HIGHEST] = {1, 1, 2, 4, 9, 20, 48, 115, 286}; // OEIS A000081
    for (int order = 1; order <= HIGHEST; order++) {
        first_of_order[order] = tree_count;
        grow(&(Tree){.order = order, .gamma = order}, tree_count - 1, order - 1);
        assert_int_equal(tree_count - first_of_order[order], counts[order - 1]);
    }
    first_of_order[HIGHEST + 1] = tree_count;
    return 0;
}

// Elementary weights of all stages: phi_i(t) = product over children of sum_j a_ij phi_j(child).
static double phi[MOST_TREES][TABLEAU_STAGES];

static void weigh(const Tableau *tableau)
{
    for (int t = 0; t < tree_count; t++) {
        for (int i = 0; i < tableau->all_stages; i++) {
            double product = 1.0;
            for (int c = 0; c < trees[t].child_count; c++) {
                double sum = 0.0;
                for (int j = 0; j < i; j++)
                    sum += tableau->a[i][j] * phi[trees[t].children[c]][j];
                product *= sum;
            }
            phi[t][i] = product;
        }
    }
}

// The largest violation of sum_j weight_j phi_j(t) = factor theta^order / gamma(t) among the trees
// of this order.
static double violation(const double *weight, int order, double factor, double theta)
{
    double most = 0.0;
    for (int t = first_of_order[order]; t < first_of_order[order + 1]; t++) {
        double sum = 0.0;
        for (int j = 0; j < TABLEAU_STAGES; j++)
            sum += weight[j] * phi[t][j];
        most = fmax(most, fabs(sum - factor * pow(theta, order) / trees[t].gamma));
    }
    return most;
}

static const SaltusSolver solvers[] = {SALTUS_SOLVER_EULER, SALTUS_SOLVER_HEUN, SALTUS_SOLVER_RK4,
                                       SALTUS_SOLVER_DOPRI5, SALTUS_SOLVER_DOP853};
enum { SOLVERS = sizeof solvers / sizeof solvers[0] };

// Sums of up to 16 products of coefficients up to 50 (dense: 530), each rounded.
static const double rounding = 3e-14, dense_rounding = 3e-13;
// What a violated condition shows at least: error constants of these methods are larger.
static const double violated = 1e-8;

static void test_other_solvers_have_none(void **state)
{
    (void)state;
    assert_null(tableau_of(SALTUS_SOLVER_AUTO));
    assert_null(tableau_of(SALTUS_SOLVER_RODAS));
    assert_null(tableau_of(SALTUS_SOLVER_CVODE));
}

static void test_explicit_with_row_sums(void **state)
{
    (void)state;
    for (int m = 0; m < SOLVERS; m++) {
        const Tableau *tableau = tableau_of(solvers[m]);
        for (int i = 0; i < tableau->all_stages; i++) {
            double sum = 0.0;
            for (int j = 0; j < TABLEAU_STAGES; j++) {
                sum += tableau->a[i][j];
                if (j >= i)
                    assert_true(tableau->a[i][j] == 0.0);
            }
            assert_true(fabs(sum - tableau->c[i]) < rounding);
        }
        assert_true(tableau->c[tableau->stages] == 1.0);
    }
}

static void test_order_conditions(void **state)
{
    (void)state;
    for (int m = 0; m < SOLVERS; m++) {
        const Tableau *tableau = tableau_of(solvers[m]);
        const double *b = tableau->a[tableau->stages];
        weigh(tableau);
        for (int order = 1; order <= tableau->order; order++)
            assert_true(violation(b, order, 1.0, 1.0) < rounding);
        assert_true(violation(b, tableau->order + 1, 1.0, 1.0) > violated);
    }
}

// b - b^ satisfies sum_j (b - b^)_j phi_j = 0 up to the order of the embedded solution.
static void check_embedded(const double *error, int error_order)
{
    for (int order = 1; order <= error_order; order++)
        assert_true(violation(error, order, 0.0, 1.0) < rounding);
    assert_true(violation(error, error_order + 1, 0.0, 1.0) > violated);
}

static void test_embedded_order_conditions(void **state)
{
    (void)state;
    int pairs = 0;
    for (int m = 0; m < SOLVERS; m++) {
        const Tableau *tableau = tableau_of(solvers[m]);
        weigh(tableau);
        if (tableau->error_order > 0) {
            check_embedded(tableau->error, tableau->error_order);
            pairs++;
        }
        if (tableau->low_order > 0) {
            check_embedded(tableau->low_error, tableau->low_order);
            pairs++;
        }
    }
    assert_int_equal(pairs, 4);
}

// The weights b_j(theta) that the nested form of the dense output amounts to.
static void dense_weights(const Tableau *tableau, double theta, double *weight)
{
    const double *b = tableau->a[tableau->stages];
    for (int j = 0; j < TABLEAU_STAGES; j++) {
        double r[TABLEAU_DENSE_TERMS] = {b[j]};
        r[1] = (j == 0 ? 1.0 : 0.0) - r[0];
        r[2] = r[0] - (j == tableau->stages ? 1.0 : 0.0) - r[1];
        for (int m = 0; m < TABLEAU_DENSE_ROWS; m++)
            r[3 + m] = tableau->dense[m][j];
        double sum = 0.0;
        for (int m = tableau->dense_terms - 1; m >= 0; m--)
            sum = (m % 2 == 0 ? theta : 1.0 - theta) * (r[m] + sum);
        weight[j] = sum;
    }
}

static void test_dense_order_conditions(void **state)
{
    (void)state;
    for (int m = 0; m < SOLVERS; m++) {
        const Tableau *tableau = tableau_of(solvers[m]);
        weigh(tableau);
        double beyond = 0.0;
        for (double theta = 0.0625; theta < 1.0; theta += 0.0625) {
            double weight[TABLEAU_STAGES];
            dense_weights(tableau, theta, weight);
            for (int order = 1; order <= tableau->dense_order; order++)
                assert_true(violation(weight, order, 1.0, theta) < dense_rounding);
            beyond = fmax(beyond, violation(weight, tableau->dense_order + 1, 1.0, theta));
        }
        assert_true(beyond > violated);
    }
}

// Terms and rows that are declared are there, and no others.
static void test_dense_rows(void **state)
{
    (void)state;
    for (int m = 0; m < SOLVERS; m++) {
        const Tableau *tableau = tableau_of(solvers[m]);
        for (int row = 0; row < TABLEAU_DENSE_ROWS; row++) {
            double size = 0.0;
            for (int j = 0; j < TABLEAU_STAGES; j++)
                size += fabs(tableau->dense[row][j]);
            assert_true((size > 0.0) == (3 + row < tableau->dense_terms));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_other_solvers_have_none),
        cmocka_unit_test(test_explicit_with_row_sums),
        cmocka_unit_test(test_order_conditions),
        cmocka_unit_test(test_embedded_order_conditions),
        cmocka_unit_test(test_dense_order_conditions),
        cmocka_unit_test(test_dense_rows),
    };
    return cmocka_run_group_tests(tests, grow_trees, NULL);
}
