// SPDX-License-Identifier: MIT

#include "cli/inputs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct Inputs {
    const OptionTable *command; // that messages name
    const Loaded *loaded;
    const char *file;
    InputsKind kind;
    double start_time;
    bool is_quiet;
    SaltusModel model; // the loaded one, as the public interface sees it
    Table *table;
    SaltusSignal *signals;
    ParameterValue *values; // that they begin with
    EmbeddedSignals all;
};

// Words are values that the input can have: true, literals of an enumeration.
static bool inputs_value(const FlatVariable *v, const TableColumn *column, size_t row,
                         double *value)
{
    *value = column->values[row];
    if (column->heading.kind == TABLE_WORDS)
        return loaded_read_value(v, column->words[(size_t)*value], value);
    return loaded_is_value(v, *value);
}

static bool inputs_complain(const Inputs *in, const TableColumn *column, size_t row)
{
    const bool is_word = column->heading.kind == TABLE_WORDS;
    char number[40];
    snprintf(number, sizeof number, "%g", column->values[row]);
    options_complain(in->command, "%s: '%s' is no value for the input %s, in row %zu", in->file,
                     is_word ? column->words[(size_t)column->values[row]] : number,
                     column->heading.name, row + 1);
    return false;
}

static double inputs_end_slope(double h0, double h1, double d0, double d1)
{
    const double slope = ((2.0 * h0 + h1) * d0 - h0 * d1) / (h0 + h1);
    if (slope * d0 <= 0.0)
        return 0.0;
    return d0 * d1 <= 0.0 && fabs(slope) > 3.0 * fabs(d0) ? 3.0 * d0 : slope;
}

// The slope in row i of rows 0 to n - 1, whose times rise: cubics with these slopes do not
// overshoot (F. N. Fritsch and J. Butland: A method for constructing local monotone piecewise cubic
// interpolants, SIAM Journal on Scientific and Statistical Computing 5, 1984).
static double inputs_slope(const double *t, const double *v, size_t i, size_t n)
{
#define INPUTS_STEP(k) (t[(k) + 1] - t[k])
#define INPUTS_SECANT(k) ((v[4 * (k) + 4] - v[4 * (k)]) / INPUTS_STEP(k))
    if (n == 2)
        return INPUTS_SECANT(0);
    if (i == 0)
        return inputs_end_slope(INPUTS_STEP(0), INPUTS_STEP(1), INPUTS_SECANT(0), INPUTS_SECANT(1));
    if (i == n - 1)
        return inputs_end_slope(INPUTS_STEP(n - 2), INPUTS_STEP(n - 3), INPUTS_SECANT(n - 2),
                                INPUTS_SECANT(n - 3));
    const double h0 = INPUTS_STEP(i - 1), h1 = INPUTS_STEP(i);
    const double d0 = INPUTS_SECANT(i - 1), d1 = INPUTS_SECANT(i);
    const double w0 = 2.0 * h1 + h0, w1 = h1 + 2.0 * h0;
    return d0 * d1 > 0.0 ? (w0 + w1) / (w0 / d0 + w1 / d1) : 0.0;
#undef INPUTS_STEP
#undef INPUTS_SECANT
}

// The derivatives in each row of what follows it: cubics between jumps.
static void inputs_curve(const double *t, double *v, size_t n)
{
    for (size_t begin = 0, end; begin < n; begin = end) {
        for (end = begin + 1; end < n && t[end] > t[end - 1]; end++)
            continue;
        for (size_t i = begin; i + 1 < end; i++) {
            const double h = t[i + 1] - t[i], d = (v[4 * i + 4] - v[4 * i]) / h;
            const double a = inputs_slope(t + begin, v + 4 * begin, i - begin, end - begin);
            const double b = inputs_slope(t + begin, v + 4 * begin, i + 1 - begin, end - begin);
            v[4 * i + 1] = a;
            v[4 * i + 2] = (6.0 * d - 4.0 * a - 2.0 * b) / h;
            v[4 * i + 3] = (6.0 * (a + b) - 12.0 * d) / (h * h);
        }
    }
}

