// SPDX-License-Identifier: MIT
//
// Calls of built-in functions (section 12.9 and chapter 3 of the specification): which function is
// meant, its arguments in their order, and what it may be used for.

#include "flatten/builtin.h"
#include "flatten/evaluate.h"
#include "flatten/external.h"
#include "flatten/functional.h"
#include "flatten/graph.h"
#include "flatten/iterator.h"
#include "flatten/library.h"
#include "flatten/lookup.h"
#include "flatten/machine.h"
#include "flatten/overload.h"
#include "flatten/rules.h"
#include "flatten/stream.h"

Operation elaborate_operation(Flattener *f, Scope *s, const Reference *function)
{
    if (function->count != 1)
        return OPERATION_COUNT;
    const Name *name = function->parts[0].name;
    const OperationInfo *info = name ? map_find(&f->operations, name) : NULL;
    if (!info)
        return OPERATION_COUNT;
    const Operation op = (Operation)(info - operation_info((Operation)0));
    if (op == OPERATION_DER || op == OPERATION_INITIAL || op == OPERATION_PURE)
        return op; // keywords
    // A file that happens to have its name does not hide an operation of Modelica.
    Class *from = function->is_global ? library_root(f->library) : s->class_;
    const Operator scalar = operation_operator(op);
    const bool is_extra =
        scalar != OPERATOR_COUNT && operator_info(scalar)->traits & OPERATOR_EXTRA;
    const Found found = is_extra ? lookup_simple(f, from, name) : lookup_given(f, from, name);
    const bool is_hidden = found.member && !found.member->is_component &&
                           !(found.member->class_ && !found.member->class_->definition);
    return is_hidden ? OPERATION_COUNT : op;
}

bool operation_arity(Operation op, uint32_t *least, uint32_t *most)
{
    const OperationInfo *info = operation_info(op);
    switch (op) {
    case OPERATION_MINIMUM:
    case OPERATION_MAXIMUM:
    case OPERATION_SIZE:
    case OPERATION_SAMPLE:
    case OPERATION_SUB_SAMPLE:
    case OPERATION_SUPER_SAMPLE:
        *least = 1;
        *most = 2;
        return true;
    case OPERATION_OUTER_PRODUCT:
    case OPERATION_CROSS:
    case OPERATION_PROMOTE:
    case OPERATION_SMOOTH:
        *least = *most = 2;
        return true;
    case OPERATION_DELAY:
        *least = 2;
        *most = 3;
        return true;
    case OPERATION_SPATIAL_DISTRIBUTION:
    case OPERATION_SPATIAL_RIGHT:
        *least = 4;
        *most = 6;
        return true;
    case OPERATION_LINSPACE:
        *least = *most = 3;
        return true;
    case OPERATION_FILL:
    case OPERATION_CAT:
        *least = 2;
        return false;
    case OPERATION_ZEROS:
    case OPERATION_ONES:
    case OPERATION_STACK:
        *least = 1;
        return false;
    case OPERATION_TIME_IN_STATE:
    case OPERATION_TICKS_IN_STATE:
    case OPERATION_GET_INSTANCE_NAME:
        *least = *most = 0;
        return true;
    case OPERATION_CLOCK:
    case OPERATION_INTERVAL:
    case OPERATION_FIRST_TICK:
        *least = 0;
        *most = op == OPERATION_CLOCK ? 2 : 1;
        return true;
    case OPERATION_SHIFT_SAMPLE:
    case OPERATION_BACK_SAMPLE:
        *least = 2;
        *most = 3;
        return true;
    default:
        break;
    }
    if (info->signature[0] == '*') {
        *least = *most = 1;
        return true;
    }
    const char *first = info->signature + (info->signature[0] == '!');
    *least = *most = (uint32_t)(strchr(first, '>') - first);
    return true;
}

// The place of a named argument; -1: there is none of that name.
static int named_place(const OperationInfo *info, const Name *name)
{
    int place = 0;
    for (const char *text = info->arguments; *text; place++) {
        const size_t length = strcspn(text, " ");
        if (length == name->length && memcmp(text, name->text, length) == 0)
            return place;
        text += length + (text[length] == ' ');
    }
    return -1;
}

