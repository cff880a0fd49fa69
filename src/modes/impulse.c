// SPDX-License-Identifier: MIT

#include "base/message.h"
#include "modes/impulse_parts.h"

#include "equations/walk.h"
#include "numerics/rank.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A coefficient has jumped if that changes its balance by this part of its size.
static const double discontinuity = 1e-8;

// ---------------------------------------------------------------------------
// Making one
// ---------------------------------------------------------------------------

typedef struct ImpulseMaking {
    Arena *arena;
    Dag *dag;
    const ImpulseDef *def;
    Impulse *impulse;
    ImpulsePart *parts;
    uint32_t *place_of; // by variable of the graph: in x, or CODE_NONE
    CodePlace *places;
    double *nominals;
    ProgramEntry *entries;
    uint32_t entry_count;
} ImpulseMaking;

static double impulse_nominal_of(const ImpulseDef *def, GraphVariable variable)
{
    const double nominal =
        def->nominals && variable < def->variable_count ? def->nominals[variable] : 0.0;
    return nominal > 0.0 ? nominal : 1.0;
}

// x: all derivatives below the highest ones.
static void impulse_list_variables(ImpulseMaking *m)
{
    const System *system = m->def->flow->system;
    const uint32_t *d = m->def->flow->structure->offsets->d;
    Impulse *out = m->impulse;
    for (uint32_t j = 0; j < system->variable_count; j++)
        out->count += d[j];
    GraphVariable *variables = ARENA_ARRAY(m->arena, out->count, GraphVariable);
    uint32_t k = 0;
    const char **names = ARENA_ARRAY(m->arena, out->count, const char *);
    double *nominals = ARENA_ARRAY(m->arena, out->count, double);
    Span *spans = ARENA_ARRAY(m->arena, out->count, Span);
    for (uint32_t j = 0; j < system->variable_count; j++)
        for (uint32_t o = 0; o < d[j]; o++) {
            spans[k] = system->variables[j].span;
            variables[k++] = system_derivative(system, j, o);
        }
    const uint32_t all = m->dag->variable_count;
    m->place_of = ARENA_ARRAY(m->arena, all, uint32_t);
    m->places = ARENA_ARRAY(m->arena, all, CodePlace);
    m->nominals = ARENA_ARRAY(m->arena, all, double);
    for (uint32_t v = 0; v < all; v++) {
        m->place_of[v] = CODE_NONE;
        m->places[v] = v < m->def->variable_count ? m->def->places[v] : (CodePlace){CODE_NONE, 0};
        m->nominals[v] = impulse_nominal_of(m->def, v);
    }
    for (k = 0; k < out->count; k++) {
        m->place_of[variables[k]] = k;
        m->places[variables[k]] = (CodePlace){PROGRAM_STATES, k};
        names[k] = m->dag->variables[variables[k]].name;
        nominals[k] = impulse_nominal_of(m->def, variables[k]);
    }
    out->variables = variables;
    out->names = names;
    out->spans = spans;
    out->nominals = nominals;
}

static uint32_t impulse_add_entry(ImpulseMaking *m, const char *name, uint32_t number,
                                  const Node *nodes, uint32_t count)
{
    char buffer[32];
    const int length = snprintf(buffer, sizeof buffer, "%s%u", name, number);
    m->entries[m->entry_count] = (ProgramEntry){
        .name = arena_copy_text(m->arena, buffer, (size_t)length), .nodes = nodes, .count = count};
    return m->entry_count++;
}

static void impulse_make_part(ImpulseMaking *m, uint32_t number)
{
    const JumpPart *jump = &m->impulse->jump->parts[number];
    ImpulsePart *part = &m->parts[number];
    *part = (ImpulsePart){.jump = jump, .first_coefficient = m->impulse->coefficient_count};
    uint32_t *places = ARENA_ARRAY(m->arena, jump->column_count, uint32_t);
    for (uint32_t n = 0; n < jump->column_count; n++)
        places[n] =
            jump->columns[n].graph == DAG_NONE ? CODE_NONE : m->place_of[jump->columns[n].graph];
    part->places = places;
    Node *residuals = ARENA_ARRAY(m->arena, jump->row_count, Node);
    Node *coefficients = ARENA_ARRAY(m->arena, jump->entry_count, Node);
    while (part->constraint_count < jump->row_count &&
           jump->rows[part->constraint_count].kind == JUMP_CONSTRAINT) {
        residuals[part->constraint_count] = jump->rows[part->constraint_count].residual;
        part->constraint_count++;
    }
    for (uint32_t e = 0; e < jump->entry_count; e++) {
        coefficients[e] = jump->entries[e].coefficient;
        part->slope_count += jump->entries[e].row < part->constraint_count;
    }
    part->residuals = impulse_add_entry(m, "residuals", number, residuals, part->constraint_count);
    part->slopes = impulse_add_entry(m, "slopes", number, coefficients, part->slope_count);
    part->balances = impulse_add_entry(m, "balances", number, coefficients + part->slope_count,
                                       jump->entry_count - part->slope_count);
    part->first_column = m->impulse->column_count;
    m->impulse->column_count += jump->column_count;
    m->impulse->coefficient_count += jump->entry_count - part->slope_count;
}

