// SPDX-License-Identifier: MIT
//
// The flat model as JSON, one object:
//
//   schema "saltus-flat", version 1
//   name, description, experiment {startTime, stopTime, tolerance, interval}
//   variables  [{name, kind, type, direction, unit, start, fixed, binding, dims, element, state,
//   at}] equations, initialEquations  [{kind, guard, tick, text, component, at}] conditionals
//   [{conditions, guard, at}] whens      [{branches: [{conditions, statements}], guard, at}]
//   algorithms [{text, initial, guard, at}]
//   assertions [{condition, message, level, guard, at}]
//   machines   [{component, states, transitions: [{from, to, condition, immediate, ...}]}]
//   functions  [{name, text}]
//   relations  [{text, component, at}]
//
// Expressions are Modelica text, as flat_print writes it. A guard is a list of {state} and
// {conditional, branch}, outermost first. `at` is {file, line, column}. What is not there is left
// out.

#include "flatten/print.h"

#include <math.h>

typedef struct JsonWriter {
    StringBuilder *out;
    const Sources *sources;
    bool needs_comma;
} JsonWriter;

// ---------------------------------------------------------------------------
// JSON
// ---------------------------------------------------------------------------

static void separate(JsonWriter *w)
{
    if (w->needs_comma)
        builder_append_character(w->out, ',');
    w->needs_comma = true;
}

static void json_begin(JsonWriter *w, char bracket)
{
    separate(w);
    builder_append_character(w->out, bracket);
    w->needs_comma = false;
}

static void end(JsonWriter *w, char bracket)
{
    builder_append_character(w->out, bracket);
    w->needs_comma = true;
}

// The key of the next value.
static void key(JsonWriter *w, const char *name)
{
    separate(w);
    builder_append_format(w->out, "\"%s\":", name);
    w->needs_comma = false;
}

static void flatten_json_text(JsonWriter *w, const char *value)
{
    separate(w);
    builder_append_json(w->out, value, strlen(value));
}

static void number(JsonWriter *w, long long value)
{
    separate(w);
    builder_append_format(w->out, "%lld", value);
}

static void json_flag(JsonWriter *w, const char *name, bool value)
{
    key(w, name);
    separate(w);
    builder_append_text(w->out, value ? "true" : "false");
}

static void json_expression(JsonWriter *w, const FlatExpression *e)
{
    StringBuilder out = builder_create(w->out->arena);
    flat_print_expression(&out, e);
    const String s = builder_string(&out);
    separate(w);
    builder_append_json(w->out, s.text, s.length);
}

static void optional(JsonWriter *w, const char *name, const FlatExpression *e)
{
    if (!e)
        return;
    key(w, name);
    json_expression(w, e);
}

static void optional_text(JsonWriter *w, const char *name, const char *value)
{
    if (!value)
        return;
    key(w, name);
    flatten_json_text(w, value);
}

static void component(JsonWriter *w, const FlatComponent *c)
{
    StringBuilder out = builder_create(w->out->arena);
    flat_component_name(&out, c);
    if (builder_string(&out).length)
        optional_text(w, "component", builder_string(&out).text);
}

static void json_place(JsonWriter *w, Span span)
{
    const SourcePlace at = sources_locate(w->sources, span.begin);
    if (!at.file)
        return;
    key(w, "at");
    json_begin(w, '{');
    optional_text(w, "file", at.file->name);
    key(w, "line");
    number(w, at.line);
    key(w, "column");
    number(w, at.column);
    end(w, '}');
}

static void guard_list(JsonWriter *w, const FlatGuard *g)
{
    if (!g)
        return;
    guard_list(w, g->outer);
    json_begin(w, '{');
    if (g->state) {
        optional_text(w, "state", g->state->name);
    } else {
        key(w, "conditional");
        number(w, g->conditional->index);
        key(w, "branch");
        number(w, g->branch);
    }
    end(w, '}');
}

