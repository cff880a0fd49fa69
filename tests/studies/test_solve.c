// SPDX-License-Identifier: MIT
//
// Solving for parameters, against closed forms. Runs have a relative tolerance of 1e-10; the ball's
// parabola is exact up to rounding for the method.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "studies/solve.h"
#include "support/hybrid.h"
#include "trial.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct SolveTrial {
    StudyTrial study;
    Axis unknowns[3];
    SolveDef def;
    SolveResult result;
} SolveTrial;

static void begin(SolveTrial *s, const char *model, double stop_time, const char *const *observed,
                  size_t targets, const char *const *unknowns)
{
    *s = (SolveTrial){.study = study_trial(model, stop_time, 1e-10, observed)};
    if (!study_observations(s->study.study))
        fail_msg("%s", study_trial_messages(&s->study));
    for (size_t i = 0; unknowns[i]; i++) {
        char *message = NULL;
        assert_true(axis_read(s->study.study, unknowns[i], &s->unknowns[i], &message));
        s->def.unknown_count++;
    }
    s->def.study = s->study.study;
    s->def.unknowns = s->unknowns;
    s->def.target_count = targets;
    s->def.points = 32;
}

static void end(SolveTrial *s)
{
    solve_free(&s->result);
    for (size_t i = 0; i < s->def.unknown_count; i++)
        axis_free(&s->unknowns[i]);
    study_trial_end(&s->study);
}

// The third bounce is at sqrt(2 x0/g) (1 + 2 mu + 2 mu^2).
static void test_drop_height(void **state)
{
    (void)state;
    const char *observed[] = {"time_of(x <= 0, 3) - 5", "time_of(x <= 0, 1:2)", NULL};
    const char *unknowns[] = {"x0=1:100", NULL};
    SolveTrial s;
    begin(&s, study_ball, 20.0, observed, 1, unknowns);
    s.result = solve_root(&s.def);
    assert_int_equal(s.result.count, 1);
    assert_int_equal(s.result.items[0].kind, SOLVE_ROOT);
    const double first = 5.0 / (1.0 + 1.6 + 2.0 * 0.64);
    assert_close(s.result.items[0].unknowns[0], 0.5 * 9.81 * first * first, 1e-11);
    assert_int_equal(s.result.items[0].observed_count, 3);
    assert_close(s.result.items[0].observed[1], first, 1e-12);
    end(&s);
}

typedef struct Shown {
    long calls, runs;
    double fraction; // the last one that was known
} Shown;

static void show(void *user, double fraction, long runs)
{
    Shown *shown = user;
    shown->calls++;
    shown->runs = runs;
    shown->fraction = isnan(fraction) ? shown->fraction : fraction;
}

// Every run is told, and how much of a grid is done.
static void test_progress(void **state)
{
    (void)state;
    const char *observed[] = {"time_of(x <= 0, 3) - 5", NULL};
    const char *unknowns[] = {"x0=1:100", NULL};
    SolveTrial s;
    Shown shown = {.fraction = NAN};
    begin(&s, study_ball, 20.0, observed, 1, unknowns);
    s.def.progress = show;
    s.def.user = &shown;
    s.result = solve_root(&s.def);
    assert_int_equal(shown.calls, s.result.runs);
    assert_int_equal(shown.runs, s.result.runs);
    assert_true(isnan(shown.fraction));
    solve_free(&s.result);
    s.result = solve_all(&s.def);
    assert_int_equal(shown.runs, s.result.runs);
    assert_true(shown.fraction == 1.0);
    end(&s);
}

// The number of bounces in 8 s jumps from 6 to 5 where the sixth is at 8 s; 5.5 of them is no root.
static void test_jump(void **state)
{
    (void)state;
    const char *observed[] = {"n - 5.5", NULL};
    const char *unknowns[] = {"x0=7:9", NULL};
    SolveTrial s;
    begin(&s, study_ball, 8.0, observed, 1, unknowns);
    s.result = solve_root(&s.def);
    assert_int_equal(s.result.count, 1);
    const SolveItem *item = &s.result.items[0];
    assert_int_equal(item->kind, SOLVE_JUMP);
    const double first = 8.0 / (2.0 * (1.0 - pow(0.8, 6)) / 0.2 - 1.0);
    assert_close(item->unknowns[0], 0.5 * 9.81 * first * first, 1e-11);
    assert_true(item->left == 0.5 && item->right == -0.5);
    assert_contains(item->note, "event 6 is 'x <= 0");
    assert_contains(item->note, "'no event' above");
    end(&s);
}

