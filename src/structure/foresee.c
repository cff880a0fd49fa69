// SPDX-License-Identifier: MIT

#include "structure/foresee.h"

#include "equations/procedure.h"
#include "equations/walk.h"

#include <math.h>
#include <string.h>

enum { FORESEE_DEPTH = 20, FORESEE_REPETITIONS = 1000 };

// A function that runs.
typedef struct Foresight {
    Dag *dag;
    DagMemo *places; // variable -> place of its first scalar
    double *values;  // of locals
    uint32_t count;
    uint32_t depth;
    uint64_t *steps;
    bool is_over; // it has returned, or cannot be followed
    bool is_lost; // likewise: nothing is known
} Foresight;

double foresee_operation(Operator op, uint32_t count, const double *operand)
{
    const double a = operand[0], b = operand[1];
    if (op == OPERATOR_MULTIPLY && (a == 0.0 || b == 0.0))
        return 0.0;
    if (op == OPERATOR_DIVIDE && a == 0.0 && b != 0.0)
        return 0.0;
    if (op == OPERATOR_AND && (a == 0.0 || b == 0.0))
        return 0.0;
    if (op == OPERATOR_OR && (a == 1.0 || b == 1.0))
        return 1.0;
    if (op == OPERATOR_IF && isnan(a))
        return b == operand[2] ? b : NAN;
    if (op == OPERATOR_IF)
        return a != 0.0 ? b : operand[2];
    for (uint32_t k = 0; k < count && k < 3; k++)
        if (isnan(operand[k]))
            return NAN;
    return operator_apply(op, a, b, operand[2]);
}

// ---------------------------------------------------------------------------
// Expressions
// ---------------------------------------------------------------------------

static void foresee_run(Dag *dag, uint32_t function, const double *inputs, double *outputs,
                        uint32_t depth, uint64_t *steps);

// The place of an element; UINT32_MAX: it is not known which, or there is none.
static uint32_t foresee_element(const Foresight *f, const DagNode *d, double index)
{
    const uint32_t size = f->dag->variables[d->number].size;
    if (!memo_has(f->places, d->number) || !(index >= 0.0 && index < size))
        return UINT32_MAX;
    return memo_get(f->places, d->number) + (uint32_t)index;
}

static double foresee_read_element(const Foresight *f, const DagNode *d, double index)
{
    const DagVariable *v = &f->dag->variables[d->number];
    if (v->table)
        return index >= 0.0 && index < v->size ? v->table[(uint32_t)index] : NAN;
    const uint32_t place = foresee_element(f, d, index);
    return place == UINT32_MAX ? NAN : f->values[place];
}

// A result of a call: the whole call is run for each, which is seldom more than one.
static double foresee_result(const Foresight *f, const DagMemo *order, const double *found,
                             const DagNode *d)
{
    const DagNode *call = dag_get(f->dag, d->operands[0]);
    const DagFunction *function = &f->dag->functions[call->number];
    double *inputs = ARENA_ARRAY(f->dag->arena, call->length + 1u, double);
    double *outputs = ARENA_ARRAY(f->dag->arena, function->output_count + 1u, double);
    for (uint32_t k = 0; k < call->length; k++)
        inputs[k] = found[memo_get(order, f->dag->lists[call->first + k])];
    foresee_run(f->dag, call->number, inputs, outputs, f->depth + 1, f->steps);
    return d->number < function->output_count ? outputs[d->number] : NAN;
}

static double foresee_node(const Foresight *f, const DagMemo *order, const double *found, Node node)
{
    const DagNode *d = dag_get(f->dag, node);
    double operand[3] = {0.0, 0.0, 0.0};
    for (uint32_t k = 0; k < 3 && d->kind != DAG_CALL && d->kind != DAG_NUMBER && k < d->count; k++)
        operand[k] = found[memo_get(order, d->operands[k])];
    switch ((DagKind)d->kind) {
    case DAG_NUMBER:
        return d->value;
    case DAG_VARIABLE:
        return memo_has(f->places, d->number) ? f->values[memo_get(f->places, d->number)] : NAN;
    case DAG_OPERATION:
        return foresee_operation((Operator)d->op, d->count, operand);
    case DAG_INTEGER_POWER:
        return operator_power(operand[0], d->power);
    case DAG_HOLD:
        return operand[0];
    case DAG_ELEMENT:
        return foresee_read_element(f, d, operand[0]);
    case DAG_RESULT:
        return foresee_result(f, order, found, d);
    case DAG_CALL:
        return NAN;
    }
    return NAN;
}

static double foresee_value(Foresight *f, Node node)
{
    Arena *arena = f->dag->arena;
    const bool has_calls = dag_get(f->dag, node)->facts & DAG_CALLS;
    DagMemo *order = memo_take(f->dag);
    walk_order(order, &node, 1);
    const ArenaMark mark = arena_mark(arena);
    double *found = ARENA_ARRAY(arena, order->count + 1u, double);
    if (*f->steps < order->count)
        f->is_lost = f->is_over = true;
    *f->steps -= f->is_lost ? 0 : order->count;
    for (uint32_t k = 0; k < order->count && !f->is_lost; k++)
        found[k] = foresee_node(f, order, found, order->list[k]);
    const double value = f->is_lost ? NAN : found[order->count - 1];
    if (!has_calls) // else memos may have grown, which stay
        arena_release(arena, mark);
    memo_give(order);
    return value;
}

// ---------------------------------------------------------------------------
// Statements
// ---------------------------------------------------------------------------

