// SPDX-License-Identifier: MIT
//
// Rules of components and of the finished model: see rules.h.

#include "flatten/builtin.h"
#include "flatten/elaborate.h"
#include "flatten/rules.h"

// ---------------------------------------------------------------------------
// Prefixes of components
// ---------------------------------------------------------------------------

static const char *prefix_text(const ComponentClause *clause, Direction direction)
{
    static const char *const variabilities[] = {"", "discrete", "parameter", "constant"};
    if (clause->variability != VARIABILITY_NONE)
        return variabilities[clause->variability];
    if (clause->role != ROLE_NONE)
        return clause->role == ROLE_FLOW ? "flow" : "stream";
    return direction == DIRECTION_INPUT ? "input" : direction == DIRECTION_OUTPUT ? "output" : "";
}

// A block is known from outside by its inputs and outputs (section 4.6).
static void check_block_connector(Flattener *f, const Instance *i, Span span)
{
    Class *c = i->class_;
    for (uint32_t k = 0; k < c->component_count; k++) {
        Member *member = c->components[k];
        const ComponentClause *clause = member->element->component->clause;
        Class *type = member_class(f, member);
        if (clause->variability >= VARIABILITY_PARAMETER || clause->direction != DIRECTION_NONE ||
            (type && class_direction(f, type) != DIRECTION_NONE))
            continue;
        report_error(f, span,
                     "'%s' of connector '%s' is neither input nor output: a block cannot have such "
                     "a connector, a model can",
                     member->name->text, class_name(f, c));
        return;
    }
}

// Sections 4.4.2.2 and 9.3.
void rules_check_component(Flattener *f, Instance *i, const Component *component)
{
    const ComponentClause *clause = component->clause;
    const Instance *parent = instance_parent(i);
    const Direction by_type = class_direction(f, i->class_);
    const Direction direction = clause->direction != DIRECTION_NONE ? clause->direction : by_type;
    const char *prefix = prefix_text(clause, direction);
    const char *type = class_name(f, i->class_);
    const bool is_simple = class_is_simple(f, i->class_);
    const bool is_connector = !is_simple && class_is_connector(f, i->class_);
    const Span span = component->name_span;
    if (prefix[0] && class_is_model(f, i->class_)) {
        report_error(f, span, "'%s' cannot be '%s': '%s' is a %s; types and records can",
                     component->name->text, prefix, type,
                     class_kind_text(class_kind(f, i->class_)));
    } else if (is_connector && clause->variability >= VARIABILITY_PARAMETER) {
        report_error(f, span, "'%s' cannot be '%s': '%s' is a connector", component->name->text,
                     prefix, type);
    } else if (is_simple && clause->role == ROLE_FLOW && i->class_->simple != PREDEFINED_REAL) {
        report_error(f, span, "'%s' cannot be '%s': only Real variables can, and '%s' is none",
                     component->name->text, prefix, type);
    } else if ((parent->direction != DIRECTION_NONE && direction != DIRECTION_NONE) ||
               (parent->role != ROLE_NONE && clause->role != ROLE_NONE)) {
        report_error(f, span,
                     "'%s' is '%s', and '%s', which it belongs to, has a prefix of that sort "
                     "already",
                     component->name->text, prefix, instance_name(f, parent));
    } else if (is_connector && !i->member->is_protected && parent->class_ &&
               direction == DIRECTION_NONE && class_kind(f, parent->class_) == CLASS_BLOCK &&
               class_kind(f, i->class_) == CLASS_CONNECTOR) {
        check_block_connector(f, i, span);
    }
}

// Records and connectors are values, not processes: what is in them does not know the time
// (section 4.4.2).
bool rules_check_time(Flattener *f, Class *c, Span span)
{
    if (class_is_simple(f, c) || (!class_is_record(f, c) && !class_is_connector(f, c)))
        return true;
    report_error(f, span,
                 "'time' cannot be used in a %s; where a component of it is declared it "
                 "can",
                 class_kind_text(class_kind(f, c)));
    return false;
}

// Section 10.5: a dimension that a type counts has no numbers, and another one has nothing else.
bool rules_check_subscript(Flattener *f, Class *index, const FlatExpression *subscript)
{
    if (subscript->kind == FLAT_COLON || expression_is_none(subscript) ||
        flat_type_equal(subscript->type, index ? class_type(f, index) : &flat_type_integer))
        return true;
    if (index)
        report_error(f, subscript->span, "the subscript must be a value of '%s', but this is %s",
                     class_name(f, index), expression_type_text(f, subscript));
    else
        report_error(f, subscript->span,
                     "a subscript must be an Integer or a vector of Integers, but this is %s",
                     expression_type_text(f, subscript));
    return false;
}

