// SPDX-License-Identifier: MIT
//
// The bouncing ball with event contact: the times of the first hundred bounces against the closed
// form, with every locator; the height of each flight, recorded by an event that changes nothing;
// and the time at which the bounces accumulate, where the run stops by itself.
//
// The model is in models/bouncing_ball.c.

#include "models/bouncing_ball.h"
#include "check.h"

enum { BOUNCES = 100 };

// Largest deviation of the bounce times and of the heights recorded between them.
typedef struct Deviation {
    double time, height;
    long bounces;
} Deviation;

static Deviation compare(const SaltusRun *run, const double *p)
{
    double times[BOUNCES], heights[BOUNCES];
    bouncing_ball_exact(p, BOUNCES, times, heights);
    Deviation most = {0};
    long flights = 0;
    for (long i = 0; i < saltus_run_event_count(run); i++) {
        SaltusLogEntry entry = saltus_run_event(run, i);
        bool bounce = entry.fired[0].event == BALL_BOUNCE;
        if (bounce && most.bounces < BOUNCES)
            most.time = fmax(most.time, fabs(entry.t - times[most.bounces]));
        if (!bounce && flights < BOUNCES)
            most.height = fmax(most.height, fabs(entry.records[0].after - heights[flights]));
        most.bounces += bounce;
        flights += !bounce;
    }
    return most;
}

static void compare_locators(const SaltusSystem *system, const double *p, SaltusMethod method,
                             double time_allowed, double height_allowed)
{
    double limit = bouncing_ball_exact(p, 0, NULL, NULL);
    printf("\nbeta = %g, %s, tolerance %g: errors of t_1 ... t_100 and of the heights\n",
           p[BALL_BETA], saltus_solver_name(method.solver), method.relative_tolerance);
    for (int locate = SALTUS_LOCATE_BRENT; locate <= SALTUS_LOCATE_HENON; locate++) {
        SaltusOptions options = saltus_default_options();
        options.parameters = p;
        options.method = method;
        options.method.locate = (SaltusLocate)locate;
        SaltusRun *run = run_until(system, &options, 30.0);
        Deviation most = compare(run, p);
        printf("%s: %ld bounces\n", saltus_locate_name(options.method.locate), most.bounces);
        check("largest error of a bounce time", most.time, 0.0, time_allowed);
        check("largest error of a height", most.height, 0.0, height_allowed);
        // The run stops when a flight takes 1024 units in the last place of t. What is left then is
        // nine times as long.
        check("accumulation", saltus_run_time(run), limit, time_allowed + 1e-10);
        saltus_run_destroy(run);
    }
}

int main(void)
{
    SaltusSystem *system = NULL;
    SaltusError error;
    stop_if(bouncing_ball_create(&system, &error), &error);

    // Default options: the flight is a parabola, which the solver integrates without error.
    SaltusOptions options = saltus_default_options();
    SaltusRun *run = run_until(system, &options, 30.0);
    print_events(system, run, 8);
    printf("%s\n", saltus_run_error(run)->message);
    check("limit without drag, published", saltus_run_time(run), 27.1290193356, 1e-10);
    saltus_run_destroy(run);

    SaltusMethod method = saltus_default_method();
    method.solver = SALTUS_SOLVER_DOPRI5;
    compare_locators(system, ball_without_drag, method, 1e-11, 1e-12);

    // With drag the integration has an error; each of the hundred flights may add its tolerance.
    method.relative_tolerance = 1e-12;
    method.absolute_tolerance = 1e-15;
    compare_locators(system, ball_with_drag, method, 1e-10, 1e-11);
    check("limit with drag, published", bouncing_ball_exact(ball_with_drag, 0, NULL, NULL),
          25.58946, 5e-6);

    saltus_system_destroy(system);
    return checks_done();
}
