// SPDX-License-Identifier: MIT
//
// Algorithm sections. They are executed with expressions: every variable that the section assigns
// has an expression for its present value, and an assignment under a condition c makes it
// if c then new else old. At the beginning a discrete variable has its left limit, another one its
// start value (section 11.1.2 of the specification). A `for` is executed for each value of its
// iterator; a `while` becomes a function from the present values to the next.

#include "modes/analyse.h"
#include "modes/assemble_when.h"

typedef struct Execution {
    Assembly *a;
    DagMemo *present; // variable -> its expression
    Node broken;      // whether the present loop has been left
    bool is_in_when, is_initial;
} Execution;

// A node with the present values. Relations that are new by that have the place of the text.
static Node present(Execution *e, Node node, Span span)
{
    Dag *dag = e->a->dag;
    const uint32_t before = dag->hold_count;
    node = walk_substitute(dag, node, e->present);
    for (uint32_t i = before; i < dag->hold_count; i++)
        if (!span_is_known(dag->holds[i].span))
            dag->holds[i].span = span;
    return node;
}

static Node assemble_algorithm_value_of(Execution *e, const FlatExpression *expression)
{
    return present(e, translate(e->a->translation, expression), expression->span);
}

// b is not called where a does not hold: conditions are evaluated one after the other until one
// holds (section 11.2.6).
static Node assemble_algorithm_both(Execution *e, Node a, Node b)
{
    if (dag_get(e->a->dag, b)->facts & DAG_CALLS)
        return dag_if(e->a->dag, a, b, e->a->dag->falsehood);
    return dag_binary(e->a->dag, OPERATOR_AND, a, b);
}

static Node assemble_algorithm_negated(Execution *e, Node a)
{
    return dag_unary(e->a->dag, OPERATOR_NOT, a);
}

static void execute(Execution *e, Node path, uint32_t count, FlatStatement *const *statements);

static void assemble_algorithm_refuse(Execution *e, Span span)
{
    diagnostics_error(e->a->diagnostics, span,
                      "this statement in an algorithm section cannot be simulated yet");
}

// ---------------------------------------------------------------------------
// Assignments
// ---------------------------------------------------------------------------

static void set(Execution *e, Node path, GraphVariable variable, Node value)
{
    memo_set(e->present, variable, dag_if(e->a->dag, path, value, memo_get(e->present, variable)));
}

// A condition that must hold where the path leads.
static void assemble_algorithm_demand(Execution *e, Node path, Node condition, Span span)
{
    const AssembledAction action = {
        .kind = ACTION_ASSERT,
        .condition = assemble_algorithm_both(e, path, assemble_algorithm_negated(e, condition)),
        .message = "a subscript is out of bounds",
        .level = FLAT_LEVEL_ERROR,
        .span = span};
    if (e->is_in_when)
        assemble_action(e->a, &action);
    else
        assemble_assertion(e->a, &action);
}

static void assemble_algorithm_assign(Execution *e, Node path, const FlatStatement *s)
{
    ConvertTarget target;
    if (!convert_target(e->a->translation, s->target, &target))
        return;
    Node value = assemble_algorithm_value_of(e, s->value);
    if (dag_get(e->a->dag, value)->type == DAG_INTEGER && s->target->type->kind == FLAT_TYPE_REAL)
        value = dag_unary(e->a->dag, OPERATOR_TO_REAL, value);
    const Node is_inside = present(e, target.is_inside, s->span);
    for (uint32_t i = 0; i < target.count; i++)
        target.conditions[i] =
            assemble_algorithm_both(e, path, present(e, target.conditions[i], s->span));
    for (uint32_t i = 0; i < target.count; i++)
        set(e, target.conditions[i], target.variables[i], value);
    if (is_inside != e->a->dag->truth)
        assemble_algorithm_demand(e, path, is_inside, s->span);
}

// A call for what it does: the condition of an assertion that holds, so that it is made where the
// statement is executed.
static void assemble_algorithm_perform(Execution *e, Node path, const FlatStatement *s)
{
    if (e->is_initial) {
        diagnostics_warning(e->a->diagnostics, s->span,
                            "this call is left out: nothing is assigned by it, and effects of "
                            "initial algorithms are not supported");
        return;
    }
    const Node failed = assemble_effect(e->a, s, e->present);
    if (failed == NODE_NONE)
        return;
    const AssembledAction action = {.kind = ACTION_ASSERT,
                                    .condition =
                                        dag_if(e->a->dag, path, failed, e->a->dag->falsehood),
                                    .message = "a call fails",
                                    .level = FLAT_LEVEL_ERROR,
                                    .span = s->span};
    if (e->is_in_when)
        assemble_action(e->a, &action);
    else
        assemble_assertion(e->a, &action);
}

