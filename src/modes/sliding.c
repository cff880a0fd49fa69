// SPDX-License-Identifier: MIT

#include "modes/sliding.h"

#include "equations/print.h"
#include "equations/walk.h"
#include "modes/sliding_rates.h"

// The surfaces that an expression depends on are the bits of a number. By so many of them a part of
// it is expanded, which doubles it for each.
enum { MOST_BITS = 32, MOST_EXPANDED = 6 };

// ---------------------------------------------------------------------------
// Before any mode
// ---------------------------------------------------------------------------

int sliding_side(Dag *dag, Node relation, Node *function, Node *negative)
{
    const DagNode n = *dag_get(dag, relation);
    if (n.kind != DAG_OPERATION || n.op < OPERATOR_LESS || n.op > OPERATOR_GREATER_EQUAL)
        return 0;
    *function = dag_subtract(dag, n.operands[0], n.operands[1]);
    *negative = dag_subtract(dag, n.operands[1], n.operands[0]);
    return n.op == OPERATOR_GREATER || n.op == OPERATOR_GREATER_EQUAL ? 1 : -1;
}

static Node as_real(Dag *dag, Node node)
{
    switch (dag_get(dag, node)->type) {
    case DAG_INTEGER:
        return dag_unary(dag, OPERATOR_TO_REAL, node);
    case DAG_BOOLEAN:
        return dag_if(dag, node, dag->one, dag->zero);
    default:
        return node;
    }
}

static bool sliding_rounds(const DagNode *n)
{
    return n->kind == DAG_OPERATION && (n->op == OPERATOR_FLOOR || n->op == OPERATOR_INTEGER ||
                                        n->op == OPERATOR_CEIL || n->op == OPERATOR_DIV);
}

// The same of any hold whose value jumps at a surface: that of what is rounded is the whole number
// that is held while it slides, and its value grows there.
static int surface_side(const Assembly *a, HoldNumber hold, Node operand, Node *function,
                        Node *negative)
{
    const DagNode n = *dag_get(a->dag, operand);
    if (!sliding_rounds(&n))
        return sliding_side(a->dag, operand, function, negative);
    const Node whole = as_real(a->dag, dag_reference(a->dag, a->held.variables[hold]));
    const Node rounded =
        n.op == OPERATOR_DIV ? dag_divide(a->dag, n.operands[0], n.operands[1]) : n.operands[0];
    *function = dag_subtract(a->dag, rounded, whole);
    *negative = dag_subtract(a->dag, whole, rounded);
    return 1;
}

// A condition that does not depend on time alone.
static bool may_slide(const Assembly *a, HoldNumber hold)
{
    Node function, negative;
    bool is_found = false;
    if (surface_side(a, hold, a->held.operands[hold], &function, &negative) == 0)
        return false;
    DagMemo *memo = memo_take(a->dag);
    walk_variables(memo, WALK_ALL, &function, 1);
    for (uint32_t i = 0; i < memo->count && !is_found; i++)
        is_found = memo->list[i] != DAG_TIME_VARIABLE &&
                   a->dag->variables[memo->list[i]].variability == DAG_CONTINUOUS;
    memo_give(memo);
    return is_found;
}

static const char *sliding_text_of(Arena *arena, const char *before, const char *text)
{
    StringBuilder out = builder_create(arena);
    builder_append_text(&out, before);
    builder_append_text(&out, text);
    return builder_string(&out).text;
}

// The hold u (1 - u) > 0, with its variable.
static uint32_t add_end(Assembly *a, GraphVariable variable, HoldNumber hold,
                        uint32_t *hold_variables, Node *hold_operands)
{
    Dag *dag = a->dag;
    const Node u = dag_reference(dag, variable);
    const Node inside = dag_binary(dag, OPERATOR_GREATER,
                                   dag_multiply(dag, u, dag_subtract(dag, dag->one, u)), dag->zero);
    const uint32_t number = dag_get(dag, dag_hold(dag, inside))->number;
    const char *text = dag->variables[a->held.variables[hold]].name;
    dag->holds[number].span = dag->holds[hold].span;
    hold_operands[number] = inside;
    hold_variables[number] =
        dag_add_variable(dag, sliding_text_of(dag->arena, "end of sliding on ", text),
                         DAG_AUXILIARY, DAG_BOOLEAN, DAG_DISCRETE);
    return number;
}

