// SPDX-License-Identifier: MIT
//
// Connection sets (section 9.2): a partition of the variables of connectors by union-find, one node
// for each variable and side. A connector seen from the component it belongs to is outside, seen
// from the enclosing component inside; the two are different nodes. So every set belongs to one
// component, whose connect equations made it.
//
// A set of potentials gives equalities with one of its members, the root; a set of flows gives one
// sum, in which outside flows count negative. A member that belongs to a state of a machine takes
// part while the state is active: its equality has the state's guard, its flow counts as zero
// otherwise. Flow variables in no set from inside are zero.

#include "flatten/connect.h"

#include "flatten/bus.h"
#include "flatten/evaluate.h"
#include "flatten/graph.h"
#include "flatten/machine.h"
#include "flatten/rules.h"
#include "flatten/stream.h"

#include <stdlib.h>

// Constants or parameters of two connectors, which must be equal.
typedef struct ConnectPair {
    Connecting connecting;
    FlatVariable *a, *b;
} ConnectPair;

// ---------------------------------------------------------------------------
// Union-find
// ---------------------------------------------------------------------------

static Connected *node_of(Flattener *f, FlatVariable *v, bool is_outside, const Instance *level,
                          Span span)
{
    Map *map = is_outside ? &f->connections.outside : &f->connections.inside;
    Connected *node = map_find(map, v);
    if (node)
        return node;
    node = ARENA_NEW(f->passing, Connected);
    *node = (Connected){.parent = node,
                        .next = node,
                        .variable = v,
                        .order = f->connections.nodes.count,
                        .is_outside = is_outside,
                        .span = span,
                        .level = level};
    map_set(f->passing, map, v, node);
    list_append(f->passing, &f->connections.nodes, node);
    return node;
}

static Connected *find_root(Connected *node)
{
    while (node->parent != node) {
        node->parent = node->parent->parent;
        node = node->parent;
    }
    return node;
}

static void connect_unite(Connected *a, Connected *b)
{
    Connected *x = find_root(a);
    Connected *y = find_root(b);
    if (x == y)
        return;
    if (x->rank < y->rank) {
        Connected *swapped = x;
        x = y;
        y = swapped;
    }
    y->parent = x;
    x->rank += x->rank == y->rank;
    Connected *next = x->next; // joins the rings
    x->next = y->next;
    y->next = next;
}

// ---------------------------------------------------------------------------
// Connect equations
// ---------------------------------------------------------------------------

static const char *role_text(const Instance *i)
{
    return i->role == ROLE_FLOW     ? "a flow variable"
           : i->role == ROLE_STREAM ? "a stream variable"
                                    : "a potential";
}

static void report_unequal(Flattener *f, const Connecting *c, const char *why, const Instance *a,
                           const Instance *b)
{
    report_error(f, c->span, "'%s' and '%s' cannot be connected: %s", instance_name(f, a),
                 instance_name(f, b), why);
}

static bool same_sizes(const Instance *a, const Instance *b)
{
    return a->flat->rank == b->flat->rank &&
           (a->flat->rank == 0 ||
            memcmp(a->flat->dims, b->flat->dims, a->flat->rank * sizeof *a->flat->dims) == 0);
}

static FlatExpression *inequality_text(Flattener *f, const FlatVariable *a, const FlatVariable *b,
                                       Span span)
{
    StringBuilder text = builder_create(f->arena);
    flat_variable_name(&text, a);
    builder_append_text(&text, " and ");
    flat_variable_name(&text, b);
    builder_append_text(&text, " are connected, but have different values");
    FlatExpression *message = build_node(f, FLAT_STRING, &flat_type_string, 0, span);
    message->string = builder_string(&text).text;
    return message;
}

