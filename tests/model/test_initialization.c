// SPDX-License-Identifier: MIT
//
// The initialization of models: initial equations and algorithms, discrete variables, parameters
// that it finds, what contradicts. Continuous parts are lines or constants, so that values have
// rounding errors only, unless a tolerance is named.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/trial.h"

#include <stdio.h>

#include <math.h>

static const double rounding = 1e-12;

#define CLOCK "Real x(start = 0, fixed = true); "

// v = e and pre(v) = e give the left limit; a when clause that is active at the beginning sets v.
static void discrete_variables(void **state)
{
    (void)state;
    Trial *t =
        trial_run_text("model M " CLOCK "Integer m; Boolean b; discrete Real d, e; "
                       "initial equation pre(m) = 5; pre(b) = true; d = 3.5 + x; e = 2 * d; "
                       "equation der(x) = 1; when x > 0.5 then m = pre(m) + 1; b = not pre(b); "
                       "d = pre(d) + 1; e = pre(e); end when; end M;",
                       0.25);
    ASSERT_VALUE(t, "m", 5.0);
    ASSERT_VALUE(t, "b", 1.0);
    ASSERT_VALUE(t, "d", 3.5);
    ASSERT_VALUE(t, "e", 7.0);
    assert_int_equal(trial_run(t, 1.0), SALTUS_OK);
    ASSERT_VALUE(t, "m", 6.0);
    ASSERT_VALUE(t, "b", 0.0);
    ASSERT_VALUE(t, "d", 4.5);
    trial_end(t);
    trial_expect_error("model M " CLOCK
                       "Integer m;\ninitial equation\nm = 4;\nequation der(x) = 1; "
                       "when initial() then m = 3; end when; end M;",
                       1.0, "the initial equation of m (");
    t = trial_run_text("model M Integer m, n; initial equation m + n = 3; pre(n) = 2; equation "
                       "when time > 1 then m = 7; n = 8; end when; end M;",
                       0.5);
    ASSERT_VALUE(t, "m", 1.0);
    ASSERT_VALUE(t, "n", 2.0);
    trial_end(t);
    trial_expect_message("model M Integer m, n; initial equation max(m, n) = 3; pre(n) = 2; "
                         "equation when time > 1 then m = 1; n = 2; end when; end M;",
                         "cannot be solved exactly for the left limit");
}

// An initial value of a discrete variable that depends on what is solved for.
static void discrete_from_continuous(void **state)
{
    (void)state;
    Trial *t =
        trial_run_text("model M Real y(start = 1); discrete Real d; Real x; "
                       "initial equation d = 2 * y; x = d; "
                       "equation y ^ 3 = 8; der(x) = 0; when time > 9 then d = 0; end when; end M;",
                       1.0);
    ASSERT_VALUE(t, "d", 4.0);
    ASSERT_VALUE(t, "x", 4.0);
    trial_end(t);
}

static void algorithms(void **state)
{
    (void)state;
    Trial *t =
        trial_run_text("model M Real x, y; Integer n; parameter Real p(fixed = false); "
                       "initial algorithm x := 2; for i in 1:3 loop x := x + i; end for; n := 4; "
                       "p := 0; while p < 10 loop p := p + 3; end while; "
                       "equation der(x) = 0; y = p * x; when time > 9 then n = 0; end when; end M;",
                       1.0);
    ASSERT_VALUE(t, "x", 8.0);
    ASSERT_VALUE(t, "n", 4.0);
    ASSERT_VALUE(t, "y", 96.0);
    trial_end(t);
}

// Which branch holds is found together with the values.
static void if_equations(void **state)
{
    (void)state;
    const char *const text = "model M parameter Real p = 3; Real x, y; "
                             "initial equation if y > 2 then x = 1; else der(x) = 7; end if; "
                             "equation der(x) = p - x; y = p; end M;";
    Trial *t = trial_run_text(text, 0.0);
    ASSERT_VALUE(t, "x", 1.0);
    trial_end(t);
    t = trial_text(text);
    trial_parameter(t, "p", 1.0);
    assert_int_equal(trial_run(t, 0.0), SALTUS_OK);
    ASSERT_VALUE(t, "x", -6.0);
    trial_end(t);
}

