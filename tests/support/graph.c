// SPDX-License-Identifier: MIT

#include "support/graph.h"

#include "equations/print.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { MOST_STEPS = 100000 };

typedef enum Flow { FLOW_ON, FLOW_BREAK, FLOW_RETURN } Flow;

GraphValues graph_values(const Dag *dag, uint32_t extra)
{
    const uint32_t count = dag->variable_count + extra;
    return (GraphValues){.scalars = ARENA_ARRAY(dag->arena, count, double),
                         .arrays = ARENA_ARRAY(dag->arena, count, double *)};
}

// ---- expressions --------------------------------------------------------------------------------

static double evaluate_element(const Dag *dag, const DagNode *n, GraphValues *values)
{
    const double index = graph_evaluate(dag, n->operands[0], values);
    if (!(index >= 0.0 && index < dag->variables[n->number].size)) {
        values->failed = true;
        return NAN;
    }
    return values->arrays[n->number][(uint32_t)index];
}

static double evaluate_result(const Dag *dag, const DagNode *n, GraphValues *values)
{
    const DagNode *call = dag_get(dag, n->operands[0]);
    const DagFunction *f = &dag->functions[call->number];
    double *arguments = calloc(f->input_count + 1, sizeof(double));
    double *results = calloc(f->output_count + 1, sizeof(double));
    for (uint32_t i = 0; i < f->input_count; i++)
        arguments[i] = graph_evaluate(dag, dag->lists[call->first + i], values);
    if (!graph_call(dag, call->number, arguments, results))
        values->failed = true;
    const double value = results[n->number];
    free(arguments);
    free(results);
    return value;
}

static double apply(Operator op, double a, double b, const GraphValues *values)
{
    const bool divides =
        op == OPERATOR_DIVIDE || op == OPERATOR_DIV || op == OPERATOR_MOD || op == OPERATOR_REM;
    if (values->has_one_zero &&
        ((divides && b == 0.0) || (op == OPERATOR_POWER && a == 0.0 && b < 0.0)))
        return NAN;
    return operator_apply(op, a, b, 0.0);
}

static double power(double x, int n, const GraphValues *values)
{
    return values->has_one_zero && x == 0.0 && n < 0 ? NAN : operator_power(x, n);
}

static double evaluate_node(const Dag *dag, Node node, GraphValues *values)
{
    const DagNode *n = dag_get(dag, node);
    switch ((DagKind)n->kind) {
    case DAG_NUMBER:
        return n->value;
    case DAG_VARIABLE:
        return values->scalars[n->number];
    case DAG_OPERATION:
        if (n->op == OPERATOR_IF)
            return graph_evaluate(dag, n->operands[0], values) != 0.0
                       ? graph_evaluate(dag, n->operands[1], values)
                       : graph_evaluate(dag, n->operands[2], values);
        return apply(n->op, graph_evaluate(dag, n->operands[0], values),
                     n->count > 1 ? graph_evaluate(dag, n->operands[1], values) : 0.0, values);
    case DAG_INTEGER_POWER:
        return power(graph_evaluate(dag, n->operands[0], values), n->power, values);
    case DAG_HOLD:
        return values->held ? values->held[n->number] : graph_evaluate(dag, n->operands[0], values);
    case DAG_RESULT:
        return evaluate_result(dag, n, values);
    case DAG_ELEMENT:
        return evaluate_element(dag, n, values);
    case DAG_CALL:
        break;
    }
    return NAN;
}

double graph_evaluate(const Dag *dag, Node node, GraphValues *values)
{
    const double value = evaluate_node(dag, node, values);
    return values->has_one_zero && value == 0.0 ? 0.0 : value;
}

// ---- statements ---------------------------------------------------------------------------------

static Flow run_block(const Dag *dag, const Block *block, GraphValues *values);

static void assign(const Dag *dag, Node target, double value, GraphValues *values)
{
    const DagNode *n = dag_get(dag, target);
    if (n->kind == DAG_VARIABLE) {
        values->scalars[n->number] = value;
        return;
    }
    const double index = graph_evaluate(dag, n->operands[0], values);
    if (!(index >= 0.0 && index < dag->variables[n->number].size))
        values->failed = true;
    else
        values->arrays[n->number][(uint32_t)index] = value;
}

static void run_assignment(const Dag *dag, const ProcedureStatement *s, GraphValues *values)
{
    double *computed = calloc(s->assign.count + 1, sizeof(double));
    for (uint32_t i = 0; i < s->assign.count; i++)
        computed[i] = graph_evaluate(dag, s->assign.values[i], values);
    for (uint32_t i = 0; i < s->assign.count; i++)
        assign(dag, s->assign.targets[i], computed[i], values);
    free(computed);
}

