// SPDX-License-Identifier: MIT
//
// Sliding where a condition is a factor of derivatives and of other unknowns that it acts on: the
// rate is Filippov's convex combination of the rates of the two sides, which the tests know.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/trial.h"
#include "support/cases.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Solvers that keep a tolerance make errors of about a hundred times it over these runs.
static const double tolerance = 1e-10, bound = 1e-7;

static const SaltusSolver solvers[] = {
    SALTUS_SOLVER_DOPRI5, SALTUS_SOLVER_DOP853, SALTUS_SOLVER_RODAS, SALTUS_SOLVER_CVODE,
    SALTUS_SOLVER_ADAMS,  SALTUS_SOLVER_IDA,    SALTUS_SOLVER_RK4,   SALTUS_SOLVER_EXACT};
enum { SOLVERS = sizeof solvers / sizeof *solvers };

static Trial *run_by(const char *text, SaltusSolver solver, double stop_time)
{
    Trial *t = trial_text(text);
    if (!trial_is_model(t))
        fail_msg("%s", trial_messages(t));
    trial_options(t)->method.solver = solver;
    trial_options(t)->method.relative_tolerance = tolerance;
    trial_options(t)->method.absolute_tolerance = tolerance;
    if (solver == SALTUS_SOLVER_RK4)
        trial_options(t)->method.step = 1e-3; // error about step^4
    if (trial_run(t, stop_time) != SALTUS_OK)
        fail_msg("%s\n%s", text, trial_error(t));
    return t;
}

static void expect(const Trial *t, const char *text, const char *name, double value)
{
    const double is = trial_value(t, name);
    if (!(fabs(is - value) <= bound))
        fail_msg("%s\n%s = %.12g, not %.12g", text, name, is, value);
}

static void slides_at_end(const Trial *t, const char *text)
{
    const SaltusRun *run = trial_get_run(t);
    const long count = saltus_run_event_count(run);
    if (count == 0 ||
        !strstr(trial_mode_name(t, saltus_run_event(run, count - 1).to), "sliding on "))
        fail_msg("%s\ndoes not slide", text);
}

// x comes to 0 at t = 1. Rates (-1, 1) above and (3, -1) below: three quarters of the first, y' =
// 1/2. However it is written.
static void factors_of_derivatives(void **state)
{
    (void)state;
    static const char *const words[] = {
        "(if x > 0 then 2 else 1)*der(x) = if x > 0 then -2 else 3; der(y) = if x > 0 then 1 else "
        "-1;",
        "der(x) = if x > 0 then -1 else 3; (if x > 0 then 3 else 5)*der(y) = if x > 0 then 3 else "
        "-5;",
        "m = if x > 0 then 2 else 1; f = if x > 0 then -2 else 3; m*der(x) = f; der(y) = -m*der(x)"
        "/f*(if x > 0 then -1 else 1);",
        "m = if x > 0 then 2 else 1; f = m*der(x); f = if x > 0 then -2 else 3; der(y) = if x > 0 "
        "then 1 else -1;",
        "m*der(x) + (1 - m)*der(y) = f; der(x) + der(y)*m = if x > 0 then 1 else 2; m = if x > 0 "
        "then 2 else 1; f = if x > 0 then -3 else 3;",
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        for (int k = 0; k < SOLVERS; k++) {
            char text[500];
            snprintf(text, sizeof text,
                     "model M Real x(start = 1, fixed = true), y(start = 0, fixed = true)%s; "
                     "equation %s end M;",
                     strchr(words[i], 'm') ? ", m, f" : "", words[i]);
            Trial *t = run_by(text, solvers[k], 3.0);
            slides_at_end(t, text);
            expect(t, text, "x", 0.0);
            expect(t, text, "y", 2.0);
            trial_end(t);
        }
}

// A converter: a switch that is closed while the current is too low, as resistances of 1/2 and 4.
// In the limit of a hysteresis of zero, the current is 1 and the voltage has the rate between those
// of both sides.
//   above (open):   i' = E - 4 i - v = -1 - v,   v' = a - v with a = 1
//   below (closed): i' = 3 - i/2 - v = 5/2 - v,  v' = -v
// so that u = (5/2 - v)/(7/2) and v' = u - v: v = (5/9)(1 - exp(-9 t/7)) from v = 0 on.
static void resistance_that_switches(void **state)
{
    (void)state;
    const char *text = "model M Real i(start = 1, fixed = true), v(start = 0, fixed = true), u; "
                       "equation u = i*(if i > 1 then 4 else 0.5); "
                       "der(i) = 3 - u - v; "
                       "(if i > 1 then 1 else 2)*der(v) = (if i > 1 then 1 else 0) - v*(if i > 1 "
                       "then 1 else 2); end M;";
    for (int k = 0; k < SOLVERS; k++) {
        Trial *t = run_by(text, solvers[k], 2.0);
        slides_at_end(t, text);
        expect(t, text, "i", 1.0);
        expect(t, text, "v", 5.0 / 9.0 * (1.0 - exp(-18.0 / 7.0)));
        trial_end(t);
    }
}

// Two surfaces, x and y, with factors each; z has the rate of the corners by the products of their
// weights: a = 1/4 of x > 0, b = 2/3 of y > 0; z' = 1, 2, 4, 8 at (+,+), (+,-), (-,+), (-,-).
static void corner_with_factors(void **state)
{
    (void)state;
    const char *text = "model M Real x(start = 0.3, fixed = true), y(start = 0.1, fixed = true), "
                       "z(start = 0, fixed = true); equation "
                       "(if x > 0 then 2 else 4)*der(x) = if x > 0 then -6 else 4; "
                       "(if y > 0 then 5 else 1)*der(y) = if y > 0 then -5 else 2; "
                       "(if x > 0 then 1 else 0.25)*(if y > 0 then 1 else 0.5)*der(z) = 1; end M;";
    const double a = 0.25, b = 2.0 / 3.0, met = 0.1;
    const double rate =
        a * b + 2.0 * a * (1.0 - b) + 4.0 * (1.0 - a) * b + 8.0 * (1.0 - a) * (1.0 - b);
    for (int k = 0; k < SOLVERS; k++) {
        Trial *t = run_by(text, solvers[k], 1.1);
        slides_at_end(t, text);
        expect(t, text, "x", 0.0);
        expect(t, text, "y", 0.0);
        expect(t, text, "z", met + rate);
        trial_end(t);
    }
}

// Random: A(c) (x', y', z')^T = b(c) with full matrices. The rates of both sides are solved for by
// Cramer's rule; x' has different signs, so that x = 0 attracts.
static double determinant(double a[3][3])
{
    return a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) -
           a[0][1] * (a[1][0] * a[2][2] - a[1][2] * a[2][0]) +
           a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0]);
}

