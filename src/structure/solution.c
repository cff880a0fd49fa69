// SPDX-License-Identifier: MIT

#include "structure/solution.h"

#include "equations/derive.h"
#include "equations/inverse.h"
#include "equations/linear.h"
#include "equations/walk.h"
#include "structure/initial.h"
#include "structure/nonzero.h"

#include <string.h>

// The equations that are solved, differentiated as often as the steps ask for, and the variables of
// the graph that are solved for. So the rest need not know whether it is a run or its beginning.
typedef struct SolutionProblem {
    Arena *arena;
    const System *system;
    Dag *dag;
    const Structure *s;
    const DagEquation *sides; // by step
    const uint32_t *targets;  // by step: variable of the graph
    const Node *starts;       // by step: start value that is given, or NODE_NONE. NULL: none
    SolutionBlock *blocks;
    Nonzero *nonzero;
} SolutionProblem;

// ---------------------------------------------------------------------------
// Derivatives of equations
// ---------------------------------------------------------------------------

static bool solution_differentiate(Derivation *d, const DagEquation *equation, DagEquation *out)
{
    *out = *equation;
    out->left = derive(d, equation->left);
    if (out->left != NODE_NONE)
        out->right = derive(d, equation->right);
    return out->left != NODE_NONE && out->right != NODE_NONE;
}

// By equation f_i, f_i', ..., as many as `most` says; NULL: one of them has no derivative.
static DagEquation **solution_derivatives(Arena *arena, const System *system, const uint32_t *most,
                                          SolutionFailure *failure)
{
    const uint32_t count = system->equation_count;
    DagEquation **derivatives = ARENA_ARRAY(arena, count, DagEquation *);
    Derivation d = derive_by_time(system->dag, NULL);
    bool is_fine = true;
    for (uint32_t i = 0; i < count && is_fine; i++) {
        DagEquation *sides = derivatives[i] = ARENA_ARRAY(arena, most[i] + 1u, DagEquation);
        sides[0] = (DagEquation){system->equations[i].left, system->equations[i].right};
        for (uint32_t p = 1; p <= most[i] && is_fine; p++) {
            is_fine = solution_differentiate(&d, &sides[p - 1], &sides[p]);
            if (!is_fine)
                *failure = (SolutionFailure){.equation = i, .reason = d.reason};
        }
    }
    derive_end(&d);
    return is_fine ? derivatives : NULL;
}

// ---------------------------------------------------------------------------
// Definitions and residuals
// ---------------------------------------------------------------------------

// A block that is being made, see SolutionBlock.
typedef struct Formulas {
    SolutionDefinition *definitions;
    uint32_t *unknowns;
    SignatureEquation *equations;
    Node *residuals;
    uint32_t definition_count, unknown_count;
    uint32_t size; // of the block
    uint32_t *column_start, *rows;
    Node *entries;
    uint32_t entry_count, entry_room;
} Formulas;

static void add_residual(SolutionProblem *p, Formulas *f, uint32_t step)
{
    if (f->unknown_count == 0) {
        const uint32_t most = f->size - f->definition_count;
        f->unknowns = ARENA_ARRAY(p->arena, most, uint32_t);
        f->equations = ARENA_ARRAY(p->arena, most, SignatureEquation);
        f->residuals = ARENA_ARRAY(p->arena, most, Node);
    }
    f->unknowns[f->unknown_count] = p->targets[step];
    SignatureEquation *about = &f->equations[f->unknown_count];
    *about = p->s->signature->equations[p->s->steps[step].equation];
    if (p->starts && about->text) // the signature goes
        about->text = arena_copy_text(p->arena, about->text, strlen(about->text));
    f->residuals[f->unknown_count++] =
        dag_subtract(p->dag, p->sides[step].left, p->sides[step].right);
}

static bool may_vanish(const SolutionProblem *p, Node divisor)
{
    return divisor != NODE_NONE &&
           (!nonzero_always(p->nonzero, divisor) ||
            nonzero_vanishes(p->nonzero, divisor, p->system->values, p->system->value_count));
}

// a v + b = 0 says nothing of v where a and b vanish: the enthalpy of what does not flow. Then v is
// zero, not 0 / 0.
static Node without_quotient(SolutionProblem *p, uint32_t step, const SolutionDefinition *d)
{
    Dag *dag = p->dag;
    DagMemo *map = memo_take(dag);
    memo_set(map, d->variable, dag->zero);
    const Node rest =
        walk_substitute(dag, dag_subtract(dag, p->sides[step].left, p->sides[step].right), map);
    memo_give(map);
    const Node is_open =
        dag_binary(dag, OPERATOR_AND, dag_binary(dag, OPERATOR_EQUAL, d->divisor, dag->zero),
                   dag_binary(dag, OPERATOR_EQUAL, rest, dag->zero));
    return dag_if(dag, is_open, dag->zero, d->value);
}

