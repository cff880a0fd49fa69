// SPDX-License-Identifier: MIT
//
// Events: one call is one iteration in the sense of the specification (section 8.6): relations,
// discrete variables and algebraic variables are solved for together while the left limits stay,
// then when clauses act, then the left limits follow. Iterations end when nothing changes.
//
// If the conditions ask for another mode, the iteration goes on there (see change.h): the left
// limits do not follow before, and when clauses act on what the new mode says. Only reinit comes
// first: it acts on the states of the mode that is left.

#include "base/message.h"
#include "instant/choice.h"
#include "instant/delays.h"
#include "instant/jumps.h"
#include "instant/memory.h"
#include "instant/sliding.h"
#include "instant/support.h"
#include "instant/transitions.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct Update {
    SaltusEvent *event;
    const Model *model;
    const Mode *m;
    Settling s;
    Jumps jumps;
    double *begun; // memory and held as the iteration began; NULL: nobody asks
} Update;

static bool update_fail(Update *u)
{
    if (u->s.wild)
        saltus_fail_value(u->event, u->s.wild, message_text(u->s.point.message));
    else
        saltus_fail(u->event, message_text(u->s.point.message));
    return false;
}

static bool update_evaluate(Update *u, ModelEntry entry, double *values)
{
    return point_evaluate(&u->s.point, entry, values) || update_fail(u);
}

// ---------------------------------------------------------------------------
// Left limits, samples
// ---------------------------------------------------------------------------

// `values`: to work in.
static bool update_keep_left_limits(Update *u, double *values)
{
    const Mode *m = u->m;
    if (!update_evaluate(u, MODEL_LEFT, values))
        return false;
    for (uint32_t i = 0; i < m->memory.left_count; i++)
        u->s.point.memory.m[m->memory.lefts[i]] = values[i];
    return true;
}

// Samples are true in the iteration in which they are due, also where it goes on in another mode.
static bool update_samples(Update *u)
{
    const Model *m = u->model;
    if (!*u->s.point.memory.goes_on)
        memory_end_samples(m, &u->s.point.memory);
    *u->s.point.memory.goes_on = false;
    if (u->event->time_count == 0 || m->samples.count == 0)
        return true;
    if (!update_evaluate(u, MODEL_SAMPLES, u->s.point.values))
        return false;
    for (int k = 0; k < u->event->time_count; k++) {
        const int i = u->event->time_ids[k];
        if (i >= (int)m->samples.count)
            continue;
        u->s.point.memory.m[m->samples.places[i]] = 1.0;
        u->s.point.memory.ticks[i] += 1.0;
        const double first = u->s.point.values[2 * i], interval = u->s.point.values[2 * i + 1];
        saltus_schedule(u->event, i, first + u->s.point.memory.ticks[i] * interval);
    }
    return true;
}

static bool schedule_times(Update *u)
{
    if (!update_evaluate(u, MODEL_TIMES, u->s.point.values))
        return false;
    conditions_schedule(u->event, u->m, u->s.point.values);
    return true;
}

// Whether the event has come to the last tenth of the iterations that it may have: its end is
// doubtful then. A few of them are looked at, since those that go to and fro are not all alike.
static bool update_is_doubtful(const SaltusEvent *event)
{
    return saltus_iterations_left(event) <= 1 + event->iteration / 9;
}

// The discrete variables that the iteration changed, in words.
static bool update_fail_endless(Update *u)
{
    char *names = NULL;
    uint32_t count = 0;
    message_set(&names, "%s", "");
    for (uint32_t i = 0; i < u->model->defined.count && count <= SYSTEM_SHOWN; i++) {
        const ModelDiscrete *d = &u->model->defined.items[i];
        if (!d->is_plain || d->left == CODE_NONE ||
            u->s.point.memory.m[d->left] == u->s.point.memory.m[d->place])
            continue;
        message_add(&names, "%s%s", count ? ", " : "", count < SYSTEM_SHOWN ? d->name : "...");
        count++;
    }
    if (count > 0)
        system_fail(u->event, "the iteration of an event does not end: %s change%s in each",
                    message_text(names), count > 1 ? "" : "s");
    free(names);
    return count == 0;
}

// ---------------------------------------------------------------------------
// Actions
// ---------------------------------------------------------------------------

// shown: the numbers in its message.
static bool violate(SaltusEvent *event, const Model *m, const AssembledAction *action,
                    const double *shown)
{
    if (action->kind == ACTION_ASSERT && action->level == FLAT_LEVEL_WARNING)
        return true;
    Arena *arena = arena_create(NULL);
    const char *text = assemble_message_text(arena, action, shown);
    if (action->kind == ACTION_TERMINATE) {
        saltus_stop(event, text);
    } else {
        const SourcePlace place = sources_locate(m->diagnostics->sources, action->span.begin);
        system_fail(event, "assertion in %s, line %u, is violated: %s",
                    place.file ? place.file->name : "the model", place.line, text);
    }
    arena_destroy(arena);
    return action->kind == ACTION_TERMINATE;
}

