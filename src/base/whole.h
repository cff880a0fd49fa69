// SPDX-License-Identifier: MIT
//
// The one table of operators on Integers. Inside an expression an Integer is a *whole* number: 64
// bits, between -(2^63 - 1) and 2^63 - 1, so that its negative is always one, too. What leaves that
// range fails; nothing wraps around and nothing is rounded. A place that holds a value (a variable,
// an argument, a local) is a double: a whole number is stored there only if it is less than 2^53 in
// size, up to where all of them are doubles. Where it is larger, the store fails.
//
// An entry is X(NAME, text, operands, operand, result, fails, meaning):
//   operand, result   W whole, D a double (a relation gives 0.0 or 1.0)
//   fails             a C expression in a and b: where it is true there is no result
//   meaning           the result otherwise
// Both are compiled into the evaluation before the run, the folding of constants and the
// interpreter, and the emitter of C pastes their text: so all of them agree.
//
// - mod(a, b) = a - floor(a / b) b has the sign of b, rem(a, b) = a - div(a, b) b that of a, and
//   div(a, b) is truncated towards zero (section 3.7.2 of the specification).
// - A product is beyond the range if it is far beyond as a product of doubles; if it is near, it is
//   less than 2^64 in size, and the product modulo 2^64 has the wrong sign or is -2^63.

#ifndef SALTUS_BASE_WHOLE_H
#define SALTUS_BASE_WHOLE_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

// From whole numbers to a whole number.
#define WHOLE_CLOSED_LIST(X)                                                                       \
    X(ADD, "+", 2, W, W, b < 0 ? a < -9223372036854775807 - b : a > 9223372036854775807 - b,       \
      a + b)                                                                                       \
    X(SUBTRACT, "-", 2, W, W, b < 0 ? a > 9223372036854775807 + b : a < -9223372036854775807 + b,  \
      a - b)                                                                                       \
    X(MULTIPLY, "*", 2, W, W,                                                                      \
      !(fabs((double)a * (double)b) < 9.3e18) ||                                                   \
          ((int64_t)((uint64_t)a * (uint64_t)b) < 0) != ((double)a * (double)b < 0.0) ||           \
          (int64_t)((uint64_t)a * (uint64_t)b) < -9223372036854775807,                             \
      a * b)                                                                                       \
    X(NEGATE, "-", 1, W, W, 0, -a)                                                                 \
    X(ABS, "abs", 1, W, W, 0, a < 0 ? -a : a)                                                      \
    X(SIGN, "sign", 1, W, W, 0, (a > 0) - (a < 0))                                                 \
    X(MIN, "min", 2, W, W, 0, a < b ? a : b)                                                       \
    X(MAX, "max", 2, W, W, 0, a > b ? a : b)                                                       \
    X(DIV, "div", 2, W, W, b == 0, a / b)                                                          \
    X(MOD, "mod", 2, W, W, b == 0, a % b + (a % b != 0 && (a % b < 0) != (b < 0) ? b : 0))         \
    X(REM, "rem", 2, W, W, b == 0, a % b)

// To and from doubles; the last two are for places.
#define WHOLE_BORDER_LIST(X)                                                                       \
    X(LESS, "<", 2, W, D, 0, a < b ? 1.0 : 0.0)                                                    \
    X(LESS_EQUAL, "<=", 2, W, D, 0, a <= b ? 1.0 : 0.0)                                            \
    X(GREATER, ">", 2, W, D, 0, a > b ? 1.0 : 0.0)                                                 \
    X(GREATER_EQUAL, ">=", 2, W, D, 0, a >= b ? 1.0 : 0.0)                                         \
    X(EQUAL, "==", 2, W, D, 0, a == b ? 1.0 : 0.0)                                                 \
    X(NOT_EQUAL, "<>", 2, W, D, 0, a != b ? 1.0 : 0.0)                                             \
    X(TO_REAL, "Real", 1, W, D, 0, (double)a)                                                      \
    X(INTEGER, "integer", 1, D, W, !(a >= -9223372036854774784.0 && a <= 9223372036854774784.0),   \
      (int64_t)floor(a))                                                                           \
    X(TAKEN, "taken", 1, D, W, !(a > -9007199254740992.0 && a < 9007199254740992.0), (int64_t)a)   \
    X(STORED, "stored", 1, W, D, a > 9007199254740991 || a < -9007199254740991, (double)a)

#define WHOLE_LIST(X)                                                                              \
    WHOLE_CLOSED_LIST(X)                                                                           \
    WHOLE_BORDER_LIST(X)

typedef enum WholeOperator {
#define X(name, text, count, operand, result, fails, meaning) WHOLE_##name,
    WHOLE_LIST(X)
#undef X
        WHOLE_COUNT,
    WHOLE_NONE = WHOLE_COUNT,
} WholeOperator;

typedef struct WholeInfo {
    const char *text;
    const char *fails, *meaning; // C text in a, b
    uint8_t count;               // of operands
    bool takes_whole, gives_whole;
} WholeInfo;

const WholeInfo *whole_info(WholeOperator op);

// Of the operators from whole numbers to a whole number. False: it fails, or is none of them.
bool whole_apply(WholeOperator op, int64_t a, int64_t b, int64_t *result);

// The largest whole number that a place can hold, 2^53 - 1.
#define WHOLE_MOST_STORED INT64_C(9007199254740991)

// Bounds on the size of whole numbers, in bits: |a| < 2^bits.
enum { WHOLE_STORED_BITS = 53, WHOLE_MOST_BITS = 63 };
// The bound on a result that follows from those on the operands; beyond WHOLE_MOST_BITS it may
// fail. Division by zero is not considered.
int whole_bits(WholeOperator op, int a, int b);

#endif
