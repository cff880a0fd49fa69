// SPDX-License-Identifier: MIT

#include "events/arm.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Units in the last place by which states are taken to be uncertain.
static const double uncertain_units = 16.0;

// A function has left its noise when it is so many times larger.
static const double clearly = 16.0;

// Each probe looks so many times further ahead.
static const double further = 8.0;

// Parts of the time in which the states change by their own size: where probes end, and how
// soon a first derivative must show for its sign to be trusted.
static const double furthest = 1e-2, soonest = 1e-6;

size_t arm_work_size(const SaltusModeDef *mode)
{
    size_t nx = (size_t)mode->state_count, nz = (size_t)mode->algebraic_count;
    return 5 * nx + nz + 2 * (size_t)mode->event_count;
}

static double ulp(double t)
{
    return fmax(DBL_EPSILON * fabs(t), DBL_MIN);
}

// x moved by its uncertainty, with signs from the pattern's bits.
static void disturb(const Problem *problem, const ArmPoint *point, unsigned pattern, double *x)
{
    for (int i = 0; i < problem->nx; i++) {
        double size = uncertain_units * DBL_EPSILON * fmax(fabs(point->x[i]), point->x_scale[i]) +
                      4.0 * ulp(point->t) * fabs(point->dx[i]);
        unsigned bit = (pattern >> (i % 16)) & 1u;
        x[i] = point->x[i] + (bit ? size : -size);
    }
}

int arm_noise(Problem *problem, const ArmPoint *point, double *noise, double *work)
{
    // Two patterns: what cancels in one adds up in the other.
    static const unsigned patterns[] = {0xFFFFu, 0x5555u};
    const SaltusModeDef *mode = problem->mode;
    double *x = work, *z = x + problem->nx, *h = z + problem->nz;
    for (int i = 0; i < mode->event_count; i++)
        noise[i] = mode->events[i].noise;
    for (size_t k = 0; k < sizeof patterns / sizeof patterns[0]; k++) {
        disturb(problem, point, patterns[k], x);
        if (problem->form != PROBLEM_ODE) {
            memcpy(z, point->z, (size_t)problem->nz * sizeof *z);
            int code = problem_algebraics(problem, point->t, x, z);
            if (code != 0)
                return code;
        }
        int code = problem_events(problem, point->t, x, z, h);
        if (code != 0)
            return code;
        for (int i = 0; i < mode->event_count; i++) {
            if (mode->events[i].noise == 0.0)
                noise[i] = fmax(noise[i], fabs(h[i] - point->h[i]));
        }
    }
    return 0;
}

// One step of the classical Runge-Kutta method from the point, `delta` long.
// work: 4 nx + nz doubles.
static int follow(Problem *problem, const ArmPoint *point, double delta, double *x, double *z,
                  double *work)
{
    static const double node[] = {0.5, 0.5, 1.0};
    static const double weight[] = {2.0, 2.0, 1.0};
    int nx = problem->nx;
    double *stage = work, *k = stage + nx, *sum = k + nx;
    memcpy(z, point->z, (size_t)problem->nz * sizeof *z);
    memcpy(k, point->dx, (size_t)nx * sizeof *k);
    memcpy(sum, point->dx, (size_t)nx * sizeof *sum);
    for (int s = 0; s < 3; s++) {
        for (int i = 0; i < nx; i++)
            stage[i] = point->x[i] + delta * node[s] * k[i];
        int code = problem_rhs(problem, point->t + delta * node[s], stage, z, k);
        if (code != 0)
            return code;
        for (int i = 0; i < nx; i++)
            sum[i] += weight[s] * k[i];
    }
    for (int i = 0; i < nx; i++)
        x[i] = point->x[i] + delta / 6.0 * sum[i];
    return problem->form == PROBLEM_ODE ? 0 : problem_algebraics(problem, point->t + delta, x, z);
}

// Time in which the states change by their own size.
static double flow_time(const Problem *problem, const ArmPoint *point)
{
    double rate = 0.0;
    for (int i = 0; i < problem->nx; i++)
        rate = fmax(rate, fabs(point->dx[i]) / fmax(fabs(point->x[i]), problem->mode->nominal[i]));
    return rate > 1.0 ? 1.0 / rate : 1.0;
}

