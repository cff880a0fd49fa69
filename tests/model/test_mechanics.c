// SPDX-License-Identifier: MIT
//
// Mechanics of models/examples/ against closed forms and conserved quantities.

#include "model/example.h"

static const double bound = EXAMPLE_BOUND;

static void mass_spring_damper(void **state)
{
    (void)state;
    Trial *t = example_run("MassSpringDamper", 5.0);
    const double a = 1.0, w = sqrt(24.0), e = exp(-a * 5.0);
    ASSERT_LAST(t, "mass.s", 0.2 * (1.0 - e * (cos(w * 5.0) + a / w * sin(w * 5.0))), bound);
    ASSERT_LAST(t, "mass.v", 0.2 * e * (w + a * a / w) * sin(w * 5.0), bound);
    trial_end(t);
}

static void coupled_masses(void **state)
{
    (void)state;
    Trial *t = example_run("CoupledMasses", 5.0);
    const double w = 2.0 * 10.0 * sin(example_pi / 12.0);
    ASSERT_LAST(t, "mass[1].s", sin(example_pi / 6.0) * cos(w * 5.0), 10.0 * bound);
    ASSERT_LAST(t, "mass[3].s", cos(w * 5.0), 10.0 * bound);
    trial_end(t);
}

// The amplitudes 1, 0.84, 0.68, ... lose 2 fc / c in each half swing of pi / 10 s; below fc / c it
// sticks.
static void dry_friction(void **state)
{
    (void)state;
    Trial *t = example_run("DryFriction", 3.0);
    ASSERT_LAST(t, "mass.s", 0.04, bound);
    ASSERT_LAST(t, "mass.v", 0.0, bound);
    ASSERT_LAST(t, "friction.mode", 0.0, 0.0);
    // the mode is -1 and 1 in turn, from the start on, and 0 in the end
    ASSERT_NEAR(example_change(t, "friction.mode", 5), 6.0 * example_pi / 10.0, bound);
    trial_end(t);
}

// The block sticks up to s = fs / c = 0.05 m. Then it slides: s = 0.02 + 0.03 cos 10 t + 0.01 sin
// 10 t until its speed is that of the belt again: tan 5 t = -3, s = -0.01.
static void stick_slip(void **state)
{
    (void)state;
    Trial *t = example_run("StickSlip", 5.0);
    const double slip = (example_pi - atan(3.0)) / 5.0, period = slip + 0.6;
    const double rest = fmod(5.0 - 0.5, period);
    ASSERT_LAST(t, "body.s", -0.01 + 0.1 * (rest - slip), bound);
    ASSERT_LAST(t, "body.v", 0.1, bound);
    trial_end(t);
}

// In contact it oscillates around -m g / c with w = sqrt(c / m), for 2 / w (pi - atan(v w / g)).
static void elastic_impact(void **state)
{
    (void)state;
    Trial *t = example_run("ElasticImpact", 3.0);
    const double g = 9.81, w = 100.0, v = sqrt(2.0 * g), fall = v / g;
    const double contact = 2.0 / w * (example_pi - atan(v * w / g));
    const double rest = fmod(3.0 + fall, 2.0 * fall + contact); // since it left the floor
    ASSERT_LAST(t, "ball.s", v * rest - 0.5 * g * rest * rest, 10.0 * bound);
    ASSERT_NEAR(example_change(t, "ground.contact", 0), fall, bound);
    ASSERT_NEAR(example_change(t, "ground.contact", 1), fall + contact, bound);
    trial_end(t);
}

// One ball swings out on each side in turn: half a period each.
static void newtons_cradle(void **state)
{
    (void)state;
    Trial *t = example_run("NewtonsCradle", 3.0);
    const double w = sqrt(9.81 / 0.5);
    ASSERT_LAST(t, "phi[1]", -0.2 * fabs(cos(w * 3.0)), bound);
    ASSERT_LAST(t, "phi[2]", 0.0, bound);
    ASSERT_LAST(t, "phi[3]", 0.0, bound);
    ASSERT_LAST(t, "energy", 0.5 * w * w * 0.04, bound);
    ASSERT_LAST(t, "hits", 8.0, 0.0);
    trial_end(t);
}

