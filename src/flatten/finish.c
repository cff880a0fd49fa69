// SPDX-License-Identifier: MIT
//
// Completes the flat model: see finish.h.
//
// Until here equations point to variables, and variables to instances. Now all get numbers: the
// variables in the order of the text, those that were made for clocks and connections behind them.
// Then one walk over all expressions (FinishScan)
//
// - finds the functions that are still called, and those these call;
// - gives each expression that can trigger an event, and is not under noEvent, smooth or in a
//   function, its number among the relations;
// - marks what is differentiated, on which `reinit` and the selection of states depend;
// - replaces calls whose arguments have shaped the model by their values.
//
// Invariant: nothing of the flat model is in the arena `passing`, which ends with the flattener.

#include "flatten/finish.h"

#include "flatten/elaborate.h"
#include "flatten/evaluate.h"
#include "flatten/external.h"
#include "flatten/stream.h"
#include "flatten/walk.h"

#include <math.h>

// ---------------------------------------------------------------------------
// Variables
// ---------------------------------------------------------------------------

static const FlatAttributes no_attributes = {.state_select = FLAT_SELECT_DEFAULT};

static FlatDirection finish_direction_of(const Flattener *f, const Instance *i)
{
    // Only what the model itself declares can be an input or output of the model.
    const Instance *top = i;
    while (instance_parent(top) != f->top)
        top = instance_parent(top);
    // An input with a binding is determined already.
    if (top->flat->is_protected || i->direction == DIRECTION_NONE ||
        (i->direction == DIRECTION_INPUT && i->bound.to))
        return FLAT_LOCAL_VARIABLE;
    for (const Instance *p = i; p != top; p = instance_parent(p))
        if (p->flat->name && instance_parent(p)->direction == DIRECTION_NONE &&
            instance_parent(p)->member && !instance_parent(p)->is_element &&
            instance_parent(p)->kind == INSTANCE_COMPLEX && p->direction == DIRECTION_NONE)
            return FLAT_LOCAL_VARIABLE;
    return i->direction == DIRECTION_INPUT ? FLAT_INPUT : FLAT_OUTPUT;
}

static bool is_in_model_component(Flattener *f, const Instance *i)
{
    for (const Instance *p = instance_parent(i); p && p != f->top; p = instance_parent(p))
        if (p->class_ && class_is_model(f, p->class_))
            return true;
    return false;
}

// What an annotation says of a name; NULL: nothing.
static const Modification *annotated(const Modification *m, const Name *name)
{
    for (uint32_t k = 0; m && k < m->count; k++) {
        const Argument *a = m->arguments[k];
        if (a->kind == ARGUMENT_MODIFICATION && a->name->parts[0].name == name)
            return a->modification;
    }
    return NULL;
}

static bool is_annotated(const Modification *m, const Name *name)
{
    const Modification *found = annotated(m, name);
    return found && found->value && found->value->kind == EXPRESSION_BOOLEAN &&
           found->value->boolean;
}

static const Modification *finish_annotation(const Instance *i)
{
    const Description *d = i->element ? i->element->description : NULL;
    return d ? d->annotation : NULL;
}

static void finish_variable(Flattener *f, Instance *i, FlatVariable *v, bool is_inner, List *out)
{
    StringBuilder name = builder_create(f->arena);
    flat_variable_name(&name, v);
    v->name = builder_string(&name).text;
    v->index = out->count;
    v->guard = i->guard;
    v->is_invariant =
        is_annotated(annotated(finish_annotation(i), f->known.__Saltus), f->known.invariant);
    v->direction = (uint8_t)(is_inner ? FLAT_LOCAL_VARIABLE : finish_direction_of(f, i));
    if (!v->attributes)
        v->attributes = &no_attributes;
    if (v->kind <= FLAT_PARAMETER && !v->binding)
        variable_binding(f, v);
    if (v->binding && expression_is_none(v->binding))
        v->binding = NULL;
    list_append(f->passing, out, v);
    for (const FlatGuard *g = v->guard; g; g = g->outer) {
        if (!g->state)
            continue;
        list_append(f->arena, (List *)map_find(&f->seen.state_variables, g->state), v);
    }
}

