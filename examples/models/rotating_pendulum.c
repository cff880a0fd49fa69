// SPDX-License-Identifier: MIT

#include "rotating_pendulum.h"

#include <math.h>

static const double pi = 3.141592653589793;

const double pendulum_parameters[PENDULUM_PARAMETERS] = {1.5, 0.9, 1.0, 9.81};

// ---- swinging ----

static int swing(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    (void)t, (void)z;
    const double *p = c->p;
    dx[PENDULUM_PHI] = x[PENDULUM_OMEGA];
    dx[PENDULUM_OMEGA] = -p[PENDULUM_K] / p[PENDULUM_M] * x[PENDULUM_OMEGA] +
                         p[PENDULUM_G] / p[PENDULUM_L] * sin(x[PENDULUM_PHI]);
    return 0;
}

static int swing_events(const SaltusContext *c, double t, const double *x, const double *z,
                        double *h)
{
    (void)t, (void)z;
    const double *p = c->p;
    double phi = x[PENDULUM_PHI], omega = x[PENDULUM_OMEGA];
    double allowed = sin(pi / 10.0), across = sin(phi);
    h[PENDULUM_EVENT_F] =
        p[PENDULUM_M] * (p[PENDULUM_L] * omega * omega - p[PENDULUM_G] * cos(phi));
    h[PENDULUM_TURN] = omega;
    h[PENDULUM_CRITERION] = across * across + 10.0 * pow(omega, 4) - allowed * allowed;
    return 0;
}

static void fall(SaltusEvent *event)
{
    double phi = event->left.x[PENDULUM_PHI], omega = event->left.x[PENDULUM_OMEGA];
    double l = event->p[PENDULUM_L];
    saltus_switch_mode(event, PENDULUM_FALLING);
    event->x[PENDULUM_X] = l * sin(phi);
    event->x[PENDULUM_Y] = l * cos(phi);
    event->x[PENDULUM_VX] = l * omega * cos(phi);
    event->x[PENDULUM_VY] = -l * omega * sin(phi);
}

static void turn(SaltusEvent *event)
{
    double deviation = remainder(event->x[PENDULUM_PHI] - pi, 2.0 * pi);
    saltus_record(event, "deviation", deviation);
    if (fabs(deviation) <= pi / 10.0)
        saltus_stop(event, "the pendulum turned within pi/10");
}

static void note_criterion(SaltusEvent *event)
{
    saltus_record(event, "phi", event->x[PENDULUM_PHI]);
}

// ---- falling ----

static int free_fall(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    (void)t, (void)z;
    double damping = c->p[PENDULUM_K] / c->p[PENDULUM_M];
    dx[PENDULUM_X] = x[PENDULUM_VX];
    dx[PENDULUM_Y] = x[PENDULUM_VY];
    dx[PENDULUM_VX] = -damping * x[PENDULUM_VX];
    dx[PENDULUM_VY] = -c->p[PENDULUM_G] - damping * x[PENDULUM_VY];
    return 0;
}

static int tightness(const SaltusContext *c, double t, const double *x, const double *z, double *h)
{
    (void)t, (void)z;
    double l = c->p[PENDULUM_L];
    h[0] = x[PENDULUM_X] * x[PENDULUM_X] + x[PENDULUM_Y] * x[PENDULUM_Y] - l * l;
    return 0;
}

static void taut(SaltusEvent *event)
{
    const double *left = event->left.x;
    double x = left[PENDULUM_X], y = left[PENDULUM_Y], l = event->p[PENDULUM_L];
    saltus_switch_mode(event, PENDULUM_SWINGING);
    event->x[PENDULUM_PHI] = atan2(x, y);
    event->x[PENDULUM_OMEGA] = (y * left[PENDULUM_VX] - x * left[PENDULUM_VY]) / (l * l);
}

// ---- the whole ----

SaltusStatus rotating_pendulum_create(SaltusSystem **system, SaltusError *error)
{
    SaltusEventDef swinging[] = {
        [PENDULUM_EVENT_F] = {.name = "fall",
                              .condition = "rope force <= 0",
                              .direction = SALTUS_FALLING,
                              .classes = SALTUS_SE_S,
                              .action = fall},
        [PENDULUM_TURN] = {.name = "turn",
                           .condition = "omega = 0",
                           .classes = SALTUS_SE_O,
                           .action = turn},
        [PENDULUM_CRITERION] = {.name = "criterion",
                                .condition = "sin(phi)^2 + 10 omega^4 = sin(pi/10)^2",
                                .classes = SALTUS_SE_O,
                                .action = note_criterion},
    };
    SaltusEventDef falling = {.name = "taut",
                              .condition = "x^2 + y^2 >= l^2",
                              .direction = SALTUS_RISING,
                              .classes = SALTUS_SE_S,
                              .action = taut};
    SaltusModeDef modes[2] = {saltus_default_mode(), saltus_default_mode()};
    SaltusModeDef *mode = &modes[PENDULUM_SWINGING];
    mode->name = "swinging";
    mode->state_count = 2;
    mode->state_names = (const char *const[]){"phi", "omega"};
    mode->start = (double[]){pi / 4.0, 15.0};
    mode->rhs = swing;
    mode->event_count = 3;
    mode->events = swinging;
    mode->event_functions = swing_events;

    mode = &modes[PENDULUM_FALLING];
    mode->name = "falling";
    mode->state_count = 4;
    mode->state_names = (const char *const[]){"x", "y", "vx", "vy"};
    mode->rhs = free_fall;
    mode->event_count = 1;
    mode->events = &falling;
    mode->event_functions = tightness;

    SaltusSystemDef def = saltus_default_system();
    def.name = "rotating pendulum";
    def.mode_count = 2;
    def.modes = modes;
    def.parameter_count = PENDULUM_PARAMETERS;
    def.parameter_names = (const char *const[]){"m", "k", "l", "g"};
    def.parameters = pendulum_parameters;
    return saltus_system_create(&def, system, error);
}
