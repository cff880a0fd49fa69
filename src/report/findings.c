// SPDX-License-Identifier: MIT
//
// Findings: see findings.h.

#include "report/findings.h"

#include "results/writer.h"

#include <math.h>
#include <string.h>

Findings findings_create(Arena *arena)
{
    return (Findings){.arena = arena};
}

static const char *findings_copy(Arena *arena, const char *text)
{
    return text ? arena_copy_text(arena, text, strlen(text)) : "";
}

void findings_add(Findings *f, Finding finding)
{
    if (f->count == f->room) {
        const size_t room = 2 * f->room + 64;
        Finding *items = ARENA_ARRAY(f->arena, room, Finding);
        if (f->count)
            memcpy(items, f->items, f->count * sizeof *items);
        f->items = items;
        f->room = room;
    }
    finding.key = findings_copy(f->arena, finding.key);
    finding.unit = findings_copy(f->arena, finding.unit);
    finding.source = findings_copy(f->arena, finding.source);
    f->items[f->count++] = finding;
}

static const char *format_key(Findings *f, const char *format, va_list arguments)
{
    StringBuilder key = builder_create(f->arena);
    builder_append_formatted(&key, format, arguments);
    return builder_string(&key).text;
}

void findings_check(Findings *f, double value, const char *unit, double reference, double bound,
                    const char *source, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *key = format_key(f, format, arguments);
    va_end(arguments);
    findings_add(f, (Finding){.key = key,
                              .value = value,
                              .unit = unit,
                              .reference = reference,
                              .bound = bound,
                              .source = source});
}

bool finding_is_fine(const Finding *finding)
{
    if (isnan(finding->bound))
        return true;
    return fabs(finding->value - finding->reference) <= finding->bound;
}

size_t findings_failed(const Findings *f)
{
    size_t failed = 0;
    for (size_t i = 0; i < f->count; i++)
        failed += !finding_is_fine(&f->items[i]);
    return failed;
}

// ---------------------------------------------------------------------------
// Given out
// ---------------------------------------------------------------------------

static void findings_fill_row(Document *d, const Finding *finding, const char **cells)
{
    const bool has_reference = !isnan(finding->reference);
    cells[0] = document_format(d, "`%s`", finding->key);
    cells[1] =
        document_format(d, "%.12g%s%s", finding->value, *finding->unit ? " " : "", finding->unit);
    cells[2] = has_reference ? document_format(d, "%.12g", finding->reference) : NULL;
    cells[3] =
        has_reference ? document_format(d, "%.1e", finding->value - finding->reference) : NULL;
    cells[4] = isnan(finding->bound)      ? NULL
               : finding_is_fine(finding) ? document_format(d, "%.1e", finding->bound)
                                          : document_format(d, "*%.1e*", finding->bound);
    cells[5] = finding->source;
}

enum { COLUMNS = 6 };

static void add_table(Document *d, DocumentPlace place, const char *const *cells, size_t rows,
                      const char *id, const char *caption)
{
    static const char *const columns[COLUMNS] = {"key",       "value", "reference",
                                                 "deviation", "bound", "source"};
    if (rows)
        document_table(d, place,
                       &(DocumentTable){.id = id,
                                        .caption = caption,
                                        .columns = columns,
                                        .column_count = COLUMNS,
                                        .cells = cells,
                                        .row_count = rows,
                                        .is_wide = true});
}

void findings_table(const Findings *f, Document *d, DocumentPlace place, const char *prefix,
                    const char *id, const char *caption)
{
    size_t rows = 0;
    const char **cells = ARENA_ARRAY(f->arena, f->count * COLUMNS, const char *);
    for (size_t i = 0; i < f->count; i++)
        if (strncmp(f->items[i].key, prefix, strlen(prefix)) == 0)
            findings_fill_row(d, &f->items[i], cells + COLUMNS * rows++);
    add_table(d, place, cells, rows, id, caption);
}

void findings_select(const Findings *f, Document *d, DocumentPlace place, const char *const *keys,
                     size_t count, const char *id, const char *caption)
{
    size_t rows = 0;
    const char **cells = ARENA_ARRAY(f->arena, count * COLUMNS, const char *);
    for (size_t k = 0; k < count; k++)
        for (size_t i = 0; i < f->count; i++)
            if (strcmp(f->items[i].key, keys[k]) == 0) {
                findings_fill_row(d, &f->items[i], cells + COLUMNS * rows++);
                break;
            }
    add_table(d, place, cells, rows, id, caption);
}

bool findings_write(const Findings *f, const char *path, char **message)
{
    AtomicFile file;
    if (!atomic_open(&file, path, message))
        return false;
    fputs("key,value,unit,reference,deviation,source\n", file.stream);
    for (size_t i = 0; i < f->count; i++) {
        const Finding *finding = &f->items[i];
        writer_csv_field(file.stream, finding->key);
        fputc(',', file.stream);
        writer_csv_number(file.stream, finding->value);
        fputc(',', file.stream);
        writer_csv_field(file.stream, finding->unit);
        fputc(',', file.stream);
        if (!isnan(finding->reference)) {
            writer_csv_number(file.stream, finding->reference);
            fputc(',', file.stream);
            writer_csv_number(file.stream, finding->value - finding->reference);
        } else {
            fputc(',', file.stream);
        }
        fputc(',', file.stream);
        writer_csv_field(file.stream, finding->source);
        fputc('\n', file.stream);
    }
    return atomic_commit(&file, message);
}
