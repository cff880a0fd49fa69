// SPDX-License-Identifier: MIT

#include "events/henon.h"

#include "base/real.h"
#include "solvers/runge_kutta.h"
#include <math.h>
#include <string.h>

// The predicted time to the zero may exceed the known one by this factor.
static const double prediction_slack = 2.0;

// Relative error of the states that is small enough: what it makes of the time is corrected
// afterwards, with states from a closing step in time.
static const double enough = 1e-6;

// A step that is not accurate enough is halved; at most this often in a row.
enum { MOST_HALVINGS = 6 };

size_t henon_work_size(const SaltusModeDef *mode)
{
    const int n = mode->state_count + 1;
    const size_t step = runge_kutta_free_work(tableau_of(SALTUS_SOLVER_DOP853), n);
    return step + 3 * (size_t)n + (size_t)mode->state_count + (size_t)mode->event_count;
}

static void henon_divide(Henon *henon, double *z)
{
    const int n = henon->problem->nx + 1;
    henon->z = z;
    henon->y = henon->work;
    henon->y_new = henon->y + n;
    henon->error = henon->y_new + n;
    henon->dx = henon->error + n;
    henon->dh = henon->dx + henon->problem->nx;
    henon->step = henon->dh + henon->problem->mode->event_count;
}

// h' at (t, x); dx as by-product.
static int henon_derivative(const Henon *henon, double t, const double *x)
{
    Problem *problem = henon->problem;
    const int code = problem_rhs(problem, t, x, henon->z, henon->dx);
    return code != 0 ? code : problem_flow(problem, t, x, henon->z, henon->dx, henon->dh);
}

// d(t, x)/dh = (1, f) / h'
static int transformed(void *user, double h, const double *y, double *dy)
{
    (void)h;
    const Henon *henon = user;
    const int code = henon_derivative(henon, y[0], y + 1);
    const double slope = henon->dh[henon->event];
    if (code != 0 || !(slope * henon->direction > 0.0))
        return 1;
    dy[0] = 1.0 / slope;
    for (int i = 0; i < henon->problem->nx; i++)
        dy[i + 1] = henon->dx[i] / slope;
    return 0;
}

bool henon_suits(Henon *henon, double t, const double *x, double *z, double h, double width)
{
    henon_divide(henon, z);
    if (henon_derivative(henon, t, x) != 0)
        return false;
    const double slope = henon->dh[henon->event] * henon->direction;
    return slope > 0.0 && fabs(h) <= prediction_slack * width * slope;
}

// Largest error of the states in units of the tolerance, or of what is enough if that is more.
static double henon_error_of(const Henon *henon)
{
    const Problem *problem = henon->problem;
    const double *y = henon->y_new, *error = henon->error;
    double largest = 0.0;
    for (int i = 0; i < problem->nx; i++) {
        const double size = real_larger(fabs(henon->y[i + 1]), fabs(y[i + 1]));
        double allowed = problem->absolute[i] + problem->relative * fabs(y[i + 1]);
        allowed = real_larger(allowed, enough * size);
        const double shift =
            fabs(error[0] * henon->dx[i]); // what an error of the time does to the state
        largest = real_larger(largest, real_larger(fabs(error[i + 1]), shift) / allowed);
    }
    return largest;
}

// From h to 0 in one step, or in fractions if it is not accurate enough.
static int henon_pass(const Tableau *tableau, Henon *henon, double h)
{
    const int n = henon->problem->nx + 1;
    double part = 1.0; // of what is left
    int halvings = 0;
    while (h != 0.0) {
        const double end = part < 1.0 ? (1.0 - part) * h : 0.0;
        const int code = runge_kutta_free_step(tableau, transformed, henon, n, h, end - h, henon->y,
                                               henon->y_new, henon->error, henon->step);
        henon->iterations++;
        const bool is_limited = henon->most > 0 && henon->iterations >= henon->most;
        const bool is_accurate =
            is_limited || tableau->error_order == 0 || henon_error_of(henon) <= 1.0;
        if (code != 0 || !is_accurate) {
            if (is_limited || ++halvings > MOST_HALVINGS)
                return 1;
            part *= 0.5;
            continue;
        }
        memcpy(henon->y, henon->y_new, (size_t)n * sizeof *henon->y);
        h = end;
        part = fmin(1.0, 2.0 * part);
    }
    return 0;
}

int henon_step(Henon *henon, double *t, double *x, double *z, double h)
{
    Problem *problem = henon->problem;
    const Tableau *tableau = tableau_of(henon->solver);
    if (!tableau)
        tableau = tableau_of(SALTUS_SOLVER_DOPRI5);
    henon_divide(henon, z);
    const size_t bytes = (size_t)problem->nx * sizeof *x;
    henon->y[0] = *t;
    memcpy(henon->y + 1, x, bytes);
    if (henon_pass(tableau, henon, h) != 0)
        return 1;
    *t = henon->y[0];
    memcpy(x, henon->y + 1, bytes);
    return problem_algebraics(problem, *t, x, z);
}
