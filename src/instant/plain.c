// SPDX-License-Identifier: MIT

#include "instant/plain.h"

#include "instant/conditions.h"
#include "instant/memory.h"

#include <string.h>

// Beyond these update.c has more to look at: it measures noise, searches corners of surfaces.
enum { MOST_ROUNDS = 5, MOST_ITERATIONS = 4, MOST_TURNS = 1 };

typedef struct Plain {
    SaltusEvent *event;
    const Model *model;
    const Mode *m;
    ModelMemory *memory;
    ModelScratch *scratch;
    ProgramInputs inputs;
    bool has_held_changed;
} Plain;

// ---------------------------------------------------------------------------
// Values
// ---------------------------------------------------------------------------

static bool plain_evaluate(Plain *p, ModelEntry entry, double *values)
{
    const Program *flow = p->m->flow;
    if (flow->counts[entry] == 0)
        return true;
    const ProgramStatus status =
        flow->joined.parts
            ? program_evaluate(flow, p->scratch->program, &p->inputs, (uint32_t)entry, values)
            : program_evaluate_again(flow, p->scratch->program, (uint32_t)entry, values);
    return status == PROGRAM_FINE;
}

static bool plain_solve(Plain *p)
{
    return !p->m->plain.needs_unknown ||
           program_solve(p->m->flow, p->scratch->program, &p->inputs, PROGRAM_ALL, p->event->z,
                         NULL) == PROGRAM_FINE;
}

static bool plain_keep_left_limits(Plain *p)
{
    const Mode *m = p->m;
    if (!plain_evaluate(p, MODEL_LEFT, p->scratch->values))
        return false;
    for (uint32_t i = 0; i < m->memory.left_count; i++)
        p->memory->m[m->memory.lefts[i]] = p->scratch->values[i];
    return true;
}

// ---------------------------------------------------------------------------
// Conditions and discrete variables that agree
// ---------------------------------------------------------------------------

// To go back to.
static void plain_note(Plain *p)
{
    const Mode *m = p->m;
    double *before = p->scratch->before;
    for (uint32_t i = 0; i < m->conditions.hold_count; i++)
        *before++ = p->memory->held[m->conditions.holds[i].number];
    for (uint32_t i = 0; i < m->memory.discrete_count; i++)
        *before++ = p->memory->m[m->memory.discrete[i].place];
    for (uint32_t i = 0; i < m->memory.read_count; i++)
        *before++ = p->memory->m[m->memory.reads[i]];
}

// Whether all that the engine's evaluations read is as it was. (What is iterated for it would find
// once more, from a better guess.)
static bool plain_is_kept(const Plain *p)
{
    const Mode *m = p->m;
    if (m->flow->guesses.count)
        return false;
    const double *before = p->scratch->before + m->conditions.hold_count + m->memory.discrete_count;
    for (uint32_t i = 0; i < m->memory.read_count; i++)
        if (before[i] != p->memory->m[m->memory.reads[i]])
            return false;
    return true;
}

static void plain_go_back(Plain *p)
{
    const Mode *m = p->m;
    const double *before = p->scratch->before;
    for (uint32_t i = 0; i < m->conditions.hold_count; i++)
        p->memory->held[m->conditions.holds[i].number] = *before++;
    for (uint32_t i = 0; i < m->memory.discrete_count; i++)
        p->memory->m[m->memory.discrete[i].place] = *before++;
}

// The engine's signs are about the event functions as they are.
static bool plain_conditions(Plain *p, bool *changed)
{
    const Mode *m = p->m;
    double *literals = p->scratch->values;
    if (m->conditions.time_count) {
        if (!plain_evaluate(p, MODEL_TIMES, literals))
            return false;
        conditions_times(m, p->inputs.time, literals, p->memory->held, changed);
    }
    if (m->plain.has_literals && !plain_evaluate(p, MODEL_HOLDS, literals))
        return false;
    for (uint32_t i = 0; i < m->conditions.hold_count; i++) {
        const ModelHold *hold = &m->conditions.holds[i];
        double *held = &p->memory->held[hold->number];
        const Side side = hold->kind == HOLD_CROSSING ? p->event->sign[hold->index] : SIDE_ZERO;
        if (hold->kind == HOLD_TIME || (hold->kind == HOLD_CROSSING && side == SIDE_ZERO))
            continue;
        const double value =
            hold->kind == HOLD_LITERAL ? literals[2 * i] : conditions_value(hold, side, 0.0);
        *changed |= *held != value;
        *held = value;
    }
    return true;
}

