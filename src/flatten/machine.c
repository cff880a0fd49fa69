// SPDX-License-Identifier: MIT
//
// State machines: see machine.h. A machine is a cluster of components of one instance that are
// linked by transitions; exactly one of them has initialState.

#include "flatten/machine.h"

#include "flatten/evaluate.h"

#include <stdlib.h>

// A state with what is only needed while machines are put together.
typedef struct StateNode {
    FlatState state;           // first: a FlatState is its StateNode
    struct StateNode *cluster; // union-find
    List members;              // of a root: the states of its machine
    List transitions;          // of a root: FlatTransition
    Instance *instance;
    const Instance *level; // whose equations name it
    bool is_initial;
    Span initial_span;
    bool has_transition;
} StateNode;

// ---------------------------------------------------------------------------
// Finding states
// ---------------------------------------------------------------------------

static void mark_state(Flattener *f, Instance *i, const Instance *level, const FlatGuard *guard,
                       Span span)
{
    if (i->flat->state)
        return;
    StateNode *node = ARENA_NEW(f->arena, StateNode);
    FlatGuard *active = ARENA_NEW(f->arena, FlatGuard);
    *active = (FlatGuard){.outer = guard, .state = &node->state};
    node->state.component = i->flat;
    node->state.name = instance_name(f, i);
    node->state.guard = active;
    node->state.span = span;
    node->cluster = node;
    node->instance = i;
    node->level = level;
    i->flat->state = &node->state;
    list_append(f->arena, &f->machines.states, node);
}

// The component that an argument names; NULL after a message. Only activeState looks into states.
static Instance *state_argument(Flattener *f, EquationContext *c, const Expression *e,
                                bool may_be_inside)
{
    Selection s;
    if (e->kind != EXPRESSION_REFERENCE) {
        report_error(f, e->span, "a state must be the name of a component");
        return NULL;
    }
    if (!select_components(f, &c->scope, e->reference, &s))
        return NULL;
    Instance *i = s.count == 1 && !s.variables ? s.instances[0] : NULL;
    if (s.is_absent || !i || i->kind != INSTANCE_COMPLEX || !class_is_model(f, i->class_) ||
        instance_parent(i) == NULL) {
        report_error(f, e->span,
                     "'%s' cannot be a state: a state is one component of a model or "
                     "block class",
                     reference_text(f, e->reference));
        return NULL;
    }
    const Instance *parent = instance_parent(i);
    if (i->is_element)
        parent = instance_parent(parent);
    while (may_be_inside && parent && parent != c->scope.instance)
        parent = instance_parent(parent);
    if (parent != c->scope.instance) {
        report_error(f, e->span, "'%s' cannot be a state here: it is not a component of this class",
                     reference_text(f, e->reference));
        return NULL;
    }
    return i;
}

static Operation machine_operation(Flattener *f, EquationContext *c, const Equation *e)
{
    if (e->kind != EQUATION_CALL || e->call->kind != EXPRESSION_CALL)
        return OPERATION_COUNT;
    const Operation op = elaborate_operation(f, &c->scope, e->call->call.function);
    return op == OPERATION_INITIAL_STATE || op == OPERATION_TRANSITION ? op : OPERATION_COUNT;
}

static void scan_equation(Flattener *f, EquationContext *c, const Equation *equation)
{
    if (equation->kind == EQUATION_FOR) {
        equations_unroll(f, c, equation, scan_equation);
    } else if (equation->kind == EQUATION_IF && f->machines.scans_branches) {
        bool is_resolved;
        const Section *branch = equations_resolve(f, c, equation, &is_resolved);
        f->machines.branch_depth++;
        for (uint32_t i = 0; branch && i < branch->count; i++)
            scan_equation(f, c, branch->equations[i]);
        f->machines.branch_depth--;
    } else if (f->machines.scans_branches == (f->machines.branch_depth > 0)) {
        const Operation op = machine_operation(f, c, equation);
        const uint32_t states = op == OPERATION_TRANSITION ? 2 : op == OPERATION_COUNT ? 0 : 1;
        for (uint32_t k = 0; k < states && k < equation->call->call.count; k++) {
            Instance *i = state_argument(f, c, equation->call->call.arguments[k], false);
            if (i)
                mark_state(f, i, c->scope.instance, c->guard, equation->span);
        }
    }
}

