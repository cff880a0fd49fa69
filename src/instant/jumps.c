// SPDX-License-Identifier: MIT

#include "instant/jumps.h"
#include "base/message.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// Conditions that a jump turns may make another jump of it; if this does not end, they decide about
// what turns them.
enum { MOST_JUMPS = 8 };

static bool jumps_fail(Jumps *j, const char *message)
{
    return system_fail(j->event, "%s", message_text(message));
}

// ---------------------------------------------------------------------------
// Values
// ---------------------------------------------------------------------------

static StateNumber first_state(const Mode *m, PartNumber part)
{
    return m->parts.count > 1 ? m->flow->joined.parts[part].state : 0;
}

static uint32_t vector_size(const Mode *part)
{
    return part->jump.impulse ? part->jump.impulse->count + part->jump.impulse->guess_count : 0;
}

static uint32_t all_sizes(const Mode *m)
{
    uint32_t all = 0;
    for (uint32_t k = 0; k < m->parts.count; k++)
        all += vector_size(m->parts.modes[k]);
    return all;
}

static bool may_jump(const Mode *m)
{
    for (uint32_t k = 0; k < m->parts.count; k++)
        if (m->parts.modes[k]->jump.may_happen)
            return true;
    return false;
}

// What a variable is now: a state, or among the unknowns; NAN: it is not computed.
static double jumps_value_of(const Jumps *j, GraphVariable variable)
{
    const Program *flow = j->s->point.mode->flow;
    const StateNumber state = program_state(flow, variable);
    if (state != CODE_NONE)
        return j->event->x[state];
    const UnknownPlace place = program_place(flow, variable);
    return place == CODE_NONE ? NAN : j->s->point.scratch->w[place];
}

void jumps_note(Jumps *j)
{
    const Mode *m = j->s->point.mode;
    double *x = j->left;
    for (uint32_t k = 0; k < m->parts.count && x; k++) {
        const Impulse *impulse = m->parts.modes[k]->jump.impulse;
        for (uint32_t i = 0; i < vector_size(m->parts.modes[k]); i++) {
            const uint32_t v =
                i < impulse->count ? impulse->variables[i] : impulse->guesses[i - impulse->count];
            const double value = jumps_value_of(j, v);
            *x++ = isnan(value) && i >= impulse->count ? 0.0 : value;
        }
    }
}

bool jumps_begin(Jumps *j, SaltusEvent *event, Settling *s)
{
    const Model *m = s->point.mode->model;
    *j = (Jumps){.event = event, .s = s};
    if (!may_jump(s->point.mode))
        return true;
    j->left = calloc(all_sizes(s->point.mode) + 1u, sizeof *j->left);
    j->begun = calloc(s->point.mode->memory.left_count + 1u, sizeof *j->begun);
    j->block = malloc(model_memory_size(m));
    j->is_left = calloc(s->point.mode->parts.count, sizeof *j->is_left);
    if (!j->left || !j->begun || !j->block || !j->is_left) {
        jumps_end(j);
        return jumps_fail(j, "out of memory");
    }
    memcpy(j->block, event->memory, model_memory_size(m));
    j->was = model_memory(m, j->block);
    if ((event->iteration > 0 && !point_solve(&s->point)) ||
        !point_evaluate(&s->point, MODEL_LEFT, j->begun)) {
        jumps_end(j);
        return jumps_fail(j, s->point.message);
    }
    jumps_note(j);
    return true;
}

void jumps_end(Jumps *j)
{
    free(j->left);
    free(j->begun);
    free(j->block);
    free(j->is_left);
    j->left = j->begun = NULL;
    j->block = NULL;
    j->is_left = NULL;
}

// ---------------------------------------------------------------------------
// The restart
// ---------------------------------------------------------------------------

static bool jumps_explain(Jumps *j, const ImpulseCall *failed)
{
    char place[40] = "";
    if (span_is_known(failed->span))
        snprintf(
            place, sizeof place, " (line %u)",
            sources_locate(j->s->point.mode->model->diagnostics->sources, failed->span.begin).line);
    return system_fail(j->event, "the equations cannot go on after the event: %s%s",
                       message_text(failed->message), place);
}

// The vector of a part from left to right limits. fixed: what reinit gave a value, and their left
// limits; NULL: nothing, and then only what has another value by this event matters.
static bool jumps_restart_part(Jumps *j, const Mode *part, const bool *fixed, const double *left,
                               double *x, double *impulses)
{
    ImpulseCall call = {.impulse = part->jump.impulse,
                        .s = impulse_scratch(part->jump.impulse),
                        .inputs =
                            frozen_inputs(&j->s->point.memory, j->event->t, NULL, j->event->p),
                        .before = frozen_inputs(&j->was, j->event->t, NULL, j->event->p),
                        .is_fixed = fixed,
                        .fixed_left = left,
                        .tolerance = fmax(JUMPS_TOLERANCE, j->event->method->relative_tolerance),
                        .x = x};
    ImpulseStatus status = call.s ? IMPULSE_FINE : IMPULSE_FAILED;
    if (call.s && (fixed || impulse_is_due(&call)))
        status = impulse_solve(&call, impulses);
    impulse_scratch_free(call.s);
    const bool is_fine = status == IMPULSE_FINE || jumps_explain(j, &call);
    free(call.message);
    return is_fine;
}

