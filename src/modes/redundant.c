// SPDX-License-Identifier: MIT

#include "modes/redundant.h"

#include "equations/alias.h"
#include "equations/linear.h"
#include "structure/conversion.h"
#include "structure/diagnosis.h"

#include <math.h>

// Equations taken out; of one part, those among which sums are looked for, since that is dense.
enum { MOST_REPLACED = 64, MOST_SUMMED = 256 };

// What is left of a coefficient that has cancelled.
static const double cancelled = 1e-12;

// ---------------------------------------------------------------------------
// What cancels
// ---------------------------------------------------------------------------

// Adds to what a term of the sum is multiplied by, and to the size of what that comes from.
static void redundant_add_factor(const DagMemo *order, Node term, double factor, double *factors)
{
    double *at = factors + 2 * (size_t)memo_get(order, term);
    at[0] += factor;
    at[1] += fabs(factor);
}

// Hands the factor of a sum, or of a multiple, on to its terms. False: it is neither.
static bool redundant_hand_on(const Dag *dag, const DagMemo *order, uint32_t number,
                              double *factors)
{
    const DagNode *n = dag_get(dag, order->list[number]);
    const double factor = factors[2 * (size_t)number];
    if (n->kind != DAG_OPERATION)
        return false;
    if (n->op == OPERATOR_NEGATE) {
        redundant_add_factor(order, n->operands[0], -factor, factors);
        return true;
    }
    if (n->op == OPERATOR_ADD || n->op == OPERATOR_SUBTRACT) {
        redundant_add_factor(order, n->operands[0], factor, factors);
        redundant_add_factor(order, n->operands[1], n->op == OPERATOR_ADD ? factor : -factor,
                             factors);
        return true;
    }
    for (int k = 0; k < 2 && n->op == OPERATOR_MULTIPLY; k++)
        if (dag_is_number(dag, n->operands[k])) {
            const double by = dag_get(dag, n->operands[k])->value;
            if (by != 0.0)
                redundant_add_factor(order, n->operands[1 - k], factor * by, factors);
            return by != 0.0;
        }
    return false;
}

// Whether the terms of a sum cancel, whatever their values are.
static bool redundant_is_zero(Arena *arena, Dag *dag, Node node)
{
    if (dag_is_zero(dag, node))
        return true;
    DagMemo *order = memo_take(dag);
    walk_order(order, &node, 1);
    double *factors = ARENA_ARRAY(arena, 2 * (size_t)order->count, double), constant = 0.0;
    for (uint32_t i = 0; i < 2 * order->count; i++)
        factors[i] = 0.0;
    redundant_add_factor(order, node, 1.0, factors);
    double size = 0.0;
    bool is_zero = true;
    for (uint32_t i = order->count; i-- > 0 && is_zero;) {
        const double *factor = factors + 2 * (size_t)i;
        if (fabs(factor[0]) <= cancelled * factor[1] || redundant_hand_on(dag, order, i, factors))
            continue;
        is_zero = dag_is_number(dag, order->list[i]);
        if (is_zero) {
            constant += factor[0] * dag_get(dag, order->list[i])->value;
            size += fabs(factor[0] * dag_get(dag, order->list[i])->value);
        }
    }
    memo_give(order);
    return is_zero && fabs(constant) <= cancelled * size;
}

// ---------------------------------------------------------------------------
// What follows from others
// ---------------------------------------------------------------------------

// Of the equations of an over-determined part, those that say again what others say of aliases.
static void mark_aliases(Arena *arena, const System *system, const DiagnosisPart *part,
                         bool *is_redundant)
{
    Dag *dag = system->dag;
    int *ranks = ARENA_ARRAY(arena, dag->variable_count, int);
    for (uint32_t v = 0; v < dag->variable_count; v++)
        ranks[v] = -1;
    for (uint32_t j = 0; j < system->variable_count; j++)
        ranks[system->variables[j].origin] = 0;
    DagEquation *equations = ARENA_ARRAY(arena, part->equation_count, DagEquation);
    for (uint32_t i = 0; i < part->equation_count; i++) {
        const SystemEquation *e = &system->equations[part->equations[i]];
        equations[i] = (DagEquation){e->left, e->right};
    }
    const AliasTable table = alias_find(dag, part->equation_count, equations, ranks);
    for (uint32_t i = 0; i < part->equation_count; i++)
        is_redundant[part->equations[i]] |= table.uses[i] == ALIAS_REDUNDANT;
}