void sliding_assemble(Assembly *a)
{
    Dag *dag = a->dag;
    Arena *arena = dag->arena;
    const uint32_t count = dag->hold_count;
    GraphVariable *variables = ARENA_ARRAY(arena, 2 * count, GraphVariable);
    HoldNumber *ends = ARENA_ARRAY(arena, 2 * count, HoldNumber);
    uint32_t *hold_variables = ARENA_ARRAY(arena, 2 * count, uint32_t);
    Node *hold_operands = ARENA_ARRAY(arena, 2 * count, Node);
    a->sliding.first = dag->variable_count;
    for (uint32_t h = 0; h < 2 * count; h++)
        variables[h] = ends[h] = DAG_NONE;
    for (uint32_t h = 0; h < count; h++) {
        hold_variables[h] = a->held.variables[h];
        hold_operands[h] = a->held.operands[h];
        if (!may_slide(a, h))
            continue;
        const char *text = dag->variables[a->held.variables[h]].name;
        variables[h] = dag_add_variable(dag, sliding_text_of(arena, "value of ", text), DAG_PLAIN,
                                        DAG_REAL, DAG_CONTINUOUS);
        a->sliding.count++;
    }
    for (uint32_t h = 0; h < count; h++)
        if (variables[h] != DAG_NONE)
            ends[h] = add_end(a, variables[h], h, hold_variables, hold_operands);
    a->sliding.variables = variables;
    a->sliding.ends = ends;
    a->held.variables = hold_variables;
    a->held.operands = hold_operands;
}

// ---------------------------------------------------------------------------
// Surfaces
// ---------------------------------------------------------------------------

static bool modes_sliding_fail(Sliding *s, Span span, const char *relation, const char *why)
{
    diagnostics_error(s->g->diagnostics, span,
                      "no sliding mode on %s: %s (a hysteresis helps, or --zeno continue)",
                      relation, why);
    s->has_failed = true;
    return false;
}

bool sliding_fail_surface(Sliding *s, const GatheredSurface *surface, const char *why)
{
    const Assembly *a = s->g->assembly;
    return modes_sliding_fail(s, s->dag->holds[surface->members[0]].span,
                              s->dag->variables[a->held.variables[surface->members[0]]].name, why);
}

static void add_member(Sliding *s, GatheredSurface *surface, HoldNumber hold, bool is_below)
{
    surface->members[surface->count] = hold;
    surface->is_below[surface->count++] = is_below;
    memo_set(s->side_of, s->g->assembly->held.variables[hold],
             2 * (uint32_t)(surface - s->g->surfaces) + is_below);
}

// The surface of the function, or of its negative; NULL: there is none yet.
static GatheredSurface *surface_of(const Sliding *s, Node function, Node negative)
{
    for (uint32_t i = 0; i < s->g->surface_count; i++)
        if (s->g->surfaces[i].function == function || s->g->surfaces[i].function == negative)
            return &s->g->surfaces[i];
    return NULL;
}

static void modes_sliding_add_surface(Sliding *s, HoldNumber hold)
{
    Gathered *g = s->g;
    const Relation *relation = &s->relations[hold];
    if (!surface_of(s, relation->function, relation->negative))
        g->surfaces[g->surface_count++] =
            (GatheredSurface){.variable = g->assembly->sliding.variables[hold],
                              .hold = g->assembly->sliding.ends[hold],
                              .function = relation->function};
}

// The relations of this part as they are in this mode.
static void find_relations(Sliding *s)
{
    const Gathered *g = s->g;
    const Assembly *a = g->assembly;
    s->relations = ARENA_ARRAY(s->dag->arena, s->dag->hold_count, Relation);
    for (uint32_t h = 0; h < s->dag->hold_count; h++) {
        Relation *r = &s->relations[h];
        if (a->sliding.variables[h] != DAG_NONE && gather_has(g, a->parts->of_hold, h))
            r->side =
                surface_side(a, h, gather_node(g, a->held.operands[h]), &r->function, &r->negative);
    }
}

