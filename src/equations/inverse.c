// SPDX-License-Identifier: MIT
//
// The equation is taken apart from outside: where e(v) = w and e is a sum, product, quotient or
// call one operand of which contains v, the operand equals something that does not.

#include "equations/inverse.h"

#include "base/text.h"
#include "equations/derive.h"
#include "equations/procedure.h"
#include "equations/walk.h"

// ---------------------------------------------------------------------------
// The checked inverse
// ---------------------------------------------------------------------------

// x = g(y, p) being made: a procedure with the inputs of f, except that y stands in the place of x.
typedef struct InverseMaking {
    Dag *dag;
    uint32_t function; // f
    DagFunctionInverse about;
    Procedure *procedure;
    Node x, y;
    Node value; // f(x, p)
    Node slope; // df/dx; NODE_NONE: f has no derivative
    Node start; // NODE_NONE: not looked at
} InverseMaking;

static Node input_of(const InverseMaking *m, uint32_t k)
{
    return dag_reference(m->dag, m->procedure->inputs[k]);
}

// f(x, p)
static Node inverse_value_at(InverseMaking *m, Node x)
{
    DagMemo *arguments = memo_take(m->dag);
    for (uint32_t k = 0; k < m->dag->functions[m->function].input_count; k++)
        memo_push(arguments, k == m->about.input ? x : input_of(m, k));
    const Node call = dag_call(m->dag, m->function, arguments->count, arguments->list);
    memo_give(arguments);
    return dag_result(m->dag, call, 0);
}

// g(y, p)
static Node solution_for(InverseMaking *m, Node y)
{
    Dag *dag = m->dag;
    DagMemo *arguments = memo_take(dag);
    for (uint32_t k = 0; k < dag->functions[m->about.function].input_count; k++) {
        const uint32_t from = m->about.arguments[k];
        memo_push(arguments, m->about.constants[k] != NODE_NONE ? m->about.constants[k]
                             : from == DAG_NONE                 ? y
                                                                : input_of(m, from));
    }
    const Node call = dag_call(dag, m->about.function, arguments->count, arguments->list);
    memo_give(arguments);
    return dag_result(dag, call, 0);
}

// "Up to a certain precision" the specification asks for y = f(g(y)): here one millionth of y, or,
// where f is steep or y small, of x.
static const double precision = 1e-6, smallest = 1e-12;
// Solutions that are farther apart are different ones, and not one that an inverse found badly.
static const double nearby = 0.01;

static Node inverse_magnitude(Dag *dag, Node e)
{
    return dag_unary(dag, OPERATOR_ABS, e);
}

// |a - b|, and part (|a| + |b|)
static Node distance(Dag *dag, Node a, Node b)
{
    return inverse_magnitude(dag, dag_subtract(dag, a, b));
}

static Node inverse_part_of(Dag *dag, double part, Node a, Node b)
{
    return dag_multiply(dag, dag_real(dag, part),
                        dag_add(dag, inverse_magnitude(dag, a), inverse_magnitude(dag, b)));
}

static ProcedureStatement *add_choice(InverseMaking *m, Block *to, Node condition)
{
    ProcedureStatement *choice = procedure_add(m->dag, to, PROCEDURE_IF, m->about.span);
    choice->condition = condition;
    return choice;
}

static void add_failure(InverseMaking *m, Block *to, Node unless, const char *message)
{
    ProcedureStatement *check = procedure_add(m->dag, to, PROCEDURE_CHECK, m->about.span);
    check->condition = unless;
    check->message = message;
}

// Comparisons with NaN are false: a solution that is none fails.
static void add_check(InverseMaking *m)
{
    Dag *dag = m->dag;
    const Node error = distance(dag, m->value, m->y);
    ProcedureStatement *choice =
        add_choice(m, &m->procedure->body,
                   dag_binary(dag, OPERATOR_LESS_EQUAL, error,
                              inverse_part_of(dag, precision, m->value, m->y)));
    Node is_close = dag->falsehood;
    if (m->slope != NODE_NONE) {
        const Node step =
            dag_add(dag, dag_multiply(dag, dag_real(dag, precision), inverse_magnitude(dag, m->x)),
                    dag_real(dag, smallest));
        is_close = dag_binary(dag, OPERATOR_LESS_EQUAL, error,
                              dag_multiply(dag, inverse_magnitude(dag, m->slope), step));
    }
    add_failure(m, &choice->otherwise, is_close,
                "what the annotation 'inverse' gives does not satisfy the function");
}

