// SPDX-License-Identifier: MIT
//
// Statements of algorithms (chapter 11). In functions they stay as they are; in a model's algorithm
// loops are unrolled and assignments of arrays become assignments of scalars, so that what is left
// is as scalar as the equations are. Loops whose values are known in the run only stay, as `while`
// does.

#include "flatten/evaluate.h"
#include "flatten/function.h"
#include "flatten/iterator.h"

static FlatStatement *statement_create(Flattener *f, FlatStatementKind kind, Span span, List *out)
{
    FlatStatement *st = ARENA_NEW(f->arena, FlatStatement);
    st->kind = kind;
    st->span = span;
    list_append(f->arena, out, st);
    return st;
}

// ---------------------------------------------------------------------------
// Targets
// ---------------------------------------------------------------------------

static void report_target(Flattener *f, Span span, const char *name, const char *why)
{
    report_error(f, span, "'%s' cannot be assigned to: it is %s", name, why);
}

static bool check_target(Flattener *f, const FlatExpression *target, Span span)
{
    switch (target->kind) {
    case FLAT_LOCAL:
        if (target->local->role == FLAT_ROLE_INPUT || target->local->role == FLAT_ROLE_ITERATOR) {
            report_target(f, span, target->local->name->text,
                          target->local->role == FLAT_ROLE_INPUT ? "an input of the function"
                                                                 : "the iterator of a loop");
            return false;
        }
        target->local->is_assigned = true;
        return true;
    case FLAT_VARIABLE: {
        const Instance *i = variable_instance(target->variable);
        if (i->variability <= FLAT_PARAMETER && !target->variable->is_structural) {
            const bool is_initial = f->in_initial && i->variability == FLAT_PARAMETER;
            if (is_initial)
                return true;
        }
        if (i->variability <= FLAT_PARAMETER) {
            report_target(f, span, instance_name(f, i),
                          i->variability == FLAT_PARAMETER ? "a parameter" : "a constant");
            return false;
        }
        if (i->direction == DIRECTION_INPUT && instance_parent(i) == f->top) {
            report_target(f, span, instance_name(f, i), "an input of the model");
            return false;
        }
        return true;
    }
    case FLAT_SELECT:
    case FLAT_MEMBER:
        return check_target(f, target->operands[0], span);
    case FLAT_ARRAY:
    case FLAT_RECORD:
        for (uint32_t i = 0; i < target->count; i++)
            if (!check_target(f, target->operands[i], span))
                return false;
        return true;
    default:
        report_error(f, span, "this cannot be assigned to");
        return false;
    }
}

static bool mentions(const FlatExpression *e, const FlatExpression *targets)
{
    if (e->kind == FLAT_VARIABLE) {
        for (uint32_t i = 0; i < targets->count; i++) {
            const FlatExpression *t = targets->operands[i];
            if ((t->kind == FLAT_VARIABLE && t->variable == e->variable) ||
                (t->count && mentions(e, t)))
                return true;
        }
        return false;
    }
    for (uint32_t i = 0; i < e->count; i++)
        if (e->operands[i] && mentions(e->operands[i], targets))
            return true;
    return false;
}

static void collect_scalars(Flattener *f, FlatExpression *e, List *scalars)
{
    if (e->kind != FLAT_ARRAY && e->kind != FLAT_RECORD) {
        list_append(f->arena, scalars, e);
        return;
    }
    for (uint32_t i = 0; i < e->count; i++)
        collect_scalars(f, e->operands[i], scalars);
}

