// SPDX-License-Identifier: MIT

#include "constrained_pendulum.h"

#include <math.h>

#define PI 3.141592653589793
#define COMMON                                                                                     \
    [PIN_M] = 1.02, [PIN_G] = 9.81, [PIN_L] = 1.0, [PIN_LP] = 0.7, [PIN_PHI_P] = -PI / 12.0
const double pin_case_a[PIN_PARAMETERS] = {COMMON, [PIN_D] = 0.2, [PIN_PHI_0] = PI / 6.0};
const double pin_case_b[PIN_PARAMETERS] = {COMMON, [PIN_D] = 0.1, [PIN_PHI_0] = -PI / 6.0};

static int swing(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    (void)t, (void)z;
    const double *p = c->p;
    dx[PIN_PHI] = x[PIN_OMEGA];
    dx[PIN_OMEGA] = -p[PIN_G] / p[PIN_R] * sin(x[PIN_PHI]) - p[PIN_D] / p[PIN_M] * x[PIN_OMEGA];
    return 0;
}

static int pin(const SaltusContext *c, double t, const double *x, const double *z, double *h)
{
    (void)t, (void)z;
    h[0] = x[PIN_PHI] - c->p[PIN_PHI_P];
    return 0;
}

static int pin_flow(const SaltusContext *c, double t, const double *x, const double *z,
                    const double *dx, double *dh)
{
    (void)c, (void)t, (void)x, (void)z;
    dh[0] = dx[PIN_PHI];
    return 0;
}

static double length(const double *p, bool free)
{
    return free ? p[PIN_L] : p[PIN_L] - p[PIN_LP];
}

static void start(SaltusEvent *event)
{
    event->x[PIN_PHI] = event->p[PIN_PHI_0];
    event->x[PIN_OMEGA] = 0.0;
    event->p[PIN_R] = length(event->p, event->p[PIN_PHI_0] > event->p[PIN_PHI_P]);
}

static void touch_or_release(SaltusEvent *event)
{
    double before = event->p[PIN_R];
    event->p[PIN_R] = length(event->p, event->sign[0] > 0);
    event->x[PIN_OMEGA] *= before / event->p[PIN_R];
}

SaltusStatus constrained_pendulum_create(SaltusSystem **system, SaltusError *error)
{
    SaltusEventDef event = {.name = "pin",
                            .condition = "phi = phi_p",
                            .classes = SALTUS_SE_P | SALTUS_SE_X,
                            .action = touch_or_release};
    SaltusModeDef mode = saltus_default_mode();
    mode.name = "swinging";
    mode.state_count = 2;
    mode.state_names = (const char *const[]){"phi", "omega"};
    mode.rhs = swing;
    mode.event_count = 1;
    mode.events = &event;
    mode.event_functions = pin;
    mode.event_flow = pin_flow;

    SaltusSystemDef def = saltus_default_system();
    def.name = "constrained pendulum";
    def.mode_count = 1;
    def.modes = &mode;
    def.start = start;
    def.parameter_count = PIN_PARAMETERS;
    def.parameter_names = (const char *const[]){"m", "g", "d", "l", "l_p", "phi_p", "phi_0", "r"};
    def.parameters = pin_case_a;
    return saltus_system_create(&def, system, error);
}