// Constants and parameters of connectors must be equal (section 9.2). What is known is compared
// here, the rest when the run begins.
static void connect_values(Flattener *f, const ConnectPair *pair)
{
    FlatVariable *a = pair->a, *b = pair->b;
    const Span span = pair->connecting.span;
    FlatExpression *message = inequality_text(f, a, b, span);
    FlatExpression *condition =
        build_binary(f, OPERATION_EQUAL, &a->reference, &b->reference, span);
    bool is_equal = true;
    const bool is_known = (a->kind == FLAT_CONSTANT || a->is_evaluated) &&
                          (b->kind == FLAT_CONSTANT || b->is_evaluated);
    if (is_known && evaluate_boolean(f, condition, NULL, &is_equal)) {
        if (!is_equal)
            report_error(f, span, "%s", message->string);
        return;
    }
    FlatAssertion *assertion = ARENA_NEW(f->arena, FlatAssertion);
    *assertion =
        (FlatAssertion){.origin = {.span = span, .component = pair->connecting.level->flat},
                        .guard = pair->connecting.guard,
                        .condition = condition,
                        .message = message,
                        .level = FLAT_LEVEL_ERROR};
    list_append(f->passing, &f->made.assertions, assertion);
}

static void connect_variables(Flattener *f, const Connecting *c, FlatVariable *a, FlatVariable *b)
{
    const Instance *x = variable_instance(a);
    const Instance *y = variable_instance(b);
    if (!flat_type_equal(FLAT_TYPE(a), FLAT_TYPE(b))) {
        StringBuilder why = builder_create(f->arena);
        builder_append_format(&why, "one is %s, the other %s", FLAT_TYPE(a)->name,
                              FLAT_TYPE(b)->name);
        report_unequal(f, c, builder_string(&why).text, x, y);
        return;
    }
    if (x->role != y->role) {
        StringBuilder why = builder_create(f->arena);
        builder_append_format(&why, "one is %s, the other %s", role_text(x), role_text(y));
        report_unequal(f, c, builder_string(&why).text, x, y);
        return;
    }
    if (!rules_check_connected(f, c->span, x, y))
        return;
    if (x->variability <= FLAT_PARAMETER || y->variability <= FLAT_PARAMETER) {
        ConnectPair *pair = ARENA_NEW(f->passing, ConnectPair);
        *pair = (ConnectPair){*c, a, b};
        list_append(f->passing, &f->connections.pairs, pair);
        return;
    }
    Connected *first = node_of(f, a, c->is_first_outside, c->level, c->span);
    Connected *second = node_of(f, b, c->is_second_outside, c->level, c->span);
    connect_unite(first, second);
}

static void connect_simple(Flattener *f, const Connecting *c, Instance *a, Instance *b)
{
    for (uint32_t i = 0; i < a->count && i < b->count; i++)
        connect_variables(f, c, &a->variables[i], &b->variables[i]);
}

static bool has_counterparts(Flattener *f, const Connecting *c, Instance *a, Instance *b)
{
    for (uint32_t i = 0; i < a->count; i++) {
        if (a->children[i].is_absent || instance_child(f, b, a->children[i].flat->name))
            continue;
        StringBuilder why = builder_create(f->arena);
        builder_append_format(&why, "only one of them has a '%s'; one is a %s, the other a %s",
                              a->children[i].flat->name->text, class_name(f, a->class_),
                              class_name(f, b->class_));
        report_unequal(f, c, builder_string(&why).text, a, b);
        return false;
    }
    return true;
}

static void connect_complex(Flattener *f, const Connecting *c, Instance *a, Instance *b)
{
    if (a->class_ == b->class_) {
        for (uint32_t i = 0; i < a->count; i++)
            connect_instances(f, c, &a->children[i], &b->children[i]);
        return;
    }
    if (!has_counterparts(f, c, a, b) || !has_counterparts(f, c, b, a))
        return;
    for (uint32_t i = 0; i < a->count; i++)
        if (!a->children[i].is_absent)
            connect_instances(f, c, &a->children[i],
                              instance_child(f, b, a->children[i].flat->name));
}