// Parameters with fixed = false, and those that follow from them; also in start values.
static void found_parameters(void **state)
{
    (void)state;
    Trial *t = trial_run_text(
        "model M parameter Real k(fixed = false, start = 1); parameter Real q = 2 * k; "
        "Real x(start = 1, fixed = true), y = q, z(start = q + 1, fixed = true); "
        "discrete Real d(start = 3 * k); "
        "initial equation der(x) = -3; equation der(x) = -k * x; der(z) = 0; "
        "when time > 9 then d = 0; end when; end M;",
        0.0);
    ASSERT_VALUE(t, "y", 6.0);
    ASSERT_VALUE(t, "z", 7.0);
    ASSERT_VALUE(t, "d", 9.0);
    assert_int_equal(trial_run(t, 1.0), SALTUS_OK);
    // exp(-3) with the default tolerance of 1e-6
    assert_true(fabs(trial_value(t, "x") - exp(-3.0)) < 1e-5);
    trial_end(t);
    t = trial_run_text(
        "model M parameter Integer n(fixed = false, start = 2); Real x(start = 1, fixed = "
        "true); initial equation n = 3; equation der(x) = n; end M;",
        1.0);
    ASSERT_VALUE(t, "x", 4.0);
    trial_end(t);
    // A start value that is not fixed is no equation.
    t = trial_run_text("model M parameter Real p(fixed = false, start = 1); Real x(start = 2 * p, "
                       "fixed = true), y(start = 3 * p); initial equation p^2 = 25; y = 1; "
                       "equation der(x) = -1; der(y) = -1; end M;",
                       0.0);
    ASSERT_VALUE(t, "x", 10.0);
    ASSERT_VALUE(t, "y", 1.0);
    trial_end(t);
    trial_expect_message("model M parameter Real a(fixed = false, start = 4); Real x = a; end M;",
                         "a is a parameter that nothing determines: it has its start value");
}

// From these starts Newton's method fails for the actual equations; those of the way to them, which
// contain other variables, lead there.
static void homotopy(void **state)
{
    (void)state;
    // Of parameters nothing is solved for: it is the actual expression.
    Trial *known = trial_run_text("model M parameter Real a = 20, b = homotopy(a + 1, a); "
                                  "Real x = b, y = homotopy(2 * x, x); end M;",
                                  1.0);
    assert_true(trial_value(known, "x") == 21.0 && trial_value(known, "y") == 42.0);
    trial_end(known);
    Trial *t =
        trial_run_text("model M Real y(start = -5), z(start = 4); "
                       "equation 0 = homotopy(atan(10 * (y - 3)) + 0.001 * (y - 3), y - z + 2); "
                       "homotopy(atan(20 * (z - y)), z - 5 - 0.1 * y) = 0; end M;",
                       1.0);
    ASSERT_VALUE(t, "y", 3.0);
    ASSERT_VALUE(t, "z", 3.0);
    trial_end(t);
    trial_expect_error("model M Real y(start = 1); equation homotopy(y ^ 2 + 4, y - 1) = 0; end M;",
                       1.0, "no initial values");
}

// Of several solutions the one that the simplified equations lead to, whatever the start values
// are; and where conditions decide, those that hold in the simplified solution: an amplifier with
// positive feedback rests at 0, or at either of its limits.
static void homotopy_chooses(void **state)
{
    (void)state;
    Trial *t = trial_run_text(
        "model M Real y(start = 2); equation homotopy(y ^ 2 - 4, -y - 3) = 0; end M;", 0.0);
    ASSERT_VALUE(t, "y", -2.0);
    trial_end(t);
    t = trial_run_text("model M parameter Real G = 1000, k = 0.5, V = 15; Real y, v = k * y; "
                       "equation y = homotopy(smooth(0, if G * v > V then V else "
                       "if G * v < -V then -V else G * v), -V); end M;",
                       1.0);
    ASSERT_VALUE(t, "y", -15.0);
    trial_end(t);
}

static void reinit_at_the_beginning(void **state)
{
    (void)state;
    Trial *t =
        trial_run_text("model M Real x(start = 0), y(start = 0); equation der(x) = 1; der(y) = 1; "
                       "when initial() then reinit(x, 3); end when; "
                       "when {initial(), x > 3.5} then reinit(y, 10); end when; end M;",
                       0.25);
    ASSERT_VALUE(t, "x", 3.25);
    ASSERT_VALUE(t, "y", 10.25);
    assert_int_equal(trial_run(t, 1.0), SALTUS_OK);
    ASSERT_VALUE(t, "y", 10.5);
    trial_end(t);
}

