// SPDX-License-Identifier: MIT

#include "cli/libraries.h"

#include "base/text.h"
#include "flatten/flatten.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

bool libraries_find_program(char folder[LIBRARIES_PATH])
{
    char name[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", name, sizeof name - 1);
    name[length > 0 ? length : 0] = '\0';
    const unsigned long called = length > 0 ? 0 : getauxval(AT_EXECFN); // without /proc
    if (called && !realpath((const char *)called, name))
        return false;
    const char *slash = strrchr(name, '/');
    if (slash)
        snprintf(folder, LIBRARIES_PATH, "%.*s", (int)(slash - name), name);
    return slash != NULL;
}

// MODELICAPATH with one more folder at its end.
static void libraries_append(const char *folder)
{
    const char *given = getenv("MODELICAPATH");
    if (!given || !*given)
        given = getenv("OPENMODELICALIBRARY");
    const bool is_alone = !given || !*given;
    const size_t size = (is_alone ? 0 : strlen(given)) + strlen(folder) + 2;
    char *all = malloc(size);
    if (!all)
        return;
    snprintf(all, size, "%s%s%s", is_alone ? "" : given, is_alone ? "" : ":", folder);
    setenv("MODELICAPATH", all, 1);
    free(all);
}

bool libraries_own(char folder[LIBRARIES_PATH])
{
    static const char *const places[] = {"../share/saltus/models", "../models"}; // installed, built
    char program[LIBRARIES_PATH], package[LIBRARIES_PATH + 32];
    if (!libraries_find_program(program))
        return false;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        snprintf(folder, LIBRARIES_PATH, "%.4096s/%s", program, places[i]);
        snprintf(package, sizeof package, "%s/Saltus/package.mo", folder);
        if (access(package, R_OK) == 0)
            return true;
    }
    return false;
}

void libraries_add_own(void)
{
    char folder[LIBRARIES_PATH];
    if (libraries_own(folder))
        libraries_append(folder);
}

const char *libraries_path(Arena *arena, const OptionList *folders)
{
    const char *others = flatten_default_options().library_path;
    StringBuilder path = builder_create(arena);
    if (!folders->count)
        return NULL;
    for (size_t i = 0; i < folders->count; i++)
        builder_append_format(&path, "%s%s", i ? ":" : "", folders->items[i]);
    if (others)
        builder_append_format(&path, ":%s", others);
    return builder_string(&path).text;
}