// The surfaces of those that are asked for, with all relations on them.
static void find_surfaces(Sliding *s)
{
    Gathered *g = s->g;
    const uint32_t holds = s->dag->hold_count;
    uint32_t asked = 0;
    find_relations(s);
    for (uint32_t h = 0; h < holds; h++)
        asked += g->slides[h];
    g->surfaces = ARENA_ARRAY(s->dag->arena, asked, GatheredSurface);
    s->is_fixed = ARENA_ARRAY(s->dag->arena, asked, bool);
    for (uint32_t h = 0; h < holds; h++)
        if (g->slides[h] && s->relations[h].side != 0)
            modes_sliding_add_surface(s, h);
    uint32_t *members = ARENA_ARRAY(s->dag->arena, holds, uint32_t);
    bool *is_below = ARENA_ARRAY(s->dag->arena, holds, bool);
    for (uint32_t i = 0; i < g->surface_count; i++) {
        GatheredSurface *surface = &g->surfaces[i];
        surface->members = members;
        surface->is_below = is_below;
        for (uint32_t h = 0; h < holds; h++) {
            const Relation *r = &s->relations[h];
            if (r->side != 0 &&
                (r->function == surface->function || r->negative == surface->function))
                add_member(s, surface, h, (r->side < 0) == (r->function == surface->function));
        }
        members += surface->count;
        is_below += surface->count;
    }
}

// ---------------------------------------------------------------------------
// What else reads the relations
// ---------------------------------------------------------------------------

// Whether a node depends on what slides.
static bool sliding_depends(const Sliding *s, Node node)
{
    return walk_depends(s->dag, node, s->side_of) || walk_depends(s->dag, node, s->inlined);
}

static bool has_memory(const Sliding *s, const DagTerm *d)
{
    bool result = s->dag->variables[d->variable].role != DAG_PLAIN;
    DagMemo *memo = memo_take(s->dag);
    walk_variables(memo, WALK_ALL, &d->value, 1);
    for (uint32_t i = 0; i < memo->count && !result; i++) {
        const DagRole role = s->dag->variables[memo->list[i]].role;
        result = role == DAG_PRE || role == DAG_SAMPLE || role == DAG_INITIAL;
    }
    memo_give(memo);
    return result;
}

// Discrete variables that are nothing but functions of relations stand for them in equations.
static bool inline_discrete(Sliding *s)
{
    const Gathered *g = s->g;
    for (bool has_grown = true; has_grown;) {
        has_grown = false;
        for (uint32_t i = 0; i < g->discrete_count; i++) {
            const DagTerm *d = &g->discrete[i];
            if (memo_has(s->inlined, d->variable) || !sliding_depends(s, d->value))
                continue;
            if (has_memory(s, d))
                return sliding_fail_surface(s, &g->surfaces[0], "a when clause depends on it");
            memo_set(s->inlined, d->variable, d->value);
            has_grown = true;
        }
    }
    // Their values by what slides, whatever their order.
    for (uint32_t round = 0; round < g->discrete_count; round++)
        for (uint32_t i = 0; i < g->discrete_count; i++)
            if (memo_has(s->inlined, g->discrete[i].variable))
                memo_set(s->inlined, g->discrete[i].variable,
                         walk_substitute(s->dag, memo_get(s->inlined, g->discrete[i].variable),
                                         s->inlined));
    return true;
}

static bool actions_read(const Sliding *s, const GatheredActions *actions)
{
    for (uint32_t i = 0; i < actions->count; i++)
        if (sliding_depends(s, actions->items[i].condition) ||
            (actions->items[i].kind == ACTION_REINIT &&
             sliding_depends(s, actions->items[i].value)))
            return true;
    return false;
}

static bool choices_read(const Sliding *s)
{
    const FlatModel *flat = s->g->assembly->flat;
    for (uint32_t i = 0; i < flat->conditional_count; i++)
        if (s->g->branches[i] != NODE_NONE && sliding_depends(s, s->g->branches[i]))
            return true;
    return false;
}

static bool transitions_read(const Sliding *s)
{
    const FlatModel *flat = s->g->assembly->flat;
    for (uint32_t i = 0; i < flat->machine_count; i++)
        for (uint32_t t = 0; t < flat->machines[i]->transition_count; t++)
            if (s->g->transitions[i][t] != NODE_NONE && sliding_depends(s, s->g->transitions[i][t]))
                return true;
    return false;
}

