// SPDX-License-Identifier: MIT
//
// The flat hybrid model: what is left of a Modelica model when classes, modifications, connections
// and arrays are gone. It is the input of index reduction and code generation.
//
// What always holds in it:
// - It lives in the arena of its compilation and does not change once it is made.
// - Variables are scalars of type Real, Integer, Boolean, String or an enumeration. The elements of
//   an array stand one after the other, in row-major order, and share their `component`.
// - Every expression in an equation, a binding, an attribute, a when clause or an algorithm is
//   scalar, with two exceptions: the arguments of a call of a user's function (FLAT_ARRAY and
//   FLAT_RECORD of scalars), and the first operand of a FLAT_SELECT. Inside functions expressions
//   may be arrays and records.
// - Expressions are trees with shared parts: a call with several results is one node that several
//   FLAT_RESULT nodes point to. A reference to a variable may be the node in it (which has the span
//   of the declaration), or another one (with the span of the use).
// - Types agree: an Integer where a Real is wanted stands inside OPERATION_TO_REAL. The operands
//   of + - * / ^ and of relations have one type (the exponent of ^ and operands of / are Real).
// - Constants are replaced by their values wherever they are used; `if` equations with a parameter
//   as condition are resolved; array sizes are numbers.
// - An equation holds while its guard holds. The guards of the branches of one FlatIf exclude each
//   other, and so do those of the states of one FlatMachine.

#ifndef SALTUS_FLATTEN_FLAT_H
#define SALTUS_FLATTEN_FLAT_H

#include "base/names.h"
#include "base/source.h"
#include "base/text.h"
#include "flatten/operation.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct FlatType FlatType;
typedef struct FlatExpression FlatExpression;
typedef struct FlatComponent FlatComponent;
typedef struct FlatVariable FlatVariable;
typedef struct FlatLocal FlatLocal;
typedef struct FlatFunction FlatFunction;
typedef struct FlatStatement FlatStatement;
typedef struct FlatGuard FlatGuard;
typedef struct FlatIf FlatIf;
typedef struct FlatState FlatState;
typedef struct FlatMachine FlatMachine;
typedef struct FlatPacked FlatPacked; // see pack.h

// ---------------------------------------------------------------------------
// Types
// ---------------------------------------------------------------------------

typedef enum FlatTypeKind {
    FLAT_TYPE_REAL,
    FLAT_TYPE_INTEGER,
    FLAT_TYPE_BOOLEAN,
    FLAT_TYPE_STRING,
    FLAT_TYPE_CLOCK, // only before clocks are lowered: see clock.h
    FLAT_TYPE_ENUMERATION,
    FLAT_TYPE_RECORD,
    FLAT_TYPE_OBJECT, // an external one: a number that only external functions know
    FLAT_TYPE_NONE,   // of something that has no value, or an error that was reported
} FlatTypeKind;

// A size that is known only when a function runs.
#define FLAT_UNKNOWN_SIZE UINT32_MAX

typedef struct FlatField {
    const Name *name;
    const FlatType *type;
    uint32_t rank;
    const uint32_t *dims;
} FlatField;

// Simple types are equal if their pointers are; records if their fields are (flat_type_equal).
struct FlatType {
    FlatTypeKind kind;
    const char *name; // "Real", "Modelica.Blocks.Types.Init"
    uint32_t count;   // literals or fields
    const Name *const *literals;
    const FlatField *fields;
    struct Class *operators; // of an operator record: the class that has them; NULL: of others
};

extern const FlatType flat_type_real, flat_type_integer, flat_type_boolean, flat_type_string,
    flat_type_clock, flat_type_none;

bool flat_type_equal(const FlatType *a, const FlatType *b);

// ---------------------------------------------------------------------------
// Expressions
// ---------------------------------------------------------------------------

