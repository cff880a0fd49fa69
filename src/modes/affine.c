// SPDX-License-Identifier: MIT

#include "modes/affine.h"

#include "base/memory.h"
#include "equations/linear.h"
#include "equations/print.h"
#include "numerics/dense.h"

#include <math.h>

// What is beyond is left to other solvers.
enum {
    MOST_FAMILIES = 32,
    MOST_SUMMANDS = 64, // of a function of time
    MOST_POWER = 4,
    DEEPEST_TERM = 200,
    MOST_ROW_NUMBERS = 4000000,
};

// ---------------------------------------------------------------------------
// Functions of time
// ---------------------------------------------------------------------------

// Signals of a family: t^k exp(e), or the two t^k exp(e) sin(w t), t^k exp(e) cos(w t), for k = 0,
// 1, ..., powers. e is linear in time, with this slope.
typedef struct AffineFamily {
    Node exponent, slope, frequency; // NODE_NONE: there is none
    uint32_t powers;
    uint32_t first; // its first signal
} AffineFamily;

// factor t^power exp(e) [sin(w t)] of a family; the kind is the place among the signals of a power.
typedef struct AffineSummand {
    Node factor;
    uint32_t family, power, kind;
} AffineSummand;

typedef struct AffineSum {
    AffineSummand items[MOST_SUMMANDS];
    uint32_t count;
} AffineSum;

typedef struct AffineFinder {
    Arena *arena;
    Dag *dag;
    const Solution *solution;
    DagMemo *needed;  // variables that the derivatives of the states follow from
    DagMemo *columns; // variables -> column, without the signals: states, then unknowns
    AffineFamily families[MOST_FAMILIES];
    uint32_t family_count;
    // Coefficients with their columns; signals have the family in place of it until all are known.
    Node *coefficients;
    struct AffineCell {
        uint32_t column, family, power, kind; // family DAG_NONE: no signal
    } * cells;
    uint32_t count, room;
    uint16_t *ends;
    uint32_t unknown_count;
    AffineBlock *blocks;
    uint32_t block_count, widest;
    struct {
        Node *nodes, *values; // of signals; of elements of W
        AffineRate *rates;
        uint32_t count, rate_count;
    } signals;
    // Factors, each once: numbers, and what has to be computed.
    struct {
        uint16_t *sources;
        double *numbers;
        Node *nodes;
        uint32_t number_count, node_count;
    } factors;
    const char *why;
} AffineFinder;

static bool affine_is_constant(const Dag *dag, Node node)
{
    const DagNode *n = dag_get(dag, node);
    // A function that is called may be impure.
    return n->variability < DAG_DISCRETE ||
           (n->variability < DAG_CONTINUOUS && !(n->facts & DAG_CALLS));
}

static bool affine_add_summand(AffineSum *sum, AffineSummand s)
{
    if (sum->count == MOST_SUMMANDS)
        return false;
    sum->items[sum->count++] = s;
    return true;
}

static uint32_t affine_family(AffineFinder *f, Node exponent, Node slope, Node frequency)
{
    uint32_t k = 0;
    while (k < f->family_count &&
           (f->families[k].exponent != exponent || f->families[k].frequency != frequency))
        k++;
    if (k == MOST_FAMILIES)
        return DAG_NONE;
    if (k == f->family_count)
        f->families[f->family_count++] =
            (AffineFamily){.exponent = exponent, .slope = slope, .frequency = frequency};
    return k;
}

// The sum of a and b times a factor.
static bool affine_add(AffineFinder *f, AffineSum *a, const AffineSum *b, Node factor)
{
    bool is_fine = true;
    for (uint32_t i = 0; i < b->count && is_fine; i++) {
        AffineSummand s = b->items[i];
        s.factor = dag_multiply(f->dag, factor, s.factor);
        is_fine = affine_add_summand(a, s);
    }
    return is_fine;
}

static Node affine_join(AffineFinder *f, Node a, Node b)
{
    return a == NODE_NONE ? b : b == NODE_NONE ? a : dag_add(f->dag, a, b);
}

