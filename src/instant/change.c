// SPDX-License-Identifier: MIT

#include "instant/change.h"

#include "instant/reselect.h"
#include "modes/methods.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// At most so many candidates; of those that are tried when the search goes in circles, at most so
// many if-equations take other branches, and so many combinations are looked at.
enum { MOST_CANDIDATES = 512, MOST_TURNED = 16, MOST_COMBINATIONS = 1 << 16 };

// Positions are projected this far, at least.
static const double least_tolerance = 1e-8;

typedef enum Verdict {
    VERDICT_ACCEPTED,
    VERDICT_REJECTED, // its conditions ask for another one
    VERDICT_IMPOSSIBLE,
    VERDICT_NO_MEMORY,
} Verdict;

typedef struct Change {
    SaltusEvent *event;
    const ChangeRequest *request;
    const Model *model;
    const Mode *mode;   // the candidate
    ModelMemory memory; // with its values
    ModelMemory before; // the same with conditions and discrete variables as before the event
    void *block, *block_before;
    double *x, *z;   // its states, guesses
    bool has_moved;  // a state jumps
    uint32_t *tried; // choices of all candidates so far
    uint32_t tried_count;
    uint32_t *choices; // of the present one
    uint32_t *wanted;  // that it asks for
    bool is_ended;     // left limits of discrete variables follow first
    bool *is_turned;   // by choice: conditions of candidates disagreed about it
    char reason[512];  // why the last one was not accepted
    bool was_impossible;
} Change;

bool change_wanted(const Mode *mode, const double *values, uint32_t *choices)
{
    const Model *m = mode->model;
    const uint32_t machines = m->flat->machine_count;
    bool is_other = false;
    for (uint32_t i = 0; i < mode->branch_count; i++) {
        const uint32_t k = machines + mode->branches[i], branch = (uint32_t)values[i];
        is_other |= mode->choices[k] != branch;
        choices[k] = branch;
    }
    return is_other;
}

bool change_refresh(SaltusEvent *event, const Mode *mode, const ModelMemory *memory)
{
    const Model *m = mode->model;
    double *values = frozen_values(m, memory, event->t, event->p, FROZEN_HOLDS);
    if (!values) {
        saltus_fail(event, "conditions could not be evaluated from left limits");
        return false;
    }
    for (uint32_t h = 0; h < m->held_count; h++)
        if (!mode->is_live[h])
            memory->held[h] = values[h];
    free(values);
    return true;
}

bool change_branches(SaltusEvent *event, const Model *m, const ModelMemory *memory,
                     uint32_t *choices)
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
                    uint32_t *choices)
{
    const Model *m = mode->model;
    // Branches of if-equations that are no choices of the mode may be choices of another.
    if (m->flat->conditional_count > mode->branch_count &&
        (!change_refresh(event, mode, memory) || !change_branches(event, m, memory, choices)))
        return false;
    for (uint32_t i = 0; i < m->choice_count; i++)
        if (mode->choices[i] != GATHER_ANY)
            choices[i] = mode->choices[i];
    return true;
}

// ---------------------------------------------------------------------------
// One candidate
// ---------------------------------------------------------------------------

static void copy_memory(const Model *m, const ModelMemory *from, ModelMemory *to)
{
    memcpy(to->m, from->m, m->memory_count * sizeof *to->m);
    if (m->held_count)
        memcpy(to->held, from->held, m->held_count * sizeof *to->held);
}

// The left limit at a place of the memory, if there is one.
static double left_or(const Change *c, uint32_t place, double otherwise)
{
    return place == CODE_NONE || isnan(c->memory.m[place]) ? otherwise : c->memory.m[place];
}

static void end_iteration(const Model *m, ModelMemory *memory)
{
    for (uint32_t i = 0; i < m->discrete_count; i++)
        if (m->discrete[i].left != CODE_NONE)
            memory->m[m->discrete[i].left] = memory->m[m->discrete[i].place];
}

