// SPDX-License-Identifier: MIT
//
// All libFuzzer targets in one program: `fuzz --target=NAME [OPTION OF LIBFUZZER...] [CORPUS...]`.
// One program, because each would have the whole of Saltus in it, instrumented and sanitized.

#include "mutate.h"
#include "target.h"

#include <string.h>
#include <unistd.h>

typedef struct FuzzTarget {
    const char *name;
    int (*run)(const uint8_t *data, size_t size);
    bool is_modelica; // inputs are texts of Modelica, which are changed by tokens, too
} FuzzTarget;

static const FuzzTarget targets[] = {
    {"parse", fuzz_parse, true},      {"flatten", fuzz_flatten, true},
    {"model", fuzz_model, true},      {"run", fuzz_run, true},
    {"solvers", fuzz_solvers, true},  {"draw", fuzz_draw, true},
    {"table", fuzz_table, false},     {"description", fuzz_description, false},
    {"inflate", fuzz_inflate, false}, {"chart", fuzz_chart, false},
    {"archive", fuzz_archive, false},
};

// libFuzzer calls back without an argument of ours, so the choice must stand in a global.
static const FuzzTarget *chosen;

int LLVMFuzzerInitialize(int *count, char ***arguments)
{
    for (int i = 1; i < *count; i++)
        for (size_t k = 0; k < sizeof targets / sizeof targets[0]; k++)
            if (strncmp((*arguments)[i], "--target=", 9) == 0 &&
                strcmp((*arguments)[i] + 9, targets[k].name) == 0)
                chosen = &targets[k];
    if (!chosen) {
        fputs("fuzz: --target=NAME is missing; the names are:", stderr);
        for (size_t k = 0; k < sizeof targets / sizeof targets[0]; k++)
            fprintf(stderr, " %s", targets[k].name);
        fputs("\n", stderr);
        exit(2);
    }
    return 0;
}

bool target_put(char path[TARGET_PATH], const char *ending, const uint8_t *data, size_t size)
{
    snprintf(path, TARGET_PATH, "/tmp/saltus-fuzz-%ld%s", (long)getpid(), ending);
    FILE *file = fopen(path, "wb");
    if (!file)
        return false;
    const bool is_written = fwrite(data, 1, size, file) == size;
    return fclose(file) == 0 && is_written;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return chosen->run(data, size);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    if (!chosen->is_modelica || seed % 2 == 0)
        return LLVMFuzzerMutate(data, size, most);
    return mutate_tokens(data, size, data, size, most, seed);
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t *first, size_t first_size, const uint8_t *second,
                                 size_t second_size, uint8_t *out, size_t most, unsigned seed)
{
    if (first_size > most)
        return 0;
    memcpy(out, first, first_size);
    return mutate_tokens(out, first_size, second, second_size, most, seed);
}
