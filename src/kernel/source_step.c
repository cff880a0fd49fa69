// SPDX-License-Identifier: MIT
//
// The equations of a mode, with their derivatives, and one step of the solver, unrolled: functions
// of vectors V of lanes (v_...), and some of one number (s_...).
//
// Unknowns w of a block r(w, x, t) = 0 come from Newton's method, and their derivatives from its
// last matrix A = dr/dw, by the implicit function theorem: dw = -A^-1 dr. What depends on unknowns
// is differentiated with these as inputs (forward.h), so nothing is differentiated through an
// iteration.
//
// A step is one of Rodas5P (solvers/rosenbrock.h) or of an explicit method (solvers/tableau.h). All
// of it is known when the text is written: zeros of a tableau are no products, and the matrix
// 1/(gamma h) - J is factored without exchange of rows, with the places that fill in found here.
// An iteration that does not converge, or a pivot that is small, makes what is no number or a large
// error: the step is refused and tried again with a smaller one.
//
//   x, f, p, m, held   states, their rates, parameters, memory, held conditions
//   y, dy              what a function computes; its derivatives, one direction after the other
//   u0, u1, ...        stages of a step; e its error, d the continuous extension

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

// The vectors of functions: "V", or "double" for one number.
static const char *source_type(bool is_vector)
{
    return is_vector ? "V" : "double";
}

static const char *source_format(const Source *s, const char *format, const char *type)
{
    StringBuilder text = builder_create(s->out->arena);
    for (; *format; format++)
        if (*format == '@') // the type
            builder_append_text(&text, type);
        else
            builder_append(&text, format, 1);
    return builder_string(&text).text;
}

// Whether the equations have blocks to be solved, so that unknowns come first.
static bool source_has_blocks(const Source *s)
{
    return s->m->flow->flow == CODE_NONE;
}

// "const V *const w0 = w + 0; ..."
static const char *source_stage_vectors(const Source *s, bool is_vector)
{
    const Program *p = s->m->flow;
    StringBuilder text = builder_create(s->out->arena);
    for (uint32_t k = 0; k < p->stage_count; k++)
        builder_append_format(&text, "    const %s *const %s = w + %u;\n", source_type(is_vector),
                              p->module->layout.input_names[PROGRAM_VECTOR_COUNT + k],
                              p->stages[k].first);
    return builder_string(&text).text;
}

#define SOURCE_KNOWN "const @ *t, const @ *x, const @ *p, const @ *m, const @ *held, "
#define SOURCE_PASSED "t, x, p, m, held, "

// How unknowns are computed: their values, with derivatives along the flow, with all derivatives.
typedef enum SourceWay { SOURCE_VALUES, SOURCE_ALONG, SOURCE_BY_STATES } SourceWay;

static const char *const way_names[] = {"unknowns", "unknowns_along", "unknowns_by"};

static uint32_t way_directions(const Source *s, SourceWay way)
{
    return way == SOURCE_VALUES ? 0 : way == SOURCE_ALONG ? 1 : s->m->states.count + 1;
}

// What derivatives begin with: states, time, and (with_unknowns) unknowns of other stages than
// `own`, where is_there[direction * unknowns + place] says so.
static const ForwardSeed *source_seeds(const Source *s, SourceWay way, bool with_unknowns,
                                       uint32_t own, const bool *is_there, uint32_t *count)
{
    const Program *p = s->m->flow;
    const uint32_t n = s->m->states.count, directions = way_directions(s, way);
    ForwardSeed *seeds =
        ARENA_ARRAY(s->out->arena, n + 1 + (size_t)directions * p->unknown_count, ForwardSeed);
    *count = 0;
    for (uint32_t i = 0; i <= n && way != SOURCE_VALUES; i++) {
        StringBuilder text = builder_create(s->out->arena);
        builder_append_format(&text, way == SOURCE_ALONG && i < n ? "f[%u]" : "1.0", i);
        seeds[(*count)++] = (ForwardSeed){i < n ? PROGRAM_STATES : PROGRAM_TIME, i < n ? i : 0,
                                          way == SOURCE_ALONG ? 0 : i, builder_string(&text).text};
    }
    for (uint32_t k = 0; k < p->stage_count && with_unknowns; k++)
        for (uint32_t i = 0; i < p->stages[k].size && k != own; i++)
            for (uint32_t d = 0; d < directions; d++) {
                const uint32_t place = d * p->unknown_count + p->stages[k].first + i;
                StringBuilder text = builder_create(s->out->arena);
                builder_append_format(&text, "dw[%u]", place);
                if (!is_there || is_there[place])
                    seeds[(*count)++] =
                        (ForwardSeed){PROGRAM_VECTOR_COUNT + k, i, d, builder_string(&text).text};
            }
    return seeds;
}

