// SPDX-License-Identifier: MIT

#include "modes/program_stage.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/real.h"
#include "code/interpret.h"
#include "numerics/newton.h"
#include "numerics/rank.h"
#include "numerics/ranked.h"
#include "numerics/root.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// Equations of a deficient block agree if what is left of them is this part of their terms.
static const double agreement = 1e-9;
// The residual of a solution is at most this part of its terms. Newton's method goes on until
// corrections are rounding, so it is far less, unless the terms have large derivatives.
static const double small_part = 1e-6;
// Or this part of what a change of the unknowns by their own sizes makes, but not more than by
// their nominal values.
static const double small_change = 1e-10, least_size = 1e-6;

// Directions in which solutions may be moved; more are not looked at.
enum { MOST_OPEN = 32 };

// ---------------------------------------------------------------------------
// Matrices
// ---------------------------------------------------------------------------

bool stage_create_matrix(const Stage *stage, ProgramMatrix *matrix, const SaltusAllocator *a)
{
    if (stage->kind == STAGE_EXPLICIT)
        return true;
    if (!factors_create(&matrix->factors, (int)stage->size, stage->column_start, stage->rows, a))
        return false;
    matrix->factored = MEMORY_NEW(a, matrix->factors.value_count, double);
    return matrix->factored != NULL;
}

void stage_destroy_matrix(ProgramMatrix *matrix, const SaltusAllocator *a)
{
    factors_destroy(&matrix->factors);
    ranked_destroy(matrix->ranked);
    memory_free(a, matrix->open);
    memory_free(a, matrix->factored);
}

int stage_run(const Program *p, ProgramScratch *s, EntryNumber entry)
{
    const CodeFunction *functions = atomic_load_explicit(&p->code->functions, memory_order_acquire);
    return functions ? functions[entry](s->inputs, s->outputs, &s->run)
                     : interpret(p->module, entry, s->inputs, s->outputs, &s->run);
}

// Whether the matrix has an inverse after all: the factors are not worse than its scaling.
static ProgramStatus decide_rank(const Program *p, const ProgramScratch *s, const Stage *stage,
                                 bool has_factors)
{
    const int n = (int)stage->size;
    ProgramMatrix *m = &s->matrices[stage - p->stages];
    if (n > RANKED_LARGEST)
        return has_factors ? PROGRAM_FINE : PROGRAM_SINGULAR;
    if (!m->ranked)
        m->ranked = ranked_create(n, &s->allocator);
    if (!m->open)
        m->open = MEMORY_NEW(&s->allocator, (size_t)stage->open_count * (MOST_OPEN + 2), double);
    if (!m->ranked || !m->open)
        return PROGRAM_NO_MEMORY;
    const int rank = ranked_set(m->ranked, m->factored, stage->column_start, stage->rows);
    if (rank < 0)
        return PROGRAM_SINGULAR;
    m->is_deficient = rank < n || !has_factors;
    return PROGRAM_FINE;
}

// Most blocks have constant matrices, and even others are often evaluated where they have not
// changed.
ProgramStatus stage_factor(const Program *p, ProgramScratch *s, const Stage *stage)
{
    ProgramMatrix *m = &s->matrices[stage - p->stages];
    const size_t size = (size_t)m->factors.value_count * sizeof *s->matrix;
    if (stage_run(p, s, stage->jacobian) != 0)
        return PROGRAM_FAILED;
    if (m->is_factored && memcmp(s->matrix, m->factored, size) == 0)
        return PROGRAM_FINE;
    memcpy(m->factored, s->matrix, size);
    memcpy(m->factors.values, s->matrix, size);
    const int code = factors_factor(&m->factors);
    ProgramStatus status = code < 0 ? PROGRAM_NO_MEMORY : PROGRAM_FINE;
    m->is_deficient = false;
    if (code > 0 || (code == 0 && factors_are_doubtful(&m->factors, m->factored)))
        status = decide_rank(p, s, stage, code == 0);
    m->is_factored = status == PROGRAM_FINE;
    return status;
}

static void program_stage_solve(ProgramMatrix *m, double *b)
{
    if (m->is_deficient)
        ranked_solve(m->ranked, b);
    else
        factors_solve(&m->factors, b);
}

