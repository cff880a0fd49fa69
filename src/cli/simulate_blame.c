// SPDX-License-Identifier: MIT
//
// Which equation a value that is not finite comes from, and which operation in it, or in the
// equations of the variables that it uses, came to the end of where it is defined: the square root
// of a level that falls to zero. At events it may be a statement: of a when clause, an algorithm.

#include "base/operator.h"
#include "cli/simulate.h"
#include "flatten/operation.h"
#include "flatten/pack.h"
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
    const FlatModel *flat; // with its equations
    Diagnostics *diagnostics;
    double *outputs;
    const char *variable;           // that is looked for in statements
    bool is_event;                  // its value was to be a new one
    const FlatComponent *component; // whose equation or statement it is
    const FlatVariable *moved;      // NULL: none
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
    if (e->kind == FLAT_OPERATION && e->operation == OPERATION_PRE)
        return blame_value(b, e->operands[0]);
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

// At the event itself nothing is moved; there an overflow counts as well.
static const char *blame_at_event(const Blame *b, const FlatExpression *e)
{
    const char *reason = blame_outside(b, e);
    bool is_finite = true;
    for (uint32_t i = 0; i < e->count; i++)
        is_finite &= isfinite(blame_value(b, e->operands[i])) != 0;
    return reason || !is_finite || isfinite(blame_value(b, e)) ? reason : "too large";
}

static void blame_note(Blame *b, const FlatExpression *e, const char *reason,
                       const FlatExpression *operand)
{
    const Simulation *s = b->s;
    StringBuilder whole = builder_create(b->diagnostics->arena);
    StringBuilder part = builder_create(b->diagnostics->arena);
    flat_print_expression(&whole, e);
    flat_print_expression(&part, operand);
    diagnostics_warning(
        b->diagnostics, place_of(s->compilation->sources, s->flat, e->span, b->component),
        b->is_event ? "%s has no finite value (%s): %s is %.6g"
                    : "%s comes to the end of where it is defined (%s): %s was %.6g at the last "
                      "step",
        builder_string(&whole).text, reason, builder_string(&part).text, blame_value(b, operand))
        ->severity = SEVERITY_NOTE;
}

