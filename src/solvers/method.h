// SPDX-License-Identifier: MIT
//
// An explicit Runge-Kutta method as a solver: a file that includes this has a `static const Tableau
// tableau` and one of the lines METHOD_FIXED, METHOD_ADAPTIVE, ... at its end; see heun.c. The
// arithmetic of a step (kernel.h) is compiled in that file, where the coefficients are constants.

#ifndef SALTUS_SOLVERS_METHOD_H
#define SALTUS_SOLVERS_METHOD_H

#include "base/inline.h"
#include "solvers/control.h"
#include "solvers/runge_kutta.h"

#include <math.h>

// Functions that take a tableau and stage numbers are written to be inlined where these are
// constants; the compiler then removes every condition on a coefficient.

#define FOR_EACH_STAGE(X)                                                                          \
    X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15)

// sum_{j < count} weight[j] k[j], component i
ALWAYS_INLINE double method_weighted_sum(const double *weight, int count, int n, const double *k,
                                         int i)
{
    double sum = 0.0;
    bool is_empty = true;
#define TERM(j)                                                                                    \
    if (j < count && weight[j] != 0.0) {                                                           \
        double term = weight[j] * k[(ptrdiff_t)j * n + i];                                         \
        sum = is_empty ? term : sum + term;                                                        \
        is_empty = false;                                                                          \
    }
    FOR_EACH_STAGE(TERM)
#undef TERM
    return sum;
}

// out = x + h sum_{j < s} a[s][j] k[j]; whether k[s - 1] is finite, if there are many. (k[0] is.)
ALWAYS_INLINE bool method_combine(const Tableau *tableau, int s, int n, double h,
                                  const double *restrict x, const double *restrict k,
                                  double *restrict out)
{
    const double *newest = k + (ptrdiff_t)(s - 1) * n;
    uint64_t looks = 0;
    for (int i = 0; i < n; i++) {
        out[i] = x[i] + h * method_weighted_sum(tableau->a[s], s, n, k, i);
        if (n >= PROBLEM_MANY && s > 1)
            looks |= problem_look(newest[i]);
    }
    return problem_is_finite(looks);
}

ALWAYS_INLINE double method_time(const Tableau *tableau, int s, double t, double t_new)
{
    return tableau->c[s] == 1.0 ? t_new : t + tableau->c[s] * (t_new - t);
}

// Names what is not finite in k[s].
ALWAYS_INLINE int method_check(const Tableau *tableau, int s, Problem *problem, int n, double t,
                               double t_new, const double *k)
{
    return problem_check(problem, k + (ptrdiff_t)s * n, n, 0, "the right-hand side",
                         method_time(tableau, s, t, t_new));
}

// k[s] = f(t + c[s] h, x + h sum_{j < s} a[s][j] k[j]). Few values are checked at once, many where
// they are read for the next stage.
ALWAYS_INLINE int method_stage(const Tableau *tableau, int s, Problem *problem, int n, double t,
                               double t_new, const double *x, double *z, double *k, double *x_stage)
{
    if (PROBLEM_RARELY(!method_combine(tableau, s, n, t_new - t, x, k, x_stage)))
        return method_check(tableau, s - 1, problem, n, t, t_new, k);
    int code =
        problem_rhs(problem, method_time(tableau, s, t, t_new), x_stage, z, k + (ptrdiff_t)s * n);
    return code != 0 || n >= PROBLEM_MANY ? code
                                          : method_check(tableau, s, problem, n, t, t_new, k);
}

ALWAYS_INLINE int method_stages(const Tableau *tableau, int first, int end, Problem *problem, int n,
                                double t, double t_new, const double *x, double *z, double *k,
                                double *x_stage)
{
    int code = 0;
#define STAGE(s)                                                                                   \
    if (s >= first && s < end) {                                                                   \
        code = method_stage(tableau, s, problem, n, t, t_new, x, z, k, x_stage);                   \
        if (PROBLEM_RARELY(code != 0))                                                             \
            return code;                                                                           \
    }
    FOR_EACH_STAGE(STAGE)
#undef STAGE
    return code;
}

ALWAYS_INLINE int method_step(const Tableau *tableau, Problem *problem, int n, double t,
                              double t_new, const double *x, const double *dx, double *z, double *k,
                              double *x_new)
{
    const int stages = tableau->stages;
    for (int i = 0; i < n; i++)
        k[i] = dx[i];
    int code = method_stages(tableau, 1, stages, problem, n, t, t_new, x, z, k, x_new);
    if (code == 0 && PROBLEM_RARELY(!method_combine(tableau, stages, n, t_new - t, x, k, x_new)))
        code = method_check(tableau, stages - 1, problem, n, t, t_new, k);
    return code;
}

