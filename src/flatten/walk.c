// SPDX-License-Identifier: MIT
//
// Walks over the expressions of a flat model (walk.h): the one place that knows where expressions
// can stand. A new kind of statement, or a new list of the flat model, is added here, and
// everything that looks at all expressions sees it: relations, types to be printed, questions about
// functions.
//
// Only the outermost expressions are visited. Who visits one goes into its operands, and has to
// know that a call with several results has several parents.

#include "flatten/walk.h"

typedef struct Walker {
    FlatVisitor *visit;
    void *data;
    const FlatComponent *component;
    // Instead: a question, with what it is asked about.
    FlatTest *test;
    const void *about;
    bool holds;
} Walker;

static void walk(Walker *w, FlatExpression *e)
{
    if (e && w->test)
        w->holds = w->holds || w->test(w->about, e);
    else if (e)
        w->visit(w->data, e, w->component);
}

static void walk_list(Walker *w, uint32_t count, FlatExpression **items)
{
    for (uint32_t i = 0; i < count; i++)
        walk(w, items[i]);
}

static void walk_each_statement(Walker *w, uint32_t count, FlatStatement *const *statements)
{
    for (uint32_t i = 0; i < count; i++) {
        FlatStatement *st = statements[i];
        switch (st->kind) {
        case FLAT_ASSIGN:
        case FLAT_MULTIPLE:
        case FLAT_REINIT:
            walk(w, st->target);
            walk(w, st->value);
            walk_list(w, st->target_count, st->targets);
            break;
        case FLAT_ASSERT:
        case FLAT_TERMINATE:
            walk(w, st->check.condition);
            walk(w, st->check.message);
            break;
        case FLAT_CHOICE:
        case FLAT_WHEN:
            for (uint32_t k = 0; k < st->branches.count; k++) {
                walk(w, st->branches.items[k].condition);
                walk_each_statement(w, st->branches.items[k].count,
                                    st->branches.items[k].statements);
            }
            break;
        case FLAT_FOR:
        case FLAT_WHILE:
            walk(w, st->loop.range);
            walk_each_statement(w, st->loop.count, st->loop.body);
            break;
        case FLAT_BREAK:
        case FLAT_RETURN:
            break;
        }
    }
}

void flat_walk_statements(uint32_t count, FlatStatement *const *statements, FlatVisitor *visit,
                          void *data, const FlatComponent *component)
{
    Walker w = {.visit = visit, .data = data, .component = component};
    walk_each_statement(&w, count, statements);
}

bool flat_any_in_statements(uint32_t count, FlatStatement *const *statements, FlatTest *test,
                            const void *data)
{
    Walker w = {.test = test, .about = data};
    walk_each_statement(&w, count, statements);
    return w.holds;
}

static void walk_function(Walker *w, const FlatFunction *function)
{
    for (uint32_t i = 0; i < function->local_count; i++) {
        const FlatLocal *local = function->locals[i];
        walk(w, local->value);
        if (local->sizes)
            walk_list(w, local->reference.rank, local->sizes);
    }
    walk_each_statement(w, function->count, function->statements);
    if (function->external)
        walk_list(w, function->external->count, function->external->arguments);
}

void flat_walk_function(const FlatFunction *function, FlatVisitor *visit, void *data)
{
    Walker w = {.visit = visit, .data = data};
    walk_function(&w, function);
}

bool flat_any_in_function(const FlatFunction *function, FlatTest *test, const void *data)
{
    Walker w = {.test = test, .about = data};
    walk_function(&w, function);
    return w.holds;
}

static void walk_equations(Walker *w, uint32_t count, FlatEquation *const *equations)
{
    for (uint32_t i = 0; i < count; i++) {
        const FlatEquation *e = equations[i];
        w->component = e->origin.component;
        walk(w, e->left);
        walk(w, e->right);
        walk_list(w, e->target_count, e->targets);
    }
}

static void walk_algorithms(Walker *w, uint32_t count, FlatAlgorithm *const *algorithms)
{
    for (uint32_t i = 0; i < count; i++) {
        w->component = algorithms[i]->origin.component;
        walk_each_statement(w, algorithms[i]->count, algorithms[i]->statements);
    }
}

static void walk_variables(Walker *w, const FlatModel *model)
{
    const FlatAttributes *last = NULL;
    for (uint32_t i = 0; i < model->variable_count; i++) {
        const FlatVariable *v = model->variables[i];
        w->component = v->component;
        walk(w, v->binding);
        const FlatAttributes *a = v->attributes;
        if (!a || a == last)
            continue;
        last = a;
        walk(w, a->start);
        walk(w, a->minimum);
        walk(w, a->maximum);
        walk(w, a->nominal);
    }
}

static void walk_whens(Walker *w, const FlatModel *model)
{
    for (uint32_t i = 0; i < model->when_count; i++) {
        const FlatWhen *when = model->whens[i];
        w->component = when->origin.component;
        for (uint32_t k = 0; k < when->count; k++) {
            walk_list(w, when->branches[k].condition_count, when->branches[k].conditions);
            walk_each_statement(w, when->branches[k].count, when->branches[k].statements);
        }
    }
}

void flat_walk(const FlatModel *model, FlatVisitor *visit, void *data)
{
    Walker w = {.visit = visit, .data = data};
    walk_variables(&w, model);
    walk_equations(&w, model->equation_count, model->equations);
    walk_equations(&w, model->initial_equation_count, model->initial_equations);
    for (uint32_t i = 0; i < model->conditional_count; i++) {
        w.component = model->conditionals[i]->component;
        walk_list(&w, model->conditionals[i]->count, model->conditionals[i]->conditions);
    }
    walk_whens(&w, model);
    walk_algorithms(&w, model->algorithm_count, model->algorithms);
    walk_algorithms(&w, model->initial_algorithm_count, model->initial_algorithms);
    for (uint32_t i = 0; i < model->assertion_count; i++) {
        w.component = model->assertions[i]->origin.component;
        walk(&w, model->assertions[i]->condition);
        walk(&w, model->assertions[i]->message);
    }
    for (uint32_t i = 0; i < model->machine_count; i++) {
        const FlatMachine *m = model->machines[i];
        w.component = m->component;
        for (uint32_t k = 0; k < m->transition_count; k++)
            walk(&w, m->transitions[k].condition);
    }
}
