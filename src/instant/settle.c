// SPDX-License-Identifier: MIT

#include "instant/settle.h"

#include "instant/mixed.h"
#include "instant/probe.h"
#include "instant/search.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// Conditions are updated all together at first. If that goes in circles: one after the other,
// always the first one that is not right. For ideal diodes this is Murty's least index method for
// linear complementarity problems, which ends if any combination of the conditions has one solution
// (K. G. Murty: Note on a Bard-type scheme for solving the complementarity problem, Opsearch 11,
// 1974).
enum { ROUNDS_TOGETHER = 10, MOST_ROUNDS = 1000 };

// Of a mode that might become active, and in circles: an event function below this part of what it
// is the sum of is zero. Events are located far better, the states at them are less accurate.
static const double event_accuracy = 1e-10;

// In circles: what a switch leaves of the current or voltage that it ends is rounding, which its
// small resistance enlarges.
static const double least_in_circles = 1e-9;
// The same where the engine's sign is not that of the value: the function is zero as far as the
// engine can tell.
static const double least_at_zero = 1e-6;

bool settle_solve(Settling *s)
{
    if (program_solve(s->mode->flow, s->scratch->program, &s->inputs, PROGRAM_ALL, s->guesses,
                      NULL) == PROGRAM_FINE)
        return true;
    system_explain(s->mode->model, s->mode->flow, s->scratch->program, s->message);
    return false;
}

bool settle_evaluate(Settling *s, ModelEntry entry, double *values)
{
    if (program_evaluate(s->mode->flow, s->scratch->program, &s->inputs, (uint32_t)entry, values) ==
        PROGRAM_FINE)
        return true;
    system_explain(s->mode->model, s->mode->flow, s->scratch->program, s->message);
    return false;
}

// ---------------------------------------------------------------------------
// Values by signs
// ---------------------------------------------------------------------------

// The whole part of x, which is near a whole number, by the sign of sin(pi x): it is positive where
// the whole part is even.
static double whole_by_sign(double x, int sign)
{
    const double nearest = round(x);
    const bool is_even = fmod(nearest, 2.0) == 0.0;
    return is_even == (sign > 0) ? nearest : nearest - 1.0;
}

// The value of what is held, by the sign of its event function. x: what it rounds.
static double value_by_sign(const ModelHold *hold, int sign, double x)
{
    switch (hold->op) {
    case OPERATOR_LESS:
    case OPERATOR_LESS_EQUAL:
        return sign < 0;
    case OPERATOR_GREATER:
    case OPERATOR_GREATER_EQUAL:
        return sign > 0;
    case OPERATOR_CEIL:
        return whole_by_sign(x, sign) + 1.0;
    case OPERATOR_DIV: {
        const double whole = whole_by_sign(x, sign);
        return whole < 0.0 ? whole + 1.0 : whole;
    }
    default:
        return whole_by_sign(x, sign);
    }
}

int settle_sign(const ModelHold *hold, double value)
{
    switch (hold->op) {
    case OPERATOR_LESS:
    case OPERATOR_LESS_EQUAL:
        return value != 0.0 ? -1 : 1;
    case OPERATOR_GREATER:
    case OPERATOR_GREATER_EQUAL:
        return value != 0.0 ? 1 : -1;
    default:
        return 0;
    }
}

static void set_held(Settling *s, const ModelHold *hold, double value, bool *changed)
{
    double *held = &s->memory.held[hold->number];
    if (*held == value)
        return;
    *held = value;
    *changed = true;
}

// ---------------------------------------------------------------------------
// Time
// ---------------------------------------------------------------------------

void settle_times(const Mode *mode, double t, const double *times, double *held, bool *changed)
{
    for (uint32_t i = 0; i < mode->hold_count; i++) {
        const ModelHold *hold = &mode->holds[i];
        if (hold->kind != HOLD_TIME)
            continue;
        // a t + b has the sign of a after t = -b / a, and at it: the right limit.
        const double a = times[2 * hold->index], b = times[2 * hold->index + 1], at = -b / a;
        const int sign = a == 0.0 ? (b > 0.0) - (b < 0.0) : (t >= at) == (a > 0.0) ? 1 : -1;
        const double value = hold->op == OPERATOR_LESS || hold->op == OPERATOR_LESS_EQUAL
                                 ? sign < 0 || (sign == 0 && hold->op == OPERATOR_LESS_EQUAL)
                                 : sign > 0 || (sign == 0 && hold->op == OPERATOR_GREATER_EQUAL);
        *changed |= held[hold->number] != value;
        held[hold->number] = value;
    }
}

