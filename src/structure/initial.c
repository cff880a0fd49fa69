// SPDX-License-Identifier: MIT
//
// The unknowns and rows are written out as a signature in which nothing is differentiated. Rows are
// matched class by class (matching_extend), so that each class gives way to those before it. The
// rows that have a partner make the square system.

#include "structure/initial.h"

#include "structure/matching.h"
#include "structure/outline.h"

typedef struct Setup {
    Arena *arena;   // of what stays
    Arena *scratch; // of all else
    const Structure *s;
    const Signature *g;         // of the model
    const Signature *equations; // initial ones, or NULL
    uint32_t *shift;            // by variable: derivatives beyond d that initial equations need
    uint32_t *row_shift;        // by equation: the same beyond c
    uint32_t *base;             // by variable: the number of its unknown of order 0
    uint32_t *parameter;        // by input: the number of its unknown; GRAPH_NONE: it is known
    SignatureBuilder *b;
    SignatureSymbol *unknowns;
    uint32_t unknown_count;
    InitialRow *rows;
    uint32_t row_count;
} Setup;

// ---------------------------------------------------------------------------
// Derivatives that are needed
// ---------------------------------------------------------------------------

static uint32_t raise_to(uint32_t *value, uint32_t least)
{
    uint32_t before = *value;
    *value = least > before ? least : before;
    return *value - before;
}

// An initial equation may contain higher derivatives than the model: der(z) = 0 of an algebraic
// z. Then the equation that z is solved from is differentiated too, and so are those of its other
// variables, as far as their derivatives are not there: with the shift k of equation i,
//     shift_j >= sigma_ij + c_i + k - d_j.
// Shifts decrease along a path, so each variable is raised at most as often as the largest.
static void find_shifts(Setup *t)
{
    const Signature *g = t->g;
    const Offsets *o = t->s->offsets;
    uint32_t *queue = ARENA_ARRAY(t->scratch, g->variable_count, uint32_t), count = 0;
    bool *is_queued = ARENA_ARRAY(t->scratch, g->variable_count, bool);
    for (uint32_t e = 0; t->equations && e < signature_entry_count(t->equations); e++) {
        const SignatureEntry *entry = &t->equations->entries[e];
        uint32_t j = entry->variable;
        if (entry->order > o->d[j] && raise_to(&t->shift[j], entry->order - o->d[j]) > 0 &&
            !is_queued[j]) {
            is_queued[j] = true;
            queue[count++] = j;
        }
    }
    while (count > 0) {
        uint32_t j = queue[--count], i = o->transversal.row_of[j];
        is_queued[j] = false;
        t->row_shift[i] = t->shift[j];
        for (uint32_t e = g->start[i]; e < g->start[i + 1]; e++) {
            uint32_t k = g->entries[e].variable;
            uint32_t order = g->entries[e].order + o->c[i] + t->shift[j];
            if (order > o->d[k] && raise_to(&t->shift[k], order - o->d[k]) > 0 && !is_queued[k]) {
                is_queued[k] = true;
                queue[count++] = k;
            }
        }
    }
}

// ---------------------------------------------------------------------------
// Unknowns
// ---------------------------------------------------------------------------

static const char *derivative_name(Arena *arena, const char *name, uint32_t order)
{
    if (order == 0)
        return name;
    StringBuilder b = builder_create(arena);
    outline_derivative(&b, name, order);
    return builder_string(&b).text;
}

static void add_unknown(Setup *t, const SignatureVariable *variable, SignatureSymbol unknown)
{
    SignatureVariable v = *variable;
    v.name = derivative_name(t->arena, v.name, unknown.order);
    v.origin = t->unknown_count;
    v.select = SIGNATURE_DEFAULT;
    signature_variable(t->b, &v);
    t->unknowns[t->unknown_count++] = unknown;
}

static void add_unknowns(Setup *t)
{
    const Signature *g = t->g;
    uint32_t count = g->input_count;
    for (uint32_t j = 0; j < g->variable_count; j++)
        count += t->s->offsets->d[j] + t->shift[j] + 1;
    t->unknowns = ARENA_ARRAY(t->arena, count, SignatureSymbol);
    for (uint32_t j = 0; j < g->variable_count; j++) {
        t->base[j] = t->unknown_count;
        for (uint32_t o = 0; o <= t->s->offsets->d[j] + t->shift[j]; o++)
            add_unknown(t, &g->variables[j], (SignatureSymbol){.number = j, .order = o});
    }
    for (uint32_t k = 0; k < g->input_count; k++) {
        t->parameter[k] = GRAPH_NONE;
        if (!g->inputs[k].is_free)
            continue;
        t->parameter[k] = t->unknown_count;
        add_unknown(t, &g->inputs[k], (SignatureSymbol){.is_input = true, .number = k});
    }
}

