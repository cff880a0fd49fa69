// SPDX-License-Identifier: MIT
//
// What the files of the conversion share.
//
// A bundle is a value as the list of its scalars: arrays in row-major order, records field by
// field, arrays of records record by record.

#ifndef SALTUS_EQUATIONS_CONVERT_PARTS_H
#define SALTUS_EQUATIONS_CONVERT_PARTS_H

#include "equations/convert.h"
#include "equations/procedure.h"
#include "equations/walk.h"
#include "flatten/collections.h"

typedef struct Bundle {
    const FlatType *type;
    uint32_t rank;
    const uint32_t *dims;
    Node *items;
    uint32_t count; // scalars; elements times scalars of the type
} Bundle;

// A local of a function that is being converted.
typedef struct Local {
    const FlatType *type;
    uint32_t rank;
    const uint32_t *dims;
    uint32_t count;    // scalars
    bool is_constant;  // `items` are numbers that never change
    uint32_t variable; // of the graph: a scalar, or an array of all scalars
    Node *items;       // references to the scalars, or the numbers
} Local;

// A function for given sizes.
typedef struct ConvertInstance {
    const FlatFunction *function;
    uint32_t number;            // in the graph
    Bundle *inputs;             // their shapes; items only where the value counts
    Local *outputs;             // shapes
    struct ConvertInstance *of; // of a partial derivative: what is differentiated
    uint32_t *output_starts;    // first scalar of each output
    struct ConvertInstance *next_of_function;
} ConvertInstance;

// An impure call, in one body. It has an instance, and so an external site, of its own: what two
// calls draw are two numbers.
typedef struct ImpureCall {
    const Map *locals; // of the body
    Node node;
    ConvertInstance *instance;
    struct ImpureCall *next;
} ImpureCall;

struct Convert {
    Dag *dag;
    Arena *arena;
    const FlatModel *model;
    Diagnostics *diagnostics;
    uint32_t *variables;
    uint32_t initial, terminal, lambda;
    Map states;     // FlatState -> its three variables
    Map calls;      // FLAT_CALL -> ImpureCall, so that an impure call is made once
    Map instances;  // FlatFunction -> first Instance
    List pending;   // ConvertScope: to be built
    List waiting;   // likewise, those that are derivatives of others, which have to be built first
    List samples;   // ConvertSample
    List delays;    // ConvertDelay
    Map subscripts; // FLAT_SELECT -> the function that fails for it, plus one
    Map iterators;  // FlatLocal -> Local, of loops in algorithm sections
    Map vague;      // texts of messages whose values are not known, see convert_text.c
    struct {
        Node *items; // a block of these
        uint32_t count;
    } scalars;           // of bundles
    uint32_t sizing;     // how many functions are having their outputs' sizes found
    bool has_comparison; // texts are compared during the run
    bool is_building;
    bool is_silent; // nothing triggers events
};

// Where an expression stands: in a function, an algorithm or an equation.
typedef struct ConvertScope {
    Convert *c;
    Map *locals;     // FlatLocal -> Local; NULL: of an equation
    bool has_tables; // its code can read constant arrays (dag_table)
    // Of an algorithm that is being converted:
    List made; // variables of the graph that are neither inputs nor outputs
    // Of a function, until its algorithm is built:
    ConvertInstance *instance; // NULL: outside of functions
    Procedure *procedure;
    const Bundle **initials; // by local of the function: its value at the beginning; NULL: none
} ConvertScope;

// Arrays with more scalars are not spelt out.
enum { CONVERT_MOST_SCALARS = 20000 };

// Reports an error; the result is no value.
Bundle convert_fail(Convert *c, Span span, const char *format, ...) TEXT_FORMAT(3, 4);
bool bundle_is_fine(const Bundle *b);

DagType convert_type(const FlatType *type);
uint32_t convert_type_scalars(const FlatType *type);
// A scalar of a list of values of a type, by its number: of the type that it has itself.
Node convert_field(const Convert *c, const FlatType *type, uint32_t number, Node scalar);
Bundle bundle_scalar(Convert *c, const FlatType *type, Node node);
// Room for a value; fails if it is too large.
Bundle bundle_new(Convert *c, Span span, const FlatType *type, uint32_t rank, const uint32_t *dims);
// A whole number that is known; reports if it is not: `what` as in "size of an array".
bool bundle_integer(Convert *c, const Bundle *b, Span span, const char *what, int64_t *value);

bool bundle_are_numbers(const Convert *c, const Bundle *b);

