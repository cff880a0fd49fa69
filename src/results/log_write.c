// SPDX-License-Identifier: MIT

#include "results/log_write.h"

#include "results/writer.h"

#include <string.h>

static void write_mode(FILE *stream, const LogSource *source, int mode,
                       void (*write)(FILE *stream, const char *text))
{
    if (source->mode_name) {
        write(stream, source->mode_name(source->mode_user, mode));
        return;
    }
    const SaltusModeDef *def = saltus_system_use_mode(source->system, mode);
    write(stream, def && def->name ? def->name : "");
    if (def)
        saltus_system_leave_mode(source->system, mode);
}

// ---------------------------------------------------------------------------
// CSV
// ---------------------------------------------------------------------------

// A field of several texts goes through here twice: first without a stream, to see whether it needs
// quotes, then to be written. So it takes no memory, however long it is.
typedef struct LogField {
    FILE *stream; // NULL: only look
    bool is_quoted, has_text;
} LogField;

static void field_text(LogField *field, const char *text)
{
    const bool is_first = !field->has_text;
    field->has_text = true;
    if (!field->stream) {
        field->is_quoted = field->is_quoted || strpbrk(text, ",\"\r\n");
        return;
    }
    if (is_first && writer_is_formula(text))
        fputc(' ', field->stream);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', field->stream);
        fputc(*text, field->stream);
    }
}

static void field_condition(void *user, const char *text, int direction)
{
    (void)direction;
    LogField *field = user;
    if (field->has_text)
        field_text(field, "; ");
    field_text(field, text);
}

static void field_change(LogField *field, const SaltusChange *change, bool is_record)
{
    char text[WRITER_NUMBER];
    if (field->has_text)
        field_text(field, ";");
    field_text(field, change->name);
    field_text(field, ":");
    if (!is_record) {
        field_text(field, writer_number(change->before, text));
        field_text(field, "->");
    }
    field_text(field, writer_number(change->after, text));
}

static void field_conditions(LogField *field, const LogSource *source, const SaltusLogEntry *entry)
{
    log_conditions(source, entry, field_condition, field);
}

static void field_changes(LogField *field, const LogSource *source, const SaltusLogEntry *entry)
{
    (void)source;
    for (int k = 0; k < entry->change_count; k++)
        field_change(field, &entry->changes[k], false);
    for (int k = 0; k < entry->record_count; k++)
        field_change(field, &entry->records[k], true);
}

static void write_field(FILE *stream, const LogSource *source, const SaltusLogEntry *entry,
                        void (*write)(LogField *, const LogSource *, const SaltusLogEntry *))
{
    LogField field = {0};
    write(&field, source, entry);
    field.stream = stream;
    field.has_text = false;
    if (field.is_quoted)
        fputc('"', stream);
    write(&field, source, entry);
    if (field.is_quoted)
        fputc('"', stream);
}

void log_write_csv_heading(FILE *stream)
{
    fputs("time,class,condition,from,to,changes,note\n", stream);
}

void log_write_csv_entry(FILE *stream, const LogSource *source, const SaltusLogEntry *entry)
{
    char classes[SALTUS_CLASSES_TEXT_SIZE];
    writer_csv_number(stream, entry->t);
    fprintf(stream, ",%s,", saltus_classes_text(entry->classes, classes));
    write_field(stream, source, entry, field_conditions);
    fputc(',', stream);
    write_mode(stream, source, entry->from, writer_csv_field);
    fputc(',', stream);
    write_mode(stream, source, entry->to, writer_csv_field);
    fputc(',', stream);
    write_field(stream, source, entry, field_changes);
    fputc(',', stream);
    writer_csv_field(stream, entry->note ? entry->note : "");
    fputc('\n', stream);
}

// ---------------------------------------------------------------------------
// JSON
// ---------------------------------------------------------------------------

static void json_condition(void *user, const char *text, int direction)
{
    (void)direction;
    LogField *list = user;
    if (list->has_text)
        fputc(',', list->stream);
    writer_json_string(list->stream, text);
    list->has_text = true;
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

static void log_write_json_classes(FILE *stream, unsigned classes)
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
    log_write_json_classes(stream, entry->classes);
    fputs("],\"conditions\":[", stream);
    LogField list = {.stream = stream};
    log_conditions(source, entry, json_condition, &list);
    fputs("],\"from\":", stream);
    write_mode(stream, source, entry->from, writer_json_string);
    fputs(",\"to\":", stream);
    write_mode(stream, source, entry->to, writer_json_string);
    fprintf(stream, ",\"iterations\":%d,\"changes\":[", entry->iterations);
    json_changes(stream, entry->changes, entry->change_count, false);
    fputs("],\"records\":[", stream);
    json_changes(stream, entry->records, entry->record_count, true);
    fputc(']', stream);
    if (entry->note) {
        fputs(",\"note\":", stream);
        writer_json_string(stream, entry->note);
    }
    fputc('}', stream);
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
