// SPDX-License-Identifier: MIT
//
// Runs of the models in models/examples/, for tests that compare them with what is known.
//
// Bounds: a run with relative tolerance r has errors of about r times the size of the solution per
// unit of its time scale; we allow 100 r, where nothing else is said.

#ifndef SALTUS_TESTS_MODEL_EXAMPLE_H
#define SALTUS_TESTS_MODEL_EXAMPLE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/trial.h"

#include <math.h>

#define EXAMPLE_TOLERANCE 1e-9
#define EXAMPLE_BOUND 1e-7

static const double example_pi = 3.14159265358979323846;

// Name.mo, its model Name, with EXAMPLE_TOLERANCE. Fails the test if it does not reach the end.
Trial *example_run(const char *name, double stop_time);
// The same for a run that ends with another status.
Trial *example_run_to(const char *name, double stop_time, SaltusStatus expected);
// The same for a model in a file of models/modes/; NULL: its last one.
Trial *example_run_mode(const char *file, const char *model, double stop_time);
// The time of the event from which on the variable has another value: the n-th one from 0.
double example_change(const Trial *trial, const char *variable, int n);

#define ASSERT_NEAR(actual, expected, error)                                                       \
    do {                                                                                           \
        const double a_ = (actual), e_ = (expected);                                               \
        if (!(fabs(a_ - e_) <= (error)))                                                           \
            fail_msg("%s = %.17g, not %.17g", #actual, a_, e_);                                    \
    } while (0)

// The last value of a variable.
#define ASSERT_LAST(trial, name, expected, error)                                                  \
    do {                                                                                           \
        const double a_ = trial_value(trial, name), e_ = (expected);                               \
        if (!(fabs(a_ - e_) <= (error)))                                                           \
            fail_msg("%s = %.17g, not %.17g", name, a_, e_);                                       \
    } while (0)

#endif