// Powers and exponentials multiply within the families, but not two sines.
static bool affine_multiply(AffineFinder *f, const AffineSum *a, const AffineSum *b, AffineSum *to)
{
    to->count = 0;
    for (uint32_t i = 0; i < a->count; i++)
        for (uint32_t j = 0; j < b->count; j++) {
            const AffineSummand *p = &a->items[i], *q = &b->items[j];
            const AffineFamily *u = &f->families[p->family], *v = &f->families[q->family];
            if (u->frequency != NODE_NONE && v->frequency != NODE_NONE)
                return false;
            const AffineSummand product = {
                .factor = dag_multiply(f->dag, p->factor, q->factor),
                .family = affine_family(f, affine_join(f, u->exponent, v->exponent),
                                        affine_join(f, u->slope, v->slope),
                                        u->frequency != NODE_NONE ? u->frequency : v->frequency),
                .power = p->power + q->power,
                .kind = p->kind + q->kind};
            if (product.family == DAG_NONE || product.power > MOST_POWER ||
                !affine_add_summand(to, product))
                return false;
        }
    return true;
}

static bool affine_expand(AffineFinder *f, Node node, int depth, AffineSum *to);

// node = slope t + rest
static bool affine_line(AffineFinder *f, Node node, int depth, Node *slope, Node *rest)
{
    AffineSum *sum = ARENA_NEW(f->arena, AffineSum);
    bool is_line = affine_expand(f, node, depth, sum);
    *slope = *rest = f->dag->zero;
    for (uint32_t i = 0; i < sum->count && is_line; i++) {
        const AffineSummand *s = &sum->items[i];
        const AffineFamily *family = &f->families[s->family];
        Node *part = s->power ? slope : rest;
        is_line = family->exponent == NODE_NONE && family->frequency == NODE_NONE && s->power <= 1;
        *part = dag_add(f->dag, *part, s->factor);
    }
    return is_line;
}

// sin(w t + p) = cos(p) sin(w t) + sin(p) cos(w t); cos(w t + p) = cos(p) cos(w t) - sin(p) sin(w
// t)
static bool affine_wave(AffineFinder *f, Node argument, int depth, bool is_cosine, AffineSum *to)
{
    Dag *dag = f->dag;
    Node frequency, phase;
    if (!affine_line(f, argument, depth, &frequency, &phase))
        return false;
    const uint32_t family = affine_family(f, NODE_NONE, NODE_NONE, frequency);
    const Node sine = dag_unary(dag, OPERATOR_SIN, phase),
               cosine = dag_unary(dag, OPERATOR_COS, phase);
    const Node of_sine = is_cosine ? dag_negate(dag, sine) : cosine,
               of_cosine = is_cosine ? cosine : sine;
    if (family == DAG_NONE)
        return false;
    return (dag_is_zero(dag, of_sine) ||
            affine_add_summand(to, (AffineSummand){of_sine, family, 0, 0})) &&
           (dag_is_zero(dag, of_cosine) ||
            affine_add_summand(to, (AffineSummand){of_cosine, family, 0, 1}));
}

static bool affine_exponential(AffineFinder *f, Node argument, int depth, AffineSum *to)
{
    Node slope, rest;
    if (!affine_line(f, argument, depth, &slope, &rest))
        return false;
    const uint32_t family = affine_family(f, argument, slope, NODE_NONE);
    return family != DAG_NONE && affine_add_summand(to, (AffineSummand){f->dag->one, family, 0, 0});
}

static bool affine_power(AffineFinder *f, const AffineSum *base, int power, AffineSum *to)
{
    if (power < 1 || power > MOST_POWER)
        return false;
    AffineSum *next = ARENA_NEW(f->arena, AffineSum);
    *to = *base;
    for (int i = 1; i < power; i++) {
        if (!affine_multiply(f, to, base, next))
            return false;
        *to = *next;
    }
    return true;
}

static bool affine_choose(AffineFinder *f, Node condition, const AffineSum *then,
                          const AffineSum *otherwise, AffineSum *to)
{
    Dag *dag = f->dag;
    for (uint32_t side = 0; side < 2; side++) {
        const AffineSum *sum = side ? otherwise : then;
        for (uint32_t i = 0; i < sum->count; i++) {
            AffineSummand s = sum->items[i];
            s.factor = side ? dag_if(dag, condition, dag->zero, s.factor)
                            : dag_if(dag, condition, s.factor, dag->zero);
            if (!affine_add_summand(to, s))
                return false;
        }
    }
    return true;
}

