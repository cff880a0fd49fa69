// SPDX-License-Identifier: MIT
//
// A bouncing ball: x' = v, v' = -g; when x falls through zero, v becomes -mu v.

#include <saltus/saltus.h>
#include <stdio.h>

enum { G, MU }; // parameters

static int fall(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    (void)t, (void)z;
    dx[0] = x[1];
    dx[1] = -c->p[G];
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
    event->x[1] *= -event->p[MU];
}

int main(void)
{
    SaltusEventDef contact = {.name = "bounce", .direction = SALTUS_FALLING, .action = bounce};
    SaltusModeDef flight = saltus_default_mode();
    flight.name = "flight";
    flight.state_count = 2;
    flight.start = (double[]){10.0, 0.0};
    flight.rhs = fall;
    flight.event_count = 1;
    flight.events = &contact;
    flight.event_functions = height;

    SaltusSystemDef ball = saltus_default_system();
    ball.mode_count = 1;
    ball.modes = &flight;
    ball.parameter_count = 2;
    ball.parameters = (double[]){9.81, 0.9};

    SaltusSystem *system = NULL;
    SaltusRun *run = NULL;
    SaltusOptions options = saltus_default_options();
    SaltusError error;
    if (saltus_system_create(&ball, &system, &error) < 0 ||
        saltus_run_create(system, &options, &run, &error) < 0) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    SaltusStatus status = saltus_run_advance(run, 30.0);
    printf("%ld bounces, %s\n%s\n", saltus_run_event_count(run), saltus_status_text(status),
           saltus_run_error(run)->message);
    saltus_run_destroy(run);
    saltus_system_destroy(system);
    return status == SALTUS_ZENO ? 0 : 1;
}