// ---------------------------------------------------------------------------
// Rows
// ---------------------------------------------------------------------------

static void initial_add_row(Setup *t, InitialRow row, const char *text, Span span)
{
    signature_equation(t->b,
                       &(SignatureEquation){.text = text, .span = span, .origin = t->row_count});
    t->rows[t->row_count++] = row;
}

// How the unknown occurs in the differentiated equation. The highest derivative is linear there
// with a coefficient of lower ones. Of lower ones too little is known to call them anything but
// nonlinear, unless they come from derivatives with constant coefficients.
static void initial_add_occurrence(Setup *t, const SignatureEntry *entry, uint32_t times,
                                   uint32_t order)
{
    uint32_t unknown = t->base[entry->variable] + order;
    bool is_top = order == entry->order + times;
    SignatureKind kind = (SignatureKind)(is_top ? entry->kind : entry->lower_kind);
    if (is_top && kind == SIGNATURE_NUMBER) {
        signature_number(t->b, unknown, 0, entry->value);
        return;
    }
    if (is_top && kind == SIGNATURE_NONLINEAR && times > 0)
        kind = SIGNATURE_LINEAR;
    bool is_constant = entry->lower_kind <= SIGNATURE_PARAMETER &&
                       (times == 0 || entry->kind <= SIGNATURE_PARAMETER);
    if (!is_top)
        kind = is_constant ? SIGNATURE_PARAMETER : SIGNATURE_NONLINEAR;
    const SignatureEntry occurrence = {.kind = (uint8_t)kind,
                                       .is_nonzero = is_top && entry->is_nonzero,
                                       .is_vanishing = is_top && entry->is_vanishing,
                                       .least = is_top ? entry->least : 0.0f,
                                       .most = is_top ? entry->most : 0.0f,
                                       .has_inverse = is_top && times == 0 && entry->has_inverse};
    signature_copy_entry(t->b, unknown, &occurrence);
}

// Equation i of `g`, differentiated so often.
static void add_occurrences(Setup *t, const Signature *g, uint32_t i, uint32_t times)
{
    for (uint32_t e = g->start[i]; e < g->start[i + 1]; e++) {
        const SignatureEntry *entry = &g->entries[e];
        for (uint32_t o = 0; o <= entry->order + times; o++) {
            if (signature_has_order(entry, times, o))
                initial_add_occurrence(t, entry, times, o);
        }
        for (uint32_t f = g->factor_start[e]; times == 0 && f < g->factor_start[e + 1]; f++) {
            const SignatureEntry *factor = &g->entries[g->factors[f]];
            signature_factor(t->b, t->base[entry->variable] + entry->order,
                             t->base[factor->variable] + factor->order);
        }
    }
    for (uint32_t e = g->input_start[i]; e < g->input_start[i + 1]; e++) {
        uint32_t unknown = t->parameter[g->input_entries[e].variable];
        if (unknown != GRAPH_NONE)
            signature_entry(t->b, unknown, 0, SIGNATURE_NONLINEAR, false);
    }
}

static void add_model_rows(Setup *t)
{
    for (uint32_t i = 0; i < t->g->equation_count; i++) {
        const SignatureEquation *e = &t->g->equations[i];
        for (uint32_t p = 0; p <= t->s->offsets->c[i] + t->row_shift[i]; p++) {
            initial_add_row(t, (InitialRow){INITIAL_MODEL, i, p, GRAPH_NONE}, e->text, e->span);
            add_occurrences(t, t->g, i, p);
        }
    }
}

static void add_initial_equations(Setup *t)
{
    for (uint32_t i = 0; t->equations && i < t->equations->equation_count; i++) {
        const SignatureEquation *e = &t->equations->equations[i];
        initial_add_row(t, (InitialRow){INITIAL_EQUATION, i, 0, GRAPH_NONE}, e->text, e->span);
        add_occurrences(t, t->equations, i, 0);
    }
}

static const char *start_text(Arena *arena, const char *name, bool is_fixed)
{
    StringBuilder b = builder_create(arena);
    builder_append_format(&b, "%s start value of %s", is_fixed ? "fixed" : "the", name);
    return builder_string(&b).text;
}

