// SPDX-License-Identifier: MIT
//
// Rosenbrock-Wanner methods: linearly implicit, one step, for stiff ODE and semi-explicit DAE
// of index 1 with a dense Jacobian. The solver is `solver_RODAS` in solver.h.
//
// E. Hairer, G. Wanner: Solving Ordinary Differential Equations II, sections IV.7 and VI.4.
// With y = (x, z), F = (f, g) and M = diag(I, 0), a step of size h from (t, y) has the stages
//
//   (M / (h gamma) - F_y) U_i = F(t + time_i h, y + sum_j a_ij U_j)
//                               + M / h sum_j c_ij U_j + slope_i h F_t,     j < i
//
// with F_y, F_t at (t, y), and ends at y + sum_j a_sj U_j + U_s, s being the last stage. So
// the methods are stiffly accurate: the argument of the last stage is the embedded solution,
// and U_s is the error estimate. Their continuous extension is, for 0 <= q <= 1,
//
//   y(q) = (1 - q) y + q (y_new + (1 - q) (D_1 + q (D_2 + q D_3))),  D_k = sum_j dense_kj U_j.

#ifndef SALTUS_SOLVERS_ROSENBROCK_H
#define SALTUS_SOLVERS_ROSENBROCK_H

enum { ROSENBROCK_STAGES = 8, ROSENBROCK_DENSE_TERMS = 3 };

typedef struct RosenbrockTableau {
    const char *name;
    int order;       // of the method
    int error_order; // of the embedded one
    int stages;
    int chained; // from this stage on the argument is the one before plus U_(i-1)
    double gamma;
    double time[ROSENBROCK_STAGES];
    double slope[ROSENBROCK_STAGES];
    double a[ROSENBROCK_STAGES][ROSENBROCK_STAGES]; // rows below `chained`
    double c[ROSENBROCK_STAGES][ROSENBROCK_STAGES];
    int dense_order;
    double dense[ROSENBROCK_DENSE_TERMS][ROSENBROCK_STAGES];
} RosenbrockTableau;

// Rodas5P. G. Steinebach: Construction of Rosenbrock-Wanner method Rodas5P and numerical
// benchmarks within the Julia differential equations package, BIT 63:27 (2023).
extern const RosenbrockTableau rosenbrock_rodas5p;

#endif
