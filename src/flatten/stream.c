// SPDX-License-Identifier: MIT
//
// Stream connectors: see stream.h.
//
// A set with stream variables is a place without volume where flows meet (section 15.2 and
// appendix D of the specification). Each member j of the set can bring
//
//   w_j = -m_j.m_flow with h_j = m_j.h_outflow             an inside connector
//   w_k =  c_k.m_flow with h_k = inStream(c_k.h_outflow)   an outside connector
//
// and what leaves it towards member i is the mixture of what all others bring,
//
//   h_i = sum p_j h_j / sum p_j,  p_j = max(w_j, 0).
//
// It has no value where nothing flows. With s = sum max(w_j, 0),
//
//   p_j = a max(w_j, 0) + (1 - a) eps,  a = 0 for s <= 0, 1 for s >= eps, a cubic between,
//
// is the same for s >= eps and has a limit, the mean of the h_j, for s = 0 (section 15.2:
// positiveMax). If only one other member can bring anything, h_i = h_j whatever flows. A member
// whose flow has an attribute min >= 0 (outside: max <= 0) brings nothing.

#include "flatten/stream.h"

#include "flatten/connect.h"
#include "flatten/evaluate.h"
#include "flatten/walk.h"

#include <math.h>

// Of the nominal value of the flows: below it a mixture is regularised. It is the default of the
// relative tolerance.
static const double small_flow = 1e-6;

// ---------------------------------------------------------------------------
// Rules
// ---------------------------------------------------------------------------

static bool stream_has_role(const Member *member, ConnectorRole role)
{
    return member->element && member->element->component->clause->role == role;
}

static bool stream_is_scalar_real(Flattener *f, Member *member)
{
    Class *type = member_class(f, member);
    List sizes = {0};
    List scopes = {0};
    if (!type)
        return true; // reported
    class_sizes(f, type, &sizes, &scopes);
    const Component *component = member->element->component;
    return !sizes.count && !component->subscript_count && !component->clause->subscript_count &&
           class_is_simple(f, type) && type->simple == PREDEFINED_REAL;
}

// A connector with stream variables has exactly one flow variable, a scalar (section 15.1).
static bool stream_check_flow(Flattener *f, Class *c)
{
    const Member *stream = NULL;
    Member *flow = NULL;
    uint32_t flows = 0;
    class_expand(f, c);
    for (uint32_t k = 0; k < c->component_count; k++) {
        if (stream_has_role(c->components[k], ROLE_STREAM))
            stream = c->components[k];
        if (!stream_has_role(c->components[k], ROLE_FLOW))
            continue;
        flow = c->components[k];
        flows++;
    }
    if (!stream || (flows == 1 && stream_is_scalar_real(f, flow)))
        return true;
    Diagnostic *d = report_error(
        f, stream->element->component->name_span,
        "connector '%s' has the stream variable '%s' and needs exactly one flow variable, "
        "a scalar, but it has %s",
        class_name(f, c), stream->name->text,
        flows == 0 ? "none" : (flows == 1 ? "one that is no scalar" : "several"));
    if (flow)
        report_note(f, d, flow->element->component->name_span, "a flow variable is here");
    return false;
}

static bool stream_check_prefix(Flattener *f, Instance *i, const ComponentClause *clause)
{
    const Instance *parent = instance_parent(i);
    const char *name = i->flat->name->text;
    const bool is_in_connector = parent->class_ && class_is_connector(f, parent->class_);
    if (clause->role == ROLE_STREAM && !is_in_connector)
        report_error(f, clause->span,
                     "'stream' can only be used for variables of a connector, but '%s' is one of "
                     "the %s '%s'",
                     name, class_kind_text(class_kind(f, parent->class_)),
                     class_name(f, parent->class_));
    else if (clause->role != ROLE_NONE && parent->role != ROLE_NONE)
        report_error(f, clause->span, "'%s' is %s, but it is in a component with the prefix '%s'",
                     name, clause->role == ROLE_STREAM ? "a stream variable" : "a flow variable",
                     parent->role == ROLE_STREAM ? "stream" : "flow");
    else if (class_is_simple(f, i->class_) && i->class_->simple != PREDEFINED_REAL)
        report_error(f, clause->span, "a stream variable must be Real, but '%s' is %s", name,
                     class_type(f, i->class_)->name);
    else if (!class_is_simple(f, i->class_) && !class_is_record(f, i->class_))
        report_error(f, clause->span,
                     "a stream variable must be Real or a record, but '%s' is a %s", name,
                     class_kind_text(class_kind(f, i->class_)));
    else
        return true;
    return false;
}

