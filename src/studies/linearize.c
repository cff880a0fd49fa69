// SPDX-License-Identifier: MIT
//
// In the form F(t, x, z, x', u) = 0 the linear system follows from one factorization,
//
//   M (dx', dz) = -(F_x dx + F_u du),   M = [F_x' F_z]
//   dy = y_x dx + y_z dz + y_u du
//
// and where the algebraic variables are solved for inside, from the derivatives of f and y alone.

#include "studies/linearize.h"

#include "base/error.h"
#include "base/memory.h"
#include "hybrid/run.h"
#include "numerics/dense.h"
#include "studies/ridders.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// What is moved: the blocks of variables in this order.
typedef enum LinearizeBlock { BLOCK_X, BLOCK_Z, BLOCK_DX, BLOCK_U, BLOCK_COUNT } LinearizeBlock;

// What is handed out, and its memory.
typedef struct Linearization {
    SaltusLinearization result; // first: what is handed out is the store
    int n;                      // states
    const char *mode_name, **state_names, **input_names, **output_names;
    double *x, *dx, *u, *y, *a, *b, *c, *d;
    int input_count, output_count;
    double error;
    SaltusEigenvalue *eigenvalues;
    MemoryPool pool;
    SaltusAllocator allocator;
} Linearization;

typedef struct Linearizer {
    const SaltusLinearizeDef *def;
    SaltusRun *run; // a copy
    Problem *problem;
    Linearization *l;
    int nz, equations; // equations: n, or n + nz with residuals
    bool has_residual;
    double *x, *z, *dx, *y; // the point, moved and moved back; outputs of the mode
    double *p;              // parameters of the point
    LinearizeBlock block;   // what is being moved
    int index;
    double *columns[BLOCK_COUNT]; // derivatives, (equations + outputs) each
    SaltusError *error;
} Linearizer;

static bool linearize_fail(Linearizer *z, SaltusStatus status, const char *message)
{
    saltus_error_clear(z->error);
    error_set(z->error, status, "%s", message);
    z->error->time = z->run ? z->run->t : NAN;
    return false;
}

// ---------------------------------------------------------------------------
// Evaluation
// ---------------------------------------------------------------------------

static int width(const Linearizer *z)
{
    return z->equations + z->l->output_count;
}

// The equations and the chosen outputs at the present values.
static int linearize_evaluate(Linearizer *z, double *out)
{
    Problem *q = z->problem;
    const double t = z->run->t;
    const int code = z->has_residual ? problem_residual(q, t, z->x, z->z, z->dx, out)
                                     : problem_rhs(q, t, z->x, z->z, out);
    if (code != 0)
        return code;
    if (z->l->output_count && problem_outputs(q, t, z->x, z->z, z->y) != 0)
        return 1;
    for (int i = 0; i < z->l->output_count; i++)
        out[z->equations + i] = z->y[z->def->outputs[i]];
    return 0;
}

// Sets the variable that is being moved to its value at the point plus `by`; returns by how much
// it really moved.
static double linearize_move(Linearizer *z, double from, double by)
{
    double *const vectors[] = {[BLOCK_X] = z->x, [BLOCK_Z] = z->z, [BLOCK_DX] = z->dx};
    if (z->block != BLOCK_U) {
        vectors[z->block][z->index] = from + by;
        return (from + by) - from;
    }
    const SaltusLinearInput *input = &z->def->inputs[z->index];
    if (!input->direction) {
        z->run->data.u[input->index] = from + by;
        return (from + by) - from;
    }
    for (int i = 0; i < z->run->def->parameter_count; i++)
        z->run->data.p[i] = z->p[i] + by * input->direction[i];
    return by;
}

static int moved(void *user, double from, double by, double *out, double *step)
{
    Linearizer *z = user;
    *step = linearize_move(z, from, by);
    const int code = linearize_evaluate(z, out);
    linearize_move(z, from, 0.0);
    return code;
}

