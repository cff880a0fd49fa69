// SPDX-License-Identifier: MIT

#include "solvers/sundials_roots.h"

#include "base/memory.h"
#include <float.h>
#include <math.h>
#include <string.h>

bool sundials_roots_create(SundialsRoots *roots, const Problem *problem, const SaltusMethod *method)
{
    roots->count = problem->mode->event_count;
    roots->is_wanted = method->locate == SALTUS_LOCATE_SUNDIALS && roots->count > 0;
    if (!roots->is_wanted)
        return true;
    const SaltusAllocator *a = problem->allocator;
    roots->values = MEMORY_NEW(a, roots->count, double);
    roots->following = MEMORY_NEW(a, roots->count, double);
    roots->behind = MEMORY_NEW(a, problem->nx + problem->nz, double);
    roots->found = MEMORY_NEW(a, roots->count + 1, int);
    roots->sign = MEMORY_NEW(a, roots->count, signed char);
    return roots->values && roots->following && roots->behind && roots->found && roots->sign;
}

void sundials_roots_destroy(SundialsRoots *roots, const Problem *problem)
{
    const SaltusAllocator *a = problem->allocator;
    memory_free(a, roots->values);
    memory_free(a, roots->following);
    memory_free(a, roots->behind);
    memory_free(a, roots->found);
    memory_free(a, roots->sign);
}

void sundials_roots_restart(SundialsRoots *roots)
{
    roots->calls = 0;
    roots->step_calls = 0;
    if (roots->is_wanted)
        memset(roots->sign, 0, (size_t)roots->count * sizeof *roots->sign);
}

static signed char sundials_roots_sign_of(double value)
{
    return (signed char)((value > 0.0) - (value < 0.0));
}

// At the start: zero within its noise is zero.
static int evaluate_start(SundialsRoots *roots, Problem *problem, double t, const double *x,
                          const double *z, double *out)
{
    const int code = problem_events(problem, t, x, z, roots->values);
    for (int i = 0; i < roots->count && code == 0; i++) {
        const bool is_zero = fabs(roots->values[i]) <= problem->mode->events[i].noise;
        roots->sign[i] = is_zero ? 0 : sundials_roots_sign_of(roots->values[i]);
        out[i] = is_zero ? 0.0 : roots->values[i];
    }
    out[roots->count] = 0.0;
    return code;
}

// Just behind the start: the signs of those that are zero at it, the old values of all others.
static int evaluate_probe(SundialsRoots *roots, Problem *problem, double t, const double *x,
                          const double *z, double *out)
{
    const bool is_open = memchr(roots->sign, 0, (size_t)roots->count) != NULL;
    const int code = is_open ? problem_events(problem, t, x, z, out) : 0;
    for (int i = 0; i < roots->count && code == 0; i++) {
        if (roots->sign[i] == 0)
            roots->sign[i] = sundials_roots_sign_of(out[i]);
        else
            out[i] = roots->values[i];
    }
    out[roots->count] = 1.0;
    return code;
}

static int evaluate_later(SundialsRoots *roots, Problem *problem, double t, const double *x,
                          const double *z, double *out)
{
    const int code = problem_events(problem, t, x, z, roots->values);
    for (int i = 0; i < roots->count && code == 0; i++) {
        if (roots->sign[i] == 0)
            roots->sign[i] = sundials_roots_sign_of(roots->values[i]);
        out[i] = roots->values[i] != 0.0 ? roots->values[i] : roots->sign[i] * DBL_MIN;
    }
    out[roots->count] = 1.0;
    return code;
}

int sundials_roots_evaluate(SundialsRoots *roots, Problem *problem, double t, const double *x,
                            const double *z, double *out)
{
    int code;
    if (roots->calls == 0)
        code = evaluate_start(roots, problem, t, x, z, out);
    else if (roots->calls == 1)
        code = evaluate_probe(roots, problem, t, x, z, out);
    else
        code = evaluate_later(roots, problem, t, x, z, out);
    roots->calls++;
    roots->step_calls++;
    for (int i = 0; i < roots->count; i++) {
        if (problem->mode->events[i].is_muted)
            out[i] = 1.0;
    }
    return code;
}

// The event functions just behind (t, x, z), where the tangent leads.
static int evaluate_behind(SundialsRoots *roots, Problem *problem, double t, const double *x,
                           const double *z, const double *dx, double delta)
{
    double *x_behind = roots->behind, *z_behind = roots->behind + problem->nx;
    for (int i = 0; i < problem->nx; i++)
        x_behind[i] = x[i] + delta * dx[i];
    int code = 0;
    if (problem->nz > 0) {
        memcpy(z_behind, z, (size_t)problem->nz * sizeof *z);
        code = problem_algebraics(problem, t + delta, x_behind, z_behind);
    }
    return code != 0 ? code
                     : problem_events(problem, t + delta, x_behind, z_behind, roots->following);
}

static bool counts(const SaltusEventDef *event, int direction)
{
    return !event->is_muted &&
           (event->direction == SALTUS_BOTH || (int)event->direction == direction);
}

int sundials_roots_step(SundialsRoots *roots, Problem *problem, double t, const double *x,
                        const double *z, const double *dx, double step, signed char *direction,
                        bool *any)
{
    bool is_zero = false;
    for (int i = 0; i < roots->count; i++)
        is_zero = is_zero || (roots->values[i] == 0.0 && roots->sign[i] != 0);
    if (is_zero) {
        const double delta = 1e-6 * step + 100.0 * DBL_EPSILON * fabs(t);
        const int code = evaluate_behind(roots, problem, t, x, z, dx, delta);
        if (code != 0)
            return code;
    }
    for (int i = 0; i < roots->count; i++) {
        direction[i] = 0;
        const signed char sign = sundials_roots_sign_of(roots->values[i] != 0.0 ? roots->values[i]
                                                        : is_zero ? roots->following[i]
                                                                  : 0.0);
        if (sign == 0)
            continue;
        if (roots->values[i] == 0.0 && roots->sign[i] * sign < 0 &&
            counts(&problem->mode->events[i], sign)) {
            direction[i] = sign;
            *any = true;
        }
        roots->sign[i] = sign;
    }
    return 0;
}

int sundials_roots_root(SundialsRoots *roots, Problem *problem, double t, const double *x,
                        const double *z, signed char *direction, bool *any)
{
    const int code = problem_events(problem, t, x, z, roots->values);
    if (code != 0)
        return code;
    for (int i = 0; i < roots->count; i++) {
        direction[i] = (signed char)roots->found[i];
        if (direction[i] != 0 && direction[i] == roots->sign[i])
            direction[i] = 0;
        if (direction[i] != 0)
            roots->sign[i] = direction[i];
        else if (roots->values[i] != 0.0)
            roots->sign[i] = sundials_roots_sign_of(roots->values[i]);
        *any = *any || direction[i] != 0;
    }
    return 0;
}
