// SPDX-License-Identifier: MIT
//
// Algebraic loops with several solutions. A run stays on the branch that it is on as long as that
// goes on, however near the others are and however long the steps. Where the branch ends in a fold,
// the run goes on from another solution, in an event of the log and with a warning; where
// there is none, it stops by name. All solvers.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/trial.h"

#include "hybrid/run.h"
#include "open/warnings.h"

#include <math.h>
#include <string.h>

static const SaltusSolver solvers[] = {
    SALTUS_SOLVER_RK4,   SALTUS_SOLVER_DOPRI5, SALTUS_SOLVER_DOP853, SALTUS_SOLVER_RODAS,
    SALTUS_SOLVER_CVODE, SALTUS_SOLVER_ADAMS,  SALTUS_SOLVER_IDA};
enum { SOLVERS = sizeof solvers / sizeof *solvers };

// Of the fold of x^3 - x: at x = -1/sqrt(3) it is 2/(3 sqrt(3)), as it is at x = 2/sqrt(3).
#define FOLD 0.38490017945975050967
#define FOLDED -0.57735026918962576451
#define BEYOND 1.1547005383792515290

static Trial *folds_run(const char *text, double stop_time, SaltusSolver solver,
                        SaltusStatus expected)
{
    Trial *t = trial_text(text);
    if (!trial_is_model(t))
        fail_msg("%s\n%s", text, trial_messages(t));
    SaltusMethod *method = &trial_options(t)->method;
    method->solver = solver;
    method->step = solver == SALTUS_SOLVER_RK4 ? 0.01 : 0.0;
    method->max_step = stop_time / 50.0; // as the command has it
    method->relative_tolerance = 1e-8;
    method->absolute_tolerance = 1e-11;
    const SaltusStatus status = trial_run(t, stop_time);
    if (status != expected)
        fail_msg("%s\nsolver %d: status %d, %s", text, (int)solver, (int)status, trial_error(t));
    return t;
}

static bool has_warning(const Trial *t, const char *words)
{
    Arena *arena = arena_create(NULL);
    uint32_t index = 0;
    double time;
    const char *message;
    bool is_there = false;
    while (warnings_next(trial_model(t), trial_get_run(t), &index, &time, arena, &message))
        is_there = is_there || strstr(message, words);
    arena_destroy(arena);
    return is_there;
}

// ---- branches that go on --------------------------------------------------------------------

// The branch of x^3 - x = u that ends at the fold on the right, or that between the folds, by
// bisection: x^3 - x - u is monotone between the bounds.
static double cubic(double u, double low, double high)
{
    const bool falls = low * low * low - low - u > 0.0;
    for (int k = 0; k < 200; k++) {
        const double x = 0.5 * (low + high);
        const bool is_above = x * x * x - x - u > 0.0;
        if (is_above == falls)
            low = x;
        else
            high = x;
    }
    return low;
}

static double left_branch(double u)
{
    return cubic(u, -2.0, FOLDED);
}

static double middle_branch(double u)
{
    return cubic(u, FOLDED, -FOLDED);
}

static double near_fold(double t)
{
    return left_branch(0.3849 * sin(10.0 * t));
}
static double between_folds(double t)
{
    return middle_branch(0.38 * sin(50.0 * t));
}
static double offset(double t)
{
    return 100.0 + left_branch(0.38 * sin(10.0 * t));
}
static double behind_state(double t)
{
    return left_branch(0.3848 * sin(50.0 * t));
}
static double root_of_square(double t)
{
    return -2.0 - sin(20.0 * t);
}
static double vertical(double t)
{
    return cbrt(t - 1.0);
}
static double second_quadrant(double t)
{
    return acos(-1.0) - asin(0.999 * sin(5.0 * t));
}
// x^2 + y^2 = s, x y = 0.49: x + y = sqrt(s + 0.98), x - y = sqrt(s - 0.98).
static double difference(double t)
{
    return sqrt(2.0 + sin(30.0 * t) - 0.98);
}

// The residuals are solved to rounding; near the fold x is the square root of what it depends on:
// of rounding 1e-16 (1e-8 times 1 / sqrt(3)), and of the error of a state, 1e-8 each unit of time.
static const struct {
    const char *text, *variable;
    double (*expected)(double t);
    double stop_time, bound;
} lasting[] = {
    {"model M Real x(start=-1); equation x^3 - x = 0.3849*sin(10*time); end M;", "x", near_fold,
     2.0, 1e-7},
    {"model M Real x(start=0); equation x^3 - x = 0.38*sin(50*time); end M;", "x", between_folds,
     2.0, 1e-9},
    {"model M Real x(start=99); equation (x-100)^3 - (x-100) = 0.38*sin(10*time); end M;", "x",
     offset, 2.0, 1e-9},
    {"model M Real x(start=-1), s(start=0, fixed=true); equation der(s) = 0.3848*50*cos(50*time); "
     "x^3 - x = s; end M;",
     "x", behind_state, 2.0, 1e-4},
    {"model M Real x(start=-2); equation x^2 = (2 + sin(20*time))^2; end M;", "x", root_of_square,
     2.0, 1e-9},
    {"model M Real x(start=-1); equation x^3 = time - 1; end M;", "x", vertical, 2.0, 1e-9},
    {"model M Real x(start=3); equation sin(x) = 0.999*sin(5*time); end M;", "x", second_quadrant,
     2.0, 1e-9},
    {"model M Real x(start=1), y(start=0.5), z; equation x^2 + y^2 = 2 + sin(30*time); "
     "x*y = 0.49; z = x - y; end M;",
     "z", difference, 2.0, 1e-7},
};

