// SPDX-License-Identifier: MIT
//
// Diagnostics: what is wrong with a model, where, and what could be meant.
// They are collected in the order of discovery and handed to the caller; nothing here prints.

#ifndef SALTUS_BASE_DIAGNOSTICS_H
#define SALTUS_BASE_DIAGNOSTICS_H

#include "base/arena.h"
#include "base/source.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum Severity {
    SEVERITY_ERROR,
    SEVERITY_WARNING,
    SEVERITY_NOTE, // belongs to an error or a warning
} Severity;

typedef struct Diagnostic Diagnostic;
struct Diagnostic {
    Severity severity;
    Span span;             // nowhere: the diagnostic has no place in a file
    const char *message;   // one sentence without full stop
    Diagnostic *notes;     // first of its notes
    Diagnostic *last_note; // for appending
    Diagnostic *next;      // in the order of discovery
};

typedef struct Diagnostics {
    Arena *arena;
    const Sources *sources;
    Diagnostic *first;
    Diagnostic *last;
    size_t error_count;
    size_t warning_count;
    Diagnostic exhaustion; // room for the one message that cannot ask for memory
} Diagnostics;

Diagnostics *diagnostics_create(Arena *arena, const Sources *sources);

// Takes back what was said since then.
typedef struct DiagnosticsMark {
    Diagnostic *last;
    size_t error_count, warning_count;
} DiagnosticsMark;
DiagnosticsMark diagnostics_mark(const Diagnostics *d);
void diagnostics_rewind(Diagnostics *d, DiagnosticsMark mark);

// Each returns what it added, so that notes can be attached. The format is printf's.
Diagnostic *diagnostics_error(Diagnostics *d, Span span, const char *format, ...) TEXT_FORMAT(3, 4);
Diagnostic *diagnostics_warning(Diagnostics *d, Span span, const char *format, ...)
    TEXT_FORMAT(3, 4);
Diagnostic *diagnostics_note(Diagnostics *d, Diagnostic *of, Span span, const char *format, ...)
    TEXT_FORMAT(4, 5);

// Reports, once, that memory ran out; needs none.
void diagnostics_out_of_memory(Diagnostics *d);

// For people: "file:line:column: error: message", the source line, the span underlined.
void diagnostics_render_text(const Diagnostics *d, bool colour, StringBuilder *out);
// For programs: an array of objects {severity, file, line, column, endLine, endColumn, message,
// notes}; the place is left out where there is none.
void diagnostics_render_json(const Diagnostics *d, StringBuilder *out);

#endif
