// SPDX-License-Identifier: MIT
//
// An event, from its beginning to the restart:
//   open      left limits and parameters are kept, the row before is written
//   iterate   actions (or the client's event_update) until no event function
//             crosses by what they did and nobody asks for another iteration
//   arm       each event function gets the sign it has just after
//   close     what changed is logged, the row after is written, the solver restarts
// An event that changed nothing does not restart: the step it lies in stays valid.
// Iterating and arming are in event_iterate.c, what actions may call in event_action.c, what the
// log says of changes in event_changes.c.

#include "base/message.h"
#include "base/real.h"
#include "hybrid/event_parts.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------
// Open
// ---------------------------------------------------------------------------

static void event_keep_left_limits(SaltusRun *run)
{
    RunInstance *active = run->active;
    real_copy(active->left.x, active->x, active->mode->state_count);
    real_copy(active->left.z, active->z, active->mode->algebraic_count);
    real_copy(active->left.dx, active->dx, active->mode->state_count);
    real_copy(active->left.h, active->h, active->mode->event_count);
    real_copy(run->data.p_left, run->data.p, run->def->parameter_count);
    real_copy(run->data.u_left, run->data.u, run->def->input_count);
    if (run->def->memory.size > 0)
        memcpy(run->data.memory_left, run->data.memory, run->def->memory.size);
}

// The left limits are those of the mode that is active now.
static void point_left_limits(SaltusRun *run)
{
    const RunInstance *active = run->active;
    run->now.event.left.mode = active->index;
    run->now.event.left.x = active->left.x;
    run->now.event.left.z = active->left.z;
    run->now.event.left.dx = active->left.dx;
    run->now.event.left.data = active->mode->data;
}

void event_prepare(SaltusRun *run)
{
    run->now.event = (SaltusEvent){.event = -1,
                                   .p = run->data.p,
                                   .u = run->data.u,
                                   .memory = run->data.memory,
                                   .user = run->def->user,
                                   .left.p = run->data.p_left,
                                   .left.u = run->data.u_left,
                                   .left.memory = run->data.memory_left,
                                   .method = &run->method,
                                   .run = run};
}

static void event_open_event(SaltusRun *run, unsigned occasion)
{
    SaltusEvent *event = &run->now.event;
    run->now.is_stop_requested = false;
    run->now.cause = (Cause){0};
    stretch_allow(run);
    run->now.answers = 0;
    run->now.client_classes = 0;
    run->now.has_entered = false;
    run->now.is_measured = run->now.is_armed = false;
    run->now.doubt = 0.0;
    for (int i = 0; i < run->active->mode->event_count; i++) {
        run->active->said.zero[i] = 0.0;
        run->active->said.held[i] = 0;
    }
    run->now.is_restless = false;
    free(run->now.advice);
    run->now.advice = NULL;
    event->t = run->t;
    event->occasion = occasion;
    event->iteration = 0;
    event->event = -1;
    event->before.mode = -1;
    event->before.x = event->before.z = NULL;
    event->fired = run->now.fired;
    event->fired_count = 0;
    event->time_ids = run->now.due;
    event->time_count = 0;
    point_left_limits(run);
    event_show_active(run);
}

// ---------------------------------------------------------------------------
// Close
// ---------------------------------------------------------------------------

static SaltusStatus rest(SaltusRun *run, RunInstance *from, SaltusFired crossing,
                         GuardFinding finding, bool *rests);

// Whether the flow at a point moves an event function away from where it goes in the end.
static bool turns(RunInstance *instance, double t, const double *x, const double *z,
                  const double *dx, SaltusFired crossing)
{
    return problem_flow(instance->problem, t, x, z, dx, instance->work) == 0 &&
           instance->work[crossing.event] * crossing.direction < 0.0;
}

// Whether an event function, zero after an event, goes to a side while its next crossing, or the
// last one, is lost in its noise: either it comes back but not out of the noise, or it crossed
// against its own slope, by the solver's errors, so that the event turned it to the wrong side. A
// ball would fall through its floor.
static bool is_lost(const SaltusRun *run, const RunInstance *from, SaltusFired crossing)
{
    RunInstance *active = run->active;
    const Armed *armed = &active->armed[crossing.event];
    if (armed->sign != crossing.direction || fabs(active->h[crossing.event]) > armed->noise ||
        run->options.backstep != SALTUS_BACKSTEP)
        return false;
    return turns(active, run->t, active->x, active->z, active->dx, crossing) ||
           (active == from &&
            turns(active, run->t, active->left.x, active->left.z, active->left.dx, crossing));
}

