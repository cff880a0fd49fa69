// SPDX-License-Identifier: MIT
//
// The commands of `saltus`, one file each. main.c has the table of them.

#ifndef SALTUS_CLI_COMMANDS_H
#define SALTUS_CLI_COMMANDS_H

// How a command ends.
typedef enum ExitStatus {
    EXIT_FINE = 0,
    EXIT_RUN_FAILED = 1,  // the simulation could not be done
    EXIT_USAGE = 2,       // wrong options, a file that cannot be read
    EXIT_MODEL_WRONG = 3, // errors in the model's text
    EXIT_INTERRUPTED = 130,
} ExitStatus;

typedef struct Command {
    const char *name;
    const char *summary; // for --help
    // argv[0] is the command's name.
    ExitStatus (*run)(int argc, char **argv);
} Command;

ExitStatus benchmark_run_command(int argc, char **argv);
ExitStatus check_run(int argc, char **argv);
ExitStatus flatten_run(int argc, char **argv);
ExitStatus simulate_run(int argc, char **argv);

#endif