// A step that is to be solved but turns out not to be linear, and has no inverse, becomes an
// unknown: that is always right. So does one of an initialization whose coefficient may be zero:
// what it leaves open is then near to its start value; and one whose coefficient is zero in a
// branch, where the rank decides.
static void add_definition(SolutionProblem *p, Formulas *f, uint32_t step)
{
    SolutionDefinition d = {.variable = p->targets[step], .divisor = NODE_NONE};
    d.value =
        linear_solve(p->dag, p->sides[step].left, p->sides[step].right, d.variable, &d.divisor);
    const bool is_doubtful = d.value != NODE_NONE && may_vanish(p, d.divisor);
    if (is_doubtful && (p->starts || nonzero_by_choice(p->nonzero, d.divisor)))
        d.value = NODE_NONE;
    else if (is_doubtful)
        d.value = without_quotient(p, step, &d);
    else if (d.value == NODE_NONE)
        d.value = inverse_solve(p->dag, p->sides[step].left, p->sides[step].right, d.variable,
                                p->starts ? p->starts[step] : NODE_NONE);
    if (d.value == NODE_NONE)
        add_residual(p, f, step);
    else
        f->definitions[f->definition_count++] = d;
}

static Formulas make_formulas(SolutionProblem *p, const StructureBlock *b)
{
    Formulas f = {.definitions = ARENA_ARRAY(p->arena, b->solved, SolutionDefinition),
                  .size = b->size};
    for (uint32_t k = 0; k < b->solved; k++)
        add_definition(p, &f, b->first + k);
    for (uint32_t k = b->solved; k < b->size; k++)
        add_residual(p, &f, b->first + k);
    return f;
}

// ---------------------------------------------------------------------------
// Jacobians
// ---------------------------------------------------------------------------

static void solution_add_entry(Arena *arena, Formulas *f, uint32_t row, Node entry)
{
    if (f->entry_count == f->entry_room) {
        const uint32_t old = f->entry_room, room = old ? 2 * old : 16;
        f->rows = arena_grow(arena, f->rows, old * sizeof *f->rows, room * sizeof *f->rows);
        f->entries =
            arena_grow(arena, f->entries, old * sizeof *f->entries, room * sizeof *f->entries);
        f->entry_room = room;
    }
    f->rows[f->entry_count] = row;
    f->entries[f->entry_count++] = entry;
}

// One column: along unknown k the definitions have derivatives, one after the other.
static bool column_along(SolutionProblem *p, Formulas *f, uint32_t k)
{
    DagMemo *seeds = memo_take(p->dag);
    memo_set(seeds, f->unknowns[k], p->dag->one);
    Derivation d = derive_along(p->dag, seeds);
    bool is_fine = true;
    for (uint32_t n = 0; n < f->definition_count && is_fine; n++) {
        Node derivative = derive(&d, f->definitions[n].value);
        is_fine = derivative != NODE_NONE;
        if (is_fine && !dag_is_zero(p->dag, derivative))
            memo_set(seeds, f->definitions[n].variable, derivative);
    }
    for (uint32_t r = 0; r < f->unknown_count && is_fine; r++) {
        Node entry = derive(&d, f->residuals[r]);
        is_fine = entry != NODE_NONE;
        if (is_fine && !dag_is_zero(p->dag, entry))
            solution_add_entry(p->arena, f, r, entry);
    }
    derive_end(&d);
    memo_give(seeds);
    return is_fine;
}

