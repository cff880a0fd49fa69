// SPDX-License-Identifier: MIT
//
// C21's pendulum through the C interface: two modes with two and four states.

#include "report/c21.h"

#include <math.h>

enum { SWINGING, FALLING };

static int swing(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    (void)t, (void)z;
    const C21Pendulum *p = c->user;
    dx[0] = x[1];
    dx[1] = -p->k / p->m * x[1] + p->g / p->l * sin(x[0]);
    return 0;
}

static int rope_force(const SaltusContext *c, double t, const double *x, const double *z, double *h)
{
    (void)t, (void)z;
    const C21Pendulum *p = c->user;
    h[0] = p->m * (p->l * x[1] * x[1] - p->g * cos(x[0]));
    return 0;
}

static int fall(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    (void)t, (void)z;
    const C21Pendulum *p = c->user;
    dx[0] = x[2];
    dx[1] = x[3];
    dx[2] = -p->k / p->m * x[2];
    dx[3] = -p->g - p->k / p->m * x[3];
    return 0;
}

static int tightness(const SaltusContext *c, double t, const double *x, const double *z, double *h)
{
    (void)t, (void)z;
    const C21Pendulum *p = c->user;
    h[0] = x[0] * x[0] + x[1] * x[1] - p->l * p->l;
    return 0;
}

static void begin_fall(SaltusEvent *event)
{
    const C21Pendulum *p = event->user;
    const double phi = event->left.x[0], v = p->l * event->left.x[1];
    saltus_switch_mode(event, FALLING);
    event->x[0] = p->l * sin(phi);
    event->x[1] = p->l * cos(phi);
    event->x[2] = v * cos(phi);
    event->x[3] = -v * sin(phi);
}

static void tighten(SaltusEvent *event)
{
    const C21Pendulum *p = event->user;
    const double *left = event->left.x;
    saltus_switch_mode(event, SWINGING);
    event->x[0] = atan2(left[0], left[1]);
    event->x[1] = (left[1] * left[2] - left[0] * left[3]) / (p->l * p->l);
}

static SaltusStatus c21_pendulum_engine_create(const C21Pendulum *p, SaltusSystem **system,
                                               SaltusError *error)
{
    const SaltusEventDef fall_event = {
        .name = "F", .direction = SALTUS_FALLING, .action = begin_fall};
    const SaltusEventDef taut_event = {.name = "S", .direction = SALTUS_RISING, .action = tighten};
    SaltusModeDef modes[2] = {saltus_default_mode(), saltus_default_mode()};
    modes[SWINGING].name = "swinging";
    modes[SWINGING].state_count = 2;
    modes[SWINGING].start = (const double[]){p->phi0, p->omega0};
    modes[SWINGING].rhs = swing;
    modes[SWINGING].event_count = 1;
    modes[SWINGING].events = &fall_event;
    modes[SWINGING].event_functions = rope_force;
    modes[FALLING].name = "falling";
    modes[FALLING].state_count = 4;
    modes[FALLING].rhs = fall;
    modes[FALLING].event_count = 1;
    modes[FALLING].events = &taut_event;
    modes[FALLING].event_functions = tightness;
    SaltusSystemDef def = saltus_default_system();
    def.name = "pendulum";
    def.user = (void *)(uintptr_t)p;
    def.mode_count = 2;
    def.modes = modes;
    return saltus_system_create(&def, system, error);
}

size_t c21_pendulum_events(const C21Pendulum *p, double stop, SaltusMethod method, double *times,
                           size_t most, SaltusError *error)
{
    SaltusSystem *system = NULL;
    SaltusRun *run = NULL;
    SaltusOptions options = saltus_default_options();
    options.method = method;
    options.record = SALTUS_RECORD_EVENTS;
    size_t count = 0;
    if (c21_pendulum_engine_create(p, &system, error) == SALTUS_OK &&
        saltus_run_create(system, &options, &run, error) == SALTUS_OK &&
        saltus_run_advance(run, stop) >= 0)
        for (long i = 0; i < saltus_run_event_count(run) && count < most; i++)
            times[count++] = saltus_run_event(run, i).t;
    saltus_run_destroy(run);
    saltus_system_destroy(system);
    return count;
}
