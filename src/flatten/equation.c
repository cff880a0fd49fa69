// SPDX-License-Identifier: MIT
//
// Equations of the text to flat equations: see equation.h.
//
// An EquationContext says where the text stands: scope, guard, section, whether it is in a when
// clause. From there
//
//   l = r              one flat equation for each scalar, with its number in `element`
//   if                 a condition that is known decides now, so that what is not chosen need not
//                      even make sense; else each branch is read with a guard around that at hand
//   for                unrolled, the iterator being a literal
//   when               statements in the order of the text; what they define becomes discrete
//   assert, terminate, assertions with the guard; in a when clause statements of it
//   reinit
//
// Invariant: a flat equation is active if and only if its guard and all guards around that hold.

#include "flatten/equation.h"

#include "flatten/connect.h"
#include "flatten/evaluate.h"
#include "flatten/function.h"
#include "flatten/graph.h"
#include "flatten/iterator.h"
#include "flatten/machine.h"
#include "flatten/rules.h"

static void read_equation(Flattener *f, EquationContext *c, const Equation *equation);

static void equation_read_equations(Flattener *f, EquationContext *c, uint32_t count,
                                    Equation *const *equations)
{
    for (uint32_t i = 0; i < count && !f->limits.has_overflowed; i++)
        read_equation(f, c, equations[i]);
}

static FlatOrigin origin_of(const EquationContext *c, Span span, uint32_t element)
{
    return (FlatOrigin){.span = span,
                        .component = c->scope.instance->flat,
                        .loop = c->scope.loop,
                        .element = element};
}

// ---------------------------------------------------------------------------
// Equalities
// ---------------------------------------------------------------------------

static bool is_converted_integer(const FlatExpression *e)
{
    return e->kind == FLAT_OPERATION && e->operation == OPERATION_TO_REAL &&
           e->variability > FLAT_PARAMETER;
}

// Whether there is a Real variable that an equation could be solved for. Initial equations may be
// solved for parameters.
static bool has_real_unknown(const FlatExpression *e, bool is_initial)
{
    if (e->kind == FLAT_VARIABLE)
        return e->type->kind == FLAT_TYPE_REAL && (is_initial || e->variability > FLAT_PARAMETER);
    if (e->kind == FLAT_OPERATION && e->operation == OPERATION_PRE && !is_initial)
        return false;
    for (uint32_t i = 0; i < e->count; i++)
        if (e->operands[i] && has_real_unknown(e->operands[i], is_initial))
            return true;
    return false;
}

// v = 2.0 * k has nothing to be solved for if v and k are Integer; v = 2.0 * x has x.
static bool check_integer_side(Flattener *f, const EquationContext *c, const FlatExpression *left,
                               const FlatExpression *right, Span span)
{
    const bool is_left = is_converted_integer(left);
    if ((!is_left && !is_converted_integer(right)) || has_real_unknown(left, c->is_initial) ||
        has_real_unknown(right, c->is_initial))
        return true;
    report_error(
        f, span,
        "the %s side is Integer and cannot get the Real value of the %s; integer(...) makes "
        "a whole number of it",
        is_left ? "left" : "right", is_left ? "right" : "left");
    return false;
}

static void add_scalar(Flattener *f, const EquationContext *c, FlatExpression *left,
                       FlatExpression *right, Span span, uint32_t element)
{
    if (!check_integer_side(f, c, left, right, span))
        return;
    FlatEquation *e = ARENA_NEW(f->nodes, FlatEquation);
    *e = (FlatEquation){.kind = FLAT_EQUATION_EQUALITY,
                        .origin = origin_of(c, span, element),
                        .guard = c->guard,
                        .left = left,
                        .right = right,
                        .clock = c->clock,
                        .scalar_count = 1};
    list_append(f->passing, c->is_initial ? &f->made.initial_equations : &f->made.equations, e);
}

static void add_statement(Flattener *f, const EquationContext *c, FlatStatementKind kind,
                          FlatExpression *target, FlatExpression *value, Span span)
{
    FlatStatement *st = ARENA_NEW(f->arena, FlatStatement);
    st->kind = kind;
    st->span = span;
    st->target = target;
    st->value = value;
    list_append(f->arena, c->statements, st);
}