// to[i] += sum of |A_ij| size_j
static void add_products(const Stage *stage, const ProgramMatrix *m, const double *size, double *to)
{
    const uint32_t n = stage->size;
    for (uint32_t j = 0; j < n; j++) {
        if (stage->column_start)
            for (int e = stage->column_start[j]; e < stage->column_start[j + 1]; e++)
                to[stage->rows[e]] += fabs(m->factored[e]) * fabs(size[j]);
        else
            for (uint32_t i = 0; i < n; i++)
                to[i] += fabs(m->factored[j * n + i]) * fabs(size[j]);
    }
}

// ---------------------------------------------------------------------------
// What is open
// ---------------------------------------------------------------------------

// What was left open is said once. direction: how far each can move, of `count` unknowns.
static void program_stage_note(const Program *p, const ProgramScratch *s, const Stage *stage,
                               const double *direction, uint32_t count)
{
    ProgramNote *to = p->note;
    unsigned nothing = 0;
    if (!s->is_lenient || atomic_load_explicit(&to->state, memory_order_relaxed) != 0 ||
        !atomic_compare_exchange_strong(&to->state, &nothing, 1))
        return;
    for (uint32_t j = 0; j < count; j++) {
        if (!(direction[j] > RANK_OPEN))
            continue;
        if (to->count < PROGRAM_NOTED)
            to->names[to->count] = stage->names[j];
        to->count++;
    }
    to->taken = p->is_start                   ? "the start value"
                : stage->kind == STAGE_LINEAR ? "0"
                                              : "the last value";
    to->time = *s->inputs[PROGRAM_TIME];
    atomic_store_explicit(&to->state, 2, memory_order_release);
}

void program_note_zeroed(const Program *p, double time)
{
    for (uint32_t i = 0; p->joined.parts && i < p->joined.count; i++)
        program_note_zeroed(p->joined.parts[i].program, time);
    ProgramNote *to = p->note;
    unsigned nothing = 0;
    if (!to || to->count == 0 || atomic_load_explicit(&to->state, memory_order_relaxed) != 0 ||
        !atomic_compare_exchange_strong(&to->state, &nothing, 1))
        return;
    to->taken = "0";
    to->time = time;
    atomic_store_explicit(&to->state, 2, memory_order_release);
}

bool program_note(const Program *p, char **text, double *time)
{
    const ProgramNote *note = p->note;
    if (!note || atomic_load_explicit(&note->state, memory_order_acquire) != 2)
        return false;
    message_set(text, "%s", note->names[0]);
    for (uint32_t i = 1; i < note->count && i < PROGRAM_NOTED; i++)
        message_add(text, ", %s", note->names[i]);
    message_add(text,
                "%s: singular equations, which agree, need not determine %s; taken as near to %s "
                "as can be",
                note->count > PROGRAM_NOTED ? ", ..." : "", note->count == 1 ? "it" : "them",
                note->taken);
    *time = note->time;
    return true;
}

// Forces and potentials may be open, but not motion. At a start there are start values.
static ProgramStatus program_stage_judge(const Program *p, ProgramScratch *s, const Stage *stage,
                                         const double *direction, uint32_t count)
{
    for (uint32_t j = 0; j < count && !p->is_start && !stage->is_rate; j++)
        if (direction[j] > RANK_OPEN && stage->is_motion[j])
            return PROGRAM_SINGULAR;
    s->is_open = true;
    program_stage_note(p, s, stage, direction, count);
    return PROGRAM_FINE;
}

// The unknowns that are solved for, without what follows from them.
static ProgramStatus judge_unknowns(const Program *p, ProgramScratch *s, const Stage *stage)
{
    const ProgramMatrix *m = &s->matrices[stage - p->stages];
    for (uint32_t j = 0; j < stage->size; j++)
        s->values[j] = ranked_is_open(m->ranked, (int)j) ? 1.0 : 0.0;
    return program_stage_judge(p, s, stage, s->values, stage->size);
}

static double program_stage_dot(uint32_t count, const double *u, const double *v)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < count; i++)
        sum += u[i] * v[i];
    return sum;
}

