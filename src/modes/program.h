// SPDX-License-Identifier: MIT
//
// A program: equations in blocks, as code that solves for their unknowns one stage after the other,
// and entries that compute anything else from them.
//
// Definitions are joined into explicit stages. The torn unknowns of linear blocks are found by LU
// with partial pivoting, dense or sparse; a matrix that is the same as before is not factored
// again. Those of nonlinear ones by Newton's method (numerics/newton.h). Where a matrix has no
// inverse, the rank decides (numerics/rank.h): equations that agree with each other are solved,
// what they leave open is as small as can be, or near its guess, and noted; others are refused.
//
// Programs with the same entries that have nothing to do with each other can be joined: they are
// run one after the other as if they were one, each with its part of the vectors.
//
// What always holds: a program is immutable and can be shared by threads; running it needs a
// scratch. The unknowns stand in one vector `w`, stage after stage; those that the stages of lower
// levels compute come first.

#ifndef SALTUS_MODES_PROGRAM_H
#define SALTUS_MODES_PROGRAM_H

#include "base/diagnostics.h"
#include "code/code.h"
#include "modes/backend.h"
#include "modes/indices.h"
#include "modes/rates.h"
#include "modes/slopes.h"
#include "numerics/factors.h"

#include <stdatomic.h>

// The vectors that a program reads, besides its own unknowns.
typedef enum ProgramVector {
    PROGRAM_TIME,
    PROGRAM_STATES,
    PROGRAM_PARAMETERS,
    PROGRAM_MEMORY, // discrete variables, left limits, flags
    PROGRAM_HELD,
    PROGRAM_VECTOR_COUNT,
} ProgramVector;

// What an entry reads and does, as bits: those of the vectors, and these.
enum {
    PROGRAM_READS_UNKNOWNS = 1u << PROGRAM_VECTOR_COUNT,
    PROGRAM_MAY_FAIL = 2u << PROGRAM_VECTOR_COUNT,
};

// The vectors that it writes; those of the stages follow, parts of w.
typedef enum ProgramOutput {
    PROGRAM_OUT_VALUES,
    PROGRAM_OUT_MATRIX,
    PROGRAM_OUT_FLOW, // of the entry Program.flow
    PROGRAM_OUT_STAGES,
} ProgramOutput;

// What is needed for: the derivatives, the event functions, their rates, all but what is needed for
// rates alone.
typedef enum ProgramLevel { PROGRAM_FLOW, PROGRAM_EVENTS, PROGRAM_RATES, PROGRAM_ALL } ProgramLevel;

typedef struct ProgramEntry {
    const char *name;
    const Node *nodes;
    uint32_t count;
    const DagTerm *definitions; // see CodeEntryDef
    uint32_t definition_count;
    bool is_literal; // holds are computed
    bool is_direct;  // computed straight from the inputs where that is possible
    bool is_guess;   // see CodeEntryDef
} ProgramEntry;

typedef struct ProgramDef {
    Dag *dag;
    Arena *arena;             // the program's; NULL: the graph's
    const CodePlace *places;  // of known variables, by ProgramVector; one per variable of the graph
    const double *nominals;   // likewise, 0: 1
    const Solution *solution; // NULL: no unknowns; its states' derivatives are what PROGRAM_FLOW
                              // is about
    const Node *events;       // what PROGRAM_EVENTS is about
    uint32_t event_count;
    const Rates *rates;       // of the events: what PROGRAM_RATES is about; NULL: none
    const FlowSlopes *slopes; // of the derivatives; NULL: none
    bool is_start;            // see Program
    bool is_never_run;        // only whether it can be made is asked for
    const ProgramEntry *entries;
    uint32_t entry_count;
} ProgramDef;

typedef enum StageKind { STAGE_EXPLICIT, STAGE_LINEAR, STAGE_NONLINEAR } StageKind;

typedef struct Stage {
    StageKind kind;
    ProgramLevel level;
    bool is_rate;             // needed for rates alone
    bool is_switched;         // conditions or discrete variables decide about its coefficients
    uint32_t first, size;     // its unknowns in w
    EntryNumber entry;        // values, or residuals
    EntryNumber jacobian;     // entry of a stage that is not explicit, as Factors stores it
    EntryNumber terms;        // entry: what its residuals are the sums of
    int *column_start, *rows; // its pattern, if it is stored sparse; NULL: dense
    uint32_t guess; // of a nonlinear one, at a start of any: its first unknown among the guesses
    const SolutionBlock *block; // of a stage that is not explicit, while the program is made
    // Of a stage that is not explicit, what may be open if it has no inverse: its unknowns, of a
    // linear one then those that are defined by them, if the next stage begins with these.
    uint32_t open_count;
    const bool *is_motion; // of each: it must not be open; NULL: nobody asks
    // For messages.
    const char *const *names; // of what may be open
    const struct StageEquation *equations;
    uint32_t equation_count; // of a large stage the first PROGRAM_SHOWN of them
} Stage;

