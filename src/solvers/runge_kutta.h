// SPDX-License-Identifier: MIT
//
// The explicit Runge-Kutta solvers: euler, heun, rk4 with a fixed step, dopri5 and dop853 with
// step size control (a file each, see method.h). What holds between calls:
//
// - k[stages] = `dx` is x' at t, k[0] is x' at t_old; a step begins by moving the one to the
//   other, so that the derivative at its end costs nothing (first same as last).
// - A fixed-step solver lives on the grid t_reset + i * step: a step cut by a limit or halved by
//   a failing evaluation is followed by one that ends on the grid again, unless the rest is
//   below 1e-9 of the step, which is added to the next one.
// - Algebraic variables at the end of a step belong to the evaluation of dx there: with residuals
//   they are solved for in every stage, from the stage before; with a joint evaluation they come
//   with dx and cost nothing more. Between the ends interpolation solves for them if asked.
// - The dense output runs from x_old to x as it is now, even if x was projected.

#ifndef SALTUS_SOLVERS_RUNGE_KUTTA_H
#define SALTUS_SOLVERS_RUNGE_KUTTA_H

#include "solvers/solver.h"
#include <stddef.h>

// What kinds with a tableau are made of (see solver.h).
Solver *runge_kutta_create_fixed(const SolverKind *kind, Problem *problem,
                                 const SaltusMethod *method);
int runge_kutta_reset_adaptive(Solver *solver, double t, const double *x, const double *z,
                               const double *dx, double step);
int runge_kutta_reset_fixed(Solver *solver, double t, const double *x, const double *z,
                            const double *dx, double step);
int runge_kutta_state_changed(Solver *solver);
int runge_kutta_copy(Solver *to, const Solver *from);
bool runge_kutta_carry(Solver *solver, Carrier *carrier);
int runge_kutta_step_adaptive(Solver *solver, double t_limit);
int runge_kutta_step_fixed(Solver *solver, double t_limit);
int runge_kutta_sample(Solver *solver, int count, const double *times, double *x);
int runge_kutta_interpolate(Solver *solver, double t, double *x, double *z);
int runge_kutta_closing_step(Solver *solver, double t, double *x, double *z);
Solver *runge_kutta_create_adaptive(const SolverKind *kind, Problem *problem,
                                    const SaltusMethod *method);

// dy/ds = F(s, y). 0, or anything else, which ends the step.
typedef int (*RungeKuttaFunction)(void *user, double s, const double *y, double *dy);

// One step of any system from (s, y) to (s + h, y_new), outside of every solver: for Hénon's
// change of independent variable. error: n values, y_new minus the embedded solution, for
// tableaux with an error_order; or NULL. y_new must not be y. work: runge_kutta_free_work doubles.
// Returns 0 or what `function` returned.
int runge_kutta_free_step(const Tableau *tableau, RungeKuttaFunction function, void *user, int n,
                          double s, double h, const double *y, double *y_new, double *error,
                          double *work);
size_t runge_kutta_free_work(const Tableau *tableau, int n);

// Whether the last step of such a solver was, or would soon be, limited by stability: a method of
// higher order would gain nothing, and its dense output shows what it amplifies.
bool runge_kutta_is_limited(const Solver *solver);

#endif