static void foresee_block(Foresight *f, const Block *block);

static void foresee_set_all(Foresight *f, uint32_t variable, double value)
{
    const uint32_t size = f->dag->variables[variable].size;
    for (uint32_t k = 0; memo_has(f->places, variable) && k < (size ? size : 1); k++)
        f->values[memo_get(f->places, variable) + k] = value;
}

static void foresee_assign(Foresight *f, const ProcedureStatement *s)
{
    double *values = ARENA_ARRAY(f->dag->arena, s->assign.count + 1u, double);
    for (uint32_t i = 0; i < s->assign.count; i++)
        values[i] = foresee_value(f, s->assign.values[i]);
    for (uint32_t i = 0; i < s->assign.count && !f->is_lost; i++) {
        const DagNode *d = dag_get(f->dag, s->assign.targets[i]);
        if (d->kind != DAG_ELEMENT) {
            foresee_set_all(f, d->number, values[i]);
            continue;
        }
        const uint32_t place = foresee_element(f, d, foresee_value(f, d->operands[0]));
        if (place == UINT32_MAX)
            foresee_set_all(f, d->number, NAN);
        else
            f->values[place] = values[i];
    }
}

static void foresee_if(Foresight *f, const ProcedureStatement *s)
{
    const double condition = foresee_value(f, s->condition);
    if (!isnan(condition)) {
        foresee_block(f, condition != 0.0 ? &s->body : &s->otherwise);
        return;
    }
    double *before = ARENA_ARRAY(f->dag->arena, f->count + 1u, double), *after = f->values;
    memcpy(before, f->values, f->count * sizeof *before);
    foresee_block(f, &s->body);
    f->values = before;
    if (!f->is_over)
        foresee_block(f, &s->otherwise);
    f->values = after;
    f->is_lost = f->is_over = f->is_over || f->is_lost; // one side has returned, perhaps
    for (uint32_t k = 0; k < f->count; k++)
        after[k] = after[k] == before[k] ? after[k] : NAN;
}

static void foresee_for(Foresight *f, const ProcedureStatement *s)
{
    const double from = foresee_value(f, s->loop.from), step = foresee_value(f, s->loop.step),
                 to = foresee_value(f, s->loop.to), last = floor((to - from) / step);
    if (!(last < FORESEE_REPETITIONS)) { // or not known
        f->is_lost = f->is_over = true;
        return;
    }
    for (int k = 0; k <= (int)last && !f->is_over; k++) {
        foresee_set_all(f, s->loop.iterator, from + k * step);
        foresee_block(f, &s->loop.body);
    }
}

static void foresee_while(Foresight *f, const ProcedureStatement *s)
{
    for (int k = 0; k < FORESEE_REPETITIONS && !f->is_over; k++) {
        const double condition = foresee_value(f, s->condition);
        if (condition == 0.0)
            return;
        if (isnan(condition))
            break;
        foresee_block(f, &s->body);
    }
    f->is_lost = f->is_over = true;
}

static void foresee_block(Foresight *f, const Block *block)
{
    for (uint32_t i = 0; i < block->count && !f->is_over; i++) {
        const ProcedureStatement *s = &block->items[i];
        switch (s->kind) {
        case PROCEDURE_ASSIGN:
            foresee_assign(f, s);
            break;
        case PROCEDURE_IF:
            foresee_if(f, s);
            break;
        case PROCEDURE_FOR:
            foresee_for(f, s);
            break;
        case PROCEDURE_WHILE:
            foresee_while(f, s);
            break;
        case PROCEDURE_RETURN:
            f->is_over = true;
            break;
        case PROCEDURE_BREAK:
        case PROCEDURE_EXTERNAL:
            f->is_lost = f->is_over = true;
            break;
        case PROCEDURE_CHECK:
        case PROCEDURE_CALL:
            break;
        }
    }
}

// ---------------------------------------------------------------------------
// Functions
// ---------------------------------------------------------------------------

static void foresee_place(Foresight *f, const uint32_t *locals, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t size = f->dag->variables[locals[i]].size;
        memo_set(f->places, locals[i], f->count);
        f->count += size ? size : 1;
    }
}

static void foresee_run(Dag *dag, uint32_t function, const double *inputs, double *outputs,
                        uint32_t depth, uint64_t *steps)
{
    const DagFunction *called = &dag->functions[function];
    const Procedure *p = called->procedure;
    for (uint32_t k = 0; k < called->output_count; k++)
        outputs[k] = NAN;
    if (!p || called->is_impure || called->is_open || depth > FORESEE_DEPTH)
        return;
    Foresight f = {.dag = dag, .places = memo_take(dag), .depth = depth, .steps = steps};
    foresee_place(&f, p->inputs, p->input_count);
    const uint32_t first = f.count;
    foresee_place(&f, p->outputs, p->output_count);
    const uint32_t rest = f.count;
    foresee_place(&f, p->locals, p->local_count);
    f.values = ARENA_ARRAY(dag->arena, f.count + 1u, double);
    for (uint32_t k = 0; k < f.count; k++)
        f.values[k] = k < first ? inputs[k] : NAN;
    foresee_block(&f, &p->body);
    for (uint32_t k = first; k < rest && !f.is_lost; k++)
        outputs[k - first] = f.values[k];
    memo_give(f.places);
}

void foresee_call(Dag *dag, uint32_t function, const double *inputs, double *outputs,
                  uint64_t *steps)
{
    foresee_run(dag, function, inputs, outputs, 0, steps);
}
