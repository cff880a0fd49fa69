// SPDX-License-Identifier: MIT

#include "modes/parameters.h"
#include "base/memory.h"

#include "base/error.h"
#include "equations/walk.h"
#include "flatten/live.h"
#include "flatten/place.h"
#include "modes/failure.h"
#include "structure/graph.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// Parameters, and those that each depends on.
static Graph find_uses(Dag *dag, const CodePlace *places, const Node *values, uint32_t count)
{
    uint32_t *start = ARENA_ARRAY(dag->arena, count + 1u, uint32_t);
    uint32_t *uses = NULL, use_count = 0, use_room = 0;
    DagMemo *memo = memo_take(dag);
    for (uint32_t p = 0; p < count; p++) {
        memo_clear(memo);
        walk_variables(memo, WALK_ALL, &values[p], 1);
        for (uint32_t i = 0; i < memo->count; i++) {
            if (places[memo->list[i]].vector != PROGRAM_PARAMETERS)
                continue;
            ARENA_PUSH(dag->arena, uses, use_count, use_room, places[memo->list[i]].index);
        }
        start[p + 1] = use_count;
    }
    memo_give(memo);
    return (Graph){count, count, start, uses};
}

static void report_circle(const Assembly *a, GraphVariable parameter)
{
    const DagVariable *variable = &a->dag->variables[parameter];
    diagnostics_error(a->diagnostics, a->flat->variables[variable->origin]->reference.span,
                      "the value of %s depends on itself", variable->name);
}

// What a parameter is that has no value: zero, false, the first literal.
static const char *default_text(const FlatVariable *v)
{
    const FlatType *type = FLAT_TYPE(v);
    return type->kind == FLAT_TYPE_BOOLEAN       ? "false"
           : type->kind == FLAT_TYPE_ENUMERATION ? type->literals[0]->text
                                                 : "0";
}

// Section 8.6: where there is only a start value, that is used, and a message is recommended. Of an
// array one message will do.
static void warn_missing(Assembly *a, const FlatVariable *v)
{
    const char *role = v->direction == FLAT_INPUT ? "input" : "parameter";
    const Span span = place_of(a->diagnostics->sources, a->flat, v->reference.span, v->component);
    StringBuilder name = builder_create(a->dag->arena);
    if (v->element > 0 || (v->attributes->start && v->direction == FLAT_INPUT))
        return;
    flat_component_name(&name, v->component);
    const char *text = builder_string(&name).text, *right = place_modification(a->dag->arena, v);
    if (v->attributes->start)
        diagnostics_warning(a->diagnostics, span,
                            "the %s %s has no value, only a start value: that is taken; '%s' gives "
                            "it one",
                            role, text, right);
    else
        diagnostics_warning(a->diagnostics, span,
                            "the %s %s has no value: %s is taken; '%s' gives it one", role, text,
                            default_text(v), right);
}

static Node parameters_value_of(Assembly *a, const FlatVariable *v)
{
    if (!v->binding && !assemble_is_found(v)) // also if it is evaluated, being zero: see zeros.h
        warn_missing(a, v);
    if (v->is_evaluated)
        return convert_value(a->translation, v);
    if (v->binding)
        return translate(a->translation, v->binding);
    if (v->attributes->start)
        return translate(a->translation, v->attributes->start);
    return dag_real(a->dag, FLAT_TYPE(v)->kind == FLAT_TYPE_ENUMERATION ? 1.0 : 0.0);
}

// Of a live input its value is logged, not how it goes on: see flatten/live.h.
static const unsigned *parameters_classes(Arena *arena, const FlatVariable *const *flat,
                                          uint32_t count)
{
    unsigned *classes = ARENA_ARRAY(arena, count + 1u, unsigned);
    bool is_any = false;
    for (uint32_t i = 0; i < count; i++) {
        size_t length;
        const int part = live_part(flat[i], &length);
        is_any |= part != LIVE_COUNT;
        classes[i] = part == LIVE_COUNT   ? SALTUS_SE_P
                     : part == LIVE_VALUE ? SALTUS_SE_I
                                          : SALTUS_SE_I | SALTUS_UNLOGGED;
    }
    return is_any ? classes : NULL;
}