// In a when clause the left side must be a variable, which the clause defines.
static bool is_definable(Flattener *f, const EquationContext *c, const FlatExpression *left)
{
    if (left->kind == FLAT_VARIABLE && left->variability > FLAT_PARAMETER)
        return rules_check_defined(f, c->scope.instance, left->variable, left->span);
    const bool is_integer = left->kind == FLAT_OPERATION && left->operation == OPERATION_TO_REAL &&
                            left->operands[0]->kind == FLAT_VARIABLE;
    report_error(f, left->span,
                 is_integer ? "the left side is Integer and cannot get the Real value of the right"
                            : "the left side of an equation in 'when' must be a variable, to get a "
                              "value");
    return false;
}

// An array without elements.
static bool equation_is_empty(const FlatExpression *e)
{
    for (uint32_t k = 0; k < e->rank; k++)
        if (e->dims[k] == 0)
            return true;
    return false;
}

// Goes down to the scalars of both sides. *element counts them.
static void add_equality(Flattener *f, const EquationContext *c, FlatExpression *left,
                         FlatExpression *right, Span span, uint32_t *element)
{
    const bool is_composed = left->kind == FLAT_ARRAY || left->kind == FLAT_RECORD;
    if (equation_is_empty(left)) // der(x[2:1]) = zeros(0) says nothing
        return;
    if (is_composed && left->kind == right->kind && left->count == right->count) {
        for (uint32_t i = 0; i < left->count; i++)
            add_equality(f, c, left->operands[i], right->operands[i], span, element);
        return;
    }
    if (left->rank || left->type->kind == FLAT_TYPE_RECORD) {
        report_error(f, span, "the sizes of this equation are not known before the run");
        return;
    }
    if (!c->statements)
        add_scalar(f, c, left, right, span, (*element)++);
    else if (is_definable(f, c, left))
        add_statement(f, c, FLAT_ASSIGN, left, right, span);
}

// Both sides with one type and one shape. False after a message.
static bool match_sides(Flattener *f, FlatExpression **left, FlatExpression **right, Span span)
{
    if (expression_is_none(*left) || expression_is_none(*right))
        return false;
    if (expression_same_shape(*left, *right)) {
        FlatExpression *converted = build_convert(f, *right, (*left)->type);
        if (converted) {
            *right = converted;
            return true;
        }
        converted = build_convert(f, *left, (*right)->type);
        if (converted) {
            *left = converted;
            return true;
        }
    }
    report_error(f, span, "the sides of the equation have different types: %s and %s",
                 expression_type_text(f, *left), expression_type_text(f, *right));
    return false;
}

// (a, b) = spatialDistribution(...), whose results are two expressions.
static void read_transport(Flattener *f, EquationContext *c, const Equation *equation)
{
    static const Operation results[] = {OPERATION_SPATIAL_DISTRIBUTION, OPERATION_SPATIAL_RIGHT};
    const Expression *left = equation->equality.left;
    const Expression *call = equation->equality.right;
    if (left->array.count > 2)
        report_error(f, equation->span, "'spatialDistribution' has two results, not %u",
                     (unsigned)left->array.count);
    for (uint32_t i = 0; i < left->array.count && i < 2; i++) {
        if (!left->array.items[i])
            continue;
        FlatExpression *target = elaborate(f, &c->scope, left->array.items[i]);
        FlatExpression *value = elaborate_builtin(f, &c->scope, call, results[i]);
        uint32_t element = 0;
        if (match_sides(f, &target, &value, equation->span))
            add_equality(f, c, target, value, equation->span, &element);
    }
}

