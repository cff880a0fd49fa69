// SPDX-License-Identifier: MIT

#include "modes/evaluation.h"

#include "base/memory.h"
#include "base/real.h"
#include "code/interpret.h"
#include "code/loops.h"

#include <float.h>
#include <math.h>
#include <string.h>
#include <time.h>

// The working memory of a run.
typedef struct EvaluationWork {
    SaltusAllocator allocator;
    const ModeEvaluation *evaluation;
    const Program *program; // its
    ProgramScratch *scratch;
    uint32_t patience;       // evaluations of the derivatives until compilation is thought of
    uint32_t first_patience; // at the beginning; 0: it was thought of
    double wait;             // the time that this is
    CodeFunction flow;       // compiled code of the derivatives; NULL: interpret
    CodeFunction events;     // likewise of the event functions, where they are direct
    CodeFunction slopes;     // likewise of their derivatives by the states
    double *near;            // room for differences, made when first asked for
    uint32_t event_entry;    // of the module; CODE_NONE: they are not direct
    AffineScratch **affines; // of the parts of a linear mode, and room for their coefficients, made
    double *coefficients;    // when first asked for
} EvaluationWork;

// ---------------------------------------------------------------------------
// Working memory
// ---------------------------------------------------------------------------

// Instructions of an evaluation, each block that is solved counted once.
static double evaluation_length(const Program *p)
{
    double instructions = 0.0;
    for (uint32_t k = 0; k < p->joined.count; k++)
        instructions += evaluation_length(p->joined.parts[k].program);
    if (p->joined.parts)
        return instructions;
    if (p->flow != CODE_NONE)
        return p->module->entries[p->flow]->instruction_count;
    for (uint32_t k = 0; k < p->stage_count; k++)
        if (p->stages[k].level == PROGRAM_FLOW)
            instructions += p->module->entries[p->stages[k].entry]->instruction_count;
    return instructions;
}

// Operations of an evaluation, about: blocks that are not linear are taken to need two rounds.
static double evaluation_cost(const Program *p)
{
    enum { ROUNDS = 2 };
    double sum = 30.0 + (p->joined.parts ? 0.0 : evaluation_length(p));
    for (uint32_t k = 0; k < p->joined.count; k++)
        sum += evaluation_cost(p->joined.parts[k].program);
    for (uint32_t k = 0; k < p->stage_count && !p->joined.parts; k++) {
        const Stage *s = &p->stages[k];
        const double size = s->size;
        if (s->level == PROGRAM_FLOW && s->kind != STAGE_EXPLICIT)
            sum += ROUNDS * (p->module->entries[s->entry]->instruction_count +
                             (s->column_start ? 40.0 * s->column_start[s->size]
                                              : size * size * size / 3.0 + size * size));
    }
    return sum;
}

// What an evaluation by the interpreter takes, about, in seconds: 30 ns and 1.3 ns per instruction.
static double evaluation_time(const Program *p)
{
    return 3e-8 + 1.3e-9 * evaluation_length(p);
}

enum { MEASURED_ONCE_IN = 64, MOST_PATIENCE = 1000000000 };

static uint32_t evaluations_in(const Program *p, double time)
{
    const double count = time / evaluation_time(p);
    return count < 1.0 ? 1 : count < MOST_PATIENCE ? (uint32_t)count : MOST_PATIENCE;
}

static bool is_too_long(const Program *p)
{
    for (uint32_t k = 0; k < p->joined.count; k++)
        if (is_too_long(p->joined.parts[k].program))
            return true;
    if (p->joined.parts || p->code->native) // which was begun: it is not
        return false;
    return p->module->is_lean || (program_length(p) > BACKEND_MOST_INSTRUCTIONS &&
                                  loops_emitted_length(p->module) > BACKEND_MOST_INSTRUCTIONS);
}

// A compiler takes 30 ms and more: it is started when the runs of the mode have taken longer than
// that, one after the other, and then looked after from time to time.
static const double patience_before = 0.05, patience_between = 0.002;

// Where it is noted what runs have taken.
static atomic_uint *spent_by(const Program *p)
{
    while (p->joined.parts)
        p = p->joined.parts[0].program;
    return &p->code->spent;
}

