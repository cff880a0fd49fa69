// SPDX-License-Identifier: MIT
//
// State machines whose states are clocked (chapter 17 of the specification), as clocked equations.
// Machines with continuous equations in their states stay what they are: see machine.h.
//
// At each tick of a machine that is on, with s = previous(state):
//
//   state   = 1 if the machine is reset, else where the first transition from s leads that fires,
//             else s. An immediate transition fires if its condition holds, a delayed one if it
//             held at the tick before.
//   resets  = of the active state: whether it was entered by a reset, or was not active since its
//             machine was reset. Then previous(x) of its variables is their start value.
//
// A machine is on if the state that it is in is active; the machines of a state are reset with it.
// The equations of a state hold at the ticks at which it is active.

#include "flatten/clock.h"

#include "flatten/instance.h"

struct ClockMachine {
    FlatMachine *machine;
    ClockGroup *group;
    FlatVariable *active;          // Integer: the number of the active state, from 1
    FlatVariable *entry, *entered; // the count and the time when it was entered
    struct {                       // a state
        FlatVariable *tick;        // Boolean: it is active, and the clock ticks
        FlatVariable *resets;
        FlatVariable *pending; // it was not active since its machine was reset
    } * places;
};

static ClockMachine *clock_machine_of(Clocks *c, const FlatState *state)
{
    return state ? map_find(&c->machines, state->machine) : NULL;
}

static const FlatState *clock_state(const FlatGuard *g)
{
    while (g && !g->state)
        g = g->outer;
    return g ? g->state : NULL;
}

static FlatExpression *machine_binary(Clocks *c, Operation op, FlatExpression *a, FlatExpression *b)
{
    return build_binary(c->f, op, a, b, a->span);
}

static FlatExpression *machine_if(Clocks *c, FlatExpression *condition, FlatExpression *then,
                                  FlatExpression *otherwise)
{
    FlatExpression *parts[] = {condition, then, otherwise};
    return build_if(c->f, 3, parts, condition->span);
}

static FlatExpression *machine_pre(Clocks *c, FlatVariable *v)
{
    return clock_pre(c, &v->reference, v->reference.span);
}

// ---------------------------------------------------------------------------
// Expressions
// ---------------------------------------------------------------------------

static FlatExpression *machine_is_on(Clocks *c, const ClockMachine *m);

// Whether the state is active, at a tick.
static FlatExpression *machine_state_is_active(Clocks *c, const FlatState *state)
{
    const ClockMachine *m = clock_machine_of(c, state);
    return machine_binary(
        c, OPERATION_AND, machine_is_on(c, m),
        machine_binary(c, OPERATION_EQUAL, &m->active->reference,
                       build_integer(c->f, (int64_t)state->index + 1, state->span)));
}

static FlatExpression *machine_is_on(Clocks *c, const ClockMachine *m)
{
    const FlatState *around = clock_state(m->machine->guard);
    return around ? machine_state_is_active(c, around)
                  : build_boolean(c->f, true, m->machine->states[0]->span);
}

static FlatExpression *machine_is_reset(Clocks *c, const ClockMachine *m)
{
    const FlatState *around = clock_state(m->machine->guard);
    return around ? &clock_machine_of(c, around)->places[around->index].resets->reference
                  : clock_first(c, m->group->tick, m->machine->states[0]->span);
}

FlatExpression *clock_machine_value(Clocks *c, const FlatExpression *e)
{
    const ClockMachine *m = clock_machine_of(c, e->state);
    if (!m)
        return NULL;
    if (e->kind == FLAT_ACTIVE)
        return machine_state_is_active(c, e->state);
    // An immediate transition looks at the state that was entered before this tick.
    FlatVariable *since = e->kind == FLAT_STATE_TIME ? m->entered : m->entry;
    FlatExpression *now = e->kind == FLAT_STATE_TIME
                              ? build_call(c->f, OPERATION_TIME, 0, NULL, e->span)
                              : &m->group->tick->count->reference;
    return machine_binary(c, OPERATION_SUBTRACT, now,
                          c->is_immediate ? machine_pre(c, since) : &since->reference);
}

