// SPDX-License-Identifier: MIT
//
// How the flattener works, and what its stages share.
//
//   library.c       files and folders to a tree of classes, loaded when a name asks for them
//   library_path.c  where libraries are on disk, and in which versions; examples.c lists models
//   class.c         a class with its inherited elements (Class, Member); redeclared classes
//   lookup.c        names of classes, from inside out: section 5.3 of the specification
//   modification.c  modifications as a list of layers, the outermost first (Layer)
//   setting.c       what is said of the model from outside, as a modification
//   instance.c      the tree of components (Instance), made when something needs it: sizes,
//                   conditions and types are found on first use, so their order does not matter
//   inner.c         what outer components and classes stand for
//   elaborate*.c, reference.c, call.c
//                   an expression of the text in a Scope to a typed FlatExpression
//   overload.c      which function an operator of operator records means
//   unfold.c        what such a function computes, in place of its call
//   build.c, array.c  the constructors of typed expressions: type checks, conversion, folding, and
//                   the expansion of arrays to scalars as soon as the elements are known
//   evaluate.c      the values of expressions whose variables are constants and parameters;
//   interpret.c     runs functions for it
//   function.c      a function class to a FlatFunction
//   connect.c, graph.c, bus.c, stream.c
//                   what is connected, before all other equations; sets to equations
//   equation.c, statement.c, machine.c
//                   what the sections of every instance say, to guarded flat equations
//   clock*.c        clocked partitions, to equations with the Boolean of their ticks
//   finish.c        numbers everything, finds relations, states, what is differentiated
//   pack.c          the equations of a model that is to be run, in few bytes
//   balance.c, units.c   checks of the finished model
//   print.c, json.c the finished model as text
//
// The tree of classes is static: it knows nothing of instances, so it is built once for each class
// (once more for every redeclaration). Everything that depends on values is done per instance.

#ifndef SALTUS_FLATTEN_CONTEXT_H
#define SALTUS_FLATTEN_CONTEXT_H

#include "flatten/collections.h"
#include "flatten/flat.h"
#include "modelica/parser.h"

typedef struct Class Class;
typedef struct Member Member;
typedef struct Layer Layer;
typedef struct Instance Instance;
typedef struct Scope Scope;
typedef struct Library Library;

// No input may make the compiler run forever or take all memory: beyond these it stops with a
// message.
enum {
    LIMIT_CLASS_DEPTH = 200,    // extends of extends of ...
    LIMIT_BASES = 10 * 1000,    // of a class, those of base classes counted each time
    LIMIT_INSTANCE_DEPTH = 200, // component in component in ...
    // Variables, and elements of one array; each takes 270 bytes and more when it is flat.
    LIMIT_SCALARS = 25 * 1000 * 1000,
    LIMIT_ITERATIONS = 25 * 1000 * 1000, // of all loops that are unrolled
    LIMIT_STEPS = 10 * 1000 * 1000,      // of the interpreter, for one evaluation
    LIMIT_CALL_DEPTH = 200,              // of the interpreter
    LIMIT_FUNCTION_DEPTH = 200,          // functions that call functions that ...
    LIMIT_NEAR_VALUES = 200,             // parameters by parameters, found depth first
    LIMIT_FAR_VALUES = 1000,             // the same where that is not possible, see evaluate.c
    LIMIT_SPECIALISATIONS = 100,         // of a function for the functions it is given
    LIMIT_TEXT = 1000 * 1000,            // characters of a String that is put together
    LIMIT_ERRORS = 100,                  // messages
};

// Names that the compiler asks for. clang-format would indent every line of it more.
// clang-format off
#define KNOWN_NAME_LIST(X)                                                                         \
    X(start) X(fixed) X(min) X(max) X(nominal) X(unit) X(quantity) X(displayUnit) X(stateSelect)   \
    X(unbounded) X(time) X(each) X(Evaluate) X(experiment) X(StartTime) X(StopTime) X(Tolerance)   \
    X(Interval) X(derivative) X(inverse) X(order) X(zeroDerivative) X(noDerivative) X(Inline)      \
    X(LateInline) X(InlineAfterIndexReduction) X(smoothOrder) X(normallyConstant) X(Real)          \
    X(Integer) X(Boolean) X(String) X(ExternalObject) X(Clock) X(StateSelect) X(AssertionLevel)    \
    X(Connections) X(mustBeConnected) X(significantDigits) X(minimumLength) X(leftJustified)       \
    X(format) X(defaultConnectionStructurallyInconsistent) X(equalityConstraint) X(__Saltus)       \
    X(solver) X(locate) X(relativeTolerance) X(absoluteTolerance) X(maxStep)                      \
    X(missingInnerMessage) X(constructor) X(invariant)
// clang-format on

