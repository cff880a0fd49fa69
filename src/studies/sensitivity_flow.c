// SPDX-License-Identifier: MIT
//
// Between events: S' = A(t) S + B(t) along the dense output of the run, with A = f_x and
// B = f_q + f_m dm/dq. Where the run's own method is explicit, by that of Dormand and Prince, whose
// stages are derivatives of f in the direction of S; else by Radau IIA of order 5 (Hairer and
// Wanner 1996, section IV.5). The equations are linear, so that a step of it is one system of
// linear equations for the values at its three nodes,
//
//   S_k - h sum_l a_kl A_l S_l = S_0 + h sum_l a_kl B_l .
//
// Steps are those of the run, and smaller ones where their error, by the embedded formula or two
// halves of the step, is beyond the tolerance of the run.

#include "base/real.h"
#include "numerics/dense.h"
#include "studies/sensitivity_parts.h"

#include <math.h>
#include <string.h>

enum { NODES = 3 };

#define SENSITIVITY_ROOT6 2.4494897427831780982
static const double radau_c[NODES] = {(4 - SENSITIVITY_ROOT6) / 10, (4 + SENSITIVITY_ROOT6) / 10,
                                      1.0};
static const double radau_a[NODES][NODES] = {
    {(88 - 7 * SENSITIVITY_ROOT6) / 360, (296 - 169 * SENSITIVITY_ROOT6) / 1800,
     (-2 + 3 * SENSITIVITY_ROOT6) / 225},
    {(296 + 169 * SENSITIVITY_ROOT6) / 1800, (88 + 7 * SENSITIVITY_ROOT6) / 360,
     (-2 - 3 * SENSITIVITY_ROOT6) / 225},
    {(16 - SENSITIVITY_ROOT6) / 36, (16 + SENSITIVITY_ROOT6) / 36, 1.0 / 9},
};

// ---------------------------------------------------------------------------
// Differences
// ---------------------------------------------------------------------------

// Of the size of what is moved: the error of the formula is of fourth order in it, that of rounding
// inverse to it.
static const double difference_part = 1e-3;
// Where the formulas of second and fourth order differ by more than this, the functions are too
// curved: the error of the latter is about its square.
static const double difference_agreement = 3e-5;

static const SaltusModeDef *sensitivity_mode(const Sensitivity *z)
{
    return z->bench->active->mode;
}

void sensitivity_place(Sensitivity *z, double t, const double *x, const double *z_guess)
{
    const SaltusModeDef *mode = sensitivity_mode(z);
    z->point.t = t;
    real_copy(z->point.x, x, mode->state_count);
    real_copy(z->point.z, z_guess, mode->algebraic_count);
}

// The largest part of its size, or of the least size that there is, that anything moves by.
static double largest_part(const double *direction, const double *values, const double *nominal,
                           double least, size_t count)
{
    double most = 0.0;
    for (size_t i = 0; direction && i < count; i++) {
        const double size = fmax(fabs(values[i]), nominal ? nominal[i] : least);
        if (direction[i] != 0.0 && size > 0.0 && isfinite(size))
            most = fmax(most, fabs(direction[i]) / size);
    }
    return most;
}

double sensitivity_reach(const Sensitivity *z, const double *x, const SensitivityDirection *d)
{
    const SaltusModeDef *mode = sensitivity_mode(z);
    const double span = z->def.stop_time - z->def.options.start_time;
    double most = largest_part(d->x, x, mode->nominal, 1.0, (size_t)mode->state_count);
    most = fmax(most, largest_part(d->p, z->p, NULL, 0.0, z->counts.parameters));
    most = fmax(most, largest_part(d->m, z->m, NULL, 1e-2, z->counts.memory));
    most = fmax(most, fabs(d->time) / span);
    return most > 0.0 ? difference_part / most : difference_part * 1e-3;
}

static void sensitivity_move(Sensitivity *z, const SensitivityDirection *d, double by)
{
    double *m = model_memory(z->model, z->bench->data.memory).m;
    for (uint32_t i = 0; d->p && i < z->counts.parameters; i++)
        z->bench->data.p[i] = z->p[i] + by * d->p[i];
    for (uint32_t i = 0; d->m && i < z->counts.memory; i++)
        m[i] = z->m[i] + by * d->m[i];
    for (int i = 0; i < sensitivity_mode(z)->state_count; i++)
        z->work.x_moved[i] = z->point.x[i] + (d->x ? by * d->x[i] : 0.0);
}

