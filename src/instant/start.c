// SPDX-License-Identifier: MIT
//
// The beginning of a run: initial values of continuous and discrete variables together, and the
// mode that they belong to. The equations of the initialization are solved with the conditions as
// they are, then conditions and discrete variables are computed anew, until nothing changes; then
// it must be the mode that the conditions ask for.

#include "instant/change.h"
#include "instant/reselect.h"
#include "instant/search.h"
#include "instant/settle.h"
#include "instant/transitions.h"
#include "modes/continuation.h"
#include "modes/methods.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS_TOGETHER = 10, MOST_ROUNDS = 1000, MOST_MODES = 64 };

typedef struct Start {
    SaltusEvent *event;
    const Model *model;
    const Mode *m;
    ModelMemory memory;
    ProgramScratch *scratch;
    double *values, *guesses;
    ProgramInputs inputs;
    const Mode *simplified; // whose simplified equations were followed last
    bool is_ended;          // iterations end in each mode: left limits of discrete variables follow
    bool *is_turned;        // by choice: conditions disagreed about it
    char reason[600];       // why the last mode was not the right one
} Start;

// ---------------------------------------------------------------------------
// Initial values in one mode
// ---------------------------------------------------------------------------

static bool refuse(Start *s, const char *reason)
{
    snprintf(s->reason, sizeof s->reason, "%s", reason);
    return false;
}

static bool fail(Start *s)
{
    char reason[512], message[600];
    system_explain(s->model, s->m->start, s->scratch, reason);
    snprintf(message, sizeof message, "no initial values: %s", reason);
    return refuse(s, message);
}

static bool evaluate(Start *s, ModelEntry entry)
{
    return program_evaluate(s->m->start, s->scratch, &s->inputs, (uint32_t)entry, s->values) ==
               PROGRAM_FINE ||
           fail(s);
}

static bool set_guesses(Start *s)
{
    if (!evaluate(s, MODEL_GUESSES))
        return false;
    for (uint32_t i = 0; i < s->m->start->guess_count; i++)
        s->guesses[i] =
            isfinite(s->values[s->m->guess_steps[i]]) ? s->values[s->m->guess_steps[i]] : 0.0;
    return true;
}

static ProgramStatus try_to_solve(Start *s)
{
    return program_solve(s->m->start, s->scratch, &s->inputs, PROGRAM_ALL, s->guesses, NULL);
}

static bool update_conditions(Start *s, bool is_single, bool *changed);

static bool take_conditions(void *user, bool *changed)
{
    return update_conditions(user, false, changed);
}

// Once in each mode: guesses and conditions from the simplified equations of homotopy. If they lead
// nowhere, everything is as before.
static void simplify(Start *s)
{
    const uint32_t count = s->model->held_count, guesses = s->m->start->guess_count;
    double *before = malloc((count + guesses + 1u) * sizeof *before);
    s->simplified = s->m;
    if (!before)
        return;
    memcpy(before, s->memory.held, count * sizeof *before);
    memcpy(before + count, s->guesses, guesses * sizeof *before);
    if (!continuation_run(s->m->continuation, &s->inputs, s->memory.m, s->m->start, s->scratch->w,
                          s->guesses, take_conditions, s)) {
        memcpy(s->memory.held, before, count * sizeof *before);
        memcpy(s->guesses, before + count, guesses * sizeof *before);
    }
    free(before);
}

static bool solve(Start *s)
{
    if (s->m->hold_count == 0)
        program_be_lenient(s->scratch); // there are no conditions to be changed
    if (s->m->continuation && s->simplified != s->m)
        simplify(s);
    return try_to_solve(s) == PROGRAM_FINE;
}

// The left limits that the model gives.
static bool update_lefts(Start *s, bool *changed)
{
    if (!evaluate(s, MODEL_INITIAL))
        return false;
    for (uint32_t i = 0; i < s->m->initial_count; i++) {
        const ModelInitial *v = &s->m->initial_values[i];
        double *left = v->left == CODE_NONE ? &s->event->p[v->place] : &s->memory.m[v->left];
        *changed |= *left != s->values[i];
        *left = s->values[i];
    }
    return true;
}