typedef enum FlatKind {
    FLAT_REAL,        // .real
    FLAT_INTEGER,     // .integer
    FLAT_BOOLEAN,     // .boolean
    FLAT_STRING,      // .string
    FLAT_ENUMERATION, // .integer, from 1
    FLAT_VARIABLE,    // .variable
    FLAT_OPERATION,   // .operation, operands
    FLAT_IF,          // operands: condition, value, condition, value, ..., value
    FLAT_CALL,        // .function, operands: one for each of its inputs; as a value: output 0
    FLAT_RESULT,      // .result            a scalar out of any output of operand 0, a call
    FLAT_SELECT,      // operand 0 subscripted by the others. In equations: one element
    FLAT_ARRAY,       // operands: its scalars in row-major order
    FLAT_RECORD,      // operands: one for each field of its type
    FLAT_ACTIVE,      // .state             whether the state is active
    FLAT_STATE_TIME,  // .state             seconds since the state was entered
    FLAT_STATE_TICKS, // .state             event iterations since the state was entered
    // only inside functions
    FLAT_LOCAL,         // .local
    FLAT_MEMBER,        // .field of operand 0
    FLAT_COLON,         // a whole dimension, as a subscript
    FLAT_COMPREHENSION, // .iterators; operands: body, then their ranges
} FlatKind;

// How fast a value can change, slowest first.
typedef enum FlatVariability {
    FLAT_CONSTANT,
    FLAT_PARAMETER, // fixed during a run
    FLAT_DISCRETE,  // changes at events only
    FLAT_CONTINUOUS,
} FlatVariability;

#define FLAT_NO_RELATION UINT32_MAX

struct FlatExpression {
    uint8_t kind;        // FlatKind
    uint8_t variability; // FlatVariability
    uint8_t rank;        // number of dimensions; 0: a scalar
    bool is_silent;      // inside noEvent or smooth: it triggers no events
    uint32_t count;      // of operands
    Span span;
    const FlatType *type;
    const uint32_t *dims;
    union {
        double real;
        int64_t integer;
        bool boolean;
        const char *string;
        FlatVariable *variable;
        struct {
            uint32_t operation; // Operation
            uint32_t relation;  // its number in the model's relations, or FLAT_NO_RELATION
        };
        FlatFunction *function;
        struct {
            uint32_t output;  // which output of the function
            uint32_t element; // which scalar of that output (records field by field)
        } result;
        FlatState *state;
        FlatLocal *local;
        uint32_t field;
        FlatLocal **iterators; // count - 1 of them
    };
    FlatExpression **operands;
};

// ---------------------------------------------------------------------------
// Variables
// ---------------------------------------------------------------------------

// What the text says of a component. Components of one declaration share one of these.
typedef struct FlatDeclaration {
    const char *class_name; // of its type, dotted; NULL: not known
    Span span;
    String description; // .text NULL: none
} FlatDeclaration;

// A node of the instance tree: the model itself, a component, an element of an array of components.
struct FlatComponent {
    const Name *name; // NULL: the model itself, or an element of the array `parent`
    FlatComponent *parent;
    const FlatDeclaration *declared;
    uint32_t element; // of an element: its place in the array, row-major from 0
    uint8_t rank;
    bool is_protected;
    const uint32_t *dims;
    FlatState *state;          // not NULL: the component is a state of a machine
    struct Instance *instance; // only while the model is being made
};

typedef enum FlatStateSelect {
    FLAT_SELECT_NEVER = 1,
    FLAT_SELECT_AVOID,
    FLAT_SELECT_DEFAULT,
    FLAT_SELECT_PREFER,
    FLAT_SELECT_ALWAYS,
} FlatStateSelect;

// What a type says about its variables. Many variables share one of these.
typedef struct FlatAttributes {
    const char *quantity, *unit, *display_unit;          // NULL: none
    FlatExpression *minimum, *maximum, *start, *nominal; // NULL: not given
    bool is_fixed, has_fixed;
    FlatStateSelect state_select;
} FlatAttributes;

typedef enum FlatDirection { FLAT_LOCAL_VARIABLE, FLAT_INPUT, FLAT_OUTPUT } FlatDirection;

struct FlatVariable {
    FlatExpression reference; // to itself; its span is the declaration's
    const char *name;         // "r[2].p.v"
    uint32_t index;           // in the model's variables
    uint32_t element;         // of its component's array, row-major from 0
    FlatComponent *component;
    const FlatAttributes *attributes;
    FlatExpression *binding; // of a constant or a parameter; NULL: none. Of others: an equation
    const FlatGuard *guard;  // the states it belongs to; NULL: it is always there
    uint8_t kind;      // FlatVariability; FLAT_DISCRETE also for a Real that a when clause defines
    uint8_t direction; // FlatDirection, only of the model's own inputs and outputs
    bool is_protected : 1, is_final : 1, is_flow : 1;
    bool is_structural : 1; // a parameter whose value shaped the model: it cannot be changed later
    bool is_differentiated : 1; // der(v) occurs
    bool is_reinitialised : 1;  // reinit(v, ...) occurs
    bool is_shared : 1;       // defined by the states of a machine (`outer output`); held by others
    bool is_evaluated : 1;    // .value holds
    bool is_invariant : 1;    // annotation(__Saltus(invariant = true)): constant between events
    const FlatVariable *live; // of a parameter: the input that it is the value, or a rate, of
    union {
        double real;
        int64_t integer; // also Boolean and enumerations
        const char *string;
    } value; // of constants and structural parameters
};

