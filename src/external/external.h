// SPDX-License-Identifier: MIT
//
// What the Modelica Standard Library calls in C and FORTRAN 77, under the same names, as functions
// of Saltus: no compiler and no foreign code is needed. One table (external.c) is the truth; the
// same function is called at compile time, by the interpreter and by compiled code.
//
//   external.c   the table, the signatures, calls
//   store.c      objects (tables) and call sites of one compilation
//   strings.c    ModelicaStrings_
//   random.c     ModelicaRandom_
//   chart*.c     ModelicaStandardTables_
//   files.c      ModelicaInternal_, ModelicaStreams_, ModelicaIO_: what reads files
//   algebra.c, spectral.c, schur.c, pencil.c    LAPACK
//   fourier.c    ModelicaFFT_
//   said.c       what prints, and what would write files
//   foreign.c    functions of the user's own C code, where that is allowed
//   hold.c       what impure functions gave and printed at an instant
//   guest.c      what the application brings along: FMUs
//
// All numbers are doubles, also Integers, Booleans and enumeration values; an object is the number
// that the store knows it by. Arrays are in row-major order, whatever the language of the clause:
// the functions know the sizes.

#ifndef SALTUS_EXTERNAL_EXTERNAL_H
#define SALTUS_EXTERNAL_EXTERNAL_H

#include "base/arena.h"
#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct ExternalStore ExternalStore;

enum { EXTERNAL_MOST_ARGUMENTS = 32, EXTERNAL_USUAL_TEXT = 2000 };

// An argument of the C function, or its result.
typedef struct ExternalArgument {
    uint32_t rank; // 0: a scalar
    const uint32_t *dims;
    uint32_t count;     // of elements
    double *numbers;    // NULL: Strings
    const char **texts; // NULL: numbers
} ExternalArgument;

typedef struct ExternalCall {
    ExternalStore *store;
    ExternalArgument *arguments; // the result, if there is one, is the last
    uint32_t count;
    Arena *arena;    // for texts that are made; NULL: there can be none
    char **printed;  // takes an allocated text; NULL: store_say
    char *message;   // why it failed, to be freed; NULL: it did not, or no memory
    bool has_failed; // by external_fail
} ExternalCall;

// False: it failed, and the message says why.
typedef bool ExternalFunction(ExternalCall *call);

// signature: a letter for each argument, then, if there is one, '>' and the result. r Real, i
// Integer, Boolean or enumeration, s String, o object; R, I, S arrays of them; '&' before it: it is
// written, too. First may stand '!': it is impure, its results are held within an instant (hold.h);
// or '?': it prints, and is called with every evaluation.
typedef struct ExternalInfo {
    const char *name, *signature;
    ExternalFunction *function;
    const struct ExternalInfo *forward; // of foreign functions: see external_forward
} ExternalInfo;

// A file that a model names, to be read from its beginning; NULL: it failed (files.c).
FILE *files_open(ExternalCall *call, const char *path);

// NULL: there is none of that name.
const ExternalInfo *external_find(const char *name);
// Its derivative forwards, with the arguments of the function as it has left them, the derivatives
// of its Real ones, and the derivative of its result; NULL: there is none.
const ExternalInfo *external_forward(const ExternalInfo *info);
// Whether it only reads files: then it may be run before the run, though it is impure.
bool external_is_reader(const ExternalInfo *info);
bool external_is_impure(const ExternalInfo *info);
bool external_prints(const ExternalInfo *info);
// A function of the library that Saltus leaves out on purpose: why; NULL: it is none.
const char *external_refusal(const char *name);
// The letter of argument `index` of a signature, and whether it is written; 0: there is none. The
// result is the one after the last.
char external_letter(const char *signature, uint32_t index, bool *is_written);
uint32_t external_argument_count(const char *signature); // with the result
bool external_has_result(const char *signature);

// Notes why a function failed; the value is false, for a return.
bool external_fail(ExternalCall *call, const char *format, ...) TEXT_FORMAT(2, 3);

static inline double external_number(const ExternalCall *call, uint32_t index)
{
    return call->arguments[index].numbers[0];
}
static inline const char *external_text(const ExternalCall *call, uint32_t index)
{
    return call->arguments[index].texts[0];
}
static inline void external_set(ExternalCall *call, uint32_t index, double value)
{
    call->arguments[index].numbers[0] = value;
}