// New values of conditions: all, or (is_single) the first that is not right, see settle.c.
static bool update_conditions(Start *s, bool is_single, bool *changed)
{
    const Mode *m = s->m;
    if (!evaluate(s, MODEL_HOLDS))
        return false;
    for (uint32_t i = 0; i < m->hold_count && !(is_single && *changed); i++) {
        double *held = &s->memory.held[m->holds[i].number];
        if (m->holds[i].kind == HOLD_TIME || *held == s->values[2 * i])
            continue;
        *held = s->values[2 * i];
        *changed = true;
    }
    if (!evaluate(s, MODEL_TIMES))
        return false;
    settle_times(m, s->event->t, s->values, s->memory.held, changed);
    return true;
}

static bool update_discrete(Start *s, bool *changed)
{
    const Mode *m = s->m;
    if (!update_lefts(s, changed) || !evaluate(s, MODEL_DISCRETE))
        return false;
    for (uint32_t i = 0; i < m->discrete_count; i++) {
        double *value = &s->memory.m[m->discrete[i].place];
        *changed |= *value != s->values[i];
        *value = s->values[i];
    }
    return true;
}

// Whether the held values are those that follow from them.
static bool agrees(void *user)
{
    Start *s = user;
    bool conditions = false, discrete = true;
    for (int round = 0; round < ROUNDS_TOGETHER && discrete; round++) {
        discrete = false;
        if (!solve(s) || !update_discrete(s, &discrete))
            return false;
    }
    return !discrete && update_conditions(s, false, &conditions) && !conditions;
}

static bool search(Start *s)
{
    const uint32_t count = s->model->held_count;
    const Search all = {s->m, s->memory.held, s, agrees};
    if (search_conditions(&all))
        return true;
    double *before = calloc(count + 1u, sizeof *before);
    if (!before)
        return refuse(s, "out of memory");
    memcpy(before, s->memory.held, count * sizeof *before);
    agrees(s);
    char which[300], message[400];
    search_describe(s->m, before, s->memory.held, which, sizeof which);
    free(before);
    snprintf(message, sizeof message, "no initial values: conditions contradict each other%s%s",
             which[0] ? "; look at " : "", which);
    return refuse(s, message);
}

static bool find_values(Start *s)
{
    for (int round = 0; round < MOST_ROUNDS; round++) {
        // What fails may do so because conditions are not known yet: integer(x) in a subscript.
        const bool is_solved = solve(s);
        bool changed = false;
        if (!update_conditions(s, round >= ROUNDS_TOGETHER, &changed) ||
            !update_discrete(s, &changed))
            return false;
        if (!changed)
            return is_solved || fail(s);
    }
    return search(s);
}

static bool contradict(Start *s, Span span, const char *what, const char *name, double by)
{
    char message[480];
    const SourcePlace place = sources_locate(s->model->diagnostics->sources, span.begin);
    snprintf(message, sizeof message, "%s%.160s (%.120s, line %u) contradicts the others by %g",
             what, name, place.file ? place.file->name : "the model", place.line, by);
    return refuse(s, message);
}

// What the model says of discrete variables themselves must hold, too.
static bool check_discrete(Start *s)
{
    if (!evaluate(s, MODEL_INITIAL))
        return false;
    for (uint32_t i = 0; i < s->m->initial_count; i++) {
        const ModelInitial *v = &s->m->initial_values[i];
        const double difference = v->left == CODE_NONE ? 0.0 : s->memory.m[v->place] - s->values[i];
        if (!v->is_left_limit && difference != 0.0)
            return contradict(s, v->span, "the initial equation of ", v->name, difference);
    }
    return true;
}

static const SignatureEquation *surplus_equation(const Initial *initial, const InitialRow *row)
{
    uint32_t r = 0;
    while (initial->complete_rows[r].kind != row->kind ||
           initial->complete_rows[r].number != row->number ||
           initial->complete_rows[r].order != row->order)
        r++;
    return &initial->complete->equations[r];
}

// Initial equations and fixed starts beyond those that were solved must hold, too.
static bool check_surplus(Start *s)
{
    const Initial *initial = s->m->initial;
    if (!evaluate(s, MODEL_SURPLUS))
        return false;
    const double *terms = s->values + initial->surplus_count;
    const double *sizes = terms + initial->surplus_count;
    for (uint32_t i = 0; i < initial->surplus_count; i++) {
        // as exact as start values are written, or what rounding leaves
        if (fabs(s->values[i]) <= fmax(1e-6 * terms[i], 1e-12 * sizes[i]))
            continue;
        const SignatureEquation *about = surplus_equation(initial, &initial->surplus[i]);
        return contradict(s, about->span,
                          initial->surplus[i].kind == INITIAL_EQUATION ? "the initial equation "
                                                                       : "the ",
                          about->text ? about->text : "", s->values[i]);
    }
    return true;
}

