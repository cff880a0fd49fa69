// SPDX-License-Identifier: MIT

#include "events/arm.h"

#include "base/inline.h"
#include "base/real.h"
#include "numerics/disturbance.h"
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
// soon a first derivative must show for its sign to be trusted. They begin where time has its
// resolution, or, for it has none at zero, where nothing can have happened.
static const double furthest = 1e-2, soonest = 1e-6, nearest = 1e-30;

size_t arm_work_size(const SaltusModeDef *mode)
{
    size_t nx = (size_t)mode->state_count, nz = (size_t)mode->algebraic_count;
    return 5 * nx + nz + 4 * (size_t)mode->event_count;
}

static double ulp(double t)
{
    return real_larger(DBL_EPSILON * fabs(t), DBL_MIN);
}

static double units_of(const ArmPoint *point)
{
    return uncertain_units * real_larger(point->doubt, 1.0);
}

// By which time is taken to be uncertain.
static double tick_of(const ArmPoint *point)
{
    return 4.0 * ulp(point->t) * real_larger(point->doubt, 1.0);
}

// Below this a variable's tolerances make no difference. What has decayed to less, a current of
// 1e-18 through a diode that blocks, is what the rounding of others leaves of it.
static double arm_least_size(const Problem *problem, int variable)
{
    return problem->absolute[variable] / problem->relative;
}

// x moved by its uncertainty, with signs from the pattern's bits.
ALWAYS_INLINE void arm_disturb(const Problem *problem, const ArmPoint *point, unsigned pattern,
                               double *x)
{
    const double tick = tick_of(point);
    for (int i = 0; i < problem->nx; i++) {
        double scale = real_larger(fabs(point->x[i]), point->x_scale[i]);
        scale = real_larger(scale, point->by_tolerance ? arm_least_size(problem, i) : 0.0);
        const double size = units_of(point) * DBL_EPSILON * scale + tick * fabs(point->dx[i]);
        x[i] = point->x[i] + disturbance(pattern, i) * size;
    }
}

// z solved for at the disturbed states, and moved by what Newton's iteration leaves.
NEVER_INLINE int disturb_algebraics(Problem *problem, const ArmPoint *point, double t,
                                    unsigned pattern, const double *x, double *z)
{
    memcpy(z, point->z, (size_t)problem->nz * sizeof *z);
    const int code = problem_algebraics(problem, t, x, z);
    for (int i = 0; i < problem->nz; i++) {
        const double least = arm_least_size(problem, problem->nx + i);
        const double size = units_of(point) * DBL_EPSILON * real_larger(fabs(z[i]), least);
        z[i] += disturbance(pattern, i) * size;
    }
    return code;
}

// x moved further by what a step makes of the rounding of its derivatives: at rest that is all
// there is of a velocity, k x + g = 0.
NEVER_INLINE int disturb_by_step(Problem *problem, const ArmPoint *point, double t, double *x,
                                 double *z)
{
    double *dx = problem->work;
    const int code = problem_rhs(problem, t, x, z, dx);
    for (int i = 0; i < problem->nx && code == 0; i++) {
        const double size = point->step * fabs(dx[i] - point->dx[i]);
        x[i] += x[i] < point->x[i] ? -size : size;
    }
    return code;
}

// All event functions at states disturbed by a pattern, and at time t.
ALWAYS_INLINE int disturbed_events(Problem *problem, const ArmPoint *point, double t,
                                   unsigned pattern, double *x, double *z, double *h)
{
    arm_disturb(problem, point, pattern, x);
    int code = 0;
    if (problem->form != PROBLEM_ODE)
        code = disturb_algebraics(problem, point, t, pattern, x, z);
    else if (point->step != 0.0)
        code = disturb_by_step(problem, point, t, x, z);
    return code == 0 ? problem_events(problem, t, x, z, h) : code;
}

// One side moved a function much more than the other: either what cancels in one adds up in the
// other, or the function jumps just before or just after this time, which is no noise.
static const double suspicious = 1e3;

// The two patterns, to either side: what cancels in one adds up in the other.
static const unsigned patterns[] = {0xFFFFu, 0xAAAAu};

// Event functions, disturbed: to either side of the time, in the states alone, and further away in
// time.
enum { SIDE_LATER, SIDE_EARLIER, SIDE_NOW, SIDE_FURTHER, SIDES };

// So many times further away a jump is as large as before, while what a slope does is not.
static const double further_away = 16.0, same_jump = 1e-3;

