// SPDX-License-Identifier: MIT
//
// saltus examples: the models of a library that are meant to be run.

#include "cli/model.h"

#include <stdio.h>
#include <string.h>

static const Option examples_options[] = {
    {.name = "json",
     .kind = OPTION_FLAG,
     .help = "print JSON",
     .offset = offsetof(ListingCommand, json)},
    MODEL_OPTIONS(ListingCommand, model),
};

const OptionTable examples_table = {
    .command = "examples",
    .synopsis = "[options] [FILE...] [PACKAGE]",
    .description =
        "List the models of a package that are meant to be run: those that have an\n"
        "experiment annotation. The package is looked for in the files and then among the\n"
        "libraries (see --library and MODELICAPATH). Without PACKAGE, all such models of\n"
        "the files are listed.\n"
        "Exit status: 0 fine, 2 wrong usage or unreadable file, 3 errors.",
    .options = examples_options,
    .count = sizeof examples_options / sizeof *examples_options,
    .examples = "saltus examples Modelica.Electrical\n"
                "saltus examples --library ~/libraries Buildings.Fluid\n"
                "saltus examples models/examples/*.mo\n",
};

static int first_line(String text)
{
    size_t length = 0;
    while (length < text.length && text.text[length] != '\n')
        length++;
    return (int)length;
}

static void print_lines(size_t count, const FlattenExample *const *examples)
{
    size_t width = 0;
    for (size_t i = 0; i < count; i++) {
        const size_t length = strlen(examples[i]->name);
        width = length > width ? length : width;
    }
    for (size_t i = 0; i < count; i++) {
        const String text = examples[i]->description;
        if (text.text)
            printf("%-*s  %.*s\n", (int)width, examples[i]->name, first_line(text), text.text);
        else
            puts(examples[i]->name);
    }
}

static void examples_print_json(Arena *arena, size_t count, const FlattenExample *const *examples)
{
    StringBuilder out = builder_create(arena);
    builder_append_text(&out, "{\"schema\":\"saltus-examples\",\"version\":1,\"examples\":[");
    for (size_t i = 0; i < count; i++) {
        const FlattenExample *e = examples[i];
        builder_append_text(&out, i ? ",\n{\"name\":" : "\n{\"name\":");
        builder_append_json(&out, e->name, strlen(e->name));
        builder_append_text(&out, ",\"description\":");
        builder_append_json(&out, e->description.text ? e->description.text : "",
                            e->description.length);
        builder_append_character(&out, '}');
    }
    builder_append_text(&out, "]}\n");
    fputs(builder_string(&out).text, stdout);
}

static ExitStatus list_examples(const ListingCommand *command, Compilation *c, const LoadedDef *def)
{
    FlattenOptions options = flatten_default_options();
    const FlattenExample *const *examples;
    if (def->library_path)
        options.library_path = def->library_path;
    const size_t count =
        flatten_examples(c, def->file_count, def->files, def->model, &options, &examples);
    model_print_messages(c, &command->model);
    if (command->json)
        examples_print_json(c->arena, count, examples);
    else
        print_lines(count, examples);
    if (!count && !c->diagnostics->error_count)
        fputs("saltus examples: no model there has an experiment annotation\n", stderr);
    return c->diagnostics->error_count ? EXIT_MODEL_WRONG : EXIT_FINE;
}

ExitStatus examples_run(int argc, char **argv)
{
    ListingCommand command = {0};
    ModelArguments arguments;
    ExitStatus status;
    if (!options_parse(&examples_table, &argc, argv, &command, &status))
        return status;
    status = EXIT_USAGE;
    if (model_arguments(&examples_table, argc, argv, &command.model, NULL, NULL, &arguments)) {
        Compilation *c = loaded_compilation(&arguments.def);
        status =
            c ? list_examples(&command, c, &arguments.def) : options_out_of_memory(&examples_table);
        compilation_destroy(c);
    }
    model_arguments_free(&arguments);
    return status;
}