// An entry of the flow as a function of what is known, of unknowns w, and their derivatives dw.
// is_there: see forward_emit.
static void source_entry(const Source *s, uint32_t entry, const char *name, bool is_vector,
                         SourceWay way, uint32_t own, const bool *is_known, bool *is_there)
{
    const CodeModule *module = s->m->flow->module;
    uint32_t seed_count;
    const ForwardSeed *seeds = source_seeds(s, way, true, own, is_known, &seed_count);
    const char *arguments = way == SOURCE_VALUES ? SOURCE_KNOWN "const @ *w, @ *y"
                            : way == SOURCE_ALONG
                                ? SOURCE_KNOWN "const @ *f, const @ *w, const @ *dw, @ *y, @ *dy"
                                : SOURCE_KNOWN "const @ *w, const @ *dw, @ *y, @ *dy";
    const ForwardDef def = {.name = name,
                            .type = source_type(is_vector),
                            .call = is_vector ? "v_" : "s_",
                            .arguments = source_format(s, arguments, source_type(is_vector)),
                            .preface = source_stage_vectors(s, is_vector),
                            .seeds = seeds,
                            .seed_count = seed_count,
                            .direction_count = way_directions(s, way),
                            .parameters = s->def->parameters,
                            .is_moved = s->is_moved};
    forward_emit(module, module->entries[entry], &def, is_there, s->out);
}

// The text that solves a block of z equations: Newton's method, from zero in one step if they are
// linear; then derivatives dw = -A^-1 dr by the last matrix. What does not converge is not a
// number.
static void source_block(const Source *s, uint32_t k, const char *rows, bool is_vector,
                         SourceWay way, const bool *is_there)
{
    const Program *p = s->m->flow;
    const Stage *block = &p->stages[k];
    const uint32_t z = block->size;
    const bool is_linear = block->kind == STAGE_LINEAR;
    const char type = is_vector ? 'v' : 's';
    StringBuilder *out = s->out;
    builder_append_format(out, "    {\n    %s r[%u], a[%u], most = %c_N(0.0);\n",
                          source_type(is_vector), z, z * z, type);
    for (uint32_t i = 0; i < z; i++) {
        builder_append_format(out, "    w[%u] = ", block->first + i);
        if (is_linear)
            builder_append_format(out, "%c_N(0.0);\n", type);
        else
            builder_append_format(out, "held[NE + %u];\n", block->guess + i);
    }
    builder_append_format(out,
                          "    for (int k = 0; k < %d; k++) {\n"
                          "        for (int i = 0; i < %u; i++)\n            a[i] = %c_N(0.0);\n"
                          "        %c_residuals%u(" SOURCE_PASSED "w, r);\n"
                          "        %c_matrix%u(" SOURCE_PASSED "w, a);\n"
                          "        %c_block(%u, a);\n        %c_again(%u, a, r);\n"
                          "        most = %c_N(0.0);\n",
                          is_linear ? (z == 1 ? 1 : 2) : 8, z * z, type, type, k, type, k, type, z,
                          type, z, type);
    for (uint32_t i = 0; i < z; i++)
        builder_append_format(
            out,
            "        w[%u] = w[%u] - r[%u];\n"
            "        most = %c_MAXIMUM(most, %c_ABS(r[%u]) - 1e-9 * (%c_ABS(w[%u])"
            " + %.17g));\n",
            block->first + i, block->first + i, i, type, type, i, type, block->first + i,
            p->nominals[block->first + i]);
    builder_append_format(out, "        if (%c_none_above(most))\n            break;\n    }\n",
                          type);
    if (!is_linear || z > 1)
        for (uint32_t i = 0; i < z; i++)
            builder_append_format(out,
                                  "    w[%u] = %c_IF(%c_GREATER(most, %c_N(0.0)), "
                                  "%c_N(NOT_A_NUMBER), w[%u]);\n",
                                  block->first + i, type, type, type, type, block->first + i);
    const uint32_t directions = way_directions(s, way);
    if (directions) {
        builder_append_format(out,
                              "    %s dr[%u];\n    for (int i = 0; i < %u; i++)\n"
                              "        dr[i] = %c_N(0.0);\n"
                              "    %s(" SOURCE_PASSED "%sw, dw, r, dr);\n",
                              source_type(is_vector), z * directions, z * directions, type, rows,
                              way == SOURCE_ALONG ? "f, " : "");
        for (uint32_t d = 0; d < directions; d++) {
            if (!is_there[d * p->unknown_count + block->first])
                continue;
            builder_append_format(out, "    %c_again(%u, a, dr + %u);\n", type, z, d * z);
            for (uint32_t i = 0; i < z; i++)
                builder_append_format(out, "    dw[%u] = -dr[%u];\n",
                                      d * p->unknown_count + block->first + i, d * z + i);
        }
    }
    builder_append_text(out, "    }\n");
}