// The arguments in the order of the function's; NULL after a message.
static Expression **order_arguments(Flattener *f, const Expression *e, Operation op,
                                    uint32_t *count)
{
    const OperationInfo *info = operation_info(op);
    const uint32_t room = e->call.count + e->call.named_count;
    Expression **ordered = ARENA_ARRAY(f->arena, room + 1, Expression *);
    copy_items(ordered, e->call.arguments, e->call.count * sizeof *ordered);
    for (uint32_t i = 0; i < e->call.named_count; i++) {
        const NamedExpression *named = &e->call.named[i];
        int place = named->name ? named_place(info, named->name) : -1;
        if (place >= 2 && (op == OPERATION_CLOCK || op == OPERATION_SAMPLE))
            place %= 2; // the names of all forms, two by two
        if (place < 0 || (uint32_t)place >= room || ordered[place]) {
            report_error(f, named->span,
                         place < 0 ? "'%s' has no argument '%s'"
                                   : "'%s' is given argument '%s' twice, or not the ones before",
                         info->text, named->name ? named->name->text : "");
            return NULL;
        }
        ordered[place] = named->value;
    }
    *count = room;
    uint32_t least;
    uint32_t most;
    const bool is_limited = operation_arity(op, &least, &most);
    if (room >= least && (!is_limited || room <= most))
        return ordered;
    if (is_limited && least == most)
        report_error(f, e->span, "'%s' takes %u argument%s, but %u %s given", info->text,
                     (unsigned)least, least == 1 ? "" : "s", (unsigned)room,
                     room == 1 ? "is" : "are");
    else
        report_error(f, e->span, "'%s' takes %s %u argument%s, but %u %s given", info->text,
                     room < least ? "at least" : "at most", (unsigned)(room < least ? least : most),
                     (room < least ? least : most) == 1 ? "" : "s", (unsigned)room,
                     room == 1 ? "is" : "are");
    return NULL;
}

// String(x, significantDigits = 6, minimumLength = 0, leftJustified = true) or String(x, format).
static FlatExpression *string_call(Flattener *f, Scope *s, const Expression *e)
{
    if (e->call.count < 1 || e->call.count > 2) {
        report_error(f, e->span, "'String' takes a value and options");
        return build_none(f, e->span);
    }
    const KnownNames *k = &f->known;
    FlatExpression *value = elaborate(f, s, e->call.arguments[0]);
    if (expression_is_none(value))
        return value;
    if (!value->rank && overload_has(f, value->type, "'String'"))
        return overload_call(f, s, value->type, "'String'", e);
    if (value->rank || value->type->kind == FLAT_TYPE_RECORD) {
        report_error(f, value->span, "'String' needs a scalar, but this is %s",
                     expression_type_text(f, value));
        return build_none(f, e->span);
    }
    // operands: value, significant digits, minimum length, left justified, format
    FlatExpression *operands[] = {value, build_integer(f, 6, e->span), build_integer(f, 0, e->span),
                                  build_boolean(f, true, e->span), build_string(f, "", e->span)};
    const Name *names[] = {NULL, k->significantDigits, k->minimumLength, k->leftJustified,
                           k->format};
    const FlatType *types[] = {NULL, &flat_type_integer, &flat_type_integer, &flat_type_boolean,
                               &flat_type_string};
    if (e->call.count == 2)
        operands[4] = build_expect(f, elaborate(f, s, e->call.arguments[1]), &flat_type_string, 0,
                                   NULL, "the format");
    for (uint32_t i = 0; i < e->call.named_count; i++) {
        uint32_t place = 1;
        while (place < 5 && names[place] != e->call.named[i].name)
            place++;
        if (place == 5) {
            report_error(f, e->call.named[i].span, "'String' has no argument '%s'",
                         e->call.named[i].name ? e->call.named[i].name->text : "");
            return build_none(f, e->span);
        }
        operands[place] = build_expect(f, elaborate(f, s, e->call.named[i].value), types[place], 0,
                                       NULL, "an option of 'String'");
    }
    bool is_known = true;
    for (uint32_t i = 0; i < 5; i++) {
        if (expression_is_none(operands[i]))
            return operands[i];
        is_known = is_known && expression_is_literal(operands[i]);
    }
    FlatExpression *text =
        build_operation(f, OPERATION_STRING, &flat_type_string, 5, operands, e->span);
    FlatExpression *known = is_known ? evaluate(f, text, NULL) : NULL;
    return known ? known : text;
}