void connect_instances(Flattener *f, const Connecting *c, Instance *a, Instance *b)
{
    instance_open(f, a);
    instance_open(f, b);
    if (a->is_broken || b->is_broken || a->is_absent || b->is_absent)
        return;
    if (a->kind != b->kind || !same_sizes(a, b)) {
        report_unequal(f, c, "they have different sizes or types", a, b);
        return;
    }
    if (!c->is_kept && a->kind != INSTANCE_ARRAY && graph_connect(f, c, a, b))
        return;
    if (a->kind == INSTANCE_SIMPLE) {
        connect_simple(f, c, a, b);
    } else if (a->kind == INSTANCE_COMPLEX) {
        connect_complex(f, c, a, b);
    } else if (a->kind == INSTANCE_ARRAY) {
        for (uint32_t i = 0; i < a->count; i++)
            connect_instances(f, c, &a->children[i], &b->children[i]);
    }
}

// The component of `level` through which a connector is reached.
static const Instance *first_component(const Instance *i, const Instance *level)
{
    const Instance *first = i;
    for (const Instance *p = instance_parent(i); p && p != level; p = instance_parent(p))
        if (p->flat->name)
            first = p;
    if (!first->flat->name && instance_parent(first))
        first = instance_parent(first);
    return first;
}

static bool is_connector(Flattener *f, const Instance *i)
{
    return i && i->class_ && class_is_connector(f, i->class_);
}

bool connections_outside(Flattener *f, const Instance *i, const Instance *level)
{
    const Instance *first = first_component(i, level);
    return first->class_ && class_is_connector(f, first->class_) && instance_parent(first) == level;
}

static Instance *selected_instance(const Selection *s, uint32_t i)
{
    return s->variables ? variable_instance(s->variables[i]) : s->instances[i];
}

static void report_no_connector(Flattener *f, const Instance *i, const Reference *r)
{
    const Instance *around = instance_parent(i);
    while (around && !is_connector(f, around))
        around = instance_parent(around);
    if (around)
        report_error(f, r->span, "'%s' is not a connector, but a part of one: connect '%s'",
                     reference_text(f, r), instance_name(f, around));
    else
        report_error(f, r->span, "'%s' is not a connector", reference_text(f, r));
}

// level: of a connection; NULL: they are only named.
static bool connect_check_connectors(Flattener *f, const Selection *s, const Reference *r,
                                     const Instance *level)
{
    for (uint32_t i = 0; i < s->count; i++) {
        const Instance *instance = selected_instance(s, i);
        if (!instance->class_ || instance->is_broken)
            return false;
        if (!is_connector(f, instance) && !bus_around(f, instance)) {
            report_no_connector(f, instance, r);
            return false;
        }
        if (level && !rules_check_connector(f, instance, level, r))
            return false;
    }
    return true;
}

static const char *selection_text(Flattener *f, const Selection *s)
{
    return s->rank ? type_text(f, &flat_type_none, s->rank, s->dims) : "a scalar";
}

// How often connect equations name a connector.
static uint32_t *occurrences(Flattener *f, const Selection *s, uint32_t i)
{
    const FlatVariable *v = s->variables ? s->variables[i] : NULL;
    if (!v || v->component->rank == 0)
        return &selected_instance(s, i)->occurrences;
    uint32_t *count = map_find(&f->connections.counts, v);
    if (!count) {
        count = ARENA_NEW(f->passing, uint32_t);
        map_set(f->passing, &f->connections.counts, v, count);
    }
    return count;
}

// Where an equation of connections stands: false after a message.
static bool check_place(Flattener *f, const EquationContext *context, Span span, const char *what)
{
    for (const FlatGuard *g = context->guard; g && g != context->scope.instance->guard;
         g = g->outer) {
        if (!g->state) {
            report_error(f, span, "'%s' in an 'if' needs a condition that is known before the run",
                         what);
            return false;
        }
    }
    if (!context->statements && !context->is_initial)
        return true;
    report_error(f, span, "'%s' cannot be used in %s", what,
                 context->statements ? "'when'" : "an initial equation section");
    return false;
}