static Flow run_for(const Dag *dag, const ProcedureStatement *s, GraphValues *values)
{
    const double from = graph_evaluate(dag, s->loop.from, values);
    const double step = graph_evaluate(dag, s->loop.step, values);
    const double to = graph_evaluate(dag, s->loop.to, values);
    const double last = floor((to - from) / step);
    for (double k = 0.0; k <= last; k += 1.0) {
        values->scalars[s->loop.iterator] = from + k * step;
        const Flow flow = run_block(dag, &s->loop.body, values);
        if (flow == FLOW_RETURN || values->failed)
            return FLOW_RETURN;
        if (flow == FLOW_BREAK)
            break;
    }
    return FLOW_ON;
}

static Flow run_while(const Dag *dag, const ProcedureStatement *s, GraphValues *values)
{
    while (graph_evaluate(dag, s->condition, values) != 0.0) {
        if (++values->steps > MOST_STEPS)
            values->failed = true;
        const Flow flow = run_block(dag, &s->body, values);
        if (flow == FLOW_RETURN || values->failed)
            return FLOW_RETURN;
        if (flow == FLOW_BREAK)
            break;
    }
    return FLOW_ON;
}

static Flow run_statement(const Dag *dag, const ProcedureStatement *s, GraphValues *values)
{
    switch (s->kind) {
    case PROCEDURE_ASSIGN:
        run_assignment(dag, s, values);
        return FLOW_ON;
    case PROCEDURE_IF:
        return run_block(
            dag, graph_evaluate(dag, s->condition, values) != 0.0 ? &s->body : &s->otherwise,
            values);
    case PROCEDURE_FOR:
        return run_for(dag, s, values);
    case PROCEDURE_WHILE:
        return run_while(dag, s, values);
    case PROCEDURE_BREAK:
        return FLOW_BREAK;
    case PROCEDURE_RETURN:
        return FLOW_RETURN;
    case PROCEDURE_CHECK:
        if (graph_evaluate(dag, s->condition, values) == 0.0)
            values->failed = true;
        return FLOW_ON;
    case PROCEDURE_CALL:
    case PROCEDURE_EXTERNAL: // no graph of the tests has them
        values->failed = true;
        return FLOW_ON;
    }
    return FLOW_ON;
}

static Flow run_block(const Dag *dag, const Block *block, GraphValues *values)
{
    for (uint32_t i = 0; i < block->count; i++) {
        const Flow flow = run_statement(dag, &block->items[i], values);
        if (flow != FLOW_ON || values->failed)
            return flow;
    }
    return FLOW_ON;
}

static void make_room(const Dag *dag, const uint32_t *locals, uint32_t count, GraphValues *values)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t size = dag->variables[locals[i]].size;
        values->scalars[locals[i]] = NAN;
        if (size)
            values->arrays[locals[i]] = ARENA_ARRAY(dag->arena, size, double);
        for (uint32_t k = 0; k < size; k++)
            values->arrays[locals[i]][k] = NAN;
    }
}

// Copies between a list of scalars and locals.
static void transfer(const Dag *dag, const uint32_t *locals, uint32_t count, double *list,
                     bool is_input, GraphValues *values)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t size = dag->variables[locals[i]].size;
        double *at = size ? values->arrays[locals[i]] : &values->scalars[locals[i]];
        for (uint32_t k = 0; k < (size ? size : 1); k++, list++) {
            if (is_input)
                at[k] = *list;
            else
                *list = at[k];
        }
    }
}

bool graph_call(const Dag *dag, uint32_t function, const double *arguments, double *results)
{
    const Procedure *p = dag->functions[function].procedure;
    GraphValues values = graph_values(dag, 0);
    make_room(dag, p->inputs, p->input_count, &values);
    make_room(dag, p->outputs, p->output_count, &values);
    make_room(dag, p->locals, p->local_count, &values);
    transfer(dag, p->inputs, p->input_count, (double *)(uintptr_t)arguments, true, &values);
    run_block(dag, &p->body, &values);
    transfer(dag, p->outputs, p->output_count, results, false, &values);
    return !values.failed;
}

// ---- random expressions -------------------------------------------------------------------------

uint32_t graph_random(GraphRandom *r, uint32_t below)
{
    // splitmix64 (Steele, Lea, Flood 2014)
    uint64_t z = r->state += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return (uint32_t)((z ^ z >> 31) >> 33) % below;
}