// x := g(f(start, p), p) must not be another solution than the start value. Where either is not
// defined, nothing is said.
static void add_start_check(InverseMaking *m)
{
    Dag *dag = m->dag;
    const Node y = inverse_value_at(m, m->start);
    procedure_assign(dag, &m->procedure->body, m->x, solution_for(m, y), m->about.span);
    ProcedureStatement *other =
        add_choice(m, &m->procedure->body,
                   dag_binary(dag, OPERATOR_GREATER, distance(dag, m->x, m->start),
                              inverse_part_of(dag, nearby, m->x, m->start)));
    ProcedureStatement *solves =
        add_choice(m, &other->body,
                   dag_binary(dag, OPERATOR_LESS_EQUAL, distance(dag, m->value, y),
                              inverse_part_of(dag, precision, m->value, y)));
    add_failure(m, &solves->body, dag->falsehood,
                "the start value lies on another branch of the function than what the annotation "
                "'inverse' gives");
}

static void make_inputs(InverseMaking *m)
{
    Dag *dag = m->dag;
    const DagFunction f = dag->functions[m->function];
    for (uint32_t k = 0; k < f.input_count; k++) {
        StringBuilder name = builder_create(dag->arena);
        builder_append_format(&name, k == m->about.input ? "y" : "p%u", (unsigned)(k + 1));
        m->procedure->inputs[k] =
            dag_add_local(dag, builder_string(&name).text, f.input_types[k], 0);
    }
    if (m->procedure->input_count > f.input_count) {
        m->procedure->inputs[f.input_count] = dag_add_local(dag, "start", DAG_REAL, 0);
        m->start = input_of(m, f.input_count);
    }
    m->procedure->outputs[0] = dag_add_local(dag, "x", DAG_REAL, 0);
    m->x = dag_reference(dag, m->procedure->outputs[0]);
    m->y = input_of(m, m->about.input);
}

// ---------------------------------------------------------------------------
// Its derivative
// ---------------------------------------------------------------------------

// The inputs of the derivative: those of the inverse, then the derivatives of the Real ones, which
// `seeds` gets.
static Procedure *derivative_procedure(InverseMaking *m, DagMemo *seeds, Node *dy)
{
    Dag *dag = m->dag;
    const DagFunction f = dag->functions[m->function];
    uint32_t reals = 0;
    for (uint32_t k = 0; k < f.input_count; k++)
        reals += f.input_types[k] == DAG_REAL;
    Procedure *d = procedure_create(dag, f.input_count + reals, 1, 1);
    uint32_t next = f.input_count;
    for (uint32_t k = 0; k < f.input_count; k++) {
        d->inputs[k] = m->procedure->inputs[k];
        if (f.input_types[k] != DAG_REAL)
            continue;
        StringBuilder name = builder_create(dag->arena);
        builder_append_format(&name, "d_%s", dag->variables[d->inputs[k]].name);
        d->inputs[next] = dag_add_local(dag, builder_string(&name).text, DAG_REAL, 0);
        const Node derivative = dag_reference(dag, d->inputs[next++]);
        if (k == m->about.input)
            *dy = derivative;
        else
            memo_set(seeds, d->inputs[k], derivative);
    }
    d->outputs[0] = dag_add_local(dag, "d_x", DAG_REAL, 0);
    d->locals[0] = m->procedure->outputs[0];
    return d;
}