bool stream_check(Flattener *f, Instance *i, const ComponentClause *clause)
{
    const ConnectorRole around = (ConnectorRole)instance_parent(i)->role;
    if (i->role == ROLE_STREAM || (around == ROLE_STREAM && clause->role != ROLE_NONE))
        return stream_check_prefix(f, i, clause);
    if (class_is_connector(f, i->class_))
        return stream_check_flow(f, i->class_);
    return true;
}

// ---------------------------------------------------------------------------
// The operators
// ---------------------------------------------------------------------------

static bool stream_is_variable(const FlatExpression *e)
{
    return e->kind == FLAT_VARIABLE && variable_instance(e->variable)->role == ROLE_STREAM;
}

// The operation for each variable in a value; NULL: something in it is no stream variable.
static FlatExpression *stream_apply(Flattener *f, Operation op, FlatExpression *e, Span span)
{
    if (stream_is_variable(e)) {
        FlatExpression *use = build_operation(f, op, &flat_type_real, 1, &e, span);
        use->variability = FLAT_CONTINUOUS;
        return use;
    }
    // Of an element whose subscript is not known yet, the subscripts stay as they are.
    const bool is_selected = e->kind == FLAT_SELECT;
    if (!is_selected && e->kind != FLAT_ARRAY && e->kind != FLAT_RECORD)
        return NULL;
    FlatExpression *copy = build_node(f, (FlatKind)e->kind, e->type, e->count, span);
    build_shaped(copy, e);
    for (uint32_t k = 0; k < e->count; k++) {
        copy->operands[k] =
            is_selected && k ? e->operands[k] : stream_apply(f, op, e->operands[k], span);
        if (!copy->operands[k])
            return NULL;
    }
    copy->variability = FLAT_CONTINUOUS;
    return copy;
}

FlatExpression *stream_call(Flattener *f, Scope *s, const Expression *e, Operation op)
{
    const char *name = operation_info(op)->text;
    if (s->function) {
        report_error(f, e->span, "'%s' cannot be used in a function", name);
        return build_none(f, e->span);
    }
    if (e->call.count != 1 || e->call.named_count) {
        report_error(f, e->span, "'%s' takes 1 argument, a stream variable", name);
        return build_none(f, e->span);
    }
    FlatExpression *argument = elaborate(f, s, e->call.arguments[0]);
    if (expression_is_none(argument))
        return argument;
    FlatExpression *result = stream_apply(f, op, argument, e->span);
    f->has_streams = true;
    if (result)
        return result;
    report_error(f, argument->span,
                 "'%s' needs a stream variable: one that a connector declares with the prefix "
                 "'stream'",
                 name);
    return build_none(f, e->span);
}

// ---------------------------------------------------------------------------
// Mixtures
// ---------------------------------------------------------------------------

// The flow that carries a stream variable: that of its connector.
static FlatVariable *stream_flow_of(Flattener *f, const FlatVariable *v)
{
    const Instance *i = variable_instance(v);
    while (i && !(i->class_ && i->kind == INSTANCE_COMPLEX && class_is_connector(f, i->class_)))
        i = instance_parent(i);
    for (uint32_t k = 0; i && k < i->count; k++) {
        Instance *child = &i->children[k];
        if (child->role != ROLE_FLOW)
            continue;
        instance_open(f, child);
        if (child->kind == INSTANCE_SIMPLE && child->count == 1)
            return &child->variables[0];
    }
    return NULL;
}