// Whether a crossing was taken back by nothing but what followed from it: the function is on the
// side from which it came, out of its noise, and no state has changed. (Where events chatter as a
// matter of fact, the function goes on, and the flow turns it back.) No value of the condition
// agrees with itself then.
static bool contradicts_itself(const SaltusRun *run, const RunInstance *from, int event)
{
    const RunInstance *active = run->active;
    const int direction = from->guards[event].direction;
    return active == from && direction != 0 && active->armed[event].sign == -direction &&
           fabs(active->h[event]) > active->armed[event].noise &&
           same_numbers(active->x, from->left.x, active->mode->state_count);
}

// The state that grows fastest, in units of itself; -1: none doubles before what is left of the run
// is over a thousand times.
static int find_growing(const SaltusRun *run, double *doubling)
{
    static const double soon = 1e-3;
    const RunInstance *active = run->active;
    int found = -1;
    *doubling = soon * (run->stop_time - run->t);
    for (int i = 0; i < active->mode->state_count; i++) {
        const double time = active->x[i] / active->dx[i];
        if (time > 0.0 && time < *doubling && fabs(active->x[i]) > active->mode->nominal[i]) {
            *doubling = time;
            found = i;
        }
    }
    return found;
}

// Why events accumulate or chatter, for the message: with a separator before it, or nothing.
static void explain_crowd(const SaltusRun *run, const RunInstance *from, int event,
                          GuardFinding finding, char **text)
{
    double doubling;
    const int growing = finding == GUARD_DENSE ? find_growing(run, &doubling) : -1;
    message_set(text, "%s", "");
    if (run->now.advice)
        message_set(text, "; %s", run->now.advice);
    else if (finding == GUARD_CHATTERING && contradicts_itself(run, from, event))
        message_set(text, "; what follows from each of them takes it back at once: the condition "
                          "contradicts itself, neither of its values agrees with the equations");
    else if (growing >= 0)
        message_set(text, "; %s, %g now, grows by as much in %.3g: it may be infinite soon",
                    run->active->mode->state_names[growing], run->active->x[growing], doubling);
}

// Ends the run where events accumulate or chatter.
static SaltusStatus fail_crowded(SaltusRun *run, RunInstance *from, int event, GuardFinding finding)
{
    const SaltusEventDef *def = &from->mode->events[event];
    Guard *guard = &from->guards[event];
    SaltusStatus status = run->options.zeno == SALTUS_ZENO_STOP ? SALTUS_ZENO : SALTUS_ERROR_ZENO;
    double accumulation = guard_accumulation(guard), ratio = guard_ratio(guard);
    char *reason = NULL, *events = NULL;
    explain_crowd(run, from, event, finding, &reason);
    guard_reset(guard, run->t);
    run->now.cause = (Cause){0}; // the message has it
    const bool spoken = strcmp(def->name, def->condition) != 0;
    message_set(&events, "the events '%s'%s%s%s%s%s%s", def->name, spoken ? " (" : "",
                spoken ? def->condition : "", spoken ? ")" : "", def->place ? " (" : "",
                def->place ? def->place : "", def->place ? ")" : "");
    const char *what = message_text(events), *why = message_text(reason);
    status =
        finding == GUARD_CHATTERING
            ? run_fail(run, status,
                       "%s chatter: they follow each other at the resolution of time%s", what, why)
        : finding == GUARD_DENSE
            ? run_fail(run, status,
                       "%s follow each other too closely: 2000 of them in less than 1e-7 of the "
                       "run%s",
                       what, why)
        : finding == GUARD_LOW
            ? run_fail(
                  run, status,
                  "%s follow each other, 2000 of them in less than 1e-3 of the run, while their "
                  "function is hardly more than its rounding: it goes to and fro around zero%s",
                  what, why)
            : run_fail(run, status,
                       "%s accumulate at t = %.12g: their intervals shrink by the "
                       "factor %.3g and reached the resolution of %s%s",
                       what, accumulation, ratio, finding == GUARD_ZENO ? "time" : "the solver",
                       why);
    run->error.mode = from->index;
    run->error.event = event;
    free(reason);
    free(events);
    return status;
}

// Functions of a mode just entered whose next crossing is due and will not be seen: they go at once
// to where such crossings lead.
static SaltusStatus guard_entered(SaltusRun *run, const RunInstance *from)
{
    RunInstance *active = run->active;
    for (int i = 0; i < active->mode->event_count && active != from; i++) {
        const SaltusFired next = {
            .mode = active->index, .event = i, .direction = active->armed[i].sign};
        if (!active->mode->events[i].is_muted && next.direction != 0 &&
            active->guards[i].direction == next.direction &&
            guard_is_due(&active->guards[i], run->t) && is_lost(run, from, next))
            return fail_crowded(run, active, i, GUARD_COLLAPSED);
    }
    return SALTUS_OK;
}

