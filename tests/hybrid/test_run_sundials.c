// SPDX-License-Identifier: MIT
//
// Runs with the SUNDIALS solvers: the bouncing ball in every form and with both ways of location.

#include <math.h>
#include <saltus/saltus.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const double gravity = 9.81, restitution = 0.7;

static int fall(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    (void)c, (void)t, (void)z;
    dx[0] = x[1];
    dx[1] = -gravity;
    return 0;
}

static int fall_with_weight(const SaltusContext *c, double t, const double *x, const double *z,
                            double *dx)
{
    (void)c, (void)t;
    dx[0] = x[1];
    dx[1] = -z[0];
    return 0;
}

static int weight(const SaltusContext *c, double t, const double *x, const double *z, double *g)
{
    (void)c, (void)t, (void)x;
    g[0] = z[0] - gravity;
    return 0;
}

static int fall_implicit(const SaltusContext *c, double t, const double *x, const double *z,
                         const double *dx, double *r)
{
    (void)c, (void)t;
    r[0] = dx[0] - x[1];
    r[1] = 2.0 * (dx[1] + z[0]);
    r[2] = z[0] - gravity;
    return 0;
}

static int height(const SaltusContext *c, double t, const double *x, const double *z, double *h)
{
    (void)c, (void)t, (void)z;
    h[0] = x[0];
    return 0;
}

static void bounce(SaltusEvent *event)
{
    event->x[1] = -restitution * event->x[1];
}

typedef enum Form { ODE, SEMI_EXPLICIT, IMPLICIT } Form;

// The k-th impact of a ball dropped from height 1, k = 1, 2, ...
static double impact(int k)
{
    double t = sqrt(2.0 / gravity), flight = 2.0 * t;
    for (int i = 1; i < k; i++) {
        flight *= restitution;
        t += flight;
    }
    return t;
}

// Positions are parabolas, which methods of order 2 and more follow exactly; errors are those of
// the first steps, of order 1, and rounding. They are within 100 tolerances, in the velocity too,
// so an impact's time, with speeds above 1, is as well.
static void bouncing_ball(Form form, SaltusSolver solver, SaltusLocate locate)
{
    static const double start[] = {1.0, 0.0, 5.0}; // the weight is a guess
    static const SaltusEventDef event = {
        .name = "bounce", .condition = "x <= 0", .direction = SALTUS_FALLING, .action = bounce};
    SaltusModeDef mode = saltus_default_mode();
    mode.name = "flight";
    mode.state_count = 2;
    mode.algebraic_count = form == ODE ? 0 : 1;
    mode.start = start;
    mode.rhs = form == ODE ? fall : form == SEMI_EXPLICIT ? fall_with_weight : NULL;
    mode.algebraic = form == SEMI_EXPLICIT ? weight : NULL;
    mode.residual = form == IMPLICIT ? fall_implicit : NULL;
    mode.event_count = 1;
    mode.events = &event;
    mode.event_functions = height;
    SaltusSystemDef def = saltus_default_system();
    def.mode_count = 1;
    def.modes = &mode;
    SaltusOptions options = saltus_default_options();
    options.method.solver = solver;
    options.method.locate = locate;
    options.method.relative_tolerance = 1e-8;
    options.method.absolute_tolerance = 1e-8;

    SaltusSystem *system = NULL;
    SaltusRun *run = NULL;
    assert_int_equal(saltus_system_create(&def, &system, NULL), SALTUS_OK);
    assert_int_equal(saltus_run_create(system, &options, &run, NULL), SALTUS_OK);
    assert_int_equal(saltus_run_advance(run, 2.0), SALTUS_OK);
    assert_true(saltus_run_time(run) == 2.0);
    assert_int_equal(saltus_run_event_count(run), 4);
    for (int i = 0; i < 4; i++) {
        SaltusLogEntry entry = saltus_run_event(run, i);
        assert_true(fabs(entry.t - impact(i + 1)) < 1e-6);
        // A bracket is some units in the last place wide; the packages tell none.
        assert_true(entry.bracket < 1e-15 * 2.0);
        assert_true((entry.bracket > 0.0) == (locate != SALTUS_LOCATE_SUNDIALS));
    }
    assert_true(fabs(saltus_run_states(run)[0] - 0.042433547802627731) < 1e-6);
    SaltusStatistics statistics = saltus_run_statistics(run);
    assert_int_equal(statistics.events, 4);
    assert_true(statistics.locator_iterations >= 4);
    saltus_run_destroy(run);
    saltus_system_destroy(system);
}

static void all_solvers_and_forms(void **state)
{
    (void)state;
    static const SaltusLocate locators[] = {SALTUS_LOCATE_SUNDIALS, SALTUS_LOCATE_BRENT};
    for (int i = 0; i < 2; i++) {
        for (Form form = ODE; form <= IMPLICIT; form++) {
            bouncing_ball(form, SALTUS_SOLVER_IDA, locators[i]);
            if (form == IMPLICIT)
                continue;
            bouncing_ball(form, SALTUS_SOLVER_CVODE, locators[i]);
            bouncing_ball(form, SALTUS_SOLVER_ADAMS, locators[i]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_solvers_and_forms)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
