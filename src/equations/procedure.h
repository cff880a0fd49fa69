// SPDX-License-Identifier: MIT
//
// Algorithms of functions: statements over the expressions of the graph. Arrays and records have
// become lists of scalars; the locals are variables of the graph with role DAG_LOCAL, scalars or
// arrays of known size, which DAG_ELEMENT reads.
//
// A statement's expressions are evaluated when it is reached, with the values that the locals have
// then: nodes are shared between statements as text, not as values. A procedure and its derivative
// share locals and expressions; each call has values of its own.

#ifndef SALTUS_EQUATIONS_PROCEDURE_H
#define SALTUS_EQUATIONS_PROCEDURE_H

#include "equations/dag.h"

typedef struct ProcedureStatement ProcedureStatement;

typedef struct Block {
    ProcedureStatement *items;
    uint32_t count, room;
} Block;

// Numbers in the message of a check; others are shown as they are written.
enum { PROCEDURE_MOST_SHOWN = 8, PROCEDURE_HOLE = '\1' };

typedef enum ProcedureKind {
    PROCEDURE_ASSIGN, // targets := values; all values are computed before the first is assigned
    PROCEDURE_IF,     // condition, body, otherwise
    PROCEDURE_FOR,    // body for iterator = from + k step, k = 0 .. floor((to - from) / step)
    PROCEDURE_WHILE,  // body while condition
    PROCEDURE_BREAK,
    PROCEDURE_RETURN,
    PROCEDURE_CHECK,    // fails with `message` unless condition
    PROCEDURE_CALL,     // `condition` is a call without results
    PROCEDURE_EXTERNAL, // calls `site` with variables, which it reads and writes
} ProcedureKind;

struct ProcedureStatement {
    ProcedureKind kind;
    Span span;
    union {
        struct {
            Node *targets; // references to scalars, or elements of arrays
            Node *values;
            uint32_t count;
        } assign;
        struct {
            Node condition;                         // of if, while and check; the call
            const char *message;                    // with PROCEDURE_HOLE where a number is shown
            Node *shown;                            // these numbers
            const struct FlatExpression **shown_as; // String(...) of them
            uint32_t shown_count;
            Block body, otherwise;
        };
        struct {
            const struct ExternalSite *site;
            uint32_t *variables; // locals, scalars or arrays: one for each argument
        } external;
        struct {
            uint32_t iterator; // a local, Integer or Real
            Node from, step, to;
            Block body;
        } loop;
    };
};

struct Procedure {
    uint32_t *inputs, *outputs, *locals; // variables; `locals` without inputs and outputs
    uint32_t input_count, output_count, local_count;
    Block body;
};

Procedure *procedure_create(Dag *dag, uint32_t inputs, uint32_t outputs, uint32_t locals);
// A zeroed statement at the end of the block. Valid until the next one is added.
ProcedureStatement *procedure_add(Dag *dag, Block *block, ProcedureKind kind, Span span);
// The assignment of one value.
void procedure_assign(Dag *dag, Block *block, Node target, Node value, Span span);

// A function of the graph with this procedure: the counts and types follow from it.
uint32_t procedure_function(Dag *dag, const char *name, Procedure *procedure);

// The function that is the derivative of `function` by differentiating its algorithm forwards, made
// when first asked for. Its inputs are those of `function` and then the derivatives of the Real
// ones, its outputs the derivatives of the Real outputs. DAG_NONE: it has none, *reason says why.
uint32_t procedure_derivative(Dag *dag, uint32_t function, const char **reason);

#endif
