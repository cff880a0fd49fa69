// SPDX-License-Identifier: MIT
//
// The flat model: types, names of components, guards.

#include "flatten/flat.h"

#include <math.h>

const FlatType flat_type_real = {.kind = FLAT_TYPE_REAL, .name = "Real"};
const FlatType flat_type_integer = {.kind = FLAT_TYPE_INTEGER, .name = "Integer"};
const FlatType flat_type_boolean = {.kind = FLAT_TYPE_BOOLEAN, .name = "Boolean"};
const FlatType flat_type_string = {.kind = FLAT_TYPE_STRING, .name = "String"};
const FlatType flat_type_clock = {.kind = FLAT_TYPE_CLOCK, .name = "Clock"};
const FlatType flat_type_none = {.kind = FLAT_TYPE_NONE, .name = "nothing"};

static bool same_fields(const FlatType *a, const FlatType *b)
{
    for (uint32_t i = 0; i < a->count; i++) {
        const FlatField *x = &a->fields[i];
        const FlatField *y = &b->fields[i];
        if (x->name != y->name || x->rank != y->rank || !flat_type_equal(x->type, y->type))
            return false;
        for (uint32_t k = 0; k < x->rank; k++)
            if (x->dims[k] != y->dims[k] && x->dims[k] != FLAT_UNKNOWN_SIZE &&
                y->dims[k] != FLAT_UNKNOWN_SIZE)
                return false;
    }
    return true;
}

bool flat_type_equal(const FlatType *a, const FlatType *b)
{
    if (a == b)
        return true;
    if (a->kind != b->kind || a->count != b->count)
        return false;
    // Operator records are equal only if they are derived from one (section 6.4).
    if (a->kind == FLAT_TYPE_RECORD)
        return a->operators == b->operators && same_fields(a, b);
    if (a->kind == FLAT_TYPE_OBJECT)
        return strcmp(a->name, b->name) == 0;
    if (a->kind != FLAT_TYPE_ENUMERATION)
        return true;
    for (uint32_t i = 0; i < a->count; i++)
        if (a->literals[i] != b->literals[i])
            return false;
    return true;
}

static void append_subscripts(StringBuilder *out, const FlatComponent *array, uint32_t element)
{
    uint32_t places[UINT8_MAX];
    for (uint32_t k = array->rank; k-- > 0;) {
        places[k] = element % array->dims[k] + 1;
        element /= array->dims[k];
    }
    for (uint32_t k = 0; k < array->rank; k++)
        builder_append_format(out, "%c%u", k ? ',' : '[', (unsigned)places[k]);
    builder_append_character(out, ']');
}

const FlatDeclaration *flat_declaration(Arena *arena, const char *class_name, Span span,
                                        String description)
{
    FlatDeclaration *declaration = ARENA_NEW(arena, FlatDeclaration);
    *declaration = (FlatDeclaration){class_name, span, description};
    return declaration;
}

void flat_component_name(StringBuilder *out, const FlatComponent *component)
{
    if (!component->parent)
        return;
    flat_component_name(out, component->parent);
    if (!component->name) {
        append_subscripts(out, component->parent, component->element);
        return;
    }
    if (builder_string(out).length && component->parent->parent)
        builder_append_character(out, '.');
    builder_append(out, component->name->text, component->name->length);
}

void flat_variable_name(StringBuilder *out, const FlatVariable *variable)
{
    flat_component_name(out, variable->component);
    if (variable->component->rank)
        append_subscripts(out, variable->component, variable->element);
}

uint32_t flat_guard_depth(const FlatGuard *guard)
{
    uint32_t depth = 0;
    for (; guard; guard = guard->outer)
        depth++;
    return depth;
}

bool flat_guard_implies(const FlatGuard *inner, const FlatGuard *outer)
{
    for (const FlatGuard *g = inner; g; g = g->outer)
        if (g == outer)
            return true;
    return outer == NULL;
}

uint64_t flat_scalar_count(const FlatType *type, uint32_t rank, const uint32_t *dims)
{
    uint64_t count = 1;
    if (type->kind == FLAT_TYPE_RECORD) {
        count = 0;
        for (uint32_t i = 0; i < type->count; i++) {
            const FlatField *field = &type->fields[i];
            const uint64_t part = flat_scalar_count(field->type, field->rank, field->dims);
            if (part == UINT64_MAX)
                return UINT64_MAX;
            count += part;
        }
    }
    for (uint32_t k = 0; k < rank; k++) {
        if (dims[k] == FLAT_UNKNOWN_SIZE || (dims[k] && count > UINT32_MAX / dims[k]))
            return UINT64_MAX;
        count *= dims[k];
    }
    return count;
}

double flat_literal(const FlatExpression *e)
{
    if (!e || e->rank != 0)
        return NAN;
    switch (e->kind) {
    case FLAT_REAL:
        return e->real;
    case FLAT_INTEGER:
    case FLAT_ENUMERATION:
        return (double)e->integer;
    case FLAT_BOOLEAN:
        return e->boolean;
    case FLAT_OPERATION:
        if (e->operation == OPERATION_NEGATE)
            return -flat_literal(e->operands[0]);
        return e->operation == OPERATION_TO_REAL ? flat_literal(e->operands[0]) : NAN;
    default:
        return NAN;
    }
}
