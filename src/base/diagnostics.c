// SPDX-License-Identifier: MIT
//
// The rendered text of one diagnostic:
//
//   ball.mo:7:12: error: expected ';' after the equation, found identifier 'y'
//       7 |   der(x) = v y
//         |              ^
//
// Source lines are shown as they are except that tabs become one space, control characters and
// bytes that are not UTF-8 a question mark, and of a very long line only the part around the span.

#include "base/diagnostics.h"

Diagnostics *diagnostics_create(Arena *arena, const Sources *sources)
{
    Diagnostics *d = ARENA_NEW(arena, Diagnostics);
    if (d)
        *d = (Diagnostics){.arena = arena, .sources = sources};
    return d;
}

DiagnosticsMark diagnostics_mark(const Diagnostics *d)
{
    return (DiagnosticsMark){d->last, d->error_count, d->warning_count};
}

void diagnostics_rewind(Diagnostics *d, DiagnosticsMark mark)
{
    *(mark.last ? &mark.last->next : &d->first) = NULL;
    d->last = mark.last;
    d->error_count = mark.error_count;
    d->warning_count = mark.warning_count;
}

static Diagnostic *base_diagnostics_create(Diagnostics *d, Severity severity, Span span,
                                           const char *format, va_list arguments)
{
    StringBuilder message = builder_create(d->arena);
    builder_append_formatted(&message, format, arguments);
    Diagnostic *diagnostic = ARENA_NEW(d->arena, Diagnostic);
    *diagnostic =
        (Diagnostic){.severity = severity, .span = span, .message = builder_string(&message).text};
    return diagnostic;
}

static Diagnostic *diagnostics_append(Diagnostics *d, Diagnostic *diagnostic)
{
    if (d->last)
        d->last->next = diagnostic;
    else
        d->first = diagnostic;
    d->last = diagnostic;
    return diagnostic;
}

Diagnostic *diagnostics_error(Diagnostics *d, Span span, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    Diagnostic *diagnostic = base_diagnostics_create(d, SEVERITY_ERROR, span, format, arguments);
    va_end(arguments);
    d->error_count++;
    return diagnostics_append(d, diagnostic);
}

Diagnostic *diagnostics_warning(Diagnostics *d, Span span, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    Diagnostic *diagnostic = base_diagnostics_create(d, SEVERITY_WARNING, span, format, arguments);
    va_end(arguments);
    d->warning_count++;
    return diagnostics_append(d, diagnostic);
}

Diagnostic *diagnostics_note(Diagnostics *d, Diagnostic *of, Span span, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    Diagnostic *note = base_diagnostics_create(d, SEVERITY_NOTE, span, format, arguments);
    va_end(arguments);
    if (of->last_note)
        of->last_note->next = note;
    else
        of->notes = note;
    of->last_note = note;
    return note;
}

void diagnostics_out_of_memory(Diagnostics *d)
{
    if (d->exhaustion.message)
        return;
    d->exhaustion.message = "out of memory";
    d->error_count++;
    diagnostics_append(d, &d->exhaustion);
}

// ---------------------------------------------------------------------------
// Text
// ---------------------------------------------------------------------------

static const char *severity_text(Severity severity)
{
    static const char *const texts[] = {"error", "warning", "note"};
    return texts[severity];
}

typedef struct Colours {
    const char *severity[3];
    const char *place;
    const char *gutter;
    const char *off;
} Colours;

static const Colours no_colours = {{"", "", ""}, "", "", ""};
static const Colours terminal_colours = {
    {"\x1b[1;31m", "\x1b[1;35m", "\x1b[1;36m"}, "\x1b[1m", "\x1b[34m", "\x1b[0m"};

// What is shown of a source line: the bytes [begin, end) of it, and the marked ones among them.
typedef struct Window {
    String line;
    size_t begin, end;
    size_t mark_begin, mark_end;
} Window;

enum { WINDOW_BYTES = 160, WINDOW_BEFORE = 60 };

static size_t align_to_character(String line, size_t i)
{
    // At most three bytes continue a character; more are no UTF-8 and need no care.
    for (int n = 0; n < 3 && i > 0 && i < line.length; n++, i--)
        if (((unsigned char)line.text[i] & 0xC0) != 0x80)
            break;
    return i;
}

static Window find_window(const SourceFile *file, uint32_t line, Span span)
{
    Window w = {.line = source_line(file, line)};
    size_t start = (size_t)(w.line.text - file->text);
    size_t begin = span.begin - file->base, end = span.end - file->base;
    w.mark_begin = begin > start ? begin - start : 0;
    if (w.mark_begin > w.line.length)
        w.mark_begin = w.line.length;
    w.mark_end = end - start < w.line.length ? end - start : w.line.length;
    if (w.mark_end < w.mark_begin)
        w.mark_end = w.mark_begin;
    w.end = w.line.length;
    if (w.line.length > WINDOW_BYTES) {
        if (w.mark_begin > WINDOW_BEFORE)
            w.begin = align_to_character(w.line, w.mark_begin - WINDOW_BEFORE);
        if (w.end > w.begin + WINDOW_BYTES)
            w.end = align_to_character(w.line, w.begin + WINDOW_BYTES);
        if (w.mark_end > w.end)
            w.mark_end = w.end;
    }
    return w;
}

