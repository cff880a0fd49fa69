// SPDX-License-Identifier: MIT
//
// The jobs on which Saltus is compared with others and with itself: models in Modelica.
//
//   J1    a ball, 100 bounces
//   J2    a ball that is deformed by its contacts, 30 s
//   J3a   an RLC circuit with a diode as a shortcut, overdamped: 75 periods, 150 events
//   J3b   the same with a small resistance
//   J4    a pendulum on a rope, with a free flight
//   J5    J2 that counts turning points outside of contacts, one of the points of a sweep

#ifndef SALTUS_BENCHMARKS_SUPPORT_JOBS_H
#define SALTUS_BENCHMARKS_SUPPORT_JOBS_H

#include "flatten/flatten.h"
#include "modes/model.h"

#define JOB_BALL                                                                                   \
    "model J1 \"a ball, 100 bounces\" parameter Real g = 9.81, mu = 0.9; Real x(start = 10, "      \
    "fixed = true), v(start = 0, fixed = true); Integer n(start = 0, fixed = true); equation "     \
    "der(x) = v; der(v) = -g; when x <= 0 then reinit(v, -mu * pre(v)); n = pre(n) + 1; end "      \
    "when; when n >= 100 then terminate(\"100 bounces\"); end when; end J1;"

#define JOB_CONTACT(name, variables, equations)                                                    \
    "model " name " \"dynamic contact\" parameter Real g = 9.81, beta = 0.002, k = 1e6, d = 500; " \
    "Real x(start = 10, fixed = true), v(start = 0, fixed = true), w(start = 0, fixed = true); "   \
    "Boolean contact(start = false, fixed = true); " variables "equation der(x) = v; der(v) = if " \
    "contact then -k * x - d * v - g else -g - beta * v * noEvent(abs(v)); der(w) = if contact "   \
    "then -v else -(k / d) * w; when x + w <= 0 then contact = true; elsewhen -k * x - d * v <= "  \
    "0 then contact = false; end when; " equations "end " name ";"

#define JOB_RLC(name, resistance)                                                                  \
    "model " name " parameter Real R1 = " resistance                                               \
    ", R2 = 20, L = 25.3e-6, C = 100e-9, f = 0.15e6; constant Real pi = 3.14159265358979323846; "  \
    "Real i(start = 0, fixed = true, nominal = 1e-3), u(start = 0, fixed = true, nominal = 1e-2)," \
    " d; Boolean conducting = -(R2 * i + u) > 0; equation L * der(i) = -sin(2 * pi * f * time) - " \
    "R1 * i - R2 * (i + d) - u; C * der(u) = i + d; d = if conducting then -(i + u / R2) else 0; " \
    "end " name ";"

#define JOB_PENDULUM                                                                               \
    "model J4 \"a pendulum on a rope\" inner parameter Real m = 1.5, k = 0.9, l = 1, g = 9.81; "   \
    "inner Real x, y; model Swinging outer parameter Real m, k, l, g; outer output Real x, y; "    \
    "Real phi(start = 0.78539816339744831, fixed = true), omega(start = 15, fixed = true); Real "  \
    "F = -m * g * cos(phi) + m * l * omega ^ 2; equation der(phi) = omega; der(omega) = -k / m * " \
    "omega + g / l * sin(phi); x = l * sin(phi); y = l * cos(phi); end Swinging; model Falling "   \
    "outer parameter Real m, k, g; outer output Real x, y; Real vx, vy; equation der(x) = vx; "    \
    "der(y) = vy; m * der(vx) = -k * vx; m * der(vy) = -m * g - k * vy; end Falling; Swinging "    \
    "swinging; Falling falling; equation initialState(swinging); transition(swinging, falling, "   \
    "swinging.F < 0, reset = false); transition(falling, swinging, x ^ 2 + y ^ 2 > l ^ 2, reset "  \
    "= false); when activeState(falling) then reinit(falling.vx, l * cos(pre(swinging.phi)) * "    \
    "pre(swinging.omega)); reinit(falling.vy, -l * sin(pre(swinging.phi)) * "                      \
    "pre(swinging.omega)); end when; when activeState(swinging) then reinit(swinging.phi, "        \
    "atan2(pre(x), pre(y))); reinit(swinging.omega, (pre(y) * pre(falling.vx) - pre(x) * "         \
    "pre(falling.vy)) / l ^ 2); end when; end J4;"

typedef struct Job {
    const char *name, *text;
    double stop;
    double absolute; // tolerance, as a part of the relative one
} Job;

// A model that is ready to run; failing ends the program.
typedef struct JobModel {
    struct Compilation *compilation;
    const Model *model;
    SaltusSystem *system;
} JobModel;

// modification: "(n = 3)", or NULL.
JobModel job_model(const char *text, const char *modification, BackendChoice backend);
// The rest of one that has its compilation.
void job_model_make(JobModel *m, const FlatModel *flat, BackendChoice backend);
void job_model_destroy(JobModel *m);
// A run of it to its end, in which nothing is recorded but the events, as peers do.
SaltusRun *job_run(const JobModel *m, double stop, SaltusSolver solver, double relative,
                   double absolute);

#endif