static void test_branches_that_go_on(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof lasting / sizeof *lasting; i++)
        for (int k = 0; k < SOLVERS; k++) {
            Trial *t = folds_run(lasting[i].text, lasting[i].stop_time, solvers[k], SALTUS_OK);
            const SaltusRun *run = trial_get_run(t);
            assert_int_equal(saltus_run_event_count(run), 0);
            assert_false(has_warning(t, "jumps"));
            // rk4 is as exact as its step of 0.01 allows: (50 h)^4 / 120 of each wave
            const double bound = solvers[k] == SALTUS_SOLVER_RK4 && lasting[i].bound == 1e-4
                                     ? 0.05
                                     : lasting[i].bound;
            for (long row = 0; row < saltus_run_row_count(run); row++) {
                const double at = saltus_run_row(run, row).t;
                const double x = trial_value_at(t, lasting[i].variable, row);
                if (!(fabs(x - lasting[i].expected(at)) <= bound * (1.0 + fabs(x))))
                    fail_msg("%s\nsolver %d: %.17g, not %.17g, at t = %.17g", lasting[i].text,
                             (int)solvers[k], x, lasting[i].expected(at), at);
            }
            trial_end(t);
        }
}

// ---- branches that end ------------------------------------------------------------------------

// The first jump: when, from what to what. Where the time is that of a given input, it is known to
// a hundredth of the relative tolerance, and x to its square root; a state has the error of the
// run.
static const struct {
    const char *text, *variable;
    double stop_time, time, from, to;
    int count;
    const char *what;
} ending[] = {
    {"model M Real x(start=-1.3); equation x^3 - x = time - 1; end M;", "x", 2.0, 1.0 + FOLD,
     FOLDED, BEYOND, 1, "a fold"},
    {"model M Real x(start=98.7); equation (x-100)^3 - (x-100) = time - 1; end M;", "x", 2.0,
     1.0 + FOLD, 100.0 + FOLDED, 100.0 + BEYOND, 1, "small in comparison to the value"},
    {"model M Real x(start=-1.3), y, z, w; equation x^3 - y = z; z = time - 1 + w/10; w = x - y; "
     "y + 0.1*w^2 = x; end M;",
     "x", 2.0, 1.0 + FOLD, FOLDED, BEYOND, 1, "in a larger loop"},
    {"model M Real x(start=-1.3), u; equation x^3 - x = u; if time < 1.2 then u = time - 1; else "
     "u = time - 1 + 0.01*(time - 1.2); end if; end M;",
     "x", 2.0, (FOLD + 1.012) / 1.01, FOLDED, BEYOND, 1, "with an event before"},
    {"model M Real x(start=-1.3), u(start=-1, fixed=true), v; equation x^3 - x = u; "
     "if time < 0.5 then der(u) = 1; v = 0; else der(v) = 1; u = time - 1; end if; end M;",
     "x", 2.0, 1.0 + FOLD, FOLDED, BEYOND, 1, "in another mode"},
    {"model M Real x(start=-1.3); equation homotopy(x^3 - x, x) = time - 1; end M;", "x", 2.0,
     1.0 + FOLD, FOLDED, BEYOND, 1, "with homotopy, which is of the start"},
    // x = tanh(3 x + u): 3 (1 - x^2) = 1
    {"model M Real x(start=-1); equation x = tanh(3*x + 2*time); end M;", "x", 1.0,
     0.6516369540012945, -0.81649658092772603, 0.9996334533081509, 1, "hysteresis"},
    // Roots of x^5 - 5 x^3 + 4 x = 4 t: the fold is where 5 x^4 - 15 x^2 + 4 = 0; left of it are
    // two more roots, which are farther away.
    {"model M Real x(start=0); equation x^5 - 5*x^3 + 4*x = 4*time; end M;", "x", 2.0,
     0.35467415639573097, 0.543912255902338, 2.0530323148315586, 1, "several others: the nearest"},
    // The relaxation oscillator of van der Pol in its limit: from 2 to 1 and back, at intervals of
    // the integral of (x - 1/x), 3/2 - ln 2; and begun at x = 1.2.
    {"model M Real x(start=1.2), s(start=0.624, fixed=true); equation der(s) = x; x - x^3/3 = s; "
     "end M;",
     "x", 2.0, 0.22 - 0.18232155679395459, 1.0, -2.0, 3, "where both branches lead to the fold"},
};

