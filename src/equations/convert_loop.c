// SPDX-License-Identifier: MIT
//
// Algorithm sections: targets of assignments, and loops that must be executed. Such a loop becomes
// a function of all variables that it mentions: first its statements are built as they stand, then
// the model's variables in them are replaced by locals.

#include "equations/convert_parts.h"

// ---------------------------------------------------------------------------
// Targets
// ---------------------------------------------------------------------------

static bool target_variable(Convert *c, const FlatExpression *e, uint32_t *variable)
{
    *variable = e->kind == FLAT_VARIABLE ? c->variables[e->variable->index] : DAG_NONE;
    if (*variable == DAG_NONE)
        convert_fail(c, e->span, "this cannot be assigned");
    return *variable != DAG_NONE;
}

static ConvertTarget new_target(Convert *c, uint32_t count)
{
    return (ConvertTarget){.count = count,
                           .variables = ARENA_ARRAY(c->arena, count, uint32_t),
                           .conditions = ARENA_ARRAY(c->arena, count, Node),
                           .is_inside = c->dag->truth};
}

// One element of a list of variables.
static bool target_element(const ConvertScope *s, const FlatExpression *e, ConvertTarget *out)
{
    Convert *c = s->c;
    Dag *d = c->dag;
    const FlatExpression *list = e->operands[0];
    const Bundle array = convert_bundle(s, list);
    const Bundle places = bundle_is_fine(&array) ? convert_places(s, e, &array) : array;
    if (!bundle_is_fine(&places))
        return false;
    const Node place = places.count == 1 ? places.items[0] : NODE_NONE;
    if (place == NODE_NONE || list->kind != FLAT_ARRAY || list->count != array.count) {
        convert_fail(c, e->span, "this cannot be assigned");
        return false;
    }
    *out = new_target(c, list->count);
    for (uint32_t i = 0; i < list->count; i++) {
        if (!target_variable(c, list->operands[i], &out->variables[i]))
            return false;
        out->conditions[i] = dag_binary(d, OPERATOR_EQUAL, place, dag_integer(d, i));
    }
    out->is_inside =
        dag_binary(d, OPERATOR_AND, dag_binary(d, OPERATOR_GREATER_EQUAL, place, dag_integer(d, 0)),
                   dag_binary(d, OPERATOR_LESS, place, dag_integer(d, list->count)));
    return true;
}

bool convert_target_in(const ConvertScope *s, const FlatExpression *target, ConvertTarget *out)
{
    if (target->kind == FLAT_SELECT)
        return target_element(s, target, out);
    *out = new_target(s->c, 1);
    out->conditions[0] = s->c->dag->truth;
    return target_variable(s->c, target, &out->variables[0]);
}

bool convert_target(Convert *c, const FlatExpression *target, ConvertTarget *out)
{
    const ConvertScope s = {.c = c};
    return convert_target_in(&s, target, out);
}

// ---------------------------------------------------------------------------
// What statements mention
// ---------------------------------------------------------------------------

typedef struct Mentions {
    Dag *dag;
    DagMemo *nodes;     // all expressions
    DagMemo *assigned;  // variables of the model, in the list
    const DagMemo *map; // second pass: variable -> local; NULL: the first pass
} Mentions;

static void convert_loop_mention(Mentions *m, Node *node)
{
    if (m->map)
        *node = walk_substitute(m->dag, *node, m->map);
    else
        memo_push(m->nodes, *node);
}

static void mention_target(Mentions *m, Node *target)
{
    const DagNode *n = dag_get(m->dag, *target);
    const bool is_of_model =
        n->kind == DAG_VARIABLE && m->dag->variables[n->number].role != DAG_LOCAL;
    if (!m->map && is_of_model && !memo_has(m->assigned, n->number)) {
        memo_set(m->assigned, n->number, 0);
        memo_push(m->assigned, n->number);
    }
    convert_loop_mention(m, target);
}