static int sensitivity_evaluate(Sensitivity *z, SensitivityWhat what, const SensitivityDirection *d,
                                double by, double *out)
{
    Problem *problem = z->bench->active->problem;
    const SaltusModeDef *mode = problem->mode;
    const double t = z->point.t + by * d->time;
    sensitivity_move(z, d, by);
    real_copy(z->work.z_moved, z->point.z, mode->algebraic_count);
    real_copy(problem->z_guess, z->point.z, mode->algebraic_count);
    double *dx = what == SENSITIVITY_FLOW ? out : z->point.dx;
    int code = 0;
    if (mode->state_count > 0 || mode->algebraic_count > 0)
        code = problem_rhs(problem, t, z->work.x_moved, z->work.z_moved, dx);
    if (code == 0 && what == SENSITIVITY_EVENTS)
        code = problem_events(problem, t, z->work.x_moved, z->work.z_moved, out);
    if (code == 0 && what == SENSITIVITY_OUTPUTS)
        code = problem_outputs(problem, t, z->work.x_moved, z->work.z_moved, out);
    return code;
}

double sensitivity_difference(const double values[4], double step, double *error)
{
    const double second = (values[2] - values[1]) / (2 * step);
    const double fourth = (8 * (values[2] - values[1]) - (values[3] - values[0])) / (12 * step);
    *error = fabs(fourth - second);
    return values[0] == values[3] && values[1] == values[2] ? 0.0 : fourth;
}

double sensitivity_doubt(double derivative, double error, double size, double step)
{
    return error / (difference_agreement * fabs(derivative) + 1e-13 * size / step + 1e-300);
}

// Takes those differences that are better than what is there; how far the worst of what is there
// then is from being certain. Values that are not finite anywhere are no matter: there is nothing
// to be differentiated.
static double sensitivity_take(Sensitivity *z, SensitivityWhat what, size_t count, double step,
                               double *out)
{
    double worst = 0.0, *sizes = z->work.sizes[what], *doubts = z->work.values[4];
    for (size_t i = 0; i < count; i++) {
        const double near[] = {z->work.values[0][i], z->work.values[1][i], z->work.values[2][i],
                               z->work.values[3][i]};
        double error;
        const double derivative = sensitivity_difference(near, step, &error);
        sizes[i] = fmax(sizes[i], fmax(fabs(near[0]), fabs(near[3])));
        const double doubt = sensitivity_doubt(derivative, error, sizes[i], step);
        if (doubt < doubts[i] || !isfinite(doubt)) {
            out[i] = derivative;
            doubts[i] = doubt;
        }
        worst = fmax(worst, doubts[i]);
    }
    return worst;
}

bool sensitivity_derive(Sensitivity *z, SensitivityWhat what, const SensitivityDirection *d,
                        size_t count, double *out)
{
    enum { TRIALS = 6 };
    static const double steps[] = {-2, -1, 1, 2};
    double step = sensitivity_reach(z, z->point.x, d), worst = INFINITY;
    bool is_found = false, is_better = true;
    for (size_t i = 0; i < count; i++)
        z->work.values[4][i] = INFINITY;
    for (int trial = 0; trial < TRIALS && worst > 1.0 && is_better; trial++, step /= 8) {
        int code = 0;
        for (int i = 0; i < 4 && code == 0; i++)
            code = sensitivity_evaluate(z, what, d, steps[i] * step, z->work.values[i]);
        if (code != 0)
            continue;
        const double now = sensitivity_take(z, what, count, step, out);
        is_better = now < 0.5 * worst;
        worst = now;
        is_found = true;
    }
    sensitivity_move(z, d, 0.0);
    return is_found;
}

// ---------------------------------------------------------------------------
// Steps
// ---------------------------------------------------------------------------

SensitivityDirection sensitivity_direction(const Sensitivity *z, const SensitivityTrack *track,
                                           uint32_t k)
{
    return (SensitivityDirection){.x = track->s +
                                       (size_t)k * (size_t)sensitivity_mode(z)->state_count,
                                  .m = z->memory + (size_t)k * z->counts.memory,
                                  .p = z->direction + (size_t)k * z->counts.parameters};
}

// A and B at a time of the solver's step: columns one after the other.
static bool sensitivity_coefficients(Sensitivity *z, double t, double *a, double *b)
{
    const size_t n = (size_t)sensitivity_mode(z)->state_count;
    const Solver *solver = z->run->solver;
    if (solver->kind->interpolate(z->run->solver, t, z->point.x, z->point.z) != 0)
        return false;
    z->point.t = t;
    double *unit = z->work.unit;
    memset(unit, 0, n * sizeof *unit);
    for (size_t i = 0; i < n; i++) {
        unit[i] = 1.0;
        if (!sensitivity_derive(z, SENSITIVITY_FLOW, &(SensitivityDirection){.x = unit}, n,
                                a + i * n))
            return false;
        unit[i] = 0.0;
    }
    for (uint32_t k = 0; k < z->def.count; k++) {
        SensitivityDirection d = sensitivity_direction(z, &z->main, k);
        d.x = NULL;
        if (!sensitivity_derive(z, SENSITIVITY_FLOW, &d, n, b + k * n))
            return false;
    }
    return true;
}

