// SPDX-License-Identifier: MIT
//
// Differential-algebraic systems built by hand, and their integration with nothing but their
// solution: an oracle for the way from expressions to code.

#ifndef SALTUS_TESTS_SUPPORT_DAES_H
#define SALTUS_TESTS_SUPPORT_DAES_H

#include "structure/solution.h"
#include "support/graph.h"

enum { DAES_MOST = 16, DAES_ROOM = 64 };

// It must not move once it is analysed.
typedef struct DaesModel {
    Arena *arena;
    Dag *dag;
    SystemEquation equations[DAES_MOST], initial[DAES_MOST];
    SignatureVariable variables[DAES_MOST], inputs[DAES_MOST];
    System system;
    const System *converted;
    const Structure *structure;
    const Solution *solution;
    GraphValues values;
} DaesModel;

DaesModel daes_begin(void);
void daes_end(DaesModel *m);

Node daes_variable(DaesModel *m, const char *name);
// A parameter is a free one: initialization has to find it.
Node daes_input(DaesModel *m, const char *name, DagVariability variability);
Node daes_der(DaesModel *m, Node x);
void daes_equate(DaesModel *m, Node left, Node right);
void daes_equate_initially(DaesModel *m, Node left, Node right);

// Structure and solution; fails the running test where there is none.
void daes_analyse(DaesModel *m);
double *daes_value(DaesModel *m, Node x); // of a variable
// Solves all blocks: everything follows from the states. Guesses are the values before.
void daes_evaluate(DaesModel *m, const Solution *s, double t);
// A step of the classical Runge-Kutta method, and an evaluation at its end.
void daes_step(DaesModel *m, double t, double h);
// Steps from 0 to `end`; the states are chosen anew where their pivots fall below a half of the
// best, and before the first step. Returns how often.
int daes_run(DaesModel *m, double end, int steps);
// All equations hold.
void daes_assert_consistent(DaesModel *m, double tolerance);

#endif
