// SPDX-License-Identifier: MIT
//
// The tasks of ARGESIM benchmark C21, one function each.

#ifndef SALTUS_REPORT_C21_H
#define SALTUS_REPORT_C21_H

#include "report/benchmark.h"

// What the systems are: equations, sketches, events.
void c21_ball_event(Benchmark *b), c21_ball_dynamic(Benchmark *b), c21_circuit_system(Benchmark *b),
    c21_forerunner_system(Benchmark *b), c21_pendulum_system(Benchmark *b);

void c21_b1(Benchmark *b), c21_b2(Benchmark *b), c21_b3(Benchmark *b), c21_b4(Benchmark *b);
void c21_b5(Benchmark *b), c21_b6(Benchmark *b), c21_b7(Benchmark *b), c21_b8(Benchmark *b),
    c21_b9(Benchmark *b);
// The limit of the bounces on Mars with event contact, a part of B9.
void c21_mars_limit(Benchmark *b);

void c21_r1(Benchmark *b), c21_r2(Benchmark *b), c21_r3(Benchmark *b), c21_r4(Benchmark *b),
    c21_r5(Benchmark *b), c21_r6(Benchmark *b), c21_r7(Benchmark *b);

void c21_p1(Benchmark *b), c21_p2(Benchmark *b), c21_p3(Benchmark *b), c21_p4(Benchmark *b),
    c21_p5(Benchmark *b);

void c21_f1(Benchmark *b), c21_f2(Benchmark *b), c21_f3(Benchmark *b), c21_f4(Benchmark *b);
void c21_approach(Benchmark *b), c21_discussion(Benchmark *b);
void c21_h1(Benchmark *b), c21_e1(Benchmark *b), c21_errata(Benchmark *b);

// ---------------------------------------------------------------------------
// How a result depends on solver, tolerance and locator
// ---------------------------------------------------------------------------

// The times of the events that count; returns how many there are, at most `most`.
typedef size_t C21Events(const LabRun *run, double *times, size_t most);

typedef struct C21Study {
    const char *id, *caption;
    DocumentPlace place;
    LabSetup setup; // its method is what the deviations are measured from
    C21Events *events;
    size_t compared;      // the first so many of them
    SaltusSolver located; // the solver with which the locators are tried
    double sensible;      // the largest deviation, in s, that is called so
} C21Study;

// A table of all of them. Returns the number of events of the accurate run.
size_t c21_compare_methods(Benchmark *b, const C21Study *study);

typedef struct C21Pendulum {
    double m, k, l, g, phi0, omega0;
} C21Pendulum;

// The times of the events F and S through the C interface; returns how many there are.
size_t c21_pendulum_events(const C21Pendulum *p, double stop, SaltusMethod method, double *times,
                           size_t most, SaltusError *error);

#endif