static uint32_t source_stage_count(const Program *p, ProgramLevel level)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < p->stage_count && p->stages[k].level <= level; k++)
        count += !p->stages[k].is_rate;
    return count;
}

// The first level that has all unknowns of this one: its function does for both.
static int source_level(const Source *s, SourceWay way, ProgramLevel level)
{
    const uint32_t count = source_stage_count(s->m->flow, level);
    if (way != SOURCE_ALONG && source_stage_count(s->m->flow, PROGRAM_FLOW) == count)
        return PROGRAM_FLOW;
    return source_stage_count(s->m->flow, PROGRAM_EVENTS) == count ? PROGRAM_EVENTS : (int)level;
}

// All unknowns w up to a level, with their derivatives dw. is_there: which there are.
static void source_unknowns(const Source *s, bool is_vector, SourceWay way, ProgramLevel level,
                            bool *is_there)
{
    if (source_level(s, way, level) != (int)level)
        return; // it is there
    const Program *p = s->m->flow;
    StringBuilder body = builder_create(s->out->arena);
    StringBuilder *out = s->out;
    Source inner = *s;
    const char type = is_vector ? 'v' : 's';
    const uint32_t directions = way_directions(s, way);
    char name[64];
    inner.out = &body;
    for (uint32_t k = 0; k < p->stage_count && p->stages[k].level <= level; k++) {
        const Stage *stage = &p->stages[k];
        bool *there = ARENA_ARRAY(out->arena, (size_t)directions * stage->size + 1, bool);
        if (stage->is_rate)
            continue;
        const bool is_block = stage->kind != STAGE_EXPLICIT;
        snprintf(name, sizeof name, "%c_rows%u_%s%d", type, k, way_names[way], (int)level);
        if (!is_block || directions)
            source_entry(s, stage->entry, name, is_vector, way, is_block ? k : CODE_NONE, is_there,
                         there);
        for (uint32_t d = 0; d < directions; d++)
            for (uint32_t i = 0; i < stage->size; i++)
                for (uint32_t j = 0; j < stage->size; j++)
                    if (is_block ? there[d * stage->size + j]
                                 : i == j && there[d * stage->size + i])
                        is_there[d * p->unknown_count + stage->first + i] = true;
        if (is_block) {
            source_block(&inner, k, name, is_vector, way, is_there);
            continue;
        }
        builder_append_format(&body, "    %s(" SOURCE_PASSED "%sw, %sw + %u%s);\n", name,
                              way == SOURCE_ALONG ? "f, " : "", directions ? "dw, " : "",
                              stage->first, directions ? ", dy" : "");
        for (uint32_t d = 0; d < directions; d++)
            for (uint32_t i = 0; i < stage->size; i++)
                if (there[d * stage->size + i])
                    builder_append_format(&body, "    dw[%u] = dy[%u];\n",
                                          d * p->unknown_count + stage->first + i,
                                          d * stage->size + i);
    }
    snprintf(name, sizeof name, "%c_%s%d", type, way_names[way], (int)level);
    builder_append_format(out, "\nFAR void %s(%s)\n{\n", name,
                          source_format(s,
                                        way == SOURCE_VALUES  ? SOURCE_KNOWN "@ *w"
                                        : way == SOURCE_ALONG ? SOURCE_KNOWN
                                            "const @ *f, @ *w, @ *dw"
                                                              : SOURCE_KNOWN "@ *w, @ *dw",
                                        source_type(is_vector)));
    if (directions)
        builder_append_format(out, "    %s dy[%u];\n    (void)dy;\n", source_type(is_vector),
                              directions * p->unknown_count + 1);
    const String text = builder_string(&body);
    builder_append(out, text.text, text.length);
    builder_append_text(out, "}\n");
}

