// SPDX-License-Identifier: MIT
//
// The automatic choice of the solver: explicit until a run turns out to be stiff.

#include "support/heat.h"
#include "support/hybrid.h"
#include "support/stiff.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static SaltusOptions options_with(double relative, double absolute)
{
    SaltusOptions options = saltus_default_options();
    options.method.relative_tolerance = relative;
    options.method.absolute_tolerance = absolute;
    options.record = SALTUS_RECORD_NOTHING;
    return options;
}

// Found stiff after some dozens of steps, and then no dearer than rodas from the beginning.
static void expect_stiff(StiffProblem problem, double floor, double bound, long most_steps)
{
    static const double tolerances[] = {1e-4, 1e-6, 1e-10}; // the last one begins with dop853
    for (int i = 0; i < 3; i++) {
        const double relative = tolerances[i], absolute = relative * floor;
        const SaltusOptions options = options_with(relative, absolute);
        problem.mode.name = "stiff";
        Hybrid h = hybrid_begin_mode(&problem.mode, &options);
        const SaltusSolver first = saltus_run_solver(h.run);
        assert_int_equal(first, relative < 1e-9 ? SALTUS_SOLVER_DOP853 : SALTUS_SOLVER_DOPRI5);
        assert_int_equal(saltus_run_advance(h.run, problem.end), SALTUS_OK);
        assert_int_equal(saltus_run_solver(h.run), SALTUS_SOLVER_RODAS);
        const double error = stiff_error(&problem, saltus_run_states(h.run), relative, absolute);
        if (!(error <= bound))
            fail_msg("error of %g tolerances at %g", error, relative);
        if (relative == 1e-6)
            assert_in_range(saltus_run_statistics(h.run).steps, 10, most_steps);
        hybrid_end(&h);
    }
}

static void robertson(void **state)
{
    (void)state;
    expect_stiff(stiff_robertson(), 1e-8, 3.0, 1000);
}

static void van_der_pol(void **state)
{
    (void)state;
    expect_stiff(stiff_van_der_pol(), 1.0, 20.0, 1500);
}

// A copy knows it, too, and goes on with the same bits.
static void copies(void **state)
{
    (void)state;
    StiffProblem problem = stiff_van_der_pol();
    const SaltusOptions options = options_with(1e-6, 1e-6);
    problem.mode.name = "stiff";
    Hybrid h = hybrid_begin_mode(&problem.mode, &options);
    SaltusRun *copy = NULL;
    assert_int_equal(saltus_run_advance(h.run, 500.0), SALTUS_OK);
    assert_int_equal(saltus_run_copy(h.run, &copy, NULL), SALTUS_OK);
    assert_int_equal(saltus_run_solver(copy), SALTUS_SOLVER_RODAS);
    assert_int_equal(saltus_run_advance(h.run, 1000.0), SALTUS_OK);
    assert_int_equal(saltus_run_advance(copy, 1000.0), SALTUS_OK);
    assert_memory_equal(saltus_run_states(h.run), saltus_run_states(copy), 2 * sizeof(double));
    saltus_run_destroy(copy);
    hybrid_end(&h);
}

static int oscillate(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    (void)c, (void)t, (void)z;
    dx[0] = x[1];
    dx[1] = -100.0 * x[0] - 0.01 * x[1];
    return 0;
}

// What is fast but not stiff stays with the explicit solver. (With 1e-2 the method itself damps the
// oscillation until nothing but stability is left to limit the steps: stiff, indeed.)
static void not_stiff(void **state)
{
    (void)state;
    static const double start[] = {1.0, 0.0};
    const SaltusModeDef mode = hybrid_mode("oscillator", 2, start, oscillate, 0, NULL, NULL);
    for (double tolerance = 1e-4; tolerance > 1e-12; tolerance *= 1e-3) {
        const SaltusOptions options = options_with(tolerance, tolerance);
        Hybrid h = hybrid_begin_mode(&mode, &options);
        assert_int_equal(saltus_run_advance(h.run, 100.0), SALTUS_OK);
        assert_int_equal(saltus_run_solver(h.run),
                         tolerance < 1e-9 ? SALTUS_SOLVER_DOP853 : SALTUS_SOLVER_DOPRI5);
        hybrid_end(&h);
    }
}

// Large problems go to cvode.
static void large(void **state)
{
    (void)state;
    Heat heat;
    heat_create(&heat, 46, HEAT_ODE, true); // 2116 states
    heat.mode.name = "heat";
    const SaltusOptions options = options_with(1e-4, 1e-4);
    Hybrid h = hybrid_begin_mode(&heat.mode, &options);
    assert_int_equal(saltus_run_advance(h.run, 20.0), SALTUS_OK);
    assert_int_equal(saltus_run_solver(h.run), SALTUS_SOLVER_CVODE);
    hybrid_end(&h);
    heat_destroy(&heat);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(robertson), cmocka_unit_test(van_der_pol), cmocka_unit_test(copies),
        cmocka_unit_test(not_stiff), cmocka_unit_test(large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
