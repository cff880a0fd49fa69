// SPDX-License-Identifier: MIT

#include "model/analyse.h"

#include "equations/print.h"
#include "structure/conversion.h"
#include "structure/diagnosis.h"

static const FlatVariable *flat_of(const Assembly *a, uint32_t variable)
{
    const uint32_t origin = a->dag->variables[variable].origin;
    return origin == DAG_NONE ? NULL : a->flat->variables[origin];
}

static double number_of(Assembly *a, const FlatExpression *e)
{
    if (!e)
        return 0.0;
    const Node node = translate(a->translation, e);
    return dag_is_number(a->dag, node) ? dag_get(a->dag, node)->value : 0.0;
}

// ---------------------------------------------------------------------------
// The system
// ---------------------------------------------------------------------------

static const SystemEquation *list_equations(Assembly *a, const AssembledEquations *list)
{
    SystemEquation *equations = ARENA_ARRAY(a->dag->arena, list->count, SystemEquation);
    for (uint32_t i = 0; i < list->count; i++) {
        const AssembledEquation *e = &list->items[i];
        StringBuilder text = builder_create(a->dag->arena);
        print_equation(a->dag, e->left, e->right, &text);
        equations[i] =
            (SystemEquation){e->left, e->right, {builder_string(&text).text, e->span, i}};
    }
    return equations;
}

static const SignatureVariable *list_variables(Assembly *a)
{
    SignatureVariable *variables =
        ARENA_ARRAY(a->dag->arena, a->continuous_count, SignatureVariable);
    for (uint32_t j = 0; j < a->continuous_count; j++) {
        const uint32_t v = a->continuous[j];
        const FlatVariable *flat = flat_of(a, v);
        variables[j] = (SignatureVariable){.name = a->dag->variables[v].name, .origin = v};
        if (!flat)
            continue;
        const FlatAttributes *attributes = flat->attributes;
        variables[j].span = flat->reference.span;
        variables[j].select = (uint8_t)attributes->state_select;
        variables[j].has_start = attributes->start;
        variables[j].is_fixed = attributes->is_fixed;
        variables[j].nominal = number_of(a, attributes->nominal);
    }
    return variables;
}

static bool find_structure(Analysis *n)
{
    Assembly *a = n->assembly;
    Arena *arena = a->dag->arena;
    const size_t errors = a->diagnostics->error_count;
    n->system = *conversion_apply(arena, &n->system, &n->signature);
    if (n->signature->equation_count == n->signature->variable_count)
        n->structure = structure_create(arena, n->signature, NULL);
    if (n->structure)
        return true;
    const Diagnosis diagnosis = diagnosis_find(arena, n->signature);
    diagnosis_report(n->signature, &diagnosis, a->diagnostics);
    if (a->diagnostics->error_count == errors)
        diagnostics_error(a->diagnostics, a->flat->span, "the equations are singular");
    return false;
}

static bool find_initial(Analysis *n)
{
    Assembly *a = n->assembly;
    Arena *arena = a->dag->arena;
    const size_t errors = a->diagnostics->error_count;
    n->initial = initial_create(
        arena, n->structure,
        n->system.initial_count ? system_initial_signature(arena, &n->system) : NULL);
    initial_report(n->initial, a->diagnostics);
    return n->initial->structure && a->diagnostics->error_count == errors;
}

// ---------------------------------------------------------------------------
// Formulas
// ---------------------------------------------------------------------------

Node analyse_start_value(Assembly *a, uint32_t variable)
{
    const FlatVariable *flat = flat_of(a, variable);
    if (!flat || !flat->attributes->start)
        return dag_real(a->dag, 0.0);
    return translate(a->translation, flat->attributes->start);
}

Node analyse_initial_row(const Analysis *n, const InitialRow *row)
{
    Assembly *a = n->assembly;
    if (row->kind == INITIAL_EQUATION) {
        const SystemEquation *e = &n->system.initial[row->number];
        return dag_subtract(a->dag, e->left, e->right);
    }
    const uint32_t variable = system_derivative(&n->system, row->number, row->order);
    return dag_subtract(a->dag, dag_reference(a->dag, variable), analyse_start_value(a, variable));
}

static bool report(const Analysis *n, const SolutionFailure *failure,
                   const SystemEquation *equations)
{
    const SignatureEquation *e = &equations[failure->equation].about;
    diagnostics_error(n->assembly->diagnostics, e->span,
                      "the equation %s must be differentiated, but cannot: %s", e->text,
                      failure->reason ? failure->reason : "a function has no derivative");
    return false;
}

static bool solve(Analysis *n)
{
    Assembly *a = n->assembly;
    Arena *arena = a->dag->arena;
    SolutionFailure failure = {0};
    n->flow = solution_create(arena, &n->system, n->structure, &failure);
    if (!n->flow)
        return report(n, &failure, n->system.equations);
    Node *starts = ARENA_ARRAY(arena, n->initial->unknown_count, Node);
    for (uint32_t i = 0; i < n->initial->unknown_count; i++) {
        const InitialUnknown *unknown = &n->initial->unknowns[i];
        starts[i] =
            analyse_start_value(a, system_derivative(&n->system, unknown->number, unknown->order));
    }
    n->start = solution_initial(arena, &n->system, n->initial, starts, &failure);
    if (!n->start) {
        diagnostics_error(a->diagnostics, a->flat->span,
                          "the initial equations cannot be solved: %s",
                          failure.reason ? failure.reason : "a function has no derivative");
        return false;
    }
    return true;
}

const double *analyse_nominals(const Analysis *n)
{
    const Dag *dag = n->assembly->dag;
    double *nominals = ARENA_ARRAY(dag->arena, dag->variable_count, double);
    for (uint32_t j = 0; j < n->system.variable_count; j++)
        for (uint32_t v = n->system.variables[j].origin; v != DAG_NONE;
             v = dag->variables[v].derivative)
            nominals[v] = n->system.variables[j].nominal;
    return nominals;
}

bool analyse(Assembly *a, Analysis *n)
{
    *n = (Analysis){.assembly = a,
                    .system = {.dag = a->dag,
                               .equations = list_equations(a, &a->equations),
                               .initial = list_equations(a, &a->initial_equations),
                               .variables = list_variables(a),
                               .equation_count = a->equations.count,
                               .initial_count = a->initial_equations.count,
                               .variable_count = a->continuous_count}};
    return find_structure(n) && find_initial(n) && solve(n);
}
