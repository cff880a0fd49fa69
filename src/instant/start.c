// SPDX-License-Identifier: MIT
//
// The beginning of a run: an instant like any other, but that initial equations and start values
// stand in place of left limits. Initial values of continuous and discrete variables are found
// together (settle.h), and so is the mode that they belong to (search.h).

#include "base/message.h"
#include "external/external.h"
#include "instant/change.h"
#include "instant/delays.h"
#include "instant/memory.h"
#include "instant/reselect.h"
#include "modes/continuation.h"
#include "modes/methods.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct Starting {
    Settling s; // in the mode that is tried
    SaltusEvent *event;
    const Model *model;
    const Mode *m;
    ModelMemory memory;
    double *block;          // of one mode: values, guesses, states
    Choice *wanted;         // what the conditions of a candidate ask for, while that is tried
    double *begun;          // memory and conditions by start values: modes are tried from them
    const Mode *simplified; // whose simplified equations were followed last
    bool is_contradicted;   // the reason is that fixed starts or initial equations do not hold
    char *reason;           // why the first impossible mode is that
} Starting;

// ---------------------------------------------------------------------------
// Initial values in one mode
// ---------------------------------------------------------------------------

// The first reason is the one that counts: it is about what the start values ask for.
static bool start_refuse(Starting *s, const char *reason)
{
    if (!s->reason)
        message_set(&s->reason, "%s", reason);
    return false;
}

static bool start_fail(Starting *s)
{
    if (!s->reason)
        message_set(&s->reason, "no initial values: %s", message_text(s->s.point.message));
    return false;
}

static bool start_evaluate(Starting *s, ModelEntry entry)
{
    return point_evaluate(&s->s.point, entry, s->s.point.values) || start_fail(s);
}

static bool start_set_guesses(Starting *s)
{
    if (!start_evaluate(s, MODEL_GUESSES))
        return false;
    for (uint32_t i = 0; i < s->m->start.program->guesses.count; i++)
        s->s.point.guesses[i] = isfinite(s->s.point.values[s->m->start.guess_steps[i]])
                                    ? s->s.point.values[s->m->start.guess_steps[i]]
                                    : 0.0;
    return true;
}

static ProgramStatus try_to_solve(Point *p)
{
    return program_solve(p->program, p->scratch, &p->inputs, PROGRAM_ALL, p->guesses, NULL);
}

static bool take_conditions(void *user, bool *changed)
{
    return settle_conditions(user, changed);
}

// Once in each mode: guesses and conditions from the simplified equations of homotopy. If they lead
// nowhere, everything is as before.
static void simplify(Starting *s)
{
    Point *p = &s->s.point;
    const uint32_t count = s->model->sizes.held, guesses = s->m->start.program->guesses.count;
    double *before = malloc((count + guesses + 1u) * sizeof *before);
    s->simplified = s->m;
    if (!before)
        return;
    memcpy(before, s->memory.held, count * sizeof *before);
    memcpy(before + count, p->guesses, guesses * sizeof *before);
    if (!continuation_run(s->m->start.continuation, &p->inputs, s->memory.m, s->m->start.program,
                          p->scratch->w, p->guesses, take_conditions, &s->s)) {
        memcpy(s->memory.held, before, count * sizeof *before);
        memcpy(p->guesses, before + count, guesses * sizeof *before);
    }
    free(before);
}

static bool start_solve(Point *p)
{
    Starting *s = p->user;
    if (s->m->conditions.hold_count == 0)
        program_be_lenient(p->scratch); // there are no conditions to be changed
    if (s->m->start.continuation && s->simplified != s->m)
        simplify(s);
    return try_to_solve(p) == PROGRAM_FINE || point_explain(p);
}