// A slope that an event has left of another one is more than rounding.
static const double least_slope = 64.0 * DBL_EPSILON;

// Whether an event function goes on behind its crossing, though a jump turned it back: what
// happens has become smaller than errors, and a ball would fall through its floor. Either the
// function comes back, but not out of its noise, so that the next crossing would not be seen; or it
// crossed zero against its own slope, and the event turned that slope to the wrong side.
static bool goes_on_by_error(const SaltusRun *run, const RunInstance *from, SaltusFired crossing)
{
    RunInstance *active = run->active;
    const Armed *armed = &active->armed[crossing.event];
    const double *slope = active->work + crossing.event;
    if (active != from || armed->sign != crossing.direction ||
        fabs(active->h[crossing.event]) > armed->noise ||
        run->options.backstep != SALTUS_BACKSTEP ||
        same_numbers(active->x, from->left.x, active->mode->state_count) ||
        problem_flow(active->problem, run->t, from->left.x, from->left.z, from->left.dx,
                     active->work) != 0)
        return false;
    const double before = *slope * crossing.direction;
    if (problem_flow(active->problem, run->t, active->x, active->z, active->dx, active->work) != 0)
        return false;
    const double after = *slope * crossing.direction;
    // cppcheck-suppress incorrectLogicOperator ; it takes both for one value: *slope has changed
    return after < -least_slope * fabs(before) || (before < 0.0 && after > 0.0);
}

// Zeno behaviour and chattering, per event function.
static SaltusStatus event_guard(SaltusRun *run, RunInstance *from, const SaltusFired *crossings,
                                int count)
{
    const double horizon = run->stop_time - run->options.start_time;
    if (run->options.zeno == SALTUS_ZENO_CONTINUE)
        return SALTUS_OK;
    for (int i = 0; i < count; i++) {
        Guard *event_guard = &from->guards[crossings[i].event];
        GuardFinding finding = guard_note(event_guard, run->t, horizon);
        event_guard->direction = crossings[i].direction;
        if (finding == GUARD_FINE && !guard_is_even(event_guard) &&
            goes_on_by_error(run, from, crossings[i]))
            finding = GUARD_COLLAPSED;
        if (finding == GUARD_FINE)
            continue;
        // Where no value of the condition agrees with the equations, none of another mode does; and
        // what goes to infinity has no limit.
        double doubling;
        const bool is_hopeless = (finding == GUARD_CHATTERING && !run->now.advice &&
                                  contradicts_itself(run, from, crossings[i].event)) ||
                                 (finding == GUARD_DENSE && find_growing(run, &doubling) >= 0);
        bool rests = false;
        const SaltusStatus beyond =
            is_hopeless ? SALTUS_OK : rest(run, from, crossings[i], finding, &rests);
        if (rests || beyond != SALTUS_OK)
            return beyond;
        return fail_crowded(run, from, crossings[i].event, finding);
    }
    return guard_entered(run, from);
}

// What an action made of the method.
static SaltusStatus check_method(SaltusRun *run, const SaltusMethod *method_left)
{
    SaltusError error;
    if (method_equal(&run->method, method_left) || method_check(&run->method, &error) == SALTUS_OK)
        return SALTUS_OK;
    run_fail(run, SALTUS_ERROR_ARGUMENT, "the method that was chosen: %s", error.message);
    saltus_error_clear(&error);
    return SALTUS_ERROR_ARGUMENT;
}

// The solver's step goes on behind an event that changed nothing. Its dense output, which is
// looked at next, has the roots just handled a little earlier or later than the event.
static SaltusStatus go_on(SaltusRun *run, const SaltusFired *crossings, int count)
{
    RunInstance *active = run->active;
    if (count == 0)
        return SALTUS_OK;
    if (locating_sample(run, 1, &run->t, active->sample.h) != 0)
        return run_fail_evaluation(run, SALTUS_ERROR_EVALUATION, "at an event");
    for (int i = 0; i < count; i++) {
        const int event = crossings[i].event;
        if (active->left.has_jumped[event])
            continue;
        active->armed[event].handled = real_larger(
            DBL_MIN, 2.0 * real_larger(fabs(active->h[event]), fabs(active->sample.h[event])));
    }
    return SALTUS_OK;
}

