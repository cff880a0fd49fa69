// SPDX-License-Identifier: MIT
//
// From each instruction on, the shortest round is taken that comes often enough. With a bound on
// the length of rounds this takes time in proportion to the code.

#include "code/loops.h"

#include "code/body.h"

enum { LONGEST_ROUND = 64, LEAST_ROUNDS = 8 };

// ---------------------------------------------------------------------------
// Operands
// ---------------------------------------------------------------------------

static bool is_made_in(const CodeLoops *l, uint32_t value, uint32_t begin, uint32_t end)
{
    return l->made[value] > begin && l->made[value] <= end;
}

// The loop that makes a value, plus 1; 0: none.
static uint32_t loop_making(const CodeLoops *l, uint32_t value)
{
    return l->made[value] ? l->loop[l->made[value] - 1] : 0;
}

static bool is_same_value(const CodeBody *body, uint32_t a, uint32_t b)
{
    const CodeValue *x = &body->values[a], *y = &body->values[b];
    return a == b ||
           (x->kind == CODE_CONSTANT && y->kind == CODE_CONSTANT && x->is_whole == y->is_whole &&
            memcmp(&x->number, &y->number, sizeof x->number) == 0);
}

LoopOperand loops_operand(const CodeLoops *l, const CodeLoop *loop, uint32_t first, uint32_t second)
{
    const CodeValue *x = &l->body->values[first], *y = &l->body->values[second];
    const uint32_t begin = loop->begin, next = begin + loop->length;
    const bool is_made_before = x->kind != CODE_TEMPORARY || !is_made_in(l, first, begin, next);
    if (x->is_whole || y->is_whole)
        return LOOP_NONE;
    if (y->kind == CODE_TEMPORARY && is_made_in(l, second, begin, next))
        return is_made_before ? LOOP_CARRIED : LOOP_NONE;
    if (is_same_value(l->body, first, second))
        return LOOP_SAME;
    if (x->kind != y->kind || x->kind == CODE_CONSTANT)
        return LOOP_NONE;
    if (x->kind == CODE_INPUT)
        return x->vector == y->vector ? LOOP_INPUT : LOOP_NONE;
    if (!is_made_before)
        return l->made[second] == l->made[first] + loop->length ? LOOP_ROUND : LOOP_NONE;
    const uint32_t other = loop_making(l, first);
    if (!other || loop_making(l, second) != other)
        return LOOP_NONE;
    const uint32_t length = l->items[other - 1].length;
    return l->made[first] % length == l->made[second] % length ? LOOP_OTHER : LOOP_NONE;
}

// The number b is as far from a, `round` times, as the second is from the first.
static bool is_at_distance(uint32_t first, uint32_t second, uint32_t at, uint32_t round)
{
    return (int64_t)at - first == ((int64_t)second - first) * round;
}

// Whether the n-th operand of an instruction of the first round goes on in a later one.
static bool operand_goes_on(const CodeLoops *l, const CodeLoop *loop, const CodeInstruction *in,
                            uint32_t n, uint32_t round)
{
    const uint32_t first = body_operand(in, n), second = body_operand(in + loop->length, n),
                   at = body_operand(in + (size_t)round * loop->length, n);
    const CodeValue *x = &l->body->values[first], *z = &l->body->values[at];
    switch (loops_operand(l, loop, first, second)) {
    case LOOP_NONE:
        return false;
    case LOOP_SAME:
        return is_same_value(l->body, first, at);
    case LOOP_INPUT:
        return z->kind == CODE_INPUT && z->vector == x->vector &&
               is_at_distance(x->index, l->body->values[second].index, z->index, round);
    case LOOP_ROUND:
        return l->made[at] == l->made[first] + round * loop->length;
    case LOOP_CARRIED:
        return l->made[at] == l->made[second] + (round - 1) * loop->length;
    case LOOP_OTHER:
        return loop_making(l, at) == loop_making(l, first) &&
               is_at_distance(l->made[first], l->made[second], l->made[at], round);
    }
    return false;
}

// ---------------------------------------------------------------------------
// Rounds
// ---------------------------------------------------------------------------

static bool may_be_in_loop(const CodeLoops *l, uint32_t i)
{
    const CodeInstruction *in = &l->body->instructions[i];
    if (in->op == CODE_STORE)
        return true;
    return (body_is_operator(in->op) || in->op == CODE_COPY) && l->made[in->d] == i + 1 &&
           l->body->values[in->d].kind == CODE_TEMPORARY && !l->body->values[in->d].is_whole;
}

static bool instruction_goes_on(const CodeLoops *l, const CodeLoop *loop, uint32_t k,
                                uint32_t round)
{
    const CodeInstruction *first = &l->body->instructions[loop->begin + k];
    const CodeInstruction *second = first + loop->length, *at = first + round * loop->length;
    if (second->op != first->op || at->op != first->op ||
        !may_be_in_loop(l, loop->begin + k + round * loop->length))
        return false;
    if (first->op == CODE_STORE) {
        const CodeOutput *o = l->body->outputs;
        if (o[at->d].vector != o[first->d].vector ||
            !is_at_distance(o[first->d].index, o[second->d].index, o[at->d].index, round))
            return false;
    }
    for (uint32_t n = 0; n < body_operands(first); n++)
        if (!operand_goes_on(l, loop, first, n, round))
            return false;
    return true;
}

