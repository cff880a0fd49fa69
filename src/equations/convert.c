// SPDX-License-Identifier: MIT
//
// Variables, expressions and equations of the flat model.

#include "equations/convert_parts.h"
#include "equations/inline.h"

#include <stdarg.h>

// ---------------------------------------------------------------------------
// Small parts
// ---------------------------------------------------------------------------

Bundle convert_fail(Convert *c, Span span, const char *format, ...)
{
    StringBuilder b = builder_create(c->arena);
    va_list arguments;
    va_start(arguments, format);
    builder_append_formatted(&b, format, arguments);
    va_end(arguments);
    diagnostics_error(c->diagnostics, span, "%s", builder_string(&b).text);
    return (Bundle){0};
}

bool bundle_is_fine(const Bundle *b)
{
    return b->type != NULL;
}

DagType convert_type(const FlatType *type)
{
    switch (type->kind) {
    case FLAT_TYPE_INTEGER:
    case FLAT_TYPE_ENUMERATION:
    case FLAT_TYPE_OBJECT:
        return DAG_INTEGER;
    case FLAT_TYPE_STRING:
        return DAG_TEXT;
    case FLAT_TYPE_BOOLEAN:
        return DAG_BOOLEAN;
    default:
        return DAG_REAL;
    }
}

uint32_t convert_type_scalars(const FlatType *type)
{
    return (uint32_t)flat_scalar_count(type, 0, NULL);
}

// The type of a scalar of a record, by its number.
static const FlatType *scalar_type(const FlatType *type, uint32_t number)
{
    for (uint32_t i = 0; type->kind == FLAT_TYPE_RECORD && i < type->count; i++) {
        const FlatField *field = &type->fields[i];
        const uint32_t count = (uint32_t)flat_scalar_count(field->type, field->rank, field->dims);
        if (number < count)
            return scalar_type(field->type, number % convert_type_scalars(field->type));
        number -= count;
    }
    return type;
}

Node convert_field(const Convert *c, const FlatType *type, uint32_t number, Node scalar)
{
    if (type->kind != FLAT_TYPE_RECORD)
        return scalar;
    const uint32_t place = number % convert_type_scalars(type);
    return dag_field(c->dag, scalar, convert_type(scalar_type(type, place)));
}

// Most bundles are scalars: their items share blocks.
static Node *bundle_items(Convert *c, uint64_t count)
{
    enum { SCALARS = 64 };
    if (count != 1)
        return ARENA_ARRAY(c->arena, count, Node);
    if (c->scalars.count % SCALARS == 0)
        c->scalars.items = ARENA_ARRAY(c->arena, SCALARS, Node);
    return &c->scalars.items[c->scalars.count++ % SCALARS];
}

Bundle bundle_scalar(Convert *c, const FlatType *type, Node node)
{
    Bundle b = {.type = type, .items = bundle_items(c, 1), .count = 1};
    b.items[0] = node;
    return b;
}

Bundle bundle_new(Convert *c, Span span, const FlatType *type, uint32_t rank, const uint32_t *dims)
{
    const uint64_t count = flat_scalar_count(type, rank, dims);
    if (count > CONVERT_MOST_SCALARS)
        return convert_fail(c, span, "an array of this size cannot be used in a function");
    uint32_t *copy = rank ? ARENA_ARRAY(c->arena, rank, uint32_t) : NULL;
    for (uint32_t k = 0; k < rank; k++)
        copy[k] = dims[k];
    return (Bundle){type, rank, copy, bundle_items(c, count), (uint32_t)count};
}

static uint32_t bundle_elements(const Bundle *b)
{
    uint32_t elements = 1;
    for (uint32_t k = 0; k < b->rank; k++)
        elements *= b->dims[k];
    return elements;
}

bool bundle_integer(Convert *c, const Bundle *b, Span span, const char *what, int64_t *value)
{
    if (!bundle_is_fine(b))
        return false;
    if (b->count != 1 || !dag_is_number(c->dag, b->items[0])) {
        convert_fail(c, span, "the %s must be known before the run", what);
        return false;
    }
    *value = (int64_t)dag_get(c->dag, b->items[0])->value;
    return true;
}