// Of an action with this number, one of `all`: what its message shows. values: `stride` for each.
static void copy_shown(const GatheredActions *all, uint32_t number, uint32_t count,
                       const double *values, uint32_t stride, double *shown)
{
    for (uint32_t i = 0; i < all->count && count > 0; i++)
        if (all->numbers[i] > number && all->numbers[i] <= number + count)
            shown[all->numbers[i] - number - 1] = values[stride * i];
}

bool update_assert(SaltusEvent *event, const Mode *m, const double *violated)
{
    for (uint32_t i = 0; i < m->actions.assertions.count; i++) {
        const uint32_t number = m->actions.assertions.numbers[i];
        const AssembledAction *assertion = &m->model->assembly->assertions.items[number];
        if (violated[i] == 0.0 || assertion->kind == ACTION_SHOW)
            continue;
        double *warned = model_memory(m->model, event->memory).warned + number;
        if (isnan(*warned)) {
            *warned = event->t;
            copy_shown(&m->actions.assertions, number, assertion->shown_count, violated, 1,
                       warned + 1);
        }
        if (!violate(event, m->model, assertion, warned + 1))
            return false;
    }
    return true;
}

bool update_perform(SaltusEvent *event, const Mode *m, const double *actions)
{
    const Assembly *a = m->model->assembly;
    for (uint32_t i = 0; i < m->actions.gathered.count; i++) {
        const uint32_t number = m->actions.gathered.numbers[i];
        const AssembledAction *action = &a->actions.items[number];
        if (actions[2 * i] == 0.0 || action->kind == ACTION_REINIT || action->kind == ACTION_SHOW)
            continue;
        double *const warnings = model_memory(m->model, event->memory).warned;
        double *warned = &warnings[a->assertions.count + number];
        if (isnan(*warned)) {
            *warned = event->t;
            copy_shown(&m->actions.gathered, number, action->shown_count, actions, 2, warned + 1);
        }
        if (!violate(event, m->model, action, warned + 1))
            return false;
    }
    return true;
}

static bool fail_reinit(Update *u, uint32_t action, const char *what)
{
    return system_fail(u->event, "%s %s", u->m->actions.names[action], what);
}

// At most one for each state and iteration. *changed: there is one.
static bool update_reinitialise(Update *u, const double *actions, bool *changed)
{
    const Mode *m = u->m;
    for (uint32_t i = 0; i < m->actions.gathered.count; i++) {
        const bool is_state = m->actions.states[i] != CODE_NONE;
        if (m->actions.gathered.items[i].kind != ACTION_REINIT || actions[2 * i] == 0.0 ||
            (!is_state && !jumps_can_reinit(m, i)))
            continue;
        for (uint32_t k = 0; k < i; k++)
            if (m->actions.gathered.items[k].kind == ACTION_REINIT && actions[2 * k] != 0.0 &&
                m->actions.gathered.items[k].variable == m->actions.gathered.items[i].variable)
                return fail_reinit(u, i, "is reinitialised twice at one event");
        if (u->s.point.memory.is_fixed && m->actions.lefts[i] != CODE_NONE)
            u->s.point.memory.is_fixed[m->actions.lefts[i]] = true;
        if (!is_state)
            continue;
        *changed |= u->event->x[m->actions.states[i]] != actions[2 * i + 1];
        u->event->x[m->actions.states[i]] = actions[2 * i + 1];
    }
    return true;
}

// A reinit of what is not a state in this mode; CODE_NONE: there is none.
static uint32_t find_open_reinit(const Update *u, const double *actions)
{
    const Mode *m = u->m;
    for (uint32_t i = 0; i < m->actions.gathered.count; i++)
        if (m->actions.gathered.items[i].kind == ACTION_REINIT &&
            m->actions.states[i] == CODE_NONE && actions[2 * i] != 0.0)
            return i;
    return CODE_NONE;
}

// What is reinitialised must be a state, or a velocity that constraints contain, once the mode is
// found.
static bool check_reinits(Update *u, const double *actions)
{
    const Mode *m = u->m;
    for (uint32_t i = 0; i < m->actions.gathered.count; i++)
        if (m->actions.gathered.items[i].kind == ACTION_REINIT &&
            m->actions.states[i] == CODE_NONE && actions[2 * i] != 0.0 && !jumps_can_reinit(m, i))
            return fail_reinit(
                u, i, "is reinitialised, but it is not a state: other equations determine it");
    return true;
}

static bool has_reinit(const Update *u, const double *actions)
{
    for (uint32_t i = 0; i < u->m->actions.gathered.count; i++)
        if (u->m->actions.gathered.items[i].kind == ACTION_REINIT && actions[2 * i] != 0.0)
            return true;
    return false;
}