// The mode of a part with the states that are best at the values of its restart.
static const Mode *choose_states(const Mode *m, const ProgramInputs *known, const double *values)
{
    if (!m->chooser)
        return m;
    ProgramInputs inputs = *known;
    inputs.vectors[PROGRAM_STATES] = values;
    double *pivots = calloc(m->pivot_count, sizeof *pivots);
    ProgramScratch *scratch = program_scratch(m->chooser);
    const Mode *better = m;
    if (pivots && scratch &&
        program_evaluate(m->chooser, scratch, &inputs, 0, pivots) == PROGRAM_FINE)
        better = reselect_part(m, pivots);
    program_scratch_free(scratch);
    free(pivots);
    return better;
}

static void explain_restart(Change *c, const ImpulseReport *report)
{
    char place[40] = "";
    if (span_is_known(report->span))
        snprintf(place, sizeof place, " (line %u)",
                 sources_locate(c->model->diagnostics->sources, report->span.begin).line);
    snprintf(c->reason, sizeof c->reason, "mode %.120s cannot be entered: %.320s%s", c->mode->name,
             report->message, place);
}

static bool has_no_memory(Change *c)
{
    explain_restart(c, &(ImpulseReport){.message = "out of memory"});
    return false;
}

static uint32_t restart_size(const Mode *part)
{
    return part->impulse->count + part->impulse->guess_count;
}

// One part: from the left limits of its vector, states from the engine, all others from the memory.
static bool restart_part(Change *c, const Mode *part, double *x, double *impulses)
{
    const Impulse *impulse = part->impulse;
    bool *fixed = calloc(impulse->count + 1u, sizeof *fixed);
    ImpulseScratch *scratch = impulse_scratch(impulse);
    ImpulseStatus status = IMPULSE_FAILED;
    ImpulseReport report = {.message = "out of memory"};
    if (fixed && scratch) {
        for (uint32_t i = 0; i < restart_size(part); i++) {
            const uint32_t place = part->impulse_lefts[i];
            x[i] = left_or(c, place, i < impulse->count ? NAN : 0.0);
            if (i < impulse->count && place != CODE_NONE)
                fixed[i] = c->request->fixed && c->request->fixed[place];
        }
        const ImpulseGiven given = {
            .inputs = frozen_inputs(&c->memory, c->event->t, NULL, c->event->p),
            .before = frozen_inputs(&c->before, c->event->t, NULL, c->event->p),
            .fixed = fixed,
            .tolerance = fmax(least_tolerance, c->event->method->relative_tolerance)};
        status = impulse_solve(impulse, scratch, &given, x, impulses, &report);
    }
    c->has_moved |= report.has_moved;
    impulse_scratch_free(scratch);
    free(fixed);
    if (status != IMPULSE_FINE)
        explain_restart(c, &report);
    return status == IMPULSE_FINE;
}

// The values of the candidate, from those of the restarts of its parts.
static bool take_values(Change *c, const double *values)
{
    const Mode *m = c->mode;
    free(c->x);
    c->x = calloc(m->state_count + m->flow->guess_count + 1u, sizeof *c->x);
    if (!c->x)
        return has_no_memory(c);
    c->z = c->x + m->state_count;
    double *x = c->x;
    for (uint32_t k = 0; k < m->part_count; k++) {
        const Mode *part = m->parts[k];
        for (uint32_t i = 0; i < part->state_count; i++)
            *x++ = values[part->impulse_states[i]];
        values += restart_size(part);
    }
    for (uint32_t i = 0; i < m->flow->guess_count; i++)
        c->z[i] = left_or(c, m->guess_lefts[i], 0.0);
    return true;
}

// A part that stays in its mode goes on with the states that it has.
static const Mode *present_part(const Change *c, uint32_t k)
{
    const Mode *part = c->mode->parts[k], *present = c->request->from->parts[k];
    const size_t size = c->model->choice_count * sizeof *part->choices;
    // One that slides is left: what it has to do is found anew.
    return !present->slides && memcmp(part->choices, present->choices, size) == 0 ? present : part;
}