// One entry for all events: their coefficients, one after the other; 0 where there is none.
static void make_events(ImpulseMaking *m)
{
    const Jump *jump = m->impulse->jump;
    const uint32_t count = jump->event_start[jump->event_count];
    Node *nodes = ARENA_ARRAY(m->arena, count, Node);
    m->impulse->term_count = count;
    for (uint32_t t = 0; t < count; t++) {
        const Node node = jump->terms[t].coefficient;
        nodes[t] = node == NODE_NONE ? m->dag->zero : node;
    }
    m->impulse->event_entry = impulse_add_entry(m, "events", 0, nodes, count);
}

static void impulse_find_sizes(ImpulseMaking *m)
{
    Impulse *out = m->impulse;
    for (uint32_t p = 0; p < out->jump->part_count; p++) {
        const JumpPart *part = &out->jump->parts[p];
        out->most_rows = part->row_count > out->most_rows ? part->row_count : out->most_rows;
        out->most_columns =
            part->column_count > out->most_columns ? part->column_count : out->most_columns;
        out->most_entries =
            part->entry_count > out->most_entries ? part->entry_count : out->most_entries;
    }
    if (out->term_count > out->most_entries)
        out->most_entries = out->term_count;
}

static void report_failure(const ImpulseDef *def, const SolutionFailure *failure,
                           Diagnostics *diagnostics)
{
    const SignatureEquation *about = &def->flow->system->equations[failure->equation].about;
    diagnostics_error(diagnostics, about->span,
                      "the equation %s must be differentiated, but cannot: %s",
                      about->text ? about->text : "",
                      failure->reason ? failure->reason : "a function has no derivative");
}

// Whether the nodes contain what changes at events.
static bool impulse_is_discrete(Dag *dag, const Node *nodes, uint32_t count)
{
    bool result = false;
    DagMemo *memo = memo_take(dag);
    walk_variables(memo, WALK_ALL, nodes, count);
    for (uint32_t k = 0; k < memo->count && !result; k++)
        result = dag->variables[memo->list[k]].variability == DAG_DISCRETE;
    memo_give(memo);
    return result;
}

bool impulse_is_switched(const Solution *flow)
{
    const System *system = flow->system;
    const uint32_t *c = flow->structure->offsets->c;
    for (uint32_t i = 0; i < system->equation_count; i++) {
        const Node sides[] = {system->equations[i].left, system->equations[i].right};
        if (c[i] > 0 && impulse_is_discrete(system->dag, sides, 2))
            return true;
    }
    return false;
}

// Whether coefficients contain what changes at events, or what is computed from it.
static bool impulse_is_conditional(const Jump *jump, Dag *dag)
{
    for (uint32_t p = 0; p < jump->part_count; p++)
        for (uint32_t e = 0; e < jump->parts[p].entry_count; e++)
            if (impulse_is_discrete(dag, &jump->parts[p].entries[e].coefficient, 1))
                return true;
    for (uint32_t b = 0; b < jump->algebraic->block_count; b++) {
        const SolutionBlock *block = &jump->algebraic->blocks[b];
        for (uint32_t k = 0; k < block->definition_count; k++)
            if (impulse_is_discrete(dag, &block->definitions[k].value, 1))
                return true;
        if (impulse_is_discrete(dag, block->residuals, block->unknown_count))
            return true;
    }
    return false;
}

