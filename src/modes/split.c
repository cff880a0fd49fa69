// SPDX-License-Identifier: MIT

#include "modes/split.h"

#include "modes/reword.h"

typedef struct Splitter {
    Arena *arena;
    FlatModel *flat;
    uint32_t equation_room, conditional_room;
    uint32_t first_conditional;         // that is none of the model's own
    const bool *is_open;                // see SplitOccurrences; NULL: not known yet
    const bool *is_zero;                // by variable: a parameter that is zero
    const FlatExpression **definitions; // of Boolean variables, see split_decider
    FlatIf **joined; // by if-equation of the model: an earlier one that is decided alike; or NULL
} Splitter;

static bool is_choice(const FlatExpression *e)
{
    return e->kind == FLAT_IF && !e->is_silent && e->rank == 0 && e->type == &flat_type_real;
}

static bool split_is_zero(const Splitter *s, const FlatExpression *e)
{
    return e->kind == FLAT_VARIABLE ? s->is_zero[e->variable->index]
                                    : e->kind == FLAT_REAL && e->real == 0.0;
}

static bool is_product(const FlatExpression *e)
{
    return e->kind == FLAT_OPERATION && e->operation == OPERATION_MULTIPLY && e->count == 2;
}

// ---------------------------------------------------------------------------
// Factors that are zero in a branch
// ---------------------------------------------------------------------------

static bool has_branch_of_zero(const Splitter *s, const FlatExpression *choice)
{
    bool result = split_is_zero(s, choice->operands[choice->count - 1]);
    for (uint32_t i = 1; i < choice->count; i += 2)
        result |= split_is_zero(s, choice->operands[i]);
    return result;
}

static bool has_open(const bool *is_open, const FlatExpression *e)
{
    bool result = e->kind == FLAT_VARIABLE && e->variability == FLAT_CONTINUOUS &&
                  is_open[e->variable->index];
    for (uint32_t i = 0; i < e->count && !result; i++)
        result = has_open(is_open, e->operands[i]);
    return result;
}

// The product in a sum whose first or second factor is such a choice, which takes the other one
// away, i = s*(if off then 0 else 1), or with a factor that another equation takes away; NULL:
// there is none.
static const FlatExpression *product_with_choice(const Splitter *s, const FlatExpression *e,
                                                 FlatExpression **choice)
{
    const FlatExpression *found = NULL;
    if (e->kind != FLAT_OPERATION || e->rank != 0 || e->type != &flat_type_real)
        return NULL;
    for (uint32_t i = 0; i < 2 && is_product(e); i++)
        if (is_choice(e->operands[i]) && e->operands[1 - i]->variability == FLAT_CONTINUOUS &&
            (has_branch_of_zero(s, e->operands[i]) ||
             (s->is_open && has_open(s->is_open, e->operands[1 - i])))) {
            *choice = e->operands[i];
            return e;
        }
    for (uint32_t i = 0; i < e->count && !found; i++)
        found = product_with_choice(s, e->operands[i], choice);
    return found;
}

static bool has_derivative(const FlatExpression *e)
{
    bool result = e->kind == FLAT_OPERATION && e->operation == OPERATION_DER;
    for (uint32_t i = 0; i < e->count && !result; i++)
        result = has_derivative(e->operands[i]);
    return result;
}

// An expression with a value in the place of a choice.
static FlatExpression *split_insert(Arena *arena, FlatExpression *e, const FlatExpression *choice,
                                    FlatExpression *value)
{
    if (e == choice)
        return value;
    FlatExpression *copy = e;
    for (uint32_t i = 0; i < e->count; i++) {
        FlatExpression *operand = split_insert(arena, e->operands[i], choice, value);
        if (operand == e->operands[i])
            continue;
        if (copy == e) {
            copy = ARENA_NEW(arena, FlatExpression);
            *copy = *e;
            copy->operands = ARENA_ARRAY(arena, e->count, FlatExpression *);
            memcpy(copy->operands, e->operands, e->count * sizeof *e->operands);
        }
        copy->operands[i] = operand;
    }
    return copy;
}

