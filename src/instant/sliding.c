// SPDX-License-Identifier: MIT

#include "instant/sliding.h"

#include "base/message.h"
#include "instant/reselect.h"
#include "modes/methods.h"
#include "modes/sliding.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define WHAT_HELPS " (a hysteresis helps, or --zeno continue)"

// Event functions on a surface are the same on both sides, up to this part of their size.
static const double same_value = 1e-8;
// A state that an event has moved by more than this part of its size was moved by a surface that
// jumped: it goes on as it was, beside the surface.
static const double jump = 1e-9;
// An unknown this far outside [0, 1] is inside: what an event that ends another one leaves.
static const double inside = 1e-12;

// Where values come from: a mode with its solution.
typedef struct SlidingSource {
    const Mode *mode;
    const ProgramScratch *solution;
    const double *x;
} SlidingSource;

typedef struct Slider {
    SaltusEvent *event;
    Settling *s;
    const Mode *from;
    double *m, *held;    // as they are, to go back to
    double *wholes;      // the whole numbers that are to slide, by hold
    bool *slides;        // what is to slide, by hold
    const double *begun; // memory and held as the iteration began; NULL: unknown
    void *block;
    SlidingSource source;
} Slider;

static bool sliding_fail(Slider *k, const char *message)
{
    saltus_fail(k->event, message);
    return false;
}

// ---------------------------------------------------------------------------
// Another mode
// ---------------------------------------------------------------------------

// What a variable is at the source; an unknown that begins to slide is in the middle. NAN: it is
// not known there.
static double sliding_value_of(const Slider *k, GraphVariable variable)
{
    const Mode *m = k->source.mode;
    const bool is_known = program_state(m->flow, variable) != CODE_NONE ||
                          program_place(m->flow, variable) != CODE_NONE;
    if (!is_known && sliding_is_unknown(m->model->assembly, variable))
        return 0.5;
    return is_known ? reselect_value(m, k->source.solution, k->source.x, variable) : NAN;
}

// The mode of a part with the states that are best at the values of the mode that is left.
static const Mode *sliding_choose_states(const Slider *k, const Mode *part)
{
    if (!part->jump.chooser)
        return part;
    const uint32_t count = part->jump.impulse->count;
    double *values = calloc(count + part->jump.pivot_count + 1u, sizeof *values);
    ProgramScratch *scratch = program_scratch(part->jump.chooser);
    const Mode *better = part;
    if (values && scratch) {
        for (uint32_t i = 0; i < count; i++)
            values[i] = sliding_value_of(k, part->jump.impulse->variables[i]);
        ProgramInputs inputs = k->s->point.inputs;
        inputs.vectors[PROGRAM_STATES] = values;
        if (program_evaluate(part->jump.chooser, scratch, &inputs, 0, values + count) ==
            PROGRAM_FINE)
            better = reselect_part(part, values + count);
    }
    program_scratch_free(scratch);
    free(values);
    return better;
}

// The mode in which these slide, with good states; NULL: no memory. It may be broken.
static const Mode *sliding_find_mode(const Slider *k)
{
    const Mode *to = model_sliding(k->from, k->slides);
    if (!to || to->is_broken)
        return to;
    const Mode **parts = calloc(to->parts.count, sizeof *parts);
    for (uint32_t i = 0; parts && i < to->parts.count; i++)
        parts[i] = to->parts.modes[i]->switches.slides == k->from->parts.modes[i]->switches.slides
                       ? k->from->parts.modes[i]
                       : sliding_choose_states(k, to->parts.modes[i]);
    to = parts ? model_join(to->model, parts) : NULL;
    free(parts);
    return to;
}

// States, then guesses; NULL: no memory.
static double *sliding_take_values(const Slider *k, const Mode *to)
{
    const uint32_t guesses = to->flow->guesses.count;
    double *values = calloc(to->states.count + guesses + 1u, sizeof *values);
    for (uint32_t i = 0; values && i < to->states.count; i++)
        values[i] = sliding_value_of(k, to->states.variables[i]);
    for (uint32_t i = 0; values && i < guesses; i++) {
        const double value = sliding_value_of(k, to->flow->guesses.variables[i]);
        values[to->states.count + i] = isnan(value) ? 0.0 : value;
    }
    return values;
}

