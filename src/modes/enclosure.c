// SPDX-License-Identifier: MIT

#include "modes/enclosure.h"

#include "base/interval.h"
#include "equations/derive.h"

#include <string.h>

// Steps of one function with its slope, and definitions that it is put together from. What is
// longer is watched by samples.
enum { MOST_STEPS = 255, MOST_DEFINITIONS = 64 };

typedef struct EnclosureMaker {
    ModeMaker *k;
    DagMemo *definitions; // variable -> number of its definition, counted over all blocks
    const SolutionDefinition **list;
    EnclosureStep steps[MOST_STEPS];
    uint32_t count;
    DagMemo *made; // node -> step
} EnclosureMaker;

// ---------------------------------------------------------------------------
// In terms of time
// ---------------------------------------------------------------------------

static void note_definitions(EnclosureMaker *e)
{
    const Solution *flow = e->k->analysis.flow;
    uint32_t count = 0;
    for (uint32_t b = 0; b < flow->block_count; b++)
        count += flow->blocks[b].definition_count;
    e->list = ARENA_ARRAY(e->k->arena, count, const SolutionDefinition *);
    count = 0;
    for (uint32_t b = 0; b < flow->block_count; b++)
        for (uint32_t i = 0; i < flow->blocks[b].definition_count; i++) {
            const SolutionDefinition *definition = &flow->blocks[b].definitions[i];
            memo_set(e->definitions, definition->variable, count);
            e->list[count++] = definition;
        }
}

// Adds the definitions that a node needs to `cone`. False: something is no function of time.
static bool add_definitions(EnclosureMaker *e, Node node, uint32_t *cone, uint32_t *count)
{
    const Dag *dag = e->k->dag;
    DagMemo *variables = memo_take(e->k->dag);
    walk_variables(variables, WALK_UNHELD, &node, 1);
    bool is_fine = true;
    for (uint32_t i = 0; i < variables->count && is_fine; i++) {
        const uint32_t v = variables->list[i];
        if (dag->variables[v].variability != DAG_CONTINUOUS || v == DAG_TIME_VARIABLE)
            continue;
        is_fine = memo_has(e->definitions, v) && *count < MOST_DEFINITIONS;
        bool is_there = false;
        for (uint32_t n = 0; n < *count && is_fine; n++)
            is_there |= cone[n] == memo_get(e->definitions, v);
        if (is_fine && !is_there)
            cone[(*count)++] = memo_get(e->definitions, v);
    }
    memo_give(variables);
    return is_fine;
}

static void sort_numbers(uint32_t *numbers, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++)
        for (uint32_t k = i; k > 0 && numbers[k - 1] > numbers[k]; k--) {
            const uint32_t larger = numbers[k - 1];
            numbers[k - 1] = numbers[k];
            numbers[k] = larger;
        }
}

// The function with all definitions put in, in their order; NODE_NONE: it is not one of time.
static Node function_of_time(EnclosureMaker *e, Node node)
{
    Dag *dag = e->k->dag;
    uint32_t cone[MOST_DEFINITIONS], count = 0;
    if (!add_definitions(e, node, cone, &count))
        return NODE_NONE;
    for (uint32_t i = 0; i < count; i++)
        if (!add_definitions(e, e->list[cone[i]]->value, cone, &count))
            return NODE_NONE;
    sort_numbers(cone, count);
    DagMemo *map = memo_take(dag);
    for (uint32_t i = 0; i < count; i++) {
        const SolutionDefinition *d = e->list[cone[i]];
        memo_set(map, d->variable, walk_substitute(dag, d->value, map));
    }
    node = walk_substitute(dag, node, map);
    memo_give(map);
    return node;
}

// ---------------------------------------------------------------------------
// Steps
// ---------------------------------------------------------------------------

// What changes at events only.
static bool make_input(const EnclosureMaker *e, GraphVariable variable, EnclosureStep *step)
{
    const ModeMaker *k = e->k;
    if (variable >= k->model->place_count ||
        k->dag->variables[variable].variability == DAG_CONTINUOUS)
        return false;
    const CodePlace place = k->model->places[variable];
    *step = (EnclosureStep){
        .kind = ENCLOSURE_INPUT, .vector = (uint16_t)place.vector, .index = place.index};
    return place.vector == PROGRAM_PARAMETERS || place.vector == PROGRAM_MEMORY ||
           place.vector == PROGRAM_HELD;
}

