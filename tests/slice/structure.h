// SPDX-License-Identifier: MIT
//
// The structure of a mode: which equations are differentiated how often, which variables are
// states, how the others are solved for, and how the mode is entered.
//
// Pantelides' algorithm in Pryce's form: equation i is needed up to its derivative c[i],
// variable j up to d[j]. The unknowns v_j^(d[j]+k) of stage k = -depth, ..., 0 are found from
// the equations f_i^(c[i]+k), stage after stage. A stage below 0 has more unknowns than
// equations; those it is not solved for are the states (dummy derivatives: Mattsson and
// Söderlind 1993). Every stage has a part of the same Jacobian,
//     J_ij = df_i^(c_i+k) / dv_j^(d_j+k) = df_i / dv_j^(d_j-c_i)    (Griewank's lemma),
// and so has the system that determines the jump at a restart.

#ifndef SALTUS_TESTS_SLICE_STRUCTURE_H
#define SALTUS_TESTS_SLICE_STRUCTURE_H

#include "slice/expression.h"
#include <stdbool.h>
#include <stddef.h>

enum { REASON = 200 }; // room for a message

typedef struct Variable {
    const char *name;
    double start;
} Variable;

// 0 = residual, while all flags of `on` are set and none of `off` is.
typedef struct Equation {
    unsigned on, off;
    const Expr *residual;
    const char *text;
} Equation;

typedef struct Structure {
    int count; // of variables and equations
    const Variable *variables;
    const Equation *equations[VARIABLES];
    int c[VARIABLES], d[VARIABLES];
    int depth;               // largest d
    bool selected;           // the rest is valid
    unsigned solved[ORDERS]; // solved[k]: bit j: stage -k is solved for v_j^(d[j]-k)
    int state_count, algebraic_count;
    int states[2 * VARIABLES][2]; // variable and order
    int algebraics[VARIABLES];    // variables that are no state themselves
} Structure;

// The right limits at the entry of a mode.
typedef struct Restart {
    Point right;
    double impulse[VARIABLES]; // of v_j^(d[j]): the jump of v_j^(d[j]-1), or a multiplier
    bool jumps;                // a state of the first order has jumped
} Restart;

// Offsets of the equations that hold. False, with a reason: structurally singular.
bool structure_analyse(Structure *s, const Variable *variables, int count,
                       const Equation *equations, int equation_count, unsigned flags,
                       char why[REASON]);

// Chooses the states by the size of the pivots at the point. False: singular there.
bool structure_select(Structure *s, const Point *point);
// Takes the states that `solved` leaves.
void structure_take(Structure *s, const unsigned solved[ORDERS]);
// How much smaller the pivots of the selection are than those of the best one.
double structure_quality(const Structure *s, const Point *point);

// Solves the stages up to `last` (0: all derivatives d[j]; 1: one more) from the states and
// guesses in the point. 0, or 1 if Newton's method fails.
int structure_solve(const Structure *s, Point *point, int last);

// Enters the mode from left limits, selecting states unless that is done. Positions (stages below
// -1) may move by `tolerance` only; what is one derivative below the highest jumps by the
// impulse of the equations. False, with a reason: there is no unique restart.
bool structure_restart(Structure *s, const Point *left, double tolerance, Restart *restart,
                       char why[REASON]);

#endif
