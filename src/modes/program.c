// SPDX-License-Identifier: MIT
//
// Making programs: from blocks of equations to stages of code.

#include "modes/program.h"

#include "equations/walk.h"
#include "modes/terms.h"
#include "numerics/ranked.h"

#include <assert.h>
#include <stdio.h>

typedef struct Builder {
    const ProgramDef *def;
    Arena *arena;
    Dag *dag;
    Diagnostics *diagnostics;
    Program *program;
    CodeModule *module;
    Stage *stages;
    uint32_t stage_room;
    ProgramLevel *levels; // of blocks
    uint32_t *order;      // of blocks, by level
    uint32_t *unknowns;   // in the order of w
    Node *values;         // of those that are defined, likewise
} Builder;

// Entries that need more definitions than this are not made direct: the code would be there twice.
// The derivatives are: they are evaluated more often than all else.
enum { MOST_DIRECT = 2000 };

static uint32_t solution_block_count(const Builder *b)
{
    return b->def->solution ? b->def->solution->block_count : 0;
}

// Those of the solution, then those of the rates.
static uint32_t block_count(const Builder *b)
{
    return solution_block_count(b) + (b->def->rates ? b->def->rates->block_count : 0);
}

static const SolutionBlock *get_block(const Builder *b, uint32_t k)
{
    const uint32_t first = solution_block_count(b);
    return k < first ? &b->def->solution->blocks[k] : &b->def->rates->blocks[k - first];
}

// ---------------------------------------------------------------------------
// Levels
// ---------------------------------------------------------------------------

static void lower(uint8_t *level, GraphVariable variable, ProgramLevel to)
{
    if (level[variable] > to)
        level[variable] = (uint8_t)to;
}

static void lower_all(Builder *b, uint8_t *level, const Node *nodes, uint32_t count,
                      ProgramLevel to)
{
    DagMemo *memo = memo_take(b->dag);
    walk_variables(memo, WALK_UNHELD, nodes, count);
    for (uint32_t i = 0; i < memo->count; i++)
        lower(level, memo->list[i], to);
    memo_give(memo);
}

static ProgramLevel block_level(Builder *b, const SolutionBlock *block, uint8_t *level)
{
    uint8_t least = PROGRAM_ALL;
    for (uint32_t i = 0; i < block->definition_count; i++)
        if (level[block->definitions[i].variable] < least)
            least = level[block->definitions[i].variable];
    for (uint32_t i = 0; i < block->unknown_count; i++)
        if (level[block->unknowns[i]] < least)
            least = level[block->unknowns[i]];
    for (uint32_t i = 0; i < block->definition_count; i++)
        lower_all(b, level, &block->definitions[i].value, 1, (ProgramLevel)least);
    lower_all(b, level, block->residuals, block->unknown_count, (ProgramLevel)least);
    return (ProgramLevel)least;
}

// From the last block to the first: what is needed for what.
static void find_levels(Builder *b)
{
    const ProgramDef *d = b->def;
    const uint32_t blocks = block_count(b);
    uint8_t *level = ARENA_ARRAY(b->arena, b->dag->variable_count, uint8_t);
    memset(level, PROGRAM_ALL, b->dag->variable_count);
    if (d->rates)
        lower_all(b, level, d->rates->nodes, d->event_count, PROGRAM_RATES);
    lower_all(b, level, d->events, d->event_count, PROGRAM_EVENTS);
    for (uint32_t i = 0; d->solution && i < d->solution->state_count; i++)
        lower(level, d->solution->states[i].derivative, PROGRAM_FLOW);
    for (uint32_t k = blocks; k-- > 0;)
        b->levels[k] = block_level(b, get_block(b, k), level);
    b->program->needs = level;
    uint32_t count = 0;
    for (ProgramLevel l = PROGRAM_FLOW; l <= PROGRAM_ALL; l++)
        for (uint32_t k = 0; k < blocks; k++)
            if (b->levels[k] == l)
                b->order[count++] = k;
    memo_give_back(b->dag);
}

// ---------------------------------------------------------------------------
// Stages
// ---------------------------------------------------------------------------

// Most blocks go with those before them: there are far fewer stages than blocks.
static Stage *program_add_stage(Builder *b, Stage stage)
{
    Program *p = b->program;
    if (p->stage_count == b->stage_room) {
        const uint32_t room = b->stage_room ? 2 * b->stage_room : 8;
        b->stages = arena_regrow(b->arena, b->stages, b->stage_room * sizeof *b->stages,
                                 room * sizeof *b->stages);
        b->stage_room = room;
    }
    b->stages[p->stage_count] = stage;
    return &b->stages[p->stage_count++];
}

