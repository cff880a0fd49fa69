// SPDX-License-Identifier: MIT
//
// Running programs: stage after stage, up to the level that is asked for (program.h). The values of
// a stage are inputs of those after it.
//
// A program may be those of several parts, joined: each runs in the scratch of its own, over the
// same vectors, and what a part says of a failure gets its number in the whole.
//
// A linear stage whose equations leave something open is solved if they agree with each other. They
// could do so by chance, at this point alone; so all stages are run once more nearby, and only if
// they agree there, too, is the open direction left as it was guessed (is_open, is_lenient).

#include "modes/program.h"

#include "base/memory.h"
#include "external/external.h"
#include "modes/failure.h"
#include "modes/program_stage.h"
#include "numerics/newton.h"

#include <math.h>

// ---------------------------------------------------------------------------
// Scratch
// ---------------------------------------------------------------------------

// Newton's method, and one vector more.
static size_t newton_room(const Program *p)
{
    return newton_work((int)p->widest) + p->widest;
}

// w: of joined programs, that of this one.
static void program_run_lay_out(const Program *p, ProgramScratch *s, double *w, double *next)
{
    s->w = w ? w : next;
    s->run.frame = w ? next : next + p->unknown_count;
    s->run.sites = p->module->sites;
    s->run.call = external_call_site;
    s->matrix = s->run.frame + p->module->frame_size;
    s->values = s->matrix + p->most_values;
    s->newton = s->values + p->widest;
    s->nearby = s->newton + newton_room(p);
    s->inputs = (const double **)(void *)(s->nearby + p->state_count);
    s->run.moment.time = &s->inputs[PROGRAM_TIME];
    s->outputs = (double **)(void *)(s->inputs + PROGRAM_VECTOR_COUNT + p->stage_count);
    for (uint32_t k = 0; k < p->stage_count; k++) {
        s->inputs[PROGRAM_VECTOR_COUNT + k] = s->w + p->stages[k].first;
        s->outputs[PROGRAM_OUT_STAGES + k] = s->w + p->stages[k].first;
    }
    s->outputs[PROGRAM_OUT_VALUES] = s->values;
    s->outputs[PROGRAM_OUT_MATRIX] = s->matrix;
}

static ProgramScratch *create_scratch(const Program *p, double *w)
{
    const SaltusAllocator a = memory_default();
    const size_t vectors = PROGRAM_VECTOR_COUNT + PROGRAM_OUT_STAGES + 2 * (size_t)p->stage_count;
    const size_t doubles = (w ? 0 : (size_t)p->unknown_count) + p->module->frame_size +
                           p->most_values + p->widest + newton_room(p) + p->state_count;
    // One block for all but the matrices; pointers need no more alignment than doubles.
    ProgramScratch *s =
        memory_new(&a, 1, sizeof *s + doubles * sizeof(double) + vectors * sizeof(void *));
    ProgramMatrix *matrices = MEMORY_NEW(&a, p->stage_count, ProgramMatrix);
    if (!s || !matrices) {
        memory_free(&a, s);
        memory_free(&a, matrices);
        return NULL;
    }
    s->allocator = a;
    s->matrices = matrices;
    s->stage_count = p->stage_count;
    program_run_lay_out(p, s, w, (double *)(void *)(s + 1));
    for (uint32_t k = 0; k < p->stage_count; k++)
        if (!stage_create_matrix(&p->stages[k], &matrices[k], &s->allocator)) {
            program_scratch_free(s);
            return NULL;
        }
    code_init_frame(p->module, NULL, s->run.frame);
    return s;
}

// The values that are scattered come last, in `values`.
static ProgramScratch *create_joined(const Program *p)
{
    const SaltusAllocator a = memory_default();
    const size_t doubles = (size_t)p->unknown_count + p->joined.scattered_count;
    ProgramScratch *s = memory_new(
        &a, 1, sizeof *s + doubles * sizeof(double) + p->joined.count * sizeof(ProgramScratch *));
    if (!s)
        return NULL;
    s->allocator = a;
    s->w = (double *)(void *)(s + 1);
    s->values = s->w + p->unknown_count;
    s->parts = (ProgramScratch **)(void *)(s->values + p->joined.scattered_count);
    bool is_fine = true;
    for (uint32_t k = 0; k < p->joined.count && is_fine; k++) {
        s->parts[k] = create_scratch(p->joined.parts[k].program, s->w + p->joined.parts[k].w);
        s->part_count = k + 1;
        is_fine = s->parts[k] != NULL;
    }
    s->observer = p->joined.observer ? create_scratch(p->joined.observer, NULL) : NULL;
    if (is_fine && !s->observer == !p->joined.observer)
        return s;
    program_scratch_free(s);
    return NULL;
}

