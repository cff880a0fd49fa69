// SPDX-License-Identifier: MIT

#include "flatten/setting.h"

#include "base/whole.h"

#include <math.h>

// ---------------------------------------------------------------------------
// Syntax
// ---------------------------------------------------------------------------

static Reference *setting_reference(Flattener *f, const char *name, Span span)
{
    uint32_t most = 1;
    for (const char *c = name; *c; c++)
        most += *c == '.';
    Reference *r =
        arena_allocate(f->arena, sizeof(Reference) + (size_t)most * sizeof(ReferencePart));
    r->span = span;
    for (const char *rest = name; *rest;) {
        const size_t length = text_identifier(rest);
        r->parts[r->count++] =
            (ReferencePart){.name = names_intern(f->names, rest, length), .span = span};
        rest += length + (rest[length] == '.');
    }
    return r;
}

// .Package.Type.literal
static Reference *setting_literal(Flattener *f, const FlatType *type, uint32_t number)
{
    StringBuilder name = builder_create(f->arena);
    builder_append_format(&name, "%s.%s", type->name, type->literals[number - 1]->text);
    Reference *r = setting_reference(f, builder_string(&name).text, (Span){0, 0});
    r->is_global = true;
    return r;
}

static Expression *setting_number(Flattener *f, const FlattenSetting *s)
{
    const bool is_whole =
        s->value == floor(s->value) && fabs(s->value) <= (double)WHOLE_MOST_STORED;
    const FlatTypeKind kind = s->type    ? s->type->kind
                              : is_whole ? FLAT_TYPE_INTEGER
                                         : FLAT_TYPE_REAL;
    Expression *e = ARENA_NEW(f->arena, Expression);
    *e = (Expression){.kind = EXPRESSION_REAL, .height = 1, .real = s->value};
    if (kind == FLAT_TYPE_BOOLEAN) {
        e->kind = EXPRESSION_BOOLEAN;
        e->boolean = s->value != 0.0;
    } else if (kind == FLAT_TYPE_INTEGER && is_whole) {
        e->kind = EXPRESSION_INTEGER;
        e->integer = (int64_t)s->value;
    } else if (kind == FLAT_TYPE_ENUMERATION && is_whole && s->value >= 1.0 &&
               s->value <= s->type->count) {
        e->kind = EXPRESSION_REFERENCE;
        e->reference = setting_literal(f, s->type, (uint32_t)s->value);
    }
    return e;
}

static Expression *setting_text(Flattener *f, const char *text)
{
    const SourceFile *file;
    if (sources_add(f->compilation->sources, "options", text, strlen(text), &file) == SOURCE_OK)
        return parser_parse_expression(f->compilation, file);
    diagnostics_out_of_memory(f->diagnostics);
    return NULL;
}

static Argument *setting_argument(Flattener *f, Reference *name, Modification *modification)
{
    Argument *a = ARENA_NEW(f->arena, Argument);
    *a = (Argument){.kind = ARGUMENT_MODIFICATION,
                    .span = name->span,
                    .name = name,
                    .modification = modification};
    return a;
}

static Modification *setting_value(Flattener *f, Expression *value)
{
    Modification *m = ARENA_NEW(f->arena, Modification);
    *m = (Modification){.span = value->span, .value = value};
    return m;
}

static Modification *setting_list(Flattener *f, Argument **arguments, uint32_t count)
{
    Modification *m = ARENA_NEW(f->arena, Modification);
    *m = (Modification){.has_arguments = true, .count = count, .arguments = arguments};
    return m;
}

const Modification *settings_modification(Flattener *f, size_t count,
                                          const FlattenSetting *settings)
{
    Argument **arguments = ARENA_ARRAY(f->arena, count + 1, Argument *);
    for (size_t i = 0; i < count; i++) {
        const FlattenSetting *s = &settings[i];
        Expression *value = s->text ? setting_text(f, s->text) : setting_number(f, s);
        if (!value)
            return NULL;
        Modification *m = setting_value(f, value);
        if (s->is_start) {
            Argument **start = ARENA_ARRAY(f->arena, 1, Argument *);
            start[0] = setting_argument(f, setting_reference(f, "start", value->span), m);
            m = setting_list(f, start, 1);
        }
        arguments[i] = setting_argument(f, setting_reference(f, s->name, value->span), m);
    }
    return count ? setting_list(f, arguments, (uint32_t)count) : NULL;
}

// ---------------------------------------------------------------------------
// What runs vary
// ---------------------------------------------------------------------------

static const char suffix[] = ".start";

static FlatVariable *setting_find(const FlatModel *flat, const char *name, size_t length)
{
    for (uint32_t i = 0; i < flat->variable_count; i++)
        if (strncmp(flat->variables[i]->name, name, length) == 0 &&
            flat->variables[i]->name[length] == '\0')
            return flat->variables[i];
    return NULL;
}

// The variable whose start value it is; NULL: none.
static FlatVariable *setting_find_start(const FlatModel *flat, const char *name)
{
    const size_t length = strlen(name), end = sizeof suffix - 1;
    if (length <= end || strcmp(name + length - end, suffix) != 0 ||
        setting_find(flat, name, length))
        return NULL;
    FlatVariable *v = setting_find(flat, name, length - end);
    return v && v->kind > FLAT_PARAMETER && FLAT_TYPE(v)->kind != FLAT_TYPE_STRING ? v : NULL;
}

FlatExpression *settings_type_default(Arena *arena, const FlatVariable *v)
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

void settings_add_variable(Arena *arena, FlatModel *flat, FlatVariable *v)
{
    FlatVariable **variables = ARENA_ARRAY(arena, flat->variable_count + 1u, FlatVariable *);
    for (uint32_t i = 0; i < flat->variable_count; i++)
        variables[i] = flat->variables[i];
    variables[flat->variable_count] = v;
    v->index = flat->variable_count++;
    flat->variables = variables;
}

// x(start = s) with a new parameter s, whose value is what the start value was.
static void setting_make_parameter(Arena *arena, FlatModel *flat, FlatVariable *v, const char *name)
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
                        .binding = v->attributes->start ? v->attributes->start
                                                        : settings_type_default(arena, v),
                        .kind = FLAT_PARAMETER,
                        .is_final = v->is_final};
    p->reference = (FlatExpression){.kind = FLAT_VARIABLE,
                                    .variability = FLAT_PARAMETER,
                                    .type = FLAT_TYPE(v),
                                    .span = v->reference.span,
                                    .variable = p};
    settings_add_variable(arena, flat, p);
    *attributes = *v->attributes;
    attributes->start = &p->reference;
    v->attributes = attributes;
}

void settings_vary(Flattener *f, const char *name)
{
    FlatVariable *v = setting_find(f->model, name, strlen(name));
    FlatVariable *start = setting_find_start(f->model, name);
    if (start)
        setting_make_parameter(f->arena, f->model, start, name);
    else if (v && v->kind == FLAT_PARAMETER && !v->binding && !v->is_evaluated &&
             (v->attributes->is_fixed || !v->attributes->has_fixed))
        v->binding =
            v->attributes->start ? v->attributes->start : settings_type_default(f->arena, v);
}