static bool affine_operation(AffineFinder *f, Node node, int depth, AffineSum *to)
{
    Dag *dag = f->dag;
    const DagNode n = *dag_get(dag, node);
    const Node a = n.operands[0], b = n.operands[n.count - 1];
    if (n.op == OPERATOR_SIN || n.op == OPERATOR_COS)
        return affine_wave(f, a, depth, n.op == OPERATOR_COS, to);
    if (n.op == OPERATOR_EXP)
        return affine_exponential(f, a, depth, to);
    if (n.op == OPERATOR_IF && !affine_is_constant(dag, a))
        return false;
    AffineSum *left = ARENA_NEW(f->arena, AffineSum), *right = ARENA_NEW(f->arena, AffineSum);
    if (!affine_expand(f, n.op == OPERATOR_IF ? n.operands[1] : a, depth, left) ||
        (n.count > 1 && n.op != OPERATOR_DIVIDE && !affine_expand(f, b, depth, right)))
        return false;
    switch ((Operator)n.op) {
    case OPERATOR_ADD:
        return affine_add(f, to, left, dag->one) && affine_add(f, to, right, dag->one);
    case OPERATOR_SUBTRACT:
        return affine_add(f, to, left, dag->one) && affine_add(f, to, right, dag->minus_one);
    case OPERATOR_NEGATE:
        return affine_add(f, to, left, dag->minus_one);
    case OPERATOR_MULTIPLY:
        return affine_multiply(f, left, right, to);
    case OPERATOR_DIVIDE:
        if (!affine_is_constant(dag, b))
            return false;
        for (uint32_t i = 0; i < left->count; i++)
            left->items[i].factor = dag_divide(dag, left->items[i].factor, b);
        *to = *left;
        return true;
    case OPERATOR_IF:
        return affine_choose(f, a, left, right, to);
    default:
        return false;
    }
}

// A function of time as a sum; false: it is none, or of another kind.
static bool affine_expand(AffineFinder *f, Node node, int depth, AffineSum *to)
{
    const DagNode n = *dag_get(f->dag, node);
    to->count = 0;
    if (depth > DEEPEST_TERM)
        return false;
    if (n.variability < DAG_CONTINUOUS)
        return affine_is_constant(f->dag, node) &&
               (dag_is_zero(f->dag, node) ||
                affine_add_summand(to, (AffineSummand){.factor = node}));
    if (n.kind == DAG_VARIABLE)
        return n.number == DAG_TIME_VARIABLE &&
               affine_add_summand(to, (AffineSummand){.factor = f->dag->one, .power = 1});
    if (n.kind == DAG_INTEGER_POWER) {
        AffineSum *base = ARENA_NEW(f->arena, AffineSum);
        return affine_expand(f, n.operands[0], depth + 1, base) &&
               affine_power(f, base, n.power, to);
    }
    return n.kind == DAG_OPERATION && affine_operation(f, node, depth + 1, to);
}

// ---------------------------------------------------------------------------
// Rows
// ---------------------------------------------------------------------------

static void affine_add_cell(AffineFinder *f, Node coefficient, struct AffineCell cell)
{
    if (f->count == f->room) {
        const uint32_t room = f->room ? 2 * f->room : 64;
        f->coefficients = arena_grow(f->arena, f->coefficients, f->room * sizeof *f->coefficients,
                                     room * sizeof *f->coefficients);
        f->cells =
            arena_grow(f->arena, f->cells, f->room * sizeof *f->cells, room * sizeof *f->cells);
        f->room = room;
    }
    f->coefficients[f->count] = coefficient;
    f->cells[f->count++] = cell;
}

// The terms of a row; false: it is not linear with constant coefficients.
static bool affine_add_terms(AffineFinder *f, Node node)
{
    LinearForm form;
    if (!linear_extract(f->dag, f->dag->arena, node, f->columns, &form)) {
        f->why = "is not linear";
        return false;
    }
    for (uint32_t i = 0; i < form.count; i++) {
        if (!affine_is_constant(f->dag, form.terms[i].value)) {
            f->why = "has coefficients that change between events";
            return false;
        }
        affine_add_cell(f, form.terms[i].value,
                        (struct AffineCell){.column = memo_get(f->columns, form.terms[i].variable),
                                            .family = DAG_NONE});
    }
    AffineSum *sum = ARENA_NEW(f->arena, AffineSum);
    if (!affine_expand(f, form.rest, 0, sum)) {
        f->why = "has an input that is no sum of powers, exponentials and sines of time";
        return false;
    }
    for (uint32_t i = 0; i < sum->count; i++) {
        const AffineSummand *s = &sum->items[i];
        AffineFamily *family = &f->families[s->family];
        if (family->powers < s->power)
            family->powers = s->power;
        affine_add_cell(f, s->factor, (struct AffineCell){0, s->family, s->power, s->kind});
    }
    return true;
}