static void connect_selections(Flattener *f, const EquationContext *context,
                               const Equation *equation, const Selection *a, const Selection *b)
{
    const Instance *level = context->scope.instance;
    for (uint32_t i = 0; i < a->count; i++) {
        Instance *x = selected_instance(a, i);
        Instance *y = selected_instance(b, i);
        const Connecting c = {.level = level,
                              .guard = context->guard,
                              .span = equation->span,
                              .is_first_outside = connections_outside(f, x, level),
                              .is_second_outside = connections_outside(f, y, level)};
        ++*occurrences(f, a, i);
        ++*occurrences(f, b, i);
        if (a->variables && b->variables)
            connect_variables(f, &c, a->variables[i], b->variables[i]);
        else if (!a->variables && !b->variables)
            connect_instances(f, &c, x, y);
        else
            report_unequal(f, &c, "they have different types", x, y);
    }
}

static void add_selected(Flattener *f, EquationContext *context, const Equation *equation)
{
    const Reference *from = equation->connect.from;
    const Reference *to = equation->connect.to;
    Selection a;
    Selection b;
    if (!check_place(f, context, equation->span, "connect") ||
        !select_components(f, &context->scope, from, &a) ||
        !select_components(f, &context->scope, to, &b) || a.is_absent || b.is_absent)
        return;
    const Instance *level = context->scope.instance;
    if (!connect_check_connectors(f, &a, from, level) ||
        !connect_check_connectors(f, &b, to, level))
        return;
    const bool fits = a.rank == b.rank && a.count == b.count &&
                      (a.rank == 0 || memcmp(a.dims, b.dims, a.rank * sizeof *a.dims) == 0);
    if (!fits) {
        report_error(f, equation->span, "connectors of different sizes: '%s' is %s, '%s' is %s",
                     reference_text(f, from), selection_text(f, &a), reference_text(f, to),
                     selection_text(f, &b));
        return;
    }
    connect_selections(f, context, equation, &a, &b);
}

static void add_connection(Flattener *f, EquationContext *context, const Equation *equation)
{
    const ArenaMark mark = arena_mark(f->selecting);
    add_selected(f, context, equation);
    arena_release(f->selecting, mark);
}

// ---------------------------------------------------------------------------
// The survey
// ---------------------------------------------------------------------------

static bool has_connections(const Flattener *f, uint32_t count, Equation *const *equations);

static bool is_connecting(const Flattener *f, const Equation *e)
{
    switch (e->kind) {
    case EQUATION_CONNECT:
        return true;
    case EQUATION_CALL:
        return e->call->kind == EXPRESSION_CALL && graph_is_operator(f, e->call->call.function);
    case EQUATION_FOR:
        return has_connections(f, e->loop.count, e->loop.equations);
    case EQUATION_IF:
    case EQUATION_WHEN:
        for (uint32_t i = 0; i < e->branches.count; i++)
            if (has_connections(f, e->branches.items[i].count, e->branches.items[i].equations))
                return true;
        return false;
    case EQUATION_EQUALITY:
        break;
    }
    return false;
}

static bool has_connections(const Flattener *f, uint32_t count, Equation *const *equations)
{
    for (uint32_t i = 0; i < count; i++)
        if (is_connecting(f, equations[i]))
            return true;
    return false;
}

static void survey_equation(Flattener *f, EquationContext *c, const Equation *equation);

static void survey_branch(Flattener *f, EquationContext *c, const Section *branch)
{
    for (uint32_t i = 0; i < branch->count && !f->limits.has_overflowed; i++)
        survey_equation(f, c, branch->equations[i]);
}

// Connections in an if-equation that is not resolved, or in a when clause, are refused one by one.
static void survey_branches(Flattener *f, EquationContext *c, const Equation *equation)
{
    List statements = {0};
    const FlatGuard changing = {.outer = c->guard};
    bool is_resolved = false;
    const Section *branch =
        equation->kind == EQUATION_IF ? equations_resolve(f, c, equation, &is_resolved) : NULL;
    if (is_resolved) {
        if (branch)
            survey_branch(f, c, branch);
        return;
    }
    EquationContext inside = *c;
    if (equation->kind == EQUATION_IF)
        inside.guard = &changing;
    else
        inside.statements = &statements;
    for (uint32_t i = 0; i < equation->branches.count; i++)
        survey_branch(f, &inside, &equation->branches.items[i]);
}