double graph_random_real(GraphRandom *r, double low, double high)
{
    return low + (high - low) * ((double)graph_random(r, 1u << 30) / (double)(1u << 30));
}

double graph_random_special(GraphRandom *r)
{
    static const double special[] = {0.0,      -0.0,      1.0,   -1.0,   2.0,     0.5,
                                     INFINITY, -INFINITY, NAN,   1e-310, -1e-310, DBL_MIN,
                                     DBL_MAX,  -DBL_MAX,  1e200, 1e-200, 3.0,     -2.0,
                                     1e16,     -0.25,     4.0,   1.5,    -1.5,    10.0};
    const uint32_t count = sizeof special / sizeof *special;
    const uint32_t k = graph_random(r, count + count / 2);
    return k < count ? special[k] : graph_random_real(r, -5.0, 5.0);
}

static Node random_leaf(Dag *dag, GraphRandom *r, uint32_t variables)
{
    static const double numbers[] = {0.0, 1.0, -1.0, 2.0, 0.5, 3.0, -2.5, 1e-3, 10.0};
    if (graph_random(r, 3) == 0)
        return dag_real(dag, numbers[graph_random(r, sizeof numbers / sizeof *numbers)]);
    return dag_reference(dag, graph_random(r, variables + 1));
}

static Node random_condition(Dag *dag, GraphRandom *r, uint32_t variables, int depth)
{
    const Operator relation = OPERATOR_LESS + graph_random(r, 6);
    Node c = dag_binary(dag, relation, graph_random_expression(dag, r, variables, depth - 1),
                        graph_random_expression(dag, r, variables, depth - 1));
    if (graph_random(r, 2))
        c = dag_hold(dag, c);
    switch (graph_random(r, 6)) {
    case 0:
        return dag_unary(dag, OPERATOR_NOT, c);
    case 1:
        return dag_binary(dag, OPERATOR_AND, c, random_condition(dag, r, variables, depth - 1));
    case 2:
        return dag_binary(dag, OPERATOR_OR, c, random_condition(dag, r, variables, depth - 1));
    default:
        return c;
    }
}

Node graph_random_expression(Dag *dag, GraphRandom *r, uint32_t variables, int depth)
{
    if (depth <= 0 || graph_random(r, 10) == 0)
        return random_leaf(dag, r, variables);
    const Node a = graph_random_expression(dag, r, variables, depth - 1);
    const uint32_t choice = graph_random(r, 40);
    if (choice < 16) {
        static const Operator common[] = {OPERATOR_ADD, OPERATOR_SUBTRACT, OPERATOR_MULTIPLY,
                                          OPERATOR_DIVIDE};
        return dag_binary(dag, common[choice % 4], a,
                          graph_random_expression(dag, r, variables, depth - 1));
    }
    if (choice < 20)
        return dag_if(dag, random_condition(dag, r, variables, depth - 1), a,
                      graph_random_expression(dag, r, variables, depth - 1));
    if (choice < 23)
        return dag_negate(dag, a);
    if (choice < 26)
        return dag_power(dag, a, dag_real(dag, (double)graph_random(r, 11) - 5.0));
    // Any operator from TO_REAL on but integer, which fails where the result is none.
    Operator op = OPERATOR_TO_REAL + graph_random(r, OPERATOR_COUNT - (uint32_t)OPERATOR_TO_REAL);
    if (op == OPERATOR_INTEGER)
        op = OPERATOR_FLOOR;
    Node e = operator_info(op)->count == 2
                 ? dag_binary(dag, op, a, graph_random_expression(dag, r, variables, depth - 1))
                 : dag_unary(dag, op, a);
    if (operator_info(op)->traits & OPERATOR_JUMPS && graph_random(r, 2))
        e = dag_hold(dag, e);
    return dag_get(dag, e)->type == DAG_INTEGER ? dag_unary(dag, OPERATOR_TO_REAL, e) : e;
}