// x := g(y, p); dx := (dy - df/dp dp) / (df/dx)
static void add_derivative(InverseMaking *m, uint32_t inverse, const char *name)
{
    Dag *dag = m->dag;
    DagMemo *seeds = memo_take(dag);
    Node dy = dag->zero;
    Procedure *d = derivative_procedure(m, seeds, &dy);
    Derivation along = derive_along(dag, seeds);
    const Node rest = derive(&along, m->value);
    derive_end(&along);
    memo_give(seeds);
    if (rest == NODE_NONE || m->slope == NODE_NONE)
        return;
    const uint32_t count = m->procedure->input_count;
    DagMemo *arguments = memo_take(dag);
    for (uint32_t k = 0; k < count; k++)
        memo_push(arguments, input_of(m, k));
    const Node x = dag_result(dag, dag_call(dag, inverse, count, arguments->list), 0);
    memo_give(arguments);
    procedure_assign(dag, &d->body, m->x, x, m->about.span);
    procedure_assign(dag, &d->body, dag_reference(dag, d->outputs[0]),
                     dag_divide(dag, dag_subtract(dag, dy, rest), m->slope), m->about.span);
    StringBuilder text = builder_create(dag->arena);
    builder_append_format(&text, "der_%s", name);
    bool *must = ARENA_ARRAY(dag->arena, count, bool), *has = ARENA_ARRAY(dag->arena, count, bool);
    for (uint32_t k = 0; k < count; k++)
        has[k] = true;
    DagFunctionDerivative *by = ARENA_NEW(dag->arena, DagFunctionDerivative);
    *by = (DagFunctionDerivative){procedure_function(dag, builder_string(&text).text, d), 1, must,
                                  has};
    dag->functions[inverse].derivatives = by;
    dag->functions[inverse].derivative_count = 1;
}

// The function that computes the input of `about` from the output and the other inputs; has_start:
// and looks at a start value.
static uint32_t make_inverse(Dag *dag, uint32_t function, const DagFunctionInverse *about,
                             bool has_start)
{
    InverseMaking m = {.dag = dag, .function = function, .about = *about, .start = NODE_NONE};
    m.procedure = procedure_create(dag, dag->functions[function].input_count + has_start, 1, 0);
    make_inputs(&m);
    const char *reason;
    m.value = inverse_value_at(&m, m.x);
    m.slope = derive_argument(dag, m.value, about->input, &reason);
    if (has_start)
        add_start_check(&m);
    procedure_assign(dag, &m.procedure->body, m.x, solution_for(&m, m.y), about->span);
    add_check(&m);
    StringBuilder name = builder_create(dag->arena);
    builder_append_format(&name, "inverse of %s", dag->functions[function].name);
    const uint32_t inverse = procedure_function(dag, builder_string(&name).text, m.procedure);
    if (!has_start)
        add_derivative(&m, inverse, builder_string(&name).text);
    return inverse;
}

// ---------------------------------------------------------------------------
// Taking an equation apart
// ---------------------------------------------------------------------------

// e(v) = w; `dependent` has the nodes that contain v.
typedef struct Solving {
    Dag *dag;
    DagMemo *dependent;
    Node e, w;
    uint32_t v;
    Node start; // of v, or NODE_NONE
    bool has_inverse;
} Solving;

static bool inverse_depends(const Solving *s, Node node)
{
    return memo_has(s->dependent, node);
}

static void inverse_mark_dependent(Solving *s, const Node *roots)
{
    DagMemo *order = memo_take(s->dag), *set = memo_take(s->dag);
    memo_set(set, s->v, 0);
    walk_order_beyond(order, WALK_UNHELD, NULL, roots, 2);
    walk_mark_dependent(s->dependent, order, set);
    memo_give(set);
    memo_give(order);
}

// The inverse for the only argument of a call that contains v; NULL: there is none.
static DagFunctionInverse *find_inverse(const Solving *s, Node call)
{
    const DagFunction *f = &s->dag->functions[dag_get(s->dag, call)->number];
    uint32_t place = DAG_NONE;
    for (uint32_t k = 0; k < f->input_count; k++) {
        if (!inverse_depends(s, dag_operand(s->dag, call, k)))
            continue;
        if (place != DAG_NONE)
            return NULL;
        place = k;
    }
    for (uint32_t i = 0; i < f->inverse_count; i++)
        if (f->inverses[i].input == place)
            return &f->inverses[i];
    return NULL;
}

// The function for it, made if there is none.
static uint32_t inverse_function(const Solving *s, uint32_t function, DagFunctionInverse *inverse)
{
    uint32_t *made = s->start == NODE_NONE ? &inverse->checked : &inverse->started;
    if (*made == DAG_NONE)
        *made = make_inverse(s->dag, function, inverse, s->start != NODE_NONE);
    return *made;
}

