// SPDX-License-Identifier: MIT

#include "kernel/source.h"

#include "base/number.h"
#include "code/body.h"
#include "code/emit.h"
#include "kernel/forward.h"
#include "modes/model_parts.h"
#include "solvers/rosenbrock.h"
#include "solvers/tableau.h"

#include <math.h>
#include <string.h>

// More states than this would not stay in registers.
enum { SOURCE_MOST_STATES = 12 };

static const char prelude_text[] = {
#include "kernel/prelude_bytes.h"
};
static const char trajectory_text[] = {
#include "kernel/trajectory_bytes.h"
};

typedef struct Source {
    const KernelDef *def;
    const Model *model;
    const Mode *m;
    StringBuilder *out;
    bool *is_moved; // by parameter: trajectories differ in it
} Source;

// ---------------------------------------------------------------------------
// What can be held
// ---------------------------------------------------------------------------

static const char *program_obstacle(const Program *p)
{
    if (!p || p->parts)
        return "it has independent parts";
    if (p->module->is_lean)
        return "it is too large";
    if (p->module->function_count || p->module->site_count)
        return "it calls functions that are not inlined";
    for (uint32_t k = 0; k < p->stage_count; k++)
        if (p->stages[k].kind != STAGE_EXPLICIT)
            return "it has equations that have to be solved together";
    return NULL;
}

static const char *conditions_obstacle(const Mode *m)
{
    for (uint32_t i = 0; i < m->hold_count; i++) {
        const ModelHold *hold = &m->holds[i];
        if (hold->kind == HOLD_CROSSING &&
            (hold->op < OPERATOR_LESS || hold->op > OPERATOR_GREATER_EQUAL))
            return "it has conditions that round to whole numbers";
    }
    for (uint32_t i = 0; i < m->event_count; i++)
        if (m->events[i].direction != SALTUS_BOTH || m->events[i].noise != 0.0)
            return "it has events in one direction";
    return NULL;
}

static const char *start_obstacle(const Mode *m)
{
    const char *reason = program_obstacle(m->start);
    if (reason)
        return reason;
    if (m->start->guess_count || m->continuation || m->found_count ||
        (m->initial && m->initial->surplus_count))
        return "its initialization has to be solved for";
    for (uint32_t i = 0; i < m->initial_count; i++)
        if (m->initial_values[i].left == CODE_NONE)
            return "its initialization finds parameters";
    return NULL;
}

static const char *actions_obstacle(const Mode *m)
{
    for (uint32_t i = 0; i < m->actions.count; i++)
        if (m->actions.items[i].kind == ACTION_REINIT && m->action_states[i] == CODE_NONE)
            return "it reinitialises what is not a state";
    return m->assertions.count ? "it has assertions" : NULL;
}

static const char *probes_obstacle(const Source *s)
{
    const Program *p = s->m->flow;
    if (s->def->node_count == 0)
        return NULL;
    if (!p->is_direct[MODEL_OUTPUTS])
        return "it observes what is too long";
    return forward_obstacle(p->module->entries[p->entries[MODEL_OUTPUTS]]);
}

static const char *source_obstacle(const Source *s)
{
    const Model *model = s->model;
    const Mode *m = s->m;
    if (model->choice_count || model->assembly->has_modes)
        return "its structure changes";
    if (model->flat->method)
        return "it chooses its solver by an annotation";
    if (model->delay_count || model->terminal_place != CODE_NONE)
        return "it has delays or terminal()";
    if (!m || m->is_broken)
        return "its mode cannot be entered";
    const char *reason = program_obstacle(m->flow);
    if (reason)
        return reason;
    if (m->flow->flow == CODE_NONE || m->state_count == 0)
        return "it has no states";
    if (m->state_count > SOURCE_MOST_STATES)
        return "it has too many states";
    if (m->pivot_count || m->may_jump || m->surface_count)
        return "its states may change or jump by constraints";
    if ((reason = conditions_obstacle(m)) || (reason = start_obstacle(m)) ||
        (reason = actions_obstacle(m)))
        return reason;
    const CodeModule *module = m->flow->module;
    if ((reason = forward_obstacle(module->entries[m->flow->flow])) ||
        (reason = forward_obstacle(module->entries[m->flow->entries[MODEL_EVENTS]])))
        return reason;
    if (!m->flow->is_direct[MODEL_EVENTS])
        return "its event functions are too long";
    if ((reason = probes_obstacle(s)))
        return reason;
    return program_obstacle(model->frozen);
}

