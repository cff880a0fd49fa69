// SPDX-License-Identifier: MIT
//
// The flat model as Modelica text: see print.h.

#include "flatten/print.h"

#include "flatten/collections.h"
#include "flatten/walk.h"

#include <math.h>

// ---------------------------------------------------------------------------
// Types that need a definition
// ---------------------------------------------------------------------------

typedef struct TypeList {
    StringBuilder *out;
    Map known;
    List types;
} TypeList;

static void need_type(TypeList *list, const FlatType *type)
{
    const bool is_predefined =
        strcmp(type->name, "StateSelect") == 0 || strcmp(type->name, "AssertionLevel") == 0;
    if (type->kind < FLAT_TYPE_ENUMERATION || type->kind == FLAT_TYPE_NONE || is_predefined ||
        map_find(&list->known, type))
        return;
    map_set(list->out->arena, &list->known, type, list);
    for (uint32_t i = 0; type->kind == FLAT_TYPE_RECORD && i < type->count; i++)
        need_type(list, type->fields[i].type);
    // The same type may have been made twice, for different redeclarations.
    for (uint32_t i = 0; i < list->types.count; i++)
        if (strcmp(((const FlatType *)list->types.items[i])->name, type->name) == 0)
            return;
    list_append(list->out->arena, &list->types, (void *)type);
}

static void need_types(void *data, FlatExpression *e, const FlatComponent *component)
{
    need_type(data, e->type);
    if (e->kind == FLAT_VARIABLE)
        return;
    for (uint32_t i = 0; i < e->count; i++)
        need_types(data, e->operands[i], component);
}

static void print_enumeration_type(StringBuilder *out, const FlatType *type)
{
    builder_append_text(out, "type ");
    flat_print_name(out, type->name);
    builder_append_text(out, " = enumeration(");
    for (uint32_t i = 0; i < type->count; i++)
        builder_append_format(out, "%s%s", i ? ", " : "", type->literals[i]->text);
    builder_append_text(out, ");\n");
}

static void print_object(StringBuilder *out, const FlatType *type)
{
    builder_append_text(out, "class ");
    flat_print_name(out, type->name);
    builder_append_text(out, "\n  extends ExternalObject;\nend ");
    flat_print_name(out, type->name);
    builder_append_text(out, ";\n");
}

static void print_record(StringBuilder *out, const FlatType *type)
{
    builder_append_text(out, "record ");
    flat_print_name(out, type->name);
    builder_append_character(out, '\n');
    for (uint32_t i = 0; i < type->count; i++) {
        const FlatField *field = &type->fields[i];
        builder_append_text(out, "  ");
        flat_print_type(out, field->type);
        builder_append_format(out, " %s", field->name->text);
        for (uint32_t k = 0; k < field->rank; k++) {
            builder_append_text(out, k ? ", " : "[");
            if (field->dims[k] == FLAT_UNKNOWN_SIZE)
                builder_append_character(out, ':');
            else
                builder_append_format(out, "%u", (unsigned)field->dims[k]);
        }
        builder_append_text(out, field->rank ? "];\n" : ";\n");
    }
    builder_append_text(out, "end ");
    flat_print_name(out, type->name);
    builder_append_text(out, ";\n");
}

static void print_types(StringBuilder *out, const FlatModel *m)
{
    TypeList list = {.out = out};
    for (uint32_t i = 0; i < m->variable_count; i++)
        need_type(&list, FLAT_TYPE(m->variables[i]));
    flat_walk(m, need_types, &list);
    for (uint32_t i = 0; i < m->function_count; i++) {
        for (uint32_t k = 0; k < m->functions[i]->local_count; k++)
            need_type(&list, m->functions[i]->locals[k]->reference.type);
        flat_walk_function(m->functions[i], need_types, &list);
    }
    for (uint32_t i = 0; i < list.types.count; i++) {
        const FlatType *type = list.types.items[i];
        if (type->kind == FLAT_TYPE_ENUMERATION)
            print_enumeration_type(out, type);
        else if (type->kind == FLAT_TYPE_OBJECT)
            print_object(out, type);
        else
            print_record(out, type);
    }
}

