// SPDX-License-Identifier: MIT
//
// Arrays and records as typed expressions: construction, subscripts, members. See build.h.

#include "flatten/build.h"

#include "flatten/evaluate.h"

// ---------------------------------------------------------------------------
// Construction
// ---------------------------------------------------------------------------

FlatExpression *build_elements(Flattener *f, const FlatType *type, uint32_t rank,
                               const uint32_t *dims, FlatExpression **items, Span span)
{
    uint64_t count = 1;
    for (uint32_t k = 0; k < rank; k++)
        count *= dims[k];
    FlatExpression *array = build_node(f, FLAT_ARRAY, type, (uint32_t)count, span);
    build_shape(f, array, rank, dims);
    for (uint32_t i = 0; i < array->count; i++)
        array->operands[i] = items[i];
    build_vary(array);
    return array;
}

// The type that all items can have; NULL after a message.
static const FlatType *item_type(Flattener *f, uint32_t count, FlatExpression **items)
{
    const FlatType *type = items[0]->type;
    for (uint32_t i = 1; i < count; i++) {
        if (flat_type_equal(type, items[i]->type))
            continue;
        if (!type_is_numeric(type) || !type_is_numeric(items[i]->type)) {
            report_error(f, items[i]->span,
                         "the elements of an array must have one type, but "
                         "there are %s and %s",
                         expression_type_text(f, items[0]), expression_type_text(f, items[i]));
            return NULL;
        }
        type = &flat_type_real;
    }
    return type;
}

FlatExpression *build_array(Flattener *f, uint32_t count, FlatExpression **items, Span span)
{
    for (uint32_t i = 0; i < count; i++)
        if (expression_is_none(items[i]))
            return build_none(f, span);
    const FlatType *type = count ? item_type(f, count, items) : &flat_type_real;
    if (!type)
        return build_none(f, span);
    uint64_t total = 0;
    bool is_explicit = true;
    for (uint32_t i = 0; i < count; i++) {
        if (!expression_same_shape(items[i], items[0])) {
            report_error(f, items[i]->span,
                         "the elements of an array must have one shape, but "
                         "there are %s and %s",
                         expression_type_text(f, items[0]), expression_type_text(f, items[i]));
            return build_none(f, span);
        }
        items[i] = build_convert(f, items[i], type);
        is_explicit = is_explicit && expression_is_explicit(items[i]);
        total += is_explicit ? expression_size(items[i]) : 0;
    }
    const uint32_t inner = count ? items[0]->rank : 0;
    uint32_t *dims = ARENA_ARRAY(f->arena, inner + 1, uint32_t);
    dims[0] = count;
    for (uint32_t k = 0; k < inner; k++)
        dims[k + 1] = items[0]->dims[k];
    FlatExpression *array;
    if (total > LIMIT_SCALARS || inner >= UINT8_MAX) {
        report_error(f, span, "the array is too large");
        return build_none(f, span);
    }
    if (!is_explicit) {
        array = build_operation(f, OPERATION_STACK, type, count, items, span);
    } else {
        array = build_node(f, FLAT_ARRAY, type, (uint32_t)total, span);
        uint32_t at = 0;
        for (uint32_t i = 0; i < count; i++)
            for (uint32_t k = 0; k < expression_size(items[i]); k++)
                array->operands[at++] = expression_element(items[i], k);
        build_vary(array);
    }
    array->rank = (uint8_t)(inner + 1);
    array->dims = dims;
    return array;
}

// ---------------------------------------------------------------------------
// Subscripts
// ---------------------------------------------------------------------------

// A subscript is a scalar, a vector or, as NULL, a whole dimension.

// A Boolean or an enumeration value as a number from 1.
static FlatExpression *index_number(Flattener *f, FlatExpression *e)
{
    if (e->kind == FLAT_BOOLEAN)
        return build_integer(f, e->boolean ? 2 : 1, e->span);
    if (e->kind == FLAT_ENUMERATION)
        return build_integer(f, e->integer, e->span);
    return e;
}