// ---------------------------------------------------------------------------
// What trajectories differ in
// ---------------------------------------------------------------------------

static bool source_uses(const CodeBody *body, const bool *is_moved)
{
    for (uint32_t v = 0; v < body->value_count; v++)
        if (body->values[v].kind == CODE_INPUT && body->values[v].vector == PROGRAM_PARAMETERS &&
            is_moved[body->values[v].index])
            return true;
    return false;
}

// Parameters of the axes, and those whose bindings count and depend on them.
static bool *source_moved(const Source *s)
{
    const KernelDef *d = s->def;
    const Parameters *p = s->model->parameters;
    bool *is_moved = ARENA_ARRAY(s->out->arena, p->count + 1, bool);
    bool *is_given = ARENA_ARRAY(s->out->arena, p->count + 1, bool);
    for (uint32_t i = 0; i < d->axis_count; i++)
        is_moved[d->axes[i]] = true;
    for (uint32_t i = 0; i < d->given_count; i++)
        is_given[d->given[i].number] = true;
    for (uint32_t k = 0; k < p->count; k++) {
        const uint32_t i = p->order[k];
        if (!is_given[i] &&
            source_uses(p->program->module->entries[p->program->entries[i]], is_moved))
            is_moved[i] = true;
    }
    return is_moved;
}

// ---------------------------------------------------------------------------
// Numbers and tables
// ---------------------------------------------------------------------------

static void source_number(StringBuilder *out, double number)
{
    char text[NUMBER_LENGTH];
    if (isnan(number))
        builder_append_text(out, "NOT_A_NUMBER");
    else if (isinf(number))
        builder_append_text(out, number > 0.0 ? "INFINITE" : "(-INFINITE)");
    else
        builder_append(out, text, number_write(number, text));
}

static void source_define(StringBuilder *out, const char *name, double value)
{
    builder_append_format(out, "#define %s ", name);
    if (value == floor(value) && fabs(value) < 1e9 && strchr(name, '_') == NULL)
        builder_append_format(out, "%d", (int)value);
    else
        source_number(out, value);
    builder_append_text(out, "\n");
}

// TABLE int name[] = {...}; never empty.
static void source_begin_table(StringBuilder *out, const char *type, const char *name)
{
    builder_append_format(out, "TABLE %s %s[] = {", type, name);
}

static void source_end_table(StringBuilder *out)
{
    builder_append_text(out, "0};\n");
}

#define SOURCE_TABLE(s, name, count, expression)                                                   \
    do {                                                                                           \
        source_begin_table((s)->out, "int", name);                                                 \
        for (uint32_t i = 0; i < (count); i++)                                                     \
            builder_append_format((s)->out, "%d, ", (int)(expression));                            \
        source_end_table((s)->out);                                                                \
    } while (0)

static int source_side(const ModelHold *hold)
{
    return hold->op == OPERATOR_LESS || hold->op == OPERATOR_LESS_EQUAL ? -1 : 1;
}

static uint32_t count_shifts(const Model *m)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < m->discrete_count; i++)
        count += m->discrete[i].left != CODE_NONE;
    return count;
}

static uint32_t source_count_terms(const KernelDef *d, KernelTermKind from, KernelTermKind to)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < d->term_count; i++)
        count += d->terms[i].kind >= from && d->terms[i].kind <= to;
    return count;
}