// ---------------------------------------------------------------------------
// Variables
// ---------------------------------------------------------------------------

static void begin_attribute(StringBuilder *out, const char *name, const char **before)
{
    builder_append_format(out, "%s%s = ", *before, name);
    *before = ", ";
}

static void print_attributes(StringBuilder *out, const FlatAttributes *a)
{
    static const char *const selects[] = {"", "never", "avoid", "default", "prefer", "always"};
    const char *before = "(";
    const struct {
        const char *name;
        const char *text;
    } texts[] = {{"quantity", a->quantity}, {"unit", a->unit}, {"displayUnit", a->display_unit}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (!texts[i].text)
            continue;
        begin_attribute(out, texts[i].name, &before);
        builder_append_quoted(out, texts[i].text, strlen(texts[i].text));
    }
    const struct {
        const char *name;
        const FlatExpression *value;
    } values[] = {
        {"min", a->minimum}, {"max", a->maximum}, {"start", a->start}, {"nominal", a->nominal}};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        if (!values[i].value)
            continue;
        begin_attribute(out, values[i].name, &before);
        flat_print_expression(out, values[i].value);
    }
    if (a->has_fixed) {
        begin_attribute(out, "fixed", &before);
        builder_append_text(out, a->is_fixed ? "true" : "false");
    }
    if (a->state_select != FLAT_SELECT_DEFAULT) {
        begin_attribute(out, "stateSelect", &before);
        builder_append_format(out, "StateSelect.%s", selects[a->state_select]);
    }
    if (*before == ',')
        builder_append_character(out, ')');
}

static void print_variable(StringBuilder *out, const FlatVariable *v)
{
    builder_append_text(out, "  ");
    if (v->is_protected)
        builder_append_text(out, "protected ");
    if (v->is_final && v->kind <= FLAT_PARAMETER)
        builder_append_text(out, "final ");
    if (v->kind == FLAT_CONSTANT)
        builder_append_text(out, "constant ");
    else if (v->kind == FLAT_PARAMETER)
        builder_append_text(out, "parameter ");
    else if (v->kind == FLAT_DISCRETE && FLAT_TYPE(v)->kind == FLAT_TYPE_REAL)
        builder_append_text(out, "discrete ");
    if (v->direction != FLAT_LOCAL_VARIABLE)
        builder_append_text(out, v->direction == FLAT_INPUT ? "input " : "output ");
    flat_print_type(out, FLAT_TYPE(v));
    builder_append_character(out, ' ');
    flat_print_name(out, v->name);
    print_attributes(out, v->attributes);
    if (v->binding) {
        builder_append_text(out, " = ");
        flat_print_expression(out, v->binding);
    }
    const String description = v->component->declared->description;
    if (description.text && description.length) {
        builder_append_character(out, ' ');
        builder_append_quoted(out, description.text, description.length);
    }
    builder_append_text(out, ";\n");
}

// Protected variables would make all that follow protected, so each stands in its own section.
static void print_variables(StringBuilder *out, const FlatModel *m)
{
    bool is_protected = false;
    for (uint32_t i = 0; i < m->variable_count; i++) {
        FlatVariable v = *m->variables[i];
        if (v.is_protected != is_protected)
            builder_append_text(out, v.is_protected ? "protected\n" : "public\n");
        is_protected = v.is_protected;
        v.is_protected = false;
        print_variable(out, &v);
    }
}

// ---------------------------------------------------------------------------
// Guards
// ---------------------------------------------------------------------------

static void print_indent_by(StringBuilder *out, unsigned indent)
{
    builder_append_repeated(out, ' ', 2 * (size_t)indent);
}

