// SPDX-License-Identifier: MIT

#include "modes/gather.h"

#include "equations/print.h"
#include "equations/walk.h"
#include "flatten/place.h"
#include "modes/analyse.h"
#include "modes/cycle.h"
#include "modes/deciding.h"
#include "modes/sliding.h"
#include "modes/split.h"
#include "modes/zeros.h"
#include "structure/branches.h"

#include <math.h>

// Whether the states of a guard are active.
static bool gather_holds(const uint32_t *choices, const FlatGuard *guard)
{
    for (; guard; guard = guard->outer)
        if (guard->state && choices[guard->state->machine->index] != guard->state->index)
            return false;
    return true;
}

// ---------------------------------------------------------------------------
// What is suspended
// ---------------------------------------------------------------------------

static bool is_shared_here(const Gathered *g, const FlatVariable *v)
{
    const FlatModel *flat = g->assembly->flat;
    for (uint32_t i = 0; i < flat->sharings.count; i++)
        if (flat->sharings.items[i]->variable == v &&
            gather_holds(g->choices, flat->sharings.items[i]->guard))
            return true;
    return false;
}

static bool is_suspended(const Gathered *g, const FlatVariable *v)
{
    return !gather_holds(g->choices, v->guard) || (v->is_shared && !is_shared_here(g, v));
}

// What is constant in part 0 is a number for the others.
static void set_constants(Gathered *g)
{
    const Parts *parts = g->assembly->parts;
    for (uint32_t v = 0; v < parts->variable_count && g->part != PARTS_ALL; v++)
        if (parts->constants[v] != NODE_NONE && !gather_has_variable(g, v))
            memo_set(g->map, v, parts->constants[v]);
}

static void find_unknowns(Gathered *g)
{
    Dag *dag = g->assembly->dag;
    const uint32_t count = dag->variable_count;
    g->is_unknown = ARENA_ARRAY(dag->arena, count, bool);
    g->known_count = count;
    for (uint32_t v = 0; v < count; v++) {
        const DagVariable variable = dag->variables[v];
        if (variable.variability != DAG_CONTINUOUS || variable.role != DAG_PLAIN ||
            !gather_has_variable(g, v) || sliding_is_unknown(g->assembly, v))
            continue;
        g->is_unknown[v] = variable.origin == DAG_NONE ||
                           !is_suspended(g, g->assembly->flat->variables[variable.origin]);
        if (g->is_unknown[v])
            continue;
        memo_set(g->map, v, dag_reference(dag, dag_pre_variable(dag, v)));
        for (uint32_t d = variable.derivative; d != DAG_NONE; d = dag->variables[d].derivative)
            memo_set(g->map, d, dag->zero);
    }
}

// The states of other parts stand in the memory.
static void set_active_states(Gathered *g)
{
    const Assembly *a = g->assembly;
    for (uint32_t i = 0; i < a->flat->machine_count; i++)
        for (uint32_t k = 0; k < a->flat->machines[i]->state_count; k++) {
            if (!gather_has(g, a->parts->of_choice, i))
                continue;
            const FlatState *state = a->flat->machines[i]->states[k];
            memo_set(g->map, a->states.active[assemble_state(a->flat, state)],
                     dag_boolean(a->dag, gather_holds(g->choices, state->guard)));
        }
}

// ---------------------------------------------------------------------------
// Equations with their guards
// ---------------------------------------------------------------------------

// parts: of each of them; NULL: they are there for all parts at once only.
static bool is_gathered(const Gathered *g, const AssembledEquation *e, const uint32_t *parts,
                        uint32_t number)
{
    return (g->part == PARTS_ALL || (parts && parts[number] == g->part)) &&
           gather_holds(g->choices, e->guard);
}

static void gather_equations(const Gathered *g, const AssembledEquations *from,
                             const uint32_t *parts, AssembledEquations *to)
{
    uint32_t count = 0; // of a part there may be few
    for (uint32_t i = 0; i < from->count; i++)
        count += is_gathered(g, &from->items[i], parts, i);
    *to = (AssembledEquations){
        .items = arena_regrow(g->assembly->dag->arena, NULL, 0, count * sizeof *to->items),
        .room = count};
    for (uint32_t i = 0; i < from->count; i++)
        if (is_gathered(g, &from->items[i], parts, i))
            to->items[to->count++] = from->items[i];
    for (uint32_t i = 0; i < to->count; i++) {
        to->items[i].left = gather_node(g, to->items[i].left);
        to->items[i].right = gather_node(g, to->items[i].right);
    }
}