void settle_schedule(SaltusEvent *event, const Mode *mode, const double *times)
{
    for (uint32_t i = 0; i < mode->hold_count; i++) {
        const ModelHold *hold = &mode->holds[i];
        if (hold->kind != HOLD_TIME)
            continue;
        const double a = times[2 * hold->index], at = -times[2 * hold->index + 1] / a;
        if (a != 0.0 && at > event->t && isfinite(at))
            saltus_schedule(event, system_time_id(mode->model, hold), at);
        else
            saltus_cancel(event, system_time_id(mode->model, hold));
    }
}

// ---------------------------------------------------------------------------
// Conditions
// ---------------------------------------------------------------------------

// The sign of each event function as far as it is known, else NAN; 2: it stays as it is.
static bool find_signs(Settling *s, const double *before, bool is_single, double *signs,
                       double *sizes)
{
    const Mode *m = s->mode;
    if (!settle_evaluate(s, MODEL_EVENTS, signs) ||
        ((!s->signs || is_single) && !settle_evaluate(s, MODEL_SIZES, sizes)))
        return false;
    for (uint32_t i = 0; i < m->event_count; i++) {
        const double h = signs[i], impulse = s->impulses ? s->impulses[i] : 0.0;
        const double least = !s->signs                       ? 0.0
                             : s->signs[i] * before[i] < 0.0 ? least_at_zero
                                                             : least_in_circles;
        const bool is_zero =
            (!s->signs || is_single) && fabs(h) <= event_accuracy * sizes[i] + least;
        if (s->signs && h != before[i])
            signs[i] = is_zero ? 2.0 : NAN;
        else if (s->signs)
            signs[i] = s->signs[i] ? s->signs[i] : 2.0;
        else if (impulse > 0.0 || impulse < 0.0)
            signs[i] = impulse > 0.0 ? 1.0 : -1.0;
        else
            signs[i] = is_zero ? 2.0 : h > 0.0 ? 1.0 : -1.0;
    }
    return true;
}

bool settle_zeros(Settling *s, double *values, double *bounds)
{
    if (!settle_solve(s) || !settle_evaluate(s, MODEL_EVENTS, values) ||
        !settle_evaluate(s, MODEL_SIZES, bounds))
        return false;
    for (uint32_t i = 0; i < s->mode->event_count; i++)
        bounds[i] *= event_accuracy;
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
    if (!before->is_live[hold->number])
        return PAST_NONE;
    for (uint32_t i = 0; i < before->hold_count && !hold->is_muted; i++)
        if (before->holds[i].number == hold->number)
            return before->holds[i].is_muted ? PAST_MUTED : PAST_VALUE;
    return PAST_VALUE;
}

// Where event functions that are zero go, if anybody wants to know.
static bool find_course(Settling *s, const double *signs, signed char *course)
{
    const Mode *m = s->mode;
    bool is_needed = false;
    for (uint32_t i = 0; i < m->event_count; i++)
        course[i] = 0;
    for (uint32_t i = 0; i < m->hold_count && s->before; i++) {
        const ModelHold *hold = &m->holds[i];
        is_needed |= hold->kind == HOLD_CROSSING && signs[hold->index] == 2.0 && !hold->is_muted &&
                     (s->by_course || past_of(s, hold) != PAST_VALUE);
    }
    return !is_needed ||
           probe_signs(m, s->scratch->program, &s->inputs, s->guesses, event_accuracy, course);
}

// A condition that a constraint has held at zero goes where the flow leads it; where that cannot be
// seen, away from what it was: the constraint has ended.
static double released_value(const Settling *s, const ModelHold *hold, int course)
{
    if (course != 0)
        return value_by_sign(hold, course, 0.0);
    return s->memory.held[hold->number] == 0.0 ? 1.0 : 0.0;
}

