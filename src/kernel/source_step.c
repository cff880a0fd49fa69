// SPDX-License-Identifier: MIT
//
// The equations of a mode, with their derivatives, and one step of the solver, unrolled.

#include "kernel/forward.h"
#include "kernel/source_parts.h"
#include "solvers/rosenbrock.h"
#include "solvers/tableau.h"

#include <stdio.h>

// ---------------------------------------------------------------------------
// Equations
// ---------------------------------------------------------------------------

#define SOURCE_INPUTS(type)                                                                        \
    "const " type " *t, const " type " *x, const " type " *p, const " type " *m, const " type      \
    " *held, "

static void source_flow(const Source *s, bool is_vector)
{
    const CodeModule *module = s->m->flow->module;
    const ForwardDef def = {.name = is_vector ? "v_flow" : "s_flow",
                            .type = is_vector ? "V" : "double",
                            .call = is_vector ? "v_" : "s_",
                            .arguments = is_vector ? SOURCE_INPUTS("V") "V *y"
                                                   : SOURCE_INPUTS("double") "double *y",
                            .parameters = s->def->parameters,
                            .is_moved = s->is_moved};
    forward_emit(module, module->entries[s->m->flow->flow], &def, NULL, s->out);
}

// Event functions y.
static void source_events(const Source *s)
{
    const CodeModule *module = s->m->flow->module;
    const ForwardDef def = {.name = "v_events",
                            .type = "V",
                            .call = "v_",
                            .arguments = SOURCE_INPUTS("V") "V *y",
                            .parameters = s->def->parameters,
                            .is_moved = s->is_moved};
    forward_emit(module, module->entries[s->m->flow->entries[MODEL_EVENTS]], &def, NULL, s->out);
}

// Time and states along the flow f.
static const ForwardSeed *source_along(const Source *s)
{
    const uint32_t n = s->m->state_count;
    ForwardSeed *seeds = ARENA_ARRAY(s->out->arena, n + 1, ForwardSeed);
    for (uint32_t i = 0; i < n; i++) {
        StringBuilder text = builder_create(s->out->arena);
        builder_append_format(&text, "f[%u]", i);
        seeds[i] = (ForwardSeed){PROGRAM_STATES, i, 0, builder_string(&text).text};
    }
    seeds[n] = (ForwardSeed){PROGRAM_TIME, 0, 0, "1.0"};
    return seeds;
}

// What is observed: y, of extrema, integrals, values at a time, in this order; with their
// derivatives dy along the flow f (is_along).
static void source_probes(const Source *s, bool is_vector, bool is_along)
{
    static const KernelTermKind kinds[][2] = {{KERNEL_MAXIMUM, KERNEL_TIME_OF_MINIMUM},
                                              {KERNEL_INTEGRAL, KERNEL_INTEGRAL},
                                              {KERNEL_AT_TIME, KERNEL_AT_TIME}};
    const KernelDef *d = s->def;
    const Mode *m = s->m;
    const CodeModule *module = m->flow->module;
    uint32_t *results = ARENA_ARRAY(s->out->arena, d->term_count + 1, uint32_t);
    uint32_t *places = ARENA_ARRAY(s->out->arena, s->model->output_count + 1, uint32_t);
    uint32_t count = 0;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (uint32_t i = 0; i < d->term_count; i++)
            if (d->terms[i].kind >= kinds[k][0] && d->terms[i].kind <= kinds[k][1])
                results[count++] = d->terms[i].probe;
    for (uint32_t i = 0; i < s->model->output_count; i++)
        places[i] = CODE_NONE;
    for (uint32_t k = 0; k < m->flow->counts[MODEL_OUTPUTS]; k++)
        places[m->outputs ? m->outputs[k] : k] = k;
    char name[64];
    snprintf(name, sizeof name, "%s_probe%s", is_vector ? "v" : "s", is_along ? "_rates" : "s");
    const char *arguments = is_along
                                ? SOURCE_INPUTS("double") "const double *f, double *y, double *dy"
                                : SOURCE_INPUTS("double") "double *y";
    if (is_vector)
        arguments =
            is_along ? SOURCE_INPUTS("V") "const V *f, V *y, V *dy" : SOURCE_INPUTS("V") "V *y";
    const ForwardDef def = {.name = name,
                            .type = is_vector ? "V" : "double",
                            .call = is_vector ? "v_" : "s_",
                            .arguments = arguments,
                            .seeds = source_along(s),
                            .seed_count = m->state_count + 1,
                            .direction_count = is_along,
                            .parameters = d->parameters,
                            .is_moved = s->is_moved,
                            .nodes = d->nodes,
                            .node_count = d->node_count,
                            .output_places = places,
                            .results = results,
                            .result_count = count};
    forward_emit(module, module->entries[m->flow->entries[MODEL_OUTPUTS]], &def, NULL, s->out);
}

