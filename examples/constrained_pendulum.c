// SPDX-License-Identifier: MIT
//
// The constrained pendulum: a pin shortens its rope, the angular velocity jumps. One event
// function, both directions, an action that changes a parameter and a state (SE-P + SE-X). Two
// cases, all locators, against published event times.
//
// The model is in models/constrained_pendulum.c.

#include "models/constrained_pendulum.h"
#include "check.h"

enum { MOST = 8 };

typedef struct Case {
    const char *name;
    const double *parameters;
    int events;         // in all
    int known;          // published
    double times[MOST]; // s, six digits behind the point
} Case;

static const Case cases[] = {
    {"(a) d = 0.2, from pi/6",
     pin_case_a,
     8,
     8,
     {0.703459, 1.151780, 2.590418, 2.990529, 4.542741, 4.867488, 6.648707, 6.720384}},
    {"(b) d = 0.1, from -pi/6: starts at the pin", pin_case_b, 7, 1, {0.187378}},
};

// The speed of the bob, which the pin does not change.
static double speed(const double *p, const double *x)
{
    return p[PIN_R] * x[PIN_OMEGA];
}

static void check_speed(const SaltusRun *run, const double *parameters)
{
    double most = 0.0;
    double p[PIN_PARAMETERS];
    for (int i = 0; i < PIN_PARAMETERS; i++)
        p[i] = parameters[i];
    for (long i = 0, event = 0; i + 1 < saltus_run_row_count(run); i++) {
        SaltusRow before = saltus_run_row(run, i), after = saltus_run_row(run, i + 1);
        if (before.kind != SALTUS_ROW_BEFORE_EVENT)
            continue;
        SaltusLogEntry entry = saltus_run_event(run, event++);
        p[PIN_R] = entry.changes[0].before;
        double left = speed(p, before.x);
        p[PIN_R] = entry.changes[0].after;
        most = fmax(most, fabs(speed(p, after.x) - left));
    }
    check("largest jump of the speed", most, 0.0, 1e-15);
}

static void run_case(const SaltusSystem *system, const Case *this, SaltusMethod method)
{
    SaltusOptions options = options_for(method.solver, method.locate, method.relative_tolerance);
    options.parameters = this->parameters;
    SaltusRun *run = run_until(system, &options, 10.0);
    printf("%s, %s, %s\n", this->name, saltus_solver_name(method.solver),
           saltus_locate_name(method.locate));
    if (method.locate == SALTUS_LOCATE_BRENT)
        print_events(system, run, MOST);
    check_that(saltus_run_event_count(run) == this->events, "number of events");
    // The printed digits, and what the tolerance leaves after seven seconds.
    for (int i = 0; i < this->known; i++)
        check("event time", find_event(system, run, "pin", i).t, this->times[i], 6e-7);
    check_that(saltus_run_event(run, 0).classes == (SALTUS_SE_P | SALTUS_SE_X),
               "a parameter and a state change");
    check_speed(run, this->parameters);
    saltus_run_destroy(run);
}

// The pendulum that turns just before the pin, or just behind it: no event, or two.
static void turn_near_the_pin(const SaltusSystem *system)
{
    double p[PIN_PARAMETERS];
    for (int i = 0; i < PIN_PARAMETERS; i++)
        p[i] = pin_case_a[i];
    // Released at phi_0 = pi/6, case (a), it turns at this angle if there is no pin.
    p[PIN_PHI_P] = -10.0;
    SaltusOptions options = options_for(SALTUS_SOLVER_DOPRI5, SALTUS_LOCATE_BRENT, 1e-10);
    options.parameters = p;
    options.record = SALTUS_RECORD_INTERVALS;
    options.output_interval = 1e-4;
    SaltusRun *run = run_until(system, &options, 2.0);
    double lowest = 0.0;
    for (long i = 0; i < saltus_run_row_count(run); i++)
        lowest = fmin(lowest, saltus_run_row(run, i).x[PIN_PHI]);
    saltus_run_destroy(run);
    for (int side = -1; side <= 1; side += 2) {
        p[PIN_PHI_P] = lowest + side * 1e-6;
        run = run_until(system, &options, 2.0);
        check_that(saltus_run_event_count(run) == (side < 0 ? 0 : 2),
                   side < 0 ? "turns just before the pin: no event"
                            : "turns just behind the pin: two events");
        saltus_run_destroy(run);
    }
}

int main(void)
{
    SaltusSystem *system = NULL;
    SaltusError error;
    stop_if(constrained_pendulum_create(&system, &error), &error);
    SaltusMethod method = saltus_default_method();
    method.solver = SALTUS_SOLVER_DOPRI5;
    method.relative_tolerance = 1e-8;
    for (int locate = SALTUS_LOCATE_BRENT; locate <= SALTUS_LOCATE_HENON; locate++) {
        method.locate = (SaltusLocate)locate;
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
            run_case(system, &cases[i], method);
    }
    turn_near_the_pin(system);
    saltus_system_destroy(system);
    return checks_done();
}
