// SPDX-License-Identifier: MIT

#include "equations/print.h"

#include "base/number.h"

#include <inttypes.h>

// Ranks of the grammar of expressions (Modelica 3.6, appendix A.2.7), loosest first.
enum {
    RANK_IF = 0, // if-expressions and anything
    RANK_OR,
    RANK_AND,
    RANK_NOT,
    RANK_RELATION,
    RANK_SUM, // also a leading sign
    RANK_PRODUCT,
    RANK_POWER,
    RANK_PRIMARY,
};

// What is deeper, or comes after so many nodes, is printed as "...": messages need no more, the
// stack has an end, and a graph whose nodes are shared again and again can be a text without one.
enum { DEEPEST = 2000, LONGEST = 5000 };

typedef struct GraphPrinter {
    const Dag *dag;
    StringBuilder *out;
    int depth, length; // nodes so far
    bool is_held;      // inside a hold, or nothing to hold because it is inside noEvent already
} GraphPrinter;

static void equations_print_print(GraphPrinter *p, Node node, int rank);

static void print_put(GraphPrinter *p, const char *text)
{
    builder_append_text(p->out, text);
}

// -a as it is simplified: of a difference the reverse one.
static bool is_negative_of(const Dag *dag, Node node, Node a)
{
    const DagNode *n = dag_get(dag, node);
    const DagNode *of = dag_get(dag, a);
    if (dag_is_operation(dag, node, OPERATOR_NEGATE))
        return n->operands[0] == a;
    return dag_is_operation(dag, node, OPERATOR_SUBTRACT) &&
           dag_is_operation(dag, a, OPERATOR_SUBTRACT) && n->operands[0] == of->operands[1] &&
           n->operands[1] == of->operands[0];
}

// if a >= 0 then a else -a, with an event: what abs(a) becomes, and reads better as.
static bool is_absolute(const Dag *dag, Node node)
{
    const DagNode *n = dag_get(dag, node);
    if (!dag_is_operation(dag, node, OPERATOR_IF) || dag_get(dag, n->operands[0])->kind != DAG_HOLD)
        return false;
    const Node condition = dag_get(dag, n->operands[0])->operands[0];
    const Node a = n->operands[1];
    return dag_is_operation(dag, condition, OPERATOR_GREATER_EQUAL) &&
           dag_get(dag, condition)->operands[0] == a &&
           dag_is_number(dag, dag_get(dag, condition)->operands[1]) &&
           dag_get(dag, dag_get(dag, condition)->operands[1])->value == 0.0 &&
           is_negative_of(dag, n->operands[2], a);
}

static int print_rank_of(const Dag *dag, Node node)
{
    const DagNode *n = dag_get(dag, node);
    if (n->kind == DAG_NUMBER)
        return n->value < 0.0 ? RANK_SUM : RANK_PRIMARY;
    if (n->kind == DAG_INTEGER_POWER)
        return RANK_POWER;
    if (n->kind == DAG_HOLD || dag_is_operation(dag, node, OPERATOR_TO_REAL))
        return print_rank_of(dag, n->operands[0]);
    if (n->kind != DAG_OPERATION)
        return RANK_PRIMARY;
    switch ((Operator)n->op) {
    case OPERATOR_IF:
        return is_absolute(dag, node) ? RANK_PRIMARY : RANK_IF;
    case OPERATOR_OR:
        return RANK_OR;
    case OPERATOR_AND:
        return RANK_AND;
    case OPERATOR_NOT:
        return RANK_NOT;
    case OPERATOR_LESS:
    case OPERATOR_LESS_EQUAL:
    case OPERATOR_GREATER:
    case OPERATOR_GREATER_EQUAL:
    case OPERATOR_EQUAL:
    case OPERATOR_NOT_EQUAL:
        return RANK_RELATION;
    case OPERATOR_ADD:
    case OPERATOR_SUBTRACT:
    case OPERATOR_NEGATE:
        return RANK_SUM;
    case OPERATOR_MULTIPLY:
    case OPERATOR_DIVIDE:
        return RANK_PRODUCT;
    case OPERATOR_POWER:
        return RANK_POWER;
    default:
        return RANK_PRIMARY;
    }
}

