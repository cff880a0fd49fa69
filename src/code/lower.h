// SPDX-License-Identifier: MIT
//
// The words that the interpreter runs: an operation and its registers, 32 bits each.
//
// The registers of an entry: the module's constants and slow inputs, the inputs it reads, the
// outputs it writes, and temporaries, which share registers where they do not live at the same
// time. Those of a function: its inputs, its results, its other locals and arrays, its constants,
// temporaries.
//
// Two operations of which one uses the other's result, and nobody else does, become one: that saves
// a dispatch, and both still round.

#ifndef SALTUS_CODE_LOWER_H
#define SALTUS_CODE_LOWER_H

#include "code/code.h"

// X(NAME, first operation, second, place of the first's result in the second, meaning)
#define LOWER_PAIR_LIST(X)                                                                         \
    X(ADD_ADD, ADD, ADD, 0, (a + b) + c)                                                           \
    X(ADD_SUBTRACT, ADD, SUBTRACT, 0, (a + b) - c)                                                 \
    X(ADD_FROM, ADD, SUBTRACT, 1, c - (a + b))                                                     \
    X(ADD_MULTIPLY, ADD, MULTIPLY, 0, (a + b) * c)                                                 \
    X(ADD_DIVIDE, ADD, DIVIDE, 0, (a + b) / c)                                                     \
    X(ADD_UNDER, ADD, DIVIDE, 1, c / (a + b))                                                      \
    X(SUBTRACT_ADD, SUBTRACT, ADD, 0, (a - b) + c)                                                 \
    X(SUBTRACT_SUBTRACT, SUBTRACT, SUBTRACT, 0, (a - b) - c)                                       \
    X(SUBTRACT_FROM, SUBTRACT, SUBTRACT, 1, c - (a - b))                                           \
    X(SUBTRACT_MULTIPLY, SUBTRACT, MULTIPLY, 0, (a - b) * c)                                       \
    X(SUBTRACT_DIVIDE, SUBTRACT, DIVIDE, 0, (a - b) / c)                                           \
    X(SUBTRACT_UNDER, SUBTRACT, DIVIDE, 1, c / (a - b))                                            \
    X(MULTIPLY_ADD, MULTIPLY, ADD, 0, (a * b) + c)                                                 \
    X(MULTIPLY_SUBTRACT, MULTIPLY, SUBTRACT, 0, (a * b) - c)                                       \
    X(MULTIPLY_FROM, MULTIPLY, SUBTRACT, 1, c - (a * b))                                           \
    X(MULTIPLY_MULTIPLY, MULTIPLY, MULTIPLY, 0, (a * b) * c)                                       \
    X(MULTIPLY_DIVIDE, MULTIPLY, DIVIDE, 0, (a * b) / c)                                           \
    X(MULTIPLY_UNDER, MULTIPLY, DIVIDE, 1, c / (a * b))                                            \
    X(DIVIDE_ADD, DIVIDE, ADD, 0, (a / b) + c)                                                     \
    X(DIVIDE_SUBTRACT, DIVIDE, SUBTRACT, 0, (a / b) - c)                                           \
    X(DIVIDE_FROM, DIVIDE, SUBTRACT, 1, c - (a / b))                                               \
    X(DIVIDE_MULTIPLY, DIVIDE, MULTIPLY, 0, (a / b) * c)                                           \
    X(DIVIDE_DIVIDE, DIVIDE, DIVIDE, 0, (a / b) / c)                                               \
    X(DIVIDE_UNDER, DIVIDE, DIVIDE, 1, c / (a / b))                                                \
    X(MULTIPLY_NEGATE, MULTIPLY, NEGATE, 0, -(a * b))

// X(NAME): the others, with their operands.
#define LOWER_LIST(X)                                                                              \
    X(COPY)   /* d a */                                                                            \
    X(LOAD_1) /* d vector index: the input to register d */                                        \
    X(LOAD_2) /* two inputs to d, d + 1 */                                                         \
    X(LOAD_3)                                                                                      \
    X(LOAD_4)                                                                                      \
    X(LOAD)    /* d vector index count */                                                          \
    X(STORE_1) /* a vector index: register a to the output */                                      \
    X(STORE_2)                                                                                     \
    X(STORE_3)                                                                                     \
    X(STORE_4)                                                                                     \
    X(STORE)       /* a vector index count */                                                      \
    X(JUMP)        /* word */                                                                      \
    X(JUMP_UNLESS) /* a word */                                                                    \
    X(REPEAT)      /* word; counts */                                                              \
    X(CHECK)       /* a place */                                                                   \
    X(SHOW)        /* a number */                                                                  \
    X(READ)        /* d a first size place */                                                      \
    X(WRITE)       /* d a first size place */                                                      \
    X(CALL)        /* function, registers of arguments, of results (or none) */                    \
    X(EXTERNAL)    /* site place count, first registers of arguments (or none) */                  \
    X(STOP)

// The operations on whole numbers are the last, d a b place. An operation whose operands are taken
// from doubles for it alone, or whose result is stored at once, does that itself, which saves
// dispatches, too: then the places where these fail follow, of a, of b, of d.
enum { LOWER_TAKES_A = 1, LOWER_TAKES_B = 2, LOWER_STORES = 4, LOWER_FUSIONS = 8 };

typedef enum LowerOp {
    LOWER_FIRST = OPERATOR_COUNT - 1,
#define X(name, first, second, place, meaning) LOWER_##name,
    LOWER_PAIR_LIST(X)
#undef X
        LOWER_OPERATIONS, // so many operators and pairs
    // Each comes in four variants: operand number k, 1 to 3, is the result of the operation before,
    // which the interpreter still has in hand; 0: none is.
    LOWER_LAST_VARIANT = 4 * LOWER_OPERATIONS - 1,
#define X(name) LOWER_##name,
    LOWER_LIST(X)
#undef X
        LOWER_FIRST_WHOLE,
    LOWER_COUNT = LOWER_FIRST_WHOLE + LOWER_FUSIONS * WHOLE_COUNT,
} LowerOp;

#define LOWER_OPERATION(op, variant) (4 * (op) + (variant))
#define LOWER_WHOLE(op, fusion) (LOWER_FIRST_WHOLE + LOWER_FUSIONS * (op) + (fusion))

#endif
