// SPDX-License-Identifier: MIT
//
// Running programs: stage after stage, linear systems and Newton's method.

#include "model/program.h"

#include "base/memory.h"
#include "code/interpret.h"
#include "model/failure.h"

#include <math.h>
#include <string.h>

enum { MOST_ITERATIONS = 60, MOST_HALVINGS = 30 };

// A correction of this size, relative to value and nominal value, is the last one: the next would
// be its square.
static const double small_correction = 1e-9;

// ---------------------------------------------------------------------------
// Scratch
// ---------------------------------------------------------------------------

static bool create_matrix(const Stage *stage, ProgramMatrix *matrix, const SaltusAllocator *a)
{
    if (stage->kind == STAGE_EXPLICIT)
        return true;
    if (!factors_create(&matrix->factors, (int)stage->size, stage->column_start, stage->rows, a))
        return false;
    matrix->factored = MEMORY_NEW(a, matrix->factors.value_count, double);
    return matrix->factored != NULL;
}

static void lay_out(const Program *p, ProgramScratch *s, double *next)
{
    s->w = next;
    s->run.frame = s->w + p->unknown_count;
    s->matrix = s->run.frame + p->module->frame_size;
    s->values = s->matrix + p->most_values;
    s->step = s->values + p->widest;
    s->trial = s->step + p->widest;
    s->inputs = (const double **)(void *)(s->trial + p->widest);
    s->outputs = (double **)(void *)(s->inputs + PROGRAM_VECTOR_COUNT + p->stage_count);
    for (uint32_t k = 0; k < p->stage_count; k++) {
        s->inputs[PROGRAM_VECTOR_COUNT + k] = s->w + p->stages[k].first;
        s->outputs[PROGRAM_OUT_STAGES + k] = s->w + p->stages[k].first;
    }
    s->outputs[PROGRAM_OUT_VALUES] = s->values;
    s->outputs[PROGRAM_OUT_MATRIX] = s->matrix;
}

ProgramScratch *program_scratch(const Program *p)
{
    const SaltusAllocator a = memory_default();
    const size_t vectors = PROGRAM_VECTOR_COUNT + PROGRAM_OUT_STAGES + 2 * (size_t)p->stage_count;
    const size_t doubles =
        (size_t)p->unknown_count + p->module->frame_size + p->most_values + 3 * (size_t)p->widest;
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
    lay_out(p, s, (double *)(void *)(s + 1));
    for (uint32_t k = 0; k < p->stage_count; k++)
        if (!create_matrix(&p->stages[k], &matrices[k], &s->allocator)) {
            program_scratch_free(s);
            return NULL;
        }
    code_init_frame(p->module, NULL, s->run.frame);
    return s;
}

void program_scratch_free(ProgramScratch *s)
{
    if (!s)
        return;
    const SaltusAllocator a = s->allocator;
    for (uint32_t k = 0; k < s->stage_count; k++) {
        factors_destroy(&s->matrices[k].factors);
        memory_free(&a, s->matrices[k].factored);
    }
    memory_free(&a, s->matrices);
    memory_free(&a, s);
}

// ---------------------------------------------------------------------------
// Matrices
// ---------------------------------------------------------------------------

static int run_entry(const Program *p, ProgramScratch *s, uint32_t entry)
{
    const CodeFunction *functions = atomic_load_explicit(&p->code->functions, memory_order_acquire);
    return functions ? functions[entry](s->inputs, s->outputs, &s->run)
                     : interpret(p->module, entry, s->inputs, s->outputs, &s->run);
}

// Factors of the Jacobian of a stage. Most blocks have constant matrices, and even others are often
// evaluated where they have not changed.
static ProgramStatus factor(const Program *p, ProgramScratch *s, const Stage *stage)
{
    ProgramMatrix *m = &s->matrices[stage - p->stages];
    const size_t size = (size_t)m->factors.value_count * sizeof *s->matrix;
    if (run_entry(p, s, stage->jacobian) != 0)
        return PROGRAM_FAILED;
    if (m->is_factored && memcmp(s->matrix, m->factored, size) == 0)
        return PROGRAM_FINE;
    memcpy(m->factored, s->matrix, size);
    memcpy(m->factors.values, s->matrix, size);
    const int code = factors_factor(&m->factors);
    m->is_factored = code == 0;
    return code == 0 ? PROGRAM_FINE : code < 0 ? PROGRAM_NO_MEMORY : PROGRAM_SINGULAR;
}

static void solve(const Program *p, ProgramScratch *s, const Stage *stage)
{
    factors_solve(&s->matrices[stage - p->stages].factors, s->values);
}

// ---------------------------------------------------------------------------
// Stages
// ---------------------------------------------------------------------------

// The residuals are A u + b: from u = 0, one step of Newton's method is the solution.
static ProgramStatus solve_linear(const Program *p, ProgramScratch *s, const Stage *stage)
{
    const uint32_t n = stage->size;
    for (uint32_t i = 0; i < n; i++)
        s->w[stage->first + i] = 0.0;
    const ProgramStatus status = factor(p, s, stage);
    if (status != PROGRAM_FINE)
        return status;
    if (run_entry(p, s, stage->entry) != 0)
        return PROGRAM_FAILED;
    solve(p, s, stage);
    for (uint32_t i = 0; i < n; i++)
        s->w[stage->first + i] = -s->values[i];
    return PROGRAM_FINE;
}

// The size of a correction in comparison to values and nominal values; NAN if it is not finite.
static double correction_size(const Program *p, const ProgramScratch *s, const Stage *stage,
                              const double *correction)
{
    double largest = 0.0;
    for (uint32_t i = 0; i < stage->size; i++) {
        const double scale = fabs(s->w[stage->first + i]) + p->nominals[stage->first + i];
        const double size = fabs(correction[i]) / scale;
        if (!isfinite(size))
            return NAN;
        largest = fmax(largest, size);
    }
    return largest;
}