static void collect_variables(Flattener *f, Instance *i, List *out)
{
    if (i->stage != INSTANCE_OPEN || i->is_broken || i->is_absent)
        return;
    if (i->kind == INSTANCE_SIMPLE && instance_type(f, i)->kind == FLAT_TYPE_CLOCK)
        return; // what it clocks has its ticks
    if (i->kind == INSTANCE_SIMPLE) {
        const bool is_inner = is_in_model_component(f, i);
        const bool is_evaluated = i->variability == FLAT_PARAMETER &&
                                  is_annotated(finish_annotation(i), f->known.Evaluate);
        for (uint32_t k = 0; k < i->count; k++) {
            finish_variable(f, i, &i->variables[k], is_inner, out);
            FlatExpression *value = NULL;
            if (is_evaluated || i->variability == FLAT_CONSTANT)
                value = evaluate(f, &i->variables[k].reference, NULL);
            if (value && i->variability == FLAT_CONSTANT)
                i->variables[k].binding = value;
        }
        return;
    }
    if (i->kind == INSTANCE_OUTER)
        return;
    for (uint32_t k = 0; k < i->count; k++)
        collect_variables(f, &i->children[k], out);
}

static void prepare_states(Flattener *f)
{
    for (uint32_t i = 0; i < f->model->machine_count; i++) {
        const FlatMachine *m = f->model->machines[i];
        for (uint32_t k = 0; k < m->state_count; k++)
            map_set(f->arena, &f->seen.state_variables, m->states[k], ARENA_NEW(f->arena, List));
    }
}

static void finish_states(Flattener *f)
{
    for (uint32_t i = 0; i < f->model->machine_count; i++) {
        const FlatMachine *m = f->model->machines[i];
        for (uint32_t k = 0; k < m->state_count; k++) {
            const List *list = map_find(&f->seen.state_variables, m->states[k]);
            m->states[k]->variables = (FlatVariable **)(void *)list->items;
            m->states[k]->variable_count = list->count;
        }
    }
}

// ---------------------------------------------------------------------------
// Relations, derivatives, functions
// ---------------------------------------------------------------------------

typedef struct FinishScan {
    Flattener *f;
    const FlatComponent *component;
    List relations; // FlatRelation
    List functions; // FlatFunction, reached
    Map reached;
    Map seen;                    // nodes with several parents
    Map kept;                    // calls that stay
    Map bounded;                 // abs(...) in assertions
    const FlatExpression *whole; // that is being looked at
    bool in_function;
    bool has_settled; // a call has become its value
} FinishScan;

static bool is_relation(const FlatExpression *e)
{
    if (e->kind != FLAT_OPERATION || e->count == 0)
        return false;
    if (e->operation >= OPERATION_LESS && e->operation <= OPERATION_NOT_EQUAL)
        return e->operands[0]->type->kind == FLAT_TYPE_REAL;
    return operation_has_steps((Operation)e->operation);
}

static bool depends_on_time(const FlatExpression *e)
{
    for (uint32_t i = 0; i < e->count; i++)
        if (e->operands[i]->variability == FLAT_CONTINUOUS)
            return true;
    return false;
}

static void reach_function(FinishScan *scan, FlatFunction *fn);

// Marks what is differentiated.
static void mark_differentiated(FlatExpression *e)
{
    if (e->kind == FLAT_VARIABLE)
        e->variable->is_differentiated = e->variable->kind == FLAT_CONTINUOUS;
    for (uint32_t i = 0; i < e->count; i++)
        mark_differentiated(e->operands[i]);
}

