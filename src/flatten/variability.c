// SPDX-License-Identifier: MIT
//
// Checks of variability on the flat model: see variability.h.

#include "flatten/variability.h"

// ---- cycles
// --------------------------------------------------------------------------------------

// A parameter on the way of the depth-first search; the bindings of parameters must not form
// cycles (section 4.5). The way can be as long as the model is large: no recursion over variables.
typedef struct Visit {
    List uses; // FlatVariable: the parameters in its binding
    uint32_t next;
    bool is_finished;
} Visit;

static void collect_uses(Flattener *f, const FlatExpression *e, List *uses)
{
    if (e->kind == FLAT_VARIABLE && e->variable->kind <= FLAT_PARAMETER && e->variable->binding)
        list_append(f->arena, uses, e->variable);
    for (uint32_t i = 0; i < e->count; i++)
        collect_uses(f, e->operands[i], uses);
}

static void report_cycle(Flattener *f, const List *way, const FlatVariable *v)
{
    uint32_t first = way->count;
    while (first > 0 && way->items[first - 1] != v)
        first--;
    Diagnostic *d = report_error(f, v->binding->span, "parameter '%s' depends on itself", v->name);
    for (uint32_t i = first; i < way->count; i++) {
        const FlatVariable *other = way->items[i];
        report_note(f, d, other->binding->span, "by way of '%s'", other->name);
    }
}

static Visit *visit_create(Flattener *f, FlatVariable *v, Map *visits, List *way)
{
    Visit *visit = ARENA_NEW(f->arena, Visit);
    collect_uses(f, v->binding, &visit->uses);
    map_set(f->arena, visits, v, visit);
    list_append(f->arena, way, v);
    return visit;
}

static void search_cycle(Flattener *f, FlatVariable *start, Map *visits)
{
    List way = {0};
    if (map_find(visits, start))
        return;
    visit_create(f, start, visits, &way);
    while (way.count) {
        Visit *visit = map_find(visits, way.items[way.count - 1]);
        if (visit->next == visit->uses.count) {
            visit->is_finished = true;
            way.count--;
            continue;
        }
        FlatVariable *used = visit->uses.items[visit->next++];
        const Visit *known = map_find(visits, used);
        if (!known)
            visit_create(f, used, visits, &way);
        else if (!known->is_finished)
            report_cycle(f, &way, used);
    }
}

static void check_cycles(Flattener *f)
{
    Map visits = {0};
    for (uint32_t i = 0; i < f->model->variable_count; i++) {
        FlatVariable *v = f->model->variables[i];
        const bool depends = v->kind <= FLAT_PARAMETER && v->binding && v->binding->count > 0;
        if (depends || (v->binding && v->binding->kind == FLAT_VARIABLE))
            search_cycle(f, v, &visits);
    }
}

// ---- left limits
// ---------------------------------------------------------------------------------

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

static void check_equations(Flattener *f)
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

// ---- relations
// -----------------------------------------------------------------------------------

// Reals are not to be compared for equality outside of functions (section 3.5): the moment when
// they are equal is missed.
static void check_relations(Flattener *f)
{
    for (uint32_t i = 0; i < f->model->relation_count; i++) {
        const FlatExpression *e = f->model->relations[i].expression;
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
    check_equations(f);
    check_relations(f);
}