// Residuals and matrices of the blocks.
static void source_blocks(const Source *s, bool is_vector)
{
    const Program *p = s->m->flow;
    char name[64];
    for (uint32_t k = 0; k < p->stage_count; k++) {
        if (p->stages[k].kind == STAGE_EXPLICIT || p->stages[k].is_rate)
            continue;
        snprintf(name, sizeof name, "%c_residuals%u", is_vector ? 'v' : 's', k);
        source_entry(s, p->stages[k].entry, name, is_vector, SOURCE_VALUES, CODE_NONE, NULL, NULL);
        snprintf(name, sizeof name, "%c_matrix%u", is_vector ? 'v' : 's', k);
        source_entry(s, p->stages[k].jacobian, name, is_vector, SOURCE_VALUES, CODE_NONE, NULL,
                     NULL);
    }
}

// Derivatives of the states among the unknowns: y[i] = ...
static void source_read_flow(const Source *s)
{
    const Program *p = s->m->flow;
    for (uint32_t i = 0; i < s->m->states.count; i++)
        if (p->derivatives[i] >= 0)
            builder_append_format(s->out, "    y[%u] = w[%u];\n", i, (uint32_t)p->derivatives[i]);
        else
            builder_append_format(s->out, "    y[%u] = x[%u];\n", i,
                                  (uint32_t)(-1 - p->derivatives[i]));
}

// An entry after its unknowns: NAME(known, y), or NAME(known, f, y, dy).
static void source_after_unknowns(const Source *s, const char *name, const char *inner,
                                  bool is_vector, bool is_along, ProgramLevel level)
{
    const uint32_t unknowns = s->m->flow->unknown_count;
    builder_append_format(
        s->out, "\nFN void %s(%s)\n{\n    %s w[%u], dw[%u];\n    (void)dw;\n", name,
        source_format(s, is_along ? SOURCE_KNOWN "const @ *f, @ *y, @ *dy" : SOURCE_KNOWN "@ *y",
                      source_type(is_vector)),
        source_type(is_vector), unknowns + 1, unknowns + 1);
    builder_append_format(
        s->out, "    %c_%s%d(" SOURCE_PASSED "%sw%s);\n    %s(" SOURCE_PASSED "%sw, %sy%s);\n}\n",
        is_vector ? 'v' : 's', way_names[is_along ? SOURCE_ALONG : SOURCE_VALUES],
        source_level(s, is_along ? SOURCE_ALONG : SOURCE_VALUES, level), is_along ? "f, " : "",
        is_along ? ", dw" : "", inner, is_along ? "f, " : "", is_along ? "dw, " : "",
        is_along ? ", dy" : "");
}

static void source_flow(const Source *s, bool is_vector)
{
    const CodeModule *module = s->m->flow->module;
    if (source_has_blocks(s)) {
        builder_append_format(
            s->out,
            "\nFN void %c_flow(%s)\n{\n    %s w[%u];\n    %c_unknowns%d(" SOURCE_PASSED "w);\n",
            is_vector ? 'v' : 's', source_format(s, SOURCE_KNOWN "@ *y", source_type(is_vector)),
            source_type(is_vector), s->m->flow->unknown_count + 1, is_vector ? 'v' : 's',
            (int)PROGRAM_FLOW);
        source_read_flow(s);
        builder_append_text(s->out, "}\n");
        return;
    }
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
    const uint32_t entry = s->m->flow->entries[MODEL_EVENTS];
    if (source_has_blocks(s)) {
        source_entry(s, entry, "v_event_rows", true, SOURCE_VALUES, CODE_NONE, NULL, NULL);
        source_after_unknowns(s, "v_events", "v_event_rows", true, false, PROGRAM_EVENTS);
        return;
    }
    const ForwardDef def = {.name = "v_events",
                            .type = "V",
                            .call = "v_",
                            .arguments = SOURCE_INPUTS("V") "V *y",
                            .parameters = s->def->parameters,
                            .is_moved = s->is_moved};
    forward_emit(module, module->entries[entry], &def, NULL, s->out);
}

