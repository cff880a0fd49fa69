// SPDX-License-Identifier: MIT
//
// saltus simulate --input: inputs of the model from a table. Its first column is the time, the
// others have the names of inputs; further ones do not matter. Between rows inputs are linear, or
// held; those that are not Real are held in any case. Two rows with one time are a jump.

#include "cli/simulate.h"
#include "open/embed.h"
#include "results/table.h"

#include <math.h>
#include <stdlib.h>

typedef struct Inputs {
    SaltusModel model; // the loaded one, as the public interface sees it
    Table *table;
    SaltusSignal *signals;
    int count;
} Inputs;

// Words are values that the input can have: true, literals of an enumeration.
static bool inputs_value(const FlatVariable *v, const TableColumn *column, size_t row,
                         double *value)
{
    *value = column->values[row];
    if (column->heading.kind == TABLE_WORDS)
        return loaded_read_value(v, column->words[(size_t)*value], value);
    return loaded_is_value(v, *value);
}

static bool inputs_complain(const Simulation *s, const TableColumn *column, size_t row)
{
    const bool is_word = column->heading.kind == TABLE_WORDS;
    char number[40];
    snprintf(number, sizeof number, "%g", column->values[row]);
    options_complain(&simulate_table, "%s: '%s' is no value for the input %s, in row %zu",
                     s->command->input,
                     is_word ? column->words[(size_t)column->values[row]] : number,
                     column->heading.name, row + 1);
    return false;
}

// Values and slopes of one input, four numbers for each row.
static double *inputs_table(const Simulation *s, const FlatVariable *v, const TableColumn *column,
                            bool is_linear)
{
    const Table *t = s->inputs->table;
    const double *times = t->columns[0].values;
    double *values = calloc(4 * t->row_count + 1, sizeof *values);
    for (size_t i = 0; values && i < t->row_count; i++)
        if (!inputs_value(v, column, i, &values[4 * i])) {
            inputs_complain(s, column, i);
            free(values);
            return NULL;
        }
    for (size_t i = 0; values && is_linear && i + 1 < t->row_count; i++)
        if (times[i + 1] > times[i])
            values[4 * i + 1] = (values[4 * i + 4] - values[4 * i]) / (times[i + 1] - times[i]);
    if (!values)
        fputs("saltus simulate: out of memory\n", stderr);
    return values;
}

// How the input begins: before the first row as there.
static void inputs_begin(Simulation *s, const EmbeddedInput *input, const SaltusSignal *signal)
{
    const double t = s->options.start_time;
    long i = -1;
    while (i + 1 < signal->count && signal->times[i + 1] <= t)
        i++;
    const double *v = signal->values + 4 * (i < 0 ? 0 : i);
    s->parameters[input->numbers[LIVE_VALUE]] = i < 0 ? v[0] : v[0] + v[1] * (t - signal->times[i]);
    if (input->numbers[LIVE_RATE] == UINT32_MAX)
        return;
    s->parameters[input->numbers[LIVE_RATE]] = i < 0 ? 0.0 : v[1];
    s->parameters[input->numbers[LIVE_SINCE]] = t;
}

static bool inputs_add(Simulation *s, int number, const TableColumn *column)
{
    Inputs *in = s->inputs;
    const EmbeddedInput *input = &in->model.inputs[number];
    const ModelParameters p = model_list_parameters(s->model);
    const bool is_linear = input->numbers[LIVE_RATE] != UINT32_MAX && s->command->interpolate == 0;
    SaltusSignal *signal = &in->signals[in->count];
    signal->values = inputs_table(s, p.flat[input->numbers[LIVE_VALUE]], column, is_linear);
    if (!signal->values)
        return false;
    signal->input = number;
    signal->count = (long)in->table->row_count;
    signal->times = in->table->columns[0].values;
    in->count++;
    inputs_begin(s, input, signal);
    return true;
}

static bool inputs_check_times(const Simulation *s)
{
    const Table *t = s->inputs->table;
    const TableColumn *time = &t->columns[0];
    bool is_fine = t->row_count > 0 && time->heading.kind == TABLE_NUMBERS;
    size_t row = 0;
    for (; is_fine && row < t->row_count; row++)
        is_fine =
            isfinite(time->values[row]) && (row == 0 || time->values[row] >= time->values[row - 1]);
    if (!is_fine)
        options_complain(&simulate_table, "%s: the first column should be times that do not fall%s",
                         s->command->input, t->row_count ? "" : "; it has no rows");
    return is_fine;
}

// Nothing fits: says which inputs there are.
static bool inputs_complain_all(const Simulation *s)
{
    const Inputs *in = s->inputs;
    enum { SHOWN = 10 };
    fprintf(stderr, "saltus simulate: %s: no column has the name of an input", s->command->input);
    if (in->model.input_count == 0)
        fprintf(stderr, "; %s has no inputs", s->flat->name);
    for (int i = 0; i < in->model.input_count && i < SHOWN; i++)
        fprintf(stderr, "%s%s", i ? ", " : "; the inputs are ", in->model.inputs[i].name);
    fputs(in->model.input_count > SHOWN ? ", ...\n" : "\n", stderr);
    return false;
}

static bool inputs_find(Simulation *s)
{
    Inputs *in = s->inputs;
    for (int i = 0; i < in->model.input_count; i++) {
        const char *name = in->model.inputs[i].name;
        const TableColumn *column = table_column(in->table, name);
        if (column == &in->table->columns[0])
            continue;
        if (column && !inputs_add(s, i, column))
            return false;
        if (!column && !s->command->quiet)
            fprintf(stderr, "saltus: warning: %s has no column for the input %s, which stays %g\n",
                    s->command->input, name,
                    s->parameters[in->model.inputs[i].numbers[LIVE_VALUE]]);
    }
    return in->count > 0 || inputs_complain_all(s);
}

bool inputs_open(Simulation *s)
{
    char message[TABLE_MESSAGE];
    Inputs *in = s->inputs = calloc(1, sizeof *in);
    if (in) {
        in->model.allocator = memory_default();
        in->model.loaded = (Loaded *)(uintptr_t)s->loaded;
        if (embed_list_inputs(&in->model))
            in->signals = calloc((size_t)in->model.input_count + 1, sizeof *in->signals);
    }
    if (!in || !in->signals) {
        fputs("saltus simulate: out of memory\n", stderr);
        return false;
    }
    in->table = table_read(s->command->input, message);
    if (!in->table) {
        fprintf(stderr, "saltus simulate: %s\n", message);
        return false;
    }
    return inputs_check_times(s) && inputs_find(s);
}

SaltusStatus inputs_run(Simulation *s, SaltusError *error)
{
    Inputs *in = s->inputs;
    SaltusStatus status = saltus_run_create(s->system, &s->options, &s->run, error);
    if (s->run && status == SALTUS_OK)
        status =
            saltus_model_advance(&in->model, s->run, in->signals, in->count, s->stop_time, error);
    return loaded_finish(s->loaded, s->run, status);
}

void inputs_close(Simulation *s)
{
    Inputs *in = s->inputs;
    if (!in)
        return;
    for (int i = 0; i < in->count; i++)
        free((double *)(uintptr_t)in->signals[i].values);
    free(in->signals);
    memory_free(&in->model.allocator, in->model.inputs);
    table_destroy(in->table);
    free(in);
}