static void mark_columns(ImpulseMaking *m)
{
    Impulse *out = m->impulse;
    bool *is_position = ARENA_ARRAY(m->arena, out->count, bool);
    bool *is_velocity = ARENA_ARRAY(m->arena, out->count, bool);
    for (uint32_t p = 0; p < out->jump->part_count; p++)
        for (uint32_t n = 0; n < m->parts[p].jump->column_count; n++)
            if (m->parts[p].places[n] != CODE_NONE)
                (m->parts[p].jump->stage > 1 ? is_position : is_velocity)[m->parts[p].places[n]] =
                    true;
    out->is_position = is_position;
    out->is_velocity = is_velocity;
}

const Impulse *impulse_create(const ImpulseDef *def, Diagnostics *diagnostics)
{
    Dag *dag = def->flow->system->dag;
    SolutionFailure failure = {0};
    Impulse *impulse = ARENA_NEW(dag->arena, Impulse);
    System *system = ARENA_NEW(dag->arena, System);
    *system = *def->flow->system; // for messages; that one need not live as long
    impulse->system = system;
    impulse->jump = jump_create(dag->arena, def->flow, def->events, def->event_count, &failure);
    if (!impulse->jump) {
        report_failure(def, &failure, diagnostics);
        return NULL;
    }
    const uint32_t parts = impulse->jump->part_count;
    ImpulseMaking m = {.arena = dag->arena,
                       .dag = dag,
                       .def = def,
                       .impulse = impulse,
                       .parts = ARENA_ARRAY(dag->arena, parts, ImpulsePart),
                       .entries = ARENA_ARRAY(dag->arena, 3 * parts + 1, ProgramEntry)};
    impulse_list_variables(&m);
    for (uint32_t p = 0; p < parts; p++)
        impulse_make_part(&m, p);
    make_events(&m);
    impulse_find_sizes(&m);
    mark_columns(&m);
    impulse->is_switched = impulse_is_switched(def->flow);
    impulse->is_conditional = impulse->is_switched || impulse_is_conditional(impulse->jump, dag);
    impulse->parts = m.parts;
    impulse->program = program_create(&(ProgramDef){.dag = dag,
                                                    .places = m.places,
                                                    .nominals = m.nominals,
                                                    .is_never_run = def->is_never_run,
                                                    .solution = impulse->jump->algebraic,
                                                    .entries = m.entries,
                                                    .entry_count = m.entry_count},
                                      diagnostics);
    if (!impulse->program)
        return NULL;
    uint32_t *guesses = ARENA_ARRAY(dag->arena, impulse->program->guesses.count, uint32_t);
    impulse->guess_count = impulse->program->guesses.count;
    for (uint32_t k = 0; k < impulse->guess_count; k++)
        guesses[k] = impulse->program->guesses.variables[k];
    impulse->guesses = guesses;
    return impulse;
}

// ---------------------------------------------------------------------------
// Working memory
// ---------------------------------------------------------------------------

ImpulseScratch *impulse_scratch(const Impulse *i)
{
    const size_t rows = i->most_rows, columns = 2 * (size_t)i->most_columns;
    const size_t work = rank_work((int)rows, (int)columns);
    const size_t sizes[] = {i->count,
                            i->count,
                            i->coefficient_count,
                            i->coefficient_count,
                            i->most_entries,
                            i->column_count,
                            rows,
                            i->most_entries,
                            rows * columns,
                            rows,
                            columns,
                            columns,
                            work,
                            rows,
                            columns,
                            columns,
                            i->jump->part_count};
    size_t doubles = 0;
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++)
        doubles += sizes[k];
    char *memory =
        calloc(1, sizeof(ImpulseScratch) + doubles * sizeof(double) + 4 * columns * sizeof(int));
    if (!memory)
        return NULL;
    ImpulseScratch *s = (ImpulseScratch *)(void *)memory;
    double **const vectors[] = {
        &s->left,      &s->missing,   &s->frozen,       &s->past,   &s->now,  &s->jumps,
        &s->residuals, &s->slopes,    &s->matrix,       &s->right,  &s->step, &s->freedom,
        &s->work,      &s->row_scale, &s->column_scale, &s->before, &s->rests};
    double *next = (double *)(void *)(memory + sizeof(ImpulseScratch));
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        *vectors[k] = next;
        next += sizes[k];
    }
    s->order = (int *)(void *)next;
    s->unknown = s->order + columns;
    s->extra = s->unknown + columns;
    s->acting = s->extra + columns;
    s->program = program_scratch(i->program);
    if (s->program)
        return s;
    free(memory);
    return NULL;
}

void impulse_scratch_free(ImpulseScratch *scratch)
{
    if (!scratch)
        return;
    program_scratch_free(scratch->program);
    free(scratch);
}