Node graph_random_smooth(Dag *dag, GraphRandom *r, uint32_t variables, int depth)
{
    if (depth <= 0)
        return graph_random(r, 4) ? dag_reference(dag, 1 + graph_random(r, variables))
                                  : dag_real(dag, graph_random_real(r, 0.5, 1.5));
    const Node a = graph_random_smooth(dag, r, variables, depth - 1);
    const Node b = graph_random_smooth(dag, r, variables, depth - 1);
    // Everything stays bounded, and away from poles: 2 + sin(..) is between 1 and 3.
    const Node sine = dag_unary(dag, OPERATOR_SIN, a);
    const Node positive = dag_add(dag, dag->two, sine);
    static const Operator unary[] = {OPERATOR_SIN,  OPERATOR_COS, OPERATOR_ATAN, OPERATOR_TANH,
                                     OPERATOR_SQRT, OPERATOR_LOG, OPERATOR_EXP,  OPERATOR_LOG10,
                                     OPERATOR_SINH, OPERATOR_COSH};
    switch (graph_random(r, 10)) {
    case 0:
        return dag_add(dag, sine, b);
    case 1:
        return dag_subtract(dag, a, dag_unary(dag, OPERATOR_COS, b));
    case 2:
        return dag_multiply(dag, sine, dag_unary(dag, OPERATOR_TANH, b));
    case 3:
        return dag_divide(dag, dag_unary(dag, OPERATOR_TANH, b), positive);
    case 4:
        return dag_power(dag, positive, dag_real(dag, (double)graph_random(r, 9) - 4.0));
    case 5:
        return dag_power(dag, positive, dag_unary(dag, OPERATOR_SIN, b));
    case 6:
        return dag_binary(dag, OPERATOR_ATAN2, positive, dag_unary(dag, OPERATOR_TANH, b));
    case 7:
        return dag_unary(dag, graph_random(r, 2) ? OPERATOR_ASIN : OPERATOR_ACOS,
                         dag_divide(dag, sine, dag->two));
    case 8:
        return dag_unary(dag, OPERATOR_TAN, dag_divide(dag, sine, dag->two));
    default:
        return dag_unary(dag, unary[graph_random(r, sizeof unary / sizeof *unary)], positive);
    }
}

// ---- functions as text --------------------------------------------------------------------------

static void put_list(const Dag *dag, const Node *nodes, uint32_t count, StringBuilder *out)
{
    builder_append_text(out, count > 1 ? "(" : "");
    for (uint32_t i = 0; i < count; i++)
        builder_append_format(out, "%s%s", i ? ", " : "", print_text(dag, nodes[i]));
    builder_append_text(out, count > 1 ? ")" : "");
}

static void put_block(const Dag *dag, const Block *block, size_t indent, StringBuilder *out)
{
    for (uint32_t i = 0; i < block->count; i++) {
        const ProcedureStatement *s = &block->items[i];
        builder_append_repeated(out, ' ', indent);
        if (s->kind == PROCEDURE_ASSIGN) {
            put_list(dag, s->assign.targets, s->assign.count, out);
            builder_append_text(out, " := ");
            put_list(dag, s->assign.values, s->assign.count, out);
            builder_append_text(out, ";\n");
            continue;
        }
        assert(s->kind == PROCEDURE_FOR);
        builder_append_format(out, "for %s in %s:", dag->variables[s->loop.iterator].name,
                              print_text(dag, s->loop.from));
        builder_append_format(out, "%s:", print_text(dag, s->loop.step));
        builder_append_format(out, "%s loop\n", print_text(dag, s->loop.to));
        put_block(dag, &s->loop.body, indent + 2, out);
        builder_append_repeated(out, ' ', indent);
        builder_append_text(out, "end for;\n");
    }
}

static void put_locals(const Dag *dag, const char *prefix, const uint32_t *locals, uint32_t count,
                       StringBuilder *out)
{
    static const char *const types[] = {[DAG_REAL] = "Real",
                                        [DAG_INTEGER] = "Integer",
                                        [DAG_BOOLEAN] = "Boolean",
                                        [DAG_TUPLE] = "",
                                        [DAG_TEXT] = "String"};
    for (uint32_t i = 0; i < count; i++) {
        const DagVariable *v = &dag->variables[locals[i]];
        builder_append_format(out, "  %s%s %s", prefix, types[v->type], v->name);
        if (v->size)
            builder_append_format(out, "[%u]", (unsigned)v->size);
        builder_append_text(out, ";\n");
    }
}

const char *graph_function_text(const Dag *dag, uint32_t function)
{
    StringBuilder out = builder_create(dag->arena);
    const DagFunction *f = &dag->functions[function];
    const Procedure *p = f->procedure;
    builder_append_format(&out, "function %s\n", f->name);
    put_locals(dag, "input ", p->inputs, p->input_count, &out);
    put_locals(dag, "output ", p->outputs, p->output_count, &out);
    builder_append_text(&out, p->local_count ? "protected\n" : "");
    put_locals(dag, "", p->locals, p->local_count, &out);
    builder_append_text(&out, "algorithm\n");
    put_block(dag, &p->body, 2, &out);
    builder_append_format(&out, "end %s;\n", f->name);
    return builder_string(&out).text;
}