// One of several parts that stays in its mode, and whose states neither reset nor reinit gave a
// value: nothing has to be put right.
static bool is_untouched(const Change *c, uint32_t k, const Mode *part)
{
    const Mode *from = c->request->from;
    if (c->model->assembly->parts->count == 1 || part != from->parts[k])
        return false;
    const double *x = c->event->x + from->flow->parts[k].state;
    for (uint32_t i = 0; i < part->state_count; i++) {
        const uint32_t place = part->state_lefts[i];
        if (place == CODE_NONE || c->memory.m[place] != x[i] ||
            (c->request->fixed && c->request->fixed[place]))
            return false;
    }
    return true;
}

// All parts, in the order of the candidate; it becomes the one with the best states.
static bool restart_parts(Change *c, const Mode **parts, double *values, double *impulses)
{
    const Mode *m = c->mode;
    const ProgramInputs inputs = frozen_inputs(&c->memory, c->event->t, NULL, c->event->p);
    double *x = values;
    c->has_moved = false;
    for (uint32_t k = 0; k < m->part_count; k++) {
        const Mode *part = parts[k] = present_part(c, k);
        if (is_untouched(c, k, part)) {
            for (uint32_t i = 0; i < part->state_count; i++)
                x[part->impulse_states[i]] = c->memory.m[part->state_lefts[i]];
        } else {
            if (!restart_part(c, part, x, impulses))
                return false;
            parts[k] = choose_states(part, &inputs, x);
        }
        x += restart_size(part);
        impulses += part->event_count;
    }
    const Mode *best = model_join(c->model, parts);
    if (!best)
        return has_no_memory(c);
    c->mode = best;
    return take_values(c, values);
}

static bool restart(Change *c, double *impulses)
{
    const Mode *m = c->mode;
    uint32_t all = 0;
    for (uint32_t k = 0; k < m->part_count; k++)
        all += restart_size(m->parts[k]);
    double *values = calloc(all + 1u, sizeof *values);
    const Mode **parts = calloc(m->part_count + 1u, sizeof *parts);
    const bool is_fine =
        values && parts ? restart_parts(c, parts, values, impulses) : has_no_memory(c);
    free(values);
    free(parts);
    return is_fine;
}

// What is zero keeps its value, or goes where the flow leads it.
static Verdict settle_candidate(Change *c, const double *impulses, bool by_course)
{
    const Mode *m = c->mode;
    Settling s = {.mode = m,
                  .scratch = mode_take_scratch(m),
                  .memory = c->memory,
                  .inputs = frozen_inputs(&c->memory, c->event->t, c->x, c->event->p),
                  .guesses = c->z,
                  .impulses = impulses,
                  .before = c->request->from,
                  .by_course = by_course,
                  .is_released = calloc(m->hold_count + 1u, sizeof(bool))};
    if (!s.scratch || !s.is_released) {
        free(s.is_released);
        if (s.scratch)
            mode_give_scratch(m, s.scratch);
        return VERDICT_NO_MEMORY;
    }
    Verdict verdict = VERDICT_IMPOSSIBLE;
    if (settle(&s) && settle_evaluate(&s, MODEL_CHOICES, s.scratch->values))
        verdict =
            change_wanted(m, s.scratch->values, c->wanted) ? VERDICT_REJECTED : VERDICT_ACCEPTED;
    else
        snprintf(c->reason, sizeof c->reason, "in mode %.120s: %.360s", m->name, s.message);
    for (uint32_t i = 0; i < m->flow->guess_count && verdict == VERDICT_ACCEPTED; i++)
        c->z[i] = s.scratch->program->w[m->flow->guessed[i]];
    free(s.is_released);
    mode_give_scratch(m, s.scratch);
    return verdict;
}