// x := {x[2], x[1]}: all values are computed before the first one is assigned.
static void assign_at_once(Flattener *f, FlatExpression *target, FlatExpression *value, Span span,
                           List *out)
{
    List targets = {0};
    List values = {0};
    collect_scalars(f, target, &targets);
    collect_scalars(f, value, &values);
    if (!values.count)
        return;
    FlatExpression **scalars = (FlatExpression **)(void *)values.items;
    FlatExpression *call = build_node(f, FLAT_CALL, scalars[0]->type, values.count, span);
    call->function = function_identity(f, values.count, scalars);
    for (uint32_t i = 0; i < values.count; i++)
        call->operands[i] = scalars[i];
    build_vary(call);
    FlatStatement *st = statement_create(f, FLAT_MULTIPLE, span, out);
    st->value = call;
    st->targets = (FlatExpression **)(void *)targets.items;
    st->target_count = targets.count;
}

static void statement_assign(Flattener *f, FlatExpression *target, FlatExpression *value, Span span,
                             List *out)
{
    const bool is_composed = (target->kind == FLAT_ARRAY || target->kind == FLAT_RECORD) &&
                             target->kind == value->kind && target->count == value->count;
    if (is_composed && target->count > 1 && mentions(value, target)) {
        assign_at_once(f, target, value, span, out);
    } else if (is_composed) {
        for (uint32_t i = 0; i < target->count; i++)
            statement_assign(f, target->operands[i], value->operands[i], span, out);
    } else {
        FlatStatement *st = statement_create(f, FLAT_ASSIGN, span, out);
        st->target = target;
        st->value = value;
    }
}

static void translate_assignment(Flattener *f, Scope *s, const Statement *statement, List *out)
{
    FlatExpression *target = elaborate_reference(f, s, statement->assignment.target);
    FlatExpression *value = elaborate(f, s, statement->assignment.value);
    if (expression_is_literal(target) && !expression_is_none(target) &&
        target->kind != FLAT_ARRAY && target->kind != FLAT_RECORD) {
        // A constant was replaced by its value already.
        report_target(f, statement->assignment.target->span,
                      reference_text(f, statement->assignment.target), "a constant");
        return;
    }
    if (expression_is_none(target) || expression_is_none(value) ||
        !check_target(f, target, statement->assignment.target->span))
        return;
    StringBuilder what = builder_create(f->arena);
    builder_append_format(&what, "the value assigned to '%s'",
                          reference_text(f, statement->assignment.target));
    value = build_expect(f, value, target->type, target->rank, target->dims,
                         builder_string(&what).text);
    if (!expression_is_none(value))
        statement_assign(f, target, value, statement->span, out);
}

static void translate_multiple(Flattener *f, Scope *s, const Statement *statement, List *out)
{
    FlatExpression *call = elaborate_whole_call(f, s, statement->call_assignment.call);
    if (!call)
        return;
    const FlatFunction *fn = call->function;
    const uint32_t count = statement->call_assignment.count;
    if (count > fn->output_count) {
        report_error(f, statement->span, "function '%s' has %u output%s, not %u", fn->name,
                     (unsigned)fn->output_count, fn->output_count == 1 ? "" : "s", (unsigned)count);
        return;
    }
    FlatExpression **targets = ARENA_ARRAY(f->arena, count + 1, FlatExpression *);
    for (uint32_t i = 0; i < count; i++) {
        const Expression *e = statement->call_assignment.targets[i];
        if (!e)
            continue;
        FlatExpression *target = elaborate(f, s, e);
        const FlatExpression *output = &fn->locals[fn->input_count + i]->reference;
        if (expression_is_none(target) || !check_target(f, target, e->span))
            return;
        const bool fits =
            target->rank == output->rank &&
            (flat_type_equal(target->type, output->type) ||
             (target->type->kind == FLAT_TYPE_REAL && output->type->kind == FLAT_TYPE_INTEGER));
        if (!fits) {
            report_error(f, e->span, "output '%s' of '%s' is %s and cannot be assigned to %s",
                         output->local->name->text, fn->name, expression_type_text(f, output),
                         expression_type_text(f, target));
            return;
        }
        targets[i] = target;
    }
    FlatStatement *st = statement_create(f, FLAT_MULTIPLE, statement->span, out);
    st->value = call;
    st->targets = targets;
    st->target_count = count;
}

