// SPDX-License-Identifier: MIT
//
// Jacobians of models as expressions (modes/slopes): right, used by the implicit solvers, and not
// there where they cannot be had.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/trial.h"

#include <math.h>
#include <string.h>

enum { MOST = 12 };

// Against central differences with distance d: their error is about d^2 times a sixth of the third
// derivative, and 1e-16 |f| / d; derivatives and values here are below 100.
static void expect_slopes(Trial *t, int n, BackendChoice backend)
{
    static const double d = 1e-5, bound = 1e-8;
    trial_backend(t, backend, NULL);
    if (trial_run(t, 0.3) != SALTUS_OK)
        fail_msg("%s", trial_error(t));
    const double time = saltus_run_time(trial_get_run(t));
    double x[MOST], slopes[MOST * MOST], above[MOST], below[MOST];
    memcpy(x, saltus_run_states(trial_get_run(t)), (size_t)n * sizeof *x);
    assert_true(trial_jacobian(t, time, x, slopes));
    bool has_any = false;
    for (int j = 0; j < n; j++) {
        const double at = x[j];
        x[j] = at + d;
        trial_evaluate(t, time, x, &(SaltusValues){.dx = above});
        x[j] = at - d;
        trial_evaluate(t, time, x, &(SaltusValues){.dx = below});
        x[j] = at;
        for (int i = 0; i < n; i++) {
            const double difference = (above[i] - below[i]) / (2.0 * d);
            has_any = has_any || fabs(difference) > 1e-3;
            if (!(fabs(slopes[j * n + i] - difference) <= bound))
                fail_msg("d f%d / d x%d: %.17g, not %.17g", i, j, slopes[j * n + i], difference);
        }
    }
    assert_true(has_any); // else nothing is shown
    trial_end(t);
}

#define STATES "Real x(start = 1, fixed = true), v(start = 0.5, fixed = true); "

static void of_expressions(void **state)
{
    (void)state;
    static const char text[] = "model M " STATES "Real y, z; equation der(x) = v; der(v) = -sin(x) "
                               "- 0.1 * v ^ 3 + y * z; y = exp(-x * v) + time; z = sqrt(1 + y ^ 2) "
                               "+ (if noEvent(x > 10) then x else 2 * x); end M;";
    expect_slopes(trial_text(text), 2, BACKEND_INTERPRET);
    expect_slopes(trial_text(text), 2, BACKEND_C);
}

// What is held is constant: the branch that is taken.
static void of_branches(void **state)
{
    (void)state;
    expect_slopes(trial_text("model M " STATES "equation der(x) = v; der(v) = if x > 0 then -4 * x "
                             "* x else -x - v; end M;"),
                  2, BACKEND_INTERPRET);
}

// Ten states in a row: a pattern with three entries in a column.
static void in_the_order_of_a_pattern(void **state)
{
    (void)state;
    expect_slopes(trial_text("model M Real x[10](start = {i / 10 for i in 1:10}, each fixed = true)"
                             "; equation der(x[1]) = x[2] - x[1] ^ 2; for i in 2:9 loop der(x[i]) ="
                             " x[i - 1] * x[i + 1] - 2 * x[i]; end for; der(x[10]) = x[9] - sin("
                             "x[10]); end M;"),
                  10, BACKEND_INTERPRET);
}

// The root of zero has no finite derivative; differences have.
static void differences_where_expressions_are_infinite(void **state)
{
    (void)state;
    Trial *t = trial_text("model M " STATES "equation der(x) = v; der(v) = -1000 * sqrt(abs(x)) - "
                          "100 * v; end M;");
    double slopes[4], x[2] = {0.0, 1.0};
    trial_options(t)->method.solver = SALTUS_SOLVER_RODAS;
    assert_int_equal(trial_run(t, 0.001), SALTUS_OK);
    assert_true(trial_jacobian(t, 0.0, x, slopes));
    assert_true(isfinite(slopes[1]) && slopes[1] < -1000.0);
    assert_true(slopes[0] == 0.0 && fabs(slopes[2] - 1.0) < 1e-6 && fabs(slopes[3] + 100.0) < 1e-4);
    trial_end(t);
}

// Rodas5P takes eight evaluations a step and one or two for the derivative by time. Differences
// would take six more.
static void solvers_use_them(void **state)
{
    (void)state;
    Trial *t = trial_text("model M Real x[6](each start = 1, each fixed = true); equation for i in "
                          "1:6 loop der(x[i]) = -i * x[i] * sum(x); end for; end M;");
    trial_options(t)->method.solver = SALTUS_SOLVER_RODAS;
    if (trial_run(t, 1.0) != SALTUS_OK)
        fail_msg("%s", trial_error(t));
    const SaltusStatistics s = saltus_run_statistics(trial_get_run(t));
    assert_true(s.jacobians > 5);
    assert_true(s.f_evaluations <= 10 * (s.steps + s.rejected_steps) + 10);
    trial_end(t);
}

// Blocks that have to be solved: differences, as ever.
static void none_where_blocks_are_solved(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "model M " STATES "Real y(start = 0.5), z(start = 0.5); equation der(x) = v; der(v) = y; "
        "y + 0.3 * sin(z) = x; z + 0.3 * y ^ 3 = v; end M;",
        "model M " STATES "Real y, z; equation der(x) = v; der(v) = y - z; (2 + x ^ 2) * y + z = "
        "time; y - (3 + v ^ 2) * z = x; end M;"};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        Trial *t = trial_text(texts[k]);
        double slopes[4];
        trial_options(t)->method.solver = SALTUS_SOLVER_RODAS;
        assert_int_equal(trial_run(t, 0.5), SALTUS_OK);
        assert_false(trial_jacobian(t, 0.5, saltus_run_states(trial_get_run(t)), slopes));
        trial_end(t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_expressions),
        cmocka_unit_test(of_branches),
        cmocka_unit_test(in_the_order_of_a_pattern),
        cmocka_unit_test(differences_where_expressions_are_infinite),
        cmocka_unit_test(solvers_use_them),
        cmocka_unit_test(none_where_blocks_are_solved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
