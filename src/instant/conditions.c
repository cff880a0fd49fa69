// SPDX-License-Identifier: MIT

#include "instant/conditions.h"

#include "base/message.h"
#include "instant/probe.h"
#include "numerics/disturbance.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

// ---------------------------------------------------------------------------
// Values by sides
// ---------------------------------------------------------------------------

// The side of sin(pi x) where the whole part of x is this.
static Side side_of_whole(double whole)
{
    return fmod(whole, 2.0) == 0.0 ? SIDE_ABOVE : SIDE_BELOW;
}

// The whole part of x, which is near a whole number, by the sign of sin(pi x).
static double whole_by_side(double x, Side side)
{
    const double nearest = round(x);
    const bool is_above = side_of_whole(nearest) == SIDE_ABOVE;
    return is_above == (side == SIDE_ABOVE) ? nearest : nearest - 1.0;
}

double conditions_value(const ModelHold *hold, Side side, double x)
{
    switch (hold->op) {
    case OPERATOR_LESS:
    case OPERATOR_LESS_EQUAL:
        return side == SIDE_BELOW;
    case OPERATOR_GREATER:
    case OPERATOR_GREATER_EQUAL:
        return side == SIDE_ABOVE;
    case OPERATOR_CEIL:
        return whole_by_side(x, side) + 1.0;
    case OPERATOR_DIV: {
        const double whole = whole_by_side(x, side);
        return whole < 0.0 ? whole + 1.0 : whole;
    }
    default:
        return whole_by_side(x, side);
    }
}

Side conditions_side(const ModelHold *hold, double value)
{
    switch (hold->op) {
    case OPERATOR_LESS:
    case OPERATOR_LESS_EQUAL:
        return value != 0.0 ? SIDE_BELOW : SIDE_ABOVE;
    case OPERATOR_GREATER:
    case OPERATOR_GREATER_EQUAL:
        return value != 0.0 ? SIDE_ABOVE : SIDE_BELOW;
    case OPERATOR_FLOOR:
    case OPERATOR_INTEGER:
        return side_of_whole(value);
    case OPERATOR_CEIL:
        return side_of_whole(value - 1.0);
    case OPERATOR_DIV: // 0 is right on both sides of zero
        return value == 0.0 ? SIDE_ZERO : side_of_whole(value > 0.0 ? value : value - 1.0);
    default:
        return SIDE_ZERO;
    }
}

double conditions_at_zero(const ModelHold *hold)
{
    return hold->op == OPERATOR_LESS_EQUAL || hold->op == OPERATOR_GREATER_EQUAL;
}

const ModelHold *conditions_of_event(const Mode *mode, EventNumber event)
{
    for (uint32_t i = 0; i < mode->conditions.hold_count; i++)
        if (mode->conditions.holds[i].kind == HOLD_CROSSING &&
            mode->conditions.holds[i].index == event)
            return &mode->conditions.holds[i];
    return NULL;
}

bool conditions_grows(const ModelHold *hold, double x)
{
    return conditions_is_relation(hold) || side_of_whole(round(x)) == SIDE_ABOVE;
}

double conditions_beside(const ModelHold *hold, bool is_above, double x)
{
    if (conditions_is_relation(hold))
        return hold->is_below != is_above;
    const bool is_positive = is_above == conditions_grows(hold, x);
    return conditions_value(hold, is_positive ? SIDE_ABOVE : SIDE_BELOW, round(x));
}

bool conditions_is_denied(const ModelHold *hold, const double *held)
{
    return hold->is_muted && conditions_is_relation(hold) &&
           held[hold->number] != conditions_at_zero(hold);
}

// ---------------------------------------------------------------------------
// Zeros
// ---------------------------------------------------------------------------

bool conditions_zeros(Point *p, double *values, double *bounds)
{
    if (!point_evaluate(p, MODEL_EVENTS, values) || !point_evaluate(p, MODEL_SIZES, bounds))
        return false;
    for (uint32_t i = 0; i < p->mode->conditions.event_count; i++)
        bounds[i] *= p->accuracy;
    return true;
}

