// SPDX-License-Identifier: MIT
//
// What the formats of the writer share: for the files writer*.c only.

#ifndef SALTUS_RESULTS_WRITER_PARTS_H
#define SALTUS_RESULTS_WRITER_PARTS_H

#include "results/writer.h"

typedef struct WriterFormat {
    bool (*begin)(Writer *w); // false: w->file.message says why
    void (*row)(Writer *w, const double *values, const char *const *words);
    bool (*end)(Writer *w);
} WriterFormat;

// The words that a column had so far.
typedef struct WriterWords {
    const char **items;
    size_t count, room;
} WriterWords;

struct Writer {
    WriterDef def;
    const WriterFormat *format;
    AtomicFile file;
    MemoryPool pool;
    SaltusAllocator allocator;
    size_t row_count, word_column_count;
    bool has_failed; // out of memory; the stream remembers its own failures
    // .mat
    WriterWords *words;              // of the columns of words
    double *buffer;                  // one row
    double first, last;              // values of the abscissa
    long data_1_place, data_2_place; // in the file
};

extern const WriterFormat writer_csv, writer_json, writer_mat;

#endif
