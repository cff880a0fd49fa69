// SPDX-License-Identifier: MIT
//
// Clocked partitions without clocks: see clock.h.
//
// Each clock that occurs becomes a Boolean `tick`, true at the instants of its ticks only, and an
// Integer `count` of them. For a periodic one, tick k is at (shift + k factor) period: `next` is
// the time of the tick after this one, computed from the count and not from the tick before, so
// that no rounding adds up. Those with an event, or with an interval that changes, count for
// themselves; every n-th tick of another clock is made of that one's.
//
// What the operators become, where the group of the expression ticks:
//
//   previous(x)                the value of the tick before, the start value at the first
//   sample(u)                  the left limit of u
//   subSample(x), its like     a variable that keeps the value of the last tick of x
//   hold(x)                    the left limit of such a variable
//   interval(x)                the interval of the clock, or the time since the tick before
//
// Equations of the partition get the tick, and are then what a when clause at that tick would be;
// their if-equations become if-expressions, since a partition has no modes.

#include "flatten/clock.h"

#include "flatten/instance.h"

// ---------------------------------------------------------------------------
// New variables and equations
// ---------------------------------------------------------------------------

static FlatComponent *clock_component(Clocks *c, FlatComponent *parent, const char *name, Span span)
{
    Instance *i = instance_new(c->f);
    *i->flat =
        (FlatComponent){.name = names_intern_text(c->f->names, name),
                        .parent = parent,
                        .declared = flat_declaration(c->f->arena, "Clock", span, (String){0}),
                        .is_protected = true,
                        .instance = i};
    i->stage = INSTANCE_OPEN;
    i->kind = INSTANCE_SIMPLE;
    return i->flat;
}

FlatVariable *clock_variable(Clocks *c, const char *owner, const char *name, const FlatType *type,
                             FlatVariability kind, FlatExpression *start, Span span)
{
    Arena *arena = c->f->arena;
    FlatComponent *root = c->f->top->flat;
    FlatVariable *v = ARENA_NEW(arena, FlatVariable);
    v->component =
        clock_component(c, owner ? clock_component(c, root, owner, span) : root, name, span);
    v->kind =
        (uint8_t)(type->kind == FLAT_TYPE_REAL || kind < FLAT_CONTINUOUS ? kind : FLAT_DISCRETE);
    v->is_protected = true;
    v->reference = (FlatExpression){
        .kind = FLAT_VARIABLE, .variability = (uint8_t)v->kind, .span = span, .type = type};
    v->reference.variable = v;
    FlatAttributes *a = ARENA_NEW(arena, FlatAttributes);
    *a = (FlatAttributes){.state_select = FLAT_SELECT_DEFAULT,
                          .start = start,
                          .is_fixed = start != NULL,
                          .has_fixed = start != NULL};
    v->attributes = a;
    list_append(arena, &c->f->made.helpers, v);
    return v;
}

// "sample 3": no name of the model has a blank.
static const char *clock_helper_name(Clocks *c, const char *what)
{
    StringBuilder name = builder_create(c->f->arena);
    builder_append_format(&name, "%s %u", what, (unsigned)++c->helpers);
    return builder_string(&name).text;
}

FlatEquation *clock_equation(Clocks *c, FlatExpression *left, FlatExpression *right,
                             const ClockTick *tick, Span span)
{
    FlatEquation *e = ARENA_NEW(c->f->arena, FlatEquation);
    *e = (FlatEquation){.kind = FLAT_EQUATION_EQUALITY,
                        .origin = {.span = span, .component = c->f->top->flat},
                        .left = left,
                        .right = right,
                        .tick = tick ? tick->tick : NULL,
                        .scalar_count = 1};
    list_append(c->f->arena, &c->equations, e);
    return e;
}

FlatExpression *clock_pre(Clocks *c, FlatExpression *e, Span span)
{
    FlatExpression *pre = build_operation(c->f, OPERATION_PRE, e->type, 1, &e, span);
    pre->variability = FLAT_DISCRETE;
    return pre;
}

static FlatExpression *clock_binary(Clocks *c, Operation op, FlatExpression *a, FlatExpression *b)
{
    return build_binary(c->f, op, a, b, a->span);
}

// v = if tick then value else pre(v).
static void clock_at_tick(Clocks *c, const ClockTick *t, FlatVariable *v, FlatExpression *value)
{
    clock_equation(c, &v->reference, value, t, value->span);
}

// ---------------------------------------------------------------------------
// Ticks
// ---------------------------------------------------------------------------

static FlatExpression *clock_time(Clocks *c, Span span)
{
    return build_call(c->f, OPERATION_TIME, 0, NULL, span);
}

