// SPDX-License-Identifier: MIT
//
// Matrices from files, by what their names end with: comma-separated values (.csv), MATLAB (.mat),
// else the text format of the Modelica library,
//
//   #1
//   double tab1(5, 2)   # rows, columns; more such in one file
//     0  0
//     ...

#include "external/chart.h"

#include "base/mat.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHART_FILE_MAXIMUM = 1 << 28 };

// The bytes of a file with a zero behind them; NULL after a message.
static char *chart_bytes(ExternalCall *call, const char *path, size_t *size)
{
    FILE *file = files_open(call, path);
    if (!file)
        return NULL;
    char *bytes = NULL;
    if (fseek(file, 0, SEEK_END) == 0) {
        const long length = ftell(file);
        rewind(file);
        if (length >= 0 && length <= CHART_FILE_MAXIMUM)
            bytes = malloc((size_t)length + 1);
        if (bytes && fread(bytes, 1, (size_t)length, file) == (size_t)length) {
            bytes[length] = 0;
            *size = (size_t)length;
        } else {
            free(bytes);
            bytes = NULL;
        }
    }
    fclose(file);
    if (!bytes)
        external_fail(call, "'%s' cannot be read, or is larger than 256 MB", path);
    return bytes;
}

static double *chart_room(ExternalCall *call, const char *path, size_t rows, size_t columns)
{
    if (rows > 0 && columns > 0 && rows <= CHART_FILE_MAXIMUM / sizeof(double) / columns) {
        double *values = malloc(rows * columns * sizeof *values);
        if (values)
            return values;
    }
    external_fail(call, "a matrix of '%s' is empty or too large", path);
    return NULL;
}

// ---------------------------------------------------------------------------
// Text
// ---------------------------------------------------------------------------

static bool chart_is_separator(char c)
{
    return isspace((unsigned char)c) || c == ',' || c == ';';
}

// Past separators and comments, which begin with '#'.
static const char *chart_skip(const char *s)
{
    for (;;) {
        while (*s && chart_is_separator(*s))
            s++;
        if (*s != '#')
            return s;
        while (*s && *s != '\n')
            s++;
    }
}

// "double name(rows, columns)" or "float ...": what follows it; NULL: it is not one of these.
static const char *chart_header(const char *s, const char *name, bool *is_it, size_t *rows,
                                size_t *columns)
{
    const char *begin = strncmp(s, "double", 6) == 0  ? s + 6
                        : strncmp(s, "float", 5) == 0 ? s + 5
                                                      : NULL;
    if (!begin || !isspace((unsigned char)*begin))
        return NULL;
    while (isspace((unsigned char)*begin))
        begin++;
    const char *end = begin + strcspn(begin, "( \t\r\n");
    *is_it = strlen(name) == (size_t)(end - begin) && memcmp(begin, name, strlen(name)) == 0;
    unsigned long r, c;
    int length = 0;
    if (sscanf(end, " ( %lu , %lu )%n", &r, &c, &length) != 2 || length == 0)
        return NULL;
    *rows = r;
    *columns = c;
    return end + length;
}

static bool chart_numbers(ExternalCall *call, const char *path, const char *name, const char *s,
                          size_t count, double *values)
{
    for (size_t i = 0; i < count; i++) {
        char *end;
        s = chart_skip(s);
        values[i] = strtod(s, &end);
        if (end == s)
            return external_fail(call, "'%s' in '%s' has %zu numbers instead of %zu", name, path, i,
                                 count);
        s = end;
    }
    return true;
}

static bool chart_from_text(ExternalCall *call, const char *path, const char *name,
                            const char *bytes, double **values, uint32_t *rows, uint32_t *columns)
{
    if (strncmp(bytes, "#1", 2) != 0)
        return external_fail(call, "'%s' is no file of tables: it does not begin with '#1'", path);
    for (const char *s = chart_skip(bytes); *s;) {
        bool is_it = false;
        size_t r, c;
        const char *data = chart_header(s, name, &is_it, &r, &c);
        if (data && is_it) {
            *values = chart_room(call, path, r, c);
            *rows = (uint32_t)r;
            *columns = (uint32_t)c;
            return *values && chart_numbers(call, path, name, data, r * c, *values);
        }
        s = data ? data : s + strcspn(s, "\n");
        s = chart_skip(s);
    }
    return external_fail(call, "there is no matrix '%s' in '%s'", name, path);
}

// ---------------------------------------------------------------------------
// Comma-separated values
// ---------------------------------------------------------------------------