Node convert_converted(Convert *c, Node node, const FlatType *type)
{
    return type->kind == FLAT_TYPE_REAL && dag_get(c->dag, node)->type == DAG_INTEGER
               ? dag_unary(c->dag, OPERATOR_TO_REAL, node)
               : node;
}

// ---------------------------------------------------------------------------
// Variables
// ---------------------------------------------------------------------------

static bool convert_has_value(const FlatVariable *v)
{
    return v->kind <= FLAT_PARAMETER || v->direction == FLAT_INPUT;
}

static DagVariability variability_of(const FlatVariable *v)
{
    if (convert_has_value(v))
        return DAG_PARAMETER;
    return v->kind == FLAT_DISCRETE || FLAT_TYPE(v)->kind != FLAT_TYPE_REAL ? DAG_DISCRETE
                                                                            : DAG_CONTINUOUS;
}

static uint32_t add_variable(Convert *c, const FlatVariable *v)
{
    const bool is_string = FLAT_TYPE(v)->kind == FLAT_TYPE_STRING;
    if (v->kind == FLAT_CONSTANT || (is_string && convert_has_value(v)))
        return DAG_NONE;
    const uint32_t variable =
        dag_add_variable(c->dag, NULL, DAG_PLAIN, convert_type(FLAT_TYPE(v)), variability_of(v));
    c->dag->variables[variable].name = v->name; // which lives as long as the graph
    c->dag->variables[variable].origin = v->index;
    return variable;
}

Convert *convert_create(Dag *dag, const FlatModel *model, Diagnostics *diagnostics)
{
    Convert *c = ARENA_NEW(dag->arena, Convert);
    c->dag = dag;
    c->arena = dag->arena;
    c->model = model;
    c->diagnostics = diagnostics;
    c->initial = c->terminal = c->lambda = DAG_NONE;
    c->variables = ARENA_ARRAY(dag->arena, model->variable_count, uint32_t);
    dag_text(dag, ""); // the first: where zero is taken as a start value, it is this text
    for (uint32_t i = 0; i < model->variable_count; i++)
        c->variables[i] = add_variable(c, model->variables[i]);
    return c;
}

uint32_t convert_variable(const Convert *c, const FlatVariable *variable)
{
    return c->variables[variable->index];
}

static uint32_t state_variable(Convert *c, const FlatState *state, const char *operator,
                               DagRole role, DagType type, DagVariability variability)
{
    StringBuilder b = builder_create(c->arena);
    builder_append_format(&b, "%s(%s)", operator, state->name);
    return dag_add_variable(c->dag, builder_string(&b).text, role, type, variability);
}

enum { STATE_ACTIVE, STATE_TIME, STATE_TICKS, STATE_VARIABLES };

static const uint32_t *state_variables(Convert *c, const FlatState *state)
{
    uint32_t *v = map_find(&c->states, state);
    if (v)
        return v;
    v = ARENA_ARRAY(c->arena, STATE_VARIABLES, uint32_t);
    v[STATE_ACTIVE] =
        state_variable(c, state, "activeState", DAG_ACTIVE, DAG_BOOLEAN, DAG_DISCRETE);
    v[STATE_TIME] = state_variable(c, state, "timeOfEntry", DAG_STATE_TIME, DAG_REAL, DAG_DISCRETE);
    v[STATE_TICKS] =
        state_variable(c, state, "ticksInState", DAG_STATE_TICKS, DAG_INTEGER, DAG_DISCRETE);
    map_set(c->arena, &c->states, state, v);
    return v;
}

uint32_t convert_active(Convert *c, const FlatState *state)
{
    return state_variables(c, state)[STATE_ACTIVE];
}

uint32_t convert_state_time(Convert *c, const FlatState *state)
{
    return state_variables(c, state)[STATE_TIME];
}

uint32_t convert_state_ticks(Convert *c, const FlatState *state)
{
    return state_variables(c, state)[STATE_TICKS];
}

