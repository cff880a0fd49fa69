// SPDX-License-Identifier: MIT
//
// The check that a model is balanced (section 4.7 of the specification).
//
// In total: for the part outside of all states, and for every state by itself, the equations and
// the unknowns are counted. Of an if-equation the first branch counts, the others must have as many
// equations. A variable that states define (`outer output`) is counted in the states that do.
//
// In a component: the unknowns are its own variables and the inputs and flows of the components in
// it; the equations are those of its class and its connections, and one for each of its own inputs
// and flows, which whoever uses the component will give. These counts explain a model that is not
// balanced in total, and are a warning where it is.

#include "flatten/balance.h"

#include "flatten/connect.h"
#include "flatten/graph.h"
#include "flatten/place.h"
#include "flatten/walk.h"

typedef struct BalanceCount {
    int64_t unknowns;
    int64_t equations;
} BalanceCount;

typedef struct Balance {
    Flattener *f;
    Map components;     // Instance -> Count
    List order;         // Instances with a count
    Map states;         // FlatState -> Count
    BalanceCount total; // outside of states
    int64_t *branches;  // scalars of each branch of each conditional
    uint32_t *first;    // of a conditional's branches
    Map mentioned;      // variables in equations
} Balance;

static BalanceCount *balance_count_of(Balance *b, Instance *i)
{
    BalanceCount *count = map_find(&b->components, i);
    if (!count) {
        count = ARENA_NEW(b->f->passing, BalanceCount);
        map_set(b->f->passing, &b->components, i, count);
        list_append(b->f->passing, &b->order, i);
    }
    return count;
}

static BalanceCount *count_of_guard(Balance *b, const FlatGuard *g)
{
    while (g && !g->state)
        g = g->outer;
    if (!g)
        return &b->total;
    BalanceCount *count = map_find(&b->states, g->state);
    if (!count) {
        count = ARENA_NEW(b->f->passing, BalanceCount);
        map_set(b->f->passing, &b->states, g->state, count);
    }
    return count;
}

// The model or block that a component belongs to; the component itself if it is one.
static Instance *owner_of(Flattener *f, const FlatComponent *component)
{
    Instance *i = component ? component->instance : NULL;
    while (i && i != f->top &&
           !(i->kind == INSTANCE_COMPLEX && i->class_ && class_is_model(f, i->class_)))
        i = instance_parent(i);
    return i;
}

static bool is_in_connector(Flattener *f, const Instance *i, const Instance *owner)
{
    for (; i && i != owner; i = instance_parent(i))
        if (i->class_ && class_is_connector(f, i->class_))
            return true;
    return false;
}

// Whether its owner declares it protected. (That the owner itself is protected somewhere does not
// matter.)
static bool is_protected_in(const Instance *i, const Instance *owner)
{
    for (; i && i != owner; i = instance_parent(i))
        if (i->member && i->member->is_protected)
            return true;
    return false;
}

// ---------------------------------------------------------------------------
// Unknowns
// ---------------------------------------------------------------------------

static void count_variable(Balance *b, const FlatVariable *v)
{
    Flattener *f = b->f;
    Instance *i = variable_instance(v);
    if (v->kind <= FLAT_PARAMETER)
        return;
    const bool is_bound = i->bound.to != NULL;
    if (v->direction == FLAT_INPUT && !is_bound)
        return; // known from outside of the model
    Instance *owner = owner_of(f, i->flat);
    if (!v->is_shared) {
        count_of_guard(b, v->guard)->unknowns++;
        balance_count_of(b, owner)->unknowns++;
    }
    const bool is_flow = v->is_flow && is_in_connector(f, i, owner);
    const bool is_input = i->direction == DIRECTION_INPUT && !is_bound &&
                          !is_protected_in(i, owner) && v->direction != FLAT_INPUT;
    if (!is_flow && !is_input)
        return;
    balance_count_of(b, owner)->equations++;
    if (v->is_shared)
        balance_count_of(b, owner)->unknowns++; // merged from the outputs of states around it
    else if (owner != f->top)
        balance_count_of(b, owner_of(f, owner->flat->parent))->unknowns++;
}

