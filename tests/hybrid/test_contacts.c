// SPDX-License-Identifier: MIT
//
// Bodies in contact: event functions that rest at zero. A blow that they pass on is one event, with
// as many iterations as there are contacts; afterwards they rest again, and nothing fires.

#include "support/hybrid.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

// ---------------------------------------------------------------------------
// Equal balls on a line: x_i' = v_i, v_i' = 0. Two that meet exchange their velocities.
// ---------------------------------------------------------------------------

enum { MOST_BALLS = 40 };

static int roll(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    (void)t, (void)z;
    int balls = (int)c->p[0];
    for (int i = 0; i < balls; i++) {
        dx[i] = x[balls + i];
        dx[balls + i] = 0.0;
    }
    return 0;
}

static int gaps(const SaltusContext *c, double t, const double *x, const double *z, double *h)
{
    (void)t, (void)z;
    int balls = (int)c->p[0];
    for (int i = 0; i + 1 < balls; i++)
        h[i] = x[i + 1] - x[i];
    return 0;
}

static void collide(SaltusEvent *event)
{
    double *v = event->x + (int)event->p[0] + event->event;
    double left = v[0];
    v[0] = v[1];
    v[1] = left;
}

// The first ball comes from -0.3 with speed 1, the others lie at 0 and touch each other.
static Hybrid begin_row(int balls, SaltusSolver solver, bool at_entry)
{
    SaltusEventDef contacts[MOST_BALLS];
    double start[2 * MOST_BALLS] = {[0] = -0.3};
    start[balls] = 1.0;
    for (int i = 0; i + 1 < balls; i++)
        contacts[i] = (SaltusEventDef){.name = "contact",
                                       .direction = SALTUS_FALLING,
                                       .at_entry = at_entry,
                                       .action = collide};
    SaltusModeDef mode = hybrid_mode("row", 2 * balls, start, roll, balls - 1, contacts, gaps);
    SaltusSystemDef def = saltus_default_system();
    double parameters[] = {balls};
    def.modes = &mode;
    def.mode_count = 1;
    def.parameters = parameters;
    def.parameter_count = 1;
    SaltusOptions options = saltus_default_options();
    options.method.solver = solver;
    return hybrid_begin(&def, &options);
}

static void test_blow_is_one_event(void **state)
{
    (void)state;
    static const int balls[] = {2, 3, 5, 6, 12, MOST_BALLS};
    static const SaltusSolver solvers[] = {SALTUS_SOLVER_DOPRI5, SALTUS_SOLVER_DOP853,
                                           SALTUS_SOLVER_RODAS, SALTUS_SOLVER_CVODE};
    for (size_t k = 0; k < sizeof balls / sizeof balls[0] * 4; k++) {
        int n = balls[k / 4];
        Hybrid hybrid = begin_row(n, solvers[k % 4], true);
        assert_int_equal(saltus_run_advance(hybrid.run, 10.0), SALTUS_OK);
        assert_int_equal(saltus_run_event_count(hybrid.run), 1);
        SaltusLogEntry entry = saltus_run_event(hybrid.run, 0);
        assert_close(entry.t, 0.3, 1e-12); // linear: located to rounding
        assert_int_equal(entry.fired_count, n - 1);
        assert_int_equal(entry.iterations, n - 1);
        for (int i = 0; i < n - 1; i++)
            assert_int_equal(entry.fired[i].event, i);
        // The velocities are exchanged, not computed: they are exact.
        const double *x = saltus_run_states(hybrid.run);
        for (int i = 0; i < n; i++)
            assert_true(x[n + i] == (i == n - 1 ? 1.0 : 0.0));
        assert_close(x[n - 1], 9.7, 1e-11);
        hybrid_end(&hybrid);
    }
}

// Without at_entry, what was zero takes its sign silently, as the manual says.
static void test_resting_functions_fire_only_if_meant_to(void **state)
{
    (void)state;
    Hybrid hybrid = begin_row(3, SALTUS_SOLVER_DOPRI5, false);
    assert_int_equal(saltus_run_advance(hybrid.run, 10.0), SALTUS_OK);
    assert_int_equal(saltus_run_event_count(hybrid.run), 1);
    assert_int_equal(saltus_run_event(hybrid.run, 0).fired_count, 1);
    assert_true(saltus_run_states(hybrid.run)[4] == 1.0); // the second ball has gone through
    hybrid_end(&hybrid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blow_is_one_event),
        cmocka_unit_test(test_resting_functions_fire_only_if_meant_to),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