// The first step after an event: what the solver of the mode would have tried next when it was
// last in use. The next stay in the mode is likely to be like the last one: a much longer step
// would only be cut again. 0: the solver chooses.
static double first_step(const SaltusRun *run, unsigned classes)
{
    const RunInstance *active = run->active;
    const SaltusSolver id = solver_choose(active->problem, instance_method(run, active));
    const bool is_one_step = solver_kind(id)->traits & SOLVER_ONE_STEP;
    if (!is_one_step || active->habit.stay == 0.0 || (classes & SALTUS_SE_A))
        return 0.0;
    return real_smaller(active->habit.step, 1.5 * active->habit.stay);
}

// Starts the solver anew if the event changed anything the solver knows.
static SaltusStatus restart_if_changed(SaltusRun *run, RunInstance *from, unsigned classes,
                                       const SaltusFired *crossings, int crossing_count)
{
    unsigned keeps = SALTUS_SE_O;
    bool has_changed = run->active != from || run->now.is_restless ||
                       (run->now.answers & SALTUS_MEMORY_CHANGED) != 0;
    if (run->now.answers & SALTUS_UNREAD_CHANGED) {
        // The client says that its own variables are not read. A method with a memory goes on; for
        // others a new step costs less than the rest of the old one, which would be searched for
        // crossings once more.
        if (same_numbers(run->data.p, run->data.p_left, run->def->parameter_count))
            keeps |= SALTUS_SE_P;
        has_changed = has_changed || (run->solver && run->solver->kind->traits & SOLVER_ONE_STEP);
    }
    has_changed = has_changed || (classes & ~keeps) != 0;
    bool is_inside =
        run->solver && run->solver->problem == run->active->problem && !run->stretch.is_exchanged;
    const bool is_barred =
        is_inside && schedule_next(&run->schedule) < run->solver->t; // by a time event
    if (!has_changed && is_inside && !is_barred)
        return go_on(run, crossings, crossing_count);
    return run_restart(run, run->active->dx, first_step(run, classes));
}

// The entry that was just closed, to who wants it.
static void hand_over_log(SaltusRun *run)
{
    if (!run->options.logged)
        return;
    SaltusLogEntry entry = log_read(&run->log, run->log.item_count - 1);
    if (run->options.logged(run->options.user, &entry) != 0)
        run->status.is_interrupted = true;
    log_clear(&run->log);
}

// Completes the entry of the log; says what the event changed.
static SaltusStatus log_event(SaltusRun *run, RunInstance *from, const SaltusMethod *method_left,
                              long records_before, unsigned *classes)
{
    unsigned found = 0;
    SaltusStatus status = event_classify(run, from, method_left, records_before, &found);
    if (status == SALTUS_OK && (found & SALTUS_SE_A))
        status = check_method(run, method_left);
    if (status == SALTUS_OK && run->log.is_out_of_memory)
        status = run_fail(run, SALTUS_ERROR_MEMORY, "out of memory for the event log");
    if (status != SALTUS_OK)
        return status;
    SaltusLogEntry *entry = log_entry(&run->log);
    entry->classes = found ? found : SALTUS_SE_O; // its only effect is to be logged
    entry->to = run->active->index;
    entry->iterations = run->now.event.iteration + 1;
    log_close(&run->log);
    hand_over_log(run);
    run->statistics.mode_changes += run->active != from;
    if (classes)
        *classes = found;
    return SALTUS_OK;
}

// What follows from an event that is done: row, accumulation.
static SaltusStatus finish_event(SaltusRun *run, RunInstance *from, unsigned classes,
                                 const SaltusFired *crossings, int crossing_count)
{
    if (run->now.is_stop_requested)
        return SALTUS_TERMINATED;
    // Events that only record can follow each other as they like.
    const bool is_effective = (classes & ~(unsigned)SALTUS_SE_O) != 0 || run->now.is_restless;
    return is_effective ? event_guard(run, from, crossings, crossing_count) : SALTUS_OK;
}

// The same, and the restart.
static SaltusStatus close_event(SaltusRun *run, RunInstance *from, unsigned classes,
                                const SaltusFired *crossings, int crossing_count)
{
    SaltusStatus status =
        run_record(run, SALTUS_ROW_AFTER_EVENT, run->t, run->active, run->x, run->z);
    if (status == SALTUS_OK)
        status = restart_if_changed(run, from, classes, crossings, crossing_count);
    return status == SALTUS_OK ? finish_event(run, from, classes, crossings, crossing_count)
                               : status;
}

