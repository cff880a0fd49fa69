// SPDX-License-Identifier: MIT
//
// The one table of operators and functions on scalars: everything that Saltus knows of them. Values
// are doubles: a Boolean is 0.0 or 1.0, an Integer a whole number below 2^53, an enumeration value
// its ordinal. On Integers alone, the operators are those of base/whole.h, which are exact to 2^63.
//
// A row is OPERATOR(...) or, if it is called by its name and applied to arrays element by element
// (section 12.4.6 of the Modelica specification), FUNCTION(...). A file that needs columns defines
// OPERATOR (and FUNCTION, where that is something else) and includes this one.
//
// The columns:
//   name       of OPERATOR_name, OPERATION_name
//   text       how it is written in Modelica
//   signature  types of the operands, '>', type of the result: R Real, I Integer, B Boolean,
//              N Integer if all operands are, else Real, T as the last operand
//   arguments  their names in a call
//   traits     a set of bits: operator.h
//   meaning    a C expression in the operands a, b, c. It is compiled into evaluation before the
//              run, folding of constants, the interpreter and observations, and the emitter of C
//              pastes its text: so all of them compute the same bits (the sign and the payload of
//              a NaN apart)
//   outside    NULL, or what is wrong with finite operands that have no finite result (an overflow
//              apart): the end of a message
//   by a, by b w times the derivative by the first and the second operand, in the words of
//              equations/derive.c; `y` is the operation itself. ZERO: it is constant between jumps
//   whole      the operator on Integers, WHOLE_whole of base/whole.h; NONE: it has none
//   unit       what follows from the units of the operands: OperatorUnit
//   sign       what follows from their signs: OperatorSign
//   size       what its rounding is in proportion to: OperatorSize
//   bounds     what follows from bounds of the operands: OperatorBounds
//
// Choices where the Modelica specification leaves one, or IEEE 754 has special values:
// - min and max of NaN and x are NaN; sign(NaN) is NaN: what is wrong stays visible.
// - Relations with NaN are false, except <>, which is true.
// - mod(x, y) = x - floor(x / y) y, div(x, y) = trunc(x / y), rem(x, y) = x - div(x, y) y
//   (section 3.7.2). A division by zero gives an infinity or NaN.
// - An Integer has no negative zero: its conversion to Real adds +0.0.

#ifndef FUNCTION
#define FUNCTION(...) OPERATOR(__VA_ARGS__)
#endif

// clang-format off

// ---------------------------------------------------------------------------
// Operators
// ---------------------------------------------------------------------------

OPERATOR(IF, "if", "BTT>T", "", OPERATOR_BOUNDED,
         a != 0.0 ? b : c, NULL,
         ZERO, ZERO, // it has a rule of its own, where it is differentiated
         NONE, UNKNOWN, CHOICE, CHOICE, CHOICE)
OPERATOR(ADD, "+", "NN>N", "", OPERATOR_COMMUTES | OPERATOR_INFIX,
         a + b, NULL,
         w, w,
         ADD, SUM, SUM, SUM, UP)
OPERATOR(SUBTRACT, "-", "NN>N", "", OPERATOR_INFIX,
         a - b, NULL,
         w, NEGATIVE(w),
         SUBTRACT, SUM, DIFFERENCE, SUM, UP_DOWN)
OPERATOR(MULTIPLY, "*", "NN>N", "", OPERATOR_COMMUTES | OPERATOR_INFIX,
         a * b, NULL,
         TIMES(w, b), TIMES(a, w),
         MULTIPLY, PRODUCT, PRODUCT, PRODUCT, PRODUCT)
OPERATOR(DIVIDE, "/", "RR>R", "", OPERATOR_INFIX | OPERATOR_COSTLY | OPERATOR_PARTIAL,
         a / b, b == 0.0 ? "division by zero" : NULL,
         OVER(w, b), NEGATIVE(OVER(TIMES(y, w), b)),
         NONE, QUOTIENT, QUOTIENT, QUOTIENT, QUOTIENT)
OPERATOR(POWER, "^", "RR>R", "", OPERATOR_INFIX | OPERATOR_COSTLY | OPERATOR_PARTIAL,
         pow(a, b), a < 0.0 && b != floor(b) ? "a power of a negative number with a fraction as exponent"
                    : a == 0.0 && b < 0.0    ? "a negative power of zero"
                                             : NULL,
         TIMES(TIMES(b, BOTH(POWER, a, MINUS(b, ONE))), w), TIMES(w, TIMES(y, OF(LOG, a))),
         NONE, POWER, POWER, POWER, POWER)