// to += factor v
static void program_stage_add(uint32_t count, double program_stage_factor, const double *v,
                              double *to)
{
    for (uint32_t i = 0; i < count; i++)
        to[i] += program_stage_factor * v[i];
}

// The change of all unknowns, in units of their nominal values, that a change of those that are
// solved for makes: definitions are linear in them.
static bool program_stage_spread(const Program *p, ProgramScratch *s, const Stage *stage,
                                 uint32_t count, const double *base, double *direction)
{
    double *w = s->w + stage->first;
    for (uint32_t j = 0; j < stage->size; j++)
        w[j] = base[j] + direction[j];
    if (count > stage->size && stage_run(p, s, stage[1].entry) != 0)
        return false;
    for (uint32_t j = 0; j < count; j++)
        direction[j] = (w[j] - base[j]) / p->nominals[stage->first + j];
    return true;
}

// Of the directions an orthonormal basis (twice is enough, W. Kahan), as far as they are there.
static void orthonormalise(uint32_t size, uint32_t count, double *basis)
{
    for (uint32_t k = 0; k < count; k++) {
        double *v = basis + (size_t)k * size;
        for (int pass = 0; pass < 2; pass++)
            for (uint32_t i = 0; i < k; i++)
                program_stage_add(size, -program_stage_dot(size, basis + (size_t)i * size, v),
                                  basis + (size_t)i * size, v);
        const double length = sqrt(program_stage_dot(size, v, v));
        for (uint32_t j = 0; j < size; j++)
            v[j] = length > 0.0 ? v[j] / length : 0.0;
    }
}

// Moves a solution of a linear block to the shortest one, in units of nominal values and with all
// that is defined by what is solved for.
static ProgramStatus shorten(const Program *p, ProgramScratch *s, const Stage *stage)
{
    ProgramMatrix *m = &s->matrices[stage - p->stages];
    const uint32_t size = stage->open_count;
    const int nullity = ranked_nullity(m->ranked);
    const uint32_t count = nullity < MOST_OPEN ? (uint32_t)nullity : MOST_OPEN;
    double *w = s->w + stage->first, *base = m->open, *basis = base + size;
    double *sum = basis + (size_t)size * MOST_OPEN;
    bool is_fine = size == stage->size || stage_run(p, s, stage[1].entry) == 0;
    memcpy(base, w, size * sizeof *base);
    for (uint32_t k = 0; k < count && is_fine; k++) {
        ranked_null(m->ranked, (int)k, basis + (size_t)k * size);
        is_fine = program_stage_spread(p, s, stage, size, base, basis + (size_t)k * size);
    }
    memcpy(w, base, stage->size * sizeof *base);
    if (!is_fine)
        return PROGRAM_FAILED;
    orthonormalise(size, count, basis);
    for (uint32_t j = 0; j < size; j++) {
        base[j] /= p->nominals[stage->first + j];
        sum[j] = 0.0;
    }
    for (uint32_t k = 0; k < count; k++) {
        const double *v = basis + (size_t)k * size;
        const double part = program_stage_dot(size, v, base);
        for (uint32_t j = 0; j < stage->size; j++)
            w[j] -= part * v[j] * p->nominals[stage->first + j];
        for (uint32_t j = 0; j < size; j++)
            sum[j] += fabs(v[j]);
    }
    return program_stage_judge(p, s, stage, sum, size);
}

// ---------------------------------------------------------------------------
// Linear equations
// ---------------------------------------------------------------------------

// The equation that is furthest from `most` of its terms; the residuals are in s->values.
static bool program_stage_agree(const ProgramScratch *s, uint32_t n, const double *terms,
                                double most, uint32_t *row, double *excess)
{
    double worst = 1.0;
    bool is_fine = true;
    for (uint32_t i = 0; i < n; i++) {
        const double part = fabs(s->values[i]) / (most * terms[i]);
        if (fabs(s->values[i]) <= most * terms[i] || part <= worst)
            continue;
        is_fine = false;
        worst = part;
        *row = i;
        *excess = s->values[i];
    }
    return is_fine;
}

