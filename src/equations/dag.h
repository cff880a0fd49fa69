// SPDX-License-Identifier: MIT
//
// Expressions of one compilation as a directed acyclic graph with hash-consing: equal expressions
// are one node, so common subexpressions are shared by construction and equality is equality of
// numbers.
//
// What always holds in it:
// - A node never changes; its operands have smaller numbers. All of it lives in the arena.
// - Values are doubles (see operator.h); the type says which of them occur. Operations on Integers
//   alone are exact in 64 bits, or fail (see base/whole.h). A number of type Integer is less than
//   2^53 in size; a larger one is an operation on numbers.
// - Two orders of a commutative operation are one node; it keeps the order of its first text.
// - Constructors simplify by the rules in simplify.c, none of which changes a value beyond the sign
//   of a zero, or hides a division by zero, an overflow or a NaN.
// - There is one zero constant. Constants are finite, except those that were asked for.
// - Anything that can trigger an event stands inside a *hold*: its value is kept, in a vector of
//   held values indexed by its number, while the continuous equations are integrated, and computed
//   at events. A relation outside a hold came from noEvent or smooth, or compares what is discrete.

#ifndef SALTUS_EQUATIONS_DAG_H
#define SALTUS_EQUATIONS_DAG_H

#include "base/arena.h"
#include "base/operator.h"
#include "base/source.h"

#include <stdbool.h>
#include <stdint.h>

typedef uint32_t Node;          // its number in the Dag
typedef uint32_t GraphVariable; // the number of a variable in the Dag, or DAG_NONE
typedef uint32_t HoldNumber;    // the number of a hold in the Dag; in runs, of the value it holds

#define NODE_NONE UINT32_MAX
#define DAG_NONE UINT32_MAX // no variable, no function, no number

typedef enum DagType {
    DAG_REAL,
    DAG_INTEGER, // also enumerations
    DAG_BOOLEAN,
    DAG_TUPLE, // the results of a call
    DAG_TEXT,  // a String, by its number among the texts
} DagType;

// How fast a value can change, slowest first.
typedef enum DagVariability {
    DAG_CONSTANT,
    DAG_PARAMETER,
    DAG_DISCRETE, // changes at events only
    DAG_CONTINUOUS,
} DagVariability;

typedef enum DagKind {
    DAG_NUMBER,        // .value
    DAG_VARIABLE,      // .number: which variable
    DAG_OPERATION,     // .op, operands
    DAG_INTEGER_POWER, // operand ^ .power, |power| <= OPERATOR_LARGEST_POWER
    DAG_HOLD,          // operand; .number: of the hold
    DAG_CALL,          // .number: which function; operands in a list, see dag_operand
    DAG_RESULT,        // .number: which scalar of the results of its operand, a call
    DAG_ELEMENT,       // array variable .number at the operand, from 0 (only in functions)
} DagKind;

// Facts about a node; bits.
enum {
    DAG_FINITE = 1 << 0, // never an infinity or NaN while the variables are finite
    DAG_CALLS = 1 << 1,  // a call of a user's function occurs in it
    DAG_FAILS = 1 << 2,  // an operation on Integers occurs in it that may fail
    DAG_TAME = 1 << 3,   // finite, but that a sum or product in it may overflow
};

typedef struct DagNode {
    uint8_t kind;        // DagKind
    uint8_t op;          // Operator
    uint8_t type;        // DagType
    uint8_t variability; // DagVariability
    uint8_t facts;
    int8_t power;  // of an operation on Integers: the bound on its size in bits
    uint8_t count; // of operands stored here
    union {
        double value; // of a number, which has none of these:
        struct {
            uint32_t number; // of a variable, hold, function, result; of a text, see dag_note
            union {
                Node operands[3];
                struct {
                    uint32_t first, length; // of a call: its operands in the list
                };
            };
        };
    };
} DagNode;

// ---------------------------------------------------------------------------
// Variables
// ---------------------------------------------------------------------------

typedef enum DagRole {
    DAG_PLAIN,       // of the model
    DAG_TIME,        // `time`, variable 0
    DAG_DERIVATIVE,  // der(.of)
    DAG_PRE,         // pre(.of)
    DAG_INITIAL,     // initial()
    DAG_TERMINAL,    // terminal()
    DAG_SAMPLE,      // sample(...): .of is its number among the samples
    DAG_ACTIVE,      // activeState(...): .of is a number that its maker knows
    DAG_STATE_TIME,  // when a state was entered
    DAG_STATE_TICKS, // ticksInState()
    DAG_HISTORY,     // the handle of the history of what is delayed; and its value at the start
    DAG_LAMBDA,      // of homotopy: 0 simplified, 1 actual
    DAG_AUXILIARY,   // made by the compiler
    DAG_LOCAL,       // of a function: a scalar or an array
} DagRole;