// One step of Radau IIA from s to s, in place.
static bool sensitivity_step(Sensitivity *z, double t, double h, double *s)
{
    const int n = sensitivity_mode(z)->state_count, big = NODES * n;
    const size_t square = (size_t)n * (size_t)n, wide = (size_t)n * z->def.count;
    for (int l = 0; l < NODES; l++)
        if (!sensitivity_coefficients(z, t + radau_c[l] * h, z->work.a + (size_t)l * square,
                                      z->work.b + (size_t)l * wide))
            return false;
    for (int l = 0; l < NODES; l++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < NODES; k++)
                for (int i = 0; i < n; i++)
                    z->work.matrix[(l * n + j) * big + k * n + i] =
                        (l == k && i == j) - h * radau_a[k][l] * z->work.a[l * n * n + j * n + i];
    if (dense_factor(big, z->work.matrix, z->work.pivot) != 0)
        return false;
    for (uint32_t q = 0; q < z->def.count; q++) {
        for (int k = 0; k < NODES; k++)
            for (int i = 0; i < n; i++) {
                double sum = 0.0;
                for (int l = 0; l < NODES; l++)
                    sum += radau_a[k][l] * z->work.b[(size_t)l * wide + q * (size_t)n + (size_t)i];
                z->work.right[k * n + i] = s[q * (size_t)n + (size_t)i] + h * sum;
            }
        dense_solve(big, z->work.matrix, z->work.pivot, z->work.right);
        memcpy(s + q * (size_t)n, z->work.right + (size_t)(NODES - 1) * (size_t)n,
               (size_t)n * sizeof *s);
    }
    return true;
}

// S' at a time, where S is s: derivatives in the directions in which the parameters move the run.
static bool sensitivity_rates(Sensitivity *z, double t, double *s, double *to)
{
    const size_t n = (size_t)sensitivity_mode(z)->state_count;
    const SensitivityTrack there = {.s = s};
    if (z->run->solver->kind->interpolate(z->run->solver, t, z->point.x, z->point.z) != 0)
        return false;
    z->point.t = t;
    for (uint32_t k = 0; k < z->def.count; k++) {
        const SensitivityDirection d = sensitivity_direction(z, &there, k);
        if (!sensitivity_derive(z, SENSITIVITY_FLOW, &d, n, to + k * n))
            return false;
    }
    return true;
}

// The tolerances of the run, the absolute one for a change of the parameter by its own size
// (Hindmarsh and Serban, CVODES).
static double sensitivity_measure(const Sensitivity *z, const double *errors, const double *s)
{
    const Problem *problem = z->run->active->problem;
    const size_t n = (size_t)problem->nx;
    double worst = 0.0;
    for (uint32_t q = 0; q < z->def.count; q++) {
        const double value = fabs(z->def.p[z->def.by[q]]), size = value > 0.0 ? value : 1.0;
        for (size_t i = 0; i < n; i++) {
            const double scale =
                problem->relative * fabs(s[q * n + i]) + problem->absolute[i] / size;
            worst = fmax(worst, fabs(errors[q * n + i]) / scale);
        }
    }
    return worst;
}

// A step by the run's own explicit method, from s to `to`; *error: as part of what is allowed.
static bool step_explicitly(Sensitivity *z, const Tableau *method, double t, double h,
                            const double *s, double *to, double *error)
{
    const size_t count = (size_t)sensitivity_mode(z)->state_count * z->def.count;
    double *const *k = z->work.stages, *errors = z->work.right;
    for (int i = 0; i <= method->stages; i++) {
        for (size_t j = 0; j < count; j++) {
            double sum = 0.0;
            for (int l = 0; l < i; l++)
                sum += method->a[i][l] * k[l][j];
            to[j] = s[j] + h * sum;
        }
        if (!sensitivity_rates(z, t + method->c[i] * h, to, k[i]))
            return false;
    }
    for (size_t j = 0; j < count; j++) {
        errors[j] = 0.0;
        for (int l = 0; l <= method->stages; l++)
            errors[j] += h * method->error[l] * k[l][j];
    }
    *error = sensitivity_measure(z, errors, to);
    return true;
}