static void contradictions(void **state)
{
    (void)state;
    trial_expect_error("model M Real x(start = 1, fixed = true), y(start = 2, fixed = true);\n"
                       "equation x = 2 * y; der(x) = -x; end M;",
                       1.0, "line 1) contradicts the others by -1.5");
    trial_expect_error(
        "model M Real x;\ninitial equation x = 1;\nder(x) = 5;\nequation der(x) = 1; "
        "end M;",
        1.0, "the initial equation der(x) = 5.0 (");
    trial_expect_message("model M Real x, y(start = 1); equation der(x) = 1; der(y) = 1; end M;",
                         "x has no start value and begins with 0");
    trial_expect_message("model M Real x, y(start = 1); equation der(x) = 1; der(y) = 1; end M;",
                         "y begins with its start value, though that is not fixed");
}

// The current of a phase as its phasor, Im(I): I = (1 - e^(j shift)) / (r + j w), and the power of
// the three is -3/2 Re(I). The shift for this power that is nearest to -3, by bisection.
static double current_by_phasors(double power)
{
    const double r = 0.5, w = 2.0 * acos(-1.0), square = r * r + w * w;
    double low = -3.0, high = -2.5;
    for (int k = 0; k < 60; k++) {
        const double s = 0.5 * (low + high);
        const double real = (r * (1.0 - cos(s)) - w * sin(s)) / square;
        *(real * -1.5 > power ? &low : &high) = s;
    }
    return (-r * sin(low) - w * (1.0 - cos(low))) / square;
}

// The Jacobian is nearly singular at the guess. A correction that leads far away ends where
// numbers have no digits left; it must not be taken for a solution.
static void nearly_singular_guess(void **state)
{
    (void)state;
    Trial *t = trial_run_text(
        "model ThreePhase constant Real pi = 2*asin(1.0);\n"
        "parameter Real shift(fixed = false, start = -3);\n"
        "Real i[3], idq[3], power, P[3, 3], u[3], udq[3], w[3];\n"
        "initial equation der(idq) = {0, 0, 0}; power = -0.12865;\n"
        "equation u = {-sin(2*pi*time + k*2*pi/3) for k in 0:2};\n"
        "w = {sin(2*pi*time + k*2*pi/3 + shift) for k in 0:2};\n"
        "for k in 1:3 loop der(i[k]) + 0.5*i[k] = -u[k] - w[k]; end for;\n"
        "P = sqrt(2/3)*[sin(2*pi*time), sin(2*pi*time + 2*pi/3), sin(2*pi*time + 4*pi/3);\n"
        "  cos(2*pi*time), cos(2*pi*time + 2*pi/3), cos(2*pi*time + 4*pi/3);\n"
        "  1/sqrt(2), 1/sqrt(2), 1/sqrt(2)];\n"
        "udq = P*u; idq = P*i; power = udq*idq; end ThreePhase;",
        0.0);
    ASSERT_VALUE(t, "power", -0.12865);
    // through the slope of the current with the shift, about 2 pi / |r + j w|^2
    ASSERT_VALUE(t, "i[1]", current_by_phasors(-0.12865));
    trial_end(t);
}

// At 0, where guesses begin, there is a pole, or a Jacobian that is zero.
static void guesses_that_lead_nowhere(void **state)
{
    (void)state;
    Trial *t = trial_run_text("model M parameter Real beta = 2, A = 3; Real x, y, z, mdot; "
                              "equation 1 / x * 2 = 1; y ^ 2 - z + 2 = 0; z = 6 + time; "
                              "beta * A ^ 2 * 20000 = mdot ^ 2; end M;",
                              1.0);
    ASSERT_VALUE(t, "x", 2.0);
    ASSERT_VALUE(t, "y", sqrt(5.0));
    ASSERT_VALUE(t, "mdot", 600.0);
    trial_end(t);
    // beside the pole corrections are as small as x, and 1e-12 is no solution
    t = trial_run_text("model M Real x(start = 1e-12); equation 1 / x = 0.5; end M;", 0.0);
    ASSERT_VALUE(t, "x", 2.0);
    trial_end(t);
    // the Jacobian is singular at the solution, which is the guess
    t = trial_run_text("model M Real x(start = 0); equation x ^ 2 = 0; end M;", 1.0);
    ASSERT_VALUE(t, "x", 0.0);
    trial_end(t);
    trial_expect_error("model M Real x(start = 1); equation x ^ 2 + 1 = 0; end M;", 1.0,
                       "no initial values: singular equations for x: x^2 + 1.0 = 0.0 (");
}

