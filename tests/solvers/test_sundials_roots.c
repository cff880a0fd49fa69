// SPDX-License-Identifier: MIT
//
// Root finding of the SUNDIALS solvers: crossings with closed-form times, and the cases in which
// SUNDIALS by itself reports, loses or refuses too much.

#include "support/integrate.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define PI 3.14159265358979323846

static const SaltusSolver solvers[] = {SALTUS_SOLVER_CVODE, SALTUS_SOLVER_ADAMS, SALTUS_SOLVER_IDA};
enum { SOLVERS = sizeof solvers / sizeof solvers[0] };

static SaltusMethod root_method(SaltusSolver solver, double tolerance)
{
    SaltusMethod method = method_of(solver, tolerance, tolerance, 0.0);
    method.locate = SALTUS_LOCATE_SUNDIALS;
    return method;
}

// x' = 1, x(0) = 0: x is the time, and steps are as long as they are allowed to be.
static int clock_rhs(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    (void)c, (void)t, (void)x, (void)z;
    dx[0] = 1.0;
    return 0;
}

static SaltusModeDef clock_mode(int count, const SaltusEventDef *events, SaltusEventFunctions h)
{
    SaltusModeDef mode = saltus_default_mode();
    mode.name = "clock";
    mode.state_count = 1;
    mode.rhs = clock_rhs;
    mode.event_count = count;
    mode.events = events;
    mode.event_functions = h;
    return mode;
}

typedef struct Found {
    int count;
    double t[64];
    signed char direction[64][4];
} Found;

// Steps to `end` and collects the roots; everything but roots must work.
static void collect(Integration *it, double end, Found *found)
{
    while (it->solver->t < end) {
        double before = it->solver->t;
        assert_int_equal(integration_step(it, end), 0);
        assert_true(it->solver->t > before && it->solver->t <= end);
        if (!it->solver->is_at_root)
            continue;
        assert_true(found->count < 64);
        found->t[found->count] = it->solver->t;
        memcpy(found->direction[found->count], it->solver->root_direction,
               (size_t)it->problem->mode->event_count);
        found->count++;
    }
}

static Found run(const SaltusModeDef *mode, const SaltusMethod *method, double end)
{
    Integration it;
    Found found = {0};
    assert_int_equal(integration_begin(&it, mode, method, 0.0), 0);
    collect(&it, end, &found);
    integration_end(&it);
    return found;
}

// ---------------------------------------------------------------------------
// Times and directions
// ---------------------------------------------------------------------------

static int oscillator_rhs(const SaltusContext *c, double t, const double *x, const double *z,
                          double *dx)
{
    (void)c, (void)t, (void)z;
    dx[0] = x[1];
    dx[1] = -x[0];
    return 0;
}

static int first_state(const SaltusContext *c, double t, const double *x, const double *z,
                       double *h)
{
    (void)c, (void)t, (void)z;
    h[0] = x[0];
    return 0;
}

// x = sin t from t = 0: zero at the start, which is no root, then at every multiple of pi. The
// error of the time is that of x, where |x'| = 1; it may grow with the steps, of which there are
// hundreds: 1000 tolerances.
static void roots_of_the_sine(void **state)
{
    (void)state;
    static const double start[] = {0.0, 1.0};
    for (int s = 0; s < SOLVERS; s++) {
        for (int direction = -1; direction <= 1; direction++) {
            SaltusEventDef event = {.name = "zero", .direction = (SaltusDirection)direction};
            SaltusModeDef mode = clock_mode(1, &event, first_state);
            mode.state_count = 2;
            mode.start = start;
            mode.rhs = oscillator_rhs;
            SaltusMethod method = root_method(solvers[s], 1e-9);
            Found found = run(&mode, &method, 6.5 * PI);
            assert_int_equal(found.count, direction == 0 ? 6 : 3);
            for (int i = 0; i < found.count; i++) {
                int multiple = direction == 0 ? i + 1 : direction < 0 ? 2 * i + 1 : 2 * i + 2;
                assert_int_equal(found.direction[i][0], multiple % 2 == 1 ? -1 : 1);
                assert_true(fabs(found.t[i] - multiple * PI) < 1e-6);
            }
        }
    }
}

static int two_sides(const SaltusContext *c, double t, const double *x, const double *z, double *h)
{
    (void)c, (void)t, (void)z;
    h[0] = x[0] - 0.5;
    h[1] = 0.5 - x[0];
    h[2] = x[0] - 0.25;
    h[3] = x[0] - 0.75;
    return 0;
}