// Whether this operand of a choice is what it is in a branch, not a condition.
static bool is_branch_value(const FlatExpression *choice, uint32_t i)
{
    return i % 2 == 1 || i + 1 == choice->count;
}

// A side of an equation as a choice of what it is in each branch.
static FlatExpression *split_spread(const Splitter *s, FlatExpression *side, FlatExpression *choice)
{
    FlatExpression *result = ARENA_NEW(s->arena, FlatExpression);
    *result = *choice;
    result->operands = ARENA_ARRAY(s->arena, choice->count, FlatExpression *);
    for (uint32_t i = 0; i < choice->count; i++) {
        FlatExpression *e = choice->operands[i];
        result->operands[i] =
            is_branch_value(choice, i) ? split_insert(s->arena, side, choice, e) : e;
    }
    return result;
}

// A choice that is a term of a sum, and that takes away in a branch what it has in another one:
// u = E + (if on then 0 else s); NULL: there is none.
static FlatExpression *split_find_term(FlatExpression *e)
{
    if (is_choice(e)) {
        bool has_number = false;
        for (uint32_t i = 0; i < e->count && !has_number; i++)
            has_number = is_branch_value(e, i) && e->operands[i]->variability <= FLAT_PARAMETER;
        return has_number ? e : NULL;
    }
    FlatExpression *found = NULL;
    if (e->kind == FLAT_OPERATION && e->rank == 0 &&
        (e->operation == OPERATION_ADD || e->operation == OPERATION_SUBTRACT ||
         e->operation == OPERATION_NEGATE))
        for (uint32_t i = 0; i < e->count && !found; i++)
            found = split_find_term(e->operands[i]);
    return found;
}

// The sum as a choice, if it has such a term; those in its branches, too, up to a depth.
static FlatExpression *split_spread_terms(const Splitter *s, FlatExpression *side, int depth)
{
    FlatExpression *term = depth > 0 && !is_choice(side) ? split_find_term(side) : NULL;
    if (!term)
        return side;
    FlatExpression *result = split_spread(s, side, term);
    for (uint32_t i = 0; i < result->count; i++)
        if (is_branch_value(result, i))
            result->operands[i] = split_spread_terms(s, result->operands[i], depth - 1);
    return result;
}

static const FlatEquation *split_lift_terms(const Splitter *s, const FlatEquation *e)
{
    enum { MOST_TERMS = 4 };
    FlatExpression *left = split_spread_terms(s, e->left, MOST_TERMS);
    FlatExpression *right =
        left == e->left ? split_spread_terms(s, e->right, MOST_TERMS) : e->right;
    if (left == e->left && right == e->right)
        return e;
    FlatEquation *lifted = ARENA_NEW(s->arena, FlatEquation);
    *lifted = *e;
    lifted->left = left;
    lifted->right = right;
    return lifted;
}

// The equation with a choice for a side that contains a factor which is zero in a branch, and
// whether that takes a derivative away; else one with a choice for a side that has it as a term;
// else as it is.
static const FlatEquation *split_lift(const Splitter *s, const FlatEquation *e, bool *is_needed)
{
    FlatExpression *choice = NULL;
    *is_needed = false;
    if (e->kind == FLAT_EQUATION_CALL || is_choice(e->left) || is_choice(e->right))
        return e;
    const FlatExpression *product = product_with_choice(s, e->left, &choice);
    const bool is_left = product != NULL;
    if (!product)
        product = product_with_choice(s, e->right, &choice);
    if (!product)
        return split_lift_terms(s, e);
    FlatEquation *lifted = ARENA_NEW(s->arena, FlatEquation);
    *lifted = *e;
    FlatExpression **side = is_left ? &lifted->left : &lifted->right;
    *side = split_spread(s, *side, choice);
    *is_needed = has_derivative(product);
    return lifted;
}