// ---------------------------------------------------------------------------
// Calls
// ---------------------------------------------------------------------------

// The arguments of assert: condition, message, level.
static const Expression *named_or_placed(const Expression *call, const char *name, uint32_t place)
{
    if (place < call->call.count)
        return call->call.arguments[place];
    for (uint32_t i = 0; i < call->call.named_count; i++)
        if (call->call.named[i].name && strcmp(call->call.named[i].name->text, name) == 0)
            return call->call.named[i].value;
    return NULL;
}

FlatStatement *statement_check(Flattener *f, Scope *s, const Expression *call, Operation op)
{
    const bool is_error = op == OPERATION_COUNT, is_assert = op == OPERATION_ASSERT;
    const uint32_t given = call->call.count + call->call.named_count;
    const Expression *message =
        named_or_placed(call, is_error ? "string" : "message", is_assert ? 1 : 0);
    const Expression *condition = is_assert ? named_or_placed(call, "condition", 0) : NULL;
    const Expression *level = is_assert ? named_or_placed(call, "level", 2) : NULL;
    if (!message || (is_assert && !condition) || given > (is_assert ? 3u : 1u)) {
        report_error(f, call->span,
                     is_assert  ? "'assert' takes a condition, a message and a level"
                     : is_error ? "an error takes a String"
                                : "'terminate' takes a message");
        return NULL;
    }
    FlatStatement *st = ARENA_NEW(f->arena, FlatStatement);
    st->kind = is_assert || is_error ? FLAT_ASSERT : FLAT_TERMINATE;
    st->span = call->span;
    st->check.level = FLAT_LEVEL_ERROR;
    if (is_error)
        st->check.condition = build_boolean(f, false, call->span);
    else if (is_assert)
        st->check.condition = elaborate_condition(f, s, condition);
    st->check.message =
        build_expect(f, elaborate(f, s, message), &flat_type_string, 0, NULL, "the message");
    if (level) {
        const FlatType *type = class_type(f, f->assertion_level);
        FlatExpression *value = build_expect(f, elaborate(f, s, level), type, 0, NULL, "the level");
        value = expression_is_none(value) ? NULL : evaluate(f, value, "the level of 'assert'");
        if (value && value->integer == 1)
            st->check.level = FLAT_LEVEL_WARNING;
    }
    const bool is_none = (is_assert && expression_is_none(st->check.condition)) ||
                         expression_is_none(st->check.message);
    return is_none ? NULL : st;
}

static void translate_call(Flattener *f, Scope *s, const Statement *statement, List *out)
{
    const Expression *call = statement->call;
    if (call->kind != EXPRESSION_CALL) {
        report_error(f, call->span, "this is not a statement");
        return;
    }
    const Operation op = elaborate_operation(f, s, call->call.function);
    if (op == OPERATION_TERMINATE && s->function) {
        report_error(f, call->span, "'terminate' cannot be used in a function");
        return;
    }
    if (op == OPERATION_ASSERT || op == OPERATION_TERMINATE || elaborate_is_error(f, s, call)) {
        FlatStatement *st = statement_check(f, s, call, op);
        if (st)
            list_append(f->arena, out, st);
        return;
    }
    if (op == OPERATION_REINIT) {
        report_error(f, call->span, "'reinit' can only be used in a 'when' of an equation section");
        return;
    }
    if (op != OPERATION_COUNT) {
        report_error(f, call->span, "'%s' cannot be used as a statement", operation_info(op)->text);
        return;
    }
    FlatExpression *whole = elaborate_whole_call(f, s, call);
    if (whole)
        statement_create(f, FLAT_MULTIPLE, statement->span, out)->value = whole;
}

// ---------------------------------------------------------------------------
// Branches
// ---------------------------------------------------------------------------

