// SPDX-License-Identifier: MIT
//
// Writes a table (see table.h) row by row, as CSV, .mat or JSON, into a file that appears as a
// whole when the writer is closed (see atomic.h). Memory does not grow with the number of rows.

#ifndef SALTUS_RESULTS_WRITER_H
#define SALTUS_RESULTS_WRITER_H

#include "results/atomic.h"
#include "results/table.h"

typedef struct WriterDef {
    const char *path; // NULL or "-": standard output, not for .mat
    TableFormat format;
    const char *title; // the model; NULL: none
    size_t column_count;
    const TableHeading *columns; // the abscissa first
    size_t constant_count;
    const TableConstant *constants; // not in CSV; their values when the writer is closed count
} WriterDef;

typedef struct Writer Writer;

// What the definition points to must live as long as the writer. NULL: it cannot be written, the
// message says why.
Writer *writer_create(const WriterDef *def, char **message);
// A row: `values` has one number for each column, of which those for words are not looked at;
// `words` has one text for each column of words, in their order. Failures are remembered.
void writer_row(Writer *writer, const double *values, const char *const *words);
// False as soon as something could not be written: there is no use in going on.
bool writer_is_fine(const Writer *writer);
// Completes and closes the file, frees the writer. False: there is no file, the message says why.
bool writer_close(Writer *writer, char **message);
// Frees the writer without a file.
void writer_discard(Writer *writer);

// A number with 17 digits, a point and no comma; "nan". Returns the text.
enum { WRITER_NUMBER = 40 };
const char *writer_number(double value, char text[WRITER_NUMBER]);
// Whether spreadsheets take a text for a formula: then a space stands before it in CSV. Conditions
// can begin with a sign.
bool writer_is_formula(const char *text);
// A field of CSV, quoted where it must be (RFC 4180); a number with 17 digits.
void writer_csv_field(FILE *stream, const char *text);
void writer_csv_number(FILE *stream, double value);
// A string of JSON with its quotes; a number, or null if it is not finite.
void writer_json_string(FILE *stream, const char *text);
void writer_json_number(FILE *stream, double value);

#endif