static void print_branch(StringBuilder *out, const FlatIf *c, uint32_t branch)
{
    if (c->conditions[branch]) {
        builder_append_text(out, branch ? "elseif " : "if ");
        flat_print_expression(out, c->conditions[branch]);
        builder_append_text(out, " then\n");
    } else {
        builder_append_text(out, "else\n");
    }
}

// `depth`: of guards around it.
static void close_guard(StringBuilder *out, const FlatGuard *guard, unsigned depth)
{
    for (uint32_t k = guard->branch + 1; !guard->state && k < guard->conditional->count; k++) {
        print_indent_by(out, depth + 1);
        print_branch(out, guard->conditional, k);
    }
    print_indent_by(out, depth + 1);
    builder_append_text(out, "end if;\n");
}

static void open_guard(StringBuilder *out, const FlatGuard *guard, unsigned depth)
{
    if (guard->state) {
        print_indent_by(out, depth + 1);
        builder_append_text(out, "if activeState(");
        flat_print_name(out, guard->state->name);
        builder_append_text(out, ") then\n");
    }
    for (uint32_t k = 0; !guard->state && k <= guard->branch; k++) {
        print_indent_by(out, depth + 1);
        print_branch(out, guard->conditional, k);
    }
}

// The guard that has so many around it: itself, or one of those around it.
static const FlatGuard *guard_at(const FlatGuard *guard, unsigned depth)
{
    for (unsigned k = flat_guard_depth(guard); k > depth + 1; k--)
        guard = guard->outer;
    return guard;
}

// Goes from the innermost guard that is open to `guard`, which is then; NULL: none. Returns the
// indentation for what it guards.
static unsigned change_guard(StringBuilder *out, const FlatGuard **open, const FlatGuard *guard)
{
    const unsigned before = flat_guard_depth(*open), after = flat_guard_depth(guard);
    unsigned same = 0;
    while (same < before && same < after && guard_at(*open, same) == guard_at(guard, same))
        same++;
    // A later branch of the same if-equation goes on where the earlier one ends.
    const FlatGuard *next = same < after ? guard_at(guard, same) : NULL;
    const FlatGuard *last = same < before ? guard_at(*open, same) : NULL;
    const bool goes_on = next && last && !next->state && next->conditional == last->conditional &&
                         next->branch > last->branch;
    for (unsigned depth = before; depth > same + goes_on; depth--)
        close_guard(out, guard_at(*open, depth - 1), depth - 1);
    for (uint32_t k = goes_on ? last->branch + 1 : 1; goes_on && k <= next->branch; k++) {
        print_indent_by(out, same + 1);
        print_branch(out, next->conditional, k);
    }
    for (unsigned depth = same + goes_on; depth < after; depth++)
        open_guard(out, guard_at(guard, depth), depth);
    *open = guard;
    return after + 1;
}

// ---------------------------------------------------------------------------
// Equations
// ---------------------------------------------------------------------------

static void flatten_print_print_equation(StringBuilder *out, const FlatGuard **open,
                                         const FlatEquation *e)
{
    print_indent_by(out, change_guard(out, open, e->guard) + (e->tick != NULL));
    if (e->kind == FLAT_EQUATION_CALL) {
        for (uint32_t i = 0; i < e->target_count; i++) {
            builder_append_text(out, i ? ", " : "(");
            if (e->targets[i])
                flat_print_expression(out, e->targets[i]);
        }
        if (e->target_count)
            builder_append_text(out, ") = ");
        flat_print_expression(out, e->right);
    } else {
        // "if" and "or" at the beginning would be read as something else.
        const bool is_bare = e->left->kind != FLAT_IF;
        if (!is_bare)
            builder_append_character(out, '(');
        flat_print_expression(out, e->left);
        if (!is_bare)
            builder_append_character(out, ')');
        builder_append_text(out, " = ");
        flat_print_expression(out, e->right);
    }
    builder_append_text(out, ";\n");
}

