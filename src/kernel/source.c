// SPDX-License-Identifier: MIT

#include "kernel/source.h"

#include "base/number.h"
#include "code/body.h"
#include "kernel/forward.h"
#include "kernel/source_parts.h"
#include "solvers/rosenbrock.h"

#include <math.h>
#include <string.h>

// More states than this would not stay in registers.
enum { SOURCE_MOST_STATES = 12 };

static const char source_prelude[] = {
#include "kernel/prelude_bytes.h"
};
static const char shared_text[] = {
#include "kernel/shared_bytes.h"
};
static const char trajectory_text[] = {
#include "kernel/trajectory_bytes.h"
};
static const char event_text[] = {
#include "kernel/event_bytes.h"
};
static const char lanes_text[] = {
#include "kernel/lanes_bytes.h"
};
static const char change_text[] = {
#include "kernel/change_bytes.h"
};
static const char run_text[] = {
#include "kernel/run_bytes.h"
};
static const char driver_text[] = {
#include "kernel/driver_bytes.h"
};
static const char whole_call_text[] = {
#include "kernel/whole_call_bytes.h"
};
static const char whole_shared_text[] = {
#include "kernel/whole_shared_bytes.h"
};
static const char whole_run_text[] = {
#include "kernel/whole_run_bytes.h"
};
static const char series_text[] = {
#include "kernel/series_bytes.h"
};
static const char leap_text[] = {
#include "kernel/leap_bytes.h"
};
static const char whole_driver_text[] = {
#include "kernel/whole_driver_bytes.h"
};

// ---------------------------------------------------------------------------
// What can be held
// ---------------------------------------------------------------------------

static const char *stage_obstacle(const Program *p, const Stage *stage)
{
    if (stage->kind == STAGE_EXPLICIT)
        return NULL;
    if (stage->size > SOURCE_MOST_TORN || stage->column_start)
        return "it has too many equations that have to be solved together";
    const char *reason = forward_obstacle(p->module->entries[stage->jacobian]);
    return reason ? reason : forward_obstacle(p->module->entries[stage->entry]);
}

const char *source_program_obstacle(const Program *p)
{
    const char *reason = NULL;
    if (!p || p->joined.parts)
        return "it has independent parts";
    if (p->module->is_lean)
        return "it is too large";
    if (p->module->function_count || p->module->site_count)
        return "it calls functions that are not inlined";
    for (uint32_t k = 0; k < p->stage_count && !reason; k++)
        reason = stage_obstacle(p, &p->stages[k]);
    return reason;
}

// Where derivatives of the states have blocks to be solved before them.
static const char *unknowns_obstacle(const Program *p)
{
    const char *reason = NULL;
    for (uint32_t k = 0; k < p->stage_count && !reason && p->flow == CODE_NONE; k++)
        if (!p->stages[k].is_rate)
            reason = forward_obstacle(p->module->entries[p->stages[k].entry]);
    return reason;
}

static const char *conditions_obstacle(const Mode *m)
{
    for (uint32_t i = 0; i < m->conditions.hold_count; i++) {
        const ModelHold *hold = &m->conditions.holds[i];
        if (hold->kind == HOLD_CROSSING &&
            (hold->op < OPERATOR_LESS || hold->op > OPERATOR_GREATER_EQUAL))
            return "it has conditions that round to whole numbers";
    }
    for (uint32_t i = 0; i < m->conditions.event_count; i++)
        if (m->conditions.events[i].direction != SALTUS_BOTH ||
            m->conditions.events[i].noise != 0.0)
            return "it has events in one direction";
    return NULL;
}

const char *source_start_obstacle(const Mode *m)
{
    const char *reason = source_program_obstacle(m->start.program);
    if (reason)
        return reason;
    if (m->start.continuation || m->start.found_count ||
        (m->start.initial && m->start.initial->surplus_count))
        return "its initialization has to be solved for";
    for (uint32_t i = 0; i < m->start.value_count; i++)
        if (m->start.values[i].left == CODE_NONE)
            return "its initialization finds parameters";
    return NULL;
}

// (In one mode of several, what is no state may be one in another.)
static const char *actions_obstacle(const Mode *m, bool is_only)
{
    for (uint32_t i = 0; i < m->actions.gathered.count && is_only; i++)
        if (m->actions.gathered.items[i].kind == ACTION_REINIT && m->actions.states[i] == CODE_NONE)
            return "it reinitialises what is not a state";
    return m->actions.assertions.count ? "it has assertions" : NULL;
}