// ---------------------------------------------------------------------------
// Functions of components: section 5.3.2
// ---------------------------------------------------------------------------

bool rules_check_function_owner(Flattener *f, const Instance *i, const Reference *r)
{
    if (i->is_broken)
        return false;
    if (i->flat->rank || i->is_element) {
        report_error(f, r->span, "'%s' is an array: a function cannot be called by its name",
                     instance_name(f, i->is_element ? instance_parent(i) : i));
        return false;
    }
    if (i->is_conditional) { // section 4.4.5
        report_error(f, r->span,
                     "'%s' is conditional: such a component can be used in connections only",
                     instance_name(f, i));
        return false;
    }
    return true;
}

// ---------------------------------------------------------------------------
// Connections
// ---------------------------------------------------------------------------

// The arguments of connect are connectors of connectors, or those of a component: never those of a
// component of a component (section 9.1).
bool rules_check_connector(Flattener *f, const Instance *i, const Instance *level,
                           const Reference *r)
{
    for (const Instance *p = instance_parent(i); p && p != level; p = instance_parent(p)) {
        const Instance *around = instance_parent(p);
        if (p->is_element || (p->class_ && class_is_connector(f, p->class_)) || around == level ||
            !around)
            continue;
        for (; around && around != level; around = instance_parent(around))
            ;
        if (!around)
            return true; // by way of an outer component
        report_error(f, r->span,
                     "'%s' is a connector of a component of a component: connect it inside '%s'",
                     reference_text(f, r), class_name(f, instance_parent(p)->class_));
        return false;
    }
    return true;
}

static bool is_in_expandable(Flattener *f, const Instance *i)
{
    for (; i; i = instance_parent(i))
        if (i->class_ && class_kind(f, i->class_) == CLASS_EXPANDABLE_CONNECTOR)
            return true;
    return false;
}

// Section 9.3.
bool rules_check_connected(Flattener *f, Span span, const Instance *a, const Instance *b)
{
    const bool is_causal = a->direction != DIRECTION_NONE;
    if (a->role == ROLE_NONE && is_causal != (b->direction != DIRECTION_NONE) &&
        a->variability > FLAT_PARAMETER && b->variability > FLAT_PARAMETER &&
        !is_in_expandable(f, a) && !is_in_expandable(f, b)) {
        report_error(
            f, span,
            "'%s' and '%s' cannot be connected: '%s' is an %s, the other neither input nor "
            "output",
            instance_name(f, a), instance_name(f, b), instance_name(f, is_causal ? a : b),
            (is_causal ? a : b)->direction == DIRECTION_INPUT ? "input" : "output");
        return false;
    }
    if ((a->variability <= FLAT_PARAMETER || b->variability <= FLAT_PARAMETER) &&
        a->variability != b->variability) {
        static const char *const names[] = {"a constant", "a parameter", "discrete", "continuous"};
        report_error(f, span, "'%s' and '%s' cannot be connected: one is %s, the other %s",
                     instance_name(f, a), instance_name(f, b), names[a->variability],
                     names[b->variability]);
        return false;
    }
    return true;
}

// How many equations a potential of an overdetermined type makes: the size of what its
// equalityConstraint returns (section 9.4.1). 0: it is of no such type; *is_unknown: it is not a
// number.
static uint64_t residue_size(Flattener *f, const Instance *i, bool *is_unknown)
{
    const Member *member = class_member(f, i->class_, f->known.equalityConstraint);
    Class *c =
        member && !member->is_component ? member_class(f, (Member *)(uintptr_t)member) : NULL;
    uint64_t size = 0;
    if (c)
        class_expand(f, c);
    for (uint32_t k = 0; c && k < c->component_count; k++) {
        const Component *output = c->components[k]->element->component;
        if (output->clause->direction == DIRECTION_OUTPUT && output->subscript_count == 1 &&
            output->subscripts[0]->kind == EXPRESSION_INTEGER)
            size = (uint64_t)output->subscripts[0]->integer;
    }
    *is_unknown |= member && size == 0;
    return size;
}

static void count_connector(Flattener *f, const Instance *i, uint64_t *flows, uint64_t *potentials,
                            bool *is_unknown)
{
    if (i->kind == INSTANCE_OUTER || i->is_broken || i->is_absent || i->stage != INSTANCE_OPEN) {
        *is_unknown |= i->kind == INSTANCE_OUTER || i->is_broken;
        return;
    }
    const uint64_t residue = residue_size(f, i, is_unknown);
    if (residue && i->role != ROLE_FLOW) {
        *potentials += residue;
        return;
    }
    for (uint32_t k = 0; i->kind != INSTANCE_SIMPLE && k < i->count; k++)
        count_connector(f, &i->children[k], flows, potentials, is_unknown);
    if (i->kind != INSTANCE_SIMPLE || i->variability <= FLAT_PARAMETER || i->role == ROLE_STREAM ||
        (i->direction != DIRECTION_NONE && i->role == ROLE_NONE))
        return;
    if (i->role == ROLE_FLOW)
        *flows += i->count;
    else
        *potentials += i->count;
}