FlatExpression *clock_previous_value(Clocks *c, FlatVariable *v, Span span)
{
    const FlatState *state = clock_state(variable_instance(v)->guard);
    const ClockMachine *m = clock_machine_of(c, state);
    FlatExpression *before = clock_pre(c, &v->reference, span);
    if (!m)
        return before;
    const FlatTypeKind kind = v->reference.type->kind;
    FlatExpression *start = v->attributes ? v->attributes->start : NULL;
    if (!start)
        start = kind == FLAT_TYPE_REAL      ? build_real(c->f, 0.0, span)
                : kind == FLAT_TYPE_BOOLEAN ? build_boolean(c->f, false, span)
                : kind == FLAT_TYPE_INTEGER ? build_integer(c->f, 0, span)
                                            : build_enumeration(c->f, v->reference.type, 1, span);
    return machine_if(c, &m->places[state->index].resets->reference, start, before);
}

FlatVariable *clock_state_tick(Clocks *c, const FlatGuard *guard)
{
    const FlatState *state = clock_state(guard);
    const ClockMachine *m = clock_machine_of(c, state);
    return m ? m->places[state->index].tick : NULL;
}

// ---------------------------------------------------------------------------
// Variables of states
// ---------------------------------------------------------------------------

static FlatEquation *machine_defines(const FlatEquation *e, const FlatVariable *v)
{
    const bool is_left = e->left && e->left->kind == FLAT_VARIABLE && e->left->variable == v;
    const bool is_right = e->kind == FLAT_EQUATION_CONNECTION && e->right->kind == FLAT_VARIABLE &&
                          e->right->variable == v;
    return is_left || is_right ? (FlatEquation *)(uintptr_t)e : NULL;
}

// What several states define is what the active one says, else what it was (section 17.3.5).
static void machine_merge(Clocks *c, FlatVariable *v)
{
    Flattener *f = c->f;
    const FlatGuard *own = variable_instance(v)->guard;
    List others = {0}, parts = {0};
    FlatEquation *first = NULL;
    for (uint32_t i = 0; i < f->made.equations.count; i++) {
        FlatEquation *e = f->made.equations.items[i];
        const FlatState *state = e->guard != own ? clock_state(e->guard) : NULL;
        if (!clock_machine_of(c, state) || !machine_defines(e, v)) {
            list_append(f->arena, &others, e);
            continue;
        }
        FlatExpression *active = build_node(f, FLAT_ACTIVE, &flat_type_boolean, 0, e->origin.span);
        active->variability = FLAT_DISCRETE;
        active->state = (FlatState *)(uintptr_t)state;
        const bool is_left = e->left->kind == FLAT_VARIABLE && e->left->variable == v;
        list_append(f->arena, &parts, active);
        list_append(f->arena, &parts, is_left ? e->right : e->left);
        first = first ? first : e;
    }
    if (!first)
        return;
    FlatExpression *reference = &v->reference;
    FlatExpression *last =
        build_operation(f, OPERATION_PREVIOUS, v->reference.type, 1, &reference, v->reference.span);
    list_append(f->arena, &parts, last);
    FlatEquation *merged = ARENA_NEW(f->arena, FlatEquation);
    *merged = *first;
    merged->kind = FLAT_EQUATION_EQUALITY;
    merged->guard = own;
    merged->left = &v->reference;
    merged->right =
        build_if(f, parts.count, (FlatExpression **)(void *)parts.items, v->reference.span);
    map_set(f->arena, &c->groups, merged, clock_group(c, first));
    f->made.equations = others;
    list_append(f->passing, &f->made.equations, merged);
}