// `outer output` in a state.
static void count_outer(Balance *b, Instance *i)
{
    if (i->kind == INSTANCE_OUTER) {
        Instance *target = i->target;
        if (target && target->is_shared && i->direction == DIRECTION_OUTPUT &&
            !i->prefix.is_inner && target->kind == INSTANCE_SIMPLE) {
            count_of_guard(b, i->guard)->unknowns += target->count;
            balance_count_of(b, owner_of(b->f, i->flat))->unknowns += target->count;
        }
        return;
    }
    if (i->kind == INSTANCE_SIMPLE || i->stage != INSTANCE_OPEN)
        return;
    for (uint32_t k = 0; k < i->count; k++)
        count_outer(b, &i->children[k]);
}

// ---------------------------------------------------------------------------
// Equations
// ---------------------------------------------------------------------------

// Connection equations with which a state gives a shared variable its value.
static bool is_merging(const FlatEquation *e)
{
    return e->kind == FLAT_EQUATION_CONNECTION && e->left->kind == FLAT_VARIABLE &&
           e->left->variable->is_shared && e->guard != e->left->variable->guard;
}

// flow = 0 for a connector of the model itself.
static bool is_from_outside(Flattener *f, const FlatEquation *e)
{
    return e->kind == FLAT_EQUATION_CONNECTION && e->left->kind == FLAT_VARIABLE &&
           e->left->variable->is_flow && e->right->kind == FLAT_REAL &&
           owner_of(f, e->left->variable->component) == f->top;
}

// Counts in the innermost branch; only the first branches count outside.
static bool add_to_branch(Balance *b, const FlatGuard *g, int64_t scalars)
{
    if (!g || g->state)
        return true;
    b->branches[b->first[g->conditional->index] + g->branch] += scalars;
    for (; g && !g->state; g = g->outer)
        if (g->branch != 0)
            return false;
    return true;
}

static void balance_count_equation(Balance *b, const FlatEquation *e)
{
    if (is_merging(e))
        return;
    if (!add_to_branch(b, e->guard, e->scalar_count))
        return;
    count_of_guard(b, e->guard)->equations += e->scalar_count;
    if (!is_from_outside(b->f, e))
        balance_count_of(b, owner_of(b->f, e->origin.component))->equations += e->scalar_count;
}

static void count_defined(Balance *b, const FlatGuard *guard, const FlatComponent *component,
                          uint32_t count)
{
    count_of_guard(b, guard)->equations += count;
    balance_count_of(b, owner_of(b->f, component))->equations += count;
}

static void prepare_branches(Balance *b)
{
    const FlatModel *m = b->f->model;
    uint32_t total = 0;
    b->first = ARENA_ARRAY(b->f->passing, m->conditional_count + 1, uint32_t);
    for (uint32_t i = 0; i < m->conditional_count; i++) {
        b->first[i] = total;
        total += m->conditionals[i]->count;
    }
    b->branches = ARENA_ARRAY(b->f->passing, total + 1, int64_t);
}

// All branches of a conditional must have as many equations. Inner ones come after outer ones.
static void balance_check_branches(Balance *b)
{
    const FlatModel *m = b->f->model;
    for (uint32_t i = m->conditional_count; i-- > 0;) {
        const FlatIf *c = m->conditionals[i];
        const int64_t *counts = b->branches + b->first[i];
        for (uint32_t k = 1; k < c->count && !c->is_initial; k++) {
            if (counts[k] == counts[0])
                continue;
            const bool is_else_missing = counts[k] == 0 && k + 1 == c->count;
            Diagnostic *d = report_error(
                b->f, c->span,
                "the branches of this 'if' have different numbers of equations: %lld and %lld%s",
                (long long)counts[0], (long long)counts[k],
                is_else_missing ? "; if its condition can change, 'else' needs as many" : "");
            if (is_else_missing)
                report_note(b->f, d, c->span,
                            "what happens once, when a condition becomes true, stands in 'when'");
            break;
        }
        if (c->guard && !c->guard->state)
            b->branches[b->first[c->guard->conditional->index] + c->guard->branch] += counts[0];
    }
}