// The value of an attribute; `otherwise` if there is none, or none is known before the run.
static double stream_attribute(Flattener *f, FlatExpression *value, double otherwise)
{
    const FlatExpression *known = value ? evaluate(f, value, NULL) : NULL;
    return known && known->kind == FLAT_REAL ? known->real : otherwise;
}

// The value that a member of a set brings, and its flow.
typedef struct Stream {
    FlatExpression *value;
    FlatVariable *carrier; // its flow variable
    FlatExpression *flow;  // into the set
    double nominal;
    bool is_never; // it brings nothing
} Stream;

static FlatExpression *stream_positive(Flattener *f, FlatExpression *e, Span span)
{
    FlatExpression *both[] = {e, build_real(f, 0.0, span)};
    return build_chain(f, OPERATION_MAXIMUM, &flat_type_real, 2, both, span);
}

// A number with the unit of a flow.
static FlatExpression *stream_small(Flattener *f, double value, FlatVariable *flow, Span span)
{
    FlatExpression *number = build_real(f, value, span);
    map_set(f->arena, &f->seen.constants, number, flow);
    return number;
}

// a = (s/eps)^2 (3 - 2 s/eps), which goes from 0 at s = 0 to 1 at s = eps.
static FlatExpression *stream_transition(Flattener *f, FlatExpression *s, FlatExpression *eps,
                                         Span span)
{
    FlatExpression *r = build_binary(f, OPERATION_DIVIDE, s, eps, span);
    FlatExpression *twice = build_binary(f, OPERATION_MULTIPLY, build_real(f, 2.0, span), r, span);
    FlatExpression *rest =
        build_binary(f, OPERATION_SUBTRACT, build_real(f, 3.0, span), twice, span);
    FlatExpression *square = build_binary(f, OPERATION_POWER, r, build_real(f, 2.0, span), span);
    return build_binary(f, OPERATION_MULTIPLY, square, rest, span);
}

// a x + (1 - a) y
static FlatExpression *stream_blend(Flattener *f, FlatExpression *a, FlatExpression *x,
                                    FlatExpression *y, Span span)
{
    FlatExpression *rest = build_binary(f, OPERATION_SUBTRACT, build_real(f, 1.0, span), a, span);
    return build_binary(f, OPERATION_ADD, build_binary(f, OPERATION_MULTIPLY, a, x, span),
                        build_binary(f, OPERATION_MULTIPLY, rest, y, span), span);
}

// noEvent(if s > eps then sum w h / s else
//   (a sum w h + (1 - a) eps sum h) / (a s + (1 - a) eps n)), the sums over w = max(w_j, 0)
static FlatExpression *stream_mix(Flattener *f, uint32_t count, const Stream *streams, Span span)
{
    double smallest = INFINITY;
    FlatExpression **flows = ARENA_ARRAY(f->arena, count, FlatExpression *);
    FlatExpression **carried = ARENA_ARRAY(f->arena, count, FlatExpression *);
    FlatExpression **values = ARENA_ARRAY(f->arena, count, FlatExpression *);
    for (uint32_t k = 0; k < count; k++) {
        values[k] = streams[k].value;
        flows[k] = stream_positive(f, streams[k].flow, span);
        carried[k] = build_binary(f, OPERATION_MULTIPLY, flows[k], values[k], span);
        smallest = fmin(smallest, small_flow * streams[k].nominal);
    }
    FlatExpression *eps = stream_small(f, smallest, streams[0].carrier, span);
    FlatExpression *s = build_sum(f, count, flows, &flat_type_real, span);
    FlatExpression *all = build_sum(f, count, carried, &flat_type_real, span);
    FlatExpression *sum = build_sum(f, count, values, &flat_type_real, span);
    FlatExpression *a = stream_transition(f, s, eps, span);
    FlatExpression *above =
        stream_blend(f, a, all, build_binary(f, OPERATION_MULTIPLY, eps, sum, span), span);
    FlatExpression *below =
        stream_blend(f, a, s, stream_small(f, smallest * count, streams[0].carrier, span), span);
    FlatExpression *parts[] = {build_binary(f, OPERATION_GREATER, s, eps, span),
                               build_binary(f, OPERATION_DIVIDE, all, s, span),
                               build_binary(f, OPERATION_DIVIDE, above, below, span)};
    FlatExpression *mixture = build_if(f, 3, parts, span);
    return build_operation(f, OPERATION_NO_EVENT, &flat_type_real, 1, &mixture, span);
}

