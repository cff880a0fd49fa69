// SPDX-License-Identifier: MIT
//
// Journals: see journal.h.

#include "studies/journal.h"

#include "base/message.h"
#include "base/number.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char heading[] = "saltus sweep journal 1 ";

struct Journal {
    FILE *file;
    char *path;
};

// FNV-1a
static uint64_t checksum(const char *text)
{
    uint64_t sum = UINT64_C(14695981039346656037);
    for (; *text; text++)
        sum = (sum ^ (unsigned char)*text) * UINT64_C(1099511628211);
    return sum;
}

// ---------------------------------------------------------------------------
// Lines
// ---------------------------------------------------------------------------

static bool journal_read_number(char **rest, double *value)
{
    char *end = strchr(*rest, ' ');
    if (!end)
        return false;
    *end = '\0';
    const bool is_negative = **rest == '-';
    const char *digits = *rest + is_negative;
    bool is_fine = true;
    if (strcmp(digits, "nan") == 0)
        *value = NAN;
    else if (strcmp(digits, "inf") == 0)
        *value = INFINITY;
    else
        is_fine = number_read(digits, strlen(digits), value);
    *value = is_negative ? -*value : *value;
    *rest = end + 1;
    return is_fine;
}

// CHECKSUM INDEX STATUS VALUE... MESSAGE
static bool journal_read_line(char *line, double *values, size_t count, JournalRecord *record)
{
    char *rest = strchr(line, ' ');
    if (!rest || strtoull(line, NULL, 16) != checksum(rest + 1))
        return false;
    rest++;
    double index = 0.0, status = 0.0;
    if (!journal_read_number(&rest, &index) || !journal_read_number(&rest, &status) ||
        !(index >= 0.0 && index <= 0x1p53) || !(fabs(status) <= 1e6))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!journal_read_number(&rest, &values[i]))
            return false;
    *record = (JournalRecord){(size_t)index, (int)status, count, values, rest};
    return true;
}

static bool journal_write_text(FILE *file, const char *text)
{
    return fprintf(file, "%016" PRIx64 " %s\n", checksum(text), text) > 0 && fflush(file) == 0;
}

// ---------------------------------------------------------------------------
// The file
// ---------------------------------------------------------------------------

static void journal_explain(char **message, const char *what, const char *path)
{
    message_set(message, "cannot %s '%s': %s", what, path, strerror(errno));
}

// The records; *end: where the last one that counts ends. False: no memory, or another sweep.
static bool read_records(FILE *file, const char *path, const char *key, size_t count,
                         JournalRead *read, void *user, long *end, char **message)
{
    char *line = NULL;
    size_t room = 0;
    double *values = calloc(count + 1, sizeof *values);
    ssize_t length = getline(&line, &room, file);
    bool is_fine = values && (length < 0 || line[length - 1] != '\n' ||
                              (strncmp(line, heading, strlen(heading)) == 0 &&
                               strncmp(line + strlen(heading), key, strlen(key)) == 0));
    if (!is_fine)
        message_set(message,
                    "'%s' belongs to another sweep (other model, parameters, observations or "
                    "options): finish that one, or delete the file",
                    path);
    *end = 0;
    while (is_fine && length > 0 && line[length - 1] == '\n') {
        *end = ftell(file);
        length = getline(&line, &room, file);
        if (length <= 0 || line[length - 1] != '\n')
            break;
        line[length - 1] = '\0';
        JournalRecord record;
        if (!journal_read_line(line, values, count, &record) || !read(user, &record))
            break;
        line[length - 1] = '\n';
    }
    free(values);
    free(line);
    return is_fine;
}

static FILE *resume(const char *path, const char *key, size_t count, JournalRead *read, void *user,
                    char **message)
{
    FILE *file = fopen(path, "r+");
    long end = 0;
    if (!file) {
        journal_explain(message, "read", path);
        return NULL;
    }
    bool is_fine = read_records(file, path, key, count, read, user, &end, message);
    if (is_fine && (fflush(file) != 0 || ftruncate(fileno(file), end) != 0 ||
                    fseek(file, end, SEEK_SET) != 0 ||
                    (end == 0 && fprintf(file, "%s%s\n", heading, key) < 0))) {
        journal_explain(message, "write", path);
        is_fine = false;
    }
    if (is_fine)
        return file;
    fclose(file);
    return NULL;
}

static FILE *journal_begin(const char *path, const char *key, char **message)
{
    FILE *file = fopen(path, "wx");
    if (!file && errno == EEXIST) {
        message_set(message,
                    "'%s' has the finished points of an interrupted sweep: go on with --resume, "
                    "or delete the file",
                    path);
    } else if (!file || fprintf(file, "%s%s\n", heading, key) < 0 || fflush(file) != 0) {
        journal_explain(message, "write", path);
        if (file)
            fclose(file);
        file = NULL;
    }
    return file;
}

Journal *journal_open(const char *path, const char *key, bool is_resumed, size_t count,
                      JournalRead *read, void *user, char **message)
{
    Journal *journal = calloc(1, sizeof *journal);
    if (journal)
        journal->path = malloc(strlen(path) + 1);
    if (!journal || !journal->path) {
        message_set(message, "out of memory");
        free(journal);
        return NULL;
    }
    memcpy(journal->path, path, strlen(path) + 1);
    const bool is_there = access(path, F_OK) == 0;
    journal->file = is_resumed && is_there ? resume(path, key, count, read, user, message)
                                           : journal_begin(path, key, message);
    if (journal->file)
        return journal;
    free(journal->path);
    free(journal);
    return NULL;
}

bool journal_add(Journal *journal, const JournalRecord *record, char **message)
{
    const size_t room = 64 + 32 * record->count + strlen(record->message);
    char *text = malloc(room);
    bool is_fine = text != NULL;
    if (is_fine) {
        int length = snprintf(text, room, "%zu %d ", record->index, record->status);
        for (size_t i = 0; i < record->count; i++)
            length += snprintf(text + length, room - (size_t)length, "%.17g ", record->values[i]);
        snprintf(text + length, room - (size_t)length, "%s", record->message);
        for (char *c = text; *c; c++)
            *c = *c == '\n' || *c == '\r' ? ' ' : *c;
        is_fine = journal_write_text(journal->file, text);
    }
    if (!is_fine)
        journal_explain(message, "write", journal->path);
    free(text);
    return is_fine;
}

void journal_close(Journal *journal, bool is_finished)
{
    if (!journal)
        return;
    fclose(journal->file);
    if (is_finished)
        unlink(journal->path);
    free(journal->path);
    free(journal);
}
