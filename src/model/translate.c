// SPDX-License-Identifier: MIT

#include "model/translate.h"

#include "equations/derive.h"

// ---------------------------------------------------------------------------
// Variables
// ---------------------------------------------------------------------------

bool translate_is_given(const FlatVariable *v)
{
    return v->kind <= FLAT_PARAMETER || v->direction == FLAT_INPUT;
}

static DagType type_of(const FlatType *type)
{
    switch (type->kind) {
    case FLAT_TYPE_BOOLEAN:
        return DAG_BOOLEAN;
    case FLAT_TYPE_INTEGER:
    case FLAT_TYPE_ENUMERATION:
        return DAG_INTEGER;
    default:
        return DAG_REAL;
    }
}

static DagVariability variability_of(const FlatVariable *v)
{
    if (translate_is_given(v))
        return DAG_PARAMETER;
    if (v->kind == FLAT_DISCRETE || FLAT_TYPE(v)->kind != FLAT_TYPE_REAL)
        return DAG_DISCRETE;
    return DAG_CONTINUOUS;
}

Translation *translate_begin(Dag *dag, const FlatModel *flat, Diagnostics *diagnostics)
{
    Translation *t = ARENA_NEW(dag->arena, Translation);
    *t = (Translation){.dag = dag,
                       .flat = flat,
                       .diagnostics = diagnostics,
                       .variables = ARENA_ARRAY(dag->arena, flat->variable_count, uint32_t),
                       .initial = DAG_NONE,
                       .terminal = DAG_NONE};
    for (uint32_t i = 0; i < flat->variable_count; i++) {
        const FlatVariable *v = flat->variables[i];
        t->variables[i] = DAG_NONE;
        if (v->kind == FLAT_CONSTANT || FLAT_TYPE(v)->kind == FLAT_TYPE_STRING)
            continue;
        const uint32_t made =
            dag_add_variable(dag, v->name, DAG_PLAIN, type_of(FLAT_TYPE(v)), variability_of(v));
        dag->variables[made].origin = i;
        t->variables[i] = made;
    }
    return t;
}

// ---------------------------------------------------------------------------
// Expressions
// ---------------------------------------------------------------------------

static Node refuse(Translation *t, const FlatExpression *e, const char *what)
{
    diagnostics_error(t->diagnostics, e->span, "%s cannot be simulated yet", what);
    return t->dag->zero;
}

// A hold that remembers where it comes from.
static Node hold(Translation *t, const FlatExpression *e, Node operand)
{
    if (e->is_silent)
        return operand;
    const Node node = dag_hold(t->dag, operand);
    const DagNode *n = dag_get(t->dag, node);
    if (n->kind == DAG_HOLD && t->dag->holds[n->number].flat == DAG_NONE) {
        t->dag->holds[n->number].flat = e->relation;
        t->dag->holds[n->number].span = e->span;
    }
    return node;
}

static Node translate_constant(Translation *t, const FlatExpression *e, const FlatVariable *v)
{
    if (!v->is_evaluated || FLAT_TYPE(v)->kind == FLAT_TYPE_STRING)
        return refuse(t, e, "a String in an equation");
    switch (type_of(FLAT_TYPE(v))) {
    case DAG_BOOLEAN:
        return dag_boolean(t->dag, v->value.integer != 0);
    case DAG_INTEGER:
        return dag_integer(t->dag, v->value.integer);
    default:
        return dag_real(t->dag, v->value.real);
    }
}

static Node translate_reference(Translation *t, const FlatExpression *e)
{
    const uint32_t variable = t->variables[e->variable->index];
    if (variable == DAG_NONE)
        return translate_constant(t, e, e->variable);
    return dag_reference(t->dag, variable);
}

static Node translate_derivative(Translation *t, const FlatExpression *e)
{
    const Node of = translate(t, e->operands[0]);
    Derivation d = derive_by_time(t->dag, NULL);
    const Node node = derive(&d, of);
    derive_end(&d);
    return node == NODE_NONE ? refuse(t, e, "the derivative of this") : node;
}

static Node translate_pre(Translation *t, const FlatExpression *e)
{
    const Node of = translate(t, e->operands[0]);
    const DagNode *n = dag_get(t->dag, of);
    if (n->kind == DAG_NUMBER || n->variability <= DAG_PARAMETER)
        return of;
    if (n->kind != DAG_VARIABLE)
        return refuse(t, e, "pre of an expression");
    return dag_reference(t->dag, dag_pre_variable(t->dag, n->number));
}

static Node flag(Translation *t, uint32_t *variable, const char *name, DagRole role)
{
    if (*variable == DAG_NONE)
        *variable = dag_add_variable(t->dag, name, role, DAG_BOOLEAN, DAG_DISCRETE);
    return dag_reference(t->dag, *variable);
}

