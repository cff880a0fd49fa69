// SPDX-License-Identifier: MIT
//
// Clock inference: see clock.h, and section 16.7 of the specification.
//
// 1. Groups by union-find: an equation, and each variable in it, are one group; the argument of a
//    conversion operator begins another, and the operator is a link between the two.
// 2. A constructor gives its group a clock (r, f, s): tick k is at s + k f, counted in intervals of
//    the root r, or in seconds. Over a link, with y the result and u the argument,
//
//      subSample(u, n)     f_y = n f_u                 superSample(u, n)   f_y = f_u / n
//      shiftSample(u, k, n)  s_y = s_u + (k / n) f_u   backSample(u, k, n) s_y = s_u - (k / n) f_u
//
//    and likewise from y to u, until nothing is news. Fractions are exact, in 64 bits; what does
//    not fit is refused.
// 3. Every clocked group must have got one clock, and no group two; a factor that was left open is
//    the quotient of two known clocks.
//
// Invariant: what is known of a group stands at the root of its set, and never changes again.

#include "flatten/clock.h"

#include "flatten/evaluate.h"
#include "flatten/walk.h"

#include <math.h>

// ---------------------------------------------------------------------------
// Fractions
// ---------------------------------------------------------------------------

static int64_t rational_divisor(int64_t a, int64_t b)
{
    while (b) {
        const int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a < 0 ? -a : a;
}

Rational rational_reduced(int64_t num, int64_t den)
{
    const int64_t divisor = rational_divisor(num, den);
    return (Rational){num / divisor, den / divisor};
}

bool rational_equal(Rational a, Rational b)
{
    return a.num == b.num && a.den == b.den;
}

// a num / den; false: it does not fit into 64 bits.
static bool rational_scale(Rational a, int64_t num, int64_t den, Rational *result)
{
    const Rational x = rational_reduced(a.num, den), y = rational_reduced(num, a.den);
    return !__builtin_mul_overflow(x.num, y.num, &result->num) &&
           !__builtin_mul_overflow(x.den, y.den, &result->den);
}

static bool rational_add(Rational a, Rational b, Rational *result)
{
    const int64_t divisor = rational_divisor(a.den, b.den);
    int64_t x, y, num, den;
    if (__builtin_mul_overflow(a.num, b.den / divisor, &x) ||
        __builtin_mul_overflow(b.num, a.den / divisor, &y) || __builtin_add_overflow(x, y, &num) ||
        __builtin_mul_overflow(a.den, b.den / divisor, &den) || num == INT64_MIN)
        return false;
    *result = rational_reduced(num, den);
    return true;
}

// ---------------------------------------------------------------------------
// Groups
// ---------------------------------------------------------------------------

static ClockGroup *clock_root(ClockGroup *g)
{
    while (g->parent != g) {
        g->parent = g->parent->parent;
        g = g->parent;
    }
    return g;
}

static ClockGroup *clock_group_create(Clocks *c)
{
    ClockGroup *g = ARENA_NEW(c->f->arena, ClockGroup);
    g->parent = g;
    return g;
}

ClockGroup *clock_group(Clocks *c, const void *of)
{
    ClockGroup *g = map_find(&c->groups, of);
    if (!g) {
        g = clock_group_create(c);
        map_set(c->f->arena, &c->groups, of, g);
    }
    return clock_root(g);
}

static void clock_unite(ClockGroup *a, ClockGroup *b)
{
    a = clock_root(a);
    b = clock_root(b);
    if (a == b)
        return;
    b->parent = a;
    if (!a->member)
        a->member = b->member;
    if (b->is_clocked && !a->is_clocked) {
        a->is_clocked = true;
        a->clocked = b->clocked;
    }
    if (b->is_continuous && !a->is_continuous) {
        a->is_continuous = true;
        a->continuous = b->continuous;
    }
    if (!a->solver)
        a->solver = b->solver;
}

static void clock_mark_clocked(ClockGroup *g, Span span)
{
    g = clock_root(g);
    if (!g->is_clocked)
        g->clocked = span;
    g->is_clocked = true;
}

static void clock_mark_continuous(ClockGroup *g, Span span)
{
    g = clock_root(g);
    if (!g->is_continuous)
        g->continuous = span;
    g->is_continuous = true;
}

// ---------------------------------------------------------------------------
// Expressions
// ---------------------------------------------------------------------------

static void clock_visit(Clocks *c, FlatExpression *e, ClockGroup *g);

static void clock_link(Clocks *c, List *links, const FlatExpression *e, ClockGroup *result,
                       ClockGroup *argument)
{
    ClockLink *link = ARENA_NEW(c->f->arena, ClockLink);
    *link = (ClockLink){.result = result,
                        .argument = argument,
                        .operation = (Operation)e->operation,
                        .counter = e->count > 1 ? e->operands[1]->integer : 0,
                        .resolution = e->count > 2 ? e->operands[2]->integer : 1,
                        .span = e->span};
    list_append(c->f->arena, links, link);
}

static void clock_visit_constructor(Clocks *c, const FlatExpression *e, ClockGroup *g)
{
    const FlatTypeKind kind = e->count ? e->operands[0]->type->kind : FLAT_TYPE_NONE;
    if (kind == FLAT_TYPE_CLOCK) { // with a solver method
        const FlatExpression *solver = evaluate(c->f, e->operands[1], "the solver method");
        clock_root(g)->solver = solver ? solver->string : NULL;
        ClockGroup *argument = clock_group_create(c);
        clock_visit(c, e->operands[0], argument);
        clock_link(c, &c->links, e, g, argument);
        return;
    }
    if (!e->count)
        return;
    list_append(c->f->arena, &c->roots, (void *)(uintptr_t)e);
    if (kind == FLAT_TYPE_BOOLEAN) {
        ClockGroup *condition = clock_group(c, e->operands[0]);
        clock_visit(c, e->operands[0], condition);
        clock_mark_continuous(condition, e->span);
    } else {
        clock_visit(c, e->operands[0], g); // an interval that changes does so at the ticks
    }
}

// The operand of a conversion operator is in a group of its own. (A constructor notes its group
// itself, when it is visited first.)
static ClockGroup *clock_visit_argument(Clocks *c, const FlatExpression *e)
{
    FlatExpression *operand = e->operands[0];
    const bool is_constructor =
        operand->kind == FLAT_OPERATION && operand->operation == OPERATION_CLOCK;
    ClockGroup *argument = is_constructor && !map_find(&c->groups, operand)
                               ? clock_group_create(c)
                               : clock_group(c, operand);
    clock_visit(c, operand, argument);
    return argument;
}

static void clock_visit_operation(Clocks *c, FlatExpression *e, ClockGroup *g)
{
    const bool is_signal = e->type->kind != FLAT_TYPE_CLOCK;
    switch ((Operation)e->operation) {
    case OPERATION_CLOCK:
        clock_mark_clocked(g, e->span);
        if (map_find(&c->groups, e)) { // of all elements of an array, or all of a when clause
            clock_unite(clock_group(c, e), g);
            return;
        }
        map_set(c->f->arena, &c->groups, e, g);
        clock_visit_constructor(c, e, g);
        return;
    case OPERATION_SAMPLE:
        if (e->count == 2 && e->operands[1]->type->kind != FLAT_TYPE_CLOCK) {
            clock_mark_continuous(g, e->span);
            return;
        }
        clock_mark_clocked(g, e->span);
        clock_mark_continuous(clock_visit_argument(c, e), e->span);
        if (e->count == 2)
            clock_visit(c, e->operands[1], g);
        return;
    case OPERATION_HOLD:
    case OPERATION_NO_CLOCK: {
        ClockGroup *argument = clock_visit_argument(c, e);
        if (e->operation == OPERATION_HOLD)
            clock_mark_continuous(g, e->span);
        else
            clock_mark_clocked(g, e->span);
        clock_mark_clocked(argument, e->span);
        if (e->operands[0]->variability > FLAT_PARAMETER)
            clock_link(c, &c->held, e, g, argument);
        return;
    }
    case OPERATION_SUB_SAMPLE:
    case OPERATION_SUPER_SAMPLE:
    case OPERATION_SHIFT_SAMPLE:
    case OPERATION_BACK_SAMPLE: {
        ClockGroup *argument = clock_visit_argument(c, e);
        if (is_signal)
            clock_mark_clocked(argument, e->span);
        clock_mark_clocked(g, e->span);
        clock_link(c, &c->links, e, g, argument);
        return;
    }
    case OPERATION_PREVIOUS:
    case OPERATION_INTERVAL:
    case OPERATION_FIRST_TICK:
        clock_mark_clocked(g, e->span);
        break;
    case OPERATION_PRE:
    case OPERATION_EDGE:
    case OPERATION_CHANGE:
        clock_mark_continuous(g, e->span);
        break;
    default:
        break;
    }
    for (uint32_t i = 0; i < e->count; i++)
        clock_visit(c, e->operands[i], g);
}

static void clock_visit(Clocks *c, FlatExpression *e, ClockGroup *g)
{
    if (e->kind == FLAT_VARIABLE) {
        if (e->variable->kind <= FLAT_PARAMETER)
            return;
        ClockGroup *own = clock_group(c, e->variable);
        if (!own->member)
            own->member = e->variable;
        clock_unite(own, g);
    } else if (e->kind == FLAT_ACTIVE || e->kind == FLAT_STATE_TIME ||
               e->kind == FLAT_STATE_TICKS) {
        clock_unite(clock_group(c, e->state->machine), g);
    } else if (e->kind == FLAT_OPERATION) {
        clock_visit_operation(c, e, g);
    } else {
        for (uint32_t i = 0; i < e->count; i++)
            clock_visit(c, e->operands[i], g);
    }
}

// ---------------------------------------------------------------------------
// The model
// ---------------------------------------------------------------------------

static void clock_visit_in(void *data, FlatExpression *e, const FlatComponent *component)
{
    (void)component;
    Clocks *c = data;
    clock_visit(c, e, c->walked);
}

// What is in an if-equation belongs to the clock of its conditions, the states of a machine to one
// clock.
static void clock_visit_guard(Clocks *c, const FlatGuard *guard, ClockGroup *g)
{
    for (; guard; guard = guard->outer)
        clock_unite(clock_group(c, guard->state ? (const void *)guard->state->machine
                                                : (const void *)guard->conditional),
                    g);
}

static void clock_visit_equation(Clocks *c, const FlatEquation *e)
{
    ClockGroup *g = clock_group(c, e);
    clock_visit_guard(c, e->guard, g);
    if (e->clock) {
        clock_mark_clocked(g, e->clock->span);
        clock_visit(c, e->clock, g);
    }
    if (e->left)
        clock_visit(c, e->left, g);
    clock_visit(c, e->right, g);
    for (uint32_t i = 0; i < e->target_count; i++)
        if (e->targets[i])
            clock_visit(c, e->targets[i], g);
}

static void clock_visit_when(Clocks *c, const FlatWhen *when)
{
    c->walked = clock_group(c, when);
    clock_mark_continuous(c->walked, when->origin.span);
    for (uint32_t k = 0; k < when->count; k++) {
        const FlatWhenBranch *branch = &when->branches[k];
        for (uint32_t i = 0; i < branch->condition_count; i++)
            clock_visit(c, branch->conditions[i], c->walked);
        flat_walk_statements(branch->count, branch->statements, clock_visit_in, c, NULL);
    }
}

static void clocks_visit(Clocks *c)
{
    const Flattener *f = c->f;
    for (uint32_t i = 0; i < f->made.equations.count; i++)
        clock_visit_equation(c, f->made.equations.items[i]);
    for (uint32_t i = 0; i < f->made.whens.count; i++)
        clock_visit_when(c, f->made.whens.items[i]);
    for (uint32_t i = 0; i < f->made.algorithms.count; i++) {
        const FlatAlgorithm *a = f->made.algorithms.items[i];
        c->walked = clock_group(c, a);
        clock_visit_guard(c, a->guard, c->walked);
        flat_walk_statements(a->count, a->statements, clock_visit_in, c, NULL);
    }
    for (uint32_t i = 0; i < f->made.conditionals.count; i++) {
        const FlatIf *conditional = f->made.conditionals.items[i];
        ClockGroup *g = clock_group(c, conditional);
        for (uint32_t b = 0; b < conditional->count && !conditional->is_initial; b++)
            if (conditional->conditions[b])
                clock_visit(c, conditional->conditions[b], g);
    }
    for (uint32_t i = 0; i < f->model->machine_count; i++) {
        const FlatMachine *m = f->model->machines[i];
        ClockGroup *g = clock_group(c, m);
        clock_visit_guard(c, m->guard, g);
        for (uint32_t k = 0; k < m->transition_count; k++)
            clock_visit(c, m->transitions[k].condition, g);
    }
    for (uint32_t i = 0; i < f->made.assertions.count; i++) {
        const FlatAssertion *a = f->made.assertions.items[i];
        ClockGroup *g = clock_group(c, a);
        clock_visit_guard(c, a->guard, g);
        if (a->clock)
            clock_visit(c, a->clock, g);
        if (a->condition)
            clock_visit(c, a->condition, g);
        clock_visit(c, a->message, g);
    }
}

// ---------------------------------------------------------------------------
// The clocks of the groups
// ---------------------------------------------------------------------------

// "the clock of 'x'".
static const char *clock_text(Clocks *c, const ClockGroup *g)
{
    StringBuilder text = builder_create(c->f->arena);
    if (!g->member)
        return "this clock";
    builder_append_text(
        &text, g->member->reference.type->kind == FLAT_TYPE_CLOCK ? "clock '" : "the clock of '");
    flat_variable_name(&text, g->member);
    builder_append_character(&text, '\'');
    return builder_string(&text).text;
}

static bool is_same_root(const FlatExpression *a, const FlatExpression *b)
{
    return a == b ||
           (a && b && a->operands[0]->kind == FLAT_REAL && b->operands[0]->kind == FLAT_REAL &&
            a->operands[0]->real == b->operands[0]->real);
}

static bool clock_value_equal(const ClockValue *a, const ClockValue *b)
{
    return is_same_root(a->root, b->root) && rational_equal(a->factor, b->factor) &&
           rational_equal(a->shift, b->shift);
}

// The group ticks by this clock. True: that is news. A contradiction is reported.
static bool clock_set(Clocks *c, ClockGroup *g, const ClockValue *value, Span span)
{
    g = clock_root(g);
    if (!g->is_known) {
        g->is_known = true;
        g->value = *value;
        g->known = span;
        clock_mark_clocked(g, span);
        return true;
    }
    if (!clock_value_equal(&g->value, value)) {
        Diagnostic *d =
            report_error(c->f, span,
                         "%s would be this one and another: 'subSample' and its like lead from one "
                         "clock to another, "
                         "'sample(hold(...))' between clocks that have nothing in common",
                         clock_text(c, g));
        report_note(c->f, d, g->known, "the other one is from here");
    }
    return false;
}

// An interval in seconds that is a fraction, or a root of its own.
static ClockValue clock_of_constructor(Clocks *c, const FlatExpression *e)
{
    ClockValue value = {.root = e, .factor = {1, 1}, .shift = {0, 1}};
    int64_t counter;
    const FlatExpression *interval = e->operands[0];
    if (interval->kind == FLAT_REAL && !(interval->real > 0.0))
        report_error(c->f, interval->span, "the interval of a clock must be positive");
    if (interval->type->kind != FLAT_TYPE_INTEGER || interval->variability > FLAT_PARAMETER ||
        !evaluate_integer(c->f, interval, "the interval of a clock", &counter))
        return value;
    if (counter < 1) {
        report_error(c->f, interval->span, "the interval of a clock must be positive");
        return value;
    }
    value.root = NULL;
    value.factor = rational_reduced(counter, e->count > 1 ? e->operands[1]->integer : 1);
    return value;
}

// The clock that follows over a link, forwards (from argument to result) or backwards. False: it is
// not known yet, or an error was reported.
static bool clock_follow(Clocks *c, const ClockLink *link, bool forward, const ClockValue *from,
                         ClockValue *to)
{
    const bool faster = (link->operation == OPERATION_SUPER_SAMPLE) == forward;
    const bool back = (link->operation == OPERATION_BACK_SAMPLE) == forward;
    bool fits = true;
    Rational shift = {0, 1};
    *to = *from;
    switch (link->operation) {
    case OPERATION_SUB_SAMPLE:
    case OPERATION_SUPER_SAMPLE:
        if (link->counter == 0)
            return false;
        fits = rational_scale(from->factor, faster ? 1 : link->counter, faster ? link->counter : 1,
                              &to->factor);
        break;
    case OPERATION_SHIFT_SAMPLE:
    case OPERATION_BACK_SAMPLE:
        fits = rational_scale(from->factor, back ? -link->counter : link->counter, link->resolution,
                              &shift) &&
               rational_add(from->shift, shift, &to->shift);
        break;
    default:
        break;
    }
    if (!fits)
        report_error(c->f, link->span, "the numbers of this clock do not fit into 64 bits");
    return fits;
}

// A factor that is not given is that of two known clocks, if it is whole.
static void clock_check_open(Clocks *c, const ClockLink *link)
{
    const ClockGroup *result = clock_root(link->result), *argument = clock_root(link->argument);
    if (!result->is_known || !argument->is_known)
        return;
    const bool is_sub = link->operation == OPERATION_SUB_SAMPLE;
    const ClockGroup *slow = is_sub ? result : argument, *fast = is_sub ? argument : result;
    Rational ratio = {0, 0};
    const bool fits =
        rational_scale(slow->value.factor, fast->value.factor.den, fast->value.factor.num, &ratio);
    if (is_same_root(slow->value.root, fast->value.root) && fits && ratio.den == 1 &&
        rational_equal(slow->value.shift, fast->value.shift))
        return;
    Diagnostic *d =
        report_error(c->f, link->span, "there is no whole factor for '%s' between these clocks",
                     operation_info(link->operation)->text);
    report_note(c->f, d, slow->known, "the slow one is this");
    report_note(c->f, d, fast->known, "the fast one is this");
}

// One step over a link; true: a clock became known.
static bool clock_propagate(Clocks *c, const ClockLink *link)
{
    ClockGroup *result = clock_root(link->result), *argument = clock_root(link->argument);
    const bool forward = argument->is_known;
    ClockValue value;
    // (The result of Clock(c, solverMethod) has a method, c has not.)
    if (link->operation != OPERATION_CLOCK && !result->solver)
        result->solver = argument->solver;
    if (link->operation != OPERATION_CLOCK && !argument->solver)
        argument->solver = result->solver;
    if (!forward && !result->is_known)
        return false;
    if (!clock_follow(c, link, forward, forward ? &argument->value : &result->value, &value))
        return false;
    return clock_set(c, forward ? result : argument, &value, link->span);
}

static void clocks_follow(Clocks *c)
{
    for (bool is_open = true; is_open && !c->f->diagnostics->error_count;) {
        is_open = false;
        for (uint32_t i = 0; i < c->links.count; i++)
            is_open |= clock_propagate(c, c->links.items[i]);
    }
}

// A machine with clocked states that nothing gives a clock: one tick a second.
static void clocks_default(Clocks *c)
{
    const ClockValue second = {.root = NULL, .factor = {1, 1}, .shift = {0, 1}};
    for (uint32_t i = 0; i < c->f->model->machine_count; i++) {
        const FlatMachine *m = c->f->model->machines[i];
        ClockGroup *g = clock_group(c, m);
        if (!g->is_clocked || g->is_known || !m->state_count)
            continue;
        report_warning(c->f, m->states[0]->span,
                       "nothing determines the clock of this state machine: it is Clock(1), a "
                       "tick each second");
        clock_set(c, g, &second, m->states[0]->span);
        clocks_follow(c);
    }
}

static void clocks_propagate(Clocks *c)
{
    for (uint32_t i = 0; i < c->roots.count; i++) {
        const FlatExpression *e = c->roots.items[i];
        const ClockValue value = clock_of_constructor(c, e);
        clock_set(c, clock_group(c, e), &value, e->span);
    }
    clocks_follow(c);
    clocks_default(c);
    for (uint32_t i = 0; i < c->links.count; i++) {
        const ClockLink *link = c->links.items[i];
        const bool is_factor =
            link->operation == OPERATION_SUB_SAMPLE || link->operation == OPERATION_SUPER_SAMPLE;
        if (is_factor && link->counter == 0)
            clock_check_open(c, link);
    }
}

// ---------------------------------------------------------------------------
// Checks
// ---------------------------------------------------------------------------

// Whether times of ticks are quotients of whole numbers that double precision has, for a long time.
static bool clock_is_exact(const ClockValue *v)
{
    const Rational common = rational_reduced(v->factor.den, v->shift.den);
    const double most = 9007199254740992.0; // 2^53
    return (double)v->factor.den * (double)common.den <= most &&
           fabs((double)v->shift.num * (double)common.num) <= most &&
           (double)v->factor.num * (double)common.den <= most / 1e3;
}

// A clock that would tick before the simulation begins, or at fractions of events.
static void clock_check_value(Clocks *c, const ClockGroup *g)
{
    const ClockValue *v = &g->value;
    const FlatExpression *interval = v->root ? v->root->operands[0] : NULL;
    const bool is_periodic = !interval || (interval->type->kind != FLAT_TYPE_BOOLEAN &&
                                           interval->variability <= FLAT_PARAMETER);
    if (!clock_is_exact(v))
        report_error(c->f, g->known,
                     "the times of the ticks of %s cannot be exact: its interval and "
                     "its shift are fractions with too large numbers",
                     clock_text(c, g));
    else if (v->shift.num < 0)
        report_error(c->f, g->known,
                     "%s would tick before the simulation begins: 'backSample' goes back further "
                     "than a shift before it went on",
                     clock_text(c, g));
    else if (!is_periodic && (v->factor.den > 1 || v->shift.den > 1))
        report_error(c->f, g->known,
                     "%s would tick between the ticks of a clock that has no fixed interval",
                     clock_text(c, g));
}

static void clock_check(Clocks *c, const ClockGroup *g, Span place)
{
    const bool is_clock = g->member && g->member->reference.type->kind == FLAT_TYPE_CLOCK;
    if (g->is_clocked && g->is_continuous) {
        Diagnostic *d;
        StringBuilder name = builder_create(c->f->arena);
        if (g->member)
            flat_variable_name(&name, g->member);
        d = report_error(c->f, g->clocked,
                         "this is clocked, but what it is linked with%s%s%s is not; 'sample' and "
                         "'hold' lead from one to the other",
                         g->member ? ", '" : "", builder_string(&name).text, g->member ? "'," : "");
        report_note(c->f, d, g->continuous, "here it is used without a clock");
    } else if (g->is_clocked && !g->is_known) {
        report_error(c->f,
                     is_clock           ? g->member->reference.span
                     : g->clocked.begin ? g->clocked
                                        : place,
                     "%s is not determined: a constructor like Clock(1, 10) must be linked with it",
                     clock_text(c, g));
    } else if (g->is_known) {
        clock_check_value(c, g);
    }
}

static void clocks_check(Clocks *c)
{
    const Flattener *f = c->f;
    Map seen = {0};
    for (uint32_t i = 0; i < f->made.equations.count; i++) {
        const FlatEquation *e = f->made.equations.items[i];
        const ClockGroup *g = clock_group(c, e);
        if (!map_find(&seen, g))
            clock_check(c, g, e->origin.span);
        map_set(f->arena, &seen, g, c);
    }
    for (uint32_t i = 0; i < f->made.algorithms.count; i++) {
        const FlatAlgorithm *a = f->made.algorithms.items[i];
        clock_check(c, clock_group(c, a), a->origin.span);
    }
    for (uint32_t i = 0; i < f->made.whens.count; i++) {
        const FlatWhen *w = f->made.whens.items[i];
        clock_check(c, clock_group(c, w), w->origin.span);
    }
    for (uint32_t i = 0; i < c->links.count; i++) {
        const ClockLink *link = c->links.items[i];
        clock_check(c, clock_root(link->argument), link->span);
    }
    for (uint32_t i = 0; i < c->held.count && !f->diagnostics->error_count; i++) {
        const ClockLink *link = c->held.items[i];
        clock_check(c, clock_root(link->argument), link->span);
    }
}

bool clocks_infer(Clocks *c)
{
    const size_t errors = c->f->diagnostics->error_count;
    clocks_visit(c);
    clocks_propagate(c);
    if (c->f->diagnostics->error_count == errors)
        clocks_check(c);
    return c->f->diagnostics->error_count == errors;
}