// The left limits.
static void prepare(Change *c)
{
    const Model *m = c->model;
    copy_memory(m, &c->request->memory, &c->memory);
    if (c->is_ended)
        end_iteration(m, &c->memory);
    const ModelMemory left = model_memory(m, c->event->memory_left);
    copy_memory(m, &c->memory, &c->before);
    for (uint32_t i = 0; i < m->discrete_count; i++)
        c->before.m[m->discrete[i].place] = left.m[m->discrete[i].place];
    if (m->held_count)
        memcpy(c->before.held, left.held, m->held_count * sizeof *left.held);
}

static Verdict judge_values(Change *c, double *impulses)
{
    prepare(c);
    if (!restart(c, impulses))
        return VERDICT_IMPOSSIBLE;
    const Verdict verdict = settle_candidate(c, impulses, false);
    if (verdict != VERDICT_REJECTED)
        return verdict;
    prepare(c);
    return settle_candidate(c, impulses, true);
}

static Verdict judge(Change *c)
{
    memcpy(c->wanted, c->choices, c->model->choice_count * sizeof *c->wanted);
    c->mode = model_mode(c->model, c->choices, false);
    if (!c->mode)
        return VERDICT_NO_MEMORY;
    if (c->mode->is_broken) {
        system_complain(c->mode, c->reason);
        return VERDICT_IMPOSSIBLE;
    }
    double *impulses = calloc(c->mode->event_count + 1u, sizeof *impulses);
    if (!impulses)
        return VERDICT_NO_MEMORY;
    const Verdict verdict = judge_values(c, impulses);
    free(impulses);
    return verdict;
}

// ---------------------------------------------------------------------------
// The search
// ---------------------------------------------------------------------------

static bool was_tried(const Change *c, const uint32_t *choices)
{
    const uint32_t n = c->model->choice_count;
    for (uint32_t i = 0; i < c->tried_count; i++) {
        const uint32_t *tried = c->tried + (size_t)i * n;
        uint32_t k = 0;
        while (k < n && (tried[k] == GATHER_ANY || tried[k] == choices[k]))
            k++;
        if (k == n)
            return true;
    }
    return false;
}

static void note_tried(Change *c, const uint32_t *choices)
{
    const uint32_t n = c->model->choice_count;
    memcpy(c->tried + (size_t)c->tried_count++ * n, choices, n * sizeof *choices);
}

static void note_disagreement(Change *c)
{
    for (uint32_t i = 0; i < c->model->choice_count; i++)
        c->is_turned[i] |= c->wanted[i] != c->choices[i];
}

static Verdict consider(Change *c)
{
    note_tried(c, c->choices);
    const Verdict verdict = judge(c);
    if (verdict == VERDICT_REJECTED)
        note_disagreement(c);
    c->was_impossible = verdict == VERDICT_IMPOSSIBLE;
    return verdict;
}

// What the conditions ask for, again and again.
static Verdict follow(Change *c)
{
    Verdict verdict = VERDICT_REJECTED;
    while (verdict == VERDICT_REJECTED && !was_tried(c, c->choices) &&
           c->tried_count < MOST_CANDIDATES) {
        verdict = consider(c);
        if (verdict == VERDICT_REJECTED)
            memcpy(c->choices, c->wanted, c->model->choice_count * sizeof *c->choices);
    }
    return verdict;
}

// What is asked for may be impossible because something else has to change with it: a diode that
// takes over the current of another one. One if-equation takes another branch, and from there on
// what the conditions ask for is followed.
static Verdict turn_one(Change *c)
{
    const uint32_t n = c->model->choice_count;
    const uint32_t *from = c->request->from->choices;
    char reason[sizeof c->reason];
    memcpy(reason, c->reason, sizeof reason);
    for (uint32_t k = c->model->flat->machine_count; k < n; k++) {
        if (from[k] == GATHER_ANY || from[k] != c->request->choices[k])
            continue;
        for (uint32_t branch = 0; branch < model_branch_count(c->model, k); branch++) {
            memcpy(c->choices, c->request->choices, n * sizeof *c->choices);
            if (c->choices[k] == branch)
                continue;
            c->choices[k] = branch;
            const Verdict verdict = follow(c);
            if (verdict == VERDICT_ACCEPTED || verdict == VERDICT_NO_MEMORY)
                return verdict;
        }
    }
    // The first candidate is what the user asked for.
    memcpy(c->reason, reason, sizeof reason);
    return VERDICT_IMPOSSIBLE;
}

