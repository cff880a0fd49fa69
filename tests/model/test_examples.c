// SPDX-License-Identifier: MIT
//
// The first models in models/examples/ against closed forms; bounds as in example.h.

#include "model/example.h"

static const double tolerance = EXAMPLE_TOLERANCE;
static const double bound = EXAMPLE_BOUND;

static Trial *run(const char *file, const char *model, double stop_time)
{
    Trial *t = trial_example(file, model);
    trial_options(t)->method.relative_tolerance = tolerance;
    trial_options(t)->method.absolute_tolerance = 1e-3 * tolerance;
    const SaltusStatus status = trial_run(t, stop_time);
    if (status != SALTUS_OK)
        fail_msg("%s: %s", file, trial_error(t));
    return t;
}

// The k-th bounce is at t1 + 2 v1 / g (c + c^2 + ...). The solver integrates parabolas exactly;
// what remains is rounding.
static void bouncing_ball(void **state)
{
    (void)state;
    Trial *t = run("BouncingBall.mo", NULL, 3.0);
    const SaltusRun *r = trial_get_run(t);
    const double v = sqrt(2.0 * 9.81);
    double time = v / 9.81, speed = v;
    assert_true(saltus_run_event_count(r) >= 5);
    for (long i = 0; i < saltus_run_event_count(r); i++) {
        const SaltusLogEntry e = saltus_run_event(r, i);
        ASSERT_NEAR(e.t, time, 1e-11);
        speed *= 0.8;
        time += 2.0 * speed / 9.81;
        assert_int_equal(e.fired_count >= 1, 1);
    }
    ASSERT_NEAR(trial_value(t, "bounces"), (double)saltus_run_event_count(r), 0.0);
    trial_end(t);
}

static void oscillators(void **state)
{
    (void)state;
    Trial *t = run("Pendulum.mo", NULL, 10.0);
    ASSERT_NEAR(trial_value(t, "energy"), -9.81 * cos(1.0), bound * 9.81);
    trial_end(t);

    t = run("PredatorPrey.mo", NULL, 10.0);
    ASSERT_NEAR(trial_value(t, "invariant"), 10.0 - 3.0 * log(10.0) + 5.0 - 1.5 * log(5.0),
                bound * 10.0);
    trial_end(t);
}

// Another method of another family gives the same.
static void van_der_pol(void **state)
{
    (void)state;
    Trial *t = run("VanDerPol.mo", NULL, 20.0);
    Trial *other = trial_example("VanDerPol.mo", NULL);
    trial_options(other)->method.solver = SALTUS_SOLVER_CVODE;
    trial_options(other)->method.relative_tolerance = 1e-10;
    trial_options(other)->method.absolute_tolerance = 1e-12;
    assert_int_equal(trial_run(other, 20.0), SALTUS_OK);
    // A multistep method over 3 periods: its global error is some 1000 local ones.
    ASSERT_NEAR(trial_value(t, "x"), trial_value(other, "x"), 1e-6);
    trial_end(other);
    trial_end(t);
}

// The same motion in polar coordinates: x = sin phi, y = -cos phi.
static void cartesian_pendulum(void **state)
{
    (void)state;
    Trial *t = run("CartesianPendulum.mo", NULL, 0.5);
    Trial *polar = trial_text("model P Real phi(start = asin(0.8), fixed = true); "
                              "Real w(start = 0, fixed = true); equation der(phi) = w; "
                              "der(w) = -9.81 * sin(phi); end P;");
    trial_options(polar)->method.relative_tolerance = 1e-11;
    trial_options(polar)->method.absolute_tolerance = 1e-13;
    assert_int_equal(trial_run(polar, 0.5), SALTUS_OK);
    const double phi = trial_value(polar, "phi"), w = trial_value(polar, "w");
    ASSERT_NEAR(trial_value(t, "x"), sin(phi), bound);
    ASSERT_NEAR(trial_value(t, "y"), -cos(phi), bound);
    ASSERT_NEAR(trial_value(t, "lambda"), w * w + 9.81 * cos(phi), 10.0 * bound);
    trial_end(polar);
    trial_end(t);
}

// v'' + R/L v' + v / (L C) = V / (L C)
static void series_circuit(void **state)
{
    (void)state;
    Trial *t = run("SeriesCircuit.mo", "SeriesCircuit.Circuit", 10.0);
    const double a = 0.25, w = sqrt(1.0 - a * a), e = exp(-a * 10.0);
    ASSERT_NEAR(trial_value(t, "c.v"), 1.0 - e * (cos(w * 10.0) + a / w * sin(w * 10.0)), bound);
    ASSERT_NEAR(trial_value(t, "r.i"), e * sin(w * 10.0) / w, bound);
    ASSERT_NEAR(trial_value(t, "source.p.i"), -trial_value(t, "r.i"), 0.0);
    trial_end(t);
}

