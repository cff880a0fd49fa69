// SPDX-License-Identifier: MIT
//
// Butcher tableaux of the explicit Runge-Kutta methods, as data.
//
// A step of length h from (t, x) to (t + h, x_new), with stages numbered from 0:
//
//   k[0] = f(t, x)                                         known from the step before
//   k[i] = f(t + c[i] h, x + h sum_{j<i} a[i][j] k[j])     i = 1 ... stages - 1
//   x_new = x + h sum_{j<stages} a[stages][j] k[j]         row `stages` is b
//   k[stages] = f(t + h, x_new)                            the next step's k[0]
//   error = h sum error[j] k[j]                            x_new minus the embedded solution
//
// The dense output at t + theta h is the nested form of Hairer, Nørsett, Wanner I, II.6:
//
//   x + theta (r[0] + (1 - theta) (r[1] + theta (r[2] + (1 - theta) (r[3] + ...))))
//   r[0] = x_new - x,  r[1] = h k[0] - r[0],  r[2] = r[0] - h k[stages] - r[1],
//   r[3 + m] = h sum dense[m][j] k[j]
//
// cut off after `dense_terms` terms. It may need stages beyond k[stages].

#ifndef SALTUS_SOLVERS_TABLEAU_H
#define SALTUS_SOLVERS_TABLEAU_H

#include <saltus/saltus.h>

enum { TABLEAU_STAGES = 16, TABLEAU_DENSE_ROWS = 4, TABLEAU_DENSE_TERMS = 7 };

typedef struct Tableau {
    int order;       // of x_new
    int stages;      // s
    int all_stages;  // with k[s] and those only for the dense output
    int error_order; // of the embedded solution; 0: there is none
    int low_order;   // of a second embedded solution; 0: there is none
    int dense_order; // of the dense output
    int dense_terms;
    // h |lambda| near which the method becomes unstable for decaying solutions, if stage s - 1 is
    // at t + h like k[s]; 0: the solver does not look for stiffness.
    double stability;
    double c[TABLEAU_STAGES];
    double a[TABLEAU_STAGES][TABLEAU_STAGES];
    double error[TABLEAU_STAGES];
    double low_error[TABLEAU_STAGES]; // x_new minus the second embedded solution
    double dense[TABLEAU_DENSE_ROWS][TABLEAU_STAGES];
} Tableau;

// The tableau of a solver; NULL if it is no explicit Runge-Kutta method.
const Tableau *tableau_of(SaltusSolver solver);

#endif