// ---------------------------------------------------------------------------
// The state of the run
// ---------------------------------------------------------------------------

// The first instant of each sample that is not over.
static bool schedule_samples(Start *s)
{
    if (!evaluate(s, MODEL_SAMPLES))
        return false;
    for (uint32_t i = 0; i < s->model->sample_count; i++) {
        const double first = s->values[2 * i], interval = s->values[2 * i + 1];
        if (!(interval > 0.0))
            return refuse(s, "the interval of a sample is not positive");
        const double ticks = ceil((s->event->t - first) / interval - 1e-9);
        s->memory.ticks[i] = fmax(ticks, 0.0);
        saltus_schedule(s->event, (int)i, first + s->memory.ticks[i] * interval);
    }
    return true;
}

static bool set_left_limits(Start *s)
{
    if (!s->model->assembly->has_modes)
        return true;
    if (!evaluate(s, MODEL_LEFT))
        return false;
    for (uint32_t i = 0; i < s->m->left_count; i++)
        s->memory.m[s->m->left_places[i]] = s->values[i];
    return true;
}

static double start_value(const Start *s, uint32_t place, uint32_t variable)
{
    if (place == CODE_NONE)
        place = program_place(s->m->start, variable);
    return place == CODE_NONE ? 0.0 : s->scratch->w[place];
}

// What was found becomes the state of the run; initialization is over.
static bool finish(Start *s)
{
    const Model *model = s->model;
    const Mode *m = s->m;
    if (!evaluate(s, MODEL_ACTIONS) || !update_perform(s->event, m, s->values) ||
        !evaluate(s, MODEL_ASSERTIONS) || !update_assert(s->event, m, s->values) ||
        !set_left_limits(s) || !evaluate(s, MODEL_TIMES))
        return false;
    settle_schedule(s->event, m, s->values);
    if (!evaluate(s, MODEL_PIVOTS))
        return false;
    ModelScratch *selecting = mode_take_scratch(m);
    const Mode *best = selecting ? reselect_mode(m, selecting, s->values) : m;
    if (selecting)
        mode_give_scratch(m, selecting);
    if (saltus_switch_mode(s->event, (int)best->number) != SALTUS_OK)
        return false;
    methods_enter(s->event, best);
    for (uint32_t i = 0; i < best->state_count; i++)
        s->event->x[i] =
            start_value(s, best == m ? m->start_places[i] : CODE_NONE, best->states[i]);
    for (uint32_t i = 0; i < best->flow->guess_count; i++)
        s->event->z[i] = start_value(s, best == m ? m->start_places[m->state_count + i] : CODE_NONE,
                                     best->flow->guess_variables[i]);
    for (uint32_t i = 0; i < m->found_count; i++)
        s->event->p[m->found[i]] = s->scratch->w[m->found_places[i]];
    if (model->initial_place != CODE_NONE)
        s->memory.m[model->initial_place] = 0.0;
    for (uint32_t i = 0; i < model->discrete_count; i++) {
        s->memory.logged[i] = s->memory.m[model->discrete[i].place];
        if (model->discrete[i].left != CODE_NONE)
            s->memory.m[model->discrete[i].left] = s->memory.logged[i];
    }
    return schedule_samples(s);
}

// ---------------------------------------------------------------------------
// The mode
// ---------------------------------------------------------------------------

static bool take_mode(Start *s, const uint32_t *choices)
{
    s->m = model_mode(s->model, choices, true);
    if (s->m && s->m->is_broken) {
        char message[512];
        system_complain(s->m, message);
        return refuse(s, message);
    }
    s->scratch = s->m ? program_scratch(s->m->start) : NULL;
    s->values =
        s->m ? calloc(s->m->start_most + s->m->start->guess_count + 1u, sizeof(double)) : NULL;
    if (!s->scratch || !s->values)
        return refuse(s, "out of memory");
    s->guesses = s->values + s->m->start_most;
    return true;
}

