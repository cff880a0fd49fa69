// SPDX-License-Identifier: MIT
//
// The interpreter: one loop over words, with a jump per operation that the processor can predict by
// the operation before it (computed goto), where the compiler has that, else a switch.

#include "code/interpret.h"

#include "code/body.h"
#include "code/lower.h"
#include "external/external.h"

#include <string.h>

#if defined(__GNUC__) && !defined(INTERPRET_BY_SWITCH)
#define IS_THREADED 1
#pragma GCC diagnostic ignored "-Wpedantic" // labels as values
#else
#define IS_THREADED 0
#endif

static int run_body(const CodeModule *m, const CodeBody *body, const double *const *inputs,
                    double *const *outputs, double *r, CodeRun *run);

static int interpret_fail(CodeRun *run, uint32_t place)
{
    run->failure = place;
    return 1;
}

// Arguments to the frame of a function, call, results back. Returns 0 or 1.
static int code_interpret_call(const CodeModule *m, const uint32_t *words, double *r, double *frame,
                               CodeRun *run)
{
    const CodeBody *f = m->functions[words[0]];
    const uint32_t inputs = f->input_scalars, results = f->result_scalars;
    if (run->depth >= CODE_DEEPEST_CALL)
        return interpret_fail(run, f->too_deep);
    if (++run->steps > CODE_MOST_STEPS)
        return interpret_fail(run, f->too_long);
    for (uint32_t i = 0; i < inputs; i++)
        frame[i] = r[words[1 + i]];
    for (uint32_t i = inputs; i < f->lowered.first_constant; i++)
        frame[i] = NAN; // what is used before it is assigned is seen
    if (f->lowered.constant_count)
        memcpy(frame + f->lowered.first_constant, f->lowered.constants,
               f->lowered.constant_count * sizeof *frame);
    run->depth++;
    const int status = run_body(m, f, NULL, NULL, frame, run);
    run->depth--;
    for (uint32_t i = 0; i < results; i++)
        if (words[1 + inputs + i] != CODE_NONE)
            r[words[1 + inputs + i]] = frame[inputs + i];
    return status;
}

// A whole number within the bounds of an array; else its size.
static inline uint32_t interpret_element(double index, uint32_t size)
{
    return index >= 0.0 && index < size ? (uint32_t)index : size;
}

// What a place can hold: as WHOLE_TAKEN and WHOLE_STORED have it.
static inline bool can_be_taken(double x)
{
    return x > -9007199254740992.0 && x < 9007199254740992.0; // 2^53
}

// HANDLER begins the code of an operation, NEXT ends it: on to the operation so many words further.
#if IS_THREADED
#define HANDLER(name) label_##name:
#define OPERATION_HANDLER(name, variant) label_##name##_##variant:
#define WHOLE_HANDLER(name, fusion) label_WHOLE_##name##_##fusion:
#define NEXT(count)                                                                                \
    ip += (count);                                                                                 \
    goto *labels[*ip]
#else
#define HANDLER(name) case name:
#define OPERATION_HANDLER(name, variant) case LOWER_OPERATION(name, variant):
#define WHOLE_HANDLER(name, fusion) case LOWER_WHOLE(WHOLE_##name, fusion):
#define NEXT(count)                                                                                \
    ip += (count);                                                                                 \
    continue
#endif

// An operation, one of whose operands may be the latest result. Operands that it does not have are
// not read.
#define VARIANT(name, variant, count, meaning)                                                     \
    OPERATION_HANDLER(name, variant)                                                               \
    {                                                                                              \
        const double a = (variant) == 1 ? latest : r[ip[2]];                                       \
        const double b = (variant) == 2 ? latest : (count) > 1 ? r[ip[3]] : 0.0;                   \
        const double c = (variant) == 3 ? latest : (count) > 2 ? r[ip[4]] : 0.0;                   \
        (void)b, (void)c;                                                                          \
        r[ip[1]] = latest = (meaning);                                                             \
        NEXT(2 + (count));                                                                         \
    }
#define ALL_VARIANTS(name, count, meaning)                                                         \
    VARIANT(name, 0, count, meaning)                                                               \
    VARIANT(name, 1, count, meaning)                                                               \
    VARIANT(name, 2, count, meaning)                                                               \
    VARIANT(name, 3, count, meaning)
#define PAIR_VARIANTS(name, first, second, place, meaning) ALL_VARIANTS(LOWER_##name, 3, meaning)

