// SPDX-License-Identifier: MIT
//
// Names of parts that run by themselves: what they say becomes what the whole would say, and their
// events and modes those of the whole.

#include "open/apart_parts.h"

#include <stdio.h>

// ---------------------------------------------------------------------------
// Names: what a shared model says is about its first part
// ---------------------------------------------------------------------------

const char *apart_name(const Apart *a, uint32_t variable)
{
    const uint32_t count = a->flat->variable_count; // beyond: start values
    return a->flat->variables[variable < count ? variable : variable - count]->name;
}

static bool apart_is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

// The length of the name of a variable or component at the beginning of a text: a.b[2].c
static size_t apart_name_length(const char *text)
{
    size_t n = 0, end = 0;
    for (;;) {
        if (text[n] == '\'') {
            for (n++; text[n] && text[n] != '\''; n++)
                n += text[n] == '\\' && text[n + 1];
            n += text[n] == '\'';
        } else {
            while (apart_is_letter(text[n]) || (text[n] >= '0' && text[n] <= '9'))
                n++;
        }
        if (n == end)
            return end > 0 && text[end - 1] == '.' ? end - 1 : end;
        if (text[n] == '[') {
            size_t k = n + 1;
            while (text[k] && strchr("0123456789, ", text[k]))
                k++;
            n = text[k] == ']' ? k + 1 : n;
        }
        end = n;
        if (text[n] != '.')
            return end;
        n = end = n + 1;
    }
}

// What the part has in place of a name of the model's first part; NULL: it is none.
static const char *apart_renamed(const ApartPart *p, const char *name, size_t length,
                                 size_t *own_length)
{
    const Apart *a = p->apart;
    for (uint32_t i = 0; i < p->part->count; i++) {
        const char *first = apart_name(a, p->model->first[i]);
        const char *own = apart_name(a, p->part->variables[i]);
        if (strncmp(first, name, length) != 0 || (first[length] && first[length] != '.'))
            continue;
        const size_t rest = strlen(first + length), all = strlen(own);
        if (all < rest || strcmp(own + all - rest, first + length) != 0)
            continue;
        *own_length = all - rest;
        return own;
    }
    return NULL;
}

// Appends to the text of the whole that is being made. False: there is no memory.
static bool apart_append(Apart *a, const char *more, size_t length)
{
    const size_t needed = a->text.length + length + 1;
    if (needed > a->text.room) {
        char *grown = memory_resize(&a->arena->allocator, a->text.bytes, 2 * needed, 1);
        if (!grown)
            return false;
        a->text.bytes = grown;
        a->text.room = 2 * needed;
    }
    memcpy(a->text.bytes + a->text.length, more, length);
    a->text.length += length;
    a->text.bytes[a->text.length] = '\0';
    return true;
}

const char *apart_text(const ApartPart *p, const char *text)
{
    Apart *a = p->apart;
    if (p->part->variables == p->model->first)
        return text;
    a->text.length = 0;
    bool is_fine = apart_append(a, "", 0);
    for (const char *next = text; *next && is_fine;) {
        const bool is_quoted = *next == '\'';
        size_t own_length = 0;
        size_t length = apart_is_letter(*next) || is_quoted ? apart_name_length(next) : 0;
        const char *own = length > 0 ? apart_renamed(p, next, length, &own_length) : NULL;
        if (!own && (is_quoted || !length)) // texts of the flat model have names in quotes
            length = 1;
        is_fine = own ? apart_append(a, own, own_length) : apart_append(a, next, length);
        next += length;
    }
    if (!is_fine && a->run)
        a->run->log.is_out_of_memory = true;
    return is_fine ? a->text.bytes : text;
}

// ---------------------------------------------------------------------------
// The texts of events, by which they are numbered in the whole
// ---------------------------------------------------------------------------

const char *apart_event_text(const SaltusModeDef *mode, int event)
{
    return mode->events[event].condition ? mode->events[event].condition : mode->events[event].name;
}

