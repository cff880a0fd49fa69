// SPDX-License-Identifier: MIT
//
// Runs functions of the user at compile time. The locals of a call live in the arena `frames`,
// which is released when the function returns; values in between live in the scratch arena and are
// released after every statement, so that a long loop takes no more memory than a short one.

#include "external/external.h"
#include "flatten/array_operation.h"
#include "flatten/evaluate.h"
#include "flatten/external.h"

typedef enum InterpretFlow { FLOW_NEXT, FLOW_BREAK, FLOW_RETURN, FLOW_FAILED } InterpretFlow;

static InterpretFlow interpret_run(Evaluation *ev, uint32_t count,
                                   FlatStatement *const *statements);

// ---------------------------------------------------------------------------
// Assignment
// ---------------------------------------------------------------------------

// Where a target is stored: the value of a local, or a field of it.
static Value *storage(Evaluation *ev, const FlatExpression *target)
{
    Frame *frame = ev->frame;
    if (target->kind == FLAT_LOCAL) {
        const uint32_t index = target->local->index;
        return index < frame->function->local_count &&
                       frame->function->locals[index] == target->local
                   ? &frame->locals[index]
                   : NULL;
    }
    if (target->kind == FLAT_MEMBER) {
        Value *record = storage(ev, target->operands[0]);
        return record && !record->rank && record->scalar.fields
                   ? &record->scalar.fields[target->field]
                   : NULL;
    }
    return NULL;
}

static bool interpret_same_shape(const Value *a, const Value *b)
{
    return a->rank == b->rank &&
           (a->rank == 0 || memcmp(a->dims, b->dims, a->rank * sizeof *a->dims) == 0);
}

static bool is_flat(const FlatType *type)
{
    return type->kind != FLAT_TYPE_RECORD && type->kind != FLAT_TYPE_STRING;
}

// The characters in a value: what is not flat is kept until the function returns.
static uint64_t text_length(const Value *v)
{
    uint64_t length = 0;
    for (uint64_t i = 0; v->type && !is_flat(v->type) && i < value_count(v); i++) {
        const Scalar s = v->rank ? v->items[i] : v->scalar;
        if (v->type->kind == FLAT_TYPE_STRING)
            length += s.string ? strlen(s.string) : 0;
        for (uint32_t k = 0; v->type->kind == FLAT_TYPE_RECORD && s.fields && k < v->type->count;
             k++)
            length += text_length(&s.fields[k]);
    }
    return length;
}

static bool interpret_store(Evaluation *ev, Value *to, const Value *value,
                            const FlatExpression *target)
{
    for (uint32_t k = 0; k < target->rank; k++)
        if (value->rank != target->rank ||
            (target->dims[k] != FLAT_UNKNOWN_SIZE && target->dims[k] != value->dims[k]))
            return evaluate_fail(ev, target->span, "the value has another size than its variable");
    if (to->type && is_flat(value->type) && interpret_same_shape(to, value)) {
        copy_items(value_items(to), value_items((Value *)value),
                   value_count(value) * sizeof(Scalar));
        return true;
    }
    *to = value_copy(ev->f->frames, value);
    return evaluate_step(ev, text_length(value) / 16, target->span);
}

// a[i] := v, a[i].b := v, r.a[i] := v.
static bool store_part(Evaluation *ev, const FlatExpression *target, Value *value)
{
    const FlatExpression *select = target->kind == FLAT_SELECT ? target : target->operands[0];
    Value *array = select->kind == FLAT_SELECT ? storage(ev, select->operands[0]) : NULL;
    if (!array || !array->type)
        return evaluate_fail(ev, target->span, "the variable has no size yet");
    Slice slice;
    if (!evaluate_slice(ev, select, array, &slice))
        return false;
    if (target->kind == FLAT_MEMBER) {
        if (slice.rank)
            return evaluate_fail(ev, target->span, "members of several records at once");
        Scalar *record = &array->items[slice.places[0]];
        if (!record->fields)
            record->fields = ARENA_ARRAY(ev->f->frames, array->type->count + 1, Value);
        return interpret_store(ev, &record->fields[target->field], value, target);
    }
    if (value_count(value) != slice.count)
        return evaluate_fail(ev, target->span, "the value has another size than its target");
    const Value kept = is_flat(value->type) ? *value : value_copy(ev->f->frames, value);
    for (uint64_t i = 0; i < slice.count; i++)
        array->items[slice.places[i]] = kept.rank ? kept.items[i] : kept.scalar;
    return true;
}