uint32_t convert_sample_count(const Convert *c)
{
    return c->samples.count;
}

const ConvertSample *convert_sample(const Convert *c, uint32_t index)
{
    return c->samples.items[index];
}

uint32_t convert_delay_count(const Convert *c)
{
    return c->delays.count;
}

const ConvertDelay *convert_delay(const Convert *c, uint32_t index)
{
    return c->delays.items[index];
}

uint32_t convert_initial(const Convert *c)
{
    return c->initial;
}

uint32_t convert_terminal(const Convert *c)
{
    return c->terminal;
}

void convert_be_silent(Convert *c, bool is_silent)
{
    c->is_silent = is_silent;
}

bool convert_is_silent(const Convert *c)
{
    return c->is_silent;
}

void convert_use_lambda(Convert *c, uint32_t variable)
{
    c->lambda = variable;
}

static Node convert_flag(Convert *c, uint32_t *variable, const char *name, DagRole role)
{
    if (*variable == DAG_NONE)
        *variable = dag_add_variable(c->dag, name, role, DAG_BOOLEAN, DAG_DISCRETE);
    return dag_reference(c->dag, *variable);
}

Node convert_use_initial(Convert *c)
{
    return convert_flag(c, &c->initial, "initial()", DAG_INITIAL);
}

Node convert_use_terminal(Convert *c)
{
    return convert_flag(c, &c->terminal, "terminal()", DAG_TERMINAL);
}

Node convert_value(Convert *c, const FlatVariable *v)
{
    switch (convert_type(FLAT_TYPE(v))) {
    case DAG_BOOLEAN:
        return dag_boolean(c->dag, v->value.integer != 0);
    case DAG_INTEGER:
        return dag_integer(c->dag, v->value.integer);
    default:
        return dag_real(c->dag, v->value.real);
    }
}

static Node variable_node(Convert *c, const FlatExpression *e)
{
    const FlatVariable *v = e->variable;
    if (v->is_evaluated)
        return convert_value(c, v);
    if (c->variables[v->index] == DAG_NONE) {
        convert_fail(c, e->span, "the constant '%s' has no value", v->name);
        return c->dag->zero;
    }
    return dag_reference(c->dag, c->variables[v->index]);
}

// ---------------------------------------------------------------------------
// Expressions
// ---------------------------------------------------------------------------

// A number or a variable, which needs no bundle.
static bool convert_leaf(Convert *c, const FlatExpression *e, Node *node)
{
    switch ((FlatKind)e->kind) {
    case FLAT_REAL:
        *node = dag_real(c->dag, e->real);
        return true;
    case FLAT_BOOLEAN:
        *node = dag_boolean(c->dag, e->boolean);
        return true;
    case FLAT_VARIABLE:
        if (e->type->kind == FLAT_TYPE_STRING)
            return false;
        *node = variable_node(c, e);
        return true;
    default:
        return false;
    }
}

// Element by element; operands are scalars or arrays of one shape.
static Bundle equations_convert_operation(const ConvertScope *s, const FlatExpression *e)
{
    if (convert_is_array_operation(e))
        return convert_array_operation(s, e);
    if (convert_is_string_operation(e))
        return convert_string_operation(s, e);
    enum { FEW = 4 };
    Bundle few[FEW], *operands = e->count <= FEW ? few : ARENA_ARRAY(s->c->arena, e->count, Bundle);
    Node leaves[FEW];
    const Bundle *shape = NULL;
    for (uint32_t i = 0; i < e->count; i++) {
        const FlatExpression *operand = e->operands[i];
        operands[i] = e->count <= FEW && convert_leaf(s->c, operand, &leaves[i])
                          ? (Bundle){.type = operand->type, .items = &leaves[i], .count = 1}
                          : convert_bundle(s, operand);
        if (!bundle_is_fine(&operands[i]))
            return operands[i];
        if (operands[i].rank && shape && operands[i].count != shape->count)
            return convert_fail(s->c, e->span, "operands have different sizes");
        if (operands[i].rank)
            shape = &operands[i];
    }
    Bundle result =
        bundle_new(s->c, e->span, e->type, shape ? shape->rank : 0, shape ? shape->dims : NULL);
    Node few_nodes[FEW],
        *x = e->count <= FEW ? few_nodes : ARENA_ARRAY(s->c->arena, e->count, Node);
    for (uint32_t k = 0; k < result.count; k++) {
        for (uint32_t i = 0; i < e->count; i++)
            x[i] = operands[i].items[operands[i].rank ? k : 0];
        result.items[k] = convert_operation(s->c, e, e->count, x);
        if (result.items[k] == NODE_NONE)
            return (Bundle){0};
    }
    return result;
}

