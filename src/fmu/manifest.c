// SPDX-License-Identifier: MIT

#include "fmu/manifest.h"

#include "base/message.h"
#include "base/number.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *manifest_load(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    char *bytes = NULL;
    if (fseek(file, 0, SEEK_END) == 0) {
        const long size = ftell(file);
        rewind(file);
        bytes = size >= 0 ? calloc((size_t)size + 1, 1) : NULL;
        if (bytes && fread(bytes, 1, (size_t)size, file) != (size_t)size) {
            free(bytes);
            bytes = NULL;
        }
    }
    fclose(file);
    return bytes;
}

// "\n" and "\\" back into what they stand for.
static void manifest_unescape(char *text)
{
    char *to = text;
    for (; *text; text++) {
        if (*text == '\\' && text[1]) {
            text++;
            *to++ = *text == 'n' ? '\n' : *text;
        } else {
            *to++ = *text;
        }
    }
    *to = '\0';
}

// The number that a line begins with; what follows it.
static bool manifest_number(char *text, double *value, const char **rest)
{
    const size_t length = strcspn(text, " ");
    const bool is_negative = text[0] == '-';
    if (strncmp(text, "nan", 3) == 0 || strncmp(text, "-nan", 4) == 0)
        *value = NAN;
    else if (!number_read(text + is_negative, length - is_negative, value))
        return false;
    if (is_negative)
        *value = -*value;
    *rest = text[length] ? text + length + 1 : text + length;
    return true;
}

static bool manifest_item(FmuManifest *m, const char *word, char *text)
{
    static const struct {
        const char *word;
        ItemKind kind;
        bool has_number;
    } kinds[] = {
        {"variable", ITEM_VARIABLE, false},   {"start", ITEM_START, true},
        {"parameter", ITEM_PARAMETER, false}, {"fixed", ITEM_FIXED, false},
        {"input", ITEM_INPUT, false},         {"derivative", ITEM_DERIVATIVE, true},
        {"state", ITEM_STATE, false},         {"indicator", ITEM_INDICATOR, true},
        {"constant", ITEM_CONSTANT, true},    {"string", ITEM_STRING, false},
        {"time", ITEM_TIME, false},           {"clock", ITEM_CLOCK, true},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(word, kinds[i].word) != 0)
            continue;
        Item *item = &m->items[m->item_count++];
        *item = (Item){.kind = kinds[i].kind, .text = text};
        return !kinds[i].has_number || manifest_number(text, &item->value, &item->text);
    }
    return false;
}

static bool manifest_line(FmuManifest *m, char *line)
{
    char *text = line + strcspn(line, " ");
    if (*text)
        *text++ = '\0';
    manifest_unescape(text);
    if (strcmp(line, "model") == 0)
        m->model = text;
    else if (strcmp(line, "modification") == 0)
        m->modification = text;
    else if (strcmp(line, "token") == 0)
        m->token = text;
    else if (strcmp(line, "indicators") == 0)
        m->indicator_count = (int)strtol(text, NULL, 10);
    else if (strcmp(line, "file") == 0)
        m->files[m->file_count++] = text;
    else if (strcmp(line, "set") == 0)
        return manifest_number(text, &m->sets[m->set_count].value, &m->sets[m->set_count].text) &&
               ++m->set_count > 0;
    else
        return manifest_item(m, line, text);
    return true;
}

bool manifest_read(FmuManifest *m, const char *resources, char **message)
{
    static const char head[] = "saltus-fmu 1\n";
    char path[4096];
    *m = (FmuManifest){0};
    snprintf(path, sizeof path, "%s/model.txt", resources);
    m->bytes = manifest_load(path);
    if (!m->bytes || strncmp(m->bytes, head, sizeof head - 1) != 0)
        return message_set(message, "cannot read '%s': %s", path,
                           m->bytes ? "it is of another version" : strerror(errno));
    size_t lines = 0;
    for (const char *c = m->bytes; *c; c++)
        lines += *c == '\n';
    m->files = calloc(lines + 1, sizeof *m->files);
    m->sets = calloc(lines + 1, sizeof *m->sets);
    m->items = calloc(lines + 1, sizeof *m->items);
    bool is_fine = m->files && m->sets && m->items;
    for (char *line = m->bytes + sizeof head - 1; is_fine && *line;) {
        char *end = line + strcspn(line, "\n");
        char *next = *end ? end + 1 : end;
        *end = '\0';
        is_fine = manifest_line(m, line);
        line = next;
    }
    if (!is_fine || !m->model)
        message_set(message, "'%s' is damaged", path);
    return is_fine && m->model;
}

void manifest_free(FmuManifest *m)
{
    free(m->bytes);
    free(m->files);
    free(m->sets);
    free(m->items);
    *m = (FmuManifest){0};
}