// ---------------------------------------------------------------------------
// Solving
// ---------------------------------------------------------------------------

ImpulseStatus impulse_report(ImpulseCall *c, ImpulseStatus status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    message_set_arguments(&c->message, format, arguments);
    va_end(arguments);
    return status;
}

// The algebraic variables that coefficients contain.
static bool solve_algebraic(ImpulseCall *c, const double *guesses)
{
    return program_solve(c->impulse->program, c->s->program, &c->inputs, PROGRAM_ALL, guesses,
                         NULL) == PROGRAM_FINE;
}

static bool evaluate_balances(ImpulseCall *c, const ImpulsePart *part, double *values)
{
    return program_evaluate(c->impulse->program, c->s->program, &c->inputs, part->balances,
                            values) == PROGRAM_FINE;
}

static void note_missing(ImpulseCall *c)
{
    for (uint32_t k = 0; k < c->impulse->count; k++) {
        c->s->left[k] = c->x[k];
        c->s->missing[k] = isnan(c->x[k]) ? 1.0 : 0.0;
        if (isnan(c->x[k]))
            c->x[k] = c->s->left[k] = 0.0;
        else if (c->fixed_left && impulse_is_fixed(c, k))
            c->s->left[k] = c->fixed_left[k];
    }
}

// What no part can find has to have a value.
static ImpulseStatus check_missing(ImpulseCall *c)
{
    const Impulse *impulse = c->impulse;
    for (uint32_t k = 0; k < impulse->count; k++) {
        bool is_found = c->s->missing[k] == 0.0;
        for (uint32_t p = 0; p < impulse->jump->part_count && !is_found; p++)
            for (uint32_t n = 0; n < impulse->parts[p].jump->column_count && !is_found; n++)
                is_found = impulse->parts[p].places[n] == k;
        if (is_found)
            continue;
        c->span = impulse->spans[k];
        return impulse_report(c, IMPULSE_OPEN,
                              "%s has no value when the mode is entered, and no equation "
                              "determines one",
                              impulse->names[k]);
    }
    return IMPULSE_FINE;
}

static ImpulseStatus impulse_move_positions(ImpulseCall *c)
{
    ImpulseStatus status = IMPULSE_FINE;
    for (uint32_t p = 0; p < c->impulse->jump->part_count && status == IMPULSE_FINE; p++)
        if (c->impulse->parts[p].jump->stage > 1)
            status = impulse_project(c, &c->impulse->parts[p]);
    return status;
}

// Whether a part of stage 1 can stay as it is.
static bool part_rests(ImpulseCall *c, const ImpulsePart *part, bool *is_fine)
{
    *is_fine = impulse_constraints(c, part);
    for (uint32_t n = 0; n < part->jump->column_count; n++)
        c->s->jumps[part->first_column + n] = 0.0;
    for (uint32_t n = 0; n < part->jump->column_count; n++)
        if (part->places[n] != CODE_NONE && c->s->missing[part->places[n]] > 0.0)
            return false;
    return impulse_holds(c, part);
}

// The size of a balance: its terms, and what they would be if all that jumps in it were as large
// as it is.
static double balance_size(const ImpulseCall *c, const ImpulsePart *part, uint32_t row)
{
    const JumpPart *jump = part->jump;
    const uint32_t first = part->slope_count;
    double sum = 0.0;
    for (uint32_t e = first; e < jump->entry_count; e++) {
        const uint32_t column = jump->entries[e].column, place = part->places[column];
        const double coefficient = c->s->frozen[part->first_coefficient + e - first];
        if (jump->entries[e].row == row)
            sum += fabs(coefficient) * (fabs(c->s->jumps[part->first_column + column]) +
                                        (place == CODE_NONE ? 0.0 : impulse_size(c, place)));
    }
    return sum;
}

// The coefficients are those of left side minus right side: where the sign does not tell anything,
// it is left out.
static ImpulseStatus report_factor(ImpulseCall *c, const ImpulsePart *part, const JumpEntry *entry,
                                   double before, double after, bool by_condition)
{
    const System *system = c->impulse->system;
    const JumpColumn *column = &part->jump->columns[entry->column];
    const double sign = before <= 0.0 && after <= 0.0 ? -1.0 : 1.0;
    return impulse_report(
        c, IMPULSE_DISCONTINUOUS,
        "in the equation %s, %s %s changes from %.6g to %.6g: which of the two counts is not "
        "determined%s",
        system->equations[part->jump->rows[entry->row].equation].about.text,
        system->variables[column->variable].name,
        column->graph == DAG_NONE ? "makes an impulse just when its factor"
                                  : "jumps just when the factor of its derivative",
        sign * before, sign * after,
        by_condition ? ", unless branches of an if-equation, or states, say it" : "");
}