bool conditions_mark(Point *p, SaltusEvent *event)
{
    bool is_fine = point_solve(p) && conditions_zeros(p, p->values, p->more);
    for (uint32_t i = 0; i < p->mode->conditions.event_count && is_fine; i++)
        if (fabs(p->values[i]) <= p->more[i])
            is_fine = saltus_set_zero(event, (int)i, p->more[i]) == SALTUS_OK;
    return is_fine;
}

bool conditions_has_ideal(const Mode *mode)
{
    bool has_ideal = false;
    for (uint32_t i = 0; i < mode->conditions.hold_count && !has_ideal; i++)
        has_ideal = mode->conditions.holds[i].is_ideal;
    return has_ideal;
}

double conditions_rounding(const Point *p, EventNumber event)
{
    static const double rounding = 64.0 * DBL_EPSILON;
    return rounding / p->accuracy * p->more[event];
}

bool conditions_mark_ideal(Point *p, SaltusEvent *event)
{
    const bool has_ideal = conditions_has_ideal(p->mode);
    bool is_fine = !has_ideal || (point_solve(p) && conditions_zeros(p, p->values, p->more));
    for (uint32_t i = 0; i < p->mode->conditions.event_count && has_ideal && is_fine; i++) {
        const double bound = conditions_rounding(p, i);
        if (fabs(p->values[i]) <= bound)
            is_fine = saltus_set_zero(event, (int)i, bound) == SALTUS_OK;
    }
    return is_fine;
}

// Units in the last place by which states and time are taken to be uncertain.
static const double conditions_units = 16.0, uncertain_ticks = 4.0;

// The event functions where time and states are a little elsewhere, to either side by the pattern.
static bool conditions_disturb(Point *p, unsigned pattern, double *x, double *h)
{
    const ProgramInputs inputs = p->inputs;
    const double *from = inputs.vectors[PROGRAM_STATES];
    for (uint32_t i = 0; i < p->mode->states.count; i++) {
        const double size = conditions_units * DBL_EPSILON * fabs(from[i]);
        x[i] = from[i] + disturbance(pattern, (int)i) * size;
    }
    const double tick = uncertain_ticks * DBL_EPSILON * fabs(inputs.time);
    p->inputs.time += pattern & 1u ? tick : -tick;
    p->inputs.vectors[PROGRAM_STATES] = x;
    const bool is_fine = point_solve(p) && point_evaluate(p, MODEL_EVENTS, h);
    p->inputs = inputs;
    return is_fine;
}

bool conditions_noise(Point *p, double *noise, double *work)
{
    // What cancels in one pattern adds up in the other.
    static const unsigned patterns[] = {0xFFFFu, 0xAAAAu};
    const uint32_t n = p->mode->conditions.event_count;
    double *h = work + p->mode->states.count;
    if (!point_solve(p) || !point_evaluate(p, MODEL_EVENTS, h))
        return false;
    for (uint32_t i = 0; i < n; i++)
        noise[i] = h[i];
    const double *here = noise; // until the end
    double *most = noise + n;
    for (size_t k = 0; k < sizeof patterns / sizeof patterns[0]; k++) {
        // At the edge of where the functions exist, one side must do.
        if (!conditions_disturb(p, patterns[k], work, h))
            continue;
        for (uint32_t i = 0; i < n; i++)
            most[i] = fmax(most[i], fabs(h[i] - here[i]));
    }
    for (uint32_t i = 0; i < n; i++)
        noise[i] = most[i];
    return point_solve(p);
}

bool conditions_course_of(Point *p, signed char *course)
{
    return probe_signs(p->mode, p->scratch, &p->inputs, p->guesses, p->accuracy, course);
}

bool conditions_course(Point *p, signed char *course)
{
    if (p->course)
        return p->course(p, course);
    for (uint32_t i = 0; i < p->mode->conditions.event_count; i++)
        course[i] = SIDE_ZERO;
    return conditions_course_of(p, course);
}

// ---------------------------------------------------------------------------
// Time
// ---------------------------------------------------------------------------

// The whole number that (a t + b) / d passed last, where it grows (way = 1) or falls (-1). One of
// them, n, is passed at t = (n d - b) / a, rounded once or twice: whatever the quotient is there.
static double time_of(const double *form, double n)
{
    return fma(n, form[2], -form[1]) / form[0];
}