// The states of a part from its vector; *has_moved: they were others.
static void take_states(Jumps *j, uint32_t k, const double *x, bool *has_moved)
{
    const Mode *part = j->s->point.mode->parts.modes[k];
    double *states = j->event->x + first_state(j->s->point.mode, k);
    for (uint32_t i = 0; i < part->states.count; i++) {
        *has_moved |= states[i] != x[part->jump.states[i]];
        states[i] = x[part->jump.states[i]];
    }
}

static bool jumps_restart(Jumps *j, bool *has_moved)
{
    const Mode *m = j->s->point.mode;
    double *right = malloc((all_sizes(m) + 1u) * sizeof *right), *x = right;
    bool is_fine = right || jumps_fail(j, "out of memory");
    if (right)
        memcpy(right, j->left, all_sizes(m) * sizeof *right);
    for (uint32_t k = 0; k < m->parts.count && is_fine; k++) {
        const bool may = m->parts.modes[k]->jump.may_happen && !j->is_left[k];
        is_fine = !may || jumps_restart_part(j, m->parts.modes[k], NULL, NULL, x, NULL);
        if (is_fine && may)
            take_states(j, k, x, has_moved);
        x += vector_size(m->parts.modes[k]);
    }
    free(right);
    return is_fine;
}

// ---------------------------------------------------------------------------
// Constraints that have another value
// ---------------------------------------------------------------------------

// The signs of the engine are about the values before the jump.
static bool settle_after(Jumps *j)
{
    const signed char *signs = j->s->signs;
    j->s->signs = NULL;
    const bool is_fine = settle(j->s);
    j->s->signs = signs;
    return is_fine || jumps_fail(j, j->s->point.message);
}

// was: the conditions that the last jump was found with.
static bool jumps_fail_endless(Jumps *j, const double *was)
{
    const Mode *m = j->s->point.mode;
    char *which = NULL;
    conditions_describe(m, was, j->s->point.memory.held, &which);
    const char *list = message_text(which);
    system_fail(j->event,
                "conditions decide about a jump that turns them, and no values agree with what "
                "follows from them%s%s",
                *list ? ": " : "", list);
    free(which);
    return false;
}

// Which parts the conditions ask another mode for, whose restart is what counts there.
static bool ask_for_modes(Jumps *j)
{
    const Mode *m = j->s->point.mode;
    const double *values = j->s->point.values;
    const uint32_t *branches = m->switches.branches;
    if (m->switches.branch_count &&
        !point_evaluate(&j->s->point, MODEL_CHOICES, j->s->point.values))
        return jumps_fail(j, j->s->point.message);
    for (uint32_t k = 0; k < m->parts.count; k++) {
        j->is_left[k] = false;
        for (uint32_t i = 0; i < m->parts.modes[k]->switches.branch_count; i++)
            j->is_left[k] |= m->switches.choices[m->model->flat->machine_count + *branches++] !=
                             (uint32_t)*values++;
    }
    return true;
}

// Where other parts enter another mode: what has jumped has new left limits.
static bool leave_values(Jumps *j)
{
    const Mode *m = j->s->point.mode;
    const double *values = j->s->point.values;
    bool is_any = false;
    for (uint32_t k = 0; k < m->parts.count; k++)
        is_any |= j->is_left[k];
    if (!is_any)
        return true;
    if (!point_evaluate(&j->s->point, MODEL_LEFT, j->s->point.values))
        return jumps_fail(j, j->s->point.message);
    for (uint32_t k = 0; k < m->parts.count; k++)
        for (uint32_t i = 0; i < m->parts.modes[k]->memory.left_count; i++, values++)
            if (!j->is_left[k])
                j->s->point.memory.m[m->parts.modes[k]->memory.lefts[i]] = *values;
    return true;
}

bool jumps_leave(const Jumps *j)
{
    const Mode *m = j->s->point.mode;
    const double *values = j->begun;
    for (uint32_t k = 0; k < m->parts.count && j->left; k++)
        for (uint32_t i = 0; i < m->parts.modes[k]->memory.left_count; i++, values++)
            if (j->is_left[k] || !j->has_jumped)
                j->s->point.memory.m[m->parts.modes[k]->memory.lefts[i]] = *values;
    return j->left;
}

// Jumps, with conditions that hold after it. held: to work in.
static bool jump(Jumps *j, double *held)
{
    for (int round = 0; round < MOST_JUMPS; round++) {
        bool has_moved = false;
        if (!ask_for_modes(j) || !jumps_restart(j, &has_moved))
            return false;
        if (!has_moved)
            return !j->has_jumped || leave_values(j);
        j->has_jumped = true;
        memcpy(held, j->s->point.memory.held, j->s->point.mode->model->sizes.held * sizeof *held);
        if (!settle_after(j))
            return false;
    }
    return jumps_fail_endless(j, held);
}

