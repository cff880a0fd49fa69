// SPDX-License-Identifier: MIT
//
// Evaluation of expressions at compile time: see evaluate.h.
//
// By recursion over the expression. The value of a parameter is found once, from its binding or its
// start value, and kept with the variable; one whose value is asked for while it is being found
// depends on itself, and has none. A failure leaves its first reason in the Evaluation, and whoever
// asked decides whether that is a mistake of the model or only means that the value is not known
// before the run.
//
// What an evaluation may take is bounded (LIMIT_STEPS for each, step_maximum for all of a model),
// since functions of the user may loop without end.

#include "flatten/evaluate.h"

#include "flatten/arithmetic.h"
#include "flatten/instance.h"

// ---------------------------------------------------------------------------
// Failure
// ---------------------------------------------------------------------------

void evaluate_note(Evaluation *ev, Span span, const char *format, ...)
{
    if (ev->reason)
        return; // the first reason counts
    va_list arguments;
    va_start(arguments, format);
    StringBuilder text = builder_create(ev->f->arena);
    builder_append_formatted(&text, format, arguments);
    va_end(arguments);
    ev->reason = builder_string(&text).text;
    ev->span = span;
}

bool evaluate_step(Evaluation *ev, uint64_t steps, Span span)
{
    ev->steps += steps;
    ev->f->limits.step_count += steps;
    if (ev->steps > LIMIT_STEPS)
        return evaluate_fail(ev, span, "it takes more than %d steps", LIMIT_STEPS);
    return ev->f->limits.step_count <= ev->f->limits.step_maximum ||
           evaluate_fail(ev, span, "all evaluations together take more than %llu steps",
                         (unsigned long long)ev->f->limits.step_maximum);
}

// ---------------------------------------------------------------------------
// Variables
// ---------------------------------------------------------------------------

static Value variable_literal(const FlatVariable *v)
{
    Scalar s = {0};
    if (FLAT_TYPE(v)->kind == FLAT_TYPE_REAL)
        s.real = v->value.real;
    else if (FLAT_TYPE(v)->kind == FLAT_TYPE_STRING)
        s.string = v->value.string;
    else
        s.integer = v->value.integer;
    return value_scalar(FLAT_TYPE(v), s);
}

static void keep_value(Flattener *f, FlatVariable *v, Scalar s)
{
    if (FLAT_TYPE(v)->kind == FLAT_TYPE_REAL)
        v->value.real = s.real;
    else if (FLAT_TYPE(v)->kind == FLAT_TYPE_STRING)
        v->value.string = arena_copy_text(f->arena, s.string, strlen(s.string));
    else
        v->value.integer = s.integer;
    v->is_evaluated = true;
    v->is_structural = v->kind == FLAT_PARAMETER;
}

static const char *variable_text(Flattener *f, const FlatVariable *v)
{
    StringBuilder name = builder_create(f->arena);
    flat_variable_name(&name, v);
    return builder_string(&name).text;
}

// What defines a parameter: its binding, or its start value.
static const FlatExpression *definition(Flattener *f, FlatVariable *v)
{
    const FlatExpression *binding = variable_binding(f, v);
    if (binding)
        return binding;
    instance_attributes(f, variable_instance(v));
    if (!v->attributes || (v->attributes->has_fixed && !v->attributes->is_fixed))
        return NULL;
    return v->kind == FLAT_PARAMETER ? v->attributes->start : NULL;
}

// The variables in an expression that have no value yet; how many there are.
static uint32_t push_unknown(Flattener *f, const FlatExpression *e, Map *seen, List *way)
{
    uint32_t count = 0;
    if (e->kind == FLAT_VARIABLE && e->variable->kind <= FLAT_PARAMETER &&
        !e->variable->is_evaluated) {
        count++;
        if (!map_find(seen, e->variable)) {
            map_set(f->arena, seen, e->variable, e->variable);
            list_append(f->arena, way, e->variable);
        }
    }
    for (uint32_t i = 0; i < e->count; i++)
        count += push_unknown(f, e->operands[i], seen, way);
    return count;
}