// The value of a definition. Where its divisor is constant the run finds out whether it is zero, so
// that the question for it, which contains states, can be left out (see solution.c).
static Node affine_value(const AffineFinder *f, const SolutionDefinition *d)
{
    const DagNode *n = dag_get(f->dag, d->value);
    const bool asks = d->divisor != NODE_NONE && affine_is_constant(f->dag, d->divisor) &&
                      dag_is_operation(f->dag, d->value, OPERATOR_IF) &&
                      dag_is_operation(f->dag, n->operands[0], OPERATOR_AND) &&
                      dag_is_zero(f->dag, n->operands[1]);
    return asks ? n->operands[2] : d->value;
}

static void affine_number(AffineFinder *f, GraphVariable variable)
{
    memo_set(f->columns, variable, f->solution->state_count + f->unknown_count++);
}

static bool affine_end_row(AffineFinder *f, uint32_t row, bool is_fine)
{
    f->ends[row] = (uint16_t)f->count;
    if (is_fine && f->count > UINT16_MAX)
        f->why = "is one of too many";
    return is_fine && f->count <= UINT16_MAX;
}

// One definition after the other is one block.
static void affine_add_row(AffineFinder *f, uint32_t row)
{
    AffineBlock *last = f->block_count ? &f->blocks[f->block_count - 1] : NULL;
    if (last && !last->is_solved)
        last->size++;
    else
        // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): there is room for all rows
        f->blocks[f->block_count++] = (AffineBlock){row, 1, false};
}

// One after the other, or all at once.
static bool affine_add_block(AffineFinder *f, const SolutionBlock *b)
{
    const bool is_solved = b->unknown_count > 0;
    const uint32_t first = f->unknown_count, size = b->definition_count + b->unknown_count;
    bool is_fine = true;
    if (is_solved) {
        for (uint32_t i = 0; i < b->definition_count; i++)
            affine_number(f, b->definitions[i].variable);
        for (uint32_t i = 0; i < b->unknown_count; i++)
            affine_number(f, b->unknowns[i]);
        f->blocks[f->block_count++] = (AffineBlock){first, size, true};
        f->widest = size > f->widest ? size : f->widest;
    }
    for (uint32_t i = 0; i < b->definition_count && is_fine; i++) {
        const uint32_t row = first + i;
        is_fine = affine_add_terms(f, affine_value(f, &b->definitions[i]));
        if (is_solved)
            affine_add_cell(
                f, f->dag->minus_one,
                (struct AffineCell){.column = f->solution->state_count + row, .family = DAG_NONE});
        else
            affine_add_row(f, row);
        if (!is_solved)
            affine_number(f, b->definitions[i].variable);
        is_fine = affine_end_row(f, row, is_fine);
    }
    for (uint32_t i = 0; i < b->unknown_count && is_fine; i++)
        is_fine = affine_end_row(f, first + b->definition_count + i,
                                 affine_add_terms(f, b->residuals[i]));
    return is_fine;
}

// ---------------------------------------------------------------------------
// What is needed
// ---------------------------------------------------------------------------

static bool affine_is_needed(const AffineFinder *f, const SolutionBlock *b)
{
    for (uint32_t i = 0; i < b->definition_count; i++)
        if (memo_has(f->needed, b->definitions[i].variable))
            return true;
    for (uint32_t i = 0; i < b->unknown_count; i++)
        if (memo_has(f->needed, b->unknowns[i]))
            return true;
    return false;
}

static void affine_need(AffineFinder *f, DagMemo *memo, const Node *nodes, uint32_t count)
{
    memo_clear(memo);
    walk_variables(memo, WALK_UNHELD, nodes, count);
    for (uint32_t i = 0; i < memo->count; i++)
        memo_set(f->needed, memo->list[i], 0);
}