// The first instant: an event of its own, after the initialization.
static void clock_make_begin(Clocks *c, Span span)
{
    Flattener *f = c->f;
    if (c->begin)
        return;
    c->start = clock_variable(c, "clocks", "start", &flat_type_real, FLAT_PARAMETER, NULL, span);
    FlatAttributes *a = ARENA_NEW(f->arena, FlatAttributes);
    *a = *c->start->attributes;
    a->has_fixed = true;
    a->is_fixed = false;
    c->start->attributes = a;
    FlatEquation *initial = ARENA_NEW(f->arena, FlatEquation);
    *initial = (FlatEquation){.kind = FLAT_EQUATION_EQUALITY,
                              .origin = {.span = span, .component = f->top->flat},
                              .left = &c->start->reference,
                              .right = clock_time(c, span),
                              .scalar_count = 1};
    list_append(f->passing, &f->made.initial_equations, initial);
    c->begin = clock_variable(c, "clocks", "begin", &flat_type_boolean, FLAT_DISCRETE, NULL, span);
    FlatExpression *arguments[] = {&c->start->reference, build_real(f, 1e300, span)};
    clock_equation(c, &c->begin->reference, build_call(f, OPERATION_SAMPLE, 2, arguments, span),
                   NULL, span);
}

FlatExpression *clock_first(Clocks *c, const ClockTick *t, Span span)
{
    return build_binary(c->f, OPERATION_EQUAL, clock_pre(c, &t->count->reference, span),
                        build_integer(c->f, 0, span), span);
}

// whether pre(next) + start is reached, from the first instant on if is_immediate.
static FlatExpression *clock_reached(Clocks *c, FlatVariable *next, bool is_immediate, Span span)
{
    FlatExpression *at =
        clock_binary(c, OPERATION_ADD, &c->start->reference, clock_pre(c, &next->reference, span));
    FlatExpression *due =
        build_binary(c->f, OPERATION_GREATER_EQUAL, clock_time(c, span), at, span);
    return is_immediate ? clock_binary(c, OPERATION_OR, &c->begin->reference, due) : due;
}

static double rational_value(Rational a)
{
    return (double)a.num / (double)a.den;
}

static FlatExpression *clock_scaled(Clocks *c, FlatExpression *e, FlatExpression *by)
{
    return by ? clock_binary(c, OPERATION_MULTIPLY, e, by) : e;
}

// What is not known before the run is looked at in it.
static void clock_assert_positive(Clocks *c, FlatExpression *is_positive, Span span)
{
    Flattener *f = c->f;
    FlatAssertion *a = ARENA_NEW(f->arena, FlatAssertion);
    *a = (FlatAssertion){.origin = {.span = span, .component = f->top->flat},
                         .condition = is_positive,
                         .message =
                             build_string(f, "the interval of a clock must be positive", span),
                         .level = FLAT_LEVEL_ERROR};
    list_append(f->arena, &c->assertions, a);
}

// Tick k is at (shift + k factor) period: k times a whole number, plus a whole number, by a whole
// number.
static void clock_make_periodic(Clocks *c, ClockTick *t, FlatExpression *period, Span span)
{
    Flattener *f = c->f;
    const Rational factor = t->value.factor, shift = t->value.shift;
    const Rational common = rational_reduced(factor.den, shift.den);
    // Whole numbers: clock_check_value has looked at their size.
    const double den = (double)factor.den * (double)common.den;
    const double first = (double)shift.num * (double)common.num;
    const double step = (double)factor.num * (double)common.den;
    const bool is_immediate = shift.num == 0;
    if (period && period->kind != FLAT_REAL)
        clock_assert_positive(
            c, build_binary(f, OPERATION_GREATER, period, build_real(f, 0.0, span), span),
            period->span);
    clock_make_begin(c, span);
    FlatExpression *when = is_immediate ? build_real(f, 1e300, span)
                                        : clock_scaled(c, build_real(f, first / den, span), period);
    FlatVariable *next =
        clock_variable(c, t->name, "next", &flat_type_real, FLAT_DISCRETE, when, span);
    clock_equation(c, &t->tick->reference, clock_reached(c, next, is_immediate, span), NULL, span);
    FlatExpression *count = build_convert(f, &t->count->reference, &flat_type_real);
    FlatExpression *at =
        step == 1.0 ? count : clock_binary(c, OPERATION_MULTIPLY, count, build_real(f, step, span));
    if (first != 0.0)
        at = clock_binary(c, OPERATION_ADD, build_real(f, first, span), at);
    if (den != 1.0)
        at = clock_binary(c, OPERATION_DIVIDE, at, build_real(f, den, span));
    clock_at_tick(c, t, next, clock_scaled(c, at, period));
    t->interval = clock_scaled(c, build_real(f, rational_value(factor), span), period);
}

// interval() of a clock whose ticks are not known before.
static void clock_measure(Clocks *c, ClockTick *t, FlatExpression *first, Span span)
{
    Flattener *f = c->f;
    FlatVariable *last = clock_variable(c, t->name, "last", &flat_type_real, FLAT_DISCRETE,
                                        build_real(f, 0.0, span), span);
    FlatVariable *interval =
        clock_variable(c, t->name, "interval", &flat_type_real, FLAT_DISCRETE, NULL, span);
    FlatExpression *parts[] = {clock_first(c, t, span), first,
                               clock_binary(c, OPERATION_SUBTRACT, clock_time(c, span),
                                            clock_pre(c, &last->reference, span))};
    clock_at_tick(c, t, last, clock_time(c, span));
    clock_at_tick(c, t, interval, build_if(f, 3, parts, span));
    t->interval = &interval->reference;
}