// ---------------------------------------------------------------------------
// The store
// ---------------------------------------------------------------------------
//
// What external functions have that lasts: it belongs to a compilation and may be used by several
// threads. Objects do not change once they are made, and equal ones are one: so a constructor is a
// function like others, however often it is called, and a destructor has nothing to do.

struct Chart;
struct Sources;

// NULL: no memory.
ExternalStore *store_create(void);
void store_destroy(ExternalStore *store); // NULL is allowed
// From now on models read files only in the working directory, in the folders of the sources, in
// those of the path ("a:b"; may be NULL), and below.
void store_confine(ExternalStore *store, const struct Sources *sources, const char *path);
bool store_may_read(const ExternalStore *store, const char *file);
// From now on models may bring code of their own (foreign.h). It belongs to the store.
struct Foreign;
void store_allow_foreign(ExternalStore *store);
bool store_allows_foreign(const ExternalStore *store);
struct Foreign **store_foreign(ExternalStore *store);

// The number of a table that is equal to this one: of itself, if there was none (then it is kept),
// or of another. 0: no memory, or too many.
double store_intern(ExternalStore *store, struct Chart *table);
// NULL: there is none of that number.
const struct Chart *store_table(const ExternalStore *store, double number);

// Where a run calls an external function: the sizes and texts of its arguments, once.
typedef struct ExternalSite {
    const ExternalInfo *info;
    ExternalStore *store;
    // Without numbers. A String that is put together in the run has several texts, though its rank
    // is zero, and as many numbers: of each part, the text after its first letter as it is ('='),
    // or as the format of its number as a Real ('r'), an Integer ('i'), or true or false ('b',
    // width).
    ExternalArgument *arguments;
    uint32_t count;
    char **message; // of the last failure, in any thread
    const struct ExternalSite *before;
} ExternalSite;

// A copy that lasts as long as the store; NULL: no memory.
const ExternalSite *store_site(ExternalStore *store, const ExternalSite *site);

// When impure functions are called.
typedef struct ExternalMoment {
    const double *const *time; // NULL, or to NULL: before the run
    uint32_t calls;            // of impure functions in this entry of code, which sets it to 0
} ExternalMoment;

// Calls it: one pointer for each argument, to its numbers. 0, or 1 after a failure.
int external_call_site(const ExternalSite *site, double *const *numbers, ExternalMoment *moment);
// The message of its last failure, to be freed.
void external_site_message(const ExternalSite *site, char **message);

// What the model printed, and was warned of, in all runs: the next one from *index on, in this
// thread with those of the last instant. False: none.
typedef struct ExternalMessage {
    double time; // NAN: before the run
    bool is_warning;
    const char *text; // lasts as long as the store
} ExternalMessage;
bool store_next_message(ExternalStore *store, uint32_t *index, ExternalMessage *message);
// The next one that nobody has taken yet.
bool store_take_message(ExternalStore *store, ExternalMessage *message);
void store_say(ExternalStore *store, double time, bool is_warning, const char *text);
// A run begins in this thread. NULL is allowed.
void store_begin(ExternalStore *store);

// See fmi/blocks.h.
typedef enum GuestFunction {
    GUEST_STEP,
    GUEST_BEGIN,
    GUEST_FLOW,
    GUEST_EVENT,
    GUEST_FLOW_FORWARD,
} GuestFunction;

// What the application brings along: classes that are no Modelica files, and the foreign code
// behind them. Of FMUs, fmi/blocks.h makes one.
typedef struct ExternalGuest {
    void *user;
    // The Modelica text of the class that a file is, in the arena; is_whole: with all that is in
    // it, also what nobody can connect. NULL: the message says why.
    const char *(*text)(void *user, Arena *arena, const char *path, bool is_whole,
                        const char **message);
    bool (*call)(void *user, GuestFunction function, ExternalCall *call);
    void (*accepted)(void *user, double time); // a step of it ended at this time
    void (*begin)(void *user);                 // a run begins in this thread
    void (*destroy)(struct ExternalGuest *guest);
} ExternalGuest;

// The store owns the guest from now on; NULL: there is none.
void store_invite(ExternalStore *store, ExternalGuest *guest);
ExternalGuest *store_guest(const ExternalStore *store);       // NULL is allowed
void store_accepted(const ExternalStore *store, double time); // tells the guest; NULL is allowed

// The state of the generator that impure functions share; locked while `use` has it.
struct RandomState;
void store_random(ExternalStore *store, void (*use)(struct RandomState *, void *), void *data);

#endif
