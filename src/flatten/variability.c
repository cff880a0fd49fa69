// SPDX-License-Identifier: MIT
//
// Checks of variability on the flat model: see variability.h.
//
// The graph has an edge from each parameter to those in its binding. Depth first along a list, in
// time proportional to its edges: an edge to a parameter that is still on the way closes a cycle,
// and the part of the way behind that parameter is it.

#include "flatten/variability.h"

#include "flatten/evaluate.h"

// ---------------------------------------------------------------------------
// Cycles
// ---------------------------------------------------------------------------

// A parameter on the way of the depth-first search; the bindings of parameters must not form
// cycles (section 4.5). The way can be as long as the model is large: no recursion over variables.
typedef struct VariabilityVisit {
    List uses; // FlatVariable: the parameters in its binding
    uint32_t next;
    bool is_finished;
} VariabilityVisit;

static void collect_uses(Flattener *f, const FlatExpression *e, List *uses)
{
    if (e->kind == FLAT_VARIABLE && e->variable->kind <= FLAT_PARAMETER && e->variable->binding)
        list_append(f->arena, uses, e->variable);
    for (uint32_t i = 0; i < e->count; i++)
        collect_uses(f, e->operands[i], uses);
}

// Where `v` is on the way: a cycle begins there.
static uint32_t cycle_begin(const List *way, const FlatVariable *v)
{
    uint32_t first = way->count - 1;
    while (first > 0 && way->items[first] != v)
        first--;
    return first;
}

static void variability_report_cycle(Flattener *f, const List *way, const FlatVariable *v)
{
    Diagnostic *d = report_error(f, v->binding->span, "parameter '%s' depends on itself", v->name);
    for (uint32_t i = cycle_begin(way, v) + 1; i < way->count; i++) {
        const FlatVariable *other = way->items[i];
        report_note(f, d, other->binding->span, "by way of '%s'", other->name);
    }
}

// The value that an if-expression has, if that is known before the run; NULL: it is not.
static const FlatExpression *known_choice(Flattener *f, const FlatExpression *e)
{
    uint32_t i = 0;
    for (; i + 1 < e->count; i += 2) {
        bool holds;
        if (e->operands[i]->variability > FLAT_PARAMETER ||
            !evaluate_boolean(f, e->operands[i], NULL, &holds))
            return NULL;
        if (holds)
            return e->operands[i + 1];
    }
    return e->operands[i];
}

// Replaces if-expressions by their values. True: there were some.
static bool resolve_choices(Flattener *f, FlatExpression *e)
{
    bool is_changed = false;
    const FlatExpression *choice = e->kind == FLAT_IF ? known_choice(f, e) : NULL;
    if (choice) {
        *e = *choice;
        is_changed = true;
    }
    for (uint32_t i = 0; i < e->count; i++)
        is_changed |= e->operands[i] && resolve_choices(f, e->operands[i]);
    return is_changed;
}

static VariabilityVisit *visit_create(Flattener *f, FlatVariable *v, Map *visits, List *way)
{
    VariabilityVisit *visit = ARENA_NEW(f->arena, VariabilityVisit);
    collect_uses(f, v->binding, &visit->uses);
    map_set(f->arena, visits, v, visit);
    list_append(f->arena, way, v);
    return visit;
}

// Cycles go to `cyclic` (FlatVariable), or are reported if there is none.
static void search_cycle(Flattener *f, FlatVariable *start, Map *visits, List *cyclic)
{
    List way = {0};
    if (map_find(visits, start))
        return;
    visit_create(f, start, visits, &way);
    while (way.count) {
        VariabilityVisit *visit = map_find(visits, way.items[way.count - 1]);
        if (visit->next == visit->uses.count) {
            visit->is_finished = true;
            way.count--;
            continue;
        }
        FlatVariable *used = visit->uses.items[visit->next++];
        const VariabilityVisit *known = map_find(visits, used);
        if (!known)
            visit_create(f, used, visits, &way);
        else if (!known->is_finished && !cyclic)
            variability_report_cycle(f, &way, used);
        else if (!known->is_finished)
            for (uint32_t i = cycle_begin(&way, used); i < way.count; i++)
                list_append(f->arena, cyclic, way.items[i]);
    }
}

static void search_cycles(Flattener *f, List *cyclic)
{
    Map visits = {0};
    for (uint32_t i = 0; i < f->model->variable_count; i++) {
        FlatVariable *v = f->model->variables[i];
        const bool depends = v->kind <= FLAT_PARAMETER && v->binding && v->binding->count > 0;
        if (depends || (v->binding && v->binding->kind == FLAT_VARIABLE))
            search_cycle(f, v, &visits, cyclic);
    }
}

// a = if c then 1 else f(b), b = if c then g(a) else 2 are no cycle once c is known: what would be
// one is looked at again with its choices made (section 4.5).
static void check_cycles(Flattener *f)
{
    bool is_changed;
    do {
        List cyclic = {0};
        is_changed = false;
        search_cycles(f, &cyclic);
        for (uint32_t i = 0; i < cyclic.count; i++)
            is_changed |= resolve_choices(f, ((FlatVariable *)cyclic.items[i])->binding);
        if (cyclic.count && !is_changed)
            search_cycles(f, NULL);
    } while (is_changed);
}

// ---------------------------------------------------------------------------
// Left limits
// ---------------------------------------------------------------------------

// pre(x) and change(x) outside of when clauses need an x that changes at events only (section
// 3.7.5). Which variables those are is known only now, since when clauses make Reals discrete.
static void check_left_limits(Flattener *f, const FlatExpression *e, Map *seen)
{
    if (e->kind == FLAT_CALL) {
        if (map_find(seen, e))
            return;
        map_set(f->arena, seen, e, seen);
    }
    if (e->kind == FLAT_OPERATION &&
        (e->operation == OPERATION_PRE || e->operation == OPERATION_CHANGE) &&
        e->operands[0]->kind == FLAT_VARIABLE &&
        e->operands[0]->variable->kind == FLAT_CONTINUOUS) {
        report_error(f, e->span,
                     "'%s' needs a variable that changes at events only, but '%s' is continuous; "
                     "in a when clause it may be",
                     operation_info((Operation)e->operation)->text, e->operands[0]->variable->name);
        return;
    }
    for (uint32_t i = 0; i < e->count; i++)
        check_left_limits(f, e->operands[i], seen);
}

static void variability_check_equations(Flattener *f)
{
    Map seen = {0};
    for (uint32_t i = 0; i < f->model->equation_count; i++) {
        const FlatEquation *e = f->model->equations[i];
        if (e->tick) // it is like one of a when clause
            continue;
        if (e->left)
            check_left_limits(f, e->left, &seen);
        if (e->right)
            check_left_limits(f, e->right, &seen);
    }
}

// ---------------------------------------------------------------------------
// Relations
// ---------------------------------------------------------------------------

// Reals are not to be compared for equality outside of functions (section 3.5): the moment when
// they are equal is missed.
static void check_relations(Flattener *f)
{
    for (uint32_t i = 0; i < f->model->relations.count; i++) {
        const FlatExpression *e = f->model->relations.items[i].expression;
        if (e->operation == OPERATION_EQUAL || e->operation == OPERATION_NOT_EQUAL)
            report_warning(f, e->span,
                           "'%s' of Reals that change: the moment when they are equal is not "
                           "found; compare with '<' or '>'",
                           operation_info((Operation)e->operation)->text);
    }
}

void variability_check(Flattener *f)
{
    if (f->diagnostics->error_count == 0)
        check_cycles(f);
    variability_check_equations(f);
    check_relations(f);
}
