// SPDX-License-Identifier: MIT
//
// The table of everything built into expressions: operators, elementary functions, event operators
// and array functions. Parser names, argument checks, the interpreter and the printer all read it.
// What is on scalars comes from base/operator_table.h.
//
// A signature lists the arguments' types, '>' and the result's type:
//   R Real   I Integer   B Boolean   S String   N Real or Integer (the result as the arguments)
//   A any simple type    V any array of numbers        ? (before an argument) the rest is optional
// A signature that begins with '!' is scalar and applied element by element to arrays (section
// 12.4.6 of the specification). "*" means that the arguments have rules of their own.

#ifndef SALTUS_FLATTEN_OPERATION_H
#define SALTUS_FLATTEN_OPERATION_H

#include "base/operator.h"
#include "modelica/syntax.h"

#include <stdbool.h>
#include <stdint.h>

// The first operations are the operators and functions on scalars of base/operator_table.h; ADD and
// MULTIPLY, MINIMUM and MAXIMUM may have more than two operands. The others are here:
// X(NAME, text, signature, names of the arguments)
#define OPERATION_LIST(X)                                                                          \
    X(ELEMENTWISE_ADD, ".+", "*", "")                                                              \
    X(ELEMENTWISE_SUBTRACT, ".-", "*", "")                                                         \
    X(ELEMENTWISE_MULTIPLY, ".*", "*", "")                                                         \
    X(ELEMENTWISE_DIVIDE, "./", "*", "")                                                           \
    X(ELEMENTWISE_POWER, ".^", "*", "")                                                            \
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
    X(SPATIAL_DISTRIBUTION, "spatialDistribution", "*",                                            \
      "in0 in1 x positiveVelocity initialPoints initialValues")                                    \
    X(SPATIAL_RIGHT, "spatialDistributionOut1", "*",                                               \
      "in0 in1 x positiveVelocity initialPoints initialValues") /* its second result */            \
    X(DELAY, "delay", "*", "expr delayTime delayMax")                                              \
    X(NO_EVENT, "noEvent", "*", "expr")                                                            \
    X(SMOOTH, "smooth", "*", "p expr")                                                             \
    X(HOMOTOPY, "homotopy", "!RR>R", "actual simplified")                                          \
    X(SEMI_LINEAR, "semiLinear", "!RRR>R", "x k_pos k_neg")                                        \
    /* arrays; none is left in equations */                                                        \
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
#define OPERATOR(name, ...) OPERATION_##name,
#include "base/operator_table.h"
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
// That of an operator in the text.
Operation operation_of_syntax(SyntaxOperator op);
// ADD for ELEMENTWISE_ADD and so on; others are what they are.
Operation operation_plain(Operation operation);
// The operator on scalars that it is; OPERATOR_COUNT: none.
Operator operation_operator(Operation operation);
// A function of numbers: one that is called by its name and applied to arrays element by element.
bool operation_is_function(Operation operation);
// Whether it contains a rounding to whole numbers, which triggers events.
bool operation_has_steps(Operation operation);
// Its rank among the infix operators as in SYNTAX_OPERATOR_LIST; 0: not an infix operator.
int operation_precedence(Operation operation);

#endif
