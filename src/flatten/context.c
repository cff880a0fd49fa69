// SPDX-License-Identifier: MIT
//
// Messages of the flattener. A class with a mistake is instantiated many times, the mistake is
// reported once: a message with the same place and text as an earlier one is dropped.

#include "flatten/context.h"

// Names are interned, so the text of a message and its place make a key.
static bool is_repeated(Flattener *f, Span span, const char *text)
{
    StringBuilder key = builder_create(f->arena);
    builder_append_format(&key, "%u:%u:%s", (unsigned)span.begin, (unsigned)span.end, text);
    const String s = builder_string(&key);
    const Name *name = names_intern(f->names, s.text, s.length);
    if (map_find(&f->seen.reported, name))
        return true;
    map_set(f->arena, &f->seen.reported, name, f);
    return false;
}

static const char *context_format_text(Flattener *f, const char *format, va_list arguments)
{
    StringBuilder text = builder_create(f->arena);
    builder_append_formatted(&text, format, arguments);
    return builder_string(&text).text;
}

Diagnostic *report_error(Flattener *f, Span span, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *text = context_format_text(f, format, arguments);
    va_end(arguments);
    if (f->diagnostics->error_count >= LIMIT_ERRORS || is_repeated(f, span, text))
        return NULL;
    return diagnostics_error(f->diagnostics, span, "%s", text);
}

Diagnostic *report_warning(Flattener *f, Span span, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *text = context_format_text(f, format, arguments);
    va_end(arguments);
    if (f->diagnostics->warning_count >= LIMIT_ERRORS || is_repeated(f, span, text))
        return NULL;
    return diagnostics_warning(f->diagnostics, span, "%s", text);
}

void report_note(Flattener *f, Diagnostic *of, Span span, const char *format, ...)
{
    if (!of)
        return;
    va_list arguments;
    va_start(arguments, format);
    const char *text = context_format_text(f, format, arguments);
    va_end(arguments);
    diagnostics_note(f->diagnostics, of, span, "%s", text);
}