// Unknowns that are zero have the rounding of the others, in units of nominal values: a thousandth
// of `agreement` of the largest.
static void add_rounding(const Program *p, const Stage *stage, const ProgramMatrix *m,
                         const double *w, double *terms, double *work)
{
    const double *nominals = p->nominals + stage->first;
    double largest = 0.0;
    for (uint32_t j = 0; j < stage->size; j++)
        largest = real_larger(largest, fabs(w[j]) / nominals[j]);
    for (uint32_t j = 0; j < stage->size; j++)
        work[j] = 1e-3 * largest * nominals[j];
    add_products(stage, m, work, terms);
}

// From A u + b at u = 0, which is in s->values: of the solutions, if there are any, the one that is
// nearest to the guess, or the shortest.
static ProgramStatus solve_deficient(const Program *p, ProgramScratch *s, const Stage *stage,
                                     const double *guess, uint32_t *row)
{
    const uint32_t n = stage->size;
    ProgramMatrix *m = &s->matrices[stage - p->stages];
    double *w = s->w + stage->first, *terms = s->newton, *step = terms + n;
    for (uint32_t i = 0; i < n; i++) {
        terms[i] = fabs(s->values[i]);
        w[i] = guess ? guess[i] : 0.0;
    }
    if (guess && stage_run(p, s, stage->entry) != 0)
        return PROGRAM_FAILED;
    for (uint32_t i = 0; i < n; i++)
        step[i] = -s->values[i];
    ranked_solve(m->ranked, step);
    for (uint32_t i = 0; i < n; i++)
        w[i] += step[i];
    add_products(stage, m, w, terms);
    add_rounding(p, stage, m, w, terms, step);
    // What cancels inside of a residual, in definitions of a torn block, the matrix does not show.
    if (stage_run(p, s, stage->terms) != 0)
        return PROGRAM_FAILED;
    for (uint32_t i = 0; i < n; i++)
        terms[i] = real_larger(terms[i], fabs(s->values[i]));
    if (stage_run(p, s, stage->entry) != 0)
        return PROGRAM_FAILED;
    if (!program_stage_agree(s, stage->size, terms, agreement, row, &s->excess)) {
        // as if nothing had been solved: conditions may be looked at, whose search goes on from
        // here
        for (uint32_t i = 0; i < n; i++)
            w[i] = guess ? guess[i] : 0.0;
        return PROGRAM_CONTRADICTION;
    }
    return guess ? judge_unknowns(p, s, stage) : shorten(p, s, stage);
}

// Rounding leaves no more than this part of the terms of a residual.
static const double rough_part = 16.0 * DBL_EPSILON;

// Whether more is left. The residuals stay where they are.
static bool program_stage_is_rough(const Program *p, ProgramScratch *s, const Stage *stage)
{
    const uint32_t n = stage->size;
    double *residuals = s->newton;
    bool is_rough = false;
    memcpy(residuals, s->values, n * sizeof *residuals);
    if (stage_run(p, s, stage->terms) != 0)
        return false;
    for (uint32_t i = 0; i < n; i++) {
        is_rough |= fabs(residuals[i]) > rough_part * s->values[i];
        s->values[i] = residuals[i];
    }
    return is_rough;
}

// The residuals are A u + b: from u = 0, one step of Newton's method is the solution. With switches
// the coefficients may be of any size (1e-5 ohm, 1e-5 siemens), and what rounding leaves decides
// about conditions: if residuals are larger than that, a second step refines it (R. D. Skeel:
// Iterative refinement implies numerical stability for Gaussian elimination, Mathematics of
// Computation 35, 1980).
ProgramStatus stage_solve_linear(const Program *p, ProgramScratch *s, const Stage *stage,
                                 const double *guesses, uint32_t *row)
{
    const uint32_t n = stage->size;
    ProgramMatrix *m = &s->matrices[stage - p->stages];
    for (uint32_t i = 0; i < n; i++)
        s->w[stage->first + i] = 0.0;
    const ProgramStatus status = stage_factor(p, s, stage);
    if (status != PROGRAM_FINE)
        return status;
    if (stage_run(p, s, stage->entry) != 0)
        return PROGRAM_FAILED;
    if (m->is_deficient)
        return solve_deficient(p, s, stage, p->is_start ? guesses + stage->guess : NULL, row);
    factors_solve(&m->factors, s->values);
    for (uint32_t i = 0; i < n; i++)
        s->w[stage->first + i] = -s->values[i];
    if (!stage->is_switched || n > RANKED_LARGEST)
        return PROGRAM_FINE;
    if (stage_run(p, s, stage->entry) != 0)
        return PROGRAM_FAILED;
    if (program_stage_is_rough(p, s, stage)) {
        factors_solve(&m->factors, s->values);
        for (uint32_t i = 0; i < n; i++)
            s->w[stage->first + i] -= s->values[i];
    }
    return PROGRAM_FINE;
}

