// SPDX-License-Identifier: MIT

#include "solvers/jacobian.h"

#include "base/memory.h"
#include "numerics/colouring.h"
#include "numerics/dense.h"
#include "numerics/sparse.h"
#include <float.h>
#include <math.h>
#include <string.h>

// ---------------------------------------------------------------------------
// Create and destroy
// ---------------------------------------------------------------------------

// The mode's sparsity without the rows and columns before `first`.
static bool jacobian_copy_sparsity(Jacobian *j)
{
    const SaltusAllocator *a = j->problem->allocator;
    const SaltusSparsity *s = j->problem->mode->hints.sparsity;
    const int most = s->column_start[j->problem->n];
    j->given_start = MEMORY_NEW(a, j->n + 1, int);
    j->given_rows = MEMORY_NEW(a, most, int);
    j->place = MEMORY_NEW(a, most, int);
    j->source = MEMORY_NEW(a, most, int);
    if (!j->given_start || !j->given_rows || !j->place || !j->source)
        return false;
    int count = 0;
    for (int c = 0; c < j->n; c++) {
        for (int k = s->column_start[j->first + c]; k < s->column_start[j->first + c + 1]; k++) {
            if (s->rows[k] < j->first)
                continue;
            j->given_rows[count] = s->rows[k] - j->first;
            j->source[count++] = k;
        }
        j->given_start[c + 1] = count;
    }
    j->is_sparse = true;
    return true;
}

// Does column c of the mode's sparsity lack its diagonal element, though alpha I needs it?
static bool lacks_diagonal(const Jacobian *j, int c)
{
    if (j->is_algebraic || j->problem->form == PROBLEM_IMPLICIT || c >= j->problem->nx)
        return false;
    for (int k = j->given_start[c]; k < j->given_start[c + 1]; k++) {
        if (j->given_rows[k] == c)
            return false;
    }
    return true;
}

// Sparse storage, sparsity given: its entries and the diagonal.
static bool extend_pattern(Jacobian *j)
{
    j->value_count = j->given_start[j->n];
    for (int c = 0; c < j->n; c++)
        j->value_count += lacks_diagonal(j, c);
    j->rows = MEMORY_NEW(j->problem->allocator, j->value_count, int);
    if (!j->rows)
        return false;
    int count = 0;
    for (int c = 0; c < j->n; c++) {
        bool is_missing = lacks_diagonal(j, c);
        for (int k = j->given_start[c]; k < j->given_start[c + 1]; k++) {
            if (is_missing && j->given_rows[k] > c) {
                j->rows[count++] = c;
                is_missing = false;
            }
            j->place[k] = count;
            j->rows[count++] = j->given_rows[k];
        }
        if (is_missing)
            j->rows[count++] = c;
        j->column_start[c + 1] = count;
    }
    return true;
}

// Sparse storage without a sparsity: everything, in the order of dense storage.
static bool fill_pattern(Jacobian *j)
{
    const int n = j->n;
    j->value_count = n * n;
    j->rows = MEMORY_NEW(j->problem->allocator, j->value_count, int);
    if (!j->rows)
        return false;
    for (int k = 0; k < n * n; k++)
        j->rows[k] = k % n;
    for (int c = 0; c <= n; c++)
        j->column_start[c] = c * n;
    return true;
}

static bool create_sparse_storage(Jacobian *j)
{
    const SaltusAllocator *a = j->problem->allocator;
    j->column_start = MEMORY_NEW(a, j->n + 1, int);
    j->diagonal = MEMORY_NEW(a, j->n, int);
    if (!j->column_start || !j->diagonal || !(j->is_sparse ? extend_pattern(j) : fill_pattern(j)))
        return false;
    for (int c = 0; c < j->n; c++) {
        for (int k = j->column_start[c]; k < j->column_start[c + 1]; k++) {
            if (j->rows[k] == c)
                j->diagonal[c] = k;
        }
    }
    return true;
}