// What the functions do without any change of time, for those that jump in time. That one side
// moves a function and the other one does not may be rounding, too: then it is no jump.
NEVER_INLINE int without_jumps(Problem *problem, const ArmPoint *point, double *const sides[SIDES],
                               double *x, double *z, double *noise)
{
    const SaltusModeDef *mode = problem->mode;
    for (int side = 0; side < 2; side++) {
        const double *h = sides[side], *other = sides[1 - side];
        const double *now = sides[SIDE_NOW], *away = sides[SIDE_FURTHER];
        const double tick = side == 0 ? tick_of(point) : -tick_of(point);
        bool is_known = false;
        for (int i = 0; i < mode->event_count; i++) {
            double moved = fabs(h[i] - point->h[i]), less = fabs(other[i] - point->h[i]);
            if (mode->events[i].noise != 0.0 || !(moved > suspicious * less))
                continue;
            int code = 0;
            if (!is_known) {
                code = disturbed_events(problem, point, point->t, patterns[side], x, z,
                                        sides[SIDE_NOW]);
                if (code == 0)
                    code = disturbed_events(problem, point, point->t + further_away * tick,
                                            patterns[side], x, z, sides[SIDE_FURTHER]);
            }
            if (code != 0)
                return code < 0 ? code : 0;
            is_known = true;
            const double rest = fabs(now[i] - point->h[i]);
            if (fabs(away[i] - h[i]) <= same_jump * moved && rest < same_jump * moved)
                noise[i] = real_larger(less, rest);
        }
    }
    return 0;
}

int arm_noise(Problem *problem, const ArmPoint *point, double *noise, double *work)
{
    const SaltusModeDef *mode = problem->mode;
    int count = mode->event_count, code = 0;
    double *x = work, *z = x + problem->nx, tick = tick_of(point);
    double *sides[SIDES] = {z + problem->nz};
    for (int k = 1; k < SIDES; k++)
        sides[k] = sides[k - 1] + count;
    bool both = true, is_suspect = false;
    for (int i = 0; i < count; i++)
        noise[i] = mode->events[i].noise;
    for (int side = 0; side < 2; side++) {
        double *h = sides[side];
        const double t = side == 0 ? point->t + tick : point->t - tick;
        code = disturbed_events(problem, point, t, patterns[side], x, z, h);
        if (code < 0)
            return code;
        // The point may be at the edge of where the functions exist: then one side must do.
        both = both && code == 0;
        for (int i = 0; i < count && code == 0; i++) {
            double before = noise[i], moved = fabs(h[i] - point->h[i]);
            // (Beyond the edge a function may be infinite: log(x) at zero.)
            if (mode->events[i].noise != 0.0 || !isfinite(moved))
                continue;
            noise[i] = real_larger(before, moved);
            is_suspect =
                is_suspect ||
                (side == 1 && (moved > suspicious * before || before > suspicious * moved));
        }
    }
    return both && is_suspect ? without_jumps(problem, point, sides, x, z, noise) : 0;
}

// One step of the classical Runge-Kutta method from the point, `delta` long.
// work: 4 nx + nz doubles.
static int arm_follow(Problem *problem, const ArmPoint *point, double delta, double *x, double *z,
                      double *work)
{
    static const double node[] = {0.5, 0.5, 1.0};
    static const double weight[] = {2.0, 2.0, 1.0};
    const int nx = problem->nx;
    double *stage = work, *k = stage + nx, *sum = k + nx;
    memcpy(z, point->z, (size_t)problem->nz * sizeof *z);
    memcpy(k, point->dx, (size_t)nx * sizeof *k);
    memcpy(sum, point->dx, (size_t)nx * sizeof *sum);
    for (int s = 0; s < 3; s++) {
        for (int i = 0; i < nx; i++)
            stage[i] = point->x[i] + delta * node[s] * k[i];
        const int code = problem_rhs(problem, point->t + delta * node[s], stage, z, k);
        if (code != 0)
            return code;
        for (int i = 0; i < nx; i++)
            sum[i] += weight[s] * k[i];
    }
    for (int i = 0; i < nx; i++)
        x[i] = point->x[i] + delta / 6.0 * sum[i];
    return problem->form == PROBLEM_ODE ? 0 : problem_algebraics(problem, point->t + delta, x, z);
}