// A chain of parameters may be longer than the stack is deep: beyond LIMIT_NEAR_VALUES the values
// that `first` may need are found here, depth first along a list. What cannot be found stays as it
// is, and is found, or not, by whoever asks for it.
static void evaluate_ahead(Flattener *f, FlatVariable *first)
{
    Map seen = {0};
    List way = {0};
    map_set(f->arena, &seen, first, first);
    list_append(f->arena, &way, first);
    while (way.count) {
        FlatVariable *v = way.items[way.count - 1];
        const FlatExpression *value = v->is_evaluated ? NULL : definition(f, v);
        const uint32_t before = way.count;
        const uint32_t unknown = value ? push_unknown(f, value, &seen, &way) : 0;
        if (way.count > before)
            continue; // what it needs comes first
        way.count--;
        Evaluation ev = {.f = f, .scratch = f->scratch};
        Value ignored;
        const ArenaMark mark = arena_mark(f->scratch);
        if (value && v != first && !unknown)
            evaluate_expression(&ev, &v->reference, &ignored);
        arena_release(f->scratch, mark);
    }
}

static bool evaluate_definition(Evaluation *ev, FlatVariable *v, Span span, Value *result)
{
    Flattener *f = ev->f;
    // Where no message would be seen, no time is taken for the reason.
    const bool is_lost = f->diagnostics->error_count >= LIMIT_ERRORS;
    if (f->limits.value_depth >= (is_lost ? LIMIT_NEAR_VALUES : LIMIT_FAR_VALUES))
        return evaluate_fail(ev, span, "'%s' depends on more than %d others in a row",
                             variable_text(f, v), LIMIT_FAR_VALUES);
    if (f->limits.value_depth == LIMIT_NEAR_VALUES)
        evaluate_ahead(f, v);
    const FlatExpression *value = definition(f, v);
    if (!value)
        return evaluate_fail(ev, span, "'%s' has no value", variable_text(f, v));
    if (expression_is_none(value))
        return evaluate_fail(ev, span, "the value of '%s' is wrong", variable_text(f, v));
    return evaluate_expression(ev, value, result);
}

static bool evaluate_variable(Evaluation *ev, const FlatExpression *e, Value *result)
{
    Flattener *f = ev->f;
    FlatVariable *v = e->variable;
    if (v->is_evaluated) {
        *result = variable_literal(v);
        return true;
    }
    if (v->kind > FLAT_PARAMETER)
        return evaluate_fail(ev, e->span, "'%s' is not a parameter", variable_text(f, v));
    if (map_find(&f->seen.evaluating, v) || variable_instance(v)->bound.is_binding)
        return evaluate_fail(ev, e->span, "'%s' depends on itself", variable_text(f, v));
    map_set(f->arena, &f->seen.evaluating, v, v);
    f->limits.value_depth++;
    const bool is_fine = evaluate_definition(ev, v, e->span, result);
    f->limits.value_depth--;
    map_set(f->arena, &f->seen.evaluating, v, NULL);
    if (!is_fine)
        return false;
    value_convert(ev->scratch, result, FLAT_TYPE(v));
    if (result->rank)
        return evaluate_fail(ev, e->span, "the value of '%s' is an array", variable_text(f, v));
    keep_value(f, v, result->scalar);
    return true;
}

static bool evaluate_local(Evaluation *ev, const FlatExpression *e, Value *result)
{
    const Frame *frame = ev->frame;
    const FlatLocal *local = e->local;
    const bool is_here = frame && local->index < frame->function->local_count &&
                         frame->function->locals[local->index] == local;
    if (!is_here)
        return evaluate_fail(ev, e->span, "'%s' is known only when the function runs",
                             local->name->text);
    if (frame->arguments) {
        const FlatExpression *argument =
            local->role == FLAT_ROLE_INPUT ? frame->arguments[local->index] : local->value;
        if (!argument)
            return evaluate_fail(ev, e->span, "'%s' is not known", local->name->text);
        // The argument is an expression of the caller: no frame, unless it mentions its locals.
        Frame *own = ev->frame;
        if (local->role == FLAT_ROLE_INPUT)
            ev->frame = NULL;
        const bool is_fine = evaluate_expression(ev, argument, result);
        ev->frame = own;
        return is_fine;
    }
    if (!frame->is_set || !frame->is_set[local->index])
        return evaluate_fail(ev, e->span, "'%s' is used before it gets a value", local->name->text);
    *result = frame->locals[local->index];
    return true;
}

