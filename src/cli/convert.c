// SPDX-License-Identifier: MIT
//
// saltus convert: files that were written for an earlier version of a library, as the library's
// conversion script makes them (flatten/upgrade.h).

#include "cli/model.h"
#include "results/atomic.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const Option convert_options[] = {
    {.name = "write",
     .letter = 'w',
     .kind = OPTION_FLAG,
     .help = "write the files instead of printing the text",
     .offset = offsetof(ListingCommand, write)},
    MODEL_OPTIONS(ListingCommand, model),
};

const OptionTable convert_table = {
    .command = "convert",
    .synopsis = "[options] FILE...",
    .description =
        "Convert files, or the folders of packages, that ask for an earlier version of a\n"
        "library (annotation 'uses'), by the conversion script of the version that is\n"
        "there. The text of one file is printed; with --write, all files that change are\n"
        "written. Messages say what has become of what.\n"
        "Exit status: 0 fine, 2 wrong usage or unreadable file, 3 errors.",
    .options = convert_options,
    .count = sizeof convert_options / sizeof *convert_options,
    .examples = "saltus convert Motor.mo > Motor4.mo\n"
                "saltus convert --write Drives/\n",
};

// Only what was given is written: a file, or a file of Modelica in a folder. (Other files are read,
// too, and some of them twice, as the script itself.)
static bool convert_is_given(const LoadedDef *def, const char *name)
{
    const size_t length = strlen(name);
    if (length < 3 || strcmp(name + length - 3, ".mo") != 0)
        return false;
    for (size_t i = 0; i < def->file_count; i++) {
        const size_t given = strlen(def->files[i]);
        if (strncmp(name, def->files[i], given) == 0 &&
            (!name[given] || name[given] == '/' || (given && name[given - 1] == '/')))
            return true;
    }
    return false;
}

// A file has been converted if its name occurs again later, with the new text.
static const SourceFile *convert_result(const Sources *sources, const LoadedDef *def, size_t first)
{
    const SourceFile *old = sources_file(sources, first), *result = NULL;
    for (size_t i = 0; convert_is_given(def, old->name) && i < sources_count(sources); i++) {
        const SourceFile *file = sources_file(sources, i);
        if (strcmp(file->name, old->name) != 0)
            continue;
        if (i < first)
            return NULL; // it was looked at
        if (i > first)
            result = file;
    }
    return result;
}

static bool convert_write(const SourceFile *file)
{
    AtomicFile out;
    char *message = NULL;
    bool is_fine = atomic_open(&out, file->name, &message);
    if (is_fine) {
        fwrite(file->text, 1, file->length, out.stream);
        is_fine = atomic_commit(&out, &message);
    }
    if (is_fine)
        fprintf(stderr, "saltus convert: '%s' is written\n", file->name);
    else
        fprintf(stderr, "saltus convert: %s\n", message_text(message));
    free(message);
    return is_fine;
}

static ExitStatus convert_all(const ListingCommand *command, const Sources *sources,
                              const LoadedDef *def)
{
    size_t count = 0;
    const SourceFile *one = NULL;
    bool is_fine = true;
    for (size_t i = 0; i < sources_count(sources); i++) {
        const SourceFile *result = convert_result(sources, def, i);
        if (!result)
            continue;
        count++;
        one = result;
        if (command->write)
            is_fine = convert_write(result) && is_fine;
    }
    if (count == 0)
        fputs("saltus convert: there is nothing to convert\n", stderr);
    if (command->write)
        return is_fine ? EXIT_FINE : EXIT_USAGE;
    if (count > 1) {
        fprintf(stderr, "saltus convert: %zu files change; --write writes them\n", count);
        return EXIT_USAGE;
    }
    for (size_t i = 0; i < sources_count(sources) && !one && def->file_count == 1; i++)
        if (strcmp(sources_file(sources, i)->name, def->files[0]) == 0)
            one = sources_file(sources, i);
    if (one)
        fwrite(one->text, 1, one->length, stdout);
    return EXIT_FINE;
}

static ExitStatus convert_read(const ListingCommand *command, Compilation *c, const LoadedDef *def)
{
    FlattenOptions options = flatten_default_options();
    const FlattenExample *const *classes;
    if (def->library_path)
        options.library_path = def->library_path;
    // Lists all classes: so all files of a package are read.
    flatten_classes(c, def->file_count, def->files, NULL, &options, &classes);
    model_print_messages(c, &command->model);
    return c->diagnostics->error_count ? EXIT_MODEL_WRONG : convert_all(command, c->sources, def);
}

ExitStatus convert_run(int argc, char **argv)
{
    ListingCommand command = {0};
    ModelArguments arguments;
    ExitStatus status;
    if (!options_parse(&convert_table, &argc, argv, &command, &status))
        return status;
    status = EXIT_USAGE;
    if (model_arguments(&convert_table, argc, argv, &command.model, NULL, NULL, &arguments)) {
        Compilation *c = loaded_compilation(&arguments.def);
        status =
            c ? convert_read(&command, c, &arguments.def) : options_out_of_memory(&convert_table);
        compilation_destroy(c);
    }
    model_arguments_free(&arguments);
    return status;
}
