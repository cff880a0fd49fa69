// SPDX-License-Identifier: MIT

#include "modes/drift.h"

#include "base/memory.h"
#include "equations/walk.h"
#include "modes/mode_maker.h"
#include "modes/terms.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------
// The constraints of a mode
// ---------------------------------------------------------------------------

// Outputs take the place of states: what can be computed from them, parameters and time is.
static CodePlace *drift_places(const ModeMaker *k)
{
    const Model *m = k->model;
    CodePlace *places = model_copy_places(m, k->arena);
    for (uint32_t v = 0; v < k->dag->variable_count; v++)
        if (places[v].vector != PROGRAM_TIME && places[v].vector != PROGRAM_PARAMETERS)
            places[v] = (CodePlace){CODE_NONE, 0};
    for (uint32_t i = 0; i < m->outputs.count; i++) {
        if (!gather_has_variable(&k->gathered, m->outputs.nodes[i]))
            continue;
        const DagNode *value = dag_get(k->dag, gather_value(&k->gathered, m->outputs.nodes[i]));
        if (value->kind == DAG_VARIABLE)
            places[value->number] = (CodePlace){PROGRAM_STATES, i};
    }
    return places;
}

static bool drift_is_known(const ModeMaker *k, const CodePlace *places, Node node)
{
    DagMemo *memo = memo_take(k->dag);
    walk_variables(memo, WALK_ALL, &node, 1);
    bool is_known = true;
    for (uint32_t i = 0; i < memo->count; i++)
        is_known = is_known && places[memo->list[i]].vector != CODE_NONE;
    memo_give(memo);
    return is_known;
}

static void drift_find(ModeMaker *k, ModeWatch *watch)
{
    const Structure *s = k->analysis.structure;
    const uint32_t most = s->signature->equation_count;
    const CodePlace *places = drift_places(k);
    Node *left_over = ARENA_ARRAY(k->arena, 2 * most, Node);
    const char **texts = ARENA_ARRAY(k->arena, most, const char *);
    uint32_t count = 0;
    for (uint32_t i = 0; i < most; i++) {
        const SystemEquation *e = &k->analysis.system.equations[i];
        const Node node = dag_subtract(k->dag, e->left, e->right);
        if (s->offsets->c[i] == 0 || !e->about.text || !drift_is_known(k, places, node))
            continue;
        texts[count] = e->about.text;
        left_over[count++] = node;
    }
    terms_find(k->dag, left_over, count, left_over + count);
    const ProgramEntry entry = {.name = "constraints", .nodes = left_over, .count = 2 * count};
    watch->program = program_create(
        &(ProgramDef){.dag = k->dag, .places = places, .entries = &entry, .entry_count = 1},
        k->diagnostics);
    watch->texts = texts;
    watch->count = watch->program ? count : 0;
}

void mode_watch(Mode *m)
{
    Mode copy = *m;
    workshop_open(m->model);
    ModeMaker k = mode_maker(&copy);
    k.diagnostics = diagnostics_create(k.arena, m->diagnostics->sources);
    ModeWatch *watch = ARENA_NEW(k.arena, ModeWatch);
    if (mode_find_equations(&k, m->parts.number))
        drift_find(&k, watch);
    if (k.gathered.map)
        gather_end(&k.gathered);
    watch->arena = workshop_close(m->model, true);
    m->watch = watch;
}

// ---------------------------------------------------------------------------
// A run
// ---------------------------------------------------------------------------

// A mode of a part that was met.
typedef struct DriftPart {
    ModeNumber number;
    const ModeWatch *mode;
    ProgramScratch *scratch;
    size_t *drifts; // of its constraints: which one of all
    double *values;
} DriftPart;

struct Drifts {
    const Model *model;
    DriftPart *parts;
    size_t part_count;
    Drift *drifts;
    size_t drift_count;
};

Drifts *drift_create(const Model *model)
{
    Drifts *watch = calloc(1, sizeof *watch);
    if (watch)
        watch->model = model;
    return watch;
}

static void drift_free_part(const DriftPart *part)
{
    program_scratch_free(part->scratch);
    free(part->drifts);
    free(part->values);
}