static void scan_section(Flattener *f, Instance *i, Class *text, const Section *section, void *data)
{
    if (section->is_algorithm || section->is_initial)
        return;
    EquationContext c = {.scope = scope_of_instance(i, text), .guard = *(const FlatGuard **)data};
    for (uint32_t k = 0; k < section->count; k++)
        scan_equation(f, &c, section->equations[k]);
}

void machines_scan(Flattener *f, Instance *i, const FlatGuard *guard)
{
    class_texts(f, i->class_);
    if (!i->class_->sections.has_machines)
        return;
    // Equations have no order: conditions of if-equations may use activeState of states that are
    // named further down.
    for (int pass = 0; pass < 2; pass++) {
        f->machines.scans_branches = pass == 1;
        equations_visit(f, i, scan_section, &guard);
    }
}

// ---------------------------------------------------------------------------
// InitialState and transition
// ---------------------------------------------------------------------------

static StateNode *find_cluster(StateNode *node)
{
    while (node->cluster != node) {
        node->cluster = node->cluster->cluster;
        node = node->cluster;
    }
    return node;
}

static StateNode *argument_node(Flattener *f, EquationContext *c, const Expression *e)
{
    Instance *i = state_argument(f, c, e, false);
    return i && i->flat->state ? (StateNode *)(void *)i->flat->state : NULL;
}

static void add_initial(Flattener *f, EquationContext *c, const Expression *call)
{
    if (call->call.count != 1 || call->call.named_count) {
        report_error(f, call->span, "'initialState' takes one state");
        return;
    }
    StateNode *node = argument_node(f, c, call->call.arguments[0]);
    if (!node)
        return;
    if (node->is_initial)
        report_error(f, call->span, "'%s' is declared the initial state twice", node->state.name);
    node->is_initial = true;
    node->initial_span = call->span;
}

// The options of a transition, in their order after the condition: immediate, reset, synchronize,
// which are flags, and the priority.
static bool read_option(Flattener *f, EquationContext *c, uint32_t place, const Expression *e,
                        bool flags[3], int64_t *priority)
{
    static const char *const names[] = {"immediate", "reset", "synchronize", "priority"};
    StringBuilder what = builder_create(f->arena);
    builder_append_format(&what, "'%s' of a transition", names[place]);
    const char *text = builder_string(&what).text;
    FlatExpression *value = elaborate(f, &c->scope, e);
    if (place < 3) {
        value = build_expect(f, value, &flat_type_boolean, 0, NULL, text);
        return !expression_is_none(value) && evaluate_boolean(f, value, text, &flags[place]);
    }
    value = build_expect(f, value, &flat_type_integer, 0, NULL, text);
    if (expression_is_none(value) || !evaluate_integer(f, value, text, priority))
        return false;
    if (*priority < 1) {
        report_error(f, e->span, "the priority of a transition must be at least 1");
        return false;
    }
    return true;
}

static bool machine_read_options(Flattener *f, EquationContext *c, const Expression *call,
                                 bool flags[3], int64_t *priority)
{
    static const char *const names[] = {"from",  "to",          "condition", "immediate",
                                        "reset", "synchronize", "priority"};
    enum { COUNT = 7 };
    const Expression *given[COUNT] = {NULL};
    for (uint32_t i = 0; i < call->call.count && i < COUNT; i++)
        given[i] = call->call.arguments[i];
    for (uint32_t i = 0; i < call->call.named_count; i++) {
        const NamedExpression *named = &call->call.named[i];
        uint32_t place = 0;
        while (place < COUNT && !(named->name && strcmp(named->name->text, names[place]) == 0))
            place++;
        if (place == COUNT || given[place]) {
            report_error(f, named->span,
                         place == COUNT ? "'transition' has no argument '%s'"
                                        : "argument '%s' of 'transition' is given twice",
                         named->name ? named->name->text : "");
            return false;
        }
        given[place] = named->value;
    }
    for (uint32_t i = 3; i < COUNT; i++)
        if (given[i] && !read_option(f, c, i - 3, given[i], flags, priority))
            return false;
    return true;
}