// Ticks when a condition becomes true. What is true from the beginning has become true at it: the
// specification (section 16.3) does not say so, but Modelica.Clocked relies on it. An angle that
// begins far from its start value ticks once, or its rotational clock would be still for long.
static void clock_make_event(Clocks *c, ClockTick *t, const FlatExpression *root)
{
    Flattener *f = c->f;
    FlatExpression *condition = root->operands[0];
    ClockGroup *group = clock_group(c, condition);
    FlatVariable *v = clock_variable(c, t->name, "condition", &flat_type_boolean, FLAT_DISCRETE,
                                     NULL, root->span);
    clock_equation(c, &v->reference, clock_rewrite(c, condition, group), NULL, root->span);
    FlatExpression *reference = &v->reference;
    FlatExpression *edge = build_call(f, OPERATION_EDGE, 1, &reference, root->span);
    FlatExpression *initial = build_call(f, OPERATION_INITIAL, 0, NULL, root->span);
    edge = clock_binary(c, OPERATION_AND, edge, build_unary(f, OPERATION_NOT, initial, root->span));
    clock_make_begin(c, root->span);
    FlatExpression *first =
        clock_binary(c, OPERATION_AND, &c->begin->reference, clock_pre(c, reference, root->span));
    clock_equation(c, &t->tick->reference, clock_binary(c, OPERATION_OR, edge, first), NULL,
                   root->span);
    clock_measure(c, t, root->count > 1 ? root->operands[1] : build_real(f, 0.0, root->span),
                  root->span);
}

// The interval that a constructor has, of its argument's value.
static FlatExpression *clock_in_seconds(Clocks *c, const FlatExpression *root,
                                        FlatExpression *value)
{
    value = build_convert(c->f, value, &flat_type_real);
    return root->count > 1
               ? clock_binary(c, OPERATION_DIVIDE, value,
                              build_real(c->f, (double)root->operands[1]->integer, root->span))
               : value;
}

// Clock(interval) where the interval changes: the next tick is an interval after the last one.
static void clock_make_varying(Clocks *c, ClockTick *t, const FlatExpression *root)
{
    Flattener *f = c->f;
    const Span span = root->span;
    ClockGroup *group = clock_group(c, root);
    clock_make_begin(c, span);
    FlatVariable *next = clock_variable(c, t->name, "next", &flat_type_real, FLAT_DISCRETE,
                                        build_real(f, 1e300, span), span);
    clock_equation(c, &t->tick->reference, clock_reached(c, next, true, span), NULL, span);
    group->tick = t;
    FlatExpression *interval =
        clock_in_seconds(c, root, clock_rewrite(c, root->operands[0], group));
    FlatExpression *ago =
        clock_binary(c, OPERATION_SUBTRACT, clock_time(c, span), &c->start->reference);
    // Without an interval there is no next tick, so that the event ends, and this is noticed.
    FlatExpression *parts[] = {
        build_binary(f, OPERATION_GREATER, interval, build_real(f, 0.0, span), span),
        clock_binary(c, OPERATION_ADD, ago, interval), build_real(f, 1e300, span)};
    clock_at_tick(c, t, next, build_if(f, 3, parts, span));
    clock_assert_positive(
        c,
        clock_binary(
            c, OPERATION_OR,
            build_binary(f, OPERATION_EQUAL, &t->count->reference, build_integer(f, 0, span), span),
            clock_binary(c, OPERATION_LESS, &next->reference, build_real(f, 1e299, span))),
        root->operands[0]->span);
    // At the first tick it is the start value (section 16.10).
    const FlatExpression *given = root->operands[0];
    clock_measure(c, t,
                  given->kind == FLAT_VARIABLE
                      ? clock_in_seconds(c, root, clock_pre(c, &given->variable->reference, span))
                      : interval,
                  span);
}

static ClockTick *clock_tick_of(Clocks *c, const ClockValue *value, Span span);

// Every n-th tick of another clock, from a certain one on.
static void clock_make_part(Clocks *c, ClockTick *t, Span span)
{
    Flattener *f = c->f;
    const ClockValue whole = {.root = t->value.root, .factor = {1, 1}, .shift = {0, 1}};
    const ClockTick *base = clock_tick_of(c, &whole, span);
    FlatExpression *count = clock_pre(c, &base->count->reference, span);
    FlatExpression *shift = build_integer(f, t->value.shift.num, span);
    FlatExpression *after = clock_binary(c, OPERATION_SUBTRACT, count, shift);
    FlatExpression *pair[] = {after, build_integer(f, t->value.factor.num, span)};
    FlatExpression *rest = build_call(f, OPERATION_MOD, 2, pair, span);
    FlatExpression *is_due =
        clock_binary(c, OPERATION_AND, clock_binary(c, OPERATION_GREATER_EQUAL, count, shift),
                     clock_binary(c, OPERATION_EQUAL, rest, build_integer(f, 0, span)));
    clock_equation(c, &t->tick->reference,
                   clock_binary(c, OPERATION_AND, &base->tick->reference, is_due), NULL, span);
    clock_measure(c, t, base->interval, span);
}

