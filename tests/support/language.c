// SPDX-License-Identifier: MIT
//
// Language tests: see language.h.

#include "support/language.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

typedef struct Expectation {
    unsigned line, column;
    const char *text;
    size_t length;
} Expectation;

enum { MOST_EXPECTATIONS = 64 };

typedef struct Expectations {
    Expectation items[MOST_EXPECTATIONS];
    size_t count;
} Expectations;

void language_report(LanguageRun *run, const char *path, const Compilation *c, const char *what)
{
    StringBuilder out = builder_create(c->arena);
    diagnostics_render_text(c->diagnostics, false, &out);
    fprintf(stderr, "%s: %s\n%s\n", path, what, builder_string(&out).text);
    run->failures++;
}

// Collects "// expect KIND: LINE:COLUMN text" from anywhere in a file, even behind a syntax error.
// Zero bytes within the file are no end. False: one of them is malformed.
static bool find_expectations(const SourceFile *file, const char *kind, Expectations *found)
{
    char head[32];
    int head_length = snprintf(head, sizeof head, "// expect %s: ", kind);
    found->count = 0;
    for (const char *s = file->text; s < file->text + file->length; s++) {
        if (strncmp(s, head, (size_t)head_length) != 0)
            continue;
        Expectation *e = &found->items[found->count];
        int read = 0;
        if (found->count == MOST_EXPECTATIONS ||
            sscanf(s + head_length, "%u:%u %n", &e->line, &e->column, &read) < 2)
            return false;
        e->text = s + head_length + read;
        e->length = strcspn(e->text, "\r\n");
        found->count++;
    }
    return true;
}

static bool is_as_expected(const Compilation *c, const Diagnostic *d, const Expectation *e)
{
    SourcePlace at = sources_locate(c->sources, d->span.begin);
    char *text = strndup(e->text, e->length);
    bool is_found = text && strstr(d->message, text) != NULL;
    free(text);
    return is_found && at.line == e->line && at.column == e->column;
}

static bool compare_severity(LanguageRun *run, const char *path, const Compilation *c,
                             const SourceFile *file, Severity severity, const char *kind)
{
    Expectations expected;
    if (!find_expectations(file, kind, &expected)) {
        language_report(run, path, c, "has a malformed expectation");
        return false;
    }
    size_t i = 0;
    for (const Diagnostic *d = c->diagnostics->first; d; d = d->next) {
        if (d->severity != severity)
            continue;
        if (i == expected.count || !is_as_expected(c, d, &expected.items[i])) {
            language_report(run, path, c, "has a diagnostic that is not expected");
            return false;
        }
        i++;
    }
    if (i < expected.count) {
        language_report(run, path, c, "lacks an expected diagnostic");
        return false;
    }
    return true;
}

static bool has_note(const Compilation *c, const Expectation *expected)
{
    for (const Diagnostic *d = c->diagnostics->first; d; d = d->next)
        for (const Diagnostic *note = d->notes; note; note = note->next)
            if (is_as_expected(c, note, expected))
                return true;
    return false;
}

static bool compare_notes(LanguageRun *run, const char *path, const Compilation *c,
                          const SourceFile *file)
{
    Expectations expected;
    if (!find_expectations(file, "note", &expected)) {
        language_report(run, path, c, "has a malformed expectation");
        return false;
    }
    for (size_t i = 0; i < expected.count; i++)
        if (!has_note(c, &expected.items[i])) {
            language_report(run, path, c, "lacks an expected note");
            return false;
        }
    return true;
}

bool language_compare(LanguageRun *run, const char *path, const Compilation *c,
                      const SourceFile *file)
{
    return compare_severity(run, path, c, file, SEVERITY_ERROR, "error") &&
           compare_severity(run, path, c, file, SEVERITY_WARNING, "warning") &&
           compare_notes(run, path, c, file);
}

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

void language_folder(LanguageRun *run, const char *folder, LanguageCheck *check)
{
    struct dirent **entries;
    int count = scandir(folder, &entries, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        char path[4096], package[4200];
        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        snprintf(package, sizeof package, "%s/package.mo", path);
        struct stat status;
        bool is_hidden = entries[i]->d_name[0] == '.' || stat(path, &status) != 0;
        free(entries[i]);
        if (is_hidden)
            continue;
        if (!S_ISDIR(status.st_mode)) {
            if (ends_with(path, ".mo"))
                check(run, path);
        } else if (stat(package, &status) != 0) {
            language_folder(run, path, check);
        }
    }
    if (count >= 0)
        free(entries);
}