// ---------------------------------------------------------------------------
// Operations
// ---------------------------------------------------------------------------

Value *evaluate_operands(Evaluation *ev, const FlatExpression *e)
{
    Value *values = ARENA_ARRAY(ev->scratch, e->count + 1, Value);
    for (uint32_t i = 0; i < e->count; i++)
        if (!evaluate_expression(ev, e->operands[i], &values[i]))
            return NULL;
    return values;
}

// Logic stops as soon as the result is known.
static bool evaluate_logic(Evaluation *ev, const FlatExpression *e, Value *result)
{
    const bool decisive = e->operation == OPERATION_OR;
    for (uint32_t i = 0; i < e->count; i++) {
        if (!evaluate_expression(ev, e->operands[i], result))
            return false;
        if ((result->scalar.integer != 0) == decisive)
            return true;
    }
    return true;
}

static bool evaluate_text(Evaluation *ev, const FlatExpression *e, Value *result)
{
    Value *v = evaluate_operands(ev, e);
    if (!v)
        return false;
    const char *format = v[4].scalar.string;
    Scalar s = {.string = arithmetic_text(ev->scratch, v[0].type, v[0].scalar, v[1].scalar.integer,
                                          v[2].scalar.integer, v[3].scalar.integer != 0,
                                          *format ? format : NULL)};
    *result = value_scalar(&flat_type_string, s);
    return true;
}

// size(x, k) of a function's local or argument, whose elements need not be known.
static bool evaluate_size_of(Evaluation *ev, const FlatExpression *e, Value *result)
{
    Value dimension = {0};
    if (!evaluate_expression(ev, e->operands[1], &dimension))
        return false;
    const int64_t k = dimension.scalar.integer;
    const FlatExpression *array = e->operands[0];
    const Frame *frame = ev->frame;
    if (frame && frame->arguments && array->kind == FLAT_LOCAL &&
        array->local->role == FLAT_ROLE_INPUT &&
        frame->function->locals[array->local->index] == array->local)
        array = frame->arguments[array->local->index];
    if (k < 1 || k > array->rank)
        return evaluate_fail(ev, e->span, "there is no dimension %lld", (long long)k);
    if (array->dims[k - 1] != FLAT_UNKNOWN_SIZE) {
        *result = value_integer(array->dims[k - 1]);
        return true;
    }
    Value v = {0};
    if (!evaluate_expression(ev, array, &v))
        return false;
    *result = value_integer(v.dims[k - 1]);
    return true;
}

static bool apply_scalar(Evaluation *ev, const FlatExpression *e, const FlatType *type,
                         uint32_t count, const Scalar *operands, Scalar *result)
{
    const char *reason;
    const Operation op = operation_plain((Operation)e->operation);
    if (op == OPERATION_ENUMERATION &&
        (operands[0].integer < 1 || operands[0].integer > (int64_t)e->type->count))
        return evaluate_fail(ev, e->span, "the enumeration has no value of this number");
    if (arithmetic_apply(ev->scratch, op, type, count, operands, result, &reason))
        return true;
    return evaluate_fail(ev, e->span, "%s", reason ? reason : "it has no value before the run");
}

