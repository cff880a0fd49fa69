// SPDX-License-Identifier: MIT
//
// Newton's method: convergence to rounding, domains that end, poles, iterates that run away,
// Jacobians without inverse.

#include "numerics/newton.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

// One equation f(u) = 0 with its slope and the size of its terms.
typedef struct Problem {
    double u;
    double (*f)(double u);
    double (*slope)(double u);
    double (*terms)(double u); // NULL: nobody knows
    double matrix;
    long evaluations;
} Problem;

static int residuals(void *user, double *r)
{
    Problem *p = user;
    p->evaluations++;
    r[0] = p->f(p->u);
    return 0;
}

static int linearize(void *user, const double *r)
{
    (void)r;
    Problem *p = user;
    p->matrix = p->slope(p->u);
    return p->matrix == 0.0 || !isfinite(p->matrix) ? 7 : 0;
}

static void solve(void *user, double *b)
{
    b[0] /= ((Problem *)user)->matrix;
}

static bool is_small(void *user, const double *r)
{
    Problem *p = user;
    return fabs(r[0]) <= 1e-6 * p->terms(p->u);
}

static const double one = 1.0;

static NewtonStatus run(Problem *p, double guess, Newton *newton)
{
    static double work[6];
    assert_true(newton_work(1) <= 6);
    p->u = guess;
    *newton = (Newton){.n = 1,
                       .u = &p->u,
                       .floor = &one,
                       .noise = 1e-9,
                       .columns = 1,
                       .user = p,
                       .residuals = residuals,
                       .linearize = linearize,
                       .solve = solve,
                       .is_small = p->terms ? is_small : NULL,
                       .work = work};
    return newton_solve(newton);
}

static double square(double u)
{
    return u * u - 2.0;
}

static double square_slope(double u)
{
    return 2.0 * u;
}

static double square_terms(double u)
{
    return u * u + 2.0;
}

static void square_root(void **state)
{
    (void)state;
    Problem p = {.f = square, .slope = square_slope, .terms = square_terms};
    Newton newton;
    for (double guess = 1e-3; guess < 1e6; guess *= 7.0) {
        assert_int_equal(run(&p, guess, &newton), NEWTON_SOLVED);
        // two roundings of the last correction
        assert_true(fabs(p.u - sqrt(2.0)) <= 2.0 * DBL_EPSILON);
    }
    // At the solution one Jacobian and one evaluation are enough.
    p.evaluations = 0;
    assert_int_equal(run(&p, sqrt(2.0), &newton), NEWTON_SOLVED);
    assert_true(newton.iterations == 1 && p.evaluations == 1);
    // A singular Jacobian is told as it is.
    assert_int_equal(run(&p, 0.0, &newton), NEWTON_STOPPED);
    assert_int_equal(newton.code, 7);
}

static double logarithm(double u)
{
    return log(u) - 1.0;
}

static double logarithm_slope(double u)
{
    return 1.0 / u;
}

static double logarithm_terms(double u)
{
    return fabs(log(u)) + 1.0;
}

// From 20 the full step leads to u < 0, where there is no logarithm.
static void end_of_the_domain(void **state)
{
    (void)state;
    Problem p = {.f = logarithm, .slope = logarithm_slope, .terms = logarithm_terms};
    Newton newton;
    assert_true(isnan(logarithm(20.0 - logarithm(20.0) / logarithm_slope(20.0))));
    assert_int_equal(run(&p, 20.0, &newton), NEWTON_SOLVED);
    assert_true(fabs(p.u - exp(1.0)) <= 4.0 * DBL_EPSILON * exp(1.0));
    assert_int_equal(run(&p, -1.0, &newton), NEWTON_STOPPED);
}

static double pole(double u)
{
    return 1.0 / u - 0.5;
}

static double pole_slope(double u)
{
    return -1.0 / (u * u);
}

static double pole_terms(double u)
{
    return fabs(1.0 / u) + 0.5;
}

// Beside a pole corrections are as small as u, whatever the residual is.
static void beside_a_pole(void **state)
{
    (void)state;
    Problem p = {.f = pole, .slope = pole_slope, .terms = pole_terms};
    Newton newton;
    assert_int_equal(run(&p, 1e-12, &newton), NEWTON_SOLVED);
    assert_true(fabs(p.u - 2.0) <= 4.0 * DBL_EPSILON);
}

static double wave(double u)
{
    return sin(u) - 2.0;
}