static GatheredActions gather_actions(const Gathered *g, const AssembledAction *from,
                                      uint32_t count, const uint32_t *parts)
{
    Arena *arena = g->assembly->dag->arena;
    GatheredActions to = {.items = ARENA_ARRAY(arena, count, AssembledAction),
                          .numbers = ARENA_ARRAY(arena, count, uint32_t)};
    for (uint32_t i = 0; i < count; i++) {
        if (!gather_has(g, parts, i) || !gather_holds(g->choices, from[i].guard))
            continue;
        AssembledAction *action = &to.items[to.count];
        *action = from[i];
        Node condition = from[i].condition;
        if (action->kind != ACTION_SHOW)
            condition = dag_binary(g->assembly->dag, OPERATOR_AND,
                                   assemble_guard(g->assembly, from[i].guard), condition);
        action->condition = gather_node(g, condition);
        if (action->kind == ACTION_REINIT)
            action->value = gather_node(g, from[i].value);
        to.numbers[to.count++] = i;
    }
    return to;
}

// v = if g1 then e1 else if g2 then e2 ... else pre(v). Branches come in their order, so that the
// condition of each need not exclude those before.
static Node defined_value(Gathered *g, uint32_t first)
{
    Assembly *a = g->assembly;
    const GraphVariable variable = a->defined.items[first].variable;
    Node value = NODE_NONE;
    for (uint32_t i = a->defined.count; i-- > first;) {
        const AssembledDefinition *d = &a->defined.items[i];
        if (d->variable != variable || !gather_holds(g->choices, d->guard))
            continue;
        const Node condition = assemble_guard(a, d->guard);
        if (condition != a->dag->truth && value == NODE_NONE)
            value = dag_reference(a->dag, dag_pre_variable(a->dag, variable));
        value = condition == a->dag->truth ? d->value : dag_if(a->dag, condition, d->value, value);
    }
    return gather_node(g, value);
}

static void gather_discrete(Gathered *g)
{
    Assembly *a = g->assembly;
    bool *is_done = ARENA_ARRAY(a->dag->arena, a->dag->variable_count, bool);
    g->discrete = ARENA_ARRAY(a->dag->arena, a->defined.count, DagTerm);
    for (uint32_t i = 0; i < a->defined.count; i++) {
        const uint32_t v = a->defined.items[i].variable;
        if (is_done[v] || !gather_has_variable(g, v) ||
            !gather_holds(g->choices, a->defined.items[i].guard))
            continue;
        is_done[v] = true;
        g->discrete[g->discrete_count++] = (DagTerm){v, defined_value(g, i)};
    }
}

static void gather_initial_values(Gathered *g)
{
    const Assembly *a = g->assembly;
    g->initial_values = ARENA_ARRAY(a->dag->arena, a->given.count, AssembledInitial);
    for (uint32_t i = 0; i < a->given.count && g->part == PARTS_ALL; i++) {
        if (!gather_holds(g->choices, a->given.items[i].guard))
            continue;
        g->initial_values[g->initial_count] = a->given.items[i];
        g->initial_values[g->initial_count++].value = gather_node(g, a->given.items[i].value);
    }
}

static void gather_transitions(Gathered *g)
{
    const Assembly *a = g->assembly;
    g->transitions = ARENA_ARRAY(a->dag->arena, a->flat->machine_count, Node *);
    for (uint32_t i = 0; i < a->flat->machine_count; i++) {
        const FlatMachine *m = a->flat->machines[i];
        g->transitions[i] = ARENA_ARRAY(a->dag->arena, m->transition_count, Node);
        for (uint32_t k = 0; k < m->transition_count; k++)
            g->transitions[i][k] = gather_has(g, a->parts->of_choice, i) &&
                                           gather_holds(g->choices, m->transitions[k].from->guard)
                                       ? gather_node(g, a->switches.transitions[i][k])
                                       : NODE_NONE;
    }
}