static bool create_storage(Jacobian *j)
{
    if (j->problem->mode->hints.sparsity && !jacobian_copy_sparsity(j))
        return false;
    if (j->storage == JACOBIAN_SPARSE)
        return create_sparse_storage(j);
    j->value_count = j->n * j->n;
    for (int c = 0; j->is_sparse && c < j->n; c++) {
        for (int k = j->given_start[c]; k < j->given_start[c + 1]; k++)
            j->place[k] = c * j->n + j->given_rows[k];
    }
    return true;
}

// Columns of one colour form a group; without a sparsity every column is one.
static bool create_groups(Jacobian *j)
{
    const SaltusAllocator *a = j->problem->allocator;
    const int n = j->n;
    int *colour = MEMORY_NEW(a, n, int);
    j->group = MEMORY_NEW(a, n, int);
    j->group_start = MEMORY_NEW(a, n + 1, int);
    bool is_complete = colour && j->group && j->group_start;
    if (is_complete && j->is_sparse) {
        SaltusSparsity given = {.column_start = j->given_start, .rows = j->given_rows};
        j->group_count = colouring_columns(n, &given, a, colour);
        is_complete = j->group_count >= 0;
    } else if (is_complete) {
        j->group_count = n;
        for (int c = 0; c < n; c++)
            colour[c] = c;
    }
    if (is_complete) {
        for (int c = 0; c < n; c++)
            j->group_start[colour[c] + 1]++;
        for (int g = 0; g < j->group_count; g++)
            j->group_start[g + 1] += j->group_start[g];
        for (int c = n - 1; c >= 0; c--)
            j->group[--j->group_start[colour[c] + 1]] = c;
        // The starts have moved down by one group's length: up one place they are right again.
        for (int g = 0; g < j->group_count; g++)
            j->group_start[g] = j->group_start[g + 1];
        j->group_start[j->group_count] = n;
    }
    memory_free(a, colour);
    return is_complete;
}

static bool mode_gives_it(const Problem *problem)
{
    return problem->form == PROBLEM_IMPLICIT ? problem->mode->hints.implicit_jacobian != NULL
                                             : problem->mode->hints.jacobian != NULL;
}

// Room for what the mode's callback writes, where that is not our order.
static bool create_given(Jacobian *j)
{
    const SaltusSparsity *s = j->problem->mode->hints.sparsity;
    const size_t n = (size_t)j->problem->n;
    if (!s && !j->is_algebraic)
        return true;
    const size_t count = s ? (size_t)s->column_start[n] : n * n;
    j->given = MEMORY_NEW(j->problem->allocator, count, double);
    return j->given != NULL;
}

static Jacobian *solvers_jacobian_create(Problem *problem, JacobianStorage storage, bool algebraic)
{
    const SaltusAllocator *a = problem->allocator;
    Jacobian *j = MEMORY_NEW(a, 1, Jacobian);
    if (!j)
        return NULL;
    j->problem = problem;
    j->storage = storage;
    j->is_algebraic = algebraic;
    j->first = algebraic ? problem->nx : 0;
    j->n = problem->n - j->first;
    j->work = MEMORY_NEW(a, 5 * problem->n, double);
    bool is_complete = j->work && create_storage(j);
    if (is_complete)
        is_complete = mode_gives_it(problem) ? create_given(j) : create_groups(j);
    if (!is_complete) {
        jacobian_destroy(j);
        return NULL;
    }
    return j;
}

Jacobian *jacobian_create(Problem *problem, JacobianStorage storage)
{
    const SaltusAllocator *a = problem->allocator;
    Jacobian *j = solvers_jacobian_create(problem, storage, false);
    if (!j || storage == JACOBIAN_SPARSE || problem->form != PROBLEM_SEMI_EXPLICIT)
        return j;
    size_t n = (size_t)problem->n, nz = (size_t)problem->nz;
    j->full = MEMORY_NEW(a, n * n, double);
    j->gz = MEMORY_NEW(a, nz * nz, double);
    j->pivot = MEMORY_NEW(a, nz, int);
    if (j->full && j->gz && j->pivot)
        return j;
    jacobian_destroy(j);
    return NULL;
}