// (a, , b) = f(x)
static void read_multiple(Flattener *f, EquationContext *c, const Equation *equation)
{
    const Expression *left = equation->equality.left;
    const Expression *right = equation->equality.right;
    if (right->kind != EXPRESSION_CALL) {
        report_error(f, right->span, "several results need a call of a function");
        return;
    }
    if (elaborate_operation(f, &c->scope, right->call.function) == OPERATION_SPATIAL_DISTRIBUTION) {
        read_transport(f, c, equation);
        return;
    }
    FlatExpression *call = elaborate_whole_call(f, &c->scope, right);
    if (!call)
        return;
    const FlatFunction *fn = call->function;
    const uint32_t count = left->array.count;
    if (count > fn->output_count) {
        report_error(f, equation->span, "function '%s' has %u output%s, not %u", fn->name,
                     (unsigned)fn->output_count, fn->output_count == 1 ? "" : "s", (unsigned)count);
        return;
    }
    FlatExpression **targets = ARENA_ARRAY(f->arena, count + 1, FlatExpression *);
    uint64_t scalars = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!left->array.items[i])
            continue;
        FlatExpression *target = elaborate(f, &c->scope, left->array.items[i]);
        FlatExpression *output = call_output(f, &c->scope, call, i);
        const FlatType *wanted = target->type;
        if (!match_sides(f, &target, &output, left->array.items[i]->span))
            return;
        if (target->type != wanted) {
            report_error(f, target->span, "output %u of '%s' is %s and cannot be given to %s",
                         (unsigned)(i + 1), fn->name, expression_type_text(f, output),
                         wanted->name);
            return;
        }
        targets[i] = target;
        scalars += expression_scalars(target);
    }
    if (c->statements) {
        add_statement(f, c, FLAT_MULTIPLE, NULL, call, equation->span);
        FlatStatement *st = c->statements->items[c->statements->count - 1];
        st->targets = targets;
        st->target_count = count;
        return;
    }
    FlatEquation *e = ARENA_NEW(f->arena, FlatEquation);
    *e = (FlatEquation){.kind = FLAT_EQUATION_CALL,
                        .origin = origin_of(c, equation->span, 0),
                        .guard = c->guard,
                        .clock = c->clock,
                        .right = call,
                        .targets = targets,
                        .target_count = count,
                        .scalar_count = (uint32_t)scalars};
    list_append(f->passing, c->is_initial ? &f->made.initial_equations : &f->made.equations, e);
}

static void read_sides(Flattener *f, EquationContext *c, const Equation *equation)
{
    FlatExpression *left = elaborate(f, &c->scope, equation->equality.left);
    FlatExpression *right = elaborate(f, &c->scope, equation->equality.right);
    uint32_t element = 0;
    if (match_sides(f, &left, &right, equation->span))
        add_equality(f, c, left, right, equation->span, &element);
}

static void read_equality(Flattener *f, EquationContext *c, const Equation *equation)
{
    if (equation->equality.left->kind == EXPRESSION_TUPLE) {
        read_multiple(f, c, equation);
        return;
    }
    Arena *const before = f->nodes;
    f->nodes = f->equations && !c->statements && !c->is_initial ? f->equations : f->arena;
    read_sides(f, c, equation);
    f->nodes = before;
}

// ---------------------------------------------------------------------------
// Calls
// ---------------------------------------------------------------------------

static void equation_add_assertion(Flattener *f, EquationContext *c, const Expression *call,
                                   Operation op)
{
    FlatStatement *st = statement_check(f, &c->scope, call, op);
    if (!st)
        return;
    if (c->statements) {
        list_append(f->arena, c->statements, st);
        return;
    }
    FlatAssertion *a = ARENA_NEW(f->arena, FlatAssertion);
    *a = (FlatAssertion){.origin = origin_of(c, call->span, 0),
                         .guard = c->guard,
                         .is_initial = c->is_initial,
                         .clock = c->clock,
                         .is_termination = op == OPERATION_TERMINATE,
                         .condition = st->check.condition,
                         .message = st->check.message,
                         .level = st->check.level};
    if (op == OPERATION_TERMINATE && !c->clock) {
        report_error(f, call->span, "'terminate' can only be used in 'when'");
        return;
    }
    list_append(f->passing, &f->made.assertions, a);
}

static void read_reinit(Flattener *f, EquationContext *c, const Expression *call)
{
    if (!c->statements) {
        report_error(f, call->span, "'reinit' can only be used in 'when'");
        return;
    }
    if (call->call.count != 2 || call->call.named_count) {
        report_error(f, call->span, "'reinit' takes a variable and its new value");
        return;
    }
    FlatExpression *target = elaborate(f, &c->scope, call->call.arguments[0]);
    FlatExpression *value = elaborate(f, &c->scope, call->call.arguments[1]);
    if (expression_is_none(target) || expression_is_none(value))
        return;
    value = build_expect(f, value, &flat_type_real, target->rank, target->dims,
                         "the new value of 'reinit'");
    if (expression_is_none(value))
        return;
    const uint64_t count = expression_size(target);
    for (uint64_t i = 0; i < count; i++) {
        FlatExpression *variable = expression_element(target, i);
        if (variable->kind != FLAT_VARIABLE || variable->type->kind != FLAT_TYPE_REAL ||
            variable->variability <= FLAT_PARAMETER) {
            report_error(f, target->span, "'reinit' needs a Real variable");
            return;
        }
        variable->variable->is_reinitialised = true;
        add_statement(f, c, FLAT_REINIT, variable, expression_element(value, i), call->span);
    }
}

