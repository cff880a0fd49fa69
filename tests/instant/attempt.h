// SPDX-License-Identifier: MIT
//
// A model as text and its runs with any solver, for tests in which a refusal is an outcome like any
// other. Only the public interface is used.

#ifndef SALTUS_TESTS_INSTANT_ATTEMPT_H
#define SALTUS_TESTS_INSTANT_ATTEMPT_H

#include "instant/chance.h"
#include "saltus/saltus.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct Attempt Attempt;

typedef struct AttemptDef {
    SaltusSolver solver;
    double stop_time;
    double tolerance; // relative; the absolute one is the same
    double interval;  // of rows, besides those at events; 0: none
    double step;      // of fixed-step solvers
    double max_step;  // of others; 0: unlimited
} AttemptDef;

// A model with errors is an attempt whose runs fail.
Attempt *attempt_begin(const char *text);
void attempt_end(Attempt *attempt);

// Runs from the start; true if the stop time is reached. Runs that need more than 100,000 events
// or 2,000,000 steps fail.
bool attempt_run(Attempt *attempt, const AttemptDef *def);
// Why it was not; of errors in the text, their messages.
const char *attempt_message(const Attempt *attempt);
// The same, with the solver, as the reason of a refusal.
void attempt_explain(const Attempt *attempt, char *text, size_t size);
// "solver: " before what stands there: the reason of a wrong value.
void attempt_blame(const Attempt *attempt, char *text, size_t size);

double attempt_time(const Attempt *attempt);
long attempt_rows(const Attempt *attempt);
SaltusRow attempt_row(const Attempt *attempt, long row);
// The value of a variable in a row; NAN: there is no such variable.
double attempt_value(const Attempt *attempt, const char *name, long row);
double attempt_last(const Attempt *attempt, const char *name);
long attempt_events(const Attempt *attempt);
double attempt_event_time(const Attempt *attempt, long event);

// The solvers that must agree on every model: those that choose their steps.
enum { ATTEMPT_SOLVERS = 7 };
extern const SaltusSolver attempt_solvers[ATTEMPT_SOLVERS];

// What comes of a text with each of these solvers, up to the first with which it is not right: the
// judge compares a run that has reached its stop time with what is expected.
typedef Outcome (*AttemptJudge)(const void *expected, const Attempt *attempt, char *reason);
Outcome attempt_by_all(const char *text, AttemptDef def, AttemptJudge judge, const void *expected,
                       char reason[REASON_SIZE]);

#endif