// ---------------------------------------------------------------------------
// Nonlinear equations
// ---------------------------------------------------------------------------

// What Newton's method is given.
typedef struct Iteration {
    const Program *p;
    ProgramScratch *s;
    const Stage *stage;
    Newton newton;
    ProgramStatus status; // why it stopped
} Iteration;

static int program_stage_residuals(void *user, double *r)
{
    Iteration *it = user;
    if (stage_run(it->p, it->s, it->stage->entry) != 0) {
        it->status = PROGRAM_FAILED;
        return 1;
    }
    real_copy(r, it->s->values, (int)it->stage->size);
    return 0;
}

static int program_stage_linearize(void *user, const double *r)
{
    (void)r;
    Iteration *it = user;
    it->status = stage_factor(it->p, it->s, it->stage);
    it->newton.is_deficient = it->s->matrices[it->stage - it->p->stages].is_deficient;
    return it->status == PROGRAM_FINE ? 0 : -1;
}

static void apply_inverse(void *user, double *b)
{
    Iteration *it = user;
    program_stage_solve(&it->s->matrices[it->stage - it->p->stages], b);
}

// How large the residuals would be if the unknowns changed by their own sizes, but not more than by
// their nominal values: in s->values, times `part`.
static void find_changes(const Iteration *it, double part)
{
    const Stage *stage = it->stage;
    double *changes = it->s->values, *sizes = it->s->newton + newton_work((int)stage->size);
    for (uint32_t j = 0; j < stage->size; j++) {
        const double nominal = it->newton.floor[j];
        sizes[j] = part * fmin(fmax(fabs(it->newton.u[j]), least_size * nominal), nominal);
        changes[j] = 0.0;
    }
    add_products(stage, &it->s->matrices[stage - it->p->stages], sizes, changes);
}

// The terms are asked for only where the Jacobian does not tell enough: that costs an evaluation.
static bool program_stage_is_small(void *user, const double *r)
{
    Iteration *it = user;
    const uint32_t n = it->stage->size;
    bool is_fine = true;
    find_changes(it, small_change);
    for (uint32_t i = 0; i < n && is_fine; i++)
        is_fine = fabs(r[i]) <= it->s->values[i];
    if (is_fine)
        return true;
    double *changes = it->s->newton + newton_work((int)n);
    memcpy(changes, it->s->values, n * sizeof *changes);
    is_fine = stage_run(it->p, it->s, it->stage->terms) == 0;
    for (uint32_t i = 0; i < n && is_fine; i++)
        is_fine = fabs(r[i]) <= fmax(changes[i], small_part * it->s->values[i]);
    return is_fine;
}

static ProgramStatus program_stage_iterate(Iteration *it)
{
    Newton *newton = &it->newton;
    const NewtonStatus status = newton_solve(newton);
    if (it->s->statistics) {
        it->s->statistics->newton_iterations += newton->iterations;
        it->s->statistics->newton_failures += status != NEWTON_SOLVED;
    }
    if (status == NEWTON_SOLVED)
        return newton->is_deficient ? judge_unknowns(it->p, it->s, it->stage) : PROGRAM_FINE;
    if (status == NEWTON_STOPPED && it->status != PROGRAM_FINE)
        return it->status;
    return newton->is_deficient ? PROGRAM_SINGULAR : PROGRAM_DIVERGED;
}

