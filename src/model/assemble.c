// SPDX-License-Identifier: MIT

#include "model/assemble.h"

#include "equations/print.h"
#include "equations/walk.h"
#include "model/assemble_when.h"

#define ASSEMBLE_PUSH(a, array, count, room, item)                                                 \
    do {                                                                                           \
        if ((count) == (room)) {                                                                   \
            const uint32_t grown = (room) ? 2 * (room) : 16;                                       \
            (array) = arena_grow((a)->dag->arena, (array), (room) * sizeof *(array),               \
                                 grown * sizeof *(array));                                         \
            (room) = grown;                                                                        \
        }                                                                                          \
        (array)[(count)++] = (item);                                                               \
    } while (0)

void assemble_define(Assembly *a, uint32_t variable, Node value)
{
    const CodeDefinition d = {variable, value};
    ASSEMBLE_PUSH(a, a->discrete, a->discrete_count, a->discrete_room, d);
}

void assemble_action(Assembly *a, const AssembledAction *action)
{
    ASSEMBLE_PUSH(a, a->actions, a->action_count, a->action_room, *action);
}

void assemble_assertion(Assembly *a, const AssembledAction *assertion)
{
    ASSEMBLE_PUSH(a, a->assertions, a->assertion_count, a->assertion_room, *assertion);
}

static void add_equation(Assembly *a, AssembledEquations *to, Node left, Node right, Span span)
{
    const AssembledEquation e = {left, right, span};
    ASSEMBLE_PUSH(a, to->items, to->count, to->room, e);
}

void assemble_equation(Assembly *a, Node left, Node right, Span span)
{
    add_equation(a, &a->equations, left, right, span);
}

static void refuse(Assembly *a, Span span, const char *what)
{
    diagnostics_error(a->diagnostics, span, "%s cannot be simulated yet", what);
}

// ---------------------------------------------------------------------------
// Equations
// ---------------------------------------------------------------------------

static bool is_undefined_discrete(const Assembly *a, Node side)
{
    const DagNode *n = dag_get(a->dag, side);
    if (n->kind != DAG_VARIABLE || a->dag->variables[n->number].role != DAG_PLAIN ||
        a->dag->variables[n->number].variability != DAG_DISCRETE)
        return false;
    for (uint32_t i = 0; i < a->discrete_count; i++)
        if (a->discrete[i].variable == n->number)
            return false;
    return true;
}

static void add_sides(Assembly *a, AssembledEquations *to, Node left, Node right, Span span)
{
    const bool is_initial = to == &a->initial_equations;
    if (!is_initial && is_undefined_discrete(a, left))
        assemble_define(a, dag_get(a->dag, left)->number, right);
    else if (!is_initial && is_undefined_discrete(a, right))
        assemble_define(a, dag_get(a->dag, right)->number, left);
    else if (dag_get(a->dag, left)->type != DAG_REAL && !is_initial)
        refuse(a, span, "a discrete equation that is not of the form variable = expression");
    else
        add_equation(a, to, left, right, span);
}

static void add_results(Assembly *a, AssembledEquations *to, const FlatEquation *e)
{
    ConvertSides sides;
    if (convert_results(a->translation, e->right, e->target_count, e->targets, &sides))
        for (uint32_t i = 0; i < sides.count; i++)
            add_sides(a, to, sides.left[i], sides.right[i], e->origin.span);
}

static void collect_equations(Assembly *a, AssembledEquations *to, uint32_t count,
                              FlatEquation *const *equations)
{
    for (uint32_t i = 0; i < count; i++) {
        const FlatEquation *e = equations[i];
        if (e->kind == FLAT_EQUATION_CALL && !e->guard)
            add_results(a, to, e);
        else if (!e->guard)
            add_sides(a, to, translate(a->translation, e->left),
                      translate(a->translation, e->right), e->origin.span);
    }
}

// The equation of another branch with the same left-hand side; NULL: there is none.
static const FlatEquation *find_twin(Assembly *a, const FlatIf *conditional, uint32_t branch,
                                     Node left)
{
    for (uint32_t i = 0; i < a->flat->equation_count; i++) {
        const FlatEquation *e = a->flat->equations[i];
        if (e->guard && e->guard->conditional == conditional && e->guard->branch == branch &&
            translate(a->translation, e->left) == left)
            return e;
    }
    return NULL;
}

// An equation of the first branch and its twins in all others, as one equation.
static bool join_branches(Assembly *a, const FlatIf *conditional, const FlatEquation *first)
{
    const Node left = translate(a->translation, first->left);
    Node right = NODE_NONE;
    for (uint32_t b = conditional->count; b-- > 0;) {
        const FlatEquation *e = b ? find_twin(a, conditional, b, left) : first;
        if (!e)
            return false;
        const Node value = translate(a->translation, e->right);
        right = b + 1 == conditional->count
                    ? value
                    : dag_if(a->dag, translate(a->translation, conditional->conditions[b]), value,
                             right);
    }
    add_sides(a, &a->equations, left, right, first->origin.span);
    return true;
}