static const char *probes_obstacle(const Source *s)
{
    const Program *p = s->m->flow;
    if (s->def->node_count == 0)
        return NULL;
    if (!p->is_direct[MODEL_OUTPUTS] && p->flow != CODE_NONE)
        return "it observes what is too long";
    return forward_obstacle(p->module->entries[p->entries[MODEL_OUTPUTS]]);
}

// Of one mode.
static const char *source_mode_obstacle(const Source *s)
{
    const Mode *m = s->m;
    if (!m || m->is_broken)
        return "its mode cannot be entered";
    const char *reason = source_program_obstacle(m->flow);
    if (reason)
        return reason;
    if (m->states.count == 0)
        return "it has no states";
    if (m->states.count > SOURCE_MOST_STATES)
        return "it has too many states";
    if ((m->jump.pivot_count && (s->mode_count == 1 || s->def->is_whole)) ||
        m->switches.surface_count ||
        (m->jump.may_happen && (s->mode_count == 1 ? m->jump.impulse->jump->part_count > 0
                                                   : m->jump.impulse->is_switched)))
        return "its states may change or jump by constraints";
    if ((reason = conditions_obstacle(m)) || (reason = actions_obstacle(m, s->mode_count == 1)))
        return reason;
    const CodeModule *module = m->flow->module;
    if ((m->flow->flow != CODE_NONE &&
         (reason = forward_obstacle(module->entries[m->flow->flow]))) ||
        (reason = unknowns_obstacle(m->flow)) ||
        (reason = forward_obstacle(module->entries[m->flow->entries[MODEL_EVENTS]])))
        return reason;
    if (!m->flow->is_direct[MODEL_EVENTS] && m->flow->flow != CODE_NONE)
        return "its event functions are too long";
    if (source_is_leap(s) && source_leap(s) == 0 && !source_series(s))
        return "its states are no polynomials or power series of time between events";
    if ((reason = probes_obstacle(s)))
        return reason;
    return s->mode_count > 1 ? source_change_obstacle(s) : NULL;
}

// Modes that cannot be held are left out: trajectories that meet them are set aside. One must be
// there that can begin.
static const char *source_choose_modes(Source *s)
{
    uint32_t linear = 0;
    for (uint32_t k = 0; k < s->mode_count; k++)
        linear += s->modes[k] && s->modes[k]->evaluation.affines;
    // Linear modes are left to the solver exact, where others are left that follow each other.
    const bool has_exact =
        s->def->has_exact && (linear == s->mode_count || linear + 1 < s->mode_count);
    const Mode **kept = ARENA_ARRAY(s->out->arena, s->mode_count + 1, const Mode *);
    const char *reason = NULL, *start = NULL;
    uint32_t count = 0;
    bool can_begin = false;
    for (uint32_t k = 0; k < s->mode_count; k++) {
        s->m = s->modes[k];
        const char *why = source_mode_obstacle(s);
        reason = reason ? reason : why;
        if (why || count == KERNEL_MOST_MODES)
            continue;
        if (has_exact && s->m->evaluation.affines)
            continue;
        kept[count++] = s->m;
        why = s->m->start.program ? source_start_obstacle(s->m) : NULL;
        can_begin |= s->m->start.program && !why;
        start = start ? start : why;
    }
    can_begin |= s->def->is_whole; // the run has begun
    if (count == 0 || (!can_begin && reason))
        return reason ? reason : "all of its modes are linear";
    if (!can_begin)
        return start ? start : "no run of a sample has begun in its modes";
    if (s->model->sizes.choices && count == 1)
        return reason ? reason : "its structure may change, and did not in any run of a sample";
    s->modes = kept;
    s->mode_count = count;
    return NULL;
}

static const char *source_obstacle(Source *s)
{
    const Model *model = s->model;
    const char *reason = NULL;
    if (model->flat->experiment.method || model->sizes.method)
        return "it chooses its solver by an annotation";
    if (model->delay_count || model->terminal_place != CODE_NONE)
        return "it has delays or terminal()";
    reason = source_choose_modes(s);
    return reason ? reason : source_program_obstacle(model->frozen);
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
    for (uint32_t i = 0; i < p->count && d->is_whole; i++)
        is_moved[i] = true;
    for (uint32_t i = 0; i < d->axis_count; i++)
        is_moved[d->axes[i]] = true;
    for (uint32_t i = 0; i < d->given_count; i++)
        is_given[d->given[i].number] = true;
    for (uint32_t k = 0; k < p->count; k++) {
        const uint32_t i = p->order[k];
        const CodeBody *code = parameters_code(p, i);
        if (!is_given[i] && code && source_uses(code, is_moved))
            is_moved[i] = true;
    }
    return is_moved;
}

