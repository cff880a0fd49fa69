// SPDX-License-Identifier: MIT

#include "code/tangent.h"

#include "code/body.h"

#include <math.h>

size_t tangent_room(const CodeModule *m)
{
    size_t most = 0;
    for (uint32_t i = 0; i < m->entry_count; i++)
        most = m->entries[i]->value_count > most ? m->entries[i]->value_count : most;
    return 2 * most + 1;
}

// The columns "by a" and "by b" of base/operator_table.h as numbers.
#define ZERO 0.0
#define ONE 1.0
#define TWO 2.0
#define NUMBER(value) (value)
#define PLUS(p, q) ((p) + (q))
#define MINUS(p, q) ((p) - (q))
#define TIMES(p, q) ((p) * (q))
#define OVER(p, q) ((p) / (q))
#define NEGATIVE(p) (-(p))
#define SQUARE(p) ((p) * (p))
#define OF(function, p) operator_apply(OPERATOR_##function, p, 0.0, 0.0)
#define BOTH(function, p, q) operator_apply(OPERATOR_##function, p, q, 0.0)
#define IF(condition, p, q) ((condition) != 0.0 ? (p) : (q))

// w times the derivative of y = op(a, b) by its k-th operand.
static double tangent_by(Operator op, uint32_t k, double a, double b, double y, double w)
{
    (void)b, (void)y;
    switch (op) {
#define OPERATOR(name, text, signature, arguments, traits, meaning, outside, by_a, by_b, ...)      \
    case OPERATOR_##name:                                                                          \
        return k == 0 ? by_a : by_b;
#include "base/operator_table.h"
    case OPERATOR_COUNT:
        break;
    }
    return 0.0;
}

// What does not move has no part in it, even where the derivative by it is infinite.
static void tangent_operate(const CodeInstruction *in, double *v, double *t)
{
    const Operator op = (Operator)in->op;
    const uint32_t count = operator_info(op)->count;
    const double a = v[in->a], b = count > 1 ? v[in->b] : 0.0, c = count > 2 ? v[in->c] : 0.0;
    const double y = operator_apply(op, a, b, c);
    double sum = 0.0;
    if (op == OPERATOR_IF) {
        sum = a != 0.0 ? t[in->b] : t[in->c];
    } else {
        if (t[in->a] != 0.0)
            sum = tangent_by(op, 0, a, b, y, t[in->a]);
        if (count > 1 && t[in->b] != 0.0)
            sum += tangent_by(op, 1, a, b, y, t[in->b]);
    }
    v[in->d] = y;
    t[in->d] = sum;
}

// Operations on whole numbers, whose derivatives are zero. One that fails is 0, as in a guess: the
// evaluation itself has said so.
#define TANGENT_W(bits) body_whole_of(bits)
#define TANGENT_D(bits) (bits)
#define TANGENT_OF_W(value) body_bits(value)
#define TANGENT_OF_D(value) (value)
#define TANGENT_TYPE_W int64_t
#define TANGENT_TYPE_D double
static double tangent_whole(WholeOperator op, double a_bits, double b_bits)
{
    switch (op) {
#define X(name, text, count, operand, result, fails, meaning)                                      \
    case WHOLE_##name: {                                                                           \
        const TANGENT_TYPE_##operand a = TANGENT_##operand(a_bits), b = TANGENT_##operand(b_bits); \
        (void)b;                                                                                   \
        return TANGENT_OF_##result((fails) ? 0 : (meaning));                                       \
    }
        WHOLE_LIST(X)
#undef X
    case WHOLE_COUNT:
        break;
    }
    return 0.0;
}

// The instruction behind the ELSE or END of the block that begins after i.
static uint32_t tangent_skip(const CodeBody *body, uint32_t i)
{
    uint32_t depth = 1;
    while (depth > 0 && ++i < body->instruction_count) {
        const uint32_t op = body->instructions[i].op;
        depth += op == CODE_GUARD;
        depth -= op == CODE_END || (op == CODE_ELSE && depth == 1);
    }
    return i + 1;
}

static void tangent_begin(const CodeBody *body, const double *const *inputs,
                          const double *const *seeds, double *v, double *t)
{
    for (uint32_t k = 0; k < body->value_count; k++) {
        const CodeValue *value = &body->values[k];
        v[k] = value->number;
        t[k] = 0.0;
        if (value->kind != CODE_INPUT)
            continue;
        v[k] = inputs[value->vector] ? inputs[value->vector][value->index] : NAN;
        t[k] = seeds[value->vector] ? seeds[value->vector][value->index] : 0.0;
    }
}

bool tangent_run(const CodeModule *m, uint32_t entry, const double *const *inputs,
                 const double *const *seeds, double *const *tangents, double *work)
{
    const CodeBody *body = m->entries[entry];
    double *v = work, *t = work + body->value_count;
    if (m->is_lean)
        return false;
    tangent_begin(body, inputs, seeds, v, t);
    for (uint32_t i = 0; i < body->instruction_count;) {
        const CodeInstruction *in = &body->instructions[i++];
        if (body_is_operator(in->op)) {
            tangent_operate(in, v, t);
        } else if (body_is_whole(in->op)) {
            const bool is_binary = body_whole(in)->count > 1;
            v[in->d] = tangent_whole((WholeOperator)(in->op - CODE_FIRST_WHOLE), v[in->a],
                                     is_binary ? v[in->b] : 0.0);
            t[in->d] = 0.0;
        } else if (in->op == CODE_COPY) {
            v[in->d] = v[in->a];
            t[in->d] = t[in->a];
        } else if (in->op == CODE_STORE) {
            const CodeOutput *out = &body->outputs[in->d];
            tangents[out->vector][out->index] = t[in->a];
        } else if (in->op == CODE_GUARD) {
            i = v[in->a] != 0.0 ? i : tangent_skip(body, i - 1);
        } else if (in->op == CODE_ELSE) {
            i = tangent_skip(body, i - 1); // the other side was taken
        } else if (in->op != CODE_END) {
            return false;
        }
    }
    return true;
}
