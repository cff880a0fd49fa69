// SPDX-License-Identifier: MIT
//
// How a candidate of the search is judged (judge_values), with m its mode, and - and + the limits:
//
//   prepare    memory and conditions as at the left limits, or as the strategy says (search.h)
//   restart    x+ from x- by the equations of the restart (structure/jump.h), part by part; parts
//              that stay in their modes, untouched, keep their states
//   settle     conditions, discrete and algebraic variables that agree at x+ (settle.h)
//   choices    what the conditions ask for now: this candidate, or another one
//   support    that this is not only so because its own equations say it (support.h)
//   confirm    the restart once more, if it depends on conditions: until it stays what it is
//
// All of this is about a copy of the memory. Nothing of the run changes but in `commit`, which
// makes the accepted candidate real; so a search that fails leaves everything as it was.

#include "instant/change.h"

#include "base/message.h"
#include "instant/jumps.h"
#include "instant/memory.h"
#include "instant/reselect.h"
#include "instant/support.h"
#include "modes/methods.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// A cascade may have so many links before each is left at the first chance.
enum { PATIENT_LINKS = 16 };

// So often arming has turned conditions in an event before those that the flow turns come first.
enum { LATE_ARMING = 2 };

// Conditions that a jump turns may make another jump of it, so often.
enum { MOST_JUMPS = 8 };

typedef struct Changing {
    SaltusEvent *event;
    const ChangeRequest *request;
    const Model *model;
    const Mode *mode;   // the candidate
    ModelMemory memory; // with its values
    ModelMemory before; // the same with conditions and discrete variables as before the event
    void *block, *block_before;
    double *x, *z;  // its states, guesses
    double *values; // vectors of the restarts of its parts
    size_t value_count;
    double *carried; // by discrete variable: what it became in the candidate before
    double *asking;  // by hold: what is held where the candidate asked for another one, and then
                     // the same of the candidate before
    uint32_t links;  // of the present cascade
    double accuracy; // an event function below this part of its terms is zero
    Candidate *candidate;
    char *reason; // why the first impossible one is that
} Changing;

bool change_refresh(SaltusEvent *event, const Mode *mode, const ModelMemory *memory)
{
    const Model *m = mode->model;
    double *values = frozen_values(m, memory, event->t, event->p, FROZEN_HOLDS);
    if (!values) {
        saltus_fail(event, "conditions could not be evaluated from left limits");
        return false;
    }
    for (uint32_t h = 0; h < m->sizes.held; h++)
        if (!mode->conditions.is_live[h])
            memory->held[h] = values[h];
    free(values);
    return true;
}

bool change_branches(SaltusEvent *event, const Model *m, const ModelMemory *memory, Choice *choices)
{
    uint32_t *branches = choices + m->flat->machine_count;
    double *values = frozen_values(m, memory, event->t, event->p, FROZEN_BRANCHES);
    if (!values) {
        saltus_fail(event, "the conditions of if-equations could not be evaluated");
        return false;
    }
    for (uint32_t i = 0; i < m->flat->conditional_count; i++)
        branches[i] = (uint32_t)values[i];
    free(values);
    return true;
}

bool change_choices(SaltusEvent *event, const Mode *mode, const ModelMemory *memory,
                    Choice *choices)
{
    const Model *m = mode->model;
    // Branches of if-equations that are no choices of the mode may be choices of another.
    if (m->flat->conditional_count > mode->switches.branch_count &&
        (!change_refresh(event, mode, memory) || !change_branches(event, m, memory, choices)))
        return false;
    for (uint32_t i = 0; i < m->sizes.choices; i++)
        if (mode->switches.choices[i] != GATHER_ANY)
            choices[i] = mode->switches.choices[i];
    return true;
}

// ---------------------------------------------------------------------------
// One candidate
// ---------------------------------------------------------------------------

// The left limit at a place of the memory, if there is one.
static double left_or(const Changing *c, MemoryPlace place, double otherwise)
{
    return place == CODE_NONE || isnan(c->memory.m[place]) ? otherwise : c->memory.m[place];
}