bool interpret_assign(Evaluation *ev, const FlatExpression *target, Value *value)
{
    value_convert(ev->scratch, value, target->type);
    Value *to = storage(ev, target);
    if (!to)
        return store_part(ev, target, value);
    if (!interpret_store(ev, to, value, target))
        return false;
    if (target->kind == FLAT_LOCAL)
        ev->frame->is_set[target->local->index] = true;
    return true;
}

// ---------------------------------------------------------------------------
// Statements
// ---------------------------------------------------------------------------

static InterpretFlow run_multiple(Evaluation *ev, const FlatStatement *st)
{
    Value *outputs;
    if (!interpret_call(ev, st->value, &outputs))
        return FLOW_FAILED;
    for (uint32_t i = 0; i < st->target_count; i++)
        if (st->targets[i] && !interpret_assign(ev, st->targets[i], &outputs[i]))
            return FLOW_FAILED;
    return FLOW_NEXT;
}

static InterpretFlow run_choice(Evaluation *ev, const FlatStatement *st)
{
    for (uint32_t i = 0; i < st->branches.count; i++) {
        const FlatBranch *branch = &st->branches.items[i];
        Value condition = {0};
        if (branch->condition && !evaluate_expression(ev, branch->condition, &condition))
            return FLOW_FAILED;
        if (!branch->condition || condition.scalar.integer)
            return interpret_run(ev, branch->count, branch->statements);
    }
    return FLOW_NEXT;
}

// Runs the body of a loop once. False: the loop is over, and `flow` says what follows it.
static bool interpret_round(Evaluation *ev, const FlatStatement *st, InterpretFlow *flow)
{
    const InterpretFlow end = interpret_run(ev, st->loop.count, st->loop.body);
    *flow = end == FLOW_BREAK ? FLOW_NEXT : end;
    return end == FLOW_NEXT;
}

// start : step : stop. The Integers are counted, however many they are.
static InterpretFlow run_counted(Evaluation *ev, const FlatStatement *st)
{
    Value parts[3] = {0};
    int64_t n[3];
    for (uint32_t i = 0; i < 3; i++) {
        if (!evaluate_expression(ev, st->loop.range->operands[i], &parts[i]))
            return FLOW_FAILED;
        n[i] = parts[i].scalar.integer;
    }
    if (n[1] == 0) {
        evaluate_note(ev, st->loop.range->span, "the step of a range is 0");
        return FLOW_FAILED;
    }
    const double count = array_range_size(false, (double)n[0], (double)n[1], (double)n[2]);
    const uint32_t index = st->loop.iterator->index;
    InterpretFlow flow;
    for (uint64_t i = 0; (double)i < count; i++) {
        if (!evaluate_step(ev, 1, st->span))
            return FLOW_FAILED;
        // Only the way there may leave the range of int64_t.
        ev->frame->locals[index] = value_integer((int64_t)((uint64_t)n[0] + i * (uint64_t)n[1]));
        ev->frame->is_set[index] = true;
        if (!interpret_round(ev, st, &flow))
            return flow;
    }
    return FLOW_NEXT;
}

static InterpretFlow run_for(Evaluation *ev, const FlatStatement *st)
{
    const FlatExpression *values = st->loop.range;
    Value range = {0};
    if (values->kind == FLAT_OPERATION && values->operation == OPERATION_RANGE &&
        values->type->kind == FLAT_TYPE_INTEGER)
        return run_counted(ev, st);
    if (!evaluate_expression(ev, st->loop.range, &range))
        return FLOW_FAILED;
    const uint64_t count = value_count(&range);
    const uint32_t index = st->loop.iterator->index;
    InterpretFlow flow;
    for (uint64_t i = 0; i < count; i++) {
        ev->frame->locals[index] = value_element(&range, i);
        ev->frame->is_set[index] = true;
        if (!interpret_round(ev, st, &flow))
            return flow;
    }
    return FLOW_NEXT;
}

