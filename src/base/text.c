// SPDX-License-Identifier: MIT
//
// The builder doubles its room, which the arena grants in place as long as nobody else allocates,
// so building n bytes costs O(n) time and room.

#include "base/text.h"

#include <stdio.h>
#include <strings.h>

String string_from(const char *zero_terminated)
{
    return (String){zero_terminated, zero_terminated ? strlen(zero_terminated) : 0};
}

bool string_equal(String a, String b)
{
    if (!a.text || !b.text)
        return a.text == b.text;
    return a.length == b.length && memcmp(a.text, b.text, a.length) == 0;
}

// Most names are short, and it grows in place.
enum { FIRST_CAPACITY = 16 };

StringBuilder builder_create(Arena *arena)
{
    return (StringBuilder){.arena = arena};
}

// Room for `more` bytes and a zero behind them; false if there is no memory.
static bool builder_reserve(StringBuilder *b, size_t more)
{
    size_t needed = b->length + more + 1;
    if (needed <= b->capacity)
        return true;
    size_t capacity = b->capacity ? b->capacity * 2 : FIRST_CAPACITY;
    if (capacity < needed)
        capacity = needed;
    char *text = arena_grow(b->arena, b->text, b->capacity, capacity);
    if (!text)
        return false;
    b->text = text;
    b->capacity = capacity;
    return true;
}

void builder_append(StringBuilder *b, const char *text, size_t length)
{
    if (length == 0 || !builder_reserve(b, length))
        return;
    memcpy(b->text + b->length, text, length);
    b->length += length;
    b->text[b->length] = '\0';
}

void builder_append_text(StringBuilder *b, const char *zero_terminated)
{
    builder_append(b, zero_terminated, strlen(zero_terminated));
}

void builder_append_character(StringBuilder *b, char c)
{
    builder_append(b, &c, 1);
}

void builder_append_repeated(StringBuilder *b, char c, size_t count)
{
    if (!builder_reserve(b, count))
        return;
    memset(b->text + b->length, c, count);
    b->length += count;
    b->text[b->length] = '\0';
}

void builder_append_formatted(StringBuilder *b, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    if (length > 0 && builder_reserve(b, (size_t)length)) {
        vsnprintf(b->text + b->length, (size_t)length + 1, format, again);
        b->length += (size_t)length;
    }
    va_end(again);
}

void builder_append_format(StringBuilder *b, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    builder_append_formatted(b, format, arguments);
    va_end(arguments);
}

void builder_append_quoted(StringBuilder *b, const char *text, size_t length)
{
    builder_append_character(b, '"');
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '"' || text[i] == '\\')
            builder_append_character(b, '\\');
        builder_append_character(b, text[i]);
    }
    builder_append_character(b, '"');
}

static void append_json_character(StringBuilder *b, const char *text, size_t length)
{
    static const char *const replacement = "\xEF\xBF\xBD";
    unsigned char c = (unsigned char)*text;
    if (length == 0)
        builder_append_text(b, replacement);
    else if (c == '"' || c == '\\')
        builder_append_format(b, "\\%c", c);
    else if (c == '\n')
        builder_append_text(b, "\\n");
    else if (c == '\t')
        builder_append_text(b, "\\t");
    else if (c < 0x20 || c == 0x7F)
        builder_append_format(b, "\\u%04x", c);
    else
        builder_append(b, text, length);
}

void builder_append_json(StringBuilder *b, const char *text, size_t length)
{
    builder_append_character(b, '"');
    for (size_t i = 0; i < length;) {
        size_t step = utf8_length(text + i, length - i);
        append_json_character(b, text + i, step);
        i += step ? step : 1;
    }
    builder_append_character(b, '"');
}

static void text_escape_character(StringBuilder *b, const char *text, size_t length)
{
    const unsigned char c = (unsigned char)*text;
    // U+FFFE and U+FFFF are no characters of XML either.
    const bool is_bad = length == 0 || (c < 0x20 && c != '\t' && c != '\n') ||
                        (length == 3 && c == 0xEF && (unsigned char)text[1] == 0xBF &&
                         (unsigned char)text[2] >= 0xBE);
    if (is_bad)
        builder_append_text(b, "\xEF\xBF\xBD");
    else if (c == '&')
        builder_append_text(b, "&amp;");
    else if (c == '<')
        builder_append_text(b, "&lt;");
    else if (c == '>')
        builder_append_text(b, "&gt;");
    else if (c == '"')
        builder_append_text(b, "&quot;");
    else
        builder_append(b, text, length);
}

void text_escape_xml(StringBuilder *b, const char *text, size_t length)
{
    for (size_t i = 0; i < length;) {
        const size_t step = utf8_length(text + i, length - i);
        text_escape_character(b, text + i, step);
        i += step ? step : 1;
    }
}