// The angle of a pendulum from phi'' = -(g / l) cos(phi), phi = 0 to the right, by the classical
// Runge-Kutta method: 4000 steps of 0.25 ms leave an error of about 1e-12.
static double pendulum_angle(double g, double l, double stop)
{
    enum { STEPS = 4000 };
    const double h = stop / STEPS;
    double phi = 0.0, w = 0.0;
    for (int i = 0; i < STEPS; i++) {
        const double a1 = -g / l * cos(phi), w2 = w + 0.5 * h * a1;
        const double a2 = -g / l * cos(phi + 0.5 * h * w), w3 = w + 0.5 * h * a2;
        const double a3 = -g / l * cos(phi + 0.5 * h * w2), w4 = w + h * a3;
        const double a4 = -g / l * cos(phi + h * w3);
        phi += h / 6.0 * (w + 2.0 * w2 + 2.0 * w3 + w4);
        w += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
    }
    return phi;
}

// Starts that are not fixed, where the choice that structure suggests is singular: x = l leaves y
// and its speed open, which are near to their start values then. All equations hold.
static void singular_choice_of_starts(void **state)
{
    (void)state;
    Trial *t = trial_text("model M parameter Real m = 1, g = 9.81, L = 0.5; Real F; "
                          "Real x(start = L), y(start = 0), xd, yd; equation "
                          "m*der(xd) = -(x/L)*F; m*der(yd) = -(y/L)*F - m*g; der(x) = xd; "
                          "der(y) = yd; x^2 + y^2 = L^2; end M;");
    trial_options(t)->method.relative_tolerance = 1e-9;
    if (trial_run(t, 1.0) != SALTUS_OK)
        fail_msg("%s", trial_error(t));
    const double phi = pendulum_angle(9.81, 0.5, 1.0);
    // the tolerance, which a swing of the pendulum multiplies by about ten
    trial_assert_value(t, "x", 0.5 * cos(phi), 1e-7);
    trial_assert_value(t, "y", 0.5 * sin(phi), 1e-7);
    trial_end(t);
}

// A straight chain of five masses whose starts are not fixed: of many choices of starts most are
// singular there. It begins at rest where the start values say, and keeps its energy.
static void chain_from_its_starts(void **state)
{
    (void)state;
    Trial *t = trial_text(
        "model M parameter Integer n = 5; parameter Real g = 9.81, l = 0.4, phi = 1.2; "
        "Real x[n](start = {l*i*sin(phi) for i in 1:n}), y[n](start = {-l*i*cos(phi) for i in "
        "1:n}), "
        "u[n](each start = 0), v[n](each start = 0), lam[n + 1], dx[n], dy[n]; "
        "Real E = sum((u[i]^2 + v[i]^2)/2 + g*y[i] for i in 1:n); "
        "equation lam[n + 1] = 0; for i in 1:n loop "
        "dx[i] = x[i] - (if i > 1 then x[max(i - 1, 1)] else 0); "
        "dy[i] = y[i] - (if i > 1 then y[max(i - 1, 1)] else 0); der(x[i]) = u[i]; der(y[i]) = "
        "v[i]; "
        "der(u[i]) = -lam[i]*dx[i] + (if i < n then lam[i + 1]*dx[min(i + 1, n)] else 0); "
        "der(v[i]) = -g - lam[i]*dy[i] + (if i < n then lam[i + 1]*dy[min(i + 1, n)] else 0); "
        "dx[i]^2 + dy[i]^2 = l^2; end for; end M;");
    const double energy = -9.81 * 0.4 * cos(1.2) * 15.0;
    trial_options(t)->method.relative_tolerance = 1e-8;
    if (trial_run(t, 0.0) != SALTUS_OK)
        fail_msg("%s", trial_error(t));
    ASSERT_VALUE(t, "x[5]", 2.0 * sin(1.2));
    ASSERT_VALUE(t, "v[5]", 0.0);
    ASSERT_VALUE(t, "E", energy);
    assert_int_equal(trial_run(t, 0.5), SALTUS_OK);
    // a hundred times the tolerance: errors of positions and velocities add up
    trial_assert_value(t, "E", energy, 1e-6);
    trial_end(t);
}

// A guess for d follows from the start of what it consists of; with 0 it would be the solution in
// the middle, from which no step leads to the limits.
static void guesses_from_definitions(void **state)
{
    (void)state;
    Trial *t = trial_run_text("model M parameter Real V = 15, G = 1000, k = 0.4; "
                              "Real z(start = 15), d; equation d = k*z - 0.1; "
                              "z = V*tanh(G*d/V); end M;",
                              0.0);
    // tanh(400 - ...) is 1
    ASSERT_VALUE(t, "z", 15.0);
    ASSERT_VALUE(t, "d", 5.9);
    trial_end(t);
}