static void pendulums(void **state)
{
    (void)state;
    Trial *t = example_run("DoublePendulum", 10.0);
    ASSERT_LAST(t, "energy", -1.5 * 9.81 * cos(1.0) - 0.5 * 9.81 * 0.8 * cos(0.5), 10.0 * bound);
    trial_end(t);

    t = example_run("CartPendulum", 5.0);
    ASSERT_LAST(t, "energy", -0.8 * 9.81, 10.0 * bound);
    ASSERT_LAST(t, "momentum", 0.0, bound);
    const double x = trial_value(t, "x") - trial_value(t, "s"), y = trial_value(t, "y");
    ASSERT_NEAR(x * x + y * y, 1.0, 1e-10); // solved for, not integrated
    trial_end(t);

    t = example_run("ElasticPendulum", 10.0);
    const double r = sqrt(0.09 + 1.44);
    ASSERT_LAST(t, "energy", -1.2 * 9.81 + 20.0 * (r - 1.0) * (r - 1.0), 10.0 * bound);
    trial_end(t);
}

static void two_inertias(void **state)
{
    (void)state;
    Trial *t = example_run("TwoInertias", 5.0);
    const double w = sqrt(90.0);
    ASSERT_LAST(t, "a.w", 1.0 + 2.0 * cos(5.0 * w), 10.0 * bound);
    ASSERT_LAST(t, "b.w", 1.0 - cos(5.0 * w), 10.0 * bound);
    trial_end(t);
}

// At 1.5 s the engine has 55, the load 25 rad/s; they meet after 30 / (130 + 50) s and go on with
// 20 / 4 rad/s2.
static void clutch_engagement(void **state)
{
    (void)state;
    Trial *t = example_run("ClutchEngagement", 3.0);
    ASSERT_LAST(t, "engine.w", 40.0, 40.0 * bound);
    ASSERT_LAST(t, "load.w", 40.0, 40.0 * bound);
    ASSERT_LAST(t, "clutch.tau", -15.0, 40.0 * bound);
    ASSERT_LAST(t, "clutch.mode", 0.0, 0.0);
    ASSERT_NEAR(example_change(t, "clutch.mode", 1), 1.5 + 1.0 / 6.0, bound);
    trial_end(t);
}

static void braking(void **state)
{
    (void)state;
    Trial *t = example_run("Braking", 3.9);
    ASSERT_LAST(t, "wheel.w", 0.0, bound);
    ASSERT_LAST(t, "wheel.phi", 32.5 + 35.0 * 35.0 / 30.0, 100.0 * bound);
    assert_int_equal(trial_run(t, 5.0), SALTUS_OK);
    ASSERT_LAST(t, "wheel.w", 5.0, 10.0 * bound);
    trial_end(t);
}

static void gears(void **state)
{
    (void)state;
    Trial *t = example_run("PlanetaryGear", 2.0);
    const double a = 2.0 / (0.1 + 1.0 / 16.0);
    ASSERT_LAST(t, "sun.w", 2.0 * a, 100.0 * bound);
    ASSERT_LAST(t, "carrier.phi", 0.5 * a * 4.0 / 4.0, 100.0 * bound);
    ASSERT_LAST(t, "housing.flange.tau", -3.0 * (2.0 - 0.1 * a), 10.0 * bound);
    trial_end(t);

    t = example_run("Rolling", 4.0);
    ASSERT_LAST(t, "cart.s", 0.3 * 0.5 * 6.0 / 2.3 * 16.0, 10.0 * bound);
    trial_end(t);
}

// With everything seen from the rotor: L i' = V - R i - k w, J w' = k i - d w.
static void dc_motor(void **state)
{
    (void)state;
    const double time = 0.2, L = 0.01, R = 0.5, k = 0.1, J = 1e-3 + 0.4 / 100.0, d = 0.2 / 100.0;
    Trial *t = example_run("DCMotor", time);
    const double p = 0.5 * (R / L + d / J), q = (R * d + k * k) / (L * J), root = sqrt(p * p - q);
    const double a = -p + root, b = -p - root, last = 24.0 * k / (k * k + R * d);
    const double w = last * (1.0 + (b * exp(a * time) - a * exp(b * time)) / (a - b));
    ASSERT_LAST(t, "rotor.w", w, 100.0 * bound);
    ASSERT_LAST(t, "load.w", 0.1 * w, 100.0 * bound);
    trial_end(t);
}

