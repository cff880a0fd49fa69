// SPDX-License-Identifier: MIT
//
// Statements of algorithms, in functions and outside of them, to statements of procedures. What is
// known before the run is decided here: branches that are not taken may be for other sizes.

#include "equations/convert_parts.h"
#include "external/external.h"

// Whether a target is part of a local whose size is known, or of the model. A whole array that has
// no size yet gets that of the value. Another size later is refused where it is assigned.
static bool is_assignable(ConvertScope *b, const FlatExpression *target, uint32_t rank,
                          const uint32_t *dims)
{
    if (target->kind == FLAT_LOCAL && !map_find(b->locals, target->local) &&
        convert_local_is_open(target->local)) {
        const Local *local = convert_local_size(b, target->local, rank, dims);
        if (local)
            list_append(b->c->arena, &b->made, (void *)(uintptr_t)(local->variable + 1));
    }
    while (target->kind == FLAT_SELECT || target->kind == FLAT_MEMBER)
        target = target->operands[0];
    return target->kind != FLAT_LOCAL || map_find(b->locals, target->local);
}

// An element of an array of the model by a subscript that changes: of all elements, the one that is
// meant gets the value.
static bool build_element(ConvertScope *b, const FlatExpression *target, Node value, Span span,
                          Block *to)
{
    Dag *d = b->c->dag;
    ConvertTarget places;
    if (!convert_target_in(b, target, &places))
        return false;
    ProcedureStatement *check = procedure_add(d, to, PROCEDURE_CHECK, span);
    check->condition = places.is_inside;
    check->message = "a subscript is out of bounds";
    ProcedureStatement *s = procedure_add(d, to, PROCEDURE_ASSIGN, span);
    s->assign.count = places.count;
    s->assign.targets = ARENA_ARRAY(b->c->arena, places.count, Node);
    s->assign.values = ARENA_ARRAY(b->c->arena, places.count, Node);
    for (uint32_t i = 0; i < places.count; i++) {
        s->assign.targets[i] = dag_reference(d, places.variables[i]);
        s->assign.values[i] = dag_if(d, places.conditions[i], value, s->assign.targets[i]);
    }
    return true;
}

// targets := values, all at once
bool convert_build_assignment(ConvertScope *b, const FlatExpression *target, const Bundle *value,
                              Span span, Block *to)
{
    if (!bundle_is_fine(value))
        return false;
    if (!is_assignable(b, target, value->rank, value->dims)) {
        convert_fail(b->c, span, "the size of what is assigned must be known before the run");
        return false;
    }
    const Bundle places = convert_bundle(b, target);
    if (!bundle_is_fine(&places))
        return false;
    bool is_same = places.count == value->count;
    for (uint32_t k = 0; places.rank == value->rank && k < places.rank; k++)
        is_same &= places.dims[k] == value->dims[k];
    if (!is_same) {
        convert_fail(b->c, span, "the value has another size than its target");
        return false;
    }
    if (places.count == 0)
        return true;
    if (target->kind == FLAT_SELECT && target->operands[0]->kind == FLAT_ARRAY && value->count == 1)
        return build_element(b, target, convert_converted(b->c, value->items[0], target->type),
                             span, to);
    ProcedureStatement *s = procedure_add(b->c->dag, to, PROCEDURE_ASSIGN, span);
    s->assign.count = places.count;
    s->assign.targets = places.items;
    s->assign.values = ARENA_ARRAY(b->c->arena, places.count, Node);
    for (uint32_t i = 0; i < places.count; i++) {
        const DagNode *n = dag_get(b->c->dag, places.items[i]);
        if (n->kind != DAG_VARIABLE && n->kind != DAG_ELEMENT) {
            convert_fail(b->c, span, "a subscript here must be known before the run");
            return false;
        }
        s->assign.values[i] = convert_converted(b->c, value->items[i], target->type);
    }
    return true;
}