static bool make_step(EnclosureMaker *e, Node node, EnclosureStep *step)
{
    const DagNode n = *dag_get(e->k->dag, node);
    uint8_t *operands[] = {&step->a, &step->b, &step->c};
    if (n.facts & DAG_CALLS)
        return false;
    switch (n.kind) {
    case DAG_NUMBER:
        *step = (EnclosureStep){.kind = ENCLOSURE_NUMBER, .number = n.value};
        return true;
    case DAG_VARIABLE:
        if (n.number == DAG_TIME_VARIABLE) {
            *step = (EnclosureStep){.kind = ENCLOSURE_TIME};
            return true;
        }
        return make_input(e, n.number, step);
    case DAG_OPERATION:
    case DAG_INTEGER_POWER:
        *step =
            (EnclosureStep){.kind = n.kind == DAG_OPERATION ? ENCLOSURE_OPERATION : ENCLOSURE_POWER,
                            .op = n.op,
                            .power = n.power};
        step->is_constant = true;
        for (uint32_t i = 0; i < n.count && i < 3; i++) {
            *operands[i] = (uint8_t)memo_get(e->made, n.operands[i]);
            const EnclosureStep *operand = &e->steps[*operands[i]];
            step->is_constant &= operand->is_constant || operand->kind == ENCLOSURE_NUMBER ||
                                 operand->kind == ENCLOSURE_INPUT;
        }
        // Exact arithmetic of Integers is another one.
        return n.kind != DAG_OPERATION ||
               (operator_info((Operator)n.op)->bounds != OPERATOR_BOUNDS_NONE &&
                (dag_whole(e->k->dag, node) == WHOLE_COUNT || n.op == OPERATOR_TO_REAL));
    default:
        return false;
    }
}

// The steps of a node that are not there yet. False: there is something that has no bounds.
static bool add_steps(EnclosureMaker *e, Node node, uint8_t *place)
{
    DagMemo *order = memo_take(e->k->dag);
    walk_order(order, &node, 1);
    bool is_fine = order->count < 4 * MOST_STEPS;
    for (uint32_t i = 0; i < order->count && is_fine; i++) {
        if (memo_has(e->made, order->list[i]))
            continue;
        is_fine = e->count < MOST_STEPS && make_step(e, order->list[i], &e->steps[e->count]);
        if (is_fine)
            memo_set(e->made, order->list[i], e->count++);
    }
    if (is_fine)
        *place = (uint8_t)memo_get(e->made, node);
    memo_give(order);
    return is_fine;
}

static void enclose(EnclosureMaker *e, Node node, Enclosure *enclosure)
{
    Dag *dag = e->k->dag;
    node = function_of_time(e, node);
    if (node == NODE_NONE)
        return;
    e->count = 0;
    e->made = memo_take(dag);
    Enclosure found = {0};
    if (add_steps(e, node, &found.value)) {
        Derivation d = derive_by_time(dag, NULL);
        const Node slope = derive(&d, node);
        derive_end(&d);
        found.count = e->count;
        found.has_slope = slope != NODE_NONE && add_steps(e, slope, &found.slope);
        found.count = found.has_slope ? e->count : found.count;
        EnclosureStep *steps = ARENA_ARRAY(e->k->arena, found.count, EnclosureStep);
        memcpy(steps, e->steps, found.count * sizeof *steps);
        found.steps = steps;
        *enclosure = found;
    }
    memo_give(e->made);
}

// What has the sign of the event function that tells when floor, integer or ceil change, sin(pi x)
// (holds.c), as long as x is not far away: with n the whole number below x, it is positive between
// n and n + 1 if n is even. (-1)^n (x - n) (n + 1 - x) does not jump, and is narrow.
static Node whole_number_form(Dag *dag, Operator op, Node x, Node held)
{
    const Node one = dag->one, half = dag_real(dag, 0.5);
    const Node low = op == OPERATOR_CEIL ? dag_subtract(dag, held, one) : held;
    const Node even = dag_unary(dag, OPERATOR_FLOOR, dag_multiply(dag, half, low));
    const Node is_odd = dag_subtract(dag, low, dag_multiply(dag, dag->two, even));
    const Node sign = dag_subtract(dag, one, dag_multiply(dag, dag->two, is_odd));
    const Node from = dag_subtract(dag, x, low);
    return dag_multiply(dag, sign, dag_multiply(dag, from, dag_subtract(dag, one, from)));
}