ALWAYS_INLINE int method_more_stages(const Tableau *tableau, Problem *problem, int n, double t,
                                     double t_new, const double *x, double *z, double *k,
                                     double *x_work)
{
    const int end = tableau->all_stages;
    int code =
        method_stages(tableau, tableau->stages + 1, end, problem, n, t, t_new, x, z, k, x_work);
    if (code == 0 && n >= PROBLEM_MANY)
        code = method_check(tableau, end - 1, problem, n, t, t_new, k);
    return code;
}

// Root mean square of the scaled error e; with a second estimate l of lower order
// e |e| / sqrt(|e|^2 + 0.01 |l|^2), which is of the order of the step to the power 8 for the
// orders 5 and 3 (Hairer, Nørsett, Wanner I, II.10).
ALWAYS_INLINE double method_error(const Tableau *tableau, const Problem *problem, int n, double h,
                                  const double *x, const double *x_new, const double *k)
{
    int count = tableau->stages + 1;
    double sum = 0.0, low_sum = 0.0;
    for (int i = 0; i < n; i++) {
        double scale = control_scale(problem, i, x[i], x_new[i]);
        double e = method_weighted_sum(tableau->error, count, n, k, i) / scale;
        sum += e * e + (x_new[i] - x_new[i]); // NaN if x_new is not finite
        if (tableau->low_order > 0) {
            double l = method_weighted_sum(tableau->low_error, count, n, k, i) / scale;
            low_sum += l * l;
        }
    }
    if (sum == 0.0)
        return 0.0;
    if (tableau->low_order > 0)
        return h * sum / sqrt((sum + 0.01 * low_sum) * n);
    return h * sqrt(sum / n);
}

ALWAYS_INLINE void method_dense(const Tableau *tableau, int n, double h, const double *restrict x,
                                const double *restrict x_new, const double *restrict k,
                                double *restrict r)
{
    const double *k_end = k + (ptrdiff_t)tableau->stages * n;
    for (int i = 0; i < n; i++) {
        double r0 = x_new[i] - x[i], r1 = h * k[i] - r0;
        r[i] = r0;
        if (tableau->dense_terms > 1)
            r[n + i] = r1;
        if (tableau->dense_terms > 2)
            r[2 * (ptrdiff_t)n + i] = r0 - h * k_end[i] - r1;
#define ROW(m)                                                                                     \
    if (tableau->dense_terms > 3 + m)                                                              \
    r[(3 + m) * (ptrdiff_t)n + i] =                                                                \
        h * method_weighted_sum(tableau->dense[m], tableau->all_stages, n, k, i)
        ROW(0);
        ROW(1);
        ROW(2);
        ROW(3);
#undef ROW
    }
}

// The value of the dense output at t + theta h, component i
ALWAYS_INLINE double method_value(const Tableau *tableau, int n, double theta, const double *x,
                                  const double *r, int i)
{
    double sum = 0.0;
#define NEST(m)                                                                                    \
    if (m < tableau->dense_terms)                                                                  \
    sum = (m % 2 == 0 ? theta : 1.0 - theta) * (r[m * (ptrdiff_t)n + i] + sum)
    NEST(6);
    NEST(5);
    NEST(4);
    NEST(3);
    NEST(2);
    NEST(1);
    NEST(0);
#undef NEST
    return x[i] + sum;
}

ALWAYS_INLINE void method_values(const Tableau *tableau, int n, double t, double t_new,
                                 const double *restrict x, const double *restrict r, int count,
                                 const double *restrict times, double *restrict out)
{
    for (int j = 0; j < count; j++, out += n) {
        double theta = (times[j] - t) / (t_new - t);
        for (int i = 0; i < n; i++)
            out[i] = method_value(tableau, n, theta, x, r, i);
    }
}

// The instances of these functions for the file's own `tableau`, for each kernel in kernel.h: what
// it is called there, the number of components, where 0 is any, and what it is compiled for.
#define METHOD_SIZE(NAME, kernel, size, machine)                                                   \
    machine static int NAME##_stages_##kernel(Problem *problem, double t, double t_new,            \
                                              const double *x, const double *dx, double *z,        \
                                              double *k, double *x_new)                            \
    {                                                                                              \
        return method_step(&tableau, problem, size ? size : problem->nx, t, t_new, x, dx, z, k,    \
                           x_new);                                                                 \
    }                                                                                              \
    machine static void NAME##_dense_##kernel(int n, double h, const double *x,                    \
                                              const double *x_new, const double *k, double *r)     \
    {                                                                                              \
        method_dense(&tableau, size ? size : n, h, x, x_new, k, r);                                \
    }                                                                                              \
    machine static void NAME##_values_##kernel(int n, double t, double t_new, const double *x,     \
                                               const double *r, int count, const double *times,    \
                                               double *out)                                        \
    {                                                                                              \
        method_values(&tableau, size ? size : n, t, t_new, x, r, count, times, out);               \
    }