// ---------------------------------------------------------------------------
// Variables that occur in branches only
// ---------------------------------------------------------------------------

// u = if on then 0 else s, i = if on then s else 0: no equation has s in both branches, so none is
// good for it in both modes.
typedef struct SplitOccurrences {
    const Splitter *splitter;
    bool *is_open;           // by variable: it occurs, but nowhere in all branches of an equation
    bool *is_always;         // by variable: there is such an equation, or it is known otherwise
    bool *is_dropped;        // by variable: it decides about an equation that lacks it in a branch
    uint32_t *leaves, *last; // by variable: branches of the present equation; the last one, from 1
    uint32_t leaf;
    uint32_t *list, count; // variables of the present equation
} SplitOccurrences;

// (What conditions contain is not what the equation can be solved for, nor is 0*s.)
static void count_variables(SplitOccurrences *o, const FlatExpression *e)
{
    if (e->type == &flat_type_boolean ||
        (is_product(e) && (split_is_zero(o->splitter, e->operands[0]) ||
                           split_is_zero(o->splitter, e->operands[1]))))
        return;
    if (e->kind == FLAT_VARIABLE && e->variability == FLAT_CONTINUOUS) {
        const uint32_t v = e->variable->index;
        if (o->last[v] == o->leaf)
            return;
        if (o->leaves[v]++ == 0)
            o->list[o->count++] = v;
        o->last[v] = o->leaf;
    }
    for (uint32_t i = 0; i < e->count; i++)
        count_variables(o, e->operands[i]);
}

// Each branch of a choice, and of choices in it, with the other side of the equation.
static void count_leaves(SplitOccurrences *o, const FlatExpression *value,
                         const FlatExpression *other)
{
    if (is_choice(value)) {
        for (uint32_t i = 1; i < value->count; i += 2)
            count_leaves(o, value->operands[i], other);
        count_leaves(o, value->operands[value->count - 1], other);
        return;
    }
    o->leaf++;
    count_variables(o, value);
    count_variables(o, other);
}

static bool split_is_not(const FlatExpression *e)
{
    return e->kind == FLAT_OPERATION && e->operation == OPERATION_NOT;
}

// By Boolean variable: what the equation `off = s < 0` says that it is; or NULL.
static const FlatExpression **split_find_definitions(Arena *arena, const FlatModel *flat)
{
    const FlatExpression **result =
        ARENA_ARRAY(arena, flat->variable_count + 1u, const FlatExpression *);
    for (uint32_t i = 0; i < flat->equation_count; i++) {
        const FlatEquation *e = flat->equations[i];
        if (e->kind != FLAT_EQUATION_CALL && !e->guard && e->left->kind == FLAT_VARIABLE &&
            e->left->type == &flat_type_boolean)
            result[e->left->variable->index] = e->right;
    }
    return result;
}

// What a condition is, by what Boolean variables and `not` in it are.
static const FlatExpression *split_resolve(const Splitter *s, const FlatExpression *condition,
                                           bool *is_opposite)
{
    enum { MOST_STEPS = 16 };
    const FlatExpression *e = condition;
    for (int step = 0; step < MOST_STEPS; step++) {
        const bool is_not = split_is_not(e);
        const FlatExpression *next = is_not                     ? e->operands[0]
                                     : e->kind == FLAT_VARIABLE ? s->definitions[e->variable->index]
                                                                : NULL;
        if (!next)
            break;
        *is_opposite ^= is_not;
        e = next;
    }
    return e;
}