static void source_sizes(const Source *s)
{
    const KernelDef *d = s->def;
    const Mode *m = s->m;
    StringBuilder *out = s->out;
    const uint32_t w = m->flow->unknown_count, start = m->start->unknown_count;
    source_define(out, "N", m->state_count);
    source_define(out, "NP", s->model->parameters->count);
    source_define(out, "NM", s->model->memory_count);
    source_define(out, "NE", s->model->held_count);
    source_define(out, "NW", w > start ? w : start);
    source_define(out, "NH", m->event_count);
    source_define(out, "NK", m->hold_count);
    source_define(out, "ND", m->discrete_count);
    source_define(out, "NL", m->left_count);
    source_define(out, "NA", m->actions.count);
    source_define(out, "NS", count_shifts(s->model));
    source_define(out, "NSM", s->model->sample_count);
    source_define(out, "NTH", m->time_count);
    source_define(out, "NO", d->slot_count);
    source_define(out, "NT", d->term_count);
    source_define(out, "NC", d->condition_count);
    source_define(out, "NX", source_count_terms(d, KERNEL_MAXIMUM, KERNEL_TIME_OF_MINIMUM));
    source_define(out, "NQ", source_count_terms(d, KERNEL_INTEGRAL, KERNEL_INTEGRAL));
    source_define(out, "NV", source_count_terms(d, KERNEL_AT_TIME, KERNEL_AT_TIME));
    source_define(out, "NR", (double)kernel_result_count(d));
    source_define(out, "NAXES", d->axis_count);
    source_define(out, "RELATIVE", d->method.relative_tolerance);
    source_define(out, "LONGEST", d->method.max_step > 0.0 ? d->method.max_step : INFINITY);
    source_define(out, "START_TIME", d->start_time);
    source_define(out, "STOP_TIME", d->stop_time);
    source_define(out, "ORDER", rosenbrock_rodas5p.order);
    source_define(out, "ERROR_ORDER", rosenbrock_rodas5p.error_order + 1);
}

static void source_reals(const Source *s, const char *name, double factor)
{
    source_begin_table(s->out, "double", name);
    for (uint32_t i = 0; i < s->m->state_count; i++) {
        source_number(s->out, factor * s->m->nominals[i]);
        builder_append_text(s->out, ", ");
    }
    source_end_table(s->out);
}

static void source_watched_times(const Source *s)
{
    const KernelDef *d = s->def;
    const Mode *m = s->m;
    const int samples = (int)s->model->sample_count;
    source_begin_table(s->out, "int", "watched_time");
    for (uint32_t c = 0; c < d->condition_count; c++) {
        for (int i = 0; i < samples; i++)
            builder_append_format(s->out, "%d, ", d->matches_time(d->user, c, i));
        for (uint32_t time = 0, k = 0; time < m->time_count; time++) {
            while (m->holds[k].kind != HOLD_TIME || m->holds[k].index != time)
                k++;
            const int id = samples + (int)m->holds[k].number;
            builder_append_format(s->out, "%d, ", d->matches_time(d->user, c, id));
        }
        builder_append_text(s->out, "0, ");
    }
    source_end_table(s->out);
}

// One row for each term of these kinds: its number, or what it says.
#define SOURCE_TERMS(s, type, name, from, to, format, expression)                                  \
    do {                                                                                           \
        source_begin_table((s)->out, type, name);                                                  \
        for (uint32_t i = 0; i < (s)->def->term_count; i++)                                        \
            if ((s)->def->terms[i].kind >= (from) && (s)->def->terms[i].kind <= (to))              \
                builder_append_format((s)->out, format ", ", expression);                          \
        source_end_table((s)->out);                                                                \
    } while (0)

// The parts of the run that terms of these kinds are about.
static void source_windows(const Source *s, const char *name, KernelTermKind first,
                           KernelTermKind last)
{
    char text[64];
    for (int side = 0; side < 2; side++) {
        snprintf(text, sizeof text, "%s_%s", name, side ? "to" : "from");
        source_begin_table(s->out, "double", text);
        for (uint32_t i = 0; i < s->def->term_count; i++) {
            const KernelTerm *t = &s->def->terms[i];
            if (t->kind < first || t->kind > last)
                continue;
            source_number(s->out, side ? t->to : t->from);
            builder_append_text(s->out, ", ");
        }
        source_end_table(s->out);
    }
}

