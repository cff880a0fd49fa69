// SPDX-License-Identifier: MIT

#include "code/tangent.h"

#include "code/body.h"
#include "external/external.h"

#include <math.h>
#include <stdlib.h>

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

// ---------------------------------------------------------------------------
// Bodies
// ---------------------------------------------------------------------------

// An evaluation: of an entry, and of the functions that it calls.
typedef struct TangentRun {
    const CodeModule *m;
    const double *const *inputs, *const *seeds; // of the entry
    double *const *tangents;
    uint32_t steps, depth;
} TangentRun;

// A body at work: its values and their directions, and those of its arrays, one after the other.
typedef struct TangentFrame {
    const CodeBody *body;
    double *v, *t;
    double *elements, *element_seeds; // NULL: it has no arrays but tables
} TangentFrame;

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

// The instruction behind the innermost loop that i is in.
static uint32_t tangent_leave(const CodeBody *body, uint32_t i)
{
    uint32_t depth = 1;
    while (depth > 0 && ++i < body->instruction_count) {
        depth += body->instructions[i].op == CODE_LOOP;
        depth -= body->instructions[i].op == CODE_REPEAT;
    }
    return i + 1;
}

// The first instruction of the loop that ends at i.
static uint32_t tangent_again(const CodeBody *body, uint32_t i)
{
    uint32_t depth = 1;
    while (depth > 0 && i-- > 0) {
        depth += body->instructions[i].op == CODE_REPEAT;
        depth -= body->instructions[i].op == CODE_LOOP;
    }
    return i + 1;
}

static void tangent_begin(const TangentRun *r, const TangentFrame *f)
{
    for (uint32_t k = 0; k < f->body->value_count; k++) {
        const CodeValue *value = &f->body->values[k];
        f->v[k] = value->kind == CODE_LOCAL      ? NAN
                  : value->kind == CODE_CONSTANT ? value->number
                                                 : 0.0;
        f->t[k] = 0.0;
        if (value->kind != CODE_INPUT)
            continue;
        f->v[k] = r->inputs[value->vector] ? r->inputs[value->vector][value->index] : NAN;
        f->t[k] = r->seeds[value->vector] ? r->seeds[value->vector][value->index] : 0.0;
    }
}

// Where the elements of an array begin.
static size_t tangent_array(const CodeBody *body, uint32_t array)
{
    size_t first = 0;
    for (uint32_t i = 0; i < array; i++)
        first += body->arrays[i].table ? 0 : body->arrays[i].size;
    return first;
}

static bool tangent_element(const TangentFrame *f, const CodeInstruction *in)
{
    const CodeArray *array = &f->body->arrays[in->b];
    const double index = f->v[in->a];
    if (!(index >= 0.0 && index < array->size))
        return false;
    const size_t k = (size_t)index;
    if (array->table) {
        f->v[in->d] = array->table[k];
        f->t[in->d] = 0.0;
        return in->op == CODE_READ;
    }
    if (!f->elements) // an entry has none (tangent_run)
        return false;
    double *const element = &f->elements[tangent_array(f->body, in->b) + k];
    double *const seed = &f->element_seeds[tangent_array(f->body, in->b) + k];
    if (in->op == CODE_READ) {
        f->v[in->d] = *element;
        f->t[in->d] = *seed;
    } else {
        *element = f->v[in->d];
        *seed = f->t[in->d];
    }
    return true;
}

static bool tangent_body(TangentRun *r, const TangentFrame *f);

// Between the scalars of a call's list and the arguments of the function.
static void tangent_argument(const TangentFrame *outer, const TangentFrame *f,
                             const CodeArgument *argument, const uint32_t **list, bool is_input)
{
    const size_t first = argument->is_array ? tangent_array(f->body, argument->number) : 0;
    const uint32_t count = argument->is_array ? f->body->arrays[argument->number].size : 1;
    double *const v = argument->is_array ? f->elements + first : f->v + argument->number;
    double *const t = argument->is_array ? f->element_seeds + first : f->t + argument->number;
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t value = *(*list)++;
        if (is_input) {
            v[k] = outer->v[value];
            t[k] = outer->t[value];
        } else if (value != CODE_NONE) {
            outer->v[value] = v[k];
            outer->t[value] = t[k];
        }
    }
}

static bool tangent_call(TangentRun *r, const TangentFrame *outer, const uint32_t *list)
{
    const CodeBody *body = r->m->functions[*list++];
    const size_t elements = tangent_array(body, body->array_count);
    if (r->depth + 1 >= CODE_DEEPEST_CALL || ++r->steps > CODE_MOST_STEPS)
        return false;
    double *room = calloc(2 * (body->value_count + elements) + 1, sizeof *room);
    if (!room)
        return false;
    const TangentFrame f = {.body = body,
                            .v = room,
                            .t = room + body->value_count,
                            .elements = room + 2 * (size_t)body->value_count,
                            .element_seeds = room + 2 * (size_t)body->value_count + elements};
    tangent_begin(r, &f);
    for (size_t k = 0; k < elements; k++)
        f.elements[k] = NAN;
    for (uint32_t i = 0; i < body->input_count; i++)
        tangent_argument(outer, &f, &body->inputs[i], &list, true);
    r->depth++;
    const bool is_fine = tangent_body(r, &f);
    r->depth--;
    for (uint32_t i = 0; i < body->result_count && is_fine; i++)
        tangent_argument(outer, &f, &body->results[i], &list, false);
    free(room);
    return is_fine;
}

// ---------------------------------------------------------------------------
// External functions
// ---------------------------------------------------------------------------

