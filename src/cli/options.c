// SPDX-License-Identifier: MIT

#include "cli/options.h"

#include "base/message.h"
#include "base/number.h"
#include "base/text.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HELP_COLUMN = 32, MOST_OPTIONS = 64, MOST_CHOICES = 4 };

// ---------------------------------------------------------------------------
// Help
// ---------------------------------------------------------------------------

int options_describe(const Option *option, char *text, size_t room)
{
    int n = option->letter ? snprintf(text, room, "-%c, --%s", option->letter, option->name)
                           : snprintf(text, room, "    --%s", option->name);
    for (size_t i = 0; option->kind == OPTION_CHOICE && i < MOST_CHOICES && option->choices[i]; i++)
        n += snprintf(text + n, room - (size_t)n, "%s%s", i == 0 ? "=" : "|", option->choices[i]);
    if (option->value)
        n += snprintf(text + n, room - (size_t)n, "=%s", option->value);
    return n;
}

void options_explain(const Option *option, char *text, size_t room)
{
    int n = snprintf(text, room, "%s", option->help);
    for (size_t i = 0; option->words && option->words[i] && n < (int)room; i++)
        n += snprintf(text + n, room - (size_t)n, "%s%s", i == 0 ? ": " : ", ", option->words[i]);
}

// Breaks the help where the line is full; what stands left of it may be longer than its column.
static void print_option(const Option *option)
{
    enum { LINE = 79 };
    char left[100], help[600];
    int column = 2 + options_describe(option, left, sizeof left);
    printf("  %s", left);
    options_explain(option, help, sizeof help);
    for (const char *word = help; *word;) {
        const size_t length = strcspn(word, " ");
        if (column < HELP_COLUMN) {
            printf("%*s", HELP_COLUMN - column, "");
            column = HELP_COLUMN;
        } else if (word == help || column + 1 + (int)length > LINE) {
            if (word != help || column + 2 + (int)strlen(help) > LINE) {
                printf("\n%*s", HELP_COLUMN, "");
                column = HELP_COLUMN;
            } else {
                printf("  ");
                column += 2;
            }
        } else {
            putchar(' ');
            column++;
        }
        printf("%.*s", (int)length, word);
        column += (int)length;
        word += length + (word[length] == ' ');
    }
    putchar('\n');
}

void options_print_help(const OptionTable *table)
{
    static const Option help = {.name = "help", .letter = 'h', .help = "show this text"};
    printf("Usage: saltus %s %s\n\n%s\n\nOptions:\n", table->command, table->synopsis,
           table->description);
    for (size_t i = 0; i < table->count; i++)
        print_option(&table->options[i]);
    print_option(&help);
    if (!table->examples)
        return;
    printf("\nExamples:\n");
    for (const char *line = table->examples; *line;) {
        const size_t length = strcspn(line, "\n");
        printf("  %.*s\n", (int)length, line);
        line += length + (line[length] == '\n');
    }
}

// ---------------------------------------------------------------------------
// Errors
// ---------------------------------------------------------------------------

ExitStatus options_complain(const OptionTable *table, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "saltus %s: ", table->command);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fprintf(stderr, "\nTry 'saltus %s --help'.\n", table->command);
    return EXIT_USAGE;
}

ExitStatus options_complain_of(const OptionTable *table, char *message)
{
    const ExitStatus status = options_complain(table, "%s", message_text(message));
    free(message);
    return status;
}

ExitStatus options_out_of_memory(const OptionTable *table)
{
    fprintf(stderr, "saltus %s: out of memory\n", table->command);
    return EXIT_RUN_FAILED;
}

// What other tools call an option; NULL: nothing that is known.
static const char *foreign_name(const char *word)
{
    static const char *const table[][2] = {{"set", "parameter"},
                                           {"override", "parameter"},
                                           {"method", "solver"},
                                           {"integrator", "solver"},
                                           {"filter", "variables"},
                                           {"result", "output"},
                                           {"ncp", "output-interval"},
                                           {"dt", "step"},
                                           {"stepsize", "step"},
                                           {"stopTime", "stop-time"},
                                           {"startTime", "start-time"},
                                           {"end", "stop-time"},
                                           {"stop", "stop-time"},
                                           {"tstop", "stop-time"},
                                           {"tend", "stop-time"},
                                           {"tol", "relative-tolerance"},
                                           {"rtol", "relative-tolerance"},
                                           {"atol", "absolute-tolerance"},
                                           {"reltol", "relative-tolerance"},
                                           {"abstol", "absolute-tolerance"}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(word, table[i][0]) == 0)
            return table[i][1];
    return NULL;
}