static void clock_make(Clocks *c, ClockTick *t, Span span)
{
    const FlatExpression *root = t->value.root;
    const FlatExpression *first = root ? root->operands[0] : NULL;
    const bool is_whole = rational_equal(t->value.factor, (Rational){1, 1}) &&
                          rational_equal(t->value.shift, (Rational){0, 1});
    if (!root)
        clock_make_periodic(c, t, NULL, span);
    else if (first->type->kind != FLAT_TYPE_BOOLEAN && first->variability <= FLAT_PARAMETER)
        clock_make_periodic(c, t, build_convert(c->f, root->operands[0], &flat_type_real), span);
    else if (!is_whole)
        clock_make_part(c, t, span);
    else if (first->type->kind == FLAT_TYPE_BOOLEAN)
        clock_make_event(c, t, root);
    else
        clock_make_varying(c, t, root);
}

static ClockTick *clock_tick_of(Clocks *c, const ClockValue *value, Span span)
{
    for (uint32_t i = 0; i < c->ticks.count; i++) {
        ClockTick *t = c->ticks.items[i];
        if (t->value.root == value->root && rational_equal(t->value.factor, value->factor) &&
            rational_equal(t->value.shift, value->shift))
            return t;
    }
    Flattener *f = c->f;
    ClockTick *t = ARENA_NEW(f->arena, ClockTick);
    list_append(f->arena, &c->ticks, t);
    StringBuilder name = builder_create(f->arena);
    builder_append_format(&name, "clock %u", (unsigned)c->ticks.count);
    *t = (ClockTick){.value = *value, .name = builder_string(&name).text};
    t->tick = clock_variable(c, t->name, "tick", &flat_type_boolean, FLAT_DISCRETE, NULL, span);
    t->count = clock_variable(c, t->name, "count", &flat_type_integer, FLAT_DISCRETE,
                              build_integer(f, 0, span), span);
    clock_at_tick(c, t, t->count,
                  clock_binary(c, OPERATION_ADD, clock_pre(c, &t->count->reference, span),
                               build_integer(f, 1, span)));
    clock_make(c, t, span);
    return t;
}

ClockTick *clock_tick(Clocks *c, ClockGroup *g)
{
    if (g->is_known && !g->tick)
        g->tick = clock_tick_of(c, &g->value, g->known);
    return g->is_known ? g->tick : NULL;
}

// ---------------------------------------------------------------------------
// Expressions
// ---------------------------------------------------------------------------

// The argument of a conversion operator, as something that has a value of its own.
static FlatExpression *clock_held(Clocks *c, FlatExpression *argument, const char *what)
{
    ClockGroup *g = clock_group(c, argument);
    FlatExpression *value = clock_rewrite(c, argument, g);
    if (value->kind == FLAT_VARIABLE || value->variability <= FLAT_PARAMETER)
        return value;
    const ClockTick *tick = clock_tick(c, g);
    FlatVariable *v = clock_variable(c, NULL, clock_helper_name(c, what), value->type,
                                     tick ? FLAT_DISCRETE : FLAT_CONTINUOUS, NULL, argument->span);
    map_set(c->f->arena, &c->groups, v, g);
    clock_equation(c, &v->reference, value, tick, argument->span);
    return &v->reference;
}

// sample(u): the left limit.
static FlatExpression *clock_sampled(Clocks *c, const FlatExpression *e)
{
    FlatExpression *u = e->operands[0];
    if (u->kind == FLAT_OPERATION && u->operation == OPERATION_TIME)
        return u;
    FlatExpression *value = clock_held(c, u, "sample");
    return value->kind == FLAT_VARIABLE && value->variability > FLAT_PARAMETER
               ? clock_pre(c, value, e->span)
               : value;
}

static FlatExpression *clock_rewrite_operation(Clocks *c, FlatExpression *e, ClockGroup *g)
{
    const ClockTick *tick = clock_tick(c, g);
    switch ((Operation)e->operation) {
    case OPERATION_SAMPLE:
        return tick ? clock_sampled(c, e) : e;
    case OPERATION_HOLD: {
        // What depends on it follows in the next iteration of the event: it may be the condition of
        // the clock itself.
        FlatExpression *held = clock_held(c, e->operands[0], "hold");
        return held->variability <= FLAT_PARAMETER ? held : clock_pre(c, held, e->span);
    }
    case OPERATION_NO_CLOCK:
    case OPERATION_SUB_SAMPLE:
    case OPERATION_SUPER_SAMPLE:
    case OPERATION_SHIFT_SAMPLE:
    case OPERATION_BACK_SAMPLE:
        return clock_held(c, e->operands[0], operation_info((Operation)e->operation)->text);
    case OPERATION_PREVIOUS:
        return clock_previous_value(c, e->operands[0]->variable, e->span);
    case OPERATION_INTERVAL:
        return tick->interval;
    case OPERATION_FIRST_TICK:
        return clock_first(c, tick, e->span);
    case OPERATION_DER:
        return tick ? clock_derivative(c, e->operands[0], g, e->span) : NULL;
    default:
        return NULL;
    }
}

