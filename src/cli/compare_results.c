// SPDX-License-Identifier: MIT
//
// Two result files: the same or not.

#include "cli/compare.h"
#include "results/tube.h"

#include <math.h>
#include <stdlib.h>

static bool compare_results_is_chosen(const OptionList *patterns, const char *name)
{
    return patterns->count == 0 || options_match(patterns, name);
}

static void print_column(const TubeColumn *c)
{
    if (c->is_missing)
        printf("%s: only in one of them\n", c->name);
    else if (isnan(c->at)) // words, or nothing there
        printf("%s: same\n", c->name);
    else if (isinf(c->deviation))
        printf("%s: different at t = %.10g\n", c->name, c->at);
    else
        printf("%s: %s, largest deviation %.3g (allowed %.3g) at t = %.10g\n", c->name,
               c->is_same ? "same" : "different", c->deviation, c->allowed, c->at);
}

// ---------------------------------------------------------------------------
// As a file
// ---------------------------------------------------------------------------

enum { FILE_COLUMNS = 5 };

static const TableHeading file_columns[FILE_COLUMNS] = {
    {.name = "variable", .kind = TABLE_WORDS},
    {.name = "verdict", .kind = TABLE_WORDS},
    {.name = "deviation"},
    {.name = "allowed"},
    {.name = "at", .unit = "s"},
};

static void write_column(Writer *writer, const TubeColumn *c)
{
    const char *verdict = c->is_missing ? "missing" : c->is_same ? "same" : "different";
    if (writer)
        writer_row(writer, (const double[FILE_COLUMNS]){NAN, NAN, c->deviation, c->allowed, c->at},
                   (const char *const[]){c->name, verdict});
}

// False, after a message: it cannot be written. No file is asked for: *writer is NULL.
static bool open_file(const CompareCommand *command, Writer **writer)
{
    char *message = NULL;
    TableFormat format = TABLE_CSV;
    *writer = NULL;
    if (!command->output)
        return true;
    if (strcmp(command->output, "-") != 0 &&
        (!table_format(command->output, &format) || format == TABLE_MAT)) {
        options_complain(&compare_table, "'%s' should end with .csv or .json", command->output);
        return false;
    }
    *writer = writer_create(&(WriterDef){.path = command->output,
                                         .format = format,
                                         .column_count = FILE_COLUMNS,
                                         .columns = file_columns},
                            &message);
    if (!*writer)
        fprintf(stderr, "saltus compare: %s\n", message_text(message));
    free(message);
    return *writer != NULL;
}

static bool close_file(Writer *writer)
{
    char *message = NULL;
    if (!writer || writer_close(writer, &message))
        return true;
    fprintf(stderr, "saltus compare: %s\n", message_text(message));
    free(message);
    return false;
}

// ---------------------------------------------------------------------------
// The comparison
// ---------------------------------------------------------------------------

// Columns of `b` that `a` has not.
static size_t count_missing(const CompareCommand *command, const Table *a, const Table *b,
                            Writer *writer)
{
    size_t count = 0;
    for (size_t i = 1; i < b->column_count; i++) {
        const char *name = b->columns[i].heading.name;
        if (!compare_results_is_chosen(&command->variables, name) || table_column(a, name))
            continue;
        const TubeColumn missing = {
            .name = name, .is_missing = true, .deviation = NAN, .allowed = NAN, .at = NAN};
        write_column(writer, &missing);
        if (!writer)
            print_column(&missing);
        count++;
    }
    return count;
}

static ExitStatus compare_tables(const CompareCommand *command, const Table *a, const Table *b,
                                 Writer *writer)
{
    const double *t = a->columns[0].values;
    const double span = a->row_count ? t[a->row_count - 1] - t[0] : 0.0;
    const double absolute = settings_given(command->run.settings.absolute_tolerance, NAN, 0.0);
    size_t different = 0, compared = 0;
    for (size_t i = 1; i < a->column_count; i++) {
        if (!compare_results_is_chosen(&command->variables, a->columns[i].heading.name))
            continue;
        const TubeColumn column =
            tube_compare(a, b, i, command->tolerance, absolute, command->time_tolerance * span);
        compared++;
        different += !column.is_same;
        write_column(writer, &column);
        if (!writer && (!column.is_same || !command->run.quiet))
            print_column(&column);
    }
    different += count_missing(command, a, b, writer);
    if (compared == 0)
        return options_complain(&compare_table, "no variable matches");
    if (!command->run.quiet && !writer)
        printf(different ? "different: %zu of %zu\n" : "same\n", different, compared);
    return different ? EXIT_RUN_FAILED : EXIT_FINE;
}

ExitStatus compare_results(const CompareCommand *command, const char *first, const char *second)
{
    char *message = NULL;
    if (!(command->tolerance >= 0.0) || !(command->time_tolerance >= 0.0))
        return options_complain(&compare_table, "tolerances are not negative");
    Table *a = table_read(first, &message);
    Table *b = a ? table_read(second, &message) : NULL;
    ExitStatus status = EXIT_USAGE;
    Writer *writer;
    if (!a || !b)
        fprintf(stderr, "saltus compare: %s\n", message_text(message));
    else if (open_file(command, &writer)) {
        status = compare_tables(command, a, b, writer);
        if (!close_file(writer))
            status = EXIT_USAGE;
    }
    free(message);
    table_destroy(a);
    table_destroy(b);
    return status;
}