static void read_function_call(Flattener *f, EquationContext *c, const Expression *call)
{
    FlatExpression *whole = elaborate_whole_call(f, &c->scope, call);
    if (!whole)
        return;
    if (c->statements) {
        add_statement(f, c, FLAT_MULTIPLE, NULL, whole, call->span);
        return;
    }
    FlatEquation *e = ARENA_NEW(f->arena, FlatEquation);
    *e = (FlatEquation){.kind = FLAT_EQUATION_CALL,
                        .origin = origin_of(c, call->span, 0),
                        .guard = c->guard,
                        .clock = c->clock,
                        .right = whole};
    list_append(f->passing, c->is_initial ? &f->made.initial_equations : &f->made.equations, e);
}

static void read_call(Flattener *f, EquationContext *c, const Equation *equation)
{
    const Expression *call = equation->call;
    if (call->kind != EXPRESSION_CALL) {
        report_error(f, call->span, "this is not an equation");
        return;
    }
    const Reference *function = call->call.function;
    const Operation op = elaborate_operation(f, &c->scope, function);
    if (op == OPERATION_ASSERT || op == OPERATION_TERMINATE ||
        elaborate_is_error(f, &c->scope, call))
        equation_add_assertion(f, c, call, op);
    else if (op == OPERATION_REINIT)
        read_reinit(f, c, call);
    else if (op == OPERATION_INITIAL_STATE || op == OPERATION_TRANSITION)
        machines_equation(f, c, equation, op);
    else if (op != OPERATION_COUNT)
        report_error(f, call->span, "'%s' cannot be used as an equation", operation_info(op)->text);
    else if (!graph_is_operator(f, function)) // those were read with the connections
        read_function_call(f, c, call);
}

// ---------------------------------------------------------------------------
// If
// ---------------------------------------------------------------------------

const Section *equations_resolve(Flattener *f, EquationContext *c, const Equation *equation,
                                 bool *is_resolved)
{
    *is_resolved = false;
    for (uint32_t i = 0; i < equation->branches.count; i++) {
        const Section *branch = &equation->branches.items[i];
        if (branch->condition) {
            const FlatExpression *e = elaborate_condition(f, &c->scope, branch->condition);
            if (expression_is_none(e)) {
                *is_resolved = true;
                return NULL;
            }
            bool holds;
            if (e->variability > FLAT_PARAMETER || !evaluate_boolean(f, e, NULL, &holds))
                return NULL;
            if (!holds)
                continue;
        }
        *is_resolved = true;
        return branch;
    }
    *is_resolved = true;
    return NULL;
}

static FlatIf *create_if(Flattener *f, const EquationContext *c, const Equation *equation)
{
    FlatIf *conditional = ARENA_NEW(f->arena, FlatIf);
    *conditional = (FlatIf){.is_initial = c->is_initial,
                            .guard = c->guard,
                            .component = c->scope.instance->flat,
                            .span = equation->span};
    conditional->conditions = ARENA_ARRAY(f->arena, equation->branches.count + 1, FlatExpression *);
    return conditional;
}

// Branches of an if-equation whose condition can change: guarded equations.
static void read_changing_if(Flattener *f, EquationContext *c, const Equation *equation)
{
    FlatIf *conditional = create_if(f, c, equation);
    list_append(f->passing, &f->made.conditionals, conditional);
    const FlatGuard *outer = c->guard;
    for (uint32_t i = 0; i < equation->branches.count; i++) {
        const Section *branch = &equation->branches.items[i];
        FlatExpression *condition =
            branch->condition ? elaborate_condition(f, &c->scope, branch->condition) : NULL;
        if (condition && expression_is_none(condition))
            return;
        if (condition && condition->kind == FLAT_BOOLEAN && !condition->boolean)
            continue;
        const bool is_last = !condition || condition->kind == FLAT_BOOLEAN;
        FlatGuard *guard = ARENA_NEW(f->arena, FlatGuard);
        *guard =
            (FlatGuard){.outer = outer, .conditional = conditional, .branch = conditional->count};
        conditional->conditions[conditional->count++] = is_last ? NULL : condition;
        c->guard = guard;
        equation_read_equations(f, c, branch->count, branch->equations);
        c->guard = outer;
        if (is_last)
            return;
    }
    // Without 'else' the last branch has no equations.
    conditional->conditions[conditional->count++] = NULL;
}