static double last_passed(const double *form, double t, int way)
{
    const double x = (form[0] * t + form[1]) / form[2], n = way > 0 ? floor(x) : ceil(x);
    return time_of(form, n + way) <= t ? n + way : time_of(form, n) > t ? n - way : n;
}

static int way_of(const double *form)
{
    return (form[0] > 0.0) == (form[2] > 0.0) ? 1 : -1;
}

// What is rounded as it is just after t.
static double time_rounded(Operator op, const double *form, double t)
{
    if (form[0] == 0.0) {
        const double x = form[1] / form[2];
        return op == OPERATOR_CEIL ? ceil(x) : op == OPERATOR_DIV ? trunc(x) : floor(x);
    }
    const int way = way_of(form);
    const double n = last_passed(form, t, way), below = way > 0 ? n : n - 1.0;
    const bool is_up = op == OPERATOR_CEIL || (op == OPERATOR_DIV && below < 0.0);
    return is_up ? below + 1.0 : below;
}

// When a condition of time changes next.
static double time_next(const ModelHold *hold, const double *form, double t)
{
    if (hold->op >= OPERATOR_LESS && hold->op <= OPERATOR_GREATER_EQUAL)
        return -form[1] / form[0];
    const int way = way_of(form);
    const double next = last_passed(form, t, way) + way;
    return time_of(form, next == 0.0 && hold->op == OPERATOR_DIV ? next + way : next);
}

void conditions_times(const Mode *mode, double t, const double *times, double *held, bool *changed)
{
    for (uint32_t i = 0; i < mode->conditions.hold_count; i++) {
        const ModelHold *hold = &mode->conditions.holds[i];
        if (hold->kind != HOLD_TIME)
            continue;
        // a t + b has the sign of a after t = -b / a, and at it: the right limit.
        const double *form = &times[HOLD_TIME_SIZE * hold->index], a = form[0], b = form[1];
        const int sign = a == 0.0 ? (b > 0.0) - (b < 0.0) : (t >= -b / a) == (a > 0.0) ? 1 : -1;
        double value = 0.0;
        if (hold->op == OPERATOR_LESS || hold->op == OPERATOR_LESS_EQUAL)
            value = sign < 0 || (sign == 0 && hold->op == OPERATOR_LESS_EQUAL);
        else if (hold->op == OPERATOR_GREATER || hold->op == OPERATOR_GREATER_EQUAL)
            value = sign > 0 || (sign == 0 && hold->op == OPERATOR_GREATER_EQUAL);
        else
            value = time_rounded(hold->op, form, t);
        *changed |= held[hold->number] != value;
        held[hold->number] = value;
    }
}

void conditions_schedule(SaltusEvent *event, const Mode *mode, const double *times)
{
    for (uint32_t i = 0; i < mode->conditions.hold_count; i++) {
        const ModelHold *hold = &mode->conditions.holds[i];
        if (hold->kind != HOLD_TIME)
            continue;
        const double *form = &times[HOLD_TIME_SIZE * hold->index];
        const double at = time_next(hold, form, event->t);
        if (form[0] != 0.0 && at > event->t && isfinite(at))
            saltus_schedule(event, system_time_id(mode->model, hold), at);
        else
            saltus_cancel(event, system_time_id(mode->model, hold));
    }
}

// ---------------------------------------------------------------------------
// Words
// ---------------------------------------------------------------------------

void conditions_describe(const Mode *m, const double *before, const double *held, char **text)
{
    uint32_t count = 0;
    message_set(text, "%s", "");
    for (uint32_t i = 0; i < m->conditions.hold_count && count <= SYSTEM_SHOWN; i++) {
        const ModelHold *hold = &m->conditions.holds[i];
        if (before[hold->number] == held[hold->number])
            continue;
        const SourcePlace at = sources_locate(m->model->diagnostics->sources, hold->span.begin);
        message_add(text, "%s%s", count ? ", " : "", count < SYSTEM_SHOWN ? hold->text : "...");
        if (at.file && span_is_known(hold->span) && count < SYSTEM_SHOWN)
            message_add(text, " (%s, line %u)", at.file->name, at.line);
        count++;
    }
}
