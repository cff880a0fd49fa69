// SPDX-License-Identifier: MIT
//
// The table of built-in operations: see operation.h.

#include "flatten/operation.h"

static const OperationInfo table[] = {
#define X(name, text, signature, arguments) {text, signature, arguments},
    OPERATION_LIST(X)
#undef X
};

const OperationInfo *operation_info(Operation operation)
{
    return &table[operation];
}

int operation_precedence(Operation operation)
{
    switch (operation) {
    case OPERATION_OR:
        return 1;
    case OPERATION_AND:
        return 2;
    case OPERATION_NOT:
        return 3;
    case OPERATION_LESS:
    case OPERATION_LESS_EQUAL:
    case OPERATION_GREATER:
    case OPERATION_GREATER_EQUAL:
    case OPERATION_EQUAL:
    case OPERATION_NOT_EQUAL:
        return 4;
    case OPERATION_ADD:
    case OPERATION_SUBTRACT:
    case OPERATION_ELEMENTWISE_ADD:
    case OPERATION_ELEMENTWISE_SUBTRACT:
    case OPERATION_NEGATE:
        return 5;
    case OPERATION_MULTIPLY:
    case OPERATION_DIVIDE:
    case OPERATION_ELEMENTWISE_MULTIPLY:
    case OPERATION_ELEMENTWISE_DIVIDE:
        return 6;
    case OPERATION_POWER:
    case OPERATION_ELEMENTWISE_POWER:
        return 7;
    default:
        return 0;
    }
}