static void json_guard(JsonWriter *w, const FlatGuard *g)
{
    if (!g)
        return;
    key(w, "guard");
    json_begin(w, '[');
    guard_list(w, g);
    end(w, ']');
}

static void statements(JsonWriter *w, const char *name, uint32_t count, FlatStatement *const *list,
                       bool is_equation)
{
    StringBuilder out = builder_create(w->out->arena);
    flat_print_statements(&out, count, list, 0, is_equation);
    optional_text(w, name, builder_string(&out).text);
}

// ---------------------------------------------------------------------------
// Variables
// ---------------------------------------------------------------------------

static void variable(JsonWriter *w, const FlatVariable *v)
{
    static const char *const kinds[] = {"constant", "parameter", "discrete", "continuous"};
    static const char *const directions[] = {NULL, "input", "output"};
    static const char *const selects[] = {NULL, "never", "avoid", NULL, "prefer", "always"};
    const FlatAttributes *a = v->attributes;
    json_begin(w, '{');
    optional_text(w, "name", v->name);
    optional_text(w, "kind", kinds[v->kind]);
    optional_text(w, "type", FLAT_TYPE(v)->name);
    optional_text(w, "direction", directions[v->direction]);
    optional_text(w, "quantity", a->quantity);
    optional_text(w, "unit", a->unit);
    optional_text(w, "displayUnit", a->display_unit);
    optional(w, "min", a->minimum);
    optional(w, "max", a->maximum);
    optional(w, "start", a->start);
    optional(w, "nominal", a->nominal);
    optional_text(w, "stateSelect", selects[a->state_select]);
    if (a->has_fixed)
        json_flag(w, "fixed", a->is_fixed);
    optional(w, "binding", v->binding);
    if (v->is_flow)
        json_flag(w, "flow", true);
    if (v->is_protected)
        json_flag(w, "protected", true);
    if (v->is_final)
        json_flag(w, "final", true);
    if (v->is_structural)
        json_flag(w, "structural", true);
    if (v->is_differentiated)
        json_flag(w, "differentiated", true);
    if (v->is_shared)
        json_flag(w, "shared", true);
    if (v->component->rank) {
        key(w, "dims");
        json_begin(w, '[');
        for (uint32_t k = 0; k < v->component->rank; k++)
            number(w, v->component->dims[k]);
        end(w, ']');
        key(w, "element");
        number(w, v->element);
    }
    json_guard(w, v->guard);
    if (v->component->declared->description.text) {
        key(w, "description");
        separate(w);
        builder_append_json(w->out, v->component->declared->description.text,
                            v->component->declared->description.length);
    }
    json_place(w, v->reference.span);
    end(w, '}');
}

// ---------------------------------------------------------------------------
// Equations
// ---------------------------------------------------------------------------

static void equation_text(JsonWriter *w, const FlatEquation *e)
{
    StringBuilder out = builder_create(w->out->arena);
    if (e->kind == FLAT_EQUATION_CALL) {
        for (uint32_t i = 0; i < e->target_count; i++) {
            builder_append_text(&out, i ? ", " : "(");
            if (e->targets[i])
                flat_print_expression(&out, e->targets[i]);
        }
        if (e->target_count)
            builder_append_text(&out, ") = ");
    } else {
        flat_print_expression(&out, e->left);
        builder_append_text(&out, " = ");
    }
    flat_print_expression(&out, e->right);
    optional_text(w, "text", builder_string(&out).text);
}

static void loops(JsonWriter *w, const FlatLoop *loop)
{
    if (!loop)
        return;
    loops(w, loop->outer);
    json_begin(w, '{');
    optional_text(w, "iterator", loop->iterator->text);
    key(w, "value");
    number(w, loop->value);
    end(w, '}');
}

