// SPDX-License-Identifier: MIT

#include "modes/continuation.h"

#include "modes/guesses.h"

#include <stdlib.h>

struct Continuation {
    const Program *program;         // its only entry: start values of what is iterated for
    const GraphVariable *variables; // these, in the order of the program's guesses
    uint32_t variable_count;
    uint32_t lambda; // place in the memory
};

// ---------------------------------------------------------------------------
// Making it
// ---------------------------------------------------------------------------

// Start values of all unknowns of blocks; which of them are iterated for is known later.
static ProgramEntry start_entry(const Model *model, const Gathered *g, const Analysis *analysis,
                                GraphVariable *variables)
{
    const Solution *start = analysis->start;
    uint32_t count = 0;
    for (uint32_t b = 0; b < start->block_count; b++)
        for (uint32_t i = 0; i < start->blocks[b].unknown_count; i++)
            variables[count++] = start->blocks[b].unknowns[i];
    Node *nodes = ARENA_ARRAY(model->assembly->dag->arena, count, Node);
    guesses_find(g, analysis, variables, count, nodes);
    return (ProgramEntry){.name = "guesses", .nodes = nodes, .count = count};
}

static const Program *make_program(const Model *model, const Gathered *g, const Analysis *analysis,
                                   Continuation *c, Diagnostics *diagnostics)
{
    Dag *dag = model->assembly->dag;
    uint32_t *list = ARENA_ARRAY(dag->arena, dag->variable_count, uint32_t);
    const ProgramEntry entry = start_entry(model, g, analysis, list);
    c->variables = list;
    c->variable_count = entry.count;
    return program_create(
        &(ProgramDef){.dag = dag,
                      .places = model_copy_places(model, model->assembly->dag->arena),
                      .nominals = analyse_nominals(analysis),
                      .solution = analysis->start,
                      .is_start = true,
                      .entries = &entry,
                      .entry_count = 1},
        diagnostics);
}

const Continuation *continuation_create(const Model *model, const Choice *choices)
{
    Assembly *a = model->assembly;
    if (a->lambda == DAG_NONE || a->is_never_run)
        return NULL;
    Continuation *c = ARENA_NEW(a->dag->arena, Continuation);
    // What is wrong with the simplified equations is no error of the model.
    Diagnostics *quiet = diagnostics_create(a->dag->arena, model->diagnostics->sources);
    Gathered g;
    Analysis analysis;
    if (gather_continued(a, choices, quiet, &g) && analyse(&g, NULL, &analysis) &&
        analyse_start(&analysis))
        c->program = make_program(model, &g, &analysis, c, quiet);
    c->lambda = model->places[a->lambda].index;
    gather_end(&g);
    return c->program ? c : NULL;
}

const Continuation *continuation_keep(const Continuation *from, const Keeper *k)
{
    if (!from)
        return NULL;
    Continuation *c = keep_array(k, from, 1, sizeof *from);
    c->program = program_keep(from->program, k, PROGRAM_SEARCHED);
    KEEP(k, c->variables, c->variable_count);
    return c;
}

// ---------------------------------------------------------------------------
// Running it
// ---------------------------------------------------------------------------

typedef struct Path {
    const Continuation *c;
    const ProgramInputs *inputs;
    ProgramScratch *scratch;
    double *values, *guesses;
    double *lambda;
} Path;

static bool continuation_set_guesses(Path *p)
{
    const Program *program = p->c->program;
    if (program_evaluate(program, p->scratch, p->inputs, 0, p->values) != PROGRAM_FINE)
        return false;
    for (uint32_t i = 0; i < program->guesses.count; i++) {
        uint32_t k = 0;
        while (p->c->variables[k] != program->guesses.variables[i])
            k++;
        p->guesses[i] = p->values[k];
    }
    return true;
}

static bool continuation_solve(Path *p, double lambda)
{
    const Program *program = p->c->program;
    *p->lambda = lambda;
    if (program_solve(program, p->scratch, p->inputs, PROGRAM_ALL, p->guesses, NULL) !=
        PROGRAM_FINE)
        return false;
    for (uint32_t i = 0; i < program->guesses.count; i++)
        p->guesses[i] = p->scratch->w[program->guesses.places[i]];
    return true;
}

// The unknowns of the start, as far as they are unknowns here.
static void continuation_hand_over(const Path *p, const Program *start, double *w)
{
    const uint32_t count = start->places ? start->place_count : start->unknown_count;
    for (uint32_t i = 0; i < count; i++) {
        const ProgramPlace unknown =
            start->places ? start->places[i] : (ProgramPlace){start->unknowns[i], i};
        const UnknownPlace place = program_place(p->c->program, unknown.variable);
        if (place != CODE_NONE)
            w[unknown.place] = p->scratch->w[place];
    }
}

// The simplified equations, together with the conditions that their solution gives.
static bool continuation_begin(Path *p, const Program *start, double *w,
                               ContinuationConditions conditions, void *user)
{
    enum { MOST_ROUNDS = 10 };
    bool changed = true;
    for (int round = 0; round < MOST_ROUNDS && changed; round++) {
        changed = false;
        if (!continuation_set_guesses(p) || !continuation_solve(p, 0.0))
            return false;
        continuation_hand_over(p, start, w);
        if (!conditions(user, &changed))
            return false;
    }
    return !changed;
}

// From 0 to 1; a step that fails is halved, one that succeeds makes the next one longer.
static bool continuation_follow(Path *p)
{
    static const double first_step = 0.2, least_step = 1e-4;
    double lambda = 0.0, step = first_step;
    while (lambda < 1.0 && step >= least_step) {
        const double next = lambda + step < 1.0 ? lambda + step : 1.0;
        if (continuation_solve(p, next)) {
            lambda = next;
            step *= 1.5;
        } else {
            step *= 0.5;
        }
    }
    return lambda >= 1.0;
}

bool continuation_run(const Continuation *c, const ProgramInputs *inputs, double *memory,
                      const Program *start, double *w, double *guesses,
                      ContinuationConditions conditions, void *user)
{
    const uint32_t count = c->program->unknown_count;
    Path p = {.c = c,
              .inputs = inputs,
              .scratch = program_scratch(c->program),
              .values = calloc(2u * count + 2u, sizeof(double)),
              .lambda = &memory[c->lambda]};
    bool is_fine = p.scratch && p.values;
    if (is_fine) {
        p.guesses = p.values + count + 1;
        is_fine = continuation_begin(&p, start, w, conditions, user) && continuation_follow(&p);
    }
    for (uint32_t i = 0; is_fine && i < start->guesses.count; i++) {
        const UnknownPlace place = program_place(c->program, start->guesses.variables[i]);
        if (place != CODE_NONE)
            guesses[i] = p.scratch->w[place];
    }
    *p.lambda = 1.0;
    program_scratch_free(p.scratch);
    free(p.values);
    return is_fine;
}
