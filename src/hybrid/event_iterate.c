// SPDX-License-Identifier: MIT
//
// The iterations of an event: actions or the client's update, event functions that they moved
// over zero, and the signs just after the event, until nothing turns any more.
//
// Two loops, one in the other. The inner one (event_iterate) performs what has fired, evaluates
// what belongs to the new values, and fires the functions that these moved over zero, and the time
// events that are due now, until there are none. Then functions that are zero are armed with the
// sign that the flow gives them (events/arm.h); those that get another sign than they had fire, and
// the inner loop begins again. At the end each function has the sign that it has just after the
// event.
//
// Two things could go on for ever: signs that are rounding (their noise is taken for larger after
// some rounds, `doubt`), and sliding, where arming turns the same function to and fro. Both are
// counted, and the latter is left to the client or ends with a message.

#include "base/message.h"
#include "base/real.h"
#include "events/arm.h"
#include "hybrid/event_parts.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>

// Iterations caused by arming alone. A blow that bodies in contact pass on takes one for each
// contact; a sliding mode would go on for ever, to and fro: after an even number the function that
// fired has its new sign.
enum { ARMINGS_PER_FUNCTION = 4, MOST_ARMINGS = 100 };

static SaltusStatus fail_here(SaltusRun *run)
{
    return run_fail_evaluation(run, SALTUS_ERROR_EVALUATION,
                               run->solver ? "at an event" : "at the start");
}

// x' at the event, for the left limits and for arming.
SaltusStatus event_derivative(SaltusRun *run)
{
    RunInstance *active = run->active;
    if (active->problem->form == PROBLEM_IMPLICIT) {
        const bool is_same = run->solver && run->solver->problem == active->problem;
        const double *dx = is_same ? run->solver->dx : NULL;
        for (int i = 0; i < active->mode->state_count; i++)
            active->dx[i] = dx ? dx[i] : 0.0;
        return SALTUS_OK;
    }
    int code = problem_rhs(active->problem, run->t, active->x, active->z, active->dx);
    if (code == 0)
        code = problem_check(active->problem, active->dx, active->mode->state_count, 0,
                             "the right-hand side", run->t);
    return code == 0 ? SALTUS_OK : fail_here(run);
}

// Takes the time events that are due; false: out of memory.
bool event_take_due(SaltusRun *run)
{
    int count = 0, id = 0;
    while (schedule_take(&run->schedule, run->t, &id)) {
        if (count == run->now.due_capacity) {
            const int capacity = 2 * count + 8;
            int *grown = memory_resize(run->allocator, run->now.due, (size_t)capacity, sizeof(int));
            if (!grown)
                return false;
            run->now.due = grown;
            run->now.due_capacity = capacity;
        }
        run->now.due[count++] = id;
        log_time(&run->log, id);
        run->statistics.time_events++;
    }
    run->now.event.time_ids = run->now.due;
    run->now.event.time_count = count;
    return true;
}

// ---------------------------------------------------------------------------
// Iterate
// ---------------------------------------------------------------------------

static void perform_actions(SaltusRun *run, SaltusAction request)
{
    SaltusEvent *event = &run->now.event;
    RunInstance *before = run->active;
    if (request)
        request(event);
    for (int i = 0; i < event->fired_count && run->error.status >= 0; i++) {
        // The events of a mode that was left in this iteration are over.
        if (run->now.has_entered || run->active != before)
            break;
        event->event = event->fired[i].event;
        run->now.cause = (Cause){.instance = before, .event = event->event};
        SaltusAction action = before->mode->events[event->event].action;
        if (action)
            action(event);
    }
    event->event = -1;
    const int due = event->time_count;
    for (int i = 0; i < due && run->def->time_action && run->error.status >= 0; i++) {
        event->time_ids = run->now.due + i;
        event->time_count = 1;
        run->now.cause = (Cause){.is_timed = true, .time_id = run->now.due[i]};
        run->def->time_action(event);
    }
    event->time_ids = run->now.due;
    event->time_count = due;
}