// Which blocks the derivatives of the states follow from.
static bool *affine_find_needed(AffineFinder *f)
{
    const Solution *s = f->solution;
    bool *is_needed = ARENA_ARRAY(f->arena, s->block_count, bool);
    DagMemo *memo = memo_take(f->dag);
    for (uint32_t i = 0; i < s->state_count; i++)
        memo_set(f->needed, s->states[i].derivative, 0);
    for (uint32_t k = s->block_count; k-- > 0;) {
        const SolutionBlock *b = &s->blocks[k];
        is_needed[k] = affine_is_needed(f, b);
        if (!is_needed[k])
            continue;
        for (uint32_t i = 0; i < b->definition_count; i++)
            affine_need(f, memo, &b->definitions[i].value, 1);
        affine_need(f, memo, b->residuals, b->unknown_count);
    }
    memo_give(memo);
    return is_needed;
}

// "line 7: a = b is not linear"
static const char *affine_explain(const AffineFinder *f, const Sources *sources, uint32_t block)
{
    const Structure *s = f->solution->structure;
    const SignatureEquation *e =
        &s->signature->equations[s->steps[s->blocks[block].first].equation];
    StringBuilder text = builder_create(f->arena);
    const bool has_place = e->span.end > e->span.begin;
    if (has_place)
        builder_append_format(&text, "line %u: ", sources_locate(sources, e->span.begin).line);
    builder_append_format(&text, "%s%s%s %s", e->component ? e->component : "",
                          e->component ? ": " : "", e->text ? e->text : "an equation", f->why);
    return builder_string(&text).text;
}

static bool affine_find_rows(AffineFinder *f, const Sources *sources, const char **why)
{
    const Solution *s = f->solution;
    const bool *is_needed = affine_find_needed(f);
    uint32_t unknowns = 0;
    for (uint32_t k = 0; k < s->block_count; k++)
        if (is_needed[k])
            unknowns += s->blocks[k].definition_count + s->blocks[k].unknown_count;
    f->ends = ARENA_ARRAY(f->arena, unknowns, uint16_t);
    f->blocks = ARENA_ARRAY(f->arena, unknowns, AffineBlock);
    for (uint32_t i = 0; i < s->state_count; i++)
        memo_set(f->columns, s->states[i].variable, i);
    for (uint32_t k = 0; k < s->block_count; k++) {
        if (!is_needed[k])
            continue;
        f->why = "is not linear";
        if (s->blocks[k].kind == STRUCTURE_NONLINEAR || !affine_add_block(f, &s->blocks[k])) {
            *why = affine_explain(f, sources, k);
            return false;
        }
    }
    return true;
}

// ---------------------------------------------------------------------------
// Signals
// ---------------------------------------------------------------------------

static uint32_t affine_kinds(const AffineFamily *family)
{
    return family->frequency == NODE_NONE ? 1 : 2;
}

static uint32_t affine_number_signals(AffineFinder *f)
{
    uint32_t count = 0;
    bool *is_used = ARENA_ARRAY(f->arena, MOST_FAMILIES, bool);
    for (uint32_t i = 0; i < f->count; i++)
        if (f->cells[i].family != DAG_NONE)
            is_used[f->cells[i].family] = true;
    for (uint32_t k = 0; k < f->family_count; k++) {
        AffineFamily *family = &f->families[k];
        family->first = is_used[k] ? count : DAG_NONE;
        count += is_used[k] ? (family->powers + 1) * affine_kinds(family) : 0;
    }
    return count;
}

// t^k exp(e) sin(w t)
static Node affine_signal(AffineFinder *f, const AffineFamily *family, uint32_t power,
                          uint32_t kind)
{
    Dag *dag = f->dag;
    Node node = dag_power(dag, dag_time(dag), dag_integer(dag, power));
    if (power == 0)
        node = dag->one;
    if (family->exponent != NODE_NONE)
        node = dag_multiply(dag, node, dag_unary(dag, OPERATOR_EXP, family->exponent));
    if (family->frequency != NODE_NONE)
        node = dag_multiply(dag, node,
                            dag_unary(dag, kind ? OPERATOR_COS : OPERATOR_SIN,
                                      dag_multiply(dag, family->frequency, dag_time(dag))));
    return node;
}

static void affine_add_rate(AffineFinder *f, uint32_t row, uint32_t column, Node value)
{
    f->signals.values[f->signals.rate_count] = value;
    f->signals.rates[f->signals.rate_count++] = (AffineRate){row, column};
}