OPERATOR(NEGATE, "-", "N>N", "", OPERATOR_BOUNDED,
         -a, NULL,
         NEGATIVE(w), ZERO,
         NEGATE, SAME, OPPOSITE, SAME, DOWN)
OPERATOR(NOT, "not", "B>B", "", OPERATOR_BOUNDED,
         a != 0.0 ? 0.0 : 1.0, NULL,
         ZERO, ZERO,
         NONE, UNKNOWN, ANY, VALUE, DOWN)
OPERATOR(AND, "and", "BB>B", "", OPERATOR_COMMUTES | OPERATOR_INFIX | OPERATOR_BOUNDED,
         a != 0.0 && b != 0.0 ? 1.0 : 0.0, NULL,
         ZERO, ZERO,
         NONE, UNKNOWN, ANY, VALUE, UP)
OPERATOR(OR, "or", "BB>B", "", OPERATOR_COMMUTES | OPERATOR_INFIX | OPERATOR_BOUNDED,
         a != 0.0 || b != 0.0 ? 1.0 : 0.0, NULL,
         ZERO, ZERO,
         NONE, UNKNOWN, ANY, VALUE, UP)
OPERATOR(LESS, "<", "RR>B", "", OPERATOR_INFIX | OPERATOR_BOUNDED | OPERATOR_JUMPS,
         a < b ? 1.0 : 0.0, NULL,
         ZERO, ZERO,
         LESS, RELATION, ANY, VALUE, DOWN_UP)
OPERATOR(LESS_EQUAL, "<=", "RR>B", "", OPERATOR_INFIX | OPERATOR_BOUNDED | OPERATOR_JUMPS,
         a <= b ? 1.0 : 0.0, NULL,
         ZERO, ZERO,
         LESS_EQUAL, RELATION, ANY, VALUE, DOWN_UP)
OPERATOR(GREATER, ">", "RR>B", "", OPERATOR_INFIX | OPERATOR_BOUNDED | OPERATOR_JUMPS,
         a > b ? 1.0 : 0.0, NULL,
         ZERO, ZERO,
         GREATER, RELATION, ANY, VALUE, UP_DOWN)
OPERATOR(GREATER_EQUAL, ">=", "RR>B", "", OPERATOR_INFIX | OPERATOR_BOUNDED | OPERATOR_JUMPS,
         a >= b ? 1.0 : 0.0, NULL,
         ZERO, ZERO,
         GREATER_EQUAL, RELATION, ANY, VALUE, UP_DOWN)
OPERATOR(EQUAL, "==", "RR>B", "",
         OPERATOR_COMMUTES | OPERATOR_INFIX | OPERATOR_BOUNDED | OPERATOR_JUMPS,
         a == b ? 1.0 : 0.0, NULL,
         ZERO, ZERO,
         EQUAL, RELATION, ANY, VALUE, EQUAL)
OPERATOR(NOT_EQUAL, "<>", "RR>B", "",
         OPERATOR_COMMUTES | OPERATOR_INFIX | OPERATOR_BOUNDED | OPERATOR_JUMPS,
         a != b ? 1.0 : 0.0, NULL,
         ZERO, ZERO,
         NOT_EQUAL, RELATION, ANY, VALUE, NOT_EQUAL)
OPERATOR(TO_REAL, "Real", "I>R", "", OPERATOR_BOUNDED, // the implicit conversion of an Integer
         a + 0.0, NULL,
         ZERO, ZERO,
         TO_REAL, NUMBER, SAME, VALUE, UP)
// Of two numbers here; in Modelica also of arrays and of iterators.
OPERATOR(MINIMUM, "min", "NN>N", "", OPERATOR_BOUNDED,
         a < b || a != a ? a : b, NULL,
         IF(BOTH(LESS, a, b), w, ZERO), IF(BOTH(LESS, a, b), ZERO, w),
         MIN, COMMON, ANY, VALUE, UP)
OPERATOR(MAXIMUM, "max", "NN>N", "", OPERATOR_BOUNDED,
         a > b || a != a ? a : b, NULL,
         IF(BOTH(GREATER, a, b), w, ZERO), IF(BOTH(GREATER, a, b), ZERO, w),
         MAX, COMMON, ANY, VALUE, UP)

// ---------------------------------------------------------------------------
// What was (section 3.7.4.1)
// ---------------------------------------------------------------------------
// The past of a quantity, relative to the start, and its derivatives: base/history.h. The first
// operand is the handle of its history, the second the time.