static void source_probe_tables(const Source *s)
{
    const KernelTerm *terms = s->def->terms;
    const KernelTermKind first = KERNEL_MAXIMUM, last = KERNEL_TIME_OF_MINIMUM;
    SOURCE_TERMS(s, "int", "extremum_term", first, last, "%u", i);
    SOURCE_TERMS(s, "int", "extremum_sign", first, last, "%d",
                 terms[i].kind == KERNEL_MAXIMUM || terms[i].kind == KERNEL_TIME_OF_MAXIMUM ? 1
                                                                                            : -1);
    SOURCE_TERMS(s, "int", "extremum_is_time", first, last, "%d",
                 terms[i].kind >= KERNEL_TIME_OF_MAXIMUM);
    source_windows(s, "extremum", first, last);
    source_windows(s, "integral", KERNEL_INTEGRAL, KERNEL_INTEGRAL);
    SOURCE_TERMS(s, "int", "integral_term", KERNEL_INTEGRAL, KERNEL_INTEGRAL, "%u", i);
    SOURCE_TERMS(s, "int", "value_term", KERNEL_AT_TIME, KERNEL_AT_TIME, "%u", i);
    SOURCE_TERMS(s, "double", "value_time", KERNEL_AT_TIME, KERNEL_AT_TIME, "%.17g", terms[i].time);
}

static void source_tables(const Source *s)
{
    const KernelDef *d = s->def;
    const Model *model = s->model;
    const Mode *m = s->m;
    source_reals(s, "absolute", d->method.absolute_tolerance);
    source_reals(s, "nominal", 1.0);
    SOURCE_TABLE(s, "muted", m->event_count, m->events[i].muted);
    SOURCE_TABLE(s, "at_zero", m->event_count, m->events[i].at_zero);
    SOURCE_TABLE(s, "hold_kind", m->hold_count, m->holds[i].kind);
    SOURCE_TABLE(s, "hold_number", m->hold_count, m->holds[i].number);
    SOURCE_TABLE(s, "hold_event", m->hold_count, m->holds[i].index);
    SOURCE_TABLE(s, "hold_muted", m->hold_count, m->holds[i].is_muted);
    SOURCE_TABLE(s, "hold_side", m->hold_count, source_side(&m->holds[i]));
    SOURCE_TABLE(s, "hold_at_zero", m->hold_count,
                 m->holds[i].op == OPERATOR_LESS_EQUAL || m->holds[i].op == OPERATOR_GREATER_EQUAL);
    SOURCE_TABLE(s, "discrete_place", m->discrete_count, m->discrete[i].place);
    SOURCE_TABLE(s, "sample_place", model->sample_count, model->sample_places[i]);
    SOURCE_TABLE(s, "left_place", m->left_count, m->left_places[i]);
    SOURCE_TABLE(s, "action_state", m->actions.count,
                 m->actions.items[i].kind == ACTION_REINIT ? (int)m->action_states[i] : -1);
    const uint32_t none = CODE_NONE;
    StringBuilder *out = s->out;
    for (int k = 0; k < 2; k++) {
        source_begin_table(out, "int", k ? "shift_left" : "shift_place");
        for (uint32_t i = 0; i < model->discrete_count; i++)
            if (model->discrete[i].left != none)
                builder_append_format(out, "%u, ",
                                      k ? model->discrete[i].left : model->discrete[i].place);
        source_end_table(out);
    }
    source_begin_table(out, "int", "watched");
    for (uint32_t c = 0; c < d->condition_count; c++) {
        for (uint32_t i = 0; i < m->event_count; i++)
            builder_append_format(out, "%d, ", d->matches(d->user, c, &m->events[i]));
        builder_append_text(out, "0, ");
    }
    source_end_table(out);
    source_watched_times(s);
    source_probe_tables(s);
    SOURCE_TABLE(s, "term_condition", d->term_count, d->terms[i].condition);
    SOURCE_TABLE(s, "term_occurrence", d->term_count, d->terms[i].occurrence);
    SOURCE_TABLE(s, "term_kind", d->term_count, d->terms[i].kind);
    SOURCE_TABLE(s, "term_slot", d->term_count, d->terms[i].slot);
}

