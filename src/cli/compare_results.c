// SPDX-License-Identifier: MIT
//
// Two result files: the same or not.

#include "cli/compare.h"
#include "studies/tube.h"

#include <fnmatch.h>
#include <math.h>

static bool is_chosen(const OptionList *patterns, const char *name)
{
    for (size_t i = 0; i < patterns->count; i++)
        if (strcmp(patterns->items[i], name) == 0 || fnmatch(patterns->items[i], name, 0) == 0)
            return true;
    return patterns->count == 0;
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

// Columns of `b` that `a` has not.
static size_t count_missing(const CompareCommand *command, const Table *a, const Table *b)
{
    size_t count = 0;
    for (size_t i = 1; i < b->column_count; i++) {
        const char *name = b->columns[i].heading.name;
        if (!is_chosen(&command->variables, name) || table_column(a, name))
            continue;
        printf("%s: only in one of them\n", name);
        count++;
    }
    return count;
}

static ExitStatus compare_tables(const CompareCommand *command, const Table *a, const Table *b)
{
    const double *t = a->columns[0].values;
    const double span = a->row_count ? t[a->row_count - 1] - t[0] : 0.0;
    const TubeOptions options = {
        .relative = command->tolerance,
        .absolute = isnan(command->run.absolute_tolerance) ? 0.0 : command->run.absolute_tolerance,
        .time = command->time_tolerance * span};
    size_t different = 0, compared = 0;
    for (size_t i = 1; i < a->column_count; i++) {
        if (!is_chosen(&command->variables, a->columns[i].heading.name))
            continue;
        const TubeColumn column = tube_compare(a, b, i, &options);
        compared++;
        different += !column.is_same;
        if (!column.is_same || !command->run.quiet)
            print_column(&column);
    }
    different += count_missing(command, a, b);
    if (compared == 0)
        return options_complain(&compare_table, "no variable matches");
    if (!command->run.quiet)
        printf(different ? "different: %zu of %zu\n" : "same\n", different, compared);
    return different ? EXIT_RUN_FAILED : EXIT_FINE;
}

ExitStatus compare_results(const CompareCommand *command, const char *first, const char *second)
{
    char message[TABLE_MESSAGE];
    if (!(command->tolerance >= 0.0) || !(command->time_tolerance >= 0.0))
        return options_complain(&compare_table, "tolerances are not negative");
    Table *a = table_read(first, message);
    Table *b = a ? table_read(second, message) : NULL;
    ExitStatus status = EXIT_USAGE;
    if (a && b)
        status = compare_tables(command, a, b);
    else
        fprintf(stderr, "saltus compare: %s\n", message);
    table_destroy(a);
    table_destroy(b);
    return status;
}