static void machines_merge(Clocks *c)
{
    Flattener *f = c->f;
    List others = {0};
    for (uint32_t i = 0; i < f->made.sharings.count; i++) {
        FlatSharing *s = f->made.sharings.items[i];
        if (!clock_machine_of(c, clock_state(s->guard))) {
            list_append(f->arena, &others, s);
            continue;
        }
        s->variable->is_shared = variable_instance(s->variable)->is_shared = false;
        machine_merge(c, s->variable);
    }
    f->made.sharings = others;
}

// ---------------------------------------------------------------------------
// The machine
// ---------------------------------------------------------------------------

static FlatVariable *machine_variable(Clocks *c, const ClockMachine *m, const char *owner,
                                      const char *name, const FlatType *type, FlatExpression *start)
{
    return clock_variable(c, owner, name, type, FLAT_DISCRETE, start, m->machine->states[0]->span);
}

// Its variables, without equations: machines may look at each other.
static void machine_declare(Clocks *c, FlatMachine *machine)
{
    Flattener *f = c->f;
    ClockMachine *m = ARENA_NEW(f->arena, ClockMachine);
    *m = (ClockMachine){.machine = machine, .group = clock_group(c, machine)};
    const Span span = machine->states[0]->span;
    clock_tick(c, m->group);
    StringBuilder name = builder_create(f->arena);
    builder_append_format(&name, "machine %u", (unsigned)machine->index + 1);
    const char *owner = builder_string(&name).text;
    m->active =
        machine_variable(c, m, owner, "state", &flat_type_integer, build_integer(f, 1, span));
    m->entry =
        machine_variable(c, m, owner, "entry", &flat_type_integer, build_integer(f, 0, span));
    m->entered =
        machine_variable(c, m, owner, "entered", &flat_type_real, build_real(f, 0.0, span));
    m->places = arena_array(f->arena, machine->state_count, sizeof *m->places);
    for (uint32_t i = 0; i < machine->state_count; i++) {
        StringBuilder state = builder_create(f->arena);
        builder_append_format(&state, "state %s", machine->states[i]->name);
        const char *of = builder_string(&state).text;
        m->places[i].tick = machine_variable(c, m, of, "tick", &flat_type_boolean, NULL);
        m->places[i].resets =
            machine_variable(c, m, of, "resets", &flat_type_boolean, build_boolean(f, false, span));
        m->places[i].pending =
            machine_variable(c, m, of, "pending", &flat_type_boolean, build_boolean(f, true, span));
    }
    map_set(f->arena, &c->machines, machine, m);
}

// All machines of the state are in states without a transition away from them.
static FlatExpression *machine_is_final(Clocks *c, const FlatTransition *t)
{
    Flattener *f = c->f;
    FlatExpression *all = build_boolean(f, true, t->span);
    for (uint32_t i = 0; i < f->model->machine_count; i++) {
        const FlatMachine *inner = f->model->machines[i];
        const ClockMachine *m = map_find(&c->machines, inner);
        if (!m || clock_state(inner->guard) != t->from)
            continue;
        FlatExpression *any = build_boolean(f, false, t->span);
        for (uint32_t s = 0; s < inner->state_count; s++) {
            bool is_left = false;
            for (uint32_t k = 0; k < inner->transition_count; k++)
                is_left = is_left || inner->transitions[k].from == inner->states[s];
            if (is_left)
                continue;
            FlatExpression *now =
                t->is_immediate ? machine_pre(c, m->active) : &m->active->reference;
            any = machine_binary(
                c, OPERATION_OR, any,
                machine_binary(c, OPERATION_EQUAL, now, build_integer(f, (int64_t)s + 1, t->span)));
        }
        all = machine_binary(c, OPERATION_AND, all, any);
    }
    return all;
}