// Two functions cross together, one is muted, one has the wrong direction. The state at a root
// is beyond it.
static void roots_together(void **state)
{
    (void)state;
    static const SaltusEventDef events[] = {
        {.name = "up"}, {.name = "down"}, {.is_muted = true}, {.direction = SALTUS_FALLING}};
    SaltusModeDef mode = clock_mode(4, events, two_sides);
    for (int s = 0; s < SOLVERS; s++) {
        SaltusMethod method = root_method(solvers[s], 1e-6);
        Integration it;
        assert_int_equal(integration_begin(&it, &mode, &method, 0.0), 0);
        do
            assert_int_equal(integration_step(&it, 3.0), 0);
        while (!it.solver->is_at_root);
        static const signed char expected[] = {1, -1, 0, 0};
        assert_memory_equal(it.solver->root_direction, expected, 4);
        assert_true(it.solver->x[0] > 0.5 && it.solver->x[0] < 0.5 + 1e-12);
        Found found = {0};
        collect(&it, 3.0, &found);
        assert_int_equal(found.count, 0);
        integration_end(&it);
    }
}

// ---------------------------------------------------------------------------
// Zeros that last
// ---------------------------------------------------------------------------

static int lasting(const SaltusContext *c, double t, const double *x, const double *z, double *h)
{
    (void)c, (void)x, (void)z;
    h[0] = 0.0;
    h[1] = fmax(0.0, 1.0 - t);
    h[2] = fmax(0.0, t - 1.0);
    h[3] = t - 2.5;
    return 0;
}

// Always zero; zero from 1 on; zero up to 1: none of them crosses, none of them disturbs.
static void zero_over_an_interval(void **state)
{
    (void)state;
    static const SaltusEventDef events[4] = {{.name = "always"}};
    SaltusModeDef mode = clock_mode(4, events, lasting);
    for (int s = 0; s < SOLVERS; s++) {
        SaltusMethod method = root_method(solvers[s], 1e-6);
        method.max_step = 0.125; // steps end on 1 exactly, and on both sides
        Found found = run(&mode, &method, 4.0);
        assert_int_equal(found.count, 1);
        assert_true(fabs(found.t[0] - 2.5) < 1e-12);
        static const signed char expected[] = {0, 0, 0, 1};
        assert_memory_equal(found.direction[0], expected, 4);
    }
}

// ---------------------------------------------------------------------------
// Zeros at the ends of steps
// ---------------------------------------------------------------------------

static int around_one(const SaltusContext *c, double t, const double *x, const double *z, double *h)
{
    (void)c, (void)x, (void)z;
    h[0] = t - 1.0;
    h[1] = (t - 1.0) * (t - 1.0);
    h[2] = t - 1.0;
    h[3] = t - (1.0 - 1e-13);
    return 0;
}

// At the limit exactly: one crosses, one touches, one has the wrong direction. Neither lost
// nor doubled, whether the run goes on or starts anew there.
static void root_at_the_limit(void **state)
{
    (void)state;
    static const SaltusEventDef events[] = {{.name = "crosses"},
                                            {.name = "touches"},
                                            {.direction = SALTUS_FALLING},
                                            {.is_muted = true}};
    SaltusModeDef mode = clock_mode(4, events, around_one);
    for (int s = 0; s < SOLVERS; s++) {
        for (int restart = 0; restart < 2; restart++) {
            SaltusMethod method = root_method(solvers[s], 1e-6);
            Integration it;
            Found found = {0};
            assert_int_equal(integration_begin(&it, &mode, &method, 0.0), 0);
            collect(&it, 1.0, &found);
            assert_int_equal(found.count, 1);
            assert_true(found.t[0] == 1.0);
            static const signed char expected[] = {1, 0, 0, 0};
            assert_memory_equal(found.direction[0], expected, 4);
            double x = it.solver->x[0];
            if (restart)
                assert_int_equal(it.solver->kind->reset(it.solver, 1.0, &x, NULL, NULL, 0.0), 0);
            collect(&it, 2.0, &found);
            assert_int_equal(found.count, 1);
            integration_end(&it);
        }
    }
}

// A few roundings before the limit, which is closer than the root finding's resolution.
static void root_just_before_the_limit(void **state)
{
    (void)state;
    static const SaltusEventDef events[4] = {
        {.is_muted = true}, {.is_muted = true}, {.is_muted = true}, {.name = "before"}};
    SaltusModeDef mode = clock_mode(4, events, around_one);
    for (int s = 0; s < SOLVERS; s++) {
        SaltusMethod method = root_method(solvers[s], 1e-6);
        Integration it;
        Found found = {0};
        assert_int_equal(integration_begin(&it, &mode, &method, 0.0), 0);
        collect(&it, 1.0, &found);
        collect(&it, 2.0, &found);
        assert_int_equal(found.count, 1);
        assert_true(fabs(found.t[0] - 1.0) < 1e-12);
        integration_end(&it);
    }
}

