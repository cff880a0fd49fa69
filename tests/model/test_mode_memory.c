// SPDX-License-Identifier: MIT
//
// What modes cost in memory: little more than their programs, and nothing of the analysis.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "flatten/flatten.h"
#include "modes/model.h"
#include "structure/structure.h"

#include <stdlib.h>

// ---------------------------------------------------------------------------
// An allocator that counts
// ---------------------------------------------------------------------------

typedef struct Count {
    size_t bytes, most; // now, and the largest so far
} Count;

typedef union Header {
    size_t size;
    max_align_t alignment;
} Header;

static void *reallocate(void *user, void *block, size_t size)
{
    Count *count = user;
    Header *old = block ? (Header *)block - 1 : NULL;
    const size_t before = old ? old->size : 0;
    if (size == 0) {
        count->bytes -= before;
        free(old);
        return NULL;
    }
    Header *header = realloc(old, sizeof *header + size);
    if (!header)
        return NULL;
    header->size = size;
    count->bytes += size - before;
    if (count->bytes > count->most)
        count->most = count->bytes;
    return header + 1;
}

// ---------------------------------------------------------------------------
// Tests
// ---------------------------------------------------------------------------

static const Model *compile(Compilation *c, const char *file, const char *name,
                            const char *modification)
{
    FlattenOptions options = flatten_default_options();
    options.modification = modification;
    const FlatModel *flat = flatten_files(c, 1, &file, name, &options);
    return flat ? model_create(c->arena, flat, c->diagnostics) : NULL;
}

static void the_analysis_of_a_mode_is_not_kept(void **state)
{
    (void)state;
    enum { MODES = 40 };
    Count count = {0};
    Compilation *c = compilation_create(&(SaltusAllocator){reallocate, &count});
    const Model *m =
        compile(c, SALTUS_SOURCE_DIR "/models/modes/Circuits.mo", "Circuits.Ladder", "(n = 25)");
    assert_non_null(m);
    const size_t before = count.bytes;
    model_explore(m, 1 + MODES);
    assert_int_equal(model_mode_count(m), 1 + MODES);
    // About 120 kB each are needed. The analysis takes 3 MB.
    assert_true(count.bytes - before < MODES * (size_t)250000);
    model_release(m);
    compilation_destroy(c);
    assert_int_equal(count.bytes, 0);
}

// What asks for the structure of a mode gets it, and it stays.
static void a_structure_is_found_again(void **state)
{
    (void)state;
    Compilation *c = compilation_create(NULL);
    const Model *m =
        compile(c, SALTUS_SOURCE_DIR "/models/modes/Circuits.mo", "Circuits.Ladder", "(n = 3)");
    assert_non_null(m);
    model_explore(m, 4);
    for (uint32_t i = 0; i < model_mode_count(m); i++) {
        const Structure *s = model_mode_info(m, i).structure;
        assert_non_null(s);
        assert_ptr_equal(s, model_mode_info(m, i).structure);
        assert_true(s->state_count > 0);
    }
    model_release(m);
    compilation_destroy(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_analysis_of_a_mode_is_not_kept),
        cmocka_unit_test(a_structure_is_found_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
