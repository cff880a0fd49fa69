// SPDX-License-Identifier: MIT
//
// Event location: every locator with dopri5, dop853 and rk4 on the systems of the examples. Printed
// are the largest error of the event times, and what the whole run cost. Errors are against the
// closed form for the ball with event contact, against dop853 with a tolerance of 1e-13 for all
// others, so that smaller errors than some 1e-12 of the time mean nothing there.

#include "models/bouncing_ball.h"
#include "models/constrained_pendulum.h"
#include "models/dynamic_contact.h"
#include "models/rlc_shockley.h"
#include "models/rlc_shortcut.h"
#include "models/rotating_pendulum.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_EVENTS = 256, BOUNCES = 100 };

static SaltusStatus create_shockley(SaltusSystem **system, SaltusError *error)
{
    return rlc_shockley_create(SHOCKLEY_VOLTAGE, system, error);
}

typedef struct Case {
    const char *name;
    SaltusStatus (*create)(SaltusSystem **system, SaltusError *error);
    const double *parameters;
    double stop_time;
    double step; // of rk4
} Case;

static const Case cases[] = {
    {"bouncing ball, 100 bounces", bouncing_ball_create, ball_without_drag, 27.12828, 1e-2},
    {"ball with dynamic contact, 10 contacts", dynamic_contact_create, contact_parameters, 4.322,
     2e-5},
    {"RLC circuit, shortcut diode, 20 us", rlc_shortcut_create, rlc_parameters, 20e-6, 5e-9},
    {"RLC circuit, Shockley diode, 20 us", create_shockley, shockley_strong, 20e-6, 5e-9},
    {"rotating pendulum, to the turn within pi/10", rotating_pendulum_create, pendulum_parameters,
     10.0, 2e-3},
    {"constrained pendulum (a), 10 s", constrained_pendulum_create, pin_case_a, 10.0, 2e-3},
};
enum { CASES = sizeof cases / sizeof cases[0] };

typedef struct Outcome {
    double times[MOST_EVENTS];
    int count;
    SaltusStatistics statistics;
} Outcome;

static void run_case(const Case *this, SaltusMethod method, Outcome *outcome)
{
    SaltusSystem *system = NULL;
    SaltusRun *run = NULL;
    SaltusError error;
    SaltusOptions options = saltus_default_options();
    options.method = method;
    options.parameters = this->parameters;
    options.record = SALTUS_RECORD_NOTHING;
    if (this->create(&system, &error) < 0 ||
        saltus_run_create(system, &options, &run, &error) < 0) {
        fprintf(stderr, "%s: %s\n", this->name, error.message);
        exit(EXIT_FAILURE);
    }
    if (saltus_run_advance(run, this->stop_time) < 0)
        fprintf(stderr, "%s: %s\n", this->name, saltus_run_error(run)->message);
    outcome->count = 0;
    for (long i = 0; i < saltus_run_event_count(run) && outcome->count < MOST_EVENTS; i++)
        outcome->times[outcome->count++] = saltus_run_event(run, i).t;
    outcome->statistics = saltus_run_statistics(run);
    saltus_run_destroy(run);
    saltus_system_destroy(system);
}

static SaltusMethod method_with(SaltusSolver solver, SaltusLocate locate, double tolerance)
{
    SaltusMethod method = saltus_default_method();
    method.solver = solver;
    method.locate = locate;
    method.relative_tolerance = tolerance;
    method.absolute_tolerance = 1e-3 * tolerance;
    return method;
}

// Bounces and apexes alternate; the ball is at its apex in the middle between two bounces.
static void exact_ball(Outcome *reference)
{
    double bounces[BOUNCES];
    bouncing_ball_exact(ball_without_drag, BOUNCES, bounces, NULL);
    reference->count = 2 * BOUNCES - 1;
    for (int i = 0; i < BOUNCES; i++) {
        reference->times[2 * i] = bounces[i];
        if (i > 0)
            reference->times[2 * i - 1] = 0.5 * (bounces[i - 1] + bounces[i]);
    }
}

static double largest_error(const Outcome *outcome, const Outcome *reference)
{
    double most = outcome->count == reference->count ? 0.0 : NAN;
    for (int i = 0; i < outcome->count && i < reference->count; i++)
        most = fmax(most, fabs(outcome->times[i] - reference->times[i]));
    return outcome->count == reference->count ? most : NAN;
}

static void print_row(const char *solver, const char *locate, const Outcome *outcome, double error)
{
    const SaltusStatistics *s = &outcome->statistics;
    printf("  %-7s %-10s %7d %10.1e %9ld %9ld %7ld %7ld %6ld %6ld %6ld\n", solver, locate,
           outcome->count, error, s->f_evaluations, s->h_evaluations, s->flow_evaluations, s->steps,
           s->locator_iterations, s->closing_steps, s->fallbacks);
}

static void print_case(const Case *this)
{
    static const SaltusSolver solvers[] = {SALTUS_SOLVER_DOPRI5, SALTUS_SOLVER_DOP853,
                                           SALTUS_SOLVER_RK4};
    static Outcome reference, outcome;
    printf("%s (rk4: step %g s)\n", this->name, this->step);
    printf("  %-7s %-10s %7s %10s %9s %9s %7s %7s %6s %6s %6s\n", "solver", "locator", "events",
           "error [s]", "f", "h", "flow", "steps", "iter.", "clos.", "fallb.");
    if (this->create == bouncing_ball_create)
        exact_ball(&reference);
    else
        run_case(this, method_with(SALTUS_SOLVER_DOP853, SALTUS_LOCATE_BRENT, 1e-13), &reference);
    for (size_t k = 0; k < sizeof solvers / sizeof solvers[0]; k++) {
        for (int locate = SALTUS_LOCATE_BRENT; locate <= SALTUS_LOCATE_HENON; locate++) {
            SaltusMethod method = method_with(solvers[k], (SaltusLocate)locate, 1e-9);
            if (solvers[k] == SALTUS_SOLVER_RK4)
                method.step = this->step;
            run_case(this, method, &outcome);
            print_row(saltus_solver_name(method.solver), saltus_locate_name(method.locate),
                      &outcome, largest_error(&outcome, &reference));
        }
    }
}

int main(void)
{
    printf(
        "Relative tolerance 1e-9, absolute 1e-12. Columns: events; largest error of an event\n"
        "time; evaluations of f, h, and of h' along the flow; steps; iterations of the locator;\n"
        "closing steps; events where the locator had to fall back.\n\n");
    for (int i = 0; i < CASES; i++)
        print_case(&cases[i]);
    return EXIT_SUCCESS;
}
