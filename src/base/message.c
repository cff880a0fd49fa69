// SPDX-License-Identifier: MIT

#include "base/message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Behind the first `begin` bytes of a text, in a new one. NULL: no memory.
static char *message_make(const char *text, size_t begin, const char *format, va_list arguments)
{
    char shorter[256]; // mostly: then it is formatted once
    va_list again;
    va_copy(again, arguments);
    const int length = vsnprintf(shorter, sizeof shorter, format, arguments);
    char *whole = length >= 0 ? malloc(begin + (size_t)length + 1) : NULL;
    if (whole && begin)
        memcpy(whole, text, begin);
    if (whole && (size_t)length < sizeof shorter)
        memcpy(whole + begin, shorter, (size_t)length + 1);
    else if (whole)
        vsnprintf(whole + begin, (size_t)length + 1, format, again);
    va_end(again);
    return whole;
}

void message_set_arguments(char **to, const char *format, va_list arguments)
{
    if (!to)
        return;
    char *message = message_make(NULL, 0, format, arguments);
    free(*to);
    *to = message;
}

bool message_set(char **to, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    message_set_arguments(to, format, arguments);
    va_end(arguments);
    return false;
}

static void message_add_arguments(char **to, const char *format, va_list arguments)
{
    if (!to || !*to)
        return;
    char *message = message_make(*to, strlen(*to), format, arguments);
    free(*to);
    *to = message;
}

void message_add(char **to, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    message_add_arguments(to, format, arguments);
    va_end(arguments);
}

const char *message_text(const char *message)
{
    return message ? message : "out of memory";
}

void saltus_say(SaltusMessage *message, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (message->is_begun)
        message_add_arguments(&message->text, format, arguments);
    else
        message_set_arguments(&message->text, format, arguments);
    message->is_begun = true;
    va_end(arguments);
}