// What a block is iterated for.
static void add_solved(Builder *b, uint32_t number)
{
    Program *p = b->program;
    const SolutionBlock *block = get_block(b, number);
    const bool is_linear = block->kind != STRUCTURE_NONLINEAR;
    program_add_stage(b, (Stage){.kind = is_linear ? STAGE_LINEAR : STAGE_NONLINEAR,
                                 .level = b->levels[number],
                                 .is_rate = number >= solution_block_count(b),
                                 .first = p->unknown_count,
                                 .size = block->unknown_count,
                                 .block = block});
    if (block->unknown_count > p->widest)
        p->widest = block->unknown_count;
    for (uint32_t i = 0; i < block->unknown_count; i++)
        b->unknowns[p->unknown_count++] = block->unknowns[i];
}

// What follows: joined with what was defined just before.
static void add_defined(Builder *b, uint32_t number)
{
    Program *p = b->program;
    const SolutionBlock *block = get_block(b, number);
    const ProgramLevel level = b->levels[number];
    const bool is_rate = number >= solution_block_count(b);
    Stage *last = p->stage_count ? &b->stages[p->stage_count - 1] : NULL;
    if (!last || last->kind != STAGE_EXPLICIT || last->level != level || last->is_rate != is_rate) {
        last = program_add_stage(b, (Stage){.kind = STAGE_EXPLICIT,
                                            .level = level,
                                            .is_rate = is_rate,
                                            .first = p->unknown_count});
    }
    for (uint32_t i = 0; i < block->definition_count; i++) {
        b->values[p->unknown_count] = block->definitions[i].value;
        b->unknowns[p->unknown_count++] = block->definitions[i].variable;
        last->size++;
    }
}

static void find_stages(Builder *b)
{
    for (uint32_t k = 0; k < block_count(b); k++) {
        const SolutionBlock *block = get_block(b, b->order[k]);
        if (block->unknown_count)
            add_solved(b, b->order[k]);
        if (block->definition_count)
            add_defined(b, b->order[k]);
    }
}

static void find_guesses(Builder *b)
{
    Program *p = b->program;
    uint32_t *guessed = ARENA_ARRAY(b->arena, p->unknown_count, uint32_t);
    double *nominals = ARENA_ARRAY(b->arena, p->unknown_count, double);
    for (uint32_t i = 0; i < p->unknown_count; i++) {
        const double nominal = b->def->nominals ? b->def->nominals[b->unknowns[i]] : 0.0;
        nominals[i] = nominal > 0.0 ? nominal : 1.0;
    }
    for (uint32_t k = 0; k < p->stage_count; k++) {
        Stage *stage = &b->stages[k];
        stage->guess = p->guesses.count;
        // A linear block needs them only if it leaves something open; at a start they are there.
        const bool is_guessed =
            stage->kind == STAGE_NONLINEAR || (stage->kind == STAGE_LINEAR && b->def->is_start);
        if (is_guessed && stage->level > p->guesses.level)
            p->guesses.level = stage->level;
        for (uint32_t i = 0; is_guessed && i < stage->size; i++)
            guessed[p->guesses.count++] = stage->first + i;
    }
    p->guesses.places = guessed;
    GraphVariable *variables = ARENA_ARRAY(b->arena, p->guesses.count, GraphVariable);
    for (uint32_t i = 0; i < p->guesses.count; i++)
        variables[i] = b->unknowns[guessed[i]];
    p->guesses.variables = variables;
    p->nominals = nominals;
    p->unknowns = b->unknowns;
}

// ---------------------------------------------------------------------------
// Code
// ---------------------------------------------------------------------------

static const char *const fixed_names[PROGRAM_VECTOR_COUNT] = {"t", "x", "p", "m", "held"};

static const char *program_text(Builder *b, const char *format, uint32_t number)
{
    char buffer[32];
    const int length = snprintf(buffer, sizeof buffer, format, number);
    return arena_copy_text(b->arena, buffer, (size_t)length);
}

// Every stage has a vector of its own, part of w: what it writes, later ones read.
static void create_module(Builder *b)
{
    const uint32_t stages = b->program->stage_count, variables = b->dag->variable_count;
    CodePlace *places = ARENA_ARRAY(b->arena, variables, CodePlace);
    memcpy(places, b->def->places, variables * sizeof *places);
    const char **inputs = ARENA_ARRAY(b->arena, PROGRAM_VECTOR_COUNT + stages, const char *);
    const char **outputs = ARENA_ARRAY(b->arena, PROGRAM_OUT_STAGES + stages, const char *);
    memcpy(inputs, fixed_names, sizeof fixed_names);
    for (uint32_t k = 0; k < stages; k++) {
        const Stage *stage = &b->stages[k];
        inputs[PROGRAM_VECTOR_COUNT + k] = program_text(b, "w%u", k);
        outputs[PROGRAM_OUT_STAGES + k] = program_text(b, "stage_w%u", k);
        for (uint32_t i = 0; i < stage->size; i++)
            places[b->program->unknowns[stage->first + i]] =
                (CodePlace){PROGRAM_VECTOR_COUNT + k, i};
    }
    outputs[PROGRAM_OUT_VALUES] = "values";
    outputs[PROGRAM_OUT_MATRIX] = "matrix";
    outputs[PROGRAM_OUT_FLOW] = "dx";
    b->module = code_create(b->dag, &(CodeLayout){.input_count = PROGRAM_VECTOR_COUNT + stages,
                                                  .output_count = PROGRAM_OUT_STAGES + stages,
                                                  .input_names = inputs,
                                                  .output_names = outputs,
                                                  .held = PROGRAM_HELD,
                                                  .places = places,
                                                  .is_never_run = b->def->is_never_run,
                                                  .arena = b->arena,
                                                  .place_count = variables});
}