static void machine_add_transition(Flattener *f, EquationContext *c, const Expression *call)
{
    if (call->call.count < 3 || call->call.count > 7) {
        report_error(f, call->span, "'transition' takes two states, a condition and options");
        return;
    }
    StateNode *from = argument_node(f, c, call->call.arguments[0]);
    StateNode *to = argument_node(f, c, call->call.arguments[1]);
    if (!from || !to)
        return;
    bool flags[3] = {true, true, false};
    int64_t priority = 1;
    const FlatState *outer = c->scope.state;
    c->scope.state = &from->state;
    FlatExpression *condition = elaborate_condition(f, &c->scope, call->call.arguments[2]);
    c->scope.state = outer;
    if (expression_is_none(condition) || !machine_read_options(f, c, call, flags, &priority))
        return;
    FlatTransition *t = ARENA_NEW(f->arena, FlatTransition);
    *t = (FlatTransition){.from = &from->state,
                          .to = &to->state,
                          .condition = condition,
                          .is_immediate = flags[0],
                          .is_reset = flags[1],
                          .is_synchronized = flags[2],
                          .priority = priority,
                          .span = call->span};
    list_append(f->arena, &f->machines.transitions, t);
    from->has_transition = to->has_transition = true;
    StateNode *a = find_cluster(from);
    StateNode *b = find_cluster(to);
    if (a != b)
        b->cluster = a;
}

void machines_equation(Flattener *f, EquationContext *c, const Equation *equation, Operation op)
{
    const char *name = operation_info(op)->text;
    if (c->statements || c->is_initial || c->guard != c->scope.instance->guard) {
        report_error(f, equation->span, "'%s' cannot be used in %s", name,
                     c->statements   ? "'when'"
                     : c->is_initial ? "an initial equation section"
                                     : "an 'if' whose condition can change");
        return;
    }
    if (op == OPERATION_INITIAL_STATE)
        add_initial(f, c, equation->call);
    else
        machine_add_transition(f, c, equation->call);
}

// ---------------------------------------------------------------------------
// Machines
// ---------------------------------------------------------------------------

static void machine_add_state(Flattener *f, FlatMachine *machine, List *states, StateNode *node)
{
    node->state.machine = machine;
    node->state.index = states->count;
    list_append(f->arena, states, &node->state);
}

static void machine_find_initial(Flattener *f, const StateNode *cluster, StateNode **initial)
{
    *initial = NULL;
    for (uint32_t i = 0; i < cluster->members.count; i++) {
        StateNode *node = cluster->members.items[i];
        if (!node->is_initial)
            continue;
        if (*initial) {
            Diagnostic *d = report_error(f, node->initial_span,
                                         "a state machine has two initial states: '%s' and '%s'",
                                         (*initial)->state.name, node->state.name);
            report_note(f, d, (*initial)->initial_span, "the first one is here");
            return;
        }
        *initial = node;
    }
    // Without the transitions that had errors, states may be alone.
    if (!*initial && f->diagnostics->error_count == 0)
        report_error(f, cluster->state.span,
                     "the state machine with state '%s' has no initial state; add "
                     "'initialState(...)'",
                     cluster->state.name);
}

static int compare_transitions(const void *a, const void *b)
{
    const FlatTransition *x = a;
    const FlatTransition *y = b;
    if (x->from->index != y->from->index)
        return x->from->index < y->from->index ? -1 : 1;
    return (x->priority > y->priority) - (x->priority < y->priority);
}

static void check_priorities(Flattener *f, const FlatMachine *m)
{
    for (uint32_t i = 1; i < m->transition_count; i++) {
        const FlatTransition *a = &m->transitions[i - 1];
        const FlatTransition *b = &m->transitions[i];
        if (a->from != b->from || a->priority != b->priority)
            continue;
        const FlatTransition *later = a->span.begin > b->span.begin ? a : b;
        const FlatTransition *first = later == a ? b : a;
        uint32_t last = i; // they are sorted
        while (last + 1 < m->transition_count && m->transitions[last + 1].from == a->from)
            last++;
        Diagnostic *d = report_error(f, later->span,
                                     "two transitions from '%s' have priority %lld; the "
                                     "priorities of one state must differ: write, for example, "
                                     "priority = %lld",
                                     a->from->name, (long long)a->priority,
                                     (long long)m->transitions[last].priority + 1);
        if (first->span.begin != later->span.begin)
            report_note(f, d, first->span, "the other one is here");
    }
}