static FlatBranch translate_branch(Flattener *f, Scope *s, const Section *branch,
                                   FlatExpression *condition)
{
    List statements = {0};
    statements_translate(f, s, branch->count, branch->statements, &statements);
    return (FlatBranch){.condition = condition,
                        .span = branch->span,
                        .count = statements.count,
                        .statements = (FlatStatement **)(void *)statements.items};
}

static void translate_if(Flattener *f, Scope *s, const Statement *statement, List *out)
{
    const uint32_t count = statement->branches.count;
    FlatBranch *branches = ARENA_ARRAY(f->arena, count + 1, FlatBranch);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        const Section *branch = &statement->branches.items[i];
        FlatExpression *condition =
            branch->condition ? elaborate_condition(f, s, branch->condition) : NULL;
        if (condition && expression_is_none(condition))
            return;
        const bool is_known = condition && condition->kind == FLAT_BOOLEAN;
        if (is_known && !condition->boolean)
            continue;
        const bool in_if = s->in_if;
        s->in_if = true;
        branches[kept++] = translate_branch(f, s, branch, is_known ? NULL : condition);
        s->in_if = in_if;
        if (!branches[kept - 1].condition)
            break;
    }
    if (kept == 1 && !branches[0].condition) {
        for (uint32_t i = 0; i < branches[0].count; i++)
            list_append(f->arena, out, branches[0].statements[i]);
        return;
    }
    if (!kept)
        return;
    FlatStatement *st = statement_create(f, FLAT_CHOICE, statement->span, out);
    st->branches.items = branches;
    st->branches.count = kept;
}

static void translate_when(Flattener *f, Scope *s, const Statement *statement, List *out)
{
    if (s->function || s->in_initial || s->in_when || s->is_nested || s->in_if) {
        report_error(f, statement->span, "'when' cannot be used in %s",
                     s->function     ? "a function"
                     : s->in_initial ? "an initial algorithm"
                     : s->in_when    ? "a 'when'"
                     : s->is_nested  ? "a loop of an algorithm"
                                     : "an 'if' of an algorithm");
        return;
    }
    const uint32_t count = statement->branches.count;
    FlatBranch *branches = ARENA_ARRAY(f->arena, count + 1, FlatBranch);
    for (uint32_t i = 0; i < count; i++) {
        const Section *branch = &statement->branches.items[i];
        FlatExpression *condition = elaborate_when_condition(f, s, branch->condition);
        s->in_when = true;
        branches[i] = translate_branch(f, s, branch, condition);
        s->in_when = false;
        if (expression_is_none(condition))
            return;
    }
    FlatStatement *st = statement_create(f, FLAT_WHEN, statement->span, out);
    st->branches.items = branches;
    st->branches.count = count;
}

// ---------------------------------------------------------------------------
// Loops
// ---------------------------------------------------------------------------

static bool has_break(uint32_t count, Statement *const *statements)
{
    for (uint32_t i = 0; i < count; i++) {
        const Statement *st = statements[i];
        if (st->kind == STATEMENT_BREAK)
            return true;
        if (st->kind == STATEMENT_IF)
            for (uint32_t k = 0; k < st->branches.count; k++)
                if (has_break(st->branches.items[k].count, st->branches.items[k].statements))
                    return true;
    }
    return false;
}

static void translate_loop(Flattener *f, Scope *s, const Statement *statement, uint32_t level,
                           List *out);

static void loop_body(Flattener *f, Scope *s, const Statement *statement, uint32_t level, List *out)
{
    if (level + 1 < statement->loop.iterator_count)
        translate_loop(f, s, statement, level + 1, out);
    else
        statements_translate(f, s, statement->loop.count, statement->loop.statements, out);
}