static bool program_add_entry(Builder *b, const CodeEntryDef *def, uint32_t *entry)
{
    const char *reason = NULL;
    *entry = code_add_entry(b->module, def, &reason);
    if (*entry == CODE_NONE)
        diagnostics_error(b->diagnostics, (Span){0, 0}, "cannot compute %s: %s", def->name,
                          reason ? reason : "unknown reason");
    return *entry != CODE_NONE;
}

// What an entry reads and does.
static unsigned program_reads(const CodeModule *module, EntryNumber entry)
{
    const CodeBody *body = module->entries[entry];
    unsigned reads = 0;
    for (uint32_t i = 0; i < body->value_count; i++)
        if (body->values[i].kind == CODE_INPUT)
            reads |= body->values[i].vector < PROGRAM_VECTOR_COUNT ? 1u << body->values[i].vector
                                                                   : PROGRAM_READS_UNKNOWNS;
    for (uint32_t i = 0; i < body->instruction_count; i++) {
        const uint32_t op = body->instructions[i].op;
        if (op == CODE_EXTERNAL || op == CODE_CALL || op >= CODE_FIRST_WHOLE)
            reads |= PROGRAM_MAY_FAIL;
    }
    return reads;
}

static void find_reads(Builder *b, const uint32_t *entries, uint32_t count)
{
    uint8_t *reads = ARENA_ARRAY(b->arena, count, uint8_t);
    for (uint32_t i = 0; i < count; i++)
        reads[i] = (uint8_t)program_reads(b->module, entries[i]);
    b->program->reads = reads;
    unsigned all = 0;
    for (uint32_t k = 0; k < b->program->stage_count; k++) {
        Stage *stage = &b->stages[k];
        all |= program_reads(b->module, stage->entry);
        if (stage->kind == STAGE_EXPLICIT)
            continue;
        const unsigned matrix = program_reads(b->module, stage->jacobian);
        stage->is_switched = matrix & (1u << PROGRAM_HELD | 1u << PROGRAM_MEMORY);
        all |= matrix | PROGRAM_MAY_FAIL;
    }
    b->program->stages_read = (uint8_t)all;
}

static CodeOutput output(uint32_t vector, uint32_t index, Node value)
{
    return (CodeOutput){.vector = vector, .index = index, .value = value};
}

static bool code_explicit(Builder *b, Stage *stage, uint32_t number)
{
    DagTerm *definitions = ARENA_ARRAY(b->arena, stage->size, DagTerm);
    CodeOutput *outputs = ARENA_ARRAY(b->arena, stage->size, CodeOutput);
    for (uint32_t i = 0; i < stage->size; i++) {
        const uint32_t unknown = b->program->unknowns[stage->first + i];
        definitions[i] = (DagTerm){unknown, b->values[stage->first + i]};
        outputs[i] = output(PROGRAM_OUT_STAGES + number, i, dag_reference(b->dag, unknown));
    }
    return program_add_entry(b,
                             &(CodeEntryDef){.name = program_text(b, "stage%u", number),
                                             .outputs = outputs,
                                             .output_count = stage->size,
                                             .definitions = definitions,
                                             .definition_count = stage->size,
                                             .is_held = true},
                             &stage->entry);
}

// Residuals, or the Jacobian; what follows from the unknowns is computed on the way.
static bool code_block(Builder *b, const Stage *stage, const char *name, const CodeOutput *outputs,
                       uint32_t count, uint32_t *entry)
{
    const SolutionBlock *block = stage->block;
    DagTerm *definitions = ARENA_ARRAY(b->arena, block->definition_count, DagTerm);
    for (uint32_t i = 0; i < block->definition_count; i++)
        definitions[i] = (DagTerm){block->definitions[i].variable, block->definitions[i].value};
    return program_add_entry(b,
                             &(CodeEntryDef){.name = name,
                                             .outputs = outputs,
                                             .output_count = count,
                                             .definitions = definitions,
                                             .definition_count = block->definition_count,
                                             .is_held = true},
                             entry);
}

static bool code_residuals(Builder *b, Stage *stage, uint32_t number)
{
    const uint32_t n = stage->size;
    CodeOutput *outputs = ARENA_ARRAY(b->arena, n, CodeOutput);
    for (uint32_t i = 0; i < n; i++)
        outputs[i] = output(PROGRAM_OUT_VALUES, i, stage->block->residuals[i]);
    return code_block(b, stage, program_text(b, "stage%u", number), outputs, n, &stage->entry);
}