static bool check_bounds(Flattener *f, const FlatExpression *e, uint32_t size)
{
    if (e->kind != FLAT_INTEGER || size == FLAT_UNKNOWN_SIZE)
        return true;
    if (e->integer >= 1 && e->integer <= (int64_t)size)
        return true;
    if (size == 0)
        report_error(f, e->span, "subscript %lld of an array without elements",
                     (long long)e->integer);
    else
        report_error(f, e->span, "subscript %lld is not between 1 and %u", (long long)e->integer,
                     (unsigned)size);
    return false;
}

static bool read_index(Flattener *f, FlatExpression *e, uint32_t size, FlatExpression **index)
{
    *index = NULL;
    if (!e || e->kind == FLAT_COLON)
        return true;
    const FlatTypeKind kind = e->type->kind;
    if (e->rank > 1 ||
        (kind != FLAT_TYPE_INTEGER && kind != FLAT_TYPE_BOOLEAN && kind != FLAT_TYPE_ENUMERATION)) {
        report_error(f, e->span,
                     "a subscript must be an Integer or a vector of Integers, but "
                     "this is %s",
                     expression_type_text(f, e));
        return false;
    }
    *index = e->rank ? e : index_number(f, e);
    if (!e->rank)
        return check_bounds(f, *index, size);
    for (uint32_t i = 0; e->kind == FLAT_ARRAY && i < e->count; i++)
        if (!check_bounds(f, e->operands[i], size))
            return false;
    return true;
}

// How many places of a dimension of this size it selects.
static uint32_t index_count(const FlatExpression *index, uint32_t size)
{
    return !index ? size : index->rank ? index->dims[0] : 1;
}

// Place `k` of these as an expression.
static FlatExpression *index_at(Flattener *f, FlatExpression *index, uint32_t k, Span span)
{
    if (!index)
        return build_integer(f, k + 1, span);
    return index->rank ? index_number(f, index->operands[k]) : index;
}

static FlatExpression *select_node(Flattener *f, FlatExpression *a, uint32_t count,
                                   FlatExpression **subscripts, Span span)
{
    FlatExpression *e = build_node(f, FLAT_SELECT, a->type, count + 1, span);
    e->operands[0] = a;
    for (uint32_t k = 0; k < count; k++)
        e->operands[k + 1] = subscripts[k];
    build_vary(e);
    return e;
}

// One element of an explicit array: itself if the place is known.
static FlatExpression *pick(Flattener *f, FlatExpression *a, FlatExpression **places, Span span)
{
    uint64_t at = 0;
    for (uint32_t k = 0; k < a->rank; k++) {
        if (places[k]->kind != FLAT_INTEGER)
            return select_node(f, a, a->rank, places, span);
        at = at * a->dims[k] + (uint64_t)(places[k]->integer - 1);
    }
    return a->operands[at];
}

static FlatExpression *array_gather(Flattener *f, FlatExpression *a, FlatExpression **indices,
                                    uint32_t rank, const uint32_t *dims, Span span)
{
    uint64_t total = 1;
    for (uint32_t k = 0; k < rank; k++)
        total *= dims[k];
    if (rank == 0)
        return pick(f, a, indices, span);
    FlatExpression **places = ARENA_ARRAY(f->arena, a->rank, FlatExpression *);
    FlatExpression *array = build_node(f, FLAT_ARRAY, a->type, (uint32_t)total, span);
    build_shape(f, array, rank, dims);
    for (uint32_t i = 0; i < array->count; i++) {
        uint32_t rest = i;
        for (uint32_t k = a->rank; k-- > 0;) {
            const uint32_t places_of = index_count(indices[k], a->dims[k]);
            places[k] = index_at(f, indices[k], rest % places_of, span);
            rest /= places_of;
        }
        array->operands[i] = pick(f, a, places, span);
    }
    build_vary(array);
    return array;
}