// ---------------------------------------------------------------------------
// If-equations
// ---------------------------------------------------------------------------

static BranchGuard branch_of(const FlatGuard *guard)
{
    while (guard && guard->state)
        guard = guard->outer;
    return guard ? (BranchGuard){guard->conditional->index, guard->branch}
                 : (BranchGuard){GRAPH_NONE, 0};
}

static const BranchSystem *branch_system(const Gathered *g)
{
    const Assembly *a = g->assembly;
    Arena *arena = a->dag->arena;
    const uint32_t choices = a->flat->conditional_count, equations = g->equations.count;
    BranchSystem *system = ARENA_NEW(arena, BranchSystem);
    BranchGuard *guards = ARENA_ARRAY(arena, equations, BranchGuard);
    BranchChoice *list = ARENA_ARRAY(arena, choices, BranchChoice);
    uint32_t *number = ARENA_ARRAY(arena, g->known_count + 1u, uint32_t); // of variables, from 1
    for (uint32_t j = 0; j < g->continuous_count; j++)
        number[g->continuous[j]] = j + 1;
    for (uint32_t i = 0; i < equations; i++)
        guards[i] = branch_of(g->equations.items[i].guard);
    for (uint32_t i = 0; i < choices; i++) {
        const FlatIf *c = a->flat->conditionals[i];
        const uint32_t none = c->conditions[c->count - 1] ? 1 : 0,
                       decides = a->deciding.of_conditional[i];
        const bool is_sign = decides < g->known_count && number[decides] > 0;
        list[i] = (BranchChoice){.branch_count = c->count + none,
                                 .inside = branch_of(c->guard),
                                 .may_be_ideal = is_sign || split_is_complementary(c) ||
                                                 decides == DECIDING_NOTHING,
                                 .is_complementary = split_is_complementary(c),
                                 .parameter = is_sign ? number[decides] - 1 : GRAPH_NONE};
    }
    *system = (BranchSystem){
        .all = analyse_signature(g), .guards = guards, .choices = list, .choice_count = choices};
    return system;
}

// The condition of an equation among those that it is switched with.
static Node switch_condition(const Gathered *g, const Branches *branches, const FlatGuard *guard)
{
    const Assembly *a = g->assembly;
    Node all = a->dag->truth;
    for (; guard; guard = guard->outer)
        if (!guard->state && !branches->is_structural[guard->conditional->index])
            all = dag_binary(a->dag, OPERATOR_AND,
                             a->switches.conditions[guard->conditional->index][guard->branch], all);
    return gather_node(g, all);
}

// What the equation says that `side` is; NODE_NONE: it is neither of its sides.
static Node other_side(const AssembledEquation *e, Node side)
{
    return e->left == side ? e->right : e->right == side ? e->left : NODE_NONE;
}

static bool is_common_side(const Gathered *g, const uint32_t *sources, uint32_t count, Node side)
{
    for (uint32_t i = 0; i < count; i++)
        if (other_side(&g->equations.items[sources[i]], side) == NODE_NONE)
            return false;
    return true;
}

// By what the other equation is to be multiplied, so that what they have in common is the same.
static double common_factor(const Signature *s, uint32_t one, uint32_t other)
{
    for (uint32_t a = s->start[one]; a < s->start[one + 1]; a++)
        for (uint32_t b = s->start[other]; b < s->start[other + 1]; b++) {
            const SignatureEntry *x = &s->entries[a], *y = &s->entries[b];
            if (x->variable == y->variable && x->order == y->order && x->kind == SIGNATURE_NUMBER &&
                y->kind == SIGNATURE_NUMBER)
                return x->value / y->value;
        }
    return 1.0;
}