void inputs_interpolate(const Table *t, InputsKind kind, double *values)
{
    const double *times = t->columns[0].values;
    if (kind == INPUTS_SMOOTH)
        inputs_curve(times, values, t->row_count);
    for (size_t i = 0; kind == INPUTS_LINEAR && i + 1 < t->row_count; i++)
        if (times[i + 1] > times[i])
            values[4 * i + 1] = (values[4 * i + 4] - values[4 * i]) / (times[i + 1] - times[i]);
}

// Values and derivatives of one input, four numbers for each row.
static double *inputs_table(const Inputs *in, const FlatVariable *v, const TableColumn *column,
                            InputsKind kind)
{
    const Table *t = in->table;
    double *values = calloc(4 * t->row_count + 1, sizeof *values);
    for (size_t i = 0; values && i < t->row_count; i++)
        if (!inputs_value(v, column, i, &values[4 * i])) {
            inputs_complain(in, column, i);
            free(values);
            return NULL;
        }
    if (values)
        inputs_interpolate(t, kind, values);
    else
        options_out_of_memory(in->command);
    return values;
}

static void inputs_set(Inputs *in, uint32_t number, double value)
{
    in->values[in->all.value_count++] = (ParameterValue){number, value};
}

// How the input begins: before the first row as there.
static void inputs_begin(Inputs *in, const EmbeddedInput *input, const SaltusSignal *signal)
{
    const double t = in->start_time;
    const long i = signals_after(signal, t) - 1;
    const double *v = signal->values + 4 * (i < 0 ? 0 : i), h = i < 0 ? 0.0 : t - signal->times[i];
    const double part = i < 0 ? 0.0 : 1.0;
    inputs_set(in, input->numbers[LIVE_VALUE], signals_value(signal, i, t));
    if (input->numbers[LIVE_RATE] == UINT32_MAX)
        return;
    inputs_set(in, input->numbers[LIVE_RATE], part * (v[1] + h * (v[2] + h * v[3] / 2.0)));
    inputs_set(in, input->numbers[LIVE_RATE2], part * (v[2] + h * v[3]));
    inputs_set(in, input->numbers[LIVE_RATE3], part * v[3]);
    inputs_set(in, input->numbers[LIVE_SINCE], t);
}

static bool inputs_add(Inputs *in, int number, const TableColumn *column)
{
    const EmbeddedInput *input = &in->model.inputs[number];
    const Parameters p = model_list_parameters(in->loaded->model);
    const InputsKind kind = input->numbers[LIVE_RATE] != UINT32_MAX ? in->kind : INPUTS_STEPS;
    SaltusSignal *signal = &in->signals[in->all.count];
    signal->values = inputs_table(in, p.flat[input->numbers[LIVE_VALUE]], column, kind);
    if (!signal->values)
        return false;
    signal->input = number;
    signal->count = (long)in->table->row_count;
    signal->times = in->table->columns[0].values;
    in->all.count++;
    inputs_begin(in, input, signal);
    return true;
}

bool inputs_check_times(const OptionTable *command, const char *file, const Table *t)
{
    const TableColumn *time = &t->columns[0];
    bool is_fine = t->row_count > 0 && time->heading.kind == TABLE_NUMBERS;
    size_t row = 0;
    for (; is_fine && row < t->row_count; row++)
        is_fine =
            isfinite(time->values[row]) && (row == 0 || time->values[row] >= time->values[row - 1]);
    if (!is_fine) {
        options_complain(command, "%s: the first column should be times that do not fall%s", file,
                         t->row_count ? "" : "; it has no rows");
    } else if (!isfinite(time->values[row - 1] - time->values[0])) {
        options_complain(command, "%s: the times are too far apart", file);
        is_fine = false;
    }
    return is_fine;
}

