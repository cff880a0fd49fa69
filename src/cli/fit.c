// SPDX-License-Identifier: MIT
//
// saltus fit: parameters for which a run comes nearest to what was measured.

#include "base/message.h"
#include "cli/solve.h"

#include "base/number.h"
#include "results/writer.h"

#include <math.h>
#include <stdlib.h>

static const Option fit_options[] = {
    {.name = "data",
     .letter = 'd',
     .kind = OPTION_TEXT,
     .value = "FILE",
     .is_read = true,
     .help = "measured values: " TABLE_ENDINGS "the first column is the time",
     .offset = offsetof(SolveCommand, data)},
    SOLVE_UNKNOWN_OPTION,
    {.name = "match",
     .letter = 'm',
     .kind = OPTION_LIST,
     .value = "VARIABLE=COLUMN[:SIGMA]",
     .help = "compare these; SIGMA is the scatter of the measured values (default: all columns "
             "that have the name of a variable)",
     .offset = offsetof(SolveCommand, matches)},
    SOLVE_PARAMETER_OPTION,
    {.name = "starts",
     .kind = OPTION_NUMBER,
     .value = "NUMBER",
     .help = "places to begin at, of which the best wins (1)",
     .offset = offsetof(SolveCommand, starts)},
    {.name = "observe",
     .kind = OPTION_LIST,
     .value = "NAME=EXPR",
     .help = "a further value of the run; may be repeated",
     .offset = offsetof(SolveCommand, observation_list)},
    {.name = "output",
     .letter = 'o',
     .kind = OPTION_TEXT,
     .value = "FILE",
     .help = "table of what was found: " TABLE_ENDINGS "- (default)",
     .offset = offsetof(SolveCommand, output)},
    {.name = "curve",
     .kind = OPTION_TEXT,
     .value = "FILE",
     .help = "measured and fitted values, one row per time",
     .offset = offsetof(SolveCommand, curve)},
    STUDY_METHOD_OPTIONS(SolveCommand, "(1e-9)"),
    STUDY_OPTIONS(SolveCommand),
};

const OptionTable fit_table = {
    .command = "fit",
    .synopsis = "--data=FILE -u NAME=A:B [options] FILE... [MODEL]",
    .description =
        "Find the parameters for which a run comes nearest to measured values: least\n"
        "squares, through events and changes of mode, with standard errors. Exit status:\n"
        "0 found, 1 not found (the message says why), 2 wrong usage, 3 errors in the\n"
        "model, 130 interrupted.",
    .options = fit_options,
    .count = sizeof fit_options / sizeof *fit_options,
    .examples = "saltus fit Ball.mo --data measured.csv -u c=0.5:0.95 -u g=9:10\n"
                "saltus fit Motor.mo -d run.csv -u J=1e-6:1e-3:log -m 'motor.w=speed:0.5'\n",
};

// ---------------------------------------------------------------------------
// Data
// ---------------------------------------------------------------------------

// The values of a column, of which some may be missing, as those of measured column `k`.
static ExitStatus fit_take_column(SolveCommand *s, const TableColumn *c, size_t k)
{
    const char *name = c->heading.name;
    const size_t rows = s->fit.measured.row_count;
    if (k < OPTION_LIST_LENGTH && table_is_ambiguous(s->fit.table_read, c)) // of those observed
        return options_complain(s->table, "%s: several columns are called %s", s->data, name);
    for (size_t i = 0; i < rows; i++)
        if (isinf(c->values[i]))
            return options_complain(s->table, "%s: %s is infinite in row %zu", s->data, name,
                                    i + 1);
    memcpy(s->fit.measured_values + k * rows, c->values, rows * sizeof(double));
    return EXIT_FINE;
}