typedef struct DagVariable {
    const char *name;    // as it is printed: "der(r[2].v)"
    const double *table; // of an array of a function, if its elements are constant; else NULL
    uint32_t size;       // of an array of a function; 0: a scalar
    uint8_t role;        // DagRole
    uint8_t type;        // DagType
    uint8_t variability; // DagVariability
    uint32_t of;         // see DagRole
    GraphVariable
        derivative;    // the variable that is its derivative with respect to time, or DAG_NONE
    GraphVariable pre; // the variable that is its left limit, or DAG_NONE
    uint32_t origin;   // its number in the flat model, or DAG_NONE
    Node node;         // the reference to it
} DagVariable;

// ---------------------------------------------------------------------------
// Functions: see procedure.h
// ---------------------------------------------------------------------------

typedef struct Procedure Procedure;

// What an annotation says about a derivative.
typedef struct DagFunctionDerivative {
    uint32_t function;
    uint32_t order;
    // One for each scalar input of the function: whether it may vary, and whether the derivative
    // has an input for its derivative.
    const bool *must_be_constant;
    const bool *has_derivative;
} DagFunctionDerivative;

// What an annotation says about an inverse: input = function(arguments), where each argument is
// another input, or, for DAG_NONE, the (only) output. See inverse.h.
typedef struct DagFunctionInverse {
    uint32_t input, function;
    const Node *constants;     // arguments that are numbers; NODE_NONE: the next
    const uint32_t *arguments; // one for each scalar input of `function`
    uint32_t checked; // the function that also checks what it finds; DAG_NONE: not yet made
    uint32_t started; // likewise one that has a start value as its last input
    Span span;        // of the annotation
} DagFunctionInverse;

// left = right.
typedef struct DagEquation {
    Node left, right;
} DagEquation;

// A variable with what a sum, a gradient or a list of definitions has for it: its coefficient, the
// derivative by it, or the value that takes its place.
typedef struct DagTerm {
    uint32_t variable;
    Node value;
} DagTerm;

// A user's function for arguments of given sizes: arrays and records are lists of scalars.
typedef struct DagFunction {
    const char *name;
    uint32_t input_count, output_count; // scalars
    const DagType *input_types, *output_types;
    bool is_impure;
    bool is_inline; // by annotation: see inline.h
    bool is_open;   // its procedure is still to be made, from a derivative
    Procedure *procedure;
    uint32_t derivative_count; // by annotation, first that fits
    const DagFunctionDerivative *derivatives;
    uint32_t inverse_count; // by annotation
    DagFunctionInverse *inverses;
    uint32_t differentiated; // by differentiating the algorithm, or DAG_NONE: not yet
    // Of a derivative of order n by annotation: its inputs from `first_of_order` on are the
    // derivatives of order n; derivative_of says for each input whose derivative it is.
    uint32_t order; // 0: not a derivative
    uint32_t first_of_order;
    const uint32_t *derivative_of; // input, or DAG_NONE
} DagFunction;

// ---------------------------------------------------------------------------
// The graph
// ---------------------------------------------------------------------------

typedef struct DagHold {
    Node node;     // the hold
    Node operand;  // what is held
    Span span;     // of the first text, nowhere if it has none
    uint32_t flat; // its first number in the flat model's relations, or DAG_NONE
} DagHold;

typedef struct DagMemo DagMemo;

typedef struct Dag {
    Arena *arena;
    Arena *home; // of these arrays, but functions
    DagNode *nodes;
    Node *lists; // operands of calls
    DagVariable *variables;
    DagFunction *functions;
    DagHold *holds;
    const char **texts; // of Strings, each once
    Span *spans;        // of operations that may fail
    uint32_t node_count, list_count, variable_count, function_count, hold_count, text_count;
    uint32_t span_count;
    struct {
        uint32_t nodes, lists, variables, functions, holds, texts, spans;
    } room;          // of these
    uint32_t *table; // of the hash: node + 1, 0: empty
    uint32_t table_mask;
    DagMemo *free_memos;
    DagMemo *inlines[3]; // of inline.c; NULL: nothing was inlined yet
    Node zero, one, two, minus_one, truth, falsehood;
    bool is_plain; // no simplification: what was asked for is made (for tests)
} Dag;

// With the variable `time`.
Dag *dag_create(Arena *arena);

// ---------------------------------------------------------------------------
// Work that is taken back
// ---------------------------------------------------------------------------
//
// Most of what the analysis of a mode adds to the graph is of no use to any other mode. What comes
// between dag_fork and dag_rewind goes again, and so does what is in the arena `work`. Derivatives
// and left limits stay, for their numbers are known to others.

// *before: the graph as it was, for dag_rewind. Memos that are taken now are given back before
// that.
void dag_fork(Dag *dag, Arena *work, Dag *before);
// True: what was added is gone, but for derivatives and left limits. False: functions, or something
// else that has to stay, were made; all of it stays, and `work` must live as long as the graph.
bool dag_rewind(Dag *dag, const Dag *before);
// All that was added is gone, also where memory ran out in the midst of adding.
void dag_restore(Dag *dag, const Dag *before);