// The mode of a part with the states that are best at the values of its restart.
static const Mode *change_choose_states(const Mode *m, const ProgramInputs *known,
                                        const double *values)
{
    if (!m->jump.chooser)
        return m;
    ProgramInputs inputs = *known;
    inputs.vectors[PROGRAM_STATES] = values;
    double *pivots = calloc(m->jump.pivot_count, sizeof *pivots);
    ProgramScratch *scratch = program_scratch(m->jump.chooser);
    const Mode *better = m;
    if (pivots && scratch &&
        program_evaluate(m->jump.chooser, scratch, &inputs, 0, pivots) == PROGRAM_FINE)
        better = reselect_part(m, pivots);
    program_scratch_free(scratch);
    free(pivots);
    return better;
}

// The first reason is the one that counts: it is about what was asked for.
static void give_reason(Changing *c, const char *reason)
{
    if (!c->reason)
        message_set(&c->reason, "%s", reason);
}

// span: what the message is about; nowhere if there is no such place.
static void explain_restart(Changing *c, const char *message, Span span)
{
    char place[40] = "", *reason = NULL;
    if (span_is_known(span))
        snprintf(place, sizeof place, " (line %u)",
                 sources_locate(c->model->diagnostics->sources, span.begin).line);
    message_set(&reason, "mode %s cannot be entered: %s%s", c->mode->name, message, place);
    give_reason(c, message_text(reason));
    free(reason);
}

static bool has_no_memory(Changing *c)
{
    explain_restart(c, "out of memory", (Span){0, 0});
    return false;
}

static uint32_t restart_size(const Mode *part)
{
    return part->jump.impulse->count + part->jump.impulse->guess_count;
}

// One part: from the left limits of its vector, states from the engine, all others from the memory.
static bool change_restart_part(Changing *c, const Mode *part, double *x, double *impulses)
{
    const Impulse *impulse = part->jump.impulse;
    bool *fixed = calloc(impulse->count + 1u, sizeof *fixed);
    ImpulseStatus status = IMPULSE_FAILED;
    ImpulseCall call = {.impulse = impulse,
                        .s = impulse_scratch(impulse),
                        .inputs = frozen_inputs(&c->memory, c->event->t, NULL, c->event->p),
                        .before = frozen_inputs(&c->before, c->event->t, NULL, c->event->p),
                        .is_fixed = fixed,
                        .tolerance = fmax(JUMPS_TOLERANCE, c->event->method->relative_tolerance),
                        .least = c->accuracy,
                        .x = x};
    if (fixed && call.s) {
        for (uint32_t i = 0; i < restart_size(part); i++) {
            const MemoryPlace place = part->jump.lefts[i];
            x[i] = left_or(c, place, i < impulse->count ? NAN : 0.0);
            if (i < impulse->count && place != CODE_NONE)
                fixed[i] = c->request->is_fixed && c->request->is_fixed[place];
        }
        status = impulse_solve(&call, impulses);
    }
    impulse_scratch_free(call.s);
    free(fixed);
    if (status != IMPULSE_FINE)
        explain_restart(c, message_text(call.message), call.span);
    free(call.message);
    return status == IMPULSE_FINE;
}

// The values of the candidate, from those of the restarts of its parts.
static bool change_take_values(Changing *c, const double *values)
{
    const Mode *m = c->mode;
    free(c->x);
    c->x = calloc(m->states.count + m->flow->guesses.count + 1u, sizeof *c->x);
    if (!c->x)
        return has_no_memory(c);
    c->z = c->x + m->states.count;
    double *x = c->x;
    for (uint32_t k = 0; k < m->parts.count; k++) {
        const Mode *part = m->parts.modes[k];
        for (uint32_t i = 0; i < part->states.count; i++)
            *x++ = values[part->jump.states[i]];
        values += restart_size(part);
    }
    for (uint32_t i = 0; i < m->flow->guesses.count; i++)
        c->z[i] = left_or(c, m->states.guess_lefts[i], 0.0);
    return true;
}

// A part that stays in its mode goes on with the states that it has.
static const Mode *present_part(const Changing *c, uint32_t k)
{
    const Mode *part = c->mode->parts.modes[k], *present = c->request->from->parts.modes[k];
    const size_t size = c->model->sizes.choices * sizeof *part->switches.choices;
    // One that slides is left: what it has to do is found anew.
    return !present->switches.slides &&
                   memcmp(part->switches.choices, present->switches.choices, size) == 0
               ? present
               : part;
}