static FlatExpression *clock_copy(Clocks *c, FlatExpression *e, ClockGroup *g)
{
    FlatExpression *copy = build_node(c->f, (FlatKind)e->kind, e->type, e->count, e->span);
    FlatExpression **operands = copy->operands;
    *copy = *e;
    copy->operands = operands;
    bool is_same = !g->is_known;
    for (uint32_t i = 0; i < e->count; i++) {
        copy->operands[i] = clock_rewrite(c, e->operands[i], g);
        is_same = is_same && copy->operands[i] == e->operands[i];
    }
    if (is_same)
        return e;
    const uint8_t before = e->variability;
    copy->variability = FLAT_CONSTANT;
    build_vary(copy);
    // (Integer functions and impure ones are discrete whatever their operands are.)
    if (before == FLAT_DISCRETE && copy->variability != before)
        copy->variability = before;
    return copy;
}

FlatExpression *clock_rewrite(Clocks *c, FlatExpression *e, ClockGroup *g)
{
    if (e->kind == FLAT_VARIABLE) {
        if (e->variability == (uint8_t)e->variable->kind)
            return e;
        FlatExpression *copy = build_node(c->f, FLAT_VARIABLE, e->type, 0, e->span);
        *copy = *e;
        copy->variability = (uint8_t)e->variable->kind;
        return copy;
    }
    FlatExpression *result = NULL;
    if (e->kind == FLAT_CALL)
        result = map_find(&c->calls, e);
    else if (e->kind == FLAT_OPERATION)
        result = clock_rewrite_operation(c, e, g);
    else if (e->kind == FLAT_ACTIVE || e->kind == FLAT_STATE_TIME || e->kind == FLAT_STATE_TICKS)
        result = clock_machine_value(c, e);
    if (result || !e->count)
        return result ? result : e;
    result = clock_copy(c, e, g);
    if (e->kind == FLAT_CALL)
        map_set(c->f->arena, &c->calls, e, result);
    return result;
}

// ---------------------------------------------------------------------------
// If-equations
// ---------------------------------------------------------------------------

static void clock_refuse_if(Clocks *c, const FlatIf *conditional)
{
    report_error(c->f, conditional->span,
                 "the branches of this clocked 'if' do not have as many equations each, for the "
                 "same variables where these are not Real");
}

// The equation of a list that determines the variable; NULL: there is none.
static FlatEquation *clock_defining(const List *list, const FlatVariable *v)
{
    for (uint32_t i = 0; i < list->count; i++) {
        FlatEquation *e = list->items[i];
        if (e->left && e->left->kind == FLAT_VARIABLE && e->left->variable == v)
            return e;
    }
    return NULL;
}

// Equation `place` of the first branch, with those of the others that go with it, as one.
static bool clock_merge(Clocks *c, const FlatIf *conditional, const List *branches, uint32_t place)
{
    Flattener *f = c->f;
    FlatEquation *first = branches[0].items[place];
    const uint32_t count = conditional->count;
    FlatExpression **parts = ARENA_ARRAY(f->arena, 2 * count, FlatExpression *);
    bool is_explicit = first->left && first->left->kind == FLAT_VARIABLE;
    for (uint32_t b = 0; b < count && is_explicit; b++)
        is_explicit = clock_defining(&branches[b], first->left->variable) != NULL;
    for (uint32_t b = 0; b < count; b++) {
        const FlatEquation *e = is_explicit ? clock_defining(&branches[b], first->left->variable)
                                            : branches[b].items[place];
        if (!is_explicit && (!e->left || e->left->type->kind != FLAT_TYPE_REAL))
            return false;
        const uint32_t at = b + 1 == count ? 2 * b : 2 * b + 1;
        if (b + 1 < count)
            parts[2 * b] = conditional->conditions[b];
        parts[at] = is_explicit
                        ? e->right
                        : build_binary(f, OPERATION_SUBTRACT, e->left, e->right, e->origin.span);
    }
    FlatExpression *value = build_if(f, 2 * count - 1, parts, first->origin.span);
    FlatEquation *merged = ARENA_NEW(f->arena, FlatEquation);
    *merged = *first;
    merged->kind = FLAT_EQUATION_EQUALITY;
    merged->guard = conditional->guard;
    merged->left = is_explicit ? first->left : build_real(f, 0.0, first->origin.span);
    merged->right = value;
    map_set(f->arena, &c->groups, merged, clock_group(c, conditional));
    list_append(f->passing, &f->made.equations, merged);
    return true;
}