// An Integer, Boolean and so on that cannot change any more: of numbers and of parameters that have
// shaped the model.
static bool finish_is_settled(const FlatExpression *e)
{
    if (e->kind == FLAT_VARIABLE)
        return e->variable->is_structural && e->type->kind != FLAT_TYPE_REAL;
    bool result = (e->kind > FLAT_REAL && e->kind <= FLAT_ENUMERATION) ||
                  e->kind == FLAT_OPERATION || e->kind == FLAT_ARRAY || e->kind == FLAT_RECORD;
    for (uint32_t i = 0; result && i < e->count; i++)
        result = finish_is_settled(e->operands[i]);
    return result;
}

static void become(FlatExpression *e, const FlatExpression *literal)
{
    const Span span = e->span;
    *e = *literal;
    e->span = span;
}

// A call with nothing but settled arguments becomes its value: it is about the structure of the
// model, as the number of phases is, and its loops and sizes may be such that it cannot run later.
// One that fails stays, and fails when it is needed.
static bool settle_call(FinishScan *scan, FlatExpression *e)
{
    const FlatExpression *call = e->kind == FLAT_RESULT ? e->operands[0] : e;
    // A whole expression that is a call may have several results, (a, b) = f(1), or none.
    const bool is_whole = e == scan->whole && e->kind == FLAT_CALL;
    if (call->kind != FLAT_CALL || !call->count || call->function->is_impure || e->rank ||
        is_whole || map_find(&scan->kept, call))
        return false;
    bool is_known = true;
    for (uint32_t i = 0; is_known && i < call->count; i++)
        is_known = finish_is_settled(call->operands[i]);
    const FlatExpression *value = is_known ? evaluate(scan->f, e, NULL) : NULL;
    if (!value || value->kind > FLAT_ENUMERATION || value->kind == FLAT_STRING) {
        map_set(scan->f->passing, &scan->kept, call, scan);
        return false;
    }
    become(e, value);
    scan->has_settled = true;
    return true;
}

// The magnitudes in the condition of an assertion, assert(abs(x) < c): where x changes its sign
// they are zero, and nothing is decided there; and what is asserted holds for |x|, not for an x
// that rounding has left on the other side of zero.
static void find_bounded(FinishScan *scan, FlatExpression *e)
{
    if (e->kind == FLAT_OPERATION && e->operation == OPERATION_ABS)
        map_set(scan->f->passing, &scan->bounded, e, e);
    for (uint32_t i = 0; i < e->count; i++)
        find_bounded(scan, e->operands[i]);
}

static void scan_expression(FinishScan *scan, FlatExpression *e, bool is_silent)
{
    if (!scan->in_function && settle_call(scan, e))
        return;
    if (e->kind == FLAT_CALL && e->count == 0)
        reach_function(scan, e->function);
    if (e->kind == FLAT_VARIABLE || e->count == 0)
        return;
    if (e->kind == FLAT_CALL || e->kind == FLAT_RESULT) {
        if (map_find(&scan->seen, e))
            return;
        map_set(scan->f->passing, &scan->seen, e, e);
    }
    bool is_quiet_inside = is_silent;
    is_silent = is_silent || map_find(&scan->bounded, e);
    e->is_silent = is_silent;
    if (e->kind == FLAT_OPERATION) {
        if (e->operation == OPERATION_NO_EVENT ||
            (e->operation == OPERATION_SMOOTH && e->operands[0]->integer > 0))
            is_quiet_inside = true;
        if (e->operation == OPERATION_DER)
            mark_differentiated(e->operands[0]);
        if (!is_silent && e->relation == FLAT_NO_RELATION && is_relation(e) && depends_on_time(e)) {
            FlatRelation *relation = ARENA_NEW(scan->f->passing, FlatRelation);
            *relation = (FlatRelation){e, scan->component};
            e->relation = scan->relations.count;
            list_append(scan->f->passing, &scan->relations, relation);
        }
    }
    if (e->kind == FLAT_CALL)
        reach_function(scan, e->function);
    for (uint32_t i = 0; i < e->count; i++)
        scan_expression(scan, e->operands[i], is_quiet_inside);
    const FlatExpression *folded = scan->has_settled && e->kind == FLAT_OPERATION && !e->rank
                                       ? build_folded(scan->f, (Operation)e->operation, e->type,
                                                      e->count, e->operands, e->span)
                                       : NULL;
    if (folded)
        become(e, folded);
}