// The graph's variable of a variable that is a parameter, or DAG_NONE.
static uint32_t parameters_variable(const Assembly *a, uint32_t flat)
{
    const uint32_t v = translate_variable(a->translation, a->flat->variables[flat]);
    return v != DAG_NONE && a->dag->variables[v].variability == DAG_PARAMETER ? v : DAG_NONE;
}

// Most of them are numbers, which need no code. How many entries there are.
static uint32_t parameters_find_numbers(Parameters *p, const Assembly *a, const Node *values,
                                        ProgramEntry *entries)
{
    uint32_t *places = ARENA_ARRAY(a->dag->arena, p->count, uint32_t), count = 0;
    double *numbers = ARENA_ARRAY(a->dag->arena, p->count, double);
    for (uint32_t i = 0; i < p->count; i++) {
        places[i] = dag_is_number(a->dag, values[i]) ? CODE_NONE : count;
        if (places[i] == CODE_NONE) {
            numbers[i] = dag_get(a->dag, values[i])->value;
        } else {
            entries[count] = (ProgramEntry){
                .name = "parameter", .nodes = &values[i], .count = 1, .is_literal = true};
            count++;
        }
    }
    p->entries = places;
    p->numbers = numbers;
    return count;
}

const Parameters *parameters_create(Assembly *a, CodePlace *places)
{
    Arena *arena = a->dag->arena;
    const uint32_t all = a->flat->variable_count;
    Parameters *p = ARENA_NEW(arena, Parameters);
    uint32_t most = 0;
    for (uint32_t i = 0; i < all; i++)
        most += parameters_variable(a, i) != DAG_NONE;
    const FlatVariable **flat = ARENA_ARRAY(arena, most, const FlatVariable *);
    const char **names = ARENA_ARRAY(arena, most, const char *);
    GraphVariable *variables = ARENA_ARRAY(arena, most, GraphVariable);
    for (uint32_t i = 0; i < all; i++) {
        const uint32_t v = parameters_variable(a, i);
        if (v == DAG_NONE)
            continue;
        places[v] = (CodePlace){PROGRAM_PARAMETERS, p->count};
        flat[p->count] = a->flat->variables[i];
        names[p->count] = flat[p->count]->name;
        variables[p->count++] = v;
    }
    Node *values = ARENA_ARRAY(arena, p->count, Node);
    for (uint32_t i = 0; i < p->count; i++)
        values[i] = parameters_value_of(a, flat[i]);
    const Graph uses = find_uses(a->dag, places, values, p->count);
    uint32_t *order = ARENA_ARRAY(arena, p->count, uint32_t);
    const uint32_t circular = graph_order(arena, &uses, order);
    if (circular != GRAPH_NONE) {
        report_circle(a, variables[circular]);
        return NULL;
    }
    p->flat = flat;
    p->names = names;
    p->classes = parameters_classes(arena, flat, p->count);
    p->order = order;
    Arena *aside = arena_scratch(arena);
    const ArenaMark mark = arena_mark(aside);
    ProgramEntry *entries = ARENA_ARRAY(aside, p->count, ProgramEntry);
    const uint32_t entry_count = parameters_find_numbers(p, a, values, entries);
    p->program = program_create_in(
        arena,
        &(ProgramDef){
            .dag = a->dag, .places = places, .entries = entries, .entry_count = entry_count},
        a->diagnostics);
    arena_release(aside, mark);
    return p->program ? p : NULL;
}

const CodeBody *parameters_code(const Parameters *p, uint32_t parameter)
{
    const uint32_t entry = p->entries[parameter];
    return entry != CODE_NONE ? p->program->module->entries[p->program->entries[entry]] : NULL;
}

static ProgramStatus parameters_compute(const Parameters *p, ProgramScratch *scratch,
                                        uint32_t parameter, const double *given, double *value)
{
    if (p->entries[parameter] == CODE_NONE) {
        *value = p->numbers[parameter];
        return PROGRAM_FINE;
    }
    const ProgramInputs inputs = {.vectors = {[PROGRAM_PARAMETERS] = given}};
    return program_evaluate(p->program, scratch, &inputs, p->entries[parameter], value);
}