static double linearize_value_of(const Linearizer *z)
{
    const SaltusLinearInput *input = z->block == BLOCK_U ? &z->def->inputs[z->index] : NULL;
    if (input)
        return input->direction ? input->value : z->run->data.u[input->index];
    return z->block == BLOCK_X   ? z->x[z->index]
           : z->block == BLOCK_Z ? z->z[z->index]
                                 : z->dx[z->index];
}

static double linearize_size_of(const Linearizer *z)
{
    const double *nominal = z->problem->mode->nominal;
    const double value = fabs(linearize_value_of(z));
    if (z->block == BLOCK_U)
        return fmax(value, z->def->inputs[z->index].direction ? 1e-3 : 1.0);
    const int place = z->block == BLOCK_Z ? z->l->n + z->index : z->index;
    const double typical = nominal && z->block != BLOCK_DX ? nominal[place] : 1.0;
    return fmax(value, typical);
}

// ---------------------------------------------------------------------------
// Derivatives
// ---------------------------------------------------------------------------

static bool linearize_derive_block(Linearizer *z, Ridders *ridders, LinearizeBlock block, int count)
{
    z->block = block;
    z->columns[block] =
        memory_pool_new(&z->l->pool, (size_t)count * (size_t)width(z) + 1, sizeof(double));
    if (!z->columns[block])
        return linearize_fail(z, SALTUS_ERROR_MEMORY, "out of memory");
    for (z->index = 0; z->index < count; z->index++) {
        double *column = z->columns[block] + (size_t)z->index * (size_t)width(z);
        double error;
        if (!ridders_derive(ridders, moved, z, linearize_value_of(z), 0.01 * linearize_size_of(z),
                            column, &error)) {
            linearize_fail(z, SALTUS_ERROR_EVALUATION,
                           "the equations cannot be evaluated near the point");
            return false;
        }
        z->l->error = fmax(z->l->error, error);
    }
    return true;
}

static bool linearize_derive(Linearizer *z)
{
    const int counts[] = {[BLOCK_X] = z->l->n,
                          [BLOCK_Z] = z->has_residual ? z->nz : 0,
                          [BLOCK_DX] = z->has_residual ? z->l->n : 0,
                          [BLOCK_U] = z->l->input_count};
    Ridders *ridders = ridders_create(width(z));
    bool is_fine = ridders || linearize_fail(z, SALTUS_ERROR_MEMORY, "out of memory");
    for (int block = 0; block < BLOCK_COUNT && is_fine; block++)
        is_fine = linearize_derive_block(z, ridders, (LinearizeBlock)block, counts[block]);
    ridders_destroy(ridders);
    return is_fine;
}

// ---------------------------------------------------------------------------
// The matrices
// ---------------------------------------------------------------------------

// Column j of (A; C) or (B; D) from the derivatives of f and y.
static void linearize_store(const Linearizer *z, double *upper, double *lower, int columns, int j,
                            const double *rates, const double *outputs)
{
    for (int i = 0; i < z->l->n; i++)
        upper[i * columns + j] = rates[i];
    for (int i = 0; i < z->l->output_count; i++)
        lower[i * columns + j] = outputs[i];
}

// With residuals: solves for (x', z), and adds what z does to the outputs.
static bool linearize_eliminate(Linearizer *z, LinearizeBlock block, int count, double *upper,
                                double *lower)
{
    const int n = z->l->n, big = z->equations, w = width(z);
    double *m = memory_pool_new(&z->l->pool, (size_t)big * (size_t)big + 1, sizeof(double));
    int *pivot = memory_pool_new(&z->l->pool, (size_t)big + 1, sizeof(int));
    if (!m || !pivot)
        return linearize_fail(z, SALTUS_ERROR_MEMORY, "out of memory");
    for (int j = 0; j < big; j++) {
        const double *column =
            j < n ? z->columns[BLOCK_DX] + j * w : z->columns[BLOCK_Z] + (j - n) * w;
        memcpy(m + (size_t)j * (size_t)big, column, (size_t)big * sizeof(double));
    }
    if (dense_factor(big, m, pivot) != 0)
        return linearize_fail(z, SALTUS_ERROR_SINGULAR,
                              "the equations do not determine x' and the algebraic variables");
    for (int j = 0; j < count; j++) {
        double *column = z->columns[block] + j * w;
        for (int i = 0; i < big; i++)
            column[i] = -column[i];
        dense_solve(big, m, pivot, column);
        for (int k = 0; k < z->nz; k++)
            for (int i = 0; i < z->l->output_count; i++)
                column[big + i] += z->columns[BLOCK_Z][k * w + big + i] * column[n + k];
        linearize_store(z, upper, lower, count, j, column, column + big);
    }
    return true;
}