static double patience_left(const Program *p)
{
    return real_larger(patience_before - 1e-6 * atomic_load(spent_by(p)), 0.0);
}

// What a run has taken that is over before it thought of compiling.
static void note_spent(const EvaluationWork *work)
{
    if (work->first_patience == 0 || work->patience >= work->first_patience)
        return;
    const double part = 1.0 - (double)work->patience / work->first_patience;
    atomic_fetch_add(spent_by(work->program), (unsigned)(1e6 * part * work->wait));
}

static void find_flow(EvaluationWork *work)
{
    const Program *p = work->evaluation->program;
    const CodeFunction *functions = p->joined.parts ? NULL : atomic_load(&p->code->functions);
    if (functions && p->flow != CODE_NONE)
        work->flow = functions[p->flow];
    if (functions && work->event_entry != CODE_NONE)
        work->events = functions[work->event_entry];
    if (functions && p->slopes != CODE_NONE)
        work->slopes = functions[p->slopes];
}

// Whether nothing is left to be waited for.
static bool evaluation_compile(const Program *p, const Backend *backend, bool wait)
{
    bool is_over = true;
    for (uint32_t k = 0; k < p->joined.count; k++)
        is_over = evaluation_compile(p->joined.parts[k].program, backend, wait) && is_over;
    if (p->joined.parts || p->module->is_lean)
        return is_over;
    backend_compile(p->code, p->module, backend, wait);
    return p->code->is_over;
}

static void consider_compiling(EvaluationWork *work)
{
    const ModeEvaluation *e = work->evaluation;
    const Program *p = e->program;
    work->patience = UINT32_MAX; // for ever
    work->first_patience = 0;
    if (e->backend->choice != BACKEND_AUTO || is_too_long(p))
        return;
    const bool is_over = evaluation_compile(p, e->backend, false);
    find_flow(work);
    if (!work->flow && !is_over) {
        work->wait = patience_between;
        work->patience = evaluations_in(p, work->wait);
    }
}