static InterpretFlow run_while(Evaluation *ev, const FlatStatement *st)
{
    InterpretFlow flow;
    for (;;) {
        Value condition = {0};
        if (!evaluate_step(ev, 1, st->span) || !evaluate_expression(ev, st->loop.range, &condition))
            return FLOW_FAILED;
        if (!condition.scalar.integer)
            return FLOW_NEXT;
        if (!interpret_round(ev, st, &flow))
            return flow;
    }
}

static InterpretFlow run_assert(Evaluation *ev, const FlatStatement *st)
{
    Value condition = {0};
    Value message = {0};
    if (!evaluate_expression(ev, st->check.condition, &condition))
        return FLOW_FAILED;
    if (condition.scalar.integer || st->check.level == FLAT_LEVEL_WARNING)
        return FLOW_NEXT;
    if (evaluate_expression(ev, st->check.message, &message))
        evaluate_note(ev, st->span, "an assertion failed: %s", message.scalar.string);
    return FLOW_FAILED;
}

static InterpretFlow run_one(Evaluation *ev, const FlatStatement *st)
{
    switch (st->kind) {
    case FLAT_ASSIGN: {
        Value value = {0};
        return evaluate_expression(ev, st->value, &value) &&
                       interpret_assign(ev, st->target, &value)
                   ? FLOW_NEXT
                   : FLOW_FAILED;
    }
    case FLAT_MULTIPLE:
        return run_multiple(ev, st);
    case FLAT_ASSERT:
        return run_assert(ev, st);
    case FLAT_CHOICE:
        return run_choice(ev, st);
    case FLAT_FOR:
        return run_for(ev, st);
    case FLAT_WHILE:
        return run_while(ev, st);
    case FLAT_BREAK:
        return FLOW_BREAK;
    case FLAT_RETURN:
        return FLOW_RETURN;
    default:
        evaluate_note(ev, st->span, "the statement cannot be run before the simulation");
        return FLOW_FAILED;
    }
}

static InterpretFlow interpret_run(Evaluation *ev, uint32_t count, FlatStatement *const *statements)
{
    for (uint32_t i = 0; i < count; i++) {
        const ArenaMark mark = arena_mark(ev->scratch);
        if (!evaluate_step(ev, 1, statements[i]->span))
            return FLOW_FAILED;
        const InterpretFlow flow = run_one(ev, statements[i]);
        arena_release(ev->scratch, mark);
        if (flow != FLOW_NEXT)
            return flow;
    }
    return FLOW_NEXT;
}

// ---------------------------------------------------------------------------
// Calls
// ---------------------------------------------------------------------------

// The storage of a record: fields without values, arrays in it with their sizes.
static void prepare_record(Evaluation *ev, const FlatType *type, Scalar *record)
{
    record->fields = ARENA_ARRAY(ev->f->frames, type->count + 1, Value);
    for (uint32_t i = 0; i < type->count; i++) {
        const FlatField *field = &type->fields[i];
        bool is_known = field->rank > 0;
        for (uint32_t k = 0; k < field->rank; k++)
            is_known = is_known && field->dims[k] != FLAT_UNKNOWN_SIZE;
        if (is_known)
            value_array(ev->f->frames, field->type, field->rank, field->dims, &record->fields[i]);
        else if (field->type->kind == FLAT_TYPE_RECORD && !field->rank) {
            record->fields[i].type = field->type;
            prepare_record(ev, field->type, &record->fields[i].scalar);
        }
    }
}