OPERATOR(PAST, "past", "RR>R", "", OPERATOR_COSTLY | OPERATOR_BOUNDED,
         past(a, b, 0.0), NULL,
         ZERO, TIMES(BOTH(PAST_SLOPE, a, b), w),
         NONE, UNKNOWN, ANY, VALUE, NONE)
OPERATOR(PAST_SLOPE, "past slope", "RR>R", "", OPERATOR_COSTLY | OPERATOR_BOUNDED,
         past(a, b, 1.0), NULL,
         ZERO, TIMES(BOTH(PAST_BEND, a, b), w),
         NONE, UNKNOWN, ANY, VALUE, NONE)
OPERATOR(PAST_BEND, "past bend", "RR>R", "", OPERATOR_COSTLY | OPERATOR_BOUNDED,
         past(a, b, 2.0), NULL,
         ZERO, TIMES(BOTH(PAST_THIRD, a, b), w),
         NONE, UNKNOWN, ANY, VALUE, NONE)
OPERATOR(PAST_THIRD, "past third", "RR>R", "", OPERATOR_COSTLY | OPERATOR_BOUNDED,
         past(a, b, 3.0), NULL,
         ZERO, TIMES(BOTH(PAST_FOURTH, a, b), w),
         NONE, UNKNOWN, ANY, VALUE, NONE)
OPERATOR(PAST_FOURTH, "past fourth", "RR>R", "", OPERATOR_COSTLY | OPERATOR_BOUNDED,
         past(a, b, 4.0), NULL,
         ZERO, ZERO, // of polynomials of degree four
         NONE, UNKNOWN, ANY, VALUE, NONE)

// ---------------------------------------------------------------------------
// Functions of Modelica (section 3.7)
// ---------------------------------------------------------------------------

FUNCTION(SIN, "sin", "R>R", "u", OPERATOR_COSTLY | OPERATOR_BOUNDED,
         sin(a), NULL,
         TIMES(OF(COS, a), w), ZERO,
         NONE, PLAIN, ANY, SLOPE, SINE)
FUNCTION(COS, "cos", "R>R", "u", OPERATOR_COSTLY | OPERATOR_BOUNDED,
         cos(a), NULL,
         NEGATIVE(TIMES(OF(SIN, a), w)), ZERO,
         NONE, PLAIN, ANY, SLOPE, COSINE)
FUNCTION(TAN, "tan", "R>R", "u", OPERATOR_COSTLY | OPERATOR_PARTIAL,
         tan(a), NULL, // no double is a pole
         TIMES(PLUS(ONE, SQUARE(y)), w), ZERO,
         NONE, PLAIN, ANY, SLOPE, TANGENT)
FUNCTION(ASIN, "asin", "R>R", "u", OPERATOR_COSTLY | OPERATOR_PARTIAL,
         asin(a), fabs(a) > 1.0 ? "the argument is not between -1 and 1" : NULL,
         OVER(w, OF(SQRT, MINUS(ONE, SQUARE(a)))), ZERO,
         NONE, PLAIN, SAME, VALUE, UP)
FUNCTION(ACOS, "acos", "R>R", "u", OPERATOR_COSTLY | OPERATOR_PARTIAL,
         acos(a), fabs(a) > 1.0 ? "the argument is not between -1 and 1" : NULL,
         NEGATIVE(OVER(w, OF(SQRT, MINUS(ONE, SQUARE(a))))), ZERO,
         NONE, PLAIN, ANY, VALUE, DOWN)
FUNCTION(ATAN, "atan", "R>R", "u", OPERATOR_COSTLY | OPERATOR_BOUNDED,
         atan(a), NULL,
         OVER(w, PLUS(ONE, SQUARE(a))), ZERO,
         NONE, PLAIN, SAME, SLOPE, UP)
FUNCTION(ATAN2, "atan2", "RR>R", "u1 u2", OPERATOR_COSTLY | OPERATOR_BOUNDED,
         atan2(a, b), NULL,
         OVER(TIMES(b, w), PLUS(SQUARE(b), SQUARE(a))),
         NEGATIVE(OVER(TIMES(a, w), PLUS(SQUARE(b), SQUARE(a)))),
         NONE, RATIO, ANY, VALUE, ANGLE)
FUNCTION(SINH, "sinh", "R>R", "u", OPERATOR_COSTLY,
         sinh(a), NULL,
         TIMES(OF(COSH, a), w), ZERO,
         NONE, PLAIN, SAME, SLOPE, UP)