// Conditions that are zero, up to the accuracy of events, where the mode is entered: they take the
// signs that they will have just after.
static bool sliding_mark_zeros(const Slider *k, const Mode *to)
{
    Point p;
    const bool is_fine = point_open(&p, to, &k->s->point.memory, k->event->t, k->event->x,
                                    k->event->z, k->event->p) &&
                         conditions_mark(&p, k->event);
    if (!is_fine)
        saltus_fail(k->event, message_text(p.message));
    point_close(&p);
    return is_fine;
}

// What slides is what it says of zero, or of the whole number that it is at: k->wholes.
static void hold_zeros(const Slider *k, const Mode *to)
{
    for (uint32_t i = 0; i < to->conditions.hold_count; i++) {
        const ModelHold *hold = &to->conditions.holds[i];
        if (to->switches.slides && to->switches.slides[hold->number])
            k->s->point.memory.held[hold->number] =
                conditions_is_relation(hold) ? conditions_at_zero(hold) : k->wholes[hold->number];
    }
    for (uint32_t i = 0; i < to->switches.surface_count; i++)
        k->s->point.memory.held[to->switches.surfaces[i].hold] = 1.0;
}

// Makes it the active one. The iteration goes on there.
static bool instant_sliding_enter(Slider *k, const Mode *to, const double *values)
{
    if (saltus_switch_mode(k->event, (int)to->number) != SALTUS_OK)
        return false;
    methods_enter(k->event, to);
    hold_zeros(k, to);
    for (uint32_t i = 0; i < to->states.count; i++)
        k->event->x[i] = values[i];
    for (uint32_t i = 0; i < to->flow->guesses.count; i++)
        k->event->z[i] = values[to->states.count + i];
    *k->s->point.memory.goes_on = true;
    return sliding_mark_zeros(k, to);
}

static bool sliding_begin(Slider *k, SaltusEvent *event, Settling *s)
{
    const Model *model = s->point.mode->model;
    const size_t memory = model->sizes.memory, held = model->sizes.held;
    *k = (Slider){.event = event,
                  .s = s,
                  .from = s->point.mode,
                  .source = {s->point.mode, s->point.scratch, event->x}};
    k->block = calloc(1, (memory + 2 * held + 1) * sizeof(double) + held * sizeof(bool));
    if (!k->block)
        return sliding_fail(k, "out of memory");
    k->m = k->block;
    k->held = k->m + memory;
    k->wholes = k->held + held;
    k->slides = (bool *)(void *)(k->wholes + held + 1);
    memcpy(k->m, s->point.memory.m, memory * sizeof *k->m);
    memcpy(k->held, s->point.memory.held, held * sizeof *k->held);
    memcpy(k->wholes, s->point.memory.held, held * sizeof *k->wholes); // of what slides already
    if (k->from->switches.slides)
        memcpy(k->slides, k->from->switches.slides, held * sizeof *k->slides);
    return true;
}

// ---------------------------------------------------------------------------
// Leaving
// ---------------------------------------------------------------------------

static bool is_reinitialised(const Mode *m, const double *actions)
{
    for (uint32_t i = 0; i < m->actions.gathered.count; i++)
        if (m->actions.gathered.items[i].kind == ACTION_REINIT && actions[2 * i] != 0.0)
            return true;
    return false;
}

// What reinit will do to variables that are no states here: the engine compares those of both
// modes. (A model with modes by itself does that for all variables.)
static void log_reinits(const Slider *k, const double *actions)
{
    const Mode *m = k->from;
    for (uint32_t i = 0; i < m->actions.gathered.count && !m->model->assembly->has_modes; i++) {
        const AssembledAction *action = &m->actions.gathered.items[i];
        if (action->kind == ACTION_REINIT && actions[2 * i] != 0.0 &&
            m->actions.states[i] == CODE_NONE)
            saltus_log_change(k->event, m->actions.names[i], sliding_value_of(k, action->variable),
                              actions[2 * i + 1], SALTUS_SE_X);
    }
}