// Conditions as they are now, all or (is_single) the first that is not right. `before`: the event
// functions that the engine's signs are about.
static bool update_conditions(Settling *s, const double *before, bool is_single, bool *changed)
{
    const Mode *m = s->mode;
    double *values = s->scratch->values;
    if (!settle_evaluate(s, MODEL_TIMES, values))
        return false;
    settle_times(m, s->inputs.time, values, s->memory.held, changed);
    double *sizes = values + m->event_count, *literals = sizes + m->event_count;
    signed char *course = (signed char *)(void *)(literals + 2 * m->hold_count);
    if (!find_signs(s, before, is_single, values, sizes) ||
        !settle_evaluate(s, MODEL_HOLDS, literals) || !find_course(s, values, course))
        return false;
    for (uint32_t i = 0; i < m->hold_count && !(is_single && *changed); i++) {
        const ModelHold *hold = &m->holds[i];
        const double literal = literals[2 * i], rounded = literals[2 * i + 1];
        const Past past = past_of(s, hold);
        if (hold->kind == HOLD_TIME || (hold->is_muted && past != PAST_NONE))
            continue;
        if (s->signs && s->memory.released[hold->number] != 0.0)
            continue;
        double sign = hold->kind == HOLD_CROSSING ? values[hold->index] : NAN;
        if (sign == 2.0 && (past == PAST_NONE || s->by_course) && course[hold->index] != 0)
            sign = course[hold->index];
        // Only near a whole number does the sign know better.
        const bool is_far = rounded != 0.0 && fabs(rounded - round(rounded)) > 0.25;
        if (sign == 2.0 && past == PAST_VALUE && !is_far)
            continue;
        if (sign == 2.0 && past == PAST_MUTED) {
            if (!s->is_released[i])
                set_held(s, hold, released_value(s, hold, course[hold->index]), changed);
            s->is_released[i] = true;
            continue;
        }
        set_held(s, hold,
                 isnan(sign) || sign == 2.0 || is_far ? literal
                                                      : value_by_sign(hold, (int)sign, rounded),
                 changed);
    }
    return true;
}

bool settle_release(Settling *s, const double *left_held)
{
    const Mode *m = s->mode;
    double *h = s->scratch->values, *sizes = h + m->event_count;
    signed char *course = (signed char *)(void *)(sizes + m->event_count);
    if (m->branch_count == 0)
        return true;
    if (!settle_solve(s) || !settle_evaluate(s, MODEL_EVENTS, h) ||
        !settle_evaluate(s, MODEL_SIZES, sizes) ||
        !probe_signs(m, s->scratch->program, &s->inputs, s->guesses, event_accuracy, course))
        return false;
    for (uint32_t i = 0; i < m->hold_count; i++) {
        const ModelHold *hold = &m->holds[i];
        double *held = &s->memory.held[hold->number];
        if (hold->kind != HOLD_CROSSING || !m->is_decisive[hold->number] ||
            *held == left_held[hold->number] ||
            fabs(h[hold->index]) > event_accuracy * sizes[hold->index] ||
            course[hold->index] == 0 ||
            value_by_sign(hold, course[hold->index], 0.0) != left_held[hold->number])
            continue;
        *held = left_held[hold->number];
        s->memory.released[hold->number] = 1.0;
    }
    return true;
}

// Those of a part read those of others in the memory: as often as it takes until all follow from
// each other, for no equation may see some of them alone.
static bool update_discrete(Settling *s, bool *changed)
{
    const Mode *m = s->mode;
    bool is_open = true;
    for (uint32_t round = 0; round <= m->discrete_count && is_open; round++) {
        is_open = false;
        if (!settle_evaluate(s, MODEL_DISCRETE, s->scratch->values))
            return false;
        for (uint32_t i = 0; i < m->discrete_count; i++) {
            double *value = &s->memory.m[m->discrete[i].place];
            if (*value == s->scratch->values[i])
                continue;
            *value = s->scratch->values[i];
            *changed = true;
            is_open = m->part_count > 1;
        }
    }
    return true;
}

// Discrete Reals that go in circles through the continuous equations: see mixed.h.
typedef struct Loop {
    Settling *s;
    uint32_t *numbers; // of the mode's discrete variables
    uint32_t count;
} Loop;

static bool map_loop(void *user, const double *d, double *f)
{
    const Loop *loop = user;
    Settling *s = loop->s;
    for (uint32_t i = 0; i < loop->count; i++)
        s->memory.m[s->mode->discrete[loop->numbers[i]].place] = d[i];
    if (!settle_solve(s) || !settle_evaluate(s, MODEL_DISCRETE, s->scratch->values))
        return false;
    for (uint32_t i = 0; i < loop->count; i++)
        f[i] = s->scratch->values[loop->numbers[i]];
    return true;
}

// Those that the definitions would change now. None if something else changes with them.
static void find_loop(Loop *loop)
{
    const Settling *s = loop->s;
    for (uint32_t i = 0; i < s->mode->discrete_count; i++) {
        const ModelDiscrete *d = &s->mode->discrete[i];
        if (s->memory.m[d->place] == s->scratch->values[i])
            continue;
        if (!d->is_real) {
            loop->count = 0;
            return;
        }
        loop->numbers[loop->count++] = i;
    }
}

