// SPDX-License-Identifier: MIT

#include "results/linearize_write.h"

#include "results/writer.h"

#include <stdint.h>
#include <string.h>

// A matrix with what its rows and columns are.
typedef struct NamedMatrix {
    const char *name;
    const double *values; // row by row
    int rows, columns;
    const char *const *row_names, *const *column_names;
} NamedMatrix;

enum { MATRICES = 4 };

static void list_matrices(const SaltusLinearization *l, NamedMatrix list[MATRICES])
{
    const char *const *x = l->state_names, *const *u = l->input_names, *const *y = l->output_names;
    list[0] = (NamedMatrix){"A", l->a, l->state_count, l->state_count, x, x};
    list[1] = (NamedMatrix){"B", l->b, l->state_count, l->input_count, x, u};
    list[2] = (NamedMatrix){"C", l->c, l->output_count, l->state_count, y, x};
    list[3] = (NamedMatrix){"D", l->d, l->output_count, l->input_count, y, u};
}

// ---------------------------------------------------------------------------
// Text
// ---------------------------------------------------------------------------

static int longest(const char *const *names, int count, int least)
{
    for (int i = 0; i < count; i++)
        if ((int)strlen(names[i]) > least)
            least = (int)strlen(names[i]);
    return least;
}

static void write_point(FILE *out, const char *what, const char *const *names, const double *values,
                        int count)
{
    const int width = longest(names, count, 8);
    if (count == 0)
        return;
    fprintf(out, "\n%s\n", what);
    for (int i = 0; i < count; i++)
        fprintf(out, "  %-*s  %.10g\n", width, names[i], values[i]);
}

static void write_matrix(FILE *out, const NamedMatrix *m)
{
    if (m->rows == 0 || m->columns == 0)
        return;
    const int left = longest(m->row_names, m->rows, 4);
    const int width = longest(m->column_names, m->columns, 13) + 2;
    fprintf(out, "\n%-*s", left + 2, m->name);
    for (int j = 0; j < m->columns; j++)
        fprintf(out, "%*s", width, m->column_names[j]);
    fputc('\n', out);
    for (int i = 0; i < m->rows; i++) {
        fprintf(out, "  %-*s", left, m->row_names[i]);
        for (int j = 0; j < m->columns; j++)
            fprintf(out, "%*.7g", width, m->values[i * m->columns + j]);
        fputc('\n', out);
    }
}

static void write_eigenvalues(FILE *out, const SaltusLinearization *l)
{
    if (l->state_count == 0)
        return;
    fprintf(out, "\n%-16s%16s%16s%12s%16s\n", "eigenvalue", "imaginary", "frequency/Hz", "damping",
            "time constant/s");
    for (int i = 0; i < l->state_count; i++) {
        const SaltusEigenvalue *e = &l->eigenvalues[i];
        fprintf(out, "%-16.9g%16.9g%16.7g%12.5g", e->real, e->imaginary, e->frequency, e->damping);
        if (e->real != 0.0)
            fprintf(out, "%16.7g\n", -1.0 / e->real);
        else
            fputc('\n', out);
    }
}

static const char *linearize_write_plural(int count)
{
    return count == 1 ? "" : "s";
}

void linearize_write_text(const SaltusLinearization *l, FILE *out)
{
    NamedMatrix matrices[MATRICES];
    list_matrices(l, matrices);
    fprintf(out, "t = %.10g, mode %s, %d state%s, %d input%s, %d output%s\n", l->t, l->mode_name,
            l->state_count, linearize_write_plural(l->state_count), l->input_count,
            linearize_write_plural(l->input_count), l->output_count,
            linearize_write_plural(l->output_count));
    write_point(out, "states", l->state_names, l->x, l->state_count);
    write_point(out, "inputs", l->input_names, l->u, l->input_count);
    write_point(out, "outputs", l->output_names, l->y, l->output_count);
    for (int i = 0; i < MATRICES; i++)
        write_matrix(out, &matrices[i]);
    write_eigenvalues(out, l);
}

// ---------------------------------------------------------------------------
// JSON
// ---------------------------------------------------------------------------

static void json_variables(FILE *out, const char *what, const char *const *names,
                           const double *values, const double *rates, int count)
{
    fprintf(out, ",\n\"%s\":[", what);
    for (int i = 0; i < count; i++) {
        fputs(i ? ",{\"name\":" : "{\"name\":", out);
        writer_json_string(out, names[i]);
        fputs(",\"value\":", out);
        writer_json_number(out, values[i]);
        if (rates) {
            fputs(",\"derivative\":", out);
            writer_json_number(out, rates[i]);
        }
        fputc('}', out);
    }
    fputc(']', out);
}

static void json_matrix(FILE *out, const NamedMatrix *m)
{
    fprintf(out, ",\n\"%s\":[", m->name);
    for (int i = 0; i < m->rows; i++) {
        fputs(i ? ",\n[" : "[", out);
        for (int j = 0; j < m->columns; j++) {
            if (j)
                fputc(',', out);
            writer_json_number(out, m->values[i * m->columns + j]);
        }
        fputc(']', out);
    }
    fputc(']', out);
}