// Limits what mixtures of mixtures, over many levels, can grow to.
enum { STREAM_NODES = 1000 * 1000 };

// inStream(v), and the nodes in it.
typedef struct StreamValue {
    FlatExpression *value;
    uint64_t nodes;
} StreamValue;

static StreamValue stream_inside(Flattener *f, FlatVariable *v, Span span);

static bool stream_read(Flattener *f, const Connected *member, Span span, Stream *stream,
                        uint64_t *nodes)
{
    FlatVariable *v = member->variable;
    FlatVariable *flow = stream_flow_of(f, v);
    if (!flow)
        return false; // reported by the rules
    instance_attributes(f, variable_instance(flow));
    const FlatAttributes *a = flow->attributes;
    stream->carrier = flow;
    stream->nominal = fabs(a ? stream_attribute(f, a->nominal, 1.0) : 1.0);
    if (member->is_outside) {
        const StreamValue inside = stream_inside(f, v, span);
        *nodes += inside.nodes;
        stream->value = inside.value;
        stream->flow = &flow->reference;
        stream->is_never = a && stream_attribute(f, a->maximum, INFINITY) <= 0;
    } else {
        stream->value = &v->reference;
        stream->flow = build_unary(f, OPERATION_NEGATE, &flow->reference, span);
        stream->is_never = a && stream_attribute(f, a->minimum, -INFINITY) >= 0;
    }
    return true;
}

// All other members of the set, those that can bring something first; *able: how many they are.
// NULL: after an error.
static Stream *stream_others(Flattener *f, const FlatVariable *v, bool is_outside, const List *set,
                             Span span, uint32_t *able, uint64_t *nodes)
{
    Stream *streams = ARENA_ARRAY(f->arena, set->count + 1, Stream);
    uint32_t first = 0;
    uint32_t last = set->count;
    for (uint32_t k = 0; k < set->count; k++) {
        const Connected *member = set->items[k];
        if (member->variable == v && member->is_outside == is_outside)
            continue;
        Stream stream;
        if (!stream_read(f, member, span, &stream, nodes))
            return NULL;
        streams[stream.is_never ? --last : first++] = stream;
    }
    if (last < set->count) // behind the others, without the gap that v has left
        memmove(streams + first, streams + last, (set->count - last) * sizeof *streams);
    *able = first;
    return streams;
}

static StreamValue stream_value(Flattener *f, FlatVariable *v, bool is_outside, Span span)
{
    const List set = connections_set(f, v, is_outside);
    StreamValue result = {&v->reference, 1};
    uint32_t able;
    Stream *streams = stream_others(f, v, is_outside, &set, span, &able, &result.nodes);
    const uint32_t others = set.count ? set.count - 1 : 0;
    // Two connectors are one pipe, whatever their attributes say. For an outside connector that
    // nothing can flow out of, any value would do: the mean of the others is one of that fluid.
    if (!streams || !others || (!able && others > 1 && !is_outside))
        return result;
    if (!able)
        able = others;
    if (able > 1) // about; a value occurs three times in a mixture
        result.nodes = 3 * result.nodes + 64 * (uint64_t)able;
    if (result.nodes > STREAM_NODES) {
        report_error(f, span, "the stream variables connected to '%s' are too many to be mixed",
                     instance_name(f, variable_instance(v)));
        return (StreamValue){&v->reference, 1};
    }
    result.value = able == 1 ? streams[0].value : stream_mix(f, able, streams, span);
    return result;
}

