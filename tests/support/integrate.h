// SPDX-License-Identifier: MIT
//
// Drives a solver over one mode without events, for the tests of the solvers. A call that
// should work and does not fails the running test.

#ifndef SALTUS_TESTS_SUPPORT_INTEGRATE_H
#define SALTUS_TESTS_SUPPORT_INTEGRATE_H

#include "base/memory.h"
#include "solvers/problem.h"
#include "solvers/solver.h"

typedef struct Integration {
    SaltusModeDef mode; // copied, with names and nominal values filled in
    SaltusContext context;
    SaltusStatistics statistics;
    SaltusAllocator allocator;
    MemoryPool pool;
    SaltusSystem *system; // of the mode
    Problem *problem;
    Solver *solver;
} Integration;

// Makes problem and solver (`method.solver`, auto resolved) and resets it to the mode's start
// values at t; algebraic start values are guesses. `it` must not move afterwards. Returns the
// status of the reset.
int integration_begin(Integration *it, const SaltusModeDef *mode, const SaltusMethod *method,
                      double t);
// The same with parameters.
int integration_begin_with(Integration *it, const SaltusModeDef *mode, const SaltusMethod *method,
                           double t, const double *parameters);

// A system of this mode alone, and its copy of it, with names and nominal values filled in.
SaltusSystem *integration_system(const SaltusModeDef *mode, SaltusModeDef *copy);

// One step, not beyond t_limit, as the executor does it. Returns the solver's status.
int integration_step(Integration *it, double t_limit);

// Steps to t_end; 0 or the first status that is not.
int integration_run(Integration *it, double t_end);

void integration_end(Integration *it);

// Counts what an integration asks of its allocator, and refuses it once `allowed` is used up.
typedef struct IntegrationRation {
    SaltusAllocator real;
    long calls, allowed;
} IntegrationRation;
// From here on, with nothing allowed; the ration must not move.
void integration_ration(Integration *it, IntegrationRation *ration);
void integration_ration_end(Integration *it, const IntegrationRation *ration);

// All of it: from the mode's start values at t to t_end. x: the states at the end, then the
// algebraic variables; may be NULL.
SaltusStatistics integrate(const SaltusModeDef *mode, const SaltusMethod *method, double t,
                           double t_end, double *x);

// A default method with this solver, these tolerances, this step.
SaltusMethod method_of(SaltusSolver solver, double relative, double absolute, double step);
// A method that makes steps of exactly this length, whatever the error.
SaltusMethod method_of_steps(SaltusSolver solver, double step);

// For solvers of two states: the dense output over the last step, from end to end.
enum { INTEGRATION_SAMPLES = 7 };
void integration_sample(Solver *solver, double samples[INTEGRATION_SAMPLES][2]);
// What a solver of the same kind that starts at (t_old, x_old) makes of one step to t.
void integration_fresh_step(const SaltusModeDef *mode, const Solver *solver, double t, double x[2]);

#endif