// An operation on scalars, repeated over arrays of one shape.
static bool apply_elements(Evaluation *ev, const FlatExpression *e, Value *v, Value *result)
{
    const Value *shape = NULL;
    for (uint32_t i = 0; i < e->count; i++) {
        if (!v[i].rank)
            continue;
        if (shape && (shape->rank != v[i].rank ||
                      memcmp(shape->dims, v[i].dims, shape->rank * sizeof *shape->dims) != 0))
            return evaluate_fail(ev, e->span, "arrays of different sizes");
        shape = shape ? shape : &v[i];
    }
    enum { MANY = 8 };
    Scalar few[MANY];
    Scalar *operands = e->count <= MANY ? few : ARENA_ARRAY(ev->scratch, e->count, Scalar);
    if (!shape) {
        for (uint32_t i = 0; i < e->count; i++)
            operands[i] = v[i].scalar;
        *result = (Value){.type = e->type};
        return apply_scalar(ev, e, v[0].type, e->count, operands, &result->scalar);
    }
    if (!value_array(ev->scratch, e->type, shape->rank, shape->dims, result))
        return evaluate_fail(ev, e->span, "the array is too large");
    const uint64_t count = value_count(result);
    if (!evaluate_step(ev, count, e->span))
        return false;
    for (uint64_t n = 0; n < count; n++) {
        for (uint32_t i = 0; i < e->count; i++)
            operands[i] = v[i].rank ? v[i].items[n] : v[i].scalar;
        if (!apply_scalar(ev, e, v[0].type, e->count, operands, &result->items[n]))
            return false;
    }
    return true;
}

static bool is_matrix_product(const FlatExpression *e)
{
    return (e->operation == OPERATION_MULTIPLY && e->count == 2 && e->operands[0]->rank &&
            e->operands[1]->rank) ||
           (e->operation == OPERATION_POWER && e->operands[0]->rank);
}

static bool evaluate_operation(Evaluation *ev, const FlatExpression *e, Value *result)
{
    const Operation op = (Operation)e->operation;
    if ((op == OPERATION_AND || op == OPERATION_OR) && !e->rank)
        return evaluate_logic(ev, e, result);
    if (op == OPERATION_STRING)
        return evaluate_text(ev, e, result);
    if (op == OPERATION_SIZE)
        return evaluate_size_of(ev, e, result);
    if (op == OPERATION_NO_EVENT)
        return evaluate_expression(ev, e->operands[0], result);
    if (op == OPERATION_SMOOTH)
        return evaluate_expression(ev, e->operands[1], result);
    const bool is_extremum_of_array = (op == OPERATION_MINIMUM || op == OPERATION_MAXIMUM) &&
                                      e->count == 1 && e->operands[0]->rank;
    if ((op >= OPERATION_SUM && op <= OPERATION_RANGE) || is_extremum_of_array ||
        is_matrix_product(e))
        return evaluate_array_operation(ev, e, result);
    if (op >= OPERATION_TIME && op <= OPERATION_DELAY)
        return evaluate_fail(ev, e->span, "'%s' has no value before the run",
                             operation_info(op)->text);
    Value *operands = evaluate_operands(ev, e);
    return operands && apply_elements(ev, e, operands, result);
}

// ---------------------------------------------------------------------------
// Conditionals, arrays, records
// ---------------------------------------------------------------------------

static bool evaluate_if(Evaluation *ev, const FlatExpression *e, Value *result)
{
    uint32_t i = 0;
    for (; i + 1 < e->count; i += 2) {
        Value condition = {0};
        if (!evaluate_expression(ev, e->operands[i], &condition))
            return false;
        if (condition.scalar.integer)
            return evaluate_expression(ev, e->operands[i + 1], result);
    }
    return evaluate_expression(ev, e->operands[i], result);
}

static bool evaluate_elements(Evaluation *ev, const FlatExpression *e, Value *result)
{
    if (!value_array(ev->scratch, e->type, e->rank, e->dims, result))
        return evaluate_fail(ev, e->span, "the array is too large");
    for (uint32_t i = 0; i < e->count; i++) {
        Value item = {0};
        if (!evaluate_expression(ev, e->operands[i], &item))
            return false;
        result->items[i] = item.scalar;
    }
    return true;
}

