// SPDX-License-Identifier: MIT
//
// Modules for tests: all variables in one input vector "x" by their numbers, held values in
// "held", outputs in vectors "y0", "y1", ...; run by the interpreter and, where there is a
// compiler, as emitted C from a cache folder of the test's own.

#ifndef SALTUS_TESTS_SUPPORT_CODE_H
#define SALTUS_TESTS_SUPPORT_CODE_H

#include "code/code.h"
#include "code/native.h"

typedef struct Harness {
    CodeModule *module;
    Native *native;
    CodeRun *run;
} Harness;

// Group fixtures: a cache folder for this program, removed at the end.
int harness_make_cache(void **state);
int harness_remove_cache(void **state);
const char *harness_cache(void);

// Variables that are added to the graph later have no place.
Harness harness_begin(Dag *dag, uint32_t outputs);
// Fails the test if the entry cannot be built.
uint32_t harness_add(Harness *h, const char *name, const CodeOutput *outputs, uint32_t count,
                     bool is_held);
// Compiles and waits. Fails the test if there is a compiler and it fails.
void harness_finish(Harness *h);
CodeRun *harness_run(const Harness *h);
void harness_end(Harness *h);
// The code, one instruction per line; in the arena of the module.
const char *harness_text(const Harness *h);

// The same double, or both NaN.
bool same_bits(double a, double b);

#endif