// Gives outputs and protected variables their sizes and initial values, in their order.
static bool prepare_local(Evaluation *ev, const FlatLocal *local)
{
    Frame *frame = ev->frame;
    Value *v = &frame->locals[local->index];
    const uint32_t rank = local->reference.rank;
    if (local->value) {
        Value value = {0};
        if (!evaluate_expression(ev, local->value, &value))
            return false;
        return interpret_assign(ev, &local->reference, &value);
    }
    uint32_t dims[UINT8_MAX];
    for (uint32_t k = 0; k < rank; k++) {
        Value size = {0};
        dims[k] = 0;
        if (!local->sizes || !local->sizes[k])
            continue; // `:` is nothing at first, and grows by assignments (section 12.4.5)
        if (!evaluate_expression(ev, local->sizes[k], &size))
            return false;
        if (size.scalar.integer < 0 || size.scalar.integer > LIMIT_SCALARS)
            return evaluate_fail(ev, local->span, "'%s' cannot have size %lld", local->name->text,
                                 (long long)size.scalar.integer);
        dims[k] = (uint32_t)size.scalar.integer;
    }
    if (rank) {
        if (!value_array(ev->f->frames, local->reference.type, rank, dims, v))
            return evaluate_fail(ev, local->span, "array '%s' is too large", local->name->text);
        if (local->reference.type->kind == FLAT_TYPE_RECORD)
            for (uint64_t i = 0; i < value_count(v); i++)
                prepare_record(ev, v->type, &v->items[i]);
        if (local->reference.type->kind == FLAT_TYPE_STRING)
            for (uint64_t i = 0; i < value_count(v); i++)
                v->items[i].string = "";
        frame->is_set[local->index] = true; // element by element
        return evaluate_step(ev, value_count(v), local->span);
    }
    if (local->reference.type->kind == FLAT_TYPE_RECORD) {
        v->type = local->reference.type;
        prepare_record(ev, v->type, &v->scalar);
        frame->is_set[local->index] = true;
    }
    return true;
}

static bool run_function(Evaluation *ev, const FlatFunction *fn, Value *outputs)
{
    for (uint32_t i = fn->input_count; i < fn->local_count; i++) {
        // (Iterators, which come last, were not there when the others were put in order.)
        const FlatLocal *local = fn->locals[i];
        if (local->role == FLAT_ROLE_ITERATOR)
            continue;
        if (fn->order)
            local = fn->locals[fn->order[i - fn->input_count]];
        if (!prepare_local(ev, local))
            return false;
    }
    if (fn->external ? !external_run(ev, fn)
                     : interpret_run(ev, fn->count, fn->statements) == FLOW_FAILED)
        return false;
    for (uint32_t i = 0; i < fn->output_count; i++) {
        const uint32_t index = fn->input_count + i;
        if (!ev->frame->is_set[index])
            return evaluate_fail(ev, fn->span, "output '%s' of '%s' gets no value",
                                 fn->locals[index]->name->text, fn->name);
        outputs[i] = value_copy(ev->scratch, &ev->frame->locals[index]);
    }
    return true;
}

bool interpret_call(Evaluation *ev, const FlatExpression *call, Value **outputs)
{
    Flattener *f = ev->f;
    const FlatFunction *fn = call->function;
    if (fn->is_impure && !(fn->external && external_is_reader(fn->external->info)))
        return evaluate_fail(ev, call->span, "'%s' is impure", fn->name);
    if (fn->derivative_of)
        return evaluate_fail(ev, call->span,
                             "'%s' is a partial derivative, which is not known before the run",
                             fn->name);
    if (f->limits.call_depth >= LIMIT_CALL_DEPTH)
        return evaluate_fail(ev, call->span, "calls are nested more than %d deep",
                             LIMIT_CALL_DEPTH);
    Value *arguments = evaluate_operands(ev, call);
    if (!arguments)
        return false;
    *outputs = ARENA_ARRAY(ev->scratch, fn->output_count + 1, Value);
    const ArenaMark mark = arena_mark(f->frames);
    Frame frame = {.function = fn,
                   .locals = ARENA_ARRAY(f->frames, fn->local_count + 1, Value),
                   .is_set = ARENA_ARRAY(f->frames, fn->local_count + 1, bool)};
    Frame *caller = ev->frame;
    ev->frame = &frame;
    bool is_fine = true;
    for (uint32_t i = 0; i < fn->input_count && is_fine; i++)
        is_fine = interpret_assign(ev, &fn->locals[i]->reference, &arguments[i]);
    f->limits.call_depth++;
    is_fine = is_fine && run_function(ev, fn, *outputs);
    f->limits.call_depth--;
    ev->frame = caller;
    arena_release(f->frames, mark);
    return is_fine;
}