// All boundaries between one bounce and ten, whatever the grid.
static void test_boundaries(void **state)
{
    (void)state;
    const char *observed[] = {"n", NULL};
    const char *unknowns[] = {"x0=5.3:100", NULL};
    for (size_t targets = 0; targets <= 1; targets++) { // by the sequence of events, by the target
        SolveTrial s;
        begin(&s, study_ball, 8.0, observed, targets, unknowns);
        s.def.points = 5;
        s.result = solve_boundaries(&s.def);
        assert_int_equal(s.result.count, 8);
        for (int m = 9; m >= 2; m--) {
            const SolveItem *item = &s.result.items[9 - m];
            const double first = 8.0 / (2.0 * (1.0 - pow(0.8, m)) / 0.2 - 1.0);
            assert_close(item->unknowns[0], 0.5 * 9.81 * first * first, 1e-11);
            assert_true(item->left == m && item->right == m - 1);
        }
        end(&s);
    }
}

// Events whose texts differ in the middle of long names only are different ones: a is above zero
// from t = 1 on if p <= 0.375, else b is.
static void test_long_names(void **state)
{
    (void)state;
    enum { HALF = 150 };
    char a[2 * HALF + 2], b[sizeof a], model[2000];
    memset(a, 'v', sizeof a);
    a[sizeof a - 1] = '\0';
    memcpy(b, a, sizeof a);
    b[HALF] = 'w';
    const int length = snprintf(model, sizeof model,
                                "model Long\n"
                                "  parameter Real p = 0;\n"
                                "  Real %s = time - (if p <= 0.375 then 1 else 9);\n"
                                "  Real %s = time - (if p <= 0.375 then 9 else 1);\n"
                                "  discrete Real n(start = 0, fixed = true);\n"
                                "equation\n"
                                "  when {%s > 0, %s > 0} then\n"
                                "    n = pre(n) + 1;\n"
                                "  end when;\n"
                                "end Long;\n",
                                a, b, a, b);
    assert_true(length > 0 && length < (int)sizeof model);
    const char *observed[] = {"n", NULL};
    const char *unknowns[] = {"p=0:1", NULL};
    SolveTrial s;
    begin(&s, model, 2.0, observed, 0, unknowns);
    s.def.points = 5;
    s.result = solve_boundaries(&s.def);
    assert_int_equal(s.result.count, 1);
    assert_close(s.result.items[0].unknowns[0], 0.375, 1e-11);
    assert_true(s.result.items[0].left == 1.0 && s.result.items[0].right == 1.0);
    end(&s);
}

// x' = 1 - x from p: x(1) = 1 - (1 - p)/e. (x + 1)(x - 1/2)(x - 2) has three roots, at p = 1 - 2 e,
// 1 - e/2, 1 + e.
static const char relaxation[] = "model Relaxation\n"
                                 "  parameter Real p = 0, q = 1;\n"
                                 "  Real x(start = p, fixed = true);\n"
                                 "equation\n"
                                 "  der(x) = q * (1 - x);\n"
                                 "end Relaxation;\n";

static void test_all_roots(void **state)
{
    (void)state;
    const char *observed[] = {"(x + 1) * (x - 0.5) * (x - 2)", NULL};
    const char *unknowns[] = {"p=-10:10", NULL};
    SolveTrial s;
    begin(&s, relaxation, 1.0, observed, 1, unknowns);
    for (unsigned jobs = 1; jobs <= 3; jobs += 2) {
        s.def.jobs = jobs;
        s.result = solve_all(&s.def);
        assert_int_equal(s.result.count, 3);
        const double e = exp(1.0), roots[] = {1.0 - 2.0 * e, 1.0 - 0.5 * e, 1.0 + e};
        for (int i = 0; i < 3; i++) {
            assert_int_equal(s.result.items[i].kind, SOLVE_ROOT);
            assert_close(s.result.items[i].unknowns[0], roots[i], 1e-8);
        }
        solve_free(&s.result);
    }
    s.result = solve_root(&s.def); // both ends beyond the outer roots: different signs
    assert_int_equal(s.result.count, 1);
    end(&s);
}