// Whether dg/dz is better stored sparse.
static bool algebraic_sparse(const Problem *problem)
{
    const SaltusSparsity *s = problem->mode->hints.sparsity;
    if (!s)
        return false;
    int entries = 0;
    for (int k = s->column_start[problem->nx]; k < s->column_start[problem->n]; k++)
        entries += s->rows[k] >= problem->nx;
    return sparse_pays(problem->nz, entries);
}

Jacobian *jacobian_create_algebraic(Problem *problem)
{
    return solvers_jacobian_create(
        problem, algebraic_sparse(problem) ? JACOBIAN_SPARSE : JACOBIAN_DENSE, true);
}

void jacobian_destroy(Jacobian *jacobian)
{
    if (!jacobian)
        return;
    const SaltusAllocator *a = jacobian->problem->allocator;
    memory_free(a, jacobian->column_start);
    memory_free(a, jacobian->rows);
    memory_free(a, jacobian->given_start);
    memory_free(a, jacobian->given_rows);
    memory_free(a, jacobian->place);
    memory_free(a, jacobian->source);
    memory_free(a, jacobian->given);
    memory_free(a, jacobian->diagonal);
    memory_free(a, jacobian->group_start);
    memory_free(a, jacobian->group);
    memory_free(a, jacobian->work);
    memory_free(a, jacobian->full);
    memory_free(a, jacobian->gz);
    memory_free(a, jacobian->pivot);
    memory_free(a, jacobian);
}

// ---------------------------------------------------------------------------
// The mode's own Jacobian
// ---------------------------------------------------------------------------

static const char *jacobian_variable_name(const Problem *problem, int index)
{
    return index < problem->nx ? problem->mode->state_names[index]
                               : problem->mode->algebraic_names[index - problem->nx];
}

static int jacobian_column_of(const Jacobian *j, int k)
{
    if (j->storage == JACOBIAN_DENSE)
        return k / j->n;
    int column = 0;
    while (j->column_start[column + 1] <= k)
        column++;
    return column;
}

// Brings what the callback returned with `code` to our order and checks it.
static int accept_given(Jacobian *j, int code, double t, double *values)
{
    Problem *problem = j->problem;
    if (code != 0)
        return problem_fail(problem, code, SALTUS_ERROR_EVALUATION, "the Jacobian", NULL, t);
    if (j->given && j->is_sparse) {
        memset(values, 0, (size_t)j->value_count * sizeof *values);
        for (int k = 0; k < j->given_start[j->n]; k++)
            values[j->place[k]] = j->given[j->source[k]];
    } else if (j->given) {
        const double *block = j->given + j->first * problem->n + j->first;
        for (int c = 0; c < j->n; c++)
            memcpy(values + c * j->n, block + c * problem->n, (size_t)j->n * sizeof *values);
    }
    for (int k = 0; k < j->value_count; k++) {
        if (!isfinite(values[k]))
            return problem_fail(
                problem, 1, SALTUS_ERROR_EVALUATION, "the Jacobian",
                jacobian_variable_name(problem, j->first + jacobian_column_of(j, k)), t);
    }
    return 0;
}

// ---------------------------------------------------------------------------
// Differences
// ---------------------------------------------------------------------------

// Where, and what is differentiated: (f, g) or g at y, or F at y and x' + alpha * (the
// increments of x).
typedef struct JacobianPoint {
    double t;
    const double *x, *z;
    const double *dx; // NULL unless F
    double alpha;
    double *y;         // all unknowns of the problem, moved and restored
    double *value;     // n: the equations at y
    double *near;      // n: the equations at the moved y
    double *increment; // n
    double *dx_near;   // nx
} JacobianPoint;