// ---------------------------------------------------------------------------
// Operators
// ---------------------------------------------------------------------------

// The prelude has these for vectors.
static bool source_is_fast(Operator op)
{
    return op == OPERATOR_ABS || op == OPERATOR_NOT || op == OPERATOR_MAXIMUM ||
           op == OPERATOR_MINIMUM || op == OPERATOR_AND || op == OPERATOR_OR ||
           (op >= OPERATOR_LESS && op <= OPERATOR_GREATER_EQUAL);
}

// The C library may have these for vectors.
static bool source_is_math(Operator op)
{
    return op == OPERATOR_SIN || op == OPERATOR_COS || op == OPERATOR_EXP || op == OPERATOR_LOG ||
           op == OPERATOR_POWER;
}

static void source_operators(StringBuilder *out)
{
    for (int k = 0; k < OPERATOR_COUNT; k++) {
        const OperatorInfo *info = operator_info((Operator)k);
        if (k == OPERATOR_IF || (k >= OPERATOR_PAST && k <= OPERATOR_PAST_FOURTH))
            continue;
        const char *form = info->count == 1 ? "UNARY" : "BINARY";
        builder_append_format(out, "%s(%s, %s)\n%s_%s(%s)\n", form, info->name, info->meaning, form,
                              source_is_fast((Operator)k)   ? "FAST"
                              : source_is_math((Operator)k) ? "MATH"
                                                            : "LANES",
                              info->name);
    }
}

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

// ---------------------------------------------------------------------------
// What is done at events
// ---------------------------------------------------------------------------

// FN int NAME(Point *q, double *values): an entry with its vectors.
static void source_call(const Source *s, const Program *p, uint32_t entry, const char *prefix,
                        const char *name)
{
    StringBuilder *out = s->out;
    const bool is_timed = entry == p->entries[MODEL_DISCRETE] || entry == p->entries[MODEL_TIMES] ||
                          entry == p->entries[MODEL_SAMPLES];
    const bool is_mode = prefix[0] == 'm' || prefix[0] == 'b';
    emit_entry_as(p->module, entry, is_mode && is_timed ? "EXACT" : "FN", prefix, out);
    builder_append_format(out,
                          "\nFN int %s(struct Point *q, double *values)\n{\n"
                          "    const double *const in[] = {&q->t, q->x, q->p, q->m, q->held",
                          name);
    for (uint32_t k = 0; k < p->stage_count; k++)
        builder_append_format(out, ", q->w + %u", p->stages[k].first);
    builder_append_text(out, "};\n    double *const out[] = {values, 0, 0");
    for (uint32_t k = 0; k < p->stage_count; k++)
        builder_append_format(out, ", q->w + %u", p->stages[k].first);
    builder_append_format(out,
                          "};\n    double frame[%u];\n    Run run;\n    run.frame = frame;\n"
                          "    return %s%s(in, out, &run);\n}\n",
                          p->module->frame_size + 1, prefix, p->module->entries[entry]->name);
}

static void source_solver(const Source *s, const Program *p, const char *prefix, const char *name)
{
    char text[64];
    for (uint32_t k = 0; k < p->stage_count; k++) {
        snprintf(text, sizeof text, "%sexplicit%u", name, k);
        source_call(s, p, p->stages[k].entry, prefix, text);
    }
    builder_append_format(s->out, "\nFN int %s(struct Point *q)\n{\n    (void)q;\n", name);
    for (uint32_t k = 0; k < p->stage_count; k++)
        builder_append_format(s->out, "    if (%sexplicit%u(q, 0))\n        return 1;\n", name, k);
    builder_append_text(s->out, "    return 0;\n}\n");
}