// Functions with loops take longer than their instructions say: from time to time, and the first
// time, an evaluation by the interpreter is measured. The time when it begins; 0: not this time.
static double evaluation_watch(const EvaluationWork *work)
{
    struct timespec now;
    if (work->flow || work->patience > MOST_PATIENCE || work->patience % MEASURED_ONCE_IN != 0)
        return 0.0;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void evaluation_learn(EvaluationWork *work, double begin)
{
    struct timespec now;
    if (begin == 0.0)
        return;
    clock_gettime(CLOCK_MONOTONIC, &now);
    const double left = work->wait / ((double)now.tv_sec + 1e-9 * (double)now.tv_nsec - begin);
    if (left < work->patience)
        work->patience = left < 1.0 ? 1 : (uint32_t)left;
}

static inline ProgramInputs inputs_at(const ModeEvaluation *e, const SaltusContext *c, double t,
                                      const double *x)
{
    const double *memory = c->memory;
    return (ProgramInputs){.time = t,
                           .vectors = {[PROGRAM_STATES] = x,
                                       [PROGRAM_PARAMETERS] = c->p,
                                       [PROGRAM_MEMORY] = memory,
                                       [PROGRAM_HELD] = memory + e->memory_count}};
}

void *evaluation_work(const ModeEvaluation *evaluation, const SaltusContext *c)
{
    const SaltusAllocator a = memory_default();
    EvaluationWork *work = MEMORY_NEW(&a, 1, EvaluationWork);
    if (!work)
        return NULL;
    const Program *p = evaluation->program;
    *work = (EvaluationWork){.allocator = a,
                             .evaluation = evaluation,
                             .program = p,
                             .scratch = program_scratch(p),
                             .wait = patience_left(p)};
    // so that the first one is measured
    work->patience = evaluations_in(p, work->wait) / MEASURED_ONCE_IN * MEASURED_ONCE_IN + 1;
    work->first_patience = work->patience;
    const Backend *backend = evaluation->backend;
    if (backend_is_c(backend) && (backend->options.store == NATIVE_CACHED || !is_too_long(p)))
        evaluation_compile(p, backend, true);
    if (!work->scratch) {
        memory_free(&a, work);
        return NULL;
    }
    const uint32_t direct = evaluation->events;
    work->event_entry = p->joined.parts || !p->is_direct[direct] ? CODE_NONE : p->entries[direct];
    find_flow(work);
    program_be_lenient(work->scratch);
    program_count(work->scratch, c->statistics);
    program_bind(work->scratch, inputs_at(evaluation, c, 0.0, NULL).vectors);
    return work;
}

const ModeEvaluation *evaluation_of_work(const void *work)
{
    return ((const EvaluationWork *)work)->evaluation;
}

const ProgramScratch *evaluation_scratch(const void *work)
{
    return ((const EvaluationWork *)work)->scratch;
}

static void destroy_work(void *memory)
{
    EvaluationWork *work = memory;
    const SaltusAllocator a = work->allocator;
    note_spent(work);
    program_scratch_free(work->scratch);
    for (uint32_t k = 0; work->affines && k < work->evaluation->affine_count; k++)
        affine_scratch_free(work->affines[k]);
    memory_free(&a, work->affines);
    memory_free(&a, work->coefficients);
    memory_free(&a, work->near);
    memory_free(&a, work);
}

// An entry, and before it what it needs.
static int compute(const EvaluationWork *work, const ProgramInputs *inputs, EntryNumber entry,
                   ProgramLevel level, const double *guesses, double *values)
{
    const Program *p = work->evaluation->program;
    if (!p->is_direct[entry] &&
        program_solve(p, work->scratch, inputs, level, guesses, NULL) != PROGRAM_FINE)
        return work->scratch->code;
    return program_evaluate(p, work->scratch, inputs, entry, values) == PROGRAM_FINE
               ? 0
               : work->scratch->code;
}

// ---------------------------------------------------------------------------
// One by one
// ---------------------------------------------------------------------------

// An entry that reads time and states alone, as function if it is compiled. The time of most runs
// is spent here. (Vectors of pointers on the stack: what is written there and read again at once
// costs less than in working memory, whose address has to be found first.) *t lives on in the
// caller: external functions look there, and so does what explains a failure.
static inline int evaluate_directly(const SaltusContext *c, const double *t, const double *x,
                                    CodeFunction function, EntryNumber entry, double *const *out)
{
    const EvaluationWork *work = c->work;
    ProgramScratch *s = work->scratch;
    const double *const in[] = {[PROGRAM_TIME] = t,
                                [PROGRAM_STATES] = x,
                                [PROGRAM_PARAMETERS] = c->p,
                                [PROGRAM_MEMORY] = c->memory,
                                [PROGRAM_HELD] = s->inputs[PROGRAM_HELD]};
    s->inputs[PROGRAM_TIME] = t;
    return function ? function(in, out, &s->run)
                    : interpret(work->program->module, entry, in, out, &s->run);
}

static int derivatives(const SaltusContext *c, double t, const double *x, const double *z,
                       double *dx)
{
    EvaluationWork *work = c->work;
    ProgramScratch *s = work->scratch;
    const Program *p = work->program;
    if (!work->flow && --work->patience == 0)
        consider_compiling(work);
    const double begin = evaluation_watch(work);
    if (p->flow == CODE_NONE) {
        const bool is_fine = program_solve_derivatives(p, s, t, x, z, dx) == PROGRAM_FINE;
        evaluation_learn(work, begin);
        return is_fine ? 0 : s->code;
    }
    double *const out[] = {[PROGRAM_OUT_FLOW] = dx};
    const int failed = evaluate_directly(c, &t, x, work->flow, p->flow, out);
    evaluation_learn(work, begin);
    return failed ? program_flow_failure(p, s) : 0;
}

// By differences, where the expressions have no finite value: the root of zero.
static int evaluation_differences(const SaltusContext *c, double t, const double *x,
                                  const double *z, double *values)
{
    EvaluationWork *work = c->work;
    const uint32_t n = work->program->state_count;
    const SaltusSparsity *sparsity = work->evaluation->sparsity;
    if (!work->near && !(work->near = MEMORY_NEW(&work->allocator, 3u * n, double)))
        return SALTUS_ERROR_MEMORY;
    double *moved = work->near, *from = moved + n, *to = from + n;
    memcpy(moved, x, n * sizeof *x);
    int code = derivatives(c, t, x, z, from);
    for (uint32_t j = 0; j < n && code == 0; j++) {
        const double step = sqrt(DBL_EPSILON) * (fabs(x[j]) > 1e-5 ? fabs(x[j]) : 1e-5);
        moved[j] = x[j] + step;
        code = derivatives(c, t, moved, z, to);
        const uint32_t first = sparsity ? (uint32_t)sparsity->column_start[j] : 0;
        const uint32_t end = sparsity ? (uint32_t)sparsity->column_start[j + 1] : n;
        for (uint32_t k = first; k < end; k++) {
            const uint32_t i = sparsity ? (uint32_t)sparsity->rows[k] : k;
            *values++ = (to[i] - from[i]) / (moved[j] - x[j]);
        }
        moved[j] = x[j];
    }
    return code;
}

static int evaluation_jacobian(const SaltusContext *c, double t, const double *x, const double *z,
                               double *values)
{
    const EvaluationWork *work = c->work;
    const Program *p = work->program;
    double *const out[] = {[PROGRAM_OUT_VALUES] = values};
    bool is_finite = evaluate_directly(c, &t, x, work->slopes, p->slopes, out) == 0;
    const SaltusSparsity *sparsity = work->evaluation->sparsity;
    const uint32_t n = p->state_count,
                   count = sparsity ? (uint32_t)sparsity->column_start[n] : n * n;
    for (uint32_t i = 0; i < count && is_finite; i++)
        is_finite = isfinite(values[i]);
    return is_finite ? 0 : evaluation_differences(c, t, x, z, values);
}

static int events(const SaltusContext *c, double t, const double *x, const double *z, double *h)
{
    const EvaluationWork *work = c->work;
    if (work->event_entry == CODE_NONE) {
        const ProgramInputs inputs = inputs_at(work->evaluation, c, t, x);
        return compute(work, &inputs, work->evaluation->events, PROGRAM_EVENTS, z, h);
    }
    double *const out[] = {[PROGRAM_OUT_VALUES] = h};
    const int failed = evaluate_directly(c, &t, x, work->events, work->event_entry, out);
    return failed ? program_flow_failure(work->program, work->scratch) : 0;
}

static int rates(const SaltusContext *c, double t, const double *x, const double *z,
                 const double *dx, double *dh)
{
    (void)dx;
    const EvaluationWork *work = c->work;
    const ProgramInputs inputs = inputs_at(work->evaluation, c, t, x);
    return compute(work, &inputs, work->evaluation->rates, PROGRAM_RATES, z, dh);
}

static int outputs(const SaltusContext *c, double t, const double *x, const double *z, double *y)
{
    const EvaluationWork *work = c->work;
    const ProgramInputs inputs = inputs_at(work->evaluation, c, t, x);
    return compute(work, &inputs, work->evaluation->outputs, PROGRAM_ALL, z, y);
}

// ---------------------------------------------------------------------------
// Jointly
// ---------------------------------------------------------------------------

// What is iterated for, which may be more than the derivatives need.
static int unknowns(const SaltusContext *c, double t, const double *x, const double *z_guess,
                    double *z)
{
    EvaluationWork *work = c->work;
    if (--work->patience == 0)
        consider_compiling(work);
    const Program *p = work->evaluation->program;
    const ProgramInputs inputs = inputs_at(work->evaluation, c, t, x);
    const double begin = evaluation_watch(work);
    const bool is_fine =
        program_solve(p, work->scratch, &inputs, p->guesses.level, z_guess, NULL) == PROGRAM_FINE;
    evaluation_learn(work, begin);
    if (!is_fine)
        return work->scratch->code;
    for (uint32_t i = 0; i < p->guesses.count; i++)
        z[i] = work->scratch->w[p->guesses.places[i]];
    return 0;
}

static int evaluation_evaluate(const SaltusContext *c, double t, const double *x,
                               const double *z_guess, const SaltusValues *out)
{
    const EvaluationWork *work = c->work;
    int code = 0;
    if (out->z)
        code = unknowns(c, t, x, z_guess, out->z);
    if (code == 0 && out->dx && out->z)
        program_read_derivatives(work->evaluation->program, work->scratch, x, out->dx);
    else if (code == 0 && out->dx)
        code = derivatives(c, t, x, z_guess, out->dx);
    if (code == 0 && out->h)
        code = events(c, t, x, z_guess, out->h);
    if (code == 0 && out->dh)
        code = rates(c, t, x, z_guess, NULL, out->dh);
    if (code == 0 && out->y)
        code = outputs(c, t, x, z_guess, out->y);
    return code;
}

// ---------------------------------------------------------------------------
// Linear modes
// ---------------------------------------------------------------------------

static bool evaluation_provide_affines(EvaluationWork *work)
{
    const ModeEvaluation *e = work->evaluation;
    if (work->coefficients)
        return true;
    uint32_t most = 1;
    if (!work->affines)
        work->affines = MEMORY_NEW(&work->allocator, e->affine_count, AffineScratch *);
    for (uint32_t k = 0; work->affines && k < e->affine_count; k++) {
        const uint32_t count = e->affines[k]->coefficient_count + e->affines[k]->signal_count;
        most = count > most ? count : most;
        if (!work->affines[k] && !(work->affines[k] = affine_scratch(e->affines[k])))
            return false;
    }
    if (work->affines)
        work->coefficients = MEMORY_NEW(&work->allocator, most, double);
    return work->coefficients;
}

// The coefficients of all parts, one after the other; likewise the signals.
static int evaluation_coefficients(const SaltusContext *c, double t, double *coefficients,
                                   double *signals)
{
    EvaluationWork *work = c->work;
    const ModeEvaluation *e = work->evaluation;
    if (!evaluation_provide_affines(work))
        return SALTUS_ERROR_MEMORY;
    const ProgramInputs inputs = inputs_at(e, c, t, NULL);
    for (uint32_t k = 0; k < e->affine_count; k++) {
        const Affine *a = e->affines[k];
        if (!affine_coefficients(a, work->affines[k], &inputs, work->coefficients))
            return 1;
        memcpy(coefficients, work->coefficients, a->coefficient_count * sizeof(double));
        memcpy(signals, work->coefficients + a->coefficient_count,
               a->signal_count * sizeof(double));
        coefficients += a->coefficient_count;
        signals += a->signal_count;
    }
    return 0;
}

static int evaluation_matrix(const SaltusContext *c, const double *coefficients, double *matrix)
{
    EvaluationWork *work = c->work;
    const ModeEvaluation *e = work->evaluation;
    size_t state = 0, signal = e->program->state_count;
    const size_t n = signal + (size_t)e->linear.signal_count;
    if (!evaluation_provide_affines(work))
        return SALTUS_ERROR_MEMORY;
    for (uint32_t k = 0; k < e->affine_count; k++) {
        const Affine *a = e->affines[k];
        if (!affine_matrix(a, work->affines[k], coefficients, n, state, signal, matrix))
            return 1;
        state += a->state_count;
        signal += a->signal_count;
        coefficients += a->coefficient_count;
    }
    return 0;
}

void evaluation_set_affines(ModeEvaluation *e, const Affine *const *affines, uint32_t count)
{
    e->affines = affines;
    e->affine_count = count;
    e->linear =
        (SaltusLinear){.coefficients = evaluation_coefficients, .matrix = evaluation_matrix};
    for (uint32_t k = 0; k < count; k++) {
        e->linear.coefficient_count += (int)affines[k]->coefficient_count;
        e->linear.signal_count += (int)affines[k]->signal_count;
    }
}

void evaluation_define(const ModeEvaluation *e, SaltusModeDef *mode)
{
    mode->work.destroy = destroy_work;
    mode->hints.linear = e->affines && mode->state_count ? &e->linear : NULL;
    mode->hints.nonlinear = e->nonlinear;
    mode->hints.evaluation_cost = evaluation_cost(e->program);
    if (e->program->guesses.count) {
        mode->evaluate = evaluation_evaluate;
        mode->has_flow = e->has_rates;
        return;
    }
    mode->rhs = mode->state_count ? derivatives : NULL;
    mode->hints.jacobian = e->program->slopes != CODE_NONE ? evaluation_jacobian : NULL;
    mode->event_functions = events;
    mode->event_flow = e->has_rates ? rates : NULL;
    mode->outputs = outputs;
}
