// SPDX-License-Identifier: MIT
//
// What commands that read a model share: files and a model's name on the command line, messages.

#ifndef SALTUS_CLI_MODEL_H
#define SALTUS_CLI_MODEL_H

#include "cli/options.h"
#include "open/loaded.h"

typedef enum ColourChoice { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER } ColourChoice;

// Options of all commands that read models.
typedef struct ModelOptions {
    int colour; // ColourChoice
    OptionList libraries;
    double max_time, max_memory; // seconds, 1e6 bytes; 0: no limit
    bool allow_external;         // FMUs and C code of models are run
} ModelOptions;

// Of commands that print what they find in texts, each with some of these forms.
typedef struct ListingCommand {
    bool csv, json, markdown;
    bool write; // into the files
    ModelOptions model;
} ListingCommand;

// How the equations of runs are evaluated, in the table of the command `type`: an int, which
// model_backend takes.
#define MODEL_BACKEND_OPTION(type, member)                                                         \
    {                                                                                              \
        .name = "backend", .kind = OPTION_CHOICE, .choices = {"auto", "interpret", "c", "whole"},  \
        .help = "how equations are evaluated", .offset = offsetof(type, member)                    \
    }
enum { MODEL_INTERPRET = 1 }; // among the choices
BackendChoice model_backend(int choice);
// Says, as a warning, why they are not evaluated as was asked for: as model_is_compiled says, and
// whether anything ran as a whole.
void model_print_backend(const Model *model, bool is_compiled, const char *reason, bool has_whole);

// Options that several commands have, in the table of the command `type`, for members of it.
// clang-format off
#define MODEL_START_OPTION(type, member)                                                           \
    {.name = "start",                                                                              \
     .kind = OPTION_LIST,                                                                          \
     .value = "NAME=VALUE",                                                                        \
     .help = "another start value; may be repeated",                                               \
     .offset = offsetof(type, member)}
#define MODEL_SETTING_OPTIONS(type, parameter_member, start_member)                                \
    {.name = "parameter",                                                                          \
     .letter = 'p',                                                                                \
     .kind = OPTION_LIST,                                                                          \
     .value = "NAME=VALUE",                                                                        \
     .help = "another value of a parameter; may be repeated",                                      \
     .offset = offsetof(type, parameter_member)},                                                  \
    MODEL_START_OPTION(type, start_member)
#define MODEL_QUIET_OPTION(type, member)                                                           \
    {.name = "quiet",                                                                              \
     .letter = 'q',                                                                                \
     .kind = OPTION_FLAG,                                                                          \
     .help = "print nothing but errors",                                                           \
     .offset = offsetof(type, member)}
#define MODEL_OPTIONS(type, member)                                                                \
    {.name = "library",                                                                            \
     .letter = 'L',                                                                                \
     .kind = OPTION_LIST,                                                                          \
     .value = "DIR",                                                                               \
     .help = "look for libraries there first; may be repeated",                                    \
     .offset = offsetof(type, member.libraries)},                                                  \
    {.name = "allow-external",                                                                     \
     .kind = OPTION_FLAG,                                                                          \
     .help = "run foreign code: FMUs, C code of the model",                                        \
     .offset = offsetof(type, member.allow_external)},                                             \
    {.name = "max-time",                                                                           \
     .kind = OPTION_NUMBER,                                                                        \
     .value = "SECONDS",                                                                           \
     .help = "stop after this much real time",                                                 \
     .offset = offsetof(type, member.max_time)},                                                   \
    {.name = "max-memory",                                                                         \
     .kind = OPTION_NUMBER,                                                                        \
     .value = "MB",                                                                                \
     .help = "stop when this much memory is used",                                                 \
     .offset = offsetof(type, member.max_memory)},                                                 \
    {.name = "color",                                                                              \
     .kind = OPTION_CHOICE,                                                                        \
     .choices = {"auto", "always", "never"},                                                       \
     .help = "colours in messages (auto: on a terminal)",                                          \
     .offset = offsetof(type, member.colour)}
// clang-format on

// FILE... [MODEL], and what options say: arguments that are neither files nor folders nor end in
// ".mo" name the model.
typedef struct ModelArguments {
    Arena *arena;
    LoadedDef def;
} ModelArguments;

// The limits hold from now on; false, after a message: they are none. What reads other files before
// the model begins with it.
bool model_watch(const OptionTable *table, const ModelOptions *options);

// Parameters are NAME=VALUE, start values too; either may be NULL. False, after a message, if there
// is nothing to read, or it cannot be read. To be freed in any case.
bool model_arguments(const OptionTable *table, int argc, char **argv, const ModelOptions *options,
                     const OptionList *parameters, const OptionList *starts,
                     ModelArguments *arguments);
void model_arguments_free(ModelArguments *arguments);

// The diagnostics on stderr.
void model_print_messages(const Compilation *compilation, const ModelOptions *options);

// What a command does with a model, and with the diagnostics; it may have errors.
typedef ExitStatus ModelUse(const void *command, const Loaded *loaded);

// Opens the model and uses it. Settings that are wrong and the end of the memory are reported and
// not passed on.
ExitStatus model_open(const OptionTable *table, const ModelArguments *arguments, ModelUse *use,
                      const void *command);
// The same from FILE... [MODEL] on; is_flat: only the flat model is wanted.
ExitStatus model_use(const OptionTable *table, int argc, char **argv, const ModelOptions *options,
                     bool is_flat, ModelUse *use, const void *command);

#endif