static unsigned event_iterate_perform(SaltusRun *run, SaltusAction request)
{
    unsigned answer = 0;
    run->statistics.event_iterations++;
    if (run->def->event_update && !(run->now.event.iteration == 0 && request))
        answer = run->def->event_update(&run->now.event);
    else
        perform_actions(run, request);
    // What a request with an argument changed is the client's to follow.
    if (request && run->now.event.argument && run->def->event_update)
        answer |= SALTUS_AGAIN | SALTUS_MEMORY_CHANGED;
    if (run->now.has_entered)
        answer &= ~(unsigned)SALTUS_VALUES_KEPT;
    if (!(answer & SALTUS_VALUES_KEPT))
        run->now.is_measured = run->now.is_armed = false;
    run->now.answers |= answer;
    return answer;
}

// The states that nobody has set, by name.
static SaltusStatus fail_undetermined(SaltusRun *run)
{
    const SaltusModeDef *mode = run->active->mode;
    const char *first = NULL;
    char *names = NULL;
    message_set(&names, "%s", "");
    for (int i = 0; i < mode->state_count; i++) {
        if (isfinite(run->active->x[i]))
            continue;
        message_add(&names, "%s%s", first ? ", " : "", mode->state_names[i]);
        first = first ? first : mode->state_names[i];
    }
    const bool is_entered = run->now.has_entered || run->now.event.occasion & SALTUS_AT_START;
    run_fail(run, SALTUS_ERROR_UNDETERMINED, "%s: %s",
             is_entered ? "entering the mode leaves undetermined"
                        : "the action gave no finite value to",
             message_text(names));
    free(names);
    run->error.variable = is_entered ? NULL : first;
    return SALTUS_ERROR_UNDETERMINED;
}

// Algebraic variables and event functions that belong to what the actions left behind.
SaltusStatus event_evaluate(SaltusRun *run)
{
    RunInstance *active = run->active;
    for (int i = 0; i < active->mode->state_count; i++) {
        if (!isfinite(active->x[i]))
            return fail_undetermined(run);
    }
    // Whoever set the states has put guesses into z; a joint evaluation starts from them, too.
    real_copy(active->problem->z_guess, active->z, active->mode->algebraic_count);
    int code = problem_algebraics(active->problem, run->t, active->x, active->z);
    if (code == 0)
        code = problem_events(active->problem, run->t, active->x, active->z, active->h);
    if (code != 0)
        return run_fail_evaluation(run, SALTUS_ERROR_EVALUATION,
                                   run->solver ? "after an event action" : "at the start");
    real_copy(active->problem->z_guess, active->z, active->mode->algebraic_count);
    return SALTUS_OK;
}

// What the states have been around the event: their rounding is relative to that.
static void note_scale(SaltusRun *run)
{
    RunInstance *active = run->active;
    const bool is_same = run->solver && run->solver->problem == active->problem;
    for (int i = 0; i < active->mode->state_count; i++) {
        active->size.step[i] =
            real_larger(fabs(active->x[i]), is_same ? fabs(run->solver->x_old[i]) : 0.0);
        active->size.stay[i] = real_larger(active->size.stay[i], active->size.step[i]);
    }
}

static ArmPoint arm_point(const SaltusRun *run)
{
    const RunInstance *active = run->active;
    const bool is_irregular =
        guards_are_irregular(active->guards, active->mode->event_count, run->t);
    return (ArmPoint){.t = run->t,
                      .x = active->x,
                      .z = active->z,
                      .dx = active->dx,
                      .x_scale = active->size.step,
                      .h = active->h,
                      .doubt = run->now.doubt,
                      .by_tolerance = run->now.doubt > 0.0 || is_irregular,
                      .step = is_irregular ? locating_explicit_step(run) : 0.0};
}

