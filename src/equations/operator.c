// SPDX-License-Identifier: MIT

#include "equations/operator.h"

static const OperatorInfo table[OPERATOR_COUNT] = {
#define X(name, text, count, result, traits, meaning)                                              \
    [OPERATOR_##name] = {#name, text, #meaning, count, result, traits},
    OPERATOR_LIST(X)
#undef X
};

const OperatorInfo *operator_info(Operator op)
{
    return &table[op];
}

WholeOperator operator_on_integers(Operator op)
{
    switch (op) {
#define SAME(name)                                                                                 \
    case OPERATOR_##name:                                                                          \
        return WHOLE_##name;
        SAME(ADD)
        SAME(SUBTRACT)
        SAME(MULTIPLY)
        SAME(NEGATE)
        SAME(LESS)
        SAME(LESS_EQUAL)
        SAME(GREATER)
        SAME(GREATER_EQUAL)
        SAME(EQUAL)
        SAME(NOT_EQUAL)
        SAME(TO_REAL)
        SAME(ABS)
        SAME(SIGN)
        SAME(MIN)
        SAME(MAX)
        SAME(DIV)
        SAME(MOD)
        SAME(REM)
        SAME(INTEGER)
#undef SAME
    case OPERATOR_IF:     // has rules of its own
    case OPERATOR_DIVIDE: // what is on Reals or Booleans alone
    case OPERATOR_POWER:
    case OPERATOR_NOT:
    case OPERATOR_AND:
    case OPERATOR_OR:
    case OPERATOR_SIN:
    case OPERATOR_COS:
    case OPERATOR_TAN:
    case OPERATOR_ASIN:
    case OPERATOR_ACOS:
    case OPERATOR_ATAN:
    case OPERATOR_ATAN2:
    case OPERATOR_SINH:
    case OPERATOR_COSH:
    case OPERATOR_TANH:
    case OPERATOR_EXP:
    case OPERATOR_LOG:
    case OPERATOR_LOG10:
    case OPERATOR_SQRT:
    case OPERATOR_CEIL:
    case OPERATOR_FLOOR:
    case OPERATOR_COUNT:
        break;
    }
    return WHOLE_COUNT;
}

double operator_apply(Operator op, double a, double b, double c)
{
    switch (op) {
#define X(name, text, count, result, traits, meaning)                                              \
    case OPERATOR_##name:                                                                          \
        return meaning;
        OPERATOR_LIST(X) // NOLINT(bugprone-branch-clone): some differ in their types alone
#undef X
    case OPERATOR_COUNT:
        break;
    }
    return NAN;
}

double operator_power(double x, int n)
{
    if (n < 0)
        return operator_power(1.0 / x, -n);
    if (n == 0)
        return 1.0;
    if (n == 1)
        return x;
    const double half = operator_power(x, n / 2);
    const double square = half * half;
    return n % 2 ? square * x : square;
}