// The choices of a combination by its number, in which each choice is a digit: how many branches
// further it is than what was asked for. Returns how many choices are others.
static uint32_t combination(Change *c, const uint32_t *turned, uint32_t count, uint32_t number)
{
    uint32_t others = 0;
    memcpy(c->choices, c->request->choices, c->model->choice_count * sizeof *c->choices);
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t branches = model_branch_count(c->model, turned[k]);
        others += number % branches != 0;
        c->choices[turned[k]] = (c->choices[turned[k]] + number % branches) % branches;
        number /= branches;
    }
    return others;
}

// All combinations of what was disagreed about, those that differ least from what was asked for
// first.
static Verdict enumerate(Change *c)
{
    const uint32_t n = c->model->choice_count;
    uint32_t turned[MOST_TURNED], count = 0, all = 1;
    for (uint32_t i = 0; i < n && count < MOST_TURNED; i++) {
        const uint32_t branches = c->is_turned[i] ? model_branch_count(c->model, i) : 0;
        if (branches == 0 || branches > MOST_COMBINATIONS / all)
            continue;
        all *= branches;
        turned[count++] = i;
    }
    for (uint32_t far = 1; far <= count; far++)
        for (uint32_t number = 1; number < all && c->tried_count < MOST_CANDIDATES; number++) {
            if (combination(c, turned, count, number) != far || was_tried(c, c->choices))
                continue;
            const Verdict verdict = consider(c);
            if (verdict == VERDICT_ACCEPTED || verdict == VERDICT_NO_MEMORY)
                return verdict;
        }
    return VERDICT_REJECTED;
}

// ---------------------------------------------------------------------------
// The result
// ---------------------------------------------------------------------------

void change_describe(const Model *m, const bool *is_turned, char *text, size_t size)
{
    const FlatModel *flat = m->flat;
    size_t length = (size_t)snprintf(text, size, "no combination of");
    bool is_first = true;
    for (uint32_t i = flat->machine_count; i < m->choice_count && length + 160 < size; i++) {
        if (!is_turned[i])
            continue;
        const FlatIf *conditional = flat->conditionals[i - flat->machine_count];
        const SourcePlace place = sources_locate(m->diagnostics->sources, conditional->span.begin);
        const String condition =
            sources_text(m->diagnostics->sources, conditional->conditions[0]->span);
        const int shown = condition.length < 80 ? (int)condition.length : 80;
        length += (size_t)snprintf(text + length, size - length, "%s '%.*s' (line %u)",
                                   is_first ? "" : ",", shown, condition.text, place.line);
        is_first = false;
    }
    snprintf(text + length, size - length, " agrees with the equations that belong to it");
}

static void report_contradiction(Change *c)
{
    char which[400], message[512];
    change_describe(c->model, c->is_turned, which, sizeof which);
    snprintf(message, sizeof message, "conditions contradict each other: %s", which);
    saltus_fail(c->event, message);
}