// As many flows as potentials, or a model cannot be balanced with and without a connection (section
// 9.3.1).
static void rules_instance_check_connectors(Flattener *f, const Instance *i)
{
    if (i->is_broken || i->is_absent || i->stage != INSTANCE_OPEN || i->kind == INSTANCE_OUTER ||
        i->kind == INSTANCE_SIMPLE)
        return;
    if (i->kind != INSTANCE_COMPLEX || class_kind(f, i->class_) != CLASS_CONNECTOR) {
        for (uint32_t k = 0; k < i->count; k++)
            rules_instance_check_connectors(f, &i->children[k]);
        return;
    }
    uint64_t flows = 0, potentials = 0;
    bool is_unknown = false;
    count_connector(f, i, &flows, &potentials, &is_unknown);
    if (is_unknown || flows == potentials)
        return;
    Diagnostic *d =
        report_error(f, i->flat->declared->span,
                     "connector '%s' has %llu flow and %llu potential variable%s; it needs as many "
                     "of one as of the other",
                     instance_name(f, i), (unsigned long long)flows, (unsigned long long)potentials,
                     potentials == 1 ? "" : "s");
    report_note(f, d, i->class_->definition->name_span, "'%s' is declared here",
                class_name(f, i->class_));
}

// ---------------------------------------------------------------------------
// What changes at events
// ---------------------------------------------------------------------------

// What a model in `level` declares is for that one to determine (section 4.4.4).
bool rules_check_defined(Flattener *f, const Instance *level, const FlatVariable *v, Span span)
{
    const Instance *owner = NULL;
    const Instance *i = instance_parent(variable_instance(v));
    for (; i && i != level; i = instance_parent(i))
        if (!owner && i->class_ && class_is_model(f, i->class_) && !i->is_element)
            owner = i;
    if (!i || !owner)
        return true;
    StringBuilder name = builder_create(f->arena);
    flat_variable_name(&name, v);
    report_error(
        f, span,
        "'%s' belongs to '%s': a 'when' here cannot assign it; assign a variable, and give "
        "that to '%s' by an equation",
        builder_string(&name).text, instance_name(f, owner), builder_string(&name).text);
    return false;
}

// The Real variable declared discrete that an equation gives a value that never changes; NULL:
// none.
static const FlatVariable *fixed_discrete(const FlatEquation *e)
{
    const FlatExpression *const sides[] = {e->left, e->right};
    for (int i = 0; i < 2 && e->left && e->right; i++)
        if (sides[i]->kind == FLAT_VARIABLE && sides[i]->type->kind == FLAT_TYPE_REAL &&
            variable_instance(sides[i]->variable)->variability == FLAT_DISCRETE &&
            sides[1 - i]->variability <= FLAT_PARAMETER)
            return sides[i]->variable;
    return NULL;
}

// A Real that is declared discrete gets its values in when clauses (section 4.4.4). An equation
// with what changes at events will do, too; one with what never changes will not.
static void rules_instance_check_discrete(Flattener *f)
{
    for (uint32_t i = 0; i < f->model->equation_count; i++) {
        const FlatEquation *e = f->model->equations[i];
        const FlatVariable *v = fixed_discrete(e);
        if (v && e->kind != FLAT_EQUATION_CONNECTION)
            report_error(f, e->origin.span,
                         "'%s' is declared discrete, but never changes: no 'when' assigns it; make "
                         "it a parameter",
                         v->name);
    }
}

// Whether something in it changes continuously and is not made discrete by what is around it.
static bool is_smooth(const FlatExpression *e)
{
    if (e->kind == FLAT_VARIABLE)
        return e->variable->kind == FLAT_CONTINUOUS;
    if (e->variability < FLAT_CONTINUOUS)
        return false;
    for (uint32_t i = 0; i < e->count; i++)
        if (is_smooth(e->operands[i]))
            return true;
    return !e->count && e->kind == FLAT_OPERATION && e->operation == OPERATION_TIME;
}