static bool holds_read(const Sliding *s)
{
    const Assembly *a = s->g->assembly;
    for (uint32_t h = 0; h < s->dag->hold_count; h++)
        if (sliding_depends(s, a->held.operands[h]))
            return true;
    return false;
}

// Equations of other parts, which have no such unknown.
static bool others_read(const Sliding *s)
{
    const Assembly *a = s->g->assembly;
    for (uint32_t i = 0; i < a->equations.count && s->g->part != PARTS_ALL; i++)
        if (a->parts->of_equation[i] != s->g->part &&
            (sliding_depends(s, a->equations.items[i].left) ||
             sliding_depends(s, a->equations.items[i].right)))
            return true;
    for (uint32_t i = 0; i < a->defined.count && s->g->part != PARTS_ALL; i++)
        if (!gather_has_variable(s->g, a->defined.items[i].variable) &&
            sliding_depends(s, a->defined.items[i].value))
            return true;
    return false;
}

static bool check_readers(Sliding *s)
{
    const char *why = actions_read(s, &s->g->actions)      ? "a when clause reads it"
                      : actions_read(s, &s->g->assertions) ? "an assertion reads it"
                      : transitions_read(s)                ? "a transition reads it"
                      : choices_read(s) ? "branches of other structure depend on it"
                      : holds_read(s)   ? "another condition depends on it"
                      : others_read(s)  ? "an independent part of the model reads it"
                                        : NULL;
    return !why || sliding_fail_surface(s, &s->g->surfaces[0], why);
}

// ---------------------------------------------------------------------------
// Relaxed expressions
// ---------------------------------------------------------------------------

// f by what slides, between all of its values.
static Node relax(Sliding *s, Node f);

// By one relaxed node after the other.
typedef struct Relaxing {
    Sliding *s;
    DagMemo *bits;                // by node: the surfaces that it depends on; none: not there
    DagMemo *done;                // what it becomes
    DagMemo *bit_of;              // by surface
    uint32_t surfaces[MOST_BITS]; // by bit
    uint32_t count;
} Relaxing;

static uint32_t bits_of(const Relaxing *r, Node node)
{
    return memo_has(r->bits, node) ? memo_get(r->bits, node) : 0;
}

// An operand, of type Real.
static Node relaxed(const Relaxing *r, Node node)
{
    return memo_has(r->done, node) ? memo_get(r->done, node) : as_real(r->s->dag, node);
}

// (1 - u) a + u b
Node sliding_between(Dag *dag, Node u, Node a, Node b)
{
    return dag_add(dag, a, dag_multiply(dag, u, dag_subtract(dag, b, a)));
}

// What a condition is on one side of its surface. What is rounded is held as it is where the
// number is whole, k: floor is k - 1 below and k above, ceil k and k + 1, div the one or the other.
static Node member_on_side(const Sliding *s, HoldNumber hold, bool is_below, bool is_above)
{
    Dag *dag = s->dag;
    const DagNode n = *dag_get(dag, s->g->assembly->held.operands[hold]);
    if (!sliding_rounds(&n))
        return dag_boolean(dag, is_below != is_above);
    const Node whole = dag_reference(dag, s->g->assembly->held.variables[hold]);
    const bool is_integer = dag_get(dag, whole)->type == DAG_INTEGER;
    const Node one = is_integer ? dag_integer(dag, 1) : dag->one;
    const Node zero = is_integer ? dag_integer(dag, 0) : dag->zero;
    const Node other = is_above ? dag_add(dag, whole, one) : dag_subtract(dag, whole, one);
    if (n.op == OPERATOR_DIV)
        return is_above ? dag_if(dag, dag_binary(dag, OPERATOR_LESS, whole, zero), other, whole)
                        : dag_if(dag, dag_binary(dag, OPERATOR_GREATER, whole, zero), other, whole);
    return is_above == (n.op == OPERATOR_CEIL) ? other : whole;
}