// An operation on whole numbers: their bits are in the registers of doubles. The operations of a
// fusion that does not exist are not reached.
#define TYPE_W int64_t
#define TYPE_D double
#define TAKE_W(register, is_taken) ((is_taken) ? (int64_t)(register) : body_whole_of(register))
#define TAKE_D(register, is_taken) (register)
#define GIVE_W(value, is_stored) ((is_stored) ? (double)(value) : body_bits(value))
#define GIVE_D(value, is_stored) (value)
#define FUSION(name, fusion, count, operand, result, fails, meaning)                               \
    WHOLE_HANDLER(name, fusion)                                                                    \
    {                                                                                              \
        if ((fusion)&LOWER_TAKES_A && !can_be_taken(r[ip[2]]))                                     \
            return interpret_fail(run, ip[5]);                                                     \
        if ((fusion)&LOWER_TAKES_B && (count) > 1 && !can_be_taken(r[ip[3]]))                      \
            return interpret_fail(run, ip[6]);                                                     \
        const TYPE_##operand a = TAKE_##operand(r[ip[2]], (fusion)&LOWER_TAKES_A);                 \
        const TYPE_##operand b =                                                                   \
            (count) > 1 ? TAKE_##operand(r[ip[3]], (fusion)&LOWER_TAKES_B) : 0;                    \
        (void)b;                                                                                   \
        if (fails) {                                                                               \
            if (ip[4] != CODE_TOLERATED)                                                           \
                return interpret_fail(run, ip[4]);                                                 \
            r[ip[1]] = 0.0;                                                                        \
            NEXT(5);                                                                               \
        }                                                                                          \
        const TYPE_##result y = (meaning);                                                         \
        if ((fusion)&LOWER_STORES && !can_be_taken((double)y))                                     \
            return interpret_fail(run, ip[7]);                                                     \
        r[ip[1]] = GIVE_##result(y, (fusion)&LOWER_STORES);                                        \
        NEXT((fusion) ? 8 : 5);                                                                    \
    }
#define ALL_FUSIONS(name, text, count, operand, result, fails, meaning)                            \
    FUSION(name, 0, count, operand, result, fails, meaning)                                        \
    FUSION(name, 1, count, operand, result, fails, meaning)                                        \
    FUSION(name, 2, count, operand, result, fails, meaning)                                        \
    FUSION(name, 3, count, operand, result, fails, meaning)                                        \
    FUSION(name, 4, count, operand, result, fails, meaning)                                        \
    FUSION(name, 5, count, operand, result, fails, meaning)                                        \
    FUSION(name, 6, count, operand, result, fails, meaning)                                        \
    FUSION(name, 7, count, operand, result, fails, meaning)

