// SPDX-License-Identifier: MIT
//
// The built command, run by tests in a folder of their own.

#ifndef SALTUS_TESTS_CLI_COMMAND_H
#define SALTUS_TESTS_CLI_COMMAND_H

#include <stddef.h>

typedef struct CommandOutcome {
    int status;
    char text[1 << 20]; // standard output, and standard error if the arguments say "2>&1"
} CommandOutcome;

// Finds the command beside the test program.
void command_find(const char *program);
// Group fixtures: a folder, removed at the end.
int command_make_folder(void **state);
int command_remove_folder(void **state);

// Runs a line of the shell in the folder; "$SALTUS" is the command. The outcome is overwritten by
// the next.
const CommandOutcome *command_shell(const char *line);
// Runs "saltus ARGUMENTS".
const CommandOutcome *command_run(const char *arguments);
// The same; fails the test unless it ends with this status and the text contains what is expected.
const CommandOutcome *command_expect(const char *arguments, int status, const char *expected);

// Mistakes and what is said about them, in either stream.
typedef struct CommandMistake {
    const char *arguments;
    int status;
    const char *expected;
} CommandMistake;
// Expects each of "saltus NAME ARGUMENTS".
void command_expect_all(const char *name, const CommandMistake *mistakes, size_t count);

// Files in the folder. What is returned is overwritten by the next; NULL: there is no such file.
const char *command_path(const char *name);
void command_write(const char *name, const char *text);
const char *command_read(const char *name);

#endif