// Event functions y with their derivatives dy along the flow f.
static void source_rates(const Source *s, bool is_vector)
{
    const CodeModule *module = s->m->flow->module;
    const uint32_t n = s->m->state_count;
    const ForwardDef def = {
        .name = is_vector ? "v_rates" : "s_rates",
        .type = is_vector ? "V" : "double",
        .call = is_vector ? "v_" : "s_",
        .arguments = is_vector ? SOURCE_INPUTS("V") "const V *f, V *y, V *dy"
                               : SOURCE_INPUTS("double") "const double *f, double *y, double *dy",
        .seeds = source_along(s),
        .seed_count = n + 1,
        .direction_count = 1,
        .parameters = s->def->parameters,
        .is_moved = s->is_moved};
    forward_emit(module, module->entries[s->m->flow->entries[MODEL_EVENTS]], &def, NULL, s->out);
}

// The flow y and its Jacobian, column by column, then by time.
static void source_jacobian(const Source *s, bool *is_there)
{
    const CodeModule *module = s->m->flow->module;
    const uint32_t n = s->m->state_count;
    ForwardSeed *seeds = ARENA_ARRAY(s->out->arena, n + 1, ForwardSeed);
    for (uint32_t i = 0; i < n; i++)
        seeds[i] = (ForwardSeed){PROGRAM_STATES, i, i, "1.0"};
    seeds[n] = (ForwardSeed){PROGRAM_TIME, 0, n, "1.0"};
    const ForwardDef def = {.name = "v_jacobian",
                            .type = "V",
                            .call = "v_",
                            .arguments = SOURCE_INPUTS("V") "V *y, V *dy",
                            .seeds = seeds,
                            .seed_count = n + 1,
                            .direction_count = n + 1,
                            .parameters = s->def->parameters,
                            .is_moved = s->is_moved};
    forward_emit(module, module->entries[s->m->flow->flow], &def, is_there, s->out);
}

// ---------------------------------------------------------------------------
// Linear equations
// ---------------------------------------------------------------------------

// The matrix diagonal - J without exchange of rows, its zeros left out: L below the diagonal of
// LU[row * n + column], and the inverse of the diagonal of U on it. A pivot that is small makes a
// large error, or none at all: the step is refused and tried again with a smaller one, whose
// diagonal is larger.
static void source_factor(const Source *s, const bool *jacobian, bool *is_there)
{
    StringBuilder *out = s->out;
    const uint32_t n = s->m->state_count;
    builder_append_text(out, "\nFN void v_factor(const V *dy, V diagonal, V *a)\n{\n");
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++) {
            const bool has = jacobian[j * n + i];
            is_there[i * n + j] = has || i == j;
            if (!is_there[i * n + j])
                continue;
            builder_append_format(out, "    a[%u] = %s", i * n + j, i == j ? "diagonal" : "");
            if (has)
                builder_append_format(out, " - dy[%u]", j * n + i);
            builder_append_text(out, ";\n");
        }
    for (uint32_t k = 0; k < n; k++) {
        builder_append_format(out, "    a[%u] = v_inverse(a[%u]);\n", k * n + k, k * n + k);
        for (uint32_t i = k + 1; i < n; i++) {
            if (!is_there[i * n + k])
                continue;
            builder_append_format(out, "    a[%u] *= a[%u];\n", i * n + k, k * n + k);
            for (uint32_t j = k + 1; j < n; j++) {
                if (!is_there[k * n + j])
                    continue;
                builder_append_format(out, "    a[%u] %s a[%u] * a[%u];\n", i * n + j,
                                      is_there[i * n + j] ? "-=" : "= -", i * n + k, k * n + j);
                is_there[i * n + j] = true;
            }
        }
    }
    builder_append_text(out, "}\n");
}