ProgramScratch *program_scratch(const Program *p)
{
    return p->joined.parts ? create_joined(p) : create_scratch(p, NULL);
}

void program_scratch_free(ProgramScratch *s)
{
    if (!s)
        return;
    const SaltusAllocator a = s->allocator;
    for (uint32_t k = 0; k < s->part_count; k++)
        program_scratch_free(s->parts[k]);
    program_scratch_free(s->observer);
    for (uint32_t k = 0; k < s->stage_count; k++)
        stage_destroy_matrix(&s->matrices[k], &a);
    memory_free(&a, s->matrices);
    memory_free(&a, s);
}

// ---------------------------------------------------------------------------
// Stages
// ---------------------------------------------------------------------------

static void set_inputs(ProgramScratch *s, const ProgramInputs *inputs)
{
    for (int i = 1; i < PROGRAM_VECTOR_COUNT; i++)
        s->inputs[i] = inputs->vectors[i];
    s->inputs[PROGRAM_TIME] = &inputs->time;
}

static ProgramStatus run_stages(const Program *p, ProgramScratch *s, ProgramLevel level,
                                const double *guesses, uint32_t *failed)
{
    ProgramStatus status = PROGRAM_FINE;
    uint32_t k = 0, row = 0;
    s->is_open = false;
    for (; k < p->stage_count; k++) {
        const Stage *stage = &p->stages[k];
        if (stage->level > level)
            break;
        if (stage->is_rate && level != PROGRAM_RATES)
            continue;
        if (failed)
            *failed = k;
        if (stage->kind == STAGE_EXPLICIT)
            status = stage_run(p, s, stage->entry) ? PROGRAM_FAILED : PROGRAM_FINE;
        else if (stage->kind == STAGE_LINEAR)
            status = stage_solve_linear(p, s, stage, guesses, &row);
        else
            status = stage_solve_nonlinear(p, s, stage, guesses);
        if (status != PROGRAM_FINE)
            break;
    }
    if (status != PROGRAM_FINE)
        s->code = failure_code(p->module, status,
                               status == PROGRAM_FAILED          ? s->run.failure
                               : status == PROGRAM_CONTRADICTION ? p->stages[k].first + row
                                                                 : k);
    return status;
}

// Another point, near enough for equations to be the same, far enough to tell a contradiction.
static void move_inputs(const Program *p, ProgramScratch *s, double *time)
{
    static const double part = 1e-3;
    const double *x = s->inputs[PROGRAM_STATES];
    *time += part * (1.0 + fabs(*time));
    s->inputs[PROGRAM_TIME] = time;
    if (!x)
        return;
    for (uint32_t i = 0; i < p->state_count; i++) {
        const double golden = 0.6180339887498949 * (i + 1);
        s->nearby[i] = x[i] + part * (1.0 + fabs(x[i])) * (0.5 + golden - floor(golden));
    }
    s->inputs[PROGRAM_STATES] = s->nearby;
}

// Whether equations that agree only here are left out.
static bool agrees_nearby(const Program *p, ProgramScratch *s, ProgramLevel level,
                          const double *guesses)
{
    const double *time = s->inputs[PROGRAM_TIME], *x = s->inputs[PROGRAM_STATES];
    double moved = *time;
    move_inputs(p, s, &moved);
    const bool agrees = run_stages(p, s, level, guesses, NULL) != PROGRAM_CONTRADICTION;
    s->inputs[PROGRAM_TIME] = time;
    s->inputs[PROGRAM_STATES] = x;
    return agrees;
}