static void visit_expression(void *data, FlatExpression *e, const FlatComponent *component)
{
    FinishScan *scan = data;
    scan->component = component;
    scan->whole = e;
    scan_expression(scan, e, false);
}

// Inside functions there are no events.
static void visit_in_function(void *data, FlatExpression *e, const FlatComponent *component)
{
    (void)component;
    scan_expression(data, e, true);
}

static void reach_function(FinishScan *scan, FlatFunction *fn)
{
    if (map_find(&scan->reached, fn))
        return;
    map_set(scan->f->passing, &scan->reached, fn, fn);
    fn->index = scan->functions.count;
    list_append(scan->f->arena, &scan->functions, fn);
    const bool was_in_function = scan->in_function;
    scan->in_function = true;
    flat_walk_function(fn, visit_in_function, scan);
    scan->in_function = was_in_function;
    for (uint32_t i = 0; i < fn->derivative_count; i++)
        reach_function(scan, fn->derivatives[i].function);
    for (uint32_t i = 0; i < fn->inverse_count; i++)
        reach_function(scan, fn->inverses[i].function);
    if (fn->derivative_of)
        reach_function(scan, fn->derivative_of);
}

static void scan_model(Flattener *f)
{
    FinishScan scan = {.f = f};
    for (uint32_t i = 0; i < f->model->assertion_count; i++)
        if (f->model->assertions[i]->condition)
            find_bounded(&scan, f->model->assertions[i]->condition);
    flat_walk(f->model, visit_expression, &scan);
    FlatModel *m = f->model;
    m->relations.count = scan.relations.count;
    m->relations.items = ARENA_ARRAY(f->arena, scan.relations.count + 1, FlatRelation);
    for (uint32_t i = 0; i < scan.relations.count; i++)
        m->relations.items[i] = *(FlatRelation *)scan.relations.items[i];
    m->functions = (FlatFunction **)(void *)scan.functions.items;
    m->function_count = scan.functions.count;
}

// ---------------------------------------------------------------------------
// Shared variables
// ---------------------------------------------------------------------------

// Whether two guards never hold together: they name different states of one machine.
static bool exclude_each_other(const FlatGuard *a, const FlatGuard *b)
{
    for (; a; a = a->outer)
        for (const FlatGuard *g = b; a->state && g; g = g->outer)
            if (g->state && g->state->machine == a->state->machine && g->state != a->state)
                return true;
    return false;
}

static const FlatState *innermost_state(const FlatGuard *g)
{
    while (g && !g->state)
        g = g->outer;
    return g ? g->state : NULL;
}

static bool is_within(const FlatGuard *g, const FlatState *state)
{
    while (g && g->state != state)
        g = g->outer;
    return g != NULL;
}