// The value of one parameter from those before it.
static SaltusStatus modes_parameters_evaluate(const Parameters *p, const Sources *sources,
                                              ProgramScratch *scratch, uint32_t parameter,
                                              double *values, SaltusError *error)
{
    if (parameters_compute(p, scratch, parameter, values, &values[parameter]) == PROGRAM_FINE)
        return SALTUS_OK;
    if (!error)
        return SALTUS_ERROR_EVALUATION;
    char *reason = NULL;
    failure_text(p->program, sources, scratch, scratch->code, &reason);
    error_set(error, SALTUS_ERROR_EVALUATION, "the parameter %s has no value: %s",
              p->names[parameter], message_text(reason));
    free(reason);
    return SALTUS_ERROR_EVALUATION;
}

SaltusStatus parameters_evaluate(const Parameters *p, const Sources *sources,
                                 const ParameterValue *given, uint32_t count, double *values,
                                 SaltusError *error)
{
    ProgramScratch *scratch = program_scratch(p->program);
    SaltusStatus status = scratch ? SALTUS_OK : SALTUS_ERROR_MEMORY;
    for (uint32_t k = 0; k < p->count && status == SALTUS_OK; k++) {
        const uint32_t i = p->order[k];
        const ParameterValue *found = NULL;
        for (uint32_t g = 0; g < count; g++)
            if (given[g].number == i)
                found = &given[g];
        if (found)
            values[i] = found->value;
        else
            status = modes_parameters_evaluate(p, sources, scratch, i, values, error);
    }
    if (!scratch)
        error_set(error, status, "out of memory");
    program_scratch_free(scratch);
    return status;
}

// One that initial equations found stays what it was found to be.
static SaltusStatus parameters_follow_one(const Parameters *p, const Sources *sources,
                                          ProgramScratch *scratch, uint32_t i, const double *before,
                                          double *values, SaltusError *error)
{
    double own;
    if (assemble_is_found(p->flat[i]) ||
        parameters_compute(p, scratch, i, before, &own) != PROGRAM_FINE || own != before[i])
        return SALTUS_OK;
    return modes_parameters_evaluate(p, sources, scratch, i, values, error);
}

SaltusStatus parameters_follow(const Parameters *p, const Sources *sources, const bool *is_set,
                               const double *before, double *values, SaltusError *error)
{
    ProgramScratch *scratch = program_scratch(p->program);
    SaltusStatus status = scratch ? SALTUS_OK : SALTUS_ERROR_MEMORY;
    for (uint32_t k = 0; k < p->count && status == SALTUS_OK; k++) {
        const uint32_t i = p->order[k];
        if (!is_set[i] && !p->flat[i]->live)
            status = parameters_follow_one(p, sources, scratch, i, before, values, error);
    }
    if (!scratch)
        error_set(error, status, "out of memory");
    program_scratch_free(scratch);
    return status;
}

// All values, where that of each Real parameter is another by about this part of it.
static bool parameters_shake(const Parameters *p, const Sources *sources, double part,
                             double *values)
{
    ProgramScratch *scratch = program_scratch(p->program);
    bool is_fine = scratch != NULL;
    for (uint32_t k = 0; k < p->count && is_fine; k++) {
        const uint32_t i = p->order[k];
        is_fine = modes_parameters_evaluate(p, sources, scratch, i, values, NULL) == SALTUS_OK;
        // Not by the same part, or differences would be as they were.
        const double golden = 0.6180339887498949 * (k + 1);
        if (FLAT_TYPE(p->flat[i])->kind == FLAT_TYPE_REAL)
            values[i] *= 1.0 + part * (0.5 + golden - floor(golden));
    }
    program_scratch_free(scratch);
    return is_fine;
}

void parameters_drop_rounding(const Parameters *p, const Sources *sources, double *values)
{
    // What they change by must be in proportion to the shaking, or they do not change but jump.
    static const double part = 1e-13, steps = 100.0, rounding = 8.0 * DBL_EPSILON;
    const SaltusAllocator a = memory_default();
    double *near = MEMORY_NEW(&a, 2 * (size_t)p->count + 1, double);
    double *far = near ? near + p->count : NULL;
    if (near && parameters_shake(p, sources, part, near) &&
        parameters_shake(p, sources, steps * part, far))
        for (uint32_t i = 0; i < p->count; i++) {
            const double change = fabs(near[i] - values[i]), more = fabs(far[i] - values[i]);
            if (FLAT_TYPE(p->flat[i])->kind == FLAT_TYPE_REAL &&
                fabs(values[i]) < rounding / part * change && more > 0.5 * steps * change &&
                more < 2.0 * steps * change)
                values[i] = 0.0;
        }
    memory_free(&a, near);
}