// What is observed: y, of extrema, integrals, values at a time, in this order; with their
// derivatives dy along the flow f (is_along).
static void source_probes(const Source *s, bool is_vector, bool is_along, const bool *is_there)
{
    static const KernelTermKind kinds[][2] = {{KERNEL_MAXIMUM, KERNEL_TIME_OF_MINIMUM},
                                              {KERNEL_INTEGRAL, KERNEL_INTEGRAL},
                                              {KERNEL_AT_TIME, KERNEL_AT_TIME}};
    const KernelDef *d = s->def;
    const Mode *m = s->m;
    const CodeModule *module = m->flow->module;
    uint32_t *results = ARENA_ARRAY(s->out->arena, d->term_count + 1, uint32_t);
    uint32_t *places = ARENA_ARRAY(s->out->arena, s->model->outputs.count + 1, uint32_t);
    uint32_t count = 0;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (uint32_t i = 0; i < d->term_count; i++)
            if (d->terms[i].kind >= kinds[k][0] && d->terms[i].kind <= kinds[k][1])
                results[count++] = d->terms[i].probe;
    for (uint32_t i = 0; i < s->model->outputs.count; i++)
        places[i] = CODE_NONE;
    for (uint32_t k = 0; k < m->flow->counts[MODEL_OUTPUTS]; k++)
        places[m->parts.outputs ? m->parts.outputs[k] : k] = k;
    char name[64];
    snprintf(name, sizeof name, "%s_probe%s", is_vector ? "v" : "s", is_along ? "_rates" : "s");
    const bool has_blocks = source_has_blocks(s);
    const char *arguments = is_along ? SOURCE_KNOWN "const @ *f, @ *y, @ *dy" : SOURCE_KNOWN "@ *y";
    if (has_blocks)
        arguments = is_along ? SOURCE_KNOWN "const @ *f, const @ *w, const @ *dw, @ *y, @ *dy"
                             : SOURCE_KNOWN "const @ *w, @ *y";
    uint32_t seed_count;
    const ForwardSeed *seeds =
        source_seeds(s, SOURCE_ALONG, has_blocks, CODE_NONE, is_there, &seed_count);
    char inner[80];
    snprintf(inner, sizeof inner, "%s%s", name, has_blocks ? "_rows" : "");
    const ForwardDef def = {.name = inner,
                            .type = is_vector ? "V" : "double",
                            .call = is_vector ? "v_" : "s_",
                            .arguments = source_format(s, arguments, source_type(is_vector)),
                            .preface = has_blocks ? source_stage_vectors(s, is_vector) : NULL,
                            .seeds = seeds,
                            .seed_count = seed_count,
                            .direction_count = is_along,
                            .parameters = d->parameters,
                            .is_moved = s->is_moved,
                            .nodes = d->nodes,
                            .node_count = d->node_count,
                            .output_places = places,
                            .results = results,
                            .result_count = count};
    forward_emit(module, module->entries[m->flow->entries[MODEL_OUTPUTS]], &def, NULL, s->out);
    if (has_blocks)
        source_after_unknowns(s, name, inner, is_vector, is_along, PROGRAM_ALL);
}