// Row by row, for blocks whose unknowns are all in the residuals themselves; then by columns.
static bool columns_by_rows(SolutionProblem *p, Formulas *f)
{
    uint32_t n = f->unknown_count, count = 0;
    DagMemo *place = memo_take(p->dag); // variable -> column
    for (uint32_t k = 0; k < n; k++)
        memo_set(place, f->unknowns[k], k);
    DagTerm **partials = ARENA_ARRAY(p->arena, n, DagTerm *);
    uint32_t *counts = ARENA_ARRAY(p->arena, n, uint32_t);
    bool is_fine = true;
    for (uint32_t r = 0; r < n && is_fine; r++) {
        is_fine = derive_gradient(p->dag, p->dag->arena, f->residuals[r], place, &partials[r],
                                  &counts[r]);
        for (uint32_t k = 0; k < counts[r] && is_fine; k++)
            f->column_start[memo_get(place, partials[r][k].variable) + 1]++;
        count += counts[r];
    }
    for (uint32_t k = 0; k < n; k++)
        f->column_start[k + 1] += f->column_start[k];
    f->entry_count = count;
    f->rows = ARENA_ARRAY(p->arena, count, uint32_t);
    f->entries = ARENA_ARRAY(p->arena, count, Node);
    uint32_t *next = ARENA_ARRAY(p->arena, n, uint32_t);
    for (uint32_t r = 0; r < n && is_fine; r++) {
        for (uint32_t k = 0; k < counts[r]; k++) {
            uint32_t column = memo_get(place, partials[r][k].variable);
            uint32_t at = f->column_start[column] + next[column]++;
            f->rows[at] = r;
            f->entries[at] = partials[r][k].value;
        }
    }
    memo_give(place);
    return is_fine;
}

// False: something has no derivative.
static bool solution_make_columns(SolutionProblem *p, Formulas *f)
{
    f->column_start = ARENA_ARRAY(p->arena, f->unknown_count + 1u, uint32_t);
    if (f->definition_count == 0)
        return columns_by_rows(p, f);
    for (uint32_t k = 0; k < f->unknown_count; k++) {
        if (!column_along(p, f, k))
            return false;
        f->column_start[k + 1] = f->entry_count;
    }
    return true;
}

// What the entries say about the block: never better than the structure said.
static StructureKind kind_by_entries(SolutionProblem *p, const Formulas *f)
{
    DagMemo *own = memo_take(p->dag);
    StructureKind kind = STRUCTURE_CONSTANT;
    for (uint32_t k = 0; k < f->unknown_count; k++)
        memo_set(own, f->unknowns[k], 0);
    for (uint32_t k = 0; k < f->definition_count; k++)
        memo_set(own, f->definitions[k].variable, 0);
    for (uint32_t e = 0; e < f->entry_count && kind != STRUCTURE_NONLINEAR; e++) {
        if (walk_depends(p->dag, f->entries[e], own))
            kind = STRUCTURE_NONLINEAR;
        else if (dag_get(p->dag, f->entries[e])->variability > DAG_PARAMETER)
            kind = STRUCTURE_LINEAR;
    }
    memo_give(own);
    return kind;
}

// ---------------------------------------------------------------------------
// Blocks
// ---------------------------------------------------------------------------

// The same with an if-expression outermost for each of its first Booleans: R * (if c then 1 else 0)
// + (if c then 0 else 1) is if c then R else 1.
static Node branch_by_branch(Dag *dag, Node node, uint32_t most)
{
    DagMemo *map = memo_take(dag);
    uint32_t variable = DAG_NONE;
    walk_variables(map, WALK_ALL, &node, 1);
    for (uint32_t i = 0; i < map->count && variable == DAG_NONE; i++)
        if (dag->variables[map->list[i]].type == DAG_BOOLEAN)
            variable = map->list[i];
    if (variable != DAG_NONE && most > 0) {
        Node sides[2];
        for (int k = 0; k < 2; k++) {
            memo_clear(map);
            memo_set(map, variable, dag_boolean(dag, k));
            sides[k] = branch_by_branch(dag, walk_substitute(dag, node, map), most - 1);
        }
        node = dag_if(dag, dag_reference(dag, variable), sides[1], sides[0]);
    }
    memo_give(map);
    return node;
}

// Whether it is safe to divide by it in each branch; parameters are not zero unless they are now.
static bool is_safe_divisor(const SolutionProblem *p, Node node)
{
    if (dag_is_operation(p->dag, node, OPERATOR_IF))
        return is_safe_divisor(p, dag_operand(p->dag, node, 1)) &&
               is_safe_divisor(p, dag_operand(p->dag, node, 2));
    if (dag_get(p->dag, node)->variability > DAG_PARAMETER || dag_is_zero(p->dag, node))
        return false;
    return !nonzero_vanishes(p->nonzero, node, p->system->values, p->system->value_count);
}

