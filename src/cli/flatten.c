// SPDX-License-Identifier: MIT
//
// saltus flatten: the flat model as Modelica text or JSON.

#include "cli/model.h"
#include "flatten/print.h"

#include <stdio.h>

static const Option flatten_options[] = {
    {.name = "json",
     .kind = OPTION_FLAG,
     .help = "print the model as JSON",
     .offset = offsetof(ListingCommand, json)},
    MODEL_OPTIONS(ListingCommand, model),
};

const OptionTable flatten_table = {
    .command = "flatten",
    .synopsis = "[options] FILE... [MODEL]",
    .description =
        "Print a model as one flat class, without components, inheritance or connections.\n"
        "Without MODEL, the last model of the files that is not partial is taken.\n"
        "Libraries are found by --library, in MODELICAPATH, and where OpenModelica and\n"
        "Dymola keep them.\n"
        "Exit status: 0 no errors, 2 wrong usage or unreadable file, 3 errors.",
    .options = flatten_options,
    .count = sizeof flatten_options / sizeof *flatten_options,
    .examples = "saltus flatten Ball.mo\n"
                "saltus flatten Circuits.mo Circuits.Examples.Rectifier > flat.mo\n"
                "saltus flatten --json Ball.mo | jq .variables\n",
};

static ExitStatus print_flat(const void *user, const Loaded *l)
{
    const ListingCommand *command = user;
    model_print_messages(l->compilation, &command->model);
    if (!l->flat)
        return EXIT_MODEL_WRONG;
    StringBuilder out = builder_create(l->compilation->arena);
    if (command->json)
        flat_print_json(&out, l->flat, l->compilation->sources);
    else
        flat_print(&out, l->flat);
    const String text = builder_string(&out);
    fwrite(text.text, 1, text.length, stdout);
    return EXIT_FINE;
}

ExitStatus flatten_run(int argc, char **argv)
{
    ListingCommand command = {0};
    ExitStatus status;
    if (!options_parse(&flatten_table, &argc, argv, &command, &status))
        return status;
    return model_use(&flatten_table, argc, argv, &command.model, true, print_flat, &command);
}