static Node translate_sample(Translation *t, const FlatExpression *e)
{
    const Node start = translate(t, e->operands[0]), interval = translate(t, e->operands[1]);
    for (uint32_t i = 0; i < t->sample_count; i++)
        if (t->samples[i].start == start && t->samples[i].interval == interval)
            return dag_reference(t->dag, t->samples[i].variable);
    if (t->sample_count == t->sample_room) {
        const uint32_t room = t->sample_room ? 2 * t->sample_room : 8;
        t->samples = arena_grow(t->dag->arena, t->samples, t->sample_room * sizeof *t->samples,
                                room * sizeof *t->samples);
        t->sample_room = room;
    }
    const uint32_t variable =
        dag_add_variable(t->dag, "sample()", DAG_SAMPLE, DAG_BOOLEAN, DAG_DISCRETE);
    t->dag->variables[variable].of = t->sample_count;
    t->samples[t->sample_count++] = (TranslatedSample){start, interval, variable, e->span};
    return dag_reference(t->dag, variable);
}

// mod(x, y) = x - floor(x / y) y, rem(x, y) = x - div(x, y) y: only the whole number is held.
static Node translate_remainder(Translation *t, const FlatExpression *e, bool is_floor)
{
    Dag *dag = t->dag;
    const Node x = translate(t, e->operands[0]), y = translate(t, e->operands[1]);
    const Node whole = is_floor ? dag_unary(dag, OPERATOR_FLOOR, dag_divide(dag, x, y))
                                : dag_binary(dag, OPERATOR_DIV, x, y);
    return dag_subtract(dag, x, dag_multiply(dag, hold(t, e, whole), y));
}

static Node translate_semi_linear(Translation *t, const FlatExpression *e)
{
    Dag *dag = t->dag;
    const Node x = translate(t, e->operands[0]);
    const Node positive =
        hold(t, e, dag_binary(dag, OPERATOR_GREATER_EQUAL, x, dag_real(dag, 0.0)));
    return dag_multiply(
        dag, dag_if(dag, positive, translate(t, e->operands[1]), translate(t, e->operands[2])), x);
}

// Sums, products, minima of any number of operands.
static Node translate_chain(Translation *t, const FlatExpression *e, Operator op)
{
    Node sum = translate(t, e->operands[0]);
    for (uint32_t i = 1; i < e->count; i++)
        sum = dag_binary(t->dag, op, sum, translate(t, e->operands[i]));
    return sum;
}

static Node translate_jumping(Translation *t, const FlatExpression *e, Operator op)
{
    const Node a = translate(t, e->operands[0]);
    const Node node = e->count == 1 ? dag_unary(t->dag, op, a)
                                    : dag_binary(t->dag, op, a, translate(t, e->operands[1]));
    return e->relation == FLAT_NO_RELATION ? node : hold(t, e, node);
}

static Node translate_edge(Translation *t, const FlatExpression *e, bool is_change)
{
    const Node of = translate(t, e->operands[0]), before = translate_pre(t, e);
    return is_change
               ? dag_binary(t->dag, OPERATOR_NOT_EQUAL, of, before)
               : dag_binary(t->dag, OPERATOR_AND, of, dag_unary(t->dag, OPERATOR_NOT, before));
}

// The operators of the graph that do what an operation does; same names.
static bool plain_operator(uint32_t operation, Operator *op)
{
    switch (operation) {
#define PLAIN(name)                                                                                \
    case OPERATION_##name:                                                                         \
        *op = OPERATOR_##name;                                                                     \
        return true
        PLAIN(NOT);
        PLAIN(SIN);
        PLAIN(COS);
        PLAIN(TAN);
        PLAIN(ASIN);
        PLAIN(ACOS);
        PLAIN(ATAN);
        PLAIN(ATAN2);
        PLAIN(SINH);
        PLAIN(COSH);
        PLAIN(TANH);
        PLAIN(EXP);
        PLAIN(LOG);
        PLAIN(LOG10);
        PLAIN(SQRT);
        PLAIN(ABS);
        PLAIN(SIGN);
        PLAIN(TO_REAL);
        PLAIN(DIVIDE);
        PLAIN(LESS);
        PLAIN(LESS_EQUAL);
        PLAIN(GREATER);
        PLAIN(GREATER_EQUAL);
        PLAIN(EQUAL);
        PLAIN(NOT_EQUAL);
        PLAIN(DIV);
        PLAIN(CEIL);
        PLAIN(FLOOR);
        PLAIN(INTEGER);
#undef PLAIN
    default:
        return false;
    }
}

