// SPDX-License-Identifier: MIT
//
// Why a run fails, in words: where it was, what was evaluated there, and what the client says of
// it.

#include "base/message.h"
#include "hybrid/run.h"

#include <stdarg.h>
#include <stdlib.h>

// "mode NAME, event NAME, t = TIME: "
static void describe_place(const SaltusRun *run, char **text)
{
    const Cause *cause = &run->now.cause;
    message_set(text, "mode %s", run->active->mode->name);
    if (cause->is_timed)
        message_add(text, ", time event %d (%s)", cause->time_id,
                    system_time_name(run->system, cause->time_id));
    else if (cause->instance)
        message_add(text, ", event %s%s%s", cause->instance->mode->events[cause->event].name,
                    cause->instance == run->active ? "" : " of mode ",
                    cause->instance == run->active ? "" : cause->instance->mode->name);
    message_add(text, ", t = %.10g: ", run->t);
}

void run_forget_error(SaltusRun *run, double t)
{
    free(run->said);
    run->said = NULL;
    run->error = (SaltusError){.time = t, .mode = -1, .event = -1, .message = ""};
}

SaltusStatus run_fail(SaltusRun *run, SaltusStatus status, const char *format, ...)
{
    SaltusError *error = &run->error;
    char *what = NULL, *where = NULL;
    va_list arguments;
    va_start(arguments, format);
    message_set_arguments(&what, format, arguments);
    va_end(arguments);
    run_forget_error(run, run->t);
    error->status = status;
    if (run->active) {
        error->mode = run->active->index;
        if (run->now.cause.instance == run->active && !run->now.cause.is_timed)
            error->event = run->now.cause.event;
        describe_place(run, &where);
    }
    error_word(error, "%s%s", where ? where : "", message_text(what));
    run->said = error->memory;
    error->memory = NULL;
    free(what);
    free(where);
    return status;
}

SaltusStatus run_fail_evaluation(SaltusRun *run, SaltusStatus status, const char *doing)
{
    const ProblemFailure *failure = &run->active->problem->failure;
    const bool is_step = doing == NULL;
    if (failure->what == NULL)
        return run_fail(run, status, "%s%s%s", saltus_status_text(status), is_step ? "" : " ",
                        is_step ? "" : doing);
    const char *verb = failure->status == SALTUS_ERROR_NEWTON     ? "could not be solved"
                       : failure->status == SALTUS_ERROR_SINGULAR ? "is singular"
                       : failure->status != SALTUS_ERROR_STEP_SIZE && failure->variable
                           ? "is not finite"
                           : "failed";
    if (failure->status != SALTUS_OK)
        status = failure->status;
    SaltusMessage reason = {0};
    bool is_unsolved = false;
    if (run->def->explain && failure->status == SALTUS_ERROR_EVALUATION && !failure->variable)
        is_unsolved = run->def->explain(run->active->problem->context, failure->code, &reason) != 0;
    const char *said = reason.is_begun ? message_text(reason.text) : "";
    // By the implicit function theorem a regular solution goes on for some time. (Where a function
    // in it jumps, it ends as well.)
    if (is_unsolved && is_step)
        run_fail(run, status,
                 "the solution of algebraic equations that the run has followed ends here, in a "
                 "fold or a jump, and no other one was found nearby: %s",
                 said);
    else
        run_fail(run, status, "%s%s%s %s %s, last at t = %.10g%s%s", failure->what,
                 failure->variable ? " of " : "", failure->variable ? failure->variable : "", verb,
                 is_step ? "so that no step succeeds" : doing, failure->t, *said ? ": " : "", said);
    free(reason.text);
    run->error.variable = failure->variable;
    return status;
}