// The variable that a condition compares with a number, and the relation; NULL: it is something
// else. *is_below: it holds where the variable is less.
static const FlatVariable *split_decider(const Splitter *s, const FlatExpression *condition,
                                         const FlatExpression **number, bool *is_below)
{
    *is_below = false;
    const FlatExpression *e = split_resolve(s, condition, is_below);
    if (e->kind != FLAT_OPERATION || e->operation < OPERATION_LESS ||
        e->operation > OPERATION_GREATER_EQUAL)
        return NULL;
    for (uint32_t i = 0; i < 2; i++) {
        if (e->operands[i]->kind != FLAT_VARIABLE ||
            e->operands[i]->variability != FLAT_CONTINUOUS ||
            e->operands[1 - i]->variability > FLAT_PARAMETER)
            continue;
        const bool is_less = e->operation == OPERATION_LESS || e->operation == OPERATION_LESS_EQUAL;
        *is_below ^= is_less == (i == 0);
        *number = e->operands[1 - i];
        return e->operands[i]->variable;
    }
    return NULL;
}

// u = s*(if s < 0 then 1 else 0): the equation is not good for what decides about its branches in
// all of them, whatever other equations are.
static void split_open_decider(SplitOccurrences *o, const FlatEquation *e, uint32_t leaves)
{
    if (e->kind == FLAT_EQUATION_CALL || (!is_choice(e->left) && !is_choice(e->right)))
        return;
    const FlatExpression *choice = is_choice(e->right) ? e->right : e->left;
    const FlatExpression *number;
    bool is_below;
    const FlatVariable *decider =
        split_decider(o->splitter, choice->operands[0], &number, &is_below);
    if (decider && o->leaves[decider->index] > 0 && o->leaves[decider->index] < leaves)
        o->is_dropped[decider->index] = true;
}

static void split_count_equation(SplitOccurrences *o, const FlatEquation *e)
{
    const uint32_t first = o->leaf;
    if (e->kind == FLAT_EQUATION_CALL) {
        o->leaf++;
        count_variables(o, e->right);
        for (uint32_t i = 0; i < e->target_count; i++)
            if (e->targets[i])
                count_variables(o, e->targets[i]);
    } else if (is_choice(e->right)) {
        count_leaves(o, e->right, e->left);
    } else {
        count_leaves(o, e->left, e->right);
    }
    split_open_decider(o, e, o->leaf - first);
    for (uint32_t k = 0; k < o->count; k++) {
        const uint32_t v = o->list[k];
        o->is_always[v] |= o->leaves[v] == o->leaf - first;
        o->is_open[v] = !o->is_always[v];
        o->leaves[v] = 0;
    }
    o->count = 0;
}

static const bool *split_find_open(const Splitter *s, const FlatModel *flat)
{
    Arena *arena = s->arena;
    const uint32_t n = flat->variable_count;
    SplitOccurrences o = {.splitter = s,
                          .is_open = ARENA_ARRAY(arena, n, bool),
                          .is_always = ARENA_ARRAY(arena, n, bool),
                          .is_dropped = ARENA_ARRAY(arena, n, bool),
                          .leaves = ARENA_ARRAY(arena, n, uint32_t),
                          .last = ARENA_ARRAY(arena, n, uint32_t),
                          .list = ARENA_ARRAY(arena, n, uint32_t)};
    for (uint32_t i = 0; i < flat->algorithm_count; i++)
        for (uint32_t k = 0; k < flat->algorithms[i]->defined_count; k++)
            o.is_always[flat->algorithms[i]->defined[k]->index] = true;
    for (uint32_t v = 0; v < n; v++)
        o.is_always[v] |= flat->variables[v]->direction == FLAT_INPUT;
    for (uint32_t i = 0; i < flat->equation_count; i++) {
        bool is_needed;
        split_count_equation(&o, split_lift(s, flat->equations[i], &is_needed));
    }
    for (uint32_t v = 0; v < n; v++)
        o.is_open[v] |= o.is_dropped[v];
    return o.is_open;
}

// ---------------------------------------------------------------------------
// Equations
// ---------------------------------------------------------------------------