// ---------------------------------------------------------------------------
// Numbers and tables
// ---------------------------------------------------------------------------

void source_number(StringBuilder *out, double number)
{
    char text[NUMBER_LENGTH];
    if (isnan(number))
        builder_append_text(out, "NOT_A_NUMBER");
    else if (isinf(number))
        builder_append_text(out, number > 0.0 ? "INFINITE" : "(-INFINITE)");
    else
        builder_append(out, text, number_write(number, text));
}

void source_define(StringBuilder *out, const char *name, double value)
{
    builder_append_format(out, "#define %s ", name);
    if (value == floor(value) && fabs(value) < 1e9 && strchr(name, '_') == NULL)
        builder_append_format(out, "%d", (int)value);
    else
        source_number(out, value);
    builder_append_text(out, "\n");
}

// TABLE int name[] = {...}; never empty.
void source_begin_table(StringBuilder *out, const char *type, const char *name)
{
    builder_append_format(out, "TABLE %s %s[] = {", type, name);
}

void source_end_table(StringBuilder *out)
{
    builder_append_text(out, "0};\n");
}

static int source_side(const ModelHold *hold)
{
    return hold->op == OPERATOR_LESS || hold->op == OPERATOR_LESS_EQUAL ? -1 : 1;
}

static uint32_t count_shifts(const Model *m)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < m->defined.count; i++)
        count += m->defined.items[i].left != CODE_NONE;
    return count;
}

static uint32_t source_count_terms(const KernelDef *d, KernelTermKind from, KernelTermKind to)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < d->term_count; i++)
        count += d->terms[i].kind >= from && d->terms[i].kind <= to;
    return count;
}

