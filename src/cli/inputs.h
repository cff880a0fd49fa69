// SPDX-License-Identifier: MIT
//
// --input: inputs of the model from a table. Its first column is the time, the others have the
// names of inputs; further ones do not matter. Between rows inputs are linear, held, or smooth;
// those that are not Real are held in any case. Two rows with one time are a jump.

#ifndef SALTUS_CLI_INPUTS_H
#define SALTUS_CLI_INPUTS_H

#include "cli/options.h"
#include "open/embed.h"
#include "results/table.h"

typedef enum InputsKind { INPUTS_LINEAR, INPUTS_STEPS, INPUTS_SMOOTH } InputsKind;

// The options, of a command `type` with members `path`, a text, and `between`, a number.
#define INPUTS_OPTIONS(type, path, between)                                                        \
    {.name = "input",                                                                              \
     .kind = OPTION_TEXT,                                                                          \
     .value = "FILE",                                                                              \
     .is_read = true,                                                                              \
     .help = "inputs over time: " TABLE_ENDINGS "as results",                                      \
     .offset = offsetof(type, path)},                                                              \
    {                                                                                              \
        .name = "interpolate", .kind = OPTION_CHOICE, .choices = {"linear", "steps", "smooth"},    \
        .help = "between the rows of --input", .offset = offsetof(type, between)                   \
    }

typedef struct Inputs Inputs;

// Of the model that was opened with live inputs. NULL, after a message of the command: it does not
// fit the model.
Inputs *inputs_create(const OptionTable *command, const Loaded *loaded, const char *file,
                      InputsKind kind, double start_time, bool is_quiet);
void inputs_destroy(Inputs *inputs); // NULL is allowed
const EmbeddedSignals *inputs_signals(const Inputs *inputs);

// The first column has times; else a message.
bool inputs_check_times(const OptionTable *command, const char *file, const Table *table);
// `values` has four numbers for each row, of which the first are given: adds the derivatives.
void inputs_interpolate(const Table *table, InputsKind kind, double *values);

#endif