static JacobianPoint point_at(Jacobian *j, double t, const double *x, const double *z)
{
    int nx = j->problem->nx, n = j->problem->n;
    JacobianPoint p = {.t = t, .x = x, .z = z, .y = j->work};
    p.value = p.y + n;
    p.near = p.value + n;
    p.increment = p.near + n;
    p.dx_near = p.increment + n;
    memcpy(p.y, x, (size_t)nx * sizeof *x);
    if (n > nx)
        memcpy(p.y + nx, z, (size_t)(n - nx) * sizeof *z);
    return p;
}

static int evaluate_at(Jacobian *j, const JacobianPoint *p, const double *dx, double *out)
{
    Problem *problem = j->problem;
    const int nx = problem->nx;
    const double *z = problem->n > nx ? p->y + nx : p->z;
    int code;
    if (j->is_algebraic)
        code = problem_constraints(problem, p->t, p->y, z, out);
    else if (dx)
        code = problem_residual(problem, p->t, p->y, z, dx, out);
    else
        code = problem_full(problem, p->t, p->y, z, out, out + nx);
    if (code != 0)
        return code;
    return problem_check(problem, out, j->n, j->first, "a difference of the equations", p->t);
}

// The size of a variable: of its value or, where that is nearly zero, of what it changes by in
// the coming step, but at least what its tolerances make no difference below, and at most its
// nominal value. (With a nominal value alone, a variable that is always far smaller gets
// increments in which the equations bend; without any, a variable that passes zero gets one that
// drowns in rounding.)
static double jacobian_variable_size(const Problem *problem, int v, double y, double change)
{
    double size = problem->mode->nominal[v];
    if (change != 0.0) {
        const double least = problem->absolute[v] / problem->relative;
        size = fmin(size, fmax(fabs(change), least));
    }
    return fmax(size, fabs(y));
}

// Increments are sqrt(eps) times the size, away from zero, or where the solution goes: that side
// is most likely defined.
static void choose_increments(const Jacobian *j, const JacobianPoint *p, const double *rate,
                              double span)
{
    for (int i = 0; i < j->n; i++) {
        const int v = j->first + i;
        const double change = v < j->problem->nx ? span * rate[i] : 0.0;
        const double size = jacobian_variable_size(j->problem, v, p->y[v], change);
        const double side = p->y[v] != 0.0 ? p->y[v] : change;
        p->increment[i] = copysign(sqrt(DBL_EPSILON) * size, side);
    }
}

// Evaluates with a group of columns moved by their increments, which become exact, and
// restores y.
static int evaluate_moved(Jacobian *j, const JacobianPoint *p, int group)
{
    const int nx = j->problem->nx;
    if (p->dx)
        memcpy(p->dx_near, p->dx, (size_t)nx * sizeof *p->dx);
    for (int k = j->group_start[group]; k < j->group_start[group + 1]; k++) {
        int c = j->group[k], v = j->first + c;
        const double moved = p->y[v] + p->increment[c];
        p->increment[c] = moved - p->y[v];
        p->y[v] = moved;
        if (p->dx && v < nx)
            p->dx_near[v] += p->alpha * p->increment[c];
    }
    const int code = evaluate_at(j, p, p->dx ? p->dx_near : NULL, p->near);
    for (int k = j->group_start[group]; k < j->group_start[group + 1]; k++) {
        const int v = j->first + j->group[k];
        p->y[v] = v < nx ? p->x[v] : p->z[v - nx];
    }
    return code;
}

// On a recoverable failure the other side is tried.
static int difference_group(Jacobian *j, const JacobianPoint *p, int group)
{
    const int code = evaluate_moved(j, p, group);
    if (code <= 0)
        return code;
    for (int k = j->group_start[group]; k < j->group_start[group + 1]; k++)
        p->increment[j->group[k]] *= -1.0;
    return evaluate_moved(j, p, group);
}

