// SPDX-License-Identifier: MIT
//
// -p NAME=VALUE and --start NAME=VALUE, also written -p NAME.start=VALUE. A literal for a parameter
// that does not shape the model is set when the run is made. Everything else (structural
// parameters, expressions, Strings) is a modification of the model, which is flattened again with
// it.

#ifndef SALTUS_CLI_OVERRIDES_H
#define SALTUS_CLI_OVERRIDES_H

#include "cli/model.h"
#include "cli/options.h"
#include "modes/model.h"

typedef struct OverrideValue {
    const char *name;
    double value;
} OverrideValue;

typedef struct Overrides {
    OverrideValue values[OPTION_LIST_LENGTH];
    size_t count;
    const char *modification; // "(n = 5, x(start = 2))" for FlattenOptions; NULL: none
} Overrides;

// The texts live in the arena. `flat` NULL: the model has errors without the overrides; all of them
// become modifications then. Start values that are literals are put into the flat model. is_again:
// it was flattened with overrides->modification; names that it did not have before may be there
// now. False after a message.
bool overrides_read(const OptionTable *table, Arena *arena, FlatModel *flat,
                    const OptionList *parameters, const OptionList *starts, bool is_again,
                    Overrides *overrides);

// The values for model_parameters. False: one is no parameter of the model, after a message.
bool overrides_values(const OptionTable *table, const Overrides *overrides, const Model *model,
                      ParameterValue values[OPTION_LIST_LENGTH]);

// What is done with the model; flat NULL: it has errors.
typedef ExitStatus OverridesRun(const void *user, Compilation *compilation, const FlatModel *flat,
                                const Overrides *overrides);

// Reads and flattens the model, again with the modification that the options ask for, and runs.
ExitStatus overrides_run(const OptionTable *table, const ModelArguments *arguments,
                         const OptionList *parameters, const OptionList *starts, OverridesRun *run,
                         const void *user);

#endif