static void initial_add_start(Setup *t, InitialKind kind, uint32_t number, uint32_t order)
{
    const SignatureVariable *v =
        kind == INITIAL_PARAMETER ? &t->g->inputs[number] : &t->g->variables[number];
    uint32_t unknown = kind == INITIAL_PARAMETER ? t->parameter[number] : t->base[number] + order;
    const char *name = derivative_name(t->arena, v->name, order);
    initial_add_row(t, (InitialRow){kind, number, order, unknown},
                    start_text(t->arena, name, kind == INITIAL_FIXED), v->span);
    signature_number(t->b, unknown, 0, 1.0);
}

static void add_fixed(Setup *t)
{
    for (uint32_t j = 0; j < t->g->variable_count; j++) {
        if (t->g->variables[j].is_fixed)
            initial_add_start(t, INITIAL_FIXED, j, 0);
    }
}

// What may be assumed, the most plausible first; a row for each class that has any.
enum {
    CLASS_STATE_WITH_START,
    CLASS_OTHER_WITH_START,
    CLASS_PARAMETER_WITH_START,
    CLASS_STATE,
    CLASS_DIFFERENTIATED,
    CLASS_STATE_DERIVATIVE,
    CLASS_DERIVATIVE,
    CLASS_COUNT,
};

static int class_of(const Setup *t, const SignatureSymbol *u)
{
    if (u->is_input)
        return t->g->inputs[u->number].has_start ? CLASS_PARAMETER_WITH_START : CLASS_COUNT;
    const SignatureVariable *v = &t->g->variables[u->number];
    bool is_state = u->order < t->s->state_orders[u->number];
    if (v->is_fixed && u->order == 0)
        return CLASS_COUNT;
    if (u->order > 0)
        return u->order >= t->s->offsets->d[u->number] ? CLASS_COUNT
               : is_state                              ? CLASS_STATE_DERIVATIVE
                                                       : CLASS_DERIVATIVE;
    if (v->has_start)
        return is_state ? CLASS_STATE_WITH_START : CLASS_OTHER_WITH_START;
    return is_state                          ? CLASS_STATE
           : t->s->offsets->d[u->number] > 0 ? CLASS_DIFFERENTIATED
                                             : CLASS_COUNT;
}

// Appends the rows of a class. The last classes have no start value.
static void add_assumptions(Setup *t, int class)
{
    for (uint32_t k = 0; k < t->unknown_count; k++) {
        const SignatureSymbol *u = &t->unknowns[k];
        if (class_of(t, u) != class)
            continue;
        InitialKind kind = u->is_input           ? INITIAL_PARAMETER
                           : class < CLASS_STATE ? INITIAL_START
                                                 : INITIAL_ZERO;
        initial_add_start(t, kind, u->number, u->order);
    }
}

// ---------------------------------------------------------------------------
// Matching
// ---------------------------------------------------------------------------

// Ends of the classes of rows: model, initial equations, fixed, then the assumptions.
enum { HARD_CLASSES = 3, ALL_CLASSES = HARD_CLASSES + CLASS_COUNT };

static Matching match_rows(Setup *t, const Signature *all, const uint32_t ends[ALL_CLASSES])
{
    Graph graph = signature_graph(t->scratch, all);
    Matching m = matching_empty(t->scratch, all->equation_count, all->variable_count);
    uint32_t *rows = ARENA_ARRAY(t->scratch, all->equation_count, uint32_t);
    for (uint32_t r = 0; r < all->equation_count; r++)
        rows[r] = r;
    Graph model = graph;
    model.row_count = ends[0];
    matching_maximum(t->scratch, &model, &m);
    for (int k = 1; k < ALL_CLASSES && m.size < all->variable_count; k++)
        matching_extend(t->scratch, &graph, rows + ends[k - 1], ends[k] - ends[k - 1], &m);
    return m;
}

// The signature of the rows before `end`.
static const Signature *initial_part_of(Arena *arena, const Signature *all, uint32_t end)
{
    SignatureBuilder *b = signature_begin(arena);
    for (uint32_t j = 0; j < all->variable_count; j++)
        signature_variable(b, &all->variables[j]);
    for (uint32_t i = 0; i < end; i++) {
        signature_equation(b, &all->equations[i]);
        for (uint32_t e = all->start[i]; e < all->start[i + 1]; e++) {
            signature_copy_entry(b, all->entries[e].variable, &all->entries[e]);
            for (uint32_t f = all->factor_start[e]; f < all->factor_start[e + 1]; f++)
                signature_factor(b, all->entries[e].variable,
                                 all->entries[all->factors[f]].variable);
        }
    }
    return signature_finish(b);
}

