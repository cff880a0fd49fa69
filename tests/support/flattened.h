// SPDX-License-Identifier: MIT
//
// A flat model from text, for tests of what comes after the flattener: without the headers of the
// syntax tree, whose operators and statements have the same names as those of the graph.

#ifndef SALTUS_TESTS_SUPPORT_FLATTENED_H
#define SALTUS_TESTS_SUPPORT_FLATTENED_H

#include "base/diagnostics.h"
#include "flatten/flat.h"

typedef struct Flattened {
    struct Compilation *compilation;
    Arena *arena;
    Diagnostics *diagnostics;
    const FlatModel *model;
} Flattened;

// The last model of the text; fails the test, and shows the errors, if there is none.
Flattened flattened_from_text(const char *text);
void flattened_show_errors(const Flattened *f);
void flattened_end(Flattened *f);

#endif
