// SPDX-License-Identifier: MIT
//
// Tables: what result files hold, a trajectory for example. A table is read as a whole and does
// not change; writer.h writes one row by row.
//
// What always holds in one:
// - It has at least one column. The first is the abscissa, `time` in a trajectory.
// - A column has numbers (NaN: nothing was there) or words. Words are numbered: the values of a
//   column of words are indices into its `words`, in the order of their first occurrence.
// - A trajectory has the names of the modes as its last column, `mode`, of words; two rows with
//   the same time are the values before and after an event.
// - Constants (parameters) are known to formats that have room for them: .mat and JSON.

#ifndef SALTUS_RESULTS_TABLE_H
#define SALTUS_RESULTS_TABLE_H

#include "base/memory.h"
#include "base/message.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum TableKind { TABLE_NUMBERS, TABLE_WORDS } TableKind;

// The one list of formats: X(NAME, how the names of its files end). A format is the one
// `const Format format_NAME` of a file (format.h):
//
//   CSV   RFC 4180, with a header line
//   MAT   MATLAB version 4, as Dymola and OpenModelica write it
//   JSON  docs/results.md has the schema
#define TABLE_FORMAT_LIST(X)                                                                       \
    X(CSV, ".csv")                                                                                 \
    X(MAT, ".mat")                                                                                 \
    X(JSON, ".json")

typedef enum TableFormat {
#define TABLE_FORMAT_ENUM(NAME, ending) TABLE_##NAME,
    TABLE_FORMAT_LIST(TABLE_FORMAT_ENUM)
#undef TABLE_FORMAT_ENUM
        TABLE_FORMATS
} TableFormat;

// For help and messages, as a literal: ".csv, .mat, .json, ".
#define TABLE_ENDING(NAME, ending) ending ", "
#define TABLE_ENDINGS TABLE_FORMAT_LIST(TABLE_ENDING)

// What is known of a column or a constant besides its values.
typedef struct TableHeading {
    const char *name;
    const char *unit;        // NULL: none, or not known
    const char *description; // likewise
    TableKind kind;
    bool is_boolean; // numbers 0 and 1 that are known to stand for false and true
} TableHeading;

typedef struct TableColumn {
    TableHeading heading;
    double *values; // one per row
    const char **words;
    size_t word_count;
} TableColumn;

typedef struct TableConstant {
    TableHeading heading;
    double value;
} TableConstant;

typedef struct Table {
    size_t row_count, column_count, constant_count;
    TableColumn *columns;
    TableConstant *constants;
    const char *title; // the model; NULL: not known
    MemoryPool pool;   // has all of it
    SaltusAllocator allocator;
} Table;

// Reads a file, whose format is told by its content. The manifest beside it, if there is
// one, has the units of a CSV file. NULL: it cannot be read or is damaged, the message says where:
// "a.csv:7: 3 fields instead of 4".
Table *table_read(const char *path, char **message);
// The same from memory; `name` is for messages. The bytes are not kept.
Table *table_parse(const char *bytes, size_t length, const char *name, char **message);
void table_destroy(Table *table); // NULL is allowed

// By name; NULL: there is none.
const TableColumn *table_column(const Table *table, const char *name);
// Whether several columns have the name of this one.
bool table_is_ambiguous(const Table *table, const TableColumn *column);
const TableConstant *table_constant(const Table *table, const char *name);
// The name of a column or constant that may be what was meant by `name`; NULL: none.
const char *table_nearest(const Table *table, const char *name);
// The word in a row of a column of words.
const char *table_word(const TableColumn *column, size_t row);

// By the end of the path. False: another one.
bool table_format(const char *path, TableFormat *format);

#endif