static ProgramStatus solve_stages(const Program *p, ProgramScratch *s, ProgramLevel level,
                                  const double *guesses, uint32_t *failed)
{
    ProgramStatus status = run_stages(p, s, level, guesses, failed);
    if (status == PROGRAM_FINE && s->is_open && !s->is_lenient) {
        if (!agrees_nearby(p, s, level, guesses))
            return PROGRAM_SINGULAR;
        s->is_lenient = true;
        status = run_stages(p, s, level, guesses, failed);
        s->is_lenient = false;
    }
    return status;
}

// ---------------------------------------------------------------------------
// Joined programs
// ---------------------------------------------------------------------------

static ProgramInputs program_run_inputs_of(const ProgramPart *part, const ProgramInputs *inputs)
{
    ProgramInputs own = *inputs;
    if (own.vectors[PROGRAM_STATES])
        own.vectors[PROGRAM_STATES] += part->state;
    return own;
}

static const double *own_guesses(const ProgramPart *part, const double *guesses)
{
    return guesses ? guesses + part->guess : NULL;
}

// What a part says of its failure.
static ProgramStatus fail_part(const Program *p, ProgramScratch *s, uint32_t k,
                               ProgramStatus status)
{
    s->code = failure_of_part(p, k, s->parts[k]->code);
    return status;
}

static ProgramStatus solve_joined(const Program *p, ProgramScratch *s, const ProgramInputs *inputs,
                                  ProgramLevel level, const double *guesses)
{
    for (uint32_t k = 0; k < p->joined.count; k++) {
        const ProgramPart *part = &p->joined.parts[k];
        const ProgramInputs own = program_run_inputs_of(part, inputs);
        const ProgramStatus status = program_solve(part->program, s->parts[k], &own, level,
                                                   own_guesses(part, guesses), NULL);
        if (status != PROGRAM_FINE)
            return fail_part(p, s, k, status);
    }
    return PROGRAM_FINE;
}

// The rest of the scattered values, from those that are there.
static ProgramStatus observe(const Program *p, ProgramScratch *s, const ProgramInputs *inputs,
                             double *values)
{
    ProgramInputs own = *inputs;
    own.vectors[PROGRAM_STATES] = values;
    const ProgramStatus status =
        program_evaluate(p->joined.observer, s->observer, &own, 0, s->values);
    if (status != PROGRAM_FINE)
        s->code = failure_of_part(p, p->joined.count, s->observer->code);
    for (uint32_t i = 0; status == PROGRAM_FINE && i < p->joined.observer->counts[0]; i++)
        values[p->joined.observed[i]] = s->values[i];
    return status;
}

static ProgramStatus evaluate_joined(const Program *p, ProgramScratch *s,
                                     const ProgramInputs *inputs, EntryNumber entry, double *values)
{
    double *next = values;
    for (uint32_t k = 0; k < p->joined.count; k++) {
        const ProgramPart *part = &p->joined.parts[k];
        const uint32_t count = part->program->counts[entry];
        const bool is_scattered = entry == p->joined.scattered;
        if (count == 0)
            continue;
        const ProgramInputs own = program_run_inputs_of(part, inputs);
        const ProgramStatus status = program_evaluate(part->program, s->parts[k], &own, entry,
                                                      is_scattered ? s->values : next);
        if (status != PROGRAM_FINE)
            return fail_part(p, s, k, status);
        for (uint32_t i = 0; is_scattered && i < count; i++)
            values[p->joined.scatter[k][i]] = s->values[i];
        next += count;
    }
    return entry == p->joined.scattered && p->joined.observer ? observe(p, s, inputs, values)
                                                              : PROGRAM_FINE;
}

// The derivatives of one of them, the shortest way.
static ProgramStatus derive_part(const Program *p, ProgramScratch *s, double t, const double *x,
                                 const double *guesses, double *dx)
{
    if (p->state_count == 0)
        return PROGRAM_FINE;
    if (p->flow == CODE_NONE)
        return program_solve_derivatives(p, s, t, x, guesses, dx);
    s->inputs[PROGRAM_TIME] = &t;
    s->inputs[PROGRAM_STATES] = x;
    s->outputs[PROGRAM_OUT_FLOW] = dx;
    if (stage_run(p, s, p->flow) == 0)
        return PROGRAM_FINE;
    program_flow_failure(p, s);
    return PROGRAM_FAILED;
}