static FlatExpression *call_reject(Flattener *f, const Expression *e, const char *format,
                                   Operation op)
{
    StringBuilder text = builder_create(f->arena);
    builder_append_format(&text, "'%s' ", operation_info(op)->text);
    builder_append_text(&text, format);
    report_error(f, e->span, "%s", builder_string(&text).text);
    return build_none(f, e->span);
}

FlatExpression *call_reject_operation(Flattener *f, const Expression *e, Operation op)
{
    if (op >= OPERATION_REINIT && op <= OPERATION_TRANSITION)
        return call_reject(f, e, "has no value: it is an equation or a statement of its own", op);
    return NULL;
}

// size(x, 1) without looking at the elements of x.
static FlatExpression *first_argument(Flattener *f, Scope *s, Operation op, const Expression *e)
{
    if ((op == OPERATION_SIZE || op == OPERATION_NDIMS) && e->kind == EXPRESSION_REFERENCE) {
        FlatExpression *shape = elaborate_shape(f, s, e->reference);
        if (shape)
            return shape;
    }
    return elaborate(f, s, e);
}

// What looks at the time, the events or the history of a model (section 12.2).
static bool needs_model(Operation op)
{
    return op == OPERATION_DER || op == OPERATION_PRE || op == OPERATION_EDGE ||
           op == OPERATION_CHANGE || op == OPERATION_SAMPLE || op == OPERATION_INITIAL ||
           op == OPERATION_TERMINAL || operation_has_past(op) || operation_is_clocked(op);
}

// getInstanceName(): the model's simple name, then the instance (section 3.7.4.6). Outside of
// models the value is not specified.
static FlatExpression *instance_path(Flattener *f, const Instance *instance, Span span)
{
    StringBuilder out = builder_create(f->arena);
    const Instance *top = instance;
    while (top && instance_parent(top))
        top = instance_parent(top);
    if (top)
        builder_append_text(&out, top->class_->name->text);
    if (instance != top)
        builder_append_format(&out, ".%s", instance_name(f, instance));
    return build_string(f, builder_string(&out).text, span);
}

FlatExpression *elaborate_builtin(Flattener *f, Scope *s, const Expression *e, Operation op)
{
    FlatExpression *rejected = call_reject_operation(f, e, op);
    if (rejected)
        return rejected;
    if (op == OPERATION_STRING)
        return string_call(f, s, e);
    if (op == OPERATION_CARDINALITY)
        return connections_cardinality(f, s, e);
    if (op == OPERATION_IN_STREAM || op == OPERATION_ACTUAL_STREAM)
        return stream_call(f, s, e, op);
    if (op == OPERATION_ACTIVE_STATE || op == OPERATION_TIME_IN_STATE ||
        op == OPERATION_TICKS_IN_STATE)
        return machine_expression(f, s, e, op);
    if (s->function && needs_model(op)) {
        report_error(f, e->span, "'%s' cannot be used in a function", operation_info(op)->text);
        return build_none(f, e->span);
    }
    if (operation_has_past(op) && s->in_algorithm) {
        report_error(f, e->span,
                     "'%s' cannot be used in an algorithm, whose variables change from statement "
                     "to statement; give the delayed value to a variable in an equation",
                     operation_info(op)->text);
        return build_none(f, e->span);
    }
    uint32_t count;
    Expression **ordered = order_arguments(f, e, op, &count);
    if (!ordered)
        return build_none(f, e->span);
    if (op == OPERATION_GET_INSTANCE_NAME)
        return instance_path(f, s->instance, e->span);
    if (op == OPERATION_TERMINAL || op == OPERATION_INITIAL)
        return build_call(f, op, 0, NULL, e->span);
    FlatExpression **arguments = ARENA_ARRAY(f->arena, count + 1, FlatExpression *);
    for (uint32_t i = 0; i < count; i++)
        arguments[i] = i ? elaborate(f, s, ordered[i]) : first_argument(f, s, op, ordered[i]);
    return op == OPERATION_SUM && overload_concerns(arguments[0])
               ? overload_sum(f, s, arguments[0], e->span)
               : build_call(f, op, count, arguments, e->span);
}