static void collect_conditional(Assembly *a, const FlatIf *conditional)
{
    uint32_t first = 0, others = 0;
    bool is_joined = !conditional->guard && !conditional->is_initial &&
                     !conditional->conditions[conditional->count - 1];
    for (uint32_t i = 0; i < a->flat->equation_count && is_joined; i++) {
        const FlatEquation *e = a->flat->equations[i];
        if (!e->guard || e->guard->conditional != conditional)
            continue;
        is_joined = !e->guard->outer && e->kind != FLAT_EQUATION_CALL;
        others += e->guard->branch != 0;
        if (is_joined && e->guard->branch == 0) {
            first++;
            is_joined = join_branches(a, conditional, e);
        }
    }
    if (!is_joined || others != first * (conditional->count - 1))
        refuse(a, conditional->span,
               "an if-equation whose branches do not define the same variables");
}

static void collect_assertions(Assembly *a)
{
    for (uint32_t i = 0; i < a->flat->assertion_count; i++) {
        const FlatAssertion *f = a->flat->assertions[i];
        if (f->guard)
            refuse(a, f->origin.span, "an assertion in an if-equation");
        AssembledAction action = {.kind = f->condition ? ACTION_ASSERT : ACTION_TERMINATE,
                                  .condition = a->dag->truth,
                                  .message = assemble_message(a, f->message),
                                  .level = f->level,
                                  .span = f->origin.span};
        if (f->condition)
            action.condition =
                dag_unary(a->dag, OPERATOR_NOT, translate(a->translation, f->condition));
        assemble_assertion(a, &action);
    }
}

static void refuse_what_is_missing(Assembly *a)
{
    const FlatModel *f = a->flat;
    if (f->machine_count)
        refuse(a, f->machines[0]->states[0]->span, "a state machine");
    for (uint32_t i = 0; i < f->initial_algorithm_count; i++)
        refuse(a, f->initial_algorithms[i]->origin.span, "an initial algorithm");
}

// ---------------------------------------------------------------------------
// Aliases
// ---------------------------------------------------------------------------

// Of two aliases the better known one is kept: what is differentiated, then what has a start value.
static int *alias_ranks(Assembly *a)
{
    int *ranks = ARENA_ARRAY(a->dag->arena, a->dag->variable_count, int);
    for (uint32_t v = 0; v < a->dag->variable_count; v++) {
        const DagVariable *variable = &a->dag->variables[v];
        ranks[v] = variable->variability == DAG_CONTINUOUS ? 0 : -1;
        if (variable->origin == DAG_NONE || ranks[v] < 0)
            continue;
        const FlatVariable *flat = a->flat->variables[variable->origin];
        ranks[v] = 4 * (flat->is_differentiated || flat->is_reinitialised) +
                   8 * (flat->attributes->is_fixed) + 2 * (flat->attributes->start != NULL) +
                   16 * ((int)flat->attributes->state_select - (int)FLAT_SELECT_NEVER);
    }
    return ranks;
}

// pre of an alias is the alias of pre.
static void map_left_limits(Assembly *a, DagMemo *map)
{
    for (uint32_t v = 0; v < a->aliases.variable_count && v < a->dag->variable_count; v++) {
        const DagVariable *variable = &a->dag->variables[v];
        if (variable->role != DAG_PRE || variable->of >= a->aliases.variable_count)
            continue;
        const Alias *alias = &a->aliases.aliases[variable->of];
        if (alias->kind == ALIAS_VALUE) {
            memo_set(map, v, alias->value);
        } else if (alias->kind == ALIAS_VARIABLE) {
            const Node pre = dag_reference(a->dag, dag_pre_variable(a->dag, alias->target));
            memo_set(map, v, alias->sign < 0 ? dag_negate(a->dag, pre) : pre);
        }
    }
}

static void substitute_equations(Assembly *a, AssembledEquations *list, const DagMemo *map)
{
    for (uint32_t i = 0; i < list->count; i++) {
        list->items[i].left = walk_substitute(a->dag, list->items[i].left, map);
        list->items[i].right = walk_substitute(a->dag, list->items[i].right, map);
    }
}

static void substitute_actions(Assembly *a, AssembledAction *actions, uint32_t count,
                               const DagMemo *map)
{
    for (uint32_t i = 0; i < count; i++) {
        AssembledAction *action = &actions[i];
        action->condition = walk_substitute(a->dag, action->condition, map);
        if (action->kind != ACTION_REINIT)
            continue;
        action->value = walk_substitute(a->dag, action->value, map);
        const Alias *alias = &a->aliases.aliases[action->variable];
        if (alias->kind == ALIAS_VARIABLE) {
            action->variable = alias->target;
            if (alias->sign < 0)
                action->value = dag_negate(a->dag, action->value);
        }
    }
}

