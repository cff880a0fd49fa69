// SPDX-License-Identifier: MIT
//
// The engine arms its event functions with the signs that they have just after an event, whatever
// their values are up to rounding. An integrator outside knows values only. So a function that is
// on the wrong side by rounding is shown as barely on its own side until it has been seen there;
// from then on its value is literal, and where the integrator says that it is zero or beyond, it
// fires. Any later time at which it was asked for counts: from one event to the next there may be
// no step that ends between them.

#include "hybrid/exchange.h"

#include "base/real.h"
#include "events/arm.h"
#include "hybrid/run.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Whether a function that is armed has been seen on its side since: `handled` of Armed is for the
// detector, which does not run here; below zero it says so.
static const double exchange_seen = -1.0;

static bool exchange_is_seen(const Armed *armed)
{
    return armed->handled == exchange_seen;
}

static double exchange_show(const SaltusEventDef *def, Armed *armed, double h, bool is_later)
{
    if (def->is_muted)
        return 1.0;
    if (is_later && h * armed->sign > 0.0 && fabs(h) > armed->noise)
        armed->handled = exchange_seen;
    const bool is_behind = armed->sign != 0 && h * armed->sign <= 0.0;
    if (is_behind && !exchange_is_seen(armed) && fabs(h) <= armed->noise)
        return armed->sign * DBL_MIN;
    return h;
}

int exchange_evaluate(SaltusRun *run, double t, const double *x, double *dx, double *h, double *y)
{
    RunInstance *active = run->active;
    const SaltusModeDef *mode = active->mode;
    int code = 0;
    real_copy(active->sample.z, run->z, mode->algebraic_count);
    if (mode->state_count > 0 || mode->algebraic_count > 0)
        code = problem_rhs(active->problem, t, x, active->sample.z, dx ? dx : active->dx);
    if (code == 0 && h && mode->event_count > 0)
        code = problem_events(active->problem, t, x, active->sample.z, h);
    for (int i = 0; h && code == 0 && i < mode->event_count; i++)
        h[i] = exchange_show(&mode->events[i], &active->armed[i], h[i], t > run->t);
    if (code == 0 && y)
        code = problem_outputs(active->problem, t, x, active->sample.z, y);
    return code;
}

void exchange_accept(SaltusRun *run, double t, const double *x)
{
    RunInstance *active = run->active;
    double *h = active->sample.h;
    if (active->mode->event_count == 0 || exchange_evaluate(run, t, x, NULL, h, NULL) != 0)
        return;
    for (int i = 0; i < active->mode->event_count; i++) {
        Armed *armed = &active->armed[i];
        if (active->mode->events[i].is_muted)
            continue;
        if (armed->sign == 0 && fabs(h[i]) > armed->noise)
            armed->sign = h[i] > 0.0 ? 1 : -1; // it rested at zero, and leaves it
        if (h[i] * armed->sign > DBL_MIN)
            armed->handled = exchange_seen;
    }
}

// The run stands at the time and states; its event functions are those there.
static SaltusStatus exchange_place(SaltusRun *run, double t, const double *x)
{
    RunInstance *active = run->active;
    const SaltusModeDef *mode = active->mode;
    real_copy(active->z, run->z, mode->algebraic_count);
    real_copy(active->x, x, mode->state_count);
    run->x = active->x;
    run->z = active->z;
    run->t = t;
    if ((mode->state_count > 0 || mode->algebraic_count > 0) &&
        problem_rhs(active->problem, t, active->x, active->z, active->dx) != 0)
        return run_fail_evaluation(run, SALTUS_ERROR_EVALUATION, "at an event");
    if (mode->event_count > 0 &&
        problem_events(active->problem, t, active->x, active->z, active->h) != 0)
        return run_fail_evaluation(run, SALTUS_ERROR_EVALUATION, "at an event");
    return SALTUS_OK;
}

// Whether a function is at zero up to rounding, on the side where it has been: the integrator may
// have ended its step here because of it, and takes it to be beyond.
static bool exchange_is_near(const SaltusEventDef *def, const Armed *armed, double h)
{
    return !def->is_muted && exchange_is_seen(armed) && h * armed->sign > 0.0 &&
           fabs(h) <= armed->noise;
}