static double wave_terms(double u)
{
    return fabs(sin(u)) + 2.0;
}

static double bump(double u)
{
    return 1.0 / (1.0 + u * u);
}

static double bump_slope(double u)
{
    return -2.0 * u / ((1.0 + u * u) * (1.0 + u * u));
}

// There is no solution, but corrections are small in comparison to u far away.
static void nothing_to_find(void **state)
{
    (void)state;
    Problem p = {.f = wave, .slope = cos, .terms = wave_terms};
    Newton newton;
    for (double guess = 0.1; guess < 1e20; guess *= 9.0)
        assert_int_equal(run(&p, guess, &newton), NEWTON_DIVERGED);
    p = (Problem){.f = bump, .slope = bump_slope, .terms = bump};
    assert_int_equal(run(&p, 1.0, &newton), NEWTON_DIVERGED);
}

// Terms that vanish at the solution: it is one because the iteration contracts.
static void terms_that_vanish(void **state)
{
    (void)state;
    Problem p = {.f = sin, .slope = cos, .terms = sin};
    Newton newton;
    for (double guess = 1.0; guess > 1e-30; guess *= 0.01) {
        assert_int_equal(run(&p, guess, &newton), NEWTON_SOLVED);
        assert_true(fabs(p.u) <= DBL_EPSILON);
    }
}

// u0 + u1 = 3 twice: of the corrections those of least norm, from (1, 0) to (2, 1).
static int redundant_residuals(void *user, double *r)
{
    const double *u = user;
    r[0] = u[0] + u[1] - 3.0;
    r[1] = 2.0 * u[0] + 2.0 * u[1] - u[2];
    return 0;
}

static Newton *deficient;

static int redundant_matrix(void *user, const double *r)
{
    (void)user;
    (void)r;
    deficient->is_deficient = true;
    return 0;
}

// The pseudoinverse of (1 1; 2 2) is (1 2; 1 2) / 10.
static void redundant_solve(void *user, double *b)
{
    (void)user;
    b[0] = b[1] = (b[0] + 2.0 * b[1]) / 10.0;
}

static bool redundant_small(void *user, const double *r)
{
    (void)user;
    return fabs(r[0]) < 1e-9 && fabs(r[1]) < 1e-9;
}

static void redundant_equations(void **state)
{
    (void)state;
    double u[3] = {1.0, 0.0, 6.0}, floor[2] = {1.0, 1.0}, work[12];
    Newton newton = {.n = 2,
                     .u = u,
                     .floor = floor,
                     .noise = 1e-9,
                     .user = u,
                     .residuals = redundant_residuals,
                     .linearize = redundant_matrix,
                     .solve = redundant_solve,
                     .is_small = redundant_small,
                     .work = work};
    deficient = &newton;
    assert_int_equal(newton_solve(&newton), NEWTON_SOLVED);
    assert_true(fabs(u[0] - 2.0) < 1e-15 && fabs(u[1] - 1.0) < 1e-15);
    u[2] = 7.0; // a contradiction: the correction vanishes, the residuals do not
    assert_int_equal(newton_solve(&newton), NEWTON_DIVERGED);
}

// A flow u out of a vessel whose pressure falls by it: 1e5 + u has steps of 1.5e-11, which a
// conductance of 10 makes steps of 1.5e-10 in the residual, thousands of times the millionth of its
// terms. The solution is 2.5e-6 / 11.
static double cancelled(double u)
{
    const double pressure = 1e5 + u;
    return u + 10.0 * ((pressure - 1e5) - 2.5e-7);
}

static double cancelled_slope(double u)
{
    (void)u;
    return 11.0;
}

static double cancelled_terms(double u)
{
    return 2.0 * fabs(u);
}

static void rounding_of_large_terms(void **state)
{
    (void)state;
    Problem p = {.f = cancelled, .slope = cancelled_slope, .terms = cancelled_terms};
    Newton newton;
    for (double guess = -1.0; guess < 1.0; guess += 0.01) {
        assert_int_equal(run(&p, guess, &newton), NEWTON_SOLVED);
        assert_true(fabs(p.u - 2.5e-6 / 11.0) <= 1.5e-11);
    }
}

// u - b + a max(c u, 0) with b = s (1, 1), a = (-3, 3), c = (1/2, 1/2): where c u is below zero the
// correction is b, but behind the kink no part of it makes the residuals smaller. The solution is
// s (4, -2).
typedef struct Kink {
    double u[2], s;
    bool is_behind;
} Kink;

