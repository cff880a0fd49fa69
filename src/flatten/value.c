// SPDX-License-Identifier: MIT
//
// Values of the interpreter (evaluate.h): scalars, arrays of scalars in row-major order, and
// records, whose fields are values themselves.
//
// Values share what they point to, so that passing one on costs nothing; value_copy makes one that
// can be changed. A field whose type is NULL was not assigned yet. An array of more than
// LIMIT_VALUE elements is refused before memory is asked for: a wrong size is an error of the
// model, not an end of memory.

#include "flatten/evaluate.h"

enum { LIMIT_VALUE = 10 * 1000 * 1000 }; // elements of one array

uint64_t value_count(const Value *v)
{
    uint64_t count = 1;
    for (uint32_t k = 0; k < v->rank; k++)
        count *= v->dims[k];
    return count;
}

Value value_scalar(const FlatType *type, Scalar scalar)
{
    return (Value){.type = type, .scalar = scalar};
}

Value value_integer(int64_t x)
{
    return value_scalar(&flat_type_integer, (Scalar){.integer = x});
}

bool value_array(Arena *arena, const FlatType *type, uint32_t rank, const uint32_t *dims,
                 Value *value)
{
    uint64_t count = 1;
    for (uint32_t k = 0; k < rank; k++) {
        count *= dims[k];
        if (count > LIMIT_VALUE)
            return false;
    }
    *value = (Value){.type = type, .rank = rank};
    if (rank) {
        value->dims = ARENA_ARRAY(arena, rank, uint32_t);
        copy_items(value->dims, dims, rank * sizeof *dims);
        value->items = ARENA_ARRAY(arena, count + 1, Scalar);
    }
    return true;
}

static Scalar scalar_copy(Arena *arena, const FlatType *type, Scalar s)
{
    if (type->kind == FLAT_TYPE_STRING && s.string)
        s.string = arena_copy_text(arena, s.string, strlen(s.string));
    if (type->kind == FLAT_TYPE_RECORD && s.fields) {
        Value *fields = ARENA_ARRAY(arena, type->count + 1, Value);
        for (uint32_t i = 0; i < type->count; i++)
            fields[i] = value_copy(arena, &s.fields[i]);
        s.fields = fields;
    }
    return s;
}

Value value_copy(Arena *arena, const Value *v)
{
    Value copy = *v;
    if (!v->type) // a member that was not assigned
        return copy;
    if (!v->rank) {
        copy.scalar = scalar_copy(arena, v->type, v->scalar);
        return copy;
    }
    const uint64_t count = value_count(v);
    copy.dims = ARENA_ARRAY(arena, v->rank, uint32_t);
    copy_items(copy.dims, v->dims, v->rank * sizeof *v->dims);
    copy.items = ARENA_ARRAY(arena, count + 1, Scalar);
    for (uint64_t i = 0; i < count; i++)
        copy.items[i] = scalar_copy(arena, v->type, v->items[i]);
    return copy;
}

static Scalar scalar_convert(Arena *arena, const FlatType *from, const FlatType *to, Scalar s)
{
    if (from->kind == FLAT_TYPE_INTEGER && to->kind == FLAT_TYPE_REAL)
        return (Scalar){.real = (double)s.integer};
    if (from->kind == FLAT_TYPE_RECORD && to->kind == FLAT_TYPE_RECORD && s.fields) {
        Value *fields = ARENA_ARRAY(arena, to->count + 1, Value);
        for (uint32_t i = 0; i < to->count; i++) {
            for (uint32_t k = 0; k < from->count; k++)
                if (from->fields[k].name == to->fields[i].name)
                    fields[i] = s.fields[k];
            if (fields[i].type)
                value_convert(arena, &fields[i], to->fields[i].type);
        }
        s.fields = fields;
    }
    return s;
}

void value_convert(Arena *arena, Value *v, const FlatType *type)
{
    const FlatType *from = v->type;
    if (!from)
        return;
    const bool is_number = from->kind == FLAT_TYPE_INTEGER && type->kind == FLAT_TYPE_REAL;
    const bool is_record =
        from != type && from->kind == FLAT_TYPE_RECORD && type->kind == FLAT_TYPE_RECORD;
    if (!is_number && !is_record)
        return;
    if (v->rank) {
        const uint64_t count = value_count(v);
        Scalar *items = ARENA_ARRAY(arena, count + 1, Scalar);
        for (uint64_t i = 0; i < count; i++)
            items[i] = scalar_convert(arena, from, type, v->items[i]);
        v->items = items;
    } else {
        v->scalar = scalar_convert(arena, from, type, v->scalar);
    }
    v->type = type;
}

Value value_element(const Value *v, uint64_t index)
{
    return v->rank ? value_scalar(v->type, v->items[index]) : *v;
}

static FlatExpression *scalar_expression(Flattener *f, const FlatType *type, Scalar s, Span span)
{
    switch (type->kind) {
    case FLAT_TYPE_REAL:
        return build_real(f, s.real, span);
    case FLAT_TYPE_BOOLEAN:
        return build_boolean(f, s.integer != 0, span);
    case FLAT_TYPE_STRING: {
        const char *text = s.string ? s.string : "";
        return build_string(f, arena_copy_text(f->arena, text, strlen(text)), span);
    }
    case FLAT_TYPE_ENUMERATION:
        return build_enumeration(f, type, s.integer, span);
    case FLAT_TYPE_OBJECT: {
        FlatExpression *object = build_integer(f, s.integer, span);
        object->type = type;
        return object;
    }
    case FLAT_TYPE_RECORD: {
        FlatExpression *record = build_node(f, FLAT_RECORD, type, type->count, span);
        for (uint32_t i = 0; i < type->count; i++)
            record->operands[i] = value_expression(f, &s.fields[i], span);
        return record;
    }
    default:
        return build_integer(f, s.integer, span);
    }
}

FlatExpression *value_expression(Flattener *f, const Value *v, Span span)
{
    if (!v->type)
        return build_none(f, span);
    if (!v->rank)
        return scalar_expression(f, v->type, v->scalar, span);
    FlatExpression *array = build_node(f, FLAT_ARRAY, v->type, (uint32_t)value_count(v), span);
    build_shape(f, array, v->rank, v->dims);
    for (uint32_t i = 0; i < array->count; i++)
        array->operands[i] = scalar_expression(f, v->type, v->items[i], span);
    return array;
}