// One damped step: w := w - lambda J^-1 r. False: no step makes it better.
static bool newton_step(const Program *p, ProgramScratch *s, const Stage *stage, double size)
{
    const uint32_t n = stage->size;
    double *w = s->w + stage->first, lambda = 1.0;
    for (uint32_t i = 0; i < n; i++)
        s->trial[i] = w[i];
    for (int k = 0; k < MOST_HALVINGS; k++, lambda *= 0.5) {
        for (uint32_t i = 0; i < n; i++)
            w[i] = s->trial[i] - lambda * s->step[i];
        if (run_entry(p, s, stage->entry) != 0)
            continue;
        solve(p, s, stage);
        const double next = correction_size(p, s, stage, s->values);
        if (next <= (1.0 - 0.25 * lambda) * size || next <= small_correction)
            return true;
    }
    return false;
}

static ProgramStatus solve_nonlinear(const Program *p, ProgramScratch *s, const Stage *stage,
                                     const double *guesses)
{
    const uint32_t n = stage->size;
    for (uint32_t i = 0; i < n; i++)
        s->w[stage->first + i] = guesses[stage->guess + i];
    for (int iteration = 0; iteration < MOST_ITERATIONS; iteration++) {
        const ProgramStatus status = factor(p, s, stage);
        if (status != PROGRAM_FINE)
            return status;
        if (run_entry(p, s, stage->entry) != 0)
            return PROGRAM_FAILED;
        solve(p, s, stage);
        for (uint32_t i = 0; i < n; i++)
            s->step[i] = s->values[i];
        const double size = correction_size(p, s, stage, s->step);
        if (size <= small_correction) {
            for (uint32_t i = 0; i < n; i++)
                s->w[stage->first + i] -= s->step[i];
            return PROGRAM_FINE;
        }
        if (isnan(size) || !newton_step(p, s, stage, size))
            return PROGRAM_DIVERGED;
    }
    return PROGRAM_DIVERGED;
}

static void set_inputs(ProgramScratch *s, const ProgramInputs *inputs)
{
    for (int i = 1; i < PROGRAM_VECTOR_COUNT; i++)
        s->inputs[i] = inputs->vectors[i];
    s->inputs[PROGRAM_TIME] = &inputs->time;
}

static ProgramStatus solve_stages(const Program *p, ProgramScratch *s, ProgramLevel level,
                                  const double *guesses, uint32_t *failed)
{
    ProgramStatus status = PROGRAM_FINE;
    uint32_t k = 0;
    for (; k < p->stage_count; k++) {
        const Stage *stage = &p->stages[k];
        if (stage->level > level)
            break;
        if (stage->is_rate && level != PROGRAM_RATES)
            continue;
        if (failed)
            *failed = k;
        if (stage->kind == STAGE_EXPLICIT)
            status = run_entry(p, s, stage->entry) ? PROGRAM_FAILED : PROGRAM_FINE;
        else if (stage->kind == STAGE_LINEAR)
            status = solve_linear(p, s, stage);
        else
            status = solve_nonlinear(p, s, stage, guesses);
        if (status != PROGRAM_FINE)
            break;
    }
    if (status != PROGRAM_FINE)
        s->code = failure_code(p->module, status, status == PROGRAM_FAILED ? s->run.failure : k);
    return status;
}

ProgramStatus program_solve(const Program *p, ProgramScratch *s, const ProgramInputs *inputs,
                            ProgramLevel level, const double *guesses, uint32_t *failed)
{
    set_inputs(s, inputs);
    return solve_stages(p, s, level, guesses, failed);
}

// An entry whose values go to a vector of the caller.
static ProgramStatus run_into(const Program *p, ProgramScratch *s, uint32_t entry, double *values)
{
    double *saved = s->outputs[PROGRAM_OUT_VALUES];
    s->outputs[PROGRAM_OUT_VALUES] = values;
    const int code = run_entry(p, s, entry);
    s->outputs[PROGRAM_OUT_VALUES] = saved;
    if (code == 0)
        return PROGRAM_FINE;
    s->code = failure_code(p->module, PROGRAM_FAILED, s->run.failure);
    return PROGRAM_FAILED;
}

ProgramStatus program_evaluate(const Program *p, ProgramScratch *s, const ProgramInputs *inputs,
                               uint32_t entry, double *values)
{
    set_inputs(s, inputs);
    return run_into(p, s, p->entries[entry], values);
}

void program_read_derivatives(const Program *p, const ProgramScratch *s, const double *x,
                              double *dx)
{
    for (uint32_t i = 0; i < p->state_count; i++)
        dx[i] = p->derivatives[i] >= 0 ? s->w[p->derivatives[i]] : x[-1 - p->derivatives[i]];
}

void program_bind(ProgramScratch *s, const double *const vectors[PROGRAM_VECTOR_COUNT])
{
    for (int i = 0; i < PROGRAM_VECTOR_COUNT; i++)
        s->inputs[i] = vectors[i];
}

int program_flow_failure(const Program *p, ProgramScratch *s)
{
    return s->code = failure_code(p->module, PROGRAM_FAILED, s->run.failure);
}

ProgramStatus program_solve_derivatives(const Program *p, ProgramScratch *s, double t,
                                        const double *x, const double *guesses, double *dx)
{
    s->inputs[PROGRAM_TIME] = &t;
    s->inputs[PROGRAM_STATES] = x;
    const ProgramStatus status = solve_stages(p, s, PROGRAM_FLOW, guesses, NULL);
    if (status == PROGRAM_FINE)
        program_read_derivatives(p, s, x, dx);
    return status;
}