// One of several parts that stays in its mode, and whose states neither reset nor reinit gave a
// value: nothing has to be put right.
static bool is_untouched(const Changing *c, uint32_t k, const Mode *part)
{
    const Mode *from = c->request->from;
    if (c->model->assembly->parts->count == 1 || part != from->parts.modes[k])
        return false;
    const double *x = c->event->x + from->flow->joined.parts[k].state;
    for (uint32_t i = 0; i < part->states.count; i++) {
        const MemoryPlace place = part->states.lefts[i];
        if (place == CODE_NONE || c->memory.m[place] != x[i] ||
            (c->request->is_fixed && c->request->is_fixed[place]))
            return false;
    }
    return true;
}

// All parts, in the order of the candidate; it becomes the one with the best states.
static bool restart_parts(Changing *c, const Mode **parts, double *values, double *impulses)
{
    const Mode *m = c->mode;
    const ProgramInputs inputs = frozen_inputs(&c->memory, c->event->t, NULL, c->event->p);
    double *x = values;
    for (uint32_t k = 0; k < m->parts.count; k++) {
        const Mode *part = parts[k] = present_part(c, k);
        if (is_untouched(c, k, part)) {
            for (uint32_t i = 0; i < part->states.count; i++)
                x[part->jump.states[i]] = c->memory.m[part->states.lefts[i]];
        } else {
            if (!change_restart_part(c, part, x, impulses))
                return false;
            parts[k] = change_choose_states(part, &inputs, x);
        }
        x += restart_size(part);
        impulses += part->conditions.event_count;
    }
    const Mode *best = model_join(c->model, parts);
    if (!best)
        return has_no_memory(c);
    c->mode = best;
    return change_take_values(c, values);
}

static bool change_restart(Changing *c, double *impulses)
{
    const Mode *m = c->mode;
    uint32_t all = 0;
    for (uint32_t k = 0; k < m->parts.count; k++)
        all += restart_size(m->parts.modes[k]);
    free(c->values);
    c->values = calloc(all + 1u, sizeof *c->values);
    c->value_count = all;
    const Mode **parts = calloc(m->parts.count + 1u, sizeof *parts);
    const bool is_fine =
        c->values && parts ? restart_parts(c, parts, c->values, impulses) : has_no_memory(c);
    free(parts);
    return is_fine;
}

// Conditions that agree with the candidate, from its values. What is zero keeps its value, or
// (by_course) goes where the flow leads it.
static Verdict settle_candidate(Changing *c, Settling *s)
{
    const Mode *m = c->mode;
    const uint32_t n = c->model->sizes.choices;
    memcpy(c->candidate->wanted, c->candidate->choices, n * sizeof *c->candidate->wanted);
    for (uint32_t i = 0; i < m->conditions.hold_count; i++)
        s->is_released[i] = false;
    if (!settle(s) || !point_evaluate(&s->point, MODEL_CHOICES, s->point.values)) {
        char *reason = NULL;
        message_set(&reason, "in mode %s: %s", m->name, message_text(s->point.message));
        give_reason(c, message_text(reason));
        free(reason);
        return VERDICT_IMPOSSIBLE;
    }
    if (settle_wanted(m, s->point.values, c->candidate->wanted))
        return VERDICT_OTHER;
    if (support_is_there(s))
        return VERDICT_ACCEPTED;
    if (point_evaluate(&s->point, MODEL_CHOICES, s->point.values))
        settle_wanted(m, s->point.values, c->candidate->wanted);
    return VERDICT_OTHER;
}

// The left limits: from the request, with discrete variables as the search says.
static void change_prepare(Changing *c)
{
    const Model *m = c->model;
    memory_copy(m, &c->request->memory, &c->memory);
    if (c->candidate->ending != ENDING_NONE)
        memory_shift(m, &c->memory);
    for (uint32_t i = 0; i < m->defined.count; i++) {
        const ModelDiscrete *d = &m->defined.items[i];
        if (c->candidate->ending != ENDING_CASCADE || c->candidate->is_first)
            break;
        c->memory.m[d->place] = c->carried[i];
        if (d->left != CODE_NONE)
            c->memory.m[d->left] = c->carried[i];
    }
    const ModelMemory left = model_memory(m, c->event->left.memory);
    memory_copy(m, &c->memory, &c->before);
    for (uint32_t i = 0; i < m->defined.count; i++)
        c->before.m[m->defined.items[i].place] = left.m[m->defined.items[i].place];
    if (m->sizes.held)
        memcpy(c->before.held, left.held, m->sizes.held * sizeof *left.held);
}