static const ModelHold *hold_of_number(const Mode *m, HoldNumber number)
{
    for (uint32_t i = 0; i < m->conditions.hold_count; i++)
        if (m->conditions.holds[i].number == number)
            return &m->conditions.holds[i];
    return NULL;
}

// The conditions of a surface have the values of one side.
static void set_side(Settling *s, const GatheredSurface *surface, bool is_above)
{
    for (uint32_t i = 0; i < surface->count; i++) {
        const ModelHold *hold = hold_of_number(s->point.mode, surface->members[i]);
        double *held = &s->point.memory.held[surface->members[i]];
        *held = hold && !conditions_is_relation(hold) ? conditions_beside(hold, is_above, *held)
                                                      : surface->is_below[i] != is_above;
    }
}

static bool instant_sliding_leave(Slider *k, bool all)
{
    const Mode *m = k->from;
    for (uint32_t i = 0; i < m->switches.surface_count; i++) {
        const GatheredSurface *surface = &m->switches.surfaces[i];
        if (!all && k->s->point.memory.held[surface->hold] != 0.0)
            continue;
        set_side(k->s, surface, sliding_value_of(k, surface->variable) > 0.5);
        for (uint32_t n = 0; n < surface->count; n++)
            k->slides[surface->members[n]] = false;
    }
    const Mode *to = sliding_find_mode(k);
    double *values = to && !to->is_broken ? sliding_take_values(k, to) : NULL;
    char *message = NULL;
    if (to && to->is_broken)
        system_complain(to, &message);
    const bool is_fine =
        values ? instant_sliding_enter(k, to, values) : sliding_fail(k, message_text(message));
    free(message);
    free(values);
    return is_fine;
}

// begun: see sliding_asks.
static bool is_unchanged(const Settling *s, const double *begun)
{
    const Model *model = s->point.mode->model;
    return memcmp(begun, s->point.memory.m, model->sizes.memory * sizeof *begun) == 0 &&
           memcmp(begun + model->sizes.memory, s->point.memory.held,
                  model->sizes.held * sizeof *begun) == 0;
}

// Whether the states of the mode without sliding are not those of another source.
static bool sliding_has_jumped(Slider *k, const Mode *plain, SlidingSource before)
{
    const SlidingSource now = k->source;
    bool result = false;
    for (uint32_t i = 0; i < plain->states.count && !result; i++) {
        k->source = now;
        const double after = sliding_value_of(k, plain->states.variables[i]);
        k->source = before;
        const double value = sliding_value_of(k, plain->states.variables[i]);
        result = fabs(after - value) > jump * (fabs(value) + plain->states.nominals[i]);
    }
    k->source = now;
    return result;
}

// What happened in the iteration may have moved the surface, but not the states. *is_lost: it is
// not there any more.
static bool follow_surface(Slider *k, const Mode *plain, ModelScratch *scratch, bool *is_lost)
{
    const SaltusEvent *event = k->event;
    const ModelMemory begun = {.m = (double *)(uintptr_t)k->begun,
                               .held =
                                   (double *)(uintptr_t)k->begun + k->from->model->sizes.memory};
    const ProgramInputs inputs = frozen_inputs(&begun, event->t, event->x, event->p);
    const SlidingSource source = {k->from, scratch->program, event->x};
    *is_lost = program_solve(k->from->flow, scratch->program, &inputs, PROGRAM_ALL, event->z,
                             NULL) == PROGRAM_FINE &&
               sliding_has_jumped(k, plain, source);
    if (!*is_lost)
        return true;
    k->source = source;
    return instant_sliding_leave(k, true);
}

static bool look_for_surface(Slider *k, bool *is_lost)
{
    bool *none = calloc(k->from->model->sizes.held + 1u, sizeof *none);
    const Mode *plain = none ? model_sliding(k->from, none) : NULL;
    ModelScratch *scratch = mode_take_scratch(k->from);
    const bool is_fine = plain && scratch ? follow_surface(k, plain, scratch, is_lost)
                                          : sliding_fail(k, "out of memory");
    if (scratch)
        mode_give_scratch(k->from, scratch);
    free(none);
    return is_fine;
}

