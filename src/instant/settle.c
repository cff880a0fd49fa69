// SPDX-License-Identifier: MIT

#include "instant/settle_parts.h"

#include "base/combination.h"
#include "base/message.h"
#include "instant/complementarity.h"
#include "instant/mixed.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// Conditions are updated all together at first. If that goes in circles: one after the other,
// always the first one that is not right. For ideal diodes this is Murty's least index method for
// linear complementarity problems, which ends if any combination of the conditions has one solution
// (K. G. Murty: Note on a Bard-type scheme for solving the complementarity problem, Opsearch 11,
// 1974). What goes in circles even then is searched for among the conditions that did, the nearest
// combinations first.
enum { ROUNDS_TOGETHER = 10, LEAST_ROUNDS = 200, ROUNDS_PER_CONDITION = 4 };

// What is not settled in these rounds may be noise, which is measured.
enum { FIRST_OF_NOISE = 2, LAST_OF_NOISE = 5 };

// What changes from this round on, while all change together, does so in circles. (One by one, the
// first of two that change against each other may be the only one that does.)
enum { FIRST_OF_CIRCLES = ROUNDS_TOGETHER / 2 };

// Combinations that are looked at; and where nothing is known of what goes in circles, the most
// conditions of a mode.
enum { MOST_COMBINATIONS = 4096, MOST_UNKNOWN = 12 };

// ---------------------------------------------------------------------------
// Discrete variables
// ---------------------------------------------------------------------------