static void print_number(GraphPrinter *p, const DagNode *n)
{
    if (n->type == DAG_BOOLEAN) {
        print_put(p, n->value != 0.0 ? "true" : "false");
    } else if (n->type == DAG_TEXT) {
        builder_append_format(p->out, "\"%s\"", p->dag->texts[(uint32_t)n->value]);
    } else if (n->type == DAG_INTEGER) {
        builder_append_format(p->out, "%.0f", n->value);
    } else if (isfinite(n->value)) {
        char text[NUMBER_LENGTH];
        builder_append(p->out, text, number_write(n->value, text));
    } else {
        print_put(p, isnan(n->value) ? "NaN" : n->value > 0.0 ? "Infinity" : "-Infinity");
    }
}

static void equations_print_print_list(GraphPrinter *p, const char *name, Node node)
{
    print_put(p, name);
    print_put(p, "(");
    for (uint32_t i = 0; i < dag_operand_count(p->dag, node); i++) {
        if (i)
            print_put(p, ", ");
        equations_print_print(p, dag_operand(p->dag, node, i), RANK_IF);
    }
    print_put(p, ")");
}

static void equations_print_print_infix(GraphPrinter *p, Node node, int rank)
{
    const DagNode *n = dag_get(p->dag, node);
    // A sum or a product goes on to the right of its operator one rank tighter: a - (b - c).
    // Powers and relations do not associate at all.
    const bool associates =
        rank == RANK_SUM || rank == RANK_PRODUCT || rank == RANK_AND || rank == RANK_OR;
    equations_print_print(p, n->operands[0], associates ? rank : rank + 1);
    builder_append_format(p->out, rank == RANK_POWER ? "%s" : " %s ", operator_info(n->op)->text);
    equations_print_print(p, n->operands[1], rank + 1);
}

static void print_choice(GraphPrinter *p, const DagNode *n)
{
    print_put(p, "if ");
    equations_print_print(p, n->operands[0], RANK_OR);
    print_put(p, " then ");
    equations_print_print(p, n->operands[1], RANK_OR);
    while (dag_is_operation(p->dag, n->operands[2], OPERATOR_IF) &&
           !is_absolute(p->dag, n->operands[2])) {
        n = dag_get(p->dag, n->operands[2]);
        print_put(p, " elseif ");
        equations_print_print(p, n->operands[0], RANK_OR);
        print_put(p, " then ");
        equations_print_print(p, n->operands[1], RANK_OR);
    }
    print_put(p, " else ");
    equations_print_print(p, n->operands[2], RANK_IF);
}

// A large Integer is the operation that dag_integer makes of it.
static bool is_large(const Dag *dag, Node node, int64_t *value)
{
    const bool is_sum = dag_is_operation(dag, node, OPERATOR_ADD);
    const Node product = is_sum ? dag_operand(dag, node, 0) : node;
    const Node low = is_sum ? dag_operand(dag, node, 1) : dag->zero;
    if (!dag_is_operation(dag, product, OPERATOR_MULTIPLY) || !dag_is_number(dag, low) ||
        !dag_is_number(dag, dag_operand(dag, product, 0)) ||
        !dag_is_number(dag, dag_operand(dag, product, 1)) ||
        dag_get(dag, node)->type != DAG_INTEGER)
        return false;
    int64_t high;
    return whole_apply(WHOLE_MULTIPLY, (int64_t)dag_get(dag, dag_operand(dag, product, 0))->value,
                       (int64_t)dag_get(dag, dag_operand(dag, product, 1))->value, &high) &&
           whole_apply(WHOLE_ADD, high, (int64_t)dag_get(dag, low)->value, value);
}