static bool build_multiple(ConvertScope *b, const FlatStatement *st, Block *to)
{
    const FlatExternal *x = st->value->function->external;
    if (x && external_prints(x->info) && !st->value->function->output_count)
        return convert_build_said(b, st, to);
    ConvertInstance *instance;
    const Bundle *arguments = convert_arguments(b, st->value);
    const Node call = arguments ? convert_call(b, st->value, arguments, &instance) : NODE_NONE;
    if (call == NODE_NONE)
        return false;
    bool is_used = false;
    for (uint32_t i = 0; i < st->target_count; i++)
        is_used = is_used || st->targets[i];
    if (!is_used) { // for what it does besides
        procedure_add(b->c->dag, to, PROCEDURE_CALL, st->span)->condition = call;
        return true;
    }
    ProcedureStatement *s = procedure_add(b->c->dag, to, PROCEDURE_ASSIGN, st->span);
    const uint32_t outputs = b->c->dag->functions[instance->number].output_count;
    s->assign.targets = ARENA_ARRAY(b->c->arena, outputs, Node);
    s->assign.values = ARENA_ARRAY(b->c->arena, outputs, Node);
    for (uint32_t i = 0; i < st->target_count; i++) {
        if (!st->targets[i])
            continue;
        const Local *output = &instance->outputs[i];
        if (!is_assignable(b, st->targets[i], output->rank, output->dims)) {
            convert_fail(b->c, st->span,
                         "the size of what is assigned must be known before the run");
            return false;
        }
        const Bundle places = convert_bundle(b, st->targets[i]);
        if (!bundle_is_fine(&places))
            return false;
        if (places.count != instance->outputs[i].count) {
            convert_fail(b->c, st->span, "the value has another size than its target");
            return false;
        }
        for (uint32_t k = 0; k < places.count; k++, s->assign.count++) {
            const Node value =
                convert_field(b->c, instance->outputs[i].type, k,
                              dag_result(b->c->dag, call, instance->output_starts[i] + k));
            s->assign.targets[s->assign.count] = places.items[k];
            s->assign.values[s->assign.count] =
                convert_converted(b->c, value, st->targets[i]->type);
        }
    }
    return true;
}

static bool build_condition(ConvertScope *b, const FlatExpression *e, Node *condition)
{
    const Bundle value = convert_bundle(b, e);
    *condition = bundle_is_fine(&value) ? value.items[0] : NODE_NONE;
    return *condition != NODE_NONE;
}

// Branches from `index` on. Those that are decided before the run are not converted: they may be
// for other sizes.
static bool build_choice(ConvertScope *b, const FlatStatement *st, uint32_t index, Block *to)
{
    if (index == st->branches.count)
        return true;
    const FlatBranch *branch = &st->branches.items[index];
    Node condition = b->c->dag->truth;
    if (branch->condition && !build_condition(b, branch->condition, &condition))
        return false;
    if (dag_is_number(b->c->dag, condition))
        return dag_is_zero(b->c->dag, condition)
                   ? build_choice(b, st, index + 1, to)
                   : convert_build_statements(b, branch->count, branch->statements, to);
    Block body = {0}, otherwise = {0};
    if (!convert_build_statements(b, branch->count, branch->statements, &body) ||
        !build_choice(b, st, index + 1, &otherwise))
        return false;
    ProcedureStatement *s = procedure_add(b->c->dag, to, PROCEDURE_IF, branch->span);
    s->condition = condition;
    s->body = body;
    s->otherwise = otherwise;
    return true;
}

Local *convert_local_hidden(ConvertScope *b, const char *name, const FlatType *type, uint32_t size)
{
    Local *local = ARENA_NEW(b->c->arena, Local);
    *local = (Local){.type = type, .count = size ? size : 1};
    local->variable = dag_add_local(b->c->dag, name, convert_type(type), size);
    list_append(b->c->arena, &b->made, (void *)(uintptr_t)(local->variable + 1));
    return local;
}

// The loop over k = 0 .. last in steps of one; the iterator gets its value in the body.
static bool build_counted(ConvertScope *b, const FlatStatement *st, Node last, Local *iterator,
                          Node (*value)(ConvertScope *, Node, const void *), const void *data,
                          Block *to)
{
    Dag *d = b->c->dag;
    const Local *k = convert_local_hidden(b, "k", &flat_type_integer, 0);
    Block body = {0};
    procedure_assign(d, &body, dag_reference(d, iterator->variable),
                     value(b, dag_reference(d, k->variable), data), st->span);
    if (!convert_build_statements(b, st->loop.count, st->loop.body, &body))
        return false;
    ProcedureStatement *s = procedure_add(d, to, PROCEDURE_FOR, st->span);
    s->loop.iterator = k->variable;
    s->loop.from = dag_integer(d, 0);
    s->loop.step = dag_integer(d, 1);
    s->loop.to = last;
    s->loop.body = body;
    return true;
}

