// SPDX-License-Identifier: MIT
//
// Files and models of a command: see model.h.

#include "cli/model.h"

#include "results/table.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_path(const char *word)
{
    const size_t length = strlen(word);
    struct stat info;
    return (length > 3 && strcmp(word + length - 3, ".mo") == 0) || stat(word, &info) == 0;
}

// A word that is neither a file of models nor the name of one.
static bool complain_word(const OptionTable *table, const char *word)
{
    TableFormat format;
    if (is_path(word) && table_format(word, &format))
        options_complain(table, "'%s' is a result; models are in files that end in .mo", word);
    else if (!is_path(word) && strchr(word, '=') && word[0] != '\'')
        options_complain(table, "'%s' is no file and no model; -p %s sets a parameter", word, word);
    else
        return false;
    return true;
}

bool model_arguments(const OptionTable *table, int argc, char **argv, ModelArguments *arguments)
{
    *arguments = (ModelArguments){.files = calloc((size_t)argc, sizeof *arguments->files)};
    if (!arguments->files)
        return false;
    for (int i = 1; i < argc; i++) {
        if (complain_word(table, argv[i]))
            return false;
        if (is_path(argv[i])) {
            arguments->files[arguments->file_count++] = argv[i];
        } else if (!arguments->model) {
            arguments->model = argv[i];
        } else {
            options_complain(table, "'%s' is neither a file nor the only model", argv[i]);
            return false;
        }
    }
    if (!arguments->file_count && arguments->model && strchr(arguments->model, '/'))
        options_complain(table, "cannot read '%s': %s", arguments->model, strerror(ENOENT));
    else if (!arguments->file_count && !arguments->model)
        options_complain(table, "no file given");
    else
        return true;
    return false;
}

void model_arguments_free(ModelArguments *arguments)
{
    free(arguments->files);
    arguments->files = NULL;
}

FlatModel *model_read(Compilation *compilation, const ModelArguments *arguments, bool *is_readable)
{
    return model_read_modified(compilation, arguments, NULL, is_readable);
}

FlatModel *model_read_modified(Compilation *compilation, const ModelArguments *arguments,
                               const char *modification, bool *is_readable)
{
    *is_readable = true;
    for (size_t i = 0; i < arguments->file_count; i++) {
        struct stat info;
        char package[4096];
        snprintf(package, sizeof package, "%s/package.mo", arguments->files[i]);
        if (stat(arguments->files[i], &info) == 0 && S_ISDIR(info.st_mode) &&
            access(package, R_OK) != 0) {
            fprintf(stderr, "saltus: the folder '%s' is no package: there is no package.mo in it\n",
                    arguments->files[i]);
            *is_readable = false;
        } else if (access(arguments->files[i], R_OK) != 0) {
            fprintf(stderr, "saltus: cannot read '%s': %s\n", arguments->files[i], strerror(errno));
            *is_readable = false;
        }
    }
    if (!*is_readable)
        return NULL;
    FlattenOptions options = flatten_default_options();
    options.modification = modification;
    return flatten_files(compilation, arguments->file_count, arguments->files, arguments->model,
                         &options);
}

void model_print_messages(const Compilation *compilation, ColourChoice choice)
{
    StringBuilder out = builder_create(compilation->arena);
    const bool colour = choice == COLOUR_ALWAYS || (choice == COLOUR_AUTO && options_use_colour());
    diagnostics_render_text(compilation->diagnostics, colour, &out);
    fputs(builder_string(&out).text, stderr);
}

// `use` allocates in the arena, which does not return from where the memory ends.
static ExitStatus use_in_arena(const OptionTable *table, ModelUse *use, const void *command,
                               Compilation *compilation, const FlatModel *flat)
{
    jmp_buf exhaustion;
    if (setjmp(exhaustion) != 0) {
        fprintf(stderr, "saltus %s: out of memory\n", table->command);
        return EXIT_RUN_FAILED;
    }
    arena_on_exhaustion(compilation->arena, &exhaustion);
    const ExitStatus status = use(command, compilation, flat);
    arena_on_exhaustion(compilation->arena, NULL);
    return status;
}

ExitStatus model_use(const OptionTable *table, int argc, char **argv, ModelUse *use,
                     const void *command)
{
    ModelArguments arguments;
    ExitStatus status = EXIT_USAGE;
    if (model_arguments(table, argc, argv, &arguments)) {
        Compilation *compilation = compilation_create(NULL);
        bool is_readable;
        if (compilation) {
            const FlatModel *flat = model_read(compilation, &arguments, &is_readable);
            if (is_readable)
                status = use_in_arena(table, use, command, compilation, flat);
        } else {
            fprintf(stderr, "saltus %s: out of memory\n", table->command);
            status = EXIT_RUN_FAILED;
        }
        compilation_destroy(compilation);
    }
    model_arguments_free(&arguments);
    return status;
}
