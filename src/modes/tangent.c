// SPDX-License-Identifier: MIT
//
// The direction of time, states and parameters goes through a program as values do: vector by
// vector (`seeds` beside the inputs, `out` beside the outputs), stage by stage in the order of
// evaluation. The values themselves are those of the solution just before, in the scratch of the
// program: so a tangent costs about as much as one more evaluation and, for each stage that is not
// explicit, one more solution with the matrix of Newton's method.
//
// Parts of a joined program have their own unknowns, one after the other in w; an observer reads
// the outputs, so that its direction is that of the outputs.

#include "modes/tangent.h"

#include "code/tangent.h"
#include "modes/evaluation.h"
#include "modes/program_stage.h"

#include <stdlib.h>
#include <string.h>

// A program that is solved, and the directions of all that it reads.
typedef struct TangentProgram {
    const Program *p;
    ProgramScratch *s;
    double *w;             // of the unknowns
    const double **seeds;  // by input vector
    double **out;          // by output vector
    double *work, *values; // values: of residuals
} TangentProgram;

static bool tangent_open(TangentProgram *g, const Program *p, ProgramScratch *s,
                         const ModeTangent *t, const double *x)
{
    const size_t vectors = PROGRAM_VECTOR_COUNT + p->stage_count;
    *g = (TangentProgram){.p = p, .s = s};
    g->w = calloc(p->unknown_count + tangent_room(p->module) + p->widest + 1, sizeof *g->w);
    g->seeds = calloc(vectors, sizeof *g->seeds);
    g->out = calloc(PROGRAM_OUT_STAGES + (size_t)p->stage_count, sizeof *g->out);
    if (!g->w || !g->seeds || !g->out)
        return false;
    g->values = g->w + p->unknown_count;
    g->work = g->values + p->widest;
    g->seeds[PROGRAM_TIME] = &t->t;
    g->seeds[PROGRAM_STATES] = x;
    g->seeds[PROGRAM_PARAMETERS] = t->p;
    g->out[PROGRAM_OUT_VALUES] = g->values;
    for (uint32_t k = 0; k < p->stage_count; k++) {
        g->seeds[PROGRAM_VECTOR_COUNT + k] = g->w + p->stages[k].first;
        g->out[PROGRAM_OUT_STAGES + k] = g->w + p->stages[k].first;
    }
    return true;
}

static void tangent_close(TangentProgram *g)
{
    free(g->w);
    free(g->seeds);
    free(g->out);
}

static bool tangent_entry(const TangentProgram *g, EntryNumber entry)
{
    return tangent_run(g->p->module, entry, g->s->inputs, g->seeds, g->out, g->work);
}

// With the unknowns at rest the residuals move by F_x dx.
static bool tangent_implicit(const TangentProgram *g, const Stage *stage)
{
    ProgramMatrix *m = &g->s->matrices[stage - g->p->stages];
    if (!tangent_entry(g, stage->entry) || stage_factor(g->p, g->s, stage) != PROGRAM_FINE ||
        m->is_deficient)
        return false;
    factors_solve(&m->factors, g->values);
    for (uint32_t i = 0; i < stage->size; i++)
        g->w[stage->first + i] = -g->values[i];
    return true;
}

static bool tangent_stages(const TangentProgram *g)
{
    bool is_fine = true;
    for (uint32_t k = 0; k < g->p->stage_count && is_fine; k++) {
        const Stage *stage = &g->p->stages[k];
        if (stage->is_rate || stage->level > PROGRAM_ALL)
            continue;
        is_fine = stage->kind == STAGE_EXPLICIT ? tangent_entry(g, stage->entry)
                                                : tangent_implicit(g, stage);
    }
    return is_fine;
}

static bool tangent_derivatives(const TangentProgram *g, double *dx)
{
    const Program *p = g->p;
    if (p->flow != CODE_NONE) {
        g->out[PROGRAM_OUT_FLOW] = dx;
        return p->state_count == 0 || tangent_entry(g, p->flow);
    }
    for (uint32_t i = 0; i < p->state_count; i++)
        dx[i] = p->derivatives[i] >= 0 ? g->w[p->derivatives[i]]
                                       : g->seeds[PROGRAM_STATES][-1 - p->derivatives[i]];
    return true;
}

