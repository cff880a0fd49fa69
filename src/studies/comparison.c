// SPDX-License-Identifier: MIT
//
// Comparisons of methods: see comparison.h.

#include "studies/comparison.h"

#include "base/message.h"

#include <math.h>
#include <stdlib.h>

static bool take_events(const SaltusRun *run, ComparisonRun *c)
{
    const long count = saltus_run_event_count(run);
    c->events = calloc((size_t)count + 1, sizeof *c->events);
    for (long i = 0; c->events && i < count; i++)
        c->events[i] = saltus_run_event(run, i).t;
    return c->events != NULL;
}

static bool take_end(const Study *study, const SaltusRun *run, ComparisonRun *c)
{
    c->end_count = model_output_count(study_model(study));
    c->end = calloc(c->end_count + 1, sizeof *c->end);
    if (c->end && saltus_run_outputs(run, c->end) != 0)
        c->end_count = 0;
    return c->end != NULL;
}

static bool take_observed(const Study *study, const StudyRunner *runner, ComparisonRun *c)
{
    const Observations *o = study_observations(study);
    size_t count = 0;
    for (size_t i = 0; i < observations_count(o); i++)
        count += study_result(runner, i).count;
    c->observed = calloc(count + 1, sizeof *c->observed);
    for (size_t i = 0; c->observed && i < observations_count(o); i++) {
        const ObserveResult r = study_result(runner, i);
        for (size_t k = 0; k < r.count; k++)
            c->observed[c->observed_count++] = r.values[k];
    }
    return c->observed != NULL;
}

bool comparison_run(Study *study, StudyRunner *runner, const ParameterValue *values, uint32_t count,
                    const SaltusOptions *options, double stop_time, int repetitions,
                    ComparisonRun *c)
{
    StudyOutcome outcome = {0};
    SaltusOptions o = *options;
    o.method = c->method;
    study_set_options(study, &o, stop_time);
    *c = (ComparisonRun){.method = c->method, .seconds = INFINITY};
    study_set_observing(runner, false);
    for (int i = 0; i < repetitions && outcome.status != SALTUS_INTERRUPTED; i++) {
        study_run(runner, values, count, &outcome);
        c->seconds = fmin(c->seconds, outcome.seconds);
    }
    study_set_observing(runner, true);
    if (outcome.status != SALTUS_INTERRUPTED)
        study_run(runner, values, count, &outcome);
    c->status = outcome.status;
    c->end_time = outcome.end_time;
    c->statistics = outcome.statistics;
    c->solver = outcome.solver;
    if (outcome.status != SALTUS_OK)
        message_set(&c->message, "%s", outcome.message);
    if (!outcome.run)
        return true;
    return take_events(outcome.run, c) && sequence_take(runner, &c->sequence) &&
           (outcome.status < 0 || !outcome.is_observed ||
            (take_end(study, outcome.run, c) && take_observed(study, runner, c)));
}

void comparison_free(ComparisonRun *c)
{
    free(c->message);
    free(c->events);
    free(c->end);
    free(c->observed);
    sequence_free(&c->sequence);
}

size_t comparison_common(const ComparisonRun *run, const ComparisonRun *reference)
{
    return sequence_difference(&run->sequence, &reference->sequence);
}

double comparison_event_deviation(const ComparisonRun *run, const ComparisonRun *reference)
{
    const size_t count = comparison_common(run, reference);
    double most = 0.0;
    for (size_t i = 0; i < count; i++)
        most = fmax(most, fabs(run->events[i] - reference->events[i]));
    return most;
}

double comparison_end_deviation(const ComparisonRun *run, const ComparisonRun *reference,
                                double floor, size_t *variable)
{
    double most = NAN;
    *variable = SIZE_MAX;
    for (size_t i = 0; run->end && reference->end && i < run->end_count; i++) {
        const double own = run->end[i], other = reference->end[i];
        const double size = fmax(fabs(other), floor), apart = fabs(own - other) / size;
        const bool is_same = own == other || (isnan(own) && isnan(other));
        const double deviation = is_same ? 0.0 : isnan(apart) ? INFINITY : apart;
        if (isnan(most) || deviation > most) {
            most = deviation;
            *variable = i;
        }
    }
    return most;
}