static void store_column(const Jacobian *j, const JacobianPoint *p, int c, double *values)
{
    const double increment = p->increment[c];
    if (j->is_sparse) {
        for (int k = j->given_start[c]; k < j->given_start[c + 1]; k++) {
            const int row = j->given_rows[k];
            values[j->place[k]] = (p->near[row] - p->value[row]) / increment;
        }
    } else {
        double *column = values + (size_t)c * (size_t)j->n;
        for (int row = 0; row < j->n; row++)
            column[row] = (p->near[row] - p->value[row]) / increment;
    }
}

// rate: x' at the point, of which the increments follow.
static int jacobian_difference(Jacobian *j, const JacobianPoint *p, const double *rate, double span,
                               double *values)
{
    choose_increments(j, p, rate, span);
    if (j->is_sparse)
        memset(values, 0, (size_t)j->value_count * sizeof *values);
    for (int group = 0; group < j->group_count; group++) {
        const int code = difference_group(j, p, group);
        if (code != 0)
            return code;
        for (int k = j->group_start[group]; k < j->group_start[group + 1]; k++)
            store_column(j, p, j->group[k], values);
    }
    return 0;
}

// ---------------------------------------------------------------------------
// Evaluations
// ---------------------------------------------------------------------------

// p->value: the caller's if known, else evaluated.
static int jacobian_value_at(Jacobian *j, JacobianPoint *p, const double *known)
{
    if (!known)
        return evaluate_at(j, p, p->dx, p->value);
    memcpy(p->value, known, (size_t)j->n * sizeof *known);
    return 0;
}

static int solvers_jacobian_evaluate(Jacobian *j, double t, const double *x, const double *z,
                                     const double *known, double span, double *values)
{
    Problem *problem = j->problem;
    problem->statistics->jacobians++;
    if (problem->mode->hints.jacobian) {
        double *out = j->given ? j->given : values;
        const int code = problem->mode->hints.jacobian(problem->context, t, x, z, out);
        return accept_given(j, code, t, values);
    }
    JacobianPoint p = point_at(j, t, x, z);
    const int code = jacobian_value_at(j, &p, known);
    return code != 0 ? code : jacobian_difference(j, &p, p.value, span, values);
}

int jacobian_evaluate(Jacobian *jacobian, double t, const double *x, const double *z,
                      const double *fg, double span, double *values)
{
    return solvers_jacobian_evaluate(jacobian, t, x, z, fg, span, values);
}

int jacobian_algebraic(Jacobian *jacobian, double t, const double *x, const double *z,
                       const double *g, double *values)
{
    return solvers_jacobian_evaluate(jacobian, t, x, z, g, 0.0, values);
}

// Second order from t, t + d1, t + d2 with d2 = 2 d1:
//   f_t = ((f1 - f0) d2/d1 - (f2 - f0) d1/d2) / (d2 - d1).
// d1 is a thousandth of the step: the error, f_ttt d1 d2 / 6, then stays below that of any
// method of order 5 until both vanish in rounding. An f that does not change at all after d1
// does not depend on t, which saves the second evaluation.
int jacobian_time(Jacobian *jacobian, double t, const double *x, const double *z, const double *fg,
                  double span, double *derivative)
{
    const int n = jacobian->n;
    const double delta = copysign(fmax(1e-3 * fabs(span), 64.0 * DBL_EPSILON * fabs(t)), span);
    double d1 = (t + delta) - t, d2 = (t + 2.0 * delta) - t;
    JacobianPoint p = point_at(jacobian, t, x, z);
    int code = jacobian_value_at(jacobian, &p, fg);
    p.t = t + delta;
    if (code == 0)
        code = evaluate_at(jacobian, &p, NULL, p.near);
    if (code != 0)
        return code;
    bool has_changes = false;
    for (int i = 0; i < n; i++) {
        derivative[i] = (p.near[i] - p.value[i]) * (d2 / d1);
        has_changes = has_changes || derivative[i] != 0.0;
    }
    if (!has_changes)
        return 0;
    p.t = t + 2.0 * delta;
    code = evaluate_at(jacobian, &p, NULL, p.near);
    for (int i = 0; i < n && code == 0; i++)
        derivative[i] = (derivative[i] - (p.near[i] - p.value[i]) * (d1 / d2)) / (d2 - d1);
    return code;
}