bool sliding_leave(SaltusEvent *event, Settling *s, const double *actions, const double *begun,
                   bool *is_other)
{
    const Mode *m = s->point.mode;
    const bool all = m->switches.surface_count && is_reinitialised(m, actions);
    *is_other = all;
    for (uint32_t i = 0; i < m->switches.surface_count; i++)
        *is_other |= s->point.memory.held[m->switches.surfaces[i].hold] == 0.0;
    if (m->switches.surface_count == 0 || (!*is_other && is_unchanged(s, begun)))
        return true;
    Slider k;
    bool is_fine = sliding_begin(&k, event, s), is_lost = false;
    k.begun = begun;
    if (is_fine)
        log_reinits(&k, actions);
    is_fine = is_fine && look_for_surface(&k, &is_lost);
    if (is_fine && *is_other && !is_lost)
        is_fine = instant_sliding_leave(&k, all);
    *is_other |= is_lost;
    free(k.block);
    return is_fine;
}

// Where the mode was at the beginning of the event it is known; entered in it, it has an end of its
// own.
bool sliding_lose(SaltusEvent *event, Settling *s, bool *is_other)
{
    const Mode *m = s->point.mode;
    *is_other = false;
    if (m->switches.surface_count == 0 || event->left.data != m)
        return true;
    Slider k;
    const ModelMemory left = model_memory(m->model, event->left.memory);
    const ProgramInputs inputs = frozen_inputs(&left, event->t, event->left.x, event->p);
    ModelScratch *scratch = mode_take_scratch(m);
    bool is_fine = sliding_begin(&k, event, s) && (scratch || sliding_fail(&k, "out of memory"));
    if (is_fine && program_solve(m->flow, scratch->program, &inputs, PROGRAM_ALL, event->left.z,
                                 NULL) == PROGRAM_FINE) {
        k.source = (SlidingSource){m, scratch->program, event->left.x};
        is_fine = *is_other = instant_sliding_leave(&k, true);
    }
    if (scratch)
        mode_give_scratch(m, scratch);
    free(k.block);
    return is_fine;
}

// ---------------------------------------------------------------------------
// Both sides
// ---------------------------------------------------------------------------

// Conditions and discrete variables as they were; the unknowns that belong to them.
static bool go_back(Slider *k)
{
    const Model *model = k->from->model;
    memcpy(k->s->point.memory.m, k->m, model->sizes.memory * sizeof *k->m);
    memcpy(k->s->point.memory.held, k->held, model->sizes.held * sizeof *k->held);
    return point_solve(&k->s->point);
}

// The unknowns, and discrete variables that follow from conditions.
static bool solve_side(Slider *k)
{
    const Mode *m = k->from;
    double *values = k->s->point.values;
    for (uint32_t round = 0; round <= m->memory.discrete_count; round++) {
        bool changed = false;
        if (!point_solve(&k->s->point) || !point_evaluate(&k->s->point, MODEL_DISCRETE, values))
            return false;
        for (uint32_t i = 0; i < m->memory.discrete_count; i++) {
            changed |= k->s->point.memory.m[m->memory.discrete[i].place] != values[i];
            k->s->point.memory.m[m->memory.discrete[i].place] = values[i];
        }
        if (!changed)
            return true;
    }
    return false;
}

typedef struct SideFlow {
    double value, rate, size; // of the surface's function, which grows from below to above
} SideFlow;

static void set_hold_side(Slider *k, const ModelHold *first, bool is_above)
{
    const Mode *m = k->from;
    for (uint32_t i = 0; i < m->conditions.hold_count; i++)
        if (m->conditions.holds[i].surface == first->number)
            k->s->point.memory.held[m->conditions.holds[i].number] =
                conditions_beside(&m->conditions.holds[i], is_above, k->wholes[first->number]);
}

