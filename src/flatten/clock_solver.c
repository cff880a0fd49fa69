// SPDX-License-Identifier: MIT
//
// Differential equations in clocked partitions: see clock.h, and section 16.8 of the specification.
//
// At a tick the partition is integrated from the tick before to this one, by one step of its
// method; at the first tick the states have their start values. With h = interval() and the slopes
// k of dx/dt = f(x, u, t), all methods are
//
//   x = previous(x) + h (b0 previous(k) + b1 k1 + b2 k2 + b3 k3 + b k)
//
// where k is the slope at this tick, so that b is zero unless the method is implicit, and stage s
// is f at previous(x) + c_s h k_(s-1), at the time previous(t) + c_s h, with the inputs of the
// partition in between: previous(u), its mean with u, or u. A stage is a copy of the equations of
// the partition.

#include "flatten/clock.h"

typedef struct ClockMethod {
    const char *name;
    double begin, end; // b0 and b
    uint32_t stages;
    double at[3], weights[3]; // c_s, b_s
} ClockMethod;

static const ClockMethod clock_methods[] = {
    {.name = "ExplicitEuler", .begin = 1.0},
    {.name = "ExplicitMidPoint2", .stages = 1, .at = {0.5}, .weights = {1.0}},
    {.name = "ExplicitRungeKutta4",
     .begin = 1.0 / 6.0,
     .stages = 3,
     .at = {0.5, 0.5, 1.0},
     .weights = {1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0}},
    {.name = "ImplicitEuler", .end = 1.0},
    {.name = "ImplicitTrapezoid", .begin = 0.5, .end = 0.5},
    // What is outside of the model may choose: this does.
    {.name = "External",
     .begin = 1.0 / 6.0,
     .stages = 3,
     .at = {0.5, 0.5, 1.0},
     .weights = {1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0}},
};

