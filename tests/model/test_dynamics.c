// SPDX-License-Identifier: MIT
//
// Planets, chemistry, biology and chaos of models/examples/ against closed forms, conserved
// quantities, and values of Runge and Kutta's method with so many steps that half of them give the
// same 11 digits.

#include "model/example.h"

static const double bound = EXAMPLE_BOUND;

// The attractor stretches errors as exp(0.9 t).
static void lorenz(void **state)
{
    (void)state;
    Trial *t = example_run("Lorenz", 10.0);
    const double grown = bound * exp(9.0);
    ASSERT_LAST(t, "x", -4.90268754113471, grown);
    ASSERT_LAST(t, "y", -3.74387292180279, grown);
    ASSERT_LAST(t, "z", 24.6908581027909, grown);
    trial_end(t);
}

// The period is 2 pi; errors along the orbit grow linearly, and three turns are made.
static void kepler(void **state)
{
    (void)state;
    Trial *t = example_run("Kepler", 6.0 * example_pi);
    ASSERT_LAST(t, "x", 0.4, 100.0 * bound);
    ASSERT_LAST(t, "y", 0.0, 100.0 * bound);
    ASSERT_LAST(t, "energy", -0.5, 10.0 * bound);
    ASSERT_LAST(t, "momentum", 0.8, 10.0 * bound);
    ASSERT_LAST(t, "aphelia", 3.0, 0.0);
    ASSERT_NEAR(example_change(t, "aphelia", 1), 3.0 * example_pi, 10.0 * bound);
    trial_end(t);
}

// The initial values and the period are known to 8 digits (Chenciner and Montgomery 2000).
static void figure_eight(void **state)
{
    (void)state;
    Trial *t = example_run("FigureEight", 6.32591398);
    ASSERT_LAST(t, "x[1]", 0.97000436, 1e-6);
    ASSERT_LAST(t, "y[1]", -0.24308753, 1e-6);
    ASSERT_LAST(t, "x[3]", 0.0, 1e-6);
    ASSERT_LAST(t, "energy", trial_value_at(t, "energy", 0), bound);
    trial_end(t);
}

static void brusselator(void **state)
{
    (void)state;
    Trial *t = example_run("Brusselator", 20.0);
    ASSERT_LAST(t, "x", 0.498637071268331, 10.0 * bound);
    ASSERT_LAST(t, "y", 4.59678034945197, 10.0 * bound);
    trial_end(t);
}

// At the peak S = gamma / beta.
static void epidemic(void **state)
{
    (void)state;
    Trial *t = example_run("Epidemic", 100.0);
    const double invariant = 1.0 - 0.4 * log(0.999);
    ASSERT_LAST(t, "invariant", invariant, bound);
    ASSERT_LAST(t, "peak", invariant - 0.4 + 0.4 * log(0.4), bound);
    ASSERT_NEAR(trial_value(t, "S") + trial_value(t, "I") + trial_value(t, "R"), 1.0, bound);
    trial_end(t);
}

static void free_rotation(void **state)
{
    (void)state;
    Trial *t = example_run("FreeRotation", 50.0);
    ASSERT_LAST(t, "energy", 0.5 * (1e-4 + 2.0), bound);
    ASSERT_LAST(t, "momentum", 1e-4 + 4.0, bound);
    double least = 1.0;
    for (long row = 0; row < saltus_run_row_count(trial_get_run(t)); row++)
        least = fmin(least, trial_value_at(t, "w[2]", row));
    assert_true(least < -0.9); // it has turned over
    trial_end(t);
}

// The speed s gains 0.5 at pi/2, 3 pi/2, ...; between them u = s sin t, v = s cos t.
static void cyclotron(void **state)
{
    (void)state;
    Trial *t = example_run("Cyclotron", 20.0);
    double y = 0.0, from = 0.0, speed = 1.0;
    for (double at = 0.5 * example_pi; at < 20.0; at += example_pi) {
        y += speed * (sin(at) - sin(from));
        speed += 0.5;
        from = at;
    }
    ASSERT_LAST(t, "y", y + speed * (sin(20.0) - sin(from)), 10.0 * bound);
    ASSERT_LAST(t, "u", speed * sin(20.0), 10.0 * bound);
    ASSERT_LAST(t, "passages", 6.0, 0.0);
    trial_end(t);
}

// Tsiolkovsky
static void rocket(void **state)
{
    (void)state;
    Trial *t = example_run("Rocket", 120.0);
    ASSERT_LAST(t, "v", 3000.0 * (log(11800.0 / 3800.0) + log(2800.0 / 800.0)), 1e4 * bound);
    ASSERT_LAST(t, "m", 800.0, 1e3 * bound);
    ASSERT_NEAR(example_change(t, "stage", 0), 80.0, 10.0 * bound);
    ASSERT_NEAR(example_change(t, "stage", 1), 100.0, 10.0 * bound);
    trial_end(t);
}

