// SPDX-License-Identifier: MIT
//
// What the commands solve and fit share.

#ifndef SALTUS_CLI_SOLVE_H
#define SALTUS_CLI_SOLVE_H

#include "cli/study.h"
#include "results/table.h"
#include "studies/solve.h"

typedef struct SolveCommand {
    StudyCommand run;
    OptionList unknown_list, targets, observation_list, parameters;
    const char *minimize, *boundary, *output;
    double points, jobs, starts;
    bool all;
    // fit
    const char *data, *curve;
    OptionList matches;

    // What becomes of them.
    const OptionTable *table; // of the command
    Axis unknowns[SOLVE_MOST_UNKNOWNS];
    size_t unknown_count;
    double guesses[SOLVE_MOST_UNKNOWNS];
    ParameterValue fixed[OPTION_LIST_LENGTH];
    char *texts[OPTION_LIST_LENGTH + 1]; // of the targets
    const char *observations[2 * OPTION_LIST_LENGTH];
    size_t target_count, observation_count;
    SolveDef def;
    SolveResult result;
    Progress progress;
    struct {
        Table *table_read;
        StudyData measured;
        double *measured_values, *scales;
        const char **measured_names;
    } fit;
} SolveCommand;

#define SOLVE_UNKNOWN_OPTION                                                                       \
    {                                                                                              \
        .name = "unknown", .letter = 'u', .kind = OPTION_LIST, .value = "NAME=A:B",                \
        .help = "unknown between A and B; x.start is the start value of x; may be repeated",       \
        .offset = offsetof(SolveCommand, unknown_list)                                             \
    }
#define SOLVE_PARAMETER_OPTION                                                                     \
    {                                                                                              \
        .name = "parameter", .letter = 'p', .kind = OPTION_LIST, .value = "NAME=VALUE",            \
        .help = "value of a parameter; for an unknown the first guess",                            \
        .offset = offsetof(SolveCommand, parameters)                                               \
    }

// Runs a command whose options are in the table.
ExitStatus solve_run_with(const OptionTable *table, SolveCommand *command, int argc, char **argv);

// Reads the data and what they are compared with.
ExitStatus fit_make_observations(SolveCommand *s);
// Writes what was found, and the curves.
ExitStatus fit_report(SolveCommand *s);
void fit_free(SolveCommand *s);

#endif