static bool tangent_values(const TangentProgram *g, EntryNumber entry, double *values)
{
    g->out[PROGRAM_OUT_VALUES] = values;
    const bool is_fine = tangent_entry(g, g->p->entries[entry]);
    g->out[PROGRAM_OUT_VALUES] = g->values;
    return is_fine;
}

// A program, or a part of one; outputs go where `scatter` says, if it does.
static bool tangent_of_program(const ModeEvaluation *e, const Program *p, ProgramScratch *s,
                               const ModeTangent *t, const uint32_t *scatter)
{
    TangentProgram g;
    double *y = calloc(p->counts[e->outputs] + 1u, sizeof *y);
    bool is_fine = y && tangent_open(&g, p, s, t, t->x);
    is_fine = is_fine && tangent_stages(&g) && tangent_derivatives(&g, t->dx) &&
              tangent_values(&g, e->events, t->h) && tangent_values(&g, e->outputs, y);
    for (uint32_t i = 0; is_fine && i < p->counts[e->outputs]; i++)
        t->y[scatter ? scatter[i] : i] = y[i];
    if (y)
        tangent_close(&g);
    free(y);
    return is_fine;
}

// What the observer computes from the other outputs, which have the values y.
static bool tangent_observe(const Program *p, const ProgramScratch *s, const ModeTangent *t,
                            const double *y)
{
    TangentProgram g;
    const uint32_t count = p->joined.observer->counts[0];
    double *values = calloc(count + 1u, sizeof *values);
    bool is_fine = values && tangent_open(&g, p->joined.observer, s->observer, t, t->y);
    if (is_fine) {
        s->observer->inputs[PROGRAM_STATES] = y;
        is_fine = tangent_stages(&g) && tangent_values(&g, 0, values);
    }
    for (uint32_t i = 0; is_fine && i < count; i++)
        t->y[p->joined.observed[i]] = values[i];
    if (values)
        tangent_close(&g);
    free(values);
    return is_fine;
}

static bool tangent_of_parts(const ModeEvaluation *e, ProgramScratch *s, const ModeTangent *t,
                             const double *y)
{
    const Program *p = e->program;
    ModeTangent own = *t;
    const bool is_scattered = p->joined.scattered == e->outputs;
    bool is_fine = true;
    for (uint32_t k = 0; k < p->joined.count && is_fine; k++) {
        const ProgramPart *part = &p->joined.parts[k];
        own.x = t->x + part->state;
        own.dx = t->dx + part->state;
        is_fine = tangent_of_program(e, part->program, s->parts[k], &own,
                                     is_scattered ? p->joined.scatter[k] : NULL);
        own.h += part->program->counts[e->events];
        own.y += is_scattered ? 0 : part->program->counts[e->outputs];
    }
    return is_fine && (!p->joined.observer || tangent_observe(p, s, t, y));
}

bool tangent_of_mode(const SaltusContext *c, double t, const double *x, const double *z,
                     const ModeTangent *tangent)
{
    const ModeEvaluation *e = evaluation_of_work(c->work);
    const Program *p = e->program;
    ProgramScratch *s = program_scratch(p);
    const double *memory = c->memory;
    const ProgramInputs inputs = {.time = t,
                                  .vectors = {[PROGRAM_STATES] = x,
                                              [PROGRAM_PARAMETERS] = c->p,
                                              [PROGRAM_MEMORY] = memory,
                                              [PROGRAM_HELD] = memory + e->memory_count}};
    double *y = calloc((size_t)tangent->output_count + 1, sizeof *y);
    bool is_fine = s && y;
    if (is_fine) {
        program_be_lenient(s);
        is_fine = program_solve(p, s, &inputs, PROGRAM_ALL, z, NULL) == PROGRAM_FINE &&
                  program_evaluate(p, s, &inputs, e->outputs, y) == PROGRAM_FINE &&
                  (p->joined.parts ? tangent_of_parts(e, s, tangent, y)
                                   : tangent_of_program(e, p, s, tangent, NULL));
    }
    program_scratch_free(s);
    free(y);
    return is_fine;
}
