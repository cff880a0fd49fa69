// SPDX-License-Identifier: MIT
//
// An event, from its beginning to the restart:
//   open      left limits and parameters are kept, the row before is written
//   iterate   actions (or the client's event_update) until no event function
//             crosses by what they did and nobody asks for another iteration
//   arm       each event function gets the sign it has just after
//   close     what changed is logged, the row after is written, the solver restarts
// An event that changed nothing does not restart: the step it lies in stays valid.

#include "base/real.h"
#include "events/arm.h"
#include "hybrid/run.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// Iterations caused by arming alone; a sliding mode would go on for ever.
enum { MOST_ARMINGS = 3 };

static size_t bytes_of(int count)
{
    return (size_t)count * sizeof(double);
}

static void copy_numbers(double *to, const double *from, int count)
{
    if (count > 0)
        memcpy(to, from, bytes_of(count));
}

static bool same_numbers(const double *a, const double *b, int count)
{
    return count == 0 || memcmp(a, b, bytes_of(count)) == 0;
}

// ---------------------------------------------------------------------------
// What an action may call
// ---------------------------------------------------------------------------

// Points the event at the active instance.
static void show_active(SaltusRun *run)
{
    Instance *active = run->active;
    run->event.mode = active->index;
    run->event.data = active->mode->data;
    run->event.x = active->x;
    run->event.z = active->z;
    run->event.sign = active->sign;
    run->x = active->x;
    run->z = active->z;
}

