// SPDX-License-Identifier: MIT
//
// Reads CSV (RFC 4180): a header line, then rows of as many fields; quoted fields may contain
// commas, quotes and line breaks. The first pass counts the rows and sees which columns have words,
// the second one fills them in.

#include "base/names.h"
#include "base/number.h"
#include "results/format.h"

#include <math.h>
#include <string.h>

typedef struct CsvWords CsvWords;

typedef struct CsvReader {
    const TableSource *source;
    size_t place; // of the next byte
    size_t line;  // from 1
    char *field;  // the last field that was read, without its quotes
    size_t length;
    bool is_quoted, ends_row;
    CsvWords *words; // of each column
} CsvReader;

// False at the end of the text, or after an error (*is_wrong).
static bool next_field(CsvReader *r, bool *is_wrong)
{
    const char *bytes = r->source->bytes;
    const size_t end = r->source->length;
    r->length = 0;
    r->is_quoted = r->place < end && bytes[r->place] == '"';
    if (r->is_quoted)
        for (r->place++;; r->place++) {
            if (r->place == end) {
                *is_wrong = !table_complain(r->source, r->line, "a quote is not closed");
                return false;
            }
            if (bytes[r->place] == '"' && (r->place + 1 == end || bytes[r->place + 1] != '"'))
                break;
            if (bytes[r->place] == '"')
                r->place++;
            r->line += bytes[r->place] == '\n';
            r->field[r->length++] = bytes[r->place];
        }
    r->place += r->is_quoted;
    while (r->place < end && !strchr(",\r\n", bytes[r->place]))
        r->field[r->length++] = bytes[r->place++];
    r->field[r->length] = '\0';
    r->ends_row = r->place == end || bytes[r->place] != ',';
    if (r->place < end && bytes[r->place] == '\r')
        r->place++;
    if (r->place < end && (bytes[r->place] == '\n' || (bytes[r->place] == ',' && !r->ends_row)))
        r->place++;
    return true;
}

static bool is_text_bytes(const TableSource *source)
{
    return !memchr(source->bytes, '\0', source->length);
}

// A number, or nothing at all, which is NaN.
static bool table_csv_read_number(const char *text, size_t length, double *value)
{
    while (length > 0 && *text == ' ')
        text++, length--;
    while (length > 0 && text[length - 1] == ' ')
        length--;
    const bool is_negative = length > 0 && *text == '-';
    if (length > 0 && (*text == '-' || *text == '+'))
        text++, length--;
    *value = NAN;
    if (length == 0)
        return !is_negative;
    if (length == 3 && (strncmp(text, "nan", 3) == 0 || strncmp(text, "NaN", 3) == 0))
        return true;
    if ((length == 3 && (strncmp(text, "inf", 3) == 0 || strncmp(text, "Inf", 3) == 0)) ||
        (length == 8 && strncmp(text, "Infinity", 8) == 0))
        *value = INFINITY;
    else if (!number_read(text, length, value))
        return false;
    if (is_negative)
        *value = -*value;
    return true;
}

// ---------------------------------------------------------------------------
// The header line
// ---------------------------------------------------------------------------

static bool read_header(Table *table, CsvReader *r)
{
    size_t room = 16;
    TableColumn *columns = MEMORY_NEW(&table->allocator, room, TableColumn);
    bool is_wrong = false, is_fine = true;
    if (!columns)
        return table_out_of_memory(r->source);
    do {
        if (table->column_count == room) {
            room *= 2;
            TableColumn *grown = memory_resize(&table->allocator, columns, room, sizeof *columns);
            if (!grown) {
                is_fine = table_out_of_memory(r->source);
                break;
            }
            columns = grown;
        }
        is_fine = next_field(r, &is_wrong) && !is_wrong;
        if (is_fine) {
            const char *name = memory_pool_text(&table->pool, r->field);
            columns[table->column_count++] = (TableColumn){.heading = {.name = name}};
            is_fine = name || table_out_of_memory(r->source);
        }
    } while (is_fine && !r->ends_row);
    if (is_fine) {
        table->columns =
            memory_pool_copy(&table->pool, columns, table->column_count, sizeof *columns);
        is_fine = table->columns || table_out_of_memory(r->source);
    }
    memory_free(&table->allocator, columns);
    return is_fine;
}