// Slopes of the event functions along the tangent, on both sides of the point, one nearer than the
// other: a wave that is much faster than the states, sin(1e7 time), has no slope in common there.
static int arm_find_slopes(Problem *problem, const ArmPoint *p, double delta, double *before,
                           double *after)
{
    static const double nearer = 0.618;
    int code = problem_events_ahead(problem, p->t, p->x, p->z, p->dx, -nearer * delta, before);
    if (code == 0)
        code = problem_events_ahead(problem, p->t, p->x, p->z, p->dx, delta, after);
    for (int i = 0; i < problem->mode->event_count && code == 0; i++) {
        before[i] = (p->h[i] - before[i]) / (nearer * delta);
        after[i] = (after[i] - p->h[i]) / delta;
    }
    return code;
}

// The rounding of two slopes, which are of many times the noise, is less than this part.
static const double same_slope = 0.01;

// Takes the sign of a slope that brings h out of its noise in no time: one that is itself only
// noise would need about the whole flow time. At a kink and at a double root the two sides
// differ; there the slope says nothing, nor does it where no noise could be measured. True if no
// sign is left open; else `delta` is where the slopes suggest to look.
static bool take_slopes(const SaltusModeDef *mode, const double *before, const double *after,
                        double soon, Armed *armed, double *delta)
{
    bool is_complete = true;
    for (int i = 0; i < mode->event_count; i++) {
        if (mode->events[i].is_muted || armed[i].sign != 0)
            continue;
        double need = 2.0 * clearly * armed[i].noise, slope = after[i];
        const bool is_smooth = need > 0.0 && fabs(slope - before[i]) < same_slope * fabs(slope);
        if (is_smooth && fabs(slope) * soon > need) {
            armed[i].sign = slope > 0.0 ? 1 : -1;
        } else {
            is_complete = false;
            if (need > 0.0)
                *delta = real_larger(*delta, real_smaller(need / fabs(slope), soon));
        }
    }
    return is_complete;
}

// Takes the signs that the probed values h show; true if none is left open. A function whose noise
// could not be measured, for its terms are so much larger than the states that it depends on (u -
// 0.7 where u changes by 1e-9), moves in quanta: the first value that is not zero may be one.
static bool take_signs(const SaltusModeDef *mode, const double *h, double *quanta, Armed *armed)
{
    bool is_complete = true;
    for (int i = 0; i < mode->event_count; i++) {
        if (mode->events[i].is_muted || armed[i].sign != 0)
            continue;
        if (quanta[i] == 0.0)
            quanta[i] = real_larger(armed[i].noise, armed[i].noise == 0.0 ? fabs(h[i]) : 0.0);
        if (fabs(h[i]) > clearly * quanta[i])
            armed[i].sign = h[i] > 0.0 ? 1 : -1;
        else
            is_complete = false;
    }
    return is_complete;
}

int arm_signs(Problem *problem, const ArmPoint *point, Armed *armed, double *work)
{
    const SaltusModeDef *mode = problem->mode;
    bool is_open = false;
    for (int i = 0; i < mode->event_count; i++) {
        const bool is_zero = fabs(point->h[i]) <= armed[i].noise;
        armed[i].sign = is_zero ? 0 : point->h[i] > 0.0 ? 1 : -1;
        is_open = is_open || (is_zero && !mode->events[i].is_muted);
    }
    if (!is_open)
        return 0;
    double *x = work, *z = x + problem->nx, *h = z + problem->nz, *rest = h + mode->event_count;
    double *quanta = rest + 4 * problem->nx + mode->event_count;
    memset(quanta, 0, (size_t)mode->event_count * sizeof *quanta);
    const double flow_time = problem_flow_time(problem, point->t, point->x, point->dx);
    const double time = real_smaller(flow_time, 1.0);
    double delta = real_larger(16.0 * ulp(point->t), nearest * time);
    int code = arm_find_slopes(problem, point, cbrt(DBL_EPSILON) * flow_time, h, rest);
    if (code == 0 && take_slopes(mode, h, rest, soonest * time, armed, &delta))
        return 0;
    for (; delta <= furthest * time && code >= 0; delta *= further) {
        code = arm_follow(problem, point, delta, x, z, rest);
        if (code == 0)
            code = problem_events(problem, point->t + delta, x, z, h);
        // Where the equations cannot be followed, the signs stay open.
        if (code != 0 || take_signs(mode, h, quanta, armed))
            break;
    }
    return code < 0 ? code : 0;
}