static bool code_terms(Builder *b, Stage *stage, uint32_t number)
{
    const uint32_t n = stage->size;
    CodeOutput *outputs = ARENA_ARRAY(b->arena, n, CodeOutput);
    Node *terms = ARENA_ARRAY(b->arena, n, Node);
    // Of equations that follow from others nothing but rounding may be left, that of definitions
    // included.
    const SolutionBlock *block = stage->block;
    const uint32_t count = stage->kind == STAGE_LINEAR ? block->definition_count : 0;
    terms_find_through(b->dag, block->definitions, count, block->residuals, n, terms);
    for (uint32_t i = 0; i < n; i++)
        outputs[i] = output(PROGRAM_OUT_VALUES, i, terms[i]);
    return code_block(b, stage, program_text(b, "terms%u", number), outputs, n, &stage->terms);
}

static void set_dense_outputs(Builder *b, const Stage *stage, CodeOutput *outputs)
{
    const SolutionBlock *block = stage->block;
    const uint32_t n = stage->size;
    for (uint32_t i = 0; i < n * n; i++)
        outputs[i] = output(PROGRAM_OUT_MATRIX, i, dag_real(b->dag, 0.0));
    for (uint32_t j = 0; j < n; j++)
        for (uint32_t e = block->column_start[j]; e < block->column_start[j + 1]; e++)
            outputs[j * n + block->rows[e]].value = block->entries[e];
}

// In the order of the pattern, which the stage gets.
static void set_sparse_outputs(Builder *b, Stage *stage, CodeOutput *outputs)
{
    const SolutionBlock *block = stage->block;
    const uint32_t n = stage->size, count = block->column_start[n];
    stage->column_start = ARENA_ARRAY(b->arena, n + 1, int);
    stage->rows = ARENA_ARRAY(b->arena, count, int);
    for (uint32_t j = 0; j <= n; j++)
        stage->column_start[j] = (int)block->column_start[j];
    for (uint32_t e = 0; e < count; e++) {
        stage->rows[e] = (int)block->rows[e];
        outputs[e] = output(PROGRAM_OUT_MATRIX, e, block->entries[e]);
    }
}

static bool code_jacobian(Builder *b, Stage *stage, uint32_t number)
{
    if (!stage->block->column_start) {
        diagnostics_error(b->diagnostics, stage->block->equations[0].span,
                          "equations that have to be solved together contain a function without a "
                          "derivative");
        return false;
    }
    const uint32_t n = stage->size, entries = stage->block->column_start[n];
    const bool is_sparse = sparse_pays((int)n, (int)entries);
    const uint32_t count = is_sparse ? entries : n * n;
    CodeOutput *outputs = ARENA_ARRAY(b->arena, count, CodeOutput);
    if (is_sparse)
        set_sparse_outputs(b, stage, outputs);
    else
        set_dense_outputs(b, stage, outputs);
    if (count > b->program->most_values)
        b->program->most_values = count;
    return code_block(b, stage, program_text(b, "jacobian%u", number), outputs, count,
                      &stage->jacobian);
}

// A linear block may leave open what is defined by its unknowns, too.
static uint32_t open_size(const Program *p, const Stage *stage)
{
    const Stage *next = stage + 1;
    const bool has_next = next < p->stages + p->stage_count && next->kind == STAGE_EXPLICIT &&
                          stage->kind == STAGE_LINEAR && next->level == stage->level &&
                          next->first == stage->first + stage->size &&
                          next->size >= stage->block->definition_count;
    return stage->size + (has_next ? stage->block->definition_count : 0);
}

// A derivative, or a variable whose derivative is found, too, and not only for rates of events.
static bool is_motion(const Builder *b, GraphVariable variable)
{
    const DagVariable *v = &b->dag->variables[variable];
    const uint32_t place =
        v->derivative == DAG_NONE ? CODE_NONE : program_place(b->program, v->derivative);
    uint32_t k = 0;
    while (place != CODE_NONE && b->stages[k].first + b->stages[k].size <= place)
        k++;
    return v->role == DAG_DERIVATIVE || (place != CODE_NONE && !b->stages[k].is_rate);
}

// What may be open. At a start there are start values.
static void program_find_open(Builder *b, Stage *stage)
{
    const bool is_large = stage->size > RANKED_LARGEST;
    const bool is_asked = !is_large && !b->def->is_start && !stage->is_rate;
    stage->open_count = is_large ? stage->size : open_size(b->program, stage);
    const char **names = ARENA_ARRAY(b->arena, stage->open_count, const char *);
    bool *motion = is_asked ? ARENA_ARRAY(b->arena, stage->open_count, bool) : NULL;
    for (uint32_t i = 0; i < stage->open_count; i++) {
        const uint32_t unknown = b->unknowns[stage->first + i];
        names[i] = b->dag->variables[unknown].name;
        if (is_asked)
            motion[i] = is_motion(b, unknown);
    }
    stage->names = names;
    stage->is_motion = motion;
}