static Node value_in_range(ConvertScope *b, Node k, const void *data)
{
    Dag *d = b->c->dag;
    const Node *x = data;
    return dag_add(d, x[0], dag_multiply(d, dag_unary(d, OPERATOR_TO_REAL, k), x[1]));
}

static Node value_in_array(ConvertScope *b, Node k, const void *data)
{
    return dag_element(b->c->dag, *(const uint32_t *)data, k);
}

// A range of Reals: so many steps as fit, with the tolerance that ranges have at compile time.
static bool build_real_range(ConvertScope *b, const FlatStatement *st, const Node x[3],
                             Local *iterator, Block *to)
{
    Dag *d = b->c->dag;
    const Local *from = convert_local_hidden(b, "from", &flat_type_real, 0);
    const Local *step = convert_local_hidden(b, "step", &flat_type_real, 0);
    const Node values[] = {dag_reference(d, from->variable), dag_reference(d, step->variable)};
    procedure_assign(d, to, values[0], x[0], st->span);
    procedure_assign(d, to, values[1], x[1], st->span);
    const Node exact = dag_divide(d, dag_subtract(d, x[2], values[0]), values[1]);
    const Node wide =
        dag_add(d, dag_multiply(d, exact, dag_real(d, 1.0 + 4e-16)), dag_real(d, 1e-12));
    return build_counted(b, st, dag_unary(d, OPERATOR_FLOOR, wide), iterator, value_in_range,
                         values, to);
}

static bool build_array_loop(ConvertScope *b, const FlatStatement *st, Local *iterator, Block *to)
{
    Dag *d = b->c->dag;
    const Bundle values = convert_bundle(b, st->loop.range);
    if (!bundle_is_fine(&values))
        return false;
    if (values.type->kind == FLAT_TYPE_RECORD) {
        convert_fail(b->c, st->loop.range->span,
                     "a loop over records that change cannot run: loop over their indices");
        return false;
    }
    if (values.count == 0)
        return true;
    const Local *array = convert_local_hidden(b, "values", values.type, values.count);
    for (uint32_t i = 0; i < values.count; i++)
        procedure_assign(d, to, dag_element(d, array->variable, dag_integer(d, i)), values.items[i],
                         st->span);
    return build_counted(b, st, dag_integer(d, (int64_t)values.count - 1), iterator, value_in_array,
                         &array->variable, to);
}

// Whether a loop is left before its end.
static bool has_exit(uint32_t count, FlatStatement *const *statements)
{
    bool is_found = false;
    for (uint32_t i = 0; i < count && !is_found; i++) {
        const FlatStatement *st = statements[i];
        is_found = st->kind == FLAT_BREAK || st->kind == FLAT_RETURN ||
                   ((st->kind == FLAT_FOR || st->kind == FLAT_WHILE) &&
                    has_exit(st->loop.count, st->loop.body));
        for (uint32_t k = 0; st->kind == FLAT_CHOICE && k < st->branches.count && !is_found; k++)
            is_found = has_exit(st->branches.items[k].count, st->branches.items[k].statements);
    }
    return is_found;
}

// A loop whose iterator says how large slices are is written out: sizes are known before a function
// runs.
static bool is_written_out(const ConvertScope *b, const FlatStatement *st, const Node x[3])
{
    enum { MOST_ROUNDS = 1000 };
    for (uint32_t i = 0; i < 3; i++)
        if (!dag_is_number(b->c->dag, x[i]))
            return false;
    const double step = dag_get(b->c->dag, x[1])->value;
    const double rounds =
        (dag_get(b->c->dag, x[2])->value - dag_get(b->c->dag, x[0])->value) / step + 1.0;
    return convert_is_slicing(st) && step != 0.0 && rounds <= MOST_ROUNDS &&
           !has_exit(st->loop.count, st->loop.body);
}

static bool write_rounds(ConvertScope *b, const FlatStatement *st, const Node x[3], Block *to)
{
    Dag *d = b->c->dag;
    const int64_t from = (int64_t)dag_get(d, x[0])->value, step = (int64_t)dag_get(d, x[1])->value;
    const int64_t end = (int64_t)dag_get(d, x[2])->value;
    for (int64_t i = from; step > 0 ? i <= end : i >= end; i += step) {
        Local *value = ARENA_NEW(b->c->arena, Local);
        *value =
            (Local){.type = st->loop.iterator->reference.type, .count = 1, .is_constant = true};
        value->variable = DAG_NONE;
        value->items = ARENA_ARRAY(b->c->arena, 1, Node);
        value->items[0] = dag_integer(d, i);
        convert_local_keep(b, st->loop.iterator, value);
        if (!convert_build_statements(b, st->loop.count, st->loop.body, to))
            return false;
    }
    return true;
}