// "1 unknown and 2 equations"
static const char *count_text(Balance *b, const BalanceCount *count)
{
    StringBuilder out = builder_create(b->f->passing);
    builder_append_format(&out, "%lld unknown%s and %lld equation%s", (long long)count->unknowns,
                          count->unknowns == 1 ? "" : "s", (long long)count->equations,
                          count->equations == 1 ? "" : "s");
    return builder_string(&out).text;
}

// ---------------------------------------------------------------------------
// The report
// ---------------------------------------------------------------------------

static void balance_mention(void *data, FlatExpression *e, const FlatComponent *component)
{
    Balance *b = data;
    if (e->kind == FLAT_VARIABLE) {
        map_set(b->f->passing, &b->mentioned, e->variable, e);
        return;
    }
    for (uint32_t i = 0; i < e->count; i++)
        balance_mention(data, e->operands[i], component);
}

static Span variable_place(const Balance *b, const FlatVariable *v)
{
    return place_of(b->f->diagnostics->sources, b->f->model, v->reference.span, v->component);
}

static void note_unmentioned(Balance *b, Diagnostic *d)
{
    enum { SHOWN = 5 };
    const FlatModel *m = b->f->model;
    flat_walk(m, balance_mention, b);
    int shown = 0;
    for (uint32_t i = 0; i < m->variable_count && shown < SHOWN; i++) {
        FlatVariable *v = m->variables[i];
        const Instance *instance = variable_instance(v);
        if (v->kind <= FLAT_PARAMETER || v->direction == FLAT_INPUT)
            continue;
        if (instance->direction == DIRECTION_INPUT && !instance->bound.to &&
            !connections_contain(b->f, v) && owner_of(b->f, v->component) != b->f->top)
            report_note(b->f, d, variable_place(b, v), "input '%s' is not connected", v->name);
        else if (!map_find(&b->mentioned, v))
            report_note(b->f, d, variable_place(b, v), "'%s' occurs in no equation", v->name);
        else
            continue;
        shown++;
    }
}

static bool balance_is_inside(const Instance *i, const Instance *around)
{
    while (i && i != around)
        i = instance_parent(i);
    return i;
}

static bool is_in_a_state(const Instance *i)
{
    for (; i; i = instance_parent(i))
        if (i->flat->state)
            return true;
    return false;
}

// Components of the state, or outside of all states, whose counts differ.
static void note_components(Balance *b, const FlatState *state, Diagnostic *d)
{
    enum { SHOWN = 5 };
    int shown = 0;
    const Instance *around = state ? state->component->instance : b->f->top;
    for (uint32_t i = 0; i < b->order.count && shown < SHOWN; i++) {
        Instance *instance = b->order.items[i];
        const BalanceCount *count = map_find(&b->components, instance);
        if (count->unknowns == count->equations || instance == around ||
            !balance_is_inside(instance, around) || (!state && is_in_a_state(instance)))
            continue;
        report_note(b->f, d, instance->flat->declared->span, "component '%s' of type '%s' has %s",
                    instance_name(b->f, instance), class_name(b->f, instance->class_),
                    count_text(b, count));
        shown++;
    }
}

// ---------------------------------------------------------------------------
// What determines a variable twice
// ---------------------------------------------------------------------------

typedef enum SourceKind {
    SOURCE_EQUATION,
    SOURCE_DERIVATIVE,
    SOURCE_WHEN,
    SOURCE_ALGORITHM
} SourceKind;

// What seems to determine a variable.
typedef struct BalanceSource {
    SourceKind kind;
    Span span;
    const FlatComponent *component;
} BalanceSource;