static double drawn(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(int64_t)(*seed >> 44) / 131072.0 - 4.0; // -4 to 4, exact in print
}

static void random_factors(void **state)
{
    (void)state;
    const int runs = cases_asked(20);
    uint64_t seed = 7;
    for (int n = 0, tried = 0; n < runs && tried < 100 * runs; tried++) {
        double a[2][3][3], b[2][3], rate[2][3], d[2];
        for (int c = 0; c < 2; c++) {
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++)
                    a[c][i][j] = drawn(&seed);
            for (int i = 0; i < 3; i++)
                b[c][i] = drawn(&seed);
            d[c] = determinant(a[c]);
            for (int j = 0; j < 3; j++) {
                double other[3][3];
                memcpy(other, a[c], sizeof other);
                for (int i = 0; i < 3; i++)
                    other[i][j] = b[c][i];
                rate[c][j] = determinant(other) / d[c];
            }
        }
        if (fabs(d[0]) < 3.0 || fabs(d[1]) < 3.0 || rate[1][0] > -0.2 || rate[0][0] < 0.2)
            continue;
        n++;
        char text[2000];
        int length = snprintf(text, sizeof text,
                              "model M Real x(start = %.17g, fixed = true), y(start = 0, fixed = "
                              "true), z(start = 0, fixed = true); equation ",
                              -rate[1][0]);
        for (int i = 0; i < 3; i++)
            length += snprintf(
                text + length, sizeof text - (size_t)length,
                "(if x > 0 then %.17g else %.17g)*der(x) + (if x > 0 then %.17g else %.17g)*der(y) "
                "+ (if x > 0 then %.17g else %.17g)*der(z) = if x > 0 then %.17g else %.17g; ",
                a[1][i][0], a[0][i][0], a[1][i][1], a[0][i][1], a[1][i][2], a[0][i][2], b[1][i],
                b[0][i]);
        snprintf(text + length, sizeof text - (size_t)length, "end M;");
        const double u = rate[0][0] / (rate[0][0] - rate[1][0]);
        Trial *t = run_by(text, solvers[n % SOLVERS], 2.0);
        slides_at_end(t, text);
        expect(t, text, "x", 0.0);
        expect(t, text, "y", rate[1][1] + u * rate[1][1] + (1.0 - u) * rate[0][1]);
        expect(t, text, "z", rate[1][2] + u * rate[1][2] + (1.0 - u) * rate[0][2]);
        trial_end(t);
    }
}

// Where the rates have no formula, it is said, and nothing is taken in their place.
static void no_formula(void **state)
{
    (void)state;
    Trial *t = trial_text("model M Real x(start = 1, fixed = true), y(start = 0, fixed = true); "
                          "equation (if x > 0 then 2 else 1)*(der(x) + der(y)^3 + der(y)) = 0; "
                          "der(x) + (if x > 0 then 1 else 3)*(der(y) + der(x)^5) = if x > 0 then "
                          "-1 else 2; end M;");
    trial_options(t)->zeno = SALTUS_ZENO_STOP;
    trial_run(t, 3.0);
    assert_non_null(strstr(trial_error(t), "coefficient of a derivative"));
    trial_end(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(factors_of_derivatives), cmocka_unit_test(resistance_that_switches),
        cmocka_unit_test(corner_with_factors), cmocka_unit_test(random_factors),
        cmocka_unit_test(no_formula)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
