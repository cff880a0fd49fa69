// SPDX-License-Identifier: MIT

#include "support/stiff.h"

#include <math.h>

#define PI 3.14159265358979323846

double stiff_error(const StiffProblem *problem, const double *values, double relative,
                   double absolute)
{
    double worst = 0.0;
    for (int i = 0; i < problem->count; i++) {
        double exact = problem->values[i];
        worst = fmax(worst, fabs(values[i] - exact) / (absolute + relative * fabs(exact)));
    }
    return worst;
}

// ---------------------------------------------------------------------------
// Robertson
// ---------------------------------------------------------------------------

static int robertson_rhs(const SaltusContext *c, double t, const double *x, const double *z,
                         double *dx)
{
    (void)c, (void)t, (void)z;
    dx[0] = -0.04 * x[0] + 1e4 * x[1] * x[2];
    dx[2] = 3e7 * x[1] * x[1];
    dx[1] = -dx[0] - dx[2];
    return 0;
}

static int robertson_jacobian(const SaltusContext *c, double t, const double *x, const double *z,
                              double *j)
{
    (void)c, (void)t, (void)z;
    j[0] = -0.04;
    j[1] = 0.04;
    j[2] = 0.0;
    j[3] = 1e4 * x[2];
    j[4] = -1e4 * x[2] - 6e7 * x[1];
    j[5] = 6e7 * x[1];
    j[6] = 1e4 * x[1];
    j[7] = -1e4 * x[1];
    j[8] = 0.0;
    return 0;
}

static const double robertson_start[] = {1.0, 0.0, 0.0};

static StiffProblem robertson(void)
{
    StiffProblem p = {
        .mode = saltus_default_mode(),
        .end = 1e11,
        .count = 3,
        .values = {0.2083340149701255e-7, 0.8333360770334713e-13, 0.9999999791665050}};
    p.mode.name = "robertson";
    p.mode.start = robertson_start;
    return p;
}

StiffProblem stiff_robertson(void)
{
    StiffProblem p = robertson();
    p.mode.state_count = 3;
    p.mode.rhs = robertson_rhs;
    p.mode.hints.jacobian = robertson_jacobian;
    return p;
}

static int robertson_dae_rhs(const SaltusContext *c, double t, const double *x, const double *z,
                             double *dx)
{
    (void)c, (void)t;
    dx[0] = -0.04 * x[0] + 1e4 * x[1] * z[0];
    dx[1] = -dx[0] - 3e7 * x[1] * x[1];
    return 0;
}

static int robertson_sum(const SaltusContext *c, double t, const double *x, const double *z,
                         double *g)
{
    (void)c, (void)t;
    g[0] = x[0] + x[1] + z[0] - 1.0;
    return 0;
}

StiffProblem stiff_robertson_dae(void)
{
    StiffProblem p = robertson();
    p.mode.state_count = 2;
    p.mode.algebraic_count = 1;
    p.mode.rhs = robertson_dae_rhs;
    p.mode.algebraic = robertson_sum;
    return p;
}

static int robertson_residual(const SaltusContext *c, double t, const double *x, const double *z,
                              const double *dx, double *r)
{
    double f[2];
    robertson_dae_rhs(c, t, x, z, f);
    r[0] = f[0] - dx[0];
    r[1] = f[1] - dx[1];
    return robertson_sum(c, t, x, z, r + 2);
}

StiffProblem stiff_robertson_implicit(void)
{
    StiffProblem p = robertson();
    p.mode.state_count = 2;
    p.mode.algebraic_count = 1;
    p.mode.residual = robertson_residual;
    return p;
}

// ---------------------------------------------------------------------------
// Van der Pol
// ---------------------------------------------------------------------------

static const double van_der_pol_mu = 1000.0;

static int van_der_pol_rhs(const SaltusContext *c, double t, const double *x, const double *z,
                           double *dx)
{
    (void)c, (void)t, (void)z;
    dx[0] = x[1];
    dx[1] = van_der_pol_mu * (1.0 - x[0] * x[0]) * x[1] - x[0];
    return 0;
}