static void source_solve(const Source *s, const bool *is_there)
{
    StringBuilder *out = s->out;
    const uint32_t n = s->m->state_count;
    builder_append_text(out, "\nFN void v_solve(const V *a, V *b)\n{\n");
    for (uint32_t i = 1; i < n; i++)
        for (uint32_t j = 0; j < i; j++)
            if (is_there[i * n + j])
                builder_append_format(out, "    b[%u] -= a[%u] * b[%u];\n", i, i * n + j, j);
    for (uint32_t i = n; i-- > 0;) {
        for (uint32_t j = i + 1; j < n; j++)
            if (is_there[i * n + j])
                builder_append_format(out, "    b[%u] -= a[%u] * b[%u];\n", i, i * n + j, j);
        builder_append_format(out, "    b[%u] *= a[%u];\n", i, i * n + i);
    }
    builder_append_text(out, "}\n");
}

// ---------------------------------------------------------------------------
// A step
// ---------------------------------------------------------------------------

// " + w0 u0[k] + w1 u1[k] ..."
static void source_sum(StringBuilder *out, const double *weights, uint32_t count, uint32_t k,
                       const char *sign)
{
    for (uint32_t j = 0; j < count; j++) {
        if (weights[j] == 0.0)
            continue;
        builder_append_text(out, sign);
        sign = " + ";
        source_number(out, weights[j]);
        builder_append_format(out, " * u%u[%u]", j, k);
    }
}

static void source_stage(const Source *s, uint32_t i, const bool *by_time)
{
    const RosenbrockTableau *r = &rosenbrock_rodas5p;
    StringBuilder *out = s->out;
    const uint32_t n = s->m->state_count;
    builder_append_format(out, "    V u%u[N];\n", i);
    if (i > 0) {
        for (uint32_t k = 0; k < n; k++) {
            if (i < (uint32_t)r->chained) {
                builder_append_format(out, "    y[%u] = x[%u]", k, k);
                source_sum(out, r->a[i], i, k, " + ");
            } else {
                builder_append_format(out, "    y[%u] = y[%u] + u%u[%u]", k, k, i - 1, k);
            }
            builder_append_text(out, ";\n");
        }
        builder_append_text(out, "    at = *t + ");
        source_number(out, r->time[i]);
        builder_append_format(out, " * h;\n    v_flow(&at, y, p, m, held, u%u);\n", i);
    }
    for (uint32_t k = 0; k < n; k++) {
        if (i == 0) {
            builder_append_format(out, "    u0[%u] = f[%u]", k, k);
        } else {
            builder_append_format(out, "    u%u[%u] = u%u[%u] + over * (", i, k, i, k);
            source_sum(out, r->c[i], i, k, "");
            builder_append_text(out, ")");
        }
        if (by_time[k] && r->slope[i] != 0.0) {
            builder_append_text(out, " + h * ");
            source_number(out, r->slope[i]);
            builder_append_format(out, " * dy[%u]", n * n + k);
        }
        builder_append_text(out, ";\n");
    }
    builder_append_format(out, "    v_solve(a, u%u);\n", i);
}

#define SOURCE_STEP_HEAD "\nFN void v_step(" SOURCE_INPUTS("V") "V h, V *f, V *y, V *e, V *d)\n{\n"