static void mention_block(Mentions *m, Block *block)
{
    for (uint32_t i = 0; i < block->count; i++) {
        ProcedureStatement *s = &block->items[i];
        switch (s->kind) {
        case PROCEDURE_ASSIGN:
            for (uint32_t k = 0; k < s->assign.count; k++) {
                convert_loop_mention(m, &s->assign.values[k]);
                mention_target(m, &s->assign.targets[k]);
            }
            break;
        case PROCEDURE_FOR:
            convert_loop_mention(m, &s->loop.from);
            convert_loop_mention(m, &s->loop.step);
            convert_loop_mention(m, &s->loop.to);
            mention_block(m, &s->loop.body);
            break;
        case PROCEDURE_IF:
        case PROCEDURE_WHILE:
        case PROCEDURE_CHECK:
        case PROCEDURE_CALL:
            convert_loop_mention(m, &s->condition);
            mention_block(m, &s->body);
            mention_block(m, &s->otherwise);
            break;
        case PROCEDURE_BREAK:
        case PROCEDURE_RETURN:
        case PROCEDURE_EXTERNAL: // is the only statement of its function
            break;
        }
    }
}

// ---------------------------------------------------------------------------
// Loops
// ---------------------------------------------------------------------------

static uint32_t local_for(Dag *d, uint32_t variable)
{
    return dag_add_local(d, d->variables[variable].name, d->variables[variable].type, 0);
}

// The variables of the model in what was mentioned, and those that are assigned.
static void convert_loop_list_inputs(Convert *c, const Mentions *m, ConvertLoop *out)
{
    DagMemo *all = memo_take(c->dag);
    walk_variables(all, WALK_ALL, m->nodes->list, m->nodes->count);
    uint32_t *inputs = ARENA_ARRAY(c->arena, all->count, uint32_t);
    for (uint32_t i = 0; i < all->count; i++)
        if (c->dag->variables[all->list[i]].role != DAG_LOCAL)
            inputs[out->input_count++] = all->list[i];
    memo_give(all);
    uint32_t *outputs = ARENA_ARRAY(c->arena, m->assigned->count, uint32_t);
    for (uint32_t i = 0; i < m->assigned->count; i++)
        outputs[i] = m->assigned->list[i];
    out->inputs = inputs;
    out->outputs = outputs;
    out->output_count = m->assigned->count;
}

// Inputs get locals; what is assigned gets another one, which starts with the value of the input.
static Procedure *make_procedure(Convert *c, const ConvertLoop *loop, const List *made, Span span,
                                 DagMemo *map)
{
    Dag *d = c->dag;
    const bool is_effect = loop->output_count == 0;
    Procedure *p =
        procedure_create(d, loop->input_count, loop->output_count + is_effect, made->count);
    for (uint32_t i = 0; i < made->count; i++)
        p->locals[i] = (uint32_t)(uintptr_t)made->items[i] - 1;
    for (uint32_t i = 0; i < loop->input_count; i++) {
        p->inputs[i] = local_for(d, loop->inputs[i]);
        memo_set(map, loop->inputs[i], dag_reference(d, p->inputs[i]));
    }
    for (uint32_t i = 0; i < loop->output_count; i++) {
        p->outputs[i] = local_for(d, loop->outputs[i]);
        const Node output = dag_reference(d, p->outputs[i]);
        procedure_assign(d, &p->body, output, memo_get(map, loop->outputs[i]), span);
        memo_set(map, loop->outputs[i], output);
    }
    if (is_effect) {
        p->outputs[0] = dag_add_local(d, "failed", DAG_BOOLEAN, 0);
        procedure_assign(d, &p->body, dag_reference(d, p->outputs[0]), d->falsehood, span);
    }
    return p;
}

bool convert_loop(Convert *c, const FlatStatement *loop, ConvertLoop *out)
{
    Dag *d = c->dag;
    const bool was_silent = c->is_silent;
    Block body = {0};
    List made = {0};
    *out = (ConvertLoop){0};
    c->is_silent = true;
    FlatStatement *statements[] = {(FlatStatement *)(uintptr_t)loop};
    const bool is_fine = convert_statements(c, 1, statements, &body, &made);
    convert_build_pending(c);
    c->is_silent = was_silent;
    if (!is_fine)
        return false;
    Mentions m = {.dag = d, .nodes = memo_take(d), .assigned = memo_take(d)};
    mention_block(&m, &body);
    convert_loop_list_inputs(c, &m, out);
    DagMemo *map = memo_take(d);
    Procedure *p = make_procedure(c, out, &made, loop->span, map);
    m.map = map;
    mention_block(&m, &body);
    for (uint32_t i = 0; i < body.count; i++)
        *procedure_add(d, &p->body, body.items[i].kind, body.items[i].span) = body.items[i];
    out->function = procedure_function(d, CONVERT_LOOP_NAME, p);
    d->functions[out->function].is_impure = out->output_count == 0;
    memo_give(map);
    memo_give(m.assigned);
    memo_give(m.nodes);
    return true;
}