// One step by Radau IIA against two halves of it.
static bool step_implicitly(Sensitivity *z, double t, double h, const double *s, double *to,
                            double *error)
{
    const size_t count = (size_t)sensitivity_mode(z)->state_count * z->def.count;
    double *one = z->work.stages[0];
    memcpy(one, s, count * sizeof *one);
    memcpy(to, s, count * sizeof *to);
    if (!sensitivity_step(z, t, h, one) || !sensitivity_step(z, t, h / 2, to) ||
        !sensitivity_step(z, t + h / 2, h / 2, to))
        return false;
    for (size_t j = 0; j < count; j++)
        one[j] = (one[j] - to[j]) / 31; // 2^5 - 1
    *error = sensitivity_measure(z, one, to);
    return true;
}

// The last step that is taken whatever its error is, as part of the solver's.
static const double least_part = 1e-6;

void sensitivity_follow(Sensitivity *z, SensitivityTrack *track, double t)
{
    const size_t count = (size_t)sensitivity_mode(z)->state_count * z->def.count;
    const double least = least_part * (t - track->t);
    const bool is_explicit = z->run->solver->kind->tableau != NULL;
    const Tableau *method = tableau_of(SALTUS_SOLVER_DOPRI5);
    while (count > 0 && track->t < t && !z->loss.is_there) {
        const double left = t - track->t;
        const bool is_last = !(track->step > 0.0 && track->step < left);
        const double h = is_last ? left : fmax(track->step, least);
        double error = 0.0;
        if (!(is_explicit ? step_explicitly(z, method, track->t, h, track->s, z->work.next, &error)
                          : step_implicitly(z, track->t, h, track->s, z->work.next, &error))) {
            sensitivity_lose(z, track->t, "the equations cannot be evaluated near the run");
            return;
        }
        const double factor = error > 0.0 ? 0.9 * pow(error, is_explicit ? -0.2 : -1.0 / 6) : 5.0;
        const double next = h * fmin(5.0, fmax(0.2, factor));
        const bool is_cut = is_last && error <= 1.0 && next < track->step;
        track->step = is_cut ? track->step : next;
        if (error > 1.0 && h > least)
            continue;
        memcpy(track->s, z->work.next, count * sizeof *z->work.next);
        track->t = is_last ? t : track->t + h;
    }
    track->t = t;
}

// ---------------------------------------------------------------------------
// Memory
// ---------------------------------------------------------------------------

static double *sensitivity_numbers(Sensitivity *z, size_t count)
{
    return memory_pool_new(&z->mode_pool, count + 1, sizeof(double));
}

static size_t largest(size_t a, size_t b)
{
    return a > b ? a : b;
}

bool sensitivity_prepare(Sensitivity *z)
{
    const SaltusModeDef *mode = sensitivity_mode(z);
    const size_t n = (size_t)mode->state_count, nz = (size_t)mode->algebraic_count,
                 wide = n * z->def.count, big = NODES * n;
    const size_t values =
        largest(n, largest((size_t)mode->event_count, (size_t)mode->output_count));
    memory_pool_free(&z->mode_pool);
    const struct {
        double **at;
        size_t count;
    } vectors[] = {
        {&z->main.s, wide},
        {&z->cursor.s, wide},
        {&z->piece.x_end, n},
        {&z->piece.z_end, nz},
        {&z->piece.x_middle, n},
        {&z->handed.x, n},
        {&z->handed.z, nz},
        {&z->point.x, n},
        {&z->point.z, nz},
        {&z->work.x_moved, n},
        {&z->work.z_moved, nz},
        {&z->point.dx, n},
        {&z->work.unit, n},
        {&z->work.a, NODES * n * n},
        {&z->work.b, NODES * wide},
        {&z->work.matrix, big * big},
        {&z->work.right, big + wide},
        {&z->work.next, wide},
        {&z->work.values[0], values},
        {&z->work.values[1], values},
        {&z->work.values[2], values},
        {&z->work.values[3], values},
        {&z->work.values[4], values},
        {&z->work.sizes[0], values},
        {&z->work.sizes[1], values},
        {&z->work.sizes[2], values},
    };
    bool is_fine = true;
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        is_fine &= (*vectors[i].at = sensitivity_numbers(z, vectors[i].count)) != NULL;
    for (size_t i = 0; i < sizeof z->work.stages / sizeof *z->work.stages; i++)
        is_fine &= (z->work.stages[i] = sensitivity_numbers(z, wide)) != NULL;
    z->work.pivot = memory_pool_new(&z->mode_pool, big + 1, sizeof(int));
    z->main.step = z->cursor.step = 0.0;
    return is_fine && z->work.pivot;
}
