// SPDX-License-Identifier: MIT
//
// Records as variables of functions: what their members begin with, and the sizes that follow.
//
// A record without a value as a whole has those of its members: by a modifier of the function,
// r(x = u), or as the record says. The values in the record's text may use other members; they are
// those of its constructor, with these members in place of its inputs. If all members have values,
// they are the value of the whole, which others may use; else they are assigned before the first
// statement.

#include "flatten/function.h"

#include "flatten/elaborate.h"
#include "flatten/evaluate.h"

static bool record_has_unknown_size(const FlatType *type)
{
    for (uint32_t i = 0; i < type->count; i++)
        for (uint32_t k = 0; k < type->fields[i].rank; k++)
            if (type->fields[i].dims[k] == FLAT_UNKNOWN_SIZE)
                return true;
    return false;
}

static bool record_has_values(const Class *record)
{
    for (uint32_t i = 0; i < record->component_count; i++) {
        const Modification *m = function_component(record->components[i])->modification;
        if (record->components[i]->layers || (m && m->value))
            return true;
    }
    return false;
}

// A modifier of the function's variable, elaborated in its scope; NULL: none.
static FlatExpression *record_modifier(Flattener *f, FunctionBuilder *b, Member *member,
                                       const Name *field)
{
    const Layer *own =
        layer_create(f, function_component(member)->modification, member->scope, NULL, NULL);
    const Layer *layers = layers_select(f, layers_join(f, member->layers, own), field, NULL);
    const Layer *value = layers_value(layers);
    if (!value)
        return NULL;
    Scope s = {.class_ = value->scope, .function = value->scope == member->scope ? b : NULL};
    FlatExpression *e = elaborate(f, &s, layer_value(value));
    return expression_is_none(e) ? NULL : e;
}

static bool record_mentions(const FlatFunction *constructor, const FlatExpression *e)
{
    if (e->kind == FLAT_LOCAL)
        return e->local->index < constructor->local_count &&
               constructor->locals[e->local->index] == e->local;
    for (uint32_t i = 0; e->kind != FLAT_VARIABLE && i < e->count; i++)
        if (e->operands[i] && record_mentions(constructor, e->operands[i]))
            return true;
    return false;
}

// The values of the locals of the record's constructor, which has one for each member; NULL: none.
static FlatExpression **record_values(Flattener *f, FunctionBuilder *b, Member *member,
                                      const FlatFunction *constructor)
{
    FlatExpression **values = ARENA_ARRAY(f->arena, constructor->local_count + 1, FlatExpression *);
    for (uint32_t i = 0; i < constructor->local_count; i++)
        values[i] = record_modifier(f, b, member, constructor->locals[i]->name);
    // A value may use members before it and behind it.
    bool is_changed = true;
    while (is_changed) {
        is_changed = false;
        for (uint32_t i = 0; i < constructor->local_count; i++) {
            FlatExpression *e = constructor->locals[i]->value;
            if (values[i] || !e)
                continue;
            e = call_substitute(f, constructor, e, values);
            if (record_mentions(constructor, e))
                continue;
            values[i] = e;
            is_changed = true;
        }
    }
    return values;
}

static FlatLocal *record_local(const FlatFunction *constructor, const Name *name)
{
    for (uint32_t i = 0; i < constructor->local_count; i++)
        if (constructor->locals[i]->name == name)
            return constructor->locals[i];
    return NULL;
}

// The type with the sizes that the values give.
static const FlatType *record_sized(Flattener *f, const FlatType *type,
                                    const FlatFunction *constructor, FlatExpression **values)
{
    FlatType *sized = ARENA_NEW(f->arena, FlatType);
    FlatField *fields = ARENA_ARRAY(f->arena, type->count + 1, FlatField);
    *sized = *type;
    sized->fields = fields;
    for (uint32_t i = 0; i < type->count; i++) {
        fields[i] = type->fields[i];
        const FlatLocal *local = record_local(constructor, fields[i].name);
        uint32_t *dims = ARENA_ARRAY(f->arena, fields[i].rank + 1, uint32_t);
        for (uint32_t k = 0; k < fields[i].rank; k++) {
            int64_t size;
            dims[k] = fields[i].dims[k];
            if (dims[k] != FLAT_UNKNOWN_SIZE || !local)
                continue;
            if (local->sizes && local->sizes[k] &&
                evaluate_size(f, constructor, values, local->sizes[k], &size) && size >= 0 &&
                size <= LIMIT_SCALARS)
                dims[k] = (uint32_t)size;
            else if (values[local->index] && values[local->index]->rank == fields[i].rank)
                dims[k] = values[local->index]->dims[k];
        }
        fields[i].dims = dims;
    }
    return sized;
}

// The whole record, if all its members have values; NULL: one has none.
static FlatExpression *record_whole(Flattener *f, const FlatType *type,
                                    const FlatFunction *constructor, FlatExpression **values,
                                    Span span)
{
    FlatExpression *whole = build_node(f, FLAT_RECORD, type, type->count, span);
    for (uint32_t i = 0; i < type->count; i++) {
        const FlatField *field = &type->fields[i];
        const FlatLocal *of = record_local(constructor, field->name);
        if (!of || !values[of->index])
            return NULL;
        whole->operands[i] = build_expect(f, values[of->index], field->type, field->rank,
                                          field->dims, "the value of a member");
        if (expression_is_none(whole->operands[i]))
            return NULL;
    }
    build_vary(whole);
    return whole;
}

static FlatStatement *record_assignment(Flattener *f, FlatLocal *local, const FlatField *field,
                                        FlatExpression *value)
{
    FlatExpression *target = build_member(f, &local->reference, field->name, value->span);
    value =
        build_expect(f, value, target->type, target->rank, target->dims, "the value of a member");
    if (expression_is_none(value))
        return NULL;
    FlatStatement *st = ARENA_NEW(f->arena, FlatStatement);
    *st =
        (FlatStatement){.kind = FLAT_ASSIGN, .span = value->span, .target = target, .value = value};
    return st;
}

void function_record_values(Flattener *f, FunctionBuilder *b, Member *member)
{
    FlatLocal *local = map_find(&b->names, member->name);
    Class *record = member_class(f, member);
    if (!local || local->role == FLAT_ROLE_INPUT || local->value || local->reference.rank ||
        local->reference.type->kind != FLAT_TYPE_RECORD || !record)
        return;
    const FlatType *type = local->reference.type;
    const bool is_modified = member->layers || function_component(member)->modification;
    if (!is_modified && !record_has_unknown_size(type) && !record_has_values(record))
        return;
    const FlatFunction *constructor =
        function_of(f, record, function_component(member)->clause->type->span);
    if (!constructor)
        return;
    FlatExpression **values = record_values(f, b, member, constructor);
    if (record_has_unknown_size(type))
        local->reference.type = type = record_sized(f, type, constructor, values);
    local->value = record_whole(f, type, constructor, values, local->span);
    for (uint32_t i = 0; i < type->count; i++) {
        const FlatLocal *of = record_local(constructor, type->fields[i].name);
        FlatExpression *value = of && !local->value ? values[of->index] : NULL;
        FlatStatement *st = value ? record_assignment(f, local, &type->fields[i], value) : NULL;
        if (st)
            list_append(f->arena, &b->beginning, st);
        // As a variable it has its elements at places that need not be known.
        local->is_assigned |= local->value && type->fields[i].rank > 0;
    }
}