// The left limits that the model gives.
static bool update_lefts(Settling *settling, bool *changed)
{
    Starting *s = settling->point.user;
    const double *values = settling->point.values;
    if (!start_evaluate(s, MODEL_INITIAL))
        return false;
    for (uint32_t i = 0; i < s->m->start.value_count; i++) {
        const ModelInitial *v = &s->m->start.values[i];
        double *left = v->left == CODE_NONE ? &s->event->p[v->place] : &s->memory.m[v->left];
        *changed |= *left != values[i];
        *left = values[i];
    }
    return true;
}

static double start_value(const Starting *s, uint32_t place, GraphVariable variable)
{
    if (place == CODE_NONE)
        place = program_place(s->m->start.program, variable);
    return place == CODE_NONE ? 0.0 : s->s.point.scratch->w[place];
}

// Where what is zero goes, by the flow from the values that were found.
static bool start_find_course(Point *p, signed char *course)
{
    const Starting *s = p->user;
    const Mode *m = p->mode;
    double *x = s->block + 2 * m->start.most_values + m->start.program->guesses.count,
           *z = x + m->states.count;
    for (uint32_t i = 0; i < m->states.count; i++)
        x[i] = start_value(s, m->start.places[i], m->states.variables[i]);
    for (uint32_t i = 0; i < m->flow->guesses.count; i++)
        z[i] = start_value(s, m->start.places[m->states.count + i], m->flow->guesses.variables[i]);
    Point flow;
    bool is_fine = point_open(&flow, m, &p->memory, p->inputs.time, x, z, s->event->p) &&
                   conditions_course(&flow, course);
    point_close(&flow);
    return is_fine;
}

static bool find_values(Starting *s)
{
    return settle(&s->s) || start_fail(s);
}

static bool contradict(Starting *s, Span span, const char *what, const char *name, double by)
{
    const SourcePlace place = sources_locate(s->model->diagnostics->sources, span.begin);
    // Its conditions agree, so it says more than why others are impossible; the first one counts.
    if (!s->is_contradicted || !s->reason)
        message_set(&s->reason, "%s%s (%s, line %u) contradicts the others by %g", what, name,
                    place.file ? place.file->name : "the model", place.line, by);
    s->is_contradicted = true;
    return false;
}