static bool check_header(const Table *table, const CsvReader *r)
{
    for (size_t i = 0; i < table->column_count; i++) {
        const char *name = table->columns[i].heading.name;
        double value;
        if (name[0] == '\0')
            return table_complain(r->source, 1, "column %zu has no name", i + 1);
        if (i == 0 && table_csv_read_number(name, strlen(name), &value))
            return table_complain(r->source, 1,
                                  "the first line must have the names of the columns,"
                                  " not numbers");
    }
    return true;
}

// ---------------------------------------------------------------------------
// Rows
// ---------------------------------------------------------------------------

static bool is_blank(const CsvReader *r)
{
    return r->length == 0 && !r->is_quoted && r->ends_row;
}

// Calls `take` for every field of every row.
typedef bool TakeField(Table *table, const CsvReader *r, size_t column, size_t row);

static bool walk_rows(Table *table, CsvReader *r, TakeField *take, size_t *count)
{
    bool is_wrong = false;
    *count = 0;
    while (r->place < r->source->length) {
        const size_t line = r->line;
        size_t i = 0;
        do {
            if (!next_field(r, &is_wrong))
                return false;
            if (i == 0 && is_blank(r) && table->column_count > 1)
                break; // an empty line
            if (i < table->column_count && !take(table, r, i, *count))
                return false;
            i++;
        } while (!r->ends_row);
        r->line++;
        if (i != 0 && i != table->column_count)
            return table_complain(r->source, line, "%zu fields instead of %zu", i,
                                  table->column_count);
        *count += i != 0;
    }
    return true;
}

static bool see_kind(Table *table, const CsvReader *r, size_t column, size_t row)
{
    (void)row;
    TableHeading *heading = &table->columns[column].heading;
    double value;
    if (heading->kind == TABLE_NUMBERS && !table_csv_read_number(r->field, r->length, &value))
        heading->kind = TABLE_WORDS;
    return true;
}

// The words of a column in a hash table, with linear probing: a column may have as many different
// ones as there are rows.
struct CsvWords {
    size_t *slots; // number of the word + 1, 0: free
    size_t room;   // a power of two, more than twice the number of words
};

static size_t table_csv_find_slot(const CsvWords *words, const TableColumn *column,
                                  const char *text)
{
    uint32_t hash = names_hash_start();
    for (const char *c = text; *c; c++)
        hash = names_hash_step(hash, (unsigned char)*c);
    size_t i = hash & (words->room - 1);
    while (words->slots[i] && strcmp(column->words[words->slots[i] - 1], text) != 0)
        i = (i + 1) & (words->room - 1);
    return i;
}

static bool table_csv_make_room(Table *table, CsvWords *words, TableColumn *column)
{
    const size_t room = words->room ? 2 * words->room : 16;
    size_t *slots = MEMORY_NEW(&table->allocator, room, size_t);
    const char **texts = MEMORY_POOL_NEW(&table->pool, room / 2, const char *);
    if (!slots || !texts) {
        memory_free(&table->allocator, slots);
        return false;
    }
    memory_free(&table->allocator, words->slots);
    *words = (CsvWords){slots, room};
    for (size_t i = 0; i < column->word_count; i++)
        texts[i] = column->words[i];
    column->words = texts;
    for (size_t i = 0; i < column->word_count; i++)
        slots[table_csv_find_slot(words, column, texts[i])] = i + 1;
    return true;
}