typedef struct StageEquation {
    const char *text;
    Span span;
} StageEquation;

// Messages show so many equations of a stage.
enum { PROGRAM_SHOWN = 3 };

// Where a variable is.
typedef struct ProgramPlace {
    GraphVariable variable;
    uint32_t place; // an UnknownPlace, a StateNumber, or a MemoryPlace
} ProgramPlace;

typedef struct Program Program;

enum { PROGRAM_NOTED = 8 };

// What the equations of a program left open when that was first seen: in any of its runs.
typedef struct ProgramNote {
    atomic_uint state; // 0: nothing; 1: being written; 2: there it is
    double time;
    uint32_t count;                   // of all unknowns that are open
    const char *names[PROGRAM_NOTED]; // of the first ones
    const char *taken;                // what they are taken near to
} ProgramNote;

// A run goes on with the program from here on: what is zero because nothing determines it is noted.
void program_note_zeroed(const Program *program, double time);

// The note in words; *text, to be freed, stays as it is where there is none. False: there is none.
bool program_note(const Program *program, char **text, double *time);

// One of the programs that are joined.
typedef struct ProgramPart {
    const Program *program;
    uint32_t w, state, guess; // its first one of each among all
} ProgramPart;

struct Program {

    const CodeModule *module;
    // Of a program that is kept, ascending: where its unknowns are in w, and its states. NULL: the
    // layout of the module says it, or nobody may ask.
    const ProgramPlace *places, *state_places;
    uint32_t place_count, state_place_count;
    BackendCode *code; // compiled, if anybody asks for it
    ProgramNote *note;
    bool is_start; // of an initialization: where a guess leads nowhere, others are tried
    const Stage *stages;
    uint32_t stage_count;
    const GraphVariable *unknowns; // in the order of w; NULL: it is kept
    const double *nominals;
    uint32_t unknown_count;
    const EntryNumber *entries; // those of the definition
    uint32_t entry_count;
    const uint32_t *counts; // of their values
    const bool *is_direct;  // whether they need no program_solve before them
    const uint8_t *reads;   // what each of them reads and does
    uint8_t stages_read;    // likewise, of all stages; a block may fail
    EntryNumber flow;       // entry: derivatives of the states straight from the inputs; CODE_NONE:
                            // there are blocks to be solved first
    EntryNumber
        slopes; // entry: their derivatives by the states; CODE_NONE: differences are cheaper
    const int64_t *derivatives; // else their places in w; -1 - k: it is state k
    uint32_t state_count;
    const uint8_t *needs; // by variable of the graph: the lowest ProgramLevel that needs it; NULL:
                          // it is kept
    uint32_t widest;      // unknowns of the largest stage that is not explicit
    uint32_t most_values; // of its matrix

    // Of programs that were joined.
    struct {
        const ProgramPart *parts;
        uint32_t count;
        EntryNumber scattered;          // entry whose values do not stand part by part,
        const uint32_t *const *scatter; // but by part where these say
        uint32_t scattered_count;       // the largest of its counts
        const Program *observer;  // computes more values of this entry from the others, which it
                                  // reads as PROGRAM_STATES; NULL: none
        const uint32_t *observed; // where they belong
    } joined;
    // What is iterated for.
    struct {
        const UnknownPlace *places;     // places in w that are iterated for
        const GraphVariable *variables; // their variables
        uint32_t count;
        ProgramLevel level; // at which all of them are found
    } guesses;
};

// NULL after an error. It lives in its arena, except compiled code, which program_release frees.
const Program *program_create(const ProgramDef *def, Diagnostics *diagnostics);
void program_release(const Program *p); // NULL is allowed
// What is needed to run it.
typedef enum ProgramUse {
    PROGRAM_SEARCHED = 1, // program_place and program_state may be asked
    PROGRAM_COMPILED = 2, // it may be compiled
} ProgramUse;
const Program *program_keep(const Program *p, const Keeper *keeper, unsigned uses); // or NULL
// Made aside, wherever the definition says; kept in `to`, to be compiled. NULL after an error.
const Program *program_create_in(Arena *to, const ProgramDef *def, Diagnostics *diagnostics);
// What is short may become part of a kernel: PROGRAM_COMPILED. NULL is allowed.
unsigned program_short_use(const Program *p);
// Instructions of all its code.
double program_length(const Program *p);
// Programs with the same entries as one: the values of one program come after those of the other.
// They must outlive it; releasing it does nothing to them.
Program *program_join(Arena *arena, const Program *const *programs, uint32_t count,
                      uint32_t entry_count);