// ---------------------------------------------------------------------------
// Going on
// ---------------------------------------------------------------------------

static int half(const SaltusContext *c, double t, const double *x, const double *z, double *h)
{
    (void)t, (void)z;
    h[0] = c->p[0] * (x[0] - 0.5);
    return 0;
}

// After a root inside a long internal step a limit may lie in the rest of it.
static void limit_in_the_rest_of_a_step(void **state)
{
    (void)state;
    static const SaltusEventDef event = {.name = "half"};
    SaltusModeDef mode = clock_mode(1, &event, half);
    for (int s = 0; s < SOLVERS; s++) {
        SaltusMethod method = root_method(solvers[s], 1e-6);
        Integration it;
        double p = 1.0, start = 0.0;
        assert_int_equal(integration_begin_with(&it, &mode, &method, 0.0, &p), 0);
        assert_int_equal(it.solver->kind->reset(it.solver, 0.0, &start, NULL, NULL, 10.0), 0);
        assert_int_equal(integration_step(&it, 10.0), 0);
        assert_true(it.solver->is_at_root && fabs(it.solver->t - 0.5) < 1e-12);
        assert_int_equal(it.statistics.steps, 1);
        for (double limit = 0.75; limit < 4.0; limit += 1.0) {
            assert_int_equal(integration_step(&it, limit), 0);
            assert_false(it.solver->is_at_root);
            assert_true(it.solver->t == limit);
            assert_true(fabs(it.solver->x[0] - limit) < 1e-9);
            double x;
            double inside = limit - 0.125;
            assert_int_equal(it.solver->kind->interpolate(it.solver, inside, &x, NULL), 0);
            assert_true(fabs(x - inside) < 1e-9);
        }
        assert_int_equal(it.statistics.steps, 1);
        assert_int_equal(integration_run(&it, 20.0), 0);
        assert_true(it.solver->t == 20.0 && fabs(it.solver->x[0] - 20.0) < 1e-9);
        integration_end(&it);
    }
}

// A function that was zero since one restart and is not at the next must be seen in the first
// step already: SUNDIALS alone has it still switched off.
static void seen_in_the_first_step(void **state)
{
    (void)state;
    static const SaltusEventDef event = {.name = "half"};
    SaltusModeDef mode = clock_mode(1, &event, half);
    for (int s = 0; s < SOLVERS; s++) {
        SaltusMethod method = root_method(solvers[s], 1e-6);
        Integration it;
        Found found = {0};
        double p = 0.0, start = 0.0;
        assert_int_equal(integration_begin_with(&it, &mode, &method, 0.0, &p), 0);
        collect(&it, 1.0, &found);
        assert_int_equal(found.count, 0);
        p = 1.0;
        assert_int_equal(it.solver->kind->reset(it.solver, 0.0, &start, NULL, NULL, 1.0), 0);
        assert_int_equal(integration_step(&it, 1.0), 0);
        assert_true(it.solver->is_at_root && fabs(it.solver->t - 0.5) < 1e-12);
        integration_end(&it);
    }
}

static int within_noise(const SaltusContext *c, double t, const double *x, const double *z,
                        double *h)
{
    (void)c, (void)t, (void)z;
    h[0] = x[0] - 1e-13;
    h[1] = x[0] * (0.5 - x[0]) - 1e-13;
    return 0;
}

// Below its noise a function is zero at the start and takes the sign it has just after: leaving
// zero is no crossing, coming back is.
static void armed_by_what_follows(void **state)
{
    (void)state;
    static const SaltusEventDef events[] = {{.name = "leaves", .noise = 1e-12},
                                            {.name = "returns", .noise = 1e-12}};
    SaltusModeDef mode = clock_mode(2, events, within_noise);
    for (int s = 0; s < SOLVERS; s++) {
        SaltusMethod method = root_method(solvers[s], 1e-6);
        Found found = run(&mode, &method, 2.0);
        assert_int_equal(found.count, 1);
        assert_true(fabs(found.t[0] - 0.5) < 1e-9);
        static const signed char expected[] = {0, -1};
        assert_memory_equal(found.direction[0], expected, 2);
    }
}

// A root that nothing follows from does not change the integration.
static void roots_leave_the_steps_alone(void **state)
{
    (void)state;
    static const double start[] = {0.0, 1.0};
    static const SaltusEventDef event = {.name = "zero"};
    SaltusModeDef mode = clock_mode(1, &event, first_state);
    mode.state_count = 2;
    mode.start = start;
    mode.rhs = oscillator_rhs;
    for (int s = 0; s < SOLVERS; s++) {
        SaltusMethod method = root_method(solvers[s], 1e-6);
        double with[2], without[2];
        SaltusStatistics rooted = integrate(&mode, &method, 0.0, 20.0, with);
        method.locate = SALTUS_LOCATE_BRENT;
        SaltusStatistics plain = integrate(&mode, &method, 0.0, 20.0, without);
        assert_memory_equal(with, without, sizeof with);
        assert_int_equal(rooted.steps, plain.steps);
        assert_int_equal(rooted.f_evaluations, plain.f_evaluations);
        assert_int_equal(plain.h_evaluations, 0);
        assert_true(rooted.locator_iterations > 0);
        assert_true(rooted.h_evaluations > rooted.steps);
    }
}