// A column for each variable of the part; `has_rates`: for all that its equations contain,
// derivatives as well.
static uint32_t redundant_columns(const System *system, const Signature *s,
                                  const DiagnosisPart *part, bool has_rates, DagMemo *places)
{
    uint32_t width = 0;
    for (uint32_t j = 0; j < part->variable_count && !has_rates; j++)
        memo_set(places, system->variables[part->variables[j]].origin, width++);
    for (uint32_t i = 0; i < part->equation_count && has_rates; i++)
        for (uint32_t e = s->start[part->equations[i]]; e < s->start[part->equations[i] + 1]; e++)
            for (uint32_t order = 0; order <= s->entries[e].order; order++) {
                const GraphVariable v = system_derivative(system, s->entries[e].variable, order);
                if (!memo_has(places, v))
                    memo_set(places, v, width++);
            }
    return width;
}

// An equation as numbers times the columns, a number behind them, and the rest. False: it is not
// linear.
static bool redundant_take_row(const System *system, const DagMemo *places, uint32_t width,
                               uint32_t equation, double *row, Node *rest)
{
    Dag *dag = system->dag;
    const SystemEquation *e = &system->equations[equation];
    LinearForm form;
    if (!linear_extract(dag, dag->arena, dag_subtract(dag, e->left, e->right), places, &form))
        return false;
    for (uint32_t j = 0; j <= width; j++)
        row[j] = 0.0;
    Node others = form.rest;
    for (uint32_t k = 0; k < form.count; k++) {
        const Node value = form.terms[k].value, v = dag_reference(dag, form.terms[k].variable);
        if (dag_is_number(dag, value))
            row[memo_get(places, form.terms[k].variable)] = dag_get(dag, value)->value;
        else
            others = dag_add(dag, others, dag_multiply(dag, value, v));
    }
    const bool is_number = dag_is_number(dag, others);
    row[width] = is_number ? dag_get(dag, others)->value : 0.0;
    *rest = is_number ? dag->zero : others;
    return true;
}

// By the rows before it, each of which has its pivot where later ones have nothing.
static void redundant_reduce_row(Dag *dag, const double *rows, const Node *rests,
                                 const uint32_t *pivots, uint32_t count, uint32_t width,
                                 double *row, Node *rest)
{
    for (uint32_t k = 0; k < count; k++) {
        const double *by = rows + (size_t)k * (width + 1u), factor = row[pivots[k]] / by[pivots[k]];
        if (factor == 0.0)
            continue;
        for (uint32_t j = 0; j <= width; j++) {
            const double size = fabs(row[j]) + fabs(factor * by[j]);
            row[j] -= factor * by[j];
            if (fabs(row[j]) <= cancelled * size)
                row[j] = 0.0;
        }
        *rest = dag_subtract(dag, *rest, dag_multiply(dag, dag_real(dag, factor), rests[k]));
    }
}

// Whether what is left of an equation says nothing. (Who writes z with a coefficient of zero has
// forgotten it: only where sums are made is it looked at as closely.)
static bool is_nothing(Arena *arena, Dag *dag, bool of_sums, Node rest)
{
    return of_sums ? redundant_is_zero(arena, dag, rest) : dag_is_zero(dag, rest);
}