// Whether the transition fires, at a tick, if the last state is the one that it is from.
static FlatExpression *machine_fires(Clocks *c, const ClockMachine *m, const FlatTransition *t,
                                     uint32_t number)
{
    Flattener *f = c->f;
    c->is_immediate = t->is_immediate;
    FlatExpression *condition = clock_rewrite(c, t->condition, m->group);
    c->is_immediate = false;
    if (t->is_synchronized)
        condition = machine_binary(c, OPERATION_AND, condition, machine_is_final(c, t));
    if (!t->is_immediate) {
        StringBuilder name = builder_create(f->arena);
        builder_append_format(&name, "transition %u", (unsigned)number + 1);
        StringBuilder owner = builder_create(f->arena);
        builder_append_format(&owner, "machine %u", (unsigned)m->machine->index + 1);
        FlatVariable *v =
            machine_variable(c, m, builder_string(&owner).text, builder_string(&name).text,
                             &flat_type_boolean, build_boolean(f, false, t->span));
        // (Only while the state is active: a condition from before it was entered is over.)
        clock_equation(
            c, &v->reference,
            machine_binary(c, OPERATION_AND, machine_state_is_active(c, t->from), condition),
            m->group->tick, t->span);
        condition = machine_pre(c, v);
    }
    FlatExpression *is_from =
        machine_binary(c, OPERATION_EQUAL, machine_pre(c, m->active),
                       build_integer(f, (int64_t)t->from->index + 1, t->span));
    return machine_binary(c, OPERATION_AND, is_from, condition);
}

// if on then (if reset then a else if fired == 1 then b1 ... else c) else d
static FlatExpression *machine_choice(Clocks *c, const ClockMachine *m, FlatVariable *fired,
                                      FlatExpression *reset, FlatExpression **by,
                                      FlatExpression *stays)
{
    FlatExpression *value = stays;
    for (uint32_t i = m->machine->transition_count; i-- > 0;)
        value = machine_if(c,
                           machine_binary(c, OPERATION_EQUAL, &fired->reference,
                                          build_integer(c->f, (int64_t)i + 1, reset->span)),
                           by[i], value);
    value = machine_if(c, machine_is_reset(c, m), reset, value);
    return machine_if(c, machine_is_on(c, m), value, stays);
}

static void machine_make_places(Clocks *c, const ClockMachine *m, FlatVariable *by_reset)
{
    const ClockTick *tick = m->group->tick;
    for (uint32_t i = 0; i < m->machine->state_count; i++) {
        FlatVariable *resets = m->places[i].resets, *pending = m->places[i].pending;
        const Span span = m->machine->states[i]->span;
        FlatExpression *active = machine_state_is_active(c, m->machine->states[i]);
        FlatExpression *was =
            machine_binary(c, OPERATION_OR, machine_is_reset(c, m), machine_pre(c, pending));
        clock_equation(c, &m->places[i].tick->reference,
                       machine_binary(c, OPERATION_AND, &tick->tick->reference, active), NULL,
                       span);
        clock_equation(c, &resets->reference,
                       machine_binary(c, OPERATION_AND, active,
                                      machine_binary(c, OPERATION_OR, &by_reset->reference, was)),
                       tick, span);
        FlatExpression *inactive = machine_if(c, machine_is_on(c, m), was, machine_pre(c, pending));
        clock_equation(c, &pending->reference,
                       machine_if(c, active, build_boolean(c->f, false, span), inactive), tick,
                       span);
    }
}

// The number of the transition that fires, from 1; 0: none does.
static FlatVariable *machine_make_fired(Clocks *c, const ClockMachine *m, const char *owner)
{
    Flattener *f = c->f;
    const Span span = m->machine->states[0]->span;
    FlatVariable *fired = machine_variable(c, m, owner, "fired", &flat_type_integer, NULL);
    FlatExpression *value = build_integer(f, 0, span);
    for (uint32_t i = m->machine->transition_count; i-- > 0;)
        value = machine_if(c, machine_fires(c, m, &m->machine->transitions[i], i),
                           build_integer(f, (int64_t)i + 1, span), value);
    clock_equation(c, &fired->reference, value, m->group->tick, span);
    return fired;
}