// Inside a when clause: a choice between statements.
static void read_choice(Flattener *f, EquationContext *c, const Equation *equation)
{
    List *outer = c->statements;
    const uint32_t count = equation->branches.count;
    FlatBranch *branches = ARENA_ARRAY(f->arena, count + 1, FlatBranch);
    for (uint32_t i = 0; i < count; i++) {
        const Section *branch = &equation->branches.items[i];
        List statements = {0};
        FlatExpression *condition =
            branch->condition ? elaborate_condition(f, &c->scope, branch->condition) : NULL;
        c->statements = &statements;
        equation_read_equations(f, c, branch->count, branch->equations);
        c->statements = outer;
        if (condition && expression_is_none(condition))
            return;
        branches[i] = (FlatBranch){.condition = condition,
                                   .span = branch->span,
                                   .count = statements.count,
                                   .statements = (FlatStatement **)(void *)statements.items};
    }
    add_statement(f, c, FLAT_CHOICE, NULL, NULL, equation->span);
    FlatStatement *st = outer->items[outer->count - 1];
    st->branches.items = branches;
    st->branches.count = count;
}

static void read_if(Flattener *f, EquationContext *c, const Equation *equation)
{
    bool is_resolved;
    const Section *branch = equations_resolve(f, c, equation, &is_resolved);
    if (branch)
        equation_read_equations(f, c, branch->count, branch->equations);
    else if (!is_resolved && c->statements)
        read_choice(f, c, equation);
    else if (!is_resolved)
        read_changing_if(f, c, equation);
}

// ---------------------------------------------------------------------------
// When
// ---------------------------------------------------------------------------

static void collect_defined(Flattener *f, FlatExpression *target, List *defined, Map *seen)
{
    if (!target)
        return;
    if (target->kind == FLAT_VARIABLE) {
        if (!map_find(seen, target->variable)) {
            map_set(f->arena, seen, target->variable, target->variable);
            list_append(f->arena, defined, target->variable);
        }
        return;
    }
    if (target->kind == FLAT_SELECT) {
        collect_defined(f, target->operands[0], defined, seen);
        return;
    }
    for (uint32_t i = 0; i < target->count; i++)
        collect_defined(f, target->operands[i], defined, seen);
}

static void defined_by(Flattener *f, uint32_t count, FlatStatement *const *statements,
                       List *defined, Map *seen)
{
    for (uint32_t i = 0; i < count; i++) {
        const FlatStatement *st = statements[i];
        if (st->kind == FLAT_ASSIGN)
            collect_defined(f, st->target, defined, seen);
        else if (st->kind == FLAT_MULTIPLE)
            for (uint32_t k = 0; k < st->target_count; k++)
                collect_defined(f, st->targets[k], defined, seen);
        else if (st->kind == FLAT_CHOICE || st->kind == FLAT_WHEN)
            for (uint32_t k = 0; k < st->branches.count; k++)
                defined_by(f, st->branches.items[k].count, st->branches.items[k].statements,
                           defined, seen);
        else if (st->kind == FLAT_FOR || st->kind == FLAT_WHILE)
            defined_by(f, st->loop.count, st->loop.body, defined, seen);
    }
}

// What is assigned in a when clause changes at events only.
static void make_discrete(const List *defined)
{
    for (uint32_t i = 0; i < defined->count; i++) {
        FlatVariable *v = defined->items[i];
        if (v->kind == FLAT_CONTINUOUS) {
            v->kind = FLAT_DISCRETE;
            v->reference.variability = FLAT_DISCRETE;
        }
    }
}