static void add_source(Balance *b, Map *sources, const FlatVariable *v, BalanceSource source)
{
    List *list = map_find(sources, v);
    if (!list) {
        list = ARENA_NEW(b->f->passing, List);
        map_set(b->f->passing, sources, v, list);
    }
    BalanceSource *copy = ARENA_NEW(b->f->passing, BalanceSource);
    *copy = source;
    list_append(b->f->passing, list, copy);
}

// The variable of v = ..., ... = v and der(v) = ...; NULL: the equation has another form.
static const FlatVariable *equation_variable(const FlatEquation *e, SourceKind *kind)
{
    const FlatExpression *sides[] = {e->left, e->right};
    for (int i = 0; i < 2 && e->left; i++) {
        const FlatExpression *side = sides[i];
        const bool is_derivative = side->kind == FLAT_OPERATION && side->operation == OPERATION_DER;
        side = is_derivative ? side->operands[0] : side;
        *kind = is_derivative ? SOURCE_DERIVATIVE : SOURCE_EQUATION;
        if (side->kind == FLAT_VARIABLE)
            return side->variable;
    }
    return NULL;
}

// Those under this guard; branches of an if-equation exclude each other and are left out.
static Map find_sources(Balance *b, const FlatGuard *guard)
{
    const FlatModel *m = b->f->model;
    Map sources = {0};
    for (uint32_t i = 0; i < m->equation_count; i++) {
        const FlatEquation *e = m->equations[i];
        SourceKind kind;
        const FlatVariable *v = e->guard == guard && e->kind != FLAT_EQUATION_CONNECTION
                                    ? equation_variable(e, &kind)
                                    : NULL;
        if (v)
            add_source(b, &sources, v, (BalanceSource){kind, e->origin.span, e->origin.component});
    }
    for (uint32_t i = 0; i < m->when_count; i++)
        for (uint32_t k = 0; k < m->whens[i]->defined_count && m->whens[i]->guard == guard; k++)
            add_source(b, &sources, m->whens[i]->defined[k],
                       (BalanceSource){SOURCE_WHEN, m->whens[i]->origin.span,
                                       m->whens[i]->origin.component});
    for (uint32_t i = 0; i < m->algorithm_count; i++)
        for (uint32_t k = 0;
             k < m->algorithms[i]->defined_count && m->algorithms[i]->guard == guard; k++)
            add_source(b, &sources, m->algorithms[i]->defined[k],
                       (BalanceSource){SOURCE_ALGORITHM, m->algorithms[i]->origin.span,
                                       m->algorithms[i]->origin.component});
    return sources;
}

static bool balance_has_source(const List *sources, SourceKind kind, const BalanceSource *except)
{
    for (uint32_t i = 0; i < sources->count; i++)
        if (((const BalanceSource *)sources->items[i])->kind == kind && sources->items[i] != except)
            return true;
    return false;
}

// One of the sources of a value, and what was probably meant.
static void note_source(Balance *b, const FlatVariable *v, const BalanceSource *source,
                        const List *sources, Diagnostic *d)
{
    const bool has_when = balance_has_source(sources, SOURCE_WHEN, source);
    const Span span =
        place_of(b->f->diagnostics->sources, b->f->model, source->span, source->component);
    switch (source->kind) {
    case SOURCE_EQUATION:
        report_note(b->f, d, span,
                    has_when ? "an equation for '%s', which holds at all times; a value to begin "
                               "with is its attribute 'start'"
                             : "an equation for '%s'",
                    v->name);
        break;
    case SOURCE_DERIVATIVE:
        report_note(b->f, d, span, "der(%s) determines '%s'", v->name, v->name);
        break;
    case SOURCE_WHEN:
        if (balance_has_source(sources, SOURCE_DERIVATIVE, source))
            report_note(b->f, d, span,
                        "'%s' gets a value here; reinit(%s, ...) changes a variable that is "
                        "differentiated",
                        v->name, v->name);
        else
            report_note(b->f, d, span,
                        has_when ? "'%s' gets a value here; one clause can give it several, with "
                                   "'elsewhen'"
                                 : "'%s' gets a value here",
                        v->name);
        break;
    case SOURCE_ALGORITHM:
        report_note(b->f, d, span, "the algorithm assigns '%s'", v->name);
        break;
    }
}

