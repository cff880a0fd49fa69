// SPDX-License-Identifier: MIT

#include "base/whole.h"

#define IS_W true
#define IS_D false
static const WholeInfo whole_table[WHOLE_COUNT] = {
#define X(name, text, count, operand, result, fails, meaning)                                      \
    [WHOLE_##name] = {text, #fails, #meaning, count, IS_##operand, IS_##result},
    WHOLE_LIST(X)
#undef X
};

const WholeInfo *whole_info(WholeOperator op)
{
    return &whole_table[op];
}

bool whole_apply(WholeOperator op, int64_t a, int64_t b, int64_t *result)
{
    switch (op) {
#define X(name, text, count, operand, type, fails, meaning)                                        \
    case WHOLE_##name:                                                                             \
        if (fails)                                                                                 \
            return false;                                                                          \
        *result = (meaning);                                                                       \
        return true;
        WHOLE_CLOSED_LIST(X)
#undef X
    default:
        return false;
    }
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

int whole_bits(WholeOperator op, int a, int b)
{
    switch (op) {
    case WHOLE_ADD:
    case WHOLE_SUBTRACT:
        return larger(a, b) + 1;
    case WHOLE_MULTIPLY:
        return a + b;
    case WHOLE_MIN:
    case WHOLE_MAX:
        return larger(a, b);
    case WHOLE_MOD: // |mod(a, b)| < |b|
        return b;
    case WHOLE_REM: // likewise, and not larger than |a|
        return a < b ? a : b;
    case WHOLE_SIGN:
        return 1;
    case WHOLE_NEGATE:
    case WHOLE_ABS:
    case WHOLE_DIV:
        return a;
    case WHOLE_TAKEN:
        return WHOLE_STORED_BITS;
    case WHOLE_LESS: // what gives no whole number
    case WHOLE_LESS_EQUAL:
    case WHOLE_GREATER:
    case WHOLE_GREATER_EQUAL:
    case WHOLE_EQUAL:
    case WHOLE_NOT_EQUAL:
    case WHOLE_TO_REAL:
    case WHOLE_STORED:
    case WHOLE_INTEGER:
    case WHOLE_COUNT:
        break;
    }
    return WHOLE_MOST_BITS;
}
