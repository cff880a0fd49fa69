// SPDX-License-Identifier: MIT
//
// ModelicaStrings_: Strings as bytes, whose first has index 1 (Modelica.Utilities.Strings).

#include "external/functions.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>

static bool strings_give(ExternalCall *call, uint32_t index, const char *text, size_t length)
{
    if (!call->arena)
        return external_fail(call, "a String cannot be made while the model runs");
    call->arguments[index].texts[0] = arena_copy_text(call->arena, text, length);
    return true;
}

bool strings_length(ExternalCall *call)
{
    external_set(call, 1, (double)strlen(external_text(call, 0)));
    return true;
}

// 1 less, 2 equal, 3 greater: the literals of Types.Compare.
bool strings_compare(ExternalCall *call)
{
    const char *a = external_text(call, 0), *b = external_text(call, 1);
    const bool is_exact = external_number(call, 2) != 0.0;
    int order = 0;
    for (; order == 0 && (*a || *b); a++, b++) {
        const int x = (unsigned char)*a, y = (unsigned char)*b;
        order = is_exact ? x - y : tolower(x) - tolower(y);
        if (!*a || !*b)
            break;
    }
    external_set(call, 3, order < 0 ? 1 : order == 0 ? 2 : 3);
    return true;
}

// From `start` to `end`: a start below 1 is 1, an end below 0 is the start.
bool strings_substring(ExternalCall *call)
{
    const char *text = external_text(call, 0);
    const double length = (double)strlen(text);
    double start = external_number(call, 1), end = external_number(call, 2);
    start = start < 1.0 ? 1.0 : start;
    end = end < 0.0 ? start : end > length ? length : end;
    if (start > end)
        return strings_give(call, 3, "", 0);
    return strings_give(call, 3, text + (size_t)start - 1, (size_t)(end - start) + 1);
}

// Arash Partow's hash (AP), with 32 bits; the result is read as a signed number.
bool strings_hash(ExternalCall *call)
{
    uint32_t hash = 0xAAAAAAAAu;
    const unsigned char *text = (const unsigned char *)external_text(call, 0);
    for (size_t i = 0; text[i]; i++)
        hash ^= i % 2 == 0 ? (hash << 7) ^ (text[i] * (hash >> 3))
                           : ~((hash << 11) + (text[i] ^ (hash >> 5)));
    external_set(call, 1, hash > INT32_MAX ? (double)hash - 4294967296.0 : (double)hash);
    return true;
}

// ---------------------------------------------------------------------------
// Scanning
// ---------------------------------------------------------------------------
//
// Inputs: the text and where to begin. What is found ends before nextIndex; if nothing is,
// nextIndex is where scanning began.

// The rest of a text from an index on, without white space; "" beyond its end.
static const char *strings_rest(const ExternalCall *call)
{
    const char *text = external_text(call, 0);
    const double start = external_number(call, 1), length = (double)strlen(text);
    const char *rest = text + (size_t)(start < 1.0 ? 0.0 : start > length ? length : start - 1.0);
    while (*rest && isspace((unsigned char)*rest))
        rest++;
    return rest;
}

static void strings_next(ExternalCall *call, uint32_t index, const char *end)
{
    external_set(call, index,
                 end ? (double)(end - external_text(call, 0)) + 1.0 : external_number(call, 1));
}

bool strings_skip(ExternalCall *call)
{
    strings_next(call, 2, strings_rest(call));
    return true;
}

static const char *strings_digits(const char *s)
{
    while (isdigit((unsigned char)*s))
        s++;
    return s;
}

static const char *strings_sign(const char *s, bool is_allowed)
{
    return is_allowed && (*s == '+' || *s == '-') ? s + 1 : s;
}

bool strings_scan_integer(ExternalCall *call)
{
    const char *begin = strings_rest(call);
    const char *digits = strings_sign(begin, external_number(call, 2) == 0.0);
    const char *end = strings_digits(digits);
    errno = 0;
    const long long value = strtoll(begin, NULL, 10);
    const bool is_found = end > digits && *end != '.' && *end != 'e' && *end != 'E' && errno == 0 &&
                          value >= INT_MIN && value <= INT_MAX;
    strings_next(call, 3, is_found ? end : NULL);
    external_set(call, 4, is_found ? (double)value : 0.0);
    return true;
}

// [sign] digits [. digits] [e [sign] digits], or a point with digits behind it.
bool strings_scan_real(ExternalCall *call)
{
    const char *begin = strings_rest(call);
    const char *digits = strings_sign(begin, external_number(call, 2) == 0.0);
    const char *end = strings_digits(digits);
    size_t count = (size_t)(end - digits);
    if (*end == '.') {
        const char *fraction = end + 1;
        end = strings_digits(fraction);
        count += (size_t)(end - fraction);
    }
    if (count && (*end == 'e' || *end == 'E')) {
        const char *exponent = strings_sign(end + 1, true);
        end = strings_digits(exponent) > exponent ? strings_digits(exponent) : end;
    }
    strings_next(call, 3, count ? end : NULL);
    char number[400] = ""; // strtod alone would also take hexadecimal numbers
    if (count && (size_t)(end - begin) >= sizeof number)
        return external_fail(call, "the number is too long");
    if (count)
        memcpy(number, begin, (size_t)(end - begin));
    external_set(call, 4, count ? strtod(number, NULL) : 0.0);
    return true;
}

bool strings_scan_string(ExternalCall *call)
{
    const char *begin = strings_rest(call), *end = begin + 1;
    while (*begin == '"' && *end && *end != '"')
        end += *end == '\\' && end[1] ? 2 : 1;
    const bool is_found = *begin == '"' && *end == '"';
    strings_next(call, 2, is_found ? end + 1 : NULL);
    return strings_give(call, 3, is_found ? begin + 1 : "",
                        is_found ? (size_t)(end - begin) - 1 : 0);
}

bool strings_scan_identifier(ExternalCall *call)
{
    const char *begin = strings_rest(call), *end = begin;
    if (isalpha((unsigned char)*begin))
        while (isalnum((unsigned char)*end) || *end == '_')
            end++;
    strings_next(call, 2, end > begin ? end : NULL);
    return strings_give(call, 3, begin, (size_t)(end - begin));
}