// Conditions that are zero, up to the accuracy of events, where the mode is entered: their values
// stand until the engine knows where they go.
static bool mark_zeros(Change *c)
{
    const Mode *m = c->mode;
    Settling s = {.mode = m,
                  .scratch = mode_take_scratch(m),
                  .memory = c->memory,
                  .inputs = frozen_inputs(&c->memory, c->event->t, c->event->x, c->event->p),
                  .guesses = c->event->z};
    bool is_fine = s.scratch && settle_zeros(&s, s.scratch->values, s.scratch->more);
    for (uint32_t i = 0; i < m->event_count && is_fine; i++)
        if (fabs(s.scratch->values[i]) <= s.scratch->more[i])
            is_fine = saltus_set_zero(c->event, (int)i, s.scratch->more[i]) == SALTUS_OK;
    if (!s.scratch)
        saltus_fail(c->event, "out of memory");
    else if (!is_fine && s.message[0])
        saltus_fail(c->event, s.message);
    if (s.scratch)
        mode_give_scratch(m, s.scratch);
    return is_fine;
}

// Makes the accepted candidate real.
static bool commit(Change *c)
{
    const Mode *m = c->mode, *from = c->request->from;
    ModelMemory memory = model_memory(c->model, c->event->memory);
    copy_memory(c->model, &c->memory, &memory);
    for (uint32_t i = 0; i < from->hold_count; i++)
        if (from->holds[i].kind == HOLD_TIME && !m->is_live[from->holds[i].number])
            saltus_cancel(c->event, system_time_id(c->model, &from->holds[i]));
    if (m != from && saltus_switch_mode(c->event, (int)m->number) != SALTUS_OK)
        return false;
    methods_enter(c->event, m);
    for (uint32_t i = 0; i < m->state_count; i++)
        c->event->x[i] = c->x[i];
    for (uint32_t i = 0; i < m->flow->guess_count; i++)
        c->event->z[i] = c->z[i];
    return mark_zeros(c);
}

static bool is_open(const Change *c, Verdict verdict)
{
    return verdict == VERDICT_REJECTED || (verdict == VERDICT_IMPOSSIBLE && c->tried_count > 1);
}

static void begin_search(Change *c)
{
    memcpy(c->choices, c->request->choices, c->model->choice_count * sizeof *c->choices);
    c->tried_count = 0;
    if (!c->request->may_stay)
        note_tried(c, c->request->from->choices);
}

static bool search(Change *c)
{
    begin_search(c);
    Verdict verdict = follow(c);
    if (is_open(c, verdict)) {
        begin_search(c);
        c->is_ended = true;
        verdict = follow(c);
    }
    if (is_open(c, verdict)) {
        const bool was_impossible = verdict == VERDICT_IMPOSSIBLE;
        begin_search(c);
        c->is_ended = false;
        verdict = was_impossible ? turn_one(c) : enumerate(c);
    }
    if (verdict == VERDICT_ACCEPTED)
        return commit(c);
    if (verdict == VERDICT_NO_MEMORY)
        saltus_fail(c->event, "out of memory");
    else if (c->was_impossible || c->reason[0])
        saltus_fail(c->event, c->reason);
    else
        report_contradiction(c);
    return false;
}

bool change_mode(SaltusEvent *event, const ChangeRequest *request, bool *is_ended)
{
    const Model *m = request->from->model;
    const uint32_t n = m->choice_count;
    Change c = {.event = event, .request = request, .model = m};
    c.block = malloc(model_memory_size(m));
    c.block_before = malloc(model_memory_size(m));
    c.tried = calloc((size_t)n * (MOST_CANDIDATES + 4) + n, sizeof *c.tried);
    c.is_turned = calloc(n + 1u, sizeof *c.is_turned);
    bool is_fine = false;
    if (c.block && c.block_before && c.tried && c.is_turned) {
        c.choices = c.tried + (size_t)n * (MOST_CANDIDATES + 2);
        c.wanted = c.choices + n;
        c.memory = model_memory(m, c.block);
        c.before = model_memory(m, c.block_before);
        is_fine = search(&c);
    } else {
        saltus_fail(event, "out of memory");
    }
    *is_ended = c.is_ended;
    free(c.x);
    free(c.is_turned);
    free(c.tried);
    free(c.block);
    free(c.block_before);
    return is_fine;
}
