// SPDX-License-Identifier: MIT
//
// Files and models of a command: see model.h.

#include "cli/model.h"

#include "cli/find_model.h"
#include "cli/libraries.h"
#include "cli/watch.h"
#include "fmi/blocks.h"
#include "kernel/whole.h"
#include "results/table.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

BackendChoice model_backend(int choice)
{
    static const BackendChoice backends[] = {BACKEND_AUTO, BACKEND_INTERPRET, BACKEND_C,
                                             BACKEND_WHOLE};
    return backends[choice];
}

void model_print_backend(const Model *model, bool is_compiled, const char *reason, bool has_whole)
{
    if (!is_compiled && reason[0])
        fprintf(stderr, "saltus: warning: the equations are interpreted: %s\n", reason);
    if (whole_reason(model)[0] && !has_whole)
        fprintf(stderr, "saltus: warning: the model does not run as a whole: %s\n",
                whole_reason(model));
}

static bool is_path(const char *word)
{
    const size_t length = strlen(word);
    struct stat info;
    return (length > 3 && strcmp(word + length - 3, ".mo") == 0) || stat(word, &info) == 0;
}

// A word that is neither a file of models nor the name of one.
static bool model_complain_word(const OptionTable *table, const char *word, bool allow_external)
{
    TableFormat format;
    const size_t length = strlen(word);
    const bool is_foreign = length > 4 && strcmp(word + length - 4, ".fmu") == 0;
    if (is_foreign && !allow_external)
        options_complain(table,
                         "'%s' is an FMU, which is foreign code and can do whatever you can; "
                         "--allow-external runs it",
                         word);
    else if (is_path(word) && table_format(word, &format))
        options_complain(table, "'%s' is a result; models are in files that end in .mo", word);
    else if (!is_path(word) && strchr(word, '=') && word[0] != '\'')
        options_complain(table, "'%s' is no file and no model; -p %s sets a parameter", word, word);
    else
        return false;
    return true;
}

// A folder has to be a package.
static bool is_readable(const char *path)
{
    struct stat info;
    char package[4096];
    snprintf(package, sizeof package, "%s/package.mo", path);
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode) && access(package, R_OK) != 0)
        fprintf(stderr, "saltus: the folder '%s' is no package: there is no package.mo in it\n",
                path);
    else if (access(path, R_OK) != 0)
        fprintf(stderr, "saltus: cannot read '%s': %s\n", path, strerror(errno));
    else
        return true;
    return false;
}

static bool model_read_words(const OptionTable *table, int argc, char **argv, bool allow_external,
                             LoadedDef *def, const char **files)
{
    const char *other = NULL; // a second word that is no file
    for (int i = 1; i < argc; i++) {
        if (model_complain_word(table, argv[i], allow_external))
            return false;
        if (is_path(argv[i]))
            files[def->file_count++] = argv[i];
        else if (!def->model)
            def->model = argv[i];
        else if (!other)
            other = argv[i];
    }
    def->files = files;
    // Names of models have no slash; of two words without a file the first is meant to be one.
    if (def->model && (strchr(def->model, '/') || (other && !def->file_count)))
        options_complain(table, "cannot read '%s': %s", def->model, strerror(ENOENT));
    else if (other)
        options_complain(table, "'%s' is neither a file nor the only model", other);
    else if (!def->file_count && !def->model)
        options_complain(table, "no file given");
    else
        return true;
    return false;
}

// -p NAME=VALUE, --start NAME=VALUE: the latter is a setting of NAME.start.
static bool model_read_settings(const OptionTable *table, Arena *arena, const OptionList *list,
                                bool is_start, NamedSetting *settings, size_t *count)
{
    for (size_t i = 0; list && i < list->count; i++) {
        const char *text = list->items[i], *equals = strchr(text, '=');
        if (!equals || equals == text || equals[1] == '\0') {
            options_complain(table, "%s needs NAME=VALUE, not '%s'", is_start ? "--start" : "-p",
                             text);
            return false;
        }
        StringBuilder name = builder_create(arena);
        builder_append(&name, text, (size_t)(equals - text));
        builder_append_text(&name, is_start ? ".start" : "");
        settings[(*count)++] =
            (NamedSetting){.name = builder_string(&name).text, .text = equals + 1};
    }
    return true;
}