// The outputs that are observed.
static void source_slots(const Source *s)
{
    const Mode *m = s->m;
    StringBuilder *out = s->out;
    source_call(s, m->flow, m->flow->entries[MODEL_OUTPUTS], "m_", "at_outputs");
    builder_append_format(out,
                          "\nFN int at_slots(struct Point *q, double *slots)\n{\n"
                          "    double values[%u];\n    if (at_outputs(q, values))\n"
                          "        return 1;\n",
                          m->flow->counts[MODEL_OUTPUTS] + 1);
    for (uint32_t i = 0; i < s->def->slot_count; i++)
        for (uint32_t k = 0; k < m->flow->counts[MODEL_OUTPUTS]; k++)
            if ((m->outputs ? m->outputs[k] : k) == s->def->slots[i])
                builder_append_format(out, "    slots[%u] = values[%u];\n", i, k);
    builder_append_text(out, "    (void)slots;\n    return 0;\n}\n");
}

static void source_event_parts(const Source *s)
{
    static const struct {
        ModelEntry entry;
        const char *name;
    } parts[] = {{MODEL_EVENTS, "at_events"},   {MODEL_SIZES, "at_sizes"},
                 {MODEL_HOLDS, "at_holds"},     {MODEL_DISCRETE, "at_discrete"},
                 {MODEL_ACTIONS, "at_actions"}, {MODEL_LEFT, "at_left"},
                 {MODEL_TIMES, "at_times"},     {MODEL_SAMPLES, "at_samples"}};
    const Program *p = s->m->flow;
    source_solver(s, p, "m_", "at_solve");
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        source_call(s, p, p->entries[parts[i].entry], "m_", parts[i].name);
    source_slots(s);
}

// ---------------------------------------------------------------------------
// The start
// ---------------------------------------------------------------------------

// Parameters: those of the axes, and what depends on them. What cannot be written, or NULL.
static const char *source_parameters(const Source *s)
{
    const KernelDef *d = s->def;
    const Parameters *p = s->model->parameters;
    const CodeModule *module = p->program->module;
    StringBuilder *out = s->out;
    bool *is_axis = ARENA_ARRAY(out->arena, p->count + 1, bool);
    StringBuilder body = builder_create(out->arena);
    for (uint32_t i = 0; i < d->axis_count; i++)
        is_axis[d->axes[i]] = true;
    for (uint32_t k = 0; k < p->count; k++) {
        const uint32_t i = p->order[k];
        if (is_axis[i] || !s->is_moved[i])
            continue;
        if (module->function_count || module->site_count)
            return "its parameters are computed by functions";
        char name[64], prefix[64];
        snprintf(name, sizeof name, "parameter_%u", i);
        snprintf(prefix, sizeof prefix, "p%u_", i);
        source_call(s, p->program, p->program->entries[i], prefix, name);
        builder_append_format(&body, "    if (%s(q, &q->p[%u]))\n        return 1;\n", name, i);
    }
    source_begin_table(out, "double", "parameters");
    for (uint32_t i = 0; i < p->count; i++) {
        source_number(out, d->parameters[i]);
        builder_append_text(out, ", ");
    }
    source_end_table(out);
    builder_append_text(out, "\nFN int start_parameters(struct Point *q, const double *axes)\n{\n"
                             "    for (int i = 0; i < NP; i++)\n"
                             "        q->p[i] = parameters[i];\n");
    for (uint32_t i = 0; i < d->axis_count; i++)
        builder_append_format(out, "    q->p[%u] = axes[%u];\n", d->axes[i], i);
    builder_append(out, builder_string(&body).text, builder_string(&body).length);
    builder_append_text(out, "    return 0;\n}\n");
    return NULL;
}

// What initial equations say of discrete variables.
static void source_initial(const Source *s)
{
    const Mode *m = s->m;
    for (uint32_t i = 0; i < m->initial_count; i++) {
        const ModelInitial *v = &m->initial_values[i];
        builder_append_format(s->out,
                              "        changed |= q->m[%u] != values[%u];\n"
                              "        q->m[%u] = values[%u];\n",
                              v->left, i, v->left, i);
    }
}