static void survey_equation(Flattener *f, EquationContext *c, const Equation *equation)
{
    if (!is_connecting(f, equation) ||
        (equation->kind == EQUATION_CONNECT && f->connections.has_breaks &&
         class_leaves_out(f, c->scope.instance->class_, c->scope.class_, equation)))
        return;
    if (equation->kind == EQUATION_CONNECT && f->connections.is_for_buses)
        bus_connect(f, c, equation);
    else if (equation->kind == EQUATION_CONNECT)
        add_connection(f, c, equation);
    else if (equation->kind == EQUATION_FOR)
        equations_unroll(f, c, equation, survey_equation);
    else if (equation->kind != EQUATION_CALL)
        survey_branches(f, c, equation);
    else if (!f->connections.is_for_buses &&
             check_place(f, c, equation->span, reference_text(f, equation->call->call.function)))
        graph_equation(f, c, equation->call);
}

static void survey_section(Flattener *f, Instance *i, Class *text, const Section *section,
                           void *data)
{
    (void)data;
    EquationContext c = {.scope = scope_of_instance(i, text),
                         .guard = i->guard,
                         .is_initial = section->is_initial,
                         .is_survey = true};
    Arena *const before = f->nodes;
    f->nodes = f->equations ? f->equations : f->arena;
    for (uint32_t k = 0; !section->is_algorithm && k < section->count && !f->limits.has_overflowed;
         k++)
        survey_equation(f, &c, section->equations[k]);
    f->nodes = before;
}

static void survey_instance(Flattener *f, Instance *i)
{
    if (i->is_broken || i->is_absent || i->stage != INSTANCE_OPEN || i->kind == INSTANCE_OUTER ||
        i->kind == INSTANCE_SIMPLE)
        return;
    for (uint32_t k = 0; k < i->count && !f->limits.has_overflowed; k++)
        survey_instance(f, &i->children[k]);
    if (i->kind == INSTANCE_COMPLEX)
        equations_visit(f, i, survey_section, NULL);
}

static void survey_all(Flattener *f, Instance *i)
{
    survey_instance(f, i);
    for (uint32_t k = 0; k < f->made.missing.count; k++)
        survey_instance(f, f->made.missing.items[k]);
}

// Opens all instances, each with the guard of the states around it.
static void open_guarded(Flattener *f, Instance *i, const FlatGuard *guard)
{
    if (f->limits.has_overflowed)
        return;
    i->guard = guard;
    if (i->stage < INSTANCE_DECLARED)
        instance_declare(f, i);
    if (!f->connections.has_buses && !i->is_broken && !i->is_absent &&
        i->kind == INSTANCE_COMPLEX && bus_is_expandable(f, i)) {
        bus_note(f, i, guard);
        return;
    }
    instance_open(f, i);
    if (i->kind == INSTANCE_OUTER && !i->is_broken && !i->is_absent)
        instance_target(f, i, i->flat->declared->span);
    if (i->is_broken || i->is_absent || i->stage != INSTANCE_OPEN || i->kind == INSTANCE_OUTER ||
        i->kind == INSTANCE_SIMPLE)
        return;
    if (i->kind == INSTANCE_COMPLEX)
        machines_scan(f, i, guard);
    for (uint32_t k = 0; k < i->count; k++) {
        Instance *child = &i->children[k];
        open_guarded(f, child, child->flat->state ? child->flat->state->guard : guard);
    }
}

void connections_collect(Flattener *f, Instance *i)
{
    open_guarded(f, i, NULL);
    for (uint32_t k = 0; k < f->made.missing.count; k++) // these may need further ones
        open_guarded(f, f->made.missing.items[k], NULL);
    f->connections.has_buses = true;
    if (bus_exists(f)) {
        f->connections.is_for_buses = true;
        survey_all(f, i);
        f->connections.is_for_buses = false;
        bus_expand(f, open_guarded);
    }
    survey_all(f, i);
    graph_break(f);
    f->connections.is_known = true;
}

// ---------------------------------------------------------------------------
// Cardinality
// ---------------------------------------------------------------------------

bool connections_known(Flattener *f, Span span, const char *what)
{
    if (f->connections.is_known)
        return true;
    report_error(f, span,
                 "'%s' has no value here: sizes, conditions of components and what decides about "
                 "connections cannot depend on connections",
                 what);
    return false;
}

