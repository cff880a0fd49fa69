// SPDX-License-Identifier: MIT
//
// Completion for bash, zsh and fish from the tables of the commands. Arguments that are no options
// are files, except those of `saltus help`, which are commands.

#include "cli/help.h"

// In single quotes, for all three shells: a quote ends the text, stands escaped, and begins it
// anew.
static void put_quoted(FILE *out, const char *text)
{
    fputc('\'', out);
    for (; *text; text++) {
        if (*text == '\'')
            fputs("'\\''", out);
        else
            fputc(*text, out);
    }
    fputc('\'', out);
}

static void put_command_names(FILE *out)
{
    for (const Command *c = commands; c->name; c++)
        fprintf(out, "%s%s", c == commands ? "" : " ", c->name);
}

static bool takes_file(const Option *option)
{
    return option->value && (strstr(option->value, "FILE") || strstr(option->value, "FOLDER"));
}

// ---------------------------------------------------------------------------
// bash
// ---------------------------------------------------------------------------

static void bash_command(FILE *out, const Command *c)
{
    fprintf(out, "    %s)\n        options='", c->name);
    for (size_t i = 0; i < c->table->count; i++) {
        const Option *o = &c->table->options[i];
        fprintf(out, "--%s%s ", o->name, o->kind == OPTION_FLAG ? "" : "=");
        if (o->letter)
            fprintf(out, "-%c ", o->letter);
    }
    fputs("--help'\n        case $option in\n", out);
    for (size_t i = 0; i < c->table->count; i++) {
        const Option *o = &c->table->options[i];
        size_t count;
        const char *const *words = help_words(o, &count);
        if (o->kind == OPTION_FLAG)
            continue;
        fprintf(out, "        --%s", o->name);
        if (o->letter)
            fprintf(out, " | -%c", o->letter);
        fputs(") ", out);
        for (size_t k = 0; k < count; k++)
            fprintf(out, "%s%s", k ? " " : "values='", words[k]);
        fputs(count ? "' ;;\n" : takes_file(o) ? "files=yes ;;\n" : "values=' ' ;;\n", out);
    }
    fprintf(out, "        esac\n        ;;\n");
}

static bool write_bash(const char *folder, char message[ATOMIC_MESSAGE])
{
    AtomicFile file;
    if (!help_open(&file, folder, "bash-completion/completions/saltus", message))
        return false;
    FILE *out = file.stream;
    fputs("# Written by saltus help.\n"
          "_saltus() {\n"
          "    local word=${COMP_WORDS[COMP_CWORD]} option= values= files= options= commands\n"
          "    commands='",
          out);
    put_command_names(out);
    // bash breaks words at '=', so that --solver=r is three of them.
    fputs("'\n"
          "    compopt -o default 2>/dev/null\n"
          "    COMPREPLY=()\n"
          "    if [ \"$COMP_CWORD\" = 1 ]; then\n"
          "        COMPREPLY=($(compgen -W \"$commands --help --version\" -- \"$word\"))\n"
          "        return\n"
          "    fi\n"
          "    if [ \"$word\" = = ]; then\n"
          "        option=${COMP_WORDS[COMP_CWORD - 1]} word=\n"
          "    elif [ \"${COMP_WORDS[COMP_CWORD - 1]}\" = = ]; then\n"
          "        option=${COMP_WORDS[COMP_CWORD - 2]}\n"
          "    else\n"
          "        option=${COMP_WORDS[COMP_CWORD - 1]}\n"
          "    fi\n"
          "    case ${COMP_WORDS[1]} in\n",
          out);
    for (const Command *c = commands; c->name; c++)
        bash_command(out, c);
    fputs("    esac\n"
          "    if [ -n \"$values\" ]; then\n"
          "        COMPREPLY=($(compgen -W \"$values\" -- \"$word\"))\n"
          "    elif [ -z \"$files\" ] && [ \"${word#-}\" != \"$word\" ]; then\n"
          "        COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
          "        [[ ${COMPREPLY[0]-} = *= ]] && compopt -o nospace 2>/dev/null\n"
          "    elif [ \"${COMP_WORDS[1]}\" = help ]; then\n"
          "        COMPREPLY=($(compgen -W \"$commands\" -- \"$word\"))\n"
          "    fi\n"
          "}\n"
          "complete -F _saltus saltus\n",
          out);
    return help_close(&file, message);
}

// ---------------------------------------------------------------------------
// zsh
// ---------------------------------------------------------------------------

