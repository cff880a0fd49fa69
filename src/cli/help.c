// SPDX-License-Identifier: MIT
//
// saltus help: how commands are used, for people, and as man pages, shell completion and JSON; all
// of it from the tables of the commands.

#include "cli/help.h"

#include <saltus/saltus.h>
#include <stdio.h>
#include <string.h>

typedef struct HelpCommand {
    const char *write;
    bool json;
} HelpCommand;

static const Option help_options[] = {
    {.name = "write",
     .kind = OPTION_TEXT,
     .value = "FOLDER",
     .help = "write man pages and completion for bash, zsh and fish there",
     .offset = offsetof(HelpCommand, write)},
    {.name = "json",
     .kind = OPTION_FLAG,
     .help = "all commands and their options as JSON",
     .offset = offsetof(HelpCommand, json)},
};

const OptionTable help_table = {
    .command = "help",
    .synopsis = "[options] [COMMAND]",
    .description =
        "Show how a command is used, the same as saltus COMMAND --help. Without one: list\n"
        "the commands.",
    .options = help_options,
    .count = sizeof help_options / sizeof *help_options,
    .examples = "saltus help simulate\n"
                "saltus help --write=/usr/local/share\n"
                "saltus help --json | jq '.commands[].name'\n",
};

void help_print_commands(void)
{
    printf("Usage: saltus COMMAND [options] ...\n"
           "       saltus COMMAND --help\n\n"
           "Simulates hybrid and structural-dynamic systems.\n\n"
           "Commands:\n");
    for (const Command *c = commands; c->name; c++)
        printf("  %-12s %s\n", c->name, c->summary);
    printf("\nOptions:\n"
           "  -h, --help     show this text\n"
           "      --version  show the version\n\n"
           "Examples:\n"
           "  saltus simulate BouncingBall               a model that comes with Saltus\n"
           "  saltus check Ball.mo                       a model of your own\n"
           "  saltus simulate Ball.mo -p e=0.7 -o ball.csv\n"
           "  saltus plot ball.csv h v -o ball.svg\n");
}

// ---------------------------------------------------------------------------
// JSON
// ---------------------------------------------------------------------------

static const char *kind_name(OptionKind kind)
{
    static const char *const names[] = {[OPTION_FLAG] = "flag",
                                        [OPTION_CHOICE] = "choice",
                                        [OPTION_NUMBER] = "number",
                                        [OPTION_TEXT] = "text",
                                        [OPTION_LIST] = "list"};
    return names[kind];
}

static void json_option(const Option *option)
{
    fputs("{\"name\":", stdout);
    writer_json_string(stdout, option->name);
    if (option->letter)
        printf(",\"letter\":\"%c\"", option->letter);
    printf(",\"kind\":\"%s\"", kind_name(option->kind));
    size_t count;
    const char *const *words = help_words(option, &count);
    for (size_t i = 0; i < count; i++) {
        fputs(i ? "," : ",\"values\":[", stdout);
        writer_json_string(stdout, words[i]);
    }
    fputs(count ? "],\"help\":" : ",\"help\":", stdout);
    writer_json_string(stdout, option->help);
    putchar('}');
}

static void help_print_json(void)
{
    fputs("{\"schema\":\"saltus-help\",\"version\":1,\"saltus\":", stdout);
    writer_json_string(stdout, saltus_version());
    fputs(",\"commands\":[", stdout);
    for (const Command *c = commands; c->name; c++) {
        fputs(c == commands ? "\n{\"name\":" : ",\n{\"name\":", stdout);
        writer_json_string(stdout, c->name);
        fputs(",\"summary\":", stdout);
        writer_json_string(stdout, c->summary);
        fputs(",\"synopsis\":", stdout);
        writer_json_string(stdout, c->table->synopsis);
        fputs(",\"options\":[", stdout);
        for (size_t i = 0; i < c->table->count; i++) {
            fputs(i ? ",\n" : "\n", stdout);
            json_option(&c->table->options[i]);
        }
        fputs("]}", stdout);
    }
    fputs("]}\n", stdout);
}

const char *const *help_words(const Option *option, size_t *count)
{
    enum { MOST_CHOICES = sizeof option->choices / sizeof *option->choices };
    const bool is_choice = option->kind == OPTION_CHOICE;
    const char *const *words = is_choice ? option->choices : option->words;
    *count = 0;
    while (words && (!is_choice || *count < MOST_CHOICES) && words[*count])
        ++*count;
    return words;
}

// ---------------------------------------------------------------------------
// The command
// ---------------------------------------------------------------------------

static ExitStatus help_on(const char *name)
{
    const char *names[64];
    size_t count = 0;
    for (const Command *c = commands; c->name && count < 64; c++) {
        names[count++] = c->name;
        if (strcmp(c->name, name) == 0) {
            options_print_help(c->table);
            return EXIT_FINE;
        }
    }
    const char *nearest = text_nearest(name, names, count);
    return options_complain(&help_table, "there is no command '%s'%s%s%s", name,
                            nearest ? "; did you mean '" : "", nearest ? nearest : "",
                            nearest ? "'?" : "");
}

ExitStatus help_run(int argc, char **argv)
{
    HelpCommand command = {0};
    ExitStatus status;
    if (!options_parse(&help_table, &argc, argv, &command, &status))
        return status;
    if (argc > 2)
        return options_complain(&help_table, "one command at a time, not also '%s'", argv[2]);
    if (command.write) {
        char *message = NULL;
        if (help_write_pages(command.write, &message) &&
            help_write_completions(command.write, &message))
            return EXIT_FINE;
        return options_complain_of(&help_table, message);
    }
    if (command.json)
        help_print_json();
    else if (argc == 2)
        return help_on(argv[1]);
    else
        help_print_commands();
    return EXIT_FINE;
}
