// SPDX-License-Identifier: MIT

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/command.h"

#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

static char folder[64];

void command_find(const char *program)
{
    char path[4096], command[8192];
    if (!realpath(program, path))
        abort();
    snprintf(command, sizeof command, "%s/../../saltus", dirname(path));
    setenv("SALTUS", command, 1);
}

int command_make_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/saltus-test-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

int command_remove_folder(void **state)
{
    (void)state;
    char line[100];
    snprintf(line, sizeof line, "rm -r '%s'", folder);
    return system(line);
}

const CommandOutcome *command_shell(const char *line)
{
    static CommandOutcome outcome;
    char all[12000];
    snprintf(all, sizeof all, "cd '%s' || exit 99; %s", folder, line);
    FILE *pipe = popen(all, "r");
    assert_non_null(pipe);
    outcome.text[fread(outcome.text, 1, sizeof outcome.text - 1, pipe)] = '\0';
    outcome.status = WEXITSTATUS(pclose(pipe));
    return &outcome;
}

const CommandOutcome *command_run(const char *arguments)
{
    char line[11000];
    snprintf(line, sizeof line, "\"$SALTUS\" %s", arguments);
    return command_shell(line);
}

const CommandOutcome *command_expect(const char *arguments, int status, const char *expected)
{
    const CommandOutcome *outcome = command_run(arguments);
    if (!strstr(outcome->text, expected))
        fail_msg("saltus %s: '%.3000s' lacks '%s'", arguments, outcome->text, expected);
    if (outcome->status != status)
        fail_msg("saltus %s: status %d instead of %d: %.3000s", arguments, outcome->status, status,
                 outcome->text);
    return outcome;
}

void command_expect_all(const char *name, const CommandMistake *mistakes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char line[1000];
        snprintf(line, sizeof line, "%s %s 2>&1", name, mistakes[i].arguments);
        command_expect(line, mistakes[i].status, mistakes[i].expected);
    }
}

const char *command_path(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

void command_write(const char *name, const char *text)
{
    FILE *file = fopen(command_path(name), "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

const char *command_read(const char *name)
{
    static char text[1 << 20];
    FILE *file = fopen(command_path(name), "r");
    if (!file)
        return NULL;
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}