static void test_nothing_there(void **state)
{
    (void)state;
    const char *observed[] = {"x - 50", NULL}, *never[] = {"time_of(x > 20)", NULL};
    const char *unknowns[] = {"p=-10:10", NULL};
    SolveTrial s;
    begin(&s, relaxation, 1.0, observed, 1, unknowns);
    s.result = solve_root(&s.def);
    assert_int_equal(s.result.count, 0);
    assert_contains(s.result.message, "does not change its sign");
    solve_free(&s.result);
    s.result = solve_all(&s.def);
    assert_contains(s.result.message, "no change of sign");
    solve_free(&s.result);
    s.result = solve_boundaries(
        &(SolveDef){.study = s.def.study, .unknown_count = 1, .unknowns = s.unknowns, .points = 4});
    assert_contains(s.result.message, "nothing changes");
    end(&s);
    begin(&s, relaxation, 1.0, never, 1, unknowns);
    s.result = solve_root(&s.def);
    assert_int_equal(s.result.status, SALTUS_ERROR_EVALUATION);
    assert_contains(s.result.message, "'x > 20' never happened");
    end(&s);
}

// First bounce at 1 s, second at 2.2 s: x0 = g/2, mu = 0.6.
static void test_system(void **state)
{
    (void)state;
    const char *observed[] = {"time_of(x <= 0, 1) - 1", "time_of(x <= 0, 2) - 2.2", NULL};
    const char *unknowns[] = {"x0=1:100", "mu=0.3:0.9", NULL};
    SolveTrial s;
    begin(&s, study_ball, 80.0, observed, 2, unknowns);
    s.result = solve_system(&s.def);
    assert_int_equal(s.result.count, 1);
    assert_int_equal(s.result.items[0].kind, SOLVE_ROOT);
    assert_close(s.result.items[0].unknowns[0], 0.5 * 9.81, 1e-10);
    assert_close(s.result.items[0].unknowns[1], 0.6, 1e-10);
    end(&s);
}

// From 5, the tangent of log(a/0.1) at its curve leads to 5 - 5 log(50) = -14.6, where there is no
// value: nearer, then.
static void test_beyond_values(void **state)
{
    (void)state;
    const char *observed[] = {"log(a / 0.1) + 0 * x", "b - 2", NULL};
    const char *unknowns[] = {"a=-10:20", "b=0:10", NULL};
    SolveTrial s;
    begin(&s,
          "model Curve parameter Real a = 5, b = 1; Real x(start = 0, fixed = true); equation "
          "der(x) = 1; end Curve;",
          1.0, observed, 2, unknowns);
    s.result = solve_system(&s.def);
    assert_int_equal(s.result.count, 1);
    assert_int_equal(s.result.items[0].kind, SOLVE_ROOT);
    assert_close(s.result.items[0].unknowns[0], 0.1, 1e-10);
    assert_close(s.result.items[0].unknowns[1], 2.0, 1e-10);
    end(&s);
}

// What is a root does not depend on units: p = q = 1/sqrt(2) is one, and where p^2 + q^2 + 1 is to
// be zero there is none, however small or large the numbers are.
static void test_sizes(void **state)
{
    static const char sizes[] = "model Sizes\n"
                                "  parameter Real p = 0.3, q = 0.6, size = %s;\n"
                                "  Real unit = size*(p^2 + q^2 - 1);\n"
                                "  Real never = size*(p^2 + q^2 + 1);\n"
                                "  Real same = size*(p - q);\n"
                                "end Sizes;\n";
    static const char *const numbers[] = {"1e-15", "1", "1e12"};
    static const char *const found[] = {"unit", "same", NULL}, *const none[] = {"never", "same",
                                                                                NULL};
    static const char *const unknowns[] = {"p=0:2", "q=0:2", NULL};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        char model[400];
        SolveTrial s;
        snprintf(model, sizeof model, sizes, numbers[i]);
        begin(&s, model, 1.0, found, 2, unknowns);
        s.result = solve_system(&s.def);
        assert_int_equal(s.result.count, 1);
        assert_int_equal(s.result.items[0].kind, SOLVE_ROOT);
        assert_null(s.result.message);
        assert_close(s.result.items[0].unknowns[0], sqrt(0.5), 1e-6);
        assert_close(s.result.items[0].unknowns[1], sqrt(0.5), 1e-6);
        end(&s);
        begin(&s, model, 1.0, none, 2, unknowns);
        s.result = solve_system(&s.def);
        assert_int_equal(s.result.count, 1);
        assert_int_equal(s.result.items[0].kind, SOLVE_MINIMUM);
        assert_contains(s.result.message, "no solution was found");
        end(&s);
    }
}