void apart_list_texts(Apart *a, const SaltusModeDef *mode)
{
    a->event_count = (size_t)mode->event_count;
    a->events = ARENA_ARRAY(a->arena, a->event_count, NamedNumber);
    for (int i = 0; i < mode->event_count; i++)
        a->events[i] = (NamedNumber){apart_event_text(mode, i), i};
    a->time_count = model_time_event_count(a->whole);
    a->times = ARENA_ARRAY(a->arena, a->time_count, NamedNumber);
    for (int i = 0; i < (int)a->time_count; i++)
        a->times[i] = (NamedNumber){model_time_event(a->whole, i), i};
    named_sort(a->events, a->event_count);
    named_sort(a->times, a->time_count);
}

bool apart_number_events(Apart *a, ApartPart *p)
{
    const SaltusModeDef *mode = p->model->mode;
    const int times = (int)model_time_event_count(p->model->model);
    int *events = ARENA_ARRAY(a->arena, mode->event_count, int);
    int *time_ids = ARENA_ARRAY(a->arena, times, int);
    bool is_fine = true;
    for (int i = 0; i < mode->event_count; i++) {
        const char *own = apart_text(p, apart_event_text(mode, i));
        events[i] = named_find(a->events, a->event_count, own);
        is_fine = is_fine && events[i] >= 0;
    }
    for (int i = 0; i < times; i++) {
        const char *own = apart_text(p, model_time_event(p->model->model, i));
        time_ids[i] = named_find(a->times, a->time_count, own);
        is_fine = is_fine && time_ids[i] >= 0;
    }
    p->events = events;
    p->times = time_ids;
    return is_fine;
}

// ---------------------------------------------------------------------------
// Modes
// ---------------------------------------------------------------------------

// The number of the mode of the whole that the parts are in.
static void apart_find_mode(Apart *a)
{
    static const char slides[] = "sliding on "; // of several: on this and that
    StringBuilder name = builder_create(a->modes.arena);
    for (uint32_t i = 0; i < a->modes.elsewhere_count; i++) {
        const ApartPart *p = &a->parts[a->modes.elsewhere[i]];
        const char *own = apart_text(p, p->run->active->mode->name);
        const size_t first = strlen(slides);
        const bool goes_on = i && strncmp(own, slides, first) == 0;
        builder_append_text(&name, goes_on ? " and " : i ? ", " : "");
        builder_append_text(&name, goes_on ? own + first : own);
    }
    const char *found = a->modes.elsewhere_count ? builder_string(&name).text : a->modes.names[0];
    for (a->modes.now = 0; a->modes.now < a->modes.count; a->modes.now++)
        if (strcmp(a->modes.names[a->modes.now], found) == 0)
            return;
    if (a->modes.count == a->modes.room) {
        a->modes.names = arena_grow(a->modes.arena, a->modes.names,
                                    (size_t)a->modes.room * sizeof *a->modes.names,
                                    2 * (size_t)a->modes.room * sizeof *a->modes.names);
        a->modes.room *= 2;
    }
    a->modes.names[a->modes.count++] = found;
}

void apart_see_mode(Apart *a, ApartPart *p)
{
    if (p->run->active->index == p->mode)
        return;
    p->mode = p->run->active->index;
    const bool is_elsewhere = strcmp(p->run->active->mode->name, p->model->mode->name) != 0;
    const uint32_t part = (uint32_t)(p - a->parts);
    uint32_t at = 0;
    while (at < a->modes.elsewhere_count && a->modes.elsewhere[at] < part)
        at++;
    if (is_elsewhere && !p->is_elsewhere) {
        memmove(a->modes.elsewhere + at + 1, a->modes.elsewhere + at,
                (a->modes.elsewhere_count++ - at) * sizeof *a->modes.elsewhere);
        a->modes.elsewhere[at] = part;
    } else if (!is_elsewhere && p->is_elsewhere) {
        memmove(a->modes.elsewhere + at, a->modes.elsewhere + at + 1,
                (--a->modes.elsewhere_count - at) * sizeof *a->modes.elsewhere);
    }
    p->is_elsewhere = is_elsewhere;
    apart_find_mode(a);
}

const char *apart_mode(const void *apart, int mode)
{
    return ((const Apart *)apart)->modes.names[mode];
}