static void write_json(const SaltusLinearization *l, const char *model, FILE *out)
{
    NamedMatrix matrices[MATRICES];
    list_matrices(l, matrices);
    fputs("{\"schema\":\"saltus-linearization\",\"version\":1,\"model\":", out);
    writer_json_string(out, model);
    fputs(",\n\"time\":", out);
    writer_json_number(out, l->t);
    fputs(",\"mode\":", out);
    writer_json_string(out, l->mode_name);
    json_variables(out, "states", l->state_names, l->x, l->dx, l->state_count);
    json_variables(out, "inputs", l->input_names, l->u, NULL, l->input_count);
    json_variables(out, "outputs", l->output_names, l->y, NULL, l->output_count);
    for (int i = 0; i < MATRICES; i++)
        json_matrix(out, &matrices[i]);
    fputs(",\n\"eigenvalues\":[", out);
    for (int i = 0; i < l->state_count; i++) {
        const SaltusEigenvalue *e = &l->eigenvalues[i];
        const char *const names[] = {"real", "imaginary", "frequency", "damping"};
        const double values[] = {e->real, e->imaginary, e->frequency, e->damping};
        for (int k = 0; k < 4; k++) {
            fprintf(out, "%s\"%s\":", k ? "," : i ? ",\n{" : "{", names[k]);
            writer_json_number(out, values[k]);
        }
        fputc('}', out);
    }
    fputs("]}\n", out);
}

// ---------------------------------------------------------------------------
// CSV: one row per number
// ---------------------------------------------------------------------------

static void csv_row(FILE *out, const char *what, const char *row, const char *column, double value)
{
    fprintf(out, "%s,", what);
    writer_csv_field(out, row);
    fputc(',', out);
    writer_csv_field(out, column);
    fputc(',', out);
    writer_csv_number(out, value);
    fputc('\n', out);
}

static void write_csv(const SaltusLinearization *l, FILE *out)
{
    NamedMatrix matrices[MATRICES];
    list_matrices(l, matrices);
    fputs("matrix,row,column,value\n", out);
    for (int k = 0; k < MATRICES; k++) {
        const NamedMatrix *m = &matrices[k];
        for (int i = 0; i < m->rows; i++)
            for (int j = 0; j < m->columns; j++)
                csv_row(out, m->name, m->row_names[i], m->column_names[j],
                        m->values[i * m->columns + j]);
    }
    for (int i = 0; i < l->state_count; i++) {
        char number[16];
        snprintf(number, sizeof number, "%d", i + 1);
        csv_row(out, "eigenvalue", number, "real", l->eigenvalues[i].real);
        csv_row(out, "eigenvalue", number, "imaginary", l->eigenvalues[i].imaginary);
        csv_row(out, "eigenvalue", number, "frequency", l->eigenvalues[i].frequency);
        csv_row(out, "eigenvalue", number, "damping", l->eigenvalues[i].damping);
    }
}

// ---------------------------------------------------------------------------
// MATLAB v4: 20 bytes of header (type, rows, columns, imaginary, length of the name), the name with
// its zero, then the numbers column by column
// ---------------------------------------------------------------------------

enum { MAT_DOUBLE = 0, MAT_TEXT = 51 }; // 51: text, a byte each

static void mat_header(FILE *out, int32_t type, int rows, int columns, bool is_complex,
                       const char *name)
{
    const int32_t header[5] = {type, rows, columns, is_complex, (int32_t)strlen(name) + 1};
    fwrite(header, sizeof *header, 5, out);
    fwrite(name, 1, strlen(name) + 1, out);
}

static void mat_numbers(FILE *out, const char *name, const double *values, int rows, int columns)
{
    mat_header(out, MAT_DOUBLE, rows, columns, false, name);
    for (int j = 0; j < columns; j++)
        for (int i = 0; i < rows; i++)
            fwrite(&values[i * columns + j], sizeof *values, 1, out);
}

// A name in each row, filled up with blanks.
static void mat_names(FILE *out, const char *name, const char *const *names, int count)
{
    const int width = longest(names, count, 1);
    mat_header(out, MAT_TEXT, count, width, false, name);
    for (int j = 0; j < width; j++)
        for (int i = 0; i < count; i++)
            fputc(j < (int)strlen(names[i]) ? names[i][j] : ' ', out);
}

static void write_mat(const SaltusLinearization *l, FILE *out)
{
    NamedMatrix matrices[MATRICES];
    list_matrices(l, matrices);
    for (int i = 0; i < MATRICES; i++)
        mat_numbers(out, matrices[i].name, matrices[i].values, matrices[i].rows,
                    matrices[i].columns);
    mat_header(out, MAT_DOUBLE, l->state_count, 1, true, "eigenvalues");
    for (int i = 0; i < l->state_count; i++)
        fwrite(&l->eigenvalues[i].real, sizeof(double), 1, out);
    for (int i = 0; i < l->state_count; i++)
        fwrite(&l->eigenvalues[i].imaginary, sizeof(double), 1, out);
    mat_numbers(out, "time", &l->t, 1, 1);
    mat_numbers(out, "x", l->x, l->state_count, 1);
    mat_numbers(out, "u", l->u, l->input_count, 1);
    mat_numbers(out, "y", l->y, l->output_count, 1);
    mat_names(out, "x_names", l->state_names, l->state_count);
    mat_names(out, "u_names", l->input_names, l->input_count);
    mat_names(out, "y_names", l->output_names, l->output_count);
}

bool linearize_has_format(TableFormat format)
{
    return format == TABLE_JSON || format == TABLE_CSV || format == TABLE_MAT;
}

bool linearize_write(const SaltusLinearization *l, TableFormat format, const char *model, FILE *out)
{
    if (format == TABLE_JSON)
        write_json(l, model, out);
    else if (format == TABLE_CSV)
        write_csv(l, out);
    else
        write_mat(l, out);
    return !ferror(out);
}
