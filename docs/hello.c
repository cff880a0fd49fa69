// SPDX-License-Identifier: MIT
// A bouncing ball: x' = v, v' = -g; when x falls through zero, v becomes -mu v.

#include <saltus/saltus.h>
#include <stdio.h>

static int fall(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    (void)t, (void)z;
    dx[0] = x[1];
    dx[1] = -c->p[0];
    return 0;
}

static int height(const SaltusContext *c, double t, const double *x, const double *z, double *h)
{
    (void)c, (void)t, (void)z;
    h[0] = x[0];
    return 0;
}

static void bounce(SaltusEvent *event)
{
    event->x[1] *= -event->p[1];
}

int main(void)
{
    SaltusEventDef contact = {.name = "bounce", .direction = SALTUS_FALLING, .action = bounce};
    SaltusModeDef flight = saltus_default_mode();
    flight.name = "flight", flight.state_count = 2, flight.start = (double[]){10.0, 0.0};
    flight.rhs = fall, flight.event_functions = height;
    flight.events = &contact, flight.event_count = 1;
    SaltusSystemDef ball = saltus_default_system();
    ball.modes = &flight, ball.mode_count = 1;
    ball.parameters = (double[]){9.81, 0.9}, ball.parameter_count = 2;
    SaltusSystem *system = NULL;
    SaltusRun *run = NULL;
    SaltusOptions options = saltus_default_options();
    if (saltus_system_create(&ball, &system, NULL) < 0 ||
        saltus_run_create(system, &options, &run, NULL) < 0)
        return 1;
    SaltusStatus status = saltus_run_advance(run, 30.0);
    printf("%ld bounces; %s\n", saltus_run_event_count(run), saltus_run_error(run)->message);
    saltus_run_destroy(run);
    saltus_system_destroy(system);
    return status < 0;
}