// The event function of a surface in the flow of one side. False: it has none.
static bool look_at_side(Slider *k, const ModelHold *first, bool is_above, SideFlow *side)
{
    const Mode *m = k->from;
    double *values = k->s->point.values;
    set_hold_side(k, first, is_above);
    bool is_fine = solve_side(k) && point_evaluate(&k->s->point, MODEL_EVENTS, values);
    side->value = is_fine ? values[first->index] : NAN;
    is_fine = is_fine && point_evaluate(&k->s->point, MODEL_SIZES, values);
    side->size = is_fine ? values[first->index] : NAN;
    is_fine = is_fine &&
              program_solve(m->flow, k->s->point.scratch, &k->s->point.inputs, PROGRAM_RATES,
                            k->s->point.guesses, NULL) == PROGRAM_FINE &&
              point_evaluate(&k->s->point, MODEL_RATES, values);
    side->rate = is_fine ? values[first->index] : NAN;
    if (!conditions_grows(first, k->wholes[first->number])) {
        side->value = -side->value;
        side->rate = -side->rate;
    }
    return go_back(k) && is_fine;
}

// The direction in which the event function of a surface leaves zero by the flow of one side.
static Side course_of_side(Slider *k, const ModelHold *first, bool is_above)
{
    signed char *course = calloc(k->from->conditions.event_count + 1u, sizeof *course);
    Side side = SIDE_ZERO;
    set_hold_side(k, first, is_above);
    if (course && solve_side(k) && conditions_course(&k->s->point, course))
        side = course[first->index];
    if (!conditions_grows(first, k->wholes[first->number]))
        side = -side;
    free(course);
    return go_back(k) ? side : SIDE_ZERO;
}

// Whether the function of a surface is elsewhere than it was as the iteration began: something else
// that has happened in it has moved the surface.
static bool has_moved(Slider *k, const ModelHold *first, const SideFlow *side)
{
    const Model *model = k->from->model;
    if (!k->begun)
        return false;
    memcpy(k->s->point.memory.m, k->begun, model->sizes.memory * sizeof *k->begun);
    memcpy(k->s->point.memory.held, k->begun + model->sizes.memory,
           model->sizes.held * sizeof *k->begun);
    double *values = k->s->point.values;
    const bool has_value =
        point_solve(&k->s->point) && point_evaluate(&k->s->point, MODEL_EVENTS, values);
    const bool grows = conditions_grows(first, k->wholes[first->number]);
    const double before = grows ? values[first->index] : -values[first->index];
    const bool result = has_value && !(fabs(side->value - before) <= same_value * side->size);
    return !go_back(k) || result;
}

// Whether both flows point to the surface; where their rates are the same, in the end. Then mostly
// both are on the way through it: the side that they go to tells so at once.
static bool attracts(Slider *k, const ModelHold *first)
{
    SideFlow above, below;
    if (!look_at_side(k, first, true, &above) || !look_at_side(k, first, false, &below) ||
        !(fabs(above.value - below.value) <= same_value * (above.size + below.size)) ||
        has_moved(k, first, &above))
        return false;
    if (fabs(above.rate - below.rate) <= same_value * (fabs(above.rate) + fabs(below.rate)))
        return above.rate > 0.0 ? course_of_side(k, first, true) == SIDE_BELOW &&
                                      course_of_side(k, first, false) == SIDE_ABOVE
                                : course_of_side(k, first, false) == SIDE_ABOVE &&
                                      course_of_side(k, first, true) == SIDE_BELOW;
    return above.rate < 0.0 && below.rate > 0.0;
}

// ---------------------------------------------------------------------------
// Entering
// ---------------------------------------------------------------------------

static bool can_slide(const Mode *m, const ModelHold *hold)
{
    return hold && hold->kind == HOLD_CROSSING && !hold->is_muted && !hold->is_ideal &&
           m->model->assembly->sliding.variables[hold->number] != DAG_NONE;
}

static void sliding_add_surface(Slider *k, uint32_t surface)
{
    for (uint32_t i = 0; i < k->from->conditions.hold_count; i++)
        if (k->from->conditions.holds[i].surface == surface)
            k->slides[k->from->conditions.holds[i].number] = true;
}