static void note_left_limits(Update *u)
{
    for (uint32_t i = 0; i < u->model->left.count; i++)
        u->s.point.memory.begun[i] = u->s.point.memory.m[u->model->left.items[i].place];
}

static bool is_state(const Mode *m, MemoryPlace place)
{
    for (uint32_t i = 0; i < m->states.count; i++)
        if (m->states.lefts[i] == place)
            return true;
    return false;
}

// Variables that were states, or are, but not both: the engine sees no more than states.
static void log_states(SaltusEvent *event, const ModelMemory *memory)
{
    const Mode *from = event->left.data, *to = event->data;
    const Model *model = event->user;
    if (!from || from == to)
        return;
    for (uint32_t i = 0; i < model->left.count; i++) {
        const MemoryPlace place = model->left.items[i].place;
        const double before = memory->begun[i], after = memory->m[place];
        if (before == after || is_state(from, place) == is_state(to, place))
            continue;
        saltus_log_change(event, model->left.names[i], before, after, 0);
        memory->begun[i] = after; // an event that goes on from here says no more than what is new
    }
}

// Discrete variables that changed since the last time, for the event log.
static void log_discrete(SaltusEvent *event, const double *values, double *logged)
{
    const Model *model = event->user;
    for (uint32_t i = 0; i < model->defined.count; i++) {
        const ModelDiscrete *d = &model->defined.items[i];
        const double value = values[d->place];
        if (d->is_plain && logged[i] != value)
            saltus_log_change(event, d->name, logged[i], value,
                              d->is_output ? SALTUS_SE_O : SALTUS_SE_P);
        logged[i] = value;
    }
}

// ---------------------------------------------------------------------------
// Modes
// ---------------------------------------------------------------------------

// The memory, then what is held: what can be gone back to.
static void keep_values(const Update *u, double *values)
{
    memcpy(values, u->s.point.memory.m, u->model->sizes.memory * sizeof *values);
    if (u->model->sizes.held)
        memcpy(values + u->model->sizes.memory, u->s.point.memory.held,
               u->model->sizes.held * sizeof *values);
}

// NULL: the run has failed.
static double *copy_values(Update *u)
{
    double *copy = calloc(u->model->sizes.memory + u->model->sizes.held + 1u, sizeof *copy);
    if (copy)
        keep_values(u, copy);
    else
        saltus_fail(u->event, "out of memory");
    return copy;
}

static void restore_values(Update *u, const double *values)
{
    memcpy(u->s.point.memory.m, values, u->model->sizes.memory * sizeof *values);
    if (u->model->sizes.held)
        memcpy(u->s.point.memory.held, values + u->model->sizes.memory,
               u->model->sizes.held * sizeof *values);
}

// States in the memory: what a restart begins with. A mode that is left as soon as it is entered,
// say a floor that stops a mass which a force lifts, leaves behind all that has jumped in it.
static bool keep_states(Update *u)
{
    if (u->event->iteration > 0 && u->event->before.mode >= 0 && !jumps_leave(&u->jumps) &&
        !update_keep_left_limits(u, u->s.point.more))
        return false;
    for (uint32_t i = 0; i < u->m->states.count; i++)
        if (u->m->states.lefts[i] != CODE_NONE)
            u->s.point.memory.m[u->m->states.lefts[i]] = u->event->x[i];
    return true;
}

// Another mode, if the conditions ask for one. *changed: there is one now. `actions`: what when
// clauses say in this one.
static bool change(Update *u, const double *actions, bool *changed)
{
    if (u->m->switches.branch_count == 0)
        return true;
    const ModelMemory *memory = &u->s.point.memory;
    Choice *choices = calloc(u->model->sizes.choices + 1u, sizeof *choices);
    if (!choices)
        saltus_fail(u->event, "out of memory");
    bool is_fine = choices && change_choices(u->event, u->m, memory, choices) &&
                   update_evaluate(u, MODEL_CHOICES, u->s.point.more);
    if (is_fine && settle_wanted(u->m, u->s.point.more, choices)) {
        const ChangeRequest request = {
            .from = u->m, .memory = *memory, .choices = choices, .is_fixed = memory->is_fixed};
        bool is_ended = false;
        *changed = true;
        is_fine = keep_states(u) && change_mode(u->event, &request, &is_ended) &&
                  (!is_ended || update_perform(u->event, u->m, actions));
        *memory->goes_on = !is_ended;
    }
    free(choices);
    return is_fine;
}

