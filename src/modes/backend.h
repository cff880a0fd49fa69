// SPDX-License-Identifier: MIT
//
// How the code of a model's programs is run: interpreted, or compiled by the C compiler of the
// machine. Both compute the same bits, so compiled code can take over at any time.
//
// What always holds: a program has at most one compilation, whichever run or thread asked for it
// first; what it made is used by all, until the program is released.

#ifndef SALTUS_MODES_BACKEND_H
#define SALTUS_MODES_BACKEND_H

#include "code/native.h"

#include <saltus/saltus.h>

#include <pthread.h>
#include <stdatomic.h>

// X(NAME, "name", what it does)
#define BACKEND_LIST(X)                                                                            \
    X(INTERPRET, "interpret", "the interpreter, always")                                           \
    X(C, "c", "the C compiler, before a mode is entered")                                          \
    X(AUTO, "auto", "the C compiler in the background, once a run takes long")                     \
    X(WHOLE, "whole", "the C compiler, and steps and events of the whole model as one function")

typedef enum BackendChoice {
#define X(name, text, what) BACKEND_##name,
    BACKEND_LIST(X)
#undef X
        BACKEND_COUNT,
} BackendChoice;

// What the programs of a model share.
typedef struct Backend {
    BackendChoice choice;
    const char *title;     // of the emitted text
    NativeOptions options; // compiler, cache
    pthread_mutex_t
        *graph; // guards what modules are made from, while others make more; may be NULL
    // Stretches of runs by code for the whole model, if there is any: see kernel/whole.h.
    SaltusStretchEnd (*stretch)(SaltusStretch *stretch);
    SaltusEventUpdate replay;
    void *whole;
    void (*whole_destroy)(void *whole);
} Backend;

// Whether modes are compiled before they are entered.
static inline bool backend_is_c(const Backend *backend)
{
    return backend->choice == BACKEND_C || backend->choice == BACKEND_WHOLE;
}

// The compilation of one program.
typedef struct BackendCode {
    _Atomic(const CodeFunction *) functions; // by entry; NULL: interpret
    atomic_int is_busy;                      // somebody starts or polls it
    atomic_uint spent; // us that runs have spent without it, as far as they are over
    Native *native;
    CodeFunction *table;
    bool is_over; // it is ready or never will be
} BackendCode;

// Begins to compile unless that was done. wait: until it is ready or has failed. Any number of
// threads may ask; those that come while another one is busy with it go on without, unless they
// wait.
void backend_compile(BackendCode *code, const CodeModule *module, const Backend *backend,
                     bool wait);
// Why there is no compiled code, in words; "" if there is, or if nobody asked for it.
const char *backend_reason(const BackendCode *code);
// No run may use it any more.
void backend_release(BackendCode *code);

// Code with more instructions than this is not compiled in the background: it would take minutes.
enum { BACKEND_MOST_INSTRUCTIONS = 100000 };
// The same of models that have several modes, for all but the first one.
enum { BACKEND_MOST_MODE_INSTRUCTIONS = 10000 };

#endif