// The derivative and the noise of the event functions, at what the actions left behind.
static SaltusStatus measure(SaltusRun *run)
{
    if (run->now.is_measured)
        return SALTUS_OK;
    RunInstance *active = run->active;
    const SaltusStatus status = event_derivative(run);
    if (status != SALTUS_OK)
        return status;
    note_scale(run);
    ArmPoint point = arm_point(run);
    if (arm_noise(active->problem, &point, active->noise, active->work) != 0)
        return fail_here(run);
    guards_raise_noise(active->guards, active->mode->event_count, run->t, active->noise);
    run->now.is_measured = true;
    return SALTUS_OK;
}

// Tells an event function's new sign.
static void tell(SaltusRun *run, int event, int direction)
{
    run->now.event.fired = run->now.fired; // a mode entered in this event may have needed more room
    SaltusFired *fired = &run->now.fired[run->now.event.fired_count++];
    *fired = (SaltusFired){.mode = run->active->index, .event = event, .direction = direction};
    run->active->said.sign[event] = (signed char)direction;
}

// The same, of a crossing that counts.
void event_fire(SaltusRun *run, int event, int direction)
{
    tell(run, event, direction);
    log_fired(&run->log, run->now.fired[run->now.event.fired_count - 1]);
}

// An event function below this is zero.
static double event_iterate_noise_of(const RunInstance *active, int event)
{
    return real_larger(active->noise[event], active->said.zero[event]);
}

// Event functions of a mode just entered: those that are already beyond zero fire if they
// are meant to. A sign that may be rounding is none: it is decided when it is armed.
SaltusStatus event_fire_at_entry(SaltusRun *run)
{
    RunInstance *active = run->active;
    const SaltusStatus status = measure(run);
    for (int i = 0; i < active->mode->event_count && status == SALTUS_OK; i++) {
        const SaltusEventDef *def = &active->mode->events[i];
        const double noise = event_iterate_noise_of(active, i);
        const int sign = fabs(active->h[i]) <= noise ? 0 : active->h[i] > 0.0 ? 1 : -1;
        active->said.sign[i] = (signed char)sign;
        active->armed[i].noise = noise;
        if (def->at_entry && !def->is_muted && sign != 0 && sign == (int)def->direction)
            event_fire(run, i, sign);
    }
    return status;
}

// Event functions that the actions moved over zero, in a direction that counts. What may be
// rounding at the values that the actions left behind is decided when it is armed.
static SaltusStatus fire_by_jump(SaltusRun *run)
{
    RunInstance *active = run->active;
    for (int i = 0; i < active->mode->event_count; i++) {
        const SaltusEventDef *def = &active->mode->events[i];
        const int before = active->said.sign[i];
        if (fabs(active->h[i]) <= active->armed[i].noise)
            continue;
        const int after = active->h[i] > 0.0 ? 1 : -1;
        const bool has_turned = before * after < 0;
        const SaltusStatus status = has_turned ? measure(run) : SALTUS_OK;
        if (status != SALTUS_OK)
            return status;
        if (has_turned && fabs(active->h[i]) <= event_iterate_noise_of(active, i))
            continue;
        active->said.sign[i] = (signed char)after;
        const bool counts = def->direction == SALTUS_BOTH || (int)def->direction == after;
        if (has_turned && counts && !def->is_muted)
            event_fire(run, i, after);
    }
    return SALTUS_OK;
}

static SaltusStatus event_iterate_fail_endless(SaltusRun *run)
{
    const SaltusEvent *event = &run->now.event;
    const RunInstance *active = run->active;
    const char *why = event->time_count > 0 ? "time events scheduled for this instant"
                                            : "the event update asks for more";
    if (event->fired_count > 0) {
        run->now.cause = (Cause){.instance = active, .event = run->now.fired[0].event};
        why = active->mode->events[run->now.fired[0].event].condition;
    } else if (event->time_count > 0) {
        run->now.cause = (Cause){.is_timed = true, .time_id = run->now.due[0]};
    }
    return run_fail(run, SALTUS_ERROR_EVENT_ITERATION,
                    "the event iteration did not end after %d iterations; the last was caused "
                    "by: %s",
                    event->iteration, why);
}