// l = if c1 then r1 else if c2 then r2 ... else rn, where l is a side of all of them: so that what
// the branches have in common is the same in all (`u = 0` and `s = u` of a diode): the jump of the
// coefficients is that of the switch alone. Otherwise 0 = the same of differences, as multiples.
static AssembledEquation switched(const Gathered *g, const Signature *all, const Branches *branches,
                                  const uint32_t *sources, uint32_t count)
{
    Dag *dag = g->assembly->dag;
    AssembledEquation result = g->equations.items[sources[0]];
    Node common = result.left;
    if (!is_common_side(g, sources, count, common))
        common = is_common_side(g, sources, count, result.right) ? result.right : NODE_NONE;
    Node value = NODE_NONE;
    for (uint32_t i = count; i-- > 0;) {
        const AssembledEquation *e = &g->equations.items[sources[i]];
        Node side = other_side(e, common);
        if (common == NODE_NONE) {
            const double factor = common_factor(all, sources[0], sources[i]);
            side = factor < 0.0 ? dag_subtract(dag, e->right, e->left)
                                : dag_subtract(dag, e->left, e->right);
            if (fabs(factor) != 1.0)
                side = dag_binary(dag, OPERATOR_MULTIPLY, dag_real(dag, fabs(factor)), side);
        }
        value = value == NODE_NONE
                    ? side
                    : dag_if(dag, switch_condition(g, branches, e->guard), side, value);
    }
    result.left = common == NODE_NONE ? dag_real(dag, 0.0) : common;
    result.right = value;
    return result;
}

// are_decided: which choices are structural, see gather_decided.
static void merge_branches(Gathered *g, bool are_decided)
{
    const Assembly *a = g->assembly;
    Arena *arena = a->dag->arena;
    const uint32_t machines = a->flat->machine_count, count = a->flat->conditional_count;
    g->branches = ARENA_ARRAY(arena, count, Node);
    for (uint32_t i = 0; i < count; i++)
        g->branches[i] = NODE_NONE;
    if (count == 0)
        return;
    const BranchSystem *system = branch_system(g);
    const Branches *branches = are_decided ? branches_decided(arena, system, g->choices + machines)
                                           : branches_decide(arena, system, g->choices + machines);
    const uint32_t equations = branches->merged->equation_count;
    AssembledEquation *merged = arena_regrow(arena, NULL, 0, equations * sizeof *merged);
    for (uint32_t i = 0; i < equations; i++)
        merged[i] = switched(g, system->all, branches, branches->sources + branches->start[i],
                             branches->start[i + 1] - branches->start[i]);
    g->equations = (AssembledEquations){.items = merged, .count = equations, .room = equations};
    for (uint32_t i = 0; i < count; i++) {
        const bool is_choice = branches->is_structural[i] && branches->is_there[i];
        if (is_choice)
            g->branches[i] = gather_node(g, a->switches.branches[i]);
        else
            g->choices[machines + i] = GATHER_ANY;
    }
}

// ---------------------------------------------------------------------------
// Aliases
// ---------------------------------------------------------------------------

// Of two aliases the better known one is kept: what is differentiated, then what has a start value.
static int *alias_ranks(const Gathered *g, int *ranks)
{
    const Assembly *a = g->assembly;
    for (uint32_t v = 0; v < a->dag->variable_count; v++) {
        const DagVariable *variable = &a->dag->variables[v];
        ranks[v] = v < g->known_count && g->is_unknown[v] ? 0 : -1;
        if (variable->origin == DAG_NONE || ranks[v] < 0)
            continue;
        const FlatVariable *flat = a->flat->variables[variable->origin];
        ranks[v] = 4 * (flat->is_differentiated || flat->is_reinitialised) +
                   8 * (flat->attributes->is_fixed) + 2 * (flat->attributes->start != NULL) +
                   16 * ((int)flat->attributes->state_select - (int)FLAT_SELECT_NEVER);
    }
    return ranks;
}

static void report_alias(Gathered *g, AliasUse use, const AssembledEquation *e)
{
    const Dag *dag = g->assembly->dag;
    StringBuilder out = builder_create(dag->arena);
    print_equation(dag, e->left, e->right, &out);
    const Span span = place_of(g->diagnostics->sources, g->assembly->flat, e->span, e->component);
    diagnostics_error(g->diagnostics, span, "the equation %s %s", builder_string(&out).text,
                      use == ALIAS_REDUNDANT ? "follows from others: it determines nothing"
                                             : "contradicts others");
}

static void substitute_equations(Gathered *g, AssembledEquations *list)
{
    for (uint32_t i = 0; i < list->count; i++) {
        list->items[i].left = gather_node(g, list->items[i].left);
        list->items[i].right = gather_node(g, list->items[i].right);
    }
}