// Iterations for the loops of a model count like others.
static void iterations_are_counted(void **state)
{
    (void)state;
    Trial *t = trial_run_text("model M Real x(start = 1, fixed = true), y(start = 1); "
                              "equation der(x) = -y; y ^ 3 + y = x; end M;",
                              1.0);
    const SaltusStatistics counts = saltus_run_statistics(trial_get_run(t));
    assert_true(counts.newton_iterations >= counts.f_evaluations);
    trial_end(t);
}

// What an initial equation says of a discrete variable that a when clause gives a value holds but
// for rounding, whatever the size; what is no rounding, and of Integers the last unit, is refused.
static void surplus_discrete(void **state)
{
    (void)state;
    Trial *t = trial_run_text("model M parameter Real a = 0.1, b = 0.2, c = 0.3; discrete Real d; "
                              "initial equation d = a + b; "
                              "equation when {initial(), time > 0.5} then d = c; end when; end M;",
                              0.25);
    ASSERT_VALUE(t, "d", 0.3); // 0.1 + 0.2 is 5.6e-17 more
    trial_end(t);
    t = trial_run_text("model M parameter Real a = 1e11/3; Real y = 3*a; discrete Real d; "
                       "initial equation d = y/3*1.1/1.1; "
                       "equation when {initial(), time > 0.5} then d = a; end when; end M;",
                       0.25);
    ASSERT_VALUE(t, "d", 1e11 / 3.0);
    trial_end(t);
    // (1 + 1e-9) - 1 is 1.00000008e-9: its rounding is small beside what cancels
    t = trial_run_text("model M parameter Real a = 1, b = 1e-9; discrete Real d; "
                       "initial equation d = (a + b) - a; "
                       "equation when {initial(), time > 0.5} then d = b; end when; end M;",
                       0.25);
    ASSERT_VALUE(t, "d", 1e-9);
    trial_end(t);
    trial_expect_error("model M parameter Real a = 3e-9; discrete Real d; "
                       "initial equation d = 5e-7; "
                       "equation when {initial(), time > 0.5} then d = a; end when; end M;",
                       1.0, "line 1) contradicts the others by -4.97e-07");
    trial_expect_error("model M parameter Integer a = 100000001; discrete Integer d; "
                       "initial equation d = 100000000; "
                       "equation when {initial(), time > 0.5} then d = a; end when; end M;",
                       1.0, "contradicts the others by 1");
}

// What contradicts is a matter of the sizes that are compared; and a start value that is fixed must
// hold also if its variable is another name of one that is solved for.
static void surplus_starts(void **state)
{
    (void)state;
    // 3e11 + 6.1e-5, one rounding beside
    Trial *t = trial_run_text("model M Real p(start = 1e11, fixed = true), "
                              "q(start = 300000000000.00006, fixed = true); "
                              "equation der(p) = -p; q = 3 * p; end M;",
                              0.0);
    trial_end(t);
    trial_expect_error("model M Real p(start = 1e-9, fixed = true), q(start = 5e-7, fixed = true); "
                       "equation der(p) = -p; q = 3 * p; end M;",
                       1.0, "contradicts the others by -4.97e-07");
    trial_expect_error("model M Real x(start = 1, fixed = true), y(start = 2, fixed = true);\n"
                       "equation der(x) = -x; y = x; end M;",
                       1.0, "contradicts the others by");
    trial_expect_error("model M Real x(start = 1, fixed = true), y(start = 1, fixed = true);\n"
                       "equation der(x) = -x; y = -x; end M;",
                       1.0, "contradicts the others by");
    t = trial_run_text("model M Real x(start = 1, fixed = true), y(start = 1, fixed = true); "
                       "equation der(x) = -x; y = x; end M;",
                       0.0);
    assert_string_equal(trial_messages(t), "");
    trial_end(t);
}