// Any expression (convert.c).
Bundle convert_bundle(const ConvertScope *s, const FlatExpression *e);
// The scalar operation on nodes (convert_operation.c); `e` says whether it triggers events.
Node convert_operation(Convert *c, const FlatExpression *e, uint32_t count, const Node *operands);
// The value of that number, which fails in the run if the enumeration has none.
Node convert_to_enumeration(Convert *c, const FlatExpression *e, Node number);
Node convert_use_terminal(Convert *c);
Node convert_converted(Convert *c, Node node, const FlatType *type);

// Strings (convert_text.c): variables, and operations that have Strings as operands or result.
Bundle convert_string_variable(const ConvertScope *s, const FlatExpression *e);
bool convert_is_string_operation(const FlatExpression *e);
Bundle convert_string_operation(const ConvertScope *s, const FlatExpression *e);
// The text that a number stands for; NULL: it is not known before the run.
const char *convert_text_of(const Convert *c, Node node);
// The text of a message inside a function.
const char *convert_message_in(const ConvertScope *s, const FlatExpression *message);
// The same for a check of a function, with the numbers that are known when it fails.
void convert_check_message(const ConvertScope *s, const FlatExpression *message,
                           ProcedureStatement *check);

// Array operations (convert_array.c).
bool convert_is_array_operation(const FlatExpression *e);
Bundle convert_array_operation(const ConvertScope *s, const FlatExpression *e);
Bundle convert_elements(const ConvertScope *s, const FlatExpression *e); // FLAT_ARRAY, FLAT_RECORD
// The places of operand 0 of a FLAT_SELECT that it selects: each an Integer node from 0, in `items`
// of the result, which has the selection's shape.
Bundle convert_places(const ConvertScope *s, const FlatExpression *e, const Bundle *array);

// The target of an assignment, whose subscripts may mention locals (convert_loop.c).
bool convert_target_in(const ConvertScope *s, const FlatExpression *target, ConvertTarget *out);

// Locals (convert_function.c). A variable of the graph for a local of this shape: a scalar, or an
// array of its scalars; NULL after an error.
Local *convert_local_new(Convert *c, const FlatLocal *flat, uint32_t rank, const uint32_t *dims);
void convert_local_keep(ConvertScope *b, const FlatLocal *flat, Local *local);
// Whether an output or a protected array gets its sizes from what is assigned to it first
// (section 12.4.5), and the local with these sizes; those that are declared have to be the same.
bool convert_local_is_open(const FlatLocal *flat);
Local *convert_local_size(ConvertScope *b, const FlatLocal *flat, uint32_t rank,
                          const uint32_t *dims);
// Whether the iterator of a loop says how large slices in it are.
bool convert_is_slicing(const FlatStatement *loop);

// Statements (convert_statement.c); false after an error. A local that no text has; size 0: a
// scalar.
Local *convert_local_hidden(ConvertScope *b, const char *name, const FlatType *type, uint32_t size);
bool convert_build_assignment(ConvertScope *b, const FlatExpression *target, const Bundle *value,
                              Span span, Block *to);
bool convert_build_statements(ConvertScope *b, uint32_t count, FlatStatement *const *statements,
                              Block *to);
// Statements outside of functions: their targets are variables of the model.
// The variables of the graph that were made for them are appended to `made`, each plus one.
bool convert_statements(Convert *c, uint32_t count, FlatStatement *const *statements, Block *to,
                        List *made);
// The body of an external function, and a statement that prints (convert_external.c).
bool convert_build_external(ConvertScope *b, const FlatExternal *x, Block *to);
bool convert_build_said(ConvertScope *b, const FlatStatement *st, Block *to);

// Calls (convert_function.c): their arguments, NULL after an error; all results, NODE_NONE after
// one. Nobody converts arguments twice: they may be calls themselves, and so on.
Bundle *convert_arguments(const ConvertScope *s, const FlatExpression *call);
Node convert_call(const ConvertScope *s, const FlatExpression *e, const Bundle *arguments,
                  ConvertInstance **instance);
void convert_build_pending(Convert *c);
// What a call computes, where its body stands for it (convert_inline.c); false: it stays a call.
bool convert_inlined(const ConvertScope *s, const FlatExpression *call, const Bundle *arguments,
                     Bundle *value);
// The function for arguments of these shapes, made if there is none; NULL after an error.
ConvertInstance *convert_instance(Convert *c, const FlatFunction *f, const Bundle *arguments,
                                  Span span);
// What the annotations of its function say (convert_annotation.c).
void convert_annotations(Convert *c, ConvertInstance *instance);

#endif