static void test_branches_that_end(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++)
        for (int k = 0; k < SOLVERS; k++) {
            Trial *t = folds_run(ending[i].text, ending[i].stop_time, solvers[k], SALTUS_OK);
            const SaltusRun *run = trial_get_run(t);
            int count = 0;
            for (long e = 0; e < saltus_run_event_count(run); e++) {
                const SaltusLogEntry entry = saltus_run_event(run, e);
                const SaltusChange *c = entry.change_count > 0 ? &entry.changes[0] : NULL;
                if (!c || strcmp(c->name, ending[i].variable) != 0 || count++ > 0)
                    continue;
                if (!(fabs(entry.t - ending[i].time) < 1e-6) ||
                    !(fabs(c->before - ending[i].from) < 1e-3) ||
                    !(fabs(c->after - ending[i].to) < 1e-6))
                    fail_msg("%s: solver %d: t = %.17g, from %.17g to %.17g", ending[i].what,
                             (int)solvers[k], entry.t, c->before, c->after);
            }
            if (count != ending[i].count || !has_warning(t, "x jumps from "))
                fail_msg("%s: solver %d: %d jumps", ending[i].what, (int)solvers[k], count);
            trial_end(t);
        }
}

// Where no other solution is found: the message names the unknown and its equation.
static const struct {
    const char *text;
    double time;
} nowhere[] = {
    {"model M Real x(start=-1.3); equation x^2 = 1 - time; end M;", 1.0},
    {"model M Real x(start=-1), y; equation x^2 + y^2 = 1; y = time; end M;", 1.0},
    {"model M Real x(start=-3); equation x*exp(x) = -0.2 - 0.1*time; end M;", 1.6787944117144232},
    {"model M Real x(start=0); equation sin(x) = time; end M;", 1.0},
};

static void test_no_other_solution(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof nowhere / sizeof *nowhere; i++)
        for (int k = 0; k < SOLVERS; k++) {
            Trial *t = folds_run(nowhere[i].text, 3.0, solvers[k], SALTUS_ERROR_EVALUATION);
            if (!strstr(trial_error(t), "ends here, in a fold or a jump, and no other one") ||
                !strstr(trial_error(t), "Newton's method does not converge for x: ") ||
                !strstr(trial_error(t), "line 1)") ||
                fabs(saltus_run_time(trial_get_run(t)) - nowhere[i].time) > 1e-3)
                fail_msg("%s\nsolver %d: %s", nowhere[i].text, (int)solvers[k], trial_error(t));
            trial_end(t);
        }
}

// Events that lead beyond a fold, or happen at one: the solution there is another one, or the same.
// The expected value is that of the one real solution, or of the branch: x^3 - x = 1 has the root
// 1.3247..., the plastic number.
static const struct {
    const char *text;
    double stop_time, x, bound;
} events_at_folds[] = {
    {"model M Real x(start=-1); discrete Real d(start=0, fixed=true); equation x^3 - x = d; "
     "when time > 0.5 then d = 1; end when; end M;",
     2.0, 1.3247179572447460260, 1e-9},
    {"model M Real x(start=-1), y(start=0, fixed=true); discrete Real d(start=0, fixed=true); "
     "equation x^3 - x = d; der(y) = 1; when y > 0.5 then d = 1e6 - 100; end when; end M;",
     2.0, 100.0, 1e-9},
    // at the fold itself, t = 1: x jumps to the other branch, whose value at t = 2 is that of
    // x^3 - x = 2 FOLD
    {"model M Real x(start=-1); Integer n(start=0, fixed=true); equation "
     "x^3 - x = time*2/(3*sqrt(3)); when time >= 1 then n = 1; end when; end M;",
     2.0, 1.2677591995859, 1e-9},
    // the event at the fold turns back before it ends: the branch goes on
    {"model M Real x(start=1); equation x^2 = if time < 1 then 1 - time else time - 1; end M;", 2.0,
     1.0, 1e-9},
};

static void test_events_at_folds(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof events_at_folds / sizeof *events_at_folds; i++)
        for (int k = 0; k < SOLVERS; k++) {
            Trial *t = folds_run(events_at_folds[i].text, events_at_folds[i].stop_time, solvers[k],
                                 SALTUS_OK);
            const double x = trial_value(t, "x");
            if (!(fabs(x - events_at_folds[i].x) <= events_at_folds[i].bound * (1.0 + fabs(x))))
                fail_msg("%s\nsolver %d: x = %.17g, not %.17g", events_at_folds[i].text,
                         (int)solvers[k], x, events_at_folds[i].x);
            trial_end(t);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_branches_that_go_on),
        cmocka_unit_test(test_branches_that_end),
        cmocka_unit_test(test_no_other_solution),
        cmocka_unit_test(test_events_at_folds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