// Another mode where no values agree with this one, if its conditions ask for one as they go in
// circles; this one may follow after all, with other conditions. The values are those before.
static bool leave_circle(Update *u, bool *changed)
{
    const ModelMemory *memory = &u->s.point.memory;
    Choice *choices = calloc(u->model->sizes.choices + 1u, sizeof *choices);
    double *before = copy_values(u);
    bool is_fine = choices && before && change_choices(u->event, u->m, memory, choices);
    if (is_fine && settle_asked(&u->s, choices)) {
        const ChangeRequest request = {.from = u->m,
                                       .memory = *memory,
                                       .choices = choices,
                                       .is_fixed = memory->is_fixed,
                                       .may_stay = true};
        bool is_ended = false;
        *changed = true;
        restore_values(u, before);
        is_fine = (point_solve(&u->s.point) || update_fail(u)) && keep_states(u) &&
                  change_mode(u->event, &request, &is_ended);
        *memory->goes_on = !is_ended;
    }
    free(before);
    free(choices);
    return is_fine;
}

// Another mode where the equations of this one have no solution any more, as that of a pump whose
// speed has become zero: what it asks for by what is known all the same. It has to agree with its
// own conditions.
static bool leave_unsolved(Update *u, bool *changed)
{
    Point *p = &u->s.point;
    Choice *choices = calloc(u->model->sizes.choices + 1u, sizeof *choices);
    bool has_changed = false;
    if (!choices || u->m->switches.branch_count == 0 ||
        !point_evaluate(p, MODEL_TIMES, p->values)) {
        free(choices);
        return true;
    }
    conditions_times(u->m, p->inputs.time, p->values, p->memory.held, &has_changed);
    bool is_fine = true;
    if (!point_solve(p) && change_choices(u->event, u->m, &p->memory, choices) &&
        point_evaluate(p, MODEL_CHOICES, p->more) && settle_wanted(u->m, p->more, choices)) {
        const ChangeRequest request = {
            .from = u->m, .memory = p->memory, .choices = choices, .is_fixed = p->memory.is_fixed};
        bool is_ended = false;
        *changed = true;
        is_fine = keep_states(u) && change_mode(u->event, &request, &is_ended);
        *p->memory.goes_on = !is_ended;
    }
    free(choices);
    return is_fine;
}

// ---------------------------------------------------------------------------
// Iterations
// ---------------------------------------------------------------------------

// What conditions that differ from before the event mean for the equations.
static unsigned compare_held(const Mode *m, const double *before, const double *after)
{
    unsigned answer = SALTUS_NOTHING_CHANGED;
    for (uint32_t i = 0; i < m->conditions.hold_count; i++) {
        const ModelHold *hold = &m->conditions.holds[i];
        if (before[hold->number] == after[hold->number])
            continue;
        answer |= SALTUS_UNREAD_CHANGED;
        if (m->conditions.is_flow[hold->number])
            answer |= hold->kind == HOLD_TIME ? SALTUS_INPUTS_CHANGED : SALTUS_RHS_CHANGED;
    }
    return answer;
}

// The same of all that the memory has.
static unsigned compare_memory(const SaltusEvent *event, const ModelMemory *memory,
                               bool held_changed)
{
    const Mode *m = event->data;
    const double *left = event->left.memory, *held = left + m->model->sizes.memory;
    unsigned answer = compare_held(m, held, memory->held) |
                      (held_changed ? SALTUS_UNREAD_CHANGED : SALTUS_NOTHING_CHANGED);
    for (uint32_t i = 0; i < m->memory.read_count; i++) {
        const MemoryPlace place = m->memory.reads[i];
        const bool is_held = place >= m->model->sizes.memory;
        if (left[place] != memory->m[place] || (is_held && held_changed))
            answer |= SALTUS_MEMORY_CHANGED;
    }
    return answer;
}

// What conditions are now: the engine compares them with what their functions do just after.
static void tell_signs(SaltusEvent *event, const ModelMemory *memory)
{
    const Mode *m = event->data;
    for (uint32_t i = 0; i < m->conditions.hold_count; i++) {
        const ModelHold *hold = &m->conditions.holds[i];
        if (hold->kind != HOLD_CROSSING)
            continue;
        const int side = (int)conditions_side(hold, memory->held[hold->number]);
        saltus_set_rest(event, (int)hold->index, side);
        saltus_set_sign(event, (int)hold->index, side);
    }
}

unsigned update_end(SaltusEvent *event, const ModelMemory *memory, const double *violated,
                    bool held_changed)
{
    log_discrete(event, memory->m, memory->logged);
    log_states(event, memory);
    tell_signs(event, memory);
    if (!update_assert(event, event->data, violated))
        return SALTUS_NOTHING_CHANGED;
    choice_look(event, memory);
    return compare_memory(event, memory, held_changed);
}

static unsigned end_iteration(Update *u, bool changed)
{
    point_keep_guesses(&u->s.point, u->event->z);
    if (!schedule_times(u) || !update_keep_left_limits(u, u->s.point.values))
        return SALTUS_NOTHING_CHANGED;
    if (update_is_doubtful(u->event) && !update_fail_endless(u))
        return SALTUS_NOTHING_CHANGED;
    changed |= memory_shift(u->model, &u->s.point.memory);
    changed |= memory_has_sample(u->model, &u->s.point.memory);
    if (changed) // what the equations read of it is found at the end
        return SALTUS_AGAIN | SALTUS_UNREAD_CHANGED;
    if (!update_evaluate(u, MODEL_ASSERTIONS, u->s.point.values))
        return SALTUS_NOTHING_CHANGED;
    return update_end(u->event, &u->s.point.memory, u->s.point.values, u->s.has_held_changed);
}

