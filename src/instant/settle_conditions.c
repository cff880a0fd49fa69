// SPDX-License-Identifier: MIT
//
// Conditions at an instant, one by one: the side that the event function of each is on (by the
// engine's sign in the active mode, by its value in one that might become active), and the value
// that follows. A function that is zero has no side: its condition keeps its value, or goes where
// the flow leads it, or, where a constraint that held it has ended, away from it.

#include "instant/settle_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// In circles: what a switch leaves of the current or voltage that it ends is rounding, which its
// small resistance enlarges.
static const double least_in_circles = 1e-9;
// The same where the engine's sign is not that of the value: the function is zero as far as the
// engine can tell.
static const double least_at_zero = 1e-6;

// ---------------------------------------------------------------------------
// Sides
// ---------------------------------------------------------------------------

// What the rounding of time and states makes of an event function, as far as it was measured.
static double settle_noise_of(const Settling *s, uint32_t i)
{
    return s->noise ? 2.0 * s->noise[i] : 0.0;
}

// Of the active mode. `before`: the value that the engine's sign is about. What was zero and still
// is has not changed, whatever rounding makes of it.
static Side side_by_sign(const Settling *s, uint32_t i, double h, double before, double size,
                         bool is_single)
{
    if (h == before)
        return s->signs[i];
    if (!isfinite(h)) // so is its size: what slid has lost its hold
        return SIDE_LITERAL;
    const double least = !is_single                   ? 0.0
                         : s->signs[i] * before < 0.0 ? least_at_zero
                                                      : least_in_circles;
    const double bound = fmax(s->point.accuracy * size + least, settle_noise_of(s, i));
    if (fabs(h) > bound || (h == 0.0 && fabs(before) > bound && !is_single))
        return SIDE_LITERAL;
    return fabs(before) <= bound && !is_single ? s->signs[i] : SIDE_ZERO;
}

// Of a mode that might become active: an impulse comes before all that is finite.
static Side side_by_value(const Settling *s, uint32_t i, double h, double size)
{
    const double impulse = s->impulses ? s->impulses[i] : 0.0;
    if (impulse > 0.0 || impulse < 0.0)
        return conditions_side_of(impulse);
    return fabs(h) <= fmax(s->point.accuracy * size, settle_noise_of(s, i)) ? SIDE_ZERO
                                                                            : conditions_side_of(h);
}

static bool find_sides(Settling *s, const double *before, bool is_single, const SettleRoom *r)
{
    Point *p = &s->point;
    if (!point_evaluate(p, MODEL_EVENTS, r->h))
        return false;
    // Signs that are about the values as they are need no sizes: the usual event.
    bool is_new = !s->signs;
    for (uint32_t i = 0; i < p->mode->conditions.event_count && !is_new; i++)
        is_new = r->h[i] != before[i];
    if (is_new && !point_evaluate(p, MODEL_SIZES, r->sizes))
        return false;
    for (uint32_t i = 0; i < p->mode->conditions.event_count; i++)
        r->sides[i] =
            (signed char)(s->signs ? side_by_sign(s, i, r->h[i], before[i], r->sizes[i], is_single)
                                   : side_by_value(s, i, r->h[i], r->sizes[i]));
    return true;
}

// What a condition was in the mode before.
typedef enum Past {
    PAST_VALUE, // it had a value that it can keep
    PAST_MUTED, // a constraint made it zero, which is gone now
    PAST_NONE,
} Past;

static Past past_of(const Settling *s, const ModelHold *hold)
{
    const Mode *before = s->before;
    if (!before)
        return PAST_VALUE;
    if (!before->conditions.is_live[hold->number])
        return PAST_NONE;
    return before->conditions.is_muted[hold->number] && !hold->is_muted ? PAST_MUTED : PAST_VALUE;
}

