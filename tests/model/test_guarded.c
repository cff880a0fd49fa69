// SPDX-License-Identifier: MIT
//
// Equations and conditions that have a value only where another condition holds: `y > 0 and sqrt(y)
// > 0.3`, `if y > 0 then sqrt(y) else 0`. They are not evaluated where they have none, whatever the
// steps are, and they are evaluated where they matter. All solvers.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/trial.h"

#include <math.h>

// y falls from 1 through 0 at t = 1, or rises from -1. n counts the changes of b; `last` is the
// time of the last one that matters.
#define FALLS "Real y(start=1, fixed=true); equation der(y) = -1; "
#define RISES "Real y(start=-1, fixed=true); equation der(y) = 1; "
#define WAVES                                                                                      \
    "Real y(start=1, fixed=true), v(start=0, fixed=true); equation der(y) = v; der(v) = -y; "
#define COUNTED "when change(b) then n = pre(n) + 1; last = time; end when; end M;"
#define MODEL                                                                                      \
    "model M Boolean b; Integer n(start=0, fixed=true); discrete Real last(start=0, fixed=true); "

static const struct {
    const char *text;
    double stop_time, b, n, last;
} conditions[] = {
    {MODEL FALLS "b = y > 0 and sqrt(y) > 0.3; " COUNTED, 2.0, 0.0, 1.0, 0.91},
    {MODEL "Real y; equation y = 1 - time; b = y > 0 and sqrt(y) > 0.3; " COUNTED, 2.0, 0.0, 1.0,
     0.91},
    {MODEL FALLS "b = sqrt(y) > 0.3 and y > 0; " COUNTED, 2.0, 0.0, 1.0, 0.91},
    {MODEL RISES "b = y > 0 and sqrt(y) > 0.3; " COUNTED, 2.0, 1.0, 1.0, 1.09},
    {MODEL FALLS "b = y <= 0 or log(y) < -1; " COUNTED, 2.0, 1.0, 1.0, 0.63212055882855768},
    {MODEL FALLS "b = not (y <= 0 or log(y) < -1); " COUNTED, 2.0, 0.0, 1.0, 0.63212055882855768},
    {MODEL FALLS "b = (if y > 0 then sqrt(y) else 0) > 0.3; " COUNTED, 2.0, 0.0, 1.0, 0.91},
    {MODEL FALLS "b = if y <= 0 then false elseif sqrt(y) < 0.5 then false else true; " COUNTED,
     2.0, 0.0, 1.0, 0.75},
    {MODEL
     "Real y(start=0, fixed=true); equation der(y) = 1; b = abs(y) < 1 and asin(y) > 0.5; " COUNTED,
     2.0, 0.0, 2.0, 1.0},
    {MODEL FALLS "b = abs(y) > 0.1 and 1/y > 2; " COUNTED, 2.0, 0.0, 2.0, 0.9},
    // one behind two others, of which the second stands behind the first: (exp(-2) + 0.2)^2
    {MODEL FALLS "b = y > 0 and sqrt(y) > 0.2 and log(sqrt(y) - 0.2) > -2; " COUNTED, 2.0, 0.0, 1.0,
     0.88755024781662095},
    // off at acos(0.09), on at 2 pi - acos(0.09), ...
    {MODEL WAVES "b = y > 0 and sqrt(y) > 0.3; " COUNTED, 20.0, 1.0, 6.0, 17.368881540},
    // Boolean variables as guards: by an equation, in a chain, by a when clause, their left limit,
    // in a when clause and after elsewhen
    {MODEL "Boolean g; " FALLS "g = y > 0; b = g and sqrt(y) > 0.3; " COUNTED, 2.0, 0.0, 1.0, 0.91},
    {MODEL "Boolean g; " RISES "g = y > 0; b = g and sqrt(y) > 0.3; " COUNTED, 2.0, 1.0, 1.0, 1.09},
    {MODEL "Boolean g; " WAVES "g = y <= 0; b = not g and sqrt(y) > 0.3; " COUNTED, 20.0, 1.0, 6.0,
     17.368881540},
    {MODEL "Boolean g, h; " FALLS "h = g and sqrt(y) > 0.2; g = y > 0; "
           "b = h and log(sqrt(y) - 0.2) > -2; " COUNTED,
     2.0, 0.0, 1.0, 0.88755024781662095},
    {MODEL "Boolean on(start=true, fixed=true); " FALLS
           "when y < 0.1 then on = false; end when; b = on and log(y) < -1; " COUNTED,
     2.0, 0.0, 2.0, 0.9},
    {MODEL "Boolean on(start=true, fixed=true); " FALLS
           "when y < 0.1 then on = false; end when; b = pre(on) and log(y) < -1; " COUNTED,
     2.0, 0.0, 2.0, 0.9},
    {MODEL "Boolean on(start=true, fixed=true); " FALLS
           "when y <= 0 then on = false; end when; b = on and log(y) < -1; " COUNTED,
     2.0, 0.0, 2.0, 1.0},
    {MODEL FALLS "b = true; when y > 0 and sqrt(y) < 0.3 then n = 1; last = time; "
                 "elsewhen y < 0 and sqrt(-y) > 0.5 then n = pre(n) + 10; last = time; end when; "
                 "end M;",
     2.0, 1.0, 11.0, 1.25},
    {MODEL "Boolean g; " FALLS "g = y > 0; b = true; when not g and sqrt(-y) > 0.5 then n = 1; "
           "last = time; elsewhen g and sqrt(y) < 0.3 then n = pre(n) + 10; last = time; "
           "end when; end M;",
     2.0, 1.0, 1.0, 1.25},
    // Two that may both have no value do not keep each other from being evaluated.
    {MODEL "Real x(start=0.5, fixed=true), y(start=0.2, fixed=true); equation der(x) = 1; der(y) = "
           "1; b = sqrt(x) > 1 and log(y) > 0; " COUNTED,
     2.0, 1.0, 1.0, 0.8},
    {MODEL "Real x(start=0.5, fixed=true), y(start=0.2, fixed=true); equation der(x) = 1; der(y) = "
           "1; b = log(y) > 0 and sqrt(x) > 1; " COUNTED,
     2.0, 1.0, 1.0, 0.8},
    {MODEL "Real x(start=0.5, fixed=true), y(start=0.2, fixed=true); equation der(x) = 1; der(y) = "
           "1; b = sqrt(x) < 1 or log(y) < 0 or sqrt(x + y) < 1.7; " COUNTED,
     2.0, 0.0, 1.0, 1.095},
};