// An assertion in a branch holds if the branch is taken. (terminate is one that does not hold.)
static void clock_merge_assertions(Clocks *c, const FlatIf *conditional)
{
    Flattener *f = c->f;
    for (uint32_t i = 0; i < f->made.assertions.count; i++) {
        FlatAssertion *a = f->made.assertions.items[i];
        if (!a->guard || a->guard->conditional != conditional)
            continue;
        const uint32_t branch = a->guard->branch;
        FlatExpression *condition =
            a->condition ? a->condition : build_boolean(f, false, a->origin.span);
        if (conditional->conditions[branch])
            condition = clock_binary(
                c, OPERATION_OR,
                build_unary(f, OPERATION_NOT, conditional->conditions[branch], a->origin.span),
                condition);
        for (uint32_t b = 0; b < branch; b++)
            condition = clock_binary(c, OPERATION_OR, conditional->conditions[b], condition);
        a->condition = condition;
        a->guard = conditional->guard;
    }
}

// (a, b) = f(x) as equations of their own: the call is the same node in all.
static void clock_split_call(Clocks *c, const FlatEquation *e, FlatExpression *target,
                             uint32_t output, uint32_t *element, List *out)
{
    Flattener *f = c->f;
    if (target->kind == FLAT_ARRAY || target->kind == FLAT_RECORD) {
        for (uint32_t i = 0; i < target->count; i++)
            clock_split_call(c, e, target->operands[i], output, element, out);
        return;
    }
    FlatExpression *result = build_node(f, FLAT_RESULT, target->type, 1, e->origin.span);
    result->operands[0] = e->right;
    result->result.output = output;
    result->result.element = (*element)++;
    build_vary(result);
    FlatEquation *one = ARENA_NEW(f->arena, FlatEquation);
    *one = *e;
    one->kind = FLAT_EQUATION_EQUALITY;
    one->left = target;
    one->right = result;
    one->targets = NULL;
    one->target_count = 0;
    one->scalar_count = 1;
    list_append(f->arena, out, one);
}

static void clock_split(Clocks *c, FlatEquation *e, List *out)
{
    if (e->kind != FLAT_EQUATION_CALL) {
        list_append(c->f->arena, out, e);
        return;
    }
    for (uint32_t k = 0; k < e->target_count; k++) {
        uint32_t element = 0;
        if (e->targets[k])
            clock_split_call(c, e, e->targets[k], k, &element, out);
    }
}

// The equations of its branches as equations with if-expressions: a clocked partition has no modes.
static void clock_flatten_if(Clocks *c, const FlatIf *conditional)
{
    Flattener *f = c->f;
    List *branches = ARENA_ARRAY(f->arena, conditional->count, List);
    List others = {0};
    for (uint32_t i = 0; i < f->made.equations.count; i++) {
        FlatEquation *e = f->made.equations.items[i];
        const bool is_in = e->guard && e->guard->conditional == conditional;
        if (is_in)
            clock_split(c, e, &branches[e->guard->branch]);
        else
            list_append(f->arena, &others, e);
    }
    f->made.equations = others;
    bool is_fine = true;
    for (uint32_t b = 1; b < conditional->count && is_fine; b++)
        is_fine = branches[b].count == branches[0].count;
    for (uint32_t i = 0; i < branches[0].count && is_fine; i++)
        is_fine = clock_merge(c, conditional, branches, i);
    if (!is_fine)
        clock_refuse_if(c, conditional);
    clock_merge_assertions(c, conditional);
}

static void clocks_flatten_ifs(Clocks *c)
{
    Flattener *f = c->f;
    List others = {0};
    for (uint32_t i = f->made.conditionals.count; i-- > 0;) { // inner ones first
        const FlatIf *conditional = f->made.conditionals.items[i];
        if (!conditional->is_initial && clock_group(c, conditional)->is_known)
            clock_flatten_if(c, conditional);
    }
    for (uint32_t i = 0; i < f->made.conditionals.count; i++) {
        const FlatIf *conditional = f->made.conditionals.items[i];
        if (conditional->is_initial || !clock_group(c, conditional)->is_known)
            list_append(f->arena, &others, f->made.conditionals.items[i]);
    }
    f->made.conditionals = others;
}

// ---------------------------------------------------------------------------
// The model
// ---------------------------------------------------------------------------

// What a clocked partition computes changes at its ticks only.
static void clock_discrete(Clocks *c, FlatExpression *e)
{
    if (e->kind == FLAT_VARIABLE && e->variable->kind == FLAT_CONTINUOUS &&
        clock_group(c, e->variable)->is_known) {
        e->variable->kind = FLAT_DISCRETE;
        e->variable->reference.variability = FLAT_DISCRETE;
    }
    for (uint32_t i = 0; i < e->count; i++)
        clock_discrete(c, e->operands[i]);
}

