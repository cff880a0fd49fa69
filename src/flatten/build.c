// SPDX-License-Identifier: MIT
//
// Constructors of typed expressions: literals, operators, conditionals. See build.h.

#include "flatten/build.h"

#include "flatten/arithmetic.h"
#include "flatten/builtin.h"

#include <math.h>

// ---------------------------------------------------------------------------
// Nodes
// ---------------------------------------------------------------------------

FlatExpression *build_node(Flattener *f, FlatKind kind, const FlatType *type, uint32_t count,
                           Span span)
{
    // One block: the operands stand behind the node.
    char *block =
        arena_allocate(f->nodes, sizeof(FlatExpression) + count * sizeof(FlatExpression *));
    FlatExpression *e = (FlatExpression *)(void *)block;
    e->kind = (uint8_t)kind;
    e->type = type;
    e->count = count;
    e->span = span;
    e->operands = (FlatExpression **)(void *)(block + sizeof(FlatExpression));
    return e;
}

FlatExpression *build_none(Flattener *f, Span span)
{
    return build_node(f, FLAT_INTEGER, &flat_type_none, 0, span);
}

FlatExpression *build_real(Flattener *f, double value, Span span)
{
    FlatExpression *e = build_node(f, FLAT_REAL, &flat_type_real, 0, span);
    e->real = value;
    return e;
}

FlatExpression *build_integer(Flattener *f, int64_t value, Span span)
{
    FlatExpression *e = build_node(f, FLAT_INTEGER, &flat_type_integer, 0, span);
    e->integer = value;
    return e;
}

FlatExpression *build_boolean(Flattener *f, bool value, Span span)
{
    FlatExpression *e = build_node(f, FLAT_BOOLEAN, &flat_type_boolean, 0, span);
    e->boolean = value;
    return e;
}

FlatExpression *build_string(Flattener *f, const char *value, Span span)
{
    FlatExpression *e = build_node(f, FLAT_STRING, &flat_type_string, 0, span);
    e->string = value;
    return e;
}

FlatExpression *build_enumeration(Flattener *f, const FlatType *type, int64_t value, Span span)
{
    FlatExpression *e = build_node(f, FLAT_ENUMERATION, type, 0, span);
    e->integer = value;
    return e;
}

void build_shape(Flattener *f, FlatExpression *e, uint32_t rank, const uint32_t *dims)
{
    e->rank = (uint8_t)rank;
    if (!rank)
        return;
    uint32_t *copy = ARENA_ARRAY(f->arena, rank, uint32_t);
    copy_items(copy, dims, rank * sizeof *dims);
    e->dims = copy;
}

void build_vary(FlatExpression *e)
{
    for (uint32_t i = 0; i < e->count; i++)
        if (e->operands[i] && e->operands[i]->variability > e->variability)
            e->variability = e->operands[i]->variability;
}

FlatExpression *build_operation(Flattener *f, Operation op, const FlatType *type, uint32_t count,
                                FlatExpression **operands, Span span)
{
    FlatExpression *e = build_node(f, FLAT_OPERATION, type, count, span);
    e->operation = (uint32_t)op;
    e->relation = FLAT_NO_RELATION;
    for (uint32_t i = 0; i < count; i++)
        e->operands[i] = operands[i];
    build_vary(e);
    return e;
}

// ---------------------------------------------------------------------------
// Questions
// ---------------------------------------------------------------------------

bool expression_is_none(const FlatExpression *e)
{
    return e->type->kind == FLAT_TYPE_NONE;
}

bool type_is_numeric(const FlatType *type)
{
    return type->kind == FLAT_TYPE_REAL || type->kind == FLAT_TYPE_INTEGER;
}

bool expression_is_literal(const FlatExpression *e)
{
    if (e->kind <= FLAT_ENUMERATION)
        return true;
    if (e->kind != FLAT_ARRAY && e->kind != FLAT_RECORD)
        return false;
    for (uint32_t i = 0; i < e->count; i++)
        if (!expression_is_literal(e->operands[i]))
            return false;
    return true;
}

