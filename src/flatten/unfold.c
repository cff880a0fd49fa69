// SPDX-License-Identifier: MIT

#include "flatten/unfold.h"

#include "flatten/overload.h"

enum { LARGEST = 4000 }; // nodes of what takes the place of a call

typedef struct Unfolding {
    Flattener *f;
    Scope *scope;
    const FlatFunction *function;
    FlatExpression **values; // of its variables; NULL: none yet
} Unfolding;

// ---------------------------------------------------------------------------
// Questions
// ---------------------------------------------------------------------------

static bool unfold_has_operators(const FlatFunction *fn)
{
    for (uint32_t i = 0; i < fn->input_count + fn->output_count; i++)
        if (overload_concerns(&fn->locals[i]->reference))
            return true;
    return false;
}

// A value that may be written down more than once: taking it apart computes nothing.
static bool unfold_is_plain(const FlatExpression *e)
{
    const bool is_simple = !e->rank && e->type->kind != FLAT_TYPE_RECORD;
    if (is_simple || e->kind == FLAT_RECORD || e->kind == FLAT_ARRAY || e->kind == FLAT_LOCAL)
        return true;
    return (e->kind == FLAT_MEMBER || e->kind == FLAT_SELECT) && unfold_is_plain(e->operands[0]);
}

static bool unfold_is_possible(const FlatFunction *fn, FlatExpression *const *values)
{
    if (!fn->is_made || fn->is_impure || fn->output_count != 1 || fn->derivative_count ||
        fn->inverse_count || !unfold_has_operators(fn))
        return false;
    for (uint32_t i = 0; i < fn->count; i++)
        if (fn->statements[i]->kind != FLAT_ASSIGN)
            return false;
    for (uint32_t i = 0; i < fn->input_count; i++)
        if (!unfold_is_plain(values[i]))
            return false;
    return true;
}

// Outside of functions these have events, or change at events only.
static bool unfold_sees_events(Operation op)
{
    return (op >= OPERATION_LESS && op <= OPERATION_NOT_EQUAL) || op == OPERATION_ABS ||
           op == OPERATION_SIGN || (op >= OPERATION_DIV && op <= OPERATION_INTEGER) ||
           op == OPERATION_MINIMUM || op == OPERATION_MAXIMUM || op == OPERATION_SEMI_LINEAR;
}

// Whether all members of a record have a value.
static bool unfold_is_whole(const FlatExpression *record)
{
    for (uint32_t i = 0; record->kind == FLAT_RECORD && i < record->count; i++)
        if (!record->operands[i])
            return false;
    return true;
}

uint32_t unfold_weight(const FlatExpression *e, uint32_t most)
{
    uint32_t weight = 1;
    for (uint32_t i = 0; i < e->count && e->kind != FLAT_VARIABLE && weight < most; i++)
        weight += unfold_weight(e->operands[i], most - weight);
    return weight;
}

// ---------------------------------------------------------------------------
// Expressions of the body with the values of its variables
// ---------------------------------------------------------------------------

static FlatExpression *unfold_expression(Unfolding *in, FlatExpression *e);

static bool unfold_operands(Unfolding *in, const FlatExpression *e, FlatExpression **operands)
{
    for (uint32_t i = 0; i < e->count; i++) {
        operands[i] = e->operands[i]->kind == FLAT_COLON ? e->operands[i]
                                                         : unfold_expression(in, e->operands[i]);
        if (!operands[i] || (expression_is_none(operands[i]) && operands[i]->kind != FLAT_COLON))
            return false;
    }
    return true;
}

static FlatExpression *unfold_operation(Unfolding *in, const FlatExpression *e, FlatExpression **a)
{
    Flattener *f = in->f;
    const Operation op = (Operation)e->operation;
    FlatExpression *value;
    if (op == OPERATION_TO_REAL)
        value = build_convert(f, a[0], &flat_type_real);
    else if (op == OPERATION_NEGATE || op == OPERATION_NOT)
        value = build_unary(f, op, a[0], e->span);
    else if (op == OPERATION_STRING)
        value = build_operation(f, op, e->type, e->count, a, e->span);
    else if (op < OPERATION_NEGATE || (op >= OPERATION_AND && op <= OPERATION_NOT_EQUAL))
        value = e->count == 2 ? build_binary(f, op, a[0], a[1], e->span)
                              : build_chain(f, op, e->type, e->count, a, e->span);
    else
        value = build_call(f, op, e->count, a, e->span);
    return value && unfold_sees_events(op) && !expression_is_literal(value) ? NULL : value;
}

static FlatExpression *unfold_choice(Unfolding *in, const FlatExpression *e)
{
    for (uint32_t i = 0; i + 1 < e->count; i += 2) {
        const FlatExpression *condition = unfold_expression(in, e->operands[i]);
        if (!condition || condition->kind != FLAT_BOOLEAN)
            return NULL;
        if (condition->boolean)
            return unfold_expression(in, e->operands[i + 1]);
    }
    return unfold_expression(in, e->operands[e->count - 1]);
}

