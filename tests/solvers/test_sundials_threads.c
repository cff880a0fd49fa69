// SPDX-License-Identifier: MIT
//
// Many SUNDIALS solvers in many threads: they share nothing, and each result is the same bits.

#include "support/heat.h"
#include "support/integrate.h"
#include "support/stiff.h"
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { CASES = 4, THREADS = 4, STATES = 49 };

typedef struct Work {
    const SaltusModeDef *modes[CASES];
    double results[CASES][STATES];
} Work;

static const SaltusSolver solvers[CASES] = {SALTUS_SOLVER_CVODE, SALTUS_SOLVER_IDA,
                                            SALTUS_SOLVER_ADAMS, SALTUS_SOLVER_CVODE};
static const double ends[CASES] = {2.0, 0.02, 5.0, 1.0};

static void *integrate_all(void *user)
{
    Work *work = user;
    for (int i = 0; i < CASES; i++) {
        SaltusMethod method = method_of(solvers[i], 1e-5, 1e-7, 0.0);
        integrate(work->modes[i], &method, 0.0, ends[i], work->results[i]);
    }
    return NULL;
}

static void threads(void **state)
{
    (void)state;
    StiffProblem hires = stiff_hires(), amplifier = stiff_amplifier();
    Heat heat;
    heat_create(&heat, 7, HEAT_ODE, true);
    pthread_t ids[THREADS];
    Work work[THREADS + 1];
    memset(work, 0, sizeof work);
    for (int i = 0; i <= THREADS; i++) {
        work[i].modes[0] = &hires.mode;
        work[i].modes[1] = &amplifier.mode;
        work[i].modes[2] = &hires.mode;
        work[i].modes[3] = &heat.mode;
    }
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&ids[i], NULL, integrate_all, &work[i]), 0);
    integrate_all(&work[THREADS]);
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(ids[i], NULL), 0);
        assert_memory_equal(work[i].results, work[THREADS].results, sizeof work[i].results);
    }
    assert_true(work[0].results[0][0] != 0.0);
    heat_destroy(&heat);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(threads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