// Conditions that stay zero in the candidate may have either value: the fewest that make it agree
// take the other one. Where everything is zero, they are many: other candidates come first.
static Verdict try_free(Changing *c, Settling *s, const uint32_t *numbers, uint32_t count)
{
    enum { MOST_BRIEFLY = 64 }; // all sets of six
    uint32_t tried = 0;
    for (uint32_t set = 0; (set = settle_next_set(set, count)) != 0; tried++) {
        if (!c->candidate->is_thorough && tried == MOST_BRIEFLY) {
            c->candidate->is_open = true;
            break;
        }
        change_prepare(c);
        settle_turn(c->memory.held, numbers, set);
        const Verdict verdict = settle_candidate(c, s);
        if (verdict == VERDICT_ACCEPTED)
            return verdict;
    }
    return VERDICT_OTHER;
}

// What an equation of the candidate makes zero, and what has the value that its text has at zero,
// is turned only where nothing else is found.
static uint32_t drop_denied(Changing *c, uint32_t *numbers, uint32_t count)
{
    const ModeConditions *conditions = &c->mode->conditions;
    uint32_t kept = 0;
    for (uint32_t i = 0, k = 0; i < conditions->hold_count && k < count; i++) {
        const ModelHold *hold = &conditions->holds[i];
        if (hold->number != numbers[k])
            continue;
        k++;
        if (!hold->is_muted || conditions_is_denied(hold, c->memory.held))
            numbers[kept++] = hold->number;
        else
            c->candidate->is_open = true;
    }
    return kept;
}

static Verdict settle_free_zeros(Changing *c, Settling *s)
{
    const ModelMemory left = model_memory(c->model, c->event->left.memory);
    const uint32_t n = c->model->sizes.choices;
    uint32_t *numbers = calloc(c->mode->conditions.hold_count + n + 1u, sizeof *numbers);
    bool is_fine = true;
    if (!numbers)
        return VERDICT_OVER;
    uint32_t *wanted = numbers + c->mode->conditions.hold_count;
    memcpy(wanted, c->candidate->wanted, n * sizeof *wanted);
    uint32_t count = settle_free(s, left.held, numbers, &is_fine);
    if (!c->candidate->is_thorough)
        count = drop_denied(c, numbers, count);
    const Verdict verdict = is_fine ? try_free(c, s, numbers, count) : VERDICT_OTHER;
    if (verdict != VERDICT_ACCEPTED)
        memcpy(c->candidate->wanted, wanted, n * sizeof *wanted);
    free(numbers);
    return verdict;
}

// The same; a candidate whose conditions go in circles asks for what they ask for meanwhile.
static Verdict settle_or_ask(Changing *c, Settling *s)
{
    s->is_brief = !c->candidate->is_thorough;
    Verdict verdict = settle_candidate(c, s);
    if (verdict != VERDICT_IMPOSSIBLE)
        return verdict;
    c->candidate->is_open |= s->is_brief;
    change_prepare(c);
    if (settle_asked(s, c->candidate->wanted))
        return VERDICT_OTHER;
    if (!s->is_brief)
        return VERDICT_IMPOSSIBLE;
    change_prepare(c);
    s->is_brief = false;
    return settle_candidate(c, s);
}

// The mode that is left agrees with the conditions that others have asked for it with, if what has
// ended it is zero: a current that has decayed, of which rounding is left. If it is not, and the
// mode ends again and again, it has ended.
static bool may_begin_asked(const Changing *c)
{
    enum { MOST_RETURNS = 20 };
    return c->candidate->is_asked && c->model->sizes.held &&
           (c->mode != c->request->from || c->event->iteration < MOST_RETURNS);
}