// A variable that is reinitialised under another name.
static void rename_actions(const Gathered *g, GatheredActions *actions)
{
    for (uint32_t i = 0; i < actions->count; i++) {
        AssembledAction *action = &actions->items[i];
        if (action->kind != ACTION_REINIT)
            continue;
        const Alias *alias = &g->aliases.aliases[action->variable];
        if (alias->kind != ALIAS_VARIABLE)
            continue;
        action->variable = alias->target;
        if (alias->sign < 0)
            action->value = dag_negate(g->assembly->dag, action->value);
    }
}

// Only by equations that hold in all modes: what one mode makes equal may have to jump when it is
// entered, by an impulse that both feel.
static void remove_aliases(Gathered *g)
{
    AssembledEquations *list = &g->equations;
    Dag *dag = g->assembly->dag;
    const size_t size = list->count * sizeof(DagEquation);
    const size_t ranks_size = dag->variable_count * sizeof(int);
    DagEquation *equations = arena_regrow(dag->arena, NULL, 0, size);
    int *ranks = alias_ranks(g, arena_regrow(dag->arena, NULL, 0, ranks_size));
    uint32_t count = 0, kept = 0;
    for (uint32_t i = 0; i < list->count; i++)
        if (!list->items[i].guard)
            equations[count++] = (DagEquation){list->items[i].left, list->items[i].right};
    g->aliases = alias_find(dag, count, equations, ranks);
    arena_regrow(dag->arena, equations, size, 0);
    arena_regrow(dag->arena, ranks, ranks_size, 0);
    alias_map(dag, &g->aliases, g->map);
    memo_clear(g->mapped);
    count = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        const AliasUse use = list->items[i].guard ? ALIAS_KEPT : g->aliases.uses[count++];
        if (use >= ALIAS_REDUNDANT)
            report_alias(g, use, &list->items[i]);
        if (use == ALIAS_KEPT)
            list->items[kept++] = list->items[i];
    }
    list->items = arena_regrow(dag->arena, list->items, list->room * sizeof *list->items,
                               kept * sizeof *list->items);
    list->count = list->room = kept;
    substitute_equations(g, list);
}

// The variable that stands for v is fixed at the same value.
static bool is_fixed_alike(const Gathered *g, uint32_t v)
{
    Assembly *a = g->assembly;
    const Alias *alias = &g->aliases.aliases[v];
    if (alias->kind != ALIAS_VARIABLE || alias->sign < 0)
        return false;
    const uint32_t origin = a->dag->variables[alias->target].origin;
    return origin != DAG_NONE && a->flat->variables[origin]->attributes->is_fixed &&
           analyse_start_value(a, v) == analyse_start_value(a, alias->target);
}

// A fixed start value of a variable that is another one, or a value, has to hold, too.
static bool has_own_start(const Gathered *g, uint32_t v)
{
    const Assembly *a = g->assembly;
    const DagVariable *variable = &a->dag->variables[v];
    if (g->aliases.aliases[v].kind == ALIAS_NONE || variable->origin == DAG_NONE ||
        variable->role != DAG_PLAIN)
        return false;
    const FlatVariable *flat = a->flat->variables[variable->origin];
    return flat->kind == FLAT_CONTINUOUS && flat->attributes->is_fixed && !is_fixed_alike(g, v);
}

// It becomes an initial equation.
static void keep_fixed_starts(Gathered *g)
{
    Assembly *a = g->assembly;
    AssembledEquations *list = &g->initial_equations;
    uint32_t more = 0;
    for (uint32_t v = 0; v < g->aliases.variable_count; v++)
        more += has_own_start(g, v);
    if (!more)
        return;
    AssembledEquation *items = ARENA_ARRAY(a->dag->arena, list->count + more, AssembledEquation);
    for (uint32_t i = 0; i < list->count; i++)
        items[i] = list->items[i];
    list->items = items;
    for (uint32_t v = 0; v < g->aliases.variable_count; v++) {
        if (!has_own_start(g, v))
            continue;
        const FlatVariable *flat = a->flat->variables[a->dag->variables[v].origin];
        items[list->count++] =
            (AssembledEquation){.left = gather_value(g, v),
                                .right = gather_node(g, analyse_start_value(a, v)),
                                .span = flat->reference.span,
                                .component = flat->component};
    }
}

