// SPDX-License-Identifier: MIT

#include "cli/find_model.h"

#include "cli/libraries.h"
#include "flatten/flatten.h"
#include "flatten/library_path.h"

#include <dirent.h>

// Where the models are that come with the command, below its folder of models.
static const char *const own_folders[] = {"examples", "modes", "reference", "../benchmarks/c21"};

// NAME.mo in a folder; NULL: there is none.
static const char *find_in(Arena *arena, const char *folder, const char *name)
{
    StringBuilder path = builder_create(arena);
    builder_append_format(&path, "%s%s%s.mo", folder ? folder : "", folder ? "/" : "", name);
    const char *text = builder_string(&path).text;
    return path_is_file(text) ? text : NULL;
}

// Whether a folder of the search path has a library of this name.
static bool find_is_library(Arena *arena, const LoadedDef *def, const char *name)
{
    List folders = {0};
    const FlattenOptions options = flatten_default_options();
    const char *path = def->library_path ? def->library_path : options.library_path;
    const char *version;
    while (path && *path) {
        const size_t length = strcspn(path, ":");
        list_append(arena, &folders, arena_copy_text(arena, path, length));
        path += length + (path[length] == ':');
    }
    if (options.standard_libraries)
        path_standard(arena, &folders);
    for (uint32_t i = 0; i < folders.count; i++)
        if (path_find(arena, folders.items[i], name, NULL, &version))
            return true;
    return false;
}

// The one of the command's own models; *other is a second one.
static const char *find_own(Arena *arena, const char *name, const char **other)
{
    char models[LIBRARIES_PATH];
    const char *found = NULL;
    *other = NULL;
    if (!libraries_own(models))
        return NULL;
    for (size_t i = 0; i < sizeof own_folders / sizeof *own_folders; i++) {
        const char *path = find_in(arena, path_join(arena, models, own_folders[i]), name);
        if (path && found)
            *other = path;
        else if (path)
            found = path;
    }
    return found;
}

// Adds the names of the files NAME.mo of a folder.
static void find_list(Arena *arena, const char *folder, List *names)
{
    DIR *files = opendir(folder);
    for (const struct dirent *d; files && (d = readdir(files)) != NULL;) {
        const size_t length = strlen(d->d_name);
        if (length > 3 && strcmp(d->d_name + length - 3, ".mo") == 0)
            list_append(arena, names, arena_copy_text(arena, d->d_name, length - 3));
    }
    if (files)
        closedir(files);
}

// The name of a file that may be meant; NULL: none.
static const char *find_nearest_file(Arena *arena, const char *name)
{
    List names = {0};
    char models[LIBRARIES_PATH];
    find_list(arena, ".", &names);
    find_list(arena, "models", &names);
    for (size_t i = 0; libraries_own(models) && i < sizeof own_folders / sizeof *own_folders; i++)
        find_list(arena, path_join(arena, models, own_folders[i]), &names);
    return text_nearest(name, (const char *const *)(void *)names.items, names.count);
}

// Whether a class of the top level has this name and can be run. Its errors are reported when it is
// opened.
static bool find_is_model(const char *path, const char *name)
{
    Compilation *c = compilation_create(NULL);
    const SourceFile *file;
    bool is_model = false;
    jmp_buf exhaustion;
    if (!c)
        return true;
    arena_on_exhaustion(c->arena, &exhaustion);
    if (setjmp(exhaustion) == 0 && sources_read(c->sources, path, &file) == SOURCE_OK) {
        const StoredDefinition *text = parser_parse(c, file);
        for (uint32_t i = 0; text && i < text->count; i++) {
            const ClassDefinition *class = text->classes[i];
            if (strcmp(class->name->text, name) == 0)
                is_model = class->kind == CLASS_MODEL || class->kind == CLASS_BLOCK ||
                           class->kind == CLASS_CLASS;
        }
    }
    compilation_destroy(c);
    return is_model;
}

bool find_model(const OptionTable *table, Arena *arena, LoadedDef *def)
{
    const char *other = NULL;
    if (def->file_count || !def->model || def->model[0] == '\'' || def->model[0] == '.')
        return true;
    const size_t length = strcspn(def->model, ".");
    const char *name = arena_copy_text(arena, def->model, length);
    const char *path = find_in(arena, NULL, name);
    if (!path)
        path = find_in(arena, "models", name);
    if (!path && !find_is_library(arena, def, name))
        path = find_own(arena, name, &other);
    if (!path) {
        const bool is_known = def->model[length] || find_is_library(arena, def, name);
        const char *nearest = is_known ? NULL : find_nearest_file(arena, name);
        if (nearest)
            options_complain(table, "there is no model '%s'; did you mean '%s'?", name, nearest);
        return !nearest;
    }
    if (other) {
        options_complain(table, "there are two models '%s': give the file, %s or %s", name, path,
                         other);
        return false;
    }
    const char **files = ARENA_ARRAY(arena, 1, const char *);
    files[0] = path;
    def->files = files;
    def->file_count = 1;
    if (!def->model[length] && !find_is_model(path, name))
        def->model = NULL;
    return true;
}
