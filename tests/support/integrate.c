// SPDX-License-Identifier: MIT

#include "support/integrate.h"

#include "hybrid/system.h"
// cmocka.h needs these first.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

// The last accepted algebraic variables, where a joint evaluation starts.
static void note_accepted(Integration *it)
{
    if (it->problem->nz > 0)
        memcpy(it->problem->z_guess, it->solver->z, (size_t)it->problem->nz * sizeof(double));
}

static int reset_to_start(Integration *it, double t)
{
    int nx = it->problem->nx, nz = it->problem->nz;
    double *start = MEMORY_POOL_NEW(&it->pool, nx + nz, double);
    assert_non_null(start);
    if (it->mode.start)
        memcpy(start, it->mode.start, (size_t)(nx + nz) * sizeof *start);
    double *z = start + nx;
    if (nz > 0)
        memcpy(it->problem->z_guess, z, (size_t)nz * sizeof *z);
    assert_int_equal(problem_algebraics(it->problem, t, start, z), 0);
    int status = it->solver->kind->reset(it->solver, t, start, z, NULL, 0.0);
    if (status == 0)
        note_accepted(it);
    return status;
}

SaltusSystem *integration_system(const SaltusModeDef *mode, SaltusModeDef *copy)
{
    SaltusSystemDef def = saltus_default_system();
    def.mode_count = 1;
    def.modes = mode;
    SaltusSystem *system;
    SaltusError error = {.status = SALTUS_OK};
    if (saltus_system_create(&def, &system, &error) != SALTUS_OK)
        fail_msg("%s", error.message);
    *copy = *system_find_mode(system, 0, &error);
    return system;
}

int integration_begin_with(Integration *it, const SaltusModeDef *mode, const SaltusMethod *method,
                           double t, const double *parameters)
{
    *it = (Integration){.allocator = memory_default()};
    it->pool.allocator = &it->allocator;
    it->system = integration_system(mode, &it->mode);
    it->context.p = parameters;
    it->context.data = it->mode.data;
    it->problem = problem_create(&it->mode, &it->context, method, &it->statistics, &it->allocator);
    assert_non_null(it->problem);
    const SolverKind *kind = solver_kind(solver_choose(it->problem, method));
    assert_non_null(kind);
    it->solver = kind->create(it->problem, method);
    assert_non_null(it->solver);
    return reset_to_start(it, t);
}

int integration_begin(Integration *it, const SaltusModeDef *mode, const SaltusMethod *method,
                      double t)
{
    return integration_begin_with(it, mode, method, t, NULL);
}

int integration_step(Integration *it, double t_limit)
{
    int status = it->solver->kind->step(it->solver, t_limit);
    if (status == 0)
        note_accepted(it);
    return status;
}

int integration_run(Integration *it, double t_end)
{
    int status = 0;
    while (status == 0 && it->solver->t < t_end)
        status = integration_step(it, t_end);
    return status;
}

void integration_end(Integration *it)
{
    if (it->solver)
        it->solver->kind->destroy(it->solver);
    problem_destroy(it->problem);
    memory_pool_free(&it->pool);
    saltus_system_destroy(it->system);
}

static void *ration_reallocate(void *user, void *block, size_t size)
{
    IntegrationRation *ration = user;
    ration->calls++;
    if (size == 0 || ration->allowed-- > 0)
        return ration->real.reallocate(ration->real.user, block, size);
    return NULL;
}

void integration_ration(Integration *it, IntegrationRation *ration)
{
    *ration = (IntegrationRation){.real = it->allocator};
    it->allocator = (SaltusAllocator){.reallocate = ration_reallocate, .user = ration};
}

void integration_ration_end(Integration *it, const IntegrationRation *ration)
{
    it->allocator = ration->real;
}

SaltusStatistics integrate(const SaltusModeDef *mode, const SaltusMethod *method, double t,
                           double t_end, double *x)
{
    Integration it;
    assert_int_equal(integration_begin(&it, mode, method, t), 0);
    assert_int_equal(integration_run(&it, t_end), 0);
    assert_true(it.solver->t == t_end);
    if (x) {
        memcpy(x, it.solver->x, (size_t)it.problem->nx * sizeof *x);
        memcpy(x + it.problem->nx, it.solver->z, (size_t)it.problem->nz * sizeof *x);
    }
    SaltusStatistics statistics = it.statistics;
    integration_end(&it);
    return statistics;
}

SaltusMethod method_of(SaltusSolver solver, double relative, double absolute, double step)
{
    SaltusMethod method = saltus_default_method();
    method.solver = solver;
    method.relative_tolerance = relative;
    method.absolute_tolerance = absolute;
    method.step = step;
    return method;
}

SaltusMethod method_of_steps(SaltusSolver solver, double step)
{
    SaltusMethod method = method_of(solver, 1e10, 1e10, step);
    method.max_step = step;
    return method;
}

void integration_sample(Solver *solver, double samples[INTEGRATION_SAMPLES][2])
{
    for (int i = 0; i < INTEGRATION_SAMPLES; i++) {
        const double part = i / (INTEGRATION_SAMPLES - 1.0);
        const double t = solver->t_old + part * (solver->t - solver->t_old);
        assert_int_equal(solver->kind->interpolate(solver, t, samples[i], NULL), 0);
    }
}

void integration_fresh_step(const SaltusModeDef *mode, const Solver *solver, double t, double x[2])
{
    const SaltusMethod method = method_of_steps(solver->kind->id, 1.0);
    SaltusModeDef from_there = *mode;
    from_there.start = solver->x_old;
    Integration it;
    assert_int_equal(integration_begin(&it, &from_there, &method, solver->t_old), 0);
    assert_int_equal(integration_step(&it, t), 0);
    assert_true(it.solver->t == t);
    memcpy(x, it.solver->x, 2 * sizeof *x);
    integration_end(&it);
}
