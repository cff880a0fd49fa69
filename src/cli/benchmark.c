// SPDX-License-Identifier: MIT
//
// saltus benchmark: runs the tasks of a benchmark and writes the report.

#include "report/benchmark.h"
#include "base/number.h"
#include "base/source.h"
#include "cli/commands.h"
#include "cli/libraries.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/watch.h"

#include <ctype.h>
#include <dirent.h>
#include <limits.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct BenchmarkCommand {
    const char *output, *models;
    OptionList parameters;
    bool list;
} BenchmarkCommand;

static const Option benchmark_options[] = {
    {.name = "output",
     .letter = 'o',
     .kind = OPTION_TEXT,
     .value = "DIR",
     .help = "folder of the report (default: NAME-report)",
     .offset = offsetof(BenchmarkCommand, output)},
    {.name = "parameter",
     .letter = 'p',
     .kind = OPTION_LIST,
     .value = "NAME=VALUE",
     .help = "another value for all models that have it; Ball.k: for those of Ball.mo",
     .offset = offsetof(BenchmarkCommand, parameters)},
    {.name = "models",
     .kind = OPTION_TEXT,
     .value = "DIR",
     .help = "folder of the models (default: as installed)",
     .offset = offsetof(BenchmarkCommand, models)},
    {.name = "list",
     .kind = OPTION_FLAG,
     .help = "list the tasks and stop",
     .offset = offsetof(BenchmarkCommand, list)},
};

const OptionTable benchmark_table = {
    .command = "benchmark",
    .synopsis = "[options] c21|c7|c5 [TASK...]",
    .description =
        "Run all tasks of a benchmark, or those that are named, and write the report:\n"
        "index.html, report.tex, results.csv, and every table and curve as CSV.\n"
        "Exit status: 0 all numbers are within the bounds stated beside them, 1 some are\n"
        "not or a task failed, 2 wrong usage.",
    .options = benchmark_options,
    .count = sizeof benchmark_options / sizeof *benchmark_options,
    .examples = "saltus benchmark c21\n"
                "saltus benchmark c21 --list\n"
                "saltus benchmark c21 -o report -p Ball.k=1e6\n",
};

// Models stand beside the program: in the source tree, or as installed.
static const char *find_models(Arena *arena, const char *name)
{
    static const char *const places[] = {"../benchmarks", "../share/saltus/benchmarks",
                                         "benchmarks"};
    char self[LIBRARIES_PATH];
    const bool is_found = libraries_find_program(self);
    for (size_t i = 0; is_found && i < COUNT(places); i++) {
        StringBuilder path = builder_create(arena);
        builder_append_format(&path, "%s/%s/%s", self, places[i], name);
        if (access(builder_string(&path).text, R_OK) == 0)
            return builder_string(&path).text;
    }
    return NULL;
}

static bool read_overrides(const OptionList *list, SaltusSetting *values, Arena *arena)
{
    for (size_t i = 0; i < list->count; i++) {
        const char *text = list->items[i], *equals = strchr(text, '=');
        const bool is_negative = equals && equals[1] == '-';
        const char *digits = equals ? equals + 1 + is_negative : "";
        double value;
        if (!equals || !number_read(digits, strlen(digits), &value)) {
            options_complain(&benchmark_table, "-p needs NAME=NUMBER, not '%s'", text);
            return false;
        }
        values[i] = (SaltusSetting){arena_copy_text(arena, text, (size_t)(equals - text)),
                                    is_negative ? -value : value};
    }
    return true;
}

// The words that declarations of parameters in a file of models declare, or may, behind those that
// are there.
static void collect_words(const char *text, const char *words[], size_t *count, size_t most,
                          Arena *arena)
{
    bool is_inside = false;
    for (const char *at = text; *at;) {
        size_t length = 0;
        while (isalnum((unsigned char)at[length]) || at[length] == '_')
            length++;
        const bool is_keyword = length == 9 && strncmp(at, "parameter", 9) == 0;
        if (*at == '"') {
            at++;
            at += strcspn(at, "\"");
            at += *at != '\0';
            continue;
        }
        const char *next = at + length + strspn(at + length, " \n");
        if (is_inside && length > 0 && *next && strchr("=([,;\"", *next) && *count < most)
            words[(*count)++] = arena_copy_text(arena, at, length);
        is_inside = (is_inside || is_keyword) && *at != ';';
        at += length ? length : 1;
    }
}

