// SPDX-License-Identifier: MIT
//
// The command `saltus`: finds the command by its name and runs it.

#include "base/text.h"
#include "cli/commands.h"

#include <saltus/saltus.h>
#include <stdio.h>

static const Command commands[] = {
    {"check", "report errors in Modelica files and models", check_run},
    {"flatten", "print a model without components, inheritance and connections", flatten_run},
    {"simulate", "run a model and write its results", simulate_run},
    {"benchmark", "run the tasks of a benchmark and write the report", benchmark_run_command},
};

enum { COMMAND_COUNT = sizeof commands / sizeof *commands };

static void print_help(void)
{
    printf("Usage: saltus COMMAND [options] ...\n"
           "       saltus COMMAND --help\n\n"
           "Simulates hybrid and structural-dynamic systems.\n\n"
           "Commands:\n");
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        printf("  %-12s %s\n", commands[i].name, commands[i].summary);
    printf("\nOptions:\n"
           "  -h, --help     show this text\n"
           "      --version  show the version\n");
}

static ExitStatus complain_unknown(const char *word)
{
    const char *names[COMMAND_COUNT];
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        names[i] = commands[i].name;
    const char *nearest = text_nearest(word, names, COMMAND_COUNT);
    const char *what = word[0] == '-' ? "option" : "command";
    fprintf(stderr, "saltus: unknown %s '%s'", what, word);
    if (nearest)
        fprintf(stderr, "; did you mean '%s'?", nearest);
    fprintf(stderr, "\nTry 'saltus --help'.\n");
    return EXIT_USAGE;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fputs("saltus: no command given\nTry 'saltus --help'.\n", stderr);
        return EXIT_USAGE;
    }
    const char *word = argv[1];
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0) {
        print_help();
        return EXIT_FINE;
    }
    if (strcmp(word, "--version") == 0) {
        printf("saltus %s\n", saltus_version());
        return EXIT_FINE;
    }
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(word, commands[i].name) == 0)
            return (int)commands[i].run(argc - 1, argv + 1);
    return (int)complain_unknown(word);
}