// The choice on one side of an equation, if the other side is a number, or if it contains what
// occurs in branches only, or if it decides whether there is a derivative; NULL: there is none. The
// equation becomes one with that choice for a side.
static FlatExpression *split_choice_of(const Splitter *s, const FlatEquation **equation)
{
    bool is_needed;
    const FlatEquation *e = split_lift(s, *equation, &is_needed);
    const bool is_lifted = e != *equation;
    if (e->kind == FLAT_EQUATION_CALL)
        return NULL;
    FlatExpression *const sides[] = {e->left, e->right};
    for (int i = 0; i < 2; i++)
        if (is_choice(sides[i]) &&
            (is_needed || (!is_lifted && sides[1 - i]->variability <= FLAT_PARAMETER) ||
             has_open(s->is_open, sides[i]))) {
            *equation = e;
            return sides[i];
        }
    return NULL;
}

static void split_add_equation(Splitter *s, FlatEquation *e)
{
    FlatModel *m = s->flat;
    ARENA_PUSH(s->arena, m->equations, m->equation_count, s->equation_room, e);
}

bool split_is_equal(const FlatExpression *a, const FlatExpression *b)
{
    if (a == b)
        return true;
    if (a->kind != b->kind || a->type != b->type || a->count != b->count)
        return false;
    const bool is_same = a->kind == FLAT_VARIABLE    ? a->variable == b->variable
                         : a->kind == FLAT_REAL      ? a->real == b->real
                         : a->kind == FLAT_BOOLEAN   ? a->boolean == b->boolean
                         : a->kind == FLAT_OPERATION ? a->operation == b->operation
                         : a->kind == FLAT_INTEGER || a->kind == FLAT_ENUMERATION
                             ? a->integer == b->integer
                             : false;
    for (uint32_t i = 0; i < a->count && is_same; i++)
        if (!split_is_equal(a->operands[i], b->operands[i]))
            return false;
    return is_same;
}

// Whether one condition is the other, or (is_opposite) its opposite, in other words: `not off`,
// 0 > s and s >= 0 beside s < 0.
static bool split_is_condition(const FlatExpression *a, const FlatExpression *b, bool is_opposite)
{
    if (a->kind != FLAT_OPERATION || b->kind != FLAT_OPERATION)
        return false;
    static const Operation turned[][4] = {
        // operation, operands exchanged, its opposite, the opposite with operands exchanged
        {OPERATION_LESS, OPERATION_GREATER, OPERATION_GREATER_EQUAL, OPERATION_LESS_EQUAL},
        {OPERATION_GREATER, OPERATION_LESS, OPERATION_LESS_EQUAL, OPERATION_GREATER_EQUAL},
        {OPERATION_LESS_EQUAL, OPERATION_GREATER_EQUAL, OPERATION_GREATER, OPERATION_LESS},
        {OPERATION_GREATER_EQUAL, OPERATION_LESS_EQUAL, OPERATION_LESS, OPERATION_GREATER},
    };
    for (size_t k = 0; k < sizeof turned / sizeof *turned; k++) {
        const Operation *is = turned[k] + (is_opposite ? 2 : 0);
        if (a->operation != turned[k][0] || a->count != 2 || b->count != 2)
            continue;
        for (uint32_t x = 0; x < 2; x++)
            if (b->operation == is[x] && split_is_equal(a->operands[0], b->operands[x]) &&
                split_is_equal(a->operands[1], b->operands[1 - x]))
                return true;
    }
    return false;
}

bool split_is_same(const FlatExpression *a, const FlatExpression *b, bool is_opposite)
{
    if (split_is_not(a))
        return split_is_same(a->operands[0], b, !is_opposite);
    if (split_is_not(b))
        return split_is_same(a, b->operands[0], !is_opposite);
    return (!is_opposite && split_is_equal(a, b)) || split_is_condition(a, b, is_opposite);
}