bool expression_is_explicit(const FlatExpression *e)
{
    return e->rank == 0 || e->kind == FLAT_ARRAY;
}

uint64_t expression_size(const FlatExpression *e)
{
    uint64_t size = 1;
    for (uint32_t k = 0; k < e->rank; k++) {
        if (e->dims[k] == FLAT_UNKNOWN_SIZE)
            return UINT64_MAX;
        size *= e->dims[k];
    }
    return size;
}

FlatExpression *expression_element(FlatExpression *e, uint64_t index)
{
    return e->rank ? e->operands[index] : e;
}

static bool sizes_agree(uint32_t a, uint32_t b)
{
    return a == b || a == FLAT_UNKNOWN_SIZE || b == FLAT_UNKNOWN_SIZE;
}

bool expression_same_shape(const FlatExpression *a, const FlatExpression *b)
{
    if (a->rank != b->rank)
        return false;
    for (uint32_t k = 0; k < a->rank; k++)
        if (!sizes_agree(a->dims[k], b->dims[k]))
            return false;
    return true;
}

const char *type_text(Flattener *f, const FlatType *type, uint32_t rank, const uint32_t *dims)
{
    StringBuilder out = builder_create(f->arena);
    if (type->kind != FLAT_TYPE_NONE)
        builder_append_text(&out, type->name);
    for (uint32_t k = 0; k < rank; k++) {
        builder_append_text(&out, k ? ", " : "[");
        if (dims[k] == FLAT_UNKNOWN_SIZE)
            builder_append_character(&out, ':');
        else
            builder_append_format(&out, "%u", (unsigned)dims[k]);
    }
    if (rank)
        builder_append_character(&out, ']');
    return builder_string(&out).text;
}

const char *expression_type_text(Flattener *f, const FlatExpression *e)
{
    return type_text(f, e->type, e->rank, e->dims);
}

// ---------------------------------------------------------------------------
// Folding
// ---------------------------------------------------------------------------

static Scalar literal_scalar(const FlatExpression *e)
{
    Scalar s = {0};
    if (e->kind == FLAT_REAL)
        s.real = e->real;
    else if (e->kind == FLAT_BOOLEAN)
        s.integer = e->boolean;
    else if (e->kind == FLAT_STRING)
        s.string = e->string;
    else
        s.integer = e->integer;
    return s;
}

enum { FOLDED_OPERANDS = 16 };

// The value of a scalar operation on literals; NULL: it stays an operation. What is undefined, as
// 1/0, stays one too, since it may never be evaluated.
FlatExpression *build_folded(Flattener *f, Operation op, const FlatType *type, uint32_t count,
                             FlatExpression **operands, Span span)
{
    Scalar values[FOLDED_OPERANDS];
    if (!count || count > FOLDED_OPERANDS)
        return NULL;
    for (uint32_t i = 0; i < count; i++) {
        if (operands[i]->kind > FLAT_ENUMERATION || operands[i]->type != operands[0]->type)
            return NULL;
        values[i] = literal_scalar(operands[i]);
    }
    Scalar result;
    const char *reason;
    if (!arithmetic_apply(f->arena, op, operands[0]->type, count, values, &result, &reason))
        return NULL;
    if (type->kind == FLAT_TYPE_REAL && !isfinite(result.real))
        return NULL; // no literal of the language has this value
    const Value value = value_scalar(type, result);
    FlatExpression *literal = value_expression(f, &value, span);
    bool has_constant = false;
    for (uint32_t i = 0; i < count && f->seen.constants.count; i++)
        has_constant = has_constant || map_find(&f->seen.constants, operands[i]);
    if (has_constant)
        map_set(f->arena, &f->seen.constants, literal, literal);
    return literal;
}

static FlatExpression *fold_or_build(Flattener *f, Operation op, const FlatType *type,
                                     uint32_t count, FlatExpression **operands, Span span)
{
    FlatExpression *folded = build_folded(f, op, type, count, operands, span);
    return folded ? folded : build_operation(f, op, type, count, operands, span);
}