// So many registers from an input vector, and to an output vector: loops that compilers unroll.
#define ALL_COUNTS(X) X(1) X(2) X(3) X(4)
#define LOAD(count)                                                                                \
    HANDLER(LOWER_LOAD_##count)                                                                    \
    {                                                                                              \
        for (uint32_t k = 0; k < (count); k++)                                                     \
            r[ip[1] + k] = inputs[ip[2]][ip[3] + k];                                               \
        NEXT(4);                                                                                   \
    }
#define STORE(count)                                                                               \
    HANDLER(LOWER_STORE_##count)                                                                   \
    {                                                                                              \
        for (uint32_t k = 0; k < (count); k++)                                                     \
            outputs[ip[2]][ip[3] + k] = r[ip[1] + k];                                              \
        NEXT(4);                                                                                   \
    }

// An element of an array in registers; `at`: which one.
#define ELEMENT(name, assignment)                                                                  \
    HANDLER(name)                                                                                  \
    {                                                                                              \
        const uint32_t at = interpret_element(r[ip[2]], ip[4]);                                    \
        if (at == ip[4])                                                                           \
            return interpret_fail(run, ip[5]);                                                     \
        assignment;                                                                                \
        NEXT(6);                                                                                   \
    }

// The labels of the handlers, in the order of the operations' numbers.
#define VARIANT_LABELS(name)                                                                       \
    &&label_##name##_0, &&label_##name##_1, &&label_##name##_2, &&label_##name##_3,
#define PAIR_LABELS(name, first, second, place, meaning) VARIANT_LABELS(LOWER_##name)
#define LOWER_LABEL(name) &&label_LOWER_##name,
#define FUSION_LABELS(name, text, count, operand, result, fails, meaning)                          \
    &&label_WHOLE_##name##_0, &&label_WHOLE_##name##_1, &&label_WHOLE_##name##_2,                  \
        &&label_WHOLE_##name##_3, &&label_WHOLE_##name##_4, &&label_WHOLE_##name##_5,              \
        &&label_WHOLE_##name##_6, &&label_WHOLE_##name##_7,

// The call of a foreign function; 0: it has its results.
static int interpret_external(const CodeModule *m, const uint32_t *ip, double *r, CodeRun *run)
{
    double *numbers[EXTERNAL_MOST_ARGUMENTS];
    for (uint32_t k = 0; k < ip[3]; k++)
        numbers[k] = ip[4 + k] == CODE_NONE ? NULL : r + ip[4 + k];
    return external_call_site(m->sites[ip[1]], numbers, &run->moment);
}

static int run_body(const CodeModule *m, const CodeBody *body, const double *const *inputs,
                    double *const *outputs, double *r, CodeRun *run)
{
    const uint32_t *const words = body->lowered.words;
    const uint32_t *ip = words;
    double latest = 0.0; // result of the operation before
#if IS_THREADED
    static const void *const labels[] = {
#define OPERATOR(name, ...) VARIANT_LABELS(OPERATOR_##name)
#include "base/operator_table.h"
        LOWER_PAIR_LIST(PAIR_LABELS) LOWER_LIST(LOWER_LABEL) WHOLE_LIST(FUSION_LABELS)};
    goto *labels[*ip];
#else
    for (;;)
        switch (*ip)
#endif
    {
#define OPERATOR(name, text, signature, arguments, traits, meaning, ...)                           \
    ALL_VARIANTS(OPERATOR_##name, OPERATOR_ARITY(signature), meaning)
#include "base/operator_table.h"
        LOWER_PAIR_LIST(PAIR_VARIANTS)
        WHOLE_LIST(ALL_FUSIONS)
        HANDLER(LOWER_COPY)
        {
            r[ip[1]] = r[ip[2]];
            NEXT(3);
        }
        ALL_COUNTS(LOAD)
        HANDLER(LOWER_LOAD)
        {
            memcpy(r + ip[1], inputs[ip[2]] + ip[3], ip[4] * sizeof *r);
            NEXT(5);
        }
        ALL_COUNTS(STORE)
        HANDLER(LOWER_STORE)
        {
            memcpy(outputs[ip[2]] + ip[3], r + ip[1], ip[4] * sizeof *r);
            NEXT(5);
        }
        HANDLER(LOWER_JUMP)
        {
            ip = words + ip[1];
            NEXT(0);
        }
        HANDLER(LOWER_JUMP_UNLESS)
        {
            ip = r[ip[1]] != 0.0 ? ip + 3 : words + ip[2];
            NEXT(0);
        }
        HANDLER(LOWER_REPEAT)
        {
            if (++run->steps > CODE_MOST_STEPS)
                return interpret_fail(run, ip[2]);
            ip = words + ip[1];
            NEXT(0);
        }
        HANDLER(LOWER_CHECK)
        {
            if (r[ip[1]] == 0.0)
                return interpret_fail(run, ip[2]);
            NEXT(3);
        }
        HANDLER(LOWER_SHOW)
        {
            run->shown[ip[2]] = r[ip[1]];
            NEXT(3);
        }
        ELEMENT(LOWER_READ, r[ip[1]] = r[ip[3] + at])
        ELEMENT(LOWER_WRITE, r[ip[3] + at] = r[ip[1]])
        HANDLER(LOWER_CALL)
        {
            const CodeBody *f = m->functions[ip[1]];
            if (code_interpret_call(m, ip + 1, r, r + body->lowered.register_count, run))
                return 1;
            NEXT(2 + f->input_scalars + f->result_scalars);
        }
        HANDLER(LOWER_EXTERNAL)
        {
            if (interpret_external(m, ip, r, run))
                return interpret_fail(run, ip[2]);
            NEXT(4 + ip[3]);
        }
        HANDLER(LOWER_STOP)
        {
            return 0;
        }
    }
}

int interpret(const CodeModule *m, uint32_t entry, const double *const *inputs,
              double *const *outputs, CodeRun *run)
{
    if (m->function_count) {
        run->steps = 0;
        run->depth = 0;
        run->moment.calls = 0;
    }
    return run_body(m, m->entries[entry], inputs, outputs, run->frame, run);
}
