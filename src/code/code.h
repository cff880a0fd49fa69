// SPDX-License-Identifier: MIT
//
// Linear code over doubles and whole numbers of 64 bits: what the equations become before they are
// run or emitted as C. Inputs, outputs, locals and arguments are doubles; see base/whole.h.
//
// A *module* has *entries*. Each entry computes some components of output vectors from components
// of input vectors, and only what they need: entries are the slices (derivatives; event functions;
// ...) of one model. An entry is a list of instructions over values: constants, inputs and
// temporaries, which are assigned once (in a guarded block: once in each branch). Users' functions
// are bodies of their own, with loops, arrays and locals that change.
//
// If-expressions: where both sides are cheap and cannot go wrong, both are computed and one is
// selected; else the sides become guarded blocks, GUARD ... ELSE ... END, of which one is executed.
// If-expressions with one condition share their blocks. What two different blocks need is computed
// before them, if nothing but its value can come of it: a NaN on the side that is not taken is not
// seen. But a call of a user's function, which may loop or fail, is never executed unless an
// if-expression that needs it takes that side; it may therefore stand in several blocks.
//
// What always holds: a module is immutable once finished and can be shared by threads; running it
// needs a frame of doubles per thread. The interpreter and the emitted C compute the same bits.

#ifndef SALTUS_CODE_CODE_H
#define SALTUS_CODE_CODE_H

#include "base/keep.h"
#include "base/text.h"
#include "equations/dag.h"
#include "equations/procedure.h"
#include "external/external.h"

#include <stdbool.h>
#include <stdint.h>

// Loops of users' functions in one evaluation, and calls inside each other: beyond, it fails.
enum { CODE_MOST_STEPS = 10000000, CODE_DEEPEST_CALL = 200 };

// Emitted functions have about so many operations.
enum { CODE_CHUNK = 256 };

// ---------------------------------------------------------------------------
// Instructions
// ---------------------------------------------------------------------------

// The first operations are the operators, with the same numbers: d = op(a, b, c). The last are
// those on whole numbers: d = op(a, b), which fails at place c; for CODE_NONE it never does, for
// CODE_TOLERATED it is 0 where it would. The others are X(NAME, text):
#define CODE_LIST(X)                                                                               \
    X(COPY, "copy")   /* d = a */                                                                  \
    X(STORE, "store") /* output d = a; d: place in the list of outputs */                          \
    X(GUARD, "guard") /* the instructions up to ELSE only if a, those up to END */                 \
    X(ELSE, "else")   /* only if not a */                                                          \
    X(END, "end")                                                                                  \
    X(CALL, "call")                 /* list at a: function, arguments, results */                  \
    X(LOOP, "loop")                 /* the instructions up to REPEAT again and again */            \
    X(REPEAT, "repeat")             /* fails at place b after too many steps */                    \
    X(BREAK, "break")               /* ends the innermost loop */                                  \
    X(BREAK_UNLESS, "break unless") /* likewise, unless a */                                       \
    X(RETURN, "return")                                                                            \
    X(CHECK, "check")       /* fails at place b unless a */                                        \
    X(SHOW, "show")         /* number b of the message of the check that fails next is a */        \
    X(READ, "read")         /* d = array b at a; c: place of failure */                            \
    X(WRITE, "write")       /* array b at a = d; c: place of failure */                            \
    X(EXTERNAL, "external") /* list at a: count, arguments; calls site b; c: place of failure */

typedef enum CodeOp {
    CODE_FIRST = OPERATOR_COUNT - 1,
#define X(name, text) CODE_##name,
    CODE_LIST(X)
#undef X
        CODE_FIRST_WHOLE,
    CODE_OP_COUNT = CODE_FIRST_WHOLE + WHOLE_COUNT,
} CodeOp;

#define CODE_NONE UINT32_MAX
#define CODE_TOLERATED (UINT32_MAX - 1)

typedef struct CodeInstruction {
    uint32_t op;
    uint32_t d, a, b, c; // values, unless the list above says otherwise
} CodeInstruction;

typedef enum CodeValueKind {
    CODE_CONSTANT,  // .number
    CODE_INPUT,     // .vector, .index
    CODE_TEMPORARY, //
    CODE_LOCAL,     // of a function: may change
} CodeValueKind;

typedef struct CodeValue {
    union {
        double number;    // of a constant
        const char *name; // of others: the variable it is, or NULL
    };
    uint32_t index;
    uint16_t vector;
    uint8_t kind;  // CodeValueKind
    bool is_whole; // its bits are those of a whole number: a constant, or a temporary
} CodeValue;

typedef struct CodeOutput {
    uint32_t vector, index;
    Node value;
} CodeOutput;

// An argument of an external function, in a list: a local, an array, or none.
#define CODE_ARRAY_ARGUMENT UINT32_C(0x80000000)

// An array of a function.
typedef struct CodeArray {
    uint32_t variable, size;
    const char *name;
    const double *table; // its elements, if they are constant; else NULL
} CodeArray;

// Of a function's inputs and outputs, in order: a local value or an array.
typedef struct CodeArgument {
    bool is_array;
    uint32_t number;
} CodeArgument;

