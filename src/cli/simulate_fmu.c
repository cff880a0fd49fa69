// SPDX-License-Identifier: MIT
//
// saltus simulate X.fmu: an FMU of FMI 2.0 or 3.0 that anybody made, in co-simulation, integrated
// by Saltus, or its clocks scheduled.

#include "cli/simulate.h"
#include "fmi/import.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern const OptionTable simulate_table;

bool simulate_is_fmu(int argc, char **argv)
{
    const size_t length = argc == 2 ? strlen(argv[1]) : 0;
    return length > 4 && strcmp(argv[1] + length - 4, ".fmu") == 0;
}

// Options that have no meaning for FMUs are refused by their names.
static bool simulate_fmu_check(const SimulateCommand *c)
{
    const struct {
        bool is_given;
        const char *name;
    } others[] = {
        {c->plots.count > 0, "plot"}, {c->events != NULL, "events"},
        {c->record != 0, "record"},   {c->json, "json"},
        {c->realtime, "realtime"},    {c->pace, "pace"},
        {c->stats, "stats"},          {c->backend != 0, "backend"},
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (!others[i].is_given)
            continue;
        options_complain(&simulate_table, "--%s is not for FMUs", others[i].name);
        return false;
    }
    if (c->model.allow_external)
        return true;
    options_complain(&simulate_table,
                     "an FMU is foreign code, which can do whatever you can; --allow-external runs "
                     "it");
    return false;
}

static bool simulate_fmu_settings(const SimulateCommand *c, ImportSetting *settings, size_t *count,
                                  char **texts)
{
    const OptionList *const lists[] = {&c->parameters, &c->starts};
    *count = 0;
    for (size_t l = 0; l < 2; l++) {
        for (size_t i = 0; i < lists[l]->count; i++) {
            const char *text = lists[l]->items[i], *equals = strchr(text, '=');
            if (!equals || equals == text) {
                options_complain(&simulate_table, "%s needs NAME=VALUE, not '%s'",
                                 l ? "--start" : "-p", text);
                return false;
            }
            char *name = texts[*count] = calloc((size_t)(equals - text) + 1, 1);
            if (!name)
                return false;
            memcpy(name, text, (size_t)(equals - text));
            settings[(*count)++] = (ImportSetting){.name = name, .value = equals + 1};
        }
    }
    return true;
}

// ---------------------------------------------------------------------------
// --input
// ---------------------------------------------------------------------------

static void fmu_inputs_end(SaltusSignal *signals, int count, Table *table)
{
    for (int i = 0; i < count; i++)
        free((double *)(uintptr_t)signals[i].values);
    free(signals);
    table_destroy(table);
}

// The value in a row; words are values of Booleans. NAN: it is none.
static double fmu_input_value(const TableColumn *column, const FmuVariable *v, size_t row)
{
    if (column->heading.kind == TABLE_NUMBERS)
        return isfinite(column->values[row]) ? column->values[row] : NAN;
    const char *word = table_word(column, row);
    const bool is_true = strcmp(word, "true") == 0;
    return v->type == FMU_BOOLEAN && (is_true || strcmp(word, "false") == 0) ? (double)is_true
                                                                             : NAN;
}

// The signal of a scalar input that has a column.
static bool fmu_inputs_add(const SimulateCommand *c, const Table *t, SaltusSignal *signals,
                           int *count, const FmuVariable *v, int index)
{
    const TableColumn *column = table_column(t, v->name);
    if (!column || column == &t->columns[0]) {
        if (!c->quiet)
            fprintf(stderr, "saltus: warning: %s has no column for the input %s\n", c->input,
                    v->name);
        return true;
    }
    if (table_is_ambiguous(t, column)) {
        options_complain(&simulate_table, "%s: several columns are called %s", c->input, v->name);
        return false;
    }
    double *values = calloc(4 * t->row_count + 1, sizeof *values);
    if (!values)
        return options_out_of_memory(&simulate_table), false;
    signals[(*count)++] = (SaltusSignal){.input = index,
                                         .count = (long)t->row_count,
                                         .times = t->columns[0].values,
                                         .values = values};
    bool is_fine = true;
    for (size_t i = 0; is_fine && i < t->row_count; i++) {
        values[4 * i] = fmu_input_value(column, v, i);
        is_fine = !isnan(values[4 * i]);
    }
    if (!is_fine)
        options_complain(&simulate_table, "%s: the column %s should have numbers%s", c->input,
                         v->name, v->type == FMU_BOOLEAN ? ", or true and false" : "");
    inputs_interpolate(
        t, v->variability == FMU_CONTINUOUS ? (InputsKind)c->interpolate : INPUTS_STEPS, values);
    return is_fine;
}

