// SPDX-License-Identifier: MIT

#include "studies/vary.h"

static const char suffix[] = ".start";

static FlatVariable *find(const FlatModel *flat, const char *name, size_t length)
{
    for (uint32_t i = 0; i < flat->variable_count; i++)
        if (strncmp(flat->variables[i]->name, name, length) == 0 &&
            flat->variables[i]->name[length] == '\0')
            return flat->variables[i];
    return NULL;
}

// The variable whose start value it is; NULL: none.
static FlatVariable *find_start(const FlatModel *flat, const char *name)
{
    const size_t length = strlen(name), end = sizeof suffix - 1;
    if (length <= end || strcmp(name + length - end, suffix) != 0 || find(flat, name, length))
        return NULL;
    FlatVariable *v = find(flat, name, length - end);
    return v && v->kind > FLAT_PARAMETER && FLAT_TYPE(v)->kind != FLAT_TYPE_STRING ? v : NULL;
}

// What a variable of this type is if nothing is said.
static FlatExpression *default_value(Arena *arena, const FlatVariable *v)
{
    FlatExpression *e = ARENA_NEW(arena, FlatExpression);
    *e = (FlatExpression){.kind = FLAT_REAL, .type = FLAT_TYPE(v), .span = v->reference.span};
    switch (FLAT_TYPE(v)->kind) {
    case FLAT_TYPE_INTEGER:
        e->kind = FLAT_INTEGER;
        break;
    case FLAT_TYPE_BOOLEAN:
        e->kind = FLAT_BOOLEAN;
        break;
    case FLAT_TYPE_ENUMERATION:
        e->kind = FLAT_ENUMERATION;
        e->integer = 1;
        break;
    default:
        break;
    }
    return e;
}

static void append_variable(Arena *arena, FlatModel *flat, FlatVariable *v)
{
    FlatVariable **variables = ARENA_ARRAY(arena, flat->variable_count + 1u, FlatVariable *);
    for (uint32_t i = 0; i < flat->variable_count; i++)
        variables[i] = flat->variables[i];
    variables[flat->variable_count] = v;
    v->index = flat->variable_count++;
    flat->variables = variables;
}

// x(start = s) with a new parameter s, whose value is what the start value was.
static void make_parameter(Arena *arena, FlatModel *flat, FlatVariable *v, const char *name)
{
    FlatVariable *p = ARENA_NEW(arena, FlatVariable);
    FlatAttributes *own = ARENA_NEW(arena, FlatAttributes);
    FlatAttributes *attributes = ARENA_NEW(arena, FlatAttributes);
    *own = (FlatAttributes){.quantity = v->attributes->quantity,
                            .unit = v->attributes->unit,
                            .display_unit = v->attributes->display_unit,
                            .is_fixed = true,
                            .state_select = FLAT_SELECT_DEFAULT};
    *p = (FlatVariable){.name = arena_copy_text(arena, name, strlen(name)),
                        .element = v->element,
                        .component = v->component,
                        .attributes = own,
                        .binding =
                            v->attributes->start ? v->attributes->start : default_value(arena, v),
                        .kind = FLAT_PARAMETER};
    p->reference = (FlatExpression){.kind = FLAT_VARIABLE,
                                    .variability = FLAT_PARAMETER,
                                    .type = FLAT_TYPE(v),
                                    .span = v->reference.span,
                                    .variable = p};
    append_variable(arena, flat, p);
    *attributes = *v->attributes;
    attributes->start = &p->reference;
    v->attributes = attributes;
}

void vary(Arena *arena, FlatModel *flat, const char *name)
{
    FlatVariable *v = find(flat, name, strlen(name)), *start = find_start(flat, name);
    if (start)
        make_parameter(arena, flat, start, name);
    else if (v && v->kind == FLAT_PARAMETER && !v->binding && !v->is_evaluated &&
             (v->attributes->is_fixed || !v->attributes->has_fixed))
        v->binding = v->attributes->start ? v->attributes->start : default_value(arena, v);
}