static void finish_machine(Flattener *f, StateNode *cluster, List *machines)
{
    StateNode *initial;
    machine_find_initial(f, cluster, &initial);
    FlatMachine *m = ARENA_NEW(f->arena, FlatMachine);
    m->index = machines->count;
    m->component = cluster->level->flat;
    m->guard = cluster->state.guard->outer;
    List states = {0};
    if (initial)
        machine_add_state(f, m, &states, initial);
    for (uint32_t i = 0; i < cluster->members.count; i++)
        if (cluster->members.items[i] != initial)
            machine_add_state(f, m, &states, cluster->members.items[i]);
    m->states = (FlatState **)(void *)states.items;
    m->state_count = states.count;
    list_append(f->arena, machines, m);
    m->transition_count = cluster->transitions.count;
    m->transitions = ARENA_ARRAY(f->arena, m->transition_count + 1, FlatTransition);
    for (uint32_t i = 0; i < m->transition_count; i++)
        m->transitions[i] = *(FlatTransition *)cluster->transitions.items[i];
    if (m->transition_count)
        qsort(m->transitions, m->transition_count, sizeof *m->transitions, compare_transitions);
    check_priorities(f, m);
}

void machines_finish(Flattener *f)
{
    List machines = {0};
    const List *states = &f->machines.states;
    const List *transitions = &f->machines.transitions;
    for (uint32_t i = 0; i < states->count; i++)
        list_append(f->arena, &find_cluster(states->items[i])->members, states->items[i]);
    for (uint32_t i = 0; i < transitions->count; i++) {
        FlatTransition *t = transitions->items[i];
        StateNode *from = (StateNode *)(void *)t->from;
        list_append(f->arena, &find_cluster(from)->transitions, t);
    }
    for (uint32_t i = 0; i < states->count; i++) {
        StateNode *node = states->items[i];
        if (find_cluster(node) == node)
            finish_machine(f, node, &machines);
    }
    f->model->machines = (FlatMachine **)(void *)machines.items;
    f->model->machine_count = machines.count;
}

// ---------------------------------------------------------------------------
// Expressions
// ---------------------------------------------------------------------------

static FlatExpression *state_node(Flattener *f, FlatKind kind, const FlatType *type,
                                  FlatState *state, Span span)
{
    FlatExpression *e = build_node(f, kind, type, 0, span);
    e->variability = kind == FLAT_STATE_TIME ? FLAT_CONTINUOUS : FLAT_DISCRETE;
    e->state = state;
    return e;
}

FlatExpression *machine_expression(Flattener *f, Scope *s, const Expression *e, Operation op)
{
    if (op == OPERATION_ACTIVE_STATE) {
        if (e->call.count != 1 || e->call.named_count || !s->instance) {
            report_error(f, e->span, "'activeState' takes one state");
            return build_none(f, e->span);
        }
        EquationContext c = {.scope = *s};
        Instance *i = state_argument(f, &c, e->call.arguments[0], true);
        if (!i)
            return build_none(f, e->span);
        if (!i->flat->state) {
            report_error(f, e->call.arguments[0]->span,
                         "'%s' is not a state: no 'initialState' or 'transition' names it",
                         instance_name(f, i));
            return build_none(f, e->span);
        }
        return state_node(f, FLAT_ACTIVE, &flat_type_boolean, i->flat->state, e->span);
    }
    if (e->call.count || e->call.named_count) {
        report_error(f, e->span, "'%s' takes no arguments", operation_info(op)->text);
        return build_none(f, e->span);
    }
    FlatState *state = (FlatState *)s->state;
    for (const Instance *i = s->instance; i && !state; i = instance_parent(i))
        state = i->flat->state;
    if (!state) {
        report_error(f, e->span,
                     "'%s' can only be used in the condition of a transition, or in a "
                     "state",
                     operation_info(op)->text);
        return build_none(f, e->span);
    }
    return op == OPERATION_TIME_IN_STATE
               ? state_node(f, FLAT_STATE_TIME, &flat_type_real, state, e->span)
               : state_node(f, FLAT_STATE_TICKS, &flat_type_integer, state, e->span);
}
