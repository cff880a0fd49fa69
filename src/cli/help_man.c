// SPDX-License-Identifier: MIT
//
// Man pages from the tables of the commands: saltus(1), and saltus-COMMAND(1) for each.

#include "base/message.h"
#include "cli/help.h"

#include <errno.h>
#include <saltus/saltus.h>
#include <stdlib.h>
#include <sys/stat.h>

// ---------------------------------------------------------------------------
// Files
// ---------------------------------------------------------------------------

static bool make_folders(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        const bool is_made = mkdir(path, 0777) == 0 || errno == EEXIST;
        *slash = '/';
        if (!is_made)
            return false;
    }
    return true;
}

bool help_open(AtomicFile *file, const char *folder, const char *path, char **message)
{
    const size_t room = strlen(folder) + strlen(path) + 2;
    char *whole = malloc(room);
    bool is_open = false;
    if (!whole)
        return message_set(message, "out of memory");
    snprintf(whole, room, "%s/%s", folder, path);
    if (!make_folders(whole))
        message_set(message, "cannot write '%s': %s", whole, strerror(errno));
    else
        is_open = atomic_open(file, whole, message);
    free(whole);
    return is_open;
}

bool help_close(AtomicFile *file, char **message)
{
    return atomic_commit(file, message);
}

// ---------------------------------------------------------------------------
// Roff
// ---------------------------------------------------------------------------

// Text as it is: nothing in it means anything to roff, and a hyphen is a minus, to be copied.
static void help_man_put(FILE *out, const char *text, size_t length)
{
    bool is_line_start = true;
    for (size_t i = 0; i < length; i++) {
        const char c = text[i];
        if (is_line_start && (c == '.' || c == '\''))
            fputs("\\&", out);
        if (c == '-')
            fputs("\\-", out);
        else if (c == '\\')
            fputs("\\e", out);
        else
            fputc(c, out);
        is_line_start = c == '\n';
    }
}

static void put_text(FILE *out, const char *text)
{
    help_man_put(out, text, strlen(text));
}

static void help_man_heading(FILE *out, const char *name, const char *summary)
{
    // No date: the same text from the same program.
    fprintf(out, ".\\\" Written by saltus help.\n.TH SALTUS%s%s 1 \"\" \"Saltus %s\" \"Saltus\"\n",
            name ? "-" : "", name ? name : "", saltus_version());
    fprintf(out, ".SH NAME\nsaltus%s%s \\- ", name ? "\\-" : "", name ? name : "");
    put_text(out, summary);
    fputs("\n.SH SYNOPSIS\n", out);
}

static void put_option(FILE *out, const Option *option)
{
    char left[200], help[600];
    options_describe(option, left, sizeof left);
    options_explain(option, help, sizeof help);
    fputs(".TP\n.B ", out);
    put_text(out, left + strspn(left, " "));
    fputc('\n', out);
    put_text(out, help);
    fputc('\n', out);
}

static void put_examples(FILE *out, const char *examples)
{
    fputs(".SH EXAMPLES\n.nf\n", out);
    for (const char *line = examples; *line;) {
        const size_t length = strcspn(line, "\n");
        help_man_put(out, line, length);
        fputc('\n', out);
        line += length + (line[length] == '\n');
    }
    fputs(".fi\n", out);
}

static void put_common(FILE *out)
{
    fputs(
        ".SH EXIT STATUS\n"
        ".TP\n.B 0\nEverything went well, or the model itself ended the run.\n"
        ".TP\n.B 1\nThe run failed, or results could not be written; of a comparison: the results "
        "differ.\n"
        ".TP\n.B 2\nWrong usage, or a file that cannot be read or written.\n"
        ".TP\n.B 3\nThe model has errors.\n"
        ".TP\n.B 4\nThe run stopped before its stop time, because events accumulate (see --zeno).\n"
        ".TP\n.B 130\nThe run was interrupted; the results so far are written.\n"
        ".SH ENVIRONMENT\n"
        ".TP\n.B MODELICAPATH\nFolders with Modelica libraries, separated by colons; those of\n"
        "OpenModelica (~/.openmodelica/libraries) and Dymola are searched after them.\n"
        ".TP\n.B NO_COLOR\nIf it is set, messages have no colours.\n"
        ".TP\n.B XDG_CACHE_HOME\nCompiled models are kept in the folder saltus below it.\n",
        out);
}

static bool write_command(const char *folder, const Command *c, char **message)
{
    static const Option help = {.name = "help", .letter = 'h', .help = "show a summary"};
    char path[100];
    AtomicFile file;
    snprintf(path, sizeof path, "man/man1/saltus-%s.1", c->name);
    if (!help_open(&file, folder, path, message))
        return false;
    FILE *out = file.stream;
    help_man_heading(out, c->name, c->summary);
    fprintf(out, ".B saltus %s\n", c->name);
    put_text(out, c->table->synopsis);
    fputs("\n.SH DESCRIPTION\n", out);
    put_text(out, c->table->description);
    fputs("\n.SH OPTIONS\n", out);
    for (size_t i = 0; i < c->table->count; i++)
        put_option(out, &c->table->options[i]);
    put_option(out, &help);
    if (c->table->examples)
        put_examples(out, c->table->examples);
    put_common(out);
    fputs(".SH SEE ALSO\n.BR saltus (1)\n", out);
    return help_close(&file, message);
}

static bool write_overview(const char *folder, char **message)
{
    AtomicFile file;
    if (!help_open(&file, folder, "man/man1/saltus.1", message))
        return false;
    FILE *out = file.stream;
    help_man_heading(out, NULL, "simulate hybrid and structural-dynamic systems");
    fputs(".B saltus\n.I COMMAND\n[options] ...\n.SH DESCRIPTION\n"
          "Saltus simulates systems whose parameters, inputs, states, equations, number of states\n"
          "and differential index change at events. Models are written in Modelica.\n.PP\n"
          "Without a command the commands are listed. Most of them take Modelica files and the\n"
          "name of a model in them; without a name the last model of the files is taken. A file\n"
          "that is called like its model may be left out: Ball stands for Ball.mo, or for a model\n"
          "of that name that comes with Saltus. Results go to standard output, messages to\n"
          "standard error.\n.SH COMMANDS\n",
          out);
    for (const Command *c = commands; c->name; c++) {
        fprintf(out, ".TP\n.BR saltus\\-%s (1)\n", c->name);
        put_text(out, c->summary);
        fputc('\n', out);
    }
    put_examples(out, "saltus simulate BouncingBall\n"
                      "saltus check Ball.mo\n"
                      "saltus simulate Ball.mo -p e=0.7 -o ball.csv\n"
                      "saltus plot ball.csv h v -o ball.svg\n"
                      "saltus sweep Ball.mo -p e=0.5:0.9:5 --observe 'top = maximum(h)'\n");
    put_common(out);
    return help_close(&file, message);
}

bool help_write_pages(const char *folder, char **message)
{
    if (!write_overview(folder, message))
        return false;
    for (const Command *c = commands; c->name; c++)
        if (!write_command(folder, c, message))
            return false;
    return true;
}