Node sliding_on_side(const Sliding *s, Node f, uint32_t surface, bool is_above)
{
    const GatheredSurface *on = &s->g->surfaces[surface];
    DagMemo *map = memo_take(s->dag);
    for (uint32_t i = 0; i < on->count; i++)
        memo_set(map, s->g->assembly->held.variables[on->members[i]],
                 member_on_side(s, on->members[i], on->is_below[i], is_above));
    const Node result = walk_substitute(s->dag, f, map);
    memo_give(map);
    return result;
}

// Shannon's expansion by the first of the surfaces.
static Node expand(const Relaxing *r, Node f, uint32_t bits)
{
    Sliding *s = r->s;
    uint32_t first = 0, count = 0;
    while (!(bits >> first & 1u))
        first++;
    first = r->surfaces[first];
    for (uint32_t b = bits; b; b &= b - 1)
        count++;
    if (count > MOST_EXPANDED) {
        sliding_fail_surface(s, &s->g->surfaces[first],
                             "too many conditions slide in one expression");
        return as_real(s->dag, f);
    }
    // What is rounded stands for the number that is held, on its sides.
    s->is_fixed[first] = true;
    const Node below = relax(s, sliding_on_side(s, f, first, false));
    const Node above = relax(s, sliding_on_side(s, f, first, true));
    s->is_fixed[first] = false;
    return sliding_between(s->dag, dag_reference(s->dag, s->g->surfaces[first].variable), below,
                           above);
}

// Where both operands depend on the same surface, their product is no value between.
static Node relax_product(const Relaxing *r, Node f, Node a, Node b)
{
    return bits_of(r, a) & bits_of(r, b) ? expand(r, f, bits_of(r, f))
                                         : dag_multiply(r->s->dag, relaxed(r, a), relaxed(r, b));
}

static Node relax_operation(const Relaxing *r, Node f)
{
    Dag *dag = r->s->dag;
    const DagNode n = *dag_get(dag, f);
    const Node a = n.operands[0], b = n.count > 1 ? n.operands[1] : NODE_NONE;
    switch ((Operator)n.op) {
    case OPERATOR_TO_REAL:
        return relaxed(r, a);
    case OPERATOR_NEGATE:
        return dag_negate(dag, relaxed(r, a));
    case OPERATOR_NOT:
        return dag_subtract(dag, dag->one, relaxed(r, a));
    case OPERATOR_ADD:
        return dag_add(dag, relaxed(r, a), relaxed(r, b));
    case OPERATOR_SUBTRACT:
        return dag_subtract(dag, relaxed(r, a), relaxed(r, b));
    case OPERATOR_MULTIPLY:
    case OPERATOR_AND:
        return relax_product(r, f, a, b);
    case OPERATOR_DIVIDE:
        return bits_of(r, b) ? expand(r, f, bits_of(r, f))
                             : dag_divide(dag, relaxed(r, a), relaxed(r, b));
    case OPERATOR_IF:
        return bits_of(r, a) ? expand(r, f, bits_of(r, f))
                             : dag_if(dag, a, relaxed(r, b), relaxed(r, n.operands[2]));
    default:
        return expand(r, f, bits_of(r, f));
    }
}

static Node relax_node(const Relaxing *r, Node f)
{
    const DagNode *n = dag_get(r->s->dag, f);
    if (n->kind == DAG_OPERATION)
        return relax_operation(r, f);
    if (n->kind != DAG_VARIABLE)
        return expand(r, f, bits_of(r, f));
    Dag *dag = r->s->dag;
    const uint32_t bit = memo_get(r->s->side_of, n->number);
    const Node u = dag_reference(dag, r->s->g->surfaces[bit / 2].variable);
    if (n->type != DAG_BOOLEAN)
        return dag_add(dag, as_real(dag, sliding_on_side(r->s, f, bit / 2, false)), u);
    return bit & 1u ? dag_subtract(dag, dag->one, u) : u;
}

static uint32_t bit_of_surface(Relaxing *r, uint32_t surface)
{
    if (memo_has(r->bit_of, surface))
        return 1u << memo_get(r->bit_of, surface);
    if (r->count == MOST_BITS) {
        sliding_fail_surface(r->s, &r->s->g->surfaces[surface],
                             "too many conditions slide in one equation");
        return 0;
    }
    r->surfaces[r->count] = surface;
    memo_set(r->bit_of, surface, r->count);
    return 1u << r->count++;
}