// From the conditions that have asked for the candidate.
static Verdict settle_from_asking(Changing *c, Settling *s)
{
    const uint32_t n = c->model->sizes.choices;
    uint32_t *wanted = calloc(n + 1u, sizeof *wanted);
    if (!wanted)
        return VERDICT_OVER;
    memcpy(wanted, c->candidate->wanted, n * sizeof *wanted);
    change_prepare(c);
    memcpy(c->memory.held, c->asking, c->model->sizes.held * sizeof *c->asking);
    s->by_course = false;
    s->is_brief = s->by_held = true;
    Verdict verdict = settle_candidate(c, s);
    s->by_held = false;
    if (verdict != VERDICT_ACCEPTED) {
        memcpy(c->candidate->wanted, wanted, n * sizeof *wanted);
        verdict = VERDICT_OTHER;
    }
    free(wanted);
    return verdict;
}

// What an equation of the candidate makes zero is what its text says; false: it is already.
static bool change_set_denied(Changing *c)
{
    bool is_any = false;
    for (uint32_t i = 0; i < c->mode->conditions.hold_count; i++) {
        const ModelHold *hold = &c->mode->conditions.holds[i];
        if (!conditions_is_denied(hold, c->memory.held))
            continue;
        c->memory.held[hold->number] = conditions_at_zero(hold);
        is_any = true;
    }
    return is_any;
}

// False: no condition is held against its text, so that nothing is new.
static bool agree_strictly(Changing *c, Settling *s, Verdict *verdict)
{
    if (!change_set_denied(c))
        return false;
    c->candidate->is_denied = true;
    s->is_brief = true;
    for (int k = 0; k < 2; k++) {
        s->by_course = k == 1;
        *verdict = settle_candidate(c, s);
        if (*verdict == VERDICT_ACCEPTED)
            break;
        change_prepare(c);
        change_set_denied(c);
    }
    return true;
}

// What is zero goes where the flow leads it, what is asked for by that begins as it was there.
static Verdict agree_with_flow(Changing *c, Settling *s)
{
    const uint32_t count = c->model->sizes.held;
    if (c->candidate->is_asked && count)
        memcpy(c->memory.held, c->asking, count * sizeof *c->asking);
    s->by_course = s->is_brief = true;
    s->by_held = c->candidate->is_asked;
    const bool has_reason = c->reason;
    const Verdict verdict = settle_candidate(c, s);
    s->by_held = false;
    if (!has_reason) { // the other strategies say why
        free(c->reason);
        c->reason = NULL;
    }
    if (verdict == VERDICT_OTHER && count)
        memcpy(c->asking + count, c->memory.held, count * sizeof *c->asking);
    return verdict;
}

// What is zero keeps its value; or goes where the flow leads it; or may be either. At last the
// conditions begin with those that have asked for the candidate.
static Verdict change_agree(Changing *c, Settling *s)
{
    const uint32_t count = c->model->sizes.held;
    Verdict verdict;
    if (c->candidate->is_flowing)
        return agree_with_flow(c, s);
    if (c->candidate->is_strict && agree_strictly(c, s, &verdict))
        return verdict;
    verdict = settle_or_ask(c, s);
    if (verdict != VERDICT_OTHER)
        return verdict;
    if (count)
        memcpy(c->asking + count, c->memory.held, count * sizeof *c->asking);
    change_prepare(c);
    s->by_course = true;
    verdict = settle_or_ask(c, s);
    if (verdict == VERDICT_OTHER)
        verdict = settle_free_zeros(c, s);
    return verdict == VERDICT_OTHER && may_begin_asked(c) ? settle_from_asking(c, s) : verdict;
}

// A long cascade goes in circles: what discrete variables become where a mode is to be left, and
// conditions go on in it all the same, may end what should not end (friction that has come to rest
// has no force in the equations of sliding). So each mode is left as soon as it is not asked for.
static Verdict change_leave_early(Changing *c, Settling *s)
{
    for (uint32_t i = 0; i < c->mode->conditions.hold_count; i++)
        s->is_released[i] = false;
    s->by_course = true;
    if (settle_first_asked(s, c->candidate->wanted))
        return VERDICT_OTHER;
    s->by_course = false;
    change_prepare(c);
    return change_agree(c, s);
}

// Whether the restart depends on conditions or discrete variables.
static bool change_is_conditional(const Mode *m)
{
    for (uint32_t k = 0; k < m->parts.count; k++)
        if (m->parts.modes[k]->jump.impulse->is_conditional)
            return true;
    return false;
}