// Signs that go to and fro may be those of rounding, which has been measured too small: an event
// function that is computed from a difference by a large factor moves in steps, and a disturbance
// that is less than one of them does not show. So larger ones are looked at.
static void event_doubt(SaltusRun *run, int rounds)
{
    enum { FIRST_DOUBT = 3, SECOND_DOUBT = 6 };
    const double doubt = rounds < FIRST_DOUBT ? 0.0 : rounds < SECOND_DOUBT ? 64.0 : 4096.0;
    if (doubt != run->now.doubt)
        run->now.is_measured = run->now.is_armed = false;
    run->now.doubt = doubt;
}

// Iterates from what has fired so far to the fixed point.
SaltusStatus event_iterate(SaltusRun *run, SaltusAction request)
{
    enum { JUMPS_PER_ROUND = 8 }; // one after the other, the functions of a chain may jump
    SaltusEvent *event = &run->now.event;
    for (int jumps = 0;;) {
        run->now.has_entered = false;
        const unsigned answer = event_iterate_perform(run, request);
        request = NULL;
        if (run->error.status < 0)
            return run->error.status;
        const bool is_kept = answer & SALTUS_VALUES_KEPT;
        SaltusStatus status = is_kept ? SALTUS_OK : event_evaluate(run);
        if (status != SALTUS_OK)
            return status;
        event->fired_count = 0;
        event->occasion = 0;
        if (run->now.has_entered)
            event->occasion |= SALTUS_AT_ENTRY;
        if (!is_kept)
            status = run->now.has_entered ? event_fire_at_entry(run) : fire_by_jump(run);
        if (status != SALTUS_OK)
            return status;
        jumps = event->fired_count > 0 && !run->now.has_entered ? jumps + 1 : 0;
        if (jumps > 0 && jumps % JUMPS_PER_ROUND == 0)
            event_doubt(run, jumps / JUMPS_PER_ROUND);
        if (!event_take_due(run))
            return run_fail(run, SALTUS_ERROR_MEMORY, "out of memory for time events");
        event->occasion |= event->fired_count > 0 ? SALTUS_AT_CROSSING : 0;
        event->occasion |= event->time_count > 0 ? SALTUS_AT_TIME : 0;
        event->occasion |= answer & SALTUS_AGAIN ? SALTUS_AT_ITERATION : 0;
        const bool was_told = run->now.has_entered && run->def->event_update;
        bool again =
            event->fired_count > 0 || event->time_count > 0 || was_told || (answer & SALTUS_AGAIN);
        if (!again)
            return SALTUS_OK;
        if (++event->iteration >= run->options.max_event_iterations)
            return event_iterate_fail_endless(run);
    }
}

// ---------------------------------------------------------------------------
// Arm
// ---------------------------------------------------------------------------

// A crossing that came to nothing: what the event did keeps the function at zero (y of y = max(0,
// u) as u falls below zero), where it counts as what it was before. Unless the client was told so
// and insists that it has crossed, by however little: then other conditions depend on it.
static void stay_at_zero(RunInstance *active, const SaltusFired *crossings, int crossing_count)
{
    for (int i = 0; i < crossing_count; i++) {
        int event = crossings[i].event, direction = crossings[i].direction;
        bool is_zero =
            fabs(active->h[event]) <= event_iterate_noise_of(active, event); // not only near to it
        const bool insists = active->said.sign[event] == -direction &&
                             active->said.held[event] == direction &&
                             active->h[event] * direction > 0.0;
        if (active->armed[event].sign == 0 && is_zero && !insists &&
            active->mode->events[event].at_zero == -direction)
            active->armed[event].sign = (signed char)-direction;
    }
}