static StreamValue stream_inside(Flattener *f, FlatVariable *v, Span span)
{
    StreamValue *known = map_find(&f->seen.streams, v);
    if (!known) {
        known = ARENA_NEW(f->arena, StreamValue);
        *known = stream_value(f, v, false, span);
        map_set(f->arena, &f->seen.streams, v, known);
    }
    return *known;
}

FlatExpression *stream_mixture(Flattener *f, FlatVariable *v, bool is_outside, Span span)
{
    return is_outside ? stream_value(f, v, true, span).value : stream_inside(f, v, span).value;
}

// ---------------------------------------------------------------------------
// Putting it in place
// ---------------------------------------------------------------------------

static bool stream_is(const FlatExpression *e, Operation op)
{
    return e->kind == FLAT_OPERATION && e->operation == (uint32_t)op;
}

// actualStream(v) = if flow > 0 then inStream(v) else v (section 15.3).
static FlatExpression *stream_actual(Flattener *f, FlatVariable *v, Span span)
{
    FlatVariable *flow = stream_flow_of(f, v);
    FlatExpression *inside = stream_mixture(f, v, false, span);
    if (!flow || (inside->kind == FLAT_VARIABLE && inside->variable == v))
        return inside;
    FlatExpression *parts[] = {
        build_binary(f, OPERATION_GREATER, &flow->reference, build_real(f, 0.0, span), span),
        inside, &v->reference};
    return build_if(f, 3, parts, span);
}

static void stream_put(FlatExpression *e, const FlatExpression *value)
{
    const Span span = e->span;
    *e = *value;
    e->span = span;
}

// In flow * actualStream(v) the jump is where the flow is zero: the product is continuous, and
// triggers no event (section 15.3).
static void stream_put_product(Flattener *f, const FlatExpression *product)
{
    for (uint32_t k = 0; k < product->count; k++) {
        FlatExpression *e = product->operands[k];
        if (!stream_is(e, OPERATION_ACTUAL_STREAM))
            continue;
        FlatVariable *v = e->operands[0]->variable;
        const FlatVariable *flow = stream_flow_of(f, v);
        bool is_carried = false;
        for (uint32_t i = 0; i < product->count; i++)
            is_carried |= product->operands[i]->kind == FLAT_VARIABLE &&
                          product->operands[i]->variable == flow;
        if (!is_carried)
            continue;
        FlatExpression *actual = stream_actual(f, v, e->span);
        stream_put(e, build_operation(f, OPERATION_NO_EVENT, &flat_type_real, 1, &actual, e->span));
    }
}

static void stream_replace(void *data, FlatExpression *e, const FlatComponent *component)
{
    Flattener *f = data;
    if (e->kind == FLAT_VARIABLE)
        return;
    if (stream_is(e, OPERATION_IN_STREAM)) {
        stream_put(e, stream_mixture(f, e->operands[0]->variable, false, e->span));
        return;
    }
    if (stream_is(e, OPERATION_ACTUAL_STREAM)) {
        stream_put(e, stream_actual(f, e->operands[0]->variable, e->span));
        return;
    }
    if (stream_is(e, OPERATION_MULTIPLY))
        stream_put_product(f, e);
    for (uint32_t k = 0; k < e->count; k++)
        if (e->operands[k])
            stream_replace(data, e->operands[k], component);
}

void streams_finish(Flattener *f)
{
    if (f->has_streams)
        flat_walk(f->model, stream_replace, f);
}
