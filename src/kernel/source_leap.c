// SPDX-License-Identifier: MIT
//
// Modes whose states are polynomials of time between events: whether a mode is one, and of which
// degree. leap.inc says what is done with it.
//
// It is one if x' = A x + b with constant A and b, event functions are linear in x, and no state
// depends on itself by way of others: then A is nilpotent, and the longest chain of states, each of
// which is in the rate of the one before, is the degree. A value of degree 2 stands for all that is
// not linear in x or depends on time.

#include "kernel/source_parts.h"

#include <string.h>

// The highest power of time.
enum { LEAP_MOST = 4 };

// What a value is in terms of the states: its degree, 2: it is more than linear, or depends on
// time; and which of them it depends on.
typedef struct LeapTerm {
    unsigned degree;
    uint32_t states; // bits
} LeapTerm;

static LeapTerm leap_input(const CodeValue *v)
{
    if (v->kind != CODE_INPUT)
        return (LeapTerm){0, 0};
    if (v->vector == PROGRAM_STATES)
        return (LeapTerm){1, UINT32_C(1) << v->index};
    return (LeapTerm){v->vector == PROGRAM_TIME || v->vector > PROGRAM_HELD ? 2 : 0, 0};
}

static LeapTerm leap_operate(const CodeInstruction *in, const LeapTerm *terms)
{
    const uint32_t count = body_operands(in);
    LeapTerm t = {0, 0};
    unsigned sum = 0;
    for (uint32_t k = 0; k < count; k++) {
        const LeapTerm *operand = &terms[body_operand(in, k)];
        t.degree = operand->degree > t.degree ? operand->degree : t.degree;
        t.states |= operand->states;
        sum += operand->degree;
    }
    switch (in->op) {
    case OPERATOR_ADD:
    case OPERATOR_SUBTRACT:
    case OPERATOR_NEGATE:
        break;
    case OPERATOR_MULTIPLY:
        t.degree = sum;
        break;
    case OPERATOR_DIVIDE:
        t.degree = terms[in->b].degree ? 2 : t.degree;
        break;
    case OPERATOR_IF:
        t.degree = terms[in->a].degree ? 2 : t.degree;
        break;
    default:
        t.degree = t.degree ? 2 : 0;
    }
    t.degree = t.degree > 2 ? 2 : t.degree;
    return t;
}

// Of each output. False: there is one that is more than linear.
static bool leap_outputs(Arena *arena, const CodeBody *body, LeapTerm *outputs)
{
    LeapTerm *terms = ARENA_ARRAY(arena, body->value_count + 1, LeapTerm);
    bool is_linear = true;
    for (uint32_t v = 0; v < body->value_count; v++)
        terms[v] = leap_input(&body->values[v]);
    for (uint32_t i = 0; i < body->instruction_count; i++) {
        const CodeInstruction *in = &body->instructions[i];
        if (in->op == CODE_STORE)
            outputs[in->d] = terms[in->a];
        else if (in->op == CODE_COPY)
            terms[in->d] = terms[in->a];
        else if (in->op < OPERATOR_COUNT)
            terms[in->d] = leap_operate(in, terms);
        else
            return false; // guarded blocks
    }
    for (uint32_t i = 0; i < body->output_count; i++)
        is_linear = is_linear && outputs[i].degree < 2;
    return is_linear;
}

// The longest way through the states, each of which depends on others; 0: it is a circle.
static uint32_t leap_longest(const LeapTerm *rates, uint32_t count)
{
    uint32_t length[32] = {0}, longest = 0;
    for (uint32_t round = 0; round <= count; round++) {
        bool is_longer = false;
        for (uint32_t i = 0; i < count; i++) {
            uint32_t most = 0;
            for (uint32_t j = 0; j < count; j++)
                if (rates[i].states >> j & 1u && length[j] > most)
                    most = length[j];
            is_longer |= most + 1 > length[i];
            length[i] = most + 1;
            longest = length[i] > longest ? length[i] : longest;
        }
        if (!is_longer)
            return longest;
    }
    return 0;
}

uint32_t source_leap(const Source *s)
{
    const Program *p = s->m->flow;
    if (p->flow == CODE_NONE || p->guesses.count || s->m->states.count > 31)
        return 0;
    const CodeBody *flow = p->module->entries[p->flow];
    const CodeBody *events = p->module->entries[p->entries[MODEL_EVENTS]];
    Arena *arena = s->out->arena;
    LeapTerm *rates = ARENA_ARRAY(arena, flow->output_count + 1, LeapTerm);
    LeapTerm *functions = ARENA_ARRAY(arena, events->output_count + 1, LeapTerm);
    if (flow->output_count != s->m->states.count || !leap_outputs(arena, flow, rates) ||
        !leap_outputs(arena, events, functions))
        return 0;
    const uint32_t degree = leap_longest(rates, s->m->states.count);
    return degree <= LEAP_MOST ? degree : 0;
}

// Whether neither reads what events change but the states.
bool source_leap_is_fixed(const Source *s, bool only_events)
{
    const Program *p = s->m->flow;
    const CodeBody *const bodies[] = {p->module->entries[p->flow],
                                      p->module->entries[p->entries[MODEL_EVENTS]]};
    bool is_fixed = true;
    for (int k = only_events; k < 2; k++)
        for (uint32_t v = 0; v < bodies[k]->value_count; v++)
            if (bodies[k]->values[v].kind == CODE_INPUT)
                is_fixed = is_fixed && bodies[k]->values[v].vector <= PROGRAM_PARAMETERS;
    return is_fixed;
}