static bool fill_matrices(Linearizer *z)
{
    Linearization *l = z->l;
    if (z->has_residual)
        return linearize_eliminate(z, BLOCK_X, l->n, l->a, l->c) &&
               linearize_eliminate(z, BLOCK_U, l->input_count, l->b, l->d);
    for (int j = 0; j < l->n; j++)
        linearize_store(z, l->a, l->c, l->n, j, z->columns[BLOCK_X] + j * width(z),
                        z->columns[BLOCK_X] + j * width(z) + z->equations);
    for (int j = 0; j < l->input_count; j++)
        linearize_store(z, l->b, l->d, l->input_count, j, z->columns[BLOCK_U] + j * width(z),
                        z->columns[BLOCK_U] + j * width(z) + z->equations);
    return true;
}

// ---------------------------------------------------------------------------
// The point
// ---------------------------------------------------------------------------

static double *numbers(Linearizer *z, int count)
{
    return memory_pool_new(&z->l->pool, (size_t)count + 1, sizeof(double));
}

static bool linearize_allocate(Linearizer *z, const SaltusModeDef *mode)
{
    Linearization *l = z->l;
    const int n = l->n, m = l->input_count, k = l->output_count;
    double **const vectors[] = {&l->x, &l->dx, &l->u, &l->y,  &l->a, &l->b, &l->c,
                                &l->d, &z->x,  &z->z, &z->dx, &z->y, &z->p};
    const int counts[] = {n,
                          n,
                          m,
                          k,
                          n * n,
                          n * m,
                          k * n,
                          k * m,
                          n,
                          z->nz,
                          n,
                          mode->output_count,
                          z->run->def->parameter_count};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        if (!(*vectors[i] = numbers(z, counts[i])))
            return linearize_fail(z, SALTUS_ERROR_MEMORY, "out of memory");
    l->state_names = memory_pool_new(&l->pool, (size_t)n + 1, sizeof(char *));
    l->input_names = memory_pool_new(&l->pool, (size_t)m + 1, sizeof(char *));
    l->output_names = memory_pool_new(&l->pool, (size_t)k + 1, sizeof(char *));
    l->eigenvalues = memory_pool_new(&l->pool, (size_t)n + 1, sizeof(SaltusEigenvalue));
    if (!l->state_names || !l->input_names || !l->output_names || !l->eigenvalues)
        return linearize_fail(z, SALTUS_ERROR_MEMORY, "out of memory");
    return true;
}

// "x3" for what has no name.
static const char *linearize_name_of(Linearizer *z, const char *const *names, char letter, int i)
{
    char text[16];
    if (names)
        return memory_pool_text(&z->l->pool, names[i]);
    snprintf(text, sizeof text, "%c%d", letter, i);
    return memory_pool_text(&z->l->pool, text);
}