// Substitution makes new holds; they keep where they come from.
static void substitute_holds(Assembly *a, const DagMemo *map)
{
    const uint32_t count = a->dag->hold_count;
    for (uint32_t i = 0; i < count; i++) {
        const Node node = walk_substitute(a->dag, a->dag->holds[i].node, map);
        const DagNode *n = dag_get(a->dag, node);
        if (n->kind == DAG_HOLD && a->dag->holds[n->number].flat == DAG_NONE) {
            a->dag->holds[n->number].flat = a->dag->holds[i].flat;
            a->dag->holds[n->number].span = a->dag->holds[i].span;
        }
    }
}

static void report_alias(Assembly *a, AliasUse use, const AssembledEquation *e)
{
    StringBuilder out = builder_create(a->dag->arena);
    print_equation(a->dag, e->left, e->right, &out);
    diagnostics_error(a->diagnostics, e->span, "the equation %s %s", builder_string(&out).text,
                      use == ALIAS_REDUNDANT ? "follows from others: it determines nothing"
                                             : "contradicts others");
}

static void remove_aliases(Assembly *a)
{
    AssembledEquations *list = &a->equations;
    AliasEquation *equations = ARENA_ARRAY(a->dag->arena, list->count, AliasEquation);
    for (uint32_t i = 0; i < list->count; i++)
        equations[i] = (AliasEquation){list->items[i].left, list->items[i].right};
    a->aliases = alias_find(a->dag, list->count, equations, alias_ranks(a));
    DagMemo *map = memo_take(a->dag);
    alias_map(a->dag, &a->aliases, map);
    map_left_limits(a, map);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        if (a->aliases.uses[i] >= ALIAS_REDUNDANT)
            report_alias(a, a->aliases.uses[i], &list->items[i]);
        if (a->aliases.uses[i] == ALIAS_KEPT)
            list->items[kept++] = list->items[i];
    }
    list->count = kept;
    substitute_holds(a, map);
    substitute_equations(a, list, map);
    substitute_equations(a, &a->initial_equations, map);
    for (uint32_t i = 0; i < a->discrete_count; i++)
        a->discrete[i].value = walk_substitute(a->dag, a->discrete[i].value, map);
    substitute_actions(a, a->actions, a->action_count, map);
    substitute_actions(a, a->assertions, a->assertion_count, map);
    memo_give(map);
}

Node assemble_value(Assembly *a, uint32_t variable)
{
    if (variable >= a->aliases.variable_count)
        return dag_reference(a->dag, variable);
    const Alias *alias = &a->aliases.aliases[variable];
    if (alias->kind == ALIAS_VALUE)
        return alias->value;
    const Node node = dag_reference(a->dag, alias->target);
    return alias->kind == ALIAS_VARIABLE && alias->sign < 0 ? dag_negate(a->dag, node) : node;
}

static void list_continuous(Assembly *a)
{
    a->continuous = ARENA_ARRAY(a->dag->arena, a->dag->variable_count, uint32_t);
    for (uint32_t v = 0; v < a->aliases.variable_count; v++) {
        const DagVariable *variable = &a->dag->variables[v];
        if (variable->role == DAG_PLAIN && variable->variability == DAG_CONTINUOUS &&
            a->aliases.aliases[v].kind == ALIAS_NONE)
            a->continuous[a->continuous_count++] = v;
    }
}

Assembly *assemble(Arena *arena, const FlatModel *flat, Diagnostics *diagnostics)
{
    Assembly *a = ARENA_NEW(arena, Assembly);
    *a = (Assembly){.dag = dag_create(arena), .flat = flat, .diagnostics = diagnostics};
    a->translation = translate_begin(a->dag, flat, diagnostics);
    const size_t errors = diagnostics->error_count;
    refuse_what_is_missing(a);
    if (diagnostics->error_count > errors)
        return NULL;
    for (uint32_t i = 0; i < flat->when_count; i++)
        assemble_when(a, flat->whens[i]);
    for (uint32_t i = 0; i < flat->algorithm_count; i++)
        assemble_algorithm(a, flat->algorithms[i]);
    collect_equations(a, &a->equations, flat->equation_count, flat->equations);
    for (uint32_t i = 0; i < flat->conditional_count; i++)
        collect_conditional(a, flat->conditionals[i]);
    collect_equations(a, &a->initial_equations, flat->initial_equation_count,
                      flat->initial_equations);
    collect_assertions(a);
    if (diagnostics->error_count > errors)
        return NULL;
    remove_aliases(a);
    list_continuous(a);
    return diagnostics->error_count > errors ? NULL : a;
}
