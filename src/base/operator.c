// SPDX-License-Identifier: MIT

#include "base/operator.h"

#include <float.h>
#include <stddef.h>

const OperatorInfo operator_table[OPERATOR_COUNT] = {
#define OPERATOR(name, text, signature, arguments, traits, meaning, outside, by_a, by_b, whole,    \
                 unit, sign, size, bounds)                                                         \
    [OPERATOR_##name] = {#name,                                                                    \
                         text,                                                                     \
                         #meaning,                                                                 \
                         signature,                                                                \
                         OPERATOR_ARITY(signature),                                                \
                         traits,                                                                   \
                         WHOLE_##whole,                                                            \
                         OPERATOR_UNIT_##unit,                                                     \
                         OPERATOR_SIGN_##sign,                                                     \
                         OPERATOR_SIZE_##size,                                                     \
                         OPERATOR_BOUNDS_##bounds},
#include "base/operator_table.h"
};

double operator_apply(Operator op, double a, double b, double c)
{
    switch (op) {
#define OPERATOR(name, text, signature, arguments, traits, meaning, ...)                           \
    case OPERATOR_##name:                                                                          \
        return meaning;
#include "base/operator_table.h"
    case OPERATOR_COUNT:
        break;
    }
    return NAN;
}

double operator_fold(Operator op, double a, double b, double c)
{
    const double value = operator_apply(op, a, b, c);
    const bool is_wave = op == OPERATOR_SIN || op == OPERATOR_COS;
    return is_wave && fabs(value) < DBL_EPSILON * fabs(a) ? 0.0 : value;
}

const char *operator_outside(Operator op, double a, double b)
{
    if (isnan(a) || isnan(b))
        return NULL;
    switch (op) {
#define OPERATOR(name, text, signature, arguments, traits, meaning, outside, ...)                  \
    case OPERATOR_##name:                                                                          \
        return outside;
#include "base/operator_table.h"
    case OPERATOR_COUNT:
        break;
    }
    return NULL;
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
