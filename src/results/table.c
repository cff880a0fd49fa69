// SPDX-License-Identifier: MIT

#include "base/message.h"
#include "results/format.h"
#include "results/manifest.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

// ---------------------------------------------------------------------------
// For the readers
// ---------------------------------------------------------------------------

bool table_complain(const TableSource *source, size_t line, const char *format, ...)
{
    char *what = NULL;
    va_list arguments;
    va_start(arguments, format);
    message_set_arguments(&what, format, arguments);
    va_end(arguments);
    if (line)
        message_set(source->message, "%s:%zu: %s", source->name, line, message_text(what));
    else
        message_set(source->message, "%s: %s", source->name, message_text(what));
    free(what);
    return false;
}

bool table_out_of_memory(const TableSource *source)
{
    return table_complain(source, 0, "out of memory");
}

// An empty table; NULL: out of memory, said in the message.
static Table *table_new(const TableSource *source)
{
    const SaltusAllocator allocator = memory_default();
    Table *table = MEMORY_NEW(&allocator, 1, Table);
    if (!table) {
        table_out_of_memory(source);
        return NULL;
    }
    table->allocator = allocator;
    table->pool.allocator = &table->allocator;
    return table;
}

// ---------------------------------------------------------------------------
// Reading
// ---------------------------------------------------------------------------

Table *table_parse(const char *bytes, size_t length, const char *name, char **message)
{
    const TableSource source = {bytes, length, name, message};
    Table *table = table_new(&source);
    if (!table)
        return NULL;
    const Format *format = &format_CSV;
    for (int i = TABLE_FORMATS; i-- > 0;) {
        const Format *other = format_of((TableFormat)i);
        if (other->parse && other->looks_like && other->looks_like(&source))
            format = other;
    }
    assert(format->parse); // CSV can be read, and the others were asked
    if (format->parse(table, &source))
        return table;
    table_destroy(table);
    return NULL;
}

// A device, or a pipe, may never end.
static const size_t table_most_bytes = (size_t)1 << 32;

// All bytes of the file, which need not have a size that is known before (a pipe), unless there are
// too many.
static char *read_all(FILE *file, const SaltusAllocator *a, size_t *length)
{
    size_t room = 1 << 16;
    char *bytes = memory_resize(a, NULL, room, 1);
    *length = 0;
    while (bytes) {
        *length += fread(bytes + *length, 1, room - *length, file);
        if (*length < room || room >= table_most_bytes)
            break;
        char *grown = memory_resize(a, bytes, 2 * room, 1);
        if (!grown)
            memory_free(a, bytes);
        bytes = grown;
        room *= 2;
    }
    return bytes;
}

Table *table_read(const char *path, char **message)
{
    const SaltusAllocator allocator = memory_default();
    const TableSource source = {NULL, 0, path, message};
    FILE *file = fopen(path, "rb");
    size_t length;
    char *bytes = file ? read_all(file, &allocator, &length) : NULL;
    Table *table = NULL;
    if (!file || (bytes && ferror(file))) // a folder can be opened, but not read
        message_set(message, "cannot read '%s': %s", path, strerror(errno));
    else if (!bytes)
        table_out_of_memory(&source);
    else if (length >= table_most_bytes)
        table_complain(&source, 0, "it has more than 4 GiB, or no end");
    else
        table = table_parse(bytes, length, path, message);
    if (table)
        manifest_describe(table, path);
    memory_free(&allocator, bytes);
    if (file)
        fclose(file);
    return table;
}

void table_destroy(Table *table)
{
    if (!table)
        return;
    const SaltusAllocator allocator = table->allocator;
    memory_pool_free(&table->pool);
    memory_free(&allocator, table);
}

// ---------------------------------------------------------------------------
// Questions
// ---------------------------------------------------------------------------

const TableColumn *table_column(const Table *table, const char *name)
{
    for (size_t i = 0; i < table->column_count; i++)
        if (strcmp(table->columns[i].heading.name, name) == 0)
            return &table->columns[i];
    return NULL;
}

bool table_is_ambiguous(const Table *table, const TableColumn *column)
{
    size_t count = 0;
    for (size_t i = 0; i < table->column_count; i++)
        count += strcmp(table->columns[i].heading.name, column->heading.name) == 0;
    return count > 1;
}

const TableConstant *table_constant(const Table *table, const char *name)
{
    for (size_t i = 0; i < table->constant_count; i++)
        if (strcmp(table->constants[i].heading.name, name) == 0)
            return &table->constants[i];
    return NULL;
}

const char *table_nearest(const Table *table, const char *name)
{
    const size_t count = table->column_count + table->constant_count;
    const char **names = MEMORY_NEW(&table->allocator, count, const char *);
    if (!names)
        return NULL;
    for (size_t i = 0; i < table->column_count; i++)
        names[i] = table->columns[i].heading.name;
    for (size_t i = 0; i < table->constant_count; i++)
        names[table->column_count + i] = table->constants[i].heading.name;
    const char *nearest = text_nearest(name, names, count);
    memory_free(&table->allocator, names);
    return nearest;
}

const char *table_word(const TableColumn *column, size_t row)
{
    return column->words[(size_t)column->values[row]];
}

// ---------------------------------------------------------------------------
// Formats
// ---------------------------------------------------------------------------

const Format *format_of(TableFormat format)
{
#define FORMAT_ROW(NAME, ending) [TABLE_##NAME] = &format_##NAME,
    static const Format *const formats[] = {TABLE_FORMAT_LIST(FORMAT_ROW)};
#undef FORMAT_ROW
    return formats[format];
}

bool table_format(const char *path, TableFormat *format)
{
#define FORMAT_ENDING(NAME, ending) [TABLE_##NAME] = ending,
    static const char *const endings[] = {TABLE_FORMAT_LIST(FORMAT_ENDING)};
#undef FORMAT_ENDING
    const size_t length = strlen(path);
    for (int i = 0; i < TABLE_FORMATS; i++) {
        const size_t n = strlen(endings[i]);
        if (length > n && strcmp(path + length - n, endings[i]) == 0) {
            *format = (TableFormat)i;
            return true;
        }
    }
    return false;
}