static double *tangent_numbers(const TangentFrame *f, uint32_t item, bool is_seed)
{
    if (item == CODE_NONE)
        return NULL;
    if (item & CODE_ARRAY_ARGUMENT)
        return (is_seed ? f->element_seeds : f->elements) +
               tangent_array(f->body, item & ~CODE_ARRAY_ARGUMENT);
    return (is_seed ? f->t : f->v) + item;
}

// Whether a Real argument of the function, or its result, moves; is_put: then it moves no more.
static bool tangent_moves(const TangentFrame *f, const ExternalSite *site, const uint32_t *items,
                          bool is_put)
{
    bool moves = false;
    for (uint32_t i = 0; i < site->count; i++) {
        bool is_written;
        const char letter = external_letter(site->info->signature, i, &is_written);
        double *seeds = letter == 'r' || letter == 'R' ? tangent_numbers(f, items[i], true) : NULL;
        for (uint32_t k = 0; seeds && k < site->arguments[i].count; k++) {
            moves = moves || (seeds[k] != 0.0 && !is_written);
            seeds[k] = is_put && is_written ? 0.0 : seeds[k];
        }
    }
    return moves;
}

static bool tangent_external(const TangentRun *r, const TangentFrame *f, const CodeInstruction *in)
{
    const ExternalSite *of = r->m->sites[in->b];
    const uint32_t *items = &f->body->lists[in->a + 1];
    const uint32_t arguments = of->count - external_has_result(of->info->signature);
    double *numbers[2 * EXTERNAL_MOST_ARGUMENTS];
    ExternalArgument own[2 * EXTERNAL_MOST_ARGUMENTS];
    ExternalMoment moment = {0};
    uint32_t next = arguments;
    const ExternalInfo *info = external_forward(of->info);
    for (uint32_t i = 0; i < of->count; i++)
        numbers[i] = tangent_numbers(f, items[i], false);
    if (external_is_impure(of->info) || external_call_site(of, numbers, &moment) != 0)
        return false;
    if (!info)
        return !tangent_moves(f, of, items, true);
    for (uint32_t i = 0; i < of->count; i++) {
        bool is_written;
        const char letter = external_letter(of->info->signature, i, &is_written);
        if (i < arguments)
            own[i] = of->arguments[i];
        if (letter != 'r' && letter != 'R')
            continue;
        numbers[next] = tangent_numbers(f, items[i], true);
        own[next++] = of->arguments[i];
    }
    ExternalSite site = *of;
    site.info = info;
    site.arguments = own;
    site.count = next;
    return external_call_site(&site, numbers, &moment) == 0;
}

// ---------------------------------------------------------------------------
// Instructions
// ---------------------------------------------------------------------------

// What computes; false: it fails, or is no such instruction.
static bool tangent_instruction(TangentRun *r, const TangentFrame *f, const CodeInstruction *in)
{
    double *const v = f->v, *const t = f->t;
    if (body_is_operator(in->op)) {
        tangent_operate(in, v, t);
        return true;
    }
    if (body_is_whole(in->op)) {
        const bool is_binary = body_whole(in)->count > 1;
        v[in->d] = tangent_whole((WholeOperator)(in->op - CODE_FIRST_WHOLE), v[in->a],
                                 is_binary ? v[in->b] : 0.0);
        t[in->d] = 0.0;
        return true;
    }
    switch (in->op) {
    case CODE_COPY:
        v[in->d] = v[in->a];
        t[in->d] = t[in->a];
        return true;
    case CODE_STORE: {
        const CodeOutput *out = &f->body->outputs[in->d];
        r->tangents[out->vector][out->index] = t[in->a];
        return true;
    }
    case CODE_CHECK:
        return v[in->a] != 0.0;
    case CODE_SHOW:
        return true;
    case CODE_READ:
    case CODE_WRITE:
        return tangent_element(f, in);
    case CODE_CALL:
        return tangent_call(r, f, &f->body->lists[in->a]);
    case CODE_EXTERNAL:
        return tangent_external(r, f, in);
    default:
        return false;
    }
}

static bool tangent_body(TangentRun *r, const TangentFrame *f)
{
    const CodeBody *body = f->body;
    for (uint32_t i = 0; i < body->instruction_count;) {
        const CodeInstruction *in = &body->instructions[i++];
        switch (in->op) {
        case CODE_GUARD:
            i = f->v[in->a] != 0.0 ? i : tangent_skip(body, i - 1);
            break;
        case CODE_ELSE: // the other side was taken
            i = tangent_skip(body, i - 1);
            break;
        case CODE_END:
        case CODE_LOOP:
            break;
        case CODE_REPEAT:
            if (++r->steps > CODE_MOST_STEPS)
                return false;
            i = tangent_again(body, i - 1);
            break;
        case CODE_BREAK:
            i = tangent_leave(body, i - 1);
            break;
        case CODE_BREAK_UNLESS:
            i = f->v[in->a] != 0.0 ? i : tangent_leave(body, i - 1);
            break;
        case CODE_RETURN:
            return true;
        default:
            if (!tangent_instruction(r, f, in))
                return false;
        }
    }
    return true;
}

bool tangent_run(const CodeModule *m, uint32_t entry, const double *const *inputs,
                 const double *const *seeds, double *const *tangents, double *work)
{
    const CodeBody *body = m->entries[entry];
    TangentRun r = {.m = m, .inputs = inputs, .seeds = seeds, .tangents = tangents};
    const TangentFrame f = {.body = body, .v = work, .t = work + body->value_count};
    if (m->is_lean || tangent_array(body, body->array_count) > 0)
        return false;
    tangent_begin(&r, &f);
    return tangent_body(&r, &f);
}