static bool has_unknown(const FlatExpression *e)
{
    if (e->kind == FLAT_VARIABLE)
        return e->variable->kind > FLAT_PARAMETER && e->variable->direction != FLAT_INPUT;
    for (uint32_t i = 0; i < e->count; i++)
        if (e->operands[i] && has_unknown(e->operands[i]))
            return true;
    return false;
}

// Equations in which nothing is to be determined: der(p) = 1 with a parameter p, say.
static void balance_note_known(Balance *b, const FlatGuard *guard, Diagnostic *d)
{
    enum { SHOWN = 3 };
    const FlatModel *m = b->f->model;
    int shown = 0;
    for (uint32_t i = 0; i < m->equation_count && shown < SHOWN; i++) {
        const FlatEquation *e = m->equations[i];
        if (e->guard != guard || !e->left || has_unknown(e->left) || has_unknown(e->right))
            continue;
        SourceKind kind;
        const FlatVariable *v = equation_variable(e, &kind);
        const Span span =
            place_of(b->f->diagnostics->sources, m, e->origin.span, e->origin.component);
        if (v && v->kind != FLAT_CONSTANT)
            report_note(b->f, d, span, "'%s' is %s: no equation determines it", v->name,
                        v->direction == FLAT_INPUT ? "an input, whose value comes from outside"
                                                   : "a parameter");
        else
            report_note(b->f, d, span,
                        "this equation contains no variable that it could determine");
        shown++;
    }
}

// Variables that more than one of these seem to determine.
static void note_sources(Balance *b, const FlatGuard *guard, Diagnostic *d)
{
    enum { SHOWN = 6 };
    const FlatModel *m = b->f->model;
    const Map sources = find_sources(b, guard);
    uint32_t shown = 0;
    balance_note_known(b, guard, d);
    for (uint32_t i = 0; i < m->variable_count && shown < SHOWN; i++) {
        const FlatVariable *v = m->variables[i];
        const List *list = map_find(&sources, v);
        if (!list || list->count < 2 || v->kind <= FLAT_PARAMETER)
            continue;
        for (uint32_t k = 0; k < list->count; k++)
            note_source(b, v, list->items[k], list, d);
        shown += list->count;
    }
}

// Whether an equation of the state is one for v: v = ..., or der(v) = ...
static bool balance_is_given(const Balance *b, const FlatState *state, const FlatVariable *v)
{
    const FlatModel *m = b->f->model;
    for (uint32_t i = 0; i < m->equation_count; i++) {
        const FlatEquation *e = m->equations[i];
        const FlatExpression *left = e->left;
        if (!left || !flat_guard_implies(e->guard, state->guard))
            continue;
        if (left->kind == FLAT_OPERATION && left->operation == OPERATION_DER)
            left = left->operands[0];
        if (left->kind == FLAT_VARIABLE && left->variable == v)
            return true;
    }
    return false;
}

// `outer` variables that the state gives a value without saying so. Returns how many.
static int note_outer(Balance *b, const FlatState *state, const Instance *i, Diagnostic *d)
{
    int count = 0;
    if (i->kind == INSTANCE_OUTER) {
        const Instance *target = i->target;
        if (!target || target->kind != INSTANCE_SIMPLE || target->count == 0 ||
            i->direction == DIRECTION_OUTPUT || !balance_is_given(b, state, &target->variables[0]))
            return 0;
        report_note(b->f, d, i->flat->declared->span,
                    "'%s' is not an output of the state, which has an equation for it; "
                    "'outer output' is right for what a state determines",
                    i->flat->name->text);
        return 1;
    }
    if (i->kind == INSTANCE_SIMPLE || i->stage != INSTANCE_OPEN)
        return 0;
    for (uint32_t k = 0; k < i->count; k++)
        count += note_outer(b, state, &i->children[k], d);
    return count;
}