static uint32_t find_bits(Relaxing *r, Node node)
{
    const Dag *dag = r->s->dag;
    const DagNode *n = dag_get(dag, node);
    uint32_t bits = 0;
    if (n->kind == DAG_VARIABLE) {
        const bool slides = memo_has(r->s->side_of, n->number);
        const uint32_t surface = slides ? memo_get(r->s->side_of, n->number) / 2 : 0;
        return slides && !r->s->is_fixed[surface] ? bit_of_surface(r, surface) : 0;
    }
    for (uint32_t i = 0; i < dag_operand_count(dag, node); i++)
        bits |= bits_of(r, dag_operand(dag, node, i));
    return bits;
}

static Node relax(Sliding *s, Node f)
{
    DagMemo *order = memo_take(s->dag);
    Relaxing r = {
        .s = s, .bits = memo_take(s->dag), .done = memo_take(s->dag), .bit_of = memo_take(s->dag)};
    walk_order(order, &f, 1);
    for (uint32_t i = 0; i < order->count && !s->has_failed; i++) {
        const Node node = order->list[i];
        const uint32_t bits = find_bits(&r, node);
        if (bits == 0)
            continue;
        memo_set(r.bits, node, bits);
        if (dag_get(s->dag, node)->type != DAG_TUPLE) // which is read by its results only
            memo_set(r.done, node, relax_node(&r, node));
    }
    const Node result = relaxed(&r, f);
    memo_give(r.bit_of);
    memo_give(r.done);
    memo_give(r.bits);
    memo_give(order);
    return result;
}

static void relax_equations(Sliding *s)
{
    AssembledEquations *list = &s->g->equations;
    for (uint32_t i = 0; i < list->count; i++) {
        AssembledEquation *e = &list->items[i];
        if (!sliding_depends(s, e->left) && !sliding_depends(s, e->right))
            continue;
        e->left = walk_substitute(s->dag, e->left, s->inlined);
        e->right = walk_substitute(s->dag, e->right, s->inlined);
    }
    s->is_done = ARENA_ARRAY(s->dag->arena, list->count, bool);
    if (!sliding_rates(s))
        return;
    for (uint32_t i = 0; i < list->count; i++) {
        AssembledEquation *e = &list->items[i];
        if (s->is_done[i] || (!sliding_depends(s, e->left) && !sliding_depends(s, e->right)))
            continue;
        e->left = relax(s, e->left);
        e->right = relax(s, e->right);
    }
}

// ---------------------------------------------------------------------------
// All
// ---------------------------------------------------------------------------

static void add_equations(Sliding *s)
{
    Gathered *g = s->g;
    AssembledEquations *list = &g->equations;
    const uint32_t count = list->count + g->surface_count;
    AssembledEquation *items = ARENA_ARRAY(s->dag->arena, count, AssembledEquation);
    uint32_t *continuous =
        ARENA_ARRAY(s->dag->arena, g->continuous_count + g->surface_count, uint32_t);
    memcpy(items, list->items, list->count * sizeof *items);
    memcpy(continuous, g->continuous, g->continuous_count * sizeof *continuous);
    for (uint32_t i = 0; i < g->surface_count; i++) {
        const GatheredSurface *surface = &g->surfaces[i];
        items[list->count++] = (AssembledEquation){.left = surface->function,
                                                   .right = s->dag->zero,
                                                   .span = s->dag->holds[surface->members[0]].span};
        g->is_unknown[surface->variable] = true;
        continuous[g->continuous_count++] = surface->variable;
    }
    list->items = items;
    g->continuous = continuous;
}

bool sliding_gather(Gathered *g)
{
    Dag *dag = g->assembly->dag;
    if (!g->slides)
        return true;
    Sliding s = {.g = g, .dag = dag, .side_of = memo_take(dag), .inlined = memo_take(dag)};
    find_surfaces(&s);
    const bool is_fine = inline_discrete(&s) && check_readers(&s);
    if (is_fine) {
        relax_equations(&s);
        add_equations(&s);
    }
    memo_give(s.inlined);
    memo_give(s.side_of);
    return is_fine && !s.has_failed;
}