// Conditions and values in turn, the last value without condition.
static Bundle convert_choice(const ConvertScope *s, const FlatExpression *e)
{
    Bundle result = convert_bundle(s, e->operands[e->count - 1]);
    for (uint32_t i = e->count - 1; i >= 2 && bundle_is_fine(&result); i -= 2) {
        const Bundle condition = convert_bundle(s, e->operands[i - 2]);
        const Bundle value = convert_bundle(s, e->operands[i - 1]);
        if (!bundle_is_fine(&condition) || !bundle_is_fine(&value))
            return (Bundle){0};
        // Where the choice is made already, the sides may even have different sizes.
        if (dag_is_number(s->c->dag, condition.items[0])) {
            if (!dag_is_zero(s->c->dag, condition.items[0]))
                result = value;
            continue;
        }
        if (value.count != result.count)
            return convert_fail(s->c, e->span, "the sides of an if have different sizes");
        Bundle both = bundle_new(s->c, e->span, result.type, result.rank, result.dims);
        for (uint32_t k = 0; k < result.count; k++)
            both.items[k] = dag_if(s->c->dag, condition.items[0], value.items[k], result.items[k]);
        result = both;
    }
    return result;
}

// One output of a call, or a scalar of it.
static Bundle call_output(const ConvertScope *s, const FlatExpression *call, uint32_t output,
                          const FlatExpression *element)
{
    Bundle body;
    const Bundle *arguments = convert_arguments(s, call);
    if (!arguments)
        return (Bundle){0};
    if (convert_inlined(s, call, arguments, &body)) {
        if (!element)
            return body;
        if (element->result.element < body.count)
            return bundle_scalar(s->c, element->type, body.items[element->result.element]);
    }
    ConvertInstance *instance;
    const Node node = convert_call(s, call, arguments, &instance);
    if (node == NODE_NONE)
        return (Bundle){0};
    const Local *shape = &instance->outputs[output];
    const uint32_t start = instance->output_starts[output];
    if (element) {
        if (element->result.element >= shape->count)
            return convert_fail(s->c, element->span, "the function's result has another size");
        const Node scalar = dag_result(s->c->dag, node, start + element->result.element);
        return bundle_scalar(s->c, element->type,
                             convert_field(s->c, shape->type, element->result.element, scalar));
    }
    Bundle b = bundle_new(s->c, call->span, shape->type, shape->rank, shape->dims);
    for (uint32_t k = 0; k < b.count; k++)
        b.items[k] = convert_field(s->c, shape->type, k, dag_result(s->c->dag, node, start + k));
    return b;
}

static Bundle local_value(const ConvertScope *s, const FlatExpression *e)
{
    const Local *local = s->locals ? map_find(s->locals, e->local) : NULL;
    if (!local)
        local = map_find(&s->c->iterators, e->local);
    // The size of an output may be a constant that is declared behind it.
    if (!local && s->locals && e->local->role == FLAT_ROLE_PROTECTED && !e->local->is_assigned &&
        e->local->value)
        return convert_bundle(s, e->local->value);
    if (!local)
        return convert_fail(s->c, e->span, "'%s' has no size yet", e->local->name->text);
    return (Bundle){local->type, local->rank, local->dims, local->items, local->count};
}