static bool chain_operator(uint32_t operation, Operator *op)
{
    switch (operation) {
    case OPERATION_ADD:
    case OPERATION_ELEMENTWISE_ADD:
        *op = OPERATOR_ADD;
        return true;
    case OPERATION_SUBTRACT:
    case OPERATION_ELEMENTWISE_SUBTRACT:
        *op = OPERATOR_SUBTRACT;
        return true;
    case OPERATION_MULTIPLY:
    case OPERATION_ELEMENTWISE_MULTIPLY:
        *op = OPERATOR_MULTIPLY;
        return true;
    case OPERATION_ELEMENTWISE_DIVIDE:
        *op = OPERATOR_DIVIDE;
        return true;
    case OPERATION_AND:
        *op = OPERATOR_AND;
        return true;
    case OPERATION_OR:
        *op = OPERATOR_OR;
        return true;
    case OPERATION_MINIMUM:
        *op = OPERATOR_MIN;
        return true;
    case OPERATION_MAXIMUM:
        *op = OPERATOR_MAX;
        return true;
    default:
        return false;
    }
}

static Node translate_operation(Translation *t, const FlatExpression *e)
{
    Operator op;
    if (plain_operator(e->operation, &op))
        return translate_jumping(t, e, op);
    if (chain_operator(e->operation, &op))
        return translate_chain(t, e, op);
    switch (e->operation) {
    case OPERATION_NEGATE:
        return dag_negate(t->dag, translate(t, e->operands[0]));
    case OPERATION_POWER:
    case OPERATION_ELEMENTWISE_POWER:
        return dag_power(t->dag, translate(t, e->operands[0]), translate(t, e->operands[1]));
    case OPERATION_MOD:
        return translate_remainder(t, e, true);
    case OPERATION_REM:
        return translate_remainder(t, e, false);
    case OPERATION_ORDINAL:
    case OPERATION_ENUMERATION:
    case OPERATION_NO_EVENT: // what is inside knows that it is silent
    case OPERATION_HOMOTOPY:
        return translate(t, e->operands[0]);
    case OPERATION_SMOOTH:
        return translate(t, e->operands[1]);
    case OPERATION_TIME:
        return dag_time(t->dag);
    case OPERATION_DER:
        return translate_derivative(t, e);
    case OPERATION_PRE:
        return translate_pre(t, e);
    case OPERATION_EDGE:
        return translate_edge(t, e, false);
    case OPERATION_CHANGE:
        return translate_edge(t, e, true);
    case OPERATION_INITIAL:
        return flag(t, &t->initial, "initial()", DAG_INITIAL);
    case OPERATION_TERMINAL:
        return flag(t, &t->terminal, "terminal()", DAG_TERMINAL);
    case OPERATION_SAMPLE:
        return translate_sample(t, e);
    case OPERATION_SEMI_LINEAR:
        return translate_semi_linear(t, e);
    default:
        return refuse(t, e, operation_info((Operation)e->operation)->text);
    }
}

static Node translate_if(Translation *t, const FlatExpression *e)
{
    Node value = translate(t, e->operands[e->count - 1]);
    for (uint32_t i = e->count - 1; i >= 2; i -= 2)
        value = dag_if(t->dag, translate(t, e->operands[i - 2]), translate(t, e->operands[i - 1]),
                       value);
    return value;
}

// An element of a list of scalars by subscripts that change: a chain of choices.
static Node translate_select(Translation *t, const FlatExpression *e)
{
    const FlatExpression *array = e->operands[0];
    if (array->kind != FLAT_ARRAY || array->count == 0)
        return refuse(t, e, "this subscript");
    Dag *dag = t->dag;
    Node place = dag_integer(dag, 0);
    for (uint32_t k = 1; k < e->count; k++)
        place = dag_add(dag, dag_multiply(dag, place, dag_integer(dag, array->dims[k - 1])),
                        dag_subtract(dag, translate(t, e->operands[k]), dag_integer(dag, 1)));
    Node value = translate(t, array->operands[array->count - 1]);
    for (uint32_t i = array->count - 1; i-- > 0;)
        value = dag_if(dag, dag_binary(dag, OPERATOR_EQUAL, place, dag_integer(dag, i)),
                       translate(t, array->operands[i]), value);
    return value;
}

Node translate(Translation *t, const FlatExpression *e)
{
    switch (e->kind) {
    case FLAT_REAL:
        return dag_real(t->dag, e->real);
    case FLAT_INTEGER:
    case FLAT_ENUMERATION:
        return dag_integer(t->dag, e->integer);
    case FLAT_BOOLEAN:
        return dag_boolean(t->dag, e->boolean);
    case FLAT_VARIABLE:
        return translate_reference(t, e);
    case FLAT_OPERATION:
        return translate_operation(t, e);
    case FLAT_IF:
        return translate_if(t, e);
    case FLAT_SELECT:
        return translate_select(t, e);
    case FLAT_CALL:
    case FLAT_RESULT:
        return refuse(t, e, "a call of a function");
    case FLAT_ACTIVE:
    case FLAT_STATE_TIME:
    case FLAT_STATE_TICKS:
        return refuse(t, e, "a state machine");
    default:
        return refuse(t, e, "this expression");
    }
}