// A linear block of one unknown whose coefficient differs from branch to branch, but is nowhere
// zero: an ideal switch in series with a resistor. It needs no guess: u = -r(0) / r'. True: done.
static bool solve_switch(SolutionProblem *p, Formulas *f)
{
    enum { MOST_BOOLEANS = 3 };
    Dag *dag = p->dag;
    Node coefficient = f->entries[0];
    const DagVariability variability = dag_get(dag, coefficient)->variability;
    if (p->starts || variability <= DAG_PARAMETER || variability >= DAG_CONTINUOUS)
        return false;
    coefficient = branch_by_branch(dag, coefficient, MOST_BOOLEANS);
    if (!is_safe_divisor(p, coefficient))
        return false;
    DagMemo *map = memo_take(dag);
    memo_set(map, f->unknowns[0], dag->zero);
    for (uint32_t k = 0; k < f->definition_count; k++)
        memo_set(map, f->definitions[k].variable,
                 walk_substitute(dag, f->definitions[k].value, map));
    const Node rest = walk_substitute(dag, f->residuals[0], map);
    memo_give(map);
    SolutionDefinition *all = ARENA_ARRAY(p->arena, f->definition_count + 1u, SolutionDefinition);
    all[0] = (SolutionDefinition){.variable = f->unknowns[0],
                                  .value = dag_divide(dag, dag_negate(dag, rest), coefficient),
                                  .divisor = coefficient};
    memcpy(all + 1, f->definitions, f->definition_count * sizeof *all);
    f->definitions = all;
    f->definition_count++;
    f->unknown_count = 0;
    return true;
}

static void make_block(SolutionProblem *p, uint32_t number)
{
    const StructureBlock *b = &p->s->blocks[number];
    Formulas f = make_formulas(p, b);
    SolutionBlock *out = &p->blocks[number];
    *out = (SolutionBlock){.kind = b->kind,
                           .stage = b->stage,
                           .is_needed = b->is_needed,
                           .definition_count = f.definition_count,
                           .definitions = f.definitions,
                           .unknown_count = f.unknown_count,
                           .unknowns = f.unknowns,
                           .residuals = f.residuals,
                           .equations = f.equations};
    if (f.unknown_count == 0) {
        // all of a linear block may be solved without a guess, if numbers cancelled
        out->kind = STRUCTURE_ASSIGNMENT;
        return;
    }
    if (!solution_make_columns(p, &f)) {
        out->kind = STRUCTURE_NONLINEAR;
        return;
    }
    StructureKind kind = kind_by_entries(p, &f);
    out->kind = kind > out->kind ? kind : out->kind;
    if (f.unknown_count == 1 && out->kind == STRUCTURE_LINEAR && f.entry_count == 1 &&
        solve_switch(p, &f)) {
        out->kind = STRUCTURE_ASSIGNMENT;
        out->definitions = f.definitions;
        out->definition_count = f.definition_count;
        out->unknown_count = 0;
        return;
    }
    out->column_start = f.column_start;
    out->rows = f.rows;
    out->entries = f.entries;
}

static Solution *make_solution(SolutionProblem *p)
{
    Solution *out = ARENA_NEW(p->arena, Solution);
    p->blocks = ARENA_ARRAY(p->arena, p->s->block_count, SolutionBlock);
    p->nonzero = nonzero_create(p->dag, false);
    for (uint32_t k = 0; k < p->s->block_count; k++)
        make_block(p, k);
    nonzero_end(p->nonzero);
    *out = (Solution){.system = p->system,
                      .structure = p->s,
                      .block_count = p->s->block_count,
                      .blocks = p->blocks};
    return out;
}

static void solution_list_states(Arena *arena, const System *system, Solution *out)
{
    const Structure *s = out->structure;
    out->states = arena_array(arena, s->state_count, sizeof *out->states);
    for (uint32_t k = 0; k < s->state_count; k++) {
        uint32_t v = system_derivative(system, s->states[k].variable, s->states[k].order);
        out->states[k].variable = v;
        out->states[k].derivative = dag_derivative_variable(system->dag, v);
    }
    out->state_count = s->state_count;
}

static void list_pivots(Arena *arena, const System *system, Solution *out)
{
    const Signature *g = out->structure->signature;
    const SelectionPlan *plan = out->structure->plan;
    uint32_t count = 0;
    for (uint32_t n = 0; n < plan->group_count; n++)
        count += plan->groups[n].is_free ? plan->groups[n].start[plan->groups[n].row_count] : 0;
    out->pivots = arena_array(arena, count, sizeof *out->pivots);
    for (uint32_t n = 0; n < plan->group_count; n++) {
        const SelectionGroup *group = &plan->groups[n];
        for (uint32_t r = 0; r < group->row_count && group->is_free; r++) {
            const SystemEquation *f = &system->equations[group->equations[r]];
            Node e = dag_subtract(system->dag, f->left, f->right);
            for (uint32_t k = group->start[r]; k < group->start[r + 1]; k++) {
                const SignatureEntry *entry = &g->entries[group->entries[k]];
                Derivation d = derive_by(system->dag,
                                         system_derivative(system, entry->variable, entry->order));
                out->pivots[out->pivot_count].entry = group->entries[k];
                out->pivots[out->pivot_count++].coefficient = derive(&d, e);
                derive_end(&d);
            }
        }
    }
}