// Of the equations of an over-determined part, those that are sums of others, by elimination: the
// balance of the last node of an island whose other currents are zero.
static void mark_sums(Arena *arena, const System *system, const Signature *signature,
                      const DiagnosisPart *part, bool has_rates, bool *is_redundant)
{
    if (part->equation_count > MOST_SUMMED)
        return;
    DagMemo *places = memo_take(system->dag);
    const uint32_t width = redundant_columns(system, signature, part, has_rates, places);
    double *rows = ARENA_ARRAY(arena, (size_t)part->equation_count * (width + 1u), double);
    Node *rests = ARENA_ARRAY(arena, part->equation_count, Node);
    uint32_t *pivots = ARENA_ARRAY(arena, part->equation_count, uint32_t), count = 0;
    for (uint32_t i = 0; i < part->equation_count; i++) {
        double *row = rows + (size_t)count * (width + 1u);
        if (is_redundant[part->equations[i]] ||
            !redundant_take_row(system, places, width, part->equations[i], row, &rests[count]))
            continue;
        redundant_reduce_row(system->dag, rows, rests, pivots, count, width, row, &rests[count]);
        uint32_t pivot = 0;
        while (pivot < width && row[pivot] == 0.0)
            pivot++;
        if (pivot < width)
            pivots[count++] = pivot;
        else
            is_redundant[part->equations[i]] =
                row[width] == 0.0 && is_nothing(arena, system->dag, has_rates, rests[count]);
    }
    memo_give(places);
}

// How many there are.
static uint32_t redundant_find_redundant(Arena *arena, const System *system,
                                         const Signature *signature, bool has_rates,
                                         bool *is_redundant)
{
    const Diagnosis diagnosis = diagnosis_find(arena, signature);
    uint32_t count = 0;
    for (uint32_t k = 0; k < diagnosis.count; k++)
        if (diagnosis.parts[k].is_over) {
            mark_aliases(arena, system, &diagnosis.parts[k], is_redundant);
            mark_sums(arena, system, signature, &diagnosis.parts[k], has_rates, is_redundant);
        }
    for (uint32_t i = 0; i < system->equation_count; i++) {
        const SystemEquation *e = &system->equations[i];
        is_redundant[i] |=
            is_nothing(arena, system->dag, has_rates, dag_subtract(system->dag, e->left, e->right));
        count += is_redundant[i];
    }
    return count;
}

// ---------------------------------------------------------------------------
// What is open
// ---------------------------------------------------------------------------

// Variables without equations, in all parts.
static uint32_t open_count(const Diagnosis *diagnosis)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < diagnosis->count; k++)
        count += diagnosis->parts[k].is_over ? 0 : diagnosis->parts[k].surplus;
    return count;
}

static uint32_t next_prime(uint32_t number)
{
    bool is_prime = false;
    while (!is_prime) {
        number++;
        is_prime = true;
        for (uint32_t k = 2; k * k <= number && is_prime; k++)
            is_prime = number % k != 0;
    }
    return number;
}

// A sum of the part's equations, with weights that cancel nothing: so all that is open stands in
// one block, whose shortest solution is that of the whole. (What cancelled would still stand in the
// formula.) The square roots of primes are independent of each other over the rational numbers: no
// coefficients that anybody writes make them cancel.
static SystemEquation sum_of(const System *system, const DiagnosisPart *part)
{
    Dag *dag = system->dag;
    SystemEquation sum = system->equations[part->equations[0]];
    uint32_t prime = 1;
    for (uint32_t i = 1; i < part->equation_count; i++) {
        const SystemEquation *e = &system->equations[part->equations[i]];
        prime = next_prime(prime);
        const Node weight = dag_real(dag, sqrt(prime));
        sum.left = dag_add(dag, sum.left, dag_multiply(dag, weight, e->left));
        sum.right = dag_add(dag, sum.right, dag_multiply(dag, weight, e->right));
    }
    return sum;
}

static bool redundant_is_linear(const Signature *s, uint32_t equation)
{
    bool is_linear = true;
    for (uint32_t e = s->start[equation]; e < s->start[equation + 1]; e++)
        is_linear = is_linear && s->entries[e].kind != SIGNATURE_NONLINEAR &&
                    s->entries[e].lower_kind != SIGNATURE_NONLINEAR;
    return is_linear;
}

