// SPDX-License-Identifier: MIT
//
// Derivatives of the event functions along the flow, and the locators that need them.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/trial.h"

#include <math.h>

enum { MOST = 8 };

// Event functions where the tangent of the flow leads.
static void events_ahead(const Trial *t, const double *x, const double *dx, int count, double delta,
                         double *h)
{
    double ahead[MOST];
    for (int i = 0; i < count; i++)
        ahead[i] = x[i] + delta * dx[i];
    trial_evaluate(t, saltus_run_time(trial_get_run(t)) + delta, ahead, &(SaltusValues){.h = h});
}

// dh against central differences with distance d along the tangent of the flow: their error is
// about d^2 h''' / 6 + 1e-16 |h| / d, and derivatives and values here are below 50.
static void expect_rates(const char *text, int states, int events)
{
    static const double d = 1e-5, bound = 1e-8;
    Trial *t = trial_text(text);
    if (trial_run(t, 0.3) != SALTUS_OK)
        fail_msg("%s", trial_error(t));
    const double *x = saltus_run_states(trial_get_run(t));
    double dx[MOST], dh[MOST] = {0}, above[MOST], below[MOST];
    trial_evaluate(t, saltus_run_time(trial_get_run(t)), x, &(SaltusValues){.dx = dx, .dh = dh});
    events_ahead(t, x, dx, states, d, above);
    events_ahead(t, x, dx, states, -d, below);
    for (int i = 0; i < events; i++) {
        const double difference = (above[i] - below[i]) / (2.0 * d);
        assert_true(fabs(difference) > 1e-3); // else nothing is shown
        if (!(fabs(dh[i] - difference) <= bound))
            fail_msg("event function %d: %.17g, not %.17g", i, dh[i], difference);
    }
    trial_end(t);
}

#define STATES "Real x(start = 1, fixed = true), v(start = 0.5, fixed = true); Boolean b; "
#define OSCILLATOR "der(x) = v; der(v) = -4 * x + sin(time); "

static void of_states(void **state)
{
    (void)state;
    expect_rates("model M " STATES "equation " OSCILLATOR "b = x * v > 10 + time ^ 2; end M;", 2,
                 1);
    // der(v) is an unknown; its rate follows from its definition.
    expect_rates("model M " STATES "equation " OSCILLATOR "b = der(v) + x > 10; end M;", 2, 1);
}

static void of_definitions(void **state)
{
    (void)state;
    expect_rates("model M " STATES "Real y, z; equation " OSCILLATOR
                 "y = x ^ 2 + time; z = sin(y) * v; b = z + y > 20; end M;",
                 2, 1);
}

static void of_blocks(void **state)
{
    (void)state;
    // A linear system with a matrix that changes.
    expect_rates("model M " STATES "Real y, z; equation " OSCILLATOR
                 "(2 + x ^ 2) * y + z = time; y - (3 + v ^ 2) * z = x; b = y * z > 20; end M;",
                 2, 1);
    // A nonlinear one, and what follows from it.
    expect_rates("model M " STATES "Real y(start = 0.2), z(start = 0.5), w; equation " OSCILLATOR
                 "y + 0.3 * sin(z) = x; z + 0.3 * y ^ 3 = v; w = exp(y) * x; b = w + z > 50; "
                 "end M;",
                 2, 1);
}

// Index 3: the velocity of the dependent coordinate is the rate of its position.
static void of_constraints(void **state)
{
    (void)state;
    expect_rates("model M Real x(start = 0.6, fixed = true, stateSelect = StateSelect.always), "
                 "u(start = 0.1, fixed = true, stateSelect = StateSelect.always), "
                 "y(start = -0.8), v, l; Boolean b; equation der(x) = u; der(y) = v; "
                 "der(u) = -l * x; der(v) = -l * y - 9.81; x ^ 2 + y ^ 2 = 1; b = y > 5; end M;",
                 2, 1);
}

// 100 bounces, located with derivatives and without: the solver integrates parabolas exactly, the
// k-th bounce is at t1 + 2 v1 / g (c + c^2 + ...). Each bounce adds a rounding error of the time,
// 2e-15, divided by the ratio of speed to its initial value, 1/150 at the end: 100 of them make
// 1e-11 on the safe side.
static void a_hundred_bounces(void **state)
{
    (void)state;
    static const SaltusLocate locators[] = {SALTUS_LOCATE_BRENT, SALTUS_LOCATE_TANGENT,
                                            SALTUS_LOCATE_HENON};
    for (int k = 0; k < 3; k++) {
        Trial *t = trial_example("BouncingBall.mo", NULL);
        trial_parameter(t, "e", 0.95);
        trial_options(t)->method.locate = locators[k];
        trial_options(t)->method.relative_tolerance = 1e-9;
        trial_options(t)->method.absolute_tolerance = 1e-12;
        trial_options(t)->zeno = SALTUS_ZENO_CONTINUE;
        assert_int_equal(trial_run(t, 17.52), SALTUS_OK);
        const SaltusRun *r = trial_get_run(t);
        double time = sqrt(2.0 / 9.81), speed = sqrt(2.0 * 9.81);
        assert_true(saltus_run_event_count(r) >= 100);
        for (long i = 0; i < 100; i++) {
            if (!(fabs(saltus_run_event(r, i).t - time) <= 1e-11))
                fail_msg("bounce %ld with %s: %.17g, not %.17g", i, saltus_locate_name(locators[k]),
                         saltus_run_event(r, i).t, time);
            speed *= 0.95;
            time += 2.0 * speed / 9.81;
        }
        // At every event, or where the detector has reason to look closer: in few of the steps.
        long rates = saltus_run_statistics(r).flow_evaluations;
        assert_true(k > 0 ? rates >= 100 : rates <= 50);
        assert_int_equal(saltus_run_statistics(r).fallbacks, 0);
        trial_end(t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_states),         cmocka_unit_test(of_definitions),
        cmocka_unit_test(of_blocks),         cmocka_unit_test(of_constraints),
        cmocka_unit_test(a_hundred_bounces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
