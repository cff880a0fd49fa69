// SPDX-License-Identifier: MIT
//
// ARGESIM benchmark C21, "State Events and Structural-dynamic Systems": the list of its tasks.

#include "report/c21.h"

static const BenchmarkTask tasks[] = {
    {NULL, "Modelling approach", 1, c21_approach},
    {NULL, "Bouncing ball with event contact", 1, c21_ball_event},
    {"B1", "Implementation of the event contact", 2, c21_b1},
    {"B2", "Until the last bounce; against scattering", 2, c21_b2},
    {"B3", "Accuracy of 100 bounces", 2, c21_b3},
    {"B4", "Compensation of the missing air resistance", 2, c21_b4},
    {NULL, "Bouncing ball with dynamic contact", 1, c21_ball_dynamic},
    {"B5", "Three ways to model the dynamic contact", 2, c21_b5},
    {"B6", "Dependence on algorithms", 2, c21_b6},
    {"B7", "Contacts and flights in detail", 2, c21_b7},
    {"B8", "Stiffness and damping", 2, c21_b8},
    {"B9", "The ball on Mars", 2, c21_b9},
    {NULL, "RLC circuit with diode", 1, c21_circuit_system},
    {"R1", "Implementation of all diode models", 2, c21_r1},
    {"R2", "Dependence on algorithms", 2, c21_r2},
    {"R3", "Shortcut and Shockley's law compared", 2, c21_r3},
    {"R4", "Shockley's law interpolated", 2, c21_r4},
    {"R5", "The choice of the algebraic state", 2, c21_r5},
    {"R6", "Real time", 2, c21_r6},
    {"R7", "The fold of the printed signs", 2, c21_r7},
    {NULL, "The forerunner's circuit", 1, c21_forerunner_system},
    {"F1", "Eigenvalues", 2, c21_f1},
    {"F2", "A resistor that depends on time", 2, c21_f2},
    {"F3", "Three diode models", 2, c21_f3},
    {"F4", "Resistor and diode together", 2, c21_f4},
    {NULL, "Rotating pendulum with free flight phase", 1, c21_pendulum_system},
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

static const BenchmarkSource sources[] = {
    {"c21",
     "A. Körner, F. Breitenecker: State Events and Structural-dynamic Systems: Definition of "
     "ARGESIM Benchmark C21. *Simulation Notes Europe* SNE 26(2), 2016, 117–122.",
     "https://doi.org/10.11128/sne.26.bn21.10339"},
    {"slides",
     "A. Körner, F. Breitenecker: Comparison of Approaches for Modelling and Simulation of "
     "Structural-dynamic Systems: ARGESIM Benchmark C21. Presentation, TU Wien.",
     NULL},
    {"bcp1",
     "A. Körner, B. Heinzl, M. Rößler, G. Zauner, F. Breitenecker, H. Ecker: Comparison of Hybrid "
     "Modelling Approaches: ARGESIM-Comparison BCP: Bouncing Ball, Circuit with Diodes, Rotating "
     "Pendulum.",
     NULL},
    {"bcp2",
     "A. Körner, B. Heinzl, M. Rößler, S. Winkler, I. Hafner, G. Schneckenreither, G. Zauner, N. "
     "Popper: BCP: A Benchmark for Hybrid Modelling and State Event Modelling.",
     NULL},
    {"henon",
     "F. Breitenecker, H. Ecker, B. Heinzl, A. Körner, M. Rößler, N. Popper: Change of Independent "
     "Variable for State Event Detection in System Simulation: Evaluation with ARGESIM "
     "Benchmarks.",
     NULL},
};

const BenchmarkDef benchmark_c21 = {
    .name = "c21",
    .title = "State Events and Structural-dynamic Systems: ARGESIM Benchmark C21 with Saltus",
    .subtitle = "A complete solution: all case studies, modelling approaches, diode models, event "
                "classes and location methods",
    .abstract =
        "The ARGESIM Benchmark C21 [@c21] asks how simulators deal with state events, up to events "
        "that change the structure of a system. All of its tasks, those of its forerunners "
        "[@bcp1] [@bcp2], and the location of events by change of the independent variable "
        "[@henon] are solved here with one tool, from one set of Modelica models. Every number was "
        "computed when this report was made and stands beside what it can be checked against: a "
        "closed form, a published value, or a computation by another method.",
    .keywords = "state events, structural-dynamic systems, hybrid systems, differential-algebraic "
                "equations, Modelica, benchmark",
    .sources = sources,
    .source_count = COUNT(sources),
    .tasks = tasks,
    .task_count = COUNT(tasks),
};