static int kink_residuals(void *user, double *r)
{
    Kink *k = user;
    const double c = 0.5 * (k->u[0] + k->u[1]), m = c > 0.0 ? c : 0.0;
    r[0] = k->u[0] - k->s - 3.0 * m;
    r[1] = k->u[1] - k->s + 3.0 * m;
    return 0;
}

static int kink_matrix(void *user, const double *r)
{
    (void)r;
    Kink *k = user;
    k->is_behind = k->u[0] + k->u[1] > 0.0;
    return 0;
}

// The inverse of (-0.5 -1.5; 1.5 2.5), whose determinant is 1, behind the kink.
static void kink_solve(void *user, double *b)
{
    const Kink *k = user;
    const double x = 2.5 * b[0] + 1.5 * b[1], y = -1.5 * b[0] - 0.5 * b[1];
    b[0] = k->is_behind ? x : b[0];
    b[1] = k->is_behind ? y : b[1];
}

static NewtonStatus run_kink(Kink *k)
{
    static const double ones[] = {1.0, 1.0};
    double work[12];
    assert_true(newton_work(2) <= 12);
    Newton newton = {.n = 2,
                     .u = k->u,
                     .floor = ones,
                     .noise = 1e-9,
                     .user = k,
                     .residuals = kink_residuals,
                     .linearize = kink_matrix,
                     .solve = kink_solve,
                     .work = work};
    return newton_solve(&newton);
}

// Near by the other side is tried; what is far could be another solution.
static void beyond_a_kink(void **state)
{
    (void)state;
    Kink near = {.u = {-1e-20, -1e-20}, .s = 1e-8};
    assert_int_equal(run_kink(&near), NEWTON_SOLVED);
    assert_true(fabs(near.u[0] - 4e-8) < 1e-20 && fabs(near.u[1] + 2e-8) < 1e-20);
    Kink far = {.u = {-1e-20, -1e-20}, .s = 1.0};
    assert_int_equal(run_kink(&far), NEWTON_DIVERGED);
}

// An amplifier of gain 1e6 between its limits, with feedback: the slope is 1e-3 outside of an
// interval of width 2e-6, and 1e6 inside.
static double limited(double u)
{
    const double v = 1e6 * (u - 0.3);
    return (v > 1.0 ? 1.0 : v < -1.0 ? -1.0 : v) + 1e-3 * (u - 0.3) - 0.5;
}

static double limited_slope(double u)
{
    return fabs(u - 0.3) > 1e-6 ? 1e-3 : 1e6 + 1e-3;
}

static double limited_terms(double u)
{
    return 1.5 + 1e-3 * fabs(u);
}

static void steep_between_kinks(void **state)
{
    (void)state;
    Problem p = {.f = limited, .slope = limited_slope, .terms = limited_terms};
    Newton newton;
    for (double guess = -50.0; guess < 50.0; guess += 3.7) {
        assert_int_equal(run(&p, guess, &newton), NEWTON_SOLVED);
        // 1e6 (u - 0.3) is computed to 1e6 roundings of 0.3: u to a rounding
        assert_true(fabs(p.u - (0.3 + 0.5 / (1e6 + 1e-3))) <= 4.0 * DBL_EPSILON);
    }
}

// A function that jumps over zero has no root there.
static double jump(double u)
{
    return u < 0.3 ? u - 2.0 : u + 2.0;
}

static double jump_slope(double u)
{
    (void)u;
    return 1.0;
}

static double jump_terms(double u)
{
    return fabs(u) + 2.0;
}

static void jump_over_zero(void **state)
{
    (void)state;
    Problem p = {.f = jump, .slope = jump_slope, .terms = jump_terms};
    Newton newton;
    assert_int_equal(run(&p, 1.0, &newton), NEWTON_DIVERGED);
    assert_int_equal(run(&p, -1.0, &newton), NEWTON_DIVERGED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(square_root),
        cmocka_unit_test(end_of_the_domain),
        cmocka_unit_test(beside_a_pole),
        cmocka_unit_test(nothing_to_find),
        cmocka_unit_test(terms_that_vanish),
        cmocka_unit_test(redundant_equations),
        cmocka_unit_test(rounding_of_large_terms),
        cmocka_unit_test(beyond_a_kink),
        cmocka_unit_test(steep_between_kinks),
        cmocka_unit_test(jump_over_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