// The same restart with the conditions that have been settled since. *is_same: nothing is new.
static bool restart_again(Changing *c, double *impulses, bool *is_same)
{
    double *values = c->values;
    const size_t count = c->value_count;
    c->values = NULL;
    const bool is_fine = change_restart(c, impulses);
    *is_same = is_fine && c->value_count == count &&
               memcmp(values, c->values, count * sizeof *values) == 0;
    free(values);
    return is_fine;
}

// With the values of a restart: agree, or (once conditions are there) settle_candidate.
static Verdict judge_point(Changing *c, const double *impulses,
                           Verdict (*decide)(Changing *c, Settling *s))
{
    const Mode *m = c->mode;
    Settling s = {.impulses = impulses,
                  .before = c->request->from,
                  .is_released = calloc(m->conditions.hold_count + 1u, sizeof(bool))};
    Verdict verdict = VERDICT_OVER;
    if (s.is_released &&
        point_open(&s.point, m, &c->memory, c->event->t, c->x, c->z, c->event->p)) {
        s.point.accuracy = c->accuracy;
        verdict = decide(c, &s);
        if (verdict == VERDICT_ACCEPTED)
            point_keep_guesses(&s.point, c->z);
        point_close(&s.point);
    }
    free(s.is_released);
    return verdict;
}

// What has jumped may turn conditions that the jump depends on: it is found with those that hold
// after it.
static Verdict confirm_jump(Changing *c, double *impulses)
{
    Verdict verdict = VERDICT_ACCEPTED;
    bool is_same = !change_is_conditional(c->mode);
    for (int round = 0; round < MOST_JUMPS && !is_same && verdict == VERDICT_ACCEPTED; round++) {
        if (!restart_again(c, impulses, &is_same))
            return VERDICT_IMPOSSIBLE;
        if (!is_same)
            verdict = judge_point(c, impulses, settle_candidate);
    }
    if (is_same || verdict != VERDICT_ACCEPTED)
        return verdict;
    explain_restart(c,
                    "conditions decide about a jump that turns them, and no values agree with "
                    "what follows from them",
                    (Span){0, 0});
    return VERDICT_IMPOSSIBLE;
}

static Verdict judge_values(Changing *c, double *impulses)
{
    change_prepare(c);
    if (!change_restart(c, impulses))
        return VERDICT_IMPOSSIBLE;
    const Verdict verdict =
        judge_point(c, impulses, c->links > PATIENT_LINKS ? change_leave_early : change_agree);
    return verdict == VERDICT_ACCEPTED ? confirm_jump(c, impulses) : verdict;
}

// What discrete variables have become goes on to the next link of a cascade.
static void carry(Changing *c)
{
    for (uint32_t i = 0; i < c->model->defined.count; i++)
        c->carried[i] = c->memory.m[c->model->defined.items[i].place];
}

static Verdict change_judge(void *user, Candidate *candidate)
{
    Changing *c = user;
    c->candidate = candidate;
    c->links = candidate->ending == ENDING_CASCADE && !candidate->is_first ? c->links + 1 : 0;
    if (c->model->sizes.held)
        memcpy(c->asking, c->asking + c->model->sizes.held,
               c->model->sizes.held * sizeof *c->asking);
    c->mode = model_mode(c->model, candidate->choices, false);
    if (!c->mode)
        return VERDICT_OVER;
    if (c->mode->is_broken) {
        char *reason = NULL;
        system_complain(c->mode, &reason);
        give_reason(c, message_text(reason));
        free(reason);
        search_suspect(c->mode, candidate);
        return VERDICT_IMPOSSIBLE;
    }
    double *impulses = calloc(c->mode->conditions.event_count + 1u, sizeof *impulses);
    if (!impulses)
        return VERDICT_OVER;
    const Verdict verdict = judge_values(c, impulses);
    candidate->is_unsettled = memory_is_unsettled(c->model, &c->memory);
    carry(c);
    free(impulses);
    return verdict;
}

// ---------------------------------------------------------------------------
// The result
// ---------------------------------------------------------------------------

