// SPDX-License-Identifier: MIT
//
// The initialization of a mode: of all parts at once, for initial equations may connect them. It is
// made for modes in which a run might begin, and added to one in which another run begins, that
// others may use already: nothing but `start` changes.
//
// Its program solves the blocks that structure/initial has chosen among initial equations, fixed
// starts and the equations of the mode. Those beyond what is needed (surplus) are evaluated, with
// the sizes of their terms, and must be zero in comparison; so must the difference of a discrete
// Real, where no left limit determines it, and what an initial equation says that it is.

#include "modes/continuation.h"
#include "modes/guesses.h"
#include "modes/holds.h"
#include "modes/mode_maker.h"
#include "modes/terms.h"

// ---------------------------------------------------------------------------
// Entries
// ---------------------------------------------------------------------------

static void set_initial_entry(ModeMaker *k)
{
    const Gathered *g = &k->gathered;
    ModelInitial *list = ARENA_ARRAY(k->arena, g->initial_count, ModelInitial);
    Node *nodes = ARENA_ARRAY(k->arena, g->initial_count, Node);
    uint32_t rows = k->analysis.initial->surplus_count;
    for (uint32_t i = 0; i < g->initial_count; i++) {
        const AssembledInitial *from = &g->initial_values[i];
        const DagVariable *v = &k->dag->variables[from->variable];
        const bool has_row = !from->is_left_limit && v->pre != DAG_NONE && v->type == DAG_REAL;
        nodes[i] = from->value;
        list[i] = (ModelInitial){.name = v->name,
                                 .place = k->places[from->variable].index,
                                 .left = v->pre == DAG_NONE ? CODE_NONE : k->places[v->pre].index,
                                 .span = from->span,
                                 .is_left_limit = from->is_left_limit,
                                 .row = has_row ? rows++ : CODE_NONE};
    }
    k->mode->start.row_count = rows;
    k->mode->start.values = list;
    k->mode->start.value_count = g->initial_count;
    mode_set_entry(k, MODEL_INITIAL, "initial", nodes, g->initial_count);
}

// What must be zero, too: equations beyond those that are solved, and what discrete Reals are
// beside what the model gives them.
static void set_surplus_entry(ModeMaker *k)
{
    const Initial *initial = k->analysis.initial;
    const Mode *m = k->mode;
    const uint32_t rows = m->start.row_count;
    Node *surplus = ARENA_ARRAY(k->arena, 3 * rows, Node);
    for (uint32_t i = 0; i < initial->surplus_count; i++)
        surplus[i] = analyse_initial_row(&k->analysis, &initial->surplus[i]);
    for (uint32_t i = 0; i < m->start.value_count; i++) {
        const AssembledInitial *given = &k->gathered.initial_values[i];
        if (m->start.values[i].row != CODE_NONE)
            surplus[m->start.values[i].row] =
                dag_subtract(k->dag, dag_reference(k->dag, given->variable), given->value);
    }
    terms_find(k->dag, surplus, rows, surplus + rows);
    const Node *sizes = holds_sizes(&k->gathered, surplus, rows);
    for (uint32_t i = 0; i < rows; i++)
        surplus[2 * rows + i] = sizes[i];
    mode_set_entry(k, MODEL_SURPLUS, "surplus", surplus, 3 * rows);
}

static void set_start_entries(ModeMaker *k)
{
    uint32_t count = 0;
    const Solution *start = k->analysis.start;
    for (uint32_t b = 0; b < start->block_count; b++)
        count += start->blocks[b].unknown_count;
    Node *guesses = ARENA_ARRAY(k->arena, count, Node);
    k->guess_variables = ARENA_ARRAY(k->arena, count, uint32_t);
    count = 0;
    for (uint32_t b = 0; b < start->block_count; b++)
        for (uint32_t i = 0; i < start->blocks[b].unknown_count; i++)
            k->guess_variables[count++] = start->blocks[b].unknowns[i];
    guesses_find(&k->gathered, &k->analysis, k->guess_variables, count, guesses);
    k->guess_variable_count = count;
    set_initial_entry(k);
    set_surplus_entry(k);
    mode_set_entry(k, MODEL_GUESSES, "guesses", guesses, count);
}

// ---------------------------------------------------------------------------
// The program
// ---------------------------------------------------------------------------

// Where the start has the parameters that it finds.
static void find_parameters(ModeMaker *k, const Program *start)
{
    Mode *m = k->mode;
    const Assembly *a = k->a;
    uint32_t *found = ARENA_ARRAY(k->arena, a->free.count, uint32_t);
    uint32_t *places = ARENA_ARRAY(k->arena, a->free.count, uint32_t);
    m->start.found_count = 0;
    for (uint32_t i = 0; i < a->free.count; i++) {
        const CodePlace place = k->model->places[a->free.parameters[i]];
        found[m->start.found_count] =
            place.index + (place.vector == PROGRAM_MEMORY ? k->model->parameters->count : 0);
        places[m->start.found_count] = program_place(start, a->free.parameters[i]);
        m->start.found_count += places[m->start.found_count] != CODE_NONE;
    }
    m->start.found = found;
    m->start.found_places = places;
}

