// SPDX-License-Identifier: MIT
//
// What an action may call: switch the mode, record, schedule, stop.

#include "base/message.h"
#include "base/real.h"
#include "hybrid/event_parts.h"
#include <math.h>
#include <string.h>

// Points the event at the active instance.
void event_show_active(SaltusRun *run)
{
    RunInstance *active = run->active;
    run->now.event.mode = active->index;
    run->now.event.data = active->mode->data;
    run->now.event.x = active->x;
    run->now.event.z = active->z;
    run->now.event.sign = active->said.sign;
    run->x = active->x;
    run->z = active->z;
}

// Values shared by name are carried over, all other states are undetermined.
static SaltusStatus carry_over(SaltusRun *run, RunInstance *to, RunInstance *from)
{
    const NameMap *map = instance_map(run, to, from);
    if (!map)
        return run_fail(run, SALTUS_ERROR_MEMORY, "out of memory while entering mode %s",
                        to->mode->name);
    int nx = to->mode->state_count, nx_from = from->mode->state_count;
    for (int i = 0; i < nx + to->mode->algebraic_count; i++) {
        const int source = name_map_source(map, i);
        const double value = source < 0         ? NAN
                             : source < nx_from ? from->x[source]
                                                : from->z[source - nx_from];
        if (i < nx)
            to->x[i] = value;
        else if (source >= 0)
            to->z[i - nx] = value;
    }
    return SALTUS_OK;
}

// The values with which a run begins in the mode; NaN: undetermined.
void event_start_values(RunInstance *instance)
{
    const SaltusModeDef *mode = instance->mode;
    for (int i = 0; i < mode->state_count; i++)
        instance->x[i] = mode->start ? mode->start[i] : NAN;
    for (int i = 0; i < mode->algebraic_count; i++)
        instance->z[i] = mode->start ? mode->start[mode->state_count + i] : 0.0;
}

SaltusStatus saltus_switch_mode(SaltusEvent *event, int mode)
{
    SaltusRun *run = event->run;
    if (run->error.status < 0)
        return run->error.status;
    RunInstance *from = run->active, *to = instance_of(run, mode);
    if (!to)
        return run->error.status;
    if (run->now.is_starting && to->mode->start) {
        event_start_values(to);
    } else if (to != from) {
        const SaltusStatus status = carry_over(run, to, from);
        if (status != SALTUS_OK)
            return status;
    }
    memset(to->said.zero, 0, (size_t)to->mode->event_count * sizeof *to->said.zero);
    memset(to->said.rest, 0, (size_t)to->mode->event_count * sizeof *to->said.rest);
    memset(to->said.held, 0, (size_t)to->mode->event_count * sizeof *to->said.held);
    event->before.mode = from->index;
    event->before.x = from->x;
    event->before.z = from->z;
    run->active = to;
    run->now.has_entered = true;
    event_show_active(run);
    if (to->mode->enter)
        to->mode->enter(event);
    return run->error.status < 0 ? run->error.status : SALTUS_OK;
}

void saltus_record(SaltusEvent *event, const char *name, double value)
{
    log_record(&event->run->log, name, value);
}

void saltus_log_change(SaltusEvent *event, const char *name, double before, double after,
                       unsigned classes)
{
    SaltusRun *run = event->run;
    const char *copy = log_name(&run->log, name);
    if (!copy) {
        run->log.is_out_of_memory = true;
        return;
    }
    log_change(&run->log, copy, before, after);
    run->now.client_classes |= classes;
}

void saltus_note(SaltusEvent *event, const char *note)
{
    log_note(&event->run->log, note);
}

bool saltus_notes_are_wanted(const SaltusEvent *event)
{
    return event->run->options.notes;
}

int saltus_iterations_left(const SaltusEvent *event)
{
    return event->run->options.max_event_iterations - event->iteration;
}

void saltus_schedule(SaltusEvent *event, int id, double time)
{
    SaltusRun *run = event->run;
    if (isnan(time))
        run_fail(run, SALTUS_ERROR_ARGUMENT, "time event %d scheduled at a time that is NaN", id);
    else if (!schedule_set(&run->schedule, id, real_larger(time, event->t)))
        run_fail(run, SALTUS_ERROR_MEMORY, "out of memory for time events");
}

void saltus_cancel(SaltusEvent *event, int id)
{
    schedule_cancel(&event->run->schedule, id);
}

void saltus_stop(SaltusEvent *event, const char *reason)
{
    SaltusRun *run = event->run;
    if (run->error.status < 0 || run->now.is_stop_requested)
        return;
    run->now.is_stop_requested = true;
    run_fail(run, SALTUS_TERMINATED, "%s", reason ? reason : "stopped by an event action");
}

void saltus_fail(SaltusEvent *event, const char *message)
{
    SaltusRun *run = event->run;
    if (run->error.status >= 0)
        run_fail(run, SALTUS_ERROR_ACTION, "%s", message ? message : "an event action failed");
}

void saltus_fail_value(SaltusEvent *event, const char *variable, const char *message)
{
    const bool is_first = event->run->error.status >= 0;
    saltus_fail(event, message);
    if (is_first)
        event->run->error.variable = variable;
}

void saltus_advise(SaltusEvent *event, const char *advice)
{
    message_set(&event->run->now.advice, "%s", advice);
}

SaltusStatus saltus_set_zero(SaltusEvent *event, int index, double size)
{
    SaltusRun *run = event->run;
    RunInstance *active = run->active;
    if (index < 0 || index >= active->mode->event_count || !(size >= 0.0))
        return run_fail(run, SALTUS_ERROR_ARGUMENT,
                        "mode %s has no event function %d that is zero below %g",
                        active->mode->name, index, size);
    active->said.zero[index] = size;
    return SALTUS_OK;
}

static SaltusStatus set_one(SaltusEvent *event, signed char *signs, int index, int sign)
{
    const SaltusModeDef *mode = event->run->active->mode;
    if (index < 0 || index >= mode->event_count || sign < -1 || sign > 1)
        return run_fail(event->run, SALTUS_ERROR_ARGUMENT,
                        "mode %s has no event function %d that can have the sign %d", mode->name,
                        index, sign);
    signs[index] = (signed char)sign;
    return SALTUS_OK;
}

SaltusStatus saltus_set_rest(SaltusEvent *event, int index, int sign)
{
    return set_one(event, event->run->active->said.rest, index, sign);
}

SaltusStatus saltus_set_sign(SaltusEvent *event, int index, int sign)
{
    return set_one(event, event->run->active->said.held, index, sign);
}

SaltusStatus saltus_event_value(SaltusEvent *event, int index, double *h)
{
    SaltusRun *run = event->run;
    RunInstance *active = run->active;
    if (index < 0 || index >= active->mode->event_count)
        return run_fail(run, SALTUS_ERROR_ARGUMENT, "mode %s has no event function %d",
                        active->mode->name, index);
    if (problem_algebraics(active->problem, event->t, active->x, active->z) != 0 ||
        problem_events(active->problem, event->t, active->x, active->z, active->sample.h) != 0)
        return run_fail_evaluation(run, SALTUS_ERROR_EVALUATION, "in an event action");
    *h = active->sample.h[index];
    return SALTUS_OK;
}