static int van_der_pol_jacobian(const SaltusContext *c, double t, const double *x, const double *z,
                                double *j)
{
    (void)c, (void)t, (void)z;
    j[0] = 0.0;
    j[1] = -2.0 * van_der_pol_mu * x[0] * x[1] - 1.0;
    j[2] = 1.0;
    j[3] = van_der_pol_mu * (1.0 - x[0] * x[0]);
    return 0;
}

StiffProblem stiff_van_der_pol(void)
{
    static const double start[] = {2.0, 0.0};
    StiffProblem p = {.mode = saltus_default_mode(),
                      .end = 2000.0,
                      .count = 2,
                      .values = {1.706167732170469, -0.8928097010248e-3}};
    p.mode.name = "van der pol";
    p.mode.state_count = 2;
    p.mode.start = start;
    p.mode.rhs = van_der_pol_rhs;
    p.mode.hints.jacobian = van_der_pol_jacobian;
    return p;
}

// ---------------------------------------------------------------------------
// HIRES and the oregonator
// ---------------------------------------------------------------------------

static int hires_rhs(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    (void)c, (void)t, (void)z;
    dx[0] = -1.71 * x[0] + 0.43 * x[1] + 8.32 * x[2] + 0.0007;
    dx[1] = 1.71 * x[0] - 8.75 * x[1];
    dx[2] = -10.03 * x[2] + 0.43 * x[3] + 0.035 * x[4];
    dx[3] = 8.32 * x[1] + 1.71 * x[2] - 1.12 * x[3];
    dx[4] = -1.745 * x[4] + 0.43 * x[5] + 0.43 * x[6];
    dx[5] = -280.0 * x[5] * x[7] + 0.69 * x[3] + 1.71 * x[4] - 0.43 * x[5] + 0.69 * x[6];
    dx[6] = 280.0 * x[5] * x[7] - 1.81 * x[6];
    dx[7] = -dx[6];
    return 0;
}

StiffProblem stiff_hires(void)
{
    static const double start[] = {1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0057};
    StiffProblem p = {.mode = saltus_default_mode(),
                      .end = 321.8122,
                      .count = 2,
                      .values = {0.7371312573325668e-3, 0.1442485726316185e-3}};
    p.mode.name = "hires";
    p.mode.state_count = 8;
    p.mode.start = start;
    p.mode.rhs = hires_rhs;
    return p;
}

static int oregonator_rhs(const SaltusContext *c, double t, const double *x, const double *z,
                          double *dx)
{
    (void)c, (void)t, (void)z;
    dx[0] = 77.27 * (x[1] + x[0] * (1.0 - 8.375e-6 * x[0] - x[1]));
    dx[1] = (x[2] - (1.0 + x[0]) * x[1]) / 77.27;
    dx[2] = 0.161 * (x[0] - x[2]);
    return 0;
}

StiffProblem stiff_oregonator(void)
{
    static const double start[] = {1.0, 2.0, 3.0};
    StiffProblem p = {.mode = saltus_default_mode(),
                      .end = 360.0,
                      .count = 3,
                      .values = {1.000814870318523, 1228.178521549917, 132.0554942846706}};
    p.mode.name = "oregonator";
    p.mode.state_count = 3;
    p.mode.start = start;
    p.mode.rhs = oregonator_rhs;
    return p;
}

// ---------------------------------------------------------------------------
// Transistor amplifier
// ---------------------------------------------------------------------------

static const double supply = 6.0, gain = 0.99;
static const double amplifier_c[] = {1e-6, 2e-6, 3e-6, 4e-6, 5e-6};

static double transistor(double voltage)
{
    return 1e-6 * (exp(voltage / 0.026) - 1.0);
}