static bool fmu_inputs_open(const SimulateCommand *c, const FmuDescription *d, Table **table,
                            SaltusSignal **signals, ImportDef *def)
{
    char *message = NULL;
    if (!c->input)
        return true;
    if (def->is_scheduled)
        return options_complain(&simulate_table, "--input is not for scheduled execution"), false;
    *signals = calloc(d->variable_count + 1u, sizeof **signals);
    *table = *signals ? table_read(c->input, &message) : NULL;
    def->signals = *signals;
    if (!*table) {
        fprintf(stderr, "saltus simulate: %s\n", message_text(message));
        free(message);
        return false;
    }
    if (!inputs_check_times(&simulate_table, c->input, *table))
        return false;
    for (uint32_t i = 0; i < d->variable_count; i++) {
        const FmuVariable *v = &d->variables[i];
        if (v->causality == FMU_INPUT && v->type < FMU_STRING && v->size == 1 &&
            v->alias == FMU_NOTHING &&
            !fmu_inputs_add(c, *table, *signals, &def->signal_count, v, (int)i))
            return false;
    }
    if (def->signal_count == 0)
        options_complain(&simulate_table, "%s: no column has the name of an input of the FMU",
                         c->input);
    return def->signal_count > 0;
}

// ---------------------------------------------------------------------------
// The run
// ---------------------------------------------------------------------------

// Times, tolerances and steps, from options and the description.
static bool simulate_fmu_def(const SimulateCommand *c, const FmuDescription *d, ImportDef *def)
{
    const bool has_stop = isfinite(d->stop_time);
    const double start = isfinite(d->start_time) ? d->start_time : 0.0;
    const FlatExperiment e = {.start_time = start,
                              .stop_time = has_stop ? d->stop_time : start + 1.0,
                              .tolerance = d->tolerance > 0.0 ? d->tolerance : NAN,
                              .interval = d->step > 0.0 ? d->step : NAN};
    def->options = saltus_default_options();
    settings_apply(&c->settings, &e, &def->options, &def->stop_time);
    def->start_time = def->options.start_time;
    const double span = def->stop_time - def->start_time;
    def->interval = settings_given(c->output_interval, e.interval, span / 500.0);
    def->step = isnan(c->settings.step) ? 0.0 : c->settings.step;
    settings_apply_steps(&c->settings, span, def->interval, &def->options.method);
    def->is_exchange = c->interface == 2 || (c->interface == 0 && !d->cosimulation && d->exchange);
    def->is_scheduled =
        c->interface == 3 || (c->interface == 0 && !d->cosimulation && !d->exchange);
    if (!(span >= 0.0))
        options_complain(&simulate_table, "the stop time is before the start time");
    else if (c->settings.step <= 0.0)
        options_complain(&simulate_table, "--step=%g must be positive", c->settings.step);
    else if (def->step > 0.0 && span / def->step > 1e9)
        options_complain(&simulate_table, "--step=%g makes too many steps", def->step);
    else if (span > 0.0 && !(def->interval > 0.0 && span / def->interval <= 1e8))
        options_complain(&simulate_table, "the output interval %g makes too many rows, or none",
                         def->interval);
    else
        return true;
    return false;
}

static bool simulate_fmu_is_wanted(const SimulateCommand *c, const char *name)
{
    return c->variables.count == 0 || options_match(&c->variables, name);
}

static bool simulate_fmu_open(const SimulateCommand *c, const ImportedFmu *fmu, Output *out)
{
    const size_t room = (size_t)fmu->column_count + 2;
    out->headings = calloc(room, sizeof *out->headings);
    out->places = calloc(room, sizeof *out->places);
    out->values = calloc(room, sizeof *out->values);
    if (!out->headings || !out->places || !out->values) {
        fputs("saltus simulate: out of memory\n", stderr);
        return false;
    }
    out->headings[0] = (TableHeading){.name = "time", .unit = "s"};
    for (uint32_t i = 0; i < fmu->column_count; i++) {
        const FmuVariable *v = &fmu->description->variables[fmu->columns[i].variable];
        if (!simulate_fmu_is_wanted(c, fmu->columns[i].name))
            continue;
        out->places[out->count++] = i;
        out->headings[out->count] =
            (TableHeading){.name = fmu->columns[i].name, .unit = v->unit, .description = v->text};
    }
    out->headings[out->count + 1] =
        (TableHeading){.name = output_mode_name(out), .kind = TABLE_WORDS};
    char *message = NULL;
    TableFormat format = TABLE_CSV;
    if (c->variables.count && !out->count) {
        options_complain(&simulate_table, "no variable matches '%s'", c->variables.items[0]);
        return false;
    }
    if (c->output && !atomic_is_stream(c->output) && !table_format(c->output, &format)) {
        options_complain(&simulate_table, "'%s': results are " TABLE_ENDINGS "or -", c->output);
        return false;
    }
    out->writer = writer_create(&(WriterDef){.path = c->output,
                                             .format = format,
                                             .title = fmu->description->name,
                                             .column_count = out->count + 2,
                                             .columns = out->headings},
                                &message);
    if (!out->writer)
        fprintf(stderr, "saltus: %s\n", message_text(message));
    free(message);
    return out->writer;
}

