// SPDX-License-Identifier: MIT

#include "modes/parameters.h"

#include "equations/walk.h"
#include "flatten/place.h"
#include "modes/failure.h"

#include <stdio.h>

typedef struct Sorter {
    Assembly *a;
    const CodePlace *places;
    const uint32_t *variables;
    const Node *values;
    uint8_t *marks; // 1: on the way, 2: done
    uint32_t *order;
    uint32_t count;
} Sorter;

// Depth first: what a parameter depends on comes before it.
static bool visit(Sorter *s, uint32_t parameter)
{
    Dag *dag = s->a->dag;
    if (s->marks[parameter] == 2)
        return true;
    if (s->marks[parameter] == 1) {
        const uint32_t variable = s->variables[parameter];
        diagnostics_error(s->a->diagnostics,
                          s->a->flat->variables[dag->variables[variable].origin]->reference.span,
                          "the value of %s depends on itself", dag->variables[variable].name);
        return false;
    }
    s->marks[parameter] = 1;
    DagMemo *memo = memo_take(dag);
    walk_variables(memo, WALK_ALL, &s->values[parameter], 1);
    bool is_fine = true;
    for (uint32_t i = 0; i < memo->count && is_fine; i++)
        if (s->places[memo->list[i]].vector == PROGRAM_PARAMETERS)
            is_fine = visit(s, s->places[memo->list[i]].index);
    memo_give(memo);
    s->marks[parameter] = 2;
    s->order[s->count++] = parameter;
    return is_fine;
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

static Node value_of(Assembly *a, const FlatVariable *v)
{
    if (v->is_evaluated)
        return convert_value(a->translation, v);
    if (v->binding)
        return translate(a->translation, v->binding);
    if (!assemble_is_found(v))
        warn_missing(a, v);
    if (v->attributes->start)
        return translate(a->translation, v->attributes->start);
    return dag_real(a->dag, FLAT_TYPE(v)->kind == FLAT_TYPE_ENUMERATION ? 1.0 : 0.0);
}

const Parameters *parameters_create(Assembly *a, CodePlace *places)
{
    Arena *arena = a->dag->arena;
    const uint32_t most = a->flat->variable_count;
    Parameters *p = ARENA_NEW(arena, Parameters);
    const FlatVariable **flat = ARENA_ARRAY(arena, most, const FlatVariable *);
    const char **names = ARENA_ARRAY(arena, most, const char *);
    uint32_t *variables = ARENA_ARRAY(arena, most, uint32_t);
    for (uint32_t i = 0; i < most; i++) {
        const uint32_t v = translate_variable(a->translation, a->flat->variables[i]);
        if (v == DAG_NONE || a->dag->variables[v].variability != DAG_PARAMETER)
            continue;
        places[v] = (CodePlace){PROGRAM_PARAMETERS, p->count};
        flat[p->count] = a->flat->variables[i];
        names[p->count] = flat[p->count]->name;
        variables[p->count++] = v;
    }
    Node *values = ARENA_ARRAY(arena, p->count, Node);
    ProgramEntry *entries = ARENA_ARRAY(arena, p->count, ProgramEntry);
    for (uint32_t i = 0; i < p->count; i++) {
        values[i] = value_of(a, flat[i]);
        entries[i] = (ProgramEntry){
            .name = "parameter", .nodes = &values[i], .count = 1, .is_literal = true};
    }
    Sorter s = {.a = a,
                .places = places,
                .variables = variables,
                .values = values,
                .marks = ARENA_ARRAY(arena, p->count, uint8_t),
                .order = ARENA_ARRAY(arena, p->count, uint32_t)};
    for (uint32_t i = 0; i < p->count; i++)
        if (!visit(&s, i))
            return NULL;
    p->flat = flat;
    p->names = names;
    p->order = s.order;
    p->program = program_create(
        &(ProgramDef){.dag = a->dag, .places = places, .entries = entries, .entry_count = p->count},
        a->diagnostics);
    return p->program ? p : NULL;
}

// The value of one parameter from those before it.
static SaltusStatus evaluate(const Parameters *p, const Sources *sources, ProgramScratch *scratch,
                             uint32_t parameter, double *values, SaltusError *error)
{
    const ProgramInputs inputs = {.vectors = {[PROGRAM_PARAMETERS] = values}};
    if (program_evaluate(p->program, scratch, &inputs, parameter, &values[parameter]) ==
        PROGRAM_FINE)
        return SALTUS_OK;
    char reason[200];
    failure_text(p->program, sources, scratch->code, reason, sizeof reason);
    error->status = SALTUS_ERROR_EVALUATION;
    snprintf(error->message, sizeof error->message, "the parameter %.60s has no value: %s",
             p->names[parameter], reason);
    return error->status;
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
            status = evaluate(p, sources, scratch, i, values, error);
    }
    if (!scratch) {
        error->status = status;
        snprintf(error->message, sizeof error->message, "%s", saltus_status_text(status));
    }
    program_scratch_free(scratch);
    return status;
}
