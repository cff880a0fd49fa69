// SPDX-License-Identifier: MIT
//
// Localisation on functions of time: every method keeps its bracket and converges, on easy and on
// hard functions; limited iterations are the textbook's secant and tangent steps; zeros at the
// ends, plateaus, failures.

#include "events/locate.h"
#include "support/hybrid.h"
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const SaltusLocate methods[] = {SALTUS_LOCATE_BRENT, SALTUS_LOCATE_BISECTION,
                                       SALTUS_LOCATE_SECANT, SALTUS_LOCATE_TANGENT,
                                       SALTUS_LOCATE_QUADRATIC};
enum { METHODS = sizeof methods / sizeof methods[0] };

// ---------------------------------------------------------------------------
// Functions with their derivatives
// ---------------------------------------------------------------------------

typedef double (*Function)(double t);

typedef struct Case {
    const char *name;
    Function h, dh;
    double a, b, root;
    // Iterations that the fast methods may need; bisection needs 53. Where |h| becomes small long
    // before the bracket does, a quarter of it in three of them is enough: 3 log4(1e48).
    int most;
} Case;

static double line(double t)
{
    return 3.0 * t - 1.0;
}

static double line_slope(double t)
{
    (void)t;
    return 3.0;
}

static double parabola(double t)
{
    return t * t - 0.49;
}

static double parabola_slope(double t)
{
    return 2.0 * t;
}

static double falling(double t)
{
    return cos(t) - t;
}

static double falling_slope(double t)
{
    return -sin(t) - 1.0;
}

static double steep(double t) // flat, then steep
{
    return exp(30.0 * t) - 1e6;
}

static double steep_slope(double t)
{
    return 30.0 * exp(30.0 * t);
}

static double cubic_root(double t) // a triple root
{
    return (t - 0.3) * (t - 0.3) * (t - 0.3);
}

static double cubic_root_slope(double t)
{
    return 3.0 * (t - 0.3) * (t - 0.3);
}

static double high_power(double t)
{
    return pow(t, 19) - pow(0.6, 19);
}

static double high_power_slope(double t)
{
    return 19.0 * pow(t, 18);
}

static double vertical(double t) // infinite slope at the root
{
    return cbrt(t - 0.7);
}

static double vertical_slope(double t)
{
    return cbrt(t - 0.7) / (3.0 * (t - 0.7));
}

static double step_function(double t)
{
    return t < 0.55 ? -1.0 : 1.0;
}

static double no_slope(double t)
{
    (void)t;
    return 0.0;
}

static double with_pole(double t) // nearly a pole
{
    return 1.0 / (t - 1.01) + 50.0;
}

static double with_pole_slope(double t)
{
    return -1.0 / ((t - 1.01) * (t - 1.01));
}

static const Case cases[] = {
    {"line", line, line_slope, 0.0, 1.0, 1.0 / 3.0, 4},
    {"parabola", parabola, parabola_slope, 0.0, 1.0, 0.7, 12},
    {"cosine", falling, falling_slope, 0.0, 2.0, 0.73908513321516064, 12},
    {"steep", steep, steep_slope, 0.0, 1.0, 0.46051701859880917, 60},
    {"triple", cubic_root, cubic_root_slope, 0.0, 1.0, 0.3, 240},
    {"power", high_power, high_power_slope, 0.0, 1.0, 0.6, 100},
    {"vertical", vertical, vertical_slope, 0.0, 1.0, 0.7, 160},
    {"step", step_function, no_slope, 0.0, 1.0, 0.55, 160},
    {"pole", with_pole, with_pole_slope, 0.0, 1.0, 0.99, 60},
};
enum { CASES = sizeof cases / sizeof cases[0] };

// Every evaluation lies inside the bracket that the earlier ones left.
typedef struct Probe {
    const Case *c;
    double shift; // the time axis
    int direction;
    double low, high; // of the known bracket
    int evaluations, fail_at;
} Probe;