static void machine_make(Clocks *c, const ClockMachine *m)
{
    Flattener *f = c->f;
    const FlatMachine *machine = m->machine;
    const Span span = machine->states[0]->span;
    const uint32_t count = machine->transition_count;
    FlatExpression **to = ARENA_ARRAY(f->arena, count + 1, FlatExpression *);
    FlatExpression **resets = ARENA_ARRAY(f->arena, count + 1, FlatExpression *);
    for (uint32_t i = 0; i < count; i++) {
        const FlatTransition *t = &machine->transitions[i];
        to[i] = build_integer(f, (int64_t)t->to->index + 1, t->span);
        resets[i] = build_boolean(f, t->is_reset, t->span);
    }
    StringBuilder owner = builder_create(f->arena);
    builder_append_format(&owner, "machine %u", (unsigned)machine->index + 1);
    const char *name = builder_string(&owner).text;
    FlatVariable *fired = machine_make_fired(c, m, name);
    FlatVariable *by_reset =
        machine_variable(c, m, name, "resets", &flat_type_boolean, build_boolean(f, false, span));
    const ClockTick *tick = m->group->tick;
    clock_equation(
        c, &m->active->reference,
        machine_choice(c, m, fired, build_integer(f, 1, span), to, machine_pre(c, m->active)), tick,
        span);
    clock_equation(c, &by_reset->reference,
                   machine_choice(c, m, fired, build_boolean(f, true, span), resets,
                                  build_boolean(f, false, span)),
                   tick, span);
    FlatExpression *enters = machine_binary(
        c, OPERATION_OR, machine_is_reset(c, m),
        machine_binary(c, OPERATION_GREATER, &fired->reference, build_integer(f, 0, span)));
    enters = machine_binary(c, OPERATION_AND, machine_is_on(c, m), enters);
    clock_equation(c, &m->entry->reference,
                   machine_if(c, enters, &tick->count->reference, machine_pre(c, m->entry)), tick,
                   span);
    clock_equation(c, &m->entered->reference,
                   machine_if(c, enters, build_call(f, OPERATION_TIME, 0, NULL, span),
                              machine_pre(c, m->entered)),
                   tick, span);
    machine_make_places(c, m, by_reset);
}

// ---------------------------------------------------------------------------
// All of them
// ---------------------------------------------------------------------------

// What was in a state is always there now.
static void machine_release(Instance *i, const FlatGuard *guard)
{
    i->guard = guard;
    if (i->kind != INSTANCE_COMPLEX && i->kind != INSTANCE_ARRAY)
        return;
    for (uint32_t k = 0; k < i->count; k++)
        machine_release(&i->children[k], guard);
}

void clock_machines_begin(Clocks *c)
{
    const FlatModel *model = c->f->model;
    for (uint32_t i = 0; i < model->machine_count; i++)
        if (clock_group(c, model->machines[i])->is_known)
            machine_declare(c, model->machines[i]);
    machines_merge(c);
}

void clock_machines_make(Clocks *c)
{
    const FlatModel *model = c->f->model;
    for (uint32_t i = 0; i < model->machine_count; i++) {
        const ClockMachine *m = map_find(&c->machines, model->machines[i]);
        if (m)
            machine_make(c, m);
    }
}

void clock_machines_end(Clocks *c)
{
    FlatModel *model = c->f->model;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < model->machine_count; i++) {
        FlatMachine *machine = model->machines[i];
        if (!map_find(&c->machines, machine)) {
            machine->index = kept;
            model->machines[kept++] = machine;
            continue;
        }
        for (uint32_t s = 0; s < machine->state_count; s++) {
            machine->states[s]->component->state = NULL;
            machine_release(machine->states[s]->component->instance, NULL);
        }
    }
    model->machine_count = kept;
}