// ---------------------------------------------------------------------------
// Conditions that are not decided yet
// ---------------------------------------------------------------------------

// In a mode just entered, a condition that is zero has the sign that the engine will find for it.
// Until then it must not be the cause of anything: if it is, its other value is taken.

// held: as the iteration began.
static bool is_undecided(const Update *u, const ModelHold *hold, const double *held)
{
    return hold->kind == HOLD_CROSSING && !hold->is_muted && u->event->sign[hold->index] == 0 &&
           !sliding_has_decided(u->event, u->m, hold, held);
}

static bool has_undecided(const Update *u)
{
    bool result = false;
    const bool is_entered = u->event->iteration > 0 && u->event->before.mode >= 0;
    for (uint32_t i = 0; i < u->m->conditions.hold_count && is_entered && !result; i++)
        result = is_undecided(u, &u->m->conditions.holds[i], u->s.point.memory.held);
    return result;
}

// Whether the mode stays the active one, after settle.
static bool is_staying(Update *u)
{
    const Mode *m = u->m;
    double *values = u->s.point.values;
    if (!point_evaluate(&u->s.point, MODEL_CHOICES, values))
        return false;
    for (uint32_t i = 0; i < m->switches.branch_count; i++)
        if (m->switches.choices[u->model->flat->machine_count + m->switches.branches[i]] !=
            (uint32_t)values[i])
            return false;
    if (!point_evaluate(&u->s.point, MODEL_TRANSITIONS, values))
        return false;
    for (uint32_t i = 0; i < m->switches.transition_count; i++)
        if (values[i] != 0.0)
            return false;
    return true;
}

// Whether nothing is going to happen, after settle.
static bool is_quiet(Update *u)
{
    return !memory_is_unsettled(u->model, &u->s.point.memory) && is_staying(u);
}

static bool settle_again(Update *u, const double *values, const ModelHold *turned)
{
    restore_values(u, values);
    if (turned)
        u->s.point.memory.held[turned->number] = u->s.point.memory.held[turned->number] == 0.0;
    return settle(&u->s);
}

// In a mode just entered.
static bool settle_undecided(Update *u, const double *before)
{
    bool is_fine = settle(&u->s), is_found = is_fine && is_quiet(u);
    if (is_fine && !is_found) { // all of them as the flow leads them
        u->s.by_course = true;
        is_found = settle_again(u, before, NULL) && is_quiet(u);
        u->s.by_course = false;
    }
    for (uint32_t i = 0; i < u->m->conditions.hold_count && is_fine && !is_found; i++)
        is_found = is_undecided(u, &u->m->conditions.holds[i], before + u->model->sizes.memory) &&
                   settle_again(u, before, &u->m->conditions.holds[i]) && is_quiet(u);
    return is_found || settle_again(u, before, NULL);
}

// No values agree with the left limits of discrete variables: friction that a torque has overcome,
// which is smaller as soon as it slides, so that it would not have been overcome; only pre() knows
// that it was. The iteration ends with what conditions and discrete variables are at first, as if
// in a mode that lasts no time, and the next one begins: its left limits are those.
static bool settle_ended(Update *u, double *before)
{
    enum { MOST_ENDED = 20 };
    double *actions = u->s.point.values;
    char *const why = point_take_message(&u->s.point);
    for (int ended = 0; ended < MOST_ENDED && u->s.has_circled; ended++) {
        bool changed = false;
        restore_values(u, before);
        if (!settle_round(&u->s, true, &changed) ||
            !memory_is_unsettled(u->model, &u->s.point.memory) ||
            !point_evaluate(&u->s.point, MODEL_ACTIONS, actions) || has_reinit(u, actions) ||
            !update_perform(u->event, u->m, actions))
            break;
        memory_shift(u->model, &u->s.point.memory);
        memory_end_samples(u->model, &u->s.point.memory);
        keep_values(u, before);
        if (settle(&u->s)) {
            free(why);
            return true;
        }
    }
    point_give_message(&u->s.point, why);
    return false;
}

// The same where when clauses reinitialise: they have to see what is at first.
static bool settle_first(Update *u, const double *before)
{
    bool changed = false;
    double *actions = u->s.point.values;
    restore_values(u, before);
    return settle_round(&u->s, true, &changed) && point_solve(&u->s.point) &&
           memory_is_unsettled(u->model, &u->s.point.memory) &&
           point_evaluate(&u->s.point, MODEL_ACTIONS, actions) && has_reinit(u, actions);
}