static bool table_csv_word_number(Table *table, const CsvReader *r, size_t number, double *value)
{
    TableColumn *column = &table->columns[number];
    CsvWords *words = &r->words[number];
    if (2 * column->word_count >= words->room && !table_csv_make_room(table, words, column))
        return table_out_of_memory(r->source);
    const size_t slot = table_csv_find_slot(words, column, r->field);
    if (!words->slots[slot]) {
        const char *copy = memory_pool_text(&table->pool, r->field);
        if (!copy)
            return table_out_of_memory(r->source);
        column->words[column->word_count++] = copy;
        words->slots[slot] = column->word_count;
    }
    *value = (double)(words->slots[slot] - 1);
    return true;
}

static bool fill_in(Table *table, const CsvReader *r, size_t column, size_t row)
{
    TableColumn *c = &table->columns[column];
    if (c->heading.kind == TABLE_WORDS)
        return table_csv_word_number(table, r, column, &c->values[row]);
    return table_csv_read_number(r->field, r->length, &c->values[row]);
}

static bool table_csv_read_rows(Table *table, CsvReader *r)
{
    const CsvReader begin = *r;
    if (!walk_rows(table, r, see_kind, &table->row_count))
        return false;
    const size_t last = table->column_count - 1;
    if (last > 0 && strcmp(table->columns[last].heading.name, "mode") == 0)
        table->columns[last].heading.kind = TABLE_WORDS; // also if modes are called "1" and "2"
    for (size_t i = 0; i < table->column_count; i++) {
        table->columns[i].values = MEMORY_POOL_NEW(&table->pool, table->row_count, double);
        if (!table->columns[i].values)
            return table_out_of_memory(r->source);
    }
    r->words = MEMORY_NEW(&table->allocator, table->column_count, CsvWords);
    if (!r->words)
        return table_out_of_memory(r->source);
    size_t count;
    r->place = begin.place;
    r->line = begin.line;
    const bool is_fine = walk_rows(table, r, fill_in, &count);
    for (size_t i = 0; i < table->column_count; i++)
        memory_free(&table->allocator, r->words[i].slots);
    memory_free(&table->allocator, r->words);
    return is_fine;
}

static bool table_parse_csv(Table *table, const TableSource *source)
{
    TableSource text = *source;
    if (text.length >= 3 && memcmp(text.bytes, "\xef\xbb\xbf", 3) == 0) // byte order mark
        text.bytes += 3, text.length -= 3;
    if (text.length == 0)
        return table_complain(source, 0, "the file is empty");
    if (!is_text_bytes(&text))
        return table_complain(source, 0,
                              "this is neither CSV, JSON, nor a .mat file of a known kind");
    CsvReader r = {.source = &text,
                   .line = 1,
                   .field = memory_resize(&table->allocator, NULL, text.length + 1, 1)};
    if (!r.field)
        return table_out_of_memory(source);
    bool is_fine = read_header(table, &r) && check_header(table, &r);
    r.line++;
    is_fine = is_fine && table_csv_read_rows(table, &r);
    memory_free(&table->allocator, r.field);
    return is_fine;
}

// ---------------------------------------------------------------------------
// Writing
// ---------------------------------------------------------------------------

static bool begin_csv(Writer *w)
{
    for (size_t i = 0; i < w->def.column_count; i++) {
        if (i)
            fputc(',', w->file.stream);
        writer_csv_field(w->file.stream, w->def.columns[i].name);
    }
    fputc('\n', w->file.stream);
    return true;
}

static void row_csv(Writer *w, const double *values, const char *const *words)
{
    for (size_t i = 0; i < w->def.column_count; i++) {
        if (i)
            fputc(',', w->file.stream);
        if (w->def.columns[i].kind == TABLE_WORDS)
            writer_csv_field(w->file.stream, *words++);
        else
            writer_csv_number(w->file.stream, values[i]);
    }
    fputc('\n', w->file.stream);
}

static bool end_csv(Writer *w)
{
    (void)w;
    return true;
}

// What looks like none of the others is taken for CSV.
const Format format_CSV = {
    .begin = begin_csv, .row = row_csv, .end = end_csv, .parse = table_parse_csv};
