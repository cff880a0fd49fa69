// SPDX-License-Identifier: MIT

#include "structure/conversion.h"

#include "equations/derive.h"
#include "equations/linear.h"
#include "equations/walk.h"
#include "structure/dependence.h"

#include <math.h>

// Each round lowers the number of degrees of freedom that the structure pretends; more rounds than
// a few are a sign of equations that only look as if they could be converted.
enum { MOST_ROUNDS = 20 };

// Values that should agree but for rounding.
static const double conversion_rounding = 1e-9;

// ---------------------------------------------------------------------------
// Values of coefficients
// ---------------------------------------------------------------------------

// Parameters as numbers between 1 and 2 that depend on the variable and the attempt.
static double parameter_value(uint32_t variable, uint32_t attempt)
{
    uint64_t z = ((uint64_t)variable + 1) * UINT64_C(0x9e3779b97f4a7c15) + attempt;
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return 1.0 + (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

// NAN: it is not a formula of parameters.
static double evaluate_one(const Dag *dag, Node node, uint32_t attempt, const DagMemo *place,
                           const double *values)
{
    const DagNode *n = dag_get(dag, node);
    double operand[3] = {0.0, 0.0, 0.0};
    if (n->kind == DAG_NUMBER)
        return n->value;
    if (n->kind == DAG_VARIABLE)
        return n->variability <= DAG_PARAMETER ? parameter_value(n->number, attempt) : NAN;
    if (n->kind != DAG_OPERATION && n->kind != DAG_INTEGER_POWER)
        return NAN;
    for (uint32_t k = 0; k < n->count; k++)
        operand[k] = values[memo_get(place, n->operands[k])];
    return n->kind == DAG_OPERATION
               ? operator_apply((Operator)n->op, operand[0], operand[1], operand[2])
               : operator_power(operand[0], n->power);
}

static double conversion_evaluate(Arena *arena, Dag *dag, Node node, uint32_t attempt)
{
    if (dag_is_number(dag, node))
        return dag_get(dag, node)->value;
    if (dag_get(dag, node)->variability > DAG_PARAMETER)
        return NAN;
    DagMemo *order = memo_take(dag);
    walk_order(order, &node, 1);
    double *values = ARENA_ARRAY(arena, order->count, double);
    for (uint32_t k = 0; k < order->count; k++)
        values[k] = evaluate_one(dag, order->list[k], attempt, order, values);
    double result = values[order->count - 1];
    memo_give(order);
    return result;
}

// The coefficients of the tight entries that are formulas of parameters.
static double *coefficient_values(Arena *arena, const System *system, const Signature *s,
                                  const Offsets *o, uint32_t attempt)
{
    double *values = ARENA_ARRAY(arena, signature_entry_count(s), double);
    for (uint32_t i = 0; i < s->equation_count; i++) {
        Node e = dag_subtract(system->dag, system->equations[i].left, system->equations[i].right);
        for (uint32_t k = s->start[i]; k < s->start[i + 1]; k++) {
            const SignatureEntry *entry = &s->entries[k];
            values[k] = NAN;
            if (entry->kind != SIGNATURE_PARAMETER || !offsets_tight(o, i, entry))
                continue;
            Derivation d =
                derive_by(system->dag, system_derivative(system, entry->variable, entry->order));
            Node partial = derive(&d, e);
            values[k] = partial == NODE_NONE
                            ? NAN
                            : conversion_evaluate(arena, system->dag, partial, attempt);
            derive_end(&d);
        }
    }
    return values;
}

// ---------------------------------------------------------------------------
// Sums
// ---------------------------------------------------------------------------

static bool conversion_is_near(double a, double b)
{
    return fabs(a - b) <= conversion_rounding * fmax(fabs(a), fabs(b));
}

static bool conversion_is_same(const Dependence *a, const Dependence *b)
{
    bool is_same = a->replaced == b->replaced && a->count == b->count;
    for (uint32_t k = 0; k < a->count && is_same; k++)
        is_same = a->equations[k] == b->equations[k] && a->orders[k] == b->orders[k] &&
                  conversion_is_near(a->weights[k], b->weights[k]);
    return is_same;
}

// A whole number or a simple fraction is what was meant.
static double tidy(double weight)
{
    for (double denominator = 1.0; denominator <= 12.0; denominator++) {
        double numerator = round(weight * denominator);
        if (numerator > 0.0 || numerator < 0.0) {
            if (conversion_is_near(numerator, weight * denominator))
                return numerator / denominator;
        }
    }
    return weight;
}

static Node weighted_sum(const System *system, const Dependence *d)
{
    Derivation by_time = derive_by_time(system->dag, NULL);
    Node sum = system->dag->zero;
    for (uint32_t k = 0; k < d->count && sum != NODE_NONE; k++) {
        const SystemEquation *f = &system->equations[d->equations[k]];
        Node term = dag_subtract(system->dag, f->left, f->right);
        for (uint32_t o = 0; o < d->orders[k] && term != NODE_NONE; o++)
            term = derive(&by_time, term);
        sum = term == NODE_NONE
                  ? NODE_NONE
                  : dag_add(system->dag, sum,
                            dag_multiply(system->dag, dag_real(system->dag, tidy(d->weights[k])),
                                         term));
    }
    derive_end(&by_time);
    return sum;
}

// The highest derivatives of the equations of the sum.
static DagMemo *highest_derivatives(const System *system, const Signature *s, const Offsets *o,
                                    const Dependence *d)
{
    DagMemo *set = memo_take(system->dag);
    for (uint32_t k = 0; k < d->count; k++) {
        uint32_t i = d->equations[k];
        for (uint32_t e = s->start[i]; e < s->start[i + 1]; e++) {
            const SignatureEntry *entry = &s->entries[e];
            if (offsets_tight(o, i, entry))
                memo_set(set,
                         system_derivative(system, entry->variable, entry->order + d->orders[k]),
                         0);
        }
    }
    return set;
}

// The sum without the derivatives whose coefficients cancel. NODE_NONE: none does, or the sum is
// not linear in them.
static Node cancel(Arena *arena, const System *system, Node sum, const DagMemo *highest)
{
    LinearForm form;
    if (sum == NODE_NONE || !linear_extract(system->dag, system->dag->arena, sum, highest, &form))
        return NODE_NONE;
    Node result = form.rest;
    uint32_t kept = 0;
    for (uint32_t k = 0; k < form.count; k++) {
        Node coefficient = form.terms[k].value;
        bool is_zero = true;
        for (uint32_t attempt = 1; attempt <= 2; attempt++) {
            double value = conversion_evaluate(arena, system->dag, coefficient, attempt);
            is_zero = is_zero && fabs(value) <= conversion_rounding;
        }
        if (is_zero)
            continue;
        kept++;
        Node variable = dag_reference(system->dag, form.terms[k].variable);
        result = dag_add(system->dag, result, dag_multiply(system->dag, coefficient, variable));
    }
    return kept < form.count || form.count == 0 ? result : NODE_NONE;
}

static const char *sum_text(Arena *arena, const System *system, const Dependence *d)
{
    StringBuilder b = builder_create(arena);
    builder_append_text(&b, "sum of");
    for (uint32_t k = 0; k < d->count; k++) {
        const char *text = system->equations[d->equations[k]].about.text;
        builder_append_format(&b, "%s %s", k > 0 ? " and" : "", text ? text : "an equation");
    }
    return builder_string(&b).text;
}

// ---------------------------------------------------------------------------
// Rounds
// ---------------------------------------------------------------------------

// The equations with these replacements; NULL: there are none.
static const SystemEquation *conversion_convert(Arena *arena, const System *system,
                                                const Signature *s, const Offsets *o,
                                                Arena *scratch)
{
    SystemEquation *equations = NULL;
    const Dependence *found, *again;
    double *values = coefficient_values(scratch, system, s, o, 1);
    const uint32_t count = dependence_find(scratch, s, o, values, &found);
    if (count == 0)
        return NULL;
    values = coefficient_values(scratch, system, s, o, 2);
    if (dependence_find(scratch, s, o, values, &again) != count)
        return NULL;
    for (uint32_t k = 0; k < count; k++) {
        if (!conversion_is_same(&found[k], &again[k]))
            continue;
        DagMemo *highest = highest_derivatives(system, s, o, &found[k]);
        Node sum = cancel(scratch, system, weighted_sum(system, &found[k]), highest);
        memo_give(highest);
        if (sum == NODE_NONE)
            continue;
        if (!equations) {
            equations = ARENA_ARRAY(arena, system->equation_count, SystemEquation);
            memcpy(equations, system->equations, system->equation_count * sizeof *equations);
        }
        SystemEquation *replaced = &equations[found[k].replaced];
        replaced->left = sum;
        replaced->right = system->dag->zero;
        replaced->about.text = sum_text(arena, system, &found[k]);
        replaced->about.is_sum = true;
    }
    return equations;
}

const System *conversion_apply(Arena *arena, const System *system, const Signature **signature)
{
    Arena *scratch = arena_scratch(arena);
    for (int round = 0;; round++) {
        Offsets o;
        const SystemEquation *equations = NULL;
        *signature = system_signature(arena, system);
        const ArenaMark mark = arena_mark(scratch);
        if (round < MOST_ROUNDS && offsets_find(scratch, *signature, NULL, &o))
            equations = conversion_convert(arena, system, *signature, &o, scratch);
        arena_release(scratch, mark);
        if (!equations)
            return system;
        System *converted = ARENA_NEW(arena, System);
        *converted = *system;
        converted->equations = equations;
        system = converted;
    }
}