static void clock_discrete_equation(Clocks *c, const FlatEquation *e)
{
    if (e->left)
        clock_discrete(c, e->left);
    clock_discrete(c, e->right);
    for (uint32_t i = 0; i < e->target_count; i++)
        if (e->targets[i])
            clock_discrete(c, e->targets[i]);
}

static FlatExpression *clock_rewrite_given(Clocks *c, FlatExpression *e, ClockGroup *g)
{
    return e ? clock_rewrite(c, e, g) : NULL;
}

static void clock_lower_equation(Clocks *c, FlatEquation *e)
{
    ClockGroup *g = clock_group(c, e);
    const ClockTick *tick = clock_tick(c, g);
    FlatEquation *copy = ARENA_NEW(c->f->arena, FlatEquation);
    *copy = *e;
    copy->tick = tick ? tick->tick : NULL;
    copy->clock = NULL;
    if (clock_state_tick(c, e->guard)) {
        copy->tick = clock_state_tick(c, e->guard);
        copy->guard = NULL;
    }
    copy->left = clock_rewrite_given(c, e->left, g);
    copy->right = clock_rewrite_given(c, e->right, g);
    copy->targets = ARENA_ARRAY(c->f->arena, e->target_count + 1, FlatExpression *);
    for (uint32_t i = 0; i < e->target_count; i++)
        copy->targets[i] = clock_rewrite_given(c, e->targets[i], g);
    list_append(c->f->arena, &c->equations, copy);
    map_set(c->f->arena, &c->groups, copy, g);
}

static void clock_lower_statements(Clocks *c, uint32_t count, FlatStatement **statements,
                                   ClockGroup *g)
{
    for (uint32_t i = 0; i < count; i++) {
        FlatStatement *st = statements[i];
        switch (st->kind) {
        case FLAT_ASSIGN:
        case FLAT_MULTIPLE:
        case FLAT_REINIT:
            st->target = clock_rewrite_given(c, st->target, g);
            st->value = clock_rewrite_given(c, st->value, g);
            for (uint32_t k = 0; k < st->target_count; k++)
                st->targets[k] = clock_rewrite_given(c, st->targets[k], g);
            break;
        case FLAT_ASSERT:
        case FLAT_TERMINATE:
            st->check.condition = clock_rewrite_given(c, st->check.condition, g);
            st->check.message = clock_rewrite_given(c, st->check.message, g);
            break;
        case FLAT_CHOICE:
        case FLAT_WHEN:
            for (uint32_t k = 0; k < st->branches.count; k++) {
                FlatBranch *branch = &st->branches.items[k];
                branch->condition = clock_rewrite_given(c, branch->condition, g);
                clock_lower_statements(c, branch->count, branch->statements, g);
            }
            break;
        case FLAT_FOR:
        case FLAT_WHILE:
            st->loop.range = clock_rewrite_given(c, st->loop.range, g);
            clock_lower_statements(c, st->loop.count, st->loop.body, g);
            break;
        case FLAT_BREAK:
        case FLAT_RETURN:
            break;
        }
    }
}

static FlatStatement *clock_statement(Clocks *c, FlatStatementKind kind, Span span)
{
    FlatStatement *st = ARENA_NEW(c->f->arena, FlatStatement);
    st->kind = kind;
    st->span = span;
    return st;
}

// A clocked algorithm is executed when its clock ticks.
static void clock_lower_algorithm(Clocks *c, FlatAlgorithm *a)
{
    Flattener *f = c->f;
    ClockGroup *g = clock_group(c, a);
    const ClockTick *tick = clock_tick(c, g);
    clock_lower_statements(c, a->count, a->statements, g);
    if (!tick)
        return;
    FlatStatement *when = clock_statement(c, FLAT_WHEN, a->origin.span);
    FlatVariable *state = clock_state_tick(c, a->guard);
    FlatBranch *branch = ARENA_NEW(f->arena, FlatBranch);
    a->guard = state ? NULL : a->guard;
    *branch = (FlatBranch){.condition = state ? &state->reference : &tick->tick->reference,
                           .span = a->origin.span,
                           .count = a->count,
                           .statements = a->statements};
    when->branches.items = branch;
    when->branches.count = 1;
    a->statements = ARENA_ARRAY(f->arena, 1, FlatStatement *);
    a->statements[0] = when;
    a->count = 1;
}