static bool read_when_branch(Flattener *f, EquationContext *c, const Section *branch,
                             FlatWhenBranch *out)
{
    FlatExpression *condition = elaborate_when_condition(f, &c->scope, branch->condition);
    List statements = {0};
    c->statements = &statements;
    c->scope.in_when = true;
    equation_read_equations(f, c, branch->count, branch->equations);
    c->scope.in_when = false;
    c->statements = NULL;
    if (expression_is_none(condition))
        return false;
    const uint32_t count = (uint32_t)expression_size(condition);
    *out = (FlatWhenBranch){.condition_count = count,
                            .span = branch->span,
                            .count = statements.count,
                            .statements = (FlatStatement **)(void *)statements.items};
    out->conditions = ARENA_ARRAY(f->arena, count + 1, FlatExpression *);
    for (uint32_t i = 0; i < count; i++)
        out->conditions[i] = expression_element(condition, i);
    return true;
}

// All branches assign the same variables (section 8.3.5.3).
static void equation_check_branches(Flattener *f, const FlatWhen *when)
{
    for (uint32_t i = 0; i < when->count && when->count > 1; i++) {
        const FlatWhenBranch *branch = &when->branches[i];
        List defined = {0};
        Map seen = {0};
        defined_by(f, branch->count, branch->statements, &defined, &seen);
        for (uint32_t k = 0; k < when->defined_count; k++) {
            if (map_find(&seen, when->defined[k]))
                continue;
            StringBuilder name = builder_create(f->arena);
            flat_variable_name(&name, when->defined[k]);
            const char *text = builder_string(&name).text;
            report_error(f, branch->span,
                         "this branch of 'when' does not assign '%s', as another one does; to keep "
                         "its value: %s = pre(%s)",
                         text, text, text);
            break;
        }
    }
}

static bool is_in_changing_if(const EquationContext *c)
{
    for (const FlatGuard *g = c->guard; g && g != c->scope.instance->guard; g = g->outer)
        if (!g->state)
            return true;
    return false;
}

// `when Clock(...) then`: the equations are general ones that belong to the clock (section 16.6).
static void read_clocked_when(Flattener *f, EquationContext *c, const Equation *equation,
                              FlatExpression *clock)
{
    if (equation->branches.count > 1)
        report_error(f, equation->branches.items[1].span,
                     "a clocked 'when' cannot have 'elsewhen'");
    else if (c->clock)
        report_error(f, equation->span, "clocked 'when' clauses cannot be nested");
    else {
        c->clock = clock;
        equation_read_equations(f, c, equation->branches.items[0].count,
                                equation->branches.items[0].equations);
        c->clock = NULL;
    }
}

static void read_when(Flattener *f, EquationContext *c, const Equation *equation)
{
    FlatExpression *condition = elaborate(f, &c->scope, equation->branches.items[0].condition);
    if (condition->type->kind == FLAT_TYPE_CLOCK && !condition->rank && !c->is_initial &&
        !c->statements) {
        read_clocked_when(f, c, equation, condition);
        return;
    }
    if (c->clock) {
        report_error(f, equation->span,
                     "'when' with a condition cannot be used in a clocked 'when'; use 'if'");
        return;
    }
    if (is_in_changing_if(c)) {
        report_error(f, equation->span,
                     "'when' in an 'if' needs a condition that is known before the run; put the "
                     "condition into the 'when': when a and b then ...");
        return;
    }
    if (c->statements || c->is_initial) {
        report_error(f, equation->span, "'when' cannot be used in %s",
                     c->statements ? "another 'when'" : "an initial equation section");
        return;
    }
    FlatWhen *when = ARENA_NEW(f->arena, FlatWhen);
    *when = (FlatWhen){.origin = origin_of(c, equation->span, 0),
                       .guard = c->guard,
                       .count = equation->branches.count};
    when->branches = ARENA_ARRAY(f->arena, when->count, FlatWhenBranch);
    List defined = {0};
    Map seen = {0};
    bool is_fine = true;
    for (uint32_t i = 0; i < when->count; i++) {
        FlatWhenBranch *branch = &when->branches[i];
        if (read_when_branch(f, c, &equation->branches.items[i], branch))
            defined_by(f, branch->count, branch->statements, &defined, &seen);
        else
            is_fine = false;
    }
    if (!is_fine)
        return;
    make_discrete(&defined);
    when->defined = (FlatVariable **)(void *)defined.items;
    when->defined_count = defined.count;
    equation_check_branches(f, when);
    list_append(f->passing, &f->made.whens, when);
}