// Solves for them with conditions and all else as it is. True: nothing else changes by that.
static bool solve_loop(Settling *s, const double *before)
{
    const uint32_t count = s->mode->discrete_count;
    Loop loop = {.s = s, .numbers = calloc(count + 1u, sizeof *loop.numbers)};
    double *d = calloc(count + 1u, sizeof *d);
    bool is_settled = false, conditions = false;
    if (loop.numbers && d && settle_solve(s) &&
        settle_evaluate(s, MODEL_DISCRETE, s->scratch->values))
        find_loop(&loop);
    // (What the rounds have made of them is far away.)
    for (uint32_t i = 0; i < loop.count; i++) {
        const ModelDiscrete *v = &s->mode->discrete[loop.numbers[i]];
        d[i] = s->memory.m[v->left == CODE_NONE ? v->place : v->left];
    }
    const Mixed mixed = {loop.count, &loop, map_loop};
    if (loop.count && mixed_solve(&mixed, d) == MIXED_FOUND) {
        is_settled = true;
        for (uint32_t i = 0, k = 0; i < count; i++) {
            const bool is_solved = k < loop.count && loop.numbers[k] == i;
            is_settled &=
                is_solved || s->memory.m[s->mode->discrete[i].place] == s->scratch->values[i];
            k += is_solved;
        }
        is_settled = is_settled && update_conditions(s, before, false, &conditions) && !conditions;
    }
    free(d);
    free(loop.numbers);
    return is_settled;
}

// Whether the held values are those that follow from them.
static bool agrees(void *user)
{
    Settling *s = user;
    bool conditions = false, discrete = true;
    for (int round = 0; round < ROUNDS_TOGETHER && discrete; round++) {
        discrete = false;
        if (!settle_solve(s) || !update_discrete(s, &discrete))
            return false;
    }
    return !discrete && update_conditions(s, s->scratch->more, false, &conditions) && !conditions;
}

// "y, z" of the variables of the model that the definitions would change now.
static void describe_discrete(Settling *s, char *text, size_t size)
{
    size_t length = 0;
    text[0] = '\0';
    if (!settle_solve(s) || !settle_evaluate(s, MODEL_DISCRETE, s->scratch->values))
        return;
    for (uint32_t i = 0; i < s->mode->discrete_count && length + 100 < size; i++) {
        const ModelDiscrete *d = &s->mode->discrete[i];
        if (!d->is_plain || s->memory.m[d->place] == s->scratch->values[i])
            continue;
        snprintf(text + length, size - length, "%s%.80s", length ? ", " : "", d->name);
        length = strlen(text);
    }
}

// All combinations; else a message with the conditions that do not fit.
static bool search(Settling *s)
{
    const uint32_t count = s->mode->model->held_count;
    const Search all = {s->mode, s->memory.held, s, agrees};
    s->held_changed = true;
    if (search_conditions(&all))
        return true;
    double *before = calloc(count + 1u, sizeof *before);
    if (!before) {
        snprintf(s->message, sizeof s->message, "out of memory");
        return false;
    }
    memcpy(before, s->memory.held, count * sizeof *before);
    agrees(s);
    char which[300];
    search_describe(s->mode, before, s->memory.held, which, sizeof which);
    if (!which[0])
        describe_discrete(s, which, sizeof which);
    free(before);
    snprintf(s->message, sizeof s->message,
             "conditions contradict each other: no consistent values at an event%s%s",
             which[0] ? "; look at " : "", which);
    return false;
}

// With these conditions the equations cannot be solved, say because two ideal diodes conduct in
// parallel; others may be the ones that agree.
static bool search_beyond(Settling *s)
{
    char why[sizeof s->message];
    memcpy(why, s->message, sizeof why);
    const Search all = {s->mode, s->memory.held, s, agrees};
    s->held_changed = true;
    if (search_conditions(&all))
        return true;
    memcpy(s->message, why, sizeof why);
    return false;
}

bool settle(Settling *s)
{
    if (!settle_solve(s) || !settle_evaluate(s, MODEL_EVENTS, s->scratch->more))
        return false;
    for (int round = 0; round < MOST_ROUNDS; round++) {
        bool conditions = false, discrete = false;
        if (!update_conditions(s, s->scratch->more, round >= ROUNDS_TOGETHER, &conditions) ||
            !update_discrete(s, &discrete))
            return false;
        s->held_changed |= conditions;
        if (!conditions && !discrete)
            return true;
        if (round % ROUNDS_TOGETHER == ROUNDS_TOGETHER - 1 && !conditions &&
            solve_loop(s, s->scratch->more))
            return true;
        if (!settle_solve(s))
            return search_beyond(s);
    }
    return search(s);
}
