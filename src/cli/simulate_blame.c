// SPDX-License-Identifier: MIT
//
// Which equation a value that is not finite comes from, and which operation in it, or in the
// equations of the variables that it uses, came to the end of where it is defined: the square root
// of a level that falls to zero.

#include "base/operator.h"
#include "cli/simulate.h"
#include "flatten/operation.h"
#include "flatten/place.h"
#include "flatten/print.h"

#include <math.h>
#include <stdlib.h>

enum { BLAME_MOST_EQUATIONS = 200 }; // that are looked at

// ---------------------------------------------------------------------------
// Equations
// ---------------------------------------------------------------------------

static bool blame_has_derivative(const FlatExpression *e, const char *variable)
{
    if (e->kind == FLAT_OPERATION && e->operation == OPERATION_DER &&
        e->operands[0]->kind == FLAT_VARIABLE)
        return strcmp(e->operands[0]->variable->name, variable) == 0;
    for (uint32_t i = 0; i < e->count; i++)
        if (e->operands[i] && blame_has_derivative(e->operands[i], variable))
            return true;
    return false;
}

static bool blame_is_variable(const FlatExpression *e, const char *variable)
{
    return e->kind == FLAT_VARIABLE && strcmp(e->variable->name, variable) == 0;
}

// The equation with the derivative, or of the variable itself; NULL: there is none, or each of
// several modes has its own.
static const FlatEquation *blame_find(const FlatModel *flat, const char *variable, bool is_rate)
{
    const FlatEquation *found = NULL;
    for (uint32_t i = 0; i < flat->equation_count; i++) {
        const FlatEquation *e = flat->equations[i];
        if (!e->left)
            continue;
        if (is_rate
                ? !blame_has_derivative(e->left, variable) &&
                      !blame_has_derivative(e->right, variable)
                : !blame_is_variable(e->left, variable) && !blame_is_variable(e->right, variable))
            continue;
        if (found)
            return NULL;
        found = e;
    }
    return found;
}

// Appends "with a = 1, b = 0": the parameters in an expression, each once.
static void blame_append_parameters(const Simulation *s, const FlatExpression *e,
                                    StringBuilder *out)
{
    enum { MOST = 300 };
    const Parameters p = model_list_parameters(s->model);
    for (uint32_t i = 0; i < e->count; i++)
        if (e->operands[i])
            blame_append_parameters(s, e->operands[i], out);
    for (uint32_t i = 0; e->kind == FLAT_VARIABLE && i < p.count && out->length < MOST; i++) {
        StringBuilder text = builder_create(out->arena);
        if (p.flat[i] != e->variable)
            continue;
        builder_append_format(&text, "%s = %.6g", p.names[i], s->parameters[i]);
        if (!strstr(builder_string(out).text, builder_string(&text).text))
            builder_append_format(out, "%s %s", out->length ? "," : "; with",
                                  builder_string(&text).text);
    }
}

// ---------------------------------------------------------------------------
// Values at the last step
// ---------------------------------------------------------------------------

// All variables are as they were, but for one of them that is moved: `distance` away.
typedef struct Blame {
    const Simulation *s;
    Diagnostics *diagnostics;
    double *outputs;
    const FlatVariable *moved; // NULL: none
    double distance;
} Blame;

static double blame_variable(const Blame *b, const FlatVariable *v)
{
    if (v->is_evaluated && FLAT_TYPE(v)->kind == FLAT_TYPE_REAL)
        return v->value.real;
    const Parameters p = model_list_parameters(b->s->model);
    for (uint32_t i = 0; i < p.count; i++)
        if (p.flat[i] == v)
            return b->s->parameters[i];
    const char *const *names = model_output_names(b->s->model);
    for (uint32_t i = 0; i < model_output_count(b->s->model); i++)
        if (strcmp(names[i], v->name) == 0)
            return b->outputs[i] + (v == b->moved ? b->distance : 0.0);
    return NAN;
}

static Operator blame_operator(const FlatExpression *e)
{
    return e->kind == FLAT_OPERATION ? operation_operator(e->operation) : OPERATOR_COUNT;
}

// The value of a scalar; NAN: it is none, or made of more than operators, variables and numbers.
static double blame_value(const Blame *b, const FlatExpression *e)
{
    if (e->rank > 0)
        return NAN;
    if (e->kind == FLAT_REAL)
        return e->real;
    if (e->kind == FLAT_INTEGER)
        return (double)e->integer;
    if (e->kind == FLAT_VARIABLE)
        return blame_variable(b, e->variable);
    const Operator op = blame_operator(e);
    if (op == OPERATOR_COUNT || e->count != operator_info(op)->count)
        return NAN;
    double operand[3] = {0.0, 0.0, 0.0};
    for (uint32_t i = 0; i < e->count; i++)
        operand[i] = blame_value(b, e->operands[i]);
    return operator_apply(op, operand[0], operand[1], operand[2]);
}

// ---------------------------------------------------------------------------
// Operations at the end of where they are defined
// ---------------------------------------------------------------------------

static const char *blame_outside(const Blame *b, const FlatExpression *e)
{
    return operator_outside(blame_operator(e), blame_value(b, e->operands[0]),
                            e->count > 1 ? blame_value(b, e->operands[1]) : 0.0);
}

