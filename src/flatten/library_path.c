// SPDX-License-Identifier: MIT

#include "flatten/library_path.h"

#include "base/text.h"

#include <ctype.h>
#include <dirent.h>
#include <glob.h>
#include <stdlib.h>
#include <sys/stat.h>

bool path_is_file(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

bool path_is_folder(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

const char *path_join(Arena *arena, const char *folder, const char *name)
{
    StringBuilder path = builder_create(arena);
    const size_t length = strlen(folder);
    const bool has_slash = length && folder[length - 1] == '/';
    builder_append_format(&path, "%s%s%s", folder, has_slash ? "" : "/", name);
    return builder_string(&path).text;
}

const char *path_folder(Arena *arena, const char *path)
{
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    while (length > 0 && path[length - 1] != '/')
        length--;
    return length ? arena_copy_text(arena, path, length) : ".";
}

static bool path_is_package(Arena *arena, const char *folder)
{
    return path_is_file(path_join(arena, folder, "package.mo"));
}

const char *path_package(Arena *arena, const char *path)
{
    char *whole = realpath(path, NULL);
    const char *package = NULL;
    if (!whole)
        return NULL;
    const char *folder = path_is_folder(whole) ? arena_copy_text(arena, whole, strlen(whole))
                                               : path_folder(arena, whole);
    free(whole);
    while (path_is_package(arena, folder) && strcmp(folder, "/") != 0) {
        package = folder;
        folder = path_folder(arena, folder);
    }
    return package;
}

// ---------------------------------------------------------------------------
// Places
// ---------------------------------------------------------------------------

// $VARIABLE/rest, if there is such a folder.
static void path_of_variable(Arena *arena, const char *variable, const char *rest, List *folders)
{
    const char *value = getenv(variable);
    const char *path = value && *value ? path_join(arena, value, rest) : NULL;
    if (path && path_is_folder(path))
        list_append(arena, folders, (void *)path);
}

// All that fit, the last one, which is the newest program, first.
static void path_of_pattern(Arena *arena, const char *pattern, List *folders)
{
    glob_t found = {0};
    if (glob(pattern, 0, NULL, &found) == 0)
        for (size_t i = found.gl_pathc; i-- > 0;)
            list_append(arena, folders,
                        arena_copy_text(arena, found.gl_pathv[i], strlen(found.gl_pathv[i])));
    globfree(&found);
}

void path_standard(Arena *arena, List *folders)
{
    static const char *const patterns[] = {"/usr/lib/omlibrary", "/opt/openmodelica*/lib/omlibrary",
                                           "/opt/dymola*/Modelica/Library"};
    path_of_variable(arena, "HOME", ".openmodelica/libraries", folders);
    path_of_variable(arena, "OPENMODELICAHOME", "lib/omlibrary", folders);
    path_of_variable(arena, "DYMOLA", "Modelica/Library", folders);
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
        path_of_pattern(arena, patterns[i], folders);
}

// ---------------------------------------------------------------------------
// Versions
// ---------------------------------------------------------------------------

int version_compare(const char *a, const char *b)
{
    for (;;) {
        const bool is_a = isdigit((unsigned char)*a), is_b = isdigit((unsigned char)*b);
        if (!is_a || !is_b)
            break;
        char *end_a, *end_b;
        const unsigned long x = strtoul(a, &end_a, 10), y = strtoul(b, &end_b, 10);
        if (x != y)
            return x < y ? -1 : 1;
        // 4.1 is 4.1.0.
        a = *end_a == '.' ? end_a + 1 : strncmp(end_b, ".0", 2) == 0 && !*end_a ? "0" : end_a;
        b = *end_b == '.' ? end_b + 1 : strncmp(end_a, ".0", 2) == 0 && !*end_b ? "0" : end_b;
    }
    const size_t rest_a = strcspn(a, "+"), rest_b = strcspn(b, "+");
    if (!rest_a || !rest_b) // without a text it is the final one
        return (rest_b != 0) - (rest_a != 0);
    const int order = strncmp(a, b, rest_a < rest_b ? rest_a : rest_b);
    return order ? (order > 0) - (order < 0) : (rest_a > rest_b) - (rest_a < rest_b);
}

// The version in the name of a folder, "Modelica 4.1.0"; NULL: it is not NAME, "": it has none.
static const char *version_of(const char *entry, const char *name)
{
    const size_t length = strlen(name);
    if (strncmp(entry, name, length) != 0 || (entry[length] != ' ' && entry[length] != '\0'))
        return NULL;
    return entry[length] ? entry + length + 1 : entry + length;
}

// The folder itself as the library.
static const char *path_itself(Arena *arena, const char *folder, const char *name,
                               const char **version)
{
    char *whole = realpath(folder, NULL);
    const char *slash = whole ? strrchr(whole, '/') : NULL;
    const char *text = slash ? version_of(slash + 1, name) : NULL;
    const bool is_it = text && path_is_package(arena, folder);
    *version = is_it && *text ? arena_copy_text(arena, text, strlen(text)) : NULL;
    free(whole);
    return is_it ? folder : NULL;
}

// The folder of the wanted or highest version; its name, NULL: none.
static const char *path_versioned(Arena *arena, const char *folder, const char *name,
                                  const char *wanted)
{
    const char *best = NULL;
    bool is_wanted = false;
    DIR *listing = opendir(folder);
    if (!listing)
        return NULL;
    for (const struct dirent *entry; (entry = readdir(listing)) != NULL;) {
        const char *version = version_of(entry->d_name, name);
        if (!version || !*version)
            continue;
        const bool is_same = wanted && version_compare(version, wanted) == 0;
        const int order = best ? version_compare(version, version_of(best, name)) : 1;
        // Of equal ones always the same, whatever the order of the folder on disk.
        const bool is_later = order > 0 || (order == 0 && strcmp(entry->d_name, best) > 0);
        if (is_same == is_wanted ? !is_later : is_wanted)
            continue;
        if (!path_is_package(arena, path_join(arena, folder, entry->d_name)))
            continue;
        best = arena_copy_text(arena, entry->d_name, strlen(entry->d_name));
        is_wanted = is_same;
    }
    closedir(listing);
    return best;
}

const char *path_find(Arena *arena, const char *folder, const char *name, const char *wanted,
                      const char **version)
{
    const char *itself = path_itself(arena, folder, name, version);
    const char *path = path_join(arena, folder, name);
    StringBuilder single = builder_create(arena);
    builder_append_format(&single, "%s.mo", path);
    const char *plain = path_is_package(arena, path)                 ? path
                        : path_is_file(builder_string(&single).text) ? builder_string(&single).text
                                                                     : NULL;
    if (itself || (plain && !wanted))
        return itself ? itself : plain;
    StringBuilder foreign = builder_create(arena);
    builder_append_format(&foreign, "%s.fmu", path);
    if (path_is_file(builder_string(&foreign).text))
        return builder_string(&foreign).text;
    const char *versioned = path_versioned(arena, folder, name, wanted);
    const char *found = versioned ? version_of(versioned, name) : NULL;
    if (plain && !(found && version_compare(found, wanted) == 0))
        return plain;
    *version = found;
    return versioned ? path_join(arena, folder, versioned) : NULL;
}