FlatExpression *connections_cardinality(Flattener *f, Scope *s, const Expression *call)
{
    const Expression *argument = call->call.count == 1 ? call->call.arguments[0] : NULL;
    Selection selection;
    if (!argument || call->call.named_count || argument->kind != EXPRESSION_REFERENCE) {
        report_error(f, call->span, "'cardinality' takes one connector");
        return build_none(f, call->span);
    }
    if (!connections_known(f, call->span, "cardinality") ||
        !select_components(f, s, argument->reference, &selection))
        return build_none(f, call->span);
    if (selection.is_absent)
        return build_integer(f, 0, call->span);
    if (!connect_check_connectors(f, &selection, argument->reference, NULL))
        return build_none(f, call->span);
    if (selection.rank) {
        report_error(f, argument->span,
                     "'cardinality' takes one connector, but '%s' is an array of them",
                     reference_text(f, argument->reference));
        return build_none(f, call->span);
    }
    return build_integer(f, *occurrences(f, &selection, 0), call->span);
}

// ---------------------------------------------------------------------------
// Equations of sets
// ---------------------------------------------------------------------------

static const FlatGuard *node_guard(const Connected *node)
{
    return variable_instance(node->variable)->guard;
}

// What holds if both hold.
static const FlatGuard *connect_both(Flattener *f, const FlatGuard *a, const FlatGuard *b)
{
    if (flat_guard_implies(a, b))
        return a;
    if (flat_guard_implies(b, a))
        return b;
    FlatGuard *joined = ARENA_NEW(f->arena, FlatGuard);
    *joined = *b;
    joined->outer = connect_both(f, a, b->outer);
    return joined;
}

void connections_equation(Flattener *f, FlatExpression *left, FlatExpression *right,
                          const FlatGuard *guard, const Instance *level, Span span)
{
    FlatEquation *e = ARENA_NEW(f->equations ? f->equations : f->arena, FlatEquation);
    *e = (FlatEquation){.kind = FLAT_EQUATION_CONNECTION,
                        .origin = {.span = span, .component = level->flat},
                        .guard = guard,
                        .left = left,
                        .right = right,
                        .scalar_count = 1};
    list_append(f->passing, &f->made.equations, e);
}

static int compare_order(const void *a, const void *b)
{
    const Connected *x = *(Connected *const *)a;
    const Connected *y = *(Connected *const *)b;
    return (x->order > y->order) - (x->order < y->order);
}

static bool is_protected_connector(Flattener *f, const Instance *i)
{
    for (; i && i->class_ && !class_is_model(f, i->class_); i = instance_parent(i))
        if (i->flat->is_protected)
            return true;
    return false;
}

// A source gives the set its value: the output of a component inside, a public input from outside
// (section 9.3).
static bool is_source(Flattener *f, const Connected *node)
{
    const Instance *i = variable_instance(node->variable);
    if (!node->is_outside)
        return i->direction == DIRECTION_OUTPUT;
    return i->direction == DIRECTION_INPUT && !is_protected_connector(f, i);
}

static void check_sources(Flattener *f, const List *members)
{
    const Connected *source = NULL;
    for (uint32_t i = 0; i < members->count; i++) {
        const Connected *node = members->items[i];
        if (!is_source(f, node))
            continue;
        if (source && node_guard(source) == node_guard(node)) {
            Diagnostic *d = report_error(f, node->span, "two outputs are connected: '%s' and '%s'",
                                         instance_name(f, variable_instance(source->variable)),
                                         instance_name(f, variable_instance(node->variable)));
            if (source->span.begin != node->span.begin)
                report_note(f, d, source->span, "the first one is connected here");
            return;
        }
        source = source ? source : node;
    }
}

