// SPDX-License-Identifier: MIT
//
// ARGESIM benchmark C21, "State Events and Structural-dynamic Systems": the list of its tasks.

#include "report/c21.h"

static const BenchmarkTask c21_tasks[] = {
    {NULL, "Modelling approach", 1, c21_approach, NULL},
    {NULL, "Bouncing ball with event contact", 1, c21_ball_event, NULL},
    {"B1", "Implementation of the event contact", 2, c21_b1,
     "The first task is to implement the ball with event contact, with air resistance and without "
     "(the *linear* model), and to describe how the tool finds and handles the events."},
    {"B2", "Until the last bounce; against scattering", 2, c21_b2,
     "The ball is to be simulated until its last bounce. Near the end bounces follow each other "
     "ever faster; a simulator that does not notice this is stuck there, or loses the contact. The "
     "definition calls this the scattering of events and asks for strategies against it."},
    {"B3", "Accuracy of 100 bounces", 2, c21_b3,
     "Without air resistance the times of all bounces are known from equation [#ball.times]. The "
     "task is to "
     "compare the first 100 of them with the simulation."},
    {"B4", "Compensation of the missing air resistance", 2, c21_b4,
     "Without air resistance the ball bounces for too long. The task is to compensate this by an "
     "initial velocity δ: so that the first bounce agrees, so that many bounces agree, and so that "
     "the bouncing ends at the same time."},
    {NULL, "Bouncing ball with dynamic contact", 1, c21_ball_dynamic, NULL},
    {"B5", "Three ways to model the dynamic contact", 2, c21_b5,
     "The dynamic contact is to be implemented in three ways: with parts of the equations that "
     "switch, as two models for flight and contact, and as one model that has the states of both."},
    {"B6", "Dependence on algorithms", 2, c21_b6,
     "The task is to find out how much the results depend on the solver, on its tolerance, and on "
     "the method that locates the events."},
    {"B7", "Contacts and flights in detail", 2, c21_b7,
     "The first contact, the second flight and the second contact are to be shown in detail, with "
     "all states, the position $y$ of the ball's bottom and the force $f_c$."},
    {"B8", "Stiffness and damping", 2, c21_b8,
     "The stiffness $k$ and the damping $d$ of the ball are to be varied."},
    {"B9", "The ball on Mars", 2, c21_b9,
     "Both contacts are to be repeated with the gravity and the thin air of Mars, and compared "
     "with Earth."},
    {NULL, "RLC circuit with diode", 1, c21_circuit_system, NULL},
    {"R1", "Implementation of all diode models", 2, c21_r1,
     "The diode as a shortcut and the diode by Shockley's law are to be implemented in all "
     "modelling approaches, and their events described."},
    {"R2", "Dependence on algorithms", 2, c21_r2,
     "As for the ball, the task is to vary the solver, its tolerance and the locator, here over 75 "
     "periods of the source."},
    {"R3", "Shortcut and Shockley's law compared", 2, c21_r3,
     "The two diodes are to be compared over two periods, in their results and in the computing "
     "time that they cost."},
    {"R4", "Shockley's law interpolated", 2, c21_r4,
     "Shockley's law is to be replaced by straight lines between 3, 5 and 10 points, and the "
     "deviations are to be shown."},
    {"R5", "The choice of the algebraic state", 2, c21_r5,
     "Either the voltage or the current of the diode can be the algebraic unknown of Shockley's "
     "law. The task is to find out what difference it makes."},
    {"R6", "Real time", 2, c21_r6,
     "The task is to run the circuit as for a real-time application: with fixed steps, and without "
     "a step back to an event."},
    {"R7", "The fold of the printed signs", 2, c21_r7,
     "This is a task of our own: it shows what the printed signs of the circuit lead to."},
    {NULL, "The forerunner's circuit", 1, c21_forerunner_system, NULL},
    {"F1", "Eigenvalues", 2, c21_f1,
     "The forerunner asks for the eigenvalues of the circuit in each of its phases."},
    {"F2", "A resistor that depends on time", 2, c21_f2,
     "Here the switch is a resistor whose value depends on time, with ramps between open and "
     "closed. The current of the source is to be computed with and without events at the ends of "
     "the ramps."},
    {"F3", "Three diode models", 2, c21_f3,
     "Three models of the diode are to be compared: an ideal switch, a switch with a threshold of "
     "0.7 V, and Shockley's law."},
    {"F4", "Resistor and diode together", 2, c21_f4,
     "At last the time-dependent resistor and the diode with threshold work together; the voltage "
     "of the diode is wanted."},
    {NULL, "Rotating pendulum with free flight phase", 1, c21_pendulum_system, NULL},
    {"P1", "Four ways to model the pendulum", 2, c21_p1,
     "The pendulum is to be implemented in several ways, and the change between swinging and "
     "falling is to be described."},
    {"P2", "The basic run", 2, c21_p2,
     "The pendulum is to be simulated until it has nearly come to rest: until it turns within an "
     "angle of π/10 of the lowest point."},
    {"P3", "Dependence on algorithms", 2, c21_p3,
     "The task is to vary the solver, its tolerance and the locator until the pendulum swings for "
     "the second time."},
    {"P4", "The kick", 2, c21_p4,
     "The swinging pendulum is kicked at its lowest point: its angular velocity is multiplied by "
     "γ. The task is to find γ so that (i) the pendulum moves as it did before, (ii) it falls from "
     "a given angle, (iii) it makes two rotations first."},
    {"P5", "A region of other damping", 2, c21_p5,
     "The forerunner adds a region around the lowest point, 6π/7 ≤ φ ≤ 8π/7, in which a second "
     "medium damps the swinging pendulum with the coefficient k_{2}."},
    {NULL, "Event location and event classes", 1, NULL, NULL},
    {"H1", "Location by change of the independent variable", 2, c21_h1,
     "The documents propose to locate an event by a change of the independent variable, known as "
     "Hénon's method, and compare it with bisection, secant and tangent."},
    {"E1", "Classes of events", 2, c21_e1,
     "The definition sorts events by what they change: parameters (SE-P), inputs (SE-I), values of "
     "states (SE-X), right-hand sides (SE-F), the structure (SE-S), outputs (SE-O) or the "
     "algorithm (SE-A). The task is to give examples of each."},
    {NULL, "Discussion", 1, c21_discussion, NULL},
    {NULL, "Errata of the documents", 1, c21_errata, NULL},
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
    .tasks = c21_tasks,
    .task_count = COUNT(c21_tasks),
};
