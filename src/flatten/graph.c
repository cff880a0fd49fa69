// SPDX-License-Identifier: MIT
//
// The virtual connection graph (section 9.4). Its vertices are the components of an overdetermined
// type or record, one with a function equalityConstraint, that connections or the operators of
// `Connections` name. Its edges are those of Connections.branch, which stay, and of connect
// equations, which may be broken.
//
// The graph becomes a forest by Kruskal's algorithm: all definite roots are one set from the
// beginning; required edges join sets, and one that would close a cycle is an error; then optional
// edges do in the order of the text, and one that would close a cycle is broken. So there is one
// root in each tree: its definite root, or its potential root of the lowest priority number, the
// first of several.
//
// Of an edge that stays, the ends are connected as everywhere. A broken edge has the equations
// equalityConstraint(a, b) = zeros(n), unless connections that stay or were broken already make
// equal what it would make equal: connect(a, b) said twice means what it means once.

#include "flatten/graph.h"

#include "flatten/evaluate.h"
#include "flatten/function.h"
#include "flatten/lookup.h"

typedef struct Vertex Vertex;
struct Vertex {
    Instance *instance;
    Vertex *tree; // union-find: kept edges
    Vertex *same; // union-find: connections, kept or broken
    Span span;    // where it was named first
    Span root_span;
    int64_t priority;
    bool is_definite, is_potential;
    bool is_root; // chosen
    bool is_visited;
    uint32_t depth; // from the root of its tree
    List edges;     // GraphEdge
};

typedef struct GraphEdge {
    Vertex *a, *b;
    Connecting connecting;
    bool is_required;
    bool is_broken;
    bool is_redundant; // broken, and its equations follow from others
} GraphEdge;

// ---------------------------------------------------------------------------
// Vertices and edges
// ---------------------------------------------------------------------------

static Class *constraint_function(Flattener *f, const Instance *i)
{
    const Member *member =
        i->class_ ? class_member(f, i->class_, f->known.equalityConstraint) : NULL;
    return member && !member->is_component ? member_class(f, (Member *)(uintptr_t)member) : NULL;
}

void graph_note_owner(Flattener *f, const Instance *i)
{
    const Instance *owner = i;
    while (owner && owner->class_ && !class_is_model(f, owner->class_))
        owner = instance_parent(owner);
    if (!owner)
        return;
    map_set(f->arena, &f->graph.owners, owner, (void *)(uintptr_t)owner);
    // What a model gives its components' connectors counts for the model.
    if (instance_parent(owner))
        map_set(f->arena, &f->graph.owners, instance_parent(owner), (void *)(uintptr_t)owner);
}

static Vertex *vertex_of(Flattener *f, Instance *i, Span span)
{
    Vertex *v = map_find(&f->graph.vertices, i);
    if (v)
        return v;
    v = ARENA_NEW(f->arena, Vertex);
    *v = (Vertex){.instance = i, .tree = v, .same = v, .span = span};
    map_set(f->arena, &f->graph.vertices, i, v);
    list_append(f->arena, &f->graph.order, v);
    graph_note_owner(f, i);
    return v;
}

static GraphEdge *graph_edge(Flattener *f, Vertex *a, Vertex *b, const Connecting *c)
{
    GraphEdge *e = ARENA_NEW(f->arena, GraphEdge);
    *e = (GraphEdge){.a = a, .b = b, .connecting = *c};
    list_append(f->arena, &a->edges, e);
    list_append(f->arena, &b->edges, e);
    list_append(f->arena, &f->graph.edges, e);
    return e;
}

bool graph_concerns(const Flattener *f, const Instance *owner)
{
    return map_find(&f->graph.owners, owner) != NULL;
}

bool graph_connect(Flattener *f, const Connecting *c, Instance *a, Instance *b)
{
    if (!constraint_function(f, a) || !constraint_function(f, b))
        return false;
    if (a->variability <= FLAT_PARAMETER || b->variability <= FLAT_PARAMETER)
        return false;
    Vertex *first = vertex_of(f, a, c->span);
    Vertex *second = vertex_of(f, b, c->span);
    graph_edge(f, first, second, c);
    return true;
}

// ---------------------------------------------------------------------------
// Operators
// ---------------------------------------------------------------------------

bool graph_is_operator(const Flattener *f, const Reference *function)
{
    return function->count == 2 && function->parts[0].name == f->known.Connections;
}