static const SaltusSolver solvers[] = {
    SALTUS_SOLVER_RK4,   SALTUS_SOLVER_DOPRI5, SALTUS_SOLVER_DOP853, SALTUS_SOLVER_RODAS,
    SALTUS_SOLVER_CVODE, SALTUS_SOLVER_ADAMS,  SALTUS_SOLVER_IDA};
enum { SOLVERS = sizeof solvers / sizeof *solvers };

static Trial *guarded_run(const char *text, double stop_time, SaltusSolver solver)
{
    Trial *t = trial_text(text);
    if (!trial_is_model(t))
        fail_msg("%s\n%s", text, trial_messages(t));
    SaltusMethod *method = &trial_options(t)->method;
    method->solver = solver;
    method->step = solver == SALTUS_SOLVER_RK4 ? 0.01 : 0.0;
    method->relative_tolerance = 1e-9;
    method->absolute_tolerance = 1e-12;
    trial_options(t)->record |= SALTUS_RECORD_INTERVALS; // one of them is the time of the event
    trial_options(t)->output_interval = stop_time / 500.0;
    if (trial_run(t, stop_time) != SALTUS_OK)
        fail_msg("%s\nsolver %d: %s", text, (int)solver, trial_error(t));
    return t;
}

static void test_conditions_behind_others(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++)
        for (int k = 0; k < SOLVERS; k++) {
            Trial *t = guarded_run(conditions[i].text, conditions[i].stop_time, solvers[k]);
            const double b = trial_value(t, "b"), n = trial_value(t, "n");
            // waves have the error of the run, 1e-9 a unit of time; the others that of rounding
            const double last = trial_value(t, "last");
            if (b != conditions[i].b || n != conditions[i].n ||
                !(fabs(last - conditions[i].last) <= 1e-6))
                fail_msg("%s\nsolver %d: b = %g, n = %g, last %.17g", conditions[i].text,
                         (int)solvers[k], b, n, last);
            trial_end(t);
        }
}

static double root_until_zero(double t)
{
    return t < 1.0 ? sqrt(1.0 - t) : 0.0;
}
static double root_then_line(double t)
{
    return t < 1.0 ? sqrt(1.0 - t) : t - 1.0;
}
static double area(double t)
{
    return t < 1.0 ? (1.0 - pow(1.0 - t, 1.5)) / 1.5 : 1.0 / 1.5;
}

// Equations that end where their domain does: all rows are finite, and z is what it should be.
// At t = 1 the slope of the root is infinite: an error of 1e-12 in y (of rk4: of rounding) is one
// of 1e-6. Integrated, its error is what the steps make of the edge: each tolerance 1e-9, but the
// last step, which the multistep solvers make with order 1, and rk4 with its own.
static const struct {
    const char *text;
    double (*expected)(double t);
    double bound;
} equations[] = {
    {"model M Real z; " FALLS "z = if y > 0 then sqrt(y) else 0; end M;", root_until_zero, 2e-6},
    {"model M Boolean g; Real z; " FALLS "g = y > 0; z = if g then sqrt(y) else 0; end M;",
     root_until_zero, 2e-6},
    {"model M Real z; " FALLS "if y > 0 then z = sqrt(y); else z = -y; end if; end M;",
     root_then_line, 2e-6},
    {"model M Real z(start=0, fixed=true); " FALLS "der(z) = if y > 0 then sqrt(y) else 0; end M;",
     area, 1e-4},
    {"model M Real z(start=0, fixed=true); " FALLS
     "if y > 0 then der(z) = sqrt(y); else der(z) = 0; end if; end M;",
     area, 1e-4},
};

static void test_equations_with_domains(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof equations / sizeof *equations; i++)
        for (int k = 0; k < SOLVERS; k++) {
            Trial *t = guarded_run(equations[i].text, 2.0, solvers[k]);
            const SaltusRun *run = trial_get_run(t);
            assert_int_equal(saltus_run_event_count(run), 1);
            for (long row = 0; row < saltus_run_row_count(run); row++) {
                const double at = saltus_run_row(run, row).t, z = trial_value_at(t, "z", row);
                if (!(fabs(z - equations[i].expected(at)) <= equations[i].bound))
                    fail_msg("%s\nsolver %d: z = %.17g, not %.17g, at t = %.17g", equations[i].text,
                             (int)solvers[k], z, equations[i].expected(at), at);
            }
            trial_end(t);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_conditions_behind_others),
        cmocka_unit_test(test_equations_with_domains),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