static void equations(JsonWriter *w, const char *name, uint32_t count, FlatEquation *const *list)
{
    static const char *const kinds[] = {"equality", "binding", "connection", "call"};
    key(w, name);
    json_begin(w, '[');
    for (uint32_t i = 0; i < count; i++) {
        const FlatEquation *e = list[i];
        json_begin(w, '{');
        optional_text(w, "kind", kinds[e->kind]);
        equation_text(w, e);
        json_guard(w, e->guard);
        if (e->tick)
            optional_text(w, "tick", e->tick->name);
        component(w, e->origin.component);
        if (e->origin.loop) {
            key(w, "loops");
            json_begin(w, '[');
            loops(w, e->origin.loop);
            end(w, ']');
        }
        if (e->origin.element) {
            key(w, "element");
            number(w, e->origin.element);
        }
        json_place(w, e->origin.span);
        end(w, '}');
    }
    end(w, ']');
}

static void conditionals(JsonWriter *w, const FlatModel *m)
{
    key(w, "conditionals");
    json_begin(w, '[');
    for (uint32_t i = 0; i < m->conditional_count; i++) {
        const FlatIf *c = m->conditionals[i];
        json_begin(w, '{');
        key(w, "conditions");
        json_begin(w, '[');
        for (uint32_t k = 0; k < c->count; k++) {
            if (c->conditions[k])
                json_expression(w, c->conditions[k]);
            else
                flatten_json_text(w, "else");
        }
        end(w, ']');
        json_guard(w, c->guard);
        component(w, c->component);
        json_place(w, c->span);
        end(w, '}');
    }
    end(w, ']');
}

static void whens(JsonWriter *w, const FlatModel *m)
{
    key(w, "whens");
    json_begin(w, '[');
    for (uint32_t i = 0; i < m->when_count; i++) {
        const FlatWhen *when = m->whens[i];
        json_begin(w, '{');
        key(w, "branches");
        json_begin(w, '[');
        for (uint32_t k = 0; k < when->count; k++) {
            const FlatWhenBranch *branch = &when->branches[k];
            json_begin(w, '{');
            key(w, "conditions");
            json_begin(w, '[');
            for (uint32_t n = 0; n < branch->condition_count; n++)
                json_expression(w, branch->conditions[n]);
            end(w, ']');
            statements(w, "statements", branch->count, branch->statements, true);
            end(w, '}');
        }
        end(w, ']');
        json_guard(w, when->guard);
        component(w, when->origin.component);
        json_place(w, when->origin.span);
        end(w, '}');
    }
    end(w, ']');
}

static void algorithms(JsonWriter *w, uint32_t count, FlatAlgorithm *const *list)
{
    for (uint32_t i = 0; i < count; i++) {
        const FlatAlgorithm *a = list[i];
        json_begin(w, '{');
        statements(w, "text", a->count, a->statements, false);
        json_flag(w, "initial", a->is_initial);
        json_guard(w, a->guard);
        component(w, a->origin.component);
        json_place(w, a->origin.span);
        end(w, '}');
    }
}

static void assertions(JsonWriter *w, const FlatModel *m)
{
    key(w, "assertions");
    json_begin(w, '[');
    for (uint32_t i = 0; i < m->assertion_count; i++) {
        const FlatAssertion *a = m->assertions[i];
        json_begin(w, '{');
        optional(w, "condition", a->condition);
        optional(w, "message", a->message);
        optional_text(w, "level", a->level == FLAT_LEVEL_ERROR ? "error" : "warning");
        json_guard(w, a->guard);
        component(w, a->origin.component);
        json_place(w, a->origin.span);
        end(w, '}');
    }
    end(w, ']');
}

// ---------------------------------------------------------------------------
// Machines, functions, relations
// ---------------------------------------------------------------------------

static void transition(JsonWriter *w, const FlatTransition *t)
{
    json_begin(w, '{');
    optional_text(w, "from", t->from->name);
    optional_text(w, "to", t->to->name);
    optional(w, "condition", t->condition);
    json_flag(w, "immediate", t->is_immediate);
    json_flag(w, "reset", t->is_reset);
    json_flag(w, "synchronize", t->is_synchronized);
    key(w, "priority");
    number(w, t->priority);
    json_place(w, t->span);
    end(w, '}');
}

