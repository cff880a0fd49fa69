// SPDX-License-Identifier: MIT
//
// Why a run fails, in words: where it was, what was evaluated there, and what the client says of
// it.

#include "base/message.h"
#include "hybrid/run.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// Characters of a mode's name in a message.
enum { LONGEST_NAME = 160 };

// "mode NAME, event NAME, t = TIME: "
static int describe_place(const SaltusRun *run, char *text, size_t size)
{
    const Cause *cause = &run->now.cause;
    char event[160] = "";
    if (cause->is_timed)
        message_write(event, sizeof event, ", time event %d (%s)", cause->time_id,
                      system_time_name(run->system, cause->time_id));
    else if (cause->instance)
        message_write(event, sizeof event, ", event %s%s%s",
                      cause->instance->mode->events[cause->event].name,
                      cause->instance == run->active ? "" : " of mode ",
                      cause->instance == run->active ? "" : cause->instance->mode->name);
    // A mode that is a long list of choices must leave room for what happened.
    const char *name = run->active->mode->name;
    return snprintf(text, size, "mode %.*s%s%s, t = %.10g: ", LONGEST_NAME, name,
                    strlen(name) > LONGEST_NAME ? "..." : "", event, run->t);
}

SaltusStatus run_fail(SaltusRun *run, SaltusStatus status, const char *format, ...)
{
    SaltusError *error = &run->error;
    va_list arguments;
    va_start(arguments, format);
    *error = (SaltusError){.status = status, .time = run->t, .mode = -1, .event = -1};
    int length = 0;
    if (run->active) {
        error->mode = run->active->index;
        if (run->now.cause.instance == run->active && !run->now.cause.is_timed)
            error->event = run->now.cause.event;
        length = describe_place(run, error->message, sizeof error->message);
    }
    if (length >= 0 && (size_t)length < sizeof error->message)
        message_arguments(error->message, sizeof error->message, (size_t)length, format, arguments);
    va_end(arguments);
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
    char reason[512] = "";
    bool is_unsolved = false;
    if (run->def->explain && failure->status == SALTUS_ERROR_EVALUATION && !failure->variable)
        is_unsolved = run->def->explain(run->active->problem->context, failure->code, reason,
                                        sizeof reason) != 0;
    // By the implicit function theorem a regular solution goes on for some time. (Where a function
    // in it jumps, it ends as well.)
    if (is_unsolved && is_step)
        run_fail(run, status,
                 "the solution of algebraic equations that the run has followed ends here, in a "
                 "fold or a jump, and no other one was found nearby: %s",
                 reason);
    else
        run_fail(run, status, "%s%s%s %s %s, last at t = %.10g%s%s", failure->what,
                 failure->variable ? " of " : "", failure->variable ? failure->variable : "", verb,
                 is_step ? "so that no step succeeds" : doing, failure->t, reason[0] ? ": " : "",
                 reason);
    run->error.variable = failure->variable;
    return status;
}
