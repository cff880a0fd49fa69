// SPDX-License-Identifier: MIT
//
// Differential equations in clocked partitions: see clock.h, and section 16.8 of the specification.

#include "flatten/clock.h"

static FlatExpression *clock_solver_sum(Clocks *c, FlatExpression *a, FlatExpression *h,
                                        FlatExpression *slope)
{
    FlatExpression *change = build_binary(c->f, OPERATION_MULTIPLY, h, slope, slope->span);
    return build_binary(c->f, OPERATION_ADD, a, change, slope->span);
}

FlatExpression *clock_derivative(Clocks *c, FlatExpression *x, ClockGroup *group, Span span)
{
    Flattener *f = c->f;
    if (x->kind != FLAT_VARIABLE) {
        report_error(f, span, "'der' of an expression in a clocked partition is not supported; "
                              "give the expression a variable");
        return build_real(f, 0.0, span);
    }
    FlatVariable *slope = map_find(&c->derivatives, x->variable);
    if (slope)
        return &slope->reference;
    StringBuilder name = builder_create(f->arena);
    builder_append_text(&name, "der(");
    flat_variable_name(&name, x->variable);
    builder_append_text(&name, ")");
    slope = clock_variable(c, NULL, builder_string(&name).text, &flat_type_real, FLAT_DISCRETE,
                           NULL, span);
    map_set(f->arena, &c->derivatives, x->variable, slope);
    const ClockTick *t = group->tick;
    FlatExpression *state = &x->variable->reference, *before = clock_pre(c, state, span);
    FlatExpression *now = &slope->reference, *last = clock_pre(c, now, span), *value = NULL;
    if (!group->solver)
        report_error(f, span,
                     "'der' in a clocked partition needs a solver method: Clock(c, "
                     "\"ImplicitEuler\"), say");
    else if (strcmp(group->solver, "ExplicitEuler") == 0 || strcmp(group->solver, "External") == 0)
        value = clock_solver_sum(c, before, t->interval, last);
    else if (strcmp(group->solver, "ImplicitEuler") == 0)
        value = clock_solver_sum(c, before, t->interval, now);
    else if (strcmp(group->solver, "ImplicitTrapezoid") == 0) {
        FlatExpression *half =
            build_binary(f, OPERATION_MULTIPLY, build_real(f, 0.5, span), t->interval, span);
        value = clock_solver_sum(c, before, half,
                                 build_binary(f, OPERATION_ADD, last, now, span));
    } else
        report_error(f, span, "the solver method '%s' is not supported", group->solver);
    if (!value)
        return now;
    FlatExpression *parts[] = {clock_first(c, t, span), before, value};
    clock_equation(c, state, build_if(f, 3, parts, span), t, span);
    return now;
}
