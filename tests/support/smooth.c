// SPDX-License-Identifier: MIT

#include "support/smooth.h"

#include <math.h>

int smooth_function(void *user, double t, const double *x, double *dx)
{
    (void)user;
    dx[0] = 2.0 * t * x[0] * log(x[1]);
    dx[1] = -2.0 * t * x[1] * log(x[0]);
    return 0;
}

static int rhs(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    (void)c, (void)z;
    return smooth_function(NULL, t, x, dx);
}

void smooth_solution(double t, double x[2])
{
    x[0] = exp(sin(t * t));
    x[1] = exp(cos(t * t));
}

double smooth_error(double t, const double x[2])
{
    double exact[2];
    smooth_solution(t, exact);
    return fmax(fabs(x[0] - exact[0]), fabs(x[1] - exact[1]));
}

// exp(sin t^2), exp(cos t^2) at t = 0.5
static const double start[2] = {1.2806963574441748, 2.635077047781558};

SaltusModeDef smooth_mode(void)
{
    SaltusModeDef mode = saltus_default_mode();
    mode.name = "smooth";
    mode.state_count = 2;
    mode.start = start;
    mode.rhs = rhs;
    return mode;
}

static int smooth_jacobian(const SaltusContext *c, double t, const double *x, const double *z,
                           double *j)
{
    (void)c, (void)z;
    j[0] = 2.0 * t * log(x[1]);
    j[1] = -2.0 * t * x[1] / x[0];
    j[2] = 2.0 * t * x[0] / x[1];
    j[3] = -2.0 * t * log(x[0]);
    return 0;
}

SaltusModeDef smooth_mode_with_jacobian(void)
{
    SaltusModeDef mode = smooth_mode();
    mode.hints.jacobian = smooth_jacobian;
    return mode;
}

double observed_order(const double *errors, int count)
{
    return 0.5 * log2(errors[count - 3] / errors[count - 1]);
}