// The argument with the start value in the place of v.
static Node argument_at_start(const Solving *s, Node argument)
{
    DagMemo *map = memo_take(s->dag);
    memo_set(map, s->v, s->start);
    const Node result = walk_substitute(s->dag, argument, map);
    memo_give(map);
    return result;
}

// f(a, p) = w: a = inverse(w, p)
static bool open_call(Solving *s)
{
    Dag *dag = s->dag;
    const Node call = dag_operand(dag, s->e, 0);
    DagFunctionInverse *inverse = find_inverse(s, call);
    if (!inverse)
        return false;
    const uint32_t function = inverse_function(s, dag_get(dag, call)->number, inverse);
    DagMemo *arguments = memo_take(dag);
    for (uint32_t k = 0; k < dag_operand_count(dag, call); k++)
        memo_push(arguments, k == inverse->input ? s->w : dag_operand(dag, call, k));
    s->e = dag_operand(dag, call, inverse->input);
    if (s->start != NODE_NONE)
        memo_push(arguments, argument_at_start(s, s->e));
    s->w = dag_result(dag, dag_call(dag, function, arguments->count, arguments->list), 0);
    memo_give(arguments);
    s->has_inverse = true;
    return true;
}

// A number that is not zero, divided by something: c / e = w has the one solution e = c / w, and
// none if w is zero.
static bool has_quotient(const Dag *dag, const DagNode *n)
{
    return n->kind == DAG_OPERATION && n->op == OPERATOR_DIVIDE &&
           dag_is_number(dag, n->operands[0]) && !dag_is_zero(dag, n->operands[0]);
}

static bool open_operation(Solving *s)
{
    Dag *dag = s->dag;
    const DagNode n = *dag_get(dag, s->e);
    const Node a = n.operands[0], b = n.operands[n.count - 1];
    const bool is_first = inverse_depends(s, a);
    if (n.count > 2 || (n.count == 2 && is_first == inverse_depends(s, b)))
        return false;
    s->e = is_first ? a : b;
    switch ((Operator)n.op) {
    case OPERATOR_NEGATE:
        s->w = dag_negate(dag, s->w);
        return true;
    case OPERATOR_ADD:
        s->w = dag_subtract(dag, s->w, is_first ? b : a);
        return true;
    case OPERATOR_SUBTRACT:
        s->w = is_first ? dag_add(dag, s->w, b) : dag_subtract(dag, a, s->w);
        return true;
    case OPERATOR_MULTIPLY:
        s->w = dag_divide(dag, s->w, is_first ? b : a);
        return true;
    case OPERATOR_DIVIDE:
        if (!is_first && !has_quotient(dag, &n))
            return false;
        s->has_inverse = s->has_inverse || !is_first;
        s->w = is_first ? dag_multiply(dag, s->w, b) : dag_divide(dag, a, s->w);
        return true;
    default:
        return false;
    }
}

static bool open_node(Solving *s)
{
    switch ((DagKind)dag_get(s->dag, s->e)->kind) {
    case DAG_OPERATION:
        return open_operation(s);
    case DAG_RESULT:
        return open_call(s);
    default:
        return false;
    }
}

Node inverse_solve(Dag *dag, Node left, Node right, uint32_t v, Node start)
{
    const DagNode *l = dag_get(dag, left), *r = dag_get(dag, right);
    if (!((l->facts | r->facts) & DAG_CALLS) && !has_quotient(dag, l) && !has_quotient(dag, r))
        return NODE_NONE;
    Solving s = {.dag = dag, .dependent = memo_take(dag), .v = v, .start = start};
    inverse_mark_dependent(&s, (const Node[]){left, right});
    const bool is_left = inverse_depends(&s, left);
    bool is_open = is_left != inverse_depends(&s, right);
    s.e = is_left ? left : right;
    s.w = is_left ? right : left;
    while (is_open && !dag_is_variable(dag, s.e, v))
        is_open = open_node(&s);
    memo_give(s.dependent);
    return is_open && s.has_inverse ? s.w : NODE_NONE;
}