static int jacobian_evaluate_residual(Jacobian *j, double t, const double *x, const double *z,
                                      const double *dx, double alpha, double span, double *values)
{
    Problem *problem = j->problem;
    problem->statistics->jacobians++;
    if (problem->mode->hints.implicit_jacobian) {
        double *out = j->given ? j->given : values;
        const int code =
            problem->mode->hints.implicit_jacobian(problem->context, t, x, z, dx, alpha, out);
        return accept_given(j, code, t, values);
    }
    JacobianPoint p = point_at(j, t, x, z);
    p.dx = dx;
    p.alpha = alpha;
    const int code = jacobian_value_at(j, &p, NULL);
    return code != 0 ? code : jacobian_difference(j, &p, dx, span, values);
}

// F = (x' - f, g):  dF/dy + alpha dF/dx' = (alpha I - f_x, -f_z; g_x, g_z)
int jacobian_implicit(Jacobian *jacobian, double t, const double *x, const double *z,
                      const double *dx, double alpha, double span, double *values)
{
    if (jacobian->problem->form == PROBLEM_IMPLICIT)
        return jacobian_evaluate_residual(jacobian, t, x, z, dx, alpha, span, values);
    const int code = jacobian_evaluate(jacobian, t, x, z, NULL, span, values);
    if (code != 0)
        return code;
    int n = jacobian->n, nx = jacobian->problem->nx;
    if (jacobian->storage == JACOBIAN_DENSE) {
        for (int c = 0; c < n; c++) {
            for (int row = 0; row < nx; row++)
                values[c * n + row] *= -1.0;
        }
        for (int c = 0; c < nx; c++)
            values[c * n + c] += alpha;
        return 0;
    }
    for (int k = 0; k < jacobian->value_count; k++) {
        if (jacobian->rows[k] < nx)
            values[k] *= -1.0;
    }
    for (int c = 0; c < nx; c++)
        values[jacobian->diagonal[c]] += alpha;
    return 0;
}

// With full = (f_x, f_z; g_x, g_z): df/dx = f_x - f_z (g_z^-1 g_x).
int jacobian_reduced(Jacobian *jacobian, double t, const double *x, const double *z, double span,
                     double *values)
{
    Problem *problem = jacobian->problem;
    if (problem->form != PROBLEM_SEMI_EXPLICIT)
        return jacobian_evaluate(jacobian, t, x, z, NULL, span, values);
    int n = jacobian->n, nx = problem->nx, nz = problem->nz;
    double *full = jacobian->full;
    const int code = jacobian_evaluate(jacobian, t, x, z, NULL, span, full);
    if (code != 0)
        return code;
    double *gz = jacobian->gz;
    for (int c = 0; c < nz; c++)
        memcpy(gz + c * nz, full + (nx + c) * n + nx, (size_t)nz * sizeof *gz);
    problem->statistics->factorizations++;
    const int singular = dense_factor(nz, gz, jacobian->pivot);
    if (singular)
        return problem_fail(problem, 1, SALTUS_ERROR_SINGULAR, "dg/dz",
                            jacobian_variable_name(problem, nx + singular - 1), t);
    for (int c = 0; c < nx; c++) {
        double *fx = full + c * n, *gx = fx + nx, *out = values + c * nx;
        dense_solve(nz, gz, jacobian->pivot, gx);
        memcpy(out, fx, (size_t)nx * sizeof *out);
        for (int k = 0; k < nz; k++) {
            const double *fz = full + (nx + k) * n;
            for (int row = 0; row < nx; row++)
                out[row] -= fz[row] * gx[k];
        }
    }
    return 0;
}
