// SPDX-License-Identifier: MIT

#include "solvers/control.h"

#include "base/real.h"
#include <string.h>

// A step changes at most by these factors.
static const double shrink_most = 0.2, grow_most = 10.0;
// Aimed below the tolerance, so that the next try is probably accepted.
static const double control_safety = 0.9;
// After a failed evaluation nothing is known but that the step was too long.
static const double failed_factor = 0.25;
// Errors below this say nothing about the next step (Hairer's FACOLD).
static const double smallest_error = 1e-4;
// The same for predictive control (Hairer's ERRACC).
static const double smallest_trend_error = 1e-2;
// A step may be stretched by this to end at a limit; with `control_safety` the error stays below 1.
static const double stretch = 1.1;
// max_step is kept up to rounding of the times.
static const double max_step_slack = 1.0 + 1e-9;
// Enough to come from any step down to the shortest unless t is 0; then to 1e-60 of it.
enum { MOST_REJECTIONS = 100 };

Control control_new(int error_order, double beta, const SaltusMethod *method)
{
    Control control = {.exponent = 1.0 / error_order - 0.75 * beta, .beta = beta};
    control_reset(&control, method, 0.0);
    return control;
}

void control_reset(Control *control, const SaltusMethod *method, double step)
{
    control->max_step = method->max_step > 0.0 ? method->max_step : INFINITY;
    const double first = step > 0.0 ? step : method->step;
    control->step = first > 0.0 ? real_smaller(first, control->max_step) : 0.0;
    control->log_error = log(smallest_error);
    control->last_step = 0.0;
    control->rejections = 0;
    control->is_cut = false;
    control->is_failing = false;
}

double control_norm(const Problem *problem, int n, const double *x, const double *x_new,
                    const double *error)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        const double e = error[i] / control_scale(problem, i, x[i], x_new[i]);
        sum += e * e + (x_new[i] - x_new[i]);
    }
    return n > 0 ? sqrt(sum / n) : 0.0;
}

int control_worst(const Problem *problem, int n, const double *x, const double *x_new,
                  const double *error)
{
    int worst = 0;
    double most = -1.0;
    for (int i = 0; i < n; i++) {
        const double e = fabs(error[i]) / control_scale(problem, i, x[i], x_new[i]);
        if (e > most) {
            most = e;
            worst = i;
        }
    }
    return worst;
}

// f at the end of an explicit Euler step h from x; a failing step is made smaller.
static int probe(Problem *problem, double t, const double *x, const double *z, const double *dx,
                 double *h, double *work)
{
    double *x_near = work, *dx_near = work + problem->nx, *z_near = work + 2 * problem->nx;
    int code = 1;
    for (int i = 0; i < 10 && code > 0; i++) {
        for (int j = 0; j < problem->nx; j++)
            x_near[j] = x[j] + *h * dx[j];
        if (z)
            memcpy(z_near, z, (size_t)problem->nz * sizeof *z);
        code = problem_rhs(problem, t + *h, x_near, z ? z_near : NULL, dx_near);
        if (code == 0)
            code = problem_check(problem, dx_near, problem->nx, 0, "the right-hand side", t + *h);
        if (code > 0)
            *h *= failed_factor;
    }
    return code;
}