static bool evaluate_record(Evaluation *ev, const FlatExpression *e, Value *result)
{
    Value *fields = evaluate_operands(ev, e);
    if (!fields)
        return false;
    for (uint32_t i = 0; i < e->count; i++)
        value_convert(ev->scratch, &fields[i], e->type->fields[i].type);
    *result = value_scalar(e->type, (Scalar){.fields = fields});
    return true;
}

static bool evaluate_member(Evaluation *ev, const FlatExpression *e, Value *result)
{
    Value base = {0};
    if (!evaluate_expression(ev, e->operands[0], &base))
        return false;
    if (!base.rank) {
        if (!base.scalar.fields || !base.scalar.fields[e->field].type)
            return evaluate_fail(ev, e->span, "'%s' is used before it gets a value",
                                 base.type->fields[e->field].name->text);
        *result = base.scalar.fields[e->field];
        return true;
    }
    // The member of all elements of an array of records.
    const uint64_t count = value_count(&base);
    if (count == 0)
        return value_array(ev->scratch, e->type, base.rank, base.dims, result);
    for (uint64_t i = 0; i < count; i++)
        if (!base.items[i].fields || !base.items[i].fields[e->field].type)
            return evaluate_fail(ev, e->span, "'%s' is used before it gets a value",
                                 base.type->fields[e->field].name->text);
    const Value *first = &base.items[0].fields[e->field];
    uint32_t *dims = ARENA_ARRAY(ev->scratch, base.rank + first->rank + 1, uint32_t);
    copy_items(dims, base.dims, base.rank * sizeof *dims);
    for (uint32_t k = 0; k < first->rank; k++)
        dims[base.rank + k] = first->dims[k];
    if (!value_array(ev->scratch, e->type, base.rank + first->rank, dims, result))
        return evaluate_fail(ev, e->span, "the array is too large");
    const uint64_t inner = value_count(first);
    for (uint64_t i = 0; i < count; i++) {
        Value *part = &base.items[i].fields[e->field];
        if (value_count(part) != inner)
            return evaluate_fail(ev, e->span, "records with arrays of different sizes");
        copy_items(result->items + i * inner, value_items(part), inner * sizeof(Scalar));
    }
    return true;
}

// ---------------------------------------------------------------------------
// Subscripts
// ---------------------------------------------------------------------------

static bool read_subscript(Evaluation *ev, const FlatExpression *e, uint32_t size, uint64_t *count,
                           uint64_t **places, bool *is_scalar)
{
    *is_scalar = false;
    if (!e || e->kind == FLAT_COLON) {
        *count = size;
        *places = NULL;
        return true;
    }
    Value v = {0};
    if (!evaluate_expression(ev, e, &v))
        return false;
    *is_scalar = v.rank == 0;
    *count = value_count(&v);
    *places = ARENA_ARRAY(ev->scratch, *count + 1, uint64_t);
    for (uint64_t i = 0; i < *count; i++) {
        int64_t place = value_items(&v)[i].integer + (v.type->kind == FLAT_TYPE_BOOLEAN);
        if (place < 1 || place > (int64_t)size)
            return evaluate_fail(ev, e->span, "subscript %lld is not between 1 and %u",
                                 (long long)place, (unsigned)size);
        (*places)[i] = (uint64_t)place - 1;
    }
    return true;
}

bool evaluate_slice(Evaluation *ev, const FlatExpression *select, const Value *array, Slice *slice)
{
    const uint32_t rank = array->rank;
    uint64_t counts[UINT8_MAX];
    uint64_t *places[UINT8_MAX];
    if (select->count - 1 > rank)
        return evaluate_fail(ev, select->span, "there are too many subscripts");
    *slice = (Slice){.count = 1, .dims = ARENA_ARRAY(ev->scratch, rank + 1, uint32_t)};
    for (uint32_t k = 0; k < rank; k++) {
        bool is_scalar;
        const FlatExpression *e = k + 1 < select->count ? select->operands[k + 1] : NULL;
        if (!read_subscript(ev, e, array->dims[k], &counts[k], &places[k], &is_scalar))
            return false;
        slice->count *= counts[k];
        if (!is_scalar)
            slice->dims[slice->rank++] = (uint32_t)counts[k];
    }
    if (!evaluate_step(ev, slice->count, select->span))
        return false;
    slice->places = ARENA_ARRAY(ev->scratch, slice->count + 1, uint64_t);
    for (uint64_t n = 0; n < slice->count; n++) {
        uint64_t rest = n;
        uint64_t stride = 1;
        uint64_t place = 0;
        for (uint32_t k = rank; k-- > 0;) {
            const uint64_t at = rest % counts[k];
            rest /= counts[k];
            place += stride * (places[k] ? places[k][at] : at);
            stride *= array->dims[k];
        }
        slice->places[n] = place;
    }
    return true;
}