// A clocked assertion is looked at when its clock ticks.
static void clock_lower_assertion(Clocks *c, FlatAssertion *a, List *others)
{
    Flattener *f = c->f;
    ClockGroup *g = clock_group(c, a);
    const ClockTick *tick = a->is_initial ? NULL : clock_tick(c, g);
    a->condition = clock_rewrite_given(c, a->condition, g);
    a->message = clock_rewrite_given(c, a->message, g);
    if (!tick) {
        list_append(f->arena, others, a);
        return;
    }
    FlatStatement *check =
        clock_statement(c, a->is_termination ? FLAT_TERMINATE : FLAT_ASSERT, a->origin.span);
    check->check.condition = a->is_termination ? NULL : a->condition;
    check->check.message = a->message;
    check->check.level = a->level;
    FlatVariable *state = clock_state_tick(c, a->guard);
    FlatWhen *when = ARENA_NEW(f->arena, FlatWhen);
    *when = (FlatWhen){.origin = a->origin,
                       .guard = state ? NULL : a->guard,
                       .count = 1,
                       .branches = ARENA_NEW(f->arena, FlatWhenBranch)};
    *when->branches = (FlatWhenBranch){.conditions = ARENA_ARRAY(f->arena, 1, FlatExpression *),
                                       .condition_count = 1,
                                       .span = a->origin.span,
                                       .count = 1,
                                       .statements = ARENA_ARRAY(f->arena, 1, FlatStatement *)};
    FlatExpression *now = state ? &state->reference : &tick->tick->reference;
    if (a->is_termination && a->condition)
        now = clock_binary(c, OPERATION_AND, now,
                           build_unary(f, OPERATION_NOT, a->condition, a->origin.span));
    when->branches->conditions[0] = now;
    when->branches->statements[0] = check;
    list_append(f->passing, &f->made.whens, when);
}

static void clock_lower_when(Clocks *c, FlatWhen *when)
{
    ClockGroup *g = clock_group(c, when);
    for (uint32_t k = 0; k < when->count; k++) {
        FlatWhenBranch *branch = &when->branches[k];
        for (uint32_t i = 0; i < branch->condition_count; i++)
            branch->conditions[i] = clock_rewrite(c, branch->conditions[i], g);
        clock_lower_statements(c, branch->count, branch->statements, g);
    }
}

static void clocks_lower_rest(Clocks *c)
{
    Flattener *f = c->f;
    List assertions = {0};
    for (uint32_t i = 0; i < f->made.algorithms.count; i++)
        clock_lower_algorithm(c, f->made.algorithms.items[i]);
    for (uint32_t i = 0; i < f->made.whens.count; i++)
        clock_lower_when(c, f->made.whens.items[i]);
    for (uint32_t i = 0; i < f->made.assertions.count; i++)
        clock_lower_assertion(c, f->made.assertions.items[i], &assertions);
    f->made.assertions = assertions;
    for (uint32_t i = 0; i < f->made.conditionals.count; i++) {
        const FlatIf *conditional = f->made.conditionals.items[i];
        for (uint32_t b = 0; b < conditional->count && !conditional->is_initial; b++)
            conditional->conditions[b] =
                clock_rewrite_given(c, conditional->conditions[b], clock_group(c, conditional));
    }
}

// The derivative of a clocked state is what a solver method makes of it: it has no initial value.
static void clock_check_initial(Clocks *c, const FlatExpression *e)
{
    if (e->kind == FLAT_OPERATION && e->operation == OPERATION_DER &&
        e->operands[0]->kind == FLAT_VARIABLE && clock_group(c, e->operands[0]->variable)->is_known)
        report_error(c->f, e->span,
                     "'der' of a clocked variable cannot be used in an initial equation");
    for (uint32_t i = 0; i < e->count; i++)
        clock_check_initial(c, e->operands[i]);
}

static bool is_clock_equation(const FlatEquation *e)
{
    return e->left && e->left->type->kind == FLAT_TYPE_CLOCK;
}

void clocks_lower(Flattener *f)
{
    if (!f->has_clocks || f->diagnostics->error_count)
        return;
    Clocks *c = ARENA_NEW(f->arena, Clocks);
    c->f = f;
    if (!clocks_infer(c))
        return;
    clocks_flatten_ifs(c);
    clock_machines_begin(c);
    for (uint32_t i = 0; i < f->made.equations.count; i++)
        clock_discrete_equation(c, f->made.equations.items[i]);
    for (uint32_t i = 0; i < f->made.algorithms.count; i++) {
        const FlatAlgorithm *a = f->made.algorithms.items[i];
        for (uint32_t k = 0; k < a->defined_count; k++)
            clock_discrete(c, &a->defined[k]->reference);
    }
    for (uint32_t i = 0; i < f->made.equations.count && !f->diagnostics->error_count; i++)
        if (!is_clock_equation(f->made.equations.items[i]))
            clock_lower_equation(c, f->made.equations.items[i]);
    clocks_lower_rest(c);
    for (uint32_t i = 0; i < f->made.initial_equations.count; i++) {
        const FlatEquation *e = f->made.initial_equations.items[i];
        if (e->left)
            clock_check_initial(c, e->left);
        clock_check_initial(c, e->right);
    }
    clock_machines_make(c);
    clocks_integrate(c);
    clock_machines_end(c);
    f->made.equations = c->equations;
    for (uint32_t i = 0; i < c->assertions.count; i++)
        list_append(f->passing, &f->made.assertions, c->assertions.items[i]);
}