const Solution *solution_create(Arena *arena, const System *system, const Structure *s,
                                SolutionFailure *failure)
{
    Arena *scratch = arena_scratch(arena);
    const ArenaMark mark = arena_mark(scratch);
    DagEquation **derivatives = solution_derivatives(scratch, system, s->offsets->c, failure);
    if (!derivatives) {
        arena_release(scratch, mark);
        return NULL;
    }
    DagEquation *sides = ARENA_ARRAY(scratch, s->step_count, DagEquation);
    uint32_t *targets = ARENA_ARRAY(scratch, s->step_count, uint32_t);
    for (uint32_t k = 0; k < s->step_count; k++) {
        const StructureStep *step = &s->steps[k];
        sides[k] = derivatives[step->equation][step->equation_order];
        targets[k] = system_derivative(system, step->variable, step->variable_order);
    }
    SolutionProblem p = {.arena = arena,
                         .system = system,
                         .dag = system->dag,
                         .s = s,
                         .sides = sides,
                         .targets = targets};
    Solution *out = make_solution(&p);
    solution_list_states(arena, system, out);
    list_pivots(arena, system, out);
    arena_release(scratch, mark);
    return out;
}

// ---------------------------------------------------------------------------
// Initialization
// ---------------------------------------------------------------------------

static uint32_t initial_target(const System *system, const SignatureSymbol *u)
{
    return u->is_input ? system->inputs[u->number].origin
                       : system_derivative(system, u->number, u->order);
}

static bool has_start(const System *system, const SignatureSymbol *u)
{
    return !u->is_input && u->order == 0 && system->variables[u->number].has_start;
}

static DagEquation initial_sides(const System *system, const Initial *initial,
                                 DagEquation *const *derivatives, const InitialRow *row,
                                 const Node *starts)
{
    if (row->kind == INITIAL_MODEL)
        return derivatives[row->number][row->order];
    if (row->kind == INITIAL_EQUATION)
        return (DagEquation){system->initial[row->number].left, system->initial[row->number].right};
    uint32_t v = initial_target(system, &initial->unknowns[row->unknown]);
    return (DagEquation){.left = dag_reference(system->dag, v), .right = starts[row->unknown]};
}

const Solution *solution_initial(Arena *arena, const System *system, const Initial *initial,
                                 const Node *starts, SolutionFailure *failure)
{
    const Structure *s = initial->structure;
    Arena *scratch = arena_scratch(arena);
    const ArenaMark mark = arena_mark(scratch);
    uint32_t *most = ARENA_ARRAY(scratch, system->equation_count, uint32_t);
    for (uint32_t r = 0; r < initial->row_count; r++) {
        const InitialRow *row = &initial->rows[r];
        if (row->kind == INITIAL_MODEL && row->order > most[row->number])
            most[row->number] = row->order;
    }
    DagEquation **derivatives = solution_derivatives(scratch, system, most, failure);
    if (!derivatives) {
        arena_release(scratch, mark);
        return NULL;
    }
    DagEquation *sides = ARENA_ARRAY(scratch, s->step_count, DagEquation);
    uint32_t *targets = ARENA_ARRAY(scratch, s->step_count, uint32_t);
    Node *given = ARENA_ARRAY(scratch, s->step_count, Node);
    for (uint32_t k = 0; k < s->step_count; k++) {
        const InitialRow *row = &initial->rows[s->steps[k].equation];
        const uint32_t unknown = s->steps[k].variable;
        sides[k] = initial_sides(system, initial, derivatives, row, starts);
        targets[k] = initial_target(system, &initial->unknowns[unknown]);
        given[k] = has_start(system, &initial->unknowns[unknown]) ? starts[unknown] : NODE_NONE;
    }
    SolutionProblem p = {.arena = arena,
                         .system = system,
                         .dag = system->dag,
                         .s = s,
                         .sides = sides,
                         .targets = targets,
                         .starts = given};
    Solution *out = make_solution(&p);
    out->structure = NULL;
    arena_release(scratch, mark);
    return out;
}