// VARIABLE=COLUMN[:SIGMA] for the next column of the measured values.
static ExitStatus fit_read_match(SolveCommand *s, const char *text)
{
    const char *equals = strchr(text, '='), *colon = strrchr(text, ':');
    double sigma = 1.0;
    if (!equals || equals == text || !equals[1])
        return options_complain(s->table,
                                "--match is VARIABLE=COLUMN or VARIABLE=COLUMN:SIGMA, "
                                "not '%s'",
                                text);
    const bool has_sigma = colon > equals && number_read(colon + 1, strlen(colon + 1), &sigma);
    if (has_sigma && !(sigma > 0.0 && isfinite(sigma)))
        return options_complain(s->table, "'%s': SIGMA is a number above zero", text);
    const size_t length = has_sigma ? (size_t)(colon - equals - 1) : strlen(equals + 1);
    char *name = calloc((size_t)(equals - text) + length + 2, 1);
    if (!name)
        return options_out_of_memory(s->table);
    memcpy(name, text, (size_t)(equals - text));
    char *column = name + (equals - text) + 1;
    memcpy(column, equals + 1, length);
    const size_t k = s->fit.measured.column_count;
    s->fit.measured_names[k] = name;
    s->fit.scales[k] = sigma;
    s->fit.measured.column_count++;
    const TableColumn *c = table_column(s->fit.table_read, column);
    if (!c || c->heading.kind != TABLE_NUMBERS) {
        const char *nearest = table_nearest(s->fit.table_read, column);
        return options_complain(s->table, "%s has no column of numbers '%s'%s%s%s", s->data, column,
                                nearest ? "; did you mean '" : "", nearest ? nearest : "",
                                nearest ? "'?" : "");
    }
    return fit_take_column(s, c, k);
}

// Every column of numbers but the first by its own name. Those that the model does not have are
// told when it is read.
static ExitStatus fit_read_all(SolveCommand *s)
{
    ExitStatus status = EXIT_FINE;
    for (size_t i = 1; i < s->fit.table_read->column_count && status == EXIT_FINE; i++) {
        const TableColumn *c = &s->fit.table_read->columns[i];
        if (c->heading.kind != TABLE_NUMBERS)
            continue;
        const size_t k = s->fit.measured.column_count++, length = strlen(c->heading.name);
        char *name = calloc(length + 1, 1);
        if (!name)
            return options_out_of_memory(s->table);
        memcpy(name, c->heading.name, length);
        s->fit.measured_names[k] = name;
        s->fit.scales[k] = 1.0;
        status = fit_take_column(s, c, k);
    }
    return status;
}

static ExitStatus fit_check_times(const SolveCommand *s)
{
    const Table *t = s->fit.table_read;
    const double *times = t->columns[0].values;
    if (t->columns[0].heading.kind != TABLE_NUMBERS)
        return options_complain(s->table, "the first column of %s is to be the time", s->data);
    for (size_t i = 0; i < t->row_count; i++)
        if (!isfinite(times[i]) || (i && times[i] < times[i - 1]))
            return options_complain(s->table,
                                    "%s: the times in the first column must rise; row "
                                    "%zu has %g",
                                    s->data, i + 1, times[i]);
    return t->row_count ? EXIT_FINE : options_complain(s->table, "%s has no rows", s->data);
}

ExitStatus fit_make_observations(SolveCommand *s)
{
    char *message = NULL;
    if (!s->data)
        return options_complain(s->table, "what was measured? --data FILE says it");
    s->fit.table_read = table_read(s->data, &message);
    if (!s->fit.table_read)
        return options_complain_of(s->table, message);
    ExitStatus status = fit_check_times(s);
    if (status != EXIT_FINE)
        return status;
    const size_t columns = s->fit.table_read->column_count + s->matches.count;
    s->fit.measured.row_count = s->fit.table_read->row_count;
    s->fit.measured.times = s->fit.table_read->columns[0].values;
    s->fit.measured_values = calloc(columns * s->fit.measured.row_count + 1, sizeof(double));
    s->fit.measured_names = calloc(columns + 1, sizeof *s->fit.measured_names);
    s->fit.scales = calloc(columns + 1, sizeof *s->fit.scales);
    if (!s->fit.measured_values || !s->fit.measured_names || !s->fit.scales)
        return options_out_of_memory(s->table);
    s->fit.measured.values = s->fit.measured_values;
    s->fit.measured.variables = s->fit.measured_names;
    for (size_t i = 0; i < s->matches.count && status == EXIT_FINE; i++)
        status = fit_read_match(s, s->matches.items[i]);
    if (s->matches.count == 0)
        status = fit_read_all(s);
    if (status == EXIT_FINE && s->fit.measured.column_count == 0)
        status = options_complain(s->table, "%s has no column of measured values", s->data);
    // Each variable is observed, too: so that one the model does not have is told by its name.
    for (size_t i = 0; i < s->fit.measured.column_count && i < OPTION_LIST_LENGTH; i++)
        s->observations[s->observation_count++] = s->fit.measured_names[i];
    for (size_t i = 0; i < s->observation_list.count; i++)
        s->observations[s->observation_count++] = s->observation_list.items[i];
    s->run.data = &s->fit.measured;
    s->run.end = s->fit.measured.times[s->fit.measured.row_count - 1];
    return status;
}