static void potential_set(Flattener *f, const List *members)
{
    check_sources(f, members);
    // The root: always there if any is, and preferably what gives the others their value.
    Connected *root = members->items[0];
    for (uint32_t i = 1; i < members->count; i++) {
        Connected *node = members->items[i];
        const uint32_t a = flat_guard_depth(node_guard(node));
        const uint32_t b = flat_guard_depth(node_guard(root));
        if (a < b || (a == b && is_source(f, node) && !is_source(f, root)))
            root = node;
    }
    bool is_merged = members->count > 1 && !is_source(f, root);
    for (uint32_t i = 0; i < members->count; i++) {
        const Connected *node = members->items[i];
        if (node == root)
            continue;
        const FlatGuard *guard = connect_both(f, node_guard(root), node_guard(node));
        is_merged = is_merged && guard != node_guard(root) && is_source(f, node);
        connections_equation(f, &root->variable->reference, &node->variable->reference, guard,
                             node->level, node->span);
    }
    // Outputs of states alone: what the active state says, else the last value.
    if (!is_merged)
        return;
    root->variable->is_shared = true;
    for (uint32_t i = 0; i < members->count; i++) {
        const Connected *node = members->items[i];
        if (node != root)
            equations_share(f, root->variable, connect_both(f, node_guard(root), node_guard(node)));
    }
}

static FlatExpression *flow_term(Flattener *f, const Connected *node, const FlatGuard *level)
{
    FlatExpression *term = &node->variable->reference;
    if (node->is_outside)
        term = build_unary(f, OPERATION_NEGATE, term, node->span);
    for (const FlatGuard *g = node_guard(node); g && g != level; g = g->outer) {
        if (!g->state)
            continue;
        FlatExpression *active = build_node(f, FLAT_ACTIVE, &flat_type_boolean, 0, node->span);
        active->variability = FLAT_DISCRETE;
        active->state = g->state;
        FlatExpression *parts[] = {active, term, build_real(f, 0.0, node->span)};
        term = build_if(f, 3, parts, node->span);
    }
    return term;
}

static void flow_set(Flattener *f, const List *members)
{
    const Connected *first = members->items[0];
    const FlatGuard *guard = first->level->guard;
    FlatExpression **terms = ARENA_ARRAY(f->passing, members->count, FlatExpression *);
    Arena *const before = f->nodes;
    f->nodes = f->equations ? f->equations : f->arena;
    for (uint32_t i = 0; i < members->count; i++)
        terms[i] = flow_term(f, members->items[i], guard);
    FlatExpression *sum = build_sum(f, members->count, terms, &flat_type_real, first->span);
    connections_equation(f, sum, build_real(f, 0.0, first->span), guard, first->level, first->span);
    f->nodes = before;
}

// A connector of the component itself hands out what the others in the set bring.
static void stream_set(Flattener *f, const List *members)
{
    for (uint32_t i = 0; i < members->count; i++) {
        const Connected *node = members->items[i];
        if (node_guard(node) != node->level->guard) {
            report_error(f, node->span,
                         "'%s' is a stream variable of a state: streams that come and go with the "
                         "state are not supported",
                         instance_name(f, variable_instance(node->variable)));
            return;
        }
        if (node->is_outside)
            connections_equation(f, &node->variable->reference,
                                 stream_mixture(f, node->variable, true, node->span),
                                 node->level->guard, node->level, node->span);
    }
}

static List connect_members_of(Flattener *f, Connected *root)
{
    List members = {0};
    Connected *node = root;
    do {
        list_append(f->passing, &members, node);
        node = node->next;
    } while (node != root);
    qsort(members.items, members.count, sizeof *members.items, compare_order);
    return members;
}

List connections_set(Flattener *f, FlatVariable *v, bool is_outside)
{
    Connected *node = map_find(is_outside ? &f->connections.outside : &f->connections.inside, v);
    return node ? connect_members_of(f, node) : (List){0};
}

static void finish_set(Flattener *f, Connected *root)
{
    const List members = connect_members_of(f, root);
    const uint8_t role = variable_instance(root->variable)->role;
    if (role == ROLE_FLOW)
        flow_set(f, &members);
    else if (role == ROLE_STREAM)
        stream_set(f, &members);
    else
        potential_set(f, &members);
}

