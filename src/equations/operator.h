// SPDX-License-Identifier: MIT
//
// The one table of operators on scalars. Values are doubles: a Boolean is 0.0 or 1.0, an Integer a
// whole number below 2^53, an enumeration value its ordinal. On Integers alone, the operators are
// those of base/whole.h, which are exact up to 2^63.
//
// An entry is X(NAME, text, operands, result, traits, meaning):
//   text      how it is written in Modelica
//   result    R Real, I Integer, B Boolean, N Integer if all operands are, else Real,
//             T as the last operand
//   traits    a set of bits, below
//   meaning   a C expression in the operands a, b, c
// The meaning is compiled into the folding of constants and the interpreter, and the emitter pastes
// its text: so all of them compute the same bits (the sign and the payload of a NaN apart).
//
// Choices where the Modelica specification leaves one, or IEEE 754 has special values:
// - min and max of NaN and x are NaN; sign(NaN) is NaN: what is wrong stays visible.
// - Relations with NaN are false, except <>, which is true.
// - mod(x, y) = x - floor(x / y) y, div(x, y) = trunc(x / y), rem(x, y) = x - div(x, y) y
//   (section 3.7.2). A division by zero gives an infinity or NaN.
// - An Integer has no negative zero: its conversion to Real adds +0.0.

#ifndef SALTUS_EQUATIONS_OPERATOR_H
#define SALTUS_EQUATIONS_OPERATOR_H

#include "base/whole.h"

#include <math.h>
#include <stdint.h>

// Traits.
enum {
    OPERATOR_COMMUTES = 1 << 0, // a op b has the bits of b op a
    OPERATOR_INFIX = 1 << 1,
    OPERATOR_COSTLY = 1 << 2,  // a call of the mathematical library, or a division
    OPERATOR_PARTIAL = 1 << 3, // finite operands may give NaN or, by a pole, an infinity
    OPERATOR_BOUNDED = 1 << 4, // finite operands give a finite result
    OPERATOR_JUMPS = 1 << 5,   // the result is piecewise constant: it can trigger events
};

