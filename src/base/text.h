// SPDX-License-Identifier: MIT
//
// Text: views of bytes in UTF-8, and a builder that grows in an arena.
// A view need not end with a zero byte; what a builder gives out does.

#ifndef SALTUS_BASE_TEXT_H
#define SALTUS_BASE_TEXT_H

#include "base/arena.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Lets the compiler check a printf format and its arguments.
#if defined(__GNUC__)
#define TEXT_FORMAT(format_index, first_argument)                                                  \
    __attribute__((format(printf, format_index, first_argument)))
#else
#define TEXT_FORMAT(format_index, first_argument)
#endif

typedef struct String {
    const char *text; // NULL: there is none (an empty string has a pointer)
    size_t length;    // bytes
} String;

// For "%.*s": STRING_ARGUMENTS(s) gives length and pointer.
#define STRING_ARGUMENTS(s) (int)(s).length, (s).text

String string_from(const char *zero_terminated);
bool string_equal(String a, String b); // no string equals only no string

typedef struct StringBuilder {
    Arena *arena;
    char *text; // zero-terminated once anything was appended
    size_t length;
    size_t capacity;
} StringBuilder;

StringBuilder builder_create(Arena *arena);
void builder_append(StringBuilder *b, const char *text, size_t length);
void builder_append_text(StringBuilder *b, const char *zero_terminated);
void builder_append_character(StringBuilder *b, char c);
void builder_append_repeated(StringBuilder *b, char c, size_t count);
void builder_append_format(StringBuilder *b, const char *format, ...) TEXT_FORMAT(2, 3);
void builder_append_formatted(StringBuilder *b, const char *format, va_list arguments);
// In double quotes; a backslash stands before quotes and backslashes, as in Modelica.
void builder_append_quoted(StringBuilder *b, const char *text, size_t length);
// With quotes and escapes; bytes that are not UTF-8 become U+FFFD.
void builder_append_json(StringBuilder *b, const char *text, size_t length);
// For XML and HTML, in elements and in double quotes: what is no UTF-8 and no character of XML 1.0
// becomes U+FFFD.
void text_escape_xml(StringBuilder *b, const char *text, size_t length);
String builder_string(const StringBuilder *b); // what was built so far; "" if nothing

// Bytes of the UTF-8 character that begins at `text` (1 to 4), 0 if there is none within `length`.
size_t utf8_length(const char *text, size_t length);
// Characters; every byte that is not part of a valid one counts as one.
size_t utf8_count(const char *text, size_t length);
// Bytes of the first so many characters, or of all.
size_t utf8_prefix(const char *text, size_t length, size_t characters);

// The length of the identifier that a dotted name begins with: 'a.b' in its quotes is one, \' in it
// no end; a quote that is not closed is none.
size_t text_identifier(const char *name);

// Whether a name matches: * stands for any characters, ? for one; brackets, which names have, for
// themselves.
bool text_matches(const char *pattern, const char *name);

// The nearest of `count` candidates to `word` by edit distance (one edit: insert, delete, replace
// or swap neighbours), or the only one that begins with it; NULL if none is near enough to be what
// was meant. Ties: the first.
const char *text_nearest(const char *word, const char *const *candidates, size_t count);

#endif