static int evaluate(void *user, double t, double *h, double *dh)
{
    Probe *probe = user;
    if (++probe->evaluations == probe->fail_at)
        return 5;
    assert_true(t >= probe->low && t <= probe->high);
    *h = probe->c->h(t - probe->shift);
    if (dh)
        *dh = probe->c->dh(t - probe->shift);
    if (*h * probe->direction < 0.0)
        probe->low = t;
    else if (t > probe->low) // the left end has the old sign, whatever its value
        probe->high = t;
    return 0;
}

static Crossing bracket_of(const Case *c, double shift, Probe *probe)
{
    double h_a = c->h(c->a), h_b = c->h(c->b);
    *probe = (Probe){.c = c,
                     .shift = shift,
                     .direction = h_b > 0.0 ? 1 : -1,
                     .low = c->a + shift,
                     .high = c->b + shift};
    return (Crossing){.a = c->a + shift,
                      .h_a = h_a,
                      .b = c->b + shift,
                      .h_b = h_b,
                      .c = c->a + shift, // none
                      .h_c = h_a,
                      .direction = probe->direction};
}

// ---------------------------------------------------------------------------
// Convergence
// ---------------------------------------------------------------------------

static void test_converges(void **state)
{
    (void)state;
    const double tolerances[] = {0.0, 1e-12, 1e-6, 1e-3};
    for (int i = 0; i < CASES; i++) {
        for (int m = 0; m < METHODS; m++) {
            for (size_t k = 0; k < sizeof tolerances / sizeof tolerances[0]; k++) {
                Probe probe;
                Crossing bracket = bracket_of(&cases[i], 0.0, &probe);
                Localisation result = {.tolerance = tolerances[k]};
                assert_int_equal(locate_refine(methods[m], evaluate, &probe, &bracket, &result), 0);
                double resolution = fmax(tolerances[k], locate_resolution(cases[i].b));
                assert_true(result.has_converged);
                assert_true(result.t == bracket.b); // the right end: the sign has changed
                assert_true(bracket.h_b * bracket.direction >= 0.0);
                assert_true(bracket.h_a * bracket.direction < 0.0);
                assert_true(bracket.b - bracket.a <= resolution);
                // Rounding of h moves its zero by a few units.
                assert_close(result.t, cases[i].root, resolution + 4e-16);
                int most = methods[m] == SALTUS_LOCATE_BISECTION ? 54 : cases[i].most;
                if (result.iterations > most)
                    fail_msg("%s, %s: %d iterations", cases[i].name, saltus_locate_name(methods[m]),
                             result.iterations);
            }
        }
    }
}

// The same far from zero and backwards in time's sign: nothing depends on where the origin is.
static void test_elsewhere(void **state)
{
    (void)state;
    const double shifts[] = {1e3, -1e3, 1e6};
    for (int i = 0; i < 3; i++) {
        for (int m = 0; m < METHODS; m++) {
            for (size_t k = 0; k < sizeof shifts / sizeof shifts[0]; k++) {
                Probe probe;
                Crossing bracket = bracket_of(&cases[i], shifts[k], &probe);
                Localisation result = {.tolerance = 0.0};
                assert_int_equal(locate_refine(methods[m], evaluate, &probe, &bracket, &result), 0);
                assert_true(result.has_converged);
                assert_close(result.t - shifts[k], cases[i].root,
                             4.0 * DBL_EPSILON * fabs(shifts[k]));
            }
        }
    }
}

// An estimate is enough where re-stepped states finish the bracket: fewer evaluations.
static void test_estimate(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) { // smooth ones
        for (int m = 0; m < METHODS; m++) {
            Probe full, quick;
            Crossing a = bracket_of(&cases[i], 0.0, &full);
            Crossing b = bracket_of(&cases[i], 0.0, &quick);
            Localisation result = {.tolerance = 1e-10};
            assert_int_equal(locate_refine(methods[m], evaluate, &full, &a, &result), 0);
            result.is_estimate = true;
            assert_int_equal(locate_refine(methods[m], evaluate, &quick, &b, &result), 0);
            assert_true(result.has_converged);
            assert_close(result.t, cases[i].root, 1e-10);
            assert_true(quick.evaluations <= full.evaluations);
        }
    }
}