// All values are computed before the first is assigned.
static void assign_results(Execution *e, Node path, const FlatStatement *s)
{
    if (!assemble_is_used(s)) {
        assemble_algorithm_perform(e, path, s);
        return;
    }
    uint32_t count;
    DagEquation *sides =
        convert_results(e->a->translation, s->value, s->target_count, s->targets, &count);
    for (uint32_t i = 0; i < count; i++)
        sides[i].right = present(e, sides[i].right, s->span);
    for (uint32_t i = 0; i < count; i++) {
        const DagNode *target = dag_get(e->a->dag, sides[i].left);
        if (target->kind == DAG_VARIABLE)
            set(e, path, target->number, sides[i].right);
        else
            assemble_algorithm_refuse(e, s->span);
    }
}

static void assemble_algorithm_check(Execution *e, Node path, const FlatStatement *s)
{
    AssembledAction action = {
        .kind = ACTION_TERMINATE, .condition = path, .level = s->check.level, .span = s->span};
    if (s->kind == FLAT_ASSERT) {
        const Node holds = assemble_algorithm_value_of(e, s->check.condition);
        action.kind = ACTION_ASSERT;
        action.condition = assemble_algorithm_both(e, path, assemble_algorithm_negated(e, holds));
    }
    AssembledAction *message = assemble_message(e->a, &action, s->check.message);
    for (uint32_t i = 1; i <= message->shown_count; i++)
        message[i].condition = present(e, message[i].condition, s->span);
    assemble_message_add(e->a, message, e->is_in_when ? assemble_action : assemble_assertion);
}

// ---------------------------------------------------------------------------
// Branches and loops
// ---------------------------------------------------------------------------

// Whether one of the conditions of `when c` or `when {c1, c2}` becomes true.
static Node fires(Execution *e, const FlatExpression *condition)
{
    if (condition->kind != FLAT_ARRAY)
        return assemble_becomes_true(e->a, assemble_algorithm_value_of(e, condition));
    Node any = e->a->dag->falsehood;
    for (uint32_t i = 0; i < condition->count; i++)
        any = dag_binary(e->a->dag, OPERATOR_OR, any, fires(e, condition->operands[i]));
    return any;
}

// All conditions have the values from before the first branch.
static void assemble_algorithm_choose(Execution *e, Node path, const FlatStatement *s)
{
    Node *taken = ARENA_ARRAY(e->a->dag->arena, s->branches.count, Node);
    for (uint32_t i = 0; i < s->branches.count; i++) {
        const FlatBranch *branch = &s->branches.items[i];
        taken[i] = path;
        if (!branch->condition)
            continue;
        const Node holds = s->kind == FLAT_WHEN ? fires(e, branch->condition)
                                                : assemble_algorithm_value_of(e, branch->condition);
        taken[i] = assemble_algorithm_both(e, path, holds);
        path = assemble_algorithm_both(e, path, assemble_algorithm_negated(e, holds));
    }
    const bool was_in_when = e->is_in_when;
    e->is_in_when = was_in_when || s->kind == FLAT_WHEN;
    convert_be_silent(e->a->translation, e->is_in_when);
    for (uint32_t i = 0; i < s->branches.count; i++)
        execute(e, taken[i], s->branches.items[i].count, s->branches.items[i].statements);
    e->is_in_when = was_in_when;
    convert_be_silent(e->a->translation, was_in_when);
}

// Whether the values of a loop are known before the run.
static bool assemble_algorithm_is_known(const FlatExpression *range)
{
    if (range->kind != FLAT_ARRAY)
        return false;
    for (uint32_t i = 0; i < range->count; i++)
        if (range->operands[i]->kind > FLAT_ENUMERATION)
            return false;
    return true;
}

