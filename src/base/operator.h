// SPDX-License-Identifier: MIT
//
// Operators and functions on scalars, by the table in operator_table.h.

#ifndef SALTUS_BASE_OPERATOR_H
#define SALTUS_BASE_OPERATOR_H

#include "base/history.h"
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
    OPERATOR_STEPS = 1 << 6,   // it contains a rounding to whole numbers, which does
    OPERATOR_EXTRA = 1 << 7,   // not of Modelica
};

// The unit of the result, and what the units of the operands must be.
typedef enum OperatorUnit {
    OPERATOR_UNIT_UNKNOWN,
    OPERATOR_UNIT_NUMBER,   // a number, whatever the operand is
    OPERATOR_UNIT_SAME,     // as the operand
    OPERATOR_UNIT_SUM,      // all have one unit, as terms
    OPERATOR_UNIT_COMMON,   // all have one unit, as things to compare
    OPERATOR_UNIT_RELATION, // the same, and the result is a number
    OPERATOR_UNIT_RATIO,    // the same, and the result is dimensionless
    OPERATOR_UNIT_PRODUCT,
    OPERATOR_UNIT_QUOTIENT,
    OPERATOR_UNIT_POWER,
    OPERATOR_UNIT_SQUARE_ROOT,
    OPERATOR_UNIT_CUBE_ROOT,
    OPERATOR_UNIT_PLAIN, // from a dimensionless operand to a dimensionless result
} OperatorUnit;

// The signs that the result can have.
typedef enum OperatorSign {
    OPERATOR_SIGN_ANY,
    OPERATOR_SIGN_POSITIVE,
    OPERATOR_SIGN_SAME,      // of the operand; zero where it is zero
    OPERATOR_SIGN_OPPOSITE,  // the other one
    OPERATOR_SIGN_MAGNITUDE, // positive, zero where the operand is zero
    OPERATOR_SIGN_ROOT,      // the same of an operand that is not negative
    OPERATOR_SIGN_DISTANCE,  // positive, zero where both operands are
    OPERATOR_SIGN_SUM,
    OPERATOR_SIGN_DIFFERENCE,
    OPERATOR_SIGN_PRODUCT,
    OPERATOR_SIGN_QUOTIENT,
    OPERATOR_SIGN_POWER,
    OPERATOR_SIGN_CHOICE,
} OperatorSign;

// What the result's rounding is in proportion to.
typedef enum OperatorSize {
    OPERATOR_SIZE_VALUE, // the result
    OPERATOR_SIZE_SLOPE, // also the operand's size times the derivative, which is finite everywhere
    OPERATOR_SIZE_SAME,  // the operand's size
    OPERATOR_SIZE_SUM,   // the sum of the operands' sizes
    OPERATOR_SIZE_PRODUCT,
    OPERATOR_SIZE_QUOTIENT, // the numerator's size by the denominator
    OPERATOR_SIZE_POWER,    // the result, or the size of the base by the slope
    OPERATOR_SIZE_CHOICE,   // that of the operand which is chosen
} OperatorSize;

// How the result lies between bounds if the operands do: base/interval.h.
typedef enum OperatorBounds {
    OPERATOR_BOUNDS_NONE,    // nothing is known
    OPERATOR_BOUNDS_UP,      // it rises with each operand, or stays
    OPERATOR_BOUNDS_DOWN,    // it falls
    OPERATOR_BOUNDS_UP_DOWN, // rises with the first and falls with the second operand
    OPERATOR_BOUNDS_DOWN_UP,
    OPERATOR_BOUNDS_EVEN, // rises with the size of each operand, whatever their signs
    OPERATOR_BOUNDS_PRODUCT,
    OPERATOR_BOUNDS_QUOTIENT,
    OPERATOR_BOUNDS_WHOLE_QUOTIENT,
    OPERATOR_BOUNDS_REMAINDER,
    OPERATOR_BOUNDS_POWER,
    OPERATOR_BOUNDS_SINE,
    OPERATOR_BOUNDS_COSINE,
    OPERATOR_BOUNDS_TANGENT,
    OPERATOR_BOUNDS_ANGLE, // atan2
    OPERATOR_BOUNDS_EQUAL,
    OPERATOR_BOUNDS_NOT_EQUAL,
    OPERATOR_BOUNDS_CHOICE,
} OperatorBounds;

typedef enum Operator {
#define OPERATOR(name, ...) OPERATOR_##name,
#include "base/operator_table.h"
    OPERATOR_COUNT,
} Operator;

typedef struct OperatorInfo {
    const char *name;      // "LESS_EQUAL"
    const char *text;      // "<="
    const char *meaning;   // C text in a, b, c
    const char *signature; // "RR>B"
    uint8_t count;         // of operands
    uint8_t traits;
    WholeOperator whole; // what it is on Integers; WHOLE_NONE: nothing
    OperatorUnit unit;
    OperatorSign sign;
    OperatorSize size;
    OperatorBounds bounds;
} OperatorInfo;

// From the column "signature".
#define OPERATOR_ARITY(signature) (sizeof(signature) - 3)

extern const OperatorInfo operator_table[OPERATOR_COUNT];

static inline const OperatorInfo *operator_info(Operator op)
{
    return &operator_table[op];
}
// The type of the result, a letter of the signature.
static inline char operator_result(Operator op)
{
    return operator_table[op].signature[operator_table[op].count + 1];
}

// The value for these operands; those beyond its count are ignored.
double operator_apply(Operator op, double a, double b, double c);
// The same of numbers that stand in a model: the cosine of pi/2, which is nothing but the rounding
// of pi/2 and no coefficient to divide by, is zero.
double operator_fold(Operator op, double a, double b, double c);

// Why finite operands are outside its domain: "division by zero"; NULL: they are inside, or one of
// them is NaN, which is another operator's fault. Inside, the result is finite unless it overflows.
const char *operator_outside(Operator op, double a, double b);

// x^n by repeated multiplication: x^2 = x x, x^3 = x^2 x, x^4 = x^2 x^2, ...; for n < 0 the power
// of 1/x, which overflows and vanishes where the result does. The code does the same
// multiplications in the same order.
enum { OPERATOR_LARGEST_POWER = 16 }; // |n| that is worth it: then pow is faster and more exact
double operator_power(double x, int n);

#endif