bool model_watch(const OptionTable *table, const ModelOptions *options)
{
    if (options->max_time < 0.0 || options->max_memory < 0.0) {
        const bool is_time = options->max_time < 0.0;
        options_complain(table, "--max-%s=%g must not be negative", is_time ? "time" : "memory",
                         is_time ? options->max_time : options->max_memory);
        return false;
    }
    watch_limit(table->command, options->max_time, options->max_memory);
    return true;
}

bool model_arguments(const OptionTable *table, int argc, char **argv, const ModelOptions *options,
                     const OptionList *parameters, const OptionList *starts,
                     ModelArguments *arguments)
{
    Arena *arena = arena_create(NULL);
    *arguments = (ModelArguments){.arena = arena};
    if (options && !model_watch(table, options))
        return false;
    const char **files = arena ? ARENA_ARRAY(arena, argc, const char *) : NULL;
    NamedSetting *settings =
        arena ? ARENA_ARRAY(arena, 2 * OPTION_LIST_LENGTH, NamedSetting) : NULL;
    LoadedDef *def = &arguments->def;
    if (!files || !settings) {
        fprintf(stderr, "saltus %s: out of memory\n", table->command);
        return false;
    }
    def->settings = settings;
    def->is_confined = true;
    if (!model_read_words(table, argc, argv, options && options->allow_external, def, files) ||
        !model_read_settings(table, arena, parameters, false, settings, &def->setting_count) ||
        !model_read_settings(table, arena, starts, true, settings, &def->setting_count))
        return false;
    if (options && options->allow_external)
        def->invite = blocks_create;
    def->allows_foreign = options && options->allow_external;
    if (options)
        def->library_path = libraries_path(arena, &options->libraries);
    bool are_readable = find_model(table, arena, def);
    for (size_t i = 0; i < def->file_count; i++)
        are_readable = is_readable(def->files[i]) && are_readable;
    return are_readable;
}

void model_arguments_free(ModelArguments *arguments)
{
    arena_destroy(arguments->arena);
    *arguments = (ModelArguments){0};
}

void model_print_messages(const Compilation *compilation, const ModelOptions *options)
{
    StringBuilder out = builder_create(compilation->arena);
    const bool colour = options->colour == COLOUR_ALWAYS ||
                        (options->colour == COLOUR_AUTO && options_use_colour());
    diagnostics_render_text(compilation->diagnostics, colour, &out);
    const char *text = builder_string(&out).text;
    // Without memory there are errors, but no room for their text.
    fputs(!text[0] && compilation->diagnostics->error_count > 0 ? "saltus: error: out of memory\n"
                                                                : text,
          stderr);
}

// `use` allocates in the arena, which does not return from where the memory ends.
static ExitStatus use_in_arena(const OptionTable *table, ModelUse *use, const void *command,
                               const Loaded *loaded)
{
    jmp_buf exhaustion;
    if (setjmp(exhaustion) != 0) {
        fprintf(stderr, "saltus %s: out of memory\n", table->command);
        return EXIT_RUN_FAILED;
    }
    arena_on_exhaustion(loaded->compilation->arena, &exhaustion);
    const ExitStatus status = use(command, loaded);
    arena_on_exhaustion(loaded->compilation->arena, NULL);
    return status;
}

ExitStatus model_open(const OptionTable *table, const ModelArguments *arguments, ModelUse *use,
                      const void *command)
{
    Loaded *loaded = loaded_create(&arguments->def);
    ExitStatus status = EXIT_RUN_FAILED;
    if (!loaded)
        fprintf(stderr, "saltus %s: out of memory\n", table->command);
    else if (loaded->refusal)
        status = options_complain(table, "%s", loaded->refusal);
    else if (!options_spare(table, command, loaded->compilation->sources))
        status = EXIT_USAGE;
    else
        status = use_in_arena(table, use, command, loaded);
    loaded_destroy(loaded);
    return status;
}

ExitStatus model_use(const OptionTable *table, int argc, char **argv, const ModelOptions *options,
                     bool is_flat, ModelUse *use, const void *command)
{
    ModelArguments arguments;
    ExitStatus status = EXIT_USAGE;
    if (model_arguments(table, argc, argv, options, NULL, NULL, &arguments)) {
        arguments.def.is_flat = is_flat;
        status = model_open(table, &arguments, use, command);
    }
    model_arguments_free(&arguments);
    return status;
}