// floor and its like at a whole number: their function is exactly zero there, and what sign it had
// at another one says nothing.
static bool is_at_whole(const ModelHold *hold, const SettleRoom *r)
{
    return hold->kind == HOLD_CROSSING && !conditions_is_relation(hold) && r->h[hold->index] == 0.0;
}

// Whether what rounds x has one of the two values that it can have at the nearest whole number.
static bool is_next_to(const Settling *s, const ModelHold *hold, double x)
{
    const double held = s->point.memory.held[hold->number];
    return held == conditions_value(hold, SIDE_BELOW, x) ||
           held == conditions_value(hold, SIDE_ABOVE, x);
}

// Where they are on their way through it, and have one of the two values that they can have there,
// the engine's sign tells as that of a relation does: it is of the crossing, or of the flow behind
// it. (Where the flow leads in the midst of an event changes with discrete variables.)
static bool is_passing(const Settling *s, uint32_t i, const SettleRoom *r)
{
    const ModelHold *hold = &s->point.mode->conditions.holds[i];
    return s->signs && r->course[hold->index] != SIDE_ZERO &&
           is_next_to(s, hold, r->literals[2 * i + 1]);
}

// Where event functions that are zero go, of those that anybody wants to know it of. (A muted one
// is not worth a search for its course, but at the start, or where it is new, it has what one
// finds.)
static bool settle_find_course(Settling *s, const SettleRoom *r)
{
    const Mode *m = s->point.mode;
    bool is_needed = false;
    memset(r->course, SIDE_LITERAL, m->conditions.event_count); // not wanted
    for (uint32_t i = 0; i < m->conditions.hold_count; i++) {
        const ModelHold *hold = &m->conditions.holds[i];
        const Past past = past_of(s, hold);
        const bool is_decided = past == PAST_VALUE || (past == PAST_MUTED && s->is_released[i]);
        const bool is_wanted = s->by_course || !is_decided;
        const bool is_zero = is_at_whole(hold, r) || (is_wanted && hold->kind == HOLD_CROSSING &&
                                                      r->sides[hold->index] == SIDE_ZERO);
        if (is_zero && (!hold->is_muted || s->is_start || past == PAST_NONE))
            r->course[hold->index] = SIDE_ZERO;
        is_needed |= is_zero && !hold->is_muted;
    }
    if (!is_needed) {
        memset(r->course, SIDE_ZERO, m->conditions.event_count);
        return true;
    }
    if (s->point.course)
        return conditions_course(&s->point, r->course);
    const bool is_fine = conditions_course_of(&s->point, r->course);
    for (uint32_t i = 0; i < m->conditions.event_count; i++)
        if (r->course[i] == SIDE_LITERAL)
            r->course[i] = SIDE_ZERO;
    return is_fine;
}

// ---------------------------------------------------------------------------
// Conditions
// ---------------------------------------------------------------------------

static void set_held(Settling *s, const ModelHold *hold, double value, bool *changed)
{
    double *held = &s->point.memory.held[hold->number];
    if (*held == value)
        return;
    *held = value;
    *changed = true;
    if (s->is_restless)
        s->is_restless[hold->number] = true;
    if (s->turns && s->turns[hold->number] < 2)
        s->turns[hold->number]++;
}

// A condition that a constraint has held at zero goes where the flow leads it; where that cannot be
// seen, away from what it was: the constraint has ended.
static double released_value(const Settling *s, uint32_t i, const SettleRoom *r)
{
    const ModelHold *hold = &s->point.mode->conditions.holds[i];
    const Side course = r->course[hold->index];
    if (course != SIDE_ZERO)
        return conditions_value(hold, course, r->literals[2 * i + 1]);
    if (!conditions_is_relation(hold))
        return r->literals[2 * i];
    return s->point.memory.held[hold->number] == 0.0 ? 1.0 : 0.0;
}