// An entry of it whose values belong elsewhere: by program, where `places` says; those that the
// only entry of `observer` computes from them (NULL: none), where `observed` says.
void program_scatter(Program *all, EntryNumber entry, const uint32_t *const *places,
                     const Program *observer, const uint32_t *observed);
// The place of a variable in w, or CODE_NONE.
UnknownPlace program_place(const Program *p, GraphVariable variable);
// Its place among the states, or CODE_NONE.
StateNumber program_state(const Program *p, GraphVariable variable);

// The matrix of a stage that is not explicit.
typedef struct ProgramMatrix {
    Factors factors;
    double *factored; // the values that the factors belong to
    bool is_factored;
    // It has no inverse: solutions of least norm. Made when that is first met.
    bool is_deficient;
    struct Ranked *ranked;
    double *open; // to find the shortest solution in
} ProgramMatrix;

typedef struct ProgramScratch {
    SaltusAllocator allocator;
    double *w;
    CodeRun run;
    double *matrix, *values;
    double *newton;               // working memory of Newton's method
    SaltusStatistics *statistics; // where iterations are counted; NULL: nowhere
    int code;                     // of the last failure, see failure.h
    // By how much an equation does not hold: of PROGRAM_CONTRADICTION, and of PROGRAM_DIVERGED at
    // the start, of which it is this row of the stage.
    double excess;
    uint32_t excess_row;
    bool is_lenient; // equations of a deficient block need to agree only here, see program_solve
    bool is_open;    // there was one in the last solution
    double *nearby;  // states
    const double **inputs;
    double **outputs;
    ProgramMatrix *matrices; // one per stage
    uint32_t stage_count;
    struct ProgramScratch **parts; // of joined programs: one each, with their parts of w
    uint32_t part_count;
    struct ProgramScratch *observer;
} ProgramScratch;

// NULL: no memory left.
ProgramScratch *program_scratch(const Program *p);
void program_scratch_free(ProgramScratch *scratch); // NULL is allowed
// See program_solve: for evaluations in a mode that is the right one.
void program_be_lenient(ProgramScratch *scratch);
// Newton's method counts its iterations here.
void program_count(ProgramScratch *scratch, SaltusStatistics *statistics);

typedef struct ProgramInputs {
    double time;
    const double *vectors[PROGRAM_VECTOR_COUNT]; // PROGRAM_TIME is set by itself
} ProgramInputs;

typedef enum ProgramStatus {
    PROGRAM_FINE,
    PROGRAM_FAILED, // a user's function: run.failure
    PROGRAM_SINGULAR,
    PROGRAM_CONTRADICTION, // equations that depend on each other do not agree
    PROGRAM_DIVERGED,
    PROGRAM_NO_MEMORY,
    PROGRAM_STATUS_COUNT,
} ProgramStatus;

// Both set scratch->code if they fail.
// Computes the unknowns up to a level into scratch->w, the guesses taken from `guesses`.
// *failed (may be NULL): the stage that could not be solved.
// Unless the scratch is lenient, equations of a block without inverse have to agree at another time
// with other states, too: two ideal diodes that conduct in parallel agree at the instant at which
// their voltages are equal, but this is no mode to go on in.
ProgramStatus program_solve(const Program *p, ProgramScratch *scratch, const ProgramInputs *inputs,
                            ProgramLevel level, const double *guesses, uint32_t *failed);
// Computes an entry's values, after program_solve unless it is direct.
ProgramStatus program_evaluate(const Program *p, ProgramScratch *scratch,
                               const ProgramInputs *inputs, EntryNumber entry, double *values);
// The same with the inputs of the call before, of a program that is not joined.
ProgramStatus program_evaluate_again(const Program *p, ProgramScratch *scratch, EntryNumber entry,
                                     double *values);
// The inputs of program_solve_derivatives but t and x; the vectors stay the caller's.
void program_bind(ProgramScratch *scratch, const double *const vectors[PROGRAM_VECTOR_COUNT]);
// The derivatives of the states.
ProgramStatus program_solve_derivatives(const Program *p, ProgramScratch *scratch, double t,
                                        const double *x, const double *guesses, double *dx);
// The code of a failure of the entry Program.flow, run by itself.
int program_flow_failure(const Program *p, ProgramScratch *scratch);
// The derivatives, after program_solve of any level.
void program_read_derivatives(const Program *p, const ProgramScratch *scratch, const double *x,
                              double *dx);

#endif