// Guesses beside the one that is given, by these parts of its size or its nominal value: where the
// Jacobian is singular or there is a pole, a small way off may be enough. Not the same for all
// unknowns, for that may be singular as well.
static ProgramStatus try_others(Iteration *it, const double *guesses)
{
    static const double parts[] = {0.1, -0.1, 1.0, -1.0, 0.001, 10.0, -10.0};
    ProgramStatus status = PROGRAM_DIVERGED;
    for (size_t k = 0; k < sizeof parts / sizeof *parts && status != PROGRAM_FINE; k++) {
        for (uint32_t i = 0; i < it->stage->size; i++) {
            const double size = fmax(fabs(guesses[i]), it->newton.floor[i]);
            const double golden = 0.6180339887498949 * (i + 1);
            it->newton.u[i] =
                guesses[i] + parts[k] * size * (0.75 + 0.5 * (golden - floor(golden)));
        }
        it->status = PROGRAM_FINE;
        status = program_stage_iterate(it);
    }
    return status;
}

// The residual of one unknown; no number where there is none.
static double residual_of_one(void *user, double u)
{
    Iteration *it = user;
    double r;
    it->newton.u[0] = u;
    return program_stage_residuals(it, &r) == 0 ? r : NAN;
}

// One unknown between two values where its residual has different signs, the nearest ones to the
// guess: where the equation does not depend on it over a wide range (the temperature of a fluid
// that boils does not depend on its enthalpy), Newton's method has no direction. Newton's method
// decides whether what is found between them is a solution, or a pole.
static ProgramStatus try_between(Iteration *it, double guess)
{
    enum { DOUBLINGS = 40 };
    const double first = residual_of_one(it, guess);
    double step = 1e-4 * fmax(fabs(guess), it->newton.floor[0]);
    double at[2] = {guess, guess}, before[2] = {first, first};
    for (int k = 0; k < DOUBLINGS; k++, step *= 2.0)
        for (int side = 0; side < 2; side++) {
            const double u = guess + (side ? -step : step), r = residual_of_one(it, u);
            const double from = at[side];
            if (!isfinite(r))
                continue;
            const bool is_between = isfinite(before[side]) && (r > 0.0) != (before[side] > 0.0);
            at[side] = u;
            before[side] = r;
            const double root = is_between ? root_find(residual_of_one, it, from, u, 0.0) : NAN;
            if (!isfinite(root))
                continue;
            it->newton.u[0] = root;
            it->status = PROGRAM_FINE;
            if (program_stage_iterate(it) == PROGRAM_FINE)
                return PROGRAM_FINE;
        }
    return PROGRAM_DIVERGED;
}

// The equation that is furthest from zero in comparison to its terms where Newton's method ended.
static void note_excess(Iteration *it)
{
    const uint32_t n = it->stage->size;
    double *r = it->newton.work, worst = 0.0;
    it->s->excess = 0.0;
    if (program_stage_residuals(it, r) != 0 || stage_run(it->p, it->s, it->stage->terms) != 0)
        return;
    for (uint32_t i = 0; i < n; i++) {
        const double part = fabs(r[i]) / it->s->values[i];
        if (!(part > worst))
            continue;
        worst = part;
        it->s->excess = r[i];
        it->s->excess_row = i;
    }
}

ProgramStatus stage_solve_nonlinear(const Program *p, ProgramScratch *s, const Stage *stage,
                                    const double *guesses)
{
    const int n = (int)stage->size;
    Iteration it = {.p = p,
                    .s = s,
                    .stage = stage,
                    .newton = {.n = n,
                               .u = s->w + stage->first,
                               .floor = p->nominals + stage->first,
                               .noise = 1e-9,
                               .columns = n - 1,
                               .residuals = program_stage_residuals,
                               .linearize = program_stage_linearize,
                               .solve = apply_inverse,
                               .is_small = program_stage_is_small,
                               .work = s->newton}};
    it.newton.user = &it;
    real_copy(it.newton.u, guesses + stage->guess, n);
    const ProgramStatus status = program_stage_iterate(&it);
    if (status == PROGRAM_FINE || !p->is_start || status == PROGRAM_NO_MEMORY)
        return status;
    note_excess(&it);
    return try_others(&it, guesses + stage->guess) == PROGRAM_FINE ||
                   (n == 1 && try_between(&it, guesses[stage->guess]) == PROGRAM_FINE)
               ? PROGRAM_FINE
               : status;
}