// Values shared by name are carried over, all other states are undetermined.
static SaltusStatus carry_over(SaltusRun *run, Instance *to, Instance *from)
{
    const NameMap *map = instance_map(run, to, from);
    if (!map)
        return run_fail(run, SALTUS_ERROR_MEMORY, "out of memory while entering mode %s",
                        to->mode->name);
    int nx = to->mode->state_count, nx_from = from->mode->state_count;
    for (int i = 0; i < nx + to->mode->algebraic_count; i++) {
        int source = map->source[i];
        double value = source < 0         ? NAN
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
static void start_values(Instance *instance)
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
    Instance *from = run->active, *to = instance_of(run, mode);
    if (!to)
        return run->error.status;
    if (run->starting && to->mode->start) {
        start_values(to);
    } else if (to != from) {
        SaltusStatus status = carry_over(run, to, from);
        if (status != SALTUS_OK)
            return status;
    }
    event->mode_before = from->index;
    event->x_before = from->x;
    event->z_before = from->z;
    run->active = to;
    run->entered = true;
    show_active(run);
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
    const char *copy = memory_pool_text(&run->log.names, name ? name : "");
    if (!copy) {
        run->log.out_of_memory = true;
        return;
    }
    log_change(&run->log, copy, before, after);
    run->client_classes |= classes;
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
    if (run->error.status < 0 || run->requested_stop)
        return;
    run->requested_stop = true;
    run_fail(run, SALTUS_TERMINATED, "%s", reason ? reason : "stopped by an event action");
}

void saltus_fail(SaltusEvent *event, const char *message)
{
    SaltusRun *run = event->run;
    if (run->error.status >= 0)
        run_fail(run, SALTUS_ERROR_ACTION, "%s", message ? message : "an event action failed");
}

SaltusStatus saltus_event_value(SaltusEvent *event, int index, double *h)
{
    SaltusRun *run = event->run;
    Instance *active = run->active;
    if (index < 0 || index >= active->mode->event_count)
        return run_fail(run, SALTUS_ERROR_ARGUMENT, "mode %s has no event function %d",
                        active->mode->name, index);
    if (problem_algebraics(active->problem, event->t, active->x, active->z) != 0 ||
        problem_events(active->problem, event->t, active->x, active->z, active->h_sample) != 0)
        return run_fail_evaluation(run, SALTUS_ERROR_EVALUATION, "in an event action");
    *h = active->h_sample[index];
    return SALTUS_OK;
}

// ---------------------------------------------------------------------------
// Open
// ---------------------------------------------------------------------------

static void keep_left_limits(SaltusRun *run)
{
    Instance *active = run->active;
    copy_numbers(active->x_left, active->x, active->mode->state_count);
    copy_numbers(active->z_left, active->z, active->mode->algebraic_count);
    copy_numbers(active->dx_left, active->dx, active->mode->state_count);
    copy_numbers(active->h_left, active->h, active->mode->event_count);
    copy_numbers(run->p_left, run->p, run->def->parameter_count);
    copy_numbers(run->u_left, run->u, run->def->input_count);
    if (run->def->memory_size > 0)
        memcpy(run->memory_left, run->memory, run->def->memory_size);
}

// The left limits are those of the mode that is active now.
static void point_left_limits(SaltusRun *run)
{
    const Instance *active = run->active;
    run->event.mode_left = active->index;
    run->event.x_left = active->x_left;
    run->event.z_left = active->z_left;
    run->event.dx_left = active->dx_left;
    run->event.data_left = active->mode->data;
}

void event_prepare(SaltusRun *run)
{
    run->event = (SaltusEvent){.event = -1,
                               .p = run->p,
                               .u = run->u,
                               .memory = run->memory,
                               .user = run->def->user,
                               .p_left = run->p_left,
                               .u_left = run->u_left,
                               .memory_left = run->memory_left,
                               .method = &run->method,
                               .run = run};
}

static void open_event(SaltusRun *run, unsigned occasion)
{
    SaltusEvent *event = &run->event;
    run->requested_stop = false;
    run->cause = (Cause){0};
    run->rhs_changed = 0;
    run->client_classes = 0;
    run->entered = false;
    run->measured = false;
    run->restless = false;
    event->t = run->t;
    event->occasion = occasion;
    event->iteration = 0;
    event->event = -1;
    event->mode_before = -1;
    event->x_before = event->z_before = NULL;
    event->fired = run->fired;
    event->fired_count = 0;
    event->time_ids = run->due;
    event->time_count = 0;
    point_left_limits(run);
    show_active(run);
}

// x' at the event, for the left limits and for arming.
static SaltusStatus derivative_now(SaltusRun *run)
{
    Instance *active = run->active;
    if (active->problem->form == PROBLEM_IMPLICIT) {
        bool same = run->solver && run->solver->problem == active->problem;
        const double *dx = same ? run->solver->dx : NULL;
        for (int i = 0; i < active->mode->state_count; i++)
            active->dx[i] = dx ? dx[i] : 0.0;
        return SALTUS_OK;
    }
    int code = problem_rhs(active->problem, run->t, active->x, active->z, active->dx);
    if (code == 0)
        code = problem_check(active->problem, active->dx, active->mode->state_count, 0,
                             "the right-hand side", run->t);
    return code == 0 ? SALTUS_OK : run_fail_evaluation(run, SALTUS_ERROR_EVALUATION, "at an event");
}

// Takes the time events that are due; false: out of memory.
static bool take_due(SaltusRun *run)
{
    int count = 0, id = 0;
    while (schedule_take(&run->schedule, run->t, &id)) {
        if (count == run->due_capacity) {
            int capacity = 2 * count + 8;
            int *grown = memory_resize(run->allocator, run->due, (size_t)capacity, sizeof(int));
            if (!grown)
                return false;
            run->due = grown;
            run->due_capacity = capacity;
        }
        run->due[count++] = id;
        log_time(&run->log, id);
        run->statistics.time_events++;
    }
    run->event.time_ids = run->due;
    run->event.time_count = count;
    return true;
}

// ---------------------------------------------------------------------------
// Iterate
// ---------------------------------------------------------------------------

static void perform_actions(SaltusRun *run, SaltusAction request)
{
    SaltusEvent *event = &run->event;
    Instance *before = run->active;
    if (request)
        request(event);
    for (int i = 0; i < event->fired_count && run->error.status >= 0; i++) {
        // The events of a mode that was left in this iteration are over.
        if (run->active != before || run->entered)
            break;
        event->event = event->fired[i].event;
        run->cause = (Cause){.instance = before, .event = event->event};
        SaltusAction action = before->mode->events[event->event].action;
        if (action)
            action(event);
    }
    event->event = -1;
    int due = event->time_count;
    for (int i = 0; i < due && run->def->time_action && run->error.status >= 0; i++) {
        event->time_ids = run->due + i;
        event->time_count = 1;
        run->cause = (Cause){.timed = true, .time_id = run->due[i]};
        run->def->time_action(event);
    }
    event->time_ids = run->due;
    event->time_count = due;
}

static unsigned perform(SaltusRun *run, SaltusAction request)
{
    unsigned answer = 0;
    run->measured = false;
    run->statistics.event_iterations++;
    if (run->def->event_update && !(run->event.iteration == 0 && request))
        answer = run->def->event_update(&run->event);
    else
        perform_actions(run, request);
    run->rhs_changed |= answer & SALTUS_RHS_CHANGED;
    return answer;
}

// The states that nobody has set, by name.
static SaltusStatus fail_undetermined(SaltusRun *run)
{
    const SaltusModeDef *mode = run->active->mode;
    char names[256] = "";
    size_t length = 0;
    for (int i = 0; i < mode->state_count && length < sizeof names - 1; i++) {
        if (!isfinite(run->active->x[i])) {
            int wrote = snprintf(names + length, sizeof names - length, "%s%s", length ? ", " : "",
                                 mode->state_names[i]);
            length += wrote > 0 ? (size_t)wrote : 0;
        }
    }
    return run_fail(run, SALTUS_ERROR_UNDETERMINED, "entering the mode leaves undetermined: %s",
                    names);
}

// Algebraic variables and event functions that belong to what the actions left behind.
static SaltusStatus evaluate_after(SaltusRun *run)
{
    Instance *active = run->active;
    for (int i = 0; i < active->mode->state_count; i++) {
        if (!isfinite(active->x[i]))
            return fail_undetermined(run);
    }
    // Whoever set the states has put guesses into z; a joint evaluation starts from them, too.
    copy_numbers(active->problem->z_guess, active->z, active->mode->algebraic_count);
    int code = problem_algebraics(active->problem, run->t, active->x, active->z);
    if (code == 0)
        code = problem_events(active->problem, run->t, active->x, active->z, active->h);
    if (code != 0)
        return run_fail_evaluation(run, SALTUS_ERROR_EVALUATION,
                                   run->solver ? "after an event action" : "at the start");
    copy_numbers(active->problem->z_guess, active->z, active->mode->algebraic_count);
    return SALTUS_OK;
}

// What the states have been around the event: their rounding is relative to that.
static void note_scale(SaltusRun *run)
{
    Instance *active = run->active;
    bool same = run->solver && run->solver->problem == active->problem;
    for (int i = 0; i < active->mode->state_count; i++)
        active->x_scale[i] =
            real_larger(fabs(active->x[i]), same ? fabs(run->solver->x_old[i]) : 0.0);
}

static ArmPoint arm_point(const SaltusRun *run)
{
    const Instance *active = run->active;
    return (ArmPoint){.t = run->t,
                      .x = active->x,
                      .z = active->z,
                      .dx = active->dx,
                      .x_scale = active->x_scale,
                      .h = active->h};
}

// The derivative and the noise of the event functions, at what the actions left behind.
static SaltusStatus measure(SaltusRun *run)
{
    if (run->measured)
        return SALTUS_OK;
    Instance *active = run->active;
    SaltusStatus status = derivative_now(run);
    if (status != SALTUS_OK)
        return status;
    note_scale(run);
    ArmPoint point = arm_point(run);
    if (arm_noise(active->problem, &point, active->noise, active->work) != 0)
        return run_fail_evaluation(run, SALTUS_ERROR_EVALUATION, "at an event");
    run->measured = true;
    return SALTUS_OK;
}

// Tells an event function's new sign.
static void tell(SaltusRun *run, int event, int direction)
{
    run->event.fired = run->fired; // a mode entered in this event may have needed more room
    SaltusFired *fired = &run->fired[run->event.fired_count++];
    *fired = (SaltusFired){.mode = run->active->index, .event = event, .direction = direction};
    run->active->sign[event] = (signed char)direction;
}

// The same, of a crossing that counts.
static void fire(SaltusRun *run, int event, int direction)
{
    tell(run, event, direction);
    log_fired(&run->log, run->fired[run->event.fired_count - 1]);
}

// Event functions of a mode just entered: those that are already beyond zero fire if they
// are meant to. A sign that may be rounding is none: it is decided when it is armed.
static SaltusStatus fire_at_entry(SaltusRun *run)
{
    Instance *active = run->active;
    SaltusStatus status = measure(run);
    for (int i = 0; i < active->mode->event_count && status == SALTUS_OK; i++) {
        const SaltusEventDef *def = &active->mode->events[i];
        int sign = fabs(active->h[i]) <= active->noise[i] ? 0 : active->h[i] > 0.0 ? 1 : -1;
        active->sign[i] = (signed char)sign;
        active->armed[i].noise = active->noise[i];
        if (def->at_entry && !def->muted && sign != 0 && sign == (int)def->direction)
            fire(run, i, sign);
    }
    return status;
}

// Event functions that the actions moved over zero, in a direction that counts. What may be
// rounding at the values that the actions left behind is decided when it is armed.
static SaltusStatus fire_by_jump(SaltusRun *run)
{
    Instance *active = run->active;
    for (int i = 0; i < active->mode->event_count; i++) {
        const SaltusEventDef *def = &active->mode->events[i];
        int before = active->sign[i];
        if (fabs(active->h[i]) <= active->armed[i].noise)
            continue;
        int after = active->h[i] > 0.0 ? 1 : -1;
        bool turned = before * after < 0;
        SaltusStatus status = turned ? measure(run) : SALTUS_OK;
        if (status != SALTUS_OK)
            return status;
        if (turned && fabs(active->h[i]) <= active->noise[i])
            continue;
        active->sign[i] = (signed char)after;
        bool counts = def->direction == SALTUS_BOTH || (int)def->direction == after;
        if (turned && counts && !def->muted)
            fire(run, i, after);
    }
    return SALTUS_OK;
}

static SaltusStatus fail_endless(SaltusRun *run)
{
    const SaltusEvent *event = &run->event;
    const Instance *active = run->active;
    const char *why = event->time_count > 0 ? "time events scheduled for this instant"
                                            : "the event update asks for more";
    if (event->fired_count > 0) {
        run->cause = (Cause){.instance = active, .event = run->fired[0].event};
        why = active->mode->events[run->fired[0].event].condition;
    } else if (event->time_count > 0) {
        run->cause = (Cause){.timed = true, .time_id = run->due[0]};
    }
    return run_fail(run, SALTUS_ERROR_EVENT_ITERATION,
                    "the event iteration did not end after %d iterations; the last was caused "
                    "by: %s",
                    event->iteration, why);
}

// Iterates from what has fired so far to the fixed point.
static SaltusStatus iterate(SaltusRun *run, SaltusAction request)
{
    SaltusEvent *event = &run->event;
    for (;;) {
        run->entered = false;
        unsigned answer = perform(run, request);
        request = NULL;
        if (run->error.status < 0)
            return run->error.status;
        SaltusStatus status = evaluate_after(run);
        if (status != SALTUS_OK)
            return status;
        event->fired_count = 0;
        event->occasion = 0;
        if (run->entered)
            event->occasion |= SALTUS_AT_ENTRY;
        status = run->entered ? fire_at_entry(run) : fire_by_jump(run);
        if (status != SALTUS_OK)
            return status;
        if (!take_due(run))
            return run_fail(run, SALTUS_ERROR_MEMORY, "out of memory for time events");
        event->occasion |= event->fired_count > 0 ? SALTUS_AT_CROSSING : 0;
        event->occasion |= event->time_count > 0 ? SALTUS_AT_TIME : 0;
        event->occasion |= answer & SALTUS_AGAIN ? SALTUS_AT_ITERATION : 0;
        bool told = run->entered && run->def->event_update;
        bool again =
            event->fired_count > 0 || event->time_count > 0 || told || (answer & SALTUS_AGAIN);
        if (!again)
            return SALTUS_OK;
        if (++event->iteration >= run->options.max_event_iterations)
            return fail_endless(run);
    }
}

// ---------------------------------------------------------------------------
// Arm
// ---------------------------------------------------------------------------

// Signs of the event functions just after.
static SaltusStatus arm(SaltusRun *run, const SaltusFired *crossings, int crossing_count)
{
    Instance *active = run->active;
    if (active->mode->event_count == 0)
        return SALTUS_OK;
    bool same_mode = run->event.mode_left == active->index;
    for (int i = 0; i < active->mode->event_count; i++) {
        active->armed[i].noise = active->noise[i];
        active->armed[i].handled = 0.0;
    }
    // A root just handled is zero, whatever the locator left of it.
    for (int i = 0; i < crossing_count && same_mode; i++) {
        int event = crossings[i].event;
        active->armed[event].noise =
            real_larger(active->armed[event].noise, 2.0 * fabs(active->h_left[event]));
    }
    ArmPoint point = arm_point(run);
    int code = arm_signs(active->problem, &point, active->armed, active->work);
    return code == 0 ? SALTUS_OK : run_fail_evaluation(run, SALTUS_ERROR_EVALUATION, "at an event");
}

// Event functions that arming turned: a client that keeps relations of its own is told all of
// them, actions only those in a direction that counts. One that had no sign yet, in a mode just
// entered, fires if it is meant to at entry. True if there is anything to tell.
static bool fire_by_arming(SaltusRun *run)
{
    Instance *active = run->active;
    run->event.fired_count = 0;
    for (int i = 0; i < active->mode->event_count; i++) {
        const SaltusEventDef *def = &active->mode->events[i];
        int sign = active->armed[i].sign, before = active->sign[i];
        if (sign == 0 || sign == before || def->muted)
            continue;
        bool counts = def->direction == SALTUS_BOTH || (int)def->direction == sign;
        if (counts && (before != 0 || def->at_entry))
            fire(run, i, sign);
        else if (run->def->event_update)
            tell(run, i, sign);
        active->sign[i] = (signed char)sign;
    }
    return run->event.fired_count > 0;
}

// Values, derivative and signs after the event. When arming turns an event function, that is
// an iteration of its own. In a sliding mode each turn causes the next: then the last sign that
// was told stands by decree, and time goes on.
static SaltusStatus settle(SaltusRun *run, const SaltusFired *crossings, int crossing_count)
{
    for (int i = 0;; i++) {
        SaltusStatus status = measure(run);
        if (status == SALTUS_OK)
            status = arm(run, crossings, crossing_count);
        if (status != SALTUS_OK)
            return status;
        if (i == MOST_ARMINGS) {
            for (int k = 0; k < run->active->mode->event_count; k++)
                run->active->armed[k] =
                    (Armed){.sign = run->active->sign[k], .noise = run->active->noise[k]};
            run->restless = true;
            return SALTUS_OK;
        }
        if (!fire_by_arming(run))
            return SALTUS_OK;
        run->event.occasion = SALTUS_AT_ARMING;
        run->event.iteration++;
        status = iterate(run, NULL);
        if (status != SALTUS_OK)
            return status;
    }
}

// ---------------------------------------------------------------------------
// Close
// ---------------------------------------------------------------------------

static unsigned log_values(SaltusRun *run, const char *const *names, const double *before,
                           const double *after, int count, unsigned class)
{
    if (same_numbers(before, after, count))
        return 0;
    for (int i = 0; i < count; i++) {
        if (memcmp(&before[i], &after[i], sizeof *before) != 0)
            log_change(&run->log, names[i], before[i], after[i]);
    }
    return class;
}

// States over a change of the mode: those that appear, change or disappear.
static unsigned log_structure(SaltusRun *run, Instance *from, const NameMap *map)
{
    const Instance *to = run->active;
    int nx = to->mode->state_count, nx_from = from->mode->state_count;
    unsigned classes = map->same_variables ? SALTUS_SE_F : SALTUS_SE_S;
    for (int i = 0; i < nx; i++) {
        int source = map->source[i];
        double before = source < 0         ? NAN
                        : source < nx_from ? from->x_left[source]
                                           : from->z_left[source - nx_from];
        if (before == to->x[i])
            continue;
        log_change(&run->log, to->mode->state_names[i], before, to->x[i]);
        if (map->same_variables)
            classes |= SALTUS_SE_X;
    }
    for (int j = 0; j < nx_from && !map->same_variables; j++) {
        int now = 0;
        while (now < nx + to->mode->algebraic_count && map->source[now] != j)
            now++;
        if (now < nx)
            continue; // still a state
        double after = now < nx + to->mode->algebraic_count ? to->z[now - nx] : NAN;
        if (from->x_left[j] != after)
            log_change(&run->log, from->mode->state_names[j], from->x_left[j], after);
    }
    return classes;
}

// What the event changed, as a set of classes; logs every change.
static SaltusStatus classify(SaltusRun *run, Instance *from, const SaltusMethod *method_left,
                             long records_before, unsigned *classes)
{
    const SaltusSystemDef *def = run->def;
    unsigned found = log_values(run, def->parameter_names, run->p_left, run->p,
                                def->parameter_count, SALTUS_SE_P);
    found |= log_values(run, def->input_names, run->u_left, run->u, def->input_count, SALTUS_SE_I);
    if (run->active == from) {
        found |= log_values(run, from->mode->state_names, from->x_left, from->x,
                            from->mode->state_count, SALTUS_SE_X);
    } else {
        const NameMap *map = instance_map(run, run->active, from);
        if (!map)
            return run_fail(run, SALTUS_ERROR_MEMORY, "out of memory");
        found |= log_structure(run, from, map);
    }
    bool memory_changed = def->memory_size > 0 && !def->event_update &&
                          memcmp(run->memory, run->memory_left, def->memory_size) != 0;
    if (run->rhs_changed || memory_changed)
        found |= SALTUS_SE_F;
    if (!method_equal(&run->method, method_left))
        found |= SALTUS_SE_A;
    if (run->log.record_count > records_before)
        found |= SALTUS_SE_O;
    *classes = found | run->client_classes;
    return SALTUS_OK;
}

// Zeno behaviour and chattering, per event function.
static SaltusStatus guard(SaltusRun *run, Instance *from, const SaltusFired *crossings, int count)
{
    double horizon = run->stop_time - run->options.start_time;
    for (int i = 0; i < count && run->options.zeno != SALTUS_ZENO_CONTINUE; i++) {
        const SaltusEventDef *def = &from->mode->events[crossings[i].event];
        Guard *guard = &from->guards[crossings[i].event];
        GuardFinding finding = guard_note(guard, run->t, horizon);
        if (finding == GUARD_FINE)
            continue;
        SaltusStatus status =
            run->options.zeno == SALTUS_ZENO_STOP ? SALTUS_ZENO : SALTUS_ERROR_ZENO;
        double accumulation = guard_accumulation(guard), ratio = guard_ratio(guard);
        guard_reset(guard, run->t);
        run->cause = (Cause){0}; // the message has it
        bool spoken = strcmp(def->name, def->condition) != 0;
        char what[160];
        snprintf(what, sizeof what, "the events '%s'%s%s%s", def->name, spoken ? " (" : "",
                 spoken ? def->condition : "", spoken ? ")" : "");
        status =
            finding == GUARD_ZENO
                ? run_fail(run, status,
                           "%s accumulate at t = %.12g: their intervals shrink by the "
                           "factor %.3g and reached the resolution of time",
                           what, accumulation, ratio)
                : run_fail(run, status,
                           "%s chatter: they follow each other at the resolution of time", what);
        run->error.mode = from->index;
        run->error.event = crossings[i].event;
        return status;
    }
    return SALTUS_OK;
}

// What an action made of the method.
static SaltusStatus check_method(SaltusRun *run, const SaltusMethod *method_left)
{
    SaltusError error;
    if (method_equal(&run->method, method_left) || method_check(&run->method, &error) == SALTUS_OK)
        return SALTUS_OK;
    return run_fail(run, SALTUS_ERROR_ARGUMENT, "the method that was chosen: %s", error.message);
}

// The solver's step goes on behind an event that changed nothing. Its dense output, which is
// looked at next, has the roots just handled a little earlier or later than the event.
static SaltusStatus go_on(SaltusRun *run, const SaltusFired *crossings, int count)
{
    Instance *active = run->active;
    if (count == 0)
        return SALTUS_OK;
    if (locating_sample(run, 1, &run->t, active->h_sample) != 0)
        return run_fail_evaluation(run, SALTUS_ERROR_EVALUATION, "at an event");
    for (int i = 0; i < count; i++) {
        int event = crossings[i].event;
        active->armed[event].handled = real_larger(
            DBL_MIN, 2.0 * real_larger(fabs(active->h[event]), fabs(active->h_sample[event])));
    }
    return SALTUS_OK;
}

// The first step after an event: what the solver of the mode would have tried next when it was
// last in use. The next stay in the mode is likely to be like the last one: a much longer step
// would only be cut again. 0: the solver chooses.
static double first_step(const SaltusRun *run, unsigned classes)
{
    const Instance *active = run->active;
    SaltusSolver id = solver_choose(active->problem, instance_method(run, active));
    bool one_step = solver_kind(id)->traits & SOLVER_ONE_STEP;
    if (!one_step || active->stay == 0.0 || (classes & SALTUS_SE_A))
        return 0.0;
    return real_smaller(active->step, 1.5 * active->stay);
}

// Starts the solver anew if the event changed anything the solver knows.
static SaltusStatus restart_if_changed(SaltusRun *run, Instance *from, unsigned classes,
                                       const SaltusFired *crossings, int crossing_count)
{
    unsigned keeps = SALTUS_SE_O;
    bool changed = (classes & ~keeps) != 0 || run->active != from || run->restless;
    bool inside = run->solver && run->solver->problem == run->active->problem;
    if (!changed && inside) {
        if (schedule_next(&run->schedule) >= run->solver->t)
            return go_on(run, crossings, crossing_count);
        changed = true; // a time event now lies inside the step
    }
    return run_restart(run, first_step(run, classes));
}

// Completes the entry of the log; says what the event changed.
static SaltusStatus log_event(SaltusRun *run, Instance *from, const SaltusMethod *method_left,
                              long records_before, unsigned *classes)
{
    unsigned found = 0;
    SaltusStatus status = check_method(run, method_left);
    if (status == SALTUS_OK)
        status = classify(run, from, method_left, records_before, &found);
    if (status == SALTUS_OK && run->log.out_of_memory)
        status = run_fail(run, SALTUS_ERROR_MEMORY, "out of memory for the event log");
    if (status != SALTUS_OK)
        return status;
    SaltusLogEntry *entry = log_entry(&run->log);
    entry->classes = found ? found : SALTUS_SE_O; // its only effect is to be logged
    entry->to = run->active->index;
    entry->iterations = run->event.iteration + 1;
    log_close(&run->log);
    run->statistics.mode_changes += run->active != from;
    if (classes)
        *classes = found;
    return SALTUS_OK;
}

// What follows from an event that is done: row, restart, accumulation.
static SaltusStatus close_event(SaltusRun *run, Instance *from, unsigned classes,
                                const SaltusFired *crossings, int crossing_count)
{
    SaltusStatus status =
        run_record(run, SALTUS_ROW_AFTER_EVENT, run->t, run->active, run->x, run->z);
    if (status != SALTUS_OK)
        return status;
    status = restart_if_changed(run, from, classes, crossings, crossing_count);
    if (status != SALTUS_OK)
        return status;
    if (run->requested_stop)
        return SALTUS_TERMINATED;
    return guard(run, from, crossings, crossing_count);
}

// ---------------------------------------------------------------------------
// The whole
// ---------------------------------------------------------------------------

// An event that failed is undone: the run stands just before it.
static void undo_event(SaltusRun *run, Instance *from, const SaltusMethod *method_left)
{
    const SaltusSystemDef *def = run->def;
    copy_numbers(from->x, from->x_left, from->mode->state_count);
    copy_numbers(from->z, from->z_left, from->mode->algebraic_count);
    copy_numbers(run->p, run->p_left, def->parameter_count);
    copy_numbers(run->u, run->u_left, def->input_count);
    if (def->memory_size > 0)
        memcpy(run->memory, run->memory_left, def->memory_size);
    run->method = *method_left;
    run->active = from;
    show_active(run);
}

// What all events have in common, from the first action on. Its entry of the log is open.
static SaltusStatus run_event(SaltusRun *run, const SaltusFired *crossings, int crossing_count,
                              SaltusAction request)
{
    Instance *from = run->active;
    SaltusMethod method_left = run->method;
    long records_before = run->log.record_count;
    if (!take_due(run))
        return run_fail(run, SALTUS_ERROR_MEMORY, "out of memory for time events");
    run->event.occasion |= run->event.time_count > 0 ? SALTUS_AT_TIME : 0;
    unsigned classes = 0;
    SaltusStatus status = iterate(run, request);
    if (status == SALTUS_OK)
        status = settle(run, crossings, crossing_count);
    if (status == SALTUS_OK)
        status = log_event(run, from, &method_left, records_before, &classes);
    if (status != SALTUS_OK) {
        undo_event(run, from, &method_left);
        log_discard(&run->log);
        return status;
    }
    return close_event(run, from, classes, crossings, crossing_count);
}

SaltusStatus event_handle(SaltusRun *run, unsigned occasion, double bracket,
                          const SaltusFired *crossings, int crossing_count, SaltusAction request)
{
    Instance *active = run->active;
    if (run->t > run->t_restart) {
        active->stay = run->t - run->t_restart;
        active->step = run->solver->step_next;
    }
    open_event(run, occasion);
    SaltusStatus status = derivative_now(run);
    if (status != SALTUS_OK)
        return status;
    keep_left_limits(run);
    status = run_record(run, SALTUS_ROW_BEFORE_EVENT, run->t, active, run->x, run->z);
    if (status != SALTUS_OK)
        return status;
    SaltusLogEntry *entry = log_open(&run->log, run->t, run->active->index);
    if (!entry)
        return run_fail(run, SALTUS_ERROR_MEMORY, "out of memory for the event log");
    for (int i = 0; i < active->mode->event_count; i++)
        active->sign[i] = (signed char)detect_sign(&active->armed[i], active->h[i]);
    for (int i = 0; i < crossing_count; i++) {
        int event = crossings[i].event;
        fire(run, event, crossings[i].direction);
        active->armed[event].noise =
            real_larger(active->armed[event].noise, 2.0 * fabs(active->h[event]));
    }
    run->statistics.events += crossing_count > 0;
    if (crossing_count > 0)
        run->cause = (Cause){.instance = active, .event = crossings[0].event};
    entry->bracket = bracket;
    entry->occasion = occasion;
    status = run_event(run, crossings, crossing_count, request);
    run->cause = (Cause){0};
    return status;
}

// ---------------------------------------------------------------------------
// The beginning, and accepted steps
// ---------------------------------------------------------------------------

// The start action, and consistent values: the state in which the run begins.
static SaltusStatus perform_start(SaltusRun *run)
{
    SaltusMethod method_left = run->method;
    run->starting = true;
    if (run->def->start)
        run->def->start(&run->event);
    run->starting = false;
    if (run->error.status < 0)
        return run->error.status;
    if (run->active->index < 0)
        return run_fail(run, SALTUS_ERROR_MODE, "initial_mode is -1 and start chose no mode");
    SaltusStatus status = check_method(run, &method_left);
    if (status == SALTUS_OK)
        status = evaluate_after(run);
    if (status == SALTUS_OK)
        status = fire_at_entry(run);
    point_left_limits(run);
    keep_left_limits(run);
    return status;
}

// What happens at the very beginning is an event like any other.
static SaltusStatus events_at_start(SaltusRun *run)
{
    SaltusEvent *event = &run->event;
    Instance *from = run->active;
    SaltusMethod method_left = run->method;
    if (!take_due(run))
        return run_fail(run, SALTUS_ERROR_MEMORY, "out of memory for time events");
    event->occasion |= event->fired_count > 0 ? SALTUS_AT_CROSSING : 0;
    event->occasion |= event->time_count > 0 ? SALTUS_AT_TIME : 0;
    bool something = event->fired_count > 0 || event->time_count > 0;
    SaltusLogEntry *entry = log_entry(&run->log);
    entry->occasion = event->occasion;
    entry->from = from->index;
    SaltusStatus status = SALTUS_OK;
    if (something || run->def->event_update)
        status = iterate(run, NULL);
    if (status == SALTUS_OK)
        status = settle(run, NULL, 0);
    something = something || run->active != from || run->log.record_count > 0;
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
    start_values(run->active);
    open_event(run, SALTUS_AT_START);
    keep_left_limits(run);
    if (!log_open(&run->log, run->t, run->active->index))
        return run_fail(run, SALTUS_ERROR_MEMORY, "out of memory for the event log");
    SaltusStatus status = perform_start(run);
    if (status == SALTUS_OK)
        status = events_at_start(run);
    if (status == SALTUS_OK)
        status = run_record(run, SALTUS_ROW_START, run->t, run->active, run->x, run->z);
    if (status == SALTUS_OK)
        status = run_restart(run, 0.0);
    run->cause = (Cause){0};
    return status == SALTUS_OK && run->requested_stop ? SALTUS_TERMINATED : status;
}

// Another selection of states, not other event functions.
static bool same_events(const SaltusModeDef *a, const SaltusModeDef *b)
{
    bool same = a->event_count == b->event_count;
    for (int i = 0; i < a->event_count && same; i++)
        same = strcmp(a->events[i].name, b->events[i].name) == 0 &&
               a->events[i].direction == b->events[i].direction &&
               a->events[i].muted == b->events[i].muted;
    return same;
}

// A mode entered at an accepted step. Where it has the event functions of the mode left, it has
// their signs: to arm them anew could lose a crossing that is just about to happen.
static SaltusStatus enter_at_step(SaltusRun *run, const Instance *from)
{
    Instance *active = run->active;
    if (!same_events(active->mode, from->mode)) {
        for (int i = 0; i < active->mode->event_count; i++)
            active->sign[i] = 0; // nothing is known of them
        return settle(run, NULL, 0);
    }
    for (int i = 0; i < active->mode->event_count; i++) {
        active->armed[i] = from->armed[i];
        active->sign[i] = from->armed[i].sign;
        active->guards[i] = from->guards[i];
    }
    return SALTUS_OK;
}

// Anything that the solver has to know of. Client memory may be written at every step.
static bool changed_at_step(const SaltusRun *run, const Instance *from,
                            const SaltusMethod *method_left)
{
    return run->entered || !same_numbers(from->x, from->x_left, from->mode->state_count) ||
           !same_numbers(run->p, run->p_left, run->def->parameter_count) ||
           !same_numbers(run->u, run->u_left, run->def->input_count) ||
           !method_equal(method_left, &run->method);
}

SaltusStatus event_accepted(SaltusRun *run)
{
    if (!run->def->accepted)
        return SALTUS_OK;
    Instance *from = run->active;
    SaltusMethod method_left = run->method;
    Solver *solver = run->solver;
    copy_numbers(from->x, run->x, from->mode->state_count);
    copy_numbers(from->z, run->z, from->mode->algebraic_count);
    open_event(run, SALTUS_AT_STEP);
    SaltusStatus status = SALTUS_OK;
    if (solver->dx)
        copy_numbers(from->dx, solver->dx, from->mode->state_count);
    else
        status = derivative_now(run);
    if (status != SALTUS_OK)
        return status;
    keep_left_limits(run);
    for (int i = 0; i < from->mode->event_count; i++)
        from->sign[i] = from->armed[i].sign;
    run->def->accepted(&run->event);
    status = run->error.status < 0 ? run->error.status : check_method(run, &method_left);
    if (status == SALTUS_OK && !changed_at_step(run, from, &method_left)) {
        run->x = solver->x;
        run->z = solver->z;
        return run->requested_stop ? SALTUS_TERMINATED : SALTUS_OK;
    }
    if (status == SALTUS_OK)
        status = evaluate_after(run);
    if (status == SALTUS_OK)
        status = run->active != from ? enter_at_step(run, from) : settle(run, NULL, 0);
    run->cause = (Cause){0};
    if (status != SALTUS_OK) {
        undo_event(run, from, &method_left);
        return status;
    }
    run->statistics.reselections += run->active != from;
    status = run_restart(run, solver->step_next);
    return status == SALTUS_OK && run->requested_stop ? SALTUS_TERMINATED : status;
}