// (t^k E S)' = k t^(k-1) E S + e' t^k E S + w t^k E C; likewise, with -w, for C.
static void affine_derive_signal(AffineFinder *f, const AffineFamily *family, uint32_t power,
                                 uint32_t kind)
{
    Dag *dag = f->dag;
    const uint32_t kinds = affine_kinds(family), first = family->first + power * kinds;
    const uint32_t row = first + kind;
    f->signals.nodes[row] = affine_signal(f, family, power, kind);
    if (power > 0)
        affine_add_rate(f, row, row - kinds, dag_real(dag, power));
    if (family->slope != NODE_NONE)
        affine_add_rate(f, row, row, family->slope);
    if (kinds == 2)
        affine_add_rate(f, row, first + 1 - kind,
                        kind ? dag_negate(dag, family->frequency) : family->frequency);
}

static void affine_find_signals(AffineFinder *f)
{
    const uint32_t count = affine_number_signals(f);
    f->signals.count = count;
    f->signals.nodes = ARENA_ARRAY(f->arena, count, Node);
    f->signals.values = ARENA_ARRAY(f->arena, 3 * count, Node);
    f->signals.rates = ARENA_ARRAY(f->arena, 3 * count, AffineRate);
    for (uint32_t k = 0; k < f->family_count; k++) {
        const AffineFamily *family = &f->families[k];
        for (uint32_t power = 0; family->first != DAG_NONE && power <= family->powers; power++)
            for (uint32_t kind = 0; kind < affine_kinds(family); kind++)
                affine_derive_signal(f, family, power, kind);
    }
}

// ---------------------------------------------------------------------------
// The whole
// ---------------------------------------------------------------------------

static const uint16_t *affine_find_columns(const AffineFinder *f)
{
    uint16_t *columns = ARENA_ARRAY(f->arena, f->count, uint16_t);
    const uint32_t states = f->solution->state_count;
    for (uint32_t i = 0; i < f->count; i++) {
        const struct AffineCell *c = &f->cells[i];
        if (c->family == DAG_NONE) {
            columns[i] = (uint16_t)(c->column < states ? c->column : c->column + f->signals.count);
            continue;
        }
        const AffineFamily *family = &f->families[c->family];
        columns[i] = (uint16_t)(states + family->first + c->power * affine_kinds(family) + c->kind);
    }
    return columns;
}

static void affine_find_factors(AffineFinder *f)
{
    const uint32_t count = f->count + f->signals.rate_count;
    f->factors.sources = ARENA_ARRAY(f->arena, count, uint16_t);
    f->factors.numbers = ARENA_ARRAY(f->arena, count, double);
    f->factors.nodes = ARENA_ARRAY(f->arena, count, Node);
    DagMemo *known = memo_take(f->dag);
    for (uint32_t i = 0; i < count; i++) {
        const Node node = i < f->count ? f->coefficients[i] : f->signals.values[i - f->count];
        const bool is_number = dag_is_number(f->dag, node);
        if (!memo_has(known, node)) {
            memo_set(known, node, is_number ? f->factors.number_count : f->factors.node_count);
            if (is_number)
                f->factors.numbers[f->factors.number_count++] = dag_get(f->dag, node)->value;
            else
                f->factors.nodes[f->factors.node_count++] = node;
        }
        f->factors.sources[i] = (uint16_t)memo_get(known, node);
    }
    for (uint32_t i = 0; i < count; i++)
        if (!dag_is_number(f->dag,
                           i < f->count ? f->coefficients[i] : f->signals.values[i - f->count]))
            f->factors.sources[i] = (uint16_t)(f->factors.sources[i] + f->factors.number_count);
    memo_give(known);
}

static const Program *affine_program(AffineFinder *f, const CodePlace *places,
                                     Diagnostics *diagnostics)
{
    const uint32_t factors = f->factors.node_count, count = factors + f->signals.count;
    Node *nodes = ARENA_ARRAY(f->arena, count, Node);
    memcpy(nodes, f->factors.nodes, factors * sizeof *nodes);
    memcpy(nodes + factors, f->signals.nodes, f->signals.count * sizeof *nodes);
    const ProgramEntry entry = {.name = "coefficients", .nodes = nodes, .count = count};
    return program_create(
        &(ProgramDef){.dag = f->dag, .places = places, .entries = &entry, .entry_count = 1},
        diagnostics);
}

