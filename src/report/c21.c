// SPDX-License-Identifier: MIT
//
// ARGESIM benchmark C21, "State Events and Structural-dynamic Systems": the list of its tasks.

#include "report/c21.h"

static const BenchmarkTask tasks[] = {
    {NULL, "Modelling approach", 1, c21_approach},
    {NULL, "Bouncing ball with event contact", 1, NULL},
    {"B1", "Implementation of the event contact", 2, c21_b1},
    {"B2", "Until the last bounce; against scattering", 2, c21_b2},
    {"B3", "Accuracy of 100 bounces", 2, c21_b3},
    {"B4", "Compensation of the missing air resistance", 2, c21_b4},
    {NULL, "Bouncing ball with dynamic contact", 1, NULL},
    {"B5", "Three ways to model the dynamic contact", 2, c21_b5},
    {"B6", "Dependence on algorithms", 2, c21_b6},
    {"B7", "Contacts and flights in detail", 2, c21_b7},
    {"B8", "Stiffness and damping", 2, c21_b8},
    {"B9", "The ball on Mars", 2, c21_b9},
    {NULL, "RLC circuit with diode", 1, NULL},
    {"R1", "Implementation of all diode models", 2, c21_r1},
    {"R2", "Dependence on algorithms", 2, c21_r2},
    {"R3", "Shortcut and Shockley's law compared", 2, c21_r3},
    {"R4", "Shockley's law interpolated", 2, c21_r4},
    {"R5", "The choice of the algebraic state", 2, c21_r5},
    {"R6", "Real time", 2, c21_r6},
    {"R7", "The fold of the printed signs", 2, c21_r7},
    {NULL, "The forerunner's circuit", 1, NULL},
    {"F1", "Eigenvalues", 2, c21_f1},
    {"F2", "A resistor that depends on time", 2, c21_f2},
    {"F3", "Three diode models", 2, c21_f3},
    {"F4", "Resistor and diode together", 2, c21_f4},
    {NULL, "Rotating pendulum with free flight phase", 1, NULL},
    {"P1", "Four ways to model the pendulum", 2, c21_p1},
    {"P2", "The basic run", 2, c21_p2},
    {"P3", "Dependence on algorithms", 2, c21_p3},
    {"P4", "The kick", 2, c21_p4},
    {"P5", "A region of other damping", 2, c21_p5},
    {NULL, "Event location and event classes", 1, NULL},
    {"H1", "Location by change of the independent variable", 2, c21_h1},
    {"E1", "Classes of events", 2, c21_e1},
    {NULL, "Discussion", 1, c21_discussion},
    {NULL, "Errata of the documents", 1, c21_errata},
};

const BenchmarkDef benchmark_c21 = {
    .name = "c21",
    .title = "State Events and Structural-dynamic Systems: ARGESIM Benchmark C21 with Saltus",
    .subtitle = "A complete solution: all case studies, modelling approaches, diode models, event "
                "classes and location methods",
    .abstract =
        "All tasks of the benchmark are solved with one tool, from one set of Modelica models. "
        "Every number was computed when this report was made and stands beside what it can be "
        "checked against: a closed form, a published value, or a second method.",
    .tasks = tasks,
    .task_count = COUNT(tasks),
};
