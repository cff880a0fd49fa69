// SPDX-License-Identifier: MIT

#include "dynamic_contact.h"

#include <math.h>

const double contact_parameters[CONTACT_PARAMETERS] = {
    [CONTACT_G] = 9.81, [CONTACT_BETA] = 0.002, [CONTACT_K] = 1e6, [CONTACT_D] = 500.0};

static const double start[] = {10.0, 0.0, 0.0};
static const char *const state_names[] = {"x", "v", "w"};
static const char *const parameter_names[] = {"g", "beta", "k", "d", "drag", "contact"};

// ---- equations ----

static int flight(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    (void)t, (void)z;
    const double *p = c->p;
    double v = x[CONTACT_V];
    dx[CONTACT_X] = v;
    dx[CONTACT_V] = -p[CONTACT_G] - p[CONTACT_BETA] * v * fabs(v);
    dx[CONTACT_W] = -p[CONTACT_K] / p[CONTACT_D] * x[CONTACT_W];
    return 0;
}

static double force(const double *p, const double *x)
{
    return -p[CONTACT_K] * x[CONTACT_X] - p[CONTACT_D] * x[CONTACT_V];
}

static int contact(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    (void)t, (void)z;
    const double *p = c->p;
    double v = x[CONTACT_V];
    dx[CONTACT_X] = v;
    dx[CONTACT_V] = -p[CONTACT_G] + force(p, x) - p[CONTACT_DRAG] * p[CONTACT_BETA] * v * fabs(v);
    dx[CONTACT_W] = -v;
    return 0;
}

static int flight_events(const SaltusContext *c, double t, const double *x, const double *z,
                         double *h)
{
    (void)c, (void)t, (void)z;
    h[CONTACT_EVENT_C] = x[CONTACT_X] + x[CONTACT_W];
    h[CONTACT_EVENT_M] = x[CONTACT_V];
    return 0;
}

static int contact_events(const SaltusContext *c, double t, const double *x, const double *z,
                          double *h)
{
    (void)t, (void)z;
    h[CONTACT_EVENT_F] = force(c->p, x);
    h[CONTACT_EVENT_W] = x[CONTACT_V]; // w' = -v
    return 0;
}

// ---- actions ----

static void record_height(SaltusEvent *event)
{
    saltus_record(event, "h_max", event->x[CONTACT_X] + event->x[CONTACT_W]);
}

static void record_deformation(SaltusEvent *event)
{
    saltus_record(event, "w_max", event->x[CONTACT_W]);
}

static void to_contact(SaltusEvent *event)
{
    saltus_switch_mode(event, CONTACT_CONTACT);
}

static void to_flight(SaltusEvent *event)
{
    saltus_switch_mode(event, CONTACT_FLIGHT);
}

static void contact_on(SaltusEvent *event)
{
    event->p[CONTACT_ON] = 1.0;
}

static void contact_off(SaltusEvent *event)
{
    event->p[CONTACT_ON] = 0.0;
}

static SaltusEventDef make_event(const char *name, const char *condition, SaltusDirection direction,
                                 unsigned classes, SaltusAction action)
{
    return (SaltusEventDef){.name = name,
                            .condition = condition,
                            .direction = direction,
                            .classes = classes,
                            .action = action};
}

// ---- two modes ----

SaltusStatus dynamic_contact_create(SaltusSystem **system, SaltusError *error)
{
    SaltusEventDef in_flight[] = {
        [CONTACT_EVENT_C] =
            make_event("contact", "x + w <= 0", SALTUS_FALLING, SALTUS_SE_F, to_contact),
        [CONTACT_EVENT_M] =
            make_event("apex", "v <= 0", SALTUS_FALLING, SALTUS_SE_O, record_height),
    };
    SaltusEventDef in_contact[] = {
        [CONTACT_EVENT_F] =
            make_event("lift-off", "-k x - d v <= 0", SALTUS_FALLING, SALTUS_SE_F, to_flight),
        [CONTACT_EVENT_W] =
            make_event("deepest", "v >= 0", SALTUS_RISING, SALTUS_SE_O, record_deformation),
    };
    SaltusModeDef modes[2] = {saltus_default_mode(), saltus_default_mode()};
    for (int i = 0; i < 2; i++) {
        modes[i].name = i == CONTACT_FLIGHT ? "flight" : "contact";
        modes[i].state_count = 3;
        modes[i].state_names = state_names;
        modes[i].start = start;
        modes[i].rhs = i == CONTACT_FLIGHT ? flight : contact;
        modes[i].event_count = 2;
        modes[i].events = i == CONTACT_FLIGHT ? in_flight : in_contact;
        modes[i].event_functions = i == CONTACT_FLIGHT ? flight_events : contact_events;
    }
    SaltusSystemDef def = saltus_default_system();
    def.name = "ball with dynamic contact";
    def.mode_count = 2;
    def.modes = modes;
    def.parameter_count = CONTACT_PARAMETERS;
    def.parameter_names = parameter_names;
    def.parameters = contact_parameters;
    return saltus_system_create(&def, system, error);
}

// ---- one mode ----

static int switched(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    return c->p[CONTACT_ON] > 0.0 ? contact(c, t, x, z, dx) : flight(c, t, x, z, dx);
}

// C is zero all the time in contact, but for rounding, and F means nothing in flight: they need no
// guard, for their actions change nothing then. M and W are the same function, each in its phase.
static int switched_events(const SaltusContext *c, double t, const double *x, const double *z,
                           double *h)
{
    (void)t, (void)z;
    bool on = c->p[CONTACT_ON] > 0.0;
    h[0] = x[CONTACT_X] + x[CONTACT_W];
    h[1] = force(c->p, x);
    h[2] = on ? 1.0 : x[CONTACT_V];
    h[3] = on ? x[CONTACT_V] : -1.0;
    return 0;
}

SaltusStatus dynamic_contact_create_switched(SaltusSystem **system, SaltusError *error)
{
    SaltusEventDef events[] = {
        make_event("contact", "x + w <= 0", SALTUS_FALLING, SALTUS_SE_P, contact_on),
        make_event("lift-off", "-k x - d v <= 0", SALTUS_FALLING, SALTUS_SE_P, contact_off),
        make_event("apex", "v <= 0", SALTUS_FALLING, SALTUS_SE_O, record_height),
        make_event("deepest", "v >= 0", SALTUS_RISING, SALTUS_SE_O, record_deformation),
    };
    events[0].noise = 1e-12; // more than the roundings of a whole contact
    SaltusModeDef mode = saltus_default_mode();
    mode.name = "ball";
    mode.state_count = 3;
    mode.state_names = state_names;
    mode.start = start;
    mode.rhs = switched;
    mode.event_count = 4;
    mode.events = events;
    mode.event_functions = switched_events;

    SaltusSystemDef def = saltus_default_system();
    def.name = "ball with switched contact";
    def.mode_count = 1;
    def.modes = &mode;
    def.parameter_count = CONTACT_PARAMETERS;
    def.parameter_names = parameter_names;
    def.parameters = contact_parameters;
    return saltus_system_create(&def, system, error);
}