// The ball falls sqrt(2 h / g) and comes back with half its speed.
static void worlds(void **state)
{
    (void)state;
    Trial *t = example_run("Worlds", 2.0);
    const double fall = sqrt(20.0 / 9.81), rest = 2.0 - fall;
    ASSERT_LAST(t, "earth.ball.h", 0.5 * 9.81 * rest * (fall - rest), bound);
    ASSERT_LAST(t, "moon.ball.h", 10.0 - 0.5 * 1.62 * 4.0, bound);
    trial_end(t);
}

// Without friction the energy is kept; the crank's pin and the rod's end meet.
static void slider_crank(void **state)
{
    (void)state;
    Trial *t = example_run("SliderCrank", 2.0);
    const double r = 0.1, L = 0.3, a = asin(r * sin(0.5) / L);
    const double v = -r * sin(0.5 + a) / cos(a) * 10.0;
    ASSERT_LAST(t, "energy", 0.5 * 2.0 * v * v + 0.5 * 0.05 * 100.0, 10.0 * bound);
    const double phi = trial_value(t, "phi");
    ASSERT_LAST(t, "x", r * cos(phi) + sqrt(L * L - r * r * sin(phi) * sin(phi)), 1e-10);
    trial_end(t);
}

// A mass on a line along e = n / |n|: of its three coordinates those are no states whose part of e
// is zero, for the values of n that the run has. s'' = e g - 10 s.
static void direction_of_a_line_is_a_parameter(void **state)
{
    (void)state;
    const char *text =
        "model M parameter Real n[3] = {0, -1, 0}; final parameter Real e[3] = n / sqrt(n * n); "
        "Real s(start = 1, fixed = true), v(start = 0, fixed = true), r[3], v0[3], a0[3], f[3]; "
        "equation r = e * s; v = der(s); v0 = der(r); a0 = der(v0); f = a0 - {0, -9.81, 0}; "
        "-10 * s = e * f; end M;";
    Trial *t = trial_run_text(text, 1.0);
    trial_assert_value(t, "s", 0.981 + 0.019 * cos(sqrt(10.0)), 1e-5);
    trial_end(t);
    t = trial_text(text);
    trial_parameter(t, "n[1]", 1.0);
    trial_parameter(t, "n[2]", 0.0);
    assert_int_equal(trial_run(t, 1.0), SALTUS_OK);
    trial_assert_value(t, "s", cos(sqrt(10.0)), 1e-5);
    trial_end(t);
}

// A stiff spring that follows a slow motion; what is known of the sizes of its angle and velocity.
static unsigned long spring_steps(const char *velocity)
{
    char text[400];
    snprintf(text, sizeof text,
             "model M Real phi(nominal = 1e-4, stateSelect = StateSelect.always); %s; Real a; "
             "equation w = der(phi); a = der(w); "
             "a = -1e4*w - 1e8*(phi - 1e-4*sin(time)); end M;",
             velocity);
    Trial *t = trial_text(text);
    trial_options(t)->method.solver = SALTUS_SOLVER_RODAS;
    assert_int_equal(trial_run(t, 3.0), SALTUS_OK);
    const unsigned long steps = (unsigned long)saltus_run_statistics(trial_get_run(t)).steps;
    trial_end(t);
    return steps;
}

// The nominal value of an angle says nothing about that of a velocity that has attributes of its
// own: 1 if none is given.
static void velocity_has_its_own_nominal_value(void **state)
{
    (void)state;
    const unsigned long plain = spring_steps("Real w");
    assert_int_equal(plain, spring_steps("Real w(nominal = 1)"));
    assert_true(plain < spring_steps("Real w(nominal = 1e-4)"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(velocity_has_its_own_nominal_value),
        cmocka_unit_test(mass_spring_damper),
        cmocka_unit_test(coupled_masses),
        cmocka_unit_test(dry_friction),
        cmocka_unit_test(stick_slip),
        cmocka_unit_test(elastic_impact),
        cmocka_unit_test(newtons_cradle),
        cmocka_unit_test(pendulums),
        cmocka_unit_test(two_inertias),
        cmocka_unit_test(clutch_engagement),
        cmocka_unit_test(braking),
        cmocka_unit_test(gears),
        cmocka_unit_test(dc_motor),
        cmocka_unit_test(worlds),
        cmocka_unit_test(slider_crank),
        cmocka_unit_test(direction_of_a_line_is_a_parameter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