// Hairer, Nørsett, Wanner I, II.4: with norms relative to the tolerance,
//   h0 = 0.01 |x| / |x'|                  an Euler step that changes x by little,
//   d  = |f(t + h0, x + h0 x') - x'| / h0  an estimate of |x''|,
//   h1^order max(|x'|, d) = 0.01,
// the step is min(100 h0, h1).
int control_start(Control *control, Problem *problem, int order, double t, const double *x,
                  const double *z, const double *dx, double t_limit, double *work)
{
    const int n = problem->nx;
    const double size = control_norm(problem, n, x, x, x);
    const double slope = control_norm(problem, n, x, x, dx);
    double h0 = size < 1e-5 || slope < 1e-5 ? 1e-6 : 0.01 * size / slope;
    h0 = real_smaller(real_larger(h0, control_shortest(t)), control->max_step);

    double h = real_smaller(h0, t_limit - t);
    const int code = probe(problem, t, x, z, dx, &h, work);
    if (code < 0)
        return code;
    if (code > 0) { // nothing learned but that steps beyond h fail
        control->step = real_larger(h, control_shortest(t));
        return 0;
    }
    double *change = work + n;
    for (int i = 0; i < n; i++)
        change[i] -= dx[i];
    const double curvature = control_norm(problem, n, x, x, change) / h;
    const double most = real_larger(slope, curvature);
    const double h1 = most <= 1e-15 ? real_larger(1e-6, h0 * 1e-3) : pow(0.01 / most, 1.0 / order);
    const double step = real_smaller(real_smaller(100.0 * h0, h1), control->max_step);
    control->step = real_larger(step, control_shortest(t));
    return 0;
}

double control_target(Control *control, double t, double t_limit)
{
    double step = real_larger(control->step, control_shortest(t));
    step = real_smaller(step, control->max_step);
    const double left = t_limit - t;
    control->is_cut = false;
    if (left <= stretch * step && left <= max_step_slack * control->max_step) {
        control->is_cut = left < step;
        return t_limit;
    }
    if (left < 2.0 * step) { // two equal steps rather than a long and a short one
        control->is_cut = true;
        step = 0.5 * left;
    }
    return t + step;
}

// Gustafsson: where the error grew from step to step, as at the end of a smooth phase of a stiff
// solution, it will grow on. Hairer, Wanner II, (IV.8.25):
//   h_next = safety h (h / h_last) (error_last / error^2)^exponent.
static double trend(const Control *control, double h, double log_error)
{
    const double last = real_larger(control->log_error, log(smallest_trend_error));
    return control_safety * (h / control->last_step) *
           exp(control->exponent * (last - 2.0 * log_error));
}

static void control_accept(Control *control, double h, double error)
{
    const double log_error = log(error);
    double factor =
        control_safety * exp(control->beta * control->log_error - control->exponent * log_error);
    if (control->is_predictive && control->last_step > 0.0)
        factor = real_smaller(factor, trend(control, h, log_error));
    factor =
        real_smaller(real_larger(factor, shrink_most), control->rejections > 0 ? 1.0 : grow_most);
    const double step = real_smaller(h * factor, control->max_step);
    if (control->is_cut) {
        // The error of a cut step says little about a whole one.
        control->step = real_larger(control->step, step);
    } else {
        control->step = step;
        control->last_step = h;
        control->log_error = real_larger(log_error, log(smallest_error));
    }
    control->rejections = 0;
    control->is_failing = false;
}

ControlVerdict control_judge(Control *control, Problem *problem, double t, double t_new,
                             double error)
{
    const double h = t_new - t;
    if (error <= 1.0) {
        control_accept(control, h, error);
        problem->statistics->steps++;
        return CONTROL_ACCEPTED;
    }
    problem->statistics->rejected_steps++;
    control->rejections++;
    control->is_failing = !isfinite(error);
    double factor = failed_factor;
    if (!control->is_failing)
        factor = real_larger(control_safety * exp(-control->exponent * log(error)), shrink_most);
    control->step = h * factor;
    bool is_possible =
        control->step >= control_shortest(t) && control->rejections < MOST_REJECTIONS;
    return is_possible ? CONTROL_REJECTED : CONTROL_TOO_SMALL;
}

SaltusStatus control_give_up(const Control *control, Problem *problem, const char *variable,
                             double t)
{
    if (control->is_failing)
        return problem->failure.status;
    return (SaltusStatus)problem_fail(problem, SALTUS_ERROR_STEP_SIZE, SALTUS_ERROR_STEP_SIZE,
                                      "the error test", variable, t);
}
