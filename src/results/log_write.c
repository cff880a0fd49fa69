// SPDX-License-Identifier: MIT

#include "results/log_write.h"

#include "results/writer.h"

#include <stdlib.h>
#include <string.h>

static void write_mode(FILE *stream, const LogSource *source, int mode,
                       void (*write)(FILE *stream, const char *text))
{
    const SaltusModeDef *def = saltus_system_use_mode(source->system, mode);
    write(stream, def && def->name ? def->name : "");
    if (def)
        saltus_system_leave_mode(source->system, mode);
}

// ---------------------------------------------------------------------------
// CSV
// ---------------------------------------------------------------------------

typedef struct Field {
    char *text;
    size_t length, room;
} Field;

static void append(Field *field, const char *text)
{
    const size_t more = strlen(text);
    if (field->length + more + 1 > field->room) {
        const size_t room = 2 * (field->length + more) + 64;
        char *grown = realloc(field->text, room);
        if (!grown)
            return; // the field stays as it is
        field->text = grown;
        field->room = room;
    }
    memcpy(field->text + field->length, text, more + 1);
    field->length += more;
}

static void append_condition(void *user, const char *text, int direction)
{
    (void)direction;
    Field *field = user;
    append(field, field->length ? "; " : "");
    append(field, text);
}

static void append_change(Field *field, const SaltusChange *change, bool is_record)
{
    char values[80];
    if (is_record)
        snprintf(values, sizeof values, ":%.17g", change->after);
    else
        snprintf(values, sizeof values, ":%.17g->%.17g", change->before, change->after);
    append(field, field->length ? ";" : "");
    append(field, change->name);
    append(field, values);
}

static void write_field(FILE *stream, const Field *field)
{
    writer_csv_field(stream, field->length ? field->text : "");
}

void log_write_csv_heading(FILE *stream)
{
    fputs("time,class,condition,from,to,changes\n", stream);
}

void log_write_csv_entry(FILE *stream, const LogSource *source, const SaltusLogEntry *entry)
{
    Field field = {0};
    char classes[SALTUS_CLASSES_TEXT_SIZE];
    writer_csv_number(stream, entry->t);
    fprintf(stream, ",%s,", saltus_classes_text(entry->classes, classes));
    log_conditions(source, entry, append_condition, &field);
    write_field(stream, &field);
    fputc(',', stream);
    write_mode(stream, source, entry->from, writer_csv_field);
    fputc(',', stream);
    write_mode(stream, source, entry->to, writer_csv_field);
    fputc(',', stream);
    field.length = 0;
    for (int k = 0; k < entry->change_count; k++)
        append_change(&field, &entry->changes[k], false);
    for (int k = 0; k < entry->record_count; k++)
        append_change(&field, &entry->records[k], true);
    write_field(stream, &field);
    fputc('\n', stream);
    free(field.text);
}

// ---------------------------------------------------------------------------
// JSON
// ---------------------------------------------------------------------------

typedef struct JsonList {
    FILE *stream;
    int count;
} JsonList;

static void json_condition(void *user, const char *text, int direction)
{
    (void)direction;
    JsonList *list = user;
    if (list->count++)
        fputc(',', list->stream);
    writer_json_string(list->stream, text);
}

static void json_changes(FILE *stream, const SaltusChange *changes, int count, bool is_record)
{
    for (int i = 0; i < count; i++) {
        fputs(i ? ",{\"name\":" : "{\"name\":", stream);
        writer_json_string(stream, changes[i].name);
        if (!is_record) {
            fputs(",\"before\":", stream);
            writer_json_number(stream, changes[i].before);
        }
        fputs(is_record ? ",\"value\":" : ",\"after\":", stream);
        writer_json_number(stream, changes[i].after);
        fputc('}', stream);
    }
}

static void json_classes(FILE *stream, unsigned classes)
{
    bool is_first = true;
    for (unsigned bit = 1; bit <= SALTUS_SE_A; bit <<= 1) {
        char text[SALTUS_CLASSES_TEXT_SIZE];
        if (!(classes & bit))
            continue;
        fprintf(stream, "%s\"%s\"", is_first ? "" : ",", saltus_classes_text(bit, text));
        is_first = false;
    }
}

static void json_entry(FILE *stream, const LogSource *source, const SaltusLogEntry *entry)
{
    fputs("{\"time\":", stream);
    writer_json_number(stream, entry->t);
    fputs(",\"classes\":[", stream);
    json_classes(stream, entry->classes);
    fputs("],\"conditions\":[", stream);
    JsonList list = {stream, 0};
    log_conditions(source, entry, json_condition, &list);
    fputs("],\"from\":", stream);
    write_mode(stream, source, entry->from, writer_json_string);
    fputs(",\"to\":", stream);
    write_mode(stream, source, entry->to, writer_json_string);
    fprintf(stream, ",\"iterations\":%d,\"changes\":[", entry->iterations);
    json_changes(stream, entry->changes, entry->change_count, false);
    fputs("],\"records\":[", stream);
    json_changes(stream, entry->records, entry->record_count, true);
    fputs("]}", stream);
}

void log_write_json_entry(FILE *stream, const LogSource *source, const SaltusLogEntry *entry,
                          long number)
{
    fputs(number ? ",\n" : "[\n", stream);
    json_entry(stream, source, entry);
}

void log_write_json_end(FILE *stream, long count)
{
    fputs(count ? "]" : "[]", stream);
}

void log_write_json(FILE *stream, const LogSource *source)
{
    const long count = saltus_run_event_count(source->run);
    for (long i = 0; i < count; i++) {
        const SaltusLogEntry entry = saltus_run_event(source->run, i);
        log_write_json_entry(stream, source, &entry, i);
    }
    log_write_json_end(stream, count);
}