FUNCTION(COSH, "cosh", "R>R", "u", OPERATOR_COSTLY,
         cosh(a), NULL,
         TIMES(OF(SINH, a), w), ZERO,
         NONE, PLAIN, POSITIVE, SLOPE, EVEN)
FUNCTION(TANH, "tanh", "R>R", "u", OPERATOR_COSTLY | OPERATOR_BOUNDED,
         tanh(a), NULL,
         TIMES(MINUS(ONE, SQUARE(y)), w), ZERO,
         NONE, PLAIN, SAME, SLOPE, UP)
FUNCTION(EXP, "exp", "R>R", "u", OPERATOR_COSTLY,
         exp(a), NULL,
         TIMES(y, w), ZERO,
         NONE, PLAIN, POSITIVE, SLOPE, UP)
FUNCTION(LOG, "log", "R>R", "u", OPERATOR_COSTLY | OPERATOR_PARTIAL,
         log(a), a <= 0.0 ? "the logarithm of a number that is not positive" : NULL,
         OVER(w, a), ZERO,
         NONE, PLAIN, ANY, VALUE, UP)
FUNCTION(LOG10, "log10", "R>R", "u", OPERATOR_COSTLY | OPERATOR_PARTIAL,
         log10(a), a <= 0.0 ? "the logarithm of a number that is not positive" : NULL,
         OVER(w, TIMES(NUMBER(2.302585092994046), a)), ZERO, // log10(x) = log(x) / log(10)
         NONE, PLAIN, ANY, VALUE, UP)
FUNCTION(SQRT, "sqrt", "R>R", "x", OPERATOR_COSTLY | OPERATOR_PARTIAL,
         sqrt(a), a < 0.0 ? "the square root of a negative number" : NULL,
         OVER(w, TIMES(TWO, y)), ZERO,
         NONE, SQUARE_ROOT, ROOT, VALUE, UP)
FUNCTION(ABS, "abs", "N>N", "v", OPERATOR_BOUNDED,
         fabs(a), NULL,
         IF(BOTH(LESS, a, ZERO), NEGATIVE(w), w), ZERO,
         ABS, SAME, MAGNITUDE, VALUE, EVEN)
FUNCTION(SIGN, "sign", "R>I", "v", OPERATOR_BOUNDED | OPERATOR_JUMPS,
         a > 0.0 ? 1.0 : a < 0.0 ? -1.0 : a, NULL,
         ZERO, ZERO,
         SIGN, UNKNOWN, SAME, VALUE, UP)
FUNCTION(DIV, "div", "NN>N", "x y",
         OPERATOR_COSTLY | OPERATOR_PARTIAL | OPERATOR_JUMPS | OPERATOR_STEPS,
         trunc(a / b), b == 0.0 ? "division by zero" : NULL,
         ZERO, ZERO,
         DIV, UNKNOWN, ANY, VALUE, WHOLE_QUOTIENT)
FUNCTION(MOD, "mod", "NN>N", "x y", OPERATOR_COSTLY | OPERATOR_PARTIAL | OPERATOR_STEPS,
         a - floor(a / b) * b, b == 0.0 ? "division by zero" : NULL,
         w, NEGATIVE(TIMES(OF(FLOOR, OVER(a, b)), w)),
         MOD, UNKNOWN, ANY, VALUE, REMAINDER)
FUNCTION(REM, "rem", "NN>N", "x y", OPERATOR_COSTLY | OPERATOR_PARTIAL | OPERATOR_STEPS,
         a - trunc(a / b) * b, b == 0.0 ? "division by zero" : NULL,
         w, NEGATIVE(TIMES(BOTH(DIV, a, b), w)),
         REM, UNKNOWN, ANY, VALUE, REMAINDER)
FUNCTION(CEIL, "ceil", "R>R", "x",
         OPERATOR_COSTLY | OPERATOR_BOUNDED | OPERATOR_JUMPS | OPERATOR_STEPS,
         ceil(a), NULL,
         ZERO, ZERO,
         NONE, SAME, ANY, VALUE, UP)
FUNCTION(FLOOR, "floor", "R>R", "x",
         OPERATOR_COSTLY | OPERATOR_BOUNDED | OPERATOR_JUMPS | OPERATOR_STEPS,
         floor(a), NULL,
         ZERO, ZERO,
         NONE, SAME, ANY, VALUE, UP)
