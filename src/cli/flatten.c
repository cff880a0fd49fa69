// SPDX-License-Identifier: MIT
//
// saltus flatten: the flat model as Modelica text or JSON.

#include "cli/model.h"
#include "flatten/print.h"

#include <stdio.h>

typedef struct FlattenCommand {
    bool json;
    int colour; // ColourChoice
} FlattenCommand;

static const Option flatten_options[] = {
    {.name = "json",
     .kind = OPTION_FLAG,
     .help = "print the model as JSON",
     .offset = offsetof(FlattenCommand, json)},
    {.name = "color",
     .kind = OPTION_CHOICE,
     .choices = {"auto", "always", "never"},
     .help = "colours in messages (auto: on a terminal)",
     .offset = offsetof(FlattenCommand, colour)},
};

const OptionTable flatten_table = {
    .command = "flatten",
    .synopsis = "[options] FILE... [MODEL]",
    .description =
        "Print a model as one flat class, without components, inheritance, connections.\n"
        "Without MODEL: the last model of the last file that is not partial. Libraries\n"
        "are found in the folders of MODELICAPATH (or OPENMODELICALIBRARY).\n"
        "Exit status: 0 no errors, 2 wrong usage or unreadable file, 3 errors.",
    .options = flatten_options,
    .count = sizeof flatten_options / sizeof *flatten_options,
    .examples = "saltus flatten Ball.mo\n"
                "saltus flatten Circuits.mo Circuits.Examples.Rectifier > flat.mo\n"
                "saltus flatten --json Ball.mo | jq .variables\n",
};

static ExitStatus flatten_model(Compilation *compilation, const FlattenCommand *command,
                                const ModelArguments *arguments)
{
    bool is_readable;
    const FlatModel *model = model_read(compilation, arguments, &is_readable);
    model_print_messages(compilation, (ColourChoice)command->colour);
    if (!is_readable)
        return EXIT_USAGE;
    if (!model)
        return EXIT_MODEL_WRONG;
    StringBuilder out = builder_create(compilation->arena);
    if (command->json)
        flat_print_json(&out, model, compilation->sources);
    else
        flat_print(&out, model);
    const String text = builder_string(&out);
    fwrite(text.text, 1, text.length, stdout);
    return EXIT_FINE;
}

ExitStatus flatten_run(int argc, char **argv)
{
    FlattenCommand command = {0};
    ExitStatus status;
    if (!options_parse(&flatten_table, &argc, argv, &command, &status))
        return status;
    ModelArguments arguments;
    status = EXIT_USAGE;
    if (model_arguments(&flatten_table, argc, argv, &arguments)) {
        Compilation *compilation = compilation_create(NULL);
        if (compilation)
            status = flatten_model(compilation, &command, &arguments);
        else
            fputs("saltus flatten: out of memory\n", stderr);
        compilation_destroy(compilation);
    }
    model_arguments_free(&arguments);
    return status;
}