static int simulate_fmu_row(void *user, double time, const double *values)
{
    Output *out = user;
    static const char *const mode[] = {"FMU"};
    out->values[0] = time;
    for (size_t i = 0; i < out->count; i++) {
        out->values[i + 1] = values[out->places[i]];
        if (!out->wild && !isfinite(out->values[i + 1])) {
            out->wild = out->headings[i + 1].name;
            out->wild_time = time;
        }
    }
    writer_row(out->writer, out->values, mode);
    out->row_count++;
    return progress_is_interrupted() || !writer_is_fine(out->writer);
}

static ExitStatus simulate_fmu_run(const SimulateCommand *c, ImportedFmu *fmu, const ImportDef *def,
                                   const char *path)
{
    Output out = {0};
    char *message = NULL;
    ExitStatus status = EXIT_USAGE;
    if (!import_begin(fmu, def, &message)) {
        fprintf(stderr, "saltus: error: %s\n", message_text(message));
        free(message);
        return EXIT_RUN_FAILED;
    }
    if (simulate_fmu_open(c, fmu, &out)) {
        progress_catch_interrupt();
        const SaltusStatus ended = import_run(fmu, simulate_fmu_row, &out, &message);
        const double reached = out.values[0];
        char *why = NULL;
        const bool is_written = writer_close(out.writer, &why);
        if (!is_written)
            fprintf(stderr, "saltus: %s\n", message_text(why));
        free(why);
        if (ended < 0 || (ended > 0 && message && !c->quiet))
            fprintf(stderr, "saltus: %s%s\n", ended < 0 ? "error: " : "", message_text(message));
        free(message);
        if (ended >= 0 && out.wild)
            fprintf(stderr, "saltus: error: %s is not finite at t = %.10g\n", out.wild,
                    out.wild_time);
        if (ended >= 0 && !c->quiet)
            fprintf(stderr, "saltus: %s: t = %g, %ld rows, FMI %d.0 %s\n", path, reached,
                    out.row_count, fmu->description->version,
                    def->is_scheduled  ? "scheduled execution"
                    : def->is_exchange ? "model exchange"
                                       : "co-simulation");
        status = ended == SALTUS_INTERRUPTED            ? EXIT_INTERRUPTED
                 : ended < 0 || !is_written || out.wild ? EXIT_RUN_FAILED
                 : ended == SALTUS_ZENO                 ? EXIT_STOPPED
                                                        : EXIT_FINE;
    }
    free(out.headings);
    free(out.places);
    free(out.values);
    return status;
}

ExitStatus simulate_fmu(const SimulateCommand *c, const char *path)
{
    char *message = NULL;
    ExitStatus status = EXIT_USAGE;
    if (!simulate_fmu_check(c))
        return EXIT_USAGE;
    if (access(path, R_OK) != 0) {
        options_complain(&simulate_table, "cannot read '%s'", path);
        return EXIT_USAGE;
    }
    ImportedFmu *fmu = import_open(path, &message);
    if (!fmu) {
        fprintf(stderr, "saltus: error: %s\n", message_text(message));
        free(message);
        return EXIT_MODEL_WRONG;
    }
    const size_t room = c->parameters.count + c->starts.count + 1;
    ImportSetting *settings = calloc(room, sizeof *settings);
    char **texts = calloc(room, sizeof *texts);
    ImportDef def = {.settings = settings};
    Table *table = NULL;
    SaltusSignal *signals = NULL;
    if (!settings || !texts)
        status = options_out_of_memory(&simulate_table);
    else if (simulate_fmu_settings(c, settings, &def.setting_count, texts) &&
             simulate_fmu_def(c, fmu->description, &def) &&
             fmu_inputs_open(c, fmu->description, &table, &signals, &def))
        status = simulate_fmu_run(c, fmu, &def, path);
    for (size_t i = 0; texts && i < room; i++)
        free(texts[i]);
    free(texts);
    free(settings);
    import_close(fmu);
    fmu_inputs_end(signals, def.signal_count, table);
    return status;
}