// ---------------------------------------------------------------------------
// Conversion
// ---------------------------------------------------------------------------

static FlatExpression *to_real(Flattener *f, FlatExpression *e)
{
    if (e->kind == FLAT_INTEGER)
        return build_real(f, (double)e->integer, e->span);
    if (e->kind == FLAT_ARRAY) {
        FlatExpression *array =
            build_shaped(build_node(f, FLAT_ARRAY, &flat_type_real, e->count, e->span), e);
        for (uint32_t i = 0; i < e->count; i++)
            array->operands[i] = to_real(f, e->operands[i]);
        build_vary(array);
        return array;
    }
    if (e->kind == FLAT_IF && !e->rank) {
        FlatExpression *conditional = build_node(f, FLAT_IF, &flat_type_real, e->count, e->span);
        for (uint32_t i = 0; i < e->count; i++) {
            const bool is_condition = i % 2 == 0 && i + 1 < e->count;
            conditional->operands[i] = is_condition ? e->operands[i] : to_real(f, e->operands[i]);
        }
        build_vary(conditional);
        return conditional;
    }
    return build_shaped(build_operation(f, OPERATION_TO_REAL, &flat_type_real, 1, &e, e->span), e);
}

static FlatExpression *convert_record(Flattener *f, FlatExpression *e, const FlatType *type)
{
    if (e->type->count != type->count)
        return NULL;
    FlatExpression *record = build_node(f, FLAT_RECORD, type, e->count, e->span);
    for (uint32_t i = 0; i < e->count; i++) {
        record->operands[i] = NULL;
        // Fields are matched by name: the order of the declarations does not matter.
        for (uint32_t k = 0; k < e->count && !record->operands[i]; k++)
            if (e->type->fields[k].name == type->fields[i].name)
                record->operands[i] = build_convert(f, e->operands[k], type->fields[i].type);
        if (!record->operands[i] || record->operands[i]->rank != type->fields[i].rank)
            return NULL;
    }
    build_vary(record);
    return record;
}

FlatExpression *build_convert(Flattener *f, FlatExpression *e, const FlatType *type)
{
    if (flat_type_equal(e->type, type) || expression_is_none(e) || type->kind == FLAT_TYPE_NONE)
        return e;
    if (type->kind == FLAT_TYPE_REAL && e->type->kind == FLAT_TYPE_INTEGER)
        return to_real(f, e);
    if (e->kind == FLAT_ARRAY && e->count == 0) {
        return build_shaped(build_node(f, FLAT_ARRAY, type, 0, e->span), e);
    }
    if (type->kind != FLAT_TYPE_RECORD || e->type->kind != FLAT_TYPE_RECORD ||
        type->operators != e->type->operators)
        return NULL;
    if (e->kind == FLAT_RECORD)
        return convert_record(f, e, type);
    if (e->kind != FLAT_ARRAY)
        return NULL;
    FlatExpression *array = build_shaped(build_node(f, FLAT_ARRAY, type, e->count, e->span), e);
    for (uint32_t i = 0; i < e->count; i++)
        if (!(array->operands[i] = build_convert(f, e->operands[i], type)))
            return NULL;
    build_vary(array);
    return array;
}

// What makes one type of another; "" where nothing is usual.
static const char *conversion_hint(const FlatType *wanted, const FlatType *given)
{
    const FlatTypeKind to = wanted->kind, from = given->kind;
    if (to == FLAT_TYPE_INTEGER && from == FLAT_TYPE_REAL)
        return "; integer(...) makes a whole number of it";
    if ((to == FLAT_TYPE_REAL || to == FLAT_TYPE_INTEGER) && from == FLAT_TYPE_BOOLEAN)
        return "; 'if b then 1 else 0' makes a number of it";
    if (to == FLAT_TYPE_BOOLEAN && (from == FLAT_TYPE_REAL || from == FLAT_TYPE_INTEGER))
        return "; a comparison, 'x > 0', makes a Boolean of it";
    if (to == FLAT_TYPE_STRING && from != FLAT_TYPE_RECORD)
        return "; String(...) makes a text of it";
    return "";
}