// What messages say about a stage. Of equations that do not agree, one is shown: any of them.
static void program_describe_stage(Builder *b, Stage *stage)
{
    const SolutionBlock *block = stage->block;
    const uint32_t count =
        block->unknown_count <= RANKED_LARGEST ? block->unknown_count : (uint32_t)PROGRAM_SHOWN;
    StageEquation *shown = ARENA_ARRAY(b->arena, count, StageEquation);
    for (uint32_t i = 0; i < count; i++) {
        const SignatureEquation *e = &block->equations[i];
        shown[i].span = e->span;
        if (e->text) // the analysis may go first
            shown[i].text = arena_copy_text(b->arena, e->text, strlen(e->text));
    }
    stage->equations = shown;
    stage->equation_count = count;
}

static bool code_stage(Builder *b, uint32_t number)
{
    Stage *stage = &b->stages[number];
    if (stage->kind == STAGE_EXPLICIT)
        return code_explicit(b, stage, number);
    program_find_open(b, stage);
    program_describe_stage(b, stage);
    return code_residuals(b, stage, number) && code_jacobian(b, stage, number) &&
           ((stage->kind == STAGE_LINEAR && stage->size > RANKED_LARGEST) ||
            code_terms(b, stage, number));
}

// ---------------------------------------------------------------------------
// Direct entries
// ---------------------------------------------------------------------------

// Adds the definition of a variable unless it is an input: `pulled` maps variables to definitions
// and lists them. False: it is found by solving a block, or there would be more than `most`.
static bool pull_variable(Builder *b, DagMemo *pulled, uint32_t most, GraphVariable variable)
{
    const CodePlace place = b->module->layout.places[variable];
    if (memo_has(pulled, variable) || place.vector == CODE_NONE ||
        place.vector < PROGRAM_VECTOR_COUNT)
        return true;
    const Stage *stage = &b->stages[place.vector - PROGRAM_VECTOR_COUNT];
    if (stage->kind != STAGE_EXPLICIT || pulled->count == most)
        return false;
    memo_set(pulled, variable, b->values[stage->first + place.index]);
    memo_push(pulled, variable);
    return true;
}

// All definitions that the nodes need, and those need, and so on, as those of an entry.
static bool pull_definitions(Builder *b, const Node *nodes, uint32_t count, uint32_t most,
                             CodeEntryDef *def)
{
    DagMemo *pulled = memo_take(b->dag), *memo = memo_take(b->dag);
    bool is_fine = true;
    walk_variables(memo, WALK_UNHELD, nodes, count);
    for (uint32_t i = 0; i < memo->count && is_fine; i++)
        is_fine = pull_variable(b, pulled, most, memo->list[i]);
    for (uint32_t k = 0; k < pulled->count && is_fine; k++) {
        const Node value = memo_get(pulled, pulled->list[k]);
        memo_clear(memo);
        walk_variables(memo, WALK_UNHELD, &value, 1);
        for (uint32_t i = 0; i < memo->count && is_fine; i++)
            is_fine = pull_variable(b, pulled, most, memo->list[i]);
    }
    if (is_fine) {
        DagTerm *definitions = ARENA_ARRAY(b->arena, pulled->count, DagTerm);
        for (uint32_t k = 0; k < pulled->count; k++)
            definitions[k] = (DagTerm){pulled->list[k], memo_get(pulled, pulled->list[k])};
        def->definitions = definitions;
        def->definition_count = pulled->count;
    }
    memo_give(memo);
    memo_give(pulled);
    return is_fine;
}

static bool code_entry(Builder *b, const ProgramEntry *entry, uint32_t *number, bool *is_direct)
{
    CodeEntryDef def = {.name = entry->name,
                        .output_count = entry->count,
                        .definitions = entry->definitions,
                        .definition_count = entry->definition_count,
                        .is_held = !entry->is_literal,
                        .is_guess = entry->is_guess};
    Arena *scratch = arena_scratch(b->arena);
    const ArenaMark mark = arena_mark(scratch);
    CodeOutput *outputs = ARENA_ARRAY(scratch, entry->count, CodeOutput);
    for (uint32_t i = 0; i < entry->count; i++)
        outputs[i] = output(PROGRAM_OUT_VALUES, i, entry->nodes[i]);
    def.outputs = outputs;
    *is_direct =
        entry->is_direct && pull_definitions(b, entry->nodes, entry->count, MOST_DIRECT, &def);
    const bool is_fine = program_add_entry(b, &def, number);
    arena_release(scratch, mark);
    return is_fine;
}