typedef struct KnownNames {
#define X(name) const Name *name;
    KNOWN_NAME_LIST(X) // NOLINT(readability-identifier-naming): Modelica's own
#undef X
} KnownNames;

typedef struct Flattener {
    Arena *arena;
    Arena *scratch;   // of the interpreter: values in between
    Arena *frames;    // of the interpreter: variables of the functions that run
    Arena *passing;   // what the flat model does not need: it goes when that is made
    Arena *selecting; // what a reference selects, while it is looked at: see reference.c
    Arena *equations; // of equations that will be packed (pack.h); NULL: they stay
    Arena *nodes;     // of the expressions that are being made: `arena`, or `equations`
    Compilation *compilation;
    Names *names;
    Diagnostics *diagnostics;
    Library *library;
    KnownNames known;
    Map operations;                        // name -> OperationInfo
    Class *state_select, *assertion_level; // the predefined enumerations

    Span at;       // what is being read, for the message that there is no memory for it
    Instance *top; // the model's own instance
    FlatModel *model;
    bool has_streams; // inStream or actualStream occurs
    bool in_initial;  // an initial section is being read
    bool has_clocks;  // a clock occurs, or an operator of chapter 16
    struct {
        Map inside, outside; // variable -> Connected
        List nodes;          // in the order they were made
        List pairs;          // ConnectPair
        Map counts;          // FlatVariable of an array of simple connectors -> its occurrences
        bool has_buses;      // the expandable connectors are known
        bool has_breaks;     // an extends clause leaves some of them out
        bool is_for_buses;   // they are being read for what they add to expandable connectors
        bool is_known;       // all connect equations were read
    } connections;
    // Of overconstrained connections.
    struct {
        Map vertices; // Instance -> Vertex
        List order;   // the same
        List edges;   // GraphEdge
        Map owners;   // Instances whose connectors have vertices
    } graph;
    struct {
        List states;           // StateNode
        List transitions;      // FlatTransition
        bool scans_branches;   // the scan is about what is in if-equations
        uint32_t branch_depth; // and how many it is in
    } machines;
    // Expandable connectors.
    struct {
        List roots;    // Bus without parent
        Map instances; // Instance -> Bus
    } buses;

    // What was made so far.
    struct {
        List equations, initial_equations, conditionals, whens, algorithms, initial_algorithms,
            assertions, functions, iterators, sharings;
        List missing; // Instance: inner components that were added to the model, see inner.c
        List helpers; // FlatVariable: those that clocks have made
    } made;
    // What is known of functions and operators.
    struct {
        Map function_names;   // in use
        Map identities;       // of function_identity, by name
        Map specialised;      // Class -> List of functions for the functions given, see function.c
        Map signatures;       // Class -> FlatFunction without a body, see function.c
        Map operator_records; // ClassDefinition -> the Class whose operators count, see overload.c
        Map overloaded;       // Class -> itself, or the Flattener: its operators are wrong
        Map wrapped;          // OperationInfo -> FlatFunction that calls it, see functional.c
        Map call_values;      // FLAT_CALL -> its outputs, of calls that were run
    } calls;
    // What was looked at before.
    struct {
        Map values;          // of modifications of arrays: see binding.c
        Map contexts;        // by the same: the Instance that the value was elaborated in
        Map declared;        // attributes of declarations: see binding.c
        Map declarers;       // by the same: the Class that they are for
        Map reported;        // spans with an error, so that one text is not reported per instance
        Map state_variables; // FlatState -> List of its variables
        Map redeclared;      // Element -> Redeclaration, see subtype.c
        List redeclarations; // the same in their order
        Map evaluating;      // variables whose value is being found
        Map constants;       // literal -> FlatVariable, of constants; itself: computed from some
        Map streams;         // FlatVariable -> its inStream, see stream.c
    } seen;
    // What was spent of what may be.
    struct {
        uint64_t scalar_count;    // against LIMIT_SCALARS
        uint64_t iteration_count; // against LIMIT_ITERATIONS
        uint64_t step_count;      // of the interpreter, against the options' maximum
        uint64_t step_maximum;
        unsigned call_depth;     // of the interpreter
        unsigned value_depth;    // of parameters whose value is being found
        unsigned class_depth;    // of classes being expanded
        unsigned function_depth; // of functions being made
        bool has_overflowed;     // a limit was reported; what follows is cut short
    } limits;
} Flattener;

// Errors and warnings, once per place and text. `report_error` returns NULL for a repetition.
Diagnostic *report_error(Flattener *f, Span span, const char *format, ...) TEXT_FORMAT(3, 4);
Diagnostic *report_warning(Flattener *f, Span span, const char *format, ...) TEXT_FORMAT(3, 4);
// A note of a diagnostic that may be NULL.
void report_note(Flattener *f, Diagnostic *of, Span span, const char *format, ...)
    TEXT_FORMAT(4, 5);

#endif