// The currents into the nodes: C y' = f(t, y).
static void amplifier_currents(double t, const double y[8], double f[8])
{
    const double r0 = 1000.0, r = 9000.0;
    double input = 0.1 * sin(200.0 * PI * t);
    double first = transistor(y[1] - y[2]), second = transistor(y[4] - y[5]);
    f[0] = (y[0] - input) / r0;
    f[1] = y[1] * 2.0 / r - supply / r - (gain - 1.0) * first;
    f[2] = y[2] / r - first;
    f[3] = (y[3] - supply) / r + gain * first;
    f[4] = y[4] * 2.0 / r - supply / r - (gain - 1.0) * second;
    f[5] = y[5] / r - second;
    f[6] = (y[6] - supply) / r + gain * second;
    f[7] = y[7] / r;
}

static int amplifier_residual(const SaltusContext *context, double t, const double *y,
                              const double *z, const double *dy, double *out)
{
    (void)context, (void)z;
    const double *c = amplifier_c;
    double f[8];
    amplifier_currents(t, y, f);
    out[0] = c[0] * (dy[1] - dy[0]) - f[0];
    out[1] = c[0] * (dy[0] - dy[1]) - f[1];
    out[2] = -c[1] * dy[2] - f[2];
    out[3] = c[2] * (dy[4] - dy[3]) - f[3];
    out[4] = c[2] * (dy[3] - dy[4]) - f[4];
    out[5] = -c[3] * dy[5] - f[5];
    out[6] = c[4] * (dy[7] - dy[6]) - f[6];
    out[7] = c[4] * (dy[6] - dy[7]) - f[7];
    return 0;
}

static StiffProblem amplifier(void)
{
    StiffProblem p = {.mode = saltus_default_mode(),
                      .end = 0.2,
                      .count = 3,
                      .values = {-0.5562145012262709e-2, 3.006522471903042, 2.849958788608128}};
    p.mode.name = "amplifier";
    return p;
}

StiffProblem stiff_amplifier(void)
{
    static const double start[] = {0.0, 3.0, 3.0, 6.0, 3.0, 3.0, 6.0, 0.0};
    StiffProblem p = amplifier();
    p.mode.state_count = 8;
    p.mode.start = start;
    p.mode.residual = amplifier_residual;
    return p;
}

// x: y2 - y1, y3, y5 - y4, y6, y8 - y7;  z: y2, y5, y8.
void stiff_amplifier_nodes(const double x[5], const double z[3], double y[8])
{
    y[0] = z[0] - x[0];
    y[1] = z[0];
    y[2] = x[1];
    y[3] = z[1] - x[2];
    y[4] = z[1];
    y[5] = x[3];
    y[6] = z[2] - x[4];
    y[7] = z[2];
}

static int amplifier_rhs(const SaltusContext *context, double t, const double *x, const double *z,
                         double *dx)
{
    (void)context;
    const double *c = amplifier_c;
    double y[8], f[8];
    stiff_amplifier_nodes(x, z, y);
    amplifier_currents(t, y, f);
    dx[0] = f[0] / c[0];
    dx[1] = -f[2] / c[1];
    dx[2] = f[3] / c[2];
    dx[3] = -f[5] / c[3];
    dx[4] = f[6] / c[4];
    return 0;
}

static int amplifier_algebraic(const SaltusContext *context, double t, const double *x,
                               const double *z, double *g)
{
    (void)context;
    double y[8], f[8];
    stiff_amplifier_nodes(x, z, y);
    amplifier_currents(t, y, f);
    g[0] = f[0] + f[1];
    g[1] = f[3] + f[4];
    g[2] = f[6] + f[7];
    return 0;
}

StiffProblem stiff_amplifier_semi_explicit(void)
{
    static const double start[] = {3.0, 3.0, -3.0, 3.0, -6.0, 3.0, 3.0, 0.0};
    StiffProblem p = amplifier();
    p.mode.state_count = 5;
    p.mode.algebraic_count = 3;
    p.mode.start = start;
    p.mode.rhs = amplifier_rhs;
    p.mode.algebraic = amplifier_algebraic;
    return p;
}