static void print_assertion(StringBuilder *out, const FlatGuard **open, const FlatAssertion *a)
{
    print_indent_by(out, change_guard(out, open, a->guard));
    builder_append_text(out, "assert(");
    flat_print_expression(out, a->condition);
    builder_append_text(out, ", ");
    flat_print_expression(out, a->message);
    builder_append_text(out,
                        a->level == FLAT_LEVEL_WARNING ? ", AssertionLevel.warning);\n" : ");\n");
}

static void print_when(StringBuilder *out, const FlatGuard **open, const FlatWhen *w)
{
    const unsigned indent = change_guard(out, open, w->guard);
    for (uint32_t i = 0; i < w->count; i++) {
        const FlatWhenBranch *branch = &w->branches[i];
        print_indent_by(out, indent);
        builder_append_text(out, i ? "elsewhen " : "when ");
        if (branch->condition_count != 1)
            builder_append_character(out, '{');
        for (uint32_t k = 0; k < branch->condition_count; k++) {
            if (k)
                builder_append_text(out, ", ");
            flat_print_expression(out, branch->conditions[k]);
        }
        builder_append_text(out, branch->condition_count != 1 ? "} then\n" : " then\n");
        flat_print_statements(out, branch->count, branch->statements, indent + 1, true);
    }
    print_indent_by(out, indent);
    builder_append_text(out, "end when;\n");
}

static void print_initial(StringBuilder *out, const FlatModel *m)
{
    bool has_any = m->initial_equation_count > 0;
    for (uint32_t i = 0; i < m->assertion_count; i++)
        has_any = has_any || m->assertions[i]->is_initial;
    if (!has_any)
        return;
    const FlatGuard *open = NULL;
    builder_append_text(out, "initial equation\n");
    for (uint32_t i = 0; i < m->initial_equation_count; i++)
        flatten_print_print_equation(out, &open, m->initial_equations[i]);
    for (uint32_t i = 0; i < m->assertion_count; i++)
        if (m->assertions[i]->is_initial)
            print_assertion(out, &open, m->assertions[i]);
    change_guard(out, &open, NULL);
}

static void print_machine(StringBuilder *out, const FlatMachine *m)
{
    const FlatGuard *open = NULL;
    unsigned indent = change_guard(out, &open, m->guard);
    print_indent_by(out, indent);
    builder_append_text(out, "initialState(");
    flat_print_name(out, m->states[0]->name);
    builder_append_text(out, ");\n");
    for (uint32_t i = 0; i < m->transition_count; i++) {
        const FlatTransition *t = &m->transitions[i];
        print_indent_by(out, indent);
        builder_append_text(out, "transition(");
        flat_print_name(out, t->from->name);
        builder_append_text(out, ", ");
        flat_print_name(out, t->to->name);
        builder_append_text(out, ", ");
        flat_print_expression(out, t->condition);
        builder_append_format(out,
                              ", immediate = %s, reset = %s, synchronize = %s, priority = %lld);\n",
                              t->is_immediate ? "true" : "false", t->is_reset ? "true" : "false",
                              t->is_synchronized ? "true" : "false", (long long)t->priority);
    }
    change_guard(out, &open, NULL);
}

// The equations of one clock, from the first one on.
static void print_clocked(StringBuilder *out, const FlatGuard **open, const FlatModel *m,
                          uint32_t first, Map *seen)
{
    const FlatVariable *tick = m->equations[first]->tick;
    if (map_find(seen, tick))
        return;
    map_set(out->arena, seen, tick, seen);
    print_indent_by(out, change_guard(out, open, NULL));
    builder_append_text(out, "when ");
    flat_print_expression(out, &tick->reference);
    builder_append_text(out, " then\n");
    for (uint32_t i = first; i < m->equation_count; i++)
        if (m->equations[i]->tick == tick)
            flatten_print_print_equation(out, open, m->equations[i]);
    print_indent_by(out, change_guard(out, open, NULL));
    builder_append_text(out, "end when;\n");
}