// Whether the states of the mode that is left are the same at a solution of the other one.
static bool sliding_is_there(Slider *k, SlidingSource other)
{
    const SlidingSource before = k->source;
    k->source = other;
    const bool result = !sliding_has_jumped(k, k->from, before);
    k->source = before;
    return result;
}

// Whether all unknowns of the mode are inside [0, 1] at these values, which become consistent; and
// whether they are those that the states have, if that is asked.
static bool sliding_is_inside(Slider *k, const Mode *to, double *values, bool has_less)
{
    ModelScratch *scratch = mode_take_scratch(to);
    if (!scratch)
        return false;
    ProgramInputs inputs = k->s->point.inputs;
    inputs.vectors[PROGRAM_STATES] = values;
    bool result = program_solve(to->flow, scratch->program, &inputs, PROGRAM_ALL,
                                values + to->states.count, NULL) == PROGRAM_FINE;
    for (uint32_t i = 0; i < to->switches.surface_count && result; i++) {
        const double u =
            reselect_value(to, scratch->program, values, to->switches.surfaces[i].variable);
        result = u >= -inside && u <= 1.0 + inside;
    }
    for (uint32_t i = 0; i < to->flow->guesses.count && result; i++)
        values[to->states.count + i] = scratch->program->w[to->flow->guesses.places[i]];
    result =
        result && (!has_less || sliding_is_there(k, (SlidingSource){to, scratch->program, values}));
    mode_give_scratch(to, scratch);
    return result;
}

static const char *reason_of(const Mode *to)
{
    for (const Diagnostic *d = to->diagnostics->first; d; d = d->next)
        if (d->severity == SEVERITY_ERROR)
            return d->message;
    return "its equations cannot be solved";
}

static const char no_rate[] = "no sliding mode: the rate of the condition's function does not "
                              "depend on the condition" WHAT_HELPS;

// Enters the mode in which k->slides slide, if there is one.
static bool try_to_enter(Slider *k, bool *is_other)
{
    const Mode *to = sliding_find_mode(k), *from = k->from;
    if (!to)
        return sliding_fail(k, "out of memory");
    if (to->is_broken) {
        saltus_advise(k->event, reason_of(to));
        return true;
    }
    // Each surface is a constraint on the states. It is one on their rates, too, where these do not
    // depend on the condition (of degree 2): such a motion is entered only by who is there already.
    const uint32_t count =
        to->states.count + (to->switches.surface_count - from->switches.surface_count);
    if (count > from->states.count) {
        saltus_advise(k->event, no_rate);
        return true;
    }
    double *values = sliding_take_values(k, to);
    if (!values)
        return sliding_fail(k, "out of memory");
    bool is_fine = true;
    const bool has_less = count < from->states.count;
    *is_other = sliding_is_inside(k, to, values, has_less);
    if (*is_other)
        is_fine = instant_sliding_enter(k, to, values);
    else
        saltus_advise(k->event, has_less ? no_rate
                                         : "no sliding mode: its equations have no solution "
                                           "between the condition's values" WHAT_HELPS);
    free(values);
    return is_fine;
}

static void sliding_forget(Slider *k)
{
    for (uint32_t h = 0; h < k->from->model->sizes.held; h++)
        k->slides[h] = k->from->switches.slides && k->from->switches.slides[h];
}

// The whole numbers that conditions are at which round, but for those that slide already. False:
// they have no value.
static bool note_wholes(Slider *k)
{
    const Mode *m = k->from;
    double *literals = k->s->point.values;
    bool is_needed = false;
    for (uint32_t i = 0; i < m->conditions.hold_count; i++)
        is_needed |= can_slide(m, &m->conditions.holds[i]) &&
                     !conditions_is_relation(&m->conditions.holds[i]);
    if (!is_needed)
        return true;
    if (!point_evaluate(&k->s->point, MODEL_HOLDS, literals))
        return false;
    for (uint32_t i = 0; i < m->conditions.hold_count; i++) {
        const ModelHold *hold = &m->conditions.holds[i];
        if (can_slide(m, hold) && !conditions_is_relation(hold))
            k->wholes[hold->number] = round(literals[2 * i + 1]) + 0.0; // not -0
    }
    return true;
}