static bool round_goes_on(const CodeLoops *l, const CodeLoop *loop, uint32_t round)
{
    if (loop->begin + (uint64_t)(round + 1) * loop->length > l->body->instruction_count)
        return false;
    for (uint32_t k = 0; k < loop->length; k++)
        if (!instruction_goes_on(l, loop, k, round))
            return false;
    return true;
}

// What is carried from one round to the next begins with one value.
static bool has_one_beginning(const CodeLoops *l, const CodeLoop *loop)
{
    uint32_t beginnings[LONGEST_ROUND];
    for (uint32_t k = 0; k < loop->length; k++)
        beginnings[k] = CODE_NONE;
    for (uint32_t k = 0; k < loop->length; k++) {
        const CodeInstruction *in = &l->body->instructions[loop->begin + k];
        for (uint32_t n = 0; n < body_operands(in); n++) {
            const uint32_t first = body_operand(in, n), second = body_operand(in + loop->length, n);
            if (loops_operand(l, loop, first, second) != LOOP_CARRIED)
                continue;
            uint32_t *beginning = &beginnings[l->made[second] - 1 - loop->begin];
            if (*beginning != CODE_NONE && *beginning != first)
                return false;
            *beginning = first;
        }
    }
    return true;
}

// A round that begins with a store of what the one before has made: it begins better behind that.
static bool begins_late(const CodeLoops *l, const CodeLoop *loop)
{
    const CodeInstruction *in = &l->body->instructions[loop->begin];
    return in->op == CODE_STORE &&
           loops_operand(l, loop, in->a, in[loop->length].a) == LOOP_CARRIED;
}

static bool find_loop_at(const CodeLoops *l, uint32_t begin, CodeLoop *loop)
{
    const CodeInstruction *in = &l->body->instructions[begin];
    const uint32_t left = l->body->instruction_count - begin;
    for (uint32_t length = 1; length <= LONGEST_ROUND && length * LEAST_ROUNDS <= left; length++) {
        if (in[length].op != in->op || !may_be_in_loop(l, begin + length - 1))
            continue;
        *loop = (CodeLoop){.begin = begin, .length = length, .rounds = 1};
        bool is_first = round_goes_on(l, loop, 0); // one that may be in a loop at all
        while (is_first && round_goes_on(l, loop, loop->rounds))
            loop->rounds++;
        if (loop->rounds >= LEAST_ROUNDS && has_one_beginning(l, loop))
            return loop->rounds == LEAST_ROUNDS || !begins_late(l, loop);
    }
    return false;
}

// ---------------------------------------------------------------------------
// The body
// ---------------------------------------------------------------------------

static void note_values_made(CodeLoops *l, bool *is_made_twice)
{
    for (uint32_t i = 0; i < l->body->instruction_count; i++) {
        const CodeInstruction *in = &l->body->instructions[i];
        if (!body_writes(in))
            continue;
        is_made_twice[in->d] |= l->made[in->d] != 0;
        l->made[in->d] = i + 1;
    }
    for (uint32_t v = 0; v < l->body->value_count; v++)
        if (is_made_twice[v])
            l->made[v] = 0;
}

static void add_loop(Arena *arena, CodeLoops *l, const CodeLoop *loop)
{
    BODY_GROW(arena, l->items, l->count, l->room);
    l->items[l->count++] = *loop;
    for (uint32_t i = 0; i < loop->length * loop->rounds; i++)
        l->loop[loop->begin + i] = l->count;
}

CodeLoops loops_find(Arena *arena, const CodeBody *body)
{
    CodeLoops l = {.body = body,
                   .made = ARENA_ARRAY(arena, body->value_count, uint32_t),
                   .loop = ARENA_ARRAY(arena, body->instruction_count, uint32_t)};
    if (body->instruction_count <= CODE_CHUNK)
        return l;
    note_values_made(&l, ARENA_ARRAY(arena, body->value_count, bool));
    uint32_t depth = 0;
    for (uint32_t i = 0; i < body->instruction_count; i++) {
        const uint32_t op = body->instructions[i].op;
        CodeLoop loop;
        depth += op == CODE_GUARD;
        depth -= op == CODE_END;
        if (depth == 0 && may_be_in_loop(&l, i) && find_loop_at(&l, i, &loop)) {
            add_loop(arena, &l, &loop);
            i += loop.length * loop.rounds - 1;
        }
    }
    return l;
}

// What loops save of a body; nothing if there is no memory to look for them.
static double saved_by_loops(Arena *arena, const CodeBody *body)
{
    jmp_buf exhaustion;
    arena_on_exhaustion(arena, &exhaustion);
    if (setjmp(exhaustion) != 0)
        return 0.0;
    const CodeLoops loops = loops_find(arena, body);
    double saved = 0.0;
    for (uint32_t k = 0; k < loops.count; k++)
        saved += (double)(loops.items[k].rounds - 1) * loops.items[k].length;
    return saved;
}

double loops_emitted_length(const CodeModule *m)
{
    double length = 0.0;
    for (uint32_t i = 0; i < m->entry_count; i++) {
        Arena *arena = arena_create(&m->arena->allocator);
        length += m->entries[i]->instruction_count;
        length -= arena ? saved_by_loops(arena, m->entries[i]) : 0.0;
        arena_destroy(arena);
    }
    return length;
}