// Event functions y with their derivatives dy along the flow f.
static void source_rates(const Source *s, bool is_vector, const bool *is_there)
{
    const CodeModule *module = s->m->flow->module;
    uint32_t seed_count;
    const ForwardSeed *seeds = source_seeds(s, SOURCE_ALONG, false, CODE_NONE, NULL, &seed_count);
    if (source_has_blocks(s)) {
        const char *name = is_vector ? "v_rate_rows" : "s_rate_rows";
        source_entry(s, s->m->flow->entries[MODEL_EVENTS], name, is_vector, SOURCE_ALONG, CODE_NONE,
                     is_there, NULL);
        source_after_unknowns(s, is_vector ? "v_rates" : "s_rates", name, is_vector, true,
                              PROGRAM_EVENTS);
        return;
    }
    const ForwardDef def = {
        .name = is_vector ? "v_rates" : "s_rates",
        .type = is_vector ? "V" : "double",
        .call = is_vector ? "v_" : "s_",
        .arguments = is_vector ? SOURCE_INPUTS("V") "const V *f, V *y, V *dy"
                               : SOURCE_INPUTS("double") "const double *f, double *y, double *dy",
        .seeds = seeds,
        .seed_count = seed_count,
        .direction_count = 1,
        .parameters = s->def->parameters,
        .is_moved = s->is_moved};
    forward_emit(module, module->entries[s->m->flow->entries[MODEL_EVENTS]], &def, NULL, s->out);
}

// The same by way of the unknowns.
static void source_block_jacobian(const Source *s, bool *is_there)
{
    const Program *p = s->m->flow;
    const uint32_t n = s->m->states.count, unknowns = p->unknown_count;
    bool *there = ARENA_ARRAY(s->out->arena, (size_t)(n + 1) * unknowns + 1, bool);
    source_unknowns(s, true, SOURCE_BY_STATES, PROGRAM_FLOW, there);
    builder_append_format(
        s->out,
        "\nFN void v_jacobian(" SOURCE_INPUTS("V") "V *y, V *dy)\n{\n"
                                                   "    V w[%u], dw[%u];\n"
                                                   "    v_unknowns_by%d(" SOURCE_PASSED "w, dw);\n",
        unknowns + 1, (n + 1) * unknowns + 1, (int)PROGRAM_FLOW);
    source_read_flow(s);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t d = 0; d <= n; d++) {
            const int64_t place = p->derivatives[i];
            if (place >= 0)
                is_there[d * n + i] = there[d * unknowns + (uint32_t)place];
            else
                is_there[d * n + i] = d == (uint32_t)(-1 - place);
            if (is_there[d * n + i] && place >= 0)
                builder_append_format(s->out, "    dy[%u] = dw[%u];\n", d * n + i,
                                      d * unknowns + (uint32_t)place);
            else if (is_there[d * n + i])
                builder_append_format(s->out, "    dy[%u] = v_N(1.0);\n", d * n + i);
        }
    builder_append_text(s->out, "}\n");
}

// The guesses y of what is iterated for.
static void source_guesses(const Source *s)
{
    const Program *p = s->m->flow;
    if (p->guesses.count == 0)
        return;
    builder_append_format(
        s->out,
        "\nFN void v_guesses(" SOURCE_INPUTS("V") "V *y)\n{\n    V w[%u];\n"
                                                  "    v_unknowns%d(" SOURCE_PASSED "w);\n",
        p->unknown_count + 1, source_level(s, SOURCE_VALUES, PROGRAM_ALL));
    for (uint32_t i = 0; i < p->guesses.count; i++)
        builder_append_format(s->out, "    y[%u] = w[%u];\n", i, p->guesses.places[i]);
    builder_append_text(s->out, "}\n");
}

// Unknowns in all ways that are needed. is_there: along the flow.
static void source_all_unknowns(const Source *s, bool *is_there)
{
    for (int k = 0; k < 2 && source_has_blocks(s); k++) {
        source_blocks(s, k == 0);
        source_unknowns(s, k == 0, SOURCE_VALUES, PROGRAM_FLOW, is_there);
        source_unknowns(s, k == 0, SOURCE_VALUES, PROGRAM_EVENTS, is_there);
        source_unknowns(s, k == 0, SOURCE_VALUES, PROGRAM_ALL, is_there);
        source_unknowns(s, k == 0, SOURCE_ALONG, PROGRAM_EVENTS, is_there);
        source_unknowns(s, k == 0, SOURCE_ALONG, PROGRAM_ALL, is_there);
    }
    if (source_has_blocks(s))
        source_guesses(s);
}