static const Affine *affine_make(AffineFinder *f, const CodePlace *places, Diagnostics *diagnostics)
{
    const Solution *s = f->solution;
    affine_find_signals(f);
    affine_find_factors(f);
    Affine *a = ARENA_NEW(f->arena, Affine);
    uint32_t *derivatives = ARENA_ARRAY(f->arena, s->state_count, uint32_t);
    for (uint32_t i = 0; i < s->state_count; i++) {
        if (!memo_has(f->columns, s->states[i].derivative))
            return NULL;
        const uint32_t column = memo_get(f->columns, s->states[i].derivative);
        derivatives[i] = column < s->state_count ? column : column + f->signals.count;
    }
    *a = (Affine){.program = affine_program(f, places, diagnostics),
                  .state_count = s->state_count,
                  .signal_count = f->signals.count,
                  .unknown_count = f->unknown_count,
                  .term_count = f->count,
                  .rate_count = f->signals.rate_count,
                  .block_count = f->block_count,
                  .number_count = f->factors.number_count,
                  .coefficient_count = f->factors.node_count,
                  .columns = affine_find_columns(f),
                  .sources = f->factors.sources,
                  .numbers = f->factors.numbers,
                  .ends = f->ends,
                  .blocks = f->blocks,
                  .rates = f->signals.rates,
                  .derivatives = derivatives,
                  .widest = f->widest};
    return a->program ? a : NULL;
}

const Affine *affine_find(Dag *dag, const Solution *solution, const CodePlace *places,
                          Diagnostics *diagnostics, const char **why)
{
    *why = NULL;
    if (solution->state_count > AFFINE_MOST_STATES) {
        *why = "there are too many states for it";
        return NULL;
    }
    AffineFinder *f = ARENA_NEW(dag->arena, AffineFinder);
    *f = (AffineFinder){.arena = dag->arena,
                        .dag = dag,
                        .solution = solution,
                        .needed = memo_take(dag),
                        .columns = memo_take(dag)};
    affine_family(f, NODE_NONE, NODE_NONE, NODE_NONE); // the first one: powers
    const Affine *affine = NULL;
    if (affine_find_rows(f, diagnostics->sources, why)) {
        affine = affine_make(f, places, diagnostics);
        const double numbers =
            affine ? (double)affine->unknown_count * (affine->state_count + affine->signal_count)
                   : 0.0;
        if (numbers > MOST_ROW_NUMBERS ||
            (affine && (affine->widest > AFFINE_MOST_STATES ||
                        affine->term_count + affine->rate_count + affine->unknown_count +
                                affine->state_count + affine->signal_count >
                            UINT16_MAX))) {
            *why = "there are too many equations for it";
            affine = NULL;
        }
    }
    memo_give(f->columns);
    memo_give(f->needed);
    return affine;
}

const Affine *affine_keep(const Affine *from, const Keeper *k)
{
    if (!from)
        return NULL;
    Affine *a = keep_array(k, from, 1, sizeof *from);
    a->program = program_keep(from->program, k, 0);
    KEEP(k, a->columns, a->term_count);
    KEEP(k, a->sources, a->term_count + a->rate_count);
    KEEP(k, a->numbers, a->number_count);
    KEEP(k, a->ends, a->unknown_count);
    KEEP(k, a->blocks, a->block_count);
    KEEP(k, a->rates, a->rate_count);
    KEEP(k, a->derivatives, a->state_count);
    return a;
}

// ---------------------------------------------------------------------------
// Elimination
// ---------------------------------------------------------------------------

struct AffineScratch {
    ProgramScratch *program;
    double *rows;   // by unknown: its coefficients of states and signals
    double *matrix; // of a block, column by column
    double *right;  // a column of the right-hand side
    int *pivot;
};

AffineScratch *affine_scratch(const Affine *a)
{
    const SaltusAllocator allocator = memory_default();
    const size_t n = (size_t)a->state_count + a->signal_count, widest = a->widest;
    const size_t doubles = a->unknown_count * n + widest * widest + widest;
    AffineScratch *s =
        memory_new(&allocator, 1, sizeof *s + doubles * sizeof(double) + widest * sizeof(int));
    if (!s)
        return NULL;
    s->rows = (double *)(void *)(s + 1);
    s->matrix = s->rows + a->unknown_count * n;
    s->right = s->matrix + widest * widest;
    s->pivot = (int *)(void *)(s->right + widest);
    s->program = program_scratch(a->program);
    if (s->program)
        return s;
    memory_free(&allocator, s);
    return NULL;
}