// The derivatives of the states: directly, and where they are in w.
static bool code_flow(Builder *b)
{
    Program *p = b->program;
    p->flow = p->slopes = CODE_NONE;
    p->state_count = b->def->solution ? b->def->solution->state_count : 0;
    int64_t *derivatives = ARENA_ARRAY(b->arena, p->state_count, int64_t);
    Node *nodes = ARENA_ARRAY(b->arena, p->state_count, Node);
    for (uint32_t i = 0; i < p->state_count; i++) {
        const uint32_t derivative = b->def->solution->states[i].derivative;
        const StateNumber state = program_state(p, derivative);
        derivatives[i] = state != CODE_NONE ? -1 - (int64_t)state : program_place(p, derivative);
        nodes[i] = dag_reference(b->dag, derivative);
    }
    p->derivatives = derivatives;
    CodeEntryDef def = {.name = "flow", .output_count = p->state_count, .is_held = true};
    if (!p->state_count || !pull_definitions(b, nodes, p->state_count, UINT32_MAX, &def))
        return true;
    CodeOutput *outputs = ARENA_ARRAY(b->arena, p->state_count, CodeOutput);
    for (uint32_t i = 0; i < p->state_count; i++)
        outputs[i] = output(PROGRAM_OUT_FLOW, i, nodes[i]);
    def.outputs = outputs;
    return program_add_entry(b, &def, &p->flow);
}

// Their derivatives by the states, if that takes less than differences do.
static bool code_slopes(Builder *b)
{
    Program *p = b->program;
    const FlowSlopes *slopes = b->def->slopes;
    CodeEntryDef def = {.name = "slopes", .is_held = true};
    if (!slopes || p->flow == CODE_NONE ||
        !pull_definitions(b, slopes->nodes, slopes->count, MOST_DIRECT, &def))
        return true;
    CodeOutput *outputs = ARENA_ARRAY(b->arena, slopes->count, CodeOutput);
    for (uint32_t i = 0; i < slopes->count; i++)
        outputs[i] = output(PROGRAM_OUT_VALUES, i, slopes->nodes[i]);
    def.outputs = outputs;
    def.output_count = slopes->count;
    if (!program_add_entry(b, &def, &p->slopes))
        return false;
    const double own = b->module->entries[p->slopes]->instruction_count,
                 flow = b->module->entries[p->flow]->instruction_count;
    if (own > flow * slopes->groups) {
        b->module->entry_count--;
        p->slopes = CODE_NONE;
    }
    return true;
}

// The variables that are zero because nothing determines them: said when a run meets the program.
static void list_zeroed(const Builder *b, ProgramNote *note)
{
    const System *s = b->def->solution ? b->def->solution->system : NULL;
    for (uint32_t i = 0; s && i < s->equation_count; i++) {
        if (!s->equations[i].about.is_zeroed)
            continue;
        if (note->count < PROGRAM_NOTED)
            note->names[note->count] =
                b->dag->variables[dag_get(b->dag, s->equations[i].left)->number].name;
        note->count++;
    }
}

const Program *program_create(const ProgramDef *def, Diagnostics *diagnostics)
{
    Arena *arena = def->arena ? def->arena : def->dag->arena;
    Program *program = ARENA_NEW(arena, Program);
    Builder b = {.def = def,
                 .arena = arena,
                 .dag = def->dag,
                 .diagnostics = diagnostics,
                 .program = program};
    uint32_t unknowns = 0;
    for (uint32_t k = 0; k < block_count(&b); k++)
        unknowns += get_block(&b, k)->definition_count + get_block(&b, k)->unknown_count;
    b.levels = ARENA_ARRAY(arena, block_count(&b), ProgramLevel);
    b.order = ARENA_ARRAY(arena, block_count(&b), uint32_t);
    b.unknowns = ARENA_ARRAY(arena, unknowns, uint32_t);
    b.values = ARENA_ARRAY(arena, unknowns, Node);
    find_levels(&b);
    find_stages(&b);
    find_guesses(&b);
    create_module(&b);
    program->module = b.module;
    program->code = ARENA_NEW(arena, BackendCode);
    program->note = program->stage_count ? ARENA_NEW(arena, ProgramNote) : NULL; // stages note it
    if (program->note)
        list_zeroed(&b, program->note);
    program->is_start = def->is_start;
    program->stages = b.stages;
    bool is_fine = true;
    for (uint32_t k = 0; k < program->stage_count && is_fine; k++)
        is_fine = code_stage(&b, k);
    uint32_t *entries = ARENA_ARRAY(arena, def->entry_count, uint32_t);
    uint32_t *counts = ARENA_ARRAY(arena, def->entry_count, uint32_t);
    bool *is_direct = ARENA_ARRAY(arena, def->entry_count, bool);
    for (uint32_t k = 0; k < def->entry_count && is_fine; k++) {
        counts[k] = def->entries[k].count;
        is_fine = code_entry(&b, &def->entries[k], &entries[k], &is_direct[k]);
    }
    if (!is_fine || !code_flow(&b) || !code_slopes(&b))
        return NULL;
    code_finish(b.module);
    find_reads(&b, entries, def->entry_count);
    program->entries = entries;
    program->entry_count = def->entry_count;
    program->counts = counts;
    program->is_direct = is_direct;
    return program;
}