// The same of an explicit method, whose continuous extension (solvers/tableau.h) is one with d =
// r1, r2 + r3, -r3.
static void source_explicit_step(const Source *s, const Tableau *r)
{
    StringBuilder *out = s->out;
    const uint32_t n = s->m->state_count, stages = (uint32_t)r->stages;
    builder_append_text(out, SOURCE_STEP_HEAD "    V at;\n    v_flow(t, x, p, m, held, f);\n");
    for (uint32_t i = 0; i <= stages; i++) {
        builder_append_format(out, "    V u%u[N];\n", i);
        for (uint32_t k = 0; k < n; k++) {
            if (i == 0) {
                builder_append_format(out, "    u0[%u] = f[%u];\n", k, k);
                continue;
            }
            builder_append_format(out, "    y[%u] = x[%u] + h * (", k, k);
            source_sum(out, r->a[i], i, k, "");
            builder_append_text(out, ");\n");
        }
        if (i == 0)
            continue;
        builder_append_text(out, "    at = *t + ");
        source_number(out, r->c[i]);
        builder_append_format(out, " * h;\n    v_flow(&at, y, p, m, held, u%u);\n", i);
    }
    for (uint32_t k = 0; k < n; k++) {
        builder_append_format(out, "    e[%u] = h * (", k);
        source_sum(out, r->error, stages + 1, k, "");
        builder_append_format(out, ");\n    const V rise%u = y[%u] - x[%u], top%u = h * (", k, k, k,
                              k);
        source_sum(out, r->dense[0], stages + 1, k, "");
        builder_append_format(out,
                              ");\n    d[%u] = h * u0[%u] - rise%u;\n"
                              "    d[%u] = rise%u - h * u%u[%u] - d[%u] + top%u;\n"
                              "    d[%u] = -top%u;\n",
                              k, k, k, n + k, k, stages, k, k, k, 2 * n + k, k);
    }
    builder_append_text(out, "}\n");
}

// From x: f there, the end y, its error e, and d of the continuous extension
// (solvers/rosenbrock.h).
static void source_step(const Source *s, const bool *jacobian)
{
    const RosenbrockTableau *r = &rosenbrock_rodas5p;
    StringBuilder *out = s->out;
    const uint32_t n = s->m->state_count, stages = (uint32_t)r->stages;
    builder_append_text(out, SOURCE_STEP_HEAD "    V dy[N * (N + 1)], a[N * N], at;\n"
                                              "    const V over = v_inverse(h);\n"
                                              "    v_jacobian(t, x, p, m, held, f, dy);\n"
                                              "    v_factor(dy, over * ");
    source_number(out, 1.0 / r->gamma);
    builder_append_text(out, ", a);\n");
    for (uint32_t i = 0; i < stages; i++)
        source_stage(s, i, jacobian + (size_t)n * n);
    for (uint32_t k = 0; k < n; k++) {
        builder_append_format(out, "    y[%u] = y[%u] + u%u[%u];\n", k, k, stages - 1, k);
        builder_append_format(out, "    e[%u] = u%u[%u];\n", k, stages - 1, k);
        for (uint32_t term = 0; term < ROSENBROCK_DENSE_TERMS; term++) {
            builder_append_format(out, "    d[%u] = ", term * n + k);
            source_sum(out, r->dense[term], stages, k, "");
            builder_append_text(out, ";\n");
        }
    }
    builder_append_text(out, "}\n");
}

void source_equations(const Source *s)
{
    StringBuilder *out = s->out;
    const uint32_t n = s->m->state_count;
    bool *jacobian = ARENA_ARRAY(out->arena, (size_t)n * (n + 1), bool);
    bool *factors = ARENA_ARRAY(out->arena, (size_t)n * n, bool);
    source_flow(s, true);
    source_flow(s, false);
    source_events(s);
    source_rates(s, true);
    source_rates(s, false);
    for (int k = 0; k < 4 && s->def->node_count; k++)
        source_probes(s, k < 2, k % 2 == 1);
    if (s->def->method.solver == SALTUS_SOLVER_DOPRI5) {
        source_explicit_step(s, tableau_of(SALTUS_SOLVER_DOPRI5));
        return;
    }
    source_jacobian(s, jacobian);
    source_factor(s, jacobian, factors);
    source_solve(s, factors);
    source_step(s, jacobian);
}