void drift_destroy(Drifts *watch)
{
    if (!watch)
        return;
    for (size_t i = 0; i < watch->part_count; i++)
        drift_free_part(&watch->parts[i]);
    free(watch->parts);
    free(watch->drifts);
    free(watch);
}

// That of a text; SIZE_MAX: out of memory.
static size_t drift_of_text(Drifts *watch, const char *text)
{
    for (size_t i = 0; i < watch->drift_count; i++)
        if (strcmp(watch->drifts[i].text, text) == 0)
            return i;
    Drift *drifts = realloc(watch->drifts, (watch->drift_count + 1) * sizeof *drifts);
    if (!drifts)
        return SIZE_MAX;
    watch->drifts = drifts;
    drifts[watch->drift_count] = (Drift){.text = text};
    return watch->drift_count++;
}

static bool drift_fill_part(Drifts *watch, DriftPart *part)
{
    const ModeWatch *mode = part->mode;
    if (mode->count == 0)
        return true;
    part->scratch = program_scratch(mode->program);
    part->drifts = calloc(mode->count, sizeof *part->drifts);
    part->values = calloc(2u * mode->count, sizeof *part->values);
    if (!part->scratch || !part->drifts || !part->values)
        return false;
    for (uint32_t i = 0; i < mode->count; i++) {
        part->drifts[i] = drift_of_text(watch, mode->texts[i]);
        if (part->drifts[i] == SIZE_MAX)
            return false;
    }
    return true;
}

// Of a mode of one part; NULL: out of memory.
static DriftPart *drift_part_of(Drifts *watch, ModeNumber number)
{
    for (size_t i = 0; i < watch->part_count; i++)
        if (watch->parts[i].number == number)
            return &watch->parts[i];
    const Mode *mode = model_watched(watch->model, number);
    DriftPart *parts = realloc(watch->parts, (watch->part_count + 1) * sizeof *parts);
    if (parts)
        watch->parts = parts;
    if (!parts || !mode)
        return NULL;
    DriftPart part = {.number = number, .mode = mode->watch};
    if (!drift_fill_part(watch, &part)) {
        drift_free_part(&part);
        return NULL;
    }
    parts[watch->part_count] = part;
    return &parts[watch->part_count++];
}

static bool drift_part(Drifts *watch, ModeNumber number, const SaltusRow *row,
                       const double *parameters)
{
    const DriftPart *part = drift_part_of(watch, number);
    if (!part || part->mode->count == 0)
        return part != NULL;
    const ProgramInputs inputs = {
        .time = row->t, .vectors = {[PROGRAM_STATES] = row->y, [PROGRAM_PARAMETERS] = parameters}};
    const uint32_t count = part->mode->count;
    if (program_evaluate(part->mode->program, part->scratch, &inputs, 0, part->values) !=
        PROGRAM_FINE)
        return true; // the run says so itself
    for (uint32_t i = 0; i < count; i++) {
        Drift *drift = &watch->drifts[part->drifts[i]];
        const double value = fabs(part->values[i]), size = part->values[count + i];
        if (!(value > drift->value))
            continue;
        drift->value = value;
        drift->relative = size > 0.0 ? value / size : value;
        drift->time = row->t;
    }
    return true;
}

bool drift_row(Drifts *watch, const SaltusRow *row, const double *parameters)
{
    const Mode *mode = model_use_mode(watch->model, (ModeNumber)row->mode);
    if (!mode)
        return false;
    bool is_fine = true;
    for (uint32_t i = 0; i < mode->parts.count && is_fine; i++)
        is_fine = !mode->parts.modes[i]->parts.has_constraints ||
                  drift_part(watch, mode->parts.modes[i]->number, row, parameters);
    model_leave_mode(mode);
    return is_fine;
}

static int drift_compare(const void *a, const void *b)
{
    const double left = ((const Drift *)a)->relative;
    const double right = ((const Drift *)b)->relative;
    return (left < right) - (left > right);
}

const Drift *drift_end(Drifts *watch, size_t *count)
{
    *count = watch->drift_count;
    if (watch->drift_count)
        qsort(watch->drifts, watch->drift_count, sizeof *watch->drifts, drift_compare);
    return watch->drifts;
}