// ---------------------------------------------------------------------------
// Algebraic variables, failures
// ---------------------------------------------------------------------------

static int square(const SaltusContext *c, double t, const double *x, const double *z, double *g)
{
    (void)c, (void)t;
    g[0] = z[0] - x[0] * x[0];
    return 0;
}

static int algebraic_quarter(const SaltusContext *c, double t, const double *x, const double *z,
                             double *h)
{
    (void)c, (void)t, (void)x;
    h[0] = z[0] - 0.25;
    return 0;
}

// z = x^2 = t^2 is 1/4 at 1/2.
static void root_of_an_algebraic_variable(void **state)
{
    (void)state;
    static const SaltusEventDef event = {.name = "quarter"};
    SaltusModeDef mode = clock_mode(1, &event, algebraic_quarter);
    mode.algebraic_count = 1;
    mode.algebraic = square;
    for (int s = 0; s < SOLVERS; s++) {
        SaltusMethod method = root_method(solvers[s], 1e-9);
        Found found = run(&mode, &method, 2.0);
        assert_int_equal(found.count, 1);
        assert_true(fabs(found.t[0] - 0.5) < 1e-7);
    }
}

static int sine(const SaltusContext *c, double t, const double *x, const double *z, double *g)
{
    (void)c, (void)x;
    g[0] = z[0] - sin(t);
    return 0;
}

// Nothing to integrate: time passes, and z = sin t is 1/4 where it is.
static void mode_without_states(void **state)
{
    (void)state;
    static const SaltusEventDef event = {.name = "quarter"};
    SaltusModeDef mode = clock_mode(1, &event, algebraic_quarter);
    mode.state_count = 0;
    mode.rhs = NULL;
    mode.algebraic_count = 1;
    mode.algebraic = sine;
    for (int s = 0; s < SOLVERS; s++) {
        SaltusMethod method = root_method(solvers[s], 1e-6);
        Found found = run(&mode, &method, 1.5);
        assert_int_equal(found.count, 1);
        assert_true(fabs(found.t[0] - asin(0.25)) < 1e-12);
    }
    mode.algebraic_count = 0;
    mode.algebraic = NULL;
    mode.event_functions = around_one;
    static const SaltusEventDef events[4] = {
        {.name = "one"}, {.is_muted = true}, {.is_muted = true}, {.is_muted = true}};
    mode.event_count = 4;
    mode.events = events;
    for (int s = 0; s < SOLVERS; s++) {
        SaltusMethod method = root_method(solvers[s], 1e-6);
        Found found = run(&mode, &method, 1.5);
        assert_int_equal(found.count, 1);
        assert_true(fabs(found.t[0] - 1.0) < 1e-12);
    }
}

static int breaks(const SaltusContext *c, double t, const double *x, const double *z, double *h)
{
    (void)c, (void)x, (void)z;
    h[0] = t > 0.5 ? NAN : 1.0;
    return 0;
}

static void failing_event_function(void **state)
{
    (void)state;
    static const SaltusEventDef event = {.name = "breaks"};
    SaltusModeDef mode = clock_mode(1, &event, breaks);
    for (int s = 0; s < SOLVERS; s++) {
        SaltusMethod method = root_method(solvers[s], 1e-6);
        Integration it;
        assert_int_equal(integration_begin(&it, &mode, &method, 0.0), 0);
        assert_int_equal(integration_run(&it, 1.0), SALTUS_ERROR_EVALUATION);
        assert_string_equal(it.problem->failure.variable, "breaks");
        assert_true(it.solver->t <= 0.5);
        integration_end(&it);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(roots_of_the_sine),
        cmocka_unit_test(roots_together),
        cmocka_unit_test(zero_over_an_interval),
        cmocka_unit_test(root_at_the_limit),
        cmocka_unit_test(root_just_before_the_limit),
        cmocka_unit_test(limit_in_the_rest_of_a_step),
        cmocka_unit_test(seen_in_the_first_step),
        cmocka_unit_test(armed_by_what_follows),
        cmocka_unit_test(roots_leave_the_steps_alone),
        cmocka_unit_test(root_of_an_algebraic_variable),
        cmocka_unit_test(mode_without_states),
        cmocka_unit_test(failing_event_function),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