// An impulse times a coefficient that jumps itself has no meaning. before, after: coefficients.
static ImpulseStatus compare_coefficients(ImpulseCall *c, const ImpulsePart *part,
                                          const double *befores, const double *afters,
                                          bool by_condition)
{
    const JumpPart *jump = part->jump;
    for (uint32_t e = part->slope_count; e < jump->entry_count; e++) {
        const JumpEntry *entry = &jump->entries[e];
        const double before = befores[e - part->slope_count];
        const double after = afters[e - part->slope_count];
        const double d = c->s->jumps[part->first_column + entry->column];
        if (before == after || !jump->rows[entry->row].is_needed ||
            impulse_is_fixed(c, part->places[entry->column]) ||
            fabs((after - before) * d) <= discontinuity * balance_size(c, part, entry->row))
            continue;
        return report_factor(c, part, entry, before, after, by_condition);
    }
    return IMPULSE_FINE;
}

// By what jumps, and by conditions and discrete variables that change at the instant.
static ImpulseStatus check_continuity(ImpulseCall *c, const ImpulsePart *part)
{
    const double *frozen = c->s->frozen + part->first_coefficient;
    if (!evaluate_balances(c, part, c->s->now))
        return impulse_report(c, IMPULSE_FAILED, "the equations could not be evaluated");
    const ImpulseStatus status = compare_coefficients(c, part, frozen, c->s->now, false);
    return status == IMPULSE_FINE
               ? compare_coefficients(c, part, c->s->past + part->first_coefficient, frozen, true)
               : status;
}

// The coefficients of all balances at the left limits.
static bool find_coefficients(ImpulseCall *c, const double *guesses, double *coefficients)
{
    const Impulse *impulse = c->impulse;
    bool is_fine = solve_algebraic(c, guesses);
    for (uint32_t p = 0; p < impulse->jump->part_count && is_fine; p++)
        if (impulse->parts[p].jump->stage == 1)
            is_fine = evaluate_balances(c, &impulse->parts[p],
                                        coefficients + impulse->parts[p].first_coefficient);
    return is_fine;
}

// As they were before the event. Where the equations of the new mode cannot be solved with the
// conditions of the old one, nothing can be said about them.
static void find_past(ImpulseCall *c, const double *guesses)
{
    const ProgramInputs now = c->inputs;
    c->inputs = c->before;
    if (!find_coefficients(c, guesses, c->s->past))
        memcpy(c->s->past, c->s->frozen, c->impulse->coefficient_count * sizeof *c->s->past);
    c->inputs = now;
}

static ImpulseStatus find_jumps(ImpulseCall *c)
{
    const Impulse *impulse = c->impulse;
    ImpulseStatus status = IMPULSE_FINE;
    const double *guesses = c->x + impulse->count;
    bool has_jumped = false, is_fine;
    for (uint32_t p = 0; p < impulse->jump->part_count; p++) {
        const ImpulsePart *part = &impulse->parts[p];
        if (part->jump->stage > 1)
            continue;
        const bool rests = part_rests(c, part, &is_fine);
        if (!is_fine)
            return impulse_report(c, IMPULSE_FAILED, "the constraints could not be evaluated");
        c->s->rests[p] = rests ? 1.0 : 0.0;
        has_jumped = has_jumped || !rests;
    }
    if (!has_jumped)
        return IMPULSE_FINE;
    if (!find_coefficients(c, guesses, c->s->frozen))
        return impulse_report(c, IMPULSE_FAILED,
                              "the equations could not be solved at the left limits");
    find_past(c, guesses);
    for (uint32_t p = 0; p < impulse->jump->part_count && status == IMPULSE_FINE; p++)
        if (impulse->parts[p].jump->stage == 1 && c->s->rests[p] == 0.0)
            status = impulse_jump(c, &impulse->parts[p]);
    if (status == IMPULSE_FINE && !solve_algebraic(c, guesses))
        status = impulse_report(c, IMPULSE_FAILED,
                                "the equations could not be solved at the right limits");
    for (uint32_t p = 0; p < impulse->jump->part_count && status == IMPULSE_FINE; p++)
        if (impulse->parts[p].jump->stage == 1 && c->s->rests[p] == 0.0)
            status = check_continuity(c, &impulse->parts[p]);
    return status;
}