// A third point beside the bracket makes the first proposals of a smooth function better.
static void test_point_beside(void **state)
{
    (void)state;
    const SaltusLocate with[] = {SALTUS_LOCATE_BRENT, SALTUS_LOCATE_QUADRATIC};
    for (int m = 0; m < 2; m++) {
        Probe probe;
        Crossing bracket = bracket_of(&cases[1], 0.0, &probe); // a parabola
        bracket.c = 2.0;
        bracket.h_c = parabola(2.0);
        Localisation result = {.most = 1};
        assert_int_equal(locate_refine(with[m], evaluate, &probe, &bracket, &result), 0);
        assert_close(result.t, 0.7, 4e-16); // exact at once
    }
}

// ---------------------------------------------------------------------------
// Limited iterations
// ---------------------------------------------------------------------------

static double first_estimate(SaltusLocate method, const Case *c, int most)
{
    Probe probe;
    Crossing bracket = bracket_of(c, 0.0, &probe);
    Localisation result = {.most = most};
    assert_int_equal(locate_refine(method, evaluate, &probe, &bracket, &result), 0);
    assert_int_equal(result.iterations, most);
    assert_false(result.has_converged);
    return result.t;
}

static void test_textbook(void **state)
{
    (void)state;
    const Case *c = &cases[2]; // cos t - t on [0, 2]
    double h_a = falling(0.0), h_b = falling(2.0);
    // Secant: t = b - h_b (b - a) / (h_b - h_a)
    assert_close(first_estimate(SALTUS_LOCATE_SECANT, c, 1), 2.0 - h_b * 2.0 / (h_b - h_a), 4e-16);
    // Newton from the left end: t = a - h_a / h'_a, then again from there.
    double newton = 0.0 - h_a / falling_slope(0.0);
    assert_close(first_estimate(SALTUS_LOCATE_TANGENT, c, 1), newton, 4e-16);
    newton = newton - falling(newton) / falling_slope(newton);
    assert_close(first_estimate(SALTUS_LOCATE_TANGENT, c, 2), newton, 4e-16);
    newton = newton - falling(newton) / falling_slope(newton);
    assert_close(first_estimate(SALTUS_LOCATE_TANGENT, c, 3), newton, 4e-16);
    assert_true(first_estimate(SALTUS_LOCATE_BISECTION, c, 1) == 1.0);
    assert_true(first_estimate(SALTUS_LOCATE_BISECTION, c, 2) == 0.5);
}

// A tangent that leaves the bracket gives way to the middle.
static void test_tangent_outside(void **state)
{
    (void)state;
    const Case *c = &cases[3]; // flat at the left end
    assert_true(first_estimate(SALTUS_LOCATE_TANGENT, c, 1) == 0.5);
    const Case *none = &cases[7]; // slope 0: no zero at all
    assert_true(first_estimate(SALTUS_LOCATE_TANGENT, none, 1) == 0.5);
}

// ---------------------------------------------------------------------------
// Degenerate brackets
// ---------------------------------------------------------------------------

static double zero_from_half(double t)
{
    return t < 0.5 ? 0.5 - t : 0.0;
}

static double zero_from_half_slope(double t)
{
    return t < 0.5 ? -1.0 : 0.0;
}

// Where an interval of zeros begins.
static void test_interval_of_zeros(void **state)
{
    (void)state;
    const Case c = {"zeros", zero_from_half, zero_from_half_slope, 0.0, 1.0, 0.5, 60};
    for (int m = 0; m < METHODS; m++) {
        Probe probe;
        Crossing bracket = bracket_of(&c, 0.0, &probe);
        bracket.direction = probe.direction = -1;
        Localisation result = {0};
        assert_int_equal(locate_refine(methods[m], evaluate, &probe, &bracket, &result), 0);
        assert_true(result.has_converged);
        assert_close(result.t, 0.5, 1e-15);
        assert_true(result.iterations <= 120);
    }
}

