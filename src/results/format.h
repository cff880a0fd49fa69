// SPDX-License-Identifier: MIT
//
// A format of result files: a file with a `const Format format_NAME`, and a line in the list of
// table.h. For the files that define one, and those that use them all.

#ifndef SALTUS_RESULTS_FORMAT_H
#define SALTUS_RESULTS_FORMAT_H

#include "results/table_parts.h"
#include "results/writer.h"

typedef struct Format {
    // The heading, a row (see writer_row), the end. False: w->message says why.
    bool (*begin)(Writer *w);
    void (*row)(Writer *w, const double *values, const char *const *words);
    bool (*end)(Writer *w);
    // Whether these bytes are of this format. NULL: nothing tells.
    bool (*looks_like)(const TableSource *source);
    // Fills a table that is empty. False: the message is set. NULL: it is not read.
    bool (*parse)(Table *table, const TableSource *source);
} Format;

struct Writer {
    WriterDef def;
    const Format *format;
    AtomicFile file;
    char *message; // why something failed
    MemoryPool pool;
    SaltusAllocator allocator;
    size_t row_count, word_column_count;
    double first, last; // values of the abscissa
    bool has_failed;    // out of memory; the stream remembers its own failures
    void *own;          // of the format, from the pool
};

#define FORMAT_DECLARE(NAME, ending) extern const Format format_##NAME;
TABLE_FORMAT_LIST(FORMAT_DECLARE)
#undef FORMAT_DECLARE

const Format *format_of(TableFormat format);

#endif