// The component of an overdetermined type that an argument names. NULL: a message was given, or
// *is_absent: its condition is false.
static Instance *overdetermined_argument(Flattener *f, Scope *s, const Expression *call,
                                         uint32_t index, bool *is_absent)
{
    const char *text = reference_text(f, call->call.function);
    Selection selection;
    *is_absent = false;
    if (index >= call->call.count || call->call.arguments[index]->kind != EXPRESSION_REFERENCE) {
        report_error(f, index < call->call.count ? call->call.arguments[index]->span : call->span,
                     "'%s' takes %s of a connector", text,
                     index ? "two components" : "a component");
        return NULL;
    }
    const Reference *r = call->call.arguments[index]->reference;
    if (!select_components(f, s, r, &selection))
        return NULL;
    if (selection.is_absent) {
        *is_absent = true;
        return NULL;
    }
    Instance *i = NULL;
    if (selection.count && selection.variables)
        i = variable_instance(selection.variables[0]);
    else if (selection.count == 1 && !selection.rank)
        i = selection.instances[0];
    if (i && selection.variables && i->count != selection.count)
        i = NULL;
    if (!i || !constraint_function(f, i)) {
        report_error(f, r->span,
                     "'%s' needs one component whose type has a function equalityConstraint; '%s' "
                     "is none",
                     text, reference_text(f, r));
        return NULL;
    }
    const Instance *around = instance_parent(i);
    while (around && around->class_ && !class_is_connector(f, around->class_))
        around = instance_parent(around);
    if (!around) {
        report_error(f, r->span, "'%s' needs a component of a connector; '%s' is in none", text,
                     reference_text(f, r));
        return NULL;
    }
    return i;
}

static void read_branch(Flattener *f, EquationContext *c, const Expression *call)
{
    bool is_first_absent, is_second_absent;
    Instance *a = overdetermined_argument(f, &c->scope, call, 0, &is_first_absent);
    Instance *b = overdetermined_argument(f, &c->scope, call, 1, &is_second_absent);
    if (!a || !b)
        return;
    if (a == b) {
        report_error(f, call->span, "'Connections.branch' needs two different components");
        return;
    }
    const Connecting connecting = {
        .level = c->scope.instance, .guard = c->guard, .span = call->span};
    Vertex *first = vertex_of(f, a, call->span);
    Vertex *second = vertex_of(f, b, call->span);
    graph_edge(f, first, second, &connecting)->is_required = true;
}

// The priority of a potential root; false after a message.
static bool read_priority(Flattener *f, EquationContext *c, const Expression *call,
                          int64_t *priority)
{
    const Expression *e = call->call.count > 1 ? call->call.arguments[1] : NULL;
    for (uint32_t i = 0; i < call->call.named_count; i++) {
        if (e || !call->call.named[i].name ||
            strcmp(call->call.named[i].name->text, "priority") != 0) {
            report_error(f, call->call.named[i].span,
                         "'Connections.potentialRoot' takes a component and a priority");
            return false;
        }
        e = call->call.named[i].value;
    }
    *priority = 0;
    if (!e)
        return true;
    const FlatExpression *value =
        build_expect(f, elaborate(f, &c->scope, e), &flat_type_integer, 0, NULL, "a priority");
    return !expression_is_none(value) && evaluate_integer(f, value, "a priority", priority);
}

static void read_root(Flattener *f, EquationContext *c, const Expression *call, bool is_definite)
{
    bool is_absent;
    int64_t priority = 0;
    Instance *i = overdetermined_argument(f, &c->scope, call, 0, &is_absent);
    if (!i || (!is_definite && !read_priority(f, c, call, &priority)))
        return;
    Vertex *v = vertex_of(f, i, call->span);
    if (is_definite) {
        v->is_definite = true;
    } else {
        v->priority = v->is_potential && v->priority < priority ? v->priority : priority;
        v->is_potential = true;
    }
    v->root_span = call->span;
}

void graph_equation(Flattener *f, EquationContext *c, const Expression *call)
{
    const Reference *function = call->call.function;
    const char *name = function->parts[1].name ? function->parts[1].name->text : "";
    const bool is_branch = strcmp(name, "branch") == 0;
    const bool is_root = strcmp(name, "root") == 0;
    const bool is_potential = strcmp(name, "potentialRoot") == 0;
    const uint32_t most = is_root ? 1 : 2;
    if (!is_branch && !is_root && !is_potential) {
        if (strcmp(name, "isRoot") == 0 || strcmp(name, "rooted") == 0)
            report_error(f, call->span, "'%s' has a value and is no equation",
                         reference_text(f, function));
        else
            graph_expression(f, &c->scope, call);
    } else if (call->call.count > most || (call->call.named_count && !is_potential)) {
        report_error(f, call->span, "'%s' takes %s", reference_text(f, function),
                     is_root     ? "one component"
                     : is_branch ? "two components"
                                 : "a component and a priority");
    } else if (is_branch) {
        read_branch(f, c, call);
    } else {
        read_root(f, c, call, is_root);
    }
}

