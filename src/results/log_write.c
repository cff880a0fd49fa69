// SPDX-License-Identifier: MIT

#include "results/log_write.h"

#include "results/writer.h"

#include <stdlib.h>
#include <string.h>

static const char *condition_of(const LogSource *source, const SaltusFired *fired)
{
    const SaltusModeDef *mode = saltus_system_mode(source->system, fired->mode);
    const SaltusEventDef *event = mode ? &mode->events[fired->event] : NULL;
    return !event ? "?" : event->condition ? event->condition : event->name;
}

// Calls `take` for every condition of an event, once for those that fired in several iterations, be
// it in several modes.
typedef void TakeText(void *user, const char *text);

static void walk_conditions(const LogSource *source, const SaltusLogEntry *entry, TakeText *take,
                            void *user)
{
    for (int i = 0; i < entry->fired_count; i++) {
        const char *condition = condition_of(source, &entry->fired[i]);
        bool is_repeated = false;
        for (int k = 0; k < i && !is_repeated; k++)
            is_repeated = strcmp(condition_of(source, &entry->fired[k]), condition) == 0;
        if (!is_repeated)
            take(user, condition);
    }
    for (int i = 0; i < entry->time_count; i++)
        take(user, source->time_name(source->user, entry->time_ids[i]));
}

static const char *mode_name(const LogSource *source, int mode)
{
    const SaltusModeDef *def = saltus_system_mode(source->system, mode);
    return def && def->name ? def->name : "";
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

static void append_condition(void *user, const char *text)
{
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

void log_write_csv(FILE *stream, const LogSource *source)
{
    Field field = {0};
    fputs("time,class,condition,from,to,changes\n", stream);
    for (long i = 0; i < saltus_run_event_count(source->run); i++) {
        const SaltusLogEntry entry = saltus_run_event(source->run, i);
        char classes[SALTUS_CLASSES_TEXT_SIZE];
        writer_csv_number(stream, entry.t);
        fprintf(stream, ",%s,", saltus_classes_text(entry.classes, classes));
        field.length = 0;
        walk_conditions(source, &entry, append_condition, &field);
        write_field(stream, &field);
        fputc(',', stream);
        writer_csv_field(stream, mode_name(source, entry.from));
        fputc(',', stream);
        writer_csv_field(stream, mode_name(source, entry.to));
        fputc(',', stream);
        field.length = 0;
        for (int k = 0; k < entry.change_count; k++)
            append_change(&field, &entry.changes[k], false);
        for (int k = 0; k < entry.record_count; k++)
            append_change(&field, &entry.records[k], true);
        write_field(stream, &field);
        fputc('\n', stream);
    }
    free(field.text);
}

// ---------------------------------------------------------------------------
// JSON
// ---------------------------------------------------------------------------

typedef struct JsonList {
    FILE *stream;
    int count;
} JsonList;

static void json_condition(void *user, const char *text)
{
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
    walk_conditions(source, entry, json_condition, &list);
    fputs("],\"from\":", stream);
    writer_json_string(stream, mode_name(source, entry->from));
    fputs(",\"to\":", stream);
    writer_json_string(stream, mode_name(source, entry->to));
    fprintf(stream, ",\"iterations\":%d,\"changes\":[", entry->iterations);
    json_changes(stream, entry->changes, entry->change_count, false);
    fputs("],\"records\":[", stream);
    json_changes(stream, entry->records, entry->record_count, true);
    fputs("]}", stream);
}

void log_write_json(FILE *stream, const LogSource *source)
{
    fputc('[', stream);
    for (long i = 0; i < saltus_run_event_count(source->run); i++) {
        const SaltusLogEntry entry = saltus_run_event(source->run, i);
        fputs(i ? ",\n" : "\n", stream);
        json_entry(stream, source, &entry);
    }
    fputc(']', stream);
}