// By Thévenin: the bridge is a source U (R2 / (R1 + R2) - R4 / (R3 + R4)) with the resistance
// R1 || R2 + R3 || R4.
static void linear_block(void **state)
{
    (void)state;
    Trial *t = run("Divider.mo", NULL, 1.0);
    const double u = 10.0 * (2.0 / 3.0 - 4.0 / 7.0), r = 2.0 / 3.0 + 12.0 / 7.0;
    const double uc = u * (1.0 - exp(-1.0 / (0.1 * (5.0 + r))));
    ASSERT_NEAR(trial_value(t, "uc"), uc, bound);
    ASSERT_NEAR(trial_value(t, "i[5]"), (u - uc) / (5.0 + r), bound);
    trial_end(t);
}

// With y = exp(ud / Vt): t = C R ln((y0 - 1) / (y - 1)) + C Vt / Is (ln(1 - 1/y0) - ln(1 - 1/y)).
static void nonlinear_block(void **state)
{
    (void)state;
    Trial *t = run("DiodeCircuit.mo", NULL, 0.5);
    const double y0 = exp(trial_value_at(t, "ud", 0) / 0.025),
                 y = exp(trial_value(t, "ud") / 0.025);
    const double time = 0.1 * log((y0 - 1.0) / (y - 1.0)) +
                        1e-3 * 0.025 / 1e-9 * (log1p(-1.0 / y0) - log1p(-1.0 / y));
    ASSERT_NEAR(trial_value_at(t, "u", 0), 5.0, 1e-12);
    ASSERT_NEAR(time, 0.5, bound);
    trial_end(t);
}

// Cooling from 21 to 19 towards 5, heating from 19 to 21 towards 35.
static void thermostat(void **state)
{
    (void)state;
    Trial *t = run("Thermostat.mo", NULL, 500.0);
    const SaltusRun *r = trial_get_run(t);
    const double cool = 100.0 * log(16.0 / 14.0), heat = 100.0 * log(16.0 / 14.0);
    double time = 100.0 * log(20.0 / 14.0);
    int switches = 0;
    for (long i = 0; i < saltus_run_event_count(r); i++) {
        const SaltusLogEntry e = saltus_run_event(r, i);
        if (e.change_count == 0)
            continue; // T < 19 ends while heating goes on
        ASSERT_NEAR(e.t, time, bound * 100.0);
        time += switches++ % 2 == 0 ? cool : heat;
    }
    assert_int_equal(switches, 1 + (int)floor((500.0 - 100.0 * log(20.0 / 14.0)) / cool));
    ASSERT_NEAR(trial_value(t, "switches"), switches, 0.0);
    trial_end(t);
}

// x(k+1) = x(k) e^-T + u(k) (1 - e^-T), u(k) = u(k-1) + T (1 - x(k))
static void sampled_controller(void **state)
{
    (void)state;
    Trial *t = run("SampledController.mo", NULL, 5.05);
    const double decay = exp(-0.1);
    double x = 0.0, u = 0.0;
    for (int k = 0; k <= 50; k++) {
        x = k ? x * decay + u * (1.0 - decay) : 0.0;
        u += 0.1 * (1.0 - x);
    }
    ASSERT_NEAR(trial_value(t, "u"), u, bound);
    ASSERT_NEAR(trial_value(t, "x"), x * exp(-0.05) + u * (1.0 - exp(-0.05)), bound);
    ASSERT_NEAR(trial_value(t, "n"), 51.0, 0.0);
    trial_end(t);
}

static void time_events(void **state)
{
    (void)state;
    Trial *t = run("TimeEvents.mo", NULL, 2.75);
    // Steps end at the switching times, so the integral of the pulse has only rounding errors.
    ASSERT_NEAR(trial_value(t, "x"), 0.75, 1e-14);
    ASSERT_NEAR(trial_value(t, "k"), 5.0, 0.0);
    ASSERT_NEAR(trial_value(t, "saw"), 0.25, 1e-14);
    // two of the pulse, five each of integer(...) and mod(...)
    assert_int_equal(saltus_run_statistics(trial_get_run(t)).time_events, 12);
    trial_end(t);
}

// From h = 16 on: with s = sqrt(h), -4 s - 8 ln(s / 2 - 1) = t - 1 + constant.
static void initial_equations(void **state)
{
    (void)state;
    Trial *t = run("SteadyStart.mo", NULL, 10.0);
    ASSERT_NEAR(trial_value_at(t, "h", 0), 16.0, 1e-12);
    const double s = sqrt(trial_value(t, "h"));
    const double before = -4.0 * 4.0 - 8.0 * log(4.0 / 2.0 - 1.0);
    ASSERT_NEAR(-4.0 * s - 8.0 * log(s / 2.0 - 1.0) - before, 9.0, bound * 10.0);
    trial_end(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bouncing_ball),      cmocka_unit_test(oscillators),
        cmocka_unit_test(van_der_pol),        cmocka_unit_test(cartesian_pendulum),
        cmocka_unit_test(series_circuit),     cmocka_unit_test(linear_block),
        cmocka_unit_test(nonlinear_block),    cmocka_unit_test(thermostat),
        cmocka_unit_test(sampled_controller), cmocka_unit_test(time_events),
        cmocka_unit_test(initial_equations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