static ProgramStatus derive_joined(const Program *p, ProgramScratch *s, double t, const double *x,
                                   const double *guesses, double *dx)
{
    for (uint32_t k = 0; k < p->joined.count; k++) {
        const ProgramPart *part = &p->joined.parts[k];
        const ProgramStatus status = derive_part(part->program, s->parts[k], t, x + part->state,
                                                 own_guesses(part, guesses), dx + part->state);
        if (status != PROGRAM_FINE)
            return fail_part(p, s, k, status);
    }
    return PROGRAM_FINE;
}

// ---------------------------------------------------------------------------
// Solving and evaluating
// ---------------------------------------------------------------------------

ProgramStatus program_solve(const Program *p, ProgramScratch *s, const ProgramInputs *inputs,
                            ProgramLevel level, const double *guesses, uint32_t *failed)
{
    if (p->joined.parts)
        return solve_joined(p, s, inputs, level, guesses);
    set_inputs(s, inputs);
    return solve_stages(p, s, level, guesses, failed);
}

// An entry whose values go to a vector of the caller.
static ProgramStatus run_into(const Program *p, ProgramScratch *s, EntryNumber entry,
                              double *values)
{
    double *saved = s->outputs[PROGRAM_OUT_VALUES];
    s->outputs[PROGRAM_OUT_VALUES] = values;
    const int code = stage_run(p, s, entry);
    s->outputs[PROGRAM_OUT_VALUES] = saved;
    if (code == 0)
        return PROGRAM_FINE;
    s->code = failure_code(p->module, PROGRAM_FAILED, s->run.failure);
    return PROGRAM_FAILED;
}

ProgramStatus program_evaluate(const Program *p, ProgramScratch *s, const ProgramInputs *inputs,
                               EntryNumber entry, double *values)
{
    if (p->joined.parts)
        return evaluate_joined(p, s, inputs, entry, values);
    set_inputs(s, inputs);
    return run_into(p, s, p->entries[entry], values);
}

ProgramStatus program_evaluate_again(const Program *p, ProgramScratch *s, EntryNumber entry,
                                     double *values)
{
    return run_into(p, s, p->entries[entry], values);
}

void program_read_derivatives(const Program *p, const ProgramScratch *s, const double *x,
                              double *dx)
{
    for (uint32_t k = 0; k < p->joined.count; k++)
        // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): a scratch has as many parts
        program_read_derivatives(p->joined.parts[k].program, s->parts[k],
                                 x + p->joined.parts[k].state, dx + p->joined.parts[k].state);
    if (p->joined.parts)
        return;
    for (uint32_t i = 0; i < p->state_count; i++)
        dx[i] = p->derivatives[i] >= 0 ? s->w[p->derivatives[i]] : x[-1 - p->derivatives[i]];
}

void program_be_lenient(ProgramScratch *s)
{
    s->is_lenient = true;
    for (uint32_t k = 0; k < s->part_count; k++)
        program_be_lenient(s->parts[k]);
}

void program_count(ProgramScratch *s, SaltusStatistics *statistics)
{
    s->statistics = statistics;
    for (uint32_t k = 0; k < s->part_count; k++)
        program_count(s->parts[k], statistics);
}

void program_bind(ProgramScratch *s, const double *const vectors[PROGRAM_VECTOR_COUNT])
{
    for (uint32_t k = 0; k < s->part_count; k++)
        program_bind(s->parts[k], vectors);
    for (int i = 0; i < PROGRAM_VECTOR_COUNT && !s->parts; i++)
        s->inputs[i] = vectors[i];
}

int program_flow_failure(const Program *p, ProgramScratch *s)
{
    return s->code = failure_code(p->module, PROGRAM_FAILED, s->run.failure);
}

ProgramStatus program_solve_derivatives(const Program *p, ProgramScratch *s, double t,
                                        const double *x, const double *guesses, double *dx)
{
    if (p->joined.parts)
        return derive_joined(p, s, t, x, guesses, dx);
    s->inputs[PROGRAM_TIME] = &t;
    s->inputs[PROGRAM_STATES] = x;
    const ProgramStatus status = solve_stages(p, s, PROGRAM_FLOW, guesses, NULL);
    if (status == PROGRAM_FINE)
        program_read_derivatives(p, s, x, dx);
    return status;
}