// The zero is the right end itself, exactly.
static void test_zero_at_the_end(void **state)
{
    (void)state;
    const Case c = {"end", line, line_slope, 0.0, 1.0 / 3.0, 1.0 / 3.0, 4};
    for (int m = 0; m < METHODS; m++) {
        Probe probe;
        Crossing bracket = bracket_of(&c, 0.0, &probe);
        bracket.direction = probe.direction = 1;
        assert_true(bracket.h_b == 0.0);
        Localisation result = {0};
        assert_int_equal(locate_refine(methods[m], evaluate, &probe, &bracket, &result), 0);
        assert_close(result.t, 1.0 / 3.0, 2e-16);
        assert_true(result.iterations <= 4); // one look before it says that there is no earlier one
    }
}

// The left end is zero, or beyond it by rounding: the root is still the one that follows.
static double rounded(double t)
{
    return t == 0.0 ? 1e-17 : t * (t - 0.25);
}

static double rounded_slope(double t)
{
    return 2.0 * t - 0.25;
}

static void test_left_end_on_the_wrong_side(void **state)
{
    (void)state;
    const Case c = {"rounded", rounded, rounded_slope, 0.0, 1.0, 0.25, 80};
    for (int m = 0; m < METHODS; m++) {
        Probe probe;
        Crossing bracket = bracket_of(&c, 0.0, &probe);
        Localisation result = {0};
        assert_int_equal(locate_refine(methods[m], evaluate, &probe, &bracket, &result), 0);
        assert_true(result.has_converged);
        if (fabs(result.t - 0.25) > 1e-15)
            fail_msg("%s: %.17g", saltus_locate_name(methods[m]), result.t);
    }
}

// Neighbouring numbers, and brackets below the tolerance: nothing to do.
static void test_nothing_to_do(void **state)
{
    (void)state;
    for (int m = 0; m < METHODS; m++) {
        Probe probe;
        Crossing bracket = bracket_of(&cases[0], 0.0, &probe);
        bracket.a = bracket.c = nextafter(1.0 / 3.0, 0.0);
        bracket.h_a = line(bracket.a);
        bracket.b = nextafter(1.0 / 3.0, 1.0);
        bracket.h_b = line(bracket.b);
        probe.low = bracket.a, probe.high = bracket.b;
        Localisation result = {0};
        assert_int_equal(locate_refine(methods[m], evaluate, &probe, &bracket, &result), 0);
        assert_true(result.has_converged);
        assert_int_equal(result.iterations, 0);
        assert_true(result.t == bracket.b);
    }
}

static void test_failures(void **state)
{
    (void)state;
    for (int m = 0; m < METHODS; m++) {
        for (int n = 1; n <= 3; n++) {
            Probe probe;
            Crossing bracket = bracket_of(&cases[2], 0.0, &probe);
            probe.fail_at = n;
            Localisation result = {0};
            assert_int_equal(locate_refine(methods[m], evaluate, &probe, &bracket, &result), 5);
            assert_int_equal(probe.evaluations, n);
        }
    }
}

// ---------------------------------------------------------------------------
// That it ends
// ---------------------------------------------------------------------------

// Zero up to 0.537: no chord of a part that begins there leads anywhere.
static double resting(double t)
{
    return fmax(0.0, t - 0.537);
}

static double resting_slope(double t)
{
    return t > 0.537 ? 1.0 : 0.0;
}

// Rounded to 2^-53: u - 0.7, where u changes by 1e-9 in a second.
static double quanta(double t)
{
    volatile double u = 0.7 + 1e-9 * (t - 0.4);
    return u - 0.7;
}

static double quanta_slope(double t)
{
    (void)t;
    return 1e-9;
}

