// SPDX-License-Identifier: MIT
//
// The SUNDIALS solvers allocate nothing while they step and restart. Creation allocates, and with
// KLU the first factorization.
//
// The C library's functions are replaced by counting ones, which sanitizers do not allow.

#include "support/heat.h"
#include "support/integrate.h"
#include "support/stiff.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/sanitized.h"

#if defined(__GLIBC__) && !IS_SANITIZED
#define COUNTING 1
#else
#define COUNTING 0
#endif

static volatile long allocations; // compilers know malloc, and that it changes nothing

#if COUNTING
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);

void *malloc(size_t size)
{
    allocations++;
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    allocations++;
    return __libc_calloc(count, size);
}

void *realloc(void *block, size_t size)
{
    allocations++;
    return __libc_realloc(block, size);
}
#endif

// Integrates with restarts; nothing is allocated after the first `quiet_after`.
static void check(const SaltusModeDef *mode, SaltusSolver solver, double end, SaltusLocate locate)
{
    SaltusMethod method = method_of(solver, 1e-5, 1e-5, 0.0);
    method.locate = locate;
    Integration it;
    assert_int_equal(integration_begin(&it, mode, &method, 0.0), 0);
    assert_int_equal(integration_run(&it, 1e-2 * end), 0);
    size_t nx = (size_t)it.problem->nx, nz = (size_t)it.problem->nz;
    double *x = calloc(nx + nz + 1, sizeof *x), *z = x + nx;
    long before = allocations, steps = it.statistics.steps;
    for (int i = 2; i <= 10; i++) {
        assert_int_equal(integration_run(&it, 1e-2 * i * end), 0);
        memcpy(x, it.solver->x, nx * sizeof *x);
        memcpy(z, it.solver->z, nz * sizeof *z);
        double inside = 0.5 * (it.solver->t_old + it.solver->t);
        assert_int_equal(it.solver->kind->interpolate(it.solver, inside, x, z), 0);
        memcpy(x, it.solver->x, nx * sizeof *x);
        memcpy(z, it.solver->z, nz * sizeof *z);
        assert_int_equal(it.solver->kind->reset(it.solver, it.solver->t, x, z, NULL, 0.0), 0);
    }
    assert_int_equal(allocations - before, 0);
    assert_true(it.statistics.steps > steps + 10);
    free(x);
    integration_end(&it);
}

static void the_counter_counts(void **state)
{
    (void)state;
#if !COUNTING
    skip();
#endif
    long before = allocations;
    void *volatile block = malloc(16);
    free(block);
    assert_int_equal(allocations - before, 1);
}

static void dense(void **state)
{
    (void)state;
    StiffProblem ode = stiff_oregonator(), dae = stiff_amplifier_semi_explicit();
    StiffProblem implicit = stiff_amplifier();
    check(&ode.mode, SALTUS_SOLVER_CVODE, ode.end, SALTUS_LOCATE_BRENT);
    check(&ode.mode, SALTUS_SOLVER_IDA, ode.end, SALTUS_LOCATE_BRENT);
    check(&dae.mode, SALTUS_SOLVER_CVODE, dae.end, SALTUS_LOCATE_BRENT);
    check(&dae.mode, SALTUS_SOLVER_IDA, dae.end, SALTUS_LOCATE_BRENT);
    check(&implicit.mode, SALTUS_SOLVER_IDA, implicit.end, SALTUS_LOCATE_BRENT);
}

static void sparse(void **state)
{
    (void)state;
    Heat heat;
    heat_create(&heat, 8, HEAT_ODE, true);
    check(&heat.mode, SALTUS_SOLVER_CVODE, 10.0, SALTUS_LOCATE_BRENT);
    check(&heat.mode, SALTUS_SOLVER_IDA, 10.0, SALTUS_LOCATE_BRENT);
    heat_destroy(&heat);
    heat_create(&heat, 8, HEAT_IMPLICIT, true);
    check(&heat.mode, SALTUS_SOLVER_IDA, 10.0, SALTUS_LOCATE_BRENT);
    heat_destroy(&heat);
}

static int sine_rhs(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    (void)c, (void)x, (void)z;
    for (int i = 0; i < 12; i++)
        dx[i] = cos((i + 1) * t);
    return 0;
}

static int sine_events(const SaltusContext *c, double t, const double *x, const double *z,
                       double *h)
{
    (void)c, (void)t, (void)z;
    h[0] = x[0];
    h[1] = x[2] - 0.1;
    return 0;
}

// With roots; adams with fixed-point iteration among them.
static void roots(void **state)
{
    (void)state;
    static const SaltusEventDef events[2] = {{.name = "zero"}, {.name = "tenth"}};
    SaltusModeDef mode = saltus_default_mode();
    mode.name = "sines";
    mode.state_count = 12;
    mode.rhs = sine_rhs;
    mode.event_count = 2;
    mode.events = events;
    mode.event_functions = sine_events;
    check(&mode, SALTUS_SOLVER_CVODE, 100.0, SALTUS_LOCATE_SUNDIALS);
    check(&mode, SALTUS_SOLVER_ADAMS, 100.0, SALTUS_LOCATE_SUNDIALS);
    check(&mode, SALTUS_SOLVER_IDA, 100.0, SALTUS_LOCATE_SUNDIALS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_counter_counts),
        cmocka_unit_test(dense),
        cmocka_unit_test(sparse),
        cmocka_unit_test(roots),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
