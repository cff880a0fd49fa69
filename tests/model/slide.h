// SPDX-License-Identifier: MIT
//
// Runs of models that slide, for tests that compare them with closed forms.

#ifndef SALTUS_TESTS_MODEL_SLIDE_H
#define SALTUS_TESTS_MODEL_SLIDE_H

#include "model/trial.h"

#include <math.h>

#define ASSERT_NEAR(actual, expected, error)                                                       \
    do {                                                                                           \
        const double a_ = (actual), e_ = (expected);                                               \
        if (!(fabs(a_ - e_) <= (error)))                                                           \
            fail_msg("%s = %.17g, not %.17g", #actual, a_, e_);                                    \
    } while (0)

// Solvers that keep a tolerance make errors of about a hundred times it over these runs.
static const double slide_tolerance = 1e-10, slide_bound = 1e-7;

enum { SLIDE_SOLVERS = 7 };
extern const SaltusSolver slide_solvers[SLIDE_SOLVERS];

void slide_by(Trial *t, SaltusSolver solver);
// Fails the test if the run does not get there.
void slide_to(Trial *t, double stop_time);
// A model of models/modes/Sliding.mo.
Trial *slide_model(const char *model, SaltusSolver solver, double stop_time);
Trial *slide_text(const char *text, double stop_time);

double slide_event_time(const Trial *t, long index);
long slide_events(const Trial *t);
// Name of the mode that the event leads to.
const char *slide_mode(const Trial *t, long index);
// The zero of f in [a, b].
double slide_zero(double (*f)(double), double a, double b);

#endif