// The same, where zero may be of the old sign: what the bracket is meanwhile is not known here.
static int evaluate_plainly(void *user, double t, double *h, double *dh)
{
    Probe *probe = user;
    if (++probe->evaluations == probe->fail_at)
        return 5;
    *h = probe->c->h(t);
    if (dh)
        *dh = probe->c->dh(t);
    return 0;
}

// Where |h| shrinks, or is zero, without the bracket becoming smaller.
static void test_ends(void **state)
{
    (void)state;
    const Case ending[] = {{"resting", resting, resting_slope, 0.1, 1.0, 0.537, 0},
                           {"quanta", quanta, quanta_slope, 0.1, 1.0, 0.4, 0}};
    // The bound in locate.c: 6 + 3 (log2(0.9 / 4.4e-16) + 1) + 1.
    const int most = 6 + 3 * (51 + 1) + 1;
    for (int i = 0; i < 2; i++) {
        for (int m = 0; m < METHODS; m++) {
            Probe probe;
            Crossing bracket = bracket_of(&ending[i], 0.0, &probe);
            probe.fail_at = 1000;
            Localisation result = {0};
            assert_int_equal(locate_refine(methods[m], evaluate_plainly, &probe, &bracket, &result),
                             0);
            assert_true(result.has_converged);
            assert_in_range(result.iterations, 1, most);
            assert_true(bracket.h_b * bracket.direction >= 0.0);
            // The first point where it is not zero; a quantum is 1.1e-7 s.
            assert_close(result.t, ending[i].root, i == 0 ? 4e-16 : 1.2e-7);
        }
    }
}

// In the noise any point will do, also for an estimate.
static void test_noise(void **state)
{
    (void)state;
    const Case noisy = {"quanta", quanta, quanta_slope, 0.1, 1.0, 0.4, 0};
    for (int m = 0; m < METHODS; m++) {
        Probe probe;
        Crossing bracket = bracket_of(&noisy, 0.0, &probe);
        Localisation result = {.is_estimate = true};
        assert_int_equal(locate_refine(methods[m], evaluate_plainly, &probe, &bracket, &result), 0);
        assert_true(result.has_converged);
        // 0.9 / 2^23 is a quantum, and every third proposal halves; not 51 halvings, down to the
        // resolution of time.
        assert_in_range(result.iterations, 1, 6 + 3 * 23);
        assert_close(result.t, 0.4, 5e-7);
    }
}

// Where zero counts as the old sign, the event is where h is beyond it: at the end of a rest.
static double dead_zone(double t)
{
    return t < 0.3 ? 0.3 - t : t > 0.6 ? 0.6 - t : 0.0;
}

static double dead_zone_slope(double t)
{
    return t < 0.3 || t > 0.6 ? -1.0 : 0.0;
}

static void test_beyond_zero(void **state)
{
    (void)state;
    const Case zone = {"dead zone", dead_zone, dead_zone_slope, 0.1, 1.0, 0.6, 0};
    for (int m = 0; m < METHODS; m++) {
        for (int beyond = 0; beyond < 2; beyond++) {
            Probe probe;
            Crossing bracket = bracket_of(&zone, 0.0, &probe);
            bracket.is_beyond = beyond == 1;
            Localisation result = {0};
            assert_int_equal(locate_refine(methods[m], evaluate_plainly, &probe, &bracket, &result),
                             0);
            assert_close(result.t, beyond == 1 ? 0.6 : 0.3, 4e-16);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_converges),
        cmocka_unit_test(test_elsewhere),
        cmocka_unit_test(test_estimate),
        cmocka_unit_test(test_point_beside),
        cmocka_unit_test(test_textbook),
        cmocka_unit_test(test_tangent_outside),
        cmocka_unit_test(test_interval_of_zeros),
        cmocka_unit_test(test_zero_at_the_end),
        cmocka_unit_test(test_left_end_on_the_wrong_side),
        cmocka_unit_test(test_nothing_to_do),
        cmocka_unit_test(test_failures),
        cmocka_unit_test(test_ends),
        cmocka_unit_test(test_noise),
        cmocka_unit_test(test_beyond_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
