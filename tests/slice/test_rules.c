// SPDX-License-Identifier: MIT
//
// What happens to a variable when the equations around it change: it goes on, it jumps by an
// impulse, it takes another value, or the run stops and says why it can do neither.

#include "slice/slice.h"
#include "support/hybrid.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { FIXED };

#define MODEL(label, vars, eqs, flag)                                                              \
    .name = label, .variables = vars, .variable_count = sizeof vars / sizeof vars[0],              \
    .equations = eqs, .equation_count = sizeof eqs / sizeof eqs[0], .flags = flag, .flag_count = 1

static const double half_and_one[] = {0.5, 1.0}, one[] = {1.0};
static const Flag from_half_to_one[] = {
    [FIXED] = {.name = "fixed", .times = half_and_one, .time_count = 2}};
static const Flag from_one_on[] = {[FIXED] = {.name = "fixed", .times = one, .time_count = 1}};
static const Flag always[] = {[FIXED] = {.name = "fixed", .set = true}};

static const double *last_outputs(const Simulation *s)
{
    return saltus_run_row(s->run, saltus_run_row_count(s->run) - 1).y;
}

// ---------------------------------------------------------------------------
// if fixed then x = -5 else der(x) = 10 (ModelicaSpecification issue 2411, and back)
// ---------------------------------------------------------------------------

static const Variable lone[] = {{"x", 0.0}};
static const Equation fixed_or_free[] = {
    {1u << FIXED, 0, ADD(VAR(0), NUM(5)), "x = -5"},
    {0, 1u << FIXED, SUB(DER(VAR(0)), NUM(10)), "der(x) = 10"},
};
static const Model issue_2411 = {MODEL("issue 2411", lone, fixed_or_free, from_half_to_one)};

// What is no longer differentiated takes its new value; what becomes a state starts from its
// left limit, whatever it was.
static void test_no_longer_differentiated(void **state)
{
    (void)state;
    SaltusMethod method = saltus_default_method();
    Simulation s = simulation_run(&issue_2411, &method, 1.5);
    assert_int_equal(s.status, SALTUS_OK);
    assert_int_equal(saltus_run_event_count(s.run), 2);
    SaltusLogEntry to_fixed = saltus_run_event(s.run, 0), to_free = saltus_run_event(s.run, 1);
    assert_int_equal(slice_structure(s.slice, to_fixed.to)->state_count, 0);
    assert_close(to_fixed.changes[0].before, 5.0, 1e-14);
    assert_true(to_fixed.changes[0].after == -5.0);
    assert_int_equal(to_free.change_count, 0);
    assert_close(last_outputs(&s)[0], -5.0 + 10.0 * 0.5, 1e-14);
    simulation_end(&s);
}

// ---------------------------------------------------------------------------
// A body that is clamped at t = 1: x' = v, v' = f; x = place, else f = 0
// ---------------------------------------------------------------------------

enum { X, V, F };
static const Variable body[] = {{"x", 3.0}, {"v", 2.0}, {"f", 0.0}};
static const Equation clamp_equations[] = {
    {0, 0, SUB(DER(VAR(X)), VAR(V)), "der(x) = v"},
    {0, 0, SUB(DER(VAR(V)), VAR(F)), "der(v) = f"},
    {1u << FIXED, 0, SUB(VAR(X), PAR(0)), "x = place"},
    {0, 1u << FIXED, VAR(F), "f = 0"},
};

#define CLAMP(flag, place)                                                                         \
    {                                                                                              \
        MODEL("clamp", body, clamp_equations, flag), .parameters = (const double[]){place},        \
                                                     .parameter_count = 1                          \
    }
static const Model clamp_there = CLAMP(from_one_on, 5.0),
                   clamp_near = CLAMP(from_one_on, 5 + 1e-10), clamp_far = CLAMP(from_one_on, 5.1),
                   clamped = CLAMP(always, 3.0);

// At the place, or as near to it as rounding leaves it: the velocity is lost, the rest of the
// distance is projected away. No finite impulse moves a body further.
static void test_positions_do_not_jump(void **state)
{
    (void)state;
    const Model *models[] = {&clamp_there, &clamp_near};
    SaltusMethod method = saltus_default_method();
    for (int i = 0; i < 2; i++) {
        Simulation s = simulation_run(models[i], &method, 2.0);
        assert_int_equal(s.status, SALTUS_OK);
        assert_true(last_outputs(&s)[X] == models[i]->parameters[0]);
        assert_true(last_outputs(&s)[V] == 0.0);
        simulation_end(&s);
    }
    Simulation s = simulation_run(&clamp_far, &method, 2.0);
    assert_int_equal(s.status, SALTUS_ERROR_ACTION);
    assert_contains(s.error.message, "x would have to jump from 5 to 5.1");
    assert_true(s.error.time == 1.0);
    simulation_end(&s);
}

// At the start there is no impulse that could explain a velocity away.
static void test_contradicting_start(void **state)
{
    (void)state;
    SaltusMethod method = saltus_default_method();
    Simulation s = simulation_run(&clamped, &method, 2.0);
    assert_int_equal(s.status, SALTUS_ERROR_ACTION);
    assert_contains(s.error.message, "start values contradict");
    assert_null(s.run);
    simulation_end(&s);
}

// ---------------------------------------------------------------------------
// A clutch whose torque acts through a ratio that jumps with the speed
// ---------------------------------------------------------------------------

enum { WA, WB, TAU };
static const Variable shafts[] = {{"wa", 1.0}, {"wb", 2.0}, {"tau", 0.0}};
static const Equation odd_clutch_equations[] = {
    {0, 0, ADD(DER(VAR(WA)), MUL(VAR(TAU), VAR(WA))), "der(wa) = -tau wa"},
    {0, 0, SUB(DER(VAR(WB)), VAR(TAU)), "der(wb) = tau"},
    {1u << FIXED, 0, SUB(VAR(WA), VAR(WB)), "wa = wb"},
    {0, 1u << FIXED, VAR(TAU), "tau = 0"},
};
static const Model odd_clutch = {MODEL("odd clutch", shafts, odd_clutch_equations, from_one_on)};

static void test_coefficient_that_jumps(void **state)
{
    (void)state;
    SaltusMethod method = saltus_default_method();
    Simulation s = simulation_run(&odd_clutch, &method, 2.0);
    assert_int_equal(s.status, SALTUS_ERROR_ACTION);
    assert_contains(s.error.message, "the coefficient of an impulse jumps in der(wa) = -tau wa");
    simulation_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_longer_differentiated),
        cmocka_unit_test(test_positions_do_not_jump),
        cmocka_unit_test(test_contradicting_start),
        cmocka_unit_test(test_coefficient_that_jumps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
