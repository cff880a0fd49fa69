// SPDX-License-Identifier: MIT
//
// A table that a command makes: rows of numbers and words under names of any length, for people or
// as a file.

#ifndef SALTUS_CLI_GRID_H
#define SALTUS_CLI_GRID_H

#include "base/text.h"
#include "results/writer.h"

typedef struct Grid {
    TableHeading *headings;
    char **names;         // of the columns
    const char **formats; // of their numbers, for people; NULL: words
    size_t column_count;  // so far
    size_t width, row_count;
    double *numbers;    // row by row, `width` in each
    const char **words; // likewise, NULL in columns of numbers
    bool is_full;       // a column was lost: out of memory
} Grid;

// Room for so many columns and rows; to be freed in any case. False: out of memory.
bool grid_create(Grid *grid, size_t columns, size_t rows);
void grid_free(Grid *grid);
// The next column, with the format of its numbers; NULL: words.
void grid_add_column(Grid *grid, const char *format, const char *name, ...) TEXT_FORMAT(3, 4);
// The columns of an observation with so many results: "NAME", or "NAME[1]", "NAME[2]", ...
void grid_add_columns(Grid *grid, const char *format, const char *name, long count);

void grid_print(const Grid *grid);
// The first column of a file must have numbers. False, after a message of this command.
bool grid_write(const Grid *grid, const char *path, const char *title, const char *command);

#endif