// ---------------------------------------------------------------------------
// For
// ---------------------------------------------------------------------------

static void unroll_level(Flattener *f, EquationContext *c, const Equation *loop, uint32_t level,
                         EquationVisitor *visit)
{
    if (level == loop->loop.iterator_count) {
        for (uint32_t i = 0; i < loop->loop.count && !f->limits.has_overflowed; i++)
            visit(f, c, loop->loop.equations[i]);
        return;
    }
    const NamedExpression *iterator = &loop->loop.iterators[level];
    const FlatExpression *range = iterator_equation_range(f, &c->scope, iterator, loop);
    if (expression_is_none(range))
        return;
    const double rounds = iterator_rounds(f, loop->span, c->scope.iterators, range->count);
    for (uint32_t i = 0; i < range->count && rounds > 0.0 && iterator_count(f, loop->span); i++) {
        FlatExpression *value = range->operands[i];
        ScopeIterator at = {c->scope.iterators, iterator->name, value, rounds};
        FlatLoop *origin = ARENA_NEW(c->is_survey ? f->passing : f->arena, FlatLoop);
        *origin = (FlatLoop){.outer = c->scope.loop,
                             .iterator = iterator->name,
                             .value = value->kind == FLAT_REAL      ? i + 1
                                      : value->kind == FLAT_BOOLEAN ? value->boolean
                                                                    : value->integer,
                             .span = loop->span};
        c->scope.iterators = &at;
        c->scope.loop = origin;
        unroll_level(f, c, loop, level + 1, visit);
        c->scope.iterators = at.outer;
        c->scope.loop = origin->outer;
    }
}

void equations_unroll(Flattener *f, EquationContext *c, const Equation *loop,
                      EquationVisitor *visit)
{
    unroll_level(f, c, loop, 0, visit);
}

// ---------------------------------------------------------------------------
// The dispatcher
// ---------------------------------------------------------------------------

// Whether a loop has nothing but connections, which were read before.
static bool only_connects(const Equation *loop)
{
    for (uint32_t i = 0; i < loop->loop.count; i++) {
        const Equation *e = loop->loop.equations[i];
        if (e->kind != EQUATION_CONNECT && !(e->kind == EQUATION_FOR && only_connects(e)))
            return false;
    }
    return true;
}

static void read_equation(Flattener *f, EquationContext *c, const Equation *equation)
{
    f->at = equation->span;
    switch (equation->kind) {
    case EQUATION_EQUALITY:
        read_equality(f, c, equation);
        break;
    case EQUATION_CALL:
        read_call(f, c, equation);
        break;
    case EQUATION_CONNECT: // was read before
        break;
    case EQUATION_IF:
        read_if(f, c, equation);
        break;
    case EQUATION_WHEN:
        read_when(f, c, equation);
        break;
    case EQUATION_FOR:
        if (!only_connects(equation))
            equations_unroll(f, c, equation, read_equation);
        break;
    }
}

// ---------------------------------------------------------------------------
// Algorithms
// ---------------------------------------------------------------------------

// A Real that is assigned in a when statement only is discrete.
static void discrete_by_when(Flattener *f, uint32_t count, FlatStatement *const *statements)
{
    Map outside = {0};
    List continuous = {0};
    Map inside = {0};
    List discrete = {0};
    for (uint32_t i = 0; i < count; i++) {
        FlatStatement *st = statements[i];
        if (st->kind == FLAT_WHEN)
            defined_by(f, 1, &st, &discrete, &inside);
        else
            defined_by(f, 1, &st, &continuous, &outside);
    }
    List only = {0};
    for (uint32_t i = 0; i < discrete.count; i++)
        if (!map_find(&outside, discrete.items[i]))
            list_append(f->arena, &only, discrete.items[i]);
    make_discrete(&only);
}