// Why the operation e has no value where a variable of its operand `part` is a little more or less
// than it is; NULL: it has.
static const char *blame_nearby(Blame *b, const FlatExpression *e, const FlatExpression *part)
{
    const char *reason = NULL;
    for (uint32_t i = 0; i < part->count && !reason; i++)
        if (part->operands[i])
            reason = blame_nearby(b, e, part->operands[i]);
    if (part->kind != FLAT_VARIABLE || part->variable->kind != FLAT_CONTINUOUS)
        return reason;
    const double near = 10.0 * b->s->options.method.absolute_tolerance +
                        1e-3 * fabs(blame_variable(b, part->variable));
    b->moved = part->variable;
    for (int side = -1; side <= 1 && !reason; side += 2) {
        b->distance = side * near;
        reason = blame_outside(b, e);
    }
    b->moved = NULL;
    return reason;
}

static void blame_note(Blame *b, const FlatEquation *equation, const FlatExpression *e,
                       const char *reason, const FlatExpression *operand)
{
    const Simulation *s = b->s;
    StringBuilder whole = builder_create(b->diagnostics->arena);
    StringBuilder part = builder_create(b->diagnostics->arena);
    flat_print_expression(&whole, e);
    flat_print_expression(&part, operand);
    diagnostics_warning(
        b->diagnostics,
        place_of(s->compilation->sources, s->flat, e->span, equation->origin.component),
        "%s comes to the end of where it is defined (%s): %s was %.6g at the last step",
        builder_string(&whole).text, reason, builder_string(&part).text, blame_value(b, operand))
        ->severity = SEVERITY_NOTE;
}

// Notes the operations in an expression that are at the end of where they are defined. Branches
// that do not hold are not computed.
static void blame_look(Blame *b, const FlatEquation *equation, const FlatExpression *e)
{
    for (uint32_t i = 0; i < e->count; i++) {
        const bool is_condition = e->kind == FLAT_IF && i % 2 == 0 && i + 1 < e->count;
        const double holds = is_condition ? blame_value(b, e->operands[i]) : 1.0;
        if (is_condition && holds == 0.0)
            i++;
        else if (e->operands[i])
            blame_look(b, equation, e->operands[i]);
    }
    const Operator op = blame_operator(e);
    if (op == OPERATOR_COUNT || e->rank > 0 || !(operator_info(op)->traits & OPERATOR_PARTIAL))
        return;
    const char *reason = blame_outside(b, e);
    uint32_t i = 0;
    while (!reason && i < e->count)
        reason = blame_nearby(b, e, e->operands[i++]);
    if (reason)
        blame_note(b, equation, e, reason, e->operands[i ? i - 1 : 0]);
}

static bool blame_is_seen(const FlatEquation *const *seen, uint32_t count, const FlatEquation *e)
{
    for (uint32_t i = 0; i < count; i++)
        if (seen[i] == e)
            return true;
    return false;
}

// Adds the equations of the variables in an expression; states are where it ends.
static uint32_t blame_reach(const FlatModel *flat, const FlatExpression *e,
                            const FlatEquation **seen, uint32_t count)
{
    for (uint32_t i = 0; i < e->count; i++)
        if (e->operands[i])
            count = blame_reach(flat, e->operands[i], seen, count);
    if (e->kind != FLAT_VARIABLE || e->variable->is_differentiated ||
        e->variable->kind != FLAT_CONTINUOUS || count == BLAME_MOST_EQUATIONS)
        return count;
    const FlatEquation *found = blame_find(flat, e->variable->name, false);
    if (found && !blame_is_seen(seen, count, found))
        seen[count++] = found;
    return count;
}

static void blame_note_operations(const Simulation *s, Diagnostics *d, const FlatEquation *first)
{
    Blame b = {.s = s, .diagnostics = d};
    b.outputs = calloc((size_t)model_output_count(s->model) + 1, sizeof *b.outputs);
    const FlatEquation *seen[BLAME_MOST_EQUATIONS] = {first};
    if (b.outputs && s->run && saltus_run_outputs(s->run, b.outputs) == 0) {
        uint32_t count = 1;
        for (uint32_t i = 0; i < count; i++) {
            blame_look(&b, seen[i], seen[i]->left);
            blame_look(&b, seen[i], seen[i]->right);
            count = blame_reach(s->flat, seen[i]->left, seen, count);
            count = blame_reach(s->flat, seen[i]->right, seen, count);
        }
    }
    free(b.outputs);
}

void blame_print(const Simulation *s)
{
    const bool is_rate = s->variable != NULL;
    const char *variable = is_rate ? s->variable : s->output.wild;
    const FlatEquation *found = variable ? blame_find(s->flat, variable, is_rate) : NULL;
    Arena *arena = found ? arena_create(NULL) : NULL;
    if (!arena)
        return;
    StringBuilder values = builder_create(arena), out = builder_create(arena);
    blame_append_parameters(s, found->left, &values);
    blame_append_parameters(s, found->right, &values);
    Diagnostics *d = diagnostics_create(arena, s->compilation->sources);
    diagnostics_warning(
        d, place_of(s->compilation->sources, s->flat, found->origin.span, found->origin.component),
        "this is the equation of %s%s%s%s", is_rate ? "der(" : "", variable, is_rate ? ")" : "",
        builder_string(&values).text)
        ->severity = SEVERITY_NOTE;
    if (is_rate)
        blame_note_operations(s, d, found);
    diagnostics_render_text(d, false, &out);
    fputs(builder_string(&out).text, stderr);
    arena_destroy(arena);
}
