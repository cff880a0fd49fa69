// SPDX-License-Identifier: MIT
//
// Conditions that depend on time alone, in models whose states let the solvers take as long steps
// as they like: no crossing is lost, and each is where its formula says.

#include "instant/attempt.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static const struct {
    SaltusSolver solver;
    double step; // of fixed-step solvers: far longer than what is to be found
} solvers[] = {
    {SALTUS_SOLVER_DOPRI5, 0.0}, {SALTUS_SOLVER_DOP853, 0.0}, {SALTUS_SOLVER_RODAS, 0.0},
    {SALTUS_SOLVER_CVODE, 0.0},  {SALTUS_SOLVER_ADAMS, 0.0},  {SALTUS_SOLVER_IDA, 0.0},
    {SALTUS_SOLVER_EXACT, 0.0},  {SALTUS_SOLVER_EULER, 2.5},  {SALTUS_SOLVER_RK4, 2.5},
};
enum { SOLVERS = sizeof solvers / sizeof *solvers };

static const char frame[] =
    "model Times\n"
    "  Real x(start = 1, fixed = true);\n"
    "  Real y;\n"
    "  parameter Real w = 1000;\n"
    "  Integer ups(start = 0, fixed = true), downs(start = 0, fixed = true);\n"
    "equation\n"
    "  der(x) = 0;\n"
    "  y = %s;\n"
    "  when y > %s then ups = pre(ups) + 1; end when;\n"
    "  when y < %s then downs = pre(downs) + 1; end when;\n"
    "end Times;\n";

typedef struct Times {
    const char *function, *level;
    double stop_time;
    long ups, downs;
    double first, second; // times of the first two crossings; NAN: there are none
    // Some brackets of the locator, which are 2 units of time wide (at 3 s: 1.3e-15), or the
    // rounding of the function over its slope.
    double accuracy;
} Times;

static const double pi = 3.14159265358979323846;

static void expect_times(const Times *times)
{
    char text[1200];
    snprintf(text, sizeof text, frame, times->function, times->level, times->level);
    Attempt *a = attempt_begin(text);
    for (int k = 0; k < SOLVERS; k++) {
        const AttemptDef def = {
            solvers[k].solver, times->stop_time, 1e-6, 0.0, solvers[k].step, 0.0};
        if (!attempt_run(a, &def))
            fail_msg("%s: %s", times->function, attempt_message(a));
        const double ups = attempt_last(a, "ups"), downs = attempt_last(a, "downs");
        if (ups != (double)times->ups || downs != (double)times->downs)
            fail_msg("%s, %s: %g up, %g down", times->function,
                     saltus_solver_name(solvers[k].solver), ups, downs);
        const double expected[] = {times->first, times->second};
        for (long e = 0; e < 2 && times->ups + times->downs > 0; e++) {
            const double t = attempt_event_time(a, e);
            if (!(fabs(t - expected[e]) <= times->accuracy))
                fail_msg("%s, %s: event at %.17g", times->function,
                         saltus_solver_name(solvers[k].solver), t);
        }
    }
    attempt_end(a);
}

// A hundred-millionth of each period: 160 pulses of 9e-7 s in one second. At the level c, sin(w t)
// is there with the slope w sqrt(1 - c^2), so that its rounding is 3e-16 / 0.45 of time.
static void the_tops_of_a_fast_wave(void **state)
{
    (void)state;
    const double c = 0.9999999, at = asin(c) / 1000.0;
    expect_times(&(Times){"sin(w*time)", "0.9999999", 1.0, 159, 159, at, pi / 1000.0 - at, 1e-13});
}

// exp(-x^2) = 1/2 at x = sqrt(log 2): 1.7e-6 s in 20 s.
static void a_narrow_bell(void **state)
{
    (void)state;
    const double half = 1e-6 * sqrt(log(2.0));
    expect_times(
        &(Times){"exp(-((time - 3)/1e-6)^2)", "0.5", 20.0, 1, 1, 3.0 - half, 3.0 + half, 1e-14});
}

static void a_product_of_two_close_roots(void **state)
{
    (void)state;
    expect_times(&(Times){"-(time - 2.345678)*(time - 2.345678001)", "0", 20.0, 1, 1, 2.345678,
                          2.345678001, 1e-14});
    // The corner of abs is the second event.
    expect_times(&(Times){"-abs(time - 2.3456789)", "-1e-9", 1000.0, 1, 1, 2.3456789 - 1e-9,
                          2.3456789, 1e-14});
}

// cos(100 t) cos(t) is 1 at 0 and -1 at pi, and beyond 0.9999 nowhere else before 2 pi: pi - d and
// pi + d, by symmetry, with cos(100 d) cos(d) = 0.9999.
static void a_beat(void **state)
{
    (void)state;
    double d = 1.4e-4;
    for (int i = 0; i < 50; i++)
        d -= (cos(100.0 * d) * cos(d) - 0.9999) /
             (-100.0 * sin(100.0 * d) * cos(d) - cos(100.0 * d) * sin(d));
    expect_times(
        &(Times){"-cos((w/10)*time)*cos(time)", "0.9999", 5.0, 1, 1, pi - d, pi + d, 1e-13});
}