#define OPERATOR_LIST(X)                                                                           \
    X(IF, "if", 3, 'T', OPERATOR_BOUNDED, a != 0.0 ? b : c)                                        \
    X(ADD, "+", 2, 'N', OPERATOR_COMMUTES | OPERATOR_INFIX, a + b)                                 \
    X(SUBTRACT, "-", 2, 'N', OPERATOR_INFIX, a - b)                                                \
    X(MULTIPLY, "*", 2, 'N', OPERATOR_COMMUTES | OPERATOR_INFIX, a * b)                            \
    X(DIVIDE, "/", 2, 'R', OPERATOR_INFIX | OPERATOR_COSTLY | OPERATOR_PARTIAL, a / b)             \
    X(POWER, "^", 2, 'R', OPERATOR_INFIX | OPERATOR_COSTLY | OPERATOR_PARTIAL, pow(a, b))          \
    X(NEGATE, "-", 1, 'N', OPERATOR_BOUNDED, -a)                                                   \
    X(NOT, "not", 1, 'B', OPERATOR_BOUNDED, a != 0.0 ? 0.0 : 1.0)                                  \
    X(AND, "and", 2, 'B', OPERATOR_COMMUTES | OPERATOR_INFIX | OPERATOR_BOUNDED,                   \
      a != 0.0 && b != 0.0 ? 1.0 : 0.0)                                                            \
    X(OR, "or", 2, 'B', OPERATOR_COMMUTES | OPERATOR_INFIX | OPERATOR_BOUNDED,                     \
      a != 0.0 || b != 0.0 ? 1.0 : 0.0)                                                            \
    X(LESS, "<", 2, 'B', OPERATOR_INFIX | OPERATOR_BOUNDED | OPERATOR_JUMPS, a < b ? 1.0 : 0.0)    \
    X(LESS_EQUAL, "<=", 2, 'B', OPERATOR_INFIX | OPERATOR_BOUNDED | OPERATOR_JUMPS,                \
      a <= b ? 1.0 : 0.0)                                                                          \
    X(GREATER, ">", 2, 'B', OPERATOR_INFIX | OPERATOR_BOUNDED | OPERATOR_JUMPS, a > b ? 1.0 : 0.0) \
    X(GREATER_EQUAL, ">=", 2, 'B', OPERATOR_INFIX | OPERATOR_BOUNDED | OPERATOR_JUMPS,             \
      a >= b ? 1.0 : 0.0)                                                                          \
    X(EQUAL, "==", 2, 'B', OPERATOR_COMMUTES | OPERATOR_INFIX | OPERATOR_BOUNDED | OPERATOR_JUMPS, \
      a == b ? 1.0 : 0.0)                                                                          \
    X(NOT_EQUAL, "<>", 2, 'B',                                                                     \
      OPERATOR_COMMUTES | OPERATOR_INFIX | OPERATOR_BOUNDED | OPERATOR_JUMPS, a != b ? 1.0 : 0.0)  \
    X(TO_REAL, "Real", 1, 'R', OPERATOR_BOUNDED, a + 0.0)                                          \
    X(SIN, "sin", 1, 'R', OPERATOR_COSTLY | OPERATOR_BOUNDED, sin(a))                              \
    X(COS, "cos", 1, 'R', OPERATOR_COSTLY | OPERATOR_BOUNDED, cos(a))                              \
    X(TAN, "tan", 1, 'R', OPERATOR_COSTLY | OPERATOR_PARTIAL, tan(a))                              \
    X(ASIN, "asin", 1, 'R', OPERATOR_COSTLY | OPERATOR_PARTIAL, asin(a))                           \
    X(ACOS, "acos", 1, 'R', OPERATOR_COSTLY | OPERATOR_PARTIAL, acos(a))                           \
    X(ATAN, "atan", 1, 'R', OPERATOR_COSTLY | OPERATOR_BOUNDED, atan(a))                           \
    X(ATAN2, "atan2", 2, 'R', OPERATOR_COSTLY | OPERATOR_BOUNDED, atan2(a, b))                     \
    X(SINH, "sinh", 1, 'R', OPERATOR_COSTLY, sinh(a))                                              \
    X(COSH, "cosh", 1, 'R', OPERATOR_COSTLY, cosh(a))                                              \
    X(TANH, "tanh", 1, 'R', OPERATOR_COSTLY | OPERATOR_BOUNDED, tanh(a))                           \
    X(EXP, "exp", 1, 'R', OPERATOR_COSTLY, exp(a))                                                 \
    X(LOG, "log", 1, 'R', OPERATOR_COSTLY | OPERATOR_PARTIAL, log(a))                              \
    X(LOG10, "log10", 1, 'R', OPERATOR_COSTLY | OPERATOR_PARTIAL, log10(a))                        \
    X(SQRT, "sqrt", 1, 'R', OPERATOR_COSTLY | OPERATOR_PARTIAL, sqrt(a))                           \
    X(ABS, "abs", 1, 'N', OPERATOR_BOUNDED, fabs(a))                                               \
    X(SIGN, "sign", 1, 'I', OPERATOR_BOUNDED | OPERATOR_JUMPS, a > 0.0 ? 1.0 : a < 0.0 ? -1.0 : a) \
    X(MIN, "min", 2, 'N', OPERATOR_BOUNDED, a < b || a != a ? a : b)                               \
    X(MAX, "max", 2, 'N', OPERATOR_BOUNDED, a > b || a != a ? a : b)                               \
    X(DIV, "div", 2, 'N', OPERATOR_COSTLY | OPERATOR_PARTIAL | OPERATOR_JUMPS, trunc(a / b))       \
    X(MOD, "mod", 2, 'N', OPERATOR_COSTLY | OPERATOR_PARTIAL, a - floor(a / b) * b)                \
    X(REM, "rem", 2, 'N', OPERATOR_COSTLY | OPERATOR_PARTIAL, a - trunc(a / b) * b)                \
    X(CEIL, "ceil", 1, 'R', OPERATOR_COSTLY | OPERATOR_BOUNDED | OPERATOR_JUMPS, ceil(a))          \
    X(FLOOR, "floor", 1, 'R', OPERATOR_COSTLY | OPERATOR_BOUNDED | OPERATOR_JUMPS, floor(a))       \
    X(INTEGER, "integer", 1, 'I', OPERATOR_COSTLY | OPERATOR_BOUNDED | OPERATOR_JUMPS, floor(a))

typedef enum Operator {
#define X(name, text, count, result, traits, meaning) OPERATOR_##name,
    OPERATOR_LIST(X)
#undef X
        OPERATOR_COUNT,
} Operator;

typedef struct OperatorInfo {
    const char *name;    // "LESS_EQUAL"
    const char *text;    // "<="
    const char *meaning; // C text in a, b, c
    uint8_t count;       // of operands
    char result;
    uint8_t traits;
} OperatorInfo;

const OperatorInfo *operator_info(Operator op);

// What it is on Integers; WHOLE_COUNT: nothing.
WholeOperator operator_on_integers(Operator op);

// The value for these operands; those beyond its count are ignored.
double operator_apply(Operator op, double a, double b, double c);

// x^n by repeated multiplication: x^2 = x x, x^3 = x^2 x, x^4 = x^2 x^2, ...; for n < 0 the power
// of 1/x, which overflows and vanishes where the result does. The code does the same
// multiplications in the same order.
enum { OPERATOR_LARGEST_POWER = 16 }; // |n| that is worth it: then pow is faster and more exact
double operator_power(double x, int n);

#endif