static Bundle member(const ConvertScope *s, const FlatExpression *e)
{
    const Bundle record = convert_bundle(s, e->operands[0]);
    if (!bundle_is_fine(&record))
        return record;
    uint32_t start = 0;
    for (uint32_t i = 0; i < e->field; i++) {
        const FlatField *field = &record.type->fields[i];
        start += (uint32_t)flat_scalar_count(field->type, field->rank, field->dims);
    }
    const FlatField *field = &record.type->fields[e->field];
    const uint32_t size = (uint32_t)flat_scalar_count(field->type, field->rank, field->dims);
    const uint32_t stride = convert_type_scalars(record.type);
    const uint32_t rank = record.rank + field->rank;
    uint32_t *dims = ARENA_ARRAY(s->c->arena, rank, uint32_t);
    for (uint32_t k = 0; k < rank; k++)
        dims[k] = k < record.rank ? record.dims[k] : field->dims[k - record.rank];
    Bundle b = bundle_new(s->c, e->span, field->type, rank, dims);
    for (uint32_t k = 0; k < b.count; k++)
        b.items[k] = record.items[k / size * stride + start + k % size];
    return b;
}

// What a subscript, or the number of an enumeration's value, out of bounds is: a call that fails.
// It is made only where it is needed.
static Node out_of_bounds(Convert *c, const FlatType *type, Node place, const FlatExpression *e)
{
    Dag *d = c->dag;
    const uintptr_t known = (uintptr_t)map_find(&c->subscripts, e);
    if (known)
        return dag_result(d, dag_call(d, (uint32_t)(known - 1), 1, &place), 0);
    Procedure *p = procedure_create(d, 1, 1, 0);
    p->inputs[0] = dag_add_local(d, "place", DAG_INTEGER, 0);
    p->outputs[0] = dag_add_local(d, "value", convert_type(type), 0);
    ProcedureStatement *check = procedure_add(d, &p->body, PROCEDURE_CHECK, e->span);
    check->condition = d->falsehood;
    check->message = e->kind == FLAT_SELECT ? "a subscript is out of bounds"
                                            : "the enumeration has no value of this number";
    const uint32_t function = procedure_function(d, CONVERT_SUBSCRIPT_NAME, p);
    map_set(c->arena, &c->subscripts, e, (void *)((uintptr_t)function + 1));
    return dag_result(d, dag_call(d, function, 1, &place), 0);
}

// One of the elements from `begin` to `end` by if-expressions: a chain for a few, else by halves.
static Node choose_element(Dag *d, const Node *items, uint32_t stride, Node place, uint32_t begin,
                           uint32_t end, Node otherwise)
{
    enum { FEW = 4 };
    Node result = otherwise;
    if (end - begin <= FEW) {
        for (uint32_t i = end; i-- > begin;)
            result = dag_if(d, dag_binary(d, OPERATOR_EQUAL, place, dag_integer(d, i)),
                            items[i * stride], result);
        return result;
    }
    const uint32_t middle = begin + (end - begin) / 2;
    return dag_if(d, dag_binary(d, OPERATOR_LESS, place, dag_integer(d, middle)),
                  choose_element(d, items, stride, place, begin, middle, otherwise),
                  choose_element(d, items, stride, place, middle, end, otherwise));
}

// Many numbers that stand in a function: they are data there, and no code. DAG_NONE: they do not.
static uint32_t table_of(const ConvertScope *s, const FlatExpression *base, const Bundle *array)
{
    enum { FEWEST = 8 };
    if (!s->has_tables || array->count < FEWEST || array->type->kind == FLAT_TYPE_RECORD ||
        array->type->kind == FLAT_TYPE_STRING || !bundle_are_numbers(s->c, array))
        return DAG_NONE;
    double *numbers = ARENA_ARRAY(s->c->arena, array->count, double);
    for (uint32_t i = 0; i < array->count; i++)
        numbers[i] = dag_get(s->c->dag, array->items[i])->value;
    const char *name = base->kind == FLAT_LOCAL ? base->local->name->text : "a constant array";
    return dag_table(s->c->dag, name, convert_type(array->type), array->count, numbers);
}