static bool redundant_add(Arena *arena, System *system, SystemEquation *equations,
                          const Diagnosis *before, SystemEquation equation)
{
    equation.about.is_repeated = true;
    equations[system->equation_count++] = equation;
    const Diagnosis after = diagnosis_find(arena, system_signature(arena, system));
    if (open_count(&after) < open_count(before))
        return true;
    system->equation_count--;
    return false;
}

// Adds an equation that says nothing new, so that less is open. False: none does that. One that is
// not linear is repeated alone: of a sum with others the Jacobian is singular but for what does not
// quite cancel in it, pressures beside a flow say, and nobody would see that it is.
static bool repeat_equation(Arena *arena, System *system, const Signature *signature,
                            SystemEquation *equations, const Diagnosis *before,
                            const DiagnosisPart *part, bool is_alone)
{
    const uint32_t count = part->equation_count;
    for (uint32_t i = 0; i < count; i++)
        if ((is_alone || !redundant_is_linear(signature, part->equations[i])) &&
            redundant_add(arena, system, equations, before, equations[part->equations[i]]))
            return true;
    if (count > 0 && redundant_add(arena, system, equations, before, sum_of(system, part)))
        return true;
    for (uint32_t i = 0; i < count; i++)
        if (redundant_add(arena, system, equations, before, equations[part->equations[i]]))
            return true;
    return false;
}

// A variable that occurs nowhere is zero.
static void set_to_zero(System *system, SystemEquation *equations, const DiagnosisPart *part,
                        Diagnostics *diagnostics)
{
    const SignatureVariable *v = &system->variables[part->variables[0]];
    equations[system->equation_count++] = (SystemEquation){
        .left = dag_reference(system->dag, v->origin),
        .right = system->dag->zero,
        .about = {.text = "what nothing determines is zero", .is_zeroed = true, .span = v->span}};
    diagnostics_warning(diagnostics, v->span, "nothing determines %s: it is zero", v->name);
}

// Whether a variable of the part is differentiated anywhere: then motion is open, which matters.
static bool has_motion(const Signature *s, const DiagnosisPart *part)
{
    bool is_found = false;
    for (uint32_t e = 0; e < s->start[s->equation_count]; e++)
        for (uint32_t k = 0; s->entries[e].order > 0 && k < part->variable_count; k++)
            is_found = is_found || part->variables[k] == s->entries[e].variable;
    return is_found;
}

static bool close_part(Arena *arena, System *system, SystemEquation *equations, bool is_alone,
                       Diagnostics *diagnostics)
{
    const Signature *signature = system_signature(arena, system);
    const Diagnosis diagnosis = diagnosis_find(arena, signature);
    for (uint32_t k = 0; k < diagnosis.count; k++) {
        const DiagnosisPart *part = &diagnosis.parts[k];
        if (part->is_over)
            continue;
        if (has_motion(signature, part))
            return false;
        if (repeat_equation(arena, system, signature, equations, &diagnosis, part, is_alone))
            return true;
        if (part->equation_count > 0)
            return false;
        set_to_zero(system, equations, part, diagnostics);
        return true;
    }
    return false;
}

// The system without the marked equations, and closed, if possible by single equations (which
// cancel in sums to the last bit). The same system if nothing helps.
static const System *redundant_take(Arena *arena, const System *system, const bool *is_taken,
                                    uint32_t count, bool is_alone, const Signature **signature,
                                    Diagnostics *diagnostics)
{
    SystemEquation *equations =
        ARENA_ARRAY(arena, (size_t)system->equation_count + count, SystemEquation);
    System *closed = ARENA_NEW(arena, System);
    *closed = *system;
    closed->equations = equations;
    closed->equation_count = 0;
    for (uint32_t i = 0; i < system->equation_count; i++)
        if (!is_taken[i])
            equations[closed->equation_count++] = system->equations[i];
    for (uint32_t k = 0; k < count; k++)
        if (!close_part(arena, closed, equations, is_alone, diagnostics))
            return system;
    const Signature *of_closed = system_signature(arena, closed);
    if (diagnosis_find(arena, of_closed).count > 0)
        return system;
    *signature = of_closed;
    return closed;
}