// x' of a mode given by its residual: Newton on (x', z). The equations are linear in x' nearly
// always, so one step is enough nearly always.
static bool linearize_find_rates(Linearizer *z)
{
    enum { ITERATIONS = 20 };
    const int n = z->l->n, big = z->equations;
    const double *nominal = z->problem->mode->nominal;
    double *residual = numbers(z, width(z)), *m = numbers(z, big * big);
    int *pivot = memory_pool_new(&z->l->pool, (size_t)big + 1, sizeof(int));
    if (!residual || !m || !pivot)
        return linearize_fail(z, SALTUS_ERROR_MEMORY, "out of memory");
    for (int iteration = 0; iteration < ITERATIONS; iteration++) {
        Ridders *ridders = ridders_create(width(z));
        const bool is_fine = ridders && linearize_evaluate(z, residual) == 0 &&
                             linearize_derive_block(z, ridders, BLOCK_DX, n) &&
                             linearize_derive_block(z, ridders, BLOCK_Z, z->nz);
        ridders_destroy(ridders);
        if (!is_fine)
            return linearize_fail(z, SALTUS_ERROR_EVALUATION, "the equations cannot be evaluated");
        for (int j = 0; j < big; j++)
            memcpy(m + (size_t)j * (size_t)big,
                   j < n ? z->columns[BLOCK_DX] + j * width(z)
                         : z->columns[BLOCK_Z] + (j - n) * width(z),
                   (size_t)big * sizeof(double));
        if (dense_factor(big, m, pivot) != 0)
            return linearize_fail(z, SALTUS_ERROR_SINGULAR, "the equations do not determine x'");
        dense_solve(big, m, pivot, residual);
        double change = 0.0;
        for (int i = 0; i < big; i++) {
            double *v = i < n ? &z->dx[i] : &z->z[i - n];
            *v -= residual[i];
            const double typical = nominal ? nominal[i] : 1.0;
            change = fmax(change, fabs(residual[i]) / (typical + fabs(*v)));
        }
        if (change < 1e-10)
            return true;
    }
    return linearize_fail(z, SALTUS_ERROR_NEWTON, "x' could not be found");
}

static bool has_names(Linearizer *z)
{
    const Linearization *l = z->l;
    bool is_complete = l->mode_name != NULL;
    for (int i = 0; i < l->n; i++)
        is_complete &= l->state_names[i] != NULL;
    for (int i = 0; i < l->input_count; i++)
        is_complete &= l->input_names[i] != NULL;
    for (int i = 0; i < l->output_count; i++)
        is_complete &= l->output_names[i] != NULL;
    return is_complete || linearize_fail(z, SALTUS_ERROR_MEMORY, "out of memory");
}

static bool take_point(Linearizer *z, const SaltusModeDef *mode)
{
    Linearization *l = z->l;
    const size_t size = sizeof(double);
    memcpy(z->x, z->run->x, (size_t)l->n * size);
    memcpy(z->z, z->run->z, (size_t)z->nz * size);
    memcpy(z->p, z->run->data.p, (size_t)z->run->def->parameter_count * size);
    if (z->problem->form == PROBLEM_IMPLICIT) {
        if (!linearize_find_rates(z))
            return false;
    } else if (problem_rhs(z->problem, z->run->t, z->x, z->z, z->dx) != 0) {
        return linearize_fail(z, SALTUS_ERROR_EVALUATION,
                              "the equations cannot be evaluated at the point");
    }
    if (l->output_count && problem_outputs(z->problem, z->run->t, z->x, z->z, z->y) != 0)
        return linearize_fail(z, SALTUS_ERROR_EVALUATION,
                              "the outputs cannot be evaluated at the point");
    memcpy(l->x, z->x, (size_t)l->n * size);
    memcpy(l->dx, z->dx, (size_t)l->n * size);
    for (int i = 0; i < l->n; i++)
        l->state_names[i] = linearize_name_of(z, mode->state_names, 'x', i);
    for (int i = 0; i < l->input_count; i++) {
        const SaltusLinearInput *input = &z->def->inputs[i];
        l->u[i] = input->direction ? input->value : z->run->data.u[input->index];
        l->input_names[i] = memory_pool_text(&l->pool, input->name);
    }
    for (int i = 0; i < l->output_count; i++) {
        l->y[i] = z->y[z->def->outputs[i]];
        l->output_names[i] = linearize_name_of(z, mode->output_names, 'y', z->def->outputs[i]);
    }
    return has_names(z);
}