// Those of one part are computed from those of other parts as the memory has them: see settle.c.
static bool plain_discrete(Plain *p, bool *changed)
{
    const Mode *m = p->m;
    const double *values = p->scratch->values;
    bool is_open = m->memory.discrete_count > 0;
    for (uint32_t round = 0; round <= m->memory.discrete_count && is_open; round++) {
        is_open = false;
        if (!plain_evaluate(p, MODEL_DISCRETE, p->scratch->values))
            return false;
        for (uint32_t i = 0; i < m->memory.discrete_count; i++) {
            double *value = &p->memory->m[m->memory.discrete[i].place];
            if (*value == values[i])
                continue;
            *value = values[i];
            *changed = true;
            is_open = m->parts.count > 1;
        }
    }
    return true;
}

// Event functions that discrete variables have moved are no usual case.
static bool plain_stays(Plain *p)
{
    const Mode *m = p->m;
    return !m->plain.moves_events ||
           (plain_evaluate(p, MODEL_EVENTS, p->scratch->values) &&
            memcmp(p->scratch->values, p->scratch->more,
                   m->conditions.event_count * sizeof *p->scratch->more) == 0);
}

// After plain_solve.
static bool plain_settle(Plain *p)
{
    if (p->m->plain.moves_events && !plain_evaluate(p, MODEL_EVENTS, p->scratch->more))
        return false;
    for (int round = 0; round < MOST_ROUNDS; round++) {
        bool conditions = false, discrete = false;
        if (!plain_conditions(p, &conditions) || !plain_discrete(p, &discrete))
            return false;
        p->has_held_changed |= conditions;
        if (!conditions && !discrete)
            return true;
        if ((p->m->plain.moves_unknown && !plain_solve(p)) || !plain_stays(p))
            return false;
    }
    return false;
}

// ---------------------------------------------------------------------------
// What follows from them
// ---------------------------------------------------------------------------

static bool plain_stays_in_mode(Plain *p)
{
    const Mode *m = p->m;
    const double *values = p->scratch->values;
    if (!plain_evaluate(p, MODEL_CHOICES, p->scratch->values))
        return false;
    for (uint32_t i = 0; i < m->switches.branch_count; i++)
        if (m->switches.choices[p->model->flat->machine_count + m->switches.branches[i]] !=
            (uint32_t)values[i])
            return false;
    return true;
}

// Whether what is reinitialised is usual: a state, each once. *is_any: there is something.
static bool plain_can_reinit(const Mode *m, const double *actions, bool *is_any)
{
    for (uint32_t i = 0; i < m->actions.gathered.count; i++) {
        if (m->actions.gathered.items[i].kind != ACTION_REINIT || actions[2 * i] == 0.0)
            continue;
        if (m->actions.states[i] == CODE_NONE)
            return false;
        for (uint32_t k = 0; k < i; k++)
            if (m->actions.gathered.items[k].kind == ACTION_REINIT && actions[2 * k] != 0.0 &&
                m->actions.gathered.items[k].variable == m->actions.gathered.items[i].variable)
                return false;
        *is_any = true;
    }
    return true;
}

// True: a state has another value.
static bool plain_reinit(Plain *p, const double *actions)
{
    const Mode *m = p->m;
    bool changed = false;
    for (uint32_t i = 0; i < m->actions.gathered.count; i++) {
        if (m->actions.gathered.items[i].kind != ACTION_REINIT || actions[2 * i] == 0.0)
            continue;
        if (p->memory->is_fixed && m->actions.lefts[i] != CODE_NONE)
            p->memory->is_fixed[m->actions.lefts[i]] = true;
        double *x = &p->event->x[m->actions.states[i]];
        changed |= *x != actions[2 * i + 1];
        *x = actions[2 * i + 1];
    }
    return changed;
}

