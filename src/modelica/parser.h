// SPDX-License-Identifier: MIT
//
// The parser: Modelica text to syntax tree, by recursive descent, one function per grammar rule.
// Errors are reported to the diagnostics and recovered from; the tree of a file with errors has
// holes and is good for nothing but looking at.

#ifndef SALTUS_MODELICA_PARSER_H
#define SALTUS_MODELICA_PARSER_H

#include "base/diagnostics.h"
#include "modelica/syntax.h"

// What the stages of one compilation share. All of it lives in the arena.
typedef struct Compilation {
    Arena *arena;
    Sources *sources;
    Names *names;
    Diagnostics *diagnostics;
    struct ExternalStore *externals; // what external functions keep, see external/external.h
} Compilation;

// Creates all of them; NULL if there is no memory. `allocator` may be NULL. Everything that was
// made with a compilation ends with it.
Compilation *compilation_create(const SaltusAllocator *allocator);
void compilation_destroy(Compilation *compilation); // NULL is allowed

// The tree of a file that was added to the compilation's sources. NULL only if memory ran out (or
// the arena's maximum was reached), which is reported as an error without place. Whether the file
// has syntax errors: diagnostics->error_count has grown.
StoredDefinition *parser_parse(Compilation *compilation, const SourceFile *file);

// A single expression, as given to an option of the command: the same, with NULL for any error.
Expression *parser_parse_expression(Compilation *compilation, const SourceFile *file);

#endif
