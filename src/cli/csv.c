// SPDX-License-Identifier: MIT

#include "cli/csv.h"

#include <stdlib.h>
#include <string.h>

bool csv_open(CsvFile *file, const char *path)
{
    *file = (CsvFile){.path = path, .stream = stdout};
    if (!path)
        return true;
    const size_t length = strlen(path) + sizeof ".part";
    file->temporary = malloc(length);
    if (!file->temporary)
        return false;
    snprintf(file->temporary, length, "%s.part", path);
    file->stream = fopen(file->temporary, "w");
    return file->stream != NULL;
}

bool csv_close(CsvFile *file)
{
    if (!file->path)
        return fflush(file->stream) == 0 && !ferror(file->stream);
    bool is_fine = file->stream && !ferror(file->stream);
    if (file->stream)
        is_fine = fclose(file->stream) == 0 && is_fine;
    is_fine = is_fine && rename(file->temporary, file->path) == 0;
    free(file->temporary);
    *file = (CsvFile){.path = file->path};
    return is_fine;
}

// A field, quoted where it must be (RFC 4180).
static void write_field(FILE *stream, const char *text)
{
    if (!strpbrk(text, ",\"\r\n")) {
        fputs(text, stream);
        return;
    }
    fputc('"', stream);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', stream);
        fputc(*text, stream);
    }
    fputc('"', stream);
}

void csv_header(FILE *stream, int count, const char *const *names, const bool *chosen)
{
    fputs("time", stream);
    for (int i = 0; i < count; i++) {
        if (chosen && !chosen[i])
            continue;
        fputc(',', stream);
        write_field(stream, names[i]);
    }
    fputs(",mode\n", stream);
}

void csv_row(FILE *stream, const SaltusRow *row, const bool *chosen, const char *mode)
{
    fprintf(stream, "%.17g", row->t);
    for (int i = 0; i < row->y_count; i++)
        if (!chosen || chosen[i])
            fprintf(stream, ",%.17g", row->y[i]);
    fputc(',', stream);
    write_field(stream, mode);
    fputc('\n', stream);
}

// ---------------------------------------------------------------------------
// Events
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

static void append_conditions(Field *field, const SaltusSystem *system, const SaltusLogEntry *entry,
                              CsvTimeName *name, const void *user)
{
    for (int i = 0; i < entry->fired_count; i++) {
        const SaltusFired *fired = &entry->fired[i];
        const SaltusModeDef *mode = saltus_system_mode(system, fired->mode);
        bool is_repeated = false; // it fired in several iterations
        for (int k = 0; k < i; k++)
            is_repeated |=
                entry->fired[k].mode == fired->mode && entry->fired[k].event == fired->event;
        if (is_repeated)
            continue;
        append(field, field->length ? "; " : "");
        append(field, mode ? mode->events[fired->event].condition : "?");
    }
    for (int i = 0; i < entry->time_count; i++) {
        append(field, field->length ? "; " : "");
        append(field, name(user, entry->time_ids[i]));
    }
}

static void append_changes(Field *field, const SaltusLogEntry *entry)
{
    for (int i = 0; i < entry->change_count; i++) {
        const SaltusChange *change = &entry->changes[i];
        char values[80];
        snprintf(values, sizeof values, ":%.17g->%.17g", change->before, change->after);
        append(field, i ? ";" : "");
        append(field, change->name);
        append(field, values);
    }
}

static const char *mode_name(const SaltusSystem *system, int mode)
{
    const SaltusModeDef *def = saltus_system_mode(system, mode);
    return def && def->name ? def->name : "";
}

void csv_events(FILE *stream, const SaltusSystem *system, const SaltusRun *run, CsvTimeName *name,
                const void *user)
{
    Field field = {0};
    fputs("time,class,condition,from,to,changes\n", stream);
    for (long i = 0; i < saltus_run_event_count(run); i++) {
        const SaltusLogEntry entry = saltus_run_event(run, i);
        char classes[SALTUS_CLASSES_TEXT_SIZE];
        fprintf(stream, "%.17g,%s,", entry.t, saltus_classes_text(entry.classes, classes));
        field.length = 0;
        append(&field, "");
        append_conditions(&field, system, &entry, name, user);
        write_field(stream, field.text ? field.text : "");
        fputc(',', stream);
        write_field(stream, mode_name(system, entry.from));
        fputc(',', stream);
        write_field(stream, mode_name(system, entry.to));
        fputc(',', stream);
        field.length = 0;
        append(&field, "");
        append_changes(&field, &entry);
        write_field(stream, field.text ? field.text : "");
        fputc('\n', stream);
    }
    free(field.text);
}