// The noise of a function that has jumped was measured across the jump, by states that were
// disturbed: it is not larger than this part of the function beside it.
static void limit_noise(RunInstance *active, int event)
{
    static const double part = 1e-10;
    active->noise[event] = real_smaller(active->noise[event], part * fabs(active->left.h[event]));
}

// What has decayed so far that its own rounding is not relative any more is zero: the speed of a
// ball that has come to rest in a dashpot.
static const double vanishing = DBL_MIN / DBL_EPSILON;

// Signs of the event functions just after.
static SaltusStatus arm(SaltusRun *run, const SaltusFired *crossings, int crossing_count)
{
    RunInstance *active = run->active;
    if (active->mode->event_count == 0)
        return SALTUS_OK;
    const bool is_same_mode = run->now.event.left.mode == active->index;
    // A root just handled is zero, whatever the locator left of it. Where events are not located,
    // the run is really beyond it.
    const bool is_located = run->options.backstep == SALTUS_BACKSTEP && !run->trouble.is_unlocated;
    const int rooted = is_same_mode && is_located ? crossing_count : 0;
    for (int i = 0; i < rooted; i++)
        if (active->left.has_jumped[crossings[i].event])
            limit_noise(active, crossings[i].event);
    for (int i = 0; i < active->mode->event_count; i++) {
        active->armed[i].noise = event_iterate_noise_of(active, i);
        active->armed[i].rounding = active->noise[i];
        active->armed[i].handled = 0.0;
        active->armed[i].has_left = false;
    }
    for (int i = 0; i < rooted; i++) {
        const int event = crossings[i].event;
        if (!active->left.has_jumped[event])
            active->armed[event].noise =
                real_larger(active->armed[event].noise, 2.0 * fabs(active->left.h[event]));
    }
    ArmPoint point = arm_point(run);
    const int code = arm_signs(active->problem, &point, active->armed, active->work);
    if (code == 0 && is_same_mode)
        stay_at_zero(active, crossings, crossing_count);
    for (int i = 0; i < active->mode->event_count; i++) {
        active->armed[i].noise = real_larger(active->armed[i].noise, vanishing);
        active->armed[i].rounding = real_larger(active->armed[i].rounding, vanishing);
    }
    return code == 0 ? SALTUS_OK : fail_here(run);
}

// The sign that the client's own relation has, if it has said so; else the one it was told last.
// The two differ where the client settled what is zero by itself.
static int sign_of_client(const SaltusRun *run, int event)
{
    const RunInstance *active = run->active;
    return active->said.held[event] ? active->said.held[event] : active->said.sign[event];
}

// Event functions that arming turned: a client that keeps relations of its own is told all of
// them, actions only those in a direction that counts. One that had no sign yet, in a mode just
// entered, fires if it is meant to at entry. True if there is anything to tell.
static bool fire_by_arming(SaltusRun *run)
{
    RunInstance *active = run->active;
    run->now.event.fired_count = 0;
    for (int i = 0; i < active->mode->event_count; i++) {
        const SaltusEventDef *def = &active->mode->events[i];
        int sign = active->armed[i].sign, before = active->said.sign[i];
        if (sign == 0 || sign == sign_of_client(run, i) || def->is_muted)
            continue;
        const bool counts = def->direction == SALTUS_BOTH || (int)def->direction == sign;
        // At the start a client's changes have no other cause than what it is told here.
        const bool is_cause = !run->solver && run->def->event_update;
        if ((counts && (before != 0 || def->at_entry)) || is_cause)
            event_fire(run, i, sign);
        else if (run->def->event_update)
            tell(run, i, sign);
        active->said.sign[i] = (signed char)sign;
    }
    return run->now.event.fired_count > 0;
}

