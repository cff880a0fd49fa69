// SPDX-License-Identifier: MIT
//
// Localisation by change of independent variable: M. Hénon, On the numerical computation of
// Poincaré maps, Physica D 5 (1982) 412-414.
//
// With the event function h as independent variable instead of t, the system reads
//     dt/dh = 1 / h',   dx/dh = f / h',   h' = h_t + h_x f,
// and one step of the solver's own method from h to 0 ends on the event: no search. It
// needs h' away from zero on the way; where it is not, or where the step is not accurate
// enough even in fractions, the caller falls back to a bracketing method.

#ifndef SALTUS_EVENTS_HENON_H
#define SALTUS_EVENTS_HENON_H

#include "solvers/problem.h"
#include <stddef.h>

typedef struct Henon {
    Problem *problem;
    SaltusSolver solver; // whose tableau is used; dopri5's for those without
    int event;           // the event function
    int direction;       // the sign it takes: h' must have it
    int most;            // steps in the new variable, 0 = as many as it takes
    double *work;        // henon_work_size doubles
    int iterations;      // steps so far
    // The rest is the module's own.
    double *z;                 // guess and solution
    double *y, *y_new, *error; // parts of the work space: (t, x), each nx + 1
    double *dx, *dh, *step;    // likewise
} Henon;

size_t henon_work_size(const SaltusModeDef *mode);

// Whether h' at the point is large enough to reach zero in about the time `width`.
bool henon_suits(Henon *henon, double t, const double *x, double *z, double h, double width);

// From (t, x, z), where the event function is h, to its zero, to the accuracy of the steps in
// the new variable. 0: there; else fall back.
int henon_step(Henon *henon, double *t, double *x, double *z, double h);

#endif