// Whether `v` is nearer to the root than the other ends of its branches.
static FlatExpression *is_rooted(Flattener *f, const Vertex *v, const Expression *call)
{
    uint32_t nearer = 0, farther = 0;
    for (uint32_t i = 0; v && i < v->edges.count; i++) {
        const GraphEdge *e = v->edges.items[i];
        if (!e->is_required)
            continue;
        const Vertex *other = e->a == v ? e->b : e->a;
        if (v->depth < other->depth)
            nearer++;
        else
            farther++;
    }
    if (nearer && !farther)
        return build_boolean(f, true, call->span);
    if (farther && !nearer)
        return build_boolean(f, false, call->span);
    report_error(f, call->span,
                 "'rooted' needs a component with one Connections.branch, but '%s' "
                 "has %s",
                 reference_text(f, call->call.arguments[0]->reference),
                 nearer ? "several in different directions" : "none");
    return build_none(f, call->span);
}

FlatExpression *graph_expression(Flattener *f, Scope *s, const Expression *call)
{
    const Reference *function = call->call.function;
    const Name *last = function->parts[function->count - 1].name;
    const char *name = last ? last->text : "";
    const char *text = reference_text(f, function);
    if (strcmp(name, "branch") == 0 || strcmp(name, "root") == 0 ||
        strcmp(name, "potentialRoot") == 0) {
        report_error(f, call->span, "'%s' has no value: it stands alone in an equation section",
                     text);
        return build_none(f, call->span);
    }
    if (strcmp(name, "uniqueRoot") == 0 || strcmp(name, "uniqueRootIndices") == 0) {
        report_error(f, call->span, "'%s' is not supported", text);
        return build_none(f, call->span);
    }
    const bool is_root = strcmp(name, "isRoot") == 0;
    if (!is_root && strcmp(name, "rooted") != 0) {
        report_error(f, call->span,
                     "'Connections' has no '%s', but branch, root, potentialRoot, isRoot, rooted",
                     name);
        return build_none(f, call->span);
    }
    if (call->call.count != 1 || call->call.named_count) {
        report_error(f, call->span, "'%s' takes one component", text);
        return build_none(f, call->span);
    }
    bool is_absent;
    const Instance *i = connections_known(f, call->span, text)
                            ? overdetermined_argument(f, s, call, 0, &is_absent)
                            : NULL;
    if (!i)
        return build_none(f, call->span);
    const Vertex *v = map_find(&f->graph.vertices, i);
    return is_root ? build_boolean(f, v && v->is_root, call->span) : is_rooted(f, v, call);
}

// ---------------------------------------------------------------------------
// The forest
// ---------------------------------------------------------------------------

static Vertex *tree_of(Vertex *v)
{
    while (v->tree != v) {
        v->tree = v->tree->tree;
        v = v->tree;
    }
    return v;
}

static Vertex *same_of(Vertex *v)
{
    while (v->same != v) {
        v->same = v->same->same;
        v = v->same;
    }
    return v;
}

// A required edge between two trees of one set: a cycle, or a path from root to root.
static void report_required(Flattener *f, const GraphEdge *e)
{
    const Vertex *root = tree_of(e->a);
    Diagnostic *d = report_error(
        f, e->connecting.span,
        root->is_definite ? "this branch closes a cycle of Connections.branch alone, or joins two "
                            "roots: '%s' and '%s'"
                          : "this branch closes a cycle of Connections.branch alone: '%s' and '%s'",
        instance_name(f, e->a->instance), instance_name(f, e->b->instance));
    report_note(f, d, e->a->span,
                "a cycle must have a connection that can be broken; two roots, too");
}

static void join_definite(Flattener *f)
{
    Vertex *first = NULL;
    for (uint32_t i = 0; i < f->graph.order.count; i++) {
        Vertex *v = f->graph.order.items[i];
        if (!v->is_definite)
            continue;
        v->is_root = true;
        if (first)
            v->tree = first;
        else
            first = v;
    }
}

