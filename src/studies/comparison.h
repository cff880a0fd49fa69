// SPDX-License-Identifier: MIT
//
// One model by several methods: what each run found, against a reference run.

#ifndef SALTUS_STUDIES_COMPARISON_H
#define SALTUS_STUDIES_COMPARISON_H

#include "studies/sequence.h"

typedef struct ComparisonRun {
    SaltusMethod method; // given
    SaltusStatus status;
    char *message;            // why it failed or stopped; NULL: it did not, or there is no memory
    double end_time, seconds; // the shortest of all repetitions
    SaltusStatistics statistics;
    SaltusSolver solver; // what auto chose
    double *events;      // times
    Sequence sequence;   // what happened
    double *end;         // all variables; NULL: the run failed
    size_t end_count;
    double *observed; // all values of all observations
    size_t observed_count;
} ComparisonRun;

// Runs by run->method, `repetitions` times. False: out of memory.
bool comparison_run(Study *study, StudyRunner *runner, const ParameterValue *values, uint32_t count,
                    const SaltusOptions *options, double stop_time, int repetitions,
                    ComparisonRun *run);
void comparison_free(ComparisonRun *run);

// How many events, from the beginning, are the same in both.
size_t comparison_common(const ComparisonRun *run, const ComparisonRun *reference);
// The largest deviation of the time of these; 0 if there are none.
double comparison_event_deviation(const ComparisonRun *run, const ComparisonRun *reference);
// The largest deviation of an end value, relative to what the reference has, but at least to
// `floor`; NaN if one of the runs failed. *variable: whose.
double comparison_end_deviation(const ComparisonRun *run, const ComparisonRun *reference,
                                double floor, size_t *variable);

#endif