// What the parameters of a benchmark's models are called: those of Ball.mo for "Ball.mu".
static size_t collect_parameters(const char *folder, const char *name, const char *words[],
                                 size_t most, Arena *arena)
{
    DIR *models = opendir(folder);
    Sources *sources = sources_create(arena);
    const size_t stem = strcspn(name, ".");
    size_t known = 0;
    for (const struct dirent *entry; models && (entry = readdir(models));) {
        const size_t length = strcspn(entry->d_name, ".");
        StringBuilder path = builder_create(arena);
        builder_append_format(&path, "%s/%s", folder, entry->d_name);
        const SourceFile *source;
        if (strcmp(entry->d_name + length, ".mo") == 0 &&
            (!name[stem] || (length == stem && strncmp(entry->d_name, name, stem) == 0)) &&
            sources_read(sources, builder_string(&path).text, &source) == SOURCE_OK)
            collect_words(source->text, words, &known, most, arena);
    }
    if (models)
        closedir(models);
    return known;
}

// Refuses the name of a parameter that no model of the benchmark declares, before all tasks are run
// in vain. (A name that only other tasks know is reported at the end.)
static bool check_overrides(const char *folder, const SaltusSetting *values, size_t count,
                            Arena *arena)
{
    enum { WORDS_MOST = 4096 };
    const char **words = ARENA_ARRAY(arena, WORDS_MOST, const char *);
    for (size_t i = 0; i < count; i++) {
        const char *dot = strrchr(values[i].name, '.'), *name = dot ? dot + 1 : values[i].name;
        size_t known = collect_parameters(folder, values[i].name, words, WORDS_MOST, arena), k = 0;
        if (!known) // no file's name: that of a component
            known = collect_parameters(folder, "", words, WORDS_MOST, arena);
        while (k < known && strcmp(words[k], name) != 0)
            k++;
        if (k < known)
            continue;
        const char *nearest = text_nearest(name, words, known);
        options_complain(&benchmark_table, "no model has a parameter '%s'%s%.*s%s%s",
                         values[i].name, nearest ? "; did you mean '" : "",
                         nearest && dot ? (int)(name - values[i].name) : 0, values[i].name,
                         nearest ? nearest : "", nearest ? "'?" : "");
        return false;
    }
    return true;
}

enum { PROGRESS_WIDTH = 78 }; // spaces wipe what was longer before

static int show_progress(void *user, const BenchmarkTask *task, size_t done, size_t count)
{
    const bool is_terminal = *(const bool *)user;
    char line[PROGRESS_WIDTH + 1];
    if (task->id) {
        snprintf(line, sizeof line, "[%3zu%%] %-3s %s", 100 * done / count, task->id, task->title);
        fprintf(stderr, is_terminal ? "\r%-*s" : "%.*s\n", PROGRESS_WIDTH, line);
    }
    fflush(stderr);
    return progress_is_interrupted();
}

static bool check_tasks(const BenchmarkDef *def, int count, char **words)
{
    const char *ids[64];
    size_t known = 0;
    for (size_t i = 0; i < def->task_count && known < COUNT(ids); i++)
        if (def->tasks[i].id)
            ids[known++] = def->tasks[i].id;
    for (int i = 0; i < count; i++) {
        size_t k = 0;
        while (k < known && strcmp(ids[k], words[i]) != 0)
            k++;
        if (k < known)
            continue;
        const char *nearest = text_nearest(words[i], ids, known);
        options_complain(&benchmark_table, "%s has no task '%s'%s%s%s", def->name, words[i],
                         nearest ? "; did you mean '" : "", nearest ? nearest : "",
                         nearest ? "'?" : "");
        return false;
    }
    return true;
}

// The pictures that move, by the command that makes them. Parameters that were given for the report
// are left to it: an animation shows the model as it is.
static bool benchmark_animate(const Benchmark *b, const BenchmarkOptions *o, Arena *arena)
{
    bool is_fine = true;
    for (size_t i = 0; i < b->animation_count; i++) {
        const BenchmarkAnimation *a = &b->animations[i];
        StringBuilder output = builder_create(arena), file = builder_create(arena),
                      stop = builder_create(arena);
        builder_append_format(&output, "--output=%s/%s.html", o->output, a->id);
        builder_append_format(&file, "%s/%s", o->models, a->file);
        builder_append_format(&stop, "--stop-time=%.17g", a->stop_time);
        char *words[10] = {(char[]){"animate"}, (char[]){"--quiet"}, output.text};
        int count = 3;
        if (a->stop_time > 0.0)
            words[count++] = stop.text;
        words[count++] = (char[]){"--plot"};
        words[count++] = arena_copy_text(arena, a->plot, strlen(a->plot));
        words[count++] = file.text;
        words[count++] = arena_copy_text(arena, a->model, strlen(a->model));
        is_fine &= animate_run(count, words) == EXIT_FINE;
    }
    return is_fine;
}

