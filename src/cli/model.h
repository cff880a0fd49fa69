// SPDX-License-Identifier: MIT
//
// What commands that read a model share: files and a model's name on the command line, messages.

#ifndef SALTUS_CLI_MODEL_H
#define SALTUS_CLI_MODEL_H

#include "cli/options.h"
#include "flatten/flatten.h"

typedef enum ColourChoice { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER } ColourChoice;

// The option --color of the command `type`, for a member of type int of its options.
// clang-format off
#define MODEL_COLOUR_OPTION(type, member)                                                          \
    {.name = "color",                                                                              \
     .kind = OPTION_CHOICE,                                                                        \
     .choices = {"auto", "always", "never"},                                                       \
     .help = "colours in messages (auto: on a terminal)",                                          \
     .offset = offsetof(type, member)}
// clang-format on

// FILE... [MODEL]: arguments that are neither files nor folders nor end in ".mo" name the model.
typedef struct ModelArguments {
    const char **files;
    size_t file_count;
    const char *model; // NULL: the last one of the files
} ModelArguments;

// False, after a message, if there is no file or more than one model.
bool model_arguments(const OptionTable *table, int argc, char **argv, ModelArguments *arguments);
void model_arguments_free(ModelArguments *arguments);

// Reads and flattens; NULL after errors. Files that cannot be read are named on stderr and set
// *is_readable to false.
FlatModel *model_read(Compilation *compilation, const ModelArguments *arguments, bool *is_readable);
// The same with a modification of the model, "(a = 1, b.c = 2)"; NULL: none.
FlatModel *model_read_modified(Compilation *compilation, const ModelArguments *arguments,
                               const char *modification, bool *is_readable);

// The diagnostics on stderr.
void model_print_messages(const Compilation *compilation, ColourChoice choice);

// What a command does with a model, and with the diagnostics; flat NULL: it has errors.
typedef ExitStatus ModelUse(const void *command, Compilation *compilation, const FlatModel *flat);

// Reads FILE... [MODEL] and uses the model. Wrong arguments, files that cannot be read and the end
// of the memory are reported and not passed on.
ExitStatus model_use(const OptionTable *table, int argc, char **argv, ModelUse *use,
                     const void *command);

#endif