static void render_source(const Window *w, StringBuilder *out)
{
    if (w->begin > 0)
        builder_append_text(out, "...");
    for (size_t i = w->begin; i < w->end;) {
        size_t step = utf8_length(w->line.text + i, w->end - i);
        unsigned char c = (unsigned char)w->line.text[i];
        if (c == '\t')
            builder_append_character(out, ' ');
        else if (step == 0 || c < 0x20 || c == 0x7F)
            builder_append_character(out, '?');
        else
            builder_append(out, w->line.text + i, step);
        i += step ? step : 1;
    }
    if (w->end < w->line.length)
        builder_append_text(out, "...");
}

static void render_underline(const Window *w, StringBuilder *out)
{
    size_t before = utf8_count(w->line.text + w->begin, w->mark_begin - w->begin);
    size_t marked = utf8_count(w->line.text + w->mark_begin, w->mark_end - w->mark_begin);
    builder_append_repeated(out, ' ', before + (w->begin > 0 ? 3 : 0));
    builder_append_character(out, '^');
    if (marked > 1)
        builder_append_repeated(out, '~', marked - 1);
}

static void render_snippet(SourcePlace at, Span span, const Colours *c, Severity severity,
                           StringBuilder *out)
{
    Window w = find_window(at.file, at.line, span);
    builder_append_format(out, "%s%5u |%s ", c->gutter, (unsigned)at.line, c->off);
    render_source(&w, out);
    builder_append_format(out, "\n%s      |%s %s", c->gutter, c->off, c->severity[severity]);
    render_underline(&w, out);
    builder_append_format(out, "%s\n", c->off);
}

// The source line is left out where it has just been shown.
static void render_one(const Diagnostics *d, const Diagnostic *item, bool has_snippet,
                       const Colours *c, StringBuilder *out)
{
    SourcePlace at = sources_locate(d->sources, item->span.begin);
    builder_append_text(out, c->place);
    if (at.file)
        builder_append_format(out, "%s:%u:%u: ", at.file->name, (unsigned)at.line,
                              (unsigned)at.column);
    else
        builder_append_text(out, "saltus: ");
    builder_append_format(out, "%s%s%s:%s %s\n", c->off, c->severity[item->severity],
                          severity_text(item->severity), c->off, item->message);
    if (at.file && has_snippet)
        render_snippet(at, item->span, c, item->severity, out);
}

void diagnostics_render_text(const Diagnostics *d, bool colour, StringBuilder *out)
{
    const Colours *colours = colour ? &terminal_colours : &no_colours;
    for (const Diagnostic *item = d->first; item; item = item->next) {
        render_one(d, item, true, colours, out);
        for (const Diagnostic *note = item->notes; note; note = note->next)
            render_one(d, note, note->span.begin != item->span.begin, colours, out);
    }
}

// ---------------------------------------------------------------------------
// JSON
// ---------------------------------------------------------------------------

static void render_json_member(StringBuilder *out, const char *key, const char *value)
{
    builder_append_format(out, "\"%s\":", key);
    builder_append_json(out, value, strlen(value));
}

static void render_json_one(const Diagnostics *d, const Diagnostic *item, StringBuilder *out)
{
    builder_append_character(out, '{');
    render_json_member(out, "severity", severity_text(item->severity));
    SourcePlace at = sources_locate(d->sources, item->span.begin);
    if (at.file) {
        SourcePlace end = sources_locate(d->sources, item->span.end);
        builder_append_character(out, ',');
        render_json_member(out, "file", at.file->name);
        builder_append_format(out, ",\"line\":%u,\"column\":%u,\"endLine\":%u,\"endColumn\":%u",
                              (unsigned)at.line, (unsigned)at.column, (unsigned)end.line,
                              (unsigned)end.column);
    }
    builder_append_character(out, ',');
    render_json_member(out, "message", item->message);
    if (item->severity != SEVERITY_NOTE) {
        builder_append_text(out, ",\"notes\":[");
        for (const Diagnostic *note = item->notes; note; note = note->next) {
            render_json_one(d, note, out);
            if (note->next)
                builder_append_character(out, ',');
        }
        builder_append_character(out, ']');
    }
    builder_append_character(out, '}');
}

void diagnostics_render_json(const Diagnostics *d, StringBuilder *out)
{
    builder_append_character(out, '[');
    for (const Diagnostic *item = d->first; item; item = item->next) {
        render_json_one(d, item, out);
        if (item->next)
            builder_append_character(out, ',');
    }
    builder_append_character(out, ']');
}