// Without a crossing nothing happens: it touches, stays just below, or is far.
static void what_never_crosses(void **state)
{
    (void)state;
    expect_times(&(Times){"sin(w*time)", "1.0000000001", 100.0, 0, 0, NAN, NAN, 0.0});
    expect_times(&(Times){"sin(w*time)*cos(w*time)", "0.50000001", 10.0, 0, 0, NAN, NAN, 0.0});
    expect_times(&(Times){"tanh(time)", "1.0000001", 1000.0, 0, 0, NAN, NAN, 0.0});
}

// A ramp that ends where a time event is, up to what the steps of the solver have rounded, which is
// some units in the last place of time for each: both are one event.
static void a_crossing_at_a_time_event(void **state)
{
    (void)state;
    static const double ends[] = {0.7, 1.3, 1.9, 2.3, 17.1};
    for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
        char text[400];
        snprintf(text, sizeof text,
                 "model Ramp Real s(start = %.17g, fixed = true);\n"
                 "Integer n(start = 0, fixed = true), m(start = 0, fixed = true);\n"
                 "equation der(s) = -1; when s <= 0 then n = pre(n) + 1; end when;\n"
                 "when time >= %.17g then m = pre(m) + 1; end when; end Ramp;\n",
                 ends[k], ends[k]);
        Attempt *a = attempt_begin(text);
        for (int s = 0; s < SOLVERS; s++) {
            const AttemptDef def = {solvers[s].solver, 25.0, 1e-6, 0.0, 0.01, 0.1};
            long events = 0;
            assert_true(attempt_run(a, &def));
            for (long e = 0; e < attempt_events(a); e++)
                events += attempt_event_time(a, e) > 0.0;
            if (events != 1)
                fail_msg("%s, %g: %ld events", saltus_solver_name(solvers[s].solver), ends[k],
                         events);
            assert_true(attempt_last(a, "n") == 1.0 && attempt_last(a, "m") == 1.0);
        }
        attempt_end(a);
    }
}

// Each of these passes whole numbers at instants that are known: (k + first) * period, rounded
// once. Events are exactly there, whatever the quotient is in doubles, and the values are those
// just after. Three times 0.1 is 0.30000000000000004, but 0.30000000000000004 / 0.1 is less than 3
// where it is rounded down.
static void what_is_rounded(void **state)
{
    (void)state;
    static const struct {
        const char *function;
        double period, first; // of the instants
        double begin, by;     // values: begin + by * k after k of them
        int skip;             // an instant at which nothing changes; 0: none
        double accuracy;      // where more than once is rounded: at 10 s, some units of 1.8e-15
    } cases[] = {
        {"floor(time/0.1)", 0.1, 1, 0, 1, 0, 0},
        {"(time - mod(time, 0.1))/0.1", 0.1, 1, 0, 1, 0, 0},
        {"(time - mod(time, T))/T", 0.3, 1, 0, 1, 0, 0}, // T is a parameter
        {"ceil(time/T)", 0.3, 1, 1, 1, 0, 0},
        {"integer(2*time)", 0.5, 1, 0, 1, 0, 0},
        {"floor(-time/0.7)", 0.7, 1, -1, -1, 0, 0},
        {"ceil(3 - time/0.7)", 0.7, 1, 3, -1, 0, 4e-15},
        {"div(time, 0.7)", 0.7, 1, 0, 1, 0, 0},
        {"(time - rem(time, 0.7))/0.7", 0.7, 1, 0, 1, 0, 0},
        {"div(-time, 0.7)", 0.7, 1, 0, -1, 0, 0},
        {"div(time - 3.4, 0.7)", 0.7, 6.0 / 7.0, -4, 1, 5, 4e-15},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        char text[400];
        snprintf(text, sizeof text,
                 "model Whole Real x(start = 1, fixed = true); parameter Real T = 0.3;\n"
                 "Real n = %s; equation der(x) = -x; end Whole;\n",
                 cases[c].function);
        Attempt *a = attempt_begin(text);
        for (int s = 0; s < SOLVERS; s++) {
            const AttemptDef def = {solvers[s].solver, 10.05, 1e-6, 0.0, 0.01, 10.05};
            assert_true(attempt_run(a, &def));
            long event = 0, row = 0;
            double value = cases[c].begin;
            for (int k = 0; (k + cases[c].first) * cases[c].period < 10.05; k++) {
                const double at = (k + cases[c].first) * cases[c].period;
                if (k + 1 == cases[c].skip)
                    continue;
                while (event < attempt_events(a) && attempt_event_time(a, event) == 0.0)
                    event++;
                const double t = event < attempt_events(a) ? attempt_event_time(a, event++) : NAN;
                if (!(fabs(t - at) <= cases[c].accuracy))
                    fail_msg("%s, %s: event at %.17g, not %.17g", cases[c].function,
                             saltus_solver_name(solvers[s].solver), t, at);
                value += cases[c].by;
                while (row < attempt_rows(a) && attempt_row(a, row).t <= t)
                    row++;
                const double n = attempt_value(a, "n", row - 1); // the last row is the right limit
                if (!(fabs(n - value) <= 1e-13))
                    fail_msg("%s, %s: %.17g after %.17g", cases[c].function,
                             saltus_solver_name(solvers[s].solver), n, t);
            }
            assert_true(event == attempt_events(a));
        }
        attempt_end(a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_tops_of_a_fast_wave),
        cmocka_unit_test(a_narrow_bell),
        cmocka_unit_test(a_product_of_two_close_roots),
        cmocka_unit_test(a_beat),
        cmocka_unit_test(what_never_crosses),
        cmocka_unit_test(a_crossing_at_a_time_event),
        cmocka_unit_test(what_is_rounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