void program_release(const Program *p)
{
    if (p && !p->joined.parts)
        backend_release(p->code);
}

// ---------------------------------------------------------------------------
// Programs that are kept
// ---------------------------------------------------------------------------

// A new member that points to something must be kept, too.
static_assert(sizeof(void *) != 8 || (sizeof(Program) == 256 && sizeof(Stage) == 104),
              "program_keep must know all members");

// The places by ascending variable: those of the states, or those in w.
static const ProgramPlace *keep_places(const Program *p, Arena *arena, bool of_states,
                                       uint32_t *count)
{
    const CodeLayout *layout = &p->module->layout;
    ProgramPlace *places =
        ARENA_ARRAY(arena, (of_states ? p->state_count : p->unknown_count), ProgramPlace);
    *count = 0;
    for (uint32_t v = 0; v < layout->place_count; v++) {
        const uint32_t place = of_states ? program_state(p, v) : program_place(p, v);
        if (place != CODE_NONE)
            places[(*count)++] = (ProgramPlace){v, place};
    }
    return places;
}

static const Stage *keep_stages(const Program *p, const Keeper *k)
{
    Stage *stages = keep_array(k, p->stages, p->stage_count, sizeof *stages);
    for (uint32_t i = 0; i < p->stage_count; i++) {
        Stage *stage = &stages[i];
        stage->block = NULL;
        stage->names = stage->names ? keep_texts(k, stage->names, stage->open_count) : NULL;
        KEEP(k, stage->is_motion, stage->open_count);
        StageEquation *equations =
            keep_array(k, stage->equations, stage->equation_count, sizeof *equations);
        for (uint32_t e = 0; e < stage->equation_count; e++)
            equations[e].text = keep_text(k, equations[e].text);
        stage->equations = equations;
        KEEP(k, stage->rows, stage->rows ? stage->column_start[stage->size] : 0);
        KEEP(k, stage->column_start, stage->size + 1);
    }
    return stages;
}

double program_length(const Program *p)
{
    double length = 0.0;
    for (uint32_t i = 0; i < p->module->entry_count; i++)
        length += p->module->entries[i]->instruction_count;
    return length;
}

unsigned program_short_use(const Program *p)
{
    enum { MOST_INSTRUCTIONS = 1000 };
    return p && !p->joined.parts && program_length(p) <= MOST_INSTRUCTIONS ? PROGRAM_COMPILED : 0;
}

const Program *program_keep(const Program *from, const Keeper *k, unsigned uses)
{
    if (!from || !keep_is_needed(k, from)) // it is kept already
        return from;
    Program *p = keep_array(k, from, 1, sizeof *from);
    if (uses & PROGRAM_SEARCHED) {
        p->places = keep_places(from, k->to, false, &p->place_count);
        p->state_places = keep_places(from, k->to, true, &p->state_place_count);
    }
    p->module = code_keep(p->module, k, !(uses & PROGRAM_COMPILED));
    KEEP(k, p->code, 1);
    KEEP(k, p->note, 1);
    for (uint32_t i = 0; p->note && i < p->note->count && i < PROGRAM_NOTED; i++)
        p->note->names[i] = keep_text(k, p->note->names[i]);
    p->stages = keep_stages(p, k);
    p->unknowns = NULL;
    p->needs = NULL;
    KEEP(k, p->nominals, p->unknown_count);
    KEEP(k, p->guesses.places, p->guesses.count);
    KEEP(k, p->guesses.variables, p->guesses.count);
    KEEP(k, p->entries, p->entry_count);
    KEEP(k, p->counts, p->entry_count);
    KEEP(k, p->is_direct, p->entry_count);
    KEEP(k, p->reads, p->entry_count);
    KEEP(k, p->derivatives, p->state_count);
    return p;
}

const Program *program_create_in(Arena *to, const ProgramDef *def, Diagnostics *diagnostics)
{
    Arena *aside = arena_scratch(to);
    const ArenaMark mark = arena_mark(aside);
    ProgramDef own = *def;
    own.arena = aside;
    const Program *kept = program_keep(program_create(&own, diagnostics),
                                       &(Keeper){.to = to, .from = aside}, PROGRAM_COMPILED);
    arena_release(aside, mark);
    return kept;
}

// ---------------------------------------------------------------------------
// Joined programs
// ---------------------------------------------------------------------------

static void join_guesses(Arena *arena, Program *all)
{
    uint32_t *guessed = ARENA_ARRAY(arena, all->guesses.count, uint32_t), count = 0;
    GraphVariable *variables = ARENA_ARRAY(arena, all->guesses.count, GraphVariable);
    for (uint32_t k = 0; k < all->joined.count; k++) {
        const ProgramPart *part = &all->joined.parts[k];
        for (uint32_t i = 0; i < part->program->guesses.count; i++) {
            guessed[count] = part->w + part->program->guesses.places[i];
            variables[count++] = part->program->guesses.variables[i];
        }
    }
    all->guesses.places = guessed;
    all->guesses.variables = variables;
}