static void statement_unroll(Flattener *f, Scope *s, const Statement *statement, uint32_t level,
                             const FlatExpression *range, List *out)
{
    const NamedExpression *iterator = &statement->loop.iterators[level];
    const double rounds = iterator_rounds(f, statement->span, s->iterators, range->count);
    for (uint32_t i = 0; i < range->count; i++) {
        if (rounds == 0.0 || !iterator_count(f, statement->span))
            return;
        ScopeIterator at = {s->iterators, iterator->name, range->operands[i], rounds};
        s->iterators = &at;
        loop_body(f, s, statement, level, out);
        s->iterators = at.outer;
    }
}

// Iterators nest from left to right: the last one runs fastest.
static void translate_loop(Flattener *f, Scope *s, const Statement *statement, uint32_t level,
                           List *out)
{
    const NamedExpression *iterator = &statement->loop.iterators[level];
    FlatExpression *range = iterator_statement_range(f, s, iterator, statement);
    if (expression_is_none(range))
        return;
    const bool is_nested = s->is_nested;
    s->is_nested = true;
    if (!s->function && expression_is_literal(range) &&
        !has_break(statement->loop.count, statement->loop.statements)) {
        statement_unroll(f, s, statement, level, range, out);
        s->is_nested = is_nested;
        return;
    }
    FlatLocal *local =
        function_iterator(f, s->function, iterator->name, range->type, iterator->span);
    ScopeIterator at = {s->iterators, iterator->name, &local->reference, 0.0};
    List statements = {0};
    s->iterators = &at;
    loop_body(f, s, statement, level, &statements);
    s->iterators = at.outer;
    s->is_nested = is_nested;
    FlatStatement *st = statement_create(f, FLAT_FOR, statement->span, out);
    st->loop.iterator = local;
    st->loop.range = range;
    st->loop.body = (FlatStatement **)(void *)statements.items;
    st->loop.count = statements.count;
}

static void translate_while(Flattener *f, Scope *s, const Statement *statement, List *out)
{
    FlatExpression *condition = elaborate_condition(f, s, statement->while_loop.condition);
    List statements = {0};
    const bool is_nested = s->is_nested;
    s->is_nested = true;
    statements_translate(f, s, statement->while_loop.count, statement->while_loop.statements,
                         &statements);
    s->is_nested = is_nested;
    if (expression_is_none(condition))
        return;
    FlatStatement *st = statement_create(f, FLAT_WHILE, statement->span, out);
    st->loop.range = condition;
    st->loop.body = (FlatStatement **)(void *)statements.items;
    st->loop.count = statements.count;
}

// ---------------------------------------------------------------------------
// The dispatcher
// ---------------------------------------------------------------------------

static void translate(Flattener *f, Scope *s, const Statement *statement, List *out)
{
    switch (statement->kind) {
    case STATEMENT_ASSIGNMENT:
        translate_assignment(f, s, statement, out);
        break;
    case STATEMENT_CALL_ASSIGNMENT:
        translate_multiple(f, s, statement, out);
        break;
    case STATEMENT_CALL:
        translate_call(f, s, statement, out);
        break;
    case STATEMENT_BREAK:
        if (s->is_nested)
            statement_create(f, FLAT_BREAK, statement->span, out);
        else
            report_error(f, statement->span, "'break' can only be used in a loop");
        break;
    case STATEMENT_RETURN:
        if (s->function)
            statement_create(f, FLAT_RETURN, statement->span, out);
        else
            report_error(f, statement->span, "'return' can only be used in a function");
        break;
    case STATEMENT_IF:
        translate_if(f, s, statement, out);
        break;
    case STATEMENT_WHEN:
        translate_when(f, s, statement, out);
        break;
    case STATEMENT_FOR:
        translate_loop(f, s, statement, 0, out);
        break;
    case STATEMENT_WHILE:
        translate_while(f, s, statement, out);
        break;
    }
}

void statements_translate(Flattener *f, Scope *s, uint32_t count, Statement *const *statements,
                          List *out)
{
    for (uint32_t i = 0; i < count && !f->limits.has_overflowed; i++)
        translate(f, s, statements[i], out);
}