bool jumps_follow(Jumps *j)
{
    if (!j->left)
        return true;
    double *held = calloc(j->s->point.mode->model->sizes.held + 1u, sizeof *held);
    const bool is_fine = held ? jump(j, held) : jumps_fail(j, "out of memory");
    free(held);
    return is_fine;
}

// ---------------------------------------------------------------------------
// reinit
// ---------------------------------------------------------------------------

bool jumps_can_reinit(const Mode *m, uint32_t action)
{
    uint32_t k = 0;
    while (action >= m->parts.modes[k]->actions.gathered.count)
        action -= m->parts.modes[k++]->actions.gathered.count;
    return m->parts.modes[k]->actions.jumps[action] != CODE_NONE;
}

// Positions follow those that are reinitialised as the mode's own equations say: other states stay.
static bool jumps_move_positions(Jumps *j, const Mode *part, double *x)
{
    const Program *flow = j->s->point.mode->flow;
    ProgramScratch *scratch = program_scratch(flow), *own = j->s->point.scratch;
    bool is_fine = scratch || jumps_fail(j, "out of memory");
    if (is_fine && program_solve(flow, scratch, &j->s->point.inputs, PROGRAM_ALL, j->event->z,
                                 NULL) != PROGRAM_FINE) {
        system_explain(part->model, flow, scratch, &j->s->point.message);
        is_fine = jumps_fail(j, j->s->point.message);
    }
    if (is_fine) {
        j->s->point.scratch = scratch;
        for (uint32_t i = 0; i < part->jump.impulse->count; i++)
            if (part->jump.impulse->is_position[i])
                x[i] = jumps_value_of(j, part->jump.impulse->variables[i]);
        j->s->point.scratch = own;
    }
    program_scratch_free(scratch);
    return is_fine;
}

// What is reinitialised, of one part; *is_any: of what constraints contain. *moves: a position is.
static void fix_values(const Mode *part, const double *actions, bool *fixed, double *x,
                       bool *is_any, bool *moves)
{
    for (uint32_t i = 0; i < part->actions.gathered.count; i++) {
        uint32_t place = part->actions.jumps[i];
        if (part->actions.gathered.items[i].kind != ACTION_REINIT || actions[2 * i] == 0.0)
            continue;
        if (place == CODE_NONE && part->actions.states[i] != CODE_NONE)
            place = part->jump.states[part->actions.states[i]];
        if (place == CODE_NONE)
            continue;
        fixed[place] = true;
        x[place] = actions[2 * i + 1];
        *is_any |= part->actions.jumps[i] != CODE_NONE || part->jump.impulse->is_position[place];
        *moves |= part->jump.impulse->is_position[place];
    }
}

// Where the model itself says what the states are, those that are not reinitialised stay (Modelica
// specification, section 8.3.6), and there is no question of what else moves.
static bool is_literal(const Mode *part, const double *actions)
{
    for (uint32_t i = 0; i < part->actions.gathered.count; i++)
        if (part->actions.gathered.items[i].kind == ACTION_REINIT && actions[2 * i] != 0.0 &&
            part->actions.states[i] == CODE_NONE)
            return false;
    return part->parts.has_own_states;
}

static bool reinit_part(Jumps *j, uint32_t k, const double *actions, double *x, double *impulses)
{
    const Mode *part = j->s->point.mode->parts.modes[k];
    const uint32_t count = part->jump.impulse->count;
    bool *fixed = calloc(count + 1u, sizeof *fixed);
    double *left = calloc(count + 1u, sizeof *left);
    bool is_any = false, moves = false, is_fine = (fixed && left) || jumps_fail(j, "out of memory");
    if (is_fine) {
        memcpy(left, x, count * sizeof *left);
        fix_values(part, actions, fixed, x, &is_any, &moves);
    }
    if (is_any)
        is_fine = (!moves || jumps_move_positions(j, part, x)) &&
                  jumps_restart_part(j, part, fixed, left, x, impulses);
    if (is_any && is_fine)
        take_states(j, k, x, &j->has_jumped);
    free(left);
    free(fixed);
    return is_fine;
}

bool jumps_reinit(Jumps *j, const double *actions, double *impulses)
{
    const Mode *m = j->s->point.mode;
    double *x = j->left;
    for (uint32_t k = 0; k < m->parts.count && j->left; k++) {
        if (m->parts.modes[k]->jump.may_happen && !is_literal(m->parts.modes[k], actions) &&
            !reinit_part(j, k, actions, x, impulses))
            return false;
        actions += 2 * m->parts.modes[k]->actions.gathered.count;
        impulses += m->parts.modes[k]->conditions.event_count;
        x += vector_size(m->parts.modes[k]);
    }
    return true;
}