#define METHOD_ERROR_SIZE(NAME, kernel, size, machine)                                             \
    machine static double NAME##_error_##kernel(const Problem *problem, double h, const double *x, \
                                                const double *x_new, const double *k)              \
    {                                                                                              \
        return method_error(&tableau, problem, size ? size : problem->nx, h, x, x_new, k);         \
    }

#define METHOD_MORE_STAGES_SIZE(NAME, kernel, size, machine)                                       \
    machine static int NAME##_more_stages_##kernel(Problem *problem, double t, double t_new,       \
                                                   const double *x, double *z, double *k,          \
                                                   double *x_work)                                 \
    {                                                                                              \
        return method_more_stages(&tableau, problem, size ? size : problem->nx, t, t_new, x, z, k, \
                                  x_work);                                                         \
    }

#define METHOD_FOR_EACH_SIZE(X, NAME)                                                              \
    X(NAME, 0, 0, ) X(NAME, 1, 1, ) X(NAME, 2, 2, ) X(NAME, 3, 3, ) X(NAME, wide, 0, KERNEL_MACHINE)
#define METHOD_NONE(NAME, kernel) NULL
#define METHOD_ERROR(NAME, kernel) NAME##_error_##kernel
#define METHOD_MORE_STAGES(NAME, kernel) NAME##_more_stages_##kernel

#define METHOD_KERNEL(NAME, place, kernel, error_of, more_stages_of)                               \
    [place] = {                                                                                    \
        .stages = NAME##_stages_##kernel,                                                          \
        .error = error_of(NAME, kernel),                                                           \
        .more_stages = more_stages_of(NAME, kernel),                                               \
        .dense = NAME##_dense_##kernel,                                                            \
        .values = NAME##_values_##kernel,                                                          \
    }

#define METHOD_KIND(NAME, orders, traits_of, how, error_of, more_stages_of)                        \
    METHOD_FOR_EACH_SIZE(METHOD_SIZE, NAME)                                                        \
    static const Kernel NAME##_kernels[KERNELS] = {                                                \
        METHOD_KERNEL(NAME, 0, 0, error_of, more_stages_of),                                       \
        METHOD_KERNEL(NAME, 1, 1, error_of, more_stages_of),                                       \
        METHOD_KERNEL(NAME, 2, 2, error_of, more_stages_of),                                       \
        METHOD_KERNEL(NAME, 3, 3, error_of, more_stages_of),                                       \
        METHOD_KERNEL(NAME, KERNEL_WIDE, wide, error_of, more_stages_of),                          \
    };                                                                                             \
    static Solver *NAME##_create(Problem *problem, const SaltusMethod *method)                     \
    {                                                                                              \
        return runge_kutta_create_##how(&solver_##NAME, problem, method);                          \
    }                                                                                              \
    const SolverKind solver_##NAME = {                                                             \
        .id = SALTUS_SOLVER_##NAME,                                                                \
        .order = METHOD_FIRST orders,                                                              \
        .dense_order = METHOD_SECOND orders,                                                       \
        .traits = SOLVER_ONE_STEP | (traits_of),                                                   \
        .tableau = &tableau,                                                                       \
        .kernels = NAME##_kernels,                                                                 \
        .create = NAME##_create,                                                                   \
        .destroy = solver_free,                                                                    \
        .reset = runge_kutta_reset_##how,                                                          \
        .step = runge_kutta_step_##how,                                                            \
        .interpolate = runge_kutta_interpolate,                                                    \
        .sample = runge_kutta_sample,                                                              \
        .closing_step = runge_kutta_closing_step,                                                  \
        .state_changed = runge_kutta_state_changed,                                                \
        .copy = runge_kutta_copy,                                                                  \
        .carry = runge_kutta_carry,                                                                \
    };
#define METHOD_FIRST(a, b) a
#define METHOD_SECOND(a, b) b

// The solver of the file's `tableau`, with a fixed step; with step size control, whose dense output
// needs no further stages; or with step size control, whose dense output does. `order` and
// `dense_order` are those of the tableau, which C does not take for constants.
#define METHOD_FIXED(NAME, order, dense_order)                                                     \
    METHOD_KIND(NAME, (order, dense_order), SOLVER_FIXED_STEP, fixed, METHOD_NONE, METHOD_NONE)
#define METHOD_ADAPTIVE(NAME, order, dense_order)                                                  \
    METHOD_FOR_EACH_SIZE(METHOD_ERROR_SIZE, NAME)                                                  \
    METHOD_KIND(NAME, (order, dense_order), 0, adaptive, METHOD_ERROR, METHOD_NONE)
#define METHOD_ADAPTIVE_WITH_STAGES(NAME, order, dense_order)                                      \
    METHOD_FOR_EACH_SIZE(METHOD_ERROR_SIZE, NAME)                                                  \
    METHOD_FOR_EACH_SIZE(METHOD_MORE_STAGES_SIZE, NAME)                                            \
    METHOD_KIND(NAME, (order, dense_order), 0, adaptive, METHOD_ERROR, METHOD_MORE_STAGES)

#endif