void fit_free(SolveCommand *s)
{
    for (size_t i = 0; s->fit.measured_names && i < s->fit.measured.column_count; i++)
        free((void *)(uintptr_t)s->fit.measured_names[i]);
    free(s->fit.measured_names);
    free(s->fit.measured_values);
    free(s->fit.scales);
    table_destroy(s->fit.table_read);
}

// ---------------------------------------------------------------------------
// What was found
// ---------------------------------------------------------------------------

static bool fit_close(Writer *writer, const SolveCommand *s, char *message)
{
    const bool is_written = writer && writer_close(writer, &message);
    if (!is_written)
        fprintf(stderr, "saltus %s: %s\n", s->table->command, message_text(message));
    free(message);
    return is_written;
}

// One row per unknown: name, value, standard error, correlations with the others; then what else is
// observed.
static bool fit_write_table(const SolveCommand *s, const SolveItem *item)
{
    const size_t n = s->unknown_count;
    const Observations *o = study_observations(s->run.study);
    TableHeading headings[3 + SOLVE_MOST_UNKNOWNS] = {{.name = "value"},
                                                      {.name = "standard error"}};
    char *names[SOLVE_MOST_UNKNOWNS] = {0}, *message = NULL;
    size_t count = 2;
    for (size_t i = 0; n > 1 && i < n; i++) {
        message_set(&names[i], "correlation with %s", s->unknowns[i].name);
        headings[count++] = (TableHeading){.name = message_text(names[i])};
    }
    headings[count++] = (TableHeading){.name = "name", .kind = TABLE_WORDS};
    TableFormat format = TABLE_CSV;
    if (!atomic_is_stream(s->output))
        table_format(s->output, &format);
    Writer *writer = writer_create(&(WriterDef){.path = s->output,
                                                .format = format,
                                                .title = study_flat(s->run.study)->name,
                                                .column_count = count,
                                                .columns = headings},
                                   &message);
    double values[3 + SOLVE_MOST_UNKNOWNS];
    for (size_t i = 0; writer && i < n; i++) {
        const char *words[] = {s->unknowns[i].name};
        const double *row = item->covariance + i * n;
        values[0] = item->unknowns[i];
        values[1] = sqrt(row[i]);
        for (size_t k = 0; n > 1 && k < n; k++)
            values[2 + k] = row[k] / sqrt(row[i] * item->covariance[k * n + k]);
        writer_row(writer, values, words);
    }
    size_t place = 0;
    for (size_t i = 0; writer && i < observations_count(o); i++) {
        const size_t length = (size_t)observations_length(o, i);
        for (size_t k = 0; k < count; k++)
            values[k] = NAN;
        values[0] = item->observed[place];
        place += length;
        const char *words[] = {observations_name(o, i)};
        if (i >= s->fit.measured.column_count)
            writer_row(writer, values, words);
    }
    const bool is_written = fit_close(writer, s, message);
    for (size_t i = 0; i < n; i++)
        free(names[i]);
    return is_written;
}

// Time, then each column as measured and as fitted.
static bool fit_write_curve(const SolveCommand *s, const SolveItem *item)
{
    const StudyData *data = &s->fit.measured;
    const size_t count = 1 + 2 * data->column_count;
    TableHeading *headings = calloc(count, sizeof *headings);
    double *values = calloc(count, sizeof *values);
    char **names = calloc(count, sizeof *names), *message = NULL;
    Writer *writer = NULL;
    TableFormat format = TABLE_CSV;
    if (headings && values && names) {
        headings[0] = (TableHeading){.name = "time", .unit = "s"};
        for (size_t i = 0; i < data->column_count; i++) {
            message_set(&names[i], "%s.measured", data->variables[i]);
            headings[1 + 2 * i] = (TableHeading){.name = data->variables[i]};
            headings[2 + 2 * i] = (TableHeading){.name = message_text(names[i])};
        }
        table_format(s->curve, &format);
        writer = writer_create(&(WriterDef){.path = s->curve,
                                            .format = format,
                                            .title = study_flat(s->run.study)->name,
                                            .column_count = count,
                                            .columns = headings},
                               &message);
    }
    for (size_t r = 0; writer && r < data->row_count; r++) {
        values[0] = data->times[r];
        for (size_t i = 0; i < data->column_count; i++) {
            values[1 + 2 * i] = item->traced[i * data->row_count + r];
            values[2 + 2 * i] = data->values[i * data->row_count + r];
        }
        writer_row(writer, values, NULL);
    }
    const bool is_written = fit_close(writer, s, message);
    for (size_t i = 0; names && i < data->column_count; i++)
        free(names[i]);
    free(headings);
    free(values);
    free(names);
    return is_written;
}

