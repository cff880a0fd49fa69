// SPDX-License-Identifier: MIT
//
// The commands of `saltus`, one file each. commands.c has the table of them.

#ifndef SALTUS_CLI_COMMANDS_H
#define SALTUS_CLI_COMMANDS_H

// How a command ends.
typedef enum ExitStatus {
    EXIT_FINE = 0,
    EXIT_RUN_FAILED = 1,  // the simulation could not be done
    EXIT_USAGE = 2,       // wrong options, a file that cannot be read
    EXIT_MODEL_WRONG = 3, // errors in the model's text
    EXIT_STOPPED = 4,     // a run ended before its stop time: events accumulate, or a limit
    EXIT_INTERRUPTED = 130,
} ExitStatus;

// The one list of commands, in the order of --help: X(name, function, summary). Each has its
// options in the OptionTable NAME_table, not static.
#define COMMAND_LIST(X)                                                                            \
    X(simulate, simulate_run, "run a model and write its results")                                 \
    X(sweep, sweep_run_command, "run a model for many values of its parameters")                   \
    X(solve, solve_run_command, "find parameters for which a run has a wanted result")             \
    X(fit, fit_run_command, "find parameters for which a run comes nearest to measured values")    \
    X(compare, compare_run_command, "compare methods on a model, or two results")                  \
    X(examples, examples_run, "list the models of a library that are meant to be run")             \
    X(describe, catalogue_run, "print parameters and ports of a component or a library")           \
    X(check, check_run, "report errors in Modelica files and models")                              \
    X(convert, convert_run, "convert files for a later version of a library")                      \
    X(flatten, flatten_run, "print a model without components, inheritance and connections")       \
    X(structure, structure_run, "print states, index and blocks of a model")                       \
    X(events, events_run, "print the events that a model can have")                                \
    X(fmu, fmu_run, "write a model as an FMU, for other programs")                                 \
    X(linearize, linearize_run_command, "print matrices and eigenvalues of the active mode")       \
    X(plot, plot_run, "draw variables of result files as SVG, PNG or PDF")                         \
    X(draw, draw_run, "draw state machines, modes or the diagram of a model")                      \
    X(animate, animate_run, "run a model and draw its diagram along the run")                      \
    X(benchmark, benchmark_run_command, "run the tasks of a benchmark and write the report")       \
    X(help, help_run, "show how a command is used; write man pages and completion")

struct OptionTable;
struct SweepCrew;

typedef struct Command {
    const char *name;
    const char *summary; // for --help
    // argv[0] is the command's name.
    ExitStatus (*run)(int argc, char **argv);
    const struct OptionTable *table; // of its options
} Command;

#define COMMAND_DECLARE(name, function, summary)                                                   \
    ExitStatus function(int argc, char **argv);                                                    \
    extern const struct OptionTable name##_table;
COMMAND_LIST(COMMAND_DECLARE)
#undef COMMAND_DECLARE

// A sweep at which others work, too; see studies/sweep.h.
ExitStatus sweep_run_crew(int argc, char **argv, const struct SweepCrew *crew);

// All of them; the last one has no name.
extern const Command commands[];

// The commands with their summaries, on standard output.
void help_print_commands(void);

#endif