// The call whose result cannot be told when it changes: that of a function of something continuous
// (section 3.8.3). NULL: none.
static const FlatExpression *smooth_call(const FlatExpression *e)
{
    // (A record of Media has an Integer for the number of phases: members may.)
    if (e->kind == FLAT_CALL && e->type->kind != FLAT_TYPE_RECORD && is_smooth(e))
        return e;
    for (uint32_t i = 0; i < e->count && e->variability == FLAT_CONTINUOUS; i++) {
        const FlatExpression *found = smooth_call(e->operands[i]);
        if (found)
            return found;
    }
    return NULL;
}

// Whether it is computed from something continuous, whatever makes it discrete.
static bool depends_smoothly(const FlatExpression *e)
{
    if (e->kind == FLAT_VARIABLE)
        return e->variable->kind == FLAT_CONTINUOUS;
    if (e->kind == FLAT_OPERATION &&
        (e->operation == OPERATION_PRE || operation_is_clocked((Operation)e->operation)))
        return false;
    for (uint32_t i = 0; i < e->count; i++)
        if (depends_smoothly(e->operands[i]))
            return true;
    return e->kind == FLAT_OPERATION && e->operation == OPERATION_TIME;
}

// noEvent(x > 1), which changes without an event where a value that changes at events is wanted
// (section 3.8.3). NULL: none.
static const FlatExpression *eventless(const FlatExpression *e)
{
    if (e->kind == FLAT_OPERATION && e->operation == OPERATION_NO_EVENT)
        return e->type->kind != FLAT_TYPE_REAL && depends_smoothly(e) ? e : NULL;
    const FlatExpression *found = NULL;
    for (uint32_t i = 0; i < e->count && !found && e->kind != FLAT_CALL; i++)
        found = eventless(e->operands[i]);
    return found;
}

static void reject_eventless(Flattener *f, const FlatExpression *found, const char *what)
{
    if (found)
        report_error(f, found->span,
                     "%s changes at events only, and this has none: leave 'noEvent' out", what);
}

// Statements of an algorithm; `under`: the eventless condition around them, NULL: none.
static void check_statements(Flattener *f, uint32_t count, FlatStatement *const *statements,
                             const FlatExpression *under)
{
    for (uint32_t i = 0; i < count; i++) {
        const FlatStatement *s = statements[i];
        const FlatExpression *found = under;
        if (s->kind == FLAT_ASSIGN && s->target->type->kind != FLAT_TYPE_REAL) {
            reject_eventless(f, under ? under : eventless(s->value), "the value");
        } else if (s->kind == FLAT_FOR || s->kind == FLAT_WHILE) {
            found = found ? found : eventless(s->loop.range);
            check_statements(f, s->loop.count, s->loop.body, found);
        } else if (s->kind == FLAT_CHOICE || s->kind == FLAT_WHEN) {
            for (uint32_t k = 0; k < s->branches.count; k++) {
                const FlatBranch *branch = &s->branches.items[k];
                const bool is_first = !found && branch->condition;
                found = is_first ? eventless(branch->condition) : found;
                if (s->kind == FLAT_CHOICE)
                    check_statements(f, branch->count, branch->statements, found);
                else if (is_first)
                    reject_eventless(f, found, "the condition of 'when'");
            }
        }
    }
}

static void check_when_conditions(Flattener *f)
{
    for (uint32_t i = 0; i < f->model->when_count; i++) {
        const FlatWhen *w = f->model->whens[i];
        for (uint32_t k = 0; k < w->count; k++)
            for (uint32_t c = 0; c < w->branches[k].condition_count; c++)
                reject_eventless(f, eventless(w->branches[k].conditions[c]),
                                 "the condition of 'when'");
    }
}

static void check_discrete_values(Flattener *f)
{
    for (uint32_t i = 0; i < f->model->equation_count; i++) {
        const FlatEquation *e = f->model->equations[i];
        if (!e->left || !e->right || e->left->type->kind == FLAT_TYPE_REAL)
            continue;
        reject_eventless(f, eventless(e->left), "the value");
        reject_eventless(f, eventless(e->right), "the value");
        const FlatExpression *call = smooth_call(e->left);
        call = call ? call : smooth_call(e->right);
        if (call)
            report_error(f, call->span,
                         "the value is %s, and that of '%s', whose arguments change continuously, "
                         "changes without an event; call it in a 'when', or with what changes at "
                         "events",
                         e->left->type->name, call->function->name);
    }
}

void rules_check_model(Flattener *f)
{
    if (f->diagnostics->error_count)
        return;
    rules_instance_check_connectors(f, f->top);
    rules_instance_check_discrete(f);
    check_discrete_values(f);
    check_when_conditions(f);
    for (uint32_t i = 0; i < f->model->algorithm_count; i++)
        check_statements(f, f->model->algorithms[i]->count, f->model->algorithms[i]->statements,
                         NULL);
}
