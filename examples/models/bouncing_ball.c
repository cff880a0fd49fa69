// SPDX-License-Identifier: MIT

#include "bouncing_ball.h"

#include <math.h>

const double ball_start[2] = {10.0, 0.0};
const double ball_without_drag[BALL_PARAMETERS] = {9.81, 0.9, 0.0};
const double ball_with_drag[BALL_PARAMETERS] = {9.81, 0.9, 0.002};

// ---- the model ----

static int flight(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    (void)t, (void)z;
    double v = x[BALL_V];
    dx[BALL_X] = v;
    dx[BALL_V] = -c->p[BALL_G] - c->p[BALL_BETA] * v * fabs(v);
    return 0;
}

static int event_functions(const SaltusContext *c, double t, const double *x, const double *z,
                           double *h)
{
    (void)c, (void)t, (void)z;
    h[BALL_BOUNCE] = x[BALL_X];
    h[BALL_APEX] = x[BALL_V];
    return 0;
}

static int event_flow(const SaltusContext *c, double t, const double *x, const double *z,
                      const double *dx, double *dh)
{
    (void)c, (void)t, (void)x, (void)z;
    dh[BALL_BOUNCE] = dx[BALL_X];
    dh[BALL_APEX] = dx[BALL_V];
    return 0;
}

static void bounce(SaltusEvent *event)
{
    event->x[BALL_V] *= -event->p[BALL_MU];
}

static void apex(SaltusEvent *event)
{
    saltus_record(event, "height", event->x[BALL_X]);
}

SaltusStatus bouncing_ball_create(SaltusSystem **system, SaltusError *error)
{
    SaltusEventDef events[] = {
        [BALL_BOUNCE] = {.name = "bounce",
                         .condition = "x <= 0",
                         .direction = SALTUS_FALLING,
                         .classes = SALTUS_SE_X,
                         .action = bounce},
        [BALL_APEX] = {.name = "apex",
                       .condition = "v <= 0",
                       .direction = SALTUS_FALLING,
                       .classes = SALTUS_SE_O,
                       .action = apex},
    };
    SaltusModeDef mode = saltus_default_mode();
    mode.name = "flight";
    mode.state_count = 2;
    mode.state_names = (const char *const[]){"x", "v"};
    mode.start = ball_start;
    mode.rhs = flight;
    mode.event_count = 2;
    mode.events = events;
    mode.event_functions = event_functions;
    mode.event_flow = event_flow;

    SaltusSystemDef def = saltus_default_system();
    def.name = "bouncing ball";
    def.mode_count = 1;
    def.modes = &mode;
    def.parameter_count = BALL_PARAMETERS;
    def.parameter_names = (const char *const[]){"g", "mu", "beta"};
    def.parameters = ball_without_drag;
    return saltus_system_create(&def, system, error);
}

// ---- the closed form ----

// A flight upwards from speed u: its height, its duration, and the speed at its end.
// With the terminal speed v_t = sqrt(g/beta) and a = sqrt(g beta):
//     height  ln(1 + u^2/v_t^2) / (2 beta),   rise  atan(u/v_t) / a,   fall  atanh(v/v_t) / a,
//     1/v^2 = 1/u^2 + beta/g.
typedef struct Flight {
    double height, duration, speed;
} Flight;

static Flight fly(const double *p, double u)
{
    double g = p[BALL_G], beta = p[BALL_BETA];
    if (beta == 0.0)
        return (Flight){.height = u * u / (2.0 * g), .duration = 2.0 * u / g, .speed = u};
    double terminal = sqrt(g / beta), a = sqrt(g * beta);
    double v = u / sqrt(1.0 + u * u * beta / g);
    return (Flight){.height = log1p(u * u * beta / g) / (2.0 * beta),
                    .duration = (atan(u / terminal) + atanh(v / terminal)) / a,
                    .speed = v};
}

// The first fall, from height x0 at rest.
static Flight first_fall(const double *p, double x0)
{
    double g = p[BALL_G], beta = p[BALL_BETA];
    if (beta == 0.0)
        return (Flight){.height = x0, .duration = sqrt(2.0 * x0 / g), .speed = sqrt(2.0 * g * x0)};
    double terminal = sqrt(g / beta);
    double v = terminal * sqrt(-expm1(-2.0 * beta * x0));
    return (Flight){.height = x0, .duration = atanh(v / terminal) / sqrt(g * beta), .speed = v};
}

double bouncing_ball_exact(const double *p, int count, double *times, double *heights)
{
    Flight last = first_fall(p, ball_start[BALL_X]);
    double t = 0.0, lost = 0.0; // the sum, and what its roundings have lost
    for (int i = 0; i < count || t + last.duration != t; i++) {
        double term = last.duration - lost, sum = t + term;
        lost = (sum - t) - term;
        t = sum;
        last = fly(p, p[BALL_MU] * last.speed);
        if (i < count && times)
            times[i] = t;
        if (i < count && heights)
            heights[i] = last.height;
    }
    return t;
}