FlatExpression *build_expect(Flattener *f, FlatExpression *e, const FlatType *type, uint32_t rank,
                             const uint32_t *dims, const char *what)
{
    if (expression_is_none(e) || type->kind == FLAT_TYPE_NONE)
        return e;
    bool fits = e->rank == rank;
    for (uint32_t k = 0; fits && k < rank; k++)
        fits = sizes_agree(e->dims[k], dims[k]);
    FlatExpression *converted = fits ? build_convert(f, e, type) : NULL;
    if (converted)
        return converted;
    report_error(f, e->span, "%s must be %s, but this is %s%s", what,
                 type_text(f, type, rank, dims), expression_type_text(f, e),
                 fits && rank == 0 ? conversion_hint(type, e->type) : "");
    return build_none(f, e->span);
}

// The type that both can be converted to; NULL: none.
static const FlatType *common_type(const FlatExpression *a, const FlatExpression *b)
{
    if (flat_type_equal(a->type, b->type))
        return a->type;
    if (type_is_numeric(a->type) && type_is_numeric(b->type))
        return &flat_type_real;
    return NULL;
}

static void report_operands(Flattener *f, Operation op, const FlatExpression *a,
                            const FlatExpression *b, Span span)
{
    report_error(f, span, "'%s' cannot be applied to %s and %s", operation_info(op)->text,
                 expression_type_text(f, a), expression_type_text(f, b));
}

// ---------------------------------------------------------------------------
// Element by element
// ---------------------------------------------------------------------------

typedef FlatExpression *ScalarBuilder(Flattener *f, Operation op, FlatExpression *a,
                                      FlatExpression *b, Span span);

// Applies a scalar operation to arrays of one shape, or to an array and a scalar.
static FlatExpression *map_pairs(Flattener *f, Operation op, FlatExpression *a, FlatExpression *b,
                                 const FlatType *type, ScalarBuilder *scalar, Span span)
{
    const FlatExpression *shape = a->rank ? a : b;
    if (!expression_is_explicit(a) || !expression_is_explicit(b)) {
        FlatExpression *operands[] = {a, b};
        return build_shaped(build_operation(f, op, type, 2, operands, span), shape);
    }
    FlatExpression *array =
        build_shaped(build_node(f, FLAT_ARRAY, type, shape->count, span), shape);
    for (uint32_t i = 0; i < shape->count; i++)
        array->operands[i] =
            scalar(f, op, expression_element(a, i), expression_element(b, i), span);
    build_vary(array);
    return array;
}

// Two scalars of one type that fits the operation.
static FlatExpression *scalar_pair(Flattener *f, Operation op, FlatExpression *a, FlatExpression *b,
                                   Span span)
{
    FlatExpression *operands[] = {a, b};
    return fold_or_build(f, operation_plain(op), a->type, 2, operands, span);
}

static FlatExpression *scalar_relation(Flattener *f, Operation op, FlatExpression *a,
                                       FlatExpression *b, Span span)
{
    FlatExpression *operands[] = {a, b};
    FlatExpression *e = fold_or_build(f, op, &flat_type_boolean, 2, operands, span);
    // A comparison changes its value at an event only, unless noEvent says otherwise.
    if (e->variability == FLAT_CONTINUOUS)
        e->variability = FLAT_DISCRETE;
    return e;
}

// ---------------------------------------------------------------------------
// Arithmetic
// ---------------------------------------------------------------------------