static bool evaluate_select(Evaluation *ev, const FlatExpression *e, Value *result)
{
    Value array = {0};
    Slice slice;
    if (!evaluate_expression(ev, e->operands[0], &array) || !evaluate_slice(ev, e, &array, &slice))
        return false;
    if (!slice.rank) {
        *result = value_scalar(array.type, array.items[slice.places[0]]);
        return true;
    }
    if (!value_array(ev->scratch, array.type, slice.rank, slice.dims, result))
        return evaluate_fail(ev, e->span, "the array is too large");
    for (uint64_t i = 0; i < slice.count; i++)
        result->items[i] = array.items[slice.places[i]];
    return true;
}

// ---------------------------------------------------------------------------
// Calls
// ---------------------------------------------------------------------------

// The scalar number *index of a value, records field by field; counts *index down. What was not
// assigned counts as one scalar, without a type.
static bool find_scalar(const Value *v, uint32_t *index, Value *result)
{
    if (!v->type) {
        *result = *v;
        return (*index)-- == 0;
    }
    const uint64_t count = value_count(v);
    for (uint64_t i = 0; i < count; i++) {
        const Scalar s = v->rank ? v->items[i] : v->scalar;
        if (v->type->kind == FLAT_TYPE_RECORD) {
            for (uint32_t k = 0; s.fields && k < v->type->count; k++)
                if (find_scalar(&s.fields[k], index, result))
                    return true;
        } else if ((*index)-- == 0) {
            *result = value_scalar(v->type, s);
            return true;
        }
    }
    return false;
}

// Outside functions a call is run once, however many of its results are asked for.
static bool call_outputs(Evaluation *ev, const FlatExpression *call, Value **outputs)
{
    Flattener *f = ev->f;
    if (ev->frame || ev->observed)
        return interpret_call(ev, call, outputs);
    *outputs = map_find(&f->calls.call_values, call);
    if (*outputs)
        return true;
    if (!interpret_call(ev, call, outputs))
        return false;
    const uint32_t count = call->function->output_count;
    Value *kept = ARENA_ARRAY(f->arena, count + 1, Value);
    for (uint32_t i = 0; i < count; i++)
        kept[i] = value_copy(f->arena, &(*outputs)[i]);
    map_set(f->arena, &f->calls.call_values, call, kept);
    *outputs = kept;
    return true;
}

static bool evaluate_result(Evaluation *ev, const FlatExpression *e, Value *result)
{
    Value *outputs;
    if (!call_outputs(ev, e->operands[0], &outputs))
        return false;
    uint32_t index = e->result.element;
    if (!find_scalar(&outputs[e->result.output], &index, result))
        return evaluate_fail(ev, e->span, "the function's result has another size");
    return result->type ||
           evaluate_fail(ev, e->span, "a member of the function's result gets no value");
}

// ---------------------------------------------------------------------------
// The dispatcher
// ---------------------------------------------------------------------------