// One specification of _arguments: '(-o --output)'{-o+,--output=}'[help]:FILE:_files'.
static void zsh_option(FILE *out, const Option *o)
{
    const bool is_flag = o->kind == OPTION_FLAG;
    size_t count;
    const char *const *words = help_words(o, &count);
    fputs("            ", out);
    if (o->kind == OPTION_LIST)
        fputs("'*'", out);
    if (o->letter && o->kind != OPTION_LIST)
        fprintf(out, "'(-%c --%s)'", o->letter, o->name);
    if (o->letter)
        fprintf(out, "{-%c%s,--%s%s}", o->letter, is_flag ? "" : "+", o->name, is_flag ? "" : "=");
    else
        fprintf(out, "--%s%s", o->name, is_flag ? "" : "=");
    fputs("'[", out);
    for (const char *c = o->help; *c; c++) {
        if (*c == '\'')
            fputs("'\\''", out);
        else if (strchr("[]:", *c))
            fprintf(out, "\\%c", *c);
        else
            fputc(*c, out);
    }
    fputc(']', out);
    if (!is_flag)
        fprintf(out, ":%s:", o->value ? o->value : o->name);
    for (size_t k = 0; k < count; k++)
        fprintf(out, "%s%s", k ? " " : "(", words[k]);
    fputs(count ? ")' \\\n" : !is_flag && takes_file(o) ? "_files' \\\n" : "' \\\n", out);
}

static bool write_zsh(const char *folder, char message[ATOMIC_MESSAGE])
{
    AtomicFile file;
    if (!help_open(&file, folder, "zsh/site-functions/_saltus", message))
        return false;
    FILE *out = file.stream;
    fputs("#compdef saltus\n# Written by saltus help.\n"
          "_saltus() {\n"
          "    local -a commands\n"
          "    commands=(\n",
          out);
    for (const Command *c = commands; c->name; c++) {
        char line[300];
        snprintf(line, sizeof line, "%s:%s", c->name, c->summary);
        fputs("        ", out);
        put_quoted(out, line);
        fputc('\n', out);
    }
    fputs("    )\n"
          "    if (( CURRENT == 2 )); then\n"
          "        _describe command commands\n"
          "        return\n"
          "    fi\n"
          "    shift words\n"
          "    (( CURRENT-- ))\n"
          "    case $words[1] in\n",
          out);
    for (const Command *c = commands; c->name; c++) {
        fprintf(out, "    %s)\n        _arguments -s -S \\\n", c->name);
        for (size_t i = 0; i < c->table->count; i++)
            zsh_option(out, &c->table->options[i]);
        fputs("            '(-h --help)'{-h,--help}'[show how it is used]' \\\n            ", out);
        if (strcmp(c->name, "help") == 0) {
            fputs("'1:command:(", out);
            put_command_names(out);
            fputs(")'\n        ;;\n", out);
        } else {
            fputs("'*:file:_files'\n        ;;\n", out);
        }
    }
    fputs("    esac\n}\n_saltus \"$@\"\n", out);
    return help_close(&file, message);
}

// ---------------------------------------------------------------------------
// fish
// ---------------------------------------------------------------------------

static void fish_option(FILE *out, const char *command, const Option *o)
{
    size_t count;
    const char *const *words = help_words(o, &count);
    fprintf(out, "complete -c saltus -n '__fish_seen_subcommand_from %s' -l %s", command, o->name);
    if (o->letter)
        fprintf(out, " -s %c", o->letter);
    if (o->kind != OPTION_FLAG)
        fputs(takes_file(o) ? " -r -F" : " -x", out);
    for (size_t k = 0; k < count; k++)
        fprintf(out, "%s%s", k ? " " : " -a '", words[k]);
    fputs(count ? "' -d " : " -d ", out);
    put_quoted(out, o->help);
    fputc('\n', out);
}

static bool write_fish(const char *folder, char message[ATOMIC_MESSAGE])
{
    AtomicFile file;
    if (!help_open(&file, folder, "fish/vendor_completions.d/saltus.fish", message))
        return false;
    FILE *out = file.stream;
    fputs("# Written by saltus help.\n", out);
    for (const Command *c = commands; c->name; c++) {
        fprintf(out, "complete -c saltus -n __fish_use_subcommand -x -a %s -d ", c->name);
        put_quoted(out, c->summary);
        fputc('\n', out);
    }
    for (const Command *c = commands; c->name; c++)
        for (size_t i = 0; i < c->table->count; i++)
            fish_option(out, c->name, &c->table->options[i]);
    fputs("complete -c saltus -n '__fish_seen_subcommand_from help' -x -a '", out);
    put_command_names(out);
    fputs("'\n", out);
    return help_close(&file, message);
}

bool help_write_completions(const char *folder, char message[ATOMIC_MESSAGE])
{
    return write_bash(folder, message) && write_zsh(folder, message) && write_fish(folder, message);
}