FlatExpression *build_chain(Flattener *f, Operation op, const FlatType *type, uint32_t count,
                            FlatExpression **operands, Span span)
{
    // From left to right, as the operators would be read.
    FlatExpression *first = operands[0];
    uint32_t folded = 1;
    while (folded < count) {
        FlatExpression *pair[] = {first, operands[folded]};
        FlatExpression *literal = build_folded(f, op, type, 2, pair, span);
        if (!literal)
            break;
        first = literal;
        folded++;
    }
    if (folded == count)
        return first;
    FlatExpression *e =
        build_operation(f, op, type, count - folded + 1, operands + folded - 1, span);
    e->operands[0] = first;
    build_vary(e);
    return e;
}

FlatExpression *build_sum(Flattener *f, uint32_t count, FlatExpression **terms,
                          const FlatType *type, Span span)
{
    if (count == 0)
        return type->kind == FLAT_TYPE_REAL ? build_real(f, 0.0, span) : build_integer(f, 0, span);
    return build_chain(f, OPERATION_ADD, type, count, terms, span);
}

// The product of arrays with 1 or 2 dimensions (section 10.6.5): rows of a by columns of b.
static FlatExpression *array_product(Flattener *f, FlatExpression *a, FlatExpression *b, Span span)
{
    FlatExpression *operands[] = {a, b};
    const uint32_t inner = a->dims[a->rank - 1];
    if (a->rank > 2 || b->rank > 2 || !sizes_agree(inner, b->dims[0])) {
        report_operands(f, OPERATION_MULTIPLY, a, b, span);
        return build_none(f, span);
    }
    const uint64_t terms = inner ? expression_size(a) / inner * expression_size(b) : 0;
    if (expression_is_explicit(a) && expression_is_explicit(b) && a->rank + b->rank > 2 &&
        terms > LIMIT_SCALARS) {
        report_error(f, span, "the product has too many terms");
        return build_none(f, span);
    }
    return build_array_call(f, OPERATION_MULTIPLY, 2, operands, span);
}

static FlatExpression *build_matrix_power(Flattener *f, FlatExpression *a, FlatExpression *b,
                                          Span span)
{
    const bool is_square = a->rank == 2 && sizes_agree(a->dims[0], a->dims[1]);
    if (!is_square || b->rank || b->type->kind != FLAT_TYPE_INTEGER) {
        report_operands(f, OPERATION_POWER, a, b, span);
        return build_none(f, span);
    }
    if (!expression_is_explicit(a) || b->kind != FLAT_INTEGER) {
        FlatExpression *operands[] = {a, b};
        return build_shaped(build_operation(f, OPERATION_POWER, a->type, 2, operands, span), a);
    }
    if (b->integer < 0 || b->integer > 64) {
        report_error(f, b->span, "the power of a matrix must be between 0 and 64");
        return build_none(f, span);
    }
    if (b->integer == 0) {
        FlatExpression *size = build_integer(f, a->dims[0], span);
        return build_convert(f, build_call(f, OPERATION_IDENTITY, 1, &size, span), a->type);
    }
    FlatExpression *power = a;
    for (int64_t i = 1; i < b->integer; i++)
        power = array_product(f, power, a, span);
    return power;
}

static FlatExpression *arithmetic(Flattener *f, Operation op, FlatExpression *a, FlatExpression *b,
                                  Span span)
{
    const Operation plain = operation_plain(op);
    const bool is_elementwise = plain != op;
    const bool is_text = plain == OPERATION_ADD && a->type->kind == FLAT_TYPE_STRING &&
                         b->type->kind == FLAT_TYPE_STRING;
    if (!is_text && (!type_is_numeric(a->type) || !type_is_numeric(b->type))) {
        report_operands(f, op, a, b, span);
        return build_none(f, span);
    }
    if (plain == OPERATION_POWER && a->rank && !is_elementwise)
        return build_matrix_power(f, a, b, span);
    const bool is_real = plain == OPERATION_DIVIDE || plain == OPERATION_POWER;
    const FlatType *type = is_real ? &flat_type_real : common_type(a, b);
    a = build_convert(f, a, type);
    b = build_convert(f, b, type);
    if (!a->rank && !b->rank)
        return scalar_pair(f, plain, a, b, span);
    if (plain == OPERATION_MULTIPLY && !is_elementwise && a->rank && b->rank)
        return array_product(f, a, b, span);
    bool fits = a->rank && b->rank ? expression_same_shape(a, b) : true;
    if (!is_elementwise) {
        if (plain == OPERATION_ADD || plain == OPERATION_SUBTRACT)
            fits = fits && a->rank == b->rank;
        if (plain == OPERATION_DIVIDE || plain == OPERATION_POWER)
            fits = b->rank == 0;
    }
    if (!fits) {
        report_operands(f, op, a, b, span);
        return build_none(f, span);
    }
    return map_pairs(f, op, a, b, type, scalar_pair, span);
}