// A current of 1e-10 that a diode ends is zero as far as its conditions can tell, so its impulse
// decides nothing.
static bool impulse_is_small(const ImpulseCall *c, double least)
{
    for (uint32_t k = 0; k < c->impulse->count && least > 0.0; k++)
        if ((c->is_fixed && c->is_fixed[k]) ||
            (c->s->missing[k] == 0.0 &&
             !(fabs(c->x[k] - c->s->left[k]) <= least * impulse_size(c, k))))
            return false;
    return least > 0.0;
}

// (What nothing determines is of least norm, as in all steps: the potentials of a bridge whose
// switches are all open, so that of the diodes two conduct that the coil between them asks for.)
static bool find_impulses(ImpulseCall *c, double *impulses)
{
    const Jump *jump = c->impulse->jump;
    bool is_any = false;
    for (uint32_t k = 0; k < jump->event_count; k++)
        impulses[k] = 0.0;
    for (uint32_t t = 0; t < c->impulse->term_count && !is_any; t++) {
        const JumpTerm *term = &jump->terms[t];
        is_any = c->s->jumps[c->impulse->parts[term->part].first_column + term->column] != 0.0;
    }
    if (!is_any)
        return true;
    if (program_evaluate(c->impulse->program, c->s->program, &c->inputs, c->impulse->event_entry,
                         c->s->now) != PROGRAM_FINE)
        return false;
    for (uint32_t k = 0; k < jump->event_count; k++) {
        for (uint32_t t = jump->event_start[k]; t < jump->event_start[k + 1]; t++) {
            const JumpTerm *term = &jump->terms[t];
            const uint32_t column = c->impulse->parts[term->part].first_column + term->column;
            if (term->coefficient == NODE_NONE && c->s->jumps[column] != 0.0)
                impulses[k] = NAN;
            else
                impulses[k] += c->s->now[t] * c->s->jumps[column];
        }
    }
    return true;
}

// What both inputs make of the constraints of a part, against the size of their terms.
static bool part_is_due(ImpulseCall *c, const ImpulsePart *part)
{
    const ProgramInputs now = c->inputs;
    c->inputs = c->before;
    bool is_fine = impulse_constraints(c, part);
    c->inputs = now;
    if (part->constraint_count)
        memcpy(c->s->right, c->s->residuals, part->constraint_count * sizeof *c->s->right);
    is_fine = is_fine && impulse_constraints(c, part);
    for (uint32_t i = 0; i < part->constraint_count && is_fine; i++)
        c->s->residuals[i] -= c->s->right[i];
    return !is_fine || !impulse_holds(c, part);
}

bool impulse_is_due(ImpulseCall *c)
{
    c->inputs.vectors[PROGRAM_STATES] = c->before.vectors[PROGRAM_STATES] = c->x;
    bool is_due = false;
    for (uint32_t p = 0; p < c->impulse->jump->part_count && !is_due; p++)
        is_due = part_is_due(c, &c->impulse->parts[p]);
    return is_due;
}

ImpulseStatus impulse_solve(ImpulseCall *c, double *impulses)
{
    const Impulse *impulse = c->impulse;
    c->inputs.vectors[PROGRAM_STATES] = c->before.vectors[PROGRAM_STATES] = c->x;
    c->has_moved = false;
    c->span = (Span){0, 0};
    note_missing(c);
    ImpulseStatus status = check_missing(c);
    if (status == IMPULSE_FINE)
        status = impulse_move_positions(c);
    if (status == IMPULSE_FINE)
        status = find_jumps(c);
    const bool is_small = status == IMPULSE_FINE && impulse_is_small(c, c->least);
    for (uint32_t k = 0; k < impulse->jump->event_count && impulses && is_small; k++)
        impulses[k] = 0.0;
    if (status == IMPULSE_FINE && impulses && !is_small && !find_impulses(c, impulses))
        status = impulse_report(c, IMPULSE_FAILED, "the impulses could not be evaluated");
    for (uint32_t k = 0; k < impulse->count && status != IMPULSE_FINE; k++)
        c->x[k] = c->s->missing[k] > 0.0 ? NAN : c->s->left[k];
    return status;
}
