// SPDX-License-Identifier: MIT
//
// saltus fmu: a model as an FMU, for other programs.

#include "base/message.h"
#include "cli/libraries.h"
#include "cli/model.h"
#include "fmi/export.h"
#include "results/atomic.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct FmuCommand {
    const char *output; // NULL: the model's name, in this folder
    int version;        // of FMI: 0 is 2.0, 1 is 3.0
    int type;           // 0: co-simulation, 1: model exchange, 2: both
    bool quiet, sources;
    OptionList parameters, starts;
    ModelOptions model;
    const ModelArguments *arguments;
} FmuCommand;

static const Option fmu_options[] = {
    {.name = "output",
     .letter = 'o',
     .kind = OPTION_TEXT,
     .value = "FILE",
     .help = "the FMU (name of the model with .fmu)",
     .offset = offsetof(FmuCommand, output)},
    {.name = "fmi",
     .kind = OPTION_CHOICE,
     .choices = {"2.0", "3.0"},
     .help = "version of the standard",
     .offset = offsetof(FmuCommand, version)},
    {.name = "type",
     .kind = OPTION_CHOICE,
     .choices = {"cs", "me", "both"},
     .help = "co-simulation, model exchange",
     .offset = offsetof(FmuCommand, type)},
    MODEL_SETTING_OPTIONS(FmuCommand, parameters, starts),
    {.name = "sources",
     .kind = OPTION_FLAG,
     .help = "add the C sources from which it can be built",
     .offset = offsetof(FmuCommand, sources)},
    MODEL_QUIET_OPTION(FmuCommand, quiet),
    MODEL_OPTIONS(FmuCommand, model),
};

const OptionTable fmu_table = {
    .command = "fmu",
    .synopsis = "[options] FILE... [MODEL]",
    .description = "Write a model (by default the last one of the files) as an FMU, which other\n"
                   "programs can run according to the FMI standard. It contains the library, the\n"
                   "text of the model and its compiled modes, and needs nothing else. Events are\n"
                   "located, and modes change, inside its communication steps.\n"
                   "Exit status: 0 fine, 1 could not be written, 2 wrong usage, 3 errors in the\n"
                   "model.",
    .options = fmu_options,
    .count = sizeof fmu_options / sizeof *fmu_options,
    .examples = "saltus fmu Ball.mo\n"
                "saltus fmu --fmi=3.0 CupAndBall.mo -o cup.fmu\n"
                "saltus fmu Circuits.mo Circuits.Rectifier -p R=10\n",
};

// Beside the command where it was built, below lib/ where it was installed.
static bool fmu_find(const char *name, char path[4096])
{
    static const char *const places[] = {"", "/../" SALTUS_FMU_FOLDER};
    char own[LIBRARIES_PATH];
    const bool is_found = libraries_find_program(own);
    for (size_t i = 0; is_found && i < sizeof places / sizeof *places; i++) {
        snprintf(path, 4096, "%.3000s%s/%s", own, places[i], name);
        if (access(path, R_OK) == 0)
            return true;
    }
    return false;
}

static ExitStatus fmu_export_loaded(const void *user, const Loaded *l)
{
    const FmuCommand *command = user;
    char library[4096], sources[4096], *message = NULL, *own = NULL;
    if (!command->quiet || !l->model)
        model_print_messages(l->compilation, &command->model);
    if (!l->model)
        return EXIT_MODEL_WRONG;
    const char *missing = !fmu_find("saltus-fmu.so", library) ? "saltus-fmu.so"
                          : command->sources && !fmu_find("saltus-fmu-sources.zip", sources)
                              ? "saltus-fmu-sources.zip"
                              : NULL;
    if (missing) {
        fprintf(stderr,
                "saltus fmu: error: %s is neither beside the command nor in ../" SALTUS_FMU_FOLDER
                "\n",
                missing);
        return EXIT_RUN_FAILED;
    }
    if (!command->output)
        message_set(&own, "%s.fmu", l->flat->name);
    const FmuExport wanted = {.path = command->output ? command->output : message_text(own),
                              .library = library,
                              .sources = command->sources ? sources : NULL,
                              .def = &command->arguments->def,
                              .version = command->version == 1 ? 3 : 2,
                              .has_exchange = command->type != 0,
                              .has_cosimulation = command->type != 1};
    const bool is_written = export_fmu(l, &wanted, &message);
    if (is_written && !command->quiet)
        fprintf(stderr, "saltus: %s (FMI %d.0)\n", wanted.path, wanted.version);
    if (is_written && !command->quiet && message)
        fprintf(stderr, "saltus: note: %s\n", message);
    if (!is_written)
        fprintf(stderr, "saltus fmu: error: %s\n", message_text(message));
    free(message);
    free(own);
    return is_written ? EXIT_FINE : EXIT_RUN_FAILED;
}

ExitStatus fmu_run(int argc, char **argv)
{
    FmuCommand command = {0};
    ModelArguments arguments = {0};
    ExitStatus status;
    if (!options_parse(&fmu_table, &argc, argv, &command, &status))
        return status;
    status = EXIT_USAGE;
    command.arguments = &arguments;
    const size_t length = command.output ? strlen(command.output) : 0;
    if (command.output && !atomic_is_stream(command.output) &&
        (length < 5 || strcmp(command.output + length - 4, ".fmu") != 0))
        return options_complain(&fmu_table, "'%s': the name must end in .fmu", command.output);
    if (model_arguments(&fmu_table, argc, argv, &command.model, &command.parameters,
                        &command.starts, &arguments))
        status = model_open(&fmu_table, &arguments, fmu_export_loaded, &command);
    model_arguments_free(&arguments);
    return status;
}
