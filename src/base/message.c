// SPDX-License-Identifier: MIT

#include "base/message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The last `most` bytes of a text at most, without a part of a character at their beginning.
static const char *message_tail(const char *text, size_t length, size_t most)
{
    size_t i = length > most ? length - most : 0;
    while (i < length && ((unsigned char)text[i] & 0xC0) == 0x80)
        i++;
    return text + i;
}

// The same of the first ones: how many bytes they are.
static size_t message_head(const char *text, size_t length, size_t most)
{
    size_t i = length < most ? length : most;
    while (i > 0 && i < length && ((unsigned char)text[i] & 0xC0) == 0x80)
        i--;
    return i;
}

static void message_cut(char *to, size_t size, const char *text, size_t length)
{
    static const char dots[] = "...";
    const size_t room = size > sizeof dots ? size - sizeof dots : 0;
    const size_t head = message_head(text, length, (room + 1) / 2);
    const char *tail = message_tail(text, length, room / 2);
    memcpy(to, text, head);
    if (room)
        memcpy(to + head, dots, sizeof dots - 1);
    memcpy(to + head + (room ? sizeof dots - 1 : 0), tail, (size_t)(text + length - tail) + 1);
}

void message_arguments(char *to, size_t size, size_t begin, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    const int length = vsnprintf(to + begin, size - begin, format, arguments);
    char *whole = NULL;
    if (length >= 0 && (size_t)length >= size - begin)
        whole = malloc(begin + (size_t)length + 1);
    if (whole) { // otherwise the end is lost
        memcpy(whole, to, begin);
        vsnprintf(whole + begin, (size_t)length + 1, format, again);
        message_cut(to, size, whole, begin + (size_t)length);
    }
    free(whole);
    va_end(again);
}

void message_add_arguments(char **to, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    const size_t begin = *to ? strlen(*to) : 0;
    const int length = vsnprintf(NULL, 0, format, arguments);
    char *whole = length >= 0 ? malloc(begin + (size_t)length + 1) : NULL;
    if (whole) {
        memcpy(whole, *to ? *to : "", begin);
        vsnprintf(whole + begin, (size_t)length + 1, format, again);
    }
    va_end(again);
    free(*to);
    *to = whole;
}

void message_add(char **to, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    message_add_arguments(to, format, arguments);
    va_end(arguments);
}

bool message_set(char **to, const char *format, ...)
{
    char *message = NULL;
    va_list arguments;
    va_start(arguments, format);
    if (to)
        message_add_arguments(&message, format, arguments);
    va_end(arguments);
    if (to) {
        free(*to);
        *to = message;
    }
    return false;
}

const char *message_text(const char *message)
{
    return message ? message : "out of memory";
}

void message_write(char *to, size_t size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    message_arguments(to, size, 0, format, arguments);
    va_end(arguments);
}

void message_more(char *to, size_t size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    message_arguments(to, size, strlen(to), format, arguments);
    va_end(arguments);
}