static void source_initial_check(const Source *s)
{
    const Mode *m = s->m;
    builder_append_text(s->out, "    if (begin_initial(q, values))\n        return 1;\n");
    for (uint32_t i = 0; i < m->initial_count; i++)
        if (!m->initial_values[i].is_left_limit)
            builder_append_format(s->out, "    if (q->m[%u] != values[%u])\n        return 1;\n",
                                  m->initial_values[i].place, i);
}

// Conditions literally, discrete variables, until nothing changes: see instant/start.c.
static void source_start_rounds(const Source *s)
{
    const Mode *m = s->m;
    StringBuilder *out = s->out;
    builder_append_text(out, "    int changed = 1;\n"
                             "    for (int round = 0; round < 10 && changed; round++) {\n"
                             "        changed = 0;\n"
                             "        if (begin_solve(q) || begin_holds(q, values))\n"
                             "            return 1;\n"
                             "        if (NTH > 0 && begin_times(q, times))\n"
                             "            return 1;\n"
                             "        changed |= time_conditions(q, times);\n"
                             "        for (int k = 0; k < NK; k++) {\n"
                             "            if (hold_kind[k] == HOLD_TIME)\n"
                             "                continue;\n"
                             "            changed |= q->held[hold_number[k]] != values[2 * k];\n"
                             "            q->held[hold_number[k]] = values[2 * k];\n"
                             "        }\n"
                             "        if (begin_initial(q, values))\n"
                             "            return 1;\n");
    source_initial(s);
    builder_append_text(out, "        if (begin_discrete(q, values))\n            return 1;\n");
    for (uint32_t i = 0; i < m->discrete_count; i++)
        builder_append_format(out,
                              "        changed |= q->m[%u] != values[%u];\n"
                              "        q->m[%u] = values[%u];\n",
                              m->discrete[i].place, i, m->discrete[i].place, i);
    builder_append_text(out, "    }\n    if (changed)\n        return 1;\n");
}

static void source_start(const Source *s)
{
    const Model *model = s->model;
    const Mode *m = s->m;
    const Program *p = m->start;
    StringBuilder *out = s->out;
    const uint32_t most = m->start_most > model->frozen_most ? m->start_most : model->frozen_most;
    source_solver(s, p, "b_", "begin_solve");
    source_call(s, p, p->entries[MODEL_HOLDS], "b_", "begin_holds");
    source_call(s, p, p->entries[MODEL_DISCRETE], "b_", "begin_discrete");
    source_call(s, p, p->entries[MODEL_TIMES], "b_", "begin_times");
    source_call(s, p, p->entries[MODEL_SAMPLES], "b_", "begin_samples");
    source_call(s, p, p->entries[MODEL_INITIAL], "b_", "begin_initial");
    source_call(s, p, p->entries[MODEL_ACTIONS], "b_", "begin_actions");
    source_call(s, model->frozen, model->frozen->entries[FROZEN_STARTS], "z_", "frozen_starts");
    source_call(s, model->frozen, model->frozen->entries[FROZEN_HOLDS], "z_", "frozen_holds");
    builder_append_format(out,
                          "\nFN int time_conditions(struct Point *q, const double *times);\n"
                          "FAR int start_values(struct Point *q)\n{\n"
                          "    double values[%u], times[2 * NTH + 1];\n",
                          most + 2 * m->hold_count + 1);
    if (model->initial_place != CODE_NONE)
        builder_append_format(out, "    q->m[%u] = 1.0;\n", model->initial_place);
    builder_append_text(out, "    if (frozen_starts(q, values))\n        return 1;\n");
    for (uint32_t i = 0; i < model->discrete_count; i++) {
        builder_append_format(out, "    q->m[%u] = values[%u];\n", model->discrete[i].place, i);
        if (model->discrete[i].left != CODE_NONE)
            builder_append_format(out, "    q->m[%u] = values[%u];\n", model->discrete[i].left, i);
    }
    builder_append_text(out, "    for (int k = 0; k < 3; k++) {\n"
                             "        const int is_known = frozen_holds(q, values) == 0;\n"
                             "        for (int h = 0; h < NE && is_known; h++)\n"
                             "            q->held[h] = values[h] - values[h] == 0.0 ? values[h] "
                             ": 0.0;\n"
                             "    }\n");
    source_start_rounds(s);
    source_initial_check(s);
    builder_append_text(out, "    if (begin_actions(q, values))\n        return 1;\n"
                             "    for (int i = 0; i < NA; i++)\n"
                             "        if (action_state[i] < 0 && values[2 * i] != 0.0)\n"
                             "            return 1;\n");
    for (uint32_t i = 0; i < m->state_count; i++) {
        const uint32_t known = m->start_places[i];
        const uint32_t place = known != CODE_NONE ? known : program_place(p, m->states[i]);
        if (place == CODE_NONE)
            builder_append_format(out, "    q->x[%u] = 0.0;\n", i);
        else
            builder_append_format(out, "    q->x[%u] = q->w[%u];\n", i, place);
    }
    if (model->initial_place != CODE_NONE)
        builder_append_format(out, "    q->m[%u] = 0.0;\n", model->initial_place);
    builder_append_text(out, "    for (int i = 0; i < NS; i++)\n"
                             "        q->m[shift_left[i]] = q->m[shift_place[i]];\n"
                             "    return 0;\n}\n");
}