static void machines(JsonWriter *w, const FlatModel *m)
{
    key(w, "machines");
    json_begin(w, '[');
    for (uint32_t i = 0; i < m->machine_count; i++) {
        const FlatMachine *machine = m->machines[i];
        json_begin(w, '{');
        component(w, machine->component);
        key(w, "states");
        json_begin(w, '[');
        for (uint32_t k = 0; k < machine->state_count; k++)
            flatten_json_text(w, machine->states[k]->name);
        end(w, ']');
        key(w, "transitions");
        json_begin(w, '[');
        for (uint32_t k = 0; k < machine->transition_count; k++)
            transition(w, &machine->transitions[k]);
        end(w, ']');
        json_guard(w, machine->guard);
        end(w, '}');
    }
    end(w, ']');
}

static void functions(JsonWriter *w, const FlatModel *m)
{
    key(w, "functions");
    json_begin(w, '[');
    for (uint32_t i = 0; i < m->function_count; i++) {
        StringBuilder out = builder_create(w->out->arena);
        flat_print_function(&out, m->functions[i], 0);
        json_begin(w, '{');
        optional_text(w, "name", m->functions[i]->name);
        optional_text(w, "text", builder_string(&out).text);
        json_place(w, m->functions[i]->span);
        end(w, '}');
    }
    end(w, ']');
}

static void relations(JsonWriter *w, const FlatModel *m)
{
    key(w, "relations");
    json_begin(w, '[');
    for (uint32_t i = 0; i < m->relations.count; i++) {
        const FlatRelation *r = &m->relations.items[i];
        json_begin(w, '{');
        optional(w, "text", r->expression);
        component(w, r->component);
        json_place(w, r->expression->span);
        end(w, '}');
    }
    end(w, ']');
}

// ---------------------------------------------------------------------------
// The model
// ---------------------------------------------------------------------------

static void experiment(JsonWriter *w, const FlatExperiment *x)
{
    const struct {
        const char *name;
        double value;
    } values[] = {{"startTime", x->start_time},
                  {"stopTime", x->stop_time},
                  {"tolerance", x->tolerance},
                  {"interval", x->interval}};
    key(w, "experiment");
    json_begin(w, '{');
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        if (!isfinite(values[i].value))
            continue;
        key(w, values[i].name);
        separate(w);
        builder_append_format(w->out, "%.17g", values[i].value);
    }
    end(w, '}');
}

void flat_print_json(StringBuilder *out, const FlatModel *m, const Sources *sources)
{
    JsonWriter w = {.out = out, .sources = sources};
    json_begin(&w, '{');
    optional_text(&w, "schema", "saltus-flat");
    key(&w, "version");
    separate(&w);
    builder_append_character(out, '1');
    optional_text(&w, "name", m->name);
    if (m->description.text) {
        key(&w, "description");
        separate(&w);
        builder_append_json(out, m->description.text, m->description.length);
    }
    experiment(&w, &m->experiment);
    key(&w, "variables");
    json_begin(&w, '[');
    for (uint32_t i = 0; i < m->variable_count; i++)
        variable(&w, m->variables[i]);
    end(&w, ']');
    equations(&w, "equations", m->equation_count, m->equations);
    equations(&w, "initialEquations", m->initial_equation_count, m->initial_equations);
    conditionals(&w, m);
    whens(&w, m);
    key(&w, "algorithms");
    json_begin(&w, '[');
    algorithms(&w, m->algorithm_count, m->algorithms);
    algorithms(&w, m->initial_algorithm_count, m->initial_algorithms);
    end(&w, ']');
    assertions(&w, m);
    machines(&w, m);
    functions(&w, m);
    relations(&w, m);
    end(&w, '}');
    builder_append_character(out, '\n');
}