#define FLAT_TYPE(variable) ((variable)->reference.type)

// ---------------------------------------------------------------------------
// Guards, machines
// ---------------------------------------------------------------------------

// A conjunction: this condition and those of `outer`. NULL: always.
struct FlatGuard {
    const FlatGuard *outer;
    FlatState *state; // the state is active; NULL: the next two
    FlatIf *conditional;
    uint32_t branch; // this branch of it holds
};

// An if-equation whose condition can change. Branch b holds if its condition does and none before.
struct FlatIf {
    uint32_t index;                // in the model's conditionals
    uint32_t count;                // of branches, with `else`
    FlatExpression **conditions;   // NULL: else, the last
    bool is_initial;               // of an initial equation section
    bool has_multiples, has_jumps; // by which its branches differ: see modes/split
    const FlatGuard *guard;
    const FlatComponent *component;
    Span span;
};

// annotation(__Saltus(...)) of a state's class, or of the model: how to compute while it is active.
typedef struct FlatMethod {
    const char *solver, *locate;                             // NULL: not given
    double relative_tolerance, absolute_tolerance, max_step; // NAN: not given
    Span span;
} FlatMethod;

struct FlatState {
    uint32_t index; // in its machine
    FlatMachine *machine;
    FlatComponent *component;
    const char *name;         // of the component
    const FlatGuard *guard;   // "this state is active" and what its machine needs
    FlatVariable **variables; // in this component; those of inner states too
    uint32_t variable_count;
    const FlatMethod *method; // NULL: none
    Span span;                // of the first equation that makes the component a state
};

typedef struct FlatTransition {
    FlatState *from, *to;
    FlatExpression *condition;
    bool is_immediate, is_reset, is_synchronized;
    int64_t priority;
    Span span;
} FlatTransition;

struct FlatMachine {
    uint32_t index;                 // in the model's machines
    const FlatComponent *component; // whose text has the transitions
    FlatState **states;             // the initial one is the first
    uint32_t state_count;
    FlatTransition *transitions; // by from-state, then by priority
    uint32_t transition_count;
    const FlatGuard *guard; // the states that contain the machine
};

// While the guard holds, the equations of its state define the shared variable.
typedef struct FlatSharing {
    FlatVariable *variable;
    const FlatGuard *guard;
} FlatSharing;

// ---------------------------------------------------------------------------
// Equations
// ---------------------------------------------------------------------------

// The iteration of a `for` that something comes from.
typedef struct FlatLoop {
    const struct FlatLoop *outer;
    const Name *iterator;
    int64_t value;
    Span span; // of the loop
} FlatLoop;

// Where something comes from. Equations with one span, one component and one loop span differ in
// `element` and in the loops' values only: they are one array or loop equation of the text.
typedef struct FlatOrigin {
    Span span;
    const FlatComponent *component;
    const FlatLoop *loop;
    uint32_t element; // of an array equation: which scalar, row-major from 0
} FlatOrigin;

typedef enum FlatEquationKind {
    FLAT_EQUATION_EQUALITY,   // left = right
    FLAT_EQUATION_BINDING,    // the same, from a declaration
    FLAT_EQUATION_CONNECTION, // the same, from connect equations
    FLAT_EQUATION_CALL,       // (targets) = right, a call; it counts as many scalars as targets
} FlatEquationKind;

typedef struct FlatEquation {
    FlatEquationKind kind;
    FlatOrigin origin;
    const FlatGuard *guard;
    FlatExpression *left, *right;
    // Of a clocked partition: the equation holds when this Boolean is true, and between these ticks
    // what it determines keeps its value. NULL: always.
    FlatVariable *tick;
    FlatVariable *slope;   // it is the step of a solver method for `left`, whose derivative this is
    FlatExpression *clock; // of the clocked when clause it stands in, before clocks are lowered
    // FLAT_EQUATION_CALL: one expression for each output that is used: a scalar, a FLAT_ARRAY or a
    // FLAT_RECORD; NULL: the output is dropped.
    FlatExpression **targets;
    uint32_t target_count;
    uint32_t scalar_count; // 1, or the number of scalars in the targets
} FlatEquation;