bool mode_make_start(ModeMaker *k)
{
    Mode *m = k->mode;
    const bool is_done = !m->jump.impulse && !m->jump.pivot_count && !k->a->is_never_run;
    if (is_done)
        analyse_end_flow(&k->analysis);
    memo_give_back(k->dag);
    if (!analyse_start(&k->analysis))
        return false;
    set_start_entries(k);
    k->nominals = analyse_nominals(&k->analysis);
    if (is_done)
        analyse_end(&k->analysis);
    memo_give_back(k->dag);
    Arena *aside = mode_aside(k);
    const ArenaMark mark = arena_mark(aside);
    const Program *start =
        program_create(&(ProgramDef){.dag = k->dag,
                                     .arena = aside,
                                     .places = model_copy_places(k->model, aside),
                                     .nominals = k->nominals,
                                     .solution = k->analysis.start,
                                     .is_start = true,
                                     .is_never_run = k->a->is_never_run,
                                     .entries = k->entries,
                                     .entry_count = MODEL_START_ENTRY_COUNT},
                       k->diagnostics);
    start = mode_keep_aside(k, start, aside, mark);
    if (!start)
        return false;
    const uint32_t all = m->states.count + m->flow->guesses.count;
    uint32_t *places = ARENA_ARRAY(k->arena, all, uint32_t);
    uint32_t *steps = ARENA_ARRAY(k->arena, start->guesses.count, uint32_t);
    for (uint32_t i = 0; i < m->states.count; i++)
        places[i] = program_place(start, m->states.variables[i]);
    for (uint32_t i = 0; i < m->flow->guesses.count; i++)
        places[m->states.count + i] = program_place(start, m->flow->guesses.variables[i]);
    DagMemo *numbers = memo_take(k->dag);
    for (uint32_t i = k->guess_variable_count; i-- > 0;)
        memo_set(numbers, k->guess_variables[i], i);
    for (uint32_t i = 0; i < start->guesses.count; i++)
        steps[i] = memo_get(numbers, start->guesses.variables[i]);
    memo_give(numbers);
    find_parameters(k, start);
    m->start.places = places;
    m->start.guess_steps = steps;
    m->start.most_values = m->most_values;
    m->start.initial = k->analysis.initial;
    m->start.continuation = continuation_create(k->model, m->switches.choices);
    m->start.program = start;
    return true;
}

// What the programs of a part compute. That it can be found is known.
static const ProgramEntry *part_entries(const ModeMaker *k, const Mode *part, Diagnostics *quiet)
{
    Mode copy = {
        .model = part->model,
        .parts.number = part->parts.number,
        .switches = {.choices = part->switches.choices,
                     .are_decided = part->switches.are_decided,
                     .slides = part->switches.slides},
    };
    ModeMaker *own = ARENA_NEW(k->arena, ModeMaker);
    *own = mode_maker(&copy);
    own->diagnostics = quiet;
    own->places = k->places;
    if (mode_find_equations(own, part->parts.number))
        mode_set_entries(own);
    gather_end(&own->gathered);
    return own->entries;
}

static void mode_start_join_entries(ModeMaker *k)
{
    const Mode *m = k->mode;
    Diagnostics *quiet = diagnostics_create(k->arena, k->diagnostics->sources);
    const ProgramEntry **parts = ARENA_ARRAY(k->arena, m->parts.count, const ProgramEntry *);
    for (uint32_t i = 0; i < m->parts.count; i++)
        parts[i] = part_entries(k, m->parts.modes[i], quiet);
    mode_join_entries(k, parts);
}

// Of a copy of the mode.
static bool mode_start_add_start(ModeMaker *k)
{
    if (!mode_find_equations(k, PARTS_ALL))
        return false;
    k->places = k->model->places;
    if (k->mode->parts.count > 1) {
        mode_start_join_entries(k);
    } else {
        k->mode->switches.branch_count = k->mode->switches.transition_count = 0;
        mode_set_entries(k);
    }
    return mode_make_start(k);
}

// Others may use the mode already: only what belongs to the initialization changes.
bool mode_add_start(Mode *m)
{
    const double begin = mode_clock();
    workshop_open(m->model);
    arena_on_exhaustion(m->arena, m->model->arena->exhaustion);
    Mode copy = *m;
    ModeMaker k = mode_maker(&copy);
    const size_t errors = m->diagnostics->error_count;
    const bool is_fine = mode_start_add_start(&k) && m->diagnostics->error_count == errors;
    if (k.gathered.map)
        gather_end(&k.gathered);
    if (is_fine)
        mode_keep_start(&copy, &(Keeper){.to = m->arena, .from = k.arena});
    arena_on_exhaustion(m->arena, NULL);
    workshop_close(m->model, false);
    m->seconds += mode_clock() - begin;
    if (!is_fine)
        return false;
    m->start.places = copy.start.places;
    m->start.guess_steps = copy.start.guess_steps;
    m->start.most_values = copy.start.most_values;
    m->start.initial = copy.start.initial;
    m->start.continuation = copy.start.continuation;
    m->start.values = copy.start.values;
    m->start.value_count = copy.start.value_count;
    m->start.row_count = copy.start.row_count;
    m->start.found = copy.start.found;
    m->start.found_places = copy.start.found_places;
    m->start.found_count = copy.start.found_count;
    m->start.program = copy.start.program;
    return true;
}