// The option that is meant: by the word of another tool, one that begins or ends with the word, or
// the nearest. NULL: none.
static const char *meant_option(const char *word, const char *const *names, size_t count)
{
    const char *foreign = foreign_name(word), *part = NULL;
    const size_t length = strlen(word);
    for (size_t i = 0; i < count; i++) {
        const size_t own = strlen(names[i]);
        if (foreign && strcmp(names[i], foreign) == 0)
            return names[i];
        const bool is_end = length > 2 && own > length && names[i][own - length - 1] == '-' &&
                            strcmp(names[i] + own - length, word) == 0;
        if (!part && length > 2 && (is_end || strncmp(names[i], word, length) == 0))
            part = names[i];
    }
    return part ? part : text_nearest(word, names, count);
}

static ExitStatus options_complain_unknown(const OptionTable *table, const char *name,
                                           size_t length)
{
    char word[64]; // no option is as long
    snprintf(word, sizeof word, "%.*s", (int)(length < 60 ? length : 60), name);
    const char *names[MOST_OPTIONS + 1] = {"help"};
    size_t count = 1;
    for (size_t i = 0; i < table->count && count <= MOST_OPTIONS; i++)
        names[count++] = table->options[i].name;
    const char *meant = meant_option(word, names, count);
    if (meant)
        return options_complain(table, "unknown option '--%.*s'; did you mean '--%s'?", (int)length,
                                name, meant);
    return options_complain(table, "unknown option '--%.*s'", (int)length, name);
}

// -stop-time: one dash too few?
static ExitStatus complain_letter(const OptionTable *table, const char *word, char letter)
{
    for (size_t i = 0; i < table->count; i++)
        if (strncmp(word, table->options[i].name, strcspn(word, "=")) == 0 && strlen(word) > 2)
            return options_complain(table, "unknown option '-%c'; did you mean '--%s'?", letter,
                                    word);
    return options_complain(table, "unknown option '-%c'", letter);
}

// ---------------------------------------------------------------------------
// Reading
// ---------------------------------------------------------------------------

// What other tools call a solver; NULL: nothing that is known.
static const char *options_foreign_solver(const char *word)
{
    static const char *const table[][2] = {
        {"dassl", "ida"},    {"dasrt", "ida"},      {"daskr", "ida"},      {"ode15i", "ida"},
        {"ode45", "dopri5"}, {"RK45", "dopri5"},    {"rungekutta", "rk4"}, {"runge-kutta", "rk4"},
        {"ode113", "adams"}, {"ode15s", "cvode"},   {"BDF", "cvode"},      {"bdf", "cvode"},
        {"lsode", "cvode"},  {"lsodar", "cvode"},   {"LSODA", "auto"},     {"lsoda", "auto"},
        {"ode23s", "rodas"}, {"ode23t", "rodas"},   {"ode23tb", "rodas"},  {"radau", "rodas"},
        {"Radau", "rodas"},  {"radauIIa", "rodas"}, {"esdirk", "rodas"},   {"DOP853", "dop853"},
        {"ode23", "dopri5"}, {"RK23", "dopri5"},    {"ode8", "dop853"},    {"ode4", "rk4"},
        {"ode1", "euler"},   {"ode2", "heun"},      {"cvodes", "cvode"},   {"idas", "ida"}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(word, table[i][0]) == 0)
            return table[i][1];
    return NULL;
}

// A word that is none of those that the option may be.
static ExitStatus options_complain_word(const OptionTable *table, const Option *option,
                                        const char *word, const char *const *words)
{
    size_t count = 0;
    const size_t most = words == option->choices ? MOST_CHOICES : SIZE_MAX;
    while (count < most && words[count])
        count++;
    const char *foreign = strcmp(option->name, "solver") == 0 ? options_foreign_solver(word) : NULL;
    if (foreign)
        return options_complain(table,
                                "'%s' is a method of another tool; the nearest one here is --%s=%s",
                                word, option->name, foreign);
    const char *nearest = text_nearest(word, words, count);
    if (nearest)
        return options_complain(table, "'%s' is no value for --%s; did you mean '%s'?", word,
                                option->name, nearest);
    char *list = NULL;
    message_set(&list, "%s", "");
    for (size_t i = 0; i < count; i++)
        message_add(&list, "%s%s", i ? ", " : "", words[i]);
    options_complain(table, "'%s' is no value for --%s, which is one of %s", word, option->name,
                     message_text(list));
    free(list);
    return EXIT_USAGE;
}

