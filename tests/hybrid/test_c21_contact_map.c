// SPDX-License-Identifier: MIT
//
// The ball with dynamic contact over a map of stiffness and damping. Its flights start tangentially
// and become as short as a contact: a code that looks only at the ends of steps, or disarms the
// contact after lift-off, loses some of them. All ways must count the same; the first contact is
// compared with its closed form for negligible weight.

#include "models/dynamic_contact.h"
#include "support/hybrid.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

typedef struct Way {
    SaltusSolver solver;
    SaltusLocate locate;
    double tolerance;
} Way;

static Hybrid begin(double k, double d, const Way *way, unsigned record)
{
    Hybrid hybrid = {0};
    double parameters[CONTACT_PARAMETERS];
    memcpy(parameters, contact_parameters, sizeof parameters);
    parameters[CONTACT_K] = k;
    parameters[CONTACT_D] = d;
    SaltusOptions options = saltus_default_options();
    options.record = record;
    options.parameters = parameters;
    options.method.solver = way->solver;
    options.method.locate = way->locate;
    options.method.relative_tolerance = way->tolerance;
    options.method.absolute_tolerance = 1e-3 * way->tolerance;
    assert_int_equal(dynamic_contact_create(&hybrid.system, &hybrid.error), SALTUS_OK);
    assert_int_equal(saltus_run_create(hybrid.system, &options, &hybrid.run, &hybrid.error),
                     SALTUS_OK);
    return hybrid;
}

static int count_contacts(double k, double d, const Way *way, double stop_time)
{
    Hybrid hybrid = begin(k, d, way, SALTUS_RECORD_NOTHING);
    if (saltus_run_advance(hybrid.run, stop_time) != SALTUS_OK)
        fail_msg("k = %g, d = %g, %s: %s", k, d, saltus_solver_name(way->solver),
                 saltus_run_error(hybrid.run)->message);
    int count = 0;
    for (long i = 0; i < saltus_run_event_count(hybrid.run); i++)
        count += saltus_run_event(hybrid.run, i).to == CONTACT_CONTACT &&
                 saltus_run_event(hybrid.run, i).from == CONTACT_FLIGHT;
    hybrid_end(&hybrid);
    return count;
}

// k = 1e4 ... 1e8, d = 50 ... 5000, `points` of each.
static void check_map(const Way *ways, int way_count, int points, double stop_time)
{
    for (int i = 0; i < points * points; i++) {
        double k = pow(10.0, 4.0 + 4.0 * (i / points) / (points - 1));
        double d = 50.0 * pow(100.0, (double)(i % points) / (points - 1));
        int first = count_contacts(k, d, &ways[0], stop_time);
        for (int w = 1; w < way_count; w++) {
            int count = count_contacts(k, d, &ways[w], stop_time);
            if (count != first)
                fail_msg("k = %g, d = %g: %d contacts with %s, %d with %s", k, d, first,
                         saltus_solver_name(ways[0].solver), count,
                         saltus_solver_name(ways[w].solver));
        }
    }
}

// Long after the ball has come to rest: a stiff problem.
static void test_stiff(void **state)
{
    (void)state;
    static const Way ways[] = {
        {SALTUS_SOLVER_RODAS, SALTUS_LOCATE_BRENT, 1e-8},
        {SALTUS_SOLVER_RODAS, SALTUS_LOCATE_TANGENT, 1e-6},
        {SALTUS_SOLVER_RODAS, SALTUS_LOCATE_HENON, 1e-6},
        {SALTUS_SOLVER_CVODE, SALTUS_LOCATE_BRENT, 1e-9},
    };
    check_map(ways, 4, 8, 30.0);
}

static void test_all_solvers(void **state)
{
    (void)state;
    static const Way ways[] = {
        {SALTUS_SOLVER_RODAS, SALTUS_LOCATE_BRENT, 1e-8},
        {SALTUS_SOLVER_DOPRI5, SALTUS_LOCATE_BRENT, 1e-6},
        {SALTUS_SOLVER_DOPRI5, SALTUS_LOCATE_HENON, 1e-6},
        {SALTUS_SOLVER_DOP853, SALTUS_LOCATE_QUADRATIC, 1e-8},
    };
    check_map(ways, 4, 5, 3.0);
}

// Without weight the contact is x'' + d x' + k x = 0 from x = 0, x' = -v0; it ends when x'' = 0.
// With a = d/2, b = sqrt(k - a^2): after t = (pi - atan2(2 a b, k - 2 a^2)) / b, with the speed v0
// e^(-a t) ((a/b) sin bt - cos bt).
static void test_first_contact(void **state)
{
    (void)state;
    static const Way way = {SALTUS_SOLVER_RODAS, SALTUS_LOCATE_BRENT, 1e-10};
    for (int i = 0; i < 15; i++) {
        double k = pow(10.0, 4 + i / 3), d = 0.2 * pow(3.0, i % 3) * sqrt(k);
        double a = 0.5 * d, b = sqrt(k - a * a);
        double duration = (3.141592653589793 - atan2(2.0 * a * b, k - 2.0 * a * a)) / b;
        double rebound = exp(-a * duration) * (a / b * sin(b * duration) - cos(b * duration));
        Hybrid hybrid = begin(k, d, &way, SALTUS_RECORD_EVENTS);
        assert_int_equal(saltus_run_advance(hybrid.run, 2.0), SALTUS_OK);
        SaltusRow touch = {0}, leave = {0};
        for (long r = 0; r < saltus_run_row_count(hybrid.run) && leave.x == NULL; r++) {
            SaltusRow row = saltus_run_row(hybrid.run, r);
            if (row.kind == SALTUS_ROW_AFTER_EVENT && row.mode == CONTACT_CONTACT && !touch.x)
                touch = row;
            if (row.kind == SALTUS_ROW_AFTER_EVENT && row.mode == CONTACT_FLIGHT && touch.x)
                leave = row;
        }
        assert_non_null(leave.x);
        // The weight changes the speed by g t, and delays the end likewise.
        double v0 = -touch.x[CONTACT_V], weight = 9.81 * duration / v0;
        assert_close(leave.t - touch.t, duration, 2.0 * weight * duration);
        assert_close(leave.x[CONTACT_V] / v0, rebound, 2.0 * weight);
        hybrid_end(&hybrid);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stiff),
        cmocka_unit_test(test_all_solvers),
        cmocka_unit_test(test_first_contact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