bool evaluate_expression(Evaluation *ev, const FlatExpression *e, Value *result)
{
    if (!evaluate_step(ev, 1, e->span))
        return false;
    if (ev->observed && ev->observed(ev->run, e, result))
        return true;
    switch ((FlatKind)e->kind) {
    case FLAT_REAL:
        *result = value_scalar(e->type, (Scalar){.real = e->real});
        return true;
    case FLAT_INTEGER:
    case FLAT_ENUMERATION:
        *result = value_scalar(e->type, (Scalar){.integer = e->integer});
        return !expression_is_none(e) || evaluate_fail(ev, e->span, "it is wrong");
    case FLAT_BOOLEAN:
        *result = value_scalar(e->type, (Scalar){.integer = e->boolean});
        return true;
    case FLAT_STRING:
        *result = value_scalar(e->type, (Scalar){.string = e->string});
        return true;
    case FLAT_VARIABLE:
        return evaluate_variable(ev, e, result);
    case FLAT_OPERATION:
        return evaluate_operation(ev, e, result);
    case FLAT_IF:
        return evaluate_if(ev, e, result);
    case FLAT_CALL: {
        Value *outputs;
        if (!call_outputs(ev, e, &outputs))
            return false;
        *result = outputs[0];
        return true;
    }
    case FLAT_RESULT:
        return evaluate_result(ev, e, result);
    case FLAT_SELECT:
        return evaluate_select(ev, e, result);
    case FLAT_ARRAY:
        return evaluate_elements(ev, e, result);
    case FLAT_RECORD:
        return evaluate_record(ev, e, result);
    case FLAT_LOCAL:
        return evaluate_local(ev, e, result);
    case FLAT_MEMBER:
        return evaluate_member(ev, e, result);
    case FLAT_COMPREHENSION:
        return evaluate_array_operation(ev, e, result);
    default:
        return evaluate_fail(ev, e->span, "it has no value before the run");
    }
}

// ---------------------------------------------------------------------------
// Entry points
// ---------------------------------------------------------------------------

FlatExpression *evaluate(Flattener *f, const FlatExpression *e, const char *what)
{
    if (expression_is_none(e))
        return NULL;
    if (expression_is_literal(e))
        return (FlatExpression *)e;
    Evaluation ev = {.f = f, .scratch = f->scratch};
    const ArenaMark mark = arena_mark(f->scratch);
    Value value = {0};
    FlatExpression *result = NULL;
    if (evaluate_expression(&ev, e, &value))
        result = value_expression(f, &value, e->span);
    arena_release(f->scratch, mark);
    if (!result && what) {
        Diagnostic *d = report_error(f, e->span, "%s must be known before the run: %s", what,
                                     ev.reason ? ev.reason : "it is not");
        if (ev.span.begin && ev.span.begin != e->span.begin)
            report_note(f, d, ev.span, "here");
    }
    return result;
}

bool evaluate_integer(Flattener *f, const FlatExpression *e, const char *what, int64_t *value)
{
    const FlatExpression *literal = evaluate(f, e, what);
    if (!literal || literal->kind != FLAT_INTEGER)
        return false;
    *value = literal->integer;
    return true;
}

bool evaluate_boolean(Flattener *f, const FlatExpression *e, const char *what, bool *value)
{
    const FlatExpression *literal = evaluate(f, e, what);
    if (!literal || literal->kind != FLAT_BOOLEAN)
        return false;
    *value = literal->boolean;
    return true;
}

bool evaluate_real(Flattener *f, const FlatExpression *e, const char *what, double *value)
{
    const FlatExpression *literal = evaluate(f, e, what);
    if (!literal || (literal->kind != FLAT_REAL && literal->kind != FLAT_INTEGER))
        return false;
    *value = literal->kind == FLAT_REAL ? literal->real : (double)literal->integer;
    return true;
}

bool evaluate_size(Flattener *f, const FlatFunction *function, FlatExpression **arguments,
                   const FlatExpression *e, int64_t *value)
{
    Frame frame = {.function = function, .arguments = arguments};
    Evaluation ev = {.f = f, .scratch = f->scratch, .frame = &frame};
    const ArenaMark mark = arena_mark(f->scratch);
    Value result = {0};
    const bool is_known = evaluate_expression(&ev, e, &result);
    if (is_known)
        *value = result.scalar.integer;
    arena_release(f->scratch, mark);
    return is_known;
}