typedef struct Reader {
    const OptionTable *table;
    int argc;
    char **argv;
    int next; // index of the argument to read
    void *values;
    ExitStatus *status;
} Reader;

static bool set_choice(Reader *r, const Option *option, const char *value)
{
    if (!value && r->next < r->argc)
        value = r->argv[r->next++];
    for (int i = 0; value && i < MOST_CHOICES && option->choices[i]; i++)
        if (strcmp(value, option->choices[i]) == 0) {
            *(int *)(void *)((char *)r->values + option->offset) = i;
            return true;
        }
    *r->status = value ? options_complain_word(r->table, option, value, option->choices)
                       : options_complain(r->table, "--%s needs a value", option->name);
    return false;
}

static bool set_number(Reader *r, const Option *option, const char *text)
{
    const bool is_negative = text[0] == '-';
    double value;
    if (!number_read(text + is_negative, strlen(text + is_negative), &value) || isinf(value)) {
        *r->status = options_complain(r->table, "'%s' is no number for --%s", text, option->name);
        return false;
    }
    *(double *)(void *)((char *)r->values + option->offset) = is_negative ? -value : value;
    return true;
}

static bool options_set_value(Reader *r, const Option *option, const char *value)
{
    void *place = (char *)r->values + option->offset;
    if (!value && r->next < r->argc)
        value = r->argv[r->next++];
    if (!value) {
        *r->status = options_complain(r->table, "--%s needs a value", option->name);
        return false;
    }
    if (option->kind == OPTION_NUMBER)
        return set_number(r, option, value);
    if (option->kind == OPTION_TEXT) {
        const char *const *words = option->words;
        while (words && *words && strcmp(*words, value) != 0)
            words++;
        if (words && !*words)
            *r->status = options_complain_word(r->table, option, value, option->words);
        *(const char **)place = value;
        return !words || *words;
    }
    OptionList *list = place;
    if (list->count == OPTION_LIST_LENGTH) {
        *r->status =
            options_complain(r->table, "more than %d times --%s", OPTION_LIST_LENGTH, option->name);
        return false;
    }
    list->items[list->count++] = value;
    return true;
}

static bool set_option(Reader *r, const Option *option, const char *value)
{
    if (option->kind == OPTION_CHOICE)
        return set_choice(r, option, value);
    if (option->kind >= OPTION_NUMBER)
        return options_set_value(r, option, value);
    if (value) {
        *r->status = options_complain(r->table, "--%s takes no value", option->name);
        return false;
    }
    *(bool *)((char *)r->values + option->offset) = true;
    return true;
}

static bool read_long(Reader *r, const char *argument)
{
    const char *name = argument + 2, *equals = strchr(name, '=');
    size_t length = equals ? (size_t)(equals - name) : strlen(name);
    for (size_t i = 0; i < r->table->count; i++) {
        const Option *option = &r->table->options[i];
        if (strlen(option->name) == length && strncmp(option->name, name, length) == 0)
            return set_option(r, option, equals ? equals + 1 : NULL);
    }
    if (strcmp(name, "help") == 0) {
        options_print_help(r->table);
        *r->status = EXIT_FINE;
    } else {
        *r->status = options_complain_unknown(r->table, name, length);
    }
    return false;
}

static bool read_letters(Reader *r, const char *letters)
{
    const char *word = letters;
    for (; *letters; letters++) {
        const Option *found = NULL;
        for (size_t i = 0; i < r->table->count; i++)
            if (r->table->options[i].letter == *letters)
                found = &r->table->options[i];
        if (!found && *letters == 'h') {
            options_print_help(r->table);
            *r->status = EXIT_FINE;
            return false;
        }
        if (!found) {
            *r->status = complain_letter(r->table, word, *letters);
            return false;
        }
        const bool takes_rest = found->kind >= OPTION_NUMBER && letters[1];
        if (!set_option(r, found, takes_rest ? letters + 1 : NULL))
            return false;
        if (takes_rest)
            break;
    }
    return true;
}

