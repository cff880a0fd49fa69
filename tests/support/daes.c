// SPDX-License-Identifier: MIT

#include "support/daes.h"

#include "equations/print.h"
#include "numerics/dense.h"
#include "structure/conversion.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

DaesModel daes_begin(void)
{
    Arena *arena = arena_create(NULL);
    return (DaesModel){.arena = arena, .dag = dag_create(arena)};
}

void daes_end(DaesModel *m)
{
    arena_destroy(m->arena);
}

Node daes_variable(DaesModel *m, const char *name)
{
    uint32_t v = dag_add_variable(m->dag, name, DAG_PLAIN, DAG_REAL, DAG_CONTINUOUS);
    m->variables[m->system.variable_count++] = (SignatureVariable){.name = name, .origin = v};
    return dag_reference(m->dag, v);
}

Node daes_input(DaesModel *m, const char *name, DagVariability variability)
{
    uint32_t v = dag_add_variable(m->dag, name, DAG_PLAIN, DAG_REAL, variability);
    bool is_free = variability == DAG_PARAMETER;
    m->inputs[m->system.input_count++] =
        (SignatureVariable){.name = name, .origin = v, .is_free = is_free, .has_start = is_free};
    return dag_reference(m->dag, v);
}

Node daes_der(DaesModel *m, Node x)
{
    return dag_reference(m->dag, dag_derivative_variable(m->dag, dag_get(m->dag, x)->number));
}

void daes_equate(DaesModel *m, Node left, Node right)
{
    StringBuilder b = builder_create(m->arena);
    print_equation(m->dag, left, right, &b);
    m->equations[m->system.equation_count++] =
        (SystemEquation){left, right, {.text = builder_string(&b).text}};
}

void daes_equate_initially(DaesModel *m, Node left, Node right)
{
    m->initial[m->system.initial_count++] = (SystemEquation){left, right, {.text = "initial"}};
}

void daes_analyse(DaesModel *m)
{
    SolutionFailure failure = {0};
    m->system.dag = m->dag;
    m->system.equations = m->equations;
    m->system.initial = m->initial;
    m->system.variables = m->variables;
    m->system.inputs = m->inputs;
    const Signature *signature;
    m->converted = conversion_apply(m->arena, &m->system, &signature);
    m->structure = structure_create(m->arena, signature, NULL);
    assert_non_null(m->structure);
    m->solution = solution_create(m->arena, m->converted, m->structure, &failure);
    assert_non_null(m->solution);
    m->values = graph_values(m->dag, DAES_ROOM);
}

double *daes_value(DaesModel *m, Node x)
{
    return &m->values.scalars[dag_get(m->dag, x)->number];
}

// ---------------------------------------------------------------------------
// Evaluation
// ---------------------------------------------------------------------------

static void define(DaesModel *m, const SolutionBlock *b)
{
    for (uint32_t k = 0; k < b->definition_count; k++)
        m->values.scalars[b->definitions[k].variable] =
            graph_evaluate(m->dag, b->definitions[k].value, &m->values);
}

// One step of Newton's method; returns its largest component.
static double newton_step(DaesModel *m, const SolutionBlock *b)
{
    int n = (int)b->unknown_count, pivot[DAES_MOST];
    double a[DAES_MOST * DAES_MOST] = {0.0}, r[DAES_MOST], largest = 0.0;
    for (int k = 0; k < n; k++) {
        r[k] = -graph_evaluate(m->dag, b->residuals[k], &m->values);
        for (uint32_t e = b->column_start[k]; e < b->column_start[k + 1]; e++)
            a[k * n + (int)b->rows[e]] = graph_evaluate(m->dag, b->entries[e], &m->values);
    }
    assert_int_equal(dense_factor(n, a, pivot), 0);
    dense_solve(n, a, pivot, r);
    for (int k = 0; k < n; k++) {
        m->values.scalars[b->unknowns[k]] += r[k];
        largest = fmax(largest, fabs(r[k]));
    }
    return largest;
}

void daes_evaluate(DaesModel *m, const Solution *s, double t)
{
    m->values.scalars[DAG_TIME_VARIABLE] = t;
    for (uint32_t k = 0; k < s->block_count; k++) {
        const SolutionBlock *b = &s->blocks[k];
        define(m, b);
        for (int i = 0; b->unknown_count > 0; i++) {
            assert_true(i < 50);
            double step = newton_step(m, b);
            define(m, b);
            // linear blocks need one step; Newton's method is quadratic
            if (b->kind != STRUCTURE_NONLINEAR || step < 1e-9)
                break;
        }
    }
}

// Classical Runge-Kutta steps of size h.
void daes_step(DaesModel *m, double t, double h)
{
    const Solution *s = m->solution;
    double x[DAES_MOST], k[4][DAES_MOST];
    static const double c[4] = {0.0, 0.5, 0.5, 1.0};
    for (uint32_t i = 0; i < s->state_count; i++)
        x[i] = m->values.scalars[s->states[i].variable];
    for (int stage = 0; stage < 4; stage++) {
        for (uint32_t i = 0; i < s->state_count && stage > 0; i++)
            m->values.scalars[s->states[i].variable] = x[i] + c[stage] * h * k[stage - 1][i];
        daes_evaluate(m, s, t + c[stage] * h);
        for (uint32_t i = 0; i < s->state_count; i++)
            k[stage][i] = m->values.scalars[s->states[i].derivative];
    }
    for (uint32_t i = 0; i < s->state_count; i++)
        m->values.scalars[s->states[i].variable] =
            x[i] + h / 6.0 * (k[0][i] + 2.0 * k[1][i] + 2.0 * k[2][i] + k[3][i]);
    daes_evaluate(m, s, t + h);
}

// All equations of the model hold.
void daes_assert_consistent(DaesModel *m, double tolerance)
{
    for (uint32_t i = 0; i < m->system.equation_count; i++) {
        double left = graph_evaluate(m->dag, m->equations[i].left, &m->values);
        double right = graph_evaluate(m->dag, m->equations[i].right, &m->values);
        assert_true(fabs(left - right) <= tolerance * (1.0 + fabs(left)));
    }
}

int daes_run(DaesModel *m, double end, int steps)
{
    double *jacobian =
        ARENA_ARRAY(m->arena, signature_entry_count(m->structure->signature), double);
    Selector *selector = selection_selector(m->arena, m->structure->plan);
    uint32_t *states = ARENA_ARRAY(m->arena, m->structure->signature->variable_count, uint32_t);
    SolutionFailure failure;
    int changes = 0;
    for (int k = 0; k < steps; k++) {
        for (uint32_t n = 0; n < m->solution->pivot_count; n++)
            jacobian[m->solution->pivots[n].entry] =
                graph_evaluate(m->dag, m->solution->pivots[n].coefficient, &m->values);
        if (k == 0)
            selection_make(selector, jacobian, states);
        if (k == 0 || selection_improve(selector, jacobian, 0.5, states)) {
            m->structure = structure_with_states(m->arena, m->structure, states);
            m->solution = solution_create(m->arena, m->converted, m->structure, &failure);
            changes++;
        }
        daes_step(m, k * end / steps, end / steps);
    }
    return changes;
}