static void flatten_print_print_equations(StringBuilder *out, const FlatModel *m)
{
    const FlatGuard *open = NULL;
    Map seen = {0}; // clocks
    builder_append_text(out, "equation\n");
    for (uint32_t i = 0; i < m->machine_count; i++)
        print_machine(out, m->machines[i]);
    for (uint32_t i = 0; i < m->equation_count; i++)
        if (!m->equations[i]->tick)
            flatten_print_print_equation(out, &open, m->equations[i]);
    for (uint32_t i = 0; i < m->equation_count; i++)
        if (m->equations[i]->tick)
            print_clocked(out, &open, m, i, &seen);
    for (uint32_t i = 0; i < m->when_count; i++)
        print_when(out, &open, m->whens[i]);
    for (uint32_t i = 0; i < m->assertion_count; i++)
        if (!m->assertions[i]->is_initial)
            print_assertion(out, &open, m->assertions[i]);
    change_guard(out, &open, NULL);
}

static void print_algorithm(StringBuilder *out, const FlatAlgorithm *a)
{
    const FlatGuard *open = NULL;
    builder_append_text(out, a->is_initial ? "initial algorithm\n" : "algorithm\n");
    flat_print_statements(out, a->count, a->statements, change_guard(out, &open, a->guard), false);
    change_guard(out, &open, NULL);
}

// ---------------------------------------------------------------------------
// The model
// ---------------------------------------------------------------------------

static void print_states(StringBuilder *out, const FlatModel *m)
{
    if (m->machine_count)
        builder_append_text(out, "  block '(state)'\n  end '(state)';\n");
    for (uint32_t i = 0; i < m->machine_count; i++) {
        for (uint32_t k = 0; k < m->machines[i]->state_count; k++) {
            builder_append_text(out, "  '(state)' ");
            flat_print_name(out, m->machines[i]->states[k]->name);
            builder_append_text(out, ";\n");
        }
    }
}

static void print_experiment(StringBuilder *out, const FlatExperiment *x)
{
    const struct {
        const char *name;
        double value;
    } values[] = {{"StartTime", x->start_time},
                  {"StopTime", x->stop_time},
                  {"Tolerance", x->tolerance},
                  {"Interval", x->interval}};
    const char *before = "  annotation(experiment(";
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        if (isnan(values[i].value))
            continue;
        FlatExpression e = {.kind = FLAT_REAL, .type = &flat_type_real};
        e.real = values[i].value;
        builder_append_format(out, "%s%s = ", before, values[i].name);
        flat_print_expression(out, &e);
        before = ", ";
    }
    if (*before == ',')
        builder_append_text(out, "));\n");
}

void flat_print(StringBuilder *out, const FlatModel *m)
{
    print_types(out, m);
    for (uint32_t i = 0; i < m->function_count; i++)
        flat_print_function(out, m->functions[i], 0);
    builder_append_text(out, "model ");
    flat_print_name(out, m->name);
    if (m->description.text && m->description.length) {
        builder_append_character(out, ' ');
        builder_append_quoted(out, m->description.text, m->description.length);
    }
    builder_append_character(out, '\n');
    print_states(out, m);
    print_variables(out, m);
    print_initial(out, m);
    for (uint32_t i = 0; i < m->initial_algorithm_count; i++)
        print_algorithm(out, m->initial_algorithms[i]);
    if (m->equation_count || m->when_count || m->machine_count || m->assertion_count)
        flatten_print_print_equations(out, m);
    for (uint32_t i = 0; i < m->algorithm_count; i++)
        print_algorithm(out, m->algorithms[i]);
    print_experiment(out, &m->experiment);
    builder_append_text(out, "end ");
    flat_print_name(out, m->name);
    builder_append_text(out, ";\n");
}
