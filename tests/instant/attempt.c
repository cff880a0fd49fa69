// SPDX-License-Identifier: MIT

#include "instant/attempt.h"

#include "base/error.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

const SaltusSolver attempt_solvers[ATTEMPT_SOLVERS] = {
    SALTUS_SOLVER_DOPRI5, SALTUS_SOLVER_DOP853, SALTUS_SOLVER_RODAS, SALTUS_SOLVER_CVODE,
    SALTUS_SOLVER_ADAMS,  SALTUS_SOLVER_IDA,    SALTUS_SOLVER_EXACT,
};

struct Attempt {
    SaltusModel *model;
    SaltusSystem *system;
    SaltusRun *run;
    bool is_model;
    SaltusSolver solver; // of the last run
    SaltusError error;
};

Attempt *attempt_begin(const char *text)
{
    Attempt *a = calloc(1, sizeof *a);
    assert_non_null(a);
    SaltusModelDef def = saltus_default_model();
    def.text = text;
    a->is_model = saltus_model_create(&def, &a->model) == SALTUS_OK;
    assert_non_null(a->model);
    if (a->is_model)
        a->is_model = saltus_model_system(a->model, NULL, 0, &a->system, &a->error) == SALTUS_OK;
    return a;
}

void attempt_end(Attempt *a)
{
    saltus_run_destroy(a->run);
    saltus_system_destroy(a->system);
    saltus_model_destroy(a->model);
    saltus_error_clear(&a->error);
    free(a);
}

bool attempt_run(Attempt *a, const AttemptDef *def)
{
    if (!a->is_model)
        return false;
    saltus_run_destroy(a->run);
    a->run = NULL;
    a->solver = def->solver;
    SaltusOptions o = saltus_default_options();
    o.method.solver = def->solver;
    o.method.relative_tolerance = def->tolerance;
    o.method.absolute_tolerance = def->tolerance;
    o.method.step = def->step;
    o.method.max_step = def->max_step;
    o.record = SALTUS_RECORD_EVENTS | (def->interval > 0.0 ? SALTUS_RECORD_INTERVALS : 0u);
    o.output_interval = def->interval;
    o.max_steps = 2000000;
    o.max_events = 100000;
    saltus_error_clear(&a->error);
    if (saltus_run_create(a->system, &o, &a->run, &a->error) != SALTUS_OK)
        return false;
    const SaltusStatus status = saltus_run_advance(a->run, def->stop_time);
    saltus_error_clear(&a->error);
    error_copy(&a->error, saltus_run_error(a->run));
    return status == SALTUS_OK;
}

const char *attempt_message(const Attempt *a)
{
    return a->error.memory ? a->error.message : a->is_model ? "" : saltus_model_messages(a->model);
}

void attempt_explain(const Attempt *a, char *text, size_t size)
{
    snprintf(text, size, "%s: %s", saltus_solver_name(a->solver), attempt_message(a));
}

void attempt_blame(const Attempt *a, char *text, size_t size)
{
    char held[256];
    snprintf(held, sizeof held, "%s", text);
    snprintf(text, size, "%s: %s", saltus_solver_name(a->solver), held);
}

Outcome attempt_by_all(const char *text, AttemptDef def, AttemptJudge judge, const void *expected,
                       char reason[REASON_SIZE])
{
    Attempt *a = attempt_begin(text);
    Outcome outcome = OUTCOME_RIGHT;
    for (int k = 0; k < ATTEMPT_SOLVERS && outcome == OUTCOME_RIGHT; k++) {
        def.solver = attempt_solvers[k];
        outcome = OUTCOME_REFUSED;
        if (attempt_run(a, &def))
            outcome = judge(expected, a, reason);
        else
            snprintf(reason, REASON_SIZE, "%.180s", attempt_message(a));
        if (outcome != OUTCOME_RIGHT)
            attempt_blame(a, reason, REASON_SIZE);
    }
    attempt_end(a);
    return outcome;
}

double attempt_time(const Attempt *a)
{
    return a->run ? saltus_run_time(a->run) : NAN;
}

long attempt_rows(const Attempt *a)
{
    return a->run ? saltus_run_row_count(a->run) : 0;
}

SaltusRow attempt_row(const Attempt *a, long row)
{
    return saltus_run_row(a->run, row);
}

double attempt_value(const Attempt *a, const char *name, long row)
{
    const int index = saltus_model_find_variable(a->model, name);
    return index < 0 ? NAN : saltus_run_row(a->run, row).y[index];
}

double attempt_last(const Attempt *a, const char *name)
{
    return attempt_value(a, name, attempt_rows(a) - 1);
}

long attempt_events(const Attempt *a)
{
    return saltus_run_event_count(a->run);
}

double attempt_event_time(const Attempt *a, long event)
{
    return saltus_run_event(a->run, event).t;
}