// One condition at an event, or of a mode that might become active.
static void update_condition(Settling *s, uint32_t i, const SettleRoom *r, bool *changed)
{
    const ModelHold *hold = &s->point.mode->conditions.holds[i];
    const double literal = r->literals[2 * i], rounded = r->literals[2 * i + 1];
    const Past past = past_of(s, hold);
    if (hold->is_muted && past != PAST_NONE)
        return;
    if (s->signs && s->point.memory.is_released[hold->number])
        return;
    if (hold->kind == HOLD_CROSSING && conditions_is_relation(hold) &&
        (r->sides[hold->index] == SIDE_ABOVE || r->sides[hold->index] == SIDE_BELOW)) {
        const bool is_less = hold->op == OPERATOR_LESS || hold->op == OPERATOR_LESS_EQUAL;
        set_held(s, hold, is_less == (r->sides[hold->index] == SIDE_BELOW), changed);
        return; // as most are
    }
    const bool is_whole = is_at_whole(hold, r) && !is_passing(s, i, r);
    Side side = hold->kind != HOLD_CROSSING ? SIDE_LITERAL
                : is_whole                  ? SIDE_ZERO
                                            : r->sides[hold->index];
    const bool slid = past == PAST_MUTED && !conditions_is_relation(hold);
    if (side == SIDE_ZERO && (past == PAST_NONE || s->by_course || is_whole) && !slid &&
        r->course[hold->index] != SIDE_ZERO)
        side = r->course[hold->index];
    // Only near a whole number does the side know better.
    const bool is_far = rounded != 0.0 && fabs(rounded - round(rounded)) > 0.25;
    if (side == SIDE_ZERO && past == PAST_VALUE && !is_far && !is_whole)
        return;
    if (side == SIDE_ZERO && past == PAST_MUTED) {
        if (!s->is_released[i])
            set_held(s, hold, released_value(s, i, r), changed);
        s->is_released[i] = true;
        return;
    }
    // x has jumped further than to the next one: the side is that of numbers which are far away.
    const bool is_elsewhere = s->signs && hold->kind == HOLD_CROSSING && !is_whole &&
                              !conditions_is_relation(hold) && !is_next_to(s, hold, rounded);
    const bool is_literal = side == SIDE_LITERAL || side == SIDE_ZERO || is_far || is_elsewhere;
    set_held(s, hold, is_literal ? literal : conditions_value(hold, side, rounded), changed);
}

// At the start.
static void begin_condition(Settling *s, uint32_t i, const SettleRoom *r, bool *changed)
{
    const ModelHold *hold = &s->point.mode->conditions.holds[i];
    double value = r->literals[2 * i];
    if (s->by_course && hold->kind == HOLD_CROSSING && conditions_is_relation(hold) &&
        r->sides[hold->index] == SIDE_ZERO) {
        const Side course = r->course[hold->index];
        if (course != SIDE_ZERO)
            value = conditions_value(hold, course, 0.0);
        else if (s->is_exact)
            value = conditions_at_zero(hold);
        else
            value = s->point.memory.held[hold->number];
    }
    set_held(s, hold, value, changed);
}

bool settle_update_conditions(Settling *s, const double *before, bool is_single, bool *changed)
{
    Point *p = &s->point;
    const Mode *m = p->mode;
    const SettleRoom r = settle_room_of(s);
    s->lost = NULL;
    if (!point_evaluate(p, MODEL_TIMES, p->values))
        return false;
    conditions_times(m, p->inputs.time, p->values, p->memory.held, changed);
    if ((!s->is_start || s->by_course) && !find_sides(s, before, is_single, &r))
        return false;
    if (!point_evaluate(p, MODEL_HOLDS, r.literals) || !settle_find_course(s, &r))
        return false;
    for (uint32_t i = 0; i < m->conditions.hold_count && !(is_single && *changed); i++) {
        if (m->conditions.holds[i].kind == HOLD_TIME)
            continue;
        if (fabs(r.literals[2 * i + 1]) > settle_most_whole &&
            m->conditions.holds[i].kind == HOLD_CROSSING)
            s->lost = &m->conditions.holds[i];
        if (s->is_start)
            begin_condition(s, i, &r, changed);
        else
            update_condition(s, i, &r, changed);
    }
    return true;
}