// The sides that the flow carries such functions to; NULL: there are none, or it cannot be told.
static Armed *exchange_look_ahead(const SaltusRun *run)
{
    const RunInstance *active = run->active;
    const int count = active->mode->event_count;
    bool is_any = false;
    for (int i = 0; i < count; i++)
        is_any =
            is_any || exchange_is_near(&active->mode->events[i], &active->armed[i], active->h[i]);
    Armed *ahead = is_any ? malloc((size_t)count * sizeof *ahead) : NULL;
    if (!ahead)
        return NULL;
    memcpy(ahead, active->armed, (size_t)count * sizeof *ahead);
    const ArmPoint point = {.t = run->t,
                            .x = active->x,
                            .z = active->z,
                            .dx = active->dx,
                            .x_scale = active->size.step,
                            .h = active->h};
    if (arm_signs(active->problem, &point, ahead, active->work) == 0)
        return ahead;
    free(ahead);
    return NULL;
}

static int exchange_find_crossings(SaltusRun *run)
{
    RunInstance *active = run->active;
    Armed *ahead = exchange_look_ahead(run);
    int count = 0;
    for (int i = 0; i < active->mode->event_count; i++) {
        const SaltusEventDef *def = &active->mode->events[i];
        Armed *armed = &active->armed[i];
        const double h = active->h[i];
        const bool is_passing =
            ahead && exchange_is_near(def, armed, h) && ahead[i].sign == -armed->sign;
        const bool is_behind = armed->sign != 0 && (h * armed->sign <= 0.0 || is_passing);
        const bool is_clear = exchange_is_seen(armed) || fabs(h) > armed->noise;
        armed->handled = 0.0;
        if (def->is_muted || !is_behind || !is_clear ||
            (def->direction != SALTUS_BOTH && (int)def->direction != -armed->sign))
            continue;
        run->now.crossed[count++] =
            (SaltusFired){.mode = active->index, .event = i, .direction = -armed->sign};
    }
    free(ahead);
    return count;
}

SaltusStatus exchange_event(SaltusRun *run, double t, const double *x)
{
    // A time event that is this near is meant: integrators come to its time by sums of steps.
    const double next = schedule_next(&run->schedule);
    const double size = real_larger(fabs(t), fabs(run->options.start_time));
    if (next > t && next - t <= 1e-12 * size)
        t = next;
    if (run->status.has_failed)
        return run->error.status;
    if (!(t >= run->t))
        return run_fail(run, SALTUS_ERROR_ARGUMENT, "cannot go back to %.10g", t);
    run->status.is_busy = run->stretch.is_exchanged = true;
    run->t_restart = t; // the solver took no step
    run_forget_error(run, t);
    SaltusStatus status = exchange_place(run, t, x);
    const int count = status == SALTUS_OK ? exchange_find_crossings(run) : 0;
    if (status == SALTUS_OK && (count > 0 || next <= t))
        status = event_handle(run, count > 0 ? SALTUS_AT_CROSSING : 0, 0.0, run->now.crossed, count,
                              NULL);
    else if (status == SALTUS_OK)
        status = event_accepted(run); // maybe other states: reselect_is_due
    run->status.is_busy = false;
    run->status.has_failed = status < 0;
    return status;
}

SaltusStatus exchange_fire(SaltusRun *run, double t, const double *x, const double *z,
                           const SaltusFired *crossings, int count)
{
    RunInstance *active = run->active;
    run->status.is_busy = run->stretch.is_exchanged = true;
    run->t_restart = t;
    run_forget_error(run, t);
    real_copy(active->problem->z_guess, z, active->mode->algebraic_count);
    SaltusStatus status = exchange_place(run, t, x);
    if (status == SALTUS_OK)
        status = event_handle(run, count > 0 ? SALTUS_AT_CROSSING : 0, 0.0, crossings, count, NULL);
    run->status.is_busy = false;
    run->status.has_failed = status < 0;
    return status;
}

void exchange_set_parameter(SaltusRun *run, int index, double value)
{
    run->data.p[index] = value;
}
