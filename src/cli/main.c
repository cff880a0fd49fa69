// SPDX-License-Identifier: MIT
//
// The command `saltus`: finds the command by its name and runs it.

#include "base/text.h"
#include "cli/commands.h"
#include "cli/libraries.h"
#include "cli/terminal.h"

#include <errno.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif
#include <saltus/saltus.h>
#include <signal.h>
#include <stdio.h>

#define COMMAND_COUNT_ONE(name, function, summary) +1
enum { COMMAND_COUNT = 0 COMMAND_LIST(COMMAND_COUNT_ONE) };
#undef COMMAND_COUNT_ONE

static ExitStatus main_complain_unknown(const char *word)
{
    const char *names[COMMAND_COUNT];
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        names[i] = commands[i].name;
    const char *nearest = text_nearest(word, names, COMMAND_COUNT);
    for (size_t i = 0; !nearest && i < COMMAND_COUNT; i++)
        if (strncmp(names[i], word, strlen(word)) == 0)
            nearest = names[i]; // it was not finished
    const size_t length = strlen(word);
    if (length > 3 && strcmp(word + length - 3, ".mo") == 0) {
        fprintf(stderr, "saltus: no command given; 'saltus simulate %s' runs a model\n", word);
        return EXIT_USAGE;
    }
    const char *what = word[0] == '-' ? "option" : "command";
    fprintf(stderr, "saltus: unknown %s '%s'", what, word);
    if (nearest)
        fprintf(stderr, "; did you mean '%s'?", nearest);
    fprintf(stderr, "\nTry 'saltus --help'.\n");
    return EXIT_USAGE;
}

// A full disk or a closed pipe behind standard output is a failure of every command.
static int main_end(ExitStatus status)
{
    errno = 0;
    if ((fflush(stdout) == 0 && !ferror(stdout)) || status != EXIT_FINE)
        return (int)status;
    fprintf(stderr, "saltus: cannot write standard output: %s\n", strerror(errno ? errno : EIO));
    return (int)EXIT_RUN_FAILED;
}

// Large blocks go back to the system when they are released. By itself, the C library would keep
// them for later ones as soon as some were: a tenth of the memory of a large model.
static void main_return_memory(void)
{
#if defined(__GLIBC__)
    mallopt(M_MMAP_THRESHOLD, 4 << 20);
#endif
}

int main(int argc, char **argv)
{
    main_return_memory();
    terminal_protect();
    signal(SIGXFSZ, SIG_IGN); // a file that becomes too large is an error like a full disk
    if (argc < 2) {
        help_print_commands();
        return EXIT_FINE;
    }
    const char *word = argv[1];
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
        help_print_commands();
        return main_end(EXIT_FINE);
    }
    if (strcmp(word, "--version") == 0) {
        printf("saltus %s\n", saltus_version());
        return main_end(EXIT_FINE);
    }
    libraries_add_own();
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(word, commands[i].name) == 0)
            return main_end(commands[i].run(argc - 1, argv + 1));
    return (int)main_complain_unknown(word);
}