typedef enum Verdict {
    VERDICT_ACCEPTED,
    VERDICT_OTHER, // its conditions ask for another one
    VERDICT_IMPOSSIBLE,
    VERDICT_OVER, // it was the right one, but the run has failed
} Verdict;

// In one mode. The choices become what its conditions ask for.
static Verdict try_mode(Start *s, uint32_t *choices)
{
    const Model *model = s->model;
    Verdict verdict = VERDICT_IMPOSSIBLE;
    for (uint32_t i = 0; i < model->discrete_count && s->is_ended; i++)
        if (model->discrete[i].left != CODE_NONE)
            s->memory.m[model->discrete[i].left] = s->memory.m[model->discrete[i].place];
    if (take_mode(s, choices) && set_guesses(s) && find_values(s) && evaluate(s, MODEL_CHOICES)) {
        if (change_wanted(s->m, s->values, choices))
            verdict = VERDICT_OTHER;
        else
            verdict = check_surplus(s) && check_discrete(s) && finish(s) ? VERDICT_ACCEPTED
                                                                         : VERDICT_OVER;
    }
    for (uint32_t i = 0; i < model->choice_count && verdict == VERDICT_OTHER; i++)
        s->is_turned[i] |= s->m->choices[i] != GATHER_ANY && s->m->choices[i] != choices[i];
    program_scratch_free(s->scratch);
    free(s->values);
    s->scratch = NULL;
    s->values = NULL;
    return verdict;
}

// What the conditions ask for, again and again.
static Verdict follow(Start *s, uint32_t *choices)
{
    Verdict verdict = VERDICT_OTHER;
    for (int round = 0; round < MOST_MODES && verdict == VERDICT_OTHER; round++)
        verdict = try_mode(s, choices);
    return verdict;
}

// From the first choices with another branch of one if-equation; then what the conditions ask for.
static Verdict turn_one(Start *s, uint32_t *choices, const uint32_t *first)
{
    const Model *m = s->model;
    for (uint32_t k = m->flat->machine_count; k < m->choice_count; k++)
        for (uint32_t branch = 0; branch < model_branch_count(m, k); branch++) {
            char reason[sizeof s->reason];
            if (first[k] == branch)
                continue;
            memcpy(reason, s->reason, sizeof reason);
            memcpy(choices, first, m->choice_count * sizeof *choices);
            choices[k] = branch;
            const Verdict verdict = follow(s, choices);
            if (verdict == VERDICT_ACCEPTED || verdict == VERDICT_OVER)
                return verdict;
            memcpy(s->reason, reason, sizeof reason);
        }
    return VERDICT_IMPOSSIBLE;
}

static void find_mode(Start *s, uint32_t *choices, const uint32_t *first)
{
    Verdict verdict = follow(s, choices);
    if (verdict == VERDICT_OTHER) { // in circles: as at events, see change.h
        s->is_ended = true;
        verdict = follow(s, choices);
        s->is_ended = false;
    }
    if (verdict == VERDICT_OTHER || verdict == VERDICT_IMPOSSIBLE)
        verdict = turn_one(s, choices, first);
    if (verdict == VERDICT_ACCEPTED)
        return;
    if (!s->reason[0]) {
        char which[400];
        change_describe(s->model, s->is_turned, which, sizeof which);
        snprintf(s->reason, sizeof s->reason,
                 "no initial values: conditions contradict each other: %s", which);
    }
    saltus_fail(s->event, s->reason);
}

void start_run(SaltusEvent *event)
{
    const Model *m = event->user;
    uint32_t *choices = calloc(2 * (m->choice_count + 1u), sizeof *choices);
    Start s = {.event = event,
               .model = m,
               .memory = model_memory(m, event->memory),
               .is_turned = calloc(m->choice_count + 1u, sizeof(bool))};
    s.inputs = frozen_inputs(&s.memory, event->t, NULL, event->p);
    if (choices && s.is_turned && frozen_start(m, event->t, event->p, event->memory, choices)) {
        methods_start(event, m);
        for (uint32_t i = 0; i < m->assembly->assertion_count; i++)
            s.memory.warned[i] = NAN;
        uint32_t *first = choices + m->choice_count;
        memcpy(first, choices, m->choice_count * sizeof *choices);
        find_mode(&s, choices, first);
    } else {
        saltus_fail(event, "no initial values: a function failed, or there is no memory");
    }
    free(s.is_turned);
    free(choices);
}