// What has the sign of a condition's event function; NODE_NONE: nothing simple.
static Node enclosed_form(const ModeMaker *k, HoldNumber hold)
{
    const ModelHold *h = &k->mode->conditions.holds[hold];
    if (h->kind != HOLD_CROSSING || h->is_muted)
        return NODE_NONE;
    if (h->op >= OPERATOR_LESS && h->op <= OPERATOR_GREATER_EQUAL)
        return k->holds.events[h->index];
    if (h->op == OPERATOR_DIV) // it crosses zero at 0, too
        return NODE_NONE;
    return whole_number_form(k->dag, h->op, k->holds.literals[2 * hold + 1],
                             dag_reference(k->dag, k->a->held.variables[h->number]));
}

void enclosure_find(ModeMaker *k)
{
    Mode *m = k->mode;
    if (m->conditions.event_count == 0)
        return;
    EnclosureMaker *e = ARENA_NEW(k->arena, EnclosureMaker);
    Enclosure *enclosures = ARENA_ARRAY(k->arena, m->conditions.event_count, Enclosure);
    SaltusEventDef *events = ARENA_ARRAY(k->arena, m->conditions.event_count, SaltusEventDef);
    bool has_any = false;
    e->k = k;
    e->definitions = memo_take(k->dag);
    note_definitions(e);
    memcpy(events, m->conditions.events, m->conditions.event_count * sizeof *events);
    for (uint32_t i = 0; i < m->conditions.hold_count; i++) {
        const Node node = enclosed_form(k, i);
        if (node == NODE_NONE)
            continue;
        const EventNumber event = m->conditions.holds[i].index;
        enclose(e, node, &enclosures[event]);
        events[event].of_time = enclosures[event].steps != NULL;
        has_any |= events[event].of_time;
    }
    memo_give(e->definitions);
    m->conditions.events = events;
    m->conditions.enclosures = has_any ? enclosures : NULL;
}

const Enclosure *enclosure_keep(const Enclosure *from, uint32_t count, const Keeper *k)
{
    Enclosure *enclosures = keep_array(k, from, count, sizeof *from);
    for (uint32_t i = 0; i < count && enclosures; i++)
        KEEP(k, enclosures[i].steps, enclosures[i].count);
    return enclosures;
}

// ---------------------------------------------------------------------------
// Bounds
// ---------------------------------------------------------------------------

static Interval run_step(const EnclosureStep *s, const Interval *x, bool *jumps)
{
    if (s->is_constant)
        return interval_of(s->kind == ENCLOSURE_POWER ? operator_power(x[s->a].low, s->power)
                                                      : operator_apply((Operator)s->op, x[s->a].low,
                                                                       x[s->b].low, x[s->c].low));
    if (s->kind == ENCLOSURE_POWER)
        return interval_power(x[s->a], s->power);
    if (s->op == OPERATOR_MULTIPLY && s->a == s->b)
        return interval_power(x[s->a], 2);
    return interval_apply((Operator)s->op, x[s->a], x[s->b], x[s->c], jumps);
}

void enclosure_bounds(const SaltusContext *c, int event, double from, double to,
                      SaltusBounds *bounds)
{
    const Mode *m = c->data;
    const Enclosure *e = &m->conditions.enclosures[event];
    const double *memory = c->memory;
    const double *vectors[PROGRAM_VECTOR_COUNT] = {
        [PROGRAM_PARAMETERS] = c->p,
        [PROGRAM_MEMORY] = memory,
        [PROGRAM_HELD] = memory + m->model->sizes.memory,
    };
    Interval x[MOST_STEPS];
    bool jumps = false, ignored = false;
    for (uint32_t i = 0; i < e->count; i++) {
        const EnclosureStep *s = &e->steps[i];
        if (s->kind == ENCLOSURE_NUMBER)
            x[i] = interval_of(s->number);
        else if (s->kind == ENCLOSURE_TIME)
            x[i] = (Interval){from, to};
        else if (s->kind == ENCLOSURE_INPUT)
            x[i] = interval_of(vectors[s->vector][s->index]);
        else
            x[i] = run_step(s, x, i <= e->value ? &jumps : &ignored);
    }
    // cppcheck-suppress uninitvar ; the value and the slope are steps
    const Interval slope = e->has_slope && !jumps ? x[e->slope] : (Interval){-INFINITY, INFINITY};
    *bounds = (SaltusBounds){x[e->value].low, x[e->value].high, slope.low, slope.high};
}