static Diagnostic *balance_report(Balance *b, const BalanceCount *count, const char *what,
                                  const char *name, Span span)
{
    const long long difference = count->unknowns - count->equations;
    const long long missing = difference < 0 ? -difference : difference;
    return report_error(b->f, span, "%s '%s' is not balanced: it has %s; %lld equation%s %s", what,
                        name, count_text(b, count), missing, missing == 1 ? "" : "s",
                        difference > 0 ? (missing == 1 ? "is missing" : "are missing")
                                       : "too many");
}

// Returns how many `outer` variables should be outputs.
static int check_state(Balance *b, const FlatState *state)
{
    const BalanceCount *count = map_find(&b->states, state);
    if (!count || count->unknowns == count->equations)
        return 0;
    Diagnostic *d =
        balance_report(b, count, "state", state->name, state->component->declared->span);
    note_components(b, state, d);
    if (count->unknowns > count->equations) {
        note_unmentioned(b, d);
        return 0;
    }
    note_sources(b, state->guard, d);
    return note_outer(b, state, state->component->instance, d);
}

static int check_states(Balance *b)
{
    const FlatModel *m = b->f->model;
    int outer = 0;
    for (uint32_t i = 0; i < m->machine_count; i++)
        for (uint32_t k = 0; k < m->machines[i]->state_count; k++)
            outer += check_state(b, m->machines[i]->states[k]);
    return outer;
}

static void check_total(Balance *b)
{
    const FlatModel *m = b->f->model;
    if (b->total.unknowns == b->total.equations)
        return;
    Diagnostic *d = balance_report(b, &b->total, "model", m->name, m->span);
    note_components(b, NULL, d);
    if (b->total.unknowns > b->total.equations)
        note_unmentioned(b, d);
    else
        note_sources(b, NULL, d);
}

// What is connected to an outer connector is counted where the inner one is.
static bool has_outer(const Class *c)
{
    for (uint32_t i = 0; i < c->component_count; i++)
        if (c->components[i]->element->is_outer)
            return true;
    return false;
}

// Components that are off although the whole is not: once for each class.
static void warn_components(Balance *b)
{
    Map classes = {0};
    for (uint32_t i = 0; i < b->order.count; i++) {
        Instance *instance = b->order.items[i];
        const BalanceCount *count = map_find(&b->components, instance);
        if (count->unknowns == count->equations || map_find(&classes, instance->class_))
            continue;
        map_set(b->f->passing, &classes, instance->class_, instance);
        if (instance == b->f->top || has_outer(instance->class_) || graph_concerns(b->f, instance))
            continue;
        report_warning(b->f, instance->flat->declared->span,
                       "component '%s' of type '%s' is not balanced by itself: it has %s",
                       instance_name(b->f, instance), class_name(b->f, instance->class_),
                       count_text(b, count));
    }
}

void balance_check(Flattener *f)
{
    const FlatModel *m = f->model;
    Balance b = {.f = f};
    prepare_branches(&b);
    for (uint32_t i = 0; i < m->variable_count; i++)
        count_variable(&b, m->variables[i]);
    count_outer(&b, f->top);
    for (uint32_t i = 0; i < m->equation_count; i++)
        balance_count_equation(&b, m->equations[i]);
    for (uint32_t i = 0; i < m->when_count; i++)
        count_defined(&b, m->whens[i]->guard, m->whens[i]->origin.component,
                      m->whens[i]->defined_count);
    for (uint32_t i = 0; i < m->algorithm_count; i++)
        count_defined(&b, m->algorithms[i]->guard, m->algorithms[i]->origin.component,
                      m->algorithms[i]->defined_count);
    balance_check_branches(&b);
    if (f->diagnostics->error_count)
        return;
    // A variable that a state should have as an output is missing in the total.
    if (check_states(&b) == 0)
        check_total(&b);
    if (!f->diagnostics->error_count)
        warn_components(&b);
}
