// SPDX-License-Identifier: MIT
//
// Options of a command: one table, from which they are read, and from which --help, man pages,
// shell completion and `saltus help --json` are made.

#ifndef SALTUS_CLI_OPTIONS_H
#define SALTUS_CLI_OPTIONS_H

#include "base/source.h"
#include "cli/commands.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum OptionKind {
    OPTION_FLAG,   // bool, set to true
    OPTION_CHOICE, // int, set to the index in `choices`
    OPTION_NUMBER, // double
    OPTION_TEXT,   // const char *
    OPTION_LIST,   // OptionList, one more of it
} OptionKind;

enum { OPTION_LIST_LENGTH = 256 };

typedef struct OptionList {
    size_t count;
    const char *items[OPTION_LIST_LENGTH];
} OptionList;

// Whether a name matches a pattern of the list (text_matches).
bool options_match(const OptionList *list, const char *name);

typedef struct Option {
    const char *name; // without the dashes
    char letter;      // 0: none
    OptionKind kind;
    const char *choices[4]; // OPTION_CHOICE: up to four words, or fewer and NULL
    const char *value; // what stands for the value of the last three kinds in --help: "SECONDS"
    const char *help;
    size_t offset;            // of the value in the command's struct of options
    const char *const *words; // OPTION_TEXT: the words it may be, NULL at the end; NULL: any text
    bool is_read;             // OPTION_TEXT with a `value` "FILE...": not one that is written
} Option;

typedef struct OptionTable {
    const char *command;     // "check"
    const char *synopsis;    // "[options] FILE..."
    const char *description; // a sentence or a paragraph
    const Option *options;   // --help is always there
    size_t count;
    const char *examples; // a command line each, "saltus check Ball.mo\n"; NULL: none
} OptionTable;

// For --help and elsewhere: the option with its value, "-o, --output=FILE"; returns its length.
int options_describe(const Option *option, char *text, size_t room);
// The help of an option, with the words that it may be: "the method: auto, euler, ...".
void options_explain(const Option *option, char *text, size_t room);
// --help itself, on standard output.
void options_print_help(const OptionTable *table);

// Reads the options into `values` and moves everything else to the front of argv[1...]. Returns
// true to go on; otherwise *status is how to end: --help was printed, or an error was. It is one if
// a file that is to be written is another one of the command line, too.
bool options_parse(const OptionTable *table, int *argc, char **argv, void *values,
                   ExitStatus *status);

// Whether no file that is to be written is one of the model's texts, which may be found by the name
// of the model or of a library. False: after a message.
bool options_spare(const OptionTable *table, const void *values, const Sources *sources);

// "saltus COMMAND: out of memory", on stderr; returns EXIT_RUN_FAILED.
ExitStatus options_out_of_memory(const OptionTable *table);
// "saltus COMMAND: message" and a hint at --help, on stderr; returns EXIT_USAGE.
ExitStatus options_complain(const OptionTable *table, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;
// The same of a message (base/message.h), which is freed.
ExitStatus options_complain_of(const OptionTable *table, char *message);

// Whether stderr is a terminal that wants colours (see no-color.org).
bool options_use_colour(void);

#endif