// An unknown at the end of its interval is where the interval is too small, not where the fit is
// best.
static void fit_warn(const SolveCommand *s, const SolveItem *item)
{
    for (size_t i = 0; i < s->unknown_count; i++) {
        const Axis *u = &s->unknowns[i];
        const double room = 1e-9 * fabs(u->upper - u->lower);
        if (item->unknowns[i] - u->lower <= room || u->upper - item->unknowns[i] <= room)
            fprintf(stderr,
                    "saltus: warning: %s is at the end of its interval, %g:%g; a larger "
                    "one may have a better fit\n",
                    u->name, u->lower, u->upper);
        if (isnan(item->covariance[i * s->unknown_count + i]))
            fprintf(stderr, "saltus: warning: the standard error of %s is not known: %s\n", u->name,
                    item->residual_count > s->unknown_count
                        ? "the data do not determine all unknowns"
                        : "there are no more measured values than unknowns");
    }
}

// Residuals of measured values that the run really follows are noise: of either sign, whatever the
// one before was. Those of a wrong minimum hang together (J. Durbin, G. S. Watson: Testing for
// serial correlation in least squares regression, Biometrika 37, 1950): then the sum of squares of
// their differences, twice their own where they are independent, is small. *part: of the scatter of
// the values that they are.
static bool fit_hangs_together(const StudyData *data, const double *traced, size_t column,
                               double *part)
{
    enum { LEAST = 8 };
    static const double least_part = 0.02, least_ratio = 1.0;
    const double *values = data->values + column * data->row_count;
    double sum = 0.0, squares = 0.0, residuals = 0.0, differences = 0.0, last = NAN;
    size_t count = 0;
    for (size_t i = 0; i < data->row_count; i++) {
        const double residual = traced[column * data->row_count + i] - values[i];
        if (isnan(residual))
            continue;
        count++;
        sum += values[i];
        squares += values[i] * values[i];
        residuals += residual * residual;
        differences += isnan(last) ? 0.0 : (residual - last) * (residual - last);
        last = residual;
    }
    const double scatter = squares - sum * sum / (double)(count ? count : 1);
    *part = scatter > 0.0 ? sqrt(residuals / scatter) : 0.0;
    return count >= LEAST && *part > least_part && differences < least_ratio * residuals;
}

static void fit_warn_of_wrong(const SolveCommand *s, const SolveItem *item)
{
    for (size_t i = 0; i < s->fit.measured.column_count && item->traced; i++) {
        double part;
        if (fit_hangs_together(&s->fit.measured, item->traced, i, &part))
            fprintf(stderr,
                    "saltus: warning: %s does not follow the measured values: the residuals are "
                    "%.0f %% of their scatter, and hang together; another start may lead to a "
                    "better fit (--starts 20), or the model lacks something\n",
                    s->fit.measured.variables[i], 100.0 * part);
    }
}

ExitStatus fit_report(SolveCommand *s)
{
    const SolveResult *r = &s->result;
    if (r->message || r->status < 0)
        fprintf(stderr, "saltus: %s: %s\n", r->status < 0 || !r->count ? "error" : "warning",
                message_text(r->message));
    if (r->status == SALTUS_INTERRUPTED)
        return EXIT_INTERRUPTED;
    if (r->count == 0)
        return EXIT_RUN_FAILED;
    const SolveItem *item = &r->items[0];
    if (!s->run.quiet) {
        fit_warn(s, item);
        fit_warn_of_wrong(s, item);
        fprintf(stderr, "%s: root mean square of %zu residuals %.4g, %ld runs\n",
                study_flat(s->run.study)->name, item->residual_count,
                fabs(item->value) / sqrt((double)item->residual_count), r->runs);
    }
    const bool is_written = fit_write_table(s, item) && (!s->curve || fit_write_curve(s, item));
    return is_written && r->status >= 0 ? EXIT_FINE : EXIT_RUN_FAILED;
}

ExitStatus fit_run_command(int argc, char **argv)
{
    SolveCommand command = {.run = study_default_options(), .points = 64.0, .starts = 1.0};
    // Differences of runs are taken: their errors must be far below what is measured.
    command.run.settings.relative_tolerance = 1e-9;
    return solve_run_with(&fit_table, &command, argc, argv);
}