bool settle_conditions(Settling *s, bool *changed)
{
    return settle_update_conditions(s, s->point.more, false, changed);
}

bool settle_release(Settling *s, const double *left_held)
{
    Point *p = &s->point;
    const Mode *m = p->mode;
    const SettleRoom r = settle_room_of(s);
    if (m->switches.branch_count == 0)
        return true;
    if (!point_solve(p) || !conditions_zeros(p, r.h, r.sizes) || !conditions_course(p, r.course))
        return false;
    for (uint32_t i = 0; i < m->conditions.hold_count; i++) {
        const ModelHold *hold = &m->conditions.holds[i];
        double *held = &p->memory.held[hold->number];
        if (hold->kind != HOLD_CROSSING || !m->conditions.is_decisive[hold->number] ||
            *held == left_held[hold->number] || fabs(r.h[hold->index]) > r.sizes[hold->index] ||
            r.course[hold->index] == SIDE_ZERO ||
            conditions_value(hold, r.course[hold->index], 0.0) != left_held[hold->number])
            continue;
        *held = left_held[hold->number];
        p->memory.is_released[hold->number] = true;
    }
    return true;
}

bool settle_keep_zeros(Point *p, bool *released)
{
    const Mode *m = p->mode;
    signed char *course = calloc(m->conditions.event_count + 1u, sizeof *course);
    const bool is_fine =
        course && conditions_zeros(p, p->values, p->more) && conditions_course(p, course);
    for (uint32_t i = 0; i < m->conditions.hold_count && is_fine; i++) {
        const ModelHold *hold = &m->conditions.holds[i];
        if (hold->kind != HOLD_CROSSING || !conditions_is_relation(hold) ||
            fabs(p->values[hold->index]) > p->more[hold->index])
            continue;
        const Side side = (Side)course[hold->index];
        if (side == SIDE_ZERO || conditions_value(hold, side, 0.0) == p->memory.held[hold->number])
            released[hold->number] = true;
    }
    free(course);
    return is_fine;
}

uint32_t settle_free(Settling *s, const double *left_held, uint32_t *numbers, bool *is_fine)
{
    Point *p = &s->point;
    const Mode *m = p->mode;
    const SettleRoom r = settle_room_of(s);
    uint32_t count = 0;
    *is_fine =
        point_solve(p) && conditions_zeros(p, r.h, r.sizes) && conditions_course(p, r.course);
    for (uint32_t i = 0; i < m->conditions.hold_count && *is_fine; i++) {
        const ModelHold *hold = &m->conditions.holds[i];
        if (hold->kind != HOLD_CROSSING || !conditions_is_relation(hold) ||
            !m->conditions.is_decisive[hold->number] ||
            (left_held && left_held[hold->number] != p->memory.held[hold->number]))
            continue;
        const bool stays =
            fabs(r.h[hold->index]) <= r.sizes[hold->index] && r.course[hold->index] == SIDE_ZERO;
        if (hold->is_muted || stays)
            numbers[count++] = hold->number;
    }
    return count;
}

uint32_t settle_next_set(uint32_t set, uint32_t count)
{
    enum { MOST_FREE = 12 };
    const uint32_t end = 1u << (count < MOST_FREE ? count : MOST_FREE);
    const int size = __builtin_popcount(set);
    for (uint32_t next = set + 1; next < end && size > 0; next++)
        if (__builtin_popcount(next) == size)
            return next;
    const uint32_t larger = (1u << (size + 1)) - 1u;
    return larger < end ? larger : 0;
}

void settle_turn(double *held, const uint32_t *numbers, uint32_t set)
{
    for (uint32_t k = 0; set >> k; k++)
        if (set >> k & 1u)
            held[numbers[k]] = held[numbers[k]] == 0.0;
}