String builder_string(const StringBuilder *b)
{
    return (String){b->text ? b->text : "", b->length};
}

size_t utf8_length(const char *text, size_t length)
{
    const unsigned char *s = (const unsigned char *)text;
    if (length == 0)
        return 0;
    if (s[0] < 0x80)
        return 1;
    size_t n = s[0] >= 0xF0 ? 4 : s[0] >= 0xE0 ? 3 : 2;
    if (s[0] < 0xC2 || s[0] > 0xF4 || n > length)
        return 0;
    for (size_t i = 1; i < n; i++)
        if ((s[i] & 0xC0) != 0x80)
            return 0;
    // Overlong forms, surrogates, and beyond U+10FFFF (Unicode standard, table 3-7).
    if ((s[0] == 0xE0 && s[1] < 0xA0) || (s[0] == 0xED && s[1] > 0x9F) ||
        (s[0] == 0xF0 && s[1] < 0x90) || (s[0] == 0xF4 && s[1] > 0x8F))
        return 0;
    return n;
}

size_t utf8_count(const char *text, size_t length)
{
    size_t count = 0;
    for (size_t i = 0; i < length; count++) {
        size_t step = utf8_length(text + i, length - i);
        i += step ? step : 1;
    }
    return count;
}

size_t utf8_prefix(const char *text, size_t length, size_t characters)
{
    size_t bytes = 0;
    for (; bytes < length && characters > 0; characters--) {
        const size_t step = utf8_length(text + bytes, length - bytes);
        bytes += step ? step : 1;
    }
    return bytes;
}

enum { LONGEST_WORD = 64 };

static size_t smallest(size_t a, size_t b)
{
    return a < b ? a : b;
}

// Optimal string alignment distance, row by row; SIZE_MAX for words that are too long to matter.
static size_t edit_distance(const char *a, const char *b)
{
    size_t rows = strlen(a), columns = strlen(b);
    if (rows > LONGEST_WORD || columns > LONGEST_WORD)
        return SIZE_MAX;
    size_t storage[3][LONGEST_WORD + 1];
    size_t *before = storage[0], *last = storage[1], *row = storage[2];
    for (size_t j = 0; j <= columns; j++)
        last[j] = j;
    for (size_t i = 1; i <= rows; i++) {
        row[0] = i;
        for (size_t j = 1; j <= columns; j++) {
            size_t replace = last[j - 1] + (a[i - 1] != b[j - 1]);
            row[j] = smallest(replace, 1 + smallest(last[j], row[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = smallest(row[j], before[j - 2] + 1);
        }
        size_t *oldest = before;
        before = last;
        last = row;
        row = oldest;
    }
    return last[columns];
}

const char *text_nearest(const char *word, const char *const *candidates, size_t count)
{
    size_t length = strlen(word);
    // One slip in three letters is a misspelling, more is another word.
    size_t best = length / 3 + 1;
    size_t nearest = count;
    for (size_t i = 0; i < count; i++) {
        size_t distance = edit_distance(word, candidates[i]);
        // A word of one letter has no misspelling but the other case.
        const bool is_near = distance < length || strcasecmp(word, candidates[i]) == 0;
        if (distance < best || (nearest == count && distance == best && is_near)) {
            best = distance;
            nearest = i;
        }
    }
    // The beginning of one name only was meant as that, rather than as a word with two slips.
    enum { BEGINNING = 3 };
    size_t begun = count;
    size_t count_begun = 0;
    for (size_t i = 0; length >= BEGINNING && (nearest == count || best > 1) && i < count; i++)
        if (strncmp(word, candidates[i], length) == 0)
            begun = i, count_begun++;
    const size_t found = count_begun == 1 ? begun : nearest;
    return found < count ? candidates[found] : NULL;
}

size_t text_identifier(const char *name)
{
    size_t length = *name == '\'' ? 1 : 0;
    while (length && name[length] && name[length] != '\'')
        length += name[length] == '\\' && name[length + 1] ? 2 : 1;
    return length && name[length] ? length + 1 : strcspn(name, ".");
}

bool text_matches(const char *pattern, const char *name)
{
    const char *star = NULL, *again = NULL;
    while (*name) {
        if (*pattern == '*') {
            star = pattern++;
            again = name;
        } else if (*name == '[' && strncmp(pattern, "[[]", 3) == 0) { // as a shell writes it
            pattern += 3;
            name++;
        } else if (*pattern == '?' || *pattern == *name) {
            pattern++;
            name++;
        } else if (star) {
            pattern = star + 1;
            name = ++again;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return *pattern == '\0';
}
