// SPDX-License-Identifier: MIT
//
// The step size of all adaptive one-step methods: starting step, PI control, limits.
//
// E. Hairer, S. P. Nørsett, G. Wanner: Solving Ordinary Differential Equations I, section II.4
// (starting step, error norm, PI control); K. Gustafsson: Control theoretic techniques for
// stepsize selection in explicit Runge-Kutta methods, ACM TOMS 17 (1991), and in implicit ones,
// ACM TOMS 20 (1994).
//
// A step is a sequence of tries, the last of which is accepted:
//
//     if (control.step == 0.0)
//         code = control_start(&control, ...);
//     do {
//         t_new = control_target(&control, t, t_limit);
//         ... a try from t to t_new; error = its norm, NAN if an evaluation failed recoverably
//         verdict = control_judge(&control, problem, t, t_new, error);
//     } while (verdict == CONTROL_REJECTED);
//     if (verdict == CONTROL_TOO_SMALL)
//         return control_give_up(&control, problem, variable, t);
//
// A try ends at t_limit exactly or well before it. A try cut by t_limit never makes the next
// step smaller.

#ifndef SALTUS_SOLVERS_CONTROL_H
#define SALTUS_SOLVERS_CONTROL_H

#include "solvers/problem.h"
#include <float.h>
#include <math.h>

typedef struct Control {
    // Of the method.
    double exponent; // of the error of this try
    double beta;     // of the error of the last accepted step (PI control); 0: none
    double max_step; // infinite: no limit
    bool
        is_predictive; // the trend of step and error counts, too (implicit methods); false at first
    // Of the integration.
    double step;      // to try next, not cut by t_limit; 0: not chosen yet
    double log_error; // logarithm of the last accepted error, bounded below
    double last_step; // accepted last, not cut; 0: none
    int rejections;   // in the present step
    bool is_cut;      // the present try was cut by t_limit
    bool is_failing;  // the last rejection was a failed evaluation, not the error test
} Control;

typedef enum ControlVerdict {
    CONTROL_ACCEPTED,
    CONTROL_REJECTED,  // try again with control_target
    CONTROL_TOO_SMALL, // the step cannot become smaller
} ControlVerdict;

// error_order: the error norm of a step behaves like step^error_order (a pair of orders 5 and
// 4: 5). beta: about 0.4 / error_order, less for methods whose error estimates are rough.
Control control_new(int error_order, double beta, const SaltusMethod *method);

// Forgets the history. step: the first to try; 0: the method's, if it has one, else unknown
// until control_start.
void control_reset(Control *control, const SaltusMethod *method, double step);

// Chooses the first step at (t, x), where the derivative is dx, for a method of the given order.
// One evaluation, not beyond t_limit. z is consistent with x, or NULL where there is none;
// work: 2 nx + nz doubles. 0, or negative where the evaluation failed for good.
int control_start(Control *control, Problem *problem, int order, double t, const double *x,
                  const double *z, const double *dx, double t_limit, double *work);

// The shortest step at t.
static inline double control_shortest(double t)
{
    return 16.0 * DBL_EPSILON * fabs(t) + DBL_MIN;
}

// The time where the next try from t ends: t < it <= t_limit.
double control_target(Control *control, double t, double t_limit);

// Judges the try from t to t_new by its error norm (accepted if at most 1; not finite: an
// evaluation failed), chooses the next step, counts the step or the rejection.
ControlVerdict control_judge(Control *control, Problem *problem, double t, double t_new,
                             double error);

// After CONTROL_TOO_SMALL: the status, with problem->failure set. variable: the component whose
// error is largest, for the message; may be NULL.
SaltusStatus control_give_up(const Control *control, Problem *problem, const char *variable,
                             double t);

// Whether a step was rejected for the third time, which smooth solutions hardly ever do: the error
// of a step across a jump falls by its length only, whatever the order of the method.
static inline bool control_is_abrupt(const Control *control)
{
    return control->rejections == 3 && !control->is_failing;
}

// What an error of component i is measured by in a step from a to b.
static inline double control_scale(const Problem *problem, int i, double a, double b)
{
    double size = fabs(a) > fabs(b) ? fabs(a) : fabs(b);
    return problem->absolute[i] + problem->relative * size + DBL_MIN;
}

// Root mean square of the scaled errors of n components in a step from x to x_new; NaN if x_new
// is not finite.
double control_norm(const Problem *problem, int n, const double *x, const double *x_new,
                    const double *error);

// The component with the largest scaled error.
int control_worst(const Problem *problem, int n, const double *x, const double *x_new,
                  const double *error);

#endif