static void sort_out(Setup *t, const Signature *all, const Matching *m, uint32_t hard, Initial *out)
{
    uint32_t used = 0; // of those that must hold
    for (uint32_t r = 0; r < hard; r++)
        used += m->column_of[r] != GRAPH_NONE;
    InitialRow *rows = ARENA_ARRAY(t->arena, m->size, InitialRow);
    InitialRow *surplus = ARENA_ARRAY(t->arena, hard - used, InitialRow);
    InitialRow *assumed = ARENA_ARRAY(t->arena, m->size - used, InitialRow);
    uint32_t *open = ARENA_ARRAY(t->arena, t->unknown_count - m->size, uint32_t);
    for (uint32_t r = 0; r < all->equation_count; r++) {
        bool is_used = m->column_of[r] != GRAPH_NONE;
        if (is_used)
            rows[out->row_count++] = t->rows[r];
        if (!is_used && r < hard)
            surplus[out->surplus_count++] = t->rows[r];
        if (is_used && r >= hard)
            assumed[out->assumed_count++] = t->rows[r];
    }
    for (uint32_t u = 0; u < t->unknown_count; u++) {
        if (m->row_of[u] == GRAPH_NONE)
            open[out->open_count++] = u;
    }
    out->rows = rows;
    out->surplus = surplus;
    out->assumed = assumed;
    out->open = open;
}

static Setup initial_begin(Arena *arena, Arena *scratch, const Structure *s,
                           const Signature *equations)
{
    const Signature *g = s->signature;
    Setup t = {.arena = arena,
               .scratch = scratch,
               .s = s,
               .g = g,
               .equations = equations,
               .shift = ARENA_ARRAY(scratch, g->variable_count, uint32_t),
               .row_shift = ARENA_ARRAY(scratch, g->equation_count, uint32_t),
               .base = ARENA_ARRAY(scratch, g->variable_count, uint32_t),
               .parameter = ARENA_ARRAY(scratch, g->input_count, uint32_t),
               .b = signature_begin(arena)};
    find_shifts(&t);
    add_unknowns(&t);
    // model rows are as many as unknowns at most; every unknown may have two rows more
    uint32_t rows = 3 * t.unknown_count + (equations ? equations->equation_count : 0);
    t.rows = ARENA_ARRAY(scratch, rows, InitialRow);
    return t;
}

const Initial *initial_create(Arena *arena, const Structure *s, const Signature *equations)
{
    Initial *out = ARENA_NEW(arena, Initial);
    Arena *scratch = arena_scratch(arena);
    const ArenaMark mark = arena_mark(scratch);
    Setup t = initial_begin(arena, scratch, s, equations);
    uint32_t ends[ALL_CLASSES];
    add_model_rows(&t);
    ends[0] = t.row_count;
    add_initial_equations(&t);
    ends[1] = t.row_count;
    add_fixed(&t);
    ends[2] = t.row_count;
    for (int class = 0; class < CLASS_COUNT; class ++) {
        add_assumptions(&t, class);
        ends[HARD_CLASSES + class] = t.row_count;
    }
    Signature *all = signature_finish(t.b);
    Matching m = match_rows(&t, all, ends);
    sort_out(&t, all, &m, ends[2], out);
    out->unknowns = t.unknowns;
    out->unknown_count = t.unknown_count;
    if (out->surplus_count) {
        InitialRow *rows = ARENA_ARRAY(arena, ends[2], InitialRow);
        memcpy(rows, t.rows, ends[2] * sizeof *rows);
        out->complete = initial_part_of(arena, all, ends[2]);
        out->complete_rows = rows;
    }
    out->square = signature_choose(all, m.column_of);
    arena_release(scratch, mark);
    if (out->open_count == 0)
        out->structure = structure_create(arena, out->square, NULL);
    return out;
}

const Initial *initial_keep(const Initial *from, const Keeper *k)
{
    if (!from)
        return NULL;
    Initial *initial = ARENA_NEW(k->to, Initial);
    Signature *complete = ARENA_NEW(k->to, Signature);
    SignatureEquation *equations = ARENA_ARRAY(k->to, from->surplus_count, SignatureEquation);
    initial->surplus = keep_array(k, from->surplus, from->surplus_count, sizeof *from->surplus);
    initial->surplus_count = from->surplus_count;
    initial->complete_rows = initial->surplus;
    for (uint32_t i = 0; i < from->surplus_count; i++) {
        const InitialRow *row = &from->surplus[i];
        uint32_t r = 0;
        while (from->complete_rows[r].kind != row->kind ||
               from->complete_rows[r].number != row->number ||
               from->complete_rows[r].order != row->order)
            r++;
        const SignatureEquation *about = &from->complete->equations[r];
        equations[i] = (SignatureEquation){.text = keep_text(k, about->text), .span = about->span};
    }
    complete->equations = equations;
    complete->equation_count = from->surplus_count;
    initial->complete = complete;
    return initial;
}