// Nothing fits: says which inputs there are.
static bool inputs_complain_all(const Inputs *in)
{
    enum { SHOWN = 10 };
    fprintf(stderr, "saltus %s: %s: no column has the name of an input", in->command->command,
            in->file);
    if (in->model.input_count == 0)
        fprintf(stderr, "; %s has no inputs", in->loaded->flat->name);
    for (int i = 0; i < in->model.input_count && i < SHOWN; i++)
        fprintf(stderr, "%s%s", i ? ", " : "; the inputs are ", in->model.inputs[i].name);
    fputs(in->model.input_count > SHOWN ? ", ...\n" : "\n", stderr);
    return false;
}

// The value of an input that has no column.
static double inputs_own(const Inputs *in, uint32_t number)
{
    const Loaded *l = in->loaded;
    double *p = calloc(model_list_parameters(l->model).count + 1u, sizeof *p);
    const bool is_known = p && loaded_parameters(l, NULL, 0, p, NULL) == SALTUS_OK;
    const double value = is_known ? p[number] : NAN;
    free(p);
    return value;
}

static bool inputs_find(Inputs *in)
{
    for (int i = 0; i < in->model.input_count; i++) {
        const char *name = in->model.inputs[i].name;
        const TableColumn *column = table_column(in->table, name);
        if (column == &in->table->columns[0])
            continue;
        if (column && table_is_ambiguous(in->table, column)) {
            options_complain(in->command, "%s: several columns are called %s", in->file, name);
            return false;
        }
        if (column && !inputs_add(in, i, column))
            return false;
        if (!column && !in->is_quiet)
            fprintf(stderr, "saltus: warning: %s has no column for the input %s, which stays %g\n",
                    in->file, name, inputs_own(in, in->model.inputs[i].numbers[LIVE_VALUE]));
    }
    return in->all.count > 0 || inputs_complain_all(in);
}

static bool inputs_read(Inputs *in)
{
    char *message = NULL;
    in->model.allocator = memory_default();
    in->model.loaded = (Loaded *)(uintptr_t)in->loaded;
    if (embed_list_inputs(&in->model)) {
        const size_t count = (size_t)in->model.input_count;
        in->signals = calloc(count + 1, sizeof *in->signals);
        in->values = calloc(count * LIVE_COUNT + 1, sizeof *in->values);
    }
    in->all = (EmbeddedSignals){.model = &in->model, .signals = in->signals, .values = in->values};
    if (!in->signals || !in->values) {
        options_out_of_memory(in->command);
        return false;
    }
    in->table = table_read(in->file, &message);
    if (!in->table) {
        fprintf(stderr, "saltus %s: %s\n", in->command->command, message_text(message));
        free(message);
        return false;
    }
    return inputs_check_times(in->command, in->file, in->table) && inputs_find(in);
}

Inputs *inputs_create(const OptionTable *command, const Loaded *loaded, const char *file,
                      InputsKind kind, double start_time, bool is_quiet)
{
    Inputs *in = calloc(1, sizeof *in);
    if (!in) {
        options_out_of_memory(command);
        return NULL;
    }
    *in = (Inputs){.command = command,
                   .loaded = loaded,
                   .file = file,
                   .kind = kind,
                   .start_time = start_time,
                   .is_quiet = is_quiet};
    if (inputs_read(in))
        return in;
    inputs_destroy(in);
    return NULL;
}

void inputs_destroy(Inputs *in)
{
    if (!in)
        return;
    for (int i = 0; i < in->all.count; i++)
        free((double *)(uintptr_t)in->signals[i].values);
    free(in->signals);
    free(in->values);
    memory_free(&in->model.allocator, in->model.inputs);
    table_destroy(in->table);
    free(in);
}

const EmbeddedSignals *inputs_signals(const Inputs *in)
{
    return in ? &in->all : NULL;
}
