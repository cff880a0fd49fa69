// SPDX-License-Identifier: MIT
//
// Writing instructions into a body: only the parts that build code use it.

#ifndef SALTUS_CODE_BODY_H
#define SALTUS_CODE_BODY_H

#include "code/code.h"
#include "equations/walk.h"

#include <string.h>

// Room for one more item of an array that nobody points into.
#define BODY_GROW(arena, array, count, room)                                                       \
    do {                                                                                           \
        if ((count) == (room)) {                                                                   \
            const uint32_t grown = arena_more_room(room, 16);                                      \
            (array) =                                                                              \
                arena_regrow((arena), (array), (room) * sizeof *(array), grown * sizeof *(array)); \
            (room) = grown;                                                                        \
        }                                                                                          \
    } while (0)

uint32_t body_value(CodeModule *m, CodeBody *body, CodeValue value);
uint32_t body_constant(CodeModule *m, CodeBody *body, double number);
uint32_t body_temporary(CodeModule *m, CodeBody *body);
// An array of the graph: a local, or a table.
uint32_t body_array(CodeModule *m, CodeBody *body, uint32_t variable);
void body_append(CodeModule *m, CodeBody *body, CodeInstruction instruction);
// d = op(a, b, c) with a new temporary d.
uint32_t body_operation(CodeModule *m, CodeBody *body, uint32_t op, uint32_t a, uint32_t b,
                        uint32_t c);
uint32_t body_place(CodeModule *m, CodeFailureKind kind, const char *function, const char *message,
                    Span span);

static inline bool body_is_operator(uint32_t op)
{
    return op < OPERATOR_COUNT;
}
static inline bool body_is_whole(uint32_t op)
{
    return op >= CODE_FIRST_WHOLE && op < CODE_OP_COUNT;
}
static inline const WholeInfo *body_whole(const CodeInstruction *i)
{
    return whole_info((WholeOperator)(i->op - CODE_FIRST_WHOLE));
}
// The bits of a whole number as a double, and back.
static inline double body_bits(int64_t whole)
{
    double bits;
    memcpy(&bits, &whole, sizeof bits);
    return bits;
}
static inline int64_t body_whole_of(double bits)
{
    int64_t whole;
    memcpy(&whole, &bits, sizeof whole);
    return whole;
}
// The length of a call's list.
uint32_t body_list_length(const CodeModule *m, const CodeBody *body, uint32_t list);
// How many of a, b, c are values that the instruction reads.
uint32_t body_operands(const CodeInstruction *i);
static inline uint32_t body_operand(const CodeInstruction *i, uint32_t number)
{
    return number == 0 ? i->a : number == 1 ? i->b : i->c;
}
// Whether d is a value that it writes.
bool body_writes(const CodeInstruction *i);

// ---------------------------------------------------------------------------
// Expressions (express.c)
// ---------------------------------------------------------------------------

// Where expressions are built into.
typedef struct Expressing {
    CodeModule *module;
    CodeBody *body;
    DagMemo *definitions;   // variable -> node; NULL: none
    DagMemo *locals;        // of a function: variable -> value, or array; NULL: an entry
    bool is_held, is_guess; // see CodeEntryDef
    Span span;              // of the statement, for failures
    const char *reason;     // why it failed
} Expressing;

// Appends what computes the nodes; their values go to `values`. False: see reason.
bool express(Expressing *e, const Node *nodes, uint32_t count, uint32_t *values);
// Whether it would be fine, without writing anything.
bool express_can(Expressing *e, const Node *nodes, uint32_t count);

// ---------------------------------------------------------------------------
// Functions (function.c)
// ---------------------------------------------------------------------------

// A reason.
const char *function_without_algorithm(const CodeModule *m, const char *name);
// The number in the module of a function of the graph; its body is built by function_build_all.
uint32_t function_number(CodeModule *m, uint32_t function);
// Builds the bodies of all functions that are called, and of those that they call.
bool function_build_all(CodeModule *m, const char **reason);

// ---------------------------------------------------------------------------
// The interpreter's words (lower.c)
// ---------------------------------------------------------------------------

void lower_module(CodeModule *m);

#endif