static bool studies_linearize_linearize(Linearizer *z)
{
    const RunInstance *active = z->run->active;
    const SaltusModeDef *mode = active->mode;
    Linearization *l = z->l;
    z->problem = active->problem;
    z->has_residual = z->problem->form != PROBLEM_ODE;
    l->mode_name = memory_pool_text(&l->pool, mode->name ? mode->name : "");
    l->n = z->problem->nx;
    l->input_count = z->def->input_count;
    l->output_count = z->def->output_count;
    z->nz = z->problem->nz;
    z->equations = z->has_residual ? l->n + z->nz : l->n;
    if (!linearize_allocate(z, mode) || !take_point(z, mode) || !linearize_derive(z) ||
        !fill_matrices(z))
        return false;
    if (!linearize_eigenvalues(l->n, l->a, l->eigenvalues))
        return linearize_fail(z, SALTUS_ERROR_EVALUATION, "the eigenvalues could not be computed");
    l->result = (SaltusLinearization){.t = z->run->t,
                                      .mode = active->index,
                                      .mode_name = l->mode_name,
                                      .state_count = l->n,
                                      .input_count = l->input_count,
                                      .output_count = l->output_count,
                                      .state_names = l->state_names,
                                      .input_names = l->input_names,
                                      .output_names = l->output_names,
                                      .x = l->x,
                                      .dx = l->dx,
                                      .u = l->u,
                                      .y = l->y,
                                      .a = l->a,
                                      .b = l->b,
                                      .c = l->c,
                                      .d = l->d,
                                      .error = l->error,
                                      .eigenvalues = l->eigenvalues};
    return true;
}

// Whether the numbers in the definition exist.
static bool linearize_check(Linearizer *z, const SaltusModeDef *mode)
{
    const SaltusLinearizeDef *d = z->def;
    for (int i = 0; i < d->input_count; i++)
        if (!d->inputs[i].direction &&
            (d->inputs[i].index < 0 || d->inputs[i].index >= z->run->def->input_count))
            return linearize_fail(z, SALTUS_ERROR_ARGUMENT, "there is no such input");
    for (int i = 0; i < d->output_count; i++)
        if (d->outputs[i] < 0 || d->outputs[i] >= mode->output_count)
            return linearize_fail(z, SALTUS_ERROR_ARGUMENT, "the mode has no such output");
    return true;
}

SaltusStatus saltus_linearize(const SaltusRun *run, const SaltusLinearizeDef *def,
                              SaltusLinearization **linearization, SaltusError *error)
{
    static const SaltusLinearizeDef nothing = {0};
    SaltusError own = {0};
    Linearizer z = {.def = def ? def : &nothing, .error = &own};
    if (!run || !linearization)
        return error_set(error, SALTUS_ERROR_ARGUMENT, "no run, or no place for its linearization");
    *linearization = NULL;
    SaltusStatus status = saltus_run_copy(run, &z.run, &own);
    if (status < 0) {
        error_pass(error, &own);
        return status;
    }
    const SaltusAllocator *a = system_allocator(z.run->system); // it outlives the run
    z.l = MEMORY_NEW(a, 1, Linearization);
    bool is_fine = z.l || linearize_fail(&z, SALTUS_ERROR_MEMORY, "out of memory");
    if (is_fine) {
        z.l->allocator = *a;
        z.l->pool.allocator = &z.l->allocator;
        is_fine = linearize_check(&z, z.run->active->mode) && studies_linearize_linearize(&z);
    }
    if (is_fine) {
        saltus_error_clear(&own);
        *linearization = &z.l->result;
    } else if (z.l) {
        saltus_linearization_destroy(&z.l->result);
    }
    saltus_run_destroy(z.run);
    status = own.status;
    error_pass(error, &own);
    return status;
}

void saltus_linearization_destroy(SaltusLinearization *linearization)
{
    if (!linearization)
        return;
    Linearization *l = (Linearization *)(void *)linearization;
    const SaltusAllocator a = l->allocator;
    memory_pool_free(&l->pool);
    memory_free(&a, l);
}
