// SPDX-License-Identifier: MIT
//
// A module compiled by the C compiler of the machine, loaded into this process: the fast way to run
// it. Compilation takes some 25 ms or more, so it can go on in the background; its result is cached
// by content. Where there is no compiler, or the result cannot be loaded, the interpreter does the
// same, bit by bit: none of that is an error.

#ifndef SALTUS_CODE_NATIVE_H
#define SALTUS_CODE_NATIVE_H

#include "code/code.h"

// What the compiler is called with: no contraction into fused multiply-adds, and no evaluation of
// functions at compile time, so that the bits are those of the interpreter.
#define NATIVE_FLAGS "-O3", "-ffp-contract=off", "-fno-builtin", "-shared", "-fPIC", "-w"

// Which folder the compiled code is in.
typedef enum NativeStore {
    NATIVE_CACHED, // that of the user, for this compiler
    // One that goes with the model to machines without a compiler: the emitted text alone names the
    // files, KEY.so and, when it is filled, KEY.c.
    NATIVE_FILLED,
    NATIVE_SEALED, // the same, but nothing is compiled and nothing written
} NativeStore;

// Code that is linked into this program: an FMU that was built from its sources.
typedef struct NativeBuiltIn {
    const char *key; // NULL: the end of the list
    const CodeFunction *entries;
} NativeBuiltIn;

typedef struct NativeOptions {
    const char *compiler; // NULL: "cc", found in PATH
    const char *cache;    // folder; NULL: XDG_CACHE_HOME/saltus, see cache.h
    NativeStore store;
    const NativeBuiltIn *built_in; // of NATIVE_SEALED; may be NULL
} NativeOptions;

typedef struct Native Native;

typedef enum NativeStatus {
    NATIVE_READY,
    NATIVE_COMPILING,
    NATIVE_NO_COMPILER,
    NATIVE_FAILED,
} NativeStatus;

// Emits a finished module and begins to compile it, or loads it from the cache; `options` may be
// NULL. NULL only if there is no memory. The module need not outlive the call.
Native *native_start(const CodeModule *module, const char *title, const NativeOptions *options);
// The same of a text in "c" or "cu"; its functions have any form, and are the entries. Flags and
// names of functions end with NULL; the flags must outlive what is made of the text.
Native *native_start_text(String source, const char *language, const char *const *flags,
                          const char *const *names, const NativeOptions *options);
// Whether it is ready; `wait`: until it is or has failed.
NativeStatus native_poll(Native *native, bool wait);
// Why there is nothing to call; "" otherwise.
const char *native_reason(const Native *native);
// The code of an entry of the module, once it is ready; else NULL.
CodeFunction native_entry(const Native *native, uint32_t entry);
// Ends a compilation that is going on. No function of it may be running.
void native_destroy(Native *native); // NULL is allowed

#endif
