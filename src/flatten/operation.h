// SPDX-License-Identifier: MIT
//
// The table of everything built into expressions: operators, elementary functions, event operators
// and array functions. Parser names, argument checks, the interpreter and the printer all read it.
//
// A signature lists the arguments' types, '>' and the result's type:
//   R Real   I Integer   B Boolean   S String   N Real or Integer (the result as the arguments)
//   A any simple type    V any array of numbers        ? (before an argument) the rest is optional
// A signature that begins with '!' is scalar and applied element by element to arrays (section
// 12.4.6 of the specification). "*" means that the arguments have rules of their own.

#ifndef SALTUS_FLATTEN_OPERATION_H
#define SALTUS_FLATTEN_OPERATION_H

#include <stdint.h>

// X(NAME, text, signature, names of the arguments)
#define OPERATION_LIST(X)                                                                          \
    /* operators; ADD and MULTIPLY, MINIMUM and MAXIMUM may have more than two operands */         \
    X(ADD, "+", "*", "")                                                                           \
    X(SUBTRACT, "-", "*", "")                                                                      \
    X(MULTIPLY, "*", "*", "")                                                                      \
    X(DIVIDE, "/", "*", "")                                                                        \
    X(POWER, "^", "*", "")                                                                         \
    X(ELEMENTWISE_ADD, ".+", "*", "")                                                              \
    X(ELEMENTWISE_SUBTRACT, ".-", "*", "")                                                         \
    X(ELEMENTWISE_MULTIPLY, ".*", "*", "")                                                         \
    X(ELEMENTWISE_DIVIDE, "./", "*", "")                                                           \
    X(ELEMENTWISE_POWER, ".^", "*", "")                                                            \
    X(NEGATE, "-", "*", "")                                                                        \
    X(NOT, "not", "*", "")                                                                         \
    X(AND, "and", "*", "")                                                                         \
    X(OR, "or", "*", "")                                                                           \
    X(LESS, "<", "*", "")                                                                          \
    X(LESS_EQUAL, "<=", "*", "")                                                                   \
    X(GREATER, ">", "*", "")                                                                       \
    X(GREATER_EQUAL, ">=", "*", "")                                                                \
    X(EQUAL, "==", "*", "")                                                                        \
    X(NOT_EQUAL, "<>", "*", "")                                                                    \
    X(TO_REAL, "Real", "*", "") /* the implicit conversion of an Integer */                        \
    /* elementary functions */                                                                     \
    X(SIN, "sin", "!R>R", "u")                                                                     \
    X(COS, "cos", "!R>R", "u")                                                                     \
    X(TAN, "tan", "!R>R", "u")                                                                     \
    X(ASIN, "asin", "!R>R", "u")                                                                   \
    X(ACOS, "acos", "!R>R", "u")                                                                   \
    X(ATAN, "atan", "!R>R", "u")                                                                   \
    X(ATAN2, "atan2", "!RR>R", "u1 u2")                                                            \
    X(SINH, "sinh", "!R>R", "u")                                                                   \
    X(COSH, "cosh", "!R>R", "u")                                                                   \
    X(TANH, "tanh", "!R>R", "u")                                                                   \
    X(EXP, "exp", "!R>R", "u")                                                                     \
    X(LOG, "log", "!R>R", "u")                                                                     \
    X(LOG10, "log10", "!R>R", "u")                                                                 \
    X(SQRT, "sqrt", "!R>R", "x")                                                                   \
    X(ABS, "abs", "!N>N", "v")                                                                     \
    X(SIGN, "sign", "!R>I", "v")                                                                   \
    /* these trigger events */                                                                     \
    X(DIV, "div", "!NN>N", "x y")                                                                  \
    X(MOD, "mod", "!NN>N", "x y")                                                                  \
    X(REM, "rem", "!NN>N", "x y")                                                                  \
    X(CEIL, "ceil", "!R>R", "x")                                                                   \
    X(FLOOR, "floor", "!R>R", "x")                                                                 \
    X(INTEGER, "integer", "!R>I", "x")                                                             \
    /* conversions */                                                                              \
    X(ORDINAL, "Integer", "*", "e") /* of an enumeration value */                                  \
    X(ENUMERATION, "", "*", "i")    /* the value of an enumeration by its number */                \
    X(STRING, "String", "*", "")                                                                   \
    /* event and derivative operators */                                                           \
    X(TIME, "time", "*", "")                                                                       \
    X(DER, "der", "*", "x")                                                                        \
    X(PRE, "pre", "*", "y")                                                                        \
    X(EDGE, "edge", "*", "b")                                                                      \
    X(CHANGE, "change", "*", "v")                                                                  \
    X(INITIAL, "initial", ">B", "")                                                                \
    X(TERMINAL, "terminal", ">B", "")                                                              \
    X(SAMPLE, "sample", "*", "start interval u clock")                                             \
    X(NO_EVENT, "noEvent", "*", "expr")                                                            \
    X(SMOOTH, "smooth", "*", "p expr")                                                             \
    X(HOMOTOPY, "homotopy", "!RR>R", "actual simplified")                                          \
    X(SEMI_LINEAR, "semiLinear", "!RRR>R", "x k_pos k_neg")                                        \
    /* arrays; in equations only MINIMUM and MAXIMUM are left */                                   \
    X(MINIMUM, "min", "*", "")                                                                     \
    X(MAXIMUM, "max", "*", "")                                                                     \
    X(SUM, "sum", "*", "")                                                                         \
    X(PRODUCT, "product", "*", "")                                                                 \
    X(SIZE, "size", "*", "")                                                                       \
    X(NDIMS, "ndims", "*", "")                                                                     \
    X(SCALAR, "scalar", "*", "")                                                                   \
    X(VECTOR, "vector", "*", "")                                                                   \
    X(MATRIX, "matrix", "*", "")                                                                   \
    X(TRANSPOSE, "transpose", "*", "")                                                             \
    X(OUTER_PRODUCT, "outerProduct", "*", "")                                                      \
    X(SYMMETRIC, "symmetric", "*", "")                                                             \
    X(CROSS, "cross", "*", "")                                                                     \
    X(SKEW, "skew", "*", "")                                                                       \
    X(IDENTITY, "identity", "*", "")                                                               \
    X(DIAGONAL, "diagonal", "*", "")                                                               \
    X(ZEROS, "zeros", "*", "")                                                                     \
    X(ONES, "ones", "*", "")                                                                       \
    X(FILL, "fill", "*", "")                                                                       \
    X(LINSPACE, "linspace", "*", "")                                                               \
    X(CAT, "cat", "*", "")                                                                         \
    X(PROMOTE, "promote", "*", "")                                                                 \
    X(STACK, "array", "*", "") /* {a, b} with arrays in it */                                      \
    X(RANGE, ":", "*", "")     /* start, step, stop */                                             \
    /* stream connectors (chapter 15); replaced when the connections are known */                  \
    X(IN_STREAM, "inStream", "*", "v")                                                             \
    X(ACTUAL_STREAM, "actualStream", "*", "v")                                                     \
    /* state machines (chapter 17); as expressions they have nodes of their own */                 \
    X(ACTIVE_STATE, "activeState", "*", "")                                                        \
    X(TIME_IN_STATE, "timeInState", "*", "")                                                       \
    X(TICKS_IN_STATE, "ticksInState", "*", "")                                                     \
    /* only as equations and statements */                                                         \
    X(REINIT, "reinit", "*", "x expr")                                                             \
    X(ASSERT, "assert", "*", "condition message level")                                            \
    X(TERMINATE, "terminate", "*", "message")                                                      \
    X(INITIAL_STATE, "initialState", "*", "state")                                                 \
    X(TRANSITION, "transition", "*", "from to condition immediate reset synchronize priority")     \
    /* hints without an effect on the equations */                                                 \
    X(PURE, "pure", "*", "")                                                                       \
    X(CARDINALITY, "cardinality", "*", "")                                                         \
    X(GET_INSTANCE_NAME, "getInstanceName", "*", "")                                               \
    /* known, but not to Saltus: using one is an error */                                          \
    X(DELAY, "delay", "*", "")                                                                     \
    X(SPATIAL_DISTRIBUTION, "spatialDistribution", "*", "")                                        \
    /* clocks (chapter 16): see clock.h; Clock has several forms, of which the arguments take      \
     * turns */                                                                                    \
    X(CLOCK, "Clock", "*",                                                                         \
      "intervalCounter resolution interval solverMethod condition startInterval c")                \
    X(PREVIOUS, "previous", "*", "u")                                                              \
    X(HOLD, "hold", "*", "u")                                                                      \
    X(SUB_SAMPLE, "subSample", "*", "u factor")                                                    \
    X(SUPER_SAMPLE, "superSample", "*", "u factor")                                                \
    X(SHIFT_SAMPLE, "shiftSample", "*", "u shiftCounter resolution")                               \
    X(BACK_SAMPLE, "backSample", "*", "u backCounter resolution")                                  \
    X(NO_CLOCK, "noClock", "*", "u")                                                               \
    X(FIRST_TICK, "firstTick", "*", "u")                                                           \
    X(INTERVAL, "interval", "*", "u")

typedef enum Operation {
#define X(name, text, signature, arguments) OPERATION_##name,
    OPERATION_LIST(X)
#undef X
        OPERATION_COUNT,
} Operation;

typedef struct OperationInfo {
    const char *text;
    const char *signature;
    const char *arguments; // names, separated by blanks
} OperationInfo;

const OperationInfo *operation_info(Operation operation);
// Its rank among the infix operators as in SYNTAX_OPERATOR_LIST; 0: not an infix operator.
int operation_precedence(Operation operation);

#endif