static FlatExpression *relation(Flattener *f, Operation op, FlatExpression *a, FlatExpression *b,
                                Span span)
{
    const FlatType *type = common_type(a, b);
    if (!type || a->rank || b->rank || type->kind == FLAT_TYPE_RECORD ||
        type->kind == FLAT_TYPE_OBJECT) {
        report_operands(f, op, a, b, span);
        return build_none(f, span);
    }
    return scalar_relation(f, op, build_convert(f, a, type), build_convert(f, b, type), span);
}

static FlatExpression *build_logic(Flattener *f, Operation op, FlatExpression *a, FlatExpression *b,
                                   Span span)
{
    if (a->type->kind != FLAT_TYPE_BOOLEAN || b->type->kind != FLAT_TYPE_BOOLEAN ||
        !expression_same_shape(a, b)) {
        report_operands(f, op, a, b, span);
        return build_none(f, span);
    }
    if (a->rank)
        return map_pairs(f, op, a, b, &flat_type_boolean, scalar_pair, span);
    // false and x, true or x: known whatever x is.
    const bool decisive = op == OPERATION_OR;
    if (a->kind == FLAT_BOOLEAN)
        return a->boolean == decisive ? build_boolean(f, decisive, span) : b;
    if (b->kind == FLAT_BOOLEAN)
        return b->boolean == decisive ? build_boolean(f, decisive, span) : a;
    return scalar_pair(f, op, a, b, span);
}

FlatExpression *build_binary(Flattener *f, Operation op, FlatExpression *a, FlatExpression *b,
                             Span span)
{
    if (expression_is_none(a) || expression_is_none(b))
        return build_none(f, span);
    if (op == OPERATION_AND || op == OPERATION_OR)
        return build_logic(f, op, a, b, span);
    if (op >= OPERATION_LESS && op <= OPERATION_NOT_EQUAL)
        return relation(f, op, a, b, span);
    return arithmetic(f, op, a, b, span);
}

FlatExpression *build_unary(Flattener *f, Operation op, FlatExpression *a, Span span)
{
    if (expression_is_none(a))
        return a;
    const bool fits =
        op == OPERATION_NOT ? a->type->kind == FLAT_TYPE_BOOLEAN : type_is_numeric(a->type);
    if (!fits) {
        report_error(f, span, "'%s' cannot be applied to %s", operation_info(op)->text,
                     expression_type_text(f, a));
        return build_none(f, span);
    }
    if (op == OPERATION_ADD)
        return a;
    if (a->kind != FLAT_ARRAY) {
        FlatExpression *e = a->rank ? build_operation(f, op, a->type, 1, &a, span)
                                    : fold_or_build(f, op, a->type, 1, &a, span);
        return build_shaped(e, a);
    }
    FlatExpression *array = build_shaped(build_node(f, FLAT_ARRAY, a->type, a->count, span), a);
    for (uint32_t i = 0; i < a->count; i++)
        array->operands[i] = fold_or_build(f, op, a->type, 1, &a->operands[i], span);
    build_vary(array);
    return array;
}

// ---------------------------------------------------------------------------
// If
// ---------------------------------------------------------------------------

static FlatExpression *scalar_if(Flattener *f, uint32_t count, FlatExpression **operands,
                                 const FlatType *type, Span span)
{
    FlatExpression *e = build_node(f, FLAT_IF, type, count, span);
    for (uint32_t i = 0; i < count; i++)
        e->operands[i] = operands[i];
    build_vary(e);
    return e;
}