// ---------------------------------------------------------------------------
// The whole
// ---------------------------------------------------------------------------

// An event that failed is undone: the run stands just before it.
static void undo_event(SaltusRun *run, RunInstance *from, const SaltusMethod *method_left)
{
    const SaltusSystemDef *def = run->def;
    real_copy(from->x, from->left.x, from->mode->state_count);
    real_copy(from->z, from->left.z, from->mode->algebraic_count);
    real_copy(run->data.p, run->data.p_left, def->parameter_count);
    real_copy(run->data.u, run->data.u_left, def->input_count);
    if (def->memory.size > 0)
        memcpy(run->data.memory, run->data.memory_left, def->memory.size);
    run->method = *method_left;
    run->active = from;
    event_show_active(run);
}

// What all events have in common, from the first action on. Its entry of the log is open.
static SaltusStatus run_event(SaltusRun *run, const SaltusFired *crossings, int crossing_count,
                              SaltusAction request)
{
    RunInstance *from = run->active;
    SaltusMethod method_left = run->method;
    const long records_before = run->log.record_count;
    if (!event_take_due(run))
        return run_fail(run, SALTUS_ERROR_MEMORY, "out of memory for time events");
    run->now.event.occasion |= run->now.event.time_count > 0 ? SALTUS_AT_TIME : 0;
    log_entry(&run->log)->occasion = run->now.event.occasion;
    unsigned classes = 0;
    SaltusStatus status = event_iterate(run, request);
    if (status == SALTUS_OK)
        status = event_settle(run, crossings, crossing_count);
    if (status == SALTUS_OK)
        status = log_event(run, from, &method_left, records_before, &classes);
    if (status != SALTUS_OK) {
        undo_event(run, from, &method_left);
        log_discard(&run->log);
        return status;
    }
    return close_event(run, from, classes, crossings, crossing_count);
}

// ---------------------------------------------------------------------------
// The limit of events that accumulate
// ---------------------------------------------------------------------------

// Below this part of the last jump a limit is zero.
static const double limit_zero = 1e-2;

// Of the states that jump: where what happens between events is smaller than the errors of the
// solver, the last jump is none of the sequence. At the limit the function has no slope.
static double limit_ratio(const RunInstance *from, const Guard *guard, int event,
                          GuardFinding finding, double t)
{
    const double ratio = guard_ratio(guard);
    double *before = from->work, *after = before + from->mode->event_count;
    if (finding != GUARD_COLLAPSED ||
        problem_flow(from->problem, t, from->left.x, from->left.z, from->left.dx, before) != 0 ||
        problem_flow(from->problem, t, from->x, from->z, from->dx, after) != 0)
        return ratio;
    return before[event] * after[event] < 0.0 ? -after[event] / before[event] : ratio;
}

// The states at the limit, where x+ - L = -ratio (x- - L) for those that jump: v of a ball that
// bounces. All others have come there but for the accuracy of time; those that may pass zero in the
// time that is left are zero: v of a motion that turns ever faster.
static void take_limits(const RunInstance *from, double ratio, double time, double *limits)
{
    for (int i = 0; i < from->mode->state_count; i++) {
        const double before = from->left.x[i], after = from->x[i];
        const double limit = (after + ratio * before) / (1.0 + ratio);
        const bool jumps = after != before;
        const bool is_zero = jumps ? fabs(limit) <= limit_zero * fabs(after - before)
                                   : fabs(after) <= 2.0 * fabs(from->left.dx[i]) * time;
        limits[i] = is_zero ? 0.0 : jumps ? limit : after;
    }
}

// The function of the accumulated events in the mode that followed; -1: it is not there.
static int function_in_mode(const RunInstance *from, const RunInstance *active, int event)
{
    const SaltusEventDef *left = &from->mode->events[event];
    for (int i = 0; i < active->mode->event_count && active != from; i++) {
        const SaltusEventDef *def = &active->mode->events[i];
        if (strcmp(def->name, left->name) == 0 && strcmp(def->condition, left->condition) == 0)
            return i;
    }
    return active == from ? event : -1;
}

// In the mode that followed, the function of the accumulated events goes on to the side on which
// the last of them found it: nothing holds it at zero, and a ball would fall through its floor.
// (One that rests there has a sign, too.)
static bool goes_through(SaltusRun *run, const RunInstance *from, SaltusFired crossing)
{
    const RunInstance *active = run->active;
    const int event = function_in_mode(from, active, crossing.event);
    return event >= 0 && !active->mode->events[event].is_muted &&
           active->armed[event].sign == crossing.direction &&
           !event_rests(run, (SaltusFired){.event = event, .direction = crossing.direction});
}