static bool convert_statement_for(ConvertScope *b, const FlatStatement *st, Block *to)
{
    Dag *d = b->c->dag;
    const FlatExpression *range = st->loop.range;
    Local *iterator = convert_local_new(b->c, st->loop.iterator, 0, NULL);
    if (!iterator)
        return false;
    list_append(b->c->arena, &b->made, (void *)(uintptr_t)(iterator->variable + 1));
    convert_local_keep(b, st->loop.iterator, iterator);
    if (range->kind != FLAT_OPERATION || range->operation != OPERATION_RANGE)
        return build_array_loop(b, st, iterator, to);
    Node x[3];
    for (uint32_t i = 0; i < 3; i++)
        if (!build_condition(b, range->operands[i], &x[i]))
            return false;
    if (range->type->kind == FLAT_TYPE_REAL)
        return build_real_range(b, st, x, iterator, to);
    if (is_written_out(b, st, x))
        return write_rounds(b, st, x, to);
    Block body = {0};
    if (!convert_build_statements(b, st->loop.count, st->loop.body, &body))
        return false;
    ProcedureStatement *s = procedure_add(d, to, PROCEDURE_FOR, st->span);
    s->loop.iterator = iterator->variable;
    s->loop.from = x[0];
    s->loop.step = x[1];
    s->loop.to = x[2];
    s->loop.body = body;
    return true;
}

static bool convert_statement_while(ConvertScope *b, const FlatStatement *st, Block *to)
{
    Node condition;
    Block body = {0};
    if (!build_condition(b, st->loop.range, &condition) ||
        !convert_build_statements(b, st->loop.count, st->loop.body, &body))
        return false;
    ProcedureStatement *s = procedure_add(b->c->dag, to, PROCEDURE_WHILE, st->span);
    s->condition = condition;
    s->body = body;
    return true;
}

static bool build_assert(ConvertScope *b, const FlatStatement *st, Block *to)
{
    Node condition;
    if (st->check.level == FLAT_LEVEL_WARNING)
        return true;
    if (!build_condition(b, st->check.condition, &condition))
        return false;
    ProcedureStatement *s = procedure_add(b->c->dag, to, PROCEDURE_CHECK, st->span);
    s->condition = condition;
    convert_check_message(b, st->check.message, s);
    return true;
}

static bool convert_statement_build(ConvertScope *b, const FlatStatement *st, Block *to)
{
    switch (st->kind) {
    case FLAT_ASSIGN: {
        const Bundle value = convert_bundle(b, st->value);
        return convert_build_assignment(b, st->target, &value, st->span, to);
    }
    case FLAT_MULTIPLE:
        return build_multiple(b, st, to);
    case FLAT_CHOICE:
        return build_choice(b, st, 0, to);
    case FLAT_FOR:
        return convert_statement_for(b, st, to);
    case FLAT_WHILE:
        return convert_statement_while(b, st, to);
    case FLAT_ASSERT:
        return build_assert(b, st, to);
    case FLAT_BREAK:
        procedure_add(b->c->dag, to, PROCEDURE_BREAK, st->span);
        return true;
    case FLAT_RETURN:
        procedure_add(b->c->dag, to, PROCEDURE_RETURN, st->span);
        return true;
    default:
        convert_fail(b->c, st->span, "this statement cannot be used in a function that runs");
        return false;
    }
}

bool convert_build_statements(ConvertScope *b, uint32_t count, FlatStatement *const *statements,
                              Block *to)
{
    for (uint32_t i = 0; i < count; i++)
        if (!convert_statement_build(b, statements[i], to))
            return false;
    return true;
}

bool convert_statements(Convert *c, uint32_t count, FlatStatement *const *statements, Block *to,
                        List *made)
{
    Map locals = {0};
    ConvertScope b = {.c = c, .locals = &locals, .has_tables = true};
    const bool is_fine = convert_build_statements(&b, count, statements, to);
    *made = b.made;
    return is_fine;
}