// Whether an expression is zero where a variable is.
static bool split_vanishes(const Splitter *s, const FlatExpression *e, const FlatVariable *v)
{
    if (e->kind == FLAT_VARIABLE && e->variable == v)
        return true;
    if (e->kind != FLAT_OPERATION || e->rank != 0)
        return split_is_zero(s, e);
    switch ((Operation)e->operation) {
    case OPERATION_ADD:
    case OPERATION_SUBTRACT:
    case OPERATION_NEGATE:
        for (uint32_t i = 0; i < e->count; i++)
            if (!split_vanishes(s, e->operands[i], v))
                return false;
        return true;
    case OPERATION_MULTIPLY:
        return is_product(e) &&
               (split_vanishes(s, e->operands[0], v) || split_vanishes(s, e->operands[1], v));
    default:
        return false;
    }
}

// Whether both conditions are the sign of one variable, strictly or not, and the choice by one of
// them is zero where that is zero: i = if s > 0 then s else 0 may as well be decided by s < 0.
static bool split_is_near(const Splitter *s, const FlatExpression *a, const FlatExpression *choice,
                          bool is_opposite)
{
    const FlatExpression *numbers[2] = {NULL};
    bool are_below[2];
    const FlatVariable *one = split_decider(s, a, &numbers[0], &are_below[0]);
    const FlatVariable *other = split_decider(s, choice->operands[0], &numbers[1], &are_below[1]);
    return one && one == other && choice->count == 3 && split_is_zero(s, numbers[0]) &&
           split_is_zero(s, numbers[1]) && (are_below[0] != are_below[1]) == is_opposite &&
           split_vanishes(s, choice->operands[1], one) &&
           split_vanishes(s, choice->operands[2], one);
}

// The same after split_resolve.
static bool split_is_resolved(const Splitter *s, const FlatExpression *a, const FlatExpression *b,
                              bool is_opposite)
{
    a = split_resolve(s, a, &is_opposite);
    b = split_resolve(s, b, &is_opposite);
    return split_is_same(a, b, is_opposite);
}

// Equations of one component with the same conditions are one if-equation, also with one of the
// model: none of them alone says what a diode is. is_opposite: those with two branches that stand
// the other way round.
static FlatIf *find_conditional(const Splitter *s, const FlatEquation *e,
                                const FlatExpression *choice, bool is_opposite)
{
    for (uint32_t k = 0; k < s->flat->conditional_count; k++) {
        FlatIf *other = s->flat->conditionals[k];
        if (k < s->first_conditional && (other->is_initial || s->joined[k]))
            continue;
        bool is_same = other->guard == e->guard && other->component == e->origin.component &&
                       other->count == choice->count / 2 + 1 && (other->count == 2 || !is_opposite);
        for (uint32_t b = 0; b + 1 < other->count && is_same; b++)
            is_same =
                split_is_resolved(s, other->conditions[b], choice->operands[2 * b], is_opposite) ||
                split_is_near(s, other->conditions[b], choice, is_opposite);
        if (is_same)
            return other;
    }
    return NULL;
}

// The same of if-equations that the model has: `if off then i = 0; else u = 0; end if; if off then
// s = u; else s = i; end if;` is one. False: there are none.
static bool split_join(Splitter *s, const FlatModel *flat)
{
    enum { MOST_BACK = 500 };
    bool is_any = false;
    s->joined = ARENA_ARRAY(s->arena, flat->conditional_count + 1u, FlatIf *);
    for (uint32_t k = 0; k < flat->conditional_count; k++) {
        const FlatIf *c = flat->conditionals[k];
        for (uint32_t i = k > MOST_BACK ? k - MOST_BACK : 0;
             i < k && !c->is_initial && !s->joined[k]; i++) {
            FlatIf *other = flat->conditionals[i];
            bool is_same = !s->joined[i] && !other->is_initial && other->guard == c->guard &&
                           other->component == c->component && other->count == c->count;
            for (uint32_t b = 0; b + 1 < c->count && is_same; b++)
                is_same = split_is_resolved(s, other->conditions[b], c->conditions[b], false);
            if (is_same)
                s->joined[k] = other;
        }
        is_any |= s->joined[k] != NULL;
    }
    return is_any;
}