// An element whose place is known, or one of them all.
static Node element_at(const ConvertScope *s, const Bundle *array, Node place, uint32_t scalar,
                       const FlatExpression *e)
{
    Dag *d = s->c->dag;
    const uint32_t stride = convert_type_scalars(array->type);
    const uint32_t elements = bundle_elements(array);
    if (dag_is_number(d, place)) {
        const double at = dag_get(d, place)->value;
        return at >= 0.0 && at < elements ? array->items[(uint32_t)at * stride + scalar]
                                          : dag_real(d, NAN);
    }
    return choose_element(d, array->items + scalar, stride, place, 0, elements,
                          out_of_bounds(s->c, array->type, place, e));
}

// The local that `base`, or the record it is a member of, is, with the first scalar of it there;
// NULL: it is none whose elements can be found while the function runs.
static const Local *selected_local(const ConvertScope *s, const FlatExpression *base,
                                   uint32_t *first)
{
    *first = 0;
    if (base->kind == FLAT_MEMBER && base->operands[0]->kind == FLAT_LOCAL &&
        base->operands[0]->rank == 0) {
        const FlatType *type = base->operands[0]->type;
        for (uint32_t i = 0; i < base->field; i++)
            *first += (uint32_t)flat_scalar_count(type->fields[i].type, type->fields[i].rank,
                                                  type->fields[i].dims);
        base = base->operands[0];
    }
    const Local *local =
        base->kind == FLAT_LOCAL && s->locals ? map_find(s->locals, base->local) : NULL;
    return local && !local->is_constant ? local : NULL;
}

// `element` if its place is from `first` on, and before `end`.
static Node bounded(Convert *c, const FlatType *type, Node place, int64_t first, int64_t end,
                    Node element, const FlatExpression *e)
{
    Dag *d = c->dag;
    const Node otherwise = out_of_bounds(c, type, place, e), last = dag_integer(d, end);
    const Node inside = dag_if(d, dag_binary(d, OPERATOR_LESS, place, last), element, otherwise);
    return dag_if(d, dag_binary(d, OPERATOR_LESS, place, dag_integer(d, first)), otherwise, inside);
}

Node convert_to_enumeration(Convert *c, const FlatExpression *e, Node number)
{
    return bounded(c, e->type, number, 1, (int64_t)e->type->count + 1, number, e);
}

static Bundle selection(const ConvertScope *s, const FlatExpression *e)
{
    const FlatExpression *base = e->operands[0];
    const Bundle array = convert_bundle(s, base);
    if (!bundle_is_fine(&array))
        return array;
    const Bundle places = convert_places(s, e, &array);
    if (!bundle_is_fine(&places))
        return places;
    Bundle b = bundle_new(s->c, e->span, array.type, places.rank, places.dims);
    const uint32_t stride = convert_type_scalars(array.type);
    uint32_t begin;
    const Local *local = selected_local(s, base, &begin);
    const uint32_t table = local ? DAG_NONE : table_of(s, base, &array);
    for (uint32_t k = 0; k < b.count; k++) {
        const Node place = places.items[k / stride];
        if (local && !dag_is_number(s->c->dag, place)) {
            const Node first = dag_multiply(s->c->dag, dag_integer(s->c->dag, stride), place);
            const Node scalar =
                dag_element(s->c->dag, local->variable,
                            dag_add(s->c->dag, first, dag_integer(s->c->dag, begin + k % stride)));
            b.items[k] = convert_field(s->c, array.type, k, scalar);
            if (base->kind == FLAT_MEMBER) // other members stand beside it
                b.items[k] =
                    bounded(s->c, array.type, place, 0, bundle_elements(&array), b.items[k], e);
        } else if (table != DAG_NONE && !dag_is_number(s->c->dag, place)) {
            b.items[k] = dag_element(s->c->dag, table, place);
        } else {
            b.items[k] = element_at(s, &array, place, k % stride, e);
        }
    }
    return b;
}