// ---------------------------------------------------------------------------
// The whole
// ---------------------------------------------------------------------------

static const char *source_write_parts(Source *s, unsigned lanes)
{
    StringBuilder *out = s->out;
    const uint32_t n = s->m->state_count;
    bool *jacobian = ARENA_ARRAY(out->arena, (size_t)n * (n + 1), bool);
    bool *factors = ARENA_ARRAY(out->arena, (size_t)n * n, bool);
    s->is_moved = source_moved(s);
    builder_append_format(out, "// Emitted by Saltus: a kernel.\n#define LANES %u\n", lanes);
    source_sizes(s);
    builder_append(out, prelude_text, sizeof prelude_text);
    builder_append_text(out, "\nstruct Point;\n");
    source_operators(out);
    source_tables(s);
    source_flow(s, true);
    source_flow(s, false);
    source_events(s);
    source_rates(s, true);
    source_rates(s, false);
    if (s->def->node_count) {
        source_probes(s, true, false);
        source_probes(s, true, true);
        source_probes(s, false, false);
        source_probes(s, false, true);
    }
    if (s->def->method.solver == SALTUS_SOLVER_DOPRI5) {
        source_explicit_step(s, tableau_of(SALTUS_SOLVER_DOPRI5));
    } else {
        source_jacobian(s, jacobian);
        source_factor(s, jacobian, factors);
        source_solve(s, factors);
        source_step(s, jacobian);
    }
    builder_append_text(out,
                        "\n// One trajectory, at one instant.\n"
                        "typedef struct Point {\n    double t;\n    double x[N + 1], p[NP + 1], "
                        "m[NM + 1], held[NE + 1], w[NW + 1];\n} Point;\n");
    source_event_parts(s);
    const char *reason = source_parameters(s);
    if (reason)
        return reason;
    source_start(s);
    builder_append_text(out, "\n");
    builder_append(out, trajectory_text, sizeof trajectory_text);
    return NULL;
}

const char *source_write(const KernelDef *def, unsigned lanes, StringBuilder *out)
{
    ModelInstant instant;
    Source s = {.def = def, .model = def->model, .out = out};
    uint32_t *choices = ARENA_ARRAY(out->arena, s.model->choice_count + 1u, uint32_t);
    model_begin_instant(s.model, &instant);
    if (s.model->choice_count == 0)
        s.m = model_mode(s.model, choices, true);
    const char *reason = source_obstacle(&s);
    if (!reason)
        reason = source_write_parts(&s, lanes);
    model_end_instant(s.model, &instant);
    return reason;
}