static const System *redundant_take_all(Arena *arena, const System *system, bool has_rates,
                                        const Signature **signature, Diagnostics *diagnostics)
{
    bool *is_redundant = ARENA_ARRAY(arena, system->equation_count, bool);
    const uint32_t count =
        redundant_find_redundant(arena, system, *signature, has_rates, is_redundant);
    if (count == 0 || count > MOST_REPLACED)
        return system;
    return redundant_take(arena, system, is_redundant, count, false, signature, diagnostics);
}

const System *redundant_replace(Arena *arena, const System *system, const Signature **signature,
                                Diagnostics *diagnostics)
{
    return redundant_take_all(arena, system, false, signature, diagnostics);
}

// ---------------------------------------------------------------------------
// Motion that only seems to be open
// ---------------------------------------------------------------------------

// Unmarks all but as many in each over-determined part as it has too many. How many it unmarks.
static uint32_t redundant_keep(Arena *arena, const Signature *signature, bool *is_redundant)
{
    const Diagnosis diagnosis = diagnosis_find(arena, signature);
    uint32_t kept = 0;
    for (uint32_t k = 0; k < diagnosis.count; k++) {
        const DiagnosisPart *part = &diagnosis.parts[k];
        uint32_t left = part->is_over ? part->surplus : UINT32_MAX;
        for (uint32_t i = part->equation_count; i-- > 0;) {
            if (!is_redundant[part->equations[i]])
                continue;
            is_redundant[part->equations[i]] = left > 0;
            kept += left == 0;
            left -= left > 0;
        }
    }
    return kept;
}

static uint32_t redundant_count_empty(Arena *arena, const System *system)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < system->equation_count; i++) {
        const SystemEquation *e = &system->equations[i];
        count +=
            redundant_is_zero(arena, system->dag, dag_subtract(system->dag, e->left, e->right));
    }
    return count;
}

// With more than the structure can take, of which sums then find out. The same system if nothing
// helps.
static const System *redundant_by_sums(Arena *arena, const System *system, const bool *is_taken,
                                       uint32_t count, uint32_t kept, bool is_alone,
                                       const Signature **signature, Diagnostics *diagnostics)
{
    const Signature *of_square = *signature;
    const System *square =
        redundant_take(arena, system, is_taken, count - kept, is_alone, &of_square, diagnostics);
    if (square == system)
        return system;
    // What was kept must be gone: it would determine again what is determined already.
    const System *converted = conversion_apply(arena, square, &of_square);
    if (redundant_count_empty(arena, converted) < kept)
        return system;
    const Signature *of_closed = of_square;
    const System *closed = redundant_take_all(arena, converted, true, &of_closed, diagnostics);
    if (closed == converted)
        return system;
    *signature = of_closed;
    return closed;
}

const System *redundant_convert(Arena *arena, const System *system, const Signature **signature,
                                Diagnostics *diagnostics)
{
    bool *is_redundant = ARENA_ARRAY(arena, system->equation_count, bool);
    const uint32_t count = redundant_find_redundant(arena, system, *signature, true, is_redundant);
    if (count == 0 || count > MOST_REPLACED)
        return system;
    const uint32_t kept = redundant_keep(arena, *signature, is_redundant);
    if (kept == 0 || kept == count)
        return system;
    const System *closed = system;
    for (int is_alone = 0; is_alone < 2 && closed == system; is_alone++)
        closed = redundant_by_sums(arena, system, is_redundant, count, kept, is_alone > 0,
                                   signature, diagnostics);
    return closed;
}