// The flow y and its Jacobian, column by column, then by time.
static void source_jacobian(const Source *s, bool *is_there)
{
    const CodeModule *module = s->m->flow->module;
    const uint32_t n = s->m->states.count;
    uint32_t seed_count;
    const ForwardSeed *seeds =
        source_seeds(s, SOURCE_BY_STATES, false, CODE_NONE, NULL, &seed_count);
    if (source_has_blocks(s)) {
        source_block_jacobian(s, is_there);
        return;
    }
    const ForwardDef def = {.name = "v_jacobian",
                            .type = "V",
                            .call = "v_",
                            .arguments = SOURCE_INPUTS("V") "V *y, V *dy",
                            .seeds = seeds,
                            .seed_count = seed_count,
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
    const uint32_t n = s->m->states.count;
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
    const uint32_t n = s->m->states.count;
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
    const uint32_t n = s->m->states.count;
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

const Tableau *source_tableau(const Source *s)
{
    const SaltusSolver solver = s->def->method.solver;
    return solver == SALTUS_SOLVER_DOPRI5 || solver == SALTUS_SOLVER_DOP853 ? tableau_of(solver)
                                                                            : NULL;
}

#define SOURCE_STEP_HEAD "\nFN void v_step(" SOURCE_INPUTS("V") "V h, V *f, V *y, V *e, V *d)\n{\n"

// The state of a stage: "to[k] = x[k] + h * (...)".
static void source_stage_state(const Source *s, const Tableau *r, uint32_t i, const char *to)
{
    for (uint32_t k = 0; k < s->m->states.count; k++) {
        builder_append_format(s->out, "    %s[%u] = x[%u] + h * (", to, k, k);
        source_sum(s->out, r->a[i], i, k, "");
        builder_append_text(s->out, ");\n");
    }
}

// The continuous extension of an explicit method (solvers/tableau.h), of state k: with p = 1 - q,
//   r2 + p (r3 + q (r4 + p (r5 + ...))) = d1 + q (d2 + q (d3 + ...)),  d0 = r1.
static void source_explicit_dense(const Source *s, const Tableau *r, uint32_t k)
{
    StringBuilder *out = s->out;
    const uint32_t n = s->m->states.count, terms = (uint32_t)r->dense_terms;
    int weights[TABLEAU_DENSE_TERMS][TABLEAU_DENSE_TERMS] = {0}; // by power of q, of each r
    builder_append_format(out,
                          "    const V rise%u = y[%u] - x[%u], bow%u = h * u0[%u] - rise%u;\n"
                          "    const V r2_%u = rise%u - h * u%d[%u] - bow%u;\n",
                          k, k, k, k, k, k, k, k, r->stages, k, k);
    for (uint32_t m = 3; m < terms; m++) {
        builder_append_format(out, "    const V r%u_%u = h * (", m, k);
        source_sum(out, r->dense[m - 3], (uint32_t)r->all_stages, k, "");
        builder_append_text(out, ");\n");
    }
    for (uint32_t m = terms; m-- > 2;) {
        // What is there is multiplied by p, or by q; then r[m] comes before it.
        for (uint32_t power = terms - 1; power > 0; power--)
            for (uint32_t j = m + 1; j < terms; j++)
                weights[power][j] = (m % 2 == 0 ? weights[power][j] : 0) +
                                    (m % 2 == 0 ? -1 : 1) * weights[power - 1][j];
        for (uint32_t j = m + 1; j < terms && m % 2 == 1; j++)
            weights[0][j] = 0;
        weights[0][m] = 1;
    }
    builder_append_format(out, "    d[%u] = bow%u;\n", k, k);
    for (uint32_t power = 0; power + 2 < terms; power++) {
        builder_append_format(out, "    d[%u] = ", (power + 1) * n + k);
        const char *sign = "";
        for (uint32_t j = 2; j < terms; j++)
            if (weights[power][j]) {
                builder_append_format(out, "%s%d.0 * r%u_%u", sign, weights[power][j], j, k);
                sign = " + ";
            }
        builder_append_text(out, ";\n");
    }
}

// The same of an explicit method. There may be two estimates of the error, and stages for the
// continuous extension alone, whose states are none that is kept.
static void source_explicit_step(const Source *s, const Tableau *r)
{
    StringBuilder *out = s->out;
    const uint32_t n = s->m->states.count, stages = (uint32_t)r->stages;
    builder_append_text(out, SOURCE_STEP_HEAD "    V at, z[N];\n    (void)z;\n"
                                              "    v_flow(t, x, p, m, held, f);\n"
                                              "    V u0[N];\n");
    for (uint32_t k = 0; k < n; k++)
        builder_append_format(out, "    u0[%u] = f[%u];\n", k, k);
    for (uint32_t i = 1; i < (uint32_t)r->all_stages; i++) {
        const char *to = i <= stages ? "y" : "z";
        if (i == stages && s->def->is_whole)
            builder_append_text(out, "    V last[N];\n    for (int i = 0; i < N; i++)\n"
                                     "        last[i] = y[i];\n");
        builder_append_format(out, "    V u%u[N];\n", i);
        source_stage_state(s, r, i, to);
        builder_append_text(out, "    at = *t + ");
        source_number(out, r->c[i]);
        builder_append_format(out, " * h;\n    v_flow(&at, %s, p, m, held, u%u);\n", to, i);
    }
    for (uint32_t k = 0; k < n; k++) {
        builder_append_format(out, "    e[%u] = h * (", k);
        source_sum(out, r->error, stages + 1, k, "");
        builder_append_text(out, ");\n");
        if (r->low_order > 0) {
            builder_append_format(out, "    e[%u] = h * (", n + k);
            source_sum(out, r->low_error, stages + 1, k, "");
            builder_append_text(out, ");\n");
        }
        source_explicit_dense(s, r, k);
    }
    if (s->def->is_whole)
        builder_append_format(out,
                              "    V turn = v_N(0.0), way = v_N(SMALLEST);\n"
                              "    for (int i = 0; i < N; i++) {\n"
                              "        turn += (u%u[i] - u%u[i]) * (u%u[i] - u%u[i]);\n"
                              "        way += (y[i] - last[i]) * (y[i] - last[i]);\n    }\n"
                              "    d[DENSE * N] = h * h * turn / way;\n",
                              stages, stages - 1, stages, stages - 1);
    builder_append_text(out, "}\n");
}

// From x: f there, the end y, its error e, and d of the continuous extension
// (solvers/rosenbrock.h).
static void source_step(const Source *s, const bool *jacobian)
{
    const RosenbrockTableau *r = &rosenbrock_rodas5p;
    StringBuilder *out = s->out;
    const uint32_t n = s->m->states.count, stages = (uint32_t)r->stages;
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
    const uint32_t n = s->m->states.count;
    bool *jacobian = ARENA_ARRAY(out->arena, (size_t)n * (n + 1), bool);
    bool *factors = ARENA_ARRAY(out->arena, (size_t)n * n, bool);
    bool *along = ARENA_ARRAY(out->arena, s->m->flow->unknown_count + 1, bool);
    source_all_unknowns(s, along);
    source_flow(s, true);
    source_flow(s, false);
    source_events(s);
    source_rates(s, true, along);
    source_rates(s, false, along);
    for (int k = 0; k < 4 && s->def->node_count; k++)
        source_probes(s, k < 2, k % 2 == 1, along);
    if (source_tableau(s)) {
        source_explicit_step(s, source_tableau(s));
        return;
    }
    source_jacobian(s, jacobian);
    if (source_is_leap(s)) {
        const uint32_t degree = source_leap(s);
        builder_append_format(out,
                              "#undef LEAP\n#define LEAP %u\n#undef SERIES\n#define SERIES %d\n"
                              "#undef FIXED\n#define FIXED %d\n"
                              "#undef FIXED_EVENTS\n#define FIXED_EVENTS %d\n" SOURCE_STEP_HEAD
                              "}\n",
                              degree ? degree : (uint32_t)SERIES_TERMS, degree == 0,
                              source_leap_is_fixed(s, false), source_leap_is_fixed(s, true));
        return;
    }
    source_factor(s, jacobian, factors);
    source_solve(s, factors);
    source_step(s, jacobian);
}