// With the terminal speed w: fall x = w^2 / g ln cosh(g t / w) at first; later v = w coth(g t / w +
// c), v^2 - w^2 falls as exp(-2 g x / w^2).
static void parachute(void **state)
{
    (void)state;
    Trial *t = example_run_to("Parachute", 600.0, SALTUS_TERMINATED);
    const double g = 9.81, w1 = sqrt(80.0 * g / 0.25), w2 = sqrt(80.0 * g / 25.0);
    const double open = w1 / g * acosh(exp(g * 2000.0 / (w1 * w1))), v1 = w1 * tanh(g * open / w1);
    const double rest = (v1 * v1 - w2 * w2) * exp(-2.0 * g * 1000.0 / (w2 * w2));
    // atanh(w / v) near 1, where v - w has lost its digits: (ln((v + w)^2 / (v^2 - w^2))) / 2
    const double v2 = sqrt(w2 * w2 + rest);
    const double late = 0.5 * log((v2 + w2) * (v2 + w2) / rest);
    const double landed = open + w2 / g * (late - atanh(w2 / v1));
    ASSERT_NEAR(example_change(t, "isOpen", 0), open, 100.0 * bound);
    ASSERT_NEAR(saltus_run_time(trial_get_run(t)), landed, 1000.0 * bound);
    ASSERT_LAST(t, "v", v2, 100.0 * bound);
    trial_end(t);
}

static void enzyme_kinetics(void **state)
{
    (void)state;
    Trial *t = example_run("EnzymeKinetics", 2.0);
    const double s = trial_value(t, "s");
    ASSERT_NEAR(0.5 * log(3.0 / s) + 3.0 - s, 4.0, 10.0 * bound);
    ASSERT_LAST(t, "p", 3.0 - s, bound);
    trial_end(t);
}

// The period is 4 K(m) / sqrt(2) with m = 1/4, K = pi / 2 over the arithmetic-geometric mean of 1
// and sqrt(1 - m).
static void duffing(void **state)
{
    (void)state;
    Trial *t = example_run("Duffing", 20.0);
    double a = 1.0, b = sqrt(0.75);
    for (int n = 0; n < 6; n++) {
        const double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    ASSERT_LAST(t, "period", 2.0 * example_pi / (a * sqrt(2.0)), 10.0 * bound);
    ASSERT_LAST(t, "energy", 0.75, bound);
    trial_end(t);
}

static void nerve_cell(void **state)
{
    (void)state;
    Trial *t = example_run("NerveCell", 50.0);
    ASSERT_LAST(t, "V", -65.07942778757366, 100.0 * bound);
    ASSERT_LAST(t, "n", 0.3182096315117142, 10.0 * bound);
    ASSERT_LAST(t, "spikes", 2.0, 0.0);
    trial_end(t);
}

static void harvest(void **state)
{
    (void)state;
    Trial *t = example_run("Harvest", 10.5);
    double fish = 50.0;
    for (int year = 1; year <= 10; year++)
        fish = 100.0 / (1.0 + (100.0 / fish - 1.0) * exp(-1.0)) - 20.0;
    ASSERT_LAST(t, "fish", 100.0 / (1.0 + (100.0 / fish - 1.0) * exp(-0.5)), 100.0 * bound);
    ASSERT_LAST(t, "caught", 200.0, 0.0);
    trial_end(t);
}

// Two ways to the same place.
static void keplers_equation(void **state)
{
    (void)state;
    Trial *t = example_run("KeplersEquation", 10.0);
    const double E = trial_value(t, "E");
    ASSERT_NEAR(E - 0.3 * sin(E), 10.0, 1e-13);
    ASSERT_LAST(t, "p", cos(E) - 0.3, 10.0 * bound);
    ASSERT_LAST(t, "q", sqrt(1.0 - 0.09) * sin(E), 10.0 * bound);
    trial_end(t);
}

// The one hunted runs at a right angle to its hunter: the distance shrinks with the speed 1.
static void pursuit(void **state)
{
    (void)state;
    Trial *t = example_run_to("Pursuit", 1.0, SALTUS_TERMINATED);
    ASSERT_NEAR(saltus_run_time(trial_get_run(t)), 0.999, bound);
    ASSERT_NEAR(trial_value(t, "x[1]") + trial_value(t, "x[3]"), 1.0, bound);
    trial_end(t);
}

// a = t and b = t^1.5. Behind b = 0 the fifth stage of dopri5 lies below 0, where the root is not
// defined, however short the step: `auto` goes on with an implicit method. Its error is of
// order 1.5 in the first steps, which the error control sees.
static void begins_at_an_edge(void **state)
{
    (void)state;
    const char *text = "model Edge Real a(start = 0, fixed = true), b(start = 0, fixed = true);"
                       "equation der(a) = 1; der(b) = 1.5*sqrt(a) + a^0.75 - sqrt(b); end Edge;";
    Trial *t = trial_run_text(text, 1.0);
    ASSERT_LAST(t, "a", 1.0, bound);
    ASSERT_LAST(t, "b", 1.0, 10.0 * bound);
    trial_end(t);
    t = trial_text(text);
    trial_options(t)->method.solver = SALTUS_SOLVER_DOPRI5; // does as it is told
    assert_int_equal(trial_run(t, 1.0), SALTUS_ERROR_EVALUATION);
    trial_end(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lorenz),       cmocka_unit_test(kepler),
        cmocka_unit_test(figure_eight), cmocka_unit_test(brusselator),
        cmocka_unit_test(epidemic),     cmocka_unit_test(free_rotation),
        cmocka_unit_test(cyclotron),    cmocka_unit_test(rocket),
        cmocka_unit_test(parachute),    cmocka_unit_test(enzyme_kinetics),
        cmocka_unit_test(duffing),      cmocka_unit_test(nerve_cell),
        cmocka_unit_test(harvest),      cmocka_unit_test(keplers_equation),
        cmocka_unit_test(pursuit),      cmocka_unit_test(begins_at_an_edge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
