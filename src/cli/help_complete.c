// SPDX-License-Identifier: MIT
//
// Completion for bash, zsh and fish from the tables of the commands. Arguments that are no options
// are files (.mo, or results), except those of `saltus help`, which are commands. Where the value
// of an option is a parameter or a variable, those of the model on the command line are offered.

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

// What the names are that an option of a command that reads models takes: a pattern of the kinds
// in `saltus flatten --json`; NULL: none.
static const char *help_complete_kind(const Command *c, const Option *o)
{
    if (!strstr(c->table->synopsis, "[MODEL]"))
        return NULL;
    if (strcmp(o->name, "parameter") == 0 || strcmp(o->name, "unknown") == 0)
        return "parameter";
    if (strcmp(o->name, "variables") == 0 || strcmp(o->name, "plot") == 0 ||
        strcmp(o->name, "start") == 0)
        return "continuous\\|discrete";
    return NULL;
}

static bool help_complete_assigns(const Option *o)
{
    return o->value && strstr(o->value, "NAME=");
}

// How the names of the files end that a command reads, separated by blanks; none: anything.
static const char *help_complete_files(const Command *c)
{
    if (strcmp(c->name, "compare") == 0)
        return "mo csv mat json";
    if (strstr(c->table->synopsis, "FILE..."))
        return "mo";
    return strstr(c->table->synopsis, "RESULT") ? "csv mat json" : "";
}

// Prints the names of the model in the words of the command line.
#define NAMES_OF_MODEL                                                                             \
    "        case $word in *.mo)\n"                                                                \
    "            saltus flatten --json \"$word\" 2>/dev/null | sed 's/{\"name\":\"/\\n&/g' |\n"    \
    "                sed -n "                                                                      \
    "'s/^{\"name\":\"\\([^\"\\]*\\)\",\"kind\":\"\\('\"$1\"'\\)\".*/\\1/p'\n"                      \
    "            return ;;\n"                                                                      \
    "        esac\n"

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
        const char *kind = help_complete_kind(c, o);
        if (kind)
            fprintf(out, "values=$(_saltus_names '%s')' '%s ;;\n", kind,
                    help_complete_assigns(o) ? " suffix==" : "");
        else
            fputs(count ? "' ;;\n" : takes_file(o) ? "files=yes ;;\n" : "values=' ' ;;\n", out);
    }
    fprintf(out, "        esac\n        endings=(%s)\n        ;;\n", help_complete_files(c));
}

static bool write_bash(const char *folder, char **message)
{
    AtomicFile file;
    if (!help_open(&file, folder, "bash-completion/completions/saltus", message))
        return false;
    FILE *out = file.stream;
    fputs("# Written by saltus help.\n"
          "_saltus_names() {\n"
          "    local word\n"
          "    for word in \"${COMP_WORDS[@]}\"; do\n" NAMES_OF_MODEL "    done\n"
          "}\n"
          "_saltus() {\n"
          "    local word=${COMP_WORDS[COMP_CWORD]} option= values= files= options= commands\n"
          "    local suffix=\n"
          "    local -a endings=()\n"
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
          "        COMPREPLY=($(compgen -S \"$suffix\" -W \"$values\" -- \"$word\"))\n"
          "        [ -z \"$suffix\" ] || compopt -o nospace 2>/dev/null\n"
          "    elif [ -z \"$files\" ] && [ \"${word#-}\" != \"$word\" ]; then\n"
          "        COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
          "        [[ ${COMPREPLY[0]-} = *= ]] && compopt -o nospace 2>/dev/null\n"
          "    elif [ \"${COMP_WORDS[1]}\" = help ]; then\n"
          "        COMPREPLY=($(compgen -W \"$commands\" -- \"$word\"))\n"
          "    elif [ -z \"$files\" ] && [ ${#endings[@]} -gt 0 ]; then\n"
          "        compopt -o filenames 2>/dev/null\n"
          "        local IFS=$'\\n'\n"
          "        COMPREPLY=($(compgen -d -- \"$word\"))\n"
          "        local ending\n"
          "        for ending in \"${endings[@]}\"; do\n"
          "            COMPREPLY+=($(compgen -f -X \"!*.$ending\" -- \"$word\"))\n"
          "        done\n"
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
static void zsh_option(FILE *out, const Command *c, const Option *o)
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
    for (const char *text = o->help; *text; text++) {
        if (*text == '\'')
            fputs("'\\''", out);
        else if (strchr("[]:", *text))
            fprintf(out, "\\%c", *text);
        else
            fputc(*text, out);
    }
    fputc(']', out);
    if (!is_flag)
        fprintf(out, ":%s:", o->value ? o->value : o->name);
    for (size_t k = 0; k < count; k++)
        fprintf(out, "%s%s", k ? " " : "(", words[k]);
    const char *kind = help_complete_kind(c, o);
    if (kind)
        fprintf(out, "{_saltus_add '\\''%s'\\'' '\\''%s'\\''}' \\\n", kind,
                help_complete_assigns(o) ? "=" : "");
    else
        fputs(count ? ")' \\\n" : !is_flag && takes_file(o) ? "_files' \\\n" : "' \\\n", out);
}

// '*:file:_files -g "*.(csv|mat|json)"'
static void zsh_files(FILE *out, const char *endings)
{
    fputs(*endings ? "'*:file:_files -g \"*.(" : "'*:file:_files", out);
    for (const char *c = endings; *c; c++)
        fputc(*c == ' ' ? '|' : *c, out);
    fputs(*endings ? ")\"'\n        ;;\n" : "'\n        ;;\n", out);
}

static bool write_zsh(const char *folder, char **message)
{
    AtomicFile file;
    if (!help_open(&file, folder, "zsh/site-functions/_saltus", message))
        return false;
    FILE *out = file.stream;
    fputs("#compdef saltus\n# Written by saltus help.\n"
          "_saltus_names() {\n"
          "    local word\n"
          "    for word in $words; do\n" NAMES_OF_MODEL "    done\n"
          "}\n"
          "_saltus_add() {\n"
          "    local -a names\n"
          "    names=(${(f)\"$(_saltus_names \"$1\")\"})\n"
          "    compadd -S \"$2\" -a names\n"
          "}\n"
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
            zsh_option(out, c, &c->table->options[i]);
        fputs("            '(-h --help)'{-h,--help}'[show how it is used]' \\\n            ", out);
        if (strcmp(c->name, "help") == 0) {
            fputs("'1:command:(", out);
            put_command_names(out);
            fputs(")'\n        ;;\n", out);
        } else {
            zsh_files(out, help_complete_files(c));
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

static bool write_fish(const char *folder, char **message)
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

bool help_write_completions(const char *folder, char **message)
{
    return write_bash(folder, message) && write_zsh(folder, message) && write_fish(folder, message);
}