// ---------------------------------------------------------------------------
// Variables
// ---------------------------------------------------------------------------

enum { DAG_TIME_VARIABLE = 0 };

// A new variable; the name is copied. NULL: the caller sets one that lives as long as the graph.
GraphVariable dag_add_variable(Dag *dag, const char *name, DagRole role, DagType type,
                               DagVariability variability);
// Its derivative with respect to time, made when first asked for: der(x), of role DAG_DERIVATIVE.
// Only of variables that are DAG_CONTINUOUS.
GraphVariable dag_derivative_variable(Dag *dag, GraphVariable variable);
// pre(x), made when first asked for.
GraphVariable dag_pre_variable(Dag *dag, GraphVariable variable);
// The variable that it is a derivative or the left limit of, in the end; or itself.
GraphVariable dag_plain_variable(const Dag *dag, GraphVariable variable);
// A local of a function; size 0: a scalar.
uint32_t dag_add_local(Dag *dag, const char *name, DagType type, uint32_t size);
// A constant array, which any function may read; one for equal numbers.
uint32_t dag_table(Dag *dag, const char *name, DagType type, uint32_t size, const double *numbers);

// ---------------------------------------------------------------------------
// Constructors
// ---------------------------------------------------------------------------

Node dag_reference(Dag *dag, GraphVariable variable);
Node dag_time(Dag *dag);
Node dag_real(Dag *dag, double value);
Node dag_integer(Dag *dag, int64_t value);
Node dag_boolean(Dag *dag, bool value);
Node dag_text(Dag *dag, const char *text); // of type DAG_TEXT; the text is copied
Node dag_unary(Dag *dag, Operator op, Node a);
Node dag_binary(Dag *dag, Operator op, Node a, Node b);
Node dag_if(Dag *dag, Node condition, Node then, Node otherwise);
// base ^ exponent; a small whole constant exponent gives a DAG_INTEGER_POWER.
Node dag_power(Dag *dag, Node base, Node exponent);
// The hold of a relation or another operation that jumps. What cannot change between events is not
// held. Equal expressions share one number.
Node dag_hold(Dag *dag, Node operand);
Node dag_call(Dag *dag, uint32_t function, uint32_t count, const Node *arguments);
Node dag_result(Dag *dag, Node call, uint32_t number);
Node dag_element(Dag *dag, uint32_t array, Node index);
// A result or an element of another type than the array it belongs to: a field of a record.
Node dag_field(Dag *dag, Node node, DagType type);
// Shorthands.
Node dag_add(Dag *dag, Node a, Node b);
Node dag_subtract(Dag *dag, Node a, Node b);
Node dag_multiply(Dag *dag, Node a, Node b);
Node dag_divide(Dag *dag, Node a, Node b);
Node dag_negate(Dag *dag, Node a);
// A node like `node` with other operands (as many as it has).
Node dag_rebuild(Dag *dag, Node node, const Node *operands);

uint32_t dag_add_function(Dag *dag, const DagFunction *function);

// An operation on Integers that may fail comes from this text, if it has none yet; dag_rebuild
// keeps it.
void dag_note(Dag *dag, Node node, Span span);
// Its text; nowhere if it has none.
Span dag_span(const Dag *dag, Node node);
// The bound on the size of an Integer, in bits.
int dag_bits(const Dag *dag, Node node);
// Whether it is an operation of type Integer that may fail itself.
bool dag_fails(const Dag *dag, Node node);
// What an operation on Integers alone is; WHOLE_COUNT: it is not one.
WholeOperator dag_whole(const Dag *dag, Node node);

// ---------------------------------------------------------------------------
// Access
// ---------------------------------------------------------------------------

static inline const DagNode *dag_get(const Dag *dag, Node node)
{
    return &dag->nodes[node];
}
static inline uint32_t dag_operand_count(const Dag *dag, Node node)
{
    const DagNode *n = &dag->nodes[node];
    return n->kind == DAG_CALL ? n->length : n->count;
}
static inline Node dag_operand(const Dag *dag, Node node, uint32_t index)
{
    const DagNode *n = &dag->nodes[node];
    return n->kind == DAG_CALL ? dag->lists[n->first + index] : n->operands[index];
}
static inline bool dag_is_number(const Dag *dag, Node node)
{
    return dag->nodes[node].kind == DAG_NUMBER;
}
static inline bool dag_is_operation(const Dag *dag, Node node, Operator op)
{
    return dag->nodes[node].kind == DAG_OPERATION && dag->nodes[node].op == op;
}
static inline bool dag_is_variable(const Dag *dag, Node node, GraphVariable variable)
{
    return dag->nodes[node].kind == DAG_VARIABLE && dag->nodes[node].number == variable;
}
// Zero as a Real, Integer or Boolean.
static inline bool dag_is_zero(const Dag *dag, Node node)
{
    return dag_is_number(dag, node) && dag->nodes[node].value == 0.0;
}

#endif