Node gather_node(const Gathered *g, Node node)
{
    return walk_substitute_more(g->assembly->dag, node, g->map, g->mapped);
}

Node gather_value(const Gathered *g, GraphVariable variable)
{
    return gather_node(g, dag_reference(g->assembly->dag, variable));
}

static void list_continuous(Gathered *g)
{
    if (!g->continuous)
        g->continuous = ARENA_ARRAY(g->assembly->dag->arena, g->known_count, uint32_t);
    g->continuous_count = 0;
    for (uint32_t v = 0; v < g->known_count; v++)
        if (g->is_unknown[v] && !memo_has(g->map, v))
            g->continuous[g->continuous_count++] = v;
}

static void drop_zeros(Gathered *g, AssembledEquations *list)
{
    for (uint32_t i = 0; i < list->count; i++) {
        list->items[i].left = walk_drop_zeros(g->assembly->dag, list->items[i].left);
        list->items[i].right = walk_drop_zeros(g->assembly->dag, list->items[i].right);
    }
}

static bool gather_with(Assembly *a, PartNumber part, const uint32_t *choices, bool are_decided,
                        const bool *slides, Diagnostics *diagnostics, bool is_continued,
                        Gathered *g)
{
    const size_t errors = diagnostics->error_count;
    const FlatModel *flat = a->flat;
    *g = (Gathered){.assembly = a,
                    .diagnostics = diagnostics,
                    .part = part,
                    .slides = slides,
                    .choice_count = flat->machine_count + flat->conditional_count,
                    .map = memo_take(a->dag),
                    .mapped = memo_take(a->dag)};
    g->choices = ARENA_ARRAY(a->dag->arena, g->choice_count, uint32_t);
    for (uint32_t i = 0; i < g->choice_count; i++) {
        const bool is_there =
            i >= flat->machine_count || gather_holds(choices, flat->machines[i]->guard);
        g->choices[i] = is_there && gather_has(g, a->parts->of_choice, i) ? choices[i] : GATHER_ANY;
    }
    set_constants(g);
    find_unknowns(g);
    set_active_states(g);
    if (a->lambda != DAG_NONE && !is_continued)
        memo_set(g->map, a->lambda, a->dag->one);
    gather_equations(g, &a->equations, a->parts->of_equation, &g->equations);
    list_continuous(g);
    merge_branches(g, are_decided);
    if (a->has_zeros)
        zeros_reduce(g);
    remove_aliases(g);
    list_continuous(g);
    gather_equations(g, &a->initial_equations, NULL, &g->initial_equations);
    if (part == PARTS_ALL)
        keep_fixed_starts(g);
    drop_zeros(g, &g->equations);
    drop_zeros(g, &g->initial_equations);
    gather_discrete(g);
    gather_initial_values(g);
    g->actions = gather_actions(g, a->actions.items, a->actions.count, a->parts->of_action);
    rename_actions(g, &g->actions);
    g->assertions =
        gather_actions(g, a->assertions.items, a->assertions.count, a->parts->of_assertion);
    gather_transitions(g);
    for (uint32_t i = 0; i < flat->conditional_count; i++)
        if (g->branches[i] != NODE_NONE)
            g->branches[i] = gather_node(g, g->branches[i]);
    return diagnostics->error_count == errors && cycle_check(g) && sliding_gather(g);
}

bool gather(Assembly *a, PartNumber part, const uint32_t *choices, Diagnostics *diagnostics,
            Gathered *g)
{
    return gather_with(a, part, choices, false, NULL, diagnostics, false, g);
}

bool gather_decided(Assembly *a, PartNumber part, const uint32_t *choices, const bool *slides,
                    Diagnostics *diagnostics, Gathered *g)
{
    return gather_with(a, part, choices, true, slides, diagnostics, false, g);
}

bool gather_continued(Assembly *a, const uint32_t *choices, Diagnostics *diagnostics, Gathered *g)
{
    return gather_with(a, PARTS_ALL, choices, true, NULL, diagnostics, true, g);
}

void gather_end(Gathered *g)
{
    memo_give(g->map);
    memo_give(g->mapped);
    g->map = g->mapped = NULL;
}