// An equation of an if-equation that is joined to another one.
static FlatEquation *split_rejoin(const Splitter *s, FlatEquation *e)
{
    FlatIf *const other =
        e->guard && !e->guard->state ? s->joined[e->guard->conditional->index] : NULL;
    if (!other)
        return e;
    FlatEquation *copy = ARENA_NEW(s->arena, FlatEquation);
    FlatGuard *guard = ARENA_NEW(s->arena, FlatGuard);
    *copy = *e;
    *guard = *e->guard;
    guard->conditional = other;
    copy->guard = guard;
    return copy;
}

// (Numbers are a name for what the condition says, g = if s > 0 then 1 else 0.)
static void split_note_difference(const Splitter *s, FlatIf *c, const FlatExpression *choice)
{
    bool is_opposite = false;
    if (c->index < s->first_conditional)
        return;
    if (choice->count == 3 &&
        reword_is_complementary(s->arena, split_resolve(s, choice->operands[0], &is_opposite),
                                choice->operands[1], choice->operands[2]))
        c->has_multiples = true;
    else
        c->has_jumps |= choice->count != 3 || choice->operands[1]->kind != FLAT_REAL ||
                        choice->operands[2]->kind != FLAT_REAL;
}

static FlatIf *split_add_conditional(Splitter *s, const FlatEquation *e,
                                     const FlatExpression *choice, bool *is_opposite)
{
    FlatModel *m = s->flat;
    FlatIf *other = find_conditional(s, e, choice, false);
    *is_opposite = false;
    if (!other) {
        other = find_conditional(s, e, choice, true);
        *is_opposite = other != NULL;
    }
    if (other)
        return other;
    ARENA_ROOM(s->arena, m->conditionals, m->conditional_count, s->conditional_room);
    const uint32_t branches = choice->count / 2 + 1;
    FlatIf *conditional = ARENA_NEW(s->arena, FlatIf);
    *conditional = (FlatIf){.index = m->conditional_count,
                            .count = branches,
                            .conditions = ARENA_ARRAY(s->arena, branches, FlatExpression *),
                            .guard = e->guard,
                            .component = e->origin.component,
                            .span = e->origin.span};
    for (uint32_t b = 0; b + 1 < branches; b++)
        conditional->conditions[b] = choice->operands[2 * b];
    m->conditionals[m->conditional_count++] = conditional;
    return conditional;
}

static void modes_split_split(Splitter *s, FlatEquation *equation)
{
    const FlatEquation *e = equation;
    FlatExpression *choice = split_choice_of(s, &e);
    if (!choice) {
        split_add_equation(s, equation);
        return;
    }
    bool is_opposite;
    FlatIf *conditional = split_add_conditional(s, e, choice, &is_opposite);
    split_note_difference(s, conditional, choice);
    for (uint32_t b = 0; b < conditional->count; b++) {
        const bool is_last = b + 1 == conditional->count;
        FlatExpression *value = choice->operands[is_last ? 2 * b : 2 * b + 1];
        FlatGuard *guard = ARENA_NEW(s->arena, FlatGuard);
        FlatEquation *branch = ARENA_NEW(s->arena, FlatEquation);
        *guard = (FlatGuard){
            .outer = e->guard, .conditional = conditional, .branch = is_opposite ? 1 - b : b};
        *branch = *e;
        branch->guard = guard;
        branch->left = e->left == choice ? value : e->left;
        branch->right = e->right == choice ? value : e->right;
        modes_split_split(s, branch); // a choice in a choice
    }
}