static size_t chart_fields(const char *line, size_t length, char delimiter)
{
    size_t count = 1;
    for (size_t i = 0; i < length; i++)
        count += line[i] == delimiter;
    return count;
}

static bool chart_line_values(ExternalCall *call, const char *path, size_t line, const char *s,
                              char delimiter, size_t count, double *values)
{
    for (size_t k = 0; k < count; k++) {
        char *end;
        values[k] = strtod(s, &end);
        const bool is_number = end > s;
        while (*end == ' ' || *end == '\r' || (*end == '\t' && delimiter != '\t'))
            end++;
        const bool is_last = k + 1 == count;
        if (!is_number || !(is_last ? *end == '\n' || !*end : *end == delimiter))
            return external_fail(call,
                                 "line %zu of '%s' does not have %zu numbers with '%c' "
                                 "between them",
                                 line, path, count, delimiter);
        s = end + 1;
    }
    return true;
}

static bool chart_from_csv(ExternalCall *call, const char *path, const char *bytes, char delimiter,
                           uint32_t header, double **values, uint32_t *rows, uint32_t *columns)
{
    const char *begin = bytes;
    for (uint32_t i = 0; i < header && *begin; i++) {
        begin += strcspn(begin, "\n");
        begin += *begin == '\n';
    }
    size_t count = 0;
    for (const char *s = begin; *s; s += strcspn(s, "\n"), s += *s == '\n')
        count += strcspn(s, "\r\n") > 0;
    const size_t width = chart_fields(begin, strcspn(begin, "\n"), delimiter);
    *values = chart_room(call, path, count, width);
    if (!*values)
        return false;
    size_t line = header, row = 0;
    for (const char *s = begin; *s; s += strcspn(s, "\n"), s += *s == '\n') {
        line++;
        if (strcspn(s, "\r\n") > 0 &&
            !chart_line_values(call, path, line, s, delimiter, width, *values + row++ * width))
            return false;
    }
    *rows = (uint32_t)count;
    *columns = (uint32_t)width;
    return true;
}

// ---------------------------------------------------------------------------
// MATLAB
// ---------------------------------------------------------------------------

typedef struct ChartSearch {
    ExternalCall *call;
    const char *path, *name;
    double *values;
    uint32_t rows, columns;
} ChartSearch;

// For mat_each: false where the search ends, with values or a message.
static bool chart_take_matrix(void *data, const MatMatrix *m)
{
    ChartSearch *s = data;
    if (strcmp(m->name, s->name) != 0)
        return true;
    if (m->is_text || m->is_complex)
        return external_fail(s->call, "'%s' in '%s' is no matrix of real numbers", s->name,
                             s->path);
    s->values = chart_room(s->call, s->path, m->rows, m->columns);
    for (size_t i = 0; s->values && i < m->rows; i++)
        for (size_t k = 0; k < m->columns; k++)
            s->values[i * m->columns + k] = mat_element(m, i, k);
    s->rows = (uint32_t)m->rows;
    s->columns = (uint32_t)m->columns;
    return false;
}

static bool chart_from_mat(ExternalCall *call, const char *path, const char *name,
                           const char *bytes, size_t size, double **values, uint32_t *rows,
                           uint32_t *columns)
{
    ChartSearch s = {.call = call, .path = path, .name = name};
    const char *message;
    const bool is_whole =
        mat_each((const unsigned char *)bytes, size, chart_take_matrix, &s, &message);
    *values = s.values;
    *rows = s.rows;
    *columns = s.columns;
    if (is_whole)
        return external_fail(call, "there is no matrix '%s' in '%s'", name, path);
    if (message)
        return external_fail(call, "'%s' cannot be read: %s", path, message);
    return s.values != NULL;
}

static bool chart_ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), tail = strlen(end);
    for (size_t i = 0; i < tail; i++)
        if (length < tail || tolower((unsigned char)text[length - tail + i]) != end[i])
            return false;
    return true;
}

bool chart_read(ExternalCall *call, const char *path, const char *name, const char *delimiter,
                uint32_t header_lines, double **values, uint32_t *rows, uint32_t *columns)
{
    size_t size;
    char *bytes = chart_bytes(call, path, &size);
    if (!bytes)
        return false;
    const bool is_fine = chart_ends_with(path, ".mat")
                             ? chart_from_mat(call, path, name, bytes, size, values, rows, columns)
                         : chart_ends_with(path, ".csv")
                             ? chart_from_csv(call, path, bytes, *delimiter ? *delimiter : ',',
                                              header_lines, values, rows, columns)
                             : chart_from_text(call, path, name, bytes, values, rows, columns);
    free(bytes);
    return is_fine;
}