// ---------------------------------------------------------------------------
// Files
// ---------------------------------------------------------------------------

// The file that an option names; NULL: none, or standard input or output.
static const char *options_file(const OptionTable *table, const void *values, size_t i)
{
    const Option *option = &table->options[i];
    if (option->kind != OPTION_TEXT || !option->value || strncmp(option->value, "FILE", 4) != 0)
        return NULL;
    const char *path = *(const char *const *)(const void *)((const char *)values + option->offset);
    return path && strcmp(path, "-") != 0 ? path : NULL;
}

// Whether two paths lead to one regular file, which may not be there yet.
static bool is_same_file(const char *one, const char *other)
{
    const char *paths[] = {one, other}, *names[2];
    struct stat files[2], folders[2];
    int found = 0;
    for (int i = 0; i < 2; i++) {
        char folder[PATH_MAX];
        const char *slash = strrchr(paths[i], '/');
        const int length = slash ? (int)(slash - paths[i]) + 1 : 0;
        names[i] = paths[i] + length;
        snprintf(folder, sizeof folder, "%.*s.", length, paths[i]);
        if (stat(folder, &folders[i]) != 0)
            return false;
        found += stat(paths[i], &files[i]) == 0;
    }
    if (found == 2)
        return S_ISREG(files[0].st_mode) && files[0].st_dev == files[1].st_dev &&
               files[0].st_ino == files[1].st_ino;
    return found == 0 && folders[0].st_dev == folders[1].st_dev &&
           folders[0].st_ino == folders[1].st_ino && strcmp(names[0], names[1]) == 0;
}

// No file that is written is another one that is written, or one that is read: one of them would be
// lost.
static bool files_are_apart(const Reader *r, int argc)
{
    const OptionTable *table = r->table;
    for (size_t i = 0; i < table->count; i++) {
        const Option *written = &table->options[i];
        const char *path = written->is_read ? NULL : options_file(table, r->values, i);
        for (size_t k = 0; path && k < table->count; k++) {
            const char *other = options_file(table, r->values, k);
            if (other && (table->options[k].is_read || k > i) && is_same_file(path, other)) {
                *r->status = options_complain(table, "--%s and --%s are the same file",
                                              written->name, table->options[k].name);
                return false;
            }
        }
        for (int k = 1; path && k < argc; k++)
            if (is_same_file(path, r->argv[k])) {
                *r->status = options_complain(table, "--%s is '%s', which is read", written->name,
                                              r->argv[k]);
                return false;
            }
    }
    return true;
}

bool options_spare(const OptionTable *table, const void *values, const Sources *sources)
{
    struct stat written, read;
    for (size_t i = 0; i < table->count; i++) {
        const char *path = table->options[i].is_read ? NULL : options_file(table, values, i);
        if (!path || stat(path, &written) != 0 || !S_ISREG(written.st_mode))
            continue;
        for (size_t k = 0; k < sources_count(sources); k++) {
            const char *name = sources_file(sources, k)->name;
            if (stat(name, &read) == 0 && read.st_dev == written.st_dev &&
                read.st_ino == written.st_ino) {
                options_complain(table, "--%s is '%s', which is read", table->options[i].name,
                                 name);
                return false;
            }
        }
    }
    return true;
}

bool options_parse(const OptionTable *table, int *argc, char **argv, void *values,
                   ExitStatus *status)
{
    *status = EXIT_FINE;
    Reader r = {table, *argc, argv, 1, values, status};
    int kept = 1;
    bool has_options = true;
    while (r.next < r.argc) {
        char *argument = argv[r.next++];
        if (has_options && strcmp(argument, "--") == 0) {
            has_options = false;
        } else if (has_options && strncmp(argument, "--", 2) == 0) {
            if (!read_long(&r, argument))
                return false;
        } else if (has_options && argument[0] == '-' && argument[1] != '\0') {
            if (!read_letters(&r, argument + 1))
                return false;
        } else {
            argv[kept++] = argument;
        }
    }
    *argc = kept;
    return files_are_apart(&r, kept);
}

bool options_use_colour(void)
{
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
    if (no_color && *no_color)
        return false;
    return isatty(STDERR_FILENO) && term && strcmp(term, "dumb") != 0;
}

bool options_match(const OptionList *list, const char *name)
{
    for (size_t i = 0; i < list->count; i++)
        if (text_matches(list->items[i], name))
            return true;
    return false;
}