// Whether a relation that has crossed zero has its old value again, although its function is as it
// was: what followed from the crossing has taken it back, as the current through a fuse that blows.
static bool is_taken_back(Update *u)
{
    const SaltusEvent *event = u->event;
    double *h = u->s.point.values, *sizes = u->s.point.more;
    bool is_known = false;
    if (event->iteration > 0 || !(event->occasion & SALTUS_AT_CROSSING) || event->left.data != u->m)
        return false;
    for (int k = 0; k < event->fired_count; k++) {
        const ModelHold *hold = conditions_of_event(u->m, (uint32_t)event->fired[k].event);
        const int direction = event->fired[k].direction;
        if (!hold || !conditions_is_relation(hold) || hold->is_muted || hold->is_ideal ||
            u->s.point.memory.held[hold->number] == conditions_value(hold, (Side)direction, 0.0))
            continue;
        if (!is_known && !conditions_zeros(&u->s.point, h, sizes))
            return false;
        is_known = true;
        if (direction * h[hold->index] >= -sizes[hold->index])
            return true;
    }
    return false;
}

// Only pre() knows of the crossing then.
static bool settle_taken_back(Update *u, double *before)
{
    double *after = copy_values(u);
    if (!after)
        return false;
    u->s.has_circled = true;
    const bool is_fine =
        settle_ended(u, before) || settle_first(u, before) || settle_again(u, after, NULL);
    free(after);
    return is_fine;
}

// The engine has said so often that what is zero goes to the other side. What is not found in as
// many attempts is not there.
static bool is_to_and_fro(const Update *u)
{
    enum { FIRST_TURN = 5, LAST_TURN = 20 };
    const double turns = *u->s.point.memory.armings;
    return u->event->occasion & SALTUS_AT_ARMING && turns >= FIRST_TURN && turns <= LAST_TURN;
}

// Where what held a surface of this mode is gone: it is left, or there is no solution.
static bool settle_lost(Update *u, double *before, bool *is_other)
{
    restore_values(u, before);
    return sliding_lose(u->event, &u->s, is_other) && (*is_other || update_fail(u));
}

// *is_other: no values agree in this mode, another one is active.
static bool settle_here(Update *u, bool *is_other)
{
    const bool may_leave = u->m->switches.branch_count > 0, undecided = has_undecided(u);
    double *before = copy_values(u);
    if (!before)
        return false;
    if (is_to_and_fro(u) && settle_lasting(&u->s)) {
        free(before);
        return true;
    }
    u->s.is_brief = may_leave;
    bool is_fine = undecided ? settle_undecided(u, before) : settle(&u->s);
    u->s.is_brief = false;
    if (!is_fine) {
        restore_values(u, before);
        is_fine = leave_circle(u, is_other);
        if (is_fine && !*is_other && !settle_again(u, before, NULL) && !settle_ended(u, before))
            is_fine =
                leave_unsolved(u, is_other) && (*is_other || settle_lost(u, before, is_other));
    } else if (is_taken_back(u)) {
        is_fine = settle_taken_back(u, before) || update_fail(u);
    }
    free(before);
    return is_fine;
}

// A condition like f >= 0 in a mode with f = 0 holds there, but it has ended the mode before, where
// f was negative. It is true again unless it would end this mode, too: else a floor that has let go
// of a mass once would not be there when it falls again. And f > 0, which may have led into the
// mode, does not hold there: else nothing else could end it.
static bool renew_condition(Update *u, const ModelHold *hold)
{
    double *before = copy_values(u);
    if (!before)
        return false;
    bool is_fine = true;
    if (!settle_again(u, before, hold) || !is_staying(u))
        is_fine = settle_again(u, before, NULL);
    free(before);
    return is_fine || update_fail(u);
}

static bool renew_conditions(Update *u)
{
    for (uint32_t i = 0; i < u->m->conditions.hold_count; i++) {
        const ModelHold *hold = &u->m->conditions.holds[i];
        if (conditions_is_denied(hold, u->s.point.memory.held) && !renew_condition(u, hold))
            return false;
    }
    if (support_is_there(&u->s))
        return true;
    return point_solve(&u->s.point) || update_fail(u);
}

// ---------------------------------------------------------------------------
// One iteration
// ---------------------------------------------------------------------------

// At an edge of where the equations have a solution, just before the event.
static bool solve_left(Update *u)
{
    Point *p = &u->s.point;
    const double t = p->inputs.time, tick = DBL_EPSILON * fabs(t);
    bool is_fine = point_solve(p);
    for (int k = 1; k <= 16 && !is_fine && u->event->occasion == SALTUS_AT_TIME; k *= 2) {
        p->inputs.time = t - k * tick;
        is_fine = point_solve(p);
    }
    p->inputs.time = t;
    return is_fine;
}