Bundle convert_bundle(const ConvertScope *s, const FlatExpression *e)
{
    Convert *c = s->c;
    switch ((FlatKind)e->kind) {
    case FLAT_REAL:
    case FLAT_BOOLEAN:
    case FLAT_VARIABLE: {
        Node node;
        return convert_leaf(c, e, &node) ? bundle_scalar(c, e->type, node)
                                         : convert_string_variable(s, e);
    }
    case FLAT_INTEGER:
    case FLAT_ENUMERATION: {
        const Node number = dag_integer(c->dag, e->integer);
        dag_note(c->dag, number, e->span);
        return bundle_scalar(c, e->type, number);
    }
    case FLAT_OPERATION:
        return equations_convert_operation(s, e);
    case FLAT_IF:
        return convert_choice(s, e);
    case FLAT_CALL:
        return call_output(s, e, 0, NULL);
    case FLAT_RESULT:
        return call_output(s, e->operands[0], e->result.output, e);
    case FLAT_SELECT:
        return selection(s, e);
    case FLAT_ARRAY:
    case FLAT_RECORD:
        return convert_elements(s, e);
    case FLAT_ACTIVE:
        return bundle_scalar(c, e->type, dag_reference(c->dag, convert_active(c, e->state)));
    case FLAT_STATE_TIME:
        return bundle_scalar(c, e->type,
                             dag_subtract(c->dag, dag_time(c->dag),
                                          dag_reference(c->dag, convert_state_time(c, e->state))));
    case FLAT_STATE_TICKS:
        return bundle_scalar(c, e->type, dag_reference(c->dag, convert_state_ticks(c, e->state)));
    case FLAT_LOCAL:
        return local_value(s, e);
    case FLAT_MEMBER:
        return member(s, e);
    case FLAT_COMPREHENSION:
        return convert_array_operation(s, e);
    case FLAT_STRING:
        return bundle_scalar(c, e->type, dag_text(c->dag, e->string));
    case FLAT_COLON:
        break;
    }
    return convert_fail(c, e->span, "this cannot be used in an equation or function that runs");
}

void convert_set_iterator(Convert *c, const FlatLocal *iterator, Node value)
{
    Local *local = ARENA_NEW(c->arena, Local);
    *local = (Local){.type = iterator->reference.type, .count = 1, .is_constant = true};
    local->items = ARENA_ARRAY(c->arena, 1, Node);
    local->items[0] = value;
    map_set(c->arena, &c->iterators, iterator, local);
}

// ---------------------------------------------------------------------------
// Equations
// ---------------------------------------------------------------------------

Node convert_expression(Convert *c, const FlatExpression *e)
{
    const ConvertScope s = {.c = c};
    Node node;
    if (convert_leaf(c, e, &node))
        return node;
    const Bundle b = convert_bundle(&s, e);
    convert_build_pending(c);
    return bundle_is_fine(&b) && b.count == 1 ? inline_calls(c->dag, b.items[0]) : NODE_NONE;
}

Node convert_zero(const Convert *c)
{
    return c->dag->zero;
}

DagEquation *convert_results(Convert *c, const FlatExpression *call, uint32_t target_count,
                             FlatExpression *const *targets, uint32_t *count)
{
    const ConvertScope s = {.c = c};
    DagEquation *sides = NULL;
    uint32_t room = 0;
    bool is_fine = true;
    *count = 0;
    for (uint32_t i = 0; i < target_count && is_fine; i++) {
        if (!targets[i])
            continue;
        const Bundle target = convert_bundle(&s, targets[i]);
        const Bundle value = call_output(&s, call, i, NULL);
        is_fine = bundle_is_fine(&target) && bundle_is_fine(&value);
        if (is_fine && target.count != value.count) {
            convert_fail(c, call->span, "the results of the call have other sizes");
            is_fine = false;
        }
        for (uint32_t k = 0; is_fine && k < target.count; k++) {
            const Node right = convert_converted(c, value.items[k], target.type);
            ARENA_PUSH(c->arena, sides, *count, room, (DagEquation){target.items[k], right});
        }
    }
    convert_build_pending(c);
    *count = is_fine ? *count : 0;
    for (uint32_t i = 0; i < *count; i++)
        sides[i].right = inline_calls(c->dag, sides[i].right);
    return sides;
}
