// SPDX-License-Identifier: MIT

#include "rlc_shockley.h"

#include <math.h>

#define STANDARD 20.0, 25.3e-6, 100e-9, 0.15e6, 1e-8, 26e-3
const double shockley_weak[SHOCKLEY_PARAMETERS] = {1e3, STANDARD};
const double shockley_strong[SHOCKLEY_PARAMETERS] = {10.0, STANDARD};

static const double two_pi = 6.283185307179586;
static const double start[] = {0.0, 0.0, 0.0};
static const double nominal_u[] = {1e-3, 1e-2, 1e-2}, nominal_i[] = {1e-3, 1e-2, 1e-8};
static const char *const state_names[] = {"i", "u_C"};
static const char *const name_u[] = {"u_D"}, *const name_i[] = {"i_D"};

// ---- equations ----

// The derivatives when the diode carries the current i_D.
static void circuit(const double *p, double t, const double *x, double i_d, double *dx)
{
    double source = -sin(two_pi * p[SHOCKLEY_F] * t);
    double branch = x[SHOCKLEY_I] + i_d;
    dx[SHOCKLEY_I] =
        (source - p[SHOCKLEY_R1] * x[SHOCKLEY_I] - p[SHOCKLEY_R2] * branch - x[SHOCKLEY_UC]) /
        p[SHOCKLEY_L];
    dx[SHOCKLEY_UC] = branch / p[SHOCKLEY_C];
}

static double current(const double *p, double u_d)
{
    return p[SHOCKLEY_IS] * expm1(u_d / p[SHOCKLEY_UT]);
}

static double voltage(const double *p, double i_d)
{
    return p[SHOCKLEY_UT] * log1p(i_d / p[SHOCKLEY_IS]);
}

// What the voltage of the diode lacks when it carries i_D and has the voltage u_D.
static double balance(const double *p, const double *x, double i_d, double u_d)
{
    return p[SHOCKLEY_R2] * (x[SHOCKLEY_I] + i_d) + x[SHOCKLEY_UC] + u_d;
}

static int locking(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    (void)z;
    circuit(c->p, t, x, 0.0, dx);
    return 0;
}

static int conducting_u(const SaltusContext *c, double t, const double *x, const double *z,
                        double *dx)
{
    circuit(c->p, t, x, current(c->p, z[0]), dx);
    return 0;
}

static int algebraic_u(const SaltusContext *c, double t, const double *x, const double *z,
                       double *g)
{
    (void)t;
    g[0] = balance(c->p, x, current(c->p, z[0]), z[0]);
    return 0;
}

static int conducting_i(const SaltusContext *c, double t, const double *x, const double *z,
                        double *dx)
{
    circuit(c->p, t, x, z[0], dx);
    return 0;
}

static int algebraic_i(const SaltusContext *c, double t, const double *x, const double *z,
                       double *g)
{
    (void)t;
    if (z[0] <= -c->p[SHOCKLEY_IS])
        return 1; // the diode carries no such current: try a smaller step
    g[0] = balance(c->p, x, z[0], voltage(c->p, z[0]));
    return 0;
}

// ---- events ----

static int locking_events(const SaltusContext *c, double t, const double *x, const double *z,
                          double *h)
{
    (void)t, (void)z;
    h[0] = -balance(c->p, x, 0.0, 0.0); // u_D
    return 0;
}

// The algebraic unknown itself: u_D and i_D have the same sign.
static int conducting_events(const SaltusContext *c, double t, const double *x, const double *z,
                             double *h)
{
    (void)c, (void)t, (void)x;
    h[0] = z[0];
    return 0;
}

static void conduct(SaltusEvent *event)
{
    saltus_switch_mode(event, SHOCKLEY_CONDUCTING);
    event->z[0] = 0.0;
}

static void lock(SaltusEvent *event)
{
    saltus_switch_mode(event, SHOCKLEY_LOCKING);
}

double rlc_shockley_voltage(ShockleyUnknown unknown, int mode, const double *p, const double *x,
                            const double *z)
{
    if (mode == SHOCKLEY_LOCKING)
        return -balance(p, x, 0.0, 0.0);
    return unknown == SHOCKLEY_VOLTAGE ? z[0] : voltage(p, z[0]);
}

// ---- the whole ----

SaltusStatus rlc_shockley_create(ShockleyUnknown unknown, SaltusSystem **system, SaltusError *error)
{
    bool by_voltage = unknown == SHOCKLEY_VOLTAGE;
    SaltusEventDef conduction_starts = {.name = "conduct",
                                        .condition = "u_D >= 0",
                                        .direction = SALTUS_RISING,
                                        .classes = SALTUS_SE_S,
                                        .action = conduct};
    SaltusEventDef conduction_ends = {.name = "lock",
                                      .condition = by_voltage ? "u_D <= 0" : "i_D <= 0",
                                      .direction = SALTUS_FALLING,
                                      .classes = SALTUS_SE_S,
                                      .action = lock};
    SaltusModeDef modes[2] = {saltus_default_mode(), saltus_default_mode()};
    for (int i = 0; i < 2; i++) {
        modes[i].state_count = 2;
        modes[i].state_names = state_names;
        modes[i].start = start;
        modes[i].nominal = by_voltage ? nominal_u : nominal_i;
        modes[i].event_count = 1;
    }
    SaltusModeDef *mode = &modes[SHOCKLEY_LOCKING];
    mode->name = "locking";
    mode->rhs = locking;
    mode->events = &conduction_starts;
    mode->event_functions = locking_events;

    mode = &modes[SHOCKLEY_CONDUCTING];
    mode->name = "conducting";
    mode->algebraic_count = 1;
    mode->algebraic_names = by_voltage ? name_u : name_i;
    mode->rhs = by_voltage ? conducting_u : conducting_i;
    mode->algebraic = by_voltage ? algebraic_u : algebraic_i;
    mode->events = &conduction_ends;
    mode->event_functions = conducting_events;

    SaltusSystemDef def = saltus_default_system();
    def.name = "RLC circuit with Shockley diode";
    def.mode_count = 2;
    def.modes = modes;
    def.initial_mode = SHOCKLEY_CONDUCTING;
    def.parameter_count = SHOCKLEY_PARAMETERS;
    def.parameter_names = (const char *const[]){"R1", "R2", "L", "C", "f", "I_S", "U_T"};
    def.parameters = shockley_weak;
    return saltus_system_create(&def, system, error);
}