static ExitStatus benchmark_report(const BenchmarkDef *def, const BenchmarkOptions *o,
                                   bool is_terminal, Arena *arena)
{
    const Benchmark b = benchmark_run(def, o, arena);
    if (is_terminal)
        fprintf(stderr, "\r%*s\r", PROGRESS_WIDTH, "");
    const String failures = builder_string(&b.failures);
    const size_t failed = findings_failed(&b.findings);
    fputs(failures.text, stderr);
    const bool are_made = !b.is_written || b.is_interrupted || benchmark_animate(&b, o, arena);
    fprintf(stderr, "%s: %zu numbers, %zu beyond their bounds, %.1f s\n", def->name,
            b.findings.count, failed, b.seconds);
    if (b.is_written)
        printf("%s/index.html\n", o->output);
    return b.is_interrupted                                          ? EXIT_INTERRUPTED
           : failed || failures.length || !b.is_written || !are_made ? EXIT_RUN_FAILED
                                                                     : EXIT_FINE;
}

static ExitStatus run_benchmark(const BenchmarkCommand *command, int argc, char **argv,
                                Arena *arena)
{
    const BenchmarkDef *def = argc > 1 ? benchmark_find(argv[1]) : NULL;
    if (!def) {
        if (argc > 1)
            return options_complain(
                &benchmark_table, "there is no benchmark '%s'; there are c21, c7 and c5", argv[1]);
        return options_complain(&benchmark_table, "no benchmark given; there are c21, c7 and c5");
    }
    if (command->list) {
        for (size_t i = 0; i < def->task_count; i++)
            if (def->tasks[i].id)
                printf("%-3s %s\n", def->tasks[i].id, def->tasks[i].title);
        return EXIT_FINE;
    }
    SaltusSetting overrides[OPTION_LIST_LENGTH];
    if (!check_tasks(def, argc - 2, argv + 2) ||
        !read_overrides(&command->parameters, overrides, arena))
        return EXIT_USAGE;
    StringBuilder output = builder_create(arena);
    builder_append_format(&output, "%s-report", def->name);
    bool is_terminal = isatty(STDERR_FILENO);
    BenchmarkOptions o = {
        .models = command->models ? command->models : find_models(arena, def->name),
        .output = command->output ? command->output : builder_string(&output).text,
        .overrides = overrides,
        .override_count = command->parameters.count,
        .tasks = argc > 2 ? (const char *const *)(argv + 2) : NULL,
        .task_count = (size_t)(argc > 2 ? argc - 2 : 0),
        .progress = show_progress,
        .user = &is_terminal};
    if (!o.models) {
        options_complain(&benchmark_table,
                         "the models of %s are not beside the program; give "
                         "their folder with --models",
                         def->name);
        return EXIT_USAGE;
    }
    if (!check_overrides(o.models, overrides, o.override_count, arena))
        return EXIT_USAGE;
    watch_limit("benchmark", 0.0, 0.0);
    progress_catch_interrupt();
    return benchmark_report(def, &o, is_terminal, arena);
}

ExitStatus benchmark_run_command(int argc, char **argv)
{
    BenchmarkCommand command = {0};
    ExitStatus status;
    if (!options_parse(&benchmark_table, &argc, argv, &command, &status))
        return status;
    Arena *arena = arena_create(NULL);
    if (!arena) {
        fputs("saltus benchmark: out of memory\n", stderr);
        return EXIT_RUN_FAILED;
    }
    // What runs and models hold beside the arena is lost on the way here, and the command ends.
    jmp_buf exhausted;
    if (setjmp(exhausted)) {
        arena_destroy(arena);
        fputs("saltus benchmark: out of memory\n", stderr);
        return EXIT_RUN_FAILED;
    }
    arena_on_exhaustion(arena, &exhausted);
    status = run_benchmark(&command, argc, argv, arena);
    arena_destroy(arena);
    return status;
}