// ---------------------------------------------------------------------------
// Statements: of algorithms, functions and when clauses
// ---------------------------------------------------------------------------

typedef struct FlatBranch {
    FlatExpression *condition; // NULL: else
    Span span;
    uint32_t count;
    FlatStatement **statements;
} FlatBranch;

typedef enum FlatAssertionLevel { FLAT_LEVEL_WARNING, FLAT_LEVEL_ERROR } FlatAssertionLevel;

typedef enum FlatStatementKind {
    FLAT_ASSIGN,    // .target := .value    (in a when equation: target = value)
    FLAT_MULTIPLE,  // (.targets) := .value, a call
    FLAT_REINIT,    // reinit(.target, .value)
    FLAT_ASSERT,    // assert(.condition, .message, .level)
    FLAT_TERMINATE, // terminate(.message)
    FLAT_CHOICE,    // if: .branches
    FLAT_WHEN,      // when: .branches; only in algorithms
    FLAT_FOR,       // .iterator in .range: .body
    FLAT_WHILE,     // .condition: .body
    FLAT_BREAK,
    FLAT_RETURN,
} FlatStatementKind;

struct FlatStatement {
    FlatStatementKind kind;
    Span span;
    union {
        struct {
            FlatExpression
                *target; // FLAT_VARIABLE, FLAT_LOCAL, or a FLAT_SELECT, FLAT_MEMBER of it
            FlatExpression *value;
            FlatExpression **targets; // may be NULL: dropped. Without targets: the call alone
            uint32_t target_count;
        };
        struct {
            FlatExpression *condition;
            FlatExpression *message;
            FlatAssertionLevel level;
        } check;
        struct {
            FlatBranch *items;
            uint32_t count;
        } branches;
        struct {
            FlatLocal *iterator;   // NULL: while
            FlatExpression *range; // or the condition of `while`
            FlatStatement **body;
            uint32_t count;
        } loop;
    };
};

// A when clause: the first branch whose condition becomes true. In a branch with several
// conditions (`when {a, b}`) one of them must become true.
typedef struct FlatWhenBranch {
    FlatExpression **conditions;
    uint32_t condition_count;
    Span span;
    uint32_t count;
    FlatStatement **statements; // FLAT_ASSIGN, FLAT_MULTIPLE, FLAT_REINIT, FLAT_ASSERT,
                                // FLAT_TERMINATE and FLAT_CHOICE of those
} FlatWhenBranch;

typedef struct FlatWhen {
    FlatOrigin origin;
    const FlatGuard *guard;
    uint32_t count;
    FlatWhenBranch *branches;
    FlatVariable **defined; // what it assigns, in any branch
    uint32_t defined_count;
} FlatWhen;

typedef struct FlatAlgorithm {
    FlatOrigin origin;
    const FlatGuard *guard;
    bool is_initial;
    uint32_t count;
    FlatStatement **statements;
    FlatVariable **defined; // what it assigns: it counts as that many equations
    uint32_t defined_count;
    FlatLocal **iterators; // of its loops
    uint32_t iterator_count;
} FlatAlgorithm;

typedef struct FlatAssertion {
    FlatOrigin origin;
    const FlatGuard *guard;
    bool is_initial;
    bool is_termination;       // terminate(message) in an equation section
    FlatExpression *clock;     // as of a FlatEquation
    FlatExpression *condition; // NULL: terminate
    FlatExpression *message;
    FlatAssertionLevel level;
} FlatAssertion;

// ---------------------------------------------------------------------------
// Functions
// ---------------------------------------------------------------------------

typedef enum FlatLocalRole {
    FLAT_ROLE_INPUT,
    FLAT_ROLE_OUTPUT,
    FLAT_ROLE_PROTECTED,
    FLAT_ROLE_ITERATOR,
} FlatLocalRole;

// A variable of a function, or the iterator of a loop.
struct FlatLocal {
    FlatExpression reference; // to itself; its span is the declaration's
    const Name *name;
    FlatLocalRole role;
    bool is_assigned;       // by a statement
    uint32_t index;         // its place among the function's locals
    FlatExpression **sizes; // one for each dimension; NULL: taken from the value (':')
    FlatExpression *value;  // default of an input, initial value of others; NULL: none
    Span span;
    const struct Layer *late; // an input's value that belongs to a model; NULL: none
};

