// SPDX-License-Identifier: MIT
//
// What the readers of tables share: for the files table*.c only.

#ifndef SALTUS_RESULTS_TABLE_PARTS_H
#define SALTUS_RESULTS_TABLE_PARTS_H

#include "base/text.h"
#include "results/table.h"

#include <stdint.h>

typedef struct TableSource {
    const char *bytes;
    size_t length;
    const char *name; // for messages
    char **message;
} TableSource;

// A message in front of which stands "NAME:LINE: ", or "NAME: " if the line is 0. Returns false.
bool table_complain(const TableSource *source, size_t line, const char *format, ...)
    TEXT_FORMAT(3, 4);
bool table_out_of_memory(const TableSource *source);

// For writer_mat.c: files of version 4 and 5.
bool table_parse_mat(Table *table, const TableSource *source);
bool table_looks_like_mat(const TableSource *source);
bool table_parse_mat5(Table *table, const TableSource *source);
bool table_looks_like_mat5(const TableSource *source);

#endif