// A variable that states share is defined by one machine: of two parallel ones both would
// (section 17.3.5), and so would a state and a machine inside of it.
static void check_sharings(Flattener *f)
{
    Map first = {0}; // FlatVariable -> its first FlatSharing
    Map reported = {0};
    for (uint32_t i = 0; i < f->model->sharings.count; i++) {
        const FlatSharing *s = f->model->sharings.items[i];
        const FlatSharing *before = map_find(&first, s->variable);
        if (!before) {
            map_set(f->arena, &first, s->variable, (void *)(uintptr_t)s);
            continue;
        }
        const FlatState *a = innermost_state(before->guard), *b = innermost_state(s->guard);
        if (!a || !b || a == b || exclude_each_other(before->guard, s->guard) ||
            map_find(&reported, s->variable))
            continue;
        map_set(f->arena, &reported, s->variable, s->variable);
        Diagnostic *d = report_error(f, s->variable->reference.span,
                                     "'%s' is defined by two state machines at once: by state '%s' "
                                     "and by state '%s'",
                                     s->variable->name, a->name, b->name);
        report_note(f, d, a->span, "the machine of '%s' is here", a->name);
        report_note(f, d, b->span, "the machine of '%s' is here", b->name);
        const FlatState *outside = is_within(s->guard, a)        ? a
                                   : is_within(before->guard, b) ? b
                                                                 : NULL;
        if (outside)
            report_note(f, d, outside->component->declared->span,
                        "'%s' leaves it to the machine that it contains if it declares it as "
                        "'inner outer output'",
                        outside->name);
    }
}

// ---------------------------------------------------------------------------
// Reinit
// ---------------------------------------------------------------------------

static bool is_equal_to_another(const FlatModel *m, const FlatVariable *v)
{
    for (uint32_t i = 0; i < m->equation_count; i++) {
        const FlatEquation *e = m->equations[i];
        if (e->kind == FLAT_EQUATION_CALL)
            continue;
        const FlatExpression *sides[] = {e->left, e->right};
        for (int k = 0; k < 2; k++)
            if (sides[k]->kind == FLAT_OPERATION && sides[k]->operation == OPERATION_NEGATE)
                sides[k] = sides[k]->operands[0];
        if (sides[0]->kind == FLAT_VARIABLE && sides[1]->kind == FLAT_VARIABLE &&
            (sides[0]->variable == v || sides[1]->variable == v))
            return true;
    }
    return false;
}

// Only what is differentiated, by itself or under another name, has a value that can be set.
static void check_reinit(Flattener *f, uint32_t count, FlatStatement *const *statements)
{
    for (uint32_t i = 0; i < count; i++) {
        const FlatStatement *st = statements[i];
        if (st->kind == FLAT_CHOICE)
            for (uint32_t k = 0; k < st->branches.count; k++)
                check_reinit(f, st->branches.items[k].count, st->branches.items[k].statements);
        if (st->kind != FLAT_REINIT || st->target->variable->is_differentiated ||
            is_equal_to_another(f->model, st->target->variable))
            continue;
        const char *name = st->target->variable->name;
        report_error(f, st->span, "'%s' cannot be reinitialised: der(%s) occurs nowhere", name,
                     name);
    }
}

static void check_whens(Flattener *f)
{
    for (uint32_t i = 0; i < f->model->when_count; i++) {
        const FlatWhen *w = f->model->whens[i];
        for (uint32_t k = 0; k < w->count; k++)
            check_reinit(f, w->branches[k].count, w->branches[k].statements);
    }
}

// ---------------------------------------------------------------------------
// The model
// ---------------------------------------------------------------------------

// A setting of an annotation; NULL: it is not given.
static const FlatExpression *setting(Flattener *f, Instance *i, const Modification *m,
                                     const Name *name)
{
    for (uint32_t k = 0; m && k < m->count; k++) {
        const Argument *a = m->arguments[k];
        if (a->kind != ARGUMENT_MODIFICATION || a->name->parts[0].name != name ||
            !a->modification || !a->modification->value)
            continue;
        Scope s = scope_of_instance(i, i->class_);
        const FlatExpression *e = elaborate(f, &s, a->modification->value);
        return expression_is_none(e) ? NULL : e;
    }
    return NULL;
}

static double real_setting(Flattener *f, Instance *i, const Modification *m, const Name *name,
                           const char *what)
{
    double value;
    const FlatExpression *e = setting(f, i, m, name);
    if (!e)
        return NAN;
    if (e->rank || (e->type->kind != FLAT_TYPE_REAL && e->type->kind != FLAT_TYPE_INTEGER)) {
        report_error(f, e->span, "'%s' must be a number", name->text);
        return NAN;
    }
    return evaluate_real(f, e, what, &value) ? value : NAN;
}