// What the model says of discrete variables themselves must hold, too: of Reals as check_surplus
// says, of others exactly.
static bool start_check_discrete(Starting *s)
{
    if (!start_evaluate(s, MODEL_INITIAL))
        return false;
    for (uint32_t i = 0; i < s->m->start.value_count; i++) {
        const ModelInitial *v = &s->m->start.values[i];
        const bool is_exact = !v->is_left_limit && v->left != CODE_NONE && v->row == CODE_NONE;
        const double difference = is_exact ? s->memory.m[v->place] - s->s.point.values[i] : 0.0;
        if (difference != 0.0)
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

// As exactly as start values are written, or but for what rounding leaves.
static bool start_row_holds(const Starting *s, uint32_t row)
{
    const double *values = s->s.point.values, *terms = values + s->m->start.row_count;
    const double *sizes = terms + s->m->start.row_count;
    return fabs(values[row]) <= fmax(1e-6 * terms[row], 1e-12 * sizes[row]);
}

// Initial equations and fixed starts beyond those that were solved must hold, too.
static bool check_surplus(Starting *s)
{
    const Initial *initial = s->m->start.initial;
    if (!start_evaluate(s, MODEL_SURPLUS))
        return false;
    for (uint32_t i = 0; i < s->m->start.value_count; i++) {
        const ModelInitial *v = &s->m->start.values[i];
        if (v->row != CODE_NONE && !start_row_holds(s, v->row))
            return contradict(s, v->span, "the initial equation of ", v->name,
                              s->s.point.values[v->row]);
    }
    for (uint32_t i = 0; i < initial->surplus_count; i++) {
        if (start_row_holds(s, i))
            continue;
        const SignatureEquation *about = surplus_equation(initial, &initial->surplus[i]);
        return contradict(s, about->span,
                          initial->surplus[i].kind == INITIAL_EQUATION ? "the initial equation "
                                                                       : "the ",
                          about->text ? about->text : "", s->s.point.values[i]);
    }
    return true;
}

// ---------------------------------------------------------------------------
// The state of the run
// ---------------------------------------------------------------------------

// The first instant of each sample that is not over.
static bool schedule_samples(Starting *s)
{
    if (!start_evaluate(s, MODEL_SAMPLES))
        return false;
    for (uint32_t i = 0; i < s->model->samples.count; i++) {
        const double first = s->s.point.values[2 * i], interval = s->s.point.values[2 * i + 1];
        if (!(interval > 0.0))
            return start_refuse(s, "the interval of a sample is not positive");
        const double passed = (s->event->t - first) / interval;
        const double ticks = ceil(passed - fmax(1e-9, 4.0 * DBL_EPSILON * fabs(passed)));
        s->memory.ticks[i] = fmax(ticks, 0.0);
        saltus_schedule(s->event, (int)i, first + s->memory.ticks[i] * interval);
    }
    return true;
}

static bool set_left_limits(Starting *s)
{
    if (!s->model->assembly->has_modes)
        return true;
    if (!start_evaluate(s, MODEL_LEFT))
        return false;
    for (uint32_t i = 0; i < s->m->memory.left_count; i++)
        s->memory.m[s->m->memory.lefts[i]] = s->s.point.values[i];
    return true;
}

// What was found becomes the state of the run; initialization is over.
static bool start_finish(Starting *s)
{
    const Model *model = s->model;
    const Mode *m = s->m;
    if (!start_evaluate(s, MODEL_ACTIONS) || !update_perform(s->event, m, s->s.point.values) ||
        !start_evaluate(s, MODEL_ASSERTIONS) || !update_assert(s->event, m, s->s.point.values) ||
        !set_left_limits(s) || !start_evaluate(s, MODEL_TIMES))
        return false;
    conditions_schedule(s->event, m, s->s.point.values);
    if (!start_evaluate(s, MODEL_PIVOTS))
        return false;
    ModelScratch *selecting = mode_take_scratch(m);
    const Mode *best = selecting ? reselect_mode(m, selecting, s->s.point.values) : m;
    if (selecting)
        mode_give_scratch(m, selecting);
    if (saltus_switch_mode(s->event, (int)best->number) != SALTUS_OK)
        return false;
    methods_enter(s->event, best);
    // What its rounding did not decide here, it does not decide later.
    if ((s->s.is_complementary || s->s.has_circled) && !conditions_mark(&s->s.point, s->event))
        return start_fail(s);
    if (!conditions_mark_ideal(&s->s.point, s->event))
        return start_fail(s);
    for (uint32_t i = 0; i < best->states.count; i++)
        s->event->x[i] =
            start_value(s, best == m ? m->start.places[i] : CODE_NONE, best->states.variables[i]);
    for (uint32_t i = 0; i < best->flow->guesses.count; i++)
        s->event->z[i] =
            start_value(s, best == m ? m->start.places[m->states.count + i] : CODE_NONE,
                        best->flow->guesses.variables[i]);
    for (uint32_t i = 0; i < m->start.found_count; i++) {
        const uint32_t count = model->parameters->count, at = m->start.found[i];
        *(at < count ? &s->event->p[at] : &s->memory.m[at - count]) =
            s->s.point.scratch->w[m->start.found_places[i]];
    }
    if (model->initial_place != CODE_NONE)
        s->memory.m[model->initial_place] = 0.0;
    for (uint32_t i = 0; i < model->defined.count; i++) {
        s->memory.logged[i] = s->memory.m[model->defined.items[i].place];
        if (model->defined.items[i].left != CODE_NONE)
            s->memory.m[model->defined.items[i].left] = s->memory.logged[i];
    }
    char *message = NULL;
    const bool is_fine =
        schedule_samples(s) && (delays_start(s->event, s->s.point.values, &message) ||
                                start_refuse(s, message_text(message)));
    free(message);
    return is_fine;
}

// ---------------------------------------------------------------------------
// The mode
// ---------------------------------------------------------------------------

static bool take_mode(Starting *s, Candidate *candidate)
{
    const Mode *m = s->m = model_mode(s->model, candidate->choices, true);
    if (m && m->is_broken) {
        char *message = NULL;
        system_complain(m, &message);
        search_suspect(m, candidate);
        start_refuse(s, message_text(message));
        free(message);
        return false;
    }
    ProgramScratch *scratch = m ? program_scratch(m->start.program) : NULL;
    const size_t room = m ? 2 * (size_t)m->start.most_values + m->start.program->guesses.count +
                                m->states.count + m->flow->guesses.count
                          : 0;
    s->block = calloc(room + 1u, sizeof *s->block);
    if (!scratch || !s->block) {
        program_scratch_free(scratch);
        return start_refuse(s, "out of memory");
    }
    s->s = (Settling){.is_start = true, .update_lefts = update_lefts};
    s->s.point = (Point){.mode = m,
                         .program = m->start.program,
                         .scratch = scratch,
                         .values = s->block,
                         .more = s->block + m->start.most_values,
                         .guesses = s->block + 2 * m->start.most_values,
                         .memory = s->memory,
                         // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): a start has one
                         .inputs = frozen_inputs(&s->memory, s->event->t, NULL, s->event->p),
                         .accuracy = point_accuracy,
                         .solve = start_solve,
                         .course = start_find_course,
                         .user = s};
    return true;
}

static void leave_mode(Starting *s)
{
    program_scratch_free(s->s.point.scratch);
    free(s->block);
    free(s->s.point.message);
    s->block = NULL;
    s->s.point.scratch = NULL;
    s->s.point.message = NULL;
}

// Whether the conditions ask for this mode as they are found.
static Verdict start_settle(Starting *s, Candidate *candidate)
{
    memcpy(candidate->wanted, candidate->choices,
           s->model->sizes.choices * sizeof *candidate->wanted);
    if (!find_values(s) || !start_evaluate(s, MODEL_CHOICES))
        return VERDICT_IMPOSSIBLE;
    return settle_wanted(s->m, s->s.point.values, candidate->wanted) ? VERDICT_OTHER
                                                                     : VERDICT_ACCEPTED;
}

// Whether the conditions ask for this mode: for it as they are, or with what is zero where the flow
// leads it, or with what stays zero as if it were so exactly (and not what rounding makes of it).
static Verdict start_agree(Starting *s, Candidate *candidate)
{
    Verdict verdict = VERDICT_OTHER;
    for (int pass = 0; pass < 3 && verdict == VERDICT_OTHER; pass++) {
        s->s.by_course = pass > 0;
        s->s.is_exact = pass == 2;
        verdict = start_settle(s, candidate);
    }
    return verdict;
}

// Memory and conditions as a candidate begins with them.
static void start_begin(Starting *s, const Candidate *candidate)
{
    const Model *m = s->model;
    if (candidate->ending == ENDING_NONE)
        memcpy(s->memory.m, s->begun, m->sizes.memory * sizeof *s->begun);
    else
        memory_shift(m, &s->memory);
    if (m->sizes.held)
        memcpy(s->memory.held, s->begun + m->sizes.memory, m->sizes.held * sizeof *s->begun);
}

// What a mode leaves open is taken as near to its guesses as can be. So the mode that this one asks
// for may agree with the values that were found here, though not with those next to start values: a
// pipe between two valves that are shut.
static Verdict start_from_here(Starting *s, Candidate *candidate)
{
    const Mode *to = model_mode(s->model, candidate->wanted, true);
    const uint32_t n = s->model->sizes.choices;
    const uint32_t count = to && !to->is_broken ? to->start.program->guesses.count : 0;
    double *guesses = count ? malloc(count * sizeof *guesses) : NULL;
    if (!guesses)
        return VERDICT_OTHER;
    for (uint32_t i = 0; i < count; i++)
        guesses[i] = start_value(s, CODE_NONE, to->start.program->guesses.variables[i]);
    memcpy(s->wanted, candidate->wanted, n * sizeof *s->wanted);
    Candidate other = *candidate;
    other.choices = s->wanted;
    leave_mode(s);
    start_begin(s, candidate);
    Verdict verdict = VERDICT_OTHER;
    if (take_mode(s, &other)) {
        memcpy(s->s.point.guesses, guesses, count * sizeof *guesses);
        s->simplified = s->m; // the way from simplified equations would lead elsewhere
        verdict = start_agree(s, &other);
    }
    free(guesses);
    if (verdict == VERDICT_ACCEPTED)
        return verdict;
    memcpy(candidate->wanted, s->wanted, n * sizeof *s->wanted);
    return VERDICT_OTHER;
}

// In one mode: it becomes that of the run, if it is the right one.
static Verdict start_judge(void *user, Candidate *candidate)
{
    Starting *s = user;
    const Model *m = s->model;
    start_begin(s, candidate);
    Verdict verdict = VERDICT_IMPOSSIBLE;
    if (take_mode(s, candidate) && start_set_guesses(s))
        verdict = start_agree(s, candidate);
    candidate->is_open |= verdict == VERDICT_OTHER;
    if (verdict == VERDICT_OTHER && candidate->is_thorough)
        verdict = start_from_here(s, candidate);
    candidate->is_unsettled =
        candidate->ending == ENDING_CASCADE && memory_is_unsettled(m, &s->memory);
    if (verdict == VERDICT_ACCEPTED && !candidate->is_unsettled) {
        if (!check_surplus(s) || !start_check_discrete(s))
            verdict = VERDICT_IMPOSSIBLE; // an ideal diode that conducts may need no charge at all
        else if (!start_finish(s))
            verdict = VERDICT_OVER;
    }
    leave_mode(s);
    return verdict;
}

static void start_find_mode(Starting *s, const uint32_t *first)
{
    Search search = {.model = s->model, .first = first, .user = s, .judge = start_judge};
    const Verdict verdict = search_mode(&search);
    if (verdict != VERDICT_ACCEPTED && !s->reason) {
        char *which = NULL;
        search_describe(&search, &which);
        message_set(&s->reason, "no initial values: conditions contradict each other: %s",
                    message_text(which));
        free(which);
    }
    if (verdict != VERDICT_ACCEPTED)
        saltus_fail(s->event, message_text(s->reason));
    free(search.is_turned);
}

void start_run(SaltusEvent *event)
{
    const Model *m = event->user;
    store_begin(m->flat->externals);
    Choice *choices = calloc(2 * (size_t)m->sizes.choices + 1u, sizeof *choices);
    Starting s = {.event = event,
                  .model = m,
                  .wanted = choices ? choices + m->sizes.choices : NULL,
                  .memory = model_memory(m, event->memory),
                  .begun = calloc(m->sizes.memory + m->sizes.held + 1u, sizeof *s.begun)};
    char *why = NULL;
    if (choices && s.begun && frozen_start(m, event->t, event->p, event->memory, choices, &why)) {
        methods_start(event, m);
        for (uint32_t i = 0; i < model_warning_count(m); i++)
            s.memory.warned[i] = NAN;
        memcpy(s.begun, s.memory.m, m->sizes.memory * sizeof *s.begun);
        if (m->sizes.held)
            memcpy(s.begun + m->sizes.memory, s.memory.held, m->sizes.held * sizeof *s.begun);
        start_find_mode(&s, choices);
    } else {
        system_fail(event, "no initial values: %s", message_text(why));
    }
    free(why);
    free(s.reason);
    free(s.begun);
    free(choices);
}