// The relations of a surface, and nothing else, are on one side of it now; *is_above: which one.
static bool plain_is_on_side(const Plain *p, const ModelHold *first, bool *is_above)
{
    const Mode *m = p->m;
    const double *before = p->scratch->before;
    *is_above = (p->memory->held[first->number] != 0.0) != first->is_below;
    for (uint32_t i = 0; i < m->conditions.hold_count; i++) {
        const ModelHold *hold = &m->conditions.holds[i];
        const double held = p->memory->held[hold->number];
        if (hold->surface == first->number ? (held != 0.0) != (hold->is_below != *is_above)
                                           : held != before[i])
            return false;
    }
    return true;
}

// Whether the flow leads away from the surface that was met, so that it does not attract: see
// attracts of sliding.c, of which this is one side.
static bool plain_leaves_surface(Plain *p)
{
    const Mode *m = p->m;
    const ModelHold *hold = conditions_of_event(m, (uint32_t)p->event->fired[0].event);
    const ModelHold *first = NULL;
    if (!hold || p->model->assembly->sliding.variables[hold->number] == DAG_NONE)
        return hold;
    for (uint32_t i = 0; i < m->conditions.hold_count && !first; i++)
        if (m->conditions.holds[i].number == hold->surface)
            first = &m->conditions.holds[i];
    bool is_above;
    if (!first || !plain_is_on_side(p, first, &is_above) ||
        program_solve(m->flow, p->scratch->program, &p->inputs, PROGRAM_RATES, p->event->z, NULL) !=
            PROGRAM_FINE ||
        !plain_evaluate(p, MODEL_RATES, p->scratch->values))
        return false;
    const double rate = p->scratch->values[first->index];
    return is_above ? rate >= 0.0 : rate <= 0.0;
}

// Whether a surface that was met may attract.
static bool plain_can_slide(const Plain *p)
{
    const SaltusEvent *event = p->event;
    return p->model->assembly->sliding.count && p->m->plain.moves_rates && event->fired_count > 0 &&
           event->occasion & (SALTUS_AT_CROSSING | SALTUS_AT_ARMING);
}

// Conditions and values of actions, once all agree; then nothing stands against the usual.
static bool plain_decide(Plain *p, double *actions)
{
    const Mode *m = p->m;
    bool reinits = false;
    if (plain_can_slide(p) && !plain_leaves_surface(p))
        return false;
    if (!plain_evaluate(p, MODEL_ACTIONS, actions) || !plain_can_reinit(m, actions, &reinits))
        return false;
    return m->switches.branch_count == 0 || (!reinits && plain_stays_in_mode(p));
}

// Whether another iteration would find all as it is: conditions, discrete variables, branches, and
// no action. (What the states do to event functions, the engine looks at. Times are scheduled
// anew.)
static bool plain_is_idle(Plain *p, double *actions, bool is_reinitialised)
{
    const Mode *m = p->m;
    const double *values = p->scratch->values;
    if (m->conditions.time_count || (is_reinitialised && !plain_solve(p)) ||
        (m->plain.has_literals && !plain_evaluate(p, MODEL_HOLDS, p->scratch->values)))
        return false;
    for (uint32_t i = 0; i < m->conditions.hold_count && m->plain.has_literals; i++)
        if (m->conditions.holds[i].kind == HOLD_LITERAL &&
            p->memory->held[m->conditions.holds[i].number] != values[2 * i])
            return false;
    if (!plain_evaluate(p, MODEL_DISCRETE, p->scratch->values))
        return false;
    for (uint32_t i = 0; i < m->memory.discrete_count; i++)
        if (p->memory->m[m->memory.discrete[i].place] != values[i])
            return false;
    if (!plain_evaluate(p, MODEL_ACTIONS, actions))
        return false;
    for (uint32_t i = 0; i < m->actions.gathered.count; i++)
        if (actions[2 * i] != 0.0 && m->actions.gathered.items[i].kind != ACTION_SHOW)
            return false;
    return m->switches.branch_count == 0 || plain_stays_in_mode(p);
}

// ---------------------------------------------------------------------------
// One iteration
// ---------------------------------------------------------------------------