static FlatExpression *unfold_local(const Unfolding *in, const FlatExpression *e)
{
    const FlatFunction *fn = in->function;
    const uint32_t index = e->local->index;
    const bool is_own = index < fn->local_count && fn->locals[index] == e->local;
    FlatExpression *value = is_own ? in->values[index] : NULL;
    return value && unfold_is_whole(value) ? value : NULL;
}

// NULL: it cannot stand outside of the function, or has no value yet.
static FlatExpression *unfold_expression(Unfolding *in, FlatExpression *e)
{
    Flattener *f = in->f;
    if (e->kind <= FLAT_VARIABLE)
        return e;
    if (e->kind == FLAT_LOCAL)
        return unfold_local(in, e);
    if (e->kind == FLAT_IF)
        return unfold_choice(in, e);
    FlatExpression **operands = ARENA_ARRAY(f->arena, e->count + 1, FlatExpression *);
    if (e->kind > FLAT_MEMBER || !unfold_operands(in, e, operands))
        return NULL;
    switch ((FlatKind)e->kind) {
    case FLAT_OPERATION:
        return unfold_operation(in, e, operands);
    case FLAT_CALL:
        return call_value(f, in->scope, e->function, operands, e->span);
    case FLAT_SELECT:
        return build_subscripted(f, operands[0], e->count - 1, operands + 1, e->span);
    case FLAT_MEMBER:
        return build_member(f, operands[0], operands[0]->type->fields[e->field].name, e->span);
    case FLAT_ARRAY:
    case FLAT_RECORD: {
        FlatExpression *copy =
            build_shaped(build_node(f, (FlatKind)e->kind, e->type, e->count, e->span), e);
        for (uint32_t i = 0; i < e->count; i++)
            copy->operands[i] = operands[i];
        build_vary(copy);
        return copy;
    }
    default:
        return NULL;
    }
}

// ---------------------------------------------------------------------------
// Statements
// ---------------------------------------------------------------------------

// r.x := value
static bool unfold_assign_member(Unfolding *in, const FlatExpression *target, FlatExpression *value)
{
    const FlatExpression *base = target->operands[0];
    if (base->kind != FLAT_LOCAL || base->rank)
        return false;
    FlatExpression **slot = &in->values[base->local->index];
    if (*slot && (*slot)->kind != FLAT_RECORD)
        return false;
    FlatExpression *record =
        build_node(in->f, FLAT_RECORD, base->type, base->type->count, value->span);
    for (uint32_t i = 0; i < record->count; i++)
        record->operands[i] = i == target->field ? value : *slot ? (*slot)->operands[i] : NULL;
    build_vary(record);
    *slot = record;
    return true;
}

static bool unfold_assign(Unfolding *in, const FlatStatement *st)
{
    FlatExpression *value = unfold_expression(in, st->value);
    if (!value || expression_is_none(value))
        return false;
    if (st->target->kind == FLAT_MEMBER)
        return unfold_assign_member(in, st->target, value);
    if (st->target->kind != FLAT_LOCAL)
        return false;
    in->values[st->target->local->index] = value;
    return true;
}

// The initial values of outputs and protected variables.
static bool unfold_begin(Unfolding *in)
{
    const FlatFunction *fn = in->function;
    uint32_t end = fn->input_count;
    while (end < fn->local_count && fn->locals[end]->role != FLAT_ROLE_ITERATOR)
        end++;
    for (uint32_t k = fn->input_count; k < end; k++) {
        const uint32_t i = fn->order ? fn->order[k - fn->input_count] : k;
        if (!fn->locals[i]->value)
            continue;
        in->values[i] = unfold_expression(in, fn->locals[i]->value);
        if (!in->values[i])
            return false;
    }
    return true;
}

// The result has the place of the call: a message about it points there.
static FlatExpression *unfold_at(Flattener *f, FlatExpression *e, Span span)
{
    if (e->kind != FLAT_OPERATION && e->kind != FLAT_RECORD)
        return e;
    FlatExpression *copy = build_node(f, (FlatKind)e->kind, e->type, e->count, span);
    FlatExpression **operands = copy->operands;
    *copy = *e;
    copy->span = span;
    copy->operands = operands;
    for (uint32_t i = 0; i < e->count; i++)
        operands[i] = e->kind == FLAT_RECORD ? unfold_at(f, e->operands[i], span) : e->operands[i];
    return copy;
}

FlatExpression *unfold_call(Flattener *f, Scope *s, const FlatFunction *fn, FlatExpression **values,
                            Span span)
{
    if (!unfold_is_possible(fn, values))
        return NULL;
    Unfolding in = {.f = f,
                    .scope = s,
                    .function = fn,
                    .values = ARENA_ARRAY(f->arena, fn->local_count + 1, FlatExpression *)};
    for (uint32_t i = 0; i < fn->input_count; i++)
        in.values[i] = values[i];
    bool is_fine = unfold_begin(&in);
    for (uint32_t i = 0; is_fine && i < fn->count; i++)
        is_fine = unfold_assign(&in, fn->statements[i]);
    FlatExpression *result = in.values[fn->input_count];
    if (!is_fine || !result || !unfold_is_whole(result) ||
        unfold_weight(result, LARGEST) >= LARGEST)
        return NULL;
    return unfold_at(f, result, span);
}