// For each value of the iterator; behind a `break` nothing is done any more.
static void repeat(Execution *e, Node path, const FlatStatement *s)
{
    const FlatExpression *range = s->loop.range;
    const Node outer = e->broken;
    e->broken = e->a->dag->falsehood;
    for (uint32_t i = 0; i < range->count && e->broken != e->a->dag->truth; i++) {
        convert_set_iterator(e->a->translation, s->loop.iterator,
                             translate(e->a->translation, range->operands[i]));
        execute(e, assemble_algorithm_both(e, path, assemble_algorithm_negated(e, e->broken)),
                s->loop.count, s->loop.body);
    }
    e->broken = outer;
}

// A call of the loop as a function. It is made only where the path leads: it may not end elsewhere.
static void loop(Execution *e, Node path, const FlatStatement *s)
{
    Dag *dag = e->a->dag;
    ConvertLoop l;
    if (!convert_loop(e->a->translation, s, &l))
        return;
    Node *arguments = ARENA_ARRAY(dag->arena, l.input_count, Node);
    for (uint32_t i = 0; i < l.input_count; i++)
        arguments[i] = present(e, dag_reference(dag, l.inputs[i]), s->span);
    const Node call = dag_call(dag, l.function, l.input_count, arguments);
    for (uint32_t i = 0; i < l.output_count; i++)
        set(e, path, l.outputs[i], dag_result(dag, call, i));
}

static void execute(Execution *e, Node path, uint32_t count, FlatStatement *const *statements)
{
    const Node before = e->broken;
    for (uint32_t i = 0; i < count; i++) {
        const FlatStatement *s = statements[i];
        const Node here =
            e->broken == before
                ? path
                : assemble_algorithm_both(e, path, assemble_algorithm_negated(e, e->broken));
        switch (s->kind) {
        case FLAT_ASSIGN:
            assemble_algorithm_assign(e, here, s);
            break;
        case FLAT_MULTIPLE:
            assign_results(e, here, s);
            break;
        case FLAT_ASSERT:
        case FLAT_TERMINATE:
            assemble_algorithm_check(e, here, s);
            break;
        case FLAT_CHOICE:
        case FLAT_WHEN:
            assemble_algorithm_choose(e, here, s);
            break;
        case FLAT_FOR:
            if (assemble_algorithm_is_known(s->loop.range))
                repeat(e, here, s);
            else
                loop(e, here, s);
            break;
        case FLAT_WHILE:
            loop(e, here, s);
            break;
        case FLAT_BREAK:
            e->broken = dag_binary(e->a->dag, OPERATOR_OR, e->broken, here);
            return;
        default:
            assemble_algorithm_refuse(e, s->span);
        }
    }
}

// Executes a section; afterwards e->present has what it assigns.
static Execution assemble_algorithm_begin(Assembly *a, const FlatAlgorithm *algorithm)
{
    Dag *dag = a->dag;
    Execution e = {.a = a, .present = memo_take(dag), .broken = dag->falsehood};
    e.is_initial = algorithm->is_initial;
    for (uint32_t i = 0; i < algorithm->defined_count; i++) {
        const uint32_t v = translate_variable(a->translation, algorithm->defined[i]);
        const bool is_kept =
            dag->variables[v].variability == DAG_DISCRETE && !algorithm->is_initial;
        memo_set(e.present, v,
                 is_kept ? dag_reference(dag, dag_pre_variable(dag, v))
                         : analyse_start_value(a, v));
    }
    execute(&e, dag->truth, algorithm->count, algorithm->statements);
    return e;
}

void assemble_algorithm(Assembly *a, const FlatAlgorithm *algorithm)
{
    Dag *dag = a->dag;
    const Execution e = assemble_algorithm_begin(a, algorithm);
    for (uint32_t i = 0; i < algorithm->defined_count; i++) {
        const uint32_t v = translate_variable(a->translation, algorithm->defined[i]);
        const Node value = memo_get(e.present, v);
        if (dag->variables[v].variability == DAG_DISCRETE)
            assemble_define(a, v, value);
        else
            assemble_equation(a, dag_reference(dag, v), value, algorithm->origin.span);
    }
    memo_give(e.present);
}

void assemble_initial_algorithm(Assembly *a, const FlatAlgorithm *algorithm)
{
    const Execution e = assemble_algorithm_begin(a, algorithm);
    for (uint32_t i = 0; i < algorithm->defined_count; i++) {
        const uint32_t v = translate_variable(a->translation, algorithm->defined[i]);
        assemble_initial(a, dag_reference(a->dag, v), memo_get(e.present, v),
                         algorithm->origin.span);
    }
    memo_give(e.present);
}