// Arguments of an annotation that mean nothing. Those of other tools begin with "__".
static void warn_settings(Flattener *f, const Modification *m, const char *annotation,
                          const Name *const *known, size_t count)
{
    enum { MOST = 8 };
    const char *names[MOST];
    for (size_t i = 0; i < count && i < MOST; i++)
        names[i] = known[i]->text;
    for (uint32_t k = 0; m && k < m->count; k++) {
        const Name *name = m->arguments[k]->kind == ARGUMENT_MODIFICATION
                               ? m->arguments[k]->name->parts[0].name
                               : NULL;
        bool is_known = !name || strncmp(name->text, "__", 2) == 0;
        for (size_t i = 0; i < count; i++)
            is_known = is_known || name == known[i];
        if (is_known)
            continue;
        const char *nearest = text_nearest(name->text, names, count);
        report_warning(f, m->arguments[k]->span, "'%s' has no setting '%s'%s%s%s", annotation,
                       name->text, nearest ? "; did you mean '" : "", nearest ? nearest : "",
                       nearest ? "'?" : "");
    }
}

static double experiment_value(Flattener *f, const Modification *m, const Name *name)
{
    return real_setting(f, f->top, m, name, "an experiment setting");
}

// A tolerance of zero or below cannot be met.
static void report_tolerance(Flattener *f, const Modification *m, const Name *name)
{
    const FlatExpression *e = setting(f, f->top, m, name);
    report_error(f, e ? e->span : f->model->span, "'%s' must be above zero", name->text);
}

static void read_experiment(Flattener *f)
{
    const Argument *a = class_annotation(f, f->top->class_, f->known.experiment);
    const Modification *m = a ? a->modification : NULL;
    const Name *const known[] = {f->known.StartTime, f->known.StopTime, f->known.Tolerance,
                                 f->known.Interval};
    warn_settings(f, m, "experiment", known, sizeof known / sizeof *known);
    f->model->experiment =
        (FlatExperiment){.start_time = experiment_value(f, m, f->known.StartTime),
                         .stop_time = experiment_value(f, m, f->known.StopTime),
                         .tolerance = experiment_value(f, m, f->known.Tolerance),
                         .interval = experiment_value(f, m, f->known.Interval)};
    if (f->model->experiment.tolerance <= 0.0)
        report_tolerance(f, m, f->known.Tolerance);
}

static const char *text_setting(Flattener *f, Instance *i, const Modification *m, const Name *name)
{
    const FlatExpression *e = setting(f, i, m, name);
    if (!e)
        return NULL;
    if (e->kind == FLAT_STRING)
        return e->string;
    report_error(f, e->span, "'%s' must be a text: \"rodas\", say", name->text);
    return NULL;
}

// annotation(__Saltus(...)) of the class of an instance.
static const FlatMethod *read_method(Flattener *f, Instance *i)
{
    const Argument *a = class_annotation(f, i->class_, f->known.__Saltus);
    const Modification *m = a ? a->modification : NULL;
    if (!m)
        return NULL;
    const char *what = "a setting of '__Saltus'";
    const Name *const known[] = {f->known.solver, f->known.locate, f->known.relativeTolerance,
                                 f->known.absoluteTolerance, f->known.maxStep};
    warn_settings(f, m, "__Saltus", known, sizeof known / sizeof *known);
    FlatMethod *method = ARENA_NEW(f->arena, FlatMethod);
    *method =
        (FlatMethod){.solver = text_setting(f, i, m, f->known.solver),
                     .locate = text_setting(f, i, m, f->known.locate),
                     .relative_tolerance = real_setting(f, i, m, f->known.relativeTolerance, what),
                     .absolute_tolerance = real_setting(f, i, m, f->known.absoluteTolerance, what),
                     .max_step = real_setting(f, i, m, f->known.maxStep, what),
                     .span = a->span};
    return method;
}