// Conditions that are zero, up to the accuracy of events, where the mode is entered: their values
// stand until the engine knows where they go.
static bool change_mark_zeros(Changing *c)
{
    Point p;
    bool is_fine =
        point_open(&p, c->mode, &c->memory, c->event->t, c->event->x, c->event->z, c->event->p);
    p.accuracy = c->accuracy;
    is_fine = is_fine && conditions_mark(&p, c->event);
    // The mode may stay, with other conditions: the signs of what is zero are those of before.
    if (is_fine && c->mode == c->request->from)
        is_fine = settle_keep_zeros(&p, model_memory(c->model, c->event->memory).is_released);
    if (!is_fine && p.message)
        saltus_fail(c->event, p.message);
    point_close(&p);
    return is_fine;
}

// Makes the accepted candidate real.
static bool commit(Changing *c)
{
    const Mode *m = c->mode, *from = c->request->from;
    ModelMemory memory = model_memory(c->model, c->event->memory);
    memory_copy(c->model, &c->memory, &memory);
    for (uint32_t i = 0; i < from->conditions.hold_count; i++)
        if (from->conditions.holds[i].kind == HOLD_TIME &&
            !m->conditions.is_live[from->conditions.holds[i].number])
            saltus_cancel(c->event, system_time_id(c->model, &from->conditions.holds[i]));
    if (m != from && saltus_switch_mode(c->event, (int)m->number) != SALTUS_OK)
        return false;
    methods_enter(c->event, m);
    program_note_zeroed(m->flow, c->event->t);
    for (uint32_t i = 0; i < m->states.count; i++)
        c->event->x[i] = c->x[i];
    for (uint32_t i = 0; i < m->flow->guesses.count; i++)
        c->event->z[i] = c->z[i];
    return change_mark_zeros(c);
}

static void change_report(Changing *c, const Search *s)
{
    char *which = NULL;
    search_describe(s, &which);
    if (c->reason)
        saltus_fail(c->event, c->reason);
    else
        system_fail(c->event, "conditions contradict each other: %s", message_text(which));
    free(which);
}

// What is zero by the accuracy of events may make something of another that is not, so that no
// candidate agrees: then what the states are accurate to counts.
static bool change_find_mode(Changing *c, bool *is_ended)
{
    const double accuracies[] = {point_accuracy_at(c->event, &c->request->memory),
                                 point_accuracy_of_states(c->event)};
    Search s = {.model = c->model,
                .first = c->request->choices,
                .present = c->request->may_stay ? NULL : c->request->from->switches.choices,
                .is_late = *c->request->memory.armings >= LATE_ARMING,
                .user = c,
                .judge = change_judge};
    Verdict verdict = VERDICT_OTHER;
    for (int k = 0; k < 2 && verdict != VERDICT_ACCEPTED && verdict != VERDICT_OVER; k++) {
        if (k == 1 && accuracies[1] == accuracies[0])
            break;
        free(s.is_turned);
        c->accuracy = accuracies[k];
        verdict = search_mode(&s);
    }
    *is_ended = s.ending != ENDING_NONE;
    if (verdict == VERDICT_OVER)
        saltus_fail(c->event, "out of memory");
    else if (verdict != VERDICT_ACCEPTED)
        change_report(c, &s);
    free(s.is_turned);
    return verdict == VERDICT_ACCEPTED && commit(c);
}

bool change_mode(SaltusEvent *event, const ChangeRequest *request, bool *is_ended)
{
    const Model *m = request->from->model;
    Changing c = {.event = event, .request = request, .model = m};
    c.block = malloc(model_memory_size(m));
    c.block_before = malloc(model_memory_size(m));
    c.carried = calloc(m->defined.count + 1u, sizeof *c.carried);
    c.asking = calloc(2 * (size_t)m->sizes.held + 1u, sizeof *c.asking);
    bool is_fine = false;
    if (c.block && c.block_before && c.carried && c.asking) {
        c.memory = model_memory(m, c.block);
        c.before = model_memory(m, c.block_before);
        is_fine = change_find_mode(&c, is_ended);
    } else {
        saltus_fail(event, "out of memory");
    }
    free(c.x);
    free(c.values);
    free(c.carried);
    free(c.asking);
    free(c.reason);
    free(c.block);
    free(c.block_before);
    return is_fine;
}