// The left limits of an event are those of its beginning.
static bool update_open_event(Update *u)
{
    const ModelMemory *memory = &u->s.point.memory;
    if (u->event->iteration > 0)
        return true;
    if (!solve_left(u))
        return update_fail(u);
    if (!update_keep_left_limits(u, u->s.point.values))
        return false;
    note_left_limits(u);
    *memory->armed_steps = *memory->armings = 0.0;
    memset(memory->is_released, 0, u->model->sizes.held * sizeof *memory->is_released);
    if (memory->is_fixed)
        memset(memory->is_fixed, 0, u->model->sizes.memory * sizeof *memory->is_fixed);
    return true;
}

// What this iteration makes of states and mode.
typedef struct Moves {
    bool is_reinitialised; // a state has another value
    bool is_other;         // another mode is active
    bool has_transition;   // another state of a machine is
    bool is_unsettled;     // a machine needs another iteration
} Moves;

// Whether the mode ends by the impulses of what a reinit has made jump in it: a rope that would
// have to push. Then the conditions are those that end it.
static bool is_ended_by(Update *u, const double *impulses, double *actions, bool *is_ended)
{
    bool is_any = false;
    for (uint32_t i = 0; i < u->m->conditions.event_count; i++)
        is_any |= impulses[i] != 0.0;
    double *before = is_any ? copy_values(u) : NULL;
    if (!before)
        return !is_any;
    const signed char *signs = u->s.signs;
    u->s.signs = NULL; // they are about the values before
    u->s.impulses = impulses;
    *is_ended = settle(&u->s) && !is_staying(u);
    u->s.impulses = NULL;
    u->s.signs = signs;
    if (!*is_ended)
        restore_values(u, before);
    free(before);
    return update_evaluate(u, MODEL_ACTIONS, actions); // is_staying has used their place
}

// The states before the reinit: it acts again in the mode that follows.
static void update_take_back(Update *u, const double *x, const double *actions)
{
    const Mode *m = u->m;
    memcpy(u->event->x, x, m->states.count * sizeof *x);
    for (uint32_t i = 0; i < m->actions.gathered.count && u->s.point.memory.is_fixed; i++)
        if (m->actions.gathered.items[i].kind == ACTION_REINIT && actions[2 * i] != 0.0 &&
            m->actions.lefts[i] != CODE_NONE)
            u->s.point.memory.is_fixed[m->actions.lefts[i]] = false;
    u->jumps.has_jumped = false;
}

// Reinit, and what constraints make jump with it. room: as many doubles as states and events.
static bool jump_by_reinit(Update *u, double *actions, Moves *moves, double *room)
{
    double *impulses = room + u->m->states.count;
    bool is_ended = false;
    memcpy(room, u->event->x, u->m->states.count * sizeof *room);
    if (!update_reinitialise(u, actions, &moves->is_reinitialised) ||
        !jumps_reinit(&u->jumps, actions, impulses) ||
        !is_ended_by(u, impulses, actions, &is_ended))
        return false;
    if (is_ended) {
        update_take_back(u, room, actions);
        moves->is_reinitialised = false;
    }
    return true;
}

static bool reinit(Update *u, double *actions, Moves *moves)
{
    double *room =
        calloc((size_t)u->m->states.count + u->m->conditions.event_count + 1u, sizeof *room);
    if (!room)
        saltus_fail(u->event, "out of memory");
    const bool is_fine = room && jump_by_reinit(u, actions, moves, room);
    free(room);
    return is_fine;
}

// Reinit, another mode, transitions. What is reinitialised and not a state may become one by the
// same event: then all that is reinitialised with it is so in the new mode.
static bool make_moves(Update *u, double *actions, Moves *moves)
{
    if (!update_evaluate(u, MODEL_ACTIONS, actions))
        return false;
    const bool is_open = find_open_reinit(u, actions) != CODE_NONE;
    if (is_open && !change(u, actions, &moves->is_other))
        return false;
    jumps_note(&u->jumps);
    if (!moves->is_other && !reinit(u, actions, moves))
        return false;
    if (!moves->is_reinitialised && !is_open && !change(u, actions, &moves->is_other))
        return false;
    if (!moves->is_other &&
        !transitions_step(u->event, &u->s, &moves->has_transition, &moves->is_unsettled))
        return false;
    return moves->is_other || moves->has_transition || moves->is_reinitialised ||
           u->jumps.has_jumped || sliding_enter(u->event, &u->s, u->begun, &moves->is_other);
}

// What else when clauses do, in the mode that stays. (The states may be new now, but what the
// conditions consist of is as before.)
static bool update_act(Update *u, double *actions, const Moves *moves)
{
    const ModelMemory left = model_memory(u->model, u->event->left.memory);
    if (!update_evaluate(u, MODEL_ACTIONS, actions) || !check_reinits(u, actions) ||
        !update_perform(u->event, u->m, actions))
        return false;
    return !moves->is_reinitialised || settle_release(&u->s, left.held) || update_fail(u);
}

// What the iteration begins with, where somebody asks.
static bool note_begun(Update *u)
{
    if (sliding_asks(u->event, u->m))
        u->begun = copy_values(u);
    return u->begun || !sliding_asks(u->event, u->m);
}

