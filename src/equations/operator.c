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
    default: // the others are on Reals or Booleans alone
        return WHOLE_COUNT;
    }
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