// Whether the last of the events has led to a mode that holds the function at zero.
static bool is_held(SaltusRun *run, const RunInstance *from, SaltusFired crossing)
{
    const RunInstance *active = run->active;
    const int event = function_in_mode(from, active, crossing.event);
    return event >= 0 &&
           (active->mode->events[event].is_muted ||
            event_rests(run, (SaltusFired){.event = event, .direction = crossing.direction}));
}

// Goes on at the limit, if the client's equations stay there; else all is as before. Where events
// have no limit, only another mode is one in which they end.
static SaltusStatus rest(SaltusRun *run, RunInstance *from, SaltusFired crossing,
                         GuardFinding finding, bool *rests)
{
    const Guard *guard = &from->guards[crossing.event];
    const bool has_limit = finding == GUARD_ZENO || finding == GUARD_COLLAPSED;
    const double time =
        has_limit ? guard_accumulation(guard) - run->t : guard->last - guard->before;
    SaltusMethod method_left = run->method;
    const long records_before = run->log.record_count;
    unsigned classes = 0;
    *rests = has_limit && is_held(run, from, crossing);
    if (*rests || !run->def->accumulated || run->active != from)
        return SALTUS_OK;
    const double ratio = limit_ratio(from, guard, crossing.event, finding, run->t);
    take_limits(from, ratio, time > 0.0 && isfinite(time) ? time : 0.0, from->work);
    event_open_event(run, SALTUS_AT_LIMIT);
    event_keep_left_limits(run);
    real_copy(from->x, from->work, from->mode->state_count);
    SaltusLogEntry *entry = log_open(&run->log, run->t, from->index);
    if (!entry)
        return run_fail(run, SALTUS_ERROR_MEMORY, "out of memory for the event log");
    entry->occasion = SALTUS_AT_LIMIT;
    log_fired(&run->log, crossing);
    run->now.event.event = crossing.event;
    SaltusStatus status = event_iterate(run, run->def->accumulated);
    if (status == SALTUS_OK)
        status = event_settle(run, NULL, 0);
    *rests = status == SALTUS_OK && !run->now.is_restless &&
             (run->active != from ? !goes_through(run, from, crossing)
                                  : has_limit && event_rests(run, crossing));
    if (*rests)
        status = log_event(run, from, &method_left, records_before, &classes);
    if (*rests && status == SALTUS_OK)
        return close_event(run, from, classes, NULL, 0);
    undo_event(run, from, &method_left);
    log_discard(&run->log);
    run_forget_error(run, run->t);
    return run_restart(run, from->left.dx, 0.0);
}

SaltusStatus event_handle(SaltusRun *run, unsigned occasion, double bracket,
                          const SaltusFired *crossings, int crossing_count, SaltusAction request)
{
    RunInstance *active = run->active;
    if (run->t > run->t_restart) {
        active->habit.stay = run->t - run->t_restart;
        active->habit.step = run->solver->step_next;
    }
    event_open_event(run, occasion);
    // At an edge, x' is what it was just before, and so is the row.
    const bool is_edge = run->trouble.edge == run->t && occasion == SALTUS_AT_TIME;
    SaltusStatus status = is_edge ? SALTUS_OK : event_derivative(run);
    if (status != SALTUS_OK)
        return status;
    event_keep_left_limits(run);
    if (!is_edge)
        status = run_record(run, SALTUS_ROW_BEFORE_EVENT, run->t, active, run->x, run->z);
    if (status != SALTUS_OK)
        return status;
    SaltusLogEntry *entry = log_open(&run->log, run->t, run->active->index);
    if (!entry)
        return run_fail(run, SALTUS_ERROR_MEMORY, "out of memory for the event log");
    for (int i = 0; i < active->mode->event_count; i++) {
        active->said.sign[i] = (signed char)detect_sign(&active->armed[i], active->h[i]);
        active->left.has_jumped[i] = false;
    }
    const bool is_located = run->options.backstep == SALTUS_BACKSTEP && !run->trouble.is_unlocated;
    for (int i = 0; i < crossing_count; i++) {
        const int event = crossings[i].event;
        active->left.has_jumped[event] = is_located && locating_has_jumped(run, crossings[i]);
        event_fire(run, event, crossings[i].direction);
        if (is_located && !active->left.has_jumped[event])
            active->armed[event].noise =
                real_larger(active->armed[event].noise, 2.0 * fabs(active->h[event]));
    }
    run->statistics.events += crossing_count > 0;
    if (crossing_count > 0)
        run->now.cause = (Cause){.instance = active, .event = crossings[0].event};
    entry->bracket = bracket;
    status = run_event(run, crossings, crossing_count, request);
    run->now.cause = (Cause){0};
    return status;
}