// An entry is direct if it is in all programs that have any of its values.
static void program_join_entries(Arena *arena, Program *all, uint32_t entry_count)
{
    bool *is_direct = ARENA_ARRAY(arena, entry_count, bool);
    uint8_t *reads = ARENA_ARRAY(arena, entry_count, uint8_t);
    uint32_t *counts = ARENA_ARRAY(arena, entry_count, uint32_t);
    for (uint32_t e = 0; e < entry_count; e++) {
        is_direct[e] = true;
        for (uint32_t k = 0; k < all->joined.count; k++) {
            const Program *p = all->joined.parts[k].program;
            is_direct[e] = is_direct[e] && (p->is_direct[e] || p->counts[e] == 0);
            reads[e] = (uint8_t)(reads[e] | p->reads[e]);
            counts[e] += p->counts[e];
        }
    }
    for (uint32_t k = 0; k < all->joined.count; k++)
        all->stages_read = (uint8_t)(all->stages_read | all->joined.parts[k].program->stages_read);
    all->is_direct = is_direct;
    all->reads = reads;
    all->counts = counts;
}

Program *program_join(Arena *arena, const Program *const *programs, uint32_t count,
                      uint32_t entry_count)
{
    Program *all = ARENA_NEW(arena, Program);
    ProgramPart *parts = ARENA_ARRAY(arena, count, ProgramPart);
    *all = (Program){.joined.parts = parts,
                     .joined.count = count,
                     .joined.scattered = CODE_NONE,
                     .flow = CODE_NONE,
                     .slopes = CODE_NONE};
    for (uint32_t k = 0; k < count; k++) {
        const Program *p = programs[k];
        parts[k] = (ProgramPart){p, all->unknown_count, all->state_count, all->guesses.count};
        all->unknown_count += p->unknown_count;
        all->state_count += p->state_count;
        all->guesses.count += p->guesses.count;
        if (p->guesses.count && p->guesses.level > all->guesses.level)
            all->guesses.level = p->guesses.level;
    }
    join_guesses(arena, all);
    program_join_entries(arena, all, entry_count);
    return all;
}

void program_scatter(Program *all, EntryNumber entry, const uint32_t *const *places,
                     const Program *observer, const uint32_t *observed)
{
    uint32_t most = observer ? observer->counts[0] : 0;
    for (uint32_t k = 0; k < all->joined.count; k++) {
        const uint32_t count = all->joined.parts[k].program->counts[entry];
        most = count > most ? count : most;
    }
    all->joined.scattered = entry;
    all->joined.scatter = places;
    all->joined.scattered_count = most;
    all->joined.observer = observer;
    all->joined.observed = observed;
}

// ---------------------------------------------------------------------------
// Places
// ---------------------------------------------------------------------------

static uint32_t program_find_place(const ProgramPlace *places, uint32_t count,
                                   GraphVariable variable)
{
    uint32_t begin = 0, end = count;
    while (begin < end) {
        const uint32_t middle = begin + (end - begin) / 2;
        if (places[middle].variable < variable)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin < count && places[begin].variable == variable ? places[begin].place : CODE_NONE;
}

UnknownPlace program_place(const Program *p, GraphVariable variable)
{
    for (uint32_t k = 0; k < p->joined.count; k++) {
        const UnknownPlace place = program_place(p->joined.parts[k].program, variable);
        if (place != CODE_NONE)
            return p->joined.parts[k].w + place;
    }
    if (p->joined.parts)
        return CODE_NONE;
    if (p->places)
        return program_find_place(p->places, p->place_count, variable);
    const CodeLayout *layout = &p->module->layout;
    if (variable >= layout->place_count || layout->places[variable].vector == CODE_NONE ||
        layout->places[variable].vector < PROGRAM_VECTOR_COUNT)
        return CODE_NONE;
    const CodePlace place = layout->places[variable];
    return p->stages[place.vector - PROGRAM_VECTOR_COUNT].first + place.index;
}

StateNumber program_state(const Program *p, GraphVariable variable)
{
    for (uint32_t k = 0; k < p->joined.count; k++) {
        const StateNumber state = program_state(p->joined.parts[k].program, variable);
        if (state != CODE_NONE)
            return p->joined.parts[k].state + state;
    }
    if (p->joined.parts)
        return CODE_NONE;
    if (p->state_places)
        return program_find_place(p->state_places, p->state_place_count, variable);
    const CodeLayout *layout = &p->module->layout;
    return variable < layout->place_count && layout->places[variable].vector == PROGRAM_STATES
               ? layout->places[variable].index
               : CODE_NONE;
}