// y is 2 by its when clause, though its left limit is fixed at 0: so q is 2, and p is what x was
// fixed at.
static void parameters_of_fixed_variables(void **state)
{
    (void)state;
    Trial *t = trial_run_text("model M discrete Real x(start = 3, fixed = true); "
                              "discrete Real y(start = 0, fixed = true); parameter Real "
                              "p(fixed = false); parameter Real q(fixed = false); Real r = p + q; "
                              "initial equation x = p; y = q; equation "
                              "when sample(0.5, 0.5) then x = 2; end when; "
                              "when {initial(), sample(0.5, 0.5)} then y = 2; end when; end M;",
                              0.1);
    trial_assert_value(t, "r", 5.0, 1e-12);
    trial_end(t);
}

// The left side does not depend on x between -1000 and 1000: the temperature of a fluid that boils,
// as a function of its enthalpy. Newton's method has no direction there; x is 1002, or -1002.
static void flat_in_the_middle(void **state)
{
    (void)state;
    for (int sign = -1; sign <= 1; sign += 2) {
        char text[400];
        snprintf(text, sizeof text,
                 "model M Real x(start = 1); Real z(start = 0, fixed = true); equation der(z) = 1; "
                 "(if noEvent(x < -1000) then x + 1000 elseif noEvent(x > 1000) then x - 1000 "
                 "else 0) = %d + z; end M;",
                 2 * sign);
        Trial *t = trial_run_text(text, 0.5);
        trial_assert_value(t, "x", sign * 1002.0 + 0.5, 1e-9);
        trial_end(t);
    }
    // and nothing is found where there is nothing: the sign changes by a jump
    trial_expect_error("model M Real x(start = 1); Real y = time; equation "
                       "(if noEvent(x > 1.7) then 2 + x^2 else -2 - x^2) = 0*y; end M;",
                       0.1, "no initial values");
}

// An if-equation in an if-equation: of four branches one counts, in whatever order its equations
// are.
static void nested_conditions(void **state)
{
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        char text[700];
        snprintf(
            text, sizeof text,
            "model M parameter Boolean s = %s; Real x, y, w = %s + 0*time; discrete Integer m; "
            "initial equation if s then "
            "if w < 0.5 then x = 1; m = 1; else m = 2; x = 2; end if; y = 7; else y = 8; "
            "if w > 0.5 then m = 3; x = 3; else m = 4; x = 4; end if; end if; "
            "equation der(x) = 0; der(y) = 0; when time > 10 then m = 9; end when; end M;",
            kind < 2 ? "true" : "false", kind == 0 || kind == 3 ? "0.3" : "0.7");
        Trial *t = trial_run_text(text, 1.0);
        ASSERT_VALUE(t, "x", kind + 1.0);
        ASSERT_VALUE(t, "m", kind + 1.0);
        ASSERT_VALUE(t, "y", kind < 2 ? 7.0 : 8.0);
        trial_end(t);
    }
    trial_expect_refusal(
        "model M Real x; initial equation if time < 1 then if time < 2 then x = 1; "
        "else end if; else x = 3; end if; equation der(x) = 0; end M;",
        "equally many equations");
}

// x^2 + 1 has its minimum at the guess, where Newton's method ends; of several equations the one
// that is furthest from zero in comparison to its terms is named.
static void what_is_left_over(void **state)
{
    (void)state;
    trial_expect_error("model M Real x(start = 1), y; equation x^2 + y = -1 + 0*time; y = x^4; "
                       "end M;",
                       1.0, ", line 1) is left over by 1");
    trial_expect_error("model M Real x(start = 1), y(start = 2); equation x^2 + y^2 = -4 + 0*time; "
                       "x*y + exp(x) = 3; end M;",
                       1.0, "; x^2 + y^2 = -4.0 (");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_left_over),
        cmocka_unit_test(flat_in_the_middle),
        cmocka_unit_test(parameters_of_fixed_variables),
        cmocka_unit_test(discrete_variables),
        cmocka_unit_test(discrete_from_continuous),
        cmocka_unit_test(algorithms),
        cmocka_unit_test(if_equations),
        cmocka_unit_test(found_parameters),
        cmocka_unit_test(reinit_at_the_beginning),
        cmocka_unit_test(contradictions),
        cmocka_unit_test(homotopy),
        cmocka_unit_test(nearly_singular_guess),
        cmocka_unit_test(guesses_that_lead_nowhere),
        cmocka_unit_test(iterations_are_counted),
        cmocka_unit_test(surplus_starts),
        cmocka_unit_test(surplus_discrete),
        cmocka_unit_test(chain_from_its_starts),
        cmocka_unit_test(singular_choice_of_starts),
        cmocka_unit_test(guesses_from_definitions),
        cmocka_unit_test(nested_conditions),
        cmocka_unit_test(homotopy_chooses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