SaltusStatus event_replay(SaltusRun *run, const SaltusStretch *s)
{
    RunInstance *from = run->active;
    const SaltusMethod method_left = run->method;
    const long records_before = run->log.record_count;
    unsigned classes = 0;
    event_open_event(run, SALTUS_AT_CROSSING);
    event_keep_left_limits(run);
    SaltusStatus status = run_record(run, SALTUS_ROW_BEFORE_EVENT, run->t, from, run->x, run->z);
    if (status != SALTUS_OK)
        return status;
    SaltusLogEntry *entry = log_open(&run->log, run->t, from->index);
    if (!entry)
        return run_fail(run, SALTUS_ERROR_MEMORY, "out of memory for the event log");
    entry->occasion = SALTUS_AT_CROSSING;
    for (int i = 0; i < s->fired_count; i++)
        log_fired(&run->log, s->fired[i]);
    run->statistics.events++;
    run->statistics.event_iterations += s->iterations;
    run->now.event.iteration = s->iterations - 1;
    run->now.answers = run->def->replay(&run->now.event);
    status = run->error.status < 0 ? run->error.status : SALTUS_OK;
    if (status == SALTUS_OK)
        status = log_event(run, from, &method_left, records_before, &classes);
    if (status != SALTUS_OK) {
        undo_event(run, from, &method_left);
        log_discard(&run->log);
        return status;
    }
    status = run_record(run, SALTUS_ROW_AFTER_EVENT, run->t, run->active, run->x, run->z);
    return status == SALTUS_OK ? finish_event(run, from, classes, s->fired, s->crossing_count)
                               : status;
}

// ---------------------------------------------------------------------------
// The beginning, and accepted steps
// ---------------------------------------------------------------------------

// The start action, and consistent values: the state in which the run begins.
static SaltusStatus perform_start(SaltusRun *run)
{
    SaltusMethod method_left = run->method;
    run->now.is_starting = true;
    if (run->def->start)
        run->def->start(&run->now.event);
    run->now.is_starting = false;
    if (run->error.status < 0)
        return run->error.status;
    if (run->active->index < 0)
        return run_fail(run, SALTUS_ERROR_MODE, "initial_mode is -1 and start chose no mode");
    SaltusStatus status = check_method(run, &method_left);
    if (status == SALTUS_OK)
        status = event_evaluate(run);
    if (status == SALTUS_OK)
        status = event_fire_at_entry(run);
    point_left_limits(run);
    event_keep_left_limits(run);
    return status;
}

// Whether values are not those of the start: a function that is zero then and leaves zero may fire.
static bool has_changed(const SaltusRun *run, const RunInstance *from)
{
    for (int i = 0; run->active == from && i < from->mode->state_count; i++)
        if (from->x[i] != from->left.x[i])
            return true;
    for (int i = 0; i < run->def->parameter_count; i++)
        if (run->data.p[i] != run->data.p_left[i])
            return true;
    return (run->now.client_classes & (SALTUS_SE_P | SALTUS_SE_O)) != 0;
}

// What happens at the very beginning is an event like any other.
static SaltusStatus events_at_start(SaltusRun *run)
{
    SaltusEvent *event = &run->now.event;
    RunInstance *from = run->active;
    SaltusMethod method_left = run->method;
    if (!event_take_due(run))
        return run_fail(run, SALTUS_ERROR_MEMORY, "out of memory for time events");
    event->occasion |= event->fired_count > 0 ? SALTUS_AT_CROSSING : 0;
    event->occasion |= event->time_count > 0 ? SALTUS_AT_TIME : 0;
    bool something = event->fired_count > 0 || event->time_count > 0;
    SaltusLogEntry *entry = log_entry(&run->log);
    entry->occasion = event->occasion;
    entry->from = from->index;
    SaltusStatus status = SALTUS_OK;
    if (something || run->def->event_update)
        status = event_iterate(run, NULL);
    if (status == SALTUS_OK)
        status = event_settle(run, NULL, 0);
    something = something || run->active != from || run->log.record_count > 0 ||
                log_entry(&run->log)->note || has_changed(run, from);
    if (status == SALTUS_OK && something)
        status = log_event(run, from, &method_left, 0, NULL);
    return status;
}