// Of several surfaces, only update.c tells.
static bool plain_can_tell(const Plain *p)
{
    return p->event->fired_count == 1 && p->m->conditions.has_rates;
}

static bool plain_is_usual(const Plain *p)
{
    const SaltusEvent *event = p->event;
    return event->left.data == p->m && event->before.mode < 0 &&
           !(event->occasion & (SALTUS_AT_START | SALTUS_AT_LIMIT | SALTUS_AT_ENTRY)) &&
           event->iteration <= MOST_ITERATIONS && *p->memory->armings <= MOST_TURNS &&
           !*p->memory->goes_on && (!plain_can_slide(p) || plain_can_tell(p));
}

// The left limits of an event are those of its beginning.
static bool plain_open(Plain *p)
{
    const ModelMemory *memory = p->memory;
    if (!plain_solve(p))
        return false;
    if (p->event->iteration > 0)
        return true;
    if (!plain_keep_left_limits(p))
        return false;
    for (uint32_t i = 0; i < p->model->left.count; i++)
        memory->begun[i] = memory->m[p->model->left.items[i].place];
    *memory->armed_steps = *memory->armings = 0.0;
    memset(memory->is_released, 0, p->model->sizes.held * sizeof *memory->is_released);
    if (memory->is_fixed)
        memset(memory->is_fixed, 0, p->model->sizes.memory * sizeof *memory->is_fixed);
    return true;
}

static void plain_act(Plain *p, double *actions, bool is_reinitialised)
{
    const bool is_new = is_reinitialised && p->m->flow->reads[MODEL_ACTIONS] & 1u << PROGRAM_STATES;
    if (!is_new || plain_evaluate(p, MODEL_ACTIONS, actions))
        update_perform(p->event, p->m, actions);
}

static bool plain_iterate(Plain *p, unsigned *answer)
{
    const Mode *m = p->m;
    double *actions = p->scratch->more;
    plain_note(p);
    if (!plain_open(p))
        return false;
    if (!plain_settle(p) || !plain_decide(p, actions)) {
        plain_go_back(p);
        return false;
    }
    *p->memory->armings += p->event->occasion & SALTUS_AT_ARMING ? 1.0 : 0.0;
    const bool is_reinitialised = plain_reinit(p, actions);
    plain_act(p, actions, is_reinitialised);
    *answer = SALTUS_NOTHING_CHANGED;
    for (uint32_t i = 0; i < m->flow->guesses.count; i++)
        p->event->z[i] = p->scratch->program->w[m->flow->guesses.places[i]];
    if (m->conditions.time_count && plain_evaluate(p, MODEL_TIMES, p->scratch->values))
        conditions_schedule(p->event, m, p->scratch->values);
    plain_keep_left_limits(p);
    const bool changed = memory_shift(p->model, p->memory) || is_reinitialised;
    if (changed && !plain_is_idle(p, actions, is_reinitialised))
        *answer = SALTUS_AGAIN;
    else if (plain_evaluate(p, MODEL_ASSERTIONS, p->scratch->values))
        *answer =
            update_end(p->event, p->memory, p->scratch->values, p->has_held_changed && !changed);
    if (changed)
        *answer |= SALTUS_UNREAD_CHANGED;
    if (!is_reinitialised && plain_is_kept(p))
        *answer |= SALTUS_VALUES_KEPT;
    return true;
}

bool plain_event(SaltusEvent *event, unsigned *answer)
{
    const Mode *m = event->data;
    Plain p = {.event = event, .model = event->user, .m = m};
    if (!m->plain.is_plain)
        return false;
    p.scratch = mode_take_scratch(m);
    if (!p.scratch)
        return false;
    if (p.scratch->memory.m != event->memory)
        p.scratch->memory = model_memory(p.model, event->memory);
    p.memory = &p.scratch->memory;
    bool is_done = false;
    if (plain_is_usual(&p)) {
        p.inputs = frozen_inputs(p.memory, event->t, event->x, event->p);
        p.inputs.vectors[PROGRAM_TIME] = &p.inputs.time;
        program_bind(p.scratch->program, p.inputs.vectors);
        is_done = plain_iterate(&p, answer);
    }
    mode_give_scratch(m, p.scratch);
    return is_done;
}
