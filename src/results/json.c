// SPDX-License-Identifier: MIT
//
// Recursive descent, a function for each rule of RFC 8259:
//
//   value  = "null" / "false" / "true" / object / array / number / string
//   object = "{" [ string ":" value *( "," string ":" value ) ] "}"
//   array  = "[" [ value *( "," value ) ] "]"
//
// What always holds: next <= end, and each function either has read all of its rule or returns
// false or NULL, after which nothing is read any more. Zeros in the text are no end of it: they are
// refused where no rule has them. Depth, and with it the stack, is bounded by MOST_DEPTH;
// everything made lives in the pool, also of a text that turns out to be wrong.

#include "results/json.h"

#include "base/number.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { MOST_DEPTH = 100 };

typedef struct JsonReader {
    MemoryPool *pool;
    const char *next, *end;
    int depth;
} JsonReader;

static Json *json_read_value(JsonReader *r);

static void skip_space(JsonReader *r)
{
    while (r->next < r->end && strchr(" \t\r\n", *r->next) && *r->next)
        r->next++;
}

static bool json_accept(JsonReader *r, char c)
{
    skip_space(r);
    if (r->next == r->end || *r->next != c)
        return false;
    r->next++;
    return true;
}

static bool accept_word(JsonReader *r, const char *word)
{
    const size_t length = strlen(word);
    if ((size_t)(r->end - r->next) < length || memcmp(r->next, word, length) != 0)
        return false;
    r->next += length;
    return true;
}

// ---------------------------------------------------------------------------
// Strings
// ---------------------------------------------------------------------------

static bool read_hex(JsonReader *r, uint32_t *code)
{
    *code = 0;
    if (r->end - r->next < 4)
        return false;
    for (int i = 0; i < 4; i++) {
        const char c = *r->next++;
        const char *digits = "0123456789abcdef0123456789ABCDEF", *at = c ? strchr(digits, c) : NULL;
        if (!at)
            return false;
        *code = *code << 4 | (uint32_t)(at - digits) % 16;
    }
    return true;
}

// Halves of pairs (RFC 8259, section 8.2) and zero, which would end the text, become U+FFFD.
static size_t put_utf8(char *out, uint32_t code)
{
    if (code == 0 || (code >= 0xd800 && code < 0xe000))
        code = 0xfffd;
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    const size_t count = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const unsigned char leads[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = count; i-- > 1; code >>= 6)
        out[i] = (char)(0x80 | (code & 0x3f));
    out[0] = (char)(leads[count] | code);
    return count;
}

// After a backslash; writes at most as many bytes as it reads.
static bool read_escape(JsonReader *r, char *out, size_t *length)
{
    static const char letters[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    if (r->next == r->end)
        return false;
    const char c = *r->next++;
    const char *at = c ? strchr(letters, c) : NULL;
    if (at) {
        out[(*length)++] = values[at - letters];
        return true;
    }
    uint32_t code, low;
    if (c != 'u' || !read_hex(r, &code))
        return false;
    if (code >= 0xd800 && code < 0xdc00 && accept_word(r, "\\u")) {
        if (!read_hex(r, &low))
            return false;
        code = low >= 0xdc00 && low < 0xe000 ? 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00)
                                             : 0xfffd;
    }
    *length += put_utf8(out + *length, code);
    return true;
}

// The opening quote was read. The text is never longer than what it is written as, so the room of
// that is enough.
static const char *read_string(JsonReader *r)
{
    const char *close = r->next;
    while (close < r->end && *close != '"')
        close += close[0] == '\\' && close + 1 < r->end ? 2 : 1;
    if (close >= r->end)
        return NULL;
    char *text = memory_pool_new(r->pool, (size_t)(close - r->next) + 1, 1);
    size_t length = 0;
    if (!text)
        return NULL;
    while (r->next < close) {
        const char c = *r->next++;
        if ((unsigned char)c < 0x20)
            return NULL;
        if (c != '\\')
            text[length++] = c;
        else if (!read_escape(r, text, &length))
            return NULL;
    }
    r->next++;
    return text;
}

// ---------------------------------------------------------------------------
// Values
// ---------------------------------------------------------------------------

// All that may be in a number is taken, number_read judges it.
static bool json_read_number(JsonReader *r, double *number)
{
    const bool is_negative = *r->next == '-';
    r->next += is_negative;
    const char *begin = r->next;
    while (r->next < r->end && *r->next && strchr("0123456789.eE+-", *r->next))
        r->next++;
    if (!number_read(begin, (size_t)(r->next - begin), number))
        return false;
    if (is_negative)
        *number = -*number;
    return true;
}

// The elements of an array or the members of an object.
static bool json_read_list(JsonReader *r, Json *list, char close)
{
    Json **last = &list->first;
    if (json_accept(r, close))
        return true;
    do {
        const char *key = NULL;
        if (list->kind == JSON_OBJECT &&
            (!json_accept(r, '"') || !(key = read_string(r)) || !json_accept(r, ':')))
            return false;
        Json *value = json_read_value(r);
        if (!value)
            return false;
        value->key = key;
        *last = value;
        last = &value->next;
    } while (json_accept(r, ','));
    return json_accept(r, close);
}

static bool read_kind(JsonReader *r, Json *value)
{
    if (json_accept(r, '{')) {
        value->kind = JSON_OBJECT;
        return json_read_list(r, value, '}');
    }
    if (json_accept(r, '[')) {
        value->kind = JSON_ARRAY;
        return json_read_list(r, value, ']');
    }
    if (json_accept(r, '"')) {
        value->kind = JSON_STRING;
        return (value->text = read_string(r)) != NULL;
    }
    if (accept_word(r, "null"))
        return true;
    value->kind = accept_word(r, "true") ? JSON_TRUE : JSON_FALSE;
    if (value->kind == JSON_TRUE || accept_word(r, "false"))
        return true;
    value->kind = JSON_NUMBER;
    return r->next < r->end && json_read_number(r, &value->number);
}

static Json *json_read_value(JsonReader *r)
{
    Json *value = r->depth < MOST_DEPTH ? MEMORY_POOL_NEW(r->pool, 1, Json) : NULL;
    if (!value)
        return NULL;
    r->depth++;
    const bool is_fine = read_kind(r, value);
    r->depth--;
    return is_fine ? value : NULL;
}

const Json *json_parse(MemoryPool *pool, const char *text, size_t length)
{
    JsonReader r = {pool, text, text + length, 0};
    const Json *value = json_read_value(&r);
    skip_space(&r);
    return r.next == r.end ? value : NULL;
}

const Json *json_member(const Json *object, const char *key)
{
    if (!object || object->kind != JSON_OBJECT)
        return NULL;
    const Json *member = object->first;
    while (member && strcmp(member->key, key) != 0)
        member = member->next;
    return member;
}

const char *json_member_text(const Json *object, const char *key)
{
    const Json *member = json_member(object, key);
    return member && member->kind == JSON_STRING ? member->text : NULL;
}