typedef struct FlatDerivative {
    FlatFunction *function;
    uint32_t order;
    uint64_t zero_derivative; // bit i: input i must not change (zeroDerivative)
    uint64_t no_derivative;   // bit i: input i is not differentiated (noDerivative)
} FlatDerivative;

typedef struct FlatInverse {
    uint32_t input; // the input that `function` computes
    FlatFunction *function;
    FlatLocal **arguments; // one for each input of `function`: another input or the output; NULL:
                           // the default value
    Span span;
} FlatInverse;

// external "C" y = f(x, ...): a function of Saltus, see external/external.h.
typedef struct FlatExternal {
    const struct ExternalInfo *info;
    uint32_t count;
    FlatExpression **arguments; // as they are written; the result, if there is one, is the last
} FlatExternal;

struct FlatFunction {
    const char *name; // dotted
    uint32_t index;   // in the model's functions
    bool is_impure;
    bool is_inline;   // annotation(Inline = true) and its variants
    bool is_made;     // its statements are known
    int smooth_order; // -1: not given
    Span span;
    uint32_t input_count, output_count, local_count;
    FlatLocal **locals; // inputs, then outputs, then the protected ones, then iterators
    // Of outputs and protected ones, their numbers: each comes after those that its size or value
    // needs. NULL: as they are.
    const uint32_t *order;
    uint32_t count;
    FlatStatement **statements;
    const FlatExternal *external; // instead of statements; NULL: none
    uint32_t derivative_count;
    FlatDerivative *derivatives;
    uint32_t inverse_count;
    FlatInverse *inverses;
    // function g = der(f, x, y): instead of statements; inputs and outputs are those of f
    FlatFunction *derivative_of; // NULL: not such a function
    uint32_t by_count;
    const uint32_t *by; // inputs, scalar and Real
    uint32_t sequence;  // functions that its derivative needs have smaller ones
};

// ---------------------------------------------------------------------------
// The model
// ---------------------------------------------------------------------------

// A comparison of reals, or a function like floor, that can trigger an event.
typedef struct FlatRelation {
    FlatExpression *expression;
    const FlatComponent *component;
} FlatRelation;

// How to run the model: annotation(experiment(...)); NAN: not given.
typedef struct FlatExperiment {
    double start_time, stop_time, tolerance, interval;
    const FlatMethod *method; // of the solver annotation; NULL: none
} FlatExperiment;

typedef struct FlatModel {
    const char *name; // dotted
    String description;
    Span span;
    FlatComponent *root;
    FlatExperiment experiment;
    struct ExternalStore *externals;

    FlatVariable **variables; // in the order of declaration, base classes first
    FlatEquation **equations; // NULL: see flat_unpack
    FlatEquation **initial_equations;
    FlatIf **conditionals;
    FlatWhen **whens;
    FlatAlgorithm **algorithms;
    FlatAlgorithm **initial_algorithms;
    FlatAssertion **assertions;
    FlatMachine **machines;
    FlatFunction **functions;
    uint32_t variable_count, equation_count, initial_equation_count, conditional_count, when_count,
        algorithm_count, initial_algorithm_count, assertion_count, machine_count, function_count;
    struct {
        FlatRelation *items;
        uint32_t count;
    } relations;
    struct {
        FlatSharing **items;
        uint32_t count;
    } sharings;
    const FlatPacked *packed; // what the equations are made from; NULL: they are there
} FlatModel;

const FlatDeclaration *flat_declaration(Arena *arena, const char *class_name, Span span,
                                        String description);
// "a[2].b", for messages; the empty string for the model itself.
void flat_component_name(StringBuilder *out, const FlatComponent *component);
// The same with the subscripts of an element.
void flat_variable_name(StringBuilder *out, const FlatVariable *variable);
// Whether `inner` is `outer` or says more.
bool flat_guard_implies(const FlatGuard *inner, const FlatGuard *outer);
uint32_t flat_guard_depth(const FlatGuard *guard); // guards, with those around it; NULL: 0
// The scalars in a value of such a type.
uint64_t flat_scalar_count(const FlatType *type, uint32_t rank, const uint32_t *dims);
// The value of a literal, maybe with a minus; NAN: it is none, or NULL.
double flat_literal(const FlatExpression *e);

#endif