// The last sign that was told stands, or the one that the client has made of it: where its function
// goes to the other side after all, that is a crossing. A function that rests at zero has none.
static void sign_by_decree(SaltusRun *run)
{
    RunInstance *active = run->active;
    for (int i = 0; i < active->mode->event_count; i++) {
        const bool rests = active->armed[i].sign == 0;
        active->armed[i] = (Armed){.sign = rests ? 0 : (signed char)sign_of_client(run, i),
                                   .noise = active->noise[i],
                                   .rounding = active->noise[i]};
    }
}

// A client's relation that is clearly not what its function says, however often it was told: going
// on would be wrong without a word. (Clearly: also beyond what iterations for algebraic variables
// leave. What is less shows at the end of the next step.)
static SaltusStatus check_client(SaltusRun *run)
{
    static const double beyond_doubt = 1e6;
    const RunInstance *active = run->active;
    for (int i = 0; i < active->mode->event_count && run->def->event_update; i++) {
        const SaltusEventDef *def = &active->mode->events[i];
        if (def->is_muted || active->said.held[i] * active->h[i] >= 0.0 ||
            fabs(active->h[i]) <= beyond_doubt * event_iterate_noise_of(active, i))
            continue;
        run->now.cause = (Cause){.instance = active, .event = i};
        return run_fail(run, SALTUS_ERROR_EVENT_ITERATION,
                        "conditions contradict each other: %s has no value that agrees with "
                        "what follows from it",
                        def->condition);
    }
    return SALTUS_OK;
}

// A function that rests at zero counts as the client says.
static void sign_at_rest(RunInstance *active)
{
    for (int i = 0; i < active->mode->event_count; i++) {
        if (active->armed[i].sign == 0 && active->said.rest[i] != 0)
            active->armed[i].sign = active->said.sign[i] = active->said.rest[i];
    }
}

// Values, derivative and signs after the event. When arming turns an event function, that is
// an iteration of its own. Where both sides of a surface lead to it each turn causes the next,
// unless the client enters a mode that slides: then the last sign that was told stands by decree,
// and time goes on.
SaltusStatus event_settle(SaltusRun *run, const SaltusFired *crossings, int crossing_count)
{
    int rounds_here = 0; // in one mode; from mode to mode it is a cascade, of any length
    for (int i = 0;; i++) {
        const RunInstance *before = run->active;
        SaltusStatus status = measure(run);
        if (status == SALTUS_OK && !run->now.is_armed)
            status = arm(run, crossings, crossing_count);
        run->now.is_armed = true;
        if (status != SALTUS_OK)
            return status;
        const int count = run->active->mode->event_count;
        if (i >= MOST_ARMINGS || rounds_here / ARMINGS_PER_FUNCTION > count) {
            // It was no noise after all.
            run->now.doubt = 0.0;
            run->now.is_measured = false;
            status = measure(run);
            for (int k = 0; k < crossing_count && run->active->index == run->now.event.left.mode;
                 k++)
                if (run->active->left.has_jumped[crossings[k].event])
                    limit_noise(run->active, crossings[k].event);
            sign_by_decree(run);
            run->now.is_restless = true;
            return status == SALTUS_OK ? check_client(run) : status;
        }
        if (!fire_by_arming(run)) {
            sign_at_rest(run->active);
            return SALTUS_OK;
        }
        run->now.event.occasion = SALTUS_AT_ARMING;
        run->now.event.iteration++;
        status = event_iterate(run, NULL);
        if (status != SALTUS_OK)
            return status;
        rounds_here = run->active == before ? rounds_here + 1 : 0;
        event_doubt(run, rounds_here);
    }
}

bool event_rests(SaltusRun *run, SaltusFired crossing)
{
    if (measure(run) != SALTUS_OK || arm(run, &crossing, 1) != SALTUS_OK)
        return false;
    const bool rests = run->active->armed[crossing.event].sign == 0;
    sign_at_rest(run->active);
    return rests;
}