static unsigned update_iterate(Update *u)
{
    Moves moves = {0};
    double *actions = u->s.point.values;
    if (!update_open_event(u) || !jumps_begin(&u->jumps, u->event, &u->s) || !update_samples(u) ||
        !sliding_meet(u->event, &u->s, &moves.is_other) || !note_begun(u))
        return SALTUS_NOTHING_CHANGED;
    if (moves.is_other)
        return SALTUS_AGAIN | SALTUS_MEMORY_CHANGED;
    if (!settle_here(u, &moves.is_other))
        return SALTUS_NOTHING_CHANGED;
    if (moves.is_other)
        return SALTUS_AGAIN | SALTUS_MEMORY_CHANGED;
    if ((u->s.is_complementary && !conditions_mark(&u->s.point, u->event) && !update_fail(u)) ||
        (!conditions_mark_ideal(&u->s.point, u->event) && !update_fail(u)))
        return SALTUS_NOTHING_CHANGED;
    // (A surface that moves is left before anything jumps: states do not move with it.)
    if (!renew_conditions(u) || !update_evaluate(u, MODEL_ACTIONS, actions) ||
        !sliding_leave(u->event, &u->s, actions, u->begun, &moves.is_other))
        return SALTUS_NOTHING_CHANGED;
    if (moves.is_other)
        return SALTUS_AGAIN | SALTUS_MEMORY_CHANGED;
    if (!jumps_follow(&u->jumps) || !make_moves(u, actions, &moves))
        return SALTUS_NOTHING_CHANGED;
    if (moves.is_other || moves.has_transition)
        return SALTUS_AGAIN | SALTUS_MEMORY_CHANGED;
    if (!update_act(u, actions, &moves))
        return SALTUS_NOTHING_CHANGED;
    if (u->jumps.has_jumped && !point_solve(&u->s.point) &&
        !update_fail(u)) // the left limits that follow
        return SALTUS_NOTHING_CHANGED;
    transitions_end(u->model, &u->s.point.memory);
    return end_iteration(u, moves.is_reinitialised || moves.is_unsettled || u->jumps.has_jumped);
}

bool update_begin(SaltusEvent *event)
{
    const Model *model = event->user;
    const ModelMemory memory = model_memory(model, event->memory);
    Update u = {.event = event, .model = model, .m = event->data, .s = {.signs = event->sign}};
    if (!point_open(&u.s.point, u.m, &memory, event->t, event->x, event->z, event->p)) {
        saltus_fail(event, "out of memory");
        return false;
    }
    const bool is_fine = update_open_event(&u);
    point_close(&u.s.point);
    return is_fine;
}

// The engine's signs. But ideal switches that an earlier iteration has found, and that are zero,
// are as they were found: which of several that could be is not decided anew by what they were
// before. NULL: the engine's count.
static signed char *update_signs(Update *u)
{
    Point *p = &u->s.point;
    const ModeConditions *c = &p->mode->conditions;
    if (u->event->iteration == 0 || u->event->occasion & SALTUS_AT_ARMING ||
        !conditions_has_ideal(p->mode) || !point_solve(p) ||
        !conditions_zeros(p, p->values, p->more))
        return NULL;
    signed char *signs = malloc(c->event_count + 1u);
    for (uint32_t i = 0; i < c->event_count && signs; i++)
        signs[i] = u->event->sign[i];
    for (uint32_t i = 0; i < c->hold_count && signs; i++) {
        const ModelHold *hold = &c->holds[i];
        if (hold->is_ideal && signs[hold->index] &&
            fabs(p->values[hold->index]) <= conditions_rounding(p, hold->index))
            signs[hold->index] = (signed char)conditions_side(hold, p->memory.held[hold->number]);
    }
    return signs;
}

unsigned update_event(SaltusEvent *event)
{
    const Mode *m = event->data;
    const Model *model = event->user;
    const ModelMemory memory = model_memory(model, event->memory);
    const unsigned delayed = delays_update(event);
    Update u = {.event = event, .model = model, .m = m, .s = {.signs = event->sign}};
    if (!point_open(&u.s.point, m, &memory, event->t, event->x, event->z, event->p)) {
        saltus_fail(event, "out of memory");
        return SALTUS_NOTHING_CHANGED;
    }
    *memory.armings += event->occasion & SALTUS_AT_ARMING ? 1.0 : 0.0;
    u.s.point.accuracy = point_accuracy_at(event, &memory);
    signed char *signs = update_signs(&u);
    if (signs)
        u.s.signs = signs;
    const unsigned answer = update_iterate(&u);
    free(u.begun);
    free(signs);
    jumps_end(&u.jumps);
    point_close(&u.s.point);
    const unsigned passed = delays_pass_fronts(event);
    delays_schedule(event);
    return answer | delayed | passed;
}