// ---------------------------------------------------------------------------
// Words
// ---------------------------------------------------------------------------

// "x begins", "x, y and 3 more begin": names of the unknowns that are assumed in this way.
static void report_assumed(const Initial *initial, InitialKind kind, const char *one,
                           const char *many, Diagnostics *d)
{
    enum { SHOWN = 8 };
    const SignatureVariable *first = NULL;
    StringBuilder b = builder_create(d->arena);
    uint32_t count = 0;
    for (uint32_t k = 0; k < initial->assumed_count; k++) {
        const SignatureVariable *v = &initial->square->variables[initial->assumed[k].unknown];
        if (initial->assumed[k].kind != kind)
            continue;
        first = first ? first : v;
        if (count++ < SHOWN)
            builder_append_format(&b, "%s%s", count > 1 ? ", " : "", v->name);
    }
    if (count > SHOWN)
        builder_append_format(&b, " and %u more", count - SHOWN);
    if (count > 0)
        diagnostics_warning(d, first->span, "%s %s", builder_string(&b).text,
                            count == 1 ? one : many);
}

// Appends "what x, y and 3 more" for the rows of one kind.
static void append_rows(const Initial *initial, const DiagnosisPart *part, InitialKind kind,
                        const char *one, const char *many, StringBuilder *out)
{
    enum { SHOWN = 6 };
    uint32_t count = 0, shown = 0;
    for (uint32_t k = 0; k < part->equation_count; k++)
        count += initial->complete_rows[part->equations[k]].kind == kind;
    if (count > 0)
        builder_append_format(out, "%s%s ", out->length ? " and " : "", count == 1 ? one : many);
    for (uint32_t k = 0; k < part->equation_count && shown < SHOWN; k++) {
        const InitialRow *row = &initial->complete_rows[part->equations[k]];
        const char *text = initial->complete->equations[part->equations[k]].text;
        if (row->kind != kind)
            continue;
        if (kind == INITIAL_FIXED)
            text = initial->complete->variables[row->unknown].name;
        builder_append_format(out, "%s%s", shown++ ? ", " : "", text ? text : "without text");
    }
    if (count > shown)
        builder_append_format(out, " and %u more", count - shown);
}

// One warning for each part. What follows from the others is checked when a run begins, which is
// refused if it contradicts them. A single start value that follows from the equations is nothing
// to choose from: it belongs to a state of other modes, say.
static void report_surplus(const Initial *initial, const DiagnosisPart *part, Diagnostics *d)
{
    StringBuilder text = builder_create(d->arena);
    Span span = {0, 0};
    uint32_t count = 0;
    InitialKind kind = INITIAL_MODEL;
    for (uint32_t k = part->equation_count; k-- > 0;) {
        const uint32_t r = part->equations[k];
        if (initial->complete_rows[r].kind == INITIAL_MODEL)
            continue;
        span = initial->complete->equations[r].span;
        kind = initial->complete_rows[r].kind;
        count++;
    }
    if (count == 0 || (count == 1 && kind == INITIAL_FIXED))
        return;
    append_rows(initial, part, INITIAL_EQUATION, "the initial equation", "the initial equations",
                &text);
    append_rows(initial, part, INITIAL_FIXED, "the fixed start value of",
                "the fixed start values of", &text);
    diagnostics_warning(d, span,
                        "%u initial condition%s more than needed: a run begins only if %s %s",
                        part->surplus, part->surplus == 1 ? "" : "s", builder_string(&text).text,
                        count == 1 ? "agrees with the equations" : "agree");
}

void initial_report(const Initial *initial, Diagnostics *d)
{
    for (uint32_t u = 0; u < initial->open_count; u++) {
        const SignatureVariable *v = &initial->square->variables[initial->open[u]];
        diagnostics_error(d, v->span, "nothing determines the initial value of %s", v->name);
    }
    if (initial->surplus_count > 0) {
        Diagnosis diagnosis = diagnosis_find(d->arena, initial->complete);
        for (uint32_t k = 0; k < diagnosis.count; k++) {
            if (diagnosis.parts[k].is_over)
                report_surplus(initial, &diagnosis.parts[k], d);
        }
    }
    report_assumed(initial, INITIAL_START, "begins with its start value, though that is not fixed",
                   "begin with their start values, though these are not fixed", d);
    report_assumed(initial, INITIAL_ZERO, "has no start value and begins with 0",
                   "have no start values and begin with 0", d);
    report_assumed(initial, INITIAL_PARAMETER,
                   "is a parameter that nothing determines: it has its start value",
                   "are parameters that nothing determines: they have their start values", d);
}