// Takes the signs that the probed values h show; true if none is left open.
static bool take_signs(const SaltusModeDef *mode, const double *h, Armed *armed)
{
    bool complete = true;
    for (int i = 0; i < mode->event_count; i++) {
        if (mode->events[i].muted || armed[i].sign != 0)
            continue;
        if (fabs(h[i]) > clearly * armed[i].noise)
            armed[i].sign = h[i] > 0.0 ? 1 : -1;
        else
            complete = false;
    }
    return complete;
}

// Whether a first derivative is more than noise: then it brings its function out of the noise
// `soon`, where noise would need about the whole flow time.
static bool is_steep(const Armed *armed, double dh, double soon)
{
    return armed->sign == 0 && fabs(dh) * soon > 2.0 * clearly * armed->noise;
}

// The point that the tangent reaches after delta.
static int follow_tangent(Problem *problem, const ArmPoint *point, double delta, double *x,
                          double *z)
{
    for (int i = 0; i < problem->nx; i++)
        x[i] = point->x[i] + delta * point->dx[i];
    if (problem->form == PROBLEM_ODE)
        return 0;
    memcpy(z, point->z, (size_t)problem->nz * sizeof *z);
    return problem_algebraics(problem, point->t + delta, x, z);
}

// Signs of the functions with a clear first derivative, by one look along the tangent, which is
// as good as the flow over so short a time (for other functions it is not: x^2 + y^2 grows along
// every tangent of the circle). True if no sign is left open.
static bool arm_steep(Problem *problem, const ArmPoint *point, double soon, const double *dh,
                      Armed *armed, double *work)
{
    const SaltusModeDef *mode = problem->mode;
    double delta = 16.0 * ulp(point->t);
    bool open = false, steep = false;
    for (int i = 0; i < mode->event_count; i++) {
        if (is_steep(&armed[i], dh[i], soon)) {
            delta = fmax(delta, 2.0 * clearly * armed[i].noise / fabs(dh[i]));
            steep = true;
        } else {
            open = open || (armed[i].sign == 0 && !mode->events[i].muted);
        }
    }
    double *x = work, *z = x + problem->nx, *h = z + problem->nz;
    if (!steep || follow_tangent(problem, point, delta, x, z) != 0 ||
        problem_events(problem, point->t + delta, x, z, h) != 0)
        return !steep && !open;
    for (int i = 0; i < mode->event_count; i++) {
        if (!is_steep(&armed[i], dh[i], soon))
            continue;
        if (h[i] * dh[i] > 0.0 && fabs(h[i]) > clearly * armed[i].noise)
            armed[i].sign = h[i] > 0.0 ? 1 : -1;
        else
            open = true; // a kink: the slope is not the one ahead
    }
    return !open;
}

int arm_signs(Problem *problem, const ArmPoint *point, Armed *armed, double *work)
{
    const SaltusModeDef *mode = problem->mode;
    bool open = false;
    for (int i = 0; i < mode->event_count; i++) {
        bool zero = fabs(point->h[i]) <= armed[i].noise;
        armed[i].sign = zero ? 0 : point->h[i] > 0.0 ? 1 : -1;
        open = open || (zero && !mode->events[i].muted);
    }
    if (!open)
        return 0;
    double *x = work, *z = x + problem->nx, *h = z + problem->nz, *rest = h + mode->event_count;
    double *dh = rest + 3 * problem->nx;
    int code = problem_flow(problem, point->t, point->x, point->z, point->dx, dh);
    if (code != 0)
        return code;
    double time = flow_time(problem, point);
    if (arm_steep(problem, point, soonest * time, dh, armed, work))
        return 0;
    for (double delta = 16.0 * ulp(point->t); delta <= furthest * time; delta *= further) {
        // Where the equations cannot be followed, the signs stay open.
        if (follow(problem, point, delta, x, z, rest) != 0 ||
            problem_events(problem, point->t + delta, x, z, h) != 0)
            break;
        if (take_signs(mode, h, armed))
            break;
    }
    return 0;
}