// Those of one part are computed from those of other parts as the memory has them, so it is done
// again until all of them follow from each other.
static bool settle_update_discrete(Settling *s, bool *changed)
{
    Point *p = &s->point;
    const Mode *m = p->mode;
    bool is_open = true;
    for (uint32_t round = 0; round <= m->memory.discrete_count && is_open; round++) {
        is_open = false;
        s->wild = NULL;
        if (s->update_lefts && !s->update_lefts(s, changed))
            return false;
        if (!point_evaluate(p, MODEL_DISCRETE, p->values))
            return false;
        for (uint32_t i = 0; i < m->memory.discrete_count; i++) {
            double *value = &p->memory.m[m->memory.discrete[i].place];
            if (*value == p->values[i])
                continue;
            if (isnan(p->values[i]))
                s->wild = m->memory.discrete[i].name;
            if (isnan(p->values[i]) && isnan(*value))
                continue;
            *value = p->values[i];
            *changed = true;
            is_open = m->parts.count > 1;
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
        s->point.memory.m[s->point.mode->memory.discrete[loop->numbers[i]].place] = d[i];
    if (!point_solve(&s->point) || !point_evaluate(&s->point, MODEL_DISCRETE, s->point.values))
        return false;
    for (uint32_t i = 0; i < loop->count; i++)
        f[i] = s->point.values[loop->numbers[i]];
    return true;
}

// Those that the definitions would change now. None if something else changes with them.
static void find_loop(Loop *loop)
{
    const Settling *s = loop->s;
    for (uint32_t i = 0; i < s->point.mode->memory.discrete_count; i++) {
        const ModelDiscrete *d = &s->point.mode->memory.discrete[i];
        if (s->point.memory.m[d->place] == s->point.values[i])
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
    const uint32_t count = s->point.mode->memory.discrete_count;
    Loop loop = {.s = s, .numbers = calloc(count + 1u, sizeof *loop.numbers)};
    double *d = calloc(count + 1u, sizeof *d);
    bool is_settled = false, conditions = false;
    if (loop.numbers && d && point_solve(&s->point) &&
        point_evaluate(&s->point, MODEL_DISCRETE, s->point.values))
        find_loop(&loop);
    // (What the rounds have made of them is far away.)
    for (uint32_t i = 0; i < loop.count; i++) {
        const ModelDiscrete *v = &s->point.mode->memory.discrete[loop.numbers[i]];
        d[i] = s->point.memory.m[v->left == CODE_NONE ? v->place : v->left];
    }
    if (loop.count && mixed_solve(loop.count, map_loop, &loop, d) == MIXED_FOUND) {
        is_settled = true;
        for (uint32_t i = 0, k = 0; i < count; i++) {
            const bool is_solved = k < loop.count && loop.numbers[k] == i;
            is_settled &= is_solved || s->point.memory.m[s->point.mode->memory.discrete[i].place] ==
                                           s->point.values[i];
            k += is_solved;
        }
        is_settled =
            is_settled && settle_update_conditions(s, before, false, &conditions) && !conditions;
    }
    free(d);
    free(loop.numbers);
    return is_settled;
}

// ---------------------------------------------------------------------------
// In circles
// ---------------------------------------------------------------------------

// Discrete variables that follow from the held values.
static bool follow_held(Settling *s)
{
    bool discrete = true;
    for (int round = 0; round < ROUNDS_TOGETHER && discrete; round++) {
        discrete = false;
        if (!point_solve(&s->point) || !settle_update_discrete(s, &discrete))
            return false;
    }
    return !discrete;
}

// Whether the held values are those that follow from them.
static bool agrees(Settling *s)
{
    bool conditions = false;
    return follow_held(s) && settle_update_conditions(s, s->point.more, false, &conditions) &&
           !conditions;
}

// "y, z" of the variables of the model that the definitions would change now.
static void describe_discrete(Settling *s, char **text)
{
    uint32_t count = 0;
    if (!point_solve(&s->point) || !point_evaluate(&s->point, MODEL_DISCRETE, s->point.values))
        return;
    for (uint32_t i = 0; i < s->point.mode->memory.discrete_count && count <= SYSTEM_SHOWN; i++) {
        const ModelDiscrete *d = &s->point.mode->memory.discrete[i];
        if (!d->is_plain || s->point.memory.m[d->place] == s->point.values[i])
            continue;
        message_add(text, "%s%s", count ? ", " : "", count < SYSTEM_SHOWN ? d->name : "...");
        count++;
    }
}

// The relations in question: those that changed in circles, else all, if they are few.
static uint32_t list_relations(const Settling *s, uint32_t *numbers)
{
    const Mode *m = s->point.mode;
    uint32_t count = 0, restless = 0;
    for (uint32_t h = 0; h < m->model->sizes.held && s->is_restless; h++)
        restless += s->is_restless[h];
    for (uint32_t i = 0; i < m->conditions.hold_count; i++) {
        const ModelHold *hold = &m->conditions.holds[i];
        if (hold->kind == HOLD_TIME || hold->is_muted || hold->op < OPERATOR_LESS ||
            hold->op > OPERATOR_NOT_EQUAL || (restless && !s->is_restless[hold->number]))
            continue;
        numbers[count++] = hold->number;
    }
    return restless || count <= MOST_UNKNOWN ? count : 0;
}

// Whether the flow leads what is zero to the side that it is taken to be on.
static bool lasts(Settling *s)
{
    Point *p = &s->point;
    const Mode *m = p->mode;
    const SettleRoom r = settle_room_of(s);
    bool is_fine = conditions_zeros(p, r.h, r.sizes) && conditions_course(p, r.course);
    for (uint32_t i = 0; i < m->conditions.hold_count && is_fine; i++) {
        const ModelHold *hold = &m->conditions.holds[i];
        if (hold->kind != HOLD_CROSSING || !conditions_is_relation(hold) || hold->is_muted ||
            fabs(r.h[hold->index]) > r.sizes[hold->index] || r.course[hold->index] == SIDE_ZERO)
            continue;
        is_fine = p->memory.held[hold->number] ==
                  conditions_value(hold, (Side)r.course[hold->index], 0.0);
    }
    return is_fine;
}

// Whether the mode is the one that conditions ask for.
static bool stays(Settling *s)
{
    const Mode *m = s->point.mode;
    const uint32_t machines = m->model->flat->machine_count;
    bool is_own = point_evaluate(&s->point, MODEL_CHOICES, s->point.values);
    for (uint32_t i = 0; i < m->switches.branch_count && is_own; i++)
        is_own =
            m->switches.choices[machines + m->switches.branches[i]] == (uint32_t)s->point.values[i];
    return is_own;
}

// Combinations of the relations in question, those first that differ least from what is held. Every
// one starts from the same left limits; none is kept unless it agrees.
static bool search_combinations(Settling *s, const uint32_t *numbers, uint32_t count,
                                uint32_t *chosen, const double *before)
{
    double *held = s->point.memory.held;
    const size_t size = s->point.mode->model->sizes.held * sizeof *held;
    int tried = 0;
    for (uint32_t turned = 0; turned <= count; turned++) {
        for (uint32_t k = 0; k < turned; k++)
            chosen[k] = k;
        do {
            if (tried++ >= MOST_COMBINATIONS)
                return false;
            memcpy(held, before, size);
            for (uint32_t k = 0; k < turned; k++)
                held[numbers[chosen[k]]] = held[numbers[chosen[k]]] == 0.0;
            if (agrees(s) && (!s->is_lasting || lasts(s)) && (!s->is_staying || stays(s)))
                return true;
        } while (combination_next(chosen, turned, count));
    }
    return false;
}

// Ideal switches first, for which there is a method that ends. What is zero then, also at a start,
// is not decided by its rounding: a diode beside one that conducts.
static bool complementarity_agrees(Settling *s, bool is_ahead)
{
    const bool by_course = s->by_course;
    const signed char *signs = s->signs;
    if (!complementarity_solve(s, is_ahead))
        return false;
    s->by_course |= s->is_start;
    s->signs = NULL; // they are about the values before
    const bool is_fine = agrees(s) && (!s->is_lasting || lasts(s));
    s->signs = signs;
    s->by_course = by_course;
    s->is_complementary |= is_fine;
    return is_fine;
}

// (Where everything is zero, as at the zero of a source, any combination solves the equations: the
// one counts that does so just after.)
static bool settle_complementarity(Settling *s)
{
    if ((s->is_lasting && !s->is_unsigned) || s->is_staying)
        return false;
    return complementarity_agrees(s, !s->is_start) || complementarity_agrees(s, s->is_start);
}

// True: found. False: the held values are as they were; *which: those that do not fit. NULL:
// nobody asks.
static bool settle_search(Settling *s, char **which)
{
    const Mode *m = s->point.mode;
    const uint32_t all = m->model->sizes.held;
    double *held = s->point.memory.held, *before = calloc(all + 1u, sizeof *before);
    uint32_t *numbers = calloc(2 * (size_t)m->conditions.hold_count + 1u, sizeof *numbers);
    bool *const restless = s->is_restless;
    bool is_found = false;
    if (before && numbers) {
        memcpy(before, held, all * sizeof *before);
        const uint32_t count = list_relations(s, numbers);
        s->is_restless = NULL;
        s->has_held_changed = true;
        is_found =
            settle_complementarity(s) ||
            search_combinations(s, numbers, count, numbers + m->conditions.hold_count, before);
        if (!is_found) {
            memcpy(held, before, all * sizeof *before);
            agrees(s);
            conditions_describe(m, before, held, which);
            if (which && *which && !**which)
                describe_discrete(s, which);
            memcpy(held, before, all * sizeof *before);
        }
    }
    s->is_restless = restless;
    free(before);
    free(numbers);
    return is_found;
}

// Nothing agrees with the engine's signs. Those of functions that are zero as far as it can tell
// say where they come from, or where the flow leads them: from so little, at times, that the
// equations contradict it (a diode whose current of 1e-8 falls, but makes a voltage that is no
// rounding if the diode blocks). So the values count, and what is zero and stays zero may be on
// either side.
static bool search_unsigned(Settling *s)
{
    const signed char *signs = s->signs;
    const double accuracy = s->point.accuracy;
    s->signs = NULL;
    s->point.accuracy = point_accuracy;
    s->is_lasting = s->is_unsigned = true;
    const bool is_found = settle_search(s, NULL);
    s->is_lasting = s->is_unsigned = false;
    s->point.accuracy = accuracy;
    s->signs = signs;
    return is_found && settle_keep_zeros(&s->point, s->point.memory.is_released);
}

// Else a message with the conditions that do not fit.
static bool search_circle(Settling *s)
{
    char *which = NULL;
    if ((!s->is_brief && settle_search(s, &which)) ||
        (!s->is_brief && s->signs && search_unsigned(s))) {
        free(which);
        return true;
    }
    message_set(&s->point.message, "conditions contradict each other%s%s%s",
                s->is_start ? "" : ": no consistent values at an event",
                which && *which ? "; look at " : "", which ? which : "");
    free(which);
    return false;
}

// With these conditions the equations cannot be solved, say because two ideal diodes conduct in
// parallel; others may be the ones that agree.
static bool search_beyond(Settling *s)
{
    if (s->is_brief)
        return false;
    char *const why = point_take_message(&s->point);
    const bool is_found = settle_search(s, NULL);
    point_give_message(&s->point, why);
    return is_found;
}

// The same at a start, where conditions are at rest and their equations cannot be solved.
static bool settle_otherwise(Settling *s)
{
    const bool by_course = s->by_course;
    point_explain(&s->point);
    char *const why = point_take_message(&s->point);
    s->by_course = true; // what is zero is not decided by its rounding
    const bool is_found = settle_search(s, NULL);
    s->by_course = by_course;
    point_give_message(&s->point, why);
    return is_found;
}

// ---------------------------------------------------------------------------
// Rounds
// ---------------------------------------------------------------------------

// With the conditions as they are now; what was measured with others stays.
static bool settle_measure_noise(Settling *s)
{
    const Mode *m = s->point.mode;
    const size_t n = m->conditions.event_count;
    if (!s->noise)
        s->noise = calloc(4 * n + m->states.count + 1u, sizeof *s->noise);
    double *now = s->noise ? s->noise + n : NULL;
    for (size_t i = 0; i < n && now; i++)
        now[n + i] = 0.0;
    if (!now || !conditions_noise(&s->point, now, now + 2 * n))
        return false;
    for (size_t i = 0; i < n; i++)
        s->noise[i] = fmax(s->noise[i], now[i]);
    return true;
}

// Conditions of the active mode agree now and ask for another one, but they have gone to and fro on
// the way: the equations may be such that several combinations agree (of two brakes on one shaft,
// which one slips is open). One that does not end the mode comes first. False: there is none, all
// is as it was.
static bool settle_stay(Settling *s)
{
    const Model *model = s->point.mode->model;
    double *m = s->point.memory.m;
    const size_t size = model->sizes.memory * sizeof *m;
    bool *const restless = s->is_restless;
    bool is_any = false;
    const signed char *signs = s->signs;
    for (uint32_t h = 0; h < model->sizes.held && s->turns; h++)
        is_any |= s->turns[h] > 1;
    if (!is_any || stays(s))
        return false;
    s->is_restless = calloc(model->sizes.held + 1u, sizeof(bool));
    double *before = malloc(size + sizeof *before);
    bool is_found = false;
    if (s->is_restless && before) {
        for (uint32_t h = 0; h < model->sizes.held; h++)
            s->is_restless[h] = s->turns[h] > 1;
        memcpy(before, m, size);
        s->is_staying = true;
        s->signs = NULL; // what is zero keeps the value that is tried
        is_found = settle_search(s, NULL);
        if (is_found)
            settle_keep_zeros(&s->point, s->point.memory.is_released);
        s->signs = signs;
        s->is_staying = false;
        if (!is_found)
            memcpy(m, before, size);
    }
    free(before);
    free(s->is_restless);
    s->is_restless = restless;
    return is_found;
}

// What fails at the start may do so because conditions are not known yet: integer(x) in a
// subscript.
static bool settle_rounds(Settling *s)
{
    const uint32_t most =
        LEAST_ROUNDS + ROUNDS_PER_CONDITION * s->point.mode->conditions.hold_count;
    bool is_solved = (!s->by_held || follow_held(s)) && point_solve(&s->point);
    if (!is_solved && !s->is_start)
        return search_beyond(s);
    if (s->signs && !point_evaluate(&s->point, MODEL_EVENTS, s->point.more))
        return false;
    for (uint32_t round = 0; round < most; round++) {
        bool conditions = false, discrete = false;
        if (round >= FIRST_OF_NOISE && round <= LAST_OF_NOISE && !s->is_start &&
            !settle_measure_noise(s))
            return search_beyond(s);
        if (round == 0 && s->signs && s->point.mode->switches.branch_count > 0)
            s->turns = calloc(s->point.mode->model->sizes.held + 1u, sizeof *s->turns);
        if (round == ROUNDS_TOGETHER && s->is_start)
            s->by_course = true; // what is zero is not read off its rounding
        if (round == FIRST_OF_CIRCLES)
            s->is_restless = calloc(s->point.mode->model->sizes.held + 1u, sizeof(bool));
        if (!settle_update_conditions(s, s->point.more, round >= ROUNDS_TOGETHER, &conditions) ||
            !settle_update_discrete(s, &discrete))
            return false;
        s->has_held_changed |= conditions;
        if (!conditions && !discrete && settle_stay(s))
            return true;
        if (!conditions && !discrete)
            return is_solved || settle_otherwise(s);
        if (round % ROUNDS_TOGETHER == ROUNDS_TOGETHER - 1 && !conditions &&
            solve_loop(s, s->point.more))
            return true;
        if (s->goes_on)
            point_keep_guesses(&s->point, s->point.guesses);
        is_solved = point_solve(&s->point);
        if (!is_solved && !s->is_start)
            return search_beyond(s);
    }
    return search_circle(s);
}

static bool settle_once(Settling *s)
{
    const bool is_fine = settle_rounds(s);
    s->has_circled = false;
    for (uint32_t h = 0; h < s->point.mode->model->sizes.held && s->is_restless; h++)
        s->has_circled |= s->is_restless[h];
    free(s->is_restless);
    free(s->turns);
    free(s->noise);
    s->is_restless = NULL;
    s->turns = NULL;
    s->noise = NULL;
    return is_fine;
}

// What the rounds change: discrete variables, what is held, guesses.
static void settle_exchange(Settling *s, double *values, bool is_back)
{
    const Model *model = s->point.mode->model;
    double *parts[] = {s->point.memory.m, s->point.memory.held, s->point.guesses};
    const uint32_t counts[] = {model->sizes.memory, model->sizes.held,
                               s->point.program->guesses.count};
    for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++) {
        if (counts[k])
            memcpy(is_back ? parts[k] : values, is_back ? values : parts[k],
                   counts[k] * sizeof *values);
        values += counts[k];
    }
}

// Nonlinear equations may have several solutions. If conditions do not come to rest with those that
// are nearest to the values before, each round goes on from the one before it; then combinations
// are searched for.
static bool settle_in_steps(Settling *s, double *before)
{
    const bool is_brief = s->is_brief;
    settle_exchange(s, before, false);
    s->is_brief = true;
    bool is_fine = settle_once(s);
    if (!is_fine) {
        settle_exchange(s, before, true);
        s->goes_on = true;
        is_fine = settle_once(s);
        s->goes_on = false;
    }
    s->is_brief = is_brief;
    if (!is_fine && !is_brief) {
        settle_exchange(s, before, true);
        is_fine = settle_once(s);
    }
    return is_fine;
}

// What agrees may be no result all the same: the root of a negative number is not equal to itself,
// and the whole part of 1e20 would never change.
static bool settle_is_sound(Settling *s)
{
    if (s->wild)
        message_set(&s->point.message, "the new value of %s is not a number", s->wild);
    else if (s->lost) {
        const SourcePlace at =
            sources_locate(s->point.mode->model->diagnostics->sources, s->lost->span.begin);
        message_set(&s->point.message,
                    "%s cannot be followed: its argument is beyond %g, where what is known of it "
                    "is no better than 1",
                    s->lost->text, settle_most_whole);
        if (at.file && span_is_known(s->lost->span))
            message_add(&s->point.message, " (%s, line %u)", at.file->name, at.line);
    }
    return !s->wild && !s->lost;
}

bool settle(Settling *s)
{
    const Model *model = s->point.mode->model;
    const uint32_t guesses = s->point.program->guesses.count;
    if (s->is_start || guesses == 0 || s->point.mode->conditions.hold_count == 0)
        return settle_once(s) && settle_is_sound(s);
    double *before =
        malloc(((size_t)model->sizes.memory + model->sizes.held + guesses) * sizeof *before);
    if (!before)
        return settle_once(s) && settle_is_sound(s);
    const bool is_fine = settle_in_steps(s, before);
    free(before);
    return is_fine && settle_is_sound(s);
}

bool settle_lasting(Settling *s)
{
    const signed char *signs = s->signs;
    const double accuracy = s->point.accuracy;
    double *m = s->point.memory.m;
    const size_t size = s->point.mode->model->sizes.memory * sizeof *m;
    double *before = malloc(size + sizeof *before);
    if (!before)
        return false;
    memcpy(before, m, size);
    s->signs = NULL; // they are about what ends
    s->point.accuracy = point_accuracy;
    s->is_lasting = true;
    const bool is_found = settle_search(s, NULL);
    s->is_lasting = false;
    s->point.accuracy = accuracy;
    s->signs = signs;
    if (!is_found)
        memcpy(m, before, size);
    free(before);
    return is_found;
}

// ---------------------------------------------------------------------------
// What is asked for
// ---------------------------------------------------------------------------

bool settle_wanted(const Mode *mode, const double *values, Choice *choices)
{
    const Model *m = mode->model;
    const uint32_t machines = m->flat->machine_count;
    bool is_other = false;
    for (uint32_t i = 0; i < mode->switches.branch_count; i++) {
        const uint32_t k = machines + mode->switches.branches[i], branch = (uint32_t)values[i];
        is_other |= mode->switches.choices[k] != branch;
        choices[k] = branch;
    }
    return is_other;
}

bool settle_asks(Settling *s)
{
    bool changed = false;
    return settle_update_discrete(s, &changed) && stays(s);
}

static bool settle_is_other(Settling *s, Choice *choices)
{
    return point_evaluate(&s->point, MODEL_CHOICES, s->point.values) &&
           settle_wanted(s->point.mode, s->point.values, choices);
}

bool settle_round(Settling *s, bool is_first, bool *changed)
{
    return point_solve(&s->point) &&
           (!is_first || !s->signs || point_evaluate(&s->point, MODEL_EVENTS, s->point.more)) &&
           settle_update_conditions(s, s->point.more, false, changed) &&
           settle_update_discrete(s, changed);
}

bool settle_first_asked(Settling *s, Choice *choices)
{
    for (uint32_t round = 0; round < ROUNDS_TOGETHER; round++) {
        bool changed = false;
        if (!settle_round(s, round == 0, &changed))
            return false;
        if (settle_is_other(s, choices))
            return true;
    }
    return false;
}

// Whether these are the choices of the mode that is left.
static bool is_the_left(const Settling *s, const Choice *choices)
{
    if (!s->before)
        return false;
    const Choice *left = s->before->switches.choices;
    for (uint32_t i = 0; i < s->before->model->sizes.choices; i++)
        if (left[i] != GATHER_ANY && left[i] != choices[i])
            return false;
    return true;
}

// What discrete variables and choices follow from a combination needs no solution. may_return: also
// to the mode that is left.
static bool ask_combinations(Settling *s, const uint32_t *numbers, uint32_t count, uint32_t *chosen,
                             Choice *choices, bool may_return)
{
    double *held = s->point.memory.held;
    int tried = 0;
    for (uint32_t turned = 1; turned <= count; turned++) {
        for (uint32_t k = 0; k < turned; k++)
            chosen[k] = k;
        do {
            bool changed = false;
            if (tried++ >= MOST_COMBINATIONS)
                return false;
            for (uint32_t k = 0; k < turned; k++)
                held[numbers[chosen[k]]] = held[numbers[chosen[k]]] == 0.0;
            if (settle_update_discrete(s, &changed) && settle_is_other(s, choices) &&
                (may_return || !is_the_left(s, choices)))
                return true;
            for (uint32_t k = 0; k < turned; k++)
                held[numbers[chosen[k]]] = held[numbers[chosen[k]]] == 0.0;
        } while (combination_next(chosen, turned, count));
    }
    return false;
}

bool settle_asked(Settling *s, Choice *choices)
{
    const uint32_t holds = s->point.mode->conditions.hold_count;
    uint32_t *numbers = calloc(2 * (size_t)holds + 1u, sizeof *numbers);
    s->is_restless = calloc(s->point.mode->model->sizes.held + 1u, sizeof(bool));
    bool is_found = false;
    if (numbers && s->is_restless) {
        is_found = settle_first_asked(s, choices);
        const uint32_t count = is_found ? 0 : list_relations(s, numbers);
        for (int pass = 0; pass < 2 && !is_found; pass++)
            is_found = ask_combinations(s, numbers, count, numbers + holds, choices, pass == 1);
    }
    free(s->is_restless);
    s->is_restless = NULL;
    free(numbers);
    return is_found;
}