static void read_algorithm(Flattener *f, EquationContext *c, const Section *section)
{
    List statements = {0};
    List iterators = f->made.iterators;
    f->made.iterators = (List){0};
    c->scope.in_algorithm = true;
    c->scope.in_initial = c->is_initial;
    statements_translate(f, &c->scope, section->count, section->statements, &statements);
    FlatAlgorithm *a = ARENA_NEW(f->arena, FlatAlgorithm);
    *a = (FlatAlgorithm){.origin = origin_of(c, section->span, 0),
                         .guard = c->guard,
                         .is_initial = c->is_initial,
                         .count = statements.count,
                         .statements = (FlatStatement **)(void *)statements.items,
                         .iterators = (FlatLocal **)(void *)f->made.iterators.items,
                         .iterator_count = f->made.iterators.count};
    f->made.iterators = iterators;
    List defined = {0};
    Map seen = {0};
    defined_by(f, a->count, a->statements, &defined, &seen);
    discrete_by_when(f, a->count, a->statements);
    a->defined = (FlatVariable **)(void *)defined.items;
    a->defined_count = defined.count;
    list_append(f->passing, c->is_initial ? &f->made.initial_algorithms : &f->made.algorithms, a);
}

// ---------------------------------------------------------------------------
// Instances
// ---------------------------------------------------------------------------

void equations_visit(Flattener *f, Instance *i, SectionVisitor *visit, void *data)
{
    const List *texts = class_texts(f, i->class_);
    for (uint32_t k = 0; k < texts->count; k++) {
        Class *text = texts->items[k];
        const ClassBody *body = &text->definition->body;
        for (uint32_t n = 0; n < body->section_count; n++)
            visit(f, i, text, body->sections[n], data);
    }
}

static void read_section(Flattener *f, Instance *i, Class *text, const Section *section, void *data)
{
    (void)data;
    EquationContext c = {
        .scope = scope_of_instance(i, text), .guard = i->guard, .is_initial = section->is_initial};
    f->in_initial = section->is_initial;
    if (section->is_algorithm)
        read_algorithm(f, &c, section);
    else
        equation_read_equations(f, &c, section->count, section->equations);
    f->in_initial = false;
}

// The binding of a variable that is no parameter is an equation.
static void read_binding(Flattener *f, Instance *i)
{
    if (i->variability <= FLAT_PARAMETER) {
        for (uint32_t k = 0; k < i->count; k++)
            variable_binding(f, &i->variables[k]);
        return;
    }
    const FlatExpression *whole = instance_binding(f, i);
    if (!whole || expression_is_none(whole))
        return;
    for (uint32_t k = 0; k < i->count; k++) {
        FlatVariable *v = &i->variables[k];
        FlatExpression *value = variable_binding(f, v);
        v->binding = NULL;
        if (!value)
            continue;
        FlatEquation *e = ARENA_NEW(f->arena, FlatEquation);
        *e = (FlatEquation){
            .kind = FLAT_EQUATION_BINDING,
            .origin = {.span = value->span, .component = i->flat->parent, .element = k},
            .guard = i->guard,
            .left = &v->reference,
            .right = value,
            .scalar_count = 1};
        list_append(f->passing, &f->made.equations, e);
    }
}

// `outer output` in a state: the state defines the inner variable while it is active.
static void read_outer(Flattener *f, Instance *i)
{
    Instance *target = instance_target(f, i, i->flat->declared->span);
    if (!target || i->direction != DIRECTION_OUTPUT || i->guard == target->guard)
        return;
    instance_open(f, target);
    target->is_shared = true;
    for (uint32_t k = 0; target->kind == INSTANCE_SIMPLE && k < target->count; k++) {
        target->variables[k].is_shared = true;
        if (!i->prefix.is_inner) // else: those below do
            equations_share(f, &target->variables[k], i->guard);
    }
}

void equations_share(Flattener *f, FlatVariable *variable, const FlatGuard *guard)
{
    FlatSharing *sharing = ARENA_NEW(f->arena, FlatSharing);
    *sharing = (FlatSharing){variable, guard};
    list_append(f->passing, &f->made.sharings, sharing);
}

void equations_collect(Flattener *f, Instance *i)
{
    if (f->limits.has_overflowed)
        return;
    instance_open(f, i);
    if (i->is_broken || i->is_absent || i->stage != INSTANCE_OPEN)
        return;
    if (i->kind == INSTANCE_OUTER) {
        read_outer(f, i);
        return;
    }
    if (i->kind == INSTANCE_SIMPLE) {
        instance_attributes(f, i);
        read_binding(f, i);
        return;
    }
    for (uint32_t k = 0; k < i->count; k++)
        equations_collect(f, &i->children[k]);
    if (i->kind == INSTANCE_COMPLEX)
        equations_visit(f, i, read_section, NULL);
}