void affine_scratch_free(AffineScratch *s)
{
    const SaltusAllocator allocator = memory_default();
    if (s)
        program_scratch_free(s->program);
    memory_free(&allocator, s);
}

bool affine_coefficients(const Affine *a, AffineScratch *s, const ProgramInputs *inputs,
                         double *values)
{
    return program_evaluate(a->program, s->program, inputs, 0, values) == PROGRAM_FINE;
}

static double affine_factor(const Affine *a, const double *coefficients, uint32_t index)
{
    const uint32_t source = a->sources[index];
    return source < a->number_count ? a->numbers[source] : coefficients[source - a->number_count];
}

// to += factor times what a column is.
static void affine_add_column(const Affine *a, const AffineScratch *s, uint32_t column,
                              double factor, double *to)
{
    const uint32_t n = a->state_count + a->signal_count;
    if (column < n) {
        to[column] += factor;
        return;
    }
    const double *row = s->rows + (size_t)(column - n) * n;
    for (uint32_t j = 0; j < n; j++)
        to[j] += factor * row[j];
}

// The rows of a block that has to be solved: its matrix times the unknowns, plus the rest, is zero.
static bool affine_solve(const Affine *a, AffineScratch *s, const AffineBlock *b,
                         const double *coefficients)
{
    const uint32_t n = a->state_count + a->signal_count, own = n + b->first;
    memset(s->matrix, 0, (size_t)b->size * b->size * sizeof(double));
    for (uint32_t i = 0; i < b->size; i++) {
        const uint32_t row = b->first + i;
        double *rest = s->rows + (size_t)row * n;
        for (uint32_t e = row ? a->ends[row - 1] : 0; e < a->ends[row]; e++) {
            const uint32_t column = a->columns[e];
            const double factor = affine_factor(a, coefficients, e);
            if (column >= own && column < own + b->size)
                s->matrix[(size_t)(column - own) * b->size + i] += factor;
            else
                affine_add_column(a, s, column, -factor, rest);
        }
    }
    double largest = 0.0;
    for (size_t e = 0; e < (size_t)b->size * b->size; e++)
        largest = fmax(largest, fabs(s->matrix[e]));
    if (dense_factor((int)b->size, s->matrix, s->pivot) != 0)
        return false;
    for (size_t i = 0; i < b->size; i++) // there are the inverses of the pivots
        if (!(fabs(s->matrix[i * b->size + i]) * largest < 1e14))
            return false; // the rank would have to decide
    for (uint32_t j = 0; j < n; j++) {
        double *first = s->rows + (size_t)b->first * n + j;
        for (uint32_t i = 0; i < b->size; i++)
            s->right[i] = first[(size_t)i * n];
        dense_solve((int)b->size, s->matrix, s->pivot, s->right);
        for (uint32_t i = 0; i < b->size; i++)
            first[(size_t)i * n] = s->right[i];
    }
    return true;
}

bool affine_matrix(const Affine *a, AffineScratch *s, const double *coefficients, size_t n,
                   size_t state, size_t signal, double *matrix)
{
    const uint32_t own = a->state_count + a->signal_count;
    memset(s->rows, 0, (size_t)a->unknown_count * own * sizeof(double));
    for (uint32_t k = 0; k < a->block_count; k++) {
        const AffineBlock *b = &a->blocks[k];
        const uint32_t row = b->first;
        if (b->is_solved && !affine_solve(a, s, b, coefficients))
            return false;
        for (uint32_t r = row; !b->is_solved && r < row + b->size; r++)
            for (uint32_t e = r ? a->ends[r - 1] : 0; e < a->ends[r]; e++)
                affine_add_column(a, s, a->columns[e], affine_factor(a, coefficients, e),
                                  s->rows + (size_t)r * own);
    }
    for (uint32_t i = 0; i < a->state_count; i++) {
        const uint32_t column = a->derivatives[i];
        for (uint32_t j = 0; j < own; j++) {
            const double value = column < own ? (column == j ? 1.0 : 0.0)
                                              : s->rows[(size_t)(column - own) * own + j];
            const size_t at = j < a->state_count ? state + j : signal + (j - a->state_count);
            matrix[at * n + state + i] = value;
        }
    }
    for (uint32_t k = 0; k < a->rate_count; k++)
        matrix[(signal + a->rates[k].column) * n + signal + a->rates[k].row] +=
            affine_factor(a, coefficients, a->term_count + k);
    return true;
}