// Notes the operations in an expression that are at the end of where they are defined. Branches
// that do not hold are not computed.
static void blame_look(Blame *b, const FlatExpression *e)
{
    for (uint32_t i = 0; i < e->count; i++) {
        const FlatExpression *operand = e->operands[i];
        const bool is_condition = e->kind == FLAT_IF && i % 2 == 0 && i + 1 < e->count;
        if (!operand)
            continue;
        if (is_condition && blame_value(b, operand) == 0.0)
            i++;
        else
            blame_look(b, operand);
    }
    const Operator op = blame_operator(e);
    if (op == OPERATOR_COUNT || e->rank > 0 || e->count == 0 ||
        !(b->is_event || operator_info(op)->traits & OPERATOR_PARTIAL))
        return;
    const char *reason = b->is_event ? blame_at_event(b, e) : blame_outside(b, e);
    // (Of a quotient it is the divisor that is zero.)
    uint32_t i = reason && op == OPERATOR_DIVIDE && blame_value(b, e->operands[1]) == 0.0 ? 2 : 0;
    while (!reason && i < e->count && !b->is_event)
        reason = blame_nearby(b, e, e->operands[i++]);
    if (reason)
        blame_note(b, e, reason, e->operands[i ? i - 1 : 0]);
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

static void blame_note_operations(Blame *b, const FlatEquation *first)
{
    const FlatEquation *seen[BLAME_MOST_EQUATIONS] = {first};
    uint32_t count = 1;
    for (uint32_t i = 0; i < count && b->outputs; i++) {
        b->component = seen[i]->origin.component;
        blame_look(b, seen[i]->left);
        blame_look(b, seen[i]->right);
        count = blame_reach(b->flat, seen[i]->left, seen, count);
        count = blame_reach(b->flat, seen[i]->right, seen, count);
    }
}

// ---------------------------------------------------------------------------
// Where it is computed
// ---------------------------------------------------------------------------

// before, after: the words around the variable.
static void blame_note_definition(Blame *b, Span span, const FlatExpression *const *sides,
                                  uint32_t count, const char *before, const char *after)
{
    const Simulation *s = b->s;
    StringBuilder values = builder_create(b->diagnostics->arena);
    for (uint32_t i = 0; i < count; i++)
        blame_append_parameters(s, sides[i], &values);
    diagnostics_warning(b->diagnostics,
                        place_of(s->compilation->sources, s->flat, span, b->component),
                        "this %s%s%s%s", before, b->variable, after, builder_string(&values).text)
        ->severity = SEVERITY_NOTE;
}

static bool blame_is_target(const FlatExpression *e, const char *variable)
{
    while (e && (e->kind == FLAT_SELECT || e->kind == FLAT_MEMBER))
        e = e->operands[0];
    return e && blame_is_variable(e, variable);
}

// The statements that give the variable a value.
static void blame_statements(Blame *b, uint32_t count, FlatStatement *const *statements)
{
    for (uint32_t i = 0; i < count; i++) {
        const FlatStatement *st = statements[i];
        const bool is_branched = st->kind == FLAT_CHOICE || st->kind == FLAT_WHEN;
        for (uint32_t k = 0; is_branched && k < st->branches.count; k++)
            blame_statements(b, st->branches.items[k].count, st->branches.items[k].statements);
        if (st->kind == FLAT_FOR || st->kind == FLAT_WHILE)
            blame_statements(b, st->loop.count, st->loop.body);
        if ((st->kind != FLAT_ASSIGN && st->kind != FLAT_REINIT) ||
            !blame_is_target(st->target, b->variable))
            continue;
        const bool is_reinit = st->kind == FLAT_REINIT;
        blame_note_definition(b, st->span, (const FlatExpression *const[]){st->value}, 1,
                              is_reinit ? "gives " : "is the equation of ",
                              is_reinit ? " its new value" : "");
        if (b->is_event && b->outputs)
            blame_look(b, st->value);
    }
}

static void blame_note_statements(Blame *b)
{
    const FlatModel *flat = b->s->flat;
    for (uint32_t i = 0; i < flat->when_count; i++) {
        b->component = flat->whens[i]->origin.component;
        for (uint32_t k = 0; k < flat->whens[i]->count; k++)
            blame_statements(b, flat->whens[i]->branches[k].count,
                             flat->whens[i]->branches[k].statements);
    }
    for (uint32_t i = 0; i < flat->algorithm_count; i++) {
        b->component = flat->algorithms[i]->origin.component;
        blame_statements(b, flat->algorithms[i]->count, flat->algorithms[i]->statements);
    }
}

void blame_print(const Simulation *s)
{
    Blame b = {.s = s, .variable = s->variable ? s->variable : s->output.wild};
    b.is_event =
        s->variable && (s->status == SALTUS_ERROR_ACTION || s->status == SALTUS_ERROR_UNDETERMINED);
    Arena *arena = b.variable ? arena_create(NULL) : NULL;
    if (!arena)
        return;
    b.flat = flat_unpack(arena, s->flat);
    const bool is_rate = s->variable && !b.is_event;
    const FlatEquation *found =
        s->status == SALTUS_ERROR_UNDETERMINED ? NULL : blame_find(b.flat, b.variable, is_rate);
    StringBuilder out = builder_create(arena);
    b.diagnostics = diagnostics_create(arena, s->compilation->sources);
    double *outputs = calloc((size_t)model_output_count(s->model) + 1, sizeof *outputs);
    if (outputs && s->variable && s->run && saltus_run_outputs(s->run, outputs) == 0)
        b.outputs = outputs;
    if (found) {
        b.component = found->origin.component;
        blame_note_definition(
            &b, found->origin.span, (const FlatExpression *const[]){found->left, found->right}, 2,
            is_rate ? "is the equation of der(" : "is the equation of ", is_rate ? ")" : "");
        blame_note_operations(&b, found);
    } else {
        blame_note_statements(&b);
    }
    diagnostics_render_text(b.diagnostics, false, &out);
    fputs(builder_string(&out).text, stderr);
    free(outputs);
    arena_destroy(arena);
}