static void equations_print_print_operation(GraphPrinter *p, Node node, int rank)
{
    const DagNode *n = dag_get(p->dag, node);
    const OperatorInfo *info = operator_info(n->op);
    int64_t large;
    if (is_large(p->dag, node, &large))
        builder_append_format(p->out, "%" PRId64, large);
    else if (is_absolute(p->dag, node)) {
        print_put(p, "abs(");
        equations_print_print(p, n->operands[1], RANK_IF);
        print_put(p, ")");
    } else if (n->op == OPERATOR_IF)
        print_choice(p, n);
    else if (n->op == OPERATOR_TO_REAL)
        equations_print_print(p, n->operands[0], rank);
    else if (info->traits & OPERATOR_INFIX)
        equations_print_print_infix(p, node, rank);
    else if (n->op == OPERATOR_NEGATE || n->op == OPERATOR_NOT) {
        print_put(p, n->op == OPERATOR_NOT ? "not " : "-");
        equations_print_print(p, n->operands[0], rank + 1);
    } else
        equations_print_print_list(p, info->text, node);
}

// Whether an operation could trigger an event and does not.
static bool print_is_silent(const GraphPrinter *p, Node node)
{
    const DagNode *n = dag_get(p->dag, node);
    return !p->is_held && n->kind == DAG_OPERATION && n->variability == DAG_CONTINUOUS &&
           (n->op == OPERATOR_ABS || operator_info(n->op)->traits & OPERATOR_JUMPS) &&
           dag_get(p->dag, n->operands[0])->type == DAG_REAL;
}

static void print_content(GraphPrinter *p, Node node, int rank)
{
    const DagNode *n = dag_get(p->dag, node);
    switch ((DagKind)n->kind) {
    case DAG_NUMBER:
        print_number(p, n);
        break;
    case DAG_VARIABLE:
        print_put(p, p->dag->variables[n->number].name);
        break;
    case DAG_OPERATION:
        equations_print_print_operation(p, node, rank);
        break;
    case DAG_INTEGER_POWER:
        equations_print_print(p, n->operands[0], RANK_POWER + 1);
        builder_append_format(p->out, n->power < 0 ? "^(%d)" : "^%d", n->power);
        break;
    case DAG_HOLD:
        equations_print_print(p, n->operands[0], rank);
        break;
    case DAG_CALL:
        equations_print_print_list(p, p->dag->functions[n->number].name, node);
        break;
    case DAG_RESULT:
        equations_print_print(p, n->operands[0], RANK_PRIMARY);
        if (p->dag->functions[dag_get(p->dag, n->operands[0])->number].output_count > 1)
            builder_append_format(p->out, "[%u]", (unsigned)n->number + 1);
        break;
    case DAG_ELEMENT:
        print_put(p, p->dag->variables[n->number].name);
        print_put(p, "[");
        // Elements count from 0 here, from 1 in Modelica.
        if (dag_is_number(p->dag, n->operands[0])) {
            builder_append_format(p->out, "%.0f", dag_get(p->dag, n->operands[0])->value + 1.0);
        } else {
            equations_print_print(p, n->operands[0], RANK_SUM);
            print_put(p, " + 1");
        }
        print_put(p, "]");
        break;
    }
}

static void equations_print_print(GraphPrinter *p, Node node, int rank)
{
    p->length = p->depth ? p->length + 1 : 0;
    if (p->depth == DEEPEST || p->length > LONGEST) {
        print_put(p, "...");
        return;
    }
    p->depth++;
    const bool was_held = p->is_held;
    const bool silent = print_is_silent(p, node);
    p->is_held = was_held || silent || dag_get(p->dag, node)->kind == DAG_HOLD;
    const int own = print_rank_of(p->dag, node);
    if (silent)
        print_put(p, "noEvent(");
    else if (own < rank)
        print_put(p, "(");
    print_content(p, node, own);
    if (silent || own < rank)
        print_put(p, ")");
    p->is_held = was_held;
    p->depth--;
}

void print_node(const Dag *dag, Node node, StringBuilder *out)
{
    GraphPrinter p = {.dag = dag, .out = out};
    equations_print_print(&p, node, RANK_IF);
}

const char *print_text(const Dag *dag, Node node)
{
    StringBuilder b = builder_create(dag->arena);
    print_node(dag, node, &b);
    return builder_string(&b).text;
}

void print_equation(const Dag *dag, Node left, Node right, StringBuilder *out)
{
    GraphPrinter p = {.dag = dag, .out = out};
    equations_print_print(&p, left, RANK_OR);
    print_put(&p, " = ");
    equations_print_print(&p, right, RANK_IF);
}
