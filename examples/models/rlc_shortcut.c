// SPDX-License-Identifier: MIT

#include "rlc_shortcut.h"

#include <math.h>

#define STANDARD 1e3, 20.0, 25.3e-6, 100e-9, 0.15e6
const double rlc_parameters[RLC_PARAMETERS] = {STANDARD, RLC_UP};
const double rlc_parameters_down[RLC_PARAMETERS] = {STANDARD, RLC_DOWN};

static const double two_pi = 6.283185307179586;
static const double start[] = {0.0, 0.0}, nominal[] = {1e-3, 1e-2};
static const char *const state_names[] = {"i", "u_C"};

static double source(const double *p, double t)
{
    return -sin(two_pi * p[RLC_F] * t);
}

// s = R2 i + u_C
static double branch(const double *p, const double *x)
{
    return p[RLC_R2] * x[RLC_I] + x[RLC_UC];
}

static int locking(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    (void)z;
    const double *p = c->p;
    dx[RLC_I] = (source(p, t) - p[RLC_R1] * x[RLC_I] - branch(p, x)) / p[RLC_L];
    dx[RLC_UC] = x[RLC_I] / p[RLC_C];
    return 0;
}

static int conducting(const SaltusContext *c, double t, const double *x, const double *z,
                      double *dx)
{
    (void)z;
    const double *p = c->p;
    dx[RLC_I] = (source(p, t) - p[RLC_R1] * x[RLC_I]) / p[RLC_L];
    dx[RLC_UC] = -x[RLC_UC] / (p[RLC_R2] * p[RLC_C]);
    return 0;
}

// Positive while the diode locks, negative while it conducts.
static int switching(const SaltusContext *c, double t, const double *x, const double *z, double *h)
{
    (void)t, (void)z;
    h[0] = c->p[RLC_ORIENTATION] * branch(c->p, x);
    return 0;
}

static int switching_flow(const SaltusContext *c, double t, const double *x, const double *z,
                          const double *dx, double *dh)
{
    (void)t, (void)x, (void)z;
    dh[0] = c->p[RLC_ORIENTATION] * branch(c->p, dx);
    return 0;
}

static void conduct(SaltusEvent *event)
{
    saltus_switch_mode(event, RLC_CONDUCTING);
}

static void lock(SaltusEvent *event)
{
    saltus_switch_mode(event, RLC_LOCKING);
}

double rlc_shortcut_voltage(int mode, const double *p, const double *x)
{
    return mode == RLC_CONDUCTING ? 0.0 : -p[RLC_ORIENTATION] * branch(p, x);
}

SaltusStatus rlc_shortcut_create(SaltusSystem **system, SaltusError *error)
{
    SaltusEventDef conduction_starts = {.name = "conduct",
                                        .condition = "u_D >= 0",
                                        .direction = SALTUS_FALLING,
                                        .classes = SALTUS_SE_F,
                                        .at_entry = true,
                                        .action = conduct};
    SaltusEventDef conduction_ends = {.name = "lock",
                                      .condition = "i_D <= 0",
                                      .direction = SALTUS_RISING,
                                      .classes = SALTUS_SE_F,
                                      .action = lock};
    SaltusModeDef modes[2] = {saltus_default_mode(), saltus_default_mode()};
    for (int i = 0; i < 2; i++) {
        modes[i].state_count = 2;
        modes[i].state_names = state_names;
        modes[i].start = start;
        modes[i].nominal = nominal;
        modes[i].event_count = 1;
        modes[i].event_functions = switching;
        modes[i].event_flow = switching_flow;
    }
    modes[RLC_LOCKING].name = "locking";
    modes[RLC_LOCKING].rhs = locking;
    modes[RLC_LOCKING].events = &conduction_starts;
    modes[RLC_CONDUCTING].name = "conducting";
    modes[RLC_CONDUCTING].rhs = conducting;
    modes[RLC_CONDUCTING].events = &conduction_ends;

    SaltusSystemDef def = saltus_default_system();
    def.name = "RLC circuit with shortcut diode";
    def.mode_count = 2;
    def.modes = modes;
    def.initial_mode = RLC_LOCKING;
    def.parameter_count = RLC_PARAMETERS;
    def.parameter_names = (const char *const[]){"R1", "R2", "L", "C", "f", "orientation"};
    def.parameters = rlc_parameters;
    return saltus_system_create(&def, system, error);
}