static const ClockMethod *clock_method(Clocks *c, const ClockState *state)
{
    enum { COUNT = sizeof clock_methods / sizeof *clock_methods };
    const char *name = state->group->solver, *names[COUNT];
    if (!name || !*name) {
        report_error(
            c->f, state->span,
            "'der' in a clocked partition needs a solver method: Clock(c, "
            "\"ImplicitEuler\"), say; what is not to be clocked takes clocked variables by "
            "'hold'");
        return NULL;
    }
    for (uint32_t i = 0; i < COUNT; i++) {
        names[i] = clock_methods[i].name;
        if (strcmp(name, names[i]) == 0)
            return &clock_methods[i];
    }
    const char *nearest = text_nearest(name, names, COUNT);
    report_error(c->f, state->span, "there is no solver method '%s'%s%s%s", name,
                 nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
    return NULL;
}

// ---------------------------------------------------------------------------
// Slopes
// ---------------------------------------------------------------------------

// der(x) of a variable: its slope, which makes it a state.
static FlatExpression *clock_slope(Clocks *c, const FlatExpression *x, ClockGroup *group, Span span)
{
    Flattener *f = c->f;
    for (uint32_t i = 0; i < c->states.count; i++) {
        const ClockState *state = c->states.items[i];
        if (state->variable == x->variable)
            return &state->slope->reference;
    }
    StringBuilder name = builder_create(f->arena);
    builder_append_text(&name, "der(");
    flat_variable_name(&name, x->variable);
    builder_append_text(&name, ")");
    ClockState *state = ARENA_NEW(f->arena, ClockState);
    *state = (ClockState){.variable = x->variable, .group = group, .span = span};
    state->slope = clock_variable(c, NULL, builder_string(&name).text, &flat_type_real,
                                  FLAT_DISCRETE, NULL, span);
    map_set(f->arena, &c->groups, state->slope, group);
    list_append(f->arena, &c->states, state);
    return &state->slope->reference;
}

// The words of the columns "by a" and "by b" in base/operator_table.h.
#define ONE build_real(f, 1.0, y->span)
#define TWO build_real(f, 2.0, y->span)
#define ZERO build_real(f, 0.0, y->span)
#define NUMBER(value) build_real(f, value, y->span)
#define PLUS(p, q) build_binary(f, OPERATION_ADD, p, q, y->span)
#define MINUS(p, q) build_binary(f, OPERATION_SUBTRACT, p, q, y->span)
#define TIMES(p, q) build_binary(f, OPERATION_MULTIPLY, p, q, y->span)
#define OVER(p, q) build_binary(f, OPERATION_DIVIDE, p, q, y->span)
#define NEGATIVE(p) build_unary(f, OPERATION_NEGATE, p, y->span)
#define SQUARE(p) TIMES(p, p)
#define OF(function, p) build_call(f, OPERATION_##function, 1, (FlatExpression *[]){p}, y->span)
#define BOTH(function, p, q) build_binary(f, OPERATION_##function, p, q, y->span)
#define IF(condition, p, q) build_if(f, 3, (FlatExpression *[]){condition, p, q}, y->span)

// w times the derivative of an operation by its operand k.
static FlatExpression *clock_by_table(Flattener *f, FlatExpression *y, uint32_t k,
                                      FlatExpression *w)
{
    FlatExpression *a = y->operands[0], *b = y->count == 2 ? y->operands[1] : NULL;
    (void)b;
    switch (operation_operator((Operation)y->operation)) {
#define OPERATOR(name, text, signature, arguments, traits, meaning, outside, by_a, by_b, ...)      \
    case OPERATOR_##name:                                                                          \
        return k == 0 ? by_a : by_b;
#include "base/operator_table.h"
    case OPERATOR_COUNT:
        break;
    }
    return NULL;
}

static FlatExpression *clock_differentiate(Clocks *c, FlatExpression *x, ClockGroup *group);

// Of a sum or a product with any number of operands: the sum of those where one is differentiated.
static FlatExpression *clock_of_chain(Clocks *c, FlatExpression *x, ClockGroup *group)
{
    FlatExpression **terms = ARENA_ARRAY(c->f->arena, x->count, FlatExpression *);
    for (uint32_t i = 0; i < x->count; i++) {
        terms[i] = clock_differentiate(c, x->operands[i], group);
        if (!terms[i])
            return NULL;
        for (uint32_t k = 0; x->operation == OPERATION_MULTIPLY && k < x->count; k++)
            if (k != i)
                terms[i] =
                    build_binary(c->f, OPERATION_MULTIPLY, terms[i], x->operands[k], x->span);
    }
    return build_sum(c->f, x->count, terms, &flat_type_real, x->span);
}

// The derivative of an expression by the chain rule; NULL: it has none here.
static FlatExpression *clock_differentiate(Clocks *c, FlatExpression *x, ClockGroup *group)
{
    Flattener *f = c->f;
    if (x->variability <= FLAT_PARAMETER)
        return build_real(f, 0.0, x->span);
    if (x->kind == FLAT_VARIABLE)
        return clock_slope(c, x, group, x->span);
    if (x->kind != FLAT_OPERATION || x->type->kind != FLAT_TYPE_REAL)
        return NULL;
    if (x->operation == OPERATION_TIME)
        return build_real(f, 1.0, x->span);
    if (x->operation == OPERATION_ADD || x->operation == OPERATION_MULTIPLY)
        return clock_of_chain(c, x, group);
    const Operator op = operation_operator((Operation)x->operation);
    if (op == OPERATOR_COUNT || op == OPERATOR_IF || x->count > 2)
        return NULL;
    FlatExpression *terms[2];
    uint32_t count = 0;
    for (uint32_t k = 0; k < x->count; k++) {
        FlatExpression *w = clock_differentiate(c, x->operands[k], group);
        if (!w)
            return NULL;
        if (w->kind != FLAT_REAL || w->real != 0.0)
            terms[count++] = clock_by_table(f, x, k, w);
    }
    return count ? build_sum(f, count, terms, &flat_type_real, x->span)
                 : build_real(f, 0.0, x->span);
}

FlatExpression *clock_derivative(Clocks *c, FlatExpression *x, ClockGroup *group, Span span)
{
    if (x->kind == FLAT_VARIABLE)
        return clock_slope(c, x, group, span);
    FlatExpression *slope = clock_differentiate(c, x, group);
    if (slope)
        return clock_rewrite(c, slope, group);
    report_error(c->f, span,
                 "'der' of this expression is not supported in a clocked partition; give the "
                 "expression a variable");
    return build_real(c->f, 0.0, span);
}

static FlatExpression *clock_product(Clocks *c, double weight, FlatExpression *e)
{
    return weight == 1.0 ? e
                         : build_binary(c->f, OPERATION_MULTIPLY, build_real(c->f, weight, e->span),
                                        e, e->span);
}

// previous(x) + h slope
static FlatExpression *clock_advanced(Clocks *c, const ClockState *state, FlatExpression *slope)
{
    FlatExpression *change =
        build_binary(c->f, OPERATION_MULTIPLY, state->group->tick->interval, slope, state->span);
    return build_binary(c->f, OPERATION_ADD, clock_pre(c, &state->variable->reference, state->span),
                        change, state->span);
}

// The weighted mean of all slopes.
static FlatExpression *clock_mean(Clocks *c, const ClockState *state, const ClockMethod *m)
{
    FlatExpression *terms[5];
    uint32_t count = 0;
    if (m->begin != 0.0)
        terms[count++] =
            clock_product(c, m->begin, clock_pre(c, &state->slope->reference, state->span));
    for (uint32_t s = 0; s < m->stages; s++)
        terms[count++] = clock_product(c, m->weights[s], &state->stages[s]->reference);
    if (m->end != 0.0)
        terms[count++] = clock_product(c, m->end, &state->slope->reference);
    return build_sum(c->f, count, terms, &flat_type_real, state->span);
}

// ---------------------------------------------------------------------------
// Stages
// ---------------------------------------------------------------------------

typedef struct ClockStage {
    Clocks *clocks;
    ClockGroup *group;
    const ClockMethod *method;
    uint32_t number;
    Map variables; // of the partition: what stands for them in the stage
    Map *inputs;   // expression -> FlatVariable with its value at ticks
} ClockStage;

// The variable of the stage that stands for one of the partition.
static FlatExpression *clock_stage_variable(ClockStage *s, FlatVariable *v)
{
    Clocks *c = s->clocks;
    FlatVariable *copy = map_find(&s->variables, v);
    if (!copy) {
        StringBuilder name = builder_create(c->f->arena);
        builder_append_format(&name, "stage %u ", (unsigned)(s->number + 1));
        flat_variable_name(&name, v);
        copy = clock_variable(c, NULL, builder_string(&name).text, v->reference.type, FLAT_DISCRETE,
                              NULL, v->reference.span);
        map_set(c->f->arena, &s->variables, v, copy);
    }
    return &copy->reference;
}

// What comes from elsewhere, between the last tick and this one. At the first there is no last.
static FlatExpression *clock_stage_input(ClockStage *s, FlatExpression *e, const void *key)
{
    Clocks *c = s->clocks;
    const double at = s->method->at[s->number];
    FlatVariable *v = map_find(s->inputs, key);
    if (at == 1.0)
        return e;
    if (!v) {
        StringBuilder name = builder_create(c->f->arena);
        builder_append_format(&name, "input %u", (unsigned)++c->helpers);
        v = clock_variable(c, NULL, builder_string(&name).text, e->type, FLAT_DISCRETE, NULL,
                           e->span);
        clock_equation(c, &v->reference, e, s->group->tick, e->span);
        map_set(c->f->arena, s->inputs, key, v);
    }
    FlatExpression *parts[] = {clock_first(c, s->group->tick, e->span), e,
                               clock_pre(c, &v->reference, e->span)};
    FlatExpression *before = build_if(c->f, 3, parts, e->span);
    if (e->type->kind != FLAT_TYPE_REAL)
        return before;
    return clock_product(c, 0.5, build_binary(c->f, OPERATION_ADD, before, e, e->span));
}

static FlatExpression *clock_stage_time(const ClockStage *s, FlatExpression *time)
{
    Flattener *f = s->clocks->f;
    const double at = s->method->at[s->number];
    if (at == 1.0)
        return time;
    return build_binary(f, OPERATION_SUBTRACT, time,
                        clock_product(s->clocks, 1.0 - at, s->group->tick->interval), time->span);
}

static FlatExpression *clock_stage_copy(ClockStage *s, FlatExpression *e)
{
    Clocks *c = s->clocks;
    if (e->kind == FLAT_VARIABLE) {
        if (e->variable->kind <= FLAT_PARAMETER || !map_find(&c->groups, e->variable))
            return e;
        return clock_group(c, e->variable) == s->group ? clock_stage_variable(s, e->variable)
                                                       : clock_stage_input(s, e, e->variable);
    }
    if (e->kind == FLAT_OPERATION && e->operation == OPERATION_PRE) {
        FlatVariable *v = e->operands[0]->variable;
        return !map_find(&c->groups, v) || clock_group(c, v) == s->group
                   ? e
                   : clock_stage_input(s, e, &v->name);
    }
    if (e->kind == FLAT_OPERATION && e->operation == OPERATION_TIME)
        return clock_stage_time(s, e);
    if (!e->count)
        return e;
    FlatExpression *copy = build_node(c->f, (FlatKind)e->kind, e->type, e->count, e->span);
    FlatExpression **operands = copy->operands;
    *copy = *e;
    copy->operands = operands;
    for (uint32_t i = 0; i < e->count; i++)
        copy->operands[i] = clock_stage_copy(s, e->operands[i]);
    return copy;
}

static void clock_make_stage(ClockStage *s, uint32_t equation_count)
{
    Clocks *c = s->clocks;
    for (uint32_t i = 0; i < c->states.count; i++) {
        ClockState *state = c->states.items[i];
        if (state->group != s->group)
            continue;
        FlatExpression *slope = s->number ? &state->stages[s->number - 1]->reference
                                          : clock_pre(c, &state->slope->reference, state->span);
        FlatExpression *x = clock_stage_variable(s, state->variable);
        state->stages[s->number] = clock_stage_variable(s, state->slope)->variable;
        clock_equation(c, x,
                       clock_advanced(c, state, clock_product(c, s->method->at[s->number], slope)),
                       s->group->tick, state->span)
            ->slope = state->stages[s->number];
    }
    for (uint32_t i = 0; i < equation_count; i++) {
        const FlatEquation *e = c->equations.items[i];
        if (!map_find(&c->groups, e) || clock_group(c, e) != s->group)
            continue;
        FlatEquation *copy = clock_equation(c, NULL, NULL, s->group->tick, e->origin.span);
        *copy = *e;
        copy->left = e->left ? clock_stage_copy(s, e->left) : NULL;
        copy->right = clock_stage_copy(s, e->right);
        copy->targets = ARENA_ARRAY(c->f->arena, e->target_count + 1, FlatExpression *);
        for (uint32_t k = 0; k < e->target_count; k++)
            copy->targets[k] = e->targets[k] ? clock_stage_copy(s, e->targets[k]) : NULL;
    }
}

static void clock_integrate(Clocks *c, ClockGroup *group, const ClockMethod *m)
{
    const uint32_t count = c->equations.count;
    Map inputs = {0};
    for (uint32_t n = 0; n < m->stages; n++) {
        ClockStage s = {.clocks = c, .group = group, .method = m, .number = n, .inputs = &inputs};
        clock_make_stage(&s, count);
    }
    for (uint32_t i = 0; i < c->states.count; i++) {
        const ClockState *state = c->states.items[i];
        if (state->group != group)
            continue;
        FlatExpression *parts[] = {clock_first(c, group->tick, state->span),
                                   clock_pre(c, &state->variable->reference, state->span),
                                   clock_advanced(c, state, clock_mean(c, state, m))};
        clock_equation(c, &state->variable->reference, build_if(c->f, 3, parts, state->span),
                       group->tick, state->span)
            ->slope = state->slope;
    }
}

void clocks_integrate(Clocks *c)
{
    Map seen = {0};
    for (uint32_t i = 0; i < c->states.count; i++) {
        const ClockState *state = c->states.items[i];
        if (map_find(&seen, state->group))
            continue;
        map_set(c->f->arena, &seen, state->group, c);
        const ClockMethod *m = clock_method(c, state);
        if (m)
            clock_integrate(c, state->group, m);
    }
}
