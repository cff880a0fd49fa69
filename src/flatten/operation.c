// SPDX-License-Identifier: MIT
//
// The table of built-in operations: see operation.h.

#include "flatten/operation.h"

static const OperationInfo operation_table[] = {
#define OPERATOR(name, text, signature, arguments, ...) {text, "*", arguments},
#define FUNCTION(name, text, signature, arguments, ...) {text, "!" signature, arguments},
#include "base/operator_table.h"
#define X(name, text, signature, arguments) {text, signature, arguments},
    OPERATION_LIST(X)
#undef X
};

const OperationInfo *operation_info(Operation operation)
{
    return &operation_table[operation];
}

Operation operation_of_syntax(SyntaxOperator op)
{
    switch (op) {
#define X(name, text, precedence)                                                                  \
    case SYNTAX_##name:                                                                            \
        return OPERATION_##name;
        SYNTAX_OPERATOR_LIST(X)
#undef X
    }
    return OPERATION_COUNT;
}

Operation operation_plain(Operation operation)
{
    if (operation >= OPERATION_ELEMENTWISE_ADD && operation <= OPERATION_ELEMENTWISE_POWER)
        return (Operation)(OPERATION_ADD + (operation - OPERATION_ELEMENTWISE_ADD));
    return operation;
}

Operator operation_operator(Operation operation)
{
    const Operation plain = operation_plain(operation);
    return (int)plain < (int)OPERATOR_COUNT ? (Operator)plain : OPERATOR_COUNT;
}

bool operation_is_function(Operation operation)
{
    return operation_operator(operation) != OPERATOR_COUNT &&
           operation_table[operation].signature[0] == '!';
}

bool operation_has_steps(Operation operation)
{
    const Operator op = operation_operator(operation);
    return op != OPERATOR_COUNT && operator_info(op)->traits & OPERATOR_STEPS;
}

int operation_precedence(Operation operation)
{
    switch (operation) {
#define X(name, text, precedence)                                                                  \
    case OPERATION_##name:                                                                         \
        return precedence;
        SYNTAX_OPERATOR_LIST(X)
#undef X
    case OPERATION_NEGATE:
        return operation_precedence(OPERATION_SUBTRACT);
    default:
        return 0;
    }
}
