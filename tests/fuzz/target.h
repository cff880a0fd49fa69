// SPDX-License-Identifier: MIT
//
// What the libFuzzer targets share.

#ifndef SALTUS_TESTS_FUZZ_TARGET_H
#define SALTUS_TESTS_FUZZ_TARGET_H

#include "flatten/flatten.h"
#include "modelica/parser.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

// What libFuzzer calls, and what it offers.
int LLVMFuzzerInitialize(int *count, char ***arguments);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *first, size_t first_size, const uint8_t *second,
                                 size_t second_size, uint8_t *out, size_t most, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

// The targets, a file each (fuzz_NAME.c).
int fuzz_parse(const uint8_t *data, size_t size);
int fuzz_flatten(const uint8_t *data, size_t size);
int fuzz_model(const uint8_t *data, size_t size);
int fuzz_run(const uint8_t *data, size_t size);
int fuzz_solvers(const uint8_t *data, size_t size); // fuzz_run.c
int fuzz_draw(const uint8_t *data, size_t size);
int fuzz_table(const uint8_t *data, size_t size);
int fuzz_description(const uint8_t *data, size_t size);
int fuzz_inflate(const uint8_t *data, size_t size);
int fuzz_chart(const uint8_t *data, size_t size);
int fuzz_archive(const uint8_t *data, size_t size);

// The bytes as a file whose name ends so, to be unlinked; false: it cannot be written.
enum { TARGET_PATH = 64 };
bool target_put(char path[TARGET_PATH], const char *ending, const uint8_t *data, size_t size);

// What always holds; otherwise the input is a finding.
static inline void require(bool condition, const char *what)
{
    if (condition)
        return;
    fprintf(stderr, "violated: %s\n", what);
    abort();
}

// The input as a file of the compilation, parsed; NULL: too large to be one.
static inline StoredDefinition *target_parse(Compilation *c, const uint8_t *data, size_t size)
{
    const SourceFile *file;
    if (sources_add(c->sources, "fuzz.mo", (const char *)data, size, &file) != SOURCE_OK)
        return NULL;
    StoredDefinition *definition = parser_parse(c, file);
    require(definition != NULL, "there is a tree");
    return definition;
}

// Its last model, in bounded memory and time; NULL: it has none, or errors.
static inline const FlatModel *target_flatten(Compilation *c, const uint8_t *data, size_t size,
                                              size_t most_memory)
{
    char *text = arena_copy_text(c->arena, (const char *)data, size); // up to a zero in it
    if (!text)
        return NULL;
    FlattenOptions options = flatten_default_options();
    options.text = text;
    options.library_path = NULL;
    options.standard_libraries = false;
    options.memory_maximum = most_memory;
    options.step_maximum = 100 * 1000;
    const FlatModel *model = flatten_files(c, 0, NULL, NULL, &options);
    require((model == NULL) == (c->diagnostics->error_count > 0), "there is a model, or an error");
    arena_set_maximum(c->arena, 0); // the limit was for the flattener
    return model;
}

#endif