// Flow variables that nothing is connected to from inside. `level`: the model around the one that
// the connector belongs to.
static void unconnected(Flattener *f, Instance *i, const Instance *level, bool in_connector)
{
    if (i->is_broken || i->is_absent || i->stage != INSTANCE_OPEN || i->kind == INSTANCE_OUTER)
        return;
    if (i->kind == INSTANCE_SIMPLE) {
        if (i->role != ROLE_FLOW || !in_connector)
            return;
        for (uint32_t k = 0; k < i->count; k++) {
            FlatVariable *v = &i->variables[k];
            if (!map_find(&f->connections.inside, v))
                connections_equation(f, &v->reference, build_real(f, 0.0, i->flat->declared->span),
                                     i->guard, level, i->flat->declared->span);
        }
        return;
    }
    const bool is_connector_here = in_connector || class_is_connector(f, i->class_);
    const Instance *owner = is_connector_here ? level : i;
    for (uint32_t k = 0; k < i->count; k++) {
        Instance *child = &i->children[k];
        const bool enters = !is_connector_here && child->class_ &&
                            class_is_connector(f, child->class_) && i->kind == INSTANCE_COMPLEX;
        unconnected(f, child,
                    enters                      ? level
                    : i->kind == INSTANCE_ARRAY ? level
                                                : owner,
                    is_connector_here);
    }
}

bool connections_contain(const Flattener *f, const FlatVariable *v)
{
    return map_find(&f->connections.inside, v) != NULL;
}

// ---------------------------------------------------------------------------
// Expandable connectors
// ---------------------------------------------------------------------------

static bool is_potential(Flattener *f, const Instance *i)
{
    return i->variability > FLAT_PARAMETER && !i->bound.to && bus_around(f, i);
}

// Variables of expandable connectors are there if they are connected with others, directly or not
// (section 9.1.3). `present`: instances of such that are.
static void find_present(Flattener *f, Map *present)
{
    const List *nodes = &f->connections.nodes;
    for (bool is_new = true; is_new;) {
        is_new = false;
        for (uint32_t k = 0; k < nodes->count; k++) {
            const Connected *node = nodes->items[k];
            const Instance *i = variable_instance(node->variable);
            if (is_potential(f, i) && !map_find(present, i))
                continue;
            for (const Connected *n = node->next; n != node; n = n->next) {
                Instance *other = variable_instance(n->variable);
                if (!is_potential(f, other) || map_find(present, other))
                    continue;
                map_set(f->passing, present, other, other);
                is_new = true;
            }
        }
    }
}

static void drop_absent(Flattener *f, Instance *i, const Map *present)
{
    if (i->is_broken || i->is_absent || i->stage != INSTANCE_OPEN || i->kind == INSTANCE_OUTER)
        return;
    for (uint32_t k = 0; i->kind != INSTANCE_SIMPLE && k < i->count; k++)
        drop_absent(f, &i->children[k], present);
    if (i->kind != INSTANCE_SIMPLE || !is_potential(f, i) || map_find(present, i))
        return;
    i->is_absent = true;
    if (i->seen.is_mentioned)
        report_error(f, i->flat->declared->span,
                     "'%s' is used, but not there: as a component of an expandable connector it "
                     "exists only if it is connected",
                     instance_name(f, i));
}

void connections_finish(Flattener *f, Instance *i)
{
    const List *nodes = &f->connections.nodes;
    Map present = {0};
    if (bus_exists(f)) {
        find_present(f, &present);
        drop_absent(f, i, &present);
    }
    for (uint32_t k = 0; k < nodes->count; k++) {
        // Sets come in the order of their first members.
        Connected *node = nodes->items[k];
        Connected *root = find_root(node);
        if (!root->is_finished && !variable_instance(node->variable)->is_absent)
            finish_set(f, node);
        root->is_finished = true;
    }
    graph_finish(f);
    unconnected(f, i, i, false);
    const List *pairs = &f->connections.pairs;
    for (uint32_t k = 0; k < pairs->count; k++)
        connect_values(f, pairs->items[k]);
    for (uint32_t k = 0; k < f->made.missing.count; k++)
        unconnected(f, f->made.missing.items[k], i, false);
}
