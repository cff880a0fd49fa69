// SPDX-License-Identifier: MIT

#include "support/code.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char cache_folder[64];

int harness_make_cache(void **state)
{
    (void)state;
    snprintf(cache_folder, sizeof cache_folder, "/tmp/saltus-test-XXXXXX");
    return mkdtemp(cache_folder) ? 0 : -1;
}

int harness_remove_cache(void **state)
{
    (void)state;
    DIR *folder = opendir(cache_folder);
    char path[512];
    for (struct dirent *e; folder && (e = readdir(folder));) {
        snprintf(path, sizeof path, "%s/%s", cache_folder, e->d_name);
        if (e->d_name[0] != '.')
            unlink(path);
    }
    if (folder)
        closedir(folder);
    return rmdir(cache_folder);
}

const char *harness_cache(void)
{
    return cache_folder;
}

Harness harness_begin(Dag *dag, uint32_t outputs)
{
    static const char *const inputs[] = {"x", "held"};
    static const char *const names[] = {"y0", "y1", "y2", "y3"};
    CodePlace *places = ARENA_ARRAY(dag->arena, dag->variable_count, CodePlace);
    for (uint32_t v = 0; v < dag->variable_count; v++)
        places[v] = (CodePlace){0, v};
    const CodeLayout layout = {.input_count = 2,
                               .output_count = outputs,
                               .input_names = inputs,
                               .output_names = names,
                               .held = 1,
                               .places = places,
                               .place_count = dag->variable_count};
    return (Harness){.module = code_create(dag, &layout)};
}

uint32_t harness_add(Harness *h, const char *name, const CodeOutput *outputs, uint32_t count,
                     bool is_held)
{
    const char *reason = NULL;
    const CodeEntryDef def = {
        .name = name, .outputs = outputs, .output_count = count, .is_held = is_held};
    const uint32_t entry = code_add_entry(h->module, &def, &reason);
    if (entry == CODE_NONE)
        fail_msg("%s", reason);
    return entry;
}

void harness_finish(Harness *h)
{
    code_finish(h->module);
    h->run = calloc(1, sizeof *h->run);
    h->run->frame = calloc(h->module->frame_size + 1, sizeof(double));
    code_init_frame(h->module, NULL, h->run->frame);
    const NativeOptions options = {.cache = cache_folder};
    h->native = native_start(h->module, "test", &options);
    const NativeStatus status = native_poll(h->native, true);
    if (status != NATIVE_READY && status != NATIVE_NO_COMPILER)
        fail_msg("%s", native_reason(h->native));
}

CodeRun *harness_run(const Harness *h)
{
    return h->run;
}

void harness_end(Harness *h)
{
    native_destroy(h->native);
    free(h->run->frame);
    free(h->run);
}

bool same_bits(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0 || (a != a && b != b);
}