static uint32_t source_most(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

// The largest of each that any mode has.
static void source_most_sizes(const Source *s)
{
    uint32_t n = 0, w = 0, events = 0, times = 0, guesses = 0;
    for (uint32_t k = 0; k < s->mode_count; k++) {
        const Mode *m = s->modes[k];
        n = source_most(n, m->states.count);
        w = source_most(w, m->flow->unknown_count);
        w = source_most(w, m->start.program ? m->start.program->unknown_count : 0);
        guesses = source_most(guesses, m->start.program ? m->start.program->guesses.count : 0);
        if (s->mode_count > 1) {
            n = source_most(n, m->jump.impulse->count + m->jump.impulse->guess_count);
            w = source_most(w, m->jump.impulse->program->unknown_count);
        }
        events = source_most(events, m->conditions.event_count);
        times = source_most(times, m->conditions.time_count);
        guesses = source_most(guesses, m->flow->guesses.count);
    }
    builder_append_format(s->out,
                          "#define NMODES %u\n#define MOST_N %u\n#define MOST_NW %u\n"
                          "#define MOST_NH %u\n#define MOST_NTH %u\n#define MOST_NZ %u\n",
                          s->mode_count, n, w, events, times, guesses);
}

// Orders, terms of the continuous extension and cells that suit it (detect.h), estimates of the
// error.
static void source_method(const Source *s)
{
    const Tableau *r = source_tableau(s);
    int order = rosenbrock_rodas5p.order, error = rosenbrock_rodas5p.error_order + 1;
    if (r) {
        order = r->order;
        error = r->error_order + 1;
        if (r->low_order > 0) // see solvers/runge_kutta.c
            error = 2 * error - (r->low_order + 1);
    }
    builder_append_format(s->out,
                          "#define ORDER %d.0\n#define ERROR_ORDER %d.0\n#define ERRORS %d\n"
                          "#define DENSE %d\n#define CELLS %d\n",
                          order, error, r && r->low_order > 0 ? 2 : 1,
                          r ? r->dense_terms - 1 : (int)ROSENBROCK_DENSE_TERMS,
                          r && r->dense_order > 4 ? 5 : 3);
    // Of h times the eigenvalue: somewhat less than where the method ends to be stable.
    if (r && s->def->is_whole)
        source_define(s->out, "STABILITY", r->order > 5 ? 6.0 : 3.0);
}

static void source_sizes(const Source *s)
{
    const KernelDef *d = s->def;
    StringBuilder *out = s->out;
    source_most_sizes(s);
    if (s->mode_count > 1)
        source_change_sizes(s);
    else
        source_define(out, "NMEMORY", 0);
    // (Behind the parameters of a single run are its tolerances.)
    source_define(out, "NP", s->model->parameters->count + (d->is_whole ? 3 : 0));
    source_define(out, "NM", s->model->sizes.memory);
    source_define(out, "NE", s->model->sizes.held);
    source_define(out, "NS", count_shifts(s->model));
    source_define(out, "NSM", s->model->samples.count);
    source_define(out, "NO", d->slot_count);
    source_define(out, "NT", d->term_count);
    source_define(out, "NC", d->condition_count);
    source_define(out, "NX", source_count_terms(d, KERNEL_MAXIMUM, KERNEL_TIME_OF_MINIMUM));
    source_define(out, "NQ", source_count_terms(d, KERNEL_INTEGRAL, KERNEL_INTEGRAL));
    source_define(out, "NV", source_count_terms(d, KERNEL_AT_TIME, KERNEL_AT_TIME));
    source_define(out, "NR", (double)kernel_result_count(d));
    source_define(out, "NAXES", d->axis_count);
    builder_append_format(out, "#define HAS_MODE %d\n", d->has_mode);
    source_define(out, "RELATIVE_TOLERANCE", d->method.relative_tolerance);
    source_define(out, "LONGEST_STEP", d->method.max_step > 0.0 ? d->method.max_step : INFINITY);
    source_define(out, "START_TIME", d->start_time);
    source_define(out, "STOP_TIME", d->stop_time);
    source_method(s);
}

static void source_reals(const Source *s, const char *name, double factor)
{
    source_begin_table(s->out, "double", name);
    for (uint32_t i = 0; i < s->m->states.count; i++) {
        source_number(s->out, factor * s->m->states.nominals[i]);
        builder_append_text(s->out, ", ");
    }
    source_end_table(s->out);
}

static void source_watched_times(const Source *s)
{
    const KernelDef *d = s->def;
    const Mode *m = s->m;
    const int samples = (int)s->model->samples.count;
    source_begin_table(s->out, "int", "watched_time");
    for (uint32_t c = 0; c < d->condition_count; c++) {
        for (int i = 0; i < samples; i++)
            builder_append_format(s->out, "%d, ", d->matches_time(d->user, c, i));
        for (uint32_t time = 0, k = 0; time < m->conditions.time_count; time++) {
            while (m->conditions.holds[k].kind != HOLD_TIME || m->conditions.holds[k].index != time)
                k++;
            const int id = samples + (int)m->conditions.holds[k].number;
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

// Of all modes.
static void source_shared_tables(const Source *s)
{
    const KernelDef *d = s->def;
    const Model *model = s->model;
    StringBuilder *out = s->out;
    SOURCE_TABLE(s, "sample_place", model->samples.count, model->samples.places[i]);
    for (int k = 0; k < 2; k++) {
        source_begin_table(out, "int", k ? "shift_left" : "shift_place");
        for (uint32_t i = 0; i < model->defined.count; i++)
            if (model->defined.items[i].left != CODE_NONE)
                builder_append_format(
                    out, "%u, ", k ? model->defined.items[i].left : model->defined.items[i].place);
        source_end_table(out);
    }
    source_probe_tables(s);
    SOURCE_TABLE(s, "term_condition", d->term_count, d->terms[i].condition);
    SOURCE_TABLE(s, "term_occurrence", d->term_count, d->terms[i].occurrence);
    SOURCE_TABLE(s, "term_kind", d->term_count, d->terms[i].kind);
    SOURCE_TABLE(s, "term_slot", d->term_count, d->terms[i].slot);
}

static uint32_t source_event_hold(const Mode *m, uint32_t event)
{
    uint32_t k = 0;
    while (m->conditions.holds[k].kind != HOLD_CROSSING || m->conditions.holds[k].index != event)
        k++;
    return m->conditions.holds[k].number;
}

// ROUND_... of prelude.inc.
static int source_rounding(Operator op)
{
    return op == OPERATOR_FLOOR || op == OPERATOR_INTEGER ? 1
           : op == OPERATOR_CEIL                          ? 2
           : op == OPERATOR_DIV                           ? 3
                                                          : 0;
}

static void source_tables(const Source *s)
{
    const KernelDef *d = s->def;
    const Mode *m = s->m;
    StringBuilder *out = s->out;
    source_reals(s, "absolute", d->method.absolute_tolerance);
    source_reals(s, "nominal", 1.0);
    SOURCE_TABLE(s, "muted", m->conditions.event_count, m->conditions.events[i].is_muted);
    SOURCE_TABLE(s, "at_zero", m->conditions.event_count, m->conditions.events[i].at_zero);
    SOURCE_TABLE(s, "event_hold", m->conditions.event_count, source_event_hold(m, i));
    SOURCE_TABLE(s, "hold_kind", m->conditions.hold_count, m->conditions.holds[i].kind);
    SOURCE_TABLE(s, "hold_number", m->conditions.hold_count, m->conditions.holds[i].number);
    SOURCE_TABLE(s, "hold_event", m->conditions.hold_count, m->conditions.holds[i].index);
    SOURCE_TABLE(s, "hold_muted", m->conditions.hold_count, m->conditions.holds[i].is_muted);
    SOURCE_TABLE(s, "hold_side", m->conditions.hold_count, source_side(&m->conditions.holds[i]));
    SOURCE_TABLE(s, "hold_at_zero", m->conditions.hold_count,
                 m->conditions.holds[i].op == OPERATOR_LESS_EQUAL ||
                     m->conditions.holds[i].op == OPERATOR_GREATER_EQUAL);
    SOURCE_TABLE(s, "hold_rounding", m->conditions.hold_count,
                 source_rounding(m->conditions.holds[i].op));
    SOURCE_TABLE(s, "discrete_place", m->memory.discrete_count, m->memory.discrete[i].place);
    SOURCE_TABLE(s, "left_place", m->memory.left_count, m->memory.lefts[i]);
    SOURCE_TABLE(s, "action_state", m->actions.gathered.count,
                 m->actions.gathered.items[i].kind == ACTION_REINIT ? (int)m->actions.states[i]
                                                                    : -1);
    source_begin_table(out, "int", "watched");
    for (uint32_t c = 0; c < d->condition_count; c++) {
        for (uint32_t i = 0; i < m->conditions.event_count; i++)
            builder_append_format(out, "%d, ", d->matches(d->user, c, &m->conditions.events[i]));
        builder_append_text(out, "0, ");
    }
    source_end_table(out);
    source_watched_times(s);
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
// The whole
// ---------------------------------------------------------------------------

// The text of one mode.
static void source_mode(const Source *s)
{
    StringBuilder *out = s->out;
    source_tables(s);
    source_equations(s);
    source_event_parts(s);
    if (s->mode_count > 1)
        source_mode_parts(s);
    source_start(s);
    builder_append_text(out, "\n");
    builder_append(out, trajectory_text, sizeof trajectory_text);
    builder_append(out, event_text, sizeof event_text);
    builder_append(out, lanes_text, sizeof lanes_text);
    if (s->mode_count > 1)
        builder_append(out, change_text, sizeof change_text);
    builder_append(out, run_text, sizeof run_text);
    if (s->def->is_whole)
        builder_append(out, whole_run_text, sizeof whole_run_text);
    if (source_is_leap(s) && source_leap(s) == 0) {
        source_series_text(s);
        builder_append(out, series_text, sizeof series_text);
    }
    if (source_is_leap(s))
        builder_append(out, leap_text, sizeof leap_text);
}

// The name that a line of the text defines at file level: a function, a table, a type; empty: none.
static String source_defined(const char *line)
{
    static const struct {
        const char *mark, *end;
    } kinds[] = {{"FN ", "(\n"},    {"FAR ", "(\n"},   {"NEAR ", "(\n"},
                 {"EXACT ", "(\n"}, {"TABLE ", "[\n"}, {"typedef struct ", "{\n"}};
    const size_t count = sizeof kinds / sizeof *kinds;
    size_t k = 0;
    while (k < count && strncmp(line, kinds[k].mark, strlen(kinds[k].mark)) != 0)
        k++;
    const char *end = k == count ? NULL : strpbrk(line, kinds[k].end);
    if (!end || *end == '\n')
        return (String){0};
    while (end[-1] == ' ')
        end--;
    const char *begin = end;
    while (begin[-1] == '_' || (begin[-1] >= '0' && begin[-1] <= '9') ||
           (begin[-1] >= 'a' && begin[-1] <= 'z') || (begin[-1] >= 'A' && begin[-1] <= 'Z'))
        begin--;
    return (String){begin, (size_t)(end - begin)};
}

// All names that a text defines are other ones in each mode: #define NAME NAME_MODE, or its end.
static void source_rename(const Source *s, String text, bool is_defined)
{
    for (const char *line = text.text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        const String name = source_defined(line);
        if (name.length == 0)
            continue;
        if (is_defined)
            builder_append_format(s->out, "#define %.*s %.*s_%u\n", (int)name.length, name.text,
                                  (int)name.length, name.text, s->number);
        else
            builder_append_format(s->out, "#undef %.*s\n", (int)name.length, name.text);
    }
}

static void source_modes(Source *s)
{
    StringBuilder *out = s->out;
    for (uint32_t k = 0; k < s->mode_count; k++) {
        StringBuilder section = builder_create(out->arena);
        s->m = s->modes[k];
        s->number = k;
        s->out = &section;
        source_mode(s);
        s->out = out;
        const String text = builder_string(&section);
        builder_append_text(out, "\n// ---- mode ----\n");
        source_mode_sizes(s, true);
        if (s->mode_count > 1)
            source_rename(s, text, true);
        builder_append(out, text.text, text.length);
        if (s->mode_count > 1)
            source_rename(s, text, false);
        source_mode_sizes(s, false);
    }
}

// MODE_SWITCH(mode, function, arguments): calls the function of a mode.
static void source_switch(const Source *s)
{
    builder_append_text(s->out, "\n#define MODE_SWITCH(mode, function, arguments) ");
    if (s->mode_count == 1) {
        builder_append_text(s->out, "{ (void)(mode); function arguments; }\n");
        return;
    }
    builder_append_text(s->out, "switch (mode) {");
    for (uint32_t k = 0; k < s->mode_count; k++)
        builder_append_format(s->out, " case %u: function##_%u arguments; break;", k, k);
    builder_append_text(s->out, " }\n");
}

static const char *source_write_parts(Source *s, unsigned lanes)
{
    StringBuilder *out = s->out;
    s->is_moved = source_moved(s);
    builder_append_format(out, "// Emitted by Saltus: a kernel.\n#define LANES %u\n", lanes);
    source_sizes(s);
    builder_append(out, source_prelude, sizeof source_prelude);
    builder_append_text(out, "\n");
    source_operators(out);
    source_shared_tables(s);
    if (s->mode_count > 1)
        source_change_tables(s);
    if (s->def->is_whole) {
        builder_append_text(out, "#define WHOLE\n");
        builder_append(out, whole_call_text, sizeof whole_call_text);
    }
    builder_append(out, shared_text, sizeof shared_text);
    if (s->def->is_whole)
        builder_append(out, whole_shared_text, sizeof whole_shared_text);
    const char *reason = s->def->is_whole ? NULL : source_parameters(s);
    if (reason)
        return reason;
    source_frozen(s);
    if (s->mode_count > 1 && !s->def->is_whole)
        source_start_mode(s);
    source_modes(s);
    source_switch(s);
    if (s->def->is_whole)
        builder_append(out, whole_driver_text, sizeof whole_driver_text);
    else
        builder_append(out, driver_text, sizeof driver_text);
    return NULL;
}

// Those that were collected; of a model that has no choices, its only one. NULL: there are none.
static const char *source_take_modes(Source *s)
{
    const KernelDef *d = s->def;
    const Mode **modes = ARENA_ARRAY(s->out->arena, d->mode_count + 1, const Mode *);
    s->modes = modes;
    if (s->model->sizes.choices == 0 && !s->model->assembly->has_modes) {
        const uint32_t none = 0;
        s->mode_count = 1;
        modes[0] = model_mode(s->model, &none, true);
        return NULL;
    }
    for (uint32_t k = 0; k < d->mode_count; k++)
        if (!(modes[k] = model_mode_of(s->model, d->modes[k])))
            return "out of memory";
    s->mode_count = d->mode_count;
    return s->mode_count ? NULL : "its structure changes, and no run of a sample came to its end";
}

const char *source_write(const KernelDef *def, unsigned lanes, StringBuilder *out, unsigned *modes,
                         uint32_t *numbers)
{
    ModelInstant instant;
    Source s = {.def = def, .model = def->model, .out = out};
    model_begin_instant(s.model, &instant);
    const char *reason = source_take_modes(&s);
    if (!reason)
        reason = source_obstacle(&s);
    if (!reason)
        reason = source_write_parts(&s, lanes);
    *modes = s.mode_count;
    for (uint32_t k = 0; k < s.mode_count && !reason; k++)
        numbers[k] = s.modes[k]->number;
    model_end_instant(s.model, &instant);
    return reason;
}