FlatExpression *build_subscripted(Flattener *f, FlatExpression *a, uint32_t count,
                                  FlatExpression **subscripts, Span span)
{
    if (expression_is_none(a))
        return a;
    for (uint32_t k = 0; k < count; k++)
        if (subscripts[k] && expression_is_none(subscripts[k]) && subscripts[k]->kind != FLAT_COLON)
            return build_none(f, span);
    if (count > a->rank) {
        report_error(f, span, "%u subscripts for something with %u dimensions (%s)",
                     (unsigned)count, (unsigned)a->rank, expression_type_text(f, a));
        return build_none(f, span);
    }
    FlatExpression **indices = ARENA_ARRAY(f->arena, a->rank + 1u, FlatExpression *);
    uint32_t *dims = ARENA_ARRAY(f->arena, a->rank + 1u, uint32_t);
    uint32_t rank = 0;
    bool is_explicit = expression_is_explicit(a);
    for (uint32_t k = 0; k < a->rank; k++) {
        if (!read_index(f, k < count ? subscripts[k] : NULL, a->dims[k], &indices[k]))
            return build_none(f, span);
        if (!indices[k] || indices[k]->rank)
            dims[rank++] = index_count(indices[k], a->dims[k]);
        is_explicit = is_explicit && (!indices[k] || expression_is_explicit(indices[k]));
    }
    if (is_explicit)
        return array_gather(f, a, indices, rank, dims, span);
    FlatExpression *e = select_node(f, a, count, subscripts, span);
    build_shape(f, e, rank, dims);
    return e;
}

// ---------------------------------------------------------------------------
// Records
// ---------------------------------------------------------------------------

static int field_of(const FlatType *type, const Name *name)
{
    for (uint32_t i = 0; type->kind == FLAT_TYPE_RECORD && i < type->count; i++)
        if (type->fields[i].name == name)
            return (int)i;
    return -1;
}

static FlatExpression *report_no_field(Flattener *f, const FlatExpression *e, const Name *name,
                                       Span span)
{
    if (e->type->kind != FLAT_TYPE_RECORD)
        report_error(f, span, "%s has no member '%s'", expression_type_text(f, e), name->text);
    else
        report_error(f, span, "record '%s' has no member '%s'", e->type->name, name->text);
    return build_none(f, span);
}

// The member of every element of an array of records.
static FlatExpression *member_of_array(Flattener *f, FlatExpression *e, const Name *name, int field,
                                       Span span)
{
    FlatExpression **items = ARENA_ARRAY(f->arena, e->count + 1, FlatExpression *);
    for (uint32_t i = 0; i < e->count; i++)
        items[i] = build_member(f, e->operands[i], name, span);
    FlatExpression *flat = build_array(f, e->count, items, span);
    if (expression_is_none(flat))
        return flat;
    const FlatField *info = &e->type->fields[field];
    const uint32_t inner = e->count ? items[0]->rank : info->rank;
    const uint32_t *inner_dims = e->count ? items[0]->dims : info->dims;
    uint32_t *dims = ARENA_ARRAY(f->arena, e->rank + inner + 1, uint32_t);
    for (uint32_t k = 0; k < e->rank; k++)
        dims[k] = e->dims[k];
    for (uint32_t k = 0; k < inner; k++)
        dims[e->rank + k] = inner_dims[k];
    flat->rank = (uint8_t)(e->rank + inner);
    flat->dims = dims;
    flat->type = e->count ? flat->type : info->type;
    return flat;
}

FlatExpression *build_member(Flattener *f, FlatExpression *e, const Name *name, Span span)
{
    if (expression_is_none(e))
        return e;
    const int field = field_of(e->type, name);
    if (field < 0)
        return report_no_field(f, e, name, span);
    if (e->kind == FLAT_RECORD)
        return e->operands[field];
    if (e->kind == FLAT_ARRAY)
        return member_of_array(f, e, name, field, span);
    const FlatField *info = &e->type->fields[field];
    FlatExpression *member = build_node(f, FLAT_MEMBER, info->type, 1, span);
    member->operands[0] = e;
    member->field = (uint32_t)field;
    uint32_t *dims = ARENA_ARRAY(f->arena, e->rank + info->rank + 1, uint32_t);
    for (uint32_t k = 0; k < e->rank; k++)
        dims[k] = e->dims[k];
    for (uint32_t k = 0; k < info->rank; k++)
        dims[e->rank + k] = info->dims[k];
    member->rank = (uint8_t)(e->rank + info->rank);
    member->dims = dims;
    build_vary(member);
    return member;
}

uint64_t expression_scalars(const FlatExpression *e)
{
    if (e->kind != FLAT_ARRAY && e->kind != FLAT_RECORD)
        return 1;
    uint64_t count = 0;
    for (uint32_t i = 0; i < e->count; i++)
        count += expression_scalars(e->operands[i]);
    return count;
}