// Drops branches whose condition is known. Returns the number of operands left.
static uint32_t resolve_conditions(uint32_t count, FlatExpression **operands)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i + 1 < count; i += 2) {
        if (operands[i]->kind == FLAT_BOOLEAN && !operands[i]->boolean)
            continue;
        if (operands[i]->kind == FLAT_BOOLEAN) {
            operands[kept++] = operands[i + 1];
            return kept;
        }
        operands[kept++] = operands[i];
        operands[kept++] = operands[i + 1];
    }
    operands[kept++] = operands[count - 1];
    return kept;
}

static FlatExpression *record_if(Flattener *f, uint32_t count, FlatExpression **operands, Span span)
{
    const FlatExpression *last = operands[count - 1];
    FlatExpression *record = build_node(f, FLAT_RECORD, last->type, last->count, span);
    for (uint32_t k = 0; k < last->count; k++) {
        FlatExpression **parts = ARENA_ARRAY(f->arena, count, FlatExpression *);
        for (uint32_t i = 0; i < count; i++)
            parts[i] = i % 2 && i + 1 < count ? operands[i]->operands[k] : operands[i];
        parts[count - 1] = last->operands[k];
        record->operands[k] = build_if(f, count, parts, span);
    }
    build_vary(record);
    return record;
}

static FlatExpression *array_if(Flattener *f, uint32_t count, FlatExpression **operands,
                                const FlatType *type, Span span)
{
    const FlatExpression *last = operands[count - 1];
    FlatExpression *array = build_shaped(build_node(f, FLAT_ARRAY, type, last->count, span), last);
    FlatExpression **parts = ARENA_ARRAY(f->arena, count, FlatExpression *);
    for (uint32_t k = 0; k < last->count; k++) {
        for (uint32_t i = 0; i < count; i++)
            parts[i] = i % 2 && i + 1 < count ? operands[i]->operands[k] : operands[i];
        parts[count - 1] = last->operands[k];
        array->operands[k] = type->kind == FLAT_TYPE_RECORD
                                 ? build_if(f, count, parts, span)
                                 : scalar_if(f, count, parts, type, span);
    }
    build_vary(array);
    return array;
}

static bool all_are(uint32_t count, FlatExpression **operands, FlatKind kind)
{
    for (uint32_t i = 1; i < count; i += 2)
        if (operands[i]->kind != kind)
            return false;
    return operands[count - 1]->kind == kind;
}

FlatExpression *build_if(Flattener *f, uint32_t count, FlatExpression **operands, Span span)
{
    for (uint32_t i = 0; i < count; i++)
        if (expression_is_none(operands[i]))
            return build_none(f, span);
    count = resolve_conditions(count, operands);
    if (count == 1)
        return operands[0];
    const FlatExpression *last = operands[count - 1];
    const FlatType *type = last->type;
    for (uint32_t i = 1; i + 1 < count; i += 2) {
        if (type_is_numeric(type) && operands[i]->type->kind == FLAT_TYPE_REAL)
            type = &flat_type_real;
        if (!common_type(operands[i], last) || !expression_same_shape(operands[i], last)) {
            report_error(f, span, "the branches of 'if' have different types: %s and %s",
                         expression_type_text(f, operands[i]), expression_type_text(f, last));
            return build_none(f, span);
        }
    }
    for (uint32_t i = 1; i + 1 < count; i += 2)
        operands[i] = build_convert(f, operands[i], type);
    operands[count - 1] = build_convert(f, operands[count - 1], type);
    if (all_are(count, operands, FLAT_RECORD))
        return record_if(f, count, operands, span);
    if (all_are(count, operands, FLAT_ARRAY))
        return array_if(f, count, operands, type, span);
    FlatExpression *e = scalar_if(f, count, operands, type, span);
    e->rank = operands[count - 1]->rank;
    e->dims = operands[count - 1]->dims;
    return e;
}