FUNCTION(INTEGER, "integer", "R>I", "x",
         OPERATOR_COSTLY | OPERATOR_BOUNDED | OPERATOR_JUMPS | OPERATOR_STEPS,
         floor(a), NULL,
         ZERO, ZERO,
         INTEGER, UNKNOWN, ANY, VALUE, UP)

// ---------------------------------------------------------------------------
// Functions that Modelica does not have
// ---------------------------------------------------------------------------
// A class of the same name that can be seen from the call goes before them.

FUNCTION(ASINH, "asinh", "R>R", "u", OPERATOR_COSTLY | OPERATOR_BOUNDED | OPERATOR_EXTRA,
         asinh(a), NULL,
         OVER(w, BOTH(HYPOT, a, ONE)), ZERO,
         NONE, PLAIN, SAME, SLOPE, UP)
FUNCTION(ACOSH, "acosh", "R>R", "u", OPERATOR_COSTLY | OPERATOR_PARTIAL | OPERATOR_EXTRA,
         acosh(a), a < 1.0 ? "the argument is less than 1" : NULL,
         OVER(w, TIMES(OF(SQRT, MINUS(a, ONE)), OF(SQRT, PLUS(a, ONE)))), ZERO,
         NONE, PLAIN, ANY, VALUE, UP)
FUNCTION(ATANH, "atanh", "R>R", "u", OPERATOR_COSTLY | OPERATOR_PARTIAL | OPERATOR_EXTRA,
         atanh(a), fabs(a) >= 1.0 ? "the argument is not between -1 and 1" : NULL,
         OVER(w, TIMES(MINUS(ONE, a), PLUS(ONE, a))), ZERO,
         NONE, PLAIN, SAME, VALUE, UP)
FUNCTION(EXPM1, "expm1", "R>R", "u", OPERATOR_COSTLY | OPERATOR_EXTRA,
         expm1(a), NULL,
         TIMES(OF(EXP, a), w), ZERO, // y + 1 would vanish where exp(a) does not
         NONE, PLAIN, SAME, SLOPE, UP)
FUNCTION(LOG1P, "log1p", "R>R", "u", OPERATOR_COSTLY | OPERATOR_PARTIAL | OPERATOR_EXTRA,
         log1p(a), a <= -1.0 ? "the logarithm of a number that is not positive" : NULL,
         OVER(w, PLUS(ONE, a)), ZERO,
         NONE, PLAIN, SAME, VALUE, UP)
FUNCTION(LOG2, "log2", "R>R", "u", OPERATOR_COSTLY | OPERATOR_PARTIAL | OPERATOR_EXTRA,
         log2(a), a <= 0.0 ? "the logarithm of a number that is not positive" : NULL,
         OVER(w, TIMES(NUMBER(0.6931471805599453), a)), ZERO, // log2(x) = log(x) / log(2)
         NONE, PLAIN, ANY, VALUE, UP)
FUNCTION(CBRT, "cbrt", "R>R", "x", OPERATOR_COSTLY | OPERATOR_BOUNDED | OPERATOR_EXTRA,
         cbrt(a), NULL,
         OVER(w, TIMES(NUMBER(3.0), SQUARE(y))), ZERO,
         NONE, CUBE_ROOT, SAME, VALUE, UP)
FUNCTION(HYPOT, "hypot", "RR>R", "x y", OPERATOR_COSTLY | OPERATOR_EXTRA,
         hypot(a, b), NULL,
         OVER(TIMES(a, w), y), OVER(TIMES(b, w), y),
         NONE, COMMON, DISTANCE, VALUE, EVEN)
FUNCTION(ERF, "erf", "R>R", "u", OPERATOR_COSTLY | OPERATOR_BOUNDED | OPERATOR_EXTRA,
         erf(a), NULL,
         TIMES(TIMES(NUMBER(1.1283791670955126), OF(EXP, NEGATIVE(SQUARE(a)))), w), ZERO, // 2/sqrt(pi)
         NONE, PLAIN, SAME, SLOPE, UP)
FUNCTION(ERFC, "erfc", "R>R", "u", OPERATOR_COSTLY | OPERATOR_BOUNDED | OPERATOR_EXTRA,
         erfc(a), NULL,
         TIMES(TIMES(NUMBER(-1.1283791670955126), OF(EXP, NEGATIVE(SQUARE(a)))), w), ZERO,
         NONE, PLAIN, POSITIVE, SLOPE, DOWN)

// clang-format on

#undef OPERATOR
#undef FUNCTION
