// SPDX-License-Identifier: MIT
//
// What the files of `saltus compare` share: compare.c has the options and the runs,
// compare_write.c the tables, compare_results.c two result files.

#ifndef SALTUS_CLI_COMPARE_H
#define SALTUS_CLI_COMPARE_H

#include "cli/study.h"
#include "results/writer.h"
#include "studies/axis.h"
#include "studies/comparison.h"

enum { COMPARE_MOST_METHODS = 32 };

typedef struct CompareCommand {
    StudyCommand run;
    const char *solver_list, *locator_list, *tolerance_list, *reference_text, *output, *events;
    OptionList observations, parameters, variables;
    double repeat, tolerance, time_tolerance;

    // What becomes of them.
    SaltusSolver solvers[COMPARE_MOST_METHODS];
    SaltusLocate locators[COMPARE_MOST_METHODS];
    double tolerances[COMPARE_MOST_METHODS];
    size_t solver_count, locator_count, tolerance_count;
    ParameterValue values[OPTION_LIST_LENGTH];
    size_t value_count;
    ComparisonRun reference, *runs;
    size_t run_count;
} CompareCommand;

// The tables. False, after a message: something could not be written.
bool compare_write(const CompareCommand *s);
// 0 the same, 1 different, 2 an error.
ExitStatus compare_results(const CompareCommand *command, const char *first, const char *second);

#endif