// The surface of a condition that arming has turned, if both flows point to it; NULL: they do not.
static const ModelHold *attracting(Slider *k, const SaltusFired *fired)
{
    const ModelHold *hold = conditions_of_event(k->from, (uint32_t)fired->event);
    if (!can_slide(k->from, hold))
        return NULL;
    hold = hold_of_number(k->from, hold->surface);
    return attracts(k, hold) ? hold : NULL;
}

// The surfaces that attract, all or one of them.
static bool enter_surfaces(Slider *k, bool *is_other)
{
    const SaltusEvent *event = k->event;
    uint32_t count = 0;
    if (!note_wholes(k))
        return true;
    for (int i = 0; i < event->fired_count; i++) {
        const ModelHold *first = attracting(k, &event->fired[i]);
        if (first && !k->slides[first->number]) {
            sliding_add_surface(k, first->number);
            count++;
        }
    }
    if (count > 0 && !try_to_enter(k, is_other))
        return false;
    for (int i = 0; i < event->fired_count && count > 1 && !*is_other; i++) {
        const ModelHold *first = attracting(k, &event->fired[i]);
        sliding_forget(k);
        if (!first)
            continue;
        sliding_add_surface(k, first->number);
        if (!try_to_enter(k, is_other))
            return false;
    }
    return true;
}

// All surfaces that are zero, if there are at least so many.
static bool enter_zeros(Slider *k, uint32_t least, bool *is_other)
{
    const Mode *m = k->from;
    uint32_t count = 0;
    double *h = k->s->point.values, *bounds = k->s->point.more;
    if (!point_solve(&k->s->point) || !note_wholes(k) || !conditions_zeros(&k->s->point, h, bounds))
        return true;
    sliding_forget(k);
    for (uint32_t i = 0; i < m->conditions.hold_count; i++) {
        const ModelHold *hold = &m->conditions.holds[i];
        if (!can_slide(m, hold) || hold->surface != hold->number ||
            fabs(h[hold->index]) > bounds[hold->index])
            continue;
        sliding_add_surface(k, hold->surface);
        count++;
    }
    if (count < least || !try_to_enter(k, is_other))
        return count < least;
    // One of them may keep the others zero: twisting ends at x = 0, which says v = 0.
    for (uint32_t i = 0; i < m->conditions.hold_count && count > 1 && !*is_other; i++) {
        const ModelHold *hold = &m->conditions.holds[i];
        if (!can_slide(m, hold) || hold->surface != hold->number || !attracts(k, hold))
            continue;
        sliding_forget(k);
        sliding_add_surface(k, hold->surface);
        if (!try_to_enter(k, is_other))
            return false;
    }
    return true;
}

// The relations have turned so often that they turn each other.
static bool enter_corner(Slider *k, bool *is_other)
{
    const bool is_late = k->event->iteration > 2 * (int)k->from->conditions.event_count + 4;
    return !is_late || enter_zeros(k, 2, is_other);
}

// Whether everything that is zero in a mode at these values stays so.
static bool stays_at_zero(Slider *k, const Mode *to, double *values)
{
    Point p;
    signed char *course = calloc(to->conditions.event_count + 1u, sizeof *course);
    bool stays = point_open(&p, to, &k->s->point.memory, k->event->t, values,
                            values + to->states.count, k->event->p) &&
                 course && point_solve(&p) && conditions_zeros(&p, p.values, p.more) &&
                 conditions_course(&p, course);
    for (uint32_t i = 0; i < to->conditions.hold_count && stays; i++) {
        const ModelHold *hold = &to->conditions.holds[i];
        stays = hold->kind != HOLD_CROSSING || hold->is_muted ||
                fabs(p.values[hold->index]) > p.more[hold->index] ||
                course[hold->index] == SIDE_ZERO;
    }
    point_close(&p);
    free(course);
    return stays;
}