static void grow_trees(Flattener *f, bool is_required)
{
    for (uint32_t i = 0; i < f->graph.edges.count; i++) {
        GraphEdge *e = f->graph.edges.items[i];
        if (e->is_required != is_required)
            continue;
        Vertex *a = tree_of(e->a), *b = tree_of(e->b);
        if (a == b) {
            e->is_broken = true;
            if (is_required)
                report_required(f, e);
            continue;
        }
        // A set with a definite root keeps one as its representative.
        if (b->is_definite)
            a->tree = b;
        else
            b->tree = a;
    }
}

static void choose_potential(Flattener *f)
{
    Map chosen = {0}; // representative -> Vertex
    const List *order = &f->graph.order;
    for (uint32_t i = 0; i < order->count; i++) {
        Vertex *v = order->items[i], *tree = tree_of(v);
        const Vertex *best = map_find(&chosen, tree);
        if (!tree->is_definite && v->is_potential && (!best || v->priority < best->priority))
            map_set(f->arena, &chosen, tree, v);
    }
    for (uint32_t i = 0; i < order->count; i++) {
        Vertex *v = order->items[i], *tree = tree_of(v);
        Vertex *best = map_find(&chosen, tree);
        if (best)
            best->is_root = true;
        if (best || tree->is_definite)
            continue;
        Diagnostic *d =
            report_error(f, v->span,
                         "no root of '%s': neither Connections.root nor Connections.potentialRoot "
                         "names it or what it is connected to",
                         instance_name(f, v->instance));
        report_note(f, d, v->instance->flat->declared->span, "it is declared here");
        map_set(f->arena, &chosen, tree, v);
    }
}

// Distances from the roots, in breadth.
static void measure_depths(Flattener *f)
{
    List queue = {0};
    for (uint32_t i = 0; i < f->graph.order.count; i++) {
        Vertex *v = f->graph.order.items[i];
        if (!v->is_root)
            continue;
        v->is_visited = true;
        list_append(f->arena, &queue, v);
    }
    for (uint32_t i = 0; i < queue.count; i++) {
        const Vertex *v = queue.items[i];
        for (uint32_t k = 0; k < v->edges.count; k++) {
            const GraphEdge *e = v->edges.items[k];
            Vertex *other = e->a == v ? e->b : e->a;
            if (e->is_broken || other->is_visited)
                continue;
            other->is_visited = true;
            other->depth = v->depth + 1;
            list_append(f->arena, &queue, other);
        }
    }
}

// Which connections say something: those that stay first, then the broken ones.
static void graph_find_redundant(Flattener *f, bool is_broken)
{
    for (uint32_t i = 0; i < f->graph.edges.count; i++) {
        GraphEdge *e = f->graph.edges.items[i];
        if (e->is_required || e->is_broken != is_broken)
            continue;
        Vertex *a = same_of(e->a), *b = same_of(e->b);
        e->is_redundant = a == b;
        a->same = b;
    }
}

void graph_break(Flattener *f)
{
    join_definite(f);
    grow_trees(f, true);
    grow_trees(f, false);
    choose_potential(f);
    measure_depths(f);
    graph_find_redundant(f, false);
    graph_find_redundant(f, true);
    for (uint32_t i = 0; i < f->graph.edges.count; i++) {
        GraphEdge *e = f->graph.edges.items[i];
        e->connecting.is_kept = true;
        if (!e->is_required && !e->is_broken)
            connect_instances(f, &e->connecting, e->a->instance, e->b->instance);
    }
}

// ---------------------------------------------------------------------------
// Broken edges
// ---------------------------------------------------------------------------

static void add_residue(Flattener *f, const GraphEdge *e)
{
    const Span span = e->connecting.span;
    FlatExpression *arguments[] = {instance_value(f, e->a->instance, span),
                                   instance_value(f, e->b->instance, span)};
    const FlatExpression *residue =
        elaborate_function(f, constraint_function(f, e->a->instance), 2, arguments, span);
    if (expression_is_none(residue))
        return;
    if (residue->rank != 1 || residue->type->kind != FLAT_TYPE_REAL ||
        !expression_is_explicit(residue)) {
        report_error(f, span, "equalityConstraint of '%s' must return a Real vector, but it is %s",
                     class_name(f, e->a->instance->class_), expression_type_text(f, residue));
        return;
    }
    for (uint32_t i = 0; i < residue->count; i++)
        connections_equation(f, residue->operands[i], build_real(f, 0.0, span), e->connecting.guard,
                             e->connecting.level, span);
}

void graph_finish(Flattener *f)
{
    for (uint32_t i = 0; i < f->graph.edges.count; i++) {
        const GraphEdge *e = f->graph.edges.items[i];
        if (!e->is_required && e->is_broken && !e->is_redundant)
            add_residue(f, e);
    }
}