static bool split_has_choice(const Splitter *s, const FlatModel *flat)
{
    for (uint32_t i = 0; i < flat->equation_count; i++) {
        bool is_needed;
        const FlatEquation *e = split_lift(s, flat->equations[i], &is_needed);
        if (e->kind != FLAT_EQUATION_CALL && (is_choice(e->left) || is_choice(e->right)))
            return true;
    }
    return false;
}

// Whether anything is to be split.
static bool split_look(Splitter *s, const FlatModel *flat)
{
    if (!split_has_choice(s, flat))
        return false;
    s->is_open = split_find_open(s, flat);
    for (uint32_t i = 0; i < flat->equation_count; i++) {
        const FlatEquation *e = flat->equations[i];
        if (split_choice_of(s, &e))
            return true;
    }
    return false;
}

const FlatModel *split_choices(Arena *arena, const FlatModel *given)
{
    const FlatModel *flat = reword_choices(arena, given);
    const ArenaMark mark = arena_mark(arena);
    bool *is_zero = ARENA_ARRAY(arena, flat->variable_count + 1u, bool);
    for (uint32_t i = 0; i < flat->variable_count; i++) {
        const FlatVariable *v = flat->variables[i];
        is_zero[i] = v->is_structural && v->is_evaluated && FLAT_TYPE(v)->kind == FLAT_TYPE_REAL &&
                     v->value.real == 0.0;
    }
    Splitter s = {
        .arena = arena, .is_zero = is_zero, .definitions = split_find_definitions(arena, flat)};
    const bool is_joined = split_join(&s, flat);
    if (!split_look(&s, flat) && !is_joined) {
        arena_release(arena, mark);
        return flat;
    }
    FlatModel *copy = ARENA_NEW(arena, FlatModel);
    *copy = *flat;
    s.flat = copy;
    s.conditional_room = s.first_conditional = flat->conditional_count;
    copy->conditionals = ARENA_ARRAY(arena, flat->conditional_count, FlatIf *);
    if (flat->conditional_count)
        memcpy(copy->conditionals, flat->conditionals,
               flat->conditional_count * sizeof *copy->conditionals);
    copy->equations = NULL;
    copy->equation_count = 0;
    for (uint32_t i = 0; i < flat->equation_count; i++)
        modes_split_split(&s, split_rejoin(&s, flat->equations[i]));
    return copy;
}

// ---------------------------------------------------------------------------
// Parameters that are zero
// ---------------------------------------------------------------------------

// Factors that are zero.
static void mark_factors(const FlatExpression *e, const bool *is_zero, bool *is_marked)
{
    const bool is_factor = is_product(e) || e->kind == FLAT_IF;
    for (uint32_t i = 0; i < e->count; i++) {
        const FlatExpression *operand = e->operands[i];
        if (is_factor && operand->kind == FLAT_VARIABLE && is_zero[operand->variable->index])
            is_marked[operand->variable->index] = true;
        mark_factors(operand, is_zero, is_marked);
    }
}

void split_mark_zeros(Arena *arena, const FlatModel *flat, const bool *is_zero, bool *is_marked)
{
    const ArenaMark mark = arena_mark(arena);
    Splitter s = {
        .arena = arena, .is_zero = is_zero, .definitions = split_find_definitions(arena, flat)};
    Splitter now = {.arena = arena, .is_zero = ARENA_ARRAY(arena, flat->variable_count + 1u, bool)};
    const bool is_any = split_look(&s, flat);
    now.definitions = s.definitions;
    now.is_open = is_any ? split_find_open(&now, flat) : NULL;
    for (uint32_t i = 0; i < flat->equation_count && is_any; i++) {
        const FlatEquation *e = flat->equations[i], *same = e;
        if (split_choice_of(&now, &same) || !split_choice_of(&s, &same))
            continue;
        mark_factors(e->left, is_zero, is_marked);
        mark_factors(e->right, is_zero, is_marked);
    }
    arena_release(arena, mark);
}