// Derivatives from one run: of a final value, the time of an event, a parameter and a count, which
// is constant. v = -g (1.5 - t1) + mu g t1 with t1 = sqrt(2 x0 / g); differences would take four
// runs more in each step.
static void test_derivatives(void **state)
{
    (void)state;
    const char *observed[] = {"v * mu - 1.5", "time_of(x <= 0, 1)^2 - 0.9 * count(event())", NULL};
    const char *unknowns[] = {"x0=1:10", "mu=0.3:0.9", NULL};
    SolveTrial s;
    begin(&s, study_ball, 1.5, observed, 2, unknowns);
    s.result = solve_system(&s.def);
    assert_int_equal(s.result.count, 1);
    const double x0 = 0.5 * 9.81 * 0.9, t1 = sqrt(0.9), b = 9.81 * t1, c = 9.81 * (1.5 - t1);
    const double mu = (c + sqrt(c * c + 6.0 * b)) / (2.0 * b); // (b mu - c) mu = 1.5
    assert_int_equal(s.result.items[0].kind, SOLVE_ROOT);
    assert_close(s.result.items[0].unknowns[0], x0, 1e-9);
    assert_close(s.result.items[0].unknowns[1], mu, 1e-9);
    assert_true(s.result.runs <= 20);
    end(&s);
}

// x(t) = 1 - (1 - p) exp(-t) to x = 0 at t = 0.5, 1, 1.5 in the sense of least squares: with
// u = 1 - p the sum of (1 - u e_i)^2 is smallest for u = sum e_i / sum e_i^2.
static void test_least_squares(void **state)
{
    (void)state;
    const char *observed[] = {"at(x, 0.5)", "at(x, 1)", "at(x, 1.5)", NULL};
    const char *unknowns[] = {"p=-10:10", NULL};
    SolveTrial s;
    begin(&s, relaxation, 2.0, observed, 3, unknowns);
    s.result = solve_system(&s.def);
    assert_int_equal(s.result.count, 1);
    assert_int_equal(s.result.items[0].kind, SOLVE_MINIMUM);
    double sum = 0.0, squares = 0.0, miss = 0.0;
    for (int i = 1; i <= 3; i++) {
        sum += exp(-0.5 * i);
        squares += exp(-1.0 * i);
    }
    for (int i = 1; i <= 3; i++)
        miss += pow(1.0 - sum / squares * exp(-0.5 * i), 2);
    assert_close(s.result.items[0].unknowns[0], 1.0 - sum / squares, 1e-7);
    assert_close(s.result.items[0].value, sqrt(miss), 1e-9);
    end(&s);
}

// Minima are flat: the place is known to the root of what the value is known to.
static void test_minimum(void **state)
{
    (void)state;
    const char *observed[] = {"(x - 0.25) ^ 2 + (q - 2) ^ 2 - 3", NULL};
    const char *one[] = {"p=-10:10", NULL}, *two[] = {"p=-10:10", "q=1:4", NULL};
    SolveTrial s;
    begin(&s, relaxation, 1.0, observed, 1, one);
    s.result = solve_minimum(&s.def);
    assert_int_equal(s.result.count, 1);
    assert_close(s.result.items[0].unknowns[0], 1.0 - 0.75 * exp(1.0), 1e-4);
    assert_close(s.result.items[0].value, -2.0, 1e-9);
    end(&s);
    begin(&s, relaxation, 1.0, observed, 1, two);
    s.result = solve_minimum(&s.def);
    assert_close(s.result.items[0].unknowns[0], 1.0 - 0.75 * exp(2.0), 1e-3);
    assert_close(s.result.items[0].unknowns[1], 2.0, 1e-4);
    assert_close(s.result.items[0].value, -3.0, 1e-9);
    end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_drop_height),   cmocka_unit_test(test_jump),
        cmocka_unit_test(test_boundaries),    cmocka_unit_test(test_long_names),
        cmocka_unit_test(test_all_roots),     cmocka_unit_test(test_nothing_there),
        cmocka_unit_test(test_beyond_values), cmocka_unit_test(test_system),
        cmocka_unit_test(test_derivatives),   cmocka_unit_test(test_least_squares),
        cmocka_unit_test(test_minimum),       cmocka_unit_test(test_progress),
        cmocka_unit_test(test_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