static void finish_read_methods(Flattener *f)
{
    f->model->experiment.method = read_method(f, f->top);
    for (uint32_t i = 0; i < f->model->machine_count; i++)
        for (uint32_t k = 0; k < f->model->machines[i]->state_count; k++) {
            FlatState *state = f->model->machines[i]->states[k];
            state->method = read_method(f, state->component->instance);
        }
}

// The items of a list that passes, to stay.
static void *finish_take_to(Arena *arena, const List *list, uint32_t *count)
{
    void **items = ARENA_ARRAY(arena, list->count, void *);
    copy_items(items, list->items, list->count * sizeof *items);
    *count = list->count;
    return items;
}

static void *finish_take(Flattener *f, const List *list, uint32_t *count)
{
    return finish_take_to(f->arena, list, count);
}

// A text that parameters make is known before the run, which is the only time when texts are made:
// the parameters shape the model.
static void finish_known_text(Flattener *f, FlatExpression **e)
{
    if (!*e || (*e)->rank || (*e)->type->kind != FLAT_TYPE_STRING || (*e)->kind == FLAT_STRING ||
        (*e)->variability > FLAT_PARAMETER)
        return;
    FlatExpression *value = evaluate(f, *e, NULL);
    if (value)
        *e = value;
}

static void finish_known_texts(Flattener *f)
{
    for (uint32_t i = 0; i < f->model->equation_count; i++) {
        FlatEquation *e = f->model->equations[i];
        if (e->kind == FLAT_EQUATION_CALL)
            continue;
        finish_known_text(f, &e->left);
        finish_known_text(f, &e->right);
    }
    // Of objects, such as tables: the names of files and of what is in them.
    for (uint32_t i = 0; i < f->model->variable_count; i++) {
        const FlatVariable *v = f->model->variables[i];
        FlatExpression *call = v->binding;
        if (call && call->kind == FLAT_CALL && call->type->kind == FLAT_TYPE_OBJECT)
            for (uint32_t k = 0; k < call->count; k++)
                finish_known_text(f, &call->operands[k]);
    }
}

void finish_model(Flattener *f)
{
    FlatModel *m = f->model;
    read_experiment(f);
    finish_read_methods(f);
    m->equations = finish_take_to(f->equations ? f->equations : f->arena, &f->made.equations,
                                  &m->equation_count);
    m->initial_equations = finish_take(f, &f->made.initial_equations, &m->initial_equation_count);
    m->conditionals = finish_take(f, &f->made.conditionals, &m->conditional_count);
    m->whens = finish_take(f, &f->made.whens, &m->when_count);
    m->algorithms = finish_take(f, &f->made.algorithms, &m->algorithm_count);
    m->initial_algorithms =
        finish_take(f, &f->made.initial_algorithms, &m->initial_algorithm_count);
    m->assertions = finish_take(f, &f->made.assertions, &m->assertion_count);
    m->sharings.items = finish_take(f, &f->made.sharings, &m->sharings.count);
    for (uint32_t i = 0; i < m->conditional_count; i++)
        m->conditionals[i]->index = i;
    List variables = {0};
    prepare_states(f);
    collect_variables(f, f->top, &variables);
    for (uint32_t i = 0; i < f->made.missing.count; i++)
        collect_variables(f, f->made.missing.items[i], &variables);
    for (uint32_t i = 0; i < f->made.helpers.count; i++) {
        FlatVariable *v = f->made.helpers.items[i];
        finish_variable(f, variable_instance(v), v, true, &variables);
    }
    m->variables = finish_take(f, &variables, &m->variable_count);
    external_check_objects(f);
    finish_states(f);
    streams_finish(f);
    finish_known_texts(f);
    scan_model(f);
    check_sharings(f);
    check_whens(f);
}