// The start is an event that is not logged unless something happens at it.
SaltusStatus event_start(SaltusRun *run)
{
    run->active = instance_of(run, run->def->initial_mode);
    if (!run->active)
        return run->error.status;
    event_start_values(run->active);
    event_open_event(run, SALTUS_AT_START);
    event_keep_left_limits(run);
    if (!log_open(&run->log, run->t, run->active->index))
        return run_fail(run, SALTUS_ERROR_MEMORY, "out of memory for the event log");
    SaltusStatus status = perform_start(run);
    if (status == SALTUS_OK)
        status = events_at_start(run);
    if (status == SALTUS_OK)
        status = run_record(run, SALTUS_ROW_START, run->t, run->active, run->x, run->z);
    if (status == SALTUS_OK)
        status = run_restart(run, run->active->dx, 0.0);
    run->now.cause = (Cause){0};
    return status == SALTUS_OK && run->now.is_stop_requested ? SALTUS_TERMINATED : status;
}

// Another selection of states, not other event functions.
static bool same_events(const SaltusModeDef *a, const SaltusModeDef *b)
{
    bool is_same = a->event_count == b->event_count;
    for (int i = 0; i < a->event_count && is_same; i++)
        is_same = strcmp(a->events[i].name, b->events[i].name) == 0 &&
                  a->events[i].direction == b->events[i].direction &&
                  a->events[i].is_muted == b->events[i].is_muted;
    return is_same;
}

// A mode entered at an accepted step. Where it has the event functions of the mode left, it has
// their signs: to arm them anew could lose a crossing that is just about to happen.
static SaltusStatus enter_at_step(SaltusRun *run, const RunInstance *from)
{
    RunInstance *active = run->active;
    if (!same_events(active->mode, from->mode)) {
        for (int i = 0; i < active->mode->event_count; i++)
            active->said.sign[i] = 0; // nothing is known of them
        return event_settle(run, NULL, 0);
    }
    for (int i = 0; i < active->mode->event_count; i++) {
        active->armed[i] = from->armed[i];
        active->said.sign[i] = from->armed[i].sign;
        active->guards[i] = from->guards[i];
    }
    return SALTUS_OK;
}

// Anything that the solver has to know of. Client memory may be written at every step.
static bool changed_at_step(const SaltusRun *run, const RunInstance *from,
                            const SaltusMethod *method_left)
{
    return run->now.has_entered || !same_numbers(from->x, from->left.x, from->mode->state_count) ||
           !same_numbers(run->data.p, run->data.p_left, run->def->parameter_count) ||
           !same_numbers(run->data.u, run->data.u_left, run->def->input_count) ||
           !method_equal(method_left, &run->method);
}

SaltusStatus event_accepted(SaltusRun *run)
{
    if (!run->def->accepted || run->active->mode->ignores_steps)
        return SALTUS_OK;
    RunInstance *from = run->active;
    SaltusMethod method_left = run->method;
    Solver *solver = run->stretch.is_exchanged ? NULL : run->solver;
    if (solver) {
        real_copy(from->x, run->x, from->mode->state_count);
        real_copy(from->z, run->z, from->mode->algebraic_count);
    }
    event_open_event(run, SALTUS_AT_STEP);
    SaltusStatus status = SALTUS_OK;
    if (solver && solver->dx)
        real_copy(from->dx, solver->dx, from->mode->state_count);
    else
        status = event_derivative(run);
    if (status != SALTUS_OK)
        return status;
    event_keep_left_limits(run);
    for (int i = 0; i < from->mode->event_count; i++)
        from->said.sign[i] = from->armed[i].sign;
    run->def->accepted(&run->now.event);
    status = run->error.status < 0 ? run->error.status : check_method(run, &method_left);
    if (status == SALTUS_OK && !changed_at_step(run, from, &method_left)) {
        run->x = solver ? solver->x : from->x;
        run->z = solver ? solver->z : from->z;
        return run->now.is_stop_requested ? SALTUS_TERMINATED : SALTUS_OK;
    }
    if (status == SALTUS_OK)
        status = event_evaluate(run);
    if (status == SALTUS_OK)
        status = run->active != from ? enter_at_step(run, from) : event_settle(run, NULL, 0);
    run->now.cause = (Cause){0};
    if (status != SALTUS_OK) {
        undo_event(run, from, &method_left);
        return status;
    }
    run->statistics.reselections += run->active != from;
    status = run_restart(run, NULL, solver ? solver->step_next : 0.0);
    return status == SALTUS_OK && run->now.is_stop_requested ? SALTUS_TERMINATED : status;
}