static bool rest_without_surfaces(Slider *k, bool *is_other)
{
    const Mode *from = k->from;
    memset(k->slides, 0, from->model->sizes.held * sizeof *k->slides);
    const Mode *to = sliding_find_mode(k);
    double *values = to && !to->is_broken ? sliding_take_values(k, to) : NULL;
    if (!values)
        return to || sliding_fail(k, "out of memory");
    for (uint32_t i = 0; i < to->conditions.hold_count; i++) {
        const ModelHold *hold = &to->conditions.holds[i];
        if (from->switches.slides[hold->number] && conditions_is_relation(hold))
            k->s->point.memory.held[hold->number] = conditions_at_zero(hold);
    }
    *is_other = stays_at_zero(k, to, values);
    const bool is_fine = *is_other ? instant_sliding_enter(k, to, values) : go_back(k);
    free(values);
    return is_fine;
}

bool sliding_leave_limit(SaltusEvent *event, Settling *s, bool *is_other)
{
    Slider k;
    *is_other = false;
    if (s->point.mode->switches.surface_count == 0)
        return true;
    const bool is_fine = sliding_begin(&k, event, s) && rest_without_surfaces(&k, is_other);
    free(k.block);
    return is_fine;
}

bool sliding_enter_limit(SaltusEvent *event, Settling *s, bool *is_other)
{
    Slider k;
    *is_other = false;
    if (s->point.mode->model->assembly->sliding.count == 0)
        return true;
    const bool is_fine = sliding_begin(&k, event, s) && enter_zeros(&k, 1, is_other);
    free(k.block);
    return is_fine;
}

// Whether anything may happen by values that a relation has between its sides.
static bool is_watched(const Mode *m)
{
    return m->memory.discrete_count || m->actions.gathered.count || m->switches.branch_count ||
           m->switches.transition_count;
}

bool sliding_meet(SaltusEvent *event, Settling *s, bool *is_other)
{
    Slider k;
    *is_other = false;
    if (event->iteration > 0 || !(event->occasion & SALTUS_AT_CROSSING) ||
        !s->point.mode->conditions.has_rates ||
        s->point.mode->model->assembly->sliding.count == 0 || !is_watched(s->point.mode))
        return true;
    const bool is_fine = sliding_begin(&k, event, s) && enter_surfaces(&k, is_other);
    free(k.block);
    return is_fine;
}

static bool may_enter(const SaltusEvent *event, const Mode *mode)
{
    return event->occasion & SALTUS_AT_ARMING && event->fired_count > 0 &&
           mode->model->assembly->sliding.count > 0;
}

bool sliding_asks(const SaltusEvent *event, const Mode *mode)
{
    return mode->switches.surface_count > 0 || may_enter(event, mode);
}

bool sliding_enter(SaltusEvent *event, Settling *s, const double *begun, bool *is_other)
{
    Slider k;
    *is_other = false;
    if (!may_enter(event, s->point.mode))
        return true;
    if (!s->point.mode->conditions.has_rates) {
        saltus_advise(event, "no sliding mode: not all conditions of the model can be "
                             "differentiated" WHAT_HELPS);
        return true;
    }
    bool is_fine = sliding_begin(&k, event, s);
    k.begun = begun;
    is_fine = is_fine && enter_surfaces(&k, is_other) && (*is_other || enter_corner(&k, is_other));
    free(k.block);
    return is_fine;
}

bool sliding_has_decided(const SaltusEvent *event, const Mode *mode, const ModelHold *hold,
                         const double *held)
{
    const Model *model = mode->model;
    if (event->before.mode < 0 ||
        model_memory(model, event->left.memory).held[hold->number] == held[hold->number])
        return false;
    const Mode *before = model_mode_of(model, (uint32_t)event->before.mode);
    const ModelHold *there = hold_of_number(before, hold->number);
    return before->switches.slides != mode->switches.slides && there &&
           there->kind == HOLD_CROSSING && !there->is_muted &&
           memcmp(before->switches.choices, mode->switches.choices,
                  model->sizes.choices * sizeof *before->switches.choices) == 0;
}