// The instructions of an entry or a function, and what they become for the interpreter.
typedef struct CodeBody {
    const char *name;
    CodeInstruction *instructions;
    CodeValue *values;
    uint32_t *lists; // of calls: function, arguments, results (CODE_NONE: dropped)
    CodeArray *arrays;
    uint32_t instruction_count, value_count, list_count, array_count;
    uint32_t instruction_room, value_room, list_room, array_room;

    // An entry's: what STORE stores.
    CodeOutput *outputs;
    uint32_t output_count;
    bool is_held; // holds are inputs
    bool is_guess;

    // A function's.
    uint32_t function; // in the graph
    uint32_t too_deep; // place of failure if it is called too deep inside others
    uint32_t too_long; // if calls and rounds of loops together are too many
    CodeArgument *inputs, *results;
    uint32_t input_count, result_count;     // arguments
    uint32_t input_scalars, result_scalars; // scalars of all of them

    // For the interpreter, see lower.h.
    struct {
        uint32_t *words;
        uint32_t word_count, word_room;
        uint32_t register_count; // without the module's constants
        double *constants;       // a function's own
        uint32_t constant_count, first_constant;
    } lowered;
} CodeBody;

// ---------------------------------------------------------------------------
// Modules
// ---------------------------------------------------------------------------

// Where code fails, and why.
typedef enum CodeFailureKind {
    CODE_FAILED_CHECK, // an assertion of a function
    CODE_FAILED_SUBSCRIPT,
    CODE_FAILED_STEPS, // CODE_MOST_STEPS
    CODE_FAILED_DEPTH, // CODE_DEEPEST_CALL
    CODE_FAILED_WHOLE, // an operation on whole numbers; also outside functions
    CODE_FAILED_EXTERNAL,
} CodeFailureKind;

typedef struct CodeFailurePlace {
    CodeFailureKind kind;
    const char *function, *message; // function: NULL outside
    Span span;
    const struct ExternalSite *site; // of CODE_FAILED_EXTERNAL: knows the message
    // Of CODE_FAILED_CHECK: String(...) of the numbers in the message, see ProcedureStatement.
    const struct FlatExpression **shown_as;
    uint32_t shown_count;
} CodeFailurePlace;

// Where a variable is found among the inputs.
typedef struct CodePlace {
    uint32_t vector, index; // vector CODE_NONE: nowhere
} CodePlace;

typedef struct CodeLayout {
    uint32_t input_count, output_count; // vectors
    const char *const *input_names;     // "t", "x", "p": also their names in C
    const char *const *output_names;    // "dx", "h"
    uint32_t held;                      // the input vector of held values, or CODE_NONE
    // Bits of input vectors that change at events only: a frame has a copy of them, which the
    // interpreter reads; code_init_frame renews it.
    uint32_t slow;
    const CodePlace *places; // one per variable
    uint32_t place_count;    // variables beyond are nowhere
    bool is_never_run;       // it is only known that entries can be computed: they are empty
    Arena *arena;            // of the module; NULL: the graph's
} CodeLayout;

typedef struct CodeModule {
    Dag *dag;
    Arena *arena;
    CodeLayout layout;
    CodeBody **entries;
    CodeBody **functions;
    CodeFailurePlace *places;          // of failures
    double *constants;                 // of all entries: the first registers of a frame
    const struct ExternalSite **sites; // of external functions
    CodePlace *slow; // components of slow vectors that are used: the next registers
    uint32_t entry_count, function_count, place_count, constant_count, slow_count;
    uint32_t entry_room, function_room, place_room, site_count, site_room;
    uint32_t frame_size; // doubles, for every entry and either way to run it
    bool is_finished;
    bool is_lean; // it can only be interpreted: of entries there are the words alone
} CodeModule;

// The graph and the layout's arrays must live as long as the module.
CodeModule *code_create(Dag *dag, const CodeLayout *layout);

typedef struct CodeEntryDef {
    const char *name; // an identifier of C
    const CodeOutput *outputs;
    uint32_t output_count;
    // Variables that are computed on the way: where they occur, they are their values.
    const DagTerm *definitions;
    uint32_t definition_count;
    bool is_held; // holds take their values from the vector of held values; else they are computed
    // What it computes is only where to begin, from values that may not belong together: operations
    // on Integers do not fail.
    bool is_guess;
} CodeEntryDef;

// The number of the new entry; CODE_NONE: it cannot be built, *reason (in the arena) says why: a
// variable has neither a place nor a definition, or the definitions go round in a circle.
uint32_t code_add_entry(CodeModule *module, const CodeEntryDef *def, const char **reason);

// Makes the code for the interpreter. No entries can be added after it.
void code_finish(CodeModule *module);

// What is needed to run a finished module, and to emit it unless it is to be lean.
const CodeModule *code_keep(const CodeModule *module, const Keeper *keeper, bool is_lean);

// A frame must be initialised once, and again when a slow vector has changed; it serves all
// entries, one at a time. Without slow vectors, inputs may be NULL.
void code_init_frame(const CodeModule *module, const double *const *inputs, double *frame);

// What a run of an entry needs besides its vectors, and says when it fails.
typedef struct CodeRun {
    double *frame;
    uint64_t steps; // set to 0 by each entry
    uint32_t depth;
    uint32_t failure;                   // place of the failure
    double shown[PROCEDURE_MOST_SHOWN]; // numbers in its message
    // Compiled code calls external functions by these: the sites of its module, and what calls one.
    const struct ExternalSite *const *sites;
    int (*call)(const struct ExternalSite *site, double *const *numbers, ExternalMoment *moment);
    ExternalMoment moment;
} CodeRun;

// The form of an emitted entry. 0: fine, 1: failed. Outputs must not overlap inputs; output vectors
// that an entry does not write may be NULL, and so may input vectors that it does not read.
typedef int (*CodeFunction)(const double *const *inputs, double *const *outputs, CodeRun *run);

#endif
